"""Traces as JSON, one place, both ways: what was seen, claimed and judged, and what followed; and the JSON Schemas of all formats.

In a step the match lies flat (`type`, `verdict`, `support`, `constraint`, `explanation`, `assertions`) and is null
without a claim; so does the judgement (`base_reward`, `judge` its words, `judged` its facts). Floats are written so that
reading gives the same bits: a stored trace is assessed again, not approximated. Traces of format 1 are read as well.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from pydantic import TypeAdapter

from evpv.errors import unknown_name
from evpv.records.candidates import CANDIDATE, STEP
from evpv.records.codec import Codec, Identifier
from evpv.records.constraints import CONSTRAINT
from evpv.records.lines import JsonObject
from evpv.records.problems import PROBLEM_ADAPTER, QUESTION, joined_images, run_images, with_own_names
from evpv.types import (
    AssertionMatch,
    Candidate,
    CandidateTrace,
    ClaimType,
    Constraint,
    Extra,
    Extraction,
    Match,
    Problem,
    Ranking,
    Step,
    StepJudgement,
    StepTrace,
    Trace,
    VerdictName,
)

TRACES_FILE = "traces.jsonl"
TRACE_FORMAT = 2


def _match(*, constraint: int | None, assertions: tuple[AssertionMatch, ...], **deciding: Any) -> Match | None:
    """A match, or None where all of it is null, as it is without a claim."""
    if None not in deciding.values():
        return Match(constraint=constraint, assertions=assertions, **deciding)
    if any(part is not None for part in deciding.values()):
        raise ValueError("type, verdict, support and explanation must be given together or be null together")
    if constraint is not None:
        raise ValueError("constraint must be null where verdict is")
    return None


def _step_trace(*, step: Step, match: Match | None, gate: float | None, **rest: Any) -> StepTrace:
    if step.claim is None and (match is not None or gate is not None):
        raise ValueError("verdict and gate must be null where there is no claim")
    return StepTrace(step=step, match=match, gate=gate, **rest)


def _candidate_trace(*, candidate: Candidate, steps: tuple[StepTrace, ...], **rest: Any) -> CandidateTrace:
    for index, step in enumerate(steps):
        if any(used >= index for used in step.uses):
            raise ValueError(f"steps[{index}].uses must name earlier steps, counted from 0")
    said = replace(candidate, steps=tuple(one.step for one in steps))
    return CandidateTrace(candidate=said, steps=steps, **rest)


_ASSERTION = Codec(kind=AssertionMatch, written=("constraint", "explanation"))
MATCH: Codec[Any] = Codec(
    kind=Match,
    types={"type": ClaimType | None, "verdict": VerdictName | None, "support": float | None, "explanation": str | None},
    nested={"assertions": _ASSERTION},
    required=("constraint", "explanation"),
    build=_match,
)
_JUDGEMENT = Codec(
    kind=StepJudgement,
    names={"reward": "base_reward", "explanation": "judge", "facts": "judged"},
    omitted=("marks", "sent", "answered"),
)
_SAID_STEP = replace(STEP, required=("claim", "claim_from"), build=None)
_STEP = Codec(kind=StepTrace, parts={"step": _SAID_STEP, "match": MATCH, "judgement": _JUDGEMENT}, build=_step_trace)
_SAID = replace(
    CANDIDATE, types={"id": Identifier}, omitted=("steps",), required=("final_answer",),
    build=partial(Candidate, steps=()),
)  # fmt: skip
_CANDIDATE = Codec(kind=CandidateTrace, parts={"candidate": _SAID}, nested={"steps": _STEP}, build=_candidate_trace)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """One problem assessed, as it is written: its id and the constraints stand beside what else there is of both."""

    problem_id: str
    digest: str | None = None
    problem: Problem
    extraction: Extraction
    constraints: tuple[Constraint, ...]
    cost: Extra = field(default_factory=dict, hash=False)
    candidates: tuple[CandidateTrace, ...]
    ranking: Ranking
    judging: Extra = field(default_factory=dict, hash=False)
    search: Extra = field(default_factory=dict, hash=False)
    extra: Extra = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        count = len(self.constraints)
        for place, candidate in enumerate(self.candidates):
            for index, step in enumerate(candidate.steps):
                match = step.match
                named = [] if match is None else [match.constraint, *(one.constraint for one in match.assertions)]
                if far := [number for number in named if number is not None and number >= count]:
                    where = f"candidates[{place}].steps[{index}].constraint"
                    raise ValueError(f"{where} is {far[0]}, but there are {count} constraints, from 0")


_EXTRACTION = Codec(kind=Extraction, omitted=("constraints", "answered", "cost"), written=("kind", "problem", "unread"))
TRACE_CODEC = Codec(
    kind=_Line, name="Trace", constants={"format": TRACE_FORMAT}, types={"problem_id": Identifier},
    nested={
        "problem": QUESTION, "extraction": _EXTRACTION, "constraints": CONSTRAINT, "candidates": _CANDIDATE,
        "ranking": Codec(kind=Ranking, required=("tied",)),
    },
    written=("digest", "cost"),
)  # fmt: skip


def trace_from_json(record: Any, *, folder: str | None = None) -> Trace:
    """A trace from its JSON object, of this format or the one before; its images are joined to `folder`."""
    line = TRACE_CODEC.read(_upgrade(record))
    problem = replace(
        line.problem,
        id=line.problem_id,
        images=line.problem.images if folder is None else joined_images(line.problem, folder),
        candidates=tuple(one.candidate for one in line.candidates),
    )
    extraction = replace(line.extraction, constraints=line.constraints)
    return Trace(problem=problem, extraction=extraction, **{name: getattr(line, name) for name in _ALIKE})


def trace_to_json(trace: Trace, *, folder: str | None = None) -> JsonObject:
    """A trace as its JSON object, its images named from `folder`; without one as they are named."""
    problem = trace.problem if folder is None else replace(trace.problem, images=run_images(trace.problem, folder))
    line = _Line(
        problem_id=problem.id, problem=problem, extraction=trace.extraction, constraints=trace.constraints,
        **{name: getattr(trace, name) for name in _ALIKE},
    )  # fmt: skip
    return TRACE_CODEC.write(line)


_ALIKE = ("digest", "cost", "candidates", "ranking", "judging", "search", "extra")


def match_from_json(record: Mapping[str, Any]) -> Match | None:
    """A match from its JSON object, with whatever stands beside it; None where it says that there was no claim."""
    found: Match | None = MATCH.read({name: value for name, value in record.items() if name in MATCH.keys})
    return found


def match_to_json(match: Match | None) -> JsonObject:
    """A match as the fields that lie in a step's object, or beside a claim; all null without one."""
    return dict.fromkeys(MATCH.always_written) if match is None else MATCH.write(match)


def _upgrade(record: Any) -> Any:
    """A trace's object in today's format: what format 1 kept beside the candidates goes where it belongs."""
    if not isinstance(record, dict) or "format" in record or "problem_id" not in record:
        return record
    rest = with_own_names(record)
    if "data_source" not in rest and isinstance(rest.get("family"), str):
        rest = {**rest, "data_source": rest["family"]}
    rest = dict(rest)
    known = {name: rest.pop(name) for name in _FIRST_FORMAT if name in rest}
    question = {"question": "", **{name: rest.pop(name) for name in QUESTION.keys if name in rest}}
    extraction = {"kind": rest.pop("figure", None), "problem": rest.pop("unread", None)}
    with suppress(AttributeError, KeyError, TypeError):  # else whoever reads it says what is wrong
        known |= _upgraded_outcome(known)
    return {"format": TRACE_FORMAT, **known, "extraction": extraction, "problem": {**question, **rest}}


_FIRST_FORMAT = ("problem_id", "constraints", "cost", "candidates", "ranking", "judging", "search")


def _upgraded_outcome(known: JsonObject) -> JsonObject:
    """Format 1 called a candidate reliable where nothing was checked, which is unknown, and knew no ties between answers."""
    facts, best = bool(known.get("constraints")), known["ranking"]["best"]
    candidates = []
    for one in known["candidates"]:
        verdicts = {step.get("verdict") for step in one["steps"]} if facts else set()
        candidates.append(one if verdicts - {None, "unparsed"} else {**one, "reliability": None})
    answers = [one.get("final_answer") for one in candidates if one.get("id") in best]
    tied = len(best) > 1 and (None in answers or len(set(map(str, answers))) > 1)
    return {"candidates": candidates, "ranking": {**known["ranking"], "tied": tied}}


_ADAPTERS: dict[str, TypeAdapter[Any]] = {
    "problem": PROBLEM_ADAPTER, "constraint": CONSTRAINT.adapter, "trace": TRACE_CODEC.adapter,
}  # fmt: skip


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of "problem", "constraint" or "trace"."""
    if name not in _ADAPTERS:
        raise unknown_name("schema", name, _ADAPTERS)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **_any_of(_ADAPTERS[name].json_schema())}


def schema_text(name: str) -> str:
    return json.dumps(schema(name), ensure_ascii=False, indent=2) + "\n"


def _any_of(value: Any) -> Any:
    """`oneOf` as `anyOf`: a candidate may hold two forms at once, and the reader then takes the first."""
    if isinstance(value, dict):
        return {"anyOf" if key == "oneOf" else key: _any_of(inner) for key, inner in value.items()}
    return [_any_of(inner) for inner in value] if isinstance(value, list) else value
