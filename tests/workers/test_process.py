"""A worker process answers within its bounds, is replaced when it fails, and never outlives who started it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from evpv.errors import ConfigError
from evpv.workers import (
    Calculator,
    SupervisedWorker,
    WorkerDiedError,
    WorkerLimits,
    WorkerSilentError,
    _child_environment,
    usual_memory_mb,
)
from tests.paths import python_path

HERE = Path(__file__).parent


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., SupervisedWorker]]:
    monkeypatch.syspath_prepend(str(HERE))
    made: list[SupervisedWorker] = []

    def make(target: str = "targets:obey", **limits: float) -> SupervisedWorker:
        made.append(SupervisedWorker(target=target, limits=WorkerLimits(**limits)))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for one in made:
        one.close()


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def gone(*pids: int) -> bool:
    deadline = time.monotonic() + 20
    while any(map(is_alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not any(map(is_alive, pids))


def test_a_message_is_answered_with_a_message(worker: Callable[..., SupervisedWorker]) -> None:
    obeying = worker()
    large = "x" * 3_000_000
    assert obeying.ask(f"echo {large}".encode(), 20) == large.encode()
    assert obeying.ask(b"pid", 20) == str(obeying.pid).encode()


@pytest.mark.parametrize(
    ("message", "error", "says"),
    [
        (b"die", WorkerDiedError, "signal SIGKILL"),
        (b"fail", WorkerDiedError, "exit code 1"),
        (b"sleep 60", WorkerSilentError, "no answer within 0.3 s"),
    ],
)
def test_what_fails_costs_the_process_and_the_next_question_has_a_new_one(
    worker: Callable[..., SupervisedWorker], message: bytes, error: type[Exception], says: str
) -> None:
    obeying = worker()
    before = int(obeying.ask(b"pid", 20))
    with pytest.raises(error, match=says):
        obeying.ask(message, 0.3 if b"sleep" in message else 20)
    assert gone(before)
    assert int(obeying.ask(b"pid", 20)) != before


def test_a_worker_that_cannot_work_says_why(worker: Callable[..., SupervisedWorker]) -> None:
    with pytest.raises(ConfigError, match="there is no such model"):
        worker("targets:refuse").start()


def test_memory_is_bounded_by_the_kernel(worker: Callable[..., SupervisedWorker]) -> None:
    obeying = worker(memory_mb=256)
    assert obeying.ask(b"eat 64", 20) == str(64 << 20).encode()
    assert obeying.ask(b"eat 512", 20) == b"no memory"


def test_processor_time_is_bounded_even_where_nobody_waits(worker: Callable[..., SupervisedWorker]) -> None:
    obeying = worker(cpu_s=1.0)
    with pytest.raises(WorkerDiedError, match="SIGXCPU"):
        obeying.ask(b"compute", 60)


def test_ending_a_worker_ends_what_it_has_started(worker: Callable[..., SupervisedWorker]) -> None:
    obeying = worker()
    pids = int(obeying.ask(b"pid", 20)), int(obeying.ask(b"child", 20))
    obeying.close()
    assert gone(*pids)


def test_a_worker_that_others_killed_takes_its_children_along(worker: Callable[..., SupervisedWorker]) -> None:
    """It is gone before anyone asks: what it started is then nobody's, and must not go on for ever."""
    obeying = worker()
    child, pid = int(obeying.ask(b"child", 20)), obeying.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    assert gone(pid)
    obeying.ask(b"echo again", 20)
    assert gone(child)


@pytest.mark.parametrize("state", ["waits", "computes", "has forked"])
def test_a_worker_dies_with_its_starter_and_takes_its_children_along(state: str) -> None:
    """Killed without a chance to clean up: while the worker is deep in one call into C, or a copy of the starter lives on."""
    more = {"waits": "", "computes": "w.send(b'compute');", "has forked": "import os; os.fork();"}[state]
    program = (
        "import sys, time, warnings; warnings.simplefilter('ignore'); from evpv.workers import WorkerProcess;"
        "w = WorkerProcess('targets:obey'); w.send(b''); w.receive(60);"
        "w.send(b'child'); child = w.receive(20).decode(); print(w.pid, child, flush=True);"
        f"{more} time.sleep(600)"
    )
    environment = {**os.environ, "PYTHONPATH": python_path(HERE)}
    with subprocess.Popen([sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE) as starter:
        assert starter.stdout is not None
        pids = tuple(map(int, starter.stdout.readline().split()))
        if state == "computes":
            until_busy(pids[0])
        copy = forked(starter.pid, pids[0]) if state == "has forked" else None
        starter.send_signal(signal.SIGKILL)
        starter.wait()
        try:
            assert gone(*pids)
        finally:
            if copy is not None:
                os.kill(copy, signal.SIGKILL)


def forked(pid: int, worker: int) -> int:
    """The copy that a process has made of itself, beside its worker."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    while not (others := [int(one) for one in children.read_text().split() if int(one) != worker]):
        time.sleep(0.02)
    return others[0]


def until_busy(pid: int) -> None:
    """Wait until a process has computed for a third of a second since now."""

    def ticks() -> int:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11])

    start, deadline = ticks(), time.monotonic() + 20
    while ticks() < start + 30 and time.monotonic() < deadline:
        time.sleep(0.02)


def test_a_worker_outlives_the_thread_that_started_it(worker: Callable[..., SupervisedWorker]) -> None:
    """The parent-death signal alone would kill it with that thread."""
    obeying = worker()
    thread = threading.Thread(target=obeying.start)
    thread.start()
    thread.join()
    pid = obeying.pid
    assert pid is not None
    assert int(obeying.ask(b"pid", 20)) == pid


def test_the_current_folder_is_not_imported_from_unless_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, worker: Callable[..., SupervisedWorker]
) -> None:
    monkeypatch.chdir(tmp_path)
    for entry in ("", ".", str(tmp_path)):
        monkeypatch.syspath_prepend(entry)
    path = worker().ask(b"path", 20).decode().split(os.pathsep)
    assert str(tmp_path) not in path
    assert not {"", "."} & set(path)
    named = _child_environment({"PYTHONPATH": str(tmp_path)})["PYTHONPATH"].split(os.pathsep)
    assert str(tmp_path) in named


def test_a_calculator_remembers_and_a_failure_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(HERE))
    calculator = Calculator("targets:obey", limit_s=5.0)
    assert calculator.ask(1) is None  # no word it knows: the process dies of it
    assert not calculator.is_running
    calculator.close()


def test_each_worker_may_use_its_share_of_the_machine_and_enough_to_read_any_figure() -> None:
    assert usual_memory_mb(1) >= usual_memory_mb(2) >= usual_memory_mb(10_000) == 4_096
