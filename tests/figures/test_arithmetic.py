"""The equations in solutions, evaluated without the generator's help."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from evpv.figures import FigureProblem
from evpv.types import Step

_REPLACED = (
    (r"\\text\{[^}]*\}", " "), (r"\\sqrt\{([^}]*)\}", r"√(\1)"), (r"sqrt", "√"), (r"\\times", "×"), (r"\\div", "÷"),
    (r"\\approx|~=", "≈"), (r"\^\\circ|°| degrees", " "), (r"\\pi|\bpi\b|(?<=\d)pi\b", "π"), (r"\\%|%", " "),
    (r"(∠|\\angle |[Aa]ngle )\d", "X"), (r"\$", " "), (r"\^2", "²"), (r"\^3", "³"), (r"−", "-"), (r"(\d),(?=\d{3}(?!\d))", r"\1"),
    (r"√\s*(\d+)", r"√(\1)"), (r"(?<=\d)π", "*3.141592653589793"), (r"²", "**2"), (r"³", "**3"), (r"×", "*"), (r"÷", "/"),
)  # fmt: skip
_RUN = re.compile(r"[\d.+*/()√=≈ -]+")
_OPERATORS: dict[type, Callable[..., float]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: operator.pow, ast.USub: operator.neg,
}  # fmt: skip


def equations(text: str) -> Iterator[tuple[str, float, float, bool]]:
    """Each claimed equality between two numbers: where, left, right, and whether it says only "about"."""
    for pattern, replacement in _REPLACED:
        text = re.sub(pattern, replacement, text)
    for run in _RUN.findall(text):
        parts = re.split("([=≈])", run)
        values = [_value(part) for part in parts[::2]]
        for sign, left, right in zip(parts[1::2], values, values[1:], strict=False):
            if left is not None and right is not None:
                yield run.strip(), left, right, sign == "≈"


def _value(part: str) -> float | None:
    try:
        return _evaluate(ast.parse(part.strip().rstrip(".").replace("√", "root"), mode="eval").body)
    except (SyntaxError, ValueError, ZeroDivisionError):
        return None


def _evaluate(node: ast.expr) -> float:
    match node:
        case ast.Constant(value=int() | float() as value):
            return float(value)
        case ast.BinOp(left=left, op=op, right=right):
            return _OPERATORS[type(op)](_evaluate(left), _evaluate(right))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_evaluate(operand)
        case ast.Call(func=ast.Name(id="root"), args=[argument]):
            return math.sqrt(_evaluate(argument))
    raise ValueError("not arithmetic")


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("So ∠PRQ = 94 ÷ 2 = 47 degrees.", [(47, 47)]),
        (r"So $\angle PRQ = 94 \div 2 = 48^\circ$.", [(47, 48)]),
        ("YZ^2 = 24^2 + 7^2, that is 576 + 49 = 625.", [(625, 625)]),
        ("Hence YZ = √250 ≈ 15.81.", [(15.8114, 15.81)]),
        ("angle 1 + angle 2 = 180 degrees", []),
        ("1215π + 486π = 1701π", [(5343.849, 5343.849)]),
        ("10,000 + 1466 = 11,466", [(11466, 11466)]),
        ("The rise is −2 − (3) = −5, the run 1 − (2) = −1.", [(-5, -5), (-1, -1)]),
    ],
)
def test_the_evaluator_reads_what_solvers_write(text: str, pairs: list[tuple[float, float]]) -> None:
    found = [(left, right) for _, left, right, _ in equations(text)]
    assert np.allclose(found, pairs, atol=1e-3) if pairs else not found


def _must_add_up(step: Step) -> bool:
    """All steps but those where a slip in the calculation is the fault itself."""
    return step.label == 1 or bool(step.inherited)


def test_the_arithmetic_of_right_and_of_inherited_steps_holds(made: list[FigureProblem]) -> None:
    checked = 0
    for one in made:
        for candidate in one.problem.candidates:
            for step in filter(_must_add_up, candidate.steps):
                for where, left, right, about in equations(step.text):
                    checked += 1
                    tolerance = 0.0051 * max(1.0, abs(left) / 100) if about else 1e-6
                    assert abs(left - right) <= tolerance, (one.problem.id, candidate.id, where, step.text)
    assert checked > 3 * len(made)


def test_a_slip_in_a_calculation_shows_in_the_arithmetic(made: list[FigureProblem]) -> None:
    slips = [
        step
        for one in made
        for candidate in one.problem.candidates
        if candidate.extra["errors"] == ["calculation"]
        for step in candidate.steps
        if step.label == -1 and not step.inherited
    ]
    wrong = [any(abs(left - right) > 0.006 for _, left, right, _ in equations(step.text)) for step in slips]
    assert len(slips) > 100
    assert np.mean(wrong) > 0.8
