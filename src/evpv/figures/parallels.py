"""Two parallel lines and a transversal: from one labelled angle to another."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from random import Random

from PIL import Image

from evpv.figures import phrases
from evpv.figures.drawing import Point, direction, move_point, point_between
from evpv.figures.marks import angle_mark, arrow_head, box_around, figure_canvas
from evpv.figures.notation import number
from evpv.figures.phrases import confusions
from evpv.figures.writing import Amount, Scene, Sheet, misbuilt, misread, mixed_up, wrong_conclusions, wrong_facts
from evpv.types import Constraint

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
    question = rng.choice(
        (
            f"Lines {a}{b} and {c}{d} are cut by a transversal. What is ∠{wanted} in degrees?",
            f"Find the measure of ∠{wanted} in degrees.",
        )
    )
    # The angle beside the labelled one: its supplement, so that taking one for the other is an error.
    beside = f"{e}{g}{far}" if kind == "corresponding" else f"{e}{g}{near}"
    solve = partial(_solve, crossing, beside)
    return Scene(
        image=image, question=question, constraints=constraints, solve=solve, multiple_choice=rng.random() < 0.4
    )


def _solve(crossing: _Crossing, neighbour: str, sheet: Sheet) -> None:
    first, second = crossing.lines
    wanted = crossing.wanted
    phrases.parallel(first, second).on(sheet, "parallel")
    place = sheet.decide("place", crossing.given, *mixed_up(neighbour))
    read = sheet.decide("value", crossing.value, *misread(*confusions(crossing.value, below=178)))
    phrases.angle(place, read).on(sheet, "value")
    if sheet.decide("square", False, *misbuilt(True)):
        phrases.perpendicular(first, crossing.letters[4:6], crossing.letters[6]).on(sheet, "square")
        return _answer(sheet, wanted, 90)
    if place != crossing.given:
        read = sheet.calculate("beside", 180 - read)
        sheet.step("beside", f"∠{crossing.given} lies beside it on the same line, so it is {read}°.")
        place = crossing.given
    kind = sheet.decide("kind", crossing.kind, *wrong_conclusions(*(x for x in _KINDS if x != crossing.kind)))
    equal = sheet.decide("rule", kind != "co-interior", *wrong_facts(kind == "co-interior"))
    sheet.step(
        "kind",
        f"∠{place} and ∠{wanted} are {kind} angles.",
        f"The angles {place} and {wanted} form a pair of {kind} angles.",
    )
    both = f"{kind} angles are {'equal' if equal else 'supplementary'}"
    sheet.step("rule", f"Between parallel lines, {both}.", f"Because the lines are parallel, {both}.")
    value = sheet.calculate("result", read if equal else 180 - read)
    if equal:
        sheet.step("result", f"Hence `∠{wanted} = ∠{place} = {value}°`.", f"So `∠{wanted} = {value}°`.")
    else:
        sheet.step(
            "result",
            f"Hence `∠{wanted} = 180° − {read}° = {value}°`.",
            f"That leaves `180 − {read} = {value}` degrees.",
        )
    return _answer(sheet, wanted, value)


def _answer(sheet: Sheet, wanted: str, value: Amount) -> None:
    sheet.conclude(
        number(value), f"Therefore ∠{wanted} is {{}}.", f"Angle {wanted} measures {{}}.", "The answer is {}.", unit="°"
    )


def _draw(crossing: _Crossing, rng: Random) -> tuple[Image.Image, tuple[Constraint, ...]]:
    canvas = figure_canvas(rng, _SIZE)
    points = _points(crossing, rng)
    a, b, c, d, e, f, g, h = tuple(crossing.letters)
    canvas.line(points[a], points[b])
    canvas.line(points[c], points[d])
    canvas.line(points[e], points[f])
    arrows = [
        arrow_head(canvas, point_between(points[x], points[y], 0.86), direction(points[x], points[y]))
        for x, y in ((a, b), (c, d))
    ]
    along = direction(points[a], points[b])
    for letter, turn in ((a, 180), (b, 0), (c, 180), (d, 0)):
        canvas.label(letter, points[letter], _unit(along + turn), colour=canvas.style.accent)
    for letter, other in ((e, g), (f, h)):
        canvas.label(
            letter, points[letter], _unit(direction(points[other], points[letter])), colour=canvas.style.accent
        )
    start, vertex, end = tuple(crossing.given)
    box = angle_mark(canvas, points[vertex], (points[start], points[end]), f"{crossing.value}°", 20)
    start, vertex, end = tuple(crossing.wanted)
    angle_mark(canvas, points[vertex], (points[start], points[end]), "?", 20)
    for letter in (g, h):
        canvas.label(letter, points[letter], _unit(along + 35), colour=canvas.style.accent)
    facts = (
        phrases.relation_fact("parallel", *crossing.lines, box_around(*arrows)),
        phrases.angle_fact(crossing.given, crossing.value, box),
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
    top, low = (250 + shift, 130.0), (250 - shift, 265.0)
    places = {g: top, h: low}
    places |= {a: move_point((250, 130), tilt + 180, 195), b: move_point((250, 130), tilt, 195)}
    places |= {c: move_point((250, 265), tilt + 180, 195), d: move_point((250, 265), tilt, 195)}
    places[g] = _on_line(places[a], places[b], top[0])
    places[h] = _meeting(places[g], upward, places[c], places[d])
    places |= {e: move_point(places[g], upward, 92), f: move_point(places[h], upward + 180, 92)}
    return places


def _on_line(start: Point, end: Point, x: float) -> Point:
    return point_between(start, end, (x - start[0]) / (end[0] - start[0]))


def _meeting(point: Point, degrees: float, start: Point, end: Point) -> Point:
    """Where the line through a point in a direction crosses another line."""
    dx, dy = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    ex, ey = end[0] - start[0], end[1] - start[1]
    share = ((point[0] - start[0]) * dy - (point[1] - start[1]) * dx) / (ex * dy - ey * dx)
    return point_between(start, end, share)


def _unit(degrees: float) -> Point:
    return math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
