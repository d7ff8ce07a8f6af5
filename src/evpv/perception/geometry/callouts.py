"""Labels that stand apart from what they measure and point to it with a thin curved arrow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.geometry.figure import Figure
from evpv.perception.geometry.ink import Ink
from evpv.perception.geometry.labels import Label

_MAX_ARROW_PX = 220
_START_GAP = 1.0  # glyph heights between a label and the start of its arrow
_MIN_REACH = 0.8  # glyph heights by which the tip is farther from the label than the start
_ON_SEGMENT_PX = 5.0
_MAX_FILL = 0.38  # share of its box that a thin curve fills


@dataclass(frozen=True, slots=True, kw_only=True)
class _Curve:
    xs: NDArray[np.float64]
    ys: NDArray[np.float64]


def _is_thin_curve(width: int, height: int, area: int) -> bool:
    long_enough = max(width, height) >= 12
    straight = min(width, height) <= 8 and max(width, height) >= 4 * min(width, height)
    return long_enough and max(width, height) <= _MAX_ARROW_PX and (straight or area <= _MAX_FILL * width * height)


def _curves(ink: Ink, labels: Sequence[Label]) -> list[_Curve]:
    """Thin dark curves that are no part of a label's glyphs."""
    count, labelled, stats, _ = cv2.connectedComponentsWithStats(ink.print_like, connectivity=8)
    curves = []
    for index in range(1, count):
        left, top, width, height, area = (int(value) for value in stats[index])
        if not _is_thin_curve(width, height, area) or _is_glyph_of(labels, left, top, width, height):
            continue
        rows, columns = np.nonzero(labelled[top : top + height, left : left + width] == index)
        curves.append(_Curve(xs=columns.astype(np.float64) + left, ys=rows.astype(np.float64) + top))
    return curves


def _follows_a_segment(curve: _Curve, figure: Figure) -> bool:
    """Whether a curve is a piece of the figure itself."""
    for segment in figure.segments:
        along_x, along_y = (segment.b.x - segment.a.x) / segment.length, (segment.b.y - segment.a.y) / segment.length
        across = (curve.xs - segment.a.x) * along_y - (curve.ys - segment.a.y) * along_x
        along = (curve.xs - segment.a.x) * along_x + (curve.ys - segment.a.y) * along_y
        near = (
            (np.abs(across) <= _ON_SEGMENT_PX) & (along >= -_ON_SEGMENT_PX) & (along <= segment.length + _ON_SEGMENT_PX)
        )
        if float(near.mean()) > 0.4:
            return True
    return False


def _is_glyph_of(labels: Sequence[Label], left: int, top: int, width: int, height: int) -> bool:
    """Whether a shape lies inside a label and is no larger than its glyphs; an arrow that touches a label is larger."""
    for label in labels:
        x0, y0, x1, y1 = label.box
        inside = x0 - 1 <= left and left + width <= x1 + 1 and y0 - 1 <= top and top + height <= y1 + 1
        if inside and not (width > 0.8 * label.glyph_height and x0 == left and label.leads_with_arrow):
            return True
    return False


def _tip(label: Label, curve: _Curve) -> tuple[float, float] | None:
    """The far end of a curve that starts at the label, or None."""
    x0, y0, x1, y1 = label.box
    if label.leads_with_arrow:
        x0 += label.glyph_height
    away = np.hypot(
        np.maximum(np.maximum(x0 - curve.xs, curve.xs - x1), 0), np.maximum(np.maximum(y0 - curve.ys, curve.ys - y1), 0)
    )
    start, reach = float(away.min()), float(away.max())
    if start > _START_GAP * label.glyph_height or reach - start < _MIN_REACH * label.glyph_height:
        return None
    far = int(away.argmax())
    return (float(curve.xs[far]), float(curve.ys[far]))


def with_anchors(ink: Ink, labels: Sequence[Label], figure: Figure) -> list[Label]:
    """The labels, those with an arrow anchored at its tip."""
    measures = [label for label in labels if label.kind != "name"]
    if not measures:
        return list(labels)
    curves = [curve for curve in _curves(ink, labels) if not _follows_a_segment(curve, figure)]
    anchored = []
    for label in labels:
        tips = [tip for curve in curves if (tip := _tip(label, curve)) is not None] if label in measures else []
        # Two strokes that leave a label are the halves of a dimension line.
        anchored.append(replace(label, anchor=tips[0]) if len(tips) == 1 else label)
    return anchored
