"""From a grid of cells to constraints: which rows are the header, what rows and columns are called, what cells say.

Names of columns tell columns apart. So where the lower names repeat (2023, 2024, 2023, 2024), the names above them share
the columns out among themselves, wherever they are printed over their share.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
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
    names, places = [""] * grid.columns, _places(grid)
    for row in reversed(head):
        cells = [cell for cell in grid.rows[row] if cell.words]
        beside = [cell for cell in cells if cell.column > 0]
        shares = dict(zip(map(id, beside), _shares(beside, names, places), strict=False))
        for cell in cells:
            for column in shares.get(id(cell), range(cell.column, cell.column + cell.columns)):
                names[column] = f"{cell.text} {names[column]}".strip()
    return names


def _places(grid: TableGrid) -> list[Span | None]:
    """From where to where each column's own cells reach."""
    places: list[Span | None] = [None] * grid.columns
    for cell in chain.from_iterable(grid.rows):
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
    known = list(filter(None, places[1:]))
    if len(known) < len(below) or len(set(below)) == len(below):
        return []
    extents = [(cell.words[0].box.x0, max(word.box.x1 for word in cell.words)) for cell in cells]
    cuts = []
    for side in (0, 1, 2):
        runs = [[_anchor((first[0], last[1]), side) for last in known] for first in known]
        cuts.append(_best_cut([_anchor(extent, side) for extent in extents], runs, below))
    _, best = min(cuts)
    return [range(start + 1, end + 1) for start, end in best]


def _anchor(span: Span, side: int) -> float:
    """The left end (side 0), the middle or the right end (2) of a span."""
    return (span[0] * (2 - side) + span[1] * side) / 2


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

    The structure has the columns' names as parts and the rows' as attachment; its box is all the cells.
    """
    body, names = _split(grid)
    if not body or grid.columns < 2:
        return []
    rows = _body_rows(grid, body)
    for column in range(grid.columns - 1, 1, -1):
        rows, names = _with_spreads(rows, names, column)
    labels = _row_labels(rows, grid.columns)
    facts = _cell_facts(_with_points(rows), labels, names)
    if not facts and not any(names):
        return []
    structure = Structure(
        type="table",
        parts=tuple(filter(None, names)),
        attachment=tuple(filter(None, labels)),
        confidence=0.98 if grid.ruled else 0.95,
        box=Box.around(cell.box for row in grid.rows for cell in row if cell.box is not None),
    )
    return [structure, *facts]


def _cell_facts(rows: Sequence[_Row], labels: Sequence[str], names: Sequence[str]) -> list[Numeric | Relation]:
    """What the cells say. The first column is the stub: it names rows and gives no values, even where it holds numbers.

    A cell that holds several numbers ("12.3 ± 0.4", "12 (34%)", "<0.001") is a relation between its name and what
    stands there. Cells that are empty, "?" or words give no constraint.
    """
    return [
        fact
        for row, label in zip(rows, labels, strict=True)
        for column, cell in sorted(row.cells.items())
        if column > 0 and (fact := _fact(cell, row.cells.get(0), label, names[column])) is not None
    ]


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
    are rows of their own, and a line that only names a group of rows ends them, unless it is the stub's name between
    two of the header's lines.
    """
    if len(rows) == 1:
        return False
    texts = _texts_beside_stub(grid, rows[0])
    if any(map(is_value_like, texts)):
        return _is_row_of_numbers_that_name(grid, rows, seen)
    if texts:
        return not (grid.ruled and seen) or any(cell.columns > 1 for cell in grid.rows[rows[0] - 1])
    if not seen or grid.ruled:
        return not seen
    return _holds_names_only(grid, rows[1])


def _holds_names_only(grid: TableGrid, row: int) -> bool:
    """Whether names of columns stand in a row, years perhaps, and the row itself has none."""
    texts = _texts_beside_stub(grid, row)
    names = _are_years(texts) or not any(map(is_value_like, texts))
    return bool(texts) and names and not grid.cell(row, 0).words


def _is_row_of_numbers_that_name(grid: TableGrid, rows: Sequence[int], seen: bool) -> bool:
    """Years, or numbers of a row without a name; after other names only if one spans it, or no border is between."""
    row = rows[0]
    texts, nameless = _texts_beside_stub(grid, row), not grid.cell(row, 0).words
    years = _are_years(texts) and not _are_years(_texts_beside_stub(grid, rows[1]))
    if not seen:
        return nameless or years
    if years and len(texts) > 1:
        return True
    return nameless and _goes_on_above(grid, row)


def _goes_on_above(grid: TableGrid, row: int) -> bool:
    under_span = any(cell.columns > 1 and cell.words for cell in grid.rows[row - 1])
    return under_span or not (grid.ruled or grid.closed[row - 1])


def _texts_beside_stub(grid: TableGrid, row: int) -> list[str]:
    return [cell.text for cell in grid.rows[row] if cell.column > 0 and cell.words]


def _are_years(texts: Sequence[str]) -> bool:
    return bool(texts) and all(map(is_year, texts))


def _body_rows(grid: TableGrid, body: Sequence[int]) -> list[_Row]:
    """The body's rows: broken cells made whole, names of groups kept with the rows under them."""
    lines = [_Row(cells={cell.column: cell for cell in grid.rows[row]}) for row in body]
    if not grid.ruled:
        return _open_rows(lines, [row > 0 and grid.closed[row - 1] for row in body])
    rows, group = [], ""
    for row, line in zip(body, lines, strict=True):
        is_name = _is_title(grid, row)
        rows.append(line if is_name else replace(line, group=group))
        group = line.text(0) if is_name else group
    return rows


def _open_rows(lines: Sequence[_Row], below_border: Sequence[bool]) -> list[_Row]:
    """The rows of a body without borders.

    A line without values names a group, goes on with the row above, or begins a row whose values stand beside the
    middle of its name and have none on their own line; that row's name goes on below them.
    """
    rows: list[_Row] = []
    group, name_goes_on = "", False
    waiting = _Row(cells={})  # lines without values whose rows are to come
    for line, closed in zip(lines, below_border, strict=True):
        if line.has_values():
            if line.text(0):
                row, group, name_goes_on = line, waiting.text(0) or group, False
            else:
                row, name_goes_on = waiting.with_line(line), bool(waiting.cells)
            rows.append(replace(row, group=group))
            waiting = _Row(cells={})
            continue
        if rows and not (waiting.cells or closed) and (name_goes_on or _continues(rows[-1], line)):
            rows[-1] = rows[-1].with_line(line)
        else:
            waiting = waiting.with_line(line)
        name_goes_on = False
    return rows


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
    if len({before, own} - {""}) > 1 or not _holds_spreads(rows, column):
        return list(rows), list(names)
    joined = []
    for row in rows:
        cell, left = row.cells.get(column), row.cells.get(column - 1)
        if cell is not None and left is not None and left.box is not None:
            others = {place: one for place, one in row.cells.items() if place != column}
            row = replace(row, cells=others | {column - 1: replace(left, words=left.words + cell.words)})
        joined.append(row)
    return joined, [*names[: column - 1], before or own, "", *names[column + 1 :]]


def _holds_spreads(rows: Sequence[_Row], column: int) -> bool:
    pairs = [(row.text(column - 1), row.text(column)) for row in rows]
    spreads = [is_spread(text) or value == "±" for value, text in pairs if value and text]
    return sum(spreads) >= max(2, _SPREADS * len(spreads))


def _with_points(rows: Sequence[_Row]) -> list[_Row]:
    """The rows with points for decimal commas, if the table writes them: several of them, and no point in any value.

    A single "1,23" may as well be what was left of a broken thousand.
    """
    texts = [cell.text for row in rows for column, cell in row.cells.items() if column > 0]
    commas = sum(_DECIMAL_COMMA.search(text) is not None for text in texts)
    if commas < 2 or re.search(r"\d\.\d", "\n".join(texts)):
        return list(rows)
    pointed = []
    for row in rows:
        cells = dict(row.cells)
        for column in cells.keys() - {0}:
            words = (replace(word, text=_DECIMAL_COMMA.sub(".", word.text)) for word in cells[column].words)
            cells[column] = replace(cells[column], words=tuple(words))
        pointed.append(replace(row, cells=cells))
    return pointed


def _row_labels(rows: Sequence[_Row], columns: int) -> list[str]:
    """What each row is called: its stub, and as much of its group and of the next column as it takes to tell rows apart."""
    labels = [row.text(0) for row in rows]
    grouped = [" ".join(filter(None, (row.group, row.text(0)))) for row in rows]
    for names in (labels, grouped):
        if len(set(names)) == len(names):
            return names
    if columns <= 2:
        return grouped
    beside = ["" if is_value_like(row.text(1)) else row.text(1) for row in rows]
    return [" ".join(filter(None, pair)) for pair in zip(grouped, beside, strict=True)]


def _fact(cell: GridCell, stub: GridCell | None, label: str, column: str) -> Numeric | Relation | None:
    is_leaf = re.fullmatch(r"lea(f|ves)", column.strip().lower()) is not None
    number = leaf_digits(cell.text) if is_leaf else cell_number(cell.text)
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
        extra={"text": cell.text} if is_leaf else {},
    )
