"""The judge as a whole: its shape, its probabilities, its settings, and that no text can hurt it."""

from __future__ import annotations

import json
import math
import os
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evpv.errors import ConfigError
from evpv.judges.checks import ChecksJudge
from evpv.judges.checks.observations import FAULTS, KINDS, Observation, _read_model, shipped_model
from evpv.protocols import StepJudge
from evpv.records import constraints_from_json, read_problems
from evpv.types import Candidate, Numeric, Problem, Step

DATA = Path(os.environ.get("EVPV_DATA", Path(__file__).parents[2].parent / "shared" / "data"))


def problem(*candidates: tuple[str, ...], question: str = "What is it?", images: tuple[str, ...] = ()) -> Problem:
    made = tuple(
        Candidate(id=str(i), steps=tuple(Step(text=text) for text in steps)) for i, steps in enumerate(candidates)
    )
    return Problem(id="p", question=question, candidates=made, images=images)


def test_answers_have_the_shape_of_the_problems(judge: ChecksJudge) -> None:
    as_protocol: StepJudge = judge
    problems = [problem(("3 + 4 = 7", "So 7."), ()), problem(), problem(("",))]
    answers = as_protocol.judge(problems, [[], [], []])
    assert [[len(steps) for steps in candidates] for candidates in answers] == [[2, 0], [], [1]]


def test_a_step_with_nothing_to_check_gets_the_measured_rate(judge: ChecksJudge) -> None:
    judgement = judge.judge([problem(("Let us look at the picture.", "The answer is 5."))], [[]])[0][0][0]
    neutral = 1 / (1 + math.exp(-shipped_model().intercept))
    assert judgement.reward is not None
    assert judgement.reward == pytest.approx(2 * neutral - 1)
    assert 0 < judgement.reward < 0.9
    assert judgement.explanation == "nothing to check"


def test_a_wrong_step_is_negative_and_says_why_first(judge: ChecksJudge) -> None:
    right, wrong = judge.judge([problem(("3 × 4 = 12", "12 + 5 = 17 and 17 - 3 = 15"))], [[]])[0][0]
    assert right.reward is not None
    assert right.reward > 0
    assert wrong.reward is not None
    assert wrong.reward < 0
    assert wrong.explanation.startswith("wrong: 17 - 3 = 15, but it is 14")
    assert "right: 12 + 5 = 17" in wrong.explanation


@pytest.mark.parametrize("kind", sorted(FAULTS))
def test_every_fault_alone_makes_a_step_negative_whatever_else_is_right(kind: str) -> None:
    fault = Observation(kind, "")  # type: ignore[arg-type]
    praise = [Observation(other, "") for other in KINDS if other.endswith("-right")]
    assert shipped_model().probability([fault, *praise]) < 0.5


def test_no_right_observation_lowers_and_no_wrong_one_raises_a_probability() -> None:
    weights = shipped_model().weights
    assert all(weights[kind] >= 0 for kind in KINDS if kind.endswith("-right"))
    assert all(weights[kind] < 0 for kind in FAULTS)


def test_the_weights_name_only_observations_that_exist() -> None:
    assert set(shipped_model().weights) == set(KINDS)
    with pytest.raises(ConfigError, match="equation-rihgt"):
        _read_model('made = "x"\nintercept = 1.0\n[weights]\nequation-rihgt = 1.0\n')


def test_an_error_is_inherited_by_the_step_that_uses_its_result(judge: ChecksJudge) -> None:
    steps = judge.judge([problem(("6 × 7 = 49", "49 + 1 = 50", "The sky is blue.", "The answer is 7."))], [[]])[0][0]
    assert "it uses 49, which step 0 reached by an error" in steps[1].explanation
    assert steps[2].explanation == "nothing to check"


def test_without_evidence_the_constraints_change_nothing() -> None:
    facts = [Numeric(entity="teapot", attribute="value", value=38.0)]
    asked = problem(
        ("The teapot costs $37.", "The answer is 37."), question="How much does a teapot cost?", images=("a.png",)
    )
    blind, informed = ChecksJudge(evidence=False), ChecksJudge()
    assert blind.judge([asked], [facts]) == blind.judge([asked], [[]])
    assert informed.judge([asked], [facts]) != blind.judge([asked], [facts])


def test_the_same_input_gives_the_same_output(judge: ChecksJudge) -> None:
    asked = [problem(("x² = 16, 3 + 4 = 8", "x = 4", "The mean of 3, 5, 9 is 6."))]
    assert judge.judge(asked, [[]]) == judge.judge(asked, [[]])


PIECES = st.sampled_from(
    [
        *"0123456789+-*/=().,%$^{}[]|<>≈×÷√π° xyAB\n",
        r"\frac{",
        r"\sqrt",
        "∠ABC",
        "mean",
        "is",
        "of",
        "the answer is",
        "½",
    ]
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(PIECES, max_size=40).map("".join), max_size=4), st.text(max_size=60))
def test_any_text_gets_a_reward_between_minus_one_and_one(judge: ChecksJudge, steps: list[str], question: str) -> None:
    facts = [Numeric(entity="A", attribute="value", value=5.0)]
    for judgement in judge.judge([problem(tuple(steps), question=question)], [facts])[0][0]:
        assert judgement.reward is not None
        assert -1 <= judgement.reward <= 1
        assert judgement.explanation


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(max_size=200), min_size=1, max_size=3))
def test_any_unicode_is_judged(judge: ChecksJudge, steps: list[str]) -> None:
    assert len(judge.judge([problem(tuple(steps), question=steps[0])], [[]])[0][0]) == len(steps)


@pytest.mark.parametrize(
    "text",
    [
        "9**9**9**9 = 3",
        "(" * 100_000,
        "1" * 100_000 + " = 2",
        "1+" * 50_000 + "1 = 3",
        "x = 3 + 4. " * 900_000,
        r"\frac{" * 30_000,
        "= " * 50_000,
        "1, " * 40_000,
        "the sum of the angles " * 5_000,
        "median is 1" * 9_000,
        "a " * 50_000,
        "there are " * 10_000,
        "x^x^x^x^x = 3",
    ],
)
def test_a_long_or_hostile_step_costs_a_bounded_time(judge: ChecksJudge, text: str) -> None:
    start = time.process_time()
    judge.judge([problem((text,), question=text)], [[]])
    assert time.process_time() - start < 5  # of this process alone, so that a busy machine changes nothing


def test_a_candidate_of_very_many_steps_is_judged_to_the_end(judge: ChecksJudge) -> None:
    steps = tuple(f"{i} + 1 = {i + 1}" for i in range(1_500))
    assert len(judge.judge([problem(steps)], [[]])[0][0]) == 1_500


def test_the_first_wrong_step_of_real_arithmetic_is_found(judge: ChecksJudge) -> None:
    path = DATA / "arithmetic" / "items.jsonl"
    if not path.exists():
        pytest.skip(f"{path} is not here: the arithmetic pack is not part of the repository")
    problems = list(read_problems(path))
    hits = 0
    for asked, candidates in zip(problems, judge.judge(problems, [[]] * len(problems)), strict=True):
        negative = [i for i, step in enumerate(candidates[0]) if step.reward is not None and step.reward < 0]
        hits += (negative[0] if negative else None) == asked.extra["first_wrong"]
    assert hits / len(problems) >= 0.9


def test_real_table_questions_are_worked_out_from_gold_constraints() -> None:
    from evpv.judges.checks.answers import _as_answer, _check_recomputed
    from evpv.judges.checks.questions import recompute
    from evpv.judges.checks.tables import table_of

    path = DATA / "tables" / "items.jsonl"
    if not path.exists():
        pytest.skip(f"{path} is not here: the tables pack is not part of the repository")
    kinds = []
    for line in path.read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        table, options = table_of(constraints_from_json(item["constraints"])), item["choices"] or []
        worked_out = recompute(item["question"], table)
        kinds += [f.kind for f in _check_recomputed(_as_answer(item["answer"], tuple(options)), worked_out, options)]
    assert kinds.count("recomputed-right") >= 0.8 * 400
    assert kinds.count("recomputed-wrong") <= 0.02 * 400


def test_right_sums_earn_nothing_by_themselves(judge: ChecksJudge) -> None:
    average = ("The mean is (3 + 5 + 10) / 3 = 18 / 3 = 6.", "3 + 5 = 8", "The answer is 6.")
    plain = ("9 - 3 = 6", "The answer is 6.")
    long, short = judge.judge([problem(average, plain, question="What is the mean of 3, 5 and 10?")], [[]])[0]
    assert {step.reward for step in long} == {step.reward for step in short}


def test_a_verdict_and_its_first_reason_agree(judge: ChecksJudge) -> None:
    for steps in (("3 + 4 = 8, and 5 + 5 = 10",), ("A = 5", "Then A = 6, since 2 × 3 = 6", "The answer is 6.")):
        for said in judge.judge([problem(steps)], [[]])[0][0]:
            assert said.reward is not None
            assert said.explanation.startswith("wrong") is (said.reward < 0 and "wrong" in said.explanation)


def test_what_is_not_all_used_is_not_worked_out_again() -> None:
    from evpv.judges.checks.questions import recompute
    from evpv.judges.checks.tables import table_of

    table = table_of(
        [Numeric(entity=name, attribute="value", value=value) for name, value in (("Instagram", 16.0), ("Google", 8.0))]
    )
    assert recompute("What is the ratio of Instagram to Google?", table) is None
    assert recompute("How much is Instagram?", table) is not None
    assert recompute("How much is Instagram after 3 years?", table) is None
