"""r of Eqs. 5 and 18, and the step-local form."""

from __future__ import annotations

import math

import pytest

from evpv.premises.dependence import inherited_uses, uses
from evpv.premises.reliability import EPSILON, reliability, step_reliability


def test_epsilon_is_the_papers() -> None:
    assert EPSILON == 1e-6


@pytest.mark.parametrize(
    ("supports", "expected"),
    [
        # Eqs. 5 and 18: the M-th root of the product of (10⁻⁶ + p_j).
        ([0.5], 0.500001),
        ([0.9, 0.4], 0.6000010833),  # √(0.900001 · 0.400001) = √0.3600013000 = 0.60000108
        ([0.0], 1e-6),
        ([0.9, 0.0], 0.000948684),  # √(0.900001 · 10⁻⁶) = 10⁻³ · 0.9486838
        ([1.0, 1.0, 1.0, 0.0], 0.0316228),  # (10⁻⁶)^¼ = 10^−1.5: one of four unsupported sinks the rest
        (
            [0.95, 0.92, 0.88],
            0.916217,
        ),  # 0.95 · 0.92 · 0.88 = 0.76912, cube root 0.916216 (0.916216³ = 0.769119), and ε
    ],
)
def test_equation_5_is_a_smoothed_geometric_mean(supports: list[float], expected: float) -> None:
    assert reliability(supports) == pytest.approx(expected, rel=2e-6)


def test_equation_18_agrees_with_its_own_logarithms() -> None:
    supports = [0.31, 0.77, 0.05]
    mean = sum(math.log(1e-6 + p) for p in supports) / 3
    assert reliability(supports) == pytest.approx(math.exp(mean), rel=1e-14)


def test_without_claims_nothing_is_in_doubt() -> None:
    """M = 0."""
    assert reliability([]) == 1.0


def test_full_support_is_exactly_1_and_never_more() -> None:
    """exp(log(1 + ε)) = 1.000001 would leave the range that the paper states, r ∈ [0, 1]."""
    assert reliability([1.0]) == 1.0
    assert reliability([1.0] * 7) == 1.0


def test_the_order_of_claims_does_not_matter() -> None:
    assert reliability([0.1, 0.7, 0.9, 0.33]) == reliability([0.9, 0.33, 0.1, 0.7])


@pytest.mark.parametrize(
    ("own", "earlier", "expected"),
    [
        (0.9, [], 0.9),
        (0.9, [0.2, 0.8], 0.2),  # the least supported premise decides
        (0.1, [0.8], 0.1),
        (None, [0.3], 0.3),  # a step that only builds on another's look
        (None, [], None),  # no premise at all: unknown, not 1
    ],
)
def test_a_step_is_as_reliable_as_its_weakest_premise(
    own: float | None, earlier: list[float], expected: float | None
) -> None:
    assert step_reliability(own, earlier) == expected


@pytest.mark.parametrize(
    ("steps", "given", "expected"),
    [
        (["AB = 13.", "So AB² = 169.", "The answer is 169."], "", [(), (), (1,)]),
        (["AB = 13.", "Then 13 + 4 = 17.", "So 17."], "", [(), (0,), (1,)]),
        (["AB = 13.", "Then 13 + 4 = 17."], "Given AB = 13, find it.", [(), ()]),  # the question gave the 13
        (["There are 2 of them.", "Divide by 2."], "", [(), ()]),  # a number that every text uses ties nothing
        (["No number.", "None here."], "", [(), ()]),
        ([], "", []),
    ],
)
def test_a_step_builds_on_the_last_to_state_a_number_that_it_repeats(
    steps: list[str], given: str, expected: list[tuple[int, ...]]
) -> None:
    assert uses(steps, given) == expected


def test_dependence_is_followed_back_to_the_beginning() -> None:
    assert inherited_uses([(), (0,), (), (1, 2)]) == [(), (0,), (), (0, 1, 2)]
