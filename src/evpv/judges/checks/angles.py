"""Sums of angles and right triangles: what must be 180°, and which side is the longest."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evpv.judges.checks.findings import Finding
from evpv.judges.checks.history import History, right_angles
from evpv.judges.checks.readings import Chain, Part, Reading
from evpv.language.evaluation import evaluate
from evpv.language.expressions import Expression, Number, Operation, Symbol, walk

_SHAPES = {"triangle": 180, "quadrilateral": 360, "pentagon": 540, "hexagon": 720, "heptagon": 900, "octagon": 1080}
_ANGLE = re.compile(r"\bangles?\b|∠")
_STRAIGHT = re.compile(r"\b(?:supplementary|straight (?:line|angle)|linear pair|co-?interior)\b", re.IGNORECASE)
_COMPLEMENTARY = re.compile(r"\bcomplementary\b", re.IGNORECASE)
_SUM = re.compile(
    r"\b(?:sum|add(?:s|ed)?|total|straight angle)\b[^.\n]{0,80}?\b(?:is|to|up to|equals?|of|measures|=)\s+"
    r"(\d{2,4}) ?(?:°|degrees)?",
    re.IGNORECASE,
)


def check_angles(step: int, reading: Reading, history: History) -> Iterator[Finding]:
    """Angle sums stated in words or as an equation, and Pythagoras where the right angle was named."""
    yield from _check_stated_sum(step, reading.text)
    for chain in reading.chains:
        yield from _check_triangle_sum(step, chain)
    vertices = history.right_angles | right_angles(reading.text)
    if len(vertices) == 1:
        for chain in reading.chains:
            yield from _check_pythagoras(step, chain, *vertices)


def _check_stated_sum(step: int, text: str) -> Iterator[Finding]:
    for sentence in re.split(r"[.\n;]", text[:4000]):
        low = sentence.lower()
        expected = next((degrees for shape, degrees in _SHAPES.items() if shape in low and _ANGLE.search(low)), None)
        expected = 180 if _STRAIGHT.search(low) else 90 if _COMPLEMENTARY.search(low) else expected
        stated = _SUM.search(sentence)
        if expected is None or stated is None or "exterior" in low or "two" in low:
            continue
        if int(stated[1]) == expected:
            yield Finding(kind="formula-right", explanation=f"right: the angles add to {expected}°", step=step)
        else:
            explanation = f"wrong: these angles add to {expected}°, not {stated[1]}°"
            yield Finding(kind="formula-wrong", explanation=explanation, step=step)


def _check_triangle_sum(step: int, chain: Chain) -> Iterator[Finding]:
    """∠ABC + ∠BCA + ∠CAB: three angles over the same three letters, each letter once in the middle."""
    tree, last = chain.parts[0].tree, chain.parts[-1].tree
    names = [part.name for part in walk(tree) if isinstance(part, Symbol)] if tree is not None else []
    angles = [name for name in names if name.startswith("∠") and len(name) == 4]
    if len(angles) != 3 or len(names) != 3 or len(set("".join(angles))) != 4 or len({name[2] for name in angles}) != 3:
        return
    plain = all(part.operator == "+" for part in walk(tree) if isinstance(part, Operation)) if tree else False
    value = evaluate(last) if last is not None and plain else None
    if value is None:
        return
    if value == 180:
        yield Finding(kind="formula-right", explanation="right: the angles of a triangle add to 180°", step=step)
    else:
        explanation = f"wrong: the angles of a triangle add to 180°, not {chain.parts[-1].text}"
        yield Finding(kind="formula-wrong", explanation=explanation, step=step)


def _check_pythagoras(step: int, chain: Chain, vertex: str) -> Iterator[Finding]:
    """XY² is a sum of squares when XY faces the right angle, else a difference."""
    side = _squared_side(chain.parts[0])
    sign = next((sign for part in chain.parts[1:] if (sign := _sign_of_squares(part.tree))), None)
    if side is None or sign is None:
        return
    needed = "-" if vertex in side else "+"
    what = "a leg" if needed == "-" else "the hypotenuse"
    if sign == needed:
        explanation = f"right: {side} is {what} of the right angle at {vertex}"
        yield Finding(kind="formula-right", explanation=explanation, step=step)
    else:
        rule = "the difference" if needed == "-" else "the sum"
        explanation = f"wrong: {side} is {what} of the right angle at {vertex}, so its square is {rule} of the others"
        yield Finding(kind="formula-wrong", explanation=explanation, step=step)


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
