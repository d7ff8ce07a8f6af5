"""A vision-language model loaded from a folder or by its hub name: safetensors only, no code from the checkpoint.

Weights in pickle files can run anything when they are opened, and so can a checkpoint's own Python files. The first are
never read; the second only where the user names it with `trust_remote_code`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import torch
import transformers
from huggingface_hub import snapshot_download
from transformers import (
    AutoConfig,
    AutoImageProcessor,
    AutoModelForImageTextToText,
    AutoProcessor,
    AutoTokenizer,
    GenerationConfig,
)
from transformers.models.auto.processing_auto import PROCESSOR_MAPPING_NAMES  # type: ignore[attr-defined]

from evpv.backends.internvl import open_internvl_processor, open_released_internvl, released_folder
from evpv.errors import ConfigError, MissingExtraError, unknown_name

_DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
_ADVICE = {
    "trust_remote_code": "it brings Python code of its own, which runs only with trust_remote_code = true, if you trust it.",
    "safetensors": "it has no safetensors weights, and pickled ones (.bin) are never opened: convert it first.",
}
"""A word in transformers' refusal → what to say instead."""
_ADAPTER_WEIGHTS = "adapter_model.safetensors"
_SHIPPED = "evpv:"
"""A model named so is one of those inside this package, e.g. "evpv:mini-extractor"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Which model, and how it is held. `model` is a folder, a hub name, or "evpv:NAME" for one that we ship.

    `device` is "auto" (the first GPU where there is one), "cpu", "cuda:1" …; "spread" lays a model that one GPU cannot
    hold over all of them. `dtype` "auto" is the checkpoint's own, but float32 on a CPU, where halves are slow.
    """

    model: str
    adapter: str | None = None
    device: str = "auto"
    dtype: str = "auto"
    trust_remote_code: bool = False

    @property
    def name(self) -> str:
        """What identifies the answers: a folder's files may be replaced under the same path, so they are part of it."""
        parts = [_weights_identity(self.model)] + ([_weights_identity(self.adapter)] if self.adapter else [])
        return "+".join(parts) + ("" if self.dtype == "auto" else f"#{self.dtype}")


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedModel:
    """A model ready to write, with what is needed to put a question to it. `ends` are the tokens that end an answer."""

    model: Any
    processor: Any
    ends: tuple[int, ...]
    context: int
    vocabulary: int


def load(weights: Weights) -> LoadedModel:
    """The model, its adapter merged in, in evaluation mode; ConfigError says what a checkpoint lacks."""
    model = _with_adapter(_model(weights), weights.adapter)
    model.eval()
    processor = open_processor(weights.model, trust_remote_code=weights.trust_remote_code)
    processor.tokenizer.padding_side = "left"
    stated = getattr(model.generation_config, "eos_token_id", None)
    listed = [*(stated if isinstance(stated, list) else [stated]), processor.tokenizer.eos_token_id]
    ends = tuple(dict.fromkeys(number for number in listed if number is not None))
    # A checkpoint's own sampling habits (temperature, repetition penalty) would change what a request asks for.
    model.generation_config = GenerationConfig(  # type: ignore[no-untyped-call]
        do_sample=False, eos_token_id=list(ends), pad_token_id=processor.tokenizer.pad_token_id or ends[0]
    )
    text = model.config.get_text_config()
    return LoadedModel(
        model=model, processor=processor, ends=ends, context=int(getattr(text, "max_position_embeddings", 32768)),
        vocabulary=int(text.vocab_size),
    )  # fmt: skip


def open_processor(model: str, *, trust_remote_code: bool = False) -> Any:
    """What makes a model's inputs: its image processor and its tokenizer, and what it has for films where that loads.

    Films need torchvision, which no picture does: where it is not installed, the processor is put together from the
    parts that pictures need. A torchvision that is there but made for another torch is named, with what to do.
    """
    weights = Weights(model=model, trust_remote_code=trust_remote_code)
    if (released := _released_internvl(model)) is not None:
        return open_internvl_processor(released)
    try:
        from torchvision import transforms  # type: ignore[import-untyped]  # noqa: F401
    except ModuleNotFoundError:
        return _picture_processor(weights)
    except (ImportError, RuntimeError, OSError) as error:
        raise ConfigError(
            f"torchvision is installed, but not for this torch ({short_reason(error)}); pictures do not need it: "
            f"pip uninstall torchvision"
        ) from error
    return _from_pretrained(AutoProcessor, weights, {})


def _released_internvl(model: str) -> Path | None:
    return None if model.startswith(_SHIPPED) else released_folder(model)


def _picture_processor(weights: Weights) -> Any:
    """A processor of the model's own class without its part for films.

    Its parts are those that its constructor names, so a subclass whose constructor names two has two.
    """
    kind = str(_from_pretrained(AutoConfig, weights, {}).model_type)
    name = PROCESSOR_MAPPING_NAMES.get(kind)
    whole = getattr(transformers, str(name), None)
    if whole is None:
        raise MissingExtraError(f"the model {weights.model!r}", extra="local", missing="torchvision")

    def construct(self: Any, image_processor: Any = None, tokenizer: Any = None, chat_template: Any = None) -> None:
        whole.__init__(self, image_processor, tokenizer, None, chat_template=chat_template)

    pictures = _from_pretrained(AutoImageProcessor, weights, {"backend": "pil"})
    tokenizer = _from_pretrained(AutoTokenizer, weights, {})
    made = type(str(name), (whole,), {"__init__": construct})
    return made(pictures, tokenizer, chat_template=tokenizer.chat_template)


def _weights_identity(model: str) -> str:
    """A hub name as it is; a folder as its name and a digest of its files' names, sizes and times.

    >>> _weights_identity("Qwen/Qwen2.5-VL-7B-Instruct")
    'Qwen/Qwen2.5-VL-7B-Instruct'
    """
    folder = Path(model)
    if model.startswith(_SHIPPED):
        digest = hashlib.sha256((place(model) / "model.safetensors").read_bytes()).hexdigest()
        return f"{model}@{digest[:12]}"  # by content: an installed file's time says nothing
    if not folder.is_dir():
        return model
    files = sorted((path.name, path.stat()) for path in folder.iterdir() if path.is_file())
    listing = "\n".join(f"{name} {status.st_size} {status.st_mtime_ns}" for name, status in files)
    return f"{folder.resolve().name}@{hashlib.sha256(listing.encode()).hexdigest()[:12]}"


def place(model: str) -> Path:
    """The folder of a model that we ship; ConfigError names those there are."""
    models = Path(str(files("evpv.backends") / "shipped"))
    found = models / model.removeprefix(_SHIPPED)
    if not (found / "config.json").is_file():
        raise unknown_name("shipped model", model, [f"{_SHIPPED}{one.name}" for one in sorted(models.glob("*/"))])
    return found


def _model(weights: Weights) -> Any:
    usual = "cuda" if torch.cuda.is_available() else "cpu"
    device = usual if weights.device == "auto" else weights.device
    if weights.dtype not in ("auto", *_DTYPES):
        raise ConfigError(f"there is no dtype {weights.dtype!r}; there are: auto, {', '.join(_DTYPES)}.")
    unsaid = torch.float32 if device == "cpu" else "auto"
    settings: dict[str, Any] = {"dtype": _DTYPES.get(weights.dtype, unsaid), "use_safetensors": True}
    if (released := _released_internvl(weights.model)) is not None:
        return open_released_internvl(released, settings["dtype"]).to("cuda" if device == "spread" else device)
    if device == "spread":
        return _from_pretrained(AutoModelForImageTextToText, weights, settings | {"device_map": "auto"})
    return _from_pretrained(AutoModelForImageTextToText, weights, settings).to(device)


def _from_pretrained(kind: Any, weights: Weights, settings: dict[str, Any]) -> Any:
    source = place(weights.model) if weights.model.startswith(_SHIPPED) else weights.model
    try:
        return kind.from_pretrained(source, trust_remote_code=weights.trust_remote_code, **settings)
    except (OSError, ValueError, ImportError) as error:
        said = next((advice for word, advice in _ADVICE.items() if word in str(error)), short_reason(error))
        raise ConfigError(f"the model {weights.model!r} cannot be loaded: {said}") from error


def short_reason(error: Exception) -> str:
    """What an error says, on one line, as far as a person reads."""
    return " ".join(str(error).split())[:400] or type(error).__name__


def _with_adapter(model: Any, adapter: str | None) -> Any:
    """The model with a LoRA adapter merged in: as fast as without, and the same classes as before."""
    if adapter is None:
        return model
    folder = Path(adapter)
    if not folder.is_dir():
        try:  # the two files, so that nothing else of it is ever opened
            folder = Path(snapshot_download(adapter, allow_patterns=["adapter_config.json", _ADAPTER_WEIGHTS]))
        except (OSError, ValueError) as error:
            raise ConfigError(f"the adapter {adapter!r} is no folder, and the hub did not give it: {error}") from error
    if not (folder / _ADAPTER_WEIGHTS).is_file():
        raise ConfigError(
            f"the adapter {adapter!r} has no {_ADAPTER_WEIGHTS}; pickled weights (.bin) are never opened."
        )
    try:
        from peft import PeftModel
    except ImportError as error:
        raise MissingExtraError("a LoRA adapter", extra="train", missing="peft") from error
    try:
        return PeftModel.from_pretrained(model, folder).merge_and_unload()
    except (OSError, ValueError, RuntimeError, KeyError) as error:
        raise ConfigError(f"the adapter {adapter!r} does not fit the model: {short_reason(error)}") from error
