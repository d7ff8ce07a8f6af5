"""The development packs, where they are there: what the readers reach on real pictures."""

from __future__ import annotations

import importlib.util
import json
import os
from pathlib import Path
from typing import Any

import pytest

from evpv.perception.extractor import EmbeddedExtractor
from evpv.records.constraints import constraints_to_json
from evpv.types import Problem

DATA = Path(os.environ.get("EVPV_DATA", Path(__file__).parents[2].parent / "shared" / "data"))
SCORER = DATA.parent / "tools" / "score_constraints.py"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not SCORER.exists(), reason=f"the development packs are not at {DATA}"),
]


def items(pack: str, count: int) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in (DATA / pack / "items.jsonl").read_text().splitlines()]
    return rows[3 :: len(rows) // count][:count]


def problems(pack: str, rows: list[dict[str, Any]]) -> list[Problem]:
    return [Problem(id=row["id"], question="", images=(str(DATA / pack / row["image"]),)) for row in rows]


def test_tables_are_read_nearly_without_error() -> None:
    spec = importlib.util.spec_from_file_location("score_constraints", SCORER)
    assert spec is not None
    assert spec.loader is not None
    scorer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(scorer)
    rows = items("tables", 30)
    answers = EmbeddedExtractor().extract(problems("tables", rows))
    found = {row["id"]: constraints_to_json(one.constraints) for row, one in zip(rows, answers, strict=True)}
    figures = scorer.report(scorer.score(rows, found))
    assert figures["numeric"]["f1"] >= 0.95
    assert figures["structure"]["f1"] >= 0.95


@pytest.mark.parametrize(("pack", "kind"), [("tables", "table"), ("charts", "chart"), ("geometry", "geometry")])
def test_a_pack_is_taken_for_what_it_is(pack: str, kind: str) -> None:
    answers = EmbeddedExtractor().extract(problems(pack, items(pack, 12)))
    assert sum(answer.kind == kind for answer in answers) >= 11
