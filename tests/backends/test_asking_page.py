"""docs/asking.md against the program."""

from __future__ import annotations

import inspect
import os
import re
import tomllib
from pathlib import Path

import pytest

from evpv.backends import replies, schemas
from evpv.backends.openai_chat import OpenAIChat

PAGE = (Path(__file__).parents[2] / "docs" / "asking.md").read_text(encoding="utf-8")


def _blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_examples_run(tmp_path: Path):
    here = os.getcwd()
    os.chdir(tmp_path)
    try:
        for block in _blocks("python"):
            exec(compile(block.replace("127.0.0.1:8000", "127.0.0.1:1"), "asking.md", "exec"), {})
    finally:
        os.chdir(here)


def test_the_recipe_has_only_settings_that_exist():
    (table,) = _blocks("toml")
    settings = tomllib.loads(table)["backends"]["main"]
    assert settings.pop("use") == "openai-chat"
    OpenAIChat(**settings).close()


def test_every_setting_is_in_the_table_with_its_default():
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", PAGE, re.MULTILINE))
    parameters = inspect.signature(OpenAIChat).parameters
    assert list(parameters) == [name for name in rows if name in parameters]
    for name in ("concurrency", "timeout_s", "attempts"):
        assert float(rows[name]) == parameters[name].default


@pytest.mark.parametrize("module", [replies, schemas])
def test_every_repair_is_explained(module):  # type: ignore[no-untyped-def]
    named = re.findall(r'"([a-z]+(?:-[a-z]+)+)"', inspect.getsource(module))
    named += [
        name
        for name in ("thought", "fence", "prose", "half", "syntax", "nan", "latex")
        if f'"{name}"' in inspect.getsource(module)
    ]
    assert named
    assert [name for name in set(named) if f"`{name}`" not in PAGE] == []
