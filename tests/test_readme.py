"""What the README shows is what one gets."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evpv.cli import app

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def shown(name: str, text: str = README) -> str:
    """The block between <!-- name --> and <!-- end of name -->."""
    match = re.search(rf"<!-- {name} -->\n```\n(.*?)```\n<!-- end of {name} -->", text, re.DOTALL)
    assert match, f"there is no block {name}"
    return match[1]


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines() if line.strip()]


def test_the_python_session_runs_as_shown() -> None:
    results = doctest.testfile(str(ROOT / "README.md"), module_relative=False, encoding="utf-8")
    assert results.attempted >= 5
    assert results.failed == 0


def test_matching_the_examples_prints_what_is_shown(tmp_path: Path) -> None:
    result = CliRunner().invoke(
        app, ["match", str(ROOT / "examples" / "claims.jsonl"), "-o", str(tmp_path / "matches.jsonl")]
    )
    assert result.exit_code == 0, result.output
    assert lines(result.output) == lines(shown("match", (ROOT / "docs" / "method.md").read_text(encoding="utf-8")))


@pytest.mark.slow
def test_the_demo_ends_as_shown(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["demo", "-o", str(tmp_path / "demo")])
    assert result.exit_code == 0, result.output
    table = lines(shown("demo"))
    assert [line for line in lines(result.output) if line in table] == table


def test_the_tree_lists_every_module() -> None:
    check = subprocess.run([sys.executable, str(ROOT / "scripts" / "write_tree.py"), "--check"], check=False)
    assert check.returncode == 0, "run scripts/write_tree.py"


def test_the_two_commands_are_targets_of_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^make ([a-z-]+)", README, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_every_command_shown_exists() -> None:
    known = {command.name or command.callback.__name__ for command in app.registered_commands if command.callback}
    for command in re.findall(r"^evpv ([a-z]+)", README, re.MULTILINE):
        assert command in known, command


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 160
