"""Questions that compare or look up cells: the most, how much more, the rate of change, one value."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from evpv.judges.checks.questions.asked import Mention, Recomputed, asking, budget, mentions
from evpv.judges.checks.tables import Cell, Table
from evpv.judges.checks.wordings import (
    ASKS_FOR_A_ROW,
    CHANGE,
    DIFFERENCE,
    DIGITS,
    GIVEN_TOTAL,
    HOW_MANY_IN,
    HOW_MUCH,
    LARGEST,
    LESS,
    MAGNITUDE,
    MORE,
    NOT_ONE_CELL,
    SMALL_MAGNITUDE,
    SMALLEST,
    TOGETHER,
)


def rate_of_change(question: str, table: Table) -> Recomputed | None:
    """The change between two named rows, for each step between them: years, or places in the table."""
    asked = asking(question)
    named = mentions(asked, table.rows)
    if "rate of change" not in asked.lower() or len(named) != 2 or len(table.columns) != 1:
        return None
    first, second = (table.cell(mention.name, table.columns[0]) for mention in named)
    if first is None or second is None:
        return None
    steps = _distance(first, second, table)
    if not steps:
        return None
    return Recomputed((second.value - first.value) / steps, f"({second.value} - {first.value}) / {steps}")


def _distance(first: Cell, second: Cell, table: Table) -> Fraction:
    if first.row.strip().isdecimal() and second.row.strip().isdecimal():
        return Fraction(int(second.row) - int(first.row))
    return Fraction(table.rows.index(second.row) - table.rows.index(first.row))


def difference(question: str, table: Table) -> Recomputed | None:
    """How much more one named cell has than another."""
    asked = asking(question)
    if not DIFFERENCE.search(asked.lower()) or table.is_stem_and_leaf or budget(question) is not None:
        return None
    pair = _two_cells(asked, table)
    if pair is None:
        return None
    more, less = pair
    return Recomputed(abs(more.value - less.value), f"{_name(more)} {more.value}, {_name(less)} {less.value}")


def _two_cells(asked: str, table: Table) -> tuple[Cell, Cell] | None:
    rows, columns = mentions(asked, table.rows), mentions(asked, table.columns)
    if len(table.columns) == 1:
        pairs = [(row.name, table.columns[0]) for row in rows]
    elif len(rows) == 2 and len(columns) == 1:
        pairs = [(row.name, columns[0].name) for row in rows]
    elif len(rows) == 1 and len(columns) == 2:
        pairs = [(rows[0].name, column.name) for column in columns]
    else:
        return None
    cells = [table.cell(*pair) for pair in pairs]
    if len(cells) != 2 or cells[0] is None or cells[1] is None:
        return None
    return cells[0], cells[1]


def together(question: str, table: Table) -> Recomputed | None:
    """What the named rows make in total."""
    asked = asking(question)
    cells = _named_cells(asked, table)
    if not TOGETHER.search(asked.lower()) or len(cells) < 2:
        return None
    total = sum((cell.value for cell in cells), Fraction())
    return Recomputed(total, " + ".join(f"{_name(cell)} {cell.value}" for cell in cells))


def share(question: str, table: Table) -> Recomputed | None:
    """How many of a given total belong to the named rows, whose values are percents."""
    asked = asking(question)
    cells = _named_cells(asked, table)
    totals = GIVEN_TOTAL.findall(question)
    if (
        len(totals) != 1
        or not cells
        or not asked.lower().startswith("how many")
        or any(cell.unit != "%" for cell in cells)
    ):
        return None
    percent = sum((cell.value for cell in cells), Fraction())
    return Recomputed(Fraction(totals[0].replace(",", "")) * percent / 100, f"{percent}% of {totals[0]}")


def _named_cells(asked: str, table: Table) -> list[Cell]:
    columns = [mention.name for mention in mentions(asked, table.columns)]
    if len(table.columns) == 1:
        columns = table.columns
    found = [table.cell(row.name, columns[0]) for row in mentions(asked, table.rows)] if len(columns) == 1 else []
    return [cell for cell in found if cell is not None]


def most(question: str, table: Table) -> Recomputed | None:
    """Which row has the most or the least, among all rows or among those named; with signs left out where asked."""
    asked = asking(question)
    low = asked.lower()
    magnitude = MAGNITUDE.search(low) or SMALL_MAGNITUDE.search(low)
    largest = LARGEST.search(low) or MAGNITUDE.search(low) or MORE.search(low)
    smallest = SMALLEST.search(low) or SMALL_MAGNITUDE.search(low) or LESS.search(low)
    if CHANGE.search(low) and not magnitude:
        return None
    if bool(largest) == bool(smallest) or not ASKS_FOR_A_ROW.search(low) or table.is_stem_and_leaf:
        return None
    cells = _compared(asked, table)
    if len(cells) < 2:
        return None
    sizes = {cell: abs(cell.value) if magnitude else cell.value for cell in cells}
    ranked = sorted(cells, key=lambda cell: sizes[cell], reverse=bool(largest))
    if sizes[ranked[0]] == sizes[ranked[1]]:
        return None
    return Recomputed(ranked[0].row, f"{_name(ranked[0])} has {float(ranked[0].value):g}")


def _compared(asked: str, table: Table) -> list[Cell]:
    columns = [mention.name for mention in mentions(asked, table.columns)]
    if len(table.columns) == 1:
        columns = table.columns
    if len(columns) > 1:
        return []
    named: Sequence[Mention] = mentions(asked, table.rows)
    cells = table.column(columns[0]) if columns else _row_sums(table)
    return [cell for cell in cells if cell.row in {m.name for m in named}] if len(named) == 2 else cells


def _row_sums(table: Table) -> list[Cell]:
    """What each row makes in all: "which zoo has the most bears" over columns of brown and of grizzly bears."""
    sums = {row: sum((cell.value for cell in table.cells if cell.row == row), Fraction()) for row in table.rows}
    return [Cell(row, "", value, None) for row, value in sums.items()]


def lookup(question: str, table: Table) -> Recomputed | None:
    """One cell, its row named and its column named or the only one."""
    asked = asking(question)
    if not HOW_MUCH.search(asked.lower()) or table.is_stem_and_leaf:
        return None
    if NOT_ONE_CELL.search(asked.lower()):
        return None
    cells = _named_cells(asked, table)
    if len(cells) != 1 or (len(table.columns) == 1 and cells[0].row.strip().isdecimal()):
        return None
    if set(DIGITS.findall(question)) - set(DIGITS.findall(_name(cells[0]))):
        return None  # a number given with the question is there to be used
    return Recomputed(cells[0].value, f"{_name(cells[0])} is {float(cells[0].value):g}")


def row_total(question: str, table: Table) -> Recomputed | None:
    """How many there are in one named row of several columns, no column named: "how many lights are in the barn"."""
    asked = asking(question)
    rows = mentions(asked, table.rows)
    if not HOW_MANY_IN.search(asked.lower()) or len(rows) != 1:
        return None
    if len(table.columns) < 2 or mentions(asked, table.columns) or table.is_stem_and_leaf:
        return None
    total = sum((cell.value for cell in table.cells if cell.row == rows[0].name), Fraction())
    return Recomputed(total, f"the row {rows[0].name} adds to {total}")


def _name(cell: Cell) -> str:
    return f"{cell.row} {cell.column}".strip()
