"""Connections that stay: answers that nobody reads, and hundreds of them, keep nobody else out."""

from __future__ import annotations

import json
import select
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx2
import pytest

from tests.server.serving import NO_RATE, Served, serving

CLAIM = {"claims": ["AB = 5"], "constraints": []}
LARGE = {"claims": ["AB is 5. " * 100_000] * 10, "constraints": []}
"""Claims too long to be parsed come back as they are: nine megabytes, more than a connection holds by itself."""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    options = ("connections=40", "connections-per-address=20", "write-s=1", "body-s=60")
    limits = [word for option in options for word in ("--limit", option)]
    with serving(tmp_path_factory.mktemp("small"), "--recipe", "given", "--workers", "1", *NO_RATE, *limits) as service:
        yield service


def connected(service: Served, stack: ExitStack) -> socket.socket:
    host, port = service.url.removeprefix("http://").split(":")
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    made.settimeout(20)
    made.connect((host, int(port)))
    return stack.enter_context(made)


def post(body: bytes) -> bytes:
    head = (
        f"POST /v1/match HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    )
    return head.encode() + b"\r\n\r\n" + body


def until_hung_up(connection: socket.socket, for_s: float) -> bool:
    """Whether the other side has ended a connection of which nothing is read."""
    poll = select.poll()
    poll.register(connection, select.POLLRDHUP)
    return bool(poll.poll(for_s * 1000))


def test_an_answer_that_nobody_reads_ends_its_connection(small: Served) -> None:
    with ExitStack() as stack:
        silent = connected(small, stack)
        silent.sendall(post(json.dumps(LARGE).encode()))
        assert until_hung_up(silent, 60)


def test_health_answers_however_many_connections_there_are(small: Served, tmp_path: Path) -> None:
    with ExitStack() as stack:
        for _ in range(60):
            connected(small, stack).sendall(b"POST /v1/verify HTTP/1.1\r\n")
        for path in ("/healthz", "/readyz"):
            assert httpx2.get(small.url + path, timeout=60).status_code == 200
        refused = httpx2.post(small.url + "/v1/match", json=CLAIM, timeout=60)
        assert refused.status_code == 503
        assert "too many connections" in refused.json()["message"]
    deadline = time.monotonic() + 60
    while httpx2.post(small.url + "/v1/match", json=CLAIM, timeout=60).status_code != 200:
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_a_head_without_end_is_cut_off(small: Served) -> None:
    with ExitStack() as stack:
        connection = connected(small, stack)
        with pytest.raises(OSError):  # noqa: PT012 - it is hung up on at some point
            for _ in range(10_000):
                connection.sendall(b"GET /healthz HTTP/1.1\r\n" if _ == 0 else b"X-A: " + b"a" * 1000 + b"\r\n")


def test_a_million_chunks_cost_little(small: Served) -> None:
    """They are refused by the head; what has arrived by then goes through a parser in C."""
    began = small.processor_s()
    with ExitStack() as stack:
        connections = [connected(small, stack) for _ in range(5)]
        head = b"POST /v1/verify HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        for connection in connections:
            try:
                connection.sendall(head + b"1\r\nx\r\n" * 200_000)
            except OSError:
                continue
        assert httpx2.get(small.url + "/healthz", timeout=60).status_code == 200
        assert small.processor_s() - began < 2.0
