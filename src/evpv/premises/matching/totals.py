"""Values that follow from several cells: totals, averages, shares, and how many of a group meet a limit."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

from evpv.language.forms import (
    Aggregate,
    Amount,
    Assertion,
    Bound,
    Comparison,
    Count,
    Phrase,
    Share,
    amount_text,
)
from evpv.language.quantities import number_text
from evpv.language.tokens import Token, name_stems, tokens
from evpv.premises.figure import Address, Cell, Figure, rows_of
from evpv.premises.matching.attributes import (
    TOTAL_WORDS,
    conflict,
    is_total,
    rows_spoken_of,
    span_names,
    speaks_of_others,
)
from evpv.premises.matching.comparisons import comparison_finding, pair_cells
from evpv.premises.matching.readings import reading
from evpv.premises.matching.values import (
    NOTHING_READ,
    Finding,
    agreement,
    decide,
    in_words,
    is_read,
    missing,
    together,
    too_close,
    unread,
)
from evpv.premises.mentions import names_of


def aggregate_finding(form: Aggregate, said: Assertion, figure: Figure) -> Finding:
    """A total, mean, median, range, mode or difference of the cells that the phrase names, else of all."""
    where = figure.address(form.about, said.context[: said.near], said.near)
    if (direct := _named_aggregate(form, where)) is not None:
        return reading(form.amount, direct)
    if doubt := _sum_doubt(form, where, figure):
        return doubt
    cells = _summed_cells(form, said, where, figure)
    alone = where.cells if len(where.cells) == 1 and (form.kind != "sum" or len(cells) < 2) else ()
    if is_read(form.amount, alone):
        return reading(form.amount, where.cells[0])
    if len(cells) < 2:
        return missing(NOTHING_READ)
    if form.amount.quantity.unit == "percent" != cells[0].unit and form.kind == "sum":
        return share_finding(Share(about=form.about, amount=form.amount), said, figure)
    return _computed_finding(form, where, cells, figure)


def _computed_finding(form: Aggregate, where: Address, cells: Sequence[Cell], figure: Figure) -> Finding:
    """What the cells come to, against what is said."""
    value = aggregate_of(form.kind, [cell.value for cell in cells])
    if value is None:
        return missing(NOTHING_READ)
    outcome = agreement(form.amount, cells[0].with_value(value))
    if outcome == "unclear" or (outcome == "different" and _is_open(form, where, cells, figure)):
        return missing("it is open what the total or average runs over.")
    shown = f"claimed {amount_text(form.amount)}, the {form.kind} of {len(cells)} values read is {number_text(value)}."
    return decide(outcome == "same", cells, shown)


def _is_open(form: Aggregate, where: Address, cells: Sequence[Cell], figure: Figure) -> bool:
    """Whether a total may run over others: nothing is named of several columns, or its cells were only estimated."""
    unnamed = not where.rows and not where.columns and len(figure.columns.names) > 1
    return unnamed or (form.kind != "mean" and any(cell.estimated for cell in cells))


def _sum_doubt(form: Aggregate, where: Address, figure: Figure) -> Finding | None:
    """Why it is open what a total runs over."""
    years = {t.stem for t in form.about.tokens if t.is_number and len(t.stem) == 4}
    if years - frozenset[str]().union(*map(name_stems, figure.names)):
        return unread("the claim speaks of a time that was not read.")
    if not figure.cells:
        return missing(NOTHING_READ)
    if not where.rows and any(map(_is_summary, figure.names)):
        return missing("the figure gives totals of its own, and the claim does not say of what.")
    if len(figure.columns.names) == 1 and (clash := conflict(form.about, figure.cells[0], figure)):
        return unread(clash)
    return None


def _is_summary(name: str) -> bool:
    return bool(name_stems(name) & TOTAL_WORDS)


def _named_aggregate(form: Aggregate, where: Address) -> Cell | None:
    """A row or column that is itself a total or average: “total earnings of $820”."""
    if len(where.cells) != 1:
        return None
    words = name_stems(where.cells[0].row) | name_stems(where.cells[0].column)
    wanted = {"sum": {"total", "sum", "overall", "all"}, "mean": {"average", "mean"}}.get(form.kind, {form.kind})
    return where.cells[0] if words & wanted else None


def _summed_cells(form: Aggregate, said: Assertion, where: Address, figure: Figure) -> list[Cell]:
    """What a total runs over: the named rows and columns, those with a word of the sentence, or all."""
    stems = {token.stem for token in form.about.tokens if token.is_content_word}
    rows = {*names_of(where.rows)} or _these(form.about, said, figure)
    rows = rows or {row for row in figure.rows.names if name_stems(row) & stems}
    return figure.cells_in(rows, names_of(where.columns))


def _these(about: Phrase, said: Assertion, figure: Figure) -> set[str]:
    """“These two dealerships”: the rows named just before."""
    words = about.words
    if not words & {"these", "those", "they", "two", "both", "them"} or words & {"first", "last"}:
        return set()
    rows: set[str] = set()
    for phrase in said.context:
        rows |= figure.rows.named(phrase.tokens)
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
    if _points_back(form, where):
        return unread("the figure does not break that amount down.")
    if any(figure.named(form.of.tokens)) and not _ends_in_part(form, figure):
        return _part_of_cell(form, said, figure)
    columns = {*names_of(where.columns)} or {*figure.columns.names}
    rows = {*names_of(where.rows)} or _these(form.about, said, figure)
    if not rows:
        return _each_share(form, said, columns, figure)
    if len(columns) > 1 and not where.cells:
        return missing(NOTHING_READ)
    return _part_finding(form, figure.cells_in(rows, columns), where, figure)


def _points_back(form: Share, where: Address) -> bool:
    """“Half of that”, where no row is named."""
    return bool(form.of.words & {"that", "this", "which"}) and (not where.rows or where.inherited)


def _each_share(form: Share, said: Assertion, columns: set[str], figure: Figure) -> Finding:
    """A part said of every value of a column of shares."""
    if said.quantifier != "every" or len(columns) != 1 or any(cell.unit != "percent" for cell in figure.cells):
        return missing(NOTHING_READ)
    return together([_share_of(form.amount, [cell], cell.value, "of the whole") for cell in figure.cells])


def _part_finding(form: Share, part: Sequence[Cell], where: Address, figure: Figure) -> Finding:
    """Some cells as a part of their columns."""
    if not part or (where.inherited and speaks_of_others(form, figure)):
        return missing(NOTHING_READ)
    if len(part) == 1 and is_read(form.amount, part):
        return reading(form.amount, part[0])
    if clash := conflict(form.about, part[0], figure):
        return unread(clash)
    value = sum(cell.value for cell in part)
    if all(map(_is_share, part)):
        return _share_of(form.amount, part, value, "of the whole")
    total = _total(names_of(where.columns), figure)
    if total <= 0:
        return missing(NOTHING_READ)
    return _share_of(form.amount, part, 100.0 * value / total, f"of {number_text(total)}")


def _total(columns: Sequence[str], figure: Figure) -> float:
    """The total that is given of columns, else their sum; 0 where too little was read."""
    cells = figure.cells_in(None, columns)
    whole = [cell.value for cell in cells if not _is_summary(cell.row)]
    named = (cell.value for cell in cells if "total" in name_stems(cell.row))
    return next(named, sum(whole)) if len(whole) > 1 else 0.0


def _is_share(cell: Cell) -> bool:
    return cell.unit == "percent" or cell.attribute == "share"


def _ends_in_part(form: Share, figure: Figure) -> bool:
    """“A fifth of the students walk”: the whole is named first, then the row of shares that is the part."""
    content = [token for token in form.of.tokens if token.is_content]
    rows, columns = figure.named(form.of.tokens)
    if len(rows) != 1 or columns or len(content) < 2:
        return False
    return all(map(_is_share, figure.cells)) and rows[0].position == content[-1].start


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
    apart = figure.rows.named(form.names.tokens) | figure.rows.named(form.excepted.tokens)
    own = [name for name in names_of(figure.rows.mentions(form.about.tokens)) if name not in apart]
    where = figure.address(form.about, said.context, said.near)
    columns = {*names_of(where.columns)} or _columns_of_unit(limit, figure)
    if len(columns) == 1:
        return _column_group(form, own, figure.cells_in(None, columns), said, figure)
    return figure.row_cells(own[0]) if len(own) == 1 else []


def _column_group(form: Count, own: list[str], line: list[Cell], said: Assertion, figure: Figure) -> list[Cell]:
    """The cells of a column but totals: those not spoken of before (“the others”), those of a span."""
    spoken = rows_spoken_of(said, figure) if form.about.words & _OTHERS else set[str]()
    line = [cell for cell in line if cell.row not in spoken and not is_total(cell.row)]
    span = span_names(form.about, own, [cell.row for cell in line])
    return [cell for cell in line if not span or cell.row in span]


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
    shown = f"{len(meeting)} of {len(cells)} values read are {amount_text(limit)}: {_rows_text(meeting)}."
    if form.excepted:
        exactly = _excepted(form.excepted, [cell.row for cell in cells if cell not in meeting], figure)
        return missing(NOTHING_READ) if exactly is None else decide(exactly, cells, shown)
    return _as_said(form, said, (meeting, cells), figure, shown)


def _rows_text(cells: Sequence[Cell]) -> str:
    return ", ".join(cell.row for cell in cells[:5])


def _by_columns(form: Count, versus: Comparison, said: Assertion, figure: Figure) -> Finding:
    """How many rows have more in one column than in another."""
    sides = [figure.columns.named(phrase.tokens) for phrase in (versus.left, versus.right)]
    if [*map(len, sides)] != [1, 1] or sides[0] == sides[1]:
        plain = comparison_finding(versus, said, figure)
        return plain if plain.verdict == "supported" else missing(NOTHING_READ)
    left, right = (figure.cells_in(None, side) for side in sides)
    pairs = [pair for pair in pair_cells(left, right, by_row=True) if not is_total(pair[0].row)]
    if len(pairs) < 2 or any(itertools.starmap(too_close, pairs)):
        return missing(NOTHING_READ)
    return _column_count(form, versus, said, pairs, figure)


def _column_count(
    form: Count, versus: Comparison, said: Assertion, pairs: Sequence[tuple[Cell, Cell]], figure: Figure
) -> Finding:
    """For how many pairs a comparison holds, against what is said."""
    sign = 1 if versus.order == "greater" else -1
    meeting = [left for left, right in pairs if sign * (left.value - right.value) > 0]
    cells, others = zip(*pairs, strict=True)
    shown = f"it holds for {len(meeting)} of {len(cells)}: {_rows_text(meeting)}."
    found = _as_said(form, said, (meeting, cells), figure, shown)
    return replace(found, used=(*found.used, *reversed(others)))


def _is_numbered(form: Count) -> bool:
    """Whether it is said how many, or which part of all."""
    return form.number is not None or form.part is not None


def _as_said(
    form: Count, said: Assertion, found: tuple[Sequence[Cell], Sequence[Cell]], figure: Figure, shown: str
) -> Finding:
    """Whether those that meet a condition, of all, are as many as was said, and those that were named."""
    meeting, cells = found
    holds = _as_many(form, len(meeting), len(cells))
    if not _is_numbered(form) or form.names:
        names = _names(form, said, figure)
        if not names and form.number is None:
            return missing(NOTHING_READ)
        holds = holds and (not names or names == rows_of(meeting))
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
        if rows := figure.rows.named(phrase.tokens):
            return rows
    return set()


def _excepted(phrase: Phrase, failing: Sequence[str], figure: Figure) -> bool | None:
    """Whether those that fail are those excepted; None where nobody is named."""
    names = figure.rows.named(phrase.tokens)
    if names:
        return {*failing} == names
    numbers = [1 if t.lower == "one" else int(t.stem) for t in phrase.tokens if t.lower == "one" or t.stem.isdecimal()]
    return len(failing) == numbers[0] if numbers else None


def _by_rows(form: Count, limit: Amount, cells: Sequence[Cell]) -> Finding | None:
    """A table of frequencies: how many stand in the rows that meet the limit; None for other tables."""
    spans = [span for cell in cells if (span := _span(cell.row)) is not None]
    if len(spans) < len(cells) or form.names or form.excepted or not _is_numbered(form):
        return None
    meeting = [_span_meets(limit, span) for span in spans]
    if None in meeting:
        return missing("a row holds values on both sides of the limit.")
    values = [cell.value for cell in cells]
    many, whole = sum(itertools.compress(values, meeting)), sum(values)
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
    words = Phrase(tokens=tokens(name)).words
    numbers = [float(token.stem) for token in tokens(name) if _is_plain_number(token)]
    if any(1500 <= number <= 2100 for number in numbers):
        return None
    match numbers:
        case [low, high] if words & {"-", "to"}:
            return low, high
        case [number] if words & {"under", "below", "less", "younger"}:
            return -math.inf, number - 1e-6
        case [number] if words & {"+", "over", "more", "older", "above"}:
            return number, math.inf
        case [number] if len(tokens(name)) <= 2:
            return number, number
    return None


def _is_plain_number(token: Token) -> bool:
    return token.is_number and token.stem.replace(".", "", 1).isdecimal()


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
