"""Eqs. 11 and 12, and the five strategies of Appendix E."""

from __future__ import annotations

import pytest

from evpv.reward.aggregation import (
    AGGREGATIONS,
    correctness_rate,
    first_error_position,
    geometric_mean,
    streak,
    weighted_correctness,
)
from evpv.reward.method import preset

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
    assert correctness_rate(rewards) == score


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
    assert weighted_correctness(rewards) == pytest.approx(score, rel=1e-12)


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
    assert first_error_position(rewards) == score


def test_fact_2_first_errors_are_counted_from_0() -> None:
    """Counted from 1, an error in the last of 4 steps would score 4/4 = 1, like no error; from 0 it scores 3/4."""
    last_wrong, none_wrong = [1.0, 1.0, 1.0, -1.0], [1.0, 1.0, 1.0, 1.0]
    assert first_error_position(last_wrong) == 0.75
    assert first_error_position(last_wrong) < first_error_position(none_wrong)


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


def test_there_are_the_five_strategies_of_appendix_e() -> None:
    assert list(AGGREGATIONS) == ["geometric-mean", "correctness-rate", "streak", "weighted-correctness", "first-error"]
