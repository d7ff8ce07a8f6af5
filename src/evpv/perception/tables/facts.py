"""From a grid of cells to constraints."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evpv.perception.ocr import Pixels, Word
from evpv.perception.tables.grid import Cell, Grid, around, find_grid
from evpv.perception.tables.numbers import CellNumber, cell_number, leaf_digits
from evpv.types import Constraint, Numeric, Structure


def read_table(picture: Pixels, words: Sequence[Word]) -> list[Constraint]:
    """One numeric constraint per cell that holds a number, named "row label column label", and the table's structure.

    The first column is the stub: it names rows and gives no values, even where it holds numbers. Cells that are
    empty, "?" or words give no constraint.
    """
    grid = find_grid(picture, words)
    body, names = _split(grid)
    if not body or grid.columns < 2:
        return []
    facts = [
        fact
        for row in body
        for cell in grid.rows[row]
        if cell.column > 0 and (fact := _fact(cell, grid.cell(row, 0), names[cell.column])) is not None
    ]
    if not facts and not any(names):
        return []
    return [_structure(grid, body, names), *facts]


def _split(grid: Grid) -> tuple[list[int], list[str]]:
    """The body's row numbers and the columns' names (empty strings where there is no header)."""
    rows = list(range(len(grid.rows)))
    while rows and _is_title(grid, rows[0]):
        rows.pop(0)
    head: list[int] = []
    while rows and _is_header(grid, rows, bool(head)):
        head.append(rows.pop(0))
    names = [" ".join(filter(None, (grid.cell(row, column).text for row in head))) for column in range(grid.columns)]
    return rows, names


def _is_title(grid: Grid, row: int) -> bool:
    filled = [cell for cell in grid.rows[row] if cell.words]
    return len(filled) == 1 and filled[0].columns > 1


def _is_header(grid: Grid, rows: Sequence[int], seen: bool) -> bool:
    """Rows before the first value are header rows; a row of numbers is one only if it names no row, or names years.

    A ruled table has a second header row only under a name that spans columns; in an unruled one the header's lines
    are rows of their own.
    """
    if len(rows) == 1:
        return False
    if any(cell_number(cell.text) for cell in grid.rows[rows[0]] if cell.column > 0):
        return not seen and (
            not grid.cell(rows[0], 0).words or (_is_years(grid, rows[0]) and not _is_years(grid, rows[1]))
        )
    return not seen or not grid.ruled or any(cell.columns > 1 for cell in grid.rows[rows[0] - 1])


def _is_years(grid: Grid, row: int) -> bool:
    texts = [cell.text for cell in grid.rows[row] if cell.column > 0 and cell.words]
    return bool(texts) and all(re.fullmatch(r"(19|20)\d\d", text) for text in texts)


def _fact(cell: Cell, stub: Cell, name: str) -> Numeric | None:
    number = _value(cell, name)
    label = " ".join(filter(None, (stub.text, name)))
    if number is None or not label:
        return None
    return Numeric(
        entity=label,
        attribute="value",
        value=number.value,
        unit=number.unit,
        confidence=round(cell.confidence * (stub.confidence if stub.words else 1.0), 4),
        box=cell.box,
        # As a value the leaves 0 4 4 are 44: the text still has the first of them.
        extra={"text": cell.text} if _is_leaf(name) else {},
    )


def _value(cell: Cell, name: str) -> CellNumber | None:
    return leaf_digits(cell.text) if _is_leaf(name) else cell_number(cell.text)


def _is_leaf(name: str) -> bool:
    return re.fullmatch(r"lea(f|ves)", name.strip().lower()) is not None


def _structure(grid: Grid, body: Sequence[int], names: Sequence[str]) -> Structure:
    """The table with its header names as parts, its rows' names as attachment; the box is all its cells."""
    stubs = [grid.cell(row, 0) for row in body]
    boxes = [cell.box for row in grid.rows for cell in row if cell.box is not None]
    return Structure(
        type="table",
        parts=tuple(name for name in names if name),
        attachment=tuple(stub.text for stub in stubs if stub.words),
        confidence=0.98 if grid.ruled else 0.95,
        box=around(boxes),
    )
