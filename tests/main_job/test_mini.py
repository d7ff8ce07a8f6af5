"""The shipped mini models: they load offline, read small figures, and the whole method runs on them."""

from __future__ import annotations

from pathlib import Path

import pytest

from evpv.assembly import Verifier
from evpv.backends.local_weights import Weights, place
from evpv.errors import ConfigError
from evpv.figures import small_families, write_problems
from evpv.records import read_problems
from evpv.types import Numeric, Problem

MODELS = ("evpv:mini-extractor", "evpv:mini-verifier")


@pytest.fixture(scope="module")
def problems(tmp_path_factory: pytest.TempPathFactory) -> list[Problem]:
    folder = tmp_path_factory.mktemp("small") / "problems"
    write_problems(folder, small_families(), 12, 400, split="test")
    return list(read_problems(folder / "problems.jsonl"))


def test_both_models_with_their_cards_take_at_most_25_megabytes() -> None:
    files = [file for model in MODELS for file in place(model).iterdir()]
    assert sum(file.stat().st_size for file in files) < 25e6
    for model in MODELS:
        card = (place(model) / "README.md").read_text(encoding="utf-8")
        assert "## Held out" in card
        assert "## Limits" in card


def test_a_shipped_model_is_known_by_its_content_and_a_misspelt_one_is_named() -> None:
    assert Weights(model=MODELS[0]).name.startswith("evpv:mini-extractor@")
    with pytest.raises(ConfigError, match="mini-extractor"):
        place("evpv:mini-extracter")


def test_the_mini_models_read_unseen_figures_and_rank_their_candidates(problems: list[Problem], tmp_path: Path) -> None:
    with Verifier.from_recipe("mini", {"extractor.cache": str(tmp_path)}) as verifier:
        traces = verifier.pipeline.traces(problems)
    read = right = best = 0
    for problem, trace in zip(problems, traces, strict=True):
        gold = {(fact["entity"], fact["value"]) for fact in problem.extra["constraints"] if "value" in fact}
        found = {(fact.entity, fact.value) for fact in trace.constraints if isinstance(fact, Numeric)}
        right += len({_sorted(one) for one in gold} & {_sorted(one) for one in found})
        read += len(gold)
        correct = {candidate.id for candidate in problem.candidates if candidate.correct}
        best += trace.ranking.order[0] in correct
        assert all(step.base_reward is not None for candidate in trace.candidates for step in candidate.steps)
    assert right / read >= 0.9
    assert best >= 7


def _sorted(fact: tuple[str, float]) -> tuple[str, float]:
    """A side by its ends in alphabetical order: the drawing does not say whether it is AB or BA."""
    entity, value = fact
    kind, _, label = entity.rpartition(" ")
    return (f"{kind} {''.join(sorted(label))}" if kind == "segment" else entity, value)
