"""Schemathesis asks what the OpenAPI document allows, and what it does not: never a server error, always the answer promised."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from .serving import Served, serving

SCHEMATHESIS = Path(sys.executable).parent / "schemathesis"
CHECKS = "not_a_server_error,response_schema_conformance,content_type_conformance,response_headers_conformance"


@pytest.fixture(scope="module")
def open_to_all(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("open")
    with serving(
        folder, "--recipe", "judge-alone", "--workers", "1", "--limit", "requests-per-minute=1000000"
    ) as service:
        yield service


@pytest.mark.slow
def test_schemathesis_finds_no_server_error(open_to_all: Served, tmp_path: Path) -> None:
    done = subprocess.run(
        [
            SCHEMATHESIS, "run", f"{open_to_all.url}/openapi.json", "--checks", CHECKS, "--max-examples", "40",
            "--seed", "1", "--generation-database", "none", "--phases", "examples,coverage,fuzzing", "--request-timeout", "60",
        ],
        capture_output=True, text=True, timeout=560, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    statuses = [event["status"] for event in open_to_all.events() if event["event"] == "request"]
    assert len(statuses) > 200
    assert max(statuses) < 500
