"""The parts of the chart reader that work on text alone: numbers, axes, names between names, titles."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evpv.perception.boxes import Box
from evpv.perception.charts.axes import find_axis
from evpv.perception.charts.labels import ChartLabel, make_labels, parse_quantity
from evpv.perception.charts.slots import _chart_title, _mend_title, fill_names
from evpv.perception.ocr import Word


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("42", 42, None),
        ("1 234.5", 1234.5, None),
        ("1,234,567", 1234567, None),
        ("3,5", 3.5, None),
        ("12%", 12, "%"),
        ("-5.29%", -5.29, "%"),
        ("−7", -7, None),
        ("$350.83 million", 350.83, "million"),
        ("180,000 t", 180000, "t"),
        ("13.0k", 13, "k"),
        ("2017*", 2017, None),
    ],
)
def test_a_printed_number_is_read_as_printed(text: str, value: float, unit: str | None) -> None:
    quantity = parse_quantity(text)
    assert quantity is not None
    assert (quantity.value, quantity.unit) == (value, unit)


@pytest.mark.parametrize("text", ["", "Q1 2010", "2010/11", "18-29", "Total", "12 345 6", "1.2.3", "★"])
def test_other_text_is_no_number(text: str) -> None:
    assert parse_quantity(text) is None


@given(st.integers(-(10**9), 10**9))
def test_numbers_with_any_thousands_mark_are_the_same_number(number: int) -> None:
    for text in (str(number), f"{number:,}", f"{number:,}".replace(",", " ")):
        quantity = parse_quantity(text)
        assert quantity is not None
        assert quantity.value == number


def test_scale_words_count_on_axes_only() -> None:
    quantity = parse_quantity("1.5 million")
    assert quantity is not None
    assert (quantity.value, quantity.full) == (1.5, 1.5e6)


def ticks(texts: dict[str, float], x: float = 60) -> tuple[ChartLabel, ...]:
    words = [Word(text=text, box=Box(x - 20, y - 8, x, y + 8), confidence=0.99) for text, y in texts.items()]
    return make_labels(words)


def test_an_axis_is_fitted_through_its_ticks_and_a_misread_tick_does_not_count() -> None:
    axis = find_axis(ticks({"0": 400, "50": 300, "700": 200, "150": 100, "200": 0}), upward=True)
    assert axis is not None
    assert axis.value(350) == pytest.approx(25)
    assert len(axis.ticks) == 4


def test_a_logarithmic_axis_is_seen_as_one() -> None:
    axis = find_axis(ticks({"1": 400, "10": 300, "100": 200, "1,000": 100}), upward=True)
    assert axis is not None
    assert axis.logarithmic
    assert axis.value(250) == pytest.approx(10**1.5)
    assert axis.pixel(100) == pytest.approx(200)


def test_a_logarithmic_axis_may_print_twenties_between_its_powers_of_ten() -> None:
    printed = {"1": 400.0, "2": 370.0, "10": 300.0, "20": 270.0, "100": 200.0, "200": 170.0}
    axis = find_axis(ticks(printed), upward=True)
    assert axis is not None
    assert axis.logarithmic
    assert len(axis.ticks) == 6


@pytest.mark.parametrize("texts", [{"5": 10, "9": 20}, {"2010": 0, "7": 100, "96": 200}, {}], ids=str)
def test_numbers_that_do_not_grow_evenly_are_no_axis(texts: dict[str, float]) -> None:
    assert find_axis(ticks(texts), upward=True) is None


@given(st.floats(0.01, 1000), st.floats(-500, 500), st.integers(3, 9), st.floats(20, 60), st.floats(-1.0, 1.0))
def test_a_fitted_axis_gives_each_tick_its_value(step: float, start: float, count: int, gap: float, off: float) -> None:
    step, start = round(step, 2), round(start, 1)
    places = {f"{start + step * n:.2f}": 600 - gap * n + off for n in range(count)}
    axis = find_axis(ticks(places), upward=True)
    assert axis is not None
    for text, y in places.items():
        assert axis.value(y) == pytest.approx(float(text), abs=0.1 * step)


@pytest.mark.parametrize(
    ("names", "count", "between"),
    [
        ({0: "1985", 2: "1987"}, 3, {1: "1986"}),
        ({0: "1991/92", 2: "1993/94"}, 3, {1: "1992/93"}),
        ({0: "1998/99", 2: "2000/01"}, 3, {1: "1999/00"}),
        ({0: "Week 5", 2: "Week 7"}, 3, {1: "Week 6"}),
        ({0: "Q1 '10", 2: "Q3 '10", 4: "Q1 '11"}, 5, {1: "Q2 '10", 3: "Q4 '10"}),
        ({0: "Sep 2011", 2: "Jan 2012"}, 3, {1: "Nov 2011"}),
        ({0: "2018-11", 2: "2019-01"}, 3, {1: "2018-12"}),
        ({0: "a", 3: "d"}, 4, {1: "b", 2: "c"}),
        ({0: "a", 2: "d"}, 3, {}),
        ({0: "Spain", 2: "France"}, 3, {}),
        ({0: "2010", 2: "2013"}, 3, {}),
        ({0: "2010"}, 3, {}),
    ],
)
def test_names_between_names_are_filled_in_where_there_is_no_doubt(
    names: dict[int, str], count: int, between: dict[int, str]
) -> None:
    assert {place: name for place, name in fill_names(names, count).items() if place not in names} == between


def test_words_run_together_are_cut_into_years() -> None:
    word = Word(text="1990 1992 1994 1996", box=(100, 0, 290, 20), confidence=0.99)
    labels = make_labels([word])
    assert [label.text for label in labels] == ["1990", "1992", "1994", "1996"]
    assert [round(label.x) for label in labels] == [123, 171, 219, 267]  # the box reaches a little beyond the letters


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("20022003", ["2002", "2003"]),
        ("JanFebMarApr", ["Jan", "Feb", "Mar", "Apr"]),
        ("a d g j", ["a", "d", "g", "j"]),
        ("a d e j", ["a d e j"]),
    ],
)
def test_names_of_an_axis_that_touch_are_cut_apart(text: str, names: list[str]) -> None:
    word = Word(text=text, box=(100, 0, 100 + 10 * len(text), 20), confidence=0.99)
    assert [label.text for label in make_labels([word])] == names


def test_years_with_room_for_samples_between_them_are_left_to_the_legend() -> None:
    word = Word(text="20182019", box=(100, 0, 240, 20), confidence=0.99)
    assert [label.text for label in make_labels([word])] == ["20182019"]


def test_a_tick_that_was_taken_for_a_digit_is_no_label() -> None:
    words = [
        Word(text="1", box=(10, 0, 16, 14), confidence=0.6),
        Word(text="2001", box=(0, 16, 40, 32), confidence=1.0),
    ]
    assert [label.text for label in make_labels(words)] == ["2001"]


@pytest.mark.parametrize(
    ("read", "printed"),
    [
        ("Numbe r of cars", "Number of cars"),
        ("Num be r of m inu te s", "Number of minutes"),
        ("GVA in million G BP", "GVA in million GBP"),
        ("Number of m asjids", "Number of masjids"),
        ("Price index", "Price index"),
    ],
)
def test_axis_titles_in_pieces_are_mended(read: str, printed: str) -> None:
    assert _mend_title(read) == printed


@pytest.mark.parametrize(
    ("title", "named"),
    [
        ("Global Hunger Index, 2016", True),
        ("Long-term interest rates", True),
        ("Consensus that China plays a bigger role in the world today", False),
    ],
)
def test_a_title_names_the_values_only_if_it_is_no_headline(title: str, named: bool) -> None:
    words = [Word(text=title, box=(0, 0, 500, 32), confidence=0.99)]
    words += [Word(text="some label", box=(0, 100 * n, 80, 100 * n + 20), confidence=0.99) for n in range(1, 8)]
    assert _chart_title(make_labels(words)) == (title if named else "")


def test_months_read_as_one_word_are_names_at_even_distances() -> None:
    labels = make_labels([Word(text="Jan Feb Mar Apr", box=Box(100, 10, 250, 26), confidence=0.99)])
    assert [label.text for label in labels] == ["Jan", "Feb", "Mar", "Apr"]
    steps = {round(b.x - a.x, 6) for a, b in itertools.pairwise(labels)}
    assert len(steps) == 1


@pytest.mark.parametrize("text", ["May Day Sale", "Jan Mar Feb"])
def test_other_words_stay_together(text: str) -> None:
    labels = make_labels([Word(text=text, box=Box(100, 10, 250, 26), confidence=0.99)])
    assert [label.text for label in labels] == [text]


def test_the_tick_over_a_lone_letter_is_no_accent() -> None:
    labels = make_labels([Word(text="É", box=Box(100, 10, 112, 26), confidence=0.99)])
    assert [label.text for label in labels] == ["E"]
