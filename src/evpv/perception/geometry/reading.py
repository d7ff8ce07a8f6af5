"""From pixels to constraints: one call per figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evpv.perception.boxes import Box, resize
from evpv.perception.competition import FigureReading
from evpv.perception.geometry.angle_marks import arced_angles, right_angles
from evpv.perception.geometry.attaching import attach_to_angles, attach_to_segments, sorted_by_place, with_anchors
from evpv.perception.geometry.circles import circle_facts
from evpv.perception.geometry.facts import (
    angle_facts,
    equal_angle_facts,
    equal_facts,
    line_facts,
    parallel_facts,
    right_angle_facts,
    segment_facts,
    statement_facts,
    undenied_facts,
)
from evpv.perception.geometry.figure import Figure, build_figure, wide_angles_of
from evpv.perception.geometry.ink import Ink, ink_of, light_ground
from evpv.perception.geometry.labels import (
    Label,
    capitals_in,
    parse_labels,
    read_statements,
    with_capitals,
    with_second_reading,
    without_angle_numbers,
)
from evpv.perception.geometry.lettering import Run, read_runs, run_of_word
from evpv.perception.geometry.line_marks import arrowed_segments, ticked_segments
from evpv.perception.geometry.overlay import Overlay, overlay_scale, read_overlay, without_overlay
from evpv.perception.geometry.points import letters_on_lines, name_points, without_idle_points, without_labels
from evpv.perception.geometry.solids import read_solid
from evpv.perception.geometry.unlettered import unlettered_facts
from evpv.perception.ocr import Pixels, Word
from evpv.types import Constraint

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
    scale = overlay_scale(light)
    if scale == 1.0:
        return _read(light, words)
    reading = _read(resize(light, scale), [replace(word, box=word.box.scaled(scale)) for word in words])
    placed = [
        replace(fact, box=Box.of(fact.box).scaled(1 / scale)) if fact.box is not None else fact
        for fact in reading.constraints
    ]
    return replace(reading, constraints=tuple(placed))


def _read(light: Pixels, words: Sequence[Word]) -> FigureReading:
    overlay = read_overlay(light)
    clean = without_overlay(light, overlay.covered)
    ink = ink_of(clean, overlay.covered)
    labels = _labels(ink, words, overlay)
    # An arrowhead may pass for a label, so marks are looked for in all of the ink.
    unlabelled = without_labels(ink, [label.box for label in labels]) if not overlay.points else ink
    points = name_points(overlay.points, [label for label in labels if label.kind == "name"], unlabelled)
    figure = without_idle_points(build_figure(ink, points), ink)
    if figure.segments:
        facts = _named_facts(ink, labels, figure, own_names=not overlay.points)
    else:
        facts = circle_facts(ink, labels) or read_solid(light, words) or unlettered_facts(unlabelled, labels)
        facts = [*statement_facts(labels), *facts]
    explained = _explained_share(words, labels, facts, figure)
    if overlay.points:
        explained = max(explained, _OVERLAY)
    return FigureReading(kind="geometry", constraints=tuple(facts), explained=explained)


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
    length_labels, angle_labels = sorted_by_place(measures, figure)
    corners = right_angles(ink, wide_angles_of(figure))
    return undenied_facts(
        [
            *segment_facts(attach_to_segments(length_labels, figure), figure),
            *angle_facts(attach_to_angles(angle_labels, figure), figure),
            *statement_facts(labels),
            *right_angle_facts(corners, figure, whole_lines=own_names),
            *equal_facts(ticked_segments(ink, figure)),
            *equal_angle_facts(arced_angles(ink, figure)),
            *parallel_facts(arrowed_segments(ink, figure), figure),
            *(line_facts(figure) if own_names else ()),
        ]
    )
