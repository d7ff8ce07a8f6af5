"""An answer worked out by the checker itself."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

Bounds: TypeAlias = tuple[Fraction, Fraction | None]


@dataclass(frozen=True, slots=True)
class Recomputed:
    """A value, or the words of an option, and how it was found.

    `bounds` are given where the evidence leaves the value open between two limits (None: no limit). `as_fraction` says
    that the question wants a fraction, so that a rounded decimal is not an answer.
    """

    answer: Fraction | str
    reason: str
    bounds: Bounds | None = None
    as_fraction: bool = False
