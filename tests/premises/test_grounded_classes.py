"""Kinds of claims that go wrong easily, one row each: what is said, of which figure, and what must be found."""

from __future__ import annotations

import pytest

from evpv.premises.matching.grounded import grounded_matcher
from evpv.types import Constraint, Numeric, Relation, Structure


def _table(head: str, column: str, values: dict[str, float]) -> list[Constraint]:
    cells = [Numeric(entity=f"{row} {column}", attribute="value", value=value) for row, value in values.items()]
    return [Structure(type="table", parts=(head, column)), *cells]


PRICES = _table("Item", "Price ($)", {"umbrella": 9.0, "pair of gloves": 18.0, "scarf": 14.0, "hat": 27.0})
MINUTES = _table("Day", "Minutes", {"Monday": 158.0, "Tuesday": 185.0, "Wednesday": 119.0, "Thursday": 151.0})
WAYS = _table("Way", "Share of students (%)", {"Walking": 21.0, "Cycling": 13.0, "Cars": 30.0, "Bus": 36.0})
VISITORS = _table("Year", "Visitors in millions", {"2015": 4.15, "2016": 5.03, "2017": 4.34, "2018": 4.0, "2019": 4.42})
AGES = _table("Name", "Age (years)", {"Lauren": 19.0, "Martin": 16.0, "Clara": 19.0, "Eve": 17.0, "Jo": 15.0})
TRIANGLE: list[Constraint] = [
    Numeric(entity="segment PR", attribute="length", value=15.0),
    Numeric(entity="segment QR", attribute="length", value=21.0),
    Relation(type="perpendicular", entities=("PQ", "QR")),
]
CLOCK: list[Constraint] = [
    Numeric(entity="hour hand", attribute="hour", value=7.0, unit="h"),
    Numeric(entity="minute hand", attribute="minute", value=45.0, unit="min"),
]
CONE: list[Constraint] = [
    Numeric(entity="cone", attribute="slant height", value=13.0, unit="m"),
    Numeric(entity="cone", attribute="height", value=12.0, unit="m"),
]
CYLINDER: list[Constraint] = [
    Numeric(entity="cylinder", attribute="height", value=10.0, unit="cm"),
    Numeric(entity="cylinder", attribute="radius", value=3.0, unit="cm"),
]
CIRCLE: list[Constraint] = [
    Relation(type="on", entities=("point A", "circle O")),
    Relation(type="on", entities=("point B", "circle O")),
    Numeric(entity="circle O", attribute="radius", value=6.0),
]
LEGEND: list[Constraint] = [
    Structure(type="composite", parts=("plot area", "legend"), attachment=("legend at right of plot area",))
]
PARCELS: list[Constraint] = [
    Numeric(entity="parcel X", attribute="mass", value=1.2, unit="kg"),
    Numeric(entity="parcel Y", attribute="mass", value=900.0, unit="g"),
    Numeric(entity="parcel Z", attribute="mass", value=1200.0, unit="g"),
]
SOLIDS: list[Constraint] = [
    Numeric(entity="cone", attribute="height", value=60.0, unit="mm"),
    Numeric(entity="cone", attribute="radius", value=4.0, unit="cm"),
    Numeric(entity="cylinder", attribute="height", value=10.0, unit="cm"),
    Numeric(entity="cylinder", attribute="radius", value=4.0, unit="cm"),
]
QUARTERS = _table("Characteristic", "Rate", {"Q1 '20": 8.3, "Q2 '20": 11.6, "Q3 '20": 10.2, "Q4 '20": 9.7})
QUIZZES: list[Constraint] = [
    Structure(type="table", parts=("Student", "Quiz 1", "Quiz 2")),
    *(
        Numeric(entity=f"{name} Quiz {place}", attribute="value", value=value)
        for name, marks in {"Amara": (18.0, 16.0), "Ben": (12.0, 17.0)}.items()
        for place, value in enumerate(marks, 1)
    ),
]

CASES = [
    (TRIANGLE, "The right angle is located at P.", "relation", "contradicted"),
    (TRIANGLE, "We're given PR = 15, QR = 21 and a right angle at Q.", "numeric", "supported"),
    (TRIANGLE, "Angle Q is acute.", "relation", "contradicted"),
    (CLOCK, "It is a quarter to eight.", "numeric", "supported"),
    (CLOCK, "The clock shows 7:30.", "numeric", "contradicted"),
    (MINUTES, "Tuesday's practice took 3 hours and 5 minutes.", "numeric", "supported"),
    (MINUTES, "Fewer than 120 minutes were practiced on Wednesday.", "numeric", "supported"),
    (PRICES, "Two umbrellas cost as much as one pair of gloves.", "relation", "supported"),
    (PRICES, "Two scarves cost as much as one hat.", "relation", "contradicted"),
    (PRICES, "Two umbrellas cost $18.", "numeric", "supported"),
    (WAYS, "Walking and cycling together make up 34%, which is more than cars.", "numeric", "supported"),
    (WAYS, "More than a third take the bus.", "numeric", "supported"),
    (VISITORS, "More than five million people came in one year only.", "numeric", "supported"),
    (AGES, "The eldest cousins are all 19.", "numeric", "supported"),
    (AGES, "No one is older than 19.", "numeric", "supported"),
    (CONE, "The cone has slant height 13 m and perpendicular height 12 m.", "numeric", "supported"),
    (CONE, "The height of the cone is 13 m.", "numeric", "contradicted"),
    (CYLINDER, "The diameter of the cylinder is 6 cm.", "numeric", "supported"),
    (CYLINDER, "The cylinder is 6 cm across.", "numeric", "missing"),
    (CIRCLE, "Points A and B are on circle O.", "relation", "supported"),
    (CIRCLE, "OA is a radius, so OA = 6.", "numeric", "supported"),
    (LEGEND, "The legend sits to the left of the plot area.", "structure", "contradicted"),
    (LEGEND, "To the right of the plot area there is a legend.", "structure", "supported"),
    (CLOCK, "The clock reads fifteen minutes to eight.", "numeric", "supported"),
    (CONE, "The slant height of the cone is 130 dm.", "numeric", "supported"),
    (SOLIDS, "The cylinder is 4 cm taller than the cone.", "numeric", "supported"),
    (SOLIDS, "The cone is 4 cm taller than the cylinder.", "numeric", "contradicted"),
    (SOLIDS, "The cone and the cylinder have the same radius.", "relation", "supported"),
    (SOLIDS, "The cone is taller than the cylinder.", "relation", "contradicted"),
    (SOLIDS, "The volume of the cone is 70 cm³.", "numeric", "missing"),
    (TRIANGLE, "QR has a length of twelve units.", "numeric", "contradicted"),
    (QUARTERS, "In Q3 2020 the rate was 10.2 percent.", "numeric", "supported"),
    (QUARTERS, "The rate fell from the third quarter of 2020 to the fourth.", "relation", "supported"),
    (QUIZZES, "Amara did better on Quiz 3 than on Quiz 2.", "relation", "missing"),
    (QUIZZES, "The table has one column for Quiz 1 and one for Quiz 2.", "structure", "supported"),
    (QUIZZES, "The table has one column for Quiz 1 and one for the homework.", "structure", "contradicted"),
    (QUIZZES, "The table gives a clear overview of the term.", "unclassifiable", "unparsed"),
    (QUIZZES, "In Quiz 2, Ben was below Amara.", "relation", "contradicted"),
    (QUIZZES, "No student has a better mark in Quiz 1 than Amara.", "relation", "supported"),
    (PRICES, "A hat is twice as expensive as a scarf.", "numeric", "contradicted"),
    (PARCELS, "Parcel Y is the lightest of the three.", "relation", "supported"),
    (PARCELS, "Parcels X and Z weigh the same.", "relation", "supported"),
]


@pytest.mark.parametrize(("constraints", "claim", "kind", "verdict"), CASES, ids=[case[1] for case in CASES])
def test_a_claim_of_its_kind_is_typed_and_judged(
    constraints: list[Constraint], claim: str, kind: str, verdict: str
) -> None:
    found = grounded_matcher(constraints)(claim)
    assert (found.type, found.verdict) == (kind, verdict)
