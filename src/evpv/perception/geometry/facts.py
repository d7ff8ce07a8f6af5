"""Attached labels and marks as constraints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from evpv.perception.geometry.angles import Angle
from evpv.perception.geometry.arcs import ArcedAngle, equal_angles
from evpv.perception.geometry.attaching import AngleLabel, SegmentLabel
from evpv.perception.geometry.confidence import (
    angle_confidence,
    arc_confidence,
    parallel_confidence,
    right_angle_confidence,
    segment_confidence,
    tick_confidence,
)
from evpv.perception.geometry.figure import Figure, Segment
from evpv.perception.geometry.labels import Label
from evpv.perception.geometry.marks import MarkedSegment, parallel_pairs, same_count
from evpv.perception.geometry.right_angles import RightAngle
from evpv.types import Constraint, Numeric, Relation

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
