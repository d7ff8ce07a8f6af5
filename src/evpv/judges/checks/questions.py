"""Questions that the table alone answers, worked out again by kind of question.

The answer key is never read: an answer follows from the question's words and the values that an extractor saw. Each solver
gives None when the question is not of its kind or leaves a choice; the first answer counts.
"""

from __future__ import annotations

import operator
import re
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from evpv.judges.checks.tables import Asked, TableValue, ValueTable, mentions
from evpv.language.quantities import quantities
from evpv.language.questions import amount_before
from evpv.language.text import plain

_RATIOS = re.compile(r"\b(?:ratio|difference|sum|times|product|twice|half|percent(?:age)? of)\b")
_MEANS = re.compile(r"\b(?:ratio|difference|sum|average|mean|median)\b")
_TOGETHER = re.compile(r"\b(?:total|in all|altogether|combined|together)\b")
_HOW_MUCH = re.compile(r"\bhow (?:many|much)\b|\bwhat (?:is|was)\b")
_NOT_ONE_CELL = re.compile(r"\b(?:more|fewer|less|total|all|each|probability|fraction)\b")
_GIVEN_TOTAL = re.compile(r"\b(\d[\d,]*) (?:\w+ ){1,3}in total\b")
_DIGITS = re.compile(r"\d+")
_PERCENT = re.compile("percent|%")
_DIFFERENCE = re.compile(r"\bhow (?:many|much) (?:more|fewer|less|higher|lower)\b|\bby how much\b")
_FARTHER = r"further from|farther from|change[sd]? (?:the )?mo(?:re|st)|greater change|affects? [^?]{1,40} more"
_NEARER = r"closer to|closest to|change[sd]? (?:the )?le(?:ss|ast)|smaller change|affects? [^?]{1,40} less"
_MAGNITUDE = re.compile(rf"\b(?:{_FARTHER}|{_NEARER})\b")
_LARGEST = re.compile(r"\b(?:largest|highest|greatest|most|oldest|longest|tallest|heaviest|biggest|maximum)\b")
_SMALLEST = re.compile(r"\b(?:smallest|lowest|fewest|least|youngest|shortest|lightest|minimum)\b")
_MORE = re.compile(rf"\b(?:more|higher|larger|{_FARTHER})\b|{_LARGEST.pattern}")
_LESS = re.compile(rf"\b(?:fewer|less|lower|{_NEARER})\b|{_SMALLEST.pattern}")
_CHANGE = re.compile(r"\b(?:rise|rose|increased?|grew|growth|fall|fell|drop(?:ped)?|decreased?|compared with)\b")
_ASKS_FOR_A_ROW = re.compile(r"\b(?:which|who|whose|where|(?:are|were) there (?:more|fewer)|did (?:more|fewer))\b")
_LIMITS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), sign)
    for pattern, sign in (
        (r"\bat least (\d+)", ">="),
        (r"\b(?:more|greater) than (\d+)", ">"),
        (r"\b(?:fewer|less) than (\d+)", "<"),
        (r"\bat most (\d+)", "<="),
        (r"\bexactly (\d+)|\b(?:spun|scored|rolled) (\d+)(?= ?[?.])", "=="),
        (r"\bnot [a-z ]{1,40}any (?=[a-z])", "0"),
    )
)
_TESTS: dict[str, Callable[[Fraction, int], bool]] = {
    ">=": operator.ge, ">": operator.gt, "<": operator.lt, "<=": operator.le, "==": operator.eq,
}  # fmt: skip
_PURCHASE = re.compile(
    r"\b(?:buy|buys|bought|purchase[sd]?|spend|spent|total cost|would it cost|pay for)\b", re.IGNORECASE
)
_EACH = re.compile(
    r"\beach [^.?]{1,60} (?:has|have|holds|contains|is|are) (\d+) [^.?]{1,60}\. how many [^.?]{1,80}?"
    r"\b(?:in|on|are|for|by|at|do|does) (?:\w+ ){0,2}?(\d+) ",
    re.IGNORECASE,
)
_IN_ALL = re.compile(r"\b(?:are|were) there in all\b")
_MEASURE = re.compile(r"\b(?:what is|find|calculate) the (mean|average|median|mode|range)\b", re.IGNORECASE)
_BUDGET = re.compile(r"\bhas \$\s?(\d[\d,]*(?:\.\d+)?)")
_DRAWN = frozenset("length angle radius diameter height width area perimeter measure volume slope side".split())


@dataclass(frozen=True, slots=True)
class Recomputed:
    """A value, or the words of an option, and how it was found.

    `bounds` are given where the evidence leaves the value open between two limits (None: no limit). `as_fraction` says
    that the question wants a fraction, so that a rounded decimal is not an answer.
    """

    answer: Fraction | str
    reason: str
    bounds: tuple[Fraction, Fraction | None] | None = None
    as_fraction: bool = False


def recompute(question: str, table: ValueTable) -> Recomputed | None:
    """The answer of the first solver that knows the kind of question, or None; None too where a number of the question stands neither in
    the names read nor in the way the answer was found.

    Measures of a drawing are not a table: "the circumference of circle O" is not the value read at circle O.
    """
    if any(cell.column.lower() in _DRAWN for cell in table.cells):
        table = ValueTable((), ())
    asked = Asked(question, table)
    answer = next(filter(None, (solver(asked) for solver in _solvers(asked))), None)
    if answer is None:
        return None
    used = quantities(plain(" ".join((answer.reason, *table.rows, *table.columns, *table.header))))
    known = {quantity.absolute for quantity in used} | {1.0}
    given = quantities(plain(question[:4000]))
    return answer if all(quantity.absolute in known or quantity.spelled for quantity in given) else None


def _each(asked: Asked) -> Recomputed | None:
    """Each has so many, how many have several: a product that needs no table."""
    match = _EACH.search(asked.question[:2000])
    return match and Recomputed(Fraction(match[1]) * int(match[2]), f"{match[1]} for each of {match[2]}")


def _measure(asked: Asked) -> Recomputed | None:
    """The mean, median, mode or range of the table's values; "the average rainfall in Oslo" is one value, not a measure of all."""
    named = _MEASURE.search(asked.question)
    values = [cell.value for cell in asked.table.cells]
    if named is None or len(values) < 2 or len(asked.table.columns) > 1 or asked.rows:
        return None
    name, modes = named[1].lower(), statistics.multimode(values)
    results: dict[str, Fraction | None] = {
        "median": Fraction(statistics.median(values)),
        "range": max(values) - min(values),
        "mode": modes[0] if len(modes) == 1 else None,
    }
    result = results.get(name, asked.table.total / len(values))
    return None if result is None else Recomputed(result, f"the {name} of the {len(values)} values of the table")


def _probability(asked: Asked) -> Recomputed | None:
    """The share of one cell (row and column named), or of one row, in the sum of all cells."""
    wanted = "probability" in asked.low or asked.low.startswith("what fraction")
    total = asked.table.total if wanted else Fraction()
    if not total or len(asked.rows) != 1 or len(asked.cells) != 1:
        return None
    part = asked.cells[0]
    return Recomputed(part.value / total, f"{part.name} is {part.value} of {total} in all", as_fraction=True)


def _linear(asked: Asked) -> Recomputed | None:
    """Whether a table of x and y is linear."""
    points = asked.table.points if "linear or nonlinear" in asked.question else []
    if len(points) < 2 or len(dict(points)) < len(points):
        return None
    slopes = {(y2 - y1) / (x2 - x1) for (x1, y1), (x2, y2) in pairwise(points)}
    word, said_of_slopes = ("linear", "equal") if len(slopes) == 1 else ("nonlinear", "not equal")
    return Recomputed(word, f"the slopes between the points are {said_of_slopes}")


def _function(asked: Asked) -> Recomputed | None:
    """Whether a relation is a function: no x has two values of y."""
    points = asked.table.points if "relation a function" in asked.question else []
    is_function = len(dict(points)) == len(set(points))
    found = Recomputed("yes" if is_function else "no", f"{'no' if is_function else 'an'} x has two values of y")
    return found if len(points) > 1 else None


def _shortage(asked: Asked) -> Recomputed | None:
    """At a price: a shortage when more is demanded than supplied, else a surplus."""
    if "shortage or a surplus" not in asked.question.lower() or len(asked.rows) != 1:
        return None
    row = asked.table.row(asked.rows[0])
    want, have = ([cell.value for cell in row if word in cell.column.lower()] for word in ("demand", "suppl"))
    if [] in (want, have) or want[0] == have[0]:
        return None
    return Recomputed("shortage" if want[0] > have[0] else "surplus", f"demanded {want[0]}, supplied {have[0]}")


@dataclass(frozen=True, slots=True)
class _Limits:
    """What a counted value must be: "at least 20 and fewer than 40"."""

    tests: tuple[tuple[str, int], ...]

    def allow(self, value: Fraction) -> bool:
        return all(_TESTS[sign](value, limit) for sign, limit in self.tests)

    def __str__(self) -> str:
        return " and ".join(f"{sign} {limit}" for sign, limit in self.tests)


def _limits(asked: str) -> _Limits | None:
    found = [(sign, match) for pattern, sign in _LIMITS for match in pattern.finditer(asked)]
    tests = tuple(("==", 0) if sign == "0" else (sign, int(match[match.lastindex or 0])) for sign, match in found)
    return _Limits(tests) if tests and "how many" in asked else None


def _stem_and_leaf(asked: Asked) -> Recomputed | None:
    """How many values of a stem-and-leaf plot lie within limits, or the largest or smallest of them."""
    cells = asked.table.cells if asked.table.is_stem_and_leaf else ()
    values = _leaf_values(cells)
    if not values:
        return None
    # The round values whose leaves a number cannot hold: "0 0 3" read as 3. None where the printed text was kept.
    lost = {Fraction(10 * int(cell.row)) for cell in cells if cell.digits is None}
    limits = _limits(asked.low)
    if limits is not None:
        count = Fraction(sum(map(limits.allow, values)))
        bounds = (count, None) if any(map(limits.allow, lost)) else None
        return Recomputed(count, f"{count} of the {len(values)} leaves are {limits}", bounds)
    if _LARGEST.search(asked.low):
        return Recomputed(max(values), "the largest leaf of the last stem")
    least = min(values)
    within = (least - least % 10, least) if least - least % 10 in lost else None
    return Recomputed(least, "the smallest leaf of the first stem", within) if _SMALLEST.search(asked.low) else None


def _leaf_values(cells: Sequence[TableValue]) -> list[Fraction]:
    """The values of a stem-and-leaf plot: each leaf one digit behind its row's stem."""
    values: list[Fraction] = []
    for cell in cells if all(cell.row.strip().isdecimal() for cell in cells) else ():
        digits = cell.digits if cell.digits is not None else f"{float(cell.value):.0f}"
        values += [Fraction(10 * int(cell.row) + int(digit)) for digit in digits if digit.isdecimal()]
    return values


def _frequency(asked: Asked) -> Recomputed | None:
    """How many cases of a frequency table lie within limits: the sum of the frequencies of those rows."""
    limits, cells = _limits(asked.low), asked.table.cells
    if limits is None or len(asked.table.columns) != 1 or not all(cell.row.strip().isdecimal() for cell in cells):
        return None
    counted = [cell.value for cell in cells if limits.allow(Fraction(cell.row.strip()))]
    total = sum(counted, Fraction())
    return Recomputed(total, f"the frequencies of the rows {limits} add to {total}") if counted else None


def _rate_of_change(asked: Asked) -> Recomputed | None:
    """The change between two named rows, for each step between them: years, or places in the table."""
    if "rate of change" not in asked.low or len(asked.cells) != 2 or len(asked.table.columns) != 1:
        return None
    first, second = asked.cells
    by_name = first.row.strip().isdecimal() and second.row.strip().isdecimal()
    start, end = (int(cell.row) if by_name else asked.table.rows.index(cell.row) for cell in (first, second))
    change = f"({second.value} - {first.value}) / {end - start}"
    return Recomputed((second.value - first.value) / (end - start), change) if end != start else None


def _share(asked: Asked) -> Recomputed | None:
    """How many of a given total belong to the named rows, whose values are percents."""
    totals = _GIVEN_TOTAL.findall(asked.question)
    if len(totals) != 1 or not asked.cells or not asked.low.startswith("how many"):
        return None
    percent = sum((cell.value for cell in asked.cells), Fraction())
    share = Fraction(totals[0].replace(",", "")) * percent / 100
    return Recomputed(share, f"{percent}% of {totals[0]}") if all(cell.unit == "%" for cell in asked.cells) else None


def _difference(asked: Asked) -> Recomputed | None:
    """How much more one named cell has than another."""
    if not _DIFFERENCE.search(asked.low) or _BUDGET.search(asked.question):
        return None
    cells = asked.cells
    if len(asked.rows) == 1 and len(asked.columns) == 2:
        cells = [cell for cell in asked.table.row(asked.rows[0]) if cell.column in asked.columns]
    if len(cells) != 2 or len(asked.rows) > 2:
        return None
    more, less = cells
    return Recomputed(abs(more.value - less.value), f"{more.name} {more.value}, {less.name} {less.value}")


def _purchase(asked: Asked) -> Recomputed | None:
    """The cost of what is bought, what is left of the money, what is missing, or whether it is enough."""
    if not _PURCHASE.search(asked.question) or "which" in asked.low or len(asked.table.columns) != 1:
        return None
    bill, has = _bill(asked.question, asked.table), _BUDGET.search(asked.question)
    about = next((words for words in ("enough", "left", "how much more") if words in asked.low), None)
    if bill is None or about is None:
        return bill and Recomputed(*bill)
    if has is None:
        return None
    return _held_against(*bill, Fraction(has[1].replace(",", "")), about)


def _held_against(cost: Fraction, items: str, money: Fraction, about: str) -> Recomputed:
    if about == "enough":
        return Recomputed("yes" if cost <= money else "no", f"{items} is {float(cost):g}, the money {float(money):g}")
    return Recomputed(money - cost if about == "left" else cost - money, f"{money} against {items}")


def _bill(question: str, table: ValueTable) -> tuple[Fraction, str] | None:
    cost, items, after = Fraction(), [], 0
    for mention in mentions(question, table.rows):
        cell = table.cell(mention.name, table.columns[0])
        if cell is None:
            return None
        amount = amount_before(question, mention.start, after)
        after = mention.end
        cost += amount * cell.value
        items.append(f"{float(amount):g} × {cell.row} at {float(cell.value):g}")
    return (cost, " + ".join(items)) if items else None


def _together(asked: Asked) -> Recomputed | None:
    """What the named rows make in total; how many there are in all: the whole of the only column."""
    whole = _IN_ALL.search(asked.words) and len(asked.table.columns) == 1 and not asked.rows
    cells = list(asked.table.cells) if whole else asked.cells
    if not _TOGETHER.search(asked.low) or len(cells) < 2:
        return None
    total = sum((cell.value for cell in cells), Fraction())
    return Recomputed(total, " + ".join(f"{cell.name} {cell.value}" for cell in cells))


def _most(asked: Asked) -> Recomputed | None:
    """Which row has the most or the least, among all rows or among those named, without a column what each makes in all ("which zoo has
    the most bears"); with signs left out where asked."""
    largest, smallest = bool(_MORE.search(asked.low)), bool(_LESS.search(asked.low))
    magnitude = _MAGNITUDE.search(asked.low) is not None
    changes = not magnitude and _CHANGE.search(asked.low)
    if changes or largest == smallest or not _ASKS_FOR_A_ROW.search(asked.low) or len(asked.columns) > 1:
        return None
    cells = _compared_cells(asked)
    if len(cells) < 2:
        return None
    sizes = {cell: abs(cell.value) if magnitude else cell.value for cell in cells}
    first, second = sorted(cells, key=lambda cell: sizes[cell], reverse=largest)[:2]
    return Recomputed(first.row, f"{first.name} has {float(first.value):g}") if sizes[first] != sizes[second] else None


def _compared_cells(asked: Asked) -> list[TableValue]:
    cells = asked.table.column(asked.columns[0]) if asked.columns else asked.table.row_totals
    return [cell for cell in cells if cell.row in asked.rows] if len(asked.rows) == 2 else cells


def _lookup(asked: Asked) -> Recomputed | None:
    """One cell, its row named and its column named or the only one; a number given with the question is there to be used."""
    if not _HOW_MUCH.search(asked.low) or _NOT_ONE_CELL.search(asked.low) or len(asked.cells) != 1:
        return None
    (cell,) = asked.cells
    if len(asked.table.columns) == 1 and cell.row.strip().isdecimal():
        return None
    if set(_DIGITS.findall(asked.question)) - set(_DIGITS.findall(cell.name)):
        return None
    return Recomputed(cell.value, f"{cell.name} is {float(cell.value):g}")


_Solver = Callable[[Asked], Recomputed | None]
_SOLVERS: tuple[_Solver, ...] = (
    _each, _measure, _probability, _linear, _function, _shortage, _stem_and_leaf, _rate_of_change, _share,
    _difference, _purchase, _frequency, _together, _most, _lookup,
)  # fmt: skip
"""Solvers in the order they are asked; the first answer counts."""
_OF_LEAVES: tuple[_Solver, ...] = (_each, _shortage, _stem_and_leaf, _rate_of_change, _share, _together)
_NOT_FOR: dict[_Solver, re.Pattern[str]] = {_most: _MEANS, _lookup: _RATIOS}
"""Words with which a solver answers no question, because what they ask for is not what it works out."""


def _solvers(asked: Asked) -> Iterator[_Solver]:
    """Those that may answer. Where shares are to be counted, only the one that counts shares: without their total there is no answer."""
    if asked.table.is_in_shares and asked.low.startswith("how many") and not _PERCENT.search(asked.low):
        yield _share
        return
    for one in _OF_LEAVES if asked.table.is_stem_and_leaf else _SOLVERS:
        if one not in _NOT_FOR or not _NOT_FOR[one].search(asked.low):
            yield one
