"""`evpv serve` started in a process of its own, and ended by its number."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from evpv.server.limits import add_key
from tests.paths import python_path

HERE = Path(__file__).parent
EVPV = Path(sys.executable).parent / "evpv"
SLOW_RECIPE = """
[extractor]
use = "slow_extractor:SlowExtractor"
[judge]
use = "checks"
"""
NO_RATE = ("--limit", "requests-per-minute=1000000")  # tests are hasty; one that is about the rate sets its own
_STARTING_S = 90.0
_ENDING_S = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A running service."""

    url: str
    key: str | None
    log: Path
    process: subprocess.Popen[bytes]

    def client(self, **settings: Any) -> httpx2.Client:
        headers = {"authorization": f"Bearer {self.key}"} if self.key else {}
        return httpx2.Client(base_url=self.url, headers=headers, timeout=60, verify=False, **settings)

    def events(self) -> list[dict[str, Any]]:
        """What the service has logged; every line must be JSON."""
        whole, _, _ = self.log.read_text(encoding="utf-8").rpartition("\n")
        return [json.loads(line) for line in whole.splitlines()]

    def request(self, request_id: str) -> dict[str, Any]:
        """What is logged of one request, which is a moment after it is answered."""
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            for event in self.events():
                if event.get("request_id") == request_id:
                    return event
            time.sleep(0.05)
        raise AssertionError(f"nothing is logged of {request_id}")

    def processor_s(self) -> float:
        """What the front itself has computed: unlike a clock, it does not count what the machine does for others."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def workers(self) -> list[int]:
        """The process numbers of the workers."""
        found = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True, check=False)
        return [int(line) for line in found.stdout.split()]

    def end(self) -> int:
        """Tell the service to end, and wait for it."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(_ENDING_S)


def slow_recipe(folder: Path) -> str:
    """A recipe whose extractor does what the question says: `sleep 2`, `until FILE`, `die`, `fail`."""
    path = folder / "slow.toml"
    path.write_text(SLOW_RECIPE, encoding="utf-8")
    return str(path)


@contextmanager
def serving(
    folder: Path,
    *options: str,
    with_keys: bool = False,
    environment: Mapping[str, str] | None = None,
    before: Sequence[str] = (),
) -> Iterator[Served]:
    """A service while it runs; it is ended by its number whatever happens. `before` is a program that becomes it."""
    key, keys = None, ()
    if with_keys:
        key, keys = add_key(folder / "keys", "tester"), ("--keys-file", str(folder / "keys"))
    log, port = folder / "log.jsonl", free_port()
    variables = os.environ | {"PYTHONPATH": python_path(HERE), "OMP_NUM_THREADS": "1"} | dict(environment or {})
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*before, EVPV, "serve", "--port", str(port), *NO_RATE, *keys, *options],
            stdout=output,
            stderr=output,
            env=variables,
        )
    service = Served(url=f"http://127.0.0.1:{port}", key=key, log=log, process=process)
    try:
        _wait(service)
        yield service
    finally:
        if process.poll() is None:
            process.terminate()
        try:
            process.wait(_ENDING_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait(service: Served) -> None:
    deadline = time.monotonic() + _STARTING_S
    while time.monotonic() < deadline and service.process.poll() is None:
        try:
            if httpx2.get(f"{service.url}/readyz", timeout=2).status_code == 200:
                return
        except httpx2.TransportError:
            time.sleep(0.1)
    raise RuntimeError(f"the service does not answer; its log ends:\n{service.log.read_text()[-4000:]}")
