"""What requests hold, as FastAPI checks and documents it, and what is answered: dataclasses that workers fill, and their codecs.

Recipes are the server's: no request may bring one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from evpv.records.codec import Codec
from evpv.records.constraints import CONSTRAINT
from evpv.records.traces import MATCH, TRACE_CODEC
from evpv.types import CandidateTrace, Constraint, Extra, Extraction, Match, Trace

_Text = Annotated[str, Field(max_length=1_000_000)]
_Image = Annotated[
    str, Field(min_length=1, description="A data URI, the id of an uploaded image, or an http(s) address.")
]
_ImageList = Annotated[list[_Image], Field(fail_fast=True, max_length=64)]
_Images = Annotated[
    _Image | _ImageList | None,
    Field(description="The figure, or several; without one nothing is read and the steps are judged by their text."),
]
_Candidate = Annotated[
    str | dict[str, Any],
    Field(
        description="A solution: its text, or an object with `text`, `steps`, `reasoningprocess` or `response`"
        " (docs/formats.md of evpv)."
    ),
]
_Candidates = Annotated[list[_Candidate], Field(fail_fast=True, min_length=1, max_length=4_096)]
_Options = Annotated[list[_Text], Field(fail_fast=True, max_length=1_024)]
_Claims = Annotated[list[_Text], Field(fail_fast=True, min_length=1, max_length=4_096)]
_Constraints = Annotated[list[dict[str, Any]], Field(fail_fast=True, max_length=10_000)]
"""Every list has a bound, and the first wrong value in it is the only one that is told: errors cost more than values."""
_MOST_FIELDS = 64
_LONGEST_NAME = 40
_NOT_FROM_OUTSIDE = ("recipe", "method", "settings", "extractor", "judge", "backends", "auditor")


class Request(BaseModel):
    """A request's body. Types are taken to the letter, and unknown fields are refused."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _has_few_and_known_fields(cls, value: Any) -> Any:
        """A mistyped field is told with the near name: else what it says would be missed in silence."""
        if not isinstance(value, dict):
            return value
        if len(value) > _MOST_FIELDS:
            raise ValueError(f"a request has at most {_MOST_FIELDS} fields")
        absent = [name for name in cls.model_fields if name not in value]
        for name in value:
            near = get_close_matches(name, absent, n=1, cutoff=0.75) if len(name) <= _LONGEST_NAME else []
            if near and name not in cls.model_fields:
                raise ValueError(f"{name!r} is not known here; did you mean {near[0]!r}?")
        return value


_ANGLES = ["Angle ABC is 50°. So ACB = 180 - 90 - 50 = 40°.", "ACB = 90 - 45 = 45°."]
_CANDIDATE = {"id": "a", "steps": [{"text": "Angle ABC is 50°.", "claim": "∠ABC = 50°"}], "final_answer": "40"}
_FACT = {"category": "numeric", "entity": "angle ABC", "attribute": "angle", "value": 50, "unit": "deg"}


def _example(**values: Any) -> ConfigDict:
    """What a request's documentation shows; nothing for those that the default recipe cannot try, or that are too long."""
    return ConfigDict(json_schema_extra={"examples": [values] if values else []})


class RerankRequest(Request):
    """The request that reranker clients send, with an image if there is one.

    Fields of other rerankers that have no meaning here (`rank_fields`, `max_tokens_per_doc`, …) are left unread.
    """

    model_config = _example(model="embedded", query="How large is angle ACB?", documents=_ANGLES, top_n=1) | ConfigDict(
        extra="ignore"
    )

    query: _Text = Field(description="The question. It may begin with `image:ID`, for clients that send nothing else.")
    documents: _Candidates = Field(description="Candidate solutions.")
    image: _Images = None
    options: _Options = Field(default=[], description="The choices, if the question gives some.")
    model: _Text | None = Field(None, description="Taken and not used: the server's recipe decides.")
    top_n: Annotated[int, Field(ge=1)] | None = Field(None, description="Only the best so many.")
    return_documents: bool | None = Field(False, description="Give the documents back with the results.")

    @model_validator(mode="before")
    @classmethod
    def _brings_no_recipe(cls, value: Any) -> Any:
        for name in _NOT_FROM_OUTSIDE if isinstance(value, dict) else ():
            if name in value:
                raise ValueError(f"{name!r} is the server's to set and cannot be in a request")
        return value


class VerifyRequest(Request):
    """One problem, as in a file of problems, with its image inside or uploaded."""

    model_config = _example(id="p1", question="How large is angle ACB?", candidates=[_CANDIDATE])

    id: Annotated[str, Field(min_length=1, max_length=200)] = "problem"
    question: _Text = ""
    image: _Images = None
    options: _Options = Field(default=[], description="The choices, if the question gives some.")
    candidates: _Candidates


class ReviseRequest(VerifyRequest):
    """One problem whose candidates are to be told what they misread."""

    model_config = _example()

    rounds: Annotated[int, Field(ge=1, le=8)] = Field(2, description="How often a candidate is told at most.")


class MendRequest(Request):
    """A trace, as `/v1/verify` answers it, and one fact of it as it was read and as it should be."""

    model_config = _example()

    trace: dict[str, Any]
    old: dict[str, Any] | None = Field(description="The fact as it is in the trace; null adds one.")
    new: dict[str, Any] | None = Field(description="The fact as it should be; null deletes it.")


class ExtractRequest(Request):
    """An image to read, and the question that it belongs to."""

    question: _Text = ""
    image: _Image | _ImageList


class MatchRequest(Request):
    """Claims, and the constraints that they are to be matched against."""

    model_config = _example(claims=["∠CBA = 45°"], constraints=[_FACT])

    claims: _Claims
    constraints: _Constraints


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


_MATCH = replace(MATCH, omitted=("constraint",), build=lambda **of: None if of["verdict"] is None else Match(**of))
_STEP = Codec(kind=StepEvidence, parts={"match": _MATCH}, nested={"constraint": CONSTRAINT})
_RESULT = Codec(kind=RankedDocument, nested={"evidence": Codec(kind=ScoreReasons, nested={"steps": _STEP})})
RERANK = Codec(kind=RerankAnswer, nested={"results": _RESULT})
TRACE = TRACE_CODEC
EXTRACT = Codec(
    kind=Extraction, name="ExtractAnswer", nested={"constraints": CONSTRAINT}, omitted=("unread", "answered"),
    required=("constraints", "kind", "problem", "cost"),
)  # fmt: skip
MATCHES = Codec(kind=MatchAnswer, nested={"matches": Codec(kind=ClaimMatch, parts={"match": MATCH})})
