"""Asking over HTTP, the store and memory: how close to the ideal the client comes.

usage: backends.py [--requests 1280] [--memory-requests 10000]

The server is a process of its own that answers every question after 200 ms, as many at once as are asked. With 64 in
flight the ideal is 64 / 0.2 = 320 answers per second. Memory is the client's resident size after each tenth of
`--memory-requests` questions with a picture each. Every reply is checked before a speed is printed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from rich.console import Console
from rich.table import Table

from evpv.backends.openai_chat import OpenAIChat
from evpv.backends.scripted import ScriptedBackend
from evpv.backends.store import AnswerStore, RecordedBackend
from evpv.protocols import ChatRequest

DELAY_S = 0.2
IN_FLIGHT = 64
STORED = 2000
ROUNDS = 5


async def _serve(delay_s: float) -> None:
    """Answer every question after a delay, with as little work as possible, until the process is ended."""

    async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                body = await reader.readexactly(int(head.split(b"content-length: ")[1].split(b"\r\n")[0]))
                await asyncio.sleep(delay_s)
                mark = body.rindex(b"question ")
                text = body[mark : body.index(b'"', mark)]
                content = (
                    b'{"choices": [{"finish_reason": "stop", "message": {"content": "%s"}}], '
                    b'"usage": {"prompt_tokens": 9, "completion_tokens": 3}}' % text
                )
                writer.write(
                    b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(content)
                )
                writer.write(content)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(one, "127.0.0.1", 0, limit=2**24)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


@contextmanager
def server(delay_s: float) -> Iterator[str]:
    """The address of a server process that lives as long as the block."""
    command = [sys.executable, __file__, "--serve", str(delay_s)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
        finally:
            process.kill()


def questions(count: int, images: tuple[str, ...] = ()) -> list[ChatRequest]:
    """Numbered questions, each with its own right answer."""
    return [ChatRequest(prompt=f"question {number}", images=images) for number in range(count)]


def asked(backend: OpenAIChat | RecordedBackend, requests: list[ChatRequest]) -> float:
    """Seconds for a batch whose replies are all right."""
    begun = time.perf_counter()
    replies = backend.ask(requests)
    took = time.perf_counter() - begun
    assert [reply.text for reply in replies] == [request.prompt for request in requests]
    return took


def throughput(count: int) -> tuple[float, float]:
    """Answers per second with 64 in flight, and the processor's seconds per answer; the best of three rounds."""
    with server(DELAY_S) as base_url:
        backend = OpenAIChat("any", base_url=base_url, concurrency=IN_FLIGHT)
        asked(backend, questions(IN_FLIGHT))  # connections are opened once, before the clock runs
        rounds = []
        for _ in range(3):
            spent = time.process_time()
            rounds.append((count / asked(backend, questions(count)), (time.process_time() - spent) / count))
        backend.close()
    return max(rounds)


def hits() -> float:
    """Stored answers per second, each question with a picture, asked in batches of 100; the best of some rounds."""
    with tempfile.TemporaryDirectory() as folder:
        image = str(Path(folder, "figure.png"))
        Image.new("RGB", (64, 64)).save(image)
        store = AnswerStore(Path(folder, "answers.sqlite"))
        backend = RecordedBackend(ScriptedBackend(lambda request: request.prompt), store=store)
        requests = questions(STORED, (image,))
        asked(backend, requests)
        parts = [requests[start : start + 100] for start in range(0, STORED, 100)]
        fastest = min(sum(asked(backend, part) for part in parts) for _ in range(ROUNDS))
        store.close()
    return STORED / fastest


def memory(count: int) -> list[float]:
    """The client's resident megabytes after each tenth of the questions."""
    sizes: list[float] = []
    with tempfile.TemporaryDirectory() as folder, server(0.0) as base_url:
        image = str(Path(folder, "figure.png"))
        Image.effect_noise((200, 200), 50).save(image)
        backend = OpenAIChat("any", base_url=base_url, concurrency=IN_FLIGHT)
        for _ in range(10):
            asked(backend, questions(count // 10, (image,)))
            sizes.append(_resident_mb())
        backend.close()
    return sizes


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE") / 1e6


def main() -> None:
    """Measure, print a table, and the figures as one line of JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--requests", type=int, default=3200)
    parser.add_argument("--memory-requests", type=int, default=10_000)
    parser.add_argument("--serve", type=float, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve is not None:
        asyncio.run(_serve(given.serve))
        return
    ideal = IN_FLIGHT / DELAY_S
    per_s, cpu_s = throughput(given.requests)
    hits_per_s = hits()
    sizes = memory(given.memory_requests)
    table = Table(title="asking", title_justify="left")
    for column in ("what", "figure", "bar"):
        table.add_column(column)
    table.add_row(
        f"{IN_FLIGHT} in flight, {DELAY_S * 1000:.0f} ms a reply", f"{per_s:.0f} of {ideal:.0f} per s", "≥ 0.9"
    )
    table.add_row("processor time of the client", f"{cpu_s * 1000:.2f} ms a question", "")
    table.add_row("stored answers", f"{hits_per_s:.0f} per s", "≥ 5000")
    growth = sizes[-1] - sizes[1]
    table.add_row(
        f"memory over {given.memory_requests} questions",
        f"{sizes[-1]:.0f} MB, {growth:+.1f} MB since the second tenth",
        "flat",
    )
    Console(width=100).print(table)
    figures = {
        "of_ideal": round(per_s / ideal, 3), "hits_per_s": round(hits_per_s), "memory_mb": round(sizes[-1], 1),
        "memory_growth_mb": round(growth, 1), "cpu_ms_per_question": round(cpu_s * 1000, 3),
    }  # fmt: skip
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
