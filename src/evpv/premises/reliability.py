"""From the support of claims to how far a candidate's, or a step's, look at the figure can be trusted."""

from __future__ import annotations

import math
from collections.abc import Sequence

EPSILON = 1e-6
"""ε of Eqs. 5, 11 and 18."""


def reliability(supports: Sequence[float], epsilon: float = EPSILON) -> float:
    """r of Eq. 5: exp of the mean of log(ε + p_j), at most 1. Without claims (M = 0) nothing is in doubt, so 1.

    >>> round(reliability([0.9, 0.4]), 6)
    0.600001
    >>> reliability([]), reliability([1.0])
    (1.0, 1.0)
    """
    if not supports:
        return 1.0
    mean = math.fsum([math.log(epsilon + support) for support in supports]) / len(supports)
    return min(math.exp(mean), 1.0)


def step_reliability(own: float | None, inherited: Sequence[float]) -> float | None:
    """How probable it is that all premises of one step hold: its own claim's and those of the earlier steps it uses.

    The least supported premise decides; None for a step that rests on no claim at all.

    >>> step_reliability(0.9, [0.2, 0.8]), step_reliability(None, []), step_reliability(None, [0.3])
    (0.2, None, 0.3)
    """
    supports = inherited if own is None else [*inherited, own]
    return min(supports) if supports else None
