"""Problems that several tests look at, made once."""

from __future__ import annotations

import pytest

from evpv.figures import FigureProblem, families, make_problem, small_families

PER_FAMILY = 30


@pytest.fixture(scope="session")
def made() -> list[FigureProblem]:
    """Thirty problems of every family, the small ones too."""
    return [
        make_problem(family, seed, "dev") for family in (*families(), *small_families()) for seed in range(PER_FAMILY)
    ]
