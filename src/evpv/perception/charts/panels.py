"""Several plots on one picture, each cut out with the axes it needs, so that it can be read as if it stood alone.

Plots side by side or under each other have value axes of their own, or share one: then the names under them repeat, or
are printed once at the foot of all. What is shared is copied to every panel.
"""

from __future__ import annotations

import itertools
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from evpv.perception.boxes import Box, Pixels
from evpv.perception.charts.axes import Axis, find_axis
from evpv.perception.charts.labels import Label, is_wordy, text_height
from evpv.perception.charts.slots import anchor
from evpv.perception.ocr import Word
from evpv.types import Box as Corners

_MOST_AXES = 8
_LEAST_NAMES = 2  # under a plot
_REPEATED = 0.8  # of the names under plots that share a value axis
_NOTHING = Label(text="", box=(0.0, 0.0, 0.0, 0.0), page=(0.0, 0.0, 0.0, 0.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One plot by name, and the parts of the picture that it is put together of: side by side, or one under the other."""

    name: str
    parts: tuple[Box, ...]
    across: bool

    def cut(self, picture: Pixels, words: Sequence[Word]) -> tuple[Pixels, list[Word]]:
        """The panel as a picture of its own with the words that stand on it."""
        pixels = np.concatenate([picture[part.slices()] for part in self.parts], axis=1 if self.across else 0)
        shifts = self._shifts()
        moved = [
            replace(word, box=word.box.moved(-dx, -dy))
            for part, (dx, dy) in zip(self.parts, shifts, strict=True)
            for word in words
            if part.holds(word.box.x, word.box.y)
        ]
        return np.ascontiguousarray(pixels), moved

    def place(self, box: Corners) -> Box:
        """Where on the picture something is that was found on the panel."""
        inside = Box.of(box)
        for part, (dx, dy) in zip(self.parts, self._shifts(), strict=True):
            back = inside.moved(dx, dy)
            if part.holds(back.x, back.y):
                return back
        return inside.moved(*self._shifts()[-1])

    def _shifts(self) -> list[tuple[float, float]]:
        """How far each part was moved to its place on the panel."""
        sizes = [
            round(part.x1) - round(part.x0) if self.across else round(part.y1) - round(part.y0) for part in self.parts
        ]
        starts = itertools.accumulate(sizes[:-1], initial=0)
        return [
            (round(part.x0) - start, round(part.y0)) if self.across else (round(part.x0), round(part.y0) - start)
            for part, start in zip(self.parts, starts, strict=True)
        ]


def find_panels(labels: Sequence[Label], shape: tuple[int, ...]) -> list[Panel]:
    """The panels of a picture; nothing where it shows one plot, or several that cannot be told apart."""
    page = Box(0.0, 0.0, float(shape[1]), float(shape[0]))
    axes = _value_axes(labels)
    if not axes:
        return []
    panels = _stacked_panels(axes, labels, page) or _neighbours(axes, labels, page) or _facets(axes[0], labels, page)
    if len(panels) < 2:
        return []
    return [replace(panel, name=name) for panel, name in zip(panels, _panel_names(panels, axes, labels), strict=True)]


def _value_axes(labels: Sequence[Label]) -> list[Axis]:
    """The axes that run up the page, fullest first, each label a tick of one only."""
    axes: list[Axis] = []
    free = [label for label in labels if label.quantity is not None]
    while len(axes) < _MOST_AXES and (axis := find_axis(free, upward=True)) is not None:
        axes.append(axis)
        used = {id(tick) for tick in axis.ticks}
        free = [label for label in free if id(label) not in used]
    return axes


def _extent(axis: Axis) -> Box:
    return Box.around(tick.page for tick in axis.ticks)


def _stacked_panels(axes: Sequence[Axis], labels: Sequence[Label], page: Box) -> list[Panel]:
    """Panels one under the other: value axes in one column. Names at the foot of the last serve all that have none."""
    first = _extent(axes[0])
    column = [one for one in map(_extent, axes) if min(one.x1, first.x1) - max(one.x0, first.x0) > 0]
    column.sort(key=lambda one: one.y)
    if len(column) < 2 or any(below.y0 < above.y1 for above, below in itertools.pairwise(column)):
        return []
    height = text_height(labels)
    gaps = [_names_between(above, below.y0 - 0.3 * height, labels) for above, below in itertools.pairwise(column)]
    feet = _names_between(column[-1], page.y1, labels)
    if len(feet) < _LEAST_NAMES:
        return []
    own = all(len(gap) >= _LEAST_NAMES for gap in gaps)
    cuts = [
        (max((label.page[3] for label in gap), default=above.y1) + below.y0) / 2 if own else (above.y1 + below.y0) / 2
        for gap, (above, below) in zip(gaps, itertools.pairwise(column), strict=True)
    ]
    edges = [page.y0, *cuts, page.y1]
    foot = Box(page.x0, min(label.page[1] for label in feet) - 1, page.x1, page.y1)
    bands = [Box(page.x0, top, page.x1, bottom) for top, bottom in itertools.pairwise(edges)]
    return [
        Panel(name="", parts=(band,) if own or number == len(bands) - 1 else (band, foot), across=False)
        for number, band in enumerate(bands)
    ]


def _names_between(ticks: Box, end: float, labels: Sequence[Label]) -> list[Label]:
    """The labels under the lowest tick of an axis, right of it, down to some height."""
    return [one for one in labels if ticks.y1 - 0.4 * (one.page[3] - one.page[1]) < one.y < end and one.x > ticks.x1]


def _neighbours(axes: Sequence[Axis], labels: Sequence[Label], page: Box) -> list[Panel]:
    """Panels side by side, each with a value axis at its left and names under it."""
    first = _extent(axes[0])
    row = sorted(
        (one for one in map(_extent, axes) if min(one.y1, first.y1) - max(one.y0, first.y0) > 0.5 * first.height),
        key=lambda one: one.x0,
    )
    starts = [_left_edge(ticks, labels) for ticks in row]
    edges = [page.x0, *starts[1:], page.x1]
    bands = [Box(left, page.y0, right, page.y1) for left, right in itertools.pairwise(edges)]
    for ticks, band in zip(row, bands, strict=True):
        names = [one for one in _names_between(ticks, page.y1, labels) if band.holds(one.x, one.y)]
        if len(names) < _LEAST_NAMES:
            return []  # two scales of one plot, or a column of other numbers
    return [Panel(name="", parts=(band,), across=True) for band in bands]


def _left_edge(ticks: Box, labels: Sequence[Label]) -> float:
    """Where the panel of an axis starts: before its ticks and the title that runs up beside them."""
    near = [
        one.page[0]
        for one in labels
        if one.lie == "upright"
        and 0 <= ticks.x0 - one.x <= 2.5 * (one.page[2] - one.page[0])
        and ticks.y0 < one.y < ticks.y1
    ]
    return min([ticks.x0, *near]) - 2


def _facets(axis: Axis, labels: Sequence[Label], page: Box) -> list[Panel]:
    """Panels side by side that share the value axis at the left: the names under them repeat."""
    ticks = _extent(axis)
    below = [one for one in _names_between(ticks, page.y1, labels) if one.x > ticks.x1]
    height = text_height(labels)
    top = min((one.box[1] for one in below), default=0.0)
    row = sorted((one for one in below if one.box[1] - top <= 0.5 * height), key=anchor)
    for count in range(2, len(row) // 2 + 1):
        size = len(row) // count
        if len(row) % count or not _repeats([label.text for label in row], size):
            continue
        cuts = [(anchor(row[n * size - 1]) + anchor(row[n * size])) / 2 for n in range(1, count)]
        edges = [ticks.x1 + 4, *cuts, page.x1]
        shared = Box(page.x0, page.y0, ticks.x1 + 4, page.y1)
        return [
            Panel(name="", parts=(shared, Box(left, page.y0, right, page.y1)), across=True)
            for left, right in itertools.pairwise(edges)
        ]
    return []


def _repeats(texts: Sequence[str], size: int) -> bool:
    pairs = list(zip(texts, texts[size:], strict=False))
    return size >= 2 and len(set(texts[:size])) == size and sum(a == b for a, b in pairs) >= _REPEATED * len(pairs)


def _panel_names(panels: Sequence[Panel], axes: Sequence[Axis], labels: Sequence[Label]) -> list[str]:
    """The heading of each panel: a text that no other panel has, over its plot or running up beside it."""
    ticks = {id(tick) for axis in axes for tick in axis.ticks}
    counts = Counter(label.text for label in labels)
    texts = [one for one in labels if id(one) not in ticks and counts[one.text] == 1 and _can_name(one)]
    names = []
    for number, panel in enumerate(panels, start=1):
        home = panel.parts[-1] if panel.across else panel.parts[0]
        own = [one for one in texts if home.holds(one.x, one.y)]
        names.append(_heading(own, home, [_extent(axis) for axis in axes]) or f"panel {number}")
    return names


def _heading(texts: Sequence[Label], home: Box, axes: Sequence[Box]) -> str:
    rows = [axis for axis in axes if home.y0 <= axis.y <= home.y1]
    top = statistics.median(row.y0 for row in rows) if rows else home.y0
    floor = max((row.y1 for row in rows), default=home.y1)
    left = max((row.x1 for row in rows if row.x1 < home.x), default=home.x0)
    over = [one for one in texts if one.lie == "level" and one.page[3] <= top + 0.5 * one.height and one.x > left]
    if over:
        return max(over, key=lambda one: one.page[3]).text
    beside = [one for one in texts if (one.lie == "upright" or len(one.text) == 1) and one.x < left]
    return max((one for one in beside if top <= one.y <= floor), key=lambda one: one.x, default=_NOTHING).text


def _can_name(label: Label) -> bool:
    return is_wordy(label) or (len(label.text) == 1 and label.text.isalpha())
