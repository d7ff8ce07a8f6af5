"""The two figures every experiment reports: step macro-F1 and Best-of-N, each with an interval over problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter

from evpv.evaluation import selection
from evpv.evaluation.step_metrics import WRONG, Threshold, groups_by, macro_f1, step_outcomes, step_report, step_table
from evpv.evaluation.uncertainty import Difference, Interval, bootstrap, mean_of_first, paired_difference
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
        """Macro-F1 and Best-of-N in percent."""
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
        self.answered = any(map(attrgetter("candidates"), traces)) and all(map(self._is_known, traces))
        self.right = selection.rightness(traces) if self.answered else []

    def _is_known(self, trace: Trace) -> bool:
        """Whether it can be told which candidates are right: stated, or by a gold answer where answers are given."""
        compared = self.votable and trace.problem.answer is not None
        return compared or all(one.candidate.correct is not None for one in trace.candidates)

    def figures(self, traces: Sequence[Trace], threshold: float = 0.0) -> Figures:
        """The figures of these traces, which are of the same problems in the same order."""
        scores = [candidate.score for trace in traces for candidate in trace.candidates]
        found = Figures(mean_score=sum(scores) / len(scores) if scores else 0.0)
        if self.labelled and (steps := step_outcomes(traces)):
            report = step_report(steps, Threshold(value=threshold))
            f1 = bootstrap(step_table(steps, threshold), macro_f1, rounds=500)
            by_source = {name: one.macro_f1 for name, one in report.by_source.items()}
            found = replace(found, macro_f1=f1, by_source=by_source)
        return self._with_choices(found, traces) if self.answered else found

    def _with_choices(self, found: Figures, traces: Sequence[Trace]) -> Figures:
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
    """An interval's value, lower and upper end in percent."""
    return None if interval is None else (100 * interval.value, 100 * interval.low, 100 * interval.high)
