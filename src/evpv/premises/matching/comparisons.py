"""Two things compared: which cells are meant, and how they stand to each other."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

from evpv.language.forms import Amount, Assertion, Comparison, Phrase
from evpv.language.quantities import number_text
from evpv.language.tokens import name_stems, tokens
from evpv.premises.figure import Cell, Figure
from evpv.premises.matching.attributes import ABSENT, HOLE, conflict, neighbour_pairs, time_in_name, time_step
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

_NOT_BOTH = "the claim compares two things of which not both were read."


_SPEEDS = frozenset("faster slower quicker fastest slowest quickest".split())


_REST = frozenset("other others rest later subsequent following remaining else".split())


def comparison_finding(form: Comparison, said: Assertion, figure: Figure) -> Finding:
    """Two things compared: which pairs of cells, then each pair."""
    if not figure.cells:
        return missing(NOTHING_READ)
    if form.right.text == "the previous one" or _speaks_of_previous(form):
        return steps_finding(form, figure)
    if figure.absent(form.left) or figure.absent(form.right):
        return unread(ABSENT)
    if not form.right and form.by is None:
        return _all_equal(form, said, figure)
    pairs = _pairs(form, said, figure)
    if not pairs and form.order == "equal" and form.times is None and not any(figure.named(form.right.tokens)):
        return _all_equal(replace(form, left=Phrase(tokens=(*form.left.tokens, *form.right.tokens))), said, figure)
    if not pairs:
        other = figure.address(form.right, said.context, len(said.context))
        return unread(HOLE) if other.rows and other.columns and not other.cells else missing(_NOT_BOTH)
    phrase = Phrase(tokens=(*form.left.tokens, *form.right.tokens))
    clash = conflict(form.left, pairs[0][0], figure) or conflict(form.right, pairs[0][1], figure)
    if clash and pairs[0][0].column == pairs[0][1].column:
        return unread(clash)
    if form.multiples is not None:
        first, second = form.multiples
        pairs = [(a.with_value(first * a.value), b.with_value(second * b.value)) for a, b in pairs]
    found = together([_pair_finding(form, left, right, compares_speeds(phrase, left)) for left, right in pairs])
    if (
        found.verdict == "contradicted"
        and is_timed(pairs[0][0])
        and {"ahead", "behind"} & {t.lower for t in tokens(said.text)}
    ):
        return missing("who is ahead in time may have the larger or the smaller one.")
    return found


def _speaks_of_previous(form: Comparison) -> bool:
    sized = form.by is not None or form.times is not None
    return (sized and bool({t.lower for t in form.right.tokens} & {"previous", "preceding"})) or form.right.text.strip(
        " ."
    ) == "the one before"


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
    if not right_rows and not right_columns and (step := time_step(form.right)):
        return neighbour_pairs(left_rows, left_columns, step, figure)
    if not right_rows and not right_columns:
        return _against_context(form, left_rows, left_columns, said, figure)
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
        total = _sum_of(others)
        return [(figure.row_cells(left[0].name)[0], total)] if total else []
    if len(figure.columns.names) != 1 or len(left) != 1 or len(right) < 2:
        return []
    mine = figure.row_cells(left[0].name)
    others = [cell for m in right for cell in figure.row_cells(m.name)]
    total = _sum_of(others)
    return [(mine[0], total)] if mine and total else []


def _sum_before(
    said: Assertion, left: Sequence[Mention], right: Sequence[Mention], figure: Figure
) -> list[tuple[Cell, Cell]]:
    """“A and B together make up 34 %, which is more than C”: it is their sum that is compared."""
    words = {token.lower for phrase in said.context[:1] for token in phrase.tokens}
    if len(figure.columns.names) != 1 or len(left) < 2 or len(right) != 1 or not words & _SUMMED:
        return []
    total = _sum_of([cell for m in left for cell in figure.row_cells(m.name)])
    others = figure.row_cells(right[0].name)
    return [(total, others[0])] if total and others and right[0].name not in {m.name for m in left} else []


_SUMMED = frozenset("together combined total altogether sum jointly".split())


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
    if pairs := _against_those(form, rows, columns, said, figure):
        return pairs
    if any(token.is_content and token.is_word and token.lower not in ("by", "them") for token in form.right.tokens):
        return []
    mine = figure.address(form.left, said.context[: max(said.near, 1)], said.near)
    for phrase in said.context:
        other = figure.address(phrase, said.context, len(said.context))
        others = [cell for cell in other.ordered_cells() if cell not in mine.cells]
        alike = bool(others) and all(equal(others[0].value, cell.value) for cell in others)
        if len(mine.cells) == 1 and alike:
            return [(mine.cells[0], others[0])]
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
        return _pair_cells(left, right, by_row=True)
    if not any(rows) and all(columns):
        if said.quantifier == "every" or len(figure.rows.names) == 1:
            return _pair_cells(left, right, by_row=True)
        totals = [_sum_of(side) for side in sides]
        paired = _pair_cells(left, right, by_row=True)
        orders = {(a.value > b.value) - (a.value < b.value) for a, b in paired}
        if len(orders) == 1:
            return paired[:1]
        return [(totals[0], totals[1])] if totals[0] and totals[1] and left[0].unit != "percent" else []
    if len({m.name for m in columns[0]}) > 1 or len({m.name for m in columns[1]}) > 1:  # noqa: SIM102
        if rows[0] and rows[1] and [m.name for m in columns[0]] == [m.name for m in columns[1]]:
            return _pair_cells(left, right, by_row=False)
    if all(rows) and not any(columns) and len(figure.columns.names) > 1:
        return _in_each_column(_pair_cells(left, right, by_row=False), said)
    same_column = bool(columns[0]) and [m.name for m in columns[0]] == [m.name for m in columns[1]]
    return [(a, b) for a in left for b in right if a is not b and (not same_column or a.column == b.column)][:40]


def _pair_cells(left: Sequence[Cell], right: Sequence[Cell], *, by_row: bool) -> list[tuple[Cell, Cell]]:
    other = {(cell.row if by_row else cell.column): cell for cell in right}
    return [
        (cell, other[name])
        for cell in left
        if (name := cell.row if by_row else cell.column) in other and other[name] is not cell
    ]


def _in_each_column(pairs: list[tuple[Cell, Cell]], said: Assertion) -> list[tuple[Cell, Cell]]:
    """The pairs of two rows whose columns are left open: all where the rows stand alike in each or each is meant, else none."""
    orders = {(a.value > b.value) - (a.value < b.value) for a, b in pairs}
    meant = said.quantifier == "every" or {t.lower for t in tokens(said.text)} & {"both", "either"}
    return pairs if len(orders) == 1 or meant else []


def _sum_of(cells: Sequence[Cell]) -> Cell | None:
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
    year = time_in_name(name)
    words = {t.lower for t in form.left.tokens}
    rest = [
        c
        for c in figure.cells
        if c.row != name
        and (not words & {"later", "subsequent", "following"} or year is None or (time_in_name(c.row) or year) > year)
    ]
    return (
        [(cell, mine[0]) for cell in rest if cell.column == mine[0].column]
        if len({c.column for c in mine}) == 1
        else []
    )


def is_timed(cell: Cell) -> bool:
    """Whether a cell holds a time taken."""
    return cell.unit in ("second", "minute", "hour", "day") or "time" in name_stems(f"{cell.row} {cell.column}")


def compares_speeds(phrase: Phrase, cell: Cell) -> bool:
    """Whether speeds are compared by the time taken, of which the faster takes less."""
    return is_timed(cell) and any(token.lower in _SPEEDS for token in phrase.tokens)


def _pair_finding(form: Comparison, left: Cell, right: Cell, by_time: bool) -> Finding:
    shown = f"{in_words(left)} and {in_words(right)}"
    if form.times is not None:
        return factor_finding(form.times, left, right, shown)
    factor = _same_scale(left, right)
    if factor is None:
        return missing(f"{shown}, in units that do not compare.")
    other = right.with_value(right.value * factor)
    if form.by is not None:
        return difference_finding(form, left, other, shown)
    if too_close(left, other):
        return missing(f"{shown}, estimated and too close to tell.")
    same = equal(left.value, other.value)
    if form.order == "equal":
        return decide(same, [left, right], f"{shown}.")
    more = (form.order == "greater") != by_time
    return decide((left.value > other.value) == more and not same, [left, right], f"{shown}.")


def _same_scale(left: Cell, right: Cell) -> float | None:
    from evpv.language.quantities import conversion

    factor = right.scale / left.scale
    if left.unit and right.unit and left.unit != right.unit:
        converted = conversion(right.unit, left.unit)
        return None if converted is None else factor * converted
    return factor


def in_one_unit(cells: Sequence[Cell]) -> list[Cell]:
    """Cells with their values in the unit of the first; those that do not convert stay as they are."""
    return [cell.with_value(cell.value * (_same_scale(cells[0], cell) or 1.0)) for cell in cells]


def difference_finding(form: Comparison, left: Cell, right: Cell, shown: str) -> Finding:
    """“32 more strokes than”: size and direction."""
    assert form.by is not None
    gap = left.value - right.value
    wanted = -gap if form.order == "less" else gap
    outcome = agreement(form.by, left.with_value(wanted))
    if outcome == "unclear" or (outcome == "different" and (left.estimated or right.estimated)):
        return missing("the two values were only estimated, too loosely to tell their difference.")
    return decide(outcome == "same", [left, right], f"{shown}: they differ by {number_text(abs(gap))}.")


def factor_finding(times: Amount, left: Cell, right: Cell, shown: str) -> Finding:
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
    product = f"{number_text(factor)} times {number_text(right.value)} would be {number_text(wanted)}"
    return decide(holds, [left, right], f"{shown}: {product}.")


def steps_finding(form: Comparison, figure: Figure) -> Finding:
    """“Each term is three times the previous one”, “3 more than the one before”."""
    series = list(figure.cells)
    amount = form.times or form.by
    if len(series) < 2 or amount is None:
        return missing(NOTHING_READ)
    stated = amount.quantity.absolute if form.order != "less" or form.times else -amount.quantity.absolute
    steps = [(a, b, a.value * stated if form.times else a.value + stated) for a, b in itertools.pairwise(series)]
    wrong = [[a, b] for a, b, wanted in steps if abs(b.value - wanted) > 0.02 * max(abs(wanted), 1e-9)]
    shown = ", ".join(number_text(cell.value) for cell in series[:6])
    return decide(not wrong, wrong[0] if wrong else series, f"the series reads {shown}.")


def _all_equal(form: Comparison, said: Assertion, figure: Figure) -> Finding:
    """“Ann and Cat have the same age”, “the value was the same in both years”."""
    where = figure.address(form.left, said.context, said.near)
    cells = where.ordered_cells()
    if len(cells) < 2 and len(where.rows) == 1 and not where.columns:
        cells = figure.row_cells(where.rows[0].name)
    if len(cells) < 2:
        return missing(_NOT_BOTH)
    if clash := conflict(form.left, cells[0], figure):
        return unread(clash)
    if any(too_close(cells[0], cell) for cell in cells[1:]):
        return missing("the values were only estimated and are too close to tell.")
    same = all(equal(cells[0].value, cell.value) for cell in in_one_unit(cells))
    return decide(same, cells, "the values read are " + ", ".join(number_text(cell.value) for cell in cells[:6]) + ".")
