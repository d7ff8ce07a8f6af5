"""Best-of-N over stored traces: curves, votes, aggregations, what the gate did; and what to expect of it without luck.

Expectations over which k candidates were drawn and over how ties fall are worked out exactly.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from math import comb, prod
from statistics import mean
from typing import NamedTuple

import numpy as np
from scipy.stats import spearmanr  # type: ignore[import-untyped]

from evpv.errors import ConfigError, RecordError
from evpv.evaluation.answers import AnswerChecker
from evpv.evaluation.sheets import Sheet, SheetCell, TaskSheets, against_sheet
from evpv.evaluation.step_metrics import groups_by
from evpv.evaluation.tasks import align_runs
from evpv.evaluation.uncertainty import Interval, ScoreTable, bootstrap, mean_of_first, paired_difference
from evpv.language.answers import answer_key
from evpv.reward.assess import reassess
from evpv.reward.method import Method
from evpv.reward.ranking import AGGREGATIONS
from evpv.types import Candidate, CandidateTrace, Trace

_MAX_SUBSETS = 2_000
"""A vote over more subsets than this is taken over as many drawn at random, with a fixed seed."""


class _Choice(NamedTuple):
    """One candidate as Best-of-N sees it: is its answer right, and what was it ranked by."""

    right: bool
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """A problem's candidates as they are chosen from, and which of them answer right."""

    trace: Trace
    candidates: tuple[CandidateTrace, ...]
    right: tuple[bool, ...]

    @property
    def best(self) -> float:
        """The chance that the first in rank of all candidates is right."""
        return self.best_of(len(self.right))

    def best_of(self, k: int) -> float:
        """BoN@k by the trace's own ranking."""
        return self._choice(lambda one: self.trace.ranking.values[one.id], k)

    def under(self, aggregation: str, k: int) -> float:
        """BoN@k with the candidates scored by another aggregation of the same rewards."""
        score = AGGREGATIONS[aggregation]
        return self._choice(lambda one: score([s.reward for s in one.steps if s.reward is not None]), k)

    def vote(self, k: int, weight: Callable[[CandidateTrace], float] = lambda candidate: 1.0) -> float:
        return _vote_of_k(self.candidates, self.right, k, weight, self.trace.problem.options)

    def _choice(self, value: Callable[[CandidateTrace], float], k: int) -> float:
        """The chance that the choice by a value is right; a candidate that never came has none."""
        came = self.trace.ranking.values
        values = (value(one) if one.id in came else float("-inf") for one in self.candidates)
        return _best_of_k(list(map(_Choice, self.right, values)), k)


def pools_of(traces: Iterable[Trace], right: Sequence[Sequence[bool]], *, with_lost: bool = False) -> list[Pool]:
    """What Best-of-N chooses from: `right` says for each trace which of its candidates answer correctly.

    Problems without candidates are left out. Those that a policy was asked for and that never came are wrong ones, if told.
    """
    found = [_pool(*one, with_lost) for one in zip(traces, right, strict=True)]
    if not any(pool.candidates for pool in found):
        raise RecordError("this run has no problem with candidates.")
    return [pool for pool in found if pool.candidates]


def _pool(trace: Trace, flags: Sequence[bool], with_lost: bool) -> Pool:
    wanted = trace.problem.sampling.wanted if with_lost and trace.problem.sampling is not None else 0
    lost = tuple(
        CandidateTrace(candidate=Candidate(id=f"never came {n}", steps=()), reliability=None, score=0.0, steps=())
        for n in range(len(flags), wanted)
    )
    return Pool(trace=trace, candidates=(*trace.candidates, *lost), right=(*flags, *(False,) * len(lost)))


def chances_by_k(pools: Sequence[Pool], *, votable: bool) -> dict[str, dict[int, list[float]]]:
    """Each problem's chance of a right choice among k candidates, k = 1 … the fewest that a problem has.

    `pass` is what the best choice could reach, `best` the highest score, `vote` the majority, `weighted` by score.
    The votes have no rows where no candidate gives an answer.
    """
    voters = pools if votable else []
    ways: dict[str, tuple[Callable[[Pool, int], float], Sequence[Pool]]] = {
        "pass": (lambda pool, k: _pass_at_k(len(pool.right), sum(pool.right), k), pools),
        "best": (Pool.best_of, pools),
        "vote": (Pool.vote, voters),
        "weighted": (lambda pool, k: pool.vote(k, lambda one: one.score), voters),
    }
    ks = range(1, min(len(pool.candidates) for pool in pools) + 1)
    return {name: {k: [way(pool, k) for pool in asked] for k in ks} for name, (way, asked) in ways.items()}


def picks(traces: Iterable[Trace], right: Sequence[Sequence[bool]]) -> ScoreTable:
    """A row (chance that the choice is right, 1) for each problem: what intervals and paired tests are over."""
    return np.array([(one.best, 1.0) for one in pools_of(traces, right)])


def _pass_at_k(candidates: int, right: int, k: int) -> float:
    """The chance that k of the candidates, drawn without replacement, hold a right one: the unbiased estimator.

    >>> _pass_at_k(8, 2, 1), round(_pass_at_k(8, 2, 4), 4), _pass_at_k(8, 8, 3)
    (0.25, 0.7857, 1.0)
    """
    _check(candidates, k)
    return 1.0 - comb(candidates - right, k) / comb(candidates, k)


def _best_of_k(choices: Sequence[_Choice], k: int) -> float:
    """The chance that the highest valued of k candidates, drawn without replacement, is right; ties fall evenly.

    The drawn set's best has value v if all are at most v and not all below it. Among the candidates with that value
    none is favoured, so what counts is their share of right ones.

    >>> _best_of_k([_Choice(True, 0.9), _Choice(False, 0.5)], 1)
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


def _vote_of_k(
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
    places, rng = range(len(candidates)), random.Random(0)
    if comb(len(candidates), k) <= _MAX_SUBSETS:
        drawn = list(combinations(places, k))
    else:
        drawn = [tuple(rng.sample(places, k)) for _ in range(_MAX_SUBSETS)]
    return sum(_elected_right(subset, keys, weights, right) for subset in drawn) / len(drawn)


def gives_answers(traces: Iterable[Trace]) -> bool:
    """Whether there is anything to vote on: an answer that a candidate gives, or a policy that was asked for one.

    Captions and bare claims have none: a vote over them is unknown, where a policy that never answers is wrong.
    """
    return any(
        trace.problem.sampling is not None or any(one.final_answer is not None for one in trace.candidates)
        for trace in traces
    )


def can_tell_right(traces: Sequence[Trace]) -> bool:
    """Whether it is known which candidates are right: as they state, or by a gold answer where answers are given."""
    voted = gives_answers(traces)
    known = (
        (voted and trace.problem.answer is not None)
        or all(one.candidate.correct is not None for one in trace.candidates)
        for trace in traces
    )
    return any(trace.candidates for trace in traces) and all(known)


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
    shares = []  # of those who gave a winning answer: all or none are right, unless its key is coarser than its check
    for key in (key for key, cast in votes.items() if cast >= most * (1 - 1e-12)):
        flags = [right[index] for index in subset if keys[index] == key]
        shares.append(sum(flags) / len(flags))
    return sum(shares) / len(shares)


def _worst_case(groups: Collection[Sequence[float]]) -> float:
    """The share of groups whose every problem is answered right by its chosen candidate (DynaMath's worst case).

    A tie counts with its share of right candidates, so a group is worth the product over its problems.
    """
    return sum(map(prod, groups)) / len(groups)


def _wemath_strict(parts: Sequence[tuple[float, float]]) -> float:
    """WeMath's strict score: complete mastery plus half of inadequate generalisation.

    For each composite problem: the chance that all its one-step parts are right, and the chance that itself is. Mastery
    is both; inadequate generalisation is right parts and a wrong whole; a right whole over wrong parts earns nothing.

    >>> _wemath_strict([(1.0, 1.0), (1.0, 0.0), (0.0, 1.0), (0.0, 0.0)])
    0.375
    """
    if not parts:
        raise ConfigError("there is no composite problem with its parts: WeMath's strict score needs both.")
    return sum(steps * whole + 0.5 * steps * (1 - whole) for steps, whole in parts) / len(parts)


def _check(candidates: int, k: int) -> None:
    if not 1 <= k <= candidates:
        raise ConfigError(f"k must be between 1 and the number of candidates ({candidates}), not {k}.")


def compare_choices(traces: Sequence[Trace], others: Sequence[Trace]) -> TaskSheets:
    """Best-of-N of this run against another's, problem by problem."""
    first, second = (picks(side, rightness(side)) for side in align_runs(traces, others))
    gap = paired_difference(first, second, mean_of_first)
    row = ("BoN@N", float(first[:, 0].mean()), float(second[:, 0].mean()), gap)
    return TaskSheets(sheets=(against_sheet("Best-of-N, paired", [row]),), metrics={"BoN@N": asdict(gap)})


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


def measure_choices(traces: Sequence[Trace], method: Method) -> TaskSheets:
    """Best-of-N for every k, votes beside it, all five aggregations, and what the gate did to the ranking."""
    right = rightness(traces)
    pools = pools_of(traces, right)
    chances = chances_by_k(pools, votable=gives_answers(traces))
    first = mean(chances["best"][1])
    rows: list[tuple[SheetCell, ...]] = []
    for k in chances["best"]:
        drawn, chosen = mean(chances["pass"][k]), mean(chances["best"][k])
        votes = (mean(cast) if (cast := chances[name][k]) else None for name in ("vote", "weighted"))
        rows.append((f"{k}", drawn, chosen, chosen - first, drawn - chosen, *votes))
    columns = ("k", "Pass@k", "BoN@k", "Δ_k", "oracle gap", "majority vote", "weighted vote")
    note = "Expectations over subsets of size k and over ties."
    curve = Sheet(title="Best-of-N", columns=columns, rows=tuple(rows), note=note)
    metrics = {"problems": len(pools), "curve": curve.records(), "interval": asdict(_interval(pools))}
    others = (
        *_groups(pools), _aggregations(traces, right, method), _gate_effect(traces, right, method), _diagnostics(traces),
    )  # fmt: skip
    return TaskSheets(sheets=(curve, *others), metrics=metrics | {sheet.title: sheet.records() for sheet in others})


def _interval(pools: Sequence[Pool]) -> Interval:
    return bootstrap([(one.best, 1.0) for one in pools], mean_of_first)


def _groups(pools: Sequence[Pool]) -> list[Sheet]:
    """Group-level scores where problems name a `group`: all of a group right, and WeMath's strict score where parts are named."""
    groups = groups_by(pools, lambda one: one.trace.problem.group or one.trace.problem_id).values()
    if len(groups) == len(pools):
        return []
    worst = _worst_case([[one.best for one in members] for members in groups])
    rows: list[tuple[SheetCell, ...]] = [("all of a group right (DynaMath's worst case)", len(groups), worst)]
    if whole := [one for one in map(_composite, groups) if one is not None]:
        rows.append(("WeMath, strict: mastery + half of inadequate generalisation", len(whole), _wemath_strict(whole)))
    return [Sheet(title="groups of problems", columns=("score", "groups", "value"), rows=tuple(rows))]


def _composite(members: Sequence[Pool]) -> tuple[float, float] | None:
    """The chance that all one-step parts are right, and that the composite is; None where a group does not have both."""
    chances = {one.trace.problem.part or "": one.best for one in members}
    whole = [chance for part, chance in chances.items() if part.endswith("multi")]
    steps = [chance for part, chance in chances.items() if part and not part.endswith("multi")]
    return (prod(steps), whole[0]) if len(whole) == 1 and steps else None


def _aggregations(traces: Sequence[Trace], right: Sequence[Sequence[bool]], method: Method) -> Sheet:
    """Appendix E: the same rewards under each way of making a score of them."""
    rows = []
    for name in AGGREGATIONS:
        again = [reassess(trace, replace(method, aggregation=name, select="score")) for trace in traces]
        found = pools_of(again, right)
        first, interval = mean(pool.best_of(1) for pool in found), _interval(found)
        rows.append((name, first, interval.value, interval.value - first, interval.low, interval.high))
    columns = ("aggregation", "Pass@1", "BoN@N", "Δ_N", "from", "to")
    return Sheet(title="aggregations", columns=columns, rows=tuple(rows))


def _gate_effect(traces: Sequence[Trace], right: Sequence[Sequence[bool]], method: Method) -> Sheet:
    """What the gate changed: the same traces with it and without it."""
    bare = [reassess(trace, replace(method, gate="off")) for trace in traces]
    gated = [reassess(trace, method) for trace in traces]
    moved = [(old.best, new.best) for old, new in zip(pools_of(bare, right), pools_of(gated, right), strict=True)]
    changed = sum(a.ranking.best != b.ranking.best for a, b in zip(bare, gated, strict=True))
    rows: tuple[tuple[SheetCell, ...], ...] = (
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
    rows: list[tuple[SheetCell, ...]] = []
    for name, of in _SUSPECTS.items():
        others = [of(candidate) for candidate in candidates]
        known = min(len(set(scores)), len(set(others))) > 1  # else one of the two never changes
        rows.append((name, float(spearmanr(scores, others).statistic) if known else None))
    return Sheet(title="the score against …", columns=("", "Spearman's ρ"), rows=tuple(rows))


_SUSPECTS: dict[str, Callable[[CandidateTrace], float]] = {
    "length in characters": lambda one: sum(len(step.text) for step in one.steps),
    "number of steps": lambda one: len(one.steps),
    "share of visual steps": lambda one: sum(step.claim is not None for step in one.steps) / len(one.steps),
}
