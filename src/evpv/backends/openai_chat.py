"""`OpenAIChat`: any model behind an OpenAI-compatible address (vLLM, SGLang, llama.cpp, OpenAI, Gemini's own), and what it can do."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from queue import SimpleQueue
from typing import Any

from PIL import Image

from evpv.backends import wire
from evpv.backends.endpoint import CallError, Endpoint
from evpv.backends.images import ImageEncoder, ImagePolicy, SentImage, encode
from evpv.backends.ledger import Arrival, Prices, in_order
from evpv.backends.retries import Asker, Circuit, Persistence
from evpv.backends.schemas import closed_object
from evpv.backends.wire import DIALECTS
from evpv.errors import BackendError, ConfigError, ImageError
from evpv.protocols import ChatReply, ChatRequest, Description, Sampling
from evpv.settings import settings_from

_SIGN = closed_object(sign={"type": "integer", "enum": [1, -1]})
_FEWEST_FAILURES = 20
_QUESTION = ChatRequest(prompt="Say hello.", sampling=Sampling(max_tokens=16))


async def _probe(endpoint: Endpoint, model: str, extra: Mapping[str, Any]) -> dict[str, Any]:
    """What a server does when asked one plain question, and one for each ability; each once, so that a dead server is told in seconds.

    None: it could not be told, for example because the answer was cut off. `problem` is why the plain question was not
    answered; nothing else was asked then. `images` is whether a picture counts in the prompt; `json_schema` whether an answer
    is held to one; `n` whether one question can have several answers; `prompt_logprobs` whether a text that is given can be
    scored; `owner` who serves, by its own word.
    """
    asker = Asker(model, endpoint, Circuit(limit=_FEWEST_FAILURES), Persistence(attempts=1), extra)

    async def ask(request: ChatRequest, *images: SentImage) -> ChatReply:
        return await asker.answer(request, images, Prices())

    async def ask_with(**fields: Any) -> dict[str, Any]:
        try:
            return await endpoint.complete(
                {**wire.body(model, _QUESTION, (), DIALECTS.dialect(endpoint.url, model), ()), **extra, **fields}
            )
        except CallError:
            return {}

    plain = await ask(_QUESTION)
    if plain.text is None and plain.finish is None:
        return {"problem": plain.problem}
    seen = await ask(_QUESTION, _picture())
    before, after = plain.usage.prompt_tokens, seen.usage.prompt_tokens
    takes_pictures = seen.text is not None or seen.finish is not None
    tokens = (await ask(replace(_QUESTION, top_logprobs=2, sampling=Sampling(max_tokens=2)))).tokens
    kept = await ask(replace(_QUESTION, schema=_SIGN, sampling=Sampling(max_tokens=64)))
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


def _picture() -> SentImage:
    """A small picture with sides that every vision tower can cut into its patches."""
    written = io.BytesIO()
    Image.new("RGB", (112, 112), "white").save(written, "PNG")
    return encode(written.getvalue(), ImagePolicy())


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
        self._asker = Asker(
            model, self._endpoint, Circuit(limit=max(_FEWEST_FAILURES, 3 * concurrency)),
            Persistence(attempts=attempts), self._extra,
        )  # fmt: skip

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
        """Give up what is in flight and close the connections."""
        self._endpoint.close()

    def ask(self, requests: Sequence[ChatRequest]) -> list[ChatReply]:
        """One reply per request, in order."""
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
            return await self._asker.answer(request, images, self.prices or Prices())
        except Exception as error:  # noqa: BLE001 - whatever a server answers, the other questions of the batch go on
            return ChatReply(text=None, problem=f"the answer could not be read: {type(error).__name__}: {error}"[:500])
