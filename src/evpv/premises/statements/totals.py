"""Sums, means, medians, ranges, modes and differences that are stated, and how many rows meet a limit."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from evpv.language.forms import Amount, amount_text
from evpv.language.number_words import clock_number
from evpv.language.quantities import number_text, quantities
from evpv.language.tokens import Cue, name_stems
from evpv.premises.figure import Cell
from evpv.premises.matching.values import Finding, decide, missing, unread
from evpv.premises.statements.strangers import names_absent
from evpv.premises.statements.values import finding_of_each, if_right, value_finding
from evpv.premises.statements.verdicts import agrees, counts_rows, decision, is_part, pure
from evpv.premises.statements.views import NEAR, STRANGE, UNCLEAR, View


def aggregate_finding(v: View, cue: Cue) -> Finding:
    """Whether a sum, mean, median, range, mode, difference or ratio is the number that is said, or the value of a row that is spoken of."""
    if names_absent(v.piece, v.grid):
        return unread(STRANGE)
    one = len(v.amounts) == 1
    if (cue.tag, len(v.amounts)) == ("total", 2) and v.own_rows:
        return value_finding(v)
    readings = [*_aggregate_findings(v, cue), *_distribution_findings(v, cue)]
    if cue.tag in _OF_CELLS and one and v.row_from <= NEAR and not v.has_bound:
        readings.append(if_right(value_finding(v)))
    open_pair = cue.tag in ("difference", "ratio") and max(len(v.own_rows), len(v.own_columns)) < 2
    return decision(readings, v, sure=one and not open_pair, leans=cue.tag == "difference")


def _aggregate_findings(v: View, cue: Cue) -> Iterator[Finding | None]:
    for cells in _scopes(v):
        for result in _results(cue.tag, [cell.value for cell in cells]) if len(cells) > 1 else ():
            words = f"the {cue.words} of the {len(cells)} values is {number_text(round(result, 6))}."
            like = pure(cells[0], result) if cue.tag == "ratio" else cells[0].with_value(result)
            found = agrees(v.amounts[-1], like)
            yield None if found == "unclear" else decide(found == "same", cells, words)


_OF_CELLS = ("total", "mean", "median")  # what a cell itself may give: “Median pay, men: 9.21”
_OF_DISTRIBUTION = ("mean", "median", "range", "mode")
_MANY_COUNTED = 10_000


def _distribution_findings(v: View, cue: Cue) -> Iterator[Finding | None]:
    """The same of a frequency table, whose rows are the values, each counted as often as it was found."""
    if cue.tag not in _OF_DISTRIBUTION or v.grid.timed_rows or not v.grid.line_rows or len(v.grid.columns) != 1:
        return
    cells = v.grid.cells(v.grid.rows, v.grid.columns)
    values = _counted_values(cells)
    for result in _results(cue.tag, values) if values else ():
        words = f"the {cue.words} of the {len(values)} counted is {number_text(round(result, 6))}."
        yield decide(agrees(v.amounts[-1], pure(cells[0], result)) == "same", cells, words)


def _counted_values(cells: Sequence[Cell]) -> list[float]:
    """The numbers that rows are called after, each as often as its cell says; none where one is no number, or its cell no count."""
    said = [quantities(cell.row) for cell in cells]
    if not all(said) or any(cell.value % 1 or not 0 <= cell.value <= _MANY_COUNTED for cell in cells):
        return []
    return [one[0].value for one, cell in zip(said, cells, strict=True) for _ in range(int(cell.value))]


def _results(tag: str, values: Sequence[float]) -> Iterator[float]:
    """What the values come to."""
    match tag:
        case "total":
            yield sum(values)
        case "mean":
            yield statistics.fmean(values)
        case "median":
            yield statistics.median(values)
        case "range" | "difference":
            yield max(values) - min(values)
        case "mode":
            yield from statistics.multimode(values)
        case "ratio" if all(values[:2]):
            yield values[0] / values[1]
            yield values[1] / values[0]


def _scopes(v: View) -> Iterator[list[Cell]]:
    """The cells that are added up: those read last, where no cell is named, those named, else all of a column, a row or the table."""
    grid = v.grid
    columns = v.column_span or (v.own_columns if len(grid.columns) > 1 else grid.columns)
    rows = v.row_span or v.own_rows
    if not rows and (kin := rows_of_kind(v)):
        yield grid.cells(kin, columns or v.part_columns)
        return
    if not min(len(v.own_rows), len(v.own_columns)) and v.amounts[-1].bound == "=":
        yield [*v.context.used[-2:]]
    yield from _row_scopes(v, rows, columns) if rows else _column_scopes(v, columns)


def rows_of_kind(v: View) -> list[str]:
    """The rows that the noun of a number takes in, where there are others: the red and the blue of “13 balls”, not the cube."""
    noun = v.piece.sentence.tokens[v.piece.numbers[-1].last + 1 :][:1]
    kin = [row for row in v.grid.rows if noun and noun[0].is_content_word and noun[0].stem in name_stems(row)]
    return kin if 1 < len(kin) < len(v.grid.rows) else []


def _row_scopes(v: View, rows: Sequence[str], columns: Sequence[str]) -> Iterator[list[Cell]]:
    grid, parts = v.grid, v.part_columns
    meant = columns or v.columns or parts
    if v.given_rows and v.has("with", "they", "plus"):
        yield grid.cells(dict.fromkeys((*v.given_rows, *rows)), meant)
    if columns:
        yield grid.cells(rows, columns)
    yield grid.cells(rows, parts if grid.uniform else meant)
    if not columns and len(rows) > 1:
        yield from (grid.cells(rows, [column]) for column in parts)


def _column_scopes(v: View, columns: Sequence[str]) -> Iterator[list[Cell]]:
    grid, every = v.grid, v.part_rows
    if columns:
        if len(columns) == 1 and v.row_from != NEAR:
            yield grid.cells(every, columns)
        yield grid.cells(v.rows or every, columns)
        yield grid.cells(every, columns)
        return
    meant = v.columns or v.part_columns
    yield grid.cells(v.leaning_rows, meant)
    yield from (grid.cells(every, [column]) for column in meant)
    yield grid.cells(every, v.part_columns)


# How many.


class _Count(NamedTuple):
    """How many rows are said to meet a limit, and which, if it is said."""

    number: Amount | None
    limit: Amount
    rows: tuple[str, ...]


def count_finding(v: View) -> Finding | None:
    """How many rows meet a limit or have a value: “three exceed 5”, “no one has 10”, “only Ann and Ben are above 80”, “all but Dev”."""
    if v.piece.has("except") and v.has_any(_EVERYONE):
        return _exception_finding(v)
    if len(v.amounts) == 2 and v.own_rows and not v.amounts[0].quantity.value:
        return _none_finding(v)
    count = _only_count(v) if len(v.amounts) == 1 else _number_count(v)
    if count is None:
        return None
    return decision([_finding_in_column(v, count, column) for column in v.likely_columns], v, leans=False)


_EVERYONE = frozenset("all every everyone everything nothing nobody none".split())


def _only_count(v: View) -> _Count | None:
    """“Only Ann and Ben are above 80”."""
    only = v.piece.has("only")
    if only is None or only.words not in ("only", "solely") or not v.own_rows or v.piece.has("total"):
        return None
    first = min((n.first for n in v.piece.names if n.axis == "row"), default=-1)
    fits = v.amounts[0].bound != "=" and 0 <= first - only.last <= (6 if v.piece.sentence.after(only) == "one" else 3)
    return _Count(None, v.amounts[0], v.own_rows) if fits else None


def _number_count(v: View) -> _Count | None:
    """“Three towns exceed 5”: the number of rows, and the limit that they meet."""
    numbers = v.piece.numbers
    if len(numbers) != 2:
        return None
    if numbers[0].amount.bound != "=" and counts_rows(v, numbers[1]):
        numbers = numbers[::-1]
    limit = numbers[1].amount
    if (limit.bound == "=" and v.own_rows) or not counts_rows(v, numbers[0]):
        return None
    return _Count(numbers[0].amount, limit, v.row_span or v.own_rows)


def _words(meeting: Sequence[object], cells: Sequence[Cell], limit: Amount) -> str:
    return f"{len(meeting)} of {len(cells)} values are {amount_text(limit)}."


_REMAINING = frozenset("other others rest remaining".split())


def _finding_in_column(v: View, count: _Count, column: str) -> Finding | None:
    cells = v.grid.cells(v.part_rows, [column])
    if not cells or (is_part(count.limit) and cells[0].unit != "percent"):
        return None  # “in the majority”, of values that are no percentages: each is more than a half
    found = [agrees(count.limit, cell) for cell in cells]
    if "unclear" in found:
        return None
    meeting = [cell for cell, result in zip(cells, found, strict=True) if result == "same"]
    right = _are_counted(v, count, cells, meeting)
    return decide(right, meeting or cells, _words(meeting, cells, count.limit))


def _are_counted(v: View, count: _Count, cells: Sequence[Cell], meeting: Sequence[Cell]) -> bool:
    """Whether as many cells meet a limit as is said, and those of the rows that are named."""
    right = count.number is None or agrees(count.number, pure(cells[0], float(len(meeting)))) == "same"
    others = count.number is not None and not _REMAINING.isdisjoint(v.piece.words)
    rows = {cell.row for cell in cells if (cell in meeting) != others}
    return right and {*count.rows} in (set(), rows)


def _none_finding(v: View) -> Finding | None:
    """“None of the days from Monday to Thursday reaches 520.”"""
    limit = v.amounts[1]
    if limit.bound == "=":
        limit = replace(limit, bound=">=")
    cells = v.grid.cells(v.row_span or v.own_rows, v.likely_columns)
    meeting = [cell for cell in cells if agrees(limit, cell) == "same"]
    return decision([decide(not meeting, meeting[:1] or cells, _words(meeting, cells, limit))], v) if cells else None


def _exception_finding(v: View) -> Finding | None:
    """“All but Dev read more than 8”, “nothing except the mug costs less than 20”, “all but two exceed 5”."""
    many = _number_excepted(v)
    if not v.own_rows and not many:
        return missing(UNCLEAR)
    limit = v.amounts[-1]
    none = len(v.amounts) > 1 and not v.amounts[0].quantity.value
    cells = v.grid.cells(v.part_rows, v.likely_columns[:1])
    meeting = [cell.row for cell in cells if agrees(limit, cell) == "same"]
    apart = {*meeting} if none else {cell.row for cell in cells}.difference(meeting)
    right = apart == set(v.own_rows) if v.own_rows else len(apart) == many
    return decision([decide(right, cells, _words(meeting, cells, limit))], v, leans=False) if cells else None


def _number_excepted(v: View) -> int | None:
    words = v.piece.words if v.has_bound else ()
    threes = zip(words, words[1:], words[2:], strict=False)
    return next((clock_number(c) for a, b, c in threes if (a, b) == ("all", "but")), None)


def quantified_finding(v: View) -> Finding | None:
    """“All stayed above 40%”: a limit that every row meets."""
    if len(v.amounts) != 1 or not v.has_bound or v.piece.denial or not v.piece.has("every", "both"):
        return None
    cells = v.grid.cells(_every_row(v), v.column_span or v.likely_columns)
    return decision([finding_of_each(v.amounts[0], cells)], v, leans=False)


def _every_row(v: View) -> Sequence[str]:
    """The rows that “all” takes in; none where another number of them is said, which is not that of the columns: “all five”."""
    rows = v.row_span or v.own_rows or v.leaning_rows or v.grid.rivals(v.grid.rows)
    many = next((n for a, b in itertools.pairwise(v.piece.words) if a == "all" and (n := clock_number(b))), len(rows))
    return rows if many in (len(rows), len(v.grid.columns)) else ()
