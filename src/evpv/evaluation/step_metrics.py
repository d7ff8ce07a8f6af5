"""Step verification: how well rewards tell right steps from wrong ones.

The VisualPRM convention: neutral steps are dropped, every wrong step counts and not only the first, F1⁺ takes “right” as
the positive class, F1⁻ takes “wrong”, and macro-F1 is their mean. A step without a reward is a wrong call for both
classes, and is counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score, roc_auc_score

from evpv.errors import ConfigError
from evpv.evaluation.outcomes import NEUTRAL, RIGHT, WRONG, CandidateOutcome

Counts: TypeAlias = NDArray[np.float64]
"""Steps by (truth, call), pooled: right called right, right called wrong, right without a call, and the same for wrong."""

RIGHT_RIGHT, RIGHT_WRONG, RIGHT_NONE, WRONG_RIGHT, WRONG_WRONG, WRONG_NONE = range(6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """θ, and where it comes from. `oracle` was fitted on the very steps it is applied to: an upper bound, not a result."""

    value: float = 0.0
    provenance: Literal["fixed", "fitted", "oracle"] = "fixed"
    source: str = ""

    def __str__(self) -> str:
        return f"{self.value:g} ({self.provenance}{': ' + self.source if self.source else ''})"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepMetrics:
    """The figures of one set of steps. None where the set cannot say (no wrong step, no rewards)."""

    steps: int
    positives: int
    negatives: int
    invalid: int
    f1_right: float
    f1_wrong: float
    macro_f1: float
    accuracy: float
    auroc: float | None
    error_average_precision: float | None
    first_error_accuracy: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StepReport:
    """A run's step verification: pooled (the default), by source and by policy, and the two other ways to average."""

    threshold: Threshold
    pooled: StepMetrics
    mean_over_sources: float
    step_weighted: float
    neutral_dropped: int
    by_source: dict[str, StepMetrics] = field(default_factory=dict)
    by_policy: dict[str, StepMetrics] = field(default_factory=dict)


def f1(hits: float, false_alarms: float, misses: float) -> float:
    """2·TP / (2·TP + FP + FN); 0 where nothing was found.

    >>> round(f1(16585, 7691, 0), 4)      # “right” for every step of VisualProcessBench
    0.8118
    """
    return 2 * hits / (2 * hits + false_alarms + misses) if hits else 0.0


def f1_pair(counts: Sequence[float] | Counts) -> tuple[float, float]:
    """F1⁺ and F1⁻ of pooled counts."""
    right = f1(counts[RIGHT_RIGHT], counts[WRONG_RIGHT], counts[RIGHT_WRONG] + counts[RIGHT_NONE])
    wrong = f1(counts[WRONG_WRONG], counts[RIGHT_WRONG], counts[WRONG_RIGHT] + counts[WRONG_NONE])
    return right, wrong


def macro_f1(counts: Sequence[float] | Counts) -> float:
    """(F1⁺ + F1⁻) / 2 of pooled counts.

    >>> round(macro_f1([16585, 0, 0, 7691, 0, 0]), 4)
    0.4059
    """
    return sum(f1_pair(counts)) / 2


def counts_of(candidates: Iterable[CandidateOutcome], threshold: float) -> Counts:
    """How the steps were called: right if the reward is above θ."""
    counts = np.zeros(6)
    for candidate in candidates:
        for step in candidate.steps:
            if step.label != NEUTRAL:
                row = 0 if step.label == RIGHT else 3
                called = 2 if step.reward is None else int(step.reward <= threshold)
                counts[row + called] += 1
    return counts


def step_metrics(candidates: Sequence[CandidateOutcome], threshold: float) -> StepMetrics:
    counts = counts_of(candidates, threshold)
    total = float(counts.sum())
    if not total:
        raise ConfigError("no step is labelled right or wrong: there is nothing to measure.")
    right, wrong = f1_pair(counts)
    labels, rewards = labelled_rewards(candidates)
    both = len(set(labels)) == 2
    errors = [label == WRONG for label in labels]
    return StepMetrics(
        steps=int(total),
        positives=int(counts[:3].sum()),
        negatives=int(counts[3:].sum()),
        invalid=int(counts[RIGHT_NONE] + counts[WRONG_NONE]),
        f1_right=right,
        f1_wrong=wrong,
        macro_f1=(right + wrong) / 2,
        accuracy=float(counts[RIGHT_RIGHT] + counts[WRONG_WRONG]) / total,
        auroc=float(roc_auc_score([not error for error in errors], rewards)) if both else None,
        error_average_precision=float(average_precision_score(errors, [-r for r in rewards])) if both else None,
        first_error_accuracy=_first_error_accuracy(candidates, threshold),
    )


def labelled_rewards(candidates: Iterable[CandidateOutcome]) -> tuple[list[int], list[float]]:
    """Labels and rewards of the steps that have both; neutral steps are left out."""
    pairs = [
        (step.label, step.reward)
        for candidate in candidates
        for step in candidate.steps
        if step.label != NEUTRAL and step.reward is not None
    ]
    return [label for label, _ in pairs], [reward for _, reward in pairs]


def _first_error_accuracy(candidates: Iterable[CandidateOutcome], threshold: float) -> float | None:
    """The share of candidates whose first wrong step is named exactly; “none” must be named too. Neutral steps are passed over."""
    found = [_first_wrong(candidate, None) == _first_wrong(candidate, threshold) for candidate in candidates]
    return sum(found) / len(found) if found else None


def _first_wrong(candidate: CandidateOutcome, threshold: float | None) -> int | None:
    """The first step that is wrong, or with a threshold, that is called wrong; a step without a reward is called neither."""
    for index, step in enumerate(candidate.steps):
        if step.label == NEUTRAL:
            continue
        if step.label == WRONG if threshold is None else step.reward is not None and step.reward <= threshold:
            return index
    return None


def step_report(candidates: Sequence[CandidateOutcome], threshold: Threshold) -> StepReport:
    by_source = _metrics_by(candidates, "source", threshold.value)
    weights = [metrics.steps for metrics in by_source.values()]
    values = [metrics.macro_f1 for metrics in by_source.values()]
    return StepReport(
        threshold=threshold,
        pooled=step_metrics(candidates, threshold.value),
        mean_over_sources=float(np.mean(values)),
        step_weighted=float(np.average(values, weights=weights)),
        neutral_dropped=sum(step.label == NEUTRAL for candidate in candidates for step in candidate.steps),
        by_source=by_source,
        by_policy=_metrics_by(candidates, "policy", threshold.value),
    )


def _metrics_by(candidates: Sequence[CandidateOutcome], key: str, threshold: float) -> dict[str, StepMetrics]:
    groups: dict[str, list[CandidateOutcome]] = {}
    for candidate in candidates:
        groups.setdefault(getattr(candidate, key), []).append(candidate)
    counted = {name: group for name, group in sorted(groups.items()) if counts_of(group, threshold).any()}
    return {name or "unnamed": step_metrics(group, threshold) for name, group in counted.items()}


def best_threshold(candidates: Sequence[CandidateOutcome]) -> float:
    """The θ with the highest macro-F1 on these steps: half way between two neighbouring rewards."""
    labels, rewards = labelled_rewards(candidates)
    if not rewards:
        raise ConfigError("no labelled step has a reward: there is no threshold to fit.")
    order = np.argsort(rewards)
    values, truth = np.array(rewards)[order], np.array(labels)[order] == RIGHT
    right_below, wrong_below = np.cumsum(truth), np.cumsum(~truth)
    cuts = np.flatnonzero(np.append(values[1:] != values[:-1], True))
    missing = counts_of(candidates, 0.0)[[RIGHT_NONE, WRONG_NONE]]
    best = max(
        [(macro_f1([truth.sum(), 0, missing[0], (~truth).sum(), 0, missing[1]]), float(values[0]) - 1e-9)]
        + [
            (
                macro_f1([
                    truth.sum() - right_below[cut], right_below[cut], missing[0],
                    (~truth).sum() - wrong_below[cut], wrong_below[cut], missing[1],
                ]),
                float((values[cut] + values[cut + 1]) / 2) if cut + 1 < len(values) else float(values[cut]),
            )
            for cut in cuts
        ]
    )  # fmt: skip
    return best[1]
