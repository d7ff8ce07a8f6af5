"""The plug-in points: one method each, batch in, batch out, synchronous. Concurrency lives inside the implementations.

A bad item is a value in its result (an `Extraction` with a `problem`, a reward of None), never an exception for the
batch. Any object with the right method fits; nothing needs to be subclassed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from evpv.types import Constraint, Extraction, Problem, Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class StepJudgement:
    """A judge's word on one step: a reward in [-1, 1] (R_t^base, Eq. 6), or None with the reason in `explanation`."""

    reward: float | None
    explanation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """One question to a chat model: the text, and paths of the images that go with it."""

    prompt: str
    images: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatReply:
    """A chat model's answer, or None with the reason in `problem`."""

    text: str | None
    problem: str | None = None


class Extractor(Protocol):
    """Reads constraints from a problem's image (E_φ in the paper). `version` is part of the cache key."""

    @property
    def version(self) -> str: ...

    def extract(self, problems: Sequence[Problem]) -> list[Extraction]: ...


class StepJudge(Protocol):
    """Gives each step of each candidate a base reward (J in the paper, Eq. 6).

    Answers have the shape of `problems`: a list per problem of a list per candidate of one judgement per step.
    `constraints` are the evidence of each problem; a judge may ignore them.
    """

    def judge(
        self, problems: Sequence[Problem], constraints: Sequence[Sequence[Constraint]]
    ) -> list[list[list[StepJudgement]]]: ...


class ChatBackend(Protocol):
    """Asks a model."""

    def ask(self, requests: Sequence[ChatRequest]) -> list[ChatReply]: ...


@runtime_checkable
class Closable(Protocol):
    """A part that holds processes or connections, and gives them back when told."""

    def close(self) -> None: ...


class Engine(Protocol):
    """Runs a pipeline over many problems: here, in processes, or on a cluster."""

    def run(self, problems: Iterable[Problem]) -> Iterator[Trace]: ...
