"""From pixels to constraints: one call per figure, whether its points have names or its parts are told by their kind and place."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from itertools import filterfalse, islice

import numpy as np

from evpv.perception.boxes import Box, resize
from evpv.perception.competition import FigureReading
from evpv.perception.geometry.attaching import Attached, attach, attach_to_angles, segment_cost, sorted_by_place
from evpv.perception.geometry.drawing import drawing_fact
from evpv.perception.geometry.enclosures import enclosures
from evpv.perception.geometry.figure import LineFigure, LineSegment, build_figure, wide_angles_of
from evpv.perception.geometry.ink import Ink, ink_of, light_ground, with_fill_rims
from evpv.perception.geometry.labels import (
    FigureLabel,
    capitals_in,
    parse_labels,
    read_statements,
    with_cases,
    with_second_reading,
    without_angle_numbers,
    without_specks,
)
from evpv.perception.geometry.lettering import Run, read_runs, run_of_word
from evpv.perception.geometry.marks import right_angles, same_count, ticked_segments
from evpv.perception.geometry.named_facts import (
    angle_confidence,
    named_facts,
    part_confidence,
    perpendicular,
    said,
    statement_facts,
    undenied_facts,
)
from evpv.perception.geometry.named_lines import line_relations
from evpv.perception.geometry.outlines import VAGUE_KINDS, centre_name, find_outlines, is_same_line
from evpv.perception.geometry.overlay import NamedPoint, Overlay, overlay_scale, read_overlay, without_overlay
from evpv.perception.geometry.points import at_marks, name_points, with_centres, without_idle_points, without_labels
from evpv.perception.geometry.polyhedra import Outline, OutlinePart
from evpv.perception.geometry.solids import read_solid
from evpv.perception.images import is_compressed
from evpv.perception.ocr import Pixels, Word
from evpv.types import Constraint, Numeric, Relation

# Of what is written, what parts without names must account for: with less it is another figure, or one of many.
_LEAST_TOLD = 0.2
_LITTLE, _DOUBTED = 0.2, 0.6  # where less of what is written is explained, noise may have been taken for a figure
_OVERLAY = 0.8  # what a figure explains whose points someone has marked and named


def _labels(ink: Ink, words: Sequence[Word], overlay: Overlay) -> list[FigureLabel]:
    """What is written: the runs of print, or the OCR engine's words where no run measures anything (coloured print).

    A word may be an overlay's letter; so where there is an overlay, words give no names.
    """
    statements = [] if overlay.points else read_statements(words)
    if overlay.points:
        runs, names = with_cases(read_runs(ink)), frozenset(point.name for point in overlay.points)
    else:
        runs = _own_runs(ink, words, statements)
        names = capitals_in(runs)
    labels = parse_labels(runs, names)
    if all(label.kind == "name" for label in labels):
        others = parse_labels([run_of_word(word.text, word.box, word.confidence) for word in words], names)
        labels += [label for label in others if not (overlay.points and label.kind == "name")]
    return [*without_angle_numbers(without_specks(labels)), *statements]


def _own_runs(ink: Ink, words: Sequence[Word], statements: Sequence[FigureLabel]) -> list[Run]:
    """The runs of a figure that names its points itself, but for its statements: as the words bear them out."""
    runs = [run for run in read_runs(ink) if not any(label.box.holds(run.box.x, run.box.y) for label in statements)]
    return with_cases(with_second_reading(runs, words))


_USUAL_SIDE_PX = 480.0  # of a figure whose ticks, squares and dashes have the usual size; smaller ones are enlarged
_MOST_ENLARGED = 2.0


def read_geometry(picture: Pixels, words: Sequence[Word]) -> FigureReading:
    """The facts that a geometry figure shows: lengths, angles, right angles, parallels, equalities, parts of solids."""
    light = light_ground(picture)
    scale, spoilt = overlay_scale(light), is_compressed(light)
    sized = resize(light, scale)
    overlay = read_overlay(sized, is_compressed=spoilt)
    if not overlay.points:
        scale = float(np.clip(_USUAL_SIDE_PX / max(light.shape[:2]), 1.0, _MOST_ENLARGED))
        sized = resize(light, scale)
        overlay = Overlay(points=(), covered=np.zeros(sized.shape[:2], np.uint8))
    reading = _read(sized, [replace(word, box=word.box.times(scale)) for word in words], overlay, spoilt)
    placed = [
        replace(fact, box=Box.of(fact.box).times(1 / scale)) if fact.box is not None else fact
        for fact in reading.constraints
    ]
    return replace(reading, constraints=tuple(placed))


def _read(light: Pixels, words: Sequence[Word], overlay: Overlay, spoilt: bool) -> FigureReading:
    clean = without_overlay(light, overlay.covered)
    ink = ink_of(clean, overlay.covered, is_compressed=spoilt)
    labels = _labels(ink, words, overlay)
    # An arrowhead may pass for a label, so marks are looked for in all of the ink.
    unlabelled = without_labels(ink, [label.box for label in labels]) if not overlay.points else ink
    points = name_points(overlay.points, labels, unlabelled, spoilt=spoilt)
    points = points if overlay.points else with_centres(at_marks(points, unlabelled), labels, ink)
    figure = without_idle_points(build_figure(ink, points), ink)
    facts = named_facts(ink, labels, figure, own_names=not overlay.points) if figure.segments else []
    if facts and not overlay.points:
        facts = _with_lone_angles(facts, labels)
    elif not overlay.points:
        parts = read_solid(light, words, enclosures(unlabelled)) or _unlettered_facts(unlabelled, ink, clean, labels)
        is_told = _explained_share(words, labels, parts, figure, lone=1.0) >= _LEAST_TOLD
        facts = [*statement_facts(labels), *(parts if is_told else ())]
    explained = max(_explained_share(words, labels, facts, figure), _OVERLAY if overlay.points else 0.0)
    told = _as_far_as_explained((*facts, *filter(None, (drawing_fact(figure, ink),))), explained)
    return FigureReading(kind="geometry", constraints=told, explained=explained)


def _with_lone_angles(facts: Sequence[Constraint], labels: Sequence[FigureLabel]) -> list[Constraint]:
    lone = _lone_angle_facts(facts, labels)
    return [*undenied_facts(facts, [fact.value for fact in lone]), *lone]


def _as_far_as_explained(facts: Sequence[Constraint], explained: float) -> tuple[Constraint, ...]:
    """The facts of a reading, none of them sure where it explains little."""
    most = 1.0 if explained >= _LITTLE else _DOUBTED
    return tuple(replace(fact, confidence=min(fact.confidence, most)) for fact in facts)


def _explained_share(
    words: Sequence[Word],
    labels: Sequence[FigureLabel],
    facts: Sequence[Constraint],
    figure: LineFigure,
    lone: float = 0.5,
) -> float:
    """The share of what is written that names a point or a line of the figure or measures a part of it.

    Words that are no labels are sentences, titles, ticks: a figure of geometry has few. An angle of which it is open whose it is
    explains its label in part (`lone`), so that readers of other figures are asked.
    """
    used = {point.name for point in figure.points if figure.segments_at(point)} | _letters_in(facts)
    open_, placed = _boxes_of(filter(_is_lone, facts)), _boxes_of(filterfalse(_is_lone, facts))
    told = sum(label.text in used or _stands_in(label, placed) for label in labels)
    told_in_part = sum(_stands_in(label, open_) for label in labels)
    others = sum(not any(word.box.holds(*label.centre) for label in labels) for word in words)
    return (told + lone * told_in_part) / max(len(labels) + others, 1)


def _letters_in(facts: Sequence[Constraint]) -> set[str]:
    """The single letters that facts speak of: line a, circle O."""
    names = {name for fact in facts if isinstance(fact, Relation) for name in fact.entities}
    names |= {fact.entity.rpartition(" ")[2] for fact in facts if isinstance(fact, Numeric)}
    return {name for name in names if len(name) == 1}


def _stands_in(label: FigureLabel, boxes: Sequence[Box]) -> bool:
    return any(box.holds(*label.centre) for box in boxes)


_STATED_OF_PARTS = 0.85
_VAGUE = 0.55  # what is no simple figure may be no polygon at all
_LONE = "marked angle"
_LONE_ANGLE = 0.7  # so little that it refutes nothing: another angle may be meant
_MOST_PLACES = 2  # figures of a kind that their places tell apart
_ROUND = ("circle", "sphere")
_SOLIDS = ("cuboid", "cube", "prism", "pyramid", "cylinder", "cone", "sphere")


def _is_lone(fact: Constraint) -> bool:
    """Whether a fact is of an angle of which it is open whose it is."""
    return isinstance(fact, Numeric) and fact.entity == _LONE


def _boxes_of(facts: Iterable[Constraint]) -> list[Box]:
    return [Box.of(fact.box) for fact in facts if fact.box is not None]


def _unlettered_facts(unlabelled: Ink, ink: Ink, clean: Pixels, labels: Sequence[FigureLabel]) -> list[Constraint]:
    """The measures written at polygons, circles, boxes and solids without names, their right angles and equal sides.

    Print that touches a line is part of it, or cuts it where taken out, so both inks are asked; where they tell of
    no figure, or of half of the labels at most, rims of filled areas are, and believed if they explain most labels; a 1 on a
    rim is a piece of it.
    """
    measures = [label for label in labels if label.kind != "name" and " " not in (label.subject or "")]
    outlines = max((find_outlines(one, measures) for one in (unlabelled, ink)), key=_known_kinds) if measures else []
    facts = _measure_facts(outlines, measures, labels)
    if measures and (not any(_known_kinds(outlines)) or 2 * len(facts) <= len(measures)):
        areas, told = _area_facts(with_fill_rims(unlabelled, clean), measures, labels)
        outlines, facts = (areas, told) if told else (outlines, facts)
    facts += [*_lone_angle_facts(facts, measures), *line_relations(ink, labels)]
    marks = (fact for one in outlines for fact in (*_part_right_angles(ink, one, measures), *_part_ticks(ink, one)))
    return [*facts, *marks] if facts else []


def _area_facts(
    filled: Ink, measures: Sequence[FigureLabel], labels: Sequence[FigureLabel]
) -> tuple[list[Outline], list[Constraint]]:
    apart = [label for label in measures if label.value != 1 or not filled.lines[label.box.slices()].any()]
    areas = find_outlines(filled, apart)
    told = _measure_facts(areas, apart, labels)
    return areas, told if any(_known_kinds(areas)) and len(told) > 0.5 * len(measures) else []


def _known_kinds(outlines: Sequence[Outline]) -> tuple[bool, int]:
    """Whether there is a solid, and how many figures are of known kinds: a face of a solid that print cuts off is a figure too."""
    kinds = [outline.kind for outline in outlines]
    return any(kind in _SOLIDS for kind in kinds), sum(kind not in VAGUE_KINDS for kind in kinds)


def _measure_facts(
    outlines: Sequence[Outline], measures: Sequence[FigureLabel], labels: Sequence[FigureLabel]
) -> list[Constraint]:
    angles = (fact for outline in outlines for fact in _part_angle_facts(outline, measures))
    return [*_stated_facts(outlines, measures), *_length_facts(outlines, measures, labels), *angles]


def _lone_angle_facts(facts: Sequence[Constraint], labels: Sequence[FigureLabel]) -> list[Numeric]:
    """Measures in degrees that stand in no corner of an outline: of an angle, whichever it is."""
    placed = _boxes_of(facts)
    free = [
        label for label in labels if label.degrees and 0 < (label.value or 0) < 180 and not _stands_in(label, placed)
    ]
    told = (said(_LONE, "angle", label, _LONE_ANGLE) for label in free)
    return [fact for fact in told if isinstance(fact, Numeric)]


def _part_ticks(ink: Ink, outline: Outline) -> list[Constraint]:
    """Sides of a triangle or a polygon that ticks say to be equal; those of a rectangle go without saying."""
    words = {part.segment: part.entity for part in outline.parts}
    pairs = same_count(ticked_segments(ink, outline.sides)) if outline.kind in ("triangle", *VAGUE_KINDS) else []
    return [
        Relation(type="equal", entities=(words[one.segment], words[other.segment]), confidence=0.8, box=one.box)
        for one, other in pairs[:1]
        if one.segment in words and other.segment in words
    ]


def _stated_facts(outlines: Sequence[Outline], labels: Sequence[FigureLabel]) -> list[Constraint]:
    kind = outlines[0].kind if outlines else ""
    stated = [label for label in labels if label.subject is not None and outlines]
    return [said(f"{kind} {label.subject}", "length", label, _STATED_OF_PARTS) for label in stated]


_LEFT_OVER = 0.75
_INSIDE = 0.5  # what a label in a figure pays for a side of it, where a line runs inside that it may belong to


def _length_facts(
    outlines: Sequence[Outline], labels: Sequence[FigureLabel], names: Sequence[FigureLabel]
) -> list[Constraint]:
    """Each label at the part that it stands at; one label measures all parts of a name."""
    parts = [(outline, part) for outline in outlines for part in outline.parts]
    lengths = _side_labels(outlines, labels)
    facts: dict[tuple[str, float | None], Constraint] = {}
    shared = _shared_names([part for _, part in parts])
    for one in attach(lengths, parts, _part_cost, lambda place: shared[place[1].entity]):
        outline, part = one.place
        is_one_of_many = sum(other.kind == outline.kind for other in outlines) > _MOST_PLACES
        confidence = _VAGUE if is_one_of_many else _outline_confidence(one)
        if confidence is not None:
            fact = said(part.entity, "length", one.label, confidence)
            facts.setdefault((part.entity, one.label.value), _of_named_circle(fact, centre_name(outline, names)))
    return [*facts.values(), *_left_over_facts(outlines, lengths, facts)]


def _left_over_facts(
    outlines: Sequence[Outline], lengths: Sequence[FigureLabel], facts: Mapping[tuple[str, float | None], Constraint]
) -> list[Constraint]:
    placed, measured = _boxes_of(facts.values()), {entity for entity, _ in facts}
    free = [label for label in lengths if not _stands_in(label, placed) and not _may_be_dash(label)]
    left = (_left_over_fact(outline, free, measured) for outline in outlines)
    return [fact for fact in left if fact is not None]


def _may_be_dash(label: FigureLabel) -> bool:
    return len(label.text) == 1 and label.unit is None


def _left_over_fact(outline: Outline, labels: Sequence[FigureLabel], measured: Set[str]) -> Constraint | None:
    """The only one of some labels that stands in an outline, as the measure of the only line in it that has none."""
    within = list(filter(outline.holds, labels))
    names = {part.entity for part in outline.parts if part.is_inner} - measured
    return said(names.pop(), "length", within[0], _LEFT_OVER) if len(within) == len(names) == 1 else None


def _side_labels(outlines: Sequence[Outline], labels: Sequence[FigureLabel]) -> list[FigureLabel]:
    """The labels that may measure a length: of no subject, and in no corner."""
    corners = [label for outline in outlines for label in sorted_by_place(labels, outline.sides)[1]]
    return [label for label in labels if label.subject is None and not label.degrees and label not in corners]


def _shared_names(parts: Sequence[OutlinePart]) -> dict[str, str]:
    """One name for all names of a line that figures share, so that they are no rivals for its label."""
    shared: dict[str, str] = {}
    for place, part in enumerate(parts):
        same = next((one.entity for one in parts[:place] if is_same_line(one.segment, part.segment)), part.entity)
        shared.setdefault(part.entity, shared.get(same, same))
    return shared


def _outline_confidence(attached: Attached[tuple[Outline, OutlinePart]]) -> float | None:
    """As for a segment; sure where a label can belong to nothing else, and never where the outline may be none."""
    kind = attached.place[0].kind
    confidence = 0.85 if kind in _ROUND or attached.margin == math.inf else part_confidence(attached)
    return _VAGUE if confidence is not None and kind in VAGUE_KINDS else confidence


def _part_cost(label: FigureLabel, place: tuple[Outline, OutlinePart]) -> float:
    outline, part = place
    is_beside = not part.is_inner and outline.holds(label) and any(one.is_inner for one in outline.parts)
    return segment_cost(label, part.segment) + (_INSIDE if is_beside else 0.0)


def _of_named_circle(fact: Constraint, name: str | None) -> Constraint:
    """A circle's radius or diameter, of the circle around a letter."""
    if name is None or not isinstance(fact, Numeric):
        return fact
    return replace(fact, entity=f"circle {name}", attribute=fact.entity.split()[-1])


def _part_angle_facts(outline: Outline, labels: Sequence[FigureLabel]) -> list[Constraint]:
    facts = []
    for one in attach_to_angles([label for label in labels if label.degrees], outline.sides):
        confidence = angle_confidence(one, outline.sides)
        if confidence is not None:
            facts.append(said(f"{outline.kind} angle", "angle", one.label, confidence))
    return facts


def _part_right_angles(ink: Ink, outline: Outline, labels: Sequence[FigureLabel]) -> list[Constraint]:
    """A right angle that is marked in a corner without a measure, said of its sides, or that of a height."""
    measured = [one.place for one in attach_to_angles([label for label in labels if label.degrees], outline.sides)]
    words = {frozenset((part.segment.a, part.segment.b)): part.entity for part in outline.parts}
    for mark in right_angles(ink, [angle for angle in wide_angles_of(outline.sides) if angle not in measured]):
        ends = [frozenset((mark.angle.vertex, ray.points[0])) for ray in mark.angle.rays]
        names = ["triangle leg"] * 2 if outline.kind == "triangle" else [words.get(one, "") for one in ends]
        if all(names):
            return [perpendicular(names[0], names[1], 0.8, mark.box)]
    heights = [part for part in outline.parts if part.is_inner and part.entity.endswith("height")]
    boxes = [(part, _foot_mark(ink, part.segment, outline.sides)) for part in heights if outline.sides.segments]
    found = ((part.entity, box) for part, box in boxes if box is not None)
    return [perpendicular(height, f"{outline.kind} base", 0.8, box) for height, box in islice(found, 1)]


def _foot_mark(ink: Ink, height: LineSegment, sides: LineFigure) -> Box | None:
    """Where a square marks that a height stands upright on a side."""
    foot = height.b
    side = min(sides.segments, key=lambda one: abs(_off(one, foot)))
    legs = [LineSegment(a=foot, b=end) for end in (side.a, side.b, height.a)]
    corner = LineFigure(points=(foot, side.a, side.b, height.a), segments=tuple(legs))
    return next((mark.box for mark in right_angles(ink, wide_angles_of(corner))), None)


def _off(side: LineSegment, point: NamedPoint) -> float:
    """How far a point is off a side, across."""
    dx, dy = side.b.x - side.a.x, side.b.y - side.a.y
    return ((point.x - side.a.x) * dy - (point.y - side.a.y) * dx) / side.length
