"""What a question asks: the rows and columns it names, how many of each, the sentence that asks; and an answer worked out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from evpv.judges.checks.tables import words
from evpv.judges.checks.wordings import AMOUNT, BUDGET, SENTENCE, WORD


@dataclass(frozen=True, slots=True)
class Mention:
    """A name found in a question from character `start` to `end`."""

    name: str
    start: int
    end: int


def mentions(question: str, names: Iterable[str]) -> list[Mention]:
    """The names that stand in the question, word for word; where two overlap, the longer one, and each name once.

    >>> [m.name for m in mentions("Buy 2 red hats and a hat.", ["hat", "red hat"])]
    ['red hat', 'hat']
    """
    spelled = [(words(match.group()), match.span()) for match in WORD.finditer(question[:4000])]
    asked = [(parts[0], span) for parts, span in spelled if parts]
    found: list[Mention] = []
    taken: set[int] = set()
    for name in sorted(dict.fromkeys(names), key=lambda name: -len(words(name))):
        place = _place(words(name), [word for word, _ in asked], taken)
        if place is not None:
            length = len(words(name))
            taken.update(range(place, place + length))
            found.append(Mention(name, asked[place][1][0], asked[place + length - 1][1][1]))
    return sorted(found, key=lambda mention: mention.start)


def _place(name: list[str], asked: list[str], taken: set[int]) -> int | None:
    if not name:
        return None
    for i in range(len(asked) - len(name) + 1):
        if asked[i : i + len(name)] == name and not taken.intersection(range(i, i + len(name))):
            return i
    return None


def amount_before(question: str, start: int, after: int) -> Fraction:
    """How many of a thing are asked for: the last number between `after` and `start`; one when there is none.

    >>> amount_before("buy 4+9/10 kilograms of beads", 24, 0)
    Fraction(49, 10)
    """
    numbers = list(AMOUNT.finditer(question, after, start))
    if not numbers:
        return Fraction(1)
    whole, above, below, plain = numbers[-1].groups()
    if plain is not None:
        return Fraction(plain)
    return Fraction(int(whole or 0)) + (Fraction(int(above), int(below)) if int(below) else 0)


def budget(question: str) -> Fraction | None:
    """The money that someone has: "Erik has $7,616.00."."""
    match = BUDGET.search(question)
    return Fraction(match[1].replace(",", "")) if match and match[1].replace(",", "") else None


def asking(question: str) -> str:
    """The sentence that asks, with the conditions in it: the last one that ends in a question mark."""
    sentences = SENTENCE.split(question.strip()[:4000])
    asked = [sentence for sentence in sentences if "?" in sentence]
    return asked[-1] if asked else question[:4000]


Bounds: TypeAlias = tuple[Fraction, Fraction | None]


@dataclass(frozen=True, slots=True)
class Recomputed:
    """A value, or the words of an option, and how it was found.

    `bounds` are given where the evidence leaves the value open between two limits (None: no limit). `as_fraction` says
    that the question wants a fraction, so that a rounded decimal is not an answer.
    """

    answer: Fraction | str
    reason: str
    bounds: Bounds | None = None
    as_fraction: bool = False
