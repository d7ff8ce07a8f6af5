"""Where text may stand: the PP-OCR detector, shown the picture no larger than it needs to be, and what it misses.

The detector's time grows with the pixels it is given, and is half of a reading: print that stands large is looked at
from further off. Cutting away what holds no print does not pay: words alone in little ground are missed. It is trained on level
text: slanted labels are found in part and made whole here, lone glyphs are not found at all and looked for once more.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress
from pathlib import Path
from statistics import median

import cv2
import numpy as np
import onnxruntime
import rapidocr
from numpy.typing import NDArray
from rapidocr.ch_ppocr_det.utils import DBPostProcess

from evpv.perception.boxes import Box, Pixels, lightest
from evpv.perception.recognition import open_network

Quad = NDArray[np.float32]
"""Four corners from the top left of the text onwards, 4 × 2."""

_STEP_PX = 32  # what the sides of the detector's pictures are multiples of
_INK = 30  # levels below the ground around it
_GROUND_PX = 61  # how far around
_GLYPH_PX = (5, 120)  # heights of shapes that may be glyphs
_LEAST_GLYPHS = 3  # fewer do not tell how large the print is
_SEEN_GLYPH_PX = 18.0  # the height at which small letters are found, and kept apart from icons, as at any larger one
_LEAST_SCALE = 0.5
_BOXES = DBPostProcess(thresh=0.2, box_thresh=0.3, unclip_ratio=2.0, use_dilation=True)


def detect_boxes(picture: Pixels, threads: int) -> list[Quad]:
    """The corners of whatever may be a line of text, from top to bottom."""
    height, width = picture.shape[:2]
    scale = _seeing_scale(picture)
    size = [max(round(side * scale / _STEP_PX), 1) * _STEP_PX for side in (width, height)]
    seen = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    batch = np.ascontiguousarray(seen[None, :, :, ::-1].transpose(0, 3, 1, 2), np.float32) / np.float32(127.5) - 1
    session = _detector(threads)
    (answer,) = session.run(None, {session.get_inputs()[0].name: batch})
    quads, _ = _BOXES(answer, (height, width))
    return sorted(
        (np.asarray(quad, np.float32) for quad in quads), key=lambda quad: (float(quad[0][1]), float(quad[0][0]))
    )


def _seeing_scale(picture: Pixels) -> float:
    """How much smaller the picture may be seen, from the heights of its smaller glyphs; 1 if it should not."""
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.int16)
    dark = (grey + _INK < cv2.blur(grey, (_GROUND_PX, _GROUND_PX))).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(dark, connectivity=8)
    width, height = stats[1:, cv2.CC_STAT_WIDTH], stats[1:, cv2.CC_STAT_HEIGHT]
    low, high = _GLYPH_PX
    heights = height[(low <= height) & (height <= high) & (0.2 * height <= width) & (width <= 1.5 * height)]
    if len(heights) < _LEAST_GLYPHS:
        return 1.0
    return float(np.clip(_SEEN_GLYPH_PX / np.percentile(heights, 25), _LEAST_SCALE, 1.0))


@lru_cache(maxsize=2)
def _detector(threads: int) -> onnxruntime.InferenceSession:
    """The model that ships in the rapidocr wheel, once per process."""
    return open_network(next((Path(rapidocr.__file__).parent / "models").glob("PP-OCR*_det_*.onnx")), threads)


_MOST_GLYPHS = 40  # more lone shapes than this are a pattern (dots of a scatter plot, a map), not labels
_SMALLEST = 0.8  # of the usual glyphs' least height: ticks are printed smaller than names and titles
_ASCENT = 1.6  # how much taller a letter is than its neighbours without an upper or lower length
_CONTRAST = 60
_USUAL_HEIGHT_PX = (14, 60)  # of a glyph at reading size, where no word tells


def lone_glyphs(picture: NDArray[np.uint8], words: Sequence[Box]) -> list[Box]:
    """Boxes of shapes that may be single letters or digits, with a margin as the recogniser likes it.

    Neighbours on a line are joined, so that "12" is one box. Size is judged by the words already read.
    """
    low, high = _height_limits(words)
    boxes = _uncovered_boxes(_shapes(_ink_of(picture), _SMALLEST * low, high), words)
    joined = _join_shapes(boxes)
    if len(joined) > _MOST_GLYPHS:
        joined = _join_shapes([box for box in boxes if box.height >= low])
    if len(joined) > _MOST_GLYPHS:
        return []
    height, width = picture.shape[:2]
    return [box.with_margin(0.25 * box.height).within(width, height) for box in joined]


def _height_limits(words: Sequence[Box]) -> tuple[float, float]:
    """Detected boxes are drawn generously: a capital is about 0.6 of the box's height."""
    if len(words) < 3:
        return _USUAL_HEIGHT_PX
    usual = median(box.line_height for box in words)
    return 0.4 * usual, 1.1 * usual


def _ink_of(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
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


def _uncovered_boxes(boxes: Sequence[Box], words: Sequence[Box]) -> list[Box]:
    """The boxes of which no word holds much."""
    if not boxes or not words:
        return [*boxes]
    own, others = np.array(boxes)[:, None], np.array(words)[None]
    inside = np.minimum(own[..., 2:], others[..., 2:]) - np.maximum(own[..., :2], others[..., :2])
    covered = (inside.clip(0).prod(axis=-1) > 0.3 * np.prod(own[..., 2:] - own[..., :2], axis=-1)).any(axis=1)
    return [box for box, is_covered in zip(boxes, covered.tolist(), strict=True) if not is_covered]


def _join_shapes(boxes: Sequence[Box]) -> list[Box]:
    """Shapes side by side, as letters of one line are and less than half a height apart, as one; of a pattern not all."""
    joined: list[Box] = []
    for box in sorted(boxes):
        if len(joined) > _MOST_GLYPHS:
            break
        for index, other in enumerate(joined):
            if _are_on_line(box, other) and box.x0 - other.x1 < 0.45 * min(box.height, other.height):
                joined[index] = Box.around((box, other))
                break
        else:
            joined.append(box)
    return joined


def _are_on_line(one: Box, other: Box) -> bool:
    """Whether two shapes are level, or stand on one line as "B" and "u", or hang from one as "d" and "g"."""
    low, high = sorted((one.height, other.height))
    top, foot = abs(one.y0 - other.y0) < 0.25 * low, abs(one.y1 - other.y1) < 0.25 * low
    return (top and foot) or ((top or foot) and high <= _ASCENT * low)


_SLANT_DEG = (12.0, 78.0)
_ALIKE_DEG = 9.0
_LEAST_LINES, _LEAST_UPRIGHT = 2, 3
_UPRIGHT, _SURELY_UPRIGHT = 1.8, 3.0  # a box this much taller than wide may hold text that runs up or down the page
_LINE_LIKE, _WORD_LIKE = 1.5, 2.2  # lengths, in heights, of a box that is a line of text or at least a word
_GLYPH = (0.12, 0.85)  # heights of a glyph, of the height of a detected box
_GAP = 0.75  # between two glyphs of a line, likewise
_LINE = (0.28, 1.25)  # heights of a whole line, likewise


@dataclass(frozen=True, slots=True, kw_only=True)
class _Slant:
    """Lines at one angle: the angle, counter-clockwise, and the usual height of their boxes."""

    angle_deg: float
    height: float


def _slant_deg(quad: Quad) -> float:
    """How far the text of a box is turned counter-clockwise from level; 90 where the box is much taller than wide."""
    along, down = quad[1] - quad[0], quad[3] - quad[0]
    if abs(along[1]) < 0.1 * abs(along[0]) and np.linalg.norm(down) > _UPRIGHT * np.linalg.norm(along):
        return 90.0
    return float(np.degrees(np.arctan2(-along[1], along[0])))


def with_whole_slanted_lines(picture: NDArray[np.uint8], quads: Sequence[Quad]) -> list[Quad]:
    """The boxes, those of slanted text replaced by boxes around the whole lines that their neighbours' angle leads to.

    Where at least two slanted boxes agree on an angle, all glyphs that form lines at that angle are lines of text.
    """
    slants = [_slant(quads, rising=True), _slant(quads, rising=False), _upright(quads)]
    if not any(slants):
        return list(quads)
    ink = _ink_of(picture)
    result = list(quads)
    for slant in filter(None, slants):
        result = _with_lines_at(slant, ink, result)
    return result


def _with_lines_at(slant: _Slant, ink: NDArray[np.uint8], quads: Sequence[Quad]) -> list[Quad]:
    """The boxes, those that a line at this angle holds replaced by it; a level or upright line is never."""
    leans = [abs(_slant_deg(quad) - slant.angle_deg) <= _ALIKE_DEG for quad in quads]
    own, others = list(compress(quads, leans)), list(compress(quads, map(operator.not_, leans)))
    lines = _lines(ink, slant, own, others)
    kept = [quad for quad in others if _is_line(quad) or not _is_held(quad, lines)]
    return [*kept, *(quad for quad in own if not _is_held(quad, lines)), *lines]


def _slant(quads: Sequence[Quad], *, rising: bool) -> _Slant | None:
    low, high = _SLANT_DEG
    sides = [(_slant_deg(quad), *_sides(quad)) for quad in quads]
    boxes = np.array(sides, np.float64).reshape(-1, 3) * ((1 if rising else -1), 1, 1)
    leaning = boxes[(low < boxes[:, 0]) & (boxes[:, 0] < high) & (boxes[:, 1] > 1.2 * boxes[:, 2])]
    if len(leaning) < _LEAST_LINES:
        return None
    longest = leaning[np.argsort(-leaning[:, 1], kind="stable")][: max(_LEAST_LINES, len(leaning) // 2)]
    angle = float(np.median(longest[:, 0]))
    alike = leaning[np.abs(leaning[:, 0] - angle) <= _ALIKE_DEG]
    if (alike[:, 1] > _WORD_LIKE * alike[:, 2]).sum() < _LEAST_LINES:
        return None  # two short labels that lean alike are of a drawing, not of an axis
    return _Slant(angle_deg=angle if rising else -angle, height=float(np.median(alike[:, 2])))


def _sides(quad: Quad) -> tuple[float, float]:
    """How long a box is along its text, and how tall."""
    return float(np.linalg.norm(quad[1] - quad[0])), float(np.linalg.norm(quad[3] - quad[0]))


def _upright(quads: Sequence[Quad]) -> _Slant | None:
    """Text that runs up the page; single digits are taller than wide too, so one box must be surely upright."""
    boxes = [_sides(quad) for quad in quads if _slant_deg(quad) == 90.0]
    if len(boxes) < _LEAST_UPRIGHT or not any(tall > _SURELY_UPRIGHT * wide for wide, tall in boxes):
        return None
    return _Slant(angle_deg=90.0, height=float(np.median([wide for wide, _ in boxes])))


def _lines(ink: NDArray[np.uint8], slant: _Slant, own: Sequence[Quad], others: Sequence[Quad]) -> list[Quad]:
    """The lines in a frame turned so that they are level, as boxes on the picture."""
    free = ink.copy()
    for quad in filter(_is_line, others):
        cv2.fillPoly(free, [np.round(quad).astype(np.int32)], 0)
    rows, columns = ink.shape
    forward = cv2.getRotationMatrix2D((columns / 2, rows / 2), -slant.angle_deg, 1.0)
    cosine, sine = abs(forward[0, 0]), abs(forward[0, 1])
    width, height = int(rows * sine + columns * cosine) + 1, int(rows * cosine + columns * sine) + 1
    forward[:, 2] += (width - columns) / 2, (height - rows) / 2
    turned = np.asarray(cv2.warpAffine(free, forward, (width, height), flags=cv2.INTER_NEAREST), np.uint8)
    level = _glyphs(turned, slant.height)
    for quad in own:
        _fill(level, cv2.transform(quad[None], forward)[0])
    inverse = cv2.invertAffineTransform(forward)
    boxes = _join_glyphs(level, slant.height)
    quads = [np.asarray(cv2.transform(box[None], inverse)[0], np.float32) for box in boxes]
    if slant.angle_deg == 90.0:
        quads = [quad[[1, 2, 3, 0]] for quad in quads]  # the corner that comes first is the page's, not the text's
    return [np.clip(quad, 0, (columns - 1, rows - 1)).astype(np.float32) for quad in quads if _inside(quad, ink)]


def _is_line(quad: Quad) -> bool:
    """Whether a box certainly is a level or upright line of text: long enough to tell, and not slanted."""
    sides = sorted(_sides(quad))
    low, high = _SLANT_DEG
    return sides[1] > _LINE_LIKE * sides[0] and not low < abs(_slant_deg(quad)) < high


def _glyphs(level: NDArray[np.uint8], height: float) -> NDArray[np.uint8]:
    """The ink that has the size of letters; rules, bars and lines of the chart are left out."""
    _, numbers, stats, _ = cv2.connectedComponentsWithStats(level, connectivity=8)
    tall, wide = stats[:, cv2.CC_STAT_HEIGHT], stats[:, cv2.CC_STAT_WIDTH]
    kept = (_GLYPH[0] * height <= tall) & (tall <= _GLYPH[1] * height) & (wide <= 2.5 * height)
    kept[0] = False
    return np.asarray(kept[numbers], np.uint8)


def _fill(level: NDArray[np.uint8], quad: Quad) -> None:
    """A box that the detector found, as a bar through its middle that joins what it stands for."""
    (x0, y0), (x1, y1) = quad.min(axis=0), quad.max(axis=0)
    middle, reach, end = (y0 + y1) / 2, (y1 - y0) / 8, (y1 - y0) / 3
    cv2.rectangle(level, (int(x0 + end), int(middle - reach)), (int(x1 - end), int(middle + reach)), 1, -1)


def _join_glyphs(level: NDArray[np.uint8], height: float) -> list[Quad]:
    gap = max(3, round(_GAP * height))
    closed = cv2.morphologyEx(level, cv2.MORPH_CLOSE, np.ones((1, gap), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    boxes = []
    for x, y, wide, tall, _ in stats[1:].tolist():
        if _LINE[0] * height <= tall <= _LINE[1] * height and wide >= 0.6 * height:
            margin = max(0.12 * height, (0.95 * height - tall) / 2)
            x0, y0, x1, y1 = x - 0.25 * height, y - margin, x + wide + 0.25 * height, y + tall + margin
            boxes.append(np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], np.float32))
    return boxes


def _inside(quad: Quad, ink: NDArray[np.uint8]) -> bool:
    centre = quad.mean(axis=0)
    return bool((centre >= 0).all() and centre[0] < ink.shape[1] and centre[1] < ink.shape[0])


def _is_held(quad: Quad, lines: Sequence[Quad]) -> bool:
    x, y = (float(value) for value in quad.mean(axis=0))
    return any(cv2.pointPolygonTest(line, (x, y), False) >= 0 for line in lines)
