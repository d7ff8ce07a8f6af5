"""Print in a figure: small dark shapes, fractions and roots put together from several, runs of shapes side by side, and what they say.

The OCR engine's detector is made for lines of text and misses about half of the one-character labels of a figure; here
every small dark shape is looked at. The recogniser is allowed only the characters that a geometry label may have: leaving
the other eighteen thousand out removes most misreadings (O/0, I/l, 下 for an arrow) before any repair is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Box
from evpv.perception.geometry.ink import Gray, Ink, Mask
from evpv.perception.recognition import CropText, character_scores, known_characters

CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LOOKALIKES = {"-": "−–—一_", "°": "º˚"}  # read as the character before the colon
_TWINS = {"O": "0o〇○"} | {letter: letter.lower() for letter in "CKPSUVWXZ"}  # where only capitals are possible
_HEIGHT_PX = 48  # the height that the recogniser was trained at
_MAX_WIDTH_PX = 480


@lru_cache(maxsize=8)
def _columns(alphabet: str) -> tuple[NDArray[np.intp], ...]:
    """For the blank and each allowed character, the model's columns that mean it."""
    position = {character: index for index, character in enumerate(known_characters())}
    alike = _TWINS if alphabet == CAPITALS else _LOOKALIKES
    groups = ([position[one] for one in char + alike.get(char, "") if one in position] for char in alphabet)
    return tuple(np.array(group, dtype=np.intp) for group in ([0], *groups))


def _crop_probabilities(crop: Gray, alphabet: str) -> NDArray[np.float32]:
    """Steps × (blank + alphabet), of the crop at the recogniser's height, on white, at least one character wide."""
    scale = _HEIGHT_PX / crop.shape[0]
    width = int(np.clip(round(crop.shape[1] * scale), 4, _MAX_WIDTH_PX))
    shrinking = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    padded_width = max(_HEIGHT_PX, (width + 15) // 16 * 16)
    left = (padded_width - width) // 2
    sheet = np.full((_HEIGHT_PX, padded_width), 255, dtype=np.uint8)
    sheet[:, left : left + width] = cv2.resize(crop, (width, _HEIGHT_PX), interpolation=shrinking)
    return _probabilities(sheet.tobytes(), padded_width, alphabet)


@lru_cache(maxsize=4096)
def _probabilities(pixels: bytes, width: int, alphabet: str) -> NDArray[np.float32]:
    """Remembered, because drawing programs draw the same glyph the same way every time."""
    sheet = np.frombuffer(pixels, dtype=np.uint8).reshape(_HEIGHT_PX, width).astype(np.float32) / 127.5 - 1.0
    (answer,) = character_scores(np.repeat(sheet[None, None], 3, axis=1))
    columns = [answer[:, group].sum(axis=1) for group in _columns(alphabet)]
    return np.stack(columns, axis=1).astype(np.float32)


def read_text(crop: Gray, alphabet: str) -> CropText:
    """The best text of `alphabet` in the crop: greedy CTC decoding over the allowed characters.

    Its confidence is that of the least certain character.
    """
    table = _crop_probabilities(crop, alphabet)
    characters: list[str] = []
    surest: list[float] = []
    previous = 0
    for index, score in zip(table.argmax(axis=1).tolist(), table.max(axis=1).tolist(), strict=True):
        if index != 0 and index != previous:
            characters.append(alphabet[index - 1])
            surest.append(score)
        elif index != 0:
            surest[-1] = max(surest[-1], score)
        previous = index
    return CropText(text="".join(characters), confidence=min(surest, default=0.0))


def letter_scores(crops: Sequence[Gray]) -> NDArray[np.float32]:
    """For each crop of one glyph, how much it looks like each capital letter (crops × 26)."""
    rows = [_crop_probabilities(crop, CAPITALS).max(axis=0)[1:] for crop in crops]
    return np.array(rows, dtype=np.float32).reshape(len(rows), len(CAPITALS))


_ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-=().,°√/π²"
_MIN_GLYPH_PX = 7
_DIGITS = "0123456789"
_MAX_SHAPES = 500  # more are noise, in which no fraction need be looked for
_MAX_ROOT_PX = 140
_SURE = 0.7


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shape:
    """A connected piece of ink: where it is and how many pixels it has; `text` if it was read already."""

    box: Box
    area: int
    text: str | None = None
    on_line: bool = False  # whether it touches a line of the figure, of which it may be a piece

    @property
    def glyph_height(self) -> float:
        """The height of its glyphs; a fraction is two of them high."""
        return self.box.height / 2 if self.text is not None and "/" in self.text else float(self.box.height)

    @property
    def is_glyph(self) -> bool:
        """Whether the shape can be a letter or digit by itself; smaller ones only join others."""
        width, height = self.box.width, self.box.height
        is_filled = height >= _MIN_GLYPH_PX and width <= 2.2 * height and self.area >= 0.12 * width * height
        return self.text is not None or is_filled


def _read_shapes(ink: Ink, shapes: Sequence[_Shape], alphabet: str = _ALPHABET) -> CropText:
    """The text of shapes side by side, from a crop that shows their own ink only."""
    x0, y0, x1, y1 = (int(edge) for edge in Box.around(shape.box for shape in shapes))
    pad = max(3, round(0.15 * (y1 - y0)))
    sheet = np.full((y1 - y0 + 2 * pad, x1 - x0 + 2 * pad), 255, dtype=np.uint8)
    for shape in shapes:
        rows, columns = shape.box.with_margin(1).slices()
        part = ink.gray[rows, columns]
        row, column = rows.start - y0 + pad, columns.start - x0 + pad
        place = sheet[row : row + part.shape[0], column : column + part.shape[1]]
        np.minimum(place, part[: place.shape[0], : place.shape[1]], out=place)
    return read_text(sheet, alphabet)


def _find_shapes(ink: Ink) -> list[_Shape]:
    """All pieces of print, fractions and roots already put together and read."""
    count, labelled, stats, _ = cv2.connectedComponentsWithStats(ink.print_like, connectivity=8)
    on_lines = np.bincount(labelled[ink.lines > 0], minlength=count) > 0
    shapes = [
        _Shape(box=Box(left, top, left + width, top + height), area=area, on_line=on_line)
        for (left, top, width, height, area), on_line in zip(stats[1:].tolist(), on_lines[1:].tolist(), strict=True)
        if area >= 3 and height <= ink.max_glyph_px and width <= _MAX_ROOT_PX
    ]
    if len(shapes) <= _MAX_SHAPES:
        shapes = _with_roots(ink, _with_fractions(ink, shapes))
    return [shape for shape in shapes if shape.text is not None or shape.box.width <= ink.max_glyph_px]


def _read_digits(ink: Ink, shapes: Sequence[_Shape]) -> str:
    """The digits that shapes surely are; nothing where there are none."""
    reading = _read_shapes(ink, shapes, _DIGITS) if shapes else None
    return reading.text if reading is not None and reading.confidence >= _SURE else ""


def _with_one_for(shapes: Sequence[_Shape], parts: Sequence[_Shape], text: str) -> list[_Shape]:
    """The shapes with some of them made one that says `text`."""
    box, area = Box.around(part.box for part in parts), sum(part.area for part in parts)
    return [*(shape for shape in shapes if shape not in parts), _Shape(box=box, area=area, text=text)]


def _with_fractions(ink: Ink, shapes: list[_Shape]) -> list[_Shape]:
    """The shapes with each bar that has digits over and under it made one shape."""
    joined = shapes
    for shape in shapes:
        bar = shape.box
        if bar.height > 4 or not _MIN_GLYPH_PX <= bar.width <= ink.max_glyph_px:
            continue
        over, under = _glyphs_at(bar, joined)
        top = _read_digits(ink, over) if under else ""
        bottom = _read_digits(ink, under) if top else ""
        if bottom:
            joined = _with_one_for(joined, [shape, *over, *under], f"{top}/{bottom}")
    return joined


def _glyphs_at(bar: Box, shapes: Sequence[_Shape]) -> tuple[list[_Shape], list[_Shape]]:
    """The glyphs over and under a bar, no wider than it."""
    level = [one for one in shapes if bar.x0 - 3 <= one.box.x <= bar.x1 + 3 and one.box.width <= bar.width + 4]
    glyphs = [one for one in level if one.is_glyph]
    over = [one for one in glyphs if -1 <= bar.y0 - one.box.y1 <= 0.6 * one.box.height]
    return over, [one for one in glyphs if -1 <= one.box.y0 - bar.y1 <= 0.6 * one.box.height]


def _with_roots(ink: Ink, shapes: list[_Shape]) -> list[_Shape]:
    """The shapes with each root sign and the digits under it made one shape.

    The digits of a factor may touch the sign's hook, and are one shape with it.
    """
    joined = shapes
    for shape in shapes:
        sign = shape.box
        is_thin = shape.text is None and shape.area < 0.35 * sign.width * sign.height
        is_sign = is_thin and sign.height >= _MIN_GLYPH_PX and sign.width >= 1.1 * sign.height
        inside = _under(sign, joined) if is_sign else []
        digits = _read_digits(ink, inside)
        if digits:
            hook = sign._replace(x1=min(one.box.x0 for one in inside))
            beside = _read_shapes(ink, [replace(shape, box=hook)]).text if hook.width > 0.9 * sign.height else ""
            factor = "".join(filter(str.isdigit, beside))
            joined = _with_one_for(joined, [shape, *inside], f"{factor}√{digits}")
    return joined


def _under(sign: Box, shapes: Sequence[_Shape]) -> list[_Shape]:
    """The glyphs that a root sign covers: inside its box, up to its right end."""
    inside = [
        shape
        for shape in shapes
        if shape.is_glyph
        and sign.x0 + 0.15 * sign.width < shape.box.x0
        and shape.box.x1 <= sign.x1 + 3
        and sign.y0 < shape.box.y < sign.y1
        and 0.5 * sign.height <= shape.box.height <= sign.height
    ]
    ends_with_it = inside and sign.x1 - max(shape.box.x1 for shape in inside) <= 0.4 * sign.height
    return inside if ends_with_it else []


_MAX_RUNS = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Glyphs side by side, as one box and its reading."""

    box: Box
    shapes: tuple[_Shape, ...]
    reading: CropText
    degrees: bool  # whether a raised small ring ends the run

    @property
    def glyph_height(self) -> float:
        return max(shape.glyph_height for shape in self.shapes)

    @property
    def on_line(self) -> bool:
        return any(shape.on_line for shape in self.shapes)


def _is_raised(shape: Box, top: float, height: float) -> bool:
    """Whether a small shape stands high enough beside a run to be its degree sign or exponent."""
    is_small = shape.height <= 0.62 * height
    return is_small and shape.y <= top + 0.42 * height and shape.y1 >= top - 0.6 * height


def _joins(lines: Mask, run: list[_Shape], shape: _Shape) -> bool:
    """Whether a shape continues a run on its right: near, within the run's height, and no line of the figure runs between."""
    tallest = max(run, key=lambda member: member.glyph_height)
    tall = max(tallest.glyph_height, shape.glyph_height)
    box, last = shape.box, max(run, key=lambda member: member.box.x1).box
    gap = box.x0 - last.x1
    if not -0.5 * tall <= gap <= 0.55 * tall or tall < _MIN_GLYPH_PX:
        return False
    whole = Box.around(member.box for member in run)
    is_level = whole.overlap(box).height >= 0.6 * min(box.height, tallest.glyph_height)
    is_dash = box.height <= 4 and whole.y0 <= box.y <= whole.y1
    if not (is_level or is_dash or _is_raised(box, tallest.box.y0, tallest.glyph_height)):
        return False
    between = Box(last.x1, max(last.y0, box.y0), box.x0, min(last.y1, box.y1))
    is_apart = between.width >= 2 and between.height >= 3
    return not (is_apart and lines[between.slices()].any(axis=1).mean() > 0.7)


def _group_runs(lines: Mask, shapes: list[_Shape]) -> list[list[_Shape]]:
    """Shapes side by side; one between two groups makes them one."""
    runs: list[list[_Shape]] = []
    for shape in sorted(shapes, key=lambda item: (item.box.x0, item.box.y0)):
        joined = [run for run in runs if _joins(lines, run, shape)]
        if joined:
            first = joined[0]
            for other in joined[1:]:
                first.extend(other)
                runs.remove(other)
            first.append(shape)
        else:
            runs.append([shape])
    return [run for run in runs if any(shape.is_glyph for shape in run)]


def _degree_sign(shapes: list[_Shape]) -> _Shape | None:
    """The raised small ring at the end of a run, if there is one; its place says what it is, its look does not."""
    tallest = max(shapes, key=lambda shape: shape.glyph_height)
    last = max(shapes, key=lambda shape: shape.box.x1)
    box = last.box
    if last is tallest or not _is_raised(box, tallest.box.y0, tallest.glyph_height):
        return None
    is_round = box.height >= max(3, 0.18 * tallest.glyph_height) and 0.6 <= box.width / box.height <= 1.7
    return last if is_round else None


def _run(ink: Ink, shapes: list[_Shape]) -> Run:
    """Shapes side by side and what they say, from left to right: stretches of plain glyphs, and what was read before."""
    ring = _degree_sign(shapes)
    glyphs = sorted((shape for shape in shapes if shape is not ring), key=lambda shape: shape.box.x0)
    texts, confidences = [], []
    for is_read, stretch in groupby(glyphs, key=lambda shape: shape.text is not None):
        if is_read:
            texts += [shape.text or "" for shape in stretch]
        else:
            reading = _read_shapes(ink, list(stretch))
            texts.append(reading.text)
            confidences.append(reading.confidence)
    reading = CropText(text="".join(texts), confidence=min(confidences, default=1.0))
    box = Box.around(shape.box for shape in shapes)
    return Run(box=box, shapes=tuple(shapes), reading=reading, degrees=ring is not None)


def read_runs(ink: Ink) -> list[Run]:
    """All runs of print in the figure, top to bottom; none where there are more than a figure has (noise, a page)."""
    shapes = _find_shapes(ink)
    groups = _group_runs(ink.lines, shapes) if len(shapes) <= _MAX_SHAPES else []
    runs = [_run(ink, group) for group in groups] if len(groups) <= _MAX_RUNS else []
    return sorted(runs, key=lambda run: (run.box.y0, run.box.x0))


def run_of_word(text: str, box: Box, confidence: float) -> Run:
    """A word of the OCR engine as a run of one shape."""
    shape = _Shape(box=Box(*map(round, box)), area=0)
    return Run(box=box, shapes=(shape,), reading=CropText(text=text, confidence=confidence), degrees=False)
