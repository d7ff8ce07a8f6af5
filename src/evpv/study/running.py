"""A graph done node by node: what can be done is, what fails stops nobody else, and whatever is done stays done."""

from __future__ import annotations

import fcntl
import json
import os
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Literal

from evpv.errors import ConfigError, EvpvError
from evpv.files import write_whole
from evpv.study.graph import Node
from evpv.study.servers import ManagedServer
from evpv.study.stages import Workshop

_State = Literal["done", "running", "failed", "unfinished", "blocked", "waiting"]
DONE, FAILED, _RUNNING, _LOCK = "done.json", "failed.json", "running.json", "lock"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a node stands: `why` where it failed or is blocked, `seconds` where it is done."""

    state: _State
    why: str = ""
    seconds: float = 0.0
    asked: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(slots=True)
class Runner:
    """Does what is left of a study. `tell` hears of every node that begins and ends, `before` of one about to be done."""

    workshop: Workshop
    tell: Callable[[Node, Standing], None] = lambda node, standing: None
    before: Callable[[Node], None] = lambda node: None
    _servers: dict[str, ManagedServer] = field(default_factory=dict)

    def run(self) -> dict[str, Standing]:
        """Do every node that can be done, those of one model together; a second process in the same folder is refused."""
        with _alone(self.workshop.folder):
            before = standings(self.workshop, is_running=False)
            left = {name: node for name, node in self.workshop.graph.nodes.items() if before[name].state != "done"}
            lost: set[str] = set()
            try:
                while (node := self._next(left, lost)) is not None:
                    del left[node.name]
                    if not self._do_node(node, self._wanted_servers(node, left)):
                        lost.add(node.name)
            finally:
                self._keep(())
        return standings(self.workshop, is_running=False)

    def _next(self, left: Mapping[str, Node], lost: set[str]) -> Node | None:
        """A node whose needs are done: one that asks just the servers that run if there is one, else one that asks none."""
        ready = [node for node in left.values() if not any(need in left or need in lost for need in node.needs)]
        managed = {node.name: self._managed_models(node) for node in ready}
        running = tuple(self._servers)
        ready.sort(key=lambda node: (managed[node.name] != running, bool(managed[node.name])))
        return ready[0] if ready else None

    def _managed_models(self, node: Node) -> tuple[str, ...]:
        models = self.workshop.plan.models
        return tuple(dict.fromkeys(name for name in node.models if models[name].serve))

    def _wanted_servers(self, node: Node, left: Mapping[str, Node]) -> tuple[str, ...]:
        """Those that the node asks. If it asks none, those that run and will be asked again stay: a start takes minutes."""
        later = {name for other in left.values() for name in self._managed_models(other)}
        return self._managed_models(node) or tuple(name for name in self._servers if name in later)

    def _do_node(self, node: Node, servers: tuple[str, ...] = ()) -> bool:
        """Do one node and write down how it went."""
        place = self.workshop.place(node)
        place.mkdir(parents=True, exist_ok=True)
        (place / FAILED).unlink(missing_ok=True)
        _write(place / _RUNNING, {"pid": os.getpid(), "cell": str(node.cell)})
        self.tell(node, Standing(state="running"))
        began = time.monotonic()
        try:
            self.before(node)
            self._keep(servers)
            asked = self.workshop.do(node)
        except Exception as error:  # noqa: BLE001  a cell that cannot be done must not stop the others
            known = isinstance(error, EvpvError | OSError)
            why = str(error) if known else traceback.format_exc()
            _write(place / FAILED, {"why": why, "cell": str(node.cell)})
            self.tell(node, Standing(state="failed", why=why))
            return False
        finally:
            (place / _RUNNING).unlink(missing_ok=True)
        spent = time.monotonic() - began
        _write(place / DONE, {"cell": str(node.cell), "seconds": spent, "asked": asked})
        self.tell(node, Standing(state="done", seconds=spent, asked=asked))
        return True

    def _keep(self, wanted: tuple[str, ...]) -> None:
        """Have these servers run, and no others: the GPUs of one model are the next one's."""
        for name in [name for name in self._servers if name not in wanted]:
            self._servers.pop(name).stop()
            self.workshop.addresses.pop(name, None)
        for name in wanted:
            if name not in self._servers:
                log = self.workshop.folder / "servers" / f"{name}.log"
                server = ManagedServer(name, self.workshop.plan.models[name], log)
                server.start()
                self._servers[name] = server
                self.workshop.addresses[name] = server.address


def do_imports(workshop: Workshop) -> dict[str, str]:
    """Do the imports alone, which ask nobody; what could not be imported is given back with the reason."""
    lost = {}
    with _alone(workshop.folder):
        runner = Runner(workshop=workshop)
        for node in workshop.graph.of("import"):
            if _standing(workshop.place(node), False).state != "done" and not runner._do_node(node):
                lost[str(node.cell)] = _standing(workshop.place(node), False).why
    return lost


def standings(workshop: Workshop, *, is_running: bool | None = None) -> dict[str, Standing]:
    """How every node stands, from what its folder holds."""
    live = is_running if is_running is not None else _is_locked(workshop.folder)
    found: dict[str, Standing] = {}
    for name, node in workshop.graph.nodes.items():
        found[name] = _standing(workshop.place(node), live)
        stuck = [need for need in node.needs if found[need].state in ("failed", "blocked")]
        if stuck and found[name].state != "done":
            cell = workshop.graph.nodes[stuck[0]].cell
            found[name] = Standing(state="blocked", why=f"{workshop.graph.nodes[stuck[0]].stage} {cell}")
    return found


def _standing(place: Path, live: bool) -> Standing:
    for state, file in (("done", DONE), ("failed", FAILED)):
        if (place / file).exists():
            ended = json.loads((place / file).read_text(encoding="utf-8"))
            ended.pop("cell", None)
            return Standing(state=state, **ended)  # type: ignore[arg-type]
    if (place / _RUNNING).exists():
        return Standing(state="running" if live else "unfinished")
    return Standing(state="waiting")


def _write(path: Path, record: Mapping[str, Any]) -> None:
    write_whole(path, json.dumps(record, ensure_ascii=False) + "\n")


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / _LOCK).open("w", encoding="utf-8") as lock:
        if not _could_lock(lock):
            raise ConfigError(f"{folder}: another process is doing this study; `evpv study status` shows it.")
        yield


def _is_locked(folder: Path) -> bool:
    """Whether a process is at work in the folder."""
    if not (folder / _LOCK).exists():
        return False
    with (folder / _LOCK).open("r", encoding="utf-8") as lock:
        return not _could_lock(lock)


def _could_lock(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
