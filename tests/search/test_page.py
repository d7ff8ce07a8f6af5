"""The page about search: its recipe can be built, and it names only what exists."""

from __future__ import annotations

import re
from pathlib import Path

from evpv.assembly import Builder
from evpv.config import load_recipe
from evpv.search import StepPolicy

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "guided_search.md").read_text(encoding="utf-8")


def test_the_recipe_on_the_page_can_be_built(tmp_path: Path) -> None:
    [recipe] = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    file = tmp_path / "guided.toml"
    file.write_text(recipe.replace('path = "auto"', f'path = "{tmp_path / "answers.sqlite"}"'), encoding="utf-8")
    builder = Builder(load_recipe(str(file)))
    try:
        assert StepPolicy.of(builder.policy()).version.startswith("steps-Qwen/")
        assert builder.pipeline().version
    finally:
        builder.close()


def test_the_page_names_files_and_tests_that_exist() -> None:
    for file in re.findall(r"`((?:src|tests)/[\w/.-]+)`", PAGE):
        assert (ROOT / file).exists(), file
    source = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "tests" / "search").glob("test_*.py"))
    for test in re.findall(r"`(test_\w+)`", PAGE):
        assert f"def {test}(" in source
