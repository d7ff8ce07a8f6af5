"""Ids that become one name: nothing of one problem overwrites another's."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pyarrow
from PIL import Image
from pyarrow import parquet

from evpv.records.benchmarks import import_benchmark

EVPV = Path(sys.executable).parent / "evpv"
IDS = ("a/b", "a_b", "a b", "a:b", "x" * 90 + "1", "x" * 90 + "2", "ä", "ö")


def picture(colour: int) -> bytes:
    written = io.BytesIO()
    Image.new("RGB", (8, 8), (colour, 0, 0)).save(written, "PNG")
    return written.getvalue()


def test_ids_that_become_one_file_name_keep_their_pictures(tmp_path: Path) -> None:
    rows = [
        {
            "id": name,
            "question": "What?",
            "options": "[]",
            "answer": "1",
            "image_1": {"bytes": picture(n), "path": None},
        }
        for n, name in enumerate(IDS)
    ]
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "data.parquet")
    report = import_benchmark("mmmu", tmp_path / "data.parquet", tmp_path / "out" / "problems.jsonl")
    assert report.problems == len(IDS)
    written = [json.loads(line) for line in (tmp_path / "out" / "problems.jsonl").read_text().splitlines()]
    named = [row["image"] if isinstance(row["image"], str) else row["image"][0] for row in written]
    images = [tmp_path / "out" / name for name in named]
    assert [path.read_bytes() for path in images] == [picture(number) for number in range(len(IDS))]


def test_runs_that_mean_different_problems_by_one_id_are_not_merged(tmp_path: Path) -> None:
    for run, value in (("one", 5), ("two", 6)):
        candidate = {"id": "a", "steps": [f"AB is {value}."]}
        text = "".join(
            json.dumps({"id": f"line-{n}", "question": f"{value} {n}", "candidates": [candidate]}) + "\n"
            for n in range(3)
        )
        (tmp_path / f"{run}.jsonl").write_text(text)
        line = [EVPV, "rank", f"{run}.jsonl", "-o", run, "--recipe", "given", "--workers", "1"]
        subprocess.run(line, cwd=tmp_path, check=True, capture_output=True)
    merge = [EVPV, "merge", "one", "two", "-o", "both"]
    done = subprocess.run(merge, cwd=tmp_path, check=False, capture_output=True, text=True)
    assert done.returncode == 1
    assert "3 problems have different traces under one id" in " ".join(done.stderr.split())
    assert not (tmp_path / "both" / "traces.jsonl").exists()
    same = subprocess.run([EVPV, "merge", "one", "one", "-o", "again"], cwd=tmp_path, check=False, capture_output=True)
    assert same.returncode == 0
    assert len((tmp_path / "again" / "traces.jsonl").read_text().splitlines()) == 3
