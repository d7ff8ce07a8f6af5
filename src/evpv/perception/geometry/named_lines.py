"""Lines that small letters at their ends name: which of them arrowheads say to be parallel, and a square to be perpendicular."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import cv2
import numpy as np

from evpv.perception.geometry.figure import LineFigure, LineSegment, align_segment, wide_angles_of
from evpv.perception.geometry.ink import Ink
from evpv.perception.geometry.labels import FigureLabel
from evpv.perception.geometry.marks import arrowed_segments, parallel_pairs, right_angles
from evpv.perception.geometry.polyhedra import point_at
from evpv.types import Relation

_LEAST_LENGTH = 0.3  # of the picture's shorter side
_REACH = 2.0  # glyph heights from a line's end to the middle of its letter
_APART_RAD = math.radians(20)  # between lines that cross
_CONFIDENCE = 0.8


def line_relations(ink: Ink, labels: Sequence[FigureLabel]) -> list[Relation]:
    """What is marked at lines with names."""
    named = _named_lines(ink, labels)
    figure = LineFigure(points=(), segments=tuple(named))
    pairs = [(one.segment, other.segment, one.box) for one, other in parallel_pairs(arrowed_segments(ink, figure))]
    parallel = [
        Relation(type="parallel", entities=(named[one], named[other]), confidence=_CONFIDENCE, box=box)
        for one, other, box in pairs
    ]
    crossed = (_perpendicular(ink, one, other, (named[one], named[other])) for one, other in combinations(named, 2))
    return [*parallel, *(relation for relation in crossed if relation is not None)]


def _is_small_letter(label: FigureLabel) -> bool:
    return label.kind == "expression" and len(label.text) == 1 and not label.degrees


def _named_lines(ink: Ink, labels: Sequence[FigureLabel]) -> dict[LineSegment, str]:
    """The long lines at whose ends single small letters stand, each letter at the longest."""
    letters = list(filter(_is_small_letter, labels))
    strokes = _long_strokes(ink) if letters else []
    named: dict[LineSegment, str] = {}
    for label in letters:
        near = [stroke for stroke in strokes if _ends_at(stroke, label)]
        if near:
            named[align_segment(ink.lines, max(near, key=lambda stroke: stroke.length))] = label.text
    return named if len(set(named.values())) == len(named) else {}


def _long_strokes(ink: Ink) -> list[LineSegment]:
    least = _LEAST_LENGTH * min(ink.lines.shape)
    found = cv2.HoughLinesP(ink.lines, 1, math.pi / 360, 60, minLineLength=least, maxLineGap=6)
    ends = np.asarray(found if found is not None else [], float).reshape(-1, 4).tolist()
    return [LineSegment(a=point_at(x0, y0), b=point_at(x1, y1)) for x0, y0, x1, y1 in ends]


def _ends_at(stroke: LineSegment, label: FigureLabel) -> bool:
    away = min(math.dist(label.centre, (end.x, end.y)) for end in (stroke.a, stroke.b))
    return away <= _REACH * label.glyph_height


def _perpendicular(ink: Ink, one: LineSegment, other: LineSegment, names: tuple[str, str]) -> Relation | None:
    """The relation of two lines that cross, or of which one ends at the other, where a square marks their angle."""
    (ax, ay), (bx, by) = ((line.b.x - line.a.x, line.b.y - line.a.y) for line in (one, other))
    cross = ax * by - ay * bx
    if abs(cross) < math.sin(_APART_RAD) * one.length * other.length:
        return None
    share = ((other.a.x - one.a.x) * by - (other.a.y - one.a.y) * bx) / cross
    vertex = point_at(one.a.x + share * ax, one.a.y + share * ay)
    rays = [LineSegment(a=vertex, b=end) for line in (one, other) for end in (line.a, line.b)]
    clear = tuple(filter(lambda ray: ray.length > 12, rays))
    corner = LineFigure(points=(vertex, *(ray.b for ray in clear)), segments=clear)
    marks = right_angles(ink, [angle for angle in wide_angles_of(corner) if angle.vertex == vertex])
    return Relation(type="perpendicular", entities=names, confidence=_CONFIDENCE, box=marks[0].box) if marks else None
