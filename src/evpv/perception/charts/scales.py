"""What stands along the axis under a plot: evenly growing numbers that measure, or names of categories."""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evpv.perception.charts.axes import Axis, find_axis
from evpv.perception.charts.labels import ChartLabel, text_height
from evpv.perception.charts.slots import anchor, join


def roundest(value: float, error: float) -> float:
    """The number with the fewest digits within `error` of a measured one: people draw round numbers, rulers do not read them.

    >>> roundest(2.97, 0.05), roundest(0.02, 0.05), roundest(2.53, 0.05)
    (3.0, 0.0, 2.5)
    """
    if abs(value) <= error or error <= 0:
        return 0.0 if abs(value) <= error else value
    for power in range(math.ceil(math.log10(abs(value))) + 1, math.floor(math.log10(error)) - 2, -1):
        rounded = float(f"{round(value / 10.0**power) * 10.0**power:.12g}")
        if rounded and abs(rounded - value) <= error:
            return rounded
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """The places along an axis: by a scale of numbers, or by the names of the categories and where they stand."""

    scale: Axis | None = None
    names: tuple[tuple[float, str], ...] = ()
    labels: tuple[ChartLabel, ...] = ()

    @property
    def step_px(self) -> float:
        """The distance between two neighbouring labels."""
        places = sorted(anchor(label) for label in self.scale.ticks) if self.scale else [x for x, _ in self.names]
        gaps = [b - a for a, b in itertools.pairwise(places)]
        return statistics.median(gaps) if gaps else 50.0

    def name_at(self, x: float, error_px: float = 1.5) -> str | None:
        """What the axis says at a place: the roundest number that it may be, or the name printed near it."""
        if self.scale is not None:
            error = abs(self.scale.value(x + error_px) - self.scale.value(x))
            return f"{roundest(self.scale.value(x), error):.6g}"
        near, name = min(self.names, key=lambda place: abs(place[0] - x), default=(math.inf, ""))
        return name if abs(near - x) <= 0.35 * self.step_px else None


def places_along(labels: Sequence[ChartLabel], upward: Axis) -> Places | None:
    """The axis that crosses a value axis: under its lowest tick, or over its highest."""
    height = text_height(labels)
    reach = max(3 * height, 1.2 * upward.step_px)
    free, top, floor = upward.others(labels), upward.top, upward.floor
    under = [label for label in free if floor - 2 < label.y and label.box.y0 < floor + reach]
    over = [label for label in free if label.y < top + 2 and label.box.y1 > top - reach]
    found = (_scale_of(near, upward) or _names_of(near, upward, height) for near in (under, over))
    return next(filter(None, found), None)


def _scale_of(labels: Sequence[ChartLabel], upward: Axis) -> Places | None:
    """The scale of evenly growing numbers, or of two if nothing else stands in their row."""
    scale = find_axis(labels, upward=False)
    if scale is None:
        level = [label for label in labels if label.x > upward.left and label.lie == "level"]
        row = _first_row(level)
        values = [label.quantity.full for label in row if label.quantity is not None]
        if not len(row) == len(values) == 2 or values[1] <= values[0]:
            return None
        slope = (values[1] - values[0]) / (row[1].x - row[0].x)
        scale = Axis(slope=slope, offset=values[0] - slope * row[0].x, logarithmic=False, ticks=tuple(row))
    return Places(scale=scale, labels=scale.ticks)


def _first_row(level: Sequence[ChartLabel]) -> list[ChartLabel]:
    top = min((label.y for label in level), default=0.0)
    return sorted((one for one in level if one.y - top <= 0.5 * one.height), key=lambda one: one.x)


def _names_of(labels: Sequence[ChartLabel], upward: Axis, height: float) -> Places | None:
    """The fullest row of text right of the value axis, with further lines under it joined to its names."""
    right = [label for label in labels if anchor(label) > upward.left]
    rows = [[one for one in right if abs(one.box.y0 - top.box.y0) <= 0.6 * height] for top in right]
    row = max(rows, key=len, default=[])
    if len(row) < 2:
        return None
    names = _lines_at(row, right, height)
    used = tuple(itertools.chain.from_iterable(names.values()))
    return Places(names=tuple((x, join(group)) for x, group in sorted(names.items())), labels=used)


def _lines_at(row: Sequence[ChartLabel], labels: Sequence[ChartLabel], height: float) -> dict[float, list[ChartLabel]]:
    """The labels of a row by where they point to, each with its further lines."""
    pitch = float(np.diff(sorted(map(anchor, row))).min())
    names: dict[float, list[ChartLabel]] = {anchor(label): [label] for label in row}
    for label in labels:
        nearest = min(names, key=lambda x: abs(x - anchor(label)))
        below = label not in row and 0 < label.y - names[nearest][-1].y <= 1.4 * height
        if below and abs(nearest - anchor(label)) <= 0.3 * pitch:
            names[nearest].append(label)
    return names
