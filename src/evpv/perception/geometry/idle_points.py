"""Points that an overlay put on a plain line, where nothing meets it: an arrowhead, a corner of a right-angle square.

A program that marks points marks every bend that it finds. Such a point cuts a line in two that nobody speaks of as
two. Few points were most likely set by hand, and each of them is meant.
"""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np

from evpv.perception.geometry.figure import Figure
from evpv.perception.geometry.ink import Ink
from evpv.perception.geometry.overlay import NamedPoint

_FEW = 8  # points
_LINE_PX = 3.5  # to each side of its middle: the line itself
_START_PX = 12.0  # from a point to where a line that leaves it at a sharp angle is clear of the one it is on
_REACH_SHARE = 0.06  # of the picture's diagonal; marks are smaller than that
_REACH_PX = (24, 48)
_REACHED = 0.9
_NEARER_PX = 2.0  # by which another point must be nearer to a line for it to leave from there


def without_idle_points(figure: Figure, ink: Ink) -> Figure:
    """The figure but for points inside a line which the figure does not print and from which no other line leaves."""
    if len(figure.points) < _FEW:
        return figure
    kept = [point for point in figure.points if point.printed or not _is_idle(point, figure, ink)]
    if len(kept) == len(figure.points):
        return figure
    segments = [
        replace(segment, inner=tuple(point for point in segment.inner if point in kept))
        for segment in figure.segments
        if segment.a in kept and segment.b in kept
    ]
    return Figure(points=tuple(kept), segments=tuple(segments))


def _is_idle(point: NamedPoint, figure: Figure, ink: Ink) -> bool:
    through = [segment for segment in figure.segments if point in segment.inner]
    if not through:
        return False
    line = max(through, key=lambda segment: segment.length)
    along = math.atan2(line.b.y - line.a.y, line.b.x - line.a.x)
    reach = int(np.clip(_REACH_SHARE * math.hypot(*ink.lines.shape), *_REACH_PX))
    return _farthest_branch(ink, figure, point, along, reach) < _REACHED * reach


def _farthest_branch(ink: Ink, figure: Figure, point: NamedPoint, along: float, reach: int) -> float:
    """How far, up to `reach`, ink runs that starts at a point and is not on the line through it; 0 where there is none."""
    column, row = round(point.x), round(point.y)
    around = np.pad(ink.lines, reach)[row : row + 2 * reach + 1, column : column + 2 * reach + 1]
    down, right = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    if around.shape != down.shape:
        return 0.0
    away = np.hypot(right, down)
    off_line = (np.abs(down * math.cos(along) - right * math.sin(along)) > _LINE_PX) & (away <= reach)
    count, labelled = cv2.connectedComponents(np.asarray(around * off_line, dtype=np.uint8), connectivity=8)
    near = [other for other in figure.points if 0 < math.hypot(other.x - point.x, other.y - point.y) <= reach]
    farthest = 0.0
    for index in range(1, count):
        branch = labelled == index
        start = float(away[branch].min())
        nearer = any(
            float(np.hypot(right[branch] + point.x - other.x, down[branch] + point.y - other.y).min())
            < start - _NEARER_PX
            for other in near
        )
        if start <= _START_PX and not nearer:
            farthest = max(farthest, float(away[branch].max()))
    return farthest
