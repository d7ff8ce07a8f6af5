"""Charts as libraries draw them: samples that are read as letters, lines over bars, grids over bars, axes of any side and scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from evpv.perception.boxes import Box
from evpv.perception.charts.labels import make_labels
from evpv.perception.charts.palette import find_palette
from evpv.perception.charts.powers import told_digits, told_powers
from evpv.perception.charts.sample_prints import without_samples
from evpv.perception.competition import FigureReading, best_reading
from evpv.perception.ocr import Word
from evpv.types import Numeric, Structure
from tests.perception.drawing import Sketch

BLUE, ORANGE = (31, 119, 180), (255, 127, 14)
NAMES, PLACES, HEIGHTS = ("Anna", "Ben", "Carl", "Dora"), (200, 350, 500, 650), (120, 250, 60, 180)


def word(text: str, x0: float, y: float, x1: float) -> Word:
    return Word(text=text, box=Box(x0, y - 12, x1, y + 12), confidence=0.99)


def chart(ticks: Sequence[int] = (0, 100, 200, 300)) -> Sketch:
    sketch = Sketch()
    for x, name in zip(PLACES, NAMES, strict=True):
        sketch.word(name, x, 425)
    sketch.value_axis(ticks, title="cars")
    return sketch


def bars(sketch: Sketch, heights: Sequence[int] = HEIGHTS, colour: tuple[int, int, int] = BLUE) -> None:
    for x, height in zip(PLACES, heights, strict=True):
        sketch.pen.rectangle((x - 40, 400 - height, x + 39, 399), fill=colour)


def values(sketch: Sketch) -> dict[str, object]:
    return {name: pytest.approx(fact.value, abs=3) for name, fact in sketch.read().items()}


@pytest.mark.parametrize(
    ("read", "name"), [("IT 2022", "2022"), ("-O- 2022", "2022"), ("--- 2022", "2022"), ("2022", "2022")]
)
def test_a_sample_that_was_read_as_letters_is_no_part_of_its_name(read: str, name: str) -> None:
    picture = np.full((60, 160, 3), 255, np.uint8)
    cv2.line(picture, (20, 30), (50, 30), ORANGE, 2)
    cv2.circle(picture, (35, 30), 4, ORANGE, cv2.FILLED)
    cv2.putText(picture, "2022", (60, 36), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (50, 50, 50), 1, cv2.LINE_AA)
    (label,) = without_samples(picture, make_labels([word(read, 16, 30, 112)]))
    assert (label.text, label.box.x0 > 50) == (name, True) or read == name


def test_names_that_were_read_across_the_samples_between_them_are_names_of_their_own() -> None:
    picture = np.full((60, 360, 3), 255, np.uint8)
    for x, text, colour in ((20, "North Wing", BLUE), (190, "South Wing", ORANGE)):
        cv2.line(picture, (x, 30), (x + 28, 30), colour, 2)
        cv2.putText(picture, text, (x + 36, 36), cv2.FONT_HERSHEY_SIMPLEX, 0.55, (50, 50, 50), 1, cv2.LINE_AA)
    labels = without_samples(picture, make_labels([word("North WingSouth Wing", 16, 30, 345)]))
    assert [label.text for label in labels] == ["North Wing", "South Wing"]


def test_a_number_is_never_cut_at_a_change_of_colour() -> None:
    picture = np.full((60, 120, 3), 255, np.uint8)
    cv2.putText(picture, "1", (10, 36), cv2.FONT_HERSHEY_SIMPLEX, 0.6, ORANGE, 2)
    cv2.putText(picture, "7.4%", (26, 36), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (50, 50, 50), 1)
    (label,) = without_samples(picture, make_labels([word("17.4%", 6, 30, 90)]))
    assert label.text == "17.4%"


def test_raised_exponents_are_powers_of_ten() -> None:
    picture = np.full((200, 80, 3), 255, np.uint8)
    words = []
    for exponent in (1, 2, 3):
        y = 200 - 50 * exponent
        cv2.putText(picture, "10", (10, y + 8), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (0, 0, 0), 1)
        cv2.putText(picture, str(exponent), (40, y - 2), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (0, 0, 0), 1)
        words.append(word(f"10{exponent}", 6, y, 54))
    told = told_powers(picture, make_labels(words))
    assert [label.quantity.full for label in told if label.quantity] == [10, 100, 1000]
    assert [label.text for label in told_powers(np.full_like(picture, 255), make_labels(words))] == [
        "101",
        "102",
        "103",
    ]


def test_digits_between_powers_of_ten_are_their_multiples() -> None:
    texts = ("5", "2", "1000", "5", "2", "100", "5")
    words = [word(text, 60 - 9 * len(text), 40 + 30 * n, 60) for n, text in enumerate(texts)]
    told = told_digits(make_labels(words))
    assert [label.quantity.full for label in told if label.quantity] == [5000, 2000, 1000, 500, 200, 100, 50]


def test_digits_of_an_even_axis_stay_what_they_are() -> None:
    words = [word(text, 60 - 9 * len(text), 40 + 30 * n, 60) for n, text in enumerate(("10", "8", "6", "4", "2"))]
    assert [label.quantity.full for label in told_digits(make_labels(words)) if label.quantity] == [10, 8, 6, 4, 2]


def test_lines_over_bars_are_told_by_a_legend_of_both() -> None:
    sketch = chart()
    bars(sketch)
    points = [(x, 400 - height) for x, height in zip(PLACES, (280, 30, 210, 90), strict=True)]
    sketch.pen.line(points, fill=ORANGE, width=3)
    sketch.pen.rectangle((300, 464, 311, 475), fill=BLUE)
    sketch.word("Planned", 350, 470)
    sketch.pen.line((450, 470, 480, 470), fill=ORANGE, width=3)
    sketch.word("Actual", 510, 470)
    found = values(sketch)
    assert found["Ben Planned"] == 250
    assert found["Carl Actual"] == 210
    assert len(found) == 8


def test_bars_in_a_paler_tone_than_their_patches_are_named_by_them() -> None:
    sketch = chart()
    paler = [tuple(round(0.8 * one + 51) for one in colour) for colour in (BLUE, ORANGE)]
    for n, tone in enumerate(paler):
        for x, height in zip(PLACES, HEIGHTS, strict=True):
            sketch.pen.rectangle((x - 45 + 45 * n, 400 - height - 10 * n, x - 3 + 45 * n, 399), fill=tone)
    sketch.legend(("Online", "In store"), (BLUE, ORANGE))
    found = values(sketch)
    assert found["Ben In store"] == 260
    assert len(found) == 8


def test_a_line_in_a_deeper_tone_than_its_patch_is_followed_in_its_own() -> None:
    sketch = chart()
    for n, colour in enumerate((BLUE, ORANGE)):
        points = [(x, 400 - height + 40 * n) for x, height in zip(PLACES, HEIGHTS, strict=True)]
        sketch.pen.line(points, fill=colour, width=3)
    pale = [tuple(round(0.4 * one + 153) for one in colour) for colour in (BLUE, ORANGE)]
    sketch.legend(("Online", "In store"), pale)  # type: ignore[arg-type]
    found = values(sketch)
    assert found["Ben Online"] == 250
    assert found["Ben In store"] == 210


def test_a_grid_over_bars_does_not_cut_them() -> None:
    sketch = chart()
    bars(sketch)
    for y in (100, 200, 300):
        sketch.pen.line((100, y, 760, y), fill=(190, 190, 190), width=2)
    for x in PLACES:
        sketch.pen.line((x, 60, x, 399), fill=(190, 190, 190), width=2)
    assert values(sketch) == {f"{name} cars": height for name, height in zip(NAMES, HEIGHTS, strict=True)}


def test_an_axis_at_the_right_is_read_as_one_at_the_left() -> None:
    sketch = Sketch()
    for x, name in zip(PLACES, NAMES, strict=True):
        sketch.word(name, x - 100, 425)
    for tick in (0, 100, 200, 300):
        sketch.word(f"{tick}", 700, 400 - tick)
        sketch.pen.line((40, 400 - tick, 670, 400 - tick), fill=(225, 227, 230))
    points = [(x - 100, 400 - height) for x, height in zip(PLACES, HEIGHTS, strict=True)]
    sketch.pen.line(points, fill=BLUE, width=3)
    assert values(sketch) == dict(zip(NAMES, HEIGHTS, strict=True))


def test_a_name_right_under_a_bar_does_not_move_its_foot() -> None:
    sketch = chart()
    bars(sketch)
    sketch.pen.rectangle((320, 403, 380, 406), fill=(40, 40, 40))
    assert values(sketch) == {f"{name} cars": height for name, height in zip(NAMES, HEIGHTS, strict=True)}


def test_years_under_each_other_are_a_legend() -> None:
    sketch = chart()
    for n, (year, colour) in enumerate((("2021", BLUE), ("2022", ORANGE), ("2023", (44, 160, 44)))):
        for x, height in zip(PLACES, HEIGHTS, strict=True):
            sketch.pen.rectangle((x - 45 + 30 * n, 400 - height - 10 * n, x - 17 + 30 * n, 399), fill=colour)
        sketch.pen.rectangle((700, 40 + 22 * n, 711, 51 + 22 * n), fill=colour)
        sketch.word(year, 736, 46 + 22 * n)
    found = values(sketch)
    assert found["Ben 2023"] == 270
    assert len(found) == 12


def test_a_reading_that_only_names_what_is_there_gives_way_to_one_with_facts() -> None:
    fact = Numeric(entity="A", attribute="value", value=1.0, unit=None, confidence=0.9)
    chart_reading = FigureReading(kind="chart", constraints=(fact,), explained=0.9)
    names = FigureReading(kind="geometry", constraints=(Structure(type="figure", parts=("A", "B")),), explained=0.8)
    readers = {"geometry": lambda _p, _w: names, "chart": lambda _p, _w: chart_reading}
    picture = np.full((20, 20, 3), 255, np.uint8)
    assert best_reading(picture, [], readers, {"geometry": 1.0, "chart": 0.8}).kind == "chart"
    alone = {**readers, "chart": lambda _p, _w: replace(chart_reading, explained=0.3)}
    assert best_reading(picture, [], alone, {"geometry": 1.0, "chart": 0.8}).kind == "geometry"


@pytest.mark.parametrize("dark", [(92, 92, 100), (60, 60, 60)])
def test_grey_bars_that_cover_more_than_their_paper_are_not_the_paper(dark: tuple[int, int, int]) -> None:
    picture = np.full((300, 500, 3), 255, np.uint8)
    picture[20:280, 30:480] = (228, 228, 254)  # a tinted panel
    for left in (40, 190, 340):
        picture[40:280, left : left + 130] = dark
    assert find_palette(picture).colours[0] == (255, 255, 255)


def test_a_dark_theme_keeps_its_dark_paper() -> None:
    picture = np.full((300, 500, 3), 40, np.uint8)
    picture[100:280, 60:200] = BLUE
    assert find_palette(picture).colours[0] == (40, 40, 40)
