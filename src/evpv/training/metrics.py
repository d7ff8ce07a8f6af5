"""How well step probabilities tell right from wrong, and whether they mean what they say."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def auroc(scores: Sequence[float], labels: Sequence[float]) -> float | None:
    """The chance that a right step scores above a wrong one, ties counting half; None if all labels agree.

    >>> auroc([0.9, 0.2, 0.6], [1, 0, 0])
    1.0
    """
    values, right = np.asarray(scores, dtype=float), np.asarray(labels) > 0.5
    if right.all() or not right.any():
        return None
    order = values.argsort(kind="stable")
    ranks = np.empty(len(values))
    ranks[order] = np.arange(1, len(values) + 1)
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    mean_ranks = np.bincount(place, ranks) / count
    positive = int(right.sum())
    total = float(mean_ranks[place][right].sum())
    return (total - positive * (positive + 1) / 2) / (positive * (len(values) - positive))


def expected_calibration_error(scores: Sequence[float], labels: Sequence[float], bins: int = 10) -> float:
    """The mean distance between what was said and what came, over ten equal bins, each by its share.

    >>> expected_calibration_error([0.25, 0.25, 0.25, 0.25], [1, 0, 0, 0])
    0.0
    """
    values, right = np.asarray(scores, dtype=float), np.asarray(labels, dtype=float)
    slots = np.minimum((values * bins).astype(int), bins - 1)
    gaps = [
        abs(float(values[slots == slot].mean() - right[slots == slot].mean())) * float((slots == slot).mean())
        for slot in range(bins)
        if (slots == slot).any()
    ]
    return float(sum(gaps))


def macro_f1(scores: Sequence[float], labels: Sequence[float], threshold: float = 0.5) -> float:
    """The mean of the F1 of right and of wrong steps."""
    said, true = np.asarray(scores) > threshold, np.asarray(labels) > 0.5
    scores_of = []
    for kind in (True, False):
        hits = int(((said == kind) & (true == kind)).sum())
        total = int((said == kind).sum() + (true == kind).sum())
        scores_of.append(2 * hits / total if total else 0.0)
    return sum(scores_of) / 2


def step_metrics(scores: Sequence[float], labels: Sequence[float]) -> dict[str, float | None]:
    """AUROC, ECE, macro-F1 at one half, and how many steps."""
    area = auroc(scores, labels)
    return {
        "auroc": None if area is None else round(area, 4),
        "ece": round(expected_calibration_error(scores, labels), 4),
        "macro_f1": round(macro_f1(scores, labels), 4),
        "right": round(float(np.mean(labels)), 4),
        "steps": len(labels),
    }
