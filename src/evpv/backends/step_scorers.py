"""Step scorers: what they are asked and answer, and the settings of one over weights that are here or behind a server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from evpv.backends.images import ImagePolicy
from evpv.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class StepQuestion:
    """A problem as a scorer takes it: the text beside the pictures, and the steps of each candidate."""

    text: str
    images: tuple[str, ...] = ()
    candidates: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StepScores:
    """P(right) of each step of one candidate, or the reason why there are none in `problem`."""

    probabilities: tuple[float, ...] = ()
    problem: str | None = None


class StepScorer(Protocol):
    """Scores the candidates of problems: for each question a list with the scores of each of its candidates."""

    def score(self, questions: Sequence[StepQuestion]) -> list[list[StepScores]]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Batching:
    """How much goes through a local model at once.

    `batch_tokens` bounds the cache: candidates in flight × the longest of them with its prefix, of one or several
    problems; one candidate always goes. None is 32,768 on a GPU, and 2,048 on a CPU, where more was slower.
    `chunk_tokens` is how far a candidate is read in one forward: shorter chunks spare attention to what comes later, and
    candidates that have ended leave the batch sooner. `max_tokens` is the most that a candidate may have with its
    prefix; None is the model's own context.
    """

    batch_tokens: int | None = None
    chunk_tokens: int = 192
    max_tokens: int | None = None

    def __post_init__(self) -> None:
        given = (self.batch_tokens, self.chunk_tokens, self.max_tokens)
        if any(number is not None and number < 1 for number in given):
            raise ConfigError("batch_tokens, chunk_tokens and max_tokens must be at least 1.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Where vLLM serves the model: the address up to /v1, the variable with the key, and how it is asked."""

    base_url: str
    api_key_env: str = "OPENAI_API_KEY"
    concurrency: int = 32
    timeout_s: float = 120.0
    attempts: int = 4

    def __post_init__(self) -> None:
        if self.concurrency < 1 or self.attempts < 1 or not self.timeout_s > 0:
            raise ConfigError("concurrency and attempts must be at least 1, timeout_s more than 0.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorerSettings:
    """Which model scores, and how it is held or reached: what the judges by step models have in common.

    Without `server`, `model` is a folder or hub name, with `adapter` (LoRA), `device`, `dtype` and `trust_remote_code` as
    at `Weights`; with it, the name that the server gives the model. `batching`, `images` and `server` may be tables of a
    recipe; they are explained at `Batching`, `ImagePolicy` and `Server`. `text_only` leaves out the picture, `history` is
    how many earlier steps a step is read with ("all", "none", 2): for ablations, the second at the cost of a reading a step.
    """

    model: str
    adapter: str | None = None
    device: str = "auto"
    dtype: str = "auto"
    trust_remote_code: bool = False
    batching: Batching | Mapping[str, Any] | None = field(default=None, hash=False)
    images: ImagePolicy | Mapping[str, Any] | None = field(default=None, hash=False)
    server: Server | Mapping[str, Any] | None = field(default=None, hash=False)
    text_only: bool = False
    history: Literal["all", "none"] | int = "all"
