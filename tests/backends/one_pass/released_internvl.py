"""A tiny random checkpoint in the layout that InternVL models are released in, and its network written out plainly.

The plain network is the truth that the renamed weights are held against: it reads the released names and knows nothing of
transformers' classes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from torch.nn import functional
from transformers import PreTrainedTokenizerFast
from transformers.utils import sentencepiece_model_pb2_new as sentencepiece

from evpv.training.architecture import _make_tokenizer

SIDE, PATCH, WIDE, HEADS, GROUPS, INNER, LAYERS = 56, 14, 32, 4, 2, 64, 2
CELLS = (SIDE // PATCH) ** 2 // 4
SPECIALS = ("<|im_start|>", "<|im_end|>", "<img>", "</img>", "<IMG_CONTEXT>", "<video>", "<prm>")
WORDS = (
    "▁Find",
    "▁the",
    "▁answer",
    "So",
    "Question",
    "Solution",
    "▁Process",
    "user",
    "assistant",
    "system",
    "Yes",
    "No",
)


def build_released(folder: Path, language: str, *, qk_norm: bool = False) -> Path:
    """Save an untrained model as VisualPRM is released: `internvl_chat`, InternLM2 or Qwen2, and its own tokenizer."""
    folder.mkdir(parents=True)
    count = write_sentencepiece(folder) if language == "InternLM2ForCausalLM" else write_byte_level(folder)
    config = {
        "architectures": ["InternVLRewardModel"], "model_type": "internvl_chat", "downsample_ratio": 0.5,
        "dynamic_image_size": True, "force_image_size": SIDE, "max_dynamic_patch": 6, "min_dynamic_patch": 1,
        "ps_version": "v2", "select_layer": -1, "use_thumbnail": True, "template": "internvl2_5",
        "vision_config": {
            "hidden_size": WIDE, "intermediate_size": INNER, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS,
            "image_size": SIDE, "patch_size": PATCH, "qkv_bias": not qk_norm, "qk_normalization": qk_norm,
            "norm_type": "rms_norm" if qk_norm else "layer_norm", "layer_norm_eps": 1e-6, "hidden_act": "gelu",
        },
        "llm_config": {
            "architectures": [language], "vocab_size": count, "hidden_size": WIDE, "intermediate_size": INNER,
            "num_hidden_layers": LAYERS, "num_attention_heads": HEADS, "num_key_value_heads": GROUPS, "hidden_act": "silu",
            "rms_norm_eps": 1e-5, "rope_theta": 1_000_000, "max_position_embeddings": 32_768,
            "rope_scaling": {"type": "dynamic", "factor": 2.0} if language == "InternLM2ForCausalLM" else None,
        },
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    shapes = {**vision_shapes(qk_norm), **language_shapes(language, count)}
    random = torch.Generator().manual_seed(3)
    weights = {name: 0.15 * torch.randn(shape, generator=random) for name, shape in shapes.items()}
    for name in weights:
        if ("norm" in name and name.endswith("weight")) or name.endswith(("ls1", "ls2")):
            weights[name] += 1.0
    save_file(weights, folder / "model.safetensors")
    return folder


def vision_shapes(qk_norm: bool) -> dict[str, tuple[int, ...]]:
    start, joined = "vision_model.embeddings.", 4 * WIDE
    shapes: dict[str, tuple[int, ...]] = {
        start + "class_embedding": (1, 1, WIDE), start + "position_embedding": (1, (SIDE // PATCH) ** 2 + 1, WIDE),
        start + "patch_embedding.weight": (WIDE, 3, PATCH, PATCH), start + "patch_embedding.bias": (WIDE,),
        "mlp1.0.weight": (joined,), "mlp1.0.bias": (joined,), "mlp1.1.weight": (WIDE, joined), "mlp1.1.bias": (WIDE,),
        "mlp1.3.weight": (WIDE, WIDE), "mlp1.3.bias": (WIDE,),
    }  # fmt: skip
    for layer in range(LAYERS):
        at = f"vision_model.encoder.layers.{layer}."
        shapes |= {
            at + "attn.qkv.weight": (3 * WIDE, WIDE), at + "attn.proj.weight": (WIDE, WIDE), at + "attn.proj.bias": (WIDE,),
            at + "mlp.fc1.weight": (INNER, WIDE), at + "mlp.fc1.bias": (INNER,), at + "mlp.fc2.weight": (WIDE, INNER),
            at + "mlp.fc2.bias": (WIDE,), at + "norm1.weight": (WIDE,), at + "norm2.weight": (WIDE,),
            at + "ls1": (WIDE,), at + "ls2": (WIDE,),
        }  # fmt: skip
        if qk_norm:
            shapes |= {at + "attn.q_norm.weight": (WIDE,), at + "attn.k_norm.weight": (WIDE,)}
        else:
            shapes |= {at + "attn.qkv.bias": (3 * WIDE,), at + "norm1.bias": (WIDE,), at + "norm2.bias": (WIDE,)}
    return shapes


def language_shapes(language: str, count: int) -> dict[str, tuple[int, ...]]:
    key = GROUPS * WIDE // HEADS
    if language == "InternLM2ForCausalLM":
        start = "language_model.model."
        shapes = {start + "tok_embeddings.weight": (count, WIDE), "language_model.output.weight": (count, WIDE)}
        for layer in range(LAYERS):
            at = f"{start}layers.{layer}."
            shapes |= {
                at + "attention.wqkv.weight": (WIDE + 2 * key, WIDE), at + "attention.wo.weight": (WIDE, WIDE),
                at + "feed_forward.w1.weight": (INNER, WIDE), at + "feed_forward.w3.weight": (INNER, WIDE),
                at + "feed_forward.w2.weight": (WIDE, INNER),
                at + "attention_norm.weight": (WIDE,), at + "ffn_norm.weight": (WIDE,),  # type: ignore[dict-item]
            }  # fmt: skip
        return {**shapes, start + "norm.weight": (WIDE,)}
    start = "language_model.model."
    found: dict[str, tuple[int, ...]] = {
        start + "embed_tokens.weight": (count, WIDE),
        "language_model.lm_head.weight": (count, WIDE),
    }
    for layer in range(LAYERS):
        at = f"{start}layers.{layer}."
        for kind, width in (("q", WIDE), ("k", key), ("v", key)):
            found |= {at + f"self_attn.{kind}_proj.weight": (width, WIDE), at + f"self_attn.{kind}_proj.bias": (width,)}
        found |= {
            at + "self_attn.o_proj.weight": (WIDE, WIDE), at + "mlp.gate_proj.weight": (INNER, WIDE),
            at + "mlp.up_proj.weight": (INNER, WIDE), at + "mlp.down_proj.weight": (WIDE, INNER),
            at + "input_layernorm.weight": (WIDE,), at + "post_attention_layernorm.weight": (WIDE,),
        }  # fmt: skip
    return {**found, start + "norm.weight": (WIDE,)}


def write_sentencepiece(folder: Path) -> int:
    """A SentencePiece BPE with bytes to fall back on; special tokens follow, as InternLM2's do."""
    pieces = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    letters = sorted({letter for word in WORDS for letter in word} | set("▁+-=.#:0123456789ABCD\n"))
    parts = {word[:end] for word in WORDS for end in range(2, len(word) + 1)}
    pieces += letters + sorted(parts, key=lambda text: (len(text), text))
    proto: Any = sentencepiece.ModelProto()
    for number, text in enumerate(pieces):
        kind = {0: 2, 1: 3, 2: 3}.get(number, 6 if text.startswith("<0x") else 1)
        proto.pieces.add(piece=text, score=-float(number), type=kind)
    proto.trainer_spec.model_type = 2
    proto.normalizer_spec.add_dummy_prefix = False
    (folder / "tokenizer.model").write_bytes(proto.SerializeToString())
    added = {text: len(pieces) + place for place, text in enumerate(SPECIALS)}
    write_tokenizer_config(folder, added, add_bos_token=True)
    return len(pieces) + len(SPECIALS)


def write_byte_level(folder: Path) -> int:
    inner = _make_tokenizer(["Find the answer. So AB = 12, Yes or No."] * 3, 320)._tokenizer
    count = inner.get_vocab_size()
    plain: Any = PreTrainedTokenizerFast(tokenizer_object=inner)
    plain.backend_tokenizer.save(str(folder / "tokenizer.json"))
    missing = [text for text in SPECIALS if inner.token_to_id(text) is None]
    write_tokenizer_config(folder, {text: count + place for place, text in enumerate(missing)}, add_bos_token=False)
    return int(count + len(missing))


def write_tokenizer_config(folder: Path, added: dict[str, int], **more: Any) -> None:
    decoder = {str(number): {"content": text, "special": True} for text, number in added.items()}
    settings = {"added_tokens_decoder": decoder, "eos_token": "<|im_end|>", "pad_token": "<|im_end|>", **more}
    settings["auto_map"] = {"AutoTokenizer": ["tokenization_internlm2.InternLM2Tokenizer", None]}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainInternVL:
    """The network by its released names, one line of arithmetic after another."""

    weights: dict[str, Tensor]
    language: str

    @classmethod
    def read(cls, folder: Path) -> PlainInternVL:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        return cls(weights=load_file(folder / "model.safetensors"), language=config["llm_config"]["architectures"][0])

    def logits(self, ids: Tensor, tiles: Tensor, picture_token: int) -> Tensor:
        """The logits of one text whose picture tokens are the tiles' cells."""
        words = self("language_model.model." + ("tok_embeddings" if self._fused else "embed_tokens"))[ids].clone()
        words[ids == picture_token] = self.cells(tiles).reshape(-1, WIDE)
        for layer in range(LAYERS):
            words = self._block(words, f"language_model.model.layers.{layer}.")
        last = rms(words, self("language_model.model.norm"), 1e-5)
        return last @ self("language_model.output" if self._fused else "language_model.lm_head").T

    def cells(self, tiles: Tensor) -> Tensor:
        at = "vision_model.embeddings."
        patches = functional.conv2d(
            tiles, self(at + "patch_embedding"), self.weights[at + "patch_embedding.bias"], PATCH
        )
        first = self.weights[at + "class_embedding"].expand(len(tiles), 1, -1)
        seen = torch.cat([first, patches.flatten(2).transpose(1, 2)], 1) + self.weights[at + "position_embedding"]
        for layer in range(LAYERS):
            seen = self._sight(seen, f"vision_model.encoder.layers.{layer}.")
        side = SIDE // PATCH
        grid = seen[:, 1:].reshape(-1, side, side, WIDE)
        # four neighbours become one cell; within it the row of the pair comes before its column
        joined = grid.reshape(-1, side // 2, 2, side // 2, 2, WIDE).permute(0, 1, 3, 2, 4, 5)
        flat = joined.reshape(len(tiles), CELLS, 4 * WIDE)
        normal = functional.layer_norm(flat, (4 * WIDE,), self("mlp1.0"), self.weights["mlp1.0.bias"])
        inner = functional.gelu(normal @ self("mlp1.1").T + self.weights["mlp1.1.bias"])
        return inner @ self("mlp1.3").T + self.weights["mlp1.3.bias"]

    def __call__(self, name: str) -> Tensor:
        return self.weights[name + ".weight"]

    @property
    def _fused(self) -> bool:
        return self.language == "InternLM2ForCausalLM"

    def _sight(self, x: Tensor, at: str) -> Tensor:
        qkv = self._normal(x, at + "norm1") @ self(at + "attn.qkv").T + self.weights.get(at + "attn.qkv.bias", 0.0)
        q, k, v = qkv.chunk(3, -1)
        if at + "attn.q_norm.weight" in self.weights:
            q, k = rms(q, self(at + "attn.q_norm"), 1e-6), rms(k, self(at + "attn.k_norm"), 1e-6)
        q, k, v = (part.unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in (q, k, v))
        shares = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).softmax(-1)
        mixed = (shares @ v).transpose(1, 2).flatten(2)
        x = x + self.weights[at + "ls1"] * (mixed @ self(at + "attn.proj").T + self.weights[at + "attn.proj.bias"])
        inner = functional.gelu(
            self._normal(x, at + "norm2") @ self(at + "mlp.fc1").T + self.weights[at + "mlp.fc1.bias"]
        )
        return x + self.weights[at + "ls2"] * (inner @ self(at + "mlp.fc2").T + self.weights[at + "mlp.fc2.bias"])

    def _normal(self, x: Tensor, name: str) -> Tensor:
        if name + ".bias" not in self.weights:
            return rms(x, self(name), 1e-6)
        return functional.layer_norm(x, (WIDE,), self(name), self.weights[name + ".bias"], 1e-6)

    def _block(self, x: Tensor, at: str) -> Tensor:
        width = WIDE // HEADS
        if self._fused:
            normal = rms(x, self(at + "attention_norm"), 1e-5)
            grouped = (normal @ self(at + "attention.wqkv").T).view(-1, GROUPS, HEADS // GROUPS + 2, width)
            q, k, v = grouped[:, :, :-2].reshape(-1, HEADS, width), grouped[:, :, -2], grouped[:, :, -1]
        else:
            normal = rms(x, self(at + "input_layernorm"), 1e-5)
            q, k, v = (
                (normal @ self(at + f"self_attn.{kind}_proj").T + self.weights[at + f"self_attn.{kind}_proj.bias"]).view(len(x), -1, width)
                for kind in "qkv"
            )  # fmt: skip
        q, k = turned(q), turned(k)
        k, v = (part.repeat_interleave(HEADS // GROUPS, 1) for part in (k, v))
        shares = torch.einsum("ihd,jhd->hij", q, k) / width**0.5
        hidden = torch.ones(len(x), len(x)).triu(1).bool()
        mixed = torch.einsum("hij,jhd->ihd", shares.masked_fill(hidden, -torch.inf).softmax(-1), v).flatten(1)
        x = x + mixed @ self(at + ("attention.wo" if self._fused else "self_attn.o_proj")).T
        names = ("ffn_norm", "feed_forward.w1", "feed_forward.w3", "feed_forward.w2")
        plain = ("post_attention_layernorm", "mlp.gate_proj", "mlp.up_proj", "mlp.down_proj")
        norm, gate, up, down = (self(at + name) for name in (names if self._fused else plain))
        normal = rms(x, norm, 1e-5)
        return x + (functional.silu(normal @ gate.T) * (normal @ up.T)) @ down.T


def rms(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    return x / (x.pow(2).mean(-1, keepdim=True) + eps).sqrt() * weight


def turned(x: Tensor) -> Tensor:
    """Rotary positions: the first half of a head's numbers against the second."""
    width = x.shape[-1]
    speeds = 1_000_000.0 ** -(torch.arange(0, width, 2) / width)
    angle = torch.arange(len(x))[:, None, None] * speeds
    first, second = x.chunk(2, -1)
    return torch.cat([first * angle.cos() - second * angle.sin(), second * angle.cos() + first * angle.sin()], -1)
