"""Which of the numbers in a sentence it asserts, and which only name or count something."""

from __future__ import annotations

from evpv.premises import grammar
from evpv.premises.normalize.labels import Label
from evpv.premises.normalize.numbers import Quantity, quantities

MANY_YEARS = 3
"""A sentence with this many numbers that read as years lists years."""


def asserted(text: str, named: tuple[Label, ...]) -> tuple[Quantity, ...]:
    """The quantities that a sentence asserts: not years, not “the three circles”, not the 2 of “Part 2” or “angle 2”."""
    found, places = [], []
    stated = quantities(text)
    listed_years = sum(map(is_year, stated)) >= MANY_YEARS
    for quantity in stated:
        lead = text[max(0, quantity.start - 16) : quantity.start]
        if lead.endswith("^") or grammar.RATE_LEAD.search(lead) or grammar.DAY_LEAD.search(lead):
            continue
        if any(label.start <= quantity.start < label.end for label in named):
            continue
        if is_year(quantity) and (listed_years or grammar.YEAR_LEAD.search(lead)):
            continue
        if grammar.SEASON.match(text, quantity.start):
            continue
        if lead.endswith("-") and lead[-2:-1].isdigit():
            continue
        if quantity.unit is None and quantity.scale == 1.0:
            if grammar.PLACE_LEAD.search(lead):
                places.append(quantity)
            if _only_names(text, quantity, lead):
                continue
        found.append(quantity)
    found = found or places[-1:]
    if not found and (none := grammar.NONE_OF.search(text)):
        found.append(Quantity(value=0.0, start=none.start(), end=none.start() + 2))
    return tuple(found)


def _only_names(text: str, quantity: Quantity, lead: str) -> bool:
    """Whether a bare number is part of a name ("Quiz 2", "65+") or counts a group ("the three circles")."""
    if grammar.NAME_LEAD.search(lead) or text[quantity.end : quantity.end + 1] in ("-", "+"):
        return True
    if text[quantity.start].isalpha():
        return grammar.GROUP_LEAD.search(lead) is not None
    small = quantity.places == 0 and 0 <= quantity.value < 100
    named = grammar.NUMBERED_NAME.search(lead) and grammar.AFTER_NAME.match(text, quantity.end)
    return small and named is not None and not grammar.YEAR_LEAD.search(lead)


def is_year(quantity: Quantity) -> bool:
    """Whether a number reads as a year: four digits of a plausible century, no unit."""
    return (
        quantity.unit is None
        and quantity.scale == 1.0
        and quantity.places == 0
        and 1500 <= quantity.value <= 2100
        and (quantity.end - quantity.start <= 5)
    )
