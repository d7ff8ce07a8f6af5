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
from transformers import LogitsProcessorList

from evpv.backends.decoding import Draft, Drafting, Grammars
from evpv.backends.images import ImageEncoder, ImagePolicy, SentImage
from evpv.backends.local_weights import LoadedModel, Weights, load, short_reason
from evpv.errors import BackendError, ConfigError, ImageError
from evpv.protocols import ChatReply, ChatRequest, Description, Usage
from evpv.settings import settings_from

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
        """A model in this process."""
        return Description(asks=True, extras=("local",))

    def ask(self, requests: Sequence[ChatRequest]) -> list[ChatReply]:
        """One reply per request, in order. Requests with equally many pictures share batches."""
        replies: dict[int, ChatReply] = {}
        with self._lock:
            for places in batches([len(request.images) for request in requests], self._batch_size):
                answers = self._answers([requests[place] for place in places])
                replies.update(zip(places, answers, strict=True))
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

    def _answers(self, requests: Sequence[ChatRequest]) -> list[ChatReply]:
        questions = [self._question(request) for request in requests]
        good = [question for question in questions if isinstance(question, _Question)]
        answers = iter(self._replies(good) if good else [])
        return [next(answers) if isinstance(question, _Question) else question for question in questions]

    def _question(self, request: ChatRequest) -> _Question | ChatReply:
        try:
            images = tuple(self._encoder.encode_file(path) for path in request.images)
        except ImageError as error:
            return ChatReply(text=None, problem=str(error))
        return _Question(request=request, images=images, text=self._chat_text(request))

    def _chat_text(self, request: ChatRequest) -> str:
        parts = [{"type": "image"} for _ in request.images]
        parts.append({"type": "text", "text": _without_marks(request.prompt, self._marks)})
        turns: list[dict[str, Any]] = [{"role": "user", "content": parts}]
        if request.system is not None:
            text = {"type": "text", "text": _without_marks(request.system, self._marks)}
            turns.insert(0, {"role": "system", "content": [text]})
        return str(self._model.processor.apply_chat_template(turns, tokenize=False, add_generation_prompt=True))

    def _replies(self, questions: Sequence[_Question]) -> list[ChatReply]:
        """The answers; a batch that is refused is halved until the question that is to blame stands alone."""
        try:
            return self._batch_replies(questions)
        except _REFUSALS as error:
            if len(questions) == 1:
                return [ChatReply(text=None, problem=f"the model cannot take this request: {short_reason(error)}")]
        middle = len(questions) // 2
        return self._replies(questions[:middle]) + self._replies(questions[middle:])

    def _batch_replies(self, questions: Sequence[_Question]) -> list[ChatReply]:
        started = time.perf_counter()
        inputs = self._inputs(questions)
        lengths = [int(length) for length in inputs["attention_mask"].sum(dim=1)]
        drafts = [self._draft(question.request, length) for question, length in zip(questions, lengths, strict=True)]
        with torch.inference_mode():
            self._model.model.generate(
                **inputs,
                max_new_tokens=max(draft.limit for draft in drafts),
                logits_processor=LogitsProcessorList([Drafting(drafts)]),
            )
        seconds = (time.perf_counter() - started) / len(questions)
        written = zip(questions, drafts, lengths, strict=True)
        return [_reply(question, draft, _usage(draft, length, seconds)) for question, draft, length in written]

    def _inputs(self, questions: Sequence[_Question]) -> Any:
        pictures = [[image.picture() for image in question.images] for question in questions]
        inputs = self._model.processor(
            text=[question.text for question in questions],
            images=pictures if pictures[0] else None,
            padding=True,
            return_tensors="pt",
        )
        return inputs.to(self._model.model.device)

    def _draft(self, request: ChatRequest, length: int) -> Draft:
        loaded = self._model
        room = loaded.context - length
        if room < 1:
            raise BackendError(f"{length} tokens are more than the model's context of {loaded.context}")
        return Draft(
            request,
            limit=min(request.sampling.max_tokens, room),
            tokenizer=loaded.processor.tokenizer,
            ends=loaded.ends,
            guide=None if request.schema is None else self._grammars.guide(request.schema),
        )


def batches(kinds: Sequence[int], size: int) -> list[list[int]]:
    """Places of equal kind together, in order, at most `size` of them.

    >>> batches([1, 1, 0, 1], 2)
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


def _usage(draft: Draft, length: int, seconds: float) -> Usage:
    return Usage(
        calls=1,
        images=len(draft.request.images),
        prompt_tokens=length,
        completion_tokens=len(draft.numbers),
        seconds=seconds,
    )


def _reply(question: _Question, draft: Draft, usage: Usage) -> ChatReply:
    facts = {
        "images": [dict(image.facts) for image in question.images],
        "schema": None if question.request.schema is None else "enforced",
    }
    return ChatReply(
        text=draft.text,
        finish=draft.finish,
        label_logprobs=draft.label_logprobs,
        tokens=tuple(draft.tokens),
        usage=usage,
        facts={name: fact for name, fact in facts.items() if fact},
    )
