"""Charts as plotting libraries draw them: panels, bins, titles right under names, thin legends, pies with their values."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from PIL import Image

from evpv.perception.charts.labels import make_labels
from evpv.perception.charts.panels import find_panels
from tests.perception.drawing import Sketch

BLUE, RED = (40, 118, 221), (165, 10, 10)


def bars_at(sketch: Sketch, places: Sequence[float], values: Sequence[float], *, half: int, floor: float = 400) -> None:
    for x, value in zip(places, values, strict=True):
        sketch.pen.rectangle((x - half, floor - value, x + half - 1, floor - 1), fill=BLUE)


def rounded(sketch: Sketch) -> dict[str, int]:
    return {name: round(fact.value) for name, fact in sketch.read().items()}


def near(expected: dict[str, float]) -> dict[str, object]:
    return {name: pytest.approx(value, abs=2) for name, value in expected.items()}


@pytest.mark.parametrize(
    ("ticks", "names"),
    [
        (("0", "10", "20", "30", "40"), ("0-10", "10-20", "20-30", "30-40")),
        (("2008", "2009", "2010", "2011", "2012"), ("2008", "2009", "2010", "2011")),
    ],
    ids=["numbers", "years are called by their first"],
)
def test_bars_that_touch_between_ticks_are_bins(ticks: Sequence[str], names: Sequence[str]) -> None:
    sketch = Sketch()
    sketch.value_axis((0, 100, 200, 300), title="Count")
    bars_at(sketch, (200, 300, 400, 500), (120, 250, 60, 180), half=49)
    for number, tick in enumerate(ticks):
        sketch.word(tick, 150 + 100 * number, 425)
    expected = {f"{name} Count": value for name, value in zip(names, (120, 250, 60, 180), strict=True)}
    assert rounded(sketch) == near(expected)


def test_a_title_right_under_the_names_is_no_part_of_the_middle_one() -> None:
    sketch = Sketch()
    sketch.value_axis((0, 100, 200, 300), title="people")
    bars_at(sketch, (200, 300, 400), (120, 250, 60), half=30)
    for x, name in zip((200, 300, 400), ("Anna", "Ben", "Carl"), strict=True):
        sketch.word(name, x, 425)
    sketch.word("group", 300, 440)
    assert set(sketch.read()) == {"Anna people", "Ben people", "Carl people"}


def test_panels_side_by_side_are_read_apart_and_named_by_their_headings() -> None:
    sketch = Sketch()
    for left, heading, top in ((0, "Female", 300), (380, "Male", 30)):
        for step in range(4):
            sketch.word(f"{step * top / 3:g}", left + 70, 400 - 100 * step)
        places = (left + 150, left + 220, left + 290)
        bars_at(sketch, places, (120, 250, 60), half=25)
        for x, name in zip(places, ("A1", "B1", "C1"), strict=True):
            sketch.word(name, x, 425)
        sketch.word(heading, left + 220, 60)
    assert rounded(sketch) == near(
        {"A1 Female": 120, "B1 Female": 250, "C1 Female": 60, "A1 Male": 12, "B1 Male": 25, "C1 Male": 6}
    )


def test_panels_one_over_the_other_share_the_names_at_the_foot() -> None:
    sketch = Sketch(image=Image.new("RGB", (500, 500), "white"))
    for floor, heading, values in ((200, "rain", (50, 90, 30)), (420, "snow", (20, 70, 95))):
        for tick in (0, 50, 100):
            sketch.word(str(tick), 90, floor - 1.5 * tick)
        sketch.word(heading, 30, floor - 75, upright=True)
        bars_at(sketch, (170, 270, 370), [1.5 * value for value in values], half=40, floor=floor)
    for x, name in zip((170, 270, 370), ("North", "South", "West"), strict=True):
        sketch.word(name, x, 445)
    found = {name: round(fact.value) for name, fact in sketch.read().items()}
    wanted = {"North rain": 50, "South rain": 90, "West rain": 30, "North snow": 20, "South snow": 70, "West snow": 95}
    assert {" ".join(name.split()[:2]): value for name, value in found.items()} == near(dict(wanted))


def test_a_second_scale_at_the_right_makes_no_second_panel() -> None:
    sketch = Sketch()
    sketch.value_axis((0, 100, 200, 300), title="cars")
    for tick in (0, 10, 20, 30):
        sketch.word(str(tick), 780, 400 - 10 * tick)
    for x in (200, 400, 600):
        sketch.word(f"name {x}", x, 425)
    assert find_panels(make_labels(sketch.words), (500, 800, 3)) == []


def test_lines_are_named_by_thin_samples_and_read_at_years_where_they_turn() -> None:
    sketch = Sketch()
    sketch.value_axis((0, 100, 200, 300), title="tons")
    lines = {"rain": (BLUE, (50, 200, 80, 250, 120, 260, 90)), "snow": (RED, (300, 120, 240, 60, 200, 100, 280))}
    for row, (name, (colour, values)) in enumerate(lines.items()):
        points = [(150 + 80 * number, 400 - value) for number, value in enumerate(values)]
        sketch.pen.line(points, fill=colour, width=3)
        y = 30 + 24 * row
        sketch.pen.line((690, y, 712, y), fill=colour, width=3)
        sketch.word(name, 736, y)
    for number in (0, 2, 4, 6):
        sketch.word(str(2000 + number), 150 + 80 * number, 425)
    found = sketch.read()
    assert len(found) == 14
    assert found["2003 rain"].value == pytest.approx(250, abs=6)
    assert found["2001 snow"].value == pytest.approx(120, abs=6)


def test_numbers_printed_around_a_pie_are_values_where_they_are_its_parts() -> None:
    sketch = Sketch()
    values, colours = (600, 900, 1500), (BLUE, RED, (90, 160, 60))
    start = -90.0
    for value, colour, name in zip(values, colours, ("Apples", "Pears", "Plums"), strict=True):
        end = start + 360 * value / sum(values)
        sketch.pen.pieslice((150, 100, 450, 400), start, end, fill=colour)
        middle = math.radians((start + end) / 2)
        sketch.word(str(value), 300 + 185 * math.cos(middle), 250 + 175 * math.sin(middle))
        row = 100 + 30 * colours.index(colour)
        sketch.pen.rectangle((600, row - 6, 611, row + 5), fill=colour)
        sketch.word(name, 650, row)
        start = end
    assert rounded(sketch) == {"Apples": 600, "Pears": 900, "Plums": 1500}


def test_names_that_repeat_beside_an_axis_at_the_foot_part_panels_one_over_the_other() -> None:
    sketch = Sketch()
    for number, (heading, values) in enumerate((("Duluth", (120, 250, 60)), ("Morris", (200, 90, 180)))):
        for row, (name, value) in enumerate(zip(("Anna", "Ben", "Carl"), values, strict=True)):
            y = 60 + 170 * number + 45 * row
            sketch.word(name, 130, y)
            sketch.pen.rectangle((160, y - 15, 160 + value, y + 14), fill=BLUE)
        sketch.word(heading, 40, 105 + 170 * number, upright=True)
    for tick in (0, 100, 200, 300):
        sketch.word(str(tick), 160 + tick, 400)
    assert rounded(sketch) == near(
        {f"{name} Duluth": value for name, value in zip(("Anna", "Ben", "Carl"), (120, 250, 60), strict=True)}
        | {f"{name} Morris": value for name, value in zip(("Anna", "Ben", "Carl"), (200, 90, 180), strict=True)}
    )


def test_cells_of_a_tinted_panel_under_a_grid_are_no_bars() -> None:
    sketch = Sketch()
    sketch.value_axis((0, 100, 200, 300), title="people")
    sketch.pen.rectangle((130, 70, 530, 400), fill=(220, 227, 246))
    for step in range(4):
        sketch.pen.line((130, 400 - 100 * step, 530, 400 - 100 * step), fill="white", width=2)
        sketch.pen.line((180 + 100 * step, 70, 180 + 100 * step, 400), fill="white", width=2)
        sketch.word(("Anna", "Ben", "Carl", "Dora")[step], 180 + 100 * step, 425)
    sketch.pen.line([(180, 280), (280, 150), (380, 340), (480, 220)], fill=RED, width=3)
    assert rounded(sketch) == near({"Anna people": 120, "Ben people": 250, "Carl people": 60, "Dora people": 180})


def test_areas_on_areas_over_years_are_read_at_every_year_where_they_turn() -> None:
    sketch = Sketch()
    sketch.value_axis((0, 100, 200, 300), title="count")
    sketch.legend(("male", "female"), (BLUE, RED))
    places = tuple(range(180, 481, 50))
    lower, upper = (60, 120, 40, 100, 30, 90, 50), (160, 180, 150, 260, 110, 200, 120)
    for colour, heights in ((RED, upper), (BLUE, lower)):
        outline = [(x, 400 - value) for x, value in zip(places, heights, strict=True)]
        sketch.pen.polygon([(180, 400), *outline, (480, 400)], fill=colour)
    for x, year in zip(places[::2], ("2000", "2002", "2004", "2006"), strict=True):
        sketch.word(year, x, 425)
    read = rounded(sketch)
    assert read["2003 male"] == pytest.approx(100, abs=5)
    assert read["2001 female"] == pytest.approx(60, abs=5)


def test_two_values_of_one_name_are_both_doubted() -> None:
    sketch = Sketch()
    sketch.value_axis((0, 100, 200, 300), title="people")
    bars_at(sketch, (200, 300, 400), (120, 250, 60), half=30)
    for x, name in zip((200, 300, 400), ("Anna", "Anna", "Carl"), strict=True):
        sketch.word(name, x, 425)
    facts = sketch.read()
    assert facts["Anna people"].confidence < 0.6 < facts["Carl people"].confidence
