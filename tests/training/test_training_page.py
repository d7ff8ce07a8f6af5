"""docs/training.md, followed from an empty disk at tiny width: every command in its order, nothing left out."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

from evpv.cli import app

HERE = Path(__file__).parent
PAGE = (HERE.parents[1] / "docs" / "training.md").read_text(encoding="utf-8")
COMMANDS = [
    line
    for block in re.findall(r"```\n(.*?)```", PAGE, re.DOTALL)
    for line in block.splitlines()
    if line.startswith("evpv ")
]
TINY = {
    "learning.steps": "1", "learning.batch": "2", "learning.precision": "fp32", "learning.workers": "0",
    "data.max_pixels": "12544", "data.sample": "0",
}  # fmt: skip
TEACHER = """
[backends.main]
use = "scripted_teacher:ScriptedTeacher"

[extractor]
use = "chat"
backend = "main"

[judge]
use = "checks"
"""


def published(folder: Path) -> None:
    """The two data sets as their authors publish them, a few rows each."""
    for name in ("VisualProcessBench/images/1.png", "VisualPRM400K/images/geo170k/1.png"):
        (folder / name).parent.mkdir(parents=True)
        Image.new("RGB", (84, 56), "white" if "400K" in name else "red").save(folder / name)
    response = {"steps": ["AB = 3.", "So the answer is 3."], "process_correctness": [1, -1]}
    row = {"image": ["images/1.png"], "question": "How long is CD?", "answer": "3", "response": response}
    (folder / "VisualProcessBench/test.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    steps = [{"step": "AB = 3.", "score": 1.0}, {"step": "So 3.", "score": 1.0}]
    rows = [
        {"image": "geo170k/1.png", "question": f"How long is AB, {n}?", "steps_with_score": steps} for n in range(6)
    ]
    file = folder / "VisualPRM400K/annotations/geo170k.jsonl"
    file.parent.mkdir()
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def tiny(line: str, toy: Path, folder: Path) -> list[str]:
    """The command with small numbers, a scripted teacher, and two processes in place of eight GPUs."""
    words = shlex.split(line.partition("#")[0])[1:]
    if words[0] == "distill":
        at = words.index("--recipe")
        words = [*words[:at], "--recipe", str(folder / "teacher.toml")]
        words = [{"26454": "4", "5832": "2"}.get(word, word) for word in words]
    if words[0] == "train" and "--smoke" not in words:
        if "--plan" not in words:
            words[words.index("--gpus") + 1] = "2"
        start = {} if words[1] == "preferences" else {"model.start": str(toy)}
        changes = start if "--plan" in words else {**TINY, **start}
        words += [word for key, value in changes.items() for word in ("--set", f"{key}={value}")]
    if words[0] == "figures":
        words[words.index("-n") + 1] = "2"
    if words[0] == "rank":
        # an extractor of one update writes no array that ends, which is a failure; the mini one does
        words += ["--set", "backends.eyes.model=evpv:mini-extractor", "--set", f"extractor.cache={folder / 'cache'}"]
    return words


def test_the_page_names_every_stage() -> None:
    named = [" ".join(shlex.split(line)[1:3]) for line in COMMANDS]
    assert named == [
        "train --smoke", "import visualprocessbench", *["distill VisualPRM400K"] * 2, "distill constraints-hard.jsonl",
        *["train extractor"] * 2, "train preferences", "train verifier", "rank benchmarks/visualprocessbench.jsonl",
        "evaluate runs/table1", "figures --family", "rank small/problems.jsonl",
    ]  # fmt: skip


@pytest.mark.slow
def test_the_page_can_be_followed(tmp_path: Path, toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(HERE))
    published(tmp_path)
    (tmp_path / "teacher.toml").write_text(TEACHER, encoding="utf-8")
    try:
        for line in COMMANDS:
            words = tiny(line, toy, tmp_path)
            done = CliRunner().invoke(app, words)
            assert done.exit_code == 0, f"{line}\n{words}\n{done.output}\n{done.exception!r}"
    finally:
        sys.modules.pop("scripted_teacher", None)
    counts = {name: len((tmp_path / name).read_text().splitlines()) for name in ("constraints.jsonl", "pairs.jsonl")}
    assert counts == {"constraints.jsonl": 4, "pairs.jsonl": 2}
    assert json.loads((tmp_path / "runs/paper-verifier/training.json").read_text())["rows"] == 6
    shutil.rmtree(tmp_path / "runs")
