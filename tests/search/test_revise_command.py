"""`evpv revise` as a command: a run like any other, which another plan may not go on with."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from evpv.cli import app
from evpv.errors import EvpvError
from evpv.records import read_traces

ANSWER = {
    "stance": "corrected",
    "reason": "I looked again.",
    "reasoningprocess": [{"steptext": "The apple costs 3.", "visualdependency": "The apple costs 3."}],
    "finalanswer": "3",
}
PROBLEM = {
    "id": "p1",
    "question": "What does the apple cost?",
    "constraints": [{"category": "numeric", "entity": "apple", "attribute": "price", "value": 3, "confidence": 0.95}],
    "candidates": [{"id": "a", "steps": [{"text": "8.", "claim": "The apple costs 8."}], "final_answer": "8"}],
}


def test_a_misread_candidate_is_mended_and_other_rounds_are_another_run(tmp_path: Path) -> None:
    recipe = tmp_path / "mine.toml"
    recipe.write_text(
        '[extractor]\nuse = "given"\n[judge]\nuse = "checks"\n[policy]\nuse = "chat"\nbackend = "main"\n'
        '[method]\npreset = "grounded"\n[backends.main]\nuse = "scripted"\n'
        f"[backends.main.answers]\nany = '''{json.dumps(ANSWER)}'''\n",
        encoding="utf-8",
    )
    problems = tmp_path / "problems.jsonl"
    problems.write_text(json.dumps(PROBLEM) + "\n", encoding="utf-8")
    line = ["revise", str(problems), "-o", str(tmp_path / "run"), "--recipe", str(recipe)]
    result = CliRunner().invoke(app, line)
    assert result.exit_code == 0, result.output
    assert "told 1 · corrected 1 · insisted 0 · unreadable 0" in result.output
    [trace] = read_traces(tmp_path / "run")
    assert trace.candidates[0].final_answer == "3"
    other = CliRunner().invoke(app, [*line, "--rounds", "5"])
    assert other.exit_code == 1
    assert isinstance(other.exception, EvpvError)
