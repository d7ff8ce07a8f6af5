"""What the tests of the asking roles share: a problem with a picture."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from evpv.types import Candidate, Problem, Step


@pytest.fixture
def picture(tmp_path: Path) -> str:
    path = tmp_path / "figure.png"
    Image.new("RGB", (64, 48), "white").save(path)
    return str(path)


@pytest.fixture
def problem(picture: str) -> Problem:
    """One picture, two candidates: one with a claim and a deduction, one with a claim only."""
    return Problem(
        id="p",
        question="How long is half of AB?",
        images=(picture,),
        answer="6",
        candidates=(
            Candidate(
                id="a",
                steps=(Step(text="AB is 12 cm.", claim="AB = 12 cm"), Step(text="Half of 12 is 6.")),
                final_answer="6",
            ),
            Candidate(id="b", steps=(Step(text="AB is 15 cm.", claim="AB = 15 cm"),), final_answer="7.5"),
        ),
    )
