"""Best-of-N against exhaustive enumeration, and intervals against simulation."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evpv.errors import ConfigError
from evpv.evaluation.selection import (
    _best_of_k,
    _Choice,
    _pass_at_k,
    _vote_of_k,
    _wemath_strict,
    _worst_case,
    measure_choices,
)
from evpv.evaluation.uncertainty import bootstrap, mean_of_first, paired_difference
from evpv.reward.assess import assess
from evpv.reward.method import preset
from evpv.types import Candidate, CandidateTrace, Problem, Trace

CHOICES = st.lists(st.tuples(st.booleans(), st.sampled_from([0.1, 0.5, 0.5000001, 0.9])), min_size=1, max_size=7)


def choices(pairs: list[tuple[bool, float]]) -> list[_Choice]:
    return [_Choice(*pair) for pair in pairs]


def enumerated(pairs: list[tuple[bool, float]], k: int) -> Fraction:
    """The chance that the best of k is right, by listing every subset and every way a tie can fall."""
    subsets = list(combinations(pairs, k))
    total = Fraction(0)
    for subset in subsets:
        top = max(value for _, value in subset)
        tied = [right for right, value in subset if value == top]
        total += Fraction(sum(tied), len(tied))
    return total / len(subsets)


@given(CHOICES, st.integers(1, 7))
def test_best_of_k_is_what_enumeration_gives(pairs: list[tuple[bool, float]], k: int) -> None:
    k = min(k, len(pairs))
    assert _best_of_k(choices(pairs), k) == pytest.approx(float(enumerated(pairs, k)))


@given(st.lists(st.booleans(), min_size=1, max_size=8), st.integers(1, 8))
def test_pass_at_k_is_what_enumeration_gives(flags: list[bool], k: int) -> None:
    k = min(k, len(flags))
    subsets = list(combinations(flags, k))
    assert _pass_at_k(len(flags), sum(flags), k) == pytest.approx(sum(map(any, subsets)) / len(subsets))


@given(CHOICES)
def test_no_selection_beats_the_oracle_and_one_candidate_is_pass_at_one(pairs: list[tuple[bool, float]]) -> None:
    right = sum(flag for flag, _ in pairs)
    for k in range(1, len(pairs) + 1):
        assert _best_of_k(choices(pairs), k) <= _pass_at_k(len(pairs), right, k) + 1e-12
    assert _best_of_k(choices(pairs), 1) == pytest.approx(_pass_at_k(len(pairs), right, 1))


def test_a_tie_is_worth_its_share_of_right_candidates() -> None:
    assert _best_of_k(choices([(True, 0.5), (False, 0.5), (False, 0.5)]), 3) == pytest.approx(1 / 3)


@pytest.mark.parametrize("k", [0, 9])
def test_a_k_that_cannot_be_drawn_is_refused(k: int) -> None:
    with pytest.raises(ConfigError, match="between 1 and the number of candidates"):
        _pass_at_k(8, 1, k)


def voter(name: str, answer: str | None, score: float = 0.5) -> CandidateTrace:
    candidate = Candidate(id=name, final_answer=answer, steps=())
    return CandidateTrace(candidate=candidate, reliability=1.0, score=score, steps=())


def test_a_vote_counts_answers_not_candidates() -> None:
    voters = [voter("a", "7"), voter("b", "7.0"), voter("c", "8"), voter("d", None)]
    right = [True, True, False, False]
    assert _vote_of_k(voters, right, 4) == 1.0
    # Pairs: ab, ad, bd elect 7; cd elects 8; ac and bc tie; so (3 + 2 · ½) / 6.
    assert _vote_of_k(voters, right, 2) == pytest.approx(4 / 6)


def test_scores_can_outweigh_numbers() -> None:
    voters = [voter("a", "7", 0.2), voter("b", "7", 0.2), voter("c", "8", 0.9)]
    assert _vote_of_k(voters, [False, False, True], 3, weight=lambda one: one.score) == 1.0
    assert _vote_of_k(voters, [False, False, True], 3) == 0.0


def test_where_nobody_answers_nobody_is_elected() -> None:
    assert _vote_of_k([voter("a", None)], [False], 1) == 0.0


def test_captions_are_measured_without_votes() -> None:
    candidates = tuple(Candidate(id=name, steps=(), correct=name == "a") for name in "ab")
    problem = Problem(id="p", question="Describe the figure.", candidates=candidates)
    measured = measure_choices([assess(problem, (), [[], []], preset("grounded"))], preset("grounded"))
    assert [(row["majority vote"], row["weighted vote"]) for row in measured.metrics["curve"]] == [(None, None)] * 2


def test_dynamath_counts_a_group_only_if_all_its_variants_are_right() -> None:
    assert _worst_case([[1.0, 1.0], [1.0, 0.0]]) == 0.5


def test_wemath_needs_parts() -> None:
    with pytest.raises(ConfigError, match="composite problem"):
        _wemath_strict([])


@settings(deadline=None, max_examples=5)
@given(st.integers(0, 1000))
def test_the_bootstrap_is_repeatable(seed: int) -> None:
    table = np.column_stack([np.random.default_rng(seed).random(30), np.ones(30)])
    assert bootstrap(table, mean_of_first, rounds=50) == bootstrap(table, mean_of_first, rounds=50)


def test_intervals_cover_at_the_stated_rate() -> None:
    """Clusters of correlated steps: resampling problems keeps the 95 %, resampling steps would not."""
    rng, truth, covered, naive, rounds = np.random.default_rng(1), 0.6, 0, 0, 300
    for _ in range(rounds):
        rates = np.clip(rng.normal(truth, 0.25, size=60), 0, 1)
        hits = rng.binomial(10, rates)
        table = np.column_stack([hits, np.full(60, 10.0)])
        found = bootstrap(table, mean_of_first, rounds=300, seed=int(rng.integers(1 << 30)))
        expected = float(np.clip(rng.normal(truth, 0.25, size=20000), 0, 1).mean())
        covered += found.low <= expected <= found.high
        half = 1.96 * np.sqrt(expected * (1 - expected) / 600)
        naive += abs(found.value - expected) <= half
    assert 0.90 <= covered / rounds <= 0.99
    assert naive / rounds < 0.80


def test_a_paired_test_sees_a_real_difference_and_not_a_chance_one() -> None:
    rng = np.random.default_rng(0)
    base = rng.random(200)
    ones = np.ones(200)
    better = paired_difference(
        np.column_stack([base + 0.1, ones]), np.column_stack([base, ones]), mean_of_first, rounds=500
    )
    assert better.value == pytest.approx(0.1)
    assert better.p_value < 0.01
    noise = rng.normal(0, 0.1, 200)
    same = paired_difference(
        np.column_stack([base + noise - noise.mean(), ones]), np.column_stack([base, ones]), mean_of_first, rounds=500
    )
    assert same.p_value > 0.9
    assert same.low < 0 < same.high


def test_runs_over_other_problems_cannot_be_paired() -> None:
    with pytest.raises(ConfigError, match="do not have the same problems"):
        paired_difference(np.ones((3, 2)), np.ones((2, 2)), mean_of_first)


def test_groups_are_scored_where_problems_name_them() -> None:
    def trace(name: str, group: str, part: str, right: bool) -> Trace:
        said = Candidate(id="a", final_answer="1", steps=(), correct=right)
        problem = Problem(id=name, question="", group=group, part=part, candidates=(said,))
        return assess(problem, (), [[]], preset("paper"))

    traces = [
        trace("1", "x", "2steps_1", True),
        trace("2", "x", "2steps_2", True),
        trace("3", "x", "2steps_multi", False),
        trace("4", "y", "2steps_1", True),
        trace("5", "y", "2steps_multi", True),
    ]
    found = measure_choices(traces, preset("paper"))
    rows = {row["score"]: row["value"] for row in found.metrics["groups of problems"]}
    assert list(rows.values()) == [0.5, 0.75]  # one group of two all right; half for x, whole for y
