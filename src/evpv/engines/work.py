"""What a worker does, whichever engine started it: builds its own pipeline from the recipe, and makes lines of problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from evpv.assembly import build
from evpv.config import Recipe
from evpv.errors import EvpvError
from evpv.records.problems import Place, read_placed
from evpv.records.trace_files import TraceLine, trace_line


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
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
class Broke:
    """The worker ends because of the problem it was at, or with `error` because none can be done any more."""

    reason: str
    error: EvpvError | None = None


Message: TypeAlias = Ready | Made | Broke


class Worker:
    """One pipeline, in one process."""

    def __init__(self, order: Order) -> None:
        self._order = order
        self._pipeline = build(in_one_process(order.recipe))

    @property
    def version(self) -> str:
        """What decides the answers of the parts; it must be the same on every machine of a run."""
        return self._pipeline.version

    def lines(self, places: Sequence[Place]) -> list[TraceLine]:
        """The traces of these problems, as lines."""
        problems = list(read_placed(self._order.problems, places))
        traces = self._pipeline.traces(problems)
        return [trace_line(trace, self._order.folder) for trace in traces]


def in_one_process(recipe: Recipe) -> Recipe:
    """The recipe with an extractor that starts no processes of its own: the engine's are the ones that share the work."""
    settings = {name: value for name, value in recipe.extractor.settings.items() if name != "workers"}
    return replace(recipe, extractor=replace(recipe.extractor, settings=settings))
