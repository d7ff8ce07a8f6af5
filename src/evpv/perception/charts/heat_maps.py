"""Heat maps: numbers printed on a grid of coloured cells, with the names of rows at the left and of columns under or over it."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Pixels, groups_of
from evpv.perception.charts.facts import ChartValue
from evpv.perception.charts.labels import ChartLabel, text_height
from evpv.perception.charts.slots import Slot, bare_name, fill_names, join, names_at

_LEAST_CELLS = 6
_FILLED = 0.6  # of the cells of the grid, at least, hold a number that was read
_NAMED = 0.8  # of the rows, and of the columns
_OTHER_GROUND = 16.0  # two grounds this far apart are of two colours
_SAME_GROUND, _SAME_VALUE = 6.0, 0.03  # of one colour, and of the range of all numbers that such cells are apart
_BORNE_OUT = 0.25  # of the way through all colours that a cell's may be from those of the next higher and lower number

_Grounds = NDArray[np.float64]


def read_heat_map(
    picture: Pixels, paper: tuple[int, int, int], labels: Sequence[ChartLabel]
) -> list[ChartValue] | None:
    """The numbers of a heat map that their colours bear out, each by its row and its column; None where the picture is none.

    In a heat map colours follow the values, so they change along rows as well as along columns; stacked bars and bands
    of a table have one colour along one of both.
    """
    numbers = [label for label in labels if label.quantity is not None]
    grounds = np.array([_ground(picture, label) for label in numbers]).reshape(-1, 3)
    coloured = np.linalg.norm(grounds - np.array(paper), axis=1) > _OTHER_GROUND
    cells = list(itertools.compress(numbers, coloured))
    if len(cells) < _LEAST_CELLS:
        return None
    height = text_height(cells)
    rows, columns = _lines([one.y for one in cells], 0.5 * height), _lines([one.x for one in cells], 0.8 * height)
    if min(len(rows), len(columns)) < 2 or len(cells) < _FILLED * len(rows) * len(columns):
        return None
    places = [(_nearest(rows, one.y), _nearest(columns, one.x)) for one in cells]
    if not all(_varies([place[side] for place in places], grounds[coloured]) for side in (0, 1)):
        return None
    if _are_series(cells, grounds[coloured]):
        return None
    others = [one for one in labels if not any(one is cell for cell in cells)]
    row_names, column_names = _row_names(rows, columns[0], others), _column_names(columns, rows, others)
    if len(row_names) < _NAMED * len(rows) or len(column_names) < _NAMED * len(columns):
        return []
    agrees = _borne_out(cells, grounds[coloured])
    return [
        ChartValue.from_print(cell.quantity, cell.page, category=row_names[row], series=column_names[column])
        for cell, (row, column), bears in zip(cells, places, agrees, strict=True)
        if cell.quantity and bears and row in row_names and column in column_names and places.count((row, column)) == 1
    ]


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


def _varies(lines: Sequence[int], grounds: _Grounds) -> bool:
    """Whether the grounds along most lines are of several colours."""
    spans = [np.ptp(grounds[[line == other for other in lines]], axis=0).max() for line in set(lines)]
    return float(np.median(spans)) > _OTHER_GROUND


def _are_series(cells: Sequence[ChartLabel], grounds: _Grounds) -> bool:
    """Whether cells of one colour mostly differ in value: parts of stacks, whose colours name their series."""
    values = np.array([cell.quantity.full for cell in cells if cell.quantity])
    first, second = np.triu_indices(len(cells), 1)
    alike = np.abs(grounds[first] - grounds[second]).max(axis=1) <= _SAME_GROUND
    apart = np.abs(values[first] - values[second])[alike]
    return len(apart) >= len(cells) / 2 and float(np.median(apart)) > _SAME_VALUE * float(np.ptp(values))


def _row_names(rows: Sequence[float], first_column: float, labels: Sequence[ChartLabel]) -> dict[int, str]:
    """The texts left of the grid, each at the row it stands beside; upright ones, as titles are, where they name more rows."""
    left = [label for label in labels if label.page.x1 < first_column]
    upright = [label for label in left if label.lie == "upright"]
    level = [label for label in left if label.lie != "upright"]
    return max((_names_beside(rows, side) for side in (level, upright)), key=len)


def _names_beside(rows: Sequence[float], labels: Sequence[ChartLabel]) -> dict[int, str]:
    pitch = min(b - a for a, b in itertools.pairwise(rows))
    parts: dict[int, list[ChartLabel]] = {}
    for label in labels:
        row = _nearest(rows, label.page.y)
        if abs(rows[row] - label.page.y) <= 0.4 * pitch:
            parts.setdefault(row, []).append(label)
    return fill_names({row: bare_name(join(group)) for row, group in parts.items()}, len(rows))


def _column_names(columns: Sequence[float], rows: Sequence[float], labels: Sequence[ChartLabel]) -> dict[int, str]:
    """The texts of the first row under the grid, or of the last one over it, whichever names more columns."""
    slots = [Slot(x=x) for x in columns]
    pitch = min(b - a for a, b in itertools.pairwise(columns))
    half = min(b - a for a, b in itertools.pairwise(rows)) / 2
    height = text_height(labels)
    under = [one for one in labels if one.y > rows[-1] + half]
    over = [one for one in labels if one.y < rows[0] - half]
    first = min((one.box.y0 for one in under), default=0.0) + 0.7 * height
    last = max((one.box.y1 for one in over), default=0.0) - 0.7 * height
    sides = [one for one in under if one.box.y0 <= first], [one for one in over if one.box.y1 >= last]
    found = [fill_names(names_at(slots, side, reach=0.5 * pitch), len(columns)) for side in sides]
    return max(found, key=len)


def _borne_out(cells: Sequence[ChartLabel], grounds: _Grounds) -> list[bool]:
    """Whether the colour of each cell is between those of the next lower and the next higher number."""
    order = np.argsort([cell.quantity.full for cell in cells if cell.quantity], kind="stable")
    sorted_grounds = grounds[order]
    between = (np.roll(sorted_grounds, 1, axis=0) + np.roll(sorted_grounds, -1, axis=0)) / 2
    between[0], between[-1] = sorted_grounds[1], sorted_grounds[-2]
    off = np.linalg.norm(sorted_grounds - between, axis=1)
    agrees = np.empty(len(cells), np.bool_)
    agrees[order] = off <= _BORNE_OUT * np.linalg.norm(np.ptp(grounds, axis=0))
    return [bool(one) for one in agrees]
