"""How sure a figure is (bootstrap intervals, paired tests), and whether rewards mean what they say (Brier score, calibration error).

Problems are drawn whole, because their steps belong together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from evpv.errors import ConfigError

ScoreTable: TypeAlias = NDArray[np.float64]
"""A row per problem; a statistic is a function of the column sums."""

_Statistic: TypeAlias = Callable[[ScoreTable], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A figure with the range that holds it at the stated rate."""

    value: float
    low: float
    high: float
    level: float = 0.95

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """How much one run is ahead of another on the same problems, and how easily chance alone would do that."""

    value: float
    low: float
    high: float
    p_value: float
    problems: int


def bootstrap(
    table: Sequence[Sequence[float]] | ScoreTable, statistic: _Statistic, rounds: int = 2000, seed: int = 0
) -> Interval:
    """A 95 % percentile interval of `statistic(column sums)`; each row is one problem."""
    rows = _as_rows(table)
    sums = _weights(len(rows), rounds, seed) @ rows
    low, high = np.quantile([statistic(one) for one in sums], [0.025, 0.975])
    return Interval(value=statistic(rows.sum(axis=0)), low=float(low), high=float(high))


def paired_difference(
    first: ScoreTable, second: ScoreTable, statistic: _Statistic, rounds: int = 2000, seed: int = 0
) -> Difference:
    """`first` against `second` on the same problems, row by row.

    The interval is a paired bootstrap; the p-value is an approximate randomisation test: under “no difference” the two
    runs' answers to a problem may be swapped, so it is the share of random swaps that reach the difference seen.
    """
    one, two = _as_rows(first), _as_rows(second)
    if one.shape != two.shape:
        raise ConfigError(f"the runs do not have the same problems: {len(one)} against {len(two)}.")
    seen = statistic(one.sum(axis=0)) - statistic(two.sum(axis=0))
    weights = _weights(len(one), rounds, seed)
    drawn = [statistic(a) - statistic(b) for a, b in zip(weights @ one, weights @ two, strict=True)]
    low, high = np.quantile(drawn, [0.025, 0.975])
    swaps = np.random.default_rng(seed).integers(0, 2, size=(rounds, len(one)))
    total, gap = two.sum(axis=0), one - two
    reached = sum(
        abs(statistic(total + kept) - statistic(total + gap.sum(axis=0) - kept)) >= abs(seen) - 1e-12
        for kept in swaps @ gap
    )
    p_value = (reached + 1) / (rounds + 1)
    return Difference(value=seen, low=float(low), high=float(high), p_value=p_value, problems=len(one))


def _as_rows(table: Sequence[Sequence[float]] | ScoreTable) -> ScoreTable:
    rows = np.asarray(table, dtype=float)
    if rows.ndim != 2 or not len(rows):
        raise ConfigError("there are no problems to draw from.")
    return rows


def _weights(problems: int, rounds: int, seed: int) -> ScoreTable:
    """How often each problem is drawn in each round."""
    rng = np.random.default_rng(seed)
    return rng.multinomial(problems, np.full(problems, 1 / problems), size=rounds).astype(float)


def mean_of_first(sums: ScoreTable) -> float:
    """The statistic “mean”: rows are (value, 1)."""
    return float(sums[0] / sums[1]) if sums[1] else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """Predictions between two probabilities: how many, their mean, and how often they came true."""

    low: float
    high: float
    count: int
    predicted: float
    observed: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Calibration:
    """Brier score, expected calibration error over equal-width bins, and the bins that hold anything."""

    brier: float
    ece: float
    bins: tuple[Bin, ...]


def calibration(probabilities: Sequence[float], outcomes: Sequence[float], bins: int = 10) -> _Calibration:
    """How far stated probabilities are from what happened.

    >>> round(calibration([0.9, 0.9, 0.1, 0.1], [True, False, False, False]).ece, 3)
    0.25
    """
    if len(probabilities) != len(outcomes):
        raise ConfigError(f"{len(probabilities)} probabilities for {len(outcomes)} outcomes.")
    if not probabilities:
        raise ConfigError("there are no predictions to calibrate.")
    predicted, true = np.asarray(probabilities, float), np.asarray(outcomes, float)
    if ((predicted < 0) | (predicted > 1)).any():
        raise ConfigError("probabilities must lie between 0 and 1.")
    places = np.minimum((predicted * bins).astype(int), bins - 1)
    found = []
    for place in range(bins):
        inside = places == place
        if inside.any():
            low, high, count = place / bins, (place + 1) / bins, int(inside.sum())
            said, seen = float(predicted[inside].mean()), float(true[inside].mean())
            found.append(Bin(low=low, high=high, count=count, predicted=said, observed=seen))
    gap = sum(one.count * abs(one.predicted - one.observed) for one in found) / len(predicted)
    return _Calibration(brier=float(np.mean((predicted - true) ** 2)), ece=float(gap), bins=tuple(found))


def probability(reward: float) -> float:
    """A reward in [−1, 1] as the probability it stands for."""
    return (reward + 1.0) / 2.0
