"""Which candidate wins, and what a tie looks like."""

from __future__ import annotations

import pytest

from evpv.reward.method import preset
from evpv.reward.ranking import (
    AGGREGATIONS,
    _correctness_rate,
    _first_error_position,
    _weighted_correctness,
    geometric_mean,
    ranking,
    streak,
)
from evpv.types import Candidate, CandidateTrace


def scored(candidate_id: str, score: float, answer: str | None = None) -> CandidateTrace:
    candidate = Candidate(id=candidate_id, steps=(), final_answer=answer)
    return CandidateTrace(candidate=candidate, reliability=1.0, score=score, steps=())


def test_the_highest_score_wins() -> None:
    ranked = ranking([scored("a", 0.4), scored("b", 0.71), scored("c", 0.6)], "score")
    assert ranked.best == ("b",)
    assert ranked.order == ("b", "c", "a")
    assert ranked.values == {"a": 0.4, "b": 0.71, "c": 0.6}
    assert ranked.select == "score"


def test_a_tie_for_first_lists_all_and_the_order_goes_by_id() -> None:
    ranked = ranking([scored("z", 0.5), scored("m", 0.2), scored("a", 0.5)], "score")
    assert ranked.best == ("a", "z")
    assert ranked.order == ("a", "z", "m")


def test_a_vote_counts_equal_answers_however_they_are_written() -> None:
    """12 and 12.0 cm are one answer: 2 of 4 votes; each other answer has 1 of 4."""
    candidates = [scored("a", 0.9, "15"), scored("b", 0.3, "12"), scored("c", 0.4, "12.0 cm"), scored("d", 0.2, "7")]
    ranked = ranking(candidates, "vote")
    assert ranked.values == {"a": 0.25, "b": 0.5, "c": 0.5, "d": 0.25}
    assert ranked.best == ("c", "b")  # tied; within the tie the higher score comes first
    assert ranked.order == ("c", "b", "a", "d")


def test_a_weighted_vote_lets_scores_count() -> None:
    """Scores 0.9 for 15, 0.3 + 0.3 for 12, total 1.5: 0.6 against 0.4, where the plain vote has 1/3 against 2/3."""
    candidates = [scored("a", 0.9, "15"), scored("b", 0.3, "12"), scored("c", 0.3, "12")]
    weighted = ranking(candidates, "weighted-vote")
    assert weighted.values == pytest.approx({"a": 0.6, "b": 0.4, "c": 0.4})
    assert weighted.best == ("a",)
    assert ranking(candidates, "vote").best == ("b", "c")


def test_equal_votes_tie_in_whatever_order_they_were_cast() -> None:
    """Summed as they come, 0.1 + 0.2 + 0.3 is 0.6000000000000001 and 0.3 + 0.2 + 0.1 is 0.6."""
    sevens = [scored(f"a{i}", score, "7") for i, score in enumerate([0.1, 0.2, 0.3])]
    eights = [scored(f"b{i}", score, "8") for i, score in enumerate([0.3, 0.2, 0.1])]
    assert len(ranking([*sevens, *eights], "weighted-vote").best) == 6


def test_a_candidate_without_an_answer_has_no_votes_not_even_its_own() -> None:
    """One vote in all is cast, for 12."""
    ranked = ranking([scored("a", 1.0), scored("b", 0.1, "12"), scored("c", 1.0, "  ")], "vote")
    assert ranked.values == {"a": 0.0, "b": 1.0, "c": 0.0}
    assert ranked.best == ("b",)


def test_without_any_answer_all_tie_at_nothing() -> None:
    ranked = ranking([scored("b", 0.2), scored("a", 0.1)], "vote")
    assert ranked.values == {"a": 0.0, "b": 0.0}
    assert ranked.best == ("b", "a")


@pytest.mark.parametrize("select", ["score", "vote", "weighted-vote"])
def test_no_candidates_no_winner(select: str) -> None:
    ranked = ranking([], select)
    assert (ranked.best, ranked.order, ranked.values) == ((), (), {})


@pytest.mark.parametrize("select", ["score", "vote", "weighted-vote"])
def test_a_single_candidate_is_best(select: str) -> None:
    assert ranking([scored("only", 0.0, "1")], select).best == ("only",)


EPSILON = 1e-6


@pytest.mark.parametrize(
    ("reward", "positive"),
    [
        # Eq. 11: R̃ = ε + (R + 1)/2. The mean of one step is that step.
        (-1.0, 1e-6),
        (0.0, 0.500001),
        (0.6, 0.800001),
        (1.0, 1.000001),
    ],
)
def test_equation_11_maps_rewards_to_positive_values(reward: float, positive: float) -> None:
    assert geometric_mean([reward]) == pytest.approx(positive, rel=1e-12)


@pytest.mark.parametrize(
    ("rewards", "score"),
    [
        # Eq. 12: the T-th root of the product of R̃_t.
        ([1.0, 0.0], (1.000001 * 0.500001) ** 0.5),  # 0.707108
        ([0.6, 0.6, 0.6], 0.800001),
        ([1.0, 1.0, 1.0, -1.0], (1.000001**3 * 1e-6) ** 0.25),  # 0.0316: one wrong step of four costs nearly all
        ([0.62, 0.28], (0.810001 * 0.640001) ** 0.5),  # √0.5184 ≈ 0.72
    ],
)
def test_equation_12_is_the_geometric_mean(rewards: list[float], score: float) -> None:
    assert geometric_mean(rewards) == pytest.approx(score, rel=1e-12)


def test_equation_12_by_hand_to_six_places() -> None:
    """R = (1, 0): √(1.000001 · 0.500001) = √0.5000015 = 0.707108; R = (1, 1, 1, −1): (10⁻⁶)^¼ = 10^−1.5 = 0.031623."""
    assert geometric_mean([1.0, 0.0]) == pytest.approx(0.707108, abs=5e-7)
    assert geometric_mean([1.0, 1.0, 1.0, -1.0]) == pytest.approx(0.031623, abs=5e-7)


@pytest.mark.parametrize(
    ("rewards", "score"),
    [
        ([0.2, -0.1, 0.9, -0.8], 0.5),  # 2 of 4
        ([0.0], 0.0),  # R > 0: exactly 0 is not right
        ([1e-12], 1.0),
        ([-1.0, -1.0], 0.0),
    ],
)
def test_the_correctness_rate_counts_positive_rewards(rewards: list[float], score: float) -> None:
    assert _correctness_rate(rewards) == score


@pytest.mark.parametrize(
    ("rewards", "score"),
    [
        # A right step adds the length of the run it ends, a wrong one takes 1; least −T, most T(T+1)/2.
        ([1.0, 1.0, -1.0], 5 / 9),  # 1 + 2 − 1 = 2; (2 + 3)/(6 + 3)
        ([1.0, -1.0, 1.0], 4 / 9),  # 1 − 1 + 1 = 1; (1 + 3)/9: a broken run is worth less
        ([1.0, 1.0, 1.0, 1.0], 1.0),  # 1 + 2 + 3 + 4 = 10 of 10
        ([-1.0, -0.5], 0.0),  # −2 of −2
        ([0.3, 0.2, -0.1, 0.9], 7 / 14),  # 1 + 2 − 1 + 1 = 3; (3 + 4)/(10 + 4)
    ],
)
def test_the_streak_rewards_runs(rewards: list[float], score: float) -> None:
    assert streak(rewards) == pytest.approx(score, rel=1e-12)


@pytest.mark.parametrize(
    ("rewards", "score"),
    [
        # (Σ t·R_t − W_min)/(W_max − W_min), W_max = T(T+1)/2 = −W_min.
        ([1.0, -1.0], 1 / 3),  # 1 − 2 = −1; (−1 + 3)/6
        ([-1.0, 1.0], 2 / 3),  # −1 + 2 = 1; (1 + 3)/6: the later step weighs more
        ([0.5, 0.5, 0.5], 0.75),  # 0.5 · 6 = 3; (3 + 6)/12
        ([0.0, 0.0], 0.5),
        ([1.0, 1.0, 1.0], 1.0),
        ([-1.0], 0.0),
    ],
)
def test_weighted_correctness_weighs_later_steps_more(rewards: list[float], score: float) -> None:
    assert _weighted_correctness(rewards) == pytest.approx(score, rel=1e-12)


@pytest.mark.parametrize(
    ("rewards", "score"),
    [
        ([0.5, 0.5, -0.1, 0.5], 0.5),  # the error is at index 2 of 4
        ([-0.1, 1.0], 0.0),
        ([0.5, 0.0, 0.5], 1.0),  # R < 0: exactly 0 is no error
        ([1.0, 1.0, 1.0], 1.0),
    ],
)
def test_the_first_error_position_says_how_far_a_candidate_gets(rewards: list[float], score: float) -> None:
    assert _first_error_position(rewards) == score


def test_fact_2_first_errors_are_counted_from_0() -> None:
    """Counted from 1, an error in the last of 4 steps would score 4/4 = 1, like no error; from 0 it scores 3/4."""
    last_wrong, none_wrong = [1.0, 1.0, 1.0, -1.0], [1.0, 1.0, 1.0, 1.0]
    assert _first_error_position(last_wrong) == 0.75
    assert _first_error_position(last_wrong) < _first_error_position(none_wrong)


@pytest.mark.parametrize(
    ("rewards", "paper", "grounded"),
    [
        ([-1.0, 1.0, 1.0, 1.0], 0.25, 0.0),
        ([1.0, -1.0, -1.0, 1.0], 0.5, 0.25),
        ([1.0, 1.0, 1.0, -1.0], 1.0, 0.75),
        ([1.0, 0.0, 1.0, 1.0], 1.0, 1.0),
    ],
)
def test_the_paper_counts_first_errors_from_1(rewards: list[float], paper: float, grounded: float) -> None:
    """Appendix E: i*/T, i* the index of the first step with R_t < 0 among t = 1 … T."""
    scores = [preset(name, {"aggregation": "first-error"}).aggregate(rewards) for name in ("paper", "grounded")]
    assert scores == [paper, grounded]


@pytest.mark.parametrize("name", AGGREGATIONS)
def test_no_rewards_score_like_one_neutral_step(name: str) -> None:
    assert AGGREGATIONS[name]([]) == AGGREGATIONS[name]([0.0])


def test_there_are_the_five_strategies_of_appendix_e_and_ours() -> None:
    five = ["geometric-mean", "correctness-rate", "streak", "weighted-correctness", "first-error"]
    assert list(AGGREGATIONS) == [*five, "weakest-link"]


def test_a_refuted_step_outweighs_any_number_of_steps_that_nobody_could_check() -> None:
    score, unchecked = AGGREGATIONS["weakest-link"], 0.64
    assert score([unchecked] * 20) == pytest.approx(score([unchecked]))
    assert 8 * score([-0.9, *[unchecked] * 20]) < score([unchecked])
