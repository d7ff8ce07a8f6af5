"""Grid lines: where ticks really are, for tick labels may stand a little above or below them."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.charts.axes import Axis
from evpv.perception.ocr import Pixels

_STEP = 3  # grey levels by which a grid line differs from the paper on both sides
_LEAST_LENGTH = 0.25  # of the picture; dotted lines count half
_STEADY_PX = 1.5


def grid_lines(picture: Pixels, *, lying: bool) -> NDArray[np.float64]:
    """The rows with a thin line across much of the picture; of lying charts, columns in the turned frame."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), np.int16)
    if lying:
        grey = grey.T
    above, below = grey[2:-2] - grey[:-4], grey[2:-2] - grey[4:]
    thin = ((above > _STEP) & (below > _STEP)) | ((above < -_STEP) & (below < -_STEP))
    rows: NDArray[np.float64] = np.flatnonzero(thin.mean(axis=1) >= _LEAST_LENGTH).astype(np.float64) + 2.5
    return -rows[::-1] if lying else rows


def on_grid(axis: Axis, lines: NDArray[np.float64]) -> Axis:
    """The axis moved onto its grid lines, if all its labels stand alike beside theirs."""
    if not len(lines) or len(axis.ticks) < 3:
        return axis
    places = np.array([tick.y for tick in axis.ticks])
    height = float(np.median([tick.page[3] - tick.page[1] for tick in axis.ticks]))
    offsets = np.array([lines[np.abs(lines - place).argmin()] - place for place in places])
    near = np.abs(offsets) <= 0.6 * height
    shift = float(np.median(offsets[near])) if near.any() else 0.0
    steady = near & (np.abs(offsets - shift) <= _STEADY_PX)
    if steady.sum() < max(3, 0.6 * len(places)):
        return axis
    return replace(axis, offset=axis.offset - axis.slope * shift)
