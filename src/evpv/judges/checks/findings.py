"""What is known when a step is read, and what the checks say of it.

A `History` is made for one candidate and grows with its steps: the one thing here that changes. A finding is one sentence and one
feature of a calibrated model, which is logistic; its weights are a file to read, `weights.toml`.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from importlib import resources
from typing import Literal, cast, get_args

from evpv.errors import ConfigError
from evpv.language.chains import Part, Reading
from evpv.language.evaluation import Value, evaluate
from evpv.language.expressions import Expression

_RIGHT_ANGLE = re.compile(
    r"\bright[- ]angle(?:d)?(?: mark)? (?:at|in) (?:point |vertex )?([A-Z])\b"
    r"|\btangent to [^.]{1,60} at (?:point )?([A-Z])\b"
)


@dataclass(frozen=True, slots=True)
class Binding:
    """A letter's value as an earlier step gave it. Not `settled`: given by an expression still to be worked out."""

    value: Value
    text: str
    step: int
    settled: bool


@dataclass(frozen=True, slots=True)
class Equation:
    """An equation in one unknown that a step wrote down."""

    unknown: str
    left: Expression
    right: Expression
    text: str
    step: int


@dataclass(slots=True)
class History:
    """The question's reading and the state after the steps read so far.

    `numbers` are all that the question and the steps stated, `right_angles` the vertices where they said there is one.
    `sums` says of a sum's result how many numbers it added. `wrong_values` are results that a step reached by an
    error: what uses them inherits the error. `wrong_rule` is the last step that stated a wrong rule, until one uses it.
    """

    question: Reading
    bindings: dict[str, Binding] = field(default_factory=dict)
    equations: list[Equation] = field(default_factory=list)
    template: Expression | None = None
    results: list[tuple[Value, int]] = field(default_factory=list)
    sums: dict[Fraction, int] = field(default_factory=dict)
    wrong_values: dict[Fraction, int] = field(default_factory=dict)
    wrong_rule: int | None = None
    readings: list[Reading] = field(default_factory=list)
    numbers: set[Fraction] = field(default_factory=set)
    right_angles: set[str] = field(default_factory=set)

    @property
    def step(self) -> int:
        """The number of the step that is being read, from 0."""
        return len(self.readings)

    def __post_init__(self) -> None:
        self._note(self.question)

    def add(self, reading: Reading) -> None:
        """Take a step into the past."""
        self.readings.append(reading)
        self._note(reading)

    def _note(self, reading: Reading) -> None:
        self.numbers.update(reading.quantities)
        self.right_angles.update(right_angles(reading.text))

    def values(self) -> Mapping[str, Value]:
        """The letters' values, for evaluation."""
        return {name: binding.value for name, binding in self.bindings.items()}


def value_of(part: Part, letters: Mapping[str, Value] | None = None) -> Value | None:
    """The value of what was written; None too where it is no expression."""
    return None if part.tree is None else evaluate(part.tree, letters)


def right_angles(text: str) -> set[str]:
    """The vertices at which a text says that there is a right angle."""
    return {match[1] or match[2] for match in _RIGHT_ANGLE.finditer(text[:4000])}


Kind = Literal[
    "equation-right", "equation-wrong",
    "definition-right", "definition-wrong",
    "value-changed", "substitution-right", "substitution-differs",
    "algebra-right", "algebra-wrong",
    "number-traced", "number-untraced",
    "formula-right", "formula-wrong",
    "statement-right", "statement-wrong",
    "answer-follows", "answer-unfounded", "answer-not-an-option",
    "reading-right", "reading-wrong", "list-right", "list-incomplete",
    "recomputed-right", "recomputed-wrong",
    "shown-right", "shown-wrong",
    "method-right", "method-wrong",
    "inherited", "refusal", "skipped-work",
]  # fmt: skip

KINDS: tuple[Kind, ...] = get_args(Kind)

FAULTS: frozenset[Kind] = frozenset(
    kind for kind in KINDS if kind.endswith(("-wrong", "-incomplete", "-not-an-option"))
)
"""The kinds that name an error of the step itself; "inherited", "-untraced", "-unfounded", "-changed" only make one more likely."""

PRAISE: frozenset[Kind] = frozenset(kind for kind in KINDS if kind.endswith(("-right", "-traced", "-follows")))
"""The kinds that say that something holds. Only what confirms the answer itself earns anything (`model.counted_kinds`)."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found out about a step: what kind of thing, and the sentence that says it."""

    kind: Kind
    explanation: str


def verdict(subject: str, holds: bool, right: str, wrong: str) -> Finding:
    """What a check says of something that holds or does not; the sentence begins with which of the two.

    >>> verdict("equation", False, "2 = 2", "2 = 3, but it is 2")
    Finding(kind='equation-wrong', explanation='wrong: 2 = 3, but it is 2')
    """
    word, sentence = ("right", right) if holds else ("wrong", wrong)
    return Finding(cast(Kind, f"{subject}-{word}"), f"{word}: {sentence}")


_CONFIRMS = frozenset(("recomputed-right", "shown-right"))
_OUTWEIGHS = FAULTS | {"inherited", "skipped-work", "refusal"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """P(step right) = σ(intercept + the weight of every kind found). With no finding it is the measured rate.

    A step is as right as its worst part: beside a fault or an inherited error, what else is right does not count.
    """

    intercept: float
    weights: Mapping[str, float]
    made: str

    def probability(self, findings: Iterable[Finding]) -> float:
        total = self.intercept + sum(self.weights.get(kind, 0.0) for kind in counted_kinds(findings))
        return 1 / (1 + math.exp(-total))


def counted_kinds(findings: Iterable[Finding]) -> set[Kind]:
    """The features of a step: what speaks against it, or else that its answer was confirmed; each kind once.

    A right sum is no news of the answer: long and short solutions without a fault are worth the same, and the vote decides.
    """
    kinds = {finding.kind for finding in findings}
    against = kinds - PRAISE
    return against | (kinds & _CONFIRMS) if not kinds & _OUTWEIGHS else against


@lru_cache(maxsize=1)
def shipped_model() -> Model:
    """The model in the package."""
    return read_model(resources.files(__package__).joinpath("weights.toml").read_text(encoding="utf-8"))


def read_model(text: str) -> Model:
    """A model from its file; an unknown kind is refused, since it would silently do nothing."""
    data = tomllib.loads(text)
    unknown = sorted(set(data["weights"]) - set(KINDS))
    if unknown:
        raise ConfigError(f"weights for findings that do not exist: {', '.join(unknown)}.")
    weights = {kind: float(weight) for kind, weight in data["weights"].items()}
    return Model(intercept=float(data["intercept"]), weights=weights, made=str(data["made"]))
