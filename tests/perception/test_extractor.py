"""The embedded extractor end to end, its cache and its overlay."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont, ImageOps

from evpv.perception.cache import CachedExtractor
from evpv.perception.extractor import EmbeddedExtractor
from evpv.perception.ocr import Word
from evpv.perception.overlay import draw_overlay
from evpv.perception.router import figure_priors
from evpv.records.constraints import describe
from evpv.types import Extraction, Numeric, Problem, Relation, Structure

from .drawing import encoded, mutated, pixels, saved, table_picture, table_words

ROWS = [["Day", "Hours"], ["Monday", "2"], ["Tuesday", "14"]]


def problem(*images: str, question: str = "?") -> Problem:
    return Problem(id="p", question=question, images=images)


def values(extraction: Extraction) -> dict[str, float]:
    return {fact.entity: fact.value for fact in extraction.constraints if isinstance(fact, Numeric)}


def test_a_table_is_read_from_its_file(tmp_path: Path) -> None:
    (extraction,) = EmbeddedExtractor().extract([problem(saved(table_picture(ROWS), tmp_path / "t.png"))])
    assert extraction.kind == "table"
    assert values(extraction) == {"Monday Hours": 2, "Tuesday Hours": 14}
    assert 0 < extraction.cost["ocr_seconds"] <= extraction.cost["seconds"]


def test_without_an_image_nothing_is_looked_at() -> None:
    assert EmbeddedExtractor().extract([problem()]) == [Extraction()]


def test_a_bad_image_is_a_sentence_in_its_result_and_the_others_are_read(tmp_path: Path) -> None:
    good = saved(table_picture(ROWS), tmp_path / "t.png")
    (tmp_path / "bad.png").write_bytes(b"no image")
    bad = str(tmp_path / "bad.png")
    alone, both, missing = EmbeddedExtractor().extract([problem(bad), problem(bad, good), problem("https://x/y.png")])
    assert (alone.constraints, alone.kind) == ((), None)
    assert alone.problem is not None
    assert "bad.png: not an image" in alone.problem
    assert values(both) == {"Monday Hours": 2, "Tuesday Hours": 14}
    assert both.problem == alone.problem
    assert missing.problem is not None


def test_facts_of_a_picture_read_smaller_are_placed_in_the_file(tmp_path: Path) -> None:
    small = table_picture(ROWS)
    huge = small.resize((small.width * 20, small.height * 20), Image.Resampling.NEAREST)
    extractor = EmbeddedExtractor()
    (near,) = extractor.extract([problem(saved(small, tmp_path / "s.png"))])
    (far,) = extractor.extract([problem(saved(huge, tmp_path / "h.png"))])
    assert values(near) == values(far)
    assert near.constraints[1].box is not None
    assert far.constraints[1].box == pytest.approx([20 * edge for edge in near.constraints[1].box], abs=200)


def _on_glass(picture: Image.Image) -> Image.Image:
    """The ink alone, on a transparent ground."""
    ink = Image.new("RGBA", picture.size, "black")
    ink.putalpha(ImageOps.invert(picture.convert("L")))
    return ink


def _in_16_bits(picture: Image.Image) -> Image.Image:
    return Image.fromarray(np.asarray(picture.convert("L"), np.uint16) * 257)


@pytest.mark.parametrize(
    ("form", "change"),
    [
        ("jpg", lambda picture: picture.convert("CMYK")),
        ("png", _in_16_bits),
        ("png", _on_glass),
        ("png", lambda picture: ImageOps.invert(picture)),
        ("gif", lambda picture: picture.convert("P")),
        ("png", lambda picture: picture.convert("1")),
    ],
    ids=["CMYK", "16-bit", "transparent", "dark", "palette", "bits"],
)
def test_a_table_is_read_whatever_its_file_holds(
    form: str, change: Callable[[Image.Image], Image.Image], tmp_path: Path
) -> None:
    path = saved(change(table_picture(ROWS)), tmp_path / f"t.{form}")
    (extraction,) = EmbeddedExtractor().extract([problem(path)])
    assert (extraction.kind, extraction.problem) == ("table", None)
    assert values(extraction) == {"Monday Hours": 2, "Tuesday Hours": 14}


def test_an_animation_is_read_by_its_first_frame(tmp_path: Path) -> None:
    path = tmp_path / "t.gif"
    first, second = table_picture(ROWS), table_picture([*ROWS[:2], ["Friday", "9"]])
    first.save(path, save_all=True, append_images=[second], duration=100)
    (extraction,) = EmbeddedExtractor().extract([problem(str(path))])
    assert values(extraction) == {"Monday Hours": 2, "Tuesday Hours": 14}


@pytest.mark.parametrize("size", [(1, 1), (3, 200), (200, 3)])
def test_a_picture_too_small_for_text_says_nothing(size: tuple[int, int], tmp_path: Path) -> None:
    (extraction,) = EmbeddedExtractor().extract([problem(saved(Image.new("RGB", size, "white"), tmp_path / "t.png"))])
    assert (extraction.constraints, extraction.problem) == ((), None)


def test_a_picture_too_large_is_refused_with_the_reason(tmp_path: Path) -> None:
    path = saved(Image.new("1", (20_000, 10)), tmp_path / "t.png")
    (extraction,) = EmbeddedExtractor().extract([problem(path)])
    assert extraction.constraints == ()
    assert extraction.problem is not None
    assert "a side is longer" in extraction.problem


def extractions_of_mutants(count: int, folder: Path) -> list[Extraction]:
    chance = random.Random(3)
    sources = [encoded(table_picture(ROWS), form) for form in ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF")]
    problems = []
    for number in range(count):
        path = folder / f"{number}.{chance.choice(['png', 'jpg', 'txt', 'gif'])}"
        path.write_bytes(mutated(chance.choice(sources), chance))
        problems.append(problem(str(path)))
    return EmbeddedExtractor().extract(problems)


def test_mutated_files_are_read_or_refused_with_a_reason(tmp_path: Path) -> None:
    answers = extractions_of_mutants(12, tmp_path)
    assert all((answer.kind is None) == (answer.problem is not None) for answer in answers)
    assert {answer.kind is None for answer in answers} == {True, False}


@pytest.mark.slow
def test_two_thousand_mutated_files_do_not_end_the_batch(tmp_path: Path) -> None:
    assert len(extractions_of_mutants(2000, tmp_path)) == 2000


class Counting:
    """An extractor that counts what it is asked."""

    def __init__(self, answer: Extraction, version: str = "1") -> None:
        self.answer, self.version, self.asked = answer, version, 0

    def extract(self, problems: Sequence[Problem]) -> list[Extraction]:
        self.asked += len(problems)
        return [self.answer for _ in problems]


ANSWER = Extraction(
    constraints=(
        Numeric(
            entity="AB", attribute="length", value=5.0, unit="cm", confidence=0.9, box=(1, 2, 3, 4), reading="estimated"
        ),
        Relation(type="parallel", entities=("AB", "CD"), confidence=0.8),
        Structure(type="table", parts=("Day", "Hours"), attachment=("Monday",)),
    ),
    kind="geometry",
    cost={"seconds": 1.5},
)


def test_a_picture_is_read_once_and_answered_alike(tmp_path: Path) -> None:
    image = saved(table_picture(ROWS), tmp_path / "t.png")
    copy = saved(table_picture(ROWS), tmp_path / "copy.png")
    source = Counting(ANSWER)
    first = CachedExtractor(source, tmp_path / "cache").extract([problem(image), problem(copy)])
    second = CachedExtractor(source, tmp_path / "cache").extract([problem(copy)])
    assert source.asked == 1
    assert [found.constraints for found in (*first, *second)] == [ANSWER.constraints] * 3
    assert second[0].kind == "geometry"
    assert second[0].cost["cached"]


@pytest.mark.parametrize("change", ["pixels", "question", "version"])
def test_another_picture_question_or_version_is_read_anew(change: str, tmp_path: Path) -> None:
    image = saved(table_picture(ROWS), tmp_path / "t.png")
    source = Counting(ANSWER)
    cached = CachedExtractor(source, tmp_path / "cache")
    cached.extract([problem(image)])
    if change == "pixels":
        saved(table_picture([*ROWS, ["Friday", "1"]]), tmp_path / "t.png")
    source.version = "2" if change == "version" else "1"
    cached.extract([problem(image, question="How many?" if change == "question" else "?")])
    assert source.asked == 2


@pytest.mark.parametrize(
    "damage", [b"", b"{", b'{"constraints": [{"category": "odd"}], "kind": null, "cost": {}}', b"[]"]
)
def test_a_corrupt_entry_is_read_again(damage: bytes, tmp_path: Path) -> None:
    image = saved(table_picture(ROWS), tmp_path / "t.png")
    source = Counting(ANSWER)
    cached = CachedExtractor(source, tmp_path / "cache")
    cached.extract([problem(image)])
    (entry,) = (tmp_path / "cache").rglob("*.json")
    entry.write_bytes(damage)
    assert cached.extract([problem(image)])[0].constraints == ANSWER.constraints
    assert source.asked == 2
    assert json.loads(entry.read_text())["kind"] == "geometry"


def test_what_could_not_be_read_is_not_remembered(tmp_path: Path) -> None:
    image = saved(table_picture(ROWS), tmp_path / "t.png")
    source = Counting(Extraction(problem="the disk was full"))
    cached = CachedExtractor(source, tmp_path / "cache")
    answers = cached.extract([problem(image), problem(image), problem("absent.png")])
    assert [answer.problem for answer in answers] == ["the disk was full"] * 3
    cached.extract([problem(image)])
    assert source.asked == 3


def test_the_overlay_draws_every_box_in_its_colour_and_keeps_the_picture() -> None:
    picture = pixels(table_picture(ROWS))
    empty = np.asarray(draw_overlay(picture, Extraction(kind="table")))
    drawn = np.asarray(draw_overlay(picture, ANSWER, title="t.png"))
    blue, red = (26, 102, 194), (179, 38, 30)
    assert (drawn == blue).all(axis=2).any()
    assert (drawn == red).all(axis=2).any()
    assert not (empty == blue).all(axis=2).any()


@pytest.mark.parametrize(
    ("number", "line"),
    [
        (0, "AB: length about 5 cm"),
        (1, "parallel: AB, CD"),
        (2, "table of Day, Hours"),
    ],
)
def test_a_constraint_is_said_in_a_line(number: int, line: str) -> None:
    assert describe(ANSWER.constraints[number]) == line


def test_a_grid_of_words_and_numbers_is_a_table() -> None:
    assert next(iter(figure_priors(pixels(table_picture(ROWS)), table_words(ROWS)))) == "table"


def test_columns_that_fall_evenly_are_still_a_table() -> None:
    """Seven ticks above each other are an axis; in rows with several numbers they are a column."""
    falling = [(str(2014 + year), *(f"{start - 0.1 * year:.1f}" for start in (14.7, 15.0, 12.8))) for year in range(8)]
    rows = [("Year", "Total", "Public", "Private"), *falling]
    assert next(iter(figure_priors(pixels(table_picture(rows, ruled=False)), table_words(rows)))) == "table"


def test_letters_at_a_triangle_are_geometry_and_crossing_named_axes_a_graph() -> None:
    font = ImageFont.load_default(size=20)
    triangle = Image.new("RGB", (300, 240), "white")
    draw = ImageDraw.Draw(triangle)
    draw.polygon([(40, 200), (260, 200), (120, 40)], outline="black", width=2)
    letters = {"A": (16, 196), "B": (266, 196), "C": (114, 12)}
    graph = Image.new("RGB", (300, 300), "white")
    pen = ImageDraw.Draw(graph)
    pen.line([(10, 150), (290, 150)], "black", 2)
    pen.line([(150, 10), (150, 290)], "black", 2)
    pen.line([(30, 250), (150, 60), (280, 220)], "blue", 2)
    names = {"x": (276, 152), "y": (156, 10)}
    for sheet, labels, kind in ((triangle, letters, "geometry"), (graph, names, "graph")):
        words = []
        for text, place in labels.items():
            ImageDraw.Draw(sheet).text(place, text, "black", font)
            words.append(Word(text=text, box=(*place, place[0] + 14, place[1] + 22), confidence=0.99))
        assert next(iter(figure_priors(pixels(sheet), words))) == kind
