"""Where a misreading stands, and that only what follows it is blamed, in TRL's and verl's shapes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from datasets import Dataset, List
from datasets import Image as ImageColumn
from read_by_hand import MISCALCULATED, MISREAD, QUESTION, RIGHT
from transformers import AutoProcessor
from trl import GRPOConfig

from evpv.integrations import verl
from evpv.integrations.credit import first_token, spare_before, step_advantages
from evpv.integrations.rewards import RewardFunction, Terms
from evpv.integrations.trl import TrlReward
from evpv.integrations.trl_credit import CreditTrainer
from evpv.pipeline import Pipeline
from evpv.training.architecture import build

PREFACE = "We add the two lengths.\n"


@pytest.mark.parametrize(
    ("completion", "place"),
    [
        (MISREAD, "The figure shows AB = 15 cm."),
        (PREFACE + MISREAD, "The figure shows AB = 15 cm."),
        (RIGHT, None),
        (MISCALCULATED, None),
    ],
)
def test_the_first_misread_premise_is_found_in_the_completions_own_text(
    completion: str, place: str | None, reward: RewardFunction, figure: Path
) -> None:
    [given] = reward.rewards([reward.problem(QUESTION, str(figure))], [completion])
    if place is None:
        assert given.misread is None
        return
    assert given.misread is not None
    assert completion[given.misread.start : given.misread.end] == place
    assert "12" in given.misread.why


def test_steps_before_a_misreading_are_not_blamed_for_it(reward: RewardFunction, figure: Path) -> None:
    [given] = reward.rewards([reward.problem(QUESTION, str(figure))], [PREFACE + MISREAD])
    blamed = step_advantages(-1.0, len(given.steps), given.misread)
    assert blamed[0] == 0.0
    assert blamed[1:] == [-1.0] * (len(given.steps) - 1)
    assert step_advantages(0.5, 3, given.misread) == [0.5] * 3


@pytest.mark.parametrize("advantages", [np.full((3, 4), -1.0), torch.full((3, 4), -1.0)])
def test_tokens_before_a_misreading_are_spared_whatever_holds_the_numbers(
    advantages: np.ndarray | torch.Tensor,
) -> None:
    advantages[2] = 1.0
    spare_before(advantages, [2, None, 3])
    assert advantages.tolist() == [[0.0, 0.0, -1.0, -1.0], [-1.0] * 4, [1.0] * 4]


def test_the_token_of_a_character_is_found_by_decoding() -> None:
    words = ["We add. ", "The ", "apple ", "costs ", "8."]
    ids = list(range(len(words)))
    for start, token in ((0, 0), (7, 0), (8, 1), (12, 2), (24, 4)):
        assert first_token(ids, lambda some: "".join(words[i] for i in some), start) == token


def test_verl_is_told_the_place_as_numbers(figure: Path) -> None:
    info = {"question": QUESTION, "image": str(figure), "constraints": [
        {"category": "numeric", "entity": "segment AB", "attribute": "length", "value": 12.0, "unit": "cm"}]}  # fmt: skip
    texts = [PREFACE + MISREAD, RIGHT]
    misread, right = verl.compute_scores(["x"] * 2, texts, [None] * 2, [info] * 2, recipe="given")
    assert (misread["misread_step"], misread["misread_start"]) == (1.0, float(len(PREFACE)))
    assert (right["misread_step"], right["misread_start"]) == (-1.0, -1.0)
    assert all(isinstance(value, float | str) for value in misread.values())


@pytest.mark.slow
def test_a_real_grpo_step_takes_advantages_by_token(pipeline: Pipeline, figure: Path, tmp_path: Path) -> None:
    """A tiny Qwen2.5-VL: what it writes is noise, but it learns from (completions, tokens)."""
    model = build(tmp_path / "toy", seed=3)
    rows = {"prompt": [[{"role": "user", "content": QUESTION}]] * 2, "images": [[str(figure)]] * 2}
    trainer = CreditTrainer(
        model=str(model),
        reward_funcs=TrlReward(RewardFunction(pipeline, Terms(needs_answer=False))),
        train_dataset=Dataset.from_dict(rows).cast_column("images", List(ImageColumn())),
        processing_class=AutoProcessor.from_pretrained(model, padding_side="left"),
        args=GRPOConfig(
            output_dir=str(tmp_path / "out"), use_cpu=True, bf16=False, gradient_checkpointing=False, report_to="none",
            per_device_train_batch_size=2, num_generations=2, max_completion_length=16, max_steps=2, logging_steps=1,
            learning_rate=1e-3, save_strategy="no", model_init_kwargs={"dtype": "float32"},
        ),
    )  # fmt: skip
    trainer.train()
    assert [entry["step"] for entry in trainer.state.log_history if "rewards/evpv/mean" in entry] == [1, 2]
