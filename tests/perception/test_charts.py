"""Charts drawn here with known values, read back without a recogniser: the words are given where they were drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from PIL import Image

from evpv.perception.charts import read_chart
from evpv.perception.charts.palette import find_palette
from evpv.perception.charts.pies import _find_disc
from evpv.perception.ocr import Word, read_words
from evpv.types import Numeric, Structure
from tests.perception.drawing import Sketch

BLUE, NAVY, GREY, RED = (40, 118, 221), (15, 40, 62), (186, 186, 186), (165, 10, 10)


def standing_bars(values: Sequence[float], *, printed: bool) -> Sketch:
    sketch = Sketch()
    sketch.value_axis((0, 100, 200, 300), title="Number of cars")
    for number, value in enumerate(values):
        x = 150 + 100 * number
        sketch.pen.rectangle((x - 30, 400 - value, x + 29, 399), fill=BLUE)
        sketch.word(str(2010 + number), x, 425)
        if printed:
            sketch.word(f"{value:g}", x, 388 - value)
    return sketch


def test_printed_values_are_read_exactly_and_named_by_category_and_axis_title() -> None:
    facts = standing_bars((120.4, 250.2, 61.7), printed=True).read()
    assert {name: fact.value for name, fact in facts.items()} == {
        "2010 Number of cars": 120.4,
        "2011 Number of cars": 250.2,
        "2012 Number of cars": 61.7,
    }
    assert {fact.reading for fact in facts.values()} == {"printed"}


def test_values_that_are_not_printed_are_measured_and_said_to_be_estimates() -> None:
    facts = standing_bars((120, 250, 62), printed=False).read()
    assert [round(fact.value) for fact in facts.values()] == pytest.approx([120, 250, 62], abs=2)
    assert {fact.reading for fact in facts.values()} == {"estimated"}
    assert max(fact.confidence for fact in facts.values()) < 0.95


def test_a_printed_value_that_lost_its_decimal_point_is_mended_by_the_length_of_its_bar() -> None:
    sketch = standing_bars((120.4, 250.2, 61.7), printed=True)
    sketch.words = [
        Word(text=w.text.replace("250.2", "2502"), box=w.box, confidence=w.confidence, angle_deg=w.angle_deg)
        for w in sketch.words
    ]
    assert sketch.read()["2011 Number of cars"].value == pytest.approx(250.2)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(20, 340), min_size=2, max_size=6))
def test_measured_bars_are_within_two_percent_or_a_pixel_and_a_half(values: list[int]) -> None:
    facts = standing_bars(values, printed=False).read()
    assert len(facts) == len(values)
    for fact, value in zip(facts.values(), values, strict=True):
        assert abs(fact.value - value) <= max(1.5, 0.02 * value)


def test_every_fact_has_a_box_inside_the_picture_and_the_same_picture_gives_the_same_facts() -> None:
    sketch = standing_bars((120, 250, 62), printed=False)
    assert sketch.read() == sketch.read()
    for fact in sketch.read().values():
        assert fact.box is not None
        assert 0 <= fact.box[0] < fact.box[2] <= 800
        assert 0 <= fact.box[1] < fact.box[3] <= 500


def test_lying_bars_take_their_names_from_the_left_and_their_title_from_below() -> None:
    sketch = Sketch()
    for tick in (0, 100, 200, 300):
        sketch.word(str(tick), 200 + tick, 420)
    sketch.word("Share of respondents", 350, 445)
    for number, (name, value) in enumerate({"Google": 290, "Yelp": 150, "Facebook": 95}.items()):
        y = 100 + 100 * number
        sketch.pen.rectangle((200, y - 25, 199 + value, y + 24), fill=BLUE)
        sketch.word(name, 150, y)
        sketch.word(f"{value}%", 225 + value, y)
    facts = sketch.read()
    assert {name: fact.value for name, fact in facts.items()} == {
        "Google Share of respondents": 290,
        "Yelp Share of respondents": 150,
        "Facebook Share of respondents": 95,
    }
    assert all(fact.unit == "%" for fact in facts.values())


GROUPS = {"Air": (120, 200, 90), "Hotel": (180, None, 60), "Car": (250, 140, 300)}


def test_grouped_bars_are_told_apart_by_the_legend_even_where_one_is_missing() -> None:
    sketch = Sketch()
    sketch.value_axis((0, 100, 200, 300), title="Number of cars")
    sketch.legend(tuple(GROUPS), (BLUE, NAVY, GREY))
    for series, (values, colour) in enumerate(zip(GROUPS.values(), (BLUE, NAVY, GREY), strict=True)):
        for slot, value in enumerate(values):
            if value is not None:
                x = 150 + 200 * slot + 42 * series
                sketch.pen.rectangle((x, 400 - value, x + 39, 399), fill=colour)
    for slot, name in enumerate(("Price", "Service", "Footprint")):
        sketch.word(name, 212 + 200 * slot, 425)
    facts = {name: round(fact.value) for name, fact in sketch.read().items()}
    assert facts == {
        "Price Air": 120, "Price Hotel": 180, "Price Car": 250,
        "Service Air": 200, "Service Car": 140,
        "Footprint Air": 90, "Footprint Hotel": 60, "Footprint Car": 300,
    }  # fmt: skip


def test_stacked_bars_are_read_piece_by_piece_and_totals_over_them_are_left_alone() -> None:
    sketch = Sketch()
    sketch.value_axis((0, 100, 200, 300), title="Number of cars")
    sketch.legend(("Home", "Away"), (BLUE, NAVY))
    for slot, (home, away) in enumerate(((100, 80), (150, 120), (60, 200))):
        x = 200 + 150 * slot
        sketch.pen.rectangle((x - 30, 400 - home, x + 29, 399), fill=BLUE)
        sketch.pen.rectangle((x - 30, 400 - home - away, x + 29, 399 - home), fill=NAVY)
        sketch.word(str(2018 + slot), x, 425)
        sketch.word(str(home), x, 400 - home / 2)
        sketch.word(str(away), x, 400 - home - away / 2)
        sketch.word(str(home + away), x, 388 - home - away)
    facts = {name: fact.value for name, fact in sketch.read().items()}
    assert facts == {
        "2018 Home": 100, "2018 Away": 80, "2019 Home": 150, "2019 Away": 120, "2020 Home": 60, "2020 Away": 200,
    }  # fmt: skip


def test_stacked_bars_without_names_for_their_colours_say_nothing() -> None:
    sketch = Sketch()
    sketch.value_axis((0, 100, 200, 300), title="Number of cars")
    for slot in range(3):
        x = 200 + 150 * slot
        sketch.pen.rectangle((x - 30, 300, x + 29, 399), fill=BLUE)
        sketch.pen.rectangle((x - 30, 220, x + 29, 299), fill=NAVY)
        sketch.word(str(2018 + slot), x, 425)
    assert sketch.read() == {}


LINES = {"Women": (120, 180, 150, 260), "Men": (60, 90, 200, 110)}


def drawn_lines(*, every: int = 1) -> Sketch:
    sketch = Sketch()
    sketch.value_axis((0, 100, 200, 300), title="Number of cars")
    sketch.legend(tuple(LINES), (BLUE, RED))
    for values, colour in zip(LINES.values(), (BLUE, RED), strict=True):
        points = [(150 + 150 * number, 400 - value) for number, value in enumerate(values)]
        sketch.pen.line(points, fill=colour, width=3)
        for x, y in points:
            sketch.pen.ellipse((x - 4, y - 4, x + 4, y + 4), fill=colour)
    for number in range(0, 4, every):
        sketch.word(str(2016 + number), 150 + 150 * number, 425)
    return sketch


def test_lines_are_followed_by_the_colour_that_the_legend_names() -> None:
    facts = drawn_lines().read()
    assert len(facts) == 8
    for series, values in LINES.items():
        for number, value in enumerate(values):
            assert facts[f"{2016 + number} {series}"].value == pytest.approx(value, abs=3)


def test_an_axis_with_room_for_all_names_that_prints_some_says_nothing_of_those_between() -> None:
    assert {name.split()[0] for name in drawn_lines(every=2).read()} == {"2016", "2018"}


def test_a_filled_area_is_read_along_its_upper_edge() -> None:
    sketch = Sketch()
    sketch.value_axis((0, 100, 200, 300), title="Number of cars")
    values = (120, 180, 150, 260)
    points = [(150 + 150 * number, 400 - value) for number, value in enumerate(values)]
    sketch.pen.polygon([(150, 402), *points, (600, 402)], fill=(226, 221, 242))
    for number in range(4):
        sketch.word(str(2016 + number), 150 + 150 * number, 425)
    facts = sketch.read()
    assert [facts[f"{2016 + number} Number of cars"].value for number in range(4)] == pytest.approx(values, abs=4)


def test_headings_over_lying_stacks_name_the_series() -> None:
    sketch = Sketch()
    rows = {"All teens": (100, 128), "Boys": (88, 116), "Girls": (112, 140)}
    for number, (name, values) in enumerate(rows.items()):
        x, y = 300, 150 + 60 * number
        sketch.word(name, 230, y)
        for value, colour in zip(values, (BLUE, NAVY), strict=True):
            sketch.pen.rectangle((x, y - 15, x + value - 1, y + 14), fill=colour)
            sketch.word(f"{value // 4}", x + value / 2, y)
            x += value
    sketch.word("Very", 340, 115)
    sketch.word("Somewhat", 460, 115)
    assert {name: fact.value for name, fact in sketch.read().items()} == {
        "All teens Very": 25, "All teens Somewhat": 32,
        "Boys Very": 22, "Boys Somewhat": 29,
        "Girls Very": 28, "Girls Somewhat": 35,
    }  # fmt: skip


def test_bars_to_either_side_of_a_line_have_their_numbers_at_their_ends_and_headings_run_together() -> None:
    sketch = Sketch()
    for number, (name, (left, right)) in enumerate({"Egypt": (44, 54), "Jordan": (11, 85), "Turkey": (84, 13)}.items()):
        y = 150 + 60 * number
        sketch.word(name, 60, y)
        sketch.pen.rectangle((400 - 2 * left, y - 15, 399, y + 14), fill=BLUE)
        sketch.pen.rectangle((400, y - 15, 399 + 2 * right, y + 14), fill=NAVY)
        sketch.word(f"{left}", 388 - 2 * left, y)
        sketch.word(f"{right}", 412 + 2 * right, y)
    sketch.word("A headline over it all", 90, 40)
    sketch.word("Oppose Favor", 400, 115)
    assert {name: fact.value for name, fact in sketch.read().items()} == {
        "Egypt Oppose": 44, "Egypt Favor": 54,
        "Jordan Oppose": 11, "Jordan Favor": 85,
        "Turkey Oppose": 84, "Turkey Favor": 13,
    }  # fmt: skip


def single_line(names: Sequence[str], pitch: int = 100) -> Sketch:
    sketch = Sketch()
    sketch.value_axis((0, 100, 200, 300), title="Number of cars")
    sketch.pen.line([(150, 300), (150 + pitch * (len(names) - 1), 100)], fill=BLUE, width=3)
    for number, name in enumerate(names):
        sketch.word(name, 150 + pitch * number, 425)
    return sketch


def test_a_single_line_over_evenly_spaced_years_is_read_in_the_years_between() -> None:
    facts = single_line(("2000", "2005", "2010", "2015")).read()
    assert len(facts) == 16
    assert facts["2003 Number of cars"].value == pytest.approx(140, abs=4)


@pytest.mark.parametrize("names", [("2000", "2004", "2012", "2013"), ("May", "June", "July", "August")])
def test_a_line_over_other_names_is_read_at_these_only(names: tuple[str, ...]) -> None:
    assert [name.split()[0] for name in single_line(names).read()] == list(names)


def test_one_or_two_measured_points_of_a_line_are_no_chart() -> None:
    assert not single_line(("2000", "2005"), pitch=400).read()


def test_lines_without_a_value_axis_take_the_numbers_printed_at_their_points() -> None:
    sketch = Sketch()
    lines = {"Favor": (78, 70, 62, 54), "Oppose": (18, 25, 30, 39)}
    for (name, values), colour in zip(lines.items(), (BLUE, RED), strict=True):
        points = [(150 + 150 * number, 400 - 3 * value) for number, value in enumerate(values)]
        sketch.pen.line(points, fill=colour, width=3)
        for (x, y), value in zip(points, values, strict=True):
            sketch.word(f"{value}", x, y - 16)
        sketch.word(name, 650, points[-1][1])
    for number in range(4):
        sketch.word(str(2000 + 6 * number), 150 + 150 * number, 425)
    facts = sketch.read()
    assert {name: fact.value for name, fact in facts.items()} == {
        f"{2000 + 6 * number} {name}": value for name, values in lines.items() for number, value in enumerate(values)
    }
    assert {fact.reading for fact in facts.values()} == {"printed"}


def test_years_that_a_crowded_axis_leaves_out_are_named_all_the_same() -> None:
    sketch = Sketch()
    sketch.value_axis((0, 100, 200, 300), title="Number of cars")
    for number in range(20):
        x = 130 + 30 * number
        sketch.pen.rectangle((x - 10, 300 - 5 * number, x + 9, 399), fill=BLUE)
        if number % 2 == 0:
            sketch.word(str(2000 + number), x, 425)
    facts = sketch.read()
    assert len(facts) == 20
    assert facts["2007 Number of cars"].value == pytest.approx(135, abs=2)


def test_a_pie_gives_printed_shares_and_measures_those_whose_number_is_missing() -> None:
    sketch = Sketch()
    shares = {"Photos": 50, "Videos": 30, "Stories": 20}
    start = -90.0
    for (name, share), colour in zip(shares.items(), (BLUE, NAVY, GREY), strict=True):
        end = start + 3.6 * share
        sketch.pen.pieslice((250, 100, 550, 400), start, end, fill=colour)
        middle = math.radians((start + end) / 2)
        text = name if name == "Stories" else f"{name} {share}%"
        sketch.word(text, 400 + 215 * math.cos(middle), 250 + 185 * math.sin(middle))
        start = end
    facts = sketch.read()
    assert facts["Photos Share"].value == 50
    assert facts["Videos Share"].value == 30
    assert facts["Stories Share"].value == pytest.approx(20, abs=0.7)
    assert facts["Stories Share"].reading == "estimated"


def test_numbers_in_a_pie_that_are_no_shares_are_told_as_printed_though_one_was_not_read() -> None:
    sketch = Sketch()
    start, numbers = -90.0, {"Apples": 8, "Pears": 5, "Plums": 4, "Figs": 3}
    for (name, number), colour in zip(numbers.items(), (BLUE, NAVY, GREY, RED), strict=True):
        end = start + 18 * number
        sketch.pen.pieslice((250, 100, 550, 400), start, end, fill=colour)
        middle = math.radians((start + end) / 2)
        text = name if name == "Figs" else f"{name} {number}"
        sketch.word(text, 400 + 215 * math.cos(middle), 250 + 185 * math.sin(middle))
        start = end
    facts = {name: fact.value for name, fact in sketch.read().items()}
    assert facts == pytest.approx(numbers, rel=0.03)


def test_a_staircase_of_bars_is_no_disc() -> None:
    picture = np.full((400, 400, 3), 255, np.uint8)
    for number, top in enumerate((60, 55, 90, 200)):
        picture[top:340, 60 + 70 * number : 129 + 70 * number] = BLUE
    assert _find_disc(find_palette(picture)) is None


def test_the_structure_names_the_series() -> None:
    sketch = drawn_lines()
    structures = [c for c in read_chart(np.asarray(sketch.image), sketch.words).constraints if isinstance(c, Structure)]
    assert [(structure.type, structure.parts) for structure in structures] == [("table", ("Women", "Men"))]


BOXES = st.tuples(st.floats(0, 300), st.floats(0, 200), st.floats(1, 90), st.floats(1, 60))
TEXTS = st.sampled_from(["0", "50", "100", "2010", "2011", "12%", "Total", "Share of people", "Q1 '10", "★", "1 000"])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(BOXES, TEXTS, st.sampled_from([0.0, 45.0, 90.0, -45.0])), max_size=12), st.integers(0, 99))
def test_any_words_over_any_blocks_are_read_without_a_crash(
    words: list[tuple[tuple[float, float, float, float], str, float]], seed: int
) -> None:
    blocks = np.random.default_rng(seed).integers(0, 4, (10, 15)) * 80
    picture = np.kron(blocks, np.ones((20, 20))).astype(np.uint8)[..., None].repeat(3, axis=2)
    read = [
        Word(text=text, box=(x, y, x + width, y + height), confidence=0.9, angle_deg=angle)
        for (x, y, width, height), text, angle in words
    ]
    for fact in read_chart(picture, read).constraints:
        assert 0 < fact.confidence <= 1
        assert not isinstance(fact, Numeric) or math.isfinite(fact.value)


@pytest.mark.parametrize(
    "picture",
    [
        np.full((300, 400, 3), 255, np.uint8),
        np.zeros((5, 5, 3), np.uint8),
        np.full((1, 1, 3), 7, np.uint8),
        np.random.default_rng(0).integers(0, 256, (200, 300, 3), np.uint8),
    ],
    ids=["blank", "tiny", "one pixel", "noise"],
)
def test_a_picture_without_a_chart_gives_nothing(picture: np.ndarray) -> None:
    assert read_chart(picture, []).constraints == ()


def test_a_chart_drawn_by_matplotlib_is_read_with_the_real_recogniser(tmp_path: Path) -> None:
    figure = Figure(figsize=(8, 5), dpi=100)
    axes = figure.add_subplot()
    values = {"Apples": 34, "Pears": 21, "Plums": 47, "Cherries": 12}
    axes.bar(list(values), list(values.values()), color="#2876dd")
    axes.set_ylabel("Number of boxes")
    figure.savefig(tmp_path / "chart.png")
    picture = np.asarray(Image.open(tmp_path / "chart.png").convert("RGB"))
    facts = {
        fact.entity: fact for fact in read_chart(picture, read_words(picture)).constraints if isinstance(fact, Numeric)
    }
    assert set(facts) == {f"{name} Number of boxes" for name in values}
    for name, value in values.items():
        assert facts[f"{name} Number of boxes"].value == pytest.approx(value, rel=0.03, abs=0.5)
