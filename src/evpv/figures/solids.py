"""Composite solids: a cone or a hemisphere joined to a cylinder, a cone on a hemisphere (Appendix A's example)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from random import Random

from PIL import Image

from evpv.figures.drawing import Canvas, Colour, Point, move_point, pale
from evpv.figures.marks import box_around, dimension, figure_canvas
from evpv.figures.notation import equals, number
from evpv.figures.phrases import confusions
from evpv.figures.writing import Amount, Scene, Sheet, misbuilt, misread, mixed_up, wrong_conclusions, wrong_facts
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


def make(rng: Random) -> Scene:
    """Dimensions are labelled; the volume is asked as a multiple of π."""
    upper, lower, attachment = rng.choice(_SOLIDS)
    radius = 3 * rng.randint(1, 4)
    heights = {part: rng.randint(4, 15) for part in (upper, lower) if part != "hemisphere"}
    if heights.get("cone") == heights.get("cylinder"):
        heights["cone"] = heights.get("cone", 4) + 1
    total = upper == "cone" and lower == "cylinder" and rng.random() < 0.35
    solid = _Solid(
        upper=upper, lower=lower, attachment=attachment, radius=radius,
        heights={part: h for part, h in heights.items() if part in (upper, lower)},
        unit=rng.choice(("cm", "m", "ft")), total=total,
    )  # fmt: skip
    image, constraints = _draw(solid, rng)
    question = rng.choice(
        (
            f"What is the volume of the solid in cubic {solid.unit}? Give the answer as a multiple of π.",
            f"Find the total volume of the figure shown, in terms of π (cubic {solid.unit}).",
        )
    )
    return Scene(
        image=image,
        question=question,
        constraints=constraints,
        solve=partial(_solve, solid),
        multiple_choice=rng.random() < 0.35,
    )


def _base(solid: _Solid) -> str:
    """The part whose radius is labelled."""
    return "hemisphere" if "cylinder" not in (solid.upper, solid.lower) else "cylinder"


def _solve(solid: _Solid, sheet: Sheet) -> None:
    other = solid.upper if solid.lower == _base(solid) else solid.lower
    _, added = _read_structure(solid, sheet, other)
    radius = _read_radius(solid, sheet)
    heights = _read_heights(solid, sheet)
    first = _volume(sheet, _base(solid), radius, heights.get(_base(solid), radius))
    second = _volume(sheet, other if added != "swapped" else _swap(other), radius, heights.get(other, radius))
    join = sheet.decide("join", "+", *wrong_conclusions("−" if first > second else "×2"))
    if added == "hollow":
        join = "−"
    if join == "×2":
        total: Amount = sheet.calculate("total", 2 * first)
        sheet.step(
            "total", f"Both parts have the same volume, so together `2 × {number(first)} = {number(total)}` times π."
        )
    else:
        total = sheet.calculate("total", first + second if join == "+" else max(first, second) - min(first, second))
        big, small = (first, second) if join == "+" else (max(first, second), min(first, second))
        work = f"{number(big)}π {join} {number(small)}π"
        sheet.step(
            "total",
            f"{'Adding' if join == '+' else 'Subtracting'} the parts: `{work} = {number(total)}π`.",
            f"The whole solid has volume `{work} = {number(total)}π`.",
        )
    sheet.conclude(f"{number(total)}π", "So the volume is {}.", "The answer is {}.", unit=f" {solid.unit}³")


def _swap(part: str) -> str:
    return "hemisphere" if part == "cone" else "cone"


def _read_structure(solid: _Solid, sheet: Sheet, other: str) -> tuple[str, str]:
    """What the solid is made of; a solver may see the wrong part, or a hollow where there is none."""
    base = _base(solid)
    wrong = ["hollow", "swapped"] if other == "cone" and base == "cylinder" else ["hollow"]
    seen = sheet.decide("structure", "joined", *misbuilt(*wrong))
    part = _swap(other) if seen == "swapped" else other
    place = "on top" if solid.upper == other else "at the bottom"
    if seen == "hollow":
        texts: tuple[str, ...] = (f"The figure shows a {base} from which a {part} has been cut out.",)
        claims: tuple[str, ...] = (f"The figure is a {base} with a {part} removed from it.",)
    else:
        texts = (
            f"The solid consists of a {base} with a {part} attached {place}.",
            f"In the picture a {part} is joined to a {base} {place}.",
            f"The figure is made up of two parts: a {base} and a {part} {place}.",
        )
        claims = (
            f"The figure is a {base} with a {part} attached {place}.",
            f"A {part} is attached to the {place.split()[-1]} of the {base}.",
            f"The solid is a {base} with a {part} {place}.",
        )
    sheet.step("structure", *texts, claim=claims)
    return base, seen


def _read_radius(solid: _Solid, sheet: Sheet) -> Amount:
    base = _base(solid)
    read = sheet.decide(
        "radius", solid.radius, *misread(*confusions(solid.radius)), *mixed_up(*list(solid.heights.values())[:1])
    )
    kind = sheet.decide("radius-kind", "radius", *mixed_up("diameter"))
    sheet.step(
        "radius",
        f"The base {kind} is labeled {read} {solid.unit}.",
        f"From the figure, the {kind} of the {base} is {read} {solid.unit}.",
        f"The {base} has base {kind} {read} {solid.unit}.",
        claim=(
            f"The {base} base {kind} is {read} {solid.unit}.",
            f"The {kind} of the {base} is {read} {solid.unit}.",
            f"The base {kind} of the {base} is labeled {read} {solid.unit}.",
        ),
    )
    if kind == "radius":
        return read
    half = sheet.calculate("half", Fraction(read, 2))
    sheet.step("half", f"So the radius is `{read} ÷ 2 {equals(half)}` {solid.unit}.")
    return half


def _read_heights(solid: _Solid, sheet: Sheet) -> dict[str, Amount]:
    """The height of each part that has one, the cylinder's first: the cone's may be what the total leaves."""
    heights: dict[str, Amount] = {}
    for part, value in sorted(solid.heights.items(), key=lambda item: item[0] != "cylinder"):
        if solid.total and part == "cone":
            heights[part] = _remaining_height(solid, sheet, heights["cylinder"])
            continue
        key, below = f"{part}-height", sum(solid.heights.values()) - 1 if solid.total else None
        taken = mixed_up(solid.radius) if below is None or solid.radius < below else ()
        read = sheet.decide(key, value, *misread(*confusions(value, below=below)), *taken)
        _say_height(sheet, key, part, (read, solid.unit))
        heights[part] = read
    return heights


def _remaining_height(solid: _Solid, sheet: Sheet, cylinder: Amount) -> Amount:
    shown = sum(solid.heights.values())
    whole = sheet.decide("whole", shown, *misread(*(x for x in confusions(shown) if x > solid.heights["cylinder"] + 1)))
    _say_height(sheet, "whole", "total", (whole, solid.unit))
    if sheet.decide("part", "difference", *mixed_up("whole")) == "whole":
        return whole
    rest = sheet.calculate("cone-height", whole - cylinder)
    work = f"{whole} − {number(cylinder)} = {number(rest)}"
    sheet.step(
        "cone-height",
        f"The cone's height is the rest: `{work}` {solid.unit}.",
        f"The cone takes up `{work}` {solid.unit} of it.",
    )
    return rest


def _say_height(sheet: Sheet, key: str, part: str, amount: tuple[int, str]) -> None:
    value = f"{amount[0]} {amount[1]}"
    owner = "solid" if part == "total" else part
    name = "total height" if part == "total" else f"{part} height"
    sheet.step(
        key,
        f"The height of the {owner} is marked {value}.",
        f"The figure gives the {name} as {value}.",
        f"We read off the {name}: {value}.",
        claim=(f"The {name} is {value}.", f"The height of the {owner} is {value}.", f"The {name} is labeled {value}."),
    )


def _volume(sheet: Sheet, part: str, radius: Amount, height: Amount) -> Amount:
    """A part's volume as a multiple of π, by its formula or one mistaken for it."""
    r, h = number(radius), number(height)
    square, cube = Fraction(radius) ** 2, Fraction(radius) ** 3
    right = {"cylinder": "cylinder", "cone": "third", "hemisphere": "two-thirds"}[part]
    wrong = {"cylinder": (), "cone": ("half", "cylinder"), "hemisphere": ("four-thirds",)}[part]
    rule = sheet.decide(f"{part}-rule", right, *wrong_facts(*wrong))
    formula, work, value = {
        "cylinder": ("π × r² × h", f"{r}² × {h}", square * Fraction(height)),
        "third": ("π × r² × h ÷ 3", f"{r}² × {h} ÷ 3", square * Fraction(height) / 3),
        "half": ("π × r² × h ÷ 2", f"{r}² × {h} ÷ 2", square * Fraction(height) / 2),
        "two-thirds": ("2 × π × r³ ÷ 3", f"2 × {r}³ ÷ 3", 2 * cube / 3),
        "four-thirds": ("4 × π × r³ ÷ 3", f"4 × {r}³ ÷ 3", 4 * cube / 3),
    }[rule]
    volume = sheet.calculate(f"{part}-volume", value)
    sheet.step(
        f"{part}-volume",
        f"The volume of the {part} is `{formula}`. Here `{work} {equals(volume)}`, so it is `{number(volume)}π`.",
        f"For the {part}, `V = {formula}`, and `{work} {equals(volume)}` gives `{number(volume)}π` {''}.".replace(
            " .", "."
        ),
        f"With `V = {formula}` for the {part} we get `{work} {equals(volume)}`, that is `{number(volume)}π`.",
    )
    return round(float(volume), 2) if volume != int(volume) else int(volume)


def _draw(solid: _Solid, rng: Random) -> tuple[Image.Image, tuple[Constraint, ...]]:
    canvas = figure_canvas(rng, _SIZE)
    x, radius = 205.0, rng.uniform(78, 100)
    tall = {"hemisphere": radius}
    for part in solid.heights:
        tall[part] = min(max(radius * solid.heights[part] / solid.radius, 95), 170)
    spare = _SIZE[1] - tall[solid.upper] - tall[solid.lower]
    top = spare / 2
    seam, bottom = top + tall[solid.upper], top + tall[solid.upper] + tall[solid.lower]
    tint = pale(rng.choice(canvas.style.palette)) if canvas.style.shading else None
    _outline(canvas, solid, (x, radius), (top, seam, bottom), tint)
    facts = _label(canvas, solid, (x, radius), (top, seam, bottom))
    return canvas.finish(rng), facts


def _outline(
    canvas: Canvas, solid: _Solid, axis: Point, levels: tuple[float, float, float], tint: Colour | None
) -> None:
    """The silhouette, the visible and the hidden rims."""
    (x, radius), (top, seam, bottom) = axis, levels
    rim = (radius, radius * _FLAT)
    if tint is not None:
        _tint(canvas, solid, axis, (levels, tint))
    if solid.lower == "cylinder":
        canvas.line((x - radius, seam), (x - radius, bottom))
        canvas.line((x + radius, seam), (x + radius, bottom))
        canvas.arc((x, bottom), rim, 0, 180)
        canvas.dashed_arc((x, bottom), rim, 180, 360)
    else:
        canvas.arc((x, seam), (radius, radius), 0, 180)
    if solid.upper == "cone":
        canvas.line((x - radius, seam), (x, top), (x + radius, seam))
    elif solid.upper == "hemisphere":
        canvas.arc((x, seam), (radius, radius), 180, 360)
    else:
        canvas.line((x - radius, seam), (x - radius, top))
        canvas.line((x + radius, seam), (x + radius, top))
        canvas.ellipse((x, top), rim)
    canvas.arc((x, seam), rim, 0, 180)
    canvas.dashed_arc((x, seam), rim, 180, 360)


def _tint(canvas: Canvas, solid: _Solid, axis: Point, look: tuple[tuple[float, float, float], Colour]) -> None:
    (x, radius), ((top, seam, bottom), tint) = axis, look
    rim = (radius, radius * _FLAT)
    box = [(x - radius, seam), (x + radius, seam), (x + radius, bottom), (x - radius, bottom)]
    if solid.lower == "cylinder":
        canvas.ellipse((x, bottom), rim, tint, outline=False)
        canvas.polygon(box, tint, outline=False)
    if "hemisphere" in (solid.upper, solid.lower):
        turn = 180 if solid.upper == "hemisphere" else 0
        canvas.polygon(
            [move_point((x, seam), turn + degrees, radius) for degrees in range(0, 181, 5)], tint, outline=False
        )
    if solid.upper == "cone":
        canvas.polygon([(x - radius, seam), (x, top), (x + radius, seam)], tint, outline=False)
    if solid.upper == "cylinder":
        canvas.polygon(
            [(x - radius, seam), (x + radius, seam), (x + radius, top), (x - radius, top)], tint, outline=False
        )
        canvas.ellipse((x, top), rim, tint, outline=False)


def _label(canvas: Canvas, solid: _Solid, axis: Point, levels: tuple[float, float, float]) -> tuple[Constraint, ...]:
    (x, radius), (top, seam, bottom) = axis, levels
    base = _base(solid)
    level = {solid.upper: top, solid.lower: bottom}.get("cylinder", seam)
    canvas.dot((x, level), 3)
    canvas.line((x, level), (x + radius, level), width=1.5)
    box = canvas.label(f"{solid.radius} {solid.unit}", (x + radius / 2, level), (0, -1))
    spans = {solid.upper: (top, seam), solid.lower: (seam, bottom)}
    facts: list[Constraint] = [_fact(f"{base} base radius", solid.radius, solid.unit, box)]
    for part, value in solid.heights.items():
        if solid.total and part == "cone":
            box = _height(canvas, x - radius - 28, (top, bottom), f"{value + solid.heights['cylinder']} {solid.unit}")
            facts.append(_fact("total height", value + solid.heights["cylinder"], solid.unit, box))
        else:
            box = _height(canvas, x + radius + 24, spans[part], f"{value} {solid.unit}")
            facts.append(_fact(f"{part} height", value, solid.unit, box))
    other = solid.upper if solid.lower == base else solid.lower
    whole = (x - radius, top, x + radius, bottom)
    seam_box = (x - radius, seam - radius * _FLAT, x + radius, seam + radius * _FLAT)
    facts.append(Relation(type="equal", entities=(f"{other} base radius", f"{base} base radius"), box=seam_box))
    facts.append(
        Structure(type="composite", parts=(base, other), attachment=(solid.attachment,), box=box_around(whole))
    )
    return tuple(facts)


def _height(canvas: Canvas, x: float, span: tuple[float, float], words: str) -> Box:
    outward = (1.0, 0.0) if x > 205 else (-1.0, 0.0)
    return dimension(canvas, (x, span[0]), (x, span[1]), words, outward)


def _fact(entity: str, value: int, unit: str, box: Box) -> Numeric:
    return Numeric(entity=entity, attribute="length", value=float(value), unit=unit, box=box)
