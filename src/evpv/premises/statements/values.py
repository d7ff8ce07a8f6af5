"""Numbers said of cells: one value, several things with one value each, lists, parts of a whole, and what is worked out in writing.

A number is taken for the value of what is named first; where it is not, it may be a sum of several, how far two are apart, a part of a whole.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence

from evpv.language.forms import Amount, amount_text
from evpv.language.lexicon import BELOW_ZERO, NEGATIVE_NOUNS
from evpv.language.quantities import number_text
from evpv.premises.figure import Cell
from evpv.premises.matching.values import Finding, decide, in_words, missing, together, unread
from evpv.premises.statements.gaps import from_to_finding, gap_finding, holds_changes, is_gap
from evpv.premises.statements.grid import is_whole
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
    always = v.has_bound and v.has_any(_ALWAYS)
    return decision(_readings(v, amount), v, sure=always or _is_plain(v), leans=not always)


def _is_near_nothing(v: View, amount: Amount) -> bool:
    return all(cell.estimated and agrees(amount, cell) == "different" for cell in v.grid.model.cells)


# One number: how plain it is what it is said of.


def _is_plain(v: View) -> bool:
    """Whether row and column are named, or there is only one that can be meant, and the number is only said to be their value, and is no
    percentage of what is measured otherwise."""
    several = max(len(v.rows), len(v.columns)) > 1
    if v.row_from == OPEN or (several and not v.has_any(_EACH)):
        return False
    if v.column_from > NEAR and not v.own_rows and not v.pronoun:
        return False
    return not (_is_strange_percentage(v) or _may_count_others(v) or _says_more(v))


def _is_strange_percentage(v: View) -> bool:
    return any(v.amounts[0].quantity.unit == "percent" != c.unit and abs(c.value) > 100 for c in v.cells)


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


def _may_count_others(v: View) -> bool:
    """Whether a small number in words, of nothing that the figure has, may count something else: “two categories”."""
    number = v.piece.numbers[0]
    quantity = number.amount.quantity
    counts = quantity.spelled and not quantity.unit and quantity.value in range(1, 13)
    if not counts or "frequency" in v.grid.model.columns.frequency:
        return False
    if ("column", number.first - 1) in ((name.axis, name.last) for name in v.piece.names):
        return False
    after = [t.stem for t in v.piece.sentence.tokens[number.last + 1 : number.last + 3] if t.is_word]
    return bool(after) and (v.grid.vocabulary | {"person", "student"}).isdisjoint(after)


# One number: the ways to take it, the likeliest first.


def _readings(v: View, amount: Amount) -> Iterator[Finding | None]:
    rows, columns = v.rows, v.columns
    if _reaches_over_span(v, amount):
        rows, columns = v.row_span or rows, v.column_span or columns
    if not rows:
        return _readings_of_no_row(v, amount)
    cells = _cells_meant(v, rows, columns)
    if not cells:
        return iter([unread("the figure has no value where the claim looks for one.")])
    if is_part(amount) and cells[0].unit != "percent":
        return _readings_of_part(v, amount, cells)
    several = len(cells) > 1 and columns != ()
    return _readings_of_cells(v, amount, cells) if several else _readings_of_row(v, amount, cells)


def _cells_meant(v: View, rows: Sequence[str], columns: Sequence[str]) -> Sequence[Cell]:
    """The cells of some rows; where they have none in the columns that are meant, those of all, unless it names these itself."""
    meant = v.grid.cells(rows, columns or v.open_columns)
    return meant or v.grid.cells(rows, () if v.own_columns else v.grid.columns)


def _reaches_over_span(v: View, amount: Amount) -> bool:
    """Whether a number is said of all that a span takes in: a bound, a range, or “each”."""
    return amount.bound != "=" or amount.high is not None or v.has_any(_EACH)


def _readings_of_no_row(v: View, amount: Amount) -> Iterator[Finding | None]:
    """A number of no row: all of a column (“never above 13”), one of it, or its sum."""
    if _reaches_over_span(v, amount):
        yield finding_of_each(amount, v.cells)
        if v.grid.uniform and v.has_any(_EACH):
            lines = (v.grid.cells([row], v.open_columns) for row in v.grid.rivals(v.grid.rows))
            yield finding_of_each(amount, [line[0].with_value(_total(line)) for line in filter(None, lines)])
        return
    fits = next((cell for cell in v.cells if agrees(amount, cell) == "same"), None)
    if fits and not is_strange(v):
        yield decide(True, [fits], f"{in_words(fits)}, as the claim says.")
    yield _sum_finding(amount, without_totals(v.cells, by_column=False))
    yield missing(UNCLEAR)


def _readings_of_part(v: View, amount: Amount, cells: Sequence[Cell]) -> Iterator[Finding | None]:
    """“Half”, “a third”: of a whole, of another that is named; of what else a part may be meant is open."""
    yield from _derived_findings(v, amount, cells)
    yield _part_of_other_finding(v, amount)
    if not v.has("all", "total", "whole", "overall"):
        yield missing("it is open of what a part is meant.")
        return
    part = _total(cells) / (_total(next(_wholes(v, cells))) or 1.0)
    yield _part_finding(amount, part, cells, f"{number_text(round(100 * part, 3))}% of the whole.")


def _readings_of_row(v: View, amount: Amount, cells: Sequence[Cell]) -> Iterator[Finding | None]:
    """A number of one cell, or of a row whose column is open: one of its values, all together, or how far two are apart."""
    if len(cells) == 1 and _is_lost_gain(v, amount, cells[0]):
        yield decide(False, cells, f"{in_words(cells[0])}, which is above zero.")
        return
    yield from (_cell_finding(amount, cell) for cell in cells)
    if len(cells) > 1:
        yield _sum_finding(amount, cells) if v.grid.uniform else None
        yield if_right(_gap_finding(amount, cells)) if len(cells) == 2 else None
    yield from _derived_findings(v, amount, cells)
    yield _part_of_other_finding(v, amount) if is_part(amount) and len(cells) == 1 else None


def _is_lost_gain(v: View, amount: Amount, cell: Cell) -> bool:
    """Whether a loss is said of what is a gain, where the column has values below zero."""
    lost = amount.quantity.value > 0 and v.has_any(NEGATIVE_NOUNS - v.grid.vocabulary)
    return lost and cell.value > 0 and any(other.value < 0 for other in v.grid.cells(v.grid.rows, [cell.column]))


def _readings_of_cells(v: View, amount: Amount, cells: Sequence[Cell]) -> Iterator[Finding | None]:
    """One number of several cells: each has it, or all together, or it is how far two are apart."""
    yield finding_of_each(amount, cells)
    if len(v.own_rows) == len(v.own_columns) > 1:
        in_turn = zip(v.own_rows, v.own_columns, strict=True)
        yield finding_of_each(amount, [*filter(None, map(v.grid.at.get, in_turn))])
    if amount.bound == "=" and (v.has("all") or not v.has_any(_EACH)):
        yield _sum_finding(amount, cells)
        if v.row_span and len(v.columns) == 1:
            yield if_right(_sum_finding(amount, v.grid.cells(v.row_span, v.columns)))
    if len(cells) == 2:
        yield _gap_finding(amount, cells)
    if (v.row_from, v.column_from) != (OWN, OWN):
        yield from (_cell_finding(amount, cell) for cell in cells)
    yield from _derived_findings(v, amount, cells)


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


def _sum_finding(amount: Amount, cells: Sequence[Cell]) -> Finding | None:
    total = _total(cells)
    return outcome_finding(amount, total, cells, f"the {len(cells)} values add up to {number_text(round(total, 9))}.")


def _gap_finding(amount: Amount, cells: Sequence[Cell]) -> Finding | None:
    a, b = cells
    return outcome_finding(amount, abs(a.value - b.value), cells, f"{in_words(a)} and {in_words(b)}.")


# Parts of a whole.


def _derived_findings(v: View, amount: Amount, cells: Sequence[Cell]) -> Iterator[Finding | None]:
    """What a number may be that is not the value itself: a part or percentage of a whole, or only its size."""
    if (amount.quantity.unit == "percent" or is_part(amount)) and cells[0].unit != "percent":
        for whole in _wholes(v, cells):
            total = _total(whole) if len(whole) > len(cells) else 0.0
            if total:
                part = _total(cells) / total
                words = f"{number_text(round(100 * part, 6))}% of {number_text(round(total, 9))}."
                yield if_right(_part_finding(amount, part, cells, words))
    if len(cells) == 1 and cells[0].value < 0 < amount.quantity.value and amount.bound == "=":
        yield _size_finding(v, amount, cells)


def _size_finding(v: View, amount: Amount, cells: Sequence[Cell]) -> Finding | None:
    """The size of a negative value whose sign is left to the words: “fell by 3”, “3 degrees below zero”."""
    moves = [cue for cue in v.piece.sentence.cues if cue.tag in ("rises", "falls") and cue.first < v.piece.stop]
    rises = v.piece.has("rises") or (moves and moves[-1].tag == "rises")  # “grew by 3%, toy sales by 2%”
    by = v.piece.numbers[0].role == "by" and not rises and holds_changes(cells[0].column)
    size = outcome_finding(amount, -cells[0].value, cells, f"{in_words(cells[0])}.")
    return if_right(size) if by or v.has_any(BELOW_ZERO) else None


def _part_of_other_finding(v: View, amount: Amount) -> Finding | None:
    """“Agriculture emits a quarter of what energy does”: one named thing as a part of another."""
    rows = (*v.given_rows[:1], *v.own_rows) if len(v.own_rows) == 1 else v.own_rows
    cells = v.grid.cells(dict.fromkeys(rows), v.columns or v.open_columns[:1])
    if len(cells) != 2 or not cells[1].value:
        return None
    part, words = cells[0].value / cells[1].value, f"{in_words(cells[0])} and {in_words(cells[1])}."
    if amount.hedged and abs(part - amount.quantity.value) <= 0.12 * amount.quantity.value:
        return decide(True, cells, words)
    return if_right(_part_finding(amount, part, cells, words))


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
    first, second = v.piece.numbers[:2]
    between = v.piece.sentence.words[first.last + 1 : min(second.first, first.last + 4)]
    if "of" in between and second.first - first.last <= 6:  # “103 of the 151 liters”
        return _finding_of_each_alone(v)
    return from_to_finding(v) or _finding_in_order(v)


def _finding_in_order(v: View) -> Finding:
    lists = (cells for cells in _lists(v) if len(cells) == len(v.amounts))
    found = [together([*map(_cell_finding, v.amounts, cells)]) for cells in lists]
    if len(v.amounts) > 3 and not v.own_rows and not any(one.verdict == "supported" for one in found):
        return _whole_list_finding(v)
    return decision(found, v, sure=v.is_named or not v.piece.aside) if found else _finding_of_each_alone(v)


def _lists(v: View) -> Iterator[list[Cell]]:
    """The cells that as many numbers may be said of, in order."""
    grid, many = v.grid, len(v.amounts)
    if len(v.columns) < 2:
        yield from _lists_in_columns(v)
    if len(v.rows) == 1:
        columns = (v.column_span, v.columns, () if v.own_columns else grid.columns)
        yield from (grid.cells(v.rows, names) for names in columns if len(names) == many)
    elif len(v.columns) > 1:
        yield grid.cells(v.rows, v.columns)
        yield [cell for column in v.columns for cell in grid.cells(v.rows, [column])]


def _lists_in_columns(v: View) -> Iterator[list[Cell]]:
    for rows in (v.row_span, v.rows, _rows_after(v), () if v.own_rows else v.grid.rows):
        if len(rows) == len(v.amounts):
            yield from (v.grid.cells(rows, [column]) for column in v.likely_columns)


def _rows_after(v: View) -> Sequence[str]:
    """As many times as there are numbers, from the one behind that which was spoken of: “After 2013 it fell: 1.46, 1.29, 1.22”."""
    line = v.grid.line_rows
    name = next((n for n in v.piece.sentence.names if (n.name,) == v.rows and n.name in line), None)
    if name is None or v.own_rows or v.piece.sentence.before(name) not in ("after", "since"):
        return ()
    return line[line.index(name.name) + 1 :][: len(v.amounts)]


def _whole_list_finding(v: View) -> Finding:
    """A bare list of many numbers, in the figure's order or sorted."""
    said = Counter(amount.quantity.absolute for amount in v.amounts)
    columns = (without_totals(v.grid.cells(v.grid.rows, [name]), by_column=False) for name in v.likely_columns)
    listed = [cells for cells in columns if len(cells) == len(v.amounts)]
    if not listed:
        return missing("its list has more or fewer numbers than the figure.")
    apart = [_unlisted_cells(cells, said) for cells in listed]
    odd = min(apart, key=len)
    if not odd:
        cells = listed[apart.index(odd)]
        return decide(True, cells, f"these are the {len(cells)} values of the figure.")
    words = f"{in_words(odd[0])}, which the claim does not list as often."
    return decide(False, odd, words) if len(listed) == 1 or len(odd) == 1 else missing(words)


def _unlisted_cells(cells: Sequence[Cell], said: Counter[float]) -> list[Cell]:
    """The cells whose value is not listed as often as they have it."""
    known = Counter(cell.value for cell in cells)
    return [cell for cell in cells if known[cell.value] > said[cell.value]]


def _finding_of_each_alone(v: View) -> Finding:
    """Numbers that do not fall to one name each: every one must be explained, none is held against the claim unless all are wrong."""
    if (times := _multiple_finding(v)) is not None:
        return decision([times], v)
    found = [decision(_readings(v, amount), v, sure=False) for amount in v.amounts]
    if all(map(if_right, found)):
        return found[0]
    pool = _cells_and_outcomes(v)
    explained = {any(agrees(amount, cell) == "same" for cell in pool) for amount in v.amounts}
    if explained == {True}:
        return decide(True, v.cells[:1], "its numbers are those of what it names.")
    if explained == {False} and len(v.cells) == 1 and v.is_bound:
        return decision([_cell_finding(v.amounts[0], v.cells[0])], v)
    return missing(UNCLEAR)


def _cells_and_outcomes(v: View) -> list[Cell]:
    """The cells that are named, how far any two are apart, and the sums that they are part of."""
    cells = v.cells
    apart = [a.with_value(abs(a.value - b.value)) for a, b in itertools.combinations(cells[:8], 2)]
    columns = (v.grid.cells(v.grid.rows, [name]) for name in v.grid.columns)
    wholes = [cells, *_wholes(v, cells), *columns] if cells else []
    return [*cells, *apart, *(whole[0].with_value(_total(whole)) for whole in wholes if whole)]


def _multiple_finding(v: View) -> Finding | None:
    """“Two umbrellas cost $18”: so many of a thing at its price."""
    many, other = v.piece.numbers[:2]
    counted = many.amount.quantity
    if len(v.cells) != 1 or not other.amount.quantity.unit or counted.unit or not counted.value.is_integer():
        return None
    if not any(0 < name.first - many.last <= 3 for name in v.piece.names):
        return None
    return outcome_finding(other.amount, counted.value * v.cells[0].value, v.cells, f"{in_words(v.cells[0])}.")
