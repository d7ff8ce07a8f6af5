"""Qwen's published tokenizer, rebuilt from the ranks that the package dashscope carries.

llama.cpp knows a tokenizer by how it cuts a test text, so a home-made one cannot be served by it. The ranks say which
byte strings are tokens and in which order they were made; the merges are found by replaying that order.
"""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers
from transformers import Qwen2TokenizerFast
from transformers.convert_slow_tokenizer import bytes_to_unicode

from evpv.training.architecture import _SPECIALS

# In the order of their ids, 151643 and on.
_REAL_SPECIALS = (
    *_SPECIALS, "<tool_call>", "</tool_call>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|fim_pad|>",
    "<|repo_name|>", "<|file_sep|>",
)  # fmt: skip
_PIECES = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def qwen_tokenizer(ranks_file: Path) -> Any:
    """The tokenizer of Qwen2.5-VL: 151,643 byte strings and 22 special tokens."""
    ranks = _read_ranks(ranks_file)
    letters = bytes_to_unicode()
    written = {token: "".join(letters[byte] for byte in token) for token in ranks}
    merges = [tuple(written[part] for part in _halves(token, ranks)) for token in ranks if len(token) > 1]
    model = models.BPE({written[token]: rank for token, rank in ranks.items()}, merges)
    tokenizer = Tokenizer(model)
    tokenizer.normalizer = normalizers.NFC()
    cut = pre_tokenizers.Split(Regex(_PIECES), "isolated")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [cut, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(name, special=True, normalized=False) for name in _REAL_SPECIALS])
    return Qwen2TokenizerFast(
        tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>", unk_token=None, bos_token=None,
        additional_special_tokens=list(_SPECIALS[2:]), model_max_length=32768,
    )  # fmt: skip


def _read_ranks(path: Path) -> dict[bytes, int]:
    pairs = (line.split() for line in path.read_bytes().splitlines() if line)
    return {base64.b64decode(token): int(rank) for token, rank in pairs}


def _halves(token: bytes, ranks: dict[bytes, int]) -> tuple[bytes, bytes]:
    """The two tokens that this one was merged from: what BPE leaves of its bytes when only earlier merges are known."""
    own = ranks[token]
    parts = [bytes([byte]) for byte in token]
    while len(parts) > 2:
        joined = [ranks.get(parts[i] + parts[i + 1], own) for i in range(len(parts) - 1)]
        at = min(range(len(joined)), key=joined.__getitem__)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return parts[0], parts[1]
