"""Questions about all values of a table: mean, median, mode, range, totals, fractions, probabilities, functions."""

from __future__ import annotations

import statistics
from fractions import Fraction
from itertools import pairwise

from evpv.judges.checks.questions.asked import Recomputed, asking, mentions
from evpv.judges.checks.tables import Table
from evpv.judges.checks.wordings import IN_ALL, MEASURE


def measure(question: str, table: Table) -> Recomputed | None:
    """The mean, median, mode or range of the table's values."""
    match = MEASURE.search(asking(question))
    values = [cell.value for cell in table.cells]
    if match is None or len(values) < 2 or len(table.columns) > 1 or table.is_stem_and_leaf:
        return None
    if mentions(asking(question), table.rows):
        return None  # "the average rainfall in Oslo" is one value, not a measure of all
    name = match[1].lower()
    if name in ("mean", "average"):
        result = sum(values, Fraction()) / len(values)
    elif name == "median":
        result = Fraction(statistics.median(values))
    elif name == "range":
        result = max(values) - min(values)
    else:
        modes = statistics.multimode(values)
        if len(modes) != 1:
            return None
        result = modes[0]
    return Recomputed(result, f"the {name} of the {len(values)} values of the table")


def named_measure(question: str) -> str | None:
    """Which measure a question asks for, if any."""
    match = MEASURE.search(asking(question))
    return match[1].lower() if match else None


def probability(question: str, table: Table) -> Recomputed | None:
    """The share of one cell (row and column named), or of one row, in the sum of all cells."""
    asked = asking(question).lower()
    total = sum((cell.value for cell in table.cells), Fraction())
    if not ("probability" in asked or asked.startswith("what fraction")) or not total or table.is_stem_and_leaf:
        return None
    rows = [m.name for m in mentions(asked, table.rows)]
    columns = [m.name for m in mentions(asked, table.columns)]
    if len(rows) != 1 or (len(table.columns) > 1 and len(columns) != 1):
        return None
    part = table.cell(rows[0], columns[0]) if len(table.columns) > 1 else table.cell(rows[0], table.columns[0])
    if part is None:
        return None
    return Recomputed(
        part.value / total, f"{part.row} {part.column} is {part.value} of {total} in all", as_fraction=True
    )


def everything(question: str, table: Table) -> Recomputed | None:
    """How many there are in all: the sum of the only column."""
    if not IN_ALL.search(asking(question)) or len(table.columns) != 1:
        return None
    if not table.cells or table.is_stem_and_leaf:
        return None
    return Recomputed(sum((cell.value for cell in table.cells), Fraction()), "the sum of the table's values")


def function_kind(question: str, table: Table) -> Recomputed | None:
    """Whether a table of x and y is linear, or is a function at all."""
    points = _points(table)
    if len(points) < 2:
        return None
    if "linear or nonlinear" in question:
        if len({x for x, _ in points}) < len(points):
            return None
        slopes = {(y2 - y1) / (x2 - x1) for (x1, y1), (x2, y2) in pairwise(points)}
        word = "linear" if len(slopes) == 1 else "nonlinear"
        return Recomputed(word, f"the slopes between the points are {'equal' if len(slopes) == 1 else 'not equal'}")
    if "relation a function" in question:
        single = all(len({y for x, y in points if x == at}) == 1 for at, _ in points)
        return Recomputed("yes" if single else "no", f"{'no' if single else 'an'} x has two values of y")
    return None


def _points(table: Table) -> list[tuple[Fraction, Fraction]]:
    points = []
    for cell in table.cells:
        try:
            points.append((Fraction(cell.row.replace("−", "-").replace(",", "")), cell.value))
        except (ValueError, ZeroDivisionError):
            return []
    return points
