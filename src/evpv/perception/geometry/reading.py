"""From pixels to constraints: one call per figure, whether its points have names or its parts are told by their kind and place."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import filterfalse

import numpy as np

from evpv.perception.boxes import Box, resize
from evpv.perception.competition import FigureReading
from evpv.perception.geometry.attaching import Attached, attach, attach_to_angles, segment_cost, sorted_by_place
from evpv.perception.geometry.drawing import drawing_fact
from evpv.perception.geometry.enclosures import enclosures
from evpv.perception.geometry.figure import Angle, LineFigure, LineSegment, build_figure, wide_angles_of
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
    relation_of,
    said,
    statement_facts,
    undenied_facts,
)
from evpv.perception.geometry.named_lines import line_relations
from evpv.perception.geometry.outlines import VAGUE_KINDS, centre_name, find_outlines, is_same_line
from evpv.perception.geometry.overlay import Overlay, overlay_scale, read_overlay, without_overlay
from evpv.perception.geometry.points import at_marks, name_points, with_centres, without_idle_points, without_labels
from evpv.perception.geometry.polyhedra import Outline, OutlinePart, foot_on
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

    A figure that names its points itself is read as the words bear its runs out, but for its statements. A word may be an
    overlay's letter; so where there is an overlay, words give no names.
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
    told = [label.box for label in statements]
    runs = [run for run in read_runs(ink) if not any(box.holds(run.box.x, run.box.y) for box in told)]
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
    """What a figure shows; none of it is sure where it explains little of what is written."""
    clean = without_overlay(light, overlay.covered)
    ink = ink_of(clean, overlay.covered, is_compressed=spoilt)
    labels = _labels(ink, words, overlay)
    # An arrowhead may pass for a label, so marks are looked for in all of the ink.
    unlabelled = ink if overlay.points else without_labels(ink, labels)
    figure = _lettered_figure(ink, unlabelled, labels, overlay, spoilt)
    facts = named_facts(ink, labels, figure, own_names=not overlay.points) if figure.segments else []
    least = 0.0
    if overlay.points:
        least = _OVERLAY
    elif facts:
        lone = _lone_angle_facts(facts, labels)
        facts = [*undenied_facts(facts, [fact.value for fact in lone]), *lone]
    else:
        parts = read_solid(light, words, enclosures(unlabelled)) or _unlettered_facts(unlabelled, ink, clean, labels)
        is_told = _explained_share(words, labels, parts, figure, lone=1.0) >= _LEAST_TOLD
        facts = [*statement_facts(labels), *(parts if is_told else ())]
    explained = max(_explained_share(words, labels, facts, figure), least)
    most = 1.0 if explained >= _LITTLE else _DOUBTED
    told = (*facts, *filter(None, (drawing_fact(figure, ink),)))
    constraints = tuple(replace(fact, confidence=min(fact.confidence, most)) for fact in told)
    return FigureReading(kind="geometry", constraints=constraints, explained=explained)


def _lettered_figure(
    ink: Ink, unlabelled: Ink, labels: Sequence[FigureLabel], overlay: Overlay, spoilt: bool
) -> LineFigure:
    points = name_points(overlay.points, labels, unlabelled, spoilt=spoilt)
    points = points if overlay.points else with_centres(at_marks(points, unlabelled), labels, ink)
    return without_idle_points(build_figure(ink, points), ink)


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
    used = _letters_in(facts) | {point.name for point in figure.points if figure.segments_at(point)}
    open_, placed = _boxes_of(filter(_is_lone, facts)), _boxes_of(filterfalse(_is_lone, facts))
    told = sum(label.text in used or _stands_in(label, placed) for label in labels)
    told_in_part = sum(_stands_in(label, open_) for label in labels)
    others = sum(not any(word.box.holds(*label.centre) for label in labels) for word in words)
    return (told + lone * told_in_part) / max(len(labels) + others, 1)


def _letters_in(facts: Sequence[Constraint]) -> set[str]:
    """The names of one letter: line a, circle O."""
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
    """The measures written at polygons, circles, boxes and solids without names, their right angles and equal sides."""
    measures = [label for label in labels if label.kind != "name" and " " not in (label.subject or "")]
    outlines, facts = _measured_outlines(unlabelled, ink, clean, measures, labels) if measures else ([], [])
    facts += [*_lone_angle_facts(facts, measures), *line_relations(ink, labels)]
    marks = (fact for one in outlines for fact in (*_part_right_angles(ink, one, measures), *_part_ticks(ink, one)))
    return [*facts, *marks] if facts else []


def _measured_outlines(
    unlabelled: Ink, ink: Ink, clean: Pixels, measures: Sequence[FigureLabel], labels: Sequence[FigureLabel]
) -> tuple[list[Outline], list[Constraint]]:
    """The outlines that tell most, and what is measured of them.

    Print that touches a line is part of it, or cuts it where taken out, so both inks are asked; where they tell of
    no figure, or of half of the labels at most, rims of filled areas are, and believed if they explain most labels; a 1 on a
    rim is a piece of it.
    """
    outlines = max((find_outlines(one, measures) for one in (unlabelled, ink)), key=_known_kinds)
    facts = _measure_facts(outlines, measures, labels)
    if any(_known_kinds(outlines)) and 2 * len(facts) > len(measures):
        return outlines, facts
    filled = with_fill_rims(unlabelled, clean)
    apart = [label for label in measures if label.value != 1 or not filled.lines[label.box.slices()].any()]
    areas = find_outlines(filled, apart)
    told = _measure_facts(areas, apart, labels)
    is_most = any(_known_kinds(areas)) and len(told) > 0.5 * len(measures)
    return (areas, told) if is_most else (outlines, facts)


def _known_kinds(outlines: Sequence[Outline]) -> tuple[bool, int]:
    """Whether there is a solid, and how many figures are of known kinds: a face of a solid that print cuts off is a figure too."""
    kinds = [outline.kind for outline in outlines]
    return any(kind in _SOLIDS for kind in kinds), sum(kind not in VAGUE_KINDS for kind in kinds)


def _measure_facts(
    outlines: Sequence[Outline], measures: Sequence[FigureLabel], labels: Sequence[FigureLabel]
) -> list[Constraint]:
    """What labels measure of outlines: what they say themselves, lengths, angles."""
    facts = []
    if outlines:
        stated = [label for label in measures if label.subject is not None]
        facts += [said(f"{outlines[0].kind} {one.subject}", "length", one, _STATED_OF_PARTS) for one in stated]
    facts += _length_facts(outlines, measures, labels)
    for outline in outlines:
        for one in _in_corners(outline, measures):
            confidence = angle_confidence(one, outline.sides)
            if confidence is not None:
                facts.append(said(f"{outline.kind} angle", "angle", one.label, confidence))
    return facts


def _in_corners(outline: Outline, labels: Sequence[FigureLabel]) -> list[Attached[Angle]]:
    return attach_to_angles([label for label in labels if label.degrees], outline.sides)


def _lone_angle_facts(facts: Sequence[Constraint], labels: Sequence[FigureLabel]) -> list[Numeric]:
    """Measures in degrees that stand in no corner of an outline: of an angle, whichever it is."""
    placed = _boxes_of(facts)
    angles = [label for label in labels if label.degrees and 0 < (label.value or 0) < 180]
    told = (said(_LONE, "angle", label, _LONE_ANGLE) for label in angles if not _stands_in(label, placed))
    return [fact for fact in told if isinstance(fact, Numeric)]


def _part_ticks(ink: Ink, outline: Outline) -> list[Constraint]:
    """Sides of a triangle or a polygon that ticks say to be equal; those of a rectangle go without saying."""
    words = {part.segment: part.entity for part in outline.parts}
    pairs = same_count(ticked_segments(ink, outline.sides)) if outline.kind in ("triangle", *VAGUE_KINDS) else []
    return [
        relation_of("equal", (words[one.segment], words[other.segment]), 0.8, one.box)
        for one, other in pairs[:1]
        if one.segment in words and other.segment in words
    ]


_LEFT_OVER = 0.75
_INSIDE = 0.5  # what a label in a figure pays for a side of it, where a line runs inside that it may belong to


def _length_facts(
    outlines: Sequence[Outline], labels: Sequence[FigureLabel], names: Sequence[FigureLabel]
) -> list[Constraint]:
    """Each label of a side at the part that it stands at; one label measures all parts of a name.

    A circle's radius or diameter is that of the circle around a letter.
    """
    lengths = _side_labels(outlines, labels)
    parts = [(outline, part) for outline in outlines for part in outline.parts]
    shared = _shared_names([part for _, part in parts])
    of_kind = Counter(outline.kind for outline in outlines)
    facts: dict[tuple[str, float | None], Constraint] = {}
    for one in attach(lengths, parts, _part_cost, lambda place: shared[place[1].entity]):
        outline, part = one.place
        confidence = _part_confidence(one, of_kind[outline.kind])
        if confidence is not None:
            fact = said(part.entity, "length", one.label, confidence)
            name = centre_name(outline, names)
            if name is not None and isinstance(fact, Numeric):
                fact = replace(fact, entity=f"circle {name}", attribute=part.entity.split()[-1])
            facts.setdefault((part.entity, one.label.value), fact)
    return [*facts.values(), *_left_over_facts(outlines, lengths, facts)]


def _side_labels(outlines: Sequence[Outline], labels: Sequence[FigureLabel]) -> list[FigureLabel]:
    """The labels of no subject and in no corner."""
    corners = [label for outline in outlines for label in sorted_by_place(labels, outline.sides)[1]]
    return [one for one in labels if one.subject is None and not one.degrees and one not in corners]


def _part_confidence(attached: Attached[tuple[Outline, OutlinePart]], of_kind: int) -> float | None:
    """As sure as at a segment; surer where a label can belong to nothing else, and never sure where the outline may be none."""
    kind = attached.place[0].kind
    is_sure = kind in _ROUND or attached.margin == math.inf
    confidence = 0.85 if is_sure else part_confidence(attached)
    is_vague = of_kind > _MOST_PLACES or (confidence is not None and kind in VAGUE_KINDS)
    return _VAGUE if is_vague else confidence


def _left_over_facts(
    outlines: Sequence[Outline], lengths: Sequence[FigureLabel], facts: Mapping[tuple[str, float | None], Constraint]
) -> list[Constraint]:
    """The only label without a place in an outline, as the measure of the only line in it that has none; a digit may be a dash."""
    placed, measured = _boxes_of(facts.values()), {entity for entity, _ in facts}
    free = [one for one in lengths if not _stands_in(one, placed) and (len(one.text) != 1 or one.unit)]
    left = []
    for outline in outlines:
        within = list(filter(outline.holds, free))
        names = {part.entity for part in outline.parts if part.is_inner} - measured
        if len(within) == len(names) == 1:
            left.append(said(names.pop(), "length", within[0], _LEFT_OVER))
    return left


def _shared_names(parts: Sequence[OutlinePart]) -> dict[str, str]:
    """One name for all names of a line that figures share, so that they are no rivals for its label."""
    shared: dict[str, str] = {}
    for place, part in enumerate(parts):
        same = next((one.entity for one in parts[:place] if is_same_line(one.segment, part.segment)), part.entity)
        shared.setdefault(part.entity, shared.get(same, same))
    return shared


def _part_cost(label: FigureLabel, place: tuple[Outline, OutlinePart]) -> float:
    outline, part = place
    is_beside = not part.is_inner and outline.holds(label) and any(one.is_inner for one in outline.parts)
    return segment_cost(label, part.segment) + (_INSIDE if is_beside else 0.0)


def _part_right_angles(ink: Ink, outline: Outline, labels: Sequence[FigureLabel]) -> list[Constraint]:
    """A right angle that is marked in a corner without a measure, said of its sides, or that of a height."""
    measured = [one.place for one in _in_corners(outline, labels)]
    words = {frozenset((part.segment.a, part.segment.b)): part.entity for part in outline.parts}
    for mark in right_angles(ink, [angle for angle in wide_angles_of(outline.sides) if angle not in measured]):
        legs = [words.get(frozenset((mark.angle.vertex, ray.points[0])), "") for ray in mark.angle.rays]
        first, second = ["triangle leg"] * 2 if outline.kind == "triangle" else legs
        if first and second:
            return [relation_of("perpendicular", (first, second), 0.8, mark.box)]
    return _height_right_angles(ink, outline)


def _height_right_angles(ink: Ink, outline: Outline) -> list[Constraint]:
    for part in outline.parts:
        if part.is_inner and part.entity.endswith("height") and outline.sides.segments:
            marks = right_angles(ink, _foot_angles(part.segment, outline.sides))
            if marks:
                return [relation_of("perpendicular", (part.entity, f"{outline.kind} base"), 0.8, marks[0].box)]
    return []


def _foot_angles(height: LineSegment, sides: LineFigure) -> list[Angle]:
    """The angles that a height makes with the side that it stands on."""
    foot = height.b
    side = min(sides.segments, key=lambda one: foot.distance(foot_on(one, foot)[1]))
    legs = tuple(LineSegment(a=foot, b=end) for end in (side.a, side.b, height.a))
    return wide_angles_of(LineFigure(points=(foot, side.a, side.b, height.a), segments=legs))
