"""Right triangles with labelled sides: the hypotenuse, a leg, the area."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from PIL import Image

from evpv.figures import phrases
from evpv.figures.drawing import Canvas, Point, centre_of, fit_into, pale, turn_points
from evpv.figures.marks import figure_canvas, given_list, letter_corners, right_angle, shape_room, side_label
from evpv.figures.notation import equals, number, root
from evpv.figures.phrases import LETTERS, confusions
from evpv.figures.writing import Amount, Scene, Sheet, misbuilt, misread, mixed_up, wrong_conclusions, wrong_facts
from evpv.types import Box, Constraint

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
    image, constraints = _draw(triangle, rng, shown, small)
    name = "".join(triangle.letters)
    if wanted == 3:
        question = f"What is the area of triangle {name} in square {triangle.unit or 'units'}?"
        solve = partial(_solve_area, triangle)
    else:
        side, unit = triangle.names[wanted], f" in {triangle.unit}" if triangle.unit else ""
        question = rng.choice((f"Find the length of {side}{unit}.", f"In triangle {name}, how long is {side}{unit}?"))
        solve = partial(_solve_hypotenuse if wanted == 2 else _solve_leg, triangle)
    return Scene(
        image=image, question=question, constraints=constraints, solve=solve, multiple_choice=rng.random() < 0.3
    )


def _triangle(rng: Random) -> _RightTriangle:
    a, b, c = rng.choice(_TRIPLES)
    times = rng.randint(1, max(1, 40 // c))
    legs = [a * times, b * times]
    rng.shuffle(legs)
    letters = "".join(rng.sample(rng.choice(LETTERS)[:3], 3))
    return _RightTriangle(letters=letters, sides=(legs[0], legs[1], c * times), unit=rng.choice(("cm", "m", "ft", "")))


def _read_corner(sheet: Sheet, triangle: _RightTriangle) -> bool:
    """Whether the right angle is seen where it is; the mistake puts it at the second letter."""
    corner, second, third = tuple(triangle.letters)
    seen = sheet.decide("corner", True, *misbuilt(False))
    at, other = (corner, second) if seen else (second, corner)
    phrases.perpendicular(at + other, at + third, at).on(sheet, "corner")
    return seen


def _read_side(sheet: Sheet, triangle: _RightTriangle, index: int, taken: int | None = None) -> int:
    """A labelled side, or a number like it, or the label of another side (`taken`)."""
    value = triangle.sides[index]
    other = mixed_up(triangle.sides[taken]) if taken is not None else ()
    read = sheet.decide(f"side-{index}", value, *misread(*confusions(value)), *other)
    phrases.length(triangle.names[index], read, triangle.unit).on(sheet, f"side-{index}")
    return read


def _solve_hypotenuse(triangle: _RightTriangle, sheet: Sheet) -> None:
    _plan(sheet, triangle.names[2])
    seen = _read_corner(sheet, triangle)
    first, second = (_read_side(sheet, triangle, i, 1 - i) for i in (0, 1))
    rule = sheet.decide("rule", "sum", *wrong_facts("unrooted"), *wrong_conclusions("added"))
    _, long, wanted = triangle.names
    if rule == "added":
        total = sheet.calculate("square", first + second)
        sheet.step(
            "rule", f"The third side is the two other sides put together, `{wanted} = {first} + {second} = {total}`."
        )
        return _answer(sheet, wanted, total, triangle.unit)
    if not seen and second > first:
        sheet.step("rule", f"So {long} is the hypotenuse, and by Pythagoras `{wanted}² = {second}² − {first}²`.")
        square = sheet.calculate("square", second**2 - first**2)
        sheet.step("square", f"`{wanted}² = {second**2} − {first**2} = {square}`.")
    else:
        sheet.step(
            "rule",
            f"By the Pythagorean theorem, `{wanted}² = {first}² + {second}²`.",
            f"{wanted} is the hypotenuse, so `{wanted}² = {first}² + {second}²`.",
        )
        square = sheet.calculate("square", first**2 + second**2)
        sheet.step(
            "square",
            f"`{wanted}² = {first**2} + {second**2} = {square}`.",
            f"That is `{first**2} + {second**2} = {square}`.",
        )
    return _take_root(sheet, triangle, 2, square, rule == "unrooted")


def _solve_leg(triangle: _RightTriangle, sheet: Sheet) -> None:
    _plan(sheet, triangle.names[1])
    seen = _read_corner(sheet, triangle)
    short, long = _read_side(sheet, triangle, 0, 2), _read_side(sheet, triangle, 2)
    rule = sheet.decide("rule", "difference", *wrong_facts("sum", "unrooted"))
    wanted = triangle.names[1]
    minus = rule != "sum" and seen and long > short
    sign = "−" if minus else "+"
    sheet.step(
        "rule",
        f"By the Pythagorean theorem, `{wanted}² = {long}² {sign} {short}²`.",
        f"Pythagoras gives `{wanted}² = {long}² {sign} {short}²`.",
    )
    square = sheet.calculate("square", long**2 - short**2 if minus else long**2 + short**2)
    sheet.step(
        "square",
        f"`{wanted}² = {long**2} {sign} {short**2} = {square}`.",
        f"The square of {wanted} is `{long**2} {sign} {short**2} = {square}`.",
    )
    _take_root(sheet, triangle, 1, square, rule == "unrooted")


def _take_root(sheet: Sheet, triangle: _RightTriangle, index: int, square: int, forgotten: bool) -> None:
    wanted = triangle.names[index]
    if forgotten:
        half = sheet.calculate("root", square / 2)
        sheet.step("root", f"Taking the square root halves it: `{wanted} = {square} ÷ 2 = {number(half)}`.")
        return _answer(sheet, wanted, half, triangle.unit)
    value = sheet.calculate("root", root(square))
    sign = "=" if isinstance(root(square), int) else "≈"
    sheet.step(
        "root",
        f"Hence `{wanted} = √{square} {sign} {number(value)}`.",
        f"Taking the square root, `√{square} {sign} {number(value)}`.",
    )
    return _answer(sheet, wanted, value, triangle.unit)


def _solve_area(triangle: _RightTriangle, sheet: Sheet) -> None:
    corner, second, third = tuple(triangle.letters)
    phrases.perpendicular(corner + second, corner + third, corner).on(sheet, "corner")
    if sheet.decide("aside", False, *misbuilt(True)):
        phrases.equal_sides(corner + second, corner + third).on(sheet, "aside")
    first, other = (_read_side(sheet, triangle, i) for i in (0, 1))
    divisor = sheet.decide("divisor", 2, *wrong_facts(1, 3))
    sheet.step(
        "rule",
        f"The area of a right triangle is leg times leg{', divided by ' + str(divisor) if divisor > 1 else ''}.",
        f"Use `area = base × height{f' ÷ {divisor}' if divisor > 1 else ''}` with the legs as base and height.",
    )
    product = sheet.calculate("product", first * other)
    sheet.step("product", f"The legs multiply to `{first} × {other} = {product}`.", f"`{first} × {other} = {product}`.")
    area: Amount = sheet.calculate("area", product / divisor)
    if divisor != 1:
        sheet.step(
            "area",
            f"So the area is `{product} ÷ {divisor} {equals(area)}`.",
            f"Dividing by {divisor}: `{product} ÷ {divisor} {equals(area)}`.",
        )
    unit = f" {triangle.unit}²" if triangle.unit else ""
    sheet.conclude(number(area), "The area of the triangle is {}.", "The answer is {}.", unit=unit)


def _plan(sheet: Sheet, wanted: str) -> None:
    sheet.step(
        "plan", f"We need the length of {wanted}.", f"Let us find side {wanted} of the right triangle.", optional=True
    )


def _answer(sheet: Sheet, wanted: str, value: Amount, unit: str) -> None:
    unit = f" {unit}" if unit else ""
    sheet.conclude(
        number(value), f"So {wanted} is {{}}.", f"The length of {wanted} is {{}}.", "The answer is {}.", unit=unit
    )


def _draw(
    triangle: _RightTriangle, rng: Random, shown: tuple[int, ...], small: bool
) -> tuple[Image.Image, tuple[Constraint, ...]]:
    canvas = figure_canvas(rng, _SIZE, small=small)
    # Very flat triangles leave no room for labels: the drawing keeps at least a third of the long leg.
    width, height = triangle.sides[0], triangle.sides[1]
    flat = max(width, height) / 2.4
    shape = [(0.0, 0.0), (max(width, flat), 0.0), (0.0, -max(height, flat))]
    turn = rng.choice((0, 0, 90, 180, 270)) if small or rng.random() < 0.7 else rng.uniform(0, 360)
    corners = fit_into(turn_points(shape, turn, mirror=rng.random() < 0.5), *shape_room(_SIZE, small=small))
    canvas.polygon(corners, pale(rng.choice(canvas.style.palette)) if canvas.style.shading else None)
    box = right_angle(canvas, corners[0], (corners[1], corners[2]), 8 if small else 15)
    facts: list[Constraint] = [phrases.relation_fact("perpendicular", triangle.names[0], triangle.names[1], box)]
    letter_corners(canvas, triangle.letters, corners)
    words = {i: f"{triangle.sides[i]} {triangle.unit}".strip() for i in shown}
    boxes = _listed_sides(canvas, triangle, words, rng) if small else _labelled_sides(canvas, corners, words)
    for i, box in boxes.items():
        facts.append(phrases.length_fact(triangle.names[i], triangle.sides[i], triangle.unit, box))
    return canvas.finish(rng), tuple(facts)


def _listed_sides(canvas: Canvas, triangle: _RightTriangle, words: dict[int, str], rng: Random) -> dict[int, Box]:
    """The sides' lengths in a list beside the figure, by name; answers with where each stands."""
    lines = {"".join(sorted(triangle.names[i])) + f"={one}": i for i, one in words.items()}
    boxes = {lines[line]: box for line, box in zip(sorted(lines), given_list(canvas, sorted(lines), rng), strict=True)}
    return {i: boxes[i] for i in words}


def _labelled_sides(canvas: Canvas, corners: Sequence[Point], words: dict[int, str]) -> dict[int, Box]:
    """The sides' lengths along the sides; answers with where each stands."""
    ends, centre = ((0, 1), (0, 2), (1, 2)), centre_of(corners)
    sides = {i: (corners[ends[i][0]], corners[ends[i][1]]) for i in words}
    return {i: side_label(canvas, sides[i], one, centre) for i, one in words.items()}
