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
_LETTER_OR_YEAR = re.compile(r"[^\W\d_]|(?:1[89]|20)\d\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One plot by name, and the parts of the picture that it is put together of: side by side, or one under the other."""

    parts: tuple[Box, ...]
    across: bool
    name: str = ""

    @property
    def home(self) -> Box:
        """The part that is not shared."""
        return self.parts[-1] if self.across else self.parts[0]

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
        shifts: list[tuple[float, float]] = []
        start = 0
        for x0, y0, x1, y1 in (map(round, part) for part in self.parts):
            shifts.append((x0 - start, y0) if self.across else (x0, y0 - start))
            start += x1 - x0 if self.across else y1 - y0
        return shifts


def find_panels(labels: Sequence[ChartLabel], shape: tuple[int, ...]) -> list[Panel]:
    """The panels of a picture; nothing where it shows one plot, or several that cannot be told apart."""
    page = Box(0.0, 0.0, float(shape[1]), float(shape[0]))
    axes = _value_axes(labels)
    extents = [page_of(axis.ticks) for axis in axes]
    panels = _stacked_panels(extents, labels, page) or _neighbours(extents, labels, page)
    panels = panels or _facets(extents, labels, page)
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
        free = axis.others(free)
    return axes


def _bands(page: Box, edges: Sequence[float]) -> list[Box]:
    """The page cut across at some heights."""
    return [page._replace(y0=top, y1=end) for top, end in itertools.pairwise(edges)]


def _stacked_panels(axes: Sequence[Box], labels: Sequence[ChartLabel], page: Box) -> list[Panel]:
    """Panels one under the other: value axes in one column. Names at the foot of the last serve all that have none."""
    column = _axes_in_column(axes)
    if len(column) < 2:
        return []
    feet = _names_between(column[-1], page.y1, labels)
    if len(feet) < _LEAST_NAMES:
        return []
    slack = 0.3 * text_height(labels)
    gaps = [_names_between(above, below.y0 - slack, labels) for above, below in itertools.pairwise(column)]
    own = min(map(len, gaps)) >= _LEAST_NAMES
    ends = list(map(page_of, gaps)) if own else column[:-1]
    cuts = [(end.y1 + below.y0) / 2 for end, below in zip(ends, column[1:], strict=True)]
    *bands, last = _bands(page, [page.y0, *cuts, page.y1])
    shared = () if own else (page._replace(y0=page_of(feet).y0 - 1),)
    return [*(Panel(parts=(band, *shared), across=False) for band in bands), Panel(parts=(last,), across=False)]


def _axes_in_column(axes: Sequence[Box]) -> list[Box]:
    """The axes over and under the first one, from the top; none if two are beside each other."""
    column = sorted((one for one in axes if min(one.x1, axes[0].x1) > max(one.x0, axes[0].x0)), key=lambda one: one.y)
    apart = all(above.y1 <= below.y0 for above, below in itertools.pairwise(column))
    return column if apart else []


def _names_between(ticks: Box, end: float, labels: Sequence[ChartLabel]) -> list[ChartLabel]:
    """The labels under the lowest tick of an axis, right of it, down to some height."""
    return [one for one in labels if ticks.y1 - 0.4 * (one.page.height) < one.y < end and one.x > ticks.x1]


def _neighbours(axes: Sequence[Box], labels: Sequence[ChartLabel], page: Box) -> list[Panel]:
    """Panels side by side, each with a value axis at its left and names under it."""
    row = sorted(one for one in axes if one.overlap(axes[0]).height > 0.5 * axes[0].height)
    if len(row) < 2:
        return []
    edges = [page.x0, *(_left_of(ticks, labels) for ticks in row[1:]), page.x1]
    bands = [page._replace(x0=left, x1=right) for left, right in itertools.pairwise(edges)]
    for ticks, band in zip(row, bands, strict=True):
        if sum(band.holds(one.x, one.y) for one in _names_between(ticks, page.y1, labels)) < _LEAST_NAMES:
            return []  # two scales of one plot, or a column of other numbers
    return [Panel(parts=(band,), across=True) for band in bands]


def _left_of(ticks: Box, labels: Sequence[ChartLabel]) -> float:
    """Where the panel of an axis starts: a title may run up beside its ticks."""
    upright = (one for one in labels if one.lie == "upright" and ticks.y0 < one.y < ticks.y1)
    near = (one.page.x0 for one in upright if 0 <= ticks.x0 - one.x <= 2.5 * one.page.width)
    return min([ticks.x0, *near]) - 2


def _facets(axes: Sequence[Box], labels: Sequence[ChartLabel], page: Box) -> list[Panel]:
    """Panels side by side that share the value axis at the left: the names under them repeat."""
    if not axes:
        return []
    below = _names_between(axes[0], page.y1, labels)
    top = min((one.box.y0 for one in below), default=0.0) + 0.5 * text_height(labels)
    row = sorted((one for one in below if one.box.y0 <= top), key=anchor)
    cuts = _cuts(row, [anchor(label) for label in row])
    if not cuts:
        return []
    edge = axes[0].x1 + 4
    bands = [page._replace(x0=left, x1=right) for left, right in itertools.pairwise([edge, *cuts, page.x1])]
    return [Panel(parts=(page._replace(x1=edge), band), across=True) for band in bands]


def _facet_rows(labels: Sequence[ChartLabel], page: Box) -> tuple[list[Panel], list[Box]]:
    """Panels one under the other that share the value axis at the foot: the names in the column at their left repeat.

    With what stands before the names of each, where its heading is looked for.
    """
    axis = find_axis(labels, upward=False)
    if axis is None:
        return [], []
    ticks = page_of(axis.ticks)
    column = _column_left_of(ticks, labels)
    cuts = _cuts(column, [one.y for one in column])
    if not cuts:
        return [], []
    foot = Box(page.x0, ticks.y0 - 4, page.x1, page.y1)
    bands = _bands(page, [page.y0, *cuts, foot.y0])
    panels = [Panel(parts=(band, foot), across=False) for band in bands]
    return panels, [band._replace(x0=0.0, x1=page_of(column).x0) for band in bands]


def _column_left_of(ticks: Box, labels: Sequence[ChartLabel]) -> list[ChartLabel]:
    """The names over an axis that end right before it begins, from the top."""
    height = text_height(labels)
    level = [one for one in labels if one.lie == "level" and one.page.x1 < ticks.x0 + height and one.y < ticks.y0]
    edge = max((one.page.x1 for one in level), default=0.0) - 0.5 * height
    return sorted((one for one in level if one.page.x1 > edge), key=lambda one: one.y)


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
    texts = [one for one in labels if counts[one.text] == 1 and (is_wordy(one) or _LETTER_OR_YEAR.fullmatch(one.text))]
    found = [_headings(texts, panel.home, extents) for panel in panels]
    best = max(zip(*found, strict=True), key=lambda names: sum(map(bool, names)), default=())
    return [name or f"panel {number}" for number, name in enumerate(best, start=1)]


def _headings(texts: Sequence[ChartLabel], home: Box, axes: Sequence[Box]) -> tuple[str, str, str]:
    """What may name a panel: the text over its plot, beside it, and under its names."""
    rows = [axis for axis in axes if home.y0 <= axis.y <= home.y1] or [home]
    plot = Box.around(rows)._replace(x0=max((row.x1 for row in rows if row.x1 < home.x), default=home.x0))
    own = [one for one in texts if home.holds(one.x, one.y)]
    over, under = _level_headings(own, plot)
    return over, _heading_beside(own, plot), under


def _level_headings(texts: Sequence[ChartLabel], plot: Box) -> tuple[str, str]:
    level = [one for one in texts if one.lie == "level" and one.x > plot.x0]
    over = [one for one in level if one.page.y1 <= plot.y0 + 0.5 * one.height]
    under = [one for one in level if one.page.y0 >= plot.y1]
    return (
        max(over, key=lambda one: one.page.y1).text if over else "",
        min(under, key=lambda one: one.page.y0).text if under else "",
    )


def _heading_beside(texts: Sequence[ChartLabel], plot: Box) -> str:
    """The text that runs up left of a plot; of a single letter nobody can tell how it runs."""
    up = [one for one in texts if (one.lie == "upright" or len(one.text) == 1) and one.x < plot.x0]
    beside = [one for one in up if plot.y0 <= one.y <= plot.y1]
    return max(beside, key=lambda one: one.x).text if beside else ""
