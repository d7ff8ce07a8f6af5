"""Which point each printed capital letter names, and which points of an overlay mean nothing.

With an overlay most points are known and the print confirms or corrects their names; without one, every name is looked
for at the nearest corner, crossing or end of a line. An overlay also marks bends where nothing meets (an arrowhead, a
corner of a right-angle square): such a point cuts a line in two that nobody speaks of as two.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Box
from evpv.perception.geometry.drawing import circles_through
from evpv.perception.geometry.figure import Line, LineFigure, crossing, fitted_line
from evpv.perception.geometry.ink import Ink, pixels_at
from evpv.perception.geometry.labels import FigureLabel
from evpv.perception.geometry.overlay import NamedPoint

_SURE, _SURE_OF_SPOILT = 0.9, 0.97
_REACH = 1.8  # letter heights from the middle of a letter to the point it names
_GAP = 1.3  # letter heights from the rim of a letter to the corner it names
_FAR_GAP = 2.6  # and where nothing else can be meant
_CORNER_SHARE = 0.04  # of the strongest corner's response
_LEAST_DOT_PX = 2.8  # how deep a dot's middle lies in its ink, at least,
_DOT_TO_LINE = 2.0  # and against the middle of lines
_DOT_REACH_PX = 9.0
_ON_LINE = 0.8  # letter heights that a place on a plain line counts as farther off
_RAY_DRAWN = 0.85
_OFF_INK_PX = 5  # from a point to the nearest line, at most


def _distance(label: FigureLabel, x: float, y: float) -> float:
    centre_x, centre_y = label.centre
    return math.hypot(x - centre_x, y - centre_y) / label.glyph_height


def _gap(label: FigureLabel, x: float, y: float) -> float:
    x0, y0, x1, y1 = label.box
    return math.hypot(max(x0 - x, 0, x - x1), max(y0 - y, 0, y - y1)) / label.glyph_height


def _corners_of(ink: Ink) -> NDArray[np.float64]:
    """Dots, then corners, crossings and line ends of the drawing, strongest first: rows of x, y."""
    drawing = cv2.GaussianBlur(ink.lines.astype(np.float32), (0, 0), 1.2)
    response = cv2.cornerHarris(drawing, 5, 3, 0.05)
    is_peak = (response == cv2.dilate(response, np.ones((9, 9), dtype=np.uint8))) & (response > 0)
    rows, columns = np.nonzero(is_peak & (response > _CORNER_SHARE * float(response.max())))
    order = np.argsort(-response[rows, columns], kind="stable")
    return np.concatenate([_dots_of(ink), np.stack([columns[order], rows[order]], axis=1).astype(np.float64)])


def _with_printed_names(points: Sequence[NamedPoint], labels: Sequence[FigureLabel], sure: float) -> list[NamedPoint]:
    """The points with the names that the figure itself prints beside them; the print is right where the two differ."""
    printed, known = {label.text: label for label in labels}, {point.name for point in points}
    free = [label for label in labels if label.text not in known and label.confidence >= sure]
    named = []
    for point in points:
        nearest = min(free, key=lambda label: _distance(label, point.x, point.y), default=None)
        if point.name in printed:
            is_near = _distance(printed[point.name], point.x, point.y) <= 2 * _REACH
            named.append(replace(point, printed=is_near))
        elif nearest is not None and _distance(nearest, point.x, point.y) <= _REACH:
            free.remove(nearest)
            named.append(replace(point, name=nearest.text, printed=True, confidence=nearest.confidence))
        else:
            named.append(point)
    return named


def name_points(
    points: Sequence[NamedPoint], labels: Sequence[FigureLabel], ink: Ink, *, spoilt: bool = False
) -> list[NamedPoint]:
    """All named points: those of the overlay, corrected by the print, and those that only the print names.

    In a spoilt picture print is misread as easily as an overlay, and must be surer to add to it or to correct it.
    """
    surest = _surest_names(labels)
    unique = sorted(surest.values(), key=lambda label: label.text)
    placed = [point for point in points if not _is_misplaced(point, surest.get(point.name), ink)]
    named = _with_printed_names(placed, unique, _SURE_OF_SPOILT if spoilt else _SURE)
    least, known = _SURE if spoilt and points else 0.5, {point.name for point in named}
    free = [label for label in unique if label.text not in known and label.confidence >= least]
    return sorted([*named, *_at_corners(free, named, ink)], key=lambda point: point.name)


def _is_misplaced(point: NamedPoint, own: FigureLabel | None, ink: Ink) -> bool:
    """Whether nothing is drawn at a point, and the figure prints its name elsewhere: an overlay of another size."""
    if own is None or own.confidence < _SURE or _distance(own, point.x, point.y) <= _REACH:
        return False
    around = Box(point.x, point.y, point.x, point.y).with_margin(_OFF_INK_PX)
    return not ink.lines[around.within(ink.lines.shape[1], ink.lines.shape[0]).slices()].any()


def _is_on_line(ink: Ink, x: float, y: float) -> bool:
    """Whether a place is on one straight line and no other: where an arc or a tick meets a side, which has no name."""
    reach = np.arange(5.0, 40.0)  # farther than an arc runs nearly straight
    turns = np.radians(np.arange(0.0, 360.0, 4.0))[:, None]
    rays = pixels_at(ink.near_lines, x + np.cos(turns) * reach, y + np.sin(turns) * reach)
    drawn = np.flatnonzero(rays.mean(axis=1) >= _RAY_DRAWN) * 4
    if not len(drawn):
        return False
    along = np.abs((drawn - drawn[0] + 90) % 180 - 90) <= 14
    opposite = np.abs((drawn - drawn[0]) % 360 - 180) <= 14
    return bool(along.all() and opposite.any())


def _at_corners(labels: Sequence[FigureLabel], points: Sequence[NamedPoint], ink: Ink) -> list[NamedPoint]:
    """A point for each label at the nearest corner that has no name yet; a place on a line is less of a corner."""
    near = []
    for x, y in _corners_of(ink).tolist() if labels else ():
        gaps = _gaps_at(x, y, labels, is_alone=not points)
        on_line = bool(gaps) and _is_on_line(ink, x, y)
        near += [(gap + _ON_LINE * on_line, row, x, y) for row, gap in gaps.items() if gap <= _GAP or not on_line]
    found: dict[int, NamedPoint] = {}
    for _, row, x, y in sorted(near):
        point = NamedPoint(name=labels[row].text, x=x, y=y, confidence=labels[row].confidence, printed=True)
        nearest = min(map(point.distance, (*points, *found.values())), default=math.inf)
        if row not in found and nearest >= 8:
            found[row] = point
    return list(found.values())


def _gaps_at(x: float, y: float, labels: Sequence[FigureLabel], *, is_alone: bool) -> dict[int, float]:
    """How far the labels stand that may name a corner, by their numbers.

    Where the figure has no names but its own (`is_alone`), a letter may stand far off, if no other one is nearer to that
    corner. A letter that touches a line has corners of its own.
    """
    gaps = [_gap(label, x, y) for label in labels]
    farthest = min(max(min(gaps), _GAP), _FAR_GAP) if is_alone else _GAP
    own = [one.box.x0 + 1 < x < one.box.x1 - 1 and one.box.y0 + 1 < y < one.box.y1 - 1 for one in labels]
    return {row: gap for row, gap in enumerate(gaps) if gap <= farthest and not own[row]}


def _surest_names(labels: Sequence[FigureLabel]) -> dict[str, FigureLabel]:
    names = [label for label in labels if label.kind == "name"]
    return {label.text: label for label in sorted(names, key=lambda label: label.confidence)}


_OFF_CENTRE = 0.15  # of a circle's radius from where a letter's point was found to the centre that it names


def with_centres(points: Sequence[NamedPoint], labels: Sequence[FigureLabel], ink: Ink) -> list[NamedPoint]:
    """The points with the letter beside the centre of the circle through three of them put there: nothing may be drawn at a centre,
    and a dot's corners are at its rim."""
    found = {point.name: point for point in points}
    names = _surest_names(labels).values()
    for circle in circles_through(points, ink):
        name = min(names, key=lambda label: _gap(label, circle.x, circle.y), default=None)
        if name is None or _gap(name, circle.x, circle.y) > _GAP:
            continue
        known = found.get(name.text)
        if known is None or circle.off_centre(known) <= _OFF_CENTRE * circle.radius:
            place = NamedPoint(name=name.text, x=circle.x, y=circle.y, confidence=name.confidence, printed=True)
            found[place.name] = place
    return sorted(found.values(), key=lambda point: point.name)


_FEW = 8  # points
_LINE_PX = 3.5  # to each side of its middle: the line itself
_START_PX = 12.0  # from a point to where a line that leaves it at a sharp angle is clear of the one it is on
_REACH_SHARE = 0.06  # of the picture's diagonal; marks are smaller than that
_REACH_PX = (24, 48)
_REACHED = 0.9
_NEARER_PX = 2.0  # by which another point must be nearer to a line for it to leave from there


def without_idle_points(figure: LineFigure, ink: Ink) -> LineFigure:
    """The figure but for points inside a line which the figure does not print and from which no other line leaves."""
    if len(figure.points) < _FEW:
        return figure
    kept = [point for point in figure.points if point.printed or not _is_idle(point, figure, ink)]
    if len(kept) == len(figure.points):
        return figure
    segments = [
        replace(segment, inner=tuple(point for point in segment.inner if point in kept))
        for segment in figure.segments
        if {segment.a, segment.b}.issubset(kept)
    ]
    return LineFigure(points=tuple(kept), segments=tuple(segments))


def _is_idle(point: NamedPoint, figure: LineFigure, ink: Ink) -> bool:
    """Whether a point is inside a line and no ink leads away from it that is not on that line."""
    through = [segment for segment in figure.segments if point in segment.inner]
    if not through:
        return False
    dx, dy = max(through, key=lambda segment: segment.length).along
    reach = int(np.clip(_REACH_SHARE * math.hypot(*ink.lines.shape), *_REACH_PX))
    column, row = round(point.x), round(point.y)
    around = np.pad(ink.lines, reach)[row : row + 2 * reach + 1, column : column + 2 * reach + 1]
    down, right = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    if around.shape != down.shape:
        return True
    off_line = (np.abs(down * dx - right * dy) > _LINE_PX) & (np.hypot(right, down) <= reach)
    count, labelled = cv2.connectedComponents(np.asarray(around * off_line, dtype=np.uint8), connectivity=8)
    others = [(other.x - point.x, other.y - point.y) for other in figure.points if 0 < point.distance(other) <= reach]
    branches = (labelled == index for index in range(1, count))
    return not any(_leads_away(right[branch], down[branch], reach, others) for branch in branches)


def _leads_away(
    right: NDArray[np.int64], down: NDArray[np.int64], reach: int, others: Sequence[tuple[float, float]]
) -> bool:
    """Whether ink runs far from a point and does not start nearer to other ones; all places are as seen from that point."""
    away = np.hypot(right, down)
    start, end = float(away.min()), float(away.max())
    gaps = (float(np.hypot(right - x, down - y).min()) for x, y in others)
    return start <= _START_PX and end >= _REACHED * reach and min(gaps, default=math.inf) >= start - _NEARER_PX


def _long_strokes(ink: Ink) -> NDArray[np.int32]:
    """The straight strokes of the drawing that are longer than print is: rows of x0, y0, x1, y1."""
    least = 1.5 * ink.max_glyph_px
    found = cv2.HoughLinesP(ink.lines, 1, math.pi / 360, 40, minLineLength=least, maxLineGap=4)
    return np.asarray(found if found is not None else [], np.int32).reshape(-1, 4)


_OFF_CROSSING_PX = 12.0  # from where a point was found to where its lines cross
_BAND_PX = 9  # how wide a line's ink may be
_ON_CROSSING_PX = 4.0  # a stroke's direction is not known more exactly
_APART_RAD = math.radians(25)  # between strokes that are two lines and not pieces of one


def _dots_of(ink: Ink) -> NDArray[np.float64]:
    """Where points are drawn as small discs, clearly thicker than the lines: rows of x, y."""
    depth = cv2.distanceTransform(ink.lines, cv2.DIST_L2, 5)
    usual = float(np.quantile(depth[depth > 0], 0.9)) if depth.any() else math.inf
    discs = np.asarray(depth >= max(_LEAST_DOT_PX, _DOT_TO_LINE * usual), np.uint8)
    count, _, stats, centres = cv2.connectedComponentsWithStats(discs, connectivity=8)
    size = stats[1:count, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]]
    return np.asarray(centres[1:count][(size <= _DOT_REACH_PX).all(axis=1)], np.float64)


def at_marks(points: Sequence[NamedPoint], ink: Ink) -> list[NamedPoint]:
    """The points in the middle of the dots beside them, or else where two strokes beside them cross: a corner's response is strongest
    at a dot's rim, a little inside a sharp angle, or where an arc touches."""
    dots, strokes = _dots_of(ink), _long_strokes(ink).astype(np.float64)
    placed = []
    for point in points:
        away = np.hypot(dots[:, 0] - point.x, dots[:, 1] - point.y)
        if len(dots) and away.min() <= _DOT_REACH_PX:
            x, y = dots[int(away.argmin())].tolist()
            placed.append(replace(point, x=x, y=y))
        else:
            placed.append(_at_crossing(ink, point, strokes))
    return placed


def _at_crossing(ink: Ink, point: NamedPoint, strokes: NDArray[np.float64]) -> NamedPoint:
    """The point where the two of the strokes near it cross that are longest and most upright on each other."""
    place, starts, ways = np.array([point.x, point.y]), strokes[:, :2], strokes[:, 2:] - strokes[:, :2]
    shares = np.clip(((place - starts) * ways).sum(axis=1) / np.maximum((ways**2).sum(axis=1), 1.0), 0, 1)
    near = np.flatnonzero(np.hypot(*(starts + shares[:, None] * ways - place).T) <= _OFF_CROSSING_PX)
    if len(near) < 2:
        return point
    lengths = np.hypot(*ways[near].T)
    crosses = np.abs(np.multiply.outer(ways[near, 0], ways[near, 1]) - np.multiply.outer(ways[near, 1], ways[near, 0]))
    first, second = np.unravel_index(int((crosses / np.maximum.outer(lengths, lengths)).argmax()), crosses.shape)
    if crosses[first, second] <= math.sin(_APART_RAD) * lengths[first] * lengths[second]:
        return point
    one, other = (_middle_line(ink, strokes[near[place]]) for place in (first, second))
    crossed = crossing(one, other, 1e-6)
    if crossed is None or not _ON_CROSSING_PX < math.dist(crossed, (point.x, point.y)) <= _OFF_CROSSING_PX:
        return point
    return replace(point, x=crossed[0], y=crossed[1])


def _middle_line(ink: Ink, stroke: NDArray[np.float64]) -> Line:
    """The line along the middle of the ink that a stroke was found in: of a thick line it may be an edge."""
    x0, y0, x1, y1 = np.rint(stroke).astype(int).tolist()
    band = np.zeros_like(ink.lines)
    cv2.line(band, (x0, y0), (x1, y1), 1, _BAND_PX)
    return fitted_line(np.asarray(cv2.findNonZero(band & ink.lines), np.int32))


def without_labels(ink: Ink, labels: Sequence[FigureLabel]) -> Ink:
    """The ink whose lines are without the print that touches them: corners of letters are no corners of the figure."""
    straight, printed = np.zeros_like(ink.lines), np.zeros_like(ink.lines)
    for x0, y0, x1, y1 in _long_strokes(ink).tolist():
        cv2.line(straight, (x0, y0), (x1, y1), 1, 3)
    for label in labels:
        printed[label.box.with_margin(2).slices()] = 1
    return replace(ink, lines=np.asarray(ink.lines & ~(printed & ~straight), dtype=np.uint8))
