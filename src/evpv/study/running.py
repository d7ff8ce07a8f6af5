"""A graph done node by node, and the model servers that the study runs itself for it.

What can be done is, what fails stops nobody else, and whatever is done stays done. A server is started when a stage needs it,
awaited, restarted if it dies, and stopped by its id. It is the child of a worker process (`evpv.workers`), whose group the
kernel kills when the study is gone, however it went: no server outlives its study.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import threading
import time
import traceback
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, Literal

from evpv.errors import BackendError, ConfigError, EvpvError
from evpv.files import write_whole
from evpv.study.graph import Node
from evpv.study.plan import PlanModel
from evpv.study.stages import Workshop
from evpv.workers import WorkerProcess
from evpv.workers.child import Channel

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
    _servers: dict[str, _ManagedServer] = field(default_factory=dict)

    def run(self) -> dict[str, Standing]:
        """Do every node that can be done, those of one model together; a second process in the same folder is refused."""
        with _alone(self.workshop.folder):
            before = standings(self.workshop, is_running=False)
            left = {name: node for name, node in self.workshop.graph.nodes.items() if before[name].state != "done"}
            lost: set[str] = set()
            try:
                while (node := self._next(left, lost)) is not None:
                    del left[node.name]
                    # a node that asks no server leaves those running that will be asked again: a start takes minutes
                    later = {name for other in left.values() for name in self._managed_models(other)}
                    staying = tuple(name for name in self._servers if name in later)
                    if not self._do_node(node, self._managed_models(node) or staying):
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
                server = _ManagedServer(name, self.workshop.plan.models[name], log)
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


_COMMANDS = {
    "vllm": [
        "vllm", "serve", "{weights}", "--served-model-name", "{model}", "--host", "127.0.0.1", "--port", "{port}",
        "--generation-config", "vllm",  # else a checkpoint's own penalties change what is asked for, greedy answers too
    ],
    "llama.cpp": ["llama-server", "-m", "{weights}", "--alias", "{model}", "--host", "127.0.0.1", "--port", "{port}"],
}  # fmt: skip
_STARTS = 3
_ENDING_S = 20.0
_POLL_S = 0.2
_LOG_END = 2000
_PR_SET_PDEATHSIG = 1


class _ManagedServer:
    """One model's server. `address` is where it answers while it runs; `starts` how often it was started, deaths included."""

    def __init__(self, name: str, model: PlanModel, log: Path) -> None:
        self.name, self.log, self.starts = name, log, 0
        self._model, self._port = model, _free_port(f"{name} {log}")
        self._command = _command(name, model, self._port)
        self._worker: WorkerProcess | None = None
        self._stopping = threading.Event()
        self._watch: threading.Thread | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}/v1"

    @property
    def pid(self) -> int | None:
        return self._worker.pid if self._worker is not None else None

    def start(self) -> None:
        """Start it and wait until it answers; one that dies on the way is started again, a few times."""
        while not self._is_up():
            if self.starts >= _STARTS:
                raise BackendError(f"the server of model {self.name!r} ended {_STARTS} times; {self._log_end()}")
        self._watch = threading.Thread(target=self._restart_when_dead, daemon=True)
        self._watch.start()

    def stop(self) -> None:
        """End it by its id: asked first, killed with all that it started if it does not go."""
        self._stopping.set()
        self._end()
        if self._watch is not None:
            self._watch.join(_ENDING_S)

    def _is_up(self) -> bool:
        """Launch it and wait until it answers; False if it ended before that."""
        self.starts += 1
        gpus = {"CUDA_VISIBLE_DEVICES": ",".join(map(str, self._model.gpus))} if self._model.gpus else {}
        environment = {**os.environ, **gpus, **self._model.environment}
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as log:
            log.write(f"\n--- start {self.starts}: {' '.join(self._command)}\n".encode())
            log.flush()
            self._worker = WorkerProcess("evpv.study.running:_serve_command", log=log)
        self._worker.send(json.dumps([self._command, environment]).encode())
        deadline = time.monotonic() + self._model.ready_s
        while not _answers(f"{self.address}/models"):
            if self._stopping.is_set():
                return True
            if self._worker is None or not self._worker.is_running:
                self._end()
                return False
            if time.monotonic() > deadline:
                self._end()
                said = f"does not answer within {self._model.ready_s:g} s"
                raise BackendError(f"the server of model {self.name!r} {said}; {self._log_end()}")
            time.sleep(_POLL_S)
        return True

    def _log_end(self) -> str:
        return f"{self.log} ends:\n{self.log.read_text(encoding='utf-8', errors='replace')[-_LOG_END:]}"

    def _restart_when_dead(self) -> None:
        """Whoever asks meanwhile tries again by itself, at the same address."""
        while not self._stopping.wait(_POLL_S):
            if self._worker is not None and self._worker.is_running:
                continue
            self._end()
            if self._stopping.is_set():
                return
            with suppress(BackendError):
                self._is_up()

    def _end(self) -> None:
        worker, self._worker = self._worker, None
        if worker is None:
            return
        worker.send(b"stop")
        deadline = time.monotonic() + _ENDING_S
        while worker.is_running and time.monotonic() < deadline:
            time.sleep(_POLL_S / 4)
        worker.end()


def _serve_command(channel: Channel) -> None:
    """The worker's whole life: run the command in its own group, and end it when told to, or when it ends by itself."""
    command, environment = json.loads(channel.receive())
    tie = partial(ctypes.CDLL(None).prctl, _PR_SET_PDEATHSIG, signal.SIGKILL)
    try:
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, preexec_fn=tie)
    except OSError as error:
        raise SystemExit(f"{command[0]}: {error.strerror}") from None

    def end_when_told() -> None:
        with suppress(EOFError, OSError):
            channel.receive()
        process.send_signal(signal.SIGTERM)

    threading.Thread(target=end_when_told, daemon=True).start()
    raise SystemExit(process.wait())


def _command(name: str, model: PlanModel, port: int) -> list[str]:
    shape = _COMMANDS.get(model.serve) if isinstance(model.serve, str) else model.serve
    if not shape:
        raise ConfigError(f"[models.{name}] serve is {', '.join(_COMMANDS)} or a command, not {model.serve!r}.")
    served = str(model.settings.get("model", name))
    words = {"weights": model.weights_place or served, "model": served, "port": str(port)}
    command = [part.format(**words) for part in shape] + [part.format(**words) for part in model.options]
    if shutil.which(command[0]) is None:
        raise ConfigError(f"[models.{name}]: there is no program {command[0]!r} here; install it, or name it in serve.")
    return command


def _free_port(salt: str) -> int:
    """A port that is free now, the same for the same model of the same study where that one is: judges are known by it."""
    first = 20_000 + int(sha256(salt.encode()).hexdigest(), 16) % 20_000
    for port in range(first, first + 100):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise ConfigError(f"no port from {first} to {first + 99} is free for a server.")


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=2) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False
