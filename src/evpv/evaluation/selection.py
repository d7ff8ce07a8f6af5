"""Best-of-N over stored traces: curves, votes, aggregations, what the gate did, and what the score should not follow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from math import prod

import numpy as np
from scipy.stats import spearmanr  # type: ignore[import-untyped]

from evpv.errors import RecordError
from evpv.evaluation.answers import AnswerChecker
from evpv.evaluation.best_of_n import best_of_k, pass_at_k, vote_of_k, wemath_strict, worst_case
from evpv.evaluation.intervals import Interval, bootstrap, mean_of_first, paired_difference
from evpv.evaluation.outcomes import ProblemChoices, choices_of
from evpv.evaluation.sheets import Cell, Sheet
from evpv.evaluation.tasks import Measured, against_sheet, align_runs, difference_cells, records
from evpv.reward.aggregation import AGGREGATIONS
from evpv.reward.assess import reassess
from evpv.reward.method import Method
from evpv.types import CandidateTrace, Trace


def compare_choices(traces: Sequence[Trace], others: Sequence[Trace]) -> Measured:
    """Best-of-N of this run against another's, problem by problem."""
    left, right = align_runs(traces, others)
    first, second = (
        np.array([(best_of_k(one.choices, len(one.choices)), 1.0) for one in choices_of(side, rightness(side))])
        for side in (left, right)
    )
    found = paired_difference(first, second, mean_of_first)
    row = ("BoN@N", float(first[:, 0].mean()), float(second[:, 0].mean()), *difference_cells(found))
    return Measured(sheets=(against_sheet("Best-of-N, paired", [row]),), metrics={"BoN@N": asdict(found)})


def rightness(traces: Iterable[Trace]) -> list[list[bool]]:
    """For each candidate, whether it answers correctly: as stated in its record, else by comparing with the gold answer."""
    found = []
    with AnswerChecker() as checker:
        for trace in traces:
            gold, options = trace.problem.answer, trace.problem.options
            flags = []
            for candidate in trace.candidates:
                if candidate.candidate.correct is not None:
                    flags.append(candidate.candidate.correct)
                elif gold is None:
                    raise RecordError(f"problem {trace.problem_id!r} has no gold answer: Best-of-N cannot be measured.")
                else:
                    flags.append(checker.compare(gold, candidate.final_answer, options).equal)
            found.append(flags)
    return found


def measure_choices(traces: Sequence[Trace], method: Method) -> Measured:
    """Best-of-N for every k, votes beside it, all five aggregations, and what the gate did to the ranking."""
    right = rightness(traces)
    problems = choices_of(traces, right)
    most = min(len(problem.choices) for problem in problems)
    rows: list[tuple[Cell, ...]] = []
    for k in range(1, most + 1):
        chosen, drawn = _mean(problems, k), float(np.mean([pass_at_k(len(p.choices), p.right, k) for p in problems]))
        first = _mean(problems, 1)
        rows.append(
            (
                f"{k}",
                drawn,
                chosen,
                chosen - first,
                drawn - chosen,
                _vote(traces, right, k, False),
                _vote(traces, right, k, True),
            )
        )
    columns = ("k", "Pass@k", "BoN@k", "Δ_k", "oracle gap", "majority vote", "weighted vote")
    curve = Sheet(
        title="Best-of-N", columns=columns, rows=tuple(rows), note="Expectations over subsets of size k and over ties."
    )
    interval = _interval(problems)
    metrics = {
        "problems": len(problems),
        "curve": [dict(zip(columns, row, strict=True)) for row in rows],
        "interval": asdict(interval),
    }
    sheets = (
        curve, *_groups(traces, problems), _aggregations(traces, right, method), _gate_effect(traces, right, method), _diagnostics(traces),
    )  # fmt: skip
    return Measured(sheets=sheets, metrics=metrics | {sheet.title: records(sheet) for sheet in sheets[1:]})


def _mean(problems: Sequence[ProblemChoices], k: int) -> float:
    return float(np.mean([best_of_k(problem.choices, k) for problem in problems]))


def _interval(problems: Sequence[ProblemChoices]) -> Interval:
    return bootstrap([(best_of_k(p.choices, len(p.choices)), 1.0) for p in problems], mean_of_first)


def _vote(traces: Sequence[Trace], right: Sequence[Sequence[bool]], k: int, weighted: bool) -> float:
    return float(
        np.mean(
            [
                vote_of_k(
                    trace.candidates, flags, k, (lambda one: one.score) if weighted else (lambda one: 1.0),
                    trace.problem.options,
                )
                for trace, flags in zip(traces, right, strict=True)
                if trace.candidates
            ]
        )
    )  # fmt: skip


def _groups(traces: Sequence[Trace], problems: Sequence[ProblemChoices]) -> list[Sheet]:
    """Group-level scores where problems name a `group`: all of a group right, and WeMath's strict score where parts are named."""
    parts = {trace.problem_id: trace.problem.part or "" for trace in traces}
    groups: dict[str, list[ProblemChoices]] = {}
    for problem in problems:
        groups.setdefault(problem.group, []).append(problem)
    if all(len(members) == 1 for members in groups.values()):
        return []
    rows: list[tuple[Cell, ...]] = [("all of a group right (DynaMath's worst case)", len(groups), worst_case(problems))]
    composite = [_composite(members, parts) for members in groups.values()]
    if whole := [one for one in composite if one is not None]:
        rows.append(("WeMath, strict: mastery + half of inadequate generalisation", len(whole), wemath_strict(whole)))
    return [Sheet(title="groups of problems", columns=("score", "groups", "value"), rows=tuple(rows))]


def _composite(members: Sequence[ProblemChoices], parts: Mapping[str, str]) -> tuple[float, float] | None:
    """The chance that all one-step parts are right, and that the composite is; None where a group does not have both."""
    chances = {parts[one.problem_id]: best_of_k(one.choices, len(one.choices)) for one in members}
    whole = [chance for part, chance in chances.items() if part.endswith("multi")]
    steps = [chance for part, chance in chances.items() if part and not part.endswith("multi")]
    return (prod(steps), whole[0]) if len(whole) == 1 and steps else None


def _aggregations(traces: Sequence[Trace], right: Sequence[Sequence[bool]], method: Method) -> Sheet:
    """Appendix E: the same rewards under each way of making a score of them."""
    rows = []
    for name in AGGREGATIONS:
        again = [reassess(trace, replace(method, aggregation=name, select="score")) for trace in traces]
        found = choices_of(again, right)
        first, interval = _mean(found, 1), _interval(found)
        rows.append((name, first, interval.value, interval.value - first, interval.low, interval.high))
    columns = ("aggregation", "Pass@1", "BoN@N", "Δ_N", "from", "to")
    return Sheet(title="aggregations", columns=columns, rows=tuple(rows))


def _gate_effect(traces: Sequence[Trace], right: Sequence[Sequence[bool]], method: Method) -> Sheet:
    """What the gate changed: the same traces with it and without it."""
    bare = [reassess(trace, replace(method, gate="off")) for trace in traces]
    gated = [reassess(trace, method) for trace in traces]
    before, after = ({p.problem_id: p for p in choices_of(side, right)} for side in (bare, gated))
    moved = [
        (best_of_k(before[name].choices, len(before[name].choices)), best_of_k(one.choices, len(one.choices)))
        for name, one in after.items()
    ]
    changed = sum(a.ranking.best != b.ranking.best for a, b in zip(bare, gated, strict=True))
    rows: tuple[tuple[Cell, ...], ...] = (
        ("problems", len(moved)),
        ("the winner changed", changed),
        ("wrong became right (ties by share)", sum(max(new - old, 0.0) for old, new in moved)),
        ("right became wrong (ties by share)", sum(max(old - new, 0.0) for old, new in moved)),
    )
    return Sheet(title="what the gate changed", columns=("", "count"), rows=rows, digits=1)


def _diagnostics(traces: Sequence[Trace]) -> Sheet:
    """Does the score follow something it should not? Rank correlations over all candidates."""
    candidates = [candidate for trace in traces for candidate in trace.candidates if candidate.steps]
    scores = [candidate.score for candidate in candidates]
    rows = tuple((name, _rank_correlation(scores, list(map(of, candidates)))) for name, of in _SUSPECTS.items())
    return Sheet(title="the score against …", columns=("", "Spearman's ρ"), rows=rows)


_SUSPECTS: dict[str, Callable[[CandidateTrace], float]] = {
    "length in characters": lambda one: sum(len(step.text) for step in one.steps),
    "number of steps": lambda one: len(one.steps),
    "share of visual steps": lambda one: sum(step.claim is not None for step in one.steps) / len(one.steps),
}


def _rank_correlation(some: list[float], others: list[float]) -> float | None:
    """Spearman's ρ; None where one of the two never changes."""
    return float(spearmanr(some, others).statistic) if min(len(set(some)), len(set(others))) > 1 else None
