"""Numbers said of cells: one value, several things with one value each, lists, parts of a whole, and what is worked out in writing."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from evpv.language.forms import Amount, amount_text
from evpv.language.quantities import number_text, quantities
from evpv.premises.figure import Cell
from evpv.premises.matching.values import Finding, decide, in_words, missing, together, unread
from evpv.premises.statements.grid import is_whole
from evpv.premises.statements.numbers import Number
from evpv.premises.statements.strangers import is_strange, names_absent
from evpv.premises.statements.verdicts import agrees, held, is_part, pure, settled
from evpv.premises.statements.views import NEAR, OPEN, OWN, STRANGE, UNCLEAR, View, span

_EACH = frozenset("both each all every either also alike throughout always never".split())


def value_finding(v: View) -> Finding:
    """What the numbers of a piece are held against."""
    if not v.own_rows and names_absent(v.piece, v.grid):
        return unread(STRANGE)
    if len(v.amounts) > 1:
        return _several(v)
    if not v.rows and all(c.estimated and agrees(v.amounts[0], c) == "different" for c in v.grid.model.cells):
        return decide(False, v.grid.model.cells[:1], "the number is near nothing that was measured.")
    amount, number = v.amounts[0], v.piece.numbers[0]
    further = any(cue.tag in ("more", "less") and 0 < cue.first - number.last <= 3 for cue in v.piece.cues)
    if (further or v.has("extra", "additional")) and not v.piece.has("than"):
        return settled([_apart_from_another(v, amount)], v, sure=False)
    every = amount.bound != "=" and v.has("never", "always", "all", "every", "each", "period")
    one = len(v.rows) < 2 and (len(v.columns) < 2 or len(v.grid.columns) < 2)
    plain = (
        (one or bool(_EACH & {*v.piece.words}))
        and _is_plain(v)
        and not _only_worded(v, number)
        and not _says_more(v)
        and not _is_other_unit(v, amount)
    )
    return settled(_readings(v, amount), v, sure=plain or every, leans=not every)


_REACHING = frozenset("others rest remaining another extra additional unlike former latter".split())
"""Words by which a piece says more of its number than that it is a value."""


def _says_more(v: View) -> bool:
    """Whether a piece relates its number to something that was not understood."""
    taken = {i for name in v.piece.names for i in name.places}
    bound = {i for n in v.piece.numbers for i in range(n.first - 3, n.first) if n.stated.amount.bound != "="}
    words = {w for i, w in enumerate(v.piece.words, v.piece.first) if i not in taken and i not in bound}
    return bool(words & _REACHING - v.grid.vocabulary)


def _is_other_unit(v: View, amount: Amount) -> bool:
    """Whether a percentage is said of what is measured otherwise."""
    return amount.quantity.unit == "percent" and any(c.unit != "percent" and abs(c.value) > 100 for c in v.cells())


def _only_worded(v: View, number: Number) -> bool:
    """Whether a small number in words, of nothing that the figure has, may count something else: “two categories”."""
    quantity = number.stated.amount.quantity
    if not quantity.spelled or quantity.unit or not 0 < quantity.value <= 12 or not quantity.value.is_integer():
        return False
    after = [t for t in v.piece.sentence.tokens[number.last + 1 : number.last + 3] if t.is_word]
    return bool(after) and not any(t.stem in v.grid.vocabulary or t.stem in ("person", "student") for t in after)


def _apart_from_another(v: View, amount: Amount) -> Finding | None:
    """“Isaiah took 32 more strokes”: more than another that is not named."""
    for cell in v.cells() if v.rows else ():
        for other in v.grid.cells(v.grid.rows, [cell.column]):
            if other is not cell and agrees(amount, cell.with_value(abs(cell.value - other.value))) == "same":
                return decide(True, [cell, other], _apart([cell, other]))
    return missing("it is open than what it is more.")


def _is_plain(v: View) -> bool:
    """Whether row and column are named, or there is only one that can be meant."""
    if v.row_from == OPEN:
        return False
    return v.column_from in (OWN, NEAR) or v.own_rows != () or v.pronoun


def _readings(v: View, amount: Amount) -> Iterator[Finding | None]:
    """The ways to take one number, the likeliest first."""
    reach = amount.bound != "=" or amount.high is not None or bool(_EACH & {*v.piece.words})
    rows = (span(v, "row") if reach else ()) or v.rows
    columns = (span(v, "column") if reach else ()) or v.columns
    cells = v.grid.cells(rows, columns or v.open_columns())
    if not cells and rows and not v.own_columns:
        cells = v.grid.cells(rows, v.grid.columns)
    if not rows:
        yield from _of_no_row(v, amount, v.cells())
    elif not cells:
        yield unread("the figure has no value where the claim looks for one.")
    elif is_part(amount) and cells[0].unit != "percent":
        yield from _derived(v, amount, cells)
        yield _part_of_other(v, amount)
        yield _wrong_part(v, amount, cells)
    elif len(cells) == 1:
        yield _single(amount, cells[0])
        yield from _derived(v, amount, cells)
        yield _part_of_other(v, amount) if is_part(amount) else None
    elif not columns:
        yield from (_single(amount, cell) for cell in cells)
        yield _sum(amount, cells) if v.grid.uniform else None
        if len(cells) == 2:
            yield _true(held(amount, abs(cells[0].value - cells[1].value), cells, _apart(cells)))
        yield from _derived(v, amount, cells)
    else:
        yield from _of_several(v, amount, cells)


def _part_of_other(v: View, amount: Amount) -> Finding | None:
    """“Agriculture emits a quarter of what energy does”: one named thing as a part of another."""
    rows = (*v.given_rows[:1], *v.own_rows) if len(v.own_rows) == 1 else v.own_rows
    cells = v.grid.cells(dict.fromkeys(rows), v.columns or v.open_columns()[:1])
    if len(cells) != 2 or not cells[1].value:
        return None
    part = cells[0].value / cells[1].value
    near = amount.hedged and abs(part - amount.quantity.value) <= 0.12 * amount.quantity.value
    return decide(True, cells, _apart(cells)) if near else _true(_part(amount, part, cells, _apart(cells), None))


def _wrong_part(v: View, amount: Amount, cells: Sequence[Cell]) -> Finding | None:
    """A part of the whole that the cells are not; of what else a part may be meant is open."""
    if not {"all", "total", "whole", "overall"} & {*v.piece.words}:
        return missing("it is open of what a part is meant.")
    whole = next(_wholes(v, cells))
    part = sum(cell.value for cell in cells) / (sum(cell.value for cell in whole) or 1.0)
    return _part(amount, part, cells, f"{number_text(round(100 * part, 3))}% of the whole.", None)


def _of_no_row(v: View, amount: Amount, cells: Sequence[Cell]) -> Iterator[Finding | None]:
    """A number of no row: all of a column (“never above 13”), one of it, or its sum."""
    if amount.bound != "=" or amount.high is not None or _EACH & {*v.piece.words}:
        yield each(amount, cells)
        if v.grid.uniform and _EACH & {*v.piece.words}:
            lines = [v.grid.cells([row], v.open_columns()) for row in v.grid.rivals(v.grid.rows)]
            yield each(amount, [line[0].with_value(sum(c.value for c in line)) for line in lines if line])
        return
    fits = [cell for cell in cells if agrees(amount, cell) == "same"]
    if fits and not is_strange(v):
        yield decide(True, fits[:1], f"{in_words(fits[0])}, as the claim says.")
    yield _sum(amount, [cell for cell in cells if not is_whole(cell.row)])
    yield missing(UNCLEAR)


def _of_several(v: View, amount: Amount, cells: Sequence[Cell]) -> Iterator[Finding | None]:
    """One number of several cells: each has it, or all together, or it is how far two are apart."""
    yield each(amount, cells)
    if len(v.own_rows) == len(v.own_columns) > 1:
        yield each(
            amount, [c for r, name in zip(v.own_rows, v.own_columns, strict=True) for c in v.grid.cells([r], [name])]
        )
    if not _EACH & {*v.piece.words} or "all" in v.piece.words:
        yield _sum(amount, cells)
    if len(cells) == 2:
        yield held(amount, abs(cells[0].value - cells[1].value), cells, _apart(cells))
    if v.row_from != OWN or v.column_from != OWN:
        yield from (_single(amount, cell) for cell in cells)
    yield from _derived(v, amount, cells)


def _apart(cells: Sequence[Cell]) -> str:
    return f"{in_words(cells[0])} and {in_words(cells[1])}."


def _single(amount: Amount, cell: Cell) -> Finding | None:
    result = agrees(amount, cell)
    if result == "unclear":
        return missing(f"{in_words(cell)}, which cannot be told from what the claim says.")
    holds = result == "same"
    return decide(
        holds, [cell], f"{in_words(cell)}, {'as the claim says' if holds else f'the claim says {amount_text(amount)}'}."
    )


def each(amount: Amount, cells: Sequence[Cell]) -> Finding | None:
    """Whether an amount is right of every one of some cells."""
    found = [agrees(amount, cell) for cell in cells]
    wrong = [cell for cell, result in zip(cells, found, strict=True) if result == "different"]
    if wrong:
        return decide(False, wrong[:1], f"{in_words(wrong[0])}, the claim says {amount_text(amount)}.")
    if "unclear" in found or not cells:
        return None
    return decide(True, cells, f"all {len(cells)} values are {amount_text(amount)}.")


def _sum(amount: Amount, cells: Sequence[Cell]) -> Finding | None:
    total = sum(cell.value for cell in cells)
    return held(amount, total, cells, f"the {len(cells)} values add up to {number_text(round(total, 9))}.")


def _derived(v: View, amount: Amount, cells: Sequence[Cell]) -> Iterator[Finding | None]:
    """What a number may be that is not the value itself: a part or percentage of a whole, the size of a negative value."""
    quantity = amount.quantity
    for whole in _wholes(v, cells):
        total = sum(cell.value for cell in whole)
        if not total:
            continue
        part = sum(cell.value for cell in cells) / total
        words = f"{number_text(round(100 * part, 6))}% of {number_text(round(total, 9))}."
        if quantity.unit == "percent":
            yield _true(_part(amount, 100 * part, cells, words, "percent"))
        elif is_part(amount):
            yield _true(_part(amount, part, cells, words, None))
    if len(cells) == 1 and cells[0].value < 0 < quantity.value and amount.bound == "=":
        yield _true(held(amount, -cells[0].value, cells, f"{in_words(cells[0])}."))


def _part(amount: Amount, part: float, cells: Sequence[Cell], words: str, unit: str | None) -> Finding | None:
    return decide(agrees(amount, pure(cells[0], part, unit)) == "same", cells, words)


def _true(found: Finding | None) -> Finding | None:
    """A reading that can only speak for a claim."""
    return found if found is not None and found.verdict == "supported" else None


def _wholes(v: View, cells: Sequence[Cell]) -> Iterator[list[Cell]]:
    """What the cells are a part of: their column, their row."""
    columns, rows = {cell.column for cell in cells}, {cell.row for cell in cells}
    yield [c for c in v.grid.cells(v.grid.rows, columns) if not is_whole(c.row)]
    if len(v.grid.columns) > 1:
        yield [c for c in v.grid.cells(rows, v.grid.columns) if not is_whole(c.column)]
        yield [c for c in v.grid.model.cells if not is_whole(c.row) and not is_whole(c.column)]


def _several(v: View) -> Finding:
    """Several numbers: one for each of several names, all of a row or column in order, or a value and what it is a part of."""
    if _is_out_of(v):
        return _each_alone(v)
    zipped = [found for cells in _lists(v) if (found := _paired(v.amounts, cells))]
    if not any(found.verdict == "supported" for found in zipped) and len(v.amounts) > 3 and not v.own_rows:
        return _whole_list(v)
    if zipped:
        return settled(zipped, v, sure=bool(v.own_rows or v.own_columns or not v.piece.aside))
    return _each_alone(v)


def _is_out_of(v: View) -> bool:
    """“103 of the 151 liters”: a part and its whole."""
    first, second = v.piece.numbers[:2]
    return (
        "of" in v.piece.sentence.words[first.last + 1 : min(second.first, first.last + 4)]
        and second.first - first.last <= 6
    )


def _paired(amounts: Sequence[Amount], cells: Sequence[Cell]) -> Finding | None:
    if len(amounts) != len(cells):
        return None
    found = [_single(amount, cell) for amount, cell in zip(amounts, cells, strict=True)]
    return together([one for one in found if one])


def _lists(v: View) -> Iterator[list[Cell]]:
    """The cells that as many numbers may be said of, in order."""
    many = len(v.amounts)
    grid = v.grid
    rows = [r for r in (span(v, "row"), v.rows) if len(r) == many]
    columns = [c for c in (span(v, "column"), v.columns) if len(c) == many]
    single_columns = (v.columns or v.open_columns()) if len(v.columns) < 2 else ()
    for names in rows:
        yield from (grid.cells(names, [column]) for column in single_columns)
    for names in columns:
        if len(grid.columns) > 1:
            yield from (grid.cells([row], names) for row in (v.rows if len(v.rows) == 1 else ()))
    if len(v.rows) > 1 and len(v.columns) > 1 and len(v.rows) * len(v.columns) == many:
        yield grid.cells(v.rows, v.columns)
        yield [cell for column in v.columns for cell in grid.cells(v.rows, [column])]
    if not v.own_rows and many == len(grid.rows):
        yield from (grid.cells(grid.rows, [column]) for column in single_columns)
    if not v.own_columns and many == len(grid.columns) > 1:
        yield from (grid.cells([row], grid.columns) for row in (v.rows if len(v.rows) == 1 else ()))


def _whole_list(v: View) -> Finding:
    """A bare list of many numbers, in the figure's order or sorted."""
    said = sorted(amount.quantity.absolute for amount in v.amounts)
    for column in v.columns or v.open_columns():
        cells = [cell for cell in v.grid.cells(v.grid.rows, [column]) if not is_whole(cell.row)]
        known = sorted(cell.value for cell in cells)
        if said == known:
            return decide(True, cells, f"these are the {len(cells)} values of the figure.")
        if len(said) == len(known):
            odd = next(
                cell for cell in cells if cell.value not in said or known.count(cell.value) != said.count(cell.value)
            )
            return decide(False, [odd], f"{in_words(odd)}, which the claim does not list as often.")
    return missing("its list has more or fewer numbers than the figure.")


def _each_alone(v: View) -> Finding:
    """Numbers that do not fall to one name each: every one must be explained, none is held against the claim unless all are wrong."""
    if (times := _multiple(v)) is not None:
        return settled([times], v)
    found = [settled(_readings(v, amount), v, sure=False) for amount in v.amounts]
    if all(one.verdict == "supported" for one in found):
        return found[0]
    cells = v.cells()
    pool = [
        *cells,
        *(c.with_value(abs(a.value - b.value)) for a, b in itertools.combinations(cells[:8], 2) for c in (a,)),
    ]
    wholes = (
        [cells, *_wholes(v, cells), *(v.grid.cells(v.grid.rows, [name]) for name in v.grid.columns)] if cells else []
    )
    totals = [w[0].with_value(sum(c.value for c in w)) for w in wholes if w]
    explained = [any(agrees(a, cell) == "same" for cell in (*pool, *totals)) for a in v.amounts]
    if all(explained):
        return decide(True, cells[:1], "its numbers are those of what it names.")
    if len(cells) == 1 and not any(explained) and v.is_bound:
        return settled([_single(v.amounts[0], cells[0])], v)
    return missing(UNCLEAR)


def _multiple(v: View) -> Finding | None:
    """“Two umbrellas cost $18”: so many of a thing at its price."""
    many, other = v.piece.numbers[:2]
    name = next((n for n in v.piece.names if 0 < n.first - many.last <= 3), None)
    cells = v.cells()
    counted = many.stated.amount.quantity
    if (
        name is None
        or len(cells) != 1
        or not other.stated.amount.quantity.unit
        or not counted.value.is_integer()
        or counted.unit
    ):
        return None
    return held(other.stated.amount, counted.value * cells[0].value, cells, f"{in_words(cells[0])}.")


# Calculations that are written out.


def calculation_finding(v: View) -> Finding | None:
    """The numbers that a calculation starts from, where it says of what: they are readings; what comes out is left to the judge."""
    sentence = v.piece.sentence
    tokens = v.piece.tokens
    start, end = next((a, b) for a, b in sentence.calculated if a < tokens[-1].end and b > tokens[0].start)
    left = sentence.text[start:end].split("=")[0]
    terms = [quantity for quantity in quantities(left) if not quantity.is_year]
    if len(terms) < 2 or set(left) & set("×*÷/"):
        return None
    amounts = [Amount(quantity=quantity) for quantity in terms]
    if v.row_from not in (OWN, NEAR):
        return _whole_column(v, amounts) if len(terms) > 2 else None
    for cells in (v.cells(), [c for c in v.cells() if not is_whole(c.row) and not is_whole(c.column)]):
        if len(cells) == len(amounts):
            return _same_terms(amounts, cells)
    around = v.grid.cells(v.own_rows, v.grid.columns)
    if around and all(any(agrees(amount, cell) == "same" for cell in around) for amount in amounts):
        return decide(True, around, "its terms are values that were read.")
    return None


def _whole_column(v: View, amounts: Sequence[Amount]) -> Finding | None:
    """The terms of a sum over a whole column."""
    columns = [
        [c for c in v.grid.cells(v.grid.rows, [name]) if not is_whole(c.row)] for name in v.columns or v.open_columns()
    ]
    rows = [v.grid.cells([row], v.grid.columns) for row in v.grid.rows] if len(v.grid.columns) > 1 else []
    found = [one for cells in (*columns, *rows) if len(cells) == len(amounts) and (one := _same_terms(amounts, cells))]
    right = next((one for one in found if one.verdict == "supported"), None)
    return right or (found[0] if len(found) == 1 and len(amounts) > 3 else None)


def _same_terms(amounts: Sequence[Amount], cells: Sequence[Cell]) -> Finding | None:
    """Terms and cells in any order; all but one alike make that one wrong."""
    left = list(cells)
    odd: list[Amount] = []
    for amount in amounts:
        home = next((cell for cell in left if agrees(amount, cell) == "same"), None)
        if home is None:
            odd.append(amount)
        else:
            left.remove(home)
    if not odd:
        return decide(True, cells, "its terms are the values that were read.")
    if len(odd) == 1 and len(cells) > 1:
        return decide(False, left, f"{in_words(left[0])}, the calculation has {amount_text(odd[0])}.")
    return None
