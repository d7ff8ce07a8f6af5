"""Function graphs drawn here, with the tick labels given as words."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evpv.perception.graph_features import _corner_columns, _turning_points
from evpv.perception.graphs import graph_reading
from evpv.perception.ocr import Pixels, Word, read_words
from evpv.types import Constraint, Numeric, Relation, Structure

UNIT_PX = 40
CENTRE = (240, 200)
BLUE = (30, 90, 200)
BLACK = (0, 0, 0)


def place(x: float, y: float) -> tuple[int, int]:
    return (round(CENTRE[0] + UNIT_PX * x), round(CENTRE[1] - UNIT_PX * y))


def axes(*, grid: bool = False) -> Pixels:
    picture = np.full((400, 480, 3), 255, dtype=np.uint8)
    if grid:
        for step in range(-5, 6):
            cv2.line(picture, place(step, -5), place(step, 5), (205, 205, 205), 1)
            cv2.line(picture, place(-6, step), place(6, step), (205, 205, 205), 1)
    cv2.line(picture, place(-6, 0), place(6, 0), BLACK, 2)
    cv2.line(picture, place(0, -5), place(0, 5), BLACK, 2)
    return picture


def plot(
    function: Callable[[float], float], colour: tuple[int, int, int] = BLUE, *, grid: bool = False, hole: float = 99.0
) -> Pixels:
    picture = axes(grid=grid)
    xs = [x for x in np.linspace(-5.0, 5.0, 1601).tolist() if abs(function(x)) <= 4.6]
    for x0, x1 in pairwise(xs):
        if x1 - x0 < 0.01 and not x0 <= hole <= x1:
            cv2.line(picture, place(x0, function(x0)), place(x1, function(x1)), colour, 2, cv2.LINE_AA)
    return picture


def ticks(*, minus: bool = True) -> list[Word]:
    def word(value: int, x: float, y: float) -> Word:
        text = str(value if minus else abs(value))
        return Word(text=text, box=(x - 7, y - 8, x + 7, y + 8), confidence=0.99)

    steps = [step for step in range(-4, 5) if step]
    across = [word(step, place(step, 0)[0], CENTRE[1] + 16) for step in steps]
    return across + [word(step, CENTRE[0] - 18, place(0, step)[1]) for step in steps]


def read_graph(picture: Pixels, words: list[Word]) -> list[Constraint]:
    return list(graph_reading(picture, words).constraints)


def numbers(picture: Pixels, words: list[Word]) -> dict[str, list[float]]:
    """The readings of the whole graph, by attribute."""
    found: dict[str, list[float]] = {}
    for fact in read_graph(picture, words):
        if isinstance(fact, Numeric) and fact.entity == "graph":
            assert fact.reading == "estimated"
            found.setdefault(fact.attribute, []).append(fact.value)
    return found


def test_the_kink_of_the_paper_is_found_where_it_is() -> None:
    facts = read_graph(plot(lambda x: abs(x - 1) - 2), ticks())
    kinks = [fact for fact in facts if isinstance(fact, Numeric) and fact.attribute == "kink position"]
    structures = [fact for fact in facts if isinstance(fact, Structure)]
    assert [(kink.entity, kink.value, kink.unit) for kink in kinks] == [("graph", 1.0, "x")]
    assert [(structure.type, structure.parts, structure.attachment) for structure in structures] == [
        ("graph", ("left branch", "right branch"), ("sharp corner at x = 1",))
    ]


@pytest.mark.parametrize("colour", [BLUE, BLACK, (200, 30, 30)])
@pytest.mark.parametrize("grid", [False, True])
def test_a_parabola_has_intercepts_and_a_minimum_but_no_kink(colour: tuple[int, int, int], grid: bool) -> None:
    found = numbers(plot(lambda x: x * x - 4, colour, grid=grid), ticks())
    assert found == {
        "x-intercept": [-2.0, 2.0],
        "y-intercept": [-4.0],
        "minimum": [-4.0],
        "minimum position": [0.0],
    }


def test_what_stands_over_an_axis_of_years_is_a_chart_and_no_function() -> None:
    picture = plot(lambda x: x + 2)
    level = CENTRE[1] + 16
    years = [replace(word, text=str(2015 + int(word.text))) if word.box[1] + 8 == level else word for word in ticks()]
    assert [word.text for word in years][:2] == ["2011", "2012"]
    assert read_graph(picture, ticks())
    assert read_graph(picture, years) == []


def test_minus_signs_that_the_ocr_lost_come_back_from_the_progression() -> None:
    picture = plot(lambda x: x + 2)
    assert (
        numbers(picture, ticks(minus=False))
        == numbers(picture, ticks())
        == {
            "x-intercept": [-2.0],
            "y-intercept": [2.0],
        }
    )


def test_whole_points_on_the_curve_are_named() -> None:
    facts = read_graph(plot(lambda x: x / 2 + 1), ticks())
    points = {fact.entities[1] for fact in facts if isinstance(fact, Relation) and fact.type == "incident"}
    assert {"(-2, 0)", "(0, 1)", "(2, 2)"} <= points
    assert "(1, 2)" not in points


def test_a_jump_is_a_jump_and_no_kink() -> None:
    facts = read_graph(plot(lambda x: 1.0 if x < 2 else 3.0, hole=2.0), ticks())
    assert [fact.attachment for fact in facts if isinstance(fact, Structure)] == [("jump at x = 2",)]


@pytest.mark.parametrize("words", [[], ticks()[:2], ticks()[:8]])
def test_without_two_calibrated_axes_nothing_is_said(words: list[Word]) -> None:
    assert read_graph(plot(lambda x: x), words) == []


def test_axes_without_a_curve_say_nothing() -> None:
    assert read_graph(axes(), ticks()) == []


def test_a_dark_graph_says_what_its_light_twin_says() -> None:
    light = plot(lambda x: abs(x + 1) - 1, BLACK)
    assert numbers(np.asarray(255 - light, dtype=np.uint8), ticks()) == numbers(light, ticks())


def test_a_graph_is_read_with_real_ocr() -> None:
    picture = plot(lambda x: abs(x - 1) - 2)
    for word in ticks():
        x, y = (word.box[0] + word.box[2]) / 2, (word.box[1] + word.box[3]) / 2
        place_of_text = (round(x - 5 * len(word.text)), round(y + 6))
        cv2.putText(picture, word.text, place_of_text, cv2.FONT_HERSHEY_SIMPLEX, 0.5, BLACK, 1, cv2.LINE_AA)
    assert numbers(picture, read_words(picture))["kink position"] == [1.0]


@settings(max_examples=30)
@given(st.floats(60, 240), st.floats(0.5, 2.0), st.floats(-2.0, -0.5))
def test_a_corner_is_found_where_two_lines_meet(column: float, left: float, right: float) -> None:
    xs = np.arange(300.0)
    ys = np.where(xs < column, left * (xs - column), right * (xs - column))
    found = _corner_columns(np.stack([xs, ys], axis=1))
    assert len(found) == 1
    assert abs(found[0] - column) <= 1.5


@settings(max_examples=30)
@given(st.floats(10, 40), st.floats(90, 200))
def test_waves_turn_without_corners(height: float, length: float) -> None:
    xs = np.arange(300.0)
    wave = np.stack([xs, height * np.sin(2 * math.pi * xs / length)], axis=1)
    assert _corner_columns(wave) == []
    assert len(_turning_points(wave)) >= 2 * math.floor(300 / length) - 1


def test_a_named_curve_is_spoken_of_by_its_name() -> None:
    label = Word(text="y = h(x)", box=(20, 360, 100, 385), confidence=0.99)
    facts = read_graph(plot(lambda x: abs(x - 1) - 2), [*ticks(), label])
    said = {(fact.entity, fact.attribute): fact.value for fact in facts if isinstance(fact, Numeric)}
    assert said["kink of h", "x-coordinate"] == 1.0
    assert said["kink of h", "y-coordinate"] == -2.0
    assert said["graph of h at x = 3", "value"] == 0.0
    continuous = [fact.entities for fact in facts if isinstance(fact, Relation) and fact.type == "continuous_at"]
    assert continuous == [("graph of h", "x = 1")]


@pytest.mark.parametrize("colour", [BLUE, BLACK])
def test_a_jump_is_where_its_circles_are(colour: tuple[int, int, int]) -> None:
    picture = axes(grid=True)
    cv2.line(picture, place(-4, -3), place(2, 3), colour, 2, cv2.LINE_AA)
    cv2.line(picture, place(2, 1), place(5, 1), colour, 2, cv2.LINE_AA)
    cv2.circle(picture, place(2, 3), 7, (255, 255, 255), -1)
    cv2.circle(picture, place(2, 3), 7, colour, 2, cv2.LINE_AA)
    cv2.circle(picture, place(2, 1), 7, colour, -1, cv2.LINE_AA)
    facts = read_graph(picture, ticks())
    assert [fact.value for fact in facts if isinstance(fact, Numeric) and fact.entity == "jump"] == [2.0]
    assert "graph at x = 2" not in {fact.entity for fact in facts if isinstance(fact, Numeric)}


def test_tick_labels_run_together_are_taken_apart() -> None:
    words = [word for word in ticks() if not (word.text in ("-4", "-3", "-2") and word.box[1] > CENTRE[1])]
    x0, x1 = place(-4, 0)[0] - 8, place(-2, 0)[0] + 8
    row = Word(text="-4  -3  -2", box=(x0, CENTRE[1] + 8, x1, CENTRE[1] + 24), confidence=0.9)
    picture = plot(lambda x: abs(x - 1) - 2)
    assert numbers(picture, [*words, row]) == numbers(picture, ticks())


def test_ticks_that_do_not_put_zero_at_the_axis_are_not_believed() -> None:
    shifted = [
        Word(text=str(int(word.text) + 7) if word.box[1] > CENTRE[1] + 2 else word.text, box=word.box, confidence=0.99)
        for word in ticks()
    ]
    assert read_graph(plot(lambda x: x / 2), shifted) == []


def test_a_tick_read_as_a_sign_after_its_label_is_no_part_of_the_number() -> None:
    marked = [replace(word, text=word.text + mark) for word, mark in zip(ticks(), "-+.." * 4, strict=True)]
    assert numbers(plot(lambda x: x / 2 + 1), marked) == numbers(plot(lambda x: x / 2 + 1), ticks())


def test_of_two_curves_only_points_on_one_are_told() -> None:
    picture = plot(lambda x: x / 2 + 1)
    red = plot(lambda x: 3 - x, (200, 30, 30))
    both = np.minimum(picture, red)
    facts = read_graph(both, ticks())
    assert any(isinstance(fact, Relation) and fact.type == "incident" for fact in facts)
    assert not any(isinstance(fact, Numeric) for fact in facts)


def test_a_graph_explains_its_ticks_and_letters() -> None:
    words = [*ticks(), Word(text="x", box=(440, 205, 452, 220), confidence=0.99)]
    assert graph_reading(plot(lambda x: x / 2 + 1), words).explained == 1.0
