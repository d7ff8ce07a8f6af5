"""What is known when a step is read: the question, the evidence, and what the earlier steps said.

The one thing here that changes: a `History` is made for one candidate and grows with its steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from evpv.judges.checks.wordings import RIGHT_ANGLE
from evpv.language.chains import Part, Reading
from evpv.language.evaluation import Value, evaluate
from evpv.language.expressions import Expression


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
    return {match[1] or match[2] for match in RIGHT_ANGLE.finditer(text[:4000])}
