"""Do rewards mean what they say? Brier score, expected calibration error, and the table behind a reliability diagram."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evpv.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """Predictions between two probabilities: how many, their mean, and how often they came true."""

    low: float
    high: float
    count: int
    predicted: float
    observed: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Brier score, expected calibration error over equal-width bins, and the bins that hold anything."""

    brier: float
    ece: float
    bins: tuple[Bin, ...]


def calibration(probabilities: Sequence[float], outcomes: Sequence[bool], bins: int = 10) -> Calibration:
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
            found.append(
                Bin(
                    low=place / bins,
                    high=(place + 1) / bins,
                    count=int(inside.sum()),
                    predicted=float(predicted[inside].mean()),
                    observed=float(true[inside].mean()),
                )
            )
    gap = sum(one.count * abs(one.predicted - one.observed) for one in found) / len(predicted)
    return Calibration(brier=float(np.mean((predicted - true) ** 2)), ece=float(gap), bins=tuple(found))


def probability(reward: float) -> float:
    """A reward in [−1, 1] as the probability it stands for."""
    return (reward + 1.0) / 2.0
