"""Triangles with labelled angles: the third angle, an exterior angle, a base angle of an isosceles triangle."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from PIL import Image

from evpv.figures import phrases
from evpv.figures.drawing import Canvas, Point, away, fit_into, pale, point_between, turn_points
from evpv.figures.marks import angle_mark, box_around, figure_canvas, given_list, letter_corners, shape_room, ticks
from evpv.figures.notation import equals, number
from evpv.figures.phrases import LETTERS, confusions
from evpv.figures.writing import Amount, Scene, Sheet, misbuilt, misread, mixed_up, wrong_conclusions, wrong_facts
from evpv.types import Box, Constraint, Relation

_SIZE = (480, 380)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Triangle:
    """Three letters and the angles at them; `beyond` names a point on the third side's extension."""

    letters: str
    angles: tuple[int, int, int]
    beyond: str = ""

    def name(self, corner: int) -> str:
        """The angle at a corner: three letters with the corner in the middle."""
        others = [letter for i, letter in enumerate(self.letters) if i != corner]
        return others[0] + self.letters[corner] + others[1]


def make(rng: Random, *, small: bool = False) -> Scene:
    """One of the three questions."""
    return rng.choice((_third_angle, _exterior_angle, _isosceles))(rng, small)


def _third_angle(rng: Random, small: bool) -> Scene:
    triangle = _Triangle(letters=rng.choice(LETTERS)[:3], angles=_angles(rng))
    image, constraints = _draw(triangle, rng, shown=(0, 1), small=small)
    wanted = triangle.name(2)
    question = rng.choice(
        (
            f"In triangle {triangle.letters}, what is the measure of angle {wanted} in degrees?",
            f"Find ∠{wanted} (in degrees) in the triangle shown.",
            f"Two angles of triangle {triangle.letters} are given in the figure. How many degrees is ∠{wanted}?",
        )
    )
    solve = partial(_solve_third, triangle)
    return Scene(
        image=image, question=question, constraints=constraints, solve=solve, multiple_choice=rng.random() < 0.4
    )


def _exterior_angle(rng: Random, small: bool) -> Scene:
    letters = rng.choice(LETTERS)
    triangle = _Triangle(letters=letters[:3], angles=_angles(rng), beyond=letters[3])
    image, constraints = _draw(triangle, rng, shown=(0, 1), small=small)
    wanted = f"{letters[0]}{letters[2]}{letters[3]}"
    question = (
        f"Side {letters[1]}{letters[2]} of the triangle is extended to {letters[3]}. What is ∠{wanted} in degrees?"
    )
    solve = partial(_solve_exterior, triangle)
    return Scene(
        image=image, question=question, constraints=constraints, solve=solve, multiple_choice=rng.random() < 0.4
    )


def _isosceles(rng: Random, small: bool) -> Scene:
    apex = 2 * rng.randint(14, 60)
    base = (180 - apex) // 2
    triangle = _Triangle(letters=rng.choice(LETTERS)[:3], angles=(apex, base, base))
    image, constraints = _draw(triangle, rng, shown=(0,), equal=True, small=small)
    wanted = triangle.name(rng.choice((1, 2)))
    question = f"In the triangle shown, find the measure of ∠{wanted} in degrees."
    solve = partial(_solve_isosceles, triangle, wanted)
    return Scene(
        image=image, question=question, constraints=constraints, solve=solve, multiple_choice=rng.random() < 0.4
    )


def _angles(rng: Random) -> tuple[int, int, int]:
    first, second = rng.randint(32, 84), rng.randint(32, 84)
    while first == second or not 28 <= 180 - first - second <= 100:
        first, second = rng.randint(32, 84), rng.randint(32, 84)
    return first, second, 180 - first - second


def _read_two(sheet: Sheet, triangle: _Triangle) -> tuple[int, int]:
    """Both labelled angles, in this solver's order; a solver may take each for the other's."""
    first, second = triangle.angles[:2]
    swapped = sheet.decide("which", False, *mixed_up(True))
    right = (second, first) if swapped else (first, second)
    read = [
        sheet.decide(f"angle-{i}", right[i], *misread(*confusions(right[i], below=178 - right[1 - i]))) for i in (0, 1)
    ]
    for i in sheet.shuffle_items("order", (0, 1)):
        phrases.angle(triangle.name(i), read[i]).on(sheet, f"angle-{i}")
    return read[0], read[1]


def _solve_third(triangle: _Triangle, sheet: Sheet) -> None:
    wanted = triangle.name(2)
    sheet.step(
        "plan",
        f"We are asked for ∠{wanted}.",
        f"The goal is to find `∠{wanted}` in triangle {triangle.letters}.",
        optional=True,
    )
    if sheet.decide("marks", False, *misbuilt(True)):
        return _as_isosceles(sheet, triangle)
    first, second = _read_two(sheet, triangle)
    whole = sheet.decide("sum", 180, *wrong_facts(360, 200))
    sheet.step(
        "sum",
        f"The interior angles of a triangle add up to {whole}°.",
        f"In any triangle the three angles sum to `{whole}°`.",
        f"By the angle sum theorem, `∠{triangle.name(0)} + ∠{triangle.name(1)} + ∠{wanted} = {whole}°`.",
    )
    both, large, small = sheet.calculate("both", first + second), max(first, second), min(first, second)
    sheet.step(
        "both",
        f"The two known angles together are `{large}° + {small}° = {both}°`.",
        f"Adding them: `{large} + {small} = {both}`.",
    )
    rest = sheet.decide("rest", True, *wrong_conclusions(False))
    third = sheet.calculate("third", whole - both if rest else both)
    if rest:
        sheet.step(
            "third",
            f"So `∠{wanted} = {whole}° − {both}° = {number(third)}°`.",
            f"What is left is `{whole} − {both} = {number(third)}` degrees.",
        )
    else:
        sheet.step("third", f"The third angle equals the sum of the other two, so `∠{wanted} = {number(third)}°`.")
    return _answer(sheet, wanted, third)


def _as_isosceles(sheet: Sheet, triangle: _Triangle) -> None:
    """The hallucinated premise of case J.2: sides that no mark makes equal."""
    a, b, c = tuple(triangle.letters)
    first = triangle.angles[0]
    phrases.equal_sides(a + b, a + c).on(sheet, "hallucinated")
    phrases.angle(triangle.name(0), first).on(sheet, "angle-0")
    sheet.step("base", f"So the triangle is isosceles and `∠{triangle.name(1)} = ∠{triangle.name(2)}`.")
    base = sheet.calculate("third", (180 - first) / 2)
    sheet.step("third", f"Each base angle is `(180 − {first}) ÷ 2 {equals(base)}` degrees.")
    _answer(sheet, triangle.name(2), base)


def _solve_exterior(triangle: _Triangle, sheet: Sheet) -> None:
    a, b, c = tuple(triangle.letters)
    wanted = f"{a}{c}{triangle.beyond}"
    sheet.step(
        "extension",
        f"In the figure {triangle.beyond} lies on the extension of {b}{c}, so ∠{wanted} is an exterior angle.",
        f"Point {triangle.beyond} lies on the line {b}{c} beyond {c}, which makes ∠{wanted} an exterior angle.",
        claim=(f"{triangle.beyond} lies on line {b}{c}.", f"Point {triangle.beyond} is on the line {b}{c}."),
    )
    first, second = _read_two(sheet, triangle)
    rule = sheet.decide("rule", "sum", *wrong_facts("supplement", "nearest"))
    sheet.step(
        "rule",
        {
            "sum": "An exterior angle equals the sum of the two remote interior angles.",
            "supplement": "An exterior angle equals 180° minus the sum of the two remote interior angles.",
            "nearest": "An exterior angle of a triangle is supplementary to each remote interior angle.",
        }[rule],
    )
    total = sheet.calculate(
        "total", {"sum": first + second, "supplement": 180 - first - second, "nearest": 180 - first}[rule]
    )
    shown = {
        "sum": f"{first}° + {second}°",
        "supplement": f"180° − {first}° − {second}°",
        "nearest": f"180° − {first}°",
    }[rule]
    sheet.step(
        "total", f"Therefore `∠{wanted} = {shown} = {number(total)}°`.", f"This gives `{shown} = {number(total)}°`."
    )
    _answer(sheet, wanted, total)


def _solve_isosceles(triangle: _Triangle, wanted: str, sheet: Sheet) -> None:
    a, b, c = tuple(triangle.letters)
    pair = sheet.decide("pair", (a + b, a + c), *misbuilt((a + b, b + c)))
    phrases.equal_sides(*pair).on(sheet, "pair")
    apex = sheet.decide("apex", triangle.angles[0], *misread(*confusions(triangle.angles[0], below=170)))
    phrases.angle(triangle.name(0), apex).on(sheet, "apex")
    if pair == (a + b, b + c):
        sheet.step("third", f"The angles at {a} and {c} are opposite the equal sides, so both are {apex}°.")
        value: Amount = sheet.calculate("base", 180 - 2 * apex if wanted[1] == b and apex < 88 else apex)
        sheet.step("base", f"Hence `∠{wanted} = {number(value)}°`.")
        return _answer(sheet, wanted, value)
    sheet.step(
        "equal-angles",
        f"Angles opposite equal sides are equal, so `∠{triangle.name(1)} = ∠{triangle.name(2)}`.",
        f"The triangle is isosceles, hence its base angles at {b} and {c} are equal.",
    )
    left = sheet.calculate("left", 180 - apex)
    sheet.step(
        "left",
        f"Together they measure `180° − {apex}° = {left}°`.",
        f"The two base angles share `180 − {apex} = {left}` degrees.",
    )
    halved = sheet.decide("halved", 2, *wrong_conclusions(1), *wrong_facts(3))
    base = sheet.calculate("base", left / halved)
    if halved == 1:
        sheet.step("base", f"So each base angle, and with it ∠{wanted}, is {number(base)}°.")
    else:
        sheet.step(
            "base",
            f"So `∠{wanted} = {left} ÷ {halved} {equals(base)}` degrees.",
            f"Each is `{left} ÷ {halved} {equals(base)}`.",
        )
    return _answer(sheet, wanted, base)


def _answer(sheet: Sheet, wanted: str, value: Amount) -> None:
    sheet.conclude(
        number(value),
        f"Therefore ∠{wanted} is {{}}.",
        f"So the measure of angle {wanted} is {{}}.",
        "The answer is {}.",
        unit="°",
    )


def _draw(
    triangle: _Triangle, rng: Random, *, shown: tuple[int, ...], equal: bool = False, small: bool = False
) -> tuple[Image.Image, tuple[Constraint, ...]]:
    canvas = figure_canvas(rng, _SIZE, small=small)
    *corners, beyond = fit_into(_corners(triangle, rng), *shape_room(_SIZE, small=small))
    if not triangle.beyond:
        corners.append(beyond)
    if canvas.style.shading:
        canvas.polygon(corners, pale(rng.choice(canvas.style.palette)), outline=False)
    canvas.polygon(corners)
    facts = _marked_relations(canvas, triangle, (*corners, beyond), equal)
    letter_corners(canvas, triangle.letters, corners)
    boxes = _mark_angles(canvas, corners, {i: "" if small else f"{triangle.angles[i]}°" for i in shown})
    if small:
        boxes = given_list(canvas, [f"∠{triangle.name(i)}={triangle.angles[i]}°" for i in shown], rng)
    for i, box in zip(shown, boxes, strict=True):
        facts.append(phrases.angle_fact(triangle.name(i), triangle.angles[i], box))
    return canvas.finish(rng), tuple(facts)


def _marked_relations(canvas: Canvas, triangle: _Triangle, points: Sequence[Point], equal: bool) -> list[Constraint]:
    """The point on the extended side, which is the last of the points, and the ticks of equal sides, drawn and stated."""
    facts: list[Constraint] = []
    if triangle.beyond:
        canvas.line(points[2], points[3])
        box = canvas.label(triangle.beyond, points[3], away(points[3], points[1]))
        facts.append(Relation(type="incident", entities=(triangle.beyond, triangle.letters[1:3]), box=box))
    if equal:
        boxes = [ticks(canvas, points[0], points[i]) for i in (1, 2)]
        a, b, c = tuple(triangle.letters)
        facts.append(phrases.relation_fact("equal", a + b, a + c, box_around(*boxes)))
    return facts


def _mark_angles(canvas: Canvas, corners: Sequence[Point], words: dict[int, str]) -> list[Box]:
    """Arcs at these corners, smaller without words; answers with their boxes."""
    return [
        angle_mark(canvas, corners[i], (corners[(i + 1) % 3], corners[(i + 2) % 3]), said, 26 if said else 10)
        for i, said in words.items()
    ]


def _corners(triangle: _Triangle, rng: Random) -> list[Point]:
    """The corners true to the angles, turned at random, of any size; with an extension its far end as a fourth point."""
    at_a, at_b, at_c = (math.radians(angle) for angle in triangle.angles)
    length = math.sin(at_c)
    corners: list[Point] = [
        (0.0, 0.0),
        (length, 0.0),
        (math.sin(at_b) * math.cos(at_a), -math.sin(at_b) * math.sin(at_a)),
    ]
    if triangle.beyond:
        corners.append(point_between(corners[1], corners[2], 1.55))
    return turn_points(corners, rng.uniform(-180, 180), mirror=rng.random() < 0.5)
