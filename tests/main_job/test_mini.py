"""The shipped mini models: they load offline, read small figures, and the whole method runs on them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evpv import grounded_matcher, paper_matcher
from evpv.assembly import Verifier
from evpv.backends.local_weights import Weights, place
from evpv.backends.step_forms import trained_with_facts
from evpv.config import load_recipe
from evpv.errors import ConfigError
from evpv.experiments.catalogue import ablations
from evpv.experiments.trials import Trials
from evpv.figures import small_families, write_problems
from evpv.judges.step_models import VerifierJudge
from evpv.records import constraints_from_json, read_problems
from evpv.types import Numeric, Problem, Structure

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


def test_mini_is_the_papers_recipe_with_other_weights() -> None:
    mini, whole = (load_recipe(name).settings() for name in ("mini", "evpv-prm"))
    for settings in (mini, whole):
        settings["backends"]["eyes"].pop("model")
        settings["judge"].pop("model")
    assert mini == whole
    assert whole["auditor"] == {"mode": "fill"}


def test_evidence_is_as_in_training_and_anything_else_is_told(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    assert VerifierJudge(model=MODELS[1]).version.endswith("-evidence")
    assert not caplog.records
    VerifierJudge(model=MODELS[1], evidence=False)
    assert "was trained with constraints" in caplog.text
    report = {"recipe": {"verifier": {"constraints": False, "loss": "sum"}}}
    (tmp_path / "training.json").write_text(json.dumps(report, indent=1), encoding="utf-8")
    assert VerifierJudge(model=str(tmp_path)).version.endswith("-alone")
    assert trained_with_facts("Qwen/Qwen2.5-VL-7B-Instruct") is None


def test_ablations_that_make_sense_for_trained_parts_can_be_run(problems: list[Problem]) -> None:
    trials = Trials(problems=problems, recipe=load_recipe("mini"))
    refused = {}
    for variant in ablations(chat_extractor=False):
        try:
            trials.check(variant)
        except ConfigError:
            refused.setdefault(variant.group, []).append(variant.name)
    assert {group: len(names) for group, names in refused.items()} == {
        "Evidence type": 1,  # a prompt of other words: a trained extractor has no prompt
        "Judge prompt": 4,
        "Parse-failure": 3,  # a number is read from the model, so there is nothing to parse
        "Compound": 1,
    }


def test_a_caption_is_read_by_the_judge_and_never_matched() -> None:
    prose = (Structure(type="caption", parts=("segment AB has length 12 cm, a cone on a cylinder.",)),)
    for matcher in (paper_matcher, grounded_matcher):
        for claim in ("AB is 12 cm.", "The solid is a cone on a cylinder."):
            assert matcher(prose)(claim).verdict in ("missing", "unparsed")


@pytest.mark.parametrize("settings", [{"text_only": True}, {"history": "none"}, {"history": 1}])
def test_what_a_step_is_read_with_changes_its_reward_and_nothing_else(
    problems: list[Problem], settings: dict[str, Any]
) -> None:
    some = [replace(one, candidates=one.candidates[:2]) for one in problems[:2]]
    facts = [constraints_from_json(one.extra["constraints"]) for one in some]
    whole = VerifierJudge(model=MODELS[1]).judge(some, facts)
    less = VerifierJudge(model=MODELS[1], **settings).judge(some, facts)
    assert [[len(steps) for steps in one] for one in less] == [[len(steps) for steps in one] for one in whole]
    first, last = whole[0][0], less[0][0]
    assert last[-1].reward != pytest.approx(first[-1].reward, abs=1e-4)
    if "history" in settings:
        assert last[0].reward == pytest.approx(first[0].reward, abs=1e-4)


def _sorted(fact: tuple[str, float]) -> tuple[str, float]:
    """A side by its ends in alphabetical order: the drawing does not say whether it is AB or BA."""
    entity, value = fact
    kind, _, label = entity.rpartition(" ")
    return (f"{kind} {''.join(sorted(label))}" if kind == "segment" else entity, value)
