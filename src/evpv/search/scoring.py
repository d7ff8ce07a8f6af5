"""Solutions, whole or begun, scored for one problem: its picture is read once, its costs are summed once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from evpv.backends.ledger import usage_to_json
from evpv.pipeline import Pipeline
from evpv.types import Candidate, Extraction, Problem, Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownExtraction:
    """An extractor that has looked already."""

    extraction: Extraction
    version: str

    def extract(self, problems: Sequence[Problem]) -> list[Extraction]:
        return [self.extraction for _ in problems]


class Scorer:
    """Traces of any solutions of one problem."""

    def __init__(self, pipeline: Pipeline, problem: Problem) -> None:
        self.problem = replace(problem, candidates=())
        self._ledger = pipeline.ledger
        [extraction] = pipeline.extractor.extract([self.problem])
        known = KnownExtraction(extraction=extraction, version=pipeline.extractor.version)
        # Without the ledger, which would hand out a problem's costs at every scoring: `finished` takes them all.
        self._pipeline = replace(pipeline, extractor=known, ledger=None)

    def trace(self, solutions: Sequence[Candidate]) -> Trace:
        """The solutions assessed, with ids by their place; earlier ones come first where scores tie."""
        digits = len(str(len(solutions)))
        named = tuple(replace(one, id=str(place).zfill(digits)) for place, one in enumerate(solutions, start=1))
        return self.trace_as_named(named)

    def trace_as_named(self, solutions: Sequence[Candidate]) -> Trace:
        """The solutions assessed under the ids they have."""
        return self._pipeline.traces([replace(self.problem, candidates=tuple(solutions))])[0]

    def finished(self, trace: Trace, story: dict[str, Any]) -> Trace:
        """The search's trace: how it went, and all that it cost."""
        stages = self._ledger.take(self.problem.id) if self._ledger is not None else {}
        cost = {**trace.cost, "stages": usage_to_json(stages)} if stages else trace.cost
        return replace(trace, cost=cost, search=story)
