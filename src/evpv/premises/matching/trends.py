"""Rise and fall over a series of cells in time."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

from evpv.language.forms import Assertion, Comparison, Phrase, Trend
from evpv.language.lexicon import MONTHS, WEEKDAYS
from evpv.language.tokens import name_stems, tokens
from evpv.premises.figure import Address, Cell, Figure
from evpv.premises.matching.attributes import ABSENT, cell_time, conflict, time_in_name, time_step, times_said
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

_UNREAD_SPAN = 0.15
"""The share of a named span of years that may be unread at its ends: axes often print neither the first nor the last year."""


def trend_finding(form: Trend, said: Assertion, figure: Figure) -> Finding:
    """Rise or fall between two named points, or over a whole series, with the values said."""
    where = figure.address(form.about, said.context[: said.near], said.near)
    direct = _as_value(form, where, figure)
    if direct is not None:
        return direct
    if (
        (form.by or form.times)
        and form.about.words & {"next", "previous", "additional", "extra"}
        and not any(time_in_name(n) for n in figure.rows.names)
    ):
        return steps_finding(
            Comparison(order=form.order, left=Phrase(), right=Phrase(), by=form.by, times=form.times), figure
        )
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
    untimed = not any(times_said(tokens(f"{cell.row} {cell.column}")) for cell in series)
    inside = untimed or (form.last and not form.end and is_read(form.last, series[:-1]))
    if found.verdict == "contradicted" and (apart := _each_time(form, said, figure)):
        return apart
    if found.verdict == "contradicted" and (inside or _is_vague_span(form, said, where)):
        return missing("it is open between which times the claim sees the movement.")
    return found


def _each_time(form: Trend, said: Assertion, figure: Figure) -> Finding | None:
    """“It slipped in 2010 and 2020”: it did so at each of the times, against the one before; None where that is wrong, too."""
    times = [token for token in form.about.tokens if times_said((token,))]
    if len(times) < 2 or form.start or form.end or form.by or form.times or form.first or form.last:
        return None
    plain = tuple(token for token in form.about.tokens if token not in times)
    each = [replace(form, about=Phrase(tokens=(*plain, time), text=form.about.text)) for time in times]
    found = together([trend_finding(one, replace(said, near=0), figure) for one in each])
    return found if found.verdict == "supported" else None


def _is_vague_span(form: Trend, said: Assertion, where: Address) -> bool:
    """Whether a movement leaves its ends to what was said before: “and recovered in the following years”."""
    if (
        form.start
        or form.end
        or form.steady
        or times_said(form.about.tokens)
        or any(time_in_name(m.name) is not None for m in (*where.rows, *where.columns) if not where.inherited)
    ):
        return False
    words = form.about.words
    spoken = any(times_said(phrase.tokens) for phrase in said.context[: max(said.near, 1)])
    return bool(words & _VAGUE) or (spoken and not (form.first and form.last))


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
    timed = all(time_in_name(m.name) is not None for m in where.columns)
    if len(where.columns) != 2 or where.rows or form.by or form.last or not (timed or said.quantifier == "every"):
        return None
    ends = sorted(where.columns, key=lambda m: time_in_name(m.name) or 0)
    findings = []
    for row in figure.rows.names:
        cells = {cell.column: cell for cell in figure.row_cells(row)}
        if all(m.name in cells for m in ends):
            findings.append(_movement_finding(form, [cells[ends[0].name], cells[ends[1].name]]))
    return together(findings) if findings else None


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
    rows = {m.name for m in where.rows if time_in_name(m.name) is None}
    columns = {m.name for m in where.columns if time_in_name(m.name) is None}
    context = figure.address(Phrase(), said.context, said.near)
    if not rows:
        rows = {m.name for m in context.rows if time_in_name(m.name) is None}
    if not columns:
        columns = {m.name for m in context.columns if time_in_name(m.name) is None}
    cells = [c for c in figure.cells if (not rows or c.row in rows) and (not columns or c.column in columns)]
    read = [(at, c) for c in cells if (at := cell_time(c)) is not None] or _by_number(cells)
    timed = sorted(read, key=lambda pair: pair[0])
    if not timed or _turns_the_year(read):
        return _between(where, figure) if len(where.cells) == 2 else _step_to(where, said, figure)
    if len({at for at, _ in timed}) < len(timed):
        return []
    return _cut(form, said, timed, figure)


def _by_number(cells: Sequence[Cell]) -> list[tuple[float, Cell]]:
    """The cells by the numbers that their rows are called after, where each is: prices, grades, bands of age; none elsewhere."""
    numbers = [row_numbers(cell) for cell in cells]
    return [(one[0], cell) for one, cell in zip(numbers, cells, strict=True) if one] if all(numbers) else []


def _turns_the_year(read: Sequence[tuple[float, Cell]]) -> bool:
    """Whether months without years run over the end of a year: November to March."""
    months = [at for at, _ in read]
    falls = [i for i, (a, b) in enumerate(itertools.pairwise(months)) if b < a]
    return len(falls) == 1 and min(months) >= 0 and max(months) < 1 and months[-1] < months[0]


def _step_to(where: Address, said: Assertion, figure: Figure) -> list[Cell]:
    """“Dropped again on Friday”: from the day spoken of before, else from the one above it in the table."""
    if len(where.cells) != 1 or not all(name_stems(name) & set(WEEKDAYS + MONTHS) for name in figure.rows.names):
        return []
    line = figure.column_cells(where.cells[0].column)
    place = line.index(where.cells[0])
    for phrase in said.context[: said.near]:
        before = [m.name for m in figure.rows.mentions(phrase.tokens) if m.name != where.cells[0].row]
        earlier = [cell for cell in line[:place] if before and cell.row == before[-1]]
        if earlier:
            return [earlier[0], where.cells[0]]
    return line[place - 1 : place + 1] if place else []


def _cut(form: Trend, said: Assertion, timed: list[tuple[float, Cell]], figure: Figure) -> list[Cell]:
    start, end = times_said(form.start.tokens), times_said(form.end.tokens)
    named = times_said(form.about.tokens)
    if start and end:
        first, last = sorted((start[0], end[-1]))
        within = [(at, c) for at, c in timed if first <= at <= last]
        slack = max(1.0, _UNREAD_SPAN * (last - first))
        whole = len(within) > 1 and within[0][0] - first <= slack and last - within[-1][0] <= slack
        return [c for _, c in within] if whole else []
    if start:
        later = [at for at in named if at > start[0]]
        onward = form.about.words & {"after", "since"}
        stop = timed[-1][0] if onward else _context_time(said, start[0], timed)
        stop = later[-1] if later else stop
        return _slice(timed, min(start[0], stop), max(start[0], stop))
    if not named and form.about.words & _FROM_THEN:
        spoken = next(filter(None, (times_said(phrase.tokens) for phrase in said.context)), [])
        return [c for at, c in timed if at >= spoken[-1]] if spoken else []
    if len(named) == 1:
        return _up_to(form, said, timed, named[0])
    if len(named) >= 2:
        return _slice(timed, min(named), max(named))
    if (step := time_step(form.about)) and (
        before := next(filter(None, (times_said(p.tokens) for p in said.context)), [])
    ):
        place = next((i for i, (at, _) in enumerate(timed) if at == before[-1]), -1)
        return [c for _, c in timed[place : place + 2]] if step > 0 and place >= 0 else []
    for phrase in said.context[: said.near]:
        times = times_said(phrase.tokens)
        if len(times) >= 2:
            return _slice(timed, min(times), max(times))
        if times and phrase.tokens[0].lower in _OPENS_SPAN:
            return [c for at, c in timed if at >= times[0]]
    return [c for _, c in timed]


_OPENS_SPAN = frozenset("after following since from".split())


def _context_time(said: Assertion, start: float, timed: list[tuple[float, Cell]]) -> float:
    """“Compared with 2011” after speaking of 2012: the other end is what was being spoken of."""
    for phrase in said.context:
        times = [at for at in times_said(phrase.tokens) if at != start]
        if times:
            return times[0]
    return timed[-1][0]


def _up_to(form: Trend, said: Assertion, timed: list[tuple[float, Cell]], named: float) -> list[Cell]:
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
