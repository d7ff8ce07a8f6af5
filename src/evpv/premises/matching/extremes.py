"""The highest, the lowest, and those that come next."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from evpv.language.clauses import FINITE
from evpv.language.forms import Assertion, Extreme, Phrase, Value, amount_text
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
    in_words,
    missing,
    together,
    too_close,
    unread,
)
from evpv.premises.mentions import Mention


def extreme_finding(form: Extreme, said: Assertion, figure: Figure) -> Finding:
    """“Harry got the highest score”: over the rows of a column, or over the columns of a row."""
    if not figure.cells:
        return missing(NOTHING_READ)
    if form.amount is not None and _is_named_so(form, figure):
        whole = Phrase(tokens=(*form.subject.tokens, *form.group.tokens), text=form.group.text)
        return value_finding(Value(about=whole, amount=form.amount), said, figure)
    before_rows, before_columns = figure.named(form.subject.tokens)
    after_rows, after_columns = figure.named(form.group.tokens)
    phrase = Phrase(tokens=(*form.subject.tokens, *form.group.tokens))
    if figure.absent(phrase):
        return unread(ABSENT)
    subject, columns = _subject(form, before_rows, after_rows), (*before_columns, *after_columns)
    group_rows = [m.name for m in after_rows] if before_rows and len(after_rows) > 1 else []
    inherited = False
    if not subject and not columns:
        if form.amount is not None and not names_another(phrase, figure):
            return _extreme_value(form, figure.cells)
        subject, inherited = _inherited_subject(said, figure), True
        if form.amount is not None and not subject:
            return _extreme_value(form, figure.cells) if not names_another(phrase, figure) else missing(NOTHING_READ)
        if not subject:
            return missing(NOTHING_READ)
    if form.amount is not None and not subject and len({m.name for m in columns}) == 1:
        return _extreme_value(form, figure.column_cells(columns[0].name))
    if not subject and after_columns and len(figure.rows.names) > 1 and time_in_name(after_columns[0].name) is None:
        subject, inherited = _inherited_subject(said, figure), True
    if clash := conflict(phrase, figure.cells[0], figure) if len(figure.columns.names) == 1 else None:
        return unread(clash)
    most = form.most != _by_time_extreme(form, figure)
    findings = _rankings(form, subject, columns, group_rows, most, figure, said)
    if not findings:
        return missing(NOTHING_READ)
    best = together(findings) if len(findings) > 1 and len(subject) > 1 else findings[0]
    if best.verdict == "contradicted" and inherited and not said.near and not _goes_on_of_one(form, said, figure):
        return missing("the extreme is said of something named earlier, which may not be what it means.")
    if best.verdict != "supported":
        return best
    more = [
        f
        for f in (_value_there(form, subject, columns, figure), _follower_finding(form, subject, columns, most, figure))
        if f
    ]
    return together([best, *more])


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
    if not form.subject.tokens or form.subject.tokens[0].lower not in ("it", "its", "she", "he", "her", "his"):
        return False
    rows = [figure.rows.mentions(phrase.tokens) for phrase in said.context[:1]]
    return len(rows) == 1 and len(rows[0]) == 1


def _is_apposition(said: Assertion) -> bool:
    """Whether an extreme has no verb of its own: “… to 3,220 in 2009, the lowest of the period” speaks of what stands right before it."""
    return not any(token.lower in FINITE for token in tokens(said.text))


def _by_time_extreme(form: Extreme, figure: Figure) -> bool:
    return compares_speeds(
        Phrase(tokens=(*form.subject.tokens, *form.group.tokens, *tokens(form.adjective))), figure.cells[0]
    )


def _rankings(
    form: Extreme,
    subject: list[str],
    columns: Sequence[Mention],
    group_rows: list[str],
    most: bool,
    figure: Figure,
    said: Assertion,
) -> list[Finding]:
    """The subject's place in each column that is meant, or a column's place in a row (“Ann's highest score was in Art”)."""
    findings: list[Finding] = []
    names = (
        list(dict.fromkeys(m.name for m in columns)) or _column_of_context(said, figure) or list(figure.columns.names)
    )
    over_time = _peaks_over_time(form, columns)
    if subject and len(figure.rows.names) > 1 and not over_time:
        per_column = []
        for column in names:
            cells = [c for c in figure.column_cells(column) if not group_rows or c.row in (*group_rows, *subject)]
            cells = [c for c in cells if c.row in subject or not (is_total(c.row) or is_rest(c.row))]
            per_column.append(
                [
                    f
                    for row in subject
                    for f in _rank_findings(
                        row, cells, form.rank, most, by_row=True, among=1 if form.tied else len(subject)
                    )
                ]
            )
        per_column = [group for group in per_column if group]
        if len(per_column) > 1 and not columns:
            verdicts = {together(group).verdict for group in per_column}
            return (
                [together(per_column[0])]
                if len(verdicts) == 1
                else [missing("the claim does not say which column it means.")]
            )
        return [f for group in per_column for f in group]
    if columns and len(figure.columns.names) > 1:
        rows = subject or ([figure.rows.names[0]] if len(figure.rows.names) == 1 else [])
        target = columns[-1].name if over_time else columns[0].name
        for row in rows:
            findings += _rank_findings(target, figure.row_cells(row), form.rank, most, by_row=False)
    return findings


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


def _rank_findings(
    name: str, cells: Sequence[Cell], rank: int, most: bool, *, by_row: bool, among: int = 1
) -> list[Finding]:
    if len({cell.unit for cell in cells}) > 1:
        cells = in_one_unit(cells)
    mine = next((cell for cell in cells if (cell.row if by_row else cell.column) == name), None)
    if mine is None or len(cells) < 2:
        return []
    ordered = sorted({cell.value for cell in cells}, reverse=most)
    if rank > len(ordered):
        return [missing(f"there are not {rank} different values to rank.")]
    wanted = ordered[rank - 1]
    at_rank = next(cell for cell in cells if cell.value == wanted)
    if (at_rank.row, at_rank.column) == (mine.row, mine.column):
        mine = at_rank
    end, word = ("top", "highest") if most else ("bottom", "lowest")
    word = word if rank == 1 else f"number {rank} from the {end}"
    if mine is not at_rank and too_close(mine, at_rank):
        return [missing(f"{in_words(mine)} and {in_words(at_rank)}, both estimated and too close to tell.")]
    counted = sum((cell.value > mine.value) if most else (cell.value < mine.value) for cell in cells) + 1
    holds = equal(mine.value, wanted) or (rank > 1 and counted == rank) or (rank == 1 and counted <= among)
    return [
        decide(
            holds,
            [mine, at_rank],
            f"{in_words(mine)}; the {word} is {number_text(wanted)} ('{at_rank.constraint.entity}').",
        )
    ]


def _value_there(form: Extreme, subject: Sequence[str], columns: Sequence[Mention], figure: Figure) -> Finding | None:
    """The value said with an extreme, at its cell."""
    if form.amount is None or not subject:
        return None
    heads = {m.name for m in columns} or set(figure.columns.names)
    cells = [cell for cell in figure.cells if cell.row in subject and cell.column in heads]
    if len(heads) > 1:
        return next((f for cell in cells if (f := reading(form.amount, cell)).verdict == "supported"), None)
    return together([reading(form.amount, cell) for cell in cells]) if cells else None


def _follower_finding(
    form: Extreme, subject: Sequence[str], columns: Sequence[Mention], most: bool, figure: Figure
) -> Finding | None:
    """“Peru, followed by Brazil and Mexico”: the named rows in the order of their values; None if that holds or is not said."""
    heads = {m.name for m in columns} or set(figure.columns.names)
    if not form.followers or len(heads) != 1:
        return None
    rows = [*subject, *(m.name for phrase in form.followers for m in figure.rows.mentions(phrase.tokens))]
    cells = [cell for row in rows for cell in figure.cells if cell.row == row and cell.column in heads]
    everyone = [cell for cell in figure.cells if cell.column in heads]
    for place, cell in enumerate(cells[1:], 2):
        rank = 1 + sum((other.value > cell.value) if most else (other.value < cell.value) for other in everyone)
        if rank > place and not any(too_close(cell, other) for other in everyone if other is not cell):
            return decide(False, [cell], f"{in_words(cell)}, number {rank} in order.")
    for first, second in itertools.pairwise(cells):
        if (first.value < second.value) == most and not equal(first.value, second.value):
            shown = f"{in_words(first)} and {in_words(second)}"
            return missing(f"{shown}.") if too_close(first, second) else decide(False, [first, second], f"{shown}.")
    return None


def _extreme_value(form: Extreme, cells: Sequence[Cell]) -> Finding:
    """“The highest share was 71%”: the highest of these. A still higher one may be one that was missed."""
    assert form.amount is not None
    if len(cells) < 3 or len({cell.unit for cell in cells}) > 1:
        return missing(NOTHING_READ)
    end = (max if form.most else min)(cells, key=lambda cell: cell.value)
    outcome = agreement(form.amount, end)
    if outcome == "unclear":
        return missing(f"{in_words(end)}, too loosely to tell.")
    beyond = (form.amount.quantity.value > end.value) == form.most and not end.estimated
    if outcome == "different" and beyond:
        return missing("a value beyond all that were read may be one that was missed.")
    word = "highest" if form.most else "lowest"
    return decide(
        outcome == "same", [end], f"claimed {amount_text(form.amount)} as the {word}; of those read {in_words(end)}."
    )
