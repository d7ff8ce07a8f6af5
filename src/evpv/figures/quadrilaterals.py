"""Parallel lines under a transversal; and quadrilaterals: a parallelogram's angles, a trapezoid's area, the two isosceles triangles of case J.2."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from random import Random

from evpv.figures import marks
from evpv.figures.drawing import Point, centre_of, direction, fit_into, move_point, pale, point_between, turn_points
from evpv.figures.writing import Drawn, Numeral, Scene, SolutionSheet, confusions, measure, number, texts
from evpv.types import Constraint, Relation

_SIZE = (500, 380)
_LETTERS = ("ABCD", "PQRS", "KLMN", "WXYZ", "EFGH")


def make_quadrilateral(rng: Random) -> Scene:
    return rng.choice((_parallelogram, _trapezoid, _two_isosceles))(rng)


def _parallelogram(rng: Random) -> Scene:
    value = rng.choice([x for x in range(48, 133) if not 82 <= x <= 98])
    a, b, c, d = tuple(letters := rng.choice(_LETTERS))
    slant = math.radians(value)
    width, side = rng.uniform(1.5, 2.2), 1.1
    over, up = side * math.cos(slant), -side * math.sin(slant)
    shape = [(0.0, 0.0), (width, 0.0), (width + over, up), (over, up)]
    canvas = marks.figure_canvas(rng, _SIZE)
    corners = fit_into(turn_points(shape, rng.uniform(-12, 12), mirror=rng.random() < 0.5), _SIZE)
    canvas.polygon(corners, pale(rng.choice(canvas.style.palette)) if canvas.style.shading else None)
    boxes = []
    for sides, shares in ((((0, 1), (3, 2)), (0.56,)), (((0, 3), (1, 2)), (0.5, 0.58))):  # one arrow, and two
        ends = [(corners[i], corners[j]) for i, j in sides]
        arrows = [canvas.arrow_head(point_between(*end, share), direction(*end), 9) for end in ends for share in shares]
        boxes.append(marks.box_around(*arrows))
    canvas.letter_corners(letters, corners)
    box = canvas.angle_mark(corners[0], (corners[1], corners[3]), f"{value}°", 22)
    facts = (
        Relation(type="parallel", entities=(a + b, d + c), box=boxes[0]),
        Relation(type="parallel", entities=(a + d, b + c), box=boxes[1]),
        marks.angle_fact(d + a + b, value, box),
    )
    wanted = b + c + d if rng.random() < 0.4 else rng.choice((a + b + c, c + d + a))
    question = f"What is ∠{wanted} of quadrilateral {letters} in degrees?"
    solve = partial(_solve_parallelogram, letters, value, wanted)
    return Scene(canvas.finish(rng), question, facts, solve, rng.random() < 0.4)


def _solve_parallelogram(letters: str, value: int, wanted: str, sheet: SolutionSheet) -> None:
    a, b, c, d = tuple(letters)
    sheet.say("parallel", "long", first=a + b, second=d + c)
    sheet.say("parallel", "short", first=a + d, second=b + c)
    sheet.say("quadrilaterals/shape:parallelogram", letters=letters)
    place = sheet.decide("place", d + a + b, mixed_up=[wanted])
    read = sheet.decide("value", value, misread=confusions(value, below=178))
    sheet.say("angle", "value", name=place, value=read)
    if place == wanted:
        return _angle_answer(sheet, wanted, read)
    opposite = wanted == b + c + d
    equal = sheet.decide("equal", opposite, wrong_facts=[not opposite])
    where, rule = "opposite" if opposite else "adjacent", "equal" if equal else "supplementary"
    sheet.say("quadrilaterals/rule:angles", where=where, rule=rule, Where=where.capitalize())
    result = sheet.calculate("result", read if equal else 180 - read)
    sheet.say(
        f"quadrilaterals/result:{'equal' if equal else 'rest'}", wanted=wanted, place=place, read=read, result=result
    )
    return _angle_answer(sheet, wanted, result)


def _angle_answer(sheet: SolutionSheet, wanted: str, value: Numeral) -> None:
    sheet.say_answer("angle-answer", number(value), "°", wanted=wanted)


def _trapezoid(rng: Random) -> Scene:
    short, height = rng.randint(4, 12), 2 * rng.randint(2, 6)
    long = short + rng.randint(3, 10)
    a, b, c, d = tuple(letters := rng.choice(_LETTERS))
    unit = rng.choice(("cm", "m", "ft"))
    indent = rng.uniform(0.15, 0.85) * (long - short)
    tall = max(float(height), long / 2.2)
    shape = [(0.0, 0.0), (float(long), 0.0), (indent + short, -tall), (indent, -tall), (indent, 0.0)]
    canvas = marks.figure_canvas(rng, _SIZE)
    *corners, foot = fit_into(turn_points(shape, 0, mirror=rng.random() < 0.5), _SIZE)
    canvas.polygon(corners, pale(rng.choice(canvas.style.palette)) if canvas.style.shading else None)
    canvas.dashed_line(corners[3], foot, width=1.6)
    square = canvas.right_angle(foot, (corners[3], corners[1]), 12)
    canvas.letter_corners(letters, corners)
    point = "H" if "H" not in letters else "T"
    canvas.letter(point, foot, (0, 1))
    facts: list[Constraint] = [Relation(type="perpendicular", entities=(d + point, a + b), box=square)]
    sides = ((a + b, long), (d + c, short), (d + point, height))
    ends = ((corners[0], corners[1]), (corners[3], corners[2]), (corners[3], foot))
    centre = centre_of(corners)
    for (name, value), end, inside in zip(sides, ends, (centre, centre, corners[0]), strict=True):
        facts.append(marks.length_fact(name, value, unit, canvas.side_label(end, f"{value} {unit}", inside)))
    question = f"{a}{b} and {d}{c} are parallel. What is the area of trapezoid {letters} in square {unit}?"
    return Scene(canvas.finish(rng), question, tuple(facts), partial(_solve_trapezoid, sides, unit), rng.random() < 0.3)


def _solve_trapezoid(sides: tuple[tuple[str, int], ...], unit: str, sheet: SolutionSheet) -> None:
    (base, _), _, (upright, tall) = sides
    sheet.say("perpendicular", "square", first=upright, second=base, at=upright[1])
    read: dict[str, int] = {}
    for i, (name, value) in enumerate(sides):
        other = [tall] if i == 1 else []
        read[name] = sheet.decide(f"side-{i}", value, misread=confusions(value), mixed_up=other)
    for i, (name, _) in sheet.shuffle_items("order", tuple(enumerate(sides))):
        sheet.say("length", f"side-{i}", name=name, amount=measure(read[name], unit))
    long, short, height = read.values()
    rule = sheet.decide("rule", "half", wrong_facts=["whole"], misbuilt=["rectangle"])
    shape = "rectangle" if rule == "rectangle" else "trapezoid"
    if shape == "rectangle":
        sheet.say("quadrilaterals/shape:rectangle", height=height, unit=unit)
    formula = {"half": "(a + b) × h ÷ 2", "whole": "(a + b) × h", "rectangle": "a × h"}[rule]
    sheet.say("quadrilaterals/rule:area", shape=shape, formula=formula)
    if shape == "rectangle":
        area: Numeral = sheet.work("quadrilaterals/area:rectangle", long * height, long=long, height=height)
    else:
        both = sheet.work("quadrilaterals/both", long + short, long=long, short=short)
        area = sheet.calculate("area", both * height / 2 if rule == "half" else both * height)
        halved = " ÷ 2" if rule == "half" else ""
        sheet.say("quadrilaterals/area", both=both, height=height, halved=halved, area=area)
    sheet.say_answer("quadrilaterals/answer:area", number(area), f" {unit}²")


def _two_isosceles(rng: Random) -> Scene:
    """AD = BC, with the angles of triangle ACD such that AC = AD: then AC = BC, and angle ABC follows."""
    top, apex = 2 * rng.randint(20, 34), 2 * rng.randint(20, 42)
    while top == apex:
        apex = 2 * rng.randint(20, 42)
    base = (180 - top) // 2
    a, b, c, d = tuple(letters := rng.choice(_LETTERS))
    shape = [(0.0, 0.0), move_point((1.0, 0.0), 180 - apex, 1.0), (1.0, 0.0), move_point((0.0, 0.0), -top, 1.0)]
    canvas = marks.figure_canvas(rng, _SIZE)
    corners = fit_into(turn_points(shape, rng.uniform(0, 360), mirror=rng.random() < 0.5), _SIZE, 50)
    canvas.polygon(corners)
    canvas.line(corners[0], corners[2])
    equal = canvas.ticks(corners[0], corners[3]), canvas.ticks(corners[1], corners[2])
    canvas.letter_corners(letters, corners)
    places = ((d + a + c, top, 0, (3, 2)), (d + c + a, base, 2, (3, 0)), (a + c + b, apex, 2, (0, 1)))
    facts: list[Constraint] = [Relation(type="equal", entities=(a + d, b + c), box=marks.box_around(*equal))]
    for i, (name, value, vertex, (first, second)) in enumerate(places):
        box = canvas.angle_mark(corners[vertex], (corners[first], corners[second]), f"{value}°", 20 + 5 * i)
        facts.append(marks.angle_fact(name, value, box))
    question = f"In quadrilateral {letters}, how big is ∠{a}{b}{c} in degrees?"
    solve = partial(_solve_two_isosceles, letters, (top, base, apex))
    return Scene(canvas.finish(rng), question, tuple(facts), solve, rng.random() < 0.6)


def _solve_two_isosceles(letters: str, angles: tuple[int, int, int], sheet: SolutionSheet) -> None:
    a, b, c, d = tuple(letters)
    top, base, _ = angles
    top_name, base_name, apex_name, wanted = d + a + c, d + c + a, a + c + b, a + b + c
    pair = sheet.decide("pair", (a + d, b + c), misbuilt=[(a + b, a + c)])
    sheet.say("equal", "pair", first=pair[0], second=pair[1])
    apex = sheet.decide("apex", angles[2], misread=confusions(angles[2], below=170), mixed_up=[base])
    if pair == (a + b, a + c):
        sheet.say("angle", "apex", name=apex_name, value=apex)
        sheet.say("quadrilaterals/isosceles", a=a, b=b, c=c, wanted=wanted, apex_name=apex_name)
        return _angle_answer(sheet, wanted, apex)
    sheet.say("angle", "top", name=top_name, value=top)
    sheet.say("angle", "base", name=base_name, value=base)
    third = sheet.work("quadrilaterals/third", 180 - top - base, a=a, c=c, d=d, top=top, base=base)
    start = "Since it" if third == base else "As it nearly"
    sheet.say("quadrilaterals/sides", start=start, base_name=base_name, a=a, c=c, d=d)
    link = sheet.decide("link", b + c, wrong_conclusions=[a + b])
    sheet.say("quadrilaterals/link", a=a, b=b, c=c, d=d, link=link)
    sheet.say("angle", "apex", name=apex_name, value=apex)
    if link == a + b:
        return _angle_answer(sheet, wanted, apex)
    value: Numeral = sheet.work("quadrilaterals/value", (180 - apex) / 2, apex=apex, wanted=wanted)
    return _angle_answer(sheet, wanted, value)


_LINES_SIZE = (500, 400)
_LINE_NAMES = ("ABCDEFGH", "KLMNPQRS", "PQRSTUVW")
_ANGLE_KINDS = ("corresponding", "alternate", "co-interior")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Crossing:
    """Lines AB and CD, transversal EF through G (on AB) and H (on CD), by letters in that order."""

    letters: str
    given: str
    wanted: str
    kind: str
    value: int

    @property
    def lines(self) -> tuple[str, str]:
        return self.letters[0:2], self.letters[2:4]


def make_parallels(rng: Random) -> Scene:
    """A labelled angle at one crossing; the corresponding, alternate or co-interior one is asked."""
    letters = rng.choice(_LINE_NAMES)
    a, b, c, d, e, _, g, h = tuple(letters)
    kind = rng.choice(_ANGLE_KINDS)
    left = rng.random() < 0.5
    near, far = (a, b) if left else (b, a)
    low, across = (c, d) if left else (d, c)
    given = f"{e}{g}{near}" if kind == "corresponding" else f"{near}{g}{h}"
    wanted = f"{g}{h}{across}" if kind == "alternate" else f"{g}{h}{low}"
    value = rng.choice([x for x in range(38, 143) if not 80 <= x <= 100])
    crossing = _Crossing(letters=letters, given=given, wanted=wanted, kind=kind, value=value)
    image, constraints = _draw_parallels(crossing, rng)
    question = rng.choice(texts("parallels/question", first=a + b, second=c + d, wanted=wanted))
    # The angle beside the labelled one: its supplement, so that taking one for the other is an error.
    beside = f"{e}{g}{far}" if kind == "corresponding" else f"{e}{g}{near}"
    solve = partial(_solve_parallels, crossing, beside)
    return Scene(image, question, constraints, solve, rng.random() < 0.4)


def _solve_parallels(crossing: _Crossing, neighbour: str, sheet: SolutionSheet) -> None:
    first, second = crossing.lines
    wanted = crossing.wanted
    sheet.say("parallel", "parallel", first=first, second=second)
    place = sheet.decide("place", crossing.given, mixed_up=[neighbour])
    read = sheet.decide("value", crossing.value, misread=confusions(crossing.value, below=178))
    sheet.say("angle", "value", name=place, value=read)
    if sheet.decide("square", False, misbuilt=[True]):
        sheet.say("perpendicular", "square", first=first, second=crossing.letters[4:6], at=crossing.letters[6])
        return _angle_answer(sheet, wanted, 90)
    if place != crossing.given:
        read = sheet.calculate("beside", 180 - read)
        sheet.say("parallels/beside", given=crossing.given, read=read)
        place = crossing.given
    kind = sheet.decide("kind", crossing.kind, wrong_conclusions=(x for x in _ANGLE_KINDS if x != crossing.kind))
    equal = sheet.decide("rule", kind != "co-interior", wrong_facts=[kind == "co-interior"])
    sheet.say("parallels/kind", place=place, wanted=wanted, kind=kind)
    sheet.say("parallels/rule", kind=kind, how="equal" if equal else "supplementary")
    value = sheet.calculate("result", read if equal else 180 - read)
    sheet.say(f"parallels/result:{'equal' if equal else 'rest'}", wanted=wanted, place=place, read=read, value=value)
    return _angle_answer(sheet, wanted, value)


def _draw_parallels(crossing: _Crossing, rng: Random) -> Drawn:
    canvas = marks.figure_canvas(rng, _LINES_SIZE)
    points = _line_points(crossing, rng)
    a, b, c, d, e, f, g, h = tuple(crossing.letters)
    for start, end in ((a, b), (c, d), (e, f)):
        canvas.line(points[start], points[end])
    arrows = [
        canvas.arrow_head(point_between(points[x], points[y], 0.86), direction(points[x], points[y]))
        for x, y in ((a, b), (c, d))
    ]
    along = direction(points[a], points[b])
    ends = {a: along + 180, b: along, c: along + 180, d: along}
    ends |= {letter: direction(points[other], points[letter]) for letter, other in ((e, g), (f, h))}
    for letter, degrees in ends.items():
        canvas.letter(letter, points[letter], move_point((0, 0), degrees, 1))
    boxes = []
    for name, words in ((crossing.given, f"{crossing.value}°"), (crossing.wanted, "?")):
        start, vertex, end = tuple(name)
        boxes.append(canvas.angle_mark(points[vertex], (points[start], points[end]), words, 20))
    for letter in (g, h):
        canvas.letter(letter, points[letter], move_point((0, 0), along + 35, 1))
    facts = (
        Relation(type="parallel", entities=crossing.lines, box=marks.box_around(*arrows)),
        marks.angle_fact(crossing.given, crossing.value, boxes[0]),
    )
    return canvas.finish(rng), facts


def _line_points(crossing: _Crossing, rng: Random) -> dict[str, Point]:
    """Where the letters are: the lines a little tilted, the transversal at the labelled angle."""
    a, b, c, d, e, f, g, h = tuple(crossing.letters)
    tilt = rng.uniform(-8, 8)
    # The labelled angle lies between the transversal (up at G, down at H) and one end of its line.
    up = crossing.given[0] == e
    near = crossing.given[2] if up else crossing.given[0]
    base = tilt + (180 if near == a else 0)
    turn = crossing.value if (near == a) == up else -crossing.value
    steep = base + turn
    upward = steep if up else steep + 180
    shift = math.cos(math.radians(upward)) / max(0.2, abs(math.sin(math.radians(upward - tilt)))) * 62
    places = {a: move_point((250, 130), tilt + 180, 195), b: move_point((250, 130), tilt, 195)}
    places |= {c: move_point((250, 265), tilt + 180, 195), d: move_point((250, 265), tilt, 195)}
    (left, _), (right, _) = places[a], places[b]
    places[g] = point_between(places[a], places[b], (250 + shift - left) / (right - left))
    dx, dy = math.cos(math.radians(upward)), math.sin(math.radians(upward))
    (x1, y1), (x2, y2), (gx, gy) = places[c], places[d], places[g]
    ex, ey = x2 - x1, y2 - y1
    places[h] = point_between(places[c], places[d], ((gx - x1) * dy - (gy - y1) * dx) / (ex * dy - ey * dx))
    places |= {e: move_point(places[g], upward, 92), f: move_point(places[h], upward + 180, 92)}
    return places
