"""Disks that are full, read-only, failing or slow: one sentence with the file's name, nothing half written, and the same command goes on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import evpv.server
from evpv.records import read_traces
from evpv.viewer import write_page
from evpv.viewer.images import Pictures
from tests.attacks.file_faults import Fault, needs_strace, run_with_fault
from tests.engines.conftest import command, environment, problem, write_problems
from tests.server.serving import serving

COUNT = 12
RANK = ("rank", "problems.jsonl", "-o", "run", "--recipe", "given", "--workers", 1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_problems(tmp_path / "problems.jsonl", [problem(number) for number in range(COUNT)])
    (tmp_path / "run").mkdir()
    return tmp_path


CASES: dict[str, tuple[Fault, str, int, str]] = {
    "traces, full": ("full", "traces.jsonl", 3, "traces.jsonl: cannot be written: No space left on device"),
    "traces, failing": ("failing", "traces.jsonl", 3, "traces.jsonl: cannot be written: Input/output error"),
    "traces, read-only": ("read-only", "traces.jsonl", 1, "traces.jsonl: Read-only file system"),
    "workers' log, read-only": ("read-only", "workers.log", 1, "workers.log: Read-only file system"),
}


@needs_strace
@pytest.mark.parametrize("case", CASES)
def test_a_run_ends_with_one_sentence_and_goes_on_when_the_disk_works(folder: Path, case: str) -> None:
    fault, name, after, said = CASES[case]
    line = command(*RANK)
    failed = run_with_fault(fault, f"run/{name}", line, folder=folder, env=environment(), after=after)
    assert failed.returncode == 1
    assert " ".join(failed.stderr.split()).startswith(f"error: run/{said}"), failed.stderr
    traces = folder / "run" / "traces.jsonl"
    assert not traces.exists() or traces.read_bytes()[-1:] in (b"", b"\n")
    done = subprocess.run(line, cwd=folder, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(list(read_traces(folder / "run"))) == COUNT


@needs_strace
def test_a_slow_disk_is_slow_and_nothing_else(folder: Path) -> None:
    done = run_with_fault("slow", "run/traces.jsonl", command(*RANK), folder=folder, env=environment())
    assert done.returncode == 0, done.stderr
    assert len(list(read_traces(folder / "run"))) == COUNT


STORING = """
from pathlib import Path
from evpv.backends.store import AnswerStore
from evpv.protocols import ChatReply
store = AnswerStore(Path("answers.sqlite"))
for number in range(3):
    store.put(str(number), "model", "stage", ChatReply(text="kept?"))
print("gone on")
"""


@needs_strace
@pytest.mark.parametrize("fault", ["full", "failing"])
def test_a_store_of_answers_that_cannot_be_written_is_told_once_and_gone_without(fault: Fault, tmp_path: Path) -> None:
    done = run_with_fault(fault, "answers.sqlite-wal", [sys.executable, "-c", STORING], folder=tmp_path, after=9)
    assert done.stdout == "gone on\n", done.stderr
    assert done.stderr.count("does not work and is gone without") == 1


def test_thumbnails_that_cannot_be_written_stand_in_the_page(capfd: pytest.CaptureFixture[str]) -> None:
    picture = Path(evpv.server.__file__).with_name("page") / "example.png"
    pictures = Pictures(folder=picture.parent, page_folder=Path("/proc"), embed=False, thumbnails=Path("/proc/none"))
    for name in ("example.png", "./example.png"):
        assert (pictures.thumbnail([name], "small") or "").startswith("data:image/")
    assert capfd.readouterr().err.count("does not work and is gone without") == 1


def test_a_log_that_cannot_be_written_costs_no_request(tmp_path: Path) -> None:
    full = ("bash", "-c", 'exec "$@" 2>/dev/full', "bash")
    with (
        serving(tmp_path, "--recipe", "given", "--workers", "1", before=full) as service,
        service.client() as client,
    ):
        for _ in range(3):
            assert client.post("/v1/match", json={"claims": ["AB = 5"], "constraints": []}).status_code == 200
        assert service.end() == 0


@pytest.mark.parametrize("most", [6, 9])
def test_too_few_file_descriptors_are_one_sentence(folder: Path, most: int) -> None:
    line = ["bash", "-c", f'ulimit -n {most}; exec "$@"', "bash", *command(*RANK)]
    done = subprocess.run(line, cwd=folder, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("error: ")
    assert done.stderr.endswith("Too many open files\n")
    assert done.stderr.count("\n") == 1


def test_images_that_cannot_be_kept_are_refused_and_the_service_goes_on(tmp_path: Path) -> None:
    small_files = ("bash", "-c", 'ulimit -f 64; exec "$@"', "bash")
    picture = Path(evpv.server.__file__).with_name("page") / "example.png"
    large = picture.read_bytes() + bytes(100_000)
    with (
        serving(tmp_path, "--recipe", "given", "--workers", "1", before=small_files) as service,
        service.client() as client,
    ):
        refused = client.post("/v1/images", content=large, headers={"content-type": "image/png"})
        assert refused.status_code == 503
        assert refused.json()["message"] == "the service cannot keep images now: File too large"
        assert client.post("/v1/images", content=picture.read_bytes()).status_code == 201
        assert client.post("/v1/match", json={"claims": ["AB = 5"], "constraints": []}).status_code == 200


def test_what_a_killed_page_left_behind_goes_when_the_next_is_written(tmp_path: Path) -> None:
    with subprocess.Popen(["true"]) as ended:
        ended.wait()
    for name in (f".page-{ended.pid}-x", f".page-{os.getpid()}-y", ".page-notes"):
        (tmp_path / name).mkdir()
    write_page(tmp_path / "page.html", [], title="t")
    left = sorted(entry.name for entry in tmp_path.iterdir())
    assert left == sorted([f".page-{os.getpid()}-y", ".page-notes", "page.html"])


def test_what_a_killed_service_left_behind_goes_when_the_next_one_starts(tmp_path: Path) -> None:
    place = tmp_path / "temporary"
    place.mkdir()
    with serving(tmp_path, "--recipe", "given", "--workers", "1", environment={"TMPDIR": str(place)}) as service:
        [folder] = place.glob("evpv-serve-*")
        service.process.kill()
        service.process.wait()
        assert folder.exists()
    with serving(tmp_path, "--recipe", "given", "--workers", "1", environment={"TMPDIR": str(place)}):
        assert not folder.exists()
        assert len(list(place.glob("evpv-serve-*"))) == 1
    assert not list(place.glob("evpv-serve-*"))
