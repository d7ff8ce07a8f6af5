"""A thousand questions through a proxy that fails a fifth of them, and a client that is killed half-way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evpv.backends.openai_chat import OpenAIChat
from evpv.protocols import ChatRequest

HERE = Path(__file__).parent
COUNT = 1000


def _questions(count: int) -> list[ChatRequest]:
    return [ChatRequest(prompt=f"question {number}") for number in range(count)]


def _asked_through_faults(start, *, timeout_s: float, stall_s: float, retry_after: str):  # type: ignore[no-untyped-def]
    upstream = start("upstream.py")
    proxy = start("proxy.py", "--upstream", upstream.port, "--stall", stall_s, "--retry-after", retry_after)
    backend = OpenAIChat("tiny", base_url=proxy.base_url, concurrency=32, timeout_s=timeout_s, attempts=8)
    try:
        replies = backend.ask(_questions(COUNT))
    finally:
        backend.close()
    return replies, proxy.get("/faults"), upstream.get("/counts")


def _check(replies, faults, counts) -> None:  # type: ignore[no-untyped-def]
    assert [reply.text for reply in replies] == [f"echo: question {number}" for number in range(COUNT)]
    assert set(faults) == {"429", "500", "drop", "half", "stall", "malformed", "empty"}
    calls = sum(reply.usage.calls for reply in replies)
    late = calls - COUNT - sum(faults.values())  # on a busy machine, calls that passed the time limit without a fault
    assert 1.15 * COUNT <= calls <= 1.5 * COUNT
    assert late >= 0
    assert sum(reply.usage.retries for reply in replies) == sum(faults.values()) + late
    # Only a half reply, or one that came too late, makes the server answer a question twice.
    assert COUNT + faults["half"] <= sum(counts.values()) <= COUNT + faults["half"] + late
    assert sum(len(reply.facts.get("faults", ())) for reply in replies) == sum(faults.values()) + late


def test_a_thousand_questions_with_a_fifth_of_faults_all_come_back_once(start):  # type: ignore[no-untyped-def]
    _check(*_asked_through_faults(start, timeout_s=2.0, stall_s=4.0, retry_after="0.1"))


@pytest.mark.slow
def test_stalls_of_thirty_seconds_are_outlived(start):  # type: ignore[no-untyped-def]
    _check(*_asked_through_faults(start, timeout_s=10.0, stall_s=30.0, retry_after="1"))


def test_a_killed_client_asks_only_what_is_missing_when_started_again(start, tmp_path):  # type: ignore[no-untyped-def]
    upstream = start("upstream.py", "--delay", 0.05)
    command = [sys.executable, str(HERE / "client.py"), upstream.base_url, str(tmp_path / "answers.sqlite"), "120"]
    first = subprocess.Popen(command, stdout=subprocess.PIPE)
    until = time.monotonic() + 60
    while sum(upstream.get("/counts").values()) < 50 and time.monotonic() < until:
        time.sleep(0.02)
    os.kill(first.pid, signal.SIGKILL)
    said, _ = first.communicate()
    asked = sum(upstream.get("/counts").values())
    assert said == b""
    assert 50 <= asked < 120, "the client was to be killed half-way"

    second = subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=60)
    right, hits, calls = map(int, second.stdout.split())
    counts = upstream.get("/counts")
    assert right == 120
    assert hits + calls == 120
    # Eight were in flight, and as many may have arrived without having reached the store yet.
    assert calls <= 120 - asked + 16
    assert sum(counts.values()) == asked + calls
    assert max(counts.values()) <= 2

    third = subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=60)
    assert third.stdout.split() == [b"120", b"120", b"0"]
    assert upstream.get("/counts") == counts
