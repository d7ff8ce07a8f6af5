"""Which candidate wins: its score from its steps' rewards (the five strategies of Appendix E, and ours), then by score, vote or weighted vote.

Aggregations take rewards in [−1, 1] and give a score in [0, 1] (those with the geometric mean up to 1 + ε). No rewards at all say
nothing, so the score is that of one neutral step. Ties are kept, and broken only by a stated rule.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from evpv.language.answers import answer_key
from evpv.premises.reliability import EPSILON
from evpv.types import CandidateTrace, Ranking, Trace

Aggregation: TypeAlias = Callable[[Sequence[float]], float]

_NEUTRAL = (0.0,)


def geometric_mean(rewards: Sequence[float], epsilon: float = EPSILON) -> float:
    """Score(S) of Eq. 12: exp of the mean of log R̃_t with R̃_t = ε + (R_t + 1)/2 (Eq. 11).

    >>> round(geometric_mean([1.0, 0.0]), 6)
    0.707108
    """
    logs = [math.log(epsilon + (reward + 1.0) / 2.0) for reward in rewards or _NEUTRAL]
    return math.exp(math.fsum(logs) / len(logs))


def _weakest_link(rewards: Sequence[float]) -> float:
    """The geometric mean times what the worst step is worth: a refuted answer is not made good by ten steps that nobody could check.

    >>> round(_weakest_link([0.6, -0.8, 0.6]), 3), round(_weakest_link([0.6] * 20), 3)
    (0.04, 0.64)
    """
    return (min(rewards or _NEUTRAL) + 1.0) / 2.0 * geometric_mean(rewards)


def _correctness_rate(rewards: Sequence[float]) -> float:
    """The share of steps with a positive reward.

    >>> _correctness_rate([0.2, -0.1, 0.9, 0.0])
    0.5
    """
    rewards = rewards or _NEUTRAL
    return sum(reward > 0 for reward in rewards) / len(rewards)


def streak(rewards: Sequence[float]) -> float:
    """Each right step adds the length of the run it ends, each wrong one takes 1; scaled so that all wrong is 0, all right 1.

    Right means a positive reward, as in the correctness rate.

    >>> streak([1, 1, -1])      # 1 + 2 − 1 = 2, between −3 and 6
    0.5555555555555556
    """
    rewards = rewards or _NEUTRAL
    total = run = 0
    for reward in rewards:
        run = run + 1 if reward > 0 else 0
        total += run if reward > 0 else -1
    count = len(rewards)
    highest = count * (count + 1) // 2
    return (total + count) / (highest + count)


def _weighted_correctness(rewards: Sequence[float]) -> float:
    """Later steps weigh more: Σ t·R_t scaled between the least and the most it can be.

    >>> _weighted_correctness([1.0, -1.0])      # (1 − 2 + 3) / 6
    0.3333333333333333
    """
    rewards = rewards or _NEUTRAL
    most = len(rewards) * (len(rewards) + 1) / 2
    return (math.fsum(t * reward for t, reward in enumerate(rewards, start=1)) + most) / (2 * most)


def _first_error_position(rewards: Sequence[float], *, first: int = 0) -> float:
    """How far the candidate gets before its first negative reward; 1 if it has none. `first` is the number of the first step.

    The paper's i*/T counts steps from 1, so that an error in the last of T steps scores T/T, like no error at all. Under
    `paper` it is counted so (`paper_first_error`); `grounded` counts from 0.

    >>> _first_error_position([0.5, 0.5, -0.1, 0.5]), _first_error_position([0.5, -1.0]), _first_error_position([0.1])
    (0.5, 0.5, 1.0)
    """
    rewards = rewards or _NEUTRAL
    return next((place / len(rewards) for place, reward in enumerate(rewards, first) if reward < 0), 1.0)


def paper_first_error(rewards: Sequence[float]) -> float:
    """Score(S) = i*/T of Appendix E to the letter, its steps counted from 1.

    >>> paper_first_error([0.5, 0.5, -0.1, 0.5]), paper_first_error([0.5, -1.0])
    (0.75, 1.0)
    """
    return _first_error_position(rewards, first=1)


AGGREGATIONS: dict[str, Aggregation] = {
    "geometric-mean": geometric_mean,
    "correctness-rate": _correctness_rate,
    "streak": streak,
    "weighted-correctness": _weighted_correctness,
    "first-error": _first_error_position,
    "weakest-link": _weakest_link,
}


_Options: TypeAlias = tuple[str, ...]
_Selection: TypeAlias = Callable[[Sequence[CandidateTrace], _Options], Mapping[str, float]]
"""Candidates, and the options of their question → the value that each is ranked by."""


def _by_score(candidates: Sequence[CandidateTrace], options: _Options = ()) -> dict[str, float]:
    """The candidate's own score (the paper)."""
    return {candidate.id: candidate.score for candidate in candidates}


def _by_vote(candidates: Sequence[CandidateTrace], options: _Options = ()) -> dict[str, float]:
    """The share of candidates with the same final answer; one without an answer has no votes, not even its own."""
    return _votes(_answers(candidates, options), dict.fromkeys((one.id for one in candidates), 1.0))


def _by_weighted_vote(candidates: Sequence[CandidateTrace], options: _Options = ()) -> dict[str, float]:
    """The share of all scores that went to the same final answer; where nobody gives one, each stands for itself."""
    answers = _answers(candidates, options)
    if all(one is None for one in answers.values()):
        answers = {candidate.id: candidate.id for candidate in candidates}
    return _votes(answers, _by_score(candidates))


def _answers(candidates: Sequence[CandidateTrace], options: _Options) -> dict[str, str | None]:
    """The form of each candidate's final answer that equal ones share."""
    return {candidate.id: answer_key(candidate.final_answer, options) for candidate in candidates}


def _votes(answers: Mapping[str, str | None], weights: Mapping[str, float]) -> dict[str, float]:
    cast: dict[str, list[float]] = {}
    for candidate, answer in answers.items():
        if answer is not None:
            cast.setdefault(answer, []).append(weights[candidate])
    # Exact sums, so that equal votes tie in whatever order they were cast.
    votes = {answer: math.fsum(every) for answer, every in cast.items()}
    total = math.fsum(votes.values())
    return {i: votes[one] / total if one is not None and total > 0 else 0.0 for i, one in answers.items()}


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
