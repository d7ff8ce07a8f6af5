"""What the service answers, for its OpenAPI document. The workers write the JSON; tests hold it against these."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class Answer(BaseModel):
    model_config = ConfigDict(extra="allow")


class StepEvidence(Answer):
    """One step, what it claims to see, and what the figure says to that."""

    text: str
    claim: str | None
    verdict: Literal["supported", "contradicted", "missing", "unparsed"] | None
    support: float | None
    explanation: str | None
    constraint: dict[str, Any] | None = Field(
        description="The fact that decided, with its `box` in pixels where known."
    )
    base_reward: float | None
    gate: float | None
    reward: float | None


class Evidence(Answer):
    """Why a candidate has its score."""

    final_answer: str | None
    reliability: float | None = Field(description="Null where nothing was checked.")
    steps: list[StepEvidence]


class Result(Answer):
    """One candidate in its place."""

    index: int = Field(description="Its place in the request's documents, from 0.")
    relevance_score: float
    document: dict[str, Any] | None = None
    evidence: Evidence


class RerankAnswer(Answer):
    """The candidates in order, the best first."""

    id: str
    model: str = Field(description="The server's recipe.")
    results: list[Result]
    usage: dict[str, int]
    meta: dict[str, Any]


class TraceAnswer(Answer):
    """A trace, as in a run's traces.jsonl (`evpv schema trace`)."""

    format: int
    problem_id: str
    problem: dict[str, Any]
    extraction: dict[str, Any]
    constraints: list[dict[str, Any]]
    candidates: list[dict[str, Any]]
    ranking: dict[str, Any]
    cost: dict[str, Any]


class ExtractAnswer(Answer):
    """What was read from a figure; `problem` says why it could not be read."""

    kind: str | None
    constraints: list[dict[str, Any]]
    problem: str | None


class MatchAnswer(Answer):
    """One match per claim, in order."""

    matches: list[dict[str, Any]]


class ImageAnswer(Answer):
    """An uploaded image: name it by its id."""

    id: str
    kind: str
    width: int
    height: int
    bytes: int


class Health(Answer):
    """Whether the service is there, and whether it can take work."""

    status: str
    workers: int
    running: int
    waiting: int


class Refused(Answer):
    """Why a request was not answered."""

    message: str
    field: str | None = None
    request_id: str
