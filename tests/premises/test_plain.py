"""The short way: plain sentences of one number and one name are held against one value; everything else goes the long way."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evpv.language.questions import told_by
from evpv.premises.figure import Figure, figure
from evpv.premises.matching.grounded import grounded_matcher
from evpv.premises.matching.plain import plain_finding
from evpv.types import Constraint, Numeric, Relation, Structure

TABLE = Structure(type="table", parts=("Day", "Number of pizzas"), attachment=(), adjacency=(), confidence=1.0)


def cell(entity: str, value: float, unit: str | None = None, confidence: float = 1.0) -> Numeric:
    attribute = {"angle": "angle", "LJ": "length", "LK": "length"}.get(entity.split()[0], "value")
    return Numeric(entity=entity, attribute=attribute, value=value, unit=unit, confidence=confidence)


def model(*constraints: Constraint) -> Figure:
    return figure(tuple(constraints))


DAYS = (TABLE, cell("Monday Number of pizzas", 69), cell("Thursday Number of pizzas", 51))
YEARS = (
    Structure(type="table", parts=("City", "2019", "2020"), attachment=(), adjacency=(), confidence=1.0),
    cell("Paris 2019", 64), cell("Paris 2020", 2019), cell("Rome 2019", 12), cell("Rome 2020", 71),
)  # fmt: skip
ANGLES = (cell("angle BCD", 34, "deg"), cell("LJ", 24, "cm"), cell("LK", 10, "cm"))
LINES = (
    Relation(type="parallel", entities=("PQ", "RS"), confidence=1.0),
    Relation(type="equal", entities=("PS", "QR"), confidence=1.0),
)


@pytest.mark.parametrize(
    ("facts", "text", "verdict"),
    [
        (DAYS, "The value for Monday is 69.", "supported"),
        (DAYS, "Thursday has 51 pizzas", "supported"),
        (DAYS, "The table entry in row Thursday, column Number of pizzas is 15.", "contradicted"),
        (YEARS, "In 2019 the value for Paris is 64.", "supported"),
        (YEARS, "The 2020 bar for Rome is at 17.", "contradicted"),
        (ANGLES, "∠DCB = 34°", "supported"),
        (ANGLES, "Angle BCD measures 43 degrees.", "contradicted"),
        (ANGLES, "The length of JL is 24 cm.", "supported"),
        (ANGLES, "LJ is 240 mm.", "supported"),
        (LINES, "PQ ∥ SR", "supported"),
        (LINES, "Lines PQ and RS are perpendicular.", "contradicted"),
        (LINES, "Sides PS and QR have equal length.", "supported"),
    ],
)
def test_a_plain_sentence_is_held_against_its_one_value(facts: tuple[Constraint, ...], text: str, verdict: str) -> None:
    found = plain_finding(text, model(*facts))
    assert found is not None
    assert found[1].verdict == verdict
    match = grounded_matcher(facts)(text)
    assert (match.type, match.verdict) == (found[0], verdict)
    assert [text[slice(*part.span)] for part in match.assertions] == [text]


@pytest.mark.parametrize(
    ("facts", "text"),
    [
        (DAYS, "The value for Monday is not 69."),
        (DAYS, "The value for Monday is about 69."),
        (DAYS, "Monday has more than 60 pizzas."),
        (DAYS, "Monday has 69 burgers."),
        (DAYS, "Friday has 51 pizzas."),
        (DAYS, "Monday has 69 and Thursday has 51."),
        (DAYS, "Monday has sixty-nine pizzas."),
        (DAYS, "If Monday has 69 pizzas."),
        (DAYS, "Monday has 69%."),
        (DAYS, "**Monday** has 69 pizzas."),
        (DAYS, "Does Monday have 69 pizzas?"),
        (DAYS, "Monday has \u221269 pizzas."),
        (YEARS, "The value for Paris is 64."),
        (YEARS, "Paris 2020: 2019"),
        (ANGLES, "∠ABC = 34°"),
        (ANGLES, "LJ + LK = 34 cm"),
        (LINES, "PQ is not parallel to RS."),
        (LINES, "PQ ∥ QR"),
        (LINES, "PQ and RS are both parallel to QS."),
    ],
)
def test_what_says_more_than_one_value_goes_the_long_way(facts: tuple[Constraint, ...], text: str) -> None:
    assert plain_finding(text, model(*facts)) is None


def test_a_value_that_may_be_misread_refutes_only_by_the_long_way() -> None:
    unsure = (TABLE, cell("Monday Number of pizzas", 69, confidence=0.9), cell("Thursday Number of pizzas", 51))
    assert plain_finding("The value for Monday is 96.", model(*unsure)) is None
    supported = grounded_matcher(unsure)("The value for Monday is 69.")
    assert supported.support == 0.9


def test_what_the_question_gives_is_not_refuted_by_the_short_way() -> None:
    asked = replace(model(*ANGLES), told=told_by("Segment LJ is 42 cm long."))
    assert plain_finding("LJ = 42 cm", asked) is None
    assert plain_finding("LJ = 40 cm", asked) is not None


def test_names_that_several_values_share_are_not_plain() -> None:
    twice = (TABLE, cell("Monday Number of pizzas", 69), cell("Monday Number of pizzas", 96))
    assert plain_finding("The value for Monday is 69.", model(*twice)) is None


@given(st.text(max_size=60))
def test_any_text_is_answered_or_sent_on(text: str) -> None:
    for facts in (DAYS, YEARS, ANGLES):
        found = plain_finding(text, model(*facts))
        assert found is None or found[1].verdict in ("supported", "contradicted")


@given(st.integers(min_value=-(10**6), max_value=10**6), st.integers(min_value=-(10**6), max_value=10**6))
def test_a_plain_number_is_right_exactly_when_it_is_the_one_read(read: int, said: int) -> None:
    facts = (TABLE, cell("Monday Number of pizzas", read), cell("Thursday Number of pizzas", 51.5))
    found = plain_finding(f"The value for Monday is {said}.", model(*facts))
    assert found is not None
    near = abs(read - said) <= 0.015 * abs(read) and abs(read - said) <= 0.5
    assert (found[1].verdict == "supported") == (read == said or near)
