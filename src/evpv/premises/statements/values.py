"""Numbers said of cells: one value, several things with one value each, lists, parts of a whole, and what is worked out in writing.

A number is taken for the value of what is named first; where it is not, it may be a sum of several, how far two are apart, a part of a whole.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from evpv.language.forms import Amount, amount_text
from evpv.language.lexicon import BELOW_ZERO, NEGATIVE_NOUNS
from evpv.language.quantities import Quantity, number_text
from evpv.premises.figure import Cell
from evpv.premises.matching.values import Finding, decide, in_words, missing, together, unread
from evpv.premises.statements.gaps import from_to_finding, gap_finding, holds_changes, is_gap
from evpv.premises.statements.grid import is_whole
from evpv.premises.statements.numbers import StatedNumber
from evpv.premises.statements.strangers import is_strange, names_absent
from evpv.premises.statements.tallies import tally_finding
from evpv.premises.statements.verdicts import agrees, decision, is_part, outcome_finding, pure
from evpv.premises.statements.views import NEAR, OPEN, OWN, STRANGE, UNCLEAR, View

_EACH = frozenset("both each all every either also alike throughout always never".split())
_ALWAYS = frozenset("never always all every each period".split())


def value_finding(v: View) -> Finding:
    """What the numbers of a piece are held against."""
    if not v.own_rows and names_absent(v.piece, v.grid):
        return unread(STRANGE)
    if len(v.amounts) > 1:
        return _several_finding(v)
    amount = v.amounts[0]
    if not v.rows and _is_near_nothing(v, amount):
        return decide(False, v.grid.model.cells[:1], "the number is near nothing that was measured.")
    if is_gap(v):
        return gap_finding(v, amount)
    tally = tally_finding(v)
    if tally is not None:
        return decision([tally], v)
    every = v.has_bound and v.has_any(_ALWAYS)
    return decision(_readings(v, amount), v, sure=every or _is_plain(v), leans=not every)


def _is_near_nothing(v: View, amount: Amount) -> bool:
    return all(c.estimated and agrees(amount, c) == "different" for c in v.grid.model.cells)


# One number: how plain it is what it is said of.


def _is_plain(v: View) -> bool:
    """Whether row and column are named, or there is only one that can be meant, and the number is only said to be their value."""
    several = len(v.rows) > 1 or len(v.columns) > 1
    if v.row_from == OPEN or (several and not v.has_any(_EACH)):
        return False
    if v.column_from > NEAR and not v.own_rows and not v.pronoun:
        return False
    return not (_may_count_others(v, v.piece.numbers[0]) or _says_more(v) or _is_other_unit(v))


_REACHING = frozenset("others rest remaining another extra additional unlike former latter".split())
"""Words by which a piece says more of its number than that it is a value."""


def _says_more(v: View) -> bool:
    """Whether a piece relates its number to something that was not understood."""
    reaching = _REACHING - v.grid.vocabulary
    if not v.has_any(reaching):
        return False
    taken = {i for name in v.piece.names for i in name.places}
    taken |= {i for n in v.piece.numbers for i in range(n.first - 3, n.first) if n.amount.bound != "="}
    return any(word in reaching for i, word in enumerate(v.piece.words, v.piece.first) if i not in taken)


def _is_other_unit(v: View) -> bool:
    """Whether a percentage is said of what is measured otherwise."""
    if v.amounts[0].quantity.unit != "percent":
        return False
    return any(c.unit != "percent" and abs(c.value) > 100 for c in v.cells)


def _may_count_others(v: View, number: StatedNumber) -> bool:
    """Whether a small number in words, of nothing that the figure has, may count something else: “two categories”."""
    if not _is_small_count(number.amount.quantity) or "frequency" in v.grid.model.columns.frequency:
        return False
    if any(name.axis == "column" and name.last == number.first - 1 for name in v.piece.names):
        return False
    after = [t.stem for t in v.piece.sentence.tokens[number.last + 1 : number.last + 3] if t.is_word]
    return bool(after) and v.grid.vocabulary.isdisjoint(after) and {"person", "student"}.isdisjoint(after)


def _is_small_count(quantity: Quantity) -> bool:
    """Whether a number is in words, whole and at most “twelve”, as one counts things."""
    return quantity.spelled and not quantity.unit and 0 < quantity.value <= 12 and quantity.value.is_integer()


# One number: the ways to take it, the likeliest first.


def _readings(v: View, amount: Amount) -> Iterator[Finding | None]:
    rows, columns = v.rows, v.columns
    if _reaches_over_span(v, amount):
        rows, columns = v.row_span or rows, v.column_span or columns
    if not rows:
        return _readings_of_no_row(v, amount)
    cells = v.grid.cells(rows, columns or v.open_columns)
    if not cells:
        cells = v.grid.cells(rows, () if v.own_columns else v.grid.columns)
    return _readings_of_rows(v, amount, cells, several=len(cells) > 1 and columns != ())


def _readings_of_rows(v: View, amount: Amount, cells: Sequence[Cell], *, several: bool) -> Iterator[Finding | None]:
    if not cells:
        return iter([unread("the figure has no value where the claim looks for one.")])
    if is_part(amount) and cells[0].unit != "percent":
        return _readings_of_part(v, amount, cells)
    return _readings_of_cells(v, amount, cells) if several else _readings_of_row(v, amount, cells)


def _reaches_over_span(v: View, amount: Amount) -> bool:
    """Whether a number is said of all that a span takes in: a bound, a range, or “each”."""
    return amount.bound != "=" or amount.high is not None or v.has_any(_EACH)


def _readings_of_no_row(v: View, amount: Amount) -> Iterator[Finding | None]:
    """A number of no row: all of a column (“never above 13”), one of it, or its sum."""
    if _reaches_over_span(v, amount):
        yield finding_of_each(amount, v.cells)
        yield finding_of_each(amount, _row_totals(v)) if v.grid.uniform and v.has_any(_EACH) else None
        return
    fits = next((cell for cell in v.cells if agrees(amount, cell) == "same"), None)
    if fits and not is_strange(v):
        yield decide(True, [fits], f"{in_words(fits)}, as the claim says.")
    yield _sum_finding(amount, without_totals(v.cells, by_column=False))
    yield missing(UNCLEAR)


def _row_totals(v: View) -> list[Cell]:
    lines = (v.grid.cells([row], v.open_columns) for row in v.grid.rivals(v.grid.rows))
    return [_sum_cell(line) for line in lines if line]


def _readings_of_part(v: View, amount: Amount, cells: Sequence[Cell]) -> Iterator[Finding | None]:
    """“Half”, “a third”: of a whole, of another that is named; of what else a part may be meant is open."""
    yield from _derived_findings(v, amount, cells)
    yield _part_of_other_finding(v, amount)
    if not v.has("all", "total", "whole", "overall"):
        yield missing("it is open of what a part is meant.")
        return
    part = _total(cells) / (_total(next(_wholes(v, cells))) or 1.0)
    yield _part_finding(amount, part, cells, f"{number_text(round(100 * part, 3))}% of the whole.")


def _is_denied_by_sign(v: View, amount: Amount, cell: Cell) -> bool:
    """Whether a loss is said of what is a gain: the column has values below zero, and this is none."""
    if cell.value <= 0 or amount.quantity.value <= 0 or not v.has_any(NEGATIVE_NOUNS - v.grid.vocabulary):
        return False
    return any(other.value < 0 for other in v.grid.cells(v.grid.rows, [cell.column]))


def _readings_of_row(v: View, amount: Amount, cells: Sequence[Cell]) -> Iterator[Finding | None]:
    """A number of one cell, or of a row whose column is open: one of its values, all together, or how far two are apart."""
    if len(cells) == 1 and _is_denied_by_sign(v, amount, cells[0]):
        yield decide(False, cells, f"{in_words(cells[0])}, which is above zero.")
        return
    yield from (_cell_finding(amount, cell) for cell in cells)
    if len(cells) > 1:
        yield _sum_finding(amount, cells) if v.grid.uniform else None
        yield if_right(_gap_finding(amount, cells)) if len(cells) == 2 else None
    yield from _derived_findings(v, amount, cells)
    yield _part_of_other_finding(v, amount) if is_part(amount) and len(cells) == 1 else None


def _cells_in_turn(v: View) -> list[Cell]:
    """The cells of the first row and column that are named, of the second ones, and so on."""
    named = zip(v.own_rows, v.own_columns, strict=True)
    return [cell for row, column in named for cell in v.grid.cells([row], [column])]


def _readings_of_cells(v: View, amount: Amount, cells: Sequence[Cell]) -> Iterator[Finding | None]:
    """One number of several cells: each has it, or all together, or it is how far two are apart."""
    yield finding_of_each(amount, cells)
    if len(v.own_rows) == len(v.own_columns) > 1:
        yield finding_of_each(amount, _cells_in_turn(v))
    yield _sum_finding(amount, cells) if _may_be_sum(v, amount) else None
    if v.row_span and len(v.columns) == 1 and _may_be_sum(v, amount):
        yield if_right(_sum_finding(amount, v.grid.cells(v.row_span, v.columns)))
    if len(cells) == 2:
        yield _gap_finding(amount, cells)
    if v.row_from != OWN or v.column_from != OWN:
        yield from (_cell_finding(amount, cell) for cell in cells)
    yield from _derived_findings(v, amount, cells)


def _may_be_sum(v: View, amount: Amount) -> bool:
    return amount.bound == "=" and (not v.has_any(_EACH) or v.has("all"))


def _both(a: Cell, b: Cell) -> str:
    return f"{in_words(a)} and {in_words(b)}."


def _cell_finding(amount: Amount, cell: Cell) -> Finding:
    result = agrees(amount, cell)
    if result == "unclear":
        return missing(f"{in_words(cell)}, which cannot be told from what the claim says.")
    said = "as the claim says" if result == "same" else f"the claim says {amount_text(amount)}"
    return decide(result == "same", [cell], f"{in_words(cell)}, {said}.")


def finding_of_each(amount: Amount, cells: Sequence[Cell]) -> Finding | None:
    """Whether an amount is right of every one of some cells."""
    found = [agrees(amount, cell) for cell in cells]
    wrong = next((cell for cell, result in zip(cells, found, strict=True) if result == "different"), None)
    if wrong is not None:
        return decide(False, [wrong], f"{in_words(wrong)}, the claim says {amount_text(amount)}.")
    if "unclear" in found or not cells:
        return None
    return decide(True, cells, f"all {len(cells)} values are {amount_text(amount)}.")


def _total(cells: Sequence[Cell]) -> float:
    return sum(cell.value for cell in cells)


def _sum_cell(cells: Sequence[Cell]) -> Cell:
    return cells[0].with_value(_total(cells))


def _sum_finding(amount: Amount, cells: Sequence[Cell]) -> Finding | None:
    total = _total(cells)
    return outcome_finding(amount, total, cells, f"the {len(cells)} values add up to {number_text(round(total, 9))}.")


def _gap_finding(amount: Amount, cells: Sequence[Cell]) -> Finding | None:
    return outcome_finding(amount, abs(cells[0].value - cells[1].value), cells, _both(*cells))


# Parts of a whole.


def _derived_findings(v: View, amount: Amount, cells: Sequence[Cell]) -> Iterator[Finding | None]:
    """What a number may be that is not the value itself: a part or percentage of a whole, the size of a negative value."""
    if (amount.quantity.unit == "percent" or is_part(amount)) and cells[0].unit != "percent":
        totals = (_total(whole) for whole in _wholes(v, cells) if len(whole) > len(cells))
        yield from (if_right(_share_finding(amount, cells, total)) if total else None for total in totals)
    if _is_size_of_negative(v, amount, cells):
        yield if_right(outcome_finding(amount, -cells[0].value, cells, f"{in_words(cells[0])}."))


def _share_finding(amount: Amount, cells: Sequence[Cell], total: float) -> Finding:
    """Whether an amount is what the cells make of a total: “a third of all visitors”."""
    part = _total(cells) / total
    words = f"{number_text(round(100 * part, 6))}% of {number_text(round(total, 9))}."
    return _part_finding(amount, part, cells, words)


def _is_size_of_negative(v: View, amount: Amount, cells: Sequence[Cell]) -> bool:
    """Whether an amount leaves the sign to the words: “fell by 3”, “3 degrees below zero”."""
    if len(cells) != 1 or not cells[0].value < 0 < amount.quantity.value or amount.bound != "=":
        return False
    changed = v.piece.numbers[0].role == "by" and not v.piece.has("rises") and holds_changes(cells[0].column)
    return changed or v.has_any(BELOW_ZERO)


def _part_of_other_finding(v: View, amount: Amount) -> Finding | None:
    """“Agriculture emits a quarter of what energy does”: one named thing as a part of another."""
    rows = (*v.given_rows[:1], *v.own_rows) if len(v.own_rows) == 1 else v.own_rows
    cells = v.grid.cells(dict.fromkeys(rows), v.columns or v.open_columns[:1])
    if len(cells) != 2 or not cells[1].value:
        return None
    part = cells[0].value / cells[1].value
    if amount.hedged and abs(part - amount.quantity.value) <= 0.12 * amount.quantity.value:
        return decide(True, cells, _both(*cells))
    return if_right(_part_finding(amount, part, cells, _both(*cells)))


def _part_finding(amount: Amount, part: float, cells: Sequence[Cell], words: str) -> Finding:
    """Whether an amount is a part, or a percentage, that was worked out of cells."""
    percent = amount.quantity.unit == "percent"
    like = pure(cells[0], 100 * part, "percent") if percent else pure(cells[0], part)
    return decide(agrees(amount, like) == "same", cells, words)


def if_right(found: Finding | None) -> Finding | None:
    """A reading that can only speak for a claim."""
    return found if found is not None and found.verdict == "supported" else None


def _wholes(v: View, cells: Sequence[Cell]) -> Iterator[list[Cell]]:
    """What the cells are a part of: their column, their row, the whole figure."""
    columns, rows = {cell.column for cell in cells}, {cell.row for cell in cells}
    yield without_totals(v.grid.cells(v.grid.rows, columns), by_column=False)
    if len(v.grid.columns) > 1:
        yield [c for c in v.grid.cells(rows, v.grid.columns) if not is_whole(c.column)]
        yield without_totals(v.grid.model.cells)


def without_totals(cells: Sequence[Cell], *, by_column: bool = True) -> list[Cell]:
    """The cells of no row, and no column, that gives the whole of others."""
    return [c for c in cells if not is_whole(c.row) and not (by_column and is_whole(c.column))]


# Several numbers.


def _several_finding(v: View) -> Finding:
    """Several numbers: one for each of several names, all of a row or column in order, or a value and what it is a part of."""
    if _is_out_of(v):
        return _finding_of_each_alone(v)
    if (moved := from_to_finding(v)) is not None:
        return moved
    found = [_list_finding(v, cells) for cells in _lists(v) if len(cells) == len(v.amounts)]
    if _may_be_whole_list(v, found):
        return _whole_list_finding(v)
    return decision(found, v, sure=v.is_named or not v.piece.aside) if found else _finding_of_each_alone(v)


def _may_be_whole_list(v: View, found: Sequence[Finding]) -> bool:
    """Whether so many numbers of no row, none of them found right as a list, may be all that the figure has."""
    return len(v.amounts) > 3 and not v.own_rows and not any(one.verdict == "supported" for one in found)


def _list_finding(v: View, cells: Sequence[Cell]) -> Finding:
    return together([_cell_finding(*pair) for pair in zip(v.amounts, cells, strict=True)])


def _is_out_of(v: View) -> bool:
    """“103 of the 151 liters”: a part and its whole."""
    first, second = v.piece.numbers[:2]
    between = v.piece.sentence.words[first.last + 1 : min(second.first, first.last + 4)]
    return "of" in between and second.first - first.last <= 6


def _lists(v: View) -> Iterator[list[Cell]]:
    """The cells that as many numbers may be said of, in order."""
    grid = v.grid
    rows = _as_many((v.row_span, v.rows, () if v.own_rows else grid.rows), v)
    columns = _as_many((v.column_span, v.columns, () if v.own_columns else grid.columns), v)
    if len(v.columns) < 2:
        yield from itertools.starmap(grid.cells, itertools.product(rows, zip(v.likely_columns, strict=True)))
    if len(v.rows) == 1:
        yield from (grid.cells(v.rows, names) for names in columns)
    elif len(v.columns) > 1:
        yield grid.cells(v.rows, v.columns)
        yield [cell for column in v.columns for cell in grid.cells(v.rows, [column])]


def _as_many(groups: Sequence[Sequence[str]], v: View) -> list[Sequence[str]]:
    """The groups of as many names as the piece has numbers."""
    return [names for names in groups if len(names) == len(v.amounts)]


def _whole_list_finding(v: View) -> Finding:
    """A bare list of many numbers, in the figure's order or sorted."""
    said = sorted(amount.quantity.absolute for amount in v.amounts)
    columns = (without_totals(v.grid.cells(v.grid.rows, [name]), by_column=False) for name in v.likely_columns)
    listed = [cells for cells in columns if len(cells) == len(said)]
    if not listed:
        return missing("its list has more or fewer numbers than the figure.")
    apart = [_cells_not_listed(cells, said) for cells in listed]
    odd = min(apart, key=len)
    if not odd:
        cells = listed[apart.index(odd)]
        return decide(True, cells, f"these are the {len(cells)} values of the figure.")
    words = f"{in_words(odd[0])}, which the claim does not list as often."
    return decide(False, odd, words) if len(listed) == 1 or len(odd) == 1 else missing(words)


def _cells_not_listed(cells: Sequence[Cell], said: Sequence[float]) -> list[Cell]:
    """The cells whose values are not among some numbers as often as they are there."""
    known = [cell.value for cell in cells]
    return [cell for cell in cells if known.count(cell.value) > said.count(cell.value)]


def _finding_of_each_alone(v: View) -> Finding:
    """Numbers that do not fall to one name each: every one must be explained, none is held against the claim unless all are wrong."""
    if (times := _multiple_finding(v)) is not None:
        return decision([times], v)
    found = [decision(_readings(v, amount), v, sure=False) for amount in v.amounts]
    if {one.verdict for one in found} == {"supported"}:
        return found[0]
    explained = _explained_numbers(v)
    if explained == {True}:
        return decide(True, v.cells[:1], "its numbers are those of what it names.")
    if explained == {False} and len(v.cells) == 1 and v.is_bound:
        return decision([_cell_finding(v.amounts[0], v.cells[0])], v)
    return missing(UNCLEAR)


def _explained_numbers(v: View) -> set[bool]:
    """Whether each number is a cell that is named, or what such cells come to."""
    pool = _cells_and_outcomes(v)
    return {any(agrees(amount, cell) == "same" for cell in pool) for amount in v.amounts}


def _cells_and_outcomes(v: View) -> list[Cell]:
    """The cells that are named, how far any two are apart, and the sums that they are part of."""
    cells = v.cells
    apart = [a.with_value(abs(a.value - b.value)) for a, b in itertools.combinations(cells[:8], 2)]
    columns = (v.grid.cells(v.grid.rows, [name]) for name in v.grid.columns)
    wholes = [cells, *_wholes(v, cells), *columns] if cells else []
    return [*cells, *apart, *(_sum_cell(whole) for whole in wholes if whole)]


def _multiple_finding(v: View) -> Finding | None:
    """“Two umbrellas cost $18”: so many of a thing at its price."""
    many, other = v.piece.numbers[:2]
    counted = many.amount.quantity
    if len(v.cells) != 1 or not other.amount.quantity.unit or counted.unit or not counted.value.is_integer():
        return None
    if not any(0 < name.first - many.last <= 3 for name in v.piece.names):
        return None
    return outcome_finding(other.amount, counted.value * v.cells[0].value, v.cells, f"{in_words(v.cells[0])}.")
