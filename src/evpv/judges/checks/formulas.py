"""Formulas that it knows: a step that names one and states or applies it wrongly is found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from evpv.judges.checks.findings import Finding, Kind
from evpv.judges.checks.readings import Reading
from evpv.language.expressions import PI, Expression, Number, Operation, Symbol, walk


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula's name, the words a sentence must hold and must not hold, and whether a tree may be its use."""

    name: str
    named: tuple[str, ...]
    unless: tuple[str, ...]
    fits: Callable[[Expression], bool]


def _numbers(tree: Expression) -> list[Fraction]:
    return [part.value for part in walk(tree) if isinstance(part, Number)]


def _operators(tree: Expression) -> list[str]:
    return [part.operator for part in walk(tree) if isinstance(part, Operation)]


def _letters(tree: Expression) -> set[str]:
    return {part.name for part in walk(tree) if isinstance(part, Symbol)}


def _has_pi(tree: Expression) -> bool:
    near = any(Fraction("3.14") <= value <= Fraction("3.15") for value in _numbers(tree))
    return "pi" in _operators(tree) or near


def _has_factor(tree: Expression, above: int, below: int) -> bool:
    """Whether a product holds above/below, as a fraction, a decimal or a division by `below`."""
    numbers, operators = _numbers(tree), _operators(tree)
    written = any(abs(value - Fraction(above, below)) < Fraction(1, 100) for value in numbers)
    return written or ("/" in operators and Fraction(below) in numbers)


def _squares(tree: Expression) -> bool:
    """Whether something is squared: x^2, or the same number twice in a product."""
    numbers = [value for value in _numbers(tree) if value != 2]
    return "^" in _operators(tree) or len(numbers) > len(set(numbers))


def _is_volume(tree: Expression) -> bool:
    return _has_pi(tree) and "^" in _operators(tree)


def _only(operators: set[str]) -> Callable[[Expression], bool]:
    return lambda tree: set(_operators(tree)) <= operators


FORMULAS: tuple[Formula, ...] = (
    Formula("the area of a triangle is half of base times height", ("area", "triangle"),
            ("rectangle", "square", "parallelogram", "circle", "equilateral", "trapez", "ratio", "similar", "prism", "radius",
             "sin", "times the", "total"),
            lambda tree: _has_factor(tree, 1, 2) or not _only({"*"})(tree) or not _letters(tree) <= set("bhBH")),
    Formula("the area of a circle is π times the radius squared", ("area", "circle"),
            ("sector", "semi", "square", "rectangle", "shaded", "circumference", "ring", "quarter", "half"),
            lambda tree: not _has_pi(tree) or _squares(tree)),
    Formula("the circumference of a circle is 2π times the radius", ("circumference",), ("area", "semi", "arc", "half"),
            lambda tree: not _has_pi(tree) or not _squares(tree)),
    Formula("the volume of a cone is a third of π r² h", ("cone",), ("cylinder", "sphere", "total", "ratio", "area"),
            lambda tree: not _is_volume(tree) or _has_factor(tree, 1, 3)),
    Formula("the volume of a sphere is 4/3 π r³", ("sphere",), ("hemi", "cylinder", "cone", "total", "area"),
            lambda tree: not _is_volume(tree) or _has_factor(tree, 4, 3)),
    Formula("the volume of a hemisphere is 2/3 π r³", ("hemisphere",), ("cylinder", "cone", "total", "area"),
            lambda tree: not _is_volume(tree) or (_has_factor(tree, 2, 3) and Fraction(4) not in _numbers(tree))),
    Formula("the volume of a cylinder is π r² h", ("cylinder",), ("cone", "sphere", "total", "half", "area"),
            lambda tree: not _is_volume(tree) or not _has_factor(tree, 1, 3)),
    Formula("the area of a trapezoid is half of (a + b) times h", ("trapez",), ("triangle", "rectangle", "perimeter", "half"),
            lambda tree: not {"+", "*"} <= set(_operators(tree)) or _has_factor(tree, 1, 2)),
    Formula("the perimeter of a rectangle is twice the sum of its sides", ("perimeter", "rectangle"), ("area",),
            lambda tree: "+" in _operators(tree)),
    Formula("the area of a rectangle is length times width", ("area", "rectangle"),
            ("perimeter", "total", "two", "triangle", "sum", "shaded", "surface", "circle"),
            lambda tree: "+" not in _operators(tree) or "*" in _operators(tree)),
    Formula("the hypotenuse is the root of the sum of the squares", ("hypotenuse",), ("leg", "other side", "missing"),
            lambda tree: "sqrt" not in _operators(tree) or "-" not in _operators(tree)),
)  # fmt: skip


def check_formulas(step: int, reading: Reading) -> Iterator[Finding]:
    """The formulas that the step's words name, against its first expression."""
    low = reading.text.lower()
    for formula in FORMULAS:
        if all(word in low for word in formula.named) and not any(word in low for word in formula.unless):
            yield from _check_use(step, formula, reading)


def _check_use(step: int, formula: Formula, reading: Reading) -> Iterator[Finding]:
    """The first expression of the step decides: later ones may be other work."""
    parts = [*reading.expressions, *(part for chain in reading.chains for part in chain.parts)]
    used = [(part.start, part.text, part.tree) for part in parts if part.tree is not None and _has_two_terms(part.tree)]
    if not used:
        return
    _, text, tree = min(used, key=lambda use: use[0])
    fits = formula.fits(tree)
    kind: Kind = "formula-right" if fits else "formula-wrong"
    explanation = f"{'right' if fits else 'wrong'}: {formula.name}; here {text}"
    yield Finding(kind=kind, explanation=explanation, step=step)


def _has_two_terms(tree: Expression) -> bool:
    return sum(isinstance(part, Number | Symbol) or part == PI for part in walk(tree)) > 1
