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


_DRAWN = frozenset("shown listed plotted compared displayed given".split())


def tells_layout(sentence: Marked) -> bool:
    """Whether a sentence only says what a figure has or shows: the figure is its subject, or stands where something is drawn (“two years are
    shown for every country”). A row is named in full only in a list after a colon: “the chart has three cities: Oslo, …”."""
    words = sentence.words
    verb = next((i for i, word in enumerate(words) if word in LAYOUT_VERBS), None)
    if verb is None or any(cue.tag in _RELATING for cue in sentence.cues):
        return False
    if any(name.axis == "row" and name.whole and ":" not in words[: name.first] for name in sentence.names):
        return False
    return _is_of_figure(words, verb)


def _is_of_figure(words: Sequence[str], verb: int) -> bool:
    triples = zip(words, words[1:], words[2:], strict=False)
    drawn = (a == "are" and b in _DRAWN and c in ("for", "by") for a, b, c in triples)
    if FIGURE_NOUNS.isdisjoint(words) and not any(drawn):
        return False
    return not FIGURE_NOUNS.isdisjoint(words[:verb]) or words[verb] not in ("has", "have")


def named_columns_finding(sentence: Marked, grid: Grid) -> Finding | None:
    """“The chart compares waiting times in 2019 with those in 2023”: several columns are named, and nothing is said of their values."""
    numbers = (n for n in sentence.numbers if not n.may_name)
    stated = [n for n in numbers if not (n.amount.quantity.value == 1 and n.amount.quantity.spelled)]
    columns = [name.name for name in sentence.names if name.axis == "column"]
    if stated or len({*columns}) < 2:
        return None
    return decide(True, grid.cells(grid.rows, columns)[:1], f"the figure has {', '.join(dict.fromkeys(columns))}.")


def layout_count_finding(sentence: Marked, grid: Grid) -> Finding | None:
    """Whether a figure has as many parts as a sentence says; None where it says something else."""
    known = _known_counts(sentence, grid)
    if not known:
        return None
    cell, rows, columns = grid.model.cells[:1], len(grid.rows), len(grid.columns)
    words = f"{rows} rows and {columns} columns of values were read."
    wrong = [counted for value, counted in known if value not in counted.numbers]
    if wrong and not any(counted.plain for counted in wrong):
        return None
    return decide(not wrong, cell, words)


def _known_counts(sentence: Marked, grid: Grid) -> list[tuple[float, _Counted]]:
    """The numbers with what they count; [] unless all of them count something."""
    each = gives_one_each(sentence.words)
    stated = [n for n in sentence.numbers if not each or n.amount.quantity.value != 1]
    counts = [(number, _part_count(sentence, number, grid)) for number in _layout_numbers(sentence) if number in stated]
    known = [(_value(sentence, number), counted) for number, counted in counts if counted is not None]
    return known if len(known) >= len(stated) else []


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
    """What a number counts, by the nouns after it, or by the columns that spell it out where no row is named: “two modes, bus and tram”."""
    rows, columns = _line_counts(grid.rows), _line_counts(grid.columns)
    stems = _nouns_after(sentence, number)
    if not stems:
        return None
    if "column" in stems:
        return _Counted(_column_counts(sentence, number, grid), True)
    if "bar" in stems:
        each = not {"each", "every", "per"}.isdisjoint(sentence.words)
        return _Counted(columns if each else rows | {len(grid.model.cells)}, True)
    listed = {name.name for name in sentence.names if name.first > number.last}
    if len(listed) > 1 and all(name.axis == "column" for name in sentence.names):
        return _Counted(columns, True)
    return _thing_count(sentence, grid, stems)


def _line_counts(names: Sequence[str]) -> frozenset[int]:
    """How many rows or columns there are, with those of totals and without."""
    return frozenset({len(names), sum(not is_whole(name) for name in names)})


_TELLING_APART = frozenset("distinguishes compares contrasts splits divides breaks covers".split())


def _thing_count(sentence: Marked, grid: Grid, stems: list[str]) -> _Counted:
    """What a noun counts that is no part of a drawing, but what rows or columns stand for: “six age groups”, “three lines”, “two scores”
    where each column is called a score. It can mean nothing else in “the chart compares six brands”."""
    rows, columns = _line_counts(grid.rows), _line_counts(grid.columns)
    if not _stub_stems(grid).isdisjoint(stems) or stems[-1] in ("row", "slice", "sector"):
        return _Counted(rows, True)
    several = len(grid.columns) > 1
    if several and _is_of_columns(sentence, grid, stems):
        return _Counted(columns, True)
    verb = next((word for word in sentence.words if word in LAYOUT_VERBS), "")
    alone = FIGURE_NOUNS.issuperset(sentence.words[1:2]) and verb in _TELLING_APART
    return _Counted(rows | columns, alone or (several and stems[-1] in PART_NOUNS))


def _is_of_columns(sentence: Marked, grid: Grid, stems: list[str]) -> bool:
    shared = frozenset[str].intersection(*map(name_stems, grid.columns))
    drawn = stems[-1] in ("line", "series", "curve") or "legend" in sentence.words
    return drawn or grid.timed_rows or not shared.isdisjoint(stems)


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
