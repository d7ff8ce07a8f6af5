"""What a traced curve shows: intercepts, corners, extrema, jumps and points with whole coordinates."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

_Points = NDArray[np.float64]
"""Rows of x, y."""

_SNAP = 0.12  # how near a whole number a reading must be to be taken for it
_CORNER_RAD = math.radians(18)
_SHARP_SHARE = 0.4  # of a parabola's misfit that two lines may have at a corner
_STROKE_PX = 3  # columns next to a corner that the stroke's width blurs
_LEAST_TURN = 0.15  # steps that a curve must turn back by; less is the unsteadiness of a level line
_MAX_READINGS = 6  # of one kind; a wave has more than anyone asks about


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """A curve in pieces, in pixels and in steps of the axes (`step_x`, `step_y` units each), which readings snap to."""

    pixels: tuple[_Points, ...]
    values: tuple[_Points, ...]
    step_x: float = 1.0
    step_y: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _CurveReading:
    """One number read off a curve; `snapped` where it was near a whole number."""

    attribute: str
    value: float
    unit: str
    snapped: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """All that was read off a curve."""

    readings: tuple[_CurveReading, ...]
    whole_points: tuple[tuple[float, float], ...]
    kinks: tuple[tuple[float, float], ...]
    jumps: tuple[float, ...]
    parts: tuple[str, ...]
    attachments: tuple[str, ...]


def _reading(attribute: str, value: float, unit: str, step: float = 1.0) -> _CurveReading:
    """A reading in steps of an axis, taken for the whole number of steps it is near."""
    snapped = abs(value - round(value)) <= _SNAP
    steps = round(value) if snapped else round(value, 1)
    return _CurveReading(attribute=attribute, value=float(f"{steps * step:.10g}"), unit=unit, snapped=snapped)


def _distinct(places: Sequence[float]) -> list[float]:
    """Places at least a quarter of a unit apart."""
    kept: list[float] = []
    for place in sorted(places):
        if not kept or place - kept[-1] > 0.25:
            kept.append(place)
    return kept


def _heights_at(curve: Curve, x: float) -> list[float]:
    """The heights at x of the pieces that reach there."""
    return [float(np.interp(x, *points.T)) for points in curve.values if points[0, 0] <= x <= points[-1, 0]]


def _turning_points(points: _Points) -> list[tuple[float, float, str]]:
    """Inner maxima and minima that stand out by a tenth of the curve's range: x, y, and which it is."""
    inner = 0.02 * (points[-1, 0] - points[0, 0])
    found = []
    for index, name in _turns(points[:, 1]):
        # A thick stroke has no single highest column, but a level stretch.
        level = np.flatnonzero(np.abs(points[:, 1] - points[index, 1]) < 1e-9)
        x = float(points[level[np.abs(level - index) <= 12], 0].mean())
        if points[0, 0] + inner < x < points[-1, 0] - inner:
            found.append((x, float(points[index, 1]), name))
    return found


def _turns(heights: NDArray[np.float64]) -> Iterator[tuple[int, str]]:
    """Where heights turn down or up again clearly; the first place of all is none."""
    clear = max(0.1 * float(heights.max() - heights.min()), _LEAST_TURN)
    way = 0
    tops = {1: 0, -1: 0}  # the highest and the lowest place since the last turn
    for index, height in enumerate(heights):
        for sign, name in ((1, "maximum"), (-1, "minimum")):
            fall = sign * (heights[tops[sign]] - height)
            if fall < 0:
                tops[sign] = index
            elif fall > clear and way != -sign:
                if tops[sign] > 0:
                    yield tops[sign], name
                way, tops[-sign] = -sign, index
                break


def _corner_columns(piece: _Points) -> list[float]:
    """Pixel columns where the direction changes at once: two straight lines fit there far better than a parabola."""
    columns = np.arange(piece[0, 0], piece[-1, 0] + 1)
    even = np.stack([columns, np.interp(columns, piece[:, 0], piece[:, 1])], axis=1)
    reach = int(np.clip(0.06 * len(even), 10, 24))
    bends = _bends(even[:, 1], reach)
    found: list[float] = []
    for index in np.flatnonzero(bends >= _CORNER_RAD).tolist():
        if bends[index] < bends[max(index - reach, 0) : index + reach + 1].max():
            continue
        column = _meeting_column(even, index, reach)
        if (not found or column - found[-1] > reach / 2) and _is_sharp(even, column, reach):
            found.append(column)
    return found


def _bends(heights: NDArray[np.float64], reach: int) -> NDArray[np.float64]:
    """At each column, the angle between the lines fitted to the stretches left and right of it."""
    weights = np.arange(reach) - (reach - 1) / 2
    bends = np.zeros(len(heights))
    margin = reach + _STROKE_PX
    if len(heights) <= 2 * margin:
        return bends
    slopes = np.correlate(heights, weights, "valid") / float((weights**2).sum())
    inner = np.arange(margin, len(heights) - margin)
    bends[inner] = np.abs(np.arctan(slopes[inner + _STROKE_PX + 1]) - np.arctan(slopes[inner - margin]))
    return bends


def _meeting_column(piece: _Points, index: int, reach: int) -> float:
    """The column where the lines left and right of a corner meet, near the corner."""
    left = piece[index - _STROKE_PX - reach : index - _STROKE_PX]
    right = piece[index + _STROKE_PX + 1 : index + _STROKE_PX + 1 + reach]
    slope_left, offset_left = np.polyfit(left[:, 0], left[:, 1], 1)
    slope_right, offset_right = np.polyfit(right[:, 0], right[:, 1], 1)
    meeting = (offset_left - offset_right) / (slope_right - slope_left)
    return float(np.clip(meeting, piece[index, 0] - 4, piece[index, 0] + 4))


def _is_sharp(piece: _Points, column: float, reach: int) -> bool:
    """Whether two lines that meet there fit far better than a parabola."""
    near = piece[np.abs(piece[:, 0] - column) <= reach]
    along = near[:, 0] - column
    misfits = []
    for bend in (np.abs(along), along**2):
        design = np.stack([np.ones_like(along), along, bend], axis=1)
        solution = np.linalg.lstsq(design, near[:, 1], rcond=None)[0]
        misfits.append(float(((design @ solution - near[:, 1]) ** 2).sum()))
    return misfits[0] < _SHARP_SHARE * misfits[1]


def _jumps(curve: Curve) -> list[float]:
    """Where one piece ends and the next begins at another height, at a whole number: elsewhere the trace lost its way."""
    found = []
    for before, after in pairwise(curve.values):
        gap, step = after[0, 0] - before[-1, 0], abs(after[0, 1] - before[-1, 1])
        x = float((before[-1, 0] + after[0, 0]) / 2)
        if 0 <= gap <= 0.6 and step > 0.4 and abs(x - round(x)) <= _SNAP:
            found.append(x)
    return [_reading("jump position", x, "x", curve.step_x).value for x in _distinct(found)[:_MAX_READINGS]]


def _whole_points(curve: Curve) -> list[tuple[float, float]]:
    """Whole x at which the curve has a whole height, for curves that are not too steep to tell."""
    found = []
    for points in curve.values:
        for x in range(math.ceil(points[0, 0] - 0.05), math.floor(points[-1, 0] + 0.05) + 1):
            y = float(np.interp(x, *points.T))
            if abs(y - round(y)) <= 0.08:
                found.append((float(x), float(round(y))))
    return found


def find_features(curve: Curve) -> Features:
    """Reads everything off a curve, at most a handful of each kind; kinks are the corners that have a whole height."""
    corners: list[float] = []
    extrema: list[_CurveReading] = []
    for pixels, values in zip(curve.pixels, curve.values, strict=True):
        corners += [float(np.interp(column, pixels[:, 0], values[:, 0])) for column in _corner_columns(pixels)]
        for x, y, name in _turning_points(values):
            extrema += [_reading(name, y, "y", curve.step_y), _reading(f"{name} position", x, "x", curve.step_x)]
    corners = _distinct(corners)[:_MAX_READINGS]
    kinks = [_reading("kink position", x, "x", curve.step_x) for x in corners]
    heights = [_reading("", _heights_at(curve, x)[0], "y", curve.step_y) for x in corners]
    jumps = _jumps(curve)
    branches, breaks = _branches(kinks, jumps)
    return Features(
        readings=(*_intercepts(curve), *kinks, *extrema[: 2 * _MAX_READINGS]),
        whole_points=tuple((x * curve.step_x, y * curve.step_y) for x, y in _whole_points(curve)[:12]),
        kinks=tuple((x.value, y.value) for x, y in zip(kinks, heights, strict=True) if x.snapped and y.snapped),
        jumps=tuple(jumps),
        parts=branches,
        attachments=breaks,
    )


def _branches(kinks: Sequence[_CurveReading], jumps: Sequence[float]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the parts of a curve are called, and what is between them."""
    breaks = [f"sharp corner at x = {kink.value:g}" for kink in kinks] + [f"jump at x = {jump:g}" for jump in jumps]
    few = (("curve",), ("left branch", "right branch"), ("left branch", "middle branch", "right branch"))
    many = tuple(f"branch {number}" for number in range(1, len(breaks) + 2))
    return few[len(breaks)] if len(breaks) < len(few) else many, tuple(breaks)


def _intercepts(curve: Curve) -> list[_CurveReading]:
    """Where the curve meets the axes: the x-axis by crossing it, or by touching it and turning back."""
    zeros = []
    for points in curve.values:
        found = [x for x, y, _ in _turning_points(points) if abs(y) <= 0.08]
        heights = points[:, 1]
        for index in np.flatnonzero((heights[:-1] * heights[1:] < 0) | (heights[:-1] == 0)):
            (x0, y0), (x1, y1) = points[index : index + 2].tolist()
            found.append(x0 - y0 * (x1 - x0) / (y1 - y0) if y0 else x0)
        zeros += _distinct(found)
    readings = [_reading("x-intercept", x, "x", curve.step_x) for x in _distinct(zeros)[:_MAX_READINGS]]
    return readings + [_reading("y-intercept", y, "y", curve.step_y) for y in _heights_at(curve, 0.0)[:1]]
