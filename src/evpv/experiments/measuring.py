"""What a set of traces is worth: step macro-F1 and Best-of-N with intervals over problems, and the rows behind them.

A study keeps the rows (`evaluation`), problem by problem, so that every table, interval and paired test can be computed from them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import mean
from typing import Any

import numpy as np

from evpv.evaluation import selection
from evpv.evaluation.step_metrics import WRONG, Threshold, groups_by, macro_f1, step_outcomes, step_report, step_table
from evpv.evaluation.uncertainty import Difference, Interval, bootstrap, mean_of_first, paired_difference
from evpv.reward.ranking import AGGREGATIONS
from evpv.types import Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What a set of traces is worth; None where they carry no labels, or no answers."""

    macro_f1: Interval | None = None
    best_of_n: Interval | None = None
    pass_at_1: float | None = None
    mean_score: float = 0.0
    by_source: dict[str, float] = field(default_factory=dict)
    bon_by_source: dict[str, float] = field(default_factory=dict)

    @property
    def cells(self) -> tuple[float | None, float | None]:
        f1, choice = percent(self.macro_f1), percent(self.best_of_n)
        return f1[0] if f1 else None, choice[0] if choice else None


class Truth:
    """What is known of a set of problems: worked out once, because answers are slow to compare."""

    def __init__(self, traces: Sequence[Trace]):
        steps = [step.step for trace in traces for candidate in trace.candidates for step in candidate.steps]
        self.labelled = bool({step.label for step in steps} - {None})
        self.audited = bool({step.visual for step in steps} - {None})
        self.typed = bool({step.error for step in steps if step.label == WRONG} - {None})
        self.votable = selection.gives_answers(traces)
        self.answered = selection.can_tell_right(traces)
        self.right = selection.rightness(traces) if self.answered else []

    def figures(self, traces: Sequence[Trace]) -> Figures:
        """The figures of these traces, which are of the same problems in the same order."""
        scores = [candidate.score for trace in traces for candidate in trace.candidates]
        found = Figures(mean_score=sum(scores) / len(scores) if scores else 0.0)
        if self.labelled and (steps := step_outcomes(traces)):
            report = step_report(steps, Threshold())
            f1 = bootstrap(step_table(steps, 0.0), macro_f1, rounds=500)
            by_source = {name: one.macro_f1 for name, one in report.by_source.items()}
            found = replace(found, macro_f1=f1, by_source=by_source)
        if not self.answered:
            return found
        problems = selection.pools_of(traces, self.right)
        sources = groups_by(problems, lambda one: one.trace.problem.data_source or "all")
        return replace(
            found, best_of_n=bootstrap([(one.best, 1.0) for one in problems], mean_of_first, rounds=500),
            pass_at_1=sum(sum(one.right) / len(one.right) for one in problems) / len(problems),
            bon_by_source={name: sum(p.best for p in some) / len(some) for name, some in sorted(sources.items())},
        )  # fmt: skip

    def pools(self, traces: Sequence[Trace]) -> list[selection.Pool]:
        """What there is to choose from, problem by problem; a candidate that never came is a wrong one."""
        return selection.pools_of(traces, self.right, with_lost=True)

    def by_k(self, traces: Sequence[Trace]) -> dict[str, dict[int, list[float]]]:
        """Each problem's chance of a right choice among k candidates, by each way of choosing."""
        return selection.chances_by_k(self.pools(traces), votable=self.votable)

    def ahead(self, traces: Sequence[Trace], others: Sequence[Trace]) -> Difference:
        """How far the choices of one method are ahead of another's, problem by problem."""
        first, second = (selection.picks(side, self.right) for side in (traces, others))
        return paired_difference(first, second, mean_of_first)


def percent(interval: Interval | None) -> tuple[float, float, float] | None:
    return None if interval is None else (100 * interval.value, 100 * interval.low, 100 * interval.high)


Evaluation = Mapping[str, Any]
"""An evaluation as its file holds it."""
_WITHOUT = "MMMU"
"""The benchmark that the paper's Overall of Table 2 leaves out."""


def evaluation(traces: Sequence[Trace], k: int) -> dict[str, Any]:
    """Counts of steps and chances of choices, a row for each problem; None where the truth is not known."""
    traces = sorted(traces, key=lambda trace: trace.problem_id)  # intervals must not hang on who was done first
    truth = Truth(traces)
    sizes = [len(candidate.steps) for trace in traces for candidate in trace.candidates]
    steps = choices = None
    if truth.labelled:
        outcomes = step_outcomes(traces)
        sources = {trace.problem_id: trace.problem.data_source or "all" for trace in traces}
        ids = list(dict.fromkeys(outcome.problem_id for outcome in outcomes))
        counts = step_table(outcomes, 0.0).tolist()
        steps = {"ids": ids, "sources": [sources[name] for name in ids], "counts": counts}
    if truth.answered:
        pools, by_k = truth.pools(traces), truth.by_k(traces)
        scored = {name: [pool.under(name, min(k, len(by_k["best"]))) for pool in pools] for name in AGGREGATIONS}
        choices = {"ids": [pool.trace.problem_id for pool in pools], **by_k, "aggregations": scored}
    return {
        "problems": len(traces), "mean_steps": mean(sizes) if sizes else 0.0,
        "questions_steps": sum(sizes) / len(traces) if traces else 0.0, "steps": steps, "choices": choices,
    }  # fmt: skip


def steps_f1(one: Evaluation, source: str | None = None) -> Interval | None:
    """Macro-F1 pooled over all steps, or over those of a source, in percent, with its interval over problems."""
    if not one["steps"]:
        return None
    rows = [c for c, s in zip(one["steps"]["counts"], one["steps"]["sources"], strict=True) if source in (None, s)]
    one_f1 = bootstrap(rows, macro_f1, rounds=500) if rows else None
    return one_f1 and Interval(value=100 * one_f1.value, low=100 * one_f1.low, high=100 * one_f1.high)


def step_overalls(one: Evaluation) -> dict[str, float | None]:
    """Overall of a table of steps by every definition in use: pooled, the mean of sources, their mean weighted by steps."""
    if not one["steps"]:
        return {"pooled": None, "mean of sources": None, "step-weighted": None}
    counts, sources = np.array(one["steps"]["counts"]), np.array(one["steps"]["sources"])
    columns = {name: counts[sources == name].sum(axis=0) for name in sorted(set(one["steps"]["sources"]))}
    scores = {name: 100 * macro_f1(sums) for name, sums in columns.items()}
    sizes = {name: float(sums.sum()) for name, sums in columns.items()}
    weighted = sum(scores[name] * sizes[name] for name in scores) / max(sum(sizes.values()), 1.0)
    return {
        "pooled": 100 * macro_f1(counts.sum(axis=0)),
        "mean of sources": mean(scores.values()),
        "step-weighted": weighted,
    }


def choice_values(one: Evaluation, kind: str, k: int | str) -> list[float]:
    """The chance of a right choice for each problem: the rows behind Pass@k, BoN@k, votes; and of an aggregation by name.

    No rows for votes where no candidate gives an answer.
    """
    held = one["choices"][kind]
    if isinstance(k, str):
        return list(held[k])
    by_k = {int(size): values for size, values in held.items()}
    return list(by_k[min(k, max(by_k))])


def choice_overalls(columns: Mapping[str, Sequence[float]]) -> dict[str, float | None]:
    """Overall of a table of choices, in percent, by every definition in use; columns are benchmarks' problems, 0 to 1.

    >>> choice_overalls({"A": [1.0, 0.0], "MMMU": [1.0, 1.0]})
    {'pooled': 75.0, 'mean of benchmarks': 75.0, 'mean without MMMU': 50.0}
    """
    means = {name: 100 * mean(values) for name, values in columns.items() if values}
    others = [value for name, value in means.items() if name != _WITHOUT]
    pooled = [value for values in columns.values() for value in values]
    return {
        "pooled": 100 * mean(pooled) if pooled else None,
        "mean of benchmarks": mean(means.values()) if means else None,
        f"mean without {_WITHOUT}": mean(others) if others else None,
    }


def difference(one: Evaluation, other: Evaluation, k: int) -> dict[str, Difference]:
    """How far one run is ahead of another over the same problems, in steps and in choices, by paired bootstrap."""
    found = {}
    if one["steps"] and other["steps"] and one["steps"]["ids"] == other["steps"]["ids"]:
        mine, theirs = (np.array(side["steps"]["counts"], dtype=float) for side in (one, other))
        found["macro-F1"] = paired_difference(mine, theirs, macro_f1)
    if one["choices"] and other["choices"] and one["choices"]["ids"] == other["choices"]["ids"]:
        first, second = (np.array([(v, 1.0) for v in choice_values(side, "best", k)]) for side in (one, other))
        found[f"BoN@{k}"] = paired_difference(first, second, mean_of_first)
    return found
