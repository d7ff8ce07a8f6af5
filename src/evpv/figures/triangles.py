"""Triangles with labelled angles: the third angle, an exterior angle, a base angle of an isosceles triangle."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from random import Random

from PIL import Image

from evpv.figures import marks
from evpv.figures.drawing import Point, away, fit_into, pale, point_between, turn_points
from evpv.figures.notation import number
from evpv.figures.writing import Amount, Scene, Sheet, misbuilt, misreadings, mixed_up, wrong_conclusions, wrong_facts
from evpv.types import Constraint, Relation

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
    triangle = _Triangle(letters=rng.choice(marks.LETTERS)[:3], angles=_angles(rng))
    image, facts = _draw(triangle, rng, shown=(0, 1), small=small)
    wanted = triangle.name(2)
    question = rng.choice(
        (
            f"In triangle {triangle.letters}, what is the measure of angle {wanted} in degrees?",
            f"Find ∠{wanted} (in degrees) in the triangle shown.",
            f"Two angles of triangle {triangle.letters} are given in the figure. How many degrees is ∠{wanted}?",
        )
    )
    return Scene(image, question, facts, partial(_solve_third, triangle), rng.random() < 0.4)


def _exterior_angle(rng: Random, small: bool) -> Scene:
    a, b, c, d = tuple((letters := rng.choice(marks.LETTERS))[:4])
    triangle = _Triangle(letters=letters[:3], angles=_angles(rng), beyond=d)
    image, facts = _draw(triangle, rng, shown=(0, 1), small=small)
    question = f"Side {b}{c} of the triangle is extended to {d}. What is ∠{a}{c}{d} in degrees?"
    return Scene(image, question, facts, partial(_solve_exterior, triangle), rng.random() < 0.4)


def _isosceles(rng: Random, small: bool) -> Scene:
    apex = 2 * rng.randint(14, 60)
    base = (180 - apex) // 2
    triangle = _Triangle(letters=rng.choice(marks.LETTERS)[:3], angles=(apex, base, base))
    image, facts = _draw(triangle, rng, shown=(0,), equal=True, small=small)
    wanted = triangle.name(rng.choice((1, 2)))
    question = f"In the triangle shown, find the measure of ∠{wanted} in degrees."
    return Scene(image, question, facts, partial(_solve_isosceles, triangle, wanted), rng.random() < 0.4)


def _angles(rng: Random) -> tuple[int, int, int]:
    first, second = rng.randint(32, 84), rng.randint(32, 84)
    while first == second or not 28 <= 180 - first - second <= 100:
        first, second = rng.randint(32, 84), rng.randint(32, 84)
    return first, second, 180 - first - second


def _read_two(sheet: Sheet, triangle: _Triangle) -> tuple[int, int]:
    """Both labelled angles, in this solver's order; a solver may take each for the other's."""
    first, second = triangle.angles[:2]
    right = (second, first) if sheet.decide("which", False, *mixed_up(True)) else (first, second)
    read = [sheet.decide(f"angle-{i}", right[i], *misreadings(right[i], below=178 - right[1 - i])) for i in (0, 1)]
    for i in sheet.shuffle_items("order", (0, 1)):
        sheet.say("angle", f"angle-{i}", name=triangle.name(i), value=read[i])
    return read[0], read[1]


def _solve_third(triangle: _Triangle, sheet: Sheet) -> None:
    one, two, wanted = (triangle.name(i) for i in range(3))
    sheet.say("triangles/plan", optional=True, wanted=wanted, letters=triangle.letters)
    if sheet.decide("marks", False, *misbuilt(True)):
        return _as_isosceles(sheet, triangle)
    first, second = _read_two(sheet, triangle)
    whole = sheet.decide("sum", 180, *wrong_facts(360, 200))
    sheet.say("triangles/sum", whole=whole, one=one, two=two, wanted=wanted)
    both = sheet.calculate("both", first + second)
    sheet.say("triangles/both", large=max(first, second), small=min(first, second), both=both)
    rest = sheet.decide("rest", True, *wrong_conclusions(False))
    third = sheet.calculate("third", whole - both if rest else both)
    case = "triangles/third" if rest else "triangles/third:as-sum"
    sheet.say(case, wanted=wanted, whole=whole, both=both, third=third)
    return _answer(sheet, wanted, third)


def _as_isosceles(sheet: Sheet, triangle: _Triangle) -> None:
    """The hallucinated premise of case J.2: sides that no mark makes equal."""
    a, b, c = tuple(triangle.letters)
    one, two, three = (triangle.name(i) for i in range(3))
    first = triangle.angles[0]
    sheet.say("equal", "hallucinated", first=a + b, second=a + c)
    sheet.say("angle", "angle-0", name=one, value=first)
    sheet.say("triangles/base:equal", two=two, three=three)
    base = sheet.calculate("third", (180 - first) / 2)
    sheet.say("triangles/third:half", first=first, base=base)
    _answer(sheet, three, base)


def _solve_exterior(triangle: _Triangle, sheet: Sheet) -> None:
    a, b, c = tuple(triangle.letters)
    wanted = f"{a}{c}{triangle.beyond}"
    sheet.say("triangles/extension", beyond=triangle.beyond, b=b, c=c, wanted=wanted)
    first, second = _read_two(sheet, triangle)
    rule = sheet.decide("rule", "sum", *wrong_facts("supplement", "nearest"))
    sheet.say(f"triangles/rule:{rule}")
    value, work = {
        "sum": (first + second, f"{first}° + {second}°"),
        "supplement": (180 - first - second, f"180° − {first}° − {second}°"),
        "nearest": (180 - first, f"180° − {first}°"),
    }[rule]
    total = sheet.calculate("total", value)
    sheet.say("triangles/total", wanted=wanted, work=work, total=total)
    _answer(sheet, wanted, total)


def _solve_isosceles(triangle: _Triangle, wanted: str, sheet: Sheet) -> None:
    a, b, c = tuple(triangle.letters)
    pair = sheet.decide("pair", (a + b, a + c), *misbuilt((a + b, b + c)))
    sheet.say("equal", "pair", first=pair[0], second=pair[1])
    apex = sheet.decide("apex", triangle.angles[0], *misreadings(triangle.angles[0], below=170))
    sheet.say("angle", "apex", name=triangle.name(0), value=apex)
    if pair == (a + b, b + c):
        sheet.say("triangles/third:opposite", a=a, c=c, apex=apex)
        value: Amount = sheet.calculate("base", 180 - 2 * apex if wanted[1] == b and apex < 88 else apex)
        sheet.say("triangles/base:taken", wanted=wanted, value=value)
        return _answer(sheet, wanted, value)
    sheet.say("triangles/equal-angles", two=triangle.name(1), three=triangle.name(2), b=b, c=c)
    left = sheet.calculate("left", 180 - apex)
    sheet.say("triangles/left", apex=apex, left=left)
    halved = sheet.decide("halved", 2, *wrong_conclusions(1), *wrong_facts(3))
    base = sheet.calculate("base", left / halved)
    case = "triangles/base:whole" if halved == 1 else "triangles/base:shared"
    sheet.say(case, wanted=wanted, left=left, halved=halved, base=base)
    return _answer(sheet, wanted, base)


def _answer(sheet: Sheet, wanted: str, value: Amount) -> None:
    sheet.say_answer("triangles/answer", number(value), "°", wanted=wanted)


def _draw(
    triangle: _Triangle, rng: Random, *, shown: tuple[int, ...], equal: bool = False, small: bool = False
) -> tuple[Image.Image, tuple[Constraint, ...]]:
    """The triangle, the far end of an extended side as a fourth point, ticks on equal sides, and the angles that are shown."""
    canvas = marks.figure_canvas(rng, _SIZE, small=small)
    points = fit_into(_corners(triangle, rng), *marks.shape_room(_SIZE, small=small))
    corners, (a, b, c) = points[:3], tuple(triangle.letters)
    if canvas.style.shading:
        canvas.polygon(corners, pale(rng.choice(canvas.style.palette)), outline=False)
    canvas.polygon(corners)
    facts: list[Constraint] = []
    if triangle.beyond:
        canvas.line(points[2], points[3])
        box = canvas.label(triangle.beyond, points[3], away(points[3], points[1]))
        facts.append(Relation(type="incident", entities=(triangle.beyond, b + c), box=box))
    if equal:
        box = marks.box_around(*(marks.ticks(canvas, points[0], points[i]) for i in (1, 2)))
        facts.append(Relation(type="equal", entities=(a + b, a + c), box=box))
    marks.letter_corners(canvas, triangle.letters, corners)
    boxes = []
    for i in shown:
        words, radius = ("", 10) if small else (f"{triangle.angles[i]}°", 26)
        boxes.append(marks.angle_mark(canvas, corners[i], (corners[(i + 1) % 3], corners[(i + 2) % 3]), words, radius))
    if small:
        boxes = marks.given_list(canvas, [f"∠{triangle.name(i)}={triangle.angles[i]}°" for i in shown], rng)
    facts += [marks.angle_fact(triangle.name(i), triangle.angles[i], box) for i, box in zip(shown, boxes, strict=True)]
    return canvas.finish(rng), tuple(facts)


def _corners(triangle: _Triangle, rng: Random) -> list[Point]:
    """The corners true to the angles, turned at random, of any size; with an extension its far end as a fourth point."""
    at_a, at_b, at_c = (math.radians(angle) for angle in triangle.angles)
    corners = [(0.0, 0.0), (math.sin(at_c), 0.0), (math.sin(at_b) * math.cos(at_a), -math.sin(at_b) * math.sin(at_a))]
    if triangle.beyond:
        corners.append(point_between(corners[1], corners[2], 1.55))
    return turn_points(corners, rng.uniform(-180, 180), mirror=rng.random() < 0.5)
