"""Rows in, trajectories and pairs out; what is poisoned is named, what leaks is refused."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from evpv.errors import RecordError
from evpv.figures import write_problems
from evpv.records import constraints_from_json, constraints_to_json
from evpv.training.measures import corpus_page
from evpv.training.pictures import (
    KINDS,
    Picture,
    distance,
    picture_fault,
    picture_rows,
    preference_pair,
    read_pictures,
    rewrites,
)
from evpv.training.runs import _pairs_of
from evpv.training.screening import LeakageReport, RowFaults, _image_hash, _KeptOut, _question_hash, kept_out, usable
from evpv.training.trajectories import problem_rows, trajectory_fault, trajectory_rows
from evpv.types import Constraint, Numeric, Relation, Structure

FACTS: tuple[Constraint, ...] = (
    Structure(type="composite", parts=("cylinder", "cone"), attachment=("cone on top of cylinder",)),
    Relation(type="perpendicular", entities=("AB", "BC")),
    Numeric(entity="segment AB", attribute="length", value=12.0, unit="cm"),
    Numeric(entity="segment BC", attribute="length", value=35.0, unit="cm"),
)


def lines(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def conversation(*steps: str, answers: list[str], **more: Any) -> dict[str, Any]:
    first = f"<image>\n### Question:\nHow long is AB?\n\n### Solution Process:\n{steps[0]}" if steps else "<image>"
    said = [first, *steps[1:]]
    turns = [
        turn
        for text, answer in zip(said, answers, strict=False)
        for turn in ({"from": "human", "value": text}, {"from": "gpt", "value": answer})
    ]
    return {"image": "images/geo170k/1.png", "conversations": turns, **more}


def test_a_row_of_visualprm_becomes_a_trajectory(tmp_path: Path) -> None:
    file = lines(tmp_path / "rows.jsonl", conversation("AB = 3.", "So 3.", answers=["+", "-"]))
    ((place, row),) = trajectory_rows(file)
    assert place == "rows.jsonl:1"
    assert (row.question, row.steps, row.labels) == ("How long is AB?", ("AB = 3.", "So 3."), (1.0, 0.0))
    assert (row.source, row.images) == ("geo170k", (tmp_path / "images/geo170k/1.png",))


def test_soft_labels_are_kept_and_the_threshold_decides(tmp_path: Path) -> None:
    scored = [
        {"step": text, "score": score, "num_mc_total": 16} for text, score in (("a", 1.0), ("b", 0.25), ("c", 0.0))
    ]
    raw = {"image": "Geo170K/1.png", "question": "<image>\nHow long?", "steps_with_score": scored}
    ((_, row),) = trajectory_rows(lines(tmp_path / "rows.jsonl", raw))
    assert (row.question, row.steps, row.labels) == ("How long?", ("a", "b", "c"), (1.0, 0.25, 0.0))
    assert (row.hard(0.0), row.hard(0.5)) == ((1.0, 1.0, 0.0), (1.0, 0.0, 0.0))


def test_the_system_turn_is_no_answer(tmp_path: Path) -> None:
    row = conversation("AB = 3.", answers=["+"])
    row["conversations"].insert(0, {"from": "system", "value": "Judge each step."})
    ((_, made),) = trajectory_rows(lines(tmp_path / "rows.jsonl", row))
    assert (made.steps, made.labels) == (("AB = 3.",), (1.0,))


def test_the_annotation_files_name_tells_the_source(tmp_path: Path) -> None:
    file = lines(tmp_path / "unigeo_train_en.jsonl", conversation("a", answers=["+"], image="1.png"))
    assert [row.source for _, row in trajectory_rows(file)] == ["unigeo_train_en"]


def test_only_the_named_sources_are_taken(tmp_path: Path) -> None:
    rows = [conversation("a", answers=["+"], image=f"{name}/1.png") for name in ("TabMWP", "mavis_geometry", "ChartQA")]
    file = lines(tmp_path / "rows.jsonl", *rows)
    assert [row.source for _, row in trajectory_rows(file)] == ["TabMWP", "mavis_geometry"]


POISON = [
    ("empty", {"candidates": [{"id": "a", "steps": []}]}),
    ("empty step", {"candidates": [{"id": "a", "steps": [{"text": " ", "label": 1}]}]}),
    ("label count", {"candidates": [{"id": "a", "steps": [{"text": "x", "label": 1}, {"text": "y"}]}]}),
    ("unreadable", {"candidates": [{"id": "a", "steps": [{"text": "x", "label": float("nan")}]}]}),
    ("unreadable", {"candidates": [{"id": "a", "steps": [{"text": "x", "label": "right"}]}]}),
    ("label value", {"candidates": [{"id": "a", "steps": [{"text": "x", "soft_label": 1.5}]}]}),
    ("no question", {"question": "", "candidates": [{"id": "a", "steps": [{"text": "x", "label": 1}]}]}),
    ("missing image", {"image": "gone.png", "candidates": [{"id": "a", "steps": [{"text": "x", "label": 1}]}]}),
]


@pytest.mark.parametrize(("kind", "row"), POISON)
def test_a_poisoned_row_is_named_and_refused_or_skipped(tmp_path: Path, kind: str, row: dict[str, Any]) -> None:
    good = {"id": "g", "question": "q", "candidates": [{"id": "a", "steps": [{"text": "x", "label": -1}]}]}
    file = lines(tmp_path / "rows.jsonl", {"id": "p", "question": "q", **row}, good)
    faults = RowFaults()
    assert [row.labels for row in usable(problem_rows(file), trajectory_fault, "skip", faults)] == [(0.0,)]
    assert dict(faults.kinds) == {kind: 1}
    assert "rows.jsonl:1" in faults.summary()
    with pytest.raises(RecordError, match=kind):
        list(usable(problem_rows(file), trajectory_fault, "refuse", RowFaults()))


def test_what_figures_writes_can_be_learnt_from(tmp_path: Path) -> None:
    write_problems(tmp_path / "made", ("tables", "triangles"), 2, split="dev")
    file = tmp_path / "made" / "problems.jsonl"
    rows = list(usable(problem_rows(file), trajectory_fault, "refuse", RowFaults()))
    pictures = list(usable(picture_rows(file), picture_fault, "refuse", RowFaults()))
    assert (len(rows), len(pictures)) == (16, 2)
    assert {label for row in rows for label in row.labels} == {0.0, 1.0}
    assert len(_pairs_of(pictures, 0)) == 2


def test_a_line_that_is_no_json_says_where(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text('{"id": 1}\n{oops\n', encoding="utf-8")
    with pytest.raises(RecordError, match=r"rows\.jsonl:2"):
        list(usable(problem_rows(file), trajectory_fault, "refuse", RowFaults()))


FACT = {"category": "numeric", "entity": "segment AB", "attribute": "length", "value": 3, "confidence": 0.9}


@pytest.mark.parametrize(
    ("kind", "row"),
    [
        ("no constraints", {"constraints": []}),
        ("no constraints", {"reply": "I cannot see the picture."}),
        ("no constraints", {"reply": '[{"category": "numeric", "entity": '}),
        ("schema", {"constraints": [{**FACT, "value": "three"}]}),
        ("missing image", {"constraints": [FACT], "image": "gone.png"}),
    ],
)
def test_a_teachers_bad_answer_is_named_and_left_out(tmp_path: Path, kind: str, row: dict[str, Any]) -> None:
    Image.new("RGB", (8, 8)).save(tmp_path / "p.png")
    fenced = f"Here it is:\n```json\n[{json.dumps(FACT)}]\n```"
    good = {"id": "g", "image": "p.png", "question": "q", "reply": fenced}
    file = lines(tmp_path / "rows.jsonl", {"id": "b", "image": "p.png", "question": "q", **row}, good)
    faults = RowFaults()
    kept = list(usable(picture_rows(file), picture_fault, "skip", faults))
    assert [(one.id, one.constraints) for one in kept] == [("g", (FACT,))]
    assert dict(faults.kinds) == {kind: 1}


@given(st.integers(0, 10_000), st.permutations(FACTS))
def test_every_rewrite_is_valid_of_its_kind_and_away_from_the_truth(seed: int, facts: list[Constraint]) -> None:
    made = rewrites(tuple(facts), Random(seed))
    assert set(made) == set(KINDS)
    for changed in made.values():
        assert constraints_from_json(constraints_to_json(changed)) == changed
        assert 0 < distance(changed, facts) <= 1
    assert len(made["dropped"]) == len(facts) - 1
    assert len(made["invented"]) == len(facts) + 1
    assert sorted(f.value for f in made["entity"] if isinstance(f, Numeric)) == [12.0, 35.0]


@given(st.permutations(FACTS))
def test_distance_is_zero_for_the_same_facts_in_any_order(facts: list[Constraint]) -> None:
    assert distance(facts, FACTS) == pytest.approx(0.0)
    assert distance(facts[:2], FACTS) == pytest.approx(distance(FACTS, facts[:2]))


def test_a_near_value_is_nearer_than_a_far_one_and_neither_is_right() -> None:
    near, far = ([Numeric(entity="segment AB", attribute="length", value=value, unit="cm")] for value in (13.0, 60.0))
    gold = [FACTS[2]]
    assert 0 < distance(near, gold) < distance(far, gold)


def test_facts_that_allow_no_rewrite_make_no_pair() -> None:
    lone = (Structure(type="graph", parts=("branch",)),)
    picture = Picture(id="p", image=Path("p.png"), constraints=tuple(constraints_to_json(lone)))
    assert preference_pair(picture, Random(0)) is None


def test_pictures_and_questions_of_an_evaluation_set_are_refused(tmp_path: Path) -> None:
    Image.new("RGB", (8, 8), "red").save(tmp_path / "held.png")
    Image.new("RGB", (8, 8), "red").save(tmp_path / "same.bmp")
    Image.new("RGB", (8, 8), "blue").save(tmp_path / "other.png")
    file = lines(tmp_path / "eval.jsonl", {"id": "e", "image": "held.png", "question": "How long is AB?"})
    held = kept_out([file])
    report = LeakageReport()
    for image, question in (("same.bmp", "x"), ("other.png", "how long is  A B"), ("other.png", "y")):
        report.add(image, "s", held.why([tmp_path / image], question))
    assert dict(report.refused) == {("image", "s"): 1, ("question", "s"): 1}
    assert "2 of 3 rows" in report.page()
    assert _KeptOut().why([tmp_path / "held.png"], "How long is AB?") is None
    assert _image_hash(tmp_path / "none.png") is None
    assert _question_hash("AB?") != _question_hash("AC?")


def test_the_pages_count_what_is_there(corpus: Path) -> None:
    pictures = read_pictures(corpus)
    rows = [row for _, row in problem_rows(corpus)]
    assert "24 pictures, 24 facts" in corpus_page(pictures)
    assert "48 trajectories, 96 steps; 50.0 %" in corpus_page(rows)
    assert "| none | 24 |" in corpus_page(rows)
    pairs = _pairs_of(pictures, 0)
    assert f"{len(pairs)} pairs" in corpus_page(pairs)
    assert pairs == _pairs_of(pictures, 0)
