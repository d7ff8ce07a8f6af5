"""What the tests of the study share: three figures with labelled candidates, and a plan whose models answer by rule."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from tests.paths import python_path

HERE = Path(__file__).parent
PLAN = """
k = 3
[models.rule]
{model}
answers = {{sample = 13, extract = 34, judge = 2}}
[benchmarks.lines]
file = "problems.jsonl"
column = "MathVista"
expected = {{steps = 1, step_words = 4, facts = 3}}
[policies.own]
use = "own"
[policies.rule]
use = "chat"
backend = "rule"
attempts = 1
[extractors.rule]
use = "chat"
backend = "rule"
[judges.checks]
use = "checks"
[judges.rule]
use = "chat"
backend = "rule"
[[experiments]]
names = "plug-in,corruption,ablations,best-of-n"
policies = ["own"]
judges = ["rule"]
"""

HERE_MODEL = 'use = "study_model:RuleModel"\nlog = "{log}"\npause_s = {pause_s}'
IN_FLIGHT = 4
SERVED_MODEL = f"""model = "rule"
serve = ["{sys.executable}", "{HERE / "rule_server.py"}", "{{{{port}}}}", "{{log}}", "{{pause_s}}"]
concurrency = {IN_FLIGHT}"""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyFiles:
    """A plan on disk, where its study goes, and the model's own account of what it was asked."""

    plan: Path
    folder: Path
    log: Path

    def command(self, *words: str) -> subprocess.Popen[bytes]:
        """`evpv study …` as a user starts it, with the model's module to be found."""
        line = [sys.executable, "-m", "evpv", "study", *words, str(self.plan), "-o", str(self.folder)]
        environment = {**os.environ, "PYTHONPATH": python_path(HERE), "OMP_NUM_THREADS": "1", "COLUMNS": "200"}
        return subprocess.Popen(
            line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, start_new_session=True
        )

    def run(self, *words: str) -> str:
        with self.command(*words) as process:
            said = process.communicate(timeout=600)[0].decode()
        assert process.returncode == 0, said
        return said

    def calls(self) -> list[str]:
        return [json.loads(line)["key"] for line in self.log.read_text(encoding="utf-8").splitlines()]


def write_study(folder: Path, pause_s: float = 0.0, model: str = HERE_MODEL) -> StudyFiles:
    """The plan and its problems: sixty steps in all, a few wrong ones, two sources."""
    folder.mkdir(parents=True, exist_ok=True)
    records = []
    for number in range(3):
        Image.new("RGB", (64, 48 + 2 * number), "white").save(folder / f"{number}.png")
        records.append(
            {
                "id": f"p{number}", "image": f"{number}.png", "question": "How long is AB?", "answer": "12",
                "data_source": "MMMU" if number else "DynaMath",
                "candidates": [_candidate("a", "12", 1), _candidate("b", "15", -1), _candidate("c", "12", 1)],
            }
        )  # fmt: skip
    (folder / "problems.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    log = folder / "calls.jsonl"
    log.touch()
    plan = folder / "lines.toml"
    plan.write_text(PLAN.format(model=model.format(log=log, pause_s=pause_s)), encoding="utf-8")
    return StudyFiles(plan=plan, folder=folder / "study", log=log)


def _candidate(name: str, answer: str, label: int) -> dict[str, object]:
    steps = [
        {"text": f"AB is {answer} cm.", "claim": f"AB = {answer} cm", "label": label, "visual": True},
        {"text": f"So {answer}.", "claim": None, "label": label, "visual": False},
    ]
    return {"id": name, "steps": steps, "final_answer": answer}
