"""Line charts without a value axis: the scale is the one that the numbers printed at the points make together."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evpv.perception.charts.axes import Axis
from evpv.perception.charts.facts import Evidence, Fact
from evpv.perception.charts.labels import Label, text_height
from evpv.perception.charts.legends import Entry
from evpv.perception.charts.line_reading import find_places, names_of_lines
from evpv.perception.charts.lines import Plot, Stroke
from evpv.perception.charts.numbers import Quantity
from evpv.perception.charts.series_names import OWN_INK, stroke_ink, text_ink
from evpv.perception.ocr import Pixels

_DATE = re.compile(r"(?:1[89]|20)\d\d|['’‘`]\d\d\b|^[A-Z][a-z]{2,8}\.? \d\d$")
_LEAST_POINTS = 4
_AGREEING = 0.6  # of the numbers in the plot
_BESIDE = 1.6  # heights of text by which a number may stand above or below its point
_ON_POINT_PX = 5.0
_NEAR_DATE = 0.3  # of the distance between two dates


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A printed number and the place on a line, by its colour, that it stands beside."""

    label: Label
    quantity: Quantity
    colour: int
    x: float
    height: float


def plot_of_points(labels: Sequence[Label]) -> Plot | None:
    """The plot over a row of dates whose printed numbers grow evenly upwards, with a rough scale."""
    level = [label for label in labels if label.lie == "level"]
    row = _dates(level)
    if len(row) < 2:
        return None
    height = text_height(row)
    left, right = min(one.box[0] for one in row) - 3 * height, max(one.box[2] for one in row) + 4 * height
    foot = min(one.box[1] for one in row)
    numbers = [one for one in level if one.y < foot and left < one.x < right and one.quantity and not _is_date(one)]
    line = _steady([(one.y, one.quantity.full) for one in numbers if one.quantity], _BESIDE * height)
    if line is None:
        return None
    used = [one for one in numbers if one.quantity and abs(_pixel(line, one.quantity.full) - one.y) <= _BESIDE * height]
    units = [one.quantity.unit for one in used if one.quantity and one.quantity.unit]
    top = min(one.box[1] for one in used) - 2 * height
    return Plot(
        left=max(0, int(left)),
        top=max(0, int(top)),
        right=int(right),
        bottom=int(foot),
        axis=_axis(line, (top, foot), units[0] if units else None),
        row=tuple(row),
    )


def read_points(
    picture: Pixels, plot: Plot, strokes: Sequence[Stroke], labels: Sequence[Label], legend: Sequence[Entry]
) -> list[Fact]:
    """The numbers printed at the lines whose heights agree on one scale, each at the date and on the line it is beside.

    Nothing is measured: a scale of points that stand a little beside their numbers is too rough to read by.
    """
    points = _points(picture, plot, strokes, labels)
    line = _steady([(point.height, point.quantity.full) for point in points], _ON_POINT_PX)
    names = names_of_lines(picture, plot, strokes, labels, legend)
    places, _ = find_places(plot, strokes)
    if line is None or len(places) < 2:
        return []
    reach = _NEAR_DATE * min(b.x - a.x for a, b in itertools.pairwise(places))
    facts: dict[tuple[str, str], Fact] = {}
    for point in points:
        place = min(places, key=lambda one: abs(one.x - point.x))
        on_line = abs(_pixel(line, point.quantity.full) - point.height) <= _ON_POINT_PX
        if on_line and abs(place.x - point.x) <= reach and point.colour in names:
            facts.setdefault((place.name, names[point.colour]), _fact(point, place.name, names[point.colour]))
    return list(facts.values())


def _points(picture: Pixels, plot: Plot, strokes: Sequence[Stroke], labels: Sequence[Label]) -> list[Point]:
    """Every number beside a line with the line it belongs to: the near one that has its colour, or else the nearest."""
    inks = [stroke_ink(picture, stroke) for stroke in strokes]
    points = []
    for one in labels:
        if one.quantity is None or one.lie != "level" or _is_date(one) or not plot.top < one.y < plot.bottom:
            continue
        tint = text_ink(picture, one)
        near = []
        for stroke, ink in zip(strokes, inks, strict=True):
            x = min(max(one.x, float(stroke.columns[0])), float(stroke.columns[-1]))
            height = stroke.height_at(x)
            if height is not None and abs(x - one.x) <= one.width and abs(height - one.y) <= _BESIDE * one.height:
                cost = float(np.linalg.norm(tint - ink)) > OWN_INK, abs(height - one.y)
                near.append((cost, Point(label=one, quantity=one.quantity, colour=stroke.colour, x=x, height=height)))
        if near:
            points.append(min(near, key=lambda pair: pair[0])[1])
    return points


def _fact(point: Point, category: str, series: str) -> Fact:
    quantity = point.quantity
    return Fact(
        category=category,
        series=series,
        value=quantity.value,
        unit=quantity.unit,
        evidence=Evidence.AGREEING,
        box=point.label.page,
    )


def _dates(labels: Sequence[Label]) -> list[Label]:
    """The fullest row of dates, the lowest of those."""
    dates = [label for label in labels if _is_date(label) and len(label.text.split()) <= 2]
    height = text_height(dates)
    rows = [[one for one in dates if abs(one.y - other.y) <= 0.5 * height] for other in dates]
    return max(rows, key=lambda row: (len(row), row[0].y), default=[])


def _is_date(label: Label) -> bool:
    return _DATE.search(label.text) is not None


def _steady(points: Sequence[tuple[float, float]], slack: float) -> tuple[float, float] | None:
    """Slope and offset of the straight line, falling with the pixel, that most points are near to; None if too few."""
    best: tuple[int, tuple[float, float]] = (0, (0.0, 0.0))
    for (y, value), (other_y, other_value) in itertools.combinations(points, 2):
        if abs(y - other_y) > slack and (slope := (value - other_value) / (y - other_y)) < 0:
            line = slope, value - slope * y
            best = max(best, (sum(abs(_pixel(line, v) - p) <= slack for p, v in points), line))
    if best[0] < max(_LEAST_POINTS, _AGREEING * len(points)):
        return None
    near = [(p, v) for p, v in points if abs(_pixel(best[1], v) - p) <= slack]
    slope, offset = np.polyfit([p for p, _ in near], [v for _, v in near], 1)
    return (float(slope), float(offset)) if slope < 0 else None


def _pixel(line: tuple[float, float], value: float) -> float:
    return (value - line[1]) / line[0]


def _axis(line: tuple[float, float], ends: tuple[float, float], unit: str | None) -> Axis:
    """An axis with a tick at either end of the plot, for nothing is printed at it."""
    boxes = [(0.0, end - 1, 1.0, end + 1) for end in ends]
    ticks = tuple(Label(text="", box=box, page=box) for box in boxes)
    return Axis(slope=line[0], offset=line[1], logarithmic=False, ticks=ticks, unit=unit)
