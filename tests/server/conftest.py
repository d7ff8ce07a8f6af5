"""Services as real processes on 127.0.0.1, and drawn problems to ask them about."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from evpv.figures import write_problems
from evpv.records import read_problems
from evpv.types import Problem

from .serving import Served, serving


@pytest.fixture(scope="session")
def problems(tmp_path_factory: pytest.TempPathFactory) -> list[Problem]:
    folder = tmp_path_factory.mktemp("drawn")
    write_problems(folder, ("bar-charts", "right-triangles"), 2, 7, split="test")
    return list(read_problems(folder / "problems.jsonl"))


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The embedded recipe with keys, as it would be on a network."""
    with serving(tmp_path_factory.mktemp("served"), "--workers", "1", with_keys=True) as service:
        yield service
