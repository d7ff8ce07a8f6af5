"""The highest, the lowest, and those that come next."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from operator import attrgetter

from evpv.language.clauses import FINITE
from evpv.language.forms import Amount, Assertion, Extreme, Phrase, Value, amount_text
from evpv.language.immutable import immutable
from evpv.language.quantities import number_text
from evpv.language.tokens import tokens
from evpv.premises.figure import Cell, Figure
from evpv.premises.matching.attributes import ABSENT, conflict, is_rest, is_total, names_another, time_in_name
from evpv.premises.matching.comparisons import compares_speeds, in_one_unit
from evpv.premises.matching.readings import coordinated, reading, value_finding
from evpv.premises.matching.values import (
    NOTHING_READ,
    Finding,
    agreement,
    decide,
    equal,
    first_of,
    in_words,
    missing,
    together,
    too_close,
    unread,
)
from evpv.premises.mentions import Mention, names_of


@immutable
class _Ranked:
    """What an extreme is said of: rows and columns, among which rows, and whether the rows were named before."""

    rows: list[str]
    columns: tuple[Mention, ...]
    among: list[str]
    inherited: bool


def extreme_finding(form: Extreme, said: Assertion, figure: Figure) -> Finding:
    """“Harry got the highest score”: over the rows of a column, or over the columns of a row."""
    if not figure.cells:
        return missing(NOTHING_READ)
    whole = Phrase(tokens=(*form.subject.tokens, *form.group.tokens), text=form.group.text)
    if form.amount is not None and _is_named_so(form, figure):
        return value_finding(Value(about=whole, amount=form.amount), said, figure)
    if figure.absent(whole):
        return unread(ABSENT)
    ranked = _ranked(form, said, figure)
    if value := _value_alone(form, ranked, whole, figure):
        return value
    if not ranked.rows and not ranked.columns:
        return missing(NOTHING_READ)
    if len(figure.columns.names) == 1 and (clash := conflict(whole, figure.cells[0], figure)):
        return unread(clash)
    return _ranked_finding(form, ranked, said, figure)


def _ranked(form: Extreme, said: Assertion, figure: Figure) -> _Ranked:
    before_rows, before_columns = figure.named(form.subject.tokens)
    after_rows, after_columns = figure.named(form.group.tokens)
    rows, columns = _subject(form, before_rows, after_rows), (*before_columns, *after_columns)
    among = names_of(after_rows) if before_rows and len(after_rows) > 1 else []
    inherited = not rows and (not columns or _leaves_rows_open(after_columns, figure))
    rows = _inherited_subject(said, figure) if inherited else rows
    return _Ranked(rows=rows, columns=columns, among=among, inherited=inherited)


def _leaves_rows_open(columns: Sequence[Mention], figure: Figure) -> bool:
    """Whether a column other than a time stands after an extreme, so that some row is meant."""
    return bool(columns) and len(figure.rows.names) > 1 and time_in_name(columns[0].name) is None


def _value_alone(form: Extreme, ranked: _Ranked, whole: Phrase, figure: Figure) -> Finding | None:
    """“The highest share was 71%”: said of no row, but of one column or of all cells."""
    heads = {*names_of(ranked.columns)}
    if form.amount is None or (ranked.rows and not ranked.inherited) or len(heads) > 1:
        return None
    if not heads and names_another(whole, figure):
        return None
    return _extreme_value(form, form.amount, figure.cells_in(None, heads))


def _ranked_finding(form: Extreme, ranked: _Ranked, said: Assertion, figure: Figure) -> Finding:
    """The rank, and with it the value and the followers that are said."""
    most = form.most != _by_time_extreme(form, figure)
    findings = _rankings(form, ranked, most, figure, said)
    if not findings:
        return missing(NOTHING_READ)
    best = together(findings) if len(ranked.rows) > 1 else findings[0]
    if best.verdict == "supported":
        more = (_value_there(form, ranked, figure), _follower_finding(form, ranked, most, figure))
        return together([best, *filter(None, more)])
    taken_over = ranked.inherited and not said.near and not _goes_on_of_one(form, said, figure)
    if best.verdict == "contradicted" and taken_over:
        return missing("the extreme is said of something named earlier, which may not be what it means.")
    return best


def _is_named_so(form: Extreme, figure: Figure) -> bool:
    """Whether the extreme is part of a name: “The lowest negotiable rate” is a row."""
    following = form.group.tokens[0].stem if form.group.tokens else ""
    names = [[token.stem for token in tokens(name)] for name in (*figure.rows.names, *figure.columns.names)]
    return any(a == form.adjective and b == following for name in names for a, b in itertools.pairwise(name))


def _subject(form: Extreme, before: Sequence[Mention], after: Sequence[Mention]) -> list[str]:
    """Which named rows the extreme is said of: those before it, joined by a list, else those right after it."""
    if before:
        listed = len(before) > 1 and coordinated(form.subject.tokens, [place for m in before for place in m.tokens])
        return [m.name for m in before] if listed else [before[0].name]
    return [m.name for m in after]


def _inherited_subject(said: Assertion, figure: Figure) -> list[str]:
    """The row that the sentence was about: “Mayfield …, is also the town with the most schools”."""
    for phrase in said.context[: max(said.near, 1)]:
        rows = figure.rows.mentions(phrase.tokens)
        if rows:
            return [rows[-1 if _is_apposition(said) else 0].name]
    return []


def _goes_on_of_one(form: Extreme, said: Assertion, figure: Figure) -> bool:
    """Whether a pronoun opens the clause and the sentence before names one row alone: “It also has the fewest clinics”."""
    if form.subject.first not in ("it", "its", "she", "he", "her", "his"):
        return False
    return [len(figure.rows.mentions(phrase.tokens)) for phrase in said.context[:1]] == [1]


def _is_apposition(said: Assertion) -> bool:
    """Whether an extreme has no verb of its own: “… to 3,220 in 2009, the lowest of the period” speaks of what stands right before it."""
    return not any(token.lower in FINITE for token in tokens(said.text))


def _by_time_extreme(form: Extreme, figure: Figure) -> bool:
    return compares_speeds(
        Phrase(tokens=(*form.subject.tokens, *form.group.tokens, *tokens(form.adjective))), figure.cells[0]
    )


def _rankings(form: Extreme, ranked: _Ranked, most: bool, figure: Figure, said: Assertion) -> list[Finding]:
    """The subject's place in each column that is meant, or a column's place in a row (“Ann's highest score was in Art”)."""
    over_time = _peaks_over_time(form, ranked.columns)
    if ranked.rows and len(figure.rows.names) > 1 and not over_time:
        return _row_rankings(form, ranked, most, figure, said)
    if not ranked.columns or len(figure.columns.names) < 2:
        return []
    rows = ranked.rows or (figure.rows.names if len(figure.rows.names) == 1 else ())
    target, along = ranked.columns[-1 if over_time else 0].name, attrgetter("column")
    found = (_rank_finding(target, figure.row_cells(row), form.rank, most, along) for row in rows)
    return [*filter(None, found)]


def _row_rankings(form: Extreme, ranked: _Ranked, most: bool, figure: Figure, said: Assertion) -> list[Finding]:
    """The rows' places in each column; of columns that are left open, what all say alike."""
    heads = dict.fromkeys(names_of(ranked.columns)) or _column_of_context(said, figure) or figure.columns.names
    groups = [group for column in heads if (group := _column_rankings(form, ranked, most, figure, column))]
    if ranked.columns or len(groups) < 2:
        return [*itertools.chain.from_iterable(groups)]
    found = [*map(together, groups)]
    alike = len({one.verdict for one in found}) == 1
    return [found[0] if alike else missing("the claim does not say which column it means.")]


def _column_rankings(form: Extreme, ranked: _Ranked, most: bool, figure: Figure, column: str) -> list[Finding]:
    cells = [cell for cell in figure.column_cells(column) if _is_rival(cell.row, ranked)]
    among, along = 1 if form.tied else len(ranked.rows), attrgetter("row")
    found = (_rank_finding(row, cells, form.rank, most, along, among) for row in ranked.rows)
    return [*filter(None, found)]


def _is_rival(row: str, ranked: _Ranked) -> bool:
    """Whether a row is ranked: the subject, and of those it is among all but totals and rests."""
    among = not ranked.among or row in ranked.among
    return row in ranked.rows or (among and not is_total(row) and not is_rest(row))


def _rank_finding(
    name: str, cells: Sequence[Cell], rank: int, most: bool, along: Callable[[Cell], str], among: int = 1
) -> Finding | None:
    """Whether the cell of a name is number `rank` from one end, or shares the end with so many; None where nothing is ranked."""
    cells = _comparable(cells)
    mine = next((cell for cell in cells if along(cell) == name), None)
    at_rank = _cell_at(rank, cells, most)
    if mine is None or len(cells) < 2:
        return None
    if at_rank is None:
        return missing(f"there are not {rank} different values to rank.")
    if (at_rank.row, at_rank.column) == (mine.row, mine.column):
        mine = at_rank
    elif too_close(mine, at_rank):
        return missing(f"{in_words(mine)} and {in_words(at_rank)}, both estimated and too close to tell.")
    shown = f"{in_words(mine)}; the {_rank_text(rank, most)} is {number_text(at_rank.value)}"
    holds = equal(mine.value, at_rank.value) or _place(mine, cells, most) in (range(among + 1) if rank == 1 else [rank])
    return decide(holds, [mine, at_rank], f"{shown} ('{at_rank.constraint.entity}').")


def _comparable(cells: Sequence[Cell]) -> Sequence[Cell]:
    """The cells in one unit, where they have several."""
    return in_one_unit(cells) if len({cell.unit for cell in cells}) > 1 else cells


def _cell_at(rank: int, cells: Sequence[Cell], most: bool) -> Cell | None:
    """The first cell with the value number `rank` from one end."""
    values = sorted({cell.value for cell in cells}, reverse=most)[rank - 1 : rank]
    return next((cell for cell in cells if cell.value in values), None)


def _place(mine: Cell, cells: Sequence[Cell], most: bool) -> int:
    """One more than the cells that lie beyond this one."""
    return 1 + sum((cell.value > mine.value) if most else (cell.value < mine.value) for cell in cells)


def _rank_text(rank: int, most: bool) -> str:
    end, word = ("top", "highest") if most else ("bottom", "lowest")
    return word if rank == 1 else f"number {rank} from the {end}"


def _column_of_context(said: Assertion, figure: Figure) -> list[str]:
    if len(figure.columns.names) < 2:
        return []
    for phrase in said.context[: max(said.near, 1)]:
        columns = figure.named(phrase.tokens)[1]
        if columns:
            return [columns[0].name]
    return []


def _peaks_over_time(form: Extreme, columns: Sequence[Mention]) -> bool:
    """Whether a year is when a row was highest (“Cars peaked in 2021”), not where it was compared with others."""
    years = [m for m in columns if time_in_name(m.name) is not None]
    first = form.group.tokens[0].lower if form.group.tokens else ""
    return (
        bool(years)
        and first in ("in", "during", "at")
        and (form.adjective in ("peak", "peaked") or form.adjective.startswith("peak"))
    )


def _value_there(form: Extreme, ranked: _Ranked, figure: Figure) -> Finding | None:
    """The value said with an extreme, at its cell."""
    if form.amount is None or not ranked.rows:
        return None
    heads = {*names_of(ranked.columns)} or {*figure.columns.names}
    found = [reading(form.amount, cell) for cell in figure.cells_in(ranked.rows, heads)]
    if len(heads) > 1:
        return first_of(found, "supported")
    return together(found) if found else None


def _follower_finding(form: Extreme, ranked: _Ranked, most: bool, figure: Figure) -> Finding | None:
    """“Peru, followed by Brazil and Mexico”: the named rows in the order of their values; None if that holds or is not said."""
    heads = {*names_of(ranked.columns)} or {*figure.columns.names}
    if not form.followers or len(heads) != 1:
        return None
    everyone = figure.cells_in(None, heads)
    named = (figure.rows.mentions(phrase.tokens) for phrase in form.followers)
    rows = [*ranked.rows, *names_of(itertools.chain.from_iterable(named))]
    cells = [cell for row in rows for cell in everyone if cell.row == row]
    return _misplaced(cells, everyone, most) or _misordered(cells, most)


def _misplaced(cells: Sequence[Cell], everyone: Sequence[Cell], most: bool) -> Finding | None:
    """The first of the cells, given in order, that others than those before it surpass."""
    for place, cell in enumerate(cells[1:], 2):
        rank = _place(cell, everyone, most)
        if rank > place and not any(too_close(cell, other) for other in everyone if other is not cell):
            return decide(False, [cell], f"{in_words(cell)}, number {rank} in order.")
    return None


def _misordered(cells: Sequence[Cell], most: bool) -> Finding | None:
    """The first two neighbours that stand the other way round."""
    for first, second in itertools.pairwise(cells):
        if (first.value < second.value) == most and not equal(first.value, second.value):
            shown = f"{in_words(first)} and {in_words(second)}"
            return missing(f"{shown}.") if too_close(first, second) else decide(False, [first, second], f"{shown}.")
    return None


def _extreme_value(form: Extreme, amount: Amount, cells: Sequence[Cell]) -> Finding:
    """The highest of these against what is said of it. A still higher one may be one that was missed."""
    if len(cells) < 3 or len({cell.unit for cell in cells}) > 1:
        return missing(NOTHING_READ)
    end = (max if form.most else min)(cells, key=lambda cell: cell.value)
    outcome = agreement(amount, end)
    if outcome == "unclear":
        return missing(f"{in_words(end)}, too loosely to tell.")
    beyond = (amount.quantity.value > end.value) == form.most and not end.estimated
    if outcome == "different" and beyond:
        return missing("a value beyond all that were read may be one that was missed.")
    word = "highest" if form.most else "lowest"
    text = f"claimed {amount_text(amount)} as the {word}; of those read {in_words(end)}."
    return decide(outcome == "same", [end], text)
