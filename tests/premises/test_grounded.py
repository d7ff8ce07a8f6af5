"""Our matching beyond the paper, in labelled figures and lists of values: verdicts by table.

A row is a claim, its verdict, and what the deciding constraint is about (None where nothing was read of it).
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evpv.premises.matching.grounded import MISSING_SUPPORT, grounded_matcher
from evpv.types import Constraint, Numeric, Reading, Relation, Structure

Figure = tuple[Constraint, ...]
Verdicts = Callable[[Figure, list[tuple[str, str, str | None]]], None]


def number(
    entity: str, value: float, unit: str | None = None, attribute: str = "value", reading: Reading = "printed"
) -> Numeric:
    return Numeric(entity=entity, attribute=attribute, value=value, unit=unit, reading=reading)


TRIANGLE: Figure = (
    number("segment AB", 10, "cm", "length"),
    number("segment BC", 7.5, None, "length"),
    number("angle ABC", 50, "deg", "angle"),
    number("segment CD", 10, "cm", "length"),
    number("segment EF", 20, "cm", "length"),
    number("circle O", 5.5, None, "radius"),
    Relation(type="perpendicular", entities=("AB", "CD")),
    Relation(type="parallel", entities=("EF", "GH")),
    Relation(type="equal", entities=("PQ", "RS")),
    Relation(type="incident", entities=("D", "AC")),
)


def test_units_are_converted(verdicts: Verdicts) -> None:
    verdicts(
        TRIANGLE,
        [
            ("AB = 10 cm", "supported", "AB"),
            ("AB is 100 mm long.", "supported", "AB"),
            ("AB = 0.1 m", "supported", "AB"),
            ("AB is 10 mm long.", "contradicted", "AB"),
            ("Angle ABC is 0.8727 radians.", "supported", "ABC"),  # 50 · π/180
            ("Angle ABC is 50 radians.", "contradicted", "ABC"),
        ],
    )


def test_money_is_converted(verdicts: Verdicts) -> None:
    verdicts(
        (number("notebook price", 0.45, "$"), number("pen price", 2.5, "$")),
        [
            ("The notebook costs 45 cents.", "supported", "notebook"),
            ("The notebook costs $0.45.", "supported", "notebook"),
            ("The pen costs $2.50.", "supported", "pen"),
            ("The pen costs $3.50.", "contradicted", "pen"),
            ("The ruler costs $1.", "missing", None),
        ],
    )


def test_a_printed_value_is_read_exactly_and_may_be_rounded_a_little(verdicts: Verdicts) -> None:
    verdicts(
        (number("Ann", 25.495), number("Bob", 2.6), number("Cat", 15400)),
        [
            ("The value for Ann is 25.495.", "supported", "Ann"),
            ("The value for Ann is 25.5.", "supported", "Ann"),  # rounds to a tenth
            ("The value for Ann is 25.4.", "contradicted", "Ann"),
            ("The value for Ann is 26.", "contradicted", "Ann"),  # not how 25.495 rounds
            ("The value for Bob is 3.", "contradicted", "Bob"),  # rounds, but changes it by 15 %
            ("The value for Cat is 15,400.", "supported", "Cat"),
            ("The value for Cat is 15,500.", "contradicted", "Cat"),
        ],
    )


def test_fact_3_grounded_tells_45_degrees_from_50(verdicts: Verdicts) -> None:
    verdicts(TRIANGLE, [("∠ABC = 45°", "contradicted", "ABC"), ("∠ABC = 50°", "supported", "ABC")])


def test_hedges_widen_and_bounds_are_one_sided(verdicts: Verdicts) -> None:
    verdicts(
        (number("Ann", 15.4), number("Bob", 16800)),
        [
            ("The value for Ann is about 15.", "supported", "Ann"),
            ("The value for Ann is roughly 20.", "contradicted", "Ann"),
            ("The value for Bob is about 17,000.", "supported", "Bob"),
            ("The value for Ann is more than 15.", "supported", "Ann"),
            ("The value for Ann is more than 16.", "contradicted", "Ann"),
            ("The value for Ann is at most 16.", "supported", "Ann"),
            ("The value for Ann is less than 15.", "contradicted", "Ann"),
        ],
    )


def test_estimated_readings_can_be_too_loose_to_tell(verdicts: Verdicts) -> None:
    verdicts(
        tuple(number(n, v, reading="estimated") for n, v in (("apples", 40), ("pears", 42), ("plums", 80))),
        [
            ("Apples are at 40.", "supported", "apples"),
            ("Apples are at 41.", "supported", "apples"),
            ("Apples are at 44.", "missing", None),
            ("Apples are at 60.", "contradicted", "apples"),
            ("Plums are higher than apples.", "supported", "plums"),
            ("Apples are higher than plums.", "contradicted", "apples"),
            ("Pears are higher than apples.", "missing", None),
            ("Plums have the highest value.", "supported", "plums"),
            ("Pears have the lowest value.", "missing", None),
        ],
    )


def test_geometry_labels_are_geometry(verdicts: Verdicts) -> None:
    verdicts(
        TRIANGLE,
        [
            ("BA = 10", "supported", "AB"),
            ("∠CBA = 50°", "supported", "ABC"),
            ("m∠B = 50", "supported", "ABC"),  # the only angle at B
            ("∠BCA = 50°", "missing", None),  # another vertex is another angle
            ("∠BAC = 50°", "contradicted", "AB CD"),  # AC is the line CD
            ("∠BAD = 90°", "supported", "AB CD"),
            ("AB ⟂ AC", "supported", "AB CD"),
            ("XY = 3", "missing", None),
            (r"$\overline{CB} = 7.5$", "supported", "BC"),
            ("The radius of circle O is 5.5.", "supported", "O"),
            ("The diameter of circle O is 11.", "supported", "O"),
            ("The diameter of circle O is 5.5.", "contradicted", "O"),
        ],
    )


def test_symmetric_relations_have_no_order(verdicts: Verdicts) -> None:
    verdicts(
        TRIANGLE,
        [
            ("AB ⟂ CD", "supported", "AB CD"),
            ("DC is perpendicular to BA.", "supported", "AB CD"),
            ("GH ∥ FE", "supported", "EF GH"),
            ("SR = PQ", "supported", "PQ RS"),
            ("D lies on AC.", "supported", "D AC"),
            ("B lies on AC.", "missing", None),
            ("PQ ∥ RS", "missing", None),
        ],
    )


def test_relations_refute_each_other_and_may_be_denied(verdicts: Verdicts) -> None:
    verdicts(
        TRIANGLE,
        [
            ("AB ∥ CD", "contradicted", "AB CD"),
            ("EF ⟂ GH", "contradicted", "EF GH"),
            ("AB is not perpendicular to CD.", "contradicted", "AB CD"),
            ("AB is not parallel to CD.", "supported", "AB CD"),
            ("AB = CD", "supported", "AB"),  # both are 10
            ("AB = BC", "contradicted", "AB"),
            ("PQ = AB", "missing", None),
        ],
    )


def test_ordered_relations_have_an_order(verdicts: Verdicts) -> None:
    verdicts(
        TRIANGLE,
        [
            ("AB is longer than BC.", "supported", "AB"),
            ("BC is longer than AB.", "contradicted", "BC"),
            ("BC is shorter than AB.", "supported", "BC"),
            ("AB is longer than CD.", "contradicted", "AB"),  # equal is not longer
            ("AB is longer than XY.", "missing", None),
        ],
    )


def test_differences_ratios_and_sums_of_labelled_things(verdicts: Verdicts) -> None:
    verdicts(
        TRIANGLE,
        [
            ("AB is 2.5 longer than BC.", "supported", "AB"),
            ("AB is 5 longer than BC.", "contradicted", "AB"),
            ("EF is twice as long as AB.", "supported", "EF"),
            ("EF is twice AB.", "supported", "EF"),
            ("AB is half of EF.", "supported", "AB"),
            ("EF is three times AB.", "contradicted", "EF"),
            ("AB = 2 × EF", "contradicted", "AB"),
            ("AB + EF = 30", "supported", "AB"),
            ("AB + EF = 10", "contradicted", "AB"),  # the sum, not AB alone
            ("The sum of AB and EF is 30 cm.", "supported", "AB"),
            ("AB + XY = 30", "missing", None),
        ],
    )


def test_stated_relations_in_words(verdicts: Verdicts) -> None:
    verdicts(
        (Relation(type="greater", entities=("red tower", "blue tower"), confidence=0.9),),
        [
            ("The red tower is taller than the blue tower.", "supported", "red tower"),
            ("The blue tower is taller than the red tower.", "contradicted", "red tower"),  # swapped
            ("The blue tower is shorter than the red tower.", "supported", "red tower"),
        ],
    )


def test_what_cannot_be_parsed_is_neither_right_nor_wrong() -> None:
    found = grounded_matcher(TRIANGLE)("Everyone is nice.")
    assert (found.type, found.verdict, found.support, found.constraint) == (
        "unclassifiable",
        "unparsed",
        0.73,
        None,
    )


@pytest.mark.parametrize(
    ("confidence", "claim", "support"),
    [
        (0.8, "AB = 10", 0.8),  # supported: as sure as the reading
        (0.8, "AB = 20", 0.2 * MISSING_SUPPORT["numeric"]),  # contradicted: what is left if it was misread
        (1.0, "AB = 20", 0.0),
        (0.8, "XY = 10", MISSING_SUPPORT["numeric"]),  # missing: what an unread claim is worth
    ],
)
def test_support_says_how_probable_a_claim_is(confidence: float, claim: str, support: float) -> None:
    figure = (Numeric(entity="segment AB", attribute="length", value=10.0, confidence=confidence),)
    assert grounded_matcher(figure)(claim).support == pytest.approx(support)


def test_the_support_of_missing_claims_is_a_setting() -> None:
    ask = grounded_matcher((), missing_support={"numeric": 0.1, "relation": 0.2, "structure": 0.3})
    assert ask("AB = 10").support == 0.1
    assert ask("AB ⟂ CD").support == 0.2
    assert ask("A cone is placed on top of a cylinder.").support == 0.3


def test_a_computed_verdict_is_as_sure_as_its_least_sure_fact() -> None:
    figure = (
        Numeric(entity="segment AB", attribute="length", value=10.0, confidence=0.9),
        Numeric(entity="segment BC", attribute="length", value=5.0, confidence=0.6),
    )
    found = grounded_matcher(figure)("AB is longer than BC.")
    assert (found.verdict, found.support, found.constraint) == ("supported", 0.6, 1)


def test_a_vertex_and_a_point_of_a_curve_are_held_against_what_was_read_of_it(verdicts: Verdicts) -> None:
    figure: Figure = (
        number("graph", 4, "y", "maximum", "estimated"),
        number("graph", 2, "x", "maximum position", "estimated"),
        number("graph at x = 1", 3, None, "value", "estimated"),
    )
    verdicts(
        figure,
        [
            ("The vertex of the function is (2, 4).", "supported", "graph"),
            ("The vertex of the function is (4, 4).", "contradicted", "graph"),
            ("The curve in the graph passes (1, 3).", "supported", "graph at x = 1"),
            ("The curve in the graph passes (1, 5).", "contradicted", "graph at x = 1"),
        ],
    )


def test_both_coordinates_may_be_said_by_their_axes(verdicts: Verdicts) -> None:
    figure: Figure = (
        number("graph", 2, "y", "y-intercept", "estimated"),
        number("graph of h at x = -1", 1, None, "value", "estimated"),
        number("graph of h at x = 3", -4, None, "value", "estimated"),
    )
    verdicts(
        figure,
        [
            ("The graph of h is at y = 1 for x = -1.", "supported", "graph of h at x = -1"),
            ("At x = 3 the graph of h is at y = -4.", "supported", "graph of h at x = 3"),
            ("The graph of h is at y = 2 for x = -1.", "contradicted", "graph of h at x = -1"),
            ("The graph of g is at y = 2 for x = -1.", "missing", None),
        ],
    )


def test_names_units_and_signs_of_tables(verdicts: Verdicts) -> None:
    table = Structure(type="table", parts=("Country", "Low (°F)", "Hours per week", "Growth in percent"))
    figure: Figure = (
        table,
        number("Netherlands Low (°F)", 41), number("Netherlands Hours per week", 1.5), number("Netherlands Growth in percent", -2.8),
        number("Sweden Low (°F)", 20), number("Sweden Hours per week", 3), number("Sweden Growth in percent", 1.2),
    )  # fmt: skip
    verdicts(
        figure,
        [
            ("The Dutch low is 41 °F.", "supported", "Netherlands Low (°F)"),
            ("The low in Sweden is 41 °F.", "contradicted", "Sweden Low (°F)"),
            ("Growth in the Netherlands was 2.8%.", "contradicted", "Netherlands Growth in percent"),
            ("Sweden won 17 medals.", "missing", None),
        ],
    )
