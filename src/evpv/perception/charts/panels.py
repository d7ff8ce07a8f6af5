"""Several plots on one picture, each cut out with the axes it needs, so that it can be read as if it stood alone.

Plots side by side or under each other have value axes of their own, or share one: then the names under them repeat, or
are printed once at the foot of all. What is shared is copied to every panel.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from evpv.perception.boxes import Box, Pixels
from evpv.perception.charts.axes import Axis, find_axis
from evpv.perception.charts.labels import ChartLabel, is_wordy, page_of, text_height
from evpv.perception.charts.slots import anchor, bare_name
from evpv.perception.ocr import Word
from evpv.types import Box as Corners

_MOST_AXES = 8
_LEAST_NAMES = 2  # under a plot
_REPEATED = 0.6  # of the names of two plots that share a value axis


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One plot by name, and the parts of the picture that it is put together of: side by side, or one under the other."""

    parts: tuple[Box, ...]
    across: bool
    name: str = ""

    def cut(self, picture: Pixels, words: Sequence[Word]) -> tuple[Pixels, list[Word]]:
        """The panel as a picture of its own with the words that stand on it."""
        pixels = np.concatenate([picture[part.slices()] for part in self.parts], axis=1 if self.across else 0)
        shifts = self._shifts()
        moved = [
            replace(word, box=word.box.shift(-dx, -dy))
            for part, (dx, dy) in zip(self.parts, shifts, strict=True)
            for word in words
            if part.holds(word.box.x, word.box.y)
        ]
        return np.ascontiguousarray(pixels), moved

    def place(self, box: Corners) -> Box:
        """Where on the picture something is that was found on the panel."""
        inside = Box.of(box)
        for part, (dx, dy) in zip(self.parts, self._shifts(), strict=True):
            back = inside.shift(dx, dy)
            if part.holds(back.x, back.y):
                return back
        return inside.shift(*self._shifts()[-1])

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


def find_panels(labels: Sequence[ChartLabel], shape: tuple[int, ...]) -> list[Panel]:
    """The panels of a picture; nothing where it shows one plot, or several that cannot be told apart."""
    page = Box(0.0, 0.0, float(shape[1]), float(shape[0]))
    axes = _value_axes(labels)
    panels = _stacked_panels(axes, labels, page) or _neighbours(axes, labels, page) or _facets(axes, labels, page)
    extents = [_extent(axis) for axis in axes]
    if not panels:
        panels, extents = _facet_rows(labels, page)
    ticks = {id(tick) for axis in axes for tick in axis.ticks}
    names = _panel_names(panels, extents, [label for label in labels if id(label) not in ticks])
    return [replace(panel, name=name) for panel, name in zip(panels, names, strict=True)]


def _value_axes(labels: Sequence[ChartLabel]) -> list[Axis]:
    """The axes that run up the page, fullest first, each label a tick of one only."""
    axes: list[Axis] = []
    free = [label for label in labels if label.quantity is not None]
    while len(axes) < _MOST_AXES and (axis := find_axis(free, upward=True)) is not None:
        axes.append(axis)
        used = {id(tick) for tick in axis.ticks}
        free = [label for label in free if id(label) not in used]
    return axes


def _extent(axis: Axis) -> Box:
    return page_of(axis.ticks)


def _bands(page: Box, edges: Sequence[float]) -> list[Box]:
    """The page cut across at some heights."""
    return [page._replace(y0=top, y1=end) for top, end in itertools.pairwise(edges)]


def _stacked_panels(axes: Sequence[Axis], labels: Sequence[ChartLabel], page: Box) -> list[Panel]:
    """Panels one under the other: value axes in one column. Names at the foot of the last serve all that have none."""
    column = _column_of(list(map(_extent, axes))) if len(axes) > 1 else [page]
    feet = _names_between(column[-1], page.y1, labels)
    if len(column) < 2 or len(feet) < _LEAST_NAMES:
        return []
    slack = 0.3 * text_height(labels)
    gaps = [_names_between(above, below.y0 - slack, labels) for above, below in itertools.pairwise(column)]
    own = min(map(len, gaps)) >= _LEAST_NAMES
    ends = list(map(page_of, gaps)) if own else column[:-1]
    cuts = [(end.y1 + below.y0) / 2 for end, below in zip(ends, column[1:], strict=True)]
    *bands, last = _bands(page, [page.y0, *cuts, page.y1])
    shared = () if own else (page._replace(y0=page_of(feet).y0 - 1),)
    return [Panel(parts=parts, across=False) for parts in (*((band, *shared) for band in bands), (last,))]


def _column_of(axes: Sequence[Box]) -> list[Box]:
    """The axes over and under the first, from the top; only the first where they overlap."""
    first = axes[0]
    column = sorted((one for one in axes if min(one.x1, first.x1) > max(one.x0, first.x0)), key=lambda one: one.y)
    apart = all(above.y1 <= below.y0 for above, below in itertools.pairwise(column))
    return column if apart else [first]


def _names_between(ticks: Box, end: float, labels: Sequence[ChartLabel]) -> list[ChartLabel]:
    """The labels under the lowest tick of an axis, right of it, down to some height."""
    return [one for one in labels if ticks.y1 - 0.4 * (one.page.height) < one.y < end and one.x > ticks.x1]


def _neighbours(axes: Sequence[Axis], labels: Sequence[ChartLabel], page: Box) -> list[Panel]:
    """Panels side by side, each with a value axis at its left and names under it."""
    extents = list(map(_extent, axes))
    row = sorted(one for one in extents if one.overlap(extents[0]).height > 0.5 * extents[0].height)
    if len(row) < 2:
        return []
    edges = [page.x0, *(_left_edge(ticks, labels) for ticks in row[1:]), page.x1]
    bands = [page._replace(x0=left, x1=right) for left, right in itertools.pairwise(edges)]
    for ticks, band in zip(row, bands, strict=True):
        if sum(band.holds(one.x, one.y) for one in _names_between(ticks, page.y1, labels)) < _LEAST_NAMES:
            return []  # two scales of one plot, or a column of other numbers
    return [Panel(parts=(band,), across=True) for band in bands]


def _left_edge(ticks: Box, labels: Sequence[ChartLabel]) -> float:
    """Where the panel of an axis starts: before its ticks and the title that runs up beside them."""
    near = [
        one.page.x0
        for one in labels
        if one.lie == "upright" and 0 <= ticks.x0 - one.x <= 2.5 * (one.page.width) and ticks.y0 < one.y < ticks.y1
    ]
    return min([ticks.x0, *near]) - 2


def _facets(axes: Sequence[Axis], labels: Sequence[ChartLabel], page: Box) -> list[Panel]:
    """Panels side by side that share the value axis at the left: the names under them repeat."""
    if not axes:
        return []
    ticks = _extent(axes[0])
    below = _names_between(ticks, page.y1, labels)
    top = min((one.box.y0 for one in below), default=0.0) + 0.5 * text_height(labels)
    row = sorted((one for one in below if one.box.y0 <= top), key=anchor)
    cuts = _cuts(row, [anchor(label) for label in row])
    if not cuts:
        return []
    shared = Box(page.x0, page.y0, ticks.x1 + 4, page.y1)
    return [
        Panel(parts=(shared, Box(left, page.y0, right, page.y1)), across=True)
        for left, right in itertools.pairwise([ticks.x1 + 4, *cuts, page.x1])
    ]


def _facet_rows(labels: Sequence[ChartLabel], page: Box) -> tuple[list[Panel], list[Box]]:
    """Panels one under the other that share the value axis at the foot: the names at their left repeat.

    With what stands before the names of each, where its heading is looked for.
    """
    axis = find_axis(labels, upward=False)
    if axis is None:
        return [], []
    ticks, height = _extent(axis), text_height(labels)
    column = _column_before(labels, ticks.x0 + height, ticks.y0, 0.5 * height)
    cuts = _cuts(column, [one.y for one in column])
    if not cuts:
        return [], []
    foot = Box(page.x0, ticks.y0 - 4, page.x1, page.y1)
    bands = _bands(page, [page.y0, *cuts, foot.y0])
    panels = [Panel(parts=(band, foot), across=False) for band in bands]
    return panels, [band._replace(x0=0.0, x1=page_of(column).x0) for band in bands]


def _column_before(labels: Sequence[ChartLabel], right: float, foot: float, slack: float) -> list[ChartLabel]:
    """The level labels that end farthest to the right before some place and over some height, from the top."""
    before = [one for one in labels if one.lie == "level" and one.page.x1 < right and one.y < foot]
    edge = max((one.page.x1 for one in before), default=0.0)
    return sorted((one for one in before if one.page.x1 > edge - slack), key=lambda one: one.y)


def _cuts(names: Sequence[ChartLabel], places: Sequence[float]) -> list[float]:
    """Where to cut between names that repeat along an axis, of which some may not have been read; nowhere if they do not."""
    runs: list[set[str]] = [set()]
    cuts = []
    for number, text in enumerate(bare_name(label.text) for label in names):
        if text in runs[-1]:
            runs.append(set())
            cuts.append((places[number - 1] + places[number]) / 2)
        runs[-1].add(text)
    alike = [len(run & other) / max(len(run | other), 1) for run, other in itertools.pairwise(runs)]
    return cuts if len(runs[0]) > 1 and min(alike, default=0.0) >= _REPEATED else []


def _panel_names(panels: Sequence[Panel], extents: Sequence[Box], labels: Sequence[ChartLabel]) -> list[str]:
    """The headings of panels: texts that no other panel has, over the plots, beside or under them, wherever more have one."""
    counts = Counter(label.text for label in labels)
    texts = [one for one in labels if counts[one.text] == 1 and _can_name(one)]
    homes = [panel.parts[-1] if panel.across else panel.parts[0] for panel in panels]
    found = [_headings(texts, home, extents) for home in homes]
    best = max(zip(*found, strict=True), key=lambda names: sum(map(bool, names)), default=())
    return [name or f"panel {number}" for number, name in enumerate(best, start=1)]


def _headings(texts: Sequence[ChartLabel], home: Box, axes: Sequence[Box]) -> tuple[str, str, str]:
    """What may name a panel: the text over its plot, beside it, and under its names."""
    plot = _plot_in(home, axes)
    own = [one for one in texts if home.holds(one.x, one.y)]
    over = max((one for one in own if _stands_over(one, plot)), key=lambda one: one.page.y1, default=None)
    beside = max((one for one in own if _runs_up_beside(one, plot)), key=lambda one: one.x, default=None)
    under = min((one for one in own if _stands_under(one, plot)), key=lambda one: one.page.y0, default=None)
    return _text_of(over), _text_of(beside), _text_of(under)


def _text_of(label: ChartLabel | None) -> str:
    """What a label says; nothing where there is none."""
    return label.text if label else ""


def _plot_in(home: Box, axes: Sequence[Box]) -> Box:
    """The heights of the axes in a panel, and what is right of them."""
    rows = [axis for axis in axes if home.y0 <= axis.y <= home.y1] or [home]
    return Box.around(rows)._replace(x0=max((row.x1 for row in rows if row.x1 < home.x), default=home.x0))


def _stands_over(label: ChartLabel, plot: Box) -> bool:
    return label.lie == "level" and label.x > plot.x0 and label.page.y1 <= plot.y0 + 0.5 * label.height


def _stands_under(label: ChartLabel, plot: Box) -> bool:
    return label.lie == "level" and label.x > plot.x0 and label.page.y0 >= plot.y1


def _runs_up_beside(label: ChartLabel, plot: Box) -> bool:
    """Whether text may run up the page beside a plot; of a single letter nobody can tell."""
    return (label.lie == "upright" or len(label.text) == 1) and label.x < plot.x0 and plot.y0 <= label.y <= plot.y1


def _can_name(label: ChartLabel) -> bool:
    return is_wordy(label) or re.fullmatch(r"[^\W\d_]|(?:1[89]|20)\d\d", label.text) is not None
