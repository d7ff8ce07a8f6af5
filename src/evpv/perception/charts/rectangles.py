"""Flat rectangles of one colour: the bars of a chart, told from letters, lines and logos by their company."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import median_low

import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Box, Pixels
from evpv.perception.charts.labels import ChartLabel, is_wordy
from evpv.perception.charts.palette import ColourPart

_BLURRED_PX, _BLURRED = 3, 0.15  # of the width of a bar that its blurred sides may take
_LEAST_SHAPE = 100  # pixels
_BEYOND_PX, _OTHER = 10, 28.0  # where it is beyond a line along a bar's end, and how far other colours are
_CUT_PX, _THICKEST_PX = 6, 8  # how thick a line over a bar is, and one along its end, at most
_HOLLOW, _SLANTED = 0.4, 0.95  # of its box that a frame fills at most, and a piece with a slanting end


def find_rectangles(parts: Sequence[ColourPart], page: tuple[int, ...]) -> list[ColourPart]:
    """All parts of one colour that fill most of their box; a value printed on a bar may cover some of it.

    What crosses the whole picture is a panel or a band, not a bar.
    """
    within = [part for part in parts if part.width < 0.9 * page[1] and part.height < 0.9 * page[0]]
    found = []
    for part in _cut_parts_joined(within):
        if min(part.width, part.height) < 4:
            bar_like = max(part.width, part.height) >= 8 and _fill(part) >= 0.8
        else:
            bar_like = part.area >= 40 and _fill(part) >= 0.55
        found += [part] if bar_like else []
    return found


def _cut_parts_joined(parts: Sequence[ColourPart]) -> list[ColourPart]:
    """The parts, with those made one that a slanting line over a bar cut apart: one is as wide as the other, or its corner."""
    joined: list[ColourPart] = []
    shapes: list[
        int
    ] = []  # where those of this colour are that another may go on; fringes of a photograph are thousands
    for part in sorted(parts, key=lambda one: (one.colour, -one.width)):
        if shapes and joined[shapes[-1]].colour != part.colour:
            shapes = []
        is_shape = part.area >= _LEAST_SHAPE / 4 and _fill(part) > _HOLLOW
        home = next((n for n in shapes if _is_cut_off(part, joined[n])), None) if is_shape else None
        if home is None:
            shapes += [len(joined)] if is_shape else []
            joined.append(part)
        else:
            one = joined[home]
            joined[home] = replace(one, y0=min(one.y0, part.y0), y1=max(one.y1, part.y1), area=one.area + part.area)
    return joined


def _is_cut_off(piece: ColourPart, bar: ColourPart) -> bool:
    """Whether a piece goes on over or under a bar, within its sides, and the cut between them slants."""
    within = bar.x0 - 2 <= piece.x0 and piece.x1 <= bar.x1 + 2
    near = max(piece.y0, bar.y0) - min(piece.y1, bar.y1) <= _CUT_PX
    return within and near and _HOLLOW < min(_fill(piece), _fill(bar)) < _SLANTED


def _fill(part: ColourPart) -> float:
    return part.area / (part.width * part.height)


def without_plates(rectangles: Sequence[ColourPart], labels: Sequence[ChartLabel]) -> list[ColourPart]:
    """The rectangles that are neither plates behind a name, which the name nearly fills, nor letters of one."""
    names = [label.page for label in labels if is_wordy(label)]
    return [one for one in rectangles if not any(_is_plate_or_letter(one, name) for name in names)]


def _is_plate_or_letter(part: ColourPart, name: Box) -> bool:
    both = name.overlap((part.x0, part.y0, part.x1, part.y1))
    if both.width > 0.6 * part.width and both.height > 0.6 * part.height and name.width < 1.3 * part.width:
        return True
    inside = name.holds(part.x0, part.y0) and name.holds(part.x1, part.y1)
    return inside and part.width < 0.25 * name.width


def bars_among(rectangles: Sequence[ColourPart]) -> tuple[list[ColourPart], bool]:
    """The rectangles that form a bar chart, and whether they lie on the page (then they come turned, so that they stand).

    Bars have one thickness in common and start at a line that others start at too, or where another ends. They cover
    most, or else have the fewest starts.
    """
    standing, lying = _alike(rectangles), _alike([r.quarter_turn() for r in rectangles])
    ranks = [(-area_of(bars), len({round(bar.y1 / 3) for bar in bars})) for bars in (standing, lying)]
    return (standing, False) if ranks[0] <= ranks[1] else (lying, True)


def are_cells(bars: Sequence[ColourPart], parts: Sequence[ColourPart]) -> bool:
    """Whether bars are what a grid cuts out of an area: over most of the highest ones it goes on in other shapes."""
    shapes = [part for part in parts if part.area >= _LEAST_SHAPE]
    tops = [bar for bar in bars if not any(_goes_on(bar, other) for other in bars)]
    return len(tops) >= 3 and sum(any(_goes_on(top, shape) for shape in shapes) for top in tops) >= len(tops) / 2


def _goes_on(bar: ColourPart, over: ColourPart) -> bool:
    """Whether a part of a bar's colour stands right over it, a line's thickness apart."""
    common = min(bar.x1, over.x1) - max(bar.x0, over.x0)
    return over.colour == bar.colour and 0 <= bar.y0 - over.y1 <= 2 and common > 0.3 * bar.width


def area_of(bars: Sequence[ColourPart]) -> int:
    """How many pixels rectangles cover together."""
    return sum(bar.width * bar.height for bar in bars)


def _alike(rectangles: Sequence[ColourPart]) -> list[ColourPart]:
    """Of standing rectangles, the set of equal width that covers most whose members share a start."""
    thick = [r for r in rectangles if min(r.width, r.height) >= 4]
    best: list[ColourPart] = []
    for width in sorted({r.width for r in thick}):
        best = max(best, _join_alike([r for r in thick if abs(r.width - width) <= _slack(width)]), key=area_of)
    return best + _late_comers(rectangles, best)


def _slack(width: int) -> float:
    return max(1.0, 0.04 * width)


def _late_comers(rectangles: Sequence[ColourPart], bars: Sequence[ColourPart]) -> list[ColourPart]:
    """Bars of nearly no length, or blurred to a little less width: nearly as wide as the others, of one of their colours, at one of their edges."""
    if not bars:
        return []
    edges, colours, known = np.array([(bar.y0, bar.y1) for bar in bars]), {bar.colour for bar in bars}, set(bars)
    others = (one for one in rectangles if one.colour in colours and one not in known)
    return [one for one in others if _is_late_comer(one, bars, edges)]


def _is_late_comer(one: ColourPart, bars: Sequence[ColourPart], edges: NDArray[np.int64]) -> bool:
    """What touches a bar of its own colour is none but rather its end, which blurring cut off."""
    width = bars[0].width
    slack = _slack(width) if one.height < 4 else max(_BLURRED_PX, _BLURRED * width)
    if abs(one.width - width) > slack or min(np.abs(edges - one.y0).min(), np.abs(edges - one.y1).min()) > 1:
        return False
    own = (bar for bar in bars if bar.colour == one.colour and abs(bar.x - one.x) <= 2)
    return all(min(abs(one.y0 - bar.y1), abs(one.y1 - bar.y0)) > 2 for bar in own)


def _join_alike(alike: Sequence[ColourPart]) -> list[ColourPart]:
    """Those of several rectangles that start or end where another does."""
    if len(alike) < 2:
        return []
    edges = np.array([[r.y0, r.y1] for r in alike])
    near = np.abs(edges[:, :, None, None] - edges[None, None, :, :]) <= 3
    meets = near.any(axis=(1, 3))
    np.fill_diagonal(meets, False)
    return [one for one, joined in zip(alike, meets.any(axis=1), strict=True) if joined]


def through_lines(picture: Pixels, bars: Sequence[ColourPart], *, lying: bool) -> list[ColourPart]:
    """The bars, each up to the middle of the lines along its ends: an outline, a grid drawn over it, or the axis.

    Ends at one line move alike, for a name or a tick may stand right under one of them.
    """
    framed = np.rot90(picture) if lying else picture
    drop = framed.shape[0] if lying else 0
    tops = _moved_alike([bar.y0 for bar in bars], [_line_px(framed, bar, bar.y0 + drop, -1) for bar in bars])
    feet = _moved_alike([bar.y1 for bar in bars], [_line_px(framed, bar, bar.y1 - 1 + drop, 1) for bar in bars])
    return [replace(bar, y0=bar.y0 - top, y1=bar.y1 + foot) for bar, top, foot in zip(bars, tops, feet, strict=True)]


def _moved_alike(ends: Sequence[int], lines_px: Sequence[int]) -> list[int]:
    """How far each end moves to the middle of its line, as most do whose ends are at the same place."""
    return [
        round(median_low(px for other, px in zip(ends, lines_px, strict=True) if abs(other - end) <= 1) / 2)
        for end in ends
    ]


def _line_px(framed: Pixels, bar: ColourPart, end: int, way: int) -> int:
    """How thick the line is that runs along an end of a bar: rows that are neither like the bar nor like what is beyond."""
    inner = slice(bar.x0 + bar.width // 5, bar.x1 - bar.width // 5)
    rows = [end + way * step for step in (-2, *range(1, _BEYOND_PX + 1))]
    if min(rows) < 0 or max(rows) >= len(framed) or inner.stop <= inner.start:
        return 0
    colours = np.median(framed[rows, inner].astype(np.float32), axis=1)
    own, beyond = colours[0], np.median(colours[-3:], axis=0)
    strange = np.minimum(*(np.abs(colours[1:] - one).max(axis=1) for one in (own, beyond))) > _OTHER
    return int(strange.argmin()) if not strange[:_THICKEST_PX].all() else 0
