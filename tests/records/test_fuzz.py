"""Bad bytes get a RecordError and nothing else, however they are made."""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Callable, Iterator

import pytest

from evpv.errors import RecordError
from evpv.language.final_answers import final_answer
from evpv.records import (
    candidate_from_text,
    problem_from_json,
    problem_to_json,
    split_steps,
    trace_from_json,
)
from evpv.records.constraints import _CASE
from evpv.records.lines import json_line, parse_object

NUMERIC = {
    "category": "numeric",
    "entity": "AB",
    "attribute": "length",
    "value": 3,
    "confidence": 0.5,
    "box": [0, 0, 1, 1],
}
RELATION = {"category": "relation", "type": "equal", "entities": ["AB", "CD"], "direction": None}
STRUCTURE = {"category": "structure", "type": "table", "parts": ["a"], "attachment": [], "adjacency": None}
POLICY = {"reasoningprocess": [{"steptext": "s", "visualdependency": ""}], "finalanswer": "7"}
STEP = {
    "text": "s",
    "claim": "AB is 3.",
    "claim_from": "policy",
    "type": "numeric",
    "verdict": "supported",
    "support": 1,
}
STEP |= {"constraint": 0, "explanation": "", "base_reward": 0.5, "gate": 1, "reward": 0.5, "uses": []}
RECORDS: list[dict[str, object]] = [
    {
        "id": "a",
        "image": "a.png",
        "question": "q",
        "options": ["1"],
        "answer": 1,
        "candidates": [{"steps": [{"text": "s"}]}],
    },
    {
        "id": "a",
        "candidates": [POLICY, json.dumps(POLICY), {"response": "AB is 3. So \\boxed{3}."}, {"id": "b", "steps": []}],
    },
    {"image": ["a.png"], "response": {"steps": ["s", "t"], "process_correctness": [1, -1]}, "policy_model": "m"},
    {"id": 3, "vlmresponse1": "```json\n" + json.dumps(POLICY) + "\n```", "vlmresponse2": POLICY, "vlmresponse3": None},
    {"id": "c", "claim": "AB is 3.", "constraints": [NUMERIC, RELATION, STRUCTURE]},
    {
        "problem_id": "a",
        "constraints": [NUMERIC],
        "cost": {},
        "candidates": [{"id": "a", "final_answer": None, "reliability": 1, "score": 0.5, "steps": [STEP]}],
        "ranking": {"select": "score", "best": ["a"], "order": ["a"], "values": {"a": 0.5}},
    },
]
LINES = [json.dumps(record).encode() for record in RECORDS]
PIECES = [
    b"null",
    b"true",
    b"NaN",
    b"1e999",
    b"-0.0",
    b'""',
    b"[]",
    b"{}",
    b"\\ud800",
    b"\xff",
    b"\x00",
    b'"',
    b"\\",
    b"{",
    b"]",
]
PIECES += [
    b"9" * 400,
    b'"id": 1,',
    b"[" * 50,
    b"\xef\xbb\xbf",
    b"\r",
    b"\\boxed{",
    b"```",
    b"$",
    b"-1",
    b"1.5",
    b'"steps": 3,',
]


def mutated(dice: random.Random) -> bytes:
    """A valid line with a few bytes changed, taken out, doubled, or replaced by what is wrong elsewhere."""
    line = bytearray(dice.choice(LINES))
    for _ in range(dice.randint(1, 4)):
        start = dice.randrange(len(line) + 1)
        end = min(len(line), start + dice.choice([0, 1, 1, 3, 10]))
        line[start:end] = dice.choice(
            [b"", line[start:end] * 2, dice.choice(PIECES), dice.randbytes(dice.randint(1, 4))]
        )
    return bytes(line)


def restructured(dice: random.Random) -> bytes:
    """A valid record with one value replaced by a value of another kind: still JSON, so that the fields are reached."""
    record = json.loads(dice.choice(LINES))
    place = record
    while True:
        key = dice.choice(list(place)) if isinstance(place, dict) else dice.randrange(len(place))
        if not isinstance(place[key], dict | list) or not place[key] or dice.random() < 0.3:
            place[key] = dice.choice(
                [None, True, -1, 1.5, 10**400, "", "x", "numeric", [], [None], {}, {"id": 1}, place[key]]
            )
            return json.dumps(record).encode()
        place = place[key]


def noise(dice: random.Random) -> bytes:
    return dice.randbytes(dice.randint(0, 60))


def written(record: object) -> None:
    """What was read can be written."""
    problem = problem_from_json(record, default_id="line-1")  # type: ignore[arg-type]
    json_line(problem_to_json(problem))


def inputs(seed: int, count: int) -> Iterator[bytes]:
    dice = random.Random(seed)
    for _ in range(count):
        yield dice.choice([mutated, mutated, restructured, noise])(dice)


READERS: list[Callable[[dict[str, object]], object]] = [written, trace_from_json, _CASE.read]


def survive(line: bytes) -> tuple[bool, int]:
    """Put one line through every reader and its text through the splitter; whether any reader took it."""
    taken = 0
    try:
        record = parse_object(line)
    except RecordError:
        record = None
    for reader in READERS if record is not None else []:
        with contextlib.suppress(RecordError):
            reader(record)  # type: ignore[arg-type]
            taken += 1
    text = line.decode("utf-8", errors="replace")
    assert "".join("".join(split_steps(text)).split()) == "".join(text.split())
    final_answer(text)
    candidate_from_text(text, "1")
    return record is not None, taken


def test_a_few_thousand_bad_lines_get_a_record_error_and_nothing_else() -> None:
    outcomes = [survive(line) for line in inputs(seed=0, count=4_000)]
    parsed = sum(is_json for is_json, _ in outcomes)
    taken = sum(count > 0 for _, count in outcomes)
    assert parsed > 800  # enough get past the JSON to try the fields,
    assert 100 < taken < parsed  # some are still right, and some are not


@pytest.mark.slow
def test_sixty_thousand_bad_lines_get_a_record_error_and_nothing_else() -> None:
    for line in inputs(seed=1, count=60_000):
        survive(line)
