"""Answers that cannot break their JSON Schema: xgrammar forbids every token that would.

Validity holds only for an answer that ends. White space is fixed, so an aimless model cannot fill its limit with it;
what else is unbounded is up to the schema (maxItems, maxLength, pattern), and an answer cut off is reported as such.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import torch
import xgrammar

from evpv.errors import BackendError

_CACHE_BYTES = 256_000_000


class Grammars:
    """Compiles schemas for one tokenizer, each once.

    `vocabulary` is the number of the model's logits, which models pad beyond the tokenizer's size.
    """

    def __init__(self, tokenizer: Any, *, vocabulary: int, ends: Sequence[int]):
        self._vocabulary = vocabulary
        info = xgrammar.TokenizerInfo.from_huggingface(tokenizer, vocab_size=vocabulary, stop_token_ids=list(ends))
        self._compiler = xgrammar.GrammarCompiler(info, max_threads=1, cache_limit_bytes=_CACHE_BYTES)

    def guide(self, schema: Mapping[str, Any]) -> Guide:
        """A fresh guide for one answer; a schema that has no grammar raises BackendError."""
        try:
            grammar = self._compiler.compile_json_schema(json.dumps(schema), any_whitespace=False)
        except RuntimeError as error:
            raise BackendError(f"the schema cannot be enforced while decoding: {_first_line(error)}") from error
        return Guide(xgrammar.GrammarMatcher(grammar), self._vocabulary)


class Guide:
    """Follows one answer and says which tokens may come next."""

    def __init__(self, matcher: xgrammar.GrammarMatcher, vocabulary: int):
        self._matcher = matcher
        self._mask = xgrammar.allocate_token_bitmask(1, vocabulary)

    def allowed(self, logits: torch.Tensor) -> torch.Tensor:
        """The logits of one position, those of forbidden tokens at minus infinity."""
        if self._matcher.fill_next_token_bitmask(self._mask):
            logits = logits.clone().unsqueeze(0)
            xgrammar.apply_token_bitmask_inplace(logits, self._mask, backend="cpu")
            return logits[0]
        return logits

    def accept(self, token: int) -> None:
        if not self._matcher.accept_token(token):
            raise BackendError(f"the grammar refused token {token}, which it had allowed")


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[-1] if str(error).strip() else type(error).__name__
