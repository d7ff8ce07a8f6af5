"""What is written and marked at named points, as facts with confidences.

Confidences are a few levels: shares of right facts among those of a kind on a development set of 500 textbook figures. What is
right less than about one time in three is not said at all (None).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import filterfalse
from typing import Any

import numpy as np

from evpv.perception.boxes import Box
from evpv.perception.geometry.attaching import (
    Attached,
    attach_to_angles,
    attach_to_segments,
    sorted_by_place,
    with_anchors,
)
from evpv.perception.geometry.drawing import drawn_circles
from evpv.perception.geometry.figure import Angle, LineFigure, LineSegment, Ray, drawn_aside, wide_angles_of
from evpv.perception.geometry.ink import Ink
from evpv.perception.geometry.labels import FigureLabel, places_of
from evpv.perception.geometry.marks import (
    MarkedAngle,
    MarkedSegment,
    arced_angles,
    arrowed_segments,
    equal_angles,
    parallel_pairs,
    right_angles,
    same_count,
    ticked_segments,
)
from evpv.perception.geometry.overlay import NamedPoint
from evpv.types import Constraint, Numeric, Relation

_CROWDED = 10  # points; figures with as many have lines that can be named in many ways


def _is_crowded(figure: LineFigure) -> bool:
    return len(figure.points) >= _CROWDED


def part_confidence(attached: Attached[Any]) -> float | None:
    """For a label at a line: how near it stands, and how much nearer than to the next one."""
    if attached.cost > 1.7 or attached.margin < 0.15:
        return None
    if attached.margin < 0.4:
        return 0.55
    return 0.92 if attached.cost <= 0.8 else 0.75


def angle_confidence(attached: Attached[Angle], figure: LineFigure) -> float | None:
    """For a label in an angle: whether the vertex has other angles and its sides other names."""
    nearest = 1.3 if attached.margin < math.inf else 2.2  # a label that only one angle encloses may stand far out
    if attached.cost > nearest or attached.margin < 0.1 or _is_crowded(figure):
        return None
    if attached.margin < 0.4 or _ambiguous_sides(attached.place) == 2:
        return 0.6
    return 0.95 if len(figure.rays(attached.place.vertex)) == 2 else 0.8


def _ambiguous_sides(angle: Angle) -> int:
    return (len(angle.first.points) > 1) + (len(angle.second.points) > 1)


_STATED = 0.9  # how often a label that names what it measures is read right
_MOST_POINTS = 8  # where there are more, few of the lines they lie on are spoken of


def _angle_entity(angle: Angle) -> str:
    return f"angle {angle.first.points[0].name}{angle.vertex.name}{angle.second.points[0].name}"


def said(entity: str, attribute: str, label: FigureLabel, confidence: float) -> Constraint:
    """What a label says of an entity: a measure, or its equality with an expression."""
    if label.value is None:
        return Relation(type="equal", entities=(entity, label.text), confidence=confidence, box=label.box)
    unit = "deg" if attribute == "angle" else label.unit
    return Numeric(
        entity=entity, attribute=attribute, value=label.value, unit=unit, confidence=confidence, box=label.box
    )


def _segment_facts(attached: Sequence[Attached[LineSegment]], figure: LineFigure) -> list[Constraint]:
    """Lengths, and equalities of a segment and an expression."""
    facts: list[Constraint] = []
    for one in attached if not _is_crowded(figure) else ():
        confidence, segment = part_confidence(one), one.place
        if confidence is not None and not _is_outgrown(one, attached):
            facts.append(said(f"segment {segment.name}", "length", one.label, 0.55 if segment.inner else confidence))
    return facts


def _is_outgrown(one: Attached[LineSegment], attached: Sequence[Attached[LineSegment]]) -> bool:
    """Whether a labelled part of a segment is as long as its own label says of the whole: that is another part's."""
    segment, value = one.place, one.label.value
    points = {segment.a, segment.b, *segment.inner}
    parts = [other for other in attached if other is not one and {other.place.a, other.place.b} <= points]
    return value is not None and any((part.label.value or 0.0) >= value for part in parts)


def statement_facts(labels: Sequence[FigureLabel]) -> list[Constraint]:
    """What labels say themselves that they measure: GD = 14 cm."""
    named = [label for label in labels if label.subject is not None and " " in label.subject]
    return [said(label.subject or "", "angle" if label.degrees else "length", label, _STATED) for label in named]


def _angle_facts(attached: Sequence[Attached[Angle]], figure: LineFigure) -> list[Constraint]:
    """Measures of angles, and equalities of an angle and an expression.

    An angle has three letters, or the vertex alone where it has one angle only and its sides could be named in several ways.
    """
    facts: list[Constraint] = []
    for one in attached:
        confidence, angle = angle_confidence(one, figure), one.place
        if confidence is not None:
            has_one_name = not _ambiguous_sides(angle) or len(figure.rays(angle.vertex)) != 2
            entity = _angle_entity(angle) if has_one_name else f"angle {angle.vertex.name}"
            facts.append(said(entity, "angle", one.label, confidence))
    return facts


def _right_angle_facts(marks: Sequence[MarkedAngle], figure: LineFigure, *, whole_lines: bool) -> list[Constraint]:
    """Pairs of segments that meet at a marked right angle, each right angle once.

    With `whole_lines` a side that goes on beyond the vertex is named whole: solutions speak of the height on AB, not on
    the piece of AB from its foot on.
    """
    lines = figure.lines if whole_lines else []

    def side_name(vertex: NamedPoint, ray: Ray) -> str:
        through = (line.name for line in lines if vertex in line.inner and {line.a, line.b} & set(ray.points))
        return next(through, ray.points[0].name + vertex.name)

    facts: dict[frozenset[str], Constraint] = {}
    for mark in marks if not _is_crowded(figure) else ():
        confidence = 0.91 if _ambiguous_sides(mark.angle) == 0 else 0.75
        first, second = (side_name(mark.angle.vertex, ray) for ray in mark.angle.rays)
        fact = relation_of("perpendicular", (first, second), confidence, mark.box)
        facts.setdefault(frozenset((first, second)), fact)
    return list(facts.values())


def _incidence_facts(ink: Ink, figure: LineFigure) -> list[Constraint]:
    """Which points lie on which lines, and which on a circle around another one, for figures with few points."""
    points = figure.points
    if len(points) > _MOST_POINTS:
        return []
    pairs = [(point.name, line.name) for line in figure.lines for point in line.inner]
    for circle in drawn_circles(points, ink):
        slack = max(_OFF_RIM * circle.radius, 4.0)
        centre = min(points, key=circle.off_centre)
        if circle.off_centre(centre) <= slack:
            on_rim = [point for point in points if abs(circle.off_centre(point) - circle.radius) <= slack]
            pairs += [(point.name, f"circle {centre.name}") for point in on_rim]
    return [Relation(type="incident", entities=pair, confidence=0.85) for pair in pairs]


_OFF_RIM = 0.04  # of a circle's radius, at least four pixels: how far off its centre or rim a named point may be


def _equal_facts(marks: Sequence[MarkedSegment]) -> list[Relation]:
    """Pairs of segments that carry the same ticks: two alone are sure; among more, any two may be the ones that count."""
    sizes = Counter(mark.count for mark in marks)
    facts = []
    for one, other in same_count(marks):
        names = f"segment {one.segment.name}", f"segment {other.segment.name}"
        facts.append(relation_of("equal", names, 0.91 if sizes[one.count] == 2 else 0.47, one.box))
    return facts


def _equal_angle_facts(marks: Sequence[MarkedAngle], measured: Sequence[Angle]) -> list[Relation]:
    """Pairs of angles that carry the same arcs, which say more than where a measure belongs.

    Of many an arc was most likely missed that would tell them apart.
    """
    marks = [mark for mark in marks if not _belongs_to_measure(mark, marks, measured)]
    sizes = Counter(mark.count for mark in marks)
    facts = []
    for one, other in equal_angles(marks):
        if sizes[one.count] <= 3:
            names = _angle_entity(one.angle), _angle_entity(other.angle)
            facts.append(relation_of("equal", names, 0.91 if sizes[one.count] == 2 else 0.5, one.box))
    return facts


def _belongs_to_measure(mark: MarkedAngle, marks: Sequence[MarkedAngle], measured: Sequence[Angle]) -> bool:
    """Whether an arc is that of the measure in its angle, and no mark: of all that are alike one other at most has none, or two have."""
    bare = [other for other in marks if other.count == mark.count and other.angle not in measured]
    with_measure = sum(other.count == mark.count for other in marks) - len(bare)
    return mark.angle in measured and (len(bare) != 1 or with_measure > 1)


def undenied_facts(facts: Sequence[Constraint], unplaced: Sequence[float] = ()) -> list[Constraint]:
    """The facts but for equalities that printed values deny: two that differ, as the marks were misread, or the value of one angle
    and another, of which it is open whose it is (`unplaced`) and which may be that of the angle without one."""
    values = {_naming(fact.entity): fact.value for fact in facts if isinstance(fact, Numeric)}

    def is_denied(fact: Constraint) -> bool:
        if not isinstance(fact, Relation) or fact.type != "equal":
            return False
        printed = [values[name] for name in map(_naming, fact.entities) if name in values]
        may_be_others = unplaced if len(printed) == 1 and fact.entities[0].startswith("angle") else ()
        return len({*printed, *may_be_others}) > 1

    return list(filterfalse(is_denied, facts))


def _naming(entity: str) -> tuple[str, str]:
    """An entity whichever way its letters run: AB is BA, angle ABC is angle CBA."""
    kind, _, name = entity.rpartition(" ")
    return kind, min(name, name[::-1])


def _parallel_facts(marks: Sequence[MarkedSegment], figure: LineFigure) -> list[Constraint]:
    """Pairs of segments that carry the same arrowheads."""
    pairs = [] if _is_crowded(figure) else parallel_pairs(marks)
    return [relation_of("parallel", (one.segment.name, other.segment.name), 0.7, one.box) for one, other in pairs]


def named_facts(ink: Ink, labels: Sequence[FigureLabel], figure: LineFigure, *, own_names: bool) -> list[Constraint]:
    """What is written and marked at named points.

    An overlay names points that the figure itself may not have; what they lie on is nothing that it shows.
    """
    measures = [label for label in with_anchors(ink, labels, figure) if label.kind != "name" and not label.subject]
    measured = _with_dimension_lines(ink, figure, labels) if measures else figure
    length_labels, angle_labels = sorted_by_place(measures, measured)
    in_angles = attach_to_angles(angle_labels, figure)
    corners = right_angles(ink, wide_angles_of(figure))
    return undenied_facts(
        [
            *_segment_facts(attach_to_segments(length_labels, measured), figure),
            *_angle_facts(in_angles, figure),
            *statement_facts(labels),
            *_right_angle_facts(corners, figure, whole_lines=own_names),
            *_equal_facts(ticked_segments(ink, figure)),
            *_equal_angle_facts(arced_angles(ink, figure), [one.place for one in in_angles]),
            *_parallel_facts(arrowed_segments(ink, figure), figure),
            *(_incidence_facts(ink, figure) if own_names else ()),
        ]
    )


_APART_PX = 12  # from the ends of a dimension line to every named point, at least


def _with_dimension_lines(ink: Ink, figure: LineFigure, labels: Sequence[FigureLabel]) -> LineFigure:
    """The figure with the dimension lines beside its segments, each under the segment's own name."""
    nothing, hidden = np.zeros_like(ink.lines), places_of(labels, ink)
    found = (drawn_aside(ink, segment, nothing, hidden) for segment in figure.segments if segment.length >= _APART_PX)
    aside = [
        segment
        for segment in filter(None, found)
        if all(end.distance(point) >= _APART_PX for end in (segment.a, segment.b) for point in figure.points)
    ]
    return replace(figure, segments=(*figure.segments, *aside))


def relation_of(kind: str, entities: tuple[str, str], confidence: float, box: Box) -> Relation:
    return Relation(type=kind, entities=entities, confidence=confidence, box=box)
