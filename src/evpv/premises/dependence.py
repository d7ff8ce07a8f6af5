"""Which earlier steps a step builds on, from the numbers it repeats."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from evpv.language.quantities import bare_numbers, quantities
from evpv.language.text import plain

_MAX_LENGTH = 4000
_COMMON = frozenset({0.0, 1.0, 2.0, 90.0, 100.0, 180.0, 360.0})
"""Numbers that stand in formulas as often as in figures, so that repeating one shows no dependence."""


@lru_cache(maxsize=256)
def _numbers_of(text: str) -> frozenset[float]:
    """The numbers that a step speaks of, those aside that every text uses."""
    text = text[:_MAX_LENGTH]
    found = bare_numbers(text) or frozenset(round(quantity.absolute, 9) for quantity in quantities(plain(text)))
    return found - _COMMON if found else found


def uses(steps: Sequence[str], given: str = "") -> list[tuple[int, ...]]:
    """For each step the earlier ones that it builds on: the last to state a number that it repeats.

    A number that the question itself gives (`given`) ties no steps together.

    >>> uses(["The corner is at x = -2.", "Recall the definition.", "Therefore the answer is x = -2."])
    [(), (), (0,)]
    """
    free = _numbers_of(given)
    last: dict[float, int] = {}
    result: list[tuple[int, ...]] = []
    for index, text in enumerate(steps):
        used = set()
        for number in _numbers_of(text):
            if number in last:
                used.add(last[number])
            if number not in free:
                last[number] = index
        result.append(tuple(sorted(used)) if used else ())
    return result


def inherited_uses(own: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """All steps reached by following `uses` back to the beginning.

    >>> inherited_uses([(), (0,), (1,), ()])
    [(), (0,), (0, 1), ()]
    """
    reached: list[tuple[int, ...]] = []
    for earlier in own:
        reached.append(tuple(sorted({*earlier}.union(*[reached[one] for one in earlier]))) if earlier else ())
    return reached
