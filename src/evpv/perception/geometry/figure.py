"""The drawn figure: named points, which of them a straight line joins, the rays that leave each point and the angles between them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Box
from evpv.perception.geometry.ink import Ink, Mask
from evpv.perception.geometry.overlay import NamedPoint

_END_MARGIN_PX = 6.0  # a dot or a joint hides the line's end
_SOLID_COVERAGE = 0.9
_DASHED_COVERAGE = 0.4
_SHIFTS = np.array([(first, last) for first in np.linspace(-1, 1, 7) for last in np.linspace(-1, 1, 7)])
_MIN_SHIFT_PX = 4.0
_MAX_SHIFT_PX = 9.0
_SHIFT_SHARE = 0.011  # of the picture's diagonal
_SAME_DIRECTION_RAD = math.radians(5)


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
        return math.hypot(self.b.x - self.a.x, self.b.y - self.a.y)


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
        ends.sort(key=lambda end: math.hypot(end.x - vertex.x, end.y - vertex.y))
        groups: list[tuple[float, list[NamedPoint]]] = []
        for end in reversed(ends):  # the farthest point gives the direction most exactly
            angle = math.atan2(end.y - vertex.y, end.x - vertex.x)
            for known, members in groups:
                if abs(turn(known, angle)) <= _SAME_DIRECTION_RAD:
                    members.insert(0, end)
                    break
            else:
                groups.append((angle, [end]))
        return [Ray(angle=angle, points=tuple(members)) for angle, members in sorted(groups, key=lambda item: item[0])]

    @property
    def lines(self) -> list[LineSegment]:
        """The segments that are part of no longer one."""
        return [
            segment
            for segment in self.segments
            if not any(
                {segment.a, segment.b} <= {other.a, other.b, *other.inner}
                for other in self.segments
                if other != segment
            )
        ]

    def segments_at(self, vertex: NamedPoint) -> list[LineSegment]:
        return [segment for segment in self.segments if vertex in (segment.a, segment.b)]


def turn(start: float, end: float) -> float:
    """The signed angle from one direction to another, in (-π, π]."""
    return math.pi - (math.pi - (end - start)) % (2 * math.pi)


def _samples(ink: NDArray[np.uint8], a: NamedPoint, b: NamedPoint) -> NDArray[np.uint8]:
    """What lies on the way from a to b: one row per way, each shifted a little at its ends.

    A named point is seldom exactly on the corner it names.
    """
    length = math.hypot(b.x - a.x, b.y - a.y)
    margin = min(_END_MARGIN_PX, 0.25 * length)
    along = np.linspace(margin / length, 1 - margin / length, max(int(length - 2 * margin), 3))
    shift = _furthest_px(ink, length) * (_SHIFTS[:, :1] * (1 - along) + _SHIFTS[:, 1:] * along)
    across_x, across_y = (a.y - b.y) / length, (b.x - a.x) / length
    columns = np.clip(np.rint(a.x + along * (b.x - a.x) + shift * across_x), 0, ink.shape[1] - 1).astype(np.intp)
    rows = np.clip(np.rint(a.y + along * (b.y - a.y) + shift * across_y), 0, ink.shape[0] - 1).astype(np.intp)
    return np.asarray(ink[rows, columns], dtype=np.uint8)


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


def _longest_gap(values: NDArray[np.uint8]) -> int:
    longest = current = 0
    for value in values:
        current = 0 if value else current + 1
        longest = max(longest, current)
    return longest


def _is_drawn(known: NDArray[np.uint8]) -> bool:
    """Whether samples along a way show a solid or a dashed line."""
    if len(known) < 3:
        return False
    coverage = float(known.mean())
    if coverage >= _SOLID_COVERAGE:
        return True
    dashes = int((np.diff(known.astype(np.int8)) == 1).sum())
    return coverage >= _DASHED_COVERAGE and dashes >= 3 and _longest_gap(known) <= 12


def _is_joined(near_ink: NDArray[np.uint8], covered: NDArray[np.uint8], a: NamedPoint, b: NamedPoint) -> bool:
    """Whether a line is drawn from a to b; what the overlay hides counts neither way."""
    ways, hidden = _samples(near_ink, a, b), _samples(covered, a, b)
    inked = np.where(hidden > 0, 0, ways).sum(axis=1) / np.maximum((hidden == 0).sum(axis=1), 1)
    best = int(inked.argmax())
    return _is_drawn(ways[best][hidden[best] == 0])


def is_drawn_between(ink: Ink, a: NamedPoint, b: NamedPoint) -> bool:
    """Whether a line, solid or dashed, runs from one point to another."""
    return math.hypot(b.x - a.x, b.y - a.y) >= 8 and _is_joined(ink.near_lines, ink.covered, a, b)


_ASIDE_PX = 7  # from a side to a dimension line, at least
_BEYOND = 0.35  # of the way beyond its ends that may be drawn: an arrow may lead on a little
_LEAST_KNOWN = 0.35  # of a dimension line that no label hides


def drawn_aside(ink: Ink, segment: LineSegment, inside: Mask, hidden: Mask) -> LineSegment | None:
    """The dimension line of a segment: one drawn beside it, where nothing is `inside`, from end to end and not beyond.

    What a label hides counts neither way, unless it hides nearly all.
    """
    along = ((segment.b.x - segment.a.x) / segment.length, (segment.b.y - segment.a.y) / segment.length)
    for across in ((-along[1], along[0]), (along[1], -along[0])):
        x, y = ((one + other) / 2 for one, other in ((segment.a.x, segment.b.x), (segment.a.y, segment.b.y)))
        beside = Box(x + 6 * across[0], y + 6 * across[1], x + 6 * across[0], y + 6 * across[1])
        if not inside[beside.with_margin(1).within(inside.shape[1], inside.shape[0]).slices()].any():
            off = _dimension_offset(ink, segment, (along, across), hidden)
            if off is not None:
                a, b = (replace(p, x=p.x + off * across[0], y=p.y + off * across[1]) for p in (segment.a, segment.b))
                return replace(segment, a=a, b=b, inner=())
    return None


_Way = tuple[float, float]


def _dimension_offset(ink: Ink, segment: LineSegment, ways: tuple[_Way, _Way], hidden: Mask) -> float | None:
    """How far off across a segment the nearest line of its length is drawn."""
    along, across = ways
    steps = np.concatenate(
        [[-14, -11, -8], np.arange(3, max(segment.length - 2, 4), 2), segment.length + np.array([8, 11, 14])]
    )
    offs = np.arange(_ASIDE_PX, 1.4 * ink.max_glyph_px)[:, None]
    columns = np.rint(segment.a.x + steps * along[0] + offs * across[0]).astype(np.intp)
    rows = np.rint(segment.a.y + steps * along[1] + offs * across[1]).astype(np.intp)
    within = (rows >= 0) & (columns >= 0) & (rows < hidden.shape[0]) & (columns < hidden.shape[1])
    rows, columns = np.where(within, rows, 0), np.where(within, columns, 0)
    drawn, known = within & (ink.near_drawn[rows, columns] > 0), within & (hidden[rows, columns] == 0)
    middle, beyond = slice(3, -3), np.r_[0:3, -3:0]
    share = (drawn & known)[:, middle].sum(axis=1) / np.maximum(known[:, middle].sum(axis=1), 1)
    is_line = (share >= _SOLID_COVERAGE) & (known[:, middle].mean(axis=1) >= _LEAST_KNOWN)
    is_line &= drawn[:, beyond].mean(axis=1) <= _BEYOND
    return float(offs[int(is_line.argmax()), 0]) if is_line.any() else None


def _inner_points(a: NamedPoint, b: NamedPoint, points: Sequence[NamedPoint]) -> tuple[NamedPoint, ...]:
    length = math.hypot(b.x - a.x, b.y - a.y)
    inner = []
    for point in points:
        along = ((point.x - a.x) * (b.x - a.x) + (point.y - a.y) * (b.y - a.y)) / length
        across = abs((point.x - a.x) * (b.y - a.y) - (point.y - a.y) * (b.x - a.x)) / length
        if 4 < along < length - 4 and across <= max(6.0, 0.03 * length):
            inner.append((along, point))
    return tuple(point for _, point in sorted(inner, key=lambda item: item[0]))


def build_figure(ink: Ink, points: Sequence[NamedPoint]) -> LineFigure:
    """Join every two points between which a line is drawn."""
    segments = []
    for a, b in combinations(points, 2):
        if math.hypot(b.x - a.x, b.y - a.y) >= 8 and _is_joined(ink.near_drawn, ink.covered, a, b):
            segments.append(LineSegment(a=a, b=b, inner=_inner_points(a, b, points)))
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


def _spans(figure: LineFigure, vertex: NamedPoint, *, neighbours_only: bool) -> list[Angle]:
    rays = figure.rays(vertex)
    spans = []
    for place, first in enumerate(rays):
        others = [*rays[place + 1 :], *rays[:place]]
        for second in others[:1] if neighbours_only else others:
            angle = Angle(vertex=vertex, first=first, second=second)
            if math.radians(3) < angle.width < math.radians(178):
                spans.append(angle)
    return spans


def angles_of(figure: LineFigure) -> list[Angle]:
    """The angles below 180° between neighbouring rays at every vertex."""
    return [angle for vertex in figure.points for angle in _spans(figure, vertex, neighbours_only=True)]


def wide_angles_of(figure: LineFigure) -> list[Angle]:
    """The angles below 180° between any two rays at every vertex."""
    return [angle for vertex in figure.points for angle in _spans(figure, vertex, neighbours_only=False)]
