"""Managed servers: started, awaited, started again when they die, stopped by their id, and gone when the study is."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from evpv.errors import BackendError, ConfigError
from evpv.study.plan import PlanModel
from evpv.study.running import _ManagedServer

FAKE = str(Path(__file__).with_name("fake_server.py"))
PATIENCE_S = 60.0


def answer(address: str) -> str | None:
    try:
        with urllib.request.urlopen(address, timeout=2) as reply:
            return str(reply.read().decode())
    except (urllib.error.URLError, OSError):
        return None


def eventually(holds: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.05)
    return False


def fake(folder: Path, mode: str, ready_s: float = PATIENCE_S) -> _ManagedServer:
    command = [sys.executable, FAKE, "{port}", mode, str(folder / "mark")]
    return _ManagedServer(f"fake {folder}", PlanModel(serve=command, ready_s=ready_s), folder / "servers" / "fake.log")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[_ManagedServer]:
    made = fake(tmp_path, "serve")
    made.start()
    yield made
    made.stop()


def test_a_server_answers_once_it_is_started_and_not_after_it_is_stopped(server: _ManagedServer) -> None:
    assert answer(f"{server.address}/models")
    server.stop()
    assert answer(f"{server.address}/models") is None
    assert "fake server starts" in server.log.read_text()


def test_a_server_that_dies_before_it_answers_is_started_again(tmp_path: Path) -> None:
    made = fake(tmp_path, "die-first")
    made.start()
    assert made.starts == 2
    assert answer(f"{made.address}/models")
    made.stop()


def test_a_server_that_dies_at_work_is_started_again_at_the_same_address(server: _ManagedServer) -> None:
    first = answer(f"{server.address}/models")
    answer(f"{server.address.removesuffix('/v1')}/die")
    assert eventually(lambda: answer(f"{server.address}/models") not in (None, first))
    assert server.starts == 2


def test_a_server_that_never_answers_is_told_with_the_end_of_its_log(tmp_path: Path) -> None:
    with pytest.raises(BackendError, match=r"does not answer within 0.5 s(.|\n)*start 1: "):
        fake(tmp_path, "deaf", ready_s=0.5).start()


def test_a_server_ends_with_a_study_that_is_killed(tmp_path: Path) -> None:
    script = (
        "import sys, time; from pathlib import Path; from evpv.study.plan import PlanModel; from evpv.study.running import _ManagedServer\n"
        f"s = _ManagedServer('x', PlanModel(serve=[sys.executable, {FAKE!r}, '{{port}}', 'serve', 'mark']), Path({str(tmp_path)!r}) / 'log')\n"
        "s.start(); print(s.address, flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as study:
        assert study.stdout is not None
        address = study.stdout.readline().strip()
        assert answer(f"{address}/models")
        study.send_signal(signal.SIGKILL)
    assert eventually(lambda: answer(f"{address}/models") is None)


def test_a_program_that_is_not_there_is_told_before_anything_is_started(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"\[models.x\]: there is no program 'no-such-server'"):
        _ManagedServer("x", PlanModel(serve=["no-such-server"]), tmp_path / "log")


def test_vllm_serves_the_weights_under_the_models_name_on_the_gpus_it_is_given(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no program 'vllm'"):
        _ManagedServer("x", PlanModel(serve="vllm", gpus=[0, 1], model="served"), tmp_path / "log")  # type: ignore[call-arg]
