"""Workers that hang, memory that ends, disks that fill, and Ray's own start killed: nothing is lost, on either engine."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest

from evpv.config import load_recipe
from evpv.engines.local import LocalEngine
from evpv.engines.work import RunOrder, groups_of_one_image
from evpv.errors import EvpvError
from evpv.records import RunWriter
from evpv.records.problems import placed_problems
from tests.engines.chaos import MOST_SECONDS, calm
from tests.engines.conftest import HERE, Run, command, environment, lines, problem, write_problems
from tests.paths import python_path

COUNT = 60
FAULTS = {
    5: "hang-once",
    11: "eat-once",
    17: "no-room-once",
    23: "die-once",
    29: "raise-once",
    41: "no-room-once",
    47: "hang-once",
}
_PATIENCE_S = 20.0


def _order(folder: Path) -> RunOrder:
    problems = [problem(number, fault=FAULTS.get(number, "")) for number in range(COUNT)]
    write_problems(folder / "problems.jsonl", problems)
    changes = {"extractor.use": "faulty_parts:FaultyExtractor", "extractor.folder": str(folder)}
    recipe = load_recipe("given", changes)
    return RunOrder(recipe=recipe, problems=str(folder / "problems.jsonl"), folder=str(folder / "run"))


def _engine(name: str, order: RunOrder) -> LocalEngine:
    if name == "local":
        return LocalEngine(order, workers=2, patience_s=_PATIENCE_S)
    from evpv.engines.ray_data import RayEngine

    return RayEngine(order, workers=2, patience_s=_PATIENCE_S)  # type: ignore[return-value]


@pytest.mark.slow
@pytest.mark.usefixtures("faulty_parts")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Ray's own, with our engine in this process
@pytest.mark.parametrize("engine", ["local", "ray"])
def test_hanging_workers_ending_memory_and_full_disks_lose_nothing(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk ends a start, with one sentence; the next goes on. The others cost a worker, and nobody notices."""
    monkeypatch.setenv("PYTHONPATH", python_path(HERE))
    order, sentences = _order(tmp_path), list[str]()
    with RunWriter(tmp_path / "run", {"fingerprint": "f"}) as writer:
        while len(done := writer.done_ids()) < COUNT:
            assert len(sentences) <= len(FAULTS)
            placed = placed_problems(Path(order.problems))
            left = groups_of_one_image(placed, lambda name, done=done: name not in done)  # type: ignore[misc]
            try:
                with closing(_engine(engine, order)) as running:
                    failures = [one for one in running.run(left, writer.append_line) if one.failure is not None]
                assert failures == []
            except EvpvError as error:
                sentences.append(str(error))
            writer.take_shards()
    assert sentences == ["cache cannot be written: No space left on device"] * 2
    assert lines(tmp_path / "run") == calm(tmp_path)


def _children(pid: int) -> dict[int, str]:
    """A process's children with their names, without those that have ended."""
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            name, _, rest = (entry / "stat").read_text().partition(" (")[2].rpartition(")")
            state, parent, *_ = rest.split()
            if int(parent) == pid and state != "Z":
                found[int(entry.name)] = name
    return found


@pytest.mark.slow
@pytest.mark.parametrize("part", ["gcs_server", "raylet"])
def test_a_run_whose_ray_is_killed_while_it_starts_goes_on_with_the_same_command(
    part: str, tmp_path: Path, evpv: Run
) -> None:
    write_problems(tmp_path / "problems.jsonl", [problem(number) for number in range(40)])
    rank = ("rank", "problems.jsonl", "-o", "run", "--recipe", "given", "--engine", "ray", "--workers", 1)
    process = subprocess.Popen(command(*rank), cwd=tmp_path, env=environment(), stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + MOST_SECONDS
    killed = []
    while not killed and process.poll() is None and time.monotonic() < until:
        killed = [pid for pid, name in _children(process.pid).items() if name.startswith(part[:15])]
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.02)
    assert killed
    _, said = process.communicate(timeout=MOST_SECONDS)
    assert process.returncode in (0, 1), said
    assert "Traceback" not in said
    again = evpv(*rank)
    assert again.returncode == 0, again.stderr
    assert lines(tmp_path / "run") == calm(tmp_path)


@pytest.mark.slow
def test_a_start_of_ray_that_fails_leaves_no_process_to_the_next(tmp_path: Path) -> None:
    """Ray refuses a store of one byte when its first processes run already; it is started three times, one after another."""
    write_problems(tmp_path / "problems.jsonl", [problem(0)])
    line = command("rank", "problems.jsonl", "-o", "run", "--recipe", "given", "--engine", "ray", "--workers", 1)
    variables = environment() | {"RAY_OVERRIDE_RESOURCES": '{"object_store_memory": 1}'}
    process = subprocess.Popen(line, cwd=tmp_path, env=variables, stderr=subprocess.PIPE, text=True)
    seen, most = set[int](), 0
    while process.poll() is None:
        servers = {pid for pid, name in _children(process.pid).items() if name.startswith("gcs_server")}
        seen, most = seen | servers, max(most, len(servers))
        time.sleep(0.02)
    assert (len(seen), most) == (3, 1)
    _, said = process.communicate()
    assert process.returncode == 1
    assert said.startswith("error: Ray does not start here: ")
