"""Step scores in process and through vLLM: the same numbers. Run by `make test-servers`."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from processes import ModelServer

from evpv.backends.images import ImagePolicy
from evpv.backends.local_weights import Weights
from evpv.backends.one_pass import OnePassScorer
from evpv.backends.remote_scorer import RemoteScorer
from evpv.backends.step_forms import PROCESS, Server, StepForm, StepQuestion, StepScores

NEAR = 1e-4
FORMS = {
    "own": StepForm(),
    "turns": StepForm(turns="many", marker="", opening=PROCESS),
    "in the user's turn": StepForm(marker="<|quad_end|>", after=" ", opening="{question} Process: {steps}"),
    "other labels": StepForm(right="Yes", wrong="No", system="You verify."),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_steps_score_as_in_process(
    served_model: Path, vllm_server: ModelServer, pictures: tuple[str, str], form: StepForm
) -> None:
    candidates = (
        ("AB = 12 cm.", "So the angle is 65°.", "The answer is 25."),
        ("The table shows 40 for Monday.",),
        ("Two lines\nin one step", "−3 + 4 = 1", "", "B"),
    )
    asked = [
        StepQuestion(text="Find AB.", images=(pictures[0],), candidates=candidates),
        StepQuestion(text="Look at both.", images=pictures, candidates=candidates[1:]),
        StepQuestion(text="No picture.", candidates=candidates[:1]),
    ]
    local = OnePassScorer(Weights(model=str(served_model), dtype="float32"), form=form)
    address = Server(base_url=vllm_server.base_url, timeout_s=300)
    remote = RemoteScorer(vllm_server.model, address, form=form, images=ImagePolicy())
    there = remote.score(asked)
    remote.close()
    here = local.score(asked)
    assert all(scores.problem is None for question in there for scores in question)
    ours, theirs = flat(here), flat(there)
    assert len(ours) == len(theirs)
    worst = max(abs(one - other) for one, other in zip(ours, theirs, strict=True))
    odds = [(log_odds(one), log_odds(other)) for one, other in zip(ours, theirs, strict=True)]
    worst_odds = max(abs(one - other) for one, other in odds)
    print(
        f"vllm: {len(ours)} steps, P from {min(ours):.4f} to {max(ours):.4f}, Δ {worst:.1e}, log-odds Δ {worst_odds:.1e}"
    )
    assert max(odds)[0] - min(odds)[0] > 0.5
    assert worst < NEAR
    assert worst_odds < 10 * NEAR


def flat(answers: list[list[StepScores]]) -> list[float]:
    return [probability for question in answers for scores in question for probability in scores.probabilities]


def log_odds(probability: float) -> float:
    """Where a label is very unlikely, two wrong probabilities are close too; their odds are not."""
    return math.log(probability / (1 - probability))
