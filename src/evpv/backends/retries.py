"""One question put to a server until there is an answer or no use in asking: retries, dialects, and a circuit for dead servers."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any

from evpv.backends import wire
from evpv.backends.endpoint import CallError, Endpoint
from evpv.backends.images import SentImage
from evpv.backends.ledger import Prices
from evpv.backends.replies import read_json
from evpv.backends.wire import DIALECTS, Dialect, next_dialect
from evpv.protocols import ChatReply, ChatRequest, Usage


class Circuit:
    """Counts failures since the last success; at `limit` it opens and calls fail at once with the last reason.

    After `rest_s` one call is let through to see whether the server is back: if it succeeds the circuit closes.
    """

    def __init__(self, *, limit: int, rest_s: float = 30.0) -> None:
        self._limit = limit
        self._rest_s = rest_s
        self._failures = 0
        self._last = ""
        self._opened: float | None = None
        self._lock = Lock()

    def refusal(self) -> str | None:
        """Why no call should be made now, or None."""
        with self._lock:
            if self._opened is None:
                return None
            if time.monotonic() - self._opened >= self._rest_s:
                self._opened = time.monotonic()  # the caller tries; the others go on failing fast until it succeeds
                return None
            return f"not asked: the last {self._failures} calls in a row failed, at last with: {self._last}"

    def note_success(self) -> None:
        """The server answered."""
        with self._lock:
            self._failures, self._opened = 0, None

    def note_failure(self, reason: str, *, hopeless: bool = False) -> None:
        """A call failed; `hopeless` where every other call must fail for the same reason, such as a refused key."""
        with self._lock:
            self._failures += 1
            self._last = reason
            if self._opened is None and (hopeless or self._failures >= self._limit):
                self._opened = time.monotonic()


_MOST_PILOTS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Persistence:
    """How often a question is put, and how long is waited in between."""

    attempts: int
    first_wait_s: float = 0.5
    longest_wait_s: float = 60.0

    def wait_s(self, fault: CallError, tried: int) -> float | None:
        """How long to wait before asking again; None if there is no use or the server asks for too long.

        The wait doubles each time and is drawn at random from its upper half, so that many clients do not come back
        at once.
        """
        if not fault.again or tried >= self.attempts:
            return None
        if fault.wait_s is not None:
            return fault.wait_s * random.uniform(1.0, 1.1) if fault.wait_s <= self.longest_wait_s else None
        longest: float = min(self.first_wait_s * 2 ** (tried - 1), self.longest_wait_s)
        return longest * random.uniform(0.5, 1.0)


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


class Asker:
    """Asks one model at one endpoint; belongs to the endpoint's event loop."""

    def __init__(
        self, model: str, endpoint: Endpoint, circuit: Circuit, persistence: Persistence, extra: Mapping[str, Any]
    ) -> None:
        self._model = model
        self._endpoint = endpoint
        self._circuit = circuit
        self._persistence = persistence
        self._extra = dict(extra)
        self._label_ids: dict[str, int | None] = {}
        self._pilot = asyncio.Lock()
        self._pilots = 0

    async def answer(self, request: ChatRequest, images: Sequence[SentImage], prices: Prices) -> ChatReply:
        """The answer to one question, with what it cost and how it was put; a failure is a reply with a problem.

        While it is not known whether the server holds answers to a schema, one question goes ahead and the others
        wait: else a full batch would have to be asked twice.
        """
        if request.schema is not None and self._needs_pilot():
            async with self._pilot:
                if self._needs_pilot():
                    self._pilots += 1
                    return await self._full_reply(request, images, prices)
        return await self._full_reply(request, images, prices)

    def _needs_pilot(self) -> bool:
        return self._dialect().schema == "unknown" and self._pilots < _MOST_PILOTS

    def _dialect(self) -> Dialect:
        return DIALECTS.dialect(self._endpoint.url, self._model)

    async def _full_reply(self, request: ChatRequest, images: Sequence[SentImage], prices: Prices) -> ChatReply:
        state = _QuestionState(begun_with=self._dialect(), dialect=self._dialect())
        label_ids = await self._ids(request.labels)
        reply = await self._first_good_reply(request, images, state, label_ids)
        cost = Usage(
            calls=state.calls, images=len(images) if state.calls else 0, prompt_tokens=state.prompt_tokens,
            completion_tokens=state.completion_tokens, retries=max(state.calls - 1, 0),
            seconds=time.monotonic() - state.begun,
            money=prices.cost(state.prompt_tokens, state.completion_tokens),
        )  # fmt: skip
        return replace(reply, usage=cost, facts=_facts(request, images, state, label_ids))

    async def _first_good_reply(
        self, request: ChatRequest, images: Sequence[SentImage], state: _QuestionState, label_ids: Sequence[int]
    ) -> ChatReply:
        while True:
            refusal = self._circuit.refusal()
            if refusal is not None:
                return ChatReply(text=None, problem=refusal)
            sent = wire.body(self._model, request, images, state.dialect, label_ids) | self._extra
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
        self._tell_circuit(fault)
        wait_s = self._persistence.wait_s(fault, state.calls)
        if wait_s is None:
            tries = f" (asked {state.calls} times)" if state.calls > 1 else ""
            return f"{fault.reason}{tries}"
        await asyncio.sleep(wait_s)
        return None

    def _tell_circuit(self, fault: CallError) -> None:
        """A server that says when to come back, or refuses one question, is alive; a refused key or an empty account
        stops every other question too."""
        if fault.hopeless:
            self._circuit.note_failure(fault.reason, hopeless=True)
        elif not fault.again:
            self._circuit.note_success()
        elif fault.status != 429 or fault.wait_s is None:
            self._circuit.note_failure(fault.reason)

    def _keeps_schema(self, reply: ChatReply, request: ChatRequest, state: _QuestionState) -> bool:
        """Whether an answer can stand; remembers the dialect that brought it.

        A server that took a schema and did not keep to it ignores schemas: the question is put again with the schema
        in the prompt. An answer that was cut off proves nothing.
        """
        if request.schema is not None and state.dialect.schema == "unknown" and reply.finish != "length":
            reading = read_json(reply.text, request.schema)
            enforced = reading.problem is None and not reading.repairs
            state.dialect = replace(state.dialect, schema="enforced" if enforced else "prompted")
            self._learn(state.begun_with, state.dialect)
            return enforced
        if state.dialect != state.begun_with:
            self._learn(state.begun_with, state.dialect)
        return True

    def _learn(self, before: Dialect, after: Dialect) -> None:
        DIALECTS.learn(self._endpoint.url, self._model, before, after)

    async def _ids(self, labels: Sequence[str]) -> list[int]:
        """The labels' tokens at a server that takes them by id (vLLM), if each label is one token; else none."""
        if not labels or "logprob_token_ids" in self._dialect().without:
            return []
        if self._dialect().owner is None:
            before = self._dialect()
            self._learn(before, replace(before, owner=await self._endpoint.owner()))
        if self._dialect().owner != "vllm":
            return []
        for label in labels:
            if label not in self._label_ids:
                self._label_ids[label] = await self._label_id(label)
        known = [token for label in labels if (token := self._label_ids[label]) is not None]
        return known if len(known) == len(labels) else []

    async def _label_id(self, label: str) -> int | None:
        try:
            ids = await self._endpoint.token_ids(self._model, label)
        except CallError:
            return None
        return ids[0] if len(ids) == 1 else None


def _facts(
    request: ChatRequest, images: Sequence[SentImage], state: _QuestionState, label_ids: Sequence[int]
) -> dict[str, Any]:
    """How the question was put, as far as that is not plain from the request itself."""
    by_id = label_ids and "logprob_token_ids" not in state.dialect.without
    found_by = "by id" if by_id else f"of the likeliest {state.dialect.most_top_logprobs}"
    facts: dict[str, Any] = {
        "images": [dict(image.facts) for image in images],
        "schema": state.dialect.schema if request.schema is not None else None,
        "labels": found_by if request.labels else None,
        "without": sorted(state.dialect.without),
        "faults": state.faults,
    }
    return {name: value for name, value in facts.items() if value}
