"""Every form of a candidate that people have, and what each wrong one is told."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evpv.errors import RecordError
from evpv.records import candidate_from_json, candidate_from_text, candidate_to_json
from evpv.types import Candidate, Step

POLICY = {
    "reasoningprocess": [
        {"steptext": "Read AB.", "visualdependency": "AB is 3 cm."},
        {"steptext": "Square it.", "visualdependency": None},
    ],
    "finalanswer": "9",
}
POLICY_STEPS = (Step(text="Read AB.", claim="AB is 3 cm."), Step(text="Square it."))
POLICY_TEXT = json.dumps(POLICY)


def test_our_own_form() -> None:
    value = {
        "id": "a",
        "steps": [
            {"text": "Read.", "claim": "AB is 3.", "label": 1},
            {"text": "Add.", "claim_from": "auditor"},
            "So 3.",
        ],
        "final_answer": "3",
        "correct": True,
    }
    assert candidate_from_json(value) == Candidate(
        id="a",
        steps=(
            Step(text="Read.", claim="AB is 3.", label=1),
            Step(text="Add.", claim_from="auditor"),
            Step(text="So 3."),
        ),
        final_answer="3",
        correct=True,
    )


@pytest.mark.parametrize(
    "value",
    [
        POLICY,
        POLICY_TEXT,
        {"response": POLICY_TEXT},
        {"response": f"```json\n{POLICY_TEXT}\n```"},
        f"\n```json\n{json.dumps(POLICY, indent=2)}\n```\n",
        json.dumps({"finalanswer": "9", "reasoningprocess": POLICY["reasoningprocess"]}),
    ],
)
def test_the_policys_json_as_an_object_as_text_and_fenced(value: Any) -> None:
    assert candidate_from_json(value) == Candidate(id="1", steps=POLICY_STEPS, final_answer="9")


def test_text_around_the_policys_json_is_kept() -> None:
    read = candidate_from_text(f"Sure! {{ok}}\n```json\n{POLICY_TEXT}\n```\nDone.", "1")
    assert read.steps == POLICY_STEPS
    assert "Sure! {ok}" in read.extra["outside_json"]
    assert "Done." in read.extra["outside_json"]


def test_an_id_that_a_model_wrote_does_not_become_the_candidates() -> None:
    read = candidate_from_text('{"id": "x", "reasoningprocess": []}', "3")
    assert (read.id, read.extra) == ("3", {"response_id": "x"})


def test_null_and_an_empty_string_stay_distinguishable() -> None:
    def step(claim: str | None) -> Step:
        value = {"reasoningprocess": [{"steptext": "s", "visualdependency": claim}]}
        return candidate_from_json(value).steps[0]

    assert step(None) == Step(text="s")
    assert step("") == Step(text="s", extra={"note": "empty visualdependency read as null"})
    assert step(" \n") == Step(text="s", extra={"note": "empty visualdependency read as null"})
    assert step("null") == Step(text="s", extra={"note": "'null' in quotes read as null"})
    assert step("The null hypothesis holds.").claim == "The null hypothesis holds."


def test_an_empty_claim_in_our_own_form_is_noted_too() -> None:
    [plain, empty, noted] = candidate_from_json(
        {"steps": [{"text": "s", "claim": None}, {"text": "s", "claim": ""}, {"text": "s", "claim": "", "note": "x"}]}
    ).steps
    assert plain == Step(text="s")
    assert empty == Step(text="s", extra={"note": "empty claim read as null"})
    assert noted.extra == {"note": "x", "claim_note": "empty claim read as null"}


def test_free_text_is_split_and_claims_stay_open_for_the_auditor() -> None:
    read = candidate_from_json(
        {"id": "g", "response": "AB is 3.\n\nSo the area is 9.\n\nThe answer is 9.", "correct": True}
    )
    assert [step.text for step in read.steps] == ["AB is 3.", "So the area is 9.", "The answer is 9."]
    assert {step.claim for step in read.steps} == {None}
    assert (read.id, read.final_answer, read.correct) == ("g", "9", True)


def test_a_given_final_answer_wins_over_the_text() -> None:
    assert candidate_from_json({"response": "The answer is 9.", "final_answer": 8}).final_answer == "8"


def test_an_empty_response_has_no_steps() -> None:
    assert candidate_from_json({"response": ""}) == Candidate(id="1", steps=())


def test_labelled_steps_keep_their_labels() -> None:
    value = {
        "response": {"steps": ["Look.", "Final answer: B"], "process_correctness": [1, -1], "seed": 3},
        "model": "m",
    }
    assert candidate_from_json(value) == Candidate(
        id="1",
        steps=(Step(text="Look.", label=1), Step(text="Final answer: B", label=-1)),
        final_answer="B",
        extra={"seed": 3, "model": "m"},
    )


@pytest.mark.parametrize(
    "broken",
    [
        POLICY_TEXT[:-20],
        POLICY_TEXT.replace("null", "NaN"),
        POLICY_TEXT.replace('"Square it."', "17"),
        POLICY_TEXT.replace('"finalanswer"', '"reasoningprocess"'),
        '"reasoningprocess"',
    ],
)
def test_a_broken_reply_is_free_text_with_the_reason_beside_it(broken: str) -> None:
    read = candidate_from_text(broken, "1")
    assert "".join("".join(step.text for step in read.steps).split()) == "".join(broken.split())
    assert read.extra["note"].startswith("read as free text, since the policy's JSON ")


def test_a_field_of_the_response_does_not_hide_one_beside_it() -> None:
    read = candidate_from_json({"response": POLICY_TEXT[:-20], "note": "from Tuesday"})
    assert read.extra["note"] == "from Tuesday"
    assert read.extra["response_note"].startswith("read as free text")


@pytest.mark.parametrize(("given", "text"), [(12, "12"), (-3.5, "-3.5"), ("", ""), (None, None)])
def test_a_number_as_answer_is_taken_as_its_text(given: Any, text: str | None) -> None:
    assert candidate_from_json({"steps": [], "final_answer": given}).final_answer == text


def test_where_two_forms_are_there_steps_are_read_and_the_response_is_kept() -> None:
    value = {"id": "a", "steps": [{"text": "s", "claim": None}], "final_answer": None, "response": "whole text"}
    read = candidate_from_json(value)
    assert read == Candidate(id="a", steps=(Step(text="s"),), extra={"response": "whole text"})
    assert candidate_to_json(read) == value


@pytest.mark.parametrize(
    ("value", "field", "message"),
    [
        ({"id": "a"}, None, "must be an object with 'steps', 'reasoningprocess' or 'response'"),
        (3, None, "must be an object with 'steps'"),
        ({"steps": "Look."}, "steps", 'must be an array, not "Look."'),
        ({"steps": [3]}, "steps[0]", "must be an object, not 3"),
        ({"steps": [{"claim": "x"}]}, "steps[0].text", "is missing"),
        ({"steps": [{"text": "x", "claim": 3}]}, "steps[0].claim", "must be a string, not 3"),
        ({"steps": [{"text": "x", "claim_from": "me"}]}, "steps[0].claim_from", "must be 'policy' or 'auditor'"),
        ({"steps": [], "final_answer": True}, "final_answer", "must be a string, not true"),
        ({"steps": [], "id": ["a"]}, "id", "must be a string, not an array of 1"),
        ({"response": 3}, "response", "must be a string, not 3"),
        ({"response": {"steps": ["a"], "process_correctness": [1, 1]}}, "response", "2 labels for 1 steps"),
        ({"response": {"steps": ["a"], "process_correctness": [2]}}, "response.process_correctness[0]", "not 2"),
        (
            {"reasoningprocess": [{"steptext": "a", "claim": "b"}]},
            "reasoningprocess[0]",
            "has 'claim', which belongs to another form",
        ),
        ({"reasoningprocess": [], "final_answer": "b"}, None, "has 'final_answer', which belongs to another form"),
        ({"response": {"steps": [], "id": "b"}}, "response", "has 'id', which belongs to another form"),
    ],
)
def test_a_wrong_candidate_is_told_which_field(value: Any, field: str | None, message: str) -> None:
    with pytest.raises(RecordError) as caught:
        candidate_from_json(value)
    assert caught.value.field == field
    assert message in caught.value.message
