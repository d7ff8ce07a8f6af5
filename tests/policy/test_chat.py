"""`ChatPolicy`: different questions for different candidates, and only what is a candidate becomes one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from evpv.backends.scripted import ScriptedBackend
from evpv.errors import ConfigError
from evpv.policy.chat import ChatPolicy, _Sampled
from evpv.protocols import ChatReply, ChatRequest
from evpv.records import candidate_from_json, candidate_to_json
from evpv.types import Problem

STEP = {"steptext": "AB is 12 cm.", "visualdependency": "AB = 12 cm"}
GOOD = json.dumps(
    {"reasoningprocess": [STEP, {"steptext": "Half is 6.", "visualdependency": None}], "finalanswer": "6"}
)


def sampled(answers: Sequence[str | ChatReply], problem: Problem, count: int = 1, **settings: Any) -> _Sampled:
    [one] = ChatPolicy(backend=ScriptedBackend(answers), **settings).sample([problem], count)
    return one


def test_the_papers_json_becomes_candidates_with_claims(problem: Problem) -> None:
    one = sampled([GOOD] * 8, problem, 8)
    assert [candidate.id for candidate in one.problem.candidates] == [str(number) for number in range(1, 9)]
    first = one.problem.candidates[0]
    assert [(step.text, step.claim) for step in first.steps] == [("AB is 12 cm.", "AB = 12 cm"), ("Half is 6.", None)]
    assert first.final_answer == "6"
    assert (one.rejected, one.missing) == ((), ())
    assert candidate_from_json(candidate_to_json(first)) == first


def test_each_candidate_is_asked_for_with_a_variant_a_nonce_and_a_seed_of_its_own(problem: Problem) -> None:
    def asked(**settings: Any) -> list[ChatRequest]:
        backend = ScriptedBackend([GOOD] * 8)
        ChatPolicy(backend=backend, **settings).sample([problem], 8)
        return backend.requests

    requests = asked()
    assert len({request.prompt for request in requests}) == 8
    assert len({request.sampling.seed for request in requests}) == 8
    assert "variant number 3 of" in requests[2].prompt
    assert [request.prompt for request in asked()] == [request.prompt for request in requests]
    assert {request.prompt for request in asked(seed=1)}.isdisjoint(request.prompt for request in requests)
    assert all(request.images == problem.images and request.stage == "sample" for request in requests)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("The answer is 6.", "no JSON"),
        ("", "empty"),
        ('{"reasoningprocess": [], "finalanswer": "6"}', "reasoningprocess: must have 1 to"),
        (json.dumps({"reasoningprocess": [STEP]}), "'finalanswer' is missing"),
        (json.dumps({"reasoningprocess": [STEP], "finalanswer": ""}), "finalanswer: must have 1 to"),
        (json.dumps({"reasoningprocess": [{**STEP, "steptext": ""}], "finalanswer": "6"}), "steptext: must have 1 to"),
        (json.dumps({"reasoningprocess": [{"visualdependency": None}], "finalanswer": "6"}), "'steptext' is missing"),
        (ChatReply(text=None, problem="HTTP 500"), "no answer: HTTP 500"),
        (ChatReply(text=GOOD[:60], finish="length"), "(cut off)"),
    ],
)
def test_what_is_no_candidate_is_asked_for_again_and_told(bad: Any, reason: str, problem: Problem) -> None:
    backend = ScriptedBackend([bad, GOOD])
    [one] = ChatPolicy(backend=backend).sample([problem], 1)
    assert len(one.problem.candidates) == 1
    origin = one.problem.candidates[0].sampled
    assert origin is not None
    assert origin.attempt == 2
    [rejected] = one.rejected
    assert (rejected.variant, rejected.attempt) == (1, 1)
    assert reason in rejected.reason
    assert backend.requests[0].prompt != backend.requests[1].prompt
    assert backend.requests[0].sampling.seed != backend.requests[1].sampling.seed


def test_what_stays_wrong_is_reported_and_not_made_up(problem: Problem) -> None:
    one = sampled(["no"] * 9, problem, 3, attempts=3)
    assert one.problem.candidates == ()
    assert one.missing == (1, 2, 3)
    assert len(one.rejected) == 9
    assert one.rejected[0].raw == "no"


@pytest.mark.parametrize("empty", ["", "null", "None"])
def test_an_empty_claim_is_no_claim_and_told(empty: str, problem: Problem) -> None:
    answer = json.dumps({"reasoningprocess": [{**STEP, "visualdependency": empty}], "finalanswer": "6"})
    [candidate] = sampled([answer], problem).problem.candidates
    assert candidate.steps[0].claim is None
    assert candidate.sampled is not None
    assert candidate.sampled.repairs == ("text-for-null",)


def test_candidates_that_were_there_before_are_replaced(problem: Problem) -> None:
    assert len(problem.candidates) == 2
    assert len(sampled([GOOD], problem).problem.candidates) == 1


def test_one_bad_problem_does_not_cost_the_others(problem: Problem) -> None:
    def answer(request: ChatRequest) -> str:
        return "no" if request.problem_id == "p" else GOOD

    policy = ChatPolicy(backend=ScriptedBackend(answer))
    first, second = policy.sample([problem, replace(problem, id="q")], 2)
    assert (len(first.problem.candidates), len(second.problem.candidates)) == (0, 2)


def test_attempts_and_prompts_are_checked_at_once() -> None:
    with pytest.raises(ConfigError, match="attempts"):
        ChatPolicy(backend=ScriptedBackend([]), attempts=0)
    with pytest.raises(ConfigError, match="did you mean 'policy'"):
        ChatPolicy(backend=ScriptedBackend([]), prompt="polici")


def test_the_version_changes_with_all_that_decides() -> None:
    plain = ChatPolicy(backend=ScriptedBackend([], name="m"))
    others: list[dict[str, Any]] = [
        {"temperature": 0.7}, {"top_p": 0.9}, {"max_tokens": 9}, {"attempts": 1}, {"seed": 1},
        {"backend": ScriptedBackend([], name="n")},
    ]  # fmt: skip
    assert len({plain.version, *(replace(plain, **other).version for other in others)}) == len(others) + 1
