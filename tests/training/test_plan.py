"""A plan's figures against what is there: the released sizes, and the memory that tiny runs really keep."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import Qwen2_5_VLForConditionalGeneration
from typer.testing import CliRunner

from evpv.cli import app
from evpv.training.architecture import Size, config_of_size
from evpv.training.plan import _model_shape, _row_tokens, memory, plan_page
from evpv.training.recipes import TrainingRecipe, load_training_recipe, training_recipe

SMALL = Size(hidden=64, layers=3, inner=192, vision_hidden=64, vision_layers=2, vision_inner=128)
TOKENS, GRID = 256, (1, 16, 16)


def recipe(**learning: Any) -> TrainingRecipe:
    return training_recipe("plan", {"kind": "verifier", "model": {"start": "new:toy"}, "learning": learning})


@pytest.mark.parametrize(
    ("name", "billions"), [("Qwen/Qwen2.5-VL-7B-Instruct", 8.292), ("Qwen/Qwen2.5-VL-3B-Instruct", 3.755)]
)
def test_released_models_have_the_parameters_that_their_makers_state(name: str, billions: float) -> None:
    assert _model_shape(name).parameters / 1e9 == pytest.approx(billions, abs=0.002)


def kept_bytes(precision: str) -> tuple[int, int]:
    """What autograd keeps of one forward with a picture, weights apart; and the bytes of a copy of each weight."""
    torch.manual_seed(0)
    config = config_of_size(SMALL)
    model = Qwen2_5_VLForConditionalGeneration(config).train()
    own = {one.untyped_storage().data_ptr() for one in (*model.parameters(), *model.buffers())}
    kept: dict[int, Any] = {}

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in own:
            kept[storage.data_ptr()] = storage
        return tensor

    cells = GRID[1] * GRID[2] // 4
    ids = torch.tensor([[config.image_token_id] * cells + [5] * (TOKENS - cells)])
    pixels = torch.randn(GRID[1] * GRID[2], 3 * 2 * 14 * 14)
    kinds = torch.tensor([[1] * cells + [0] * (TOKENS - cells)])
    with (
        torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor),
        torch.autocast("cpu", torch.bfloat16, enabled=precision == "bf16"),
    ):
        model.model(
            input_ids=ids, pixel_values=pixels, image_grid_thw=torch.tensor([GRID]), mm_token_type_ids=kinds, use_cache=False
        )  # fmt: skip
    copies = 2 * sum(one.numel() for one in model.parameters() if one.ndim > 1) if precision == "bf16" else 0
    return sum(storage.nbytes() for storage in kept.values()), copies


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_what_a_tiny_run_keeps_is_what_the_plan_says(precision: str) -> None:
    whole = config_of_size(SMALL)
    shape = replace(
        _model_shape("new:toy"), layers=3, hidden=64, inner=192, key_value=64, vision_layers=2, vision_hidden=64, vision_inner=128
    )  # fmt: skip
    assert whole.get_text_config().num_hidden_layers == shape.layers
    measured, copies = kept_bytes(precision)
    planned = memory(recipe(precision=precision), shape, TOKENS, GRID[1] * GRID[2] / 4, 1)
    assert measured - copies == pytest.approx(planned.activations * 1e9, rel=0.2)


def test_checkpointing_lora_and_sharing_each_take_less() -> None:
    plain = load_training_recipe("paper-verifier")
    shape = _model_shape(plain.model.start)
    open_ = replace(plain, learning=replace(plain.learning, gradient_checkpointing=False))
    adapter = replace(plain, model=replace(plain.model, lora=16))
    whole, spread = memory(plain, shape, 8192, 1280, 1), memory(plain, shape, 8192, 1280, 8)
    assert whole.optimizer == pytest.approx(66.3, abs=0.1)
    assert spread.total < whole.total / 4
    assert memory(open_, shape, 8192, 1280, 1).activations > 5 * whole.activations
    assert memory(adapter, shape, 8192, 1280, 1).optimizer < 1


def test_tokens_are_those_of_the_rows_or_the_page_says_that_they_were_not_counted(toy: Path, corpus: Path) -> None:
    plan = training_recipe(
        "mine",
        {"kind": "verifier", "model": {"start": str(toy)}, "data": {"train": str(corpus)}, "learning": {"batch": 4}},
    )
    counted = _row_tokens(plan)
    assert (counted.rows, counted.counted, counted.pictures) == (48, "48 rows counted", 6.0)
    assert "48 rows counted" in plan_page(plan, 2, "fsdp")
    assert "not counted" in plan_page(load_training_recipe("paper-extractor"), 8, "fsdp")


def test_the_command_plans_without_a_gpu(tmp_path: Path) -> None:
    told = CliRunner().invoke(
        app, ["train", "extractor", "--plan", "--gpus", "8", "--launch", "fsdp", "-o", str(tmp_path)]
    )
    assert told.exit_code == 0, told.output
    assert "8.29 billion parameters" in told.output
    assert "over 8 GPUs" in told.output
    assert "A100 80 GB" in told.output
