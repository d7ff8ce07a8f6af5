"""`evpv fit`: what is fitted, on what, what the file says, and that recipes and evaluation read it."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evpv.cli import app
from evpv.config import load_recipe, recipe_names
from evpv.errors import ConfigError
from evpv.evaluation.fitting import counted_claims, fit, priors
from evpv.figures import write_problems
from evpv.records import read_traces
from evpv.reward.method import Method, preset
from evpv.types import Trace

runner = CliRunner(env={"COLUMNS": "200"})


def invoked(*arguments: object) -> str:
    done = runner.invoke(app, [*map(str, arguments)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return " ".join(done.output.split())


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs over drawn problems with their own constraints: dev, other dev problems, test."""
    folder = tmp_path_factory.mktemp("fit")
    for name, seed, split in (("dev", 5, "dev"), ("other", 50, "dev"), ("test", 5, "test")):
        write_problems(folder / name, ("tables", "triangles"), 6, seed, split=split)  # type: ignore[arg-type]
        invoked("rank", folder / name / "problems.jsonl", "-o", folder / name / "run", "--recipe", "given")
    return folder


@pytest.fixture(scope="module")
def dev(runs: Path) -> list[Trace]:
    return list(read_traces(runs / "dev" / "run"))


def test_the_support_of_an_unread_claim_is_how_often_such_claims_are_right() -> None:
    claims = Counter(
        {("numeric", "missing", True): 60, ("numeric", "missing", False): 20, ("relation", "supported", True): 80}
    )
    overall = 140 / 160
    found = priors(claims, {"numeric": 0.5, "relation": 0.4, "structure": 0.3})
    assert found == {"numeric": round((60 + 10 * overall) / 90, 2), "relation": 0.4, "structure": 0.3}


def test_a_handful_of_unread_claims_decides_nothing() -> None:
    claims = Counter({("structure", "missing", False): 13, ("numeric", "supported", True): 200})
    assert priors(claims, {"structure": 0.67}) == {"structure": 0.67}


def test_a_misread_claim_is_wrong_and_one_that_inherits_an_error_is_not(dev: list[Trace]) -> None:
    claims = counted_claims(dev)
    contradicted = {right: sum(n for (_, v, r), n in claims.items() if (v, r) == ("contradicted", right)) for right in (True, False)}  # fmt: skip
    assert contradicted[False] > 5 * contradicted[True]


def test_runs_whose_errors_have_no_kind_fit_no_support(dev: list[Trace]) -> None:
    def bare(trace: Trace) -> Trace:
        candidates = tuple(
            replace(one, steps=tuple(replace(step, error=None) for step in one.steps))
            for one in trace.problem.candidates
        )
        return replace(trace, problem=replace(trace.problem, candidates=candidates))

    fitted = fit([bare(trace) for trace in dev], preset("grounded"))
    assert not fitted.claims
    assert "missing" not in fitted.settings()
    assert fitted.method.missing == Method().missing


def test_the_fitted_threshold_is_no_worse_than_nought_where_it_was_fitted(runs: Path, tmp_path: Path) -> None:
    invoked("fit", runs / "dev" / "run", "-o", tmp_path / "mine.toml")
    text = (tmp_path / "mine.toml").read_text(encoding="utf-8")
    theta = tomllib.loads(text)["method"]["decision"]
    scores = []
    for name, value in (("fitted", theta), ("nought", 0)):
        invoked("evaluate", runs / "dev" / "run", "--threshold", value, "-o", tmp_path / f"{name}.json")
        scores.append(json.loads((tmp_path / f"{name}.json").read_text())["pooled"]["macro_f1"])
    assert scores[0] >= scores[1]


def test_the_file_says_what_it_was_fitted_on(runs: Path, tmp_path: Path) -> None:
    words = ("--data", 'drawn, "seed" 5', "--check", runs / "other" / "run")
    said = invoked("fit", runs / "dev" / "run", "-o", tmp_path / "mine.toml", *words)
    assert "held against 6 problems that were not fitted on" in said
    found = tomllib.loads((tmp_path / "mine.toml").read_text(encoding="utf-8"))
    facts = found["provenance"]
    assert facts["split"] == "dev"
    assert facts["problems"] == 6
    assert facts["data"] == 'drawn, "seed" 5'
    assert {
        "date",
        "command",
        "evpv",
        "steps",
        "candidates",
        "claims",
        "recipe",
        "parts",
        "problem_ids_sha256",
    } <= facts.keys()
    assert facts["check"]["problems"] == 6
    assert facts["check"]["fitted"].keys() == {"macro_f1", "macro_f1_at_0", "best_of_n"}
    assert {one["gate"] for one in found["gates"]} == {"off", "sigmoid", "local", "factor"}
    assert sum(row["claims"] for row in found["claims"]) == facts["claims"]
    assert str(tmp_path) not in (tmp_path / "mine.toml").read_text(encoding="utf-8")


def test_recipes_and_evaluation_read_the_fit(runs: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    invoked("fit", runs / "dev" / "run", "-o", mine)
    theta = tomllib.loads(mine.read_text(encoding="utf-8"))["method"]["decision"]
    recipe = load_recipe("given", {"fitted": str(mine)})
    assert recipe.method.decision == theta
    assert recipe.fitted is not None
    assert recipe.settings()["fitted"]["split"] == "dev"
    invoked(
        "rank",
        runs / "other" / "problems.jsonl",
        "-o",
        tmp_path / "run",
        "--recipe",
        "given",
        "--set",
        f"fitted={mine}",
    )
    assert f"θ = {theta:g} (fitted: fit 'mine': 6 problems of split dev" in invoked("evaluate", tmp_path / "run")


def test_what_the_recipe_says_itself_goes_before_the_fit(runs: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    invoked("fit", runs / "dev" / "run", "-o", mine)
    changes = {"fitted": str(mine), "decision": "0.9"}
    assert load_recipe("given", changes).method.decision == 0.9
    settings = ("--set", f"fitted={mine}", "--set", "decision=0.9")
    invoked("rank", runs / "other" / "problems.jsonl", "-o", tmp_path / "run", "--recipe", "given", *settings)
    assert "θ = 0.9 (fixed: the run's own setting)" in invoked("evaluate", tmp_path / "run")


def test_nothing_is_fitted_on_a_test_split(runs: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nothing is fitted on a test split"):
        invoked("fit", runs / "test" / "run", "-o", tmp_path / "mine.toml")
    with pytest.raises(ConfigError, match="are of the split 'test'"):
        invoked("evaluate", runs / "dev" / "run", "--threshold", runs / "test" / "run")
    assert not (tmp_path / "mine.toml").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--split", "test"], "the problems say dev"),
        (["--check", "dev/run"], "--check needs other problems: 6 are in both runs"),
        (["-o", "mine.json"], "is a .toml file"),
    ],
)
def test_what_makes_no_sense_is_refused(runs: Path, tmp_path: Path, options: list[str], said: str) -> None:
    named = [str(runs / one) if one.endswith("/run") else one for one in options]
    with pytest.raises(ConfigError, match=said):
        invoked("fit", runs / "dev" / "run", "-o", tmp_path / "mine.toml", *named)


def test_problems_that_name_no_split_need_one(runs: Path, tmp_path: Path) -> None:
    bare = tmp_path / "run"
    bare.mkdir()
    source = runs / "dev" / "run"
    (bare / "manifest.json").write_bytes((source / "manifest.json").read_bytes())
    text = (source / "traces.jsonl").read_text(encoding="utf-8").replace('"split": "dev"', '"was": "dev"')
    (bare / "traces.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match="name it with --split"):
        invoked("fit", bare, "-o", tmp_path / "mine.toml")
    with pytest.raises(ConfigError, match="nothing is fitted on a test split"):
        invoked("fit", bare, "-o", tmp_path / "mine.toml", "--split", "Test")
    invoked("fit", bare, "-o", tmp_path / "mine.toml", "--split", "mine-dev")
    assert tomllib.loads((tmp_path / "mine.toml").read_text())["provenance"]["split"] == "mine-dev"


@pytest.mark.parametrize(
    ("text", "said"),
    [("[method]\n", r"sections \[method\] and \[provenance\]"), ("method = [", "mine.toml"), (None, "cannot be read")],
)
def test_a_bad_fit_file_is_named(tmp_path: Path, text: str | None, said: str) -> None:
    path = tmp_path / "mine.toml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(ConfigError, match=said):
        load_recipe("given", {"fitted": str(path)})


def test_a_misspelt_fit_is_an_error() -> None:
    with pytest.raises(ConfigError, match="there is no fit 'embeded'"):
        load_recipe("given", {"fitted": "embeded"})


@pytest.mark.parametrize("name", recipe_names())
def test_shipped_fits_come_from_development_problems(name: str) -> None:
    fitted = load_recipe(name).fitted
    if fitted is not None:
        assert fitted.provenance["split"] in ("train", "dev")
        assert fitted.provenance["problems"] >= 200
