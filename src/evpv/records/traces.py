"""Traces as JSON: what was seen, claimed and judged, and everything that followed from it. One place, both ways.

In a step the match lies flat (`type`, `verdict`, `support`, `constraint`, `explanation`, `assertions`) and is null
without a claim; so does the judgement (`base_reward`, `judge` its words, `judged` its facts). Floats are written so that
reading gives the same bits: a stored trace is assessed again, not approximated. Traces of format 1 are read as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, TypeAdapter, model_validator

from evpv.records.candidates import CANDIDATE_FIELDS, STEP_FIELDS, StepForm, candidate_facts, stated_fields
from evpv.records.constraints import ConstraintForm, constraints_to_json
from evpv.records.lines import JsonObject, with_extra, write_records
from evpv.records.problems import PROBLEM_FIELDS, QuestionForm, question_to_json, run_images, with_own_names
from evpv.records.revisions import RevisionForm
from evpv.records.validation import Form, Identifier, validate
from evpv.types import (
    AssertionMatch,
    Candidate,
    CandidateTrace,
    ClaimSource,
    ClaimType,
    Extraction,
    Match,
    Ranking,
    StepJudgement,
    StepTrace,
    Trace,
    VerdictName,
)

TRACES_FILE = "traces.jsonl"
TRACE_FORMAT = 2
_Index = Annotated[int, Field(ge=0)]


class AssertionForm(Form):
    """What the constraints say of one assertion of a claim; `span` is where it stands in the claim."""

    model_config = ConfigDict(extra="forbid")

    span: Annotated[list[_Index], Field(min_length=2, max_length=2)]
    form: str
    verdict: VerdictName
    support: float
    constraint: _Index | None = None
    explanation: str = ""


class MatchForm(Form):
    """What the constraints say of a claim; all null without one."""

    type: ClaimType | None
    verdict: VerdictName | None
    support: float | None
    constraint: _Index | None
    explanation: str | None
    assertions: list[AssertionForm] = Field(default_factory=list)

    @model_validator(mode="after")
    def _match_is_whole(self) -> MatchForm:
        given = [part is not None for part in (self.type, self.verdict, self.support, self.explanation)]
        if any(given) and not all(given):
            raise ValueError("type, verdict, support and explanation must be given together or be null together")
        if self.verdict is None and self.constraint is not None:
            raise ValueError("constraint must be null where verdict is")
        return self

    def to_match(self) -> Match | None:
        if self.type is None or self.verdict is None or self.support is None or self.explanation is None:
            return None
        return Match(
            type=self.type,
            verdict=self.verdict,
            support=self.support,
            constraint=self.constraint,
            explanation=self.explanation,
            assertions=tuple(_assertion(one) for one in self.assertions),
        )

    def indices(self) -> Iterable[int]:
        """The constraints that are named here."""
        return (i for i in (self.constraint, *(one.constraint for one in self.assertions)) if i is not None)


class StepTraceForm(StepForm, MatchForm):
    """A step with all that was found out about it."""

    claim: str | None
    claim_from: ClaimSource
    base_reward: float | None
    gate: float | None
    reward: float | None
    reliability: float | None = None
    uses: list[_Index] = Field(default_factory=list)
    judge: str = ""
    judged: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _claim_has_a_match(self) -> StepTraceForm:
        if self.claim is None and (self.verdict is not None or self.gate is not None):
            raise ValueError("verdict and gate must be null where there is no claim")
        return self

    def to_trace(self) -> StepTrace:
        return StepTrace(
            step=self.as_stated(),
            match=self.to_match(),
            judgement=StepJudgement(reward=self.base_reward, explanation=self.judge, facts=self.judged),
            gate=self.gate,
            reward=self.reward,
            reliability=self.reliability,
            uses=tuple(self.uses),
        )


class CandidateTraceForm(Form):
    """A candidate with its steps' traces, its reliability and its score."""

    id: Identifier
    final_answer: str | None
    correct: bool | None = None
    policy_model: str | None = None
    revisions: list[RevisionForm] = Field(default_factory=list)
    reliability: float | None
    score: float
    steps: list[StepTraceForm]

    @model_validator(mode="after")
    def _uses_look_back(self) -> CandidateTraceForm:
        for index, step in enumerate(self.steps):
            if any(used >= index for used in step.uses):
                raise ValueError(f"steps[{index}].uses must name earlier steps, counted from 0")
        return self

    def to_trace(self) -> CandidateTrace:
        steps = tuple(step.to_trace() for step in self.steps)
        candidate = Candidate(
            id=self.id,
            steps=tuple(one.step for one in steps),
            final_answer=self.final_answer,
            correct=self.correct,
            policy_model=self.policy_model,
            revisions=tuple(one.to_revision() for one in self.revisions),
            extra=self.extra,
        )
        return CandidateTrace(candidate=candidate, reliability=self.reliability, score=self.score, steps=steps)


class RankingForm(Form):
    """The candidates in order; `best` lists all that tie for first, `tied` says that they do not give one answer."""

    model_config = ConfigDict(extra="forbid")

    select: str
    best: list[str]
    order: list[str]
    values: dict[str, float]
    tied: bool

    def to_ranking(self) -> Ranking:
        return Ranking(
            select=self.select,
            best=tuple(self.best),
            order=tuple(self.order),
            values=self.values,
            tied=self.tied,
        )


class ExtractionForm(Form):
    """What was made of the picture: its kind, why nothing was read, and what could not be."""

    model_config = ConfigDict(extra="forbid")

    kind: str | None = None
    problem: str | None = None
    unread: list[str] = Field(default_factory=list)


class TraceForm(Form):
    """One problem assessed."""

    format: Literal[2]
    problem_id: Identifier
    digest: str | None = None
    problem: QuestionForm
    extraction: ExtractionForm
    constraints: list[ConstraintForm]
    cost: dict[str, Any] = Field(default_factory=dict)
    judging: dict[str, Any] = Field(default_factory=dict)
    search: dict[str, Any] = Field(default_factory=dict)
    candidates: list[CandidateTraceForm]
    ranking: RankingForm

    @model_validator(mode="after")
    def _constraints_exist(self) -> TraceForm:
        count = len(self.constraints)
        for place, candidate in enumerate(self.candidates):
            for index, step in enumerate(candidate.steps):
                for named in step.indices():
                    if named >= count:
                        where = f"candidates[{place}].steps[{index}].constraint"
                        raise ValueError(f"{where} is {named}, but there are {count} constraints, from 0")
        return self


_MATCH = TypeAdapter(MatchForm)
TRACE = TypeAdapter(TraceForm)


def trace_from_json(record: Any, *, folder: str | None = None) -> Trace:
    """A trace from its JSON object, of this format or the one before; its images are joined to `folder`."""
    form = validate(TRACE, _upgrade(record))
    candidates = tuple(candidate.to_trace() for candidate in form.candidates)
    problem = form.problem.to_problem(
        form.problem_id, tuple(one.candidate for one in candidates), form.problem.extra, folder
    )
    return Trace(
        problem=problem,
        extraction=Extraction(
            constraints=tuple(constraint.to_constraint() for constraint in form.constraints),
            kind=form.extraction.kind,
            problem=form.extraction.problem,
            unread=tuple(form.extraction.unread),
        ),
        candidates=candidates,
        ranking=form.ranking.to_ranking(),
        digest=form.digest,
        judging=form.judging,
        search=form.search,
        cost=form.cost,
        extra=form.extra,
    )


def trace_to_json(trace: Trace, *, folder: str | None = None) -> JsonObject:
    """A trace as its JSON object, its images named from `folder`; without one as they are named."""
    known: JsonObject = {
        "format": TRACE_FORMAT,
        "problem_id": trace.problem.id,
        "digest": trace.digest,
        "problem": question_to_json(trace.problem, run_images(trace.problem, folder)),
        "extraction": {
            "kind": trace.extraction.kind,
            "problem": trace.extraction.problem,
            "unread": list(trace.extraction.unread),
        },
        "constraints": constraints_to_json(trace.extraction.constraints),
        "cost": dict(trace.cost),
        "candidates": [_candidate_to_json(candidate) for candidate in trace.candidates],
        "ranking": _ranking_to_json(trace.ranking),
    }
    for name, told in (("judging", trace.judging), ("search", trace.search)):
        if told:
            known[name] = dict(told)
    return with_extra(known, trace.extra, reserved=("judging", "search"))


def match_from_json(record: Any) -> Match | None:
    """A match from its JSON object; None where it says that there was no claim."""
    return validate(_MATCH, record).to_match()


def match_to_json(match: Match | None) -> JsonObject:
    """A match as the fields that lie in a step's object, or beside a claim; all null without one."""
    if match is None:
        return {"type": None, "verdict": None, "support": None, "constraint": None, "explanation": None}
    return {
        "type": match.type,
        "verdict": match.verdict,
        "support": match.support,
        "constraint": match.constraint,
        "explanation": match.explanation,
        "assertions": [_assertion_to_json(one) for one in match.assertions],
    }


def write_traces(path: str | Path, traces: Iterable[Trace]) -> int:
    """Write traces, replacing the file, and return how many; runs append instead, with a `RunWriter`."""
    return write_records(path, (trace_to_json(trace) for trace in traces))


def _upgrade(record: Any) -> Any:
    """A trace's object in today's format: what format 1 kept beside the candidates goes where it belongs."""
    if not isinstance(record, dict) or "format" in record or "problem_id" not in record:
        return record
    rest = with_own_names(record)
    if "data_source" not in rest and isinstance(rest.get("family"), str):
        rest = {**rest, "data_source": rest["family"]}
    rest = dict(rest)
    known = _take(rest, _FIRST_FORMAT)
    question = {"question": rest.pop("question", ""), **_take(rest, ("image", "options", *PROBLEM_FIELDS))}
    return {
        "format": TRACE_FORMAT,
        **known,
        "extraction": {"kind": rest.pop("figure", None), "problem": rest.pop("unread", None)},
        "candidates": _upgraded_candidates(known),
        "ranking": _upgraded_ranking(known),
        "problem": {**question, **rest},
    }


_FIRST_FORMAT = ("problem_id", "constraints", "cost", "candidates", "ranking", "judging", "search")


def _take(rest: JsonObject, names: Iterable[str]) -> JsonObject:
    return {name: rest.pop(name) for name in names if name in rest}


def _upgraded_candidates(known: JsonObject) -> Any:
    """Format 1 called a candidate reliable where nothing was checked; that is unknown."""
    candidates = known.get("candidates")
    if not isinstance(candidates, list):
        return candidates
    facts = bool(known.get("constraints"))
    return [
        {**one, "reliability": None} if isinstance(one, dict) and not (facts and _any_checked(one)) else one
        for one in candidates
    ]


def _any_checked(candidate: JsonObject) -> bool:
    steps = candidate.get("steps")
    verdicts = (step.get("verdict") for step in steps if isinstance(step, dict)) if isinstance(steps, list) else ()
    return any(verdict not in (None, "unparsed") for verdict in verdicts)


def _upgraded_ranking(known: JsonObject) -> Any:
    ranking, candidates = known.get("ranking"), known.get("candidates")
    if not isinstance(ranking, dict) or not isinstance(candidates, list) or not isinstance(ranking.get("best"), list):
        return ranking
    best = ranking["best"]
    answers = [c.get("final_answer") for c in candidates if isinstance(c, dict) and c.get("id") in best]
    return {**ranking, "tied": len(best) > 1 and (None in answers or len(set(map(str, answers))) > 1)}


def _assertion(form: AssertionForm) -> AssertionMatch:
    start, end = form.span
    return AssertionMatch(
        span=(start, end),
        form=form.form,
        verdict=form.verdict,
        support=form.support,
        constraint=form.constraint,
        explanation=form.explanation,
    )


def _assertion_to_json(one: AssertionMatch) -> JsonObject:
    return {
        "span": list(one.span),
        "form": one.form,
        "verdict": one.verdict,
        "support": one.support,
        "constraint": one.constraint,
        "explanation": one.explanation,
    }


def _ranking_to_json(ranking: Ranking) -> JsonObject:
    return {
        "select": ranking.select,
        "best": list(ranking.best),
        "tied": ranking.tied,
        "order": list(ranking.order),
        "values": dict(ranking.values),
    }


def _candidate_to_json(trace: CandidateTrace) -> JsonObject:
    candidate = trace.candidate
    known = {
        "id": candidate.id,
        "final_answer": candidate.final_answer,
        **candidate_facts(candidate),
        "reliability": trace.reliability,
        "score": trace.score,
        "steps": [_step_to_json(step) for step in trace.steps],
    }
    return with_extra(known, candidate.extra, reserved=CANDIDATE_FIELDS)


def _step_to_json(trace: StepTrace) -> JsonObject:
    step, judgement = trace.step, trace.judgement
    known: JsonObject = {
        "text": step.text,
        "claim": step.claim,
        "claim_from": step.claim_from,
        **stated_fields(step, STEP_FIELDS),
        **match_to_json(trace.match),
        "base_reward": judgement.reward,
        "gate": trace.gate,
        "reward": trace.reward,
    }
    for name, told in (("judge", judgement.explanation), ("judged", dict(judgement.facts)), ("uses", list(trace.uses))):
        if told:
            known[name] = told
    if trace.reliability is not None:
        known["reliability"] = trace.reliability
    return with_extra(known, step.extra, reserved=_STEP_NAMES)


_STEP_NAMES = (*STEP_FIELDS, "assertions", "judge", "judged", "reliability", "uses")
