"""Arcs drawn into angles: angles with as many arcs are marked as equal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evpv.perception.geometry.angles import Angle, angles_of
from evpv.perception.geometry.figure import Figure
from evpv.perception.geometry.ink import Ink
from evpv.types import Box

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
        x, y, radius = self.angle.vertex.x, self.angle.vertex.y, float(self.radius_px)
        return (x - radius, y - radius, x + radius, y + radius)


def arced_angles(ink: Ink, figure: Figure) -> list[ArcedAngle]:
    """The angles between neighbouring rays that have arcs in them."""
    found = (_arced(ink, angle) for angle in angles_of(figure))
    return [mark for mark in found if mark is not None]


def _arced(ink: Ink, angle: Angle) -> ArcedAngle | None:
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
    inside, outside = _drawn(ink, angle, radii, middle), _drawn(ink, angle, radii, beyond)
    # A circle around the vertex is drawn on the other side too.
    arcs = _runs((inside >= _DRAWN) & (outside < _DRAWN))
    if not 1 <= len(arcs) <= _MOST_ARCS or any(last - first >= _WIDEST_PX for first, last in arcs):
        return None
    return ArcedAngle(angle=angle, count=len(arcs), radius_px=int(radii[arcs[-1][1]]))


def _drawn(ink: Ink, angle: Angle, radii: NDArray[np.float64], turns: NDArray[np.float64]) -> NDArray[np.float64]:
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
