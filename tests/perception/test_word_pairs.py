"""The learned reader of words and places: it finds what a number belongs to, and says nothing where a name is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from evpv.assembly.builder import build_part
from evpv.config import Part
from evpv.figures import make_problem
from evpv.perception.ocr import Word
from evpv.perception.word_pairs import WEIGHTS, WordPairExtractor, _shipped_net, facts_of_words
from evpv.types import Constraint, Numeric, Problem

TABLE = (("Team", 60, 20), ("2021", 200, 20), ("2022", 300, 20))
TABLE += (("Lions", 60, 60), ("41", 200, 60), ("17", 300, 60), ("Hawks", 62, 100), ("8", 200, 100), ("63", 300, 100))
SIDES = (("P", 40, 40), ("Q", 40, 320), ("R", 430, 320), ("9 cm", 20, 180), ("12 cm", 235, 345))
ANGLES = (("P", 240, 30), ("Q", 40, 320), ("R", 430, 320), ("74°", 240, 100), ("52°", 110, 290))
JOINED = (("P", 225, 30), ("Q", 40, 320), ("R", 430, 320), ("61°58°", 235, 295))


def words_at(places: tuple[tuple[str, int, int], ...]) -> list[Word]:
    """Words in boxes as OCR draws them, each around its middle."""
    sized = [(text, x, y, 6 + 6 * len(text)) for text, x, y in places]
    return [Word(text=text, box=(x - half, y - 15, x + half, y + 15), confidence=1.0) for text, x, y, half in sized]


def numbers(facts: tuple[Constraint, ...]) -> set[tuple[str, float]]:
    return {(fact.entity, fact.value) for fact in facts if isinstance(fact, Numeric)}


@pytest.mark.parametrize(
    ("places", "said"),
    [
        (TABLE, {("Lions 2021", 41), ("Lions 2022", 17), ("Hawks 2021", 8), ("Hawks 2022", 63)}),
        (SIDES, {("segment PQ", 9), ("segment QR", 12)}),
        (ANGLES, {("angle QPR", 74), ("angle PQR", 52)}),
    ],
)
def test_a_number_is_named_by_the_words_that_it_stands_with(
    places: tuple[tuple[str, int, int], ...], said: set[tuple[str, float]]
) -> None:
    assert numbers(facts_of_words(_shipped_net(), words_at(places))) == said


def test_a_side_whose_letter_was_not_read_is_not_named() -> None:
    assert numbers(facts_of_words(_shipped_net(), words_at(SIDES[1:]))) <= {("segment QR", 12.0)}


def test_no_words_are_no_facts() -> None:
    assert facts_of_words(_shipped_net(), []) == facts_of_words(_shipped_net(), words_at(SIDES[:1])) == ()


def test_the_network_is_small() -> None:
    assert WEIGHTS.stat().st_size < 3_000_000


def test_a_recipe_can_name_it_and_a_picture_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "figure.png").write_bytes(b"no picture")
    reader = build_part("extractor", Part(use="word-pairs"))
    assert isinstance(reader, WordPairExtractor)
    (extraction,) = reader.extract([Problem(id="p", question="", images=(str(tmp_path / "figure.png"),))])
    assert extraction.constraints == ()
    assert "figure.png" in str(extraction.problem)


@pytest.mark.slow
@pytest.mark.parametrize("family", ["tables", "right-triangles", "triangles"])
def test_unseen_large_figures_are_read(family: str, tmp_path: Path) -> None:
    right = asked = 0
    for seed in range(60, 72):
        made = make_problem(family, seed, "test")
        made.image.save(tmp_path / "figure.png")
        (extraction,) = WordPairExtractor().extract(
            [Problem(id="p", question="", images=(str(tmp_path / "figure.png"),))]
        )
        read = {(fact.box and fact.value) for fact in extraction.constraints if isinstance(fact, Numeric)}
        gold = numbers(made.constraints)
        right += len({value for _, value in gold} & read)
        asked += len({value for _, value in gold})
    assert right >= 0.8 * asked
