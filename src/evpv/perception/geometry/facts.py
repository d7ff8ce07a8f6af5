"""Attached labels and marks as constraints, and how surely they are said.

Confidences are a few levels: shares of right facts among those of a kind on a development set of 500 textbook figures.
What is right less than about one time in three is not said at all (None).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from evpv.perception.geometry.attaching import AngleLabel, SegmentLabel
from evpv.perception.geometry.figure import Angle, Figure, Ray
from evpv.perception.geometry.labels import Label
from evpv.perception.geometry.marks import (
    ArcedAngle,
    MarkedSegment,
    RightAngle,
    equal_angles,
    parallel_pairs,
    same_count,
)
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


def _right_angle_confidence(angle: Angle, figure: Figure) -> float | None:
    """For a square at a vertex: whether its sides have other names."""
    if _is_crowded(figure):
        return None
    return 0.91 if _ambiguous_sides(angle) == 0 else 0.75


def _ambiguous_sides(angle: Angle) -> int:
    return (len(angle.first.points) > 1) + (len(angle.second.points) > 1)


def _tick_confidence(group_size: int) -> float:
    """For equal ticks: pairs are sure; among more, any two may be the ones that count."""
    return 0.91 if group_size == 2 else 0.47


def _arc_confidence(group_size: int) -> float | None:
    """For equal arcs: pairs are sure; of many an arc was most likely missed that would tell them apart."""
    if group_size > 3:
        return None
    return 0.91 if group_size == 2 else 0.5


def _parallel_confidence(figure: Figure) -> float | None:
    """For arrowheads: lines with many named points can be named in many ways."""
    return None if _is_crowded(figure) else 0.7


_STATED = 0.9  # how often a label that names what it measures is read right
_MOST_POINTS = 8  # where there are more, few of the lines they lie on are spoken of


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
        if confidence is not None and not _is_outgrown(one, attached):
            facts.append(_said(f"segment {one.segment.name}", "length", one.label, confidence))
    return facts


def statement_facts(labels: Sequence[Label]) -> list[Constraint]:
    """What labels say themselves that they measure: GD = 14 cm."""
    named = [label for label in labels if label.subject is not None and " " in label.subject]
    return [_said(label.subject or "", "angle" if label.degrees else "length", label, _STATED) for label in named]


def _is_outgrown(whole: SegmentLabel, attached: Sequence[SegmentLabel]) -> bool:
    """Whether a labelled part of a segment is as long as its own label says of the whole: then it is another part's."""
    points = {whole.segment.a, whole.segment.b, *whole.segment.inner}
    parts = [one for one in attached if one is not whole and {one.segment.a, one.segment.b} <= points]
    return whole.label.value is not None and any((part.label.value or 0.0) >= whole.label.value for part in parts)


def angle_facts(attached: Sequence[AngleLabel], figure: Figure) -> list[Constraint]:
    """Measures of angles, and equalities of an angle and an expression."""
    facts: list[Constraint] = []
    for one in attached:
        confidence = angle_confidence(one, figure)
        if confidence is not None:
            facts.append(_said(_angle_entity(one.angle, figure), "angle", one.label, confidence))
    return facts


def right_angle_facts(marks: Sequence[RightAngle], figure: Figure, *, whole_lines: bool) -> list[Constraint]:
    """Pairs of segments that meet at a marked right angle, each right angle once.

    With `whole_lines` a side that goes on beyond the vertex is named whole: solutions speak of the height on AB, not on
    the piece of AB from its foot on.
    """
    facts: dict[frozenset[str], Constraint] = {}
    for mark in marks:
        confidence = _right_angle_confidence(mark.angle, figure)
        if confidence is not None:
            first, second = (_side_name(mark.angle, ray, figure, whole_lines) for ray in mark.angle.rays)
            relation = Relation(type="perpendicular", entities=(first, second), confidence=confidence, box=mark.box)
            facts.setdefault(frozenset((first, second)), relation)
    return list(facts.values())


def _side_name(angle: Angle, ray: Ray, figure: Figure, whole_lines: bool) -> str:
    through = [line for line in figure.lines if angle.vertex in line.inner and {line.a, line.b} & set(ray.points)]
    return through[0].name if whole_lines and through else ray.points[0].name + angle.vertex.name


def line_facts(figure: Figure) -> list[Constraint]:
    """Which points lie on which lines, for figures with few points: one fact a point and line."""
    if len(figure.points) > _MOST_POINTS:
        return []
    return [
        Relation(type="incident", entities=(point.name, line.name), confidence=0.85)
        for line in figure.lines
        for point in line.inner
    ]


def equal_facts(marks: Sequence[MarkedSegment]) -> list[Constraint]:
    """Pairs of segments that carry the same ticks."""
    sizes = Counter(mark.count for mark in marks)
    return [
        Relation(
            type="equal",
            entities=(f"segment {one.segment.name}", f"segment {other.segment.name}"),
            confidence=_tick_confidence(sizes[one.count]),
            box=one.box,
        )
        for one, other in same_count(marks)
    ]


def equal_angle_facts(marks: Sequence[ArcedAngle]) -> list[Constraint]:
    """Pairs of angles that carry the same arcs."""
    sizes = Counter(mark.count for mark in marks)
    facts: list[Constraint] = []
    for one, other in equal_angles(marks):
        confidence = _arc_confidence(sizes[one.count])
        if confidence is not None:
            entities = (f"angle {_angle_name(one.angle)}", f"angle {_angle_name(other.angle)}")
            facts.append(Relation(type="equal", entities=entities, confidence=confidence, box=one.box))
    return facts


def undenied_facts(facts: Sequence[Constraint]) -> list[Constraint]:
    """The facts but for equalities of two measures whose printed values differ: the marks were misread."""
    values = {_naming(fact.entity): fact.value for fact in facts if isinstance(fact, Numeric)}

    def is_denied(fact: Constraint) -> bool:
        if not isinstance(fact, Relation) or fact.type != "equal":
            return False
        printed = {values[_naming(entity)] for entity in fact.entities if _naming(entity) in values}
        return len(printed) > 1

    return [fact for fact in facts if not is_denied(fact)]


def _naming(entity: str) -> tuple[str, str]:
    """An entity whichever way its letters run: AB is BA, angle ABC is angle CBA."""
    kind, _, name = entity.rpartition(" ")
    return kind, min(name, name[::-1])


def parallel_facts(marks: Sequence[MarkedSegment], figure: Figure) -> list[Constraint]:
    """Pairs of segments that carry the same arrowheads."""
    facts: list[Constraint] = []
    for one, other in parallel_pairs(marks):
        confidence = _parallel_confidence(figure)
        if confidence is not None:
            entities = (one.segment.name, other.segment.name)
            facts.append(Relation(type="parallel", entities=entities, confidence=confidence, box=one.box))
    return facts
