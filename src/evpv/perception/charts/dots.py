"""Dot charts: dots, lollipops and dumbbells, one or more dots a category, in the frame in which values grow upward."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Box, groups_of
from evpv.perception.charts.axes import Axis, axis_on_grid
from evpv.perception.charts.facts import ChartValue, ValueSource
from evpv.perception.charts.labels import ChartLabel
from evpv.perception.charts.legends import Chart
from evpv.perception.charts.palette import Palette
from evpv.perception.charts.slots import Slot, names_at, value_title
from evpv.perception.charts.values import agrees_with

_SIZE_PX = (5, 40)
_STEM_PX = 5  # stems and connecting lines are thinner than this, dots thicker
_ROUND = (0.6, 0.93)  # of its box that a dot fills; a disc fills 0.785
_LEAST_SLOTS = 3
_NAMED = 0.8  # of the places where dots stand
_NEAR = 0.3  # of the distance between two places that a name may be off


@dataclass(frozen=True, slots=True, kw_only=True)
class _Dot:
    """A filled dot: its centre, its diameter and its colour in the palette."""

    x: float
    y: float
    size: float
    colour: int

    def quarter_turn(self) -> _Dot:
        """The dot in a frame turned a quarter, where values that grow to the right grow upward."""
        return _Dot(x=self.y, y=-self.x, size=self.size, colour=self.colour)


def _find_dots(chart: Chart) -> list[_Dot]:
    """The dots of one size that stand alone or on a stem; dots that a line runs through are the markers of a line chart."""
    found = [dot for colour in range(1, len(chart.palette.colours)) for dot in _dots_of(chart.palette, colour)]
    keys = [entry.label for entry in chart.legend]
    dots = [dot for dot in found if not _is_print(dot, chart.labels, keys)]
    usual = statistics.median([dot.size for dot in dots] or [0.0])
    return [dot for dot in dots if abs(dot.size - usual) <= max(2.0, 0.25 * usual)]


def _is_print(dot: _Dot, labels: Sequence[ChartLabel], keys: Sequence[ChartLabel]) -> bool:
    """Whether a dot is the patch of a legend's name, or part of a text."""
    for key in keys:
        if abs(dot.y - key.y) <= 0.5 * key.height and -0.5 * key.height <= key.page.x0 - dot.x <= 3 * key.height:
            return True
    texts = (one for one in (*labels, *keys) if one.page.holds(dot.x, dot.y))
    return any(any(map(str.isalnum, one.text)) for one in texts)


def _dots_of(palette: Palette, colour: int) -> list[_Dot]:
    mask = palette.mask(colour)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_STEM_PX, _STEM_PX))
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel)
    _, _, stats, centres = cv2.connectedComponentsWithStats(opened, connectivity=8)
    dots = []
    for (_, _, width, height, area), (x, y) in zip(stats[1:].tolist(), centres[1:].tolist(), strict=True):
        size = max(width, height)
        sized = _SIZE_PX[0] <= size <= _SIZE_PX[1] and abs(width - height) <= max(2, 0.2 * size)
        if sized and _ROUND[0] <= area / (width * height) <= _ROUND[1]:
            dots.append(_Dot(x=x, y=y, size=float(size), colour=colour))
    return _standing_alone(mask, dots)


def _standing_alone(mask: NDArray[np.uint8], dots: Sequence[_Dot]) -> list[_Dot]:
    """The dots of a colour that are all of their part of it, but for a stem."""
    if not dots:
        return []
    _, numbers, parts, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    narrow = parts[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].min(axis=1)
    return [dot for dot in dots if narrow[numbers[round(dot.y), round(dot.x)]] <= 1.4 * dot.size]


def read_dots(chart: Chart) -> list[ChartValue]:
    """The facts of a dot chart whose values run across or up the page, whichever gives more."""
    dots = _find_dots(chart)
    turned = replace(chart, labels=tuple(label.quarter_turn() for label in chart.labels))
    across = _read(turned, [dot.quarter_turn() for dot in dots], lying=True)
    return max(across, _read(chart, dots, lying=False), key=len)


def _read(chart: Chart, dots: Sequence[_Dot], *, lying: bool) -> list[ChartValue]:
    axis = axis_on_grid(chart.picture, chart.labels, lying=lying)
    placed = _placed_dots(dots, chart.labels, axis) if axis else []
    if axis is None or not placed:
        return []
    series, others = _series(chart, dots, axis, lying=lying), axis.others(chart.labels)
    facts = []
    for name, dot in (one for one in placed if one[1].colour in series):
        x, y = (-dot.y, dot.x) if lying else (dot.x, dot.y)
        box = Box(x, y, x, y).with_margin(dot.size / 2)
        facts.append(replace(_value_of(dot, others, axis), category=name, series=series[dot.colour], box=box))
    return facts


def _placed_dots(dots: Sequence[_Dot], labels: Sequence[ChartLabel], axis: Axis) -> list[tuple[str, _Dot]]:
    """The dots that the axis covers with the categories printed beyond the low end of the plot; nothing unless most places have a name."""
    within = sorted((dot for dot in dots if axis.covers(dot.y)), key=lambda dot: dot.x)
    groups = groups_of(within, lambda dot, group: dot.x - group[0].x <= 0.4 * dot.size)
    if len(groups) < _LEAST_SLOTS:
        return []
    slots = [Slot(x=statistics.mean(dot.x for dot in group)) for group in groups]
    pitch = min(b.x - a.x for a, b in itertools.pairwise(slots))
    names = names_at(slots, _labels_beyond(dots, labels, axis), reach=max(3.0, _NEAR * pitch))
    if len(names) < _NAMED * len(slots):
        return []
    return [(name, dot) for number, name in sorted(names.items()) for dot in groups[number]]


def _labels_beyond(dots: Sequence[_Dot], labels: Sequence[ChartLabel], axis: Axis) -> list[ChartLabel]:
    floor = max(axis.floor, *(dot.y for dot in dots))
    return [label for label in axis.others(labels) if label.y > floor and label.lie != "upright"]


def _series(chart: Chart, dots: Sequence[_Dot], axis: Axis, *, lying: bool) -> dict[int, str]:
    """The series of each colour; dots of several colours that no legend names stay unread."""
    colours = {dot.colour for dot in dots}
    if len(colours) == 1:
        return {colours.pop(): value_title(chart.labels, axis.ticks, lying=lying)}
    return chart.names if colours <= chart.names.keys() else {}


def _value_of(dot: _Dot, labels: Sequence[ChartLabel], axis: Axis) -> ChartValue:
    """The value of a dot, without its names: the printed number beside it that it bears out, else as it is measured."""
    measured, reach = axis.value(dot.y), 2.5 * dot.size
    near = [one for one in labels if abs(one.x - dot.x) <= reach and abs(one.y - dot.y) <= 2 * reach]
    for quantity in (one.quantity for one in near if one.quantity):
        if agrees_with(quantity, measured, axis):
            return ChartValue.from_print(quantity, None)
    source, value = ValueSource.MEASURED, measured / axis.scale
    return ChartValue(category="", series="", value=value, unit=axis.unit, evidence=source, box=None)
