"""What every request passes before the service looks into it: connections, a key, a rate, a size, a time; and what is noted of it.

A body is read here, whole and within its bounds, so that nothing behind this deals with half a request. Nothing of it is
read before all that its head says has been settled, and all bodies together stay within one bound.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import math
import re
import socket
import struct
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from uuid import uuid4

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from evpv.server.limits import Keys, Limits, Rates
from evpv.server.metrics import Metrics

_LONGEST_HEAD = 65_536
_RESET = struct.pack("ii", 1, 0)
_SPARE = 128
"""So many more than the limit are accepted to be told that it is reached, and to ask whether the service is alive."""


@dataclass(slots=True)
class _Connections:
    """How many there are, in all and by address, within the limits, which also say how long they may take."""

    limits: Limits
    _by_address: Counter[str] = field(default_factory=Counter)

    def add(self, address: str) -> bool:
        """Count one more; False where not even a refusal should be spent on it."""
        self._by_address[address] += 1
        return self._by_address.total() <= self.limits.connections + _SPARE

    def remove(self, address: str) -> None:
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]

    def excess(self, address: str) -> str | None:
        """Why a request over one of this address's connections is refused; None where it is not."""
        if self._by_address[address] > self.limits.connections_per_address:
            return "too many connections from this address"
        return "too many connections" if self._by_address.total() > self.limits.connections else None


class _WatchedProtocol(HttpToolsProtocol):
    """HTTP by a parser in C, on a connection that is ended when its head, or whoever should read its answer, takes too long.

    A slow body is the middleware's business.
    """

    watch: _Connections
    _address = "unknown"
    _head: asyncio.TimerHandle | None = None
    _writing: asyncio.TimerHandle | None = None
    _head_bytes = 0
    _unread = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._address = self.client[0] if self.client else "unknown"
        if not self.watch.add(self._address):
            transport.abort()
            return
        self._head = self.loop.call_later(self.watch.limits.body_s, self.transport.close)
        self._writing = self.loop.call_later(self.watch.limits.write_s, self._check_reader)

    def data_received(self, data: bytes) -> None:
        if not self._in_request:
            self._head_bytes += len(data)
            if self._head_bytes > _LONGEST_HEAD + len(data):
                self.send_400_response("The head of the request is too long.")
                return
        super().data_received(data)
        if self._in_request:
            self._head_bytes = 0
            if self._head is not None:
                self._head.cancel()
                self._head = None
        elif self._head is None and not self.transport.is_closing():
            self._head = self.loop.call_later(self.watch.limits.body_s, self.transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in (self._head, self._writing):
            if timer is not None:
                timer.cancel()
        self.watch.remove(self._address)
        super().connection_lost(exc)

    @property
    def _in_request(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _check_reader(self) -> None:
        """Hang up where nothing of what is to be sent has been taken since the last look, however the connection stands."""
        unread = self.transport.get_write_buffer_size()
        if unread and unread >= self._unread > 0:
            # With a reset, or the kernel would go on holding what was to be sent.
            self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            self.transport.abort()
            return
        self._unread = unread
        self._writing = self.loop.call_later(self.watch.limits.write_s, self._check_reader)


_LOG = logging.getLogger("evpv.server.requests")
_REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_LONGEST_PATH = 200
_LONGEST_LENGTH = 20
_SAFE = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "cache-control": "no-store",
}
"""What every answer carries, unless it says otherwise itself."""
_CLOSE = {"connection": "close"}
_LINGER_S, _LINGER_BYTES = 1.0, 4_000_000
_LATER = {"retry-after": "5"}
_HEALTH = frozenset({"/healthz", "/readyz"})
_OPEN = _HEALTH | {"/", "/openapi.json"}
"""Paths that need no key: they say nothing of anyone's work."""
_UPLOADS = "/v1/images"
_DECIDING = (b"host", b"origin", b"authorization", b"content-type", b"content-length")
_LOCAL_HOST = re.compile(rb"(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?", re.IGNORECASE)


@dataclass(slots=True)
class _RequestRecord:
    request_id: str
    path: str
    method: str
    began: float
    who: str = "-"
    status: int = 0


@dataclass(slots=True, kw_only=True)
class Middleware:
    """Around the application. `paths` are the application's, with the methods of each."""

    app: ASGIApp
    keys: Keys | None
    limits: Limits
    metrics: Metrics
    paths: Mapping[str, frozenset[str]]
    connections: _Connections = field(init=False)
    _rates: Rates = field(init=False)
    _buffered: int = 0

    def __post_init__(self) -> None:
        self.connections = _Connections(self.limits)
        self._rates = Rates(per_minute=self.limits.requests_per_minute)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        given = headers.get(b"x-request-id", b"")  # the client's own id for the request if it is a plain one
        request_id = given.decode("ascii") if _REQUEST_ID.fullmatch(given) else uuid4().hex
        record = _RequestRecord(request_id, scope["path"], scope["method"], time.monotonic())
        scope.setdefault("state", {})["request_id"] = record.request_id
        sending = _noting(send, record)
        reserved = 0
        try:
            self._check_sender(scope, headers, record)
            scope["state"]["who"] = record.who
            reserved = self._check_head(record, headers)
            self._buffered += reserved
            body = await self._body(reserved, receive) if reserved else b""
            await self.app(scope, _replaying(body, receive), sending)
        except HTTPException as refusal:
            await _refuse(refusal, record, receive, sending)
        finally:
            self._buffered -= reserved
            self._note(record)

    def _check_sender(self, scope: Scope, headers: Mapping[bytes, bytes], record: _RequestRecord) -> None:
        record.who = address = scope["client"][0] if scope.get("client") else "unknown"
        if record.path in _HEALTH and record.method == "GET":
            return
        names = [name for name, _ in scope["headers"]]
        # who stands before us may have gone by the other one
        if twice := next((name.decode() for name in _DECIDING if names.count(name) > 1), ""):
            raise HTTPException(400, f"{twice} is told twice", headers=_CLOSE)
        if (excess := self.connections.excess(address)) is not None:
            raise HTTPException(503, excess, headers=_LATER | _CLOSE)
        if self.keys is None:
            _check_origin(headers)
        if record.path in _OPEN:
            return
        if self.keys is not None:
            kind, _, key = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
            owner = self.keys.owner(key.strip() if kind.lower() == "bearer" else "")
            if owner is None:
                self._take_turn(f"address {address}", record.began)
                bearer = {"www-authenticate": "Bearer"}
                raise HTTPException(401, "a key is needed: Authorization: Bearer KEY", headers=bearer | _CLOSE)
            record.who = owner
        self._take_turn(record.who, record.began)

    def _take_turn(self, who: str, now: float) -> None:
        wait_s = self._rates.wait_s(who, now)
        if wait_s > 0:
            later = {"retry-after": str(math.ceil(wait_s))}
            raise HTTPException(429, "too many requests for this key", headers=later | _CLOSE)

    def _check_head(self, record: _RequestRecord, headers: Mapping[bytes, bytes]) -> int:
        """How long the body is that may be read now: known from the head, wanted by the path, and with room for it."""
        announced = headers.get(b"content-length", b"0")
        takes_body = "POST" in self.paths.get(record.path, ()) and record.method == "POST"
        if not takes_body:
            if announced != b"0" or b"transfer-encoding" in headers:
                raise HTTPException(413, "this path takes no body; /openapi.json names those that do", headers=_CLOSE)
            return 0
        if b"transfer-encoding" in headers:
            raise HTTPException(411, "a body is sent with its Content-Length", headers=_CLOSE)
        if not announced.isdigit() or len(announced) > _LONGEST_LENGTH or int(announced) > self.limits.body_bytes:
            raise HTTPException(413, f"a request has at most {self.limits.body_mb:g} MB", headers=_CLOSE)
        _check_type(record.path, headers)
        if self._buffered + int(announced) > self.limits.buffer_bytes:
            raise HTTPException(503, "too much is being received; try again later", headers=_LATER | _CLOSE)
        return int(announced)

    async def _body(self, length: int, receive: Receive) -> bytes:
        """The whole body. What is refused here also ends the connection: the rest of it is not read."""
        body = bytearray()
        try:
            async with asyncio.timeout(self.limits.body_s):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise HTTPException(400, "the request ended before its body did")
                    body += message.get("body", b"")
                    if len(body) > length:
                        raise HTTPException(413, "the body is longer than was announced", headers=_CLOSE)
                    if not message.get("more_body", False):
                        return bytes(body)
        except TimeoutError:
            why = f"the request took longer than {self.limits.body_s:g} seconds to arrive"
            raise HTTPException(408, why, headers=_CLOSE) from None

    def _note(self, record: _RequestRecord) -> None:
        seconds = time.monotonic() - record.began
        path = record.path if record.path in self.paths else "other"
        self.metrics.add(path, record.status, seconds)
        told = {**asdict(record), "path": record.path[:_LONGEST_PATH], "seconds": round(seconds, 4)}
        del told["began"]
        _LOG.info("request", extra=told)


def server_config(app: Middleware, host: str, port: int, *, shutdown_s: float | None = None) -> Config:
    """How uvicorn runs what stands behind this middleware: on connections that are watched, silent about itself."""
    protocol = type("Protocol", (_WatchedProtocol,), {"watch": app.connections})
    return Config(
        app, host=host, port=port, http=protocol, ws="none", lifespan="off", log_config=None, access_log=False,
        server_header=False, proxy_headers=False, backlog=1024,
        timeout_graceful_shutdown=None if shutdown_s is None else max(int(shutdown_s), 1),
    )  # fmt: skip


def _check_origin(headers: Mapping[bytes, bytes]) -> None:
    """Without keys only programs and pages of this machine may ask: a browser's other pages, whatever name they use for it, not."""
    host = headers.get(b"host", b"")
    if not _LOCAL_HOST.fullmatch(host):
        raise HTTPException(403, "without keys this service answers to localhost and 127.0.0.1 alone", headers=_CLOSE)
    origin = headers.get(b"origin")
    if origin is not None and origin.lower() != b"http://" + host.lower():
        raise HTTPException(403, "without keys this service answers no other site's pages", headers=_CLOSE)


def _check_type(path: str, headers: Mapping[bytes, bytes]) -> None:
    """A form that another site's page can send without asking has none of these types."""
    kind = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
    if path == _UPLOADS:
        if kind and not kind.startswith(b"image/") and kind != b"application/octet-stream":
            said = "an image is sent as image/png, image/jpeg, … or application/octet-stream"
            raise HTTPException(415, said, headers=_CLOSE)
    elif kind != b"application/json":
        raise HTTPException(415, "send content-type: application/json", headers=_CLOSE)


def _replaying(body: bytes, receive: Receive) -> Receive:
    """The body as one message, and after it whatever comes: that the client has gone."""
    left: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return left.pop() if left else await receive()

    return replay


def _noting(send: Send, record: _RequestRecord) -> Send:
    """Sends on, with the headers that every answer carries."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            record.status = message["status"]
            headers = MutableHeaders(scope=message)
            headers["x-request-id"] = record.request_id
            for name, value in _SAFE.items():
                headers.setdefault(name, value)
        await send(message)

    return sending


async def _refuse(refusal: HTTPException, record: _RequestRecord, receive: Receive, send: Send) -> None:
    body = json.dumps({"message": refusal.detail, "request_id": record.request_id}).encode()
    own = dict(refusal.headers or {})
    headers = {"content-type": "application/json", "content-length": str(len(body)), **own}
    encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": refusal.status_code, "headers": encoded})
    await send({"type": "http.response.body", "body": body, "more_body": True})
    if _CLOSE.items() <= own.items():
        # A little of a body that is not wanted is dropped: closing on what is still being sent would reset the
        # connection, and the client would never see the answer.
        dropped, is_more = 0, True
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LINGER_S):
                while is_more and dropped < _LINGER_BYTES:
                    message = await receive()
                    dropped += len(message.get("body", b""))
                    is_more = message.get("more_body", False)
    await send({"type": "http.response.body", "body": b""})
