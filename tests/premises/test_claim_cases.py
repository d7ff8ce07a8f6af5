"""Claims in other people's words: accuracy over the project's own cases, and over the shared ones where they are."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from evpv.premises.matching.grounded import grounded_matcher
from evpv.records import constraints_from_json
from evpv.types import Match

OWN = sorted((Path(__file__).parent / "claims").glob("*.jsonl"))
SHARED_DATA = Path(os.environ.get("EVPV_DATA") or Path(__file__).parents[2].parent / "shared" / "data")
SHARED = SHARED_DATA / "matching" / "items.jsonl"
TYPE_BAR, VERDICT_BAR = 0.95, 0.92


def matched(path: Path) -> list[tuple[dict[str, Any], Match]]:
    """Each case of a file with what `grounded` finds."""
    cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [(case, grounded_matcher(constraints_from_json(case["constraints"]))(case["claim"])) for case in cases]


def accuracy(found: list[tuple[dict[str, Any], Match]]) -> tuple[float, float]:
    types = sum(match.type == case["type"] for case, match in found)
    verdicts = sum(match.verdict == case["verdict"] for case, match in found)
    return types / len(found), verdicts / len(found)


def near_misses(found: list[tuple[dict[str, Any], Match]]) -> dict[str, str]:
    """What was found of the claims whose number is only nearly right."""
    return {case["claim"]: match.verdict for case, match in found if case["note"] == "near-miss"}


def test_the_claim_cases_are_all_there() -> None:
    assert [path.stem for path in OWN] == ["a", "b", "c", "d", "e"]
    assert sum(len(matched(path)) for path in OWN) == 600


def test_the_projects_own_cases_reach_the_bars() -> None:
    found = [pair for path in OWN for pair in matched(path)]
    types, verdicts = accuracy(found)
    assert types >= TYPE_BAR
    assert verdicts >= VERDICT_BAR


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_no_near_miss_is_called_supported(path: Path) -> None:
    found = near_misses(matched(path))
    assert found
    assert "supported" not in found.values()


@pytest.mark.skipif(not SHARED.exists(), reason="the shared matching cases are not on this machine")
def test_the_shared_cases_reach_the_bars() -> None:
    types, verdicts = accuracy(matched(SHARED))
    assert types >= TYPE_BAR
    assert verdicts >= VERDICT_BAR


@pytest.mark.skipif(not SHARED.exists(), reason="the shared matching cases are not on this machine")
def test_every_shared_near_miss_is_contradicted() -> None:
    found = near_misses(matched(SHARED))
    assert found
    assert set(found.values()) == {"contradicted"}
