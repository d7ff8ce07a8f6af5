"""Comparisons, extremes and trends over the numbers that were read."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

from evpv.language.forms import Amount, Assertion, Comparison, Extreme, Phrase, Trend, Value, amount_text
from evpv.language.lexicon import MONTHS, WEEKDAYS
from evpv.language.quantities import number_text
from evpv.language.tokens import Token, name_stems, tokens
from evpv.premises.figure import Address, Cell, Figure
from evpv.premises.matching.findings import NOTHING_READ, Finding, decided, in_words, missing, together
from evpv.premises.matching.readings import (
    ABSENT,
    conflict,
    coordinated,
    is_total,
    names_another,
    reading,
    value_finding,
)
from evpv.premises.matching.values import agreement, equal, too_close
from evpv.premises.mentions import Mention

_UNREAD_SPAN = 0.15
"""The share of a named span of years that may be unread at its ends: axes often print neither the first nor the last year."""
_NOT_BOTH = "the claim compares two things of which not both were read."
_SPEEDS = frozenset("faster slower quicker fastest slowest quickest".split())
_REST = frozenset("other others rest later subsequent following remaining else".split())


def comparison_finding(form: Comparison, said: Assertion, figure: Figure) -> Finding:
    """Two things compared: which pairs of cells, then each pair."""
    if not figure.cells:
        return missing(NOTHING_READ)
    if form.right.text == "the previous one" or _speaks_of_previous(form):
        return _along(form, figure)
    if figure.absent(form.left) or figure.absent(form.right):
        return missing(ABSENT)
    if not form.right and form.by is None:
        return _all_equal(form, said, figure)
    pairs = _pairs(form, said, figure)
    if not pairs and form.order == "equal" and form.times is None and not any(figure.named(form.right.tokens)):
        return _all_equal(replace(form, left=Phrase(tokens=(*form.left.tokens, *form.right.tokens))), said, figure)
    if not pairs:
        return missing(_NOT_BOTH)
    phrase = Phrase(tokens=(*form.left.tokens, *form.right.tokens))
    clash = conflict(form.left, pairs[0][0], figure) or conflict(form.right, pairs[0][1], figure)
    if clash and pairs[0][0].column == pairs[0][1].column:
        return missing(clash)
    if form.multiples is not None:
        first, second = form.multiples
        pairs = [(a.with_value(first * a.value), b.with_value(second * b.value)) for a, b in pairs]
    findings = [_compared(form, left, right, _by_time(phrase, left)) for left, right in pairs]
    return together(findings)


def _speaks_of_previous(form: Comparison) -> bool:
    return (
        bool({t.lower for t in form.right.tokens} & {"previous", "preceding"})
        or form.right.text.strip(" .") == "the one before"
    )


def _pairs(form: Comparison, said: Assertion, figure: Figure) -> list[tuple[Cell, Cell]]:
    """The cells on both sides: an axis that only one side names holds for the other."""
    left_rows, left_columns = figure.named(form.left.tokens)
    right_rows, right_columns = figure.named(form.right.tokens)
    if not right_rows and not right_columns and not figure.tabular:
        shared = tuple(token for token in form.left.tokens if token.is_number)
        right_rows, right_columns = figure.named((*form.right.tokens, *shared))
    if not left_rows and not left_columns and not figure.tabular:
        shared = tuple(token for token in form.right.tokens if token.is_number)
        left_rows, left_columns = figure.named((*form.left.tokens, *shared))
    words = {t.lower for t in (*form.left.tokens, *form.right.tokens)}
    if words & {"combined", "together"}:
        owner = left_rows or figure.address(Phrase(), said.context[: max(said.near, 1)], said.near).rows[:1]
        return _against_sum(form, owner, right_rows, figure)
    context = figure.address(Phrase(), [_before_than(one) for one in said.context[: max(said.near, 1)]], said.near)
    if _rest_compared(form, said, figure) and (pairs := _against_rest(form, left_rows, right_rows, figure)):
        return pairs
    if not left_rows and not left_columns and (pairs := _sum_before(said, context.rows, right_rows, figure)):
        return pairs
    if not left_rows and not left_columns:
        left_rows, left_columns = context.rows, context.columns
        if len(left_rows) > 1:
            left_rows = tuple(m for m in left_rows if m.name not in {r.name for r in right_rows})[:1]
    rows = (left_rows or right_rows, right_rows or left_rows)
    columns = (left_columns or right_columns, right_columns or left_columns)
    if right_rows and left_rows and {m.name for m in right_rows} < {m.name for m in left_rows}:
        rows = (tuple(m for m in left_rows if m.name not in {r.name for r in right_rows}), right_rows)
    if not right_rows and not right_columns and (step := _step(form.right)):
        return _stepped(left_rows, left_columns, step, figure)
    if not right_rows and not right_columns:
        return _against_context(form, left_rows, left_columns, said, figure)
    if not any(columns) and len(figure.columns.names) > 1 and context.columns:
        columns = (context.columns[:1], context.columns[:1])
    if (
        not any(rows)
        and len(figure.rows.names) > 1
        and context.rows
        and not (left_columns and right_columns and len(context.rows) > 1)
    ):
        rows = (context.rows[:1], context.rows[:1])
    return _cell_pairs(rows, columns, said, figure)


def _before_than(phrase: Phrase) -> Phrase:
    """The side of an earlier comparison that is still spoken of: in “fewer than in 2017 but more than in 2015” not 2017."""
    stop = next((i for i, token in enumerate(phrase.tokens) if token.lower == "than"), len(phrase.tokens))
    return Phrase(tokens=phrase.tokens[:stop], text=phrase.text)


def _against_sum(
    form: Comparison, left: Sequence[Mention], right: Sequence[Mention], figure: Figure
) -> list[tuple[Cell, Cell]]:
    """“Higher than Food and Travel combined”."""
    rest = {t.lower for t in form.right.tokens} & _REST
    if len(figure.columns.names) == 1 and len(left) == 1 and rest and not right:
        others = [cell for cell in figure.cells if cell.row != left[0].name]
        total = _summed(others)
        return [(figure.row_cells(left[0].name)[0], total)] if total else []
    if len(figure.columns.names) != 1 or len(left) != 1 or len(right) < 2:
        return []
    mine = figure.row_cells(left[0].name)
    others = [cell for m in right for cell in figure.row_cells(m.name)]
    total = _summed(others)
    return [(mine[0], total)] if mine and total else []


def _sum_before(
    said: Assertion, left: Sequence[Mention], right: Sequence[Mention], figure: Figure
) -> list[tuple[Cell, Cell]]:
    """“A and B together make up 34 %, which is more than C”: it is their sum that is compared."""
    words = {token.lower for phrase in said.context[:1] for token in phrase.tokens}
    if len(figure.columns.names) != 1 or len(left) < 2 or len(right) != 1 or not words & _SUMMED:
        return []
    total = _summed([cell for m in left for cell in figure.row_cells(m.name)])
    others = figure.row_cells(right[0].name)
    return [(total, others[0])] if total and others and right[0].name not in {m.name for m in left} else []


_SUMMED = frozenset("together combined total altogether sum jointly".split())


def _step(phrase: Phrase) -> int:
    """One on or back, where the other side is named by its place: “the day before”, “the quarter that followed”."""
    words = {token.lower for token in phrase.tokens}
    if words & {"before", "previous", "earlier", "preceding", "prior"}:
        return -1
    return 1 if words & {"followed", "following", "next", "after", "later"} else 0


def _stepped(rows: Sequence[Mention], columns: Sequence[Mention], step: int, figure: Figure) -> list[tuple[Cell, Cell]]:
    """Each named cell with its neighbour on the axis that runs in time."""
    for mentions, names, by_row in ((columns, figure.columns.names, False), (rows, figure.rows.names, True)):
        if len(mentions) != 1 or len(names) < 2:
            continue
        times = [_time_of(name) for name in names]
        line = list(names)
        known = [at for at in times if at is not None]
        if len(known) == len(names):
            line = [name for _, name in sorted(zip(known, names, strict=True))]
        elif not all(name_stems(name) & set(WEEKDAYS + MONTHS) for name in names):  # noqa: SIM102
            if not by_row or not all(name_stems(name) & {f"q{i}" for i in range(1, 5)} for name in names):
                continue
        place = line.index(mentions[0].name) + step
        if not 0 <= place < len(line):
            return []
        here = [c for c in figure.cells if (c.row if by_row else c.column) == mentions[0].name]
        others = rows if not by_row else columns
        here = [c for c in here if not others or (c.column if by_row else c.row) in {m.name for m in others}]
        there = {
            (c.column if by_row else c.row): c for c in figure.cells if (c.row if by_row else c.column) == line[place]
        }
        return [(c, there[key]) for c in here if (key := c.column if by_row else c.row) in there]
    return []


def _against_those(
    form: Comparison, rows: Sequence[Mention], columns: Sequence[Mention], said: Assertion, figure: Figure
) -> list[tuple[Cell, Cell]]:
    """“Finland was ahead of both”, “Ann trails them by six”: each of the things that were named together before, or all others of two."""
    if not {token.lower for token in form.right.tokens} & {"both", "them", "these", "those"}:
        return []
    mine = figure.address(form.left, said.context, len(said.context))
    if len(mine.cells) != 1:
        return []
    own, by_row = mine.cells[0], bool(rows) or len(figure.columns.names) < 2
    axis, name = (figure.rows, own.row) if by_row else (figure.columns, own.column)
    named = ({m.name for m in axis.mentions(phrase.tokens)} - {name} for phrase in said.context)
    others = next(
        (names for names in named if len(names) == 2), set(axis.names) - {name} if len(axis.names) == 3 else set()
    )
    line = figure.column_cells(own.column) if by_row else figure.row_cells(own.row)
    return [(own, cell) for cell in line if (cell.row if by_row else cell.column) in others]


def _against_context(
    form: Comparison, rows: Sequence[Mention], columns: Sequence[Mention], said: Assertion, figure: Figure
) -> list[tuple[Cell, Cell]]:
    """“Dior lags behind by 6.4 million”, “Ethiopia has less than half of that”: the other side is what was spoken of before."""
    pointing = {token.lower for token in form.right.tokens} & {"that", "it", "them", "this", "those"}
    if pairs := _against_those(form, rows, columns, said, figure):
        return pairs
    if any(token.is_content and token.is_word and token.lower not in ("by", "them") for token in form.right.tokens):
        return []
    if form.by is None and not pointing:
        return []
    mine = figure.address(form.left, said.context[: max(said.near, 1)], said.near)
    for phrase in said.context:
        other = figure.address(phrase, said.context, len(said.context))
        others = [cell for cell in other.ordered_cells() if cell not in mine.cells]
        alike = bool(others) and all(equal(others[0].value, cell.value) for cell in others)
        if len(mine.cells) == 1 and alike:
            return [(mine.cells[0], others[0])]
        if others:
            break
    return []


def _cell_pairs(
    rows: tuple[Sequence[Mention], Sequence[Mention]],
    columns: tuple[Sequence[Mention], Sequence[Mention]],
    said: Assertion,
    figure: Figure,
) -> list[tuple[Cell, Cell]]:
    """All pairs that the two sides span; where rows are left open, every row (“in every year”) or the totals of two columns."""
    sides = []
    for row_mentions, column_mentions in zip(rows, columns, strict=True):
        names = [m.name for m in row_mentions] or list(figure.rows.names if figure.tabular else ())
        heads = [m.name for m in column_mentions] or list(figure.columns.names)
        sides.append([cell for cell in figure.cells if cell.row in names and cell.column in heads])
    left, right = sides
    if len(rows[0]) > 1 and rows[0] == rows[1] and all(columns) and columns[0] != columns[1]:
        return _matched(left, right, by_row=True)
    if not any(rows) and all(columns):
        if columns[0][0].name == columns[1][0].name:
            return []
        if said.quantifier == "every" or len(figure.rows.names) == 1:
            return _matched(left, right, by_row=True)
        totals = [_summed(side) for side in sides]
        paired = _matched(left, right, by_row=True)
        orders = {(a.value > b.value) - (a.value < b.value) for a, b in paired}
        if len(orders) == 1:
            return paired[:1]
        return [(totals[0], totals[1])] if totals[0] and totals[1] and left[0].unit != "percent" else []
    if not any(columns) and len(figure.columns.names) > 1:
        paired = _matched(left, right, by_row=False)
        orders = {(a.value > b.value) - (a.value < b.value) for a, b in paired}
        return (
            paired
            if (len(orders) == 1 and len(paired) == len(figure.columns.names)) or said.quantifier == "every"
            else []
        )
    if len({m.name for m in columns[0]}) > 1 or len({m.name for m in columns[1]}) > 1:  # noqa: SIM102
        if rows[0] and rows[1] and [m.name for m in columns[0]] == [m.name for m in columns[1]]:
            return _matched(left, right, by_row=False)
    same_column = bool(columns[0]) and [m.name for m in columns[0]] == [m.name for m in columns[1]]
    return [(a, b) for a in left for b in right if a is not b and (not same_column or a.column == b.column)][:40]


def _matched(left: Sequence[Cell], right: Sequence[Cell], *, by_row: bool) -> list[tuple[Cell, Cell]]:
    other = {(cell.row if by_row else cell.column): cell for cell in right}
    return [
        (cell, other[name])
        for cell in left
        if (name := cell.row if by_row else cell.column) in other and other[name] is not cell
    ]


def _summed(cells: Sequence[Cell]) -> Cell | None:
    return cells[0].with_value(sum(cell.value for cell in cells)) if cells else None


def _rest_compared(form: Comparison, said: Assertion, figure: Figure) -> bool:
    """“In every later year than it did in 2010”: one against all the rest."""
    words = {t.lower for t in form.left.tokens}
    return said.quantifier == "every" and bool(words & _REST)


def _against_rest(
    form: Comparison, left_rows: Sequence[Mention], right_rows: Sequence[Mention], figure: Figure
) -> list[tuple[Cell, Cell]]:
    if len(right_rows) != 1:
        return []
    name = right_rows[0].name
    mine = figure.row_cells(name)
    year = _time_of(name)
    words = {t.lower for t in form.left.tokens}
    rest = [
        c
        for c in figure.cells
        if c.row != name
        and (not words & {"later", "subsequent", "following"} or year is None or (_time_of(c.row) or year) > year)
    ]
    return (
        [(cell, mine[0]) for cell in rest if cell.column == mine[0].column]
        if len({c.column for c in mine}) == 1
        else []
    )


def _by_time(phrase: Phrase, cell: Cell) -> bool:
    """Whether speeds are compared by the time taken, of which the faster takes less."""
    timed = cell.unit in ("second", "minute", "hour", "day") or "time" in name_stems(f"{cell.row} {cell.column}")
    return timed and any(token.lower in _SPEEDS for token in phrase.tokens)


def _compared(form: Comparison, left: Cell, right: Cell, by_time: bool) -> Finding:
    shown = f"{in_words(left)} and {in_words(right)}"
    if form.times is not None:
        return _multiplied(form.times, left, right, shown)
    factor = _same_scale(left, right)
    if factor is None:
        return missing(f"{shown}, in units that do not compare.")
    other = right.with_value(right.value * factor)
    if form.by is not None:
        return _apart(form, left, other, shown)
    if too_close(left, other):
        return missing(f"{shown}, estimated and too close to tell.")
    same = equal(left.value, other.value)
    if form.order == "equal":
        return decided(same, [left, right], f"{shown}.")
    more = (form.order == "greater") != by_time
    return decided((left.value > other.value) == more and not same, [left, right], f"{shown}.")


def _same_scale(left: Cell, right: Cell) -> float | None:
    from evpv.language.quantities import conversion

    factor = right.scale / left.scale
    if left.unit and right.unit and left.unit != right.unit:
        converted = conversion(right.unit, left.unit)
        return None if converted is None else factor * converted
    return factor


def _in_one_unit(cells: Sequence[Cell]) -> list[Cell]:
    """Cells with their values in the unit of the first; those that do not convert stay as they are."""
    return [cell.with_value(cell.value * (_same_scale(cells[0], cell) or 1.0)) for cell in cells]


def _apart(form: Comparison, left: Cell, right: Cell, shown: str) -> Finding:
    """“32 more strokes than”: size and direction."""
    assert form.by is not None
    gap = left.value - right.value
    wanted = -gap if form.order == "less" else gap
    outcome = agreement(form.by, left.with_value(wanted))
    if form.by.quantity.unit == "percent" and left.unit != "percent" and outcome != "same" and right.value:
        outcome = agreement(form.by, left.with_value(100.0 * wanted / abs(right.value)))
        if outcome == "different" and abs(form.by.quantity.value - 100.0 * wanted / abs(right.value)) <= 1.0:
            outcome = "same"
    if outcome == "unclear" or (outcome == "different" and (left.estimated or right.estimated)):
        return missing("the two values were only estimated, too loosely to tell their difference.")
    return decided(outcome == "same", [left, right], f"{shown}: they differ by {number_text(abs(gap))}.")


def _multiplied(times: Amount, left: Cell, right: Cell, shown: str) -> Finding:
    factor, hedged = times.quantity.absolute, times.hedged
    wanted = factor * right.value
    if times.bound != "=":
        holds = left.value > wanted if times.bound[0] == ">" else left.value < wanted
    else:
        step = 10.0 ** -(times.quantity.places or 0) if times.quantity.places is not None else 0.0
        ratio = left.value / right.value if right.value else float("inf")
        rounded = abs(ratio - factor) <= 0.5 * step + 1e-9 and step > 0
        holds = rounded or abs(left.value - wanted) <= (0.1 if hedged else 0.02) * max(abs(wanted), 1e-9)
    if not holds and (left.estimated or right.estimated) and abs(left.value - wanted) <= 0.15 * max(abs(wanted), 1e-9):
        return missing(f"{shown}, estimated and too loosely to tell.")
    return decided(
        holds, [left, right], f"{shown}: {number_text(factor)} times the second would be {number_text(wanted)}."
    )


def _along(form: Comparison, figure: Figure) -> Finding:
    """“Each term is three times the previous one”, “3 more than the one before”."""
    series = list(figure.cells)
    amount = form.times or form.by
    if len(series) < 2 or amount is None:
        return missing(NOTHING_READ)
    stated = amount.quantity.absolute if form.order != "less" or form.times else -amount.quantity.absolute
    steps = [(a, b, a.value * stated if form.times else a.value + stated) for a, b in itertools.pairwise(series)]
    wrong = [[a, b] for a, b, wanted in steps if abs(b.value - wanted) > 0.02 * max(abs(wanted), 1e-9)]
    shown = ", ".join(number_text(cell.value) for cell in series[:6])
    return decided(not wrong, wrong[0] if wrong else series, f"the series reads {shown}.")


def _all_equal(form: Comparison, said: Assertion, figure: Figure) -> Finding:
    """“Ann and Cat have the same age”, “the value was the same in both years”."""
    where = figure.address(form.left, said.context, said.near)
    cells = where.ordered_cells()
    if len(cells) < 2 and len(where.rows) == 1 and not where.columns:
        cells = figure.row_cells(where.rows[0].name)
    if len(cells) < 2 and where.rows and len(where.rows) > 1 and not where.columns and len(figure.columns.names) > 1:
        names = [m.name for m in where.rows]
        groups = [[c for c in figure.cells if c.column == column and c.row in names] for column in figure.columns.names]
        verdicts = {all(equal(g[0].value, c.value) for c in g) for g in groups if len(g) > 1}
        cells = groups[0] if len(verdicts) == 1 else []
    if len(cells) < 2:
        return missing(_NOT_BOTH)
    if clash := conflict(form.left, cells[0], figure):
        return missing(clash)
    hedged = {t.lower for t in form.left.tokens} & {
        "nearly",
        "relatively",
        "roughly",
        "almost",
        "approximately",
        "about",
        "fairly",
    }
    if hedged:
        near = all(abs(cells[0].value - cell.value) <= 0.1 * max(abs(cells[0].value), 1e-9) for cell in cells)
        shown = "the values read are " + ", ".join(number_text(cell.value) for cell in cells[:6]) + "."
        return decided(True, cells, shown) if near else missing(shown)
    if any(too_close(cells[0], cell) for cell in cells[1:]):
        return missing("the values were only estimated and are too close to tell.")
    same = all(equal(cells[0].value, cell.value) for cell in _in_one_unit(cells))
    return decided(same, cells, "the values read are " + ", ".join(number_text(cell.value) for cell in cells[:6]) + ".")


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
        return missing(ABSENT)
    subject, columns = _subject(form, before_rows, after_rows), (*before_columns, *after_columns)
    group_rows = [m.name for m in after_rows] if before_rows and len(after_rows) > 1 else []
    inherited = False
    if not subject and columns and said.near and len(figure.rows.names) > 1:
        subject, inherited = _inherited_subject(said, figure), True
    if not subject and not columns:
        if form.amount is not None and not names_another(phrase, figure):
            return _extreme_value(form, figure)
        subject, inherited = _inherited_subject(said, figure), True
        if form.amount is not None and not subject:
            return _extreme_value(form, figure) if not names_another(phrase, figure) else missing(NOTHING_READ)
        if not subject:
            return missing(NOTHING_READ)
    if clash := conflict(phrase, figure.cells[0], figure) if len(figure.columns.names) == 1 else None:
        return missing(clash)
    most = form.most != _by_time_extreme(form, figure)
    findings = _rankings(form, subject, columns, before_columns, group_rows, most, figure, said)
    if not findings:
        return missing(NOTHING_READ)
    best = together(findings) if len(findings) > 1 and len(subject) > 1 else findings[0]
    if best.verdict == "contradicted" and inherited and not said.near:
        return missing("the extreme is said of something named earlier, which may not be what it means.")
    if best.verdict != "supported":
        return best
    more = [
        f for f in (_value_there(form, subject, columns, figure), _followed(form, subject, columns, most, figure)) if f
    ]
    return together([best, *more])


def _is_named_so(form: Extreme, figure: Figure) -> bool:
    """Whether the extreme is part of a name: “The lowest negotiable rate” is a row."""
    following = form.group.tokens[0].stem if form.group.tokens else ""
    names = [[token.stem for token in tokens(name)] for name in (*figure.rows.names, *figure.columns.names)]
    return any(a == form.adjective and b == following for name in names for a, b in itertools.pairwise(name))


def _subject(form: Extreme, before: Sequence[Mention], after: Sequence[Mention]) -> list[str]:
    """Which named rows the extreme is said of: those before it, joined by a list, else those right after it."""
    if before and after and form.subject.tokens and form.subject.tokens[-1].lower in ("the", "of") and len(before) == 1:
        return [before[0].name]
    if before:
        listed = len(before) > 1 and coordinated(form.subject.tokens, [place for m in before for place in m.tokens])
        return [m.name for m in before] if listed else [before[0].name]
    if len(after) > 1 and not (form.tied or coordinated(form.group.tokens, [p for m in after for p in m.tokens])):
        return [after[0].name]
    return [m.name for m in after]


def _inherited_subject(said: Assertion, figure: Figure) -> list[str]:
    """The row that the sentence was about: “Mayfield …, is also the town with the most schools”."""
    for phrase in said.context[: max(said.near, 1)]:
        rows = figure.rows.mentions(phrase.tokens)
        if rows:
            return [rows[0].name]
    return []


def _by_time_extreme(form: Extreme, figure: Figure) -> bool:
    return _by_time(Phrase(tokens=(*form.subject.tokens, *form.group.tokens, *tokens(form.adjective))), figure.cells[0])


def _rankings(
    form: Extreme,
    subject: list[str],
    columns: Sequence[Mention],
    before_columns: Sequence[Mention],
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
    if (
        subject
        and len(figure.rows.names) > 1
        and not over_time
        and not _where_in_row(form, before_columns, columns, figure)
    ):
        per_column = []
        for column in names:
            cells = [c for c in figure.column_cells(column) if not group_rows or c.row in (*group_rows, *subject)]
            cells = [c for c in cells if c.row in subject or not is_total(c.row)]
            per_column.append(
                [
                    f
                    for row in subject
                    for f in _ranked(row, cells, form.rank, most, by_row=True, among=1 if form.tied else len(subject))
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
            findings += _ranked(target, figure.row_cells(row), form.rank, most, by_row=False)
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
    years = [m for m in columns if _time_of(m.name) is not None]
    first = form.group.tokens[0].lower if form.group.tokens else ""
    return (
        bool(years)
        and first in ("in", "during", "at")
        and (form.adjective in ("peak", "peaked") or form.adjective.startswith("peak"))
    )


def _where_in_row(form: Extreme, before: Sequence[Mention], columns: Sequence[Mention], figure: Figure) -> bool:
    """“Ann's highest score was in Art”: the place comes after a verb and a preposition, and a row owns the extreme."""
    owned = any(t.text.endswith("'s") for t in form.subject.tokens[-3:])
    if not owned or before or not columns:
        return False
    words = [t.lower for t in form.group.tokens if t.start < columns[0].position]
    return any(word in ("in", "on", "at", "for", "is", "was", "during") for word in words)


def _ranked(name: str, cells: Sequence[Cell], rank: int, most: bool, *, by_row: bool, among: int = 1) -> list[Finding]:
    if len({cell.unit for cell in cells}) > 1:
        cells = _in_one_unit(cells)
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
    end = "top" if most else "bottom"
    word = ("highest" if most else "lowest") if rank == 1 else f"number {rank} from the {end}"
    if mine is not at_rank and too_close(mine, at_rank):
        return [missing(f"{in_words(mine)} and {in_words(at_rank)}, both estimated and too close to tell.")]
    counted = sum((cell.value > mine.value) if most else (cell.value < mine.value) for cell in cells) + 1
    holds = equal(mine.value, wanted) or (rank > 1 and counted == rank) or (rank == 1 and counted <= among)
    return [
        decided(
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


def _followed(
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
            return decided(False, [cell], f"{in_words(cell)}, number {rank} in order.")
    for first, second in itertools.pairwise(cells):
        if (first.value < second.value) == most and not equal(first.value, second.value):
            shown = f"{in_words(first)} and {in_words(second)}"
            return missing(f"{shown}.") if too_close(first, second) else decided(False, [first, second], f"{shown}.")
    return None


def _extreme_value(form: Extreme, figure: Figure) -> Finding:
    """“The highest share was 71%”: the highest of all that was read. A still higher one may be one that was missed."""
    assert form.amount is not None
    if (len(figure.columns.names) > 1 and not all(c.unit == figure.cells[0].unit for c in figure.cells)) or len(
        figure.cells
    ) < 3:
        return missing(NOTHING_READ)
    if form.rank > 1:
        ranked = sorted(figure.cells, key=lambda cell: cell.value, reverse=form.most)
        at = ranked[min(form.rank, len(ranked)) - 1]
        return reading(form.amount, at) if not at.estimated else missing(NOTHING_READ)
    end = (max if form.most else min)(figure.cells, key=lambda cell: cell.value)
    outcome = agreement(form.amount, end)
    if outcome == "unclear":
        return missing(f"{in_words(end)}, too loosely to tell.")
    beyond = (form.amount.quantity.value > end.value) == form.most and not end.estimated
    if outcome == "different" and beyond:
        return missing("a value beyond all that were read may be one that was missed.")
    word = "highest" if form.most else "lowest"
    return decided(
        outcome == "same", [end], f"claimed {amount_text(form.amount)} as the {word}; of those read {in_words(end)}."
    )


def trend_finding(form: Trend, said: Assertion, figure: Figure) -> Finding:
    """Rise or fall between two named points, or over a whole series, with the values said."""
    where = figure.address(form.about, said.context[: said.near], said.near)
    direct = _as_value(form, where, figure)
    if direct is not None:
        return direct
    if (
        (form.by or form.times)
        and {t.lower for t in form.about.tokens} & {"next", "previous", "additional", "extra"}
        and not any(_time_of(n) for n in figure.rows.names)
    ):
        return _along(Comparison(order=form.order, left=Phrase(), right=Phrase(), by=form.by, times=form.times), figure)
    if (said.quantifier == "every" and not form.steady) or _every_row(form, said, where, figure):  # noqa: SIM102
        if rows := _each_row(form, said, where, figure):
            return rows
    series = _series(form, said, where, figure)
    if figure.absent(form.about) and not series:
        return missing(ABSENT)
    if len(series) < 2:
        last = _last_value(form, where, said, figure)
        return last or missing("no series was read that the claim could speak of.")
    if clash := conflict(form.about, series[0], figure):
        return missing(clash)
    found = together([_moved(form, series), *_ends(form, series)])
    days = {*WEEKDAYS, *MONTHS}
    untimed = not any(_time(c) is not None or days & name_stems(f"{c.row} {c.column}") for c in series)
    inside = untimed or (
        form.last and not form.end and any(agreement(form.last, cell) == "same" for cell in series[:-1])
    )
    if found.verdict == "contradicted" and (inside or _is_vague_span(form, said, where)):
        return missing("it is open between which times the claim sees the movement.")
    return found


def _is_vague_span(form: Trend, said: Assertion, where: Address) -> bool:
    """Whether a movement leaves its ends to what was said before: “and recovered in the following years”."""
    if (
        form.start
        or form.end
        or _times(form.about.tokens)
        or any(_time_of(m.name) is not None for m in (*where.rows, *where.columns) if not where.inherited)
    ):
        return False
    words = {t.lower for t in form.about.tokens}
    spoken = any(_times(phrase.tokens) for phrase in said.context[: max(said.near, 1)])
    return bool(words & _VAGUE) or (spoken and not (form.first and form.last))


_VAGUE = frozenset("afterwards afterward following further later again then thereafter subsequently".split())


def _as_value(form: Trend, where: Address, figure: Figure) -> Finding | None:
    """“Hand tools grew by 1.1%” where the figure charts growth: the change is the value."""
    if form.by is None or len(where.cells) != 1:
        return None
    words = name_stems(where.cells[0].column) | name_stems(where.cells[0].row)
    grows = words & {"growth", "change", "increase", "decrease", "decline", "rise", "grow", "gain", "loss"}
    timed = any(_time_of(name) is not None for name in (*figure.rows.names, *figure.columns.names))
    found = reading(form.by, where.cells[0])
    if grows or (not timed and found.verdict == "supported"):
        return found
    return None


def _every_row(form: Trend, said: Assertion, where: Address, figure: Figure) -> bool:
    """“In every country listed, the share went down between 2015 and 2019”: rows are left open and columns are times."""
    return (
        not where.rows
        and len(where.columns) == 2
        and len(figure.rows.names) > 1
        and all(_time_of(m.name) is not None for m in where.columns)
    )


def _each_row(form: Trend, said: Assertion, where: Address, figure: Figure) -> Finding | None:
    if len(where.columns) != 2 or where.rows or form.by or form.last:
        return None
    ends = sorted(where.columns, key=lambda m: _time_of(m.name) or 0)
    findings = []
    for row in figure.rows.names:
        cells = {cell.column: cell for cell in figure.row_cells(row)}
        if all(m.name in cells for m in ends):
            findings.append(_moved(form, [cells[ends[0].name], cells[ends[1].name]]))
    if said.quantifier != "every" and len({f.verdict for f in findings}) > 1:
        return missing("the claim does not say of which it speaks, and they do not all move alike.")
    return together(findings) if findings else None


def _last_value(form: Trend, where: Address, said: Assertion, figure: Figure) -> Finding | None:
    """“Fell to 7 in 2010” with nothing before it to compare: the value alone."""
    if form.last is None:
        return None
    where = figure.address(form.about, said.context, said.near) if not where.cells else where
    if len(where.cells) == 1 and not where.far:
        return reading(form.last, where.cells[0])
    return None


def _moved(form: Trend, series: Sequence[Cell]) -> Finding:
    pairs = list(itertools.pairwise(series)) if form.steady else [(series[0], series[-1])]
    if any(too_close(a, b) for a, b in pairs):
        return missing("the values were only estimated and are too close to tell.")
    wrong = [(a, b) for a, b in pairs if not _moves(form.order, a.value, b.value)]
    shown = wrong[0] if wrong else (series[0], series[-1])
    return decided(not wrong, list(shown), f"{in_words(shown[0])} and {in_words(shown[1])}.")


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
        found.append(_apart(comparison, last, first, f"{in_words(first)} and {in_words(last)}"))
    if form.times is not None:
        found.append(_multiplied(form.times, last, first, f"{in_words(first)} and {in_words(last)}"))
    return found


def _series(form: Trend, said: Assertion, where: Address, figure: Figure) -> list[Cell]:
    """The cells in time order that a trend runs over, cut to the points that the claim names."""
    where = figure.address(form.about, said.context, said.near) if not where.rows and not where.columns else where
    rows = {m.name for m in where.rows if _time_of(m.name) is None}
    columns = {m.name for m in where.columns if _time_of(m.name) is None}
    context = figure.address(Phrase(), said.context, said.near)
    if not rows:
        rows = (
            {m.name for m in context.rows if _time_of(m.name) is None}
            if len(figure.rows.names) > 1 and _untimed(figure.rows.names)
            else set()
        )
    if not columns and len(figure.columns.names) > 1 and _untimed(figure.columns.names):
        columns = {m.name for m in context.columns if _time_of(m.name) is None}
    cells = [c for c in figure.cells if (not rows or c.row in rows) and (not columns or c.column in columns)]
    timed = sorted(((at, c) for c in cells if (at := _time(c)) is not None), key=lambda pair: pair[0])
    if not timed:
        return _between(where, figure) if len(where.cells) == 2 else _step_to(where, said, figure)
    if len({at for at, _ in timed}) < len(timed):
        return []
    return _cut(form, said, timed, figure)


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


def _untimed(names: Sequence[str]) -> bool:
    return sum(_time_of(name) is not None for name in names) < len(names) / 2


def _cut(form: Trend, said: Assertion, timed: list[tuple[float, Cell]], figure: Figure) -> list[Cell]:
    start, end = _times(form.start.tokens), _times(form.end.tokens)
    named = _times(form.about.tokens)
    if start and end:
        first, last = sorted((start[0], end[-1]))
        within = [(at, c) for at, c in timed if first <= at <= last]
        slack = max(1.0, _UNREAD_SPAN * (last - first))
        whole = len(within) > 1 and within[0][0] - first <= slack and last - within[-1][0] <= slack
        return [c for _, c in within] if whole else []
    if start:
        later = [at for at in named if at > start[0]]
        onward = {t.lower for t in form.about.tokens} & {"after", "since"}
        stop = later[-1] if later else timed[-1][0] if onward else _context_time(said, start[0], timed)
        return _slice(timed, min(start[0], stop), max(start[0], stop))
    if len(named) == 1:
        return _up_to(form, said, timed, named[0])
    if len(named) >= 2:
        return _slice(timed, min(named), max(named))
    if (step := _step(form.about)) and (before := next(filter(None, (_times(p.tokens) for p in said.context)), [])):
        place = next((i for i, (at, _) in enumerate(timed) if at == before[-1]), -1)
        return [c for _, c in timed[place : place + 2]] if step > 0 and place >= 0 else []
    for phrase in said.context[: said.near]:
        if len(times := _times(phrase.tokens)) >= 2:
            return _slice(timed, min(times), max(times))
    return [c for _, c in timed]


def _context_time(said: Assertion, start: float, timed: list[tuple[float, Cell]]) -> float:
    """“Compared with 2011” after speaking of 2012: the other end is what was being spoken of."""
    for phrase in said.context:
        times = [at for at in _times(phrase.tokens) if at != start]
        if times:
            return times[0]
    return timed[-1][0]


def _up_to(form: Trend, said: Assertion, timed: list[tuple[float, Cell]], named: float) -> list[Cell]:
    """Up to the one time that is named: from the time spoken of before, else from the entry before it."""
    at = [i for i, (time, _) in enumerate(timed) if time == named]
    if not at:
        return []
    words = {t.lower for t in form.about.tokens}
    if words & {"since", "after"}:
        return [c for _, c in timed[at[0] :]]
    for phrase in said.context[: said.near]:
        earlier = [time for time in _times(phrase.tokens) if time < named]
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


def _time(cell: Cell) -> float | None:
    at = _time_of(cell.row)
    return at if at is not None else _time_of(cell.column)


def _times(said: Sequence[Token]) -> list[float]:
    found = []
    for token in said:
        if token.is_number and len(token.stem) == 4 and token.stem.isdigit() and 1500 <= int(token.stem) <= 2100:
            found.append(float(token.stem))
        elif token.stem in MONTHS and token.text[:1].isupper():
            found.append(MONTHS.index(token.stem) / 12)
        elif token.stem in WEEKDAYS:
            found.append(WEEKDAYS.index(token.stem) / 8 - 10)
    return found


def _time_of(name: str) -> float | None:
    """The time that a row or column is named after: a year, a month, a weekday; None for other names."""
    words = [token for token in tokens(name) if token.is_content]
    if not words or len(words) > 3:
        return None
    years = [t for t in words if t.stem.isdigit() and len(t.stem) == 4 and 1500 <= int(t.stem) <= 2100]
    months = [t for t in words if t.stem in MONTHS]
    rest = [t for t in words if t not in years and t not in months and t.stem not in ("fy", "*") and not t.is_number]
    if years and not rest and (len(years) == 1 or len(words) == len(years)):
        return int(years[0].stem) + (MONTHS.index(months[0].stem) / 12 if months else 0.0)
    if rest or years:
        return None
    if months and len(words) == 1:
        return MONTHS.index(months[0].stem) / 12
    return None
