"""What a chart reader found, before it becomes constraints: a value of a category in a series, and how it was read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from evpv.perception.charts.labels import PrintedNumber
from evpv.types import Box, Constraint, Numeric, Structure


class ValueSource(Enum):
    """How a value was read, with the share of such facts that are right, rounded from the development charts."""

    AGREEING = 0.95  # printed, and the mark has the length that the number says
    PRINTED = 0.80  # printed at the mark, with nothing to check it against
    MEASURED = 0.93  # measured against the axis, on a mark long enough to measure well
    ROUGH = 0.65  # measured on a short or half-hidden mark


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartValue:
    """One value of the table behind a chart."""

    category: str
    series: str
    value: float
    box: Box | None
    evidence: ValueSource
    unit: str | None = None
    error: float | None = None  # how far off the value may be, in its own unit

    @classmethod
    def from_print(
        cls, quantity: PrintedNumber, box: Box | None, *, category: str = "", series: str = "", agrees: bool = True
    ) -> ChartValue:
        """A value as it is printed, which its mark may bear out."""
        source, value = ValueSource.AGREEING if agrees else ValueSource.PRINTED, quantity.value
        return cls(category=category, series=series, value=value, unit=quantity.unit, evidence=source, box=box)


def constraints_of(facts: Sequence[ChartValue]) -> list[Constraint]:
    """The facts in the schema, after a `structure` of type table that names the series."""
    if not facts:
        return []
    series = tuple(dict.fromkeys(fact.series for fact in facts if fact.series))
    confidence = max(fact.evidence.value for fact in facts)
    table = Structure(type="table", parts=series or ("values",), confidence=confidence)
    values = [
        Numeric(
            entity=f"{fact.category} {fact.series}".strip(),
            attribute="value",
            value=fact.value,
            unit=fact.unit,
            confidence=fact.evidence.value,
            box=fact.box,
            reading="printed" if fact.evidence in (ValueSource.AGREEING, ValueSource.PRINTED) else "estimated",
            row=fact.category or None,
            series=fact.series or None,
            error=fact.error,
        )
        for fact in facts
    ]
    return [table, *values]
