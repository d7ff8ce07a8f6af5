"""What a second attack found: one line that ended a run, special files as pictures, numbers without an end, algebra killed by others."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from evpv.assembly import build
from evpv.config import load_recipe
from evpv.language.answers import answer_key
from evpv.records.problems import problem_digest, problem_from_json
from evpv.types import Problem
from evpv.workers import Calculator

TEXTS = (
    "İ", "1e308 1e308.2.3", "⁵①①⁵1m", "√ = " + "9" * 310, "x = " + "9" * 400, "The bar for ②⓪①⑥ is the tallest.",
    "row ② has 5", "In ²⁰¹⁶ it was 4.", "1e999 and 1e999 make 2e999", "9" * 5000, "٣ + ٤ = ٧", "Ⅻ of Ⅳ", "10⁵⁰⁰ m",
)  # fmt: skip
FACTS = [{"category": "numeric", "entity": "May", "attribute": "value", "value": 4.0, "unit": None, "confidence": 1.0}]


@pytest.mark.parametrize("question", ["", "1", "𝟙", "How many in ②⓪①⑥?"])
@pytest.mark.parametrize("constraints", [[], FACTS], ids=["nothing read", "one fact"])
def test_no_text_makes_a_part_raise(question: str, constraints: list[dict[str, object]]) -> None:
    pipeline = build(load_recipe("given"))
    for number, text in enumerate(TEXTS):
        record = {
            "id": str(number), "question": question, "constraints": constraints, "options": ["12", "14"],
            "candidates": [text, {"steps": [{"text": text}, {"text": "So it is 3.", "claim": text}]}],
        }  # fmt: skip
        [trace] = pipeline.traces([problem_from_json(record)])
        assert len(trace.candidates) == 2
    pipeline.close()


def test_a_capital_with_two_small_letters_is_no_option() -> None:
    assert answer_key("İ", ("12", "14")) is not None


@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_a_special_file_as_picture_counts_by_its_name_and_is_never_opened(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "picture.png"
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "folder":
        place.mkdir()
    path = "/dev/zero" if kind == "device" else str(place)
    assert len(problem_digest(Problem(id="p", question="q", images=(path,)))) == 32


def test_algebra_that_others_kill_is_asked_again_and_its_answer_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    calculator = Calculator("suicidal:answer", 20.0)
    assert calculator.ask({"once": str(tmp_path / "killed")}) == "here"
    assert (tmp_path / "killed").read_text(encoding="utf-8") == str(int(signal.SIGKILL))
    assert calculator.ask({"always": True}) is None
    calculator.close()
