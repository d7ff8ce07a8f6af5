"""The drawing itself as a fact: where the named points lie, which of them a line joins, and the circles through or around them.

A figure shows more than its labels say: how wide an angle is drawn, how many times as long one side is as another, whether
three points make a triangle. Whoever asks measures it here; the drawing claims nothing of what is printed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Box
from evpv.perception.geometry.figure import LineFigure
from evpv.perception.geometry.ink import Ink, pixels_at
from evpv.perception.geometry.overlay import NamedPoint
from evpv.types import Structure

_CONFIDENCE = 0.85
_RIM_DRAWN = 0.8
_MOST_INK = 0.3  # of a picture; what is darker all over joins any two points
_LEAST_RADIUS = 0.12  # of the drawing's shorter side: what is smaller is a letter or a dot
_OFF_RIM = 0.03  # of the radius, and at least two pixels: how far off the rim its ink may lie
_MOST_POINTS = 10  # where there are more, circles through three of them are not looked for
_SAME_CIRCLE = 0.08  # of a radius
_Distances: TypeAlias = NDArray[np.float32]
_TURNS = np.radians(np.arange(0.0, 360.0, 2.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Circle:
    """A drawn circle: its centre, its radius, and how much of its rim is drawn."""

    x: float
    y: float
    radius: float
    drawn: float = 1.0

    def off_centre(self, point: NamedPoint) -> float:
        return math.hypot(point.x - self.x, point.y - self.y)


def drawing_fact(figure: LineFigure, ink: Ink) -> Structure | None:
    """The named points with their places, the lines with the points on them, and the circles; None where nothing is joined."""
    if not figure.segments or np.count_nonzero(ink.drawn) > _MOST_INK * ink.drawn.size:
        return None
    columns, rows = [point.x for point in figure.points], [point.y for point in figure.points]
    lines = ("-".join(point.name for point in (line.a, *line.inner, line.b)) for line in figure.lines)
    circles = drawn_circles(figure.points, ink)
    return Structure(
        type="drawing",
        parts=(),
        adjacency=tuple(lines),
        confidence=_CONFIDENCE,
        box=Box(min(columns) - 1, min(rows) - 1, max(columns) + 1, max(rows) + 1),
        extra={
            "points": {point.name: [round(point.x, 1), round(point.y, 1)] for point in figure.points},
            "circles": [[round(one.x, 1), round(one.y, 1), round(one.radius, 1)] for one in circles],
        },
    )


def drawn_circles(points: Sequence[NamedPoint], ink: Ink) -> list[Circle]:
    """The circles around a named point or through three of them whose rim is drawn, the best drawn first."""
    away = _distances(ink)
    found = [*filter(None, (_around(point, away) for point in points)), *_through(points, away)]
    kept: list[Circle] = []
    for circle in sorted(found, key=lambda one: -one.drawn):
        is_known = any(
            max(math.hypot(circle.x - one.x, circle.y - one.y), abs(circle.radius - one.radius))
            <= max(_SAME_CIRCLE * one.radius, 4.0)
            for one in kept
        )
        if not is_known:
            kept.append(circle)
    return kept


def circles_through(points: Sequence[NamedPoint], ink: Ink) -> list[Circle]:
    """The drawn circles through three of the points."""
    return list(_through(points, _distances(ink)))


def _distances(ink: Ink) -> _Distances:
    """How far every pixel is from ink."""
    return np.asarray(cv2.distanceTransform((ink.drawn == 0).astype(np.uint8), cv2.DIST_L2, 3), np.float32)


def _around(point: NamedPoint, away: _Distances) -> Circle | None:
    """The best drawn circle around a point."""
    size = max(away.shape)
    radii = np.arange(_least_radius(away), 0.6 * size, max(1.0, size / 300))
    drawn = _rims(away, (point.x, point.y), radii)
    best = int(drawn.argmax()) if len(radii) else -1
    if best < 0 or drawn[best] < _RIM_DRAWN:
        return None
    return Circle(x=point.x, y=point.y, radius=float(radii[best]), drawn=float(drawn[best]))


def _through(points: Sequence[NamedPoint], away: _Distances) -> Iterator[Circle]:
    """The drawn ones of the circles through three points."""
    for a, b, c in combinations(points, 3) if len(points) <= _MOST_POINTS else ():
        twice = 2 * (a.x * (b.y - c.y) + b.x * (c.y - a.y) + c.x * (a.y - b.y))
        if abs(twice) < 1e-6:
            continue
        squares = [point.x**2 + point.y**2 for point in (a, b, c)]
        x = (squares[0] * (b.y - c.y) + squares[1] * (c.y - a.y) + squares[2] * (a.y - b.y)) / twice
        y = (squares[0] * (c.x - b.x) + squares[1] * (a.x - c.x) + squares[2] * (b.x - a.x)) / twice
        radius = math.hypot(x - a.x, y - a.y)
        if _least_radius(away) <= radius <= max(away.shape):
            drawn = float(_rims(away, (x, y), np.array([radius]))[0])
            if drawn >= _RIM_DRAWN:
                yield Circle(x=x, y=y, radius=radius, drawn=drawn)


def _least_radius(away: _Distances) -> float:
    return float(_LEAST_RADIUS * min(away.shape))


def _rims(away: _Distances, centre: tuple[float, float], radii: NDArray[np.float64]) -> NDArray[np.float64]:
    """The share of the rim that is drawn, for each radius; what lies outside the picture is not."""
    around = radii[:, None]
    xs, ys = centre[0] + np.cos(_TURNS) * around, centre[1] + np.sin(_TURNS) * around
    is_near = pixels_at(away, xs, ys, outside=math.inf) <= np.maximum(_OFF_RIM * around, 2.0)
    return np.asarray(is_near.mean(axis=1), np.float64)
