"""What requests hold, as FastAPI checks and documents it. Recipes are the server's: no request may bring one."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

_Text = Annotated[str, Field(max_length=1_000_000)]
Image = Annotated[
    str, Field(min_length=1, description="A data URI, the id of an uploaded image, or an http(s) address.")
]
_ImageList = Annotated[list[Image], Field(fail_fast=True, max_length=64)]
_Images = Annotated[
    Image | _ImageList | None,
    Field(description="The figure, or several; without one nothing is read and the steps are judged by their text."),
]
Candidate = Annotated[
    str | dict[str, Any],
    Field(
        description="A solution: its text, or an object with `text`, `steps`, `reasoningprocess` or `response`"
        " (docs/formats.md of evpv)."
    ),
]
_Candidates = Annotated[list[Candidate], Field(fail_fast=True, min_length=1, max_length=4_096)]
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
    image: Image | _ImageList


class MatchRequest(Request):
    """Claims, and the constraints that they are to be matched against."""

    model_config = _example(claims=["∠CBA = 45°"], constraints=[_FACT])

    claims: _Claims
    constraints: _Constraints
