"""Problems that are done in milliseconds, and `evpv rank` as a process that can be killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.paths import python_path

HERE = Path(__file__).parent
FACT = {"category": "numeric", "entity": "segment AB", "attribute": "length", "value": 12, "unit": "cm"}


def problem(number: int, **more: Any) -> dict[str, Any]:
    """One problem with its constraint and two candidates, of which one misreads it."""
    candidates = [
        {"id": name, "steps": [{"text": f"AB is {n} cm, and {n} + {number} = {n + number}.", "claim": f"AB = {n} cm"}]}
        for name, n in (("right", 12), ("wrong", 15))
    ]
    question = f"How long is AB and {number} cm more?"
    return {"id": f"p{number:05}", "question": question, "constraints": [FACT], "candidates": candidates, **more}


def write_problems(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def recipe(path: Path, extractor: str, **settings: str) -> Path:
    """A recipe with an extractor of `faulty_parts`."""
    lines = "".join(f'{name} = "{value}"\n' for name, value in settings.items())
    path.write_text(
        f'[extractor]\nuse = "{extractor}"\n{lines}[judge]\nuse = "checks"\n[auditor]\nmode = "off"\n', encoding="utf-8"
    )
    return path


def gated(folder: Path) -> tuple[str, ...]:
    """The recipe `given` with problems that wait until the folder's file `open` lets them be done."""
    changes = ("extractor.use=faulty_parts:GatedExtractor", f"extractor.folder={folder}")
    return ("--recipe", "given", *(word for change in changes for word in ("--set", change)))


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": python_path(HERE), "RAY_USAGE_STATS_ENABLED": "0"}


def command(*arguments: object, before: str = "") -> list[str]:
    return [sys.executable, "-c", f"{before}\nfrom evpv.cli import main; main()", *map(str, arguments)]


Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def evpv(tmp_path: Path) -> Run:
    """Runs `evpv` in the test's folder to its end."""

    def run(*arguments: object, before: str = "") -> subprocess.CompletedProcess[str]:
        line = command(*arguments, before=before)
        return subprocess.run(line, cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=500)

    return run


@pytest.fixture
def faulty_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests' plug-ins can be named in recipes."""
    monkeypatch.syspath_prepend(str(HERE))


def lines(run: Path) -> list[bytes]:
    """A run's traces as bytes, sorted."""
    return sorted((run / "traces.jsonl").read_bytes().splitlines(keepends=True))


def records(path: Path) -> list[Mapping[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
