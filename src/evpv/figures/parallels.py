"""Two parallel lines and a transversal: from one labelled angle to another."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from random import Random

from PIL import Image

from evpv.figures import marks
from evpv.figures.drawing import Point, direction, move_point, point_between
from evpv.figures.writing import Scene, SolutionSheet, confusions, number, texts
from evpv.types import Constraint, Relation

_SIZE = (500, 400)
_NAMES = ("ABCDEFGH", "KLMNPQRS", "PQRSTUVW")
_KINDS = ("corresponding", "alternate", "co-interior")


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


def make(rng: Random) -> Scene:
    """A labelled angle at one crossing; the corresponding, alternate or co-interior one is asked."""
    letters = rng.choice(_NAMES)
    a, b, c, d, e, _, g, h = tuple(letters)
    kind = rng.choice(_KINDS)
    left = rng.random() < 0.5
    near, far = (a, b) if left else (b, a)
    low, across = (c, d) if left else (d, c)
    given = f"{e}{g}{near}" if kind == "corresponding" else f"{near}{g}{h}"
    wanted = f"{g}{h}{across}" if kind == "alternate" else f"{g}{h}{low}"
    value = rng.choice([x for x in range(38, 143) if not 80 <= x <= 100])
    crossing = _Crossing(letters=letters, given=given, wanted=wanted, kind=kind, value=value)
    image, constraints = _draw(crossing, rng)
    question = rng.choice(texts("parallels/question", first=a + b, second=c + d, wanted=wanted))
    # The angle beside the labelled one: its supplement, so that taking one for the other is an error.
    beside = f"{e}{g}{far}" if kind == "corresponding" else f"{e}{g}{near}"
    solve = partial(_solve, crossing, beside)
    return Scene(image, question, constraints, solve, rng.random() < 0.4)


def _solve(crossing: _Crossing, neighbour: str, sheet: SolutionSheet) -> None:
    first, second = crossing.lines
    wanted = crossing.wanted
    sheet.say("parallel", "parallel", first=first, second=second)
    place = sheet.decide("place", crossing.given, mixed_up=[neighbour])
    read = sheet.decide("value", crossing.value, misread=confusions(crossing.value, below=178))
    sheet.say("angle", "value", name=place, value=read)
    if sheet.decide("square", False, misbuilt=[True]):
        sheet.say("perpendicular", "square", first=first, second=crossing.letters[4:6], at=crossing.letters[6])
        return sheet.say_answer("angle-answer", "90", "°", wanted=wanted)
    if place != crossing.given:
        read = sheet.calculate("beside", 180 - read)
        sheet.say("parallels/beside", given=crossing.given, read=read)
        place = crossing.given
    kind = sheet.decide("kind", crossing.kind, wrong_conclusions=(x for x in _KINDS if x != crossing.kind))
    equal = sheet.decide("rule", kind != "co-interior", wrong_facts=[kind == "co-interior"])
    sheet.say("parallels/kind", place=place, wanted=wanted, kind=kind)
    sheet.say("parallels/rule", kind=kind, how="equal" if equal else "supplementary")
    value = sheet.calculate("result", read if equal else 180 - read)
    case = "equal" if equal else "rest"
    sheet.say(f"parallels/result:{case}", wanted=wanted, place=place, read=read, value=value)
    return sheet.say_answer("angle-answer", number(value), "°", wanted=wanted)


def _draw(crossing: _Crossing, rng: Random) -> tuple[Image.Image, tuple[Constraint, ...]]:
    canvas = marks.figure_canvas(rng, _SIZE)
    points = _points(crossing, rng)
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
        canvas.letter(letter, points[letter], _unit(degrees))
    boxes = []
    for name, words in ((crossing.given, f"{crossing.value}°"), (crossing.wanted, "?")):
        start, vertex, end = tuple(name)
        boxes.append(canvas.angle_mark(points[vertex], (points[start], points[end]), words, 20))
    for letter in (g, h):
        canvas.letter(letter, points[letter], _unit(along + 35))
    facts = (
        Relation(type="parallel", entities=crossing.lines, box=marks.box_around(*arrows)),
        marks.angle_fact(crossing.given, crossing.value, boxes[0]),
    )
    return canvas.finish(rng), facts


def _points(crossing: _Crossing, rng: Random) -> dict[str, Point]:
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
    (x0, _), (x1, _) = places[a], places[b]
    places[g] = point_between(places[a], places[b], (250 + shift - x0) / (x1 - x0))
    places[h] = _meeting(places[g], upward, places[c], places[d])
    places |= {e: move_point(places[g], upward, 92), f: move_point(places[h], upward + 180, 92)}
    return places


def _meeting(point: Point, degrees: float, start: Point, end: Point) -> Point:
    """Where the line through a point in a direction crosses another line."""
    dx, dy = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    ex, ey = end[0] - start[0], end[1] - start[1]
    share = ((point[0] - start[0]) * dy - (point[1] - start[1]) * dx) / (ex * dy - ey * dx)
    return point_between(start, end, share)


def _unit(degrees: float) -> Point:
    return math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
