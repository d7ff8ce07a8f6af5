"""From pixels to constraints: one call per figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from evpv.perception.boxes import Box
from evpv.perception.geometry.angles import wide_angles_of
from evpv.perception.geometry.arcs import arced_angles
from evpv.perception.geometry.attaching import attach_to_angles, attach_to_segments, sorted_by_place
from evpv.perception.geometry.callouts import with_anchors
from evpv.perception.geometry.circles import circle_facts
from evpv.perception.geometry.facts import (
    angle_facts,
    equal_angle_facts,
    equal_facts,
    line_facts,
    parallel_facts,
    right_angle_facts,
    segment_facts,
)
from evpv.perception.geometry.figure import build_figure
from evpv.perception.geometry.idle_points import without_idle_points
from evpv.perception.geometry.ink import Ink, ink_of, light_ground
from evpv.perception.geometry.labels import Label, capitals_in, parse_label, with_capitals, without_angle_numbers
from evpv.perception.geometry.marks import arrowed_segments, ticked_segments
from evpv.perception.geometry.naming import name_points
from evpv.perception.geometry.overlay import Overlay, overlay_scale, read_overlay, without_overlay
from evpv.perception.geometry.print_runs import read_runs, run_of_word
from evpv.perception.geometry.right_angles import right_angles
from evpv.perception.geometry.second_reading import with_second_reading
from evpv.perception.ocr import Pixels, Word
from evpv.types import Constraint


def _labels(ink: Ink, words: Sequence[Word], overlay: Overlay) -> list[Label]:
    """What is written: the runs of print, or the OCR engine's words where no run measures anything (coloured print).

    A word may be an overlay's letter; so where there is an overlay, words give no names.
    """
    names = frozenset(point.name for point in overlay.points)
    runs = read_runs(ink)
    if not names:
        runs = with_capitals(with_second_reading(runs, words))
        names = capitals_in(runs)
    labels = [label for run in runs if (label := parse_label(run, names)) is not None]
    if all(label.kind == "name" for label in labels):
        word_runs = [run_of_word(word.text, word.box, word.confidence) for word in words]
        others = [label for run in word_runs if (label := parse_label(run, names)) is not None]
        labels += [label for label in others if not (overlay.points and label.kind == "name")]
    return without_angle_numbers(labels)


def read_geometry(picture: Pixels, words: Sequence[Word]) -> list[Constraint]:
    """The facts that a geometry figure shows: lengths, angles, right angles, parallels, equalities."""
    light = light_ground(picture)
    scale = overlay_scale(light)
    if scale == 1.0:
        return _read(light, words)
    interpolation = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    resized = cv2.resize(light, None, fx=scale, fy=scale, interpolation=interpolation)
    scaled_words = [replace(word, box=word.box.scaled(scale)) for word in words]
    facts = _read(np.asarray(resized, dtype=np.uint8), scaled_words)
    return [replace(fact, box=Box.of(fact.box).scaled(1 / scale)) if fact.box is not None else fact for fact in facts]


def _read(light: Pixels, words: Sequence[Word]) -> list[Constraint]:
    overlay = read_overlay(light)
    clean = without_overlay(light, overlay.covered)
    ink = ink_of(clean, overlay.covered)
    labels = _labels(ink, words, overlay)
    points = name_points(overlay.points, [label for label in labels if label.kind == "name"], ink)
    figure = without_idle_points(build_figure(ink, points), ink)
    if not figure.segments:
        return circle_facts(ink, labels)
    measures = [label for label in with_anchors(ink, labels, figure) if label.kind != "name"]
    length_labels, angle_labels = sorted_by_place(measures, figure)
    corners = right_angles(ink, wide_angles_of(figure))
    return [
        *segment_facts(attach_to_segments(length_labels, figure), figure),
        *angle_facts(attach_to_angles(angle_labels, figure), figure),
        *right_angle_facts(corners, figure),
        *equal_facts(ticked_segments(ink, figure)),
        *equal_angle_facts(arced_angles(ink, figure)),
        *parallel_facts(arrowed_segments(ink, figure), figure),
        # An overlay names points that the figure itself may not have; what they lie on is nothing that it shows.
        *(line_facts(corners, figure) if not overlay.points else ()),
    ]
