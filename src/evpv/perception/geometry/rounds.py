"""Round figures without names: circles, spheres, half circles, sectors, and cones and cylinders by their shape of ink."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, starmap

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.geometry.drawing import Circle
from evpv.perception.geometry.figure import LineFigure, is_drawn_between
from evpv.perception.geometry.ink import Ink, Mask, long_strokes, pixels_at
from evpv.perception.geometry.overlay import NamedPoint
from evpv.perception.geometry.polyhedra import Outline, OutlinePart, part_between, point_at
from evpv.perception.geometry.solids import Solid, find_solid

BEND = 0.02  # of the outline's length: smaller bends are none
SAME_AREA = 0.04  # by which a polygon or a circle may differ from the outline that it stands for
_LEAST_RADIUS_PX = 30
_RAY_DRAWN = 0.9
_RIM_DRAWN = 0.95
_OPPOSITE_DEG = 8
_EQUATOR = (0.14, 0.45)  # of a sphere's radius: half the height of its equator as drawn
_OFF_SHARE = 0.07  # of a solid's height: how far its height's line may end off its ends
_BEYOND = (0.1, 0.5)  # of a sector's radius: where lines that lead on are looked for
_ON_RIM = 0.97  # of a rim that lies on the lines and arcs that it is taken for

Rim = NDArray[np.int32]
_Place = Sequence[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnSolids:
    """The solid of revolution that stands in a picture, and whether one may lie in it."""

    upright: Solid | None = None
    may_lie: bool = False


def find_solids(ink: Ink) -> DrawnSolids:
    upright = find_solid(ink.lines)
    return DrawnSolids(upright=upright, may_lie=upright is None or not upright.is_single)


def round_outline(ink: Ink, rim: Rim, region: Mask, solids: DrawnSolids) -> Outline | None:
    """The round figure that a rim is, if it is one."""
    (x, y), radius = cv2.minEnclosingCircle(rim)
    if abs(cv2.contourArea(rim) / (math.pi * radius**2) - 1) <= SAME_AREA:
        return _outline_of_circle(ink, Circle(x=x, y=y, radius=radius - 1), region)
    found = solid_outline(ink, region, solids) or _sector_outline(ink, rim, region)
    return found or _half_circle_outline(rim, region)


def _half_circle_outline(rim: Rim, region: Mask) -> Outline | None:
    """A straight side and an arc around its middle: a long side of the rectangle around it."""
    corners = cv2.boxPoints(cv2.minAreaRect(rim)).astype(float).tolist()
    long_sides = sorted(pairwise([*corners, corners[0]]), key=lambda ends: math.dist(*ends))[-2:]
    points = rim.reshape(-1, 2).astype(np.float64)

    def off(one: _Place, other: _Place) -> NDArray[np.float64]:
        centre, radius = [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2], math.dist(one, other) / 2
        off_arc = np.abs(np.hypot(*(points - centre).T) - radius)
        return np.asarray(np.minimum(off_arc, off_line(points, one, other)), np.float64)

    one, other = min(long_sides, key=lambda ends: float(off(*ends).mean()))
    radius = math.dist(one, other) / 2
    if radius < _LEAST_RADIUS_PX or abs(cv2.contourArea(rim) / (math.pi * radius**2 / 2) - 1) > 2 * SAME_AREA:
        return None
    if float((off(one, other) <= 0.03 * radius + 2).mean()) < _ON_RIM:
        return None
    ends, middle = (point_at(*one), point_at(*other)), point_at((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)
    radii = [part_between("semicircle radius", middle, end) for end in ends]  # for what stands at half of the diameter
    return Outline(kind="semicircle", parts=(part_between("semicircle diameter", *ends), *radii), region=region)


def _sector_outline(ink: Ink, rim: Rim, region: Mask) -> Outline | None:
    """Two equal straight sides from one corner and an arc around it; an arc between lines that lead on marks an angle."""
    corners = cv2.approxPolyDP(rim, BEND * cv2.arcLength(rim, True), True).reshape(-1, 2).astype(float).tolist()
    if not 4 <= len(corners) <= 8:
        return None
    around = zip(corners, [*corners[-1:], *corners[:-1]], [*corners[1:], *corners[:1]], strict=True)
    found = next((three for three in around if _is_sector(rim.reshape(-1, 2).astype(np.float64), *three)), None)
    if found is None:
        return None
    centre, *ends = starmap(point_at, found)

    def beyond(end: NamedPoint, share: float) -> NamedPoint:
        return point_at(end.x + share * (end.x - centre.x), end.y + share * (end.y - centre.y))

    if all(is_drawn_between(ink, *(beyond(end, share) for share in _BEYOND)) for end in ends):
        return None
    parts = tuple(part_between("sector radius", centre, end) for end in ends)
    sides = LineFigure(points=(centre, *ends), segments=tuple(part.segment for part in parts))
    return Outline(kind="sector", parts=parts, sides=sides, region=region)


def _is_sector(points: NDArray[np.float64], centre: _Place, one: _Place, other: _Place) -> bool:
    """Whether a rim runs along two equal lines from a centre and at their length around it."""
    radius = (math.dist(one, centre) + math.dist(other, centre)) / 2
    if abs(math.dist(one, centre) - radius) > 0.06 * radius or radius < _LEAST_RADIUS_PX:
        return False
    off_arc = np.abs(np.hypot(*(points - centre).T) - radius)
    off = np.minimum.reduce([off_arc, off_line(points, centre, one), off_line(points, centre, other)])
    return float((off <= 0.03 * radius + 2).mean()) >= _ON_RIM


def off_line(points: NDArray[np.float64], start: _Place, end: _Place) -> NDArray[np.float64]:
    """How far points are off a segment."""
    way = np.array([end[0] - start[0], end[1] - start[1]])
    share = np.clip(((points - start) @ way) / (way @ way), 0, 1)
    return np.asarray(np.hypot(*(points - start - share[:, None] * way).T), np.float64)


def _outline_of_circle(ink: Ink, circle: Circle, region: Mask) -> Outline:
    """A circle or, where the front half of a flat ellipse is drawn through its middle, a sphere, with the lines to its rim."""
    turns = np.radians(np.arange(25.0, 156.0, 2.0))
    flat = np.arange(_EQUATOR[0], _EQUATOR[1], 0.01)[:, None] * circle.radius
    equators = pixels_at(ink.near_lines, circle.x + circle.radius * np.cos(turns), circle.y + flat * np.sin(turns))
    kind, rays = "sphere" if equators.mean(axis=1).max() >= 0.85 else "circle", _circle_rays(ink, circle)
    centre, ways = point_at(circle.x, circle.y), [(math.cos(ray), math.sin(ray)) for ray in map(math.radians, rays)]
    ends = [point_at(circle.x + circle.radius * dx, circle.y + circle.radius * dy) for dx, dy in ways]
    if len(rays) == 2 and abs(abs(rays[0] - rays[1]) - 180) <= _OPPOSITE_DEG:
        parts = [part_between(f"{kind} diameter", ends[0], ends[1], is_inner=True)]
    else:
        parts = [part_between(f"{kind} radius", centre, end, is_inner=True) for end in ends]
    return Outline(kind=kind, parts=tuple(parts), sides=LineFigure(points=(centre,), segments=()), region=region)


def inner_circles(ink: Ink, outline: Outline) -> list[Outline]:
    """The circle drawn inside another around the same centre, with the lines to its rim."""
    centre, radius = outline.sides.points[0], outline.box.width / 2
    radii = np.arange(max(_LEAST_RADIUS_PX, 0.2 * radius), 0.88 * radius)[:, None]
    turns = np.radians(np.arange(0.0, 360.0, 3.0))
    rims = pixels_at(ink.near_lines, centre.x + np.cos(turns) * radii, centre.y + np.sin(turns) * radii)
    drawn = rims.mean(axis=1)
    if float(drawn.max(initial=0.0)) < _RIM_DRAWN:
        return []
    circle = Circle(x=centre.x, y=centre.y, radius=float(radii[int(drawn.argmax()), 0]))
    region = np.zeros_like(outline.region)
    cv2.circle(region, (round(circle.x), round(circle.y)), round(circle.radius), 1, -1)
    return [_outline_of_circle(ink, circle, region)]


def _circle_rays(ink: Ink, circle: Circle) -> list[float]:
    """The directions in degrees in which a line runs from the centre to the rim."""
    reach = np.arange(0.12 * circle.radius, 0.95 * circle.radius)
    turns = np.radians(np.arange(360.0))[:, None]
    drawn = pixels_at(ink.near_lines, circle.x + np.cos(turns) * reach, circle.y + np.sin(turns) * reach).mean(axis=1)
    found: list[float] = []
    for degree in np.argsort(-drawn, kind="stable").tolist():
        if drawn[degree] < _RAY_DRAWN:
            break
        if all(min(abs(degree - other), 360 - abs(degree - other)) > _OPPOSITE_DEG for other in found):
            found.append(float(degree))
    return found


def solid_outline(ink: Ink, region: Mask, solids: DrawnSolids) -> Outline | None:
    """A single cone or cylinder, by its shape of ink, with the lines drawn in it and beside it."""
    standing = _standing_outline(ink, region, solids.upright)
    if standing is not None or not solids.may_lie:
        return standing
    turned = replace(ink, lines=np.ascontiguousarray(ink.lines.T))
    found = _standing_outline(turned, region.T, find_solid(turned.lines))
    if found is None:
        return None
    parts = []
    for part in found.parts:
        a, b = (point_at(end.y, end.x) for end in (part.segment.a, part.segment.b))
        parts.append(part_between(part.entity, a, b, is_inner=part.is_inner))
    return replace(found, region=region, parts=tuple(parts))


def _standing_outline(ink: Ink, region: Mask, solid: Solid | None) -> Outline | None:
    """A cone or cylinder, the lines in it, and its sides: heights of a cylinder, slant ones of a cone."""
    if solid is None or not solid.is_single or not region[round(solid.box.y), round(solid.x)]:
        return None
    name, top, bottom = solid.parts[0].name, solid.parts[0].top, solid.parts[0].bottom
    parts = [*_level_parts(ink, solid), *_upright_parts(ink, solid)]
    for edge in (solid.x - solid.radius, solid.x + solid.radius):
        start, word = (solid.x, "slant height") if name == "cone" else (edge, "height")
        parts.append(part_between(f"{name} {word}", point_at(start, top), point_at(edge, bottom)))
    return Outline(kind=name, parts=tuple(parts), region=region)


def _level_parts(ink: Ink, solid: Solid) -> Iterator[OutlinePart]:
    """Level lines as wide as the solid or half as wide: its diameter or its radius, also as seen from beyond the rim near it."""
    slack = 0.14 * solid.radius
    rims = (solid.x - solid.radius, solid.x + solid.radius)
    for line in long_strokes(ink.lines, round(0.7 * solid.radius), upright=False):
        at_rim = [any(abs(end - rim) <= slack for rim in rims) for end in (line.start, line.end)]
        at_middle = any(abs(end - solid.x) <= slack for end in (line.start, line.end))
        if all(at_rim) or (any(at_rim) and at_middle):
            entity = f"{solid.base.name} {'base diameter' if all(at_rim) else 'base radius'}"
            rim = min(solid.box.y0, solid.box.y1, key=lambda row: abs(row - line.across))
            for row in (line.across, rim):
                ends = point_at(line.start, row), point_at(line.end, row)
                yield part_between(entity, *ends, is_inner=row == line.across)


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
