"""Data sets in the layouts that they are published in, each a small file of our own written by its documentation."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from PIL import Image
from pyarrow import parquet

from evpv.errors import ConfigError, RecordError
from evpv.records import read_problems
from evpv.records.benchmarks import import_benchmark
from evpv.training.recipes import load_training_recipe, training_recipe
from evpv.training.runs import train
from evpv.training.screening import RowFaults, kept_out, usable
from evpv.training.trajectories import Trajectory, _annotation_files, random_rows, trajectory_fault, trajectory_rows


def picture(path: Path, colour: str = "white") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (56, 56), colour).save(path)
    return path


def raw_row(image: str, *scores: float, **more: Any) -> dict[str, Any]:
    steps = [
        {"step": f"Step {n}.", "score": s, "num_mc_correct": round(16 * s), "num_mc_total": 16}
        for n, s in enumerate(scores)
    ]
    return {
        "image": image,
        "question": "<image>\nHow long is AB?",
        "answer_gt": "3",
        "response": "",
        "steps_with_score": steps,
        **more,
    }


def write(path: Path, *rows: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def visualprm(tmp_path: Path) -> Path:
    """Two sources of the paper's and one that is not, each an annotation file; their images in folders beside them."""
    root = tmp_path / "VisualPRM400K"
    for source in ("geo170k", "tabmwp", "chartqa"):
        picture(root / "images" / source / "1.png")
        rows = [raw_row(f"{source}/1.png", 1.0, 0.25, n / 10) for n in range(10)]
        write(root / "annotations" / f"{source}.jsonl", *rows)
    sources = {
        name: {"root": f"images/{name}", "annotation": f"annotations/{name}.jsonl", "repeat_time": 1}
        for name in ("geo170k", "tabmwp")
    }
    (root / "meta.json").write_text(json.dumps(sources), encoding="utf-8")
    return root


def read(place: Path, root: str = "") -> list[Trajectory]:
    return list(usable(trajectory_rows(place, root), trajectory_fault, "refuse", RowFaults()))


def test_the_folder_as_published_gives_every_row_of_the_papers_sources(visualprm: Path) -> None:
    rows = read(visualprm)
    assert len(rows) == 20
    assert {row.source for row in rows} == {"geo170k", "tabmwp"}
    assert all(row.images[0].is_file() for row in rows)
    assert rows[3].labels == (1.0, 0.25, 0.3)
    assert rows[3].question == "How long is AB?"


def test_a_list_of_sources_names_files_and_image_folders(visualprm: Path) -> None:
    for name in ("geo170k", "tabmwp"):
        file = visualprm / "annotations" / f"{name}.jsonl"
        bare = file.read_text(encoding="utf-8").replace(f"{name}/1.png", "1.png")
        file.write_text(bare, encoding="utf-8")
    assert [one.file.name for one in _annotation_files(visualprm / "meta.json")] == ["geo170k.jsonl", "tabmwp.jsonl"]
    rows = read(visualprm / "meta.json")
    assert len(rows) == 20
    assert rows[0].images == (visualprm / "images" / "geo170k" / "1.png",)
    (visualprm / "meta.json").write_text('{"geo170k": "annotations/geo170k.jsonl"}', encoding="utf-8")
    with pytest.raises(RecordError, match="annotation"):
        _annotation_files(visualprm / "meta.json")


def test_images_elsewhere_are_found_by_the_root(visualprm: Path, tmp_path: Path) -> None:
    (visualprm / "images").rename(tmp_path / "elsewhere")
    with pytest.raises(RecordError, match="missing image"):
        read(visualprm)
    assert len(read(visualprm, root=str(tmp_path / "elsewhere"))) == 20


def test_a_draw_is_the_seeds_own_and_even(visualprm: Path) -> None:
    rows = read(visualprm)
    first = random_rows(iter(rows), 6, 0)
    assert len(first) == len(set(map(id, first))) == 6
    assert first == random_rows(iter(rows), 6, 0) != random_rows(iter(rows), 6, 1)
    assert random_rows(iter(rows), 0, 0) == rows
    counts = [0] * 20
    for seed in range(300):
        for row in random_rows(iter(rows), 5, seed):
            counts[rows.index(row)] += 1
    assert min(counts) > 40
    assert max(counts) < 115


def test_a_trajectory_whose_every_continuation_ended_right_can_stand_as_reference(tmp_path: Path) -> None:
    picture(tmp_path / "Geo170K" / "1.png")
    file = write(tmp_path / "rows.jsonl", raw_row("Geo170K/1.png", 1.0, 1.0), raw_row("Geo170K/1.png", 1.0, 0.9))
    assert [row.right for row in read(file)] == [True, False]


def test_the_papers_recipes_take_what_the_paper_took_and_keep_its_benchmark_out() -> None:
    recipes = [load_training_recipe(f"paper-{kind}") for kind in ("extractor", "preferences", "verifier")]
    assert [one.data.limit or one.data.sample for one in recipes] == [26_454, 5_832, 19_490]
    assert all(one.data.keep_out == ("benchmarks/visualprocessbench.jsonl",) for one in recipes)
    assert all(one.data.max_pixels == 1_003_520 for one in recipes)


def test_a_benchmark_to_be_kept_out_that_is_not_there_stops_the_run(tmp_path: Path, toy: Path, corpus: Path) -> None:
    data = {"train": str(corpus), "keep_out": [str(tmp_path / "gone.jsonl")]}
    plan = training_recipe("mine", {"kind": "verifier", "model": {"start": str(toy)}, "data": data})
    with pytest.raises(ConfigError, match="evpv import"):
        train(plan, tmp_path / "run")


def test_visualprocessbench_is_read_and_its_pictures_are_kept_out_of_training(tmp_path: Path) -> None:
    picture(tmp_path / "vpb" / "images" / "1.png", "red")
    row = {
        "image": ["images/1.png"], "question": "How long is AB?", "answer": "3", "policy_model": "gpt-4o", "data_source": "MathVision",
        "response": {"steps": ["AB = 3.", "So 3.", "It is 3."], "process_correctness": [1, -1, 0]},
    }  # fmt: skip
    write(tmp_path / "vpb" / "test.jsonl", row)
    import_benchmark("visualprocessbench", tmp_path / "vpb" / "test.jsonl", tmp_path / "out" / "vpb.jsonl")
    [problem] = read_problems(tmp_path / "out" / "vpb.jsonl")
    assert [step.text for step in problem.candidates[0].steps] == ["AB = 3.", "So 3.", "It is 3."]
    held = kept_out([tmp_path / "out" / "vpb.jsonl"])
    assert held.why([picture(tmp_path / "copy.bmp", "red")], "Another question") == "image"


def test_mathverse_vision_only_shows_nothing_that_stands_in_the_picture_only(tmp_path: Path) -> None:
    picture(tmp_path / "images" / "1.png")
    row = {
        "sample_index": "5", "problem_index": "1", "problem_version": "Vision Only", "question": "", "image": "images/1.png",
        "answer": "B", "question_type": "multi-choice", "metadata": {"split": "testmini"},
        "query_wo": "Please answer the question shown in the image.", "query_cot": "Please reason first.",
        "question_for_eval": "As shown in the figure, AB is 12. Find the angle.\nChoices:\nA:30\nB:60",
    }  # fmt: skip
    (tmp_path / "testmini.json").write_text(json.dumps([row]), encoding="utf-8")
    import_benchmark(
        "mathverse", tmp_path / "testmini.json", tmp_path / "vo.jsonl", where={"problem_version": "Vision Only"}
    )
    [problem] = read_problems(tmp_path / "vo.jsonl")
    assert problem.question == "Solve the problem that is written in the picture."
    assert problem.options == ()
    assert "AB is 12" not in (tmp_path / "vo.jsonl").read_text(encoding="utf-8")


def test_mmmus_files_by_subject_are_one_benchmark(tmp_path: Path) -> None:
    held = io.BytesIO()
    Image.new("RGB", (8, 8)).save(held, "PNG")
    for subject in ("Accounting", "Math"):
        rows = [
            {"id": f"validation_{subject}_{n}", "question": "Which? <image 1>", "options": "['3', '4']", "answer": "A",
             "image_1": {"bytes": held.getvalue(), "path": None}, "image_2": None}
            for n in (1, 2)
        ]  # fmt: skip
        place = tmp_path / "MMMU" / subject / "validation-00000-of-00001.parquet"
        place.parent.mkdir(parents=True)
        parquet.write_table(pa.Table.from_pylist(rows), place)
        write(tmp_path / "MMMU" / subject / "notes.txt", {})
    report = import_benchmark("mmmu", tmp_path / "MMMU" / "*" / "validation-*.parquet", tmp_path / "mmmu.jsonl")
    assert report.problems == 4
    problems = list(read_problems(tmp_path / "mmmu.jsonl"))
    assert [one.id for one in problems][::2] == ["validation_Accounting_1", "validation_Math_1"]
    assert all(len(one.images) == 1 and one.options == ("3", "4") for one in problems)
    assert import_benchmark("mmmu", tmp_path / "MMMU", tmp_path / "whole.jsonl").problems == 4
    with pytest.raises(ConfigError, match="no table"):
        import_benchmark("mmmu", tmp_path / "MMMU" / "*" / "test-*.parquet", tmp_path / "none.jsonl")
