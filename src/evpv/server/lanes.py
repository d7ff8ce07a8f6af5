"""Which job is next: clients take turns, and long jobs leave one worker to short ones.

A job is long once it has been worked on for a turn (a second), and from its beginning where its pictures or its text are
large, or where the last one of its client was slow. Long jobs may hold every worker as long as nothing short comes. When
something does, a long job is put back, at most once each: of whoever has most jobs here the one that was begun last; and
for a while the last worker is kept for short jobs. So who asks for little waits a turn at most for somebody else, whatever
that one sends. With one worker there is none to keep, and jobs only take turns. Nothing here waits or looks at a clock.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from evpv.server.jobs import Reply

TURN_S = 1.0
"""How long a job is worked on before it counts as long: what others wait at most."""
_SLOW_S = 3.0
"""How long a job takes that speaks against the next of its kind: a busy machine makes a second of many a short one."""
_KEEP_S = 10.0
"""How long the last worker is kept after a short job came: several times what it takes to start another process."""
_LARGE_PIXELS = 4_000_000
_LARGE_TEXT = 200_000
_MOST_CLIENTS = 10_000


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
    def kind(self) -> tuple[str, bool]:
        """Jobs that are likely to take as long as each other: a client's with pictures, and those without."""
        return self.client, self.pixels > 0


@dataclass(slots=True, kw_only=True)
class Lanes:
    """The jobs that wait for one of so many workers, and those that are worked on, in the order of their beginning."""

    workers: int
    waiting: dict[int, Job] = field(default_factory=dict)
    running: dict[int, Job] = field(default_factory=dict)
    _numbers: Iterator[int] = field(default_factory=count)
    _turns: Iterator[int] = field(default_factory=lambda: count(1))
    _last_turns: dict[str, int] = field(default_factory=dict)
    _slow_kinds: dict[tuple[str, bool], None] = field(default_factory=dict)
    _kept_until: float = float("-inf")

    def add(self, job: Job, now: float) -> None:
        """Have a new job wait."""
        job.number = next(self._numbers)
        job.is_long = (
            job.pixels > _LARGE_PIXELS or len(job.message) > _LARGE_TEXT or job.kind in self._slow_kinds
        )  # fmt: skip
        if not job.is_long:
            self._kept_until = now + _KEEP_S
        self.waiting[job.number] = job

    def add_again(self, job: Job) -> None:
        """Have a job wait whose worker has gone: before all others, because it has waited already."""
        self.waiting[job.number] = job

    def begin_next(self, now: float) -> Job | None:
        """The next job, which counts as running from now on; None where none may be begun."""
        allowed = [job for job in self.waiting.values() if self._may_begin(job, now)]
        if not allowed:
            return None
        job = min(allowed, key=lambda job: (not job.attempts, self._last_turns.get(job.client, 0), job.number))
        self._last_turns.pop(job.client, None)
        self._last_turns[job.client] = next(self._turns)
        if len(self._last_turns) > _MOST_CLIENTS:
            del self._last_turns[next(iter(self._last_turns))]
        self.running[job.number] = self.waiting.pop(job.number)
        return job

    def end_turn(self, job: Job) -> None:
        """A running job has had its turn: it is long, and the next of its kind will be taken for long."""
        job.is_long = True
        self._slow_kinds[job.kind] = None
        if len(self._slow_kinds) > _MOST_CLIENTS:
            del self._slow_kinds[next(iter(self._slow_kinds))]

    def finish(self, job: Job, *, taken_s: float) -> None:
        """A job has been done; if it was nearly within its turn, the next of its kind is not taken for long."""
        if taken_s < _SLOW_S:
            self._slow_kinds.pop(job.kind, None)

    def put_back(self) -> Job | None:
        """The job that must go so that a short one can be begun, if there is any; it then no longer runs."""
        if not self._short_waits() or len(self.running) < self.workers or self._long_running() <= self._most_long:
            return None
        counts = Counter(job.client for jobs in (self.waiting, self.running) for job in jobs.values())
        movable = [job for job in reversed(self.running.values()) if job.is_long and not job.is_put_back]
        job = max(movable, key=lambda job: counts[job.client])
        job.is_put_back = True
        del self.running[job.number]
        return job

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
    def _most_long(self) -> int:
        """So many long jobs are worked on without being disturbed."""
        return max(self.workers - 1, 1)

    def _may_begin(self, job: Job, now: float) -> bool:
        if len(self.running) >= self.workers:
            return False
        if not job.is_long or self._long_running() < self._most_long:
            return True
        return not job.is_put_back and now >= self._kept_until and not self._short_waits()

    def _long_running(self) -> int:
        return sum(job.is_long for job in self.running.values())

    def _short_waits(self) -> bool:
        return any(not job.is_long for job in self.waiting.values())
