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

_TOTALS = _table(("Goals", "Age"), {"Total": (9.0, 9.0), "Other": (3.0, 2.0)})
_ALONE = _table(("Goals", "Age"), {"Ann": (4.0, 3.0)})
_STOCK = _table(("", "Supply"), {"Ann": (9.0, 7.0), "Bob": (5.0, 6.0)})
_DEPTHS = (Numeric(entity="3 Leaf", attribute="value", value=-12.0, row="3", column="Leaf"),)

_CASES = [
    (_TOTALS, "The row with the highest is also the lowest.", "unparsed"),
    (_ALONE, "Ann has 4 goals. Nobody had more than it does.", "supported"),
    (_STOCK, "Ann has a surplus.", "missing"),
    (_DEPTHS, "Stem 3 has two leaves.", "missing"),
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


_TRACES = (
    Structure(type="line chart", parts=()),
    *(
        Numeric(entity=f"{x} trace {n}", attribute="value", value=value, row=str(x), column=f"trace {n}")
        for n, line in enumerate(((0.0, 2.0, 6.0, 5.0, 4.0), (0.0, 4.0, 5.0, 8.0, 4.0)))
        for x, value in enumerate(line)
    ),
)
_COLD = _table(("Temperature (°F)",), {"Vostok Station": (-128.0,), "Death Valley": (134.0,), "Oslo": (41.0,)})
_OUTPUT = _table(
    ("Output",), {"2007": (900.0,), "2008": (912.0,), "2009": (664.0,), "2010": (800.0,), "2011": (950.0,)}
)
_STEPS = _table(("Output",), {"2007": (900.0,), "2008": (912.0,), "2009": (930.0,), "2010": (950.0,)})
_QUARTERS = _table(
    ("Quarter 1", "Quarter 2", "Quarter 3"), {"Laptops": (320.0, 295.0, 410.0), "Tablets": (210.0, 180.0, 165.0)}
)
_SEXES = _table(("Boys", "Girls"), {"Soccer": (44.0, 31.0), "Swimming": (62.0, 69.0), "Gymnastics": (6.0, 27.0)})
_LANDS = _table(("2000", "2010", "2020"), {"Peru": (9.0, 8.0, 7.0), "Cuba": (2.0, 2.1, 2.2), "Mali": (3.0, 2.9, 1.9)})
_PLANS = (
    Structure(type="bar chart", parts=()),
    *_facts("value", ("Pay the fee", 53.0), ("Choose a cheaper plan", 25.0), ("Cancel", 22.0), unit="percent"),
)


@pytest.mark.parametrize(
    ("figure", "claim", "verdict"),
    [
        (_TRACES, "Trace 1 peaks at 8.", "supported"),
        (_TRACES, "The maximum of trace 0 is 6.", "supported"),
        (_TRACES, "Trace 1 is highest at x = 3.", "supported"),
        (_TRACES, "Trace 1 is highest at x = 2.", "contradicted"),
        (_TRACES, "Trace 0 peaks at 5.", "contradicted"),
        (_TRACES, "The two lines end at x = 4, where both have a value of 4.", "supported"),
        (_TRACES, "Trace 0 reaches its maximum of 6 at x = 2.", "supported"),
        (_TRACES, "Trace 0 reaches its maximum of 6 at x = 3.", "contradicted"),
        (_TRACES, "Trace 0 attains its peak of 5 at x = 3.", "contradicted"),
        (_COLD, "Vostok Station recorded 128 degrees below zero.", "supported"),
        (_COLD, "Vostok Station recorded 130 degrees below zero.", "contradicted"),
        (_OUTPUT, "Output fell from 912 in 2008 to 664 in 2009, the lowest figure of the period.", "supported"),
        (_OUTPUT, "Output fell from 912 in 2008 to 664 in 2009, the highest figure of the period.", "contradicted"),
        (_OUTPUT, "After the low of 664 in 2009, output grew every year.", "supported"),
        (_OUTPUT, "Following the 900 of 2007, output grew every year.", "contradicted"),
        (_OUTPUT, "Output rose from year to year.", "contradicted"),
        (_OUTPUT, "Output never fell from one year to the next.", "contradicted"),
        (_OUTPUT, "Output shows a steady rise.", "contradicted"),
        (_STEPS, "Output shows a steady rise.", "supported"),
        (_STEPS, "Output rose from one year to the next.", "supported"),
        (_STEPS, "Output never fell.", "supported"),
        (_STEPS, "Output, never falling, went from 900 to 950.", "supported"),
        (_SCORES, "Ann scored 9, Bob nine more.", "supported"),
        (_SCORES, "Ann scored 9, Bob nine fewer.", "contradicted"),
        (_YEARS, "In 2005 there were 13 visitors. In 2006 there were 14 fewer.", "contradicted"),
        (_QUARTERS, "In the third quarter tablets fell.", "supported"),
        (_QUARTERS, "In the third quarter tablets stood at 180.", "contradicted"),
        (_SEXES, "Gymnastics shows the widest gap, 21; the second widest is in soccer.", "supported"),
        (_SEXES, "Gymnastics shows the widest gap, 21; the second widest is in swimming.", "contradicted"),
        (_LANDS, "Peru is the largest throughout.", "supported"),
        (_LANDS, "The smallest is Cuba throughout.", "contradicted"),
        (_PLANS, "A majority of users, 53%, would pay the fee, while 25% choose a cheaper plan.", "supported"),
        (_PLANS, "A majority of users, 58%, would pay the fee, while 25% choose a cheaper plan.", "contradicted"),
    ],
)
def test_right_steps_of_a_fresh_hand_are_not_accused(figure: tuple[Constraint, ...], claim: str, verdict: str) -> None:
    assert grounded_matcher(figure)(claim).verdict == verdict
