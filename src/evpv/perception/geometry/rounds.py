"""Round figures without names: circles, spheres, half circles, sectors, and cones and cylinders by their shape of ink."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.geometry.figure import LineFigure, is_drawn_between
from evpv.perception.geometry.ink import Ink, Mask, long_strokes
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
class _Circle:
    """A drawn circle."""

    x: float
    y: float
    radius: float


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
    return (
        _circle_outline(ink, rim, region)
        or solid_outline(ink, region, solids)
        or _sector_outline(ink, rim, region)
        or _half_circle_outline(rim, region)
    )


def _half_circle_outline(rim: Rim, region: Mask) -> Outline | None:
    """A straight side and an arc around its middle: a long side of the rectangle around it."""
    corners = cv2.boxPoints(cv2.minAreaRect(rim)).astype(float).tolist()
    long_sides = sorted(pairwise([*corners, corners[0]]), key=lambda ends: math.dist(*ends))
    points = rim.reshape(-1, 2).astype(np.float64)
    one, other = min(long_sides[-2:], key=lambda ends: float(_off_half_circle(points, *ends).mean()))
    centre, radius = [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2], math.dist(one, other) / 2
    is_half = abs(cv2.contourArea(rim) / (math.pi * radius**2 / 2) - 1) <= 2 * SAME_AREA if radius else False
    on_rim = _off_half_circle(points, one, other) <= 0.03 * radius + 2
    if not is_half or radius < _LEAST_RADIUS_PX or float(on_rim.mean()) < _ON_RIM:
        return None
    ends = (point_at(*one), point_at(*other))
    middle = point_at(*centre)
    radii = [part_between("semicircle radius", middle, end) for end in ends]  # for what stands at half of the diameter
    return Outline(kind="semicircle", parts=(part_between("semicircle diameter", *ends), *radii), region=region)


def _off_half_circle(points: NDArray[np.float64], one: _Place, other: _Place) -> NDArray[np.float64]:
    centre, radius = [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2], math.dist(one, other) / 2
    off = np.minimum(np.abs(np.hypot(*(points - centre).T) - radius), off_line(points, one, other))
    return np.asarray(off, np.float64)


def _sector_outline(ink: Ink, rim: Rim, region: Mask) -> Outline | None:
    """Two equal straight sides from one corner and an arc around it; an arc between lines that lead on marks an angle."""
    corners = cv2.approxPolyDP(rim, BEND * cv2.arcLength(rim, True), True).reshape(-1, 2).astype(float).tolist()
    if not 4 <= len(corners) <= 8:
        return None
    around = zip(corners, [*corners[-1:], *corners[:-1]], [*corners[1:], *corners[:1]], strict=True)
    found = next((three for three in around if _is_sector(rim.reshape(-1, 2).astype(np.float64), *three)), None)
    if found is None or all(_leads_on(ink, found[0], end) for end in found[1:]):
        return None
    centre, *ends = (point_at(x, y) for x, y in found)
    parts = tuple(part_between("sector radius", centre, end) for end in ends)
    sides = LineFigure(points=(centre, *ends), segments=tuple(part.segment for part in parts))
    return Outline(kind="sector", parts=parts, sides=sides, region=region)


def _leads_on(ink: Ink, start: _Place, end: _Place) -> bool:
    """Whether a line is drawn beyond its end, by a part of its length."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    near, far = (point_at(end[0] + share * dx, end[1] + share * dy) for share in _BEYOND)
    return is_drawn_between(ink, near, far)


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


def _circle_outline(ink: Ink, rim: Rim, region: Mask) -> Outline | None:
    (x, y), radius = cv2.minEnclosingCircle(rim)
    if abs(cv2.contourArea(rim) / (math.pi * radius**2) - 1) > SAME_AREA:
        return None
    return _outline_of_circle(ink, _Circle(x=x, y=y, radius=radius - 1), region)


def _outline_of_circle(ink: Ink, circle: _Circle, region: Mask) -> Outline:
    x, y = circle.x, circle.y
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


def inner_circles(ink: Ink, outline: Outline) -> list[Outline]:
    """The circle drawn inside another around the same centre, with the lines to its rim."""
    centre, radius = outline.sides.points[0], outline.box.width / 2
    radii = np.arange(max(_LEAST_RADIUS_PX, 0.2 * radius), 0.88 * radius)[:, None]
    turns = np.radians(np.arange(0.0, 360.0, 3.0))
    columns = np.rint(centre.x + np.cos(turns) * radii).astype(np.intp)
    rows = np.rint(centre.y + np.sin(turns) * radii).astype(np.intp)
    drawn = ink.near_lines[rows, columns].mean(axis=1) if len(radii) else np.zeros(1)
    if float(drawn.max()) < _RIM_DRAWN:
        return []
    circle = _Circle(x=centre.x, y=centre.y, radius=float(radii[int(drawn.argmax()), 0]))
    region = np.zeros_like(outline.region)
    cv2.circle(region, (round(circle.x), round(circle.y)), round(circle.radius), 1, -1)
    return [_outline_of_circle(ink, circle, region)]


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


def solid_outline(ink: Ink, region: Mask, solids: DrawnSolids) -> Outline | None:
    """A single cone or cylinder, by its shape of ink, with the lines drawn in it and beside it."""
    standing = _standing_outline(ink, region, solids.upright)
    if standing is not None or not solids.may_lie:
        return standing
    turned = replace(ink, lines=np.ascontiguousarray(ink.lines.T))
    found = _standing_outline(turned, region.T, find_solid(turned.lines))
    return None if found is None else replace(found, region=region, parts=tuple(map(_turned_part, found.parts)))


def _turned_part(part: OutlinePart) -> OutlinePart:
    a, b = (point_at(end.y, end.x) for end in (part.segment.a, part.segment.b))
    return part_between(part.entity, a, b, is_inner=part.is_inner)


def _standing_outline(ink: Ink, region: Mask, solid: Solid | None) -> Outline | None:
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
