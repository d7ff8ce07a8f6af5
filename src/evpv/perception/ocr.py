"""Text in a picture: words with their place and confidence.

Detection (`detection.py`) and recognition (`recognition.py`) are PP-OCR's networks.
What is ours is between and after them: the size at which the picture is read, boxes that overlap cut apart, text that
runs upwards turned, and a second look at lone glyphs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Box, Pixels, groups_of, is_rippled, resize
from evpv.perception.detection import Quad, detect_boxes, lone_glyphs, with_whole_slanted_lines
from evpv.perception.recognition import CropText, recognise

__all__ = ["Pixels", "Word", "crop_of", "read_words", "text_lines"]

_Recogniser = Callable[[Sequence[Pixels]], list[CropText]]
_Turned = tuple[CropText, int]  # what was read, and how far the crop was turned for it

_SHORT_SIDE_PX = 400
_LONG_SIDE_PX = 2000
_SMALL_TEXT_PX, _READABLE_TEXT_PX = 19.0, 26.0  # heights of detected boxes, which are about twice a capital's
_CLOSER = 2.0  # how much nearer a picture is looked at whose print is too fine to be detected
_FINE_PX, _FINE_PRINT, _FINE_STEP = (4, 10), 40, 60  # heights of such letters, how many at least, and their contrast
_LEAST_CONFIDENCE = 0.3
_LEAST_GLYPH_CONFIDENCE = 0.85
_TILT_DEG = 4.0
_TALL = 1.5  # times its width, for a box whose text runs upwards
_NARROW = 1.15  # times its height: the widest box that may hold text that runs upwards
_LEAST_ROW, _SURE = 3, 0.85  # boxes of a row that may run upwards, and the mean confidence that shows they do not
_LEAST_GAIN = 0.3  # of all confidences of a row together, for it to be turned
_MOST_OF_ROW = 0.6  # of its boxes then run that way


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A run of text as it was read, its axis-aligned box in pixels, how sure the recogniser was, and its rotation.

    `angle_deg` is counter-clockwise: 90 for an axis title that reads from the bottom up.
    """

    text: str
    box: Box
    confidence: float
    angle_deg: float = 0.0

    def __post_init__(self) -> None:
        """Four plain numbers become a box."""
        object.__setattr__(self, "box", Box.of(self.box))


def read_words(picture: Pixels, *, threads: int = 1, spoilt: bool = False) -> list[Word]:
    """The words of a picture from top to bottom, lone glyphs found by the second look last.

    Whether print is spoilt its ripples tell, unless they were taken out, as those of a photograph are.
    """
    if min(picture.shape[:2]) < 4:
        return []
    scale = _reading_scale(*picture.shape[:2])
    scaled = picture if scale == 1 else resize(picture, scale)
    found = detect_boxes(scaled, threads)
    closer = _closer(found, scaled)
    if closer > 1:
        scale *= closer
        scaled = resize(picture, scale)
        found = detect_boxes(scaled, threads)
    quads = with_whole_slanted_lines(scaled, _apart(scaled, _once(_with_marks(found))))
    read = partial(recognise, threads=threads, spoilt=spoilt or closer > 1 or is_rippled(picture))
    words = _recognise_boxes(scaled, quads, read)
    words += _second_look(scaled, words, read)  # not at single characters of lines in another script
    return [replace(word, box=word.box.times(1 / scale)) for word in words if word.text]


def text_lines(words: Sequence[Word]) -> list[list[Word]]:
    """Words whose middles lie within half a word's height of each other stand on one line.

    So each is near the line's last word, and near enough to its first.
    """
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda word: word.box.y0 + word.box.y1):
        middle = word.box.y
        near = 0.45 * min(word.box.height, lines[-1][-1].box.height) if lines else 0.0
        if lines and abs(middle - lines[-1][-1].box.y) < near and abs(middle - lines[-1][0].box.y) < 1.5 * near:
            lines[-1].append(word)
        else:
            lines.append([word])
    return [sorted(line, key=lambda word: word.box.x0) for line in lines]


def _reading_scale(height: int, width: int) -> float:
    """How much a picture is enlarged or shrunk for reading: small glyphs up, long sides within what memory allows."""
    wanted = max(_SHORT_SIDE_PX / min(height, width), 1.0)
    return min(wanted, _LONG_SIDE_PX / max(height, width))


def _closer(quads: Sequence[Quad], picture: Pixels) -> float:
    """How much nearer a picture must be looked at whose text is too small to be read well; 1 if it is not."""
    within = _LONG_SIDE_PX / float(max(picture.shape[:2]))
    if len(quads) < 3:
        return min(_CLOSER, within) if _has_fine_print(picture) else 1.0
    usual = median(_box(quad).line_height for quad in quads)
    if usual >= _SMALL_TEXT_PX:
        return 1.0
    return min(_READABLE_TEXT_PX / max(usual, 1.0), 2.5, within)


def _has_fine_print(picture: Pixels) -> bool:
    """Whether there are many specks of the size of letters that the detector is too coarse to see."""
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    edges = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, np.ones((2, 2), np.uint8)) > _FINE_STEP
    _, _, stats, _ = cv2.connectedComponentsWithStats(edges.view(np.uint8), connectivity=8)
    low, high = _FINE_PX
    heights, widths = stats[1:, cv2.CC_STAT_HEIGHT], stats[1:, cv2.CC_STAT_WIDTH]
    return int(((heights >= low) & (heights <= high) & (widths <= 12 * high)).sum()) >= _FINE_PRINT


def _is_level(quad: Quad) -> bool:
    return abs(_tilt_deg(quad)) < _TILT_DEG


def _tilt_deg(quad: Quad) -> float:
    """Counter-clockwise; what is less than a degree is the detector's own unsteadiness and counts as level."""
    along = quad[1] - quad[0]
    tilt = float(np.degrees(np.arctan2(-along[1], along[0])))
    return tilt if abs(tilt) >= 1 else 0.0


def _box(quad: Quad) -> Box:
    (x0, y0), (x1, y1) = quad.min(axis=0), quad.max(axis=0)
    return Box(float(x0), float(y0), float(x1), float(y1))


def _quad(box: Box) -> Quad:
    x0, y0, x1, y1 = box
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], np.float32)


def _with_marks(quads: Sequence[Quad]) -> list[Quad]:
    """Small boxes at a number's upper right (a degree sign, an exponent) become part of the number's box."""
    boxes = [_box(quad) for quad in quads]
    grown = list(boxes)
    marks = set()
    for large, quad in enumerate(quads):
        for small, mark in enumerate(boxes) if _is_level(quad) else ():
            if small != large and _is_mark(mark, boxes[large]):
                host = grown[large]
                grown[large] = host._replace(y0=min(host.y0, mark.y0), x1=max(host.x1, mark.x1))
                marks.add(small)
    return [
        quad if grown[index] == boxes[index] else _quad(grown[index])
        for index, quad in enumerate(quads)
        if index not in marks
    ]


def _is_mark(mark: Box, host: Box) -> bool:
    height = host.height
    small = mark.height < 0.65 * height and mark.width < 0.8 * height
    high = host.y0 - 0.2 * height < mark.y0 and mark.y < host.y0 + 0.5 * height
    return small and high and mark.overlap(host).width > 0.1 * height and mark.x1 > host.x1 - 0.25 * height


def _once(quads: Sequence[Quad]) -> list[Quad]:
    """A level box that lies mostly inside another one of its line becomes part of it: the same ink would be read twice."""
    kept: list[tuple[Quad, Box, bool]] = []
    for quad in sorted(quads, key=lambda quad: -float(np.ptp(quad[:, 0]))):
        box, level = _box(quad), _is_level(quad)
        hosts = (i for i, (_, host, is_level) in enumerate(kept) if level and is_level and _is_inside(box, host))
        if (place := next(hosts, None)) is None:
            kept.append((quad, box, level))
        else:
            whole = _box(np.concatenate((kept[place][0], quad)))
            kept[place] = (_quad(whole), whole, True)
    return sorted((quad for quad, _, _ in kept), key=lambda quad: (float(quad[0][1]), float(quad[0][0])))


def _is_inside(box: Box, host: Box) -> bool:
    heights = sorted((box.height, host.height))
    inside = box.overlap(host)
    return heights[1] < 1.5 * heights[0] and inside.width > 0.55 * box.width and inside.height > 0.8 * heights[0]


def _apart(picture: Pixels, quads: Sequence[Quad]) -> list[Quad]:
    """Neighbours on a line whose boxes overlap are cut at the emptiest column, else both would read what is between."""
    gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), np.int16)
    result = list(quads)
    order = sorted((index for index, quad in enumerate(quads) if _is_level(quad)), key=lambda index: quads[index][0][0])
    for position, left in enumerate(order):
        for right in order[position + 1 :]:
            a, b = _box(result[left]), _box(result[right])
            if b.x0 >= a.x1:
                break
            lower, shared = min(a.height, b.height), a.overlap(b)
            if shared.height > 0.6 * lower and a.x0 + 0.3 * lower < b.x0 and a.x1 + 0.3 * lower < b.x1:
                cut = _emptiest_column(gray, shared)
                result[left], result[right] = _quad(a._replace(x1=cut)), _quad(b._replace(x0=cut))
    return result


def _emptiest_column(gray: NDArray[np.int16], box: Box) -> float:
    x0, y0, x1, y1 = (round(value) for value in box)
    region = gray[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)]
    if not region.size:
        return (box[0] + box[2]) / 2
    ink = region.max(axis=0) - region.min(axis=0)
    middle = abs(np.arange(len(ink)) - (len(ink) - 1) / 2) / len(ink)
    return float(max(x0, 0) + int(np.argmin(ink + 8 * middle)))


def _recognise_boxes(picture: Pixels, quads: Sequence[Quad], read: _Recogniser) -> list[Word]:
    """Each box read as it stands; a tall one also turned both ways, and the surest reading taken."""
    crops = [crop_of(picture, quad) for quad in quads]
    best = _surest_readings(crops, read)
    for row in _unsure_rows([_box(quad) for quad in quads], best):
        best.update(_turned_row(crops, {index: best[index] for index in row}, read))
    words = []
    for index, (reading, turn) in sorted(best.items()):
        angle = float(turn) if turn else _tilt_deg(quads[index])
        text, box = reading.text.strip(), _box(quads[index])
        words.append(Word(text=text, box=box, confidence=reading.confidence, angle_deg=angle))
    return [word for word in words if word.confidence >= _LEAST_CONFIDENCE]


def _surest_readings(crops: Sequence[Pixels], read: _Recogniser) -> dict[int, _Turned]:
    ways = [
        (index, turn)
        for index, crop in enumerate(crops)
        for turn in ((0, 90, -90) if crop.shape[0] > _TALL * crop.shape[1] else (0,))
    ]
    readings = read([_turn(crops[index], turn) for index, turn in ways])
    best: dict[int, _Turned] = {}
    for reading, (index, turn) in zip(readings, ways, strict=True):
        if index not in best or _weight(reading) > _weight(best[index][0]):
            best[index] = (reading, turn)
    return best


def _turn(crop: Pixels, turn: int) -> Pixels:
    return np.ascontiguousarray(np.rot90(crop, -turn // 90)) if turn else crop


def _unsure_rows(boxes: Sequence[Box], best: Mapping[int, _Turned]) -> list[list[int]]:
    """Boxes side by side, as wide as each other and no wider than tall, that start at one height and were read badly.

    Short names under an axis look so where they run upwards: too short to be told from level text by their boxes.
    """

    def continues(index: int, row: list[int]) -> bool:
        box, last = boxes[index], boxes[row[-1]]
        alike = max(last.width, box.width) <= 1.6 * min(last.width, box.width)
        return alike and abs(last.y0 - box.y0) <= 0.35 * box.width

    narrow = [index for index, box in enumerate(boxes) if box.width <= _NARROW * box.height]
    rows = groups_of(sorted(narrow, key=lambda one: boxes[one].x0), continues)
    return [
        row for row in rows if len(row) >= _LEAST_ROW and sum(_weight(best[one][0]) for one in row) < _SURE * len(row)
    ]


def _turned_row(crops: Sequence[Pixels], level: dict[int, _Turned], read: _Recogniser) -> dict[int, _Turned]:
    """The row with what is surer when read upwards, or downwards, if the row as a whole is much surer so."""
    best, least = level, _LEAST_GAIN
    for turn in (90, -90):
        readings = read([_turn(crops[index], turn) for index in level])
        surer = {
            index: (one, turn)
            for index, one in zip(level, readings, strict=True)
            if len(one.text.strip()) > 1 and _weight(one) > _weight(level[index][0])  # a glyph may be any other
        }
        turned = sum(way == turn for _, way in (level | surer).values())
        gain = sum(_weight(one) - _weight(level[index][0]) for index, (one, _) in surer.items())
        if gain > least and turned >= _MOST_OF_ROW * len(level):
            best, least = surer, gain
    return best


def _weight(reading: CropText) -> float:
    return reading.confidence if reading.text.strip() else 0.0


def crop_of(picture: Pixels, quad: Quad) -> Pixels:
    """What a box of print holds, set level."""
    if _is_level(quad):
        x0, y0, x1, y1 = (round(value) for value in _box(quad))
        crop = picture[max(y0, 0) : max(y1, 1), max(x0, 0) : max(x1, 1)]
        if crop.size:
            return crop
    width = max(int(np.linalg.norm(quad[1] - quad[0])), 2)
    height = max(int(np.linalg.norm(quad[3] - quad[0])), 2)
    target = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    transform = cv2.getPerspectiveTransform(quad, target)
    turned = cv2.warpPerspective(picture, transform, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(turned, np.uint8)


def _second_look(picture: Pixels, words: Sequence[Word], read: _Recogniser) -> list[Word]:
    boxes = lone_glyphs(picture, [word.box for word in words])
    readings = read([crop_of(picture, _quad(box)) for box in boxes])
    return [
        Word(text=reading.text.strip(), box=box, confidence=reading.confidence)
        for box, reading in zip(boxes, readings, strict=True)
        if reading.confidence >= _LEAST_GLYPH_CONFIDENCE and reading.text.strip().isalnum()
    ]
