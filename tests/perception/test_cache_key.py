"""An image is read once: the question is part of what a reading is remembered by only for those who read it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from evpv.perception.cache import CachedExtractor
from evpv.protocols import Description
from evpv.types import Extraction, Numeric, Problem


class Counting:
    """Says the same of every picture, and counts how often it looks."""

    version = "counting-1"

    def __init__(self, *, reads_question: bool) -> None:
        self.description = Description(reads_question=reads_question)
        self.looks = 0

    def extract(self, problems: Sequence[Problem]) -> list[Extraction]:
        self.looks += len(problems)
        fact = Numeric(entity="AB", attribute="length", value=12.0)
        return [Extraction(constraints=(fact,), kind="geometry", unread=("a label",)) for _ in problems]


@pytest.mark.parametrize(("reads_question", "looks"), [(False, 1), (True, 2)])
def test_two_questions_on_one_image_are_one_reading_unless_the_question_is_read(
    tmp_path: Path, reads_question: bool, looks: int
) -> None:
    picture = tmp_path / "figure.png"
    picture.write_bytes(b"pixels")
    problems = [Problem(id=name, question=name, images=(str(picture),)) for name in ("How long?", "How wide?")]
    counting = Counting(reads_question=reads_question)
    cached = CachedExtractor(counting, tmp_path / "cache")
    for _ in range(2):
        first, second = cached.extract(problems)
        assert (first.unread, first.constraints) == (("a label",), second.constraints)
    assert counting.looks == looks
