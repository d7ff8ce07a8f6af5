"""AUROC and calibration against their definitions."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evpv.training.measures import auroc, expected_calibration_error, macro_f1, step_metrics

STEPS = st.lists(
    st.tuples(st.integers(0, 8).map(lambda x: x / 8), st.sampled_from((0.0, 1.0))), min_size=2, max_size=30
)


@given(STEPS)
def test_auroc_is_the_share_of_pairs_in_the_right_order(steps: list[tuple[float, float]]) -> None:
    right = [score for score, label in steps if label == 1]
    wrong = [score for score, label in steps if label == 0]
    assume(right and wrong)
    pairs = [(a > b) + 0.5 * (a == b) for a, b in product(right, wrong)]
    assert auroc(*zip(*steps, strict=True)) == pytest.approx(sum(pairs) / len(pairs))


def test_one_kind_of_label_has_no_auroc() -> None:
    assert auroc([0.1, 0.9], [1, 1]) is None
    assert step_metrics([0.1, 0.9], [1, 1])["auroc"] is None


@pytest.mark.parametrize(
    ("scores", "labels", "error"),
    [([0.9, 0.9], [1, 0], 0.4), ([1.0, 0.0], [1, 0], 0.0), ([0.05, 0.95], [1, 1], 0.5)],
)
def test_calibration_error_of_known_cases(scores: list[float], labels: list[float], error: float) -> None:
    assert expected_calibration_error(scores, labels) == pytest.approx(error)


def test_macro_f1_counts_both_kinds_alike() -> None:
    assert macro_f1([0.9, 0.9, 0.9, 0.1], [1, 1, 1, 0]) == 1.0
    assert macro_f1([0.9] * 4, [1, 1, 1, 0]) == pytest.approx((6 / 7) / 2)
