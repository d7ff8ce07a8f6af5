"""Figures whose corners have no names, told by their outline: polygons, circles, sectors, polyhedra, solids of revolution.

What is written at them is said of a part by its kind and place: "triangle side", "circle radius", "cuboid height". An outline
is the rim of what lines close off from the page, so lines that stand apart or lead away do not disturb it; a dimension line
beside it stands for the side, or the whole extent, between whose ends it runs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Box
from evpv.perception.geometry.enclosures import count_faces, enclosures
from evpv.perception.geometry.figure import LineFigure, LineSegment, drawn_aside, is_drawn_between
from evpv.perception.geometry.ink import Ink, Mask, long_strokes
from evpv.perception.geometry.labels import FigureLabel, places_of
from evpv.perception.geometry.overlay import NamedPoint
from evpv.perception.geometry.polyhedra import (
    PARALLEL_RAD,
    POLYHEDRA,
    RIGHT_RAD,
    OutlinePart,
    angle_between,
    direction_of,
    foot_on,
    part_between,
    point_at,
    sides_between,
)
from evpv.perception.geometry.solids import Solid, find_solid

VAGUE_KINDS = ("polygon", "quadrilateral", "net")  # what an outline is called that may be none of a figure

_LEAST_RADIUS_PX = 30
_RAY_DRAWN = 0.9
_DOT = 0.35  # letter heights from the centre: what is nearer is the dot that marks it
_BEND = 0.02  # of the outline's length: smaller bends are none
_SAME_AREA = 0.04  # by which a polygon or a circle may differ from the outline that it stands for
_MOST_CORNERS = 16
_BLUNT_PX = 40.0  # from where a corner seems to be to where its sides meet, at most
_EVEN = 0.05  # share by which sides said to be equal may differ
_OPPOSITE_DEG = 8
_EQUATOR = (0.14, 0.45)  # of a sphere's radius: half the height of its equator as drawn
_FACES_OF_NET, _CORNERS_OF_NET = 5, 10
_OFF_SHARE = 0.07  # of a solid's height: how far its height's line may end off its ends
_SAME_PLACE_PX = 24

_NO_SIDES = LineFigure(points=(), segments=())
_Rim = NDArray[np.int32]
_Place = Sequence[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Circle:
    """A drawn circle."""

    x: float
    y: float
    radius: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """A figure without names at its corners: its kind, its parts that can be measured, its corners with the sides between them, where it is."""

    kind: str
    parts: tuple[OutlinePart, ...]
    region: Mask
    sides: LineFigure = _NO_SIDES

    def holds(self, label: FigureLabel) -> bool:
        x, y = (round(place) for place in label.centre)
        return 0 <= y < len(self.region) and 0 <= x < self.region.shape[1] and bool(self.region[y, x])

    @property
    def box(self) -> Box:
        left, top, width, height = cv2.boundingRect(self.region)
        return Box(float(left), float(top), float(left + width), float(top + height))


def find_outlines(ink: Ink, labels: Sequence[FigureLabel]) -> list[Outline]:
    """The figures that lines close off, each by the first kind that it is; two of one kind are told apart by their places.

    Where nothing is closed off, a solid may still be told by its rows.
    """
    solid, hidden = find_solid(ink.lines), places_of(labels, ink)
    found = [_outline(ink, region, solid) for region in enclosures(ink)]
    outlines = [_with_dimension_lines(ink, one, hidden) for one in found if one is not None]
    if not outlines and (alone := _solid_outline(ink, np.ones_like(ink.lines), solid)) is not None:
        outlines = [alone]
    return [_with_place(outline, outlines) for outline in outlines]


def _with_place(outline: Outline, outlines: Sequence[Outline]) -> Outline:
    """One of two outlines of a kind called left or right, upper or lower; of more the kind alone is known."""
    others = [one for one in outlines if one is not outline and one.kind == outline.kind]
    if len(others) != 1:
        return outline
    across, down = outline.box.x - others[0].box.x, outline.box.y - others[0].box.y
    words = (("left", "right"), ("upper", "lower"))[abs(across) < abs(down)]
    word = words[max(across, down, key=abs) > 0]
    return replace(outline, parts=tuple(replace(part, entity=f"{word} {part.entity}") for part in outline.parts))


def centre_name(outline: Outline, labels: Sequence[FigureLabel]) -> str | None:
    """The letter nearest to a circle's centre, if it is near and no dot."""
    if outline.kind != "circle":
        return None
    centre = outline.sides.points[0]
    names = [label for label in labels if label.kind == "name"]
    away = {label: math.dist(label.centre, (centre.x, centre.y)) / label.glyph_height for label in names}
    near = [label for label, distance in away.items() if _DOT <= distance <= 2.5]
    return min(near, key=away.__getitem__).text if near else None


def _outline(ink: Ink, region: Mask, solid: Solid | None) -> Outline | None:
    """What a region is; print and ends of lines that touch it may be part of it, and without what is as small it may be simpler."""
    plain = _region_outline(ink, region, solid)
    if plain is not None and plain.kind not in VAGUE_KINDS:
        return plain
    size = ink.max_glyph_px // 2
    smooth = np.asarray(cv2.morphologyEx(region, cv2.MORPH_OPEN, np.ones((size, size), np.uint8)), np.uint8)
    simple = _region_outline(ink, smooth, solid) if smooth.any() else None
    return simple if simple is not None and simple.kind not in VAGUE_KINDS else plain


def _region_outline(ink: Ink, region: Mask, solid: Solid | None) -> Outline | None:
    contours, _ = cv2.findContours(region, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    rim = np.asarray(max(contours, key=cv2.contourArea), np.int32)
    is_round = _circle_outline(ink, rim, region) or _solid_outline(ink, region, solid) or _sector_outline(rim, region)
    if is_round is not None:
        return is_round
    corners = _corners(rim)
    if corners is None:
        return None
    parts = POLYHEDRA[len(corners)](ink, corners) if len(corners) in POLYHEDRA else []
    if parts:
        return Outline(kind=parts[0].entity.split()[0], parts=tuple(parts), sides=_polygon(corners), region=region)
    return _polygon_outline(ink, corners, region)


def _corners(rim: _Rim) -> list[NamedPoint] | None:
    """The corners of the polygon that an outline is, from the upper left on; None where it is round.

    Lines leave the tip of a corner blunt, so corners are where the straight sides between them would meet.
    """
    points = rim.reshape(-1, 2)
    rough = cv2.approxPolyDP(rim, _BEND * cv2.arcLength(rim, True), True).reshape(-1, 2)
    if not 3 <= len(rough) <= _MOST_CORNERS:
        return None
    places = sorted(int(np.abs(points - corner).sum(axis=1).argmin()) for corner in rough)
    lines = [_fitted_line(points, start, end) for start, end in pairwise([*places, places[0] + len(points)])]
    corners = np.array([_meeting(lines[k - 1], lines[k], points[places[k]]) for k in range(len(places))])
    area = cv2.contourArea(rim)
    if abs(cv2.contourArea(corners.astype(np.float32)) - area) > _SAME_AREA * area:
        return None
    return [point_at(float(x), float(y)) for x, y in corners.tolist()]


_Line = tuple[float, float, float, float]  # direction and a point of it


def _fitted_line(points: NDArray[np.int32], start: int, end: int) -> _Line:
    """The line along the rim from one place to another, but for what is near its ends."""
    trim = (end - start) // 6
    between = np.take(points, range(start + trim, end - trim + 1), axis=0, mode="wrap").astype(np.float32)
    dx, dy, x, y = cv2.fitLine(between, cv2.DIST_HUBER, 0, 0.01, 0.01).reshape(-1).tolist()
    return dx, dy, x, y


def _meeting(one: _Line, other: _Line, near: NDArray[np.int32]) -> tuple[float, float]:
    """Where two lines meet, if that is near a place; else that place."""
    (ax, ay, x, y), (bx, by, u, v) = one, other
    cross = ax * by - ay * bx
    along = ((u - x) * by - (v - y) * bx) / cross if abs(cross) > 0.1 else math.inf
    found = (x + along * ax, y + along * ay)
    return found if math.dist(found, near) <= _BLUNT_PX else (float(near[0]), float(near[1]))


def _polygon(corners: Sequence[NamedPoint]) -> LineFigure:
    return LineFigure(points=tuple(corners), segments=tuple(sides_between(corners)))


def _polygon_outline(ink: Ink, corners: list[NamedPoint], region: Mask) -> Outline:
    figure = _polygon(corners)
    kind, heights = _polygon_kind(ink, figure.segments, region), list(_heights(ink, figure))
    bases = [side for _, side in heights] if kind == "triangle" else []
    words = {
        side: "base" if side in bases else _side_word(kind, side, figure.segments, region) for side in figure.segments
    }
    parts = [
        *(OutlinePart(segment=side, entity=f"{kind} {word}") for side, word in words.items()),
        *(OutlinePart(segment=line, entity=f"{kind} height", is_inner=True) for line, _ in heights),
        *(OutlinePart(segment=line, entity=f"{kind} diagonal", is_inner=True) for line in _diagonals(ink, corners)),
    ]
    return Outline(kind=kind, parts=tuple(parts), sides=figure, region=region)


def _polygon_kind(ink: Ink, sides: Sequence[LineSegment], region: Mask) -> str:
    if len(sides) in (3, 4):
        return "triangle" if len(sides) == 3 else _quadrilateral(sides)
    return "net" if len(sides) >= _CORNERS_OF_NET and count_faces(ink, region) >= _FACES_OF_NET else "polygon"


def _quadrilateral(sides: Sequence[LineSegment]) -> str:
    first, second = (angle_between(sides[place], sides[place + 2]) <= PARALLEL_RAD for place in (0, 1))
    right = abs(angle_between(sides[0], sides[1]) - math.pi / 2) <= RIGHT_RAD
    even = abs(sides[0].length - sides[1].length) <= _EVEN * sides[0].length
    if first and second:
        names = {(True, True): "square", (True, False): "rectangle", (False, True): "rhombus"}
        return names.get((right, even), "parallelogram")
    return "trapezoid" if first or second else "quadrilateral"


def _side_word(kind: str, side: LineSegment, sides: Sequence[LineSegment], region: Mask) -> str:
    """What a side of a polygon is called."""
    if kind == "rectangle":
        return "length" if side.length >= max(one.length for one in sides[:2]) * (1 - _EVEN) else "width"
    if kind in ("parallelogram", "trapezoid"):
        return _base_word(kind, side, sides)
    return f"{_facing(side, region)} side".lstrip() if kind in VAGUE_KINDS else "side"


def _base_word(kind: str, side: LineSegment, sides: Sequence[LineSegment]) -> str:
    """Of a parallelogram the more level sides are bases, of a trapezoid the parallel ones."""
    place = sides.index(side)
    opposite = sides[(place + 2) % 4]
    is_parallel = angle_between(side, opposite) <= PARALLEL_RAD
    if kind == "trapezoid" and is_parallel:
        return "upper base" if side.a.y + side.b.y < opposite.a.y + opposite.b.y else "lower base"
    slope, other = (abs(math.sin(direction_of(one))) for one in (side, sides[place - 1]))
    return "base" if is_parallel and slope < other else "side"


def _facing(side: LineSegment, region: Mask) -> str:
    """To which side of the page a level or upright side looks; nothing for a slanted one."""
    across = ((side.a.y - side.b.y) / side.length, (side.b.x - side.a.x) / side.length)
    row, column = round((side.a.y + side.b.y) / 2 + 6 * across[1]), round((side.a.x + side.b.x) / 2 + 6 * across[0])
    inward = 0 <= row < len(region) and 0 <= column < region.shape[1] and bool(region[row, column])
    x, y = (-across[0], -across[1]) if inward else across
    if max(abs(x), abs(y)) < 0.95:
        return ""
    names, along = (("left", "right"), x) if abs(x) > abs(y) else (("top", "bottom"), y)
    return names[along > 0]


def _heights(ink: Ink, figure: LineFigure) -> Iterator[tuple[LineSegment, LineSegment]]:
    """Lines that are drawn from a corner at a right angle to a side that it is not on, each with that side."""
    for corner in figure.points if len(figure.points) <= 4 else ():
        for side in (side for side in figure.segments if corner not in (side.a, side.b)):
            share, foot = foot_on(side, corner)
            is_clear = (
                min(share, 1 - share) * side.length > 12 and math.hypot(corner.x - foot.x, corner.y - foot.y) > 20
            )
            if is_clear and is_drawn_between(ink, corner, foot):
                yield LineSegment(a=corner, b=foot), side


def _diagonals(ink: Ink, corners: Sequence[NamedPoint]) -> list[LineSegment]:
    pairs = ((0, 2), (1, 3)) if len(corners) == 4 else ()
    return [LineSegment(a=corners[a], b=corners[b]) for a, b in pairs if is_drawn_between(ink, corners[a], corners[b])]


def _sector_outline(rim: _Rim, region: Mask) -> Outline | None:
    """Two equal straight sides from one corner and an arc around it."""
    corners = cv2.approxPolyDP(rim, _BEND * cv2.arcLength(rim, True), True).reshape(-1, 2).astype(float).tolist()
    if not 4 <= len(corners) <= 8:
        return None
    around = zip(corners, [*corners[-1:], *corners[:-1]], [*corners[1:], *corners[:1]], strict=True)
    found = next((three for three in around if _is_sector(rim.reshape(-1, 2).astype(np.float64), *three)), None)
    if found is None:
        return None
    centre, *ends = (point_at(x, y) for x, y in found)
    parts = tuple(part_between("sector radius", centre, end) for end in ends)
    sides = LineFigure(points=(centre, *ends), segments=tuple(part.segment for part in parts))
    return Outline(kind="sector", parts=parts, sides=sides, region=region)


def _is_sector(points: NDArray[np.float64], centre: _Place, one: _Place, other: _Place) -> bool:
    """Whether a rim runs along two equal lines from a centre and at their length around it."""
    radius = (math.dist(one, centre) + math.dist(other, centre)) / 2
    if abs(math.dist(one, centre) - radius) > 0.06 * radius or radius < _LEAST_RADIUS_PX:
        return False
    off_arc = np.abs(np.hypot(*(points - centre).T) - radius)
    off = np.minimum.reduce([off_arc, _off_line(points, centre, one), _off_line(points, centre, other)])
    return float((off <= 0.03 * radius + 2).mean()) >= 0.97


def _off_line(points: NDArray[np.float64], start: _Place, end: _Place) -> NDArray[np.float64]:
    """How far points are off a segment."""
    way = np.array([end[0] - start[0], end[1] - start[1]])
    share = np.clip(((points - start) @ way) / (way @ way), 0, 1)
    return np.asarray(np.hypot(*(points - start - share[:, None] * way).T), np.float64)


def _circle_outline(ink: Ink, rim: _Rim, region: Mask) -> Outline | None:
    (x, y), radius = cv2.minEnclosingCircle(rim)
    if abs(cv2.contourArea(rim) / (math.pi * radius**2) - 1) > _SAME_AREA:
        return None
    circle = _Circle(x=x, y=y, radius=radius - 1)
    kind, rays = "sphere" if _has_equator(ink, circle) else "circle", _circle_rays(ink, circle)
    turns = [math.radians(ray) for ray in rays]
    ends = [point_at(x + circle.radius * math.cos(turn), y + circle.radius * math.sin(turn)) for turn in turns]
    if len(rays) == 2 and abs(abs(rays[0] - rays[1]) - 180) <= _OPPOSITE_DEG:
        parts = [part_between(f"{kind} diameter", ends[0], ends[1], is_inner=True)]
    else:
        parts = [part_between(f"{kind} radius", point_at(x, y), end, is_inner=True) for end in ends]
    return Outline(
        kind=kind, parts=tuple(parts), sides=LineFigure(points=(point_at(x, y),), segments=()), region=region
    )


def _circle_rays(ink: Ink, circle: _Circle) -> list[float]:
    """The directions in degrees in which a line runs from the centre to the rim."""
    reach = np.arange(0.12 * circle.radius, 0.95 * circle.radius)
    turns = np.radians(np.arange(360.0))[:, None]
    columns = np.rint(circle.x + np.cos(turns) * reach).astype(np.intp)
    rows = np.rint(circle.y + np.sin(turns) * reach).astype(np.intp)
    drawn = ink.near_lines[rows, columns].mean(axis=1)
    found: list[float] = []
    for degree in np.argsort(-drawn, kind="stable").tolist():
        if drawn[degree] < _RAY_DRAWN:
            break
        if all(min(abs(degree - other), 360 - abs(degree - other)) > _OPPOSITE_DEG for other in found):
            found.append(float(degree))
    return found


def _has_equator(ink: Ink, circle: _Circle) -> bool:
    """Whether the front half of a flat ellipse is drawn through a circle's middle."""
    near = ink.near_lines
    turns = np.radians(np.arange(25.0, 156.0, 2.0))
    flat = np.arange(_EQUATOR[0], _EQUATOR[1], 0.01)[:, None] * circle.radius
    columns = np.clip(np.rint(circle.x + circle.radius * np.cos(turns)), 0, near.shape[1] - 1).astype(np.intp)
    rows = np.clip(np.rint(circle.y + flat * np.sin(turns)), 0, near.shape[0] - 1).astype(np.intp)
    return bool(near[rows, np.broadcast_to(columns, rows.shape)].mean(axis=1).max() >= 0.85)


def _solid_outline(ink: Ink, region: Mask, solid: Solid | None) -> Outline | None:
    """A single cone or cylinder, by its shape of ink, with the lines drawn in it and beside it."""
    if solid is None or not solid.is_single or not region[round(solid.box.y), round(solid.x)]:
        return None
    name, top, bottom = solid.parts[0].name, solid.parts[0].top, solid.parts[0].bottom
    parts = [*_level_parts(ink, solid), *_upright_parts(ink, solid)]
    for side in (-1, 1):
        start = solid.x if name == "cone" else solid.x + side * solid.radius
        word = "slant height" if name == "cone" else "height"
        parts.append(
            part_between(f"{name} {word}", point_at(start, top), point_at(solid.x + side * solid.radius, bottom))
        )
    return Outline(kind=name, parts=tuple(parts), region=region)


def _level_parts(ink: Ink, solid: Solid) -> Iterator[OutlinePart]:
    """Level lines as wide as the solid or half as wide: its diameter or its radius, also as seen from beyond the rim near it."""
    slack = 0.14 * solid.radius
    rims = (solid.x - solid.radius, solid.x + solid.radius)
    for line in long_strokes(ink.lines, round(0.7 * solid.radius), upright=False):
        ends = [any(abs(end - rim) <= slack for rim in rims) for end in (line.start, line.end)]
        middle = [abs(end - solid.x) <= slack for end in (line.start, line.end)]
        if all(ends) or (any(ends) and any(middle)):
            entity = f"{solid.base.name} {'base diameter' if all(ends) else 'base radius'}"
            rim = min(solid.box.y0, solid.box.y1, key=lambda row: abs(row - line.across))
            for row in (line.across, rim):
                yield part_between(
                    entity, point_at(line.start, row), point_at(line.end, row), is_inner=row == line.across
                )


def _upright_parts(ink: Ink, solid: Solid) -> Iterator[OutlinePart]:
    """Upright lines as long as the solid is high, on its axis or outside: its height."""
    slack = _OFF_SHARE * solid.height + 4
    for line in long_strokes(ink.lines, round(0.55 * solid.height), upright=True):
        on_axis = abs(line.across - solid.x) <= 0.1 * solid.radius
        outside = not solid.box.x0 - 4 <= line.across <= solid.box.x1 + 4
        spans = abs(line.start - solid.parts[0].top) <= slack and abs(line.end - solid.parts[-1].bottom) <= slack
        if on_axis or (outside and spans):
            ends = point_at(line.across, line.start), point_at(line.across, line.end)
            yield part_between(f"{solid.base.name} height", *ends, is_inner=on_axis)


def _with_dimension_lines(ink: Ink, outline: Outline, hidden: Mask) -> Outline:
    """The outline with the dimension lines beside it, each called as what it spans: a side, or the whole from end to end."""
    sides = [part for part in outline.parts if not part.is_inner]
    wholes = [one for one in _extents(outline) if not any(_is_same(one.segment, side.segment) for side in sides)]
    spans = [(part, drawn_aside(ink, part.segment, outline.region, hidden)) for part in (*sides, *wholes)]
    aside = (replace(part, segment=line) for part, line in spans if line is not None)
    return replace(outline, parts=(*outline.parts, *aside))


def _extents(outline: Outline) -> list[OutlinePart]:
    """How wide and how high an outline is in all, where that is spoken of."""
    words = {"cylinder": ("base diameter", "height"), "cone": ("base diameter", "height")}
    if outline.kind not in words and outline.kind not in VAGUE_KINDS:
        return []
    wide, high = words.get(outline.kind, ("total width", "total height"))
    x0, y0, x1, y1 = outline.box
    corners = [point_at(*place) for place in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]
    edges = zip((wide, high) * 2, sides_between(corners), strict=True)
    return [OutlinePart(segment=side, entity=f"{outline.kind} {word}") for word, side in edges]


def _is_same(one: LineSegment, other: LineSegment) -> bool:
    ends = [(other.a, other.b), (other.b, other.a)]
    return any(
        math.hypot(one.a.x - a.x, one.a.y - a.y) + math.hypot(one.b.x - b.x, one.b.y - b.y) <= _SAME_PLACE_PX
        for a, b in ends
    )
