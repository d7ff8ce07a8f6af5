"""Best-of-N without luck: expectations over which k candidates were drawn and over how ties fall, worked out exactly."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import comb

from evpv.errors import ConfigError
from evpv.evaluation.outcomes import Choice, ProblemChoices
from evpv.language.answers import answer_key
from evpv.types import CandidateTrace

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
