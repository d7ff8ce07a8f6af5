"""`evpv cache`, as a user calls it."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from evpv.backends.store import AnswerStore
from evpv.cli import app
from evpv.errors import ConfigError
from evpv.protocols import ChatReply


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A store with three answers of two models."""
    path = tmp_path / "answers.sqlite"
    store = AnswerStore(path)
    for key, model in (("a", "qwen"), ("b", "qwen"), ("c", "gemma")):
        store.put(key, model, "judge", ChatReply(text="x" * 1000))
    store.close()
    return path


def test_stats_show_models_sizes_and_constraints(kept: Path, tmp_path: Path):
    (tmp_path / "ab").mkdir()
    (tmp_path / "ab" / "abcd.json").write_text("{}")
    result = CliRunner().invoke(app, ["cache", "stats", "--store", str(kept), "--constraints", str(tmp_path)])
    assert result.exit_code == 0
    lines = [" ".join(line.replace("│", " ").split()) for line in result.output.splitlines()]
    assert "qwen 2 2.0 kB 0 s 0 s" in lines
    assert "gemma 1 1.0 kB 0 s 0 s" in lines
    assert "constraints of 1 figures and questions" in result.output


def test_stats_of_nothing_say_so(tmp_path: Path):
    result = CliRunner().invoke(app, ["cache", "stats", "--store", str(tmp_path / "absent.sqlite")])
    assert result.exit_code == 0
    assert "no answers are kept" in result.output
    assert not (tmp_path / "absent.sqlite").exists()


@pytest.mark.parametrize(
    ("options", "removed"),
    [
        (["--model", "qwen"], 2),
        (["--older-than", "1h"], 0),
        (["--older-than", "0s"], 3),
        (["--keep", "0"], 3),
        (["--keep", "1.5kB"], 2),
    ],
)
def test_prune_removes_what_is_named(kept: Path, options: list[str], removed: int):
    result = CliRunner().invoke(app, ["cache", "prune", "--store", str(kept), *options])
    assert result.exit_code == 0
    assert f"{removed} answers removed" in result.output
    store = AnswerStore(kept)
    assert sum(shelf.answers for shelf in store.by_model()) == 3 - removed
    store.close()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "say what to remove"),
        (["--older-than", "soon"], "'soon' is not an amount such as 30d"),
        (["--keep", "3 hats"], "such as 500MB"),
    ],
)
def test_prune_asks_what_is_meant(kept: Path, options: list[str], message: str):
    result = CliRunner().invoke(app, ["cache", "prune", "--store", str(kept), *options])
    assert isinstance(result.exception, ConfigError)
    assert message in str(result.exception)
