"""The example script of a policy that is paid by the verifier."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "grpo_toy.py"


@pytest.mark.slow
def test_the_toy_is_taught_and_paid_and_the_table_says_what_came_of_it() -> None:
    command = [sys.executable, str(EXAMPLE), "--by", "least", "--outcome", "0.5", "--updates", "5", "--lessons", "6"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=900)
    assert run.returncode == 0, run.stderr[-2000:]
    assert "by='least', needs_answer=True, outcome=0.5" in run.stdout
    assert "right answers" in run.stdout
    assert run.stdout.count("│      5 │") == 1
