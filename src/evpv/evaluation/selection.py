"""Best-of-N over stored traces: curves, votes, aggregations, what the gate did; and what to expect of it without luck.

Expectations over which k candidates were drawn and over how ties fall are worked out exactly.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import combinations
from math import comb, prod

import numpy as np
from scipy.stats import spearmanr  # type: ignore[import-untyped]

from evpv.errors import ConfigError, RecordError
from evpv.evaluation.answers import AnswerChecker
from evpv.evaluation.outcomes import Choice, ProblemChoices, choices_of
from evpv.evaluation.tasks import Cell, Measured, Sheet, against_sheet, align_runs, difference_cells, records
from evpv.evaluation.uncertainty import Interval, bootstrap, mean_of_first, paired_difference
from evpv.language.answers import answer_key
from evpv.reward.assess import reassess
from evpv.reward.method import Method
from evpv.reward.ranking import AGGREGATIONS
from evpv.types import CandidateTrace, Trace

_MAX_SUBSETS = 2_000
"""A vote over more subsets than this is taken over as many drawn at random, with a fixed seed."""


def pass_at_k(candidates: int, right: int, k: int) -> float:
    """The chance that k of the candidates, drawn without replacement, hold a right one: the unbiased estimator.

    >>> pass_at_k(8, 2, 1), round(pass_at_k(8, 2, 4), 4), pass_at_k(8, 8, 3)
    (0.25, 0.7857, 1.0)
    """
    _check(candidates, k)
    return 1.0 - comb(candidates - right, k) / comb(candidates, k)


def best_of_k(choices: Sequence[Choice], k: int) -> float:
    """The chance that the highest valued of k candidates, drawn without replacement, is right; ties fall evenly.

    The drawn set's best has value v if all are at most v and not all below it. Among the candidates with that value
    none is favoured, so what counts is their share of right ones.

    >>> best_of_k([Choice(candidate_id="a", right=True, value=0.9), Choice(candidate_id="b", right=False, value=0.5)], 1)
    0.5
    """
    _check(len(choices), k)
    total, below, expected = comb(len(choices), k), 0, 0.0
    for value in sorted({choice.value for choice in choices}):
        tied = [choice for choice in choices if choice.value == value]
        chance = (comb(below + len(tied), k) - comb(below, k)) / total
        expected += chance * sum(choice.right for choice in tied) / len(tied)
        below += len(tied)
    return expected


def vote_of_k(
    candidates: Sequence[CandidateTrace],
    right: Sequence[bool],
    k: int,
    weight: Callable[[CandidateTrace], float] = lambda candidate: 1.0,
    options: tuple[str, ...] = (),
) -> float:
    """The chance that a vote among k candidates, drawn without replacement, elects a right answer; ties fall evenly.

    Candidates without an answer do not vote; where none has one, the vote elects nobody.
    """
    _check(len(candidates), k)
    keys = [answer_key(candidate.final_answer, options) for candidate in candidates]
    weights = [weight(candidate) for candidate in candidates]
    drawn = list(_subsets(len(candidates), k))
    return sum(_elected_right(subset, keys, weights, right) for subset in drawn) / len(drawn)


def gives_answers(traces: Iterable[Trace]) -> bool:
    """Whether there is anything to vote on: an answer that a candidate gives, or a policy that was asked for one.

    Captions and bare claims have none: a vote over them is unknown, where a policy that never answers is wrong.
    """
    return any(
        trace.problem.sampling is not None or any(one.final_answer is not None for one in trace.candidates)
        for trace in traces
    )


def _subsets(size: int, k: int) -> Iterator[tuple[int, ...]]:
    if comb(size, k) <= _MAX_SUBSETS:
        return combinations(range(size), k)
    rng = random.Random(0)
    return (tuple(rng.sample(range(size), k)) for _ in range(_MAX_SUBSETS))


def _elected_right(
    subset: Sequence[int], keys: Sequence[str | None], weights: Sequence[float], right: Sequence[bool]
) -> float:
    votes: dict[str, float] = {}
    for index in subset:
        if (key := keys[index]) is not None:
            votes[key] = votes.get(key, 0.0) + weights[index]
    if not votes:
        return 0.0
    most = max(votes.values())
    winners = [key for key, cast in votes.items() if cast >= most * (1 - 1e-12)]
    return sum(_share_right(subset, key, keys, right) for key in winners) / len(winners)


def _share_right(subset: Sequence[int], key: str, keys: Sequence[str | None], right: Sequence[bool]) -> float:
    """How many of those who gave an answer are right: all or none, unless the answer's key is coarser than its check."""
    flags = [right[index] for index in subset if keys[index] == key]
    return sum(flags) / len(flags)


def worst_case(problems: Sequence[ProblemChoices]) -> float:
    """The share of groups whose every problem is answered right by its chosen candidate (DynaMath's worst case).

    A tie counts with its share of right candidates, so a group is worth the product over its problems.
    """
    groups: dict[str, float] = {}
    for problem in problems:
        groups[problem.group] = groups.get(problem.group, 1.0) * best_of_k(problem.choices, len(problem.choices))
    return sum(groups.values()) / len(groups)


def wemath_strict(parts: Sequence[tuple[float, float]]) -> float:
    """WeMath's strict score: complete mastery plus half of inadequate generalisation.

    For each composite problem: the chance that all its one-step parts are right, and the chance that itself is. Mastery
    is both; inadequate generalisation is right parts and a wrong whole; a right whole over wrong parts earns nothing.

    >>> wemath_strict([(1.0, 1.0), (1.0, 0.0), (0.0, 1.0), (0.0, 0.0)])
    0.375
    """
    if not parts:
        raise ConfigError("there is no composite problem with its parts: WeMath's strict score needs both.")
    return sum(steps * whole + 0.5 * steps * (1 - whole) for steps, whole in parts) / len(parts)


def _check(candidates: int, k: int) -> None:
    if not 1 <= k <= candidates:
        raise ConfigError(f"k must be between 1 and the number of candidates ({candidates}), not {k}.")


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


def _vote(traces: Sequence[Trace], right: Sequence[Sequence[bool]], k: int, weighted: bool) -> float | None:
    if not gives_answers(traces):
        return None
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
