"""Values that follow from several cells: totals, averages, shares and counts."""

from __future__ import annotations

from collections.abc import Sequence

from evpv.language.forms import (
    Aggregate,
    Amount,
    Assertion,
    Phrase,
    Share,
    amount_text,
)
from evpv.language.quantities import number_text
from evpv.language.tokens import name_stems
from evpv.premises.figure import Address, Cell, Figure
from evpv.premises.matching.attributes import TOTAL_WORDS, conflict, speaks_of_others
from evpv.premises.matching.findings import NOTHING_READ, Finding, decide, missing, together, unread
from evpv.premises.matching.readings import reading
from evpv.premises.matching.values import agreement


def aggregate_finding(form: Aggregate, said: Assertion, figure: Figure) -> Finding:
    """A total, mean, median, range, mode or difference of the cells that the phrase names, else of all."""
    where = figure.address(form.about, said.context[: said.near], said.near)
    direct = _named_aggregate(form, where)
    if direct is not None:
        return reading(form.amount, direct)
    cells = _summed_cells(form, said, where, figure)
    if isinstance(cells, Finding):
        return cells
    if len(where.cells) == 1 and form.kind != "sum":
        own = reading(form.amount, where.cells[0])
        if own.verdict == "supported":
            return own
    if len(cells) < 2:
        alone = reading(form.amount, where.cells[0]) if len(where.cells) == 1 else missing(NOTHING_READ)
        return alone if alone.verdict == "supported" else missing(NOTHING_READ)
    if form.amount.quantity.unit == "percent" and cells[0].unit != "percent" and form.kind == "sum":
        return share_finding(Share(about=form.about, amount=form.amount), said, figure)
    value = aggregate_of(form.kind, [cell.value for cell in cells])
    if value is None:
        return missing(NOTHING_READ)
    outcome = agreement(form.amount, cells[0].with_value(value))
    if outcome == "unclear" or (
        outcome == "different"
        and (
            (not where.rows and not where.columns and len(figure.columns.names) > 1)
            or (any(c.estimated for c in cells) and form.kind != "mean")
        )
    ):
        return missing("it is open what the total or average runs over.")
    return decide(
        outcome == "same",
        cells,
        f"claimed {amount_text(form.amount)}, the {form.kind} of {len(cells)} values read is {number_text(value)}.",
    )


def _named_aggregate(form: Aggregate, where: Address) -> Cell | None:
    """A row or column that is itself a total or average: “total earnings of $820”."""
    if len(where.cells) != 1:
        return None
    words = name_stems(where.cells[0].row) | name_stems(where.cells[0].column)
    wanted = {"sum": {"total", "sum", "overall", "all"}, "mean": {"average", "mean"}}.get(form.kind, {form.kind})
    return where.cells[0] if words & wanted else None


def _summed_cells(form: Aggregate, said: Assertion, where: Address, figure: Figure) -> list[Cell] | Finding:
    """What a total runs over: the named rows and columns, those with a word of the sentence, or all."""
    years = {t.stem for t in form.about.tokens if t.is_number and len(t.stem) == 4}
    known = {word for name in (*figure.rows.names, *figure.columns.names) for word in name_stems(name)}
    if years - known:
        return unread("the claim speaks of a time that was not read.")
    if not figure.cells:
        return missing(NOTHING_READ)
    if any(name_stems(name) & TOTAL_WORDS for name in (*figure.columns.names, *figure.rows.names)) and not where.rows:
        return missing("the figure gives totals of its own, and the claim does not say of what.")
    if clash := conflict(form.about, figure.cells[0], figure) if len(figure.columns.names) == 1 else None:
        return unread(clash)
    columns = {m.name for m in where.columns} or set(figure.columns.names)
    rows = {m.name for m in where.rows}
    if not rows and (recent := _these(form.about, said, figure)):
        rows = recent
    if not rows:
        stems = {t.stem for t in form.about.tokens if t.is_content and t.is_word}
        rows = {row for row in figure.rows.names if name_stems(row) & stems} or set(figure.rows.names)
    return [cell for cell in figure.cells if cell.row in rows and cell.column in columns]


def _these(about: Phrase, said: Assertion, figure: Figure) -> set[str]:
    """“These two dealerships”: the rows named just before."""
    words = {token.lower for token in about.tokens}
    if not words & {"these", "those", "they", "two", "both", "them"} or words & {"first", "last"}:
        return set()
    rows: set[str] = set()
    for phrase in said.context:
        rows |= {mention.name for mention in figure.rows.mentions(phrase.tokens)}
        if len(rows) >= 2:
            break
    return rows if len(rows) >= 2 else set()


def aggregate_of(kind: str, values: list[float]) -> float | None:
    """A sum, mean, median, range, mode or difference of values; None where there is none."""
    ordered = sorted(values)
    middle = len(ordered) // 2
    if kind == "sum":
        return sum(values)
    if kind == "mean":
        return sum(values) / len(values)
    if kind == "median":
        return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
    if kind == "range":
        return ordered[-1] - ordered[0]
    if kind == "mode":
        best = max(ordered, key=ordered.count)
        return best if ordered.count(best) > 1 else None
    if kind == "difference":
        return abs(values[0] - values[1]) if len(values) == 2 else None
    return None


def share_finding(form: Share, said: Assertion, figure: Figure) -> Finding:
    """A part of the whole: of a value that is itself a share, or of the total of its column."""
    where = figure.address(form.about, said.context[: said.near], said.near)
    rows = {m.name for m in where.rows} or _these(form.about, said, figure)
    columns = {m.name for m in where.columns} or set(figure.columns.names)
    if any(token.lower in ("that", "this", "which") for token in form.of.tokens) and (
        not where.rows or where.inherited
    ):
        return unread("the figure does not break that amount down.")
    if form.of and any(figure.named(form.of.tokens)) and not _ends_in_part(form, figure):
        return _part_of_cell(form, said, figure)
    if (
        not rows
        and said.quantifier == "every"
        and len(columns) == 1
        and all(cell.unit == "percent" for cell in figure.cells)
    ):
        return together([_share_of(form.amount, [cell], cell.value, "of the whole") for cell in figure.cells])
    if not rows or (len(columns) > 1 and not where.cells) or (where.inherited and speaks_of_others(form, figure)):
        return missing(NOTHING_READ)
    part = [cell for cell in figure.cells if cell.row in rows and cell.column in columns]
    whole = [cell for cell in figure.cells if cell.column in columns and not name_stems(cell.row) & TOTAL_WORDS]
    named = [cell for cell in figure.cells if cell.column in columns and name_stems(cell.row) & {"total"}]
    if not part:
        return missing(NOTHING_READ)
    if len(part) == 1 and agreement(form.amount, part[0]) == "same":
        return reading(form.amount, part[0])
    if clash := conflict(form.about, part[0], figure):
        return unread(clash)
    value = sum(cell.value for cell in part)
    percent = all(cell.unit == "percent" or cell.attribute == "share" for cell in part)
    if percent:
        return _share_of(form.amount, part, value, "of the whole")
    total = named[0].value if named else sum(cell.value for cell in whole)
    if len(whole) < 2 or total <= 0:
        return missing(NOTHING_READ)
    return _share_of(form.amount, part, 100.0 * value / total, f"of {number_text(total)}")


def _ends_in_part(form: Share, figure: Figure) -> bool:
    """“A fifth of the students walk”: the whole is named first, then the row of shares that is the part."""
    content = [token for token in form.of.tokens if token.is_content]
    rows, columns = figure.named(form.of.tokens)
    shares = all(cell.unit == "percent" or cell.attribute == "share" for cell in figure.cells)
    return shares and len(rows) == 1 and not columns and len(content) > 1 and rows[0].position == content[-1].start


def _part_of_cell(form: Share, said: Assertion, figure: Figure) -> Finding:
    """“A bit over half of the 2019 level”: one cell as a part of another."""
    whole = figure.address(form.of, said.context, said.near)
    starts = {token.start for token in form.of.tokens}
    own = Phrase(tokens=tuple(token for token in form.about.tokens if token.start not in starts))
    part = figure.address(own, said.context, said.near)
    if len(whole.cells) != 1 or len(part.cells) != 1 or part.cells[0] is whole.cells[0] or not whole.cells[0].value:
        return missing(NOTHING_READ)
    return _share_of(
        form.amount,
        part.cells,
        100.0 * part.cells[0].value / whole.cells[0].value,
        f"of '{whole.cells[0].constraint.entity}'",
    )


def _share_of(amount: Amount, part: Sequence[Cell], percent: float, of: str) -> Finding:
    quantity = amount.quantity
    stated = 100.0 * quantity.value if quantity.unit != "percent" else quantity.value
    gap = percent - stated
    tolerance = 3.0 if amount.hedged or any(cell.estimated for cell in part) else 0.6
    if amount.bound != "=":
        holds = gap > -1e-9 if amount.bound[0] == ">" else gap < 1e-9
    else:
        holds = abs(gap) <= tolerance
    text = f"claimed {number_text(round(stated, 2))}%, read {number_text(round(percent, 2))}% {of}."
    return decide(holds, part, text)
