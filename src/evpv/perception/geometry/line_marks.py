"""Marks across a line: ticks (equal segments) and filled arrowheads (parallel lines).

The surroundings of a segment are laid flat, the line along the middle row, and the line itself is taken out; what then
stands on both sides of it near its middle is a mark.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Box
from evpv.perception.geometry.figure import Figure, Segment, align_segment
from evpv.perception.geometry.ink import Ink

_REACH_PX = 26  # rows on each side of the line that are looked at
_MIN_TICK_PX = 3
_MAX_TICK_PX = 21


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedSegment:
    """A segment with `count` ticks or arrowheads on it."""

    segment: Segment
    count: int
    box: Box


@dataclass(frozen=True, slots=True, kw_only=True)
class _Blob:
    """A piece of ink on one side of the line: where along the line, how wide, how high, how many pixels."""

    along: float
    width: int
    height: int
    area: int
    foot: int  # rows between the line and the blob


def _strip(mask: NDArray[np.uint8], segment: Segment) -> NDArray[np.uint8]:
    """The surroundings of a segment: a row per pixel across, a column per pixel along."""
    length = segment.length
    along = ((segment.b.x - segment.a.x) / length, (segment.b.y - segment.a.y) / length)
    start = (segment.a.x + _REACH_PX * along[1], segment.a.y - _REACH_PX * along[0])
    matrix = np.array([[along[0], -along[1], start[0]], [along[1], along[0], start[1]]])
    size = (max(int(length), 1), 2 * _REACH_PX + 1)
    flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(mask, matrix, size, flags=flags), dtype=np.uint8)


def _line_rows(strip: NDArray[np.uint8]) -> tuple[int, int] | None:
    """The rows that the line itself fills, near the middle of the strip."""
    filled = strip.mean(axis=1) > 0.55
    near = [row for row in range(_REACH_PX - 5, _REACH_PX + 6) if filled[row]]
    return (min(near), max(near)) if near else None


def _blobs(side: NDArray[np.uint8]) -> list[_Blob]:
    """The pieces on one side, whose first row touches the line."""
    count, _, stats, centres = cv2.connectedComponentsWithStats(side, connectivity=8)
    return [
        _Blob(along=float(centre[0]), width=width, height=height, area=area, foot=top)
        for (_, top, width, height, area), centre in zip(stats[1:count].tolist(), centres[1:count], strict=True)
        if top <= 2 and height >= 2
    ]


def _is_tick_half(blob: _Blob) -> bool:
    wing = blob.width >= 6 and blob.width >= 1.4 * blob.height  # of an open arrowhead, which leans back along the line
    slender = blob.area <= 4.5 * blob.height and blob.width <= max(5, blob.height + 2) and not wing
    return slender and _MIN_TICK_PX <= blob.height <= _MAX_TICK_PX


def _is_arrow_half(blob: _Blob) -> bool:
    """Half of a filled triangle, about half of its box filled, or one slanted wing of an open arrowhead."""
    filled = blob.area / (blob.width * blob.height)
    return 2 <= blob.height <= 14 and 5 <= blob.width <= 34 and blob.width >= blob.height and 0.26 <= filled <= 0.85


def _pairs(above: Sequence[_Blob], below: Sequence[_Blob], slack: float) -> list[float]:
    """Places where the mark shows on both sides of the line."""
    return [
        (upper.along + lower.along) / 2
        for upper in above
        for lower in below
        if abs(upper.along - lower.along) <= slack and 0.4 <= upper.height / lower.height <= 2.5
    ]


def _sides(ink: Ink, segment: Segment) -> tuple[list[_Blob], list[_Blob]] | None:
    strip = _strip(ink.lines, align_segment(ink.lines, segment))
    rows = _line_rows(strip)
    if rows is None or strip.shape[1] < 16:
        return None
    first, last = rows
    return _blobs(np.ascontiguousarray(strip[: max(first - 1, 1)][::-1])), _blobs(
        np.ascontiguousarray(strip[last + 2 :])
    )


def _box_around(segment: Segment, places: Sequence[float]) -> Box:
    share = sum(places) / len(places) / segment.length
    x = segment.a.x + share * (segment.b.x - segment.a.x)
    y = segment.a.y + share * (segment.b.y - segment.a.y)
    return Box(x, y, x, y).grown(12)


def _ticks(ink: Ink, segment: Segment) -> MarkedSegment | None:
    sides = _sides(ink, segment)
    if sides is None:
        return None
    above, below = ([blob for blob in side if _is_tick_half(blob)] for side in sides)
    window = max(0.2 * segment.length, 14.0)
    places = [place for place in _pairs(above, below, 8.0) if abs(place - segment.length / 2) <= window]
    places = sorted(places)
    if not 1 <= len(places) <= 3 or (len(places) > 1 and places[-1] - places[0] > 30):
        return None
    return MarkedSegment(segment=segment, count=len(places), box=_box_around(segment, places))


def ticked_segments(ink: Ink, figure: Figure) -> list[MarkedSegment]:
    """The segments, of those with no named point inside, that carry ticks at their middle."""
    found = (_ticks(ink, segment) for segment in figure.segments if not segment.inner)
    return [mark for mark in found if mark is not None]


def _arrow_places(ink: Ink, segment: Segment) -> list[float]:
    sides = _sides(ink, segment)
    if sides is None:
        return []
    above, below = ([blob for blob in side if _is_arrow_half(blob)] for side in sides)
    return [place for place in _pairs(above, below, 5.0) if 0.12 * segment.length < place < 0.88 * segment.length]


def _arrows(ink: Ink, segment: Segment) -> MarkedSegment | None:
    places = _arrow_places(ink, segment)
    if not 1 <= len(places) <= 3:
        return None
    return MarkedSegment(segment=segment, count=len(places), box=_box_around(segment, places))


def arrowed_segments(ink: Ink, figure: Figure) -> list[MarkedSegment]:
    """The lines, from end to end, that carry arrowheads."""
    found = (_arrows(ink, segment) for segment in figure.lines)
    return [mark for mark in found if mark is not None]


def _are_parallel(one: Segment, other: Segment) -> bool:
    """Whether two segments run in nearly the same direction."""
    cross = (one.b.x - one.a.x) * (other.b.y - other.a.y) - (one.b.y - one.a.y) * (other.b.x - other.a.x)
    return abs(cross) <= math.sin(math.radians(6)) * one.length * other.length


def same_count(marks: Sequence[MarkedSegment]) -> list[tuple[MarkedSegment, MarkedSegment]]:
    """Pairs of segments that carry as many marks."""
    ordered = sorted(marks, key=lambda mark: (mark.count, mark.segment.name))
    return [(one, other) for one, other in combinations(ordered, 2) if one.count == other.count]


def parallel_pairs(marks: Sequence[MarkedSegment]) -> list[tuple[MarkedSegment, MarkedSegment]]:
    """Pairs of segments that carry as many arrowheads and do run in the same direction."""
    return [
        (one, other)
        for one, other in combinations(marks, 2)
        if one.count == other.count and _are_parallel(one.segment, other.segment)
    ]
