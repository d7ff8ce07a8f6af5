"""Problems in every layout, and the packs of real data."""

from __future__ import annotations

import json
import os
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from evpv.errors import RecordError
from evpv.records import Skipped, constraints_from_json, problem_from_json, read_cases, read_problems, write_problems
from evpv.types import Candidate, Problem, Step

DATA = Path(os.environ.get("EVPV_DATA", Path(__file__).parents[2].parent / "shared" / "data"))
PACKS = ["arithmetic", "best_of_n", "charts", "claims", "geometry", "solutions", "tables", "visualprocessbench"]
POLICY_TEXT = json.dumps({"reasoningprocess": [{"steptext": "s", "visualdependency": None}], "finalanswer": "7"})


def written(tmp_path: Path, *records: dict[str, Any]) -> Path:
    path = tmp_path / "problems.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_a_problem_in_our_own_form(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        {
            "id": "p1",
            "image": "images/p1.png",
            "question": "How long?",
            "options": ["3", 4],
            "answer": 3,
            "subject": "geometry",
            "candidates": [{"id": "a", "steps": []}, {"steps": [{"text": "s", "claim": "c"}], "final_answer": "3"}],
        },
    )
    [problem] = read_problems(path)
    assert problem == Problem(
        id="p1",
        question="How long?",
        images=(str(tmp_path / "images" / "p1.png"),),
        options=("3", "4"),
        answer="3",
        candidates=(
            Candidate(id="a", steps=()),
            Candidate(id="2", steps=(Step(text="s", claim="c"),), final_answer="3"),
        ),
        extra={"subject": "geometry"},
    )


def test_a_problem_may_have_no_candidates_no_image_and_no_question() -> None:
    assert problem_from_json({"id": 5}) == Problem(id="5", question="")
    assert problem_from_json({"id": "5", "image": None, "options": None, "candidates": []}) == Problem(
        id="5", question=""
    )


@pytest.mark.parametrize(
    "image",
    ["https://example.org/a.png", "data:image/png;base64,AAAA", "HTTP://example.org/a.png"],
)
def test_urls_are_left_as_they_are(tmp_path: Path, image: str) -> None:
    [problem] = read_problems(written(tmp_path, {"id": "a", "image": [image, "b.png"]}))
    assert problem.images == (image, str(tmp_path / "b.png"))


def test_image_paths_follow_the_file_when_it_is_written_elsewhere(tmp_path: Path) -> None:
    original = written(tmp_path, {"id": "a", "image": ["images/a.png", "/far/b.png", "https://example.org/c.png"]})
    problems = list(read_problems(original))
    copy = tmp_path / "out" / "copy.jsonl"
    assert write_problems(copy, problems) == 1
    assert json.loads(copy.read_text())["image"] == [
        str(tmp_path / "images" / "a.png"),
        "/far/b.png",
        "https://example.org/c.png",
    ]
    assert list(read_problems(copy)) == problems


def test_image_paths_are_relative_again_where_they_came_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, {"id": "a", "image": "images/a.png"}, {"id": "b", "image": ["x/b.png", "../c.png"]})
    monkeypatch.chdir(tmp_path.parent)
    for spelling in (path, path.relative_to(tmp_path.parent)):
        problems = list(read_problems(spelling))
        again = spelling.with_name("again.jsonl")
        write_problems(again, problems)
        images = [json.loads(line)["image"] for line in again.read_text().splitlines()]
        assert images[0] == "images/a.png"
        assert list(read_problems(again)) == problems


def test_a_visual_process_bench_row_is_a_problem_with_one_candidate(tmp_path: Path) -> None:
    row = {
        "image": ["images/x.jpg"],
        "question": "Which?",
        "answer": "A",
        "response": {"steps": ["Look.", "So **A**.", "### Final Answer: **A**"], "process_correctness": [1, 0, -1]},
        "policy_model": "m",
        "data_source": "MathVision_MINI",
    }
    path = written(tmp_path, {"id": "first"}, row)
    problem = list(read_problems(path))[1]
    assert problem.id == "line-2"
    assert (problem.policy_model, problem.data_source, problem.extra) == ("m", "MathVision_MINI", {})
    [candidate] = problem.candidates
    assert [step.label for step in candidate.steps] == [1, 0, -1]
    assert (candidate.id, candidate.final_answer) == ("1", "A")


def test_the_papers_eight_replies_are_candidates_by_their_numbers() -> None:
    record = {
        "id": "p",
        "vlmresponse2": f"```json\n{POLICY_TEXT}\n```",
        "vlmresponse1": json.loads(POLICY_TEXT),
        "vlmresponse10": "It is 7.\n\nThe answer is 7.",
        "vlmresponse3": None,
    }
    problem = problem_from_json(record)
    assert [candidate.id for candidate in problem.candidates] == ["1", "2", "10"]
    assert [candidate.final_answer for candidate in problem.candidates] == ["7", "7", "7"]
    assert problem.extra == {"vlmresponse3": None}


def test_replies_beside_candidates_are_kept_as_they_are() -> None:
    problem = problem_from_json({"id": "p", "candidates": [], "response": "text", "vlmresponse1": "text"})
    assert problem == Problem(id="p", question="", extra={"response": "text", "vlmresponse1": "text"})


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"question": "q"}, "id: is missing"),
        ({"question": "q", "candidates": []}, "id: is missing"),
        ({"id": ""}, "id: must be a string that is not empty"),
        ({"id": None}, "id: is missing"),
        ({"id": "a", "question": None}, "question: must be a string, not null"),
        ({"id": "a", "image": 3}, "image: must be an array, not 3"),
        ({"id": "a", "image": ""}, "image[0]: must be a string that is not empty"),
        ({"id": "a", "image": ["a\0b"]}, "image[0]: must be a string without null characters"),
        ({"id": "a", "options": "AB"}, 'options: must be an array, not "AB"'),
        ({"id": "a", "answer": ["x"]}, "answer: must be a string, not an array of 1"),
        ({"id": "a", "candidates": {}}, "candidates: must be an array, not an object of 0"),
        ({"id": "a", "candidates": [{"steps": []}, {}]}, "candidates[1]: must be an object with 'steps'"),
        (
            {"id": "a", "candidates": [{"steps": [{"text": "a"}, {"text": 3}]}]},
            "candidates[0].steps[1].text: must be a string, not 3",
        ),
        (
            {"id": "a", "candidates": [{"id": "x", "steps": []}, {"id": "x", "steps": []}]},
            "candidates[1].id: 'x' is the id of an earlier candidate too",
        ),
        (
            {"id": "a", "candidates": [{"id": "2", "steps": []}, {"steps": []}]},
            "candidates[1].id: '2' is the id of an earlier candidate too",
        ),
        ({"id": "a", "response": {"steps": [3]}}, "response.steps[0]: must be a string, not 3"),
        ({"id": "a", "response": 3}, "response: must be a string, not 3"),
        ({"id": "a", "vlmresponse4": 3}, "vlmresponse4: must be an object with 'steps'"),
        (
            {"id": "a", "vlmresponse4": {"reasoningprocess": [{}]}},
            "vlmresponse4.reasoningprocess[0].steptext: is missing",
        ),
        (
            {"id": "a", "vlmresponse4": {"reasoningprocess": [], "steps": 3}},
            "vlmresponse4.steps: must be an array, not 3",
        ),
    ],
)
def test_a_wrong_problem_is_told_file_line_and_field(tmp_path: Path, record: dict[str, Any], message: str) -> None:
    path = written(tmp_path, {"id": "fine"}, record)
    with pytest.raises(RecordError) as caught:
        list(read_problems(path))
    assert f"{path}:2: {message}" in str(caught.value)


def test_an_id_that_comes_again_is_an_error_since_runs_resume_by_it(tmp_path: Path) -> None:
    path = written(tmp_path, {"id": "a"}, {"id": "b"}, {"id": "a"})
    report = Skipped()
    assert [problem.id for problem in read_problems(path, on_error="skip", report=report)] == ["a", "b"]
    assert report.messages == [f"{path}:3: id: 'a' is the id of an earlier problem too"]


def many_problems(tmp_path: Path, count: int) -> Path:
    steps = [{"text": "The base of the triangle is 3 cm long. " * 3, "claim": "The base is 3 cm."}] * 8
    candidates = [{"id": str(index), "steps": steps, "final_answer": "3"} for index in range(8)]
    return written(tmp_path, *({"id": str(index), "question": "q", "candidates": candidates} for index in range(count)))


def test_a_thousand_problems_are_copied_in_about_a_second(tmp_path: Path) -> None:
    path = many_problems(tmp_path, 1000)
    start = time.process_time()
    assert write_problems(tmp_path / "copy.jsonl", read_problems(path)) == 1000
    assert time.process_time() - start < 3


def test_reading_holds_one_problem_at_a_time(tmp_path: Path) -> None:
    path = many_problems(tmp_path, 200)
    tracemalloc.start()
    assert sum(1 for _ in read_problems(path)) == 200
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < path.stat().st_size / 5


@pytest.mark.skipif(not DATA.is_dir(), reason="the packs of real data are not here (set EVPV_DATA)")
@pytest.mark.parametrize("pack", PACKS)
def test_every_pack_is_readable_and_survives_writing(tmp_path: Path, pack: str) -> None:
    items = DATA / pack / "items.jsonl"
    problems = list(read_problems(items))
    assert len(problems) == items.read_bytes().count(b"\n")
    assert all(Path(image).is_file() for problem in problems for image in problem.images)
    copy = tmp_path / "copy.jsonl"
    write_problems(copy, problems)
    assert list(read_problems(copy)) == problems


@pytest.mark.skipif(not DATA.is_dir(), reason="the packs of real data are not here (set EVPV_DATA)")
def test_the_matching_pack_is_cases_and_gold_constraints_are_constraint_sets() -> None:
    assert len(list(read_cases(DATA / "matching" / "items.jsonl"))) == 120
    for pack in ("geometry", "tables", "charts"):
        lines = (DATA / pack / "items.jsonl").read_text(encoding="utf-8").splitlines()
        assert all(constraints_from_json(json.loads(line)["constraints"]) for line in lines)
