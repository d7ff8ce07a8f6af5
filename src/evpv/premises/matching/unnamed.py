"""Values said of nothing that was read: what the values of the whole chart still say of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evpv.premises.assertions import is_year
from evpv.premises.claims import NumericClaim
from evpv.premises.matching.addressing import Address, name_tokens
from evpv.premises.matching.facts import Fact, Facts
from evpv.premises.matching.findings import Finding, decided, in_words, said
from evpv.premises.matching.values import agreement
from evpv.premises.normalize import words
from evpv.premises.normalize.numbers import Quantity

FEWEST_READ = 5
"""A chart of which fewer values were read may well have others."""
_PROPER = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}")
_CHANGE = re.compile(r"\b(?:increase|decrease|growth|rate|change|drop|decline|rise|difference|gap)\b", re.IGNORECASE)


def value_anywhere(claim: NumericClaim, values: Sequence[Quantity], where: Address, facts: Facts) -> Finding | None:
    """The value against the highest or lowest of all where the claim says so; wrong, too, if it is near no measured value.

    Only for one number in digits, and a chart of which several values were read.
    """
    columns = {mention.name for mention in where.columns} or set(facts.columns)
    cells = [fact for fact in facts.cells if fact.column in columns]
    if not facts.tabular or len(cells) < FEWEST_READ or len(values) != 1:
        return None
    stated = values[0]
    if claim.text[stated.start].isalpha() or is_year(stated) or _is_change(claim.text, stated, cells):
        return None
    high, low = words.HIGHEST.search(claim.text), words.LOWEST.search(claim.text)
    if (high is None) != (low is None) and not words.ORDINAL.search(claim.text):
        return _as_extreme(claim, stated, cells, largest=high is not None)
    measured = all(cell.constraint.reading == "estimated" for cell in cells)
    if measured and all(agreement(stated, cell, claim.text) == "different" for cell in cells):
        nearest = min(cells, key=lambda fact: abs(fact.value - stated.value))
        return decided(False, [nearest], f"claimed {said(stated)}; nothing near it was read, {in_words(nearest)}.")
    return None


def _as_extreme(claim: NumericClaim, stated: Quantity, cells: Sequence[Fact], *, largest: bool) -> Finding | None:
    """“The highest share was 71%”. A still higher value may be one that was not read, and one of another name is another's."""
    end = (max if largest else min)(cells, key=lambda fact: fact.value)
    outcome = agreement(stated, end, claim.text)
    if outcome == "unclear":
        return None
    beyond = (stated.value > end.value) == largest and end.constraint.reading != "estimated"
    if outcome == "same" if _names_another(claim.text, cells) else outcome == "different" and beyond:
        return None
    word = "highest" if largest else "lowest"
    return decided(
        outcome == "same", [end], f"claimed {said(stated)} as the {word}; of those read it is {in_words(end)}."
    )


def _names_another(text: str, cells: Sequence[Fact]) -> bool:
    """Whether a sentence names something that no row or column is called after."""
    known = {word for cell in cells for word in name_tokens(f"{cell.row} {cell.column}")}
    return any(not name_tokens(name) <= known for name in _PROPER.findall(text))


def _is_change(text: str, stated: Quantity, cells: Sequence[Fact]) -> bool:
    """Whether a percentage is said of a change between values that are no percentages themselves."""
    parts = all(abs(cell.value) <= 1 or cell.unit == "percent" for cell in cells)
    return stated.unit == "percent" and not parts and _CHANGE.search(text) is not None
