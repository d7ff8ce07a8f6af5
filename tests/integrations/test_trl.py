"""TRL's contract for reward functions, and a real run of its GRPO trainer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from datasets import Dataset, List
from datasets import Image as ImageColumn
from PIL import Image
from read_by_hand import MISREAD, QUESTION, RIGHT, CountingExtractor
from transformers import AutoProcessor
from trl import GRPOConfig, GRPOTrainer

from evpv.integrations.rewards import RewardFunction, Terms
from evpv.integrations.trl import TrlReward, pictures, words_of
from evpv.pipeline import Pipeline
from evpv.training.architecture import build

torch.set_num_threads(1)


def said(text: str) -> list[dict[str, Any]]:
    return [{"role": "assistant", "content": text}]


def asked(image: Any = None) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = [{"type": "image", "image": image}] if image is not None else []
    system = {"role": "system", "content": "Reason in steps."}
    return [system, {"role": "user", "content": [*parts, {"type": "text", "text": QUESTION}]}]


@pytest.mark.parametrize("column", ["images", "image", "inside the prompt"])
def test_pictures_are_found_where_data_sets_have_them(
    column: str, reward: RewardFunction, extractor: CountingExtractor, figure: Path
) -> None:
    with Image.open(figure) as opened:
        picture = opened.copy()
    columns: dict[str, Any] = {"images": {"images": [[picture]] * 2}, "image": {"image": [picture] * 2}}.get(column, {})
    prompt = asked(picture if not columns else None)
    right, misread = TrlReward(reward)([prompt] * 2, [said(RIGHT), said(MISREAD)], **columns)
    assert (right or 0) > 0.7 > 0.3 > (misread or 0)
    assert len(extractor.looked_at) == 1


def test_plain_text_prompts_and_unknown_columns_are_taken(reward: RewardFunction, figure: Path) -> None:
    scores = TrlReward(reward)(
        [QUESTION], [RIGHT], completion_ids=[[1, 2]], trainer_state=object(), image=[str(figure)], level=["hard"]
    )
    assert (scores[0] or 0) > 0.7


def test_a_question_column_goes_before_the_prompt(reward: RewardFunction, figure: Path) -> None:
    columns = {"image": [str(figure)], "question": ["How long is AB?"], "options": [["12", "17"]], "answer": [12]}
    function = TrlReward(reward)
    problem = function.problem(asked(), 0, columns)
    assert (problem.question, problem.options, problem.answer) == ("How long is AB?", ("12", "17"), "12")
    assert function.problem(asked(), 0, {}).question == QUESTION


def test_metrics_and_columns_are_logged(reward: RewardFunction, figure: Path) -> None:
    metrics: dict[str, float] = {}
    table: dict[str, list[Any]] = {}
    TrlReward(reward)(
        [asked()] * 3,
        [said(RIGHT), said(MISREAD), said("")],
        log_extra=table.__setitem__,
        log_metric=metrics.__setitem__,
        image=[str(figure), str(figure), "not-there.png"],
    )
    assert metrics["evpv/unknown"] == pytest.approx(1 / 3)
    assert metrics["evpv/steps"] == 4
    assert 0 < metrics["evpv/contradicted"] < 0.5
    assert 0 < metrics["evpv/reliability"] < 1
    assert metrics["evpv/answered"] == 1
    assert [len(json.loads(cell)) for cell in table["evpv steps"]] == [4, 4, 0]
    assert table["evpv first bad step"][0] == ""
    assert table["evpv first bad step"][1].startswith("1: misread")
    assert table["evpv first bad step"][2] == "no such file"


@pytest.mark.parametrize(
    ("turns", "text"),
    [
        ("plain", "plain"),
        (said("one"), "one"),
        ([*said("call"), {"role": "tool", "content": "7"}, *said("so 7")], "call\n\nso 7"),
        ([{"role": "assistant", "content": None}], ""),
        ([{"role": "assistant", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}], "a\nb"),
    ],
)
def test_what_was_said_is_read_from_any_form_of_completion(turns: Any, text: str) -> None:
    assert words_of(turns) == text


def test_only_the_last_user_turn_is_the_question() -> None:
    turns = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Yes?"}, *asked()[1:]]
    assert words_of(turns, "user", last=True) == QUESTION
    assert pictures("text") == pictures(turns) == []


def test_a_real_grpo_run_earns_the_reward_and_logs_it(
    pipeline: Pipeline, extractor: CountingExtractor, figure: Path, tmp_path: Path
) -> None:
    """A tiny Qwen2.5-VL, three steps on one core: what it writes is noise, and what noise earns is in the log."""
    model = build(tmp_path / "toy", seed=3)
    rows = {"prompt": [[{"role": "user", "content": QUESTION}]] * 4, "images": [[str(figure)]] * 4}
    trainer = GRPOTrainer(
        model=str(model),
        reward_funcs=TrlReward(RewardFunction(pipeline, Terms(needs_answer=False))),
        train_dataset=Dataset.from_dict(rows).cast_column("images", List(ImageColumn())),
        processing_class=AutoProcessor.from_pretrained(model, padding_side="left"),
        args=GRPOConfig(
            output_dir=str(tmp_path / "out"), use_cpu=True, bf16=False, gradient_checkpointing=False, report_to="none",
            per_device_train_batch_size=4, num_generations=4, max_completion_length=24, max_steps=3, logging_steps=1,
            learning_rate=1e-3, save_strategy="no", model_init_kwargs={"dtype": "float32"},
        ),
    )  # fmt: skip
    trainer.train()
    logged = [entry for entry in trainer.state.log_history if "rewards/evpv/mean" in entry]
    assert [entry["step"] for entry in logged] == [1, 2, 3]
    assert all(entry["reward"] == entry["rewards/evpv/mean"] and 0 < entry["reward"] < 1 for entry in logged)
    assert all(entry["evpv/unknown"] == 0 and entry["evpv/steps"] >= 1 for entry in logged)
    assert any(entry["reward_std"] > 0 and entry["grad_norm"] > 0 for entry in logged)
    assert len(extractor.looked_at) == 1
