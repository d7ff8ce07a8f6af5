"""What is measured, as the words of a sentence imply it: “weighs” speaks of a weight, “$5” of money, “older” of an age.

A column has a dimension by its name or its unit. Where one has what is spoken of, it is meant; where every column that can be meant has
another, the figure says nothing of it: a claim that cakes take longer to bake is neither right nor wrong over grams of flour.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

from evpv.language.lexicon import (
    COUNTED_NOUNS,
    DIMENSION_NOUNS,
    DIMENSION_UNITS,
    DIMENSION_WORDS,
    DRAWN_NOUNS,
    MEASURE_NOUNS,
    UNIT_SPELLINGS,
)
from evpv.language.quantities import conversion
from evpv.language.tokens import stem, tokens
from evpv.premises.figure import Cell
from evpv.premises.statements.grid import Grid
from evpv.premises.statements.pieces import Piece

_COUNTED = frozenset({"count"})
"""The dimension of what is counted, or a share: none that a word implies."""


def columns_of_dimension(piece: Piece, grid: Grid) -> tuple[str, ...]:
    """The columns that have what a piece speaks of, where its words say that and others have not."""
    said = _dimensions_said(piece, grid)
    fitting = tuple(c for c in grid.columns if said & _column_dimensions(grid, c)) if said else ()
    return fitting if len(fitting) < len(grid.columns) else ()


def is_foreign(piece: Piece, grid: Grid, columns: Collection[str]) -> bool:
    """Whether a piece speaks of what none of some columns measures; what a column measures must be known for that."""
    said = _dimensions_said(piece, grid)
    if said and all((known := _column_dimensions(grid, c)) and said.isdisjoint(known) for c in columns):
        drawn = any(token.stem in DRAWN_NOUNS for token in piece.sentence.tokens)
        if not drawn and _DRAWN_ADJECTIVES.isdisjoint(piece.words):
            return True
    return _is_in_foreign_unit(piece, grid, columns)


_DRAWN_ADJECTIVES = frozenset(
    "shorter shortest wider widest narrower narrowest steeper steepest flatter flattest".split()
)
"""What bars, gaps and falls are as well as things."""


def _is_in_foreign_unit(piece: Piece, grid: Grid, columns: Collection[str]) -> bool:
    """Whether a number has a unit that none of some columns can have, nor the rows: minutes may be rows."""
    units = {number.amount.quantity.unit or "" for number in piece.numbers if not number.may_name}
    for unit in units & DIMENSION_UNITS.keys() - grid.row_units:
        named = not grid.vocabulary.isdisjoint(map(stem, UNIT_SPELLINGS[unit].split()))
        if not named and all(_has_other_unit(grid, c, unit) for c in columns):
            return True
    return False


def _has_other_unit(grid: Grid, column: str, said: str) -> bool:
    """Whether a column, by its units or else by those of what its name states, measures what cannot be said in a unit."""
    cells, stated = grid.cells(grid.rows, [column]), _stated_dimensions(grid, column)
    units = set(filter(None, (cell.unit for cell in cells)))
    units = units or {unit for unit, dimensions in DIMENSION_UNITS.items() if dimensions & stated}
    if "percent" in units:
        return all(cell.constraint.unit for cell in cells)
    if not stated or "degree" in units:
        return False
    return all(conversion(said, unit) is None for unit in units)


@lru_cache(maxsize=16)
def _dimensions_said(piece: Piece, grid: Grid) -> frozenset[str]:
    """The dimensions that verbs and adjectives imply; () where they do not, or speak of what a column is called (“heavier rainfall”). A
    reason is of something else: “because its days are longer”."""
    said: frozenset[str] = frozenset()
    if _IMPLYING.isdisjoint(piece.word_set) and _NAMED.keys().isdisjoint(piece.stems):
        return said
    reason = piece.has("reason")
    stop = reason.first if reason else piece.stop
    for i, word in enumerate(piece.words[: stop - piece.first], piece.first):
        if not _is_taken(piece, grid, i):
            implied = _implied_dimensions(piece, i, word)
            said = said & implied or said or implied
    return said - {"age"} if grid.line_rows and not grid.timed_rows else said


def _implied_dimensions(piece: Piece, i: int, word: str) -> frozenset[str]:
    """What one word implies; “old” and “high” do only of a number."""
    before = piece.sentence.word(i - 1)
    if word in ("old", "high", "long"):
        measured = any(number.last == i - 1 for number in piece.numbers)
        return DIMENSION_WORDS[word] if measured or before in ("year", "years", "less") else frozenset()
    if word in ("longer", "shorter") and before in _TAKING:
        return frozenset({"duration"})
    return DIMENSION_WORDS.get(word) or _NAMED.get(piece.sentence.tokens[i].stem, frozenset())


_NAMED = {
    noun: frozenset(d for d, nouns in DIMENSION_NOUNS.items() if noun in nouns)
    for noun in "weight price fare fee rent salary wage income revenue profit tuition height temperature speed rainfall population".split()
}
"""Nouns that name what is measured, wherever they stand."""
_IMPLYING = DIMENSION_WORDS.keys() | {"longer", "shorter"}
_TAKING = frozenset("takes take took lasts last lasted for".split())


def _is_taken(piece: Piece, grid: Grid, i: int) -> bool:
    """Whether a word is part of a name, or qualifies what a column is called."""
    if any(i in name.places and name.axis == "row" for name in piece.names):
        return True
    following = piece.sentence.tokens[i + 1 : i + 2]
    return any(t.stem in grid.model.columns.frequency and t.is_content_word for t in following)


@lru_cache(maxsize=1024)
def _column_dimensions(grid: Grid, column: str) -> frozenset[str]:
    """What a column measures; () where it does not say. One that is called after things counts them, and a list of things with no head
    at all is one of prices."""
    stated = _stated_dimensions(grid, column)
    if stated:
        return stated
    plurals = {t.stem for t in tokens(column) if t.is_content_word and t.lower.endswith("s") and t.stem != t.lower}
    if plurals - MEASURE_NOUNS:
        return _COUNTED
    cells = grid.cells(grid.rows, [column])
    priced = grid.columns == ("",) and any(not cell.value.is_integer() for cell in cells)
    return frozenset({"money"}) if priced else frozenset()


@lru_cache(maxsize=1024)
def _stated_dimensions(grid: Grid, column: str) -> frozenset[str]:
    """What a column measures by its name, attribute or unit, or that it counts persons and the like."""
    cells = grid.cells(grid.rows, [column])
    stems = _column_stems(column, cells)
    named = frozenset(dimension for dimension, nouns in DIMENSION_NOUNS.items() if nouns & stems)
    measured = frozenset[str]().union(*(DIMENSION_UNITS.get(cell.unit or "", ()) for cell in cells))
    counted = column.lower().startswith("number of") or not COUNTED_NOUNS.isdisjoint(stems)
    return named & measured or named or measured or (_COUNTED if counted else frozenset())


def _column_stems(column: str, cells: Sequence[Cell]) -> frozenset[str]:
    """The words of a column's name and attribute; “high” and “low” are no measures."""
    words = tokens(f"{column} {cells[0].attribute}") if cells else ()
    return frozenset(token.stem for token in words if token.lower not in ("high", "low"))
