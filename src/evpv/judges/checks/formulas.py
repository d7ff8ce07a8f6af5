"""Formulas that it knows: a step that names one and states or applies it wrongly is found; sums of angles and right triangles too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from evpv.judges.checks.findings import Finding, verdict
from evpv.judges.checks.history import History, right_angles, value_of
from evpv.judges.checks.wordings import ANGLE, COMPLEMENTARY, SENTENCE_ENDS, STRAIGHT, SUM
from evpv.language.chains import Chain, Part, Reading
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


_FORMULAS: tuple[Formula, ...] = (
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


def check_formulas(reading: Reading) -> Iterator[Finding]:
    """The formulas that the step's words name, against its first expression."""
    low = reading.text.lower()
    for formula in _FORMULAS:
        if all(word in low for word in formula.named) and not any(word in low for word in formula.unless):
            yield from _check_use(formula, reading)


def _check_use(formula: Formula, reading: Reading) -> Iterator[Finding]:
    """The first expression of the step decides: later ones may be other work."""
    parts = [*reading.expressions, *(part for chain in reading.chains for part in chain.parts)]
    used = [(part.start, part.text, part.tree) for part in parts if part.tree is not None and _has_two_terms(part.tree)]
    if not used:
        return
    _, text, tree = min(used, key=lambda use: use[0])
    sentence = f"{formula.name}; here {text}"
    yield verdict("formula", formula.fits(tree), sentence, sentence)


def _has_two_terms(tree: Expression) -> bool:
    return sum(isinstance(part, Number | Symbol) or part == PI for part in walk(tree)) > 1


_SHAPES = {"triangle": 180, "quadrilateral": 360, "pentagon": 540, "hexagon": 720, "heptagon": 900, "octagon": 1080}


def check_angles(reading: Reading, history: History) -> Iterator[Finding]:
    """Angle sums stated in words or as an equation, and Pythagoras where the right angle was named."""
    yield from _check_stated_sum(reading.text)
    for chain in reading.chains:
        yield from _check_triangle_sum(chain)
    vertices = history.right_angles | right_angles(reading.text)
    if len(vertices) == 1:
        for chain in reading.chains:
            yield from _check_pythagoras(chain, *vertices)


def _check_stated_sum(text: str) -> Iterator[Finding]:
    for sentence in SENTENCE_ENDS.split(text[:4000]):
        expected, stated = _known_sum(sentence.lower()), SUM.search(sentence)
        if expected is None or stated is None:
            continue
        right, wrong = f"the angles add to {expected}°", f"these angles add to {expected}°, not {stated[1]}°"
        yield verdict("formula", int(stated[1]) == expected, right, wrong)


def _known_sum(sentence: str) -> int | None:
    """What the angles that a sentence is about add to; None where it is about others: two of them, or exterior ones."""
    if "exterior" in sentence or "two" in sentence:
        return None
    if STRAIGHT.search(sentence):
        return 180
    if COMPLEMENTARY.search(sentence):
        return 90
    if not ANGLE.search(sentence):
        return None
    return next((degrees for shape, degrees in _SHAPES.items() if shape in sentence), None)


def _check_triangle_sum(chain: Chain) -> Iterator[Finding]:
    value = value_of(chain.parts[-1]) if _adds_angles_of_triangle(chain.parts[0].tree) else None
    if value is not None:
        rule = "the angles of a triangle add to 180°"
        yield verdict("formula", value == 180, rule, f"{rule}, not {chain.parts[-1].text}")


def _adds_angles_of_triangle(tree: Expression | None) -> bool:
    """∠ABC + ∠BCA + ∠CAB: three angles over the same three letters, each letter once in the middle."""
    if tree is None or not set(_operators(tree)) <= {"+"}:
        return False
    names = [part.name for part in walk(tree) if isinstance(part, Symbol)]
    if [(name[:1], len(name)) for name in names] != [("∠", 4)] * 3:
        return False
    return len(set("".join(names))) == 4 and len({name[2] for name in names}) == 3


def _check_pythagoras(chain: Chain, vertex: str) -> Iterator[Finding]:
    """XY² is a sum of squares when XY faces the right angle, else a difference."""
    side = _squared_side(chain.parts[0])
    sign = next((sign for part in chain.parts[1:] if (sign := _sign_of_squares(part.tree))), None)
    if side is None or sign is None:
        return
    needed = "-" if vertex in side else "+"
    what, rule = ("a leg", "the difference") if needed == "-" else ("the hypotenuse", "the sum")
    place = f"{side} is {what} of the right angle at {vertex}"
    yield verdict("formula", sign == needed, place, f"{place}, so its square is {rule} of the others")


def _squared_side(part: Part) -> str | None:
    tree = part.tree
    if not isinstance(tree, Operation) or tree.operator != "^" or not isinstance(tree.operands[0], Symbol):
        return None
    name = tree.operands[0].name
    return name if len(name) == 2 and name.isupper() else None


def _sign_of_squares(tree: Expression | None) -> str | None:
    """The sign between two squares of numbers."""
    if not isinstance(tree, Operation) or tree.operator not in ("+", "-"):
        return None
    squares = [part for part in tree.operands if isinstance(part, Operation) and part.operator == "^"]
    return (
        tree.operator if len(squares) == 2 and all(isinstance(part.operands[1], Number) for part in squares) else None
    )
