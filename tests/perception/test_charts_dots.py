"""Dot charts drawn in several styles and read through the real OCR engine."""

from __future__ import annotations

import random

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from evpv.perception.charts import read_chart
from evpv.perception.ocr import Pixels, read_words
from evpv.types import Numeric

NAMES = ("Norway", "Brazil", "Canada", "Japan", "Kenya", "Turkey", "Spain")
SERIES = ("Men", "Women")
COLOURS = ("#1f77b4", "#d62728")


def drawn(style: str, seed: int) -> tuple[Pixels, dict[str, float]]:
    """A dot chart and its values by name."""
    draw = random.Random(seed)
    count = 2 if style.startswith("dumbbell") else 1
    names = draw.sample(NAMES, draw.randint(4, 6))
    table = [[float(draw.randint(12, 95)) for _ in range(count)] for _ in names]
    figure = Figure(figsize=(draw.choice((6, 7)), draw.choice((4, 5))), dpi=draw.choice((100, 130)))
    axes = figure.subplots()
    places, across = list(range(len(names))), not style.endswith("upright")
    size = draw.choice((60, 90))
    for number in range(count):
        values = [row[number] for row in table]
        xs, ys = (values, places) if across else (places, values)
        axes.scatter(xs, ys, s=size, color=COLOURS[number], label=SERIES[number], zorder=3)
    for place, row in zip(places, table, strict=True):
        low = min(row) if count > 1 else 0.0
        if style.startswith(("dumbbell", "lollipop")):
            (axes.hlines if across else axes.vlines)(place, low, max(row), color="#999999", linewidth=2)
    (axes.set_yticks if across else axes.set_xticks)(places, names)
    (axes.set_xlim if across else axes.set_ylim)(0, 100)
    (axes.set_ylim if across else axes.set_xlim)(-0.7, len(names) - 0.3)
    (axes.set_xlabel if across else axes.set_ylabel)("Score")
    if draw.random() < 0.5:
        axes.grid(axis="x" if across else "y", color="#dddddd")
    if count > 1:
        figure.legend(loc="upper center", ncols=2)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    series = SERIES if count > 1 else ("Score",)
    gold = {f"{name} {series[n]}": row[n] for name, row in zip(names, table, strict=True) for n in range(count)}
    return np.asarray(canvas.buffer_rgba(), np.uint8)[:, :, :3].copy(), gold


def counted(style: str, seed: int) -> tuple[int, int, int]:
    """How many values of a drawn chart were read right, how many were said, and how many there are."""
    picture, gold = drawn(style, seed)
    said = [fact for fact in read_chart(picture, read_words(picture)).constraints if isinstance(fact, Numeric)]
    right = sum(abs(fact.value - gold.get(fact.entity, np.inf)) <= 0.05 * gold.get(fact.entity, 0) for fact in said)
    return right, len(said), len(gold)


@pytest.mark.parametrize(
    "style", ["dots", "dots-upright", "lollipop", "lollipop-upright", "dumbbell", "dumbbell-upright"]
)
def test_dot_charts_are_read_at_f1_of_nine_tenths(style: str) -> None:
    right, said, there = (sum(column) for column in zip(*(counted(style, seed) for seed in (1, 2)), strict=True))
    assert 2 * right / max(said + there, 1) >= 0.9


def test_dots_in_two_colours_that_nothing_names_say_nothing() -> None:
    figure = Figure(figsize=(6, 4), dpi=100)
    axes = figure.subplots()
    axes.scatter([20, 40, 60, 80], range(4), s=80, color=COLOURS[0])
    axes.scatter([30, 55, 70, 90], range(4), s=80, color=COLOURS[1])
    axes.set_yticks(range(4), NAMES[:4])
    axes.set_xlim(0, 100)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    picture = np.asarray(canvas.buffer_rgba(), np.uint8)[:, :, :3].copy()
    assert read_chart(picture, read_words(picture)).constraints == ()


def test_names_that_slant_are_read_whole_and_given_to_their_bars() -> None:
    names = ("Password utility", "Downloader", "Privilege escalation", "Web shell", "Coin miner")
    values = (12.0, 35.0, 27.0, 44.0, 18.0)
    figure = Figure(figsize=(7, 5), dpi=100)
    axes = figure.subplots()
    axes.barh(range(5), values, color="#1f77b4")
    axes.set_yticks(range(5), names, rotation=30, va="top", fontsize=14)
    axes.set_xlabel("Share of attacks", fontsize=14)
    figure.subplots_adjust(left=0.3)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    picture = np.asarray(canvas.buffer_rgba(), np.uint8)[:, :, :3].copy()
    read = {f.entity: f.value for f in read_chart(picture, read_words(picture)).constraints if isinstance(f, Numeric)}
    expected = {f"{name} Share of attacks": value for name, value in zip(names, values, strict=True)}
    assert read == {name: pytest.approx(value, rel=0.05) for name, value in expected.items()}


@pytest.mark.parametrize("named", [True, False])
def test_areas_on_areas_say_nothing(named: bool) -> None:
    """The upper edge of a stacked area is a sum, and where one area hides another it cannot be told from it."""
    figure = Figure(figsize=(7, 4.5), dpi=100)
    axes = figure.subplots()
    years = [2010, 2012, 2014, 2016, 2018]
    areas = [20, 25, 30, 28, 35], [30, 28, 35, 40, 38]
    axes.stackplot(years, *areas, labels=("Coal", "Gas"), colors=COLOURS)
    axes.set_ylim(0, 100)
    axes.set_xticks(years)
    if named:
        figure.legend(loc="upper center", ncols=2)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    picture = np.asarray(canvas.buffer_rgba(), np.uint8)[:, :, :3].copy()
    assert read_chart(picture, read_words(picture)).constraints == ()
