"""Patterns that are tried only where they could match, because a claim is asked for dozens of them."""

from __future__ import annotations

import re
from functools import lru_cache

_SIGNS = "=≈≅⟂∥⊂∈≠<>"
_WORD = re.compile(rf"[a-z]+|[{_SIGNS}]")
_LETTERS = re.compile(r"[a-z]+")


@lru_cache(maxsize=1024)
def beginnings(text: str) -> frozenset[str]:
    """The first three letters of every word of a text, and its relation signs.

    >>> sorted(beginnings("AB is parallel"))
    ['ab', 'is', 'par']
    """
    return frozenset(word[:3] for word in _WORD.findall(text.lower()))


class Cue:
    """A pattern of whole words, tried only on texts that hold the beginning of one of them; case does not matter.

    Every alternative must begin with three plain letters, a shorter whole word, a sign, or a group of such, so that
    what it needs can be told from the pattern itself.

    >>> Cue("parallel|∥").search("AB is Parallel to CD")[0]
    'Parallel'
    >>> Cue("ri[sn]g")
    Traceback (most recent call last):
    ...
    ValueError: 'ri[sn]g' must begin with three plain letters
    """

    __slots__ = ("needs", "pattern")

    def __init__(self, pattern: str):
        self.needs = frozenset(_needs(pattern))
        words = [part for part in _alternatives(pattern) if part[0] not in _SIGNS]
        signs = [part for part in _alternatives(pattern) if part[0] in _SIGNS]
        self.pattern = re.compile("|".join([*signs, rf"\b(?:{'|'.join(words)})\b"]), re.IGNORECASE)

    def search(self, text: str) -> re.Match[str] | None:
        """The first match in the text."""
        return None if self.needs.isdisjoint(beginnings(text)) else self.pattern.search(text)


def _alternatives(pattern: str) -> list[str]:
    """The parts of a pattern between its outermost bars.

    >>> _alternatives("a(?:b|c)|d")
    ['a(?:b|c)', 'd']
    """
    parts, depth, start = [], 0, 0
    for index, character in enumerate(pattern):
        depth += (character == "(") - (character == ")")
        if character == "|" and depth == 0:
            parts.append(pattern[start:index])
            start = index + 1
    return [*parts, pattern[start:]]


def _needs(pattern: str) -> set[str]:
    """The beginnings of words of which each match of the pattern has one."""
    found: set[str] = set()
    for part in _alternatives(pattern):
        if part[0] in _SIGNS:
            found.add(part[0])
        elif part.startswith("(?:"):
            found |= _needs(_first_group(part))
        else:
            letters = _LETTERS.match(part)
            head = letters[0] if letters else ""
            whole = part[len(head) : len(head) + 1] in ("", " ", "\\")
            if len(head) < 3 and not (head and whole):
                raise ValueError(f"{part!r} must begin with three plain letters")
            found.add(head[:3])
    return found


def _first_group(part: str) -> str:
    depth = 0
    for index, character in enumerate(part):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return part[3:index]
    raise ValueError(f"{part!r} has an open bracket")
