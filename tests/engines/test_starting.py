"""Engines by name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from evpv.config import load_recipe
from evpv.engines.local import _with_shared_budget, start_engine
from evpv.engines.work import RunOrder
from evpv.errors import ConfigError


def order(folder: Path) -> RunOrder:
    return RunOrder(recipe=load_recipe("given"), problems=str(folder / "problems.jsonl"), folder=str(folder / "run"))


def test_workers_share_the_budget_and_without_one_there_is_nothing_to_share(tmp_path: Path) -> None:
    plain = order(tmp_path)
    assert _with_shared_budget(plain, 4) == plain
    rich = replace(plain, recipe=replace(plain.recipe, budget=10.0))
    assert _with_shared_budget(rich, 4).recipe.budget == 2.5


def test_shards_are_not_for_the_local_engine(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--shards is for --engine ray"):
        start_engine("local", order(tmp_path), 2, "parquet")


def test_models_are_asked_many_questions_at_once_and_figures_read_one_by_one(tmp_path: Path) -> None:
    assert order(tmp_path).at_once == 1
    assert replace(order(tmp_path), recipe=load_recipe("vllm")).at_once == 16
