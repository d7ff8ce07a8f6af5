"""The facts of a line chart: every line's value at every category, and the names written at the lines."""

from __future__ import annotations

import itertools
import math
import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evpv.perception.charts.axes import Axis
from evpv.perception.charts.facts import Evidence, Fact
from evpv.perception.charts.labels import Label, is_wordy, text_height
from evpv.perception.charts.legends import Entry
from evpv.perception.charts.lines import Plot, Stroke
from evpv.perception.charts.sequences import names_of_all
from evpv.perception.charts.slots import Slot, anchor, join, names_at
from evpv.perception.charts.titles import axis_title, chart_title
from evpv.perception.charts.values import agrees_with
from evpv.perception.ocr import Pixels
from evpv.types import Box

_SAME_INK = 90.0
OWN_INK = 60.0  # text this near to the line's colour may name it from anywhere along it


def names_of_strokes(picture: Pixels, plot: Plot, strokes: Sequence[Stroke], labels: Sequence[Label]) -> dict[int, str]:
    """The name of each stroke by its colour: the text that ends it, of its own colour where text is coloured."""
    texts = [one for one in labels if is_wordy(one) and one.lie == "level" and _may_name(one, plot)]
    pairs = []
    for i, stroke in enumerate(strokes):
        ink = stroke_ink(picture, stroke)
        for j, text in enumerate(texts):
            tint = float(np.linalg.norm(text_ink(picture, text) - ink))
            away = min(_away(stroke, text), _aside(stroke, text) if tint <= OWN_INK else math.inf)
            if away <= 60 and (tint <= _SAME_INK or away <= 30):
                pairs.append((away + 0.3 * tint, i, j))
    names: dict[int, str] = {}
    taken: set[int] = set()
    for _, i, j in sorted(pairs):
        if strokes[i].colour not in names and j not in taken:
            lines = [texts[j], *_further_lines(texts, j, taken)]
            taken.update(k for k, text in enumerate(texts) if text in lines)
            names[strokes[i].colour] = join(lines)
    return names


def _may_name(label: Label, plot: Plot) -> bool:
    return plot.top - 10 <= label.y <= plot.bottom and label.box[0] > plot.left


def _away(stroke: Stroke, text: Label) -> float:
    """How far a text is from the end of a stroke; the very last column may be spoilt by what touches the line."""
    x = float(stroke.columns[-1])
    ends = float(stroke.heights[-1]), float(np.median(stroke.heights[-8:]))
    beside = max(0.0, text.box[0] - x, x - text.box[2])
    return beside + min(abs(text.y - end) for end in ends)


def _aside(stroke: Stroke, text: Label) -> float:
    """How far a text stands above or below a stroke; far if the stroke does not pass it."""
    passing = (stroke.columns >= text.box[0]) & (stroke.columns <= text.box[2])
    return float(np.abs(stroke.heights[passing] - text.y).min()) if passing.any() else math.inf


def stroke_ink(picture: Pixels, stroke: Stroke) -> NDArray[np.float64]:
    """The usual colour along a stroke."""
    rows = np.clip(np.round(stroke.heights).astype(int), 0, picture.shape[0] - 1)
    ink: NDArray[np.float64] = np.median(picture[rows, stroke.columns], axis=0)
    return ink


def text_ink(picture: Pixels, label: Label) -> NDArray[np.float64]:
    """The colour of a label's letters: its pixels farthest from their surroundings."""
    x0, y0, x1, y1 = (max(0, int(v)) for v in label.page)
    crop = picture[y0 : y1 + 1, x0 : x1 + 1].reshape(-1, 3).astype(np.float64)
    paper = np.median(crop, axis=0)
    far = np.linalg.norm(crop - paper, axis=1)
    ink: NDArray[np.float64] = crop[far >= np.quantile(far, 0.95)].mean(axis=0)
    return ink


def _further_lines(texts: Sequence[Label], start: int, taken: set[int]) -> list[Label]:
    """Lines of the same name under the first: close beneath and flush left."""
    first = texts[start]
    return [
        text
        for k, text in enumerate(texts)
        if k != start
        and k not in taken
        and abs(text.box[0] - first.box[0]) <= 5
        and 0 < text.y - first.y <= 0.9 * first.height
    ]


_YEAR = re.compile(r"(?:1[89]|20)\d\d")
_LEAST_PITCH_PX = 4.0  # between two years


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A category of the axis: where it is and what it is called."""

    x: float
    name: str


def read_lines(
    picture: Pixels, plot: Plot, strokes: Sequence[Stroke], labels: Sequence[Label], legend: Sequence[Entry]
) -> list[Fact]:
    """Each stroke read at each place; a number printed at the point goes before the measured one if the two agree."""
    places, used = find_places(plot, strokes)
    ticks = {id(tick) for tick in plot.axis.ticks}
    numbers = [one for one in labels if one.quantity and id(one) not in used and id(one) not in ticks]
    names = names_of_lines(picture, plot, strokes, labels, legend)
    facts = []
    for stroke in strokes:
        for place in places:
            height = stroke.height_at(place.x)
            if height is not None and plot.axis.covers(height) and stroke.colour in names:
                facts.append(_fact(place, names[stroke.colour], height, numbers, plot.axis))
    return facts


def _fact(place: Place, series: str, height: float, numbers: Sequence[Label], axis: Axis) -> Fact:
    measured = axis.value(height)
    near = [one for one in numbers if _at(one, place.x, height) and agrees_with(one, measured, axis)]
    if near:
        nearest = min(near, key=lambda one: abs(one.x - place.x) + abs(one.y - height))
        assert nearest.quantity is not None
        return Fact(
            category=place.name,
            series=series,
            value=nearest.quantity.value,
            unit=nearest.quantity.unit,
            evidence=Evidence.AGREEING,
            box=nearest.page,
        )
    box: Box = (place.x - 4, height - 4, place.x + 4, height + 4)
    return Fact(
        category=place.name,
        series=series,
        value=measured / axis.scale,
        unit=axis.unit,
        evidence=Evidence.MEASURED,
        box=box,
    )


def _at(label: Label, x: float, y: float) -> bool:
    return abs(label.x - x) <= max(10.0, 0.6 * label.width) and abs(label.y - y) <= 2.2 * label.height


def find_places(plot: Plot, strokes: Sequence[Stroke]) -> tuple[list[Place], set[int]]:
    """The categories under the plot; where lines have markers, also those between the printed names."""
    row = plot.row
    used = {id(label) for label in row}
    if len(row) < 2:
        return [], used
    centres = sorted(anchor(label) for label in row)
    slots = [Slot(x=x) for x in centres]
    reach = 0.5 * min((b.x - a.x for a, b in itertools.pairwise(slots)), default=50.0)
    names = names_at(slots, row, reach=max(reach, 6.0))
    printed = [Place(x=slots[n].x, name=name) for n, name in sorted(names.items())]
    return _with_years(_with_markers(printed, strokes, row), strokes), used


def _with_years(places: Sequence[Place], strokes: Sequence[Stroke]) -> list[Place]:
    """The places of a single line without markers, with the years that are not printed, where time runs evenly.

    Medians, because the first and the last label may be moved inward to stay within the plot.
    """
    plain = len(strokes) == 1 and len(strokes[0].markers) < len(places)
    if not plain or len(places) < 3 or not all(_YEAR.fullmatch(place.name) for place in places):
        return list(places)
    years = [int(place.name) for place in places]
    pitches = [(b.x - a.x) / max(int(b.name) - int(a.name), 1) for a, b in itertools.pairwise(places)]
    pitch = statistics.median(pitches)
    starts = [place.x - pitch * year for place, year in zip(places, years, strict=True)]
    start = statistics.median(starts)
    uneven = statistics.median(abs(one - start) for one in starts) > 0.2 * pitch
    if pitch < _LEAST_PITCH_PX or uneven or years != sorted(years):
        return list(places)
    first, last = (round((end - start) / pitch) for end in strokes[0].columns[[0, -1]])
    return [Place(x=pitch * year + start, name=str(year)) for year in range(first, last + 1)]


def _with_markers(printed: Sequence[Place], strokes: Sequence[Stroke], row: Sequence[Label]) -> list[Place]:
    """The places, with those between that an axis had no room to name but where lines have a marker.

    An axis with room for every name that prints only some is an axis of ticks: nothing is said about those between.
    """
    marked = max((stroke.markers for stroke in strokes), key=len, default=())
    steps = [b[0] - a[0] for a, b in itertools.pairwise(marked) if b[0] - a[0] > 3]
    if len(marked) < 4 or not steps or len(printed) < 2:
        return list(printed)
    pitch = statistics.median(steps)
    room = statistics.median(label.width if label.lie == "level" else text_height(row) for label in row)
    if pitch > 1.1 * room:
        return list(printed)
    start = marked[0][0]
    numbers = np.round([(place.x - start) / pitch for place in printed]).astype(int)
    first = min(0, int(numbers.min()))
    count = max(round((marked[-1][0] - start) / pitch), int(numbers.max())) - first + 1
    names = {int(n) - first: place.name for n, place in zip(numbers, printed, strict=True)}
    if len(names) < len(printed):
        return list(printed)
    return [Place(x=start + (n + first) * pitch, name=name) for n, name in names_of_all(names, count).items()]


def names_of_lines(
    picture: Pixels, plot: Plot, strokes: Sequence[Stroke], labels: Sequence[Label], legend: Sequence[Entry]
) -> dict[int, str]:
    """The names of strokes by colour: from the legend, from text at the lines, or for a single line from a title."""
    by_colour = {entry.colour: entry.name for entry in legend}
    if by_colour:
        return by_colour
    direct = names_of_strokes(picture, plot, strokes, labels)
    if direct:
        return direct
    title = axis_title(labels, plot.axis.ticks, lying=False) or chart_title(labels)
    return {strokes[0].colour: title} if len(strokes) == 1 else {}
