"""The two figures every experiment reports: step macro-F1 and Best-of-N, each with an interval over problems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter

from evpv.evaluation import selection
from evpv.evaluation.step_metrics import WRONG, Threshold, groups_by, macro_f1, step_outcomes, step_report, step_table
from evpv.evaluation.uncertainty import Difference, Interval, bootstrap, mean_of_first, paired_difference
from evpv.reward.method import AGGREGATIONS
from evpv.types import Candidate, CandidateTrace, Trace


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pool:
    """A problem's candidates as they are chosen from; one that a policy was asked for and that never came is a wrong one."""

    trace: Trace
    candidates: tuple[CandidateTrace, ...]
    right: tuple[bool, ...]

    def choices(self, value: Callable[[CandidateTrace], float]) -> list[selection.Choice]:
        came = self.trace.ranking.values
        return [
            selection.Choice(flag, value(one) if one.id in came else float("-inf"))
            for one, flag in zip(self.candidates, self.right, strict=True)
        ]

    def best(self, k: int) -> float:
        return selection.best_of_k(self.choices(lambda one: self.trace.ranking.values[one.id]), k)

    def under(self, aggregation: str, k: int) -> float:
        """BoN@k with the candidates scored by another aggregation of the same rewards."""
        score = AGGREGATIONS[aggregation]
        return selection.best_of_k(
            self.choices(lambda one: score([s.reward for s in one.steps if s.reward is not None])), k
        )

    def vote(self, k: int, weight: Callable[[CandidateTrace], float] = lambda candidate: 1.0) -> float:
        return selection.vote_of_k(self.candidates, self.right, k, weight, self.trace.problem.options)


def _pool(trace: Trace, flags: Sequence[bool]) -> _Pool:
    wanted = 0 if trace.problem.sampling is None else trace.problem.sampling.wanted
    lost = tuple(
        CandidateTrace(candidate=Candidate(id=f"never came {n}", steps=()), reliability=None, score=0.0, steps=())
        for n in range(len(flags), wanted)
    )
    return _Pool(trace=trace, candidates=(*trace.candidates, *lost), right=(*flags, *(False,) * len(lost)))


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
        problems = selection.choices_of(traces, self.right)
        sources = groups_by(problems, lambda one: one.source or "all")
        return replace(
            found, best_of_n=bootstrap([(one.best, 1.0) for one in problems], mean_of_first, rounds=500),
            pass_at_1=sum(one.right / len(one.choices) for one in problems) / len(problems),
            bon_by_source={name: sum(p.best for p in some) / len(some) for name, some in sorted(sources.items())},
        )  # fmt: skip

    def pools(self, traces: Sequence[Trace]) -> list[_Pool]:
        """What there is to choose from, problem by problem, leaving out those without candidates."""
        found = (_pool(trace, flags) for trace, flags in zip(traces, self.right, strict=True))
        return [pool for pool in found if pool.candidates]

    def by_k(self, traces: Sequence[Trace]) -> dict[str, dict[int, list[float]]]:
        """Each problem's chance of a right choice among k candidates, k = 1 … the fewest that a problem has.

        `pass` is what the best choice could reach, `best` the highest score, `vote` the majority, `weighted` by score.
        The votes have no rows where no candidate gives an answer.
        """
        pools = self.pools(traces)
        voters = pools if self.votable else []
        ways: dict[str, tuple[Callable[[_Pool, int], float], list[_Pool]]] = {
            "pass": (lambda pool, k: selection.pass_at_k(len(pool.right), sum(pool.right), k), pools),
            "best": (_Pool.best, pools),
            "vote": (_Pool.vote, voters),
            "weighted": (lambda pool, k: pool.vote(k, lambda one: one.score), voters),
        }
        ks = range(1, min(len(pool.candidates) for pool in pools) + 1)
        return {name: {k: [way(pool, k) for pool in asked] for k in ks} for name, (way, asked) in ways.items()}

    def ahead(self, traces: Sequence[Trace], others: Sequence[Trace]) -> Difference:
        """How far the choices of one method are ahead of another's, problem by problem."""
        first, second = (selection.picks(side, self.right) for side in (traces, others))
        return paired_difference(first, second, mean_of_first)


def percent(interval: Interval | None) -> tuple[float, float, float] | None:
    """An interval's value, lower and upper end in percent."""
    return None if interval is None else (100 * interval.value, 100 * interval.low, 100 * interval.high)
