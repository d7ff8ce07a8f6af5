"""Point names drawn on top of a figure: pure blue letters, each beside a pure red dot, as annotation tools draw them.

Where they exist they say exactly where the points are and what they are called; they also hide part of the figure, so
`without_overlay` paints them out for the parts that read the figure itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray

from evpv.perception.geometry.ink import Gray, Mask
from evpv.perception.geometry.lettering import CAPITALS, letter_scores
from evpv.perception.ocr import Pixels

_Dot = tuple[float, float]
"""The centre of a red dot: x, y."""

_DOT_PX = 9.0
_LETTER_PX = 22  # the usual height, where the letters themselves cannot tell
_SMALL_PX = 15  # smaller letters are drawn so
_MIN_STRENGTH = 60.0
_MIN_SCORE = 0.15  # below this a letter is a guess, and a point better has no name
_MIN_SOFT_SCORE = 0.65  # and of a dot that may be a red mark of the figure
_MIN_LETTER_PX = 8
_MIN_DOT_PX = 5
_MAX_DOT_PX = 14
_LEAST_BLUE_PX = 20
_DOMINANT_SHARE = 0.41  # of the strongest pixel
_DOT_SHARE = 0.3  # the same, to measure dots by, which compression pales at their rims
_DRAWN_SIZE = (0.66, 1.35)  # of a dot's usual size: what compression makes of it at that size
_ONCE_PURE = 140.0  # inks of textbooks stay below it
_PEAK_SHARE = 0.45  # of the strongest dot, after smoothing
_PURE_SHARE = 0.55  # and before: magenta marks are larger, but less red
_ALONE = 0.5  # of a dot's own strength: what is left of it a dot's width away
_BLUISH = 25.0


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedPoint:
    """A point of the figure, its name, how sure the name is, and whether the figure itself prints that name."""

    name: str
    x: float
    y: float
    confidence: float
    printed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlay:
    """The drawn-on names: the points, and every pixel that the overlay covers."""

    points: tuple[NamedPoint, ...]
    covered: Mask


def _pure(picture: Pixels, channel: int) -> Mask:
    others = [picture[:, :, other] for other in range(3) if other != channel]
    return np.asarray(
        (picture[:, :, channel] > 190) & (others[0] < 70) & (others[1] < 70),
        dtype=np.uint8,
    )


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
    top: int
    width: int
    height: int
    crop: Gray
    at_edge: bool

    @property
    def bottom(self) -> int:
        return self.top + self.height


def _crop(mask: Mask) -> Gray:
    padded = np.pad(mask, 4)
    return np.asarray(np.where(padded > 0, 0, 255), dtype=np.uint8)


def _dots(red: Mask) -> list[_Dot]:
    """Centres of the red dots, by bounding box because a letter may hide part of one."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(red, connectivity=8)
    centres = []
    for left, top, width, height, _area in stats[1:count]:
        if min(width, height) >= _MIN_DOT_PX and max(width, height) <= _MAX_DOT_PX:
            right_hidden = width < height  # the letter starts at the dot's right edge and overwrites it there
            centre_x = left + height / 2 if right_hidden else left + width / 2
            centres.append((float(centre_x - 0.5), float(top + height / 2 - 0.5)))
    return centres


def _components(blue: Mask) -> list[_Glyph]:
    count, labelled, stats, _ = cv2.connectedComponentsWithStats(blue, connectivity=8)
    glyphs = []
    for index in range(1, count):
        left, top, width, height, _area = (int(value) for value in stats[index])
        if height >= _MIN_LETTER_PX:
            part = np.asarray(labelled[top : top + height, left : left + width] == index, dtype=np.uint8)
            at_edge = top <= 2 or left + width >= blue.shape[1] - 2
            glyphs.append(_Glyph(left=left, top=top, width=width, height=height, crop=_crop(part), at_edge=at_edge))
    return glyphs


def _beside(dot: _Dot, glyph: _Glyph, letter_height: float) -> bool:
    """Whether the glyph stands where a letter of this dot is drawn: up and to the right of it, on its baseline.

    At the picture's upper and right edge the letter is moved inwards, over or below the dot.
    """
    if not 0.6 * letter_height <= glyph.height <= 1.35 * letter_height:
        return False
    slack = 0.4 * letter_height
    right = dot[0] - glyph.left
    above = glyph.bottom - dot[1]
    shifted = glyph.height + slack
    return -slack <= right <= (shifted if glyph.at_edge else slack) and -slack <= above <= (
        shifted if glyph.at_edge else slack
    )


def _window(blue: Mask, dot: _Dot, letter_height: int) -> _Glyph | None:
    """The blue pixels where the letter must be, for letters that run into each other."""
    left, bottom = round(dot[0]), round(dot[1]) + 2
    top = max(bottom - letter_height - 1, 0)
    part = blue[top:bottom, max(left, 0) : left + round(1.05 * letter_height)]
    if part.sum() < letter_height:
        return None
    return _Glyph(left=left, top=top, width=part.shape[1], height=part.shape[0], crop=_crop(part), at_edge=False)


def _glyph_of_each_dot(blue: Mask, dots: list[_Dot]) -> list[tuple[_Dot, _Glyph]]:
    glyphs = _components(blue)
    if not glyphs:
        return []
    letter_height = int(np.median([glyph.height for glyph in glyphs]))
    pairs = []
    for dot in dots:
        beside = [glyph for glyph in glyphs if _beside(dot, glyph, letter_height)]
        beside.sort(key=lambda glyph: abs(glyph.left - dot[0] - 2) + abs(glyph.bottom - dot[1] - 1))
        glyph = beside[0] if beside else _window(blue, dot, letter_height)
        if glyph is not None:
            pairs.append((dot, glyph))
    return pairs


def _distinct_names(scores: NDArray[np.float32], least: float) -> list[tuple[int, int]]:
    """(row, letter) pairs, surest first, no letter twice: a figure never uses a name for two points."""
    order = np.argsort(-scores, axis=None, kind="stable")
    rows: set[int] = set()
    letters: set[int] = set()
    pairs = []
    for flat in order:
        row, letter = divmod(int(flat), len(CAPITALS))
        if row in rows or letter in letters or scores[row, letter] < least:
            continue
        rows.add(row)
        letters.add(letter)
        pairs.append((row, letter))
    return pairs


def _is_exact(picture: Pixels, covered: Mask) -> bool:
    """Whether nearly all overlay pixels still have the very colour they were drawn with, give or take noise."""
    own = picture[covered > 0]
    return len(own) > 0 and bool(((own < 40) | (own > 215)).all(axis=1).mean() > 0.9)


def _overlay_mask(layer: _Layer, points: Sequence[NamedPoint]) -> Mask:
    """Every pixel that the overlay touches: a soft rim is part of it where the colours are not exact.

    Where they are not, the figure's own marks may be as red and its lines as blue: only what is at named points counts.
    """
    covered = np.asarray(layer.blue | layer.red, dtype=np.uint8)
    if layer.is_exact:
        return covered
    places = np.zeros_like(covered)
    for point in points:
        x, y = round(point.x), round(point.y)
        cv2.rectangle(places, (x - _LEFT_PX, y - _ABOVE_PX), (x + _ABOVE_PX, y + _LEFT_PX), 1, -1)
    own = layer.blue & places | _at_dots(layer.red, [(point.x, point.y) for point in points])
    return np.asarray(cv2.dilate(own, np.ones((3, 3), dtype=np.uint8)), dtype=np.uint8)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layer:
    blue: Mask
    red: Mask
    letters: tuple[tuple[_Dot, tuple[_Glyph, ...]], ...]  # each dot, and ways to see its letter
    is_exact: bool


def _layer(blue: Mask, red: Mask) -> _Layer:
    letters = tuple((dot, (glyph,)) for dot, glyph in _glyph_of_each_dot(blue, _dots(red)))
    return _Layer(blue=blue, red=red, letters=letters, is_exact=True)


def _soft_crop(strength: NDArray[np.float32], dot: _Dot, letter_height: int) -> _Glyph | None:
    """Where the dot's letter must be, in shades of a strength: dark letter, light ground."""
    left, bottom = max(round(dot[0]), 0), round(dot[1]) + 3
    top = max(bottom - letter_height - 4, 0)
    part = strength[top:bottom, left : left + round(1.15 * letter_height)]
    strongest = float(part.max(initial=0.0))
    if strongest < _MIN_STRENGTH:
        return None
    shades = np.clip((part - 0.3 * strongest) / (0.6 * strongest), 0, 1)
    crop = np.pad(np.asarray(255 * (1 - shades), dtype=np.uint8), 3, constant_values=255)
    return _Glyph(left=left, top=top, width=part.shape[1], height=part.shape[0], crop=crop, at_edge=False)


def _soft_dots(picture: Pixels) -> list[_Dot]:
    """Centres of dots that have lost their rims: where smoothed red peaks and is gone a dot's width away."""
    if not _dominant(picture, 0).any():
        return []
    strength = _dominance(picture, 0).clip(0)
    red = cv2.GaussianBlur(strength, (0, 0), 0.22 * _DOT_PX)
    pure = cv2.dilate(strength, np.ones((5, 5), dtype=np.uint8)) >= _PURE_SHARE * float(strength.max())
    size = round(_DOT_PX) | 1
    peaks = (red >= max(_PEAK_SHARE * float(red.max(initial=0.0)), 1.0)) & (
        red == cv2.dilate(red, np.ones((size, size), dtype=np.uint8))
    )
    turns = np.radians(np.arange(0, 360, 15))
    dots = []
    for row, column in np.argwhere(peaks & pure).tolist():
        rows = np.clip(np.rint(row + _DOT_PX * np.sin(turns)), 0, red.shape[0] - 1).astype(np.intp)
        columns = np.clip(np.rint(column + _DOT_PX * np.cos(turns)), 0, red.shape[1] - 1).astype(np.intp)
        if float(red[rows, columns].mean()) <= _ALONE * red[row, column]:
            dots.append((float(column), float(row)))
    return dots


def _soft_layer(picture: Pixels) -> _Layer:
    """An overlay whose letters have lost their exact colour and sharp rims.

    Each letter is seen by how blue it is and by how dark: compression blurs colour more than brightness.
    """
    blue, red = _dominant(picture, 2), _dominant(picture, 0)
    blueness = _dominance(picture, 2)
    darkness = 170 - cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.float32)
    bluish = cv2.dilate(blueness, np.ones((5, 5), dtype=np.uint8)) > _BLUISH
    tall = [glyph.height for glyph in _components(blue) if 12 <= glyph.height <= 26]
    usual = int(np.percentile(tall, 75)) if tall else _LETTER_PX
    letter_height = (
        usual if usual <= _SMALL_PX else max(usual, _LETTER_PX)
    )  # of broken letters only pieces are measured
    dots = _soft_dots(picture)
    sharp = dict(_glyph_of_each_dot(blue, dots))
    strengths = (blueness, darkness, np.asarray(np.where(bluish, darkness, 0), dtype=np.float32))
    letters = []
    for dot in dots:
        soft = [_soft_crop(strength, dot, letter_height) for strength in strengths]
        ways = [glyph for glyph in (sharp.get(dot), *soft) if glyph is not None]
        if ways:
            letters.append((dot, tuple(ways)))
    return _Layer(blue=blue, red=red, letters=tuple(letters), is_exact=False)


def _at_dots(red: Mask, dots: Sequence[_Dot]) -> Mask:
    """The red that belongs to dots: marks of the figure itself may be as red, once a picture is less than exact."""
    places = np.zeros_like(red)
    for x, y in dots:
        cv2.circle(places, (round(x), round(y)), round(0.75 * _DOT_PX), 1, -1)
    return np.asarray(red & places, dtype=np.uint8)


def _best_layer(picture: Pixels) -> _Layer:
    """The overlay as its exact colours show it or, where those are lost, as what stands out in colour does."""
    blue, red = _pure(picture, 2), _pure(picture, 0)
    if _is_exact(picture, np.asarray(blue | red, dtype=np.uint8)):
        return _layer(blue, red)
    return _soft_layer(picture)


def overlay_scale(picture: Pixels) -> float:
    """How much to resize a picture so that its overlay has the size it was drawn with; 1 where there is none."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(_dominant(picture, 0, _DOT_SHARE), connectivity=8)
    sizes = [
        max(width, height)
        for _, _, width, height, area in stats[1:count].tolist()
        if 3 <= max(width, height) <= 45 and 0.7 <= width / height <= 1.4 and 0.4 <= area / (width * height) <= 0.95
    ]
    size = float(np.median(sizes)) if len(sizes) >= 2 else _DOT_PX
    return 1.0 if _DRAWN_SIZE[0] <= size / _DOT_PX <= _DRAWN_SIZE[1] else float(np.clip(_DOT_PX / size, 0.3, 3.0))


def read_overlay(picture: Pixels) -> Overlay:
    """The points named by an overlay; none where the picture has no such overlay."""
    layer = _best_layer(picture)
    if not layer.letters or int(layer.blue.sum()) < _LEAST_BLUE_PX:  # red print on a figure of its own is no overlay
        return Overlay(points=(), covered=np.zeros(layer.blue.shape, dtype=np.uint8))
    scores = np.stack([letter_scores([way.crop for way in ways]).max(axis=0) for _, ways in layer.letters])
    if not layer.is_exact:
        scores = np.asarray(
            _RECOGNISED * scores + _named_letters(picture, [dot for dot, _ in layer.letters]), np.float32
        )
    points = []
    for row, letter in _distinct_names(scores, _MIN_SCORE if layer.is_exact else _MIN_SOFT_SCORE):
        x, y = layer.letters[row][0]
        points.append(NamedPoint(name=CAPITALS[letter], x=x, y=y, confidence=float(scores[row, letter])))
    points.sort(key=lambda point: point.name)
    return Overlay(points=tuple(points), covered=_overlay_mask(layer, points))


_WINDOW_PX, _LEFT_PX, _ABOVE_PX = (
    48,
    20,
    28,
)  # what the network sees of a dot's surroundings, and where in it the dot is
_OUTSIDE = 128  # what it sees beyond the picture's rim
_RECOGNISED = 0.5  # what the recogniser's word counts beside the network's


def _named_letters(picture: Pixels, dots: Sequence[_Dot]) -> NDArray[np.float32]:
    """For each dot, how likely each capital stands beside it (dots × 26), by a network made for what compression leaves.

    `scripts/train_overlay_letters.py` trained it on drawn letters only.
    """
    rim = ((_WINDOW_PX, _WINDOW_PX), (_WINDOW_PX, _WINDOW_PX), (0, 0))
    padded = np.pad(picture, rim, constant_values=_OUTSIDE)
    corners = [(round(y) - _ABOVE_PX + _WINDOW_PX, round(x) - _LEFT_PX + _WINDOW_PX) for x, y in dots]
    windows = [padded[top : top + _WINDOW_PX, left : left + _WINDOW_PX] for top, left in corners]
    levels = np.stack(windows).astype(np.float32).transpose(0, 3, 1, 2) / 255
    (letters,) = _network().run(None, {"windows": levels})
    return np.asarray(letters, np.float32)


@lru_cache(maxsize=1)
def _network() -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    weights = files("evpv.perception.geometry").joinpath("overlay_letters.onnx").read_bytes()
    return onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])


def without_overlay(picture: Pixels, covered: Mask) -> Pixels:
    """The picture with the overlay painted out from its surroundings."""
    if not covered.any():
        return picture
    return np.asarray(cv2.inpaint(picture, covered, 2, cv2.INPAINT_TELEA), dtype=np.uint8)
