"""Composite solids: a cone or a hemisphere joined to a cylinder, a cone on a hemisphere (Appendix A's example)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from random import Random

from PIL import Image

from evpv.figures.drawing import Colour, Point, move_point, pale
from evpv.figures.marks import Drawing, figure_canvas
from evpv.figures.writing import Numeral, Scene, SolutionSheet, confusions, number, texts
from evpv.types import Box, Constraint, Numeric, Relation, Structure

_SIZE = (440, 500)
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


def make(rng: Random) -> Scene:
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
    image, constraints = _draw(solid, rng)
    question = rng.choice(texts("solids/question", unit=solid.unit))
    return Scene(image, question, constraints, partial(_solve, solid), rng.random() < 0.35)


def _solve(solid: _Solid, sheet: SolutionSheet) -> None:
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
        total = sheet.work(
            "solids/total", big + small if join == "+" else big - small, doing=doing, big=big, join=join, small=small
        )
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


def _draw(solid: _Solid, rng: Random) -> tuple[Image.Image, tuple[Constraint, ...]]:
    canvas = figure_canvas(rng, _SIZE)
    axis = 205.0, rng.uniform(78, 100)
    tall = {"hemisphere": axis[1]}
    for part, height in solid.heights.items():
        tall[part] = min(max(axis[1] * height / solid.radius, 95), 170)
    top = (_SIZE[1] - tall[solid.upper] - tall[solid.lower]) / 2
    seam = top + tall[solid.upper]
    levels = top, seam, seam + tall[solid.lower]
    if canvas.style.shading:
        _tint(canvas, solid, axis, levels, pale(rng.choice(canvas.style.palette)))
    _outline(canvas, solid, axis, levels)
    facts = _label(canvas, solid, axis, levels)
    return canvas.finish(rng), facts


def _outline(canvas: Drawing, solid: _Solid, axis: Point, levels: tuple[float, float, float]) -> None:
    """The silhouette, the visible and the hidden rims."""
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
    facts: list[Constraint] = [_fact(f"{base} base radius", solid.radius, solid.unit, box)]
    for part, value in solid.heights.items():
        name, side, outward, (start, end) = f"{part} height", x + radius + 24, (1.0, 0.0), spans[part]
        if solid.total and part == "cone":
            name, value = "total height", value + solid.heights["cylinder"]
            side, outward, (start, end) = x - radius - 28, (-1.0, 0.0), (top, bottom)
        box = canvas.dimension((side, start), (side, end), f"{value} {solid.unit}", outward)
        facts.append(_fact(name, value, solid.unit, box))
    flat = radius * _FLAT
    names, joint = (f"{other} base radius", f"{base} base radius"), (x - radius, seam - flat, x + radius, seam + flat)
    facts.append(Relation(type="equal", entities=names, box=joint))
    whole = (x - radius, top, x + radius, bottom)
    facts.append(Structure(type="composite", parts=(base, other), attachment=(solid.attachment,), box=whole))
    return tuple(facts)


def _fact(entity: str, value: int, unit: str, box: Box) -> Numeric:
    return Numeric(entity=entity, attribute="length", value=float(value), unit=unit, box=box)
