"""What docs/running.md and docs/deployment.md show is what there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evpv.cli import app
from tests.engines.conftest import problem, write_problems

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("running.md", "deployment.md")


def text(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


def test_the_python_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_problems(tmp_path / "problems.jsonl", [problem(number) for number in range(3)])
    monkeypatch.chdir(tmp_path)
    [program] = re.findall(r"```python\n(.*?)```", text("running.md"), re.DOTALL)
    exec(compile(program, "docs/running.md", "exec"), {})
    assert sorted(capsys.readouterr().out.splitlines()) == [f"p0000{number} None" for number in range(3)]


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_the_page_have_these_options(page: str) -> None:
    shown = re.findall(r"^(?:\w+=\S+ )?evpv (\w+)(.*)$", text(page), re.MULTILINE)
    assert shown
    for command, rest in shown:
        described = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "300", "TERM": "dumb"}).output
        for option in re.findall(r"(?<!\S)--[a-z-]+", rest):
            assert option in described, f"evpv {command} {option}"


@pytest.mark.parametrize("page", PAGES)
def test_files_that_the_page_names_are_there(page: str) -> None:
    for link in re.findall(r"\]\(([\w./]+\.md)\)", text(page)):
        assert (DOCS / link).exists(), link
    for module in re.findall(r"`(engines/\w+\.py)`", text(page)):
        assert (DOCS.parent / "src" / "evpv" / module).exists(), module
    for script in re.findall(r"`(benchmarks/\w+\.py)`", text(page)):
        assert (DOCS.parent / script).exists(), script
