"""The whole method on small problems, every number worked out by hand."""

from __future__ import annotations

import math

import pytest

from evpv.errors import ConfigError
from evpv.reward.assess import assess, reassess
from evpv.reward.method import Method, preset, settings_of, with_settings
from evpv.types import Candidate, Constraint, Numeric, Problem, Relation, Step

CONSTRAINTS: tuple[Constraint, ...] = (
    Numeric(entity="segment AB", attribute="length", value=10.0, confidence=0.9),
    Relation(type="perpendicular", entities=("AB", "CD"), confidence=0.4),
)
SEES_RIGHT = "Segment AB has a length of 10."
SEES_WRONG = "Segment AB has a length of 20."
LOOKS_TWICE = "AB is perpendicular to CD."


def problem(*candidates: Candidate) -> Problem:
    return Problem(id="p", question="How long is it?", candidates=candidates)


def candidate(candidate_id: str, *claims: str | None, answer: str | None = None) -> Candidate:
    steps = tuple(Step(text=f"Step {'abcdefgh'[i]}.", claim=claim) for i, claim in enumerate(claims))
    return Candidate(id=candidate_id, steps=steps, final_answer=answer)


def test_equations_1_and_2_only_steps_with_a_claim_are_gated() -> None:
    """d_t = null gives ν_t = 0: the base reward is kept and nothing is matched."""
    trace = assess(problem(candidate("a", None, SEES_WRONG)), CONSTRAINTS, [[0.5, 0.5]], preset("paper"))
    silent, visual = trace.candidates[0].steps
    assert (silent.match, silent.gate, silent.reward) == (None, None, 0.5)
    assert visual.match is not None
    assert visual.gate is not None
    assert visual.reward is not None
    assert visual.reward < 0.5


def test_equations_4_to_12_by_hand_under_paper() -> None:
    """Supports p = (0.9, 0.4): relative error 0 times confidence 0.9; Jaccard 1 times confidence 0.4.

    Eq. 5: r = √(0.900001 · 0.400001) = √0.3600013 = 0.6000011.
    Eq. 9: α = σ(10 · 0.1000011) = 1/(1 + e^−1.000011) = 0.731061 (σ(1) = 0.731059, σ' = 0.1966, times 1.1e-5).
    Eq. 10: R = (0.731061 · 0.8, 0.2 unchanged, 0.731061 · −0.5) = (0.584848, 0.2, −0.365530).
    Eqs. 11, 12: R̃ = (0.792425, 0.600001, 0.317236); product 0.150832; cube root 0.532309.
    """
    trace = assess(
        problem(candidate("a", SEES_RIGHT, None, LOOKS_TWICE)), CONSTRAINTS, [[0.8, 0.2, -0.5]], preset("paper")
    )
    (traced,) = trace.candidates
    assert [step.match.support for step in traced.steps if step.match] == pytest.approx([0.9, 0.4])
    assert traced.reliability == pytest.approx(0.6000011, abs=5e-8)
    assert [step.gate for step in traced.steps] == [pytest.approx(0.731061, abs=5e-7), None, traced.steps[0].gate]
    assert [step.reward for step in traced.steps] == pytest.approx([0.584848, 0.2, -0.365530], abs=1e-6)
    assert traced.score == pytest.approx(0.532309, abs=1e-6)
    assert trace.ranking.best == ("a",)


def test_one_misread_premise_sinks_every_visual_step_under_paper() -> None:
    """p = (0.9, 0): r = √(0.900001 · 10⁻⁶) ≈ 0.00094868, α = σ(−4.9905) = 0.0067562."""
    trace = assess(problem(candidate("a", SEES_RIGHT, SEES_WRONG)), CONSTRAINTS, [[1.0, 1.0]], preset("paper"))
    (traced,) = trace.candidates
    assert traced.reliability == pytest.approx(0.00094868, abs=5e-8)
    assert [step.reward for step in traced.steps] == pytest.approx([0.0067562, 0.0067562], abs=5e-7)


def test_a_step_answers_for_its_own_premise_under_grounded() -> None:
    """Supported: P = 0.9, so 2 · (1 · 0.9) − 1 = 0.8. Contradicted by a reading of confidence 0.9: what is left is
    (1 − 0.9) times the support of an unknown claim, and a little credit for the one claim of two that is borne out; the reward
    turns negative. No claim: unchanged.
    """
    method = preset("grounded")
    trace = assess(problem(candidate("a", SEES_RIGHT, SEES_WRONG, None)), CONSTRAINTS, [[1.0, 1.0, 1.0]], method)
    right, wrong, silent = trace.candidates[0].steps
    left = 0.1 * method.missing["numeric"]
    assert right.reward == pytest.approx(0.8)
    assert wrong.reward == pytest.approx(2 * (left + (1 - left) * 0.3 / 2) - 1)
    assert wrong.reward is not None
    assert wrong.reward < 0
    assert silent.reward == 1.0
    assert silent.gate is None


def test_a_step_that_builds_on_a_misread_number_answers_for_it_under_grounded() -> None:
    steps = (
        Step(text="The figure gives AB.", claim=SEES_WRONG),
        Step(text="Recall the theorem."),
        Step(text="So the square of 20 is 400."),
        Step(text="Hence the area is 400."),
    )
    trace = assess(problem(Candidate(id="a", steps=steps)), CONSTRAINTS, [[1.0, 1.0, 1.0, 1.0]], preset("grounded"))
    misread, aside, built, built_later = trace.candidates[0].steps
    assert built.uses == (0,)
    assert built_later.uses == (0,)
    assert built.reward == misread.reward == built_later.reward
    assert aside.reward == 1.0


def test_a_closed_gate_spares_steps_that_do_not_look() -> None:
    for name in ("paper", "grounded"):
        trace = assess(problem(candidate("a", None, SEES_WRONG, None)), CONSTRAINTS, [[0.7, 1.0, -0.3]], preset(name))
        assert trace.candidates[0].steps[0].reward == 0.7
        assert trace.candidates[0].steps[2].reward == -0.3


@pytest.mark.parametrize("probability", [0.0, 0.25, 0.5, 0.9, 1.0])
def test_equations_6_to_8_a_judges_probability_is_a_signed_reward(probability: float) -> None:
    """Eq. 8: R = 2u − 1. Without a claim it is the step's reward, and its R̃ is u + ε again."""
    base = 2 * probability - 1
    trace = assess(problem(candidate("a", None)), (), [[base]], preset("paper"))
    assert trace.candidates[0].steps[0].reward == base
    assert trace.candidates[0].score == pytest.approx(probability + 1e-6, rel=1e-9)


@pytest.mark.parametrize("decision", [-1.0, 1.0])
def test_a_binary_judge_is_gated_like_any_other(decision: float) -> None:
    """p = 0.9 alone: r = 0.900001, α = σ(4.00001) = 0.982014."""
    trace = assess(problem(candidate("a", SEES_RIGHT)), CONSTRAINTS, [[decision]], preset("paper"))
    assert trace.candidates[0].steps[0].reward == pytest.approx(decision * 0.982014, abs=1e-6)


def test_a_step_the_judge_did_not_judge_stays_unknown_and_out_of_the_score() -> None:
    for name, score in (("paper", 0.800001), ("grounded", 0.64)):
        trace = assess(problem(candidate("a", SEES_RIGHT, None, None)), CONSTRAINTS, [[None, None, 0.6]], preset(name))
        (traced,) = trace.candidates
        assert [step.reward for step in traced.steps] == [None, None, 0.6]
        assert traced.steps[0].gate is None
        assert traced.steps[0].match is not None
        assert traced.score == pytest.approx(score, abs=1e-5)


@pytest.mark.parametrize("name", ["paper", "grounded"])
@pytest.mark.parametrize(
    ("facts", "claims"),
    [(CONSTRAINTS, (None, None)), (CONSTRAINTS, ("It looks nice.", None)), ((), (SEES_RIGHT, None))],
    ids=["no claim", "none that says anything", "no fact"],
)
def test_where_nothing_was_checked_the_reliability_is_unknown(
    name: str, facts: tuple[Constraint, ...], claims: tuple[str | None, ...]
) -> None:
    """M = 0 → r = 1 stays inside the paper's formula: the gate is open, and nobody calls it reliable."""
    trace = assess(problem(candidate("a", *claims)), facts, [[0.1, 0.2]], preset(name))
    assert trace.candidates[0].reliability is None


def test_a_candidate_without_steps_scores_like_one_neutral_step() -> None:
    trace = assess(problem(candidate("a")), CONSTRAINTS, [[]], preset("paper"))
    assert trace.candidates[0].score == pytest.approx(0.500001)


def test_a_problem_without_candidates_has_an_empty_ranking() -> None:
    for name in ("paper", "grounded"):
        trace = assess(problem(), CONSTRAINTS, [], preset(name))
        assert trace.candidates == ()
        assert trace.ranking.best == trace.ranking.order == ()
        assert dict(trace.ranking.values) == {}


def test_the_candidate_that_looks_right_beats_the_one_that_misreads() -> None:
    for name in ("paper", "grounded"):
        both = problem(candidate("misreads", SEES_WRONG, None), candidate("reads", SEES_RIGHT, None))
        assert assess(both, CONSTRAINTS, [[0.8, 0.8], [0.8, 0.8]], preset(name)).ranking.best == ("reads",)


def test_as_many_base_rewards_as_candidates_and_steps_are_needed() -> None:
    with pytest.raises(ValueError):
        assess(problem(candidate("a", None)), (), [], preset("paper"))
    with pytest.raises(ValueError):
        assess(problem(candidate("a", None)), (), [[0.1, 0.2]], preset("paper"))


def test_the_same_evidence_under_another_method() -> None:
    both = problem(candidate("misreads", SEES_WRONG, None), candidate("reads", SEES_RIGHT, None))
    rewards = [[0.8, 0.8], [0.6, 0.6]]
    paper = assess(both, CONSTRAINTS, rewards, preset("paper"))
    judge_alone = reassess(paper, preset("paper", {"gate": "off"}))
    assert paper.ranking.best == ("reads",)
    assert judge_alone.ranking.best == ("misreads",)
    assert reassess(judge_alone, preset("paper")) == paper
    assert paper.problem is both


def test_the_local_gate_is_the_papers_curve_at_the_steps_own_support() -> None:
    """p = 0.9 and 0: α = σ(4) = 0.982014 and σ(−5) = 0.006693, where the paper gives both steps one α."""
    local = preset("paper", {"gate": "local"})
    trace = assess(problem(candidate("a", SEES_RIGHT, SEES_WRONG)), CONSTRAINTS, [[1.0, 1.0]], local)
    assert [step.gate for step in trace.candidates[0].steps] == pytest.approx(
        [1 / (1 + math.exp(-4)), 1 / (1 + math.exp(5))]
    )


def test_the_paper_preset_is_the_papers() -> None:
    method = preset("paper")
    assert (method.matching, method.gate) == ("paper", "sigmoid")
    assert (method.sharpness, method.threshold, method.tolerance) == (10.0, 0.5, 0.15)
    assert (method.decision, method.aggregation, method.select) == (0.0, "geometric-mean", "score")


def test_grounded_is_the_default() -> None:
    assert preset("grounded") == Method()


@pytest.mark.parametrize("name", ["paper", "grounded"])
def test_settings_survive_a_manifest(name: str) -> None:
    method = preset(name, {"sharpness": "7.5", "aggregation": "streak", "select": "vote"})
    assert with_settings(Method(), settings_of(method)) == method


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"sharpnes": 5}, "there is no method setting 'sharpnes'; did you mean 'sharpness'?"),
        ({"gate": "soft"}, "there is no gate 'soft'"),
        ({"aggregation": "mean"}, "there is no aggregation 'mean'"),
        ({"select": "votes"}, "there is no select 'votes'; did you mean 'vote'?"),
        ({"sharpness": "steep"}, "'sharpness' must be a number, not 'steep'."),
        ({"threshold": "nan"}, "'threshold' must be a finite number, not 'nan'."),
        ({"missing": {"numeric": 0.5}}, "'missing' must give a support for each of"),
    ],
)
def test_a_setting_that_does_not_exist_or_fit_is_named(settings: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError) as raised:
        preset("paper", settings)
    assert said in str(raised.value)


def test_a_misspelt_preset_is_named() -> None:
    with pytest.raises(ConfigError, match="there is no preset 'papr'; did you mean 'paper'"):
        preset("papr")


def test_where_nothing_was_read_candidates_tie_and_the_vote_decides() -> None:
    """Who says much of a figure that nobody could read is not worth less than who says nothing of it."""
    talks, silent = candidate("talks", SEES_RIGHT, SEES_WRONG), candidate("silent", None, None)
    trace = assess(problem(talks, silent), (), [[0.6, 0.6], [0.6, 0.6]], preset("grounded"))
    assert trace.candidates[0].score == trace.candidates[1].score
    assert trace.candidates[0].reliability is None
    assert trace.ranking.tied
