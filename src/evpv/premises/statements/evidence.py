"""Where in the figure the numbers of a piece may come from: the cells that it names, those around them, or what cells come to.

A number that stands nowhere speaks for a misreading; one that is the difference of two values speaks for a piece that was not understood.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from evpv.language.forms import Amount
from evpv.language.immutable import remembering
from evpv.language.quantities import conversion
from evpv.premises.figure import Cell
from evpv.premises.statements.grid import Grid, is_whole
from evpv.premises.statements.numbers import StatedNumber
from evpv.premises.statements.strangers import is_strange
from evpv.premises.statements.verdicts import agrees, counts_rows, is_part, pure
from evpv.premises.statements.views import View

_FEW, _MANY = 14, 24
"""So many cells at most are combined in pairs to explain a number, and to say that a piece hides no misreading."""


class _Outcome(NamedTuple):
    """What was worked out of a cell; `bare` where it has not the cell's unit but `unit`."""

    cell: Cell
    value: float
    bare: bool = False
    unit: str | None = None

    def as_cell(self) -> Cell:
        return pure(self.cell, self.value, self.unit) if self.bare else self.cell.with_value(self.value)


@remembering
class Evidence:
    """What the figure has of one number of a piece."""

    v: View
    number: StatedNumber

    @property
    def amount(self) -> Amount:
        return self.number.amount

    @cached_property
    def level(self) -> int:
        """The place among the levels at which the number is explained."""
        return next(level for level, holds in enumerate(self._explanations()) if holds)

    def _explanations(self) -> Iterator[bool]:
        """Whether each level explains it, tried in their order."""
        v = self.v
        yield self.is_among(v.named_cells)
        yield self.is_among(v.cells_around)
        yield self._is_one_of(_outcomes(v.cells_around[:_FEW], v.grid, self._is_relative))
        yield counts_rows(v, self.number)
        yield self.is_among(v.grid.model.cells)
        columns = (_column_outcomes(v.grid, name, self._is_relative) for name in v.columns or v.grid.columns)
        yield any(self._is_one_of(outcomes.near(*self._said)) for outcomes in columns)
        yield True

    def is_among(self, cells: Iterable[Cell]) -> bool:
        """Whether the number is the value of one of some cells."""
        return any(agrees(self.amount, cell) == "same" for cell in cells if self._may_be(cell.value))

    def resemblances(self) -> Iterator[str]:
        """How it is like what is meant, without being it: the value beside it, its digits shuffled, a value near it."""
        v, said = self.v, self.amount.quantity.value
        own = v.cells if v.rows else []
        if v.rows and not self.is_among(own):
            beside = (v.grid.cells(v.rows, v.grid.columns), v.grid.cells(v.grid.rows, v.columns or v.grid.columns))
            if any(map(self.is_among, beside)):
                yield "neighbour"
        if any(_are_shuffled(digits(said), digits(cell.value)) for cell in own):
            yield "shuffled"
        if any(0 < abs(said - cell.value) < 0.25 * abs(cell.value) for cell in own):
            yield "near"

    @property
    def _is_relative(self) -> bool:
        """Whether the number may be a part or a change of something."""
        return self.amount.quantity.unit == "percent" or is_part(self.amount)

    def _is_one_of(self, outcomes: Iterable[_Outcome]) -> bool:
        return any(agrees(self.amount, one.as_cell()) == "same" for one in outcomes if self._may_be(one.value))

    def may_be_of(self, cells: Sequence[Cell]) -> bool:
        """Whether the number cannot be told from the value of a cell of the figure, or from what two of some cells come to."""
        if any(agrees(self.amount, cell) != "different" for cell in self.v.grid.model.cells):
            return True
        for a, b in itertools.combinations(cells, 2):
            for value in (abs(a.value - b.value), a.value + b.value):
                if self._may_be(value) and agrees(self.amount, a.with_value(value)) != "different":
                    return True
        return False

    def _may_be(self, value: float) -> bool:
        """Whether a value can be what the number says at all: a quick test that lets pass whatever `agrees` might."""
        said, slack = self._said
        for one in said:
            if abs(one - value) <= _ROUGH * max(abs(one), abs(value)) + slack:
                return True
        return not said

    @cached_property
    def _said(self) -> tuple[list[float], float]:
        """All that the number may say on the scale of a cell, none where it only bounds; and by how much cells may be off."""
        amount = self.amount
        if amount.bound != "=" or amount.high is not None or not amount.quantity.value:
            return [], 0.0
        measures, slack = _measures(self.v.grid)
        quantity, large = amount.quantity, abs(amount.quantity.absolute) >= _LARGE
        factors = _factors(quantity.unit, quantity.scale, measures, large=large, part=is_part(amount))
        return [quantity.value * factor for factor in factors], slack


_ROUGH = 0.21
_LARGE = 1e4
_Measures: TypeAlias = frozenset[tuple[str | None, float]]


@lru_cache(maxsize=8)
def _measures(grid: Grid) -> tuple[_Measures, float]:
    """The units and scales of a figure's cells, and by how much they may be off."""
    cells = grid.model.cells
    slack = 1e-8 + 2.0 * max((cell.constraint.error or 0.0 for cell in cells), default=0.0)
    return frozenset((cell.unit, cell.scale) for cell in cells), slack


@lru_cache(maxsize=64)
def _factors(said: str | None, scale: float, measures: _Measures, *, large: bool, part: bool) -> set[float]:
    """By what an amount said in a unit and on a scale may have to be multiplied on the scale of cells with these units and scales."""
    units = {unit for unit, _ in measures}
    if said is not None:
        factors = {1.0, 0.01, *(conversion(said, unit) or 1.0 for unit in units if unit)}
    else:
        factors = {1.0, 100.0} if part or "percent" in units else {1.0}
    return {a * b for a, b in itertools.product(_scales(scale, measures, large=large), factors)}


def _scales(scale: float, measures: _Measures, *, large: bool) -> set[float]:
    scales = {1.0, scale, *(1.0 / own for _, own in measures)}
    scales |= {a * b for a, b in itertools.combinations(scales, 2)}
    return scales | {scale / count for count in (1e3, 1e6, 1e9)} if large else scales


def is_idle(v: View) -> bool:
    """Whether a piece that was not understood hides no misreading: it names nothing strange, and its numbers are those of cells, or what
    two of them come to."""
    if is_strange(v):
        return False
    cells = v.grid.cells(v.rows or v.grid.rows, v.columns or v.grid.columns) or v.grid.model.cells
    return all(Evidence(v=v, number=number).may_be_of(cells[:_MANY]) for number in v.piece.numbers)


class _Sorted(NamedTuple):
    """Outcomes in the order of their values, so that the few that may be a number are found without trying all."""

    values: list[float]
    outcomes: list[_Outcome]

    def near(self, said: Sequence[float], slack: float) -> Iterator[_Outcome]:
        """Those that may be one of some numbers; all where none is said."""
        for one in said:
            low, high = sorted((one * _REACH, one / _REACH))
            first, last = bisect_left(self.values, low - 2 * slack), bisect_right(self.values, high + 2 * slack)
            yield from self.outcomes[first:last]
        yield from () if said else self.outcomes


_REACH = 0.75
"""Less than what `_ROUGH` leaves of the larger of two numbers that may be the same."""


@lru_cache(maxsize=16)
def _column_outcomes(grid: Grid, column: str, relative: bool) -> _Sorted:
    """What the cells of a column come to."""
    cells = grid.cells(grid.rows, [column])[:_FEW]
    found = sorted(_outcomes(cells, grid, relative), key=attrgetter("value"))
    return _Sorted([one.value for one in found], found)


def _outcomes(cells: Sequence[Cell], grid: Grid, relative: bool) -> Iterator[_Outcome]:
    """What cells come to in pairs or together: sums, differences, means, ratios, and, if `relative`, changes and parts."""
    return itertools.chain(_pair_outcomes(cells, relative), _line_outcomes(cells, grid, relative))


def _pair_outcomes(cells: Sequence[Cell], relative: bool) -> Iterator[_Outcome]:
    for a, b in itertools.combinations(cells, 2):
        if a.row != b.row and a.column != b.column:
            continue
        x, y = a.value, b.value
        for value in (abs(x - y), x + y, (x + y) / 2):
            yield _Outcome(a, value)
        if not x or not y:
            continue
        yield from (_Outcome(a, x / y, bare=True), _Outcome(a, y / x, bare=True))
        for part in (abs(x - y) / abs(x), abs(x - y) / abs(y)) if relative else ():
            yield _Outcome(a, part, bare=True)
            yield _Outcome(a, 100 * part, bare=True, unit="percent")


def _line_outcomes(cells: Sequence[Cell], grid: Grid, relative: bool) -> Iterator[_Outcome]:
    for line in filter(None, _lines(cells, grid)):
        total = sum(cell.value for cell in line)
        yield _Outcome(line[0], total)
        yield _Outcome(line[0], total / len(line))
        for cell in line if total and relative else ():
            yield _Outcome(cell, cell.value / total, bare=True)
            yield _Outcome(cell, 100 * cell.value / total, bare=True, unit="percent")


def _lines(cells: Sequence[Cell], grid: Grid) -> Iterator[Sequence[Cell]]:
    """The rows and columns that some cells stand in, without totals; and the cells themselves."""
    yield cells
    for column in {cell.column for cell in cells}:
        yield grid.cells(itertools.filterfalse(is_whole, grid.rows), [column])
        yield [c for c in cells if c.column == column]
    for row in {cell.row for cell in cells} if len(grid.columns) > 1 else ():
        yield grid.cells([row], itertools.filterfalse(is_whole, grid.columns))
        yield [c for c in cells if c.row == row]


def digits(value: float) -> str:
    """The digits of a number that tell its size from others, without point and zeros at the ends."""
    return f"{abs(value):.10g}".replace(".", "").strip("0")


def _are_shuffled(said: str, read: str) -> bool:
    """Whether two numbers have the same digits in another order, or all but one of them."""
    if len(said) < 2:
        return False
    if sorted(said) == sorted(read):
        return said != read
    return len(read) == len(said) > 2 and sum(a != b for a, b in zip(said, read, strict=True)) == 1
