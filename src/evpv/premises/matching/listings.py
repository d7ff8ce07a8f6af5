"""Values listed in a row, and coordinates."""

from __future__ import annotations

from evpv.language.forms import (
    Amount,
    Assertion,
    Listing,
    Phrase,
    Position,
)
from evpv.language.quantities import number_text
from evpv.premises.figure import Address, Cell, Figure
from evpv.premises.matching.attributes import ABSENT
from evpv.premises.matching.findings import NOTHING_READ, Finding, decide, in_words, missing, together, unread
from evpv.premises.matching.readings import reading
from evpv.premises.matching.values import equal
from evpv.premises.mentions import Axis

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
    words = {token.lower for token in about.tokens}
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
