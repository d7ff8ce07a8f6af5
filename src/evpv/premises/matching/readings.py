"""Values said of cells, one by one or listed in a row, and coordinates: read off directly."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Literal

from evpv.language.forms import (
    Amount,
    Assertion,
    Listing,
    Phrase,
    Position,
    Value,
    amount_text,
)
from evpv.language.quantities import Quantity, number_text
from evpv.language.tokens import Token, name_stems
from evpv.premises.figure import Address, Cell, Figure, columns_of
from evpv.premises.matching.attributes import (
    ABSENT,
    HOLE,
    OPEN,
    STRANGE,
    address_beside,
    address_doubt,
    conflict,
    counts_other_things,
    is_total,
    names_another,
    rows_spoken_of,
)
from evpv.premises.matching.values import (
    NOTHING_READ,
    Finding,
    agreement,
    decide,
    doubted,
    equal,
    first_of,
    in_words,
    is_read,
    missing,
    read,
    together,
    unread,
)
from evpv.premises.mentions import Axis, names_of, places_of

_FEWEST_READ = 5
"""A chart of which fewer values were read may well have others."""


def value_finding(form: Value, said: Assertion, figure: Figure) -> Finding:
    """A stated value against the cells that its phrase names."""
    if form.others:
        return _either(form, said, figure)
    if form.amount.quantity.unit == "time" and (shown := _clock_finding(form.amount, figure)):
        return shown
    where = address_beside(form.about, said.context, figure) or figure.address(form.about, said.context, said.near)
    where = _in_column_of_unit(form, where, figure)
    if where.absent:
        return unread(ABSENT)
    if clash := _clash(form, where.cells, figure):
        return unread(clash)
    cells = _meant_cells(form, said, where, figure)
    if not cells:
        return _by_one_axis(form, where, figure)
    found = _agreement_finding(form, said, where, cells, figure)
    return _doubted_finding(found, form, said, where, cells, figure) if found.verdict == "contradicted" else found


def _clash(form: Value, cells: Sequence[Cell], figure: Figure) -> str | None:
    """Why a value is said of another attribute than the cells'."""
    if not cells:
        return None
    same = is_read(form.amount, cells)
    clash = conflict(form.about, cells[0], figure, told=same and _is_telling(form.amount))
    if clash or same or not counts_other_things(form, cells[0]):
        return clash
    return f"'{cells[0].constraint.entity}' counts something else than the claim."


def _doubted_finding(
    found: Finding, form: Value, said: Assertion, where: Address, cells: Sequence[Cell], figure: Figure
) -> Finding:
    """A value found wrong, unless it is that of several bought or the cells may not be meant."""
    if (many := _many_bought(form, cells)) is not None:
        return many
    doubt = "" if said.denied else address_doubt(form, said, where, cells, figure)
    if not doubt:
        return found
    return unread(doubt) if doubt == STRANGE else doubted(doubt)


_TELLING_DIGITS = 3


def _is_telling(amount: Amount) -> bool:
    """Whether a number has so many digits that it is hardly that of a cell by chance."""
    return len(f"{abs(amount.quantity.value):g}".replace(".", "").strip("0")) >= _TELLING_DIGITS


def _agreement_finding(form: Value, said: Assertion, where: Address, cells: Sequence[Cell], figure: Figure) -> Finding:
    """The value against each of the cells where all are meant, else against any; several may also be added up."""
    if form.about.first == "by":
        cells = [cell.with_value(abs(cell.value)) for cell in cells]
    findings = [reading(_exact(form), cell) for cell in cells]
    if len(cells) > 1 and not _all_meant(form, said, where):
        return first_of(findings, "supported") or missing(OPEN)
    found = together(findings)
    return found if found.verdict != "contradicted" else _added_up(form, said, cells) or found


def _exact(form: Value) -> Amount:
    """The amount; a bound of each of several is not meant to be near."""
    return replace(form.amount, hedged=False) if form.each and form.amount.bound != "=" else form.amount


def _added_up(form: Value, said: Assertion, cells: Sequence[Cell]) -> Finding | None:
    """A value as the sum of several cells; None where it is not."""
    if form.each or said.denied or len(cells) < 2 or form.amount.bound != "=":
        return None
    whole = cells[0].with_value(sum(cell.value for cell in cells))
    text = f"the values read add up to {read(whole)}."
    return decide(True, cells, text) if is_read(form.amount, [whole]) else None


def _in_column_of_unit(form: Value, where: Address, figure: Figure) -> Address:
    """The address with the column that a percentage, or a plain number, can only mean where one column alone holds percentages or counts."""
    own_rows, own_columns = figure.named(form.about.tokens)
    unit = form.amount.quantity.unit
    if not own_rows or own_columns or len(figure.columns.names) < 2 or unit not in ("percent", None):
        return where
    shares = columns_of(cell for cell in figure.cells if cell.unit == "percent")
    fitting = shares if unit else {*figure.columns.names} - shares
    cells = tuple(figure.cells_in(names_of(own_rows), fitting)) if len(fitting) == 1 else ()
    return replace(where, rows=own_rows, cells=cells, inherited=False, far=False) if cells else where


def _clock_finding(amount: Amount, figure: Figure) -> Finding | None:
    """A time of day against the two hands of a clock; None where no clock was read."""
    hours = [cell for cell in figure.cells if cell.attribute == "hour"]
    minutes = [cell for cell in figure.cells if cell.attribute == "minute"]
    if len(hours) != 1 or len(minutes) != 1:
        return None
    shown = hours[0].value % 12 + minutes[0].value / 60
    same = abs(amount.quantity.value % 12 - shown) < 1 / 120
    text = f"the clock shows {int(hours[0].value)}:{int(minutes[0].value):02d}."
    return decide(same, [hours[0], minutes[0]], text)


_BUYING = frozenset("cost costs weigh weighs".split())


def _many_bought(form: Value, cells: Sequence[Cell]) -> Finding | None:
    """“Two umbrellas cost $18” where one costs 9."""
    first = form.about.tokens[0].stem if form.about.tokens else ""
    if len(cells) != 1 or not first.isdecimal() or len(first) > 2 or not _BUYING & form.about.words:
        return None
    whole = cells[0].with_value(int(first) * cells[0].value)
    same = agreement(form.amount, whole) == "same"
    return decide(same, cells, f"{first} times {read(cells[0])} is {read(whole)}.")


def _other_diameter(form: Value, figure: Figure) -> list[Cell]:
    """A diameter where only the radius was read, and the other way round."""
    for said, known, factor in (("diameter", "radius", 2.0), ("radius", "diameter", 0.5)):
        if said not in form.about.stems:
            continue
        renamed = tuple(
            t._replace(text=known, stem=known, lower=known) if t.stem == said else t for t in form.about.tokens
        )
        cells = figure.address(Phrase(tokens=renamed)).cells
        if len(cells) == 1 and known in name_stems(f"{cells[0].row} {cells[0].column}"):
            return [cells[0].with_value(cells[0].value * factor)]
    return []


def _either(form: Value, said: Assertion, figure: Figure) -> Finding:
    """“Four people drank 3 glasses”: one of two numbers is the value, the other names a row."""
    findings = [value_finding(_with_value(form, amount), said, figure) for amount in (form.amount, *form.others)]
    wrong = [f for f in findings if f.verdict == "contradicted"]
    open_ones = wrong[0] if len(wrong) == 1 else first_of(findings, "missing")
    return first_of(findings, "supported") or open_ones or missing(OPEN)


def _with_value(form: Value, amount: Amount) -> Value:
    """The form with one of its amounts for its value, which is then no name."""
    at = range(amount.quantity.start, amount.quantity.end)
    kept = tuple(token for token in form.about.tokens if token.start not in at)
    return replace(form, amount=amount, others=(), about=Phrase(tokens=kept, text=form.about.text))


def _meant_cells(form: Value, said: Assertion, where: Address, figure: Figure) -> list[Cell]:
    """The named cells; with “both years”, “never” or “all”, every cell of the one axis that is named; a radius for its diameter."""
    each = form.each or said.quantifier == "every"
    if each and (rest := _rest_cells(form, said, where, figure)):
        return rest
    if where.cells:
        return list(where.cells)
    of_all = each or (said.denied and form.amount.bound != "=")
    return (_axis_cells(form, where, figure) if of_all else []) or _other_diameter(form, figure)


def _rest_cells(form: Value, said: Assertion, where: Address, figure: Figure) -> list[Cell]:
    """“The remaining ones”: the cells of one column that were not spoken of before."""
    if not form.about.words & {"remaining", "other", "others", "rest"} or (where.rows and not where.inherited):
        return []
    spoken = rows_spoken_of(said, figure)
    others = [cell for cell in figure.cells if cell.row not in spoken]
    return others if spoken and len(columns_of(others)) == 1 else []


def _axis_cells(form: Value, where: Address, figure: Figure) -> list[Cell]:
    """All cells of the one axis that is named; where there is one column, and a bound, all but totals."""
    if where.rows and not where.columns:
        return [*itertools.chain.from_iterable(map(figure.row_cells, names_of(where.rows)))]
    if where.columns and not where.rows:
        return [*itertools.chain.from_iterable(map(figure.column_cells, names_of(where.columns)))]
    bounded = not where.rows and len(figure.columns.names) == 1 and form.amount.bound != "="
    return [cell for cell in figure.cells if bounded and not is_total(cell.row)]


def reading(amount: Amount, cell: Cell) -> Finding:
    """One amount against one cell."""
    outcome = agreement(amount, cell)
    if outcome == "unclear":
        return missing(f"'{cell.constraint.entity}' was only estimated ({read(cell)}), too loosely to tell.")
    return decide(
        outcome == "same", [cell], f"claimed {amount_text(amount)} for '{cell.constraint.entity}', read {read(cell)}."
    )


def _all_meant(form: Value, said: Assertion, where: Address) -> bool:
    """Whether a value is said of each of several cells: “both”, “each”, or names that a list joins."""
    if where.inherited and len(where.columns) > 1 and form.about.starts.isdisjoint(places_of(where.columns)):
        return False
    if form.each or said.quantifier == "every" or said.denied:
        return True
    several = [axis for axis in (where.rows, where.columns) if len(axis) > 1]
    return len(several) == 1 and coordinated(form.about.tokens, places_of(several[0]))


def coordinated(tokens: Sequence[Token], places: Collection[int]) -> bool:
    """Whether the tokens at these places form one list: “Tuesday, Wednesday or Thursday”."""
    span = range(min(places), max(places) + 1)
    between = [token for token in tokens if token.start in span and token.start not in places]
    joins = sum(token.lower in _JOINS for token in between)
    others = sum(token.is_content_word and token.lower not in _JOINS for token in between)
    return 2 * joins >= max(others, 1) and not any(token.lower in _TURNS for token in between)


_JOINS = frozenset(", and or & both nor".split())


_TURNS = frozenset("than to of in on from with is was by".split())


def _by_one_axis(form: Value, where: Address, figure: Figure) -> Finding:
    """A value whose cell is open: of a row or a column, of how many rows there are, or of nothing that was read."""
    if where.rows and where.columns and not where.inherited:
        return unread(HOLE)
    if where.rows or where.columns:
        return _by_named_axis(form, where, figure)
    return _rows_counted(form, figure) or _anywhere(form.amount, figure) or missing(NOTHING_READ)


def _by_named_axis(form: Value, where: Address, figure: Figure) -> Finding:
    """A row without a named column supports a value that one of its cells has, but refutes none."""
    if not where.rows and names_another(form.about, figure):
        return missing(NOTHING_READ)
    cells = figure.cells_in(names_of(where.rows), names_of(where.columns))
    if len(cells) == 1 and not where.inherited:
        return reading(form.amount, cells[0])
    found = first_of((reading(form.amount, cell) for cell in cells), "supported")
    return found or missing("the claim names a row or column, but not which of its values.")


def _rows_counted(form: Value, figure: Figure) -> Finding | None:
    """“There are 7 runners in the table”, “of the 227 incidents”: the number of rows, or the total; any other number may count something else."""
    words = form.about.words
    rows = [name for name in figure.rows.names if not is_total(name)]
    if words & {"there", "table", "chart", "shown", "listed"} and form.amount.quantity.absolute == len(rows) > 1:
        return decide(True, figure.cells, f"{len(rows)} were read.")
    totals = [cell for cell in figure.cells if is_total(cell.row) and agreement(form.amount, cell) == "same"]
    return reading(form.amount, totals[0]) if totals and words & {"of", "total", "all"} else None


def _anywhere(amount: Amount, figure: Figure) -> Finding | None:
    """A value of nothing that was read is wrong if it is near no measured value of a whole chart."""
    cells = figure.cells
    if not _is_measured_chart(figure) or not _is_plain(amount):
        return None
    if amount.quantity.unit == "percent" and not any(cell.unit == "percent" or abs(cell.value) <= 1 for cell in cells):
        return None
    if any(agreement(amount, cell) != "different" for cell in cells):
        return None
    nearest = min(cells, key=lambda cell: abs(cell.value - amount.quantity.value))
    return decide(False, [nearest], f"claimed {amount_text(amount)}; nothing near it was read, {in_words(nearest)}.")


def _is_measured_chart(figure: Figure) -> bool:
    enough = figure.tabular and len(figure.cells) >= _FEWEST_READ
    return enough and all(cell.estimated for cell in figure.cells)


def _is_plain(amount: Amount) -> bool:
    """Whether an amount is a number in figures, no year and no bound."""
    return amount.bound == "=" and not amount.quantity.spelled and not amount.quantity.is_year


_CURVE = {"pass", "go", "through", "curve", "graph", "parabola"}
_EXTREMA = ("maximum", "minimum")


def listing_finding(form: Listing, said: Assertion, figure: Figure) -> Finding:
    """Values in a row: of the things named, in their order; of a span; else of a whole column, in its order or sorted."""
    where = figure.address(form.about, said.context, said.near)
    if where.absent:
        return unread(ABSENT)
    span = _span_cells(form.about, where, figure)
    lines = (_named_line(form, figure), where.ordered_cells(), span)
    cells = next((line for line in lines if len(line) == len(form.values)), None)
    if cells and form.order == "as read":
        return together([reading(Amount(quantity=q), cell) for q, cell in zip(form.values, cells, strict=True)])
    values = [quantity.absolute for quantity in form.values]
    found = (_sorted_finding(form, values, pool, where) for pool in _pools(where, span, figure))
    return next(filter(None, found), None) or _all_read(values, figure)


def _named_line(form: Listing, figure: Figure) -> list[Cell]:
    """The one row that is named, of as many columns as values are listed."""
    own = figure.rows.mentions(form.about.tokens)
    whole = len(own) == 1 and len(figure.columns.names) == len(form.values)
    return figure.row_cells(own[0].name) if whole else []


def _pools(where: Address, span: list[Cell], figure: Figure) -> Iterator[list[Cell]]:
    """What a list may run over: the columns, else those named, the rows named, the span."""
    heads = names_of(where.columns) or figure.columns.names
    yield from (figure.column_cells(name) for name in figure.columns.names if name in heads)
    yield from (figure.row_cells(mention.name) for mention in where.rows)
    yield span


def _sorted_finding(form: Listing, values: list[float], cells: Sequence[Cell], where: Address) -> Finding | None:
    """The values against as many cells, in the order said; None where most are others."""
    if len(cells) != len(values):
        return None
    in_order = [cell.value for cell in cells]
    alike = [*map(equal, sorted(in_order), sorted(values))]
    if form.order != "as read":
        in_order.sort(reverse=form.order == "descending")
    elif all(alike) and not where.rows:
        in_order = values
    holds = all(map(equal, in_order, values))
    if not holds and (sum(alike) < 0.5 * len(values) or len(values) < 3):
        return None
    return decide(holds, cells, "the values read are " + ", ".join(map(number_text, in_order)) + ".")


def _all_read(values: Sequence[float], figure: Figure) -> Finding:
    everything = [cell.value for cell in figure.numeric]
    fewest = 2 if figure.by_key else 3
    if len(values) >= fewest and all(any(equal(value, other) for other in everything) for value in values):
        return decide(True, figure.numeric, "all the values listed were read.")
    return missing("the values listed are not as many as those read of what the claim names.")


def _span_cells(about: Phrase, where: Address, figure: Figure) -> list[Cell]:
    """The cells from the first-named to the last-named row (“from Sunday through Thursday”)."""
    words = about.words
    if not words & {"through", "to", "until"} or len(where.cells) != 2:
        return []
    first, last = where.ordered_cells()
    line = figure.column_cells(first.column) if first.row != last.row else figure.row_cells(first.row)
    start, end = line.index(first), line.index(last)
    return line[start : end + 1] if start < end else line[end : start + 1][::-1]


def position_finding(form: Position, figure: Figure) -> Finding:
    """“The vertex lies at (3, -4)”: both coordinates of the point that the phrase names; where one is 0, an intercept."""
    vertex = "vertex" in form.about.stems
    known = _vertex_findings(form, figure) if vertex else _curve_findings(form, figure)
    if known:
        return together(known)
    crossing = None if vertex else _intercept_finding(form, figure)
    return crossing or together([_point_finding(form, axis, figure) for axis in ("x", "y")])


def _intercept_finding(form: Position, figure: Figure) -> Finding | None:
    for mine, other, axis in ((form.y, form.x, "y"), (form.x, form.y, "x")):
        crossing = [cell for cell in figure.cells if cell.attribute == f"{axis}-intercept"]
        if other.value == 0.0 and len(crossing) == 1:
            return decide(equal(mine.value, crossing[0].value), crossing, f"{in_words(crossing[0])}.")
    return None


def _point_finding(form: Position, axis: Literal["x", "y"], figure: Figure) -> Finding:
    """One coordinate of the point that a phrase names."""
    cells = [cell for cell in figure.cells if cell.attribute in (axis, f"{axis}-coordinate", f"{axis} coordinate")]
    named = Axis.of([cell.constraint.entity for cell in cells], "flat").named(form.about.tokens)
    mine = [cell for cell in cells if cell.constraint.entity in named]
    stated: Quantity = getattr(form, axis)
    return _coordinate_finding(axis, stated.value, mine[0]) if len(mine) == 1 else missing(NOTHING_READ)


def _vertex_findings(form: Position, figure: Figure) -> list[Finding]:
    """Both coordinates of a vertex against the one extremum that was read of a curve; none where there are more."""
    extrema = [cell for cell in figure.cells if cell.attribute in _EXTREMA]
    places = [cell for cell in figure.cells if cell.attribute in {f"{one} position" for one in _EXTREMA}]
    if len(extrema) != 1 or len(places) != 1:
        return []
    return [_coordinate_finding("x", form.x.value, places[0]), _coordinate_finding("y", form.y.value, extrema[0])]


def _curve_findings(form: Position, figure: Figure) -> list[Finding]:
    """The curve's height against what was read of it at that place."""
    entity = f"graph at x = {form.x.value:g}"
    cells = [cell for cell in figure.cells if cell.constraint.entity == entity and form.about.stems & _CURVE]
    return [_coordinate_finding("y", form.y.value, cell) for cell in cells[:1]]


def _coordinate_finding(axis: str, stated: float, cell: Cell) -> Finding:
    return decide(equal(stated, cell.value), [cell], f"claimed {axis} = {number_text(stated)}; {in_words(cell)}.")
