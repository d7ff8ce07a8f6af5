"""What a recipe would take, told without a GPU and without weights: parameters, tokens, memory by part, updates, hours.

Bytes per token and layer were measured as what autograd keeps (tests/training/test_plan.py does it again): under bf16
arithmetic 30 × hidden + 2 × keys and values + 8 × inner (a patch of the tower: 32 × hidden + 8 × inner), and a bf16 copy
of each weight that is held in fp32.
Hours are an estimate: arithmetic over peak speed times the share of it that such runs reach.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any

import torch
from transformers import AutoConfig, AutoModelForImageTextToText, Qwen2_5_VLConfig

from evpv.backends.local_weights import open_processor
from evpv.errors import ConfigError, EvpvError
from evpv.training.architecture import config_of_size
from evpv.training.launch import batch_share
from evpv.training.learner import with_pixel_limits
from evpv.training.recipes import TrainingRecipe
from evpv.training.runs import corpus_rows, row_text
from evpv.training.screening import RowFaults, fitting_rows, row_lengths

_GPUS = {"RTX 4090": (24, 165.0), "A100 80 GB": (80, 312.0), "H100 80 GB": (80, 989.0), "H200": (141, 989.0)}
"""Memory in gigabytes and peak bf16 teraflops, as their makers state them."""
_REACHED = 0.35
_ROWS_COUNTED = 400
_GIGABYTE = 1e9
_CELLS = 4  # patches a picture's token is merged from
_PATCH_NUMBERS = 2 * 3 * 14 * 14


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shape:
    """A model's sizes: numbers per part, and the widths that decide what a token costs."""

    language: int
    embeddings: int
    vision: int
    layers: int
    hidden: int
    key_value: int
    inner: int
    vocabulary: int
    vision_layers: int
    vision_hidden: int
    vision_inner: int

    @property
    def parameters(self) -> int:
        return self.language + self.embeddings + self.vision


@dataclass(frozen=True, slots=True, kw_only=True)
class _RowTokens:
    """Tokens of rows, pictures included: how many on average, the longest, and what was counted."""

    mean: float
    longest: int
    pictures: float
    rows: int
    counted: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Memory:
    """Gigabytes on one GPU, by part."""

    weights: float
    gradients: float
    optimizer: float
    activations: float
    logits: float

    @property
    def total(self) -> float:
        return self.weights + self.gradients + self.optimizer + self.activations + self.logits


def plan_page(recipe: TrainingRecipe, gpus: int, strategy: str) -> str:
    """The plan as text: the recipe as it stands first, then what checkpointing, LoRA and sharing would change."""
    shape = _model_shape(recipe.model.start)
    tokens = _row_tokens(recipe)
    share = batch_share(recipe.learning, gpus)
    updates = recipe.learning.steps or round(-(-tokens.rows // recipe.learning.batch) * recipe.learning.epochs)
    needed = _memory_of_longest(recipe, shape, tokens, _sharing(gpus, strategy)).total
    room = [name for name, (gigabytes, _) in _GPUS.items() if needed < 0.9 * gigabytes]
    lines = [
        f"{recipe.name}: {recipe.model.start}, {shape.parameters / 1e9:.2f} billion parameters"
        f" (language {shape.language / 1e9:.2f}, words {shape.embeddings / 1e9:.2f}, vision {shape.vision / 1e9:.2f})",
        f"rows: {tokens.rows}; tokens a row: mean {tokens.mean:.0f}, of pictures {tokens.pictures:.0f},"
        f" longest {tokens.longest} ({tokens.counted})",
        f"updates: {updates} of {recipe.learning.batch} rows: {gpus} × {share.per_device} rows × {share.accumulate}",
        "",
        "gigabytes on one GPU (longest row)  weights  gradients  optimizer  activations  logits   total",
        *_memory_lines(recipe, shape, tokens, gpus, strategy),
        "",
        f"hours on {gpus} × (at {_REACHED:.0%} of peak, an estimate): "
        + ", ".join(f"{name} {_hours(recipe, shape, tokens, updates) / gpus / speed:.1f}" for name, (_, speed) in _GPUS.items()),
        f"with --launch {strategy} --gpus {gpus} it fits on: {', '.join(room) or 'none of these'}",
    ]  # fmt: skip
    return "\n".join(lines)


def _model_shape(start: str) -> _Shape:
    """The sizes of a model by its configuration: a folder, a hub name, one of those we know, or "new:SIZE"."""
    config = _config(start)
    with torch.device("meta"):
        model: Any = AutoModelForImageTextToText.from_config(config)  # type: ignore[no-untyped-call]
    text, vision = config.get_text_config(), config.vision_config
    sizes = {name: weight.numel() for name, weight in model.named_parameters()}
    tower = sum(size for name, size in sizes.items() if ".visual." in name)
    words = sum(size for name, size in sizes.items() if "embed_tokens" in name or "lm_head" in name)
    whole = sum(sizes.values())
    head = getattr(text, "head_dim", None) or text.hidden_size // text.num_attention_heads
    return _Shape(
        language=whole - tower - words, embeddings=words, vision=tower, layers=text.num_hidden_layers,
        hidden=text.hidden_size, key_value=2 * text.num_key_value_heads * head, inner=text.intermediate_size,
        vocabulary=text.vocab_size, vision_layers=vision.depth, vision_hidden=vision.hidden_size,
        vision_inner=vision.intermediate_size,
    )  # fmt: skip


def _row_tokens(recipe: TrainingRecipe) -> _RowTokens:
    """Tokens of the recipe's own rows, of the first few hundred; where they or the tokenizer are not here, what it allows."""
    most = recipe.learning.max_tokens
    try:
        if not Path(recipe.data.train).exists():
            raise ConfigError(f"{recipe.data.train!r} is not there")
        processor = with_pixel_limits(open_processor(recipe.model.start), recipe.data)
        return _counted_tokens(recipe, processor)
    except EvpvError as error:
        rows = recipe.data.sample or recipe.data.limit or 1
        said = f"not counted, the most that is allowed: {str(error)[:160]}"
        return _RowTokens(mean=most, longest=most, pictures=most / 2, rows=rows, counted=said)


def memory(recipe: TrainingRecipe, shape: _Shape, tokens: int, pictures: float, gpus: int) -> _Memory:
    """What one GPU holds for one piece of a batch. `gpus` are those that weights are laid over, 1 where none are."""
    if recipe.model.lora:
        each = 2 * shape.hidden + (shape.hidden + shape.key_value) * 2 + 3 * (shape.hidden + shape.inner)
        learns, rests = float(recipe.model.lora * shape.layers * each), float(shape.parameters)
    else:
        rests = float(shape.vision if recipe.model.freeze_vision else 0)
        learns = float(shape.parameters) - rests
    half = recipe.learning.precision == "bf16"
    rows = batch_share(recipe.learning, 1).per_device if recipe.learning.per_device else 1
    copies = 2.0 * learns if half and gpus == 1 else 4.0 * shape.language / max(shape.layers, 1)
    resting = 2.0 if half and gpus == 1 else 4.0
    places = {"verifier": 32, "preferences": 2 * tokens}.get(recipe.kind, tokens)
    return _Memory(
        weights=(4.0 * learns + resting * rests) / gpus / _GIGABYTE + (copies if half else 0.0) / _GIGABYTE,
        gradients=4.0 * learns / gpus / _GIGABYTE,
        optimizer=8.0 * learns / gpus / _GIGABYTE,
        activations=rows * _activation_bytes(recipe, shape, tokens, pictures) / _GIGABYTE,
        # the head's output with its loss and gradient; a verifier's head is multiplied at the steps' ends only
        logits=rows * places * shape.vocabulary * (2 + 4 + 4) / _GIGABYTE,
    )


def _hours(recipe: TrainingRecipe, shape: _Shape, tokens: _RowTokens, updates: int) -> float:
    """Hours of one GPU with a peak of one teraflop: 2 operations a weight forward, 4 back, 2 more to compute it again."""
    again = 2 if recipe.learning.gradient_checkpointing else 0
    back = 2 if recipe.model.lora else 4
    seeing = 2 if recipe.model.freeze_vision or recipe.model.lora else 6 + again
    passes = {"preferences": 2 if recipe.preferences.form == "reference-free" else 3}.get(recipe.kind, 1)
    text = tokens.mean * (2 + back + again) * (shape.language + shape.embeddings / 2)
    sight = tokens.pictures * _CELLS * seeing * shape.vision
    return passes * updates * recipe.learning.batch * (text + sight) / (1e12 * _REACHED) / 3600


def _activation_bytes(recipe: TrainingRecipe, shape: _Shape, tokens: int, pictures: float) -> float:
    """What autograd keeps of one row: every layer's intermediates, or each layer's input and one layer's intermediates."""
    half = recipe.learning.precision == "bf16"
    wide, narrow, inner, seen, pixels = (30, 2, 8, 32, 2) if half else (32, 4, 16, 52, 4)
    patches = 0.0 if recipe.model.freeze_vision or recipe.model.lora else pictures * _CELLS
    layer = tokens * (wide * shape.hidden + narrow * shape.key_value + inner * shape.inner)
    block = patches * (seen * shape.vision_hidden + inner * shape.vision_inner)
    ends = patches * (pixels * _PATCH_NUMBERS + 22 * shape.vision_hidden)
    if recipe.learning.gradient_checkpointing:
        inputs = tokens * shape.hidden * shape.layers + patches * shape.vision_hidden * shape.vision_layers
        return 4.0 * inputs + max(layer, block) + ends
    return layer * shape.layers + block * shape.vision_layers + ends


def _memory_lines(recipe: TrainingRecipe, shape: _Shape, tokens: _RowTokens, gpus: int, strategy: str) -> Iterable[str]:
    other = not recipe.learning.gradient_checkpointing
    turned, saving = (replace(recipe.learning, gradient_checkpointing=on) for on in (other, True))
    variants = {
        "as the recipe says": recipe,
        "with checkpointing" if other else "without checkpointing": replace(recipe, learning=turned),
        "LoRA 16, checkpointing": replace(recipe, model=replace(recipe.model, lora=16), learning=saving),
    }
    for name, variant in variants.items():
        for over in sorted({1, _sharing(gpus, strategy)}):
            held = _memory_of_longest(variant, shape, tokens, over)
            said = f"{name}, {'whole' if over == 1 else f'over {over} GPUs'}"
            yield (
                f"{said:<36}{held.weights:>7.1f}{held.gradients:>11.1f}{held.optimizer:>11.1f}"
                f"{held.activations:>13.1f}{held.logits:>8.1f}{held.total:>8.1f}"
            )


def _sharing(gpus: int, strategy: str) -> int:
    return gpus if strategy in ("fsdp", "deepspeed") else 1


def _memory_of_longest(recipe: TrainingRecipe, shape: _Shape, tokens: _RowTokens, over: int) -> _Memory:
    return memory(recipe, shape, tokens.longest, min(tokens.pictures, tokens.longest), over)


def _counted_tokens(recipe: TrainingRecipe, processor: Any) -> _RowTokens:
    """Tokens of the first rows that fit, what was the matter with the others, and how many rows there are."""
    lengths, text_of, faults = row_lengths(processor, recipe), row_text(recipe, processor), RowFaults()
    found = corpus_rows(recipe, recipe.data.train, "skip", faults)
    first: Sequence[Any] = list(islice(found, _ROWS_COUNTED))
    rest = sum(1 for _ in found)
    kept: list[Any] = fitting_rows(first, text_of, lengths, "skip", faults)
    if not kept:
        raise ConfigError("no row is left to learn from. " + faults.summary())
    whole = [lengths.tokens(text_of(row), row.images, row.pixels) for row in kept]
    seen = [count - lengths.tokens(text_of(row), ()) + len(row.images) for row, count in zip(kept, whole, strict=True)]
    rows = len(kept) + rest
    said = [f"{len(kept)} rows counted", *(f"{count} {kind}" for kind, count in faults.kinds.items())]
    return _RowTokens(
        mean=sum(whole) / len(whole), longest=max(whole), pictures=sum(seen) / len(seen),
        rows=min(rows, recipe.data.sample or rows), counted=", ".join(said),
    )  # fmt: skip


def _config(start: str) -> Any:
    if start.startswith("new:"):
        return config_of_size(start.removeprefix("new:"))
    known = tomllib.loads((files("evpv.training") / "released.toml").read_text(encoding="utf-8"))
    if start in known and not Path(start).is_dir():
        return Qwen2_5_VLConfig(**known[start])
    try:
        return AutoConfig.from_pretrained(start)
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"the configuration of {start!r} is not to be had ({' '.join(str(error).split())[:200]}); known without"
            f" the hub: {', '.join(known)}."
        ) from None
