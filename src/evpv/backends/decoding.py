"""Answers while they are written: each row of a batch chooses its tokens by its own request, within its own grammar."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import torch
import xgrammar
from transformers import LogitsProcessor

from evpv.errors import BackendError
from evpv.protocols import ChatRequest, Sampling, Token

_CACHE_BYTES = 256_000_000


class Grammars:
    """Compiles schemas for one tokenizer, each once.

    `vocabulary` is the number of the model's logits, which models pad beyond the tokenizer's size.
    """

    def __init__(self, tokenizer: Any, *, vocabulary: int, ends: Sequence[int]):
        self._vocabulary = vocabulary
        info = xgrammar.TokenizerInfo.from_huggingface(tokenizer, vocab_size=vocabulary, stop_token_ids=list(ends))
        self._compiler = xgrammar.GrammarCompiler(info, max_threads=1, cache_limit_bytes=_CACHE_BYTES)

    def guide(self, schema: Mapping[str, Any]) -> _Guide:
        """A fresh guide for one answer; a schema that has no grammar raises BackendError."""
        try:
            grammar = self._compiler.compile_json_schema(json.dumps(schema), any_whitespace=False)
        except RuntimeError as error:
            raise BackendError(f"the schema cannot be enforced while decoding: {_first_line(error)}") from error
        return _Guide(xgrammar.GrammarMatcher(grammar), self._vocabulary)


class _Guide:
    """Follows one answer and says which tokens may come next."""

    def __init__(self, matcher: xgrammar.GrammarMatcher, vocabulary: int):
        self._matcher = matcher
        self._mask = xgrammar.allocate_token_bitmask(1, vocabulary)

    def mask_forbidden(self, logits: torch.Tensor) -> torch.Tensor:
        """The logits of one position, those of forbidden tokens at minus infinity."""
        if self._matcher.fill_next_token_bitmask(self._mask):
            logits = logits.clone().unsqueeze(0)
            xgrammar.apply_token_bitmask_inplace(logits, self._mask, backend="cpu")
            return logits[0]
        return logits

    def advance(self, token: int) -> None:
        if not self._matcher.accept_token(token):
            raise BackendError(f"the grammar refused token {token}, which it had allowed")


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[-1] if str(error).strip() else type(error).__name__


class Draft:
    """One answer as it grows. `finish` is None until it ends: with "stop", or with "length" when it was cut off."""

    def __init__(self, request: ChatRequest, *, limit: int, tokenizer: Any, ends: Sequence[int], guide: _Guide | None):
        self.request, self.limit = request, limit
        self.numbers: list[int] = []
        self.tokens: list[Token] = []
        self.label_logprobs: dict[str, float] = {}
        self.finish: str | None = None
        self._tokenizer, self._ends, self._guide = tokenizer, ends, guide
        self._generator = _generator(request.sampling.seed)

    @property
    def text(self) -> str:
        return str(self._tokenizer.decode(self.numbers, skip_special_tokens=True))

    def choose(self, logits: torch.Tensor) -> int:
        """The next token, from the model's raw logits; an end token, again and again, once the answer is finished.

        Log-probabilities are the model's own, before temperature and grammar, as vLLM reports them.
        """
        if self.finish is not None:
            return self._ends[0]
        allowed = logits if self._guide is None else self._guide.mask_forbidden(logits)
        token = chosen_token(allowed, self.request.sampling, self._generator)
        self._note(logits, token)
        if token in self._ends:
            self.finish = "stop"
            return token
        if self._guide is not None:
            self._guide.advance(token)
        self.numbers.append(token)
        if len(self.numbers) >= self.limit:
            self.finish = "length"
        return token

    def _note(self, logits: torch.Tensor, token: int) -> None:
        first = not self.numbers
        if not (self.request.top_logprobs or (self.request.labels and first)):
            return
        logprobs = torch.log_softmax(logits.double(), dim=-1)
        if first:
            numbers = _label_numbers(self._tokenizer, self.request.labels)
            self.label_logprobs = {label: float(logprobs[number]) for label, number in numbers.items()}
        if self.request.top_logprobs and token not in self._ends:
            self.tokens.append(self._token(logprobs, token))

    def _token(self, logprobs: torch.Tensor, token: int) -> Token:
        best = torch.topk(logprobs, min(self.request.top_logprobs, len(logprobs)))
        top: dict[str, float] = {}
        for number, logprob in zip(best.indices.tolist(), best.values.tolist(), strict=True):
            # Pieces of characters can read alike; the likeliest keeps the name.
            top.setdefault(self._tokenizer.decode([number]), logprob)
        return Token(text=self._tokenizer.decode([token]), logprob=float(logprobs[token]), top=top)


class Drafting(LogitsProcessor):
    """Leaves `generate` no choice: in each row only the token that the row's draft chose is possible."""

    def __init__(self, drafts: Sequence[Draft]):
        self._drafts = drafts

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        rows = scores.detach().float().cpu()
        chosen = torch.tensor([draft.choose(row) for draft, row in zip(self._drafts, rows, strict=True)])
        forced = torch.full_like(scores, float("-inf"))
        return forced.scatter(1, chosen.to(scores.device).unsqueeze(1), 0.0)


def chosen_token(logits: torch.Tensor, sampling: Sampling, generator: torch.Generator) -> int:
    """The likeliest token at temperature 0, else one drawn from the smallest set that holds `top_p` of the probability."""
    if sampling.temperature == 0:
        return int(torch.argmax(logits))
    probabilities = torch.softmax(logits.double() / sampling.temperature, dim=-1)
    if sampling.top_p < 1:
        ordered, order = torch.sort(probabilities, descending=True)
        before = torch.cumsum(ordered, dim=-1) - ordered
        probabilities[order[1:][before[1:] >= sampling.top_p]] = 0.0  # the likeliest stays, whatever top_p is
    return int(torch.multinomial(probabilities, 1, generator=generator))


def _label_numbers(tokenizer: Any, labels: Sequence[str]) -> Mapping[str, int]:
    """The number of each label that is one token; others have no probability as a first token and are left out."""
    written = {label: tokenizer.encode(label, add_special_tokens=False) for label in labels}
    return {label: numbers[0] for label, numbers in written.items() if len(numbers) == 1}


def _generator(seed: int | None) -> torch.Generator:
    generator = torch.Generator()
    if seed is None:
        generator.seed()
    else:
        generator.manual_seed(seed % 2**63)
    return generator
