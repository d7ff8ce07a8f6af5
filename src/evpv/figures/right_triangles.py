"""Right triangles with labelled sides: the hypotenuse, a leg, the area."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from PIL import Image

from evpv.figures import marks
from evpv.figures.drawing import Canvas, Point, centre_of, fit_into, pale, turn_points
from evpv.figures.notation import measure, number, root
from evpv.figures.writing import Amount, Scene, Sheet, misbuilt, misreadings, mixed_up, wrong_conclusions, wrong_facts
from evpv.types import Box, Constraint, Relation

_SIZE = (480, 380)
_TRIPLES = ((3, 4, 5), (5, 12, 13), (8, 15, 17), (7, 24, 25), (20, 21, 29), (9, 40, 41), (12, 35, 37))


@dataclass(frozen=True, slots=True, kw_only=True)
class _RightTriangle:
    """The right angle is at the first letter; `sides` are first–second, first–third (the legs), second–third."""

    letters: str
    sides: tuple[int, int, int]
    unit: str

    @property
    def names(self) -> tuple[str, str, str]:
        corner, second, third = tuple(self.letters)
        return corner + second, corner + third, second + third


def make(rng: Random, *, small: bool = False) -> Scene:
    """One of the three questions."""
    triangle = _triangle(rng)
    wanted, shown = rng.choice(((2, (0, 1)), (1, (0, 2)), (3, (0, 1))))
    image, facts = _draw(triangle, rng, shown, small)
    if wanted == 3:
        question = f"What is the area of triangle {triangle.letters} in square {triangle.unit or 'units'}?"
        solve = partial(_solve_area, triangle)
    else:
        side, unit = triangle.names[wanted], f" in {triangle.unit}" if triangle.unit else ""
        asked = (f"Find the length of {side}{unit}.", f"In triangle {triangle.letters}, how long is {side}{unit}?")
        question = rng.choice(asked)
        solve = partial(_solve_hypotenuse if wanted == 2 else _solve_leg, triangle)
    return Scene(image, question, facts, solve, rng.random() < 0.3)


def _triangle(rng: Random) -> _RightTriangle:
    a, b, c = rng.choice(_TRIPLES)
    times = rng.randint(1, max(1, 40 // c))
    legs = [a * times, b * times]
    rng.shuffle(legs)
    letters = "".join(rng.sample(rng.choice(marks.LETTERS)[:3], 3))
    return _RightTriangle(letters=letters, sides=(legs[0], legs[1], c * times), unit=rng.choice(("cm", "m", "ft", "")))


def _read_corner(sheet: Sheet, triangle: _RightTriangle) -> bool:
    """Whether the right angle is seen where it is; the mistake puts it at the second letter."""
    corner, second, third = tuple(triangle.letters)
    seen = sheet.decide("corner", True, *misbuilt(False))
    at, other = (corner, second) if seen else (second, corner)
    sheet.say("perpendicular", "corner", first=at + other, second=at + third, at=at)
    return seen


def _read_side(sheet: Sheet, triangle: _RightTriangle, index: int, taken: int | None = None) -> int:
    """A labelled side, or a number like it, or the label of another side (`taken`)."""
    value = triangle.sides[index]
    other = mixed_up(triangle.sides[taken]) if taken is not None else ()
    read = sheet.decide(f"side-{index}", value, *misreadings(value), *other)
    sheet.say("length", f"side-{index}", name=triangle.names[index], amount=measure(read, triangle.unit))
    return read


def _solve_hypotenuse(triangle: _RightTriangle, sheet: Sheet) -> None:
    _, long, wanted = triangle.names
    sheet.say("right-triangles/plan", optional=True, wanted=wanted)
    seen = _read_corner(sheet, triangle)
    first, second = (_read_side(sheet, triangle, i, 1 - i) for i in (0, 1))
    rule = sheet.decide("rule", "sum", *wrong_facts("unrooted"), *wrong_conclusions("added"))
    if rule == "added":
        total = sheet.calculate("square", first + second)
        sheet.say("right-triangles/rule:added", wanted=wanted, first=first, second=second, total=total)
        return _answer(sheet, triangle, wanted, total)
    minus = not seen and second > first
    case = "other-hypotenuse" if minus else "hypotenuse"
    sheet.say(f"right-triangles/rule:{case}", long=long, wanted=wanted, first=first, second=second)
    one, two = first**2, second**2
    square = sheet.calculate("square", two - one if minus else one + two)
    sheet.say(f"right-triangles/square:{case}", wanted=wanted, one=one, two=two, square=square)
    return _take_root(sheet, triangle, wanted, square, rule == "unrooted")


def _solve_leg(triangle: _RightTriangle, sheet: Sheet) -> None:
    wanted = triangle.names[1]
    sheet.say("right-triangles/plan", optional=True, wanted=wanted)
    seen = _read_corner(sheet, triangle)
    short, long = _read_side(sheet, triangle, 0, 2), _read_side(sheet, triangle, 2)
    rule = sheet.decide("rule", "difference", *wrong_facts("sum", "unrooted"))
    sign = "−" if rule != "sum" and seen and long > short else "+"
    sheet.say("right-triangles/rule:leg", wanted=wanted, long=long, sign=sign, short=short)
    one, two = long**2, short**2
    square = sheet.calculate("square", one - two if sign == "−" else one + two)
    sheet.say("right-triangles/square:leg", wanted=wanted, one=one, sign=sign, two=two, square=square)
    _take_root(sheet, triangle, wanted, square, rule == "unrooted")


def _take_root(sheet: Sheet, triangle: _RightTriangle, wanted: str, square: int, forgotten: bool) -> None:
    value: Amount = sheet.calculate("root", square / 2 if forgotten else root(square))
    sign = "=" if isinstance(root(square), int) else "≈"
    case = "right-triangles/root:halved" if forgotten else "right-triangles/root"
    sheet.say(case, wanted=wanted, square=square, sign=sign, value=value)
    _answer(sheet, triangle, wanted, value)


def _answer(sheet: Sheet, triangle: _RightTriangle, wanted: str, value: Amount) -> None:
    unit = f" {triangle.unit}" if triangle.unit else ""
    sheet.say_answer("right-triangles/answer:side", number(value), unit, wanted=wanted)


def _solve_area(triangle: _RightTriangle, sheet: Sheet) -> None:
    one, two, _ = triangle.names
    sheet.say("perpendicular", "corner", first=one, second=two, at=triangle.letters[0])
    if sheet.decide("aside", False, *misbuilt(True)):
        sheet.say("equal", "aside", first=one, second=two)
    first, other = (_read_side(sheet, triangle, i) for i in (0, 1))
    divisor = sheet.decide("divisor", 2, *wrong_facts(1, 3))
    divided, over = (f", divided by {divisor}", f" ÷ {divisor}") if divisor > 1 else ("", "")
    sheet.say("right-triangles/rule:area", divided=divided, over=over)
    product = sheet.calculate("product", first * other)
    sheet.say("right-triangles/product", first=first, other=other, product=product)
    area: Amount = sheet.calculate("area", product / divisor)
    if divisor != 1:
        sheet.say("right-triangles/area", product=product, divisor=divisor, area=area)
    sheet.say_answer("right-triangles/answer:area", number(area), f" {triangle.unit}²" if triangle.unit else "")


def _draw(
    triangle: _RightTriangle, rng: Random, shown: tuple[int, ...], small: bool
) -> tuple[Image.Image, tuple[Constraint, ...]]:
    canvas = marks.figure_canvas(rng, _SIZE, small=small)
    # Very flat triangles leave no room for labels: the drawing keeps at least a third of the long leg.
    width, height = triangle.sides[0], triangle.sides[1]
    flat = max(width, height) / 2.4
    shape = [(0.0, 0.0), (max(width, flat), 0.0), (0.0, -max(height, flat))]
    turn = rng.choice((0, 0, 90, 180, 270)) if small or rng.random() < 0.7 else rng.uniform(0, 360)
    corners = fit_into(turn_points(shape, turn, mirror=rng.random() < 0.5), *marks.shape_room(_SIZE, small=small))
    canvas.polygon(corners, pale(rng.choice(canvas.style.palette)) if canvas.style.shading else None)
    box = marks.right_angle(canvas, corners[0], (corners[1], corners[2]), 8 if small else 15)
    facts: list[Constraint] = [Relation(type="perpendicular", entities=triangle.names[:2], box=box)]
    marks.letter_corners(canvas, triangle.letters, corners)
    boxes = _side_boxes(canvas, triangle, corners, {i: measure(triangle.sides[i], triangle.unit) for i in shown}, rng)
    facts += [marks.length_fact(triangle.names[i], triangle.sides[i], triangle.unit, boxes[i]) for i in shown]
    return canvas.finish(rng), tuple(facts)


def _side_boxes(
    canvas: Canvas, triangle: _RightTriangle, corners: Sequence[Point], words: dict[int, str], rng: Random
) -> dict[int, Box]:
    """Write the sides' lengths along them, or beside a small figure in a list by name; answers with where each stands."""
    if (canvas.width, canvas.height) == _SIZE:
        ends, centre = ((0, 1), (0, 2), (1, 2)), centre_of(corners)
        sides = {i: (corners[ends[i][0]], corners[ends[i][1]]) for i in words}
        return {i: marks.side_label(canvas, sides[i], one, centre) for i, one in words.items()}
    lines = sorted(("".join(sorted(triangle.names[i])) + f"={one}", i) for i, one in words.items())
    places = marks.given_list(canvas, [line for line, _ in lines], rng)
    return {i: box for (_, i), box in zip(lines, places, strict=True)}
