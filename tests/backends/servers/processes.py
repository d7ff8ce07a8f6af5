"""Model servers as real processes on 127.0.0.1, started for a test session and ended with it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
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


def vllm_command(environment: Path, model: Path, log: Path) -> tuple[list[str], ModelServer, dict[str, str]]:
    """What starts vLLM's CPU build with a model, where it will listen, and its environment variables."""
    listening = ModelServer(port=free_port(), model="tiny", log=log)
    command = [
        str(environment / "bin" / "python"), "-m", "vllm.entrypoints.openai.api_server",
        "--model", str(model), "--served-model-name", "tiny", "--host", "127.0.0.1", "--port", str(listening.port),
        "--dtype", "float32", "--max-model-len", "4096", "--enforce-eager",
        "--structured-outputs-config", '{"backend": "xgrammar", "disable_any_whitespace": true}',
    ]  # fmt: skip
    return command, listening, {"VLLM_CPU_KVCACHE_SPACE": "1", "VLLM_NO_USAGE_STATS": "1"}


@contextmanager
def transformers_serving(model: Path, home: Path) -> Iterator[ModelServer]:
    """`transformers serve` with a model. It lists models from the hub's cache, which must be there.

    It obeys a request's temperature only where the checkpoint's own settings sample, so it serves a copy that does.
    """
    (home / "hub").mkdir()
    served = home / "served"
    shutil.copytree(model, served)
    settings = json.loads((served / "generation_config.json").read_text())
    (served / "generation_config.json").write_text(json.dumps(settings | {"do_sample": True}))
    port = free_port()
    program = str(Path(sys.executable).with_name("transformers"))
    command = [program, "serve", str(served), "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    listening = ModelServer(port=port, model=str(served), log=home / "log")
    with running(command, listening, within_s=180, environment={"HF_HOME": str(home)}) as server:
        yield server


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
