"""Claims in the style of Appendix A and the case studies, under `paper`: each parses to the fields that the schema uses."""

from __future__ import annotations

import pytest

from evpv.premises.matching.paper import paper_matcher
from evpv.types import Constraint, Numeric, Relation, Structure


def number(entity: str, attribute: str, value: float, unit: str | None = None) -> Numeric:
    return Numeric(entity=entity, attribute=attribute, value=value, unit=unit, confidence=0.9)


SCHEMA: tuple[Constraint, ...] = (
    number("cylinder base radius", "length", 3, "cm"),
    number("cylinder height", "length", 8, "cm"),
    number("cone height", "length", 4, "cm"),
    number("segment AB", "length", 5),
    number("angle ABC", "angle", 40, "deg"),
    number("angle 1", "angle", 30, "deg"),
    number("red balls", "count", 7),
    number("triangles", "count", 4),
    number("Pears", "value", 45),
    number("table row 2 col B", "value", 12),
    number("piecewise graph", "kink position", 1, "x"),
    Relation(type="perpendicular", entities=("AB", "CD"), confidence=0.9),
    Relation(type="parallel", entities=("EF", "GH"), confidence=0.9),
    Relation(type="equal", entities=("AD", "BC"), confidence=0.9),
    Structure(type="composite", parts=("cylinder", "cone"), confidence=0.9),
    Structure(type="graph", parts=("Apples", "Pears", "Plums"), confidence=0.9),
)
TRUE = [
    "The cylinder height is 8.",
    "The cylinder height is 8 cm.",
    "The height of the cylinder is 8.",
    "The height of the cylinder is 8 cm.",
    "The cylinder is 8 cm tall.",
    "The cone height is 4.",
    "The cone is 4 cm tall.",
    "The height of the cone is 4 cm.",
    "The cylinder base radius is 3.",
    "The cylinder base radius is 3 cm.",
    "The base radius of the cylinder is 3 cm.",
    "The base radius of the cylinder is 3.",
    "AB = 5",
    "AB is 5.",
    "Segment AB has length 5.",
    "The length of AB is 5.",
    "Angle ABC is 40 degrees.",
    "∠ABC = 40°",
    "Angle 1 is 30 degrees.",
    "There are 7 red balls.",
    "The figure shows 7 red balls.",
    "The table entry in row 2, column B is 12.",
    "The piecewise graph has a kink at x = 1.",
    "AB is perpendicular to CD.",
    "AB ⊥ CD",
    "EF is parallel to GH.",
    "AD = BC",
    "AD is equal to BC.",
    "The figure is a cylinder with a cone attached on top.",
    "A cone is attached on top of a cylinder.",
    "The number of triangles is 4.",
    "4 triangles are shown.",
    "The bar for Pears reaches 45.",
    "The value for Pears is 45.",
    "The chart shows Apples, Pears and Plums.",
]


@pytest.mark.parametrize("claim", TRUE)
def test_a_true_claim_meets_its_constraint(claim: str) -> None:
    assert paper_matcher(SCHEMA)(claim).verdict == "supported"


def test_the_radius_alone_is_half_of_a_name_and_that_is_enough() -> None:
    circle = (number("circle radius", "length", 2),)
    assert paper_matcher(circle)("The radius is 2.").verdict == "supported"
