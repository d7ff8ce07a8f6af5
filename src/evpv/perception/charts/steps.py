"""Lines that go in steps, level and then straight up or down: where along each level its point stands."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import groups_of

_LEAST_LEVELS = 3
_LEVEL_PX = 6  # a level is longer than this
_LEVELS = 0.8  # of a line's columns
_HALF = 0.75  # of a usual level: the first and the last one are shorter where points stand in the middle of levels


@dataclass(frozen=True, slots=True, kw_only=True)
class _Level:
    """A level part of a line, from where to where and how high."""

    x0: int
    x1: int
    y: float


def step_points(ink: NDArray[np.bool_]) -> NDArray[np.float64] | None:
    """The points of a line that goes in steps, one a level; none at all where nothing tells which end of a level is its point's.

    None where the line does not go in steps: most of it level, each level right where the one before it ends. A line
    whose levels start at their points ends with a rise or a fall, one whose levels end at them starts with one, and
    where points stand in the middle the levels at both ends are halves.
    """
    columns = np.flatnonzero(ink.any(axis=0))
    if len(columns) < _LEAST_LEVELS * _LEVEL_PX:
        return None
    tops = ink[:, columns].argmax(axis=0)
    feet = len(ink) - 1 - ink[::-1, columns].argmax(axis=0)
    thick = float(np.median(feet - tops + 1))
    levels = _levels(columns, tops, feet, thick)
    length = sum(level.x1 - level.x0 + 1 for level in levels)
    if len(levels) < _LEAST_LEVELS or length < _LEVELS * len(columns):
        return None
    if any(b.x0 - a.x1 > 2 * thick + 4 or abs(b.y - a.y) <= thick for a, b in itertools.pairwise(levels)):
        return None
    ends = _far_end(tops[0], feet[0], levels[0], thick), _far_end(tops[-1], feet[-1], levels[-1], thick)
    points = _points_of(levels, ends, (columns[0], columns[-1]), thick / 2)
    return np.array(points, np.float64).reshape(-1, 2)


def _points_of(
    levels: list[_Level], ends: tuple[float | None, float | None], span: tuple[int, int], half: float
) -> list[tuple[float, float]]:
    """One point a level, and one more where the line rises or falls at an end; `half` is half the line's thickness."""
    first, *inner, last = levels
    start, end = (first.x0, first.y), (last.x1, last.y)
    match ends:
        case None, float(y):
            return [start, *((level.x0 - half, level.y) for level in levels[1:]), (span[1] - half, y)]
        case float(y), None:
            return [(span[0] + half, y), *((level.x1 + half, level.y) for level in levels[:-1]), end]
    usual = float(np.median([level.x1 - level.x0 for level in inner]))
    halves = all(level.x1 - level.x0 < _HALF * usual for level in (first, last))
    return [start, *(((one.x0 + one.x1) / 2, one.y) for one in inner), end] if halves else []


def _levels(columns: NDArray[np.int64], tops: NDArray[np.int64], feet: NDArray[np.int64], thick: float) -> list[_Level]:
    """The level parts of a line."""
    flat = [n for n in range(len(columns)) if feet[n] - tops[n] + 1 <= thick + 1.5]
    runs = groups_of(flat, lambda n, run: n - run[-1] == 1 and abs(tops[n] - tops[run[0]]) <= 1)
    long = [run for run in runs if len(run) > _LEVEL_PX]
    return [
        _Level(x0=int(columns[run[0]]), x1=int(columns[run[-1]]), y=float(np.mean(tops[run] + feet[run]) / 2))
        for run in long
    ]


def _far_end(top: int, foot: int, level: _Level, thick: float) -> float | None:
    """How far a line rises or falls at its very end; None where it ends level."""
    if foot - top + 1 <= 2 * thick + 2:
        return None
    half = (thick - 1) / 2
    return float(top + half if abs(foot - level.y) < abs(top - level.y) else foot - half)
