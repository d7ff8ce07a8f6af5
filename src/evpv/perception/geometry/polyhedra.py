"""Boxes, prisms and pyramids as they are drawn: by the corners of their outline and the edges, seen or hidden, inside it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2

from evpv.perception.boxes import Box
from evpv.perception.geometry.figure import LineFigure, LineSegment, is_drawn_between
from evpv.perception.geometry.ink import Ink, Mask
from evpv.perception.geometry.labels import FigureLabel
from evpv.perception.geometry.overlay import NamedPoint

PARALLEL_RAD = math.radians(5)
_ASLANT = 0.25  # sine of twice the angle: neither level nor upright
_SIDES_OF_CUBE = 0.08  # share by which the sides of a cube may differ

_Corners = Sequence[NamedPoint]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlinePart:
    """A straight part of a figure without names, what it is called, and whether it runs inside the outline."""

    segment: LineSegment
    entity: str
    is_inner: bool = False


_NO_SIDES = LineFigure(points=(), segments=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """A figure without names at its corners: its kind, its parts that can be measured, its corners with the sides between them, where it is."""

    kind: str
    parts: tuple[OutlinePart, ...]
    region: Mask
    sides: LineFigure = _NO_SIDES

    def holds(self, label: FigureLabel) -> bool:
        x, y = (round(place) for place in label.centre)
        return 0 <= y < len(self.region) and 0 <= x < self.region.shape[1] and bool(self.region[y, x])

    @property
    def box(self) -> Box:
        left, top, width, height = cv2.boundingRect(self.region)
        return Box(float(left), float(top), float(left + width), float(top + height))


def point_at(x: float, y: float) -> NamedPoint:
    """A point without a name."""
    return NamedPoint(name="", x=x, y=y, confidence=1.0)


def part_between(entity: str, a: NamedPoint, b: NamedPoint, *, is_inner: bool = False) -> OutlinePart:
    return OutlinePart(segment=LineSegment(a=a, b=b), entity=entity, is_inner=is_inner)


def sides_between(corners: _Corners) -> list[LineSegment]:
    """The sides of a polygon, in order."""
    return [LineSegment(a=a, b=b) for a, b in pairwise([*corners, corners[0]])]


def direction_of(segment: LineSegment) -> float:
    return math.atan2(segment.b.y - segment.a.y, segment.b.x - segment.a.x)


def angle_between(one: LineSegment, other: LineSegment) -> float:
    """The angle between two lines, from 0 to a right angle."""
    turn = (direction_of(one) - direction_of(other)) % math.pi
    return min(turn, math.pi - turn)


def foot_on(side: LineSegment, point: NamedPoint) -> tuple[float, NamedPoint]:
    """Where a point's perpendicular meets a side: the share of the side before it, and the place."""
    dx, dy, x, y = side.line
    share = ((point.x - x) * dx + (point.y - y) * dy) / side.length**2
    return share, point_at(x + share * dx, y + share * dy)


def _box_parts(ink: Ink, corners: _Corners) -> list[OutlinePart]:
    """A box seen from a corner: a hexagon of three pairs of parallel sides with three edges that meet inside it.

    There every other corner is joined to the one point that makes three parallelograms of the hexagon.
    """
    sides = sides_between(corners)
    longest = {_edge_word(side, sides): side.length for side in sorted(sides, key=lambda side: side.length)}
    is_even = all(angle_between(sides[place], sides[place + 3]) <= 2 * PARALLEL_RAD for place in range(3))
    if len(longest) < 3 or not is_even:
        return []
    turned = (corners, [*corners[1:], *corners[:1]])
    if not any(all(is_drawn_between(ink, end, _fourth(*six[:3])) for end in six[::2]) for six in turned):
        return []
    level, upright = longest["length"], longest["height"]
    is_cube = abs(level - upright) <= _SIDES_OF_CUBE * max(level, upright)
    return [
        OutlinePart(segment=side, entity="cube edge" if is_cube else f"cuboid {_edge_word(side, sides)}")
        for side in sides
    ]


def _edge_word(side: LineSegment, sides: Sequence[LineSegment]) -> str:
    """Upright edges are the height; of the others the more level ones are the length."""
    steep = sorted({round(abs(math.sin(direction_of(one))), 1) for one in sides})
    slope = abs(math.sin(direction_of(side)))
    if slope >= math.sin(math.radians(75)):
        return "height"
    return "length" if slope <= steep[0] + 0.1 else "width"


def _fourth(a: NamedPoint, b: NamedPoint, c: NamedPoint) -> NamedPoint:
    """The corner that makes a parallelogram of three, across from the second."""
    return point_at(a.x + c.x - b.x, a.y + c.y - b.y)


def _prism_parts(ink: Ink, corners: _Corners) -> list[OutlinePart]:
    """A triangular prism: a pentagon that one edge cuts into a triangle and a parallelogram."""
    turned = ([*corners[place:], *corners[:place]] for place in range(5))
    found = next((five for five in turned if _is_prism(ink, five)), None)
    if found is None:
        return []
    c, tip, a, d, f = found
    base, *others = sorted(sides_between((c, tip, a)), key=lambda side: abs(math.sin(direction_of(side))))
    (top,) = {c, tip, a} - {base.a, base.b}
    parts = [OutlinePart(segment=base, entity="prism base")]
    parts += [OutlinePart(segment=side, entity="prism base side") for side in others]
    _, foot = foot_on(base, top)
    if is_drawn_between(ink, top, foot):
        parts.append(part_between("prism base height", top, foot, is_inner=True))
    word = "height" if abs(math.sin(direction_of(LineSegment(a=a, b=d)))) > 0.9 else "length"
    return parts + [part_between(f"prism {word}", p, q) for p, q in ((a, d), (c, f), (tip, _fourth(d, a, tip)))]


def _is_prism(ink: Ink, corners: _Corners) -> bool:
    """Whether a triangle's side c–a goes over into the far edge; that it lies aslant, or a hidden corner, shows that it is no house."""
    c, tip, a, d, f = corners
    ad, cf, ac, df = (LineSegment(a=p, b=q) for p, q in ((a, d), (c, f), (a, c), (d, f)))
    if max(angle_between(ad, cf), angle_between(ac, df)) > 2 * PARALLEL_RAD or not is_drawn_between(ink, a, c):
        return False
    hidden = _fourth(d, a, tip)
    is_aslant = any(abs(math.sin(2 * direction_of(edge))) > _ASLANT for edge in (ad, ac))
    return is_aslant or any(is_drawn_between(ink, hidden, end) for end in (d, tip, f))


def _pyramid_parts(ink: Ink, corners: _Corners) -> list[OutlinePart]:
    """A pyramid on four corners: its tip is joined to the corner across, and a hidden corner of the base to two others."""
    tip = min(corners, key=lambda corner: corner.y)
    a, b, c = (corners[(corners.index(tip) + step) % 4] for step in (1, 2, 3))
    hidden = _fourth(a, b, c)
    if not is_drawn_between(ink, tip, b) or sum(is_drawn_between(ink, hidden, end) for end in (a, c, tip)) < 2:
        return []
    parts = [part_between("pyramid base side", p, q) for p, q in ((a, b), (b, c))]
    middle = point_at((a.x + c.x) / 2, (a.y + c.y) / 2)
    if is_drawn_between(ink, tip, middle):
        parts.append(part_between("pyramid height", tip, middle, is_inner=True))
    return parts + [part_between("pyramid lateral edge", tip, end) for end in (a, b, c)]


POLYHEDRA: dict[int, Callable[[Ink, _Corners], list[OutlinePart]]] = {4: _pyramid_parts, 5: _prism_parts, 6: _box_parts}
"""What an outline of so many corners may be, beside a polygon."""
