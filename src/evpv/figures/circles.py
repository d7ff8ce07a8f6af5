"""Circles: area and circumference from a radius or diameter, a central and an inscribed angle, a tangent."""

from __future__ import annotations

import math
from functools import partial
from random import Random

from evpv.figures import phrases
from evpv.figures.drawing import Point, away, move_point, pale, point_between
from evpv.figures.marks import angle_mark, figure_canvas, right_angle, side_label
from evpv.figures.notation import equals, number, root
from evpv.figures.phrases import confusions
from evpv.figures.writing import Scene, Sheet, misbuilt, misread, mixed_up, wrong_conclusions, wrong_facts
from evpv.types import Constraint, Numeric

_SIZE = (460, 420)
_CENTRE: Point = (230, 205)
_RADIUS = 140.0


def make(rng: Random) -> Scene:
    """One of the three questions."""
    return rng.choice((_measure, _inscribed_angle, _tangent))(rng)


def _measure(rng: Random) -> Scene:
    """A radius or a diameter is labelled; the area or the circumference is asked as a multiple of π."""
    shown, wanted = rng.choice(("radius", "diameter")), rng.choice(("area", "circumference"))
    radius, unit = rng.randint(2, 14), rng.choice(("cm", "m", "ft"))
    value = radius if shown == "radius" else 2 * radius
    canvas = figure_canvas(rng, _SIZE)
    canvas.ellipse(_CENTRE, (_RADIUS, _RADIUS), pale(canvas.style.palette[1]) if canvas.style.shading else None)
    turn = rng.uniform(0, 360)
    end = move_point(_CENTRE, turn, _RADIUS)
    start = _CENTRE if shown == "radius" else move_point(_CENTRE, turn + 180, _RADIUS)
    canvas.line(start, end)
    canvas.dot(_CENTRE, 4)
    middle = point_between(_CENTRE, end, 0.5)
    across = math.radians(turn + 90)
    box = canvas.label(f"{value} {unit}", middle, (math.cos(across), math.sin(across)))
    canvas.label("O", _CENTRE, (-math.cos(across), -math.sin(across)), colour=canvas.style.accent)
    fact = Numeric(entity="circle O", attribute=shown, value=float(value), unit=unit, box=box)
    of = f"square {unit}" if wanted == "area" else unit
    question = f"What is the {wanted} of circle O in {of}? Give the answer as a multiple of π."
    solve = partial(_solve_measure, value, shown, wanted, unit)
    return Scene(
        image=canvas.finish(rng),
        question=question,
        constraints=(fact,),
        solve=solve,
        multiple_choice=rng.random() < 0.4,
    )


def _solve_measure(value: int, shown: str, wanted: str, unit: str, sheet: Sheet) -> None:
    other = "diameter" if shown == "radius" else "radius"
    seen = sheet.decide("kind", shown, *mixed_up(other))
    read = sheet.decide("value", value, *misread(*confusions(value)))
    sheet.step(
        "value",
        f"The segment in the figure is a {seen} and is labeled {read} {unit}.",
        f"The {seen} of circle O is marked as {read} {unit}.",
        f"From the picture, the {seen} is {read} {unit}.",
        claim=(
            f"The {seen} of circle O is {read} {unit}.",
            f"Circle O has {seen} {read} {unit}.",
            f"The {seen} of circle O is labeled {read} {unit}.",
        ),
    )
    radius: int | float = read
    if seen == "diameter":
        radius = sheet.calculate("radius", read / 2)
        sheet.step(
            "radius",
            f"The radius is half of that: `r = {read} ÷ 2 = {number(radius)}`.",
            f"So `r = {read} ÷ 2 = {number(radius)}` {unit}.",
        )
    formula = sheet.decide(
        "formula", wanted, *wrong_facts("area" if wanted == "circumference" else "circumference", "single")
    )
    names = {"area": "π × r²", "circumference": "2 × π × r", "single": "π × r"}
    sheet.step(
        "formula", f"The {wanted} of a circle is `{names[formula]}`.", f"Use the formula `{wanted} = {names[formula]}`."
    )
    r = number(radius)
    shown_work = {"area": f"{r} × {r}", "circumference": f"2 × {r}", "single": f"1 × {r}"}[formula]
    factor = sheet.calculate(
        "factor", {"area": radius * radius, "circumference": 2 * radius, "single": radius}[formula]
    )
    sheet.step(
        "factor",
        f"`{shown_work} {equals(factor)}`, so we get `{number(factor)}π`.",
        f"Since `{shown_work} {equals(factor)}`, the {wanted} is `{number(factor)}π`.",
    )
    end = f" {unit}²" if wanted == "area" else f" {unit}"
    sheet.conclude(f"{number(factor)}π", f"So the {wanted} is {{}}.", "The answer is {}.", unit=end)


def _inscribed_angle(rng: Random) -> Scene:
    """A central angle is labelled; the inscribed angle on the same arc is asked."""
    central = 2 * rng.randint(22, 78)
    a, b, c = rng.choice(("ABC", "PQR", "KLM", "DEF", "RST"))
    canvas = figure_canvas(rng, _SIZE)
    canvas.ellipse(_CENTRE, (_RADIUS, _RADIUS))
    base = rng.uniform(0, 360)
    first, second = move_point(_CENTRE, base - central / 2, _RADIUS), move_point(_CENTRE, base + central / 2, _RADIUS)
    third = move_point(_CENTRE, base + 180 + rng.uniform(-24, 24), _RADIUS)
    canvas.line(first, _CENTRE, second)
    canvas.line(first, third, second)
    canvas.dot(_CENTRE, 4)
    for letter, point in zip((a, b, c), (first, second, third), strict=True):
        canvas.label(letter, point, away(point, _CENTRE), colour=canvas.style.accent)
    box = angle_mark(canvas, _CENTRE, (first, second), f"{central}°", 22)
    canvas.label("O", _CENTRE, away(third, _CENTRE), colour=canvas.style.accent)
    fact = phrases.angle_fact(f"{a}O{b}", central, box)
    question = f"O is the center of the circle. What is ∠{a}{c}{b} in degrees?"
    solve = partial(_solve_inscribed, central, a + b + c)
    return Scene(
        image=canvas.finish(rng),
        question=question,
        constraints=(fact,),
        solve=solve,
        multiple_choice=rng.random() < 0.5,
    )


def _solve_inscribed(central: int, letters: str, sheet: Sheet) -> None:
    a, b, c = tuple(letters)
    wanted = f"{a}{c}{b}"
    place = sheet.decide("place", f"{a}O{b}", *mixed_up(wanted))
    read = sheet.decide("central", central, *misread(*confusions(central, below=178)))
    phrases.angle(place, read).on(sheet, "central")
    if place == wanted:
        return sheet.conclude(number(read), f"Therefore ∠{wanted} is {{}}.", "The answer is {}.", unit="°")
    rule = sheet.decide("rule", "half", *wrong_facts("equal", "double"), *wrong_conclusions("supplement"))
    sheet.step(
        "rule",
        {
            "half": f"∠{wanted} is an inscribed angle on the same arc {a}{b}, so it is half of the central angle.",
            "equal": f"∠{wanted} stands on the same arc {a}{b}, and angles on the same arc are equal.",
            "double": f"The inscribed angle ∠{wanted} is twice the central angle on the same arc.",
            "supplement": f"Since ∠{wanted} faces the central angle, the two add up to 180°.",
        }[rule],
    )
    values = {"half": read / 2, "equal": read, "double": 2 * read, "supplement": 180 - read}
    value = sheet.calculate("value", values[rule])
    shown = {
        "half": f"{read}° ÷ 2",
        "equal": f"{read}°",
        "double": f"2 × {read}°",
        "supplement": f"180° − {read}°",
    }
    sheet.step(
        "value",
        f"So `∠{wanted} = {shown[rule]} = {number(value)}°`.",
        f"This gives `{shown[rule]} = {number(value)}°`.",
    )
    return sheet.conclude(number(value), f"Therefore ∠{wanted} is {{}}.", "The answer is {}.", unit="°")


def _tangent(rng: Random) -> Scene:
    """A tangent from an outer point: radius and distance are labelled, the tangent's length is asked."""
    radius, _length, far = rng.choice(
        ((3, 4, 5), (5, 12, 13), (8, 15, 17), (7, 24, 25), (6, 8, 10), (9, 12, 15), (20, 21, 29))
    )
    touch, outer = rng.choice(("TP", "AB", "KM", "CD"))
    unit = rng.choice(("cm", "m", "ft"))
    canvas = figure_canvas(rng, _SIZE)
    centre, drawn = (165.0, 215.0), 88.0
    reach = min(max(drawn * far / radius, 170), 240)
    turn = rng.uniform(-25, 25)
    point = move_point(centre, turn, reach)
    side = turn - math.degrees(math.acos(drawn / reach))
    contact = move_point(centre, side, drawn)
    canvas.ellipse(centre, (drawn, drawn), pale(canvas.style.palette[2]) if canvas.style.shading else None)
    canvas.line(centre, contact, point, centre)
    canvas.dot(centre, 4)
    box = right_angle(canvas, contact, (centre, point), 12)
    facts: list[Constraint] = [phrases.relation_fact("perpendicular", f"O{touch}", f"{touch}{outer}", box)]
    canvas.label("O", centre, away(centre, point_between(contact, point, 0.5)), colour=canvas.style.accent)
    canvas.label(touch, contact, away(contact, centre), colour=canvas.style.accent)
    canvas.label(outer, point, away(point, centre), colour=canvas.style.accent)
    inside = point_between(centre, point, 0.6)
    box = side_label(canvas, (centre, contact), f"{radius} {unit}", inside)
    facts.append(phrases.length_fact(f"O{touch}", radius, unit, box))
    box = side_label(canvas, (centre, point), f"{far} {unit}", contact)
    facts.append(phrases.length_fact(f"O{outer}", far, unit, box))
    question = (
        f"{touch}{outer} is tangent to the circle with center O at {touch}. How long is {touch}{outer} in {unit}?"
    )
    solve = partial(_solve_tangent, (radius, far), touch + outer, unit)
    return Scene(
        image=canvas.finish(rng),
        question=question,
        constraints=tuple(facts),
        solve=solve,
        multiple_choice=rng.random() < 0.3,
    )


def _solve_tangent(sides: tuple[int, int], wanted: str, unit: str, sheet: Sheet) -> None:
    touch, outer = tuple(wanted)
    seen = sheet.decide("corner", touch, *misbuilt("O"))
    other = f"O{outer}" if seen == "O" else wanted
    phrases.perpendicular(f"O{touch}", other, seen).on(sheet, "corner")
    radius = sheet.decide("radius", sides[0], *misread(*confusions(sides[0], below=sides[1])))
    phrases.length(f"O{touch}", radius, unit).on(sheet, "radius")
    far = sheet.decide("far", sides[1], *misread(*(x for x in confusions(sides[1]) if x > sides[0])))
    phrases.length(f"O{outer}", far, unit).on(sheet, "far")
    sign = sheet.decide("sign", "−", *wrong_facts("+"))
    sign = "+" if seen == "O" else sign
    sheet.step(
        "rule",
        f"In the right triangle O{touch}{outer}, `{wanted}² = {far}² {sign} {radius}²`.",
        f"The radius meets the tangent at a right angle, so `{wanted}² = {far}² {sign} {radius}²`.",
    )
    square = sheet.calculate("square", far**2 - radius**2 if sign == "−" else far**2 + radius**2)
    sheet.step(
        "square",
        f"`{wanted}² = {far**2} {sign} {radius**2} = {square}`.",
        f"That is `{far**2} {sign} {radius**2} = {square}`.",
    )
    length = sheet.calculate("root", root(square))
    is_whole = isinstance(root(square), int)
    sheet.step("root", f"So `{wanted} = √{square} {'=' if is_whole else '≈'} {number(length)}`.")
    sheet.conclude(number(length), f"The tangent {wanted} is {{}} long.", "The answer is {}.", unit=f" {unit}")
