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
_LARGE = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_NUMBER_WORDS = frozenset({*_SMALL, *_TENS, *FRACTIONS, *_LARGE})
_BEFORE_PRONOUN = frozenset(
    "the this that each which every any another previous next last first other no only either same right left".split()
)
_AFTER_PRONOUN = frozenset(
    "of is in that which side corner another at should can may must needs could might has for about with between was".split()
)
MINUS_WORDS = frozenset({"minus", "negative"})


class SpelledNumber(NamedTuple):
    """A number in words and its place in the text; `large` is what its last word is worth, 1 for small ones."""

    value: float
    start: int
    end: int
    large: int


def spelled_numbers(text: str) -> Iterator[SpelledNumber]:
    """The numbers of a text that are in words, in order.

    >>> [one.value for one in spelled_numbers("Minus forty-two of one hundred and five, a third of them")]
    [-42.0, 105.0, 0.3333333333333333]
    """
    if text.isascii() and _NUMBER_WORDS.isdisjoint(_LETTERS.findall(text.lower())):
        return
    words = list(_WORD.finditer(text))
    lower = [match[0].lower() for match in words]
    if _NUMBER_WORDS.isdisjoint(part for word in lower for part in word.split("-")):
        return
    i = 0
    while i < len(words):
        length, value = _number_words(words, lower, i, text)
        if length:
            value = -value if i and lower[i - 1] in MINUS_WORDS else value
            large = _LARGE.get(lower[i + length - 1], 1)
            yield SpelledNumber(value, words[i].start(), words[i + length - 1].end(), large)
        i += max(length, 1)


def _number_words(words: list[re.Match[str]], lower: list[str], i: int, text: str) -> tuple[int, float]:
    """How many words from `i` on spell a number, and which: one hundred forty-eight, three quarters, a third of."""
    total, current, length, said = 0.0, 0.0, 0, False
    while i + length < len(words):
        if length and not text[words[i + length - 1].end() : words[i + length].start()].isspace():
            break
        word = lower[i + length]
        parts = word.split("-")
        if said and _joins_more(lower, i + length, current):
            length += 1
            continue
        if all(part in _SMALL or part in _TENS for part in parts):
            current += sum(_SMALL.get(part, _TENS.get(part, 0)) for part in parts)
        elif word in _LARGE and said:
            current = max(current, 1) * _LARGE[word]
            if _LARGE[word] >= 1000:
                total, current = total + current, 0.0
        elif said and length == 1 and (whole := _whole_after(lower, i + 1)):
            return whole[0] + 1, (total + current) / whole[1]
        elif said and len(parts) == 2 and parts[0] in _SMALL and parts[1] in FRACTIONS:
            return length + 1, total + current + _SMALL[parts[0]] / FRACTIONS[parts[1]]
        else:
            break
        said = True
        length += 1
    if not said:
        return _fraction_words(lower, i)
    following = lower[i + length] if i + length < len(words) else ""
    if following in FRACTIONS and total + current < 20:
        return length + 1, (total + current) / FRACTIONS[following]
    if length == 1 and lower[i] == "one" and _is_pronoun(lower, i):
        return 0, 0.0
    return length, total + current


def _joins_more(lower: list[str], i: int, so_far: float) -> bool:
    """Whether an “and” goes on with the number: one hundred and five, two and three-quarters."""
    if lower[i] != "and" or i + 1 >= len(lower):
        return False
    return (so_far >= 100 and _is_small(lower[i + 1])) or _is_fraction(lower[i + 1])


def _whole_after(lower: list[str], i: int) -> tuple[int, float] | None:
    """How many words from `i` on say of how many a number is a part (“in ten”, “out of ten”), and of how many."""
    length = {"in": 2, "out": 3}.get(lower[i], 0)
    if not length or (length == 3 and lower[i + 1 : i + 2] != ["of"]):
        return None
    whole = _ratio_word(lower, i + length - 1)
    return (length, whole) if whole else None


def _is_fraction(word: str) -> bool:
    first, _, second = word.partition("-")
    return first in _SMALL and second in FRACTIONS


def _ratio_word(lower: list[str], i: int) -> float:
    """The second number of “one in ten”; 0 if there is none."""
    word = lower[i] if i < len(lower) else ""
    value = float(_SMALL.get(word, _TENS.get(word, 100 if word == "hundred" else 0)))
    return value if value > 1 and lower[i - 1] in ("in", "of") else 0.0


def _is_small(word: str) -> bool:
    first = word.split("-")[0]
    return first in _SMALL or first in _TENS


def _fraction_words(lower: list[str], i: int) -> tuple[int, float]:
    """ "two-fifths", "a quarter of", "half of the", where the words measure rather than name ("a quarter circle")."""
    parts = lower[i].split("-")
    if len(parts) == 2 and parts[0] in _SMALL and parts[1] in FRACTIONS:
        return 1, _SMALL[parts[0]] / FRACTIONS[parts[1]]
    following = lower[i + 1] if i + 1 < len(lower) else ""
    before = lower[i - 1] if i else ""
    if lower[i] in _LARGE and before in ("a", "one"):
        return 1, float(_LARGE[lower[i]])
    if lower[i] == "half" and (following in ("of", "the") or before == "than"):
        return 1, 0.5
    if lower[i] in ("quarter", "third", "fifth", "tenth", "sixth", "eighth", "fourth") and (
        ((following == "of" or following in _SHARING) and before in ("a", "one", "every", "than", ""))
        or _is_measured_part(lower, i)
    ):
        return 1, 1 / FRACTIONS[lower[i]]
    return 0, 0.0


_SHARING = frozenset("use have say are were want prefer chose live work think".split())


def _is_measured_part(lower: list[str], i: int) -> bool:
    """Whether “a third” is said to be passed or nearly reached, which only a part is: “more than a third take the bus”."""
    return i > 1 and lower[i - 1] in ("a", "one") and lower[i - 2] in _NEARING


_NEARING = frozenset("than over under about nearly almost roughly exactly around approximately".split())


def _is_pronoun(lower: list[str], i: int) -> bool:
    following = lower[i + 1] if i + 1 < len(lower) else ""
    return (i > 0 and lower[i - 1] in _BEFORE_PRONOUN) or not following or following in _AFTER_PRONOUN


def clock_number(word: str) -> int | None:
    """The hour or minute that a word or digits say."""
    parts = word.lower().split("-")
    if word.isdigit():
        return int(word)
    known = [_SMALL.get(part, _TENS.get(part)) for part in parts]
    return sum(value for value in known if value is not None) if None not in known else None
