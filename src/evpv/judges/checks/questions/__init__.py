"""Questions that the table alone answers, recomputed by kind of question.

The answer key is never read: an answer follows from the question's words and the values that an extractor saw.
Each solver returns None when the question is not of its kind or leaves a choice; the first answer counts.
"""

from __future__ import annotations

from collections.abc import Callable

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
from evpv.judges.checks.questions.recomputed import Recomputed
from evpv.judges.checks.questions.statistics import everything, function_kind, measure, probability
from evpv.judges.checks.tables import Table

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
Solver = Callable[[str, Table], Recomputed | None]

SOLVERS: tuple[Solver, ...] = (
    each, measure, probability, everything, function_kind, shortage, stem_and_leaf, rate_of_change, pay_stub,
    share, difference, purchase, frequency, together, most, lookup, row_total,
)  # fmt: skip


def recompute(question: str, table: Table) -> Recomputed | None:
    """The answer of the first solver that knows the kind of question, or None.

    Measures of a drawing are not a table: "the circumference of circle O" is not the value read at circle O.
    """
    if any(cell.column.lower() in _MEASURES for cell in table.cells):
        table = Table((), ())
    for solver in SOLVERS:
        answer = solver(question, table)
        if answer is not None:
            return answer
    return None
