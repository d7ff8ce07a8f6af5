"""Which segment or angle a label belongs to, by where it stands or where its thin curved arrow points."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.geometry.figure import Angle, LineFigure, LineSegment, angles_of
from evpv.perception.geometry.ink import Ink
from evpv.perception.geometry.labels import FigureLabel
from evpv.perception.geometry.overlay import NamedPoint

_MAX_ARROW_PX = 220
_START_GAP = 1.0  # glyph heights between a label and the start of its arrow
_MIN_REACH = 0.8  # glyph heights by which the tip is farther from the label than the start
_ON_SEGMENT_PX = 5.0
_MAX_FILL = 0.38  # share of its box that a thin curve fills


@dataclass(frozen=True, slots=True, kw_only=True)
class _Curve:
    xs: NDArray[np.float64]
    ys: NDArray[np.float64]


def _curves(ink: Ink, labels: Sequence[FigureLabel]) -> list[_Curve]:
    """Thin dark curves that are no part of a label's glyphs."""
    _, labelled, stats, _ = cv2.connectedComponentsWithStats(ink.print_like, connectivity=8)
    curves = []
    for index, (left, top, width, height, area) in enumerate(stats.tolist()):
        shorter, longer = min(width, height), max(width, height)
        is_straight = shorter <= 8 and longer >= 4 * shorter
        is_thin = 12 <= longer <= _MAX_ARROW_PX and (is_straight or area <= _MAX_FILL * width * height)
        if index and is_thin and not any(_is_glyph_of(label, left, top, width, height) for label in labels):
            rows, columns = np.nonzero(labelled[top : top + height, left : left + width] == index)
            curves.append(_Curve(xs=columns.astype(np.float64) + left, ys=rows.astype(np.float64) + top))
    return curves


def _is_glyph_of(label: FigureLabel, left: int, top: int, width: int, height: int) -> bool:
    """Whether a shape lies inside a label and is no larger than its glyphs; an arrow that touches a label is larger."""
    x0, y0, x1, y1 = label.box
    is_inside = x0 - 1 <= left and left + width <= x1 + 1 and y0 - 1 <= top and top + height <= y1 + 1
    return is_inside and not (width > 0.8 * label.glyph_height and x0 == left and label.leads_with_arrow)


def _follows(curve: _Curve, segment: LineSegment) -> bool:
    """Whether a curve is a piece of a line of the figure itself."""
    (dx, dy), xs, ys = segment.along, curve.xs - segment.a.x, curve.ys - segment.a.y
    along = xs * dx + ys * dy
    near = (np.abs(xs * dy - ys * dx) <= _ON_SEGMENT_PX) & (along >= -_ON_SEGMENT_PX)
    return float((near & (along <= segment.length + _ON_SEGMENT_PX)).mean()) > 0.4


def _tip(label: FigureLabel, curve: _Curve) -> tuple[float, float] | None:
    """The far end of a curve that starts at the label, or None."""
    x0, y0, x1, y1 = label.box
    x0 += label.glyph_height if label.leads_with_arrow else 0.0
    xs, ys = curve.xs, curve.ys
    away = np.hypot(np.maximum(np.maximum(x0 - xs, xs - x1), 0), np.maximum(np.maximum(y0 - ys, ys - y1), 0))
    start, reach = float(away.min()), float(away.max())
    if start > _START_GAP * label.glyph_height or reach - start < _MIN_REACH * label.glyph_height:
        return None
    far = int(away.argmax())
    return float(xs[far]), float(ys[far])


def with_anchors(ink: Ink, labels: Sequence[FigureLabel], figure: LineFigure) -> list[FigureLabel]:
    """The labels, each measure with an arrow anchored at its tip; two strokes that leave a label are halves of a dimension line."""
    if all(label.kind == "name" for label in labels):
        return list(labels)
    curves = [one for one in _curves(ink, labels) if not any(_follows(one, segment) for segment in figure.segments)]
    anchored = []
    for label in labels:
        tips = list(filter(None, (_tip(label, curve) for curve in curves if label.kind != "name")))
        anchored.append(replace(label, anchor=tips[0]) if len(tips) == 1 else label)
    return anchored


_MAX_GAP = 2.6  # glyph heights between a label and its segment
_CENTRED_COMPOUND = -0.1  # unless it stands at the very middle of the whole
_AT_MIDDLE = 0.012  # of the length
_COMPOUND = 0.3  # a label more often means a piece of a line than the whole
_ARROW = 0.4  # what following an arrow costs, so that a label beside its segment stays there
_CORNER = 0.3  # how much better an angle must suit a label without a degree sign than any segment
_MAX_REACH = 6.0  # glyph heights between a label and its vertex
_NEAR = 0.4
_CENTRED = 1.2
_TO_SCALE = 0.5
_FIT = 0.4
_MAX_FIT = 3.0


_Place = TypeVar("_Place")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attached(Generic[_Place]):
    """A label at a segment, an angle or a part; `cost` is how far it stands from where one would write it."""

    label: FigureLabel
    place: _Place
    cost: float
    margin: float  # how much worse the next best place of another name is


def attach(
    labels: Sequence[FigureLabel],
    places: Sequence[_Place],
    cost: Callable[[FigureLabel, _Place], float],
    name: Callable[[_Place], object] = id,
) -> list[Attached[_Place]]:
    """Each label to the cheapest place that no cheaper label has taken."""
    costs = np.array([[cost(label, place) for place in places] for label in labels]).reshape(len(labels), len(places))
    names = list(map(name, places))
    is_free = np.ones(len(places), dtype=bool)
    attached: list[Attached[_Place]] = []
    for row, column in zip(*np.unravel_index(np.argsort(costs, axis=None, kind="stable"), costs.shape), strict=True):
        price = float(costs[row, column])
        if price == math.inf or not is_free[column] or any(one.label is labels[row] for one in attached):
            continue
        is_free[column] = False
        rivals = [costs[row, one] for one in np.flatnonzero(is_free) if names[one] != names[column]]
        margin = float(min(rivals, default=math.inf)) - price
        attached.append(Attached(label=labels[row], place=places[column], cost=price, margin=margin))
    return attached


def segment_cost(label: FigureLabel, segment: LineSegment) -> float:
    """A label's cost where it stands or, if it has an arrow, where that points."""
    if label.anchor is None:
        return _standing_cost(label, segment)
    return min(_standing_cost(replace(label, anchor=None), segment), _standing_cost(label, segment) + _ARROW)


def _standing_cost(label: FigureLabel, segment: LineSegment) -> float:
    """Glyph heights off the line, plus twice the share of the length off the middle; infinite beyond the ends."""
    (dx, dy), (half_width, half_height) = segment.along, label.half_size
    x, y = label.place[0] - segment.a.x, label.place[1] - segment.a.y
    gap = max(abs(x * dy - y * dx) - abs(dy) * half_width - abs(dx) * half_height, 0.0) / label.glyph_height
    place = (x * dx + y * dy) / segment.length
    if not 0.02 <= place <= 0.98 or gap > _MAX_GAP:
        return math.inf
    from_middle = abs(place - 0.5)
    compound = _CENTRED_COMPOUND if from_middle <= _AT_MIDDLE else _COMPOUND
    return gap + 2.0 * from_middle + (compound if segment.inner else 0.0)


def attach_to_segments(labels: Sequence[FigureLabel], figure: LineFigure) -> list[Attached[LineSegment]]:
    """Each label to the segment that it stands at."""
    return attach(labels, figure.segments, segment_cost)


def _is_between(segment: LineSegment, vertex: NamedPoint, x: float, y: float) -> bool:
    """Whether a segment that does not go through a vertex separates a place from it."""
    if vertex in (segment.a, segment.b, *segment.inner):
        return False

    def side(p: tuple[float, float], q: tuple[float, float], r: tuple[float, float]) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    p, q, a, b = (vertex.x, vertex.y), (x, y), (segment.a.x, segment.a.y), (segment.b.x, segment.b.y)
    return side(p, q, a) * side(p, q, b) < 0 and side(a, b, p) * side(a, b, q) < 0


def _angle_cost(label: FigureLabel, angle: Angle, figure: LineFigure) -> float:
    """How far a label is from where one would write it into an angle; infinite outside it or behind a line.

    That is near the vertex, but no nearer than the angle is wide enough for it, and near the bisector. Figures are
    drawn roughly to scale, so a printed measure far from the drawn one speaks against the angle.
    """
    (x, y), (half_width, half_height), vertex = label.place, label.half_size, angle.vertex
    into = (math.atan2(y - vertex.y, x - vertex.x) - angle.first.angle) % (2 * math.pi)
    gap = math.hypot(max(abs(x - vertex.x) - half_width, 0.0), max(abs(y - vertex.y) - half_height, 0.0))
    reach = gap / label.glyph_height
    is_outside = into > angle.width or reach > _MAX_REACH
    if is_outside or any(_is_between(segment, vertex, x, y) for segment in figure.segments):
        return math.inf
    fitting = min(_FIT / math.tan(angle.width / 2), _MAX_FIT)
    cost = _NEAR * max(reach - fitting, 0.0) + _CENTRED * abs(into / angle.width - 0.5)
    if label.value is not None and label.degrees:
        cost += _TO_SCALE * min(abs(math.degrees(angle.width) - label.value) / 40, 1.0)
    return cost


def _cheapest_angle_cost(label: FigureLabel, angle: Angle, figure: LineFigure) -> float:
    """A label's cost where it stands or, if it has an arrow, where that points."""
    if label.anchor is None:
        return _angle_cost(label, angle, figure)
    return min(_angle_cost(replace(label, anchor=None), angle, figure) + _ARROW, _angle_cost(label, angle, figure))


def attach_to_angles(labels: Sequence[FigureLabel], figure: LineFigure) -> list[Attached[Angle]]:
    """Each label to the angle that it stands in."""
    return attach(labels, angles_of(figure), lambda label, angle: _cheapest_angle_cost(label, angle, figure))


def sorted_by_place(labels: Sequence[FigureLabel], figure: LineFigure) -> tuple[list[FigureLabel], list[FigureLabel]]:
    """The labels that measure lengths and those that measure angles.

    A degree sign or brackets say angle, and so does a place in the corner of an angle, away from the middle of every
    side. A plain number there is left out, as it is most often the angle's name (1, 2, 3, …).
    """
    angles = angles_of(figure)
    lengths, in_angles = [], []
    for label in labels:
        if label.degrees:
            in_angles.append(label)
            continue
        beside = min((segment_cost(label, segment) for segment in figure.segments), default=math.inf)
        inside = min((_cheapest_angle_cost(label, angle, figure) for angle in angles), default=math.inf)
        if beside <= inside + _CORNER:
            lengths.append(label)
        elif label.kind == "expression":
            in_angles.append(label)
    return lengths, in_angles
