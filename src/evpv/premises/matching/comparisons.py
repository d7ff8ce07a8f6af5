"""Two things compared: which cells are meant, and how they stand to each other."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from operator import attrgetter

from evpv.language.forms import Amount, Assertion, Comparison, Phrase, Trend
from evpv.language.quantities import number_text
from evpv.language.tokens import name_stems, tokens
from evpv.premises.figure import Cell, Figure, Named, columns_of
from evpv.premises.matching.attributes import ABSENT, HOLE, conflict, neighbour_pairs, time_in_name, time_step
from evpv.premises.matching.values import (
    NOTHING_READ,
    Finding,
    agreement,
    are_alike,
    decide,
    equal,
    in_words,
    missing,
    numbers_text,
    together,
    too_close,
    unread,
)
from evpv.premises.mentions import Mention, names_of

_NOT_BOTH = "the claim compares two things of which not both were read."


_SPEEDS = frozenset("faster slower quicker fastest slowest quickest".split())


_REST = frozenset("other others rest later subsequent following remaining else".split())


def comparison_finding(form: Comparison, said: Assertion, figure: Figure) -> Finding:
    """Two things compared: which pairs of cells, then each pair."""
    if not figure.cells:
        return missing(NOTHING_READ)
    if _speaks_of_previous(form):
        return steps_finding(form, figure)
    if any(map(figure.absent, (form.left, form.right))):
        return unread(ABSENT)
    whole = Phrase(tokens=(*form.left.tokens, *form.right.tokens))
    pairs = [] if _is_of_all(form) else _pairs(form, said, figure)
    if not pairs:
        return _unpaired_finding(form, whole, said, figure)
    if clash := _clash(form, pairs[0], figure):
        return unread(clash)
    found = together([_pair_finding(form, *_bought(form, pair), compares_speeds(whole, pair[0])) for pair in pairs])
    if found.verdict == "contradicted" and _is_ahead_in_time(said, pairs[0][0]):
        return missing("who is ahead in time may have the larger or the smaller one.")
    return found


def _is_of_all(form: Comparison) -> bool:
    """Whether all that is named stands on one side: “Ann and Cat have the same age”."""
    return not form.right and form.by is None


def _unpaired_finding(form: Comparison, whole: Phrase, said: Assertion, figure: Figure) -> Finding:
    """What is said of all things together, and of things of which not both were read."""
    plain = form.order == "equal" and form.times is None and not any(figure.named(form.right.tokens))
    if plain or _is_of_all(form):
        return _all_equal(whole, said, figure)
    other = figure.address(form.right, said.context, len(said.context))
    return unread(HOLE) if other.rows and other.columns and not other.cells else missing(_NOT_BOTH)


def _clash(form: Comparison, pair: tuple[Cell, Cell], figure: Figure) -> str | None:
    """Why the sides speak of another attribute than their cells, which are of one column."""
    clash = conflict(form.left, pair[0], figure) or conflict(form.right, pair[1], figure)
    return clash if pair[0].column == pair[1].column else None


def _bought(form: Comparison, pair: tuple[Cell, Cell]) -> tuple[Cell, Cell]:
    """The two cells, each so many times as is said."""
    if form.multiples is None:
        return pair
    first, second = form.multiples
    return pair[0].with_value(first * pair[0].value), pair[1].with_value(second * pair[1].value)


def _is_ahead_in_time(said: Assertion, cell: Cell) -> bool:
    return is_timed(cell) and any(token.lower in ("ahead", "behind") for token in tokens(said.text))


def _speaks_of_previous(form: Comparison) -> bool:
    sized = form.by is not None or form.times is not None
    named = form.right.text == "the previous one" or form.right.text.strip(" .") == "the one before"
    return named or (sized and bool(form.right.words & {"previous", "preceding"}))


def _pairs(form: Comparison, said: Assertion, figure: Figure) -> list[tuple[Cell, Cell]]:
    """The cells on both sides: an axis that only one side names holds for the other."""
    left, right = _named_side(form.left, form.right, figure), _named_side(form.right, form.left, figure)
    context = figure.address(Phrase(), [*map(_before_than, said.context[: max(said.near, 1)])], said.near)
    many = _pairs_with_many(form, said, left, right[0], context.rows, figure)
    if many is not None:
        return many
    if not any(left):
        left = (_other_rows(context.rows, right[0]), context.columns)
    if not any(right):
        step = time_step(form.right)
        return neighbour_pairs(*left, step, figure) if step else _against_context(form, *left, said, figure)
    rows, columns = ((a or b, b or a) for a, b in zip(left, right, strict=True))
    if not any(rows):
        rows = _rows_of_context(context.rows, left[1] and right[1], figure)
    return _cell_pairs(rows, columns, said, figure)


def _rows_of_context(rows: tuple[Mention, ...], both: Sequence[Mention], figure: Figure) -> Named:
    """The row spoken of before, for both sides; none where there is but one, or two columns are compared over several."""
    is_open = len(figure.rows.names) < 2 or (both and len(rows) > 1)
    return ((), ()) if is_open else (rows[:1], rows[:1])


def _named_side(side: Phrase, other: Phrase, figure: Figure) -> Named:
    """The rows and columns that one side names; outside of tables with the numbers of the other side."""
    named = figure.named(side.tokens)
    if any(named) or figure.tabular:
        return named
    return figure.named((*side.tokens, *(token for token in other.tokens if token.is_number)))


def _other_rows(rows: tuple[Mention, ...], right: Sequence[Mention]) -> tuple[Mention, ...]:
    """The rows spoken of before; of several the first that is not the other side."""
    return tuple(m for m in rows if m.name not in names_of(right))[:1] if len(rows) > 1 else rows


def _pairs_with_many(
    form: Comparison, said: Assertion, left: Named, right: Sequence[Mention], before: Sequence[Mention], figure: Figure
) -> list[tuple[Cell, Cell]] | None:
    """The pairs of which one side is several cells: their sum, or each of the rest; None where none is."""
    if (form.left.words | form.right.words) & {"combined", "together"}:
        owner = left[0] or figure.address(Phrase(), said.context[: max(said.near, 1)], said.near).rows[:1]
        return _against_sum(form, owner, right, figure)
    rest = _against_rest(form, right, figure) if said.quantifier == "every" and form.left.words & _REST else []
    return rest or (None if any(left) else _sum_before(said, before, right, figure) or None)


def _before_than(phrase: Phrase) -> Phrase:
    """The side of an earlier comparison that is still spoken of: in “fewer than in 2017 but more than in 2015” not 2017."""
    stop = next((i for i, token in enumerate(phrase.tokens) if token.lower == "than"), len(phrase.tokens))
    return Phrase(tokens=phrase.tokens[:stop], text=phrase.text)


def _against_sum(
    form: Comparison, left: Sequence[Mention], right: Sequence[Mention], figure: Figure
) -> list[tuple[Cell, Cell]]:
    """“Higher than Food and Travel combined”."""
    if len(figure.columns.names) != 1 or len(left) != 1:
        return []
    if form.right.words & _REST and not right:
        others = [cell for cell in figure.cells if cell.row != left[0].name]
    else:
        others = _cells_of(right, figure) if len(right) > 1 else []
    total = _sum_of(others)
    return [(figure.row_cells(left[0].name)[0], total)] if total else []


def _cells_of(rows: Sequence[Mention], figure: Figure) -> list[Cell]:
    return [*itertools.chain.from_iterable(map(figure.row_cells, names_of(rows)))]


def _sum_before(
    said: Assertion, left: Sequence[Mention], right: Sequence[Mention], figure: Figure
) -> list[tuple[Cell, Cell]]:
    """“A and B together make up 34 %, which is more than C”: it is their sum that is compared."""
    summed = any(phrase.words & _SUMMED for phrase in said.context[:1])
    if len(figure.columns.names) != 1 or len(left) < 2 or len(right) != 1 or not summed:
        return []
    total = _sum_of(_cells_of(left, figure))
    others = figure.row_cells(right[0].name)
    return [(total, others[0])] if total and right[0].name not in names_of(left) else []


_SUMMED = frozenset("together combined total altogether sum jointly".split())


def _against_those(
    form: Comparison, rows: Sequence[Mention], said: Assertion, figure: Figure
) -> list[tuple[Cell, Cell]]:
    """“Finland was ahead of both”, “Ann trails them by six”: each of the things that were named together before, or all others of two."""
    mine = figure.address(form.left, said.context, len(said.context))
    if not form.right.words & {"both", "them", "these", "those"} or len(mine.cells) != 1:
        return []
    own = mine.cells[0]
    axis, line, along = figure.columns, figure.row_cells(own.row), attrgetter("column")
    if rows or len(figure.columns.names) < 2:
        axis, line, along = figure.rows, figure.column_cells(own.column), attrgetter("row")
    named = [*(axis.named(phrase.tokens) for phrase in said.context), {*axis.names}]
    others = next((rest for names in named if len(rest := names - {along(own)}) == 2), set())
    return [(own, cell) for cell in line if along(cell) in others]


def _against_context(
    form: Comparison, rows: Sequence[Mention], columns: Sequence[Mention], said: Assertion, figure: Figure
) -> list[tuple[Cell, Cell]]:
    """“Dior lags behind by 6.4 million”, “Ethiopia has less than half of that”: the other side is what was spoken of before."""
    if pairs := _against_those(form, rows, said, figure):
        return pairs
    if any(token.is_content_word and token.lower not in ("by", "them") for token in form.right.tokens):
        return []
    mine = figure.address(form.left, said.context[: max(said.near, 1)], said.near)
    for phrase in said.context if len(mine.cells) == 1 else ():
        other = figure.address(phrase, said.context, len(said.context))
        others = [cell for cell in other.ordered_cells() if cell not in mine.cells]
        if are_alike(others):
            return [(mine.cells[0], others[0])]
    return []


def _cell_pairs(
    rows: tuple[Sequence[Mention], Sequence[Mention]],
    columns: tuple[Sequence[Mention], Sequence[Mention]],
    said: Assertion,
    figure: Figure,
) -> list[tuple[Cell, Cell]]:
    """All pairs that the two sides span. Of each axis both sides name something, or neither does."""
    left, right = (_spanned_cells(*side, figure) for side in zip(rows, columns, strict=True))
    if not rows[0]:
        return _open_row_pairs(left, right, said, figure)
    if len(rows[0]) > 1 and rows[0] == rows[1] and columns[0] != columns[1]:
        return pair_cells(left, right, by_row=True)
    same_columns = names_of(columns[0]) == names_of(columns[1])
    if same_columns and len({*names_of(columns[0])}) > 1:
        return pair_cells(left, right, by_row=False)
    if not columns[0] and len(figure.columns.names) > 1:
        return _in_each_column(pair_cells(left, right, by_row=False), said)
    return _crossed(left, right, same_columns)


def _spanned_cells(rows: Sequence[Mention], columns: Sequence[Mention], figure: Figure) -> list[Cell]:
    """The cells of the rows and columns that a side names; in a table all, of an axis that it leaves open."""
    return figure.cells_in(names_of(rows), names_of(columns)) if rows or figure.tabular else []


def _crossed(left: Sequence[Cell], right: Sequence[Cell], same_columns: bool) -> list[tuple[Cell, Cell]]:
    pairs = ((a, b) for a, b in itertools.product(left, right) if a is not b)
    return [(a, b) for a, b in pairs if not same_columns or a.column == b.column][:40]


def _open_row_pairs(
    left: Sequence[Cell], right: Sequence[Cell], said: Assertion, figure: Figure
) -> list[tuple[Cell, Cell]]:
    """Two columns whose rows are left open: every row (“in every year”), one where all stand alike, or the totals."""
    pairs = pair_cells(left, right, by_row=True)
    if said.quantifier == "every" or len(figure.rows.names) == 1:
        return pairs
    if len(_orders(pairs)) == 1:
        return pairs[:1]
    totals = _sum_of(left), _sum_of(right)
    return [(totals[0], totals[1])] if totals[0] and totals[1] and left[0].unit != "percent" else []


def _orders(pairs: Sequence[tuple[Cell, Cell]]) -> set[int]:
    return {(a.value > b.value) - (a.value < b.value) for a, b in pairs}


def pair_cells(left: Sequence[Cell], right: Sequence[Cell], *, by_row: bool) -> list[tuple[Cell, Cell]]:
    """The cells of two lines that share a row, or a column."""
    other = {(cell.row if by_row else cell.column): cell for cell in right}
    return [
        (cell, other[name])
        for cell in left
        if (name := cell.row if by_row else cell.column) in other and other[name] is not cell
    ]


def _in_each_column(pairs: list[tuple[Cell, Cell]], said: Assertion) -> list[tuple[Cell, Cell]]:
    """The pairs of two rows whose columns are left open: all where the rows stand alike in each or each is meant, else none."""
    meant = said.quantifier == "every" or {t.lower for t in tokens(said.text)} & {"both", "either"}
    return pairs if len(_orders(pairs)) == 1 or meant else []


def _sum_of(cells: Sequence[Cell]) -> Cell | None:
    return cells[0].with_value(sum(cell.value for cell in cells)) if cells else None


def _against_rest(form: Comparison, right: Sequence[Mention], figure: Figure) -> list[tuple[Cell, Cell]]:
    """“In every later year than it did in 2010”: one against all the rest."""
    if len(right) != 1 or len(columns_of(figure.row_cells(right[0].name))) != 1:
        return []
    mine = figure.row_cells(right[0].name)[0]
    since = time_in_name(mine.row) if form.left.words & {"later", "subsequent", "following"} else None
    rest = [cell for cell in figure.column_cells(mine.column) if cell.row != mine.row]
    return [(cell, mine) for cell in rest if since is None or (time_in_name(cell.row) or since) > since]


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
    """“Three times as many as”: the first as so many times the second."""
    factor = times.quantity.absolute
    wanted = factor * right.value
    holds = _is_multiple(times, left.value, right.value)
    near = abs(left.value - wanted) <= 0.15 * max(abs(wanted), 1e-9)
    if not holds and (left.estimated or right.estimated) and near:
        return missing(f"{shown}, estimated and too loosely to tell.")
    product = f"{number_text(factor)} times {number_text(right.value)} would be {number_text(wanted)}"
    return decide(holds, [left, right], f"{shown}: {product}.")


def _is_multiple(times: Amount, value: float, base: float) -> bool:
    factor, places = times.quantity.absolute, times.quantity.places
    wanted = factor * base
    if times.bound != "=":
        return value > wanted if times.bound[0] == ">" else value < wanted
    ratio = value / base if base else float("inf")
    rounded = places is not None and abs(ratio - factor) <= 0.5 * 10.0**-places + 1e-9
    return rounded or abs(value - wanted) <= (0.1 if times.hedged else 0.02) * max(abs(wanted), 1e-9)


def steps_finding(form: Comparison | Trend, figure: Figure) -> Finding:
    """“Each term is three times the previous one”, “3 more than the one before”."""
    amount = form.times or form.by
    if len(figure.cells) < 2 or amount is None:
        return missing(NOTHING_READ)
    stated = amount.quantity.absolute
    factor, step = (stated, 0.0) if form.times else (1.0, -stated if form.order == "less" else stated)
    steps = [([a, b], factor * a.value + step) for a, b in itertools.pairwise(figure.cells)]
    wrong = [pair for pair, wanted in steps if abs(pair[1].value - wanted) > 0.02 * max(abs(wanted), 1e-9)]
    return decide(not wrong, wrong[0] if wrong else figure.cells, f"the series reads {numbers_text(figure.cells)}.")


def _all_equal(about: Phrase, said: Assertion, figure: Figure) -> Finding:
    """“Ann and Cat have the same age”, “the value was the same in both years”."""
    where = figure.address(about, said.context, said.near)
    cells = where.ordered_cells()
    if len(cells) < 2 and len(where.rows) == 1 and not where.columns:
        cells = figure.row_cells(where.rows[0].name)
    if len(cells) < 2:
        return missing(_NOT_BOTH)
    if clash := conflict(about, cells[0], figure):
        return unread(clash)
    if any(too_close(cells[0], cell) for cell in cells[1:]):
        return missing("the values were only estimated and are too close to tell.")
    return decide(are_alike(in_one_unit(cells)), cells, f"the values read are {numbers_text(cells)}.")
