"""Worker processes on this machine: a job each, the next when it is done, so that nothing piles up; and how an engine is started.

`extractions` has figures read, without candidates: what `evpv extract` does.
"""

from __future__ import annotations

import os
import pickle
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from multiprocessing.connection import wait
from queue import SimpleQueue
from typing import IO, Literal, Protocol

from evpv.assembly import Builder, missing_extra
from evpv.config import Recipe
from evpv.engines.work import Batch, Made, Message, Ready, Receipt, RunOrder, jobs_of
from evpv.errors import ConfigError, EvpvError
from evpv.records.trace_files import ShardForm, TraceLine
from evpv.types import Extraction, Problem
from evpv.workers import (
    SupervisedWorker,
    WorkerDiedError,
    WorkerError,
    WorkerLimits,
    WorkerProcess,
    WorkerSilentError,
    usual_memory_mb,
)
from evpv.workers.child import Channel

PATIENCE_S = 600.0
_START_S = 600.0
"""How long a worker may take to build its pipeline; weights may have to be loaded."""
_LOG = "workers.log"
_LEAST_JOB = 4
_STARTS_IN_A_ROW = 3
_READER = "evpv.engines.local:_read_figures"
_AHEAD = 4
_TRIES = 2


class _JobWorker:
    """A worker process and what of its job is still to come."""

    def __init__(self, order: RunOrder, log: IO[bytes], patience_s: float, limits: WorkerLimits) -> None:
        self.process = WorkerProcess("evpv.engines.work:make_traces", limits=limits, log=log)
        self.is_ready = False
        self.left: Batch = ()
        self.deadline = time.monotonic() + _START_S
        self._at_once = order.at_once
        self._patience_s = patience_s
        self.process.send(pickle.dumps(order))

    @property
    def at(self) -> Batch:
        """The problems that are in the worker's hands now."""
        return self.left[: self._at_once]

    def start(self, job: Batch) -> None:
        self.left = job
        self._wait_for_next()
        self.process.send(pickle.dumps(job))

    def receive(self) -> Message:
        """What the worker says; `WorkerError` if it has died."""
        message: Message = pickle.loads(self.process.receive(0.0))
        if isinstance(message, Made):
            self.left = self.left[len(message.lines) :]
            self._wait_for_next()
        return message

    def _wait_for_next(self) -> None:
        self.deadline = time.monotonic() + self._patience_s * max(len(self.at), 1)


class LocalEngine(AbstractContextManager["LocalEngine"]):
    """Runs a recipe in `workers` processes.

    A problem that kills its worker, raises, or takes longer than `patience_s` is tried once more, alone, after all
    others; after that it is a failure with its reason. Too many that fail one after another when they are tried for the
    first time end the run: then it is not the problems. `version` is what the parts must be; without it, what the first worker has.
    """

    def __init__(
        self,
        order: RunOrder,
        *,
        workers: int = 1,
        patience_s: float = PATIENCE_S,
        failures_in_a_row: int = 20,
        memory_mb: int | None = None,
        version: str | None = None,
    ) -> None:
        self._order = order
        self._count = workers
        self._patience_s = patience_s
        self._most_failures = failures_in_a_row
        self._workers: list[_JobWorker] = []
        self._limits = WorkerLimits(memory_mb=memory_mb or usual_memory_mb(workers))
        os.makedirs(order.folder, exist_ok=True)
        self._log = open(os.path.join(order.folder, _LOG), "ab")  # noqa: SIM115 - closed by close()
        self._version = version
        self._failed_starts = self._failures_in_a_row = 0
        self._failed_once: dict[str, str] = {}
        self._suspects: frozenset[str] = frozenset()
        self._jobs: deque[Batch] = deque()
        self._again: deque[Batch] = deque()
        self._ending: EvpvError | None = None

    @property
    def version(self) -> str:
        """What decides the answers of the parts, as the first worker says once it has built them."""
        while self._version is None:
            self._start_workers(1)
            for _ in self._events(lambda line: None):
                pass
            self._end_if_hopeless()
        return self._version

    def run(
        self, groups: list[Batch], store: Callable[[TraceLine], None], suspects: frozenset[str] = frozenset()
    ) -> Iterator[Receipt]:
        """A receipt for each problem, in the order in which they are done; `store` has kept the trace by then.

        `suspects` failed when the run was started before: that they fail again says nothing of the others.
        """
        self._suspects = suspects
        self._jobs.extend(jobs_of(groups, max(self._order.at_once, _LEAST_JOB)))
        while self._jobs or self._again or self._busy_count:
            if self._ending is None:
                self._start_workers(min(self._count, len(self._jobs) + len(self._again) + self._busy_count))
                for worker in self._workers:
                    if worker.is_ready and not worker.left and (waiting := self._jobs or self._again):
                        worker.start(waiting.popleft())
            elif not self._busy_count:
                break
            yield from self._events(store)
            self._end_if_hopeless()
        for name, reason in self._failed_once.items():  # what the run ended before it could be tried again
            yield Receipt(problem_id=name, failure=reason)
        if self._ending is not None:
            raise self._ending

    @property
    def _busy_count(self) -> int:
        return sum(bool(worker.left) for worker in self._workers)

    def close(self) -> None:
        for worker in self._workers:
            worker.process.end()
        self._workers.clear()
        self._log.close()
        remove_empty_log(self._order)

    def __exit__(self, *failure: object) -> None:
        self.close()

    def _start_workers(self, count: int) -> None:
        while len(self._workers) < count:
            self._workers.append(_JobWorker(self._order, self._log, self._patience_s, self._limits))

    def _events(self, store: Callable[[TraceLine], None]) -> Iterator[Receipt]:
        """What the workers say next, and what the silence of one for too long means."""
        awaited = {w.process.connection: w for w in self._workers if w.left or not w.is_ready}
        now = time.monotonic()
        patience = min((worker.deadline for worker in awaited.values()), default=now) - now
        for connection in wait(list(awaited), max(patience, 0.0)):
            worker = awaited.pop(connection)  # type: ignore[call-overload]
            yield from self._heard(worker, store)
        for worker in awaited.values():
            if worker.deadline <= time.monotonic():
                limit = self._patience_s if worker.is_ready else _START_S
                yield from self._lost(worker, f"no answer within {limit:g} s")

    def _heard(self, worker: _JobWorker, store: Callable[[TraceLine], None]) -> Iterator[Receipt]:
        try:
            message = worker.receive()
        except (WorkerDiedError, WorkerSilentError) as death:
            yield from self._lost(worker, f"{death}; {_LOG} may say more")
            return
        if isinstance(message, Ready):
            self._version = self._version or message.version
            if (other := message.version) != self._version:
                said = f"a worker has other parts than the first: {other!r}, not {self._version!r}"
                self._ending = EvpvError(said)
            worker.is_ready, self._failed_starts = True, 0
        elif isinstance(message, Made):
            for line in message.lines:
                self._failures_in_a_row = 0 if line.failure is None else self._failures_in_a_row + 1
                if line.failure is None:
                    store(line)
                    self._failed_once.pop(line.problem_id, None)
                yield Receipt(problem_id=line.problem_id, failure=line.failure)
        elif message.error is not None:
            self._ending = message.error
            self._workers.remove(worker)
            worker.process.end()
        else:
            yield from self._lost(worker, message.reason)

    def _lost(self, worker: _JobWorker, reason: str) -> Iterator[Receipt]:
        """A worker is gone: what it was at is tried again alone, once, after all others; what it had not begun is for another."""
        self._workers.remove(worker)
        worker.process.end()
        if not worker.is_ready:
            self._failed_starts += 1
            if self._failed_starts >= _STARTS_IN_A_ROW:
                self._ending = EvpvError(f"workers do not start: {reason}")
        if rest := worker.left[len(worker.at) :]:
            self._jobs.appendleft(rest)
        for place in worker.at:
            if place.problem_id in self._failed_once:
                del self._failed_once[place.problem_id]
                yield Receipt(problem_id=place.problem_id, failure=reason)
            else:
                self._failures_in_a_row += place.problem_id not in self._suspects
                self._failed_once[place.problem_id] = reason
                self._again.append((place,))

    def _end_if_hopeless(self) -> None:
        if self._failures_in_a_row >= self._most_failures and self._ending is None:
            self._ending = EvpvError(f"{self._failures_in_a_row} problems failed one after another; the run stops here")
        if self._version is None and self._ending is not None:
            raise self._ending


def remove_empty_log(order: RunOrder) -> None:
    """Remove the log of the workers where none had anything to say."""
    log = os.path.join(order.folder, _LOG)
    if os.path.exists(log) and not os.path.getsize(log):
        os.unlink(log)


_EngineName = Literal["local", "ray"]


class _Engine(Protocol):
    """Does groups of problems, and hands each trace to `store` or keeps it itself, in shards, before its receipt comes."""

    @property
    def version(self) -> str: ...

    def run(
        self, groups: list[Batch], store: Callable[[TraceLine], None], suspects: frozenset[str] = frozenset()
    ) -> Iterator[Receipt]: ...


def start_engine(
    name: _EngineName, order: RunOrder, workers: int, shards: ShardForm | None = None
) -> AbstractContextManager[_Engine]:
    order = _with_shared_budget(order, workers)
    if name == "local":
        if shards is not None:
            raise ConfigError("--shards is for --engine ray; the local engine writes one file.")
        return LocalEngine(order, workers=workers)
    try:  # here and not above, so that runs on one machine need no Ray
        from evpv.engines.ray_data import RayEngine
    except ModuleNotFoundError as error:
        raise missing_extra("--engine ray", error) from error
    return RayEngine(order, workers=workers, form=shards or "jsonl")


def _with_shared_budget(order: RunOrder, workers: int) -> RunOrder:
    """The order with what each worker may spend: its share, so that together they cannot pass the budget."""
    if order.recipe.budget is None:
        return order
    return replace(order, recipe=replace(order.recipe, budget=order.recipe.budget / workers))


def extractions(
    recipe: Recipe, problems: Iterable[Problem], workers: int, patience_s: float = PATIENCE_S
) -> Iterator[tuple[Problem, Extraction]]:
    """Problems with what was read, in order, as they become ready; takes no more of them than it can work on.

    A figure that ends its process, or takes longer than `patience_s`, is tried once more and then is a value with the
    reason. A recipe that cannot be built is told as it is.
    """
    idle: SimpleQueue[SupervisedWorker] = SimpleQueue()
    limits = WorkerLimits(memory_mb=usual_memory_mb(workers))
    with ExitStack() as stack:
        for _ in range(workers):
            worker = SupervisedWorker(target=_READER, first=pickle.dumps(recipe), limits=limits, start_s=_START_S)
            stack.callback(worker.close)
            idle.put(worker)
        threads = stack.enter_context(ThreadPoolExecutor(workers))
        waiting: deque[tuple[Problem, Future[Extraction]]] = deque()
        try:
            for problem in problems:
                waiting.append((problem, threads.submit(_extraction, idle, problem, patience_s)))
                if len(waiting) > _AHEAD * workers:
                    yield waiting[0][0], waiting.popleft()[1].result()
            while waiting:
                yield waiting[0][0], waiting.popleft()[1].result()
        finally:
            threads.shutdown(wait=False, cancel_futures=True)


def _extraction(idle: SimpleQueue[SupervisedWorker], problem: Problem, patience_s: float) -> Extraction:
    worker, found = idle.get(), Extraction()
    try:
        for _ in range(_TRIES):
            try:
                return pickle.loads(worker.ask(pickle.dumps(problem), patience_s))  # type: ignore[no-any-return]
            except WorkerError as error:
                found = Extraction(problem=f"the process that read the picture failed: {error}")
        return found
    finally:
        idle.put(worker)


def _read_figures(channel: Channel) -> None:
    """A worker process's whole life: build the recipe's extractor, then read figures until the command is gone."""
    try:
        extractor = Builder(pickle.loads(channel.receive())).extractor()
    except EvpvError as error:
        channel.send(str(error).encode())
        return
    channel.send(b"")
    for message in channel.messages():
        channel.send(pickle.dumps(extractor.extract([pickle.loads(message)])[0]))
