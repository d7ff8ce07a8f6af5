"""The one question that all tables of verdicts ask."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evpv.premises.matching.grounded import grounded_matcher
from evpv.types import Constraint, Numeric, Relation

Row = tuple[str, str, str | None]
"""A claim, its verdict, and what the deciding constraint is about (None where nothing was read of it)."""


@pytest.fixture
def verdicts() -> Callable[[tuple[Constraint, ...], list[Row]], None]:
    """Checks each row against a figure; every verdict needs a sentence of explanation."""
    return check


def check(figure: tuple[Constraint, ...], rows: list[Row]) -> None:
    ask = grounded_matcher(figure)
    for claim, verdict, about in rows:
        found = ask(claim)
        assert (claim, found.verdict) == (claim, verdict)
        assert found.explanation.rstrip().endswith(".")
        if about is None:
            assert (claim, found.constraint) == (claim, None)
        else:
            assert found.constraint is not None, claim
            assert about in subject(figure[found.constraint]), claim


def subject(constraint: Constraint) -> str:
    """What a constraint speaks of."""
    if isinstance(constraint, Numeric):
        return constraint.entity
    return " ".join(constraint.entities if isinstance(constraint, Relation) else constraint.parts)
