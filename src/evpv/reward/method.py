"""The method as one value, which presets name and ablations vary, and the gates: how reliability changes a step's reward."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Literal, NamedTuple, TypeAlias

from evpv.errors import ConfigError, unknown_name
from evpv.premises.matching import ClaimMatcher
from evpv.premises.matching.grounded import MISSING_SUPPORT, grounded_matcher
from evpv.premises.matching.paper import paper_matcher
from evpv.reward.ranking import AGGREGATIONS, SELECTIONS, Aggregation, paper_first_error
from evpv.types import Constraint


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


def _no_gate() -> Gate:
    """The judge alone.

    >>> _no_gate()(0.3, 0.0)
    Gated(reward=0.3, gate=1.0)
    """
    return lambda base, reliability: Gated(reward=base, gate=1.0)


class _GateRule(NamedTuple):
    """How a gate is made of sharpness β and threshold τ, and whether a step answers for its own premises alone."""

    make: Callable[[float, float], Gate]
    step_local: bool


GATES: dict[str, _GateRule] = {
    "off": _GateRule(lambda sharpness, threshold: _no_gate(), step_local=False),
    "sigmoid": _GateRule(sigmoid_gate, step_local=False),
    "local": _GateRule(sigmoid_gate, step_local=True),
    "factor": _GateRule(lambda sharpness, threshold: factor_gate(), step_local=True),
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """Every setting between the models' answers and the ranking. Plain values, so that a manifest can hold them.

    `matching`: paper | grounded. `gate`: sigmoid (the paper: every visual step by the candidate's reliability), local (the
    same curve by the step's own), factor, off. `sharpness` is β, `threshold` τ, `tolerance` δ. `missing` is the support
    of a well-formed claim that no constraint speaks to (`grounded`). `decision` is θ: a step is called right if its
    reward is above it, by whoever calls (nothing in this package does: it is kept for evaluation). `select`: score | vote | weighted-vote.
    """

    matching: Literal["paper", "grounded"] = "grounded"
    tolerance: float = 0.15
    missing: Mapping[str, float] = field(default_factory=lambda: dict(MISSING_SUPPORT))
    gate: str = "factor"
    sharpness: float = 10.0
    threshold: float = 0.5
    decision: float = 0.0
    aggregation: str = "weakest-link"
    select: str = "weighted-vote"

    def __post_init__(self) -> None:
        for name, value, known in (
            ("matching", self.matching, ("paper", "grounded")),
            ("gate", self.gate, GATES),
            ("aggregation", self.aggregation, AGGREGATIONS),
            ("select", self.select, SELECTIONS),
        ):
            if value not in known:
                raise unknown_name(name, value, known)
        if set(self.missing) != set(MISSING_SUPPORT):
            raise ConfigError(
                f"'missing' must give a support for each of {sorted(MISSING_SUPPORT)}, not {sorted(self.missing)}."
            )

    def matcher(self, constraints: Sequence[Constraint], question: str = "") -> ClaimMatcher:
        """m(·, C) of this method; the paper's does not look at the question."""
        if self.matching == "paper":
            return paper_matcher(constraints, tolerance=self.tolerance)
        return grounded_matcher(constraints, missing_support=self.missing, question=question)

    @property
    def gate_function(self) -> Gate:
        return GATES[self.gate].make(self.sharpness, self.threshold)

    @property
    def step_local(self) -> bool:
        """Whether a step answers for its own premises rather than for all of its candidate's."""
        return GATES[self.gate].step_local

    @property
    def aggregate(self) -> Aggregation:
        """The score of a candidate from its rewards; `first-error` counts steps from 1 under `paper`, as the paper does."""
        if self.aggregation == "first-error" and self.matching == "paper":
            return paper_first_error
        return AGGREGATIONS[self.aggregation]


PRESETS: dict[str, Method] = {
    "paper": Method(matching="paper", gate="sigmoid", aggregation="geometric-mean", select="score"),
    "grounded": Method(),
}


def preset(name: str, settings: Mapping[str, object] | None = None) -> Method:
    """A named method, with settings changed.

    >>> preset("paper", {"sharpness": "5"}).sharpness
    5.0
    >>> preset("paper", {"sharpnes": 5})      # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    evpv.errors.ConfigError: there is no method setting 'sharpnes'; did you mean 'sharpness'? There are: aggregation, ...
    """
    if name not in PRESETS:
        raise unknown_name("preset", name, PRESETS)
    return with_settings(PRESETS[name], settings or {})


def with_settings(method: Method, settings: Mapping[str, object]) -> Method:
    """The method with settings changed; texts from a command line are turned into numbers where numbers are meant."""
    names = [f.name for f in fields(Method)]
    changed: dict[str, object] = {}
    for name, value in settings.items():
        if name not in names:
            raise unknown_name("method setting", name, names)
        changed[name] = _number(name, value) if isinstance(getattr(method, name), float) else value
    return replace(method, **changed)  # type: ignore[arg-type]


def _number(name: str, value: object) -> float:
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise ConfigError(f"'{name}' must be a number, not {value!r}.") from None
    if number != number or number in (float("inf"), float("-inf")):
        raise ConfigError(f"'{name}' must be a finite number, not {value!r}.")
    return number


def settings_of(method: Method) -> dict[str, object]:
    """The method as plain values for a manifest; `with_settings(Method(), settings_of(m)) == m`."""
    values = {f.name: getattr(method, f.name) for f in fields(Method)}
    return {**values, "missing": dict(method.missing)}
