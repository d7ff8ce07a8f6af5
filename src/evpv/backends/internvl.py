"""InternVL checkpoints as their authors release them (VisualPRM, MM-PRM), opened in transformers' own classes.

Released as `internvl_chat`, with Python of their own that we do not run. transformers has the same network under other
names: weights are renamed while they are read, fused projections are cut apart, and InternLM2 is a Llama. Pictures are
cut into tiles of 448 pixels, at most twelve and a small whole.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
import transformers
from huggingface_hub import hf_hub_download, snapshot_download
from safetensors.torch import load_file
from tokenizers import AddedToken, Tokenizer, decoders, normalizers, processors
from tokenizers.models import BPE
from torch import Tensor

from evpv.errors import ConfigError

_RELEASED = "internvl_chat"
_CHAT_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{% if message['content'] is string %}{{ message['content'] }}"
    "{% else %}{% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}<IMG_CONTEXT>\n{% elif 'text' in part %}{{ part['text'] }}{% endif %}"
    "{% endfor %}{% endif %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
_NAMED_TOKENS = {
    "start_image_token": "<img>",
    "end_image_token": "</img>",
    "context_image_token": "<IMG_CONTEXT>",
    "video_token": "<video>",
}
_MEAN, _DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
_LANGUAGES = {"InternLM2ForCausalLM": "llama", "LlamaForCausalLM": "llama", "Qwen2ForCausalLM": "qwen2"}
_SIZES = ("hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads")
_VISION = r"^vision_model\.encoder\.layers\.(\d+)\."
_LAYER = r"^language_model\.model\.layers\.(\d+)\."
_TOWER, _TEXT = r"model.vision_tower.encoder.layer.\1.", r"model.language_model.layers.\1."
_NAMES: tuple[tuple[str, str], ...] = (
    (r"^vision_model\.embeddings\.class_embedding$", "model.vision_tower.embeddings.cls_token"),
    (r"^vision_model\.embeddings\.position_embedding$", "model.vision_tower.embeddings.position_embeddings"),
    (r"^vision_model\.embeddings\.patch_embedding\.", "model.vision_tower.embeddings.patch_embeddings.projection."),
    (_VISION + r"ls(\d)$", _TOWER + r"lambda_\2"),
    (_VISION + r"norm1\.", _TOWER + "layernorm_before."),
    (_VISION + r"norm2\.", _TOWER + "layernorm_after."),
    (_VISION + r"attn\.proj\.", _TOWER + "attention.projection_layer."),
    (_VISION + r"attn\.", _TOWER + "attention."),
    (_VISION + r"mlp\.", _TOWER + "mlp."),
    (r"^mlp1\.0\.", "model.multi_modal_projector.layer_norm."),
    (r"^mlp1\.1\.", "model.multi_modal_projector.linear_1."),
    (r"^mlp1\.3\.", "model.multi_modal_projector.linear_2."),
    (r"^language_model\.(?:output|lm_head)\.", "lm_head."),
    (r"^language_model\.model\.tok_embeddings\.", "model.language_model.embed_tokens."),
    (_LAYER + r"attention_norm\.", _TEXT + "input_layernorm."),
    (_LAYER + r"ffn_norm\.", _TEXT + "post_attention_layernorm."),
    (_LAYER + r"attention\.wo\.", _TEXT + "self_attn.o_proj."),
    (_LAYER + r"attention\.(w[qkv])\.", _TEXT + r"self_attn.\2."),
    (_LAYER + r"feed_forward\.w1\.", _TEXT + "mlp.gate_proj."),
    (_LAYER + r"feed_forward\.w3\.", _TEXT + "mlp.up_proj."),
    (_LAYER + r"feed_forward\.w2\.", _TEXT + "mlp.down_proj."),
    (r"^language_model\.model\.", "model.language_model."),
)
"""The released names → transformers', the first that fits; projections that were one are cut before."""


def released_folder(model: str) -> Path | None:
    """The folder of a checkpoint in the released InternVL form, brought from the hub if need be; None for all others."""
    folder = Path(model)
    try:
        config = folder / "config.json" if folder.is_dir() else Path(hf_hub_download(model, "config.json"))
        kind = json.loads(config.read_text(encoding="utf-8")).get("model_type")
    except (OSError, ValueError):
        return None  # whoever opens it next says what is wrong
    if kind != _RELEASED or folder.is_dir():
        return folder if kind == _RELEASED else None
    kept = ["*.safetensors", "*.json", "tokenizer.model", "*.txt"]  # and none of its Python
    try:
        return Path(snapshot_download(model, allow_patterns=kept))
    except (OSError, ValueError) as error:
        raise ConfigError(f"the model {model!r} is no folder, and the hub did not give it: {error}") from error


def open_released_internvl(folder: Path, dtype: Any) -> Any:
    """The model with its weights renamed; ConfigError names what is left over or missing."""
    config = _config(json.loads((folder / "config.json").read_text(encoding="utf-8")))
    config.image_token_id = open_internvl_processor(folder).image_token_id
    with torch.device("meta"):
        wanted = set(transformers.InternVLForConditionalGeneration(config).state_dict())
    weights = dict(_renamed_weights(folder, config))
    missing, strange = sorted(wanted - set(weights)), sorted(set(weights) - wanted)
    if missing or strange:
        raise ConfigError(
            f"{folder.name} is no InternVL checkpoint that we know: {len(missing)} weights are missing"
            f" ({', '.join(missing[:2])}), {len(strange)} are strange ({', '.join(strange[:2])})."
        )
    stated = next(iter(weights.values())).dtype if dtype == "auto" else dtype
    return transformers.InternVLForConditionalGeneration.from_pretrained(
        None, config=config, state_dict=weights, dtype=stated
    )


def open_internvl_processor(folder: Path) -> Any:
    """Tiles and tokens as the authors make them: InternLM2's or Qwen2's tokenizer, a `<s>` before the first turn if it has one."""
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    side = int(config.get("force_image_size") or config["vision_config"]["image_size"])
    pictures = transformers.GotOcr2ImageProcessorPil(
        size={"height": side, "width": side}, crop_to_patches=bool(config.get("dynamic_image_size", True)),
        min_patches=int(config.get("min_dynamic_patch", 1)), max_patches=int(config.get("max_dynamic_patch", 12)),
        image_mean=list(_MEAN), image_std=list(_DEVIATION),
    )  # fmt: skip
    cells = (side // int(config["vision_config"]["patch_size"])) ** 2 * float(config["downsample_ratio"]) ** 2
    tokenizer = _tokenizer(folder)
    return _PictureProcessor(pictures, tokenizer, image_seq_length=int(cells), chat_template=_CHAT_TEMPLATE)


class _PictureProcessor(transformers.InternVLProcessor):
    """transformers' processor without its part for films: its parts are those that its constructor names."""

    def __init__(
        self, image_processor: Any = None, tokenizer: Any = None, image_seq_length: int = 256, chat_template: Any = None
    ) -> None:
        super().__init__(image_processor, tokenizer, None, image_seq_length, chat_template)


def _config(released: Mapping[str, Any]) -> transformers.InternVLConfig:
    vision, language = released["vision_config"], released["llm_config"]
    name = (language.get("architectures") or ["?"])[0]
    if name not in _LANGUAGES:
        raise ConfigError(f"an InternVL with the language model {name} is not known; known: {', '.join(_LANGUAGES)}.")
    side = int(released.get("force_image_size") or vision["image_size"])
    patch = int(vision["patch_size"])
    return transformers.InternVLConfig(
        vision_config={
            **{name: vision[name] for name in _SIZES},
            "hidden_act": vision.get("hidden_act", "gelu"),
            "layer_norm_eps": vision.get("layer_norm_eps", 1e-6),
            "norm_type": vision.get("norm_type", "layer_norm"),
            "attention_bias": bool(vision.get("qkv_bias", True)),
            "use_qk_norm": bool(vision.get("qk_normalization", False)),
            "image_size": [side, side],
            "patch_size": [patch, patch],
        },
        text_config=_text_config(language, _LANGUAGES[name]),
        downsample_ratio=released["downsample_ratio"],
        vision_feature_layer=released.get("select_layer", -1),
        image_seq_length=int((side // patch) ** 2 * float(released["downsample_ratio"]) ** 2),
        tie_word_embeddings=bool(language.get("tie_word_embeddings", False)),
    )


def _text_config(language: Mapping[str, Any], kind: str) -> dict[str, Any]:
    kept = (
        *_SIZES, "vocab_size", "hidden_act", "num_key_value_heads", "max_position_embeddings", "rms_norm_eps",
        "bos_token_id", "eos_token_id", "pad_token_id",
    )  # fmt: skip
    scaling = dict(language.get("rope_scaling") or {})
    rope = {"rope_type": scaling.pop("type", scaling.pop("rope_type", "default")), **scaling}
    return {
        "model_type": kind,
        **{key: language[key] for key in kept if language.get(key) is not None},
        "rope_parameters": {**rope, "rope_theta": float(language.get("rope_theta", 10_000.0))},
        "tie_word_embeddings": bool(language.get("tie_word_embeddings", False)),
    }


def _renamed_weights(folder: Path, config: transformers.InternVLConfig) -> Iterator[tuple[str, Tensor]]:
    files = sorted(folder.glob("*.safetensors"))
    if not files:
        raise ConfigError(f"{folder.name} has no safetensors weights, and pickled ones (.bin) are never opened.")
    for file in files:
        for name, weight in load_file(file).items():
            for part, piece in _cut_projections(name, weight, config.text_config):
                renamed = (re.subn(pattern, replacement, part) for pattern, replacement in _NAMES)
                yield next((name for name, count in renamed if count), part), piece


def _cut_projections(name: str, weight: Tensor, text: Any) -> Iterator[tuple[str, Tensor]]:
    """Queries, keys and values apart: thirds in the vision tower, by groups of heads in InternLM2."""
    if ".attn.qkv." in name:
        for kind, piece in zip("qkv", weight.chunk(3), strict=True):
            yield name.replace(".qkv.", f".{kind}_proj."), piece.clone()
    elif ".attention.wqkv." in name:
        heads, groups = text.num_attention_heads, text.num_key_value_heads
        width = text.hidden_size // heads
        grouped = weight.view(groups, heads // groups + 2, width, -1)
        pieces = (grouped[:, :-2], grouped[:, -2], grouped[:, -1])
        for kind, piece in zip("qkv", pieces, strict=True):
            flat = piece.reshape(-1, weight.shape[1])
            yield name.replace("attention.wqkv.", f"self_attn.{kind}_proj."), flat.clone()
    else:
        yield name, weight


def _tokenizer(folder: Path) -> Any:
    """The checkpoint's own tokens: from `tokenizer.json`, Qwen2's two files, or InternLM2's SentencePiece model."""
    settings = _optional_json(folder / "tokenizer_config.json")
    stated = {_text_of(token): int(number) for number, token in settings.get("added_tokens_decoder", {}).items()}
    listed = {**stated, **_optional_json(folder / "added_tokens.json")}  # given to it after its training, by number
    added = dict(sorted(listed.items(), key=lambda pair: pair[1]))
    inner = _plain_tokenizer(folder, settings)
    inner.add_special_tokens([AddedToken(text, special=True, normalized=False) for text in added])
    wrong = [text for text, number in added.items() if inner.token_to_id(text) != number]
    if wrong:
        raise ConfigError(f"{folder.name}: the tokenizer's added tokens have other numbers than stated: {wrong[:3]}.")
    eos = _text_of(settings.get("eos_token")) or "<|im_end|>"
    return transformers.PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=inner,
        eos_token=eos,
        pad_token=_text_of(settings.get("pad_token")) or eos,
        model_max_length=32_768,
        extra_special_tokens=_NAMED_TOKENS,
    )


def _plain_tokenizer(folder: Path, settings: Mapping[str, Any]) -> Any:
    if (folder / "tokenizer.json").is_file():
        return Tokenizer.from_file(str(folder / "tokenizer.json"))
    if (folder / "vocab.json").is_file():
        return transformers.Qwen2Tokenizer.from_pretrained(folder, trust_remote_code=False)._tokenizer
    if (folder / "tokenizer.model").is_file():
        return _sentencepiece(folder / "tokenizer.model", bos=bool(settings.get("add_bos_token", True)))
    raise ConfigError(f"{folder.name} has no tokenizer: neither tokenizer.json, vocab.json nor tokenizer.model.")


def _optional_json(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def _text_of(token: Any) -> str:
    return str(token.get("content", "")) if isinstance(token, Mapping) else str(token or "")


def _sentencepiece(file: Path, *, bos: bool) -> Any:
    """InternLM2's BPE: a SentencePiece model with bytes to fall back on and, unless it says so, no blank put in front."""
    try:  # here and not above, so that other models load without it
        from transformers.utils import sentencepiece_model_pb2_new as sentencepiece
    except ModuleNotFoundError as error:
        raise ConfigError(f"{file.parent.name}: its tokenizer needs protobuf: pip install protobuf") from error
    proto: Any = sentencepiece.ModelProto()  # type: ignore[attr-defined]
    proto.ParseFromString(file.read_bytes())
    pieces = [(piece.piece, piece.score) for piece in proto.pieces]
    numbers = {text: number for number, (text, _) in enumerate(pieces)}
    found = sorted(  # the pairs of pieces that make another piece, the likeliest first
        (-score, numbers[text[:cut]], numbers[text[cut:]], (text[:cut], text[cut:]))
        for text, score in pieces
        for cut in range(1, len(text))
        if text[:cut] in numbers and text[cut:] in numbers
    )
    merges = [pair for *_, pair in found]
    inner = Tokenizer(BPE(numbers, merges, unk_token=pieces[0][0], fuse_unk=True, byte_fallback=True))
    blank = [normalizers.Prepend("▁")] if proto.normalizer_spec.add_dummy_prefix else []
    inner.normalizer = normalizers.Sequence([*blank, normalizers.Replace(" ", "▁")])
    inner.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    if bos:
        inner.post_processor = processors.TemplateProcessing(
            single="<s> $A", pair="<s> $A $B", special_tokens=[("<s>", numbers["<s>"])]
        )
    return inner
