"""A model writes a step's assertions; what it invents is dropped, what it leaves out is told, and the matching is ours."""

from __future__ import annotations

import json

from evpv.backends.scripted import ScriptedBackend
from evpv.policy.chat_language import ChatLanguage, step_reading
from evpv.premises.matching.grounded import grounded_matcher
from evpv.types import Candidate, Numeric, Step, Structure

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


def test_the_assertions_of_a_step_become_its_claim_and_are_matched_as_ever() -> None:
    backend = ScriptedBackend([json.dumps(ANSWER)])
    read = ChatLanguage(backend=backend).read(Candidate(id="a", steps=(Step(text=TEXT),)))
    claim = read.steps[0].claim
    assert claim is not None
    found = grounded_matcher(FIGURE)(claim)
    assert (found.verdict, len(found.assertions)) == ("supported", 3)
    assert (backend.requests[0].stage, backend.requests[0].schema is not None) == ("language", True)


def test_what_the_step_does_not_say_is_dropped() -> None:
    reading = step_reading(
        TEXT, [entry("42.15 for Asia", "Asia", "is 42.15"), entry("EMEA was ahead", "EMEA", "is 99")]
    )
    assert reading.statements == ()
    assert reading.dropped == ("the step does not say '42.15 for Asia'", "99 is not in the step")


def test_numbers_that_no_assertion_has_are_told() -> None:
    assert step_reading(TEXT, ANSWER[:1]).left_out == (34.22, 2012.0)


def test_a_step_keeps_its_own_claim_and_one_without_an_answer_says_why() -> None:
    backend = ScriptedBackend(["no JSON at all"])
    steps = (Step(text="Ann has 12.", claim="Ann has 12."), Step(text="Ben has 9."))
    read = ChatLanguage(backend=backend).read(Candidate(id="a", steps=steps))
    assert [step.claim for step in read.steps] == ["Ann has 12.", None]
    assert "problem" in read.steps[1].extra["language"]
    assert len(backend.requests) == 1
