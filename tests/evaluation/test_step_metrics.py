"""Step verification by hand-worked values, published reference values, and what always holds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evpv.errors import ConfigError, RecordError
from evpv.evaluation.step_metrics import (
    Threshold,
    _CandidateOutcome,
    _StepOutcome,
    best_threshold,
    counts_of,
    f1,
    macro_f1,
    step_metrics,
    step_outcomes,
    step_report,
)
from evpv.evaluation.uncertainty import calibration
from evpv.types import Candidate, CandidateTrace, Extraction, Problem, Ranking, Step, StepJudgement, StepTrace, Trace

VISUALPROCESSBENCH = {
    "MathVerse": (5767, 2960),
    "MathVision": (3875, 2350),
    "DynaMath": (3469, 1091),
    "WeMath": (1776, 582),
    "MMMU": (1698, 708),
}


def candidate(*steps: tuple[int, float | None], problem: str = "p", source: str = "s") -> _CandidateOutcome:
    return _CandidateOutcome(
        problem_id=problem,
        source=source,
        policy="",
        steps=tuple(_StepOutcome(label=label, reward=reward) for label, reward in steps),
    )


def traced(*labels: object) -> Trace:
    steps = tuple(
        StepTrace(
            step=Step(text="t", label=label),  # type: ignore[arg-type]
            match=None,
            judgement=StepJudgement(reward=0.5),
            gate=None,
            reward=0.5,
        )
        for label in labels
    )
    said = Candidate(id="a", final_answer="1", steps=tuple(trace.step for trace in steps))
    one = CandidateTrace(candidate=said, reliability=1.0, score=0.7, steps=steps)
    ranked = Ranking(select="score", best=("a",), order=("a",), values={"a": 0.7})
    problem = Problem(id="p", question="", candidates=(said,))
    return Trace(problem=problem, extraction=Extraction(), candidates=(one,), ranking=ranked)


def test_the_all_positive_predictor_on_visualprocessbench_has_its_published_values() -> None:
    positives, negatives = (sum(pair[i] for pair in VISUALPROCESSBENCH.values()) for i in (0, 1))
    assert (positives, negatives) == (16585, 7691)
    counts = [positives, 0, 0, negatives, 0, 0]
    assert round(f1(positives, negatives, 0), 4) == 0.8118
    assert round(macro_f1(counts), 4) == 0.4059


def test_internvl_8b_published_f1s_give_its_published_mean() -> None:
    assert round((76.8 + 19.2) / 2, 1) == 48.0


def test_counts_by_hand() -> None:
    # right steps: called right, called wrong, no call; wrong steps: called wrong twice, called right.
    outcome = candidate((1, 0.5), (1, -0.5), (1, None), (-1, -0.1), (-1, -0.9), (-1, 0.2), (0, 0.9))
    assert counts_of([outcome], 0.0).tolist() == [1, 1, 1, 1, 2, 0]
    found = step_metrics([outcome], 0.0)
    # F1⁺: TP 1, FP 1, FN 2 → 2/5. F1⁻: TP 2, FP 1, FN 1 → 4/6.
    assert found.f1_right == pytest.approx(0.4)
    assert found.f1_wrong == pytest.approx(2 / 3)
    assert found.macro_f1 == pytest.approx((0.4 + 2 / 3) / 2)
    assert (found.steps, found.positives, found.negatives, found.invalid) == (6, 3, 3, 1)
    assert found.accuracy == pytest.approx(3 / 6)


def test_a_reward_on_the_threshold_is_not_called_right() -> None:
    assert counts_of([candidate((1, 0.0))], 0.0).tolist() == [0, 1, 0, 0, 0, 0]


def test_the_first_error_is_named_or_none_is() -> None:
    found = candidate((1, 0.5), (-1, -0.5), (-1, -0.5))
    too_early = candidate((1, -0.5), (-1, -0.5))
    clean = candidate((1, 0.5), (0, -0.9))  # a neutral step is passed over
    assert step_metrics([found, too_early, clean], 0.0).first_error_accuracy == pytest.approx(2 / 3)


def test_auroc_and_average_precision_of_a_perfect_ranking_are_one() -> None:
    found = step_metrics([candidate((1, 0.9), (1, 0.8), (-1, 0.1), (-1, -0.5))], 0.0)
    assert found.auroc == found.error_average_precision == 1.0


def test_one_class_alone_has_no_auroc() -> None:
    assert step_metrics([candidate((1, 0.9))], 0.0).auroc is None


def test_three_ways_to_average_over_sources() -> None:
    one = [candidate((1, 1.0), (1, 1.0), (-1, -1.0), (-1, -1.0), source="easy")]
    two = [candidate((1, -1.0), (-1, 1.0), source="hard")]
    report = step_report(one + two, Threshold())
    assert report.by_source["easy"].macro_f1 == 1.0
    assert report.by_source["hard"].macro_f1 == 0.0
    assert report.mean_over_sources == 0.5
    assert report.step_weighted == pytest.approx(4 / 6)
    assert report.pooled.macro_f1 == pytest.approx(2 / 3)  # TP 2, FP 1, FN 1 for both classes


def test_a_threshold_says_where_it_comes_from() -> None:
    assert str(Threshold(value=0.2, provenance="fitted", source="figures dev")) == "0.2 (fitted: figures dev)"


OUTCOMES = st.lists(
    st.tuples(st.sampled_from([1, -1, 0]), st.one_of(st.none(), st.floats(-1, 1, allow_nan=False))),
    min_size=1,
    max_size=30,
)


@given(OUTCOMES, st.floats(-1, 1))
def test_the_fitted_threshold_is_as_good_as_any(steps: list[tuple[int, float | None]], other: float) -> None:
    outcomes = [candidate(*steps)]
    if not any(label and reward is not None for label, reward in steps):
        return
    best = macro_f1(counts_of(outcomes, best_threshold(outcomes)))
    assert best >= macro_f1(counts_of(outcomes, other)) - 1e-12


@given(OUTCOMES)
def test_turning_labels_and_rewards_round_swaps_the_two_f1s(steps: list[tuple[int, float | None]]) -> None:
    steps = [(label, reward) for label, reward in steps if reward != 0.0]
    if not any(label for label, _ in steps):
        return
    turned = [(-label, None if reward is None else -reward) for label, reward in steps]
    one, two = step_metrics([candidate(*steps)], 0.0), step_metrics([candidate(*turned)], 0.0)
    assert (one.f1_right, one.f1_wrong) == (two.f1_wrong, two.f1_right)


def test_labels_that_slipped_are_an_error_that_names_the_step() -> None:
    with pytest.raises(RecordError, match="problem 'p', candidate 'a': step 2 has no label"):
        step_outcomes([traced(1, None)])


@pytest.mark.parametrize("label", [2, "right", True, 0.5])
def test_an_unknown_label_is_an_error(label: object) -> None:
    with pytest.raises(RecordError, match="unknown label"):
        step_outcomes([traced(label)])


def test_a_run_without_labels_is_an_error() -> None:
    with pytest.raises(RecordError, match="no step of this run has a label"):
        step_outcomes([traced(None)])


def test_calibration_by_hand() -> None:
    # bin 0.2–0.3: two predictions of 0.25, one true; bin 0.9–1: two of 0.95, both true.
    found = calibration([0.25, 0.25, 0.95, 0.95], [True, False, True, True])
    assert found.ece == pytest.approx((2 * 0.25 + 2 * 0.05) / 4)
    assert found.brier == pytest.approx((0.75**2 + 0.25**2 + 2 * 0.05**2) / 4)
    assert [one.count for one in found.bins] == [2, 2]


def test_a_probability_of_one_has_a_bin() -> None:
    assert calibration([1.0], [True]).bins[0].high == 1.0


@pytest.mark.parametrize(("probabilities", "outcomes"), [([0.5], [True, False]), ([], []), ([1.5], [True])])
def test_impossible_predictions_are_refused(probabilities: list[float], outcomes: list[bool]) -> None:
    with pytest.raises(ConfigError):
        calibration(probabilities, outcomes)
