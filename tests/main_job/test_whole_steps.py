"""Plain text is checked whole: every assertion of a step has its verdict, its reason and its place, whichever sentence it stands in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evpv import Verifier
from evpv.reward.assess import reassess
from evpv.reward.method import preset
from evpv.types import Trace

ROWS = {"Ann": (12, 30), "Ben": (9, 25), "Cara": (15, 41)}
FACTS = [{"category": "structure", "type": "table", "parts": ["Name", "Apples", "Pears"], "attachments": []}] + [
    {"category": "numeric", "entity": f"{name} {column}", "attribute": "value", "value": value, "confidence": 1.0}
    for name, values in ROWS.items()
    for column, value in zip(("Apples", "Pears"), values, strict=True)
]
READINGS = {
    "right": "In the table, Ann has 12 apples. Ben has 25 pears, and Cara has 41 pears.",
    "second": "In the table, Ann has 12 apples. Ben has 28 pears, and Cara has 41 pears.",
    "last": "In the table, Ann has 12 apples. Ben has 25 pears, and Cara has 14 pears.",
}
PROBLEM = {
    "id": "p",
    "question": "How many pears do Ben and Cara have together?",
    "constraints": FACTS,
    "candidates": [
        {
            "id": name,
            "response": f"{text}\n\nWe add the pears of both.\n\nThis gives the total.\n\nThe answer is {answer}.",
        }
        for (name, text), answer in zip(READINGS.items(), (66, 69, 39), strict=True)
    ],
}


@pytest.fixture(scope="module")
def trace() -> Trace:
    with Verifier.from_recipe("given") as verifier:
        return verifier.rank(json.loads(json.dumps(PROBLEM))).trace


def test_a_misreading_is_found_in_whichever_sentence_it_stands(trace: Trace) -> None:
    verdicts = {one.id: one.steps[0].verdict for one in trace.candidates}
    assert verdicts == {"right": "supported", "second": "contradicted", "last": "contradicted"}
    assert trace.ranking.best == ("right",)


@pytest.mark.parametrize(("name", "wrong"), [("second", "Ben has 28 pears"), ("last", "Cara has 14 pears")])
def test_each_assertion_has_its_own_verdict_and_place(trace: Trace, name: str, wrong: str) -> None:
    step = next(one for one in trace.candidates if one.id == name).steps[0]
    assert step.match is not None
    assert step.claim is not None
    places = {step.claim[slice(*one.span)].rstrip("."): one for one in step.match.assertions}
    refuted = [text for text, one in places.items() if one.verdict == "contradicted"]
    assert (len(places), refuted) == (3, [wrong])
    assert all(one.explanation and one.constraint is not None for one in places.values())


def test_the_page_shows_them(trace: Trace, tmp_path: Path) -> None:
    with Verifier.from_recipe("given") as verifier:
        verifier.rank(json.loads(json.dumps(PROBLEM))).to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    step = next(one for one in trace.candidates if one.id == "second").steps[0]
    assert step.match is not None
    assert all(json.dumps(one.form)[1:-1] in page for one in step.match.assertions)


def test_the_paper_has_one_claim_a_step_and_the_same_traces_serve_both(trace: Trace) -> None:
    paper = reassess(trace, preset("paper"))
    claims = [one.steps[0].claim for one in paper.candidates]
    assert claims == ["Ann has 12 apples."] * 3
    assert reassess(paper, preset("grounded")) == reassess(trace, preset("grounded"))
