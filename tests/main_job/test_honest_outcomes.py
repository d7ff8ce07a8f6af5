"""Never sure when nothing was looked at: ties, unread figures, changed files and silent models are told."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from evpv import Verifier
from evpv.cli import app
from evpv.config import recipe_names
from evpv.records import read_traces
from evpv.records.problems import near_misses, problem_digest, problem_from_json

AB = {"category": "numeric", "entity": "segment AB", "attribute": "length", "value": 12, "unit": "cm"}


def solution(name: str, answer: str) -> dict[str, Any]:
    return {"id": name, "steps": ["We add them up."], "final_answer": answer}


def reading(name: str, value: int) -> dict[str, Any]:
    claim = f"AB is {value} cm."
    return {"id": name, "steps": [{"text": claim, "claim": claim}], "final_answer": str(value)}


READ = {
    "id": "read",
    "question": "How long is AB?",
    "candidates": [reading("a", 12), reading("b", 15)],
    "constraints": [AB],
}
TIE = {"id": "tie", "question": "What is the total?", "candidates": [solution("a", "400"), solution("b", "575")]}
LOST = {"id": "lost", "image": "none.png", "question": "How long is AB?", "candidates": [reading("a", 12)]}


def written(file: Path, *problems: dict[str, Any]) -> Path:
    file.write_text("".join(json.dumps(problem) + "\n" for problem in problems), encoding="utf-8")
    return file


def rank(problems: Path, run: Path, *more: str) -> Result:
    given = ("--recipe", "given", "--workers", "1") if "--recipe" not in more else ()
    return CliRunner().invoke(app, ["rank", str(problems), "-o", str(run), *given, *more])


@pytest.fixture(scope="module")
def doubtful(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    folder = tmp_path_factory.mktemp("doubtful")
    file = written(folder / "problems.jsonl", READ, TIE, LOST, {**TIE, "id": "typo", "imgae": "x.png"})
    return folder / "run", rank(file, folder / "run", "--strict")


def test_the_last_line_says_what_is_not_sure_and_strict_fails(doubtful: tuple[Path, Result]) -> None:
    run, result = doubtful
    last = " ".join(result.stdout.split("4 ranked")[1].split())
    assert last.startswith("· 2 ties · 1 image missing · 2 with nothing checked · page:")
    assert (result.exit_code, str(run) in result.stdout.replace("\n", "")) == (1, True)


@pytest.mark.parametrize(
    "said", ["tie: tie: 400 or 575", "read: 12", "unknown", "nothing was read: problem 'lost' holds no constraints"]
)
def test_the_table_calls_a_tie_a_tie_and_unknown_unknown(doubtful: tuple[Path, Result], said: str) -> None:
    assert said in doubtful[1].stdout


def test_a_mistyped_field_is_told_with_the_near_name(doubtful: tuple[Path, Result]) -> None:
    assert "'imgae' is not known here; did you mean 'image'?" in doubtful[1].stderr.replace("\n", " ")


def test_a_changed_problem_is_done_again_and_another_file_is_told(
    doubtful: tuple[Path, Result], tmp_path: Path
) -> None:
    run = tmp_path / "run"
    first = rank(written(tmp_path / "a.jsonl", READ, TIE), run)
    assert first.exit_code == 0, first.output
    other = {**READ, "candidates": [reading("a", 13), reading("b", 15)]}
    again = rank(written(tmp_path / "b.jsonl", other), run)
    said = again.stderr.replace("\n", " ")
    assert "1 done, 1 changed: redoing 1" in said
    assert "1 trace is of a problem that is not in b.jsonl (it was begun with a.jsonl); kept" in said
    traces = {trace.problem_id: trace for trace in read_traces(run)}
    assert sorted(traces) == ["read", "tie"]
    assert traces["read"].candidates[0].final_answer == "13"


def test_what_a_digest_is_of(tmp_path: Path) -> None:
    picture = tmp_path / "p.png"
    picture.write_bytes(b"one")
    base = {**READ, "image": str(picture)}
    same = problem_digest(problem_from_json(base))
    assert problem_digest(problem_from_json({**base, "answer": "12", "constraints": []})) == same
    changed = [{**base, "question": "?"}, {**base, "options": ["1"]}, {**base, "candidates": base["candidates"][:1]}]
    assert all(problem_digest(problem_from_json(one)) != same for one in changed)
    picture.write_bytes(b"two")
    assert problem_digest(problem_from_json(base)) != same


@pytest.mark.parametrize(
    ("problems", "said"),
    [((), "0 problems: the file is empty"), (({**READ, "candidates": []},), "run `evpv sample` first")],
    ids=["empty", "no candidates"],
)
def test_what_cannot_be_ranked_is_refused_with_what_to_do(tmp_path: Path, problems: Any, said: str) -> None:
    result = rank(written(tmp_path / "p.jsonl", *problems), tmp_path / "run")
    assert result.exit_code == 1
    assert said in str(result.exception)
    assert not (tmp_path / "run").exists()  # which would then refuse every other recipe


def test_another_method_is_told_by_its_settings_and_not_by_what_they_were_measured_on(tmp_path: Path) -> None:
    file = written(tmp_path / "p.jsonl", READ)
    assert rank(file, tmp_path / "run", "--recipe", "given", "--set", "fitted=embedded").exit_code == 0
    said = str(rank(file, tmp_path / "run", "--set", "gate=sigmoid").exception)
    assert 'method.gate: "factor" there, "sigmoid" here' in said
    assert 'fitted: "embedded" there, nothing here' in said
    assert not [noise for noise in ("sha256", "provenance", "split", "date", "check") if noise in said]


def test_help_names_the_recipes_and_where_settings_are_found() -> None:
    said = " ".join(CliRunner().invoke(app, ["--help"]).stdout.split())
    assert all(name in said for name in recipe_names())
    assert "evpv doctor --recipe NAME shows its settings" in said
    shown = CliRunner().invoke(app, ["doctor", "--recipe", "embedded"]).stdout
    assert all(name in shown for name in ("judge.evidence", "method.select", '"weighted-vote"', "method.fitted"))


def test_a_fit_given_as_a_recipe_is_told_what_it_is_and_how_it_is_used(tmp_path: Path) -> None:
    fit = tmp_path / "mine.toml"
    fit.write_text("[method]\nthreshold = 0.4\n[provenance]\nproblems = 3\n", encoding="utf-8")
    file = written(tmp_path / "p.jsonl", READ)
    refused = rank(file, tmp_path / "run", "--recipe", str(fit))
    assert "mine.toml is a fit, the settings of a method that `evpv fit` measured, and no recipe" in str(
        refused.exception
    )
    assert f"--set fitted={fit}" in str(refused.exception)
    told = rank(file, tmp_path / "run", "--recipe", "given", "--workers", "1", "--set", f"fitted={fit}")
    assert told.exit_code == 0, told.output


@pytest.mark.parametrize("command", [["rank"], ["sample", "-n", "1"], ["search"], ["revise"], ["extract"]])
def test_a_model_that_is_not_there_is_told_at_once(tmp_path: Path, command: list[str]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    file = written(tmp_path / "p.jsonl", {**READ, "constraints": []})
    settings = ("--set", f"backends.main.base_url={address}", "--set", f"store.path={tmp_path / 'store'}")
    result = CliRunner().invoke(app, [*command, str(file), "-o", str(tmp_path / "out"), "--recipe", "vllm", *settings])
    assert result.exit_code == 1
    assert f"at {address} does not answer" in str(result.exception)
    assert "Start the server" in str(result.exception)
    assert not (tmp_path / "out" / "traces.jsonl").exists()


@pytest.mark.parametrize(("field", "meant"), [("imgae", "image"), ("qestion", "question"), ("canidates", "candidates")])
def test_near_misses(field: str, meant: str) -> None:
    assert list(near_misses(problem_from_json({"id": "p", field: "x"}))) == [(field, meant)]


@pytest.mark.parametrize(
    ("candidate", "found"),
    [
        ({"steps": ["So 4."], "final_anwser": "4"}, ("final_anwser", "final_answer")),
        ({"response": "We add them.", "answer": "4"}, ("answer", "final_answer")),
        ({"steps": [{"text": "AB is 4.", "clam": "AB = 4"}]}, ("clam", "claim")),
    ],
)
def test_near_misses_inside_a_candidate(candidate: dict[str, Any], found: tuple[str, str]) -> None:
    assert list(near_misses(problem_from_json({"id": "p", "question": "?", "candidates": [candidate]}))) == [found]


def test_a_field_that_is_there_has_no_near_miss() -> None:
    assert not list(near_misses(problem_from_json({"id": "p", "question": "?", "questions": []})))


def test_a_ranking_prints_itself_as_a_table_and_shows_itself_in_a_notebook() -> None:
    with Verifier.from_recipe("given") as verifier:
        read, tie = verifier.rank(READ), verifier.rank({**TIE, "id": "<b>tie</b>"})
    assert str(read).splitlines()[0] == "read: 12"
    assert "misread" in str(read)
    assert [line.split()[0] for line in str(read).splitlines()[1:]] == ["candidate", "a", "b"]
    assert (tie.tied, str(tie).splitlines()[0]) == (True, "<b>tie</b>: tie: 400 or 575")
    assert "unknown" in str(tie)
    assert "&lt;b&gt;tie&lt;/b&gt;: tie: 400 or 575" in tie._repr_html_()


def test_the_library_warns_of_a_mistyped_field_and_says_that_nothing_was_checked(tmp_path: Path) -> None:
    problem = {"id": "p", "qestion": "?", "image": str(tmp_path / "a.png"), "candidates": TIE["candidates"]}
    said = "'qestion' is not known here; did you mean 'question'"
    with Verifier.from_recipe("given") as verifier, pytest.warns(UserWarning, match=said) as told:
        unchecked = verifier.rank({**problem, "constraints": [AB]})
    assert told[0].filename == __file__
    assert str(unchecked).startswith("p: tie: 400 or 575 (nothing checked: no claim about the figure was found)")
