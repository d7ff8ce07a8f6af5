"""Small figures drawn for the tests of perception."""

from __future__ import annotations

import io
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from evpv.perception.charts import read_chart
from evpv.perception.ocr import Pixels, Word
from evpv.types import Numeric

ROW_PX, COLUMN_PX = 30, 120


def table_picture(rows: Sequence[Sequence[str]], *, ruled: bool = True, title: str = "") -> Image.Image:
    """A table with equal cells; an empty title leaves the title row out."""
    top = ROW_PX if title else 0
    width, height = COLUMN_PX * len(rows[0]) + 2, ROW_PX * len(rows) + top + 2
    picture = Image.new("RGB", (width, height), "white")
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(size=16)
    if title:
        draw.text((COLUMN_PX // 2, 6), title, "black", font)
    for row, cells in enumerate(rows):
        for column, text in enumerate(cells):
            draw.text((COLUMN_PX * column + 10, top + ROW_PX * row + 6), text, "black", font)
    if ruled:
        for row in range(len(rows) + 1 + bool(title)):
            draw.line([(0, row * ROW_PX), (width, row * ROW_PX)], "gray")
        for column in range(len(rows[0]) + 1):
            draw.line([(column * COLUMN_PX, top), (column * COLUMN_PX, height)], "gray")
        draw.line([(0, 0), (0, height)], "gray")
        draw.line([(width - 2, 0), (width - 2, height)], "gray")
    return picture


def table_words(rows: Sequence[Sequence[str]], *, title: str = "") -> list[Word]:
    """The words of `table_picture` as a perfect OCR engine would give them."""
    top = ROW_PX if title else 0
    words = [_word(title, COLUMN_PX // 2, 4)] if title else []
    for row, cells in enumerate(rows):
        words += [_word(text, COLUMN_PX * c + 8, top + ROW_PX * row + 4) for c, text in enumerate(cells) if text]
    return words


def _word(text: str, x: int, y: int) -> Word:
    return Word(text=text, box=(x, y, x + 9 * len(text) + 4, y + 22), confidence=0.99)


def pixels(picture: Image.Image) -> Pixels:
    return np.asarray(picture.convert("RGB"), np.uint8)


def saved(picture: Image.Image, path: Path) -> str:
    picture.save(path)
    return str(path)


def encoded(picture: Image.Image, form: str = "PNG", **options: object) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, form, **options)
    return buffer.getvalue()


def mutated(content: bytes, chance: random.Random) -> bytes:
    """Cut short, bits flipped, bytes repeated or another file's head put on."""
    data = bytearray(content)
    match chance.randrange(4):
        case 0:
            return bytes(data[: chance.randrange(len(data))])
        case 1:
            for _ in range(chance.randrange(1, 12)):
                data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        case 2:
            start = chance.randrange(len(data))
            data[start:start] = data[start : start + chance.randrange(1, 60)] * 3
        case _:
            data[: chance.randrange(1, 16)] = chance.choice(
                [b"GIF89a", b"\xff\xd8\xff\xe0", b"RIFF\0\0\0\0WEBP", b"BM"]
            )
    return bytes(data)


@dataclass(kw_only=True)
class Sketch:
    """A picture being drawn, with the words that stand in it."""

    image: Image.Image = field(default_factory=lambda: Image.new("RGB", (800, 500), "white"))
    words: list[Word] = field(default_factory=list)

    @property
    def pen(self) -> ImageDraw.ImageDraw:
        return ImageDraw.Draw(self.image)

    def word(self, text: str, x: float, y: float, *, upright: bool = False) -> None:
        """Note a word centred at a point, ten pixels a letter wide, as a recogniser would give it."""
        width, height = (20, 8 * len(text)) if upright else (8 * len(text), 20)
        box = (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        self.words.append(Word(text=text, box=box, confidence=0.99, angle_deg=90.0 if upright else 0.0))

    def value_axis(self, ticks: Sequence[float], *, title: str) -> None:
        """Ticks from 0 at y = 400 upward, one value a pixel."""
        for tick in ticks:
            self.word(f"{tick:g}", 70, 400 - tick)
            self.pen.line((100, 400 - tick, 760, 400 - tick), fill=(225, 227, 230))
        self.word(title, 30, 220, upright=True)

    def legend(self, names: Sequence[str], colours: Sequence[tuple[int, int, int]]) -> None:
        for number, (name, colour) in enumerate(zip(names, colours, strict=True)):
            x = 200 + 150 * number
            self.pen.rectangle((x, 464, x + 11, 475), fill=colour)
            self.word(name, x + 20 + 4 * len(name), 470)

    def read(self) -> dict[str, Numeric]:
        facts = read_chart(np.asarray(self.image), self.words).constraints
        return {fact.entity: fact for fact in facts if isinstance(fact, Numeric)}
