"""The method as one value, which presets name and ablations vary: its gates, its aggregations, its ways to choose.

A gate says how reliability changes a step's reward. Aggregations (the five strategies of Appendix E, and ours) take rewards in
[−1, 1] and give a score in [0, 1] (those with the geometric mean up to 1 + ε); no rewards at all say nothing, so the score is that
of one neutral step. Candidates are ranked by score, vote or weighted vote. Ties are kept, and broken only by a stated rule.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Literal, NamedTuple, TypeAlias

from evpv.errors import ConfigError, unknown_name
from evpv.language.answers import answer_key
from evpv.premises.matching import ClaimMatcher
from evpv.premises.matching.grounded import MISSING_SUPPORT, grounded_matcher
from evpv.premises.matching.paper import paper_matcher
from evpv.premises.reliability import EPSILON
from evpv.types import CandidateTrace, Constraint, Ranking, Trace


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


Aggregation: TypeAlias = Callable[[Sequence[float]], float]

_NEUTRAL = (0.0,)


def geometric_mean(rewards: Sequence[float], epsilon: float = EPSILON) -> float:
    """Score(S) of Eq. 12: exp of the mean of log R̃_t with R̃_t = ε + (R_t + 1)/2 (Eq. 11).

    >>> round(geometric_mean([1.0, 0.0]), 6)
    0.707108
    """
    logs = [math.log(epsilon + (reward + 1.0) / 2.0) for reward in rewards or _NEUTRAL]
    return math.exp(math.fsum(logs) / len(logs))


def _weakest_link(rewards: Sequence[float]) -> float:
    """The geometric mean times what the worst step is worth: a refuted answer is not made good by ten steps that nobody could check.

    >>> round(_weakest_link([0.6, -0.8, 0.6]), 3), round(_weakest_link([0.6] * 20), 3)
    (0.04, 0.64)
    """
    return (min(rewards or _NEUTRAL) + 1.0) / 2.0 * geometric_mean(rewards)


def _correctness_rate(rewards: Sequence[float]) -> float:
    """The share of steps with a positive reward.

    >>> _correctness_rate([0.2, -0.1, 0.9, 0.0])
    0.5
    """
    rewards = rewards or _NEUTRAL
    return sum(reward > 0 for reward in rewards) / len(rewards)


def streak(rewards: Sequence[float]) -> float:
    """Each right step adds the length of the run it ends, each wrong one takes 1; scaled so that all wrong is 0, all right 1.

    Right means a positive reward, as in the correctness rate.

    >>> streak([1, 1, -1])      # 1 + 2 − 1 = 2, between −3 and 6
    0.5555555555555556
    """
    rewards = rewards or _NEUTRAL
    total = run = 0
    for reward in rewards:
        run = run + 1 if reward > 0 else 0
        total += run if reward > 0 else -1
    count = len(rewards)
    highest = count * (count + 1) // 2
    return (total + count) / (highest + count)


def _weighted_correctness(rewards: Sequence[float]) -> float:
    """Later steps weigh more: Σ t·R_t scaled between the least and the most it can be.

    >>> _weighted_correctness([1.0, -1.0])      # (1 − 2 + 3) / 6
    0.3333333333333333
    """
    rewards = rewards or _NEUTRAL
    most = len(rewards) * (len(rewards) + 1) / 2
    return (math.fsum(t * reward for t, reward in enumerate(rewards, start=1)) + most) / (2 * most)


def _first_error_position(rewards: Sequence[float], *, first: int = 0) -> float:
    """How far the candidate gets before its first negative reward; 1 if it has none. `first` is the number of the first step.

    The paper's i*/T counts steps from 1, so that an error in the last of T steps scores T/T, like no error at all. Under
    `paper` it is counted so (`paper_first_error`); `grounded` counts from 0.

    >>> _first_error_position([0.5, 0.5, -0.1, 0.5]), _first_error_position([0.5, -1.0]), _first_error_position([0.1])
    (0.5, 0.5, 1.0)
    """
    rewards = rewards or _NEUTRAL
    return next((place / len(rewards) for place, reward in enumerate(rewards, first) if reward < 0), 1.0)


def paper_first_error(rewards: Sequence[float]) -> float:
    """Score(S) = i*/T of Appendix E to the letter, its steps counted from 1.

    >>> paper_first_error([0.5, 0.5, -0.1, 0.5]), paper_first_error([0.5, -1.0])
    (0.75, 1.0)
    """
    return _first_error_position(rewards, first=1)


AGGREGATIONS: dict[str, Aggregation] = {
    "geometric-mean": geometric_mean,
    "correctness-rate": _correctness_rate,
    "streak": streak,
    "weighted-correctness": _weighted_correctness,
    "first-error": _first_error_position,
    "weakest-link": _weakest_link,
}


_Options: TypeAlias = tuple[str, ...]
_Selection: TypeAlias = Callable[[Sequence[CandidateTrace], _Options], Mapping[str, float]]
"""Candidates, and the options of their question → the value that each is ranked by."""


def _by_score(candidates: Sequence[CandidateTrace], options: _Options = ()) -> dict[str, float]:
    """The candidate's own score (the paper)."""
    return {candidate.id: candidate.score for candidate in candidates}


def _by_vote(candidates: Sequence[CandidateTrace], options: _Options = ()) -> dict[str, float]:
    """The share of candidates with the same final answer; one without an answer has no votes, not even its own."""
    return _votes(candidates, options, lambda candidate: 1.0)


def _by_weighted_vote(candidates: Sequence[CandidateTrace], options: _Options = ()) -> dict[str, float]:
    """The share of all scores that went to the same final answer; where nobody gives one, each stands for itself."""
    if all(answer_key(candidate.final_answer, options) is None for candidate in candidates):
        total = math.fsum(candidate.score for candidate in candidates)
        return {candidate.id: candidate.score / total if total > 0 else 0.0 for candidate in candidates}
    return _votes(candidates, options, lambda candidate: candidate.score)


def _votes(
    candidates: Sequence[CandidateTrace], options: _Options, weight: Callable[[CandidateTrace], float]
) -> dict[str, float]:
    keys = {candidate.id: answer_key(candidate.final_answer, options) for candidate in candidates}
    weights: dict[str, list[float]] = {}
    for candidate in candidates:
        if (key := keys[candidate.id]) is not None:
            weights.setdefault(key, []).append(weight(candidate))
    # Exact sums, so that equal votes tie in whatever order they were cast.
    votes = {key: math.fsum(cast) for key, cast in weights.items()}
    total = math.fsum(votes.values())
    return {i: votes[key] / total if key is not None and total > 0 else 0.0 for i, key in keys.items()}


SELECTIONS: dict[str, _Selection] = {"score": _by_score, "vote": _by_vote, "weighted-vote": _by_weighted_vote}


def without_gate(trace: Trace, aggregate: Aggregation, *selects: str) -> list[Ranking]:
    """The candidates by the judge's rewards as they are: a ranking for each way of choosing."""
    scored = [
        replace(one, score=aggregate([s.base_reward for s in one.steps if s.base_reward is not None]))
        for one in trace.candidates
    ]
    return [ranking(scored, select, trace.problem.options) for select in selects]


def ranking(candidates: Sequence[CandidateTrace], select: str, options: _Options = ()) -> Ranking:
    """Candidates in falling order of value. `best` holds all that tie for first; in `order`, ties go by score, then by id."""
    values = SELECTIONS[select](candidates, options)
    by_id = {candidate.id: candidate for candidate in candidates}
    order = tuple(sorted(values, key=lambda i: (-values[i], -by_id[i].score, i)))
    best = tuple(i for i in order if values[i] == values[order[0]])
    answers = [answer_key(by_id[i].final_answer, options) for i in best]
    tied = len(best) > 1 and (None in answers or len(set(answers)) > 1)
    return Ranking(select=select, best=best, order=order, values=values, tied=tied)


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
