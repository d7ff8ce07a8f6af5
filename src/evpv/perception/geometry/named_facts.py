"""What is written and marked at named points, as facts with confidences.

Confidences are a few levels: shares of right facts among those of a kind on a development set of 500 textbook figures. What is
right less than about one time in three is not said at all (None).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeGuard

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
    ArcedAngle,
    MarkedSegment,
    RightAngle,
    arced_angles,
    arrowed_segments,
    equal_angles,
    parallel_pairs,
    right_angles,
    same_count,
    ticked_segments,
)
from evpv.types import Constraint, Numeric, Relation

_CROWDED = 10  # points; figures with as many have lines that can be named in many ways


def _is_crowded(figure: LineFigure) -> bool:
    return len(figure.points) >= _CROWDED


def _segment_confidence(attached: Attached[LineSegment], figure: LineFigure) -> float | None:
    """For a label on a segment: how near it stands, and how much nearer than to the next segment."""
    if _is_crowded(figure):
        return None
    confidence = part_confidence(attached)
    return 0.55 if confidence is not None and attached.place.inner else confidence


def part_confidence(attached: Attached[Any]) -> float | None:
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
    if len(figure.rays(attached.place.vertex)) == 2:
        return 0.95
    return 0.8


def _right_angle_confidence(angle: Angle, figure: LineFigure) -> float | None:
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


_STATED = 0.9  # how often a label that names what it measures is read right
_MOST_POINTS = 8  # where there are more, few of the lines they lie on are spoken of


def _angle_name(angle: Angle) -> str:
    return angle.first.points[0].name + angle.vertex.name + angle.second.points[0].name


def _angle_entity(angle: Angle, figure: LineFigure) -> str:
    """Three letters; the vertex alone where it has one angle only and its sides could be named in several ways."""
    several_names = len(angle.first.points) > 1 or len(angle.second.points) > 1
    if several_names and len(figure.rays(angle.vertex)) == 2:
        return f"angle {angle.vertex.name}"
    return f"angle {_angle_name(angle)}"


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
    for one in attached:
        confidence = _segment_confidence(one, figure)
        if confidence is not None and not _is_outgrown(one, attached):
            facts.append(said(f"segment {one.place.name}", "length", one.label, confidence))
    return facts


def statement_facts(labels: Sequence[FigureLabel]) -> list[Constraint]:
    """What labels say themselves that they measure: GD = 14 cm."""
    named = [label for label in labels if label.subject is not None and " " in label.subject]
    return [said(label.subject or "", "angle" if label.degrees else "length", label, _STATED) for label in named]


def _is_outgrown(whole: Attached[LineSegment], attached: Sequence[Attached[LineSegment]]) -> bool:
    """Whether a labelled part of a segment is as long as its own label says of the whole: then it is another part's."""
    points = {whole.place.a, whole.place.b, *whole.place.inner}
    parts = [one for one in attached if one is not whole and {one.place.a, one.place.b} <= points]
    return whole.label.value is not None and any((part.label.value or 0.0) >= whole.label.value for part in parts)


def _angle_facts(attached: Sequence[Attached[Angle]], figure: LineFigure) -> list[Constraint]:
    """Measures of angles, and equalities of an angle and an expression."""
    facts: list[Constraint] = []
    for one in attached:
        confidence = angle_confidence(one, figure)
        if confidence is not None:
            facts.append(said(_angle_entity(one.place, figure), "angle", one.label, confidence))
    return facts


def _right_angle_facts(marks: Sequence[RightAngle], figure: LineFigure, *, whole_lines: bool) -> list[Constraint]:
    """Pairs of segments that meet at a marked right angle, each right angle once.

    With `whole_lines` a side that goes on beyond the vertex is named whole: solutions speak of the height on AB, not on
    the piece of AB from its foot on.
    """
    facts: dict[frozenset[str], Constraint] = {}
    for mark in marks:
        confidence = _right_angle_confidence(mark.angle, figure)
        if confidence is not None:
            first, second = (_side_name(mark.angle, ray, figure, whole_lines) for ray in mark.angle.rays)
            facts.setdefault(frozenset((first, second)), perpendicular(first, second, confidence, mark.box))
    return list(facts.values())


def _side_name(angle: Angle, ray: Ray, figure: LineFigure, whole_lines: bool) -> str:
    through = [line for line in figure.lines if angle.vertex in line.inner and {line.a, line.b} & set(ray.points)]
    return through[0].name if whole_lines and through else ray.points[0].name + angle.vertex.name


def _line_facts(figure: LineFigure) -> list[Constraint]:
    """Which points lie on which lines, for figures with few points: one fact a point and line."""
    if len(figure.points) > _MOST_POINTS:
        return []
    return [_incident(point.name, line.name) for line in figure.lines for point in line.inner]


_OFF_RIM = 0.04  # of a circle's radius, at least four pixels: how far off its centre or rim a named point may be


def _rim_facts(ink: Ink, figure: LineFigure) -> list[Constraint]:
    """Which points lie on a circle that is drawn around another one."""
    points = figure.points if len(figure.points) <= _MOST_POINTS else ()
    facts: list[Constraint] = []
    for circle in drawn_circles(points, ink):
        slack = max(_OFF_RIM * circle.radius, 4.0)
        centre = min(points, key=circle.off_centre)
        if circle.off_centre(centre) <= slack:
            on_rim = [point for point in points if abs(circle.off_centre(point) - circle.radius) <= slack]
            facts += [_incident(point.name, f"circle {centre.name}") for point in on_rim]
    return facts


def _incident(point: str, line: str) -> Relation:
    return Relation(type="incident", entities=(point, line), confidence=0.85)


def _equal_facts(marks: Sequence[MarkedSegment]) -> list[Constraint]:
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


def _equal_angle_facts(marks: Sequence[ArcedAngle], measured: Sequence[Angle]) -> list[Constraint]:
    """Pairs of angles that carry the same arcs, which say more than where a measure belongs."""
    marks = [mark for mark in marks if not _belongs_to_measure(mark, marks, measured)]
    sizes = Counter(mark.count for mark in marks)
    facts: list[Constraint] = []
    for one, other in equal_angles(marks):
        confidence = _arc_confidence(sizes[one.count])
        if confidence is not None:
            entities = (f"angle {_angle_name(one.angle)}", f"angle {_angle_name(other.angle)}")
            facts.append(Relation(type="equal", entities=entities, confidence=confidence, box=one.box))
    return facts


def _belongs_to_measure(mark: ArcedAngle, marks: Sequence[ArcedAngle], measured: Sequence[Angle]) -> bool:
    """Whether an arc is that of the measure in its angle, and no mark: of all that are alike one other at most has none, or two have."""
    bare = [other for other in marks if other.count == mark.count and other.angle not in measured]
    with_measure = sum(other.count == mark.count for other in marks) - len(bare)
    return mark.angle in measured and (len(bare) != 1 or with_measure > 1)


def undenied_facts(facts: Sequence[Constraint], unplaced: Sequence[float] = ()) -> list[Constraint]:
    """The facts but for equalities that printed values deny: two that differ, as the marks were misread, or the value of one angle
    and another, of which it is open whose it is (`unplaced`) and which may be that of the angle without one."""
    values = {_naming(fact.entity): fact.value for fact in facts if isinstance(fact, Numeric)}
    return [fact for fact in facts if not (_is_equality(fact) and _is_denied(fact.entities, values, unplaced))]


def _is_equality(fact: Constraint) -> TypeGuard[Relation]:
    return isinstance(fact, Relation) and fact.type == "equal"


def _is_denied(entities: Sequence[str], values: Mapping[tuple[str, str], float], unplaced: Sequence[float]) -> bool:
    printed = [values[name] for name in map(_naming, entities) if name in values]
    may_be_others = unplaced if len(printed) == 1 and entities[0].startswith("angle") else ()
    return len({*printed, *may_be_others}) > 1


def _naming(entity: str) -> tuple[str, str]:
    """An entity whichever way its letters run: AB is BA, angle ABC is angle CBA."""
    kind, _, name = entity.rpartition(" ")
    return kind, min(name, name[::-1])


def _parallel_facts(marks: Sequence[MarkedSegment], figure: LineFigure) -> list[Constraint]:
    """Pairs of segments that carry the same arrowheads."""
    if _is_crowded(figure):
        return []
    pairs = [(one, (one.segment.name, other.segment.name)) for one, other in parallel_pairs(marks)]
    return [Relation(type="parallel", entities=names, confidence=0.7, box=one.box) for one, names in pairs]


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
            *((*_line_facts(figure), *_rim_facts(ink, figure)) if own_names else ()),
        ]
    )


_APART_PX = 12  # from the ends of a dimension line to every named point, at least


def _with_dimension_lines(ink: Ink, figure: LineFigure, labels: Sequence[FigureLabel]) -> LineFigure:
    """The figure with the dimension lines beside its segments, each under the segment's own name."""
    nothing, hidden = np.zeros_like(ink.lines), places_of(labels, ink)
    found = (drawn_aside(ink, segment, nothing, hidden) for segment in figure.segments if segment.length >= _APART_PX)

    def is_apart(segment: LineSegment) -> bool:
        ends = [(end, point) for end in (segment.a, segment.b) for point in figure.points]
        return all(math.hypot(end.x - point.x, end.y - point.y) >= _APART_PX for end, point in ends)

    aside = [segment for segment in found if segment is not None and is_apart(segment)]
    return replace(figure, segments=(*figure.segments, *aside))


def perpendicular(one: str, other: str, confidence: float, box: Box) -> Relation:
    return Relation(type="perpendicular", entities=(one, other), confidence=confidence, box=box)
