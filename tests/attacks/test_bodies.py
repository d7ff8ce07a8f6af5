"""Requests made to hurt: each is refused by name, and nobody else waits for it."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from tests.server.serving import NO_RATE, Served, serving

JSON = {"content-type": "application/json"}
ONES = b",".join([b"1"] * 60_000)
MILLIONS = b",".join([b"1"] * 7_000_000)
CLAIM = {"claims": ["AB = 5"], "constraints": []}


@pytest.fixture(scope="module")
def open_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("open"), "--recipe", "given", "--workers", "1", *NO_RATE) as service:
        yield service


@pytest.fixture(scope="module")
def keyed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    options = ("--recipe", "given", "--workers", "1", *NO_RATE, "--limit", "buffer-mb=20")
    with serving(tmp_path_factory.mktemp("keyed"), *options, with_keys=True) as service:
        yield service


MOST_FRONT_S = 2.0
"""Processor time of the front for three such bodies: nobody waits longer for it, however busy the machine is otherwise."""


@contextmanager
def heartbeat(service: Served) -> Iterator[list[int]]:
    """What health checks are answered, over and over, while something else is tried."""
    statuses: list[int] = []
    over = threading.Event()

    def beat() -> None:
        with httpx2.Client(base_url=service.url, timeout=60) as client:
            while not over.wait(0.05):
                statuses.append(client.get("/healthz").status_code)

    thread = threading.Thread(target=beat)
    thread.start()
    try:
        yield statuses
    finally:
        over.set()
        thread.join()


BODIES = {
    "a list of numbers as documents": ("/v1/rerank", b'{"query": "", "documents": [' + ONES + b"]}", 422),
    "a list of numbers as candidates": ("/v1/verify", b'{"candidates": [' + ONES + b"]}", 422),
    "a list of numbers as options": ("/v1/verify", b'{"candidates": ["a"], "options": [' + ONES + b"]}", 422),
    "a list of numbers as images": ("/v1/extract", b'{"image": [' + ONES + b"]}", 422),
    "a list of numbers as claims": ("/v1/match", b'{"claims": [' + ONES + b'], "constraints": []}', 422),
    "a list of numbers as constraints": ("/v1/match", b'{"claims": ["a"], "constraints": [' + ONES + b"]}", 422),
    "many empty constraints": ("/v1/match", b'{"claims": ["a"], "constraints": [' + b"{}," * 60_000 + b"{}]}", 422),
    "millions of values": ("/v1/rerank", b'{"query": "", "documents": [' + MILLIONS + b"]}", 422),
    "millions of lists": ("/v1/rerank", b'{"query": "", "documents": [' + b"[],[" * 2_000_000, 422),
    "millions of keys": ("/v1/match", b"{" + b'"a":1,' * 2_000_000 + b'"b":1}', 422),
    "a deep tree": ("/v1/match", b'{"claims": ' + b"[" * 60_000 + b"]" * 60_000 + b"}", 400),
    "a very long number": ("/v1/rerank", b'{"query": "", "top_n": ' + b"9" * 2_000_000 + b', "documents": ["a"]}', 400),
    "many fields of strangers": ("/v1/match", json.dumps({f"f{n}": n for n in range(40_000)}).encode(), 422),
    "steps without end": ("/v1/verify", json.dumps({"candidates": [{"steps": ["a"] * 50_000}]}).encode(), 422),
    "a text of another type": ("/v1/match", b"claims=a", 415),
}


@pytest.mark.parametrize("name", BODIES)
def test_a_body_made_to_hurt_is_refused_and_nobody_waits(keyed: Served, name: str) -> None:
    path, body, status = BODIES[name]
    kind = JSON if status != 415 else {"content-type": "application/x-www-form-urlencoded"}
    began = keyed.processor_s()
    with heartbeat(keyed) as statuses, keyed.client() as client:
        for _ in range(3):
            answer = client.post(path, content=body, headers=kind)
            assert answer.status_code == status, answer.text
            assert answer.json()["message"]
            assert len(answer.content) < 2_000
    assert set(statuses) <= {200}
    assert keyed.processor_s() - began < MOST_FRONT_S


def sent(service: Served, head: str, body: bytes = b"") -> bytes:
    """The first line of what comes back for bytes sent as they are."""
    host, port = service.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(head.encode() + b"\r\n\r\n" + body)
        return connection.recv(65_536).partition(b"\r\n")[0]


HEADS = {
    "a body on an open path": ("POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 15000000", b" 413 "),
    "a body on the page": ("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 15000000", b" 413 "),
    "a body in chunks on an open path": ("GET /readyz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked", b" 413 "),
    "a body without a key": ("POST /v1/rerank HTTP/1.1\r\nHost: x\r\nContent-Length: 15000000", b" 401 "),
    "a body to nowhere": ("POST /nowhere HTTP/1.1\r\nHost: x\r\nAUTH\r\nContent-Length: 15000000", b" 413 "),
    "a body in chunks": ("POST /v1/match HTTP/1.1\r\nHost: x\r\nAUTH\r\nTransfer-Encoding: chunked", b" 411 "),
    "a body of no type": ("POST /v1/match HTTP/1.1\r\nHost: x\r\nAUTH\r\nContent-Length: 15000000", b" 415 "),
    "a length that is none": ("POST /v1/match HTTP/1.1\r\nHost: x\r\nAUTH\r\nContent-Length: 1e3", b" 400 "),
    "a length of thousands of digits": (f"POST /v1/match HTTP/1.1\r\nHost: x\r\nAUTH\r\nContent-Length: {'0' * 5_000}", b" 413 "),
    "two hosts": ("POST /v1/match HTTP/1.1\r\nHost: x\r\nHost: y\r\nAUTH\r\nContent-Length: 15000000", b" 400 "),
    "two keys": ("POST /v1/match HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer z\r\nAUTH\r\nContent-Length: 15000000", b" 400 "),
    "an image of no type": (
        "POST /v1/images HTTP/1.1\r\nHost: x\r\nAUTH\r\nContent-Type: text/html\r\nContent-Length: 15000000", b" 415 "),
}  # fmt: skip


@pytest.mark.parametrize("name", HEADS)
def test_what_the_head_tells_is_answered_before_the_body_is_sent(keyed: Served, name: str) -> None:
    head, status = HEADS[name]
    line = sent(keyed, head.replace("AUTH", f"Authorization: Bearer {keyed.key}"))
    assert status in line, line


def test_all_bodies_together_have_a_bound(keyed: Served) -> None:
    """Twenty megabytes of room: the second of two large bodies on their way is told to come back."""
    head = (
        f"POST /v1/match HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {keyed.key}\r\n"
        "Content-Type: application/json\r\nContent-Length: 12000000"
    )
    host, port = keyed.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as first:
        first.sendall(head.encode() + b"\r\n\r\n ")
        deadline = time.monotonic() + 10
        while b" 503 " not in (line := sent(keyed, head)) and time.monotonic() < deadline:
            pass
        assert b" 503 " in line
        with keyed.client() as client:
            assert client.post("/v1/match", json=CLAIM).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"host": "localhost:8080"}, 200),
        ({"host": "[::1]:8080", "origin": "http://[::1]:8080"}, 200),
        ({"host": "evil.example"}, 403),
        ({"host": "127.0.0.1.evil.example"}, 403),
        ({"host": "192.168.0.4:8080"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"host": "localhost:8080", "origin": "http://localhost:8081"}, 403),
    ],
)
def test_without_keys_only_this_machine_by_its_own_name_is_answered(
    open_service: Served, headers: dict[str, str], status: int
) -> None:
    with open_service.client() as client:
        assert client.post("/v1/match", json=CLAIM, headers=headers).status_code == status


@pytest.mark.slow
def test_a_request_that_needs_too_much_memory_costs_no_more_than_its_worker(tmp_path: Path) -> None:
    options = ("--recipe", "given", "--workers", "1", *NO_RATE, "--limit", "worker-memory-mb=200")
    with serving(tmp_path, *options) as service, service.client() as client:
        large = {"candidates": [{"steps": [f"{n} + {n} = {2 * n} " * 400 for n in range(900)]} for _ in range(2)]}
        assert client.post("/v1/verify", json=large, timeout=90).status_code in (200, 500, 504)
        assert client.post("/v1/match", json=CLAIM, timeout=90).status_code == 200
