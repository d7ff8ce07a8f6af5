"""Words with their places, from figures drawn here."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import rapidocr
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from evpv.perception.boxes import Box, Frame
from evpv.perception.detection import _seeing_scale, detect_boxes, lone_glyphs
from evpv.perception.images import _skew_deg, straighten
from evpv.perception.ocr import _reading_scale, read_words
from evpv.perception.recognition import (
    Ration,
    _quick_engine,
    _reading,
    _respell,
    character_scores,
    known_characters,
    model_input,
    recognise,
    within_ration,
)

from .drawing import pixels, table_picture

ROWS = [["Beverage", "Friday"], ["tea", "3"], ["coffee", "17"]]


def line(text: str, *, size: int = 30) -> Image.Image:
    font = ImageFont.load_default(size=size)
    picture = Image.new("RGB", (int(font.getlength(text)) + 20, size + 16), "white")
    ImageDraw.Draw(picture).text((10, 4), text, "black", font)
    return picture


def test_words_are_read_where_they_stand() -> None:
    words = {word.text: word for word in read_words(pixels(table_picture(ROWS)))}
    assert set(words) == {"Beverage", "Friday", "tea", "3", "coffee", "17"}
    x0, y0, x1, y1 = words["17"].box
    assert x0 < 130 < x1
    assert y0 < 75 < y1
    assert words["17"].confidence > 0.9


def test_the_same_pixels_give_the_same_words() -> None:
    picture = pixels(table_picture(ROWS))
    assert read_words(picture) == read_words(picture)


def test_text_that_runs_upwards_is_read_and_says_so() -> None:
    sheet = Image.new("RGB", (300, 300), "white")
    sheet.paste(line("Temperature").rotate(90, expand=True), (40, 30))
    (word,) = read_words(pixels(sheet))
    assert (word.text, word.angle_deg) == ("Temperature", 90)


def test_crops_of_any_number_and_width_are_read_in_their_order() -> None:
    texts = ["7", "Kilometers walked", "6x + 2", "35", "K", "Saturday", "AB", "$12.50", "100%", "Q"]
    readings = recognise([pixels(line(text)) for text in texts])
    assert [reading.text.replace(" ", "") for reading in readings] == [text.replace(" ", "") for text in texts]


def test_whole_numbers_read_what_the_wheel_of_the_ocr_engine_reads() -> None:
    texts = "Kilometers walked|6x + 2|$12.50|100%|Saturday|1,204|-7.5|∠ABC|35°|Q|No. of visitors|2019|x²|AB = 14 cm|Jun-18|(0, 3)".split(
        "|"
    )
    batches = [model_input([pixels(line(text, size=size))]) for text in texts for size in (16, 30)]
    path = next((Path(rapidocr.__file__).parent / "models").glob("PP-OCR*_rec_*.onnx"))
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    everything = ["", *session.get_modelmeta().custom_metadata_map["character"].splitlines(), " "]
    exact = [session.run(None, {session.get_inputs()[0].name: batch})[0][0] for batch in batches]
    theirs = [written(scores, everything) for scores in exact]
    ours = [written(character_scores(batch)[0], known_characters()) for batch in batches]
    assert sum(map(str.__eq__, ours, theirs)) >= 0.9 * len(batches), list(zip(ours, theirs, strict=True))


def written(scores: NDArray[np.float32], characters: Sequence[str]) -> str:
    """The likeliest character at each step, repeats and blanks left out, and spaces, which nothing depends on."""
    return "".join(characters[best] for best, _ in groupby(scores.argmax(axis=1))).replace(" ", "")


def test_only_doubtful_crops_of_spoilt_pictures_are_read_twice() -> None:
    small = [line(text).resize((len(text) * 3, 6)) for text in ("Consumption in million liters", "Unemployment rate")]
    crops = [pixels(line("Kilometers walked")), *map(pixels, small)]
    once, twice = recognise(crops), recognise(crops, spoilt=True)
    doubtful = [one.confidence < 0.95 for one in once]
    assert doubtful == [False, True, True]
    assert [one != other for one, other in zip(once, twice, strict=True)] == doubtful


def test_no_crops_no_readings() -> None:
    assert recognise([]) == []


@pytest.mark.parametrize("size", [(1, 1), (3, 500), (500, 3), (40, 40)])
def test_pictures_without_text_have_no_words(size: tuple[int, int]) -> None:
    assert read_words(np.full((*size, 3), 255, np.uint8)) == []


@given(st.integers(1, 16_384), st.integers(1, 16_384))
def test_no_picture_is_read_larger_than_the_long_side_allows(height: int, width: int) -> None:
    scale = _reading_scale(height, width)
    assert scale > 0
    assert max(height, width) * scale <= 2000.001


def test_a_glyph_that_no_word_covers_is_found_and_digits_side_by_side_are_one() -> None:
    sheet = Image.new("RGB", (400, 200), "white")
    ImageDraw.Draw(sheet).text((50, 50), "12", "black", ImageFont.load_default(size=40))
    ImageDraw.Draw(sheet).text((250, 120), "K", "black", ImageFont.load_default(size=40))
    found = lone_glyphs(pixels(sheet), [])
    assert len(found) == 2
    assert lone_glyphs(pixels(sheet), [(40, 40, 110, 110), (240, 110, 290, 180)]) == []


def test_hundreds_of_dots_are_no_glyphs() -> None:
    sheet = Image.new("RGB", (600, 600), "white")
    for x in range(20, 580, 40):
        for y in range(20, 580, 40):
            ImageDraw.Draw(sheet).ellipse((x, y, x + 16, y + 18), outline="black", width=3)
    assert lone_glyphs(pixels(sheet), []) == []


def test_letters_of_a_word_that_was_not_detected_are_looked_at_as_one() -> None:
    sheet = Image.new("RGB", (300, 120), "white")
    ImageDraw.Draw(sheet).text((60, 40), "Bus", "black", ImageFont.load_default(size=36))
    [box] = lone_glyphs(pixels(sheet), [])
    assert box[2] - box[0] > 50


def test_ticks_printed_smaller_than_names_are_looked_at() -> None:
    sheet = Image.new("RGB", (400, 200), "white")
    ImageDraw.Draw(sheet).text((60, 100), "40", "black", ImageFont.load_default(size=18))
    names = [(100.0 * n, 20.0, 100.0 * n + 80, 57.0) for n in range(3)]
    assert len(lone_glyphs(pixels(sheet), [Box(*name) for name in names])) == 1


def test_a_sheet_that_lies_askew_is_set_straight_and_places_are_found_again() -> None:
    rows = [["Beverage", "Thursday"], ["lemonade", "4 litres"], ["chocolate", "17 cups"]]
    askew = table_picture(rows, ruled=False).rotate(
        4, expand=True, fillcolor="white", resample=Image.Resampling.BICUBIC
    )
    words = read_words(pixels(askew))
    assert _skew_deg(words) == pytest.approx(4, abs=2)
    _, upright, turn = straighten(pixels(askew), Frame.same(), 1)
    assert turn is not None
    assert abs(_skew_deg(upright)) < 1
    before = next(word for word in words if word.text == "Beverage")
    after = next(word for word in upright if word.text == "Beverage")
    middles = [((box[0] + box[2]) / 2, (box[1] + box[3]) / 2) for box in (before.box, turn.back(after.box))]
    assert middles[0] == pytest.approx(middles[1], abs=6)


def test_short_names_that_run_upwards_side_by_side_are_read_as_such() -> None:
    names = ("Jan", "Feb", "Mar", "Apr", "Jun")
    sheet = Image.new("RGB", (420, 420), "white")
    for place, name in enumerate(names):
        upright = line(name, size=20).rotate(90, expand=True)
        sheet.paste(upright, (40 + 70 * place, 200))
    assert {word.text for word in read_words(pixels(sheet))} >= set(names)


def test_what_a_picture_has_beyond_its_ration_is_counted_as_unread() -> None:
    crops = [pixels(line(word)) for word in ("seven", "eight", "nine")]
    assert [one.text for one in recognise(crops)] == ["seven", "eight", "nine"]
    with within_ration(Ration(columns=0)) as ration:
        assert [one.text for one in recognise(crops)] == ["", "", ""]
    assert ration.unread == 3
    assert [one.text for one in recognise(crops)] == ["seven", "eight", "nine"], "a ration ends with its picture"


def test_a_reader_that_looks_at_glyphs_without_end_is_stopped() -> None:
    glyph = np.zeros((1, 3, 48, 48), np.float32)
    with within_ration(Ration(columns=50)) as ration:
        character_scores(glyph)
        character_scores(glyph)
        ration.columns -= 100_000
        with pytest.raises(ValueError, match="might be print"):
            character_scores(glyph)


def spelt(text: str, read: str, *, doubt: float) -> str:
    """What becomes of a line of which every letter in `read` is this much less sure than it could be of that in `text`."""
    characters = ("", *"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
    table = np.full((2 * len(read), len(characters)), 1e-4, np.float32)
    for step, (seen, meant) in enumerate(zip(read, text, strict=True)):
        table[2 * step, characters.index(meant)] = doubt
        table[2 * step, characters.index(seen)] = 1 - doubt if seen != meant else 0.99
        table[2 * step + 1, 0] = 0.99
    return _respell(read, 0.9, table, characters)


@pytest.mark.parametrize(
    ("text", "read"), [("Average wages", "Averige wagrs"), ("million", "milhon"), ("DOLLARS", "DOLLERS")]
)
def test_a_misread_letter_of_a_known_word_is_put_right_where_the_right_one_was_likely(text: str, read: str) -> None:
    assert spelt(text, read.ljust(len(text)), doubt=0.2).strip() == text


@pytest.mark.parametrize(("text", "read"), [("million", "nillion"), ("ABOD", "ABCD"), ("Jordan", "Jardan")])
def test_what_the_picture_does_not_bear_out_stays_as_it_was_read(text: str, read: str) -> None:
    assert spelt(text, read, doubt=1e-9) == read


def test_a_word_that_was_read_in_two_pieces_is_one() -> None:
    assert spelt("Ave rage", "Ave rige", doubt=0.2) == "Average"


def test_a_name_that_is_no_known_word_is_left_alone() -> None:
    assert spelt("Zbigniew", "Zbigniew", doubt=0.2) == "Zbigniew"


def test_large_print_is_looked_at_from_further_off_and_its_boxes_are_those_of_the_picture() -> None:
    large, small = pixels(line("Kilometers walked", size=60)), pixels(line("Kilometers walked", size=15))
    assert _seeing_scale(large) < 1
    assert _seeing_scale(small) == 1
    (quad,) = detect_boxes(large, 1)
    assert quad[:, 0].max() > 0.9 * (large.shape[1] - 20)
    assert quad[:, 1].max() <= large.shape[0]


@pytest.mark.parametrize(
    ("line", "text"),
    [("如图是一个长方体", ""), ("高10厘米", "10"), ("12 cm", "12 cm"), ("A型", "A"), ("底面积是30平方厘米", "")],
)
def test_running_text_in_another_script_is_no_label_and_a_label_with_some_of_it_is(line: str, text: str) -> None:
    characters = known_characters()
    table = np.full((2 * len(line), len(characters)), 0.0, np.float32)
    for step, character in enumerate(line):
        table[2 * step, characters.index(character)] = 0.9
        table[2 * step + 1, 0] = 0.9
    assert _reading(table, _quick_engine(None)).text == text
