"""The verifier as a reward: completions a second, what reading a picture once saves, and its share of a GRPO step.

    python benchmarks/reward_function.py [--figures 8] [--steps 3]

Rewards are first checked to be the same one by one, in a batch, and from four threads; then they are timed, on solutions
as people write them. A GRPO step is TRL's own, with an untrained Qwen2.5-VL of two million parameters on one
thread; `reward_over_step` is what the rewards of its completions would take, were they such solutions, against the step.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"

import torch
from datasets import Dataset, List
from datasets import Image as ImageColumn
from rich.console import Console
from rich.table import Table
from transformers import AutoProcessor
from trl import GRPOConfig, GRPOTrainer

from evpv.figures import write_problems
from evpv.integrations.rewards import RewardFunction, Terms
from evpv.integrations.trl import TrlReward
from evpv.records import read_problems
from evpv.training.architecture import build
from evpv.types import Problem

ROUNDS = 3
THREADS = 4
GROUP = 8


@dataclass(frozen=True, slots=True)
class Job:
    """A completion with its picture and question."""

    image: str
    question: str
    completion: str


def jobs_of(problems: Sequence[Problem]) -> list[Job]:
    return [
        Job(
            problem.images[0],
            problem.question,
            "\n".join(step.text for step in candidate.steps) + f"\nAnswer: {candidate.final_answer}",
        )
        for problem in problems
        for candidate in problem.candidates
    ]


def scored(function: RewardFunction, jobs: Sequence[Job]) -> list[float | None]:
    return function([j.image for j in jobs], [j.question for j in jobs], [j.completion for j in jobs])


def check_equal(function: RewardFunction, jobs: Sequence[Job]) -> None:
    """Batch, one by one and threads give the same rewards, or there is nothing to time."""
    together = scored(function, jobs)
    alone = [scored(function, [job])[0] for job in jobs]
    with ThreadPoolExecutor(THREADS) as threads:
        threaded = list(threads.map(lambda job: scored(function, [job])[0], jobs))
    if not together == alone == threaded:
        raise SystemExit("rewards differ between a batch, single calls and threads")


def seconds_of(function: RewardFunction, jobs: Sequence[Job]) -> float:
    started = time.perf_counter()
    scored(function, jobs)
    return time.perf_counter() - started


def grpo(folder: Path, problems: Sequence[Problem], steps: int) -> tuple[list[float], list[float]]:
    """Seconds of each step, and the rewards that the trainer's log has."""
    model = build(folder / "model", size="small", seed=3)
    prompts = [[{"role": "user", "content": problem.question}] for problem in problems]
    rows = {"prompt": prompts, "images": [list(problem.images[:1]) for problem in problems]}
    reward = TrlReward.from_recipe("embedded", terms=Terms(needs_answer=False))  # an untrained model has no answers
    trainer = GRPOTrainer(
        model=str(model),
        reward_funcs=reward,
        train_dataset=Dataset.from_dict(rows).cast_column("images", List(ImageColumn())),
        processing_class=AutoProcessor.from_pretrained(model, padding_side="left"),
        args=GRPOConfig(
            output_dir=str(folder / "out"), use_cpu=True, bf16=False, gradient_checkpointing=False, report_to="none",
            per_device_train_batch_size=GROUP, num_generations=GROUP, max_completion_length=96, max_steps=steps,
            logging_steps=1, save_strategy="no", model_init_kwargs={"dtype": "float32"}, disable_tqdm=True,
        ),
    )  # fmt: skip
    trainer.train()
    reward.reward.close()
    logged = [entry for entry in trainer.state.log_history if "rewards/evpv/mean" in entry]
    return [entry["step_time"] for entry in logged], [entry["rewards/evpv/mean"] for entry in logged]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--figures", type=int, default=8)
    parser.add_argument("--steps", type=int, default=4)
    wanted = parser.parse_args()
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")  # nothing that an earlier run has read
        write_problems(folder / "problems", (), wanted.figures, 11, split="test")
        problems = list(read_problems(folder / "problems" / "problems.jsonl"))
        jobs = jobs_of(problems)
        function = RewardFunction.from_recipe("embedded", {"extractor.cache": '""'})
        first = seconds_of(function, jobs)
        check_equal(function, jobs)
        known = min(seconds_of(function, jobs) for _ in range(ROUNDS))
        function.close()
        step_seconds, rewards = grpo(folder, problems, wanted.steps)
    show(len(problems), len(jobs), first, known)
    usual = statistics.median(step_seconds)
    share = GROUP * known / len(jobs) / usual
    logged = ", ".join(f"{one:.3f}" for one in rewards)
    Console().print(
        f"a GRPO step of {GROUP} completions: {usual:.2f} s, of it rewards {100 * share:.1f} %; rewards/evpv/mean: {logged}"
    )
    print(
        json.dumps(
            {
                "completions": len(jobs),
                "known_per_s": round(len(jobs) / known, 1),
                "first_over_known": round(first / known, 1),
                "step_s": round(usual, 3),
                "reward_over_step": round(share, 4),
                "equal": True,
            }
        )
    )


def show(figures: int, completions: int, first: float, known: float) -> None:
    table = Table(title=f"{figures} figures, {completions} completions, one thread", title_justify="left")
    for column in ("", "seconds", "completions a second", "ms each"):
        table.add_column(column, justify="left" if not column else "right")
    for name, seconds in (("pictures read for the first time", first), ("pictures known", known)):
        row = (name, f"{seconds:.2f}", f"{completions / seconds:.1f}", f"{1000 * seconds / completions:.1f}")
        table.add_row(*row)
    Console().print(table)


if __name__ == "__main__":
    main()
