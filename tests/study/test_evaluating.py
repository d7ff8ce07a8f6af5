"""Every kind of cell in the tables, worked out by hand: enumeration over subsets and ties, counts, three Overalls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations, product
from statistics import mean

import numpy as np
import pytest

from evpv.evaluation.uncertainty import bootstrap, mean_of_first
from evpv.experiments.measuring import (
    choice_overalls,
    choice_values,
    difference,
    evaluation,
    step_overalls,
    steps_f1,
)
from evpv.experiments.results import published_tables
from evpv.reward.assess import assess
from evpv.reward.method import preset
from evpv.types import Candidate, Problem, SamplingReport, Step, Trace

METHOD = replace(preset("paper"), gate="off")


def trace(number: int, rows: Sequence[tuple[str, float, int]], source: str = "MMMU", wanted: int = 0) -> Trace:
    """A problem whose candidates have one step each: answer, base reward, label. The right answer is "1"."""
    candidates = tuple(
        Candidate(id=f"{n}", steps=(Step(text=f"it is {answer}", label=label),), final_answer=answer)
        for n, (answer, _, label) in enumerate(rows)
    )
    report = SamplingReport(policy="p", wanted=wanted) if wanted else None
    problem = Problem(
        id=f"p{number}", question="?", answer="1", candidates=candidates, data_source=source, sampling=report
    )
    return assess(problem, (), [[reward] for _, reward, _ in rows], METHOD)


TRACES = [
    trace(0, [("1", 0.9, 1), ("2", 0.9, -1), ("1", 0.1, 1), ("3", -0.5, -1)]),
    trace(1, [("2", 0.8, -1), ("1", 0.2, 1), ("1", 0.2, -1), ("2", 0.1, -1)], source="DynaMath"),
    trace(2, [("2", 0.8, -1), ("3", 0.3, -1), ("2", 0.7, 1), ("5", -0.9, 1)], source="DynaMath"),
]
K = 4


def by_hand(one: Trace, k: int, chosen: Callable[[Sequence[int]], list[list[int]]]) -> float:
    """The mean over all subsets of k, and over the equally good winners of each, of being right."""
    answers = [candidate.final_answer for candidate in one.candidates]
    shares = []
    for subset in combinations(range(len(answers)), k):
        winners = chosen(subset)
        shares.append(mean(mean(answers[n] == "1" for n in group) for group in winners) if winners else 0.0)
    return mean(shares)


def best(one: Trace) -> Callable[[Sequence[int]], list[list[int]]]:
    scores = [candidate.score for candidate in one.candidates]
    return lambda subset: [[n] for n in subset if scores[n] == max(scores[m] for m in subset)]


def voted(one: Trace, weighted: bool) -> Callable[[Sequence[int]], list[list[int]]]:
    answers = [candidate.final_answer for candidate in one.candidates]
    weights = [candidate.score if weighted else 1.0 for candidate in one.candidates]

    def winners(subset: Sequence[int]) -> list[list[int]]:
        groups = {answer: [n for n in subset if answers[n] == answer] for answer in {answers[n] for n in subset}}
        most = max(sum(weights[n] for n in group) for group in groups.values())
        return [group for group in groups.values() if sum(weights[n] for n in group) >= most * (1 - 1e-12)]

    return winners


@pytest.mark.parametrize("k", [1, 2, 3, 4])
@pytest.mark.parametrize("kind", ["pass", "best", "vote", "weighted"])
def test_every_choice_is_what_enumeration_gives(kind: str, k: int) -> None:
    measured = choice_values(evaluation(TRACES, K), kind, k)
    for one, value in zip(TRACES, measured, strict=True):
        if kind == "pass":
            answers = [candidate.final_answer for candidate in one.candidates]
            expected = mean("1" in {answers[n] for n in subset} for subset in combinations(range(4), k))
        elif kind == "best":
            expected = by_hand(one, k, best(one))
        else:
            expected = by_hand(one, k, voted(one, kind == "weighted"))
        assert value == pytest.approx(expected)


def test_a_candidate_that_never_came_is_a_wrong_one_without_a_vote() -> None:
    came = evaluation([trace(0, [("1", 0.9, 1), ("2", 0.5, 1)], wanted=4), trace(1, [("2", 0.1, 1)], wanted=4)], K)
    assert choice_values(came, "pass", 1) == pytest.approx([1 / 4, 0.0])
    assert choice_values(came, "best", 4) == pytest.approx([1.0, 0.0])
    assert choice_values(came, "best", 1) == pytest.approx([1 / 4, 0.0])
    assert choice_values(came, "vote", 4) == pytest.approx([1 / 2, 0.0])


def captions(*flags: bool) -> list[Trace]:
    """Problems whose candidates are said to be right or wrong, and give no answer."""
    return [
        assess(
            Problem(
                id=f"c{number}",
                question="Describe the figure.",
                candidates=(
                    Candidate(id="a", steps=(Step(text="a boat"),), correct=flag),
                    Candidate(id="b", steps=(Step(text="a house"),), correct=not flag),
                ),
            ),
            (),
            [[0.9], [0.1]],
            METHOD,
        )
        for number, flag in enumerate(flags)
    ]


def test_candidates_that_give_no_answer_are_chosen_from_but_not_voted_on() -> None:
    one = evaluation(captions(True, True, False), K)
    assert choice_values(one, "best", 2) == [1.0, 1.0, 0.0]
    for kind in ("vote", "weighted"):
        assert choice_values(one, kind, 2) == []


def test_a_policy_that_was_asked_and_never_answers_loses_its_votes() -> None:
    asked = [replace(one.problem, answer="1", sampling=SamplingReport(policy="p", wanted=2)) for one in captions(True)]
    one = evaluation([assess(problem, (), [[0.9], [0.1]], METHOD) for problem in asked], K)
    assert choice_values(one, "vote", 2) == [0.0]


def test_claims_without_an_answer_are_not_wrong_because_their_problem_has_one() -> None:
    problem = Problem(id="p", question="?", answer="1", candidates=(Candidate(id="a", steps=(Step(text="a boat"),)),))
    assert evaluation([assess(problem, (), [[0.9]], METHOD)], K)["choices"] is None


def test_an_aggregation_of_one_step_ranks_as_the_score_does_or_ties() -> None:
    one = evaluation(TRACES, K)
    assert choice_values(one, "aggregations", "geometric-mean") == choice_values(one, "best", 4)
    assert choice_values(one, "aggregations", "correctness-rate")[0] == pytest.approx(2 / 3)


def f1(right: int, false: int, missed: int) -> float:
    return 2 * right / (2 * right + false + missed) if right else 0.0


def macro(traces: Sequence[Trace]) -> float:
    pairs = [
        (s.step.label, s.reward > 0) for t in traces for c in t.candidates for s in c.steps if s.reward is not None
    ]
    tp, tn = pairs.count((1, True)), pairs.count((-1, False))
    fn, fp = pairs.count((1, False)), pairs.count((-1, True))
    return 50 * (f1(tp, fp, fn) + f1(tn, fn, fp))


def test_macro_f1_pooled_by_source_and_weighted_is_counted_by_hand() -> None:
    one = evaluation(TRACES, K)
    columns = {"MMMU": TRACES[:1], "DynaMath": TRACES[1:]}
    pooled = steps_f1(one)
    assert pooled is not None
    assert pooled.value == pytest.approx(macro(TRACES))
    for name, traces in columns.items():
        part = steps_f1(one, name)
        assert part is not None
        assert part.value == pytest.approx(macro(traces))
    assert step_overalls(one) == pytest.approx(
        {
            "pooled": macro(TRACES), "mean of sources": mean(map(macro, columns.values())),
            "step-weighted": (4 * macro(columns["MMMU"]) + 8 * macro(columns["DynaMath"])) / 12,
        }
    )  # fmt: skip


def test_an_interval_holds_the_middle_of_all_ways_to_draw_the_problems() -> None:
    one = evaluation(TRACES, K)
    values = choice_values(one, "best", 4)
    drawn = [100 * mean(rows) for rows in product(values, repeat=len(values))]
    low, high = np.quantile(drawn, [0.025, 0.975], method="inverted_cdf")
    interval = bootstrap([(100 * value, 1.0) for value in choice_values(one, "best", 4)], mean_of_first, rounds=500)
    assert (interval.value, interval.low, interval.high) == pytest.approx((100 * mean(values), low, high))


def test_intervals_do_not_hang_on_the_order_in_which_problems_were_done() -> None:
    one, other = evaluation(TRACES, K), evaluation(TRACES[::-1], K)
    assert one == other
    assert (steps_f1(one), choice_values(one, "best", 2)) == (steps_f1(other), choice_values(other, "best", 2))


def test_the_papers_base_rows_are_the_mean_without_mmmu() -> None:
    rows = [
        row
        for row in published_tables()["best_of_8"]["rows"]
        if row["policy"].startswith("InternVL") and "reranker" not in row
    ]
    names = published_tables()["best_of_8"]["columns"][:-1]
    found = [choice_overalls({n: [v / 100] for n, v in zip(names, row["values"][:-1], strict=True)}) for row in rows]
    assert [round(one["mean without MMMU"] or 0, 2) for one in found] == [32.84, 37.23, 45.44]


def test_a_run_is_not_ahead_of_itself_and_one_that_is_right_is() -> None:
    one = evaluation(TRACES, K)
    same = difference(one, one, K)
    assert (same["macro-F1"].value, same[f"BoN@{K}"].p_value) == (0.0, 1.0)
    right = evaluation([trace(n, [("1", 0.9, 1)] * 4, source="MMMU") for n in range(3)], K)
    assert difference(right, one, K)[f"BoN@{K}"].value == pytest.approx(1 - mean(choice_values(one, "best", K)))
