"""Evaluation kits' tables: what they read is what was chosen, and what they need besides is still there."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pandas
import pytest
from typer.testing import CliRunner, Result

from evpv.cli import app
from evpv.integrations.prediction_tables import prediction
from evpv.records import RunWriter, read_problems
from evpv.records.benchmarks import import_benchmark
from evpv.reward.assess import assess
from evpv.reward.method import preset
from evpv.types import Candidate, Problem, Step, Trace

NASTY = 'He said "12, 5"\tand\nleft;\n=SUM(A1) <b>é ∠ABC</b>'


def trace(name: str, *solutions: tuple[str, str | None, float], **known: Any) -> Trace:
    """A problem with solutions: what they say, their answer, and what that is worth."""
    candidates = tuple(
        Candidate(id=str(k), steps=(Step(text=text),), final_answer=answer)
        for k, (text, answer, _) in enumerate(solutions)
    )
    problem = Problem(id=name, question=f"What is {name}?", candidates=candidates, **known)
    return assess(problem, (), [[worth] for _, _, worth in solutions], preset("grounded"))


def run_of(folder: Path, *traces: Trace) -> Path:
    with RunWriter(folder / "run", {"fingerprint": "x", "method": {}}) as writer:
        for one in traces:
            writer.append(one)
    return folder / "run"


TRACES = (
    trace("0", ("It is 5.", "B", 0.2), ("It is 7.", "A", 0.9), options=("7", "5"), answer="A"),
    trace("2", (NASTY, "12", 0.1), answer="12"),
    trace("10", ("So the answer is 3.", "3", 0.5)),
    trace("11"),
)


def command(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.mark.parametrize(
    ("one", "response", "answer"),
    [
        (TRACES[0], "It is 7.\nAnswer: A", "A"),
        (TRACES[2], "So the answer is 3.", "3"),
        (TRACES[3], None, None),
        (trace("x", ("Only words.", None, 0.5)), "Only words.", None),
    ],
)
def test_what_the_chosen_candidate_says(one: Trace, response: str | None, answer: str | None) -> None:
    assert prediction(one) == response
    assert prediction(one, "answer") == answer


@pytest.mark.parametrize("suffix", [".tsv", ".csv"])
def test_vlmevalkit_reads_back_every_prediction(suffix: str, tmp_path: Path) -> None:
    """It reads result files with pandas, as here."""
    output = tmp_path / f"predictions{suffix}"
    result = command("export", "vlmevalkit", run_of(tmp_path, *TRACES), "-o", output)
    assert result.exit_code == 0, result.output
    assert "3 predictions" in result.output
    read = pandas.read_csv(output, sep="\t" if suffix == ".tsv" else ",", keep_default_na=False)
    assert list(read.columns) == ["index", "question", "A", "B", "answer", "prediction"]
    assert list(read["index"]) == [0, 2, 10, 11]
    assert list(read["prediction"]) == [prediction(one) or "" for one in TRACES]
    assert list(read["A"]) == ["7", "", "", ""]


def test_the_kits_own_rows_and_columns_are_kept_but_for_pictures(tmp_path: Path) -> None:
    table = tmp_path / "bench.tsv"
    with table.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.DictWriter(handle, ["index", "image", "question", "category", "l2-category"], delimiter="\t")
        writer.writeheader()
        for index in (10, 0, 99):
            row = {
                "index": index,
                "image": "x" * 200_000,
                "question": f"Q{index}\nmore",
                "category": "a",
                "l2-category": "b",
            }
            writer.writerow(row)
    output = tmp_path / "out.tsv"
    result = command(
        "export", "vlmevalkit", run_of(tmp_path, *TRACES), "-o", output, "--table", table, "--words", "answer"
    )
    assert result.exit_code == 0, result.output
    assert "99" in result.output
    read = pandas.read_csv(output, sep="\t", keep_default_na=False)
    assert list(read.columns) == ["index", "question", "category", "l2-category", "prediction"]
    assert read.to_dict("list")["index"] == [10, 0, 99]
    assert list(read["prediction"]) == ["3", "A", ""]
    assert list(read["question"]) == ["Q10\nmore", "Q0\nmore", "Q99\nmore"]


def test_a_table_goes_out_and_comes_in_again(tmp_path: Path) -> None:
    output = tmp_path / "predictions.tsv"
    command("export", "vlmevalkit", run_of(tmp_path, *TRACES), "-o", output)
    import_benchmark("vlmevalkit", output, tmp_path / "back.jsonl")
    back = list(read_problems(tmp_path / "back.jsonl"))
    assert [problem.id for problem in back] == ["0", "2", "10", "11"]
    assert [problem.question for problem in back] == [one.question for one in TRACES]
    assert back[0].options == ("7", "5")
    assert [problem.candidates[0].final_answer for problem in back[:3]] == ["A", "12", "3"]
    assert back[3].candidates == ()


def as_from_log_reads(file: Path) -> tuple[str, dict[int, str]]:
    """What lmms-eval's model `from_log` takes from a log: the task, and the answer to each document."""
    log = json.loads(file.read_text(encoding="utf-8"))
    assert log["args"]["limit"] is None
    return log["model_configs"]["task"], {entry["doc_id"]: entry["resps"][0][0] for entry in log["logs"]}


def test_lmms_eval_answers_from_the_log(tmp_path: Path) -> None:
    output = tmp_path / "logs" / "evpv.json"
    result = command("export", "lmms-eval", run_of(tmp_path, *TRACES), "-o", output, "--task", "mathvista_testmini")
    assert result.exit_code == 0, result.output
    task, answers = as_from_log_reads(output)
    assert task == "mathvista_testmini"
    assert answers == {int(one.problem_id): prediction(one) or "" for one in TRACES}


def test_a_log_of_many_responses_is_ranked_and_goes_back_as_one(tmp_path: Path) -> None:
    """The whole way round: a kit's log of several responses in, the chosen one out."""
    log = tmp_path / "samples.jsonl"
    rows = [
        {
            "doc_id": n,
            "input": "What is 2 + 3?",
            "target": "5",
            "resps": ["2 + 3 = 6.\nAnswer: 6", "2 + 3 = 5.\nAnswer: 5"],
        }
        for n in range(2)
    ]
    log.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    problems, run, output = tmp_path / "problems.jsonl", tmp_path / "run", tmp_path / "evpv.json"
    for arguments in (
        ("import", "lmms-eval", log, "-o", problems),
        ("rank", problems, "-o", run, "--recipe", "judge-alone", "--workers", "1"),
        ("export", "lmms-eval", run, "-o", output, "--task", "sums"),
    ):
        result = command(*arguments)
        assert result.exit_code == 0, result.output
    assert as_from_log_reads(output) == ("sums", dict.fromkeys(range(2), "2 + 3 = 5.\nAnswer: 5"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["vlmeval", "-o", "a.tsv"], "did you mean 'vlmevalkit'"),
        (["vlmevalkit", "-o", "a.xlsx"], ".tsv or .csv"),
        (["vlmevalkit", "-o", "a.tsv", "--table", "none.tsv"], "cannot be read"),
        (["lmms-eval", "-o", "a.json"], "name it"),
        (["lmms-eval", "-o", "a.jsonl", "--task", "t"], "reads .json"),
    ],
)
def test_what_cannot_be_written_is_said(arguments: list[str], message: str, tmp_path: Path) -> None:
    kit, *rest = arguments
    result = command("export", kit, run_of(tmp_path, *TRACES), *[tmp_path / x if "." in x else x for x in rest])
    assert message in str(result.exception)


def test_an_id_that_is_no_document_is_said(tmp_path: Path) -> None:
    result = command(
        "export", "lmms-eval", run_of(tmp_path, trace("p1", ("a", "a", 0.1))), "-o", tmp_path / "a.json", "--task", "t"
    )
    assert "'p1' is not the number of a document" in str(result.exception)
