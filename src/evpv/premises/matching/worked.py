"""Calculations that are written out: whether their operands are what was read of the things they are said of."""

from __future__ import annotations

from collections.abc import Sequence

from evpv.language.forms import Amount, Assertion, Worked
from evpv.language.quantities import Quantity
from evpv.premises.figure import Cell, Figure
from evpv.premises.matching.findings import Finding, decide, in_words
from evpv.premises.matching.values import agreement

_LARGEST_FACTOR = 12


def worked_finding(form: Worked, said: Assertion, figure: Figure) -> Finding | None:
    """The operands against the cells named beside them, else against a whole column or row; None where they may come from elsewhere."""
    named = _named_cells(form, said, figure)
    if form.kind == "product":
        return _product(form, named)
    pools = [named, *map(figure.column_cells, figure.columns.names), *map(figure.row_cells, figure.rows.names)]
    ends = _ends(form, figure)
    for cells in filter(None, (ends, *pools)):
        whole = cells is ends or cells is named or len(cells) == len(form.terms) > 2
        if whole and not _strangers(form.terms, cells)[0]:
            return decide(True, cells, "every number of the calculation was read.")
    for cells in filter(None, (ends, named, *pools[1:])):
        wrong, left = _strangers(form.terms, cells)
        known = len(form.terms) - len(wrong)
        whole = len(cells) == len(form.terms) and (len(cells) > 2 or cells is named or cells is ends)
        if len(wrong) == 1 and known and (whole or _is_row(cells, named)):
            cell = left[0] if left else cells[0]
            return decide(False, [cell], f"{in_words(cell)}, which is not among the operands.")
    return None


def _named_cells(form: Worked, said: Assertion, figure: Figure) -> list[Cell]:
    """The cells that are named beside a calculation; all of a row, or of a column, where one alone is named."""
    where = figure.address(form.about, said.context[: said.near], said.near)
    if where.cells:
        return where.ordered_cells()
    rows, columns = ({m.name for m in axis} for axis in (where.rows, where.columns))
    if not rows and not columns:
        return []
    return [c for c in figure.cells if (not rows or c.row in rows) and (not columns or c.column in columns)]


def _is_row(cells: Sequence[Cell], named: Sequence[Cell]) -> bool:
    """Whether the cells are all those of one named row."""
    return cells is named and len({cell.row for cell in cells}) == 1 and len(cells) > 1


def _ends(form: Worked, figure: Figure) -> list[Cell]:
    """The largest and the smallest value, of which a range is the difference."""
    if "range" not in form.about.stems or len(figure.columns.names) != 1 or len(figure.cells) < 2:
        return []
    ordered = sorted(figure.cells, key=lambda cell: cell.value)
    return [ordered[-1], ordered[0]]


def _strangers(terms: Sequence[Quantity], cells: Sequence[Cell]) -> tuple[list[Quantity], list[Cell]]:
    """The operands that are none of the cells' values, each cell taken once, and the cells that no operand is."""
    left, wrong = list(cells), []
    for term in terms:
        cell = next((cell for cell in left if agreement(Amount(quantity=term), _unsigned(cell)) == "same"), None)
        if cell is None:
            wrong.append(term)
        else:
            left.remove(cell)
    return wrong, left


def _unsigned(cell: Cell) -> Cell:
    """A calculation gives the sign of an operand by its operator."""
    return cell if cell.value >= 0 else cell.with_value(-cell.value)


def _product(form: Worked, named: Sequence[Cell]) -> Finding | None:
    """“Two hats cost 2 × 18”: one factor says how many, the other is what was read of one."""
    if len(named) != 1:
        return None
    wrong, _ = _strangers(form.terms, named)
    if len(wrong) < 2:
        return decide(True, named, f"{in_words(named[0])}.")
    many = [term for term in wrong if term.unit is None and term.absolute in range(2, _LARGEST_FACTOR + 1)]
    return decide(False, named, f"{in_words(named[0])}, which is no factor here.") if len(many) == 1 else None
