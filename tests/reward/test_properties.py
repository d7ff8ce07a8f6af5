"""What must hold of the method for every input, not only for the ones we thought of."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evpv.premises.reliability import reliability
from evpv.records import trace_from_json, trace_to_json
from evpv.reward.assess import assess, reassess
from evpv.reward.method import Method, factor_gate, preset, sigmoid_gate
from evpv.reward.ranking import AGGREGATIONS, SELECTIONS
from evpv.types import Candidate, Constraint, Numeric, Problem, Relation, Step, Structure, Trace

few = settings(deadline=None, max_examples=60)
many = settings(deadline=None, max_examples=200)

unit = st.floats(min_value=0.0, max_value=1.0)
reward = st.floats(min_value=-1.0, max_value=1.0)
finite = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([0.0, -0.0, 1.0, 10.0, 50.0, 1e308, -1e308, 5e-324, 1.7976931348623157e308]),
)
names = st.one_of(
    st.sampled_from(
        ["segment AB", "segment BC", "angle ABC", "Ann 2009", "Bob", "cone height", "cylinder", "", " ", "$"]
    ),
    st.text(max_size=12),
)
claims = st.one_of(
    st.sampled_from(
        [
            "Segment AB has a length of 10.",
            "AB = 10, BC = 1e308",
            "AB is longer than BC.",
            "AB is twice as long as BC.",
            "AB is perpendicular to BC.",
            "Angle ABC is 50 degrees.",
            "Ann has the highest score.",
            "Bob had 5 more than Ann 2009.",
            "The total of Ann and Bob is 15.",
            "On average there are 12.",
            "The values rise every year.",
            "A cone is placed on top of a cylinder.",
            "The table lists Ann and Bob.",
            "It looks quite nice.",
            "",
        ]
    ),
    st.text(max_size=40),
)


def constraint() -> st.SearchStrategy[Constraint]:
    return st.one_of(
        st.builds(
            Numeric,
            entity=names,
            attribute=st.sampled_from(["length", "angle", "value", "", "kink position"]),
            value=finite,
            unit=st.one_of(st.none(), st.sampled_from(["cm", "deg", "%", "", "million dollars", "x"])),
            confidence=unit,
            reading=st.sampled_from(["printed", "estimated"]),
        ),
        st.builds(
            Relation,
            type=st.sampled_from(["equal", "perpendicular", "parallel", "greater", "continuous_at", "?"]),
            entities=st.lists(names, min_size=1, max_size=3).map(tuple),
            confidence=unit,
        ),
        st.builds(
            Structure,
            type=st.sampled_from(["composite", "table", "graph", "sequence", "?"]),
            parts=st.lists(names, max_size=3).map(tuple),
            attachment=st.lists(names, max_size=2).map(tuple),
            confidence=unit,
        ),
    )


steps = st.builds(Step, text=claims, claim=st.one_of(st.none(), claims))


@st.composite
def evidence(draw: st.DrawFn) -> tuple[Problem, tuple[Constraint, ...], list[list[float | None]]]:
    """A problem with up to four candidates, constraints, and a base reward, or none, for every step."""
    ids = draw(st.lists(st.text(min_size=1, max_size=3), max_size=4, unique=True))
    candidates = tuple(
        Candidate(
            id=i,
            steps=tuple(draw(st.lists(steps, max_size=4))),
            final_answer=draw(st.one_of(st.none(), st.sampled_from(["1", "1.0", "B", "two"]), st.text(max_size=5))),
        )
        for i in ids
    )
    rewards = [[draw(st.one_of(reward, st.none())) for _ in candidate.steps] for candidate in candidates]
    constraints = tuple(draw(st.lists(constraint(), max_size=5)))
    return Problem(id="p", question=draw(claims), candidates=candidates), constraints, rewards


methods = st.builds(
    Method,
    matching=st.sampled_from(["paper", "grounded"]),
    gate=st.sampled_from(["sigmoid", "local", "factor", "off"]),
    sharpness=st.sampled_from([0.0, 5.0, 10.0, 1e6]),
    threshold=st.floats(min_value=0.0, max_value=1.0),
    aggregation=st.sampled_from(sorted(AGGREGATIONS)),
    select=st.sampled_from(sorted(SELECTIONS)),
)


@many
@given(base=reward, trusted=unit, sharpness=st.floats(min_value=0, max_value=100), threshold=unit)
def test_the_sigmoid_gate_never_changes_a_sign(base: float, trusted: float, sharpness: float, threshold: float) -> None:
    """Up to the smallest numbers that a float holds: there the product of two positives may round to 0, not below."""
    gated = sigmoid_gate(sharpness, threshold)(base, trusted)
    assert 0.0 < gated.gate <= 1.0
    assert gated.reward * base >= 0.0
    assert abs(gated.reward) <= abs(base)
    if abs(base) > 1e-200:
        assert (gated.reward > 0) == (base > 0)


@many
@given(base=reward, one=unit, other=unit)
def test_the_gates_are_monotone_in_reliability(base: float, one: float, other: float) -> None:
    low, high = sorted((one, other))
    for gate in (sigmoid_gate(), factor_gate()):
        assert gate(base, low).gate <= gate(base, high).gate
    assert abs(sigmoid_gate()(base, low).reward) <= abs(sigmoid_gate()(base, high).reward)
    assert factor_gate()(base, low).reward <= factor_gate()(base, high).reward + 1e-15


@many
@given(base=reward)
def test_full_reliability_leaves_rewards_nearly_unchanged(base: float) -> None:
    """σ(5) = 0.9933: at r = 1 the paper's gate takes 0.67 % of a reward, ours nothing."""
    assert sigmoid_gate()(base, 1.0).reward == pytest.approx(base, rel=0.0067)
    assert factor_gate()(base, 1.0).reward == pytest.approx(base, abs=1e-15)


@many
@given(supports=st.lists(unit, max_size=8))
def test_adding_an_unsupported_claim_never_raises_reliability(supports: list[float]) -> None:
    assert reliability([*supports, 0.0]) <= reliability(supports) * (1 + 1e-12)


@many
@given(supports=st.lists(unit, max_size=8))
def test_reliability_stays_between_0_and_1(supports: list[float]) -> None:
    assert 0.0 < reliability(supports) <= 1.0


@many
@given(supports=st.lists(unit, min_size=1, max_size=8), data=st.data())
def test_better_support_never_lowers_reliability(supports: list[float], data: st.DataObject) -> None:
    which = data.draw(st.integers(min_value=0, max_value=len(supports) - 1))
    better = data.draw(st.floats(min_value=supports[which], max_value=1.0))
    raised = [*supports[:which], better, *supports[which + 1 :]]
    assert reliability(raised) >= reliability(supports) * (1 - 1e-12)


@few
@given(case=evidence(), claim=st.sampled_from(["Segment XY has a length of 77.", "XY is parallel to ZW."]))
def test_a_claim_that_nothing_supports_never_raises_a_candidates_reliability_under_paper(
    case: tuple[Problem, tuple[Constraint, ...], list[list[float | None]]], claim: str
) -> None:
    problem, constraints, rewards = case
    method = preset("paper")
    if method.matcher(constraints)(claim).support > 0:
        return
    more = tuple(
        Candidate(id=c.id, steps=(*c.steps, Step(text="And so.", claim=claim)), final_answer=c.final_answer)
        for c in problem.candidates
    )
    before = assess(problem, constraints, rewards, method)
    after = assess(
        Problem(id="p", question=problem.question, candidates=more), constraints, [[*r, 0.5] for r in rewards], method
    )
    for old, new in zip(before.candidates, after.candidates, strict=True):
        if old.reliability is not None and new.reliability is not None:
            assert new.reliability <= old.reliability * (1 + 1e-12)


@many
@given(rewards=st.lists(reward, max_size=12))
@pytest.mark.parametrize("name", AGGREGATIONS)
def test_scores_stay_in_range(name: str, rewards: list[float]) -> None:
    assert 0.0 <= AGGREGATIONS[name](rewards) <= 1.0 + 2e-6


@many
@given(rewards=st.lists(reward, min_size=1, max_size=8), data=st.data())
@pytest.mark.parametrize("name", AGGREGATIONS)
def test_a_better_step_never_lowers_a_score(name: str, rewards: list[float], data: st.DataObject) -> None:
    which = data.draw(st.integers(min_value=0, max_value=len(rewards) - 1))
    better = data.draw(st.floats(min_value=rewards[which], max_value=1.0))
    raised = [*rewards[:which], better, *rewards[which + 1 :]]
    assert AGGREGATIONS[name](raised) >= AGGREGATIONS[name](rewards) * (1 - 1e-12)


def numbers(trace: Trace) -> Iterator[float]:
    """Every number that a trace holds beside its evidence."""
    for candidate in trace.candidates:
        yield from (x for x in (candidate.reliability, candidate.score) if x is not None)
        for step in candidate.steps:
            yield from (x for x in (step.gate, step.reward, step.reliability) if x is not None)
            if step.match is not None:
                yield step.match.support
    yield from trace.ranking.values.values()


@settings(deadline=None, max_examples=150)
@given(case=evidence(), method=methods)
def test_no_input_makes_a_nan_or_leaves_the_ranges(
    case: tuple[Problem, tuple[Constraint, ...], list[list[float | None]]], method: Method
) -> None:
    trace = assess(*case, method)
    assert all(math.isfinite(number) for number in numbers(trace))
    for candidate in trace.candidates:
        assert candidate.reliability is None or 0.0 <= candidate.reliability <= 1.0
        assert 0.0 <= candidate.score <= 1.0 + 2e-6
        for step in candidate.steps:
            assert step.reward is None or -1.0 <= step.reward <= 1.0
            assert step.gate is None or 0.0 <= step.gate <= 1.0
            assert step.match is None or 0.0 <= step.match.support <= 1.0
            assert step.match is None or step.match.explanation


def stored(trace: Trace) -> str:
    """A trace as the bytes of its line would be: floats to the last bit."""
    return json.dumps(trace_to_json(trace), ensure_ascii=False)


@settings(deadline=None, max_examples=100)
@given(case=evidence(), method=methods)
def test_assessing_a_stored_trace_again_gives_it_back_bit_for_bit(
    case: tuple[Problem, tuple[Constraint, ...], list[list[float | None]]], method: Method
) -> None:
    trace = assess(*case, method)
    again = reassess(trace, method)
    assert again == trace
    from_file = trace_from_json(json.loads(stored(trace)))
    assert stored(reassess(from_file, method)) == stored(trace)


@few
@given(case=evidence(), first=methods, second=methods)
def test_which_method_was_used_before_leaves_no_mark(
    case: tuple[Problem, tuple[Constraint, ...], list[list[float | None]]], first: Method, second: Method
) -> None:
    assert reassess(assess(*case, first), second) == assess(*case, second)


@few
@given(case=evidence(), method=methods, data=st.data())
def test_permuting_candidates_permutes_the_ranking(
    case: tuple[Problem, tuple[Constraint, ...], list[list[float | None]]], method: Method, data: st.DataObject
) -> None:
    """Values by id, the winners and the order are the same to the last bit."""
    problem, constraints, rewards = case
    order = data.draw(st.permutations(range(len(problem.candidates))))
    shuffled = Problem(id="p", question=problem.question, candidates=tuple(problem.candidates[i] for i in order))
    one = assess(problem, constraints, rewards, method).ranking
    other = assess(shuffled, constraints, [rewards[i] for i in order], method).ranking
    assert (other.order, other.best, dict(other.values)) == (one.order, one.best, dict(one.values))
