"""Right-angle squares: two short strokes that close a small square at a vertex."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.geometry.angles import Angle
from evpv.perception.geometry.ink import Ink
from evpv.types import Box

_MIN_SIDE_PX = 6
_MAX_SIDE_PX = 34
_UNEVEN_PX = 3  # how far a hand-placed vertex may make the square look uneven
_SLACK_RAD = math.radians(14)
_COVERAGE = 0.85

Patch = NDArray[np.int8]
"""The surroundings of a vertex, its two rays laid along the axes: 1 ink, 0 ground, -1 unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RightAngle:
    """An angle marked with a square, the square's side, and how completely its strokes are drawn."""

    angle: Angle
    side_px: int
    completeness: float

    @property
    def box(self) -> Box:
        x, y, side = self.angle.vertex.x, self.angle.vertex.y, float(self.side_px)
        return (x - side, y - side, x + side, y + side)


def _patch(ink: Ink, angle: Angle) -> Patch:
    """Pixel (row j, column i) lies i along the first ray and j along the second."""
    size = 2 * _MAX_SIDE_PX
    first = (math.cos(angle.first.angle), math.sin(angle.first.angle))
    second = (math.cos(angle.second.angle), math.sin(angle.second.angle))
    matrix = np.array([[first[0], second[0], angle.vertex.x], [first[1], second[1], angle.vertex.y]])
    flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    drawn = cv2.warpAffine(ink.drawn, matrix, (size, size), flags=flags)
    covered = cv2.warpAffine(ink.covered, matrix, (size, size), flags=flags)
    return np.asarray(np.where(covered > 0, -1, drawn), dtype=np.int8)


def _stroke(patch: Patch, column: int, end: int) -> float:
    """The share of a stroke down `column` from the axis to row `end` that is drawn; 0 where too little is known."""
    band = patch[2 : end + 1, column - 1 : column + 2]
    inked = (band == 1).any(axis=1)
    known = inked | (band >= 0).all(axis=1)
    if known.sum() < max(3, 0.4 * len(known)):
        return 0.0
    return float(inked[known].mean())


def _runs_on(patch: Patch, column: int, end: int) -> bool:
    """Whether the stroke goes on beyond the corner, as a line of the figure would."""
    further = patch[end + 3 : end + 3 + max(end // 2, 4), column - 1 : column + 2]
    return bool((further == 1).any(axis=1).mean() > 0.6)


def _inside_is_empty(patch: Patch, across: int, down: int) -> bool:
    inside = patch[3 : down - 2, 3 : across - 2]
    known = inside[inside >= 0]
    return known.size == 0 or float(known.mean()) < 0.4


def _completeness(patch: Patch, across: int, down: int) -> float:
    """The weaker of the two strokes of an `across` × `down` box, or 0 where it is no square mark."""
    turned = patch.T
    strokes = min(_stroke(patch, across, down), _stroke(turned, down, across))
    if strokes < _COVERAGE or _runs_on(patch, across, down) or _runs_on(turned, down, across):
        return 0.0
    return strokes if _inside_is_empty(patch, across, down) else 0.0


def _marked(ink: Ink, angle: Angle) -> RightAngle | None:
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
    found = (_marked(ink, angle) for angle in angles)
    return [mark for mark in found if mark is not None]
