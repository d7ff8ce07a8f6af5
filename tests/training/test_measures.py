"""AUROC and calibration against their definitions."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evpv.training.measures import step_metrics

STEPS = st.lists(
    st.tuples(st.integers(0, 8).map(lambda x: x / 8), st.sampled_from((0.0, 1.0))), min_size=2, max_size=30
)


@given(STEPS)
def test_auroc_is_the_share_of_pairs_in_the_right_order(steps: list[tuple[float, float]]) -> None:
    right = [score for score, label in steps if label == 1]
    wrong = [score for score, label in steps if label == 0]
    assume(right and wrong)
    pairs = [(a > b) + 0.5 * (a == b) for a, b in product(right, wrong)]
    assert step_metrics(*zip(*steps, strict=True))["auroc"] == pytest.approx(sum(pairs) / len(pairs), abs=5.1e-5)


def test_one_kind_of_label_has_no_auroc() -> None:
    assert step_metrics([0.1, 0.9], [1, 1])["auroc"] is None


@pytest.mark.parametrize(
    ("scores", "labels", "error"),
    [([0.9, 0.9], [1, 0], 0.4), ([1.0, 0.0], [1, 0], 0.0), ([0.05, 0.95], [1, 1], 0.5)],
)
def test_calibration_error_of_known_cases(scores: list[float], labels: list[float], error: float) -> None:
    assert step_metrics(scores, labels)["ece"] == pytest.approx(error)


def test_macro_f1_counts_both_kinds_alike() -> None:
    assert step_metrics([0.9, 0.9, 0.9, 0.1], [1, 1, 1, 0])["macro_f1"] == 1.0
    assert step_metrics([0.9] * 4, [1, 1, 1, 0])["macro_f1"] == pytest.approx((6 / 7) / 2, abs=5.1e-5)
