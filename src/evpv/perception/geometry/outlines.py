"""Figures whose corners have no names, told by their outline: polygons, circles, sectors, boxes, prisms, pyramids, solids of revolution.

What is written at them is said of a part by its kind and place: "triangle side", "circle radius", "cuboid height". An outline
is the rim of what lines close off from the page, so lines that stand apart or lead away do not disturb it; a dimension line
beside it stands for the side, or the whole extent, between whose ends it runs.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Box
from evpv.perception.geometry.figure import Figure, Segment, drawn_aside, is_drawn_between
from evpv.perception.geometry.ink import Ink, Mask, long_strokes
from evpv.perception.geometry.labels import Label, places_of
from evpv.perception.geometry.overlay import NamedPoint
from evpv.perception.geometry.solids import Solid, find_solid, solid_of
from evpv.types import Constraint, Numeric

VAGUE_KINDS = ("polygon", "quadrilateral", "shape", "net")  # what an outline is called that may be none of a figure

_LEAST_RADIUS_PX = 30
_RIM_DRAWN = 0.9
_RAY_DRAWN = 0.9
_DOT = 0.35  # letter heights from the centre: what is nearer is the dot that marks it
_LEAST_SHARE = 0.006  # of the picture's area that a figure encloses, at least
_LEAST_OF_LARGEST = 0.12  # of the area of the largest figure beside it
_LEAST_FACE_PX = 60
_GAPS_PX = (3, 7)  # that lines may have; the larger where that closes off more
_MORE = 1.15  # times as much
_MOST_FACES = 12  # in one figure: what has more is a grid
_LINE_PX = 11  # the widest line between two faces of one figure
_STRIP = (0.4, 2.5, 0.8, 0.25)  # of a strip under a dimension line: glyphs thick, times as long, filled, of all that is enclosed
_BEND = 0.02  # of the outline's length: smaller bends are none
_SAME_AREA = 0.04  # by which a polygon or a circle may differ from the outline that it stands for
_MOST_CORNERS = 16
_BLUNT_PX = 40.0  # from where a corner seems to be to where its sides meet, at most
_LONG_SIDE = 0.1  # of the outline's length, for a straight part of a round one
_RIGHT_RAD = math.radians(4)
_PARALLEL_RAD = math.radians(5)
_EVEN = 0.05  # share by which sides said to be equal may differ
_SIDES_OF_CUBE = 0.08
_OPPOSITE_DEG = 8
_EQUATOR = (0.14, 0.45)  # of a sphere's radius: half the height of its equator as drawn
_FACES_OF_NET = 5
_OFF_SHARE = 0.07  # of a solid's height: how far its height's line may end off its ends

_Rim = NDArray[np.int32]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Circle:
    """A drawn circle."""

    x: float
    y: float
    radius: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A straight part of a figure without names, what it is called, and whether it runs inside the outline."""

    segment: Segment
    entity: str
    is_inner: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """A figure without names: its kind, its parts that can be measured, its corners with the sides between them, and where it is."""

    kind: str
    parts: tuple[Part, ...]
    sides: Figure
    region: Mask

    def holds(self, label: Label) -> bool:
        x, y = (round(place) for place in label.centre)
        return 0 <= y < len(self.region) and 0 <= x < self.region.shape[1] and bool(self.region[y, x])

    @property
    def box(self) -> Box:
        left, top, width, height = cv2.boundingRect(self.region)
        return Box(float(left), float(top), float(left + width), float(top + height))


def circle_facts(ink: Ink, labels: Sequence[Label]) -> list[Constraint]:
    """The labelled radius or diameter of the one circle of a figure, named by the letter at its centre.

    More than one line from the centre, or more than one length, would leave open which belongs to which: nothing then.
    """
    lengths = [label for label in labels if label.kind == "number" and not label.degrees]
    circle = find_circle(ink) if len(lengths) == 1 else None
    if circle is None or _off_centre(circle, lengths[0].centre) >= circle.radius:
        return []
    (length,), rays, name = lengths, _circle_rays(ink, circle), _centre_name(circle, labels)
    attribute = "diameter" if _are_opposite(rays) else "radius"
    if name is None or not rays or (attribute == "radius" and len(rays) > 1):
        return []
    value = length.value or 0.0
    entity = f"circle {name}"
    return [
        Numeric(entity=entity, attribute=attribute, value=value, unit=length.unit, confidence=0.85, box=length.box)
    ]


def _are_opposite(rays: Sequence[float]) -> bool:
    """Whether two lines from the centre, and no others, are a diameter."""
    return len(rays) == 2 and abs(abs(rays[0] - rays[1]) - 180) <= _OPPOSITE_DEG


def _centre_name(circle: _Circle, labels: Sequence[Label]) -> str | None:
    """The letter nearest to the centre, if it is near and no dot."""
    names = [label for label in labels if label.kind == "name"]
    away = {label: _off_centre(circle, label.centre) / label.glyph_height for label in names}
    near = [label for label, distance in away.items() if _DOT <= distance <= 2.5]
    return min(near, key=away.__getitem__).text if near else None


def find_circle(ink: Ink) -> _Circle | None:
    """The circle that bounds the largest connected shape of the drawing, if one does."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink.lines, connectivity=8)
    for left, top, width, height, _ in sorted(stats[1:].tolist(), key=lambda item: -item[2] * item[3])[:3]:
        radius = (width + height) / 4 - 1
        circle = _Circle(x=left + width / 2 - 0.5, y=top + height / 2 - 0.5, radius=radius)
        if radius >= _LEAST_RADIUS_PX and abs(width - height) <= 0.04 * width and _rim(ink, circle) >= _RIM_DRAWN:
            return circle
    return None


def _rim(ink: Ink, circle: _Circle) -> float:
    near = cv2.dilate(ink.lines, np.ones((5, 5), dtype=np.uint8))
    turns = np.radians(np.arange(360.0))
    columns = np.clip(np.rint(circle.x + np.cos(turns) * circle.radius), 0, near.shape[1] - 1).astype(np.intp)
    rows = np.clip(np.rint(circle.y + np.sin(turns) * circle.radius), 0, near.shape[0] - 1).astype(np.intp)
    return float(near[rows, columns].mean())


def _circle_rays(ink: Ink, circle: _Circle) -> list[float]:
    """The directions in degrees in which a line runs from the centre to the rim."""
    reach = np.arange(0.12 * circle.radius, 0.95 * circle.radius)
    turns = np.radians(np.arange(360.0))[:, None]
    columns = np.rint(circle.x + np.cos(turns) * reach).astype(np.intp)
    rows = np.rint(circle.y + np.sin(turns) * reach).astype(np.intp)
    drawn = ink.near_lines[rows, columns].mean(axis=1)
    found: list[float] = []
    for degree in np.argsort(-drawn, kind="stable").tolist():
        if drawn[degree] < _RAY_DRAWN:
            break
        if all(min(abs(degree - other), 360 - abs(degree - other)) > _OPPOSITE_DEG for other in found):
            found.append(float(degree))
    return found


def _off_centre(circle: _Circle, place: tuple[float, float]) -> float:
    return math.hypot(place[0] - circle.x, place[1] - circle.y)


def find_outlines(ink: Ink, labels: Sequence[Label]) -> list[Outline]:
    """The figures that lines close off, each by the first kind that it is; several of one kind are told apart by their places.

    Where nothing is closed off, a solid may still be told by its rows.
    """
    hidden = places_of(labels, ink)
    found = [_outline(ink, region) for region in _enclosures(ink) if _count_faces(ink, region) <= _MOST_FACES]
    outlines = [_with_dimension_lines(ink, one, hidden) for one in found if one is not None]
    if not outlines:
        outlines = [one for one in (_solid_outline(ink, np.ones_like(ink.lines)),) if one is not None]
    return _with_places(outlines)


def _enclosures(ink: Ink) -> list[Mask]:
    """The areas that lines close off from the picture's rim, the largest first."""
    found, wider = (_closed_areas(ink, gap) for gap in _GAPS_PX)
    return wider if sum(map(np.count_nonzero, wider)) >= _MORE * sum(map(np.count_nonzero, found)) else found


def _closed_areas(ink: Ink, gap_px: int) -> list[Mask]:
    closed = cv2.morphologyEx(ink.lines, cv2.MORPH_CLOSE, np.ones((gap_px, gap_px), np.uint8))
    padded = np.pad(np.asarray(closed, np.uint8), 2)
    cv2.floodFill(padded, None, (0, 0), 2)
    inside = np.asarray(padded[2:-2, 2:-2] == 0, np.uint8)
    count, labelled, stats, _ = cv2.connectedComponentsWithStats(inside, connectivity=4)
    areas = stats[:, cv2.CC_STAT_AREA]
    is_face = areas >= _LEAST_FACE_PX
    is_face[0] = False
    for index in np.flatnonzero(is_face).tolist():
        is_face[index] = not _is_strip(np.asarray(labelled, np.int32), stats[index].tolist(), index, int(inside.sum()), ink)
    whole = cv2.morphologyEx(is_face[labelled].astype(np.uint8), cv2.MORPH_CLOSE, np.ones((_LINE_PX, _LINE_PX), np.uint8))
    whole = cv2.dilate(whole, np.ones((3, 3), np.uint8))
    count, labelled, stats, _ = cv2.connectedComponentsWithStats(whole, connectivity=4)
    areas = stats[1:, cv2.CC_STAT_AREA]
    least = max(_LEAST_SHARE * inside.size, _LEAST_OF_LARGEST * int(areas.max(initial=0)))
    order = [1 + int(place) for place in np.argsort(-areas, kind="stable") if areas[place] >= least]
    return [np.asarray(labelled == index, np.uint8) for index in order]


def _is_strip(labelled: NDArray[np.int32], place: Sequence[int], index: int, enclosed: int, ink: Ink) -> bool:
    """Whether a face is what a dimension line and the two strokes to its ends close off beside a figure."""
    left, top, width, height, area = place
    thick, longer, filled, share = _STRIP
    if area > share * enclosed:
        return False
    rows, columns = np.nonzero(labelled[top : top + height, left : left + width] == index)
    _, sizes, _ = cv2.minAreaRect(np.stack([columns, rows], axis=1).astype(np.float32))
    across, along = sorted(size + 1 for size in sizes)
    return across <= thick * ink.max_glyph_px and along >= longer * across and area >= filled * across * along


def _outline(ink: Ink, region: Mask) -> Outline | None:
    """What a region is; print and ends of lines that touch it may be part of it, and without what is as small it may be simpler."""
    plain = _region_outline(ink, region)
    if plain is not None and plain.kind not in VAGUE_KINDS:
        return plain
    size = ink.max_glyph_px // 2
    smooth = np.asarray(cv2.morphologyEx(region, cv2.MORPH_OPEN, np.ones((size, size), np.uint8)), np.uint8)
    simple = _region_outline(ink, smooth) if smooth.any() else None
    return simple if simple is not None and simple.kind not in VAGUE_KINDS else plain


def _region_outline(ink: Ink, region: Mask) -> Outline | None:
    contours, _ = cv2.findContours(region, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    rim = np.asarray(max(contours, key=cv2.contourArea), np.int32)
    if (circle := _circle(rim)) is not None:
        return _circle_outline(ink, circle, region)
    if (solid := _solid_outline(ink, region)) is not None:
        return solid
    if (sector := _sector_outline(rim, region)) is not None:
        return sector
    corners = _corners(rim)
    if corners is None:
        return _round_outline(ink, rim, region)
    kinds: dict[int, tuple[_Reader, ...]] = {4: (_pyramid_parts,), 5: (_prism_parts,), 6: (_box_parts,)}
    for kind_of in kinds.get(len(corners), ()):
        found = kind_of(ink, corners)
        if found is not None:
            return Outline(kind=found[0], parts=found[1], sides=_sides_of(corners), region=region)
    return _polygon_outline(ink, corners, region)


_Reader = Callable[[Ink, list[NamedPoint]], tuple[str, tuple[Part, ...]] | None]


def _point(x: float, y: float) -> NamedPoint:
    return NamedPoint(name="", x=x, y=y, confidence=1.0)


def _part(entity: str, a: NamedPoint, b: NamedPoint, *, is_inner: bool = False) -> Part:
    return Part(segment=Segment(a=a, b=b), entity=entity, is_inner=is_inner)


def _circle(rim: _Rim) -> _Circle | None:
    (x, y), radius = cv2.minEnclosingCircle(rim)
    full = cv2.contourArea(rim) / (math.pi * radius**2)
    return _Circle(x=x, y=y, radius=radius - 1) if abs(full - 1) <= _SAME_AREA else None


def _corners(rim: _Rim) -> list[NamedPoint] | None:
    """The corners of the polygon that an outline is, from the upper left on; None where it is round.

    Lines leave the tip of a corner blunt, so corners are where the straight sides between them would meet.
    """
    points = rim.reshape(-1, 2)
    rough = cv2.approxPolyDP(rim, _BEND * cv2.arcLength(rim, True), True).reshape(-1, 2)
    if not 3 <= len(rough) <= _MOST_CORNERS:
        return None
    places = sorted(int(np.abs(points - corner).sum(axis=1).argmin()) for corner in rough)
    lines = [_fitted_line(points, start, end) for start, end in pairwise([*places, places[0] + len(points)])]
    corners = np.array([_meeting(lines[k - 1], lines[k], points[places[k]]) for k in range(len(places))])
    area = cv2.contourArea(rim)
    if abs(cv2.contourArea(corners.astype(np.float32)) - area) > _SAME_AREA * area:
        return None
    return [_point(float(x), float(y)) for x, y in corners.tolist()]


_Line = tuple[float, float, float, float]  # direction and a point of it


def _fitted_line(points: NDArray[np.int32], start: int, end: int) -> _Line:
    """The line along the rim from one place to another, but for what is near its ends."""
    trim = (end - start) // 6
    between = np.take(points, range(start + trim, end - trim + 1), axis=0, mode="wrap").astype(np.float32)
    dx, dy, x, y = cv2.fitLine(between, cv2.DIST_HUBER, 0, 0.01, 0.01).reshape(-1).tolist()
    return dx, dy, x, y


def _meeting(one: _Line, other: _Line, near: NDArray[np.int32]) -> tuple[float, float]:
    """Where two lines meet, if that is near a place; else that place."""
    (ax, ay, x, y), (bx, by, u, v) = one, other
    cross = ax * by - ay * bx
    along = ((u - x) * by - (v - y) * bx) / cross if abs(cross) > 0.1 else math.inf
    found = (x + along * ax, y + along * ay)
    return found if math.dist(found, near) <= _BLUNT_PX else (float(near[0]), float(near[1]))


def _side_segments(corners: Sequence[NamedPoint]) -> list[Segment]:
    return [Segment(a=a, b=b) for a, b in pairwise([*corners, corners[0]])]


def _sides_of(corners: Sequence[NamedPoint]) -> Figure:
    return Figure(points=tuple(corners), segments=tuple(_side_segments(corners)))


def _direction(segment: Segment) -> float:
    return math.atan2(segment.b.y - segment.a.y, segment.b.x - segment.a.x)


def _off_direction(one: Segment, other: Segment) -> float:
    """The angle between two lines, from 0 to a right angle."""
    turn = (_direction(one) - _direction(other)) % math.pi
    return min(turn, math.pi - turn)


def _polygon_outline(ink: Ink, corners: list[NamedPoint], region: Mask) -> Outline | None:
    figure = _sides_of(corners)
    sides = figure.segments
    kind = "triangle" if len(sides) == 3 else "polygon"
    if len(sides) == 4:
        kind = _quadrilateral(sides)
    if len(sides) >= 10 and _count_faces(ink, region) >= _FACES_OF_NET:
        kind = "net"
    heights = list(_heights(ink, corners, sides))
    bases = [side for _, side in heights] if kind == "triangle" else []
    words = {side: "base" if side in bases else _side_word(kind, side, sides, region) for side in sides}
    parts = [
        *(Part(segment=side, entity=f"{kind} {word}") for side, word in words.items()),
        *(Part(segment=line, entity=f"{kind} height", is_inner=True) for line, _ in heights),
        *(Part(segment=line, entity=f"{kind} diagonal", is_inner=True) for line in _diagonals(ink, corners)),
    ]
    return Outline(kind=kind, parts=tuple(parts), sides=figure, region=region)


def _count_faces(ink: Ink, region: Mask) -> int:
    _, _, stats, _ = cv2.connectedComponentsWithStats(np.asarray(region & (ink.near_lines == 0), np.uint8), connectivity=4)
    return int((stats[1:, cv2.CC_STAT_AREA] >= _LEAST_FACE_PX).sum())


def _quadrilateral(sides: Sequence[Segment]) -> str:
    first, second = (_off_direction(sides[place], sides[place + 2]) <= _PARALLEL_RAD for place in (0, 1))
    right = abs(_off_direction(sides[0], sides[1]) - math.pi / 2) <= _RIGHT_RAD
    even = abs(sides[0].length - sides[1].length) <= _EVEN * sides[0].length
    if first and second:
        names = {(True, True): "square", (True, False): "rectangle", (False, True): "rhombus"}
        return names.get((right, even), "parallelogram")
    return "trapezoid" if first or second else "quadrilateral"


def _side_word(kind: str, side: Segment, sides: Sequence[Segment], region: Mask) -> str:
    """What a side of a polygon is called."""
    if kind == "rectangle":
        return "length" if side.length >= max(one.length for one in sides[:2]) * (1 - _EVEN) else "width"
    if kind in ("parallelogram", "trapezoid"):
        opposite = sides[(sides.index(side) + 2) % 4]
        level = _off_direction(side, opposite) <= _PARALLEL_RAD
        if kind == "trapezoid" and level:
            return "upper base" if side.a.y + side.b.y < opposite.a.y + opposite.b.y else "lower base"
        slope = abs(math.sin(_direction(side)))
        return "base" if level and slope < abs(math.sin(_direction(sides[sides.index(side) - 1]))) else "side"
    return f"{_facing(side, region)} side".lstrip() if kind in VAGUE_KINDS else "side"


def _facing(side: Segment, region: Mask) -> str:
    """To which side of the page a level or upright side looks; nothing for a slanted one."""
    across = ((side.a.y - side.b.y) / side.length, (side.b.x - side.a.x) / side.length)
    row, column = round((side.a.y + side.b.y) / 2 + 6 * across[1]), round((side.a.x + side.b.x) / 2 + 6 * across[0])
    inward = 0 <= row < len(region) and 0 <= column < region.shape[1] and bool(region[row, column])
    x, y = (-across[0], -across[1]) if inward else across
    if max(abs(x), abs(y)) < 0.95:
        return ""
    level = "right" if x > 0 else "left"
    return level if abs(x) > abs(y) else ("bottom" if y > 0 else "top")


def _heights(
    ink: Ink, corners: Sequence[NamedPoint], sides: Sequence[Segment]
) -> Iterator[tuple[Segment, Segment]]:
    """Lines that are drawn from a corner at a right angle to a side that it is not on, each with that side."""
    for corner in corners if len(corners) <= 4 else ():
        for side in (side for side in sides if corner not in (side.a, side.b)):
            share = _share_along(side, corner)
            foot = _point(side.a.x + share * (side.b.x - side.a.x), side.a.y + share * (side.b.y - side.a.y))
            clear = min(share, 1 - share) * side.length > 12 and math.hypot(corner.x - foot.x, corner.y - foot.y) > 20
            if 0 < share < 1 and clear and is_drawn_between(ink, corner, foot):
                yield Segment(a=corner, b=foot), side


def _share_along(side: Segment, point: NamedPoint) -> float:
    dx, dy = side.b.x - side.a.x, side.b.y - side.a.y
    return ((point.x - side.a.x) * dx + (point.y - side.a.y) * dy) / side.length**2


def _diagonals(ink: Ink, corners: Sequence[NamedPoint]) -> list[Segment]:
    pairs = ((0, 2), (1, 3)) if len(corners) == 4 else ()
    return [Segment(a=corners[a], b=corners[b]) for a, b in pairs if is_drawn_between(ink, corners[a], corners[b])]


def _round_outline(ink: Ink, rim: _Rim, region: Mask) -> Outline | None:
    """The straight sides of an outline that is round elsewhere: a half circle on a rectangle."""
    around = cv2.arcLength(rim, True)
    corners = cv2.approxPolyDP(rim, 3.0, True).reshape(-1, 2).tolist()
    points = [_point(float(x), float(y)) for x, y in corners]
    sides = [side for side in _side_segments(points) if side.length >= _LONG_SIDE * around]
    if not 2 <= len(sides) <= _MOST_CORNERS:
        return None
    parts = tuple(Part(segment=side, entity=f"shape {_side_word('shape', side, sides, region)}") for side in sides)
    return Outline(kind="shape", parts=parts, sides=Figure(points=(), segments=()), region=region)


def _sector_outline(rim: _Rim, region: Mask) -> Outline | None:
    """Two equal straight sides from one corner and an arc around it."""
    points = rim.reshape(-1, 2).astype(np.float64)
    corners = cv2.approxPolyDP(rim, _BEND * cv2.arcLength(rim, True), True).reshape(-1, 2)
    for place, (x, y) in enumerate(corners.tolist() if 4 <= len(corners) <= 8 else ()):
        one, other = corners[place - 1], corners[(place + 1) % len(corners)]
        radius = (math.dist(one, (x, y)) + math.dist(other, (x, y))) / 2
        if abs(math.dist(one, (x, y)) - radius) > 0.06 * radius or radius < _LEAST_RADIUS_PX:
            continue
        off = np.abs(np.hypot(*(points - (x, y)).T) - radius)
        sides = [_off_line(points, (x, y), end) for end in (one, other)]
        if float((np.minimum(off, np.minimum(*sides)) <= 0.03 * radius + 2).mean()) >= 0.97:
            centre, ends = _point(x, y), [_point(*map(float, end)) for end in (one, other)]
            parts = tuple(_part("sector radius", centre, end) for end in ends)
            return Outline(kind="sector", parts=parts, sides=Figure(points=(centre, *ends), segments=tuple(part.segment for part in parts)), region=region)
    return None


def _off_line(points: NDArray[np.float64], start: tuple[float, float], end: Sequence[float]) -> NDArray[np.float64]:
    """How far points are off a segment."""
    way = np.array([end[0] - start[0], end[1] - start[1]])
    share = np.clip(((points - start) @ way) / (way @ way), 0, 1)
    return np.asarray(np.hypot(*(points - start - share[:, None] * way).T), np.float64)


def _box_parts(ink: Ink, corners: list[NamedPoint]) -> tuple[str, tuple[Part, ...]] | None:
    """A box seen from a corner: a hexagon of three pairs of parallel sides with three edges that meet inside it."""
    sides = _side_segments(corners)
    front = sorted(sides, key=lambda side: side.length)
    longest = {_edge_word(side, sides): side.length for side in front}
    if len(longest) < 3 or not _has_parallel_sides(sides):
        return None
    if not _meets_inside(ink, corners, 0) and not _meets_inside(ink, corners, 1):
        return None
    level, upright = longest["length"], longest["height"]
    kind = "cube" if abs(level - upright) <= _SIDES_OF_CUBE * max(level, upright) else "cuboid"
    words = {side: "edge" if kind == "cube" else _edge_word(side, sides) for side in front}
    return kind, tuple(Part(segment=side, entity=f"{kind} {word}") for side, word in words.items())


def _has_parallel_sides(sides: Sequence[Segment]) -> bool:
    return all(_off_direction(sides[place], sides[place + 3]) <= 2 * _PARALLEL_RAD for place in range(3))


def _edge_word(side: Segment, sides: Sequence[Segment]) -> str:
    """Upright edges are the height; of the others the more level ones are the length."""
    steep = sorted({round(abs(math.sin(_direction(one))), 1) for one in sides})
    slope = abs(math.sin(_direction(side)))
    if slope >= math.sin(math.radians(75)):
        return "height"
    return "length" if slope <= steep[0] + 0.1 else "width"


def _meets_inside(ink: Ink, corners: Sequence[NamedPoint], start: int) -> bool:
    """Whether every other corner is joined to the one point that makes three parallelograms of a hexagon."""
    middle = _fourth(*(corners[(start + step) % 6] for step in (0, 1, 2)))
    return all(is_drawn_between(ink, corners[(start + step) % 6], middle) for step in (0, 2, 4))


def _fourth(a: NamedPoint, b: NamedPoint, c: NamedPoint) -> NamedPoint:
    """The corner that makes a parallelogram of three, across from the second."""
    return _point(a.x + c.x - b.x, a.y + c.y - b.y)


def _prism_parts(ink: Ink, corners: list[NamedPoint]) -> tuple[str, tuple[Part, ...]] | None:
    """A triangular prism: a pentagon cut by one edge into a triangle and a parallelogram, which a hidden corner or its slant shows to be a solid."""
    for place in range(5):
        c, tip, a, d, f = (corners[(place + step) % 5] for step in range(5))
        edges = [Segment(a=p, b=q) for p, q in ((a, d), (c, f), (a, c), (d, f))]
        is_even = all(_off_direction(*edges[two : two + 2]) <= 2 * _PARALLEL_RAD for two in (0, 2))
        if not is_even or not is_drawn_between(ink, a, c):
            continue
        hidden = _point(tip.x + d.x - a.x, tip.y + d.y - a.y)
        is_slanted = abs(_off_direction(edges[0], edges[2]) - math.pi / 2) > 2 * _RIGHT_RAD
        if not is_slanted and not any(is_drawn_between(ink, hidden, end) for end in (d, tip, f)):
            continue
        base = max((_part("prism base", p, q) for p, q in ((a, c), (c, tip), (tip, a))), key=lambda one: _levelness(one.segment))
        others = [_part("prism base side", p, q) for p, q in ((a, c), (c, tip), (tip, a)) if {p, q} != {base.segment.a, base.segment.b}]
        top = next(p for p in (a, c, tip) if p not in (base.segment.a, base.segment.b))
        share = _share_along(base.segment, top)
        foot = _point(base.segment.a.x + share * (base.segment.b.x - base.segment.a.x), base.segment.a.y + share * (base.segment.b.y - base.segment.a.y))
        height = [_part("prism base height", top, foot, is_inner=True)] if is_drawn_between(ink, top, foot) else []
        length = "height" if abs(math.sin(_direction(edges[0]))) > 0.9 else "length"
        lengths = [_part(f"prism {length}", p, q) for p, q in ((a, d), (c, f), (tip, hidden))]
        return "prism", (base, *others, *height, *lengths)
    return None


def _levelness(segment: Segment) -> float:
    return abs(math.cos(_direction(segment)))


def _pyramid_parts(ink: Ink, corners: list[NamedPoint]) -> tuple[str, tuple[Part, ...]] | None:
    """A pyramid on four corners: a tip joined to the corner across from it, and a hidden corner of the base joined to the other two."""
    tip = min(corners, key=lambda corner: corner.y)
    place = corners.index(tip)
    a, b, c = (corners[(place + step) % 4] for step in (1, 2, 3))
    hidden = _fourth(a, b, c)
    if not is_drawn_between(ink, tip, b) or sum(is_drawn_between(ink, hidden, end) for end in (a, c, tip)) < 2:
        return None
    middle = _point((a.x + c.x) / 2, (a.y + c.y) / 2)
    base = [_part("pyramid base side", p, q) for p, q in ((a, b), (b, c))]
    edges = [_part("pyramid lateral edge", tip, end) for end in (a, b, c)]
    height = [_part("pyramid height", tip, middle, is_inner=True)] if is_drawn_between(ink, tip, middle) else []
    return "pyramid", (*base, *height, *edges)


def _circle_outline(ink: Ink, circle: _Circle, region: Mask) -> Outline:
    kind = "sphere" if _has_equator(ink, circle) else "circle"
    rays = _circle_rays(ink, circle)
    centre = _point(circle.x, circle.y)
    turns = [math.radians(ray) for ray in rays]
    ends = [_point(circle.x + circle.radius * math.cos(t), circle.y + circle.radius * math.sin(t)) for t in turns]
    if _are_opposite(rays):
        parts = [_part(f"{kind} diameter", ends[0], ends[1], is_inner=True)]
    else:
        parts = [_part(f"{kind} radius", centre, end, is_inner=True) for end in ends]
    return Outline(kind=kind, parts=tuple(parts), sides=Figure(points=(centre,), segments=()), region=region)


def _has_equator(ink: Ink, circle: _Circle) -> bool:
    """Whether the front half of a flat ellipse is drawn through a circle's middle."""
    near = ink.near_lines
    turns = np.radians(np.arange(25.0, 156.0, 2.0))
    flat = np.arange(_EQUATOR[0], _EQUATOR[1], 0.01)[:, None] * circle.radius
    columns = np.clip(np.rint(circle.x + circle.radius * np.cos(turns)), 0, near.shape[1] - 1).astype(np.intp)
    rows = np.clip(np.rint(circle.y + flat * np.sin(turns)), 0, near.shape[0] - 1).astype(np.intp)
    return bool(near[rows, np.broadcast_to(columns, rows.shape)].mean(axis=1).max() >= 0.85)


def _solid_outline(ink: Ink, region: Mask) -> Outline | None:
    """A single cone or cylinder, by its shape of ink or what that encloses, with the lines drawn in it and beside it."""
    whole, enclosed = find_solid(ink.lines), solid_of(region)
    if whole is not None and not region[round(whole.box.y), round(whole.x)]:
        whole = None
    solid = next((one for one in (whole, enclosed) if one is not None and one.is_single), None)
    if solid is None:
        return None
    name, top, bottom = solid.parts[0].name, solid.parts[0].top, solid.parts[0].bottom
    parts = [*_level_parts(ink, solid), *_upright_parts(ink, solid)]
    for side in (-1, 1):
        start = solid.x if name == "cone" else solid.x + side * solid.radius
        word = "slant height" if name == "cone" else "height"
        parts.append(_part(f"{name} {word}", _point(start, top), _point(solid.x + side * solid.radius, bottom)))
    return Outline(kind=name, parts=tuple(parts), sides=Figure(points=(), segments=()), region=region)


def _level_parts(ink: Ink, solid: Solid) -> Iterator[Part]:
    """Level lines as wide as the solid or half as wide: its diameter or its radius, also as seen from beyond the rim near it."""
    slack = 0.14 * solid.radius
    rims = (solid.x - solid.radius, solid.x + solid.radius)
    for line in long_strokes(ink.lines, round(0.7 * solid.radius), upright=False):
        ends = [any(abs(end - rim) <= slack for rim in rims) for end in (line.start, line.end)]
        middle = [abs(end - solid.x) <= slack for end in (line.start, line.end)]
        if all(ends) or (any(ends) and any(middle)):
            entity = f"{solid.base.name} {'base diameter' if all(ends) else 'base radius'}"
            rim = min(solid.box.y0, solid.box.y1, key=lambda row: abs(row - line.across))
            for row in (line.across, rim):
                yield _part(entity, _point(line.start, row), _point(line.end, row), is_inner=row == line.across)


def _upright_parts(ink: Ink, solid: Solid) -> Iterator[Part]:
    """Upright lines as long as the solid is high, on its axis or outside: its height."""
    slack = _OFF_SHARE * solid.height + 4
    for line in long_strokes(ink.lines, round(0.55 * solid.height), upright=True):
        on_axis = abs(line.across - solid.x) <= 0.1 * solid.radius
        outside = not solid.box.x0 - 4 <= line.across <= solid.box.x1 + 4
        spans = abs(line.start - solid.parts[0].top) <= slack and abs(line.end - solid.parts[-1].bottom) <= slack
        if on_axis or (outside and spans):
            ends = _point(line.across, line.start), _point(line.across, line.end)
            yield _part(f"{solid.base.name} height", *ends, is_inner=on_axis)


def _with_dimension_lines(ink: Ink, outline: Outline, hidden: Mask) -> Outline:
    """The outline with the dimension lines beside it, each called as what it spans: a side, or the whole from end to end."""
    x0, y0, x1, y1 = outline.box
    solid = outline.kind in ("cylinder", "cone")
    extents = [] if outline.kind in ("circle", "sphere", "sector", "cuboid", "cube", "prism", "pyramid", "triangle") else [
        (f"{outline.kind} {'base diameter' if solid else 'total width'}", (x0, y1), (x1, y1)),
        (f"{outline.kind} {'base diameter' if solid else 'total width'}", (x0, y0), (x1, y0)),
        (f"{outline.kind} {'height' if solid else 'total height'}", (x1, y0), (x1, y1)),
        (f"{outline.kind} {'height' if solid else 'total height'}", (x0, y0), (x0, y1)),
    ]
    sides = [part for part in outline.parts if not part.is_inner]
    wholes = [_part(entity, _point(*a), _point(*b)) for entity, a, b in extents]
    spans = [*sides, *(whole for whole in wholes if not any(_is_same(whole.segment, side.segment) for side in sides))]
    found = []
    for part in spans:
        aside = drawn_aside(ink, part.segment, outline.region, hidden)
        if aside is not None:
            found.append(replace(part, segment=aside))
    return replace(outline, parts=(*outline.parts, *found))


def _is_same(one: Segment, other: Segment) -> bool:
    ends = [(other.a, other.b), (other.b, other.a)]
    return any(
        math.hypot(one.a.x - a.x, one.a.y - a.y) + math.hypot(one.b.x - b.x, one.b.y - b.y) <= 24 for a, b in ends
    )


def _with_places(outlines: Sequence[Outline]) -> list[Outline]:
    """Two outlines of one kind called left and right, or upper and lower; of more the kind alone is known."""
    many = Counter(outline.kind for outline in outlines)
    placed = []
    for outline in outlines:
        other = next((one for one in outlines if one is not outline and one.kind == outline.kind), None)
        if other is None or many[outline.kind] != 2:
            placed.append(outline)
            continue
        across, down = outline.box.x - other.box.x, outline.box.y - other.box.y
        words = ("left", "right") if abs(across) >= abs(down) else ("upper", "lower")
        word = words[(across if abs(across) >= abs(down) else down) > 0]
        parts = tuple(replace(part, entity=f"{word} {part.entity}") for part in outline.parts)
        placed.append(replace(outline, parts=parts))
    return placed
