"""A figure that was read by hand, and completions that read it rightly and wrongly."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import Lock

from evpv.types import Extraction, Numeric, Problem

QUESTION = "How long is AC, if AB and BC lie on one line?"
RIGHT = "The figure shows AB = 12 cm.\nThe figure shows BC = 5 cm.\nSo AC = 12 + 5 = 17 cm.\nAnswer: 17"
MISREAD = "The figure shows AB = 15 cm.\nThe figure shows BC = 5 cm.\nSo AC = 15 + 5 = 20 cm.\nAnswer: 20"
MISCALCULATED = "The figure shows AB = 12 cm.\nThe figure shows BC = 5 cm.\nSo AC = 12 + 5 = 18 cm.\nAnswer: 18"
FACTS = [
    {
        "category": "numeric",
        "entity": "segment AB",
        "attribute": "length",
        "value": 12,
        "unit": "cm",
        "confidence": 1.0,
    },
    {"category": "numeric", "entity": "segment BC", "attribute": "length", "value": 5, "unit": "cm", "confidence": 1.0},
]


class CountingExtractor:
    """Knows the figure, and counts how often it looks; a picture that is not there it cannot read."""

    version = "counting-1"

    def __init__(self) -> None:
        self.looked_at: list[str] = []
        self._turn = Lock()

    def extract(self, problems: Sequence[Problem]) -> list[Extraction]:
        assert self._turn.acquire(blocking=False), "two threads read at once"
        try:
            return [self._one(problem) for problem in problems]
        finally:
            self._turn.release()

    def _one(self, problem: Problem) -> Extraction:
        self.looked_at += problem.images
        if not all(_is_there(image) for image in problem.images):
            return Extraction(problem="no such file")
        lengths = (("AB", 12.0), ("BC", 5.0))
        return Extraction(
            kind="geometry",
            constraints=tuple(
                Numeric(entity=f"segment {name}", attribute="length", value=value, unit="cm") for name, value in lengths
            ),
        )


def _is_there(image: str) -> bool:
    try:
        return Path(image).is_file()
    except (OSError, ValueError):
        return False
