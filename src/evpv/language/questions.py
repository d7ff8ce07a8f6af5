"""What a question tells of labelled things: the numbers that it gives them, and which of them it asks for."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import product

from evpv.language.immutable import immutable
from evpv.language.labels import Key, labels
from evpv.language.quantities import quantities
from evpv.language.text import plain

_CLAUSE_ENDS = re.compile(r"[,，;；?？。、\n]|\.(?!\d)|\b(?:and|then)\b")
_ASKS = re.compile(r"\b(?:find|what|how|which|calculate|determine|compute|solve|evaluate)\b|求|多少", re.IGNORECASE)


@immutable
class Told:
    """The labels of a question, each with the numbers that stand beside it, and those that it asks for."""

    given: frozenset[tuple[Key, float]] = frozenset()
    asked: frozenset[Key] = frozenset()

    def accounts_for(self, key: Key, value: float) -> bool:
        """Whether a value is one that the question gives a thing, or the answer that somebody gives to it."""
        names = (key, ("angle", key[1][1:2])) if key[0] == "angle" else (key,)
        return any(name in self.asked or (name, value) in self.given for name in names)


@lru_cache(maxsize=256)
def told_by(question: str) -> Told:
    """What a question tells: a clause gives its numbers to the labels that it names; one without numbers that asks, or is the last, asks
    for them.

    >>> told = told_by("In the figure the ladder AB is 5 m long, BC = 3 m. Find AC.")
    >>> (("segment", ("A", "B")), 5.0) in told.given, told.asked
    (True, frozenset({('segment', ('A', 'C'))}))
    """
    given: set[tuple[Key, float]] = set()
    asked: set[Key] = set()
    clauses = [clause for clause in _CLAUSE_ENDS.split(plain(question)) if any(map(str.isalnum, clause))]
    for place, clause in enumerate(clauses, 1):
        keys = frozenset(label.key for label in labels(clause))
        numbers = frozenset(one.absolute for one in quantities(clause))
        given |= {*product(keys, numbers)}
        if not numbers and (place == len(clauses) or _ASKS.search(clause)):
            asked |= keys
    return Told(given=frozenset(given), asked=frozenset(asked))
