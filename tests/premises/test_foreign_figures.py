"""What people wrote of one figure is said of another, with its names and odd values: whatever comes of it, nothing breaks."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from itertools import cycle
from pathlib import Path

import pytest

from evpv.premises.matching.grounded import grounded_matcher
from evpv.records import constraints_from_json
from evpv.types import VERDICTS, Constraint, Numeric

Facts = tuple[Constraint, ...]

HANDS = sorted((Path(__file__).parents[2] / "benchmarks" / "hands").glob("*.jsonl"))


def _figures_and_texts() -> tuple[list[Facts], list[tuple[str, Facts]]]:
    figures: list[Facts] = []
    texts: list[tuple[str, Facts]] = []
    for path in HANDS:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        own = {row["figure"]: constraints_from_json(row["constraints"]) for row in rows if row["kind"] == "figure"}
        figures += own.values()
        texts += [(row["text"], own[row["figure"]]) for row in rows if row["kind"] != "figure"]
    return figures, texts


def _names(facts: Facts) -> list[str]:
    numbers = [fact for fact in facts if isinstance(fact, Numeric)]
    return sorted({name for one in numbers for name in ((one.row, one.column) if one.row else (one.entity,)) if name})


def _numbers_become(change: Callable[[Numeric, random.Random], Numeric]) -> Callable[[Facts, random.Random], Facts]:
    return lambda facts, rng: tuple(change(one, rng) if isinstance(one, Numeric) else one for one in facts)


def _in_total(one: Numeric, rng: random.Random) -> Numeric:
    return replace(one, row="Total", entity=f"Total {one.column or ''}".strip()) if rng.random() < 0.7 else one


ODD: dict[str, Callable[[Facts, random.Random], Facts]] = {
    "as they are": lambda facts, rng: facts,
    "a quarter of them": lambda facts, rng: tuple(rng.sample(facts, -(-len(facts) // 4))),
    "all zero": _numbers_become(lambda one, rng: replace(one, value=0.0)),
    "with signs turned": _numbers_become(lambda one, rng: replace(one, value=-one.value)),
    "mostly totals": _numbers_become(_in_total),
    "hardly believed": _numbers_become(lambda one, rng: replace(one, confidence=rng.random())),
}  # fmt: skip


@pytest.mark.parametrize("odd", ODD)
def test_a_sentence_about_another_figure_has_a_verdict(odd: str) -> None:
    rng = random.Random(odd)
    figures, texts = _figures_and_texts()
    for _ in range(120):
        text, own = rng.choice(texts)
        facts = ODD[odd](rng.choice(figures), rng)
        others = _names(facts)
        for name, other in zip(sorted(_names(own), key=len, reverse=True), cycle(others or [""]), strict=False):
            text = text.replace(name, other) if other else text
        assert grounded_matcher(facts)(text).verdict in VERDICTS, text
