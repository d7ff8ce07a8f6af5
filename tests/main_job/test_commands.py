"""The commands of the main job, on drawn problems."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evpv.cli import app
from evpv.records import read_problems, read_traces


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output + str(result.exception)
    return result.output


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("drawn") / "problems"
    run("figures", "-o", folder, "--family", "tables", "--family", "bar-charts", "-n", 4, "--seed", 3, "--split", "dev")
    return folder / "problems.jsonl"


def test_drawn_problems_are_problems(drawn: Path) -> None:
    problems = list(read_problems(drawn))
    assert len(problems) == 4
    assert all(len(problem.candidates) == 8 and Path(problem.images[0]).exists() for problem in problems)


def test_rank_writes_traces_a_page_and_takes_up_an_unfinished_run(drawn: Path, tmp_path: Path) -> None:
    first = run("rank", drawn, "-o", tmp_path / "run", "--limit", 2, "--workers", 1)
    assert "first bad step" in first
    assert len(list(read_traces(tmp_path / "run"))) == 2
    run("rank", drawn, "-o", tmp_path / "run", "--workers", 1)
    traces = list(read_traces(tmp_path / "run"))
    assert [trace.problem_id for trace in traces] == [problem.id for problem in read_problems(drawn)]
    assert all(trace.constraints for trace in traces)
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["recipe"] == "embedded"
    assert len(manifest["fingerprint"]) == 16
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert "data:image/png;base64," in page
    assert '"box": [' in page
    changed = CliRunner().invoke(
        app, ["rank", str(drawn), "-o", str(tmp_path / "run"), "--workers", "1", "--set", "select=vote"]
    )
    assert changed.exit_code != 0


def test_a_run_is_assessed_again_without_a_model(drawn: Path, tmp_path: Path) -> None:
    run("rank", drawn, "-o", tmp_path / "run", "--recipe", "given")
    run("assess", tmp_path / "run", "-o", tmp_path / "same")
    assert list(read_traces(tmp_path / "same")) == list(read_traces(tmp_path / "run"))
    run("assess", tmp_path / "run", "-o", tmp_path / "paper", "--preset", "paper")
    assert list(read_traces(tmp_path / "paper")) != list(read_traces(tmp_path / "run"))


def test_extract_reads_a_file_an_image_and_a_folder(drawn: Path, tmp_path: Path) -> None:
    run("extract", drawn, "-o", tmp_path / "out.jsonl", "--limit", 1, "--workers", 1, "--overlay", tmp_path / "sheets")
    record = json.loads((tmp_path / "out.jsonl").read_text(encoding="utf-8"))
    assert record["constraints"]
    assert list((tmp_path / "sheets").glob("*.png"))
    image = next((drawn.parent / "images").glob("tables*.png"))
    printed = json.loads(run("extract", image))
    assert printed["kind"] == "table"
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "a.png").write_bytes(image.read_bytes())
    assert json.loads(run("extract", tmp_path / "one"))["constraints"] == printed["constraints"]


def test_doctor_says_what_each_recipe_needs() -> None:
    output = run("doctor")
    assert "ready" in output
    assert "judge-alone" in output


@pytest.mark.parametrize(
    "arguments",
    [
        ["rank", "nowhere.jsonl", "-o", "{out}"],
        ["extract", "nowhere.png"],
        ["figures", "-o", "{out}", "--family", "trianglez"],
        ["rank", "nowhere.jsonl", "-o", "{out}", "--recipe", "embeded"],
        ["rank", "nowhere.jsonl", "-o", "{out}", "--set", "select"],
    ],
)
def test_bad_input_is_refused_in_one_line(arguments: list[str], tmp_path: Path) -> None:
    result = CliRunner().invoke(app, [argument.format(out=tmp_path / "out") for argument in arguments])
    assert result.exit_code != 0
    assert type(result.exception).__name__ in ("RecordError", "ConfigError")
