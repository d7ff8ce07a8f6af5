"""Line charts without a value axis: the scale is the one that the numbers printed at the points make together."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evpv.perception.boxes import Box
from evpv.perception.charts.axes import Axis
from evpv.perception.charts.facts import ChartValue
from evpv.perception.charts.labels import ChartLabel, PrintedNumber, text_height
from evpv.perception.charts.legends import Chart
from evpv.perception.charts.line_reading import find_places
from evpv.perception.charts.lines import OWN_INK, Plot, Stroke, names_of_strokes, stroke_ink, text_ink

_DATE = re.compile(r"(?:1[89]|20)\d\d|['’‘`]\d\d\b|^[A-Z][a-z]{2,8}\.? \d\d$")
_LEAST_POINTS = 4
_AGREEING = 0.6  # of the numbers in the plot
_BESIDE = 1.6  # heights of text by which a number may stand above or below its point
_ON_POINT_PX = 5.0
_NEAR_DATE = 0.3  # of the distance between two dates


@dataclass(frozen=True, slots=True, kw_only=True)
class _LabelledPoint:
    """A printed number and the place on a line, by its colour, that it stands beside."""

    label: ChartLabel
    quantity: PrintedNumber
    colour: int
    x: float
    height: float


def plot_of_points(labels: Sequence[ChartLabel]) -> Plot | None:
    """The plot over a row of dates whose printed numbers grow evenly upwards, with a rough scale.

    Nothing is printed at its axis, which has a tick at either end of the plot.
    """
    row = _dates(labels)
    if len(row) < 2:
        return None
    height, dates = text_height(row), Box.around(one.box for one in row)
    over = Box(dates.x0 - 3 * height, 0.0, dates.x1 + 4 * height, dates.y0)
    numbers = _numbers_in(over, labels)
    line = _steady([(one.y, quantity.full) for one, quantity in numbers], _BESIDE * height)
    if line is None:
        return None
    used = [pair for pair in numbers if abs(_pixel(line, pair[1].full) - pair[0].y) <= _BESIDE * height]
    top = min(one.box.y0 for one, _ in used) - 2 * height
    ends = Box(0.0, top - 1, 1.0, top + 1), Box(0.0, over.y1 - 1, 1.0, over.y1 + 1)
    ticks = tuple(ChartLabel(text="", box=end, page=end) for end in ends)
    unit = next(filter(None, (quantity.unit for _, quantity in used)), None)
    return Plot(
        left=max(0, int(over.x0)),
        top=max(0, int(top)),
        right=int(over.x1),
        bottom=int(over.y1),
        axis=Axis(slope=line[0], offset=line[1], logarithmic=False, ticks=ticks, unit=unit),
        row=tuple(row),
    )


def _numbers_in(box: Box, labels: Sequence[ChartLabel]) -> list[tuple[ChartLabel, PrintedNumber]]:
    """The level numbers in a part of the picture that are no dates."""
    level = [one for one in labels if one.lie == "level" and box.holds(one.x, one.y) and not _is_date(one)]
    return [(one, one.quantity) for one in level if one.quantity is not None]


def read_points(chart: Chart, plot: Plot, strokes: Sequence[Stroke]) -> list[ChartValue]:
    """The numbers printed at the lines whose heights agree on one scale, each at the date and on the line it is beside.

    Nothing is measured: a scale of points that stand a little beside their numbers is too rough to read by.
    """
    points = _points(chart, plot, strokes)
    line = _steady([(point.height, point.quantity.full) for point in points], _ON_POINT_PX)
    names = names_of_strokes(chart, plot, strokes)
    places, _ = find_places(plot, strokes)
    if line is None or len(places) < 2:
        return []
    reach = _NEAR_DATE * min(b.x - a.x for a, b in itertools.pairwise(places))
    facts: dict[tuple[str, str], ChartValue] = {}
    for point in points:
        place = min(places, key=lambda one: abs(one.x - point.x))
        on_line = abs(_pixel(line, point.quantity.full) - point.height) <= _ON_POINT_PX
        if on_line and abs(place.x - point.x) <= reach and point.colour in names:
            name, box = names[point.colour], point.label.page
            fact = ChartValue.from_print(point.quantity, box, category=place.name, series=name)
            facts.setdefault((fact.category, fact.series), fact)
    return list(facts.values())


def _points(chart: Chart, plot: Plot, strokes: Sequence[Stroke]) -> list[_LabelledPoint]:
    """Every number beside a line with the line it belongs to: the near one that has its colour, or else the nearest."""
    inks = [stroke_ink(chart.picture, stroke) for stroke in strokes]
    points = []
    for one, quantity in _numbers_in(Box(-math.inf, plot.top, math.inf, plot.bottom), chart.labels):
        tint = text_ink(chart.picture, one)
        near = []
        for stroke, ink in zip(strokes, inks, strict=True):
            x = min(max(one.x, float(stroke.columns[0])), float(stroke.columns[-1]))
            height = stroke.height_at(x)
            if height is not None and abs(x - one.x) <= one.width and abs(height - one.y) <= _BESIDE * one.height:
                cost = float(np.linalg.norm(tint - ink)) > OWN_INK, abs(height - one.y)
                point = _LabelledPoint(label=one, quantity=quantity, colour=stroke.colour, x=x, height=height)
                near.append((cost, point))
        if near:
            points.append(min(near, key=lambda pair: pair[0])[1])
    return points


def _dates(labels: Sequence[ChartLabel]) -> list[ChartLabel]:
    """The fullest row of dates, the lowest of those."""
    dates = [one for one in labels if one.lie == "level" and _is_date(one) and len(one.text.split()) <= 2]
    height = text_height(dates)
    rows = [[one for one in dates if abs(one.y - other.y) <= 0.5 * height] for other in dates]
    return max(rows, key=lambda row: (len(row), row[0].y), default=[])


def _is_date(label: ChartLabel) -> bool:
    return _DATE.search(label.text) is not None


def _steady(points: Sequence[tuple[float, float]], slack: float) -> tuple[float, float] | None:
    """Slope and offset of the straight line, falling with the pixel, that most points are near to; None if too few."""
    best: tuple[int, tuple[float, float]] = (0, (0.0, 0.0))
    for (y, value), (other_y, other_value) in itertools.combinations(points, 2):
        if abs(y - other_y) > slack and (slope := (value - other_value) / (y - other_y)) < 0:
            line = slope, value - slope * y
            best = max(best, (len(_near(points, line, slack)), line))
    if best[0] < max(_LEAST_POINTS, _AGREEING * len(points)):
        return None
    near = np.array(_near(points, best[1], slack))
    slope, offset = np.polyfit(near[:, 0], near[:, 1], 1)
    return (float(slope), float(offset)) if slope < 0 else None


def _near(points: Sequence[tuple[float, float]], line: tuple[float, float], slack: float) -> list[tuple[float, float]]:
    return [(pixel, value) for pixel, value in points if abs(_pixel(line, value) - pixel) <= slack]


def _pixel(line: tuple[float, float], value: float) -> float:
    return (value - line[1]) / line[0]
