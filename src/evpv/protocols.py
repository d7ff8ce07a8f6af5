"""The plug-in points: one method each, batch in, batch out, synchronous. Concurrency lives inside the implementations.

A bad item is a value in its result (an `Extraction` with a `problem`, a reward of None), never an exception for the
batch. Any object with the right method fits; nothing needs to be subclassed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, runtime_checkable

from evpv.types import Constraint, Extraction, Problem
from evpv.types import StepJudgement as StepJudgement


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How a model writes its answer; part of what identifies a question."""

    temperature: float = 0.0
    top_p: float = 1.0
    max_tokens: int = 2048
    seed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """One question to a chat model.

    `schema` is a JSON Schema that the answer must have. `labels` asks for the log-probability of each of these single
    tokens as the answer's first one; `top_logprobs` for that many alternatives at every token. `stage` and `problem_id`
    say who asks and for which problem: they are for the ledger and do not change the answer.
    """

    prompt: str
    system: str | None = None
    images: tuple[str, ...] = ()
    schema: Mapping[str, Any] | None = field(default=None, hash=False)
    labels: tuple[str, ...] = ()
    top_logprobs: int = 0
    sampling: Sampling = Sampling()
    stage: str = ""
    problem_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What asking cost. `hits` are answers that a store already had: they cost nothing else."""

    calls: int = 0
    images: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    hits: int = 0
    retries: int = 0
    seconds: float = 0.0
    money: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One token of an answer, with its log-probability and those of the likeliest alternatives."""

    text: str
    logprob: float
    top: Mapping[str, float] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatReply:
    """A chat model's answer, or None with the reason in `problem`.

    `finish` is "length" for an answer that was cut off. `label_logprobs` and `tokens` are empty where the backend
    cannot give them. `facts` says how the question was put: the image's size as sent, how the schema was enforced.
    """

    text: str | None
    problem: str | None = None
    finish: str | None = None
    label_logprobs: Mapping[str, float] = field(default_factory=dict, hash=False)
    tokens: tuple[Token, ...] = ()
    usage: Usage = Usage()
    facts: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """What a plug-in says of itself: who plans, checks, remembers or explains asks this, and never the plug-in's class.

    `reads_…` is what decides its answer; what a reader of pictures does not read is no part of what its answers are
    remembered by. `asks` is whether it puts questions to a model, `extras` what must be installed, `calls` how many
    questions a problem costs and `passes` how many forward passes of a model in this process.

    A backend tells its `server`, the address that it asks; `stream`, if it hands over each reply as it arrives, with its
    place in the batch; `worst_cost`, if a question costs money, the most that it may; and `abilities`, which finds out by
    asking what the server can do.
    """

    reads_question: bool = True
    reads_constraints: bool = True
    reads_picture: bool = True
    asks: bool = False
    extras: tuple[str, ...] = ()
    calls: Callable[[Problem], int] = field(default=lambda problem: 0, compare=False)
    passes: Callable[[Problem], int] = field(default=lambda problem: 0, compare=False)
    server: str | None = None
    stream: Callable[[Sequence[ChatRequest]], Iterator[tuple[int, ChatReply]]] | None = field(
        default=None, compare=False
    )
    worst_cost: Callable[[ChatRequest], float] = field(default=lambda request: 0.0, compare=False)
    abilities: Callable[[], Mapping[str, Any]] | None = field(default=None, compare=False)


@runtime_checkable
class _Described(Protocol):
    """A plug-in that says what it needs and reads."""

    @property
    def description(self) -> Description: ...


def description_of(part: object) -> Description:
    """What a plug-in says of itself; one that says nothing is taken to read all that it is given."""
    return part.description if isinstance(part, _Described) else Description()


@runtime_checkable
class _Versioned(Protocol):
    """A part that says in one text what decides its answers: the model, the prompt, how pictures are sent."""

    @property
    def version(self) -> str: ...


def version_of(part: object) -> str:
    """What decides a part's answers; "" where it does not say."""
    return part.version if isinstance(part, _Versioned) else ""


class Extractor(Protocol):
    """Reads constraints from a problem's image (E_φ in the paper). `version` is part of the cache key."""

    @property
    def version(self) -> str: ...

    def extract(self, problems: Sequence[Problem]) -> list[Extraction]: ...


Judgements: TypeAlias = list[list[list[StepJudgement]]]
"""In the shape of the problems: a list per problem of a list per candidate of one judgement per step."""


class StepJudge(Protocol):
    """Gives each step of each candidate a base reward (J in the paper, Eq. 6).

    `constraints` are the evidence of each problem; a judge may ignore them.
    """

    def judge(self, problems: Sequence[Problem], constraints: Sequence[Sequence[Constraint]]) -> Judgements: ...


class ChatBackend(Protocol):
    """Asks a model. Replies come in the order of the requests; `name` is the model, part of what identifies an answer."""

    @property
    def name(self) -> str: ...

    def ask(self, requests: Sequence[ChatRequest]) -> list[ChatReply]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """The settings that all parts that ask a model have: whom they ask, and how it writes its answers."""

    backend: ChatBackend
    temperature: float = 0.0
    top_p: float = 1.0
    max_tokens: int = 2048
    seed: int | None = None

    @property
    def sampling(self) -> Sampling:
        return Sampling(temperature=self.temperature, top_p=self.top_p, max_tokens=self.max_tokens, seed=self.seed)

    def request(self, problem: Problem, stage: str, prompt: str, schema: Mapping[str, Any] | None) -> ChatRequest:
        return ChatRequest(
            prompt=prompt, images=problem.images, schema=schema, sampling=self.sampling, stage=stage,
            problem_id=problem.id,
        )  # fmt: skip


@runtime_checkable
class _Closable(Protocol):
    """A part that holds processes or connections, and gives them back when told."""

    def close(self) -> None: ...


@runtime_checkable
class _Preparable(Protocol):
    """A part that loads something large when it is first asked, or, told so, before."""

    def prepare(self) -> None: ...


def prepare_part(part: object) -> None:
    """Have a part load what it needs, if it would otherwise make the first who asks wait."""
    if isinstance(part, _Preparable):
        part.prepare()


def close_part(part: object) -> None:
    """Have a part give back what it holds, if it holds anything."""
    if isinstance(part, _Closable):
        part.close()
