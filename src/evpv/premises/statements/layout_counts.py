"""How many rows, columns, bars or lines a sentence says that the figure has: “The table distinguishes six age groups”.

What is counted follows from its noun: columns and bars are what they are, “quarters” are the rows that are quarters, and what is called
like the first column is a row. A noun that may be either is right if one fits, and else left to what the sentence lists.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from evpv.language.layouts import gives_one_each
from evpv.language.lexicon import FIGURE_NOUNS, LAYOUT_VERBS, PART_NOUNS
from evpv.language.tokens import name_stems, stem
from evpv.premises.matching.values import Finding, decide
from evpv.premises.statements.grid import Grid, is_whole
from evpv.premises.statements.marks import Marked
from evpv.premises.statements.numbers import StatedNumber

_RELATING = frozenset(
    "most least than more less rises falls steady same total mean beats trails twice times not over under".split()
)
_MAX_COUNT = 60
_NOUN_WORDS = 4
"""So many words after a number its noun stands."""


class _Counted(NamedTuple):
    """How many of a figure's parts a noun may mean, and whether it can mean nothing else."""

    numbers: frozenset[int]
    plain: bool


def tells_layout(sentence: Marked) -> bool:
    """Whether a sentence only says what a figure has."""
    return _shows_parts(sentence) and not any(cue.tag in _RELATING for cue in sentence.cues)


def named_columns_finding(sentence: Marked, grid: Grid) -> Finding | None:
    """“The chart compares waiting times in 2019 with those in 2023”: several columns are named, and nothing is said of their values."""
    stated = [
        n
        for n in sentence.numbers
        if not n.may_name and not (n.amount.quantity.value == 1 and n.amount.quantity.spelled)
    ]
    columns = [name.name for name in sentence.names if name.axis == "column"]
    if stated or len({*columns}) < 2:
        return None
    return decide(True, grid.cells(grid.rows, columns)[:1], f"the figure has {', '.join(dict.fromkeys(columns))}.")


def layout_count_finding(sentence: Marked, grid: Grid) -> Finding | None:
    """Whether a figure has as many parts as a sentence says; None where it says something else."""
    each = gives_one_each(sentence.words)
    stated = [n for n in sentence.numbers if not each or n.amount.quantity.value != 1]
    counts = [(number, _part_count(sentence, number, grid)) for number in _layout_numbers(sentence) if number in stated]
    known = [(_value(sentence, number), counted) for number, counted in counts if counted is not None]
    if not known or len(known) < len(stated):
        return None
    cell, rows, columns = grid.model.cells[:1], len(grid.rows), len(grid.columns)
    words = f"{rows} rows and {columns} columns of values were read."
    wrong = [counted for value, counted in known if value not in counted.numbers]
    if wrong and not any(counted.plain for counted in wrong):
        return None
    return decide(not wrong, cell, words)


def _shows_parts(sentence: Marked) -> bool:
    """Whether a sentence says what a figure has or shows: the figure is its subject, or stands where something is drawn."""
    verb = next((i for i, word in enumerate(sentence.words) if word in LAYOUT_VERBS), None)
    if verb is None or (FIGURE_NOUNS.isdisjoint(sentence.words) and not _is_passive(sentence.words)):
        return False
    if _speaks_of_row(sentence):
        return False
    return not FIGURE_NOUNS.isdisjoint(sentence.words[:verb]) or sentence.words[verb] not in ("has", "have")


def _speaks_of_row(sentence: Marked) -> bool:
    """Whether a row is named in full, other than in a list after a colon: “the chart has three cities: Oslo, …”."""
    return any(name.axis == "row" and name.whole and ":" not in sentence.words[: name.first] for name in sentence.names)


def _is_passive(words: Sequence[str]) -> bool:
    """“Two years are shown for every country”."""
    return any(
        a == "are" and b in _DRAWN and c in ("for", "by") for a, b, c in zip(words, words[1:], words[2:], strict=False)
    )


_DRAWN = frozenset("shown listed plotted compared displayed given".split())


def _layout_numbers(sentence: Marked) -> Iterator[StatedNumber]:
    for number in sentence.numbers:
        quantity = number.amount.quantity
        value = _value(sentence, number)
        whole = value.is_integer() and 0 < value < _MAX_COUNT and quantity.scale == 1.0
        named = number.may_name and sentence.word(number.last) not in _TIMES
        if whole and number.amount.bound == "=" and not named:
            yield number


def _value(sentence: Marked, number: StatedNumber) -> float:
    """A number; “six quarters” are six."""
    fourths = sentence.word(number.last) == "quarters" and number.amount.quantity.spelled
    return number.amount.quantity.value * 4 if fourths else number.amount.quantity.value


def _part_count(sentence: Marked, number: StatedNumber, grid: Grid) -> _Counted | None:
    """What a number counts, by the nouns after it."""
    rows, columns = _line_counts(grid.rows), _line_counts(grid.columns)
    stems = _nouns_after(sentence, number)
    if not stems:
        return None
    if "column" in stems:
        return _Counted(_column_counts(sentence, number, grid), True)
    if "bar" in stems:
        each = not {"each", "every", "per"}.isdisjoint(sentence.words)
        return _Counted(columns if each else rows | {len(grid.model.cells)}, True)
    if _lists_columns(sentence, number):
        return _Counted(columns, True)
    return _thing_count(sentence, grid, stems, rows, columns)


def _line_counts(names: Sequence[str]) -> frozenset[int]:
    """How many rows or columns there are, with those of totals and without."""
    return frozenset({len(names), sum(not is_whole(name) for name in names)})


def _lists_columns(sentence: Marked, number: StatedNumber) -> bool:
    """Whether a number is spelled out by columns after it, and no row is named: “two modes, bus and tram”."""
    listed = {name.name for name in sentence.names if name.axis == "column" and name.first > number.last}
    return len(listed) > 1 and all(name.axis == "column" for name in sentence.names)


def _thing_count(
    sentence: Marked, grid: Grid, stems: list[str], rows: frozenset[int], columns: frozenset[int]
) -> _Counted:
    """What a noun counts that is no part of a drawing, but what rows or columns stand for: “six age groups”."""
    if not _stub_stems(grid).isdisjoint(stems) or stems[-1] in ("row", "slice", "sector"):
        return _Counted(rows, True)
    if _are_columns(sentence, stems, grid):
        return _Counted(columns, True)
    return _Counted(rows | columns, _can_only_be_parts(sentence, stems, grid))


def _are_columns(sentence: Marked, stems: list[str], grid: Grid) -> bool:
    """Whether a noun means the columns: “three lines”, or “two scores” where each column is called a score."""
    if len(grid.columns) < 2:
        return False
    shared = frozenset[str].intersection(*map(name_stems, grid.columns))
    drawn = stems[-1] in ("line", "series", "curve") or "legend" in sentence.words
    return drawn or grid.timed_rows or not shared.isdisjoint(stems)


def _can_only_be_parts(sentence: Marked, stems: list[str], grid: Grid) -> bool:
    """Whether a noun, of rows or of columns, can mean nothing else: “The chart compares six brands”."""
    verb = next((word for word in sentence.words if word in LAYOUT_VERBS), "")
    alone = FIGURE_NOUNS.issuperset(sentence.words[1:2]) and verb in _TELLING_APART
    return alone or (stems[-1] in PART_NOUNS and len(grid.columns) > 1)


_TELLING_APART = frozenset("distinguishes compares contrasts splits divides breaks covers".split())


def _stub_stems(grid: Grid) -> frozenset[str]:
    """The words by which the first column, that of the rows' names, is called, up to its bracket."""
    stubs = (one.parts[0] for _, one in grid.model.structures if one.parts and one.parts[0] not in grid.columns)
    return frozenset[str]().union(*(name_stems(stub.partition("(")[0]) for stub in stubs))


def _column_counts(sentence: Marked, number: StatedNumber, grid: Grid) -> frozenset[int]:
    """How many columns there are, with that of the names; without it only where the sentence does not name it too."""
    parts = max((len(one.parts) for _, one in grid.model.structures), default=0)
    after = {token.stem for token in sentence.tokens[number.last + 1 :]}
    every = frozenset({len(grid.columns) + 1, parts})
    return every if not _stub_stems(grid).isdisjoint(after) else every | {len(grid.columns), parts - 1}


def _nouns_after(sentence: Marked, number: StatedNumber) -> list[str]:
    """The words of the noun that a number counts, up to the next small word, name or mark."""
    found: list[str] = []
    first = number.last + (sentence.word(number.last) not in _TIMES)
    for token in sentence.tokens[first : first + _NOUN_WORDS]:
        if not token.is_word or token.lower in _ENDS:
            break
        found.append(stem(token.lower))
    return found


_TIMES = frozenset("quarters years months weeks days".split())
_ENDS = LAYOUT_VERBS | frozenset("of in for and with on at by per from to the a an each one which that as or".split())
