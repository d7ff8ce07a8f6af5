"""Equations in one unknown: a later form must have the same solutions, and a value found must be one of them.

Linear equations are solved here, exactly. What is not linear goes to sympy in a process of its own with a time limit,
as trees and never as text, so that no model text is ever parsed by Python.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from evpv.judges.checks.findings import Equation, Finding, History, verdict
from evpv.language.chains import Chain, Reading
from evpv.language.evaluation import Value, evaluate, is_moderate, same, show
from evpv.language.expressions import Expression, Number, Operation, Symbol, symbols, walk
from evpv.workers import Calculator

_NEAR_STEPS = 2
_MAX_NODES = 60
_MAX_EXPONENT = 8
_MAX_DEGREE = 8
_MAX_DIGITS = 200
_MOST_UNANSWERED = 2
_SOLVABLE = frozenset({"+", "-", "*", "/", "^", "neg", "percent", "degree", "pi", "sqrt"})


def check_algebra(reading: Reading, history: History, algebra: Algebra) -> Iterator[Finding]:
    """Each equation of the step in one unknown against the last one written in the same unknown."""
    if history.step == 0:
        algebra.begin_candidate()
    if reading.tentative:
        return
    for chain in reading.chains:
        before = _equation_before(chain, history)
        left, right = chain.parts[0], chain.parts[-1]
        if before is None or left.tree is None or right.tree is None:
            continue
        now = Equation(before.unknown, left.tree, right.tree, f"{left.text} = {right.text}", history.step)
        yield from _check_following(now, before, history.values(), algebra)


def _equation_before(chain: Chain, history: History) -> Equation | None:
    """The last equation in a chain's one unknown, if it stands a step or two before.

    The same left side with another value is another case, not a consequence.
    """
    left, right = chain.parts[0].tree, chain.parts[-1].tree
    if left is None or right is None or any(sign not in "=≈" for sign in chain.relations):
        return None
    unknown = (symbols(left) | symbols(right)) - history.values().keys()
    before = next((old for old in reversed(history.equations) if {old.unknown} == unknown), None)
    if before is None or not 0 < history.step - before.step <= _NEAR_STEPS or before.left == left:
        return None
    return before


def _check_following(
    now: Equation, before: Equation, known: Mapping[str, Value], algebra: Algebra
) -> Iterator[Finding]:
    solutions, allowed = (_solutions(equation, known, algebra) for equation in (now, before))
    if not solutions or not allowed:
        return
    follows = all(any(_near(value, other) for other in allowed) for value in solutions)
    truth = " or ".join(f"{now.unknown} = {show(value)}" for value in allowed)
    wrong = f"{now.text} does not follow from {before.text}, which gives {truth}"
    yield verdict("algebra", follows, f"{now.text} follows from {before.text}", wrong)


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
    """sympy in a process of its own, which may leave a few questions of a candidate unanswered and is then not asked again."""

    limit_s: float = 2.0
    process: Calculator = field(init=False)
    _unanswered: int = 0

    def __post_init__(self) -> None:
        self.process = Calculator("evpv.judges.checks.sympy_worker:solve_equations", self.limit_s)

    def solve(self, equation: Equation, known: Mapping[str, Value]) -> list[Value]:
        """The real solutions of an equation that is not linear; none when it is too large or takes too long."""
        tree = Operation("-", (equation.left, equation.right))
        if self._unanswered >= _MOST_UNANSWERED or not _is_small(tree):
            return []
        reply = self.process.ask({"solve": _as_json(tree, known), "for": equation.unknown})
        self._unanswered += reply is None
        return [float(value) for value in reply] if isinstance(reply, list) else []

    def begin_candidate(self) -> None:
        """What one candidate asked in vain is not held against the next: its verdicts are the same alone and among others."""
        self._unanswered = 0

    def close(self) -> None:
        """End the process, if there is one; the next question starts another."""
        self.process.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Size:
    """How large a tree becomes when it is multiplied out: degrees above and below the line, digits, and roots to square away."""

    above: int = 0
    below: int = 0
    digits: int = 1
    roots: int = 0

    @property
    def degree(self) -> int:
        return (self.above + self.below) << self.roots


def _is_small(tree: Expression) -> bool:
    """Whether sympy should be asked at all: few parts, a low degree, short numbers, nothing transcendental in the unknown."""
    if not _has_few_parts(tree):
        return False
    operations = [part for part in walk(tree) if isinstance(part, Operation)]
    if not all(part.operator in _SOLVABLE or not symbols(part) for part in operations):
        return False
    size = _size(tree)
    return size is not None and size.degree <= _MAX_DEGREE and size.digits <= _MAX_DIGITS


def _has_few_parts(tree: Expression) -> bool:
    """Counted without recursion, because nothing is known yet of how deep the tree is."""
    waiting, parts = [tree], 0
    while waiting:
        parts += 1
        if parts > _MAX_NODES:
            return False
        part = waiting.pop()
        waiting.extend(part.operands if isinstance(part, Operation) else ())
    return True


def _size(tree: Expression) -> _Size | None:
    """The size of a tree of few parts; None where an exponent is no small whole number."""
    if isinstance(tree, Symbol):
        return _Size(above=1)
    if isinstance(tree, Number):
        return _Size(digits=len(str(abs(tree.value.numerator))) + len(str(tree.value.denominator)))
    known = [size for operand in tree.operands if (size := _size(operand)) is not None]
    return _size_of_operation(tree, known) if len(known) == len(tree.operands) else None


def _size_of_operation(tree: Operation, sizes: list[_Size]) -> _Size | None:
    match tree.operator, sizes:
        case "^", [inner, _]:
            return _power(inner, tree.operands[1])
        case "sqrt", [inner]:
            return replace(inner, roots=inner.roots + (inner.degree > 0))
        case "/", [one, other]:
            return _product(one, replace(other, above=other.below, below=other.above))
        case "*", [one, other]:
            return _product(one, other)
        case _, [one, other]:
            return replace(_product(one, other), above=max(one.above + other.below, other.above + one.below))
    return sizes[0] if sizes else _Size()


def _product(one: _Size, other: _Size) -> _Size:
    return _Size(
        above=one.above + other.above,
        below=one.below + other.below,
        digits=one.digits + other.digits,
        roots=one.roots + other.roots,
    )


def _power(inner: _Size, exponent: Expression) -> _Size | None:
    if not isinstance(exponent, Number) or exponent.value.denominator > 2 or abs(exponent.value) > _MAX_EXPONENT:
        return None
    times, roots = abs(exponent.value.numerator), inner.roots + exponent.value.denominator - 1
    above, below = (inner.above, inner.below) if exponent.value >= 0 else (inner.below, inner.above)
    return _Size(above=above * times, below=below * times, digits=inner.digits * max(times, 1), roots=roots)


def _as_json(tree: Expression, known: Mapping[str, Value]) -> list[Any]:
    if isinstance(tree, Number):
        return ["number", tree.value.numerator, tree.value.denominator]
    if isinstance(tree, Symbol):
        if tree.name not in known:
            return ["symbol", tree.name]
        value = Fraction(known[tree.name])
        return ["number", value.numerator, value.denominator]
    return [tree.operator, *(_as_json(operand, known) for operand in tree.operands)]
