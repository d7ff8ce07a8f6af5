"""Figures whose corners have no names, told by their outline: polygons, circles, sectors, polyhedra, solids of revolution.

What is written at them is said of a part by its kind and place: "triangle side", "circle radius", "cuboid height". An outline
is the rim of what lines close off from the page, so lines that stand apart or lead away do not disturb it; a dimension line
beside it stands for the side, or the whole extent, between whose ends it runs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TypeGuard

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Box
from evpv.perception.geometry.enclosures import LINE_PX, count_faces, enclosures, faces_of
from evpv.perception.geometry.figure import (
    Line,
    LineFigure,
    LineSegment,
    crossing,
    drawn_aside,
    fitted_line,
    is_drawn_between,
)
from evpv.perception.geometry.ink import Ink, Mask
from evpv.perception.geometry.labels import FigureLabel, places_of
from evpv.perception.geometry.overlay import NamedPoint
from evpv.perception.geometry.polyhedra import (
    PARALLEL_RAD,
    POLYHEDRA,
    Outline,
    OutlinePart,
    angle_between,
    direction_of,
    foot_on,
    part_between,
    point_at,
    sides_between,
)
from evpv.perception.geometry.rounds import (
    BEND,
    SAME_AREA,
    DrawnSolids,
    Rim,
    find_solids,
    inner_circles,
    off_line,
    round_outline,
    solid_outline,
)

VAGUE_KINDS = ("polygon", "quadrilateral", "net")  # what an outline is called that may be none of a figure

_DOT = 0.35  # letter heights from the centre: what is nearer is the dot that marks it
_MOST_CORNERS = 16
_BLUNT_PX = 40.0  # from where a corner seems to be to where its sides meet, at most
_RIGHT_RAD = math.radians(4)
_EVEN = 0.05  # share by which sides said to be equal may differ
_FACES_OF_NET, _CORNERS_OF_NET = 5, 10
_SAME_PLACE_PX = 24
_LEAST_RAD = math.asin(0.1)  # between sides that meet
_CUT_KINDS = ("polygon", "rectangle", "square")  # what may have other figures in it
_MOST_FIGURES = 4
_STRAIGHT = 0.006  # of an outline's length that a straight side may bulge
_RIM_PX = 21  # twice the way from an outline's side to what touches it


def find_outlines(ink: Ink, labels: Sequence[FigureLabel]) -> list[Outline]:
    """The figures that lines close off, each by the first kind that it is; two of one kind are told apart by their places.

    Where nothing is closed off, a solid may still be told by its rows.
    """
    solids, hidden = find_solids(ink), places_of(labels, ink)
    figures = [one for region in enclosures(ink) for one in _figures_in(ink, region, _outline(ink, region, solids))]
    outlines = [_with_dimension_lines(ink, one, hidden) for one in figures]
    if not outlines:
        outlines = list(filter(None, [solid_outline(ink, np.ones_like(ink.lines), solids)]))
    return [_with_place(outline, outlines) for outline in outlines]


def _figures_in(ink: Ink, region: Mask, outline: Outline | None) -> list[Outline]:
    """The figures of known kinds that lines cut a region into, or its outline and those that lie in it and touch no side of it.

    Figures that touch, as two circles or a half circle at a rectangle, close off a region together that is none itself.
    """
    if outline is not None and outline.kind == "circle":
        return [outline, *inner_circles(ink, outline)]
    kind = "polygon" if outline is None else outline.kind
    whole = [] if outline is None else [outline]
    if kind not in _CUT_KINDS or not 2 <= count_faces(ink, region) <= _MOST_FIGURES:
        return whole
    return _cut_figures(ink, region, kind, whole)


def _cut_figures(ink: Ink, region: Mask, kind: str, whole: list[Outline]) -> list[Outline]:
    inside = np.asarray(cv2.erode(region, np.ones((_RIM_PX, _RIM_PX), np.uint8)), np.uint8)
    faces = faces_of(ink, region)
    within = [face for face in faces if not (face & ~inside).any()]
    found = []
    for face in within or faces:  # lines that end in a face are not counted
        closed = cv2.morphologyEx(face, cv2.MORPH_CLOSE, np.ones((LINE_PX, LINE_PX), np.uint8))
        found.append(_region_outline(ink, np.asarray(closed, np.uint8), DrawnSolids()))
    known = list(filter(_is_known, found))
    if within:
        return [*whole, *known]
    is_cut = len(known) == len(found) and all(kind == "polygon" or one.kind in ("rectangle", "square") for one in known)
    return known if is_cut else whole


def _is_known(outline: Outline | None) -> TypeGuard[Outline]:
    return outline is not None and outline.kind not in VAGUE_KINDS


def _with_place(outline: Outline, outlines: Sequence[Outline]) -> Outline:
    """One of two outlines of a kind called inner or outer, left or right, upper or lower; of more the kind alone is known."""
    others = [one for one in outlines if one is not outline and one.kind == outline.kind]
    if len(others) != 1:
        return outline
    word = _place_word(outline.box, others[0].box)
    return replace(outline, parts=tuple(replace(part, entity=f"{word} {part.entity}") for part in outline.parts))


def _place_word(mine: Box, other: Box) -> str:
    across, down = mine.x - other.x, mine.y - other.y
    if mine.holds(other.x, other.y) and other.holds(mine.x, mine.y):
        return "inner" if mine.width < other.width else "outer"
    if abs(across) < abs(down):
        return "lower" if down > 0 else "upper"
    return "right" if across > 0 else "left"


def centre_name(outline: Outline, labels: Sequence[FigureLabel]) -> str | None:
    """The letter nearest to a circle's centre, if it is near and no dot."""
    if outline.kind != "circle":
        return None
    centre = outline.sides.points[0]
    names = [label for label in labels if label.kind == "name"]
    away = {label: math.dist(label.centre, (centre.x, centre.y)) / label.glyph_height for label in names}
    near = [label for label, distance in away.items() if _DOT <= distance <= 2.5]
    return min(near, key=away.__getitem__).text if near else None


def _outline(ink: Ink, region: Mask, solids: DrawnSolids) -> Outline | None:
    """What a region is; print and ends of lines that touch it may be part of it, and without what is as small it may be simpler."""
    plain = _region_outline(ink, region, solids)
    if _is_known(plain):
        return plain
    size = ink.max_glyph_px // 2
    smooth = np.asarray(cv2.morphologyEx(region, cv2.MORPH_OPEN, np.ones((size, size), np.uint8)), np.uint8)
    simple = _region_outline(ink, smooth, solids) if smooth.any() else None
    return simple if _is_known(simple) else plain


def _region_outline(ink: Ink, region: Mask, solids: DrawnSolids) -> Outline | None:
    """What a region is by its rim; straight sides between three or four corners are no solid, whose base bulges."""
    contours, _ = cv2.findContours(region, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    rim = np.asarray(max(contours, key=cv2.contourArea), np.int32)
    corners = _corners(rim)
    if corners is not None and len(corners) <= 4:
        points = rim.reshape(-1, 2).astype(np.float64)
        off = [off_line(points, (side.a.x, side.a.y), (side.b.x, side.b.y)) for side in sides_between(corners)]
        is_straight = np.quantile(np.minimum.reduce(off), 0.97) <= 1.5 + _STRAIGHT * cv2.arcLength(rim, True)
        solids = DrawnSolids() if is_straight else solids
    is_round = round_outline(ink, rim, region, solids)
    if is_round is not None or corners is None:
        return is_round
    parts = POLYHEDRA[len(corners)](ink, corners) if len(corners) in POLYHEDRA else []
    if parts:
        return Outline(kind=parts[0].entity.split()[0], parts=tuple(parts), sides=_polygon(corners), region=region)
    return _polygon_outline(ink, corners, region)


def _corners(rim: Rim) -> list[NamedPoint] | None:
    """The corners of the polygon that an outline is, from the upper left on; None where it is round.

    Lines leave the tip of a corner blunt, so corners are where the straight sides between them would meet, if that is near.
    """
    points = rim.reshape(-1, 2)
    rough = cv2.approxPolyDP(rim, BEND * cv2.arcLength(rim, True), True).reshape(-1, 2)
    if not 3 <= len(rough) <= _MOST_CORNERS:
        return None
    places = sorted(int(np.abs(points - corner).sum(axis=1).argmin()) for corner in rough)
    lines = [_side_line(points, start, end) for start, end in pairwise([*places, places[0] + len(points)])]
    corners = []
    for (before, after), near in zip(pairwise([lines[-1], *lines]), points[places].tolist(), strict=True):
        meeting = crossing(before, after, _LEAST_RAD)
        corners.append(
            meeting
            if meeting is not None and math.dist(meeting, near) <= _BLUNT_PX
            else (float(near[0]), float(near[1]))
        )
    area = cv2.contourArea(rim)
    if abs(cv2.contourArea(np.array(corners, np.float32)) - area) > SAME_AREA * area:
        return None
    return [point_at(x, y) for x, y in corners]


def _side_line(points: NDArray[np.int32], start: int, end: int) -> Line:
    """The line along the rim from one place to another, but for what is near its ends."""
    trim = (end - start) // 6
    between = np.take(points, range(start + trim, end - trim + 1), axis=0, mode="wrap")
    return fitted_line(between.astype(np.float32))


def _polygon(corners: Sequence[NamedPoint]) -> LineFigure:
    return LineFigure(points=tuple(corners), segments=tuple(sides_between(corners)))


def _polygon_outline(ink: Ink, corners: list[NamedPoint], region: Mask) -> Outline:
    """A polygon by its sides, and the heights and diagonals drawn in it."""
    figure = _polygon(corners)
    kind, heights = _polygon_kind(ink, figure.segments, region), list(_heights(ink, figure))
    parts = []
    for side in dict.fromkeys(figure.segments):
        is_base = kind == "triangle" and any(side == base for _, base in heights)
        word = "base" if is_base else _side_word(kind, side, figure.segments, region)
        parts.append(OutlinePart(segment=side, entity=f"{kind} {word}"))
    parts += [OutlinePart(segment=line, entity=f"{kind} height", is_inner=True) for line, _ in heights]
    for a, b in ((0, 2), (1, 3)) if len(corners) == 4 else ():
        if is_drawn_between(ink, corners[a], corners[b]):
            parts.append(part_between(f"{kind} diagonal", corners[a], corners[b], is_inner=True))
    return Outline(kind=kind, parts=tuple(parts), sides=figure, region=region)


def _polygon_kind(ink: Ink, sides: Sequence[LineSegment], region: Mask) -> str:
    if len(sides) == 3:
        return "triangle"
    if len(sides) > 4:
        is_net = len(sides) >= _CORNERS_OF_NET and count_faces(ink, region) >= _FACES_OF_NET
        return "net" if is_net else "polygon"
    first, second = (angle_between(sides[place], sides[place + 2]) <= PARALLEL_RAD for place in (0, 1))
    right = abs(angle_between(sides[0], sides[1]) - math.pi / 2) <= _RIGHT_RAD
    even = abs(sides[0].length - sides[1].length) <= _EVEN * sides[0].length
    if first and second:
        names = {(True, True): "square", (True, False): "rectangle", (False, True): "rhombus"}
        return names.get((right, even), "parallelogram")
    return "trapezoid" if first or second else "quadrilateral"


def _side_word(kind: str, side: LineSegment, sides: Sequence[LineSegment], region: Mask) -> str:
    """What a side of a polygon is called."""
    if kind in VAGUE_KINDS:
        return f"{_facing(side, region)} side".lstrip()
    if kind == "rectangle":
        return "length" if side.length >= max(one.length for one in sides[:2]) * (1 - _EVEN) else "width"
    return _base_word(kind, side, sides) if kind in ("parallelogram", "trapezoid") else "side"


def _base_word(kind: str, side: LineSegment, sides: Sequence[LineSegment]) -> str:
    """Of a parallelogram the more level sides are bases, of a trapezoid the parallel ones; a side across them is its height."""
    place = sides.index(side)
    opposite, before = sides[(place + 2) % 4], sides[place - 1]
    is_parallel = angle_between(side, opposite) <= PARALLEL_RAD
    if kind == "trapezoid" and is_parallel:
        return "upper base" if side.a.y + side.b.y < opposite.a.y + opposite.b.y else "lower base"
    if kind == "trapezoid" and abs(angle_between(side, before) - math.pi / 2) <= _RIGHT_RAD:
        return "height"
    slope, other = (abs(math.sin(direction_of(one))) for one in (side, before))
    return "base" if is_parallel and slope < other else "side"


def _facing(side: LineSegment, region: Mask) -> str:
    """To which side of the page a level or upright side looks; nothing for a slanted one."""
    x, y = -side.along[1], side.along[0]
    row, column = round((side.a.y + side.b.y) / 2 + 6 * y), round((side.a.x + side.b.x) / 2 + 6 * x)
    if 0 <= row < len(region) and 0 <= column < region.shape[1] and region[row, column]:
        x, y = -x, -y
    if max(abs(x), abs(y)) < 0.95:
        return ""
    names, along = (("left", "right"), x) if abs(x) > abs(y) else (("top", "bottom"), y)
    return names[along > 0]


def _heights(ink: Ink, figure: LineFigure) -> Iterator[tuple[LineSegment, LineSegment]]:
    """Lines that are drawn from a corner at a right angle to a side that it is not on, each with that side."""
    for corner in figure.points if len(figure.points) <= 4 else ():
        for side in (side for side in figure.segments if corner not in (side.a, side.b)):
            share, foot = foot_on(side, corner)
            is_clear = min(share, 1 - share) * side.length > 12 and corner.distance(foot) > 20
            if is_clear and is_drawn_between(ink, corner, foot):
                yield LineSegment(a=corner, b=foot), side


def _with_dimension_lines(ink: Ink, outline: Outline, hidden: Mask) -> Outline:
    """The outline with the dimension lines beside it, each called as what it spans: a side, or the whole from end to end."""
    sides = [part for part in outline.parts if not part.is_inner]
    wholes = [one for one in _extents(outline) if not any(is_same_line(one.segment, side.segment) for side in sides)]
    spans = [(part, drawn_aside(ink, part.segment, outline.region, hidden)) for part in (*sides, *wholes)]
    aside = (replace(part, segment=line) for part, line in spans if line is not None)
    return replace(outline, parts=(*outline.parts, *aside))


def _extents(outline: Outline) -> list[OutlinePart]:
    """How wide and how high an outline is in all, where that is spoken of."""
    if outline.kind in VAGUE_KINDS:
        words = ("total width", "total height")
    elif outline.kind in ("cylinder", "cone"):
        words = ("base diameter", "height")
    else:
        return []
    x0, y0, x1, y1 = outline.box
    corners = [point_at(*place) for place in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]
    edges = zip(words * 2, sides_between(corners), strict=True)
    return [OutlinePart(segment=side, entity=f"{outline.kind} {word}") for word, side in edges]


def is_same_line(one: LineSegment, other: LineSegment) -> bool:
    ends = [(other.a, other.b), (other.b, other.a)]
    return any(one.a.distance(a) + one.b.distance(b) <= _SAME_PLACE_PX for a, b in ends)
