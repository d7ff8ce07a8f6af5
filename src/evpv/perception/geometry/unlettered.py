"""What is written at a figure without names, said of its parts by their kind and place."""

from __future__ import annotations

import math
from collections.abc import Sequence

from evpv.perception.geometry.angle_marks import right_angles
from evpv.perception.geometry.attaching import attach_to_angles, attach_to_segments
from evpv.perception.geometry.facts import angle_confidence, segment_confidence
from evpv.perception.geometry.figure import Figure, wide_angles_of
from evpv.perception.geometry.ink import Ink
from evpv.perception.geometry.labels import Label
from evpv.perception.geometry.outlines import Outline, find_outline
from evpv.perception.geometry.solids import find_solid_outline
from evpv.types import Constraint, Numeric, Relation

_STATED = 0.85
_VAGUE = 0.55  # what is no simple figure may be no polygon at all
_ROUND = ("circle", "sphere")


def unlettered_facts(ink: Ink, labels: Sequence[Label]) -> list[Constraint]:
    """The measures written at a polygon, circle, box or solid of revolution without names, and its right angles."""
    measures = [
        label for label in labels if label.kind != "name" and (label.subject is None or " " not in label.subject)
    ]
    outline = (find_solid_outline(ink) or find_outline(ink)) if measures else None
    if outline is None:
        return []
    stated = [label for label in measures if label.subject is not None]
    lengths = [label for label in measures if label.subject is None and not label.degrees]
    angles = [label for label in measures if label.degrees]
    facts = [
        *(_measure(f"{outline.kind} {label.subject}", "length", label, _STATED) for label in stated),
        *_length_facts(outline, lengths),
        *_angle_facts(outline, angles),
    ]
    return [*facts, *_right_angle_facts(ink, outline)] if facts else []


def _measure(entity: str, attribute: str, label: Label, confidence: float) -> Constraint:
    if label.value is None:
        return Relation(type="equal", entities=(entity, label.text), confidence=confidence, box=label.box)
    return Numeric(
        entity=entity,
        attribute=attribute,
        value=label.value,
        unit="deg" if attribute == "angle" else label.unit,
        confidence=confidence,
        box=label.box,
    )


def _length_facts(outline: Outline, labels: Sequence[Label]) -> list[Constraint]:
    """Each label at the part that it stands at; one label measures all parts of a name."""
    segments = tuple(part.segment for part in outline.parts)
    figure = Figure(points=outline.sides.points, segments=segments)
    facts: dict[tuple[str, float | None], Constraint] = {}
    for one in attach_to_segments(labels, figure):
        entity = outline.entity_of(one.segment)
        alone = one.margin if outline.kind not in _ROUND else math.inf
        confidence = segment_confidence(one, figure) if alone < math.inf else 0.85
        if confidence is not None:
            confidence = min(confidence, _VAGUE) if outline.kind == "polygon" else confidence
            facts.setdefault((entity, one.label.value), _measure(entity, "length", one.label, confidence))
    return list(facts.values())


def _angle_facts(outline: Outline, labels: Sequence[Label]) -> list[Constraint]:
    facts = []
    for one in attach_to_angles(labels, outline.sides):
        confidence = angle_confidence(one, outline.sides)
        if confidence is not None:
            facts.append(_measure(f"{outline.kind} angle", "angle", one.label, confidence))
    return facts


def _right_angle_facts(ink: Ink, outline: Outline) -> list[Constraint]:
    """The right angle of a triangle, said of its legs; those of a rectangle go without saying."""
    marks = right_angles(ink, wide_angles_of(outline.sides)) if outline.kind == "triangle" else []
    return [
        Relation(type="perpendicular", entities=("triangle leg", "triangle leg"), confidence=0.8, box=mark.box)
        for mark in marks[:1]
    ]
