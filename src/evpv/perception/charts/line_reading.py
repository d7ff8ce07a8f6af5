"""The facts of a line chart: every line's value at every category.

Without a value axis the scale is the one that the numbers printed at the points make together.
"""

from __future__ import annotations

import itertools
import math
import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Box
from evpv.perception.charts.axes import Axis
from evpv.perception.charts.facts import ChartValue, ValueSource
from evpv.perception.charts.labels import ChartLabel, PrintedNumber, text_height
from evpv.perception.charts.legends import Entry, names_by_colour
from evpv.perception.charts.lines import OWN_INK, Plot, Stroke, names_of_strokes, stroke_ink, text_ink
from evpv.perception.charts.scales import roundest
from evpv.perception.charts.slots import Slot, anchor, fill_names, names_at, value_title
from evpv.perception.charts.values import agrees_with
from evpv.perception.ocr import Pixels

_YEAR = re.compile(r"(?:1[89]|20)\d\d")
_ERROR_PX = 0.7  # that a line's height may be off
_LEAST_INNER, _MOVED_PX = 3, 4.0  # places that tell where the first and last belong, and how far those must be off
_LEAST_PITCH_PX = 4.0  # between two years
# Of the distance between years that a turn is off, and turns that tell more than labels.
_AT_TURN, _LEAST_TURNS = 0.3, 4
_AT_YEARS, _TURNED = 0.6, 0.4  # of the turns of lines, and of the years between the printed ones


_POINT_STEPS = (10, 5, 4, 2)  # of the ticks of a scale, at which all points of lines may stand
_ON_TICK, _AT_STEPS = 0.2, 0.85  # of the distance between ticks that a point is off, and of the points at ticks


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """A category of the axis: where it is and what it is called."""

    x: float
    name: str


def read_lines(
    picture: Pixels, plot: Plot, strokes: Sequence[Stroke], labels: Sequence[ChartLabel], legend: Sequence[Entry]
) -> list[ChartValue]:
    """Each stroke read at each place; a number printed at the point goes before the measured one if the two agree."""
    places, used = find_places(plot, strokes)
    numbers = [(one, one.quantity) for one in plot.axis.others(labels) if one.quantity and id(one) not in used]
    names = _names_of_lines(picture, plot, strokes, labels, legend)
    facts = []
    for stroke, place in itertools.product((one for one in strokes if one.colour in names), places):
        height = stroke.height_at(place.x)
        if height is not None and plot.axis.covers(height):
            facts.append(_fact(place, names[stroke.colour], height, numbers, plot.axis))
    return facts


def _fact(
    place: _Place, series: str, height: float, numbers: Sequence[tuple[ChartLabel, PrintedNumber]], axis: Axis
) -> ChartValue:
    measured = axis.value(height)
    near = [pair for pair in numbers if _at(pair[0], place.x, height) and agrees_with(pair[1], measured, axis)]
    if near:
        nearest, quantity = min(near, key=lambda pair: abs(pair[0].x - place.x) + abs(pair[0].y - height))
        return ChartValue.from_print(quantity, nearest.page, category=place.name, series=series)
    box = Box(place.x - 4, height - 4, place.x + 4, height + 4)
    error = abs(axis.value(height + _ERROR_PX) - measured)
    value = 0.0 if abs(measured) <= 2 * error else roundest(measured, error)
    return ChartValue(
        category=place.name,
        series=series,
        value=value / axis.scale,
        unit=axis.unit,
        evidence=ValueSource.MEASURED,
        box=box,
    )


def _at(label: ChartLabel, x: float, y: float) -> bool:
    return abs(label.x - x) <= max(10.0, 0.6 * label.width) and abs(label.y - y) <= 2.2 * label.height


def find_places(plot: Plot, strokes: Sequence[Stroke]) -> tuple[list[_Place], set[int]]:
    """The categories under the plot; where lines have markers, also those between the printed names."""
    row = plot.row
    used = {id(label) for label in row}
    if len(row) < 2:
        return [], used
    centres = sorted(anchor(label) for label in row)
    slots = [Slot(x=x) for x in centres]
    reach = 0.5 * min((b.x - a.x for a, b in itertools.pairwise(slots)), default=50.0)
    names = names_at(slots, row, reach=max(reach, 6.0))
    printed = [_Place(x=slots[n].x, name=name) for n, name in sorted(names.items())]
    places = _with_markers(printed, strokes, row)
    one_word = len({(label.box.y0, label.box.y1) for label in row}) == 1  # its letters only guess where its parts stand
    if one_word and _calendar(places) is None:
        return _at_turns(places, strokes), used
    if all(label.quantity is not None and not _YEAR.match(label.text) for label in row):
        return _where_points_are(places, strokes), used
    return _with_years(places, strokes), used


def _where_points_are(places: Sequence[_Place], strokes: Sequence[Stroke]) -> list[_Place]:
    """Ticks of a scale without those between the points of lines, if lines turn or have markers at every second one or fewer."""
    xs = np.array([place.x for place in places])
    pitch = float(np.median(np.diff(xs))) if len(xs) > 2 else 0.0
    points = np.array([*_turns_of(strokes), *(x for stroke in strokes for x, _ in stroke.markers)])
    if pitch < _LEAST_PITCH_PX or len(points) < 3:
        return list(places)
    at = np.round((points - xs[0]) / pitch)
    at = at[np.abs((points - xs[0]) / pitch - at) <= _ON_TICK]
    numbers = np.round((xs - xs[0]) / pitch)
    for step, first in ((width, first) for width in _POINT_STEPS for first in range(width)):
        on_step = at[at % step == first]
        if len(set(on_step.tolist())) >= 3 and len(on_step) >= max(_AT_STEPS * len(at), len(points) / 2):
            return [place for place, number in zip(places, numbers.tolist(), strict=True) if number % step == first]
    return list(places)


def _with_years(places: Sequence[_Place], strokes: Sequence[Stroke]) -> list[_Place]:
    """The places with the years or letters that are not printed: of a single line without markers, or where lines turn at them."""
    calendar = _calendar(places)
    if calendar is None or not strokes:
        return list(places)
    years = [_ordinal(place.name) for place in places]
    by_turns = _with_turns(calendar, years, places, strokes)
    start, pitch = by_turns or calendar
    ends = (_ends_of(strokes, 0.6 * pitch) - start) / pitch
    every = range(round(float(ends.min())), round(float(ends.max())) + 1)
    turns = ((_turns_of(strokes) - start) / pitch).tolist()
    plain = len(strokes) == 1 and len(strokes[0].markers) < len(places) and not _turn_in(turns, set(years) & set(every))
    if not plain and not _turn_at(turns, set(every) - set(years)):
        even = [_Place(x=pitch * year + start, name=place.name) for year, place in zip(years, places, strict=True)]
        off = [abs(one.x - other.x) for one, other in zip(even[1:-1], places[1:-1], strict=True)]
        return even if by_turns and max(off) <= _AT_TURN * pitch else _with_ends_in_step(places, years)
    name = str if _YEAR.fullmatch(places[0].name) else chr
    return [_Place(x=pitch * year + start, name=name(year)) for year in every]


def _with_ends_in_step(places: Sequence[_Place], years: Sequence[int]) -> list[_Place]:
    """The places with the first and last in step with the others, if their labels were moved inward to stay in the plot."""
    if len(places) < _LEAST_INNER + 2:
        return list(places)
    xs = np.array([place.x for place in places[1:-1]])
    pitch, start = np.polyfit(years[1:-1], xs, 1)
    if float(np.abs(pitch * np.array(years[1:-1]) + start - xs).max()) > _MOVED_PX:
        return list(places)
    first, last = float(pitch * years[0] + start), float(pitch * years[-1] + start)
    return [
        replace(places[0], x=first if places[0].x - first > _MOVED_PX else places[0].x),
        *places[1:-1],
        replace(places[-1], x=last if last - places[-1].x > _MOVED_PX else places[-1].x),
    ]


def _ordinal(name: str) -> int:
    """The number of a year, or of a letter in its alphabet."""
    return int(name) if _YEAR.fullmatch(name) else ord(name)


def _turns_of(strokes: Sequence[Stroke]) -> NDArray[np.float64]:
    """Where along the axis lines bend."""
    return np.array([x for stroke in strokes for x in stroke.turns], np.float64)


def _calendar(places: Sequence[_Place]) -> tuple[float, float] | None:
    """Where the year 0 would stand and how far years are apart, if the places are years at even distances, or letters.

    Medians, because the first and the last label may be moved inward to stay within the plot.
    """
    kinds = (_YEAR, re.compile("[a-z]"), re.compile("[A-Z]"))
    if len(places) < 3 or not any(all(kind.fullmatch(place.name) for place in places) for kind in kinds):
        return None
    years = np.array([_ordinal(place.name) for place in places])
    if (np.diff(years) < 0).any():
        return None
    xs = np.array([place.x for place in places])
    pitch = float(np.median(np.diff(xs) / np.maximum(np.diff(years), 1)))
    starts = (xs - pitch * years).tolist()
    start = statistics.median(starts)
    off = [abs(one - start) for one in starts]
    uneven = statistics.median(off) > 0.2 * pitch or max(off[1:-1]) > 0.5 * pitch
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
    pieces = [np.split(one.columns, np.flatnonzero(np.diff(one.columns) > gap) + 1) for one in strokes]
    return np.concatenate([max(runs, key=len)[[0, -1]] for runs in pieces])


def _turn_in(turns: Sequence[float], years: set[int]) -> bool:
    """Whether a line turns at hardly any other years than these."""
    at = [round(turn) in years and abs(turn - round(turn)) <= 0.5 for turn in turns]
    return len(at) >= 2 and sum(at) >= _AT_YEARS * len(at)


def _turn_at(turns: Sequence[float], years: set[int]) -> bool:
    """Whether lines turn at years, and at enough of those that are not printed."""
    at = [round(turn) for turn in turns if abs(turn - round(turn)) <= 0.25]
    return len(at) >= _AT_YEARS * len(turns) and len(years & set(at)) >= _TURNED * max(len(years), 1)


def _with_markers(printed: Sequence[_Place], strokes: Sequence[Stroke], row: Sequence[ChartLabel]) -> list[_Place]:
    """The places, with those between that an axis had no room to name but where lines have a marker.

    An axis with room for every name that prints only some is an axis of ticks: nothing is said about those between.
    """
    most = max((stroke.markers for stroke in strokes), key=len, default=())
    marked = np.array([x for x, _ in most])
    pitch = _pitch_of(marked)
    if len(printed) < 2 or pitch > 1.1 * _usual_room(row):
        return list(printed)
    start = float(marked[0])
    numbers = np.round((np.array([place.x for place in printed]) - start) / pitch).astype(int)
    first = min(0, int(numbers.min()))
    count = max(round((float(marked[-1]) - start) / pitch), int(numbers.max())) - first + 1
    names = dict(zip((numbers - first).tolist(), (place.name for place in printed), strict=True))
    if len(names) < len(printed):
        return list(printed)
    return [_Place(x=start + (n + first) * pitch, name=name) for n, name in fill_names(names, count).items()]


def _pitch_of(markers: NDArray[np.float64]) -> float:
    """How far markers are apart; infinite where there are too few."""
    steps = np.diff(markers)
    return float(np.median(steps[steps > 3])) if len(markers) >= 4 and steps.max() > 3 else math.inf


def _usual_room(row: Sequence[ChartLabel]) -> float:
    """How much of the axis a name takes."""
    return statistics.median(label.width if label.lie == "level" else text_height(row) for label in row)


def _names_of_lines(
    picture: Pixels, plot: Plot, strokes: Sequence[Stroke], labels: Sequence[ChartLabel], legend: Sequence[Entry]
) -> dict[int, str]:
    """The names of strokes by colour: from the legend, from text at the lines, or for a single line from a title."""
    told = names_by_colour(legend) or names_of_strokes(picture, plot, strokes, labels)
    if told or len(strokes) > 1:
        return told
    return {strokes[0].colour: value_title(labels, plot.axis.ticks, lying=False)}


_DATE = re.compile(r"(?:1[89]|20)\d\d|['’‘`]\d\d\b|^[A-Z][a-z]{2,8}\.? \d\d$")
_LEAST_POINTS = 4
_AGREEING = 0.6  # of the numbers in the plot
_BESIDE = 1.6  # heights of text by which a number may stand above or below its point
_ON_POINT_PX = 5.0
_NEAR_DATE = 0.3  # of the distance between two dates


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledPoint:
    """A printed number and the place on a line, by its colour, that it stands beside."""

    label: ChartLabel
    quantity: PrintedNumber
    colour: int
    x: float
    height: float


def plot_of_points(labels: Sequence[ChartLabel]) -> Plot | None:
    """The plot over a row of dates whose printed numbers grow evenly upwards, with a rough scale."""
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
    unit = next(filter(None, (quantity.unit for _, quantity in used)), None)
    top = min(one.box.y0 for one, _ in used) - 2 * height
    return Plot(
        left=max(0, int(over.x0)),
        top=max(0, int(top)),
        right=int(over.x1),
        bottom=int(over.y1),
        axis=_axis(line, (top, over.y1), unit),
        row=tuple(row),
    )


def _numbers_in(box: Box, labels: Sequence[ChartLabel]) -> list[tuple[ChartLabel, PrintedNumber]]:
    """The level numbers in a part of the picture that are no dates."""
    level = [one for one in labels if one.lie == "level" and box.holds(one.x, one.y) and not _is_date(one)]
    return [(one, one.quantity) for one in level if one.quantity is not None]


def read_points(
    picture: Pixels, plot: Plot, strokes: Sequence[Stroke], labels: Sequence[ChartLabel], legend: Sequence[Entry]
) -> list[ChartValue]:
    """The numbers printed at the lines whose heights agree on one scale, each at the date and on the line it is beside.

    Nothing is measured: a scale of points that stand a little beside their numbers is too rough to read by.
    """
    points = _points(picture, plot, strokes, labels)
    line = _steady([(point.height, point.quantity.full) for point in points], _ON_POINT_PX)
    names = _names_of_lines(picture, plot, strokes, labels, legend)
    places, _ = find_places(plot, strokes)
    if line is None or len(places) < 2:
        return []
    reach = _NEAR_DATE * min(b.x - a.x for a, b in itertools.pairwise(places))
    facts: dict[tuple[str, str], ChartValue] = {}
    for point in points:
        place = min(places, key=lambda one: abs(one.x - point.x))
        on_line = abs(_pixel(line, point.quantity.full) - point.height) <= _ON_POINT_PX
        if on_line and abs(place.x - point.x) <= reach and point.colour in names:
            fact = ChartValue.from_print(
                point.quantity, point.label.page, category=place.name, series=names[point.colour]
            )
            facts.setdefault((fact.category, fact.series), fact)
    return list(facts.values())


def _points(
    picture: Pixels, plot: Plot, strokes: Sequence[Stroke], labels: Sequence[ChartLabel]
) -> list[LabelledPoint]:
    """Every number beside a line with the line it belongs to: the near one that has its colour, or else the nearest."""
    inks = [stroke_ink(picture, stroke) for stroke in strokes]
    points = []
    for one, quantity in _numbers_in(Box(-math.inf, plot.top, math.inf, plot.bottom), labels):
        tint = text_ink(picture, one)
        near = []
        for stroke, ink in zip(strokes, inks, strict=True):
            x = min(max(one.x, float(stroke.columns[0])), float(stroke.columns[-1]))
            height = stroke.height_at(x)
            if height is not None and abs(x - one.x) <= one.width and abs(height - one.y) <= _BESIDE * one.height:
                cost = float(np.linalg.norm(tint - ink)) > OWN_INK, abs(height - one.y)
                near.append(
                    (cost, LabelledPoint(label=one, quantity=quantity, colour=stroke.colour, x=x, height=height))
                )
        if near:
            points.append(min(near, key=lambda pair: pair[0])[1])
    return points


def _dates(labels: Sequence[ChartLabel]) -> list[ChartLabel]:
    """The fullest row of dates, the lowest of those."""
    level = [label for label in labels if label.lie == "level" and _is_date(label)]
    dates = [label for label in level if len(label.text.split()) <= 2]
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


def _axis(line: tuple[float, float], ends: tuple[float, float], unit: str | None) -> Axis:
    """An axis with a tick at either end of the plot, for nothing is printed at it."""
    boxes = [Box(0.0, end - 1, 1.0, end + 1) for end in ends]
    ticks = tuple(ChartLabel(text="", box=box, page=box) for box in boxes)
    return Axis(slope=line[0], offset=line[1], logarithmic=False, ticks=ticks, unit=unit)
