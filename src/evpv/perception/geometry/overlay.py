"""Point names drawn on top of a figure: pure blue letters, each beside a pure red dot, as annotation tools draw them.

Where they exist they say exactly where the points are and what they are called; they also hide part of the figure, so
`without_overlay` paints them out for the parts that read the figure itself. Where compression or resizing has blurred
their colours, a small network sees which letter stands at each dot, and which pixels around it belong to the overlay.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray

from evpv.perception.geometry.ink import Gray, Mask, pixels_at
from evpv.perception.geometry.lettering import CAPITALS, letter_scores
from evpv.perception.ocr import Pixels

_Dot = tuple[float, float]
"""The centre of a red dot: x, y."""

_DOT_PX, _DOT_AREA_PX = 9.0, 38.0
_MIN_SCORE = 0.15  # below this a letter is a guess, and a point better has no name
_MIN_SOFT_SCORE = 0.5  # and of a dot that may be a red mark of the figure
_LEAST_OVERLAID = 0.5  # likelihood of a pixel that counts as overlay
_MIN_LETTER_PX = 8
_LETTER_PX = 22  # the usual height
_FARTHEST_LETTER = 0.8  # letter heights from where a dot's letter is drawn
_MIN_STRENGTH = 60.0  # of blue in a letter
_RECOGNISED = 0.5  # what the recogniser's word counts beside the network's
_MIN_DOT_PX = 5
_MAX_DOT_PX = 14
_LEAST_BLUE_PX = 20
_DOMINANT_SHARE = 0.41  # of the strongest pixel
_DOT_SHARE = 0.3  # the same, to measure dots by, which compression pales at their rims
_DRAWN_SIZE = (0.66, 1.35)  # of a dot's usual size: what compression makes of it at that size
_ONCE_PURE = 140.0  # inks of textbooks stay below it
_PEAK_SHARE = 0.35  # of the strongest dot, after smoothing
_PURE_SHARE = 0.45  # and before: magenta marks are larger, or broken into specks, but less red
_ALONE = 0.5  # of a dot's own strength: what is left of it a dot's width away


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedPoint:
    """A point of the figure, its name, how sure the name is, and whether the figure itself prints that name."""

    name: str
    x: float
    y: float
    confidence: float
    printed: bool = False

    def distance(self, other: NamedPoint) -> float:
        return math.hypot(other.x - self.x, other.y - self.y)


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlay:
    """The drawn-on names: the points, and every pixel that the overlay covers."""

    points: tuple[NamedPoint, ...]
    covered: Mask


def _pure(picture: Pixels, channel: int) -> Mask:
    first, second = (picture[:, :, other] for other in range(3) if other != channel)
    return np.asarray((picture[:, :, channel] > 190) & (first < 70) & (second < 70), dtype=np.uint8)


def _dominance(picture: Pixels, channel: int) -> NDArray[np.float32]:
    """How far one channel stands out over the other two."""
    others = np.maximum(*(picture[:, :, other] for other in range(3) if other != channel))
    return picture[:, :, channel].astype(np.float32) - others


def _dominant(picture: Pixels, channel: int, share: float = _DOMINANT_SHARE) -> Mask:
    """Where one channel stands out: what is left of a pure colour after resizing or compression.

    Compression pales small coloured shapes, so what stands out is judged by the strongest of them; where that is no
    pure colour, nothing was.
    """
    strength = _dominance(picture, channel)
    strongest = float(strength.max(initial=0.0))
    least = share * strongest if strongest >= _ONCE_PURE else 255.0
    return np.asarray(strength > least, dtype=np.uint8)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Glyph:
    left: int
    bottom: int
    height: int
    crop: Gray

    def off(self, dot: _Dot) -> float:
        """How far it stands from where a dot's letter is drawn; at the picture's upper and right edge that is moved inwards."""
        return abs(self.left - dot[0] - 2) + abs(self.bottom - dot[1] - 1)


def _crop(mask: Mask) -> Gray:
    padded = np.pad(mask, 4)
    return np.asarray(np.where(padded > 0, 0, 255), dtype=np.uint8)


def _dots(red: Mask) -> list[_Dot]:
    """Centres of the red dots, by bounding box because a letter may hide part of one."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(red, connectivity=8)
    centres = []
    for left, top, width, height, _ in stats[1:].tolist():
        if min(width, height) >= _MIN_DOT_PX and max(width, height) <= _MAX_DOT_PX:
            right_hidden = width < height  # the letter starts at the dot's right edge and overwrites it there
            centres.append((left + (height if right_hidden else width) / 2 - 0.5, top + height / 2 - 0.5))
    return centres


def _letter_of_each_dot(blue: Mask, dots: list[_Dot]) -> list[tuple[_Dot, Gray]]:
    """The dots with the blue shape beside each or, where letters run into each other, with what is blue where it must be."""
    glyphs = _glyphs(blue)
    usual = int(np.median([glyph.height for glyph in glyphs])) if glyphs else 0
    letters = [glyph for glyph in glyphs if 0.6 <= glyph.height / usual <= 1.35]
    pairs = []
    for dot in dots if glyphs else ():
        nearest = min(letters, key=lambda glyph: glyph.off(dot), default=None)
        if nearest is not None and nearest.off(dot) <= _FARTHEST_LETTER * usual:
            pairs.append((dot, nearest.crop))
            continue
        left, bottom = round(dot[0]), round(dot[1]) + 2
        part = blue[max(bottom - usual - 1, 0) : bottom, max(left, 0) : left + round(1.05 * usual)]
        if part.sum() >= usual:
            pairs.append((dot, _crop(part)))
    return pairs


def _glyphs(blue: Mask) -> list[_Glyph]:
    _, labelled, stats, _ = cv2.connectedComponentsWithStats(blue, connectivity=8)
    glyphs = []
    for index, (left, top, width, height, _) in enumerate(stats.tolist()):
        if index and height >= _MIN_LETTER_PX:
            part = np.asarray(labelled[top : top + height, left : left + width] == index, dtype=np.uint8)
            glyphs.append(_Glyph(left=left, bottom=top + height, height=height, crop=_crop(part)))
    return glyphs


def _named_points(dots: Sequence[_Dot], scores: NDArray[np.float32], least: float) -> tuple[NamedPoint, ...]:
    """The dots by the letters that suit them (dots × 26), surest first, no letter twice: no name is used for two points."""
    points: dict[_Dot, NamedPoint] = {}
    letters: set[str] = set()
    for flat in np.argsort(-scores, axis=None, kind="stable").tolist():
        row, column = divmod(flat, len(CAPITALS))
        dot, name, score = dots[row], CAPITALS[column], float(scores[row, column])
        if score >= least and dot not in points and name not in letters:
            letters.add(name)
            points[dot] = NamedPoint(name=name, x=dot[0], y=dot[1], confidence=score)
    return tuple(sorted(points.values(), key=lambda point: point.name))


def _soft_dots(picture: Pixels) -> list[_Dot]:
    """Centres of dots that have lost their rims: where smoothed red peaks and is gone a dot's width away."""
    if not _dominant(picture, 0).any():
        return []
    strength = _dominance(picture, 0).clip(0)
    red = cv2.GaussianBlur(strength, (0, 0), 0.22 * _DOT_PX)
    pure = cv2.dilate(strength, np.ones((5, 5), dtype=np.uint8)) >= _PURE_SHARE * float(strength.max())
    size = round(_DOT_PX) | 1
    is_peak = pure & (red >= max(_PEAK_SHARE * float(red.max(initial=0.0)), 1.0))
    is_peak &= red == cv2.dilate(red, np.ones((size, size), dtype=np.uint8))
    turns = np.radians(np.arange(0, 360, 15))
    dots = []
    for row, column in np.argwhere(is_peak).tolist():
        around = pixels_at(red, column + _DOT_PX * np.cos(turns), row + _DOT_PX * np.sin(turns))
        if float(around.mean()) <= _ALONE * red[row, column]:
            dots.append((float(column), float(row)))
    return dots


def overlay_scale(picture: Pixels) -> float:
    """How much to resize a picture so that its overlay has the size it was drawn with; 1 where there is none."""
    _, labelled, stats, _ = cv2.connectedComponentsWithStats(_dominant(picture, 0, _DOT_SHARE), connectivity=8)
    pure = np.unique(labelled[(labelled > 0) & (_dominant(picture, 0, _PURE_SHARE) > 0)])
    areas = [
        area
        for _, _, width, height, area in stats[pure].tolist()
        if 3 <= max(width, height) <= 45 and 0.7 <= width / height <= 1.4 and 0.4 <= area / (width * height) <= 0.95
    ]
    # A dot four pixels wide may have been drawn at half its size or at less: its area tells, its width does not.
    size = math.sqrt(float(np.median(areas)) / _DOT_AREA_PX) if len(areas) >= 2 else 1.0
    return 1.0 if _DRAWN_SIZE[0] <= size <= _DRAWN_SIZE[1] else float(np.clip(1 / size, 0.3, 3.0))


def read_overlay(picture: Pixels, *, is_compressed: bool = False) -> Overlay:
    """The points named by an overlay, as its exact colours show it or, where those are lost, as the network sees it.

    Colours are exact where nearly all pixels still have the very one they were drawn with, give or take noise.
    """
    blue, red = _pure(picture, 2), _pure(picture, 0)
    own = picture[(blue | red) > 0]
    is_exact = len(own) > 0 and bool(((own < 40) | (own > 215)).all(axis=1).mean() > 0.9)
    return _exact_overlay(blue, red) if is_exact else _soft_overlay(picture, is_compressed)


def _exact_overlay(blue: Mask, red: Mask) -> Overlay:
    letters = _letter_of_each_dot(blue, _dots(red)) if int(blue.sum()) >= _LEAST_BLUE_PX else []
    if not letters:
        return Overlay(points=(), covered=np.zeros_like(blue))
    points = _named_points([dot for dot, _ in letters], letter_scores([crop for _, crop in letters]), _MIN_SCORE)
    return Overlay(points=points, covered=np.asarray(blue | red, np.uint8))


def _soft_overlay(picture: Pixels, is_compressed: bool) -> Overlay:
    """An overlay that lost its exact colours; red print on a figure of its own is none. Resizing gives it a soft rim."""
    blue, dots = _dominant(picture, 2), _soft_dots(picture)
    if not dots or int(blue.sum()) < _LEAST_BLUE_PX:
        return Overlay(points=(), covered=np.zeros_like(blue))
    letters, overlaid = _seen_at(picture, dots)
    if not is_compressed:  # what was only resized or turned is still print, of whatever font
        blueness = _dominance(picture, 2)
        letters = letters + _RECOGNISED * letter_scores([_soft_crop(blueness, dot) for dot in dots])
    points = _named_points(dots, letters, _MIN_SOFT_SCORE)
    named = {(point.x, point.y) for point in points}
    windows = [(dot, window) for dot, window in zip(dots, overlaid, strict=True) if dot in named]
    covered, rim = _hidden_pixels(windows, blue.shape), 1 if is_compressed else 3
    return Overlay(points=points, covered=np.asarray(cv2.dilate(covered, np.ones((rim, rim), np.uint8)), np.uint8))


def _soft_crop(strength: NDArray[np.float32], dot: _Dot) -> Gray:
    """Where the dot's letter must be, in shades of a strength: dark letter, light ground."""
    left, bottom = max(round(dot[0]), 0), round(dot[1]) + 3
    part = strength[max(bottom - _LETTER_PX - 4, 0) : bottom, left : left + round(1.15 * _LETTER_PX)]
    strongest = max(float(part.max(initial=0.0)), _MIN_STRENGTH)
    shades = np.clip((part - 0.3 * strongest) / (0.6 * strongest), 0, 1)
    return np.pad(np.asarray(255 * (1 - shades), dtype=np.uint8), 3, constant_values=255)


_WINDOW_PX, _LEFT_PX, _ABOVE_PX = 48, 20, 28  # what the network sees around a dot, and where in it the dot is
_OUTSIDE = 128  # what it sees beyond the picture's rim


def _corner(dot: _Dot) -> tuple[int, int]:
    """Row and column where a dot's window begins, in a picture with a window's width around it."""
    return round(dot[1]) - _ABOVE_PX + _WINDOW_PX, round(dot[0]) - _LEFT_PX + _WINDOW_PX


def _hidden_pixels(windows: Sequence[tuple[_Dot, NDArray[np.float32]]], shape: tuple[int, ...]) -> Mask:
    """What the overlay hides, put together from windows of likelihoods; marks of the figure may be as red or as blue."""
    likely = np.zeros((shape[0] + 2 * _WINDOW_PX, shape[1] + 2 * _WINDOW_PX), np.float32)
    for dot, overlaid in windows:
        top, left = _corner(dot)
        place = likely[top : top + _WINDOW_PX, left : left + _WINDOW_PX]
        np.maximum(place, overlaid, out=place)
    within = likely[_WINDOW_PX:-_WINDOW_PX, _WINDOW_PX:-_WINDOW_PX]
    return np.asarray(within >= _LEAST_OVERLAID, dtype=np.uint8)


def _seen_at(picture: Pixels, dots: Sequence[_Dot]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """For each dot, how likely each capital stands beside it (dots × 26), and how likely each pixel around is overlay.

    `scripts/train_overlay_letters.py` trained the network on drawn letters only; its last likelihood is that of no letter.
    """
    rim = ((_WINDOW_PX, _WINDOW_PX), (_WINDOW_PX, _WINDOW_PX), (0, 0))
    padded = np.pad(picture, rim, constant_values=_OUTSIDE)
    windows = [padded[top : top + _WINDOW_PX, left : left + _WINDOW_PX] for top, left in map(_corner, dots)]
    levels = np.stack(windows).astype(np.float32).transpose(0, 3, 1, 2) / 255
    letters, overlaid = _network().run(None, {"windows": levels})
    return np.asarray(letters[:, : len(CAPITALS)], np.float32), np.asarray(overlaid, np.float32)


@lru_cache(maxsize=1)
def _network() -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    weights = files("evpv.perception.geometry").joinpath("overlay_letters.onnx").read_bytes()
    return onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])


def without_overlay(picture: Pixels, covered: Mask) -> Pixels:
    """The picture with the overlay painted out from its surroundings."""
    return np.asarray(cv2.inpaint(picture, covered, 2, cv2.INPAINT_TELEA), np.uint8) if covered.any() else picture
