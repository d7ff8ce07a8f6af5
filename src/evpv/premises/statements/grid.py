"""A table or chart as a grid of cells: rows and columns in order, which of them run in time, which give the whole of the others."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from evpv.language.lexicon import ATTRIBUTE_GROUPS, GENERAL_NOUNS, MEASURE_NOUNS, MONTHS, WEEKDAYS
from evpv.language.quantities import UNIT_OF, conversion
from evpv.language.tokens import Token, name_stems, tokens
from evpv.premises.figure import Cell, Figure

_WHOLES = frozenset({"total", "sum", "overall", "altogether"})
_RESTS = frozenset({"other", "others", "rest", "misc", "miscellaneous", "remaining", "world"})
_DAYS_AND_MONTHS = frozenset(WEEKDAYS + MONTHS)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Grid:
    """The cells of a figure by row and column. `line_rows` and `line_columns` are the names in the order of time or size, where they have one;
    `is_given`: every cell is certain, as none read from a picture is."""

    model: Figure
    at: dict[tuple[str, str], Cell]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    line_rows: tuple[str, ...]
    line_columns: tuple[str, ...]
    timed_rows: bool
    timed_columns: bool
    uniform: bool
    vocabulary: frozenset[str]
    heads: frozenset[str]
    shared: frozenset[str]
    row_units: frozenset[str]
    column_units: frozenset[str]
    is_given: bool

    def cells(self, rows: Iterable[str], columns: Iterable[str]) -> list[Cell]:
        """The cells where these rows and columns meet, row by row."""
        names = tuple(columns)
        return [self.at[row, name] for row in rows for name in names if (row, name) in self.at]

    def rivals(self, rows: Iterable[str]) -> list[str]:
        """Rows that can be ranked: no totals, and nothing called “other”."""
        return [row for row in rows if not is_whole(row) and not name_stems(row) <= _RESTS]


def is_whole(name: str) -> bool:
    """Whether a row or column gives the whole of the others."""
    return bool(name_stems(name) & _WHOLES)


def is_of_grid(model: Figure) -> bool:
    """Whether a figure gives values of named things: a table, a chart, or a list; the numbers of a stem-and-leaf plot have no names."""
    return bool(model.tabular and model.cells and model.labelled is not True and not model.leaves)


@lru_cache(maxsize=32)
def grid(model: Figure) -> Grid:
    """The grid of a figure."""
    rows, columns = model.rows.names, model.columns.names
    line_rows, timed_rows = _line(rows)
    line_columns, timed_columns = _line(columns)
    return Grid(
        model=model,
        is_given=all(cell.constraint.confidence >= 1.0 for cell in model.cells),
        at={(cell.row, cell.column): cell for cell in _in_one_unit(_with_percent(model))},
        rows=rows,
        columns=columns,
        line_rows=line_rows,
        line_columns=line_columns,
        timed_rows=timed_rows,
        timed_columns=timed_columns,
        uniform=_is_uniform(model, timed_columns),
        vocabulary=_vocabulary(model),
        heads=_head_nouns(model),
        shared=_shared_words(rows) if line_rows else frozenset(),
        row_units=frozenset(unit for sign, unit in _SIGNS.items() if all(sign in name for name in rows)),
        column_units=frozenset(cell.unit for cell in model.cells if cell.unit),
    )


def _vocabulary(model: Figure) -> frozenset[str]:
    """The stems of all words that a figure says: of its names, attributes and units, and its title."""
    facts = {f"{cell.constraint.attribute} {cell.constraint.unit or ''}" for cell in model.cells}
    measured = frozenset(stem for fact in facts for stem in name_stems(fact))
    return measured | model.rows.frequency.keys() | model.columns.frequency.keys() | model.title


def _with_percent(model: Figure) -> list[Cell]:
    """The cells; where every row, or the only column, comes to a hundred, they are percentages."""
    cells = list(model.cells)
    parts = not any(cell.unit or cell.value < 0 for cell in cells) and _comes_to_hundred(model)
    return [replace(cell, unit="percent") for cell in cells] if parts else cells


def _comes_to_hundred(model: Figure) -> bool:
    lines: dict[str, list[float]] = {}
    for cell in model.cells:
        lines.setdefault(cell.row if len(model.columns.names) > 1 else cell.column, []).append(cell.value)
    least = 2 if len(lines) > 2 else 3
    return all(len(line) >= least and 98 <= sum(line) <= 102 for line in lines.values())


def _in_one_unit(cells: Iterable[Cell]) -> Iterator[Cell]:
    """The cells, those of one column in the unit of its first one where they can be told in it: 900 g beside 1.2 kg are 0.9 kg."""
    first: dict[str, Cell] = {}
    for cell in cells:
        like = first.setdefault(cell.column, cell)
        factor = conversion(cell.unit, like.unit) if like.unit and cell.unit and like.unit != cell.unit else None
        if factor is None:
            yield cell
        else:
            constraint = replace(cell.constraint, value=cell.value * factor, unit=like.constraint.unit)
            yield replace(cell, constraint=constraint, value=constraint.value, unit=like.unit)


def _head_nouns(model: Figure) -> frozenset[str]:
    """What a row is called: the head of the stub's name, “hours” of “Hours of sleep”, “siblings” of “Number of siblings”."""
    stubs = {part for _, structure in model.structures for part in structure.parts[:1]}
    return frozenset(itertools.chain.from_iterable(map(_head_noun, stubs.difference(model.columns.names))))


def _head_noun(name: str) -> list[str]:
    """The stem of the noun before “of”, or else after it; [] if there is none."""
    words = tokens(name)
    of = next((i for i, t in enumerate(words) if t.lower == "of"), len(words))
    nouns = [t for t in words[:of] if t.is_content_word] or [t for t in words[of + 1 :] if t.is_word]
    return [t.stem for t in nouns if not t.lower.endswith("ed")][-1:]  # the goals of “Goals scored”


_SIGNS = {"$": "dollar", "€": "euro", "£": "pound_sterling", "¥": "yen", "%": "percent"}


def _line(names: Sequence[str]) -> tuple[tuple[str, ...], bool]:
    """Names in their order, and whether it is that of time; () where they have none."""
    if len(names) < 2:
        return (), False
    shared = _shared_words(names) - _DAYS_AND_MONTHS
    words = [[t for t in tokens(name) if t.stem not in shared] for name in names]
    times = _times(names, words)
    keys = times or _sizes(words)
    return tuple(names[i] for i in sorted(range(len(keys)), key=keys.__getitem__)), bool(times)


def _times(names: Sequence[str], words: Sequence[Sequence[Token]]) -> Sequence[Any]:
    """What puts names of times in order, of days, months and seasons that in which they stand; () if they are none."""
    years = [_year(said) for said in words]
    if None not in years:
        return years
    quarters = [*map(quarter_of, names)]
    if all(quarter for quarter, _ in quarters):
        return [(year[-2:], quarter) for quarter, year in quarters]
    stems = [{token.stem for token in said} for said in words]
    unnamed = any(map(_DAYS_AND_MONTHS.isdisjoint, stems)) and any(map(_SEASONS.isdisjoint, stems))
    return () if unnamed else range(len(names))


def _sizes(words: Sequence[Sequence[Token]]) -> Sequence[Any]:
    """The first number of each name, if every one has its own."""
    numbers = [next((number for t in said if (number := _size(t)) is not None), None) for said in words]
    return numbers if None not in numbers and len(set(numbers)) == len(numbers) else ()


def _shared_words(names: Sequence[str]) -> frozenset[str]:
    """The words that all names have: “term” of term 1 to term 5."""
    return frozenset[str].intersection(*(frozenset(t.stem for t in tokens(name) if t.is_word) for name in names))


def _size(token: Token) -> float | None:
    if token.lower == "one":
        return 1.0
    plain = token.stem.replace(".", "", 1).lstrip("-").isdecimal()
    return float(token.stem) if token.is_number and plain else None


def quarter_of(name: str) -> tuple[int, str]:
    """The quarter of a name such as Q3 '19 or Quarter 3, and the digits of its year; 0 if it is none."""
    words = name.lower().replace("quarter ", "q").replace("'", " ").replace("\u2019", " ").split()
    quarter = next((int(w[1]) for w in words if len(w) == 2 and w[0] == "q" and w[1].isdigit()), 0)
    return quarter, next((w for w in words if w.isdecimal() and len(w) in (2, 4)), "")


_SEASONS = frozenset("quarter spring summer autumn fall winter".split())


def _year(said: Sequence[Token]) -> float | None:
    """The time that a name of years, months and little else says."""
    years = [t for t in said if is_year(t)]
    if not years or sum(t.is_word and t.is_content and t.stem not in (*MONTHS, "fy", "year") for t in said):
        return None
    month = next((MONTHS.index(t.stem) / 12 for t in said if t.stem in MONTHS), 0.0)
    return int(years[0].stem) + month


def is_year(token: Token) -> bool:
    return len(token.stem) == 4 and token.stem.isdecimal() and 1500 <= int(token.stem) <= 2100


def _is_uniform(model: Figure, timed: bool) -> bool:
    """Whether the columns measure the same thing, by their names and the units that were read, so that a row's values can be compared and
    added up."""
    columns = model.columns.names
    if len(columns) < 2:
        return False
    if timed:
        return True
    units: dict[str, set[str]] = {name: set() for name in columns}
    for cell in model.cells:
        units.setdefault(cell.column, set()).update(filter(None, [cell.unit]))
    brackets = {"".join(name.partition("(")[1:]) for name in columns}
    if len(set(map(frozenset, units.values()))) > 1 or len(brackets) > 1:
        return False
    return len(set(map(_measures_named, columns))) == 1


def _measures_named(name: str) -> frozenset[int | str]:
    """What the words of a name say that it measures: their groups, and the nouns of measures."""
    stems = name_stems(name)
    return frozenset(i for i, group in enumerate(ATTRIBUTE_GROUPS) if group & stems) | (stems & MEASURE_NOUNS)


_LIGHT = frozenset(
    "make made up out go went come came get got take took give gave stand stood account record recorded report reported listed "
    "reach reached find found see saw look just also exactly clearly still even again here overall amount comprise earn earned "
    "sell sold buy bought cost costs pay paid spend spent count use used hold held keep kept win won score scored visit visited "
    "attend attended produce produced collect collected raise raised say said answer answered choose chose prefer like liked own "
    "ran run runs wrote write sit sits belong belongs work works lie lies bring brought draw drew receive received "
    "plus minus equal whole next second third last previous name group part half other side way case result reading figure "
    "data period shown order place high low big large small little long short much many few several good bad "
    "surplus shortage buyer seller consumer producer".split()
)
"""Words that say nothing of their own about what is shown."""


def is_known(stem: str, grid: Grid) -> bool:
    """Whether a word is one that the figure has, or that any figure may be spoken of by."""
    return stem in grid.vocabulary or stem in _COMMON


_COMMON = GENERAL_NOUNS | _LIGHT | MEASURE_NOUNS | UNIT_OF.keys()
