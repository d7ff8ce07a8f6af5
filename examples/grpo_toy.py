"""What a policy learns from the verifier: TRL's GRPO trainer, a toy Qwen2.5-VL, and a reward that it can try to cheat.

    python examples/grpo_toy.py --by least --outcome 0.5

The toy is first taught to write solutions of which half misread the figure. Then GRPO pays it by the verifier, on the
terms given. Printed are, for every five updates: the mean reward, the share of contradicted claims, the share of right
answers, which the verifier is told only with --outcome, and one completion. Read all four: a reward that rises while
right answers fall is being cheated. About two minutes on one idle core.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

os.environ["HF_HUB_OFFLINE"] = "1"

import torch
from datasets import Dataset, Image, List
from rich.console import Console
from rich.table import Table
from transformers import AutoProcessor
from trl import GRPOConfig, GRPOTrainer, SFTConfig, SFTTrainer

from evpv.integrations.rewards import Terms
from evpv.integrations.trl import TrlReward, words_of
from evpv.language.final_answers import final_answer
from evpv.training.architecture import SIZES, build
from evpv.training.runs import toy_corpus

Row = Mapping[str, Any]
CPU = {
    "use_cpu": True, "bf16": False, "gradient_checkpointing": False, "report_to": "none", "save_strategy": "no",
    "model_init_kwargs": {"dtype": "float32"}, "disable_tqdm": True,
}  # fmt: skip


def solution(name: str, value: int) -> str:
    return f"The figure shows {name} = {value}.\nSo {name} is {value}.\nAnswer: {value}"


def fact(row: Row) -> tuple[str, int]:
    """A segment's name and length, as drawn."""
    [constraint] = row["constraints"]
    return constraint["entity"].split()[-1], int(constraint["value"])


def data_of(folder: Path, rows: Sequence[Row], **columns: Any) -> Dataset:
    pictures = [[str(folder / row["image"])] for row in rows]
    prompts = [[{"role": "user", "content": row["question"]}] for row in rows]
    made = Dataset.from_dict({"images": pictures, "prompt": prompts, **columns})
    return made.cast_column("images", List(Image()))


def taught(folder: Path, rows: Sequence[Row], steps: int) -> Path:
    """A toy model that knows the form of a solution and reads every second figure wrongly."""
    texts = [row["question"] for row in rows] + [solution("AB", 7)] * 30
    start = build(folder / "toy", size=replace(SIZES["toy"], spread=0.06), seed=3, corpus=texts * 3)
    rng = Random(1)
    lessons = []
    for row in rows:
        name, value = fact(row)
        for turn in range(8):
            said = value if turn % 2 == 0 else rng.choice([other for other in range(2, 10) if other != value])
            lessons.append((row, solution(name, said)))
    rng.shuffle(lessons)
    said_by = [[{"role": "assistant", "content": text}] for _, text in lessons]
    trainer = SFTTrainer(
        model=str(start),
        processing_class=AutoProcessor.from_pretrained(start),
        train_dataset=data_of(folder / "corpus", [row for row, _ in lessons], completion=said_by),
        args=SFTConfig(
            output_dir=str(folder / "sft"), max_length=None, per_device_train_batch_size=8, max_steps=steps,
            learning_rate=5e-3, lr_scheduler_type="cosine", logging_steps=20, **CPU,
        ),
    )  # fmt: skip
    trainer.train()
    trainer.save_model(str(folder / "policy"))
    return folder / "policy"


class Watched:
    """A reward function that also notes what only the teacher knows: how many answers are right."""

    def __init__(self, reward: TrlReward) -> None:
        self.reward = reward
        self.__name__ = reward.__name__
        self.right: list[float] = []
        self.shown: list[str] = []

    def __call__(self, **given: Any) -> list[float | None]:
        texts = [words_of(turns) for turns in given["completions"]]
        right = [final_answer(text) == answer for text, answer in zip(texts, given["answer"], strict=True)]
        self.right.append(sum(right) / len(right))
        self.shown.append(texts[0])
        return self.reward(**given)


def rewarded(folder: Path, rows: Sequence[Row], terms: Terms, steps: int) -> None:
    """GRPO from the taught policy; a table of what it came to."""
    watched = Watched(TrlReward.from_recipe("embedded", terms=terms))
    told = {
        "constraints": [json.dumps(row["constraints"]) for row in rows],
        "answer": [str(fact(row)[1]) for row in rows],
    }
    trainer = GRPOTrainer(
        model=str(folder / "policy"),
        reward_funcs=watched,
        train_dataset=data_of(folder / "corpus", rows, **told),
        processing_class=AutoProcessor.from_pretrained(folder / "policy", padding_side="left"),
        args=GRPOConfig(
            output_dir=str(folder / "out"), per_device_train_batch_size=32, num_generations=8, max_completion_length=48,
            max_steps=steps, logging_steps=5, learning_rate=1e-3, beta=0.0, **CPU,
        ),
    )  # fmt: skip
    trainer.train()
    show(trainer.state.log_history, watched, terms)
    watched.reward.reward.close()


def show(log: Sequence[Row], watched: Watched, terms: Terms) -> None:
    table = Table(title=f"GRPO, {terms}", title_justify="left")
    for column in ("update", "reward", "contradicted", "right answers", "a completion"):
        table.add_column(column, justify="left" if column == "a completion" else "right")
    for entry in (entry for entry in log if "rewards/evpv/mean" in entry):
        step = int(entry["step"])
        right = watched.right[step - 5 : step]
        table.add_row(
            str(step), f"{entry['rewards/evpv/mean']:.2f}", f"{entry.get('evpv/contradicted', 0.0):.2f}",
            f"{sum(right) / len(right):.2f}", repr(watched.shown[step - 1])[1:-1][:60],
        )  # fmt: skip
    Console(width=130).print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--by", choices=["least", "score"], default="least")
    parser.add_argument("--outcome", type=float, default=0.5)
    parser.add_argument("--updates", type=int, default=40)
    parser.add_argument("--lessons", type=int, default=120)
    wanted = parser.parse_args()
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        corpus = toy_corpus(folder / "corpus", 8)
        rows = [json.loads(line) for line in corpus.read_text(encoding="utf-8").splitlines()]
        taught(folder, rows, wanted.lessons)
        rewarded(folder, rows, Terms(by=wanted.by, outcome=wanted.outcome), wanted.updates)


if __name__ == "__main__":
    main()
