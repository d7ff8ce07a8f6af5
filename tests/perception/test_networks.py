"""Networks: nodes, edges, weights, directions, and what is no network."""

from __future__ import annotations

import math

import pytest
from PIL import Image, ImageDraw, ImageFont

from evpv.perception.networks import is_network, network_reading
from evpv.perception.ocr import Word
from evpv.types import Numeric, Relation, Structure

from .drawing import pixels, table_picture, table_words

PLACES = {"A": (80, 80), "B": (420, 100), "C": (250, 350)}
WEIGHTS = {("A", "B"): "7", ("B", "C"): "12"}


def network_picture(*, weights: bool, arrows: bool = False, fill: str = "lightblue") -> Image.Image:
    picture = Image.new("RGB", (500, 430), "white")
    draw, font = ImageDraw.Draw(picture), ImageFont.load_default(size=22)
    for (first, second), weight in WEIGHTS.items():
        (x0, y0), (x1, y1) = PLACES[first], PLACES[second]
        draw.line([(x0, y0), (x1, y1)], "black", 2)
        if arrows:
            draw_head(draw, (x0, y0), (x1, y1))
        if weights:
            x, y = (x0 + x1) / 2, (y0 + y1) / 2
            draw.rectangle([x - 20, y - 16, x + 20, y + 16], "white")
            draw.text((x, y), weight, "black", font, anchor="mm")
    for name, (x, y) in PLACES.items():
        draw.ellipse([x - 24, y - 24, x + 24, y + 24], fill, "black", 2)
        draw.text((x, y), name, "black", font, anchor="mm")
    return picture


def draw_head(draw: ImageDraw.ImageDraw, start: tuple[float, float], end: tuple[float, float]) -> None:
    angle = math.atan2(end[1] - start[1], end[0] - start[0])
    tip = (end[0] - 25 * math.cos(angle), end[1] - 25 * math.sin(angle))
    sides = [(tip[0] - 20 * math.cos(angle + turn), tip[1] - 20 * math.sin(angle + turn)) for turn in (0.5, -0.5)]
    draw.polygon([tip, *sides], "black")


def network_words() -> list[Word]:
    return [Word(text=name, box=(x - 14, y - 14, x + 14, y + 14), confidence=0.99) for name, (x, y) in PLACES.items()]


@pytest.mark.parametrize("fill", ["lightblue", "white"])
def test_weights_stand_on_edges(fill: str) -> None:
    reading = network_reading(pixels(network_picture(weights=True, fill=fill)), network_words())
    assert {fact.entity: fact.value for fact in reading.constraints if isinstance(fact, Numeric)} == {
        "edge A B": 7,
        "edge B C": 12,
    }
    assert reading.explained > 0.9


def test_a_network_is_known_by_its_look() -> None:
    assert is_network(pixels(network_picture(weights=True)), network_words())


def test_edges_without_weights_say_that_nodes_are_adjacent() -> None:
    reading = network_reading(pixels(network_picture(weights=False)), network_words())
    relations = {fact.entities for fact in reading.constraints if isinstance(fact, Relation)}
    assert relations == {("A", "B"), ("B", "C")}


def test_an_arrow_says_which_node_is_the_head() -> None:
    reading = network_reading(pixels(network_picture(weights=False, arrows=True)), network_words())
    structure = next(fact for fact in reading.constraints if isinstance(fact, Structure))
    assert set(structure.parts) == {"A", "B", "C"}
    assert set(structure.adjacency) == {"A -> B", "B -> C"}


def test_a_table_is_no_network() -> None:
    rows = [["Day", "Hours"], ["Monday", "2"], ["Tuesday", "4"]]
    picture = pixels(table_picture(rows))
    assert not is_network(picture, table_words(rows))
    assert network_reading(picture, table_words(rows)).explained == 0
