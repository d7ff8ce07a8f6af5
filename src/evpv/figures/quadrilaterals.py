"""Quadrilaterals: angles of a parallelogram, the area of a trapezoid, and the two isosceles triangles of case J.2."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from random import Random

from evpv.figures import phrases
from evpv.figures.drawing import (
    Canvas,
    Point,
    centre_of,
    direction,
    fit_into,
    move_point,
    pale,
    point_between,
    turn_points,
)
from evpv.figures.marks import (
    angle_mark,
    arrow_head,
    box_around,
    figure_canvas,
    letter_corners,
    right_angle,
    side_label,
    ticks,
)
from evpv.figures.notation import equals, number
from evpv.figures.phrases import confusions
from evpv.figures.writing import Amount, Scene, Sheet, misbuilt, misread, mixed_up, wrong_conclusions, wrong_facts
from evpv.types import Constraint

_SIZE = (500, 380)
_LETTERS = ("ABCD", "PQRS", "KLMN", "WXYZ", "EFGH")


def make(rng: Random) -> Scene:
    """One of the three figures."""
    return rng.choice((_parallelogram, _trapezoid, _two_isosceles))(rng)


def _parallelogram(rng: Random) -> Scene:
    value = rng.choice([x for x in range(48, 133) if not 82 <= x <= 98])
    letters = rng.choice(_LETTERS)
    a, b, c, d = tuple(letters)
    slant = math.radians(value)
    width, side = rng.uniform(1.5, 2.2), 1.1
    shape = [
        (0.0, 0.0),
        (width, 0.0),
        (width + side * math.cos(slant), -side * math.sin(slant)),
        (side * math.cos(slant), -side * math.sin(slant)),
    ]
    canvas = figure_canvas(rng, _SIZE)
    corners = fit_into(turn_points(shape, rng.uniform(-12, 12), mirror=rng.random() < 0.5), _SIZE)
    canvas.polygon(corners, pale(rng.choice(canvas.style.palette)) if canvas.style.shading else None)
    long = [
        arrow_head(canvas, point_between(corners[i], corners[j], 0.56), direction(corners[i], corners[j]), 9)
        for i, j in ((0, 1), (3, 2))
    ]
    short = [_double_arrow(canvas, corners[i], corners[j]) for i, j in ((0, 3), (1, 2))]
    letter_corners(canvas, letters, corners)
    box = angle_mark(canvas, corners[0], (corners[1], corners[3]), f"{value}°", 22)
    facts: tuple[Constraint, ...] = (
        phrases.relation_fact("parallel", a + b, d + c, box_around(*long)),
        phrases.relation_fact("parallel", a + d, b + c, box_around(*short)),
        phrases.angle_fact(d + a + b, value, box),
    )
    opposite = rng.random() < 0.4
    wanted = f"{b}{c}{d}" if opposite else rng.choice((f"{a}{b}{c}", f"{c}{d}{a}"))
    question = f"What is ∠{wanted} of quadrilateral {letters} in degrees?"
    solve = partial(_solve_parallelogram, letters, value, wanted)
    return Scene(
        image=canvas.finish(rng), question=question, constraints=facts, solve=solve, multiple_choice=rng.random() < 0.4
    )


def _double_arrow(canvas: Canvas, start: Point, end: Point) -> tuple[float, float, float, float]:
    along = direction(start, end)
    return box_around(*(arrow_head(canvas, point_between(start, end, share), along, 9) for share in (0.5, 0.58)))


def _solve_parallelogram(letters: str, value: int, wanted: str, sheet: Sheet) -> None:
    a, b, c, d = tuple(letters)
    phrases.parallel(a + b, d + c).on(sheet, "long")
    phrases.parallel(a + d, b + c).on(sheet, "short")
    sheet.step(
        "shape",
        f"So {letters} is a parallelogram.",
        f"Both pairs of opposite sides are parallel, so {letters} is a parallelogram.",
    )
    place = sheet.decide("place", f"{d}{a}{b}", *mixed_up(wanted))
    read = sheet.decide("value", value, *misread(*confusions(value, below=178)))
    phrases.angle(place, read).on(sheet, "value")
    if place == wanted:
        return _angle_answer(sheet, wanted, read)
    opposite = wanted == f"{b}{c}{d}"
    equal = sheet.decide("equal", opposite, *wrong_facts(not opposite))
    where = "opposite" if opposite else "adjacent"
    rule = "equal" if equal else "supplementary"
    sheet.step(
        "rule",
        f"In a parallelogram, {where} angles are {rule}.",
        f"{where.capitalize()} angles of a parallelogram are {rule}.",
    )
    result = sheet.calculate("result", read if equal else 180 - read)
    if equal:
        sheet.step("result", f"Hence `∠{wanted} = ∠{place} = {result}°`.", f"So `∠{wanted} = {result}°`.")
    else:
        sheet.step(
            "result", f"Hence `∠{wanted} = 180° − {read}° = {result}°`.", f"So it is `180 − {read} = {result}` degrees."
        )
    return _angle_answer(sheet, wanted, result)


def _angle_answer(sheet: Sheet, wanted: str, value: Amount) -> None:
    sheet.conclude(
        number(value), f"Therefore ∠{wanted} is {{}}.", f"Angle {wanted} measures {{}}.", "The answer is {}.", unit="°"
    )


def _trapezoid(rng: Random) -> Scene:
    short, height = rng.randint(4, 12), 2 * rng.randint(2, 6)
    long = short + rng.randint(3, 10)
    letters, unit = rng.choice(_LETTERS), rng.choice(("cm", "m", "ft"))
    a, b, c, d = tuple(letters)
    indent = rng.uniform(0.15, 0.85) * (long - short)
    tall = max(float(height), long / 2.2)
    shape = [(0.0, 0.0), (float(long), 0.0), (indent + short, -tall), (indent, -tall), (indent, 0.0)]
    canvas = figure_canvas(rng, _SIZE)
    *corners, foot = fit_into(turn_points(shape, 0, mirror=rng.random() < 0.5), _SIZE)
    canvas.polygon(corners, pale(rng.choice(canvas.style.palette)) if canvas.style.shading else None)
    canvas.dashed_line(corners[3], foot, width=1.6)
    square = right_angle(canvas, foot, (corners[3], corners[1]), 12)
    letter_corners(canvas, letters, corners)
    centre = centre_of(corners)
    point = "H" if "H" not in letters else "T"
    canvas.label(point, foot, (0, 1), colour=canvas.style.accent)
    facts: list[Constraint] = [phrases.relation_fact("perpendicular", d + point, a + b, square)]
    facts += _lengths(
        canvas, unit, ((a + b, long, corners[0], corners[1]), (d + c, short, corners[3], corners[2])), centre
    )
    facts += _lengths(canvas, unit, ((d + point, height, corners[3], foot),), corners[0])
    question = f"{a}{b} and {d}{c} are parallel. What is the area of trapezoid {letters} in square {unit}?"
    solve = partial(_solve_trapezoid, ((a + b, long), (d + c, short), (d + point, height)), unit)
    return Scene(
        image=canvas.finish(rng),
        question=question,
        constraints=tuple(facts),
        solve=solve,
        multiple_choice=rng.random() < 0.3,
    )


def _lengths(
    canvas: Canvas, unit: str, sides: Sequence[tuple[str, int, Point, Point]], centre: Point
) -> list[Constraint]:
    return [
        phrases.length_fact(name, value, unit, side_label(canvas, (start, end), f"{value} {unit}", centre))
        for name, value, start, end in sides
    ]


def _solve_trapezoid(sides: tuple[tuple[str, int], ...], unit: str, sheet: Sheet) -> None:
    (base, foot_name) = sides[0][0], sides[2][0]
    phrases.perpendicular(foot_name, base, foot_name[1]).on(sheet, "square")
    read: dict[str, int] = {}
    for i, (name, value) in enumerate(sides):
        other = mixed_up(sides[2][1]) if i == 1 else ()
        read[name] = sheet.decide(f"side-{i}", value, *misread(*confusions(value)), *other)
    for i, (name, _) in sheet.shuffle_items("order", tuple(enumerate(sides))):
        phrases.length(name, read[name], unit).on(sheet, f"side-{i}")
    long, short, height = read.values()
    rule = sheet.decide("rule", "half", *wrong_facts("whole"), *misbuilt("rectangle"))
    names = {"half": "(a + b) × h ÷ 2", "whole": "(a + b) × h", "rectangle": "a × h"}
    shape = "rectangle" if rule == "rectangle" else "trapezoid"
    if shape == "rectangle":
        seen = (
            f"The sides of the figure meet at right angles, so it is a rectangle with height {number(height)} {unit}."
        )
        sheet.step("shape", seen, claim=("The figure is a rectangle.",))
    sheet.step(
        "rule",
        f"The area of the {shape} is `{names[rule]}`.",
        f"For a {shape}, `A = {names[rule]}`.",
    )
    if rule == "rectangle":
        area: Amount = sheet.calculate("area", long * height)
        sheet.step("area", f"So `A = {long} × {height} = {area}`.")
    else:
        both = sheet.calculate("both", long + short)
        sheet.step("both", f"The parallel sides add to `{long} + {short} = {both}`.", f"`{long} + {short} = {both}`.")
        area = sheet.calculate("area", both * height / 2 if rule == "half" else both * height)
        halved = " ÷ 2" if rule == "half" else ""
        sheet.step(
            "area",
            f"So `A = {both} × {height}{halved} {equals(area)}`.",
            f"Then `{both} × {height}{halved} {equals(area)}`.",
        )
    sheet.conclude(number(area), "The area is {}.", "The answer is {}.", unit=f" {unit}²")


def _two_isosceles(rng: Random) -> Scene:
    """AD = BC, with the angles of triangle ACD such that AC = AD: then AC = BC, and angle ABC follows."""
    top, apex = 2 * rng.randint(20, 34), 2 * rng.randint(20, 42)
    while top == apex:
        apex = 2 * rng.randint(20, 42)
    base = (180 - top) // 2
    letters = rng.choice(_LETTERS)
    a, b, c, d = tuple(letters)
    corner_a: Point = (0.0, 0.0)
    corner_c = (1.0, 0.0)
    shape = [corner_a, move_point(corner_c, 180 - apex, 1.0), corner_c, move_point(corner_a, -top, 1.0)]
    canvas = figure_canvas(rng, _SIZE)
    corners = fit_into(turn_points(shape, rng.uniform(0, 360), mirror=rng.random() < 0.5), _SIZE, 50)
    canvas.polygon(corners)
    canvas.line(corners[0], corners[2])
    marks = ticks(canvas, corners[0], corners[3]), ticks(canvas, corners[1], corners[2])
    letter_corners(canvas, letters, corners)
    places = ((d + a + c, top, 0, (3, 2)), (d + c + a, base, 2, (3, 0)), (a + c + b, apex, 2, (0, 1)))
    facts: list[Constraint] = [phrases.relation_fact("equal", a + d, b + c, box_around(*marks))]
    for i, (name, value, vertex, (first, second)) in enumerate(places):
        box = angle_mark(canvas, corners[vertex], (corners[first], corners[second]), f"{value}°", 20 + 5 * i)
        facts.append(phrases.angle_fact(name, value, box))
    question = f"In quadrilateral {letters}, how big is ∠{a}{b}{c} in degrees?"
    solve = partial(_solve_two_isosceles, letters, (top, base, apex))
    return Scene(
        image=canvas.finish(rng),
        question=question,
        constraints=tuple(facts),
        solve=solve,
        multiple_choice=rng.random() < 0.6,
    )


def _solve_two_isosceles(letters: str, angles: tuple[int, int, int], sheet: Sheet) -> None:
    a, b, c, d = tuple(letters)
    names = (d + a + c, d + c + a, a + c + b)
    pair = sheet.decide("pair", (a + d, b + c), *misbuilt((a + b, a + c)))
    phrases.equal_sides(*pair).on(sheet, "pair")
    apex = sheet.decide("apex", angles[2], *misread(*confusions(angles[2], below=170)), *mixed_up(angles[1]))
    wanted = a + b + c
    if pair == (a + b, a + c):
        phrases.angle(names[2], apex).on(sheet, "apex")
        sheet.step(
            "isosceles", f"Triangle {a}{b}{c} is isosceles with `{a}{b} = {a}{c}`, so `∠{wanted} = ∠{names[2]}`."
        )
        return _angle_answer(sheet, wanted, apex)
    top, base = angles[:2]
    phrases.angle(names[0], top).on(sheet, "top")
    phrases.angle(names[1], base).on(sheet, "base")
    third = sheet.calculate("third", 180 - top - base)
    sheet.step("third", f"In triangle {a}{c}{d}, `∠{a}{d}{c} = 180° − {top}° − {base}° = {third}°`.")
    start = "Since it" if third == base else "As it nearly"
    sheet.step(
        "sides",
        f"{start} equals ∠{names[1]}, triangle {a}{c}{d} is isosceles and `{a}{c} = {a}{d}`.",
    )
    link = sheet.decide("link", b + c, *wrong_conclusions(a + b))
    sheet.step("link", f"Therefore `{a}{c} = {a}{d} = {link}`, and triangle {a}{b}{c} is isosceles.")
    phrases.angle(names[2], apex).on(sheet, "apex")
    if link == a + b:
        return _angle_answer(sheet, wanted, apex)
    value: Amount = sheet.calculate("value", (180 - apex) / 2)
    sheet.step(
        "value",
        f"Its base angles are `(180 − {apex}) ÷ 2 {equals(value)}` degrees.",
        f"So `∠{wanted} = (180° − {apex}°) ÷ 2 {equals(value)}°`.",
    )
    return _angle_answer(sheet, wanted, value)
