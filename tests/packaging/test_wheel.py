"""From the wheel, as a new user installs it: one fresh environment per extra, the README's commands, no Makefile."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CASE = {
    "id": "c1",
    "claim": "AB = 10",
    "constraints": [{"category": "numeric", "entity": "segment AB", "attribute": "length", "value": 10}],
}


def _run(*command: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    words = [str(word) for word in command]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=1800, check=False)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    built = _run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", folder, ROOT, folder=folder)
    assert built.returncode == 0, built.stderr
    return next(folder.glob("*.whl"))


def _environment(folder: Path, wheel: Path, extra: str) -> Path:
    """A fresh environment with the wheel and one extra; where its commands are."""
    venv.create(folder / "env", with_pip=True)
    programs = folder / "env" / "bin"
    wanted = f"{wheel}[{extra}]" if extra else str(wheel)
    done = _run(
        programs / "python", "-m", "pip", "install", "--quiet", "-c", ROOT / "constraints.txt", wanted, folder=folder
    )
    assert done.returncode == 0, done.stderr
    return programs


@pytest.mark.slow
def test_the_core_matches_claims_and_names_what_is_missing_with_one_command(wheel: Path, tmp_path: Path) -> None:
    programs = _environment(tmp_path, wheel, "")
    (tmp_path / "cases.jsonl").write_text(json.dumps(CASE) + "\n", encoding="utf-8")
    matched = _run(programs / "evpv", "match", "cases.jsonl", "-o", "out.jsonl", folder=tmp_path)
    assert matched.returncode == 0, matched.stderr
    assert json.loads((tmp_path / "out.jsonl").read_text(encoding="utf-8"))["verdict"] == "supported"
    for command, extra in ((("demo",), "vision"), (("serve",), "server")):
        refused = _run(programs / "evpv", *command, folder=tmp_path)
        assert refused.returncode == 1
        assert refused.stderr.count("pip install") == 1
        assert extra in refused.stderr
        assert "Traceback" not in refused.stderr


@pytest.mark.slow
def test_the_vision_extra_runs_the_demo(wheel: Path, tmp_path: Path) -> None:
    programs = _environment(tmp_path, wheel, "vision")
    done = _run(programs / "evpv", "demo", "-n", "2", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "demo" / "run" / "report.html").stat().st_size > 10_000


@pytest.mark.slow
def test_the_local_extra_runs_the_mini_models(wheel: Path, tmp_path: Path) -> None:
    programs = _environment(tmp_path, wheel, "vision,local")
    drawn = _run(programs / "evpv", "figures", "-n", "2", "-o", "drawn", "--family", "small-tables", folder=tmp_path)
    assert drawn.returncode == 0, drawn.stderr
    problems = next((tmp_path / "drawn").glob("*.jsonl"))
    done = _run(programs / "evpv", "rank", problems, "-o", "run", "--recipe", "mini", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "run" / "report.html").exists()
