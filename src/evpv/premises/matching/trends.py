"""Rise and fall over a series of cells in time."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import replace

from evpv.language.forms import Assertion, Comparison, Phrase, Trend
from evpv.language.tokens import name_stems, tokens
from evpv.premises.figure import Address, Cell, Figure
from evpv.premises.matching.attributes import (
    ABSENT,
    are_days_or_months,
    cell_time,
    conflict,
    time_in_name,
    time_step,
    times_said,
)
from evpv.premises.matching.comparisons import difference_finding, factor_finding, steps_finding
from evpv.premises.matching.explanations import row_numbers
from evpv.premises.matching.readings import reading
from evpv.premises.matching.values import (
    Finding,
    decide,
    equal,
    in_words,
    is_read,
    missing,
    together,
    too_close,
    unread,
)
from evpv.premises.mentions import Mention, names_of

_UNREAD_SPAN = 0.15
"""The share of a named span of years that may be unread at its ends: axes often print neither the first nor the last year."""


def trend_finding(form: Trend, said: Assertion, figure: Figure) -> Finding:
    """Rise or fall between two named points, or over a whole series, with the values said."""
    where = figure.address(form.about, said.context[: said.near], said.near)
    if direct := _as_value(form, where, figure):
        return direct
    if _speaks_of_steps(form, figure):
        return steps_finding(form, figure)
    if rows := _each_row(form, said, where, figure):
        return rows
    series = _series(form, said, where, figure)
    if figure.absent(form.about) and not series:
        return unread(ABSENT)
    if len(series) < 2:
        last = _last_value(form, where, said, figure)
        return last or missing("no series was read that the claim could speak of.")
    if clash := conflict(form.about, series[0], figure):
        return unread(clash)
    found = together([_movement_finding(form, series), *_ends(form, series)])
    return found if found.verdict != "contradicted" else _doubted(found, form, said, where, series, figure)


def _speaks_of_steps(form: Trend, figure: Figure) -> bool:
    """“Each additional day costs 3 more”: said of neighbours in a series that is not one of times."""
    if not (form.by or form.times) or not form.about.words & {"next", "previous", "additional", "extra"}:
        return False
    return not any(map(time_in_name, figure.rows.names))


def _doubted(
    found: Finding, form: Trend, said: Assertion, where: Address, series: Sequence[Cell], figure: Figure
) -> Finding:
    """A movement found wrong, unless it may be seen between other times."""
    if apart := _each_time(form, said, figure):
        return apart
    timed = any(times_said(tokens(f"{cell.row} {cell.column}")) for cell in series)
    inside = form.last and not form.end and is_read(form.last, series[:-1])
    if not timed or inside or _is_vague_span(form, said, where):
        return missing("it is open between which times the claim sees the movement.")
    return found


def _each_time(form: Trend, said: Assertion, figure: Figure) -> Finding | None:
    """“It slipped in 2010 and 2020”: it did so at each of the times, against the one before; None where that is wrong, too."""
    times = [token for token in form.about.tokens if times_said((token,))]
    if len(times) < 2 or any((form.start, form.end, form.by, form.times, form.first, form.last)):
        return None
    plain = tuple(token for token in form.about.tokens if token not in times)
    each = [replace(form, about=Phrase(tokens=(*plain, time), text=form.about.text)) for time in times]
    found = together([trend_finding(one, replace(said, near=0), figure) for one in each])
    return found if found.verdict == "supported" else None


def _is_vague_span(form: Trend, said: Assertion, where: Address) -> bool:
    """Whether a movement leaves its ends to what was said before: “and recovered in the following years”."""
    named = () if where.inherited else names_of((*where.rows, *where.columns))
    if any((form.start, form.end, form.steady, times_said(form.about.tokens))):
        return False
    if any(time_in_name(name) is not None for name in named):
        return False
    spoken = any(times_said(phrase.tokens) for phrase in said.context[: max(said.near, 1)])
    return bool(form.about.words & _VAGUE) or (spoken and not (form.first and form.last))


_FROM_THEN = frozenset("since thereafter onwards onward".split())
_VAGUE = frozenset("afterwards afterward following further later again then thereafter subsequently".split())


def _as_value(form: Trend, where: Address, figure: Figure) -> Finding | None:
    """“Hand tools grew by 1.1%” where the figure charts growth: the change is the value."""
    if form.by is None or len(where.cells) != 1:
        return None
    words = name_stems(where.cells[0].column) | name_stems(where.cells[0].row)
    grows = words & {"growth", "change", "increase", "decrease", "decline", "rise", "grow", "gain", "loss"}
    timed = any(time_in_name(name) is not None for name in (*figure.rows.names, *figure.columns.names))
    cell = where.cells[0]
    found = reading(form.by, cell.with_value(-cell.value) if form.order == "less" and grows else cell)
    if grows or (not timed and found.verdict == "supported"):
        return found
    return None


def _each_row(form: Trend, said: Assertion, where: Address, figure: Figure) -> Finding | None:
    """“In every country listed, the share went down between 2015 and 2019”: rows are left open and columns are times."""
    times = [time_in_name(mention.name) for mention in where.columns]
    if len(times) != 2 or any((where.rows, form.by, form.last)):
        return None
    if None in times and said.quantifier != "every":
        return None
    ends = names_of(sorted(where.columns, key=lambda m: time_in_name(m.name) or 0))
    findings = [_movement_finding(form, line) for row in figure.rows.names if (line := _cells_at(ends, row, figure))]
    return together(findings) if findings else None


def _cells_at(columns: Sequence[str], row: str, figure: Figure) -> list[Cell]:
    """The cells of a row in these columns, in their order; none where one was not read."""
    cells = {cell.column: cell for cell in figure.row_cells(row)}
    return [cells[column] for column in columns] if cells.keys() >= {*columns} else []


def _last_value(form: Trend, where: Address, said: Assertion, figure: Figure) -> Finding | None:
    """“Fell to 7 in 2010” with nothing before it to compare: the value alone."""
    if form.last is None:
        return None
    where = figure.address(form.about, said.context, said.near) if not where.cells else where
    found = reading(form.last, where.cells[0]) if len(where.cells) == 1 and not where.far else None
    if found and found.verdict == "contradicted" and where.inherited:
        return missing("it is open where the movement ends.")
    return found


def _movement_finding(form: Trend, series: Sequence[Cell]) -> Finding:
    pairs = list(itertools.pairwise(series)) if form.steady else [(series[0], series[-1])]
    if any(too_close(a, b) for a, b in pairs):
        return missing("the values were only estimated and are too close to tell.")
    wrong = [(a, b) for a, b in pairs if not _moves(form.order, a.value, b.value)]
    shown = wrong[0] if wrong else (series[0], series[-1])
    return decide(not wrong, list(shown), f"{in_words(shown[0])} and {in_words(shown[1])}.")


def _moves(order: str, before: float, after: float) -> bool:
    if order == "equal":
        return equal(before, after)
    return after > before if order == "greater" else after < before


def _ends(form: Trend, series: Sequence[Cell]) -> list[Finding]:
    """The amounts said with a movement: its size, its factor, its first and last value."""
    first, last = series[0], series[-1]
    found = [reading(amount, cell) for amount, cell in ((form.first, first), (form.last, last)) if amount is not None]
    comparison = Comparison(order=form.order, left=Phrase(), right=Phrase(), by=form.by, times=form.times)
    if form.by is not None and form.order != "equal":
        found.append(difference_finding(comparison, last, first, f"{in_words(first)} and {in_words(last)}"))
    if form.times is not None:
        found.append(factor_finding(form.times, last, first, f"{in_words(first)} and {in_words(last)}"))
    return found


def _series(form: Trend, said: Assertion, where: Address, figure: Figure) -> list[Cell]:
    """The cells in time order that a trend runs over, cut to the points that the claim names."""
    where = figure.address(form.about, said.context, said.near) if not where.rows and not where.columns else where
    context = figure.address(Phrase(), said.context, said.near)
    rows = _untimed(where.rows) or _untimed(context.rows)
    columns = _untimed(where.columns) or _untimed(context.columns)
    read = _with_times(figure.cells_in(rows, columns))
    if not read or _turns_the_year(read):
        return _between(where, figure) if len(where.cells) == 2 else _step_to(where, said, figure)
    if len(dict(read)) < len(read):
        return []
    return _cut(form, said, sorted(read, key=lambda pair: pair[0]))


def _untimed(mentions: Iterable[Mention]) -> set[str]:
    """The names that are no times."""
    return {name for name in names_of(mentions) if time_in_name(name) is None}


def _with_times(cells: Sequence[Cell]) -> list[tuple[float, Cell]]:
    """The cells by their times, else by the numbers that their rows are called after, where each is: prices, grades, bands of age."""
    if timed := [(at, cell) for cell in cells if (at := cell_time(cell)) is not None]:
        return timed
    numbers = [row_numbers(cell) for cell in cells]
    return [(one[0], cell) for one, cell in zip(numbers, cells, strict=True) if one] if all(numbers) else []


def _turns_the_year(read: Sequence[tuple[float, Cell]]) -> bool:
    """Whether months without years run over the end of a year: November to March."""
    months = [at for at, _ in read]
    falls = [i for i, (a, b) in enumerate(itertools.pairwise(months)) if b < a]
    return len(falls) == 1 and min(months) >= 0 and max(months) < 1 and months[-1] < months[0]


def _step_to(where: Address, said: Assertion, figure: Figure) -> list[Cell]:
    """“Dropped again on Friday”: from the day spoken of before, else from the one above it in the table."""
    if len(where.cells) != 1 or not are_days_or_months(figure.rows.names):
        return []
    cell = where.cells[0]
    line = figure.column_cells(cell.column)
    place = line.index(cell)
    for phrase in said.context[: said.near]:
        before = [name for name in names_of(figure.rows.mentions(phrase.tokens)) if name != cell.row]
        earlier = [other for other in line[:place] if other.row in before[-1:]]
        if earlier:
            return [earlier[0], cell]
    return line[place - 1 : place + 1] if place else []


def _cut(form: Trend, said: Assertion, timed: list[tuple[float, Cell]]) -> list[Cell]:
    """The part of a series between the times that are named, else since those spoken of before."""
    start, end, named = (times_said(phrase.tokens) for phrase in (form.start, form.end, form.about))
    if start and end:
        return _whole_span(timed, *sorted((start[0], end[-1])))
    if start:
        return _from(form, said, timed, start[0])
    if len(named) == 1:
        return _up_to(said, timed, named[0])
    return _slice(timed, min(named), max(named)) if named else _open_cut(form, said, timed)


def _whole_span(timed: list[tuple[float, Cell]], first: float, last: float) -> list[Cell]:
    """The cells of a span, if nearly all of it was read."""
    within = [(at, cell) for at, cell in timed if first <= at <= last]
    slack = max(1.0, _UNREAD_SPAN * (last - first))
    whole = len(within) > 1 and within[0][0] - first <= slack and last - within[-1][0] <= slack
    return [cell for _, cell in within] if whole else []


def _from(form: Trend, said: Assertion, timed: list[tuple[float, Cell]], start: float) -> list[Cell]:
    """From a time to the later one that is named, to the end (“since”), or to the one spoken of before."""
    later = [at for at in times_said(form.about.tokens) if at > start]
    if not later:
        onward = form.about.words & {"after", "since"}
        later = [timed[-1][0] if onward else _context_time(said, start, timed)]
    return _slice(timed, min(start, later[-1]), max(start, later[-1]))


def _open_cut(form: Trend, said: Assertion, timed: list[tuple[float, Cell]]) -> list[Cell]:
    """The part of a series that is meant where no time is named: since the one spoken of before, the step after it, or its span."""
    spoken = next(filter(None, (times_said(phrase.tokens) for phrase in said.context)), [])
    if form.about.words & _FROM_THEN:
        return _since(timed, spoken[-1]) if spoken else []
    if (step := time_step(form.about)) and spoken:
        return _since(timed, spoken[-1])[:2] if step > 0 and spoken[-1] in dict(timed) else []
    return _context_cut(said, timed)


def _context_cut(said: Assertion, timed: list[tuple[float, Cell]]) -> list[Cell]:
    """The span that was spoken of before in the sentence, else all."""
    for phrase in said.context[: said.near]:
        times = times_said(phrase.tokens)
        if len(times) >= 2:
            return _slice(timed, min(times), max(times))
        if times and phrase.first in _OPENS_SPAN:
            return _since(timed, times[0])
    return [cell for _, cell in timed]


def _since(timed: list[tuple[float, Cell]], first: float) -> list[Cell]:
    return [cell for at, cell in timed if at >= first]


_OPENS_SPAN = frozenset("after following since from".split())


def _context_time(said: Assertion, start: float, timed: list[tuple[float, Cell]]) -> float:
    """“Compared with 2011” after speaking of 2012: the other end is what was being spoken of."""
    for phrase in said.context:
        times = [at for at in times_said(phrase.tokens) if at != start]
        if times:
            return times[0]
    return timed[-1][0]


def _up_to(said: Assertion, timed: list[tuple[float, Cell]], named: float) -> list[Cell]:
    """Up to the one time that is named: from the time spoken of before, else from the entry before it."""
    at = [i for i, (time, _) in enumerate(timed) if time == named]
    if not at:
        return []
    for phrase in said.context[: said.near]:
        earlier = [time for time in times_said(phrase.tokens) if time < named]
        if earlier:
            return _slice(timed, earlier[-1], named)
    return [c for _, c in timed[max(at[0] - 1, 0) : at[0] + 1]]


def _slice(timed: list[tuple[float, Cell]], first: float, last: float) -> list[Cell]:
    times = [at for at, _ in timed]
    return [c for at, c in timed if first <= at <= last] if first in times and last in times else []


def _between(where: Address, figure: Figure) -> list[Cell]:
    """From the first-named cell to the second, with what the table lists between them (Monday … Friday)."""
    first, last = where.ordered_cells()
    line = figure.column_cells(first.column) if first.row != last.row else figure.row_cells(first.row)
    start, end = line.index(first), line.index(last)
    return line[start : end + 1] if start < end else line[end : start + 1][::-1]
