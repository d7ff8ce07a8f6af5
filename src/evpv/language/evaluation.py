"""The exact value of an expression, and whether two values agree as written.

Fractions wherever they can hold the value; floats only for roots, π and functions. Every operation is refused before
it is done when its result would be too large, so that 9**9**9**9 costs nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from operator import add, mul, sub, truediv
from typing import TypeAlias

from evpv.language.expressions import Expression, Number, Operation, Symbol, walk
from evpv.language.immutable import immutable

ExactValue: TypeAlias = Fraction | float

_MAX_BITS = 900  # every value fits a float
_LEAST_TOLERANCE = 1e-9
# A whole number given for a value that is not whole is taken for a rounding only from here on: 10/3 = 3 is wrong.
_ROUNDED_TO_WHOLE_FROM = 20


@immutable
class _Convention:
    """How to read what writers leave open: "25%" as 1/4 or as 25, "sin 30" in degrees or in radians."""

    percent: Fraction = Fraction(1, 100)
    degrees: bool = True


class _UndefinedError(Exception):
    """Raised inside the evaluator only: `evaluate` turns it into None."""


def evaluate(tree: Expression, convention: _Convention | None = None) -> ExactValue | None:
    """The value of `tree`, or None: a letter, a division by zero, or a number too large to hold."""
    try:
        return _value(tree, convention or _Convention())
    except (_UndefinedError, OverflowError, ZeroDivisionError):
        return None


def conventions(*trees: Expression) -> Iterator[_Convention]:
    """The ways to read these trees: one, unless they hold percent signs or angles in functions."""
    operators = {operator for tree in trees for operator in _operators(tree)}
    yield _Convention()
    if "percent" in operators:
        yield _Convention(percent=Fraction(1))
    if operators & {"sin", "cos", "tan", "cot", "sec", "csc"}:
        yield _Convention(degrees=False)


def _operators(tree: Expression) -> set[str]:
    return {part.operator for part in walk(tree) if isinstance(part, Operation)}


def _value(tree: Expression, convention: _Convention) -> ExactValue:
    """The value, from the leaves up and without recursion: a long sum is a deep tree. What is too large to go on with is refused."""
    values: list[ExactValue] = []
    for part in reversed(list(walk(tree))):
        if isinstance(part, Symbol):
            raise _UndefinedError
        if isinstance(part, Number):
            values.append(part.value)
            continue
        value = _apply(part.operator, [values.pop() for _ in part.operands], convention)
        exact = (value.numerator, value.denominator) if isinstance(value, Fraction) else ()
        if any(number.bit_length() > _MAX_BITS for number in exact) or not math.isfinite(value):
            raise _UndefinedError
        values.append(value)
    return values[0]


def _apply(operator: str, operands: list[ExactValue], convention: _Convention) -> ExactValue:
    if operator in _BINARY:
        return _BINARY[operator](*operands)
    first = operands[0] if operands else math.pi
    match operator:
        case "neg":
            return -first
        case "percent":
            return first * convention.percent
        case "degree" | "pi":
            return first
        case "sqrt":
            return _root(first)
        case _:
            return _function(operator, float(first), convention)


def _power(base: ExactValue, exponent: ExactValue) -> ExactValue:
    if exponent == Fraction(1, 2):
        return _root(base)
    if isinstance(base, Fraction) and isinstance(exponent, Fraction) and exponent.denominator == 1:
        bits = max(base.numerator.bit_length(), base.denominator.bit_length())
        if bits * abs(exponent) > _MAX_BITS:
            raise _UndefinedError
        return Fraction(base ** int(exponent))
    if base < 0:
        raise _UndefinedError
    return math.pow(base, exponent)


_BINARY: dict[str, Callable[[ExactValue, ExactValue], ExactValue]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "/": truediv,
    "^": _power,
}


def _root(value: ExactValue) -> ExactValue:
    if value < 0:
        raise _UndefinedError
    if isinstance(value, Fraction):
        above, below = math.isqrt(value.numerator), math.isqrt(value.denominator)
        if above * above == value.numerator and below * below == value.denominator:
            return Fraction(above, below)
    return math.sqrt(value)


def _function(name: str, argument: float, convention: _Convention) -> ExactValue:
    if name in ("log", "ln"):
        if argument <= 0:
            raise _UndefinedError
        return math.log10(argument) if name == "log" else math.log(argument)
    if name.startswith("arc"):
        if name != "arctan" and abs(argument) > 1:
            raise _UndefinedError
        result = {"arcsin": math.asin, "arccos": math.acos, "arctan": math.atan}[name](min(1, max(-1, argument)))
        return math.degrees(result) if convention.degrees else result
    angle = math.radians(argument) if convention.degrees else argument
    sine, cosine = math.sin(angle), math.cos(angle)
    parts = {
        "sin": (sine, 1), "cos": (cosine, 1), "tan": (sine, cosine),
        "cot": (cosine, sine), "sec": (1, cosine), "csc": (1, sine),
    }  # fmt: skip
    above, below = parts[name]
    if abs(below) < 1e-12:
        raise _UndefinedError
    return above / below


def same(left: ExactValue, right: ExactValue) -> bool:
    """Whether two values are equal, up to the error of floats."""
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return left == right
    return math.isclose(left, right, rel_tol=_LEAST_TOLERANCE, abs_tol=_LEAST_TOLERANCE)


def agrees(left: ExactValue, right: ExactValue, written: Expression, *, about: bool = False) -> bool:
    """Whether `right`, written as `written`, is `left`, or `left` rounded or cut off to the places written.

    About (≈): a unit in the last place written, or 1 %. A whole number is a rounding only of larger values.
    """
    if same(left, right):
        return True
    gap, size = abs(float(left) - float(right)), abs(float(left))
    places = _places(written)
    if about:
        return gap <= max(10.0**-places, 0.01 * size)
    if places == 0:
        return not isinstance(left, Fraction) and size >= _ROUNDED_TO_WHOLE_FROM and gap <= 0.5
    unit = 10.0**-places * (0.01 if "percent" in _operators(written) else 1.0)
    is_rounded = gap < unit * (1 + _LEAST_TOLERANCE) and gap <= 0.05 * max(size, unit)
    return is_rounded or (places >= 4 and gap <= 1e-4 * size)  # √0.00013333 for √(0.1 / 750)


def _places(written: Expression) -> int:
    return max((part.decimals for part in walk(written) if isinstance(part, Number)), default=0)


def show(value: ExactValue) -> str:
    """A value as people write it: whole, a short decimal, or a fraction.

    >>> show(Fraction(5, 2)), show(Fraction(1, 3)), show(2**0.5)
    ('2.5', '1/3', '1.41421')
    """
    if isinstance(value, Fraction):
        if value.denominator == 1:
            return str(value.numerator) if value.numerator.bit_length() < 200 else f"{float(value):.4g}"
        if 10**6 % value.denominator == 0:
            return f"{float(value):.6f}".rstrip("0").rstrip(".")
        return f"{value.numerator}/{value.denominator}" if value.denominator < 1000 else f"{float(value):.6g}"
    return f"{value:.6g}"
