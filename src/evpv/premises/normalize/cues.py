"""Patterns that are tried only where they could match, because a claim is asked for dozens of them."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[a-z]+|[=≈≅⟂∥⊂∈≠<>]")


@lru_cache(maxsize=1024)
def beginnings(text: str) -> frozenset[str]:
    """The first three letters of every word of a text, and its relation signs.

    >>> sorted(beginnings("AB is parallel"))
    ['ab', 'is', 'par']
    """
    return frozenset(word[:3] for word in _WORD.findall(text.lower()))


class Cue:
    """A pattern with the beginnings of words of which every match needs one; case does not matter.

    >>> Cue("par", r"\\bparallel\\b").search("AB is Parallel to CD")[0]
    'Parallel'
    """

    __slots__ = ("needs", "pattern")

    def __init__(self, needs: str, pattern: str):
        self.needs = frozenset(needs.split())
        self.pattern = re.compile(pattern, re.IGNORECASE)

    def search(self, text: str) -> re.Match[str] | None:
        """The first match in the text."""
        return None if self.needs.isdisjoint(beginnings(text)) else self.pattern.search(text)
