"""Small numbers that count rows or columns by what is said elsewhere: those that are listed, that meet the limit spoken of before, that have
any value at all, or that have more in one of two columns than in the other.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from dataclasses import replace

from evpv.language.forms import Bound
from evpv.premises.figure import Cell
from evpv.premises.matching.values import Finding, decide
from evpv.premises.statements.numbers import StatedNumber
from evpv.premises.statements.verdicts import agrees
from evpv.premises.statements.views import TIMES, View


def tally_finding(v: View) -> Finding | None:
    """What the only number of a piece counts: a small whole one, in words or with “of” after it, that is no value of what is named; None where
    it counts nothing that is known to come to it."""
    number = v.piece.numbers[0]
    amount, quantity = number.amount, number.amount.quantity
    if amount.bound != "=" or number.role in ("by", "from", "to", "times"):
        return None
    if (
        quantity.value not in range(1, 13) or quantity.unit not in (None, *TIMES) or quantity.scale != 1.0
    ):  # “2.5”, “5%”, “3 million” measure
        return None
    if not quantity.spelled and v.piece.sentence.after(number) != "of":
        return None
    if any(agrees(amount, cell) == "same" for cell in v.grid.cells(v.own_rows, v.likely_columns)):
        return None
    return next(filter(None, _tallies(v, number)), None)


def _tallies(v: View, number: StatedNumber) -> Iterator[Finding | None]:
    """What a number may count, if in a line of cells in that of the column that is meant, or of the row that is named."""
    many = int(number.amount.quantity.value)
    yield _listed_finding(v, number, many)
    line: list[Cell] = []
    if v.own_rows and v.grid.uniform:
        line = v.grid.cells(v.own_rows[:1], v.grid.columns)
    elif len(v.likely_columns) == 1 and not v.own_rows:
        line = v.grid.cells(v.part_rows, v.likely_columns)
    yield _limit_finding(v, line, many)
    filled = [cell for cell in line if cell.value]
    if len(filled) == many < len(line):  # “plums in four months”: so many are not zero, where some are
        yield _finding(filled, "filled", f"{many} values are not zero.")
    yield _ahead_finding(v, many)


def _finding(cells: Sequence[Cell], program: str, words: str) -> Finding:
    found = decide(True, cells, words)
    return replace(found, signs=found.signs | {f"tally {program}"})


def _listed_finding(v: View, number: StatedNumber, many: int) -> Finding | None:
    """“There are four of them: Oslo, Zurich, …”."""
    for axis in ("row", "column"):
        names = dict.fromkeys(n.name for n in v.piece.sentence.names if n.axis == axis and n.first > number.last)
        if len(names) == many > 1:
            cells = v.grid.cells(names, v.grid.columns) if axis == "row" else v.grid.cells(v.grid.rows, names)
            return _finding(cells[:many], "listed", f"{many} are listed.") if cells else None
    return None


def _limit_finding(v: View, line: Sequence[Cell], many: int) -> Finding | None:
    """“Only three qualify”, by the limit that was spoken of last."""
    limit = v.context.limit
    if limit is None:
        return None
    for one in (limit, replace(limit, bound=_OTHER_SIDE[limit.bound])):
        meeting = [cell for cell in line if agrees(one, cell) == "same"]
        if len(meeting) == many:
            return _finding(meeting, "limit", f"{many} of {len(line)} values meet the limit.")
    return None


_OTHER_SIDE: dict[Bound, Bound] = {">": "<=", ">=": "<", "<": ">=", "<=": ">", "=": "="}


def _ahead_finding(v: View, many: int) -> Finding | None:
    """“Three departments overspent”: so many rows have more in one of two columns than in the other, or as much, where both measure the same
    and no row is named."""
    if len(v.part_columns) != 2 or not v.grid.uniform or v.own_rows:
        return None
    pairs = [line for row in v.part_rows if len(line := v.grid.cells([row], v.part_columns)) == 2]
    for holds in (operator.lt, operator.gt, operator.eq):
        found = [a for a, b in pairs if holds(a.value, b.value)]
        if len(found) == many:
            return _finding(found, "ahead", f"{many} of {len(pairs)} rows stand so.")
    return None
