"""What is to be done and what a worker does of it, whichever engine started it.

The problems of a file that have no trace yet, those of one image together; a worker builds its own pipeline from the recipe and
makes lines of problems.
"""

from __future__ import annotations

import errno
import pickle
import traceback
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from evpv.assembly import build
from evpv.config import Recipe
from evpv.errors import BudgetError, ConfigError, EvpvError
from evpv.pipeline import Pipeline
from evpv.records.problems import Place, read_placed
from evpv.records.trace_files import TraceLine, trace_line
from evpv.types import Problem
from evpv.workers.child import Channel

Batch: TypeAlias = tuple[Place, ...]
"""Problems that one worker does, one after another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """A problem that is done with: its trace is stored, or `failure` says why there is none."""

    problem_id: str
    failure: str | None = None


def groups_of_one_image(
    problems: Iterable[tuple[Place, Problem]], wanted: Callable[[str], bool], last: Collection[str] = ()
) -> list[Batch]:
    """The wanted problems, grouped by their images, in the order in which each image comes first.

    A group is never divided among workers, so an image is read by one of them, and the others that ask about it find
    what was read in the cache. Groups with a problem of `last`, which failed before, come after all others: what is new
    is not kept waiting by them.
    """
    groups: dict[object, list[Place]] = {}
    for place, problem in problems:
        if wanted(problem.id):
            groups.setdefault(problem.images or place.line, []).append(place)
    found = [tuple(group) for group in groups.values()]
    return sorted(found, key=lambda group: any(place.problem_id in last for place in group))


def jobs_of(groups: Sequence[Batch], size: int) -> Iterator[Batch]:
    """Groups put together until a job has `size` problems: large enough not to be all coming and going."""
    job: list[Place] = []
    for group in groups:
        job.extend(group)
        if len(job) >= size:
            yield tuple(job)
            job = []
    if job:
        yield tuple(job)


_LONGEST_REASON = 2_000
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOrder:
    """What all workers of a run are told: the recipe, the file of problems, and the folder of the run."""

    recipe: Recipe
    problems: str
    folder: str

    @property
    def at_once(self) -> int:
        """How many problems go through the pipeline together: models are asked many questions at a time, else one by one."""
        return 16 if self.recipe.backends else 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """The pipeline is built."""

    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """The next traces of the job."""

    lines: list[TraceLine]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Broke:
    """The worker ends because of the problem it was at, or with `error` because none can be done any more."""

    reason: str
    error: EvpvError | None = None


Message: TypeAlias = Ready | Made | _Broke


def make_traces(channel: Channel) -> None:
    """A worker process's whole life: build, then do jobs until the engine is gone. It ends with the first that fails."""
    pipeline: Pipeline | None = None
    try:
        order: RunOrder = pickle.loads(channel.receive())
        pipeline = build(order.recipe)
        channel.send(pickle.dumps(Ready(version=pipeline.version)))
        for message in channel.messages():
            job: Batch = pickle.loads(message)
            for start in range(0, len(job), order.at_once):
                traces = pipeline.traces(list(read_placed(order.problems, job[start : start + order.at_once])))
                channel.send(pickle.dumps(Made(lines=[trace_line(trace, order.folder) for trace in traces])))
    except BaseException as error:
        traceback.print_exc()  # before the engine hears of it: hearing, it kills what is left of this process
        ending = _end_of_all(error, is_built=pipeline is not None)
        channel.send(pickle.dumps(_Broke(reason=f"{type(error).__name__}: {error}"[:_LONGEST_REASON], error=ending)))
        raise SystemExit(1) from error


def _end_of_all(error: BaseException, *, is_built: bool) -> EvpvError | None:
    """What would end every other problem too: no money, no room, or a recipe that cannot be built."""
    if isinstance(error, OSError) and error.errno in _NO_ROOM:
        return EvpvError(f"{error.filename or 'a file'} cannot be written: {error.strerror}")
    if isinstance(error, BudgetError | ConfigError):
        return error
    return EvpvError(str(error)) if isinstance(error, EvpvError) and not is_built else None
