"""Likely mistakes at the command line: the message names the place and says what to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from evpv.cli import app, system_message
from evpv.cli.evaluate import _fitted_threshold
from evpv.errors import ConfigError, unknown_name


@pytest.mark.parametrize("content", ['[{"id": "p1"}]\n', '[\n {"id": "p1"}\n]\n', '{\n "id": "p1"\n}\n'])
def test_an_array_or_json_over_several_lines_is_told_how_to_become_lines(tmp_path: Path, content: str) -> None:
    file = tmp_path / "problems.json"
    file.write_text(content, encoding="utf-8")
    said = str(CliRunner().invoke(app, ["rank", str(file), "-o", str(tmp_path / "run")]).exception)
    assert said.startswith(f"{file}:1: ")
    assert "one object a line" in said


def test_an_unknown_form_of_export_lists_all_forms(tmp_path: Path) -> None:
    said = str(CliRunner().invoke(app, ["export", "golden", str(tmp_path), "-o", str(tmp_path / "x")]).exception)
    assert "did you mean 'gold'?" in said
    assert "vlmevalkit" in said


def test_a_name_like_no_other_is_told_in_whole_sentences() -> None:
    assert str(unknown_name("preset", "xyz", ["paper"])) == "there is no preset 'xyz'. There are: paper."


def test_a_folder_without_a_run_says_what_is_meant(tmp_path: Path) -> None:
    said = str(CliRunner().invoke(app, ["assess", str(tmp_path), "-o", str(tmp_path / "again")]).exception)
    assert said.startswith(f"{tmp_path / 'manifest.json'}: cannot be read")
    assert "`evpv rank -o FOLDER`" in said


def test_a_file_in_a_folders_place_is_told_as_a_file(tmp_path: Path) -> None:
    file = tmp_path / "run"
    file.touch()
    problems = tmp_path / "problems.jsonl"
    problems.write_text('{"id": "p1", "question": "?", "candidates": [{"response": "1"}]}\n', encoding="utf-8")
    refused = CliRunner().invoke(app, ["rank", str(problems), "-o", str(file)]).exception
    assert isinstance(refused, OSError)
    assert system_message(refused) == f"{file}: is a file, but a folder is needed here"


def test_a_picture_in_place_of_problems_leads_to_extract(tmp_path: Path) -> None:
    said = str(CliRunner().invoke(app, ["rank", str(tmp_path / "figure.png"), "-o", str(tmp_path / "run")]).exception)
    assert "`evpv extract`" in said


def test_a_threshold_that_is_nothing_says_what_it_may_be(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="oracle"):
        _fitted_threshold("middle", tmp_path, [])
