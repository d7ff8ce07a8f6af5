"""Equations in one unknown: a later form must have the same solutions, and a value found must be one of them.

Linear equations are solved here, exactly. What is not linear goes to sympy in a process of its own with a time limit,
as trees and never as text, so that no model text is ever parsed by Python.
"""

from __future__ import annotations

import contextlib
import json
import select
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from evpv.judges.checks.evaluation import Value, evaluate, is_moderate, same, show
from evpv.judges.checks.expressions import Expression, Number, Operation, Symbol, symbols, walk
from evpv.judges.checks.findings import Finding
from evpv.judges.checks.history import Equation, History
from evpv.judges.checks.readings import Reading

_NEAR_STEPS = 2
_MAX_NODES = 60
_MAX_EXPONENT = 8
_MAX_KEPT = 4_096
_START_LIMIT_S = 60.0
_SOLVABLE = frozenset({"+", "-", "*", "/", "^", "neg", "percent", "degree", "pi", "sqrt"})


def check_algebra(step: int, reading: Reading, history: History, algebra: Algebra) -> Iterator[Finding]:
    """Each equation of the step in one unknown against the last one written in the same unknown."""
    if reading.tentative:
        return
    for chain in reading.chains:
        if any(sign not in "=≈" for sign in chain.relations):
            continue
        left, right = chain.parts[0].tree, chain.parts[-1].tree
        if left is None or right is None:
            continue
        known = history.values()
        unknown = (symbols(left) | symbols(right)) - known.keys()
        before = next((old for old in reversed(history.equations) if {old.unknown} == unknown), None)
        if before is None or not 0 < step - before.step <= _NEAR_STEPS or before.left == left:
            continue  # the same left side with another value is another case, not a consequence
        now = Equation(before.unknown, left, right, f"{chain.parts[0].text} = {chain.parts[-1].text}", step)
        yield from _check_following(now, before, known, algebra)


def _check_following(
    now: Equation, before: Equation, known: Mapping[str, Value], algebra: Algebra
) -> Iterator[Finding]:
    solutions, allowed = (_solutions(equation, known, algebra) for equation in (now, before))
    if not solutions or not allowed:
        return
    if all(any(_near(value, other) for other in allowed) for value in solutions):
        yield Finding(kind="algebra-right", explanation=f"right: {now.text} follows from {before.text}", step=now.step)
    else:
        truth = " or ".join(f"{now.unknown} = {show(value)}" for value in allowed)
        explanation = f"wrong: {now.text} does not follow from {before.text}, which gives {truth}"
        yield Finding(kind="algebra-wrong", explanation=explanation, step=now.step)


def _near(value: Value, other: Value) -> bool:
    """Solutions may have been rounded on the way: half a percent."""
    return same(value, other) or abs(float(value) - float(other)) <= 0.005 * max(1.0, abs(float(other)))


def _solutions(equation: Equation, known: Mapping[str, Value], algebra: Algebra) -> list[Value]:
    """The real solutions; none when they cannot be found."""
    samples = []
    for point in (Fraction(0), Fraction(1), Fraction(2), Fraction(5)):
        left = evaluate(equation.left, {**known, equation.unknown: point})
        right = evaluate(equation.right, {**known, equation.unknown: point})
        if left is None or right is None:
            return algebra.solve(equation, known)
        samples.append(left - right)
    slope = samples[1] - samples[0]
    linear = same(samples[2], samples[0] + 2 * slope) and same(samples[3], samples[0] + 5 * slope)
    if not linear:
        return algebra.solve(equation, known)
    if same(slope, Fraction(0)):
        return []
    root = -samples[0] / slope
    return [root] if is_moderate(root) else []


@dataclass(slots=True, weakref_slot=True)
class Algebra:
    """sympy in a worker process: started when first needed, ended and started again when it takes too long."""

    limit_s: float = 2.0
    _worker: subprocess.Popen[str] | None = None
    _end: Callable[[], object] | None = None
    _kept: dict[str, Any] = field(default_factory=dict)
    _turn: threading.Lock = field(default_factory=threading.Lock)  # one question at a time, whoever asks

    def solve(self, equation: Equation, known: Mapping[str, Value]) -> list[Value]:
        """The real solutions of an equation that is not linear; none when it is too large or takes too long."""
        tree = Operation("-", (equation.left, equation.right))
        if not _is_small(tree):
            return []
        request = json.dumps({"solve": _as_json(tree, known), "for": equation.unknown})
        with self._turn:
            if request not in self._kept and len(self._kept) < _MAX_KEPT:
                self._kept[request] = self._ask(request)
        reply = self._kept.get(request)
        return [float(value) for value in reply] if isinstance(reply, list) else []

    def close(self) -> None:
        """End the worker, if there is one; the next question starts another."""
        if self._end is not None:
            self._end()
        self._worker = self._end = None

    def _ask(self, request: str) -> Any:
        try:
            worker = self._running()
            assert worker.stdin is not None
            worker.stdin.write(request + "\n")
            worker.stdin.flush()
            line = _line(worker, self.limit_s)
        except OSError:
            line = ""
        if not line:
            self.close()
            return None
        return json.loads(line)

    def _running(self) -> subprocess.Popen[str]:
        """The worker, past its import of sympy: that time is not the question's."""
        if self._worker is not None and self._worker.poll() is None:
            return self._worker
        self.close()
        self._worker = subprocess.Popen(
            [sys.executable, "-m", "evpv.judges.checks.sympy_worker"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        self._end = weakref.finalize(self, _kill, self._worker)
        _line(self._worker, _START_LIMIT_S)
        return self._worker


def _line(worker: subprocess.Popen[str], limit_s: float) -> str:
    """The worker's next line, or nothing when the time is over."""
    assert worker.stdout is not None
    ready, _, _ = select.select([worker.stdout], [], [], limit_s)
    return worker.stdout.readline() if ready else ""


def _kill(worker: subprocess.Popen[str]) -> None:
    worker.kill()
    with contextlib.suppress(OSError):
        worker.communicate()


def _is_small(tree: Expression) -> bool:
    """Whether sympy should be asked at all: few parts, small exponents, nothing transcendental in the unknown."""
    nodes = list(walk(tree))
    operations = [part for part in nodes if isinstance(part, Operation)]
    powers = [part.operands[1] for part in operations if part.operator == "^"]
    mild = all(isinstance(power, Number) and abs(power.value) <= _MAX_EXPONENT for power in powers)
    solvable = all(part.operator in _SOLVABLE or not symbols(part) for part in operations)
    return len(nodes) <= _MAX_NODES and mild and solvable


def _as_json(tree: Expression, known: Mapping[str, Value]) -> list[Any]:
    if isinstance(tree, Number):
        return ["number", tree.value.numerator, tree.value.denominator]
    if isinstance(tree, Symbol):
        if tree.name not in known:
            return ["symbol", tree.name]
        value = Fraction(known[tree.name])
        return ["number", value.numerator, value.denominator]
    return [tree.operator, *(_as_json(operand, known) for operand in tree.operands)]
