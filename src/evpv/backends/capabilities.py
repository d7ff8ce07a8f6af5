"""What a server can do, found by asking it: one tiny question per ability."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from PIL import Image

from evpv.backends import wire
from evpv.backends.dialects import Dialect, adjusted
from evpv.backends.endpoint import CallError, Endpoint
from evpv.backends.images import ImagePolicy, SentImage, encode
from evpv.backends.replies import read_json
from evpv.protocols import ChatRequest, Sampling

_SIGN = {
    "type": "object",
    "properties": {"sign": {"type": "integer", "enum": [1, -1]}},
    "required": ["sign"],
    "additionalProperties": False,
}
_QUESTION = ChatRequest(prompt="Say hello.", sampling=Sampling(max_tokens=16))
_MOST_ADJUSTMENTS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What a server does when asked. None: it could not be told, for example because the answer was cut off.

    `problem` is why a plain question was not answered; nothing else was asked then. `images` is whether a picture
    counts in the prompt; `json_schema` whether an answer is held to one; `n` whether one question can have several
    answers; `prompt_logprobs` whether a text that is given can be scored; `owner` who serves, by its own word.
    """

    problem: str | None = None
    owner: str = ""
    images: bool | None = None
    json_schema: bool | None = None
    logprobs: bool | None = None
    n: bool | None = None
    prompt_logprobs: bool | None = None


async def probe(endpoint: Endpoint, model: str, extra: Mapping[str, Any]) -> Capabilities:
    """Ask one plain question, then one for each ability."""
    asking = _Probe(endpoint, model, extra)
    try:
        plain = await asking.ask(_QUESTION)
    except CallError as fault:
        return Capabilities(problem=fault.reason)
    return Capabilities(
        owner=await asking.owner(),
        images=await asking.takes_images(plain),
        json_schema=await asking.keeps_schemas(),
        logprobs=_has_logprobs(await asking.tried(_with_logprobs())),
        n=_has_two(await asking.tried(_QUESTION, {"n": 2, "temperature": 0.7})),
        prompt_logprobs=_has_prompt_logprobs(await asking.tried(_QUESTION, {"prompt_logprobs": 1})),
    )


class _Probe:
    """Questions to one model, put in the dialect that the plain one showed to work."""

    def __init__(self, endpoint: Endpoint, model: str, extra: Mapping[str, Any]) -> None:
        self._endpoint = endpoint
        self._model = model
        self._extra = extra
        self._dialect = Dialect()

    async def ask(self, request: ChatRequest) -> dict[str, Any]:
        """The server's answer to a plain question, adjusting to what it refuses."""
        for _ in range(_MOST_ADJUSTMENTS):
            try:
                return await self._put(request, (), {})
            except CallError as fault:
                sent = set(wire.body(self._model, request, (), self._dialect, ()))
                other = adjusted(self._dialect, fault.reason, sent) if fault.status in (400, 422) else None
                if other is None:
                    raise
                self._dialect = other
        raise CallError("the server refuses every dialect of asking")

    async def tried(self, request: ChatRequest, more: Mapping[str, Any] | None = None) -> dict[str, Any] | None:
        """The answer, or None where the server refuses."""
        try:
            return await self._put(request, (), more or {})
        except CallError:
            return None

    async def owner(self) -> str:
        try:
            return await self._endpoint.owner()
        except CallError:
            return ""

    async def takes_images(self, plain: Mapping[str, Any]) -> bool | None:
        """Whether a picture is taken, and makes the prompt longer where the server counts tokens."""
        try:
            seen = await self._put(_QUESTION, (_picture(),), {})
        except CallError:
            return False
        before, after = wire.usage_of(plain)[0], wire.usage_of(seen)[0]
        return after > before if before and after else None

    async def keeps_schemas(self) -> bool | None:
        """Whether a greeting comes as the JSON that the schema asks for."""
        question = ChatRequest(prompt=_QUESTION.prompt, schema=_SIGN, sampling=Sampling(max_tokens=64))
        payload = await self.tried(question)
        if payload is None:
            return False
        try:
            reply = wire.reply(payload, question)
        except CallError:
            return None
        if reply.finish == "length":
            return None
        reading = read_json(reply.text, _SIGN)
        return reading.problem is None and not reading.repairs

    async def _put(
        self, request: ChatRequest, images: tuple[SentImage, ...], more: Mapping[str, Any]
    ) -> dict[str, Any]:
        body = wire.body(self._model, request, images, self._dialect, ())
        return await self._endpoint.complete({**body, **self._extra, **more})


def _picture() -> SentImage:
    """A small picture with sides that every vision tower can cut into its patches."""
    written = io.BytesIO()
    Image.new("RGB", (112, 112), "white").save(written, "PNG")
    return encode(written.getvalue(), ImagePolicy())


def _with_logprobs() -> ChatRequest:
    return ChatRequest(prompt=_QUESTION.prompt, top_logprobs=2, sampling=Sampling(max_tokens=2))


def _has_logprobs(payload: Mapping[str, Any] | None) -> bool:
    if payload is None:
        return False
    try:
        tokens = wire.reply(payload, _with_logprobs()).tokens
    except CallError:
        return False
    return bool(tokens) and bool(tokens[0].top)


def _has_two(payload: Mapping[str, Any] | None) -> bool:
    return payload is not None and len(payload.get("choices") or ()) == 2


def _has_prompt_logprobs(payload: Mapping[str, Any] | None) -> bool:
    return payload is not None and bool(payload.get("prompt_logprobs"))
