"""Clients that nobody here wrote work unchanged."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evpv.types import Problem

from .serving import Served

PROGRAM = Path(__file__).with_name("foreign_clients.py")


def answers(which: str, served: Served, image: Path) -> dict[str, list[dict[str, Any]]]:
    with served.client() as client:
        uploaded = client.post("/v1/images", content=image.read_bytes()).json()["id"]
    done = subprocess.run(
        [sys.executable, PROGRAM, which, served.url, str(served.key), uploaded],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return {line["name"]: line["results"] for line in lines}


def check(found: dict[str, list[dict[str, Any]]], calls: int) -> None:
    assert len(found) == calls
    for name, results in found.items():
        assert [one["index"] for one in results] == [1, 0], name
        assert results[0]["relevance_score"] > results[1]["relevance_score"], name


def test_coheres_client(served: Served, problems: list[Problem]) -> None:
    found = answers("cohere", served, Path(problems[0].images[0]))
    check(found, 5)
    assert found["cohere v1"][0]["document"] == {"text": "AB = 3 + 4 = 7. The answer is 7."}
    assert found["cohere v2"][0]["evidence"]["final_answer"] == "7"


@pytest.mark.slow  # importing litellm takes longer than everything else here
def test_litellms_rerank(served: Served, problems: list[Problem]) -> None:
    found = answers("litellm", served, Path(problems[0].images[0]))
    check(found, 6)
    assert found["litellm jina_ai"][0]["document"] == {"text": "AB = 3 + 4 = 7. The answer is 7."}
