"""Traces to the letter of docs/formats.md, and runs that survive being interrupted."""

from __future__ import annotations

import json
import logging
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from evpv.errors import RecordError
from evpv.records import RunWriter, Skipped, read_manifest, read_traces, trace_from_json, trace_to_json, write_records
from evpv.records.lines import _MAX_LINE_BYTES
from evpv.types import (
    AssertionMatch,
    Candidate,
    CandidateTrace,
    Extraction,
    Match,
    Numeric,
    Problem,
    Ranking,
    Step,
    StepJudgement,
    StepTrace,
    Trace,
)
from tests.attacks.file_faults import blank_out


def a_trace(problem_id: str = "p1") -> Trace:
    read = AssertionMatch(span=(0, 11), form="length(AB) = 3 cm", verdict="supported", support=0.94, constraint=0)
    visual = StepTrace(
        step=Step(text="Read AB.", claim="AB is 3 cm."),
        match=Match(
            type="numeric", verdict="supported", support=0.94, constraint=0, explanation="AB = 3", assertions=(read,)
        ),
        judgement=StepJudgement(reward=0.1 + 0.2, explanation="fine", facts={"probability": 0.65}),
        gate=0.97,
        reward=0.6,
    )
    plain = StepTrace(
        step=Step(text="Square.", label=1),
        match=None,
        judgement=StepJudgement(reward=None),
        gate=None,
        reward=None,
        reliability=0.5,
        uses=(0,),
    )
    said = Candidate(id="a", final_answer="9", steps=(visual.step, plain.step), correct=True)
    fact = Numeric(entity="AB", attribute="length", value=3.0, unit="cm", confidence=0.94)
    return Trace(
        problem=Problem(
            id=problem_id,
            question="How large is the square?",
            options=("9", "12"),
            answer="9",
            data_source="squares",
            candidates=(said,),
            extra={"level": 3},
        ),
        extraction=Extraction(constraints=(fact,), kind="geometry", unread=("a label at the left",)),
        candidates=(CandidateTrace(candidate=said, reliability=0.83, score=0.71, steps=(visual, plain)),),
        ranking=Ranking(select="score", best=("a",), order=("a",), values={"a": 0.71}),
        digest="d1",
        judging={"steps": 1},
        search={"kind": "beam"},
        cost={"seconds": 1.5},
        extra={"looked_at_by": "me"},
    )


def test_a_trace_is_written_with_the_match_lying_flat_in_its_step() -> None:
    record = trace_to_json(a_trace())
    assert (record["format"], record["problem_id"], record["digest"]) == (2, "p1", "d1")
    assert record["problem"] == {
        "question": "How large is the square?",
        "options": ["9", "12"],
        "answer": "9",
        "data_source": "squares",
        "level": 3,
    }
    assert record["extraction"] == {"kind": "geometry", "problem": None, "unread": ["a label at the left"]}
    assert record["ranking"] == {"select": "score", "best": ["a"], "tied": False, "order": ["a"], "values": {"a": 0.71}}
    visual, plain = record["candidates"][0]["steps"]
    deciding = {"verdict": "supported", "support": 0.94, "constraint": 0}
    assert visual == {
        "text": "Read AB.",
        "claim": "AB is 3 cm.",
        "claim_from": "policy",
        "type": "numeric",
        **deciding,
        "explanation": "AB = 3",
        "assertions": [{"span": [0, 11], "form": "length(AB) = 3 cm", **deciding, "explanation": ""}],
        "base_reward": 0.30000000000000004,
        "gate": 0.97,
        "reward": 0.6,
        "judge": "fine",
        "judged": {"probability": 0.65},
    }
    unknown = ("type", "verdict", "support", "constraint", "explanation", "base_reward", "gate", "reward")
    assert all(plain[name] is None for name in unknown)
    assert (plain["reliability"], plain["uses"], plain["label"]) == (0.5, [0], 1)


def test_no_field_of_a_trace_is_forgotten() -> None:
    record = trace_to_json(a_trace())
    candidate = record["candidates"][0]
    seen, plain = candidate["steps"]
    for kind, written, elsewhere in (
        (Trace, record, {"extra"}),
        (CandidateTrace, candidate, {"candidate"}),
        (StepTrace, plain, {"step", "match", "judgement"}),
        (Match, seen, set()),
    ):
        assert {field.name for field in fields(kind)} - elsewhere <= set(written)
    assert {field.name for field in fields(AssertionMatch)} == set(seen["assertions"][0])


def test_reading_gives_what_was_written_to_the_last_bit() -> None:
    assert trace_from_json(json.loads(json.dumps(trace_to_json(a_trace())))) == a_trace()


def changed(path: str, value: Any) -> dict[str, Any]:
    """The trace's JSON with one place changed; `...` takes the field out."""
    record: dict[str, Any] = json.loads(json.dumps(trace_to_json(a_trace())))
    *way, last = (int(part) if part.isdigit() else part for part in path.split("."))
    place: Any = record
    for part in way:
        place = place[part]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return record


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("problem_id", ..., "problem_id: is missing"),
        ("ranking", ..., "ranking: is missing"),
        ("format", 3, "format: must be 2, not 3"),
        ("ranking.note", 1, "ranking.note: is not a field that belongs here"),
        ("ranking.values", {"a": "x"}, 'ranking.values.a: must be a number, not "x"'),
        ("constraints.0.value", "3", 'constraints[0].value: must be a number, not "3"'),
        ("candidates.0.score", None, "candidates[0].score: must be a number, not null"),
        ("candidates.0.steps.0.verdict", "yes", "candidates[0].steps[0].verdict: must be 'supported', 'contradicted'"),
        ("candidates.0.steps.0.verdict", None, "candidates[0].steps[0]: type, verdict, support and explanation must"),
        ("candidates.0.steps.0.constraint", 1, "candidates[0].steps[0].constraint is 1, but there are 1 constraints"),
        ("candidates.0.steps.0.constraint", -1, "candidates[0].steps[0].constraint: must be at least 0, not -1"),
        ("candidates.0.steps.0.constraint", 0.5, "candidates[0].steps[0].constraint: must be a whole number, not 0.5"),
        ("candidates.0.steps.0.claim", None, "candidates[0].steps[0]: verdict and gate must be null"),
        ("candidates.0.steps.1.gate", 0.5, "candidates[0].steps[1]: verdict and gate must be null"),
        ("candidates.0.steps.1.constraint", 0, "candidates[0].steps[1]: constraint must be null where verdict is"),
        ("candidates.0.steps.1.uses", [1], "candidates[0]: steps[1].uses must name earlier steps"),
        ("candidates.0.steps.1.reward", ..., "candidates[0].steps[1].reward: is missing"),
    ],
)
def test_a_wrong_trace_is_told_which_field(path: str, value: Any, message: str) -> None:
    with pytest.raises(RecordError) as caught:
        trace_from_json(changed(path, value))
    assert message in str(caught.value)


def test_a_run_is_written_read_and_resumed(tmp_path: Path) -> None:
    run = tmp_path / "run"
    with RunWriter(run, {"fingerprint": "f", "seed": 3}) as writer:
        writer.append(a_trace("p1"))
        assert [trace.problem_id for trace in read_traces(run)] == ["p1"]  # whole as soon as it is appended
    with RunWriter(run, {"fingerprint": "f"}) as writer:
        assert (writer.done_ids(), writer.recovered) == (frozenset({"p1"}), None)
        writer.append(a_trace("p2"))
    assert list(read_traces(run)) == list(read_traces(run / "traces.jsonl")) == [a_trace("p1"), a_trace("p2")]
    assert read_manifest(run) == writer.manifest == {"schema": 2, "fingerprint": "f", "seed": 3}


def test_a_torn_last_line_is_cut_off_and_its_problem_done_again(tmp_path: Path) -> None:
    with RunWriter(tmp_path, {}) as writer:
        writer.append(a_trace("p1"))
        writer.append(a_trace("p2"))
    file = tmp_path / "traces.jsonl"
    content = file.read_bytes()
    first_end = content.index(b"\n") + 1
    for cut in (first_end + 1, first_end + 200, len(content) - 2):
        file.write_bytes(content[:cut])
        with RunWriter(tmp_path, {}) as writer:
            assert writer.done_ids() == {"p1"}
            assert writer.recovered == "line 2 was torn off by an interruption and is cut away"
            writer.append(a_trace("p2"))
        assert file.read_bytes() == content


def test_a_whole_last_line_without_its_end_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "traces.jsonl"
    write_records(file, map(trace_to_json, [a_trace("p1")]))
    file.write_bytes(file.read_bytes().rstrip())
    with RunWriter(tmp_path, {}) as writer:
        assert (writer.done_ids(), writer.recovered) == (frozenset({"p1"}), None)
        writer.append(a_trace("p2"))
    assert [trace.problem_id for trace in read_traces(tmp_path)] == ["p1", "p2"]


def test_reading_a_run_leaves_a_torn_last_line_out_and_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "traces.jsonl"
    write_records(file, map(trace_to_json, [a_trace("p1"), a_trace("p2")]))
    file.write_bytes(file.read_bytes()[:-30])
    report = Skipped()
    assert list(read_traces(file, report=report)) == [a_trace("p1")]
    assert report.messages == [f"{file}:2: the last line was torn off by an interrupted run; it is left out"]
    with caplog.at_level(logging.WARNING):
        assert list(read_traces(file)) == [a_trace("p1")]
    assert "the last line was torn off" in caplog.text


def test_a_torn_line_in_the_middle_is_an_error_with_its_number(tmp_path: Path) -> None:
    file = tmp_path / "traces.jsonl"
    write_records(file, map(trace_to_json, [a_trace("p1"), a_trace("p2"), a_trace("p3")]))
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(lines[0] + lines[1][:50] + b"\n" + lines[2])
    with pytest.raises(RecordError, match=r"traces\.jsonl:2: is not JSON"):
        list(read_traces(file))
    with pytest.raises(RecordError, match=r"traces\.jsonl:2: is not JSON"):
        RunWriter(tmp_path, {})


@pytest.mark.parametrize("place", ["inside a line", "over two lines", "before a line"])
def test_nul_blocks_inside_a_file_are_skipped_and_told_and_their_problems_done_again(
    tmp_path: Path, place: str, caplog: pytest.LogCaptureFixture
) -> None:
    names = ("p1", "p2", "p3", "p4")
    with RunWriter(tmp_path, {}) as writer:
        for name in names:
            writer.append(a_trace(name))
    file = tmp_path / "traces.jsonl"
    content = file.read_bytes()
    second = content.index(b"\n") + 1
    third = content.index(b"\n", second) + 1
    start, end, lost = {
        "inside a line": (second + 40, second + 90, {"p2"}),
        "over two lines": (second + 40, third + 90, {"p2", "p3"}),
        "before a line": (second, third, {"p2", "p3"}),
    }[place]
    blank_out(file, start, end)
    report = Skipped()
    assert {trace.problem_id for trace in read_traces(file, report=report)} == set(names) - lost
    assert report.messages == [f"{file}:2: the line holds NUL bytes, as a power failure leaves them; it is left out"]
    with RunWriter(tmp_path, {}) as writer:
        assert writer.done_ids() == set(names) - lost
        assert writer.recovered == "line 2 holds NUL bytes, as a power failure leaves them, and does not count"
        writer.forget(["p4"])
        for name in sorted({*lost, "p4"}):
            writer.append(a_trace(name))
    assert sorted(trace.problem_id for trace in read_traces(tmp_path)) == list(names)


def test_two_starts_of_one_run_settle_its_manifest_one_after_the_other(tmp_path: Path) -> None:
    """Whoever holds the lock decides: the other neither reads nor replaces a manifest."""
    with RunWriter(tmp_path, {"fingerprint": "one"}):
        before = (tmp_path / "manifest.json").read_bytes()
        (tmp_path / "manifest.json").unlink()
        with pytest.raises(RecordError, match="another process is writing"):
            RunWriter(tmp_path, {"fingerprint": "two"})
        assert not (tmp_path / "manifest.json").exists()
        (tmp_path / "manifest.json").write_bytes(before)


def test_a_file_that_takes_the_place_of_another_is_the_one_that_is_locked(tmp_path: Path) -> None:
    with RunWriter(tmp_path, {}) as writer:
        writer.append(a_trace("p1"))
        writer.forget(["p1"])
        with pytest.raises(RecordError, match="another process is writing"):
            RunWriter(tmp_path, {})
        writer.append(a_trace("p1"))
    assert [trace.problem_id for trace in read_traces(tmp_path)] == ["p1"]


def test_an_overlong_line_is_an_error_and_never_taken_for_a_torn_one(tmp_path: Path) -> None:
    file = tmp_path / "traces.jsonl"
    file.write_bytes(
        b'{"x": "' + b"x" * _MAX_LINE_BYTES + b'"}\n' + json.dumps(trace_to_json(a_trace())).encode() + b"\n"
    )
    size = file.stat().st_size
    with pytest.raises(RecordError, match=r"traces\.jsonl:1: the line is longer than"):
        RunWriter(tmp_path, {})
    assert file.stat().st_size == size


def test_a_line_that_is_no_trace_stops_the_resuming(tmp_path: Path) -> None:
    (tmp_path / "traces.jsonl").write_text('{"id": "p1"}\n')
    with pytest.raises(RecordError, match=r"traces\.jsonl:1: problem_id: must be a string"):
        RunWriter(tmp_path, {})


def test_a_run_of_another_recipe_is_not_added_to(tmp_path: Path) -> None:
    RunWriter(tmp_path, {"fingerprint": "one"}).close()
    with pytest.raises(RecordError, match="another recipe; choose another folder"):
        RunWriter(tmp_path, {"fingerprint": "two"})


def test_a_problem_has_one_trace_in_a_run(tmp_path: Path) -> None:
    with RunWriter(tmp_path, {}) as writer:
        writer.append(a_trace("p1"))
        with pytest.raises(RecordError, match="there is a trace of 'p1' already"):
            writer.append(a_trace("p1"))
    assert len(list(read_traces(tmp_path))) == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [("{", "is not JSON"), ('{"schema": 99}', "schema: must be 2, not 99"), ("{}", "schema: must be 2, not None")],
)
def test_a_manifest_that_cannot_be_understood_is_refused(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(RecordError, match=r"manifest\.json: " + message):
        read_manifest(tmp_path)


def test_a_folder_without_a_manifest_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"manifest\.json: cannot be read: No such file"):
        read_manifest(tmp_path)


def test_a_manifest_that_cannot_be_written_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot be written"):
        RunWriter(tmp_path, {"seed": float("nan")})
    assert list(tmp_path.iterdir()) == []
