"""Lines in a plot of two axes, read at their own points: at their markers, or where they start, turn and end.

Unlike `lines.py`, which reads each line at the printed categories, nothing here needs a category to be printed: where
the axis under the plot is a scale, a point's place is measured on it as its value is on the other.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Box, groups_of
from evpv.perception.charts.axes import Axis, axis_on_grid
from evpv.perception.charts.facts import ChartValue, ValueSource
from evpv.perception.charts.labels import is_wordy
from evpv.perception.charts.legends import Chart
from evpv.perception.charts.lines import are_several, without_holes
from evpv.perception.charts.palette import find_inks
from evpv.perception.charts.samples import lone_keys
from evpv.perception.charts.scales import Places, places_along, roundest
from evpv.perception.charts.slots import axis_title
from evpv.perception.charts.steps import step_points

_Mask = NDArray[np.uint8]
_Points = NDArray[np.float64]
_Line = tuple[float, float]  # slope and height at the left edge

_MOST_POINTS = 60  # of one line; more is a curve, not a table
_BEND = 1.2  # half thicknesses by which a line leaves the straight way to count as turning
_NEAR_BEND = 4  # half thicknesses that the bends of one place are apart
_LEAST_SPAN_PX = 14
_WIDEST_SPOT_PX = 24
_MOST_STEPS = 2.5  # for each turn of a line, for it to have points where it runs straight on
_STEPS = (5.0, 2.0, 1.0, 1 / 2, 1 / 4, 1 / 5, 1 / 10)  # of the distance between two ticks, at which points may stand
# Of a line's points that stand at steps, and of those at ticks that stand at wider ones.
_AT_STEPS, _AT_WIDER = 0.6, 0.9
_AT_TICKS = 0.9  # of the turns of lines whose points are at ticks
_LEAST_TURNS = 4  # that tell steps wider than the ticks make
_MARGIN = 0.3  # of the height of a label that its box reaches beyond its letters
_THICKEST_PX = 8.0  # half the thickness of a line at most


@dataclass(frozen=True, slots=True, kw_only=True)
class _Curve:
    colour: int
    points: _Points
    ends: _Points  # where the line was first and last seen
    marked: bool
    told: bool = False  # lines without markers show by their turns where their points are
    thin: float  # half of the line's thickness

    @property
    def error_px(self) -> float:
        """How far off a point's middle may be found."""
        return max(1.0, 0.6 * self.thin) if self.marked else max(1.5, 0.8 * self.thin)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Field:
    """The plot: its box and its two axes."""

    box: Box
    across: Places
    upward: Axis


def read_curves(chart: Chart) -> list[ChartValue]:
    """The points of all lines as facts."""
    chart = replace(chart, legend=chart.legend or lone_keys(chart))
    field = _find_field(chart)
    if field is None:
        return []
    names = chart.names
    masks = _line_masks(chart, field.box)
    found = filter(None, (_curve_of(mask, colour, field) for colour, mask in masks.items()))
    curves = _on_the_scale(list(found), field.across)
    if len(curves) == 1:  # of several lines, one without a name is nobody's
        names = {curves[0].colour: axis_title(chart.every, field.upward.ticks, lying=False)} | names
    named = [(_with_hidden_markers(one, curves), names[one.colour]) for one in curves if one.colour in names]
    return list(chain.from_iterable(_facts_of(curve, name, field) for curve, name in named))


def _line_masks(chart: Chart, box: Box) -> dict[int, _Mask]:
    """Where each ink is in the plot; an ink that is the blurred edge of another is none.

    Names may be printed in the colour of their line, and samples are, which belong to their names: both are blanked out.
    """
    inside, colours = box.slices(), list(chart.names) if len(chart.names) > 1 else ()
    inks = find_inks(chart.picture[inside], chart.palette, chart.palette.index[inside], colours)
    labels = [*chart.every, *(entry.label for entry in chart.legend)]
    printed = [one.page for one in labels if is_wordy(one) or one.page != one.box]
    for ink, page in itertools.product(inks, printed):
        ink.mask[page.shift(-box.x0, -box.y0).slices()] = 0
    return {ink.colour: ink.mask for ink in inks}


def _find_field(chart: Chart) -> _Field | None:
    """What lies between two axes, whichever sides they stand at, and a step beyond where none stands."""
    upward = axis_on_grid(chart.picture, chart.every)
    if upward is None or (across := places_along(chart.every, upward)) is None:
        return None
    ticks = Box.around(tick.box for tick in upward.ticks)
    feet = Box.around(label.box for label in across.labels)
    step, pitch = ticks.height / max(len(upward.ticks) - 1, 1), across.step_px
    left = ticks.x1 - _MARGIN * upward.ticks[0].height if ticks.x1 < feet.x else 0.0
    right = ticks.x0 - 1 if ticks.x0 > feet.x else feet.x1 + pitch
    below = feet.y0 - 1 if feet.y > ticks.y else ticks.y1 + step
    above = feet.y1 + 1 if feet.y < ticks.y else ticks.y0 - step
    box = Box(max(left, feet.x0 - pitch), above, right, below)
    box = box.within(chart.picture.shape[1], chart.picture.shape[0])
    return _Field(box=box, across=across, upward=upward) if min(box.width, box.height) >= 20 else None


def _on_the_scale(curves: Sequence[_Curve], across: Places) -> list[_Curve]:
    """The curves if their points stand at round places of the scale under them: else its labels do not mean what they seem to.

    Quarters over a row of years that only some of are printed stand between such places, and so do the bends of arrows.
    A line without markers has a point at every such place: where it runs straight on, nothing shows it.
    """
    scale, step_px = across.scale, across.step_px
    if scale is None:
        return list(curves)
    plain = [curve for curve in curves if not curve.marked]
    common = _steps(plain, scale, step_px) if plain else None
    told = common is not None and common.width >= 0.9 * abs(scale.slope) * step_px and _turn_at(common, plain, scale)
    found = []
    for curve in curves:
        steps = _steps([curve], scale, step_px) if curve.marked else common
        if steps is not None:
            found.append(_at_steps(replace(curve, told=told), steps, scale))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Steps:
    """Round numbers along a scale: the first one, and how far they are apart; 0 if they are too close to tell."""

    start: float
    width: float = 0.0

    def nearest(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return self.start + np.round((values - self.start) / self.width) * self.width

    def away(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.abs(self.nearest(values) - values)


def _steps(curves: Sequence[_Curve], scale: Axis, step_px: float) -> _Steps | None:
    """The widest steps at which most points of curves stand; wider ones than the ticks make must hold nearly all at ticks."""
    values = scale.values(np.concatenate([curve.points for curve in curves])[:, 0])
    slack = _slack(curves, scale)
    tick = roundest(abs(scale.slope) * step_px, 0.03 * abs(scale.slope) * step_px)
    start = roundest(float(values.min()), tick / 2)
    widest = _STEPS[0] * tick if len(values) >= _LEAST_TURNS else tick
    told = [_Steps(start=start, width=times * tick) for times in _STEPS if 4 * slack <= times * tick <= widest]
    at_ticks = float((_Steps(start=start, width=tick).away(values) <= slack).mean())
    least = {steps: _AT_STEPS if steps.width <= tick else max(_AT_STEPS, _AT_WIDER * at_ticks) for steps in told}
    fitting = (steps for steps in told if float((steps.away(values) <= slack).mean()) >= least[steps])
    return next(fitting, None if told else _Steps(start=start))


def _slack(curves: Sequence[_Curve], scale: Axis) -> float:
    """How far along a scale points may be off."""
    return (max(curve.error_px for curve in curves) + 1.0) * abs(scale.slope)


def _turn_at(steps: _Steps, curves: Sequence[_Curve], scale: Axis) -> bool:
    """Whether lines turn at steps and nowhere else, often enough for it to be no chance: a function's graph does not."""
    values = scale.values(np.concatenate([curve.points[1:-1, 0] for curve in curves]))
    at_steps = steps.away(values) <= _slack(curves, scale)
    return len(values) >= _LEAST_TURNS and float(at_steps.mean()) >= _AT_TICKS


def _at_steps(curve: _Curve, steps: _Steps, scale: Axis) -> _Curve:
    """The curve with its points moved to the steps they stand at; a line without markers at all steps that it passes."""
    if steps.width == 0.0:
        return curve
    xs, heights = curve.points.T
    values = scale.values(xs)
    near = steps.nearest(values)
    every = np.arange(near[0], near[-1] + steps.width / 2, steps.width)
    if not curve.marked and 1 < len(every) <= _MOST_STEPS * len(values):
        places = np.array([scale.pixel(value) for value in every])
        return replace(curve, points=np.stack([places, np.interp(places, xs, heights)], axis=1))
    moved = np.array([scale.pixel(value) for value in near])
    close = np.abs(moved - xs) <= 2 * curve.error_px + 1
    return replace(curve, points=np.stack([np.where(close, moved, xs), heights], axis=1))


def _curve_of(mask: _Mask, colour: int, field: _Field) -> _Curve | None:
    """The line that an ink is, or the spots that it is made of; None where it is an area, or several lines."""
    mask, corner = without_holes(mask), np.array([field.box.x0, field.box.y0])
    spots = _spots(mask)
    if spots is not None:
        return _Curve(colour=colour, points=spots + corner, ends=spots[[0, -1]] + corner, marked=True, thin=1.0)
    columns = np.flatnonzero(mask.any(axis=0))
    if len(columns) < _LEAST_SPAN_PX or columns[-1] - columns[0] < _LEAST_SPAN_PX:
        return None
    padded = cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT)  # what lies beyond the picture is outside
    depth = np.asarray(cv2.distanceTransform(padded, cv2.DIST_L2, 5)[1:-1, 1:-1], np.float32)
    ridge = depth[(depth > 0) & (depth == cv2.dilate(depth, np.ones((3, 3), np.uint8)))]
    thin = max(float(np.median(ridge)), 1.0)
    if thin > _THICKEST_PX or float(np.quantile(depth[depth > 0], 0.9)) > max(8.0, 4 * thin):
        return None  # a filled area
    turns = _turns(mask, thin)
    own = _own_points(mask, _markers(depth, thin), turns, thin)
    if own is None and are_several(mask > 0):
        return None
    points, ends = turns if own is None else own, turns[[0, -1]]
    if not 2 <= len(points) <= _MOST_POINTS:
        return None
    return _Curve(colour=colour, points=points + corner, ends=ends + corner, marked=own is not None, thin=thin)


def _own_points(mask: _Mask, markers: _Points, turns: _Points, thin: float) -> _Points | None:
    """The points that a line itself shows: its markers, or those of its steps; None where it only turns.

    Spots are its markers if one stands at either end of it, or if they stand where it turns.
    """
    if len(markers) > 1:
        reach = 6 * thin + 4
        at_ends = markers[0, 0] - turns[0, 0] <= reach and turns[-1, 0] - markers[-1, 0] <= reach
        at_turns = [bool(np.abs(markers[:, 0] - x).min() <= reach) for x, _ in turns[1:-1]]
        if at_ends or (len(markers) >= 3 and at_turns and sum(at_turns) >= 0.6 * len(at_turns)):
            return markers
    steps = step_points(mask > 0)
    return None if steps is None else steps + 0.5


def _spots(mask: _Mask) -> _Points | None:
    """The middles of spots of one size if there is nothing else: points that no line joins."""
    _, _, stats, centres = cv2.connectedComponentsWithStats(mask, connectivity=8)
    sizes = stats[1:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(axis=1)
    whole = sizes >= 4
    if whole.sum() < 3 or sizes.max() > _WIDEST_SPOT_PX:
        return None
    usual = float(np.median(sizes[whole]))
    spots = centres[1:][whole & (np.abs(sizes - usual) <= max(2.0, 0.25 * usual))] + 0.5
    return spots[np.argsort(spots[:, 0], kind="stable")] if len(spots) >= 0.8 * whole.sum() else None


def _with_hidden_markers(curve: _Curve, curves: Sequence[_Curve]) -> _Curve:
    """The curve with the points that another one's markers cover: at its ends, and in the middle of a double step."""
    if not curve.marked:
        return curve
    found = curve.points
    for spot in chain.from_iterable(one.points for one in curves if one is not curve and one.marked):
        near = np.abs(found - spot).max(axis=1).min() <= 4 * curve.thin
        at_end = np.hypot(*(curve.ends - spot).T).min() <= 8 * curve.thin
        if not near and (at_end or _fills_a_gap(curve, spot)):
            found = np.vstack([found, spot])
    return replace(curve, points=found[np.argsort(found[:, 0], kind="stable")])


def _fills_a_gap(curve: _Curve, spot: NDArray[np.float64]) -> bool:
    places = curve.points[:, 0]
    after = int(np.searchsorted(places, spot[0]))
    if not 0 < after < len(places):
        return False
    (x0, y0), (x1, y1) = curve.points[after - 1], curve.points[after]
    step = float(np.median(np.diff(places)))
    halfway = abs((x0 + x1) / 2 - spot[0]) <= 2 * curve.thin and abs(x1 - x0 - 2 * step) <= 0.2 * step
    return bool(halfway and min(y0, y1) - 4 * curve.thin <= spot[1] <= max(y0, y1) + 4 * curve.thin)


def _markers(depth: NDArray[np.float32], thin: float) -> _Points:
    """The middles of the spots that are thicker than the line."""
    thick = np.asarray(depth > 1.4 * thin + 0.6, np.uint8)
    _, _, stats, centres = cv2.connectedComponentsWithStats(thick, connectivity=8)
    most = 8 * thin + 8
    small = [n for n in range(1, len(stats)) if max(stats[n, cv2.CC_STAT_WIDTH], stats[n, cv2.CC_STAT_HEIGHT]) <= most]
    return np.array(sorted((float(centres[n][0]) + 0.5, float(centres[n][1]) + 0.5) for n in small)).reshape(-1, 2)


def _turns(mask: _Mask, thin: float) -> _Points:
    """Where a line without markers starts, turns and ends: where the straight ways between turns meet.

    Small markers on a line, and corners, bend it several times: the bends of one place are one.
    """
    columns = np.flatnonzero(mask.any(axis=0))
    heights = np.array([float(np.flatnonzero(mask[:, x]).mean()) for x in columns])
    path = np.stack([columns, heights], axis=1).astype(np.float32).reshape(-1, 1, 2)
    bends = np.asarray(cv2.approxPolyDP(path, max(_BEND * thin, 1.5), False).reshape(-1, 2), np.float64)
    groups = groups_of(bends.tolist(), lambda bend, group: bend[0] - group[0][0] <= _NEAR_BEND * thin + 3)
    if len(groups) > 1:
        bends = np.array([bends[0], *(np.mean(group, axis=0) for group in groups[1:-1]), bends[-1]])
    ways = [_way(columns, heights, a, b) for a, b in itertools.pairwise(bends.tolist())]
    for number, ((slope, height), (next_slope, next_height)) in enumerate(itertools.pairwise(ways), start=1):
        x = (next_height - height) / (slope - next_slope) if slope != next_slope else math.inf
        if abs(x - bends[number, 0]) <= 2 * thin + 1:
            bends[number] = x, slope * x + height
    return bends + 0.5


def _way(columns: NDArray[np.int64], heights: NDArray[np.float64], start: list[float], end: list[float]) -> _Line:
    """The straight line between two turns, by its middle part, for near a turn the ink of both ways runs together."""
    margin = 0.2 * (end[0] - start[0])
    middle = (columns >= start[0] + margin) & (columns <= end[0] - margin)
    if middle.sum() < 4:
        slope = (end[1] - start[1]) / max(end[0] - start[0], 1.0)
        return slope, start[1] - slope * start[0]
    slope, height = np.polyfit(columns[middle], heights[middle], 1)
    return float(slope), float(height)


def _facts_of(curve: _Curve, name: str, field: _Field) -> list[ChartValue]:
    facts: dict[str, ChartValue] = {}
    for x, y in curve.points.tolist():
        place = field.across.name_at(x, 1.2 * curve.error_px)
        if place is None or not field.upward.covers(y):
            continue
        value = field.upward.value(y)
        error = abs(field.upward.value(y + curve.error_px) - value)
        fact = ChartValue(
            category=place,
            series=name,
            value=(0.0 if abs(value) <= 1.5 * error else roundest(value, error)) / field.upward.scale,
            error=error / field.upward.scale,
            unit=field.upward.unit,
            evidence=ValueSource.MEASURED if curve.marked or curve.told else ValueSource.ROUGH,
            box=Box(x - 4, y - 4, x + 4, y + 4),
        )
        facts.setdefault(place, fact)
    return list(facts.values())
