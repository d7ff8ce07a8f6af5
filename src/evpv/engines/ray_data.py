"""Ray Data: blocks of jobs for actors on many machines, each with a worker process of its own; traces in shards.

Ray gives a block to another actor when a machine is lost. What one problem can do to its process (kill it, hang it) is
dealt with inside the actor by the local engine, so a bad problem is a failure with its reason here too, and not a block
that is tried for ever. A block writes one shard, in one piece and under the block's own name: done twice, it is there once.
"""

from __future__ import annotations

import logging
import os
import pickle
import signal
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, chdir, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ray
import ray.data

from evpv.engines.local import PATIENCE_S, LocalEngine, remove_empty_log
from evpv.engines.work import Batch, Receipt, RunOrder, jobs_of
from evpv.errors import EvpvError
from evpv.records.trace_files import ShardForm, TraceLine, write_shard

_BLOCKS_PER_WORKER = 16
_LARGEST_BLOCK = 256
_STORE_BYTES = 100 * 1024 * 1024  # only places in a file and receipts go through Ray's object store
_MARK = "EVPV_RAY_START"
_GLANCE_S = 0.02
_STARTS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shift:
    """What all actors of one start of a run are told."""

    order: RunOrder
    version: str
    form: ShardForm
    name: str
    folder: str
    patience_s: float
    suspects: frozenset[str]


class RayEngine(AbstractContextManager["RayEngine"]):
    """Runs a recipe in `workers` actors on the cluster of RAY_ADDRESS, or on one that is started here for the run."""

    def __init__(
        self, order: RunOrder, *, workers: int = 1, form: ShardForm = "jsonl", patience_s: float = PATIENCE_S
    ) -> None:
        self._order = order
        self._workers = workers
        self._form = form
        self._patience_s = patience_s
        self._version: str | None = None

    @property
    def version(self) -> str:
        """What decides the answers of the parts, as a worker on this machine says; the actors must agree."""
        if self._version is None:
            with LocalEngine(self._order, patience_s=self._patience_s) as here:
                self._version = here.version
        return self._version

    def run(
        self, groups: list[Batch], store: Callable[[TraceLine], None], suspects: frozenset[str] = frozenset()
    ) -> Iterator[Receipt]:
        """A receipt for each problem, block by block; the actors have stored the traces by then, so `store` is idle."""
        if not groups:
            return
        shift = _Shift(
            order=self._order, version=self.version, form=self._form, name=uuid.uuid4().hex[:8], folder=os.getcwd(),
            patience_s=self._patience_s, suspects=suspects,
        )  # fmt: skip
        _connect(self._workers)
        blocks = _blocks_of(groups, self._workers)
        rows = [{"block": number, "jobs": pickle.dumps(block)} for number, block in enumerate(blocks)]
        done = ray.data.from_items(rows, override_num_blocks=len(rows)).map_batches(
            _BlockActor,
            fn_constructor_args=(shift,),
            batch_size=1,
            num_cpus=1,
            compute=ray.data.ActorPoolStrategy(size=min(self._workers, len(rows)), max_tasks_in_flight_per_actor=2),
        )
        for row in done.iter_rows():
            if row["stopped"]:
                raise pickle.loads(row["stopped"])
            yield Receipt(problem_id=row["problem_id"], failure=row["failure"] or None)

    def close(self) -> None:
        """Leave the cluster; one that was started here ends."""
        ray.shutdown()
        remove_empty_log(self._order)

    def __exit__(self, *failure: object) -> None:
        self.close()


class _BlockActor:
    """One actor: a local engine with one worker, and a shard for each block."""

    def __init__(self, shift: _Shift) -> None:
        os.chdir(shift.folder)  # paths mean the same on every machine, and errors name them alike
        self._shift = shift
        self._engine = LocalEngine(shift.order, patience_s=shift.patience_s, version=shift.version)

    def __call__(self, batch: Mapping[str, Any]) -> dict[str, list[Any]]:
        try:
            receipts, stopped = self._receipts(int(batch["block"][0]), pickle.loads(batch["jobs"][0])), b""
        except EvpvError as error:
            receipts, stopped = [Receipt(problem_id="")], pickle.dumps(error)
        return {
            "problem_id": [receipt.problem_id for receipt in receipts],
            "failure": [receipt.failure or "" for receipt in receipts],
            "stopped": [stopped for _ in receipts],
        }

    def _receipts(self, number: int, block: Batch) -> list[Receipt]:
        lines: list[TraceLine] = []
        receipts = list(self._engine.run([block], lines.append, self._shift.suspects))
        try:
            write_shard(Path(self._shift.order.folder), f"{self._shift.name}-{number:06}", self._shift.form, lines)
        except OSError as error:
            raise EvpvError(f"{error.filename} cannot be written: {error.strerror or error}") from error
        return receipts


def _blocks_of(groups: list[Batch], workers: int) -> list[Batch]:
    """Groups in blocks: several for each worker, so that all end at about the same time, but no more than a machine may lose."""
    problems = sum(map(len, groups))
    size = min(max(problems // (workers * _BLOCKS_PER_WORKER), 1), _LARGEST_BLOCK)
    return list(jobs_of(groups, size))


def _connect(workers: int) -> None:
    """Join the cluster of RAY_ADDRESS, or start one that listens on this machine only.

    From the root folder: Ray has its workers import from the folder in which it is called, before all others, and that
    may be anybody's data.
    """
    if ray.is_initialized():
        return
    with chdir("/"):
        if address := os.environ.get("RAY_ADDRESS"):
            try:
                ray.init(log_to_driver=False, logging_level=logging.ERROR)
            except ConnectionError as error:
                raise EvpvError(f"no Ray cluster answers at RAY_ADDRESS={address}: {error}") from error
        else:
            _start_here(workers)
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.print_on_execution_start = False


def _start_here(workers: int) -> None:
    """Start Ray on this machine; where it is so busy that Ray's own 30 seconds pass, once more."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    for attempt in range(1, _STARTS + 1):
        try:
            with _ended_if_it_fails():
                ray.init(
                    address="local",  # not whichever cluster was started on this machine last
                    num_cpus=workers, include_dashboard=False, object_store_memory=_STORE_BYTES, log_to_driver=False,
                    logging_level=logging.ERROR, _node_ip_address="127.0.0.1",
                )  # fmt: skip
            return
        except Exception as error:  # Ray has no narrower one for this
            if attempt == _STARTS:
                raise EvpvError(f"Ray does not start here: {error}") from error


@contextmanager
def _ended_if_it_fails() -> Iterator[None]:
    """A start of Ray that leaves no process behind: one that fails has forgotten what it had started by then.

    They are found by a mark in their environment, wherever they hang: some have groups or parents of their own.
    """
    mark = os.environ[_MARK] = uuid.uuid4().hex
    try:
        yield
    except BaseException:
        ray.shutdown()
        while marked := _processes_with(mark):
            for pid in marked:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(_GLANCE_S)
        raise
    finally:
        del os.environ[_MARK]


def _processes_with(mark: str) -> list[int]:
    """The processes that were started under a mark; what has ended has no environment any more."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended in between, or is another user's
            if f"{_MARK}={mark}".encode() in (process / "environ").read_bytes().split(b"\0"):
                found.append(int(process.name))
    return found
