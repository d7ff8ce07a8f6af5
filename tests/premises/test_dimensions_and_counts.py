"""Claims about what is measured, in which unit, on which side of zero, and of how many parts a figure is made: each with its verdict."""

from __future__ import annotations

import pytest

from evpv.premises.matching.grounded import grounded_matcher
from evpv.types import Constraint, Numeric, Structure

_Figure = tuple[Constraint, ...]


def _table(head: str, columns: tuple[str, ...], rows: dict[str, tuple[float, ...]]) -> _Figure:
    cells = [
        Numeric(entity=f"{row} {column}", attribute="value", value=value)
        for row, values in rows.items()
        for column, value in zip(columns, values, strict=True)
    ]
    return (Structure(type="table", parts=(head, *columns)), *cells)


_HILLS = _table(
    "Walk",
    ("Climb (m)", "Time (min)"),
    {"Crag Loop": (780, 240), "Mill Lane": (95, 70), "Tarn Path": (310, 150), "Ridge Way": (520, 205)},
)
_FLOUR = _table("Recipe", ("Flour (g)",), {"Waffles": (250,), "Scones": (340,), "Pancakes": (180,)})
_MILLS = _table(
    "Mill",
    ("Height (m)", "Year built"),
    {"Old Nora": (19, 1782), "White Sister": (24, 1851), "Harbor Mill": (16, 1903)},
)
_TRADE = _table(
    "Year", ("Latvia exports", "Malta exports"), {"2018": (4.1, 2.2), "2019": (4.6, 2.9), "2020": (3.8, 3.1)}
)
_FIRMS = _table(
    "Quarter", ("Kestrel Air", "Polar Lines"), {"Q1 2021": (-12.4, 3.2), "Q2 2021": (-5.1, -4.4), "Q3 2021": (6.3, 7.9)}
)
_STAFF = _table(
    "Employee",
    ("Regular hours", "Overtime hours"),
    {"B. Novak": (38, 5), "R. Castillo": (40, 8), "H. Lindgren": (32, 0)},
)
_READERS = _table(
    "Age",
    ("Reads daily", "Reads weekly", "Never reads"),
    {"15-24": (18, 52, 30), "25-39": (25, 50, 25), "40-59": (33, 47, 20), "60 and over": (45, 40, 15)},
)
_PETS = _table("Number of pets", ("Frequency",), {"0": (9,), "1": (14,), "2": (6,), "3": (2,)})


@pytest.mark.parametrize(
    ("figure", "claim", "verdict"),
    [
        (_FLOUR, "Waffles take longer to bake than scones.", "missing"),
        (_FLOUR, "Scones are cheaper than pancakes.", "missing"),
        (_HILLS, "Mill Lane is the flattest walk.", "supported"),
        (_HILLS, "Crag Loop takes longer than Ridge Way.", "supported"),
        (_HILLS, "Tarn Path takes longer than Ridge Way.", "contradicted"),
        (_MILLS, "Old Nora is older than the White Sister.", "supported"),
        (_MILLS, "Harbor Mill is older than Old Nora.", "contradicted"),
        (_MILLS, "The White Sister weighs more than Harbor Mill.", "missing"),
        (_STAFF, "Castillo is 40 years old.", "missing"),
        (_TRADE, "Latvia imported goods for 4.6 billion in 2019.", "missing"),
        (_PETS, "Five students have six pets.", "missing"),
    ],
)  # fmt: skip
def test_what_is_measured_is_told_from_verbs_and_adjectives(figure: _Figure, claim: str, verdict: str) -> None:
    assert grounded_matcher(figure)(claim).verdict == verdict


@pytest.mark.parametrize(
    ("figure", "claim", "verdict"),
    [
        (_HILLS, "Crag Loop climbs 0.78 km.", "supported"),
        (_HILLS, "The climb of Tarn Path is 31,000 cm.", "supported"),
        (_HILLS, "Crag Loop takes 4 hours.", "supported"),
        (_MILLS, "The White Sister is 2,400 cm high.", "supported"),
        (_MILLS, "The White Sister is 2.4 km high.", "contradicted"),
    ],
)
def test_a_value_is_held_against_the_unit_of_its_column(figure: _Figure, claim: str, verdict: str) -> None:
    assert grounded_matcher(figure)(claim).verdict == verdict


@pytest.mark.parametrize(
    ("figure", "claim", "verdict"),
    [
        (_FIRMS, "Kestrel Air made a loss of 5.1 in Q2 2021.", "supported"),
        (_FIRMS, "Kestrel Air's result in Q1 2021 was 12.4.", "contradicted"),
        (_FIRMS, "Kestrel Air's loss was smaller in Q2 2021 than in Q1 2021.", "supported"),
        (_FIRMS, "Kestrel Air's loss was smaller in Q1 2021 than in Q2 2021.", "contradicted"),
    ],
)
def test_a_number_without_its_sign_needs_a_word_of_loss(figure: _Figure, claim: str, verdict: str) -> None:
    assert grounded_matcher(figure)(claim).verdict == verdict


@pytest.mark.parametrize(
    ("figure", "claim", "verdict"),
    [
        (_READERS, "The table distinguishes four age groups.", "supported"),
        (_READERS, "The table distinguishes six age groups.", "contradicted"),
        (_READERS, "The legend names three reading habits.", "supported"),
        (_READERS, "The legend names five reading habits.", "contradicted"),
        (_READERS, "Twelve bars are drawn in the chart.", "supported"),
        (_TRADE, "Three lines are drawn in the chart.", "contradicted"),
        (_FIRMS, "The chart spans three quarters.", "supported"),
        (_STAFF, "The table has three columns: employee, regular hours and overtime hours.", "supported"),
        (_STAFF, "The table has two columns: employee and regular hours.", "contradicted"),
        (_STAFF, 'The table\'s three columns are "Week", "Meals" and "Guests".', "contradicted"),
    ],
)  # fmt: skip
def test_parts_are_counted_by_what_their_noun_fits(figure: _Figure, claim: str, verdict: str) -> None:
    found = grounded_matcher(figure)(claim)
    assert (found.verdict, found.type) == (verdict, "structure")
