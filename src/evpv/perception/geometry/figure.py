"""The drawn figure: named points, which of them a straight line joins, the rays that leave each point and the angles between them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Box, runs_of
from evpv.perception.geometry.ink import Ink, Mask, pixels_at
from evpv.perception.geometry.overlay import NamedPoint

_END_MARGIN_PX = 6.0  # a dot or a joint hides the line's end
_SOLID_COVERAGE = 0.9
_DASHED_COVERAGE = 0.4
_SHIFTS = np.array([(first, last) for first in np.linspace(-1, 1, 7) for last in np.linspace(-1, 1, 7)])
_MIN_SHIFT_PX = 4.0
_MAX_SHIFT_PX = 9.0
_SHIFT_SHARE = 0.011  # of the picture's diagonal
_SAME_DIRECTION_RAD = math.radians(5)


Line = tuple[float, float, float, float]
"""Its direction, dx and dy, and a point of it, x and y."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineSegment:
    """Two points joined by a straight line; `inner` are the points that lie between them."""

    a: NamedPoint
    b: NamedPoint
    inner: tuple[NamedPoint, ...] = ()

    @property
    def name(self) -> str:
        return self.a.name + self.b.name

    @property
    def length(self) -> float:
        return self.a.distance(self.b)

    @property
    def along(self) -> tuple[float, float]:
        """Its direction, as a step of one pixel."""
        length = self.length
        return (self.b.x - self.a.x) / length, (self.b.y - self.a.y) / length

    @property
    def line(self) -> Line:
        return self.b.x - self.a.x, self.b.y - self.a.y, self.a.x, self.a.y


@dataclass(frozen=True, slots=True, kw_only=True)
class Ray:
    """A direction in which a line leaves a point, and the points on it, nearest first."""

    angle: float
    points: tuple[NamedPoint, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LineFigure:
    """All that the later readers need to know about the lines."""

    points: tuple[NamedPoint, ...]
    segments: tuple[LineSegment, ...]

    def rays(self, vertex: NamedPoint) -> list[Ray]:
        """The rays that leave a vertex, by direction; points in the same direction share a ray."""
        ends = [(segment.b if segment.a == vertex else segment.a) for segment in self.segments_at(vertex)]
        ends.sort(key=vertex.distance)
        groups: list[tuple[float, list[NamedPoint]]] = []
        for end in reversed(ends):  # the farthest point gives the direction most exactly
            angle = math.atan2(end.y - vertex.y, end.x - vertex.x)
            same = next((members for known, members in groups if abs(turn(known, angle)) <= _SAME_DIRECTION_RAD), None)
            if same is None:
                groups.append((angle, [end]))
            else:
                same.insert(0, end)
        return [Ray(angle=angle, points=tuple(members)) for angle, members in sorted(groups, key=lambda item: item[0])]

    @property
    def lines(self) -> list[LineSegment]:
        """The segments that are part of no longer one."""

        def is_part(one: LineSegment, other: LineSegment) -> bool:
            return one != other and {one.a, one.b} <= {other.a, other.b, *other.inner}

        return [one for one in self.segments if not any(is_part(one, other) for other in self.segments)]

    def segments_at(self, vertex: NamedPoint) -> list[LineSegment]:
        return [segment for segment in self.segments if vertex in (segment.a, segment.b)]


def turn(start: float, end: float) -> float:
    """The signed angle from one direction to another, in (-π, π]."""
    return math.pi - (math.pi - (end - start)) % (2 * math.pi)


def fitted_line(places: NDArray[np.float32] | NDArray[np.int32]) -> Line:
    """The line along places, those far off it counting little."""
    dx, dy, x, y = cv2.fitLine(places, cv2.DIST_HUBER, 0, 0.01, 0.01).reshape(-1).tolist()
    return dx, dy, x, y


def crossing(one: Line, other: Line, least_rad: float) -> tuple[float, float] | None:
    """Where two lines cross; None where the angle between them is smaller than that."""
    (ax, ay, x, y), (bx, by, u, v) = one, other
    cross = ax * by - ay * bx
    if abs(cross) < math.sin(least_rad) * math.hypot(ax, ay) * math.hypot(bx, by):
        return None
    share = ((u - x) * by - (v - y) * bx) / cross
    return x + share * ax, y + share * ay


def _samples(ink: NDArray[np.uint8], a: NamedPoint, b: NamedPoint) -> NDArray[np.uint8]:
    """What lies on the way from a to b: one row per way, each shifted a little at its ends.

    A named point is seldom exactly on the corner it names.
    """
    length = a.distance(b)
    margin = min(_END_MARGIN_PX, 0.25 * length)
    along = np.linspace(margin / length, 1 - margin / length, max(int(length - 2 * margin), 3))
    shift = _furthest_px(ink, length) * (_SHIFTS[:, :1] * (1 - along) + _SHIFTS[:, 1:] * along)
    across_x, across_y = (a.y - b.y) / length, (b.x - a.x) / length
    return pixels_at(ink, a.x + along * (b.x - a.x) + shift * across_x, a.y + along * (b.y - a.y) + shift * across_y)


def align_segment(ink: NDArray[np.uint8], segment: LineSegment) -> LineSegment:
    """The segment with its ends moved a little across, to where most of the way between them is drawn."""
    a, b = segment.a, segment.b
    inked = _samples(ink, a, b).mean(axis=1)
    best = int(np.argmax(inked - 0.001 * np.abs(_SHIFTS).sum(axis=1)))
    across_x, across_y = (a.y - b.y) / segment.length, (b.x - a.x) / segment.length
    first, last = (_furthest_px(ink, segment.length) * float(shift) for shift in _SHIFTS[best])
    return replace(
        segment,
        a=replace(a, x=a.x + first * across_x, y=a.y + first * across_y),
        b=replace(b, x=b.x + last * across_x, y=b.y + last * across_y),
    )


def _furthest_px(ink: NDArray[np.uint8], length: float) -> float:
    return min(max(_SHIFT_SHARE * math.hypot(*ink.shape), _MIN_SHIFT_PX), _MAX_SHIFT_PX, 0.12 * length)


def is_drawn_between(ink: Ink, a: NamedPoint, b: NamedPoint) -> bool:
    """Whether a line, solid or dashed, runs from one point to another."""
    return _is_joined(ink.near_lines, ink.covered, a, b)


def _is_joined(near_ink: NDArray[np.uint8], covered: NDArray[np.uint8], a: NamedPoint, b: NamedPoint) -> bool:
    """Whether the best of the ways from a to b is drawn, solid or dashed; what the overlay hides counts neither way."""
    if a.distance(b) < 8:
        return False
    ways, hidden = _samples(near_ink, a, b), _samples(covered, a, b)
    inked = np.where(hidden > 0, 0, ways).sum(axis=1) / np.maximum((hidden == 0).sum(axis=1), 1)
    best = int(inked.argmax())
    known = ways[best][hidden[best] == 0]
    coverage = float(known.mean()) if len(known) >= 3 else 0.0
    if coverage < _DASHED_COVERAGE or coverage >= _SOLID_COVERAGE:
        return coverage >= _SOLID_COVERAGE
    dashes = int((np.diff(known.astype(np.int8)) == 1).sum())
    return dashes >= 3 and max((end - start for start, end in runs_of(known == 0)), default=0) <= 12


_ASIDE_PX = 7  # from a side to a dimension line, at least
_BEYOND = 0.35  # of the way beyond its ends that may be drawn: an arrow may lead on a little
_LEAST_KNOWN = 0.35  # of a dimension line that no label hides


def drawn_aside(ink: Ink, segment: LineSegment, inside: Mask, hidden: Mask) -> LineSegment | None:
    """The dimension line of a segment: one drawn beside it, where nothing is `inside`, from end to end and not beyond.

    What a label hides counts neither way, unless it hides nearly all.
    """
    a, b, along = segment.a, segment.b, segment.along
    for dx, dy in ((-along[1], along[0]), (along[1], -along[0])):
        x, y = (a.x + b.x) / 2 + 6 * dx, (a.y + b.y) / 2 + 6 * dy
        if not inside[Box(x, y, x, y).with_margin(1).within(inside.shape[1], inside.shape[0]).slices()].any():
            off = _dimension_offset(ink, segment, (dx, dy), hidden)
            if off is not None:
                a, b = (replace(end, x=end.x + off * dx, y=end.y + off * dy) for end in (a, b))
                return replace(segment, a=a, b=b, inner=())
    return None


def _dimension_offset(ink: Ink, segment: LineSegment, across: tuple[float, float], hidden: Mask) -> float | None:
    """How far off across a segment the nearest line of its length is drawn."""
    on_way, beyond = np.arange(3, max(segment.length - 2, 4), 2), np.array([8, 11, 14])
    steps = np.concatenate([-beyond[::-1], on_way, segment.length + beyond])
    offs = np.arange(_ASIDE_PX, 1.4 * ink.max_glyph_px)[:, None]
    xs = segment.a.x + steps * segment.along[0] + offs * across[0]
    ys = segment.a.y + steps * segment.along[1] + offs * across[1]
    drawn, known = pixels_at(ink.near_drawn, xs, ys, outside=0) > 0, pixels_at(hidden, xs, ys, outside=1) == 0
    middle, ends = slice(3, -3), np.r_[0:3, -3:0]
    share = (drawn & known)[:, middle].sum(axis=1) / np.maximum(known[:, middle].sum(axis=1), 1)
    is_line = (share >= _SOLID_COVERAGE) & (known[:, middle].mean(axis=1) >= _LEAST_KNOWN)
    is_line &= drawn[:, ends].mean(axis=1) <= _BEYOND
    return float(offs[int(is_line.argmax()), 0]) if is_line.any() else None


def build_figure(ink: Ink, points: Sequence[NamedPoint]) -> LineFigure:
    """Join every two points between which a line is drawn; the others on its way, or a little beside it, lie inside it."""
    segments = []
    for a, b in combinations(points, 2):
        if not _is_joined(ink.near_drawn, ink.covered, a, b):
            continue
        line = LineSegment(a=a, b=b)
        (dx, dy), length = line.along, line.length
        along = {point: (point.x - a.x) * dx + (point.y - a.y) * dy for point in points}
        across = {point: abs((point.x - a.x) * dy - (point.y - a.y) * dx) for point in points}
        inner = [
            point
            for point in sorted(points, key=along.__getitem__)
            if 4 < along[point] < length - 4 and across[point] <= max(6.0, 0.03 * length)
        ]
        segments.append(replace(line, inner=tuple(inner)))
    return LineFigure(points=tuple(points), segments=tuple(segments))


@dataclass(frozen=True, slots=True, kw_only=True)
class Angle:
    """The space between two neighbouring rays of a vertex, counter-clockwise on the screen from `first`."""

    vertex: NamedPoint
    first: Ray
    second: Ray

    @property
    def rays(self) -> tuple[Ray, Ray]:
        return self.first, self.second

    @property
    def width(self) -> float:
        return (self.second.angle - self.first.angle) % (2 * math.pi)


def angles_of(figure: LineFigure) -> list[Angle]:
    """The angles below 180° between neighbouring rays at every vertex."""
    return _angles(figure, 1)


def wide_angles_of(figure: LineFigure) -> list[Angle]:
    """The angles below 180° between any two rays at every vertex."""
    return _angles(figure, None)


def _angles(figure: LineFigure, most: int | None) -> list[Angle]:
    """The angles from each ray of a vertex to so many of those that follow around it."""
    angles = []
    for vertex in figure.points:
        rays = figure.rays(vertex)
        for place, first in enumerate(rays):
            for second in (rays[place + 1 :] + rays[:place])[:most]:
                angle = Angle(vertex=vertex, first=first, second=second)
                if math.radians(3) < angle.width < math.radians(178):
                    angles.append(angle)
    return angles
