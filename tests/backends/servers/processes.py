"""Model servers as real processes on 127.0.0.1, started for a test session and ended with it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_ENDING_S = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelServer:
    """Where a server listens, the name it serves the model under, and its log."""

    port: int
    model: str
    log: Path

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"


@contextmanager
def running(
    command: Sequence[str], server: ModelServer, *, within_s: float, environment: Mapping[str, str]
) -> Iterator[ModelServer]:
    """The server while it runs. It and its own children, which share its process group, are ended by their number."""
    offline = {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", "DO_NOT_TRACK": "1"}
    with server.log.open("wb") as output:
        process = subprocess.Popen(
            command, stdout=output, stderr=output, env=os.environ | offline | environment, start_new_session=True
        )
    try:
        _wait(process, f"http://127.0.0.1:{server.port}/health", within_s, server.log)
        yield server
    finally:
        _end(process)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait(process: subprocess.Popen[bytes], address: str, within_s: float, log: Path) -> None:
    deadline = time.monotonic() + within_s
    while not _answers(address):
        if process.poll() is not None or time.monotonic() > deadline:
            end = log.read_text(errors="replace")[-4000:]
            raise RuntimeError(f"{process.args!r} does not answer within {within_s:g} s; its log ends:\n{end}")
        time.sleep(0.2)


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=2) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _end(process: subprocess.Popen[bytes]) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(timeout=_ENDING_S)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue
