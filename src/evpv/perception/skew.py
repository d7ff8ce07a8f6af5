"""Pictures that lie a few degrees askew, as scans and photographs do, set straight before they are read."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Frame, Pixels
from evpv.perception.ocr import Word, read_words

_LEAST_DEG = 1.0
_MOST_DEG = 12.0
_JUDGED_PX = 700


def straightened(picture: Pixels, frame: Frame, threads: int) -> tuple[Pixels, list[Word], Frame]:
    """The picture with its words, turned and read again if its lines of text agree that it lies askew."""
    words = read_words(picture, threads=threads)
    rough = skew_deg(words)
    if abs(rough) < _LEAST_DEG:
        return picture, words, frame
    skew = _sharpest_deg(picture, rough)
    height, width = picture.shape[:2]
    forward = np.asarray(cv2.getRotationMatrix2D((width / 2, height / 2), -skew, 1.0), np.float64)
    border = tuple(int(value) for value in np.median(picture.reshape(-1, 3), axis=0))
    turned = np.asarray(
        cv2.warpAffine(picture, forward, (width, height), flags=cv2.INTER_CUBIC, borderValue=border), np.uint8
    )
    return turned, read_words(turned, threads=threads), frame.then(Frame.transformed(forward))


def skew_deg(words: Sequence[Word]) -> float:
    """How far the lines of text are turned counter-clockwise: 0 unless several long words agree.

    Short words are left out, since the box of a letter leans as the letter does.
    """
    leaning = [word.angle_deg for word in words if _is_long(word)]
    if len(leaning) < 3:
        return 0.0
    middle = median(leaning)
    agreeing = sum(abs(angle - middle) < 1.0 for angle in leaning)
    return middle if abs(middle) <= _MOST_DEG and agreeing >= 0.6 * len(leaning) else 0.0


def _sharpest_deg(picture: Pixels, rough: float) -> float:
    """The angle near `rough` at which rows and columns of pixels differ most from their neighbours.

    The boxes of words say that a picture lies askew, but lean less than the text in them.
    """
    side = max(picture.shape[:2])
    factor = min(1.0, _JUDGED_PX / side)
    grey = cv2.resize(
        cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA
    )
    angles = rough + np.arange(-3.0, 3.01, 0.25)
    return float(max(angles, key=lambda angle: _sharpness(np.asarray(grey, np.uint8), angle)))


def _sharpness(grey: NDArray[np.uint8], angle: float) -> float:
    height, width = grey.shape
    forward = cv2.getRotationMatrix2D((width / 2, height / 2), -angle, 1.0)
    turned = cv2.warpAffine(grey, forward, (width, height), borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    return float(np.square(np.diff(turned.mean(axis=0))).sum() + np.square(np.diff(turned.mean(axis=1))).sum())


def _is_long(word: Word) -> bool:
    return len(word.text) >= 4 and word.box.width > 2 * word.box.height
