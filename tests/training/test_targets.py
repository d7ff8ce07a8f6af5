"""What an extractor learns to write says what the facts say, in the one way that the picture decides."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evpv.backends.step_forms import canonical, facts_text
from evpv.records import constraints_from_json
from evpv.types import Constraint, Numeric, Relation, Structure

LETTERS = st.sampled_from("ABCDEFGH")
SEGMENT = st.tuples(LETTERS, LETTERS).map(lambda pair: "segment " + "".join(pair))
NUMBERS = st.builds(
    Numeric,
    entity=SEGMENT,
    attribute=st.just("length"),
    value=st.integers(1, 500).map(float),
    unit=st.sampled_from((None, "cm")),
)


@pytest.mark.parametrize(
    ("given_facts", "wanted"),
    [
        ([Numeric(entity="segment BA", attribute="length", value=3.0)], ["segment AB"]),
        ([Numeric(entity="angle CBA", attribute="angle", value=40.0)], ["angle ABC"]),
        ([Numeric(entity="angle 1", attribute="angle", value=40.0)], ["angle 1"]),
        ([Numeric(entity="cone height", attribute="length", value=4.0)], ["cone height"]),
    ],
)
def test_names_that_mean_the_same_are_written_alike(given_facts: list[Constraint], wanted: list[str]) -> None:
    assert [fact.entity for fact in canonical(given_facts) if isinstance(fact, Numeric)] == wanted


def test_sides_of_a_symmetric_relation_are_sorted_and_those_of_an_ordered_one_are_not() -> None:
    facts = canonical(
        [Relation(type="perpendicular", entities=("CB", "AC")), Relation(type="incident", entities=("D", "CB"))]
    )
    assert [fact.entities for fact in facts if isinstance(fact, Relation)] == [("D", "BC"), ("AC", "BC")]


def test_a_table_keeps_its_reading_order() -> None:
    facts = (
        Structure(type="table", parts=("Day", "Value")),
        Numeric(entity="Tuesday Value", attribute="value", value=2.0),
        Numeric(entity="Monday Value", attribute="value", value=1.0),
    )
    assert canonical(facts) == facts


@given(st.lists(NUMBERS, max_size=5))
def test_order_of_the_facts_does_not_matter_and_text_holds_them_all(facts: list[Numeric]) -> None:
    text = facts_text(canonical(facts))
    assert text == facts_text(canonical(facts[::-1]))
    assert constraints_from_json(json.loads(text)) == canonical(facts)
