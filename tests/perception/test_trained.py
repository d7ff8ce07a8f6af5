"""The extractor that was trained: it is asked as in training, and what it cannot write is told."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from evpv.backends.scripted import ScriptedBackend
from evpv.perception.chat import TrainedExtractor
from evpv.protocols import ChatReply
from evpv.types import Numeric, Problem

FACT = '[{"category": "numeric", "entity": "segment AB", "attribute": "length", "value": 3, "unit": "cm", "confidence": 1.0}]'


def _problem(folder: Path) -> Problem:
    Image.new("RGB", (168, 112), "white").save(folder / "figure.png")
    return Problem(id="p", question="Find AB.", options=("3", "4"), images=(str(folder / "figure.png"),))


def test_it_is_asked_the_bare_question_under_the_schema(tmp_path: Path) -> None:
    backend = ScriptedBackend([FACT])
    extraction = TrainedExtractor(backend=backend, cache="").extract([_problem(tmp_path)])[0]
    assert extraction.constraints == (Numeric(entity="segment AB", attribute="length", value=3.0, unit="cm"),)
    (request,) = backend.requests
    assert request.prompt == "Find AB."
    assert request.schema is not None
    assert request.sampling.temperature == 0.0


def test_no_answer_and_no_json_are_told_and_are_no_facts(tmp_path: Path) -> None:
    backend = ScriptedBackend([ChatReply(text=None, problem="out of memory"), "I see a triangle."])
    problem = _problem(tmp_path)
    silent, chatty = TrainedExtractor(backend=backend, cache="").extract([problem, problem])
    assert silent.constraints == chatty.constraints == ()
    assert "out of memory" in str(silent.problem)
    assert chatty.problem is not None


def test_a_problem_without_a_picture_asks_nothing() -> None:
    backend = ScriptedBackend([])
    assert (
        TrainedExtractor(backend=backend, cache="").extract([Problem(id="p", question="1 + 1?")])[0].constraints == ()
    )
    assert backend.requests == []


def test_what_was_read_is_not_read_twice(tmp_path: Path) -> None:
    backend = ScriptedBackend([FACT])
    extractor = TrainedExtractor(backend=backend, cache=str(tmp_path / "cache"))
    first, again = (extractor.extract([_problem(tmp_path)])[0] for _ in range(2))
    assert first.constraints == again.constraints
    assert len(backend.requests) == 1
