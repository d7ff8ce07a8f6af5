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
    found = bare_numbers(text[:_MAX_LENGTH])
    if not found:
        found = frozenset(round(quantity.absolute, 9) for quantity in quantities(plain(text[:_MAX_LENGTH])))
    return found - _COMMON


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
        numbers = _numbers_of(text)
        if numbers:
            numbers -= free
        again = () if numbers.isdisjoint(last) else {last[number] for number in numbers if number in last}
        result.append(tuple(sorted(again)))
        last.update(dict.fromkeys(numbers, index))
    return result


def inherited_uses(own: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """All steps reached by following `uses` back to the beginning.

    >>> inherited_uses([(), (0,), (1,), ()])
    [(), (0,), (0, 1), ()]
    """
    reached: list[tuple[int, ...]] = []
    for earlier in own:
        reached.append(tuple(sorted({*earlier}.union(*(reached[one] for one in earlier)))) if earlier else ())
    return reached
