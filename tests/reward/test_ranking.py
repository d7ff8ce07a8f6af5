"""Which candidate wins, and what a tie looks like."""

from __future__ import annotations

import pytest

from evpv.reward.ranking import ranking
from evpv.types import Candidate, CandidateTrace


def scored(candidate_id: str, score: float, answer: str | None = None) -> CandidateTrace:
    candidate = Candidate(id=candidate_id, steps=(), final_answer=answer)
    return CandidateTrace(candidate=candidate, reliability=1.0, score=score, steps=())


def test_the_highest_score_wins() -> None:
    ranked = ranking([scored("a", 0.4), scored("b", 0.71), scored("c", 0.6)], "score")
    assert ranked.best == ("b",)
    assert ranked.order == ("b", "c", "a")
    assert ranked.values == {"a": 0.4, "b": 0.71, "c": 0.6}
    assert ranked.select == "score"


def test_a_tie_for_first_lists_all_and_the_order_goes_by_id() -> None:
    ranked = ranking([scored("z", 0.5), scored("m", 0.2), scored("a", 0.5)], "score")
    assert ranked.best == ("a", "z")
    assert ranked.order == ("a", "z", "m")


def test_a_vote_counts_equal_answers_however_they_are_written() -> None:
    """12 and 12.0 cm are one answer: 2 of 4 votes; each other answer has 1 of 4."""
    candidates = [scored("a", 0.9, "15"), scored("b", 0.3, "12"), scored("c", 0.4, "12.0 cm"), scored("d", 0.2, "7")]
    ranked = ranking(candidates, "vote")
    assert ranked.values == {"a": 0.25, "b": 0.5, "c": 0.5, "d": 0.25}
    assert ranked.best == ("c", "b")  # tied; within the tie the higher score comes first
    assert ranked.order == ("c", "b", "a", "d")


def test_a_weighted_vote_lets_scores_count() -> None:
    """Scores 0.9 for 15, 0.3 + 0.3 for 12, total 1.5: 0.6 against 0.4, where the plain vote has 1/3 against 2/3."""
    candidates = [scored("a", 0.9, "15"), scored("b", 0.3, "12"), scored("c", 0.3, "12")]
    weighted = ranking(candidates, "weighted-vote")
    assert weighted.values == pytest.approx({"a": 0.6, "b": 0.4, "c": 0.4})
    assert weighted.best == ("a",)
    assert ranking(candidates, "vote").best == ("b", "c")


def test_equal_votes_tie_in_whatever_order_they_were_cast() -> None:
    """Summed as they come, 0.1 + 0.2 + 0.3 is 0.6000000000000001 and 0.3 + 0.2 + 0.1 is 0.6."""
    sevens = [scored(f"a{i}", score, "7") for i, score in enumerate([0.1, 0.2, 0.3])]
    eights = [scored(f"b{i}", score, "8") for i, score in enumerate([0.3, 0.2, 0.1])]
    assert len(ranking([*sevens, *eights], "weighted-vote").best) == 6


def test_a_candidate_without_an_answer_has_no_votes_not_even_its_own() -> None:
    """One vote in all is cast, for 12."""
    ranked = ranking([scored("a", 1.0), scored("b", 0.1, "12"), scored("c", 1.0, "  ")], "vote")
    assert ranked.values == {"a": 0.0, "b": 1.0, "c": 0.0}
    assert ranked.best == ("b",)


def test_without_any_answer_all_tie_at_nothing() -> None:
    ranked = ranking([scored("b", 0.2), scored("a", 0.1)], "vote")
    assert ranked.values == {"a": 0.0, "b": 0.0}
    assert ranked.best == ("b", "a")


@pytest.mark.parametrize("select", ["score", "vote", "weighted-vote"])
def test_no_candidates_no_winner(select: str) -> None:
    ranked = ranking([], select)
    assert (ranked.best, ranked.order, ranked.values) == ((), (), {})


@pytest.mark.parametrize("select", ["score", "vote", "weighted-vote"])
def test_a_single_candidate_is_best(select: str) -> None:
    assert ranking([scored("only", 0.0, "1")], select).best == ("only",)
