"""Questions that count: stem-and-leaf plots and frequency tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from evpv.judges.checks.questions.asked import Bounds, Recomputed, asking
from evpv.judges.checks.tables import Table
from evpv.judges.checks.wordings import LARGEST, LIMITS, SMALLEST

_TESTS: dict[str, Callable[[Fraction, int], bool]] = {
    ">=": lambda value, limit: value >= limit,
    ">": lambda value, limit: value > limit,
    "<": lambda value, limit: value < limit,
    "<=": lambda value, limit: value <= limit,
    "==": lambda value, limit: value == limit,
}


@dataclass(frozen=True, slots=True)
class _Limits:
    tests: tuple[tuple[str, int], ...]

    def allow(self, value: Fraction) -> bool:
        return all(_TESTS[sign](value, limit) for sign, limit in self.tests)

    def __str__(self) -> str:
        return " and ".join(f"{sign} {limit}" for sign, limit in self.tests)


def _limits(asked: str) -> _Limits | None:
    tests = []
    for pattern, sign in LIMITS:
        for match in pattern.finditer(asked):
            tests.append(("==", 0) if sign == "0" else (sign, int(match[1])))
    return _Limits(tuple(tests)) if tests else None


def stem_and_leaf(question: str, table: Table) -> Recomputed | None:
    """How many values of a stem-and-leaf plot lie within limits, or the largest or smallest of them."""
    if not table.is_stem_and_leaf:
        return None
    values = leaves(table)
    asked = asking(question).lower()
    limits = _limits(asked)
    if not values:
        return None
    lost = _lost_zeros(table)
    if limits is not None and "how many" in asked:
        count = Fraction(sum(limits.allow(value) for value in values))
        bounds: Bounds | None = (count, None) if any(limits.allow(value) for value in lost) else None
        return Recomputed(count, f"{count} of the {len(values)} leaves are {limits}", bounds)
    if LARGEST.search(asked):
        return Recomputed(max(values), "the largest leaf of the last stem")
    if SMALLEST.search(asked):
        least = min(values)
        bounds = (least - least % 10, least) if least - least % 10 in lost else None
        return Recomputed(least, "the smallest leaf of the first stem", bounds)
    return None


def leaves(table: Table) -> list[Fraction]:
    """The values of a stem-and-leaf plot, each leaf one digit behind its row's stem."""
    values = []
    for cell in table.cells:
        if not cell.row.strip().isdecimal():
            return []
        stem = int(cell.row.strip())
        digits = cell.digits if cell.digits is not None else f"{float(cell.value):.0f}"
        values += [Fraction(10 * stem + int(digit)) for digit in digits if digit.isdecimal()]
    return values


def _lost_zeros(table: Table) -> set[Fraction]:
    """The round values whose leaves a number cannot hold: "0 0 3" read as 3. None where the printed text was kept."""
    return {Fraction(10 * int(cell.row)) for cell in table.cells if cell.digits is None}


def frequency(question: str, table: Table) -> Recomputed | None:
    """How many cases of a frequency table lie within limits: the sum of the frequencies of those rows."""
    asked = asking(question).lower()
    limits = _limits(asked)
    rows = [cell for cell in table.cells if cell.row.strip().isdecimal()]
    if limits is None or "how many" not in asked or len(table.columns) != 1 or table.is_stem_and_leaf:
        return None
    if not rows or len(rows) != len(table.cells):
        return None
    counted = [cell for cell in rows if limits.allow(Fraction(cell.row.strip()))]
    if not counted:
        return None
    total = sum((cell.value for cell in counted), Fraction())
    return Recomputed(total, f"the frequencies of the rows {limits} add to {total}")
