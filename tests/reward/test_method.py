"""The gates: Eqs. 9 and 10 of the paper, and ours."""

from __future__ import annotations

import math

import pytest

from evpv.reward.method import _no_gate, factor_gate, logistic, sigmoid_gate

# α(r) = σ(10(r − 0.5)) = 1 / (1 + e^(−10(r − 0.5))), Eq. 9 with τ = 0.5 and β = 10:
#   r = 0.5: exponent 0, 1/2.
#   r = 1:   1/(1 + e^−5) = 1/1.006737947 = 0.993307149.
#   r = 0:   1/(1 + e^5) = 1/149.413159 = 0.006692851, the complement of r = 1.
#   r = 0.7: 1/(1 + e^−2) = 1/1.135335283 = 0.880797078; r = 0.3: its complement 0.119202922.
ALPHA = [(0.5, 0.5), (1.0, 0.993307149), (0.0, 0.006692851), (0.7, 0.880797078), (0.3, 0.119202922)]


@pytest.mark.parametrize(("reliability", "alpha"), ALPHA)
def test_equation_9_the_gate_is_a_sigmoid_of_reliability(reliability: float, alpha: float) -> None:
    assert sigmoid_gate()(1.0, reliability).gate == pytest.approx(alpha, abs=5e-10)


@pytest.mark.parametrize(
    ("sharpness", "threshold", "reliability", "alpha"),
    [
        (5.0, 0.4, 0.8, 1 / (1 + math.exp(-2.0))),  # 5 · (0.8 − 0.4) = 2
        (20.0, 0.6, 0.5, 1 / (1 + math.exp(2.0))),  # 20 · (0.5 − 0.6) = −2
        (0.0, 0.5, 0.9, 0.5),  # β = 0: reliability has no say, α is 1/2 everywhere
    ],
)
def test_equation_9_sharpness_and_threshold_move_the_curve(
    sharpness: float, threshold: float, reliability: float, alpha: float
) -> None:
    assert sigmoid_gate(sharpness, threshold)(1.0, reliability).gate == pytest.approx(alpha, rel=1e-12)


@pytest.mark.parametrize(
    ("base", "reliability", "reward"),
    [
        (0.8, 0.5, 0.4),  # 0.5 · 0.8
        (-0.8, 0.5, -0.4),
        (1.0, 0.7, 0.880797078),
        (-1.0, 0.0, -0.006692851),
        (0.0, 0.9, 0.0),
    ],
)
def test_equation_10_a_visual_steps_reward_is_alpha_times_its_base(
    base: float, reliability: float, reward: float
) -> None:
    assert sigmoid_gate()(base, reliability).reward == pytest.approx(reward, abs=5e-10)


def test_fact_1_the_papers_gate_never_changes_a_sign() -> None:
    """α > 0 even for r = 0: a step the judge likes stays positive, so at threshold 0 no decision changes."""
    gate = sigmoid_gate()
    assert gate(1.0, 0.0).reward > 0
    assert gate(0.01, 1e-6).reward > 0
    assert gate(-0.01, 1e-6).reward < 0


@pytest.mark.parametrize(
    ("base", "reliability", "reward"),
    [
        (1.0, 0.0, -1.0),  # P = 1 · 0 = 0, 2P − 1 = −1
        (1.0, 1.0, 1.0),
        (0.6, 0.5, -0.2),  # P(reasoning) = 1.6/2 = 0.8; 0.8 · 0.5 = 0.4; 2 · 0.4 − 1
        (-1.0, 1.0, -1.0),
        (0.0, 0.9, -0.1),  # 0.5 · 0.9 = 0.45
    ],
)
def test_the_factor_gate_multiplies_probabilities_and_can_turn_a_step_negative(
    base: float, reliability: float, reward: float
) -> None:
    gated = factor_gate()(base, reliability)
    assert gated.reward == pytest.approx(reward, abs=1e-12)
    assert gated.gate == reliability


@pytest.mark.parametrize("base", [-1.0, -0.25, 0.0, 0.6, 1.0])
def test_the_factor_gate_leaves_a_certain_premise_alone(base: float) -> None:
    assert factor_gate()(base, 1.0).reward == pytest.approx(base, abs=1e-15)


def test_the_open_gate_is_the_judge_alone() -> None:
    assert _no_gate()(0.3, 0.0).reward == 0.3
    assert _no_gate()(-0.3, 0.5).gate == 1.0


@pytest.mark.parametrize("x", [-1e308, -745.2, -1.0, -0.0, 0.0, 1.0, 745.2, 1e308])
def test_the_logistic_neither_overflows_nor_leaves_its_range(x: float) -> None:
    assert 0.0 <= logistic(x) <= 1.0
    assert logistic(x) + logistic(-x) == pytest.approx(1.0, abs=1e-15)
