"""The worker process of `algebra.py`: gets a JSON tree, answers with its real roots. Killed when too slow or too large."""

from __future__ import annotations

import json
import operator
from collections.abc import Callable
from typing import Any

import sympy  # type: ignore[import-untyped]

from evpv.workers.child import Channel

_FUNCTIONS = {
    "sin": sympy.sin, "cos": sympy.cos, "tan": sympy.tan, "cot": sympy.cot, "sec": sympy.sec, "csc": sympy.csc,
    "arcsin": sympy.asin, "arccos": sympy.acos, "arctan": sympy.atan, "ln": sympy.log, "sqrt": sympy.sqrt,
}  # fmt: skip


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "^": operator.pow, "neg": operator.neg,
    "percent": lambda value: value / 100, "degree": lambda value: value, "log": lambda value: sympy.log(value, 10),
}  # fmt: skip


def _expression(tree: list[Any]) -> Any:
    """A sympy expression from a tree: made by constructors, so that no text is parsed."""
    kind, *parts = tree
    if kind == "number":
        return sympy.Rational(parts[0], parts[1])
    if kind == "symbol":
        return sympy.Symbol(parts[0], real=True)
    if kind == "pi":
        return sympy.pi
    operands = [_expression(part) for part in parts]
    if kind in _OPERATIONS:
        return _OPERATIONS[kind](*operands)
    return _FUNCTIONS[kind](_radians(kind, operands[0]))


def _radians(kind: str, argument: Any) -> Any:
    return argument * sympy.pi / 180 if kind in ("sin", "cos", "tan", "cot", "sec", "csc") else argument


def _real_roots(request: dict[str, Any]) -> list[float]:
    """The real roots of a request's tree; none when sympy finds no finite set of them."""
    unknown = sympy.Symbol(request["for"], real=True)
    try:
        roots = sympy.solve(_expression(request["solve"]), unknown)
        return [float(root) for root in roots if root.is_real]
    except (NotImplementedError, TypeError, ValueError, ZeroDivisionError):
        return []


def solve_equations(channel: Channel) -> None:
    """Answer until the starter has gone; the first answer says that sympy is loaded."""
    channel.receive()
    channel.send(b"")
    for message in channel.messages():
        channel.send(json.dumps(_real_roots(json.loads(message))).encode())
