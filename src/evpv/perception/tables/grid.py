"""Words put into the rows and columns of a table: by its borders, by the white space between its columns, or by both.

Two grids compete. The ruled one believes every border; the open one finds columns where the body's lines leave a
corridor. The one whose cells hold single values is the table.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median

import numpy as np

from evpv.perception.boxes import Box, Pixels, runs_of
from evpv.perception.ocr import Word, text_lines
from evpv.perception.tables.ink import Pieces, Rules, Span, find_rules, own_underline, printed_pieces, text_extent
from evpv.perception.tables.numbers import cell_expression, cell_number, is_value_like, is_year

_COLUMN_GAP = 1.45  # in widths of a space: what parts columns, where they stand closest
_PHRASE_GAP = 1.9  # likewise: pieces of a header's name stand closer than this
_LEAST_GAIN = 2  # single values that the open grid must have more than a ruled one that mixes cells to replace it
_LEAST_RATIO = 1.5  # and in proportion to one that does not


@dataclass(frozen=True, slots=True, kw_only=True)
class GridCell:
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
        return Box.around(word.box for word in self.words) if self.words else None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableGrid:
    """A table as rows of cells in column order; `ruled` tells how the columns were found.

    In an open grid a row is a line of text, and `closed` says of each whether a border runs below it from side to side.
    """

    rows: tuple[tuple[GridCell, ...], ...]
    columns: int
    ruled: bool
    closed: tuple[bool, ...] = ()

    def cell(self, row: int, column: int) -> GridCell:
        """The cell at a place; a spanning cell answers for each of its columns."""
        for cell in self.rows[row]:
            if cell.column <= column < cell.column + cell.columns:
                return cell
        return GridCell(row=row, column=column)

    def values(self) -> int:
        """How many cells beyond the first column hold one value, less twice those that hold several side by side."""
        single = sum(
            bool(cell.words) and cell.column > 0 and cell.columns == 1 and cell_number(cell.text) is not None
            for cell in itertools.chain.from_iterable(self.rows)
        )
        return single - 2 * self.mixed_cells()

    def mixed_cells(self) -> int:
        """How many cells hold what belongs to different columns: several values, or a name and a value."""
        mixed = 0
        for cell in itertools.chain.from_iterable(self.rows):
            if len(cell.words) > 1 and cell_number(cell.text) is None and cell_expression(cell.text) is None:
                numbers = sum(cell_number(word.text) is not None for word in cell.words)
                mixed += numbers > 1 or (numbers == 1 and cell.columns > 1)
        return mixed


def find_grid(picture: Pixels, words: Sequence[Word]) -> TableGrid:
    """The grid by the rules, unless the white space between the words explains more of the values."""
    if not words:
        return TableGrid(rows=(), columns=0, ruled=False)
    boxes = [word.box for word in words]
    rules = find_rules(picture, boxes, median(box.line_height for box in boxes))
    pieces = printed_pieces(picture, words)
    ruled = _ruled_grid(rules, pieces.words)
    free = _open_grid(rules, pieces)
    if ruled is not None and any(word.text.strip().lower() in ("leaf", "leaves") for word in words):
        return ruled  # leaves stand apart like columns
    if ruled is None:
        return free
    needed = _LEAST_GAIN + ruled.values() if ruled.mixed_cells() >= _LEAST_GAIN else _LEAST_RATIO * ruled.values()
    return free if free.values() >= max(needed, 1) else ruled


def _ruled_grid(rules: Rules, words: Sequence[Word]) -> TableGrid | None:
    """Cells between the rules, None where the rules make no more than one column or one row.

    The outer frame may be cut off with the picture's edge, so words outside the outermost rules open a column or row.
    """
    height, width = rules.vertical.shape
    xs = _lines_around(rules.xs, [word.box.x for word in words], width)
    ys = _lines_around(rules.ys, [word.box.y for word in words], height)
    if len(xs) < 3 or len(ys) < 3:
        return None
    rows: list[tuple[GridCell, ...]] = []
    for top, bottom in itertools.pairwise(ys):
        inside = [word for word in words if top <= word.box.y < bottom]
        ends = _column_ends(rules, xs, (top, bottom))
        rows.extend(_cells(len(rows) + extra, xs, ends, line) for extra, line in enumerate(_row_lines(inside, xs)))
    return TableGrid(rows=tuple(rows), columns=len(xs) - 1, ruled=True, closed=(True,) * len(rows))


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
        line for line in lines if any(cell_number(word.text) for word in line if word.box.x0 + word.box.x1 > 2 * xs[1])
    ]
    if len(with_value) > 1:
        return lines
    return [list(words)] if words else []


def _cells(row: int, xs: Sequence[int], ends: Sequence[int], words: Sequence[Word]) -> tuple[GridCell, ...]:
    cells: list[GridCell] = []
    for first, end in itertools.pairwise(ends):
        inside = [word for word in words if xs[first] <= word.box.x < xs[end]]
        if end - first > 1 and _stand_apart(inside, xs[first : end + 1]):
            cells.extend(_cells(row, xs, range(first, end + 1), inside))
        else:
            cells.append(GridCell(row=row, column=first, columns=end - first, words=_cell_words(inside)))
    return tuple(cells)


def _stand_apart(words: Sequence[Word], xs: Sequence[int]) -> bool:
    """Whether words between borders that were not found in this row belong to columns of their own all the same.

    So do several values, and neighbours in a line that are wide apart wherever a border lies between them.
    """
    if sum(cell_number(word.text) is not None for word in words) > 1:
        return True
    borders = xs[1:-1]
    if any(word.box.x0 < x < word.box.x1 for word in words for x in borders):
        return False
    gaps = [
        right.box.x0 - left.box.x1 > 0.5 * right.box.height
        for line in text_lines(words)
        for left, right in itertools.pairwise(line)
        if any(left.box.x1 <= x <= right.box.x0 for x in borders)
    ]
    return set(gaps) == {True}


def _cell_words(words: Sequence[Word]) -> tuple[Word, ...]:
    """A cell's words in reading order, without what an icon beside clear text was taken for."""
    clear = any(word.confidence > 0.9 for word in words)
    return tuple(word for line in text_lines(words) for word in line if not clear or word.confidence > 0.7)


def _open_grid(rules: Rules, pieces: Pieces) -> TableGrid:
    """Columns are the runs of x that the lines with values cover, parted by corridors; a line is a row.

    A line whose cells were taken for one may block a corridor; where leaving one out explains more, it is.
    """
    lines = [_phrases(line, pieces.space_px, rules) for line in text_lines(pieces.words)]
    words = [list(itertools.chain(*line)) for line in _lines_of_body(lines)]
    whole = _grid_of_columns(rules, pieces.space_px, lines, _columns(words, pieces.space_px, 0))
    if len(words) < 6:
        return whole
    cut = _grid_of_columns(rules, pieces.space_px, lines, _columns(words, pieces.space_px, 1))
    return cut if cut.values() > whole.values() + _LEAST_GAIN else whole


def _lines_of_body(lines: Sequence[list[list[Word]]]) -> Sequence[list[list[Word]]]:
    """The lines with values; values that are years name columns more often than they stand in them."""
    valued = list(filter(_has_value, lines))
    undated = [line for line in valued if not all(is_year(_text(phrase)) for phrase in line[-2:])]
    return undated or valued or [line for line in lines if len(line) > 1] or lines


def _has_value(line: Sequence[Sequence[Word]]) -> bool:
    return any(is_value_like(_text(phrase)) for phrase in line[1:])


def _grid_of_columns(
    rules: Rules, space_px: float, lines: Sequence[list[list[Word]]], columns: Sequence[Span]
) -> TableGrid:
    """The lines put into columns; above the first line of the body are titles, which are left whole, and names.

    A line of the body has a name in the first column, and a value after it.
    """
    named = (row for row, line in enumerate(lines) if line[0][0].box.x0 < columns[0][1] and _has_value(line))
    first = next(named, len(lines))
    titles = next((row for row, line in enumerate(lines[:first]) if not _is_title_line(line, columns)), first)
    rows: list[tuple[GridCell, ...]] = [
        (GridCell(row=row, column=0, columns=len(columns), words=_cell_words(line[0])),)
        for row, line in enumerate(lines[:titles])
    ]
    head = [_open_row(row, _cut_header(lines[row], columns, space_px), columns, rules) for row in range(titles, first)]
    rows += [*_spread(head, columns), *(_open_row(row, lines[row], columns, None) for row in range(first, len(lines)))]
    return TableGrid(rows=tuple(rows), columns=len(columns), ruled=False, closed=_line_borders(rules, lines))


def _is_title_line(line: Sequence[Sequence[Word]], columns: Sequence[Span]) -> bool:
    """Whether a line is one phrase that stands over the whole table, not over the columns beside the stub."""
    if len(line) > 1 or len(columns) < 2:
        return False
    left, right = text_extent(line[0])
    if left < columns[0][1]:
        return right > columns[0][1]
    whole, beside = columns[0][0] + columns[-1][1], columns[1][0] + columns[-1][1]
    return abs(left + right - whole) < 0.5 * abs(left + right - beside)


def _text(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in words)


def _columns(body: Sequence[Sequence[Word]], space_px: float, blocking: int) -> list[Span]:
    """The x intervals of the columns; between two of them at most `blocking` words stand, if that leaves any column."""
    boxes = [word.box for line in body for word in line]
    left = min(box.x0 for box in boxes)
    depth = np.zeros(int(np.ceil(max(box.x1 for box in boxes) - left)) + 2, np.int32)
    for box in boxes:
        depth[int(box.x0 - left) : int(np.ceil(box.x1 - left))] += 1
    covered = depth > (blocking if (depth > blocking).any() else 0)
    columns: list[Span] = []
    for start, end in runs_of(covered):
        run = left + float(start), left + float(end)
        if not columns or _is_gutter((columns[-1][1], run[0]), body, space_px):
            columns.append(run)
        else:
            columns[-1] = (columns[-1][0], run[1])
    return columns


def _is_gutter(corridor: Span, body: Sequence[Sequence[Word]], space_px: float) -> bool:
    """Whether lines with words on both sides of a corridor leave more than a space there, and none has a phrase across it."""
    least = _COLUMN_GAP * space_px
    gaps = []
    for left, right in _neighbours_across(corridor, body):
        gaps.append(right.box.x0 - left.box.x1)
        values = is_value_like(left.text) and is_value_like(right.text) and right.text[:1] not in "([±"
        if gaps[-1] <= least and not values:
            return False
    return not gaps or median(gaps) > least


def _neighbours_across(corridor: Span, body: Sequence[Sequence[Word]]) -> Iterator[tuple[Word, Word]]:
    for line in body:
        before = [word for word in line if word.box.x1 <= corridor[0] + 0.5]
        after = [word for word in line if word.box.x0 >= corridor[1] - 0.5]
        if before and after:
            yield before[-1], after[0]


def _line_borders(rules: Rules, lines: Sequence[Sequence[Sequence[Word]]]) -> tuple[bool, ...]:
    """Of each line, whether a border runs below it along most of the table's width, before the next line."""
    width = max(line[-1][-1].box.x1 for line in lines) - min(line[0][0].box.x0 for line in lines)
    middles = [[word.box.y for phrase in line for word in phrase] for line in lines]
    ends = [max(line) for line in middles]
    starts = [min(line) for line in middles[1:]] + [float(rules.horizontal.shape[0])]
    closed = []
    for end, start in zip(ends, starts, strict=True):
        between = rules.horizontal[max(int(end), 0) : max(int(start), 0)]
        closed.append(bool(between.size) and float(between.any(axis=0).sum()) > 0.8 * width)
    return tuple(closed)


def _open_row(
    row: int, line: Sequence[Sequence[Word]], columns: Sequence[Span], rules: Rules | None
) -> tuple[GridCell, ...]:
    """A line's pieces in their columns; pieces that stand together and reach over several columns span them.

    In the header, whose borders are given, a name spans whatever it or its underline reaches.
    """
    placed: dict[tuple[int, int], list[Word]] = {}
    for phrase in line:
        if rules is not None:
            extent = own_underline(rules, phrase, line) or text_extent(phrase)
            placed.setdefault(_column_reach(extent, columns, 0.08), []).extend(phrase)
        elif any(is_value_like(word.text) for word in phrase):
            for word in phrase:
                placed.setdefault(_column_reach(text_extent([word]), columns, 0.5), []).append(word)
        else:
            placed.setdefault(_column_reach(text_extent(phrase), columns, 0.3), []).extend(phrase)
    return tuple(
        GridCell(row=row, column=first, columns=count, words=_cell_words(placed[first, count]))
        for first, count in sorted(placed)
    )


def _phrases(line: Sequence[Word], space_px: float, rules: Rules) -> list[list[Word]]:
    """The pieces of a line that stand together: no wide gap and no border between them."""
    phrases = [[line[0]]]
    for before, word in itertools.pairwise(line):
        top, bottom = int(word.box.y) - 2, int(word.box.y) + 3
        border = rules.vertical[max(top, 0) : bottom, max(int(before.box.x1), 0) : max(int(word.box.x0), 0)]
        if word.box.x0 - before.box.x1 > _PHRASE_GAP * space_px or border.any():
            phrases.append([word])
        else:
            phrases[-1].append(word)
    return phrases


def _spread(head: Sequence[tuple[GridCell, ...]], columns: Sequence[Span]) -> list[tuple[GridCell, ...]]:
    """Header rows in which a name that stands beside its column, towards one that has a name only below, spans both."""
    spread = []
    for position, row in enumerate(head):
        held = set(itertools.chain(*(range(cell.column, cell.column + cell.columns) for cell in row)))
        below = {cell.column for cell in itertools.chain(*head[position + 1 :]) if cell.columns == 1}
        cells = []
        for cell in row:
            middle, (left, right) = Box.around(word.box for word in cell.words).x, columns[cell.column]
            other = cell.column + (middle > right) - (middle < left)
            leans = cell.columns == 1 and cell.column in below and other in below - held
            cells.append(replace(cell, column=min(other, cell.column), columns=2) if leans else cell)
        spread.append(tuple(cells))
    return spread


def _cut_header(line: Sequence[Sequence[Word]], columns: Sequence[Span], space_px: float) -> list[list[Word]]:
    """A header's phrases, cut where a gap between two columns is wider than a space, but not before a unit in brackets."""
    parts: list[list[Word]] = []
    for phrase in line:
        parts.append([phrase[0]])
        for left, right in itertools.pairwise(phrase):
            middle = (left.box.x1 + right.box.x0) / 2
            between = any(before[1] <= middle <= after[0] for before, after in itertools.pairwise(columns))
            unit = right.text.startswith("(") and not left.text.endswith(")")
            if between and not unit and right.box.x0 - left.box.x1 > 1.25 * space_px:
                parts.append([])
            parts[-1].append(right)
    return parts


def _column_reach(extent: Span, columns: Sequence[Span], least: float) -> tuple[int, int]:
    """The first column that something stands in, and how many it reaches over: those of which it covers that share.

    What stands between two columns and touches neither is over both.
    """
    lefts, rights = np.array(columns).T
    overlap = np.minimum(rights, extent[1]) - np.maximum(lefts, extent[0])
    reached = np.flatnonzero(overlap > least * (rights - lefts))
    if len(reached) > 1:
        return int(reached[0]), int(reached[-1] - reached[0] + 1)
    nearest = int(np.argmax(overlap))
    if overlap[nearest] < 0 and lefts[0] < extent[0] and extent[1] < rights[-1]:
        return int(np.flatnonzero(rights < extent[0])[-1]), 2
    return nearest, 1
