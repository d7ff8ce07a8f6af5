"""From pixels to constraints: one call per figure, whether its points have names or its parts are told by their kind and place.

Confidences are a few levels: shares of right facts among those of a kind on a development set of 500 textbook figures. What is
right less than about one time in three is not said at all (None).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from evpv.perception.boxes import Box, resize
from evpv.perception.competition import FigureReading
from evpv.perception.compression import is_compressed
from evpv.perception.geometry.attaching import (
    Attached,
    attach,
    attach_to_angles,
    attach_to_segments,
    segment_cost,
    sorted_by_place,
    with_anchors,
)
from evpv.perception.geometry.drawing import drawing_fact
from evpv.perception.geometry.figure import Angle, Figure, Ray, Segment, build_figure, drawn_aside, wide_angles_of
from evpv.perception.geometry.ink import Ink, ink_of, light_ground
from evpv.perception.geometry.labels import (
    Label,
    capitals_in,
    parse_labels,
    places_of,
    read_statements,
    with_capitals,
    with_second_reading,
    without_angle_numbers,
)
from evpv.perception.geometry.lettering import Run, read_runs, run_of_word
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
from evpv.perception.geometry.outlines import VAGUE_KINDS, Outline, centre_name, find_outlines
from evpv.perception.geometry.overlay import NamedPoint, Overlay, overlay_scale, read_overlay, without_overlay
from evpv.perception.geometry.points import letters_on_lines, name_points, without_idle_points, without_labels
from evpv.perception.geometry.polyhedra import Part
from evpv.perception.geometry.solids import read_solid
from evpv.perception.ocr import Pixels, Word
from evpv.types import Constraint, Numeric, Relation

_CROWDED = 10  # points; figures with as many have lines that can be named in many ways


def _is_crowded(figure: Figure) -> bool:
    return len(figure.points) >= _CROWDED


def _segment_confidence(attached: Attached[Segment], figure: Figure) -> float | None:
    """For a label on a segment: how near it stands, and how much nearer than to the next segment."""
    if _is_crowded(figure):
        return None
    confidence = _part_confidence(attached)
    return 0.55 if confidence is not None and attached.place.inner else confidence


def _part_confidence(attached: Attached[Any]) -> float | None:
    if attached.cost > 1.7 or attached.margin < 0.15:
        return None
    if attached.margin < 0.4:
        return 0.55
    return 0.92 if attached.cost <= 0.8 else 0.75


def _angle_confidence(attached: Attached[Angle], figure: Figure) -> float | None:
    """For a label in an angle: whether the vertex has other angles and its sides other names."""
    nearest = 1.3 if attached.margin < math.inf else 1.8  # a label that only one angle encloses may stand far out
    if attached.cost > nearest or attached.margin < 0.1 or _is_crowded(figure):
        return None
    if attached.margin < 0.4 or _ambiguous_sides(attached.place) == 2:
        return 0.6
    if len(figure.rays(attached.place.vertex)) == 2:
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


def _segment_facts(attached: Sequence[Attached[Segment]], figure: Figure) -> list[Constraint]:
    """Lengths, and equalities of a segment and an expression."""
    facts: list[Constraint] = []
    for one in attached:
        confidence = _segment_confidence(one, figure)
        if confidence is not None and not _is_outgrown(one, attached):
            facts.append(_said(f"segment {one.place.name}", "length", one.label, confidence))
    return facts


def _statement_facts(labels: Sequence[Label]) -> list[Constraint]:
    """What labels say themselves that they measure: GD = 14 cm."""
    named = [label for label in labels if label.subject is not None and " " in label.subject]
    return [_said(label.subject or "", "angle" if label.degrees else "length", label, _STATED) for label in named]


def _is_outgrown(whole: Attached[Segment], attached: Sequence[Attached[Segment]]) -> bool:
    """Whether a labelled part of a segment is as long as its own label says of the whole: then it is another part's."""
    points = {whole.place.a, whole.place.b, *whole.place.inner}
    parts = [one for one in attached if one is not whole and {one.place.a, one.place.b} <= points]
    return whole.label.value is not None and any((part.label.value or 0.0) >= whole.label.value for part in parts)


def _angle_facts(attached: Sequence[Attached[Angle]], figure: Figure) -> list[Constraint]:
    """Measures of angles, and equalities of an angle and an expression."""
    facts: list[Constraint] = []
    for one in attached:
        confidence = _angle_confidence(one, figure)
        if confidence is not None:
            facts.append(_said(_angle_entity(one.place, figure), "angle", one.label, confidence))
    return facts


def _right_angle_facts(marks: Sequence[RightAngle], figure: Figure, *, whole_lines: bool) -> list[Constraint]:
    """Pairs of segments that meet at a marked right angle, each right angle once.

    With `whole_lines` a side that goes on beyond the vertex is named whole: solutions speak of the height on AB, not on
    the piece of AB from its foot on.
    """
    facts: dict[frozenset[str], Constraint] = {}
    for mark in marks:
        confidence = _right_angle_confidence(mark.angle, figure)
        if confidence is not None:
            first, second = (_side_name(mark.angle, ray, figure, whole_lines) for ray in mark.angle.rays)
            facts.setdefault(frozenset((first, second)), _perpendicular(first, second, confidence, mark.box))
    return list(facts.values())


def _side_name(angle: Angle, ray: Ray, figure: Figure, whole_lines: bool) -> str:
    through = [line for line in figure.lines if angle.vertex in line.inner and {line.a, line.b} & set(ray.points)]
    return through[0].name if whole_lines and through else ray.points[0].name + angle.vertex.name


def _line_facts(figure: Figure) -> list[Constraint]:
    """Which points lie on which lines, for figures with few points: one fact a point and line."""
    if len(figure.points) > _MOST_POINTS:
        return []
    return [
        Relation(type="incident", entities=(point.name, line.name), confidence=0.85)
        for line in figure.lines
        for point in line.inner
    ]


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


def _equal_angle_facts(marks: Sequence[ArcedAngle]) -> list[Constraint]:
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


def _parallel_facts(marks: Sequence[MarkedSegment], figure: Figure) -> list[Constraint]:
    """Pairs of segments that carry the same arrowheads."""
    facts: list[Constraint] = []
    for one, other in parallel_pairs(marks):
        confidence = _parallel_confidence(figure)
        if confidence is not None:
            entities = (one.segment.name, other.segment.name)
            facts.append(Relation(type="parallel", entities=entities, confidence=confidence, box=one.box))
    return facts


# Of what is written, what parts without names must account for: with less it is another figure, or one of many.
_LEAST_TOLD = 0.2
_OVERLAY = 0.8  # what a figure explains whose points someone has marked and named


def _labels(ink: Ink, words: Sequence[Word], overlay: Overlay) -> list[Label]:
    """What is written: the runs of print, or the OCR engine's words where no run measures anything (coloured print).

    A word may be an overlay's letter; so where there is an overlay, words give no names.
    """
    statements = [] if overlay.points else read_statements(words)
    if overlay.points:
        runs, names = read_runs(ink), frozenset(point.name for point in overlay.points)
    else:
        runs = _own_runs(ink, words, statements)
        names = capitals_in(runs)
    labels = parse_labels(runs, names)
    if all(label.kind == "name" for label in labels):
        others = parse_labels([run_of_word(word.text, word.box, word.confidence) for word in words], names)
        labels += [label for label in others if not (overlay.points and label.kind == "name")]
    return [*without_angle_numbers(labels), *statements]


def _own_runs(ink: Ink, words: Sequence[Word], statements: Sequence[Label]) -> list[Run]:
    """The runs of a figure that names its points itself, but for its statements: as the words bear them out, and letters on lines."""
    runs = [run for run in read_runs(ink) if not any(label.box.holds(run.box.x, run.box.y) for label in statements)]
    runs = with_capitals(with_second_reading(runs, words))
    names = capitals_in(runs)
    return [*runs, *(run for run in letters_on_lines(ink, runs) if run.reading.text not in names)]


def read_geometry(picture: Pixels, words: Sequence[Word]) -> FigureReading:
    """The facts that a geometry figure shows: lengths, angles, right angles, parallels, equalities, parts of solids."""
    light = light_ground(picture)
    scale, spoilt = overlay_scale(light), is_compressed(light)
    if scale == 1.0:
        return _read(light, words, spoilt)
    reading = _read(resize(light, scale), [replace(word, box=word.box.scaled(scale)) for word in words], spoilt)
    placed = [
        replace(fact, box=Box.of(fact.box).scaled(1 / scale)) if fact.box is not None else fact
        for fact in reading.constraints
    ]
    return replace(reading, constraints=tuple(placed))


def _read(light: Pixels, words: Sequence[Word], spoilt: bool) -> FigureReading:
    overlay = read_overlay(light)
    clean = without_overlay(light, overlay.covered)
    ink = ink_of(clean, overlay.covered, is_compressed=spoilt)
    labels = _labels(ink, words, overlay)
    # An arrowhead may pass for a label, so marks are looked for in all of the ink.
    unlabelled = without_labels(ink, [label.box for label in labels]) if not overlay.points else ink
    points = name_points(overlay.points, labels, unlabelled)
    figure = without_idle_points(build_figure(ink, points), ink)
    facts = _named_facts(ink, labels, figure, own_names=not overlay.points) if figure.segments else []
    if not facts and not overlay.points:
        parts = read_solid(light, words) or _unlettered_facts(ink, unlabelled, labels)
        is_told = _explained_share(words, labels, parts, figure) >= _LEAST_TOLD
        facts = [*_statement_facts(labels), *(parts if is_told else ())]
    explained = max(_explained_share(words, labels, facts, figure), _OVERLAY if overlay.points else 0.0)
    drawn = filter(None, (drawing_fact(figure, ink),))
    return FigureReading(kind="geometry", constraints=(*facts, *drawn), explained=explained)


def _explained_share(
    words: Sequence[Word], labels: Sequence[Label], facts: Sequence[Constraint], figure: Figure
) -> float:
    """The share of what is written that names a point of the figure or measures a part of it.

    Words that are no labels are sentences, titles, ticks: a figure of geometry has few.
    """
    used = {point.name for point in figure.points if figure.segments_at(point)}
    placed = [Box.of(fact.box) for fact in facts if fact.box is not None]
    told = sum(label.text in used or _stands_in(label, placed) for label in labels)
    others = sum(not any(word.box.holds(*label.centre) for label in labels) for word in words)
    return told / max(len(labels) + others, 1)


def _stands_in(label: Label, boxes: Sequence[Box]) -> bool:
    return any(box.holds(*label.centre) for box in boxes)


def _named_facts(ink: Ink, labels: Sequence[Label], figure: Figure, *, own_names: bool) -> list[Constraint]:
    """What is written and marked at named points.

    An overlay names points that the figure itself may not have; what they lie on is nothing that it shows.
    """
    measures = [label for label in with_anchors(ink, labels, figure) if label.kind != "name" and not label.subject]
    measured = _with_dimension_lines(ink, figure, labels) if measures else figure
    length_labels, angle_labels = sorted_by_place(measures, measured)
    corners = right_angles(ink, wide_angles_of(figure))
    return undenied_facts(
        [
            *_segment_facts(attach_to_segments(length_labels, measured), figure),
            *_angle_facts(attach_to_angles(angle_labels, figure), figure),
            *_statement_facts(labels),
            *_right_angle_facts(corners, figure, whole_lines=own_names),
            *_equal_facts(ticked_segments(ink, figure)),
            *_equal_angle_facts(arced_angles(ink, figure)),
            *_parallel_facts(arrowed_segments(ink, figure), figure),
            *(_line_facts(figure) if own_names else ()),
        ]
    )


_APART_PX = 12  # from the ends of a dimension line to every named point, at least


def _with_dimension_lines(ink: Ink, figure: Figure, labels: Sequence[Label]) -> Figure:
    """The figure with the dimension lines beside its segments, each under the segment's own name."""
    nothing, hidden = np.zeros_like(ink.lines), places_of(labels, ink)
    found = (drawn_aside(ink, segment, nothing, hidden) for segment in figure.segments if segment.length >= _APART_PX)

    def is_apart(segment: Segment) -> bool:
        ends = [(end, point) for end in (segment.a, segment.b) for point in figure.points]
        return all(math.hypot(end.x - point.x, end.y - point.y) >= _APART_PX for end, point in ends)

    aside = [segment for segment in found if segment is not None and is_apart(segment)]
    return replace(figure, segments=(*figure.segments, *aside))


_STATED_OF_PARTS = 0.85
_VAGUE = 0.55  # what is no simple figure may be no polygon at all
_ROUND = ("circle", "sphere")


def _unlettered_facts(ink: Ink, unlabelled: Ink, labels: Sequence[Label]) -> list[Constraint]:
    """The measures written at polygons, circles, boxes and solids without names, and their right angles."""
    measures = [label for label in labels if label.kind != "name" and " " not in (label.subject or "")]
    outlines = _best_outlines((unlabelled, ink), measures) if measures else []
    facts = [*_stated_facts(outlines, measures), *_length_facts(outlines, measures, labels)]
    for outline in outlines:
        facts += _part_angle_facts(outline, measures)
    return [*facts, *(fact for outline in outlines for fact in _part_right_angles(ink, outline))] if facts else []


def _best_outlines(inks: Sequence[Ink], labels: Sequence[Label]) -> list[Outline]:
    """The outlines of the ink in which most are of a known kind; print that touches a line is part of it, or cuts it where taken out."""
    found = [find_outlines(ink, labels) for ink in inks]
    return max(found, key=lambda outlines: sum(outline.kind not in VAGUE_KINDS for outline in outlines), default=[])


def _stated_facts(outlines: Sequence[Outline], labels: Sequence[Label]) -> list[Constraint]:
    kind = outlines[0].kind if outlines else ""
    stated = [label for label in labels if label.subject is not None and outlines]
    return [_said(f"{kind} {label.subject}", "length", label, _STATED_OF_PARTS) for label in stated]


_INSIDE = 0.5  # what a label in a figure pays for a side of it, where a line runs inside that it may belong to


def _length_facts(outlines: Sequence[Outline], labels: Sequence[Label], names: Sequence[Label]) -> list[Constraint]:
    """Each label at the part that it stands at; one label measures all parts of a name."""
    parts = [(outline, part) for outline in outlines for part in outline.parts]
    lengths = [label for label in labels if label.subject is None and not label.degrees]
    facts: dict[tuple[str, float | None], Constraint] = {}
    for one in attach(lengths, parts, _part_cost, lambda place: place[1].entity):
        outline, part = one.place
        confidence = _outline_confidence(one)
        if confidence is not None:
            fact = _said(part.entity, "length", one.label, confidence)
            facts.setdefault((part.entity, one.label.value), _of_named_circle(fact, centre_name(outline, names)))
    return list(facts.values())


def _outline_confidence(attached: Attached[tuple[Outline, Part]]) -> float | None:
    """As for a segment; sure where a label can belong to nothing else, and never where the outline may be none."""
    kind = attached.place[0].kind
    confidence = 0.85 if kind in _ROUND or attached.margin == math.inf else _part_confidence(attached)
    return _VAGUE if confidence is not None and kind in VAGUE_KINDS else confidence


def _part_cost(label: Label, place: tuple[Outline, Part]) -> float:
    outline, part = place
    is_beside = not part.is_inner and outline.holds(label) and any(one.is_inner for one in outline.parts)
    return segment_cost(label, part.segment) + (_INSIDE if is_beside else 0.0)


def _of_named_circle(fact: Constraint, name: str | None) -> Constraint:
    """A circle's radius or diameter, of the circle around a letter."""
    if name is None or not isinstance(fact, Numeric):
        return fact
    return replace(fact, entity=f"circle {name}", attribute=fact.entity.split()[-1])


def _part_angle_facts(outline: Outline, labels: Sequence[Label]) -> list[Constraint]:
    facts = []
    for one in attach_to_angles([label for label in labels if label.degrees], outline.sides):
        confidence = _angle_confidence(one, outline.sides)
        if confidence is not None:
            facts.append(_said(f"{outline.kind} angle", "angle", one.label, confidence))
    return facts


def _part_right_angles(ink: Ink, outline: Outline) -> list[Constraint]:
    """The right angle of a triangle, said of its legs, and that of a height; those of a rectangle go without saying."""
    if outline.kind == "triangle" and (marks := right_angles(ink, wide_angles_of(outline.sides))):
        return [_perpendicular("triangle leg", "triangle leg", 0.8, marks[0].box)]
    for part in outline.parts:
        if part.is_inner and part.entity.endswith("height") and outline.sides.segments:
            foot = part.segment.b
            side = min(outline.sides.segments, key=lambda one: abs(_off(one, foot)))
            ends = [Segment(a=foot, b=end) for end in (side.a, side.b, part.segment.a)]
            corner = Figure(points=(foot, side.a, side.b, part.segment.a), segments=tuple(ends))
            if marks := right_angles(ink, wide_angles_of(corner)):
                return [_perpendicular(part.entity, f"{outline.kind} base", 0.8, marks[0].box)]
    return []


def _off(side: Segment, point: NamedPoint) -> float:
    """How far a point is off a side, across."""
    dx, dy = side.b.x - side.a.x, side.b.y - side.a.y
    return ((point.x - side.a.x) * dy - (point.y - side.a.y) * dx) / side.length


def _perpendicular(one: str, other: str, confidence: float, box: Box) -> Relation:
    return Relation(type="perpendicular", entities=(one, other), confidence=confidence, box=box)
