"""Whether a stated quantity and a read value are the same number: units, scale, rounding, and how the value was read."""

from __future__ import annotations

import math
import re
from typing import Literal

from evpv.premises.matching.facts import Fact
from evpv.premises.normalize.numbers import Quantity
from evpv.premises.normalize.units import conversion

Agreement = Literal["same", "different", "unclear"]

ROUNDING_LIMIT = 0.015
"""A plain number may round the value read, but not by more than this part of it: 25.5 for 25.495, not 3 for 2.6."""
HEDGED_LIMIT = 0.05
ESTIMATE_SAME, ESTIMATE_DIFFERENT, HEDGED_DIFFERENT = 0.06, 0.10, 0.20
"""A value measured against an axis is only near the truth: closer than the first it agrees, farther than the second (the
third, where the claim says “about”) it does not, in between it cannot tell."""
EXACT_LIMIT = 1e-3
_LARGE = 1e4
"""From here on a chart may count in thousands or millions without its constraints saying so."""

_HEDGE = re.compile(
    r"(?:\b(?:about|roughly|approximately|approx\.?|around|nearly|almost|close to|some|just (?:under|over|below|above)|slightly (?:over|above|under|"
    r"below|more than|less than)|an estimated|circa|near|up to)|[≈~∼])[\s$€£¥a-z]{0,8}$", re.IGNORECASE)  # fmt: skip
_OVER = re.compile(
    r"\b(?:more than|over|above|at least|greater than|exceed(?:s|ed|ing)?|higher than|upwards of|no less than)\s+[$€£]?$",
    re.IGNORECASE,
)
_UNDER = re.compile(r"\b(?:less than|under|below|at most|fewer than|lower than|no more than)\s+[$€£]?$", re.IGNORECASE)


def agreement(quantity: Quantity, fact: Fact, text: str) -> Agreement:
    """How a quantity in `text` and a fact's value agree."""
    lead = text[max(0, quantity.start - 32) : quantity.start]
    hedged = _HEDGE.search(lead) is not None
    if not hedged and (_OVER.search(lead) or _UNDER.search(lead)):
        return _bounded(quantity, fact, over=_OVER.search(lead) is not None)
    readings = _in_units_of(quantity, fact)
    if fact.constraint.reading == "estimated":
        error = min((abs(x - fact.value) / max(abs(fact.value), abs(x), 1e-9) for x, _ in readings), default=1.0)
        rounded = any(abs(x - fact.value) <= 0.5 * step for x, step in readings)
        different = HEDGED_DIFFERENT if hedged or rounded else ESTIMATE_DIFFERENT
        return "same" if error <= ESTIMATE_SAME else "different" if error >= different else "unclear"
    if any(_same(x, step, quantity.places is None, fact.value, hedged) for x, step in readings):
        return "same"
    return "different"


def equal(left: float, right: float) -> bool:
    """Equality of two values that were both read: up to the last digit that a decimal can hold."""
    return math.isclose(left, right, rel_tol=1e-6, abs_tol=1e-9)


def _bounded(quantity: Quantity, fact: Fact, *, over: bool) -> Agreement:
    """“More than 50”: true of any larger value."""
    slack = ESTIMATE_SAME * abs(fact.value) if fact.constraint.reading == "estimated" else 0.0
    bound = min((x for x, _ in _in_units_of(quantity, fact)), key=lambda x: abs(x - fact.value))
    holds = fact.value + slack >= bound if over else fact.value - slack <= bound
    return "same" if holds else "different"


def _in_units_of(quantity: Quantity, fact: Fact) -> list[tuple[float, float]]:
    """The quantity as numbers that can be compared with the fact's, each with the size of its last written digit.

    Where one side leaves its unit or scale unsaid, both ways of taking it count: a column of prices says 0.45 for
    45¢, and a chart "in billions" 131 for $131 billion.
    """
    step = 10.0**-quantity.places if quantity.places is not None else 0.0
    if fact.scale != 1.0 and quantity.scale != 1.0:
        factors = [quantity.scale / fact.scale]
    elif fact.scale != 1.0:
        factors = [1.0, 1.0 / fact.scale]
    else:
        factors = [quantity.scale, 1.0] if quantity.scale != 1.0 else [1.0]
    factors = [factor * unit for factor in factors for unit in _unit_factors(quantity, fact)]
    if fact.scale == 1.0 and fact.unit is None and abs(quantity.absolute) >= _LARGE > abs(fact.value):
        factors += [quantity.scale / scale for scale in (1e3, 1e6, 1e9)]
    return [(quantity.value * factor, step * abs(factor)) for factor in factors]


def _unit_factors(quantity: Quantity, fact: Fact) -> list[float]:
    said, read = quantity.unit, fact.unit
    if said == "percent" and abs(fact.value) <= 1:
        return [1.0, 0.01]
    if said == read:
        return [1.0]
    if said and read:
        factor = conversion(said, read)
        return [factor if factor is not None else 1.0]
    if read == "percent" and said is None:
        return [1.0, 100.0] if quantity.places is None or abs(quantity.value) <= 1 else [1.0]
    if said == "cent":
        return [1.0, 0.01]
    if said == "percent":
        return [1.0, 0.01] if abs(fact.value) <= 1 else [1.0]
    return [1.0]


def _same(claimed: float, step: float, exact: bool, read: float, hedged: bool) -> bool:
    gap, size = abs(claimed - read), max(abs(read), 1e-9)
    if gap <= 1e-9 * max(size, 1.0):
        return True
    if exact:
        return gap <= (HEDGED_LIMIT if hedged else EXACT_LIMIT) * size
    if hedged:
        return gap <= max(0.5 * _rounded_step(claimed, step), 0.02 * size) * (1 + 1e-9) and gap <= HEDGED_LIMIT * size
    return gap <= 0.5 * step * (1 + 1e-9) and gap <= ROUNDING_LIMIT * size


def _rounded_step(claimed: float, step: float) -> float:
    """The digit that a hedged number rounds to: “about 17,000” speaks in thousands.

    >>> _rounded_step(17000.0, 1.0), _rounded_step(131.0, 1.0)
    (1000.0, 1.0)
    """
    while step and claimed and claimed % (10 * step) == 0 and step < abs(claimed):
        step *= 10
    return step


def too_close(left: Fact, right: Fact) -> bool:
    """Two values of which one is an estimate, within its error of each other, cannot be ordered."""
    if "estimated" not in (left.constraint.reading, right.constraint.reading):
        return False
    return abs(left.value - right.value) <= ESTIMATE_SAME * max(abs(left.value), abs(right.value), 1e-9)
