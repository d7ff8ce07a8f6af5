"""The two figures every experiment reports: step macro-F1 and Best-of-N, each with an interval over problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evpv.evaluation.best_of_n import best_of_k
from evpv.evaluation.intervals import Interval, bootstrap, mean_of_first
from evpv.evaluation.outcomes import choices_of, step_outcomes
from evpv.evaluation.selection import rightness
from evpv.evaluation.step_metrics import Threshold, macro_f1, step_report
from evpv.evaluation.tasks import step_table
from evpv.types import Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What a set of traces is worth; None where they carry no labels, or no answers."""

    macro_f1: Interval | None
    best_of_n: Interval | None
    pass_at_1: float | None
    mean_score: float
    by_source: dict[str, float]
    bon_by_source: dict[str, float]


class Truth:
    """What is known of a set of problems: worked out once, because answers are slow to compare."""

    def __init__(self, traces: Sequence[Trace]):
        self.labelled = any("label" in s.extra for t in traces for c in t.candidates for s in c.steps)
        self.answered = all(
            t.extra.get("answer") is not None or all("correct" in c.extra for c in t.candidates) for t in traces
        )
        self.right = rightness(traces) if self.answered else []

    def figures(self, traces: Sequence[Trace], threshold: float = 0.0) -> Figures:
        """The figures of these traces, which are of the same problems in the same order."""
        steps = step_outcomes(traces) if self.labelled else []
        report = step_report(steps, Threshold(value=threshold)) if steps else None
        problems = choices_of(traces, self.right) if self.answered else []
        picks = [(one, best_of_k(one.choices, len(one.choices))) for one in problems]
        sources: dict[str, list[float]] = {}
        for one, pick in picks:
            sources.setdefault(one.source or "all", []).append(pick)
        scores = [candidate.score for trace in traces for candidate in trace.candidates]
        return Figures(
            macro_f1=bootstrap(step_table(steps, threshold), macro_f1, rounds=500) if steps else None,
            best_of_n=bootstrap([(pick, 1.0) for _, pick in picks], mean_of_first, rounds=500) if picks else None,
            pass_at_1=sum(one.right / len(one.choices) for one, _ in picks) / len(picks) if picks else None,
            mean_score=sum(scores) / len(scores) if scores else 0.0,
            by_source={name: one.macro_f1 for name, one in report.by_source.items()} if report else {},
            bon_by_source={name: sum(values) / len(values) for name, values in sorted(sources.items())},
        )
