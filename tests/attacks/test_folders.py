"""Folders of data that hold programs: whatever evpv is started in, nothing of it is run."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

EVPV = Path(sys.executable).parent / "evpv"
NAMES = (
    "pydantic", "sympy", "numpy", "json", "multiprocessing", "pickle", "socket", "evpv", "cv2", "onnxruntime", "rapidocr",
    "sitecustomize", "usercustomize", "math_verify", "mpmath", "typing_extensions",
)  # fmt: skip
ALGEBRA = {"id": "a", "steps": ["x^2 - 5x + 6 = 0", "So (x - 2)(x - 3) = 0.", "x^3 = 8", "x^3 - 8 = 0"]}
PROBLEM = {"id": "p1", "question": "What is x?", "answer": "3", "candidates": [ALGEBRA]}


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A folder with modules that leave a mark when they are run."""
    for name in NAMES:
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'a').write({name!r} + '\\n')\n")
    for name in ("embedded", "given"):
        (tmp_path / f"{name}.toml").write_text('[extractor]\nuse = "pydantic:Evil"\n[judge]\nuse = "checks"\n')
        (tmp_path / name).write_text("not a recipe")
    (tmp_path / "problems.jsonl").write_text(json.dumps(PROBLEM) + "\n")
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        ("rank", "problems.jsonl", "-o", "run", "--workers", "2"),
        ("rank", "problems.jsonl", "-o", "run", "--recipe", "given"),
        ("extract", "problems.jsonl", "-o", "found.jsonl", "--workers", "2"),
        pytest.param(
            ("rank", "problems.jsonl", "-o", "run", "--engine", "ray", "--workers", "1"), marks=pytest.mark.slow
        ),
    ],
)
def test_nothing_in_the_folder_is_run(hostile: Path, arguments: tuple[str, ...]) -> None:
    done = subprocess.run([EVPV, *arguments], cwd=hostile, capture_output=True, text=True, timeout=120, check=False)
    ran = (hostile / "ran").read_text().split() if (hostile / "ran").exists() else []
    assert ran == [], done.stderr
    assert done.returncode == 0, done.stderr
