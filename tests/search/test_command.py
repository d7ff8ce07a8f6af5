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


def test_a_recipe_without_a_policy_says_so(problems: Path, tmp_path: Path) -> None:
    result = command("search", problems, "-o", tmp_path / "run", "--recipe", "embedded")
    assert "has no section [policy]" in str(result.exception)
