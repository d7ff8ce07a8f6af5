"""Lone glyphs: connected ink of the size of a letter that no word covers."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Box, lightest

_MOST_GLYPHS = 40  # more lone shapes than this are a pattern (dots of a scatter plot, a map), not labels
_CONTRAST = 60
_USUAL_HEIGHT_PX = (14, 60)  # of a glyph at reading size, where no word tells


def lone_glyphs(picture: NDArray[np.uint8], words: Sequence[Box]) -> list[Box]:
    """Boxes of shapes that may be single letters or digits, with a margin as the recogniser likes it.

    Neighbours on a line are joined, so that "12" is one box. Size is judged by the words already read.
    """
    low, high = _height_limits(words)
    boxes = [box for box in _shapes(ink_of(picture), low, high) if not _is_covered(box, words)]
    joined = _join_shapes(boxes)
    if len(joined) > _MOST_GLYPHS:
        return []
    height, width = picture.shape[:2]
    return [box.grown(0.25 * box.height).within(width, height) for box in joined]


def _height_limits(words: Sequence[Box]) -> tuple[float, float]:
    """Detected boxes are drawn generously: a capital is about 0.6 of the box's height."""
    if len(words) < 3:
        return _USUAL_HEIGHT_PX
    usual = median(box.line_height for box in words)
    return 0.4 * usual, 1.1 * usual


def ink_of(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """1 where a pixel differs from the ground around it, whatever the colours."""
    small = cv2.resize(picture, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    ground = cv2.resize(cv2.medianBlur(small, 21), (picture.shape[1], picture.shape[0]))
    return np.asarray(lightest(np.asarray(cv2.absdiff(picture, ground), np.uint8)) > _CONTRAST, np.uint8)


def _shapes(ink: NDArray[np.uint8], low: float, high: float) -> list[Box]:
    _, _, statistics, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    found = []
    for x, y, width, height, area in statistics[1:].tolist():
        narrow = 0.12 * height <= width <= 1.4 * height
        solid = 0.12 <= area / (width * height) <= 0.8 or width < 0.4 * height
        if low <= height <= high and narrow and solid:
            found.append(Box(float(x), float(y), float(x + width), float(y + height)))
    return found


def _is_covered(box: Box, words: Sequence[Box]) -> bool:
    return any(box.overlap(word).area > 0.3 * box.area for word in words)


def _join_shapes(boxes: Sequence[Box]) -> list[Box]:
    """Shapes side by side, about equally tall and less than half a height apart, as one."""
    joined: list[Box] = []
    for box in sorted(boxes):
        for index, other in enumerate(joined):
            height = min(box.height, other.height)
            level = abs(box.y0 - other.y0) < 0.25 * height and abs(box.y1 - other.y1) < 0.25 * height
            if level and box.x0 - other.x1 < 0.45 * height:
                joined[index] = Box.around((box, other))
                break
        else:
            joined.append(box)
    return joined
