"""Bar charts: standing or lying, single, grouped or stacked. All is done in the frame in which bars stand.

Without a legend the series of lying bars are named by headings over their first row.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Box, groups_of
from evpv.perception.charts.axes import Axis, axis_on_grid, find_axis
from evpv.perception.charts.facts import ChartValue
from evpv.perception.charts.labels import ChartLabel, is_wordy, page_of, pieces, text_height
from evpv.perception.charts.legends import Chart, are_years
from evpv.perception.charts.palette import ColourPart
from evpv.perception.charts.scales import places_along, roundest
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
    columns: Sequence[Slot]  # of bars over each other
    labels: tuple[ChartLabel, ...]
    beside_ticks: Sequence[ChartLabel]  # the labels that are no ticks of the value axis
    names: Mapping[int, str]  # of the series by their colours
    scale: Scale
    lying: bool


def read_bars(page: Chart, bars: Sequence[ColourPart], lying: bool) -> list[ChartValue]:
    """The facts of a bar chart: each bar's category, series and value."""
    chart = _taken_apart(page, bars, lying)
    if not _is_firm(chart):
        return []
    slots = _slots(chart)
    names, used = _names(chart, slots)
    free = [label for label in chart.beside_ticks if label.quantity and id(label) not in used]
    series, readings = _series(chart, slots), read_values(chart.bars, free, chart.scale)
    told = series.keys() & readings.keys()
    facts = [
        replace(readings[bar], category=name, series=series[bar])
        for number, name in sorted(names.items())
        for bar in slots[number].bars
        if bar in told
    ]
    return [replace(fact, box=_on_page(fact.box)) for fact in facts] if lying else facts


def _is_firm(chart: _BarChart) -> bool:
    """Whether most columns have a bar that starts where others do: boxes of quartiles, spans of time or falls of water do not.

    A column of several colours is a stack, whose lowest part may be too thin to be found.
    """
    firm = sum(
        len({bar.colour for bar in column.bars}) > 1 or any(_starts_at(chart.scale.base, bar) for bar in column.bars)
        for column in chart.columns
    )
    return firm >= _FIRM * len(chart.columns)


def _taken_apart(page: Chart, bars: Sequence[ColourPart], lying: bool) -> _BarChart:
    """The chart with what its bars tell of its scale: stacked if more than a third of the columns hold several bars."""
    labels = tuple(label.quarter_turn() for label in page.labels) if lying else page.labels
    axis = axis_on_grid(page.picture, labels, lying=lying)
    kept = _without_strays(tuple(bars))
    columns, base = single_slots(kept), _base_of(kept)
    stacked = sum(len(column.bars) > 1 for column in columns) > len(columns) / 3
    diverging = stacked and all(_starts_at(base, bar) for bar in kept)
    return _BarChart(
        bars=kept,
        columns=columns,
        labels=labels,
        beside_ticks=axis.others(labels) if axis else labels,
        names=page.names,
        scale=Scale(axis=axis, base=base, stacked=stacked, diverging=diverging),
        lying=lying,
    )


def _on_page(box: Corners | None) -> Corners | None:
    """Where on the page a box of the frame is in which lying bars stand."""
    return None if box is None else (-box[3], box[0], -box[1], box[2])


def _base_of(bars: Sequence[ColourPart]) -> float:
    """Where bars start: the edge that most of them share."""
    edges = Counter(edge for bar in bars for edge in (bar.y1, bar.y0))
    return float(max(edges, key=lambda edge: (edges[edge] + edges[edge - 1] + edges[edge + 1], edges[edge])))


def _starts_at(base: float, bar: ColourPart) -> bool:
    return min(abs(bar.y0 - base), abs(bar.y1 - base)) <= 3


def _without_strays(bars: tuple[ColourPart, ...]) -> tuple[ColourPart, ...]:
    """The bars without strays: where nearly all start at one line, others must stand on a bar."""
    base = _base_of(bars)
    if sum(_starts_at(base, bar) for bar in bars) < 0.7 * len(bars):
        return bars
    kept = []
    for bar in bars:
        column = (other for other in bars if other is not bar and abs(bar.x - other.x) <= 2)
        if _starts_at(base, bar) or any(min(abs(bar.y1 - one.y0), abs(bar.y0 - one.y1)) <= 3 for one in column):
            kept.append(bar)
    return tuple(kept)


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


def _slots(chart: _BarChart) -> Sequence[Slot]:
    """The places of the categories; in a plain chart each has one bar, the longest."""
    if chart.scale.stacked:
        return chart.columns
    if len({bar.colour for bar in chart.bars} & chart.names.keys()) >= 2:
        return grouped_slots(chart.bars)
    return [replace(slot, bars=(max(slot.bars, key=lambda bar: bar.height),)) for slot in chart.columns]


def _names(chart: _BarChart, slots: Sequence[Slot]) -> tuple[dict[int, str], set[int]]:
    """The names of the slots and the labels they were made of: the text beyond the start of the bars, or a scale under them."""
    candidates = _name_candidates(chart, slots)
    used = {id(label) for label in candidates}
    names = names_at(slots, candidates, reach=_reach(slots))
    if chart.lying:
        return names, used
    if bins := _bin_names(slots, candidates):
        return bins, used
    if len(names) < 0.7 * len(slots) and (measured := _names_on_scale(chart, slots)):
        return measured
    steps = [b.x - a.x for a, b in itertools.pairwise(slots)]
    even = len(steps) >= 3 and max(steps) <= 1.2 * min(steps)
    return fill_names(names, len(slots)) if even else names, used


def _names_on_scale(chart: _BarChart, slots: Sequence[Slot]) -> tuple[dict[int, str], set[int]] | None:
    axis = chart.scale.axis
    places = places_along(chart.labels, axis) if axis else None
    if places is None or places.scale is None:
        return None
    numbers = [places.name_at(slot.x, 0.3 * _reach(slots)) for slot in slots]
    return {place: number for place, number in enumerate(numbers) if number}, set(map(id, places.labels))


def _name_candidates(chart: _BarChart, slots: Sequence[Slot]) -> list[ChartLabel]:
    """The labels beyond the start of the bars that may name them."""
    candidates = _labels_beyond(chart, slots)
    if chart.lying:
        candidates = [label for label in candidates if label.lie != "upright"]
    else:
        height = text_height(chart.labels)
        candidates = _without_axis_title(_first_rows(candidates, height), slots, height)
    if chart.scale.diverging and any(map(is_wordy, candidates)):
        return [label for label in candidates if label.quantity is None]  # values end beside the names
    return candidates


def _labels_beyond(chart: _BarChart, slots: Sequence[Slot]) -> list[ChartLabel]:
    """The labels under all bars and all ticks."""
    base, axis, reach = chart.scale.base, chart.scale.axis, _reach(slots)
    floor = max(base, axis.floor if axis else base, *(bar.y1 for bar in chart.bars))
    left, right = slots[0].x - reach, slots[-1].x + reach
    return [one for one in chart.beside_ticks if one.y > floor and left <= one.x <= right + one.width]


def _reach(slots: Sequence[Slot]) -> float:
    return 0.55 * _pitch(slots) if len(slots) > 1 else 200.0


def _pitch(slots: Sequence[Slot]) -> float:
    return min((b.x - a.x for a, b in itertools.pairwise(slots)), default=400.0)


def _first_rows(labels: Sequence[ChartLabel], height: float) -> list[ChartLabel]:
    """The rows of text nearest to the axis: a wider gap parts category names from the axis title and the legend."""
    rows = sorted(labels, key=lambda one: one.box.y0)
    steps = (below.box.y0 - above.box.y0 for above, below in itertools.pairwise(rows))
    return rows[: next((n for n, step in enumerate(steps, start=1) if step > 0.95 * height), len(rows))]


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
    pitch = _pitch(slots)
    if len(slots) < 3 or min(bar.width for slot in slots for bar in slot.bars) < _TOUCHING * pitch:
        return {}
    scale = find_axis(labels, upward=False)
    if scale is None:
        return _names_at_starts(slots, labels)
    places = np.array([(tick.x - slots[0].x) / pitch + 0.5 for tick in scale.ticks])
    if (np.abs(places - np.round(places)) <= _AT_EDGE).mean() < 0.8:
        return {}
    step = roundest(abs(scale.slope) * pitch, 0.12 * abs(scale.slope) * pitch)
    edges, years = _bin_edges(scale, places, step, len(slots)), are_years(scale)
    return {n: a if years else f"{a}-{b}" for n, (a, b) in enumerate(itertools.pairwise(edges))}


def _bin_edges(scale: Axis, places: NDArray[np.float64], step: float, count: int) -> list[str]:
    """The numbers at the edges of bins a step wide, by the ticks and which edges these stand at."""
    values = np.array([tick.quantity.full for tick in scale.ticks if tick.quantity])
    first = float(np.median(values - step * np.round(places)))
    return [f"{first + number * step:g}" for number in range(count + 1)]


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


def _series(chart: _BarChart, slots: Sequence[Slot]) -> dict[ColourPart, str]:
    """The series of each bar: by the legend, by headings over the bars, or the same for all if each slot has one bar.

    Bars that stand on each other with nothing to name them stay unnamed.
    """
    by_legend = {bar: chart.names[bar.colour] for bar in chart.bars if bar.colour in chart.names}
    if len({bar.colour for bar in by_legend}) >= 2 or len(by_legend) == len(chart.bars):
        return by_legend
    if any(len(slot.bars) > 1 for slot in slots):
        return _names_by_heading(chart, slots) if chart.lying else {}
    ticks = chart.scale.axis.ticks if chart.scale.axis else ()
    return dict.fromkeys(chart.bars, value_title(chart.labels, ticks, lying=chart.lying))


_LINES = 3.6  # headings stand within this many lines of text over the bars
_RUN_TOGETHER = re.compile(r"[a-z][A-Z]")  # "MixedMostly": headings of two bars, of which one may be missing


def _names_by_heading(chart: _BarChart, slots: Sequence[Slot]) -> dict[ColourPart, str]:
    """The series of each lying bar by the heading over its place in the row; nothing if headings and bars differ in number.

    Headings stand over the first row, or over its bars.
    """
    most = max(len(slot.bars) for slot in slots)
    full = [slot for slot in slots if len(slot.bars) == most]
    headings = _headings_over(min(slots, key=lambda slot: slot.x), chart.labels)
    if len(headings) < most:
        top = min(bar.x0 for bar in chart.bars)
        headings = _headings_by_bar(_left_to_right(min(full, key=lambda slot: slot.x).bars), top, chart.labels)
    if len(headings) != most or any(map(_RUN_TOGETHER.search, headings)):
        return {}
    names = {bar: text for slot in full for bar, text in zip(_left_to_right(slot.bars), headings, strict=True)}
    return _names_by_colour(chart.bars, names) | names


def _names_by_colour(bars: Sequence[ColourPart], names: Mapping[ColourPart, str]) -> dict[ColourPart, str]:
    """The names of bars, also of rows that lack some, by their colour, as far as the named ones teach it."""
    known: dict[int, set[str]] = {}
    for bar, name in names.items():
        known.setdefault(bar.colour, set()).add(name)
    sure = {colour: one.pop() for colour, one in known.items() if len(one) == 1}
    return {bar: sure[bar.colour] for bar in bars if bar.colour in sure}


def _headings_by_bar(bars: Sequence[ColourPart], top: float, labels: Sequence[ChartLabel]) -> list[str]:
    """The texts over the top, each given to the bar it stands over; nothing if a bar has none.

    Words over two bars were run together by the recogniser.
    """
    height, over = text_height(labels), _lowest_lines(_texts_over(top, labels))
    groups: list[list[ChartLabel]] = [[] for _ in bars]
    for piece in itertools.chain.from_iterable(pieces(replace(one, box=one.page)) for one in over):
        middle = piece.page.x
        away = [max(-bar.y1 - middle, middle + bar.y0, 0.0) for bar in bars]
        if min(away) <= 3 * height:
            groups[away.index(min(away))].append(piece)
    return list(map(join, groups)) if all(groups) else []


def _texts_over(top: float, labels: Sequence[ChartLabel]) -> list[ChartLabel]:
    """The level texts of usual height; text flush with the title is a sentence."""
    height, left = text_height(labels), min((one.page.x0 for one in labels), default=0.0)
    return [
        one
        for one in labels
        if one.lie == "level"
        and is_wordy(one)
        and one.page.height < 1.3 * height
        and one.page.x0 > left + height
        and top - _LINES * height <= one.page.y1 - height / 2 < top + height / 2
    ]


def _lowest_lines(labels: Sequence[ChartLabel]) -> list[ChartLabel]:
    """The lines of text from the lowest up to the first gap, which parts headings from the sentence over them."""
    lines = sorted(labels, key=lambda one: -one.page.y1)
    tops = itertools.accumulate((one.page.y0 for one in lines), min)
    gaps = (over.page.y1 < top for top, over in zip(tops, lines[1:], strict=False))
    return lines[: next((n for n, gap in enumerate(gaps, start=1) if gap), len(lines))]


def _left_to_right(bars: Sequence[ColourPart]) -> list[ColourPart]:
    return sorted(bars, key=lambda bar: -bar.y1)


def _headings_over(first: Slot, labels: Sequence[ChartLabel]) -> list[str]:
    """The short texts a few lines over the first row, from left to right; lines that overlap are one heading."""
    height = text_height(labels)
    row = Box.around((-bar.y1, bar.x0, -bar.y0, bar.x1) for bar in first.bars)
    over = [
        one
        for one in labels
        if is_wordy(one)
        and row.y0 - _LINES * height <= one.page.y < row.y0
        and one.page.overlap(row).width > -2 * height
        and one.page.width < 0.6 * row.width
    ]
    columns = groups_of(
        sorted(over, key=lambda label: label.page.x0),
        lambda label, column: label.page.x0 < page_of(column).x1 - 0.5 * height,
    )
    return list(map(join, columns))
