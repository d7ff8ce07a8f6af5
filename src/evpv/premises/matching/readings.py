"""Values said of cells, one by one or listed in a row, and coordinates: read off directly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evpv.language.forms import (
    Amount,
    Assertion,
    Listing,
    Phrase,
    Position,
    Value,
    amount_text,
)
from evpv.language.quantities import number_text
from evpv.language.tokens import Token, name_stems
from evpv.premises.figure import Address, Cell, Figure
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
from evpv.premises.mentions import Axis

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
    told = is_read(form.amount, where.cells) and _is_telling(form.amount)
    if where.cells and (clash := conflict(form.about, where.cells[0], figure, told=told)):
        return unread(clash)
    if where.cells and counts_other_things(form, where.cells[0]) and not is_read(form.amount, where.cells):
        return unread(f"'{where.cells[0].constraint.entity}' counts something else than the claim.")
    cells = _meant_cells(form, said, where, figure)
    if not cells and (other := _other_diameter(form, figure)) is not None:
        cells = [other]
    if not cells:
        return _by_one_axis(form, where, figure)
    found = _agreement_finding(form, said, where, cells, figure)
    if found.verdict == "contradicted" and (many := _many_bought(form, cells)) is not None:
        return many
    if (
        found.verdict == "contradicted"
        and not said.denied
        and (doubt := address_doubt(form, said, where, cells, figure))
    ):
        return unread(doubt) if doubt == STRANGE else doubted(doubt)
    return found


_TELLING_DIGITS = 3


def _is_telling(amount: Amount) -> bool:
    """Whether a number has so many digits that it is hardly that of a cell by chance."""
    return len(f"{abs(amount.quantity.value):g}".replace(".", "").strip("0")) >= _TELLING_DIGITS


def _agreement_finding(form: Value, said: Assertion, where: Address, cells: Sequence[Cell], figure: Figure) -> Finding:
    """The value against each of the cells where all are meant, else against any; several may also be added up."""
    amount = replace(form.amount, hedged=False) if form.each and form.amount.bound != "=" else form.amount
    if form.about.tokens and form.about.tokens[0].lower == "by":
        cells = [cell.with_value(abs(cell.value)) for cell in cells]
    findings = [reading(amount, cell) for cell in cells]
    if len(cells) > 1 and not _all_meant(form, said, where):
        return next((f for f in findings if f.verdict == "supported"), missing(OPEN))
    found = together(findings)
    if found.verdict != "contradicted" or form.each or said.denied or len(cells) < 2 or form.amount.bound != "=":
        return found
    whole = cells[0].with_value(sum(cell.value for cell in cells))
    added = agreement(form.amount, whole) == "same"
    return decide(True, cells, f"the values read add up to {read(whole)}.") if added else found


def _in_column_of_unit(form: Value, where: Address, figure: Figure) -> Address:
    """The address with the column that a percentage, or a plain number, can only mean where one column alone holds percentages or counts."""
    own_rows, own_columns = figure.named(form.about.tokens)
    if (
        not own_rows
        or own_columns
        or len(figure.columns.names) < 2
        or form.amount.quantity.unit not in ("percent", None)
    ):
        return where
    shares = {cell.column for cell in figure.cells if cell.unit == "percent"}
    fitting = shares if form.amount.quantity.unit else {*figure.columns.names} - shares
    if not shares or len(fitting) != 1:
        return where
    rows = {mention.name for mention in own_rows}
    cells = tuple(cell for cell in figure.cells if cell.row in rows and cell.column in fitting)
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


def _other_diameter(form: Value, figure: Figure) -> Cell | None:
    """A diameter where only the radius was read, and the other way round."""
    for said, known, factor in (("diameter", "radius", 2.0), ("radius", "diameter", 0.5)):
        if said not in form.about.stems:
            continue
        renamed = tuple(
            t._replace(text=known, stem=known, lower=known) if t.stem == said else t for t in form.about.tokens
        )
        cells = figure.address(Phrase(tokens=renamed)).cells
        if len(cells) == 1 and known in name_stems(f"{cells[0].row} {cells[0].column}"):
            return cells[0].with_value(cells[0].value * factor)
    return None


def _either(form: Value, said: Assertion, figure: Figure) -> Finding:
    """“Four people drank 3 glasses”: one of two numbers is the value, the other names a row."""
    findings = []
    for amount in (form.amount, *form.others):
        kept = tuple(
            token for token in form.about.tokens if not amount.quantity.start <= token.start < amount.quantity.end
        )
        findings.append(
            value_finding(
                replace(form, amount=amount, others=(), about=Phrase(tokens=kept, text=form.about.text)), said, figure
            )
        )
    right = first_of(findings, "supported")
    wrong = [f for f in findings if f.verdict == "contradicted"]
    return right or (
        wrong[0] if len(wrong) == 1 else next((f for f in findings if f.verdict == "missing"), missing(OPEN))
    )


def _meant_cells(form: Value, said: Assertion, where: Address, figure: Figure) -> list[Cell]:
    """The named cells; with “both years”, “never” or “all”, every cell of the one axis that is named."""
    rest = form.about.words & {"remaining", "other", "others", "rest"}
    if rest and (form.each or said.quantifier == "every") and (not where.rows or where.inherited):
        spoken = {m.name for phrase in said.context for m in figure.rows.mentions(phrase.tokens)}
        others = [cell for cell in figure.cells if cell.row not in spoken]
        if spoken and others and len({cell.column for cell in others}) == 1:
            return others
    if where.cells:
        return list(where.cells)
    if form.each or said.quantifier == "every" or (said.denied and form.amount.bound != "="):
        if where.rows and not where.columns:
            return [cell for mention in where.rows for cell in figure.row_cells(mention.name)]
        if where.columns and not where.rows:
            return [cell for mention in where.columns for cell in figure.column_cells(mention.name)]
        if not where.rows and len(figure.columns.names) == 1 and form.amount.bound != "=":
            return [cell for cell in figure.cells if not is_total(cell.row)]
    return []


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
    own = {token.start for token in form.about.tokens}
    if where.inherited and len(where.columns) > 1 and not any(m.tokens & own for m in where.columns):
        return False
    if form.each or said.quantifier == "every" or said.denied:
        return True
    mentions = where.rows if len(where.rows) > 1 else where.columns
    if len(mentions) < 2 or (len(where.rows) > 1 and len(where.columns) > 1):
        return False
    return coordinated(form.about.tokens, [place for mention in mentions for place in mention.tokens])


def coordinated(tokens: Sequence[Token], places: Sequence[int]) -> bool:
    """Whether the tokens at these places form one list: “Tuesday, Wednesday or Thursday”."""
    first, last = min(places), max(places)
    between = [token for token in tokens if first <= token.start <= last and token.start not in places]
    joins = [token for token in between if token.lower in (",", "and", "or", "&", "both", "nor")]
    others = [token for token in between if token not in joins and token.is_content_word]
    turns = [
        token for token in between if token.lower in ("than", "to", "of", "in", "on", "from", "with", "is", "was", "by")
    ]
    return bool(joins) and not turns and len(others) <= 2 * len(joins)


def _by_one_axis(form: Value, where: Address, figure: Figure) -> Finding:
    """A row without a named column supports a value that one of its cells has, but refutes none."""
    if where.rows and where.columns and not where.inherited:
        return unread(HOLE)
    if where.rows or where.columns:
        if not where.rows and names_another(form.about, figure):
            return missing(NOTHING_READ)
        rows, columns = ({m.name for m in axis} for axis in (where.rows, where.columns))
        cells = [
            cell for cell in figure.cells if (not rows or cell.row in rows) and (not columns or cell.column in columns)
        ]
        if len(cells) == 1 and not where.inherited:
            return reading(form.amount, cells[0])
        found = next((f for cell in cells if (f := reading(form.amount, cell)).verdict == "supported"), None)
        return found or missing("the claim names a row or column, but not which of its values.")
    return _rows_counted(form, figure) or _anywhere(form.amount, form.about, figure) or missing(NOTHING_READ)


def _rows_counted(form: Value, figure: Figure) -> Finding | None:
    """“There are 7 runners in the table”, “of the 227 incidents”: the number of rows, or the total; any other number may count something else."""
    words = form.about.words
    rows = [name for name in figure.rows.names if not is_total(name)]
    if words & {"there", "table", "chart", "shown", "listed"} and form.amount.quantity.absolute == len(rows) > 1:
        return decide(True, figure.cells, f"{len(rows)} were read.")
    totals = [cell for cell in figure.cells if is_total(cell.row) and agreement(form.amount, cell) == "same"]
    return reading(form.amount, totals[0]) if totals and words & {"of", "total", "all"} else None


def _anywhere(amount: Amount, about: Phrase, figure: Figure) -> Finding | None:
    """A value of nothing that was read is wrong if it is near no measured value of a whole chart."""
    cells = figure.cells
    if (
        not figure.tabular
        or len(cells) < _FEWEST_READ
        or amount.quantity.spelled
        or amount.quantity.is_year
        or not all(cell.estimated for cell in cells)
    ):
        return None
    if amount.bound != "=" or (
        amount.quantity.unit == "percent" and not any(cell.unit == "percent" or abs(cell.value) <= 1 for cell in cells)
    ):
        return None
    if any(agreement(amount, cell) != "different" for cell in cells):
        return None
    nearest = min(cells, key=lambda cell: abs(cell.value - amount.quantity.value))
    return decide(False, [nearest], f"claimed {amount_text(amount)}; nothing near it was read, {in_words(nearest)}.")


_CURVE = {"pass", "go", "through", "curve", "graph", "parabola"}
_EXTREMA = ("maximum", "minimum")


def listing_finding(form: Listing, said: Assertion, figure: Figure) -> Finding:
    """Values in a row: of the things named, in their order; of a span; else of a whole column, in its order or sorted."""
    values = [quantity.absolute for quantity in form.values]
    where = figure.address(form.about, said.context, said.near)
    if where.absent:
        return unread(ABSENT)
    named = where.ordered_cells()
    span = _span_cells(form.about, where, figure)
    own = figure.rows.mentions(form.about.tokens)
    line = figure.row_cells(own[0].name) if len(own) == 1 and len(figure.columns.names) == len(values) else []
    for cells in (line, named, span):
        if len(cells) == len(values) and form.order == "as read":
            return together([reading(Amount(quantity=q), cell) for q, cell in zip(form.values, cells, strict=True)])
    columns = [name for name in figure.columns.names if not where.columns or name in {m.name for m in where.columns}]
    pools = (
        [figure.column_cells(name) for name in columns]
        + [figure.row_cells(m.name) for m in where.rows]
        + ([span] if span else [])
    )
    for cells in pools:
        if len(cells) != len(values):
            continue
        read_values = [cell.value for cell in cells]
        in_order = read_values if form.order == "as read" else sorted(read_values, reverse=form.order == "descending")
        if all(map(equal, sorted(read_values), sorted(values))) and form.order == "as read" and not where.rows:
            in_order = values
        if all(map(equal, in_order, values)):
            return decide(True, cells, "the values read are " + ", ".join(map(number_text, in_order)) + ".")
        if (
            sum(equal(a, b) for a, b in zip(sorted(read_values), sorted(values), strict=True)) >= 0.5 * len(values)
            and len(values) > 2
        ):
            return decide(False, cells, "the values read are " + ", ".join(map(number_text, in_order)) + ".")
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
    stems = {token.stem for token in form.about.tokens}
    vertex = "vertex" in stems
    known: list[Finding] = []
    if vertex:
        known = _vertex_findings(form, figure)
    elif stems & _CURVE:
        known = _curve_findings(form, figure)
    if known:
        return together(known)
    for mine, other, axis in ((form.y, form.x, "y"), (form.x, form.y, "x")):
        crossing = [cell for cell in figure.cells if cell.attribute == f"{axis}-intercept"]
        if other.value == 0.0 and len(crossing) == 1 and not vertex:
            return decide(equal(mine.value, crossing[0].value), crossing, f"{in_words(crossing[0])}.")
    findings = []
    for axis, stated in (("x", form.x), ("y", form.y)):
        cells = [cell for cell in figure.cells if cell.attribute in (axis, f"{axis}-coordinate", f"{axis} coordinate")]
        named = Axis.of([cell.constraint.entity for cell in cells], "flat").mentions(form.about.tokens)
        mine_cells = [cell for cell in cells if cell.constraint.entity in {m.name for m in named}]
        if len(mine_cells) != 1:
            return missing(NOTHING_READ)
        findings.append(_coordinate_finding(axis, stated.value, mine_cells[0]))
    return together(findings)


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
    cells = [cell for cell in figure.cells if cell.constraint.entity == entity]
    return [_coordinate_finding("y", form.y.value, cell) for cell in cells[:1]]


def _coordinate_finding(axis: str, stated: float, cell: Cell) -> Finding:
    return decide(equal(stated, cell.value), [cell], f"claimed {axis} = {number_text(stated)}; {in_words(cell)}.")
