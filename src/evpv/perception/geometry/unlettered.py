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
    measures = [label for label in labels if label.kind != "name" and " " not in (label.subject or "")]
    outline = (find_solid_outline(ink) or find_outline(ink)) if measures else None
    if outline is None:
        return []
    facts = [
        *_stated_facts(outline, measures),
        *_length_facts(outline, measures),
        *_angle_facts(outline, measures),
    ]
    return [*facts, *_right_angle_facts(ink, outline)] if facts else []


def _stated_facts(outline: Outline, labels: Sequence[Label]) -> list[Constraint]:
    stated = [label for label in labels if label.subject is not None]
    return [_measure(f"{outline.kind} {label.subject}", "length", label, _STATED) for label in stated]


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
    lengths = [label for label in labels if label.subject is None and not label.degrees]
    facts: dict[tuple[str, float | None], Constraint] = {}
    for one in attach_to_segments(lengths, figure):
        entity = outline.entity_of(one.segment)
        is_alone = outline.kind in _ROUND or one.margin == math.inf
        confidence = 0.85 if is_alone else segment_confidence(one, figure)
        if confidence is not None:
            most = _VAGUE if outline.kind == "polygon" else 1.0
            facts.setdefault((entity, one.label.value), _measure(entity, "length", one.label, min(confidence, most)))
    return list(facts.values())


def _angle_facts(outline: Outline, labels: Sequence[Label]) -> list[Constraint]:
    facts = []
    for one in attach_to_angles([label for label in labels if label.degrees], outline.sides):
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
