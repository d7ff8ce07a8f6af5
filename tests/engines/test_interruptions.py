"""Runs that are killed, interrupted, or run out of room: what is done is whole, and the same command goes on."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from evpv.records import RunWriter, read_traces
from tests.engines.chaos import calm, disturbed
from tests.engines.conftest import Run, command, environment, gated, lines, problem, write_problems

COUNT = 160


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_problems(tmp_path / "problems.jsonl", [problem(number) for number in range(COUNT)])
    (tmp_path / "open").write_text(str(COUNT // 2), encoding="ascii")
    return tmp_path


RANK = ("rank", "problems.jsonl", "-o", "run", "--recipe", "given", "--workers", 2)


def test_a_run_killed_four_times_with_its_workers_equals_an_undisturbed_one(folder: Path) -> None:
    chaos = disturbed(folder, "local", kills=4)
    assert chaos.killed["runs"] == 4
    assert chaos.killed["workers"] > 0
    assert lines(folder / "run") == calm(folder)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["local", "ray"])
def test_a_run_of_two_thousand_killed_twenty_times_equals_an_undisturbed_one(tmp_path: Path, engine: str) -> None:
    write_problems(tmp_path / "problems.jsonl", [problem(number) for number in range(2000)])
    chaos = disturbed(tmp_path, engine, kills=20)
    assert chaos.killed["runs"] == 20
    assert chaos.killed["workers"] >= 10
    assert lines(tmp_path / "run") == calm(tmp_path)


def test_ctrl_c_ends_with_what_is_done_and_says_how_to_go_on(folder: Path, evpv: Run) -> None:
    # What a shell starts in the background ignores Ctrl-C, and these tests may be started there.
    heeding = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    rank = ("rank", "problems.jsonl", "-o", "run", *gated(folder), "--workers", 2)
    line = command(*rank, before=heeding)
    process = subprocess.Popen(line, cwd=folder, env=environment(), stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 120
    traces = folder / "run" / "traces.jsonl"
    while time.monotonic() < until and not (traces.exists() and traces.stat().st_size):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "the same command goes on from there" in said
    assert "Traceback" not in said
    done = len(list(read_traces(folder / "run")))
    assert 0 < done < COUNT
    (folder / "open").write_text(str(COUNT), encoding="ascii")
    assert evpv(*rank).returncode == 0
    assert lines(folder / "run") == calm(folder)


def test_a_full_disk_stops_the_run_with_whole_lines_and_it_goes_on_when_there_is_room(folder: Path, evpv: Run) -> None:
    size = len(b"".join(calm(folder)))
    full = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({size // 2}, {size // 2}))"
    stopped = evpv(*RANK, before=full)
    assert stopped.returncode == 1
    assert "traces.jsonl: cannot be written: File too large; what is there is whole" in stopped.stderr.replace(
        "\n", " "
    )
    assert "Traceback" not in stopped.stderr
    content = (folder / "run" / "traces.jsonl").read_bytes()
    assert 0 < len(content) <= size // 2
    assert content.endswith(b"\n")
    assert set(lines(folder / "run")) < set(calm(folder))
    assert evpv(*RANK).returncode == 0
    assert lines(folder / "run") == calm(folder)


def test_a_second_process_may_not_write_to_a_run(folder: Path, evpv: Run) -> None:
    assert evpv(*RANK, "--limit", 1).returncode == 0
    manifest = json.loads((folder / "run" / "manifest.json").read_text(encoding="utf-8"))
    with RunWriter(folder / "run", manifest):
        second = evpv(*RANK)
    assert second.returncode == 1
    assert "another process is writing to it" in second.stderr


def test_another_recipe_is_refused_setting_by_setting(folder: Path, evpv: Run) -> None:
    assert evpv(*RANK, "--limit", 1).returncode == 0
    other = evpv(*RANK, "--set", "select=vote", "--set", "judge.evidence=false")
    assert other.returncode == 1
    assert 'method.select: "weighted-vote" there, "vote" here' in other.stderr
    assert "judge.evidence: true there, false here" in other.stderr
    assert "threshold" not in other.stderr
    assert len(lines(folder / "run")) == 1


def test_an_unreadable_image_in_the_middle_is_told_in_its_trace(tmp_path: Path, evpv: Run) -> None:
    for number in range(3):
        picture = Image.new("RGB", (320, 200), "white")
        draw = ImageDraw.Draw(picture)
        for row, words in enumerate([("Day", "Hours"), ("Monday", "4"), ("Friday", str(number + 10))]):
            for column, word in enumerate(words):
                draw.text((20 + 180 * column, 20 + 50 * row), word, "black", ImageFont.load_default(size=18))
        picture.save(tmp_path / f"{number}.png")
    (tmp_path / "1.png").write_bytes((tmp_path / "1.png").read_bytes()[:40])
    write_problems(tmp_path / "problems.jsonl", [problem(n, image=f"{n}.png") for n in range(3)])
    done = evpv("rank", "problems.jsonl", "-o", "run", "--workers", 1)
    assert done.returncode == 0, done.stderr
    traces = {trace.problem_id: trace for trace in read_traces(tmp_path / "run")}
    assert [name for name, trace in traces.items() if trace.extraction.problem is not None] == ["p00001"]
    assert traces["p00000"].constraints
    assert traces["p00002"].constraints
    assert traces["p00000"].cost["seconds"] > 0
    assert b'"cost": {}' in lines(tmp_path / "run")[0]
