"""A candidate's score from its steps' rewards: the five strategies of Appendix E.

All take rewards in [−1, 1] and give a score in [0, 1] (the geometric mean up to 1 + ε). No rewards at all say nothing,
so the score is that of one neutral step.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

from evpv.premises.reliability import EPSILON

Aggregation: TypeAlias = Callable[[Sequence[float]], float]

_NEUTRAL = (0.0,)


def geometric_mean(rewards: Sequence[float], epsilon: float = EPSILON) -> float:
    """Score(S) of Eq. 12: exp of the mean of log R̃_t with R̃_t = ε + (R_t + 1)/2 (Eq. 11).

    >>> round(geometric_mean([1.0, 0.0]), 6)
    0.707108
    """
    logs = [math.log(epsilon + (reward + 1.0) / 2.0) for reward in rewards or _NEUTRAL]
    return math.exp(math.fsum(logs) / len(logs))


def correctness_rate(rewards: Sequence[float]) -> float:
    """The share of steps with a positive reward.

    >>> correctness_rate([0.2, -0.1, 0.9, 0.0])
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


def weighted_correctness(rewards: Sequence[float]) -> float:
    """Later steps weigh more: Σ t·R_t scaled between the least and the most it can be.

    >>> weighted_correctness([1.0, -1.0])      # (1 − 2 + 3) / 6
    0.3333333333333333
    """
    rewards = rewards or _NEUTRAL
    most = len(rewards) * (len(rewards) + 1) / 2
    return (math.fsum(t * reward for t, reward in enumerate(rewards, start=1)) + most) / (2 * most)


def first_error_position(rewards: Sequence[float], *, first: int = 0) -> float:
    """How far the candidate gets before its first negative reward; 1 if it has none. `first` is the number of the first step.

    The paper's i*/T counts steps from 1, so that an error in the last of T steps scores T/T, like no error at all. Under
    `paper` it is counted so (`paper_first_error`); `grounded` counts from 0.

    >>> first_error_position([0.5, 0.5, -0.1, 0.5]), first_error_position([0.5, -1.0]), first_error_position([0.1])
    (0.5, 0.5, 1.0)
    """
    rewards = rewards or _NEUTRAL
    return next((place / len(rewards) for place, reward in enumerate(rewards, first) if reward < 0), 1.0)


def paper_first_error(rewards: Sequence[float]) -> float:
    """Score(S) = i*/T of Appendix E to the letter, its steps counted from 1.

    >>> paper_first_error([0.5, 0.5, -0.1, 0.5]), paper_first_error([0.5, -1.0])
    (0.75, 1.0)
    """
    return first_error_position(rewards, first=1)


AGGREGATIONS: dict[str, Aggregation] = {
    "geometric-mean": geometric_mean,
    "correctness-rate": correctness_rate,
    "streak": streak,
    "weighted-correctness": weighted_correctness,
    "first-error": first_error_position,
}
