"""`ChatExtractor` and `Teacher`: what a model says of a picture, checked constraint by constraint."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evpv.backends.schemas import Fit, fit_to_schema
from evpv.backends.scripted import ScriptedBackend
from evpv.errors import ConfigError, RecordError
from evpv.perception.chat import CONSTRAINTS_SCHEMA, ChatExtractor, Teacher, read_constraints_answer, reference_steps
from evpv.protocols import ChatReply
from evpv.records import constraints_from_json, constraints_to_json
from evpv.training.distillation import write_corpus
from evpv.types import Candidate, Extraction, Numeric, Problem, Relation, Step, Structure

LENGTH = {
    "category": "numeric",
    "entity": "segment AB",
    "attribute": "length",
    "value": 12,
    "unit": "cm",
    "confidence": 0.9,
}
EQUAL = {"category": "relation", "type": "equal", "entities": ["AB", "CD"], "direction": None, "confidence": 0.8}
SOLID = {
    "category": "structure",
    "type": "composite",
    "parts": ["cylinder", "cone"],
    "attachment": ["cone on cylinder"],
    "adjacency": [],
    "confidence": 0.7,
}


def asked(answer: str | ChatReply, problem: Problem, **settings: Any) -> Extraction:
    [extraction] = ChatExtractor(backend=ScriptedBackend([answer]), cache="", **settings).extract([problem])
    return extraction


def test_the_papers_three_categories_are_read(problem: Problem) -> None:
    extraction = asked(json.dumps([LENGTH, EQUAL, SOLID]), problem)
    assert constraints_to_json(extraction.constraints) == [{**LENGTH, "value": 12.0}, EQUAL, SOLID]
    assert extraction.kind == "chat"
    assert extraction.cost == {}


def test_the_schema_is_appendix_a() -> None:
    assert isinstance(fit_to_schema([LENGTH, EQUAL, SOLID], CONSTRAINTS_SCHEMA), Fit)
    forms = {form["properties"]["category"]["enum"][0]: form for form in CONSTRAINTS_SCHEMA["items"]["anyOf"]}
    assert {name: set(form["properties"]) for name, form in forms.items()} == {
        "numeric": {"category", "entity", "attribute", "value", "unit", "confidence"},
        "relation": {"category", "type", "entities", "direction", "confidence"},
        "structure": {"category", "type", "parts", "attachment", "adjacency", "confidence"},
    }
    assert all(set(form["required"]) == set(form["properties"]) for form in forms.values())
    assert set(forms["structure"]["properties"]["type"]["enum"]) == {"composite", "graph", "table", "sequence"}


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ({**LENGTH, "value": "long"}, "value: must be number, not 'long'"),
        ({**LENGTH, "value": None}, "value: must be number"),
        ({**LENGTH, "confidence": 7}, "confidence: must be from 0 to 1"),
        ({"category": "colour", "entity": "AB"}, "its 'category' is not"),
        ({**EQUAL, "entities": []}, "entities: must be an array of at least 1"),
        ("AB is 12", "it is no object"),
        (7, "it is no object"),
        ({key: value for key, value in LENGTH.items() if key != "entity"}, "entity: is missing"),
        ({**SOLID, "parts": {"a": {"b": 1}}}, "parts"),
    ],
)
def test_a_bad_constraint_is_left_out_with_its_reason_and_costs_no_other(
    bad: Any, reason: str, problem: Problem
) -> None:
    raw = json.dumps([bad, EQUAL])
    extraction = asked(raw, problem)
    assert extraction.constraints == (Relation(type="equal", entities=("AB", "CD"), confidence=0.8),)
    [dropped] = extraction.cost["reading"]["dropped"]
    assert dropped["place"] == 0
    assert reason in dropped["reason"]
    assert extraction.cost["reading"]["raw"] == raw


@pytest.mark.parametrize(
    ("answer", "repairs"),
    [
        ("```json\n" + json.dumps([LENGTH]) + "\n```", {"fence"}),
        ("Here: " + json.dumps([LENGTH]), {"prose"}),
        (json.dumps([LENGTH])[:-1] + ",]", {"syntax"}),
        (json.dumps([{**LENGTH, "value": "12"}]), {"text-for-number"}),
        (json.dumps({"constraints": [LENGTH]}), {"wrapped-list"}),
        (json.dumps([{k: v for k, v in LENGTH.items() if k != "category"}]), {"category-from-fields"}),
    ],
)
def test_what_models_get_wrong_is_mended_and_told(answer: str, repairs: set[str], problem: Problem) -> None:
    extraction = asked(answer, problem)
    assert extraction.constraints == (
        Numeric(entity="segment AB", attribute="length", value=12.0, unit="cm", confidence=0.9),
    )
    assert repairs <= set(extraction.cost["reading"]["repairs"])
    assert extraction.cost["reading"]["raw"] == answer


def test_the_same_said_twice_counts_once() -> None:
    answer = read_constraints_answer(json.dumps([LENGTH] * 40))
    assert len(answer.constraints) == 1
    assert len(answer.dropped) == 39


def test_words_outside_the_papers_types_are_kept_unless_the_letter_is_asked_for() -> None:
    odd = json.dumps([{**EQUAL, "type": "tangent"}])
    assert len(read_constraints_answer(odd).constraints) == 1
    assert read_constraints_answer(odd, to_the_letter=True).dropped[0][1].startswith("type: must be one of")


@pytest.mark.parametrize(
    ("reply", "problem_said"),
    [
        (ChatReply(text=None, problem="connection refused"), "no answer: connection refused"),
        ("I cannot see the figure.", "could not be read: no JSON"),
        ("", "could not be read: the answer is empty"),
    ],
)
def test_what_could_not_be_read_is_said_and_not_invented(reply: Any, problem_said: str, problem: Problem) -> None:
    extraction = asked(reply, problem)
    assert extraction.constraints == ()
    assert problem_said in str(extraction.problem)


def test_an_answer_that_was_cut_off_says_so(problem: Problem) -> None:
    half = json.dumps([LENGTH, EQUAL])[:-30]
    extraction = asked(ChatReply(text=half, finish="length", facts={"images": [{"size": [64, 48]}]}), problem)
    assert len(extraction.constraints) >= 1
    assert extraction.cost["reading"]["finish"] == "length"
    assert extraction.cost["reading"]["images"] == [{"size": [64, 48]}]


def test_without_a_picture_nothing_is_asked(problem: Problem) -> None:
    backend = ScriptedBackend([])
    assert ChatExtractor(backend=backend, cache="").extract([replace(problem, images=())]) == [Extraction()]
    assert backend.requests == []


def test_the_settings_of_the_ablations_reach_the_model(problem: Problem) -> None:
    backend = ScriptedBackend(["[]"] * 3)
    ChatExtractor(backend=backend, cache="", temperature=0.5, top_p=0.7, max_tokens=99).extract([problem])
    ChatExtractor(backend=backend, cache="", variant="short").extract([problem])
    ChatExtractor(backend=backend, cache="", question=False).extract([problem])
    full, short, blind = backend.requests
    assert (full.sampling.temperature, full.sampling.top_p, full.sampling.max_tokens) == (0.5, 0.7, 99)
    assert full.images == problem.images
    assert full.schema == CONSTRAINTS_SCHEMA
    assert (full.stage, full.problem_id) == ("extract", "p")
    assert len(short.prompt) < len(full.prompt)
    assert problem.question in full.prompt
    assert problem.question not in blind.prompt


def test_a_caption_takes_the_place_of_structured_facts(problem: Problem) -> None:
    extraction = asked("A segment AB,\n12 cm long.", problem, variant="caption")
    assert extraction.constraints == (Structure(type="caption", parts=("A segment AB, 12 cm long.",)),)
    assert asked("  ", problem, variant="caption").problem == "the model's answer is empty"


def test_the_version_changes_with_all_that_decides_and_with_nothing_else(tmp_path: Path) -> None:
    own = tmp_path / "own.txt"
    own.write_text("Facts of {question_text}, please.", encoding="utf-8")
    plain = ChatExtractor(backend=ScriptedBackend([], name="m"))
    others = [
        ChatExtractor(backend=ScriptedBackend([], name="n")),
        replace(plain, temperature=0.2),
        replace(plain, top_p=0.7),
        replace(plain, max_tokens=9),
        replace(plain, seed=1),
        replace(plain, question=False),
        replace(plain, variant="short"),
        replace(plain, prompt=str(own)),
    ]
    assert len({plain.version, *(other.version for other in others)}) == 9
    assert replace(plain, cache="").version == plain.version


def test_a_picture_is_asked_about_once_for_all_candidates_and_runs(problem: Problem, tmp_path: Path) -> None:
    backend = ScriptedBackend([json.dumps([LENGTH])])
    extractor = ChatExtractor(backend=backend, cache=str(tmp_path / "cache"))
    first = extractor.extract([problem, replace(problem, id="same picture, same question")])
    again = ChatExtractor(backend=backend, cache=str(tmp_path / "cache")).extract([problem])
    assert len(backend.requests) == 1
    assert first[0].constraints == first[1].constraints == again[0].constraints
    other_question = replace(problem, question="What is AB?")
    assert extractor.extract([other_question])[0].problem is not None  # asked anew; the script has no more answers
    assert len(backend.requests) == 2


def test_a_variant_or_prompt_that_does_not_fit_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="did you mean 'short'"):
        ChatExtractor(backend=ScriptedBackend([]), variant="shrt")  # type: ignore[arg-type]
    (tmp_path / "own.txt").write_text("No place for a question.", encoding="utf-8")
    with pytest.raises(ConfigError, match="question_text"):
        ChatExtractor(backend=ScriptedBackend([]), prompt=str(tmp_path / "own.txt"))


def pupils(picture: str, *names: str) -> list[Problem]:
    right = Candidate(id="r", steps=(Step(text="AB is 12."), Step(text="Half is 6.")), correct=True)
    return [Problem(id=name, question="Half of AB?", images=(picture,), candidates=(right,)) for name in names]


def test_reference_steps_come_from_the_record_or_from_a_right_candidate(picture: str) -> None:
    [problem] = pupils(picture, "p")
    assert reference_steps(problem) == ["AB is 12.", "Half is 6."]
    assert reference_steps(replace(problem, extra={"reference_steps": ["Look."]})) == ["Look."]
    assert reference_steps(replace(problem, candidates=())) is None


@pytest.mark.parametrize(("reference", "shown"), [("none", False), ("where-given", True), ("required", True)])
def test_the_teacher_is_shown_a_reference_only_where_asked(reference: Any, shown: bool, picture: str) -> None:
    backend = ScriptedBackend([json.dumps([LENGTH])])
    [extraction] = Teacher(backend=backend, reference=reference).extract(pupils(picture, "p"))
    assert ("Step 2: Half is 6." in backend.requests[0].prompt) is shown
    assert len(extraction.constraints) == 1


def test_a_reference_that_is_required_and_missing_is_a_problem(picture: str) -> None:
    backend = ScriptedBackend([])
    [extraction] = Teacher(backend=backend, reference="required").extract(
        [Problem(id="p", question="?", images=(picture,))]
    )
    assert extraction.problem == "there are no reference steps"
    assert backend.requests == []


def lines(path: Path) -> Sequence[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_corpus_holds_what_keeps_to_the_schema_and_is_taken_up_again(picture: str, tmp_path: Path) -> None:
    answers = [json.dumps([LENGTH]), json.dumps([LENGTH, {**EQUAL, "type": "tangent"}]), "no JSON", json.dumps([SOLID])]
    backend = ScriptedBackend(answers)
    teacher = Teacher(backend=backend)
    path = tmp_path / "corpus.jsonl"
    counts = write_corpus(path, pupils(picture, "a", "b", "c"), teacher)
    assert (counts.written, counts.filtered, counts.already) == (1, 2, 0)
    path.write_bytes(path.read_bytes() + b'{"id": "torn')
    counts = write_corpus(path, pupils(picture, "a", "b", "c", "d"), teacher)
    assert (counts.written, counts.filtered, counts.already) == (1, 0, 3)
    assert len(backend.requests) == 4
    assert [(row["id"], len(row["constraints"]), row["question"]) for row in lines(path)] == [
        ("a", 1, "Half of AB?"),
        ("d", 1, "Half of AB?"),
    ]
    assert (path.parent / lines(path)[0]["image"]).exists()
    assert [len(constraints_from_json(row["constraints"])) for row in lines(path)] == [1, 1]
    filtered = {row["id"]: row["problem"] for row in lines(tmp_path / "corpus.jsonl.filtered")}
    assert filtered["b"].startswith("constraint 1: type: must be one of")
    assert "no JSON" in filtered["c"]


def test_two_teachers_do_not_write_into_one_corpus(picture: str, tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    write_corpus(path, pupils(picture, "a"), Teacher(backend=ScriptedBackend(["[]"], name="one")))
    with pytest.raises(RecordError, match="another teacher"):
        write_corpus(path, pupils(picture, "b"), Teacher(backend=ScriptedBackend(["[]"], name="two")))
