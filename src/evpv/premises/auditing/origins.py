"""Where numbers and relations come from: the question, an earlier reading, an earlier result."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice

from evpv.language.calculations import calculation, stated_numbers, written_numbers
from evpv.language.labels import Label, labels
from evpv.language.quantities import quantities
from evpv.language.text import sentences
from evpv.language.tokens import content_stems
from evpv.premises.claims import RelationClaim, parse

_CONSTANTS = frozenset((0, 1, 2, 3, 4, 10, 12, 60, 90, 100, 180, 270, 360, 1000))  # what formulas bring with them
_RECENT = 24  # of the latest numbers are tried as operands of an unwritten calculation
_BESIDE = 8
_REMEMBERED = 200

Key = tuple[str, tuple[str, ...]]
_Pair = tuple[str, frozenset[Key]]
"""A relation and the things between which it holds."""


@dataclass(slots=True)
class Origins:
    """All that has been said so far, with how it came to be said. The one mutable value: it grows sentence by sentence."""

    asked: frozenset[str] = frozenset()
    asked_labels: frozenset[Key] = frozenset()
    given: dict[float, None] = field(default_factory=dict)  # a set that keeps its order
    read: dict[float, deque[frozenset[str]]] = field(default_factory=dict)  # number → what sentences said it of
    results: set[float] = field(default_factory=set)
    relations: set[_Pair] = field(default_factory=set)
    recent: list[float] = field(default_factory=list)
    heading: frozenset[str] = frozenset()  # the names of the heading above (“Option B:”), to which all below belongs
    calculating: bool = False  # the sentence before was arithmetic, so “Area = 16” is what came out

    def knows(self, number: float) -> bool:
        """Whether the question or an earlier sentence has this number."""
        return abs(number) in self.given or abs(number) in self.read or abs(number) in self.results

    def explains(self, operand: float, beside: Iterable[float] = ()) -> bool:
        """Whether a calculation may start from this number without looking: known, a constant, or one operation away.

        `beside` are other numbers of the same sentence: “after 6 doublings there are 4 × 64”.
        """
        operand = abs(operand)
        if operand in _CONSTANTS or self.knows(operand) or operand <= len(self.recent):
            return True
        return self.derives(operand, beside)

    def explains_price(self, price: float) -> bool:
        """The same for a price, which is neither a constant nor a count, and follows only from others."""
        return self.knows(price) or (bool(self.recent) and self.derives(price))

    def derives(self, number: float, also: Iterable[float] = ()) -> bool:
        """Whether one operation on known numbers gives this one: half, double, square, sum, product, the rest to 180 …"""
        pool = [*islice(self.given, _RECENT), *self.recent[-_RECENT:], *islice(also, _BESIDE)]
        wanted = abs(number)
        if any(_near(wanted, made) for known in pool for made in _from_one(known)):
            return True
        if self.totals(wanted):
            return True
        return any(_near(wanted, made) for i, a in enumerate(pool) for b in pool[:i] for made in _from_two(a, b))

    def totals(self, number: float) -> bool:
        """Whether a number is the sum of all that was read."""
        return len(self.recent) > 1 and _near(abs(number), sum(self.recent))

    def pairs(self, number: float, result: float) -> bool:
        """Whether one operation on a number and one that was read gives the result: “2 mats cost $30”."""
        return any(_near(abs(result), made) for read in self.recent[-_RECENT:] for made in _from_two(number, read))

    def said_of(self, number: float, subject: frozenset[str]) -> bool:
        """Whether an earlier sentence, or the question, states the number of the same thing."""
        return any(subject <= earlier for earlier in self.read.get(abs(number), ()))

    def add(self, text: str, *, seen: bool) -> None:
        """Take up a sentence: its numbers as readings if it was `seen`, else as results."""
        arithmetic, subject = calculation(text), content_stems(text) | self.heading
        results = set(arithmetic.results) if arithmetic else set()
        said = [abs(number) for number in stated_numbers(text)]
        for number in dict.fromkeys((*written_numbers(text), *said)):
            self.read.setdefault(number, deque(maxlen=_RECENT)).append(subject)
            if number in results or (not seen and number not in self.given):
                self.results.add(number)
        self.recent += [number for number in dict.fromkeys((*said, *results)) if number not in self.recent]
        del self.recent[:-_REMEMBERED]
        self.relations |= set(relation_pairs(text))
        self.calculating = bool(arithmetic)
        if text.endswith(":"):
            self.heading = content_stems(text)


def origins(question: str) -> Origins:
    """What the question gives, and what it asks for. Its numbers are said of all that it names: it is one statement."""
    parts = sentences(question)
    named = frozenset(word for part in parts for word in content_stems(part))
    last = parts[-1] if parts else ""
    start = Origins(asked=content_stems(last), asked_labels=_keys(*labels(last)))
    for part in parts:
        numbers = dict.fromkeys((*written_numbers(part), *(round(abs(q.absolute), 6) for q in quantities(part))))
        start.given |= dict.fromkeys(numbers)
        start.relations |= set(relation_pairs(part))
        for number in numbers:
            start.read.setdefault(number, deque(maxlen=_RECENT)).append(named)
    return start


def relation_pairs(text: str) -> Iterable[_Pair]:
    """The relations between labelled things that a sentence states, in a form that AB ∥ CD and DC ∥ AB share."""
    named = labels(text)
    if len(named) < 2:
        return
    claim = parse(text)
    kind = "equal" if "=" in text else ""
    kind = claim.type if isinstance(claim, RelationClaim) else kind
    if kind:
        for index, first in enumerate(named[:-1]):
            yield kind, _keys(first, named[index + 1])


def _keys(*named: Label) -> frozenset[Key]:
    return frozenset(label.key for label in named)


def _near(value: float, made: float) -> bool:
    return abs(value - made) <= 0.006 * max(1.0, abs(made)) * (value % 1 != 0) + 1e-6


def _from_one(known: float) -> tuple[float, ...]:
    root = abs(known) ** 0.5
    return (known / 2, known * 2, known * known if abs(known) < 1e6 else known, root, known + 1, known - 1, known + 2, known - 2, 180 - known,
            360 - known, 90 - known, known / 100, known * 100, 2.0**known if abs(known) < 20 else known)  # fmt: skip


def _from_two(a: float, b: float) -> tuple[float, ...]:
    return (a + b, abs(a - b), a * b if max(abs(a), abs(b)) < 1e9 else a, a / b if b else a, b / a if a else b)
