"""Marks in an angle: right-angle squares, and arcs (angles with as many arcs are marked as equal)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Box
from evpv.perception.geometry.figure import Angle, Figure, angles_of
from evpv.perception.geometry.ink import Ink

_MIN_SIDE_PX = 6
_MAX_SIDE_PX = 34
_UNEVEN_PX = 3  # how far a hand-placed vertex may make the square look uneven
_SLACK_RAD = math.radians(14)
_COVERAGE = 0.85

_Patch = NDArray[np.int8]
"""The surroundings of a vertex, its two rays laid along the axes: 1 ink, 0 ground, -1 unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RightAngle:
    """An angle marked with a square, the square's side, and how completely its strokes are drawn."""

    angle: Angle
    side_px: int
    completeness: float

    @property
    def box(self) -> Box:
        vertex = self.angle.vertex
        return Box(vertex.x, vertex.y, vertex.x, vertex.y).grown(self.side_px)


def _patch(ink: Ink, angle: Angle) -> _Patch:
    """Pixel (row j, column i) lies i along the first ray and j along the second."""
    size = 2 * _MAX_SIDE_PX
    first = (math.cos(angle.first.angle), math.sin(angle.first.angle))
    second = (math.cos(angle.second.angle), math.sin(angle.second.angle))
    matrix = np.array([[first[0], second[0], angle.vertex.x], [first[1], second[1], angle.vertex.y]])
    flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    drawn = cv2.warpAffine(ink.drawn, matrix, (size, size), flags=flags)
    covered = cv2.warpAffine(ink.covered, matrix, (size, size), flags=flags)
    return np.asarray(np.where(covered > 0, -1, drawn), dtype=np.int8)


def _stroke(patch: _Patch, column: int, end: int) -> float:
    """The share of a stroke down `column` from the axis to row `end` that is drawn; 0 where too little is known."""
    band = patch[2 : end + 1, column - 1 : column + 2]
    inked = (band == 1).any(axis=1)
    known = inked | (band >= 0).all(axis=1)
    if known.sum() < max(3, 0.4 * len(known)):
        return 0.0
    return float(inked[known].mean())


def _runs_on(patch: _Patch, column: int, end: int) -> bool:
    """Whether the stroke goes on beyond the corner, as a line of the figure would."""
    further = patch[end + 3 : end + 3 + max(end // 2, 4), column - 1 : column + 2]
    return bool((further == 1).any(axis=1).mean() > 0.6)


def _inside_is_empty(patch: _Patch, across: int, down: int) -> bool:
    inside = patch[3 : down - 2, 3 : across - 2]
    known = inside[inside >= 0]
    return known.size == 0 or float(known.mean()) < 0.4


def _completeness(patch: _Patch, across: int, down: int) -> float:
    """The weaker of the two strokes of an `across` × `down` box, or 0 where it is no square mark."""
    turned = patch.T
    strokes = min(_stroke(patch, across, down), _stroke(turned, down, across))
    if strokes < _COVERAGE or _runs_on(patch, across, down) or _runs_on(turned, down, across):
        return 0.0
    return strokes if _inside_is_empty(patch, across, down) else 0.0


def _square_mark(ink: Ink, angle: Angle) -> RightAngle | None:
    if abs(angle.width - math.pi / 2) > _SLACK_RAD:
        return None
    patch = _patch(ink, angle)
    best = (0.0, 0)
    for across in range(_MIN_SIDE_PX, _MAX_SIDE_PX):
        for down in range(max(_MIN_SIDE_PX, across - _UNEVEN_PX), min(_MAX_SIDE_PX, across + _UNEVEN_PX + 1)):
            best = max(best, (_completeness(patch, across, down), max(across, down)))
    return RightAngle(angle=angle, side_px=best[1], completeness=best[0]) if best[0] > 0 else None


def right_angles(ink: Ink, angles: Sequence[Angle]) -> list[RightAngle]:
    """The angles that are marked with a square."""
    found = (_square_mark(ink, angle) for angle in angles)
    return [mark for mark in found if mark is not None]


_NEAREST_PX = 16  # nearer to the vertex its dot and the joint of the lines fill the angle
_FARTHEST_PX = 64
_CLEAR_PX = 4.0  # from a side to where only an arc can be
_SIDE_SHARE = 0.7  # of the way to the nearest point: an arc stands near its vertex, and a third side does not
_MIDDLE = (0.22, 0.78)  # of the angle; the sides have a width of their own
_DRAWN = 0.85
_LEAST_KNOWN = 0.6  # of the samples that no overlay hides
_WIDEST_PX = 6
_MOST_ARCS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ArcedAngle:
    """An angle with `count` arcs in it, the outermost `radius_px` away from the vertex."""

    angle: Angle
    count: int
    radius_px: int

    @property
    def box(self) -> Box:
        vertex = self.angle.vertex
        return Box(vertex.x, vertex.y, vertex.x, vertex.y).grown(self.radius_px)


def arced_angles(ink: Ink, figure: Figure) -> list[ArcedAngle]:
    """The angles between neighbouring rays that have arcs in them."""
    found = (_arc_marks(ink, angle) for angle in angles_of(figure))
    return [mark for mark in found if mark is not None]


def _arc_marks(ink: Ink, angle: Angle) -> ArcedAngle | None:
    start, end = angle.first.angle, angle.first.angle + angle.width
    shorter = min(
        math.hypot(ray.points[0].x - angle.vertex.x, ray.points[0].y - angle.vertex.y)
        for ray in (angle.first, angle.second)
    )
    clear = _CLEAR_PX / math.sin(min(_MIDDLE[0] * angle.width, math.pi / 2))
    radii = np.arange(max(_NEAREST_PX, clear), min(_FARTHEST_PX, _SIDE_SHARE * shorter))
    if len(radii) < _WIDEST_PX:
        return None
    middle = np.linspace(start + _MIDDLE[0] * angle.width, start + _MIDDLE[1] * angle.width, 25)
    beyond = np.linspace(end + 0.2, start + 2 * math.pi - 0.2, 25)
    inside, outside = _ink_shares(ink, angle, radii, middle), _ink_shares(ink, angle, radii, beyond)
    # A circle around the vertex is drawn on the other side too.
    arcs = _runs((inside >= _DRAWN) & (outside < _DRAWN))
    if not 1 <= len(arcs) <= _MOST_ARCS or any(last - first >= _WIDEST_PX for first, last in arcs):
        return None
    return ArcedAngle(angle=angle, count=len(arcs), radius_px=int(radii[arcs[-1][1]]))


def _ink_shares(ink: Ink, angle: Angle, radii: NDArray[np.float64], turns: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each radius, the share of the turns at which there is ink; what an overlay hides counts neither way."""
    away = radii[:, None]
    columns = np.rint(angle.vertex.x + away * np.cos(turns)).astype(np.intp)
    rows = np.rint(angle.vertex.y + away * np.sin(turns)).astype(np.intp)
    within = (columns >= 0) & (rows >= 0) & (columns < ink.drawn.shape[1]) & (rows < ink.drawn.shape[0])
    columns, rows = np.where(within, columns, 0), np.where(within, rows, 0)
    inked = within & (ink.lines[rows, columns] > 0)
    known = ~(within & (ink.covered[rows, columns] > 0))
    # An arc is seldom centred on the very pixel that its vertex was found at.
    thick = inked.copy()
    thick[1:] |= inked[:-1]
    thick[:-1] |= inked[1:]
    share = (thick & known).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
    return np.asarray(np.where(known.mean(axis=1) >= _LEAST_KNOWN, share, 0.0), dtype=np.float64)


def _runs(flags: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """First and last place of each stretch of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], flags, [False])).astype(np.int8)))
    return [(int(first), int(last) - 1) for first, last in zip(edges[::2], edges[1::2], strict=True)]


def equal_angles(marks: Sequence[ArcedAngle]) -> list[tuple[ArcedAngle, ArcedAngle]]:
    """Pairs of angles with as many arcs, of different vertices or with different sides."""
    ordered = sorted(marks, key=lambda mark: (mark.count, mark.angle.vertex.name))
    return [
        (one, other) for place, one in enumerate(ordered) for other in ordered[place + 1 :] if one.count == other.count
    ]
