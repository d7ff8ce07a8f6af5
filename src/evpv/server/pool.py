"""Worker processes and the queue before them.

A worker that dies takes nothing with it: another is started in its place and its job is done again. A job that takes too
long costs its worker, since nothing else ends a computation for certain. Waiting for a worker is done in threads, so that
the event loop never writes or reads more than it has at hand.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import math
import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from evpv.errors import ConfigError, EvpvError
from evpv.server.jobs import Reply
from evpv.workers import SupervisedWorker, WorkerDiedError, WorkerError, WorkerLimits

_LOG = logging.getLogger("evpv.server")
_MOST_ATTEMPTS = 3
_LONGEST_BACK_OFF_S = 10.0
_START_S = 600.0
_PIECE = 65_536
_USUAL_S = 0.5  # how long a job is thought to take before the first has been done

Result = TypeVar("Result")


class BusyError(EvpvError):
    """More is waiting than the queue holds; `retry_after_s` is when there may be room."""

    def __init__(self, retry_after_s: int) -> None:
        super().__init__("too many requests are waiting; try again later")
        self.retry_after_s = retry_after_s


class TooSlowError(EvpvError):
    """A job that was not done in time."""


class WorkerLostError(EvpvError):
    """A job that ended the worker that did it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What a worker is told when it starts."""

    recipe: str
    changes: Mapping[str, str]
    folder: Path

    def message(self) -> bytes:
        return json.dumps({"recipe": self.recipe, "changes": dict(self.changes), "folder": str(self.folder)}).encode()


@dataclass(slots=True, eq=False)
class _Job:
    number: int
    message: bytes
    answer: asyncio.Future[Reply]
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    attempts: int = 0


@dataclass(slots=True, kw_only=True)
class Pool:
    """`workers` processes that do jobs one at a time each; at most `most_waiting` jobs wait for one.

    A job may wait for `timeout_s` and then be worked on for as long; the time that a new worker takes to start is not its.
    """

    order: Order
    workers: int
    most_waiting: int
    timeout_s: float
    memory_mb: int = 4_096
    ready: int = 0
    running: int = 0
    restarts: int = 0
    _queue: dict[int, _Job] = field(default_factory=dict)
    _arrival: asyncio.Condition = field(default_factory=asyncio.Condition)
    _slots: dict[asyncio.Task[None], SupervisedWorker] = field(default_factory=dict)
    _threads: ThreadPoolExecutor = field(init=False)
    _log: tuple[int, int] = (-1, -1)
    _numbers: Iterator[int] = field(default_factory=itertools.count)
    _usual_s: float = _USUAL_S

    def __post_init__(self) -> None:
        self._threads = ThreadPoolExecutor(self.workers, thread_name_prefix="evpv-worker")

    @property
    def waiting(self) -> int:
        return len(self._queue)

    async def start(self) -> None:
        """Start all workers; a recipe that cannot be built is told here."""
        self._log = os.pipe()
        os.set_blocking(self._log[0], False)
        asyncio.get_running_loop().add_reader(self._log[0], self._overhear)
        limits = WorkerLimits(memory_mb=self.memory_mb, cpu_s=(os.cpu_count() or 1) * self.timeout_s + 10.0)
        made = [
            SupervisedWorker(
                target="evpv.server.worker:answer_requests",
                first=self.order.message(),
                limits=limits,
                start_s=_START_S,
                log=self._log[1],
            )
            for _ in range(self.workers)
        ]
        started = await asyncio.gather(*(self._in_thread(worker.start) for worker in made), return_exceptions=True)
        if failed := [one for one in started if isinstance(one, BaseException)]:
            for worker in made:
                worker.close()
            raise ConfigError(str(failed[0]))
        self._slots = {asyncio.create_task(self._work(worker)): worker for worker in made}

    async def close(self) -> None:
        """End the workers; what still waits is given up."""
        for slot, worker in self._slots.items():
            slot.cancel()
            worker.kill()
        await asyncio.gather(*self._slots, return_exceptions=True)
        for worker in self._slots.values():
            await self._in_thread(worker.close)
        self._slots = {}
        self._threads.shutdown()
        asyncio.get_running_loop().remove_reader(self._log[0])
        for end in self._log:
            os.close(end)

    async def ask(self, message: bytes) -> Reply:
        """Have a job done. Cancelled while it waits, it leaves the queue with its message; later, its answer is thrown away."""
        if self.waiting >= self.most_waiting:
            raise BusyError(math.ceil(max(self.waiting * self._usual_s / self.workers, 1.0)))
        job = _Job(next(self._numbers), message, asyncio.get_running_loop().create_future())
        await self._put(job)
        try:
            async with asyncio.timeout(self.timeout_s):
                await job.begun.wait()
            async with asyncio.timeout((_MOST_ATTEMPTS + 1) * self.timeout_s):
                return await job.answer
        except TimeoutError:
            raise self._too_slow() from None
        finally:
            self._queue.pop(job.number, None)

    async def _put(self, job: _Job) -> None:
        self._queue[job.number] = job
        async with self._arrival:
            self._arrival.notify()

    async def _next(self) -> _Job:
        """The job that came first; one that is tried again has its old number, so that it is the next."""
        async with self._arrival:
            await self._arrival.wait_for(lambda: self._queue)
            return self._queue.pop(min(self._queue))

    async def _work(self, worker: SupervisedWorker) -> None:
        """Take jobs and see to it that each gets its answer, whatever becomes of the process."""
        self.ready += 1
        try:
            while True:
                job = await self._next()
                job.begun.set()
                job.attempts += 1
                try:
                    _settle(job, await self._done(worker, job.message))
                except WorkerError as error:
                    await self._after_failure(job, error)
                    await self._replace(worker, str(error))
        finally:
            self.ready -= 1

    async def _after_failure(self, job: _Job, error: WorkerError) -> None:
        """Only a worker that was killed says nothing against its job: the others would end the next one too."""
        if not isinstance(error, WorkerDiedError):
            _settle(job, self._too_slow())
        elif error.killed and job.attempts < _MOST_ATTEMPTS:
            await self._put(job)
        else:
            _settle(job, WorkerLostError("the request could not be worked on"))

    async def _done(self, worker: SupervisedWorker, message: bytes) -> Reply:
        loop = asyncio.get_running_loop()
        began = loop.time()
        self.running += 1
        try:
            reply = await self._in_thread(lambda: worker.ask(message, self.timeout_s))
        finally:
            self.running -= 1
        self._usual_s += 0.1 * (loop.time() - began - self._usual_s)
        return Reply(status=int.from_bytes(reply[:2], "big"), body=reply[2:])

    async def _replace(self, worker: SupervisedWorker, why: str) -> None:
        """Start a worker's next process; tried until there is one, because the cause may be passing."""
        self.ready -= 1
        self.restarts += 1
        _LOG.warning("worker replaced", extra={"why": why})
        back_off = 0.5
        while True:
            try:
                await self._in_thread(worker.start)
            except (ConfigError, WorkerError, OSError) as error:
                _LOG.error("worker does not start", extra={"why": str(error)})
                await asyncio.sleep(back_off)
                back_off = min(2 * back_off, _LONGEST_BACK_OFF_S)
            else:
                self.ready += 1
                return

    def _overhear(self) -> None:
        """What a worker writes to standard error, its traceback say, as events of our own log."""
        said = os.read(self._log[0], _PIECE)
        _LOG.warning("worker said", extra={"text": said.decode("utf-8", "replace")})

    async def _in_thread(self, work: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def _too_slow(self) -> TooSlowError:
        return TooSlowError(f"not done within {self.timeout_s:g} seconds")


def _settle(job: _Job, outcome: Reply | EvpvError) -> None:
    """Give a job its outcome, unless nobody waits for it any more."""
    if job.answer.done():
        return
    if isinstance(outcome, Reply):
        job.answer.set_result(outcome)
    else:
        job.answer.set_exception(outcome)
