"""The command on a real run of drawn problems: every task, the paired test, the threshold's provenance, and bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evpv.cli import app
from evpv.errors import ConfigError, RecordError
from evpv.figures import write_problems
from evpv.records import read_traces

runner = CliRunner(env={"COLUMNS": "200"})


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evaluate")
    write_problems(folder, ("tables", "triangles"), 6, 5, split="dev")
    for recipe in ("given", "judge-alone"):
        done = runner.invoke(
            app, ["rank", str(folder / "problems.jsonl"), "-o", str(folder / recipe), "--recipe", recipe]
        )
        assert done.exit_code == 0, done.output
    return folder


def evaluated(*arguments: object) -> str:
    done = runner.invoke(app, ["evaluate", *map(str, arguments)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ("steps", ['"macro_f1"', '"ece"', '"provenance": "fixed"', '"tables"']),
        ("best-of-n", ['"majority vote"', '"first-error"', '"the winner changed"', "Spearman"]),
        ("checklist", ['"omission"', '"false positives"']),
        ("errors", ['"Value Misreading"', '"called premise"']),
        ("cost", ['"tim_prm"']),
    ],
)
def test_each_task_says_what_it_should(runs: Path, tmp_path: Path, task: str, said: list[str]) -> None:
    numbers = tmp_path / "numbers.json"
    shown = evaluated(runs / "given", "--task", task, "-o", numbers)
    assert "┃" in shown
    for words in said:
        assert words in numbers.read_text(encoding="utf-8")


def test_gold_constraints_are_found_to_be_perfect(runs: Path, tmp_path: Path) -> None:
    numbers = tmp_path / "numbers.json"
    evaluated(runs / "given", "--task", "constraints", "--gold", runs / "problems.jsonl", "-o", numbers)
    rows = {row["data set: type"]: row for row in json.loads(numbers.read_text())["rows"]}
    assert rows["total: overall"]["F1"] == 1.0
    assert set(rows) >= {"tables: numeric", "triangles: numeric"}


def test_a_paired_test_sees_what_the_premise_check_adds(runs: Path, tmp_path: Path) -> None:
    numbers = tmp_path / "numbers.json"
    output = evaluated(runs / "given", "--against", runs / "judge-alone", "-o", numbers)
    assert "Intervals: paired bootstrap" in output
    assert json.loads(numbers.read_text())["macro-F1"]["value"] > 0.1
    assert "BoN@N" in evaluated(runs / "given", "--task", "best-of-n", "--against", runs / "judge-alone")


@pytest.mark.parametrize(("text", "said"), [("0.25", "0.25 (fixed)"), ("oracle", "(oracle: these very steps)")])
def test_a_threshold_is_printed_with_where_it_came_from(runs: Path, text: str, said: str) -> None:
    assert said in " ".join(evaluated(runs / "given", "--threshold", text).split())


def test_a_threshold_can_be_fitted_on_other_problems(runs: Path, tmp_path: Path) -> None:
    write_problems(tmp_path / "other", ("tables",), 2, 70, split="dev")
    done = runner.invoke(
        app, ["rank", str(tmp_path / "other" / "problems.jsonl"), "-o", str(tmp_path / "dev-run"), "--recipe", "given"]
    )
    assert done.exit_code == 0, done.output
    shown = evaluated(runs / "given", "--threshold", tmp_path / "dev-run")
    assert "(fitted: dev-run)" in " ".join(shown.split())


def test_a_threshold_fitted_on_the_same_problems_is_called_what_it_is(runs: Path) -> None:
    with pytest.raises(ConfigError, match="6 are in both runs"):
        evaluated(runs / "given", "--threshold", runs / "judge-alone")


def test_runs_over_other_problems_are_refused(runs: Path, tmp_path: Path) -> None:
    other = tmp_path / "short"
    done = runner.invoke(
        app, ["rank", str(runs / "problems.jsonl"), "-o", str(other), "--recipe", "given", "--limit", "2"]
    )
    assert done.exit_code == 0
    with pytest.raises(ConfigError, match="4 are in only one of them"):
        evaluated(runs / "given", "--against", other)


def test_gold_must_be_named_and_complete(runs: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="needs --gold"):
        evaluated(runs / "given", "--task", "constraints")
    (tmp_path / "few.jsonl").write_text('{"id": "x", "question": "?", "constraints": []}\n')
    with pytest.raises(RecordError, match="6 problems of the run have no gold constraints"):
        evaluated(runs / "given", "--task", "constraints", "--gold", tmp_path / "few.jsonl")


def test_an_empty_run_is_refused(runs: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / "manifest.json").write_bytes((runs / "given" / "manifest.json").read_bytes())
    (empty / "traces.jsonl").write_text("")
    with pytest.raises(ConfigError, match="holds no traces"):
        evaluated(empty)


def test_a_run_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="nowhere"):
        evaluated(tmp_path / "nowhere")


def test_experiments_write_every_form_and_ask_nothing_twice(runs: Path, tmp_path: Path) -> None:
    out = tmp_path / "experiments"
    for name in ("plug-in", "gates", "perception", "quality"):
        done = runner.invoke(
            app,
            ["experiment", name, str(runs / "given"), "-o", str(out), "--gold", str(runs / "problems.jsonl")],
            catch_exceptions=False,
        )
        assert done.exit_code == 0, done.output
        assert "0 model calls" in " ".join(done.output.split())
    for file in ("tables.md", "table-1.csv", "table-1.tex", "figure.png", "figure.svg", "metrics.json"):
        assert (out / "plug-in" / file).stat().st_size > 100
    assert "PUBLISHED" in (out / "plug-in" / "tables.md").read_text()
    assert (out / "report.html").read_text().startswith("<!doctype html>")
    rows = (out / "quality" / "table-1.csv").read_text().splitlines()
    assert [row.split(",")[0] for row in rows] == ["source", "tables", "triangles"]


def test_a_dry_run_says_what_would_be_asked_and_writes_nothing(runs: Path, tmp_path: Path) -> None:
    out = tmp_path / "nothing"
    done = runner.invoke(
        app, ["experiment", "all", str(runs / "given"), "-o", str(out), "--dry-run"], catch_exceptions=False
    )
    said = " ".join(done.output.split())
    assert "6 problems, " in said
    assert "0 new readings" in said
    assert "left out: fidelity, which needs --gold" in said
    assert not out.exists()


def test_a_misspelt_experiment_gives_the_nearest_name(runs: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="did you mean 'ablations'"):
        runner.invoke(
            app, ["experiment", "ablation", str(runs / "given"), "-o", str(tmp_path / "x")], catch_exceptions=False
        )


RECIPE = """
[extractor]
use = "none"
[backends.main]
use = "scripted"
answers = { error-types = ['{"top_level": "Visual Misinterpretation", "visual_subtype": "Value Misreading"}', "I cannot say."] }
[judge]
use = "chat"
backend = "main"
"""


def test_error_types_can_be_asked_of_a_model(runs: Path, tmp_path: Path) -> None:
    """Steps that have a type keep it; an answer that cannot be read is told, not guessed."""
    bare = tmp_path / "bare"
    bare.mkdir()
    (bare / "manifest.json").write_bytes((runs / "given" / "manifest.json").read_bytes())
    text = (runs / "given" / "traces.jsonl").read_text(encoding="utf-8").replace('"error": "', '"was": "')
    (bare / "traces.jsonl").write_text(text, encoding="utf-8")
    (tmp_path / "mine.toml").write_text(RECIPE)
    named = tmp_path / "named"
    done = runner.invoke(
        app, ["classify", str(bare), "-o", str(named), "--recipe", str(tmp_path / "mine.toml")], catch_exceptions=False
    )
    assert done.exit_code == 0, done.output
    steps = [s for t in read_traces(named) for c in t.candidates for s in c.steps if s.step.label == -1]
    assert sum(s.step.error == "visual-value" for s in steps) >= len(steps) // 2
    assert sum("error_problem" in s.step.extra for s in steps) == len(steps) // 2
    assert "error attribution" in evaluated(named, "--task", "errors")


def test_a_judge_without_a_model_cannot_classify(runs: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="asks no model"):
        runner.invoke(
            app,
            ["classify", str(runs / "given"), "-o", str(tmp_path / "x"), "--recipe", "given"],
            catch_exceptions=False,
        )
