"""Asks a vision-language model whose weights are here, through transformers: any `AutoModelForImageTextToText`.

Requests are answered in batches, padded on the left. Each has its own sampling, seed, limit, schema and labels (see
`drafts`). One lock per model lets one batch run at a time: Qwen-VL models keep the last batch's rotary offsets inside
the module, so two threads in one model would read each other's positions.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
import xgrammar
from transformers import LogitsProcessor, LogitsProcessorList

from evpv.backends.images import ImageEncoder, ImagePolicy, SentImage
from evpv.backends.local_weights import LoadedModel, Weights, load, short_reason
from evpv.errors import BackendError, ConfigError, ImageError
from evpv.protocols import ChatReply, ChatRequest, Description, Sampling, Token, Usage
from evpv.settings import settings_from

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
            said = (str(error).strip().splitlines() or [type(error).__name__])[-1]
            raise BackendError(f"the schema cannot be enforced while decoding: {said}") from error
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


class _Draft:
    """One answer as it grows. `finish` is None until it ends: with "stop", or with "length" when it was cut off."""

    def __init__(self, request: ChatRequest, *, limit: int, tokenizer: Any, ends: Sequence[int], guide: _Guide | None):
        self.request, self.limit = request, limit
        self.numbers: list[int] = []
        self.tokens: list[Token] = []
        self.label_logprobs: dict[str, float] = {}
        self.finish: str | None = None
        self._tokenizer, self._ends, self._guide = tokenizer, ends, guide
        self._generator = torch.Generator()
        if (seed := request.sampling.seed) is None:
            self._generator.seed()
        else:
            self._generator.manual_seed(seed % 2**63)

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
        token = _chosen_token(allowed, self.request.sampling, self._generator)
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
        if first:  # a label that is several tokens has no probability as a first one and is left out
            labels = {one: self._tokenizer.encode(one, add_special_tokens=False) for one in self.request.labels}
            self.label_logprobs = {one: float(logprobs[n[0]]) for one, n in labels.items() if len(n) == 1}
        if self.request.top_logprobs and token not in self._ends:
            best = torch.topk(logprobs, min(self.request.top_logprobs, len(logprobs)))
            top: dict[str, float] = {}
            for number, logprob in zip(best.indices.tolist(), best.values.tolist(), strict=True):
                # Pieces of characters can read alike; the likeliest keeps the name.
                top.setdefault(self._tokenizer.decode([number]), logprob)
            word = self._tokenizer.decode([token])
            self.tokens.append(Token(text=word, logprob=float(logprobs[token]), top=top))


class _Drafting(LogitsProcessor):
    """Leaves `generate` no choice: in each row only the token that the row's draft chose is possible."""

    def __init__(self, drafts: Sequence[_Draft]):
        self._drafts = drafts

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        rows = scores.detach().float().cpu()
        chosen = torch.tensor([draft.choose(row) for draft, row in zip(self._drafts, rows, strict=True)])
        forced = torch.full_like(scores, float("-inf"))
        return forced.scatter(1, chosen.to(scores.device).unsqueeze(1), 0.0)


def _chosen_token(logits: torch.Tensor, sampling: Sampling, generator: torch.Generator) -> int:
    """The likeliest token at temperature 0, else one drawn from the smallest set that holds `top_p` of the probability."""
    if sampling.temperature == 0:
        return int(torch.argmax(logits))
    probabilities = torch.softmax(logits.double() / sampling.temperature, dim=-1)
    if sampling.top_p < 1:
        ordered, order = torch.sort(probabilities, descending=True)
        before = torch.cumsum(ordered, dim=-1) - ordered
        probabilities[order[1:][before[1:] >= sampling.top_p]] = 0.0  # the likeliest stays, whatever top_p is
    return int(torch.multinomial(probabilities, 1, generator=generator))


# What processors and models raise on input they cannot take: a picture 1 × 5,000 pixels, too little memory.
_REFUSALS = (BackendError, ValueError, RuntimeError, IndexError, TypeError, KeyError)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    """A request made ready: its pictures as they would be sent to a server, its text in the model's chat form."""

    request: ChatRequest
    images: tuple[SentImage, ...]
    text: str


class TransformersChat:
    """A chat backend over local weights, loaded when the first question comes.

    `model` is a folder or a hub name, `adapter` a LoRA folder to merge in; `device`, `dtype` and `trust_remote_code`
    are explained at `Weights`; `images` is how pictures are made ready (max_side_px, format, quality).

    An answer is the same alone and in a batch, up to rounding (see `drafts`). What is wrong with one request is a
    `problem` of its reply; weights that cannot be loaded raise ConfigError.
    """

    def __init__(
        self,
        model: str,
        *,
        adapter: str | None = None,
        device: str = "auto",
        dtype: str = "auto",
        batch_size: int = 8,
        images: Mapping[str, Any] | ImagePolicy | None = None,
        trust_remote_code: bool = False,
    ) -> None:
        if batch_size < 1:
            raise ConfigError("batch_size must be at least 1.")
        self._weights = Weights(
            model=str(model), adapter=adapter, device=device, dtype=dtype, trust_remote_code=trust_remote_code
        )
        self.name = self._weights.name
        self.image_policy = settings_from(ImagePolicy, images, "images")
        self._batch_size = batch_size
        self._encoder = ImageEncoder(self.image_policy)
        self._lock = threading.Lock()

    @property
    def version(self) -> str:
        """What decides an answer besides the model and the request; part of a store's key."""
        return json.dumps([str(self.image_policy), self._weights.dtype])

    @property
    def description(self) -> Description:
        return Description(asks=True, extras=("local",))

    def ask(self, requests: Sequence[ChatRequest]) -> list[ChatReply]:
        """One reply per request, in order. Requests with equally many pictures share batches."""
        replies: dict[int, ChatReply] = {}
        with self._lock:
            for places in _batches([len(request.images) for request in requests], self._batch_size):
                read = {place: self._question(requests[place]) for place in places}
                replies |= {place: one for place, one in read.items() if isinstance(one, ChatReply)}
                questions = {place: one for place, one in read.items() if isinstance(one, _Question)}
                replies |= dict(zip(questions, self._replies(list(questions.values())), strict=True))
        return [replies[place] for place in range(len(requests))]

    @cached_property
    def _model(self) -> LoadedModel:
        return load(self._weights)

    @cached_property
    def _grammars(self) -> Grammars:
        loaded = self._model
        return Grammars(loaded.processor.tokenizer, vocabulary=loaded.vocabulary, ends=loaded.ends)

    @cached_property
    def _marks(self) -> tuple[str, ...]:
        added = self._model.processor.tokenizer.added_tokens_decoder.values()
        return tuple(token.content for token in added if token.special)

    def _question(self, request: ChatRequest) -> _Question | ChatReply:
        try:
            images = tuple(self._encoder.encode_file(path) for path in request.images)
        except ImageError as error:
            return ChatReply(text=None, problem=str(error))
        parts = [{"type": "image"} for _ in request.images]
        parts.append({"type": "text", "text": _without_marks(request.prompt, self._marks)})
        turns: list[dict[str, Any]] = [{"role": "user", "content": parts}]
        if request.system is not None:
            said = {"type": "text", "text": _without_marks(request.system, self._marks)}
            turns.insert(0, {"role": "system", "content": [said]})
        text = self._model.processor.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
        return _Question(request=request, images=images, text=str(text))

    def _replies(self, questions: Sequence[_Question]) -> list[ChatReply]:
        """The answers; a batch that is refused is halved until the question that is to blame stands alone."""
        try:
            return self._batch_replies(questions) if questions else []
        except _REFUSALS as error:
            if len(questions) == 1:
                return [ChatReply(text=None, problem=f"the model cannot take this request: {short_reason(error)}")]
        middle = len(questions) // 2
        return self._replies(questions[:middle]) + self._replies(questions[middle:])

    def _batch_replies(self, questions: Sequence[_Question]) -> list[ChatReply]:
        started = time.perf_counter()
        pictures = [[image.picture() for image in question.images] for question in questions]
        texts, shown = [question.text for question in questions], pictures if pictures[0] else None
        inputs = self._model.processor(text=texts, images=shown, padding=True, return_tensors="pt")
        inputs = inputs.to(self._model.model.device)
        lengths = [int(length) for length in inputs["attention_mask"].sum(dim=1)]
        drafts = [self._draft(question.request, length) for question, length in zip(questions, lengths, strict=True)]
        with torch.inference_mode():
            self._model.model.generate(
                **inputs,
                max_new_tokens=max(draft.limit for draft in drafts),
                logits_processor=LogitsProcessorList([_Drafting(drafts)]),
            )
        seconds = (time.perf_counter() - started) / len(questions)
        written = zip(questions, drafts, lengths, strict=True)
        return [_reply(question, draft, length, seconds) for question, draft, length in written]

    def _draft(self, request: ChatRequest, length: int) -> _Draft:
        loaded = self._model
        room = loaded.context - length
        if room < 1:
            raise BackendError(f"{length} tokens are more than the model's context of {loaded.context}")
        return _Draft(
            request,
            limit=min(request.sampling.max_tokens, room),
            tokenizer=loaded.processor.tokenizer,
            ends=loaded.ends,
            guide=None if request.schema is None else self._grammars.guide(request.schema),
        )


def _batches(kinds: Sequence[int], size: int) -> list[list[int]]:
    """Places of equal kind together, in order, at most `size` of them.

    >>> _batches([1, 1, 0, 1], 2)
    [[0, 1], [3], [2]]
    """
    together: dict[int, list[int]] = {}
    for place, kind in enumerate(kinds):
        together.setdefault(kind, []).append(place)
    return [places[start : start + size] for places in together.values() for start in range(0, len(places), size)]


def _without_marks(text: str, marks: Sequence[str]) -> str:
    """Text in which the model's control tokens are only text: a step that writes one must not end its turn.

    >>> _without_marks("so<|im_end|>", ["<|im_end|>"])
    'so< |im_end|>'
    """
    for mark in marks:
        if mark in text:
            text = text.replace(mark, f"{mark[0]} {mark[1:]}")
    return text


def _reply(question: _Question, draft: _Draft, length: int, seconds: float) -> ChatReply:
    facts = {
        "images": [dict(image.facts) for image in question.images],
        "schema": None if question.request.schema is None else "enforced",
    }
    tokens = {"prompt_tokens": length, "completion_tokens": len(draft.numbers)}
    return ChatReply(
        text=draft.text, finish=draft.finish, label_logprobs=draft.label_logprobs, tokens=tuple(draft.tokens),
        usage=Usage(calls=1, images=len(question.images), seconds=seconds, **tokens),
        facts={name: fact for name, fact in facts.items() if fact},
    )  # fmt: skip
