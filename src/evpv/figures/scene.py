"""What a family makes from a random source: a picture, what is true of it, and how its question is solved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from PIL import Image

from evpv.figures.writing import Sheet
from evpv.types import Constraint


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One problem before anyone has tried it. The answer is what `solve` concludes without faults."""

    image: Image.Image
    question: str
    constraints: tuple[Constraint, ...]
    solve: Callable[[Sheet], None]
    multiple_choice: bool = False


MakeScene = Callable[[Random], Scene]
"""The one function that a family module offers, as `make`."""
