"""The study's managed servers with real ones: vLLM's CPU build and llama.cpp serve a tiny model, are asked, die, come back, are stopped."""

from __future__ import annotations

import os
import signal
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from evpv.backends.openai_chat import OpenAIChat
from evpv.backends.transformers_chat import TransformersChat
from evpv.figures import write_problems
from evpv.perception.chat import CONSTRAINTS_SCHEMA
from evpv.protocols import ChatReply, ChatRequest, Sampling
from evpv.records import read_problems
from evpv.study.plan import PlanModel
from evpv.study.running import _ManagedServer

PATIENCE_S = 1500.0
VLLM = ["-m", "vllm.entrypoints.openai.api_server", "--model", "{weights}", "--served-model-name", "{model}", "--port", "{port}"]  # fmt: skip
LLAMA = [str(Path(__file__).with_name("llama_server.py")), "{weights}/model.gguf", "{weights}/mmproj.gguf", "{port}"]
OPTIONS = ["--host", "127.0.0.1", "--dtype", "float32", "--max-model-len", "4096", "--enforce-eager"]
SETTINGS = {
    "VLLM_CPU_KVCACHE_SPACE": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "HF_HUB_OFFLINE": "1",
    "OMP_NUM_THREADS": "1",
}


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/models", timeout=2) as reply:
            return bool(reply.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def ask(address: str) -> str | None:
    backend = OpenAIChat(model="tiny", base_url=address)
    [reply] = backend.ask([ChatRequest(prompt="Say hello.", sampling=Sampling(max_tokens=4))])
    backend.close()
    return reply.text


@pytest.mark.parametrize(
    ("weights", "command", "options"), [("served_model", VLLM, OPTIONS), ("llama_files", LLAMA, [])], ids=["vllm", "llama.cpp"]
)  # fmt: skip
def test_a_server_is_started_awaited_asked_restarted_and_stopped(
    request: pytest.FixtureRequest, servers_environment: Path, tmp_path: Path, weights: str, command: list[str], options: list[str]
) -> None:  # fmt: skip
    served = {"weights": str(request.getfixturevalue(weights)), "model": "tiny", "options": options}
    how = {"serve": [str(servers_environment / "bin" / "python"), *command], "environment": SETTINGS}
    server = _ManagedServer(
        "tiny", PlanModel.model_validate({**served, **how, "ready_s": PATIENCE_S}), tmp_path / "log"
    )
    server.start()
    try:
        first = ask(server.address)
        assert first is not None
        assert server.pid is not None
        os.killpg(server.pid, signal.SIGKILL)
        deadline = time.monotonic() + PATIENCE_S
        while not (server.starts == 2 and answers(server.address)) and time.monotonic() < deadline:
            time.sleep(1)
        assert server.starts == 2
        assert ask(server.address) == first
    finally:
        server.stop()
    assert not answers(server.address)


def test_a_managed_server_writes_what_the_model_writes_in_process(servers_environment: Path, tmp_path: Path) -> None:
    """Greedily, picture and schema and all: the mini extractor's facts of small figures, word for word."""
    write_problems(tmp_path / "drawn", ("small-tables", "small-right-triangles", "small-triangles"), 6, 9000, "test")
    requests = [
        ChatRequest(
            prompt=one.question, images=one.images, schema=CONSTRAINTS_SCHEMA, sampling=Sampling(max_tokens=512)
        )
        for one in read_problems(tmp_path / "drawn" / "problems.jsonl")
    ]
    served = {"weights": "evpv:mini-extractor", "model": "mini", "options": [*OPTIONS, "--generation-config", "vllm"]}
    how = {"serve": [str(servers_environment / "bin" / "python"), *VLLM], "environment": SETTINGS}
    server = _ManagedServer(
        "mini", PlanModel.model_validate({**served, **how, "ready_s": PATIENCE_S}), tmp_path / "log"
    )
    server.start()
    there = OpenAIChat(model="mini", base_url=server.address, timeout_s=300)
    try:
        replies = there.ask(requests)
    finally:
        there.close()
        server.stop()
    here = TransformersChat("evpv:mini-extractor").ask(requests)
    assert [said(reply) for reply in replies] == [said(reply) for reply in here]
    assert all(reply.facts["schema"] == "enforced" for reply in replies)


def said(reply: ChatReply) -> tuple[str | None, str | None, int]:
    return reply.text, reply.finish, reply.usage.prompt_tokens
