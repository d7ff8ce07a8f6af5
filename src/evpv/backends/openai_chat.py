"""`OpenAIChat`: any model behind an OpenAI-compatible address: vLLM, SGLang, llama.cpp, OpenAI, Gemini's own."""

from __future__ import annotations

import asyncio
import json
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import fields
from queue import SimpleQueue
from typing import Any, TypeVar

from evpv.backends.abilities import Arrival, in_order
from evpv.backends.capabilities import Capabilities, probe
from evpv.backends.circuit import Circuit
from evpv.backends.endpoint import Endpoint
from evpv.backends.event_loop import LoopThread
from evpv.backends.images import ImageEncoder, ImagePolicy, SentImage
from evpv.backends.ledger import Prices
from evpv.backends.retries import Asker, Persistence
from evpv.errors import BackendError, ConfigError, ImageError, unknown_name
from evpv.protocols import ChatReply, ChatRequest

_FEWEST_FAILURES = 20
Settings = TypeVar("Settings", ImagePolicy, Prices)


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
        self.image_policy = _made(ImagePolicy, images, "images")
        self.prices = None if prices is None else _made(Prices, prices, "prices")
        self._extra = dict(extra or {})
        self._concurrency = concurrency
        self._encoder = ImageEncoder(self.image_policy)
        self._endpoint = Endpoint(base_url, api_key_env, timeout_s, concurrency)
        self._asker = Asker(
            model,
            self._endpoint,
            Circuit(limit=max(_FEWEST_FAILURES, 3 * concurrency)),
            Persistence(attempts=attempts),
            self._extra,
        )
        self._slots = asyncio.Semaphore(concurrency)
        self._loop = LoopThread(f"asking {model}")
        self._ending = weakref.finalize(self, _end, self._loop, self._endpoint)

    def __repr__(self) -> str:
        return f"OpenAIChat({self.name!r}, base_url={self._endpoint.url!r})"

    @property
    def version(self) -> str:
        """What decides an answer besides the model and the request; part of a store's key."""
        return json.dumps([str(self.image_policy), self._extra], sort_keys=True)

    def close(self) -> None:
        """Give up what is in flight and close the connections."""
        self._ending()

    def ask(self, requests: Sequence[ChatRequest]) -> list[ChatReply]:
        """One reply per request, in order."""
        return in_order(self.stream(requests), len(requests))

    def stream(self, requests: Sequence[ChatRequest]) -> Iterator[Arrival]:
        """Replies as they come. To stop reading gives up what is still in flight."""
        arrivals: SimpleQueue[Arrival | None] = SimpleQueue()
        run = self._loop.submit(self._run(list(requests), arrivals.put))
        run.add_done_callback(lambda _: arrivals.put(None))
        try:
            while (arrival := arrivals.get()) is not None:
                yield arrival
            _raise_failure(run)
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

    def capabilities(self) -> Capabilities:
        """What the server can do, found by asking it one tiny question each."""
        return self._loop.submit(probe(self._endpoint, self.name, self._extra)).result()

    async def _run(self, requests: list[ChatRequest], put: Callable[[Arrival], None]) -> None:
        waiting = iter(enumerate(requests))

        async def work() -> None:
            for index, request in waiting:
                async with self._slots:
                    put((index, await self._reply(request)))

        async with asyncio.TaskGroup() as workers:
            for _ in range(min(self._concurrency, len(requests))):
                workers.create_task(work())

    async def _reply(self, request: ChatRequest) -> ChatReply:
        try:
            images: list[SentImage] = [await asyncio.to_thread(self._encoder.encoded, path) for path in request.images]
        except ImageError as error:
            return ChatReply(text=None, problem=str(error))
        try:
            return await self._asker.answer(request, images, self.prices or Prices())
        except Exception as error:  # noqa: BLE001 - whatever a server answers, the other questions of the batch go on
            return ChatReply(text=None, problem=f"the answer could not be read: {type(error).__name__}: {error}"[:500])


def _raise_failure(run: Future[None]) -> None:
    if run.cancelled():
        raise BackendError("this backend was closed while it was asking")
    error = run.exception()
    if error is not None:
        raise error


def _made(kind: type[Settings], given: Mapping[str, Any] | Settings | None, name: str) -> Settings:
    """A table of settings as its own type; an unknown one is named."""
    if isinstance(given, kind):
        return given
    table = dict(given or {})  # type: ignore[arg-type]
    known = [field.name for field in fields(kind)]
    for setting in table:
        if setting not in known:
            raise unknown_name(f"setting of {name}:", setting, known)
    return kind(**table)


def _end(loop: LoopThread, endpoint: Endpoint) -> None:
    loop.close(endpoint.close())
