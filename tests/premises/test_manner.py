"""Solutions and captions in the manner of models: lists, brackets, openings, plans, each with its verdict."""

from __future__ import annotations

import pytest

from evpv.premises.auditing.steps import _focus, audit
from evpv.premises.matching.grounded import grounded_matcher
from evpv.types import Candidate, Constraint, Numeric, Step, Structure

_Figure = tuple[Constraint, ...]


def _table(columns: tuple[str, ...], rows: dict[str, tuple[float, ...]], unit: str | None = None) -> _Figure:
    cells = [
        Numeric(entity=f"{row} {column}", attribute="value", value=value, unit=unit)
        for row, values in rows.items()
        for column, value in zip(columns, values, strict=True)
    ]
    return (Structure(type="table", parts=("Characteristic", *columns)), *cells)


_TILLS = _table(("Cash", "Cards"), {"2014": (63, 46), "2015": (95, 47), "2016": (82, 33)})
_POLL = _table(
    ("Brandt", "Osei", "Lund"), {"Schools": (52, 12, 16), "Roads": (30, 14, 11), "Parks": (56, 20, 10)}, "percent"
)
_BOATS = _table(
    ("Boats sold in thousands",),
    {"2008": (19.4,), "2009": (20.1,), "2011": (25.6,), "2014": (15.2,), "2017": (17.8,)},
)
_WARDS = _table(
    ("Number of patients",),
    {"North West": (809,), "South East": (720,), "London": (610,), "East of England": (596,), "Wales": (100,)},
)
_NORWAY = _table(
    ("Trade value in million U.S. dollars",), {"Chile": (4380,), "Kenya": (1900,), "United States": (857,)}
)
_RATE = _table(("25-34 years",), {"2009": (8.2,), "2014": (7.1,), "2019": (6.5,)})
_SLEEP = _table(("Number of students",), {"5": (3,), "6": (8,), "7": (15,), "8": (11,), "9": (4,)})

CASES = [
    # a value in brackets and a bare relation to a limit
    (_TILLS, "2014: Cash (63) > 40, Cards (46) > 40\n2016: Cash (82) > 40, Cards (33) < 40", "supported"),
    (_TILLS, "They are the bars for Cards in 2014, 2015 and 2016. Their values are 46, 47, and 33, respectively.", "supported"),
    # the row is only where the columns are ranked
    (_POLL, "In roads, Brandt leads with 30%.", "supported"),
    (_POLL, "In roads, Osei leads with 14%.", "contradicted"),
    # a number in brackets after no name refutes nothing, and is not shown either
    (_POLL, "In schools, most (52%) chose Brandt while a smaller group (3%) did not mind.", "missing"),
    # movements
    (_BOATS, "Sales show an increasing trend from 2008, reaching a peak around 2011.", "supported"),
    (_BOATS, "Boats sold increased year on year from 2008 to 2017.", "contradicted"),
    (_BOATS, "Sales rose between 2008 and 2009 as well as between 2014 and 2017.", "supported"),
    (_BOATS, "Sales rose between 2008 and 2009 as well as between 2011 and 2014.", "contradicted"),
    (_BOATS, "The growing popularity of streaming services is a factor.", "unparsed"),
    (_BOATS, "The chart shows a pattern of rises and falls without a clear trend.", "unparsed"),
    # names that go on, and names of money
    (_WARDS, "The highest number of patients is in the North West of England (809 patients).", "supported"),
    (_NORWAY, "Chile was first in 2018 with a value of over 4,000 million US dollars.", "supported"),
    (_NORWAY, "The chart presents data on the leading copper exporting countries worldwide.", "unparsed"),
    # numbers that are no values
    (_RATE, "Between 2009 and 2019 the rate in the 25-34 age group has decreased.", "supported"),
    # a frequency table counts its rows
    (_SLEEP, "The median is 7.", "supported"),
    (_SLEEP, "The mode is 7 and the range is 4.", "supported"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("figure", "text", "verdict"), CASES, ids=lambda value: value[:50] if isinstance(value, str) else ""
)
def test_what_models_write_is_read_in_their_manner(figure: _Figure, text: str, verdict: str) -> None:
    assert grounded_matcher(figure)(text).verdict == verdict


def test_a_quantity_that_the_question_gives_is_not_read_off_the_figure() -> None:
    step = Step(text="1. Cost of mint fudge:\n   - Price per pound: $9.08\n   - Quantity: 4 pounds")
    found = audit(Candidate(id="a", steps=(step,)), "How much do 4 pounds of mint fudge cost?")
    assert found[0].says is not None
    assert "9.08" in found[0].says
    assert "Quantity" not in found[0].says


@pytest.mark.parametrize(
    ("plan", "thing"),
    [
        ("Find the price of the red lamp and compare it with the budget.", "red lamp"),
        ("We need to add the cost of these two items and compare the total to what she has.", None),
        ("They are the bars for the years 2014, 2015, and 2016.", None),
    ],
)
def test_a_plan_names_one_thing_or_none(plan: str, thing: str | None) -> None:
    found = _focus(plan)
    assert (found.thing if found else None) == thing
