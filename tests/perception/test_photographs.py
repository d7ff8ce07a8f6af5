"""Photographs made flat and even; drawn figures left alone."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from matplotlib import pyplot
from PIL import Image, ImageDraw, ImageFont

from evpv.perception.boxes import Frame, Pixels
from evpv.perception.competition import FigureReading
from evpv.perception.extractor import EmbeddedExtractor, _readings_of
from evpv.perception.levelling import _levelling, _narrowing
from evpv.perception.ocr import read_words
from evpv.perception.photographs import _is_drawn, flatten
from evpv.types import Numeric, Problem

from .drawing import pixels, table_picture

ROWS = [["Beverage", "Thursday", "Friday"], ["tea", "3", "14"], ["coffee", "5", "12"]]
CORNERS = np.array([(60, 50), (420, 90), (400, 300), (40, 260)], np.float32)


def photograph() -> Pixels:
    """A table on a sheet on a dark desk, from aside, under uneven light, with a sensor's grain."""
    sheet = np.full((200, 400, 3), 255, np.uint8)
    sheet[50:142, 19:381] = pixels(table_picture(ROWS))
    corners = np.array([(0, 0), (400, 0), (400, 200), (0, 200)], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, CORNERS)
    desk = np.full((360, 480, 3), 60, np.uint8)
    seen = cv2.warpPerspective(sheet, matrix, (480, 360), dst=desk, borderMode=cv2.BORDER_TRANSPARENT)
    light = np.linspace(1.0, 0.6, 480)[None, :, None]
    grain = np.random.default_rng(1).normal(0, 4, seen.shape)
    return np.asarray(np.clip(seen * light + grain, 0, 255), np.uint8)


@pytest.mark.parametrize("quality", [None, 30])
def test_a_drawn_figure_is_left_as_it_is(quality: int | None, tmp_path: object) -> None:
    picture = pixels(table_picture(ROWS))
    if quality is not None:
        picture = cv2.imdecode(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], 1)
    assert _is_drawn(picture)
    same, _ = next(flatten(picture, Frame.same()))
    assert same is picture


def test_a_drawn_figure_is_one_picture_and_a_photograph_two() -> None:
    assert len(list(flatten(pixels(table_picture(ROWS)), Frame.same()))) == 1
    assert len(list(flatten(photograph(), Frame.same()))) == 2


def test_both_pictures_of_a_photograph_show_the_same_view() -> None:
    (clean, clean_frame), (soft, soft_frame) = flatten(page(9.0), Frame.same())
    assert clean.shape == soft.shape
    assert np.array_equal(clean_frame.inverse, soft_frame.inverse)
    ink = [cv2.cvtColor(one, cv2.COLOR_RGB2GRAY) < 60 for one in (clean, soft)]
    assert (ink[0] & ink[1]).sum() > 0.8 * ink[0].sum()


def test_a_sheet_is_laid_flat_and_evenly_lit() -> None:
    flat, frame = next(flatten(photograph(), Frame.same()))
    rows, columns = np.nonzero(cv2.cvtColor(flat, cv2.COLOR_RGB2GRAY) < 200)
    assert np.ptp(columns) / np.ptp(rows) == pytest.approx(362 / 92 * (360 / 210) / 2, rel=0.15)
    ground = [float(np.percentile(flat[:, columns], 90)) for columns in (slice(0, 60), slice(-60, None))]
    assert abs(ground[0] - ground[1]) < 15
    words = {word.text: frame.back(word.box) for word in read_words(flat)}
    assert words["Beverage"].x0 == pytest.approx(75, abs=15)


def test_a_sheet_on_a_dark_desk_is_found_although_the_picture_was_inverted() -> None:
    flat, _ = next(flatten(np.asarray(255 - photograph(), np.uint8), Frame.same()))
    assert {"Beverage", "coffee"} <= {word.text for word in read_words(flat)}
    assert float(np.median(flat)) > 180


def test_small_print_on_a_large_page_is_brought_near() -> None:
    small = cv2.resize(page(), None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA)
    sheet = np.zeros((1150, 1150, 3)) + np.median(small, axis=(0, 1))
    sheet[400:680, 100:460] = small
    sheet = sheet * np.linspace(0.7, 1.0, 1150)[:, None, None] + np.random.default_rng(4).normal(0, 3, sheet.shape)
    flat, frame = next(flatten(np.asarray(np.clip(sheet, 0, 255), np.uint8), Frame.same()))
    box = next(word.box for word in read_words(flat) if word.text == LINES[2])
    seen = frame.back(box)
    assert box.height > 1.3 * seen.height
    assert flat.shape[0] < 0.8 * 1150 * box.height / seen.height
    assert seen.y == pytest.approx(400 + 0.4 * 336, abs=15)


def test_an_error_in_one_picture_of_a_photograph_does_not_lose_the_other_one() -> None:
    def read(picture: Pixels, _: Frame) -> FigureReading:
        if picture is clean:
            raise cv2.error("no lines")
        return FigureReading(kind="table", explained=0.5)

    (clean, frame), second = flatten(photograph(), Frame.same())
    readings, error = _readings_of(iter([(clean, frame), second]), read)
    assert [one.kind for one in readings] == ["table"]
    assert str(error) == "no lines"
    assert _readings_of(iter([(clean, frame)]), read)[0] == []


def test_a_photograph_is_read_again_where_the_first_reading_explains_little_or_is_a_chart() -> None:
    explained = {"table": 0.9, "chart": 0.9, "geometry": 0.5}
    for kind, times in {"table": 1, "chart": 2, "geometry": 2}.items():
        reading = FigureReading(kind=kind, explained=explained[kind])
        readings, _ = _readings_of(flatten(photograph(), Frame.same()), lambda _, __, one=reading: one)  # type: ignore[misc]
        assert len(readings) == times


def test_grain_alone_changes_nothing() -> None:
    picture = pixels(Image.new("RGB", (200, 150), "white"))
    grainy = np.clip(picture + np.random.default_rng(2).normal(0, 12, picture.shape), 0, 255).astype(np.uint8)
    same, _ = next(flatten(grainy, Frame.same()))
    assert same.shape == grainy.shape


@pytest.mark.parametrize(("slope", "is_page"), [(0.04, True), (0.2, False)])
def test_strokes_that_would_make_a_page_too_narrow_are_the_figures_own(slope: float, is_page: bool) -> None:
    picture = np.full((265, 805, 3), 255, np.uint8)
    for middle, rise in ((40, -slope), (70, -0.6 * slope), (195, 0.6 * slope), (225, slope)):
        ends = (300, round(middle - 100 * rise)), (500, round(middle + 100 * rise))
        cv2.line(picture, *ends, (0, 0, 0), 3, cv2.LINE_AA)
    assert (_levelling(picture, []) is not None) == is_page


@pytest.mark.parametrize(("slopes", "narrowing"), [((0.0, 0.0), 1.0), ((-0.1, 0.1), 0.6), ((-0.4, 0.4), 0.0)])
def test_how_narrow_slopes_make_the_far_side_of_a_page(slopes: tuple[float, float], narrowing: float) -> None:
    assert _narrowing(slopes, width=800, height=320) == pytest.approx(narrowing, abs=0.01)


LINES = ["Beverage Thursday", "lemonade 40 litres", "chocolate 17 cups", "apple juice 25 cups"]


def page(turn_deg: float = 0.0, light: float = 1.0) -> Pixels:
    """A page of print and a filled box that fills the whole photograph, on warm paper, in uneven light, with a sensor's grain."""
    sheet = np.full((700, 900, 3), 255, np.uint8)
    for row, line in enumerate(LINES):
        sheet[200 + 60 * row : 232 + 60 * row, 220 : 220 + 16 * len(line)] = _line(line)
    sheet[480:560, 400:560] = (90, 160, 90)
    sheet[640:643, 220:840] = 0
    matrix = cv2.getRotationMatrix2D((450, 350), turn_deg, 1.0)
    seen = cv2.warpAffine(sheet, matrix, (900, 700), borderValue=(255, 255, 255)).astype(np.float64)
    seen *= np.linspace(0.8, 1.0, 900)[None, :, None]
    seen[:, 600:] *= light
    grain = np.random.default_rng(3).normal(0, 3, seen.shape)
    return np.asarray(np.clip(seen * (0.85, 0.8, 0.6) + grain, 0, 255), np.uint8)


def _line(text: str) -> Pixels:
    drawn = Image.new("RGB", (16 * len(text), 32), "white")
    ImageDraw.Draw(drawn).text((2, 2), text, "black", ImageFont.load_default(size=24))
    return pixels(drawn)


@pytest.mark.parametrize("turn_deg", [0.0, 9.0, -14.0])
def test_a_page_that_fills_the_photograph_is_turned_until_its_print_runs_level(turn_deg: float) -> None:
    flat, frame = next(flatten(page(turn_deg), Frame.same()))
    words = {word.text: word for word in read_words(flat)}
    assert LINES[2] in words
    assert abs(words[LINES[2]].angle_deg) < 1.5
    middle = frame.back(words[LINES[2]].box)
    turned = cv2.transform(np.array([[(334.0, 336.0)]]), cv2.getRotationMatrix2D((450, 350), turn_deg, 1.0))[0, 0]
    assert (middle.x, middle.y) == pytest.approx(tuple(turned), abs=25)


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_page_on_its_side_or_head_is_set_upright(quarters: int) -> None:
    flat, _ = next(flatten(np.ascontiguousarray(np.rot90(page(), quarters)), Frame.same()))
    assert LINES[2] in {word.text for word in read_words(flat)}


def test_a_hard_shadow_and_warm_light_are_divided_out_and_a_filled_area_is_not() -> None:
    flat, frame = next(flatten(page(light=0.55), Frame.same()))
    rows, columns = np.mgrid[: flat.shape[0], : flat.shape[1]]
    x, y = np.tensordot(frame.inverse, np.stack([columns, rows, np.ones_like(rows)]), 1)
    shadow, filled = flat[x > 620], flat[(abs(x - 480) < 20) & (abs(y - 520) < 20)]
    assert len(shadow) > 100
    assert float(np.percentile(shadow, 20)) > 245
    assert (filled.max(axis=1) < 255).mean() > 0.9
    assert float(np.mean(filled[:, 1].astype(int) - filled[:, 0])) > 40


def test_a_soft_shadow_is_no_sheet() -> None:
    shadow = np.zeros((700, 900), np.float32)
    cv2.rectangle(shadow, (250, 150), (750, 600), 0.5, -1)
    dark = 1 - cv2.GaussianBlur(shadow, (0, 0), 40)[:, :, None]
    flat, frame = next(flatten(np.asarray(page() * dark, np.uint8), Frame.same()))
    words = {word.text: frame.back(word.box) for word in read_words(flat)}
    assert words[LINES[2]].x0 == pytest.approx(220, abs=12)  # where the shadow is no darker than its own edge


@pytest.mark.parametrize("quality", [60, 80])
def test_a_photograph_whose_grain_was_smoothed_away_is_no_drawing(quality: int) -> None:
    smooth = cv2.GaussianBlur(page(), (0, 0), 2.5)
    assert not _is_drawn(cv2.imdecode(cv2.imencode(".jpg", smooth, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], 1))


def test_a_chart_on_a_photograph_is_never_surely_read(tmp_path: Path) -> None:
    pyplot.figure(figsize=(6, 4), dpi=150)
    pyplot.bar(["tea", "milk", "juice", "water"], [12, 30, 21, 8])
    pyplot.ylabel("cups")
    pyplot.savefig(tmp_path / "drawn.png")
    pyplot.close()
    drawn = np.asarray(Image.open(tmp_path / "drawn.png").convert("RGB"), np.float64)
    light = np.linspace(1.0, 0.7, drawn.shape[1])[None, :, None]
    seen = np.clip(drawn * light * (0.95, 0.92, 0.8) + np.random.default_rng(5).normal(0, 4, drawn.shape), 0, 255)
    Image.fromarray(seen.astype(np.uint8)).save(tmp_path / "seen.png")
    files = [str(tmp_path / name) for name in ("drawn.png", "seen.png")]
    sure, seen_facts = (
        [fact for fact in one.constraints if isinstance(fact, Numeric)]
        for one in EmbeddedExtractor().extract([Problem(id=file, question="", images=(file,)) for file in files])
    )
    assert [fact.value for fact in seen_facts] == pytest.approx([fact.value for fact in sure], rel=0.05)
    assert max(fact.confidence for fact in seen_facts) < 0.75 < min(fact.confidence for fact in sure)
