"""What kind of claim a sentence makes, and its fields."""

from __future__ import annotations

import pytest

from evpv.premises.claims import (
    MAX_LENGTH,
    NumericClaim,
    RelationClaim,
    StructureClaim,
    Unclassifiable,
    parse,
)

NUMERIC: list[tuple[str, str, str, float]] = [
    ("Segment AD has a length of 13.", "segment AD", "length", 13.0),
    ("AB = 5 cm", "segment AB", "length", 5.0),
    (r"$\overline{BC} = 5\sqrt{2}$", "segment BC", "length", 5 * 2**0.5),
    ("Angle ABC measures 40 degrees.", "angle ABC", "angle", 40.0),
    (r"$m\angle ABC = 40^\circ$", "angle ABC", "angle", 40.0),
    ("∠1 = 60°", "angle 1", "angle", 60.0),
    ("The radius of circle C is 5.5.", "circle C", "radius", 5.5),
    ("The cylinder base radius is 3 cm.", "cylinder base radius", "length", 3.0),
    ("The cone is 4 cm tall.", "cone height", "length", 4.0),
    ("The piecewise graph has a kink at x = 1.", "piecewise graph", "kink position", 1.0),
    ("In 2009 sales were $3.2 million.", "2009 sales", "value", 3.2e6),
    ("No pizzas were sold on Friday.", "pizzas sold Friday", "value", 0.0),
]


@pytest.mark.parametrize(("text", "entity", "attribute", "value"), NUMERIC, ids=[row[0] for row in NUMERIC])
def test_numeric_claims(text: str, entity: str, attribute: str, value: float) -> None:
    claim = parse(text)
    assert isinstance(claim, NumericClaim)
    assert (claim.entity, claim.attribute, claim.form) == (entity, attribute, "value")
    assert claim.values[0].absolute == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "form", "value"),
    [
        ("Isaiah took 32 more strokes than Edward.", "difference", 32.0),
        ("AB is 3 units longer than BC.", "difference", 3.0),
        ("The difference between Ann and Bob is 7.", "difference", 7.0),
        ("Ann has twice as many as Bob.", "ratio", 2.0),
        ("Each term is three times the previous one.", "ratio", 3.0),
        ("Ann has 12 apples.", "value", 12.0),
    ],
)
def test_numeric_claims_about_two_things(text: str, form: str, value: float) -> None:
    claim = parse(text)
    assert isinstance(claim, NumericClaim)
    assert claim.form == form
    assert claim.values[0].absolute == value


RELATION: list[tuple[str, str, tuple[str, ...], str]] = [
    ("AB is perpendicular to CD.", "perpendicular", ("AB", "CD"), "stated"),
    ("AB ⊥ CD", "perpendicular", ("AB", "CD"), "stated"),
    (r"$\overline{AB} \perp \overline{CD}$", "perpendicular", ("AB", "CD"), "stated"),
    ("AB is orthogonal to CD.", "perpendicular", ("AB", "CD"), "stated"),
    ("∠ABC is a right angle.", "perpendicular", ("AB", "BC"), "stated"),
    ("Triangle ABC has a right angle at B.", "perpendicular", ("AB", "BC"), "stated"),
    ("AB ∥ CD", "parallel", ("AB", "CD"), "stated"),
    ("AB || CD", "parallel", ("AB", "CD"), "stated"),
    ("AB is not parallel to CD.", "parallel", ("AB", "CD"), "stated"),
    ("AB = CD", "equal", ("AB", "CD"), "stated"),
    ("AB ≅ CD", "equal", ("AB", "CD"), "stated"),
    ("∠ABC = ∠DEF", "equal", ("∠ABC", "∠DEF"), "stated"),
    ("AD bisects angle BAC.", "equal", ("AD", "angle BAC"), "stated"),
    ("AB is labeled x + 2.", "equal", ("AB", "x + 2"), "expression"),
    ("D lies on AC.", "incident", ("D", "AC"), "stated"),
    ("Line AB is tangent to circle O.", "incident", ("Line AB", "circle O"), "stated"),
    ("The circle is inside the square.", "subset", ("circle", "square"), "stated"),
    ("The red house is next to the blue house.", "adjacent", ("red house", "blue house"), "stated"),
    ("AB is longer than CD.", "greater", ("AB", "CD"), "comparison"),
    ("SU > YW", "greater", ("SU", "YW"), "comparison"),
]


@pytest.mark.parametrize(("text", "kind", "entities", "form"), RELATION, ids=[row[0] for row in RELATION])
def test_relation_claims(text: str, kind: str, entities: tuple[str, ...], form: str) -> None:
    claim = parse(text)
    assert isinstance(claim, RelationClaim)
    assert (claim.type, claim.entities, claim.form) == (kind, entities, form)


@pytest.mark.parametrize(
    ("text", "kind", "form"),
    [
        ("Ann sold fewer apples than Bob.", "less", "comparison"),
        ("Ann and Bob sold the same number of apples.", "equal", "comparison"),
        ("Harry got the highest score.", "greater", "extreme"),
        ("Ann had the second lowest score.", "less", "extreme"),
        ("Sales fell from 2008 to 2009.", "less", "trend"),
        ("The price increased every year.", "greater", "trend"),
    ],
)
def test_relations_to_be_computed_from_numbers(text: str, kind: str, form: str) -> None:
    claim = parse(text)
    assert isinstance(claim, RelationClaim)
    assert (claim.type, claim.form) == (kind, form)


STRUCTURE: list[tuple[str, str, tuple[str, ...]]] = [
    ("A cone is placed on top of a cylinder.", "composite", ("cone", "cylinder")),
    ("The figure is composed of a square and a semicircle.", "composite", ("square", "semicircle")),
    ("The solid is composed of a cylinder and a cone.", "composite", ("cylinder", "cone")),
    ("The table lists the month and the waiting time.", "table", ("month", "waiting time")),
    ("The columns are Name and Age.", "table", ("Name", "Age")),
    ("The chart compares apples, pears and plums.", "chart", ("apples", "pears", "plums")),
    ('The columns are titled "Day" and "Number of cars".', "table", ("Day", "Number of cars")),
]


@pytest.mark.parametrize(("text", "kind", "parts"), STRUCTURE, ids=[row[0] for row in STRUCTURE])
def test_structure_claims(text: str, kind: str, parts: tuple[str, ...]) -> None:
    claim = parse(text)
    assert isinstance(claim, StructureClaim)
    assert (claim.type, claim.parts) == (kind, parts)


@pytest.mark.parametrize(
    "text",
    [
        "The picture is quite cluttered.",
        "We need to find the area.",
        "Let x be the unknown.",
        "Look at the figure carefully.",
        "This is an important concept.",
        "Add the two numbers.",
        "???",
        "",
        "   ",
    ],
)
def test_what_no_figure_could_confirm_is_unclassifiable(text: str) -> None:
    claim = parse(text)
    assert isinstance(claim, Unclassifiable)
    assert claim.reason


def test_a_text_that_is_no_single_assertion_is_refused() -> None:
    assert not isinstance(parse("AB = 5. " * (MAX_LENGTH // 8)), Unclassifiable)
    refused = parse("AB = 5. " * (MAX_LENGTH // 8 + 1))
    assert isinstance(refused, Unclassifiable)
    assert str(MAX_LENGTH) in refused.reason


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("In 2009 the price was 12.", [12.0]),  # a year is no value
        ("Angle 2 is 40 degrees.", [40.0]),  # nor is a name
        ("Point A is 3 cm from point B and 4 cm from point C.", [3.0, 4.0]),
    ],
)
def test_only_asserted_numbers_are_values(text: str, values: list[float]) -> None:
    claim = parse(text)
    assert isinstance(claim, NumericClaim)
    assert [value.absolute for value in claim.values] == values
