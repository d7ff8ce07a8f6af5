"""What several ways to take a piece come to, and whether stated numbers and cells agree."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from evpv.language.forms import Amount
from evpv.premises.figure import Cell
from evpv.premises.matching.values import Finding, agreement, decide, missing
from evpv.premises.statements.numbers import Number
from evpv.premises.statements.strangers import is_strange
from evpv.premises.statements.views import TIMES, UNCLEAR, View


def settled(readings: Iterable[Finding | None], v: View, *, sure: bool = True, leans: bool = True) -> Finding:
    """The verdict of several readings, the likeliest first: right if one is, wrong if all are and what it is about is plain. `leans`: what
    it is about was taken from what was said before."""
    first: Finding | None = None
    many = 0
    for found in readings:
        if found is None:
            continue
        many += 1
        if found.verdict == "supported":
            signs = {f"reading {min(many, 4)}"} | (
                {"otherwise"} if first and first.verdict == "contradicted" else set()
            )
            wrong = first if first and first.verdict == "contradicted" else found.otherwise
            return replace(found, signs=found.signs | signs, otherwise=wrong)
        first = first or found
        if found.verdict == "missing":
            sure = False
    if first is None:
        return missing(UNCLEAR)
    if first.verdict != "contradicted":
        return first
    strange = is_strange(v, leans=leans)
    signs = {f"readings {min(many, 4)}"}
    signs |= {"unsure"} if not sure else set()
    signs |= {"unbound"} if leans and not v.is_bound else set()
    signs |= {"strange"} if strange else set()
    first = replace(first, signs=first.signs | signs)
    if not sure or (leans and not v.is_bound) or strange:
        return replace(first, verdict="missing", why_missing="doubted")
    return first


def agrees(amount: Amount, cell: Cell) -> str:
    """How an amount and a cell agree; a part in words, said of a percentage, is one."""
    quantity = amount.quantity
    if _bounds_other_percent(amount, cell):
        return "unclear"
    if cell.unit == "percent" and is_part(amount):
        quantity = replace(quantity, value=100 * quantity.value, unit="percent")
        amount = replace(amount, quantity=quantity)
        if amount.bound == "=":
            slack = _ROUGH if amount.hedged else 0.03
            return "same" if abs(cell.value - quantity.value) <= slack * quantity.value else "different"
    if cell.scale != 1.0 == quantity.scale and abs(quantity.value) >= cell.scale and quantity.places is not None:
        places = quantity.places + round(math.log10(cell.scale))
        amount = replace(
            amount, quantity=replace(quantity, value=quantity.value / cell.scale, scale=cell.scale, places=places)
        )
    return agreement(amount, cell)


def _bounds_other_percent(amount: Amount, cell: Cell) -> bool:
    """“More than a 100% hike”, of values that are no percentages."""
    bound = amount.bound != "=" and amount.quantity.unit == "percent"
    return bound and cell.unit != "percent" and abs(cell.value) > 100


_ROUGH = 0.12
"""How far from a half “almost half” may be."""


def is_part(amount: Amount) -> bool:
    """Whether an amount is a part in words: “half”, “a third”."""
    quantity = amount.quantity
    return quantity.unit is None and quantity.places is None and 0 < quantity.value < 1


def held(amount: Amount, value: float, used: Sequence[Cell], words: str) -> Finding | None:
    """A stated amount against a number worked out of cells."""
    if not used:
        return None
    like = used[0].with_value(value)
    result = agrees(amount, like)
    if result == "unclear":
        return None
    return decide(result == "same", used, words)


def pure(cell: Cell, value: float, unit: str | None = None) -> Cell:
    """A number worked out of a cell that has not its unit: a ratio, a count, a percentage."""
    return replace(cell.with_value(value), unit=unit, scale=1.0)


def counts_rows(v: View, number: Number) -> bool:
    """Whether a number counts rows: a small whole one, with “of the” or a noun that no column has after it."""
    quantity = number.stated.amount.quantity
    if not quantity.value.is_integer() or quantity.value > len(v.grid.rows):
        return False
    if quantity.unit is not None:
        return v.grid.timed_rows and quantity.spelled and quantity.unit in TIMES
    if quantity.value == 0:
        return True
    sentence = v.piece.sentence
    following = sentence.tokens[number.last + 1] if number.last + 1 < len(sentence.tokens) else None
    if following is None:
        return False
    after = {t.stem for t in sentence.tokens[number.last + 1 : number.last + 5]}
    return (
        following.lower == "of"
        or bool(after & v.grid.heads)
        or (quantity.spelled and following.lower != following.stem)
    )


def is_idle(v: View) -> bool:
    """Whether a piece that was not understood hides no misreading: it names nothing strange, and its numbers are those of cells, or what
    two of them come to."""
    if is_strange(v):
        return False
    cells = v.grid.cells(v.rows or v.grid.rows, v.columns or v.grid.columns)[:_MANY] or v.grid.model.cells[:_MANY]
    pool = [*v.grid.model.cells]
    for a, b in itertools.combinations(cells, 2):
        pool += [a.with_value(abs(a.value - b.value)), a.with_value(a.value + b.value)]
    return all(any(agrees(amount, cell) != "different" for cell in pool) for amount in v.amounts)


_MANY = 24
