"""Bar charts: standing or lying, single, grouped or stacked. All is done in the frame in which bars stand."""

from __future__ import annotations

import itertools
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evpv.perception.charts.axes import Axis, find_axis, grid_lines, on_grid
from evpv.perception.charts.facts import Fact
from evpv.perception.charts.labels import Label, is_wordy, text_height
from evpv.perception.charts.legends import Entry
from evpv.perception.charts.palette import Part
from evpv.perception.charts.sequences import names_of_all
from evpv.perception.charts.slots import Slot, grouped_slots, names_at, places_along, single_slots
from evpv.perception.charts.titles import axis_title, chart_title, names_by_heading
from evpv.perception.charts.values import Reading, Scale, read_values
from evpv.perception.ocr import Pixels

_OUTLINE_PX = 6  # rows looked at beyond a bar's end
_OTHER_COLOUR = 50.0  # off any mixture of the bar's colour and the paper's


@dataclass(frozen=True, slots=True, kw_only=True)
class BarChart:
    """A bar chart taken apart, in the frame in which its bars stand."""

    bars: tuple[Part, ...]
    labels: tuple[Label, ...]
    legend: tuple[Entry, ...]
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

    @property
    def diverging(self) -> bool:
        """Whether all bars start at one line and run to either side of it."""
        return self.is_stacked and all(min(abs(bar.y0 - self.base), abs(bar.y1 - self.base)) <= 3 for bar in self.bars)


def read_bars(
    picture: Pixels, bars: Sequence[Part], lying: bool, labels: Sequence[Label], legend: tuple[Entry, ...]
) -> list[Fact]:
    """The facts of a bar chart: each bar's category, series and value."""
    framed = tuple(label.quarter_turn() if lying else label for label in labels)
    axis = find_axis(framed, upward=True)
    axis = on_grid(axis, grid_lines(picture, lying=lying)) if axis else None
    whole = _without_strays(_whole(bars, framed))
    fine = tuple(_with_fine_ends(_upright_picture(picture) if lying else picture, bar, lying) for bar in whole)
    chart = BarChart(bars=fine, labels=framed, legend=legend, axis=axis, lying=lying)
    slots = _slots(chart)
    names, used = _names(chart, slots)
    series = _series(chart, slots)
    ticks = {id(tick) for tick in axis.ticks} if axis else set()
    free = [label for label in framed if label.quantity and id(label) not in used and id(label) not in ticks]
    scale = Scale(axis=axis, base=chart.base, stacked=chart.is_stacked, diverging=chart.diverging)
    readings = read_values(chart.bars, free, scale)
    return [
        _fact(names[number], series[bar], readings[bar], lying)
        for number, slot in enumerate(slots)
        for bar in slot.bars
        if number in names and bar in readings and bar in series
    ]


def _fact(category: str, series: str, reading: Reading, lying: bool) -> Fact:
    x0, y0, x1, y1 = reading.box
    box = (-y1, x0, -y0, x1) if lying else reading.box
    return Fact(
        category=category,
        series=series,
        value=reading.value,
        unit=reading.unit,
        evidence=reading.evidence,
        box=box,
        error=reading.error,
    )


def _upright_picture(picture: Pixels) -> Pixels:
    """The picture turned a quarter as bars that lie are: rows that count from the end are those of negative height."""
    return picture.transpose(1, 0, 2)[::-1]


def _with_fine_ends(picture: Pixels, bar: Part, lying: bool) -> Part:
    """The bar with both ends where they are between two pixels: the row beyond an end has a share of the bar's colour.

    Where that row has a colour of its own it is an outline or the axis, in whose middle the bar ends.
    """
    if bar.height < 4 or bar.width < 6:
        return bar
    below = len(picture) if lying else 0
    inner = slice(int(bar.x0 + bar.width // 4), int(bar.x1 - bar.width // 4))
    rows = {
        y: np.median(picture[y + below, inner], axis=0)
        for y in range(int(bar.y0) - _OUTLINE_PX, int(bar.y1) + _OUTLINE_PX)
        if 0 <= y + below < len(picture)
    }
    top = _beyond(rows, int(bar.y0) - 1, -1, rows[int(bar.y0) + 1])
    foot = _beyond(rows, int(bar.y1), 1, rows[int(bar.y1) - 2])
    return replace(bar, y0=bar.y0 - top, y1=bar.y1 + foot)


def _beyond(rows: Mapping[int, NDArray[np.float64]], first: int, step: int, ink: NDArray[np.float64]) -> float:
    """By how many pixels a bar reaches beyond its last full row."""
    paper = rows.get(first + step * (_OUTLINE_PX - 1))
    if paper is None or first not in rows or not (depth := float(((ink - paper) ** 2).sum())):
        return 0.0
    outline = 0
    while outline < _OUTLINE_PX - 1 and _off_ramp(rows[first + step * outline], paper, ink) > _OTHER_COLOUR:
        outline += 1
    if outline:
        return outline / 2 if outline < _OUTLINE_PX - 1 else 0.0
    share = float((rows[first] - paper) @ (ink - paper)) / depth
    return min(max(share, 0.0), 1.0)


def _off_ramp(colour: NDArray[np.float64], paper: NDArray[np.float64], ink: NDArray[np.float64]) -> float:
    """How far a colour is from every mixture of paper and ink."""
    way = ink - paper
    share = float(np.clip((colour - paper) @ way / max(float(way @ way), 1.0), 0, 1))
    return float(np.linalg.norm(colour - paper - share * way))


def _base_of(bars: Sequence[Part]) -> float:
    """Where bars start: the edge that most of them share."""
    ends = [edge for bar in bars for edge in (bar.y1, bar.y0)]
    edges = Counter(round(edge) for edge in ends)
    base = max(edges, key=lambda edge: (edges[edge] + edges[edge - 1] + edges[edge + 1], edges[edge]))
    return statistics.median(edge for edge in ends if abs(edge - base) <= 1.5)


def _without_strays(bars: tuple[Part, ...]) -> tuple[Part, ...]:
    """The bars without strays: where nearly all start at one line, others must stand on a bar."""
    base = _base_of(bars)
    firm = [bar for bar in bars if min(abs(bar.y1 - base), abs(bar.y0 - base)) <= 3]
    if len(firm) < 0.7 * len(bars):
        return bars
    return tuple(bar for bar in bars if bar in firm or any(_stands_on(bar, other) for other in bars))


def _stands_on(bar: Part, other: Part) -> bool:
    touching = min(abs(bar.y1 - other.y0), abs(bar.y0 - other.y1)) <= 3
    return bar is not other and abs(bar.x - other.x) <= 2 and touching


def _whole(bars: Sequence[Part], labels: Sequence[Label]) -> tuple[Part, ...]:
    """The bars, with those put together that a number printed across them cut in two."""
    height = text_height(labels)
    whole: list[Part] = []
    for bar in sorted(bars, key=lambda b: (b.x0, b.y0)):
        last = whole[-1] if whole else None
        if last and last.colour == bar.colour and abs(last.x - bar.x) <= 2 and 0 <= bar.y0 - last.y1 <= height:
            whole[-1] = replace(last, y1=bar.y1)
        else:
            whole.append(bar)
    return tuple(whole)


def _slots(chart: BarChart) -> list[Slot]:
    colours = {bar.colour for bar in chart.bars}
    named = {entry.colour for entry in chart.legend}
    if not chart.is_stacked and len(colours & named) >= 2:
        return grouped_slots(chart.bars)
    slots = single_slots(chart.bars)
    if chart.is_stacked:
        return slots
    return [replace(slot, bars=(max(slot.bars, key=lambda bar: bar.height),)) for slot in slots]


def _names(chart: BarChart, slots: Sequence[Slot]) -> tuple[dict[int, str], set[int]]:
    """The names of the slots and the labels they were made of: the text beyond the start of the bars.

    Where that only repeats the legend, the bars are panels of one plot, named by the headings over them.
    """
    reach = _reach(slots)
    labels = _labels_beyond(chart, slots, reach)
    names = names_at(slots, labels, reach=reach)
    if names and all(_is_of_legend(name, chart.legend) for name in names.values()):
        over = _labels_over(chart)
        return names_at(slots, over, reach=reach), {id(label) for label in (*labels, *over)}
    places = places_along(chart.labels, chart.axis) if chart.axis and not chart.lying else None
    if places is not None and places.scale is not None and len(names) < 0.7 * len(slots):
        names = {number: name for number, slot in enumerate(slots) if (name := places.name_at(slot.x, 0.3 * reach))}
        return names, {id(label) for label in places.labels}
    if not chart.lying and _evenly_spaced(slots):
        names = names_of_all(names, len(slots))
    return names, {id(label) for label in labels}


def _is_of_legend(name: str, legend: Sequence[Entry]) -> bool:
    """Whether a name is made of whole names of the legend."""
    rest = name.casefold()
    for entry in legend:
        rest = rest.replace(entry.name.casefold(), "")
    return not rest.strip()


def _labels_beyond(chart: BarChart, slots: Sequence[Slot], reach: float) -> list[Label]:
    """What stands beyond the start of the bars and is no tick: names of categories."""
    ticks = chart.axis.ticks if chart.axis else ()
    floor = max(chart.base, *(bar.y1 for bar in chart.bars), *(tick.y for tick in ticks))
    left, right = slots[0].x - reach, slots[-1].x + reach
    beyond = [one for one in chart.labels if one.y > floor and left <= one.x <= right + one.width]
    beyond = [one for one in beyond if not any(one is tick for tick in ticks)]
    if not chart.lying:
        beyond = _first_rows(beyond, text_height([one for one in chart.labels if one.lie == "level"]))
    else:
        beyond = [one for one in beyond if one.lie != "upright"]
    if chart.diverging and any(map(is_wordy, beyond)):
        beyond = [one for one in beyond if one.quantity is None]  # values end beside the names
    return beyond


def _labels_over(chart: BarChart) -> list[Label]:
    """The lowest row of text over the plot."""
    ticks = chart.axis.ticks if chart.axis else ()
    top = min(*(bar.y0 for bar in chart.bars), *(tick.box[1] for tick in ticks))
    over = [label for label in chart.labels if label.box[3] <= top + label.height / 2]
    lowest = max((label.y for label in over), default=0.0)
    return [label for label in over if lowest - label.y <= 0.5 * label.height]


def _reach(slots: Sequence[Slot]) -> float:
    if len(slots) < 2:
        return 200.0
    return 0.55 * min(b.x - a.x for a, b in itertools.pairwise(slots))


def _evenly_spaced(slots: Sequence[Slot]) -> bool:
    steps = [b.x - a.x for a, b in itertools.pairwise(slots)]
    return len(steps) >= 3 and max(steps) <= 1.2 * min(steps)


def _first_rows(labels: Sequence[Label], height: float) -> list[Label]:
    """The rows of text nearest to the axis: a wider gap parts category names from the axis title and the legend."""
    rows: list[Label] = []
    bottom: float | None = None
    for label in sorted(labels, key=lambda item: item.box[1]):
        line = label.box[1] + height / 2
        if bottom is not None and line - bottom > 0.95 * height:
            break
        rows.append(label)
        bottom = line if bottom is None else max(bottom, line)
    return rows


def _series(chart: BarChart, slots: Sequence[Slot]) -> dict[Part, str]:
    """The series of each bar: by the legend, by headings over the bars, or the same for all if each slot has one bar.

    Bars that stand on each other with nothing to name them stay unnamed.
    """
    names = {entry.colour: entry.name for entry in chart.legend}
    if len({bar.colour for bar in chart.bars} & set(names)) >= 2:
        return {bar: names[bar.colour] for bar in chart.bars if bar.colour in names}
    if chart.lying and (headed := names_by_heading(slots, chart.labels)):
        return headed
    if max(len(slot.bars) for slot in slots) > 1:
        return {}
    ticks = chart.axis.ticks if chart.axis else ()
    title = axis_title(chart.labels, ticks, lying=chart.lying) or chart_title(chart.labels)
    return dict.fromkeys(chart.bars, title)
