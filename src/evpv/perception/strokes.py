"""Strokes of a drawing: what is dark and thin, and its long level and upright lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Pixels, darkest
from evpv.perception.ocr import Word

_CONTRAST = 45
_WIDEST_PX = 15  # wider dark areas are fills, not strokes


@dataclass(frozen=True, slots=True, kw_only=True)
class Stroke:
    """A level or upright line: from where to where it runs, and at which row or column."""

    start: float
    end: float
    across: float


def dark_strokes(picture: Pixels) -> NDArray[np.uint8]:
    """Where the picture has thin strokes darker than what is around them, on a light or a dark ground."""
    light = picture if float(np.median(picture)) >= 110 else np.asarray(255 - picture, np.uint8)
    kernel = np.ones((_WIDEST_PX, _WIDEST_PX), dtype=np.uint8)
    depth = cv2.morphologyEx(darkest(light), cv2.MORPH_BLACKHAT, kernel)
    return np.asarray(depth > _CONTRAST, dtype=np.uint8)


def without_words(ink: NDArray[np.uint8], words: Sequence[Word]) -> NDArray[np.uint8]:
    """The ink with the boxes of words cleared."""
    cleared = ink.copy()
    for word in words:
        x0, y0, x1, y1 = (max(round(edge), 0) for edge in word.box)
        cleared[y0:y1, x0:x1] = 0
    return cleared


def long_strokes(ink: NDArray[np.uint8], least_px: int, *, upright: bool) -> list[Stroke]:
    """The level or upright lines of at least that length."""
    size = (max(least_px, 3), 1) if upright else (1, max(least_px, 3))
    opened = cv2.morphologyEx(ink, cv2.MORPH_OPEN, np.ones(size, dtype=np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(opened, connectivity=8)
    strokes = []
    for left, top, width, height, _ in stats[1:].tolist():
        if upright:
            strokes.append(Stroke(start=float(top), end=float(top + height), across=left + width / 2))
        else:
            strokes.append(Stroke(start=float(left), end=float(left + width), across=top + height / 2))
    return strokes
