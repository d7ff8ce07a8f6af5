"""A table, or any set of named values, rebuilt from an extractor's numeric constraints.

Rows and columns are those of `premises.figure`; values are exact fractions here, because the judge recomputes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from evpv.judges.checks.wordings import TABLES_DIGITS, WORD
from evpv.premises.figure import Cell as FigureCell
from evpv.premises.figure import figure
from evpv.types import Constraint, Structure

_SMALL_WORDS = frozenset(("a", "an", "the", "of"))


@dataclass(frozen=True, slots=True)
class Cell:
    """A value with its row's and its column's name; `digits` is the cell as printed, None where it was not kept."""

    row: str
    column: str
    value: Fraction
    digits: str | None
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """The cells in reading order. `header` names the columns, the first of them the rows' own."""

    header: tuple[str, ...]
    cells: tuple[Cell, ...]

    @property
    def rows(self) -> list[str]:
        return list(dict.fromkeys(cell.row for cell in self.cells))

    @property
    def columns(self) -> list[str]:
        return list(dict.fromkeys(cell.column for cell in self.cells))

    def column(self, name: str) -> list[Cell]:
        return [cell for cell in self.cells if cell.column == name]

    def numbers(self) -> frozenset[Fraction]:
        """Every number that the table shows: its values, and those in the names of its rows and columns."""
        names = " ".join((*self.rows, *self.columns))
        return frozenset((*(cell.value for cell in self.cells), *map(Fraction, TABLES_DIGITS.findall(names[:20_000]))))

    def cell(self, row: str, column: str) -> Cell | None:
        return next((cell for cell in self.cells if cell.row == row and cell.column == column), None)

    @property
    def is_stem_and_leaf(self) -> bool:
        """Whether it is a stem-and-leaf plot; its title may have been read into its header ("Roses per Stem")."""
        stem = any(name.lower().split()[-1:] == ["stem"] for name in self.header)
        return stem or (bool(self.cells) and all(cell.column.lower().split()[-1:] == ["leaf"] for cell in self.cells))


def table_of(constraints: Iterable[Constraint]) -> Table:
    """The printed values of the figure by row and column; in what is no table every entity is a row, every attribute a column.

    Estimated values are left out: what is only near the truth can refute nothing.
    """
    facts = tuple(constraints)
    header = next(
        (fact.parts for fact in facts if isinstance(fact, Structure) and fact.type == "table" and fact.parts), ()
    )
    seen = figure(facts)
    printed = [cell for cell in seen.numeric if cell.constraint.reading == "printed" and abs(cell.value) < 1e15]
    return Table(
        tuple(part.strip() for part in header),
        tuple(_with_year_columns([_cell(cell, seen.tabular) for cell in printed])),
    )


def _cell(cell: FigureCell, tabular: bool) -> Cell:
    fact = cell.constraint
    raw = fact.extra.get("text")
    named = "" if fact.attribute.strip().lower() in ("value", "") else fact.attribute.strip()
    row, column = (cell.row, cell.column or named) if tabular else (fact.entity.strip(), named)
    return Cell(row, column, Fraction(str(fact.value)), raw if isinstance(raw, str) else None, fact.unit)


def _with_year_columns(cells: list[Cell]) -> list[Cell]:
    """Columns headed by years can be read as a first row of values; then each later row repeats its name per year."""
    if not cells or len(cells) % (width := sum(cell.row == cells[0].row for cell in cells)) or width < 2:
        return cells
    years = cells[:width]
    if not all(cell.value.denominator == 1 and 1800 <= cell.value <= 2100 and not cell.column for cell in years):
        return cells
    return [
        Cell(cell.row, str(years[i % width].value), cell.value, cell.digits) for i, cell in enumerate(cells[width:])
    ]


def words(text: str) -> list[str]:
    """The words of a text in lower case and singular, without articles: how rows are found in a question.

    >>> words("the 6 Teapots and a box of cherries")
    ['6', 'teapot', 'and', 'box', 'cherry']
    """
    return [_singular(word) for word in WORD.findall(text.lower().replace("’", "'")) if word not in _SMALL_WORDS]


def _singular(word: str) -> str:
    word = word.removesuffix("'s")
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes", "oes", "zes")):
        return word[:-2]
    if len(word) > 4 and word.endswith("lves"):
        return word[:-3] + "f"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
