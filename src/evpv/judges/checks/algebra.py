"""Equations in one unknown: a later form must have the same solutions, and a value found must be one of them.

Linear equations are solved here, exactly. What is not linear goes to sympy in a process of its own with a time limit,
as trees and never as text, so that no model text is ever parsed by Python.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from evpv.backends.line_process import LineProcess
from evpv.judges.checks.findings import Finding
from evpv.judges.checks.history import Equation, History
from evpv.judges.checks.readings import Reading
from evpv.language.evaluation import Value, evaluate, is_moderate, same, show
from evpv.language.expressions import Expression, Number, Operation, Symbol, symbols, walk

_NEAR_STEPS = 2
_MAX_NODES = 60
_MAX_EXPONENT = 8
_SOLVABLE = frozenset({"+", "-", "*", "/", "^", "neg", "percent", "degree", "pi", "sqrt"})


def check_algebra(step: int, reading: Reading, history: History, algebra: Algebra) -> Iterator[Finding]:
    """Each equation of the step in one unknown against the last one written in the same unknown."""
    if reading.tentative:
        return
    for chain in reading.chains:
        if any(sign not in "=≈" for sign in chain.relations):
            continue
        left, right = chain.parts[0].tree, chain.parts[-1].tree
        if left is None or right is None:
            continue
        known = history.values()
        unknown = (symbols(left) | symbols(right)) - known.keys()
        before = next((old for old in reversed(history.equations) if {old.unknown} == unknown), None)
        if before is None or not 0 < step - before.step <= _NEAR_STEPS or before.left == left:
            continue  # the same left side with another value is another case, not a consequence
        now = Equation(before.unknown, left, right, f"{chain.parts[0].text} = {chain.parts[-1].text}", step)
        yield from _check_following(now, before, known, algebra)


def _check_following(
    now: Equation, before: Equation, known: Mapping[str, Value], algebra: Algebra
) -> Iterator[Finding]:
    solutions, allowed = (_solutions(equation, known, algebra) for equation in (now, before))
    if not solutions or not allowed:
        return
    if all(any(_near(value, other) for other in allowed) for value in solutions):
        yield Finding(kind="algebra-right", explanation=f"right: {now.text} follows from {before.text}", step=now.step)
    else:
        truth = " or ".join(f"{now.unknown} = {show(value)}" for value in allowed)
        explanation = f"wrong: {now.text} does not follow from {before.text}, which gives {truth}"
        yield Finding(kind="algebra-wrong", explanation=explanation, step=now.step)


def _near(value: Value, other: Value) -> bool:
    """Solutions may have been rounded on the way: half a percent."""
    return same(value, other) or abs(float(value) - float(other)) <= 0.005 * max(1.0, abs(float(other)))


def _solutions(equation: Equation, known: Mapping[str, Value], algebra: Algebra) -> list[Value]:
    """The real solutions; none when they cannot be found."""
    samples = []
    for point in (Fraction(0), Fraction(1), Fraction(2), Fraction(5)):
        left = evaluate(equation.left, {**known, equation.unknown: point})
        right = evaluate(equation.right, {**known, equation.unknown: point})
        if left is None or right is None:
            return algebra.solve(equation, known)
        samples.append(left - right)
    slope = samples[1] - samples[0]
    linear = same(samples[2], samples[0] + 2 * slope) and same(samples[3], samples[0] + 5 * slope)
    if not linear:
        return algebra.solve(equation, known)
    if same(slope, Fraction(0)):
        return []
    root = -samples[0] / slope
    return [root] if is_moderate(root) else []


@dataclass(slots=True)
class Algebra:
    """sympy in a process of its own."""

    limit_s: float = 2.0
    process: LineProcess = field(init=False)

    def __post_init__(self) -> None:
        self.process = LineProcess("evpv.judges.checks.sympy_worker", self.limit_s)

    def solve(self, equation: Equation, known: Mapping[str, Value]) -> list[Value]:
        """The real solutions of an equation that is not linear; none when it is too large or takes too long."""
        tree = Operation("-", (equation.left, equation.right))
        if not _is_small(tree):
            return []
        reply = self.process.ask({"solve": _as_json(tree, known), "for": equation.unknown})
        return [float(value) for value in reply] if isinstance(reply, list) else []

    def close(self) -> None:
        """End the process, if there is one; the next question starts another."""
        self.process.close()


def _is_small(tree: Expression) -> bool:
    """Whether sympy should be asked at all: few parts, small exponents, nothing transcendental in the unknown."""
    nodes = list(walk(tree))
    operations = [part for part in nodes if isinstance(part, Operation)]
    powers = [part.operands[1] for part in operations if part.operator == "^"]
    mild = all(isinstance(power, Number) and abs(power.value) <= _MAX_EXPONENT for power in powers)
    solvable = all(part.operator in _SOLVABLE or not symbols(part) for part in operations)
    return len(nodes) <= _MAX_NODES and mild and solvable


def _as_json(tree: Expression, known: Mapping[str, Value]) -> list[Any]:
    if isinstance(tree, Number):
        return ["number", tree.value.numerator, tree.value.denominator]
    if isinstance(tree, Symbol):
        if tree.name not in known:
            return ["symbol", tree.name]
        value = Fraction(known[tree.name])
        return ["number", value.numerator, value.denominator]
    return [tree.operator, *(_as_json(operand, known) for operand in tree.operands)]
