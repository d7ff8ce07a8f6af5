"""How fast steps are scored when a problem's picture and question are read once.

usage: one_pass.py [--size bench] [--candidates 8] [--steps 8]

One untrained Qwen2.5-VL (38 M parameters by default), one 448 px picture, 8 candidates of 8 steps of about 45 tokens, fp32,
one thread. Four ways give the same numbers, which is checked before anything is printed: a forward per step; a forward per
candidate; the scorer of the package, which shares the prefix; and, as the yardstick, one plain forward over the same number
of tokens, which scores nothing.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from PIL import Image, ImageDraw
from rich.console import Console
from rich.table import Table
from torch import Tensor

from evpv.backends.local_weights import Weights
from evpv.backends.one_pass import OnePassScorer
from evpv.backends.step_forms import MARKER, StepQuestion
from evpv.training.architecture import build

BARS = {"vs_t_pass": 16.0, "vs_one_pass": 2.2, "over_plain_forward": 1.3, "image_encodes": 1}
NEAR = 1e-5
QUESTION = "In the figure AB = 12 cm and angle ABC is 65 degrees. Find the length of CD. " * 2
SHARPNESS = 8.0
"""An untrained model finds all labels nearly equally likely; any error would then look small."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plain:
    """The model by its own forward over whole texts: the slow way, and the truth."""

    model: Any
    processor: Any
    picture: Image.Image
    prefix: str

    def margins(self, steps: Sequence[str]) -> Tensor:
        """P(+) at every marker of one text."""
        text = self.prefix + "".join(f"{step}{MARKER}\n" for step in steps)
        inputs = self.processor(text=[text], images=[[self.picture]], return_tensors="pt")
        number = self.processor.tokenizer.convert_tokens_to_ids
        places = (inputs["input_ids"][0] == number(MARKER)).nonzero()[:, 0]
        logits = self.model(**inputs, use_cache=False, logits_to_keep=places).logits[0]
        return torch.sigmoid(logits[:, number("+")] - logits[:, number("-")])


def drawn(path: Path) -> Image.Image:
    picture = Image.new("RGB", (448, 448), "white")
    draw = ImageDraw.Draw(picture)
    draw.polygon((40, 400, 400, 400, 40, 60), outline="black", width=4)
    draw.text((200, 410), "12 cm", fill="black")
    picture.save(path)
    return picture


def written(tokenizer: Any, count: int, steps: int) -> tuple[tuple[str, ...], ...]:
    """Candidates whose steps have about 45 tokens each, never the same number twice running."""
    draw = random.Random(0)
    words = (
        "the figure labels segment AB as 12 cm so angle ABC is 65 degrees and the answer option B table shows".split()
    )

    def step() -> str:
        wanted, text = draw.randint(35, 53), "So"
        while len(tokenizer.encode(text)) < wanted:
            text += " " + draw.choice(words)
        return text

    return tuple(tuple(step() for _ in range(steps)) for _ in range(count))


def plain_forward(plain: Plain, candidates: Sequence[Sequence[str]]) -> int:
    """Read picture and question, and as many tokens as all candidates have in rows of one length; how many that is."""
    inputs = plain.processor(text=[plain.prefix], images=[[plain.picture]], return_tensors="pt")
    plain.model.model(**inputs, use_cache=False)
    lengths = [len(plain.processor.tokenizer.encode("".join(f"{s}{MARKER}\n" for s in steps))) for steps in candidates]
    row = sum(lengths) // len(lengths)
    plain.model.model(input_ids=torch.ones(len(lengths), row, dtype=torch.long), use_cache=False)
    return int(inputs["input_ids"].shape[1]) + sum(lengths)


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds of this process's own time, which a busy machine does not stretch, and what came out."""
    began = time.process_time()
    result = work()
    return time.process_time() - began, result


def best_of(times: int, work: Callable[[], Any]) -> tuple[float, Any]:
    return min((timed(work) for _ in range(times)), key=lambda run: run[0])


def measured(size: str, count: int, steps: int, folder: Path) -> tuple[dict[str, float], dict[str, float], str]:
    """Seconds by way, the summary's ratios, and what was scored in words."""
    picture = drawn(folder / "figure.png")
    model_folder = build(folder / "model", size=size)
    scorer = OnePassScorer(Weights(model=str(model_folder), dtype="float32"))
    model, layout = scorer._loaded.model, scorer._layout
    with torch.no_grad():
        model.model.language_model.norm.weight.mul_(SHARPNESS)
    plain = Plain(model=model, processor=layout.processor, picture=picture, prefix=layout.prefix(QUESTION, 1))
    candidates = written(layout.processor.tokenizer, count, steps)
    question = StepQuestion(text=QUESTION, images=(str(folder / "figure.png"),), candidates=candidates)
    with torch.inference_mode():
        scorer.score([question])
        before = scorer.image_encodes
        shared_s, shared = best_of(3, lambda: scorer.score([question]))
        encodes = (scorer.image_encodes - before) / 3
        plain_s, tokens = best_of(3, lambda: plain_forward(plain, candidates))
        one_s, one = best_of(2, lambda: [plain.margins(each) for each in candidates])
        each_s, each = timed(
            lambda: [torch.stack([plain.margins(one[: t + 1])[-1] for t in range(steps)]) for one in candidates]
        )
    found = torch.tensor([scores.probabilities for scores in shared[0]])
    for name, other in (("a forward per step", each), ("a forward per candidate", one)):
        if (worst := float((torch.stack(other) - found).abs().max())) > NEAR:
            raise SystemExit(f"the shared prefix differs from {name} by {worst:.1e}: no speed is worth that.")
    seconds = {
        "a forward per step": each_s,
        "a forward per candidate": one_s,
        "shared prefix": shared_s,
        "plain forward, no scores": plain_s,
    }
    ratios = {
        "vs_t_pass": each_s / shared_s,
        "vs_one_pass": one_s / shared_s,
        "over_plain_forward": shared_s / plain_s,
        "image_encodes": encodes,
    }
    worst = float((torch.stack(each) - found).abs().max())
    words = f"{tokens} tokens, P from {found.min():.3f} to {found.max():.3f}, largest difference {worst:.1e}"
    return seconds, ratios, words


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--size", default="bench", help="a size of training.architecture: toy, small, bench")
    options.add_argument("--candidates", type=int, default=8)
    options.add_argument("--steps", type=int, default=8)
    given = options.parse_args()
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        seconds, ratios, words = measured(given.size, given.candidates, given.steps, Path(folder))
    table = Table("way to score", "seconds", "× shared prefix")
    for way, spent in seconds.items():
        table.add_row(way, f"{spent:.2f}", f"{spent / seconds['shared prefix']:.2f}")
    Console().print(f"{given.size}: {given.candidates} candidates of {given.steps} steps, {words}; bars {BARS}")
    Console().print(table)
    print(json.dumps({name: round(value, 3) for name, value in ratios.items()}))


if __name__ == "__main__":
    main()
