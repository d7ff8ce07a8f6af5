"""Small figures drawn for the tests of perception."""

from __future__ import annotations

import io
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from evpv.perception.ocr import Pixels, Word

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
