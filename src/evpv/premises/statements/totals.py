"""Sums, means, medians, ranges, modes and differences that are stated, and how many rows meet a limit."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import replace

from evpv.language.forms import Amount, amount_text
from evpv.language.quantities import number_text
from evpv.language.tokens import Cue, name_stems
from evpv.premises.figure import Cell
from evpv.premises.matching.values import Finding, decide, missing, unread
from evpv.premises.statements.grid import is_whole
from evpv.premises.statements.strangers import names_absent
from evpv.premises.statements.values import each, value_finding
from evpv.premises.statements.verdicts import agrees, counts_rows, pure, settled
from evpv.premises.statements.views import NEAR, OWN, STRANGE, UNCLEAR, View, span


def aggregate_finding(v: View, cue: Cue) -> Finding:
    """Whether a sum, mean, median, range, mode, difference or ratio is the number that is said."""
    if names_absent(v.piece, v.grid):
        return unread(STRANGE)
    if len(v.amounts) == 2 and cue.tag == "total" and v.own_rows:
        return value_finding(v)
    amount = v.amounts[-1]
    readings = list(_aggregates(v, cue, amount))
    if cue.tag == "total" and v.rows and v.row_from in (OWN, NEAR) and len(v.amounts) == 1:
        readings += [one for one in [value_finding(v)] if one.verdict == "supported"]
    apart = cue.tag in ("difference", "ratio") and len(v.own_rows) < 2 and len(v.own_columns) < 2
    return settled(readings, v, sure=len(v.amounts) == 1 and not apart, leans=cue.tag == "difference")


def _aggregates(v: View, cue: Cue, amount: Amount) -> Iterator[Finding | None]:
    for cells in _scopes(v):
        if len(cells) < 2:
            continue
        values = [cell.value for cell in cells]
        for result in _results(cue.tag, values):
            words = f"the {cue.words} of the {len(cells)} values is {number_text(round(result, 6))}."
            like = pure(cells[0], result) if cue.tag == "ratio" else cells[0].with_value(result)
            found = agrees(amount, like)
            yield None if found == "unclear" else decide(found == "same", cells, words)


def _results(tag: str, values: Sequence[float]) -> Iterator[float]:
    """What the values come to."""
    match tag:
        case "total":
            yield sum(values)
        case "mean":
            yield statistics.fmean(values)
        case "median":
            yield statistics.median(values)
        case "range":
            yield max(values) - min(values)
        case "mode":
            yield from statistics.multimode(values)
        case "difference":
            yield abs(values[0] - values[1]) if len(values) == 2 else max(values) - min(values)
        case "ratio" if all(values[:2]):
            yield values[0] / values[1]
            yield values[1] / values[0]


def _scopes(v: View) -> Iterator[list[Cell]]:
    """The cells that are added up: those named, else all of a column, a row or the table."""
    grid = v.grid
    rows = span(v, "row") or v.own_rows
    columns = span(v, "column") or (v.own_columns if len(grid.columns) > 1 else grid.columns)
    parts = [name for name in grid.columns if not is_whole(name)]
    every = [row for row in grid.rows if not is_whole(row)]
    if not rows and (kin := _rows_of_kind(v)):
        yield grid.cells(kin, columns or parts)
        return
    if len(v.context.used) > 1 and not (v.own_rows and v.own_columns) and v.amounts[-1].bound == "=":
        yield list(v.context.used[-2:])
    if rows and v.has("with", "they", "plus") and v.given_rows:
        yield grid.cells(dict.fromkeys((*v.given_rows, *rows)), columns or v.columns or parts)
    if rows and columns:
        yield grid.cells(rows, columns)
    if rows:
        yield grid.cells(rows, parts if grid.uniform else columns or v.columns or parts)
        yield from (grid.cells(rows, [column]) for column in parts if not columns and len(rows) > 1)
    elif columns:
        if len(columns) == 1 and v.row_from != NEAR:
            yield grid.cells(every, columns)
        yield grid.cells(v.rows, columns) if v.rows else grid.cells(every, columns)
        yield grid.cells(every, columns)
    else:
        if v.rows and (v.pronoun or v.row_from == NEAR):
            yield grid.cells(v.rows, v.columns or parts)
        yield from (grid.cells(every, [column]) for column in v.columns or parts)
        yield grid.cells(every, parts)


def _rows_of_kind(v: View) -> list[str]:
    """The rows that the noun of a number takes in, where there are others: the red and the blue of “13 balls”, not the cube."""
    noun = v.piece.sentence.tokens[v.piece.numbers[-1].last + 1 :][:1]
    kin = [row for row in v.grid.rows if noun and noun[0].is_content_word and noun[0].stem in name_stems(row)]
    return kin if 1 < len(kin) < len(v.grid.rows) else []


# How many.


def count_finding(v: View) -> Finding | None:
    """How many rows meet a limit or have a value: “three exceed 5”, “no one has 10”, “only Ann and Ben are above 80”, “all but Dev”."""
    if (
        v.piece.has("except")
        and v.has("all", "every", "everyone", "everything", "nothing", "nobody", "none")
        and v.amounts
    ):
        return _excepted(v) if v.own_rows else missing(UNCLEAR)
    if len(v.amounts) == 2 and v.piece.numbers[0].stated.amount.quantity.value == 0 and v.own_rows:
        return _none_meets(v)
    counted = _counted(v)
    if counted is None:
        return None
    number, limit, named = counted
    readings = [_meeting(v, number, limit, named, column) for column in v.columns or v.open_columns()]
    return settled(readings, v, leans=False)


def _meeting(v: View, number: Amount | None, limit: Amount, named: tuple[str, ...], column: str) -> Finding | None:
    cells = [c for c in v.grid.cells(v.grid.rows, [column]) if not is_whole(c.row)]
    found = [agrees(limit, cell) for cell in cells]
    if "unclear" in found or not cells:
        return None
    meeting = [cell for cell, result in zip(cells, found, strict=True) if result == "same"]
    words = f"{len(meeting)} of {len(cells)} values are {amount_text(limit)}."
    right = number is None or agrees(number, pure(cells[0], float(len(meeting)))) == "same"
    return decide(right and (not named or {cell.row for cell in meeting} == set(named)), meeting or cells, words)


def _none_meets(v: View) -> Finding | None:
    """“None of the days from Monday to Thursday reaches 520.”"""
    limit = v.amounts[1]
    if limit.bound == "=":
        limit = replace(limit, bound=">=")
    cells = v.grid.cells(span(v, "row") or v.own_rows, v.columns or v.open_columns())
    meeting = [cell for cell in cells if agrees(limit, cell) == "same"]
    return (
        settled(
            [
                decide(
                    not meeting,
                    meeting[:1] or cells,
                    f"{len(meeting)} of {len(cells)} values are {amount_text(limit)}.",
                )
            ],
            v,
        )
        if cells
        else None
    )


def _excepted(v: View) -> Finding | None:
    """“All but Dev read more than 8”, “nothing except the mug costs less than 20”."""
    limit = v.amounts[-1]
    none = len(v.amounts) > 1 and v.amounts[0].quantity.value == 0
    for column in v.columns or v.open_columns():
        cells = [c for c in v.grid.cells(v.grid.rows, [column]) if not is_whole(c.row)]
        meeting = {cell.row for cell in cells if agrees(limit, cell) == "same"}
        apart = meeting if none else {cell.row for cell in cells} - meeting
        words = f"{len(meeting)} of {len(cells)} values are {amount_text(limit)}."
        return settled([decide(apart == set(v.own_rows), cells, words)], v, leans=False)
    return None


def _counted(v: View) -> tuple[Amount | None, Amount, tuple[str, ...]] | None:
    """The number of rows that is said, the limit that they meet, and which rows they are said to be."""
    numbers = v.piece.numbers
    if len(numbers) == 1 and v.piece.has("only") and v.own_rows and not v.piece.has("total"):
        limit = numbers[0].stated.amount
        only = next(cue for cue in v.piece.cues if cue.tag == "only")
        first = min((n.first for n in v.piece.names if n.axis == "row"), default=-1)
        fits = limit.bound != "=" and only.words in ("only", "solely") and 0 <= first - only.last <= 3
        return (None, limit, v.own_rows) if fits else None
    if len(numbers) != 2:
        return None
    if counts_rows(v, numbers[1]) and numbers[0].stated.amount.bound != "=":
        numbers = numbers[::-1]
    number, limit = (n.stated.amount for n in numbers)
    if limit.bound == "=" and v.own_rows:
        return None
    return (number, limit, v.own_rows) if counts_rows(v, numbers[0]) else None


def quantified_finding(v: View) -> Finding | None:
    """“All stayed above 40%”: a limit that every row meets."""
    if len(v.amounts) != 1 or v.amounts[0].bound == "=" or not v.piece.has("every", "both") or v.piece.denial:
        return None
    leaning = v.pronoun or v.row_from == NEAR
    rows = span(v, "row") or v.own_rows or (v.rows if leaning else ())
    cells = v.grid.cells(rows or v.grid.rivals(v.grid.rows), span(v, "column") or v.columns or v.open_columns())
    return settled([each(v.amounts[0], cells)], v, leans=False)
