"""Which reader a picture may belong to, from its words and its strokes: a prior for the competition."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal, TypeAlias

import cv2
import numpy as np

from evpv.perception.boxes import Pixels, darkest
from evpv.perception.networks import is_network
from evpv.perception.ocr import Word, text_lines
from evpv.perception.other_figures import captions_in
from evpv.perception.tables.grid import TableGrid, find_grid
from evpv.perception.tables.numbers import cell_number

_VALUE = re.compile(r"[-−$€£(]*\s?[.\d]")  # how a value begins, among them rates and times
_FUNCTION = re.compile(r"\b[a-zA-Z]\s?\(\s?x\s?\)")
_POINT = re.compile(r"[A-NP-WZ]")  # capitals that name neither an axis nor the origin

_AXIS_TICKS = 6  # evenly spaced numbers that grow evenly upwards: a column of a table hardly holds so many

_Printed: TypeAlias = tuple[float, float, float, float]
"""A number with the middle and the height of its print: x, y, height, value."""

_Kind = Literal["table", "chart", "geometry", "graph", "network", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Signals:
    """What the decision looks at; shares are of the whole they are named after."""

    words: int
    long_words: int  # of four letters and more: names of things, which figures of geometry do not have
    labels: int  # single letters, expressions, angles
    numbers: int
    negative: bool
    text_area: float  # of the picture's area
    oblique: float  # of the edge pixels outside words: neither level nor upright
    edges: float  # edge pixels outside words, of the picture's area
    grid_fill: float  # filled cells of the best grid, of its rows × columns; bars of unequal length fill it badly
    grid_numbers: float  # rows of the grid whose last columns hold a number
    ruled: bool
    mixed_grounds: float  # of the lines with several numbers: those with numbers on different colours, as on bars
    across: int  # longest run of evenly spaced, evenly growing numbers side by side
    upward: int  # and of such numbers one above the other
    falling: int  # and of those that grow upwards, as on an axis
    axes: bool  # a long level and a long upright line
    named_axes: bool  # such lines that cross, with x written at the one and y at the other, or a function's name


def _signals(picture: Pixels, words: Sequence[Word]) -> _Signals:
    """Measures a picture for `figure_priors`."""
    sure = [word for word in words if word.confidence > 0.5]
    area = picture.shape[0] * picture.shape[1]
    oblique, edges = _edges_outside(picture, sure)
    grid = find_grid(picture, sure)
    axes = _long_lines(picture)
    grid_fill, grid_numbers = _grid_shares(grid)
    return _Signals(
        words=len(sure),
        long_words=sum(bool(re.search(r"[^\W\d]{4}", word.text)) for word in sure),
        labels=sum(bool(re.fullmatch(r"[A-Za-z]'?|.*[°√π=+].*|\d*[a-z]", word.text)) for word in sure),
        numbers=sum(cell_number(word.text) is not None for word in sure),
        negative=any(re.fullmatch(r"[-−–]\d+(?:\.\d+)?", word.text) for word in sure),
        text_area=sum((word.box[2] - word.box[0]) * (word.box[3] - word.box[1]) for word in sure) / area,
        oblique=oblique,
        edges=edges,
        grid_fill=grid_fill,
        grid_numbers=grid_numbers,
        ruled=grid.ruled,
        mixed_grounds=_mixed_grounds(picture, sure),
        across=_longest_progression(sure, along=0),
        upward=_longest_progression(sure, along=1),
        falling=_longest_progression(sure, along=1, falling=True),
        axes=axes is not None,
        named_axes=axes is not None and _has_named_axes(picture, sure, axes),
    )


def _edges_outside(picture: Pixels, words: Sequence[Word]) -> tuple[float, float]:
    """Share of oblique edges among all edges outside the words, and all such edges per area."""
    grey = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), (3, 3), 0)
    across = cv2.Sobel(grey, cv2.CV_32F, 1, 0)
    down = cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    strong = np.hypot(across, down) > 60
    for word in words:
        x0, y0, x1, y1 = (max(round(value), 0) for value in word.box)
        strong[y0 : y1 + 1, x0 : x1 + 1] = False
    total = int(strong.sum())
    if total < 20:
        return 0.0, total / strong.size
    level, upright = abs(across[strong]), abs(down[strong])
    ratio = np.minimum(level, upright) / (np.maximum(level, upright) + 1e-6)
    return float((ratio > 0.12).mean()), total / strong.size


def _mixed_grounds(picture: Pixels, words: Sequence[Word]) -> float:
    """Of the lines with several numbers, the share of those whose numbers stand on different colours.

    That is the usual one in a word's box, of which letters cover the lesser part.
    """
    lines = [[word for word in line if cell_number(word.text)] for line in text_lines(words)]
    several = [line for line in lines if len(line) > 1]
    mixed = 0
    for line in several:
        grounds = []
        for word in line:
            x0, y0, x1, y1 = (max(round(value), 0) for value in word.box)
            crop = picture[y0 : y1 + 1, x0 : x1 + 1].reshape(-1, 3)
            grounds.append(np.median(crop, axis=0) if len(crop) else np.full(3, 255.0))
        mixed += bool(np.ptp(np.array(grounds), axis=0).max() > 40)
    return mixed / max(len(several), 1)


def _grid_shares(grid: TableGrid) -> tuple[float, float]:
    """Filled cells of the grid, and rows with a number beside the first column; 0 of both where it is no grid."""
    if grid.columns < 2:
        return 0.0, 0.0
    with_number = sum(any(cell.column > 0 and _VALUE.match(cell.text) for cell in row) for row in grid.rows)
    rows = [row for row in grid.rows if len(row) > 1 or not grid.ruled]
    filled = sum(bool(cell.words) for cell in chain(*rows))
    return filled / (grid.columns * len(rows)) if len(rows) >= 2 else 0.0, with_number / max(len(grid.rows), 1)


def _long_lines(picture: Pixels) -> tuple[int, int] | None:
    """The column and the row of pixels that are drawn along most of their length, the darkest of each."""
    ink = darkest(picture) < 150
    columns, rows = ink.mean(axis=0), ink.mean(axis=1)
    if columns.max() < 0.55 or rows.max() < 0.55:
        return None
    return int(columns.argmax()), int(rows.argmax())


def _has_named_axes(picture: Pixels, words: Sequence[Word], lines: tuple[int, int]) -> bool:
    """Whether lines cross away from the rim, and a function is named, or x and y stand at them and nothing else has a letter.

    A triangle may be called XYZ.
    """
    height, width = picture.shape[:2]
    across, down = lines[0] / width, lines[1] / height
    if not 0.08 < min(across, down) <= max(across, down) < 0.92:
        return False
    texts = [word.text for word in words]
    if any(map(_FUNCTION.search, texts)):
        return True
    if any(map(_POINT.fullmatch, texts)):
        return False
    off_x = [abs(word.box.y - lines[1]) / height for word in words if word.text in ("x", "X")]
    off_y = [abs(word.box.x - lines[0]) / width for word in words if word.text in ("y", "Y")]
    return min(off_x, default=1.0) < 0.12 and min(off_y, default=1.0) < 0.12


def _longest_progression(words: Sequence[Word], *, along: int, falling: bool = False) -> int:
    """The most numbers that stand in one row (along 0) or column (1) at even distances and grow evenly, as ticks do."""
    numbers: list[_Printed] = [
        (word.box.x, word.box.y, word.box.height, number.value)
        for word in words
        if (number := cell_number(word.text.rstrip("-+."))) is not None  # a tick beside its label is read as a sign
    ]
    longest = 0
    for start in numbers:
        line = [item for item in numbers if abs(item[1 - along] - start[1 - along]) < 0.7 * start[2]]
        if falling and _are_in_rows(line, numbers):
            continue
        line.sort(key=lambda item: item[along])
        longest = max(longest, _even_run([(item[along], item[3]) for item in line], falling=falling))
    return longest


def _are_in_rows(line: Sequence[_Printed], numbers: Sequence[_Printed]) -> bool:
    """Whether a column is one of a table, by other numbers beside its own; an axis has at most one beside each."""
    beside = [sum(abs(other[1] - one[1]) < 0.5 * one[2] for other in numbers) - 1 for one in line]
    return 2 * sum(count >= 2 for count in beside) > len(line)


def _even_run(points: Sequence[tuple[float, float]], *, falling: bool = False) -> int:
    """Longest run of (position, value) pairs whose steps are all alike, and down if `falling`."""
    best = run = min(len(points), 1)
    for index in range(2, len(points)):
        (a, u), (b, v), (c, w) = points[index - 2 : index + 1]
        even = abs((c - b) - (b - a)) < 0.15 * abs(c - a) and v != u and abs((w - v) - (v - u)) < 1e-6 * abs(w - u)
        fits = even and (not falling or (w < v and not 1800 <= w <= 2100))  # years run down tables too
        run = max(run + 1, 3) if fits else 0
        best = max(best, run)
    return best


def figure_priors(picture: Pixels, words: Sequence[Word]) -> dict[str, float]:
    """How likely each reader is to be the right one by the picture's look alone, the likeliest first, with 1.

    A table's cells fill its grid and nothing but borders lies between them. Charts speak in words, figures of geometry
    in letters and signs; a graph has axes with ticks and hardly a word.
    """
    seen = _signals(picture, words)
    first = "other" if captions_in(words) else _likeliest(seen)  # captions: a row of growing figures
    if first != "table" and is_network(picture, words):
        first = "network"
    like_table = seen.grid_fill >= 0.4 and _is_bare(seen)
    graph = 0.3
    if seen.axes and max(seen.across, seen.upward) >= 3:  # charts have axes with ticks too, but more words
        graph = 0.8 if seen.long_words < 3 else 0.6
    priors = {
        "network": 0.6,
        "table": 0.5 if like_table else 0.1,
        "chart": 0.8,
        "graph": graph,
        "geometry": 0.8 if first == "other" else 0.4,  # figures without letters look like nothing known
        "other": 0.5,
    }
    priors.pop(first, None)
    return {first: 1.0, **priors}


def _likeliest(seen: _Signals) -> _Kind:
    if _is_table(seen):
        return "table"
    if _is_graph(seen):
        return "graph"
    if seen.labels >= max(2, 2 * seen.long_words) and seen.numbers <= 3 * seen.labels:
        return "geometry"
    if _is_chart(seen):
        return "chart"
    return "geometry" if seen.labels or (seen.numbers and seen.oblique > 0.15) else "other"


def _is_table(seen: _Signals) -> bool:
    return (
        seen.words >= 4
        and seen.labels <= 0.35 * seen.words
        and seen.grid_fill >= 0.6
        and seen.grid_numbers >= 0.25
        and _is_bare(seen)
        and seen.text_area > 0.1
        and min(seen.across, seen.upward) < 4
    )


def _is_graph(seen: _Signals) -> bool:
    more, fewer = max(seen.across, seen.upward), min(seen.across, seen.upward)
    named = seen.named_axes and seen.long_words <= 2
    return named or (seen.axes and (fewer >= 3 or more >= 5) and seen.negative and not seen.long_words)


def _is_chart(seen: _Signals) -> bool:
    in_words = seen.long_words >= 4 or (seen.long_words >= 2 and seen.numbers >= 3)
    return in_words or (max(seen.across, seen.upward) >= 3 and (seen.long_words > 0 or seen.axes))


def _is_bare(seen: _Signals) -> bool:
    """Whether nothing but borders, and rims of print that its boxes leave out, lies between the words: no bars, no axis."""
    is_empty = seen.oblique < 0.35 or seen.edges < max(0.003, 0.01 * seen.text_area)
    return is_empty and seen.mixed_grounds < 0.5 and seen.falling < _AXIS_TICKS
