"""Numeric claims about tables, charts and named quantities: read off directly, or following by computation."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from evpv.premises.assertions import is_year
from evpv.premises.claims import NumericClaim
from evpv.premises.matching.addressing import Address, address, mentions, name_tokens
from evpv.premises.matching.facts import Fact, Facts
from evpv.premises.matching.findings import (
    NOTHING_READ,
    Finding,
    decided,
    in_words,
    missing,
    number,
    read,
    said,
    together,
)
from evpv.premises.matching.pairing import paired_cells
from evpv.premises.matching.unnamed import value_anywhere
from evpv.premises.matching.values import agreement, equal
from evpv.premises.normalize import words
from evpv.premises.normalize.numbers import Quantity, quantities

_TOTAL = re.compile(r"\b(?:total|sum|altogether|combined|together|overall number|in all)\b", re.IGNORECASE)
_MEAN = re.compile(r"\b(?:average|mean)\b", re.IGNORECASE)
_PREVIOUS = re.compile(r"\b(?:previous|preceding|one before|term before|to the next|from each)\b", re.IGNORECASE)


def table_value(claim: NumericClaim, facts: Facts) -> Finding:
    """A stated value against the cells that the sentence names."""
    if (point := _POINT.search(claim.text)) and (finding := _coordinates(claim, point, facts)):
        return finding
    if _PREVIOUS.search(claim.text) and claim.form != "value" and (finding := _along_series(claim, facts)):
        return finding
    findings = [_about(claim, value, facts) for value in _main_values(claim)]
    best = next((finding for finding in findings if finding.verdict == "supported"), findings[0])
    if best.verdict == "contradicted" and _unread_time(claim.text, facts):
        return missing("the claim speaks of times of which not all were read.")
    return best


_ANY_YEAR = re.compile(r"\b(?:1[5-9]\d\d|20\d\d)\b")


def _unread_time(text: str, facts: Facts) -> bool:
    """Whether a sentence names several years and not each is a row or column."""
    years = set(_ANY_YEAR.findall(text))
    known = {year for name in (*facts.rows, *facts.columns) for year in _ANY_YEAR.findall(name)}
    return len(years) > 1 and not years <= known


def _about(claim: NumericClaim, main: Quantity, facts: Facts) -> Finding:
    """The claim taken to assert `main`, its other numbers being free to name rows."""
    where = address(_without(claim.text, main), facts)
    values = _values_beside_names(claim, where)
    if not values:
        return missing("the numbers in the claim only name rows or columns.")
    if claim.form == "difference" and (finding := _difference(claim, values, where)):
        return finding
    if claim.form == "ratio" and (finding := _ratio(claim, values, where)):
        return finding
    if where.cells and _counts_other_things(claim.text, values[0], where.cells[0]):
        return missing(f"'{where.cells[0].constraint.entity}' counts something else than the claim.")
    several = len(where.rows) > 1 and (_TOTAL.search(claim.text) or _MEAN.search(claim.text))
    if several and (finding := _computed_total(claim, main, where, facts)):
        return finding
    if not where.cells:
        return _computed_total(claim, main, where, facts) or _by_row_alone(claim, values, where, facts)
    return _readings(claim, values, where)


_POINT = re.compile(r"\(\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*\)")


def _coordinates(claim: NumericClaim, point: re.Match[str], facts: Facts) -> Finding | None:
    """“The vertex lies at (3, -4)”: both coordinates of the point that the sentence names."""
    for other, axis, which in (("x", "y", 1), ("y", "x", 0)):
        crossing = [f for f in facts.cells if f.attribute == f"{axis}-intercept"]
        if (
            float(point.groups()[1 - which]) == 0.0
            and len(crossing) == 1
            and not re.search(r"\bvertex\b", claim.text, re.IGNORECASE)
        ):
            holds = equal(float(point.groups()[which]), crossing[0].value)
            return decided(holds, crossing, f"where {other} = 0, {in_words(crossing[0])}.")
    by_axis = {
        axis: [f for f in facts.cells if f.attribute in (axis, f"{axis}-coordinate", f"{axis} coordinate")]
        for axis in "xy"
    }
    findings = []
    for axis, stated in zip("xy", point.groups(), strict=True):
        named = {m.name for m in mentions(claim.text, [f.constraint.entity for f in by_axis[axis]], 0.5)}
        found = [f for f in by_axis[axis] if f.constraint.entity in named]
        if len(found) != 1:
            return None
        findings.append(
            decided(equal(float(stated), found[0].value), found, f"claimed {axis} = {stated}; {in_words(found[0])}.")
        )
    return together(findings)


_SAID_OF = re.compile(
    r"(?:\b(?:is|was|are|were|of|equals?|shows?|reads?|costs?|at|to|has|have|had|reach(?:es|ed))|[=:])\s(?:\w+\s)?[$€£]?$",
    re.IGNORECASE,
)


def _main_values(claim: NumericClaim) -> list[Quantity]:
    """The quantities that the sentence may be about, the likeliest first: the last that a verb leads to."""
    led_to = [v for v in claim.values if _SAID_OF.search(claim.text[max(0, v.start - 24) : v.start])]
    return [*led_to[::-1], *(v for v in claim.values if v not in led_to)][:3]


def _without(text: str, value: Quantity) -> str:
    """The sentence with a value blanked, so that a row of that name is not taken to be meant."""
    return text[: value.start] + " " * (value.end - value.start) + text[value.end :]


def _values_beside_names(claim: NumericClaim, where: Address) -> list[Quantity]:
    """The asserted quantities that are not part of a row's or column's name."""
    taken = where.number_positions()
    return [v for v in claim.values if not any(v.start <= position < v.end for position in taken)]


def _readings(claim: NumericClaim, values: Sequence[Quantity], where: Address) -> Finding:
    """Each named cell must be among the values and each value among the cells."""
    cells = where.cells
    if len(values) == 1:
        findings = [_reading(claim, values[0], cell) for cell in cells]
        several = len(where.rows) <= 1 and len(where.columns) != 1 and len(cells) > 1
        if several or not _lists_subjects(claim.text, where):
            right = next((f for f in findings if f.verdict == "supported"), None)
            open_which = missing("it is open which of the named cells the value belongs to.")
            return right or (findings[0] if len(cells) == 1 else open_which)
        return together(findings)
    whole = together([_best_reading(claim, values, where, i) for i in range(len(values))])
    return whole if whole.verdict != "missing" else _by_pairs(claim, values, where) or whole


def _by_pairs(claim: NumericClaim, values: Sequence[Quantity], where: Address) -> Finding | None:
    """Each value against the cell that its place in the sentence gives it.

    A value that some other named cell has may have been paired wrongly, and refutes nothing.
    """
    findings = []
    for place, cell in paired_cells(claim.text, values, where).items():
        finding = _reading(claim, values[place], cell)
        elsewhere = any(_reading(claim, values[place], other).verdict == "supported" for other in where.cells)
        findings.append(missing(OPEN) if finding.verdict == "contradicted" and elsewhere else finding)
    if len(findings) < len(values):
        findings.append(missing(OPEN))
    return together(findings) if len(findings) > 1 else None


OPEN = "it is open which value belongs to which name."
_COUNTED = re.compile(
    r"\s+((?:[a-z]+\s+){0,2}?[a-z]+)(?=\s+(?:in|on|at|of|for|during|to|from|by|as|per|and|that|than|with|last|this)\b|[.,;]|$)",
    re.IGNORECASE,
)
_ANYTHING = frozenset({"person", "people", "unit", "item", "time", "point", "case", "thing", "piece", "total"})
_NUMBER_OF = re.compile(r"\b(?:number|count|amount|quantity) of (?P<things>.+)", re.IGNORECASE)


def _counts_other_things(text: str, value: Quantity, cell: Fact) -> bool:
    """Whether “4 tennis courts” meets a column “Number of soccer fields”."""
    column, counted = _NUMBER_OF.search(cell.column), _COUNTED.match(text, value.end)
    if column is None or counted is None or value.unit or value.scale != 1.0 or words.stems(counted[1])[0] in _ANYTHING:
        return False
    things, named = words.content(column["things"]), words.content(counted[1])
    return bool(things) and bool(named) and not things & named and not things & words.content(text)


def _lists_subjects(text: str, where: Address) -> bool:
    """Whether several named rows all are the subject (“no pizzas on Tuesday, Wednesday or Thursday”)."""
    if len(where.rows) < 2:
        return True
    between = text[where.rows[0].position : where.rows[-1].position]
    return re.fullmatch(
        r"[\w\s'&-]*?(?:(?:,|\band\b|\bor\b|\bboth\b)[\w\s'&-]*)+", between
    ) is not None and not words.THAN.search(between)


def _best_reading(claim: NumericClaim, values: Sequence[Quantity], where: Address, which: int) -> Finding:
    """One of several values: against the cell of the same place in the sentence, if names and values can be paired."""
    value = values[which]
    findings = [_reading(claim, value, cell) for cell in where.cells]
    right = [f for f in findings if f.verdict == "supported"]
    paired = len(values) in (len(where.rows), len(where.columns) if len(where.rows) <= 1 else 0)
    if len(where.cells) == len(values) and paired:
        return _reading(claim, value, where.ordered_cells()[which])
    return right[0] if right else findings[0] if len(where.cells) == 1 and len(values) == 1 else missing(OPEN)


def _reading(claim: NumericClaim, value: Quantity, cell: Fact) -> Finding:
    outcome = agreement(value, cell, claim.text)
    if outcome == "unclear":
        return missing(f"'{cell.constraint.entity}' was only estimated ({read(cell)}), too loosely to tell.")
    return decided(
        outcome == "same", [cell], f"claimed {said(value)} for '{cell.constraint.entity}', read {read(cell)}."
    )


def _by_row_alone(claim: NumericClaim, values: Sequence[Quantity], where: Address, facts: Facts) -> Finding:
    """A row without a named column supports a value that one of its cells has, but refutes none."""
    if not where.rows:
        return value_anywhere(claim, values, where, facts) or missing(NOTHING_READ)
    rows = {mention.name for mention in where.rows}
    cells = [fact for fact in facts.cells if fact.row in rows]
    findings = [
        next((f for cell in cells if (f := _reading(claim, value, cell)).verdict == "supported"), None)
        for value in values
    ]
    found = [finding for finding in findings if finding is not None]
    return (
        together(found) if len(found) == len(values) else missing("the claim names a row but no column that was read.")
    )


LONGEST_TOTAL = 90
"""In a longer sentence, a “total” or “average” may be of something else than the rows."""


def _computed_total(claim: NumericClaim, stated: Quantity, where: Address, facts: Facts) -> Finding | None:
    """“The total is 500”, “on average 12”: over the named rows, or over all."""
    total, mean = _TOTAL.search(claim.text), _MEAN.search(claim.text)
    if not (total or mean) or (len(facts.columns) > 1 and not where.columns and not where.rows):
        return None
    named = where.number_positions()
    unread_year = any(
        is_year(q) and not any(q.start <= place < q.end for place in named) for q in quantities(claim.text)
    )
    if unread_year or any(_TOTAL.search(name) or _MEAN.search(name) for name in (*facts.columns, *facts.rows)):
        return None
    columns = {m.name for m in where.columns} or set(facts.columns)
    rows = {m.name for m in where.rows} or _counted_rows(claim.text, facts)
    cells = [fact for fact in facts.cells if fact.row in rows and fact.column in columns]
    if len(cells) < 2:
        return None
    if stated.unit == "percent" and cells[0].unit != "percent":
        return None
    value = sum(fact.value for fact in cells) / (1 if total else len(cells))
    first = cells[0]
    outcome = agreement(stated, first.with_value(value), claim.text)
    if outcome == "unclear" or (outcome == "different" and len(claim.text) > LONGEST_TOTAL):
        return None
    return decided(
        outcome == "same",
        cells,
        f"claimed {said(stated)}, the {'sum' if total else 'mean'} of {len(cells)} values read is {number(value)}.",
    )


def _counted_rows(text: str, facts: Facts) -> set[str]:
    """The rows that a total runs over: those with a word of the sentence (“balls”: red balls, blue balls), else all."""
    said = words.content(text)
    return {row for row in facts.rows if name_tokens(row) & said} or set(facts.rows)


def _pair(where: Address) -> tuple[Fact, Fact] | None:
    """The two cells that a comparison is between, the first-named first."""
    cells = where.ordered_cells()
    return (cells[0], cells[1]) if len(cells) == 2 else None


def _difference(claim: NumericClaim, values: Sequence[Quantity], where: Address) -> Finding | None:
    """“Isaiah took 32 more strokes than Edward”: size and direction."""
    pair = _pair(where)
    if pair is None:
        return missing("the claim compares two things of which not both were read.") if len(where.cells) < 2 else None
    left, right = pair
    gap = left.value - right.value
    if re.search(r"\b(?:increas|rise|rose|grew|fell|drop|decreas|declin|went)", claim.text, re.IGNORECASE):
        gap = -gap if _earlier(left, right) else gap
    down = words.LESS.search(claim.text) or words.FALLS.search(claim.text)
    up = words.GREATER.search(claim.text) or words.RISES.search(claim.text)
    wanted = -gap if down else gap if up else abs(gap)
    outcome = agreement(values[0], left.with_value(wanted), claim.text)
    if outcome == "unclear":
        return missing("the two values were only estimated, too loosely to tell their difference.")
    return decided(
        outcome == "same",
        [left, right],
        f"{in_words(left)} and {in_words(right)}: they differ by {number(abs(gap))}, not as claimed."
        if outcome != "same"
        else f"{in_words(left)} and {in_words(right)}: they differ by {number(abs(gap))}.",
    )


def _earlier(left: Fact, right: Fact) -> bool:
    """Whether the first-named of two cells comes first in time, where rows or columns are years."""
    a, b = (re.search(r"\b(1[5-9]\d\d|20\d\d)\b", f"{fact.row} {fact.column}") for fact in (left, right))
    return a is None or b is None or int(a[1]) <= int(b[1])


def _along_series(claim: NumericClaim, facts: Facts) -> Finding | None:
    """“Each term is three times the previous one”, “3 more than the one before”."""
    series, stated = list(facts.cells), claim.values[0].absolute
    if len(series) < 2:
        return None
    if words.LESS.search(claim.text) or words.FALLS.search(claim.text):
        stated = -stated if claim.form == "difference" else stated
    steps = [
        (a, b, a.value * stated if claim.form == "ratio" else a.value + stated) for a, b in itertools.pairwise(series)
    ]
    wrong = [[a, b] for a, b, wanted in steps if not _near(b.value, wanted)]
    shown = ", ".join(number(fact.value) for fact in series[:6])
    return decided(not wrong, wrong[0] if wrong else series, f"the series reads {shown}.")


_GREW = re.compile(r"\b(?:doubled|tripled|quadrupled|halved)\b", re.IGNORECASE)


def _ratio(claim: NumericClaim, values: Sequence[Quantity], where: Address) -> Finding | None:
    """“Twice as many as” between two cells."""
    factor = values[0].absolute
    pair = _pair(where)
    if pair is None:
        return missing("the claim compares two things of which not both were read.") if len(where.cells) < 2 else None
    left, right = pair[::-1] if _GREW.search(claim.text) and _earlier(*pair) else pair
    hedged = re.search(r"\b(?:about|roughly|nearly|almost|approximately|around)\b", claim.text, re.IGNORECASE)
    holds = _near(left.value, factor * right.value, 0.1 if hedged else 0.02)
    if re.search(r"\b(?:more than|over)\b", claim.text, re.IGNORECASE):
        holds = left.value > factor * right.value
    return decided(
        holds,
        [left, right],
        f"{in_words(left)} and {in_words(right)}: {number(factor)} times the second would be {number(factor * right.value)}.",
    )


def _near(value: float, wanted: float, limit: float = 0.02) -> bool:
    return abs(value - wanted) <= limit * max(abs(wanted), 1e-9)


_PARTS = re.compile(
    r"\s(?:\w+\s)?(rows|columns|bars|categories|slices|sectors|countries)\b",
    re.IGNORECASE,
)
_THERE = re.compile(r"\b(?:there (?:are|were)|chart|table|graph|figure)\b", re.IGNORECASE)


def count_claim(claim: NumericClaim, facts: Facts) -> Finding | None:
    """“There are five bars in the chart”, “the table has 4 rows”."""
    if len(claim.values) != 1 or claim.values[0].unit or not facts.cells:
        return None
    noun = _PARTS.match(claim.text, claim.values[0].end)
    if noun is None or not _THERE.search(claim.text):
        return None
    wanted = len([c for c in facts.columns if c]) if noun[1].lower() == "columns" else len(facts.rows)
    stub = 1 if noun[1].lower() == "columns" else 0
    holds = claim.values[0].value in (wanted, wanted + stub)
    return decided(holds, facts.cells[:1], f"{wanted} {noun[1].lower()} were read.")
