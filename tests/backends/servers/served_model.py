"""The model that all servers serve: tiny, untrained, with Qwen's own tokenizer, and sure enough of itself to compare."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import torch
from qwen_tokenizer import qwen_tokenizer
from transformers import GenerationConfig, Qwen2_5_VLForConditionalGeneration

from evpv.training import architecture

SHARPNESS = 8.0
"""An untrained model finds all 152,000 tokens nearly equally likely; any error would then look small."""


def build_served_model(folder: Path, ranks_file: Path) -> Path:
    """Save a Qwen2.5-VL of 20 million parameters, nearly all of them the vocabulary's (80 MB)."""
    tokenizer = qwen_tokenizer(ranks_file)
    # llama.cpp's converter wants four vision layers, the second and the last with full attention.
    size = replace(
        architecture.SIZES["toy"], hidden=128, vision_layers=4, full_attention=(1, 3), pixels=(56 * 56, 448 * 448)
    )
    torch.manual_seed(0)
    model = Qwen2_5_VLForConditionalGeneration(architecture._config(size, tokenizer))
    with torch.no_grad():
        model.model.language_model.norm.weight.mul_(SHARPNESS)
    ends = tokenizer.convert_tokens_to_ids(["<|im_end|>", "<|endoftext|>"])
    model.generation_config = GenerationConfig(eos_token_id=ends, pad_token_id=tokenizer.pad_token_id)
    model.save_pretrained(folder)
    architecture._processor(size, tokenizer).save_pretrained(folder)
    return folder
