"""Equations that can be worked out: each relation of each chain of numbers; and what a step takes over from an error before it.

A `History` is made for one candidate and grows with its steps: the one thing here that changes.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from evpv.judges.checks.findings import FAULTS, Finding, verdict
from evpv.language.chains import Part, Reading
from evpv.language.evaluation import Value, agrees, conventions, evaluate, same, show
from evpv.language.expressions import Expression, Number, symbols, walk

_WRONG_RULES = ("formula-wrong", "method-wrong")
_ORDERS = {"<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge}


@dataclass(slots=True)
class History:
    """The question's reading and the state after the steps read so far.

    `numbers` are all that the question and the steps stated.
    `wrong_values` are results that a step reached by an error: what uses them inherits the error. `wrong_rule` is the last
    step that stated a wrong rule, until one uses it; `right_angles` are the vertices where there is said to be one.
    """

    question: Reading
    readings: list[Reading] = field(default_factory=list)
    numbers: set[Fraction] = field(default_factory=set)
    wrong_values: dict[Fraction, int] = field(default_factory=dict)
    wrong_rule: int | None = None
    right_angles: set[str] = field(default_factory=set)

    @property
    def step(self) -> int:
        """The number of the step that is being read, from 0."""
        return len(self.readings)

    def __post_init__(self) -> None:
        self.numbers.update(self.question.quantities)

    def add(self, reading: Reading, findings: Sequence[Finding]) -> None:
        """Take a step into the past: its numbers, and its results where it is at fault."""
        self._note_faults(reading, {finding.kind for finding in findings})
        self.numbers.update(reading.quantities)
        self.readings.append(reading)

    def _note_faults(self, reading: Reading, kinds: set[str]) -> None:
        if kinds.isdisjoint(FAULTS | {"inherited"}):
            return
        if not reading.chains and not kinds.isdisjoint(_WRONG_RULES):
            self.wrong_rule = self.step
        for chain in reading.chains:
            result = _number(chain.parts[-1].tree)
            if result is not None and result not in self.numbers:
                self.wrong_values.setdefault(result, self.step)


def check_equations(reading: Reading) -> Iterator[Finding]:
    """Each relation between numbers; letters have values that only their writer knows."""
    for chain in () if reading.denies else reading.chains:
        for left, relation, right in zip(chain.parts, chain.relations, chain.parts[1:], strict=False):
            yield from _check_pair(left, relation, right)


def _check_pair(left: Part, relation: str, right: Part) -> Iterator[Finding]:
    if left.tree is None or right.tree is None or left.text == right.text or symbols(left.tree) | symbols(right.tree):
        return
    holds, found = _holds(left.tree, relation, right.tree)
    if holds is not None:
        text = f"{left.text} {relation} {right.text}"
        but = f", but it is {show(found)}" if found is not None and relation in "=≈" else ""
        yield verdict("equation", holds, text, f"{text}{but}")


def _holds(left: Expression, relation: str, right: Expression) -> tuple[bool | None, Value | None]:
    """Whether a relation holds under any reading of its signs, and the left side's value under the usual one."""
    usual: Value | None = None
    holds: bool | None = None
    # 0.25 × 100 = 25% is meant well, so each side may take the percent sign in its own way.
    for here in conventions(left):
        first = evaluate(left, None, here)
        usual = first if usual is None else usual
        for there in conventions(right):
            second = evaluate(right, None, there)
            if first is None or second is None:
                continue
            if _compare(first, relation, second, right):
                return True, usual
            holds = False
    return holds, usual


def _compare(first: Value, relation: str, second: Value, written: Expression) -> bool:
    """Whether `first` stands in `relation` to `second`, which was written as `written`."""
    if relation in ("=", "≈"):
        return agrees(first, second, written, about=relation == "≈")
    return bool(_ORDERS[relation](first, second)) if relation in _ORDERS else not same(first, second)


def check_inheritance(reading: Reading, history: History) -> Iterator[Finding]:
    """Whether the step uses a number that an earlier step reached by an error."""
    if history.wrong_rule is not None and reading.chains:
        yield Finding("inherited", f"it follows step {history.wrong_rule}, which states a wrong rule")
        history.wrong_rule = None
        return
    used = next((quantity for quantity in reading.quantities if quantity in history.wrong_values), None)
    if used is not None:
        source = history.wrong_values[used]
        yield Finding("inherited", f"it uses {show(used)}, which step {source} reached by an error")


def _number(tree: Expression | None) -> Fraction | None:
    """The one number of an expression, whatever its sign and unit."""
    numbers = [part.value for part in walk(tree) if isinstance(part, Number)] if tree is not None else []
    return numbers[0] if len(numbers) == 1 else None
