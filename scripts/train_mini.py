"""Make the mini models from nothing: corpora, reading, the extractor, its preferences, the verifier. Each stage once.

    python scripts/train_mini.py -o FOLDER            # or: make train-mini
    python scripts/train_mini.py -o FOLDER --ship     # and put them into the package, in place of those that are there
    python scripts/train_mini.py -o FOLDER --share .01   # every stage with a hundredth of its pictures and updates

A stage whose `training.json` is there is not run again, and one that was stopped goes on from its last checkpoint.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import torch

from evpv.training.recipes import TrainingRecipe, load_training_recipe
from evpv.training.runs import train

PICTURES = Path(__file__).with_name("mini_corpus.py")
CORPORA: dict[str, tuple[int, tuple[str, ...]]] = {
    "pages": (12_000, ("pages",)),
    "dev": (900, ("figures", "--split", "dev", "--candidates")),
    "train": (48_000, ("figures", "--candidates")),
}
"""How many pictures a corpus has, and what `mini_corpus.py` is told besides."""
SHIPPED = {"mini-extractor": "mini-extractor-whole", "mini-verifier": "mini-verifier"}
"""The models of the recipe `mini` → the stages that made them."""
CURVES = ("characters", "roles", "values", "facts", "exact", "auroc", "ece", "macro_f1")
FILES = (
    "config.json", "generation_config.json", "model.safetensors", "processor_config.json", "tokenizer.json",
    "tokenizer_config.json", "chat_template.jinja", "README.md",
)  # fmt: skip


def make_corpora(folder: Path, share: float) -> None:
    for name, (pictures, arguments) in CORPORA.items():
        if not (folder / name).exists():
            count = str(max(30, round(pictures * share)))
            command = [sys.executable, str(PICTURES), *arguments, "-n", count, "-o", str(folder / f"{name}.part")]
            subprocess.run(command, check=True)
            (folder / f"{name}.part").rename(folder / name)


def stages(folder: Path) -> dict[str, dict[str, Any]]:
    """Each stage's recipe, and where it finds its corpus and the stage before it."""
    corpus = {
        "data.train": str(folder / "train" / "corpus.jsonl"),
        "data.held_out": str(folder / "dev" / "corpus.jsonl"),
    }
    return {
        "mini-extractor": {**corpus, "data.reading": (str(folder / "pages" / "corpus.jsonl"),)},
        "mini-extractor-whole": {**corpus, "model.start": str(folder / "mini-extractor")},
        "mini-preferences": {**corpus, "model.start": str(folder / "mini-extractor-whole")},
        "mini-verifier-text": {**corpus, "model.start": str(folder / "mini-extractor" / "start")},
        "mini-verifier": {
            **corpus,
            "model.start": str(folder / "mini-verifier-text"),
            "model.vision_from": str(folder / "mini-extractor-whole"),
        },
    }


def scaled_recipe(recipe: TrainingRecipe, share: float) -> TrainingRecipe:
    """The recipe with a share of its updates, and of its warm-up where that is counted in updates."""
    learning, reading = recipe.learning, recipe.reading
    warmup = learning.warmup * share if learning.warmup > 1 else learning.warmup
    learning = replace(learning, steps=max(4, round(learning.steps * share)), warmup=warmup)
    if reading.settings:
        steps = max(4, round(reading.settings.steps * share))
        reading = replace(reading, settings=replace(reading.settings, steps=steps, check_every=steps))
    return replace(recipe, learning=learning, reading=reading)


def ship(folder: Path) -> None:
    """Copy what loads a model, and its card, into the package."""
    for name, stage in SHIPPED.items():
        place = Path(str(files("evpv.backends") / "shipped" / name))
        place.mkdir(parents=True, exist_ok=True)
        for file in FILES:
            shutil.copyfile(folder / stage / file, place / file)


def draw_curves(folder: Path) -> None:
    """The held-out log of each stage, into `curves.png`."""
    drawn = [name for name in stages(folder) if name != "mini-preferences"]
    figure, panels = plt.subplots(1, len(drawn), figsize=(22, 3.7), layout="constrained")
    for panel, name in zip(panels, drawn, strict=True):
        report = json.loads((folder / name / "training.json").read_text())
        for log in (report.get("reading_log", []), report["log"]):
            for measure in CURVES:
                if log and measure in log[0]:
                    panel.plot([row["step"] for row in log], [row[measure] for row in log], marker=".", label=measure)
        panel.set(title=name, xlabel="step", ylim=(0, 1))
        panel.grid(alpha=0.3)
        panel.legend(fontsize="small")
    figure.savefig(folder / "curves.png", dpi=100)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--share", type=float, default=1.0, help="of all pictures and updates; what ships has all")
    parser.add_argument("--ship", action="store_true", help="put the models into the package")
    asked = parser.parse_args()
    folder = asked.output
    torch.set_num_threads(1)
    folder.mkdir(parents=True, exist_ok=True)
    make_corpora(folder, asked.share)
    for name, changes in stages(folder).items():
        if not (folder / name / "training.json").exists():
            print(f"== {name}", flush=True)
            recipe = load_training_recipe(name, changes)
            report = train(recipe if asked.share == 1 else scaled_recipe(recipe, asked.share), folder / name)
            print(f"== {name}: {report['hours']} hours, {report['held_out']}", flush=True)
    draw_curves(folder)
    if asked.ship:
        ship(folder)


if __name__ == "__main__":
    main()
