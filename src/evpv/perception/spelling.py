"""Known words in small print: of the spellings near to what was read, the one that the picture itself makes likeliest.

A recogniser that sees letters of four pixels says "Condsumption volume in mllion liters". It also says how likely every
other letter was at every place. A known word is taken where the picture bears it out nearly as well as what was read;
names that are no known words stay as they are.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_Table = NDArray[np.float32]
"""How likely each character is at each step of a line; column 0 is the blank of the CTC decoder."""

_LEAST_LETTERS = 4
_NOISE, _SURE = 0.5, 0.96  # of a line; below the one nothing can be spelt, above the other nothing is doubted
_LONGEST = 80  # signs of a line
_MOST_SPELLINGS = 16  # of one word
_FARTHEST, _FARTHEST_JOINED = 0.45, 0.25  # of the letters of a word, or of two pieces, that may have been misread
# What is known of words before looking, as powers of e: an unknown word is so much less likely by letter, a known one by
# its rank, and a recogniser is so much too sure of each letter it misread.
_PER_LETTER, _PER_RANK, _PER_EDIT = 1.0, 0.5, 2.0
_LEAST_LIKELY = 1e-5
_WORD = re.compile(r"\b[A-Za-z]?[a-z]+\b|\b[A-Z]{6,}\b")  # shorter capitals are points, codes and abbreviations


@lru_cache(maxsize=1)
def known_words() -> dict[str, float]:
    """The words that titles, names and legends of charts are made of, in small letters, with how rare they are.

    The file has the commonest first. As in any text, the n-th is about n times rarer than the first.
    """
    words = files("evpv.perception").joinpath("words.txt").read_text(encoding="utf-8").split()
    return {word: math.log(rank) for rank, word in enumerate(words, 1)}


def respell(text: str, confidence: float, table: _Table, characters: tuple[str, ...]) -> str:
    """The line with unknown words replaced by known ones, where the recogniser's table allows it.

    Lines that are noise or longer than titles and names are left alone: looking closer would cost more than reading.
    """
    spellings = _spellings(text) if len(text) <= _LONGEST and _NOISE < confidence < _SURE else []
    if not spellings:
        return text
    as_read, *likely = _likelihoods([text, *(one.put_in(text) for one in spellings)], table, characters)
    gains = [(one + each.prior - as_read, each) for one, each in zip(likely, spellings, strict=True)]
    taken: list[_Spelling] = []
    for gain, spelling in sorted(gains, reverse=True):
        if gain > 0 and not any(map(spelling.overlaps, taken)):
            taken.append(spelling)
    for spelling in sorted(taken, reverse=True):  # from the end, so that places before stay what they are
        text = spelling.put_in(text)
    return text


class _Spelling(NamedTuple):
    """A known word for a span of a line, and how much more likely it is before looking."""

    start: int
    end: int
    word: str
    prior: float

    def put_in(self, text: str) -> str:
        return text[: self.start] + self.word + text[self.end :]

    def overlaps(self, other: _Spelling) -> bool:
        return self.start < other.end and other.start < self.end


def _spellings(text: str) -> list[_Spelling]:
    """The nearest known words for every span of unknown ones."""
    found = []
    for start, end in _unknown_spans(text):
        read = text[start:end]
        letters = read.replace(" ", "").lower()
        near = _near_words(letters, _FARTHEST if letters == read.lower() else _FARTHEST_JOINED)
        for word, edits in sorted(near, key=lambda one: (one[1], known_words()[one[0]]))[:_MOST_SPELLINGS]:
            prior = _PER_LETTER * len(letters) + _PER_EDIT * edits - _PER_RANK * known_words()[word]
            found.append(_Spelling(start, end, _in_case_of(read, word), prior))
    return found


def _unknown_spans(text: str) -> list[tuple[int, int]]:
    """Where unknown words stand, and pairs of which one is unknown, for spaces are often seen within a word."""
    places = [match.span() for match in _WORD.finditer(text)]
    known = {place for place in places if text[slice(*place)].lower() in known_words()}
    pairs = [
        (left[0], right[1])
        for left, right in pairwise(places)
        if text[left[1] : right[0]] == " " and not known.issuperset((left, right))
    ]
    alone = sorted(set(places) - known)
    return [span for span in (*alone, *pairs) if len(text[slice(*span)].replace(" ", "")) >= _LEAST_LETTERS]


def _in_case_of(read: str, word: str) -> str:
    if read.isupper():
        return word.upper()
    return word.capitalize() if read[0].isupper() else word


def _likelihoods(texts: Sequence[str], table: _Table, characters: tuple[str, ...]) -> list[float]:
    """The logarithm of each text's probability over all ways to spread its characters over the steps, all at once.

    A space is no evidence: small letters stand apart as words do.
    """
    spaced = table.copy()
    spaced[:, 0] += table[:, characters.index(" ")]
    column = {character: index for index, character in enumerate(characters) if character != " "}
    letters = [[column.get(character, 0) for character in text if character != " "] for text in texts]
    states = np.zeros((len(texts), 2 * max(map(len, letters)) + 1), np.intp)  # blanks before, between and after
    for row, columns in enumerate(letters):
        states[row, 1 : 2 * len(columns) : 2] = columns
    leap = np.zeros(states.shape, bool)
    leap[:, 2:] = (states[:, 2:] != 0) & (states[:, 2:] != states[:, :-2])
    steps = np.log(np.maximum(spaced, _LEAST_LIKELY))
    sums = np.full(states.shape, -np.inf)
    sums[:, :2] = steps[0][states[:, :2]]
    for step in steps[1:]:
        before, skipped = np.full(states.shape, -np.inf), np.full(states.shape, -np.inf)
        before[:, 1:], skipped[:, 2:] = sums[:, :-1], sums[:, :-2]
        skipped[~leap] = -np.inf
        sums = np.logaddexp(np.logaddexp(sums, before), skipped) + step[states]
    ends = [2 * len(columns) for columns in letters]
    return [float(np.logaddexp(row[end], row[max(end - 1, 0)])) for row, end in zip(sums, ends, strict=True)]


@lru_cache(maxsize=1)
def _letter_counts() -> tuple[tuple[str, ...], NDArray[np.int16]]:
    words = tuple(sorted(word for word in known_words() if len(word) >= _LEAST_LETTERS))
    return words, np.array([_counts(word) for word in words])


def _counts(word: str) -> NDArray[np.int16]:
    return np.bincount([ord(letter) - ord("a") for letter in word], minlength=26).astype(np.int16)


def _near_words(read: str, farthest: float) -> list[tuple[str, int]]:
    """The known words that few letters tell from what was read, with the number of these."""
    words, counts = _letter_counts()
    most = max(1, round(farthest * len(read)))
    alike = np.flatnonzero(np.abs(counts - _counts(read)).sum(axis=1) <= 2 * most)
    near = [(words[index], _edits(read, words[index])) for index in alike.tolist()]
    return [(word, edits) for word, edits in near if edits <= most]


def _edits(one: str, other: str) -> int:
    """How many letters must be put in, left out or changed to make one word of another."""
    row = list(range(len(other) + 1))
    for count, letter in enumerate(one, 1):
        above, row[0] = row[0], count
        for place, wanted in enumerate(other, 1):
            above, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, above + (letter != wanted))
    return row[-1]
