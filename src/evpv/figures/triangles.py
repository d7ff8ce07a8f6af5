"""Triangles with labelled angles (the third, an exterior, a base angle) and right triangles with labelled sides (hypotenuse, leg, area)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from evpv.figures import marks
from evpv.figures.drawing import Point, away, centre_of, fit_into, pale, point_between, turn_points
from evpv.figures.writing import Drawn, Numeral, Scene, SolutionSheet, confusions, measure, number, root, texts
from evpv.types import Box, Constraint, Relation

_SIZE = (480, 380)
_ROOM = {False: (_SIZE, 58), True: ((84, 112), 20)}  # by whether it is small: how large a shape is, and the margin
_LETTERS = ("ABCDEF", "PQRSTU", "KLMNPR", "DEFGHJ", "XYZWVU", "JKLMNP", "RSTUVW", "BCDEFG")


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
    return rng.choice((_third_angle, _exterior_angle, _isosceles))(rng, small)


def _third_angle(rng: Random, small: bool) -> Scene:
    triangle = _Triangle(letters=rng.choice(_LETTERS)[:3], angles=_angles(rng))
    image, facts = _draw(triangle, rng, shown=(0, 1), small=small)
    question = rng.choice(texts("triangles/question", letters=triangle.letters, wanted=triangle.name(2)))
    return Scene(image, question, facts, partial(_solve_third, triangle), rng.random() < 0.4)


def _exterior_angle(rng: Random, small: bool) -> Scene:
    a, b, c, d = tuple((letters := rng.choice(_LETTERS))[:4])
    triangle = _Triangle(letters=letters[:3], angles=_angles(rng), beyond=d)
    image, facts = _draw(triangle, rng, shown=(0, 1), small=small)
    question = f"Side {b}{c} of the triangle is extended to {d}. What is ∠{a}{c}{d} in degrees?"
    return Scene(image, question, facts, partial(_solve_exterior, triangle), rng.random() < 0.4)


def _isosceles(rng: Random, small: bool) -> Scene:
    apex = 2 * rng.randint(14, 60)
    base = (180 - apex) // 2
    triangle = _Triangle(letters=rng.choice(_LETTERS)[:3], angles=(apex, base, base))
    image, facts = _draw(triangle, rng, shown=(0,), equal=True, small=small)
    wanted = triangle.name(rng.choice((1, 2)))
    question = f"In the triangle shown, find the measure of ∠{wanted} in degrees."
    return Scene(image, question, facts, partial(_solve_isosceles, triangle, wanted), rng.random() < 0.4)


def _angles(rng: Random) -> tuple[int, int, int]:
    first, second = rng.randint(32, 84), rng.randint(32, 84)
    while first == second or not 28 <= 180 - first - second <= 100:
        first, second = rng.randint(32, 84), rng.randint(32, 84)
    return first, second, 180 - first - second


def _read_two(sheet: SolutionSheet, triangle: _Triangle) -> tuple[int, int]:
    """Both labelled angles, in this solver's order; a solver may take each for the other's."""
    first, second = triangle.angles[:2]
    right = (second, first) if sheet.decide("which", False, mixed_up=[True]) else (first, second)
    one, two = (
        sheet.decide(f"angle-{i}", right[i], misread=confusions(right[i], below=178 - right[1 - i])) for i in (0, 1)
    )
    for i in sheet.shuffle_items("order", (0, 1)):
        sheet.say("angle", f"angle-{i}", name=triangle.name(i), value=(one, two)[i])
    return one, two


def _solve_third(triangle: _Triangle, sheet: SolutionSheet) -> None:
    one, two, wanted = (triangle.name(i) for i in range(3))
    sheet.say("triangles/plan", optional=True, wanted=wanted, letters=triangle.letters)
    if sheet.decide("marks", False, misbuilt=[True]):
        return _as_isosceles(sheet, triangle)
    first, second = _read_two(sheet, triangle)
    whole = sheet.decide("sum", 180, wrong_facts=[360, 200])
    sheet.say("triangles/sum", whole=whole, one=one, two=two, wanted=wanted)
    both = sheet.work("triangles/both", first + second, large=max(first, second), small=min(first, second))
    rest = sheet.decide("rest", True, wrong_conclusions=[False])
    third = sheet.calculate("third", whole - both if rest else both)
    sheet.say(
        "triangles/third" if rest else "triangles/third:as-sum", wanted=wanted, whole=whole, both=both, third=third
    )
    return _answer(sheet, wanted, third)


def _as_isosceles(sheet: SolutionSheet, triangle: _Triangle) -> None:
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


def _solve_exterior(triangle: _Triangle, sheet: SolutionSheet) -> None:
    a, b, c = tuple(triangle.letters)
    wanted = f"{a}{c}{triangle.beyond}"
    sheet.say("triangles/extension", beyond=triangle.beyond, b=b, c=c, wanted=wanted)
    first, second = _read_two(sheet, triangle)
    rule = sheet.decide("rule", "sum", wrong_facts=["supplement", "nearest"])
    sheet.say(f"triangles/rule:{rule}")
    value, work = {
        "sum": (first + second, f"{first}° + {second}°"),
        "supplement": (180 - first - second, f"180° − {first}° − {second}°"),
        "nearest": (180 - first, f"180° − {first}°"),
    }[rule]
    total = sheet.work("triangles/total", value, wanted=wanted, work=work)
    _answer(sheet, wanted, total)


def _solve_isosceles(triangle: _Triangle, wanted: str, sheet: SolutionSheet) -> None:
    a, b, c = tuple(triangle.letters)
    pair = sheet.decide("pair", (a + b, a + c), misbuilt=[(a + b, b + c)])
    sheet.say("equal", "pair", first=pair[0], second=pair[1])
    apex = sheet.decide("apex", triangle.angles[0], misread=confusions(triangle.angles[0], below=170))
    sheet.say("angle", "apex", name=triangle.name(0), value=apex)
    if pair == (a + b, b + c):
        sheet.say("triangles/third:opposite", a=a, c=c, apex=apex)
        value: Numeral = sheet.calculate("base", 180 - 2 * apex if wanted[1] == b and apex < 88 else apex)
        sheet.say("triangles/base:taken", wanted=wanted, value=value)
        return _answer(sheet, wanted, value)
    sheet.say("triangles/equal-angles", two=triangle.name(1), three=triangle.name(2), b=b, c=c)
    left = sheet.work("triangles/left", 180 - apex, apex=apex)
    halved = sheet.decide("halved", 2, wrong_conclusions=[1], wrong_facts=[3])
    base = sheet.calculate("base", left / halved)
    case = "whole" if halved == 1 else "shared"
    sheet.say(f"triangles/base:{case}", wanted=wanted, left=left, halved=halved, base=base)
    return _answer(sheet, wanted, base)


def _answer(sheet: SolutionSheet, wanted: str, value: Numeral) -> None:
    sheet.say_answer("triangles/answer", number(value), "°", wanted=wanted)


def _draw(
    triangle: _Triangle, rng: Random, *, shown: tuple[int, ...], equal: bool = False, small: bool = False
) -> Drawn:
    """The triangle, the far end of an extended side as a fourth point, ticks on equal sides, and the angles that are shown."""
    canvas = marks.figure_canvas(rng, _SIZE, small=small)
    points = fit_into(_corners(triangle, rng), *_ROOM[small])
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
        box = marks.box_around(*(canvas.ticks(points[0], points[i]) for i in (1, 2)))
        facts.append(Relation(type="equal", entities=(a + b, a + c), box=box))
    canvas.letter_corners(triangle.letters, corners)
    boxes = []
    for i in shown:
        words, radius = ("", 10) if small else (f"{triangle.angles[i]}°", 26)
        boxes.append(canvas.angle_mark(corners[i], (corners[(i + 1) % 3], corners[(i + 2) % 3]), words, radius))
    if small:
        boxes = canvas.given_list([f"∠{triangle.name(i)}={triangle.angles[i]}°" for i in shown], rng)
    facts += [marks.angle_fact(triangle.name(i), triangle.angles[i], box) for i, box in zip(shown, boxes, strict=True)]
    return canvas.finish(rng), tuple(facts)


def _corners(triangle: _Triangle, rng: Random) -> list[Point]:
    """The corners true to the angles, turned at random, of any size; with an extension its far end as a fourth point."""
    at_a, at_b, at_c = (math.radians(angle) for angle in triangle.angles)
    corners = [(0.0, 0.0), (math.sin(at_c), 0.0), (math.sin(at_b) * math.cos(at_a), -math.sin(at_b) * math.sin(at_a))]
    if triangle.beyond:
        corners.append(point_between(corners[1], corners[2], 1.55))
    return turn_points(corners, rng.uniform(-180, 180), mirror=rng.random() < 0.5)


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


def make_right(rng: Random, *, small: bool = False) -> Scene:
    a, b, c = rng.choice(_TRIPLES)
    times = rng.randint(1, max(1, 40 // c))
    legs = [a * times, b * times]
    rng.shuffle(legs)
    letters = "".join(rng.sample(rng.choice(_LETTERS)[:3], 3))
    sides = (legs[0], legs[1], c * times)
    triangle = _RightTriangle(letters=letters, sides=sides, unit=rng.choice(("cm", "m", "ft", "")))
    wanted, shown = rng.choice(((2, (0, 1)), (1, (0, 2)), (3, (0, 1))))
    image, facts = _draw_right(triangle, rng, shown, small)
    if wanted == 3:
        question = f"What is the area of triangle {triangle.letters} in square {triangle.unit or 'units'}?"
        solve = partial(_solve_area, triangle)
    else:
        side, unit = triangle.names[wanted], f" in {triangle.unit}" if triangle.unit else ""
        question = rng.choice(texts("right-triangles/question", letters=triangle.letters, side=side, unit=unit))
        solve = partial(_solve_hypotenuse if wanted == 2 else _solve_leg, triangle)
    return Scene(image, question, facts, solve, rng.random() < 0.3)


def _read_corner(sheet: SolutionSheet, triangle: _RightTriangle) -> bool:
    """Whether the right angle is seen where it is; the mistake puts it at the second letter."""
    corner, second, third = tuple(triangle.letters)
    seen = sheet.decide("corner", True, misbuilt=[False])
    at, other = (corner, second) if seen else (second, corner)
    sheet.say("perpendicular", "corner", first=at + other, second=at + third, at=at)
    return seen


def _read_side(sheet: SolutionSheet, triangle: _RightTriangle, index: int, taken: int | None = None) -> int:
    """A labelled side, or a number like it, or the label of another side (`taken`)."""
    value = triangle.sides[index]
    other = [] if taken is None else [triangle.sides[taken]]
    read = sheet.decide(f"side-{index}", value, misread=confusions(value), mixed_up=other)
    sheet.say("length", f"side-{index}", name=triangle.names[index], amount=measure(read, triangle.unit))
    return read


def _solve_hypotenuse(triangle: _RightTriangle, sheet: SolutionSheet) -> None:
    _, long, wanted = triangle.names
    sheet.say("right-triangles/plan", optional=True, wanted=wanted)
    seen = _read_corner(sheet, triangle)
    first, second = (_read_side(sheet, triangle, i, 1 - i) for i in (0, 1))
    rule = sheet.decide("rule", "sum", wrong_facts=["unrooted"], wrong_conclusions=["added"])
    if rule == "added":
        total = sheet.calculate("square", first + second)
        sheet.say("right-triangles/rule:added", wanted=wanted, first=first, second=second, total=total)
        return _side_answer(sheet, triangle, wanted, total)
    minus = not seen and second > first
    case = "other-hypotenuse" if minus else "hypotenuse"
    sheet.say(f"right-triangles/rule:{case}", long=long, wanted=wanted, first=first, second=second)
    one, two = first**2, second**2
    both = two - one if minus else one + two
    square = sheet.work(f"right-triangles/square:{case}", both, wanted=wanted, one=one, two=two)
    return _take_root(sheet, triangle, wanted, square, rule == "unrooted")


def _solve_leg(triangle: _RightTriangle, sheet: SolutionSheet) -> None:
    wanted = triangle.names[1]
    sheet.say("right-triangles/plan", optional=True, wanted=wanted)
    seen = _read_corner(sheet, triangle)
    short, long = _read_side(sheet, triangle, 0, 2), _read_side(sheet, triangle, 2)
    rule = sheet.decide("rule", "difference", wrong_facts=["sum", "unrooted"])
    sign = "−" if rule != "sum" and seen and long > short else "+"
    sheet.say("right-triangles/rule:leg", wanted=wanted, long=long, sign=sign, short=short)
    one, two = long**2, short**2
    left = one - two if sign == "−" else one + two
    square = sheet.work("right-triangles/square:leg", left, wanted=wanted, one=one, sign=sign, two=two)
    _take_root(sheet, triangle, wanted, square, rule == "unrooted")


def _take_root(sheet: SolutionSheet, triangle: _RightTriangle, wanted: str, square: int, forgotten: bool) -> None:
    value: Numeral = sheet.calculate("root", square / 2 if forgotten else root(square))
    sign = "=" if isinstance(root(square), int) else "≈"
    case = "right-triangles/root:halved" if forgotten else "right-triangles/root"
    sheet.say(case, wanted=wanted, square=square, sign=sign, value=value)
    _side_answer(sheet, triangle, wanted, value)


def _side_answer(sheet: SolutionSheet, triangle: _RightTriangle, wanted: str, value: Numeral) -> None:
    unit = f" {triangle.unit}" if triangle.unit else ""
    sheet.say_answer("right-triangles/answer:side", number(value), unit, wanted=wanted)


def _solve_area(triangle: _RightTriangle, sheet: SolutionSheet) -> None:
    one, two, _ = triangle.names
    sheet.say("perpendicular", "corner", first=one, second=two, at=triangle.letters[0])
    if sheet.decide("aside", False, misbuilt=[True]):
        sheet.say("equal", "aside", first=one, second=two)
    first, other = (_read_side(sheet, triangle, i) for i in (0, 1))
    divisor = sheet.decide("divisor", 2, wrong_facts=[1, 3])
    divided, over = (f", divided by {divisor}", f" ÷ {divisor}") if divisor > 1 else ("", "")
    sheet.say("right-triangles/rule:area", divided=divided, over=over)
    product = sheet.work("right-triangles/product", first * other, first=first, other=other)
    area: Numeral = sheet.calculate("area", product / divisor)
    if divisor != 1:
        sheet.say("right-triangles/area", product=product, divisor=divisor, area=area)
    sheet.say_answer("right-triangles/answer:area", number(area), f" {triangle.unit}²" if triangle.unit else "")


def _draw_right(triangle: _RightTriangle, rng: Random, shown: tuple[int, ...], small: bool) -> Drawn:
    canvas = marks.figure_canvas(rng, _SIZE, small=small)
    # Very flat triangles leave no room for labels: the drawing keeps at least a third of the long leg.
    width, height = triangle.sides[0], triangle.sides[1]
    flat = max(width, height) / 2.4
    shape = [(0.0, 0.0), (max(width, flat), 0.0), (0.0, -max(height, flat))]
    turn = rng.choice((0, 0, 90, 180, 270)) if small or rng.random() < 0.7 else rng.uniform(0, 360)
    corners = fit_into(turn_points(shape, turn, mirror=rng.random() < 0.5), *_ROOM[small])
    canvas.polygon(corners, pale(rng.choice(canvas.style.palette)) if canvas.style.shading else None)
    box = canvas.right_angle(corners[0], (corners[1], corners[2]), 8 if small else 15)
    facts: list[Constraint] = [Relation(type="perpendicular", entities=triangle.names[:2], box=box)]
    canvas.letter_corners(triangle.letters, corners)
    boxes = _side_boxes(canvas, triangle, corners, {i: measure(triangle.sides[i], triangle.unit) for i in shown}, rng)
    facts += [marks.length_fact(triangle.names[i], triangle.sides[i], triangle.unit, boxes[i]) for i in shown]
    return canvas.finish(rng), tuple(facts)


def _side_boxes(
    canvas: marks.Drawing, triangle: _RightTriangle, corners: Sequence[Point], words: dict[int, str], rng: Random
) -> dict[int, Box]:
    """Write the sides' lengths along them, or beside a small figure in a list by name; answers with where each stands."""
    if (canvas.width, canvas.height) == _SIZE:
        ends, centre = ((0, 1), (0, 2), (1, 2)), centre_of(corners)
        sides = {i: (corners[ends[i][0]], corners[ends[i][1]]) for i in words}
        return {i: canvas.side_label(sides[i], one, centre) for i, one in words.items()}
    lines = sorted(("".join(sorted(triangle.names[i])) + f"={one}", i) for i, one in words.items())
    places = canvas.given_list([line for line, _ in lines], rng)
    return {i: box for (_, i), box in zip(lines, places, strict=True)}
