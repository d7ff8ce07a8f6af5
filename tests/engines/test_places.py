"""Places: a problem read alone is the problem that the reader of the whole file gives."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evpv.errors import RecordError
from evpv.records import Skipped, read_problems
from evpv.records.problems import placed_problems, read_placed
from tests.engines.conftest import problem, write_problems


def test_problems_are_read_alone_as_they_are_read_together(tmp_path: Path) -> None:
    path = tmp_path / "problems.jsonl"
    rows = [json.dumps(problem(n, question="Größe ∠ABC?", image=f"{n}.png")).encode() for n in range(4)]
    unnamed = json.dumps({"question": "?", "response": "AB is 3 cm. The answer is 3."}).encode()
    path.write_bytes(b"\xef\xbb\xbf" + rows[0] + b"\r\n\n" + rows[1] + b"\n  \n" + unnamed + b"\n" + rows[3])
    together = list(read_problems(path))
    placed = list(placed_problems(path))
    assert [problem for _, problem in placed] == together
    assert together[2].id == "line-5"
    backwards = [place for place, _ in placed][::-1]
    assert list(read_placed(path, backwards)) == together[::-1]


def test_a_bad_line_is_left_out_when_told_and_counted(tmp_path: Path) -> None:
    path = write_problems(tmp_path / "problems.jsonl", [problem(0), {"id": "x", "question": 7}, problem(0), problem(1)])
    skipped = Skipped()
    placed = list(placed_problems(path, on_error="skip", report=skipped))
    assert [(place.problem_id, place.line) for place, _ in placed] == [("p00000", 1), ("p00001", 4)]
    assert skipped.count == 2
    with pytest.raises(RecordError, match=r"problems\.jsonl:2"):
        list(placed_problems(path))


def test_a_file_that_was_changed_meanwhile_is_noticed(tmp_path: Path) -> None:
    path = write_problems(tmp_path / "problems.jsonl", [problem(0), problem(1)])
    places = [place for place, _ in placed_problems(path)]
    write_problems(path, [problem(1), problem(0)])
    with pytest.raises(RecordError, match="changed while it was read"):
        list(read_placed(path, places))
