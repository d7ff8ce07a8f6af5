"""A model writes a step's assertions; what it invents is dropped, what it leaves out is told, and the matching is ours."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evpv import Verifier
from evpv.assembly import build
from evpv.backends.scripted import ScriptedBackend
from evpv.config import load_recipe
from evpv.errors import ConfigError
from evpv.policy.chat import ChatLanguage, _step_reading
from evpv.premises.auditing import claimed_step
from evpv.premises.matching.grounded import grounded_matcher
from evpv.records.constraints import constraint_to_json
from evpv.reward.assess import reassess
from evpv.reward.method import preset
from evpv.training import architecture
from evpv.types import Candidate, Numeric, Problem, Step, Structure

TEXT = "In 2012 the shares were 42.15 for EMEA and 34.22 for North America, and EMEA was ahead."
FIGURE = (
    Structure(type="table", parts=("Year", "EMEA", "North America")),
    Numeric(entity="2012 EMEA", attribute="value", value=42.15),
    Numeric(entity="2012 North America", attribute="value", value=34.22),
    Numeric(entity="2011 EMEA", attribute="value", value=39.73),
    Numeric(entity="2011 North America", attribute="value", value=34.68),
)


def entry(span: str, subject: str, predicate: str, other: str = "", kind: str = "value") -> dict[str, str]:
    return {"kind": kind, "span": span, "subject": subject, "predicate": predicate, "other": other}


ANSWER = [
    entry("42.15 for EMEA", "EMEA in 2012", "is 42.15"),
    entry("34.22 for North America", "North America in 2012", "is 34.22"),
    entry("EMEA was ahead", "EMEA in 2012", "is higher than", "North America", "comparison"),
]


def problem(*steps: Step) -> Problem:
    return Problem(id="p", question="Which share is larger?", candidates=(Candidate(id="a", steps=steps),))


def read_steps(backend: ScriptedBackend, *steps: Step) -> tuple[Step, ...]:
    [read] = ChatLanguage(backend=backend).read([problem(*steps)])
    return tuple(claimed_step(step, "grounded") for step in read.candidates[0].steps)


def test_the_assertions_of_a_step_become_its_claim_and_are_matched_as_ever() -> None:
    backend = ScriptedBackend([json.dumps(ANSWER)])
    (step,) = read_steps(backend, Step(text=TEXT))
    assert step.claim is not None
    found = grounded_matcher(FIGURE)(step.claim)
    assert (found.verdict, len(found.assertions)) == ("supported", 3)
    assert (backend.requests[0].stage, backend.requests[0].schema is not None) == ("language", True)
    assert step.audit is not None
    assert [TEXT[slice(*one["span"])] for one in step.audit["language"]["said"]] == [one["span"] for one in ANSWER]


def test_what_the_step_does_not_say_is_dropped() -> None:
    reading = _step_reading(
        TEXT, [entry("42.15 for Asia", "Asia", "is 42.15"), entry("EMEA was ahead", "EMEA", "is 99")]
    )
    assert reading.statements == ()
    assert reading.dropped == ("the step does not say '42.15 for Asia'", "99 is not in the step")


def test_numbers_that_no_assertion_has_are_told() -> None:
    assert _step_reading(TEXT, ANSWER[:1]).left_out == (34.22, 2012.0)


def test_a_step_keeps_its_own_claim_and_one_without_an_answer_says_what_the_auditor_found() -> None:
    backend = ScriptedBackend(["no JSON at all"])
    own = Step(text="Ann has 12.", claim="Ann has 12.")
    audited = Step(
        text="Ben has 9.",
        claim_from="auditor",
        audit={"visual": True, "claim": "Ben has 9.", "says": "Ben has 9.", "reason": ""},
    )
    steps = read_steps(backend, own, audited)
    assert [step.claim for step in steps] == ["Ann has 12.", "Ben has 9."]
    assert steps[1].audit is not None
    assert "problem" in steps[1].audit["language"]
    assert len(backend.requests) == 1


RECIPE = """
[extractor]
use = "given"

[judge]
use = "checks"

[auditor]
mode = "fill"
language = "chat"
backend = "main"
{settings}
[backends.main]
{backend}
"""
ASKED = {
    "id": "p",
    "question": "Which share is larger?",
    "constraints": [constraint_to_json(fact) for fact in FIGURE],
    "candidates": [{"id": "a", "steps": [{"text": TEXT}]}, {"id": "b", "steps": [{"text": TEXT.replace("34", "36")}]}],
}


def recipe_file(folder: Path, backend: str, settings: str = "") -> str:
    path = folder / "recipe.toml"
    path.write_text(RECIPE.format(backend=backend, settings=settings), encoding="utf-8")
    return str(path)


def test_a_recipe_asks_a_model_and_the_matching_decides(tmp_path: Path) -> None:
    misread = [
        ANSWER[0],
        entry("36.22 for North America", "North America in 2012", "is 36.22"),
        entry("more", "EMEA", "is ahead"),
    ]
    answers = json.dumps([json.dumps(ANSWER), json.dumps(misread)])
    recipe = recipe_file(tmp_path, f'use = "scripted"\nanswers = {{ language = {answers} }}')
    with Verifier.from_recipe(recipe) as verifier:
        trace = verifier.rank(ASKED).trace
    steps = [candidate.steps[0] for candidate in trace.candidates]
    assert [step.verdict for step in steps] == ["supported", "contradicted"]
    assert [len(step.match.assertions) for step in steps if step.match] == [3, 2]
    assert steps[1].step.audit is not None
    assert steps[1].step.audit["language"]["dropped"] == ["the step does not say 'more'"]
    assert trace.cost["stages"]["language"]["calls"] == 2
    assert reassess(trace, preset("paper")).candidates[0].steps[0].claim != steps[0].claim


def test_a_model_that_finds_claims_needs_them_to_be_filled_in(tmp_path: Path) -> None:
    recipe = recipe_file(tmp_path, 'use = "scripted"\nanswers = { any = "[]" }')
    with pytest.raises(ConfigError, match="needs mode"):
        load_recipe(recipe, {"auditor.mode": "report"})
    with pytest.raises(ConfigError, match="there is no language 'tagger'"):
        build(load_recipe(recipe, {"auditor.language": "tagger"}))
    assert load_recipe(recipe).settings()["auditor"] == {"mode": "fill", "language": "chat", "backend": "main"}


@pytest.mark.slow
def test_a_tiny_model_writes_in_the_schema_and_nothing_it_invents_is_kept(tmp_path: Path) -> None:
    toy = architecture.build(tmp_path / "toy")
    recipe = recipe_file(tmp_path, f'use = "transformers-chat"\nmodel = "{toy}"', "max_tokens = 60\n")
    with Verifier.from_recipe(recipe) as verifier:
        trace = verifier.rank(ASKED).trace
    assert trace.cost["stages"]["language"]["calls"] == 2
    for candidate in trace.candidates:
        audit = candidate.steps[0].step.audit
        assert audit is not None
        told = audit["language"]
        assert "problem" in told or all(candidate.steps[0].text[slice(*one["span"])].strip() for one in told["said"])
