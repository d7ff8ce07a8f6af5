"""Make the mini models from nothing: corpora, reading, the extractor, its preferences, the verifier. Each stage once.

    python scripts/train_mini.py -o FOLDER            # or: make train-mini
    python scripts/train_mini.py -o FOLDER --ship     # and put them into the package, in place of those that are there

A stage whose `training.json` is there is not run again, and one that was stopped goes on from its last checkpoint.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import torch

from evpv.training.recipes import load_training_recipe
from evpv.training.runs import train

PICTURES = Path(__file__).with_name("mini_corpus.py")
CORPORA: dict[str, tuple[str, ...]] = {
    "pages": ("pages", "-n", "12000"),
    "dev": ("figures", "-n", "900", "--split", "dev", "--candidates"),
    "train": ("figures", "-n", "48000", "--candidates"),
}


SHIPPED = {"mini-extractor": "mini-extractor-whole", "mini-verifier": "mini-verifier"}
"""The models of the recipe `mini` → the stages that made them."""
FILES = (
    "config.json", "generation_config.json", "model.safetensors", "processor_config.json", "tokenizer.json",
    "tokenizer_config.json", "chat_template.jinja", "README.md",
)  # fmt: skip


def make_corpora(folder: Path) -> None:
    for name, arguments in CORPORA.items():
        if not (folder / name).exists():
            command = [sys.executable, str(PICTURES), *arguments, "-o", str(folder / f"{name}.part")]
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


def ship(folder: Path) -> None:
    """Copy what loads a model, and its card, into the package."""
    for name, stage in SHIPPED.items():
        place = Path(str(files("evpv.backends") / "shipped" / name))
        place.mkdir(parents=True, exist_ok=True)
        for file in FILES:
            shutil.copyfile(folder / stage / file, place / file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--ship", action="store_true", help="put the models into the package")
    asked = parser.parse_args()
    folder = asked.output
    torch.set_num_threads(1)
    folder.mkdir(parents=True, exist_ok=True)
    make_corpora(folder)
    for name, changes in stages(folder).items():
        if not (folder / name / "training.json").exists():
            print(f"== {name}", flush=True)
            report = train(load_training_recipe(name, changes), folder / name)
            print(f"== {name}: {report['hours']} hours, {report['held_out']}", flush=True)
    if asked.ship:
        ship(folder)


if __name__ == "__main__":
    main()
