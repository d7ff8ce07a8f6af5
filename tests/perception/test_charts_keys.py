"""Names of colours in charts: samples before names, whatever they are samples of, and stacks of single signs."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from evpv.perception.boxes import Box, Pixels
from evpv.perception.charts.labels import make_labels
from evpv.perception.charts.palette import find_palette
from evpv.perception.charts.samples import sample_legend
from evpv.perception.ocr import Word

BLUE, ORANGE = (31, 119, 180), (255, 127, 14)


def legend_of(
    colours: tuple[tuple[int, int, int], ...], *, dash: int, thick: int, x0: int = 60
) -> tuple[Pixels, list[Word]]:
    """A picture with a sample of each colour and the words after them; the box of a word may hold its sample."""
    picture = np.full((120, 240, 3), 255, np.uint8)
    words = []
    for row, colour in enumerate(colours):
        y = 30 + 30 * row
        for x in range(20, 50, 2 * dash):
            cv2.line(picture, (x, y), (min(x + dash, 50), y), colour, thick)
        cv2.putText(picture, f"trace {row}", (60, y + 5), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (60, 60, 60), 1, cv2.LINE_AA)
        words.append(Word(text=f"trace {row}", box=Box(x0, y - 10, 125, y + 10), confidence=1.0))
    return picture, words


@pytest.mark.parametrize(
    ("dash", "thick", "x0"),
    [(30, 2, 60), (30, 12, 60), (6, 2, 60), (30, 2, 18)],
    ids=["line", "patch", "dashes", "in box"],
)
def test_samples_of_one_length_name_their_colours(dash: int, thick: int, x0: int) -> None:
    picture, words = legend_of((BLUE, ORANGE), dash=dash, thick=thick, x0=x0)
    palette = find_palette(picture)
    entries = sample_legend(picture, palette, make_labels(words))
    named = {entry.name: palette.colours[entry.colour] for entry in entries}
    assert named.keys() == {"trace 0", "trace 1"}
    assert np.abs(np.array(named["trace 0"]) - BLUE).max() < 40
    assert np.abs(np.array(named["trace 1"]) - ORANGE).max() < 40


def test_a_sample_that_was_read_as_a_dash_names_its_colour_though_a_frame_stands_before_it() -> None:
    picture, words = legend_of((BLUE, ORANGE), dash=30, thick=2, x0=18)
    cv2.line(picture, (8, 0), (8, 119), (221, 221, 221), 2)
    dashed = [replace(word, text=f"— {word.text}") for word in words]
    entries = sample_legend(picture, find_palette(picture), make_labels(dashed))
    assert {entry.name for entry in entries} == {"trace 0", "trace 1"}


def test_one_colour_before_all_names_is_no_legend() -> None:
    picture, words = legend_of((BLUE, BLUE), dash=30, thick=2)
    assert sample_legend(picture, find_palette(picture), make_labels(words)) == ()


def test_signs_under_each_other_that_were_read_as_one_word_are_labels_of_their_own() -> None:
    words = [
        Word(text="ABC", box=Box(10, 10, 30, 70), confidence=1.0, angle_deg=-90.0),
        Word(text="Total", box=Box(50, 10, 90, 28), confidence=1.0),
    ]
    assert [label.text for label in make_labels(words)] == ["A", "B", "C", "Total"]


def test_a_speck_before_a_name_is_no_sample() -> None:
    picture, words = legend_of((BLUE, ORANGE), dash=30, thick=2)
    picture[:, 18:52] = 255
    picture[28:32, 48:50] = BLUE
    picture[58:62, 48:50] = ORANGE
    assert sample_legend(picture, find_palette(picture), make_labels(words)) == ()
