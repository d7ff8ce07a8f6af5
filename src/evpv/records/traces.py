"""Traces as JSON lines: what was seen, claimed and judged, and everything that followed from it.

In a step the match lies flat (`type`, `verdict`, `support`, `constraint`, `explanation`) and is null without a claim.
Floats are written so that reading gives the same bits: a stored trace is assessed again, not approximated.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

from pydantic import ConfigDict, Field, TypeAdapter, model_validator

from evpv.errors import RecordError
from evpv.records.constraints import ConstraintForm, constraints_to_json
from evpv.records.lines import (
    MAX_LINE_BYTES,
    JsonObject,
    parse_object,
    with_extra,
    write_records,
)
from evpv.records.validation import Form, Identifier, validated
from evpv.types import CandidateTrace, ClaimSource, ClaimType, Match, Ranking, StepTrace, Trace, VerdictName

TRACES_FILE = "traces.jsonl"
Index = Annotated[int, Field(ge=0)]


class StepTraceForm(Form):
    """A step with all that was found out about it."""

    text: str
    claim: str | None
    claim_from: ClaimSource
    type: ClaimType | None
    verdict: VerdictName | None
    support: float | None
    constraint: Index | None
    explanation: str | None
    base_reward: float | None
    gate: float | None
    reward: float | None
    reliability: float | None = None
    uses: list[Index] = Field(default_factory=list)

    @model_validator(mode="after")
    def _match_is_whole(self) -> StepTraceForm:
        given = [part is not None for part in (self.type, self.verdict, self.support, self.explanation)]
        if any(given) and not all(given):
            raise ValueError("type, verdict, support and explanation must be given together or be null together")
        if self.verdict is None and self.constraint is not None:
            raise ValueError("constraint must be null where verdict is")
        if self.claim is None and (self.verdict is not None or self.gate is not None):
            raise ValueError("verdict and gate must be null where there is no claim")
        return self

    def to_step(self) -> StepTrace:
        return StepTrace(
            text=self.text,
            claim=self.claim,
            claim_from=self.claim_from,
            match=self._match(),
            base_reward=self.base_reward,
            gate=self.gate,
            reward=self.reward,
            reliability=self.reliability,
            uses=tuple(self.uses),
            extra=self.extra,
        )

    def _match(self) -> Match | None:
        if self.type is None or self.verdict is None or self.support is None or self.explanation is None:
            return None
        return Match(
            type=self.type,
            verdict=self.verdict,
            support=self.support,
            constraint=self.constraint,
            explanation=self.explanation,
        )


class CandidateTraceForm(Form):
    """A candidate with its steps' traces, its reliability and its score."""

    id: Identifier
    final_answer: str | None
    reliability: float
    score: float
    steps: list[StepTraceForm]

    @model_validator(mode="after")
    def _uses_look_back(self) -> CandidateTraceForm:
        for index, step in enumerate(self.steps):
            if any(used >= index for used in step.uses):
                raise ValueError(f"steps[{index}].uses must name earlier steps, counted from 0")
        return self

    def to_candidate(self) -> CandidateTrace:
        return CandidateTrace(
            id=self.id,
            final_answer=self.final_answer,
            reliability=self.reliability,
            score=self.score,
            steps=tuple(step.to_step() for step in self.steps),
            extra=self.extra,
        )


class RankingForm(Form):
    """The candidates in order; `best` lists all that tie for first."""

    model_config = ConfigDict(extra="forbid")

    select: str
    best: list[str]
    order: list[str]
    values: dict[str, float]

    def to_ranking(self) -> Ranking:
        return Ranking(select=self.select, best=tuple(self.best), order=tuple(self.order), values=self.values)


class TraceForm(Form):
    """One problem assessed."""

    problem_id: Identifier
    question: str = ""
    constraints: list[ConstraintForm]
    cost: dict[str, Any] = Field(default_factory=dict)
    candidates: list[CandidateTraceForm]
    ranking: RankingForm

    @model_validator(mode="after")
    def _constraints_exist(self) -> TraceForm:
        count = len(self.constraints)
        for place, candidate in enumerate(self.candidates):
            for index, step in enumerate(candidate.steps):
                if step.constraint is not None and step.constraint >= count:
                    where = f"candidates[{place}].steps[{index}].constraint"
                    raise ValueError(f"{where} is {step.constraint}, but there are {count} constraints, from 0")
        return self


TRACE = TypeAdapter(TraceForm)


def trace_from_json(record: Any) -> Trace:
    """A trace from its JSON object."""
    form = validated(TRACE, record)
    return Trace(
        problem_id=form.problem_id,
        question=form.question,
        constraints=tuple(constraint.to_constraint() for constraint in form.constraints),
        candidates=tuple(candidate.to_candidate() for candidate in form.candidates),
        ranking=form.ranking.to_ranking(),
        cost=form.cost,
        extra=form.extra,
    )


def trace_to_json(trace: Trace) -> JsonObject:
    """A trace as its JSON object."""
    known = {
        "problem_id": trace.problem_id,
        "question": trace.question,
        "constraints": constraints_to_json(trace.constraints),
        "cost": dict(trace.cost),
        "candidates": [_candidate_to_json(candidate) for candidate in trace.candidates],
        "ranking": {
            "select": trace.ranking.select,
            "best": list(trace.ranking.best),
            "order": list(trace.ranking.order),
            "values": dict(trace.ranking.values),
        },
    }
    return with_extra(known, trace.extra)


def write_traces(path: str | Path, traces: Iterable[Trace]) -> int:
    """Write traces, replacing the file, and return how many; runs append instead, with a `RunWriter`."""
    return write_records(path, (trace_to_json(trace) for trace in traces))


def is_torn(raw: bytes) -> bool:
    """Whether a line was cut off while it was written: it has no end, and is not a JSON object as it stands."""
    if raw.endswith(b"\n") or len(raw) > MAX_LINE_BYTES:
        return False
    try:
        parse_object(raw)
    except RecordError:
        return True
    return False


def _candidate_to_json(candidate: CandidateTrace) -> JsonObject:
    known = {
        "id": candidate.id,
        "final_answer": candidate.final_answer,
        "reliability": candidate.reliability,
        "score": candidate.score,
        "steps": [_step_to_json(step) for step in candidate.steps],
    }
    return with_extra(known, candidate.extra)


def _step_to_json(step: StepTrace) -> JsonObject:
    match = step.match
    known: JsonObject = {
        "text": step.text,
        "claim": step.claim,
        "claim_from": step.claim_from,
        "type": match.type if match else None,
        "verdict": match.verdict if match else None,
        "support": match.support if match else None,
        "constraint": match.constraint if match else None,
        "explanation": match.explanation if match else None,
        "base_reward": step.base_reward,
        "gate": step.gate,
        "reward": step.reward,
    }
    if step.reliability is not None:
        known["reliability"] = step.reliability
    if step.uses:
        known["uses"] = list(step.uses)
    return with_extra(known, step.extra, reserved=("reliability", "uses"))
