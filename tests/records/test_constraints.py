"""Constraints and the files that hold them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evpv.errors import RecordError
from evpv.records import (
    constraint_from_json,
    constraint_to_json,
    constraints_from_json,
    read_cases,
)
from evpv.types import Numeric, Relation, Structure

NUMERIC = {"category": "numeric", "entity": "segment AB", "attribute": "length", "value": 3}
RELATION = {"category": "relation", "type": "equal", "entities": ["AB", "CD"]}
STRUCTURE = {"category": "structure", "type": "composite", "parts": ["cylinder", "cone"]}


def test_the_papers_example_is_read_and_written_to_the_letter() -> None:
    example = [
        {**NUMERIC, "entity": "cylinder base radius", "unit": "cm", "confidence": 0.95},
        {**RELATION, "direction": None, "confidence": 0.97},
        {**STRUCTURE, "attachment": ["cone placed on top of cylinder"], "adjacency": [], "confidence": 0.94},
    ]
    constraints = constraints_from_json(example)
    assert constraints == (
        Numeric(entity="cylinder base radius", attribute="length", value=3.0, unit="cm", confidence=0.95),
        Relation(type="equal", entities=("AB", "CD"), confidence=0.97),
        Structure(
            type="composite",
            parts=("cylinder", "cone"),
            attachment=("cone placed on top of cylinder",),
            confidence=0.94,
        ),
    )
    assert [constraint_to_json(constraint) for constraint in constraints] == example


def test_confidence_is_one_where_it_is_absent() -> None:
    assert {constraint_from_json(value).confidence for value in (NUMERIC, RELATION, STRUCTURE)} == {1.0}


def test_where_it_was_seen_and_how_it_was_read_are_kept() -> None:
    value = {**NUMERIC, "box": [1, 2, 3, 4.5], "reading": "estimated", "font": "bold"}
    constraint = constraint_from_json(value)
    assert isinstance(constraint, Numeric)
    assert (constraint.box, constraint.reading, constraint.extra) == ((1, 2, 3, 4.5), "estimated", {"font": "bold"})
    assert constraint_to_json(constraint) == {**value, "unit": None, "confidence": 1.0}


def test_null_lists_are_empty_and_any_type_of_relation_is_a_record() -> None:
    structure = constraint_from_json({**STRUCTURE, "attachment": None, "adjacency": None})
    assert isinstance(structure, Structure)
    assert (structure.attachment, structure.adjacency) == ((), ())
    assert constraint_from_json({**RELATION, "type": "continuous_at"}) == Relation(
        type="continuous_at", entities=("AB", "CD")
    )


@pytest.mark.parametrize(
    ("value", "field", "message"),
    [
        ({**NUMERIC, "value": "12"}, "value", 'must be a number, not "12"'),
        ({**NUMERIC, "value": True}, "value", "must be a number, not true"),
        ({**NUMERIC, "value": None}, "value", "must be a number, not null"),
        ({**NUMERIC, "value": 10**400}, "value", "must be a number, not 1000"),
        ({**NUMERIC, "confidence": 1.01}, "confidence", "must be at most 1, not 1.01"),
        ({**NUMERIC, "confidence": -0.1}, "confidence", "must be at least 0, not -0.1"),
        ({**NUMERIC, "confidence": None}, "confidence", "must be a number, not null"),
        ({**NUMERIC, "confidence": "high"}, "confidence", 'must be a number, not "high"'),
        ({**NUMERIC, "unit": 3}, "unit", "must be a string, not 3"),
        ({**NUMERIC, "box": [1, 2, 3]}, "box", "must be an array of at least 4, not an array of 3"),
        ({**NUMERIC, "box": [1, 2, 3, "4"]}, "box[3]", 'must be a number, not "4"'),
        ({**NUMERIC, "reading": "guessed"}, "reading", "must be 'printed' or 'estimated', not \"guessed\""),
        ({"category": "numeric", "entity": "AB"}, "attribute", "is missing"),
        ({**RELATION, "type": ""}, "type", 'must be a string that is not empty, not ""'),
        ({**RELATION, "entities": "AB"}, "entities", 'must be an array, not "AB"'),
        ({**RELATION, "entities": ["AB", 3]}, "entities[1]", "must be a string, not 3"),
        ({**RELATION, "entities": []}, "entities", "must be an array of at least 1"),
        ({**STRUCTURE, "parts": [{}]}, "parts[0]", "must be a string, not an object of 0"),
        ({**STRUCTURE, "category": "shape"}, None, "'category' is 'numeric', 'relation' or 'structure'"),
        ({"value": 3}, None, "'category' is 'numeric', 'relation' or 'structure'"),
        (3, None, "must be an object whose 'category'"),
    ],
)
def test_a_wrong_constraint_is_told_which_field_and_what_was_expected(value: Any, field: str, message: str) -> None:
    with pytest.raises(RecordError) as caught:
        constraint_from_json(value)
    assert caught.value.field == field
    assert message in caught.value.message


def test_a_wrong_constraint_in_a_list_is_told_its_place() -> None:
    with pytest.raises(RecordError, match=r"^\[1\]\.value: must be a number"):
        constraints_from_json([NUMERIC, {**NUMERIC, "value": "12"}])
    with pytest.raises(RecordError, match="must be an array of constraints"):
        constraints_from_json(NUMERIC)


def test_cases_keep_what_else_the_line_says(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps({"id": 7, "claim": "AB is 3.", "constraints": [NUMERIC], "verdict": "supported"}))
    [case] = read_cases(path)
    assert (case.id, case.claim, case.extra) == ("7", "AB is 3.", {"verdict": "supported"})
    assert case.constraints == (constraint_from_json(NUMERIC),)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"id": "a", "constraints": []}, "claim: is missing"),
        ({"id": "a", "claim": None, "constraints": []}, "claim: must be a string, not null"),
        ({"claim": "x", "constraints": []}, "id: is missing"),
        ({"id": "", "claim": "x", "constraints": []}, "id: must be a string that is not empty"),
        ({"id": "a", "claim": "x", "constraints": [NUMERIC, {**NUMERIC, "value": "3"}]}, "constraints[1].value: must"),
    ],
)
def test_a_wrong_case_is_told_which_field(tmp_path: Path, line: dict[str, Any], message: str) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(line))
    with pytest.raises(RecordError) as caught:
        list(read_cases(path))
    assert f"cases.jsonl:1: {message}" in str(caught.value)
