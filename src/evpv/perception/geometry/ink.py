"""Ink of a figure: everything drawn, and the part of it that may be print (dark and without colour)."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from evpv.perception.geometry.dashes import dashed_lines
from evpv.perception.geometry.overlay import Mask
from evpv.perception.geometry.recogniser import Gray
from evpv.perception.ocr import Pixels

_GLYPH_LIMITS_PX = (40, 72)  # print grows with the picture, within limits
_CONTRAST = 45  # grey levels between ink and the ground around it
_PRINT_CONTRAST = 40
_STROKE_REACH_PX = 15  # strokes thinner than this count as ink; wider areas are fills


@dataclass(frozen=True, slots=True, kw_only=True)
class Ink:
    """The figure without its overlay.

    `drawn` is all thin dark strokes, `print_like` those that text may consist of, `covered` what the overlay hides and
    nobody can know, `lines` what is drawn and is not as small as print, `gray` the picture for the recogniser.
    """

    drawn: Mask
    print_like: Mask
    lines: Mask
    max_glyph_px: int
    covered: Mask
    gray: Gray


def light_ground(picture: Pixels) -> Pixels:
    """The picture with a light ground: dark-mode figures are inverted."""
    if float(np.median(picture)) >= 110:
        return picture
    return np.asarray(255 - picture, dtype=np.uint8)


def _blackhat(channel: Gray) -> Gray:
    kernel = np.ones((_STROKE_REACH_PX, _STROKE_REACH_PX), dtype=np.uint8)
    return np.asarray(cv2.morphologyEx(channel, cv2.MORPH_BLACKHAT, kernel), dtype=np.uint8)


def _dashed(drawn: Mask) -> Mask:
    _, labelled, stats, _ = cv2.connectedComponentsWithStats(drawn, connectivity=8)
    return dashed_lines(np.asarray(labelled, np.int32), np.asarray(stats, np.int32))


def _without_small_print(drawn: Mask, print_like: Mask, max_glyph_px: int) -> Mask:
    """What is drawn but for small separate shapes that are mostly print-like."""
    count, labelled, stats, _ = cv2.connectedComponentsWithStats(drawn, connectivity=8)
    printed = np.bincount(labelled[print_like > 0], minlength=count)
    small = (np.maximum(stats[:, 2], stats[:, 3]) <= max_glyph_px) & (printed >= 0.4 * stats[:, 4])
    return np.asarray(drawn & ~small[labelled], dtype=np.uint8)


def ink_of(clean: Pixels, covered: Mask) -> Ink:
    """The ink of a picture whose overlay has been painted out."""
    gray = np.asarray(cv2.cvtColor(clean, cv2.COLOR_RGB2GRAY), dtype=np.uint8)
    darkest = np.asarray(clean.min(axis=2), dtype=np.uint8)
    drawn = _blackhat(darkest) > _CONTRAST
    # Print darkens all channels alike; a coloured stroke spreads them. Sub-pixel rendering colours the left and right
    # rims of print, which three pixels side by side even out.
    blurred = cv2.blur(clean, (3, 1))
    spread = blurred.max(axis=2).astype(np.int16) - blurred.min(axis=2)
    depth = _blackhat(np.asarray(cv2.cvtColor(np.asarray(blurred, dtype=np.uint8), cv2.COLOR_RGB2GRAY), dtype=np.uint8))
    # Only where an overlay was taken out is colour a sign of its remains; other figures print letters in any colour.
    uncoloured = (spread < 0.6 * depth + 8) | (not covered.any())
    print_like = (_blackhat(gray) > _PRINT_CONTRAST) & uncoloured
    drawn_mask = np.asarray(drawn, dtype=np.uint8)
    dashed = _dashed(drawn_mask)
    # A dash beside a number would be read as a 1; under an overlay, pieces of print pass for dashes too often.
    on_dash = (cv2.dilate(dashed, np.ones((3, 3), np.uint8)) > 0) & (not covered.any())
    print_mask = np.asarray(print_like & ~on_dash, dtype=np.uint8)
    max_glyph_px = int(np.clip(0.06 * sum(gray.shape), *_GLYPH_LIMITS_PX))
    return Ink(
        drawn=drawn_mask,
        print_like=print_mask,
        lines=_without_small_print(drawn_mask, print_mask, max_glyph_px) | dashed,
        max_glyph_px=max_glyph_px,
        covered=covered,
        gray=gray,
    )
