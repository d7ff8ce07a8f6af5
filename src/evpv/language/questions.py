"""What a question asks in which sentence, and gives: numbers of labelled things, which no reading of its figure refutes."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import product

from evpv.language.immutable import immutable
from evpv.language.labels import Key, labels
from evpv.language.quantities import quantities
from evpv.language.responses import SENTENCE_BREAK
from evpv.language.text import plain

_CLAUSE_ENDS = re.compile(r"[,，;；?？。、\n]|\.(?!\d)|\b(?:and|then)\b")


@immutable
class Told:
    """The labels of a question, each with the numbers that stand beside it."""

    given: frozenset[tuple[Key, float]] = frozenset()

    def accounts_for(self, key: Key, value: float) -> bool:
        """Whether a value is one that the question gives a thing."""
        names = (key, ("angle", key[1][1:2])) if key[0] == "angle" else (key,)
        return any((name, value) in self.given for name in names)


def asking_sentence(question: str) -> str:
    """The last sentence of a question that ends in a question mark, or else its end.

    >>> asking_sentence("Tim has $5. Does he have enough for a pen? (a) yes (b) no")
    'Does he have enough for a pen?'
    """
    before, mark, _ = question[-600:].rpartition("?")
    return SENTENCE_BREAK.split(before)[-1] + mark if mark else question[-300:]


@lru_cache(maxsize=256)
def told_by(question: str) -> Told:
    """What a question tells: a clause gives its numbers to the labels that it names.

    >>> told = told_by("In the figure the ladder AB is 5 m long, BC = 3 m. Find AC.")
    >>> (("segment", ("A", "B")), 5.0) in told.given, (("segment", ("B", "C")), 5.0) in told.given
    (True, False)
    """
    clauses = _CLAUSE_ENDS.split(plain(question))
    pairs = (
        product((label.key for label in labels(clause)), (one.absolute for one in quantities(clause)))
        for clause in clauses
    )
    return Told(given=frozenset(pair for several in pairs for pair in several))
