"""Rows that the reader of words and places learns from: drawn figures and loose tables, spoilt as OCR spoils them.

A row has words with their boxes and, for each value, its kind and the words that name it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from mini_corpus import recorded_writing

from evpv.figures import make_problem
from evpv.figures.drawing import turn_points
from evpv.perception.boxes import Box
from evpv.perception.ocr import Word
from evpv.types import Numeric

FAMILIES = ("tables", "right-triangles", "triangles")
MISREAD = {"O": "0", "I": "1", "S": "5", "Z": "2", "B": "8", "D": "O", "Q": "O", "E": "É", "V": "v", "W": "w"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The words of a figure, and per value its kind and the words that name it: (word, kind, link → words)."""

    words: tuple[Word, ...]
    values: tuple[tuple[int, str, dict[str, list[int]]], ...]


def drawn_line(index: int, split: str) -> dict[str, Any]:
    """What was written on a figure, and to which words each of its numbers belongs."""
    with recorded_writing() as written:
        made = make_problem(FAMILIES[index % 3], index // 3, split)  # type: ignore[arg-type]
    places = {one.box: i for i, one in enumerate(written)}
    texts = [one.words for one in written]
    numbers = [fact for fact in made.constraints if isinstance(fact, Numeric)]
    values = [[places[fact.box], *named_by(fact, texts)] for fact in numbers if fact.box is not None]
    return {"words": [[one.words, *one.box] for one in written], "values": values}


def named_by(fact: Numeric, texts: Sequence[str]) -> tuple[str, dict[str, list[int]]]:
    """The kind of a fact's value, and the words its entity is made of."""
    name = fact.entity.rpartition(" ")[2]
    if fact.attribute == "length":
        return "side", {"end": [texts.index(letter) for letter in name]}
    if fact.attribute == "angle":
        first, corner, last = (texts.index(letter) for letter in name)
        return "angle", {"end": [first, last], "corner": [corner]}
    pairs = ((i, j) for i, row in enumerate(texts) for j, head in enumerate(texts) if f"{row} {head}" == fact.entity)
    row, column = next(pairs)
    return "cell", {"row": [row], "column": [column]}


def loose_table(rng: Random) -> dict[str, Any]:
    """Words of a table of any size that was never drawn: only their places matter here, and drawn ones are small."""
    grid, bare = loose_cells(rng), rng.random() < 0.15
    grid = grid[1:] if bare else grid
    line, columns = 20.0, len(grid[0]) - 1
    letter, pad, height = rng.uniform(0.4, 0.6) * line, rng.uniform(0.6, 3) * line, rng.uniform(1.2, 2.6) * line
    widths = [max(len(row[j]) for row in grid) * letter + pad for j in range(columns + 1)]
    shares = [rng.choice((0.0, 0.0, 0.5)), *([rng.choice((0.0, 0.5, 0.5, 1.0))] * columns)]
    words: list[list[Any]] = []
    values, place = [], dict[tuple[int, int], int]()
    if rng.random() < 0.5:
        words.append([loose_name(rng), 0.0, -2 * height, 8 * letter, line - 2 * height])
    for i, j in itertools.product(range(len(grid)), range(columns + 1)):
        text = grid[i][j]
        left = sum(widths[:j]) + shares[j] * (widths[j] - pad - len(text) * letter)
        place[i, j] = len(words)
        words += [[text, left, i * height, left + len(text) * letter, i * height + 0.8 * line]] if text else []
        if j and (i or bare):
            values.append([place[i, j], "cell", {"row": [place[i, 0]], "column": [] if bare else [place[0, j]]}])
    return {"words": words, "values": values}


def loose_cells(rng: Random) -> list[list[str]]:
    """The texts of a table: a row of heads, then a name and values in each; names or heads may be numbers themselves."""
    rows, columns = rng.randint(2, 9), rng.randint(1, 5)
    names = [loose_name(rng) for _ in range(rows)]
    if rng.random() < 0.2:
        first = rng.choice((rng.randint(0, 9), rng.randint(1990, 2020)))
        names = [str(first + i) for i in range(rows)]
    years = columns > 1 and rng.random() < 0.3
    heads = [str(2010 + j) if years else loose_name(rng) for j in range(columns)]
    form, size = rng.choice(("{:.0f}", "{:.0f}", "{:,.0f}", "${:.2f}", "{:.1f}", "{:.0f}%")), 10 ** rng.uniform(1, 4)
    cells = [[name, *(form.format(rng.uniform(0, size)) for _ in heads)] for name in names]
    return [[loose_name(rng) if rng.random() < 0.85 else "", *heads], *cells]


def loose_name(rng: Random) -> str:
    """One to three words of any letters: what a name says is not looked at."""
    count = rng.choice((1, 1, 1, 2, 2, 3))
    return " ".join("".join(rng.choices("aeinorst", k=rng.randint(2, 8))) for _ in range(count)).capitalize()


def spoilt(line: dict[str, Any], rng: Random) -> Row:
    """A drawn row as OCR might have read it; where a word goes, so do the links to it."""
    words: list[Word] = []
    home: dict[int, list[int]] = {}
    for i, (text, *box) in enumerate(line["words"]):
        parts = torn_words(text, Box(*box), rng)
        kept = [] if rng.random() < (0.06 if len(text) == 1 else 0.015) else parts
        home[i] = list(range(len(words), len(words) + len(kept)))
        words += [misread_word(*part, rng) for part in kept]
    if rng.random() < 0.15 and words:
        words.append(stray_word(words, rng))
    values = tuple(
        (home[i][0], kind, {link: [k for j in names for k in home[j]] for link, names in links.items()})
        for i, kind, links in line["values"]
        if home[i]
    )
    return Row(words=tuple(words), values=values)


def turned(line: dict[str, Any], rng: Random) -> dict[str, Any]:
    """A figure of geometry with the middles of its words turned and mirrored."""
    middles = [((x0 + x1) / 2, (y0 + y1) / 2) for _, x0, y0, x1, y1 in line["words"]]
    places = turn_points(middles, rng.uniform(0, 360), mirror=rng.random() < 0.5)
    words = [
        [word[0], *Box(*word[1:]).shift(x - old_x, y - old_y)]
        for word, (old_x, old_y), (x, y) in zip(line["words"], middles, places, strict=True)
    ]
    return {**line, "words": words}


def torn_words(text: str, box: Box, rng: Random) -> list[tuple[str, Box]]:
    """A name of several words, now and then cut at one of its spaces; a measure stays with its unit."""
    if " " not in text or text[0].isdigit() or rng.random() > 0.1:
        return [(text, box)]
    cut = rng.choice([found.start() for found in re.finditer(" ", text)])
    x = box.x0 + box.width * cut / len(text)
    return [(text[:cut], box._replace(x1=x - 2)), (text[cut + 1 :], box._replace(x0=x + 2))]


def misread_word(text: str, box: Box, rng: Random) -> Word:
    """A word with a box as large and as unsteady as a detector's, and now and then a sign lost or taken for another."""
    line, sides = box.height, (rng.uniform(0.1, 0.6), rng.uniform(0.1, 0.9))
    if len(text) == 1 and rng.random() < 0.7:
        sides = (rng.uniform(0.0, 0.35), rng.uniform(0.0, 0.35))
    grown = Box(box.x0 - line * sides[0], box.y0 - line * sides[1], box.x1 + line * sides[0], box.y1 + line * sides[1])
    moved = grown.shift(rng.gauss(0, 0.05) * line, rng.gauss(0, 0.05) * line)
    if text.endswith("°") and rng.random() < 0.1:
        text = text[:-1] + rng.choice(("", "", "o", "0", "*"))
    if text[0].isdigit() and rng.random() < 0.03:
        text = rng.choice("/|'") + text
    if " " in text and rng.random() < 0.2:
        text = text.replace(" ", "")
    if len(text) == 1 and rng.random() < 0.05:
        text = MISREAD.get(text, text.lower())
    return Word(text=text, box=moved, confidence=min(1.0, rng.choice((1.0, 0.99, rng.uniform(0.4, 1)))))


def stray_word(words: Sequence[Word], rng: Random) -> Word:
    """Ink that was taken for a glyph."""
    frame = Box.around(word.box for word in words)
    x, y, size = rng.uniform(frame.x0, frame.x1), rng.uniform(frame.y0, frame.y1), rng.uniform(8, 30)
    text = rng.choice(("1", "I", "l", "7", "L", "V", "A", "O", "-", "Λ", "/", "r"))
    return Word(text=text, box=Box(x, y, x + size, y + size), confidence=rng.uniform(0.4, 1))
