"""What the three trainers share: the model that learns, arguments for transformers' Trainer, and a resume that restores.

Weights that learn are in fp32, whatever the precision of the arithmetic: a step of 2e-5 is lost in bf16's rounding.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from torch import Tensor
from torch.utils.data import Sampler
from transformers import AutoModelForImageTextToText, TrainerCallback
from transformers.modeling_outputs import BaseModelOutputWithPooling
from transformers.trainer_pt_utils import get_length_grouped_indices

from evpv.backends.local_weights import open_processor
from evpv.errors import ConfigError
from evpv.training import launch
from evpv.training.architecture import build
from evpv.training.recipes import DataPart, LearningPart, ModelPart, TrainingRecipe

_HELD_OUT_LOG = "held_out.jsonl"
_LANGUAGE_LAYERS = r".*language_model.*\.(q_proj|k_proj|v_proj|o_proj|gate_proj|up_proj|down_proj)"
_REMEMBERED_BYTES = 2_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Learner:
    """A model and the processor that makes its inputs."""

    model: Any
    processor: Any


def load_learner(recipe: TrainingRecipe, folder: Path) -> Learner:
    """The model and processor that learning starts from; the vision tower frozen and an adapter laid on as told."""
    part, start = recipe.model, recipe.model.start
    if start.startswith("new:"):
        place = folder / "start"
        size = start.removeprefix("new:")
        start = str(launch.main_process_first(lambda: build(place, size=size, seed=part.seed), lambda: place))
    model = _opened(start, part.attention)
    if part.vision_from:
        tower_of(model).load_state_dict(tower_of(_opened(part.vision_from, part.attention)).state_dict())
    processor = with_pixel_limits(open_processor(start), recipe.data)
    return Learner(model=_learnable(model, part, recipe.learning.precision), processor=processor)


def _learnable(model: Any, part: ModelPart, precision: str = "fp32") -> Any:
    """The model with exactly those weights set to learn that the recipe says; what rests is held in the precision.

    The adapter's pattern names the language model's layers: plain layer names would also hit the vision tower's. FSDP
    takes weights of one type only, and lays fp32 over the GPUs.
    """
    resting = torch.bfloat16 if precision == "bf16" and not launch.is_sharded() else torch.float32
    if part.lora:
        rank, layers = part.lora, _LANGUAGE_LAYERS
        config = LoraConfig(r=rank, lora_alpha=2 * rank, target_modules=layers, task_type="CAUSAL_LM")
        return get_peft_model(model.to(resting), config)
    if part.freeze_vision:
        tower_of(model).requires_grad_(False).to(resting)
    return model


def with_pixel_limits(processor: Any, data: DataPart) -> Any:
    """The processor with the recipe's pixel limits, which are saved with it, so that scoring and serving keep to them."""
    if not (data.min_pixels or data.max_pixels):
        return processor
    pictures = processor.image_processor
    if "longest_edge" not in dict(pictures.size):
        raise ConfigError("data.min_pixels and data.max_pixels are for models whose processor bounds pixels (Qwen-VL).")
    stated = dict(pictures.size)
    fewest, most = data.min_pixels or stated["shortest_edge"], data.max_pixels or stated["longest_edge"]
    if fewest > most:
        raise ConfigError(f"data.min_pixels {fewest} is more than data.max_pixels {most}.")
    pictures.size = {"shortest_edge": fewest, "longest_edge": most}
    return processor


def tower_of(model: Any) -> Any:
    """The vision tower, with or without an adapter on the language model."""
    plain: Any = model.get_base_model() if isinstance(model, PeftModel) else model
    return plain.model.visual


def last_checkpoint(folder: Path) -> Path | None:
    """The newest whole checkpoint-N of a run folder, None if there is none.

    The trainer's state is written last: a folder without it was cut off in the writing.
    """
    found = [path.parent for path in folder.glob("checkpoint-*/trainer_state.json")]
    whole = [path for path in found if re.fullmatch(r"checkpoint-\d+", path.name)]
    return max(whole, key=lambda path: int(path.name.partition("-")[2]), default=None)


def restore_weights(model: Any, checkpoint: Path) -> None:
    """Put a checkpoint's weights into the model, and fail if any is missing.

    transformers' own resume looks for its in-memory names in a file that holds the hub's names, finds none, warns, and
    goes on from the start with the optimizer of the end.
    """
    if isinstance(model, PeftModel):
        model.load_adapter(str(checkpoint), "default", is_trainable=True)
        return
    stored = _opened(str(checkpoint)).state_dict()
    missing = [name for name in model.state_dict() if name not in stored and not name.startswith("reading_head")]
    if missing:
        raise ConfigError(f"{checkpoint} lacks {len(missing)} of the model's weights, such as {missing[:1]}.")
    model.load_state_dict(stored, strict=False)


def resumable(trainer: Any) -> Any:
    """A class of trainers whose rows come as their `order` says, and whose resume restores all weights or fails."""
    usual = trainer._load_from_checkpoint

    def restore(self: Any, resume_from_checkpoint: str, model: Any = None) -> None:
        if self.is_fsdp_enabled:
            usual(self, resume_from_checkpoint, model)
        else:
            restore_weights(self.model, Path(resume_from_checkpoint))

    built = trainer.create_accelerator_and_postprocess

    def build_accelerator(self: Any) -> None:
        launch.allow_sharding_without_gpus()
        built(self)
        if self.is_fsdp_enabled and (policy := self.accelerator.state.fsdp_plugin.mixed_precision_policy):
            # accelerate would add gradients up and hand over the loss itself in bf16
            policy = replace(policy, reduce_dtype=torch.float32, output_dtype=None)
            self.accelerator.state.fsdp_plugin.mixed_precision_policy = policy

    trainer.create_accelerator_and_postprocess = build_accelerator
    trainer._get_train_sampler = lambda self, train_dataset=None: self.order
    trainer._load_from_checkpoint = restore
    return trainer


def note(folder: Path, line: Mapping[str, Any]) -> None:
    """Add a line to a run's held-out log and show it; a run that is stopped and gone on with keeps its curve."""
    if not launch.is_main():
        return
    with (folder / _HELD_OUT_LOG).open("a", encoding="utf-8") as log:
        log.write(json.dumps(line) + "\n")
    print(json.dumps(line), flush=True)


def held_out_log(folder: Path) -> list[dict[str, Any]]:
    log = folder / _HELD_OUT_LOG
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()] if log.exists() else []


def merge_adapter(adapter: Path, start: str, folder: Path) -> None:
    """Write the plain model that an adapter and its start make together, for servers that load no adapters."""
    merged = PeftModel.from_pretrained(_opened(start), str(adapter)).merge_and_unload()
    merged.save_pretrained(folder)
    open_processor(str(adapter)).save_pretrained(folder)


class EpochOrder(Sampler[int]):
    """Rows in an order that the seed and the epoch decide: a run that was stopped goes on with the rows it had not seen.

    With `lengths`, rows of like length stand together within a batch of an update, whatever the number of processes.
    """

    def __init__(self, rows: int, learning: LearningPart, lengths: Sequence[int] = ()):
        self.rows, self.seed, self.batch, self.lengths = rows, learning.seed, learning.batch, list(lengths)
        self.epoch = 0

    def __len__(self) -> int:
        return self.rows

    def __iter__(self) -> Iterator[int]:
        generator = torch.Generator().manual_seed(self.seed * 1_000_003 + self.epoch)
        if self.lengths:
            grouped = get_length_grouped_indices(self.lengths, self.batch, generator=generator)  # type: ignore[no-untyped-call]
            return iter(grouped)
        return iter(torch.randperm(self.rows, generator=generator).tolist())


class _EpochClock(TrainerCallback):
    """Tells those who need it which epoch begins, also after a stop."""

    def __init__(self, *told: Any):
        self.told = told

    def on_epoch_begin(self, args: Any, state: Any, control: Any, **given: Any) -> None:
        for one in self.told:
            one.epoch = int((state.epoch or 0.0) + 1e-6)


class _HeldOutCheck(TrainerCallback):
    """Measures the model on held-out rows every so often: loss alone does not say what is read, or what a probability means."""

    def __init__(self, measure: Callable[[Any], Mapping[str, Any]], every: int, folder: Path):
        self.measure, self.every, self.folder = measure, every, folder

    def on_step_end(self, args: Any, state: Any, control: Any, **given: Any) -> None:
        if self.every and state.global_step % self.every == 0:
            note(self.folder, {"step": state.global_step, **self.measure(given["model"])})


def run_trainer(
    trainer_class: Any, arguments_class: Any, recipe: TrainingRecipe, learner: Learner, folder: Path, *, rows: Any,
    order: EpochOrder, told: Sequence[Any] = (), measure: Callable[[Any], Mapping[str, Any]] | None = None,
    stated: Mapping[str, Any] | None = None, **own: Any,
) -> Any:  # fmt: skip
    """The trainer, which has taught the model from the folder's last checkpoint or from the start, and saved it there.

    `told` are those beside `order` who need to know the epoch, `stated` arguments of this kind of trainer alone.
    """
    checkpoint, callbacks = last_checkpoint(folder), list[TrainerCallback]([_EpochClock(order, *told)])
    if measure is not None:
        callbacks.append(_HeldOutCheck(measure, recipe.learning.check_every, folder))
    trainer = trainer_class(
        order=order, model=learner.model, processing_class=learner.processor, train_dataset=rows, callbacks=callbacks,
        args=arguments_class(**arguments(recipe.learning, folder), **(stated or {})), **own,
    )  # fmt: skip
    trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    trainer.save_model(str(folder))
    return trainer


class _RememberingTower:
    """Stands in for a frozen tower's forward: a picture that was seen is answered from memory, known by its pixels.

    Most of a small extractor's step is the tower, and a verifier sees each picture once per candidate. The cells of
    20,000 pictures at mini size take about 600 MB; what comes after two gigabytes is not kept.
    """

    def __init__(self, tower: Any):
        self.forward, self.merged = tower.forward, tower.spatial_merge_size**2
        self.cells: dict[bytes, Tensor] = {}
        self.bytes = 0

    @torch.no_grad()
    def __call__(self, pixels: Tensor, grid_thw: Tensor, **settings: Any) -> BaseModelOutputWithPooling:
        pieces = torch.split(pixels, grid_thw.prod(-1).tolist())
        keys = [
            blake2b(piece.detach().contiguous().view(torch.uint8).cpu().numpy().tobytes(), digest_size=16).digest()
            for piece in pieces
        ]
        found = {key: self.cells[key] for key in keys if key in self.cells}
        new = {key: i for i, key in enumerate(keys) if key not in found}
        if new:
            grids = grid_thw[list(new.values())]
            seen = self.forward(torch.cat([pieces[i] for i in new.values()]), grid_thw=grids, **settings).pooler_output
            made = dict(zip(new, seen.split((grids.prod(-1) // self.merged).tolist()), strict=True))
            found |= made
            self._remember(made)
        together: Any = torch.cat([found[key].to(pixels.device) for key in keys])
        return BaseModelOutputWithPooling(pooler_output=together)

    def _remember(self, made: Mapping[bytes, Tensor]) -> None:
        for key, cells in made.items():
            if self.bytes + cells.nbytes <= _REMEMBERED_BYTES:
                self.cells[key] = cells.cpu()
                self.bytes += cells.nbytes


def remember(model: Any) -> None:
    """Give a model with a frozen tower its memory; weights and their names stay as they are.

    A tower that lies over all processes has none: one that remembers would leave those that look waiting for its share.
    """
    if launch.is_sharded():
        return
    tower = tower_of(model)
    if any(weight.requires_grad for weight in tower.parameters()):
        raise ValueError("a tower that learns must look every time")
    tower.forward = _RememberingTower(tower)


def arguments(learning: LearningPart, folder: Path) -> dict[str, Any]:
    """Settings for TrainingArguments and its children, from the recipe's words."""
    share = launch.batch_share(learning, launch.world_size())
    gpu = torch.cuda.is_available()
    several = {"ddp_backend": "gloo"} if launch.world_size() > 1 and not gpu else {}
    return {
        "output_dir": str(folder),
        "num_train_epochs": learning.epochs,
        "max_steps": learning.steps or -1,
        "per_device_train_batch_size": share.per_device,
        "per_device_eval_batch_size": share.per_device,
        "gradient_accumulation_steps": share.accumulate,
        "learning_rate": learning.learning_rate,
        "weight_decay": learning.weight_decay,
        "adam_beta2": learning.beta2,
        "max_grad_norm": learning.clip,
        "seed": learning.seed,
        "save_steps": learning.save_every,
        "save_total_limit": 4,
        "logging_steps": learning.log_every,
        "gradient_checkpointing": learning.gradient_checkpointing,
        "gradient_checkpointing_kwargs": {"use_reentrant": False},
        "bf16": learning.precision == "bf16",
        "use_cpu": not gpu,
        "dataloader_pin_memory": gpu,
        "dataloader_num_workers": learning.workers,
        "report_to": "none",
        "remove_unused_columns": False,
        "disable_tqdm": True,
        "warmup_steps": learning.warmup,
        **several,
        **_schedule(learning),
    }


def _schedule(learning: LearningPart) -> dict[str, Any]:
    """The paper's cosine after a warm-up, or full rate held and then a fall in a line to a fiftieth."""
    if not learning.hold:
        return {"lr_scheduler_type": "cosine"}
    if not learning.steps:
        raise ConfigError("a schedule with hold needs the number of steps.")
    falling = round(learning.steps * (1 - learning.hold))
    fall = {"num_decay_steps": falling, "decay_type": "linear", "min_lr_ratio": 0.02}
    return {"lr_scheduler_type": "warmup_stable_decay", "lr_scheduler_kwargs": fall}


def _opened(place: str, attention: str = "sdpa") -> Any:
    try:
        return AutoModelForImageTextToText.from_pretrained(
            place, dtype=torch.float32, attn_implementation=attention, use_safetensors=True
        )
    except (OSError, ValueError, ImportError) as error:
        raise ConfigError(f"the model {place!r} cannot be loaded: {' '.join(str(error).split())[:400]}") from None
