"""Which candidate wins: by score, by vote, or by a vote that scores weigh. Ties are kept, and broken only by a stated rule."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from evpv.language.answers import answer_key
from evpv.reward.aggregation import Aggregation
from evpv.types import CandidateTrace, Ranking, Trace

_Options: TypeAlias = tuple[str, ...]
_Selection: TypeAlias = Callable[[Sequence[CandidateTrace], _Options], Mapping[str, float]]
"""Candidates, and the options of their question → the value that each is ranked by."""


def _by_score(candidates: Sequence[CandidateTrace], options: _Options = ()) -> dict[str, float]:
    """The candidate's own score (the paper)."""
    return {candidate.id: candidate.score for candidate in candidates}


def _by_vote(candidates: Sequence[CandidateTrace], options: _Options = ()) -> dict[str, float]:
    """The share of candidates with the same final answer; one without an answer has no votes, not even its own."""
    return _votes(candidates, options, lambda candidate: 1.0)


def _by_weighted_vote(candidates: Sequence[CandidateTrace], options: _Options = ()) -> dict[str, float]:
    """The share of all scores that went to the same final answer; where nobody gives one, each stands for itself."""
    if all(answer_key(candidate.final_answer, options) is None for candidate in candidates):
        total = math.fsum(candidate.score for candidate in candidates)
        return {candidate.id: candidate.score / total if total > 0 else 0.0 for candidate in candidates}
    return _votes(candidates, options, lambda candidate: candidate.score)


def _votes(
    candidates: Sequence[CandidateTrace], options: _Options, weight: Callable[[CandidateTrace], float]
) -> dict[str, float]:
    keys = {candidate.id: answer_key(candidate.final_answer, options) for candidate in candidates}
    weights: dict[str, list[float]] = {}
    for candidate in candidates:
        if (key := keys[candidate.id]) is not None:
            weights.setdefault(key, []).append(weight(candidate))
    # Exact sums, so that equal votes tie in whatever order they were cast.
    votes = {key: math.fsum(cast) for key, cast in weights.items()}
    total = math.fsum(votes.values())
    return {i: votes[key] / total if key is not None and total > 0 else 0.0 for i, key in keys.items()}


SELECTIONS: dict[str, _Selection] = {"score": _by_score, "vote": _by_vote, "weighted-vote": _by_weighted_vote}


def without_gate(trace: Trace, aggregate: Aggregation, *selects: str) -> list[Ranking]:
    """The candidates by the judge's rewards as they are: a ranking for each way of choosing."""
    scored = [
        replace(one, score=aggregate([s.base_reward for s in one.steps if s.base_reward is not None]))
        for one in trace.candidates
    ]
    return [ranking(scored, select, trace.problem.options) for select in selects]


def ranking(candidates: Sequence[CandidateTrace], select: str, options: _Options = ()) -> Ranking:
    """Candidates in falling order of value. `best` holds all that tie for first; in `order`, ties go by score, then by id."""
    values = SELECTIONS[select](candidates, options)
    by_id = {candidate.id: candidate for candidate in candidates}
    order = tuple(sorted(values, key=lambda i: (-values[i], -by_id[i].score, i)))
    best = tuple(i for i in order if values[i] == values[order[0]])
    answers = [answer_key(by_id[i].final_answer, options) for i in best]
    tied = len(best) > 1 and (None in answers or len(set(answers)) > 1)
    return Ranking(select=select, best=best, order=order, values=values, tied=tied)
