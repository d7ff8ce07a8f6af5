"""`evpv search`: a run like any other, that can be taken up again and looked at."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from evpv.cli import app
from evpv.records import read_manifest, read_traces

STEPS = [
    {"steptext": "The figure shows AB = 15 cm.", "visualdependency": "AB = 15 cm", "finalanswer": None},
    {"steptext": "The figure shows AB = 12 cm.", "visualdependency": "AB = 12 cm", "finalanswer": None},
    {"steptext": "Half of that is 12 / 2 = 6 cm.", "visualdependency": None, "finalanswer": "6"},
    {"steptext": "Half of that is 12 / 2 = 7 cm.", "visualdependency": None, "finalanswer": "7"},
]
WHOLE = [
    {
        "reasoningprocess": [{k: v for k, v in step.items() if k != "finalanswer"} for step in pair],
        "finalanswer": answer,
    }
    for pair, answer in (([STEPS[0], STEPS[3]], "7"), ([STEPS[1], STEPS[2]], "6"))
]
FACTS = [
    {"category": "numeric", "entity": "segment AB", "attribute": "length", "value": 12, "unit": "cm", "confidence": 1.0}
]

RECIPE = """
[backends.main]
use = "scripted"
answers = {{ search = {search}, sample = {sample} }}

[policy]
use = "chat"
backend = "main"

[extractor]
use = "given"

[judge]
use = "checks"

[method]
preset = "grounded"
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    file = tmp_path / "scripted.toml"
    answers = {name: [json.dumps(one) for one in given] for name, given in (("search", STEPS), ("sample", WHOLE))}
    file.write_text(RECIPE.format(**{name: json.dumps(given) for name, given in answers.items()}))
    return file


@pytest.fixture
def problems(tmp_path: Path) -> Path:
    file = tmp_path / "problems.jsonl"
    rows = [{"id": f"p{n}", "question": "How long is half of AB?", "constraints": FACTS} for n in range(2)]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def command(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "200"})


def test_a_beam_leaves_a_run_with_traces_and_a_page(recipe: Path, problems: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    result = command("search", problems, "-o", run, "--recipe", recipe, "-n", 2, "--width", 1)
    assert result.exit_code == 0, result.output
    assert "ended: 2 whole; 8 questions to the policy" in result.output
    first, second = read_traces(run)
    assert [one.final_answer for one in first.candidates] == ["6", "7"]
    assert first.ranking.order[0] == "1"
    assert first.candidates[0].steps[0].verdict == "supported"
    assert second.search["ended"] == "whole"
    assert read_manifest(run)["search"]["width"] == 1
    page = command("view", run, "-o", tmp_path / "page.html")
    assert page.exit_code == 0, page.output
    assert "Half of that is 12 / 2 = 6 cm." in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_best_of_n_from_the_command(recipe: Path, problems: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    result = command(
        "search", problems, "-o", run, "--recipe", recipe, "--kind", "best-of-n", "-n", 6, "--width", 2, "--set", "select=vote",
        "--enough", 0.5, "--limit", 1,
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    [trace] = read_traces(run)
    assert (trace.search["ended"], trace.search["asked"]) == ("enough", 2)


def test_a_run_is_taken_up_again_and_other_settings_are_refused(recipe: Path, problems: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    wanted = ("search", problems, "-o", run, "--recipe", recipe, "-n", 2, "--width", 1)
    assert command(*wanted, "--limit", 1).exit_code == 0
    before = (run / "traces.jsonl").read_bytes()
    assert command(*wanted).exit_code == 0
    after = (run / "traces.jsonl").read_bytes()
    assert after.startswith(before)
    assert len(list(read_traces(run))) == 2
    other = command("search", problems, "-o", run, "--recipe", recipe, "-n", 2, "--width", 2)
    assert "made with another recipe" in str(other.exception)


def test_a_changed_problem_is_searched_again_and_a_mistyped_field_is_told(
    recipe: Path, problems: Path, tmp_path: Path
) -> None:
    wanted = ("search", problems, "-o", tmp_path / "run", "--recipe", recipe, "-n", 2, "--width", 1)
    assert command(*wanted).exit_code == 0
    rows = [json.loads(line) for line in problems.read_text().splitlines()]
    rows[1] = {**rows[1], "question": "How long is AB, halved?", "imgae": "figure.png"}
    problems.write_text("".join(json.dumps(row) + "\n" for row in rows))
    again = command(*wanted)
    assert "2 done, 1 changed: redoing 1" in again.stderr
    assert "did you mean 'image'?" in again.stderr
    assert {trace.question for trace in read_traces(tmp_path / "run")} == {row["question"] for row in rows}
    assert "2 done" in command(*wanted).stderr


def test_a_changed_problem_is_not_taken_for_the_one_that_was_sampled(
    recipe: Path, problems: Path, tmp_path: Path
) -> None:
    wanted = ("sample", problems, "-o", tmp_path / "sampled.jsonl", "--recipe", recipe, "-n", 2)
    assert command(*wanted).exit_code == 0
    assert command(*wanted).exit_code == 0
    problems.write_text(problems.read_text().replace("half of AB", "AB"))
    assert "'p0' had another question or figure when it was sampled" in str(command(*wanted).exception)


def test_a_search_whose_judge_never_answers_is_a_failure_and_no_trace(
    recipe: Path, problems: Path, tmp_path: Path
) -> None:
    silent = ("--set", "judge.use=chat", "--set", "judge.backend=main")
    result = command("search", problems, "-o", tmp_path / "run", "--recipe", recipe, "-n", 2, "--width", 1, *silent)
    assert "2 of the problems failed" in str(result.exception)
    assert "2 failed" in result.stdout
    assert not list(read_traces(tmp_path / "run"))


@pytest.mark.parametrize("name", ["search", "sample", "revise", "extract"])
def test_an_empty_file_is_told_and_leaves_nothing(name: str, recipe: Path, problems: Path, tmp_path: Path) -> None:
    problems.write_text("")
    result = command(name, problems, "-o", tmp_path / "out", "--recipe", recipe)
    assert "0 problems: the file is empty" in str(result.exception)
    assert not (tmp_path / "out").exists()


def test_a_recipe_without_a_policy_says_so(problems: Path, tmp_path: Path) -> None:
    result = command("search", problems, "-o", tmp_path / "run", "--recipe", "embedded")
    assert "has no section [policy]" in str(result.exception)
