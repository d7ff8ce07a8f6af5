"""The table of what was attacked names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent


def test_every_case_names_a_test_that_exists() -> None:
    named = re.findall(r"`([\w/]+\.py)::(\w+)`", (HERE / "README.md").read_text(encoding="utf-8"))
    missing = [
        f"{file}::{name}"
        for file, name in named
        if f"\ndef {name}(" not in (HERE.parent / file).read_text(encoding="utf-8")
    ]
    assert missing == []
    assert len(named) > 50
