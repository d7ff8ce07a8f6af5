"""Circles: area and circumference from a radius or diameter, a central and an inscribed angle, a tangent."""

from __future__ import annotations

import math
from functools import partial
from random import Random

from evpv.figures import marks
from evpv.figures.drawing import Point, away, move_point, pale, point_between
from evpv.figures.writing import Scene, SolutionSheet, confusions, measure, number, root
from evpv.types import Numeric, Relation

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
    canvas = marks.figure_canvas(rng, _SIZE)
    canvas.ellipse(_CENTRE, (_RADIUS, _RADIUS), pale(canvas.style.palette[1]) if canvas.style.shading else None)
    turn = rng.uniform(0, 360)
    end = move_point(_CENTRE, turn, _RADIUS)
    canvas.line(_CENTRE if shown == "radius" else move_point(_CENTRE, turn + 180, _RADIUS), end)
    canvas.dot(_CENTRE, 4)
    across = math.radians(turn + 90)
    middle = point_between(_CENTRE, end, 0.5)
    box = canvas.label(f"{value} {unit}", middle, (math.cos(across), math.sin(across)))
    canvas.letter("O", _CENTRE, (-math.cos(across), -math.sin(across)))
    fact = Numeric(entity="circle O", attribute=shown, value=float(value), unit=unit, box=box)
    of = f"square {unit}" if wanted == "area" else unit
    question = f"What is the {wanted} of circle O in {of}? Give the answer as a multiple of π."
    solve = partial(_solve_measure, value, shown, wanted, unit)
    return Scene(canvas.finish(rng), question, (fact,), solve, rng.random() < 0.4)


def _solve_measure(value: int, shown: str, wanted: str, unit: str, sheet: SolutionSheet) -> None:
    seen = sheet.decide("kind", shown, mixed_up=["diameter" if shown == "radius" else "radius"])
    read = sheet.decide("value", value, misread=confusions(value))
    sheet.say("circles/value:measure", seen=seen, read=read, unit=unit)
    radius: int | float = read
    if seen == "diameter":
        radius = sheet.work("circles/radius", read / 2, read=read, unit=unit)
    other = "area" if wanted == "circumference" else "circumference"
    rule = sheet.decide("formula", wanted, wrong_facts=[other, "single"])
    r = number(radius)
    formula, work, result = {
        "area": ("π × r²", f"{r} × {r}", radius * radius),
        "circumference": ("2 × π × r", f"2 × {r}", 2 * radius),
        "single": ("π × r", f"1 × {r}", radius),
    }[rule]
    sheet.say("circles/formula", wanted=wanted, formula=formula)
    factor = sheet.work("circles/factor", result, work=work, wanted=wanted)
    end = f" {unit}²" if wanted == "area" else f" {unit}"
    sheet.say_answer("circles/answer:measure", f"{number(factor)}π", end, wanted=wanted)


def _inscribed_angle(rng: Random) -> Scene:
    """A central angle is labelled; the inscribed angle on the same arc is asked."""
    central = 2 * rng.randint(22, 78)
    a, b, c = tuple(letters := rng.choice(("ABC", "PQR", "KLM", "DEF", "RST")))
    canvas = marks.figure_canvas(rng, _SIZE)
    canvas.ellipse(_CENTRE, (_RADIUS, _RADIUS))
    base = rng.uniform(0, 360)
    first, second = move_point(_CENTRE, base - central / 2, _RADIUS), move_point(_CENTRE, base + central / 2, _RADIUS)
    third = move_point(_CENTRE, base + 180 + rng.uniform(-24, 24), _RADIUS)
    canvas.line(first, _CENTRE, second)
    canvas.line(first, third, second)
    canvas.dot(_CENTRE, 4)
    for letter, point in zip(letters, (first, second, third), strict=True):
        canvas.letter(letter, point, away(point, _CENTRE))
    box = canvas.angle_mark(_CENTRE, (first, second), f"{central}°", 22)
    canvas.letter("O", _CENTRE, away(third, _CENTRE))
    fact = marks.angle_fact(f"{a}O{b}", central, box)
    question = f"O is the center of the circle. What is ∠{a}{c}{b} in degrees?"
    return Scene(canvas.finish(rng), question, (fact,), partial(_solve_inscribed, central, letters), rng.random() < 0.5)


def _solve_inscribed(central: int, letters: str, sheet: SolutionSheet) -> None:
    a, b, c = tuple(letters)
    wanted = f"{a}{c}{b}"
    place = sheet.decide("place", f"{a}O{b}", mixed_up=[wanted])
    read = sheet.decide("central", central, misread=confusions(central, below=178))
    sheet.say("angle", "central", name=place, value=read)
    if place == wanted:
        return sheet.say_answer("circles/answer:inscribed", number(read), "°", wanted=wanted)
    rule = sheet.decide("rule", "half", wrong_facts=["equal", "double"], wrong_conclusions=["supplement"])
    sheet.say(f"circles/rule:{rule}", wanted=wanted, arc=a + b)
    result, work = {
        "half": (read / 2, f"{read}° ÷ 2"),
        "equal": (read, f"{read}°"),
        "double": (2 * read, f"2 × {read}°"),
        "supplement": (180 - read, f"180° − {read}°"),
    }[rule]
    value = sheet.work("circles/value:inscribed", result, wanted=wanted, work=work)
    return sheet.say_answer("circles/answer:inscribed", number(value), "°", wanted=wanted)


def _tangent(rng: Random) -> Scene:
    """A tangent from an outer point: radius and distance are labelled, the tangent's length is asked."""
    radius, far = rng.choice(((3, 5), (5, 13), (8, 17), (7, 25), (6, 10), (9, 15), (20, 29)))
    touch, outer = rng.choice(("TP", "AB", "KM", "CD"))
    unit = rng.choice(("cm", "m", "ft"))
    canvas = marks.figure_canvas(rng, _SIZE)
    centre, drawn = (165.0, 215.0), 88.0
    reach = min(max(drawn * far / radius, 170), 240)
    turn = rng.uniform(-25, 25)
    point = move_point(centre, turn, reach)
    contact = move_point(centre, turn - math.degrees(math.acos(drawn / reach)), drawn)
    canvas.ellipse(centre, (drawn, drawn), pale(canvas.style.palette[2]) if canvas.style.shading else None)
    canvas.line(centre, contact, point, centre)
    canvas.dot(centre, 4)
    corner = canvas.right_angle(contact, (centre, point), 12)
    canvas.letter("O", centre, away(centre, point_between(contact, point, 0.5)))
    canvas.letter(touch, contact, away(contact, centre))
    canvas.letter(outer, point, away(point, centre))
    near = canvas.side_label((centre, contact), f"{radius} {unit}", point_between(centre, point, 0.6))
    long = canvas.side_label((centre, point), f"{far} {unit}", contact)
    facts = (
        Relation(type="perpendicular", entities=(f"O{touch}", f"{touch}{outer}"), box=corner),
        marks.length_fact(f"O{touch}", radius, unit, near),
        marks.length_fact(f"O{outer}", far, unit, long),
    )
    name = touch + outer
    question = f"{name} is tangent to the circle with center O at {touch}. How long is {name} in {unit}?"
    solve = partial(_solve_tangent, (radius, far), name, unit)
    return Scene(canvas.finish(rng), question, facts, solve, rng.random() < 0.3)


def _solve_tangent(sides: tuple[int, int], wanted: str, unit: str, sheet: SolutionSheet) -> None:
    touch, outer = tuple(wanted)
    seen = sheet.decide("corner", touch, misbuilt=["O"])
    other = f"O{outer}" if seen == "O" else wanted
    sheet.say("perpendicular", "corner", first=f"O{touch}", second=other, at=seen)
    radius = sheet.decide("radius", sides[0], misread=confusions(sides[0], below=sides[1]))
    sheet.say("length", "radius", name=f"O{touch}", amount=measure(radius, unit))
    far = sheet.decide("far", sides[1], misread=confusions(sides[1], above=sides[0]))
    sheet.say("length", "far", name=f"O{outer}", amount=measure(far, unit))
    sign = sheet.decide("sign", "−", wrong_facts=["+"])
    sign = "+" if seen == "O" else sign
    sheet.say("circles/rule:tangent", wanted=wanted, far=far, sign=sign, radius=radius)
    one, two = far**2, radius**2
    square = sheet.work(
        "circles/square", one - two if sign == "−" else one + two, wanted=wanted, one=one, sign=sign, two=two
    )
    length = sheet.calculate("root", root(square))
    equal = "=" if isinstance(root(square), int) else "≈"
    sheet.say("circles/root", wanted=wanted, square=square, equal=equal, length=length)
    sheet.say_answer("circles/answer:tangent", number(length), f" {unit}", wanted=wanted)
