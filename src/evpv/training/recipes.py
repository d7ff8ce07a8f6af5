"""Training recipes: TOML read into plain values, every key checked. The paper's numbers are the defaults of each trainer."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from evpv.errors import ConfigError, unknown_name
from evpv.settings import settings_from

_OnBad = Literal["refuse", "skip"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPart:
    """Where learning starts: a folder, a hub name, or "new:SIZE" for an untrained model of ours.

    `lora` is the rank of an adapter on the language model, 0 for all weights. `vision_from` is a folder whose vision
    tower is taken instead: a verifier that learnt on text alone gets the extractor's eyes. `attention` is how
    attention is computed; "flash_attention_2" needs that package and a GPU.
    """

    start: str = "Qwen/Qwen2.5-VL-7B-Instruct"
    lora: int = 0
    freeze_vision: bool = False
    vision_from: str = ""
    attention: Literal["sdpa", "eager", "flash_attention_2"] = "sdpa"
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DataPart:
    """What is learnt from, what is held out, and what happens to rows that cannot be used.

    - `train` and `held_out` are files, folders of annotation files, or lists of sources (docs/training.md); `sample`
      draws that many rows by `sample_seed`, `limit` takes the first. `root` is the folder that image paths are under.
    - `keep_out` are problem files of evaluation sets: their pictures and questions are refused in training.
    - `min_pixels` and `max_pixels` bound what the processor makes of a picture, 0 as the checkpoint has it; they are
      saved with the model, so that scoring and serving see what training saw. `max_side_px` bounds it before that, as
      `images.max_side_px` does in scoring. A row that is too long has its pictures made smaller, down to
      `fewest_pixels`, before it is left out.
    - `reading` are further files with writing only, for the dense reading task.
    """

    train: str = ""
    held_out: str = ""
    keep_out: tuple[str, ...] = ()
    reading: tuple[str, ...] = ()
    root: str = ""
    on_bad: _OnBad = "refuse"
    limit: int = 0
    sample: int = 0
    sample_seed: int = 0
    held_out_limit: int = 200
    held_out_tokens: int = 1024  # how far a held-out answer may go: Appendix A's example has 261 tokens of Qwen's
    min_pixels: int = 0
    max_pixels: int = 0
    max_side_px: int = 1536
    fewest_pixels: int = 50_176
    threshold: float = 0.5  # a step whose soft label is above it is right, where labels are made hard
    hard_labels: bool = True
    pictures: bool = True  # off: a first stage on text alone, for a verifier that is told the facts
    question_dropout: float = 0.0
    shift_px: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningPart:
    """How weights move. `steps` overrides `epochs`; `hold` is the share of steps at full rate before a fall in a line,
    0 for the cosine of the paper. `batch` is what one update sees, whatever the number of processes; `per_device` is
    how much of it one process holds at a time, 0 for its whole share. `workers` open pictures ahead of the model.
    """

    epochs: float = 3
    steps: int = 0
    batch: int = 16
    per_device: int = 0
    learning_rate: float = 2e-5
    warmup: float = 0.03
    hold: float = 0.0
    weight_decay: float = 0.0
    beta2: float = 0.999
    clip: float = 1.0
    max_tokens: int = 4096
    seed: int = 0
    save_every: int = 500
    check_every: int = 0
    log_every: int = 20
    workers: int = 0
    gradient_checkpointing: bool = False
    precision: Literal["fp32", "bf16"] = "bf16"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingSettings:
    """How long and how fast to learn reading. `shift_px` moves each picture by up to that much."""

    steps: int = 3000
    batch: int = 8
    learning_rate: float = 3e-3
    warmup: int = 50
    decay_from: float = 0.8
    shift_px: int = 10
    seed: int = 0
    check_every: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class _ReadingPart:
    """The dense reading task: before anything else for `settings.steps`, then beside it with `weight`."""

    settings: ReadingSettings | None = None
    weight: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _PreferencePart:
    """DPO's β and λ. "reference-free" is the paper's form, "standard" compares with the model before this stage.

    `pairs` are written by a rule from a constraint corpus, or stand in the file `data.train` (what `evpv distill` writes).
    """

    pairs: Literal["rules", "file"] = "rules"
    form: Literal["reference-free", "standard"] = "reference-free"
    beta: float = 0.1
    weight: float = 0.1
    sft_weight: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifierPart:
    """`constraints` puts the extractor's facts into the verifier's prefix as text; `language_weight` adds next-token loss.

    `loss` is the paper's sum over a trajectory's steps (Eq. 8), or their mean, in which short trajectories weigh as
    much as long ones; either is averaged over the trajectories of an update.
    """

    constraints: bool = False
    loss: Literal["sum", "mean"] = "sum"
    language_weight: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingRecipe:
    """One run of one trainer."""

    name: str
    kind: Literal["extractor", "preferences", "verifier"]
    description: str = ""
    model: ModelPart = field(default_factory=ModelPart)
    data: DataPart = field(default_factory=DataPart)
    learning: LearningPart = field(default_factory=LearningPart)
    reading: _ReadingPart = field(default_factory=_ReadingPart)
    preferences: _PreferencePart = field(default_factory=_PreferencePart)
    verifier: VerifierPart = field(default_factory=VerifierPart)


_PARTS: dict[str, type[Any]] = {
    "model": ModelPart,
    "data": DataPart,
    "learning": LearningPart,
    "preferences": _PreferencePart,
    "verifier": VerifierPart,
}


def _training_recipe_names() -> list[str]:
    folder = files("evpv").joinpath("training", "recipes_toml")
    return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))


def load_training_recipe(name: str, changes: Mapping[str, Any] | None = None) -> TrainingRecipe:
    """A shipped recipe by name, or one of your own by path, with `{"learning.steps": 20}` changes."""
    data = _read(name)
    for key, value in (changes or {}).items():
        section, dot, setting = key.partition(".")
        if not dot:
            raise ConfigError(f"a training setting is section.name, not {key!r}.")
        data = {**data, section: {**data.get(section, {}), setting: value}}
    return training_recipe(Path(name).stem, data)


def training_recipe(name: str, data: Mapping[str, Any]) -> TrainingRecipe:
    known = (*_PARTS, "kind", "description", "reading")
    for section in data:
        if section not in known:
            raise unknown_name("recipe section", section, known)
    if data.get("kind") not in ("extractor", "preferences", "verifier"):
        raise ConfigError(f"{name}: kind must be extractor, preferences or verifier, not {data.get('kind')!r}.")
    parts = {section: settings_from(kind, data.get(section, {}), f"[{section}]") for section, kind in _PARTS.items()}
    rest = dict(data.get("reading", {}))
    weight = float(rest.pop("weight", 0.0))
    settings = settings_from(ReadingSettings, rest, "[reading]") if rest else None
    reading, described = _ReadingPart(settings=settings, weight=weight), str(data.get("description", ""))
    return TrainingRecipe(name=name, kind=data["kind"], description=described, reading=reading, **parts)


def _read(name: str) -> dict[str, Any]:
    if name.endswith(".toml"):
        path: Any = Path(name)
    elif name in _training_recipe_names():
        path = files("evpv").joinpath("training", "recipes_toml", f"{name}.toml")
    else:
        raise unknown_name("training recipe", name, _training_recipe_names())
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{name}: {error}") from None
