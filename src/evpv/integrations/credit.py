"""Where a completion first misreads its figure, for whoever assigns credit: steps and tokens before it are not to blame.

A reward of a whole completion blames every token of it alike. The verifier knows the place of the first premise that the
figure denies: what stands before it was not wrong for that reason. `spare_before` works on TRL's and verl's advantages of
the form (completions, tokens), whatever holds the numbers.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from evpv.types import CandidateTrace


@dataclass(frozen=True, slots=True, kw_only=True)
class Misreading:
    """The first step whose premise the figure denies, and what stands there; `start` and `end` are characters of the completion."""

    step: int
    start: int
    end: int
    why: str


def first_misreading(trace: CandidateTrace, completion: str) -> Misreading | None:
    """The first contradicted premise and its place; None where nothing is denied, or the step is not found in the text."""
    at = 0
    for index, step in enumerate(trace.steps):
        start = completion.find(step.text.strip(), at)
        if start < 0:
            start = completion.find(step.text.strip().partition("\n")[0], at)
        if step.match is not None and step.match.verdict == "contradicted":
            end = start + len(step.text.strip())
            return None if start < 0 else Misreading(step=index, start=start, end=end, why=step.match.explanation)
        at = at if start < 0 else start + 1
    return None


def first_token(ids: Sequence[int], decode: Callable[[Sequence[int]], str], start: int) -> int:
    """The token in which the character at `start` is written, found by halving: decoding is not free.

    >>> first_token([1, 2, 3], lambda ids: "".join("ab cd ef"[3 * i : 3 * i + 3] for i in range(len(ids))), 3)
    1
    """
    return bisect_left(range(1, len(ids) + 1), start + 1, key=lambda count: len(decode(ids[:count])))


def step_advantages(advantage: float, steps: int, misread: Misreading | None) -> list[float]:
    """A completion's advantage step by step: what came before the misreading is never blamed for it.

    >>> step_advantages(-0.5, 3, Misreading(step=1, start=9, end=20, why="the figure shows 3"))
    [0.0, -0.5, -0.5]
    """
    first = 0 if misread is None else misread.step
    return [max(advantage, 0.0) if step < first else advantage for step in range(steps)]


def spare_before(advantages: Any, first_tokens: Sequence[int | None]) -> None:
    """Lift the negative advantages of tokens before each completion's misreading to 0, in place.

    `advantages` is an array or tensor (completions, tokens), as a trainer holds it; None leaves a completion as it is.
    """
    for place, first in enumerate(first_tokens):
        if first:
            spared = advantages[place, :first]
            spared[spared < 0] = 0
