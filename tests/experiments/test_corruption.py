"""Spoilt constraints: how much is spoilt, that nothing else is, and that larger ratios spoil more of the same."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evpv.experiments.trials import drop_facts, flip_fields, shuffle_values
from evpv.types import Constraint, Numeric, Relation, Structure

FACTS: tuple[Constraint, ...] = (
    *(Numeric(entity=f"segment A{letter}", attribute="length", value=float(i)) for i, letter in enumerate("BCDEF", 3)),
    Relation(type="parallel", entities=("AB", "CD")),
    Relation(type="perpendicular", entities=("AB", "EF")),
    Structure(type="table", parts=("row 1", "row 2")),
)
ratios = st.floats(0, 1)
seeds = st.integers(0, 10_000)


@given(ratios, seeds)
def test_the_realised_ratio_is_the_nominal_one_up_to_one_field(ratio: float, seed: int) -> None:
    found = flip_fields(FACTS, ratio, random.Random(seed))
    assert len(found.constraints) == len(FACTS)
    assert abs(found.realised - ratio) <= 0.5 / (2 * len(FACTS)) + 1e-9


@given(seeds)
def test_what_a_ratio_spoils_every_larger_ratio_spoils_too(seed: int) -> None:
    before: set[int] = set()
    for tenth in range(11):
        spoilt = flip_fields(FACTS, tenth / 10, random.Random(seed)).constraints
        changed = {i for i, (old, new) in enumerate(zip(FACTS, spoilt, strict=True)) if old != new}
        assert before <= changed
        before = changed


@given(seeds)
def test_ratio_zero_changes_nothing_and_one_changes_all(seed: int) -> None:
    assert flip_fields(FACTS, 0.0, random.Random(seed)).constraints == FACTS
    assert flip_fields(FACTS, 1.0, random.Random(seed)).realised == 1.0


@given(ratios, seeds)
def test_dropping_keeps_the_rest_in_order(ratio: float, seed: int) -> None:
    found = drop_facts(FACTS, ratio, random.Random(seed))
    assert len(found.constraints) == len(FACTS) - round(ratio * len(FACTS))
    assert [fact for fact in FACTS if fact in found.constraints] == list(found.constraints)


@given(seeds)
def test_shuffling_invents_no_name_and_no_value(seed: int) -> None:
    found = shuffle_values(FACTS, random.Random(seed)).constraints
    for pick in (
        lambda facts: sorted(f.entity for f in facts if isinstance(f, Numeric)),
        lambda facts: [f.value for f in facts if isinstance(f, Numeric)],
        lambda facts: sorted(f.entities for f in facts if isinstance(f, Relation)),
    ):
        assert pick(found) == pick(FACTS)
    pairs = [(old, new) for old, new in zip(FACTS, found, strict=True) if not isinstance(old, Structure)]
    assert all(old != new for old, new in pairs)


def test_a_field_with_nothing_else_to_become_stays_and_is_not_counted() -> None:
    alone = (Numeric(entity="AB", attribute="length", value=5.0),)
    assert flip_fields(alone, 1.0, random.Random(0)).realised == 0.5


@pytest.mark.parametrize("spoil", [flip_fields, drop_facts])
def test_no_constraints_cannot_be_spoilt(spoil: object) -> None:
    assert spoil((), 0.5, random.Random(0)).realised == 0.0  # type: ignore[operator]


@given(seeds)
def test_a_whole_number_is_misread_as_another_whole_number(seed: int) -> None:
    one = (Numeric(entity="AB", attribute="length", value=2.0),)
    value = flip_fields(one, 1.0, random.Random(seed)).constraints[0].value  # type: ignore[union-attr]
    assert value != 2.0
    assert value.is_integer()
