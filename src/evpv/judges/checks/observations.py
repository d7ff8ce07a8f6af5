"""What the checks say of a step: observations, each one sentence and one feature of a calibrated model.

The model is logistic; its weights are a file to read, `weights.toml`. A step is as right as its worst part.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Literal, cast, get_args

from evpv.errors import ConfigError

_Kind = Literal[
    "equation-right", "equation-wrong",
    "formula-right", "formula-wrong",
    "method-right", "method-wrong",
    "recomputed-right", "recomputed-wrong",
    "shown-right", "shown-wrong",
    "answer-not-an-option",
    "inherited", "skipped-work", "unanswered",
]  # fmt: skip

KINDS: tuple[_Kind, ...] = get_args(_Kind)

FAULTS: frozenset[_Kind] = frozenset(kind for kind in KINDS if kind.endswith(("-wrong", "-not-an-option")))
"""The kinds that name an error of the step itself; the others only make one more likely."""

PRAISE: frozenset[_Kind] = frozenset(kind for kind in KINDS if kind.endswith("-right"))
"""The kinds that say that something holds. Only what confirms the answer itself earns anything (`counted_kinds`)."""

_CONFIRMS: frozenset[_Kind] = frozenset(("recomputed-right", "shown-right"))


@dataclass(frozen=True, slots=True)
class Observation:
    """One thing found out about a step: what kind of thing, and the sentence that says it."""

    kind: _Kind
    explanation: str


def verdict(subject: str, holds: bool, right: str, wrong: str) -> Observation:
    """What a check says of something that holds or does not; the sentence begins with which of the two.

    >>> verdict("equation", False, "2 = 2", "2 = 3, but it is 2")
    Observation(kind='equation-wrong', explanation='wrong: 2 = 3, but it is 2')
    """
    word, sentence = ("right", right) if holds else ("wrong", wrong)
    return Observation(cast(_Kind, f"{subject}-{word}"), f"{word}: {sentence}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservationModel:
    """P(step right) = σ(intercept + the weight of every kind that counts). With no observation it is the measured rate."""

    intercept: float
    weights: Mapping[str, float]
    made: str

    def probability(self, observations: Iterable[Observation]) -> float:
        total = self.intercept + sum(self.weights.get(kind, 0.0) for kind in counted_kinds(observations))
        return 1 / (1 + math.exp(-total))


def counted_kinds(observations: Iterable[Observation]) -> set[_Kind]:
    """The features of a step: what speaks against it, or else that its answer was confirmed; each kind once.

    A right sum is no news of the answer: long and short solutions without a fault are worth the same, and the vote decides.
    """
    kinds = {observation.kind for observation in observations}
    return kinds - PRAISE or kinds & _CONFIRMS


@lru_cache(maxsize=1)
def shipped_model() -> ObservationModel:
    return _read_model(resources.files(__package__).joinpath("weights.toml").read_text(encoding="utf-8"))


def _read_model(text: str) -> ObservationModel:
    """A model from its file; an unknown kind is refused, since it would silently do nothing."""
    data = tomllib.loads(text)
    unknown = sorted(set(data["weights"]) - set(KINDS))
    if unknown:
        raise ConfigError(f"weights for observations that do not exist: {', '.join(unknown)}.")
    weights = {kind: float(weight) for kind, weight in data["weights"].items()}
    return ObservationModel(intercept=float(data["intercept"]), weights=weights, made=str(data["made"]))
