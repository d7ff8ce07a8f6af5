"""When: the times that names and phrases speak of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter

from evpv.language.forms import Phrase
from evpv.language.lexicon import MONTHS, WEEKDAYS
from evpv.language.tokens import Token, name_stems, tokens
from evpv.premises.figure import Address, Cell, Figure
from evpv.premises.mentions import Mention


def cell_time(cell: Cell) -> float | None:
    at = time_in_name(cell.row)
    return at if at is not None else time_in_name(cell.column)


def times_said(said: Sequence[Token]) -> list[float]:
    found = []
    for token in said:
        if token.is_number and _is_year(token):
            found.append(float(token.stem))
        elif token.stem in MONTHS and token.text[:1].isupper():
            found.append(MONTHS.index(token.stem) / 12)
        elif token.stem in WEEKDAYS:
            found.append(WEEKDAYS.index(token.stem) / 8 - 10)
    return found


def _is_year(token: Token) -> bool:
    return len(token.stem) == 4 and token.stem.isdecimal() and 1500 <= int(token.stem) <= 2100


def time_in_name(name: str) -> float | None:
    """The time that a row or column is named after: a year, a month, a weekday; None for other names."""
    words = [token for token in tokens(name) if token.is_content]
    if len(words) > 3 or not all(map(_belongs_to_time, words)):
        return None
    years = [int(token.stem) for token in filter(_is_year, words)]
    month = _month(words)
    if years:
        return years[0] + (month or 0.0) if len(years) in (1, len(words)) else None
    return month if len(words) == 1 else None


def _month(words: Sequence[Token]) -> float | None:
    return next((MONTHS.index(token.stem) / 12 for token in words if token.stem in MONTHS), None)


def _belongs_to_time(token: Token) -> bool:
    """Whether a word of a name is a time, or a number or sign beside one."""
    return token.is_number or token.stem in MONTHS or token.stem in ("fy", "*") or _is_year(token)


def _in_time(names: Sequence[str]) -> list[str] | None:
    """The names in the order of their times; None where one names no time."""
    timed = [(at, name) for name in names if (at := time_in_name(name)) is not None]
    return [name for _, name in sorted(timed)] if len(timed) == len(names) else None


def _words(phrase: Phrase) -> set[str]:
    return {token.lower for token in phrase.tokens}


def time_step(phrase: Phrase) -> int:
    """One on or back, where the other side is named by its place: “the day before”, “the quarter that followed”."""
    words = _words(phrase)
    if words & {"before", "previous", "earlier", "preceding", "prior"}:
        return -1
    return 1 if words & {"followed", "following", "next", "after", "later"} else 0


_OPEN_SPANS: tuple[tuple[frozenset[str], Callable[[int], slice]], ...] = (
    (frozenset({"after"}), lambda at: slice(at + 1, None)),
    (frozenset({"since", "starting"}), lambda at: slice(at, None)),
    (frozenset({"before"}), lambda at: slice(at)),
    (frozenset({"until", "till"}), lambda at: slice(at + 1)),
)


def span_names(phrase: Phrase, named: Sequence[str], line: Sequence[str]) -> list[str]:
    """The names of an axis that a span takes in: “after 2017”, “from March on”, “between Monday and Friday”; none where no span is said."""
    line = _in_time(line) or list(line)
    words = _words(phrase)
    if "from" in words and words & {"onwards", "onward", "on"}:
        words.add("since")
    match sorted(line.index(name) for name in named if name in line):
        case [first, last] if words & {"between", "from", "through", "until"}:
            return line[first : last + 1]
        case [at]:
            return next((line[span(at)] for opening, span in _OPEN_SPANS if words & opening), [])
    return []


def address_beside(phrase: Phrase, context: Sequence[Phrase], figure: Figure) -> Address | None:
    """The cell that a phrase names by its place in time: “a year later”, “the month before”; None where it names it otherwise."""
    words = {token.lower for token in phrase.tokens}
    if not (step := time_step(phrase)) or not words & _PERIODS or times_said(phrase.tokens):
        return None
    own_rows, own_columns = figure.named(phrase.tokens)
    for earlier in context:
        rows, columns = figure.named(earlier.tokens)
        pairs = neighbour_pairs(own_rows or rows, own_columns or columns, step, figure)
        if pairs:
            cells = tuple(there for _, there in pairs)
            return Address(rows=own_rows, columns=own_columns, cells=cells)
        if rows or columns:
            return None
    return None


_PERIODS = frozenset("year month day week quarter season".split())


def neighbour_pairs(
    rows: Sequence[Mention], columns: Sequence[Mention], step: int, figure: Figure
) -> list[tuple[Cell, Cell]]:
    """Each named cell with its neighbour on the axis that runs in time."""
    row, column = attrgetter("row"), attrgetter("column")
    for mentions, others, axis, along, across in (
        (columns, rows, figure.columns, column, row), (rows, columns, figure.rows, row, column),
    ):  # fmt: skip
        line = _time_line(axis.names, quarters=axis is figure.rows)
        if line is None or len(mentions) != 1:
            continue
        place = line.index(mentions[0].name) + step
        there = _cells_called(line[max(place, 0) : place + 1], along, figure)
        beside = {across(cell): cell for cell in there}
        meant = beside.keys() & ({mention.name for mention in others} or beside.keys())
        here = _cells_called([mentions[0].name], along, figure)
        return [(cell, beside[across(cell)]) for cell in here if across(cell) in meant]
    return []


def _time_line(names: Sequence[str], *, quarters: bool) -> list[str] | None:
    """The names of an axis that runs in time, in order: dates, weekdays or months, of rows also quarters."""
    if len(names) < 2:
        return None
    words = [name_stems(name) for name in names]
    named = all(one & _DAYS_AND_MONTHS for one in words) or (quarters and all(one & _QUARTERS for one in words))
    return _in_time(names) or (list(names) if named else None)


_DAYS_AND_MONTHS = frozenset(WEEKDAYS + MONTHS)
_QUARTERS = frozenset({"q1", "q2", "q3", "q4"})


def _cells_called(names: Sequence[str], along: Callable[[Cell], str], figure: Figure) -> list[Cell]:
    return [cell for cell in figure.cells if along(cell) in names]
