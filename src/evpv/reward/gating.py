"""How reliability changes a step's reward: the paper's gate and ours."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple, TypeAlias


class Gated(NamedTuple):
    """A step's reward after the gate, and the factor α that was applied. A tuple because one is made for every step."""

    reward: float
    gate: float


Gate: TypeAlias = Callable[[float, float], Gated]
"""(base reward, reliability) → gated reward, for a step that rests on a visual claim."""


def sigmoid_gate(sharpness: float = 10.0, threshold: float = 0.5) -> Gate:
    """α(r) = σ(β(r − τ)), Eq. 9, and R_t = α·R_t^base, Eq. 10.

    α is positive, so this gate never changes the sign of a reward: at decision threshold 0 it changes rankings only.

    >>> sigmoid_gate()(0.8, 0.5)
    Gated(reward=0.4, gate=0.5)
    """

    def gate(base: float, reliability: float) -> Gated:
        alpha = logistic(sharpness * (reliability - threshold))
        return Gated(reward=alpha * base, gate=alpha)

    return gate


def factor_gate() -> Gate:
    """P(step right) = P(reasoning right) · P(premise right), as a reward 2P − 1.

    A contradicted premise turns a step negative, which the paper's gate cannot.

    >>> factor_gate()(1.0, 0.0), factor_gate()(0.5, 1.0)
    (Gated(reward=-1.0, gate=0.0), Gated(reward=0.5, gate=1.0))
    """

    def gate(base: float, reliability: float) -> Gated:
        return Gated(reward=2.0 * ((base + 1.0) / 2.0 * reliability) - 1.0, gate=reliability)

    return gate


def no_gate() -> Gate:
    """The judge alone.

    >>> no_gate()(0.3, 0.0)
    Gated(reward=0.3, gate=1.0)
    """
    return lambda base, reliability: Gated(reward=base, gate=1.0)


class GateRule(NamedTuple):
    """How a gate is made of sharpness β and threshold τ, and whether a step answers for its own premises alone."""

    make: Callable[[float, float], Gate]
    step_local: bool


GATES: dict[str, GateRule] = {
    "off": GateRule(lambda sharpness, threshold: no_gate(), step_local=False),
    "sigmoid": GateRule(sigmoid_gate, step_local=False),
    "local": GateRule(sigmoid_gate, step_local=True),
    "factor": GateRule(lambda sharpness, threshold: factor_gate(), step_local=True),
}
"""The gates by name. The page has the same formulas (viewer/page/scoring.js)."""


def logistic(x: float) -> float:
    """σ(x) without overflow for any finite x.

    >>> logistic(0.0), logistic(-1e308), logistic(1e308)
    (0.5, 0.0, 1.0)
    """
    if x >= 0:
        return 1.0 / (1.0 + math.exp(-x))
    grown = math.exp(x)
    return grown / (1.0 + grown)
