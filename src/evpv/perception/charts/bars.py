"""Bar charts: standing or lying, single, grouped or stacked. All is done in the frame in which bars stand.

Without a legend the series of lying bars are named by headings over their first row.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evpv.perception.boxes import Box, groups_of
from evpv.perception.charts.axes import Axis, axis_on_grid, find_axis
from evpv.perception.charts.facts import ChartValue
from evpv.perception.charts.labels import YEAR, ChartLabel, is_wordy, page_of, pieces, text_height
from evpv.perception.charts.legends import Chart
from evpv.perception.charts.palette import ColourPart
from evpv.perception.charts.scales import Places, places_along, roundest
from evpv.perception.charts.slots import Slot, fill_names, grouped_slots, join, names_at, single_slots, value_title
from evpv.perception.charts.values import Scale, read_values
from evpv.types import Box as Corners

_AT_EDGE = 0.3  # of that distance: a number nearer to where two bars touch belongs to neither
_FIRM = 0.6  # of the columns of bars start at one line
_TOUCHING = 0.9  # of the distance between bars; as wide as that, they touch


@dataclass(frozen=True, slots=True, kw_only=True)
class _BarChart:
    """A bar chart taken apart, in the frame in which its bars stand."""

    bars: tuple[ColourPart, ...]
    labels: tuple[ChartLabel, ...]
    names: Mapping[int, str]  # of the series by their colours
    axis: Axis | None
    lying: bool

    @property
    def is_stacked(self) -> bool:
        """Whether bars stand on bars: more than a third of the columns hold several."""
        columns = single_slots(self.bars)
        return sum(len(slot.bars) > 1 for slot in columns) > len(columns) / 3

    @property
    def base(self) -> float:
        return _base_of(self.bars)

    def beside_ticks(self) -> list[ChartLabel]:
        """The labels that are no ticks of the value axis."""
        return self.axis.others(self.labels) if self.axis else list(self.labels)

    @property
    def diverging(self) -> bool:
        """Whether all bars start at one line and run to either side of it."""
        return self.is_stacked and all(min(abs(bar.y0 - self.base), abs(bar.y1 - self.base)) <= 3 for bar in self.bars)

    def readings(self, used: Container[int]) -> dict[ColourPart, ChartValue]:
        """The values of the bars, by the axis and by the numbers that are neither its ticks nor used for names."""
        free = [label for label in self.beside_ticks() if label.quantity and id(label) not in used]
        scale = Scale(axis=self.axis, base=self.base, stacked=self.is_stacked, diverging=self.diverging)
        return read_values(self.bars, free, scale)


def read_bars(page: Chart, bars: Sequence[ColourPart], lying: bool) -> list[ChartValue]:
    """The facts of a bar chart: each bar's category, series and value."""
    labels = tuple(label.quarter_turn() for label in page.labels) if lying else page.labels
    axis = axis_on_grid(page.picture, labels, lying=lying)
    chart = _BarChart(bars=_without_strays(tuple(bars)), labels=labels, names=page.names, axis=axis, lying=lying)
    if _are_floating(chart):
        return []
    slots = _slots(chart)
    names, used = _names(chart, slots)
    series, readings = _series(chart, slots), chart.readings(used)
    facts = [
        replace(readings[bar], category=name, series=series[bar])
        for number, name in sorted(names.items())
        for bar in slots[number].bars
        if bar in series and bar in readings
    ]
    return [replace(fact, box=_on_page(fact.box)) for fact in facts] if lying else facts


def _are_floating(chart: _BarChart) -> bool:
    """Whether most columns have no bar that starts where the others do: boxes of quartiles, spans of time, falls of water.

    A column of several colours is a stack, whose lowest part may be too thin to be found.
    """
    columns = single_slots(chart.bars)
    return sum(_is_firm(one, chart.base) for one in columns) < _FIRM * len(columns)


def _is_firm(column: Slot, base: float) -> bool:
    several = len({bar.colour for bar in column.bars}) > 1
    return several or any(min(abs(bar.y0 - base), abs(bar.y1 - base)) <= 3 for bar in column.bars)


def _on_page(box: Corners | None) -> Corners | None:
    """Where on the page a box of the frame is in which lying bars stand."""
    return None if box is None else (-box[3], box[0], -box[1], box[2])


def _base_of(bars: Sequence[ColourPart]) -> float:
    """Where bars start: the edge that most of them share."""
    edges = Counter(edge for bar in bars for edge in (bar.y1, bar.y0))
    return float(max(edges, key=lambda edge: (edges[edge] + edges[edge - 1] + edges[edge + 1], edges[edge])))


def _without_strays(bars: tuple[ColourPart, ...]) -> tuple[ColourPart, ...]:
    """The bars without strays: where nearly all start at one line, others must stand on a bar."""
    base = _base_of(bars)
    firm = [bar for bar in bars if min(abs(bar.y1 - base), abs(bar.y0 - base)) <= 3]
    if len(firm) < 0.7 * len(bars):
        return bars
    return tuple(bar for bar in bars if bar in firm or any(_stands_on(bar, other) for other in bars))


def _stands_on(bar: ColourPart, other: ColourPart) -> bool:
    touching = min(abs(bar.y1 - other.y0), abs(bar.y0 - other.y1)) <= 3
    return bar is not other and abs(bar.x - other.x) <= 2 and touching


def whole_bars(bars: Sequence[ColourPart], labels: Sequence[ChartLabel]) -> list[ColourPart]:
    """The bars, with those put together that a number printed across them cut in two."""
    height = text_height(labels)
    whole: list[ColourPart] = []
    for bar in sorted(bars, key=lambda b: (b.x0, b.y0)):
        last = whole[-1] if whole else None
        if last and last.colour == bar.colour and abs(last.x - bar.x) <= 2 and -3 <= bar.y0 - last.y1 <= height:
            whole[-1] = replace(last, y1=bar.y1)
        else:
            whole.append(bar)
    return whole


def _slots(chart: _BarChart) -> list[Slot]:
    colours = {bar.colour for bar in chart.bars}
    if not chart.is_stacked and len(colours & chart.names.keys()) >= 2:
        return grouped_slots(chart.bars)
    slots = single_slots(chart.bars)
    if chart.is_stacked:
        return slots
    return [replace(slot, bars=(max(slot.bars, key=lambda bar: bar.height),)) for slot in slots]


def _names(chart: _BarChart, slots: Sequence[Slot]) -> tuple[dict[int, str], set[int]]:
    """The names of the slots and the labels they were made of: the text beyond the start of the bars."""
    candidates = _name_candidates(chart, slots)
    used = {id(label) for label in candidates}
    if not chart.lying and (bins := _bin_names(slots, candidates)):
        return bins, used
    names = names_at(slots, candidates, reach=_reach(slots))
    if chart.lying:
        return names, used
    places = places_along(chart.labels, chart.axis) if chart.axis else None
    if places is not None and places.scale is not None and len(names) < 0.7 * len(slots):
        return _scale_names(slots, places), set(map(id, places.labels))
    return fill_names(names, len(slots)) if _evenly_spaced(slots) else names, used


def _scale_names(slots: Sequence[Slot], places: Places) -> dict[int, str]:
    """The slots called by the numbers of a scale under them."""
    named = [places.name_at(slot.x, 0.3 * _reach(slots)) for slot in slots]
    return {number: name for number, name in enumerate(named) if name}


def _name_candidates(chart: _BarChart, slots: Sequence[Slot]) -> list[ChartLabel]:
    """The labels beyond the start of the bars that may name them."""
    left, right = slots[0].x - _reach(slots), slots[-1].x + _reach(slots)
    candidates = [label for label in _labels_beyond(chart) if left <= label.x <= right + label.width]
    if chart.lying:
        candidates = [label for label in candidates if label.lie != "upright"]
    else:
        height = text_height(chart.labels)
        candidates = _without_axis_title(_first_rows(candidates, height), slots, height)
    if chart.diverging and any(map(is_wordy, candidates)):
        return [label for label in candidates if label.quantity is None]  # values end beside the names
    return candidates


def _labels_beyond(chart: _BarChart) -> list[ChartLabel]:
    """The labels under all bars and ticks."""
    lowest = chart.axis.floor if chart.axis else chart.base
    floor = max([chart.base, lowest, *(bar.y1 for bar in chart.bars)])
    return [label for label in chart.beside_ticks() if label.y > floor]


def _reach(slots: Sequence[Slot]) -> float:
    return 0.55 * _pitch(slots) if len(slots) > 1 else 200.0


def _pitch(slots: Sequence[Slot]) -> float:
    return min((b.x - a.x for a, b in itertools.pairwise(slots)), default=400.0)


def _evenly_spaced(slots: Sequence[Slot]) -> bool:
    steps = [b.x - a.x for a, b in itertools.pairwise(slots)]
    return len(steps) >= 3 and max(steps) <= 1.2 * min(steps)


def _first_rows(labels: Sequence[ChartLabel], height: float) -> list[ChartLabel]:
    """The rows of text nearest to the axis: a wider gap parts category names from the axis title and the legend."""
    rows: list[ChartLabel] = []
    bottom: float | None = None
    for label in sorted(labels, key=lambda item: item.box.y0):
        line = label.box.y0 + height / 2
        if bottom is not None and line - bottom > 0.95 * height:
            break
        rows.append(label)
        bottom = line if bottom is None else max(bottom, line)
    return rows


def _without_axis_title(labels: list[ChartLabel], slots: Sequence[Slot], height: float) -> list[ChartLabel]:
    """The names without a lone line under the middle of them all: a name is broken only if it is too long for its place."""
    if len(labels) < 3:
        return labels
    *row, lowest = sorted(labels, key=lambda label: label.box.y0)
    if lowest.lie != "level" or lowest.box.y0 < row[-1].box.y0 + 0.3 * height:
        return labels
    pitch = _pitch(slots)
    if abs(lowest.x - (slots[0].x + slots[-1].x) / 2) > max(0.3 * pitch, 4.0):
        return labels
    over = min(row, key=lambda label: abs(label.x - lowest.x))
    broken = abs(over.x - lowest.x) <= 4 and over.lie == "level" and over.width + lowest.width > 0.9 * pitch
    return labels if broken else row


def _bin_names(slots: Sequence[Slot], labels: Sequence[ChartLabel]) -> dict[int, str]:
    """The names of bins: bars that touch, over an axis whose numbers stand between them and not under them.

    A bin of years is called by its first.
    """
    if len(slots) < 3 or min(bar.width for slot in slots for bar in slot.bars) < _TOUCHING * _pitch(slots):
        return {}
    scale = find_axis(labels, upward=False)
    if scale is None:
        return _names_at_starts(slots, labels)
    edges = _bin_edges(scale, slots)
    if all(YEAR.fullmatch(tick.text) for tick in scale.ticks):
        return dict(enumerate(edges[:-1]))
    return {number: f"{start}-{end}" for number, (start, end) in enumerate(itertools.pairwise(edges))}


def _names_at_starts(slots: Sequence[Slot], labels: Sequence[ChartLabel]) -> dict[int, str]:
    """The names that stand where bars start, as months of a time axis do; nothing if they stand under the bars."""
    first = min((label.box.y0 for label in labels), default=0.0) + 0.5 * text_height(labels)
    row = [label for label in labels if label.box.y0 <= first]
    if len(row) < len(slots):
        return {}
    away = np.abs(np.array([[label.x - slot.bars[0].x0 for label in row] for slot in slots]))
    nearest = away.argmin(axis=1).tolist()
    at_start = float((away.min(axis=1) <= _AT_EDGE * _pitch(slots)).mean()) >= 0.8
    apart = len(set(nearest)) == len(slots)
    return {number: row[place].text for number, place in enumerate(nearest)} if apart and at_start else {}


def _bin_edges(scale: Axis, slots: Sequence[Slot]) -> list[str]:
    """The numbers where bins start and the last one ends; nothing if the scale's ticks stand under the bars."""
    pitch = _pitch(slots)
    places = np.array([(tick.x - slots[0].x) / pitch + 0.5 for tick in scale.ticks])
    if (np.abs(places - np.round(places)) <= _AT_EDGE).mean() < 0.8:
        return []
    step = roundest(abs(scale.slope) * pitch, 0.12 * abs(scale.slope) * pitch)
    values = np.array([tick.quantity.full for tick in scale.ticks if tick.quantity])
    first = float(np.median(values - step * np.round(places)))
    return [f"{first + number * step:g}" for number in range(len(slots) + 1)]


def _series(chart: _BarChart, slots: Sequence[Slot]) -> dict[ColourPart, str]:
    """The series of each bar: by the legend, by headings over the bars, or the same for all if each slot has one bar.

    Bars that stand on each other with nothing to name them stay unnamed.
    """
    by_legend = {bar: chart.names[bar.colour] for bar in chart.bars if bar.colour in chart.names}
    if len({bar.colour for bar in by_legend}) >= 2 or len(by_legend) == len(chart.bars):
        return by_legend
    if any(len(slot.bars) > 1 for slot in slots):
        return _names_by_heading(slots, chart.labels) if chart.lying else {}
    ticks = chart.axis.ticks if chart.axis else ()
    return dict.fromkeys(chart.bars, value_title(chart.labels, ticks, lying=chart.lying))


_LINES = 3.6  # headings stand within this many lines of text over the bars
_RUN_TOGETHER = re.compile(r"[a-z][A-Z]")  # "MixedMostly": headings of two bars, of which one may be missing


def _names_by_heading(slots: Sequence[Slot], labels: Sequence[ChartLabel]) -> dict[ColourPart, str]:
    """The series of each lying bar by the heading over its place in the row; nothing if headings and bars differ in number.

    Bars of rows that lack some are named by their colour, as far as full rows teach it.
    """
    most = max(len(slot.bars) for slot in slots)
    full = [slot for slot in slots if len(slot.bars) == most]
    headings = _headings(slots, full, labels)
    if len(headings) != most or any(map(_RUN_TOGETHER.search, headings)):
        return {}
    names = {bar: text for slot in full for bar, text in zip(_left_to_right(slot.bars), headings, strict=True)}
    return _names_by_like_bars(slots, names) | names


def _names_by_like_bars(slots: Sequence[Slot], names: Mapping[ColourPart, str]) -> dict[ColourPart, str]:
    """The names of all bars of colours whose named bars have just one."""
    known: dict[int, set[str]] = {}
    for bar, name in names.items():
        known.setdefault(bar.colour, set()).add(name)
    sure = {colour: one.pop() for colour, one in known.items() if len(one) == 1}
    return {bar: sure[bar.colour] for slot in slots for bar in slot.bars if bar.colour in sure}


def _headings(slots: Sequence[Slot], full: Sequence[Slot], labels: Sequence[ChartLabel]) -> list[str]:
    """The headings over the first row if there are enough of them for the bars of a full one, else those over its bars."""
    over_row = _headings_over(min(slots, key=lambda slot: slot.x), labels)
    if len(over_row) >= len(full[0].bars) or not labels:
        return over_row
    bars = _left_to_right(min(full, key=lambda slot: slot.x).bars)
    top = min(bar.x0 for slot in slots for bar in slot.bars)
    return _headings_by_bar(bars, top, labels)


def _headings_by_bar(bars: Sequence[ColourPart], top: float, labels: Sequence[ChartLabel]) -> list[str]:
    """The texts over the top, each given to the bar it stands over; nothing if a bar has none.

    Text flush with the title is a sentence, and words over two bars were run together by the recogniser.
    """
    height = text_height(labels)
    lines = Box(page_of(labels).x0 + height, top - _LINES * height, math.inf, top + height / 2)
    over = [label for label in labels if is_wordy(label) and _is_line_within(label, lines, height)]
    groups: list[list[ChartLabel]] = [[] for _ in bars]
    for piece in itertools.chain.from_iterable(pieces(replace(one, box=one.page)) for one in _lowest_lines(over)):
        middle = piece.page.x
        away = [max(-bar.y1 - middle, middle + bar.y0, 0.0) for bar in bars]
        if min(away) <= 3 * height:
            groups[away.index(min(away))].append(piece)
    return list(map(join, groups)) if all(groups) else []


def _is_line_within(label: ChartLabel, lines: Box, height: float) -> bool:
    """Whether a label is a level line of usual height that starts and ends within some lines."""
    within = label.page.x0 > lines.x0 and lines.y0 <= label.page.y1 - height / 2 < lines.y1
    return within and label.lie == "level" and label.page.height < 1.3 * height


def _lowest_lines(labels: Sequence[ChartLabel]) -> list[ChartLabel]:
    """The lines of text from the lowest up to the first gap, which parts headings from the sentence over them."""
    lines: list[ChartLabel] = []
    top: float | None = None
    for label in sorted(labels, key=lambda item: -item.page.y1):
        if top is not None and label.page.y1 < top:
            break
        top = label.page.y0 if top is None else min(top, label.page.y0)
        lines.append(label)
    return lines


def _left_to_right(bars: Sequence[ColourPart]) -> list[ColourPart]:
    return sorted(bars, key=lambda bar: -bar.y1)


def _headings_over(first: Slot, labels: Sequence[ChartLabel]) -> list[str]:
    """The texts over the first row from left to right; lines that overlap are one heading."""
    height = text_height(labels)
    row = Box.around((-bar.y1, bar.x0, -bar.y0, bar.x1) for bar in first.bars)
    over = [label for label in labels if is_wordy(label) and _stands_over(label, row, height)]
    columns = groups_of(
        sorted(over, key=lambda label: label.page.x0),
        lambda label, column: label.page.x0 < page_of(column).x1 - 0.5 * height,
    )
    return list(map(join, columns))


def _stands_over(label: ChartLabel, row: Box, height: float) -> bool:
    """Whether a text is short and stands a few lines over a row of bars."""
    near = row.y0 - _LINES * height <= label.page.y < row.y0 and label.page.overlap(row).width > -2 * height
    return near and label.page.width < 0.6 * row.width
