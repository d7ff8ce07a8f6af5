"""Line charts: each colour's stroke followed along the axis, and the names written at strokes, at their ends or along them."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import runs_apart
from evpv.perception.charts.axes import Axis, axis_on_grid
from evpv.perception.charts.labels import ChartLabel, is_wordy, text_height
from evpv.perception.charts.legends import Chart
from evpv.perception.charts.palette import ColourInk, Palette, chroma, find_inks, is_pale, is_panel
from evpv.perception.charts.slots import anchor, value_title
from evpv.perception.charts.steps import step_points
from evpv.perception.ocr import Pixels

_THICKEST_PX = 9.0  # of a quarter of the columns; the others may be steep
_LEAST_AREA = 0.1  # of the plot, for a filled area
_FOOT_PX = 25  # how far above the names of the categories an area may start
_AXIS_PX = 5.0  # between the middle of the lowest tick's label and the axis
_WAY_PX, _MEETING_PX = 9, 4.0  # how much of the way to a corner is looked at, and how near both ways must come
_GAPS_PX = (3, 11)  # within a line, and between the dashes of one
_LOOSE_PX, _SEVERAL = 12, 0.3  # between two lines of one colour in a column, and of the columns that have both
_ACROSS, _LEAST_LINES, _OF_GRID = 0.6, 3, 0.8  # of the plot that lines of a grid cross, how many, and of its ink
_GREY = 12  # how colourful black ink is at most
_WIDEST_HOLE_PX = 24  # of a hollow marker
_LEAST_SPAN = 0.25  # a line crosses at least this share of the plot


@dataclass(frozen=True, slots=True, kw_only=True)
class Stroke:
    """One line: its colour, the columns where it was seen (x, ascending), its height there, and its round markers."""

    colour: int
    columns: NDArray[np.int64]
    heights: NDArray[np.float64]
    markers: tuple[tuple[float, float], ...] = ()
    clear: bool = True  # not where several lines have one colour, or nothing tells where along its steps its points are

    def height_at(self, x: float, *, within: float = 6.0) -> float | None:
        """The height at x, from the nearest columns either side; None where the line does not reach."""
        if not len(self.columns) or not self.columns[0] - within <= x <= self.columns[-1] + within:
            return None
        marker = min(self.markers, key=lambda m: abs(m[0] - x), default=None)
        if marker is not None and abs(marker[0] - x) <= 3.5:
            return marker[1]
        after = int(np.searchsorted(self.columns, x))
        near = [n for n in (after - 1, after) if 0 <= n < len(self.columns)]
        gap = max(abs(float(self.columns[n]) - x) for n in near)
        if gap > 4 * within:
            return None
        return self._corner(x) or float(np.interp(x, self.columns, self.heights))

    def _corner(self, x: float) -> float | None:
        """Where the straight ways to a place meet, for the ink of a corner is thicker; None if they do not meet there.

        At the end of a line there is one way only.
        """
        met: list[tuple[float, float]] = []  # slope and height of the ways that are straight there
        for side in (-1, 1):
            away = side * (self.columns - x)
            near = (away >= 2) & (away <= _WAY_PX)
            if near.sum() >= 4:
                ahead = self.columns[near] - x
                slope, height = map(float, np.polyfit(ahead, self.heights[near], 1))
                bent = float(np.abs(slope * ahead + height - self.heights[near]).max())
                met += [(slope, height)] if bent <= 1.0 + 0.15 * abs(slope) else []
        steep = sum(abs(slope) for slope, _ in met)
        if not met or abs(met[0][1] - met[-1][1]) > _MEETING_PX + 0.5 * steep:
            return None
        return sum(height for _, height in met) / len(met)

    @property
    def turns(self) -> list[float]:
        """Where along the axis the line bends."""
        path = np.stack([self.columns, self.heights], axis=1).astype(np.float32).reshape(-1, 1, 2)
        return [float(x) for x in cv2.approxPolyDP(path, 2.0, False).reshape(-1, 2)[1:-1, 0]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """Where the lines run, in pixels, the value axis, and the row of category names."""

    left: int
    top: int
    right: int
    bottom: int
    axis: Axis
    row: tuple[ChartLabel, ...] = ()


def find_plot(chart: Chart) -> Plot | None:
    """The plot beside a value axis: from its ticks to the last category, and from above the highest tick to the lowest.

    Lines may rise above the highest tick, by less than a step, and fall below the lowest, down to the names.
    """
    axis = axis_on_grid(chart.picture, chart.labels)
    if axis is None:
        return None
    (rows, columns), row = chart.picture.shape[:2], _row_below(chart.labels, axis)
    ends = sorted(anchor(label) for label in row)
    right = ends[-1] + max(12.0, 0.6 * (ends[-1] - ends[-2])) if len(ends) > 1 else float(columns)
    bottom = max(axis.floor + 4, min((label.box.y0 for label in row), default=0.0))
    return Plot(
        left=int(axis.left),
        top=max(0, int(axis.top - axis.step_px)),
        right=min(columns, int(right)),
        bottom=min(rows, int(bottom)),
        axis=axis,
        row=tuple(row),
    )


def _row_below(labels: Sequence[ChartLabel], axis: Axis) -> list[ChartLabel]:
    """The fullest row of text under the lowest tick, right of the axis: the names of the categories.

    What starts far below the tick is a title or a note.
    """
    height, floor, left = text_height(labels), axis.floor, axis.left
    end = floor + max(2.2 * height, 1.6 * axis.step_px)
    below = [one for one in axis.others(labels) if one.y > floor + 2 and one.box.y0 < end and anchor(one) > left]
    rows = [[one for one in below if 0 <= one.box.y0 - top.box.y0 <= 0.6 * height] for top in below]
    return _years_or_all(max(rows, key=lambda row: (len(row), -row[0].y), default=[]))


def _years_or_all(row: list[ChartLabel]) -> list[ChartLabel]:
    """The numbers of a row, if it is mostly of them; else all of it."""
    numeric = [label for label in row if label.quantity is not None]
    return numeric if len(numeric) >= 0.7 * len(row) else row


def find_strokes(chart: Chart, plot: Plot) -> list[Stroke]:
    """The lines of a plot: of the colours that a legend names, which may be grey, or of any that are not grey; else a black one.

    A line that runs level at the lowest tick most of the way is an axis: these may be drawn in colour too.
    """
    followed = list(filter(None, (_follow(ink, plot) for ink in _line_inks(chart, plot))))
    clear = [stroke for stroke in followed if stroke.clear]
    if len(clear) < len(followed):
        return clear if len(chart.legend) > 1 else []
    strokes = [one for one in followed if (np.abs(one.heights - plot.axis.floor) <= _AXIS_PX).mean() <= 0.6]
    return strokes or list(filter(None, [_skyline(chart.palette, plot)])) or followed


def _line_inks(chart: Chart, plot: Plot) -> list[ColourInk]:
    """The inks of a plot with names blanked out, for these may be printed in the colour of their line; else the black one."""
    inside = slice(plot.top, plot.bottom), slice(plot.left, plot.right)
    named = [entry.colour for entry in chart.legend] if len(chart.legend) >= 2 else ()
    inks = find_inks(chart.picture[inside], chart.palette, chart.palette.index[inside], named)
    printed = [*filter(is_wordy, chart.labels), *(entry.label for entry in chart.legend)]
    names = [label.page.shift(-plot.left, -plot.top).slices() for label in printed]
    for ink, name in itertools.product(inks, names):
        ink.mask[name] = 0
    return inks or _black_ink(chart, plot)


def _black_ink(chart: Chart, plot: Plot) -> list[ColourInk]:
    """What is drawn in the blackest colour of a plot, but for print and for lines that run straight along an axis."""
    inside = slice(plot.top, plot.bottom), slice(plot.left, plot.right)
    palette, index = chart.palette, chart.palette.index[inside]
    greys = [number for number in np.unique(index[index > 0]).tolist() if chroma(palette.colours[number]) <= _GREY]
    if not greys:
        return []
    paper = np.array(palette.colours[0], np.float32)
    blackest = max(greys, key=lambda number: float(np.linalg.norm(paper - palette.colours[number])))
    inks = find_inks(chart.picture[inside], palette, index, [blackest])
    for ink in inks:
        for label in chart.labels:
            ink.mask[label.page.shift(-plot.left, -plot.top).slices()] = 0
        for along in ((1, len(ink.mask[0]) // 3), (len(ink.mask) // 3, 1)):
            straight = cv2.morphologyEx(ink.mask, cv2.MORPH_OPEN, np.ones(along, np.uint8))
            ink.mask[cv2.dilate(straight, np.ones((3, 3), np.uint8)) > 0] = 0
    return inks


def _follow(ink: ColourInk, plot: Plot) -> Stroke | None:
    """The line that an ink is; none where it is short, an area, or not over the ticks."""
    kept = _spanning_pieces(ink.mask)
    if kept is None or _is_grid_or_area(kept):
        return None
    columns = np.flatnonzero(kept.any(axis=0))
    middles = [float(max(runs_apart(np.flatnonzero(kept[:, x]), 2), key=len).mean()) for x in columns]
    heights = np.array(middles) + plot.top
    if float(heights.max()) < plot.axis.top - 0.3 * plot.axis.step_px:
        return None  # wholly above the ticks, as the frame of a banner over the chart is
    points = _markers(without_holes(ink.core & kept.view(np.uint8)))
    steps = None if points else step_points(kept)
    if steps is not None:
        points = steps.tolist()
    markers = tuple((x + plot.left, y + plot.top) for x, y in points)
    clear = bool(markers) or (steps is None and not are_several(kept))
    return Stroke(colour=ink.colour, columns=columns + plot.left, heights=heights, markers=markers, clear=clear)


def _is_grid_or_area(ink: NDArray[np.bool_]) -> bool:
    """Whether an ink is hardly more than several straight lines across the plot, or high in most columns.

    The latter not because it is a line that is steep all along.
    """
    straight = [ink.mean(axis=axis) >= _ACROSS for axis in (1, 0)]
    lines = sum(len(runs_apart(np.flatnonzero(one), 2)) for one in straight if one.any())
    high = ink.sum(axis=0)
    if lines >= _LEAST_LINES and (ink & (straight[0][:, None] | straight[1])).sum() >= _OF_GRID * high.sum():
        return True
    if np.quantile(high[high > 0], 0.25) <= _THICKEST_PX:
        return False
    inner = cv2.erode(ink.view(np.uint8), np.ones((round(_THICKEST_PX), round(_THICKEST_PX)), np.uint8))
    return float(inner.sum()) > 0.02 * float(high.sum())


def _spanning_pieces(mask: NDArray[np.uint8]) -> NDArray[np.bool_] | None:
    """An ink without short pieces, by the smallest gap at which the rest spans the plot; None where it never does.

    Pieces that are no farther apart than a gap are one.
    """
    for gap in _GAPS_PX if mask.size else ():
        joined = cv2.dilate(mask, np.ones((gap, gap), np.uint8))
        _, numbers, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
        wide = stats[:, cv2.CC_STAT_WIDTH] >= 11 + gap
        kept: NDArray[np.bool_] = wide[numbers] & (mask > 0)
        if float(kept.any(axis=0).mean()) >= _LEAST_SPAN:
            return kept
    return None


def are_several(ink: NDArray[np.bool_]) -> bool:
    """Whether an ink is that of several lines, told apart by their dashes alone: many columns have it far apart."""
    rows = np.arange(len(ink))[:, None]
    top, foot = np.where(ink, rows, len(ink)).min(axis=0), np.where(ink, rows, -1).max(axis=0)
    loose = foot - top + 1 - ink.sum(axis=0) > _LOOSE_PX
    return float(loose[ink.any(axis=0)].mean()) > _SEVERAL


def _skyline(palette: Palette, plot: Plot) -> Stroke | None:
    """The upper edge of an area, if there is just one, that is filled without a gap down to the foot of the plot.

    Grid lines may cross it, or show above it; areas on areas are not read.
    """
    index = palette.index[plot.top : plot.bottom, plot.left : plot.right]
    marks = [number for number, colour in enumerate(palette.colours) if number and not is_pale(colour)]
    large = [number for number in marks if (index == number).mean() >= _LEAST_AREA]
    filled = [number for number in large if not is_panel(palette, number)]
    if len(filled) != 1:
        return None
    mask = (index == filled[0]).astype(np.uint8)
    from_foot = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 1), np.uint8))[::-1] > 0
    start = from_foot.argmax(axis=0)
    rows = np.arange(len(from_foot))[:, None]
    end = ((~from_foot & (rows >= start)) | (rows == len(from_foot) - 1)).argmax(axis=0)
    columns = np.flatnonzero(from_foot.any(axis=0) & (start < _FOOT_PX) & (end - start >= 4))
    longest = max(runs_apart(columns, 4), key=len)
    if len(longest) < max(_LEAST_SPAN * mask.shape[1], 0.9 * len(columns)):
        return None
    heights = (len(from_foot) - end[longest]).astype(np.float64) + plot.top
    return Stroke(colour=filled[0], columns=longest + plot.left, heights=heights)


def without_holes(mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The mask with the insides of hollow markers filled."""
    outlines, levels = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    outer = levels[0][:, 3].tolist() if levels is not None else []
    holes = [line for line, parent in zip(outlines, outer, strict=True) if parent >= 0]
    small = [line for line in holes if max(cv2.boundingRect(line)[2:]) <= _WIDEST_HOLE_PX]
    return np.asarray(cv2.drawContours(mask.copy(), small, -1, 1, cv2.FILLED), np.uint8) if small else mask


def _markers(ink: NDArray[np.uint8]) -> list[tuple[float, float]]:
    """The centres of round markers: what is left of the line when its thickness is eaten away."""
    core = cv2.erode(ink, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5)))
    _, _, stats, centres = cv2.connectedComponentsWithStats(core, connectivity=8)
    small = [n for n in range(1, len(stats)) if max(stats[n, 2], stats[n, 3]) <= 9]
    return sorted((float(centres[n][0]), float(centres[n][1])) for n in small)


_SAME_INK = 90.0
_LONGEST_NAME = 40  # signs; longer texts are sentences
OWN_INK = 60.0  # text this near to the line's colour may name it from anywhere along it


def names_of_strokes(chart: Chart, plot: Plot, strokes: Sequence[Stroke]) -> dict[int, str]:
    """The names of strokes by colour: from the legend, from text at the lines, or for a single line from a title."""
    told = chart.names or _names_at_strokes(chart, plot, strokes)
    if told or len(strokes) > 1:
        return told
    return {strokes[0].colour: value_title(chart.labels, plot.axis.ticks, lying=False)}


def _names_at_strokes(chart: Chart, plot: Plot, strokes: Sequence[Stroke]) -> dict[int, str]:
    """The name of each stroke by its colour: the text that ends it, of its own colour where text is coloured."""
    texts = [(text, text_ink(chart.picture, text)) for text in _names_in(plot, chart.labels)]
    lines = [(stroke, stroke_ink(chart.picture, stroke)) for stroke in strokes]
    costs = [
        (_naming_cost(stroke, text, float(np.linalg.norm(tint - ink))), i, j)
        for (i, (stroke, ink)), (j, (text, tint)) in itertools.product(enumerate(lines), enumerate(texts))
    ]
    names: dict[int, str] = {}
    taken: set[int] = set()
    for cost, i, j in sorted(costs):
        if cost < math.inf and strokes[i].colour not in names and j not in taken:
            taken.add(j)
            names[strokes[i].colour] = texts[j][0].text
    return names


def _names_in(plot: Plot, labels: Sequence[ChartLabel]) -> list[ChartLabel]:
    """The texts that may name lines of a plot; what is printed twice stands at points."""
    counts = Counter(one.text.casefold() for one in labels)
    wordy = (one for one in labels if one.lie == "level" and len(one.text) <= _LONGEST_NAME and is_wordy(one))
    return [
        one
        for one in wordy
        if plot.top - 10 <= one.y <= plot.bottom and one.box.x0 > plot.left and counts[one.text.casefold()] == 1
    ]


def _naming_cost(stroke: Stroke, text: ChartLabel, tint: float) -> float:
    """How unlike it is that a text of a somewhat other colour names a stroke; infinite if it cannot.

    It stands far from the end of the stroke, whose very last column may be spoilt by what touches the line; or, in the
    stroke's own colour, far above or below any part of it.
    """
    x = float(stroke.columns[-1])
    ends = float(stroke.heights[-1]), float(np.median(stroke.heights[-8:]))
    away = max(0.0, text.box.x0 - x, x - text.box.x1) + min(abs(text.y - end) for end in ends)
    passing = (stroke.columns >= text.box.x0) & (stroke.columns <= text.box.x1)
    if tint <= OWN_INK and passing.any():
        away = min(away, float(np.abs(stroke.heights[passing] - text.y).min()))
    return away + 0.3 * tint if away <= 60 and (tint <= _SAME_INK or away <= 30) else math.inf


def stroke_ink(picture: Pixels, stroke: Stroke) -> NDArray[np.float64]:
    """The usual colour along a stroke."""
    rows = np.clip(np.round(stroke.heights).astype(int), 0, picture.shape[0] - 1)
    ink: NDArray[np.float64] = np.median(picture[rows, stroke.columns], axis=0)
    return ink


def text_ink(picture: Pixels, label: ChartLabel) -> NDArray[np.float64]:
    """The colour of a label's letters: its pixels farthest from their surroundings."""
    x0, y0, x1, y1 = (max(0, int(v)) for v in label.page)
    crop = picture[y0 : y1 + 1, x0 : x1 + 1].reshape(-1, 3).astype(np.float64)
    paper = np.median(crop, axis=0)
    far = np.linalg.norm(crop - paper, axis=1)
    ink: NDArray[np.float64] = crop[far >= np.quantile(far, 0.95)].mean(axis=0)
    return ink
