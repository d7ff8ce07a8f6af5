"""What was mended as training data: read back by the readers that training uses."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from trl import is_conversational
from typer.testing import CliRunner

from evpv.cli import app
from evpv.errors import ConfigError
from evpv.integrations.training_sets import write_training_set
from evpv.records import RunWriter, constraints_from_json, read_problems
from evpv.records.corrections import CORRECTIONS_FILE, Change, CorrectionFile
from evpv.reward.assess import assess
from evpv.reward.method import preset, settings_of
from evpv.training.pictures import Pair, pair_fault, pair_rows
from evpv.types import Candidate, Numeric, Problem, Remark, Revision, Step, _Stance

READ = (
    Numeric(entity="apple", attribute="price", value=8.0, confidence=0.9),
    Numeric(entity="pear", attribute="price", value=5.0, confidence=0.9),
)
MENDED = Numeric(entity="apple", attribute="price", value=3.0)


def revised(name: str, stance: _Stance, apple: str) -> Candidate:
    told = Remark(step=1, said="The apple costs 7.", verdict="contradicted", read="the figure shows 8", confidence=0.9)
    chain = Revision(
        of="a", round=1, first_step=1, before=("The apple costs 7.", "7 + 5 = 12"), answer_before="12", told=(told,),
        stance=stance, reason="I looked again.",
    )  # fmt: skip
    steps = (
        Step(text="Add."),
        Step(text=f"The apple costs {apple}.", claim=f"The apple costs {apple}."),
        Step(text="8 + 5 = 13"),
    )
    return Candidate(id=name, steps=steps, final_answer="13", revisions=(chain,))


@pytest.fixture
def run(tmp_path: Path) -> Path:
    Image.new("RGB", (40, 30), "white").save(tmp_path / "fruit.png")
    candidates = (revised("a~1", "corrected", "8"), revised("b~1", "insisted", "7"), revised("c~1", "corrected", "6"))
    problem = Problem(id="p", question="Together?", images=(str(tmp_path / "fruit.png"),), candidates=candidates)
    method = preset("grounded")
    with RunWriter(tmp_path / "run", {"fingerprint": "x", "method": settings_of(method)}) as writer:
        for one in (replace(problem, answer="13"), replace(problem, id="q")):
            writer.append(assess(one, READ, [[0.5] * 3] * 3, method))
    return tmp_path / "run"


def rows(kind: str, run: Path) -> list[dict[str, Any]]:
    output = run.parent / f"{kind}.jsonl"
    assert write_training_set(kind, run, output) == len(output.read_text(encoding="utf-8").splitlines())
    return [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]


def mend(run: Path, *changes: Change) -> None:
    file = CorrectionFile(run / CORRECTIONS_FILE, "ann")
    for change in changes:
        file.append(change)
    file.close()


def test_mended_facts_are_the_extractors_preference_pairs(run: Path) -> None:
    mend(run, Change(problem_id="p", old=READ[0], new=MENDED))
    [row] = rows("extractor-pairs", run)
    [(place, pair)] = pair_rows(run.parent / "extractor-pairs.jsonl")
    assert isinstance(pair, Pair)
    assert pair_fault(pair, place) is None
    assert (pair.chosen, pair.rejected, pair.kind) == ((MENDED, READ[1]), READ, "mended")
    assert row["who"] == ["ann"]


def test_corrections_that_undo_each_other_teach_nothing(run: Path) -> None:
    mend(run, Change(problem_id="p", old=READ[0], new=MENDED), Change(problem_id="p", old=MENDED, new=READ[0]))
    assert rows("extractor-pairs", run) == []


def test_mended_problems_are_gold(run: Path) -> None:
    mend(run, Change(problem_id="p", old=READ[1], new=None))
    rows("gold", run)
    [problem] = read_problems(run.parent / "gold.jsonl")
    assert constraints_from_json(list(problem.extra["constraints"])) == (READ[0],)
    assert Path(problem.images[0]).is_file()


def test_a_run_that_nobody_mended_says_so(run: Path) -> None:
    with pytest.raises(ConfigError, match="evpv edit"):
        rows("gold", run)


def test_only_solutions_that_were_corrected_for_good_teach_the_policy(run: Path) -> None:
    pair, other = rows("policy-dpo", run)
    assert (pair["id"], other["id"]) == ("p/a~1", "q/a~1")
    assert is_conversational(pair)
    assert pair["rejected"][0]["content"][0]["text"] == "Add.\nThe apple costs 7.\n7 + 5 = 12\nAnswer: 12"
    assert pair["chosen"][0]["content"][0]["text"] == "Add.\nThe apple costs 8.\n8 + 5 = 13\nAnswer: 13"
    assert (pair["first_step"], pair["misread"], pair["mended"]) == (1, "The apple costs 7.", "The apple costs 8.")
    solution, _ = rows("policy-sft", run)
    assert is_conversational(solution)
    assert [turn["role"] for turn in solution["messages"]] == ["user", "assistant"]


def test_a_round_teaches_to_heed_and_where_the_answer_is_known_to_stand_by_what_is_right(run: Path) -> None:
    taught = rows("policy-revise", run)
    assert [(row["id"], row["stance"]) for row in taught] == [
        ("p/a~1", "corrected"), ("q/a~1", "corrected"), ("p/b~1", "insisted"),
    ]  # fmt: skip
    assert is_conversational(taught[0])
    question, before, told, after = (turn["content"][-1]["text"] for turn in taught[0]["messages"])
    assert question == "Together?"
    assert before == "Add.\nThe apple costs 7.\n7 + 5 = 12\nAnswer: 12"
    assert told.startswith("- Step 2: “The apple costs 7.” does not agree with the picture: the figure shows 8")
    reply = json.loads(after)
    assert (reply["stance"], reply["finalanswer"]) == ("corrected", "13")
    assert [step["steptext"] for step in reply["reasoningprocess"]] == ["The apple costs 8.", "8 + 5 = 13"]


def test_fidelity_is_measured_on_what_was_mended(run: Path) -> None:
    mend(run, Change(problem_id="p", old=READ[0], new=MENDED))
    gold, numbers = run.parent / "gold.jsonl", run.parent / "numbers.json"
    rows("gold", run)
    asked = ["evaluate", str(run), "--task", "constraints", "--gold", str(gold), "-o", str(numbers)]
    whole = CliRunner().invoke(app, asked)
    assert "1 problems of the run have no gold constraints (q" in str(whole.exception)
    part = CliRunner().invoke(app, [*asked, "--partial"])
    assert part.exit_code == 0, part.output
    [total] = [row for row in json.loads(numbers.read_text())["rows"] if row["data set: type"] == "total: numeric"]
    assert (total["TP"], total["FP"], total["FN"]) == (1, 1, 1)
    gold.write_text(gold.read_text(encoding="utf-8").replace('"id": "p"', '"id": "another"'), encoding="utf-8")
    assert "nothing to measure" in str(CliRunner().invoke(app, [*asked, "--partial"]).exception)
