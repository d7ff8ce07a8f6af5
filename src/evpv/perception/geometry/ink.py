"""Ink of a figure: all that is drawn, what of it may be print, its long strokes, and dashed lines made whole.

A dash is told from print by the others that lie ahead of it and behind.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Pixels, darkest, lightest
from evpv.perception.ocr import Word
from evpv.perception.recognition import recognise

Mask = NDArray[np.uint8]
"""One byte per pixel, 1 where something is."""

Gray = NDArray[np.uint8]
"""A picture of one channel, dark ink on a light ground."""

_LENGTH_PX = (5.0, 40.0)
_MAX_WIDTH_PX = 9.0
_FILLED = 0.72  # of its own rectangle, for a dash wider than a few pixels: a 1 has a flag and a foot
_THIN_PX = 4.0
_SLENDER = 1.8  # times as long as wide
_SQUAT = 1.25  # and at least; squat dashes need more others on their axis
_SAME_DIRECTION_RAD = math.radians(14)
_OFF_AXIS_PX = 3.0
_REACH = 3.3  # dash lengths from one dash to the next, middle to middle, also where a line hides one
_LEAST_NEIGHBOURS = 2
_BEND_RAD = math.radians(25)  # between a dash and the way to the next, where a dashed line bends
_BEND_REACH = 2.2  # dash lengths to the next then


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stroke:
    x: float
    y: float
    angle: float
    length: float
    is_slender: bool


def _dashed_lines(labelled: NDArray[np.int32], stats: NDArray[np.int32]) -> NDArray[np.uint8]:
    """A picture of the dashed lines, drawn solid and on to the line they end at.

    A dash is slender and has two others near on its own axis. The end of a dashed line has its neighbours on one side,
    so a neighbour's neighbours count too; where the line bends, a dash goes on from the one before it.
    """
    solid = np.zeros(labelled.shape, dtype=np.uint8)
    ahead = _strokes_ahead([_stroke(labelled, stats, index) for index in range(1, len(stats))])
    dashes = set()
    for stroke, near in ahead.items():
        line = near.union(*(ahead[other] for other in near)) - {stroke}
        if len(line) >= (_LEAST_NEIGHBOURS if stroke.is_slender else 2 * _LEAST_NEIGHBOURS):
            dashes.add(stroke)
            pitch = min(math.hypot(other.x - stroke.x, other.y - stroke.y) for other in near)
            _extend(solid, labelled, stroke, -2 * pitch)
            _extend(solid, labelled, stroke, 2 * pitch)
    for last, stroke in _bent_on(dashes, set(ahead) - dashes):
        cv2.line(solid, (round(last.x), round(last.y)), (round(stroke.x), round(stroke.y)), 1, 2)
    return solid


def _bent_on(dashes: set[_Stroke], others: set[_Stroke]) -> list[tuple[_Stroke, _Stroke]]:
    """Each stroke that goes on where a dash ends, turned a little, after the one it goes on from."""
    pairs: list[tuple[_Stroke, _Stroke]] = []
    ends, left = list(dashes), set(others)
    while ends:
        last = ends.pop()
        following = [stroke for stroke in left if _goes_on(last, stroke)]
        pairs += [(last, stroke) for stroke in following]
        ends += following
        left.difference_update(following)
    return pairs


def _goes_on(last: _Stroke, stroke: _Stroke) -> bool:
    dx, dy = stroke.x - last.x, stroke.y - last.y
    away, longer = math.hypot(dx, dy), max(last.length, stroke.length)
    if away > _BEND_REACH * longer or away < 0.6 * longer or longer > 2.5 * min(last.length, stroke.length):
        return False
    way = math.atan2(dy, dx)
    return all(
        abs((angle - way + math.pi / 2) % math.pi - math.pi / 2) <= _BEND_RAD for angle in (last.angle, stroke.angle)
    )


def _strokes_ahead(found: Sequence[_Stroke | None]) -> dict[_Stroke, set[_Stroke]]:
    """Each stroke with those of about its length that lie on its axis, not far off.

    A page of print has thousands of strokes, so each is compared only with those near enough.
    """
    strokes = sorted((stroke for stroke in found if stroke is not None), key=lambda stroke: stroke.x)
    xs, ys, angles, lengths = np.array([(s.x, s.y, s.angle, s.length) for s in strokes]).reshape(-1, 4).T
    farthest = _REACH * _LENGTH_PX[1] + _OFF_AXIS_PX
    starts, ends = np.searchsorted(xs, xs - farthest), np.searchsorted(xs, xs + farthest, side="right")
    ahead: dict[_Stroke, set[_Stroke]] = {}
    for one, start, end in zip(strokes, starts.tolist(), ends.tolist(), strict=True):
        near = slice(start, end)
        turn = (one.angle - angles[near] + math.pi / 2) % math.pi - math.pi / 2
        dx, dy = xs[near] - one.x, ys[near] - one.y
        along = np.abs(dx * math.cos(one.angle) + dy * math.sin(one.angle))
        across = np.abs(-dx * math.sin(one.angle) + dy * math.cos(one.angle))
        shorter, longer = np.minimum(one.length, lengths[near]), np.maximum(one.length, lengths[near])
        is_alike = (longer <= 2.0 * shorter) & (np.abs(turn) <= _SAME_DIRECTION_RAD)
        is_near = (0.8 * shorter <= along) & (along <= _REACH * longer) & (across <= _OFF_AXIS_PX)
        ahead[one] = {strokes[start + place] for place in np.flatnonzero(is_alike & is_near).tolist()}
    return ahead


def _extend(solid: NDArray[np.uint8], labelled: NDArray[np.int32], stroke: _Stroke, reach: float) -> None:
    """The half of a stroke on one side, made longer up to the last ink within `reach`: the next dash, or the line it ends at."""
    dx, dy = math.cos(stroke.angle), math.sin(stroke.angle)
    beyond = np.arange(stroke.length / 2 + 2, abs(reach)) * math.copysign(1, reach)
    inked = np.flatnonzero(pixels_at(labelled, stroke.x + beyond * dx, stroke.y + beyond * dy))
    far = float(beyond[inked[-1]]) if len(inked) else math.copysign(stroke.length / 2, reach)
    end = (round(stroke.x + far * dx), round(stroke.y + far * dy))
    cv2.line(solid, (round(stroke.x), round(stroke.y)), end, 1, 2)


def _stroke(labelled: NDArray[np.int32], stats: NDArray[np.int32], index: int) -> _Stroke | None:
    """What may be a dash: a straight piece of ink, filled unless it is thin."""
    left, top, width, height, area = stats[index].tolist()
    if not _LENGTH_PX[0] <= math.hypot(width, height) <= 1.2 * _LENGTH_PX[1] or area < 5:
        return None
    rows, columns = np.nonzero(labelled[top : top + height, left : left + width] == index)
    (x, y), (first, second), angle = cv2.minAreaRect(np.stack([columns, rows], axis=1).astype(np.float32))
    length, across = max(first, second) + 1, min(first, second) + 1
    is_short_or_long = length < _SQUAT * across or not _LENGTH_PX[0] <= length <= _LENGTH_PX[1]
    is_hollow = across > _THIN_PX and area < _FILLED * length * across
    if across > _MAX_WIDTH_PX or is_short_or_long or is_hollow:
        return None
    along = math.radians(angle) + (0.0 if first >= second else math.pi / 2)
    return _Stroke(x=left + x, y=top + y, angle=along, length=length, is_slender=length >= _SLENDER * across)


_GLYPH_LIMITS_PX = (40, 72)  # print grows with the picture, within limits
_CONTRAST = 45  # grey levels between ink and the ground around it
_PRINT_CONTRAST = 40
_SPOILT_CONTRAST = 60  # where compression has left ripples beside what was painted out
_STROKE_REACH_PX = 15  # strokes thinner than this count as ink; wider areas are fills


@dataclass(frozen=True, kw_only=True)
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

    @cached_property
    def near_lines(self) -> Mask:
        """The lines, a pixel wider on every side: what is looked for along a line is seldom on the very pixel."""
        return np.asarray(cv2.dilate(self.lines, np.ones((3, 3), np.uint8)), np.uint8)

    @cached_property
    def near_drawn(self) -> Mask:
        return np.asarray(cv2.dilate(self.drawn, np.ones((3, 3), np.uint8)), np.uint8)


_Value = TypeVar("_Value", bound=np.generic)


def pixels_at(
    picture: NDArray[_Value], xs: NDArray[np.float64], ys: NDArray[np.float64], *, outside: float | None = None
) -> NDArray[_Value]:
    """The pixels nearest to places; beyond the rim the last ones before it, or a value for what is outside."""
    columns, rows = np.rint(xs).astype(np.intp), np.rint(ys).astype(np.intp)
    near_columns, near_rows = columns.clip(0, picture.shape[1] - 1), rows.clip(0, picture.shape[0] - 1)
    pixels: NDArray[_Value] = picture[near_rows, near_columns]
    if outside is not None:
        pixels[(columns != near_columns) | (rows != near_rows)] = outside
    return pixels


def light_ground(picture: Pixels) -> Pixels:
    """The picture with a light ground: dark-mode figures are inverted."""
    return picture if float(np.median(picture)) >= 110 else np.asarray(255 - picture, dtype=np.uint8)


def _blackhat(channel: Gray) -> Gray:
    """How much darker strokes are than what is around them; wider areas are fills."""
    kernel = np.ones((_STROKE_REACH_PX, _STROKE_REACH_PX), dtype=np.uint8)
    return np.asarray(cv2.morphologyEx(channel, cv2.MORPH_BLACKHAT, kernel), dtype=np.uint8)


def _is_uncoloured(clean: Pixels) -> NDArray[np.bool_]:
    """Where print may be: it darkens all channels alike, while a coloured stroke spreads them.

    Sub-pixel rendering colours the left and right rims of print, which three pixels side by side even out. Only where an
    overlay was taken out is colour a sign of its remains; other figures print letters in any colour.
    """
    blurred = np.asarray(cv2.blur(clean, (3, 1)), np.uint8)
    spread = lightest(blurred) - darkest(blurred)
    depth = _blackhat(np.asarray(cv2.cvtColor(blurred, cv2.COLOR_RGB2GRAY), dtype=np.uint8))
    return np.asarray(spread < 0.6 * depth + 8)


def ink_of(clean: Pixels, covered: Mask, *, is_compressed: bool = False) -> Ink:
    """The ink of a picture whose overlay has been painted out.

    Compression lets an overlay's colours run over what is around it: then brightness alone tells what is drawn.
    """
    gray = np.asarray(cv2.cvtColor(clean, cv2.COLOR_RGB2GRAY), dtype=np.uint8)
    depth = _blackhat(gray)
    if is_compressed and covered.any():
        drawn = print_like = depth > _SPOILT_CONTRAST
    elif covered.any():
        drawn = _blackhat(darkest(clean)) > _CONTRAST
        print_like = (depth > _PRINT_CONTRAST) & _is_uncoloured(clean)
    else:  # on an area in a strong colour, whose darkest channel is dark itself, a line is seen by its brightness
        drawn = (_blackhat(darkest(clean)) > _CONTRAST) | (depth > _CONTRAST)
        print_like = depth > _PRINT_CONTRAST
    drawn_mask = np.asarray(drawn, dtype=np.uint8)
    count, labelled, stats, _ = cv2.connectedComponentsWithStats(drawn_mask, connectivity=8)
    dashed = _dashed_lines(np.asarray(labelled, np.int32), np.asarray(stats, np.int32))
    # A dash beside a number would be read as a 1; under an overlay, pieces of print pass for dashes too often.
    on_dash = (cv2.dilate(dashed, np.ones((3, 3), np.uint8)) > 0) & (not covered.any())
    print_mask = np.asarray(print_like & ~on_dash, dtype=np.uint8)
    # Small separate shapes that are mostly print-like are print.
    max_glyph_px = int(np.clip(0.06 * sum(gray.shape), *_GLYPH_LIMITS_PX))
    printed = np.bincount(labelled[print_mask > 0], minlength=count)
    small = (np.maximum(stats[:, 2], stats[:, 3]) <= max_glyph_px) & (printed >= 0.4 * stats[:, 4])
    return Ink(
        drawn=drawn_mask,
        print_like=print_mask,
        lines=np.asarray(drawn_mask & ~small[labelled], dtype=np.uint8) | dashed,
        max_glyph_px=max_glyph_px,
        covered=covered,
        gray=gray,
    )


_FILL_CONTRAST = 24  # between a coloured area and what is beside it


def with_fill_rims(ink: Ink, clean: Pixels) -> Ink:
    """The ink with the rims of coloured areas as lines: an area may have no line around it."""
    flat = np.asarray(cv2.medianBlur(clean, 7), np.uint8)
    steps = cv2.morphologyEx(flat, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)).max(axis=2) > _FILL_CONTRAST
    _, labelled, stats, _ = cv2.connectedComponentsWithStats(steps.astype(np.uint8), connectivity=8)
    is_large = np.maximum(stats[:, 2], stats[:, 3]) > ink.max_glyph_px
    is_large[0] = False
    return replace(ink, lines=np.asarray(ink.lines | is_large[labelled], np.uint8))


@dataclass(frozen=True, slots=True, kw_only=True)
class RuledLine:
    """A level or upright line: from where to where it runs, and at which row or column."""

    start: float
    end: float
    across: float


def dark_strokes(picture: Pixels) -> NDArray[np.uint8]:
    """Where the picture has thin strokes darker than what is around them, on a light or a dark ground."""
    return np.asarray(_blackhat(darkest(light_ground(picture))) > _CONTRAST, dtype=np.uint8)


_DASH_TEXT = re.compile(r"[\s1lIi|/\\'’:;!.,·_–—−~-]+")  # what dashes are read as, alone or in a row
_LEAST_DASH = 0.08  # of a word's box that dashes fill, for it to be read again without them
_DASHES_ALONE = 0.5  # of the dashes of a drawing stand outside its print; columns of digits are dashes of their own
_DASH_LEFT = 0.25  # of a word's ink beside its dashes: less is no print


def without_dashes(picture: Pixels, words: Sequence[Word]) -> list[Word]:
    """The words without dashes of dashed lines that were read as print, alone or as part of a number."""
    if not words:
        return []
    ink = dark_strokes(picture)
    _, labelled, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    dashed = _dashed_lines(np.asarray(labelled, np.int32), np.asarray(stats, np.int32)) & ink
    text = [word for word in words if not _DASH_TEXT.fullmatch(word.text)]
    if without_words(dashed, text).sum() < max(_DASHES_ALONE * dashed.sum(), 1):
        return list(words)
    hidden = np.asarray(cv2.dilate(dashed, np.ones((3, 3), np.uint8)), np.uint8)
    kept = []
    for word in words:
        place = word.box.within(ink.shape[1], ink.shape[0]).slices()
        dashes, print_px = int(dashed[place].sum()), int((ink[place] & ~hidden[place]).sum())
        is_mixed = dashes >= _LEAST_DASH * ink[place].size or print_px < _DASH_LEFT * (dashes + print_px)
        if not dashes:
            kept.append(word)
        elif not _DASH_TEXT.fullmatch(word.text):
            kept.append(_read_anew(picture, word, hidden) if is_mixed else word)
    return kept


def _read_anew(picture: Pixels, word: Word, hidden: Mask) -> Word:
    """A word as its crop reads once dashes are painted over, if that is print."""
    place = word.box.with_margin(2).within(picture.shape[1], picture.shape[0]).slices()
    crop = picture[place].copy()
    crop[hidden[place] > 0] = np.median(crop.reshape(-1, 3), axis=0)
    (reading,) = recognise([crop])
    return replace(word, text=reading.text, confidence=reading.confidence) if reading.text.strip() else word


def without_words(ink: NDArray[np.uint8], words: Sequence[Word]) -> NDArray[np.uint8]:
    """The ink with the boxes of words cleared."""
    cleared = ink.copy()
    for word in words:
        cleared[word.box.slices()] = 0
    return cleared


def long_strokes(ink: NDArray[np.uint8], least_px: int, *, upright: bool) -> list[RuledLine]:
    """The level or upright lines of at least that length."""
    size = (max(least_px, 3), 1) if upright else (1, max(least_px, 3))
    opened = cv2.morphologyEx(ink, cv2.MORPH_OPEN, np.ones(size, dtype=np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(opened, connectivity=8)
    strokes = []
    for left, top, width, height, _ in stats[1:].tolist():
        start, length, aside, thickness = (top, height, left, width) if upright else (left, width, top, height)
        strokes.append(RuledLine(start=float(start), end=float(start + length), across=aside + thickness / 2))
    return strokes
