"""Whatever is written is read back equal, and what is written fits the published schemas."""

from __future__ import annotations

import json
import math
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evpv.errors import ConfigError, RecordError
from evpv.records import (
    constraint_from_json,
    constraint_to_json,
    problem_from_json,
    problem_to_json,
    read_problems,
    schema,
    trace_from_json,
    trace_to_json,
    write_problems,
)
from evpv.records.lines import json_line, parse_object
from evpv.records.traces import schema_text
from evpv.types import (
    VERDICTS,
    AssertionMatch,
    Candidate,
    CandidateTrace,
    ClaimType,
    Constraint,
    Extraction,
    Match,
    Numeric,
    Problem,
    Ranking,
    RejectedAnswer,
    Relation,
    SampleOrigin,
    SamplingReport,
    Step,
    StepJudgement,
    StepTrace,
    Structure,
    Trace,
)

# Other work on the machine must not fail a property: time is not what these test.
patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
name = text.filter(bool)
claim = text.filter(lambda claim: bool(claim.strip()))
number = st.floats(allow_nan=False, allow_infinity=False)
share = st.floats(0, 1)
count = st.integers(0, 99)
optional_number = st.none() | number
json_value = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | number | text,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(text, inner, max_size=2),
    max_leaves=4,
)


TYPES_WRITTEN = (Numeric, Relation, Structure, Step, Candidate, Problem, Match, StepTrace, CandidateTrace, Trace)
FIELDS = {field.name for kind in TYPES_WRITTEN for field in fields(kind)} | {
    "category",
    "image",
    "format",
    "problem_id",
    "constraints",
    "id",
}
FIELDS |= {"source", "policy", "base_reward", "judge", "judged", "tied"}
extra = st.dictionaries(text.filter(lambda key: key not in FIELDS), json_value, max_size=2)


def texts(element: st.SearchStrategy[str] = text, least: int = 0) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(element, min_size=least, max_size=3).map(tuple)


box = st.none() | st.tuples(number, number, number, number)
numerics = st.builds(
    Numeric,
    entity=text,
    attribute=text,
    value=number,
    unit=st.none() | text,
    confidence=share,
    box=box,
    reading=st.sampled_from(["printed", "estimated"]),
    extra=extra,
)
relations = st.builds(
    Relation, type=name, entities=texts(least=1), direction=st.none() | text, confidence=share, box=box, extra=extra
)
structures = st.builds(
    Structure,
    type=name,
    parts=texts(),
    attachment=texts(),
    adjacency=texts(),
    confidence=share,
    box=box,
    extra=extra,
)
constraints: st.SearchStrategy[Constraint] = st.one_of(numerics, relations, structures)

steps = st.builds(
    Step,
    text=text,
    claim=st.none() | claim,
    claim_from=st.sampled_from(["policy", "auditor"]),
    label=st.sampled_from([None, -1, 0, 1]),
    visual=st.none() | st.booleans(),
    error=st.none() | text,
    inherited=st.booleans(),
    audit=st.none() | st.dictionaries(text, json_value, max_size=1),
    extra=extra,
)
candidates = st.builds(
    Candidate,
    id=name,
    steps=st.lists(steps, max_size=3).map(tuple),
    final_answer=st.none() | text,
    correct=st.none() | st.booleans(),
    policy_model=st.none() | text,
    sampled=st.none() | st.builds(SampleOrigin, variant=count, nonce=text, attempt=count, repairs=texts()),
    extra=extra | st.just({"response": "text", "reasoningprocess": []}),
)
rejected = st.builds(RejectedAnswer, variant=count, attempt=count, reason=text, raw=st.none() | text)
reports = st.builds(
    SamplingReport,
    policy=text,
    wanted=count,
    missing=st.lists(count, max_size=2).map(tuple),
    rejected=st.lists(rejected, max_size=2).map(tuple),
    cost=st.dictionaries(text, json_value, max_size=1),
)
paths = st.sampled_from(["a.png", "images/ä b.png", "data:image/png;base64,AA==", "https://example.org/x.png"])
problems = st.builds(
    Problem,
    id=name,
    question=text,
    images=texts(paths),
    options=texts(),
    answer=st.none() | text,
    data_source=st.none() | text,
    policy_model=st.none() | text,
    group=st.none() | text,
    part=st.none() | text,
    split=st.none() | text,
    sampling=st.none() | reports,
    candidates=st.lists(candidates, max_size=3, unique_by=lambda candidate: candidate.id).map(tuple),
    extra=extra | st.just({"response": "text", "vlmresponse1": "text"}),
)


@st.composite
def step_traces(draw: st.DrawFn, index: int, constraint_count: int) -> StepTrace:
    said = draw(st.none() | text)
    place = st.none() | st.integers(0, constraint_count - 1) if constraint_count else st.none()
    assertion = st.builds(
        AssertionMatch,
        span=st.tuples(st.integers(0, 9), st.integers(0, 9)),
        form=text,
        verdict=st.sampled_from(VERDICTS),
        support=number,
        constraint=place,
        explanation=text,
    )
    match = st.builds(
        Match,
        type=st.sampled_from(get_args(ClaimType)),
        verdict=st.sampled_from(VERDICTS),
        support=number,
        constraint=place,
        explanation=text,
        assertions=st.lists(assertion, max_size=2).map(tuple),
    )
    judgement = st.builds(
        StepJudgement,
        reward=optional_number,
        explanation=text,
        facts=st.dictionaries(text, json_value, max_size=1),
        marks=st.just(()),
        sent=st.just({}),
        answered=st.none(),
    )
    return StepTrace(
        step=replace(draw(steps), claim=said),
        match=None if said is None else draw(st.none() | match),
        judgement=draw(judgement),
        gate=None if said is None else draw(optional_number),
        reward=draw(optional_number),
        reliability=draw(optional_number),
        uses=tuple(draw(st.lists(st.integers(0, index - 1), max_size=2))) if index else (),
    )


@st.composite
def traces(draw: st.DrawFn) -> Trace:
    facts = tuple(draw(st.lists(constraints, max_size=2)))
    found = []
    for candidate_id in draw(st.lists(name, max_size=2, unique=True)):
        count = draw(st.integers(0, 3))
        traced = tuple(draw(step_traces(index, len(facts))) for index in range(count))
        said = replace(draw(candidates), id=candidate_id, steps=tuple(one.step for one in traced))
        found.append(
            CandidateTrace(candidate=said, reliability=draw(optional_number), score=draw(number), steps=traced)
        )
    order = tuple(candidate.id for candidate in found)
    ranking = Ranking(
        select=draw(text),
        best=order[:1],
        order=order,
        values={one: draw(number) for one in order},
        tied=draw(st.booleans()),
    )
    return Trace(
        problem=replace(draw(problems), candidates=tuple(one.candidate for one in found)),
        extraction=Extraction(
            constraints=facts, kind=draw(st.none() | text), problem=draw(st.none() | text), unread=draw(texts())
        ),
        candidates=tuple(found),
        ranking=ranking,
        digest=draw(st.none() | text),
        cost=draw(st.dictionaries(text, json_value, max_size=2)),
        extra=draw(extra),
    )


def through_a_line(record: dict[str, Any]) -> dict[str, Any]:
    line = json_line(record)
    assert line.count("\n") == 1
    return parse_object(line.encode())


@given(constraints)
@patient
def test_a_constraint_is_read_back_equal(constraint: Constraint) -> None:
    record = through_a_line(constraint_to_json(constraint))
    assert constraint_from_json(record) == constraint
    assert fits(record, schema("constraint"))


@given(problems)
@patient
def test_a_problem_is_read_back_equal(problem: Problem) -> None:
    record = through_a_line(problem_to_json(problem))
    assert problem_from_json(record) == problem
    assert fits(record, schema("problem"))


@given(traces())
@patient
def test_a_trace_is_read_back_equal(trace: Trace) -> None:
    record = through_a_line(trace_to_json(trace))
    assert trace_from_json(record) == trace
    assert fits(record, schema("trace"))


@given(number)
@patient
def test_floats_come_back_bit_for_bit(value: float) -> None:
    constraint = Numeric(entity="e", attribute="a", value=value)
    read = constraint_from_json(through_a_line(constraint_to_json(constraint)))
    assert isinstance(read, Numeric)
    assert (read.value.hex(), math.copysign(1, read.value)) == (value.hex(), math.copysign(1, value))


@pytest.mark.parametrize("lone", ["\ud800", "a\udfffb"])
def test_a_lone_surrogate_is_refused_in_both_directions(tmp_path: Path, lone: str) -> None:
    problem = Problem(id="a", question=lone)
    with pytest.raises(RecordError, match="lone surrogate"):
        write_problems(tmp_path / "out.jsonl", [problem])
    (tmp_path / "in.jsonl").write_text(json.dumps({"id": "a", "question": lone}))
    with pytest.raises(RecordError, match=r"in\.jsonl:1: .*lone surrogate"):
        list(read_problems(tmp_path / "in.jsonl"))


@pytest.mark.parametrize("name", ["problem", "constraint", "trace"])
def test_the_shipped_schemas_are_those_of_the_readers(name: str) -> None:
    assert (SCHEMAS / f"{name}.json").read_text(encoding="utf-8") == schema_text(name)


def test_an_unknown_schema_is_told_the_known_ones() -> None:
    with pytest.raises(ConfigError, match="did you mean 'trace'"):
        schema("traces")


def test_the_schema_checker_below_can_say_no() -> None:
    good = {"category": "numeric", "entity": "e", "attribute": "a", "value": 3}
    assert fits(good, schema("constraint"))
    for bad in ({**good, "value": "3"}, {**good, "category": "x"}, {**good, "confidence": 2}, {**good, "box": [1]}, 3):
        assert not fits(bad, schema("constraint"))
    assert not fits({"id": "a", "candidates": [{"steps": [{"claim": None}]}]}, schema("problem"))
    assert not fits({"problem_id": "a"}, schema("trace"))


@pytest.mark.parametrize(
    "candidate",
    [
        "free text",
        {"response": "free text"},
        {"response": {"steps": ["s"], "process_correctness": [0]}},
        {"reasoningprocess": [{"steptext": "s", "visualdependency": None}], "finalanswer": 7},
        {"steps": ["s", {"text": "s", "claim": None}]},
    ],
)
def test_the_schema_knows_every_form_of_a_candidate(candidate: Any) -> None:
    record = {"id": "p", "image": ["a.png"], "candidates": [candidate]}
    assert problem_from_json(record).candidates[0].steps
    assert fits(record, schema("problem"))


TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "number": (int, float),
    "integer": int,
    "boolean": bool,
    "null": type(None),
}
KNOWN_KEYWORDS = {"$schema", "$defs", "$ref", "title", "description", "default", "type", "properties", "required"}
KNOWN_KEYWORDS |= {"additionalProperties", "items", "minItems", "maxItems", "minLength", "minimum", "maximum"}
KNOWN_KEYWORDS |= {"enum", "const", "anyOf", "pattern"}


def fits(value: Any, rule: dict[str, Any], whole: dict[str, Any] | None = None) -> bool:
    """Whether a value fits a JSON Schema, for the keywords that our schemas use and no others."""
    whole = whole or rule
    assert set(rule) <= KNOWN_KEYWORDS, rule
    if "$ref" in rule and not fits(value, whole["$defs"][rule["$ref"].rpartition("/")[2]], whole):
        return False
    if "anyOf" in rule and not any(fits(value, one, whole) for one in rule["anyOf"]):
        return False
    if "type" in rule and (
        not isinstance(value, TYPES[rule["type"]]) or isinstance(value, bool) != (rule["type"] == "boolean")
    ):
        return False
    if value not in rule.get("enum", [value]) or value != rule.get("const", value):
        return False
    return fits_parts(value, rule, whole)


def fits_parts(value: Any, rule: dict[str, Any], whole: dict[str, Any]) -> bool:
    if isinstance(value, dict):
        others = rule.get("additionalProperties", True)
        if others is False and set(value) - set(rule.get("properties", {})):
            return False
        inner = dict.fromkeys(value, others) if isinstance(others, dict) else {}
        inner |= rule.get("properties", {})
        return set(rule.get("required", [])) <= set(value) and all(
            fits(value[key], one, whole) for key, one in inner.items() if key in value
        )
    if isinstance(value, list):
        return rule.get("minItems", 0) <= len(value) <= rule.get("maxItems", len(value)) and all(
            fits(item, rule.get("items", {}), whole) for item in value
        )
    if isinstance(value, str):
        return bool(len(value) >= rule.get("minLength", 0))
    if isinstance(value, int | float):
        return bool(rule.get("minimum", value) <= value <= rule.get("maximum", value))
    return True
