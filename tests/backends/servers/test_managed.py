"""The study's managed servers with real ones: vLLM's CPU build serves a tiny model, is asked, dies, comes back, is stopped."""

from __future__ import annotations

import os
import signal
import time
import urllib.error
import urllib.request
from pathlib import Path

from evpv.backends.openai_chat import OpenAIChat
from evpv.protocols import ChatRequest, Sampling
from evpv.study.plan import Model
from evpv.study.servers import ManagedServer

OPTIONS = ["--dtype", "float32", "--max-model-len", "4096", "--enforce-eager"]


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/models", timeout=2) as reply:
            return bool(reply.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def test_vllm_is_started_awaited_asked_restarted_and_stopped(
    served_model: Path, servers_environment: Path, tmp_path: Path
) -> None:
    python = str(servers_environment / "bin" / "python")
    command = [
        python,
        "-m",
        "vllm.entrypoints.openai.api_server",
        "--model",
        "{weights}",
        "--served-model-name",
        "{model}",
    ]
    settings = {
        "VLLM_CPU_KVCACHE_SPACE": "1",
        "VLLM_NO_USAGE_STATS": "1",
        "HF_HUB_OFFLINE": "1",
        "OMP_NUM_THREADS": "1",
    }
    model = Model.model_validate(
        {
            "serve": [*command, "--host", "127.0.0.1", "--port", "{port}"], "weights": str(served_model), "model": "tiny",
            "options": OPTIONS, "environment": settings, "ready_s": 1500.0,
        }
    )  # fmt: skip
    server = ManagedServer("tiny", model, tmp_path / "vllm.log")
    server.start()
    try:
        backend = OpenAIChat(model="tiny", base_url=server.address)
        [reply] = backend.ask([ChatRequest(prompt="Say hello.", sampling=Sampling(max_tokens=4))])
        backend.close()
        assert reply.text is not None
        assert server.pid is not None
        os.killpg(server.pid, signal.SIGKILL)
        deadline = time.monotonic() + 1500
        while not (server.starts == 2 and answers(server.address)) and time.monotonic() < deadline:
            time.sleep(1)
        assert server.starts == 2
    finally:
        server.stop()
    assert not answers(server.address)
