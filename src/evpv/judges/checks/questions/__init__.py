"""Questions that the table alone answers, recomputed by kind of question.

The answer key is never read: an answer follows from the question's words and the values that an extractor saw.
Each solver returns None when the question is not of its kind or leaves a choice; the first answer counts.
"""

from __future__ import annotations

from collections.abc import Callable

from evpv.judges.checks.questions.asked import Recomputed, asking
from evpv.judges.checks.questions.comparisons import (
    difference,
    lookup,
    most,
    rate_of_change,
    row_total,
    share,
    together,
)
from evpv.judges.checks.questions.counting import frequency, stem_and_leaf
from evpv.judges.checks.questions.purchases import each, pay_stub, purchase, shortage
from evpv.judges.checks.questions.statistics import everything, function_kind, measure, probability
from evpv.judges.checks.tables import Table
from evpv.judges.checks.wordings import MEANS, RATIOS
from evpv.language.quantities import quantities
from evpv.language.text import plain

__all__ = ["SOLVERS", "Recomputed", "recompute"]

_MEASURES = frozenset(
    {
        "length",
        "angle",
        "radius",
        "diameter",
        "height",
        "width",
        "area",
        "perimeter",
        "measure",
        "volume",
        "slope",
        "side",
    }
)
_Solver = Callable[[str, Table], Recomputed | None]

SOLVERS: tuple[_Solver, ...] = (
    each, measure, probability, everything, function_kind, shortage, stem_and_leaf, rate_of_change, pay_stub,
    share, difference, purchase, frequency, together, most, lookup, row_total,
)  # fmt: skip


_NOT_FOR = {lookup: RATIOS, most: MEANS, row_total: MEANS}
"""Solvers that answer no question with these words: what the words ask for is not what the solver works out."""


def recompute(question: str, table: Table) -> Recomputed | None:
    """The answer of the first solver that knows the kind of question, or None; None too where a number of the question is not used.

    Measures of a drawing are not a table: "the circumference of circle O" is not the value read at circle O.
    """
    if any(cell.column.lower() in _MEASURES for cell in table.cells):
        table = Table((), ())
    asked = asking(question).lower()
    for solver in (share,) if _asks_to_count_shares(asked, table) else SOLVERS:
        if solver in _NOT_FOR and _NOT_FOR[solver].search(asked):
            continue
        answer = solver(question, table)
        if answer is not None:
            return answer if _accounts_for(question, answer, table) else None
    return None


def _asks_to_count_shares(asked: str, table: Table) -> bool:
    """Whether a number of things is asked for where only percents were read: without their total there is no answer."""
    in_shares = bool(table.cells) and all(cell.unit == "%" for cell in table.cells)
    return in_shares and asked.startswith("how many") and "percent" not in asked and "%" not in asked


def _accounts_for(question: str, answer: Recomputed, table: Table) -> bool:
    """Whether every number of the question stands in the names read or in the way the answer was found."""
    used = quantities(plain(" ".join((answer.reason, *table.rows, *table.columns, *table.header))))
    known = {quantity.absolute for quantity in used} | {1.0}
    return all(quantity.absolute in known or quantity.spelled for quantity in quantities(plain(question[:4000])))
