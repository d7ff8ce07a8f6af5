"""Kinds of charts that are read by rules of their own, or refused: heat maps, two value axes, steps, boxes, dashes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.perception.drawing import Sketch

BLUE, RED = (40, 118, 221), (165, 10, 10)
NAMES = ("Anna", "Ben", "Carl", "Dora")
PLACES = (200, 350, 500, 650)


def with_names(sketch: Sketch) -> Sketch:
    for x, name in zip(PLACES, NAMES, strict=True):
        sketch.word(name, x, 425)
    return sketch


def values(sketch: Sketch) -> dict[str, object]:
    return {name: pytest.approx(fact.value, abs=3) for name, fact in sketch.read().items()}


def line(sketch: Sketch, heights: Sequence[float], colour: tuple[int, int, int]) -> None:
    points = [(x, 400 - height) for x, height in zip(PLACES, heights, strict=True)]
    sketch.pen.line(points, fill=colour, width=3)


def heat_map(table: Sequence[Sequence[int]], *, upright: bool = False) -> Sketch:
    sketch = Sketch()
    for row, numbers in enumerate(table):
        sketch.word(("Mon", "Tue", "Wed")[row], 100, 100 + 60 * row, upright=upright)
        for column, number in enumerate(numbers):
            x, y = 200 + 100 * column, 100 + 60 * row
            sketch.pen.rectangle((x - 50, y - 30, x + 49, y + 29), fill=(255 - 2 * number, 255 - number, 255))
            sketch.word(str(number), x, y)
    for column, name in enumerate(NAMES[: len(table[0])]):
        sketch.word(name, 200 + 100 * column, 300)
    return sketch


@pytest.mark.parametrize("upright", [False, True])
def test_the_numbers_of_a_heat_map_are_named_by_row_and_column(upright: bool) -> None:
    found = heat_map([[10, 40, 70], [95, 20, 55], [30, 85, 60]], upright=upright).read()
    assert found["Tue Anna"].value == 95
    assert found["Wed Carl"].value == 60
    assert len(found) == 9


def test_a_number_that_its_colour_denies_is_not_told() -> None:
    sketch = heat_map([[10, 40, 70], [95, 20, 55], [30, 85, 60]])
    sketch.pen.rectangle((150, 130, 249, 189), fill=(250, 252, 255))  # the palest of all under the highest number
    assert "Tue Anna" not in sketch.read()


def twin(titles: tuple[str, str], legend: tuple[str, str]) -> Sketch:
    sketch = with_names(Sketch())
    sketch.value_axis((0, 100, 200, 300), title=titles[0])
    for tick in (0, 10, 20, 30):
        sketch.word(str(tick), 780, 400 - 10 * tick)
    sketch.word(titles[1], 795, 220, upright=True)
    line(sketch, (120, 250, 60, 180), BLUE)
    line(sketch, (250, 100, 200, 50), RED)
    sketch.legend(legend, (BLUE, RED))
    return sketch


def test_each_of_two_series_is_read_on_the_axis_that_is_called_like_it() -> None:
    found = values(twin(("cars", "price"), ("cars", "price")))
    assert found["Ben cars"] == 250
    assert twin(("cars", "price"), ("cars", "price")).read()["Ben price"].value == pytest.approx(10, abs=0.3)
    assert len(found) == 8


def test_series_are_refused_where_nothing_tells_their_axis() -> None:
    assert twin(("left", "right"), ("cars", "price")).read() == {}


@pytest.mark.parametrize("way", ["hv", "vh"])
def test_steps_are_read_at_the_end_of_the_level_where_their_point_stands(way: str) -> None:
    sketch, expected = with_names(Sketch()), (120, 250, 60, 180)
    sketch.value_axis((0, 100, 200, 300), title="cars")
    points = [(PLACES[0], expected[0])]
    for x, value in zip(PLACES[1:], expected[1:], strict=True):
        corner = (x, points[-1][1]) if way == "hv" else (points[-1][0], value)
        points += [corner, (x, value)]
    sketch.pen.line([(x, 400 - y) for x, y in points], fill=BLUE, width=3)
    assert values(sketch) == {f"{name} cars": value for name, value in zip(NAMES, expected, strict=True)}


def test_two_lines_of_one_colour_are_refused() -> None:
    sketch = with_names(Sketch())
    sketch.value_axis((0, 100, 200, 300), title="cars")
    line(sketch, (220, 250, 260, 280), BLUE)
    line(sketch, (20, 50, 60, 80), BLUE)
    assert sketch.read() == {}


def test_boxes_that_start_at_no_common_line_are_no_bars() -> None:
    sketch = with_names(Sketch())
    sketch.value_axis((0, 100, 200, 300), title="cars")
    for x, low, high in zip(PLACES, (40, 80, 150, 200), (95, 120, 230, 260), strict=True):
        sketch.pen.rectangle((x - 30, 400 - high, x + 29, 399 - low), fill=BLUE)
    assert sketch.read() == {}


def test_an_outlined_bar_ends_in_the_middle_of_its_outline() -> None:
    sketch = with_names(Sketch())
    sketch.value_axis((0, 100, 200, 300), title="cars")
    for x, value in zip(PLACES, (120, 250, 60, 180), strict=True):
        sketch.pen.rectangle((x - 33, 397 - value, x + 33, 403), fill="black")
        sketch.pen.rectangle((x - 27, 403 - value, x + 27, 397), fill=BLUE)
    found = {name: fact.value for name, fact in sketch.read().items()}
    assert found == {
        f"{name} cars": pytest.approx(value, abs=1.5) for name, value in zip(NAMES, (120, 250, 60, 180), strict=True)
    }


def test_a_black_line_within_a_black_frame_is_read() -> None:
    sketch = with_names(Sketch())
    sketch.value_axis((0, 100, 200, 300), title="tons")
    sketch.pen.rectangle((130, 60, 760, 405), outline=(0, 0, 0), width=2)
    line(sketch, (120, 250, 60, 180), (0, 0, 0))
    assert values(sketch) == {"Anna tons": 120, "Ben tons": 250, "Carl tons": 60, "Dora tons": 180}


def test_black_bars_are_told_from_the_black_axis_that_joins_them() -> None:
    sketch = with_names(Sketch())
    sketch.value_axis((0, 100, 200, 300), title="tons")
    sketch.pen.line([(130, 60), (130, 400), (760, 400)], fill=(0, 0, 0), width=1)
    for x, height in zip(PLACES, (120, 250, 60, 180), strict=True):
        sketch.pen.rectangle((x - 30, 400 - height, x + 30, 400), fill=(0, 0, 0))
    assert values(sketch) == {"Anna tons": 120, "Ben tons": 250, "Carl tons": 60, "Dora tons": 180}
