"""Attached labels and marks as constraints, and how surely they are said.

Confidences are a few levels: shares of right facts among those of a kind on a development set of 500 textbook figures.
What is right less than about one time in three is not said at all (None).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from evpv.perception.geometry.angle_marks import ArcedAngle, RightAngle, equal_angles
from evpv.perception.geometry.attaching import AngleLabel, SegmentLabel
from evpv.perception.geometry.figure import Angle, Figure, Segment
from evpv.perception.geometry.labels import Label
from evpv.perception.geometry.line_marks import MarkedSegment, parallel_pairs, same_count
from evpv.types import Constraint, Numeric, Relation

_CROWDED = 10  # points; figures with as many have lines that can be named in many ways


def _is_crowded(figure: Figure) -> bool:
    return len(figure.points) >= _CROWDED


def segment_confidence(attached: SegmentLabel, figure: Figure) -> float | None:
    """For a label on a segment: how near it stands, and how much nearer than to the next segment."""
    if attached.cost > 1.7 or attached.margin < 0.15 or _is_crowded(figure):
        return None
    if attached.margin < 0.4 or attached.segment.inner:
        return 0.55
    return 0.92 if attached.cost <= 0.8 else 0.75


def angle_confidence(attached: AngleLabel, figure: Figure) -> float | None:
    """For a label in an angle: whether the vertex has other angles and its sides other names."""
    nearest = 1.3 if attached.margin < math.inf else 1.8  # a label that only one angle encloses may stand far out
    if attached.cost > nearest or attached.margin < 0.1 or _is_crowded(figure):
        return None
    if attached.margin < 0.4 or _ambiguous_sides(attached.angle) == 2:
        return 0.6
    if len(figure.rays(attached.angle.vertex)) == 2:
        return 0.95
    return 0.8


def right_angle_confidence(angle: Angle, figure: Figure) -> float | None:
    """For a square at a vertex: whether its sides have other names."""
    if _is_crowded(figure):
        return None
    return 0.91 if _ambiguous_sides(angle) == 0 else 0.75


def _ambiguous_sides(angle: Angle) -> int:
    return (len(angle.first.points) > 1) + (len(angle.second.points) > 1)


def tick_confidence(group_size: int) -> float:
    """For equal ticks: pairs are sure; among more, any two may be the ones that count."""
    return 0.91 if group_size == 2 else 0.47


def arc_confidence(group_size: int) -> float | None:
    """For equal arcs: pairs are sure; of many an arc was most likely missed that would tell them apart."""
    if group_size > 3:
        return None
    return 0.91 if group_size == 2 else 0.5


def parallel_confidence(figure: Figure) -> float | None:
    """For arrowheads: lines with many named points can be named in many ways."""
    return None if _is_crowded(figure) else 0.7


_MOST_POINTS = 5  # where there are more, few of the lines they lie on are spoken of


def _angle_name(angle: Angle) -> str:
    return angle.first.points[0].name + angle.vertex.name + angle.second.points[0].name


def _angle_entity(angle: Angle, figure: Figure) -> str:
    """Three letters; the vertex alone where it has one angle only and its sides could be named in several ways."""
    several_names = len(angle.first.points) > 1 or len(angle.second.points) > 1
    if several_names and len(figure.rays(angle.vertex)) == 2:
        return f"angle {angle.vertex.name}"
    return f"angle {_angle_name(angle)}"


def _said(entity: str, attribute: str, label: Label, confidence: float) -> Constraint:
    """What a label says of an entity: a measure, or its equality with an expression."""
    if label.value is None:
        return Relation(type="equal", entities=(entity, label.text), confidence=confidence, box=label.box)
    unit = "deg" if attribute == "angle" else label.unit
    return Numeric(
        entity=entity, attribute=attribute, value=label.value, unit=unit, confidence=confidence, box=label.box
    )


def segment_facts(attached: Sequence[SegmentLabel], figure: Figure) -> list[Constraint]:
    """Lengths, and equalities of a segment and an expression."""
    facts: list[Constraint] = []
    for one in attached:
        confidence = segment_confidence(one, figure)
        if confidence is not None:
            facts.append(_said(f"segment {one.segment.name}", "length", one.label, confidence))
    return facts


def angle_facts(attached: Sequence[AngleLabel], figure: Figure) -> list[Constraint]:
    """Measures of angles, and equalities of an angle and an expression."""
    facts: list[Constraint] = []
    for one in attached:
        confidence = angle_confidence(one, figure)
        if confidence is not None:
            facts.append(_said(_angle_entity(one.angle, figure), "angle", one.label, confidence))
    return facts


def right_angle_facts(marks: Sequence[RightAngle], figure: Figure) -> list[Constraint]:
    """Pairs of segments that meet at a marked right angle."""
    facts: list[Constraint] = []
    for mark in marks:
        confidence = right_angle_confidence(mark.angle, figure)
        if confidence is not None:
            vertex = mark.angle.vertex.name
            entities = (mark.angle.first.points[0].name + vertex, mark.angle.second.points[0].name + vertex)
            facts.append(Relation(type="perpendicular", entities=entities, confidence=confidence, box=mark.box))
    return facts


def line_facts(marks: Sequence[RightAngle], figure: Figure) -> list[Constraint]:
    """Which points lie on which lines, and right angles said of whole lines, for figures with few points.

    Solutions speak of the height on AB, not on the piece of AB from its foot on.
    """
    if len(figure.points) > _MOST_POINTS:
        return []
    lines = [segment for segment in figure.segments if segment.inner]
    facts: list[Constraint] = []
    for line in lines:
        for point in line.inner:
            a, b, inner = line.a.name, line.b.name, point.name
            for entities in ((inner, a + b), (b, a + inner), (a, inner + b)):
                facts.append(Relation(type="incident", entities=entities, confidence=0.85))
            for mark in (mark for mark in marks if mark.angle.vertex == point):
                facts += _across(mark, line, figure)
    return facts


def _across(mark: RightAngle, line: Segment, figure: Figure) -> list[Constraint]:
    """A marked right angle at a point of a line, between the side that is not on the line and the whole line."""
    sides = [side for side in (mark.angle.first, mark.angle.second) if not {line.a, line.b} & set(side.points)]
    confidence = right_angle_confidence(mark.angle, figure)
    if len(sides) != 1 or confidence is None:
        return []
    entities = (sides[0].points[0].name + mark.angle.vertex.name, line.name)
    return [Relation(type="perpendicular", entities=entities, confidence=confidence, box=mark.box)]


def equal_facts(marks: Sequence[MarkedSegment]) -> list[Constraint]:
    """Pairs of segments that carry the same ticks."""
    sizes = Counter(mark.count for mark in marks)
    return [
        Relation(
            type="equal",
            entities=(f"segment {one.segment.name}", f"segment {other.segment.name}"),
            confidence=tick_confidence(sizes[one.count]),
            box=one.box,
        )
        for one, other in same_count(marks)
    ]


def equal_angle_facts(marks: Sequence[ArcedAngle]) -> list[Constraint]:
    """Pairs of angles that carry the same arcs."""
    sizes = Counter(mark.count for mark in marks)
    facts: list[Constraint] = []
    for one, other in equal_angles(marks):
        confidence = arc_confidence(sizes[one.count])
        if confidence is not None:
            entities = (f"angle {_angle_name(one.angle)}", f"angle {_angle_name(other.angle)}")
            facts.append(Relation(type="equal", entities=entities, confidence=confidence, box=one.box))
    return facts


def parallel_facts(marks: Sequence[MarkedSegment], figure: Figure) -> list[Constraint]:
    """Pairs of segments that carry the same arrowheads."""
    facts: list[Constraint] = []
    for one, other in parallel_pairs(marks):
        confidence = parallel_confidence(figure)
        if confidence is not None:
            entities = (one.segment.name, other.segment.name)
            facts.append(Relation(type="parallel", entities=entities, confidence=confidence, box=one.box))
    return facts
