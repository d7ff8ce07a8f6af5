"""`evpv train` says what it will not do, and does what it says."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from evpv.cli import app
from evpv.errors import EvpvError
from evpv.training.recipes import _training_recipe_names, training_recipe
from evpv.training.runs import train


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["extractor", "--recipe", "paper-verifier"], "trains a verifier, not a extractor"),
        (["extractor", "--recipe", "papr-extractor"], "did you mean 'paper-extractor'"),
        (["verifier", "--set", "learning.rate=1"], "setting of"),
        (["verifier", "--set", "rate=1"], "section.name"),
        (["extractor", "--set", 'data.train=""', "--set", "model.start=new:toy"], "needs [data] train"),
    ],
)
def test_a_wrong_order_is_refused_before_anything_is_loaded(tmp_path: Path, arguments: list[str], said: str) -> None:
    result = CliRunner().invoke(app, ["train", *arguments, "-o", str(tmp_path / "run")])
    assert result.exit_code == 1
    assert isinstance(result.exception, EvpvError)
    assert said in str(result.exception)


def test_every_shipped_recipe_is_whole() -> None:
    assert {"paper-extractor", "paper-preferences", "paper-verifier", "mini-extractor", "mini-verifier"} <= set(
        _training_recipe_names()
    )


def test_a_run_leaves_a_model_a_log_a_card_and_pages(tmp_path: Path, toy: Path, corpus: Path) -> None:
    plan = {
        "kind": "verifier",
        "model": {"start": str(toy), "freeze_vision": True},
        "data": {"train": str(corpus), "held_out": str(corpus), "held_out_limit": 4},
        "learning": {"steps": 2, "batch": 4, "precision": "fp32"},
        "verifier": {"constraints": True},
    }
    report = train(training_recipe("mine", plan), tmp_path / "run")
    assert report["rows"] == 48
    names = {path.name for path in (tmp_path / "run").iterdir()}
    assert {"model.safetensors", "training.json", "README.md", "corpus.md", "leakage.md", "tokenizer.json"} <= names
    card = (tmp_path / "run" / "README.md").read_text(encoding="utf-8")
    assert "| rows | 48 |" in card
    assert str(tmp_path) not in card
