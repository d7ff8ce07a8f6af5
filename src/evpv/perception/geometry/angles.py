"""The angles of a figure: pairs of rays that leave one vertex."""

from __future__ import annotations

import math
from dataclasses import dataclass

from evpv.perception.geometry.figure import Figure, Ray
from evpv.perception.geometry.overlay import NamedPoint


@dataclass(frozen=True, slots=True, kw_only=True)
class Angle:
    """The space between two neighbouring rays of a vertex, counter-clockwise on the screen from `first`."""

    vertex: NamedPoint
    first: Ray
    second: Ray

    @property
    def width(self) -> float:
        return (self.second.angle - self.first.angle) % (2 * math.pi)


def _spans(figure: Figure, vertex: NamedPoint, *, neighbours_only: bool) -> list[Angle]:
    rays = figure.rays(vertex)
    spans = []
    for place, first in enumerate(rays):
        others = [*rays[place + 1 :], *rays[:place]]
        for second in others[:1] if neighbours_only else others:
            angle = Angle(vertex=vertex, first=first, second=second)
            if math.radians(3) < angle.width < math.radians(178):
                spans.append(angle)
    return spans


def angles_of(figure: Figure) -> list[Angle]:
    """The angles below 180° between neighbouring rays at every vertex."""
    return [angle for vertex in figure.points for angle in _spans(figure, vertex, neighbours_only=True)]


def wide_angles_of(figure: Figure) -> list[Angle]:
    """The angles below 180° between any two rays at every vertex."""
    return [angle for vertex in figure.points for angle in _spans(figure, vertex, neighbours_only=False)]
