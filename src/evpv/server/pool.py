"""Worker processes and the queue before them.

A worker that dies takes nothing with it: another is started in its place and its job is done again. A job that takes too
long costs its worker, since nothing else ends a computation for certain. Waiting for a worker is done in threads, so that
the event loop never writes or reads more than it has at hand.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import os
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from evpv.errors import ConfigError, EvpvError
from evpv.server.jobs import Reply
from evpv.server.lanes import TURN_S, Job, Lanes
from evpv.workers import SupervisedWorker, WorkerDiedError, WorkerError, WorkerLimits, WorkerSilentError

_LOG = logging.getLogger("evpv.server")
_MOST_ATTEMPTS = 3
_LONGEST_BACK_OFF_S = 10.0
_START_S = 600.0
_PIECE = 65_536
_USUAL_S = 0.5  # how long a job is thought to take before the first has been done

_Result = TypeVar("_Result")


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
class WorkerOrder:
    """What a worker is told when it starts."""

    recipe: str
    changes: Mapping[str, str]
    folder: Path

    def message(self) -> bytes:
        return json.dumps({"recipe": self.recipe, "changes": dict(self.changes), "folder": str(self.folder)}).encode()


@dataclass(slots=True, kw_only=True)
class Pool:
    """Processes that do jobs, one at a time each: for one client at most `workers`, while at most `most_waiting` jobs wait.

    A job may wait for `timeout_s` and then be worked on for as long; the time that a new worker takes to start is not its.
    Which job is next, and for whom there is one process more, `lanes.py` says.
    """

    order: WorkerOrder
    workers: int
    most_waiting: int
    timeout_s: float
    memory_mb: int = 4_096
    restarts: int = 0
    _up: int = 0
    _lanes: Lanes = field(init=False)
    _threads: ThreadPoolExecutor = field(init=False)
    _processes: list[SupervisedWorker] = field(default_factory=list)
    _idle: deque[SupervisedWorker] = field(default_factory=deque)
    _busy: dict[int, SupervisedWorker] = field(default_factory=dict)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _log: tuple[int, int] = (-1, -1)
    _usual_s: float = _USUAL_S

    def __post_init__(self) -> None:
        self._lanes = Lanes(workers=self.workers)
        self._threads = ThreadPoolExecutor(self._lanes.processes, thread_name_prefix="evpv-worker")

    @property
    def ready(self) -> int:
        return min(self._up, self.workers)

    @property
    def running(self) -> int:
        return len(self._lanes.running)

    @property
    def waiting(self) -> int:
        return len(self._lanes.waiting)

    async def start(self) -> None:
        """Start all workers; a recipe that cannot be built is told here."""
        self._log = os.pipe()
        os.set_blocking(self._log[0], False)
        asyncio.get_running_loop().add_reader(self._log[0], self._overhear)
        limits = WorkerLimits(memory_mb=self.memory_mb, cpu_s=(os.cpu_count() or 1) * self.timeout_s + 10.0)
        target, first = "evpv.server.jobs:answer_requests", self.order.message()
        made = [
            SupervisedWorker(target=target, first=first, limits=limits, start_s=_START_S, log=self._log[1])
            for _ in range(self._lanes.processes)
        ]
        started = await asyncio.gather(*(self._in_thread(worker.start) for worker in made), return_exceptions=True)
        if failed := [one for one in started if isinstance(one, BaseException)]:
            for worker in made:
                worker.close()
            raise ConfigError(str(failed[0]))
        self._processes, self._idle, self._up = made, deque(made), len(made)

    async def close(self) -> None:
        """End the workers; what still waits is given up."""
        for task in self._tasks:
            task.cancel()
        for worker in self._processes:
            worker.kill()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for worker in self._processes:
            await self._in_thread(worker.close)
        self._processes, self._idle, self._up = [], deque(), 0
        self._threads.shutdown()
        asyncio.get_running_loop().remove_reader(self._log[0])
        for end in self._log:
            os.close(end)

    async def ask(self, message: bytes, *, client: str = "", pixels: int = 0) -> Reply:
        """Have a job done. Cancelled while it waits, it leaves the queue with its message; later, its answer is thrown away."""
        loop = asyncio.get_running_loop()
        if self.waiting >= self.most_waiting:
            # Refused is the newest job of whoever has filled the queue; where that is this client as much as anyone, this.
            busy = BusyError(math.ceil(max(self.waiting * self._usual_s / self.workers, 1.0)))
            crowding = self._lanes.crowding_job(client)
            if crowding is None:
                raise busy
            del self._lanes.waiting[crowding.number]
            _settle(crowding, busy)
            crowding.begun.set()
        job = Job(client=client, pixels=pixels, message=message, answer=loop.create_future())
        self._lanes.add(job)
        self._hand_out()
        try:
            async with asyncio.timeout(self.timeout_s):
                await job.begun.wait()
            async with asyncio.timeout((_MOST_ATTEMPTS + 1) * self.timeout_s):
                return await job.answer
        except TimeoutError:
            raise self._too_slow() from None
        finally:
            self._lanes.waiting.pop(job.number, None)

    def _hand_out(self) -> None:
        """Give jobs to free processes, and put a long one back where a newcomer would wait for it. Called at every change."""
        for worker in [one for one in self._idle if not one.is_running]:  # somebody killed it meanwhile
            self._idle.remove(worker)
            self._begin_task(self._replace(worker, "it was killed"))
        while self._idle and (job := self._lanes.begin_next(len(self._idle))) is not None:
            self._busy[job.number] = worker = self._idle.popleft()
            self._begin_task(self._work(worker, job))
        if (job := self._lanes.put_back(len(self._idle))) is not None:
            self._busy[job.number].kill()

    def _begin_task(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _work(self, worker: SupervisedWorker, job: Job) -> None:
        """See to it that a job gets its answer, whatever becomes of the process."""
        job.begun.set()
        job.attempts += 1
        loop = asyncio.get_running_loop()
        began, turn = loop.time(), loop.call_later(TURN_S, self._end_turn, job)
        lost: Exception | None = None
        try:
            reply = await self._in_thread(lambda: worker.ask(job.message, self.timeout_s))
            _settle(job, Reply(status=int.from_bytes(reply[:2], "big"), body=reply[2:]))
        except (WorkerError, ConfigError, OSError) as error:
            lost = error
        finally:
            turn.cancel()
            gave_way = job.number not in self._lanes.running
            self._lanes.stop(job, taken_s=loop.time() - began)
            del self._busy[job.number]
        if lost is None:
            self._usual_s += 0.1 * (loop.time() - began - self._usual_s)
            self._set_free(worker, job.client)
            return
        self._after_failure(job, lost)
        if gave_way:
            await self._replace(worker, "a newcomer waited", job.client)
        elif _by_others(lost):
            self._lanes.release(job.client)
            await self._replace(worker, str(lost))
        else:
            await self._replace(worker, str(lost), job.client)

    def _end_turn(self, job: Job) -> None:
        self._lanes.end_turn(job)
        self._hand_out()

    def _after_failure(self, job: Job, error: Exception) -> None:
        """A worker that was killed, or did not start, says nothing against its job: the others would end the next one too."""
        by_itself = isinstance(error, WorkerDiedError) and not error.killed
        if isinstance(error, WorkerSilentError):
            _settle(job, self._too_slow())
        elif by_itself or job.attempts >= _MOST_ATTEMPTS + job.is_put_back:
            _settle(job, WorkerLostError("the request could not be worked on"))
        elif not job.answer.done():
            self._lanes.add_again(job)

    async def _replace(self, worker: SupervisedWorker, why: str, holder: str | None = None) -> None:
        """Start a worker's next process; tried until there is one, because the cause may be passing.

        Its holder, whose job cost us the last one, holds it till then.
        """
        self._up -= 1
        self.restarts += 1
        _LOG.warning("worker replaced", extra={"why": why})
        self._hand_out()
        back_off, is_up = 0.5, False
        while not is_up:
            try:
                await self._in_thread(worker.start)
                is_up = True
            except (ConfigError, WorkerError, OSError) as error:
                _LOG.error("worker does not start", extra={"why": str(error)})
                await asyncio.sleep(back_off)
                if not _by_others(error):
                    back_off = min(2 * back_off, _LONGEST_BACK_OFF_S)
        self._up += 1
        self._set_free(worker, holder)

    def _set_free(self, worker: SupervisedWorker, holder: str | None) -> None:
        self._idle.append(worker)
        if holder is not None:
            self._lanes.release(holder)
        self._hand_out()

    def _overhear(self) -> None:
        """What a worker writes to standard error, its traceback say, as events of our own log."""
        said = os.read(self._log[0], _PIECE)
        _LOG.warning("worker said", extra={"text": said.decode("utf-8", "replace")})

    async def _in_thread(self, work: Callable[[], _Result]) -> _Result:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def _too_slow(self) -> TooSlowError:
        return TooSlowError(f"not done within {self.timeout_s:g} seconds")


def _by_others(error: Exception) -> bool:
    """Whether somebody killed a process, which says nothing against it or its job."""
    return isinstance(error, WorkerDiedError) and error.by_others


def _settle(job: Job, outcome: Reply | EvpvError) -> None:
    """Give a job its outcome, unless nobody waits for it any more."""
    if job.answer.done():
        return
    if isinstance(outcome, Reply):
        job.answer.set_result(outcome)
    else:
        job.answer.set_exception(outcome)
