"""Who is heard where several readers could speak, and what paper, pies and patches are before anything is read."""

from __future__ import annotations

import random
from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from evpv.figures.chart_looks import _random_table, draw_chart
from evpv.perception.boxes import Box, Pixels
from evpv.perception.charts.labels import ChartLabel
from evpv.perception.charts.legends import Entry, is_sample
from evpv.perception.charts.palette import ColourPart, find_palette
from evpv.perception.charts.pies import _find_disc
from evpv.perception.charts.scales import roundest
from evpv.perception.competition import FigureReading, Reader, best_reading
from evpv.perception.ocr import Word
from evpv.types import Numeric

WHITE, BLUE, LAVENDER = (255, 255, 255), (30, 118, 180), (230, 230, 255)


def sheet(colour: tuple[int, int, int] = WHITE) -> Pixels:
    return np.full((200, 300, 3), colour, np.uint8)


def reader(kind: str, explained: float) -> Reader:
    def read(_picture: Pixels, _words: Sequence[Word]) -> FigureReading:
        return FigureReading(kind=kind, explained=explained)

    return read


@pytest.mark.parametrize(
    ("table", "chart", "winner"),
    [
        (0.9, 1.0, "table"),  # likely, and explains enough: nobody else is asked
        (0.3, 0.9, "chart"),  # a less likely reader that explains far more
        (0.3, 0.4, "table"),  # neither explains much: the likelier one
        (0.0, 0.2, "table"),  # nothing worth hearing: the likeliest kind, without facts
    ],
)
def test_the_reading_that_explains_most_wins_weighed_by_how_likely_it_is(
    table: float, chart: float, winner: str
) -> None:
    readers = {"table": reader("table", table), "chart": reader("chart", chart)}
    assert best_reading(sheet(), [], readers, {"table": 1.0, "chart": 0.8}).kind == winner


def test_a_reader_too_unlikely_to_be_heard_is_not_asked() -> None:
    def never(picture: Pixels, words: Sequence[Word]) -> FigureReading:
        raise AssertionError("asked in vain")

    readers = {"chart": reader("chart", 0.1), "geometry": never}
    assert best_reading(sheet(), [], readers, {"chart": 1.0, "geometry": 0.4}).kind == "chart"


def test_paper_is_what_lies_around_a_mark_that_covers_more_than_it() -> None:
    picture = sheet()
    picture[20:180, 20:280] = BLUE
    assert find_palette(picture).colours[0] == WHITE


def test_a_coloured_page_is_the_paper() -> None:
    picture = sheet((173, 216, 230))
    picture[60:120, 60:120] = WHITE
    assert find_palette(picture).colours[0] == (173, 216, 230)


@pytest.mark.parametrize("panel", [False, True])
def test_a_pie_is_found_on_the_paper_and_on_a_panel(panel: bool) -> None:
    picture = sheet()
    if panel:
        picture[10:190, 10:290] = LAVENDER
    cv2.circle(picture, (150, 100), 70, BLUE, -1)
    disc = _find_disc(find_palette(picture))
    assert disc is not None
    assert (disc.x, disc.y, disc.radius) == pytest.approx((150, 100, 70), abs=2)


def test_the_patch_before_a_legends_name_is_no_bar() -> None:
    box = Box(40.0, 10.0, 90.0, 26.0)
    legend = (Entry(colour=2, name="gold", label=ChartLabel(text="gold", box=box, page=box)),)
    assert is_sample(ColourPart(colour=2, x0=24, y0=12, x1=36, y1=24, area=110), legend)
    assert not is_sample(ColourPart(colour=2, x0=24, y0=60, x1=36, y1=150, area=1080), legend)


@pytest.mark.parametrize(("value", "error", "told"), [(2.97, 0.05, 3.0), (0.02, 0.05, 0.0), (7.31, 0.0, 7.31)])
def test_a_measured_number_is_told_as_round_as_its_error_allows(value: float, error: float, told: float) -> None:
    assert roundest(value, error) == told


@pytest.mark.parametrize("kind", ["bar", "grouped", "line", "pie"])
def test_a_drawn_look_has_one_true_fact_for_every_value(kind: str) -> None:
    table = _random_table(random.Random(3), kind=kind)
    facts = [fact for fact in table.constraints() if isinstance(fact, Numeric)]
    assert [fact.value for fact in facts] == [value for row in table.values for value in row]
    assert len({fact.entity for fact in facts}) == len(facts)


def test_the_same_seed_draws_the_same_look() -> None:
    one, other = (draw_chart("matplotlib", "bar", 5) for _ in range(2))
    assert (one.png, one.table) == (other.png, other.table)
