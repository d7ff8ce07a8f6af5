"""Worker processes and the queue before them.

A worker that dies takes nothing with it: another is started in its place and its job is done again. A job that takes too
long costs its worker, since nothing else ends a computation for certain.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import math
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from evpv.errors import ConfigError, EvpvError
from evpv.server.jobs import Reply

_LOG = logging.getLogger("evpv.server")
_MOST_ATTEMPTS = 3
_LONGEST_BACK_OFF_S = 10.0
_ENDING_S = 5.0
_PIECE = 65_536
_USUAL_S = 0.5  # how long a job is thought to take before the first has been done


class BusyError(EvpvError):
    """More is waiting than the queue holds; `retry_after_s` is when there may be room."""

    def __init__(self, retry_after_s: int) -> None:
        super().__init__("too many requests are waiting; try again later")
        self.retry_after_s = retry_after_s


class TooSlowError(EvpvError):
    """A job that was not done in time."""


class WorkerLostError(EvpvError):
    """A job that ended the worker that did it."""


class _DiedError(Exception):
    """The worker's process ended. `killed`: by a signal from outside, and not by what it was doing."""

    def __init__(self, code: int | None) -> None:
        super().__init__(f"worker ended with code {code}")
        self.killed = code is not None and code < 0


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
    message: bytes
    answer: asyncio.Future[Reply]
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    waiting: bool = True
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
    ready: int = 0
    waiting: int = 0
    running: int = 0
    restarts: int = 0
    _jobs: asyncio.PriorityQueue[tuple[int, _Job]] = field(default_factory=asyncio.PriorityQueue)
    _slots: list[asyncio.Task[None]] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=itertools.count)
    _listening: set[asyncio.Task[None]] = field(default_factory=set)
    _usual_s: float = _USUAL_S

    async def start(self) -> None:
        """Start all workers; a recipe that cannot be built is told here."""
        started = await asyncio.gather(*(self._started() for _ in range(self.workers)), return_exceptions=True)
        failed = [one for one in started if isinstance(one, BaseException)]
        if failed:
            for one in started:
                if isinstance(one, Process):
                    await _killed(one)
            raise ConfigError(str(failed[0]))
        self._slots = [asyncio.create_task(self._work(one)) for one in started if isinstance(one, Process)]

    async def close(self) -> None:
        """End the workers; what still waits is given up."""
        for slot in self._slots:
            slot.cancel()
        await asyncio.gather(*self._slots, return_exceptions=True)
        self._slots = []

    async def ask(self, message: bytes) -> Reply:
        """Have a job done. Cancelled while it waits, it is not begun; cancelled later, its answer is thrown away."""
        if self.waiting >= self.most_waiting:
            raise BusyError(math.ceil(max(self.waiting * self._usual_s / self.workers, 1.0)))
        job = _Job(message, asyncio.get_running_loop().create_future())
        self._put(next(self._numbers), job)
        try:
            async with asyncio.timeout(self.timeout_s):
                await job.begun.wait()
            async with asyncio.timeout((_MOST_ATTEMPTS + 1) * self.timeout_s):
                return await job.answer
        except TimeoutError:
            raise self._too_slow() from None
        finally:
            self._take(job)

    def _put(self, number: int, job: _Job) -> None:
        job.waiting = True
        self.waiting += 1
        self._jobs.put_nowait((number, job))

    def _take(self, job: _Job) -> bool:
        """Take a job out of the queue; False if it was taken, or given up, before."""
        if not job.waiting:
            return False
        job.waiting = False
        self.waiting -= 1
        return True

    async def _work(self, process: Process) -> None:
        """Take jobs and see to it that each gets its answer, whatever becomes of the process."""
        self.ready += 1
        try:
            while True:
                number, job = await self._jobs.get()
                if not self._take(job):
                    continue
                job.begun.set()
                job.attempts += 1
                try:
                    _settle(job, await self._done(process, job.message))
                except TimeoutError:
                    _settle(job, self._too_slow())
                    process = await self._replaced(process, "took too long")
                except _DiedError as death:
                    if death.killed and job.attempts < _MOST_ATTEMPTS:
                        self._put(number, job)  # with its old number, so that it is the next
                    else:
                        _settle(job, WorkerLostError("the request could not be worked on"))
                    process = await self._replaced(process, str(death))
        finally:
            self.ready -= 1
            await _let_go(process)

    async def _done(self, process: Process, message: bytes) -> Reply:
        loop = asyncio.get_running_loop()
        began = loop.time()
        self.running += 1
        try:
            async with asyncio.timeout(self.timeout_s):
                reply = await _asked(process, message)
        finally:
            self.running -= 1
        self._usual_s += 0.1 * (loop.time() - began - self._usual_s)
        return reply

    async def _replaced(self, process: Process, why: str) -> Process:
        """Another worker in a worker's place; tried until there is one, because the cause may be passing."""
        self.ready -= 1
        self.restarts += 1
        _LOG.warning("worker replaced", extra={"worker": process.pid, "why": why})
        await _killed(process)
        back_off = 0.5
        while True:
            try:
                fresh = await self._started()
            except (ConfigError, _DiedError, OSError) as error:
                _LOG.error("worker does not start", extra={"why": str(error)})
                await asyncio.sleep(back_off)
                back_off = min(2 * back_off, _LONGEST_BACK_OFF_S)
                continue
            self.ready += 1
            return fresh

    async def _started(self) -> Process:
        """A worker with its pipeline built."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "evpv.server.worker", stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True
        )
        listening = asyncio.create_task(_overheard(process))
        self._listening.add(listening)
        listening.add_done_callback(self._listening.discard)
        reason = b"the service is ending"
        try:
            reason = await _exchanged(process, self.order.message())
        finally:
            if reason:
                await _killed(process)
        if reason:
            raise ConfigError(reason.decode())
        return process

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


async def _asked(process: Process, message: bytes) -> Reply:
    reply = await _exchanged(process, message)
    return Reply(status=int.from_bytes(reply[:2], "big"), body=reply[2:])


async def _exchanged(process: Process, message: bytes) -> bytes:
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(len(message).to_bytes(4, "big") + message)
        await process.stdin.drain()
        size = await process.stdout.readexactly(4)
        return await process.stdout.readexactly(int.from_bytes(size, "big"))
    except (asyncio.IncompleteReadError, ConnectionError):
        raise _DiedError(await process.wait()) from None


async def _overheard(process: Process) -> None:
    """What a worker writes to standard error, its traceback say, as events of our own log."""
    assert process.stderr is not None
    while said := await process.stderr.read(_PIECE):
        _LOG.warning("worker said", extra={"worker": process.pid, "text": said.decode("utf-8", "replace")})


async def _let_go(process: Process) -> None:
    """End a worker that has nothing to do: it ends by itself when its input does."""
    if process.stdin is not None:
        process.stdin.close()
    try:
        async with asyncio.timeout(_ENDING_S):
            await process.wait()
    except TimeoutError:
        await _killed(process)


async def _killed(process: Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    await process.wait()
