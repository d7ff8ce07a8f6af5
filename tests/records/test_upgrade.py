"""Traces of the format before (made by commit 5e704c8) are read as today's, and written as such."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evpv.cli import app
from evpv.records import read_manifest, read_traces
from evpv.reward.assess import reassess
from evpv.reward.method import Method, with_settings

OLD = Path(__file__).parent / "format_1"


def test_an_old_trace_says_the_same_in_fields_of_its_own() -> None:
    old = [json.loads(line) for line in (OLD / "traces.jsonl").read_text(encoding="utf-8").splitlines()]
    for record, trace in zip(old, read_traces(OLD), strict=True):
        assert "format" not in record
        assert (trace.problem.id, trace.question) == (record["problem_id"], record["question"])
        assert (trace.problem.answer, trace.extraction.kind) == (record["answer"], record.get("figure"))
        assert (trace.problem.data_source, trace.problem.split) == (
            record.get("family") or record.get("source"),
            record.get("split"),
        )
        for was, now in zip(record["candidates"], trace.candidates, strict=True):
            assert (now.id, now.score, now.candidate.correct) == (was["id"], was["score"], was.get("correct"))
            for before, step in zip(was["steps"], now.steps, strict=True):
                assert (step.judgement.explanation, step.step.label) == (before.get("judge", ""), before.get("label"))
                assert "judge" not in step.step.extra
        assert trace.extra == {}


def test_what_an_old_trace_called_reliable_without_a_claim_is_unknown() -> None:
    last = list(read_traces(OLD))[-1]
    assert last.problem_id == "nothing-checked"
    assert [candidate.reliability for candidate in last.candidates] == [None, None]


def test_an_old_run_is_assessed_again_from_its_own_evidence() -> None:
    """Claims are understood better than then, so verdicts may differ; what the models said may not."""
    method = with_settings(Method(), {**read_manifest(OLD)["method"], "gate": "off"})
    for trace in read_traces(OLD):
        again = reassess(trace, method)
        assert again.extraction == trace.extraction
        for was, now in zip(trace.candidates, again.candidates, strict=True):
            assert [step.judgement for step in now.steps] == [step.judgement for step in was.steps]
            assert [step.reward for step in now.steps] == [step.base_reward for step in was.steps]


def test_upgrade_writes_it_as_new_once_and_for_all(tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(OLD, run)
    before = list(read_traces(run))
    for _ in range(2):
        result = CliRunner().invoke(app, ["upgrade", str(run)])
        assert (result.exit_code, "5 traces written in format 2" in result.output) == (0, True)
        assert list(read_traces(run)) == before
    assert read_manifest(run)["schema"] == 2
    lines = [json.loads(line) for line in (run / "traces.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {line["format"] for line in lines} == {2}


@pytest.mark.parametrize("field", ["candidates", "ranking", "constraints"])
def test_an_old_trace_that_is_broken_is_told_so(tmp_path: Path, field: str) -> None:
    record = json.loads((OLD / "traces.jsonl").read_text(encoding="utf-8").splitlines()[0])
    (tmp_path / "traces.jsonl").write_text(json.dumps({**record, field: 3}) + "\n", encoding="utf-8")
    with pytest.raises(Exception, match=f"traces.jsonl:1: {field}: must be"):
        list(read_traces(tmp_path))
