"""Heat maps: numbers printed on a grid of coloured cells, with the names of rows at the left and of columns under or over it."""

from __future__ import annotations

import itertools
import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Pixels, groups_of
from evpv.perception.charts.facts import ChartValue
from evpv.perception.charts.labels import ChartLabel, PrintedNumber, text_height
from evpv.perception.charts.legends import Chart
from evpv.perception.charts.slots import Slot, bare_name, fill_names, join, names_at

_LEAST_CELLS = 6
_FILLED = 0.6  # of the cells of the grid, at least, hold a number that was read
_NAMED = 0.8  # of the rows, and of the columns
_OTHER_GROUND = 16.0  # two grounds this far apart are of two colours
_SAME_GROUND, _SAME_VALUE = 6.0, 0.03  # of one colour, and of the range of all numbers that such cells are apart
_BORNE_OUT = 0.25  # of the way through all colours that a cell's may be from those of the next higher and lower number

_Grounds = NDArray[np.float64]


def read_heat_map(chart: Chart) -> list[ChartValue] | None:
    """The numbers of a heat map that their colours bear out, each by its row and its column; None where the picture is none.

    In a heat map colours follow the values, so they change along rows as well as along columns; stacked bars and bands
    of a table have one colour along one of both.
    """
    grid = _find_grid(chart)
    if grid is None or not grid.is_coloured_by_value():
        return None
    cells = set(map(id, grid.cells))
    others = [one for one in chart.every if id(one) not in cells]
    row_names, column_names = _row_names(grid.rows, grid.columns[0], others), _column_names(grid, others)
    if len(row_names) < _NAMED * len(grid.rows) or len(column_names) < _NAMED * len(grid.columns):
        return []
    return [
        ChartValue.from_print(number, cell.page, category=row_names[row], series=column_names[column])
        for cell, number, (row, column) in grid.sure_cells()
        if row in row_names and column in column_names
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Grid:
    """Numbers on coloured ground: the middles of their rows and columns, and each one's ground and place among these."""

    cells: Sequence[ChartLabel]
    numbers: Sequence[PrintedNumber]
    grounds: _Grounds
    rows: Sequence[float]
    columns: Sequence[float]

    @property
    def places(self) -> list[tuple[int, int]]:
        return [(_nearest(self.rows, one.y), _nearest(self.columns, one.x)) for one in self.cells]

    def is_coloured_by_value(self) -> bool:
        """Whether grounds are of several colours along most rows and columns, and not of one where values differ.

        Stacks have parts of one colour and several values, for their colours name their series.
        """
        for lines in map(np.array, zip(*self.places, strict=True)):
            spans = [np.ptp(self.grounds[lines == line], axis=0).max() for line in set(lines.tolist())]
            if float(np.median(spans)) <= _OTHER_GROUND:
                return False
        values = np.array([number.full for number in self.numbers])
        first, second = np.triu_indices(len(values), 1)
        alike = np.abs(self.grounds[first] - self.grounds[second]).max(axis=1) <= _SAME_GROUND
        apart = np.abs(values[first] - values[second])[alike]
        return len(apart) < len(values) / 2 or float(np.median(apart)) <= _SAME_VALUE * float(np.ptp(values))

    def sure_cells(self) -> list[tuple[ChartLabel, PrintedNumber, tuple[int, int]]]:
        """The cells, with their numbers and places, that share their place with no other and that their colour bears out.

        It is between those of the next lower and the next higher number.
        """
        order = np.argsort([number.full for number in self.numbers], kind="stable")
        grounds = self.grounds[order]
        between = (np.roll(grounds, 1, axis=0) + np.roll(grounds, -1, axis=0)) / 2
        between[0], between[-1] = grounds[1], grounds[-2]
        bears = np.empty(len(order), np.bool_)
        bears[order] = np.linalg.norm(grounds - between, axis=1) <= _BORNE_OUT * np.linalg.norm(np.ptp(grounds, axis=0))
        places = self.places
        several, cells = Counter(places), zip(self.cells, self.numbers, places, strict=True)
        return [cell for cell in itertools.compress(cells, bears.tolist()) if several[cell[2]] == 1]


def _find_grid(chart: Chart) -> _Grid | None:
    """The numbers on coloured ground, where they fill rows and columns."""
    paper = np.array(chart.palette.colours[0])
    read = [(one, one.quantity, _ground(chart.picture, one)) for one in chart.every if one.quantity is not None]
    coloured = [one for one in read if np.linalg.norm(one[2] - paper) > _OTHER_GROUND]
    if len(coloured) < _LEAST_CELLS:
        return None
    cells, numbers, grounds = zip(*coloured, strict=True)
    height = text_height(cells)
    rows, columns = _lines([one.y for one in cells], 0.5 * height), _lines([one.x for one in cells], 0.8 * height)
    if min(len(rows), len(columns)) < 2 or len(cells) < _FILLED * len(rows) * len(columns):
        return None
    return _Grid(cells=cells, numbers=numbers, grounds=np.array(grounds), rows=rows, columns=columns)


def _ground(picture: Pixels, label: ChartLabel) -> _Grounds:
    """The colour around a label's letters."""
    crop = picture[label.page.slices()]
    edge = np.concatenate([crop[0], crop[-1], crop[:, 0], crop[:, -1]]) if crop.size else np.full((1, 3), 255)
    return np.asarray(np.median(edge, axis=0), np.float64)


def _lines(places: Sequence[float], slack: float) -> list[float]:
    """The middles of the rows or columns that several numbers stand in."""
    groups = groups_of(sorted(places), lambda place, group: place - group[0] <= slack)
    return [statistics.mean(group) for group in groups if len(group) > 1]


def _nearest(lines: Sequence[float], place: float) -> int:
    return min(range(len(lines)), key=lambda number: abs(lines[number] - place))


def _row_names(rows: Sequence[float], first_column: float, labels: Sequence[ChartLabel]) -> dict[int, str]:
    """The texts left of the grid, each at the row it stands beside; upright ones, as titles are, where they name more rows."""
    pitch = min(np.diff(rows).tolist())
    sides: dict[bool, dict[int, list[ChartLabel]]] = {False: {}, True: {}}
    for label in (one for one in labels if one.page.x1 < first_column):
        row = _nearest(rows, label.page.y)
        if abs(rows[row] - label.page.y) <= 0.4 * pitch:
            sides[label.lie == "upright"].setdefault(row, []).append(label)
    found = ({row: bare_name(join(group)) for row, group in parts.items()} for parts in sides.values())
    return max((fill_names(names, len(rows)) for names in found), key=len)


def _column_names(grid: _Grid, labels: Sequence[ChartLabel]) -> dict[int, str]:
    """The texts of the first row under the grid, or of the last one over it, whichever names more columns."""
    half, slack = min(np.diff(grid.rows).tolist()) / 2, 0.7 * text_height(labels)
    under = [one for one in labels if one.y > grid.rows[-1] + half]
    over = [one for one in labels if one.y < grid.rows[0] - half]
    rows = _first(under, lambda one: one.box.y0, slack), _first(over, lambda one: -one.box.y1, slack)
    slots, reach = [Slot(x=x) for x in grid.columns], 0.5 * min(np.diff(grid.columns).tolist())
    return max((fill_names(names_at(slots, row, reach=reach), len(slots)) for row in rows), key=len)


def _first(labels: Sequence[ChartLabel], start: Callable[[ChartLabel], float], slack: float) -> list[ChartLabel]:
    """The labels that start little farther than the first one does."""
    farthest = min(map(start, labels), default=0.0) + slack
    return [one for one in labels if start(one) <= farthest]
