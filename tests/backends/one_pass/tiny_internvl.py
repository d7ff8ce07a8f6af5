"""A tiny InternVL in the classes of the released checkpoints: what VisualPRM and MM-PRM are made of."""

from __future__ import annotations

from pathlib import Path

import torch
from transformers import (
    GotOcr2ImageProcessor,
    InternVLConfig,
    InternVLForConditionalGeneration,
    InternVLProcessor,
    InternVLVideoProcessor,
    Qwen2Tokenizer,
)

from evpv.training.architecture import _CHAT_TEMPLATE, _make_tokenizer

IMAGE_PX, PATCH_PX = 56, 14
CELLS = (IMAGE_PX // PATCH_PX // 2) ** 2
NAMES = {
    "start_image_token": "<img>",
    "end_image_token": "</img>",
    "context_image_token": "<IMG_CONTEXT>",
    "video_token": "<video>",
    "step_token": "<prm>",
}
SENTENCES = ("Yes No Question Process AB = 12 cm, so angle ABC is 65 degrees. The answer is 25.",) * 3


def build_internvl(folder: Path, hidden: int = 64) -> Path:
    """Save an untrained model whose marker is <prm>, with "Yes" and "No" as tokens, and return its folder.

    vLLM on a CPU wants heads of 32, so a width of 128.
    """
    bare = _make_tokenizer(SENTENCES, 512)
    tokenizer = Qwen2Tokenizer(
        tokenizer_object=bare._tokenizer,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        unk_token=None,
        bos_token=None,
        extra_special_tokens=NAMES,
    )
    size = {"hidden_size": hidden, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128}
    config = InternVLConfig(
        text_config={
            **size,
            "model_type": "qwen2",
            "vocab_size": -(-len(tokenizer) // 64) * 64,
            "num_key_value_heads": 2,
            "initializer_range": 0.15,
        },
        vision_config={**size, "image_size": [IMAGE_PX, IMAGE_PX], "patch_size": [PATCH_PX, PATCH_PX]},
        image_token_id=tokenizer.convert_tokens_to_ids("<IMG_CONTEXT>"),
        image_seq_length=CELLS,
    )
    torch.manual_seed(0)
    InternVLForConditionalGeneration(config).save_pretrained(folder)
    pictures = GotOcr2ImageProcessor(size={"height": IMAGE_PX, "width": IMAGE_PX}, crop_to_patches=False)
    template = _CHAT_TEMPLATE.replace("<|vision_start|><|image_pad|><|vision_end|>", "<IMG_CONTEXT>\n")
    InternVLProcessor(
        image_processor=pictures,
        tokenizer=tokenizer,
        video_processor=InternVLVideoProcessor(),
        image_seq_length=CELLS,
        chat_template=template,
    ).save_pretrained(folder)
    return folder
