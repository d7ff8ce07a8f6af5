"""The numbers of a sentence by the part they play: what is calculated with, what comes out, what is only said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from evpv.language.clauses import clauses
from evpv.language.immutable import immutable
from evpv.language.labels import has_labels, labels
from evpv.language.quantities import quantities

_TOKEN = re.compile(r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|\.\d+|[-+×÷*/·^=≈√()<>]|~=|[A-Za-z]+|\S")
_OPERATORS = frozenset("-+×÷*/·^") | {"x", "times", "plus", "minus"}
_WEAK = frozenset("-/x")
_EQUALS = frozenset({"=", "≈", "~="})
_TRANSPARENT = frozenset({"(", ")", "$", "°", "%", "π", "√", "∠", "pi", "sqrt", "²", "³", "[", "]", "¢", "€"})
_CLOCK = re.compile(r"\b(\d{1,2}):(\d\d)\b")
_DENIES = re.compile(r"\b(?:not (?:correct|possible|true|equal)|incorrect|impossible|contradict\w*)\b|≠", re.IGNORECASE)
_MAX_UNIT_WORDS = 3
_LARGEST = 1e300
"""What is written larger counts as this: no float is infinite here."""


@immutable
class Calculation:
    """What a sentence calculates: the numbers it starts from and those it arrives at; empty if it calculates nothing.

    A result that the same sentence goes on to calculate with is no operand: “180 - 40 = 140, 140 ÷ 2 = 70”.
    """

    operands: tuple[float, ...] = ()
    results: tuple[float, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.operands)


def denies(text: str) -> bool:
    """Whether a text calls something false, which may be an equation that it writes itself."""
    return _DENIES.search(text) is not None


@lru_cache(maxsize=8192)
def written_numbers(text: str) -> tuple[float, ...]:
    """All numbers written in digits, without signs.

    >>> written_numbers("Pay $1,123.50 for 2 of 3")
    (1123.5, 2.0, 3.0)
    """
    return tuple(_value(token) for token in _TOKEN.findall(_join_clock_times(text)) if _is_number(token))


@lru_cache(maxsize=8192)
def stated_numbers(text: str) -> tuple[float, ...]:
    """The numbers that a sentence asserts, signs and all; years and the numbers of names are none.

    >>> stated_numbers("In 2015 the line is at -14"), stated_numbers("Figure 2 has twelve dots")
    ((-14.0,), (12.0,))
    """
    text = _join_clock_times(text)
    if not quantities(text):
        return ()
    parts = clauses(text, labelled=has_labels(text, labels(text)))
    amounts = (one.amount.quantity for part in parts for one in part.amounts)
    sides = (side.quantity for part in parts for one in part.equations for side in one.sides)
    every = {q.start: q for q in (*amounts, *sides) if q is not None}
    return tuple(round(every[start].absolute, 6) for start in sorted(every))


def in_names(text: str) -> frozenset[float]:
    """The numbers that only name: years, the 2 of “Figure 2”.

    >>> sorted(in_names("In 2015 the line is at 14"))
    [2015.0]
    """
    return frozenset(written_numbers(text)) - frozenset(abs(number) for number in stated_numbers(text))


@lru_cache(maxsize=8192)
def calculation(text: str) -> Calculation:
    """The arithmetic of a sentence: numbers joined by operators, and what stands after the equals signs.

    >>> calculation("The square is 30^2 + 16^2 = 1,156")
    Calculation(operands=(30.0, 16.0), results=(1156.0,))
    >>> bool(calculation("It opens from 18-29 at (-2, -3)"))
    False
    """
    tokens = _TOKEN.findall(text)
    values = _number_values(tokens)
    operands, joined = _operand_places(tokens, [*values])
    if not operands:
        return Calculation()
    results = [i for i in values if i not in joined and _after_equals(tokens, i)]
    made = {values[i]: i for i in reversed(results)}
    sources = tuple(values[i] for i in operands if made.get(values[i], i) >= i)
    return Calculation(operands=sources, results=tuple(values[i] for i in results))


def _number_values(tokens: list[str]) -> dict[int, float]:
    """The numbers by their places, without exponents."""
    return {i: _value(token) for i, token in enumerate(tokens) if _is_number(token) and tokens[i - 1 : i] != ["^"]}


def _operand_places(tokens: list[str], places: list[int]) -> tuple[list[int], set[int]]:
    """Where the numbers stand that are calculated with: those that an operator joins, which are also given apart, powers and roots. Without
    an equals sign a hyphen or a slash joins nothing, and there are no powers or roots."""
    joined: set[int] = set()
    equates = not _EQUALS.isdisjoint(tokens)
    for left, right in pairwise(places):
        operator = _joining_operator(tokens[left + 1 : right])
        if operator is None or (operator in _WEAK and not equates):
            continue
        if operator == "/" and _after_equals(tokens, left) and _EQUALS.isdisjoint(tokens[right:]):
            continue  # the “1/8” of “= 1/8” is one result
        joined |= {left, right}
    return sorted({*joined, *(_raised_or_rooted(tokens, places) if equates else ())}), joined


def _raised_or_rooted(tokens: list[str], places: list[int]) -> Iterator[int]:
    for place in places:
        following = next((token for token in tokens[place + 1 : place + 3] if token != ")"), "")
        if following == "^" or not {"√", "sqrt"}.isdisjoint(tokens[max(0, place - 2) : place]):
            yield place


def _joining_operator(between: list[str]) -> str | None:
    """The operator that joins two numbers, if nothing but units and brackets stands beside it."""
    operators = _operators(between)
    words = [token for token in between if token not in _NO_UNITS and not _is_number(token)]
    if words and operators[:-1] == ["/"]:
        operators = operators[1:]
    only_units = len(words) <= _MAX_UNIT_WORDS and all(map(str.isalpha, words))
    return operators[0] if only_units and len(operators) == 1 else None


def _operators(between: list[str]) -> list[str]:
    """Not the ^ of “30^2 + 16” nor the second minus of “-3 - (-2)”, which are parts of the numbers."""
    pairs = zip(["", *between], between, strict=False)
    joining = [(before, sign) for before, sign in pairs if sign in _OPERATORS and sign != "^"]
    return [sign for before, sign in joining if sign != "-" or before not in _BEFORE_SIGN]


_BEFORE_SIGN = _OPERATORS | {"(", "="}
_NO_UNITS = _TRANSPARENT | _OPERATORS


def _join_clock_times(text: str) -> str:
    """12:15 as the one number 12.15, which is how some tables print it."""
    return _CLOCK.sub(r"\1.\2", text)


def _is_number(token: str) -> bool:
    return token[0].isdecimal() or (token[0] == "." and len(token) > 1)


def _value(token: str) -> float:
    return min(round(float(token.replace(",", "")), 6), _LARGEST)


def _after_equals(tokens: list[str], place: int) -> bool:
    before = [token for token in tokens[max(0, place - 5) : place] if token not in _TRANSPARENT and token != "-"]
    return bool(before) and (before[-1] in _EQUALS or before[-1] in ("is", "are", "gives", "get", "makes", "equals"))
