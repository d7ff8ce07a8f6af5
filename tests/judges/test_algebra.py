"""Equations in one unknown, and the worker process that must never stall the judge."""

from __future__ import annotations

import time
from typing import Any

import pytest

from evpv.judges.checks.algebra import Algebra
from evpv.judges.checks.findings import Equation
from evpv.language.chains import read


def equation(text: str) -> Equation:
    left, right = read(text).chains[0].parts
    assert left.tree is not None
    assert right.tree is not None
    return Equation("x", left.tree, right.tree, text, 0)


@pytest.mark.parametrize(
    ("first", "then", "kind"),
    [
        ("2x + 3 = 11", "2x = 8", "algebra-right"),
        ("2x = 8", "x = 4", "algebra-right"),
        ("2x + 3 = 11", "2x = 14", "algebra-wrong"),
        ("180 - 2x = 4x", "x = 40", "algebra-wrong"),
        ("x^2 = 16", "x = 4", "algebra-right"),
        ("x^2 - 5x + 6 = 0", "(x - 2)(x - 3) = 0", "algebra-right"),
        ("x^2 - 5x + 6 = 0", "x = 4", "algebra-wrong"),
        (r"\frac{x}{3} = 4", "x = 12", "algebra-right"),
        ("FE² = 1681", "FE = 1681 ÷ 2 = 840.5", "algebra-wrong"),
        ("FE² = 1681", "FE = √1681 = 41", "algebra-right"),
    ],
)
def test_an_equation_must_follow_from_the_one_before(kinds: Any, first: str, then: str, kind: str) -> None:
    assert kind in kinds(first, then)[1]


def test_a_wrong_solution_is_named_with_the_right_one(find: Any) -> None:
    found = find("2x = 8", "x = 5")[1]
    assert "wrong: x = 5 does not follow from 2x = 8, which gives x = 4" in [finding.explanation for finding in found]


def test_the_same_left_side_with_another_value_is_another_case(kinds: Any) -> None:
    assert not {kind for kind in kinds("x - 100 = -12", "x - 100 = -10")[1] if kind.startswith("algebra")}


def test_a_worker_that_takes_too_long_is_ended_and_started_again() -> None:
    algebra = Algebra(limit_s=1e-6)
    start = time.perf_counter()
    assert algebra.solve(equation("x^2 = 16"), {}) == []
    assert time.perf_counter() - start < 60
    algebra.process.limit_s = 30.0
    assert sorted(algebra.solve(equation("x^2 = 25"), {})) == [-5.0, 5.0]
    algebra.close()


def test_a_worker_that_was_killed_is_started_again() -> None:
    algebra = Algebra(limit_s=30.0)
    assert algebra.solve(equation("x^2 = 4"), {}) == [-2.0, 2.0]
    algebra.close()
    assert algebra.solve(equation("x^2 = 9"), {}) == [-3.0, 3.0]
    algebra.close()


@pytest.mark.parametrize(
    "text",
    [
        "x^(9^9) = 3",
        "x^99 = 1",
        "sin(x) = 0.5",
        "x^x = 4",
        "x" + " + x^2" * 60 + " = 1",
        "((((x^8 + 1)^8 + 2)^8 + 3)^8 + 4)^8 = 5",
        "(x^5)^5 = 3",
        "1/(x+1) + 1/(x+2) + 1/(x+3) + 1/(x+4) + 1/(x+5) = 1",
        "sqrt(x^3 + 1) + sqrt(x^2 + 2) = x",
    ],
)
def test_what_is_too_large_or_too_hard_is_not_asked(text: str) -> None:
    algebra = Algebra()
    assert algebra.solve(equation(text), {}) == []
    assert not algebra.process.is_running


def test_a_number_of_hundreds_of_digits_is_not_even_read() -> None:
    assert all(part.tree is None for chain in read("x^2 = " + "9" * 300).chains for part in chain.parts[1:])
