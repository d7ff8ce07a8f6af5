"""When a contradiction is open: the clause reaches beyond what it names, or binds its number to another name."""

from __future__ import annotations

import pytest

from evpv.premises.matching.grounded import grounded_matcher
from evpv.types import Constraint, Numeric, Relation, Structure


def _table(head: str, column: str, values: dict[str, float]) -> list[Constraint]:
    cells = [Numeric(entity=f"{row} {column}", attribute="value", value=value) for row, value in values.items()]
    return [Structure(type="table", parts=(head, column)), *cells]


_SALES = _table("Shop", "Loaves", {"Mill": 40.0, "Harbour": 22.0, "Station": 13.0, "Market": 9.0, "Rest": 31.0})
_YEARS = _table("Year", "Visitors", {"2014": 51.0, "2015": 47.0, "2016": 60.0, "2017": 66.0, "2018": 58.0})
_CORNER: list[Constraint] = [
    Relation(type="equal", entities=("angle CAD", "2*x")),
    Relation(type="equal", entities=("angle DAE", "3*x-20")),
]

_CASES = [
    (_SALES, "Harbour sold 25 loaves.", "contradicted"),
    (_SALES, "Harbour sold more loaves than Mill.", "contradicted"),
    (_SALES, "Mill alone beats the two other named shops combined.", "missing"),
    (_SALES, "Mill sold more loaves than Market and Harbour combined.", "supported"),
    (_SALES, "Mill sold more loaves than Harbour and Rest combined.", "contradicted"),
    (_SALES, "On all but two of the five stalls exactly 9 loaves were sold.", "missing"),
    (_SALES, "Harbour, unlike Mill, has 40 loaves.", "missing"),
    (_YEARS, "In 2016 there were 62 visitors.", "contradicted"),
    (_YEARS, "The number of visitors fell in 2015 and 2018.", "supported"),
    (_YEARS, "The number of visitors fell in 2015 and 2017.", "contradicted"),
    (_YEARS, "The number of visitors rose every year.", "contradicted"),
    (_CORNER, "The angle is split into parts of 2x (∠CAD) and 3x − 20 (∠DAE).", "supported"),
    (_CORNER, "∠CAD is 3x − 20.", "contradicted"),
]


@pytest.mark.parametrize(("constraints", "claim", "verdict"), _CASES, ids=[case[1] for case in _CASES])
def test_only_a_clause_that_says_what_it_names_refutes(constraints: list[Constraint], claim: str, verdict: str) -> None:
    assert grounded_matcher(constraints)(claim).verdict == verdict
