"""Which job is next: clients take turns, and the last free process is for whoever has none.

There is one process more than workers. However much a client sends, it holds no more processes than there are workers,
and the spare one is there at once for a newcomer, somebody who holds none. A process that its job has broken is held until
it has been started again, so nobody takes them all by breaking them. Where all processes are held by long jobs, one of
whoever holds several goes back to the queue, at most once each, so that the next newcomer finds a process again; what was
put back never has the last process. Where many newcomers want that, those who were quick before and those who are not
known, those who ask for little and those who ask for much take turns, so that strangers cannot keep it from all others by
their number. A job is long once it has been worked on for a turn (a second), and from its beginning where its pictures or
its text are large, or where the last one of its client was slow or had to be put back. With one worker there is no spare
process, and clients only take turns. Nothing here waits or looks at a clock.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import TypeVar

from evpv.server.jobs import Reply

TURN_S = 1.0
"""How long a job is worked on before it counts as long: what others wait at most."""
_SLOW_S = 3.0
"""How long a job takes that speaks against the next of its kind: a busy machine makes a second of many a short one."""
_LARGE_PIXELS = 4_000_000
_LARGE_TEXT = 200_000
_LITTLE_TEXT = 20_000
_MOST_CLIENTS = 10_000

_Kind = tuple[str, bool]
_Line = tuple[bool, bool]
_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


@dataclass(slots=True, eq=False, kw_only=True)
class Job:
    """A message, who sent it (a key's name, or an address), and how many pixels its pictures have."""

    client: str
    pixels: int
    message: bytes
    answer: asyncio.Future[Reply]
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    number: int = 0
    attempts: int = 0
    is_long: bool = False
    is_put_back: bool = False

    @property
    def kind(self) -> _Kind:
        """Jobs that are likely to take as long as each other: a client's with pictures, and those without."""
        return self.client, self.pixels > 0


@dataclass(slots=True, kw_only=True)
class Lanes:
    """The jobs that wait for a process, and those that are worked on, in the order of their beginning."""

    workers: int
    waiting: dict[int, Job] = field(default_factory=dict)
    running: dict[int, Job] = field(default_factory=dict)
    _held: Counter[str] = field(default_factory=Counter)
    _numbers: Iterator[int] = field(default_factory=count)
    _turns: Iterator[int] = field(default_factory=lambda: count(1))
    _last_turns: dict[str, int] = field(default_factory=dict)
    _was_slow: dict[_Kind, bool] = field(default_factory=dict)
    _line_turns: dict[_Line, int] = field(default_factory=dict)

    @property
    def processes(self) -> int:
        """So many are needed: one for each worker, and one to spare where there is more than one."""
        return self.workers + self._spare

    def add(self, job: Job) -> None:
        job.number = next(self._numbers)
        is_large = job.pixels > _LARGE_PIXELS or len(job.message) > _LARGE_TEXT
        job.is_long = is_large or self._was_slow.get(job.kind, False)
        self.waiting[job.number] = job

    def add_again(self, job: Job) -> None:
        """Have a job wait whose process has gone: before others, because it has waited already."""
        self.waiting[job.number] = job

    def begin_next(self, free: int) -> Job | None:
        """The next job for one of so many free processes, running and holding it from now on; None where none may be begun."""
        allowed = [job for job in self.waiting.values() if self._may_begin(job, free)]
        if not allowed:
            return None
        is_contested = free <= self._spare
        if is_contested:  # the last process is wanted: first is whose line's turn was longest ago, then as everywhere
            job = min(allowed, key=lambda one: (self._line_turns.get(self._line(one), 0), self._place(one)))
        else:
            job = min(allowed, key=self._place)
        turn = next(self._turns)
        _remember(self._last_turns, job.client, turn)
        if is_contested:
            self._line_turns[self._line(job)] = turn
        self._held[job.client] += 1
        self.running[job.number] = self.waiting.pop(job.number)
        return job

    def end_turn(self, job: Job) -> None:
        job.is_long = True

    def stop(self, job: Job, *, taken_s: float) -> None:
        """A job is no longer worked on; if that was slow, the next of its kind is taken for long. Its process is still held."""
        gave_way = self.running.pop(job.number, None) is None and job.is_put_back
        _remember(self._was_slow, job.kind, gave_way or taken_s >= _SLOW_S)

    def release(self, client: str) -> None:
        """A process that this client held is free, or its own no more."""
        self._held[client] -= 1
        if not self._held[client]:
            del self._held[client]

    def put_back(self, free: int) -> Job | None:
        """The job that goes, if one must: for a newcomer that waits, or for the next where all processes have long jobs.

        It then no longer runs. Whoever holds no more than a newcomer would gives way to a short job alone; and none goes
        while a process is being started, which the newcomer will have.
        """
        is_one_started = free + len(self.running) < self.processes
        # the long job, begun last, of whoever holds most; one that was put back is left in peace
        movable = [job for job in reversed(self.running.values()) if job.is_long and not job.is_put_back]
        if not self._spare or is_one_started or not movable:
            return None
        job = max(movable, key=lambda job: self._held[job.client])
        has_several = self._held[job.client] > 1
        newcomers = [job for job in self.waiting.values() if not self._held[job.client]]
        is_full = free == 0 and _all_long(self.running.values())
        if (has_several and (newcomers or is_full)) or not _all_long(newcomers):
            job.is_put_back = True
            return self.running.pop(job.number)
        return None

    def crowding_job(self, client: str) -> Job | None:
        """What gives way in a full queue: the newest job of whoever has most waiting, if that is more than this client would have."""
        counts = Counter(job.client for job in self.waiting.values())
        if not counts:
            return None
        most = max(counts, key=lambda other: counts[other])
        if counts[most] <= counts[client] + 1:
            return None
        return max((job for job in self.waiting.values() if job.client == most), key=lambda job: job.number)

    @property
    def _spare(self) -> int:
        return int(self.workers > 1)

    def _may_begin(self, job: Job, free: int) -> bool:
        if free > self._spare:
            return True
        if free == 0 or self._held[job.client]:
            return False
        return not job.is_long or (not job.is_put_back and max(self._held.values(), default=0) > 1)

    def _place(self, job: Job) -> tuple[int, bool, int, int]:
        """Who holds least is first, then whose process was killed, then whose turn was longest ago."""
        is_retried = job.attempts > 0 and not job.is_put_back
        return self._held[job.client], not is_retried, self._last_turns.get(job.client, 0), job.number

    def _line(self, job: Job) -> _Line:
        """Newcomers stand in four lines: known to be quick or not known, with little to read or with more."""
        has_little = not job.pixels and len(job.message) <= _LITTLE_TEXT
        return self._was_slow.get(job.kind) is False, has_little


def _all_long(jobs: Iterable[Job]) -> bool:
    return all(job.is_long for job in jobs)


def _remember(remembered: dict[_Key, _Value], key: _Key, value: _Value) -> None:
    """Keep a value as the newest; strangers do not make memory grow."""
    remembered.pop(key, None)
    remembered[key] = value
    if len(remembered) > _MOST_CLIENTS:
        del remembered[next(iter(remembered))]
