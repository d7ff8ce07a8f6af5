"""Two value axes at either side of one plot: which series is measured on which, told by colours, titles or the legend's place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Box
from evpv.perception.charts.axes import Axis, find_axis
from evpv.perception.charts.labels import ChartLabel, page_of, text_height
from evpv.perception.charts.legends import Chart, Entry
from evpv.perception.charts.lines import text_ink
from evpv.perception.charts.palette import Palette, chroma
from evpv.perception.charts.slots import join
from evpv.perception.ocr import Pixels

_BESIDE = 0.5  # of the height of either axis that both have in common
_TICKS = 0.8  # of the numbers that stand in an axis's column
_SAME_RAY = 0.97  # cosine between the colours of a series and of its axis, as seen from the paper
_COLOURFUL = 40
_LEAST_INK = 0.0005  # of the plot, that a series covers
_STRIP, _STRIP_SHARE = 8, 0.3  # colours over each other, and the part of each, that only a colour scale's strip has


@dataclass(frozen=True, slots=True, kw_only=True)
class TwinAxis:
    """One of two value axes: the plot's labels as if it stood alone, at the left, and the series that are measured on it."""

    ticks: tuple[ChartLabel, ...]
    labels: tuple[ChartLabel, ...]
    legend: tuple[Entry, ...]


def find_twins(chart: Chart) -> tuple[TwinAxis, ...]:
    """Both axes of a plot that has two, each with the series that are surely its own; nothing where the plot has one."""
    axes = _axes_at_sides(chart)
    if axes is None:
        return ()
    titles = _titles(axes, chart.labels)
    strange = set(map(id, chain(*titles, *(axis.ticks for axis in axes))))
    common = [label for label in chart.labels if id(label) not in strange]
    twins = []
    for axis, owned in zip(axes, _owned_entries(chart, axes, titles), strict=True):
        across = page_of(axes[0].ticks).x1 - page_of(axis.ticks).x1  # to end where those of the left axis do
        ticks = [replace(one, box=one.box.shift(across, 0), page=one.page.shift(across, 0)) for one in axis.ticks]
        twins.append(TwinAxis(ticks=axis.ticks, labels=(*common, *ticks), legend=owned))
    return tuple(twins)


def _titles(axes: tuple[Axis, Axis], labels: Sequence[ChartLabel]) -> list[list[ChartLabel]]:
    """The texts that run up or down the page right outside each axis."""
    here, there = (page_of(axis.ticks) for axis in axes)
    upright = [one for one in labels if one.lie == "upright"]
    return [
        [one for one in axes[0].others(upright) if one.x < here.x0 and here.y0 <= one.y <= here.y1],
        [one for one in axes[1].others(upright) if one.x > there.x1 and there.y0 <= one.y <= there.y1],
    ]


def _owned_entries(
    chart: Chart, axes: tuple[Axis, Axis], titles: Sequence[Sequence[ChartLabel]]
) -> list[tuple[Entry, ...]]:
    """The series of each axis: of the legend, or, where there is none, the one in the axis's colour."""
    plot = Box(page_of(axes[0].ticks).x1, axes[0].top, page_of(axes[1].ticks).x0, axes[0].floor)
    legend = chart.legend
    if legend:
        owned = _owners(chart, plot, axes, titles)
    else:
        named = [_entry_of(chart, plot, axis, title) for axis, title in zip(axes, titles, strict=True)]
        owned = {entry.colour: side for side, entry in enumerate(named) if entry is not None}
        legend = tuple(filter(None, named))
    return [tuple(entry for entry in legend if owned.get(entry.colour) == side) for side in (0, 1)]


def _owners(chart: Chart, plot: Box, axes: Sequence[Axis], titles: Sequence[Sequence[ChartLabel]]) -> dict[int, int]:
    """The axis of each series: in whose title alone its name is, beside which it stands, or which is printed in its colour.

    Of two series the other one's is then known too, for no axis is without a series.
    """
    legend = chart.legend
    owned = _owners_by_title(legend, titles) or _owners_by_place(legend, plot)
    if not owned:
        for side, (axis, title) in enumerate(zip(axes, titles, strict=True)):
            colours = _alike(_ink(chart.picture, axis, title), chart.palette, list(chart.names))
            owned |= dict.fromkeys(colours[:1], side)
    if len(legend) == 2 and len(owned) == 1:
        ((known, side),) = owned.items()
        owned |= {entry.colour: 1 - side for entry in legend if entry.colour != known}
    return owned


def _owners_by_title(legend: Sequence[Entry], titles: Sequence[Sequence[ChartLabel]]) -> dict[int, int]:
    texts = [_words(join(title)) for title in titles]
    named = [(entry, [side for side, text in enumerate(texts) if _words(entry.name) <= text]) for entry in legend]
    return {entry.colour: sides[0] for entry, sides in named if len(sides) == 1}


def _owners_by_place(legend: Sequence[Entry], plot: Box) -> dict[int, int]:
    """The axis beside which each series stands, if they stand on both sides of the plot and none over it."""
    beside = {entry.colour: 0 if entry.label.x < plot.x0 else 1 for entry in legend}
    outside = not any(plot.x0 <= entry.label.x <= plot.x1 for entry in legend)
    return beside if outside and len(set(beside.values())) == 2 else {}


def _axes_at_sides(chart: Chart) -> tuple[Axis, Axis] | None:
    """The axes left and right of a plot whose scales differ, mostly at one height; the ticks of a strip of colours are no axis."""
    labels = chart.labels
    first = find_axis(labels, upward=True)
    if first is None or (second := find_axis(first.others(labels), upward=True)) is None:
        return None
    left, right = sorted((first, second), key=lambda axis: axis.left)
    here, there = page_of(left.ticks), page_of(right.ticks)
    both = min(here.y1, there.y1) - max(here.y0, there.y0)
    if here.x1 >= there.x0 or both < _BESIDE * max(here.height, there.height):
        return None
    ends = np.array([left.top, left.floor])
    step = abs(left.value(left.top) - left.value(left.floor)) / 20
    one_scale = (np.abs(left.values(ends) - right.values(ends)) <= step).all()
    if one_scale or not _is_pure(left, labels) or not _is_pure(right, labels):
        return None
    alone = _has_names_between(here, there, max(left.floor, right.floor), labels)
    return (left, right) if alone and not _has_strip(chart.picture, there) else None


def _has_names_between(here: Box, there: Box, floor: float, labels: Sequence[ChartLabel]) -> bool:
    """Whether names stand under a plot between its axes, but none right of it, as a further plot has them."""
    reach = floor + 3 * text_height(labels)
    names = [one.x for one in labels if one.x > here.x1 and floor < one.y and one.box.y0 < reach]
    return sum(x < there.x0 for x in names) > 1 and max(names) < there.x1


def _is_pure(axis: Axis, labels: Sequence[ChartLabel]) -> bool:
    """Whether the numbers in an axis's column are its ticks; a column of printed values holds others too."""
    column = page_of(axis.ticks)
    numbers = [one for one in labels if one.quantity is not None and column.x0 <= one.x <= column.x1]
    within = [one for one in numbers if column.y0 <= one.y <= column.y1]
    return len(axis.ticks) >= _TICKS * len(within)


def _has_strip(picture: Pixels, ticks: Box) -> bool:
    """Whether columns of pixels right before the ticks run through many colours, none of them often."""
    pixels = picture[Box(ticks.x0 - 3 * ticks.width, ticks.y0, ticks.x0, ticks.y1).slices()] >> 4
    counts = [np.unique(pixels[:, x], axis=0, return_counts=True)[1] for x in range(pixels.shape[1])]
    return sum(len(one) > _STRIP and int(one.max()) < _STRIP_SHARE * len(pixels) for one in counts) > 3


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def _ink(picture: Pixels, axis: Axis, title: Sequence[ChartLabel]) -> NDArray[np.float64]:
    """The colour that an axis is printed in: that of its title or of its ticks, whichever is less grey."""
    inks = [np.median([text_ink(picture, one) for one in group], axis=0) for group in (title, axis.ticks) if group]
    return np.asarray(max(inks, key=lambda ink: float(np.ptp(ink))), np.float64)


def _alike(ink: NDArray[np.float64], palette: Palette, colours: Sequence[int]) -> list[int]:
    """The colours that lie in an ink's direction from the paper, the nearest first; none where the ink is grey."""
    if np.ptp(ink) < _COLOURFUL or not colours:
        return []
    paper = np.array(palette.colours[0], np.float64)
    rays = np.array([palette.colours[colour] for colour in colours]) - paper
    own = ink - paper
    cosines = rays @ own / np.maximum(np.linalg.norm(rays, axis=1) * np.linalg.norm(own), 1.0)
    return [colours[n] for n in np.argsort(-cosines).tolist() if cosines[n] >= _SAME_RAY]


def _entry_of(chart: Chart, plot: Box, axis: Axis, title: Sequence[ChartLabel]) -> Entry | None:
    """The series in an axis's colour under the axis's title, as a legend would name it."""
    palette = chart.palette
    shares = np.bincount(np.maximum(palette.index[plot.slices()].ravel(), 0), minlength=len(palette.colours))
    drawn = [
        number
        for number, colour in enumerate(palette.colours)
        if number and chroma(colour) >= _COLOURFUL and shares[number] >= _LEAST_INK * shares.sum()
    ]
    alike = _alike(_ink(chart.picture, axis, title), palette, drawn)
    if not alike or not title:
        return None
    colour = max(alike, key=lambda number: int(shares[number]))
    return Entry(colour=colour, name=join(title), label=title[0])
