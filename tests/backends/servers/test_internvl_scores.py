"""Step scores of an InternVL, of which VisualPRM and MM-PRM are, in process and through vLLM: the same numbers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import ModelServer, running, vllm_command

from evpv.backends.images import ImagePolicy
from evpv.backends.local_weights import Weights
from evpv.backends.one_pass import OnePassScorer
from evpv.backends.remote_scorer import RemoteScorer
from evpv.backends.step_forms import PROCESS, Server, StepForm, StepQuestion

sys.path.insert(0, str(Path(__file__).parents[1] / "one_pass"))

from tiny_internvl import build_internvl

FORMS = {
    "VisualPRM's turns": StepForm(turns="many", marker="", opening=PROCESS, system="You verify."),
    "MM-PRM's marker": StepForm(
        marker="<prm>", after=" ", right="Yes", wrong="No", opening="Question: {question}\nProcess: {steps}"
    ),
}


@pytest.fixture(scope="module")
def internvl(servers_environment: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_internvl(tmp_path_factory.mktemp("models") / "internvl", hidden=128)


@pytest.fixture(scope="module")
def internvl_server(
    internvl: Path, servers_environment: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ModelServer]:
    command, listening, settings = vllm_command(servers_environment, internvl, tmp_path_factory.mktemp("vllm") / "log")
    with running(command, listening, within_s=1200, environment=settings) as server:
        yield server


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_an_internvl_scores_as_in_process(
    internvl: Path, internvl_server: ModelServer, pictures: tuple[str, str], form: StepForm
) -> None:
    steps = ("AB = 12 cm.", "So the angle is 65 degrees.", "The answer is 25.")
    asked = [StepQuestion(text="Find AB.", images=(pictures[0],), candidates=(steps, steps[1:]))]
    remote = RemoteScorer(
        internvl_server.model,
        Server(base_url=internvl_server.base_url, timeout_s=300),
        form=form,
        images=ImagePolicy(),
    )
    [there] = remote.score(asked)
    remote.close()
    assert all(scores.problem is None for scores in there), there
    [here] = OnePassScorer(Weights(model=str(internvl), dtype="float32"), form=form).score(asked)
    pairs = [
        pair
        for one, other in zip(here, there, strict=True)
        for pair in zip(one.probabilities, other.probabilities, strict=True)
    ]
    assert len(pairs) == 5
    worst = max(abs(one - other) for one, other in pairs)
    print(f"vllm, InternVL: {len(pairs)} steps, P from {min(pairs)[0]:.4f} to {max(pairs)[0]:.4f}, Δ {worst:.1e}")
    assert worst < 1e-4
