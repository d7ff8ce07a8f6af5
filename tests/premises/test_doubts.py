"""When a contradiction is open: the clause reaches beyond what it names, or binds its number to another name."""

from __future__ import annotations

import pytest

from evpv.premises.matching.grounded import grounded_matcher
from evpv.types import Constraint, Numeric, Relation, Structure

KNOWN = pytest.mark.xfail(
    strict=True, reason="a known misreading of the figure-aware reader (docs/log.md, tenth session)"
)


def _table(head: str, column: str, values: dict[str, float]) -> list[Constraint]:
    cells = [Numeric(entity=f"{row} {column}", attribute="value", value=value) for row, value in values.items()]
    return [Structure(type="table", parts=(head, column)), *cells]


_SALES = _table("Shop", "Loaves", {"Mill": 40.0, "Harbour": 22.0, "Station": 13.0, "Market": 9.0, "Rest": 31.0})
_YEARS = _table("Year", "Visitors", {"2014": 51.0, "2015": 47.0, "2016": 60.0, "2017": 66.0, "2018": 58.0})
_CORNER: list[Constraint] = [
    Relation(type="equal", entities=("angle CAD", "2*x")),
    Relation(type="equal", entities=("angle DAE", "3*x-20")),
]
_TABLE_WITHOUT_CELLS: list[Constraint] = [
    Structure(type="table", parts=("Side", "AB")),
    Numeric(entity="segment AB", attribute="length", value=5.0),
]

_CASES = [
    (_SALES, "Harbour sold 25 loaves.", "contradicted"),
    (_SALES, "Harbour sold more loaves than Mill.", "contradicted"),
    (_SALES, "Mill alone beats the two other named shops combined.", "missing"),
    (_SALES, "Mill sold more loaves than Market and Harbour combined.", "supported"),
    (_SALES, "Mill sold more loaves than Harbour and Rest combined.", "contradicted"),
    (_SALES, "On all but two of the five stalls exactly 9 loaves were sold.", "missing"),
    (_SALES, "Harbour, unlike Mill, has 40 loaves.", "missing"),
    (_SALES, "Mill $40 >$ Harbour $22$", "supported"),
    (_SALES, "Mill sold 30 more loaves than Harbour.", "contradicted"),
    (_SALES, "Harbour sold 22 more loaves than Mill.", "contradicted"),
    (_YEARS, "In 2016 there were 62 visitors.", "contradicted"),
    (_YEARS, "The number of visitors fell in 2015 and 2018.", "supported"),
    (_YEARS, "The number of visitors fell in 2015 and 2017.", "contradicted"),
    (_YEARS, "The number of visitors rose every year.", "contradicted"),
    (_CORNER, "The angle is split into parts of 2x (∠CAD) and 3x − 20 (∠DAE).", "supported"),
    (_CORNER, "∠CAD is 3x − 20.", "contradicted"),
    (_TABLE_WITHOUT_CELLS, "AB is 3 cm.", "contradicted"),
]


@pytest.mark.parametrize(("constraints", "claim", "verdict"), _CASES, ids=[case[1] for case in _CASES])
def test_only_a_clause_that_says_what_it_names_refutes(constraints: list[Constraint], claim: str, verdict: str) -> None:
    assert grounded_matcher(constraints)(claim).verdict == verdict


_HERRING = _table("Year", "Herring", {"2019": 30.0, "2020": 27.0, "2021": 25.0, "2022": 19.0, "2023": 15.0})
_FLAT: list[Constraint] = [
    Numeric(entity=f"Herring {year}", attribute="value", value=value, unit="kilotonnes")
    for year, value in (("2019", 30.0), ("2020", 27.0), ("2021", 25.0))
]
_IN_TONNES = _table("Year", "Herring landings in thousand tonnes", {"2019": 30.0, "2020": 27.0, "2021": 25.0})
_MINUTES = _table("Day", "Minutes", {"Monday": 40.0, "Tuesday": 56.0, "Wednesday": 46.0})
_APPLES = _table("Year", "Apples", {"2019": 30.0, "2020": 27.0, "2021": 25.0})
_TWO_FISH: list[Constraint] = [
    Structure(type="table", parts=("Year", "Herring", "Mackerel")),
    *(
        Numeric(entity=f"{year} {fish}", attribute="value", value=value)
        for fish, values in (("Herring", (30.0, 27.0, 25.0)), ("Mackerel", (10.0, 11.0, 14.0)))
        for year, value in zip((2019, 2020, 2021), values, strict=True)
    ),
]
_STRANGERS = [
    pytest.param(_TWO_FISH, "Herring fell every year. Cod rose every year.", marks=KNOWN),
    (_HERRING, "Cod was 23 in 2021."),
    (_HERRING, "In 2021, 23 kilotonnes of cod were landed."),
    (_HERRING, "Salmon reached 12 in 2020."),
    (_HERRING, "The bar for cod in 2021 shows 23."),
    (_HERRING, "2021 cod = 23"),
    (_HERRING, "Cod rose from 2019 to 2020."),
    (_HERRING, "Cod was higher in 2023 than in 2019."),
    (_HERRING, "Cod was highest in 2021."),
    (_HERRING, "The total cod catch was 130."),
    (_HERRING, "Norway caught 23 in 2021."),
    (_FLAT, "Cod was 23 in 2021."),
    (_FLAT, "The total cod catch was 130."),
    (_IN_TONNES, "Cod landings were 23 thousand tonnes in 2021."),
    (_APPLES, "Pears were 23 in 2021."),
]
_KNOWN_SUBJECTS = [
    (_TWO_FISH, "Herring fell every year. Mackerel fell every year."),
    (_HERRING, "Herring was 23 in 2021."),
    (_HERRING, "The herring catch was 23 in 2021."),
    (_HERRING, "Sales were 23 in 2021."),
    (_HERRING, "The value in 2021 was 23."),
    (_HERRING, "The level in 2021 is 23."),
    (_HERRING, "It was 23 in 2021."),
    (_HERRING, "2021 was 23."),
    (_HERRING, "The bar for 2021 is at 23."),
    (_HERRING, "Herring rose from 2019 to 2020."),
    (_FLAT, "In 2021, 23 kilotonnes were landed."),
    (_IN_TONNES, "Herring landings were 23 thousand tonnes in 2021."),
    (_MINUTES, "Shelley rehearsed longer on Wednesday than on Tuesday."),
    (_MINUTES, "Shelley rehearsed for 50 minutes on Tuesday."),
    (_APPLES, "The farm had 23 apples in 2021."),
]


@pytest.mark.parametrize(("constraints", "claim"), _STRANGERS)
def test_a_thing_that_the_figure_does_not_show_is_missing(constraints: list[Constraint], claim: str) -> None:
    assert grounded_matcher(constraints)(claim).verdict == "missing"


@pytest.mark.parametrize(("constraints", "claim"), _KNOWN_SUBJECTS)
def test_what_the_figure_shows_may_be_called_generally_or_by_its_bearer(
    constraints: list[Constraint], claim: str
) -> None:
    assert grounded_matcher(constraints)(claim).verdict == "contradicted"


def test_a_right_number_of_a_strange_subject_stays_supported() -> None:
    assert grounded_matcher(_HERRING)("Cod was 25 in 2021.").verdict == "supported"
