"""The facts of a line chart: every line's value at every category."""

from __future__ import annotations

import itertools
import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Box, runs_apart
from evpv.perception.charts.axes import Axis
from evpv.perception.charts.facts import ChartValue, ValueSource
from evpv.perception.charts.labels import YEAR, ChartLabel, PrintedNumber, text_height
from evpv.perception.charts.legends import Chart
from evpv.perception.charts.lines import Plot, Stroke, names_of_strokes
from evpv.perception.charts.scales import roundest
from evpv.perception.charts.slots import Slot, anchor, fill_names, names_at
from evpv.perception.charts.values import agrees_with

_AT_POINT_PX = 5.0  # between a tick of a scale and a line's point at it
_ERROR_PX = 0.7  # that a line's height may be off
_LEAST_PITCH_PX = 4.0  # between two years
# Of the distance between years that a turn is off, and turns that tell more than labels.
_AT_TURN, _LEAST_TURNS = 0.3, 4
_AT_MARKER = 0.2  # of that distance that a marker is off the place it marks
_AT_YEARS, _TURNED = 0.6, 0.4  # of the turns of lines, and of the years between the printed ones
_KINDS = YEAR, re.compile("[a-z]"), re.compile("[A-Z]")  # of names that can be counted on
# Of the ticks of a scale, at which all points of lines may stand, and the first of them.
_POINT_STEPS = [(step, first) for step in (10, 5, 4, 2) for first in range(step)]
_ON_TICK, _AT_STEPS = 0.2, 0.85  # of the distance between ticks that a point is off, and of the points at ticks


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """A category of the axis: where it is and what it is called."""

    x: float
    name: str


def read_lines(chart: Chart, plot: Plot, strokes: Sequence[Stroke]) -> list[ChartValue]:
    """Each stroke read at each place; a number printed at the point goes before the measured one if the two agree."""
    places, used = find_places(plot, strokes)
    numbers = [(one, one.quantity) for one in plot.axis.others(chart.labels) if one.quantity and id(one) not in used]
    names = names_of_strokes(chart, plot, strokes)
    known = [one for one in strokes if one.colour in names]
    return [fact for one in known for fact in _facts_along(one, names[one.colour], places, numbers, plot)]


def _facts_along(
    stroke: Stroke,
    name: str,
    places: Sequence[_Place],
    numbers: Sequence[tuple[ChartLabel, PrintedNumber]],
    plot: Plot,
) -> list[ChartValue]:
    """A stroke read at each place.

    At a tick of a scale it need not have a point of its own: where it has no marker and neither turns nor ends, its
    value is rough.
    """
    points = [x for x, _ in stroke.markers] or [*stroke.turns, *map(float, stroke.columns[[0, -1]])]
    on_scale = _is_scale(plot.row)
    facts = []
    for place in places:
        height = stroke.height_at(place.x)
        if height is None or not plot.axis.covers(height):
            continue
        fact = _fact(place, name, height, numbers, plot.axis)
        own = min(abs(point - place.x) for point in points) <= _AT_POINT_PX
        if on_scale and not own and fact.evidence is not ValueSource.AGREEING:
            fact = replace(fact, evidence=ValueSource.ROUGH)
        facts.append(fact)
    return facts


def _is_scale(row: Sequence[ChartLabel]) -> bool:
    """Whether what stands under a plot are the ticks of a scale, and no names or years."""
    return all(label.quantity is not None and not YEAR.match(label.text) for label in row)


def _fact(
    place: _Place, series: str, height: float, numbers: Sequence[tuple[ChartLabel, PrintedNumber]], axis: Axis
) -> ChartValue:
    measured = axis.value(height)
    near = [
        (abs(label.x - place.x) + abs(label.y - height), label.page, quantity)
        for label, quantity in numbers
        if abs(label.x - place.x) <= max(10.0, 0.6 * label.width)
        and abs(label.y - height) <= 2.2 * label.height
        and agrees_with(quantity, measured, axis)
    ]
    if near:
        _, page, quantity = min(near, key=lambda one: one[0])
        return ChartValue.from_print(quantity, page, category=place.name, series=series)
    error = abs(axis.value(height + _ERROR_PX) - measured)
    return ChartValue(
        category=place.name,
        series=series,
        value=(0.0 if abs(measured) <= 2 * error else roundest(measured, error)) / axis.scale,
        unit=axis.unit,
        evidence=ValueSource.MEASURED,
        box=Box(place.x - 4, height - 4, place.x + 4, height + 4),
    )


def find_places(plot: Plot, strokes: Sequence[Stroke]) -> tuple[list[_Place], set[int]]:
    """The categories under the plot, each where its label points to; where lines have markers, also those between the printed names."""
    row = plot.row
    used = {id(label) for label in row}
    if len(row) < 2:
        return [], used
    slots = [Slot(x=x) for x in sorted(map(anchor, row))]
    reach = 0.5 * min(b.x - a.x for a, b in itertools.pairwise(slots))
    names = names_at(slots, row, reach=max(reach, 6.0))
    places = _with_markers([_Place(x=slots[n].x, name=name) for n, name in sorted(names.items())], strokes, row)
    one_word = len({(label.box.y0, label.box.y1) for label in row}) == 1  # its letters only guess where its parts stand
    if one_word and _calendar(places) is None:
        return _at_turns(places, strokes), used
    if _is_scale(row):
        return _where_points_are(places, strokes), used
    return _with_years(places, strokes), used


def _where_points_are(places: Sequence[_Place], strokes: Sequence[Stroke]) -> list[_Place]:
    """Ticks of a scale without those between the points of lines, if lines turn or have markers at every second one or fewer.

    The widest step counts at which most points stand.
    """
    xs = np.array([place.x for place in places])
    pitch = float(np.median(np.diff(xs))) if len(xs) > 2 else 0.0
    points = np.array([*_turns_of(strokes), *(x for stroke in strokes for x, _ in stroke.markers)])
    if pitch < _LEAST_PITCH_PX or len(points) < 3:
        return list(places)
    at = np.round((points - xs[0]) / pitch)
    at = at[np.abs((points - xs[0]) / pitch - at) <= _ON_TICK]
    numbers = np.round((xs - xs[0]) / pitch)
    for step, first in _POINT_STEPS:
        on_step = at[at % step == first].tolist()
        if len(set(on_step)) >= 3 and len(on_step) >= max(_AT_STEPS * len(at), len(points) / 2):
            return list(itertools.compress(places, numbers % step == first))
    return list(places)


def _with_years(places: Sequence[_Place], strokes: Sequence[Stroke]) -> list[_Place]:
    """The places with the years or letters that are not printed: of a single line without markers, or where lines turn at them.

    Else they are moved to where turns of lines tell that their years are, if labels are near there.
    """
    calendar = _calendar(places)
    if calendar is None or not strokes:
        return list(places)
    years = [_ordinal(place.name) for place in places]
    by_turns = _with_turns(calendar, years, places, strokes)
    start, pitch = by_turns or calendar
    ends = (_ends_of(strokes, 0.6 * pitch) - start) / pitch
    every = range(round(float(ends.min())), round(float(ends.max())) + 1)
    turns = ((_turns_of(strokes) - start) / pitch).tolist()
    if _tell_every_year(strokes, turns, years, set(every)):
        name = str if YEAR.fullmatch(places[0].name) else chr
        return [_Place(x=pitch * year + start, name=name(year)) for year in every]
    return _moved_to(by_turns, years, places) if by_turns else list(places)


def _moved_to(grid: tuple[float, float], years: Sequence[int], places: Sequence[_Place]) -> list[_Place]:
    """The places where their years are on a grid, if all but the first and the last label are near there."""
    start, pitch = grid
    even = [_Place(x=pitch * year + start, name=place.name) for year, place in zip(years, places, strict=True)]
    off = [abs(one.x - other.x) for one, other in zip(even[1:-1], places[1:-1], strict=True)]
    return even if max(off) <= _AT_TURN * pitch else list(places)


def _tell_every_year(
    strokes: Sequence[Stroke], turns: Sequence[float], printed: Sequence[int], every: set[int]
) -> bool:
    """Whether years between the printed ones are told too: lines turn at them, and hardly elsewhere than at years.

    Or a single line without markers runs on, whose turns are not at the printed years alone.
    """
    between = every - set(printed)
    at = [round(turn) for turn in turns if abs(turn - round(turn)) <= 0.25]
    if len(at) >= _AT_YEARS * len(turns) and len(between & set(at)) >= _TURNED * max(len(between), 1):
        return True
    at_printed = [round(turn) in every - between and abs(turn - round(turn)) <= 0.5 for turn in turns]
    only_printed = len(at_printed) >= 2 and sum(at_printed) >= _AT_YEARS * len(at_printed)
    return len(strokes) == 1 and len(strokes[0].markers) < len(printed) and not only_printed


def _ordinal(name: str) -> int:
    """The number of a year, or of a letter in its alphabet."""
    return int(name) if YEAR.fullmatch(name) else ord(name)


def _turns_of(strokes: Sequence[Stroke]) -> NDArray[np.float64]:
    """Where along the axis lines bend."""
    return np.array([x for stroke in strokes for x in stroke.turns], np.float64)


def _calendar(places: Sequence[_Place]) -> tuple[float, float] | None:
    """Where the year 0 would stand and how far years are apart, if the places are years at even distances, or letters.

    Medians, because the first and the last label may be moved inward to stay within the plot.
    """
    names = [place.name for place in places]
    if len(names) < 3 or not any(all(map(kind.fullmatch, names)) for kind in _KINDS):
        return None
    years = np.array(list(map(_ordinal, names)))
    if (np.diff(years) < 0).any():
        return None
    xs = np.array([place.x for place in places])
    pitch = float(np.median(np.diff(xs) / np.maximum(np.diff(years), 1)))
    starts = xs - pitch * years
    start = float(np.median(starts))
    off = np.abs(starts - start)
    uneven = np.median(off) > 0.2 * pitch or off[1:-1].max() > 0.5 * pitch
    return None if pitch < _LEAST_PITCH_PX or uneven else (start, pitch)


def _with_turns(
    grid: tuple[float, float], numbers: Sequence[int], places: Sequence[_Place], strokes: Sequence[Stroke]
) -> tuple[float, float] | None:
    """The start and pitch of numbered places by where lines turn and end, if most of that is at such places; else None.

    Turns are drawn at their places, labels only near them.
    """
    start, pitch = grid
    turns = np.concatenate([_turns_of(strokes), _ends_of(strokes, pitch)]) if strokes else np.zeros(0)
    nearest = np.round((turns - start) / pitch)
    near = np.abs((turns - start) / pitch - nearest) <= _AT_TURN
    if near.sum() < max(_LEAST_TURNS, _AT_YEARS * len(turns)) or len(set(nearest[near].tolist())) < 3:
        return None
    known = np.concatenate([numbers, nearest[near]])
    xs = np.concatenate([[place.x for place in places], turns[near]])
    weights = np.concatenate([np.full(len(places), 0.5), np.ones(int(near.sum()))])
    pitch, start = np.polyfit(known, xs, 1, w=weights)
    return float(start), float(pitch)


def _at_turns(places: Sequence[_Place], strokes: Sequence[Stroke]) -> list[_Place]:
    """Names at even distances moved to where lines turn at them; others as they are."""
    numbers = range(len(places))
    if len(places) < _LEAST_TURNS:
        return list(places)
    xs = np.array([place.x for place in places])
    pitch, start = np.polyfit(numbers, xs, 1)
    even = float(np.abs(start + pitch * np.array(numbers) - xs).max()) <= _AT_TURN * pitch
    grid = _with_turns((float(start), float(pitch)), numbers, places, strokes) if even else None
    if grid is None:
        return list(places)
    return [_Place(x=grid[0] + grid[1] * number, name=place.name) for number, place in enumerate(places)]


def _ends_of(strokes: Sequence[Stroke], gap: float) -> NDArray[np.int64]:
    """Where lines start and end, without what lies beyond a gap, as the sample of a legend does."""
    return np.concatenate([max(runs_apart(one.columns, gap), key=len)[[0, -1]] for one in strokes])


def _with_markers(printed: Sequence[_Place], strokes: Sequence[Stroke], row: Sequence[ChartLabel]) -> list[_Place]:
    """The places, with those between that an axis had no room to name but where lines have a marker.

    An axis of numbers with room for all of them that prints only some has ticks: nothing is said about those between.
    """
    most = max((stroke.markers for stroke in strokes), key=len, default=())
    marked = np.array(most, np.float64).reshape(-1, 2)[:, 0]
    steps = np.diff(marked)
    if len(printed) < 2 or len(marked) < 4 or steps.max() <= 3:
        return list(printed)
    pitch = float(np.median(steps[steps > 3]))
    room = statistics.median(label.width if label.lie == "level" else text_height(row) for label in row)
    if pitch > 1.1 * room and all(label.quantity is not None for label in row):
        return list(printed)
    return _with_places_between(printed, marked, pitch)


def _with_places_between(printed: Sequence[_Place], marked: NDArray[np.float64], pitch: float) -> list[_Place]:
    """The places, with those that are a pitch apart between them, at their markers; only the printed ones if two are at one."""
    start = float(marked[0])
    numbers = np.round((np.array([place.x for place in printed]) - start) / pitch).astype(int)
    first = min(0, int(numbers.min()))
    count = max(round((float(marked[-1]) - start) / pitch), int(numbers.max())) - first + 1
    names = dict(zip((numbers - first).tolist(), (place.name for place in printed), strict=True))
    if len(names) < len(printed):
        return list(printed)
    places = []
    for number, name in fill_names(names, count).items():
        x = start + (number + first) * pitch
        marker = float(marked[np.abs(marked - x).argmin()])  # months are not of one length
        places.append(_Place(x=marker if abs(marker - x) <= _AT_MARKER * pitch else x, name=name))
    return places
