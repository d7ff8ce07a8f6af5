"""From the wheel, as a new user installs it: one fresh environment per extra, the README's commands, no Makefile."""

from __future__ import annotations

import ast
import json
import re
import shlex
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from evpv.assembly import EXTRAS

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


_CORE = {"numpy", "pydantic", "pydantic_core", "typer", "rich", "rapidfuzz", "pint", "sympy", "evpv"}
_DEVELOPERS = {"pygal", "vl_convert", "torchvision"}
"""Looks of charts that only tests draw with, and a part that transformers asks for and torch does not bring."""


def _imported(file: Path) -> set[str]:
    """The packages that a module imports, at its top or inside a function."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name.partition(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


def test_every_package_that_may_be_missing_is_known_by_its_extra() -> None:
    """Else its absence would be told without the command that ends it."""
    files = [file for file in (ROOT / "src").rglob("*.py") if "node_modules" not in file.parts]
    foreign = set().union(*map(_imported, files)) - set(sys.stdlib_module_names) - _CORE - _DEVELOPERS
    assert foreign <= set(EXTRAS), foreign - set(EXTRAS)


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
def test_the_local_extra_alone_runs_the_mini_models(wheel: Path, tmp_path: Path) -> None:
    programs = _environment(tmp_path, wheel, "local")
    figures = ("figures", "-n", "2", "-o", "drawn", "--family", "small-tables")
    drawn = _run(Path(sys.executable).with_name("evpv"), *figures, folder=tmp_path)  # drawing is not what is tried here
    assert drawn.returncode == 0, drawn.stderr
    done = _run(programs / "evpv", "rank", "drawn/problems.jsonl", "-o", "run", "--recipe", "mini", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "run" / "report.html").exists()


def _shell_lines(readme: str) -> list[list[str]]:
    """The commands that the README shows, in order, without those that need a model's server or do not end."""
    own_model = re.compile(r"## Your own model.*?(?=\n## )", re.DOTALL)
    blocks = re.findall(r"```sh\n(.*?)```", own_model.sub("", readme), re.DOTALL)
    lines = [shlex.split(line, comments=True) for block in blocks for line in block.splitlines()]
    return [line[1:] for line in lines if line[:1] == ["evpv"] and line[1] != "serve"]


def _walk_start(folder: Path, programs: Path) -> None:
    """What somebody has who reads the README: a figure, problems, a benchmark's file, the examples."""
    families = ("--family", "bar-charts", "--family", "tables", "--split", "test")
    drawn = _run(programs / "evpv", "figures", "-n", "6", "-o", "drawn", *families, folder=folder)
    assert drawn.returncode == 0, drawn.stderr
    rows = (folder / "drawn" / "problems.jsonl").read_text(encoding="utf-8")
    (folder / "problems.jsonl").write_text(rows.replace('"images/', '"drawn/images/'), encoding="utf-8")
    first = next(path for path in sorted((folder / "drawn" / "images").iterdir()) if path.name.startswith("bar"))
    shutil.copy(first, folder / "figure.png")
    row = {"pid": "1", "question": "?", "image": "figure.png", "answer": "1", "question_type": "free_form"}
    (folder / "annot_testmini.json").write_text(json.dumps({"1": row}), encoding="utf-8")
    shutil.copytree(ROOT / "examples", folder / "examples")


@pytest.mark.slow
def test_the_readme_can_be_walked_from_the_wheel(wheel: Path, tmp_path: Path) -> None:
    """Each command as it stands; where a part is missing, the one command that the message names is followed."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    programs = _environment(tmp_path, wheel, "vision")
    _walk_start(tmp_path, programs)
    [program] = re.findall(r"```python\n(from evpv import Verifier\n.*?)```", readme, re.DOTALL)
    (tmp_path / "own_figure.py").write_text(program, encoding="utf-8")
    own = _run(programs / "python", "own_figure.py", folder=tmp_path)
    assert own.returncode == 0, own.stderr
    assert own.stdout.startswith("p1: ")
    assert (tmp_path / "page.html").exists()
    walked = _shell_lines(readme)
    assert len(walked) >= 9
    for line in walked:
        done = _run(programs / "evpv", *line, folder=tmp_path)
        for extra in re.findall(r"pip install 'evpv\[(\w+)\]'", done.stderr):
            wanted = ("-m", "pip", "install", "--quiet", "-c", ROOT / "constraints.txt", f"{wheel}[{extra}]")
            assert _run(programs / "python", *wanted, folder=tmp_path).returncode == 0
            done = _run(programs / "evpv", *line, folder=tmp_path)
        assert done.returncode == 0, f"evpv {' '.join(line)}: {done.stdout[-500:]}{done.stderr[-1500:]}"
        assert "Traceback" not in done.stderr
