"""What the three trainers share: a start, arguments for transformers' Trainer, and a resume that restores weights."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import AutoModelForImageTextToText, AutoProcessor

from evpv.errors import ConfigError
from evpv.training.architecture import build
from evpv.training.recipes import LearningPart, ModelPart

HELD_OUT_LOG = "held_out.jsonl"
_LANGUAGE_LAYERS = r".*language_model.*\.(q_proj|k_proj|v_proj|o_proj|gate_proj|up_proj|down_proj)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Learner:
    """A model and the processor that makes its inputs."""

    model: Any
    processor: Any


def load_start(part: ModelPart, folder: Path, precision: str) -> Learner:
    """The model and processor that learning starts from; the vision tower frozen and an adapter laid on as told."""
    start = part.start
    if start.startswith("new:"):
        start = str(build(folder / "start", size=start.removeprefix("new:"), seed=part.seed))
    model = _opened(start, precision)
    if part.vision_from:
        model.model.visual.load_state_dict(_opened(part.vision_from, precision).model.visual.state_dict())
    processor = AutoProcessor.from_pretrained(start)  # type: ignore[no-untyped-call]
    return Learner(model=prepared(model, part), processor=processor)


def prepared(model: Any, part: ModelPart) -> Any:
    """The model with exactly those weights set to learn that the recipe says.

    The adapter's pattern names the language model's layers: plain layer names would also hit the vision tower's.
    """
    if part.lora:
        config = LoraConfig(
            r=part.lora, lora_alpha=2 * part.lora, target_modules=_LANGUAGE_LAYERS, task_type="CAUSAL_LM"
        )
        return get_peft_model(model, config)
    model.model.visual.requires_grad_(not part.freeze_vision)
    return model


def last_checkpoint(folder: Path) -> Path | None:
    """The newest checkpoint-N of a run folder, None if there is none."""
    found = [path for path in folder.glob("checkpoint-*") if re.fullmatch(r"checkpoint-\d+", path.name)]
    return max(found, key=lambda path: int(path.name.partition("-")[2]), default=None)


def restore_weights(model: Any, checkpoint: Path) -> None:
    """Put a checkpoint's weights into the model, and fail if any is missing.

    transformers' own resume looks for its in-memory names in a file that holds the hub's names, finds none, warns, and
    goes on from the start with the optimizer of the end.
    """
    if isinstance(model, PeftModel):
        model.load_adapter(str(checkpoint), "default", is_trainable=True)
        return
    stored = _opened(str(checkpoint), "fp32").state_dict()
    kept = {name: weight for name, weight in model.state_dict().items() if name in stored}
    missing = [name for name in model.state_dict() if name not in stored and not name.startswith("reading_head")]
    if missing or not kept:
        raise ConfigError(f"{checkpoint} lacks {len(missing)} of the model's weights, such as {missing[:1]}.")
    model.load_state_dict(stored, strict=False)


def note(folder: Path, line: Mapping[str, Any]) -> None:
    """Add a line to a run's held-out log and show it; a run that is stopped and gone on with keeps its curve."""
    with (folder / HELD_OUT_LOG).open("a", encoding="utf-8") as log:
        log.write(json.dumps(line) + "\n")
    print(json.dumps(line), flush=True)


def noted(folder: Path) -> list[dict[str, Any]]:
    """The held-out log of a run."""
    log = folder / HELD_OUT_LOG
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()] if log.exists() else []


def merge_adapter(adapter: Path, start: str, folder: Path) -> None:
    """Write the plain model that an adapter and its start make together, for servers that load no adapters."""
    merged = PeftModel.from_pretrained(_opened(start, "fp32"), str(adapter)).merge_and_unload()
    merged.save_pretrained(folder)
    AutoProcessor.from_pretrained(str(adapter)).save_pretrained(folder)  # type: ignore[no-untyped-call]


def arguments(learning: LearningPart, folder: Path) -> dict[str, Any]:
    """Settings for TrainingArguments and its children, from the recipe's words."""
    if learning.batch % learning.accumulate:
        raise ConfigError(f"batch {learning.batch} is not a multiple of accumulate {learning.accumulate}.")
    gpu = torch.cuda.is_available()
    return {
        "output_dir": str(folder),
        "num_train_epochs": learning.epochs,
        "max_steps": learning.steps or -1,
        "per_device_train_batch_size": learning.batch // learning.accumulate,
        "per_device_eval_batch_size": learning.batch // learning.accumulate,
        "gradient_accumulation_steps": learning.accumulate,
        "learning_rate": learning.learning_rate,
        "weight_decay": learning.weight_decay,
        "adam_beta2": learning.beta2,
        "max_grad_norm": learning.clip,
        "seed": learning.seed,
        "save_steps": learning.save_every,
        "save_total_limit": 4,
        "logging_steps": learning.log_every,
        "gradient_checkpointing": learning.gradient_checkpointing,
        "bf16": learning.precision == "bf16",
        "use_cpu": not gpu,
        "dataloader_pin_memory": gpu,
        "report_to": "none",
        "remove_unused_columns": False,
        "disable_tqdm": True,
        **_schedule(learning),
    }


def _schedule(learning: LearningPart) -> dict[str, Any]:
    """The paper's cosine after a warm-up, or full rate held and then a fall in a line to a fiftieth."""
    if not learning.hold:
        return {"lr_scheduler_type": "cosine", "warmup_steps": learning.warmup}
    if not learning.steps:
        raise ConfigError("a schedule with hold needs the number of steps.")
    fall = round(learning.steps * (1 - learning.hold))
    return {
        "lr_scheduler_type": "warmup_stable_decay",
        "warmup_steps": learning.warmup,
        "lr_scheduler_kwargs": {"num_decay_steps": fall, "decay_type": "linear", "min_lr_ratio": 0.02},
    }


def _opened(place: str, precision: str) -> Any:
    dtype = torch.bfloat16 if precision == "bf16" else torch.float32
    try:
        return AutoModelForImageTextToText.from_pretrained(place, dtype=dtype)
    except (OSError, ValueError) as error:
        raise ConfigError(f"the model {place!r} cannot be loaded: {error}") from None
