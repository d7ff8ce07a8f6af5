"""A world with known truth: seeded problems with pictures, gold constraints and labelled candidates."""

from evpv.figures.problems import (
    SPLITS,
    FigureProblem,
    Split,
    families,
    make_problem,
    make_problems,
    small_families,
    write_problems,
)

__all__ = [
    "SPLITS", "FigureProblem", "Split", "families", "make_problem", "make_problems", "small_families", "write_problems",
]  # fmt: skip
