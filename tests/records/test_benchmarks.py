"""Other people's data sets in their published forms: each a small file made here, read into problems."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from evpv.errors import ConfigError, RecordError
from evpv.records import read_problems
from evpv.records.benchmarks import LAYOUTS, import_benchmark
from evpv.types import Problem


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "images").mkdir()
    for name in ("1.jpg", "2.jpg", "v1.png"):
        Image.new("RGB", (8, 8), "white").save(tmp_path / "images" / name)
    return tmp_path


def imported(folder: Path, layout: str, rows: Any, suffix: str = ".json", **options: Any) -> list[Problem]:
    source, output = folder / f"data{suffix}", folder / "out" / "problems.jsonl"
    output.parent.mkdir(exist_ok=True)
    if suffix == ".jsonl":
        source.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    elif suffix == ".tsv":
        source.write_text(rows, encoding="utf-8")
    else:
        source.write_text(json.dumps(rows), encoding="utf-8")
    import_benchmark(layout, source, output, **options)
    return list(read_problems(output))


def test_mathvista(folder: Path) -> None:
    row = {"question": "Which?", "image": "images/1.jpg", "choices": ["3", "4"], "answer": "4", "pid": "7", "unit": None,
           "precision": 1.0, "question_type": "multi_choice"}  # fmt: skip
    (one,) = imported(folder, "mathvista", {"7": row})
    assert (one.id, one.options, one.answer) == ("7", ("3", "4"), "4")
    assert Path(one.images[0]).is_file()
    assert one.data_source == "MathVista"


def test_mathvision_leaves_out_options_that_are_only_letters(folder: Path) -> None:
    rows = [
        {"id": "1", "question": "How many?", "options": ["A", "B", "C"], "image": "images/1.jpg", "answer": "B"},
        {"id": "2", "question": "Which?", "options": ["5", "6"], "image": "images/2.jpg", "answer": "A", "level": 3},
    ]
    first, second = imported(folder, "mathvision", rows, ".jsonl")
    assert (first.options, second.options, second.extra["level"]) == ((), ("5", "6"), 3)


def test_mathverse_takes_the_choices_out_of_the_question_and_can_be_narrowed(folder: Path) -> None:
    row = {"sample_index": "1", "problem_index": "9", "problem_version": "Vision Only", "image": "images/1.jpg",
           "question": "Find x.\nChoices:\nA:110°\nB:70°", "answer": "A"}  # fmt: skip
    rows = [row, {**row, "sample_index": "2", "problem_version": "Text Lite"}]
    (one,) = imported(folder, "mathverse", rows, where={"problem_version": "Vision Only"})
    assert (one.question, one.options, one.group) == ("Find x.", ("110°", "70°"), "9")


def test_wemath_groups_a_composite_with_its_parts(folder: Path) -> None:
    row = {"ID": "12", "key": "2steps_multi", "question": "How far?", "option": "A. 2cm; B. 3cm; C. No correct answer",
           "answer": "B", "image_path": "images/1.jpg"}  # fmt: skip
    whole, part = imported(folder, "wemath", [row, {**row, "key": "2steps_1"}])
    assert (whole.id, part.id) == ("12-2steps_multi", "12-2steps_1")
    assert whole.group == part.group == "12"
    assert whole.options == ("2cm", "3cm", "No correct answer")


def test_logicvista_is_an_object_of_rows(folder: Path) -> None:
    row = {"imagename": "v1.png", "question": "Which comes next? A, B or C", "answer": "C", "skill": ["inductive"]}
    (one,) = imported(folder, "logicvista", {"v1_0": row})
    assert (one.id, one.answer, one.extra["skill"]) == ("v1_0", "C", "inductive")


def test_mmmu_reads_options_as_a_literal_and_never_runs_them(folder: Path) -> None:
    row = {"id": "validation_Art_1", "question": "See <image 1>.", "options": "['red', 'blue']", "answer": "A"}
    (one,) = imported(folder, "mmmu", [row])
    assert one.options == ("red", "blue")
    with pytest.raises(RecordError, match="options: must be a list"):
        imported(folder, "mmmu", [{**row, "options": "__import__('os').getpid()"}])


def test_mmmu_writes_the_pictures_that_its_table_holds(folder: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    data = (folder / "images" / "v1.png").read_bytes()
    rows = {
        "id": ["a/../b"],
        "question": ["?"],
        "options": ["[]"],
        "answer": ["3"],
        "image_1": [{"bytes": data, "path": "x"}],
    }
    parquet.write_table(pyarrow.table(rows), folder / "data.parquet")
    (folder / "out").mkdir()
    import_benchmark("mmmu", folder / "data.parquet", folder / "out" / "p.jsonl")
    (one,) = read_problems(folder / "out" / "p.jsonl")
    assert Path(one.images[0]).parent.resolve() == (folder / "out" / "images").resolve()
    assert Path(one.images[0]).read_bytes() == data


def test_dynamath_groups_variants_of_a_seed(folder: Path) -> None:
    row = {"id": 4, "question": "Slope?", "image": "images/1.jpg", "ground_truth": "2", "variant": 1}
    first, second = imported(folder, "dynamath", [row, {**row, "variant": 2}])
    assert (first.id, second.id, first.group, first.answer) == ("4-1", "4-2", "4", "2")


def test_visualprm400k_keeps_soft_labels(folder: Path) -> None:
    steps = [{"step": "a", "score": 0.75}, {"step": "b", "score": 0.0}]
    (one,) = imported(folder, "visualprm400k", [{"image": "images/1.jpg", "question": "?", "steps_with_score": steps}])
    assert [(s.label, s.extra) for s in one.candidates[0].steps] == [
        (1, {"soft_label": 0.75}),
        (-1, {"soft_label": 0.0}),
    ]


def test_visualprocessbench_rows_get_ids_and_checked_images(folder: Path) -> None:
    row = {"image": ["images/1.jpg"], "question": "?", "answer": "A", "response": {"steps": ["x"], "process_correctness": [-1]},
           "policy_model": "m", "data_source": "MMMU"}  # fmt: skip
    (one,) = imported(folder, "visualprocessbench", [row], ".jsonl")
    assert one.candidates[0].steps[0].label == -1
    assert one.data_source == "MMMU"


def test_a_vlmevalkit_table_brings_options_and_the_prediction(folder: Path) -> None:
    table = "index\tquestion\tA\tB\tanswer\tprediction\timage_path\n3\tWhich?\tred\tblue\tB\tThe answer is B.\timages/1.jpg\n"
    (one,) = imported(folder, "vlmevalkit", table, ".tsv")
    assert (one.id, one.options, one.answer, one.candidates[0].final_answer) == ("3", ("red", "blue"), "B", "B")


@pytest.mark.parametrize("resps", [[["Answer: 5"]], ["Answer: 5"], "Answer: 5"])
def test_lmms_eval_responses_are_read_however_they_are_nested(folder: Path, resps: object) -> None:
    (one,) = imported(
        folder, "lmms-eval", [{"doc_id": 0, "doc": {"question": "?"}, "target": "5", "resps": resps}], ".jsonl"
    )
    assert (one.id, one.answer, one.candidates[0].final_answer) == ("0", "5", "5")


def test_a_missing_image_is_a_counted_named_fact_and_the_problem_stays(folder: Path) -> None:
    source = folder / "d.json"
    source.write_text(json.dumps([{"pid": "1", "question": "?", "image": "images/none.jpg"}]))
    report = import_benchmark("mathvista", source, folder / "p.jsonl")
    assert (report.problems, report.missing_images) == (1, ["images/none.jpg"])
    assert next(read_problems(folder / "p.jsonl")).images == ()


def test_bad_rows_are_left_out_with_line_and_field(folder: Path) -> None:
    source = folder / "d.json"
    good = {"pid": "1", "question": "?"}
    source.write_text(json.dumps([good, {"pid": "2", "question": ""}, good]))
    report = import_benchmark("mathvista", source, folder / "p.jsonl")
    assert report.skipped.messages == [
        "d.json:2: question: must be a text that is not empty",
        "d.json:3: id: '1' is the id of an earlier row too",
    ]


def test_nothing_to_import_is_an_error(folder: Path) -> None:
    (folder / "d.json").write_text("[{}]")
    with pytest.raises(RecordError, match=r"no row of d\.json is a problem of mathvista"):
        import_benchmark("mathvista", folder / "d.json", folder / "p.jsonl")
    with pytest.raises(ConfigError, match="did you mean 'mathvista'"):
        import_benchmark("mathvist", folder / "d.json", folder / "p.jsonl")
    with pytest.raises(ConfigError, match="there is no such file"):
        import_benchmark("mathvista", folder / "none.json", folder / "p.jsonl")
    with pytest.raises(ConfigError, match=r"not \.xlsx"):
        import_benchmark("vlmevalkit", folder / "t.xlsx", folder / "p.jsonl")


def test_every_layout_has_its_test() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    assert all(f'"{name}"' in text for name in LAYOUTS)
