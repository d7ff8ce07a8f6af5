"""A toy model that is sure enough of itself to compare, and pictures."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from PIL import Image
from transformers import AutoModelForImageTextToText, AutoProcessor

sys.path.insert(0, str(Path(__file__).parent))

from step_by_step import Reference

from evpv.training.architecture import SIZES, build

torch.set_num_threads(1)


@pytest.fixture(scope="session")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Weights of a larger spread: probabilities then lie far from a half, and an error shows."""
    return build(tmp_path_factory.mktemp("models") / "toy", size=replace(SIZES["toy"], spread=0.15))


@pytest.fixture(scope="session")
def reference(toy: Path) -> Reference:
    model = AutoModelForImageTextToText.from_pretrained(toy, dtype=torch.float32).eval()
    return Reference(model=model, processor=AutoProcessor.from_pretrained(toy))


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """Noise of four shapes; the last is resized by the processor."""
    folder = tmp_path_factory.mktemp("pictures")
    paths = []
    for number, size in enumerate(((56, 56), (84, 56), (56, 112), (150, 40))):
        noise = torch.randint(0, 256, (size[1], size[0], 3), generator=torch.Generator().manual_seed(number))
        paths.append(str(folder / f"{number}.png"))
        Image.fromarray(noise.to(torch.uint8).numpy()).save(paths[-1])
    return tuple(paths)
