"""What several ways to take a piece come to, and whether stated numbers and cells agree."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from evpv.language.forms import Amount
from evpv.premises.figure import Cell
from evpv.premises.matching.values import Finding, agreement, decide, missing
from evpv.premises.statements.numbers import StatedNumber
from evpv.premises.statements.strangers import is_strange
from evpv.premises.statements.views import TIMES, UNCLEAR, View


def decision(readings: Iterable[Finding | None], v: View, *, sure: bool = True, leans: bool = True) -> Finding:
    """The verdict of several readings, the likeliest first: right if one is, though a likelier one may have refuted it; wrong if all are and
    what it is about is plain, doubted where that is open, or strange. `leans`: it was taken from what was said before."""
    first: Finding | None = None
    many = 0
    for many, found in enumerate(filter(None, readings), 1):
        if found.verdict == "supported":
            signs = found.signs | {f"reading {min(many, 4)}"}
            if first is None or first.verdict != "contradicted":
                return replace(found, signs=signs)
            return replace(found, signs=signs | {"otherwise"}, otherwise=first)
        first = first or found
        sure &= found.verdict != "missing"
    if first is None:
        return missing(UNCLEAR)
    if first.verdict != "contradicted":
        return first
    holding = (not sure, leans and not v.is_bound, is_strange(v, leans=leans))
    doubts = {*itertools.compress(("unsure", "unbound", "strange"), holding)}
    signs = first.signs | {f"readings {min(many, 4)}"} | doubts
    if doubts:
        return replace(first, signs=signs, verdict="missing", why_missing="doubted")
    return replace(first, signs=signs)


def agrees(amount: Amount, cell: Cell) -> str:
    """How an amount and a cell agree; a part in words, said of a percentage, is one."""
    quantity = amount.quantity
    if amount.bound != "=" and quantity.unit == "percent" != cell.unit and abs(cell.value) > 100:
        return "unclear"  # “more than a 100% hike”, of values that are no percentages
    if cell.unit == "percent" and is_part(amount):
        quantity = replace(quantity, value=100 * quantity.value, unit="percent")
        amount = replace(amount, quantity=quantity)
        if amount.bound == "=":
            slack = _ROUGH if amount.hedged else 0.03
            return "same" if abs(cell.value - quantity.value) <= slack * quantity.value else "different"
    return agreement(_in_scale(amount, cell.scale), cell)


def _in_scale(amount: Amount, scale: float) -> Amount:
    """An amount that is written out in full, in the thousands or millions of a cell."""
    quantity = amount.quantity
    if scale != 1.0 == quantity.scale and abs(quantity.value) >= scale and quantity.places is not None:
        places = quantity.places + round(math.log10(scale))
        amount = replace(amount, quantity=replace(quantity, value=quantity.value / scale, scale=scale, places=places))
    return amount


_ROUGH = 0.12
"""How far from a half “almost half” may be."""


def is_part(amount: Amount) -> bool:
    """Whether an amount is a part in words: “half”, “a third”."""
    quantity = amount.quantity
    return quantity.unit is None and quantity.places is None and quantity.scale == 1.0 and 0 < quantity.value < 1


def outcome_finding(amount: Amount, value: float, used: Sequence[Cell], words: str) -> Finding | None:
    """Whether a stated amount is a number worked out of cells."""
    result = agrees(amount, used[0].with_value(value)) if used else "unclear"
    return None if result == "unclear" else decide(result == "same", used, words)


def pure(cell: Cell, value: float, unit: str | None = None) -> Cell:
    """A number worked out of a cell that has not its unit: a ratio, a count, a percentage."""
    return replace(cell, value=value, unit=unit, scale=1.0)


def counts_rows(v: View, number: StatedNumber) -> bool:
    """Whether a number counts rows: a small whole one, with “of the” or a noun that no column has after it."""
    quantity = number.amount.quantity
    if not quantity.value.is_integer() or quantity.value > len(v.grid.rows):
        return False
    if quantity.unit is not None:
        return v.grid.timed_rows and quantity.spelled and quantity.unit in TIMES
    return not quantity.value or _precedes_rows(v, number)


def _precedes_rows(v: View, number: StatedNumber) -> bool:
    after = v.piece.sentence.tokens[number.last + 1 : number.last + 5]
    if not after:
        return False
    plural = number.amount.quantity.spelled and after[0].lower != after[0].stem
    return plural or after[0].lower == "of" or any(token.stem in v.grid.heads for token in after)
