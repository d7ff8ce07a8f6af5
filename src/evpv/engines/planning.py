"""What is to be done: the problems of a file that have no trace yet, those of one image together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from evpv.records.problems import Place
from evpv.types import Problem

Job: TypeAlias = tuple[Place, ...]
"""Problems that one worker does, one after another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """A problem that is done with: its trace is stored, or `failure` says why there is none."""

    problem_id: str
    failure: str | None = None


def groups_of_one_image(
    problems: Iterable[tuple[Place, Problem]], wanted: Callable[[str], bool], last: Collection[str] = ()
) -> list[Job]:
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


def jobs_of(groups: Sequence[Job], size: int) -> Iterator[Job]:
    """Groups put together until a job has `size` problems: large enough not to be all coming and going."""
    job: list[Place] = []
    for group in groups:
        job.extend(group)
        if len(job) >= size:
            yield tuple(job)
            job = []
    if job:
        yield tuple(job)
