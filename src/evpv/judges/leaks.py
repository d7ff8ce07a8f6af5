"""Whether a question about a picture gives away the claim it is to check."""

from __future__ import annotations

import re

from evpv.language.quantities import quantities
from evpv.language.tokens import tokens
from evpv.premises.claims import NumericClaim, RelationClaim, StructureClaim, parse

_CLOSED = re.compile(
    r"\s*(?:is|are|was|were|do|does|did|has|have|can|could|will|would|should|isn't|aren't|true or false)\b",
    re.IGNORECASE,
)
_OPEN_QUESTION = "What does the picture show? Name its parts, labels, values and how they stand to each other."
"""The question that no claim can leak into."""


def leaks(question: str, claim: str) -> bool:
    """Whether the question could be answered by nodding: it is one for yes or no, or it holds what the claim asserts.

    >>> claim = "The table entry in row 2, column B is 12."
    >>> leaks("What is the entry in row 2, column B?", claim), leaks("Is the entry in row 2, column B equal to 12?", claim)
    (False, True)
    """
    if _CLOSED.match(question):
        return True
    parsed = parse(claim)
    match parsed:
        case NumericClaim():
            given = [value.absolute for value in parsed.values]
            return any(_count(question, value) > _count(claim, value) - given.count(value) for value in given)
        case RelationClaim():
            said = _stems(question)
            return bool(said & (_stems(parsed.type) | _predicate(parsed)))
        case StructureClaim():
            return bool(parsed.parts) and all(_stems(part) <= _stems(question) for part in parsed.parts)
        case _:
            return False


def neutral_question(claim: str) -> str:
    """A question about what the claim speaks of, in our own words: for when a model's question leaks."""
    parsed = parse(claim)
    if isinstance(parsed, NumericClaim) and parsed.entity:
        asked = f"What is the {parsed.attribute} of {parsed.entity} in the picture?"
    elif isinstance(parsed, RelationClaim):
        asked = f"How do {' and '.join(parsed.entities)} stand to each other in the picture?"
    else:
        return _OPEN_QUESTION
    return _OPEN_QUESTION if leaks(asked, claim) else asked


def _stems(text: str) -> set[str]:
    return {token.stem for token in tokens(text)}


def _count(text: str, value: float) -> int:
    return sum(1 for quantity in quantities(text) if quantity.absolute == value)


def _predicate(claim: RelationClaim) -> set[str]:
    """What a relation says beside its entities: of “AB is labelled x + 2”, the expression."""
    return _stems(claim.entities[-1]) if claim.form == "expression" else set()
