"""Stacked areas: each series' part of the height at every category, where the areas lie on each other without a gap."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.charts.facts import ChartValue, ValueSource
from evpv.perception.charts.legends import Chart, Entry
from evpv.perception.charts.line_reading import find_places
from evpv.perception.charts.lines import Plot, Stroke, find_plot
from evpv.perception.charts.palette import Palette, chroma

_LEAST = 0.02  # of the plot that each area covers
_TOGETHER = 0.15  # and all of them
_FULL = 0.9  # of the columns have areas that fill them from the foot up
_COLOURFUL = 30
_SAME_RAY = 0.95
_EDGE_PX = 2  # a point at the edge of the plot is looked at inside it


def read_areas(chart: Chart) -> list[ChartValue]:
    """The facts of stacked areas; nothing where areas do not lie on each other, or a colour of theirs has no name."""
    plot = find_plot(chart) if len(chart.legend) > 1 else None
    if plot is None or plot.axis.logarithmic or not (layers := _layers(chart.palette, plot, chart.legend)):
        return []
    closed = np.array(list(layers.values()))
    if not _are_stacked(closed, plot.axis.pixel(0.0) - plot.top):
        return []
    columns = np.flatnonzero(closed.any(axis=(0, 1))) + plot.left
    places, _ = find_places(plot, _skylines(closed, plot))
    facts = []
    for place in places:
        x = int(np.clip(round(place.x), columns[0] + _EDGE_PX, columns[-1] - _EDGE_PX)) - plot.left
        for name, layer in layers.items():
            box = (place.x - 4, float(plot.top), place.x + 4, float(plot.bottom))
            value = abs(plot.axis.slope) * int(layer[:, x].sum()) / plot.axis.scale
            facts.append(ChartValue(category=place.name, series=name, value=value, box=box, evidence=ValueSource.ROUGH))
    return facts


def _layers(palette: Palette, plot: Plot, legend: Sequence[Entry]) -> dict[str, NDArray[np.uint8]]:
    """Where each series' area is, without the lines that cross it; nothing where there are too few or too small ones."""
    index = palette.index[plot.top : plot.bottom, plot.left : plot.right]
    owners = _colours_by_series(palette, index, legend)
    layers = {name: np.isin(index, colours).view(np.uint8) for name, colours in owners.items()}
    shares = [float(layer.mean()) for layer in layers.values()]
    if len(shares) < 2 or min(shares) < _LEAST or sum(shares) < _TOGETHER:
        return {}
    bridge = np.ones((5, 5), np.uint8)
    closed = {name: cv2.morphologyEx(layer, cv2.MORPH_CLOSE, bridge) for name, layer in layers.items()}
    return {name: np.asarray(layer, np.uint8) for name, layer in closed.items()}


def _colours_by_series(palette: Palette, index: NDArray[np.int16], legend: Sequence[Entry]) -> dict[str, list[int]]:
    """Each series' colour, and the paler ones of the same tint, as areas have under their line."""
    paper = np.array(palette.colours[0], np.float64)
    rays = [_unit(np.array(palette.colours[entry.colour]) - paper) for entry in legend]
    owners: dict[str, list[int]] = {entry.name: [entry.colour] for entry in legend}
    for number in sorted(set(range(1, len(palette.colours))) - {entry.colour for entry in legend}):
        colour = palette.colours[number]
        if chroma(colour) >= _COLOURFUL and (index == number).mean() >= _LEAST / 4:
            alike = [float(ray @ _unit(np.array(colour) - paper)) for ray in rays]
            if max(alike) >= _SAME_RAY:
                owners[legend[int(np.argmax(alike))].name].append(number)
    return owners


def _skylines(layers: NDArray[np.uint8], plot: Plot) -> list[Stroke]:
    """The upper edge of every layer as a line: where these turn, the layers have their points."""
    lines = []
    for number, layer in enumerate(layers):
        columns = np.flatnonzero(layer.any(axis=0))
        heights = layer[:, columns].argmax(axis=0).astype(np.float64)
        lines.append(Stroke(colour=number, columns=columns + plot.left, heights=heights + plot.top))
    return lines


def _unit(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1.0), np.float64)


def _are_stacked(layers: NDArray[np.uint8], foot: float) -> bool:
    """Whether most columns are filled from the foot of the plot to where the areas end, by one layer over the other."""
    filled: NDArray[np.bool_] = np.asarray(layers.any(axis=0), np.bool_)
    columns = np.flatnonzero(filled.any(axis=0))
    if len(columns) < 0.3 * filled.shape[1]:
        return False
    tops = filled[:, columns].argmax(axis=0)
    whole = filled[:, columns].sum(axis=0) >= _FULL * (min(foot, len(filled)) - tops)
    turns = (np.diff(layers[:, :, columns].argmax(axis=0), axis=0) != 0).sum(axis=0)
    return float((whole & (turns <= 2 * len(layers))).mean()) >= _FULL
