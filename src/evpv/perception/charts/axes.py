"""Value axes: from the printed ticks, and the grid lines where these really are, to a function of the pixel."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.charts.labels import ChartLabel
from evpv.perception.ocr import Pixels

_OFF_PX = 3.0  # a tick label may stand this far from where the fit puts it
_MOVED = 0.06  # of a step; the first and the last label may be moved inward, to stay within the plot
_ALIGNED_PX = 6.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """value = slope * pixel + offset, or ten to that power on a logarithmic axis; `ticks` are the labels it rests on."""

    slope: float
    offset: float
    logarithmic: bool
    ticks: tuple[ChartLabel, ...] = ()
    unit: str | None = None

    def value(self, pixel: float) -> float:
        height = self.slope * pixel + self.offset
        return float(10.0**height) if self.logarithmic else height

    def values(self, pixels: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.array([self.value(pixel) for pixel in pixels])

    def pixel(self, value: float) -> float:
        if self.logarithmic:
            return (math.log10(value) - self.offset) / self.slope if value > 0 else math.nan
        return (value - self.offset) / self.slope

    def covers(self, pixel: float) -> bool:
        """Whether a place is within the ticks, or not much more than a step outside them."""
        return self.top - 1.2 * self.step_px <= pixel <= self.floor + 1.2 * self.step_px

    @property
    def top(self) -> float:
        """The height of the highest tick."""
        return min(tick.y for tick in self.ticks)

    @property
    def floor(self) -> float:
        """The height of the lowest tick."""
        return max(tick.y for tick in self.ticks)

    @property
    def left(self) -> float:
        """Where the ticks' labels start."""
        return min(tick.box.x0 for tick in self.ticks)

    @property
    def step_px(self) -> float:
        """The distance between two ticks, if they are evenly apart."""
        return (self.floor - self.top) / max(len(self.ticks) - 1, 1)

    def others(self, labels: Sequence[ChartLabel]) -> list[ChartLabel]:
        """The labels that are not its ticks."""
        ticks = set(map(id, self.ticks))
        return [label for label in labels if id(label) not in ticks]

    @property
    def has_negative(self) -> bool:
        return any(tick.quantity is not None and tick.quantity.value < 0 for tick in self.ticks)

    @property
    def scale(self) -> float:
        """What all ticks but zero are multiplied by: 1000 where they are printed as 20k, 40k. 1 if they differ."""
        scales = {tick.quantity.scale for tick in self.ticks if tick.quantity and tick.quantity.value}
        return scales.pop() if len(scales) == 1 else 1.0


def find_axis(labels: Sequence[ChartLabel], *, upward: bool) -> Axis | None:
    """The value axis with the most ticks: numbers in one column (upward) or row whose values grow evenly.

    A row of years is such an axis too; callers ask only along the direction in which bars or lines are measured.
    """
    groups = _aligned_groups([label for label in labels if label.quantity is not None], upward=upward)
    for moved in (0.0, _MOVED):
        fits = [axis for group in groups if (axis := _fit(group, upward=upward, moved=moved)) is not None]
        if fits:
            return max(fits, key=lambda axis: (len(axis.ticks), not axis.logarithmic))
    return None


def _aligned_groups(labels: Sequence[ChartLabel], *, upward: bool) -> list[list[ChartLabel]]:
    """The labels that stand in one column, by either side or their middles, or in one row."""
    if upward:
        edges = [[one.box.x1 for one in labels], [one.box.x0 for one in labels], [one.x for one in labels]]
    else:
        edges = [[one.y for one in labels]]
    groups: dict[tuple[int, ...], list[ChartLabel]] = {}
    for places in map(np.array, edges):
        for place in places:
            members = np.flatnonzero(np.abs(places - place) <= _ALIGNED_PX).tolist()
            if 3 <= len(members) <= 40:
                groups[tuple(members)] = [labels[m] for m in members]
    return list(groups.values())


def _fit(group: Sequence[ChartLabel], *, upward: bool, moved: float) -> Axis | None:
    pixels = np.array([label.y if upward else label.x for label in group])
    values = heights = np.array([label.quantity.full for label in group if label.quantity])
    inliers = _line(pixels, values, upward=upward, moved=moved, belong=_are_even)
    if values.max() >= 10 * values.min() > 0:
        powers = np.log10(values)
        curved = _line(pixels, powers, upward=upward, moved=0.0, belong=_are_decades)
        heights, inliers = max((values, inliers), (powers, curved), key=lambda fit: int(fit[1].sum()))
    if not inliers.any():
        return None
    slope, offset = map(float, np.polyfit(pixels[inliers], heights[inliers], 1))
    ticks = tuple(itertools.compress(group, inliers))
    units = [tick.quantity.unit for tick in ticks if tick.quantity and tick.quantity.value]  # zero often has none
    unit = max(dict.fromkeys(units), key=units.count, default=None)
    return Axis(slope=slope, offset=offset, logarithmic=heights is not values, ticks=ticks, unit=unit)


def _line(
    pixels: NDArray[np.float64],
    values: NDArray[np.float64],
    *,
    upward: bool,
    moved: float,
    belong: Callable[[NDArray[np.float64]], bool],
) -> NDArray[np.bool_]:
    """The ticks on the best straight line through two of them, at least three that belong together; else none."""
    best, most = np.zeros(len(pixels), np.bool_), 0.0
    for i, j in itertools.combinations(range(len(pixels)), 2):
        run = pixels[j] - pixels[i]
        slope = (values[j] - values[i]) / run if abs(run) > 8 else 0.0
        if slope == 0 or (slope > 0) == upward:
            continue
        off = np.abs((values - values[i]) / slope + pixels[i] - pixels)
        slack = max(_OFF_PX, moved * abs(run))
        inliers = off <= slack
        weight = float((1 - (off[inliers] / slack) ** 2 / 2).sum())  # on the line counts more than beside it
        if inliers.sum() >= 3 and weight > most and belong(values[inliers]):
            best, most = inliers, weight
    return best


def _are_even(values: NDArray[np.float64]) -> bool:
    steps = np.diff(np.unique(values))
    if len(steps) < 2:
        return False
    multiples = steps / steps.min()
    return bool(np.abs(multiples - np.round(multiples)).max() < 0.05)


def _are_decades(powers: NDArray[np.float64]) -> bool:
    """Whether ticks of a logarithmic axis are powers of ten, or with enough of them such as 20, 30 and 50 between those."""
    leading = 10.0 ** (powers - np.floor(powers + 1e-9))
    whole = np.abs(leading - np.round(leading)).max() < 0.02
    return _are_even(powers) or bool(len(np.unique(powers)) >= 5 and whole and np.ptp(powers) >= 1)


_STEP = 3  # grey levels by which a grid line differs from the paper on both sides
_LEAST_LENGTH = 0.25  # of the picture; dotted lines count half
_STEADY_PX = 1.5


def _grid_lines(picture: Pixels, *, lying: bool) -> NDArray[np.float64]:
    """The rows with a thin line across much of the picture; of lying charts, columns in the turned frame."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), np.int16)
    if lying:
        grey = grey.T
    above, below = grey[2:-2] - grey[:-4], grey[2:-2] - grey[4:]
    thin = ((above > _STEP) & (below > _STEP)) | ((above < -_STEP) & (below < -_STEP))
    rows: NDArray[np.float64] = np.flatnonzero(thin.mean(axis=1) >= _LEAST_LENGTH).astype(np.float64) + 2.5
    return -rows[::-1] if lying else rows


def axis_on_grid(picture: Pixels, labels: Sequence[ChartLabel], *, lying: bool = False) -> Axis | None:
    """The axis that runs up, moved onto its grid lines, if all its labels stand alike beside theirs."""
    axis = find_axis(labels, upward=True)
    lines = _grid_lines(picture, lying=lying) if axis is not None else ()
    if axis is None or not len(lines) or len(axis.ticks) < 3:
        return axis
    places = np.array([tick.y for tick in axis.ticks])
    height = float(np.median([tick.page.height for tick in axis.ticks]))
    offsets = np.array([lines[np.abs(lines - place).argmin()] - place for place in places])
    near = np.abs(offsets) <= 0.6 * height
    shift = float(np.median(offsets[near])) if near.any() else 0.0
    steady = near & (np.abs(offsets - shift) <= _STEADY_PX)
    if steady.sum() < max(3, 0.6 * len(places)):
        return axis
    return replace(axis, offset=axis.offset - axis.slope * shift)
