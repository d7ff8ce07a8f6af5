"""What a number may have been worked out by, where it was not found to be what its piece seems to say: a sum or gap of cells.

Only what a word of the sentence calls for is tried, on the lines of cells that the piece names, so that a chance hit is rare. The word may
stand before the piece: “Adding the first two answers gives 69% for 2008, 74% for 2014”.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from evpv.language.quantities import number_text
from evpv.premises.figure import Cell
from evpv.premises.matching.values import Finding, decide
from evpv.premises.statements.comparisons import shortage_finding
from evpv.premises.statements.evidence import digits
from evpv.premises.statements.extremes import LEADING
from evpv.premises.statements.gaps import holds_changes
from evpv.premises.statements.totals import rows_of_kind
from evpv.premises.statements.verdicts import agrees
from evpv.premises.statements.views import View, ends_given

_Line: TypeAlias = Sequence[Cell]
_Outcomes: TypeAlias = Iterator[tuple[Sequence[Cell], Cell]]
_LONG = 14
_PLAIN = 3
"""So many cells at most has a line, and so many digits a number that is no chance hit."""


def program_finding(v: View) -> Finding | None:
    """What the only number of a piece is worked out by, with the name of the program as a sign; None if by nothing that is called for."""
    if len(v.piece.numbers) != 1 or v.amounts[0].bound != "=" or v.amounts[0].quantity.value in (0.0, 1.0):
        return None
    quantity = v.amounts[0].quantity
    size = replace(v.amounts[0], quantity=replace(quantity, value=abs(quantity.value)))
    for name, outcomes in _programs(v):
        for cells, like in itertools.chain.from_iterable(map(outcomes, _lines(v))):
            if (
                _fits_names(v, cells)
                and agrees(size, like) == "same"
                and not (name == "gap" and _is_other_gap(v, cells))
            ):
                found = decide(True, cells, f"it is {number_text(round(like.value, 9))} by {len(cells)} values.")
                return replace(found, signs=found.signs | {f"program {name}"})
    return None


def _programs(v: View) -> Iterator[tuple[str, Callable[[_Line], _Outcomes]]]:
    """The programs that a word calls for which names no column (“lost 7 matches”): a sum also where the number has many digits."""
    columns = {place for name in v.piece.names if name.axis == "column" for place in name.places}
    words = {word for i, word in enumerate(v.piece.sentence.words[: v.piece.stop]) if i not in columns}
    if words & _CUES["sum"] or len(digits(v.amounts[0].quantity.value)) >= _PLAIN:
        yield "sum", _sums
    if words & _CUES["gap"] and not _has_gap(v):
        yield "gap", _gaps


def _is_other_gap(v: View, cells: _Line) -> bool:
    return _is_reversed(v, cells) or _is_at_other_times(v, cells)


def _is_reversed(v: View, cells: Sequence[Cell]) -> bool:
    """“Lost 800”, of what gained as many; “on Sunday 45 more”, of the day that had 45 less."""
    if cells[0].row != cells[1].row:
        names, own, line, timed = [cell.row for cell in cells], v.own_rows, v.grid.line_rows, v.grid.timed_rows
    else:
        names, own, line, timed = [c.column for c in cells], v.own_columns, v.grid.line_columns, v.grid.timed_columns
    at, sign = 0, 0
    if timed and {*names} <= {*line}:
        at, sign = names.index(max(names, key=line.index)), _sign(v, "rises", "falls")
    if not sign and len({*names} & {*own}) == 1 and "than" not in v.piece.words:
        at, sign = int(names[1] in own), _sign(v, "more", "less")
    return sign * (cells[at].value - cells[1 - at].value) < 0


def _is_at_other_times(v: View, cells: _Line) -> bool:
    """Whether a change between the two times that were spoken of is one between others."""
    ends = ends_given(v.piece, v.context, v.grid)
    times = {cell.row if v.grid.timed_rows else cell.column for cell in cells}
    return bool(ends) and len(times) == 2 and times != ends


def _sign(v: View, up: str, down: str) -> int:
    """Whether a piece says that something goes up or down; 0 of both and of neither."""
    return (v.piece.has(up) is not None) - (v.piece.has(down) is not None)


def _has_gap(v: View) -> bool:
    """Whether both sides are named, or one of them and what was spoken of before, or it is a lead or a shortage, or a column gives the
    changes themselves."""
    both_named = max(len(v.own_rows), len(v.own_columns)) > 1
    held = v.piece.has("than") is not None and v.own_rows and v.context.near_rows
    of_change = v.piece.numbers[0].role == "by" and any(map(holds_changes, v.likely_columns))
    leads = v.piece.numbers[0].role == "by" and not LEADING.isdisjoint(v.piece.words)
    return bool(both_named or held or of_change or leads) or shortage_finding(v) is not None


_CUES = {
    "sum": frozenset(
        "together total totals sum adding adds add added combined altogether overall plus all both account accounts make makes up first "
        "last top bottom whole weekend half".split()
    ),
    "gap": frozenset(
        "by difference gap more fewer less lead margin behind ahead lost gained loss losing gaining gain drop rise rose fell increase "
        "decrease swing points deficit surplus profit between separates apart".split()
    ),
}


def _fits_names(v: View, cells: Sequence[Cell]) -> bool:
    """Whether cells on one line are those of the rows, or columns, that the line crosses and that are named whole, else of the rows of the
    kind that is spoken of (“the cities”): all of them, and of several no more than from end to end."""
    rows, columns = zip(*((cell.row, cell.column) for cell in cells), strict=True)
    axis, names = ("row", rows) if len({*rows}) > 1 else ("column", columns)
    own = [name.name for name in v.piece.names if name.axis == axis and name.whole]
    if not own and axis == "row":
        own = rows_of_kind(v)
    return {*own} <= {*names} and (len(own) < 2 or {names[0], names[-1]} <= {*own})


def _lines(v: View) -> Iterator[list[Cell]]:
    """The rows and columns of cells that a piece names, else those of what was said before it."""
    yield from _lines_of_names(v, v.own_rows, v.own_columns)
    yield from _lines_of_names(v, v.given_rows, v.given_columns)
    if len(v.part_columns) == 1:
        yield v.grid.cells(v.part_rows, v.part_columns)[:_LONG]


def _lines_of_names(v: View, rows: Sequence[str], columns: Sequence[str]) -> Iterator[list[Cell]]:
    """The lines of some rows and columns, and what several rows have in the columns that are likely meant."""
    if v.grid.uniform and len(v.part_columns) > 1:
        yield from (v.grid.cells([row], v.part_columns)[:_LONG] for row in rows[:2])
    yield from (v.grid.cells(v.part_rows, [column])[:_LONG] for column in columns[:2])
    if len(rows) > 1:
        yield from (v.grid.cells(rows, [column]) for column in v.likely_columns)


# The programs.


def _sums(line: _Line) -> _Outcomes:
    """Of all stretches of a line of two cells and more, the whole first."""
    for length in range(len(line), 1, -1):
        for at in range(len(line) - length + 1):
            run = line[at : at + length]
            yield run, run[0].with_value(sum(cell.value for cell in run))


def _gaps(line: _Line) -> _Outcomes:
    """How far neighbours, the ends, and the highest and lowest two of a line are apart."""
    order = sorted(line, key=lambda cell: cell.value)
    pairs = [*itertools.pairwise(line), *zip(line[:1], line[-1:], strict=True), *itertools.pairwise(order)]
    pairs += zip(order[:1], order[-1:], strict=True)
    return (([a, b], a.with_value(abs(a.value - b.value))) for a, b in pairs)
