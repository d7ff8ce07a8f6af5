"""What a table's pixels say beside its words: borders (rules, edges of coloured cells) and gaps inside a detected word.

A detector made for lines of text takes neighbouring cells for one word where columns stand close, and only the white
space between the glyphs tells a column's gap from a space.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Box, Pixels, lightest, runs_apart, runs_of
from evpv.perception.ocr import Word

_Mask = NDArray[np.uint8]
Span = tuple[float, float]

_CONTRAST = 14  # levels between the two sides of a border; the palest bands of the light tables differ by about 20
_GAP_PX = 5  # a crossing rule interrupts a border for its own thickness
_INK = 0.35  # of a box's contrast: darker than this against its ground is a glyph
_WIDE_GAP = 1.5  # in widths of a space: wider white space parts words even where no space was read


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Where vertical and horizontal borders run: a pixel mask each, and their positions in order."""

    vertical: _Mask
    horizontal: _Mask
    xs: tuple[int, ...]
    ys: tuple[int, ...]


def find_rules(picture: Pixels, words: Sequence[Box], text_height_px: float) -> Rules:
    """Straight edges longer than letters are tall, outside the words.

    Rows of letters make long straight edges too, so the inner part of each word's box is left out; its rim may hold a
    rule, since boxes are drawn generously.
    """
    shortest = max(int(1.5 * text_height_px), 12)
    silent = np.zeros(picture.shape[:2], bool)
    for word in words:
        left, top, right, end = (max(int(edge), 0) for edge in word.with_margin(-0.22 * word.line_height))
        silent[top:end, left:right] = True
    vertical = _vertical_edges(picture, silent, shortest)
    horizontal = _vertical_edges(np.ascontiguousarray(picture.transpose(1, 0, 2)), silent.T, 2 * shortest).T
    apart = max(int(0.4 * text_height_px), 3)
    return Rules(
        vertical=vertical,
        horizontal=horizontal,
        xs=_positions(vertical.sum(axis=0), apart),
        ys=_positions(horizontal.sum(axis=1), apart),
    )


def _vertical_edges(picture: Pixels, silent: NDArray[np.bool_], shortest: int) -> _Mask:
    """_Mask (0 or 1) of vertical edges at least `shortest` pixels long."""
    step = np.zeros(picture.shape[:2], np.uint8)
    step[:, 1:-1] = lightest(np.asarray(cv2.absdiff(picture[:, 2:], picture[:, :-2]), np.uint8))
    mask = ((step > _CONTRAST) & ~silent).astype(np.uint8)
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((_GAP_PX, 3), np.uint8))
    return np.asarray(cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((shortest, 1), np.uint8)), np.uint8)


def _positions(edge: NDArray[np.integer], apart: int) -> tuple[int, ...]:
    """Middles of the runs of neighbouring lines of pixels that hold a border; both sides of a thick rule are one."""
    found = np.flatnonzero(edge)
    if not len(found):
        return ()
    return tuple(round((int(run[0]) + int(run[-1])) / 2) for run in runs_apart(found, apart))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """The words of a picture cut at their spaces, each as wide as its ink, and how wide a space between words is."""

    words: tuple[Word, ...]
    space_px: float


def printed_pieces(picture: Pixels, words: Sequence[Word]) -> Pieces:
    """Every word in the pieces that white space makes of it.

    How wide a space is the gaps between letters tell, in words that were cut at their spaces, or else the print's height.
    """
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), np.float32)
    runs = [_ink_runs(grey, word) for word in words]
    spaces = [
        right.box.x0 - left.box.x1
        for word, own in zip(words, runs, strict=True)
        for left, right in itertools.pairwise(_cut(word, own, np.inf))
        if (left.text[-1] + right.text[0]).isalpha()
    ]
    height = median([word.box.height for word in words]) if words else 0.0
    usual = float(np.percentile(spaces, 60)) if len(spaces) >= 3 else 0.18 * height
    space_px = min(max(usual, 0.15 * height, 1.0), 0.3 * height)
    pieces = [piece for word, own in zip(words, runs, strict=True) for piece in _cut(word, own, _WIDE_GAP * space_px)]
    return Pieces(words=tuple(pieces), space_px=space_px)


def _cut(word: Word, runs: Sequence[Span], wide_px: float) -> list[Word]:
    """A word cut at as many of its widest gaps as it has spaces, or at all wider than `wide_px` where those are more."""
    tokens = word.text.split()
    if not (runs and tokens):
        return [word]
    gaps = sorted(range(len(runs) - 1), key=lambda index: runs[index][1] - runs[index + 1][0])
    wide = [index for index in gaps if runs[index + 1][0] - runs[index][1] > wide_px]
    if len(wide) > len(tokens) - 1:
        tokens = _cut_text(word.text, runs, sorted(wide))
    if len(tokens) > len(runs):
        tokens = [word.text]
    ends = [-1, *sorted(gaps[: len(tokens) - 1]), len(runs) - 1]
    pieces = [
        replace(word, text=token, box=Box(runs[before + 1][0], word.box.y0, runs[last][1], word.box.y1))
        for token, (before, last) in zip(tokens, itertools.pairwise(ends), strict=True)
    ]
    return [piece for piece in pieces if piece.text]


def _ink_runs(grey: NDArray[np.float32], word: Word) -> list[Span]:
    """The x intervals of a level word that hold ink; what is dark from side to side or top to bottom is a rule."""
    box = word.box
    x0, y0, x1, y1 = max(int(box[0]), 0), max(int(box[1]), 0), int(np.ceil(box[2])), int(np.ceil(box[3]))
    crop = grey[y0:y1, x0:x1]
    if crop.size == 0 or abs(word.angle_deg) > 5:
        return []
    away = np.abs(crop - float(np.median(crop)))
    ink = away > max(_INK * float(np.percentile(away, 99)), 25.0)
    inset = (y1 - y0) // 6  # the rim may hold ink of the neighbouring lines
    glyphs = ink[inset : len(ink) - inset][ink[inset : len(ink) - inset].mean(axis=1) < 0.85]
    columns = glyphs.any(axis=0) & (ink.mean(axis=0) < 0.85)
    return [(float(x0 + start), float(x0 + end)) for start, end in runs_of(columns)]


def _cut_text(text: str, runs: Sequence[Span], cuts: Sequence[int]) -> list[str]:
    """A text without its spaces, cut where gaps too wide for one lie: by the glyphs before each, or by their ink."""
    glyphs = text.replace(" ", "")
    if len(glyphs) == len(runs):
        shares = [(cut + 1) / len(runs) for cut in cuts]
    else:
        lengths = np.cumsum([end - start for start, end in runs])
        shares = [float(lengths[cut] / lengths[-1]) for cut in cuts]
    places = [0, *(round(len(glyphs) * share) for share in shares), len(glyphs)]
    return [glyphs[start:end] for start, end in itertools.pairwise(places)]


def text_extent(words: Sequence[Word]) -> Span:
    """From where to where words of one line reach."""
    return words[0].box.x0, words[-1].box.x1


def own_underline(rules: Rules, phrase: Sequence[Word], line: Sequence[Sequence[Word]]) -> Span | None:
    """How far the border right under a phrase reaches, if it is the phrase's own: wider than it, under no other one."""
    start, end = text_extent(phrase)
    bottom, height = phrase[0].box.y1, phrase[0].box.height
    strip = rules.horizontal[max(int(bottom - 0.3 * height), 0) : int(bottom + 0.6 * height) + 1]
    band = np.asarray(strip.any(axis=0), bool)
    under = next(((left, right) for left, right in runs_of(band) if left < (start + end) / 2 < right), None)
    if under is None or band[: int(0.08 * len(band))].any():
        return None
    left, right = under
    own = abs(left + right - start - end) < 0.2 * (right - left) or abs(left - start) < 0.5 * height
    shared = sum(left < sum(text_extent(other)) / 2 < right for other in line) > 1
    return under if own and not shared and end - start < right - left <= 0.9 * len(band) else None
