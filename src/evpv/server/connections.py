"""Connections under watch: heads that do not arrive, answers that nobody reads, and too many from one address."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections import Counter
from dataclasses import dataclass, field

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

_LONGEST_HEAD = 65_536
_RESET = struct.pack("ii", 1, 0)
_SPARE = 128
"""So many more than the limit are accepted to be told that it is reached, and to ask whether the service is alive."""


@dataclass(slots=True, kw_only=True)
class Connections:
    """How many there are, in all and by address, and how long they may take."""

    most: int
    most_of_one: int
    head_s: float
    write_s: float
    _by_address: Counter[str] = field(default_factory=Counter)
    _all: int = 0

    def add(self, address: str) -> bool:
        """Count one more; False where not even a refusal should be spent on it."""
        self._all += 1
        self._by_address[address] += 1
        return self._all <= self.most + _SPARE

    def remove(self, address: str) -> None:
        self._all -= 1
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]

    def excess(self, address: str) -> str | None:
        """Why a request over one of this address's connections is refused; None where it is not."""
        if self._by_address[address] > self.most_of_one:
            return "too many connections from this address"
        return "too many connections" if self._all > self.most else None


class WatchedProtocol(HttpToolsProtocol):
    """HTTP by a parser in C, on a connection that is ended when its head, or whoever should read its answer, takes too long.

    A slow body is the middleware's business.
    """

    watch: Connections
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
        self._head = self.loop.call_later(self.watch.head_s, self.transport.close)
        self._writing = self.loop.call_later(self.watch.write_s, self._check_reader)

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
            self._head = self.loop.call_later(self.watch.head_s, self.transport.close)

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
        self._writing = self.loop.call_later(self.watch.write_s, self._check_reader)
