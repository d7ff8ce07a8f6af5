"""The page about integrations names only what exists."""

from __future__ import annotations

import re
from dataclasses import fields
from importlib import import_module
from pathlib import Path

from evpv.integrations.rewards import Reward, Terms

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "integrations.md").read_text(encoding="utf-8")


def test_every_file_and_import_on_the_page_exists() -> None:
    files = re.findall(r"(?:src|tests|examples|benchmarks)/[\w/]+\.(?:py|ipynb)", PAGE)
    assert len(files) >= 4
    for file in files:
        assert (ROOT / file).is_file(), file
    imports = re.findall(r"^from (evpv[\w.]+) import (.+)$", PAGE, re.MULTILINE)
    assert imports
    for module, names in imports:
        for name in names.split(", "):
            assert hasattr(import_module(module), name)


def test_the_page_tells_of_every_term_and_of_all_that_a_reward_holds() -> None:
    for field in fields(Terms):
        assert f"| `{field.name}` |" in PAGE
    for field in fields(Reward):
        assert f"found.{field.name}" in PAGE
