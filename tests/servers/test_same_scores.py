"""Step scores in process and through vLLM: the same numbers. Run by `make test-servers`."""

from __future__ import annotations

from pathlib import Path

import pytest
from processes import ModelServer

from evpv.backends.images import ImagePolicy
from evpv.backends.local_weights import Weights
from evpv.backends.one_pass import OnePassScorer
from evpv.backends.remote_scorer import RemoteScorer
from evpv.backends.step_forms import PROCESS, StepForm
from evpv.backends.step_scorers import Server, StepQuestion

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
    values = [u for question in here for scores in question for u in scores.probabilities]
    worst = 0.0
    for ours, theirs in zip(here, there, strict=True):
        for one, other in zip(ours, theirs, strict=True):
            assert other.problem is None
            pairs = zip(one.probabilities, other.probabilities, strict=True)
            worst = max([worst, *(abs(first - second) for first, second in pairs)])
    print(f"vllm: {len(values)} steps, P from {min(values):.4f} to {max(values):.4f}, largest difference {worst:.1e}")
    assert max(values) - min(values) > 100 * NEAR
    assert worst < NEAR
