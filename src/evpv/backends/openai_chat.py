"""`OpenAIChat`: any model behind an OpenAI-compatible address (vLLM, SGLang, llama.cpp, OpenAI, Gemini's own), and what it can do.

Each question is put until there is an answer or no use in asking (`Asker`): in the server's own dialect, and again after faults.
"""

from __future__ import annotations

import asyncio
import io
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from queue import SimpleQueue
from typing import Any

from PIL import Image

from evpv.backends import wire
from evpv.backends.endpoint import CallError, Circuit, Endpoint, Persistence
from evpv.backends.images import ImageEncoder, ImagePolicy, SentImage, encode
from evpv.backends.ledger import Arrival, Prices, in_order
from evpv.backends.replies import read_json
from evpv.backends.schemas import closed_object
from evpv.backends.wire import DIALECTS, Dialect, next_dialect
from evpv.errors import BackendError, ConfigError, ImageError
from evpv.protocols import ChatReply, ChatRequest, Description, Sampling, Usage
from evpv.settings import settings_from

_SIGN = closed_object(sign={"type": "integer", "enum": [1, -1]})
_FEWEST_FAILURES = 20
_MOST_PILOTS = 3
_QUESTION = ChatRequest(prompt="Say hello.", sampling=Sampling(max_tokens=16))


@dataclass(slots=True, kw_only=True)
class _QuestionState:
    """What has happened to one question so far."""

    begun_with: Dialect
    dialect: Dialect
    calls: int = 0
    faults: list[str] = field(default_factory=list)
    prompt_tokens: int = 0
    completion_tokens: int = 0
    begun: float = field(default_factory=time.monotonic)


@dataclass(slots=True)
class _Asker:
    """Asks one model at one endpoint; belongs to the endpoint's event loop."""

    _model: str
    _endpoint: Endpoint
    _circuit: Circuit
    _persistence: Persistence
    _extra: Mapping[str, Any]
    _prices: Prices = field(default_factory=Prices)
    _label_ids: dict[str, int | None] = field(default_factory=dict)
    _pilot: asyncio.Lock = field(default_factory=asyncio.Lock)
    _pilots: int = 0

    async def answer(self, request: ChatRequest, images: Sequence[SentImage] = ()) -> ChatReply:
        """The answer to one question, with what it cost and how it was put; a failure is a reply with a problem.

        While it is not known whether the server holds answers to a schema, one question goes ahead and the others
        wait: else a full batch would have to be asked twice.
        """
        if request.schema is not None and self._needs_pilot():
            async with self._pilot:
                if self._needs_pilot():
                    self._pilots += 1
                    return await self._full_reply(request, images)
        return await self._full_reply(request, images)

    def _needs_pilot(self) -> bool:
        return self._dialect().schema == "unknown" and self._pilots < _MOST_PILOTS

    def _dialect(self) -> Dialect:
        return DIALECTS.dialect(self._endpoint.url, self._model)

    async def _full_reply(self, request: ChatRequest, images: Sequence[SentImage]) -> ChatReply:
        state = _QuestionState(begun_with=self._dialect(), dialect=self._dialect())
        label_ids = await self._ids(request.labels)
        reply = await self._first_good_reply(request, images, state, label_ids)
        cost = Usage(
            calls=state.calls, images=len(images) if state.calls else 0, prompt_tokens=state.prompt_tokens,
            completion_tokens=state.completion_tokens, retries=max(state.calls - 1, 0),
            seconds=time.monotonic() - state.begun,
            money=self._prices.cost(state.prompt_tokens, state.completion_tokens),
        )  # fmt: skip
        by_id = label_ids and "logprob_token_ids" not in state.dialect.without
        found_by = "by id" if by_id else f"of the likeliest {state.dialect.most_top_logprobs}"
        facts: dict[str, Any] = {
            "images": [dict(image.facts) for image in images],
            "schema": state.dialect.schema if request.schema is not None else None,
            "labels": found_by if request.labels else None,
            "without": sorted(state.dialect.without),
            "faults": state.faults,
        }  # how the question was put, as far as that is not plain from the request itself
        return replace(reply, usage=cost, facts={name: value for name, value in facts.items() if value})

    async def _first_good_reply(
        self, request: ChatRequest, images: Sequence[SentImage], state: _QuestionState, label_ids: Sequence[int]
    ) -> ChatReply:
        while True:
            refusal = self._circuit.refusal()
            if refusal is not None:
                return ChatReply(text=None, problem=refusal)
            sent = {**wire.body(self._model, request, images, state.dialect, label_ids), **self._extra}
            state.calls += 1
            try:
                payload = await self._endpoint.complete(sent)
                prompt, completion = wire.usage_of(payload)
                state.prompt_tokens += prompt
                state.completion_tokens += completion
                reply = wire.reply(payload, request)
            except CallError as fault:
                problem = await self._after(fault, state, sent)
                if problem is not None:
                    return ChatReply(text=None, problem=problem)
                continue
            self._circuit.note_success()
            if self._keeps_schema(reply, request, state):
                return reply

    async def _after(self, fault: CallError, state: _QuestionState, sent: Mapping[str, Any]) -> str | None:
        """What follows a fault: another dialect at once, another try after a wait (None), or the problem to report."""
        state.faults.append(fault.reason)
        if fault.status in (400, 422):
            other = next_dialect(state.dialect, fault.reason, sent)
            if other is not None:
                self._circuit.note_success()
                state.dialect = other
                return None
        # a server that says when to come back, or refuses one question, is alive;
        # a refused key or an empty account stops every other question too
        if fault.hopeless or (fault.again and (fault.status != 429 or fault.wait_s is None)):
            self._circuit.note_failure(fault.reason, hopeless=fault.hopeless)
        elif not fault.again:
            self._circuit.note_success()
        wait_s = self._persistence.wait_s(fault, state.calls)
        if wait_s is None:
            tries = f" (asked {state.calls} times)" if state.calls > 1 else ""
            return f"{fault.reason}{tries}"
        await asyncio.sleep(wait_s)
        return None

    def _keeps_schema(self, reply: ChatReply, request: ChatRequest, state: _QuestionState) -> bool:
        """Whether an answer can stand; remembers the dialect that brought it.

        A server that took a schema and did not keep to it ignores schemas: the question is put again with the schema
        in the prompt. An answer that was cut off proves nothing.
        """
        if request.schema is not None and state.dialect.schema == "unknown" and reply.finish != "length":
            reading = read_json(reply.text, request.schema)
            enforced = reading.problem is None and not reading.repairs
            state.dialect = replace(state.dialect, schema="enforced" if enforced else "prompted")
            DIALECTS.learn(self._endpoint.url, self._model, state.begun_with, state.dialect)
            return enforced
        if state.dialect != state.begun_with:
            DIALECTS.learn(self._endpoint.url, self._model, state.begun_with, state.dialect)
        return True

    async def _ids(self, labels: Sequence[str]) -> list[int]:
        """The labels' tokens at a server that takes them by id (vLLM), if each label is one token; else none."""
        if not labels or "logprob_token_ids" in self._dialect().without:
            return []
        if self._dialect().owner is None:
            before = self._dialect()
            DIALECTS.learn(self._endpoint.url, self._model, before, replace(before, owner=await self._endpoint.owner()))
        if self._dialect().owner != "vllm":
            return []
        for label in labels:
            if label not in self._label_ids:
                try:
                    ids = await self._endpoint.token_ids(self._model, label)
                except CallError:
                    ids = []
                self._label_ids[label] = ids[0] if len(ids) == 1 else None
        known = [token for label in labels if (token := self._label_ids[label]) is not None]
        return known if len(known) == len(labels) else []


async def _probe(endpoint: Endpoint, model: str, extra: Mapping[str, Any]) -> dict[str, Any]:
    """What a server does when asked one plain question, and one for each ability; each once, so that a dead server is told in seconds.

    None: it could not be told, for example because the answer was cut off. `problem` is why the plain question was not
    answered; nothing else was asked then. `images` is whether a picture counts in the prompt; `json_schema` whether an answer
    is held to one; `n` whether one question can have several answers; `prompt_logprobs` whether a text that is given can be
    scored; `owner` who serves, by its own word.
    """
    asker = _Asker(model, endpoint, Circuit(limit=_FEWEST_FAILURES), Persistence(attempts=1), extra)

    async def ask_with(**fields: Any) -> dict[str, Any]:
        try:
            return await endpoint.complete(
                {**wire.body(model, _QUESTION, (), DIALECTS.dialect(endpoint.url, model), ()), **extra, **fields}
            )
        except CallError:
            return {}

    plain = await asker.answer(_QUESTION)
    if plain.text is None and plain.finish is None:
        return {"problem": plain.problem}
    written = io.BytesIO()  # a small picture with sides that every vision tower can cut into its patches
    Image.new("RGB", (112, 112), "white").save(written, "PNG")
    seen = await asker.answer(_QUESTION, [encode(written.getvalue(), ImagePolicy())])
    before, after = plain.usage.prompt_tokens, seen.usage.prompt_tokens
    takes_pictures = seen.text is not None or seen.finish is not None
    tokens = (await asker.answer(replace(_QUESTION, top_logprobs=2, sampling=Sampling(max_tokens=2)))).tokens
    kept = await asker.answer(replace(_QUESTION, schema=_SIGN, sampling=Sampling(max_tokens=64)))
    counted = after > before if before and after else None  # unknown where the server counts no tokens
    return {
        "problem": None,
        "owner": await endpoint.owner(),
        "images": takes_pictures and counted,
        "json_schema": {"enforced": True, "prompted": False}.get(kept.facts.get("schema", "")),
        "logprobs": bool(tokens) and bool(tokens[0].top),
        "n": len((await ask_with(n=2, temperature=0.7)).get("choices") or ()) == 2,
        "prompt_logprobs": bool((await ask_with(prompt_logprobs=1)).get("prompt_logprobs")),
    }


class OpenAIChat:
    """Asks a model over HTTP, many questions at a time; every failure is a reply with a problem, never an exception.

    `base_url` is the address up to /v1, None for OpenAI's own; the key is read from the environment variable that
    `api_key_env` names, and nothing is sent if that is empty. `concurrency` questions are in flight at once, each for
    at most `timeout_s`, each put at most `attempts` times. `images` is how pictures are sent (max_side_px, format,
    quality), `prices` what a million tokens cost (prompt, completion), `extra` further fields for the server.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key_env: str = "OPENAI_API_KEY",
        concurrency: int = 16,
        timeout_s: float = 120.0,
        attempts: int = 6,
        images: Mapping[str, Any] | ImagePolicy | None = None,
        prices: Mapping[str, Any] | Prices | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        if concurrency < 1 or attempts < 1 or not timeout_s > 0:
            raise ConfigError("concurrency and attempts must be at least 1, timeout_s more than 0.")
        self.name = model
        self.image_policy = settings_from(ImagePolicy, images, "images")
        self.prices = None if prices is None else settings_from(Prices, prices, "prices")
        self._extra = dict(extra or {})
        self._concurrency = concurrency
        self._encoder = ImageEncoder(self.image_policy)
        self._endpoint = Endpoint(base_url, api_key_env, timeout_s, concurrency)
        circuit = Circuit(limit=max(_FEWEST_FAILURES, 3 * concurrency))
        persistence = Persistence(attempts=attempts)
        self._asker = _Asker(model, self._endpoint, circuit, persistence, self._extra, self.prices or Prices())

    def __repr__(self) -> str:
        return f"OpenAIChat({self.name!r}, base_url={self._endpoint.url!r})"

    @property
    def version(self) -> str:
        """What decides an answer besides the model and the request; part of a store's key."""
        return json.dumps([str(self.image_policy), self._extra], sort_keys=True)

    @property
    def description(self) -> Description:
        """What it needs, whom it asks, and what that may cost."""
        return Description(
            asks=True, extras=("chat",), server=self._endpoint.url, stream=self.stream, worst_cost=self.worst_cost,
            abilities=self.capabilities,
        )  # fmt: skip

    def close(self) -> None:
        self._endpoint.close()

    def ask(self, requests: Sequence[ChatRequest]) -> list[ChatReply]:
        return in_order(self.stream(requests), len(requests))

    def stream(self, requests: Sequence[ChatRequest]) -> Iterator[Arrival]:
        """Replies as they come. To stop reading gives up what is still in flight."""
        arrivals: SimpleQueue[Arrival | None] = SimpleQueue()
        run = self._endpoint.submit(self._run(list(requests), arrivals.put))
        run.add_done_callback(lambda _: arrivals.put(None))
        try:
            while (arrival := arrivals.get()) is not None:
                yield arrival
            if run.cancelled():
                raise BackendError("this backend was closed while it was asking")
            run.result()
        finally:
            run.cancel()

    def worst_cost(self, request: ChatRequest) -> float:
        """What one question may cost at most: no text has more tokens than bytes, no answer more than max_tokens."""
        if self.prices is None:
            raise ConfigError(f"a budget needs the prices of {self.name!r}: prices = {{prompt = …, completion = …}}.")
        words = f"{request.system or ''}{request.prompt}{json.dumps(request.schema) if request.schema else ''}"
        picture = self.image_policy.max_side_px**2 // 750 + 100
        prompt_tokens = len(words.encode()) + 100 + picture * len(request.images)
        return self.prices.cost(prompt_tokens, request.sampling.max_tokens)

    def capabilities(self) -> dict[str, Any]:
        """What the server can do, found by asking it one tiny question each (`_probe`)."""
        return self._endpoint.submit(_probe(self._endpoint, self.name, self._extra)).result()

    async def _run(self, requests: list[ChatRequest], put: Callable[[Arrival], None]) -> None:
        waiting = iter(enumerate(requests))

        async def work() -> None:
            for index, request in waiting:
                async with self._endpoint.slots:
                    put((index, await self._reply(request)))

        async with asyncio.TaskGroup() as workers:
            for _ in range(min(self._concurrency, len(requests))):
                workers.create_task(work())

    async def _reply(self, request: ChatRequest) -> ChatReply:
        try:
            images = [await asyncio.to_thread(self._encoder.encode_file, path) for path in request.images]
        except ImageError as error:
            return ChatReply(text=None, problem=str(error))
        try:
            return await self._asker.answer(request, images)
        except Exception as error:  # noqa: BLE001 - whatever a server answers, the other questions of the batch go on
            return ChatReply(text=None, problem=f"the answer could not be read: {type(error).__name__}: {error}"[:500])
