"""Plain sentences that few texts have and one rule each reads: a rule that no corpus misses may still be needed."""

from __future__ import annotations

import pytest

from evpv.premises.matching.grounded import grounded_matcher
from evpv.types import Constraint, Numeric, Structure


def _table(columns: tuple[str, ...], rows: dict[str, tuple[float, ...]]) -> tuple[Constraint, ...]:
    cells = [
        Numeric(entity=f"{row} {column}", attribute="value", value=value)
        for row, values in rows.items()
        for column, value in zip(columns, values, strict=True)
    ]
    return (Structure(type="table", parts=("Name", *columns)), *cells)


def _facts(attribute: str, *named: tuple[str, float], unit: str | None = None) -> tuple[Constraint, ...]:
    return tuple(Numeric(entity=entity, attribute=attribute, value=value, unit=unit) for entity, value in named)


_LINES = _facts("length", ("segment AB", 6.0), ("segment CD", 5.0))
_CIRCLES = (*_facts("radius", ("circle A", 8.0), ("circle B", 5.0)), *_facts("diameter", ("circle C", 12.0)))
_CIRCLE = _facts("radius", ("circle O", 10.0), unit="cm")
_CYLINDER = _facts("value", ("cylinder diameter", 8.0), ("cylinder height", 20.0), unit="cm")
_WAYS = (
    Structure(type="pie chart", parts=()),
    *_facts("value", ("walk", 20.0), ("bus", 50.0), ("car", 30.0), unit="percent"),
)
_SHARES = _table(("Share",), {"Peru": (60.0,), "Chile": (40.0,), "Brazil": (30.0,)})
_DAYS = _table(("Cars",), {"Sunday": (1.0,), "Monday": (2.0,), "Tuesday": (3.0,), "Wednesday": (4.0,)})
_MARKS = _table(("Art", "Maths"), {"Ann": (9.0, 7.0), "Bob": (5.0, 8.0), "Cy": (4.0, 4.0)})
_SCORES = _table(("Score",), {"Ann": (9.0,), "Bob": (18.0,), "Cy": (4.0,)})
_PEOPLE = _table(("Score",), {"Jordan Smith": (9.0,), "Ann Lee": (18.0,), "Cy Moss": (4.0,)})
_GROWTH = _table(("Growth (%)",), {"Tools": (1.5,), "Food": (2.0,), "Wood": (0.4,)})
_YEARS = _table(("Visitors",), {"2005": (13.0,), "2006": (27.0,), "2007": (30.0,)})
_TRADE = _table(("Imports", "Exports"), {"2019": (5.0, 7.0), "2020": (6.0, 9.0), "2021": (8.0, 3.0)})

_CASES = [
    (_LINES, "AB and CD are both 5.", "contradicted"),
    (_CIRCLES, "Circle A is the largest.", "supported"),
    (_CIRCLES, "Circle A is larger than circle C.", "supported"),
    (_CIRCLES, "Circle C is the largest.", "contradicted"),
    (_CIRCLE, "The radius is 12 cm.", "contradicted"),
    (_CYLINDER, "The cylinder is 6 cm across.", "missing"),
    (_WAYS, "A fifth of the students walk.", "supported"),
    (_WAYS, "A quarter of the students walk.", "contradicted"),
    (_SHARES, "Peru has the highest share at 71%.", "contradicted"),
    (_SHARES, "The share of Peru is\n65.", "contradicted"),
    (_DAYS, "From Sunday through Wednesday there were 1, 2, 7 and 4 cars.", "contradicted"),
    (_MARKS, "Ann scored 9 in Art. Bob and Cy scored 5 and 4. Ann beat them both.", "supported"),
    (_SCORES, "Ann's score is half of Bob's.", "supported"),
    (_SCORES, "Cy's score is half of Bob's.", "contradicted"),
    (_PEOPLE, "Jordan scored 12.", "contradicted"),
    (_PEOPLE, "Jordan Brown scored 12.", "missing"),
    (_GROWTH, "Tools grew by 1.5%.", "supported"),
    (_GROWTH, "Tools grew by 1.1%.", "contradicted"),
    (_YEARS, "There were more visitors in 2006 than the year before.", "supported"),
    (_YEARS, "There were fewer visitors in 2006 than the year before.", "contradicted"),
    (_TRADE, "Imports:\n2019: 7\n2020: 6", "contradicted"),
]


@pytest.mark.parametrize(("constraints", "claim", "verdict"), _CASES, ids=[case[1] for case in _CASES])
def test_a_plain_sentence_is_read_as_it_is_meant(constraints: tuple[Constraint, ...], claim: str, verdict: str) -> None:
    assert grounded_matcher(constraints)(claim).verdict == verdict


_SALES = _facts("sales", ("2010", 10.0), ("2015", 30.0), ("2020", 20.0), ("2022", 5.0), ("2023", 25.0))


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Sales double from 2010 to 2020.", "supported"),
        ("Sales doubles from 2010 to 2020.", "supported"),
        ("Sales saw a doubling from 2010 to 2020.", "supported"),
        ("Sales were tripling from 2010 to 2015.", "supported"),
        ("Sales quintupled from 2022 to 2023.", "supported"),
        ("Sales went up fivefold from 2022 to 2023.", "supported"),
        ("Sales were halving between 2010 and 2022.", "supported"),
        ("Sales triples from 2010 to 2020.", "contradicted"),
        ("Sales quintupled from 2010 to 2020.", "contradicted"),
        ("Sales in 2020 are double those in 2010.", "supported"),
        ("Sales in 2020 are double those in 2015.", "contradicted"),
    ],
)
def test_a_factor_is_a_movement_over_a_span_and_a_comparison_otherwise(claim: str, verdict: str) -> None:
    assert grounded_matcher(_SALES)(claim).verdict == verdict
