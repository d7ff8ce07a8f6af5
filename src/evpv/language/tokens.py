"""A plain text as tokens: words with their stems, numbers, signs and commas, and the cues of the lexicon found in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from evpv.language.lexicon import ALIASES, CUES, IRREGULAR_STEMS, ORDINALS, STOP_WORDS

_NUMERAL = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:(?:st|nd|rd|th)(?![a-z]))?"
_TOKEN = re.compile(
    r"i\.e\.|e\.g\.|U\.\s?S\.(?:\s?A\.)?|U\.\s?K\.?(?![a-z])"
    r"|[^\W\d_]+(?:'(?!s\b)[^\W\d_]+)?(?:'s\b)?"
    rf"|-(?<=[\s(=|]-)(?=[\d,.]++(?![a-z])){_NUMERAL}|{_NUMERAL}"
    r"|[<>+%=≈≅≠≤≥∥⟂∠△⊙√°$€£¥¢/*×·÷^~→-]|[.,;:!?()\[\]\"|&]",
    re.UNICODE,
)
_PUNCTUATION = frozenset('.,;:!?()[]"|')
_RANKED = frozenset(
    "highest largest greatest biggest most longest tallest lowest smallest least fewest shortest cheapest popular common place best worst oldest youngest priciest "  # noqa: E501
    "heaviest lightest fastest slowest busiest expensive".split()
)


class Token(NamedTuple):
    """A word, number or sign: as it stands (`text`), by what it is known (`stem`), and where. A tuple because every word makes one."""

    text: str
    stem: str
    lower: str
    start: int
    end: int

    @property
    def is_number(self) -> bool:
        return self.stem[-1].isdigit()

    @property
    def is_word(self) -> bool:
        return self.stem[0].isalpha()

    @property
    def is_content(self) -> bool:
        """Whether it could name something."""
        if self.stem[0].isalpha():
            return self.stem not in STOP_WORDS
        return self.stem[-1].isdigit() or self.stem in "<>+%"

    @property
    def is_content_word(self) -> bool:
        return self.stem[0].isalpha() and self.stem not in STOP_WORDS


class Cue(NamedTuple):
    """A phrase of the lexicon at tokens `first` … `last`; a tuple because every other word makes one."""

    tag: str
    words: str
    first: int
    last: int


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """A word without plural or possessive ending; numbers without separators; one spelling for one meaning.

    >>> [stem(w) for w in ("Ferries", "boxes", "Mario's", "1,090", "classes", "gas", "Jan")]
    ['ferry', 'box', 'mario', '1090', 'class', 'gas', 'january']
    """
    word = word.lower()
    if word[0].isdigit() or (word[0] == "-" and len(word) > 1):
        word = word.replace(",", "")
        return word.rstrip("0").rstrip(".") if "." in word else word
    if word[:2] == "u.":
        return "uk" if "k" in word else "us"
    word = word.removesuffix("'s").removesuffix("'")
    if word in IRREGULAR_STEMS or len(word) < 4:
        return IRREGULAR_STEMS.get(word, word)
    return _singular(word)


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return IRREGULAR_STEMS.get(word[:-1], word[:-1])
    return word


@lru_cache(maxsize=256)
def tokens(text: str) -> tuple[Token, ...]:
    """The tokens of a plain text, in order; names of several words that have a short form are one token."""
    found = [_tuple(Token, _spellings(match[0]) + match.span()) for match in _TOKEN.finditer(text)]
    if _RESPELLED.isdisjoint([token.lower for token in found]):
        return tuple(found)
    return tuple(_with_ordinals(_with_open_ends([*_with_aliases(found)])))


_tuple = tuple.__new__
"""Makes a token in half the time that its own constructor takes."""


@lru_cache(maxsize=16384)
def _spellings(word: str) -> tuple[str, str, str]:
    """A token's text, by what it is known, a single capital, which may be a point, as it stands; and its lower case."""
    return word, word if len(word) == 1 and word.isupper() else stem(word), word.lower()


_ALIAS_STARTS: dict[str, list[tuple[tuple[str, ...], str]]] = {}
for _phrase, _name in sorted(ALIASES.items(), key=lambda pair: -len(pair[0])):
    _words = tuple(_phrase.split())
    _ALIAS_STARTS.setdefault(_words[0], []).append((_words, _name))


def _with_aliases(found: list[Token]) -> Iterator[Token]:
    index = 0
    while index < len(found):
        here = found[index]
        for words, name in _ALIAS_STARTS.get(here.lower, ()):
            span = found[index : index + len(words)]
            if len(span) == len(words) and all(t.lower == w for t, w in zip(span, words, strict=True)):
                names = name.split()
                for place, part in enumerate(names):
                    at = span[min(place, len(span) - 1)]
                    yield at._replace(stem=part, end=span[-1].end if place == len(names) - 1 else at.end)
                index += len(words)
                break
        else:
            yield here
            index += 1


def _with_ordinals(every: list[Token]) -> list[Token]:
    """“The first term” is term 1; “the third highest” is a rank; and “one” is 1 where it counts (“15 with one”), not where it stands for a
    thing (“the one for Romania”)."""
    lower = [*(token.lower for token in every), "", ""]
    for index, token in enumerate(every):
        word, following, after = lower[index : index + 3]
        spelled = _SPELLED.get(word)
        if word == "one":
            counts = lower[index - 1] in _BEFORE_ONE and following not in ("of", "about", "that", "which")
            spelled = spelled if counts else None
        elif word in ORDINALS and not ({following, after} & _RANKED or following in ("-", "most")):
            spelled = str(ORDINALS[word])
        if spelled is not None:
            every[index] = token._replace(stem=spelled)
    return every


_SPELLED = {
    word: str(value)
    for value, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
}
_RESPELLED = frozenset(
    {*(max(phrase.split(), key=len) for phrase in ALIASES), *_SPELLED, *ORDINALS, "over", "older", "above", "up"}
)
"""The words without one of which a text's tokens are those that stand in it."""
_BEFORE_ONE = frozenset("with for exactly had have has only least most to".split())


def _with_open_ends(every: list[Token]) -> list[Token]:
    """“70 and over”, “65 or older” are 70+ and 65+."""
    lower = [*(token.lower for token in every), ""]
    kept: list[Token] = []
    index = 0
    while index < len(every):
        if (
            lower[index] in ("and", "or")
            and lower[index + 1] in ("over", "older", "above", "up")
            and kept
            and kept[-1].is_number
        ):
            kept.append(Token("+", "+", "+", every[index].start, every[index + 1].end))
            index += 2
        else:
            kept.append(every[index])
            index += 1
    return kept


_CUE_STARTS: dict[str, list[tuple[tuple[str, ...], str, str]]] = {}
for _tag, _phrases in CUES.items():
    for _one in _phrases.split("|") if "|" in _phrases else _phrases.split():
        _parts = tuple(part for word in _one.split() for part in word.replace("-", " - ").split())
        _CUE_STARTS.setdefault(_parts[0], []).append((_parts, _tag, _one))
for _entries in _CUE_STARTS.values():
    _entries.sort(key=lambda entry: -len(entry[0]))


def cues(found: Sequence[Token]) -> tuple[Cue, ...]:
    """The cues of a token sequence. A phrase may carry several tags ("more than" bounds and compares): all are given."""
    hits: list[Cue] = []
    lower = tuple(map(attrgetter("lower"), found))
    for index in [place for place, word in enumerate(lower) if word in _CUE_STARTS]:
        for words, tag, phrase in _CUE_STARTS[lower[index]]:
            stop = index + len(words)
            if lower[index:stop] != words or _is_other_use(phrase, found, index, stop):
                continue
            if not any(h.tag == tag and h.first <= index <= h.last for h in hits[-6:]):
                hits.append(Cue(tag, phrase, index, stop - 1))
    return tuple(hits)


def _is_other_use(phrase: str, found: Sequence[Token], first: int, stop: int) -> bool:
    """Whether a phrase is no cue here: “in all cases”, the minutes of “5 min”, “her favorite”."""
    match phrase:
        case "in all":
            return stop < len(found) and found[stop].stem[0].isalnum()
        case "min" | "max":
            return first > 0 and found[first - 1].is_number
        case "favorite" | "favourite":
            return first > 0 and found[first - 1].lower in ("their", "his", "her", "my", "as")
    return False


def content_stems(text: str) -> frozenset[str]:
    """The stems that carry meaning.

    >>> sorted(content_stems("The number of Mario's pizzas on Friday was 1,090"))
    ['1090', 'friday', 'mario', 'pizza']
    """
    return frozenset(token.stem for token in tokens(text) if token.is_content)


@lru_cache(maxsize=16384)
def name_stems(name: str) -> frozenset[str]:
    """The stems by which a row or column is known; stop words only if it has no others."""
    every = [token.stem for token in tokens(name) if token.stem not in _PUNCTUATION]
    return frozenset(s for s in every if s not in STOP_WORDS and (s[-1].isalnum() or s in "<>+%")) or frozenset(every)
