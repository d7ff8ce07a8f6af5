"""What a teacher writes: each problem once, resumable, counted; pairs that differ; nothing off the schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evpv.backends.scripted import ScriptedBackend
from evpv.errors import RecordError
from evpv.perception.chat import Teacher
from evpv.protocols import ChatReply, ChatRequest
from evpv.training.distillation import (
    OwnSamples,
    TeacherRewrites,
    drawn_problems,
    ids_in,
    write_corpus,
    write_pairs,
)
from evpv.training.pictures import Pair, Picture, pair_fault, pair_rows, picture_fault, picture_rows
from evpv.training.screening import RowFaults, usable


def fact(value: float) -> dict[str, Any]:
    return {
        "category": "numeric", "entity": "segment AB", "attribute": "length", "value": value, "unit": "cm", "confidence": 0.9,
    }  # fmt: skip


@pytest.fixture
def solutions(tmp_path: Path, corpus: Path) -> Path:
    """Rows as VisualPRM400K has them: two solutions a question, the second of the first question right throughout."""
    rows = []
    for number in range(3):
        for scores in ((1.0, 0.5), (1.0, 1.0)):
            steps = [{"step": f"{scores[-1]} step {k}", "score": score} for k, score in enumerate(scores)]
            image = str(corpus.parent / "images" / f"{number}.png")
            rows.append(
                {"image": image, "question": f"How long is AB, {number}?", "source": "GEOS", "steps_with_score": steps}
            )
    file = tmp_path / "geos.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def test_each_question_is_drawn_once_with_a_right_solution_as_reference(solutions: Path) -> None:
    problems = drawn_problems(solutions)
    assert [problem.question for problem in problems] == [f"How long is AB, {n}?" for n in range(3)]
    assert problems[0].extra["reference_steps"] == ["1.0 step 0", "1.0 step 1"]
    some = drawn_problems(solutions, sample=2, seed=4)
    assert len(some) == 2
    rest = drawn_problems(solutions, skip={one.id for one in some})
    assert {one.id for one in rest} | {one.id for one in some} == {one.id for one in problems}


def test_the_teacher_sees_the_steps_and_what_it_writes_can_be_learnt(solutions: Path, tmp_path: Path) -> None:
    problems = drawn_problems(solutions)
    backend = ScriptedBackend([json.dumps([fact(3)]), "I cannot see it.", ChatReply(text=None, problem="no answer")])
    counts = write_corpus(tmp_path / "corpus.jsonl", problems, Teacher(backend=backend))
    assert (counts.written, counts.filtered) == (1, 2)
    assert "1.0 step 1" in backend.requests[0].prompt
    [row] = usable(picture_rows(tmp_path / "corpus.jsonl"), picture_fault, "refuse", RowFaults())
    assert row.constraints == (fact(3),)
    again = ScriptedBackend([])
    counts = write_corpus(tmp_path / "corpus.jsonl", problems, Teacher(backend=again))
    assert (counts.already, again.requests) == (3, [])
    assert ids_in(tmp_path / "corpus.jsonl") == {row.id}


@pytest.fixture
def taught(tmp_path: Path, corpus: Path) -> Path:
    file = tmp_path / "taught.jsonl"
    lines = [
        {"id": f"p{n}", "image": [str(corpus.parent / "images" / f"{n}.png")], "question": "How long?", "constraints": [fact(3)]}
        for n in range(3)
    ]  # fmt: skip
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return file


def pairs_in(path: Path) -> list[Pair]:
    return list(usable(pair_rows(path), pair_fault, "refuse", RowFaults()))


def test_a_teachers_rewrites_become_pairs_and_the_same_again_does_not(taught: Path, tmp_path: Path) -> None:
    backend = ScriptedBackend([json.dumps([fact(8)]), json.dumps([fact(3)]), '[{"category": "colour"}]'])
    counts = write_pairs(tmp_path / "pairs.jsonl", taught, TeacherRewrites(backend=backend))
    assert (counts.written, counts.filtered) == (1, 2)
    [pair] = pairs_in(tmp_path / "pairs.jsonl")
    assert [one.value for side in (pair.chosen, pair.rejected) for one in side] == [3.0, 8.0]  # type: ignore[union-attr]
    assert (pair.kind, pair.margin > 0) == ("teacher", True)
    assert '"value": 3' in backend.requests[0].prompt
    reasons = [json.loads(line)["problem"] for line in (tmp_path / "pairs.jsonl.filtered").read_text().splitlines()]
    assert reasons[0] == "it says the same"
    assert write_pairs(tmp_path / "pairs.jsonl", taught, TeacherRewrites(backend=ScriptedBackend([]))).already == 3
    with pytest.raises(RecordError, match="another"):
        write_pairs(tmp_path / "pairs.jsonl", taught, OwnSamples(backend=ScriptedBackend([])))


def test_of_the_models_own_samples_the_nearest_mistake_is_rejected(taught: Path, tmp_path: Path) -> None:
    def answer(request: ChatRequest) -> str:
        values = {0: 3, 1: 9, 2: 4, 3: 3}
        right = request.problem_id == "p1"
        return json.dumps([fact(3 if right else values[request.sampling.seed or 0])])

    writer = OwnSamples(backend=ScriptedBackend(answer), samples=4)
    counts = write_pairs(tmp_path / "own.jsonl", taught, writer)
    assert (counts.written, counts.filtered) == (2, 1)
    assert {pair.rejected[0].value for pair in pairs_in(tmp_path / "own.jsonl")} == {4.0}  # type: ignore[union-attr]


def test_pictures_of_a_list_are_the_first_of_it(taught: Path) -> None:
    rows = [row for _, row in picture_rows(taught)]
    assert all(isinstance(row, Picture) and row.image.is_file() for row in rows)
