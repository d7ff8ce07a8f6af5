"""The straight borders inside a table, found in the pixels: drawn rules and the edges of coloured cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.ocr import Pixels
from evpv.types import Box

Mask = NDArray[np.uint8]

_CONTRAST = 14  # levels between the two sides of a border; the palest bands of the light tables differ by about 20
_GAP_PX = 5  # a crossing rule interrupts a border for its own thickness


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Where vertical and horizontal borders run: a pixel mask each, and their positions in order."""

    vertical: Mask
    horizontal: Mask
    xs: tuple[int, ...]
    ys: tuple[int, ...]


def find_rules(picture: Pixels, words: Sequence[Box], text_height_px: float) -> Rules:
    """Straight edges longer than letters are tall, outside the words.

    Rows of letters make long straight edges too, so the inner part of each word's box is left out.
    """
    shortest = max(int(1.5 * text_height_px), 12)
    silent = _inside(picture.shape[:2], words)
    vertical = _vertical_edges(picture, silent, shortest)
    horizontal = _vertical_edges(np.ascontiguousarray(picture.transpose(1, 0, 2)), silent.T, 2 * shortest).T
    apart = max(int(0.6 * text_height_px), 3)
    return Rules(
        vertical=vertical,
        horizontal=horizontal,
        xs=_positions(vertical.sum(axis=0), apart),
        ys=_positions(horizontal.sum(axis=1), apart),
    )


def _inside(shape: tuple[int, ...], boxes: Sequence[Box]) -> NDArray[np.bool_]:
    """True in the middle of each word's box; its rim may hold a rule, since boxes are drawn generously."""
    mask = np.zeros(shape[:2], bool)
    for x0, y0, x1, y1 in boxes:
        inset = 0.22 * min(x1 - x0, y1 - y0)
        mask[max(int(y0 + inset), 0) : max(int(y1 - inset), 0), max(int(x0 + inset), 0) : max(int(x1 - inset), 0)] = (
            True
        )
    return mask


def _vertical_edges(picture: Pixels, silent: NDArray[np.bool_], shortest: int) -> Mask:
    """Mask (0 or 1) of vertical edges at least `shortest` pixels long."""
    signed = picture.astype(np.int16)
    step = np.zeros(picture.shape[:2], np.int16)
    step[:, 1:-1] = np.abs(signed[:, 2:] - signed[:, :-2]).max(axis=2)
    mask = ((step > _CONTRAST) & ~silent).astype(np.uint8)
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((_GAP_PX, 3), np.uint8))
    return np.asarray(cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((shortest, 1), np.uint8)), np.uint8)


def _positions(edge: NDArray[np.integer], apart: int) -> tuple[int, ...]:
    """Middles of the runs of neighbouring lines of pixels that hold a border; both sides of a thick rule are one."""
    found = np.flatnonzero(edge)
    if not len(found):
        return ()
    runs = np.split(found, np.flatnonzero(np.diff(found) > apart) + 1)
    return tuple(round((int(run[0]) + int(run[-1])) / 2) for run in runs)
