"""Whether a stated amount and a read value are the same number (units, scale, rounding, bounds, how the value was read), and what a
check of one form found.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

from evpv.language.forms import Amount
from evpv.language.immutable import immutable
from evpv.language.quantities import Quantity, canonical_unit, conversion, number_text, with_unit
from evpv.premises.figure import Cell

NOTHING_READ = "nothing was read of what the claim speaks of."
Verdict = Literal["supported", "contradicted", "missing"]


@immutable
class Finding:
    """A verdict, the constraint that decided it, how sure that constraint is, and one sentence for people. What is missing was not
    understood (`open`), is nothing that the figure has (`unread`), or was found wrong and is doubted. `signs` say how it was read;
    `otherwise` is what a likelier reading found wrong that another one found right."""

    verdict: Verdict
    constraint: int | None = None
    confidence: float = 1.0
    explanation: str = ""
    used: tuple[Cell, ...] = ()
    why_missing: Literal["open", "unread", "doubted"] = "open"
    signs: frozenset[str] = frozenset()
    otherwise: Finding | None = None

    @property
    def is_certain(self) -> bool:
        """Whether its support does not depend on how probable the claim is by itself."""
        return self.verdict == "supported" or (self.verdict == "contradicted" and self.confidence == 1.0)

    @property
    def is_open(self) -> bool:
        """Whether the claim was not understood."""
        return self.verdict == "missing" and self.why_missing == "open"


def missing(explanation: str) -> Finding:
    return Finding(verdict="missing", explanation=explanation)


def unread(explanation: str) -> Finding:
    """Missing because the figure does not have it, and not because the claim was not understood."""
    return Finding(verdict="missing", explanation=explanation, why_missing="unread")


def doubted(explanation: str) -> Finding:
    """Missing because what was found wrong may be a misunderstanding."""
    return Finding(verdict="missing", explanation=explanation, why_missing="doubted")


def decide(holds: bool, used: Sequence[Cell], explanation: str) -> Finding:
    """A verdict computed from cells; it is as sure as the least sure of them, which is the one it names."""
    weakest = min(used, key=lambda cell: cell.constraint.confidence)
    return Finding(
        verdict="supported" if holds else "contradicted",
        constraint=weakest.index,
        confidence=weakest.constraint.confidence,
        explanation=explanation,
        used=tuple(used),
    )


def opposite(finding: Finding) -> Finding:
    """The finding on the negated claim."""
    if finding.verdict == "missing":
        return finding
    return replace(finding, verdict="contradicted" if finding.verdict == "supported" else "supported")


def together(findings: Sequence[Finding]) -> Finding:
    """The finding on a claim of several parts: wrong if any part is, right if all are, else open."""
    wrong = first_of(findings, "contradicted") or first_of(findings, "missing")
    return wrong or min(findings, key=lambda finding: finding.confidence)


def first_of(findings: Iterable[Finding], verdict: Verdict) -> Finding | None:
    return next((finding for finding in findings if finding.verdict == verdict), None)


def read(cell: Cell) -> str:
    """A cell's value with the unit that the extractor gave it; one measured against an axis has no more than three digits."""
    unit = canonical_unit(cell.constraint.unit)
    if cell.estimated:
        return f"about {with_unit(number_text(float(f'{cell.value:.3g}')), unit)}"
    return with_unit(number_text(cell.value), unit)


def in_words(cell: Cell) -> str:
    """A cell in words, for explanations."""
    return f"'{cell.constraint.entity}' is {read(cell)}"


_Agreement = Literal["same", "different", "unclear"]

_ROUNDING_LIMIT = 0.015
"""A plain number may round the value read, but not by more than this part of it: 25.5 for 25.495, not 3 for 2.6."""
_HEDGED_LIMIT = 0.05
ESTIMATE_SAME, ESTIMATE_DIFFERENT, HEDGED_DIFFERENT = 0.06, 0.10, 0.20
"""A value measured against an axis is only near the truth: closer than the first it agrees, farther than the second (the
third, where the claim says “about”) it does not, in between it cannot tell."""
_EXACT_LIMIT = 1e-3
_TEMPERATURES = (frozenset({"degree", "celsius"}), frozenset({"degree", "fahrenheit"}))
_JUST = 0.12
"""How far below “just under 50” may be."""
_LARGE = 1e4
"""From here on a chart may count in thousands or millions without its constraints saying so."""


def agreement(amount: Amount, cell: Cell) -> _Agreement:
    """How a stated amount and a cell's value agree."""
    if amount.high is not None:
        return _within(amount, cell)
    if amount.bound != "=":
        return _bound_agreement(amount, cell)
    readings = _in_units_of(amount.quantity, cell)
    if not readings:
        return "unclear"
    if cell.estimated:
        return _estimate_agreement(amount, cell, readings)
    exact = amount.quantity.places is None
    if any(_same(x, step, exact, cell.value, amount.hedged) for x, step in readings):
        return "same"
    return "unclear" if _incompatible(amount.quantity, cell) else "different"


def is_read(amount: Amount, cells: Iterable[Cell]) -> bool:
    """Whether a stated amount is the value of one of these cells."""
    return any(agreement(amount, cell) == "same" for cell in cells)


def _incompatible(quantity: Quantity, cell: Cell) -> bool:
    """Units of different kinds refute nothing: a time of day is no number of pies."""
    if quantity.unit == "time":
        return cell.unit not in ("time", "hour")
    if quantity.unit is None or cell.unit is None or "percent" in (quantity.unit, cell.unit):
        return False
    return {quantity.unit, cell.unit} not in _TEMPERATURES and conversion(quantity.unit, cell.unit) is None


def equal(left: float, right: float) -> bool:
    """Equality of two values that were both read: up to the last digit that a decimal can hold."""
    return math.isclose(left, right, rel_tol=1e-6, abs_tol=1e-9)


def too_close(left: Cell, right: Cell) -> bool:
    """Two values of which one is an estimate, within its error of each other, cannot be ordered."""
    if not (left.estimated or right.estimated):
        return False
    return abs(left.value - right.value) <= max(
        ESTIMATE_SAME * max(abs(left.value), abs(right.value), 1e-9),
        left.constraint.error or 0.0,
        right.constraint.error or 0.0,
    )


def _estimate_agreement(amount: Amount, cell: Cell, readings: list[tuple[float, float]]) -> _Agreement:
    gap = min(abs(x - cell.value) for x, _ in readings)
    size = max(abs(cell.value), *(abs(x) for x, _ in readings if abs(x - cell.value) == gap), 1e-9)
    error = cell.constraint.error or 0.0
    rounded = any(abs(x - cell.value) <= 0.5 * step for x, step in readings)
    different = HEDGED_DIFFERENT if amount.hedged or rounded else ESTIMATE_DIFFERENT
    if gap <= max(ESTIMATE_SAME * size, error):
        return "same"
    return "different" if gap >= max(different * size, 2 * error) else "unclear"


def _bound_agreement(amount: Amount, cell: Cell) -> _Agreement:
    """“More than 50”: true of any larger value; “just over 50” only of near ones. A large bound is meant as it stands, another one as near
    as can be on the cell's scale."""
    quantity, readings = amount.quantity, [value for value, _ in _in_units_of(amount.quantity, cell)]
    if not readings:
        return "unclear"
    stands = quantity.scale == 1.0 and abs(quantity.value) >= _LARGE
    bound = readings[0] if stands else min(readings, key=lambda x: abs(x - cell.value))
    off = max(ESTIMATE_SAME * abs(cell.value), cell.constraint.error or 0.0) if cell.estimated else 0.0
    gap = cell.value - bound if amount.bound[0] == ">" else bound - cell.value
    return _bound_verdict(amount, bound, gap, off)


def _bound_verdict(amount: Amount, bound: float, gap: float, off: float) -> _Agreement:
    """How a value that lies so far beyond a bound, give or take what it may be off, agrees with it."""
    if amount.hedged and gap > _JUST * max(abs(bound), 1e-9) + off:
        return "different"
    if 0 < off >= abs(gap):
        return "same" if amount.hedged else "unclear"
    reached = "=" in amount.bound and gap >= -1e-9 * max(abs(bound), 1.0)
    return "same" if gap > 0 or reached else "different"


def _within(amount: Amount, cell: Cell) -> _Agreement:
    assert amount.high is not None
    low, high = _in_units_of(amount.quantity, cell), _in_units_of(amount.high, cell)
    if not low or not high:
        return "unclear"
    off = ESTIMATE_SAME * abs(cell.value) if cell.estimated else 1e-9 * max(1.0, abs(cell.value))
    inside = any(a - off <= cell.value <= b + off for (a, _), (b, _) in zip(low, high, strict=False))
    return "same" if inside else "different"


def _in_units_of(quantity: Quantity, cell: Cell) -> list[tuple[float, float]]:
    """What the quantity can mean on the cell's scale, each with the size of its last written digit.

    Where one side leaves its unit or scale unsaid, both ways of taking it count: a column of prices says 0.45 for
    45¢, and a chart "in billions" 131 for $131 billion.
    """
    step = 10.0**-quantity.places if quantity.places is not None else 0.0
    unsaid = cell.scale == 1.0 and cell.unit is None and abs(quantity.absolute) >= _LARGE > abs(cell.value)
    if quantity.unit == cell.unit != "percent" and quantity.scale == cell.scale == 1.0 and not unsaid:
        return [(quantity.value, step)]
    factors = _factors(quantity, cell) + [quantity.scale / scale for scale in _UNSAID_SCALES if unsaid]
    return [(quantity.value * factor, step * abs(factor)) for factor in factors]


_UNSAID_SCALES = (1e3, 1e6, 1e9)


def _factors(quantity: Quantity, cell: Cell) -> list[float]:
    if cell.scale == 1.0:
        counted_in_it = quantity.scale != 1.0 and abs(cell.value) < _LARGE
        scales = [quantity.scale, 1.0] if counted_in_it else [quantity.scale]
    else:
        scales = [quantity.scale / cell.scale] if quantity.scale != 1.0 else [1.0, 1.0 / cell.scale]
    return [a * b for a, b in itertools.product(scales, _unit_factors(quantity, cell))]


def _unit_factors(quantity: Quantity, cell: Cell) -> list[float]:
    match quantity.unit, cell.unit:
        case "percent", _ if abs(cell.value) <= 1:
            return [1.0, 0.01]
        case said, known if said == known or {said, known} in _TEMPERATURES:
            return [1.0]
        case str(said), str(known):
            return [conversion(said, known) or 1.0]
        case None, "percent":
            return [1.0, 100.0] if quantity.places is None or abs(quantity.value) <= 1 else [1.0]
        case "cent", _:
            return [1.0, 0.01]
    return [1.0]


def _same(claimed: float, step: float, exact: bool, value: float, hedged: bool) -> bool:
    gap, size = abs(claimed - value), max(abs(value), 1e-9)
    if gap <= 1e-9 * max(size, 1.0):
        return True
    if exact:
        return gap <= (_HEDGED_LIMIT if hedged else _EXACT_LIMIT) * size
    if hedged:
        return gap <= max(0.5 * _rounded_step(claimed, step), 0.02 * size) * (1 + 1e-9) and gap <= _HEDGED_LIMIT * size
    return gap <= 0.5 * step * (1 + 1e-9) and gap <= _ROUNDING_LIMIT * size


def _rounded_step(claimed: float, step: float) -> float:
    """The digit that a hedged number rounds to: “about 17,000” speaks in thousands.

    >>> _rounded_step(17000.0, 1.0), _rounded_step(131.0, 1.0)
    (1000.0, 1.0)
    """
    while step and claimed and claimed % (10 * step) == 0 and step < abs(claimed):
        step *= 10
    return step
