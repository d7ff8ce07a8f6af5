"""Best-of-N: stopping early never changes the choice when it is called proven."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from written_ahead import pipeline, problem

from evpv.backends.scripted import ScriptedBackend
from evpv.errors import ConfigError
from evpv.language.answers import answer_key
from evpv.policy.chat import ChatPolicy
from evpv.protocols import ChatRequest
from evpv.reward.ranking import AGGREGATIONS
from evpv.search import BestOfN
from evpv.search.strategies import _highest_score
from evpv.types import CandidateTrace, Trace

Said = tuple[str, tuple[float, ...]]
"""A solution: its answer, and what its steps earn."""
REWARDS = st.sampled_from([-1.0, -0.4, 0.0, 0.3, 0.9, 1.0])
SOLUTIONS = st.lists(
    st.tuples(st.sampled_from(["7", "8", "x"]), st.lists(REWARDS, min_size=1, max_size=3).map(tuple)),
    min_size=1,
    max_size=12,
)


class WholePolicy:
    """Answers with the solution that has the variant's number; a solution of no steps is no answer at all."""

    def __init__(self, solutions: Sequence[Said]) -> None:
        self.solutions = solutions

    def __call__(self, request: ChatRequest) -> str:
        number = re.search(r"variant number (\d+) of", request.prompt)
        assert number is not None
        answer, rewards = self.solutions[int(number[1]) - 1]
        steps = [{"steptext": f"earns {reward!r}", "visualdependency": None} for reward in rewards]
        return json.dumps({"reasoningprocess": steps, "finalanswer": answer})


def searched(solutions: Sequence[Said], select: str = "score", **wanted: Any) -> Trace:
    policy = ChatPolicy(backend=ScriptedBackend(WholePolicy(solutions)), attempts=1)
    wanted = {"samples": len(solutions), **wanted}
    return BestOfN(policy=policy, pipeline=pipeline(select), **wanted).search(problem())


def first(trace: Trace) -> CandidateTrace:
    return next(one for one in trace.candidates if one.id == trace.ranking.order[0])


@settings(max_examples=60)
@given(SOLUTIONS, st.integers(1, 5), st.sampled_from(["score", "vote", "weighted-vote"]))
def test_a_proven_stop_never_changes_the_choice(solutions: list[Said], together: int, select: str) -> None:
    early = searched(solutions, select, together=together)
    whole = searched(solutions, select, together=len(solutions))
    assert whole.search["ended"] == "all"
    if select == "score":
        assert int(first(early).id) == int(first(whole).id)
    assert answer_key(first(early).final_answer) == answer_key(first(whole).final_answer)


@pytest.mark.parametrize(
    ("select", "solutions", "asked"),
    [
        ("score", [("7", (1.0, 1.0)), *[("8", (0.5,))] * 9], 2),
        ("score", [("7", (0.999,)), *[("8", (0.5,))] * 9], 10),
        ("vote", [("7", (0.0,))] * 10, 6),
        ("vote", [*[("7", (0.0,))] * 5, *[("8", (1.0,))] * 5], 10),
        ("weighted-vote", [("7", (1.0,))] * 10, 6),
        ("weighted-vote", [("7", (-0.8,))] * 10, 10),
    ],
)
def test_it_stops_as_soon_as_the_choice_is_sure_and_not_before(select: str, solutions: list[Said], asked: int) -> None:
    story = searched(solutions, select, together=2).search
    assert (story["asked"], story["calls"]) == (asked, asked)
    assert story["ended"] == ("proven" if asked < 10 else "all")


def test_good_enough_ends_it_and_is_called_so() -> None:
    solutions = [("8", (0.2,)), ("7", (0.9,)), ("9", (0.95,)), ("9", (0.95,))]
    trace = searched(solutions, together=1, enough=0.9)
    assert (first(trace).final_answer, trace.search["ended"]) == ("7", "enough")
    assert len(trace.candidates) == 2


def test_without_early_stops_it_is_sample_and_rank() -> None:
    solutions: list[Said] = [(str(n), (n / 12, 0.1)) for n in range(12)]
    policy = ChatPolicy(backend=ScriptedBackend(WholePolicy(solutions)))
    [sampled] = policy.sample([problem()], 12)
    [ranked] = pipeline().traces([sampled.problem])
    trace = searched(solutions, together=5)
    assert [int(one.id) for one in trace.candidates] == [int(one.id) for one in ranked.candidates]
    assert [(one.steps, one.score) for one in trace.candidates] == [(one.steps, one.score) for one in ranked.candidates]
    assert [int(name) for name in trace.ranking.order] == [int(name) for name in ranked.ranking.order]


def test_no_more_is_asked_than_allowed() -> None:
    backend = ScriptedBackend(WholePolicy([("7", (0.5,))] * 9))
    search = BestOfN(policy=ChatPolicy(backend=backend), pipeline=pipeline(), samples=9, together=2, max_calls=5)
    trace = search.search(problem())
    assert len(backend.requests) == 5
    assert (trace.search["ended"], len(trace.candidates)) == ("calls", 5)


def test_answers_that_are_no_solutions_leave_a_trace_without_candidates() -> None:
    search = BestOfN(policy=ChatPolicy(backend=ScriptedBackend(lambda _: "no")), pipeline=pipeline(), samples=3)
    trace = search.search(problem())
    assert trace.candidates == ()
    assert trace.search["rejected"] == 9


@pytest.mark.parametrize("name", AGGREGATIONS)
def test_no_solution_scores_above_the_highest_score(name: str) -> None:
    aggregate = AGGREGATIONS[name]
    most = _highest_score(aggregate)
    assert most == pytest.approx(1.0, abs=1e-5)
    assert all(aggregate(rewards) <= most for rewards in ([1.0], [1.0] * 7, [1.0, 0.5], [0.9] * 64, []))


@pytest.mark.parametrize("setting", ["samples", "together", "max_calls"])
def test_settings_below_one_are_refused(setting: str) -> None:
    with pytest.raises(ConfigError, match=setting):
        searched([("7", (0.5,))], **{setting: 0})
