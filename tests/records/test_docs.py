"""Every example in docs/formats.md is read by the reader it is about, and the errors it quotes are real."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evpv.errors import RecordError
from evpv.records import (
    candidate_from_json,
    constraint_from_json,
    constraints_from_json,
    problem_from_json,
    trace_from_json,
)
from evpv.records.constraints import _CASE

PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```json (\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
READERS: dict[str, Callable[[Any], Any]] = {
    "problem": lambda record: problem_from_json(record, default_id="line-17").candidates[0],
    "candidate": candidate_from_json,
    "constraint": constraint_from_json,
    "constraints": lambda record: constraints_from_json(record["constraints"])[0],
    "case": _CASE.read,
    "trace": trace_from_json,
}


@pytest.mark.parametrize(("kind", "text"), EXAMPLES)
def test_an_example_of_the_page_is_read_without_a_note(kind: str, text: str) -> None:
    assert "note" not in READERS[kind](json.loads(text)).extra


def test_the_page_has_an_example_of_everything() -> None:
    assert {kind for kind, _ in EXAMPLES} == set(READERS)
    assert PAGE.count("\n```json ") == len(EXAMPLES)


def test_the_error_on_the_page_is_what_is_said() -> None:
    record = {"id": "a", "candidates": [{"steps": ["s", {"text": 3}]}]}
    with pytest.raises(RecordError) as caught:
        problem_from_json(record)
    assert f"problems.jsonl:7: {caught.value}" in PAGE
