"""A table, or any set of named values, rebuilt from an extractor's numeric constraints; and what a question names of it.

Rows and columns are those of `premises.figure`; values are exact fractions here, because the judge recomputes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from evpv.language.questions import MAX_QUESTION, asking
from evpv.language.tokens import Token, tokens
from evpv.premises.figure import Cell, figure
from evpv.types import Constraint, Structure

_SMALL_WORDS = frozenset(("a", "an", "the", "of"))


@dataclass(frozen=True, slots=True)
class TableValue:
    """A value with its row's and its column's name; `digits` is the cell as printed, None where it was not kept."""

    row: str
    column: str
    value: Fraction
    digits: str | None
    unit: str | None = None

    @property
    def name(self) -> str:
        return f"{self.row} {self.column}".strip()


@dataclass(frozen=True, slots=True)
class ValueTable:
    """The cells in reading order. `header` names the columns, the first of them the rows' own."""

    header: tuple[str, ...]
    cells: tuple[TableValue, ...]

    @property
    def rows(self) -> list[str]:
        return list(dict.fromkeys(cell.row for cell in self.cells))

    @property
    def columns(self) -> list[str]:
        return list(dict.fromkeys(cell.column for cell in self.cells))

    @property
    def total(self) -> Fraction:
        return sum((cell.value for cell in self.cells), Fraction())

    @property
    def row_totals(self) -> list[TableValue]:
        totals: dict[str, Fraction] = {}
        for cell in self.cells:
            totals[cell.row] = totals.get(cell.row, Fraction()) + cell.value
        return [TableValue(row, "", total, None) for row, total in totals.items()]

    @property
    def points(self) -> list[tuple[Fraction, Fraction]]:
        """The rows' names as numbers, with their values; none where a name is no number."""
        try:
            return [(Fraction(cell.row.replace("−", "-").replace(",", "")), cell.value) for cell in self.cells]
        except (ValueError, ZeroDivisionError):
            return []

    @property
    def is_in_shares(self) -> bool:
        return bool(self.cells) and all(cell.unit == "%" for cell in self.cells)

    def row(self, name: str) -> list[TableValue]:
        return [cell for cell in self.cells if cell.row == name]

    def column(self, name: str) -> list[TableValue]:
        return [cell for cell in self.cells if cell.column == name]

    def cell(self, row: str, column: str) -> TableValue | None:
        return next((cell for cell in self.cells if cell.row == row and cell.column == column), None)

    @property
    def is_stem_and_leaf(self) -> bool:
        """Whether it is a stem-and-leaf plot; its title may have been read into its header ("Roses per Stem")."""
        stem = any(name.lower().split()[-1:] == ["stem"] for name in self.header)
        return stem or (bool(self.cells) and all(cell.column.lower().split()[-1:] == ["leaf"] for cell in self.cells))


def table_of(constraints: Iterable[Constraint]) -> ValueTable:
    """The printed values of the figure by row and column; in what is no table every entity is a row, every attribute a column.

    Estimated values are left out: what is only near the truth can refute nothing.
    """
    facts = tuple(constraints)
    tables = (fact for fact in facts if isinstance(fact, Structure) and fact.type == "table")
    header = next((table.parts for table in tables if table.parts), ())
    seen = figure(facts)
    printed = (one for one in seen.numeric if one.constraint.reading == "printed" and abs(one.value) < 1e15)
    cells = [_table_value(cell, tabular=seen.tabular) for cell in printed]
    return ValueTable(tuple(map(str.strip, header)), tuple(_with_year_columns(cells)))


def _table_value(cell: Cell, *, tabular: bool) -> TableValue:
    fact, raw = cell.constraint, cell.constraint.extra.get("text")
    named = "" if fact.attribute.strip().lower() in ("value", "") else fact.attribute.strip()
    row, column = (cell.row, cell.column or named) if tabular else (fact.entity.strip(), named)
    return TableValue(row, column, Fraction(str(fact.value)), raw if isinstance(raw, str) else None, fact.unit)


def _with_year_columns(cells: list[TableValue]) -> list[TableValue]:
    """Columns headed by years can be read as a first row of values; then each later row repeats its name per year."""
    if not cells or len(cells) % (width := sum(cell.row == cells[0].row for cell in cells)) or width < 2:
        return cells
    years = cells[:width]
    if not all(cell.value.denominator == 1 and 1800 <= cell.value <= 2100 and not cell.column for cell in years):
        return cells
    return [
        TableValue(cell.row, str(years[i % width].value), cell.value, cell.digits)
        for i, cell in enumerate(cells[width:])
    ]


class _Mention(NamedTuple):
    """A name found in a question from character `start` to `end`."""

    name: str
    start: int
    end: int


def mentions(question: str, names: Iterable[str]) -> list[_Mention]:
    """The names that stand in the question, word for word; where two overlap, the longer one, and each name once.

    >>> [m.name for m in mentions("Buy 2 red hats and a hat.", ["hat", "red hat"])]
    ['red hat', 'hat']
    """
    asked = _named_cells(question[:MAX_QUESTION])
    stems = [token.stem for token in asked]
    found: list[_Mention] = []
    taken: set[int] = set()
    spelled = {name: words(name) for name in names}
    for name, wanted in sorted(spelled.items(), key=lambda pair: -len(pair[1])):
        places = (i for i in range(len(stems) - len(wanted) + 1) if stems[i : i + len(wanted)] == wanted)
        free = (i for i in places if wanted and taken.isdisjoint(range(i, i + len(wanted))))
        if (place := next(free, None)) is not None:
            taken.update(range(place, place + len(wanted)))
            found.append(_Mention(name, asked[place].start, asked[place + len(wanted) - 1].end))
    return sorted(found, key=lambda mention: mention.start)


def words(text: str) -> list[str]:
    """The stems of a text's words and numbers, without articles: how rows are found in a question.

    >>> words("the 6 Teapots and a box of cherries")
    ['6', 'teapot', 'and', 'box', 'cherry']
    """
    return [token.stem for token in _named_cells(text)]


def _named_cells(text: str) -> list[Token]:
    found = tokens(text.replace("’", "'").lower())
    return [token for token in found if (token.is_word or token.is_number) and token.text not in _SMALL_WORDS]


@dataclass(frozen=True)
class Asked:
    """A question with the table it is about: the sentence that asks, and the rows and columns that this sentence names."""

    question: str
    table: ValueTable

    @cached_property
    def words(self) -> str:
        return asking(self.question)

    @cached_property
    def low(self) -> str:
        return self.words.lower()

    @cached_property
    def rows(self) -> list[str]:
        return [mention.name for mention in mentions(self.words, self.table.rows)]

    @cached_property
    def columns(self) -> list[str]:
        """The columns that are named; the only one needs no naming."""
        if len(self.table.columns) == 1:
            return self.table.columns
        return [mention.name for mention in mentions(self.words, self.table.columns)]

    @cached_property
    def cells(self) -> list[TableValue]:
        """The cells of the named rows in the one column meant."""
        found = [self.table.cell(row, self.columns[0]) for row in self.rows] if len(self.columns) == 1 else []
        return [cell for cell in found if cell is not None]
