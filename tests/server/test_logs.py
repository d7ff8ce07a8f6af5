"""What the service says: lines of JSON for programs, a few words on a terminal, and not without end."""

from __future__ import annotations

import logging
import os
import pty
import re
import signal
import subprocess

import httpx2
import pytest

from evpv.server.metrics import _RateLimit

from .serving import EVPV


def _read_until(handle: int, words: str) -> str:
    """What a terminal shows, until it shows these words."""
    said = b""
    while words.encode() not in said:
        said += os.read(handle, 65_536)
    return said.decode()


def test_on_a_terminal_it_says_that_it_starts_where_to_open_it_and_what_is_asked() -> None:
    ours, theirs = pty.openpty()
    command = [EVPV, "serve", "--recipe", "given", "--workers", "1", "--port", "0"]
    with subprocess.Popen(command, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        try:
            said = _read_until(ours, "Ctrl-C ends it)")
            assert "starting: recipe given, 1 worker" in said
            [address] = re.findall(r"ready: open (http://127\.0\.0\.1:\d+) ", said)
            assert httpx2.get(f"{address}/nowhere%1B%5B2J").status_code == 404
            asked = _read_until(ours, "404")
        finally:
            process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    os.close(ours)
    assert "GET /nowhere" in asked
    assert "\x1b" not in said + asked
    assert '{"' not in said + asked


def _record(level: int = logging.INFO) -> logging.LogRecord:
    return logging.LogRecord("evpv", level, "", 0, "request", None, None)


@pytest.mark.parametrize(("level", "passed"), [(logging.INFO, 10), (logging.ERROR, 50)])
def test_lines_are_limited_and_errors_never_lost(level: int, passed: int) -> None:
    clock = iter([0.0] * 51)
    limit = _RateLimit(per_s=1.0, now=lambda: next(clock))
    assert sum(limit.filter(_record(level)) for _ in range(50)) == passed


def test_what_was_left_out_is_counted_in_the_next_line() -> None:
    moments = iter([0.0] * 51 + [5.0])
    limit = _RateLimit(per_s=1.0, now=lambda: next(moments))
    for _ in range(50):
        limit.filter(_record())
    after = _record()
    assert limit.filter(after)
    assert vars(after)["left_out"] == 40
