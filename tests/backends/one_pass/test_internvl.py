"""Step reward models of another family (InternVL, of which VisualPRM and MM-PRM are): the same scorer, the same equality."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from step_by_step import Reference
from tiny_internvl import build_internvl
from transformers import AutoModelForImageTextToText, AutoProcessor

from evpv.judges.step_models import StepModelJudge
from evpv.types import Candidate, Problem, Step

STEPS = ("AB = 12 cm.", "So the angle is 65 degrees.", "The answer is 25.")
NEAR = 1e-5


@pytest.fixture(scope="module")
def internvl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_internvl(tmp_path_factory.mktemp("models") / "internvl")


def reference(folder: Path, right: str, wrong: str) -> Reference:
    model = AutoModelForImageTextToText.from_pretrained(folder, dtype=torch.float32).eval()
    return Reference(model=model, processor=AutoProcessor.from_pretrained(folder), right=right, wrong=wrong)


def rewards(judge: StepModelJudge, picture: str) -> list[float | None]:
    candidates = tuple(
        Candidate(id=str(number), steps=tuple(Step(text=text) for text in STEPS[number:])) for number in range(3)
    )
    [answer] = judge.judge([Problem(id="p", question="Find it.", images=(picture,), candidates=candidates)], [()])
    return [step.reward for step in answer[0]]


def test_two_tokens_at_a_marker_in_the_users_turn(internvl: Path, pictures: tuple[str, ...]) -> None:
    judge = StepModelJudge(
        model=str(internvl), form="marker", marker="<prm>", after=" ", right="Yes", wrong="No", dtype="float32",
        opening="Question: {question}\nProcess: {steps}",
    )  # fmt: skip
    truth = reference(internvl, "Yes", "No")
    start = "<|im_start|>user\n<IMG_CONTEXT>\nQuestion: Find it.\nProcess: "
    ends = [start + "<prm> ".join(STEPS[: count + 1]) + "<prm>" for count in range(3)]
    here = [2 * truth.probability(end, pictures[:1]) - 1 for end in ends]
    late = [2 * truth.probability(end + " ", pictures[:1]) - 1 for end in ends]
    found = rewards(judge, pictures[0])
    assert found == pytest.approx(here, abs=NEAR)
    assert found != pytest.approx(late, abs=0.01)


def test_visualprm_turns(internvl: Path, pictures: tuple[str, ...]) -> None:
    judge = StepModelJudge(model=str(internvl), form="turns", system="You verify.", dtype="float32")
    truth = reference(internvl, "+", "-")
    text = "<|im_start|>system\nYou verify.<|im_end|>\n"
    text += f"<|im_start|>user\n### Question:\n<IMG_CONTEXT>\nFind it.\n\n### Solution Process:\n{STEPS[0]}<|im_end|>\n"
    ends = [text + "<|im_start|>assistant\n"]
    for step in STEPS[1:]:
        text += f"<|im_start|>assistant\n+<|im_end|>\n<|im_start|>user\n{step}<|im_end|>\n"
        ends.append(text + "<|im_start|>assistant\n")
    here = [2 * truth.probability(end, pictures[:1]) - 1 for end in ends]
    late = [2 * truth.probability(end + "+", pictures[:1]) - 1 for end in ends]
    found = rewards(judge, pictures[0])
    assert found == pytest.approx(here, abs=NEAR)
    assert found != pytest.approx(late, abs=0.01)
