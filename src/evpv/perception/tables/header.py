"""What the columns of a table are called: the names above them from top to bottom, those that span several among them.

Names of columns tell columns apart. So where the lower names repeat (2023, 2024, 2023, 2024), the names above them
share the columns out among themselves, wherever they are printed over their share.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import inf

from evpv.perception.tables.grid import Cell, Grid
from evpv.perception.tables.ink import Span


def column_names(grid: Grid, head: Sequence[int]) -> list[str]:
    """The texts above each column, joined; empty where there is no header."""
    names = [""] * grid.columns
    places = _column_places(grid)
    for row in reversed(head):
        cells = [cell for cell in grid.rows[row] if cell.words]
        beside = [cell for cell in cells if cell.column > 0]
        shares = dict(zip(map(id, beside), _shares(beside, names, places), strict=False))
        for cell in cells:
            for column in shares.get(id(cell), range(cell.column, cell.column + cell.columns)):
                names[column] = f"{cell.text} {names[column]}".strip()
    return names


def _column_places(grid: Grid) -> list[Span | None]:
    """From where to where each column's own cells reach."""
    places: list[Span | None] = [None] * grid.columns
    for row in grid.rows:
        for cell in row:
            if cell.columns == 1 and cell.box is not None:
                left, right = places[cell.column] or (inf, -inf)
                places[cell.column] = min(left, cell.box.x0), max(right, cell.box.x1)
    return places


def _shares(cells: Sequence[Cell], names: Sequence[str], places: Sequence[Span | None]) -> list[range]:
    """Which columns each of a row's names stands over, where the names below repeat.

    The columns beside the stub are cut into as many runs, none with a name twice, so that the names stand best over
    them: all at the left, in the middle or at the right. Empty where no such cut tells the columns apart.
    """
    below = list(names[1:])
    known = [place for place in places[1:] if place is not None]
    if len(known) < len(below) or len(cells) < 2 or len(set(below)) == len(below):
        return []
    cuts = [
        _best_cut(_anchors([_extent(cell) for cell in cells], side), _edges(known, side), below) for side in (0, 1, 2)
    ]
    _, runs = min(cuts)
    return [range(start + 1, end + 1) for start, end in runs]


def _extent(cell: Cell) -> Span:
    return cell.words[0].box.x0, max(word.box.x1 for word in cell.words)


def _anchors(spans: Sequence[Span], side: int) -> list[float]:
    """Left ends, middles or right ends."""
    return [(left * (2 - side) + right * side) / 2 for left, right in spans]


def _edges(places: Sequence[Span], side: int) -> list[list[float]]:
    """The anchor of every run of columns, from its first to its last."""
    count = len(places)
    return [
        [_anchors([(places[first][0], places[max(first, last)][1])], side)[0] for last in range(count)]
        for first in range(count)
    ]


def _best_cut(
    anchors: Sequence[float], runs: Sequence[Sequence[float]], below: Sequence[str]
) -> tuple[float, tuple[tuple[int, int], ...]]:
    """How far names stand from their runs in all, and the runs from start to end; infinitely far if none can be."""

    @cache
    def cut(name: int, start: int) -> tuple[float, tuple[tuple[int, int], ...]]:
        if name == len(anchors):
            return (0.0 if start == len(below) else inf), ()
        best: tuple[float, tuple[tuple[int, int], ...]] = (inf, ())
        for end in range(start + 1, len(below) + 1):
            if len(set(below[start:end])) < end - start:
                break
            rest, others = cut(name + 1, end)
            best = min(best, (rest + abs(runs[start][end - 1] - anchors[name]), ((start, end), *others)))
        return best

    distance, cuts = cut(0, 0)
    return distance, cuts if distance < inf else ()
