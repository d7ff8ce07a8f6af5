"""What a clause about tables, charts and named quantities asserts: the readers in the order in which they are asked."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from evpv.language.clauses import Clause
from evpv.language.comparisons import comparison_forms
from evpv.language.counts import count_form
from evpv.language.extremes import extreme_cue, extreme_forms
from evpv.language.forms import (
    Form,
    Open,
)
from evpv.language.plain_values import value_forms
from evpv.language.trends import trend_forms
from evpv.language.worked import function_forms, worked_forms


def tabular_forms(clause: Clause, before: Sequence[Clause]) -> list[Form]:
    """The forms of one clause, the deciding one first; `before` are the clauses of the sentence so far."""
    if worked := worked_forms(clause) or function_forms(clause):
        return worked
    if counted := count_form(clause):
        return [counted]
    if not clause.amounts and any(
        a.lower in ("most", "majority") and b.lower == "of" for a, b in itertools.pairwise(clause.tokens)
    ):
        return [Open(about=clause.phrase(), reason="it says what most are, which the figure does not")]
    apart = clause.has("trails", "beats")
    if apart is not None and any(0 < apart.first - one.last <= 2 for one in clause.amounts):
        return comparison_forms(clause)
    if (extreme := extreme_cue(clause)) is not None:
        return extreme_forms(clause, extreme)
    if compared := comparison_forms(clause):
        return compared
    if moved := trend_forms(clause):
        return moved
    return value_forms(clause, before)
