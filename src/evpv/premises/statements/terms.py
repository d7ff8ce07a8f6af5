"""Calculations that are written out: the numbers that they start from are readings; what comes out is left to the judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evpv.language.forms import Amount, amount_text
from evpv.language.quantities import quantities
from evpv.premises.figure import Cell
from evpv.premises.matching.values import Finding, decide, in_words
from evpv.premises.statements.pieces import Piece
from evpv.premises.statements.values import if_right, without_totals
from evpv.premises.statements.verdicts import agrees
from evpv.premises.statements.views import NEAR, View


def calculation_finding(v: View) -> Finding | None:
    """The numbers that a calculation starts from, where it says of what: they are readings; what comes out is left to the judge."""
    amounts = _terms(v.piece)
    if len(amounts) < 2:
        return None
    if v.row_from > NEAR:
        return _column_terms_finding(v, amounts) or _line_terms_finding(v, amounts)
    for cells in (v.cells, without_totals(v.cells)):
        if len(cells) == len(amounts):
            return _terms_finding(amounts, cells)
    around = v.grid.cells(v.own_rows, v.grid.columns)
    if around and all(any(agrees(amount, cell) == "same" for cell in around) for amount in amounts):
        return decide(True, around, "its terms are values that were read.")
    return _line_terms_finding(v, amounts)


def _terms(piece: Piece) -> list[Amount]:
    """The 30 and 40 of “30 + 40 = 70”; none where something is multiplied or divided, as a factor need not be read."""
    start, end = piece.calculation or (0, 0)
    left = piece.sentence.text[start:end].split("=")[0]
    if not set("×*÷/").isdisjoint(left):
        return []
    return [Amount(quantity=quantity) for quantity in quantities(left) if not quantity.is_year]


def _line_terms_finding(v: View, amounts: Sequence[Amount]) -> Finding | None:
    """Terms that all stand in one column, or in one row, that nobody named."""
    lines = [v.grid.cells(v.grid.rows, [column]) for column in v.grid.columns]
    lines += [v.grid.cells([row], v.grid.columns) for row in v.grid.rows if v.grid.uniform]
    for line in lines:
        homes = [next((cell for cell in line if agrees(amount, cell) == "same"), None) for amount in amounts]
        if all(homes):
            found = decide(True, [*filter(None, homes)], "its terms are values that were read.")
            return replace(found, signs=found.signs | {"terms of a line"})
    return None


def _column_terms_finding(v: View, amounts: Sequence[Amount]) -> Finding | None:
    """The terms, three at least, of a sum over a whole column, or a whole row."""
    if len(amounts) < 3:
        return None
    lines = [without_totals(v.grid.cells(v.grid.rows, [c]), by_column=False) for c in v.likely_columns]
    lines += [v.grid.cells([row], v.grid.columns) for row in v.grid.rows if len(v.grid.columns) > 1]
    found = [*filter(None, (_terms_finding(amounts, line) for line in lines))]
    right = next(filter(if_right, found), None)
    return found[0] if right is None and len(found) == 1 and len(amounts) > 3 else right


def _terms_finding(amounts: Sequence[Amount], cells: Sequence[Cell]) -> Finding | None:
    """As many terms as cells, in any order, those of negative cells also without their sign; all but one alike make that one wrong."""
    if len(amounts) != len(cells):
        return None
    left = list(cells)
    odd: list[Amount] = []
    for amount in amounts:
        for cell in left:
            if agrees(amount, cell) == "same" or (
                cell.value < 0 and agrees(amount, cell.with_value(-cell.value)) == "same"
            ):
                left.remove(cell)
                break
        else:
            odd.append(amount)
    if not odd:
        return decide(True, cells, "its terms are the values that were read.")
    if len(odd) == 1 and len(cells) > 1:
        return decide(False, left, f"{in_words(left[0])}, the calculation has {amount_text(odd[0])}.")
    return None
