"""From a grid of cells to constraints: which rows are the header, what rows and columns are called, what cells say.

Names of columns tell columns apart. So where the lower names repeat (2023, 2024, 2023, 2024), the names above them share
the columns out among themselves, wherever they are printed over their share.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import inf

from evpv.perception.boxes import Box, Pixels
from evpv.perception.competition import FigureReading, told_share
from evpv.perception.ocr import Word
from evpv.perception.tables.grid import GridCell, TableGrid, find_grid
from evpv.perception.tables.ink import Span
from evpv.perception.tables.numbers import cell_expression, cell_number, is_spread, is_value_like, is_year, leaf_digits
from evpv.types import Constraint, Numeric, Relation, Structure


def _column_names(grid: TableGrid, head: Sequence[int]) -> list[str]:
    """The texts above each column, joined; empty where there is no header."""
    names = [""] * grid.columns
    places = _column_places(grid)
    for row in reversed(head):
        cells = [cell for cell in grid.rows[row] if cell.words]
        beside = [cell for cell in cells if cell.column > 0]
        shares = dict(zip(map(id, beside), _shares(beside, names, places), strict=False))
        for cell in cells:
            for column in shares.get(id(cell), range(cell.column, cell.column + cell.columns)):
                names[column] = f"{cell.text} {names[column]}".strip()
    return names


def _column_places(grid: TableGrid) -> list[Span | None]:
    """From where to where each column's own cells reach."""
    places: list[Span | None] = [None] * grid.columns
    for row in grid.rows:
        for cell in row:
            if cell.columns == 1 and cell.box is not None:
                left, right = places[cell.column] or (inf, -inf)
                places[cell.column] = min(left, cell.box.x0), max(right, cell.box.x1)
    return places


def _shares(cells: Sequence[GridCell], names: Sequence[str], places: Sequence[Span | None]) -> list[range]:
    """Which columns each of a row's names stands over, where the names below repeat.

    The columns beside the stub are cut into as many runs, none with a name twice, so that the names stand best over
    them: all at the left, in the middle or at the right. Empty where no such cut tells the columns apart.
    """
    below = list(names[1:])
    known = [place for place in places[1:] if place is not None]
    if len(known) < len(below) or len(cells) < 2 or len(set(below)) == len(below):
        return []
    extents = [_extent(cell) for cell in cells]
    cuts = [_best_cut(_anchors(extents, side), _edges(known, side), below) for side in (0, 1, 2)]
    _, runs = min(cuts)
    return [range(start + 1, end + 1) for start, end in runs]


def _extent(cell: GridCell) -> Span:
    return cell.words[0].box.x0, max(word.box.x1 for word in cell.words)


def _anchors(spans: Sequence[Span], side: int) -> list[float]:
    """Left ends, middles or right ends."""
    return [(left * (2 - side) + right * side) / 2 for left, right in spans]


def _edges(places: Sequence[Span], side: int) -> list[list[float]]:
    """The anchor of every run of columns, from its first to its last."""
    count = len(places)
    return [
        [_anchors([(places[first][0], places[max(first, last)][1])], side)[0] for last in range(count)]
        for first in range(count)
    ]


def _best_cut(
    anchors: Sequence[float], runs: Sequence[Sequence[float]], below: Sequence[str]
) -> tuple[float, tuple[tuple[int, int], ...]]:
    """How far names stand from their runs in all, and the runs from start to end; infinitely far if none can be."""

    @cache
    def cut(name: int, start: int) -> tuple[float, tuple[tuple[int, int], ...]]:
        if name == len(anchors):
            return (0.0 if start == len(below) else inf), ()
        best: tuple[float, tuple[tuple[int, int], ...]] = (inf, ())
        for end in range(start + 1, len(below) + 1):
            if len(set(below[start:end])) < end - start:
                break
            rest, others = cut(name + 1, end)
            best = min(best, (rest + abs(runs[start][end - 1] - anchors[name]), ((start, end), *others)))
        return best

    distance, cuts = cut(0, 0)
    return distance, cuts if distance < inf else ()


_SPREADS = 0.8  # of the values before a column, for it to hold their spreads
_DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d{1,2}(?!\d))")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """A row of the body: its cells by column, what it is called, and the group that it stands in."""

    cells: dict[int, GridCell]
    group: str = ""

    def text(self, column: int) -> str:
        return self.cells[column].text if column in self.cells else ""

    def has_values(self) -> bool:
        return any(column > 0 and is_value_like(cell.text) for column, cell in self.cells.items() if cell.words)

    def with_line(self, other: _Row) -> _Row:
        """This row with another line of it, whose words follow its own."""
        cells = dict(self.cells)
        for column, cell in other.cells.items():
            mine = cells.get(column)
            cells[column] = cell if mine is None else replace(mine, words=mine.words + cell.words)
        return replace(self, cells=cells)


def table_reading(picture: Pixels, words: Sequence[Word]) -> FigureReading:
    """The table in a picture; it explains the words that its facts name, the better the fewer cells mix columns."""
    grid = find_grid(picture, words)
    facts = tuple(_grid_facts(grid))
    if not facts:
        return FigureReading(kind="table")
    filled = sum(bool(cell.words) for row in grid.rows for cell in row)
    whole = 1 - min(2 * grid.mixed_cells() / max(filled, 1), 1.0)
    explained = round(told_share(words, facts) * whole, 4)
    if explained < 0.5:  # a grid that leaves most of the words over is doubtful in every cell
        facts = tuple(replace(fact, confidence=round(fact.confidence * (0.5 + explained), 4)) for fact in facts)
    return FigureReading(kind="table", constraints=facts, explained=explained)


def _grid_facts(grid: TableGrid) -> list[Constraint]:
    """One numeric constraint per cell that holds a number, named "row label column label", and the table's structure.

    The first column is the stub: it names rows and gives no values, even where it holds numbers. A cell that holds
    several numbers ("12.3 ± 0.4", "12 (34%)", "<0.001") is a relation between its name and what stands there. Cells
    that are empty, "?" or words give no constraint.
    """
    body, names = _split(grid)
    if not body or grid.columns < 2:
        return []
    rows = _body_rows(grid, body)
    for column in range(grid.columns - 1, 1, -1):
        rows, names = _with_spreads(rows, names, column)
    labels = _row_labels(rows, grid.columns)
    rows = _with_points(rows)
    facts = [
        fact
        for row, label in zip(rows, labels, strict=True)
        for column, cell in sorted(row.cells.items())
        if column > 0 and (fact := _fact(cell, row.cells.get(0), label, names[column])) is not None
    ]
    if not facts and not any(names):
        return []
    return [_structure(grid, labels, names), *facts]


def _split(grid: TableGrid) -> tuple[list[int], list[str]]:
    """The body's row numbers and the columns' names (empty strings where there is no header)."""
    rows = list(range(len(grid.rows)))
    while rows and _is_title(grid, rows[0]):
        rows.pop(0)
    head: list[int] = []
    while rows and _is_header(grid, rows, bool(head)):
        head.append(rows.pop(0))
    return rows, _column_names(grid, head)


def _is_title(grid: TableGrid, row: int) -> bool:
    """A line of its own over the stub and more: a title, or what is left of the text above the table."""
    filled = [cell for cell in grid.rows[row] if cell.words]
    return len(filled) == 1 and filled[0].columns > 1 and (grid.ruled or filled[0].column == 0)


def _is_header(grid: TableGrid, rows: Sequence[int], seen: bool) -> bool:
    """Rows before the first value are header rows; a row of numbers is one only if it names no row, or names years.

    A ruled table has a second header row only under a name that spans columns; in an unruled one the header's lines
    are rows of their own, and a line that only names a group of rows ends them.
    """
    row = rows[0]
    if len(rows) == 1:
        return False
    texts = _texts_beside_stub(grid, row)
    if not texts:
        return not (seen and (grid.ruled or not _goes_on(grid, rows[1])))
    if any(map(is_value_like, texts)):
        return _is_row_of_numbers_that_name(grid, rows, seen)
    return not (grid.ruled and seen) or any(cell.columns > 1 for cell in grid.rows[row - 1])


def _goes_on(grid: TableGrid, row: int) -> bool:
    """Whether a header goes on with a row, under the stub's name that stands between two of its lines."""
    texts = _texts_beside_stub(grid, row)
    names = _are_years(texts) or not any(map(is_value_like, texts))
    return bool(texts) and names and not grid.cell(row, 0).words


def _is_row_of_numbers_that_name(grid: TableGrid, rows: Sequence[int], seen: bool) -> bool:
    texts, nameless = _texts_beside_stub(grid, rows[0]), not grid.cell(rows[0], 0).words
    years = _are_years(texts) and not _are_years(_texts_beside_stub(grid, rows[1]))
    if not seen:
        return nameless or years
    return (years and len(texts) > 1) or (nameless and _belongs_to_row_above(grid, rows[0]))


def _belongs_to_row_above(grid: TableGrid, row: int) -> bool:
    """Whether a row stands under a name that spans columns, or no border parts it from the one above."""
    under_span = any(cell.columns > 1 and cell.words for cell in grid.rows[row - 1])
    return under_span or not (grid.ruled or grid.closed[row - 1])


def _texts_beside_stub(grid: TableGrid, row: int) -> list[str]:
    return [cell.text for cell in grid.rows[row] if cell.column > 0 and cell.words]


def _are_years(texts: Sequence[str]) -> bool:
    return bool(texts) and all(map(is_year, texts))


def _body_rows(grid: TableGrid, body: Sequence[int]) -> list[_Row]:
    """The body's rows: broken cells made whole, names of groups kept with the rows under them.

    A line without values names a group, goes on with the row above, or begins a row whose values stand beside the
    middle of its name and have none on their own line; that row's name goes on below them.
    """
    lines = [_Row(cells={cell.column: cell for cell in grid.rows[row]}) for row in body]
    open_body = _OpenBody()
    if grid.ruled:
        for row, line in zip(body, lines, strict=True):
            named = _is_title(grid, row)
            open_body.rows.append(line if named else replace(line, group=open_body.group))
            open_body.group = line.text(0) if named else open_body.group
        return open_body.rows
    for row, line in zip(body, lines, strict=True):
        open_body.add_line(line, below_border=row > 0 and grid.closed[row - 1])
    return open_body.rows


@dataclass(slots=True)
class _OpenBody:
    """The rows of a body without borders, as its lines are read: `waiting` is a line without values whose rows are to come."""

    rows: list[_Row] = field(default_factory=list)
    group: str = ""
    waiting: _Row | None = None
    name_goes_on: bool = False

    def add_line(self, line: _Row, *, below_border: bool) -> None:
        if line.has_values():
            self._add_row(line)
            return
        under_row = self.rows and self.waiting is None and not below_border
        if under_row and (self.name_goes_on or _continues(self.rows[-1], line)):
            self.rows[-1] = self.rows[-1].with_line(line)
        else:
            self.waiting = line if self.waiting is None else self.waiting.with_line(line)
        self.name_goes_on = False

    def _add_row(self, row: _Row) -> None:
        above, self.waiting = self.waiting, None
        self.name_goes_on = above is not None and not row.text(0)
        if above is not None and self.name_goes_on:
            row = above.with_line(row)
        elif above is not None:
            self.group = above.text(0) or self.group
        self.rows.append(replace(row, group=self.group))


def _continues(row: _Row, line: _Row) -> bool:
    """Whether a line without values goes on with the row above it rather than naming the rows below."""
    text, name = line.text(0), row.text(0)
    unfinished = name.count("(") > name.count(")") or name.endswith(("-", ",", "/", "&", " and", " of", " or"))
    return not text or text[:1].islower() or text[:1] in "(&,/" or unfinished


def _with_spreads(rows: Sequence[_Row], names: Sequence[str], column: int) -> tuple[list[_Row], list[str]]:
    """Rows and names with a column put to the one before it, if it holds that one's spreads: "± 0.4", "(34%)".

    A grid finds the corridor between a value and its spread, but both have one name.
    """
    before, own = names[column - 1], names[column]
    pairs = [(row.text(column - 1), row.text(column)) for row in rows]
    spreads = [is_spread(text) or value == "±" for value, text in pairs if value and text]
    if len({before, own} - {""}) > 1 or sum(spreads) < max(2, _SPREADS * len(spreads)):
        return list(rows), list(names)
    whole = [*names[: column - 1], before or own, "", *names[column + 1 :]]
    return [_with_joined_cell(row, column) for row in rows], whole


def _with_joined_cell(row: _Row, column: int) -> _Row:
    """The row with a cell's words put after those of the cell before it."""
    cell, left = row.cells.get(column), row.cells.get(column - 1)
    if cell is None or left is None or left.box is None:
        return row
    others = {place: one for place, one in row.cells.items() if place != column}
    return replace(row, cells=others | {column - 1: replace(left, words=left.words + cell.words)})


def _with_points(rows: Sequence[_Row]) -> list[_Row]:
    """The rows with points for decimal commas, if the table writes them: several of them, and no point in any value.

    A single "1,23" may as well be what was left of a broken thousand.
    """
    texts = [cell.text for row in rows for column, cell in row.cells.items() if column > 0]
    commas = sum(_DECIMAL_COMMA.search(text) is not None for text in texts)
    if commas < 2 or re.search(r"\d\.\d", "\n".join(texts)):
        return list(rows)
    return [
        replace(row, cells={column: _with_point(cell) if column else cell for column, cell in row.cells.items()})
        for row in rows
    ]


def _with_point(cell: GridCell) -> GridCell:
    return replace(cell, words=tuple(replace(word, text=_DECIMAL_COMMA.sub(".", word.text)) for word in cell.words))


def _row_labels(rows: Sequence[_Row], columns: int) -> list[str]:
    """What each row is called: its stub, and as much of its group and of the next columns as it takes to tell rows apart."""
    labels = [row.text(0) for row in rows]
    if _are_distinct(labels):
        return labels
    grouped = [" ".join(filter(None, (row.group, row.text(0)))) for row in rows]
    if _are_distinct(grouped):
        return grouped
    second = [" ".join(filter(None, (label, _name_at(row, 1)))) for label, row in zip(grouped, rows, strict=True)]
    return second if columns > 2 else grouped


def _are_distinct(labels: Sequence[str]) -> bool:
    return max(Counter(labels).values(), default=1) == 1


def _name_at(row: _Row, column: int) -> str:
    text = row.text(column)
    return "" if is_value_like(text) else text


def _fact(cell: GridCell, stub: GridCell | None, label: str, column: str) -> Numeric | Relation | None:
    number = leaf_digits(cell.text) if _is_leaf(column) else cell_number(cell.text)
    entity = " ".join(filter(None, (label, column)))
    confidence = round(cell.confidence * (stub.confidence if stub is not None and stub.words else 1.0), 4)
    if not entity:
        return None
    if number is None:
        said = cell_expression(cell.text)
        if said is None:
            return None
        return Relation(type=said[0], entities=(entity, said[1]), confidence=confidence, box=cell.box)
    return Numeric(
        entity=entity,
        attribute="value",
        value=number.value,
        unit=number.unit,
        confidence=confidence,
        box=cell.box,
        row=label or None,
        column=column or None,
        # As a value the leaves 0 4 4 are 44: the text still has the first of them.
        extra={"text": cell.text} if _is_leaf(column) else {},
    )


def _is_leaf(name: str) -> bool:
    return re.fullmatch(r"lea(f|ves)", name.strip().lower()) is not None


def _structure(grid: TableGrid, labels: Sequence[str], names: Sequence[str]) -> Structure:
    """The table with its header names as parts, its rows' names as attachment; the box is all its cells."""
    boxes = [cell.box for row in grid.rows for cell in row if cell.box is not None]
    return Structure(
        type="table",
        parts=tuple(name for name in names if name),
        attachment=tuple(label for label in labels if label),
        confidence=0.98 if grid.ruled else 0.95,
        box=Box.around(boxes),
    )
