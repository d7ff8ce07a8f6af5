"""What every request passes before the service looks into it: a key, a rate, a size, a time; and what is noted of it.

A body is read here, whole and within its bounds, so that nothing behind this deals with half a request.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn
from uuid import uuid4

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from evpv.server.keys import Keys, Rates
from evpv.server.limits import Limits
from evpv.server.metrics import Metrics

_LOG = logging.getLogger("evpv.server.requests")
_REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_LONGEST_PATH = 200
_SAFE = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
_NOTHING_RUNS = (
    b"content-security-policy",
    b"default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
)
OPEN = frozenset({"/", "/healthz", "/readyz", "/openapi.json"})
"""Paths that need no key: they say nothing of anyone's work."""


class RefusedError(Exception):
    """A request that is answered here and goes no further."""

    def __init__(self, status: int, message: str, *, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status, self.message, self.headers = status, message, dict(headers or {})


@dataclass(slots=True)
class _Passage:
    """What is noted of one request on its way."""

    request_id: str
    path: str
    method: str
    began: float
    who: str = "-"
    status: int = 0


@dataclass(slots=True, kw_only=True)
class Guard:
    """Around the application: `paths` are those that are counted by name."""

    app: ASGIApp
    keys: Keys | None
    limits: Limits
    metrics: Metrics
    paths: frozenset[str]
    rates: Rates = field(init=False)

    def __post_init__(self) -> None:
        self.rates = Rates(per_minute=self.limits.requests_per_minute)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        passage = _Passage(_request_id(headers), scope["path"], scope["method"], time.monotonic())
        scope.setdefault("state", {})["request_id"] = passage.request_id
        sending = _noting(send, passage)
        try:
            self._check(scope, headers, passage)
            body = await self._body(headers, receive)
            await self.app(scope, _replaying(body, receive), sending)
        except RefusedError as refusal:
            await _refuse(refusal, passage, sending)
        finally:
            self._note(passage)

    def _check(self, scope: Scope, headers: Mapping[bytes, bytes], passage: _Passage) -> None:
        client = scope["client"][0] if scope.get("client") else "unknown"
        passage.who = client
        if scope["path"] in OPEN:
            return
        if self.keys is not None:
            owner = self.keys.owner(_bearer(headers))
            if owner is None:
                raise RefusedError(
                    401, "a key is needed: Authorization: Bearer KEY", headers={"www-authenticate": "Bearer"}
                )
            passage.who = owner
        wait_s = self.rates.wait_s(passage.who, passage.began)
        if wait_s > 0:
            raise RefusedError(429, "too many requests for this key", headers={"retry-after": str(math.ceil(wait_s))})

    async def _body(self, headers: Mapping[bytes, bytes], receive: Receive) -> bytes:
        """The whole body. What is refused here also ends the connection: the rest of it is not read."""
        announced = headers.get(b"content-length", b"0")
        if not announced.isdigit() or int(announced) > self.limits.body_bytes:
            self._too_large()
        body = bytearray()
        try:
            async with asyncio.timeout(self.limits.body_s):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise RefusedError(400, "the request ended before its body did")
                    body += message.get("body", b"")
                    if len(body) > self.limits.body_bytes:
                        self._too_large()
                    if not message.get("more_body", False):
                        return bytes(body)
        except TimeoutError:
            why = f"the request took longer than {self.limits.body_s:g} seconds to arrive"
            raise RefusedError(408, why, headers={"connection": "close"}) from None

    def _too_large(self) -> NoReturn:
        raise RefusedError(413, f"a request has at most {self.limits.body_mb:g} MB", headers={"connection": "close"})

    def _note(self, passage: _Passage) -> None:
        seconds = time.monotonic() - passage.began
        path = passage.path if passage.path in self.paths else "other"
        self.metrics.add(path, passage.status, seconds)
        _LOG.info(
            "request",
            extra={
                "request_id": passage.request_id,
                "who": passage.who,
                "method": passage.method,
                "path": passage.path[:_LONGEST_PATH],
                "status": passage.status,
                "seconds": round(seconds, 4),
            },
        )


def _request_id(headers: Mapping[bytes, bytes]) -> str:
    """The client's own id for the request if it is a plain one, else a new one."""
    given = headers.get(b"x-request-id", b"")
    return given.decode("ascii") if _REQUEST_ID.fullmatch(given) else uuid4().hex


def _bearer(headers: Mapping[bytes, bytes]) -> str:
    kind, _, key = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
    return key.strip() if kind.lower() == "bearer" else ""


def _replaying(body: bytes, receive: Receive) -> Receive:
    """The body as one message, and after it whatever comes: that the client has gone."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


def _noting(send: Send, passage: _Passage) -> Send:
    """Sends on, with the headers that every answer carries."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            passage.status = message["status"]
            names = {name for name, _ in message["headers"]}
            added: list[tuple[bytes, bytes]] = [(b"x-request-id", passage.request_id.encode()), *_SAFE]
            if _NOTHING_RUNS[0] not in names:
                added.append(_NOTHING_RUNS)
            if b"cache-control" not in names:
                added.append((b"cache-control", b"no-store"))
            message["headers"] = [*message["headers"], *added]
        await send(message)

    return sending


async def _refuse(refusal: RefusedError, passage: _Passage, send: Send) -> None:
    answer: dict[str, Any] = {"message": refusal.message, "request_id": passage.request_id}
    body = json.dumps(answer).encode()
    headers = {"content-type": "application/json", "content-length": str(len(body)), **refusal.headers}
    encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": refusal.status, "headers": encoded})
    await send({"type": "http.response.body", "body": body})
