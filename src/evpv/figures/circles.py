"""Circles: area and circumference from a radius or diameter, a central and an inscribed angle, a tangent; and round solids.

A solid is a cone or a hemisphere joined to a cylinder, or a cone on a hemisphere (Appendix A's example).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from random import Random

from evpv.figures import marks
from evpv.figures.drawing import Colour, Point, away, move_point, pale, point_between
from evpv.figures.marks import Drawing
from evpv.figures.writing import Drawn, Numeral, Scene, SolutionSheet, confusions, measure, number, root, texts
from evpv.types import Box, Constraint, Numeric, Relation, Structure

_SIZE = (460, 420)
_CENTRE: Point = (230, 205)
_RADIUS = 140.0


def make_circle(rng: Random) -> Scene:
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
    left = one - two if sign == "−" else one + two
    square = sheet.work("circles/square", left, wanted=wanted, one=one, sign=sign, two=two)
    length = sheet.calculate("root", root(square))
    equal = "=" if isinstance(root(square), int) else "≈"
    sheet.say("circles/root", wanted=wanted, square=square, equal=equal, length=length)
    sheet.say_answer("circles/answer:tangent", number(length), f" {unit}", wanted=wanted)


_SOLID_SIZE = (440, 500)
_FLAT = 0.28  # how flat the rims look

# (upper part, lower part, how the second is attached to the first)
_SOLIDS = (
    ("cone", "cylinder", "cone placed on top of cylinder"),
    ("cone", "cylinder", "cone placed on top of cylinder"),
    ("hemisphere", "cylinder", "hemisphere placed on top of cylinder"),
    ("cylinder", "hemisphere", "hemisphere attached to bottom of cylinder"),
    ("cone", "hemisphere", "cone placed on top of hemisphere"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Solid:
    """Two parts that share a radius. A hemisphere's height is its radius and is not labelled."""

    upper: str
    lower: str
    attachment: str
    radius: int
    heights: dict[str, int]
    unit: str
    total: bool  # the total height is labelled instead of the upper part's

    @property
    def base(self) -> str:
        """The part whose radius is labelled."""
        return "hemisphere" if "cylinder" not in (self.upper, self.lower) else "cylinder"

    @property
    def other(self) -> str:
        return self.upper if self.lower == self.base else self.lower


def make_solid(rng: Random) -> Scene:
    """Dimensions are labelled; the volume is asked as a multiple of π."""
    upper, lower, attachment = rng.choice(_SOLIDS)
    radius = 3 * rng.randint(1, 4)
    heights = {part: rng.randint(4, 15) for part in (upper, lower) if part != "hemisphere"}
    if "cone" in heights and heights["cone"] == heights.get("cylinder"):
        heights["cone"] += 1
    total = upper == "cone" and lower == "cylinder" and rng.random() < 0.35
    solid = _Solid(
        upper=upper, lower=lower, attachment=attachment, radius=radius, heights=heights,
        unit=rng.choice(("cm", "m", "ft")), total=total,
    )  # fmt: skip
    image, constraints = _draw_solid(solid, rng)
    question = rng.choice(texts("solids/question", unit=solid.unit))
    return Scene(image, question, constraints, partial(_solve_solid, solid), rng.random() < 0.35)


def _solve_solid(solid: _Solid, sheet: SolutionSheet) -> None:
    seen, part = _read_structure(solid, sheet)
    radius = _read_radius(solid, sheet)
    heights = _read_heights(solid, sheet)
    first = _volume(sheet, solid.base, radius, heights.get(solid.base, radius))
    second = _volume(sheet, part, radius, heights.get(solid.other, radius))
    join = sheet.decide("join", "+", wrong_conclusions=["−" if first > second else "×2"])
    if seen == "hollow":
        join = "−"
    if join == "×2":
        total: Numeral = sheet.work("solids/total:doubled", 2 * first, first=first)
    else:
        doing = "Adding" if join == "+" else "Subtracting"
        big, small = (first, second) if join == "+" else (max(first, second), min(first, second))
        both = big + small if join == "+" else big - small
        total = sheet.work("solids/total", both, doing=doing, big=big, join=join, small=small)
    sheet.say_answer("solids/answer", f"{number(total)}π", f" {solid.unit}³")


def _read_structure(solid: _Solid, sheet: SolutionSheet) -> tuple[str, str]:
    """What the solid is made of; a solver may see the wrong part, or a hollow where there is none."""
    wrong = ["hollow", "swapped"] if (solid.base, solid.other) == ("cylinder", "cone") else ["hollow"]
    seen = sheet.decide("structure", "joined", misbuilt=wrong)
    part = "hemisphere" if seen == "swapped" else solid.other
    place = "on top" if solid.upper == solid.other else "at the bottom"
    case = "solids/structure:hollow" if seen == "hollow" else "solids/structure"
    sheet.say(case, base=solid.base, part=part, place=place, side=place.split()[-1])
    return seen, part


def _read_radius(solid: _Solid, sheet: SolutionSheet) -> Numeral:
    first = list(solid.heights.values())[:1]
    read = sheet.decide("radius", solid.radius, misread=confusions(solid.radius), mixed_up=first)
    kind = sheet.decide("radius-kind", "radius", mixed_up=["diameter"])
    sheet.say("solids/radius", kind=kind, read=read, unit=solid.unit, base=solid.base)
    if kind == "radius":
        return read
    half = sheet.calculate("half", Fraction(read, 2))
    sheet.say("solids/half", read=read, half=half, unit=solid.unit)
    return half


def _read_heights(solid: _Solid, sheet: SolutionSheet) -> dict[str, Numeral]:
    """The height of each part that has one, the cylinder's first: the cone's may be what the total leaves."""
    heights: dict[str, Numeral] = {}
    for part, value in sorted(solid.heights.items(), key=lambda item: item[0] != "cylinder"):
        if solid.total and part == "cone":
            heights[part] = _remaining_height(solid, sheet, heights["cylinder"])
            continue
        key, below = f"{part}-height", sum(solid.heights.values()) - 1 if solid.total else math.inf
        taken = [solid.radius] if solid.radius < below else []
        read = sheet.decide(key, value, misread=confusions(value, below=below), mixed_up=taken)
        sheet.say("solids/height", key, owner=part, name=f"{part} height", value=read, unit=solid.unit)
        heights[part] = read
    return heights


def _remaining_height(solid: _Solid, sheet: SolutionSheet, cylinder: Numeral) -> Numeral:
    shown = sum(solid.heights.values())
    whole = sheet.decide("whole", shown, misread=confusions(shown, above=solid.heights["cylinder"] + 1))
    sheet.say("solids/height", "whole", owner="solid", name="total height", value=whole, unit=solid.unit)
    if sheet.decide("part", "difference", mixed_up=["whole"]) == "whole":
        return whole
    rest = sheet.calculate("cone-height", whole - cylinder)
    sheet.say("solids/cone-height", whole=whole, cylinder=cylinder, rest=rest, unit=solid.unit)
    return rest


def _volume(sheet: SolutionSheet, part: str, radius: Numeral, height: Numeral) -> Numeral:
    """A part's volume as a multiple of π, by its formula or one mistaken for it."""
    r, h = number(radius), number(height)
    square, cube = Fraction(radius) ** 2, Fraction(radius) ** 3
    right, *wrong = {
        "cylinder": ("cylinder",), "cone": ("third", "half", "cylinder"), "hemisphere": ("two-thirds", "four-thirds"),
    }[part]  # fmt: skip
    rule = sheet.decide(f"{part}-rule", right, wrong_facts=wrong)
    formula, work, value = {
        "cylinder": ("π × r² × h", f"{r}² × {h}", square * Fraction(height)),
        "third": ("π × r² × h ÷ 3", f"{r}² × {h} ÷ 3", square * Fraction(height) / 3),
        "half": ("π × r² × h ÷ 2", f"{r}² × {h} ÷ 2", square * Fraction(height) / 2),
        "two-thirds": ("2 × π × r³ ÷ 3", f"2 × {r}³ ÷ 3", 2 * cube / 3),
        "four-thirds": ("4 × π × r³ ÷ 3", f"4 × {r}³ ÷ 3", 4 * cube / 3),
    }[rule]
    volume = sheet.calculate(f"{part}-volume", value)
    sheet.say("solids/volume", f"{part}-volume", part=part, formula=formula, work=work, volume=volume)
    return round(float(volume), 2) if volume != int(volume) else int(volume)


def _draw_solid(solid: _Solid, rng: Random) -> Drawn:
    canvas = marks.figure_canvas(rng, _SOLID_SIZE)
    axis = 205.0, rng.uniform(78, 100)
    tall = {"hemisphere": axis[1]}
    for part, height in solid.heights.items():
        tall[part] = min(max(axis[1] * height / solid.radius, 95), 170)
    top = (_SOLID_SIZE[1] - tall[solid.upper] - tall[solid.lower]) / 2
    seam = top + tall[solid.upper]
    levels = top, seam, seam + tall[solid.lower]
    if canvas.style.shading:
        _tint(canvas, solid, axis, levels, pale(rng.choice(canvas.style.palette)))
    _outline(canvas, solid, axis, levels)
    facts = _label(canvas, solid, axis, levels)
    return canvas.finish(rng), facts


def _outline(canvas: Drawing, solid: _Solid, axis: Point, levels: tuple[float, float, float]) -> None:
    (x, radius), (top, seam, bottom) = axis, levels
    rim, left, right = (radius, radius * _FLAT), x - radius, x + radius
    if solid.lower == "cylinder":
        canvas.line((left, seam), (left, bottom))
        canvas.line((right, seam), (right, bottom))
        canvas.arc((x, bottom), rim, 0, 180)
        canvas.dashed_arc((x, bottom), rim, 180, 360)
    else:
        canvas.arc((x, seam), (radius, radius), 0, 180)
    if solid.upper == "cone":
        canvas.line((left, seam), (x, top), (right, seam))
    elif solid.upper == "hemisphere":
        canvas.arc((x, seam), (radius, radius), 180, 360)
    else:
        canvas.line((left, seam), (left, top))
        canvas.line((right, seam), (right, top))
        canvas.ellipse((x, top), rim)
    canvas.arc((x, seam), rim, 0, 180)
    canvas.dashed_arc((x, seam), rim, 180, 360)


def _tint(canvas: Drawing, solid: _Solid, axis: Point, levels: tuple[float, float, float], tint: Colour) -> None:
    """Every part filled: what is drawn over another part of the same colour does not show."""
    (x, radius), (top, seam, bottom) = axis, levels
    rim, left, right = (radius, radius * _FLAT), x - radius, x + radius
    turn = 180 if solid.upper == "hemisphere" else 0
    half = [move_point((x, seam), turn + degrees, radius) for degrees in range(0, 181, 5)]
    for part, end in ((solid.lower, bottom), (solid.upper, top)):
        if part == "cylinder":
            canvas.ellipse((x, end), rim, tint, outline=False)
        shape = {
            "cylinder": [(left, seam), (right, seam), (right, end), (left, end)],
            "hemisphere": half,
            "cone": [(left, seam), (x, end), (right, seam)],
        }[part]
        canvas.polygon(shape, tint, outline=False)


def _label(canvas: Drawing, solid: _Solid, axis: Point, levels: tuple[float, float, float]) -> tuple[Constraint, ...]:
    """The radius inside and the heights beside the solid, drawn and stated."""
    (x, radius), (top, seam, bottom) = axis, levels
    base, other = solid.base, solid.other
    level = {solid.upper: top, solid.lower: bottom}.get("cylinder", seam)
    canvas.dot((x, level), 3)
    canvas.line((x, level), (x + radius, level), width=1.5)
    box = canvas.label(f"{solid.radius} {solid.unit}", (x + radius / 2, level), (0, -1))
    spans = {solid.upper: (top, seam), solid.lower: (seam, bottom)}

    def fact(entity: str, value: int, box: Box) -> Numeric:
        return Numeric(entity=entity, attribute="length", value=float(value), unit=solid.unit, box=box)

    facts: list[Constraint] = [fact(f"{base} base radius", solid.radius, box)]
    for part, value in solid.heights.items():
        name, side, outward, (start, end) = f"{part} height", x + radius + 24, (1.0, 0.0), spans[part]
        if solid.total and part == "cone":
            name, value = "total height", value + solid.heights["cylinder"]
            side, outward, (start, end) = x - radius - 28, (-1.0, 0.0), (top, bottom)
        box = canvas.dimension((side, start), (side, end), f"{value} {solid.unit}", outward)
        facts.append(fact(name, value, box))
    flat = radius * _FLAT
    names, joint = (f"{other} base radius", f"{base} base radius"), (x - radius, seam - flat, x + radius, seam + flat)
    facts.append(Relation(type="equal", entities=names, box=joint))
    whole = (x - radius, top, x + radius, bottom)
    facts.append(Structure(type="composite", parts=(base, other), attachment=(solid.attachment,), box=whole))
    return tuple(facts)
