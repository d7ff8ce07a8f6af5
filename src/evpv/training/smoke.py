"""The whole chain at toy size, in a minute or two: does everything fit together on this machine?"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from PIL import Image, ImageDraw

from evpv.training.recipes import training_recipe
from evpv.training.runs import train

_LEARNING = {"steps": 6, "batch": 4, "learning_rate": 1e-3, "warmup": 1, "precision": "fp32", "save_every": 100}


def smoke(folder: Path) -> dict[str, dict[str, Any]]:
    """Train extractor, preferences and verifier for a few steps on drawings of our own; the reports come back by name."""
    corpus = str(toy_corpus(folder / "corpus", 24))
    data = {"train": corpus, "held_out": corpus, "held_out_limit": 4, "held_out_tokens": 32}
    plans: dict[str, dict[str, Any]] = {
        "extractor": {
            "kind": "extractor",
            "model": {"start": "new:toy"},
            "reading": {"steps": 3, "batch": 4, "weight": 0.3, "check_every": 3},
        },
        "preferences": {
            "kind": "preferences",
            "model": {"start": str(folder / "extractor")},
            "preferences": {"sft_weight": 1.0},
        },
        "verifier": {
            "kind": "verifier",
            "model": {"start": str(folder / "extractor"), "freeze_vision": True},
            "verifier": {"constraints": True, "language_weight": 0.3},
        },
    }
    return {
        name: train(training_recipe(f"smoke-{name}", {**plan, "data": data, "learning": _LEARNING}), folder / name)
        for name, plan in plans.items()
    }


def toy_corpus(folder: Path, count: int, seed: int = 0, scale: int = 1) -> Path:
    """Pictures of a labelled segment, each with its fact, its letters and two labelled solutions; the file's path.

    `scale` makes the pictures that many times larger, as released processors expect them.
    """
    (folder / "images").mkdir(parents=True, exist_ok=True)
    rng = Random(seed)
    with (folder / "corpus.jsonl").open("w", encoding="utf-8") as lines:
        for index in range(count):
            lines.write(json.dumps(_toy(folder, index, rng, scale)) + "\n")
    return folder / "corpus.jsonl"


def _toy(folder: Path, index: int, rng: Random, scale: int) -> dict[str, Any]:
    value, name = rng.randint(2, 9), "".join(sorted(rng.sample("ABCDEF", 2)))
    image = Image.new("RGB", (84, 56), "white")
    draw = ImageDraw.Draw(image)
    draw.line((12, 34, 72, 34), fill="black", width=2)
    letters = [(name[0], 0, 12.0, 44.0), (name[1], 0, 72.0, 44.0), (str(value), 1, 42.0, 22.0)]
    for character, _, x, y in letters:
        draw.text((x - 3, y - 6), character, fill="black")
    image.resize((84 * scale, 56 * scale)).save(folder / "images" / f"{index}.png")
    wrong = value + 1
    return {
        "id": f"toy-{index}",
        "family": "toy",
        "image": f"images/{index}.png",
        "question": f"How long is {name}?",
        "constraints": [
            {"category": "numeric", "entity": f"segment {name}", "attribute": "length", "value": float(value),
             "unit": None, "confidence": 1.0}
        ],
        "letters": letters,
        "candidates": [
            {"id": "right", "steps": [{"text": f"{name} = {value}.", "label": 1}, {"text": f"It is {value}.", "label": 1}]},
            {"id": "wrong", "steps": [{"text": f"{name} = {wrong}.", "label": -1}, {"text": f"It is {wrong}.", "label": -1}]},
        ],
    }  # fmt: skip
