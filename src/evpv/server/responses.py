"""What the service answers: the dataclasses that workers fill, the codecs that write them and stand in its OpenAPI document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from evpv.records.codec import Codec
from evpv.records.constraints import CONSTRAINT
from evpv.records.traces import MATCH, TRACE_CODEC
from evpv.types import CandidateTrace, Constraint, Extra, Extraction, Match, Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class StepEvidence:
    """One step, what it claims to see, and what the figure says to that; `constraint` is the fact that decided."""

    text: str
    claim: str | None
    match: Match | None
    constraint: Constraint | None
    judge: str | None
    base_reward: float | None
    gate: float | None
    reward: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreReasons:
    """Why a candidate has its score; `reliability` is null where nothing was checked."""

    final_answer: str | None
    reliability: float | None
    steps: tuple[StepEvidence, ...]

    @classmethod
    def of(cls, candidate: CandidateTrace, trace: Trace) -> ScoreReasons:
        steps = []
        for step in candidate.steps:
            decided = None if step.match is None else step.match.constraint
            made = StepEvidence(
                text=step.text, claim=step.claim, match=step.match,
                constraint=None if decided is None else trace.constraints[decided],
                judge=step.judgement.explanation or None, base_reward=step.base_reward, gate=step.gate,
                reward=step.reward,
            )  # fmt: skip
            steps.append(made)
        return cls(final_answer=candidate.final_answer, reliability=candidate.reliability, steps=tuple(steps))


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedDocument:
    """One candidate in its place; `index` is its place in the request's documents, from 0."""

    index: int
    relevance_score: float
    document: Extra | None = None
    evidence: ScoreReasons


@dataclass(frozen=True, slots=True, kw_only=True)
class RerankAnswer:
    """The candidates in order, the best first; `model` is the server's recipe."""

    id: str
    model: str
    results: tuple[RankedDocument, ...]
    usage: Mapping[str, int]
    meta: Extra


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimMatch:
    """A claim, and what the constraints say of it."""

    claim: str
    match: Match


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchAnswer:
    """One match per claim, in order."""

    matches: tuple[ClaimMatch, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """Whether the service is there, and whether it can take work."""

    status: str
    workers: int
    running: int
    waiting: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Why a request was not answered."""

    message: str
    field: str | None = None
    request_id: str


def _match_beside_its_fact(**deciding: Any) -> Match | None:
    return None if deciding["verdict"] is None else Match(**deciding)


_STEP = Codec(
    kind=StepEvidence,
    parts={"match": replace(MATCH, omitted=("constraint",), build=_match_beside_its_fact)},
    nested={"constraint": CONSTRAINT},
)
_RESULT = Codec(kind=RankedDocument, nested={"evidence": Codec(kind=ScoreReasons, nested={"steps": _STEP})})
RERANK = Codec(kind=RerankAnswer, nested={"results": _RESULT})
TRACE = TRACE_CODEC
EXTRACT = Codec(
    kind=Extraction, name="ExtractAnswer", nested={"constraints": CONSTRAINT}, omitted=("unread", "answered"),
    required=("constraints", "kind", "problem", "cost"),
)  # fmt: skip
MATCHES = Codec(kind=MatchAnswer, nested={"matches": Codec(kind=ClaimMatch, parts={"match": MATCH})})
