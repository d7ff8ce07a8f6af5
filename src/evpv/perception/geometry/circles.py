"""A circle whose radius or diameter is drawn and labelled, but whose rim has no named point."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from evpv.perception.geometry.ink import Ink
from evpv.perception.geometry.labels import Label
from evpv.types import Constraint, Numeric

_LEAST_RADIUS_PX = 30
_RIM_DRAWN = 0.9
_RAY_DRAWN = 0.9
_OPPOSITE_DEG = 8
_DOT = 0.35  # letter heights from the centre: what is nearer is the dot that marks it


@dataclass(frozen=True, slots=True, kw_only=True)
class Circle:
    """A drawn circle."""

    x: float
    y: float
    radius: float


def circle_facts(ink: Ink, labels: Sequence[Label]) -> list[Constraint]:
    """The labelled radius or diameter of the one circle of a figure, named by the letter at its centre.

    More than one line from the centre, or more than one length, would leave open which belongs to which: nothing then.
    """
    lengths = [label for label in labels if label.kind == "number" and not label.degrees]
    circle = find_circle(ink) if len(lengths) == 1 else None
    if circle is None or not _is_in(circle, lengths[0]):
        return []
    attribute, name = _drawn_line(circle_rays(ink, circle)), _centre_name(circle, labels)
    if attribute is None or name is None:
        return []
    (length,) = lengths
    return [
        Numeric(
            entity=f"circle {name}",
            attribute=attribute,
            value=length.value or 0.0,
            unit=length.unit,
            confidence=0.85,
            box=length.box,
        )
    ]


def _drawn_line(rays: Sequence[float]) -> str | None:
    """What the lines from the centre are: one a radius, two opposite ones a diameter."""
    match rays:
        case [_]:
            return "radius"
        case [one, other] if abs(abs(one - other) - 180) <= _OPPOSITE_DEG:
            return "diameter"
    return None


def _centre_name(circle: Circle, labels: Sequence[Label]) -> str | None:
    """The letter nearest to the centre, if it is near and no dot."""
    away = {label: _off_centre(circle, label) for label in labels if label.kind == "name"}
    near = [label for label, distance in away.items() if _DOT <= distance <= 2.5]
    return min(near, key=away.__getitem__).text if near else None


def find_circle(ink: Ink) -> Circle | None:
    """The circle that bounds the largest connected shape of the drawing, if one does."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink.lines, connectivity=8)
    for left, top, width, height, _ in sorted(stats[1:].tolist(), key=lambda item: -item[2] * item[3])[:3]:
        radius = (width + height) / 4 - 1
        circle = Circle(x=left + width / 2 - 0.5, y=top + height / 2 - 0.5, radius=radius)
        if radius >= _LEAST_RADIUS_PX and abs(width - height) <= 0.04 * width and _rim(ink, circle) >= _RIM_DRAWN:
            return circle
    return None


def _rim(ink: Ink, circle: Circle) -> float:
    near = cv2.dilate(ink.lines, np.ones((5, 5), dtype=np.uint8))
    turns = np.radians(np.arange(360.0))
    columns = np.clip(np.rint(circle.x + np.cos(turns) * circle.radius), 0, near.shape[1] - 1).astype(np.intp)
    rows = np.clip(np.rint(circle.y + np.sin(turns) * circle.radius), 0, near.shape[0] - 1).astype(np.intp)
    return float(near[rows, columns].mean())


def circle_rays(ink: Ink, circle: Circle) -> list[float]:
    """The directions in degrees in which a line runs from the centre to the rim."""
    near = cv2.dilate(ink.lines, np.ones((3, 3), dtype=np.uint8))
    reach = np.arange(0.12 * circle.radius, 0.95 * circle.radius)
    turns = np.radians(np.arange(360.0))[:, None]
    columns = np.rint(circle.x + np.cos(turns) * reach).astype(np.intp)
    rows = np.rint(circle.y + np.sin(turns) * reach).astype(np.intp)
    drawn = near[rows, columns].mean(axis=1)
    found: list[float] = []
    for degree in np.argsort(-drawn, kind="stable").tolist():
        if drawn[degree] < _RAY_DRAWN:
            break
        if all(min(abs(degree - other), 360 - abs(degree - other)) > _OPPOSITE_DEG for other in found):
            found.append(float(degree))
    return found


def _is_in(circle: Circle, label: Label) -> bool:
    x, y = label.centre
    return math.hypot(x - circle.x, y - circle.y) < circle.radius


def _off_centre(circle: Circle, label: Label) -> float:
    """Letter heights from the centre to a label."""
    x, y = label.centre
    return math.hypot(x - circle.x, y - circle.y) / label.glyph_height
