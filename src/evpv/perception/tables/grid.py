"""Words put into the rows and columns of a table, with and without rules."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from evpv.perception.ocr import Pixels, Word
from evpv.perception.tables.numbers import cell_number
from evpv.perception.tables.rules import Rules, find_rules
from evpv.types import Box


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The words of one cell. A cell that spans columns is held at its first one, with `columns` saying how many."""

    row: int
    column: int
    columns: int = 1
    words: tuple[Word, ...] = ()

    @property
    def text(self) -> str:
        return " ".join(word.text.strip() for word in self.words)

    @property
    def confidence(self) -> float:
        return min((word.confidence for word in self.words), default=0.0)

    @property
    def box(self) -> Box | None:
        return around([word.box for word in self.words]) if self.words else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table as rows of cells in column order; `ruled` tells how the columns were found."""

    rows: tuple[tuple[Cell, ...], ...]
    columns: int
    ruled: bool

    def cell(self, row: int, column: int) -> Cell:
        """The cell at a place; a spanning cell answers for each of its columns."""
        for cell in self.rows[row]:
            if cell.column <= column < cell.column + cell.columns:
                return cell
        return Cell(row=row, column=column)


def find_grid(picture: Pixels, words: Sequence[Word]) -> Grid:
    """The grid by the rules if they make columns, else by the white space between the words."""
    if not words:
        return Grid(rows=(), columns=0, ruled=False)
    boxes = [word.box for word in words]
    rules = find_rules(picture, boxes, median(min(x1 - x0, y1 - y0) for x0, y0, x1, y1 in boxes))
    return ruled_grid(rules, words) or unruled_grid(words)


def around(boxes: Sequence[Box]) -> Box:
    """The smallest box that holds all."""
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )


def ruled_grid(rules: Rules, words: Sequence[Word]) -> Grid | None:
    """Cells between the rules, None where the rules make no more than one column or one row.

    The outer frame may be cut off with the picture's edge, so words outside the outermost rules open a column or row.
    """
    height, width = rules.vertical.shape
    xs = _lines_around(rules.xs, [(word.box[0] + word.box[2]) / 2 for word in words], width)
    ys = _lines_around(rules.ys, [(word.box[1] + word.box[3]) / 2 for word in words], height)
    if len(xs) < 3 or len(ys) < 3:
        return None
    rows: list[tuple[Cell, ...]] = []
    for top, bottom in itertools.pairwise(ys):
        inside = [word for word in words if top <= (word.box[1] + word.box[3]) / 2 < bottom]
        ends = _column_ends(rules, xs, (top, bottom))
        rows.extend(_cells(len(rows) + extra, xs, ends, line) for extra, line in enumerate(_row_lines(inside, xs)))
    return Grid(rows=tuple(rows), columns=len(xs) - 1, ruled=True)


def _lines_around(lines: Sequence[int], middles: Sequence[float], size: int) -> list[int]:
    opening = [0] if not lines or min(middles) < lines[0] else []
    closing = [size] if not lines or max(middles) > lines[-1] else []
    return [*opening, *lines, *closing]


def _column_ends(rules: Rules, xs: Sequence[int], row: tuple[int, int]) -> list[int]:
    """Which of the vertical borders are there in this row: a title or a group's name runs over the others."""
    inset = (row[1] - row[0]) // 5
    ends = [0]
    for column, x in enumerate(xs[1:-1], start=1):
        ruled = rules.vertical[row[0] + inset : row[1] - inset, max(x - 2, 0) : x + 3].any(axis=1)
        if ruled.size and ruled.mean() > 0.5:
            ends.append(column)
    return [*ends, len(xs) - 1]


def _row_lines(words: Sequence[Word], xs: Sequence[int]) -> list[list[Word]]:
    """The rows between two horizontal borders: more than one where several lines hold values (stem-and-leaf).

    Elsewhere several lines are one row whose cells are broken into lines.
    """
    lines = text_lines(words)
    with_value = [
        line for line in lines if any(cell_number(word.text) for word in line if word.box[0] + word.box[2] > 2 * xs[1])
    ]
    if len(with_value) > 1:
        return lines
    return [list(words)] if words else []


def _cells(row: int, xs: Sequence[int], ends: Sequence[int], words: Sequence[Word]) -> tuple[Cell, ...]:
    cells = []
    for first, end in itertools.pairwise(ends):
        inside = [word for word in words if xs[first] <= (word.box[0] + word.box[2]) / 2 < xs[end]]
        cells.append(Cell(row=row, column=first, columns=end - first, words=cell_words(inside)))
    return tuple(cells)


def cell_words(words: Sequence[Word]) -> tuple[Word, ...]:
    """A cell's words in reading order, without what an icon beside clear text was taken for."""
    clear = any(word.confidence > 0.9 for word in words)
    return tuple(word for line in text_lines(words) for word in line if not clear or word.confidence > 0.7)


def text_lines(words: Sequence[Word]) -> list[list[Word]]:
    """Words whose middles lie within half a word's height of each other stand on one line."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda word: word.box[1] + word.box[3]):
        middle, height = (word.box[1] + word.box[3]) / 2, word.box[3] - word.box[1]
        last = lines[-1][-1] if lines else None
        if last is not None and abs(middle - (last.box[1] + last.box[3]) / 2) < 0.45 * min(
            height, last.box[3] - last.box[1]
        ):
            lines[-1].append(word)
        else:
            lines.append([word])
    return [sorted(line, key=lambda word: word.box[0]) for line in lines]


def unruled_grid(words: Sequence[Word]) -> Grid:
    """Columns are the runs of x that words of the multi-word lines cover; a line is a row."""
    lines = text_lines(words)
    edges = _columns([line for line in lines if len(line) > 1])
    if len(edges) < 2:
        edges = [(0.0, max(word.box[2] for word in words))]
    rows = tuple(_unruled_row(row, line, edges) for row, line in enumerate(lines))
    return Grid(rows=rows, columns=len(edges), ruled=False)


def _columns(lines: Sequence[Sequence[Word]]) -> list[tuple[float, float]]:
    """The x intervals of the columns, from the lines that hold as many words as is usual."""
    if not lines:
        return []
    usual = int(median(len(line) for line in lines))
    spans = sorted((word.box[0], word.box[2]) for line in lines if len(line) <= usual + 1 for word in line)
    columns = [list(spans[0])]
    for start, end in spans[1:]:
        if start <= columns[-1][1]:
            columns[-1][1] = max(columns[-1][1], end)
        else:
            columns.append([start, end])
    return [(start, end) for start, end in columns]


def _unruled_row(row: int, line: Sequence[Word], edges: Sequence[tuple[float, float]]) -> tuple[Cell, ...]:
    starts = np.array([start for start, _ in edges])
    ends = np.array([end for _, end in edges])
    placed: dict[tuple[int, int], list[Word]] = {}
    for word in line:
        overlap = np.minimum(ends, word.box[2]) - np.maximum(starts, word.box[0])
        touched = np.flatnonzero(overlap > 0.3 * (ends - starts))
        column = int(np.argmax(overlap))
        spans = (int(touched[0]), len(touched)) if len(touched) > 1 else (column, 1)
        placed.setdefault(spans, []).append(word)
    return tuple(
        Cell(row=row, column=first, columns=count, words=cell_words(placed[first, count]))
        for first, count in sorted(placed)
    )
