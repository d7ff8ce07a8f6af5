"""Circles, and figures whose corners have no names: polygons, circles and boxes, told by their outline.

What is written at them is said of a part by its kind and place: "triangle side", "circle radius", "cuboid height". The
outline is the rim of what the drawing encloses, so lines that stand apart (dimension lines, arrows) do not disturb it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.geometry.figure import Figure, Segment, is_drawn_between
from evpv.perception.geometry.ink import Ink, Mask
from evpv.perception.geometry.labels import Label
from evpv.perception.geometry.overlay import NamedPoint
from evpv.types import Constraint, Numeric

_LEAST_RADIUS_PX = 30
_RIM_DRAWN = 0.9
_RAY_DRAWN = 0.9

_DOT = 0.35  # letter heights from the centre: what is nearer is the dot that marks it


@dataclass(frozen=True, slots=True, kw_only=True)
class _Circle:
    """A drawn circle."""

    x: float
    y: float
    radius: float


def circle_facts(ink: Ink, labels: Sequence[Label]) -> list[Constraint]:
    """The labelled radius or diameter of the one circle of a figure, named by the letter at its centre.

    More than one line from the centre, or more than one length, would leave open which belongs to which: nothing then.
    """
    lengths = [label for label in labels if label.kind == "number" and not label.degrees]
    circle = find_circle(ink) if len(lengths) == 1 else None
    if circle is None or not _is_in(circle, lengths[0]):
        return []
    attribute, name = _drawn_line(_circle_rays(ink, circle)), _centre_name(circle, labels)
    if attribute is None or name is None:
        return []
    (length,) = lengths
    return [
        Numeric(
            entity=f"circle {name}",
            attribute=attribute,
            value=length.value or 0.0,
            unit=length.unit,
            confidence=0.85,
            box=length.box,
        )
    ]


def _drawn_line(rays: Sequence[float]) -> str | None:
    """What the lines from the centre are: one a radius, two opposite ones a diameter."""
    match rays:
        case [_]:
            return "radius"
        case [one, other] if abs(abs(one - other) - 180) <= _OPPOSITE_DEG:
            return "diameter"
    return None


def _centre_name(circle: _Circle, labels: Sequence[Label]) -> str | None:
    """The letter nearest to the centre, if it is near and no dot."""
    away = {label: _off_centre(circle, label) for label in labels if label.kind == "name"}
    near = [label for label, distance in away.items() if _DOT <= distance <= 2.5]
    return min(near, key=away.__getitem__).text if near else None


def find_circle(ink: Ink) -> _Circle | None:
    """The circle that bounds the largest connected shape of the drawing, if one does."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink.lines, connectivity=8)
    for left, top, width, height, _ in sorted(stats[1:].tolist(), key=lambda item: -item[2] * item[3])[:3]:
        radius = (width + height) / 4 - 1
        circle = _Circle(x=left + width / 2 - 0.5, y=top + height / 2 - 0.5, radius=radius)
        if radius >= _LEAST_RADIUS_PX and abs(width - height) <= 0.04 * width and _rim(ink, circle) >= _RIM_DRAWN:
            return circle
    return None


def _rim(ink: Ink, circle: _Circle) -> float:
    near = cv2.dilate(ink.lines, np.ones((5, 5), dtype=np.uint8))
    turns = np.radians(np.arange(360.0))
    columns = np.clip(np.rint(circle.x + np.cos(turns) * circle.radius), 0, near.shape[1] - 1).astype(np.intp)
    rows = np.clip(np.rint(circle.y + np.sin(turns) * circle.radius), 0, near.shape[0] - 1).astype(np.intp)
    return float(near[rows, columns].mean())


def _circle_rays(ink: Ink, circle: _Circle) -> list[float]:
    """The directions in degrees in which a line runs from the centre to the rim."""
    near = cv2.dilate(ink.lines, np.ones((3, 3), dtype=np.uint8))
    reach = np.arange(0.12 * circle.radius, 0.95 * circle.radius)
    turns = np.radians(np.arange(360.0))[:, None]
    columns = np.rint(circle.x + np.cos(turns) * reach).astype(np.intp)
    rows = np.rint(circle.y + np.sin(turns) * reach).astype(np.intp)
    drawn = near[rows, columns].mean(axis=1)
    found: list[float] = []
    for degree in np.argsort(-drawn, kind="stable").tolist():
        if drawn[degree] < _RAY_DRAWN:
            break
        if all(min(abs(degree - other), 360 - abs(degree - other)) > _OPPOSITE_DEG for other in found):
            found.append(float(degree))
    return found


def _is_in(circle: _Circle, label: Label) -> bool:
    x, y = label.centre
    return math.hypot(x - circle.x, y - circle.y) < circle.radius


def _off_centre(circle: _Circle, label: Label) -> float:
    """Letter heights from the centre to a label."""
    x, y = label.centre
    return math.hypot(x - circle.x, y - circle.y) / label.glyph_height


VAGUE_KINDS = ("polygon", "quadrilateral")  # what an outline is called that may be none of a figure
_LEAST_SHARE = 0.02  # of the picture's area that a figure encloses, at least
_TIP_PX = 19
_BEND = 0.02  # of the outline's length: smaller bends are none
_SAME_AREA = 0.04  # by which a polygon or a circle may differ from the outline that it stands for
_MOST_CORNERS = 8
_POLYGONS = {3: "triangle"}
_RIGHT_RAD = math.radians(4)
_PARALLEL_RAD = math.radians(5)
_EVEN = 0.05  # share by which sides said to be equal may differ
_SIDES_OF_CUBE = 0.08
_OPPOSITE_DEG = 8
_EQUATOR = (0.14, 0.45)  # of a sphere's radius: half the height of its equator as drawn


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A straight part of a figure without names, and what it is called."""

    segment: Segment
    entity: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """A figure without names: its kind, its parts that can be measured, and its corners with the sides between them."""

    kind: str
    parts: tuple[Part, ...]
    sides: Figure

    def entity_of(self, segment: Segment) -> str:
        return next(part.entity for part in self.parts if part.segment == segment)


def find_outline(ink: Ink) -> Outline | None:
    """The largest figure that the drawing encloses, if it is a polygon, a circle or a box.

    Print and ends of lines that touch it are part of what is enclosed; without what is as small, it may be a simpler one.
    """
    region = largest_enclosure(ink)
    if region is None:
        return None
    plain = _region_outline(ink, region)
    if plain is not None and plain.kind not in VAGUE_KINDS:
        return plain
    size = ink.max_glyph_px // 2
    smooth = cv2.morphologyEx(region, cv2.MORPH_OPEN, np.ones((size, size), dtype=np.uint8))
    simple = _region_outline(ink, np.asarray(smooth, np.uint8)) if smooth.any() else None
    return simple if simple is not None and simple.kind not in VAGUE_KINDS else plain


def _region_outline(ink: Ink, region: Mask) -> Outline | None:
    contours, _ = cv2.findContours(region, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    rim = np.asarray(max(contours, key=cv2.contourArea), np.int32)
    circle = _circle(rim)
    if circle is not None:
        return _circle_outline(ink, circle)
    corners = _corners(rim)
    if corners is None:
        return None
    if len(corners) == 6 and (box := _box_outline(ink, corners)) is not None:
        return box
    return _polygon_outline(ink, corners)


def largest_enclosure(ink: Ink) -> Mask | None:
    """The largest area that lines close off from the picture's rim."""
    closed = cv2.morphologyEx(ink.lines, cv2.MORPH_CLOSE, np.ones((3, 3), dtype=np.uint8))
    padded = np.pad(np.asarray(closed, dtype=np.uint8), 2)
    cv2.floodFill(padded, None, (0, 0), 2)
    inside = np.asarray(padded[2:-2, 2:-2] != 2, dtype=np.uint8)
    # Lines that enclose nothing are thin; the tip of a corner is, too, but not far from what is wide.
    wide = cv2.morphologyEx(inside, cv2.MORPH_OPEN, np.ones((7, 7), dtype=np.uint8))
    inside &= np.asarray(cv2.dilate(wide, np.ones((_TIP_PX, _TIP_PX), dtype=np.uint8)), dtype=np.uint8)
    _, labelled, stats, _ = cv2.connectedComponentsWithStats(inside, connectivity=4)
    if len(stats) < 2:
        return None
    largest = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    if stats[largest, cv2.CC_STAT_AREA] < _LEAST_SHARE * inside.size:
        return None
    return np.asarray(labelled == largest, dtype=np.uint8)


def _circle(rim: NDArray[np.int32]) -> _Circle | None:
    (x, y), radius = cv2.minEnclosingCircle(rim)
    full = cv2.contourArea(rim) / (math.pi * radius**2)
    return _Circle(x=x, y=y, radius=radius - 1) if abs(full - 1) <= _SAME_AREA else None


def _corners(rim: NDArray[np.int32]) -> list[NamedPoint] | None:
    """The corners of the polygon that an outline is, from the upper left on; None where it is round."""
    corners = cv2.approxPolyDP(rim, _BEND * cv2.arcLength(rim, True), True).reshape(-1, 2)
    area = cv2.contourArea(rim)
    hull = cv2.contourArea(corners.astype(np.int32))
    if not 3 <= len(corners) <= _MOST_CORNERS or abs(hull - area) > _SAME_AREA * area:
        return None
    return [NamedPoint(name="", x=float(x), y=float(y), confidence=1.0) for x, y in corners.tolist()]


def _side_segments(corners: Sequence[NamedPoint]) -> list[Segment]:
    return [Segment(a=a, b=b) for a, b in pairwise([*corners, corners[0]])]


def _direction(segment: Segment) -> float:
    return math.atan2(segment.b.y - segment.a.y, segment.b.x - segment.a.x)


def _off_direction(one: Segment, other: Segment) -> float:
    """The angle between two lines, from 0 to a right angle."""
    turn = (_direction(one) - _direction(other)) % math.pi
    return min(turn, math.pi - turn)


def _polygon_outline(ink: Ink, corners: list[NamedPoint]) -> Outline:
    sides = _side_segments(corners)
    kind = _quadrilateral(sides) if len(sides) == 4 else _POLYGONS.get(len(sides), "polygon")
    parts = [Part(segment=side, entity=f"{kind} {_side_word(kind, side, sides)}") for side in sides]
    across = [
        *(Part(segment=line, entity=f"{kind} height") for line in _heights(ink, corners, sides)),
        *(Part(segment=line, entity=f"{kind} diagonal") for line in _diagonals(ink, corners)),
    ]
    figure = Figure(points=tuple(corners), segments=tuple(sides))
    return Outline(kind=kind, parts=(*parts, *across), sides=figure)


def _quadrilateral(sides: Sequence[Segment]) -> str:
    first, second = (_off_direction(sides[place], sides[place + 2]) <= _PARALLEL_RAD for place in (0, 1))
    right = abs(_off_direction(sides[0], sides[1]) - math.pi / 2) <= _RIGHT_RAD
    even = abs(sides[0].length - sides[1].length) <= _EVEN * sides[0].length
    if first and second:
        if right:
            return "square" if even else "rectangle"
        return "rhombus" if even else "parallelogram"
    return "trapezoid" if first or second else "quadrilateral"


def _side_word(kind: str, side: Segment, sides: Sequence[Segment]) -> str:
    """What a side of a polygon is called."""
    if kind == "rectangle":
        return "length" if side.length >= max(one.length for one in sides[:2]) * (1 - _EVEN) else "width"
    if kind in ("parallelogram", "trapezoid"):
        opposite = sides[(sides.index(side) + 2) % 4]
        level = _off_direction(side, opposite) <= _PARALLEL_RAD
        if kind == "trapezoid" and level:
            return "upper base" if side.a.y + side.b.y < opposite.a.y + opposite.b.y else "lower base"
        slope = abs(math.sin(_direction(side)))
        return "base" if level and slope < abs(math.sin(_direction(sides[sides.index(side) - 1]))) else "side"
    return "side"


def _heights(ink: Ink, corners: Sequence[NamedPoint], sides: Sequence[Segment]) -> list[Segment]:
    """Lines that are drawn from a corner at a right angle to a side that it is not on."""
    found = []
    for corner in corners:
        for side in (side for side in sides if corner not in (side.a, side.b)):
            share = _share_along(side, corner)
            foot = NamedPoint(
                name="",
                x=side.a.x + share * (side.b.x - side.a.x),
                y=side.a.y + share * (side.b.y - side.a.y),
                confidence=1.0,
            )
            clear = min(share, 1 - share) * side.length > 12 and math.hypot(corner.x - foot.x, corner.y - foot.y) > 20
            if 0 < share < 1 and clear and is_drawn_between(ink, corner, foot):
                found.append(Segment(a=corner, b=foot))
    return found


def _share_along(side: Segment, point: NamedPoint) -> float:
    dx, dy = side.b.x - side.a.x, side.b.y - side.a.y
    return ((point.x - side.a.x) * dx + (point.y - side.a.y) * dy) / side.length**2


def _diagonals(ink: Ink, corners: Sequence[NamedPoint]) -> list[Segment]:
    pairs = ((0, 2), (1, 3)) if len(corners) == 4 else ()
    return [Segment(a=corners[a], b=corners[b]) for a, b in pairs if is_drawn_between(ink, corners[a], corners[b])]


def _box_outline(ink: Ink, corners: list[NamedPoint]) -> Outline | None:
    """A box seen from a corner: a hexagon of three pairs of parallel sides with three edges that meet inside it."""
    sides = _side_segments(corners)
    front = sorted(sides, key=lambda side: side.length)
    longest = {_edge_word(side, sides): side.length for side in front}
    if len(longest) < 3 or not _has_parallel_sides(sides):
        return None
    if not _meets_inside(ink, corners, 0) and not _meets_inside(ink, corners, 1):
        return None
    level, upright = longest["length"], longest["height"]
    kind = "cube" if abs(level - upright) <= _SIDES_OF_CUBE * max(level, upright) else "cuboid"
    words = {side: "edge" if kind == "cube" else _edge_word(side, sides) for side in front}
    parts = tuple(Part(segment=side, entity=f"{kind} {word}") for side, word in words.items())
    return Outline(kind=kind, parts=parts, sides=Figure(points=tuple(corners), segments=()))


def _has_parallel_sides(sides: Sequence[Segment]) -> bool:
    return all(_off_direction(sides[place], sides[place + 3]) <= 2 * _PARALLEL_RAD for place in range(3))


def _edge_word(side: Segment, sides: Sequence[Segment]) -> str:
    """Upright edges are the height; of the others the more level ones are the length."""
    steep = sorted({round(abs(math.sin(_direction(one))), 1) for one in sides})
    slope = abs(math.sin(_direction(side)))
    if slope >= math.sin(math.radians(75)):
        return "height"
    return "length" if slope <= steep[0] + 0.1 else "width"


def _meets_inside(ink: Ink, corners: Sequence[NamedPoint], start: int) -> bool:
    """Whether every other corner is joined to the one point that makes three parallelograms of a hexagon."""
    a, b, c = (corners[(start + step) % 6] for step in (0, 1, 2))
    middle = NamedPoint(name="", x=a.x + c.x - b.x, y=a.y + c.y - b.y, confidence=1.0)
    return all(is_drawn_between(ink, corners[(start + step) % 6], middle) for step in (0, 2, 4))


def _circle_outline(ink: Ink, circle: _Circle) -> Outline | None:
    kind = "sphere" if _has_equator(ink, circle) else "circle"
    rays = _circle_rays(ink, circle)
    centre = NamedPoint(name="", x=circle.x, y=circle.y, confidence=1.0)
    ends = [
        NamedPoint(
            name="",
            x=circle.x + circle.radius * math.cos(math.radians(ray)),
            y=circle.y + circle.radius * math.sin(math.radians(ray)),
            confidence=1.0,
        )
        for ray in rays
    ]
    if len(rays) == 2 and abs(abs(rays[0] - rays[1]) - 180) <= _OPPOSITE_DEG:
        parts = [Part(segment=Segment(a=ends[0], b=ends[1]), entity=f"{kind} diameter")]
    else:
        parts = [Part(segment=Segment(a=centre, b=end), entity=f"{kind} radius") for end in ends]
    return Outline(kind=kind, parts=tuple(parts), sides=Figure(points=(centre,), segments=()))


def _has_equator(ink: Ink, circle: _Circle) -> bool:
    """Whether the front half of a flat ellipse is drawn through a circle's middle."""
    near = cv2.dilate(ink.lines, np.ones((3, 3), dtype=np.uint8))
    turns = np.radians(np.arange(25.0, 156.0, 2.0))
    flat = np.arange(_EQUATOR[0], _EQUATOR[1], 0.01)[:, None] * circle.radius
    columns = np.clip(np.rint(circle.x + circle.radius * np.cos(turns)), 0, near.shape[1] - 1).astype(np.intp)
    rows = np.clip(np.rint(circle.y + flat * np.sin(turns)), 0, near.shape[0] - 1).astype(np.intp)
    return bool(near[rows, np.broadcast_to(columns, rows.shape)].mean(axis=1).max() >= 0.85)
