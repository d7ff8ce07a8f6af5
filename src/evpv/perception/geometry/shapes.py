"""Pieces of print: connected dark shapes, and the two forms that are built from several, fractions and roots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from evpv.perception.geometry.ink import Ink
from evpv.perception.geometry.recogniser import read_text
from evpv.perception.recognition import Reading
from evpv.types import Box

ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-=().,°√/π²"
MIN_GLYPH_PX = 7
_DIGITS = "0123456789"
MAX_SHAPES = 500  # more are noise, in which no fraction need be looked for
_MAX_ROOT_PX = 140
_SURE = 0.7


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A connected piece of ink: its bounding box and how many pixels it has; `text` if it was read already."""

    left: int
    top: int
    right: int
    bottom: int
    area: int
    text: str | None = None
    on_line: bool = False  # whether it touches a line of the figure, of which it may be a piece

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.bottom - self.top

    @property
    def glyph_height(self) -> float:
        """The height of its glyphs; a fraction is two of them high."""
        return self.height / 2 if self.text is not None and "/" in self.text else float(self.height)

    @property
    def middle_x(self) -> float:
        return (self.left + self.right) / 2

    @property
    def middle_y(self) -> float:
        return (self.top + self.bottom) / 2

    @property
    def is_glyph(self) -> bool:
        """Whether the shape can be a letter or digit by itself; smaller ones only join others."""
        if self.text is not None:
            return True
        if self.height < MIN_GLYPH_PX or self.width > 2.2 * self.height:
            return False
        return self.area >= 0.12 * self.width * self.height


def box_of(shapes: Sequence[Shape]) -> Box:
    return (
        float(min(shape.left for shape in shapes)),
        float(min(shape.top for shape in shapes)),
        float(max(shape.right for shape in shapes)),
        float(max(shape.bottom for shape in shapes)),
    )


def read_shapes(ink: Ink, shapes: Sequence[Shape], alphabet: str = ALPHABET) -> Reading:
    """The text of shapes side by side, from a crop that shows their own ink only."""
    x0, y0, x1, y1 = (int(edge) for edge in box_of(shapes))
    pad = max(3, round(0.15 * (y1 - y0)))
    sheet = np.full((y1 - y0 + 2 * pad, x1 - x0 + 2 * pad), 255, dtype=np.uint8)
    for shape in shapes:
        top, bottom = max(shape.top - 1, 0), shape.bottom + 1
        left, right = max(shape.left - 1, 0), shape.right + 1
        part = ink.gray[top:bottom, left:right]
        row, column = top - y0 + pad, left - x0 + pad
        place = sheet[row : row + part.shape[0], column : column + part.shape[1]]
        np.minimum(place, part[: place.shape[0], : place.shape[1]], out=place)
    return read_text(sheet, alphabet)


def _connected(ink: Ink) -> list[Shape]:
    count, labelled, stats, _ = cv2.connectedComponentsWithStats(ink.print_like, connectivity=8)
    on_lines = np.bincount(labelled[ink.lines > 0], minlength=count)
    return [
        Shape(left=left, top=top, right=left + width, bottom=top + height, area=area, on_line=bool(on_line))
        for (left, top, width, height, area), on_line in zip(stats[1:count].tolist(), on_lines[1:], strict=True)
        if area >= 3 and height <= ink.max_glyph_px and width <= _MAX_ROOT_PX
    ]


def _merged(parts: Sequence[Shape], text: str) -> Shape:
    x0, y0, x1, y1 = (int(edge) for edge in box_of(parts))
    return Shape(left=x0, top=y0, right=x1, bottom=y1, area=sum(part.area for part in parts), text=text)


def _stacked(bar: Shape, shapes: Sequence[Shape], *, above: bool) -> list[Shape]:
    """The glyphs directly over (or under) a fraction bar."""
    found = []
    for shape in shapes:
        gap = bar.top - shape.bottom if above else shape.top - bar.bottom
        within = bar.left - 3 <= shape.middle_x <= bar.right + 3 and shape.width <= bar.width + 4
        if shape.is_glyph and within and -1 <= gap <= 0.6 * shape.height:
            found.append(shape)
    return found


def _fractions(ink: Ink, shapes: list[Shape]) -> list[Shape]:
    """The shapes with each bar that has digits over and under it made one shape."""
    for bar in [shape for shape in shapes if shape.height <= 4 and MIN_GLYPH_PX <= shape.width <= ink.max_glyph_px]:
        over, under = _stacked(bar, shapes, above=True), _stacked(bar, shapes, above=False)
        if not over or not under:
            continue
        top, bottom = read_shapes(ink, over, _DIGITS), read_shapes(ink, under, _DIGITS)
        if top.text and bottom.text and min(top.confidence, bottom.confidence) >= _SURE:
            parts = [bar, *over, *under]
            shapes = [shape for shape in shapes if shape not in parts]
            shapes.append(_merged(parts, f"{top.text}/{bottom.text}"))
    return shapes


def _under(sign: Shape, shapes: Sequence[Shape]) -> list[Shape]:
    """The glyphs that a root sign covers: inside its box, up to its right end."""
    inside = [
        shape
        for shape in shapes
        if shape.is_glyph
        and sign.left + 0.15 * sign.width < shape.left
        and shape.right <= sign.right + 3
        and sign.top < shape.middle_y < sign.bottom
        and 0.5 * sign.height <= shape.height <= sign.height
    ]
    ends_with_it = inside and sign.right - max(shape.right for shape in inside) <= 0.4 * sign.height
    return inside if ends_with_it else []


def _left_of(sign: Shape, inside: Sequence[Shape]) -> Shape:
    """The sign without what it covers: the hook, and a factor that touches it."""
    return replace(sign, right=min(shape.left for shape in inside))


def _roots(ink: Ink, shapes: list[Shape]) -> list[Shape]:
    """The shapes with each root sign and the digits under it made one shape."""
    thin = [shape for shape in shapes if shape.text is None and shape.area < 0.35 * shape.width * shape.height]
    for sign in [shape for shape in thin if shape.height >= MIN_GLYPH_PX and shape.width >= 1.1 * shape.height]:
        inside = _under(sign, shapes)
        reading = read_shapes(ink, inside, _DIGITS) if inside else None
        if reading is None or not reading.text or reading.confidence < _SURE:
            continue
        hook = _left_of(sign, inside)
        factor = ""
        if hook.width > 0.9 * sign.height:
            factor = "".join(character for character in read_shapes(ink, [hook]).text if character.isdigit())
        parts = [sign, *inside]
        shapes = [shape for shape in shapes if shape not in parts]
        shapes.append(_merged(parts, f"{factor}√{reading.text}"))
    return shapes


def find_shapes(ink: Ink) -> list[Shape]:
    """All pieces of print, fractions and roots already put together and read."""
    shapes = _connected(ink)
    if len(shapes) <= MAX_SHAPES:
        shapes = _roots(ink, _fractions(ink, shapes))
    return [shape for shape in shapes if shape.text is not None or shape.width <= ink.max_glyph_px]
