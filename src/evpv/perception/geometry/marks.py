"""Marks in angles (squares, arcs) and on lines (ticks, arrowheads): what is marked alike is equal or parallel.

For marks on a line, its surroundings are laid flat, the line along the middle row, and the line itself is taken out; what then
stands on both sides of it near its middle is a mark.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Box, runs_of
from evpv.perception.geometry.figure import Angle, LineFigure, LineSegment, align_segment, angles_of, crossing
from evpv.perception.geometry.ink import Ink, pixels_at

_MIN_SIDE_PX = 6
_MAX_SIDE_PX = 34
_UNEVEN_PX = 3  # how far a hand-placed vertex may make the square look uneven
_SLACK_RAD = math.radians(14)
_COVERAGE = 0.85

_Patch = NDArray[np.int8]
"""The surroundings of a vertex, its two rays laid along the axes: 1 ink, 0 ground, -1 unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedAngle:
    """An angle with `count` arcs in it, or with a square, and how far from its vertex that reaches."""

    angle: Angle
    reach_px: int
    count: int = 1

    @property
    def box(self) -> Box:
        vertex = self.angle.vertex
        return Box(vertex.x, vertex.y, vertex.x, vertex.y).with_margin(self.reach_px)


def _patch(ink: Ink, angle: Angle) -> _Patch:
    """Pixel (row j, column i) lies i along the first ray and j along the second."""
    size, flags = (2 * _MAX_SIDE_PX, 2 * _MAX_SIDE_PX), cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    first, second = (ray.angle for ray in angle.rays)
    across = [math.cos(first), math.cos(second), angle.vertex.x]
    matrix = np.array([across, [math.sin(first), math.sin(second), angle.vertex.y]])
    drawn, covered = (cv2.warpAffine(mask, matrix, size, flags=flags) for mask in (ink.drawn, ink.covered))
    return np.asarray(np.where(covered > 0, -1, drawn), dtype=np.int8)


def _stroke_shares(patch: _Patch) -> NDArray[np.float64]:
    """At (row, column), the share of a stroke down that column from the axis to that row that is drawn; 0 where too little is known."""
    near = np.stack([patch[:, :-2], patch[:, 1:-1], patch[:, 2:]])
    inked = (near == 1).any(axis=0)
    known = inked | (near >= 0).all(axis=0)
    inked[:2] = known[:2] = False
    drawn, seen = inked.cumsum(axis=0), known.cumsum(axis=0)
    length = np.arange(len(patch))[:, None] - 1
    shares = np.where(seen >= np.maximum(3, 0.4 * length), drawn / np.maximum(seen, 1), 0.0)
    return np.pad(shares, ((0, 0), (1, 1)))


def _is_square(patch: _Patch, across: int, down: int) -> bool:
    """Whether two drawn strokes of an `across` × `down` box end at its corner, as lines of the figure would not, and leave it empty."""
    for flat, column, end in ((patch, across, down), (patch.T, down, across)):
        further = flat[end + 3 : end + 3 + max(end // 2, 4), column - 1 : column + 2]
        if (further == 1).any(axis=1).mean() > 0.6:
            return False
    inside = patch[3 : down - 2, 3 : across - 2]
    known = inside[inside >= 0]
    return known.size == 0 or float(known.mean()) < 0.4


def _square_mark(ink: Ink, angle: Angle) -> MarkedAngle | None:
    """The square in an angle that is drawn most completely; of such the largest."""
    if abs(angle.width - math.pi / 2) > _SLACK_RAD:
        return None
    patch = _patch(ink, angle)
    down_shares, across_shares = _stroke_shares(patch), _stroke_shares(patch.T)
    best = (0.0, 0)
    for across in range(_MIN_SIDE_PX, _MAX_SIDE_PX):
        for down in range(max(_MIN_SIDE_PX, across - _UNEVEN_PX), min(_MAX_SIDE_PX, across + _UNEVEN_PX + 1)):
            drawn = float(min(down_shares[down, across], across_shares[across, down]))
            if drawn >= _COVERAGE and (drawn, max(across, down)) > best and _is_square(patch, across, down):
                best = drawn, max(across, down)
    return MarkedAngle(angle=angle, reach_px=best[1]) if best[0] > 0 else None


def right_angles(ink: Ink, angles: Sequence[Angle]) -> list[MarkedAngle]:
    """The angles that are marked with a square, also where the vertex was found a little beside the crossing of its lines.

    Vertices of an overlay are where someone placed them.
    """
    is_found = not ink.covered.any()
    marks = []
    for angle in angles:
        mark = _square_mark(ink, angle)
        if mark is None and is_found:
            mark = _square_mark(ink, _at_crossing(ink, angle))
        if mark is not None:
            marks.append(replace(mark, angle=angle))
    return marks


def _at_crossing(ink: Ink, angle: Angle) -> Angle:
    """The angle with its vertex where its sides cross as they are drawn."""
    one, other = (align_segment(ink.lines, LineSegment(a=angle.vertex, b=ray.points[-1])).line for ray in angle.rays)
    place = crossing(one, other, math.pi / 2 - _SLACK_RAD)
    if place is None:
        return angle
    first, second = (
        replace(ray, angle=math.atan2(dy, dx)) for ray, (dx, dy, _, _) in zip(angle.rays, (one, other), strict=True)
    )
    return Angle(vertex=replace(angle.vertex, x=place[0], y=place[1]), first=first, second=second)


_NEAREST_PX = 16  # nearer to the vertex its dot and the joint of the lines fill the angle
_FARTHEST_PX = 64
_CLEAR_PX = 4.0  # from a side to where only an arc can be
_SIDE_SHARE = 0.7  # of the way to the nearest point: an arc stands near its vertex, and a third side does not
_MIDDLE = (0.22, 0.78)  # of the angle; the sides have a width of their own
_DRAWN = 0.85
_LEAST_KNOWN = 0.6  # of the samples that no overlay hides
_WIDEST_PX = 6
_MOST_ARCS = 3
_UNEVEN_RAD = math.radians(20)  # by which equal angles may be drawn unequal


def arced_angles(ink: Ink, figure: LineFigure) -> list[MarkedAngle]:
    """The angles between neighbouring rays that have arcs in them."""
    return list(filter(None, (_arc_marks(ink, angle) for angle in angles_of(figure))))


def _arc_marks(ink: Ink, angle: Angle) -> MarkedAngle | None:
    start, width = angle.first.angle, angle.width
    shorter = min(angle.vertex.distance(ray.points[0]) for ray in angle.rays)
    clear = _CLEAR_PX / math.sin(min(_MIDDLE[0] * width, math.pi / 2))
    radii = np.arange(max(_NEAREST_PX, clear), min(_FARTHEST_PX, _SIDE_SHARE * shorter))
    if len(radii) < _WIDEST_PX:
        return None
    middle = np.linspace(start + _MIDDLE[0] * width, start + _MIDDLE[1] * width, 25)
    beyond = np.linspace(start + width + 0.2, start + 2 * math.pi - 0.2, 25)
    inside, outside = _ink_shares(ink, angle, radii, middle), _ink_shares(ink, angle, radii, beyond)
    # A circle around the vertex is drawn on the other side too.
    arcs = runs_of((inside >= _DRAWN) & (outside < _DRAWN))
    if not 1 <= len(arcs) <= _MOST_ARCS or any(end - first > _WIDEST_PX for first, end in arcs):
        return None
    return MarkedAngle(angle=angle, count=len(arcs), reach_px=int(radii[arcs[-1][1] - 1]))


def _ink_shares(ink: Ink, angle: Angle, radii: NDArray[np.float64], turns: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each radius, the share of the turns at which there is ink; what an overlay hides counts neither way."""
    away = radii[:, None]
    xs, ys = angle.vertex.x + away * np.cos(turns), angle.vertex.y + away * np.sin(turns)
    inked, known = pixels_at(ink.lines, xs, ys, outside=0) > 0, pixels_at(ink.covered, xs, ys, outside=0) == 0
    # An arc is seldom centred on the very pixel that its vertex was found at.
    thick = inked.copy()
    thick[1:] |= inked[:-1]
    thick[:-1] |= inked[1:]
    share = (thick & known).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
    return np.asarray(np.where(known.mean(axis=1) >= _LEAST_KNOWN, share, 0.0), dtype=np.float64)


def equal_angles(marks: Sequence[MarkedAngle]) -> list[tuple[MarkedAngle, MarkedAngle]]:
    """Pairs of angles with as many arcs, of different vertices or with different sides, that are drawn about as wide."""
    ordered = sorted(marks, key=lambda mark: (mark.count, mark.angle.vertex.name))
    return [
        (one, other)
        for one, other in combinations(ordered, 2)
        if one.count == other.count and abs(one.angle.width - other.angle.width) <= _UNEVEN_RAD
    ]


_REACH_PX = 26  # rows on each side of the line that are looked at
_MIN_TICK_PX = 3
_MAX_TICK_PX = 21


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedSegment:
    """A segment with `count` ticks or arrowheads on it."""

    segment: LineSegment
    count: int
    box: Box


@dataclass(frozen=True, slots=True, kw_only=True)
class _Blob:
    """A piece of ink on one side of the line: where along the line, how wide, how high, how many pixels."""

    along: float
    width: int
    height: int
    area: int
    foot: int  # rows between the line and the blob
    line_px: int  # how thick the line is


def _sides(ink: Ink, segment: LineSegment) -> tuple[list[_Blob], list[_Blob]]:
    """The pieces of ink on both sides of a line; none where it is short or not drawn through."""
    line = align_segment(ink.lines, segment)
    dx, dy = line.along
    matrix = np.array([[dx, -dy, line.a.x + _REACH_PX * dy], [dy, dx, line.a.y - _REACH_PX * dx]])
    size, flags = (max(int(line.length), 1), 2 * _REACH_PX + 1), cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    strip = np.asarray(cv2.warpAffine(ink.lines, matrix, size, flags=flags), dtype=np.uint8)
    filled = strip.mean(axis=1) > 0.55
    rows = [row for row in range(_REACH_PX - 5, _REACH_PX + 6) if filled[row]]  # that the line itself fills
    if not rows or strip.shape[1] < 16:
        return [], []
    first, last = min(rows), max(rows)
    above, below = np.ascontiguousarray(strip[: max(first - 1, 1)][::-1]), np.ascontiguousarray(strip[last + 2 :])
    return _blobs(above, last - first + 1), _blobs(below, last - first + 1)


def _blobs(side: NDArray[np.uint8], line_px: int) -> list[_Blob]:
    """The pieces on one side, whose first row touches the line."""
    count, _, stats, centres = cv2.connectedComponentsWithStats(side, connectivity=8)
    return [
        _Blob(along=float(centre[0]), width=width, height=height, area=area, foot=top, line_px=line_px)
        for (_, top, width, height, area), centre in zip(stats[1:count].tolist(), centres[1:count], strict=True)
        if top <= 2 and height >= 2
    ]


def _is_tick_half(blob: _Blob) -> bool:
    wing = blob.width >= 6 and blob.width >= 1.4 * blob.height  # of an open arrowhead, which leans back along the line
    widest = max(4.5, blob.line_px + 1.0)
    slender = blob.area <= widest * blob.height and blob.width <= max(widest + 0.5, blob.height + 2) and not wing
    return slender and _MIN_TICK_PX <= blob.height <= _MAX_TICK_PX


def _is_arrow_half(blob: _Blob) -> bool:
    """Half of a filled triangle, about half of its box filled, or one slanted wing of an open arrowhead."""
    filled = blob.area / (blob.width * blob.height)
    return 2 <= blob.height <= 14 and 5 <= blob.width <= 34 and blob.width >= blob.height and 0.26 <= filled <= 0.85


def _pairs(sides: tuple[Sequence[_Blob], Sequence[_Blob]], slack: float) -> list[float]:
    """Places where the mark shows on both sides of the line; each half belongs to one mark, the nearest."""
    above, below = sides
    apart = sorted(
        (abs(upper.along - lower.along), row, column)
        for row, upper in enumerate(above)
        for column, lower in enumerate(below)
        if abs(upper.along - lower.along) <= slack and 0.4 <= upper.height / lower.height <= 2.5
    )
    rows: set[int] = set()
    columns: set[int] = set()
    places = []
    for _, row, column in apart:
        if row not in rows and column not in columns:
            rows.add(row)
            columns.add(column)
            places.append((above[row].along + below[column].along) / 2)
    return places


def _marked_segment(segment: LineSegment, places: Sequence[float]) -> MarkedSegment | None:
    """The segment with marks at places along it, three at most, and a box around their middle."""
    if not 1 <= len(places) <= 3:
        return None
    dx, dy, x, y = segment.line
    share = sum(places) / len(places) / segment.length
    box = Box(x + share * dx, y + share * dy, x + share * dx, y + share * dy).with_margin(12)
    return MarkedSegment(segment=segment, count=len(places), box=box)


def _ticks(ink: Ink, segment: LineSegment) -> MarkedSegment | None:
    above, below = (list(filter(_is_tick_half, side)) for side in _sides(ink, segment))
    window = max(0.2 * segment.length, 14.0)
    places = sorted(place for place in _pairs((above, below), 8.0) if abs(place - segment.length / 2) <= window)
    return _marked_segment(segment, places) if places and places[-1] - places[0] <= 30 else None


def _arrows(ink: Ink, segment: LineSegment) -> MarkedSegment | None:
    above, below = (list(filter(_is_arrow_half, side)) for side in _sides(ink, segment))
    least, most = 0.12 * segment.length, 0.88 * segment.length
    return _marked_segment(segment, [place for place in _pairs((above, below), 5.0) if least < place < most])


def ticked_segments(ink: Ink, figure: LineFigure) -> list[MarkedSegment]:
    """The segments, of those with no named point inside, that carry ticks at their middle."""
    return list(filter(None, (_ticks(ink, segment) for segment in figure.segments if not segment.inner)))


def arrowed_segments(ink: Ink, figure: LineFigure) -> list[MarkedSegment]:
    """The lines, from end to end, that carry arrowheads."""
    return list(filter(None, (_arrows(ink, segment) for segment in figure.lines)))


def parallel_pairs(marks: Sequence[MarkedSegment]) -> list[tuple[MarkedSegment, MarkedSegment]]:
    """Pairs of segments that carry as many arrowheads and do run in nearly the same direction."""
    pairs = []
    for one, other in combinations(marks, 2):
        (ax, ay, _, _), (bx, by, _, _) = one.segment.line, other.segment.line
        most = math.sin(math.radians(6)) * one.segment.length * other.segment.length
        if one.count == other.count and abs(ax * by - ay * bx) <= most:
            pairs.append((one, other))
    return pairs


def same_count(marks: Sequence[MarkedSegment]) -> list[tuple[MarkedSegment, MarkedSegment]]:
    """Pairs of segments that carry as many marks."""
    ordered = sorted(marks, key=lambda mark: (mark.count, mark.segment.name))
    return [(one, other) for one, other in combinations(ordered, 2) if one.count == other.count]
