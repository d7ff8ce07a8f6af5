"""Numbers in words: one hundred forty-eight, three quarters, a third of, one in ten."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from evpv.language.lexicon import FRACTIONS

_LETTERS = re.compile(r"[a-z]+")
_WORD = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*")
_SMALL = {w: v for v, w in enumerate(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split())}  # fmt: skip  # noqa: E501
_TENS = {w: 10 * v for v, w in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
_BELOW_HUNDRED = {**_SMALL, **_TENS}
_LARGE = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_NUMBER_WORDS = frozenset({*_BELOW_HUNDRED, *FRACTIONS, *_LARGE})
_BEFORE_PRONOUN = frozenset(
    "the this that each which every any another previous next last first other no only either same right left".split()
)
_AFTER_PRONOUN = frozenset(
    "of is in that which side corner another at should can may must needs could might has for about with between was".split()
)
_PARTS = frozenset("quarter third fifth tenth sixth eighth fourth".split())
_SHARING = frozenset("of use have say are were want prefer chose live work think".split())
_NEARING = frozenset("than over under about nearly almost roughly exactly around approximately".split())
MINUS_WORDS = frozenset({"minus", "negative"})


class _SpelledNumber(NamedTuple):
    """A number in words and its place in the text; `large` is what its last word is worth, 1 for small ones."""

    value: float
    start: int
    end: int
    large: int


def has_number_words(text: str) -> bool:
    """Whether a text has a word that could be of a number."""
    return not _NUMBER_WORDS.isdisjoint(_LETTERS.findall(text.lower()))


def spelled_numbers(text: str) -> Iterator[_SpelledNumber]:
    """The numbers of a text that are in words, in order.

    >>> [one.value for one in spelled_numbers("Minus forty-two of one hundred and five, a third of them")]
    [-42.0, 105.0, 0.3333333333333333]
    """
    matches = list(_WORD.finditer(text))
    words = _Words(text, matches, [match[0].lower() for match in matches])
    i = 0
    while i < len(matches):
        begins = words.lower[i].partition("-")[0] in _NUMBER_WORDS
        length, value = _number_words(words, i) if begins else (0, 0.0)
        if length:
            value = -value if words.at(i - 1) in MINUS_WORDS else value
            large = _LARGE.get(words.at(i + length - 1), 1)
            yield _SpelledNumber(value, matches[i].start(), matches[i + length - 1].end(), large)
        i += max(length, 1)


class _Words(NamedTuple):
    """The words of a text, also in lower case."""

    text: str
    matches: list[re.Match[str]]
    lower: list[str]

    def at(self, i: int) -> str:
        """The word at a place in lower case; "" beyond the ends."""
        return self.lower[i] if 0 <= i < len(self.lower) else ""

    def goes_on(self, i: int) -> bool:
        """Whether there is a word at a place, and only a space before it."""
        return 0 < i < len(self.lower) and self.text[self.matches[i - 1].end() : self.matches[i].start()].isspace()


def _number_words(words: _Words, i: int) -> tuple[int, float]:
    """How many words from `i` on spell a number, and which: one hundred forty-eight, three quarters, a third of."""
    total, current, length = 0.0, 0.0, 0
    while not length or words.goes_on(i + length):
        word = words.at(i + length)
        if (small := _small_number(word)) is not None:
            current += small
        elif length and word in _LARGE:
            current = max(current, 1) * _LARGE[word]
            if _LARGE[word] >= 1000:
                total, current = total + current, 0.0
        elif not length or not _joins_more(words, i + length, current):
            break
        length += 1
    return _with_ending(words, i, length, total + current) if length else _fraction_words(words, i)


def _with_ending(words: _Words, i: int, length: int, value: float) -> tuple[int, float]:
    """A number with the part that follows it: three quarters, two and one-half, nine in ten; a pronoun “one” is no number."""
    following = words.at(i + length)
    if words.goes_on(i + length) and (joint := _with_part(words, i, length, value)) is not None:
        return joint
    if following in FRACTIONS and value < 20:
        return _of_large_number(words, i, length + 1, value / FRACTIONS[following])
    pronoun = words.at(i - 1) in _BEFORE_PRONOUN or not following or following in _AFTER_PRONOUN
    if words.lower[i : i + length] == ["one"] and pronoun:
        return 0, 0.0
    return length, value


def _with_part(words: _Words, i: int, length: int, value: float) -> tuple[int, float] | None:
    if length == 1 and (whole := _whole_after(words, i + 1)):
        return whole[0] + 1, value / whole[1]
    if (part := _hyphened_fraction(words.at(i + length))) is not None:
        return length + 1, value + part
    rest = _part_after_and(words, i + length)
    return None if rest is None else (length + 3, value + rest)


def _part_after_and(words: _Words, i: int) -> float | None:
    """The part that goes on with a number: two “and a half”, one “and three quarters”."""
    lead, many, part = (words.at(i + k) for k in range(3))
    if lead != "and" or part not in FRACTIONS or words.at(i + 3) == "of":
        return None
    times = 1 if many in ("a", "an") else _SMALL.get(many)
    return None if times is None else times / FRACTIONS[part]


def _of_large_number(words: _Words, i: int, length: int, value: float) -> tuple[int, float]:
    """A part with the large number that it is of: half “a million”, three quarters “of a million”."""
    for lead in (["of", "a"], ["a"]):
        end = i + length + len(lead)
        if words.lower[i + length : end] == lead and words.at(end) in _LARGE:
            return length + len(lead) + 1, value * _LARGE[words.at(end)]
    return length, value


def _small_number(word: str) -> int | None:
    """The number below a hundred that a word spells: forty-eight."""
    known = [_BELOW_HUNDRED.get(part) for part in word.split("-")]
    return None if None in known else sum(value for value in known if value is not None)


def _hyphened_fraction(word: str) -> float | None:
    """The value of “two-fifths”."""
    first, _, second = word.partition("-")
    return _SMALL[first] / FRACTIONS[second] if first in _SMALL and second in FRACTIONS else None


def _joins_more(words: _Words, i: int, so_far: float) -> bool:
    """Whether an “and” goes on with the number: one hundred and five, two and three-quarters."""
    following = words.at(i + 1)
    is_small = following.split("-")[0] in _BELOW_HUNDRED
    return words.at(i) == "and" and ((so_far >= 100 and is_small) or _hyphened_fraction(following) is not None)


def _whole_after(words: _Words, i: int) -> tuple[int, float] | None:
    """How many words from `i` on say of how many a number is a part (“in ten”, “out of ten”), and of how many."""
    lead = next((lead for lead in (["in"], ["out", "of"]) if words.lower[i : i + len(lead)] == lead), [])
    word = words.at(i + len(lead))
    whole = float(_BELOW_HUNDRED.get(word, 100 if word == "hundred" else 0))
    return (len(lead) + 1, whole) if lead and whole > 1 else None


def _fraction_words(words: _Words, i: int) -> tuple[int, float]:
    """ "two-fifths", "half the", "more than half", not "the left half"; a "third" where it is said to be shared, passed or nearly reached
    ("more than a third take the bus"), which only a part is, not in "a quarter circle"."""
    before, word, following = words.at(i - 1), words.at(i), words.at(i + 1)
    if (part := _hyphened_fraction(word)) is not None:
        return 1, part
    if word in _LARGE and before in ("a", "one"):
        return 1, float(_LARGE[word])
    if word == "half":
        return _half(words, i)
    shared = following in _SHARING and before in ("a", "one", "every", "than", "")
    if word in _PARTS and (shared or (before in ("a", "one") and words.at(i - 2) in _NEARING)):
        return _of_large_number(words, i, 1, 1 / FRACTIONS[word])
    return 0, 0.0


def _half(words: _Words, i: int) -> tuple[int, float]:
    following = words.at(i + 1)
    if following in ("a", "an"):
        length, value = _of_large_number(words, i, 1, 0.5)
        return max(length, 2), value
    return (1, 0.5) if following in ("of", "the") or words.at(i - 1) == "than" else (0, 0.0)


def clock_number(word: str) -> int | None:
    """The hour or minute that a word or digits say."""
    return int(word) if word.isdigit() else _small_number(word.lower())


_SEASON = re.compile(r"(?:1[5-9]|20)\d\d/(?:\d\d|20\d\d)")


def is_season(text: str) -> bool:
    """Whether a text is two years in a row: “2017/18”."""
    return _SEASON.fullmatch(text) is not None
