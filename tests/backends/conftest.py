"""Server processes for the tests: started on a free port of 127.0.0.1, ended by their own process id."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A running process that listens on a port."""

    process: subprocess.Popen[str]
    port: int

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
            return json.load(answer)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


Start = Callable[..., Server]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts a script of this folder as a server; all are ended with the test."""
    running: list[Server] = []

    def started(script: str, *arguments: object) -> Server:
        command = [sys.executable, str(HERE / script), *map(str, arguments)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        server = Server(process=process, port=int(process.stdout.readline()))
        running.append(server)
        return server

    yield started
    for server in running:
        server.stop()
