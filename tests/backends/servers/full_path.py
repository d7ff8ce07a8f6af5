"""Sample, extract, judge, rank and assess again, by the commands a user types, with one model in every role."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema

from evpv.records import read_traces

SCHEMAS = Path(__file__).parents[3] / "docs" / "schemas"
RECIPE = """
description = "One tiny model in every role."

[backends.main]
{backend}

[store]
path = {store}

[policy]
use = "chat"
backend = "main"
max_tokens = 24
attempts = 2

[extractor]
use = "chat"
backend = "main"
temperature = 1.0
seed = 1
max_tokens = 48

[judge]
use = "chat"
backend = "main"
evidence = true
reward = "soft"
temperature = 1.0
seed = 1
max_tokens = 32

[method]
preset = "grounded"
"""
STEPS = [
    {"text": "AB is 12 cm.", "claim": "The length of AB is 12 cm."},
    {"text": "So half of it is 6 cm.", "claim": None},
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Walked:
    """What the commands left behind."""

    sampled: list[Any]
    extracted: list[Any]
    traces: list[Any]
    costs: list[Mapping[str, Any]]
    assessed: list[Any]
    shown: str


def walk(folder: Path, backend: str, pictures: tuple[str, str]) -> Walked:
    """Run the commands in a folder; every record that they write has been checked against its schema."""
    recipe = folder / "tiny.toml"
    recipe.write_text(RECIPE.format(backend=backend, store=json.dumps(str(folder / "answers.sqlite"))))
    problems = folder / "problems.jsonl"
    candidates = [{"id": name, "steps": STEPS, "final_answer": "6"} for name in ("a", "b")]
    records = [
        {"id": f"p{i}", "image": image, "question": "How long is half of AB?"} for i, image in enumerate(pictures)
    ]
    problems.write_text("".join(json.dumps(record | {"candidates": candidates}) + "\n" for record in records))
    shown = evpv("sample", problems, "-o", folder / "sampled.jsonl", "-n", "2", "--recipe", recipe)
    shown += evpv("extract", problems, "-o", folder / "constraints.jsonl", "--recipe", recipe)
    shown += evpv("rank", problems, "-o", folder / "run", "--recipe", recipe)
    shown += evpv("assess", folder / "run", "-o", folder / "assessed", "--preset", "paper")
    walked = Walked(
        sampled=checked(folder / "sampled.jsonl", "problem"),
        extracted=constraints_checked(folder / "constraints.jsonl"),
        traces=checked(folder / "run" / "traces.jsonl", "trace"),
        costs=[trace.cost for trace in read_traces(folder / "run")],
        assessed=checked(folder / "assessed" / "traces.jsonl", "trace"),
        shown=shown,
    )
    for records in (walked.sampled, walked.extracted, walked.traces, walked.assessed):
        assert len(records) == len(pictures)
    assert all(len(c["steps"]) == len(STEPS) for trace in walked.traces for c in trace["candidates"])
    return walked


def evpv(*arguments: object) -> str:
    """What a command prints; fails with all of it if the command does."""
    command = [str(Path(sys.executable).with_name("evpv")), *map(str, arguments)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=400, env=os.environ | {"COLUMNS": "200"})
    assert run.returncode == 0, f"{command}\n{run.stdout}\n{run.stderr}"
    return run.stdout + run.stderr


def checked(path: Path, schema: str) -> list[Any]:
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    validator = jsonschema.Draft202012Validator(json.loads((SCHEMAS / f"{schema}.json").read_text()))
    for record in records:
        validator.validate(record)
    return records


def constraints_checked(path: Path) -> list[Any]:
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    validator = jsonschema.Draft202012Validator(json.loads((SCHEMAS / "constraint.json").read_text()))
    for record in records:
        for constraint in record["constraints"]:
            validator.validate(constraint)
    return records
