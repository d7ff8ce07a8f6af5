"""Step verification: how well rewards tell right steps from wrong ones.

The VisualPRM convention: neutral steps are dropped, every wrong step counts and not only the first, F1⁺ takes “right” as
the positive class, F1⁻ takes “wrong”, and macro-F1 is their mean. A step without a reward is a wrong call for both
classes, and is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score, roc_auc_score

from evpv.errors import ConfigError, RecordError
from evpv.types import CandidateTrace, Trace

_Item = TypeVar("_Item")
_Key = TypeVar("_Key", bound=Hashable)
RIGHT, NEUTRAL, WRONG = 1, 0, -1
Counts: TypeAlias = NDArray[np.float64]
"""Steps by (truth, call), pooled: right called right, right called wrong, right without a call, and the same for wrong."""

RIGHT_RIGHT, RIGHT_WRONG, RIGHT_NONE, WRONG_RIGHT, WRONG_WRONG, WRONG_NONE = range(6)


class _StepOutcome(NamedTuple):
    """A labelled step: 1 right, −1 wrong, 0 neutral; and its reward, None where the judge gave none."""

    label: int
    reward: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _CandidateOutcome:
    """A candidate's labelled steps, and where it comes from. One problem's candidates are one cluster."""

    problem_id: str
    source: str
    policy: str
    steps: tuple[_StepOutcome, ...]


def step_outcomes(traces: Iterable[Trace]) -> list[_CandidateOutcome]:
    """The labelled candidates of a run.

    A candidate without any label takes no part; one with some labels missing is an error, because its steps and labels
    have slipped against each other.
    """
    found = [
        _CandidateOutcome(
            problem_id=trace.problem_id,
            source=trace.problem.data_source or "",
            policy=policy_of(trace, candidate),
            steps=tuple(_step_outcome(trace, candidate, index) for index in range(len(candidate.steps))),
        )
        for trace in traces
        for candidate in trace.candidates
        if any(step.step.label is not None for step in candidate.steps)
    ]
    if not found:
        raise RecordError("no step of this run has a label: evaluation needs steps with `label` 1, 0 or -1.")
    return found


def _step_outcome(trace: Trace, candidate: CandidateTrace, index: int) -> _StepOutcome:
    step = candidate.steps[index]
    label: object = step.step.label
    if isinstance(label, int) and not isinstance(label, bool) and label in (RIGHT, NEUTRAL, WRONG):
        return _StepOutcome(label, step.reward)
    said = "has no label, but other steps of this candidate have"
    said = said if label is None else f"has the unknown label {label!r}"
    raise RecordError(f"problem {trace.problem_id!r}, candidate {candidate.id!r}: step {index + 1} {said}.")


def policy_of(trace: Trace, candidate: CandidateTrace) -> str:
    """The policy that wrote a candidate, as it or its problem states."""
    return candidate.candidate.policy_model or trace.problem.policy_model or ""


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
class _StepReport:
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
    right = f1(counts[RIGHT_RIGHT], counts[WRONG_RIGHT], counts[RIGHT_WRONG] + counts[RIGHT_NONE])
    wrong = f1(counts[WRONG_WRONG], counts[RIGHT_WRONG], counts[WRONG_RIGHT] + counts[WRONG_NONE])
    return right, wrong


def macro_f1(counts: Sequence[float] | Counts) -> float:
    """(F1⁺ + F1⁻) / 2 of pooled counts.

    >>> round(macro_f1([16585, 0, 0, 7691, 0, 0]), 4)
    0.4059
    """
    return sum(f1_pair(counts)) / 2


def counts_of(candidates: Iterable[_CandidateOutcome], threshold: float) -> Counts:
    """How the steps were called: right if the reward is above θ."""
    counts = np.zeros(6)
    for candidate in candidates:
        for step in candidate.steps:
            if step.label != NEUTRAL:
                row = 0 if step.label == RIGHT else 3
                called = 2 if step.reward is None else int(step.reward <= threshold)
                counts[row + called] += 1
    return counts


def step_metrics(candidates: Sequence[_CandidateOutcome], threshold: float) -> StepMetrics:
    counts = counts_of(candidates, threshold)
    total = float(counts.sum())
    if not total:
        raise ConfigError("no step is labelled right or wrong: there is nothing to measure.")
    right, wrong = f1_pair(counts)
    labels, rewards = labelled_rewards(candidates)
    errors = [label == WRONG for label in labels]
    area = precision = None
    if len(set(labels)) == 2:
        area = float(roc_auc_score([not error for error in errors], rewards))
        precision = float(average_precision_score(errors, [-reward for reward in rewards]))
    named = [_first_wrong(one, None) == _first_wrong(one, threshold) for one in candidates]
    return StepMetrics(
        steps=int(total), positives=int(counts[:3].sum()), negatives=int(counts[3:].sum()),
        invalid=int(counts[RIGHT_NONE] + counts[WRONG_NONE]), f1_right=right, f1_wrong=wrong,
        macro_f1=(right + wrong) / 2, accuracy=float(counts[RIGHT_RIGHT] + counts[WRONG_WRONG]) / total, auroc=area,
        error_average_precision=precision, first_error_accuracy=float(np.mean(named)) if named else None,
    )  # fmt: skip


def labelled_rewards(candidates: Iterable[_CandidateOutcome]) -> tuple[list[int], list[float]]:
    """Labels and rewards of the steps that have both; neutral steps are left out."""
    pairs = [
        (step.label, step.reward)
        for candidate in candidates
        for step in candidate.steps
        if step.label != NEUTRAL and step.reward is not None
    ]
    return [label for label, _ in pairs], [reward for _, reward in pairs]


def _first_wrong(candidate: _CandidateOutcome, threshold: float | None) -> int | None:
    """The first step that is wrong, or with a threshold, that is called wrong; a step without a reward is called neither.

    Neutral steps are passed over; that none is wrong must be named too.
    """
    for index, step in enumerate(candidate.steps):
        if step.label == NEUTRAL:
            continue
        if step.label == WRONG if threshold is None else step.reward is not None and step.reward <= threshold:
            return index
    return None


def step_report(candidates: Sequence[_CandidateOutcome], threshold: Threshold) -> _StepReport:
    by_source, by_policy = (_metrics_by(candidates, key, threshold.value) for key in ("source", "policy"))
    weights = [metrics.steps for metrics in by_source.values()]
    values = [metrics.macro_f1 for metrics in by_source.values()]
    return _StepReport(
        threshold=threshold, pooled=step_metrics(candidates, threshold.value), by_source=by_source, by_policy=by_policy,
        mean_over_sources=float(np.mean(values)), step_weighted=float(np.average(values, weights=weights)),
        neutral_dropped=sum(step.label == NEUTRAL for candidate in candidates for step in candidate.steps),
    )  # fmt: skip


def _metrics_by(candidates: Sequence[_CandidateOutcome], key: str, threshold: float) -> dict[str, StepMetrics]:
    groups: dict[str, list[_CandidateOutcome]] = groups_by(candidates, attrgetter(key))
    counted = {name: group for name, group in sorted(groups.items()) if counts_of(group, threshold).any()}
    return {name or "unnamed": step_metrics(group, threshold) for name, group in counted.items()}


def step_table(candidates: Sequence[_CandidateOutcome], threshold: float) -> Counts:
    """A row of counts per problem, in order of first appearance."""
    problems = groups_by(candidates, lambda one: one.problem_id)
    return np.array([counts_of(group, threshold) for group in problems.values()])


def best_threshold(candidates: Sequence[_CandidateOutcome]) -> float:
    """The θ with the highest macro-F1 on these steps: half way between two neighbouring rewards."""
    labels, rewards = labelled_rewards(candidates)
    if not rewards:
        raise ConfigError("no labelled step has a reward: there is no threshold to fit.")
    order = np.argsort(rewards)
    values, truth = np.array(rewards)[order], np.array(labels)[order] == RIGHT
    rights, wrongs = np.cumsum(truth), np.cumsum(~truth)
    right, wrong = rights[-1], wrongs[-1]
    no_right, no_wrong = counts_of(candidates, 0.0)[[RIGHT_NONE, WRONG_NONE]]
    tried = [(macro_f1([right, 0, no_right, wrong, 0, no_wrong]), float(values[0]) - 1e-9)]
    for cut in np.flatnonzero(np.append(values[1:] != values[:-1], True)):
        low, bad = rights[cut], wrongs[cut]
        theta = (values[cut] + values[cut + 1]) / 2 if cut + 1 < len(values) else values[cut]
        tried.append((macro_f1([right - low, low, no_right, wrong - bad, bad, no_wrong]), float(theta)))
    return max(tried)[1]


def groups_by(items: Iterable[_Item], key: Callable[[_Item], _Key]) -> dict[_Key, list[_Item]]:
    """The items that share a key, in the order in which the keys come first.

    >>> groups_by([1, 2, 3], lambda number: number % 2)
    {1: [1, 3], 0: [2]}
    """
    found: dict[_Key, list[_Item]] = {}
    for item in items:
        found.setdefault(key(item), []).append(item)
    return found
