"""A sweep in arrays agrees with assessing one by one."""

from __future__ import annotations

import pytest

from evpv.errors import ConfigError
from evpv.reward.assess import assess, reassess
from evpv.reward.method import preset
from evpv.reward.sweep import sweep_gate
from evpv.types import Candidate, Numeric, Problem, Step

FACTS = [Numeric(entity="segment AB", attribute="length", value=12.0, confidence=0.9)]
SETTINGS = [(1.0, 0.2), (10.0, 0.5), (400.0, 0.9)]


def problem() -> Problem:
    seen = (Step(text="look", claim="Segment AB has length 12."), Step(text="think"))
    misread = (Step(text="look", claim="Segment AB has length 40."), Step(text="think"))
    candidates = (Candidate(id="a", steps=seen), Candidate(id="b", steps=misread), Candidate(id="empty", steps=()))
    return Problem(id="p", question="", candidates=candidates)


@pytest.mark.parametrize(("gate", "step_local"), [("sigmoid", False), ("local", True)])
def test_each_row_is_what_reassessing_gives(gate: str, step_local: bool) -> None:
    trace = assess(problem(), FACTS, [[0.8, None], [0.8, -0.3], []], preset("paper", {"gate": gate}))
    swept = sweep_gate([trace], SETTINGS, step_local=step_local)
    assert swept.candidate_ids == (("p", "a"), ("p", "b"), ("p", "empty"))
    for row, (sharpness, threshold) in enumerate(SETTINGS):
        method = preset("paper", {"gate": gate, "sharpness": sharpness, "threshold": threshold})
        expected = [candidate.score for candidate in reassess(trace, method).candidates]
        assert swept.scores[row].tolist() == pytest.approx(expected, rel=1e-9)


def test_nothing_to_sweep_over_is_said() -> None:
    with pytest.raises(ConfigError, match="no candidates"):
        sweep_gate([], SETTINGS)
