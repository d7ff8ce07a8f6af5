"""How many of a group meet a limit: by their values, or, in a table of frequencies, by what its rows stand for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from evpv.language.forms import Amount, Assertion, Bound, Comparison, Count, Phrase, amount_text
from evpv.language.tokens import tokens
from evpv.premises.figure import Cell, Figure
from evpv.premises.matching.attributes import conflict, is_total
from evpv.premises.matching.comparisons import comparison_finding
from evpv.premises.matching.findings import NOTHING_READ, Finding, decide, in_words, missing, unread
from evpv.premises.matching.times import span_names
from evpv.premises.matching.values import agreement, too_close


def count_finding(form: Count, said: Assertion, figure: Figure) -> Finding:
    """How many meet a limit; “only A and B exceed 80”."""
    if form.versus is not None:
        return _by_columns(form, form.versus, said, figure)
    if form.limit is None:
        return missing(NOTHING_READ)
    cells = _group(form, form.limit, said, figure)
    if len(cells) < 2:
        return missing(NOTHING_READ)
    if clash := conflict(form.about, cells[0], figure):
        return unread(clash)
    found = _by_values(form, form.limit, said, cells, figure)
    counted = _row_said(form, form.limit, cells) or _by_rows(form, form.limit, cells)
    return found if counted is None or found.verdict == "supported" else counted


def _group(form: Count, limit: Amount, said: Assertion, figure: Figure) -> list[Cell]:
    """The cells that a count runs over: a column, or, where one row alone is named, that row."""
    apart = {m.name for phrase in (form.names, form.excepted) for m in figure.rows.mentions(phrase.tokens)}
    where = figure.address(form.about, said.context, said.near)
    own_rows = [m.name for m in figure.rows.mentions(form.about.tokens) if m.name not in apart]
    columns = {m.name for m in where.columns} or _columns_of_unit(limit, figure)
    if len(columns) == 1:
        line = [cell for cell in figure.cells if cell.column in columns and not is_total(cell.row)]
        if {token.lower for token in form.about.tokens} & _OTHERS:
            spoken = {m.name for phrase in said.context for m in figure.rows.mentions(phrase.tokens)}
            line = [cell for cell in line if cell.row not in spoken]
        span = span_names(form.about, own_rows, [cell.row for cell in line])
        return [cell for cell in line if not span or cell.row in span]
    return figure.row_cells(own_rows[0]) if len(own_rows) == 1 else []


_OTHERS = frozenset("other others remaining rest else".split())


def _columns_of_unit(limit: Amount, figure: Figure) -> set[str]:
    """All columns, or those alone that are in the unit of a limit."""
    fitting = {cell.column for cell in figure.cells if limit.quantity.unit and cell.unit == limit.quantity.unit}
    return fitting or set(figure.columns.names)


def _by_values(form: Count, limit: Amount, said: Assertion, cells: Sequence[Cell], figure: Figure) -> Finding:
    outcomes = {cell: agreement(limit, cell) for cell in cells}
    if "unclear" in outcomes.values():
        return missing("some values were only estimated, too near the limit to tell.")
    meeting = [cell for cell, outcome in outcomes.items() if outcome == "same"]
    listed = ", ".join(cell.row for cell in meeting[:5])
    shown = f"{len(meeting)} of {len(cells)} values read are {amount_text(limit)}: {listed}."
    if form.excepted:
        exactly = _excepted(form.excepted, [cell.row for cell in cells if cell not in meeting], figure)
        return missing(NOTHING_READ) if exactly is None else decide(exactly, cells, shown)
    return _as_said(form, said, (meeting, cells), figure, shown)


def _by_columns(form: Count, versus: Comparison, said: Assertion, figure: Figure) -> Finding:
    """How many rows have more in one column than in another."""
    sides = [{m.name for m in figure.columns.mentions(phrase.tokens)} for phrase in (versus.left, versus.right)]
    if any(len(side) != 1 for side in sides) or sides[0] == sides[1]:
        plain = comparison_finding(versus, said, figure)
        return plain if plain.verdict == "supported" else missing(NOTHING_READ)
    left, right = (figure.column_cells(side.pop()) for side in sides)
    others = {cell.row: cell for cell in right}
    cells = [cell for cell in left if cell.row in others and not is_total(cell.row)]
    if any(too_close(cell, others[cell.row]) for cell in cells) or len(cells) < 2:
        return missing(NOTHING_READ)
    sign = 1 if versus.order == "greater" else -1
    meeting = [cell for cell in cells if sign * (cell.value - others[cell.row].value) > 0]
    shown = f"it holds for {len(meeting)} of {len(cells)}: {', '.join(cell.row for cell in meeting[:5])}."
    found = _as_said(form, said, (meeting, cells), figure, shown)
    return replace(found, used=(*found.used, *(others[cell.row] for cell in reversed(cells))))


def _as_said(
    form: Count, said: Assertion, found: tuple[Sequence[Cell], Sequence[Cell]], figure: Figure, shown: str
) -> Finding:
    """Whether those that meet a condition, of all, are as many as was said, and those that were named."""
    meeting, cells = found
    holds = _as_many(form, len(meeting), len(cells))
    if (form.number is None and form.part is None) or form.names:
        names = _names(form, said, figure)
        if not names and form.number is None:
            return missing(NOTHING_READ)
        holds = holds and (not names or names == {cell.row for cell in meeting})
    return decide(holds, cells, shown)


def _as_many(form: Count, many: float, whole: float) -> bool:
    """Whether so many of all are as many as was said."""
    if form.number is not None:
        return _meets(many, form.bound, form.number)
    return form.part is None or _meets(many, form.bound, form.part * whole)


def _meets(value: float, bound: Bound, limit: float) -> bool:
    same = math.isclose(value, limit, abs_tol=1e-9)
    if bound in ("=", "<=", ">=") and same:
        return True
    return not same and ((bound[0] == ">" and value > limit) or (bound[0] == "<" and value < limit))


def _names(form: Count, said: Assertion, figure: Figure) -> set[str]:
    """The rows that “only” is said of: after it, else anywhere in the clause, else before it in the sentence."""
    for phrase in (form.names, form.about, *said.context[: said.near]):
        if rows := {m.name for m in figure.rows.mentions(phrase.tokens)}:
            return rows
    return set()


def _excepted(phrase: Phrase, failing: Sequence[str], figure: Figure) -> bool | None:
    """Whether those that fail are those excepted; None where nobody is named."""
    names = {m.name for m in figure.rows.mentions(phrase.tokens)}
    if names:
        return {*failing} == names
    numbers = [1 if t.lower == "one" else int(t.stem) for t in phrase.tokens if t.lower == "one" or t.stem.isdecimal()]
    return len(failing) == numbers[0] if numbers else None


def _by_rows(form: Count, limit: Amount, cells: Sequence[Cell]) -> Finding | None:
    """A table of frequencies: how many stand in the rows that meet the limit; None for other tables."""
    spans = [_span(cell.row) for cell in cells]
    if (
        any(span is None for span in spans)
        or form.names
        or form.excepted
        or (form.number is None and form.part is None)
    ):
        return None
    meeting = [_span_meets(limit, span) for span in spans if span is not None]
    if None in meeting:
        return missing("a row holds values on both sides of the limit.")
    many = sum(cell.value for cell, meets in zip(cells, meeting, strict=True) if meets)
    whole = sum(cell.value for cell in cells)
    shown = f"{many:g} of {whole:g} stand in rows that are {amount_text(limit)}."
    return decide(_as_many(form, many, whole), cells, shown)


def _row_said(form: Count, limit: Amount, cells: Sequence[Cell]) -> Finding | None:
    """“Two rooms have 10 tables”: the number is that of a row, and its value was said."""
    if limit.bound != "=" or form.number is None:
        return None
    row = next((cell for cell in cells if _span(cell.row) == (form.number, form.number)), None)
    right = row is not None and agreement(limit, row) == "same"
    return decide(True, [row], f"{in_words(row)}.") if row is not None and right else None


def _span(name: str) -> tuple[float, float] | None:
    """The numbers that a row stands for: “3”, “0-4”, “250+”, “under 10”; None for other names and for years."""
    words = tokens(name)
    numbers = [float(token.stem) for token in words if token.is_number and token.stem.replace(".", "", 1).isdecimal()]
    lower = {token.lower for token in words}
    if not numbers or len(numbers) > 2 or any(1500 <= number <= 2100 for number in numbers):
        return None
    if len(numbers) == 2:
        return (numbers[0], numbers[1]) if lower & {"-", "to"} else None
    if lower & {"under", "below", "less", "younger"}:
        return -math.inf, numbers[0] - 1e-6
    if lower & {"+", "over", "more", "older", "above"}:
        return numbers[0], math.inf
    return (numbers[0], numbers[0]) if len(words) <= 2 else None


def _span_meets(limit: Amount, span: tuple[float, float]) -> bool | None:
    """Whether all of a span meets a limit; None where a part does."""
    if limit.high is not None:
        inside = [limit.quantity.absolute <= end <= limit.high.absolute for end in span]
    elif limit.bound == "=":
        inside = [math.isclose(end, limit.quantity.absolute) for end in span]
        if span[0] < limit.quantity.absolute < span[1]:
            return None
    else:
        inside = [_meets(end, limit.bound, limit.quantity.absolute) for end in span]
    return inside[0] if inside[0] == inside[1] else None
