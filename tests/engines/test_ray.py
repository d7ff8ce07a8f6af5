"""Ray Data: the same lines as the local engine, in shards, whatever one problem does to its process."""

from __future__ import annotations

from pathlib import Path

import pytest

from evpv.engines.ray_data import _LARGEST_BLOCK, _blocks_of
from evpv.engines.work import Batch
from evpv.records import read_traces
from evpv.records.problems import Place
from tests.engines.chaos import calm, disturbed
from tests.engines.conftest import Run, lines, problem, recipe, records, write_problems

RANK = ("rank", "problems.jsonl", "-o", "run", "--engine", "ray", "--workers", 2)


def test_blocks_are_several_for_each_worker_and_none_is_too_large() -> None:
    groups: list[Batch] = [(Place(problem_id=str(n), line=n, start=n),) for n in range(20_000)]
    for workers, size in ((2, _LARGEST_BLOCK), (50, 25), (2000, 1)):
        blocks = _blocks_of(groups, workers)
        assert [place for block in blocks for place in block] == [group[0] for group in groups]
        assert {len(block) for block in blocks[:-1]} == {size}


def test_ray_gives_the_lines_of_one_process_and_a_bad_problem_fails_alone(tmp_path: Path, evpv: Run) -> None:
    """Parquet shards with a problem that kills its worker; then mended, merged on request, and one file."""
    rows = [problem(number, fault="die" if number == 7 else "") for number in range(24)]
    write_problems(tmp_path / "problems.jsonl", rows)
    recipe(tmp_path / "faulty.toml", "faulty_parts:FaultyExtractor", folder=str(tmp_path))
    first = evpv(*RANK, "--recipe", "faulty.toml", "--shards", "parquet")
    assert first.returncode == 1, first.stderr
    assert "1 of the problems failed" in first.stderr
    [failure] = records(tmp_path / "run" / "failures.jsonl")
    assert failure["problem_id"] == "p00007"
    assert "SIGKILL" in failure["problem"]
    assert len(list((tmp_path / "run" / "shards").glob("*.parquet"))) > 1
    assert len(list(read_traces(tmp_path / "run"))) == 23
    write_problems(tmp_path / "problems.jsonl", [problem(number, fault="") for number in range(24)])
    local = ("rank", "problems.jsonl", "-o", "run", "--recipe", "faulty.toml", "--workers", 1)
    assert evpv(*local).returncode == 0  # the other engine takes the run up, and merges
    assert not (tmp_path / "run" / "shards").exists()
    recipe(tmp_path / "again.toml", "faulty_parts:FaultyExtractor", folder=str(tmp_path))
    alone = evpv("rank", "problems.jsonl", "-o", "alone", "--recipe", "again.toml", "--workers", 1)
    assert alone.returncode == 0
    assert lines(tmp_path / "run") == lines(tmp_path / "alone")


@pytest.mark.slow
def test_ray_reads_an_image_once(tmp_path: Path, evpv: Run) -> None:
    for image in range(4):
        (tmp_path / f"{image}.png").write_bytes(bytes([image]))
    rows = [problem(n, image=f"{n % 4}.png", question="How long is AB?") for n in range(24)]
    write_problems(tmp_path / "problems.jsonl", rows)
    recipe(tmp_path / "counting.toml", "faulty_parts:counting_extractor", folder=str(tmp_path))
    assert evpv(*RANK, "--recipe", "counting.toml").returncode == 0
    read = (tmp_path / "reads.txt").read_text(encoding="utf-8").splitlines()
    assert sorted(read) == ["0.png", "1.png", "2.png", "3.png"]


@pytest.mark.slow
def test_a_run_on_ray_killed_twice_with_workers_and_an_actor_equals_an_undisturbed_one(tmp_path: Path) -> None:
    write_problems(tmp_path / "problems.jsonl", [problem(number) for number in range(200)])
    chaos = disturbed(tmp_path, "ray", kills=5, seed=3)
    assert chaos.killed["runs"] == 5
    assert lines(tmp_path / "run") == calm(tmp_path)
