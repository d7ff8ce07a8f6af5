"""Solids of revolution drawn upright: which parts they are put together from, and what their dimensions measure.

The outline tells the parts: sides that stay apart are a cylinder, sides that run together straight a cone, round ones a
hemisphere. A dimension belongs to the part whose height its line spans; the radius is a level line from the axis to the
outline. An outline that is none of this gives nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Box
from evpv.perception.geometry.ink import Mask, RuledLine, dark_strokes, long_strokes, without_words
from evpv.perception.ocr import Pixels, Word
from evpv.types import Constraint, Numeric, Relation, Structure

_PartName = Literal["cone", "hemisphere", "cylinder"]

_MEASURE = re.compile(r"[\W_]*(\d+(?:\.\d+)?)\s?(mm|cm|dm|km|m|ft|in|yd)?\.?")
_SURE = 0.6
_FULL = 0.985  # of the greatest half-width: rows as wide as the solid gets
_CYLINDER = 0.5  # half-widths that a cylinder is high, at least
_RIM = 0.42  # half-widths that the rim of a cylinder bulges beyond its sides, at most
_ROUND = 0.7  # half-widths that a hemisphere is high, at least; a rim seen from above bulges less
_LEAST_RIM = 0.08
_RIM_BULGE = 0.7  # of the radius: half-width half-way down a rim
_CONE, _HEMISPHERE = (0.35, 0.62), (0.74, 0.92)  # half-width at half the height, of the greatest
_CONE_WIDENS = 0.3  # of the greatest half-width between a quarter and three quarters of the height, where half is even
_MOST_SHAPES = 3  # connected shapes that are looked at, the largest first
_FRAME = 0.8  # of the picture's area: what is larger is a frame around it
_OFF_SHARE = 0.07  # of the solid's height: how far a dimension may end or stand from its place


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """One part of a solid and the rows it reaches from and to, rims not counted."""

    name: _PartName
    top: float
    bottom: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Solid:
    """A solid's axis, half-width and parts from top to bottom, two at most."""

    x: float
    radius: float
    parts: tuple[_Part, ...]
    box: Box
    has_round_base: bool = True  # whether its lower end bulges as the rim of a base does; a triangle's is straight

    @property
    def is_composite(self) -> bool:
        """Whether it has two parts; two hemispheres are a circle."""
        return len({part.name for part in self.parts}) > 1

    @property
    def is_single(self) -> bool:
        """Whether it is one cone or cylinder, on a base that is seen to be round."""
        return not self.is_composite and self.parts[0].name != "hemisphere" and self.has_round_base

    @property
    def ends_in_tip(self) -> bool:
        """Whether its lowest part is a cone or a hemisphere that hangs down."""
        return self.parts[-1].name != "cylinder" and self.parts[-1].bottom >= self.box.y1 - 1

    @property
    def base(self) -> _Part:
        """The part that the others are spoken of as attached to."""
        order = ("cylinder", "hemisphere", "cone")
        return min(self.parts, key=lambda part: order.index(part.name))

    @property
    def height(self) -> float:
        return self.parts[-1].bottom - self.parts[0].top


@dataclass(frozen=True, slots=True, kw_only=True)
class _Measure:
    value: float
    unit: str | None
    box: Box
    confidence: float


def read_solid(picture: Pixels, words: Sequence[Word], regions: Sequence[Mask] = ()) -> list[Constraint]:
    """The dimensions of a solid of two parts and how it is put together; nothing where none is recognised.

    `regions` are what lines close off.
    """
    measures = _measures(words)
    ink = dark_strokes(picture)
    # Print may touch the outline, or its box may hold a piece of it: one of the two pictures has the outline whole.
    solid = (find_solid(ink) or find_solid(without_words(ink, words), regions)) if measures else None
    if solid is None or not solid.is_composite or not (solid.has_round_base or solid.ends_in_tip):
        return []
    lengths = [*_radius_facts(ink, solid, measures), *_height_facts(ink, solid, measures)]
    return [*lengths, *_structure_facts(solid)] if lengths else []


def _measures(words: Sequence[Word]) -> list[_Measure]:
    """Numbers with a unit, also where the two were read apart."""
    sure = [word for word in words if word.confidence >= _SURE]
    texts = [(word.text.strip(), word.box, word.confidence) for word in sure]
    for left, right in pairwise(sorted(sure, key=lambda word: (round(word.box.y0 / 12), word.box.x0))):
        if left.text.strip().isdigit() and 0 <= right.box.x0 - left.box.x1 + 4 <= 0.6 * left.box.height:
            box = Box(left.box.x0, left.box.y0, right.box.x1, right.box.y1)
            texts.append((left.text.strip() + right.text.strip(), box, min(left.confidence, right.confidence)))
    return [
        _Measure(value=float(match[1]), unit=match[2], box=box, confidence=confidence)
        for text, box, confidence in texts
        if (match := _MEASURE.fullmatch(text))
    ]


def find_solid(ink: NDArray[np.uint8], regions: Sequence[Mask] = ()) -> Solid | None:
    """The solid whose outline is one of the largest connected shapes, or what lines close off: dimension lines may touch it."""
    joined = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((3, 3), dtype=np.uint8))
    _, labelled, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    if len(stats) < 2:
        return None
    sizes = stats[1:, cv2.CC_STAT_WIDTH] * stats[1:, cv2.CC_STAT_HEIGHT]
    order = 1 + np.argsort(-np.where(sizes < _FRAME * ink.size, sizes, 0), kind="stable")
    found = (_solid_of(labelled == index, stats[index].tolist()) for index in order[:_MOST_SHAPES].tolist())
    closed = (_solid_of(region > 0, [*cv2.boundingRect(region), 0]) for region in regions)
    return next(filter(None, chain(found, closed)), None)


def _solid_of(component: NDArray[np.bool_], place: Sequence[int]) -> Solid | None:
    """The solid that a connected shape is by its half-width from row to row; None where it is none."""
    left, top, width, height, _ = place
    shape = component[top : top + height, left : left + width]
    first, last = shape.argmax(axis=1), width - 1 - shape[:, ::-1].argmax(axis=1)
    halves, middles = (last - first) / 2, (last + first) / 2
    radius, middle = float(halves.max()), float(np.median(middles))
    # Print that touches the outline moves a few rows.
    upright = float(np.quantile(np.abs(middles - middle), 0.92)) <= 0.08 * radius + 2
    parts = _parts(halves, radius) if upright and radius >= 20 and 0.8 <= height / radius <= 8 else ()
    if not parts:
        return None
    rim = halves[int(parts[-1].bottom) :]
    return Solid(
        x=left + middle,
        radius=radius,
        parts=tuple(_Part(name=part.name, top=top + part.top, bottom=top + part.bottom) for part in parts),
        box=Box(float(left), float(top), float(left + width), float(top + height)),
        has_round_base=len(rim) >= _LEAST_RIM * radius and float(rim[len(rim) // 2]) >= _RIM_BULGE * radius,
    )


def _parts(halves: NDArray[np.float64], radius: float) -> tuple[_Part, ...]:
    """The parts from top to bottom: what ends a shape above and below, and a cylinder where it stays as wide for long."""
    full = np.flatnonzero(halves >= _FULL * radius)
    first, last, height = float(full[0]), float(full[-1]), float(len(halves))
    above, below = _ending(halves[: full[0]], radius), _ending(halves[full[-1] + 1 :][::-1], radius)
    if above == "unknown" or below == "unknown":
        return ()
    # A hemisphere is almost as wide as its rim for a while: its own radius says better where it begins.
    start = radius if above == "hemisphere" else first
    end = height - radius if below == "hemisphere" else last
    parts = []
    if above != "rim":
        parts.append(_Part(name=above, top=0.0, bottom=start))
    if last - first >= _CYLINDER * radius:
        parts.append(_Part(name="cylinder", top=start, bottom=end))
    if below != "rim":
        parts.append(_Part(name=below, top=end, bottom=height))
    return tuple(parts) if len(parts) <= 2 else ()


def _ending(halves: NDArray[np.float64], radius: float) -> Literal["cone", "hemisphere", "rim", "unknown"]:
    """What the rows from a solid's end to its full width are: half-widths from the tip on."""
    middle = float(halves[len(halves) // 2]) / radius if len(halves) else 1.0
    if len(halves) <= _RIM * radius or (middle >= _HEMISPHERE[0] and len(halves) < _ROUND * radius):
        return "rim"
    widens = float(halves[3 * len(halves) // 4] - halves[len(halves) // 4]) >= _CONE_WIDENS * radius
    if _CONE[0] <= middle <= _CONE[1] and widens:
        return "cone"
    is_round = _HEMISPHERE[0] <= middle <= _HEMISPHERE[1] and len(halves) <= 1.15 * radius
    return "hemisphere" if is_round else "unknown"


def _radius_facts(ink: NDArray[np.uint8], solid: Solid, measures: Sequence[_Measure]) -> list[Constraint]:
    """The measure at the level line that reaches from the axis to the outline."""
    slack = 0.12 * solid.radius
    pairs = [
        (abs(measure.box.y - line.across), measure)
        for line in long_strokes(ink, round(0.75 * solid.radius), upright=False)
        if abs(line.start - solid.x) <= slack and abs(line.end - solid.x - solid.radius) <= slack
        for measure in measures
        if line.start < measure.box.x < line.end and abs(measure.box.y - line.across) <= 1.8 * measure.box.height
    ]
    nearest = sorted(pairs, key=lambda pair: pair[0])[:1]
    return [_length(f"{solid.base.name} base radius", measure) for _, measure in nearest]


def _height_facts(ink: NDArray[np.uint8], solid: Solid, measures: Sequence[_Measure]) -> list[Constraint]:
    """Each measure beside an upright dimension line, as the height of what the line spans."""
    x0, _, x1, _ = solid.box
    strokes = long_strokes(ink, round(0.2 * solid.height), upright=True)
    lines = [line for line in strokes if not x0 - 4 <= line.across <= x1 + 4]
    slack = _OFF_SHARE * solid.height + 4
    spans = [(f"{part.name} height", part.top, part.bottom) for part in solid.parts]
    if len(solid.parts) > 1:
        spans.append(("total height", solid.parts[0].top, solid.parts[-1].bottom))
    facts: list[Constraint] = []
    for measure in measures:
        beside = [line for line in lines if _is_beside(measure, line)]
        off, name = _span_at(measure.box.y, beside, spans, slack)
        if off <= slack and not x0 < measure.box.x < x1:
            facts.append(_length(name, measure))
    return facts


def _span_at(
    y: float, lines: Sequence[RuledLine], spans: Sequence[tuple[str, float, float]], slack: float
) -> tuple[float, str]:
    """What lines span and a measure stands at the middle of: how far off that it stands, and the name."""
    fitting = [
        (abs(y - (top + bottom) / 2), name)
        for name, top, bottom in spans
        if any(line.start <= top + slack and bottom - slack <= line.end for line in lines)
    ]
    return min(fitting, default=(math.inf, ""))


def _is_beside(measure: _Measure, line: RuledLine) -> bool:
    gap = max(measure.box.x0 - line.across, line.across - measure.box.x1)
    return gap <= 1.2 * measure.box.height and line.start < measure.box.y < line.end


def _length(entity: str, measure: _Measure) -> Numeric:
    return Numeric(
        entity=entity,
        attribute="length",
        value=measure.value,
        unit=measure.unit,
        confidence=round(0.9 * measure.confidence, 4),
        box=measure.box,
    )


def _structure_facts(solid: Solid) -> list[Constraint]:
    """How two parts are attached: they share the seam, so their radii are equal."""
    base = solid.base
    other = next(part for part in solid.parts if part is not base)
    how = "placed on top of" if other.top < base.top else "attached to bottom of"
    radii = (f"{other.name} base radius", f"{base.name} base radius")
    return [
        Relation(type="equal", entities=radii, confidence=0.85, box=solid.box),
        Structure(
            type="composite",
            parts=(base.name, other.name),
            attachment=(f"{other.name} {how} {base.name}",),
            confidence=0.85,
            box=solid.box,
        ),
    ]
