"""Lines that small letters at their ends name: which of them arrowheads say to be parallel, and a square to be perpendicular."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import cv2
import numpy as np

from evpv.perception.geometry.figure import LineFigure, LineSegment, align_segment, crossing, wide_angles_of
from evpv.perception.geometry.ink import Ink
from evpv.perception.geometry.labels import FigureLabel
from evpv.perception.geometry.marks import MarkedAngle, arrowed_segments, parallel_pairs, right_angles
from evpv.perception.geometry.named_facts import relation_of
from evpv.perception.geometry.polyhedra import point_at
from evpv.types import Relation

_LEAST_LENGTH = 0.3  # of the picture's shorter side
_REACH = 2.0  # glyph heights from a line's end to the middle of its letter
_APART_RAD = math.radians(20)  # between lines that cross
_CONFIDENCE = 0.8


def line_relations(ink: Ink, labels: Sequence[FigureLabel]) -> list[Relation]:
    """What is marked at lines with names."""
    letters = [one for one in labels if one.kind == "expression" and len(one.text) == 1 and not one.degrees]
    named = _named_lines(ink, letters) if letters else {}
    figure = LineFigure(points=(), segments=tuple(named))
    arrowed = parallel_pairs(arrowed_segments(ink, figure))
    pairs = [("parallel", one.segment, other.segment, one.box) for one, other in arrowed]
    for one, other in combinations(named, 2):
        pairs += [("perpendicular", one, other, mark.box) for mark in _marks_between(ink, one, other)[:1]]
    return [relation_of(kind, (named[one], named[other]), _CONFIDENCE, box) for kind, one, other, box in pairs]


def _named_lines(ink: Ink, letters: Sequence[FigureLabel]) -> dict[LineSegment, str]:
    """The long lines at whose ends single small letters stand, each letter at the longest."""
    least = _LEAST_LENGTH * min(ink.lines.shape)
    found = cv2.HoughLinesP(ink.lines, 1, math.pi / 360, 60, minLineLength=least, maxLineGap=6)
    ends = np.asarray(found if found is not None else [], float).reshape(-1, 4).tolist()
    strokes = [LineSegment(a=point_at(x0, y0), b=point_at(x1, y1)) for x0, y0, x1, y1 in ends]
    named: dict[LineSegment, str] = {}
    for label in letters:
        place, reach = point_at(*label.centre), _REACH * label.glyph_height
        near = [stroke for stroke in strokes if min(map(place.distance, (stroke.a, stroke.b))) <= reach]
        if near:
            named[align_segment(ink.lines, max(near, key=lambda stroke: stroke.length))] = label.text
    return named if len(set(named.values())) == len(named) else {}


def _marks_between(ink: Ink, one: LineSegment, other: LineSegment) -> list[MarkedAngle]:
    """The squares that mark an angle of two lines that cross, or of which one ends at the other."""
    place = crossing(one.line, other.line, _APART_RAD)
    if place is None:
        return []
    vertex = point_at(*place)
    ends = [end for line in (one, other) for end in (line.a, line.b) if vertex.distance(end) > 12]
    corner = LineFigure(points=(vertex, *ends), segments=tuple(LineSegment(a=vertex, b=end) for end in ends))
    return right_angles(ink, [angle for angle in wide_angles_of(corner) if angle.vertex == vertex])
