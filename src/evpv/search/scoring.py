"""Solutions, whole or begun, scored for one problem: its picture is read once, its costs are summed once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from evpv.backends.ledger import usage_to_json
from evpv.pipeline import Pipeline
from evpv.protocols import ChatBackend, ChatReply, ChatRequest
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
        # Without the ledger, which would hand out a problem's costs at every scoring: `close_trace` takes them all.
        self._pipeline = replace(pipeline, extractor=known, ledger=None)

    def trace(self, solutions: Sequence[Candidate]) -> Trace:
        """The solutions assessed, with ids by their place; earlier ones come first where scores tie."""
        digits = len(str(len(solutions)))
        named = tuple(replace(one, id=str(place).zfill(digits)) for place, one in enumerate(solutions, start=1))
        return self.trace_as_named(named)

    def trace_as_named(self, solutions: Sequence[Candidate]) -> Trace:
        """The solutions assessed under the ids they have."""
        return self._pipeline.traces([replace(self.problem, candidates=tuple(solutions))])[0]

    def close_trace(self, trace: Trace, story: dict[str, Any]) -> Trace:
        """The search's trace: how it went, and all that it cost."""
        stages = self._ledger.take(self.problem.id) if self._ledger is not None else {}
        cost = {**trace.cost, "stages": usage_to_json(stages)} if stages else trace.cost
        return replace(trace, cost=cost, search=story)


_NONE_LEFT = "the search has no calls left"


class CallLimit:
    """A backend for one search that remembers what it was answered and asks at most `most` questions.

    A question that a store answers counts like any other, so that a search which is taken up again ends where it would
    have ended. What comes after the last call is a failed reply, as a silent server's would be.
    """

    def __init__(self, backend: ChatBackend, most: int) -> None:
        self._backend = backend
        self._most = most
        self._replies: dict[ChatRequest, ChatReply] = {}

    @property
    def name(self) -> str:
        return self._backend.name

    @property
    def calls_used(self) -> int:
        """How many questions were put."""
        return len(self._replies)

    @property
    def spent(self) -> bool:
        """Whether nothing more can be asked."""
        return self.calls_used >= self._most

    def ask(self, requests: Sequence[ChatRequest]) -> list[ChatReply]:
        """One reply per request, in order; the first that are new are asked, as far as the limit goes."""
        new = [request for request in dict.fromkeys(requests) if request not in self._replies]
        granted = new[: self._most - self.calls_used]
        if granted:
            self._replies |= zip(granted, self._backend.ask(granted), strict=True)
        silence = ChatReply(text=None, problem=_NONE_LEFT)
        return [self._replies.get(request, silence) for request in requests]
