"""Which names of a figure a phrase mentions: by the share of a name's words that are said, rare words counting most."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Literal

from evpv.language.immutable import immutable
from evpv.language.lexicon import DIMENSIONS, OPPOSITES, SCALES
from evpv.language.quantities import UNIT_OF
from evpv.language.tokens import Token, name_stems, tokens

_NAMED = {"rows": 0.6, "columns": 0.5, "flat": 0.5}
"""The share of a name's words, weighted by how much each tells it from other names, that a phrase must hold. Facts outside a table
have descriptions for names ("graph of f y-intercept"), which sentences rarely repeat whole."""
_COUSIN = {"rows": 0.75, "columns": 0.5, "flat": 0.75}
"""Two words are of one family when they begin alike for this share of the longer one. Rows are often proper names, where Austria is
not Australia; columns are common words, where opposition is to oppose."""
_BEGINNING = 5
"""So many letters words of one family have in common at the least."""


@immutable
class Mention:
    """A name that a phrase holds: where, in which of its tokens (by their start), and how completely."""

    name: str
    position: int
    tokens: frozenset[int]
    coverage: float

    @property
    def width(self) -> int:
        return max(self.tokens) - min(self.tokens)


@immutable
class AxisNames:
    """The names of rows or columns with their words, prepared once."""

    names: tuple[str, ...]
    kind: Literal["rows", "columns", "flat"]
    stems: tuple[frozenset[str], ...]
    frequency: dict[str, int]
    capital: frozenset[str]
    initials: dict[str, int]
    dimensions: tuple[frozenset[str], ...]
    families: dict[str, list[str]]
    weights: tuple[dict[str, float], ...]
    units: tuple[frozenset[str], ...]

    @classmethod
    def of(cls, names: Iterable[str], kind: Literal["rows", "columns", "flat"]) -> AxisNames:
        """The axis of these names, in order."""
        ordered = tuple(names)
        stems = tuple(map(name_stems, ordered))
        frequency = dict(Counter(itertools.chain.from_iterable(stems)))
        found = [*map(tokens, ordered)]
        units = tuple(map(_bracketed_unit, found))
        families: dict[str, list[str]] = {}
        for word in frequency:
            if len(word) >= _BEGINNING:
                families.setdefault(word[:_BEGINNING], []).append(word)
        return cls(
            names=ordered, kind=kind, stems=stems, frequency=frequency,
            capital=frozenset(t.stem for said in found for t in said if t.text[:1].isupper()),
            initials=_initials(found), dimensions=tuple(map(_dimensions, stems)), families=families,
            weights=tuple(_weights(words, unit, frequency) for words, unit in zip(stems, units, strict=True)), units=units,
        )  # fmt: skip

    def mentions(self, said: Sequence[Token]) -> tuple[Mention, ...]:
        """The names that tokens speak of, in the order they do; a name inside a longer named one is not meant."""
        places = self.places(said) if self.names else {}
        if not places:
            return ()
        texts = {token.start: token for token in said}
        said_of = [i for i, words in enumerate(self.stems) if not words.isdisjoint(places)]
        found = [m for i in said_of if (m := self._mention(i, places, texts))]
        found += self._by_initials(said, found)
        found = _outermost(found)
        if not found and self.kind == "flat":
            found = self._by_dimension(said)
        return tuple(sorted(_told_apart(found), key=lambda m: m.position))

    def named(self, said: Sequence[Token]) -> set[str]:
        """The names that tokens speak of."""
        return {mention.name for mention in self.mentions(said)}

    def places(self, said: Sequence[Token]) -> dict[str, list[int]]:
        """Where each word of the axis is said; words of one family stand for each other. Not said are the capital “A” that opens a phrase
        and is no name (“A bus seats 50”), and a word that says how many are meant and names no row 2 (“the two lines”)."""
        places: dict[str, list[int]] = {}
        names_zero, before = "0" in self.frequency, ""
        opens = said and said[0].text == "A" and self.kind != "flat" and frozenset("A") not in self.stems
        for token in said[1:] if opens else said:
            word, lead, before = token.stem, before, token.lower
            if names_zero and token.lower in ("no", "none", "zero"):
                places.setdefault("0", []).append(token.start)
            if word in self.frequency and not _counts_group(lead, token):
                places.setdefault(word, []).append(token.start)
        return {**self._relatives(said), **places}

    def _relatives(self, phrase: Sequence[Token]) -> dict[str, list[int]]:
        """Where words are said that begin with most of a word of the axis."""
        families: dict[str, list[Token]] = {}
        for token in phrase:
            if token.stem[:_BEGINNING] in self.families and not token.stem[0].isdigit():
                families.setdefault(token.stem[:_BEGINNING], []).append(token)
        alike, found = _COUSIN[self.kind], dict[str, list[int]]()
        for start, said in families.items():
            for word, token in itertools.product(self.families[start], said):
                pairs = enumerate(zip(token.stem, word, strict=False))
                shared = next((i for i, (a, b) in pairs if a != b), min(len(token.stem), len(word)))
                if shared >= alike * max(len(token.stem), len(word)):
                    found.setdefault(word, []).append(token.start)
        return found

    def _mention(self, index: int, places: dict[str, list[int]], texts: dict[int, Token]) -> Mention | None:
        hit = sorted(word for word in self.stems[index] if word in places)
        coverage = 1.0 if len(hit) == len(self.stems[index]) else self._coverage(index, hit, places, texts)
        if not coverage or not self._fits(index, texts):
            return None
        if coverage < 0.999 and self._is_modified_otherwise(index, hit, places, texts):
            return None
        lead = hit[0] if len(hit) == 1 else min(hit, key=lambda word: (self.frequency[word], len(places[word]), word))
        first = places[lead][0]
        spread = frozenset([min(places[word], key=lambda place: abs(place - first)) for word in hit])
        return Mention(name=self.names[index], position=first, tokens=spread, coverage=coverage)

    def _coverage(self, index: int, hit: list[str], places: dict[str, list[int]], texts: dict[int, Token]) -> float:
        """How much of a name a phrase says of which it says only a part; 0 if too little to mean it, as where a number of the name is not
        said, or the letter of a function where another one is. All of the several words that no other row has are enough."""
        if self._misses_what_tells(index, hit, places, texts):
            return 0.0
        weights = self.weights[index]
        coverage = math.fsum(weights[word] for word in hit) / math.fsum(weights.values())
        if coverage >= _NAMED[self.kind]:
            return coverage
        own = {word for word in weights if self.frequency[word] == 1} if self.kind == "rows" else set()
        says_its_own = len(own) > 1 and own.issubset(hit)
        return coverage if says_its_own or self._stands_alone(index, hit, places, texts) else 0.0

    def _misses_what_tells(
        self, index: int, hit: list[str], places: dict[str, list[int]], texts: dict[int, Token]
    ) -> bool:
        words, units, frequency = self.stems[index], self.units[index], self.frequency
        unsaid = words - places.keys()
        if any(word[-1].isdigit() for word in unsaid - units):
            return True
        if any(map(_is_function, unsaid)) and any(_is_function(token.stem) for token in texts.values()):
            return True
        return min(map(frequency.__getitem__, hit)) > min(map(frequency.__getitem__, words - units or words))

    def _is_modified_otherwise(
        self, index: int, hit: list[str], places: dict[str, list[int]], texts: dict[int, Token]
    ) -> bool:
        """Whether the phrase says another word where the name has one of its own: “weekly pass” for Day pass."""
        words = tokens(self.names[index])
        line = [texts[start] for start in sorted(texts)]
        at = {token.start: place for place, token in enumerate(line)}
        for left, right in itertools.pairwise(words):
            if right.stem in hit and left.is_content_word and left.stem not in places:
                place = at.get(places[right.stem][0], 0)
                if place and self._is_rival(line[place - 1], line[place], right, place == 1):
                    return True
        return _says_of_another(words, hit, places, line)

    def _is_rival(self, before: Token, head: Token, known: Token, opens: bool) -> bool:
        """A word right before the head noun that no name here has; one that opens the phrase may have a capital."""
        glued = 0 <= head.start - before.end <= 1 and head.text[:3].lower() == known.text[:3].lower()
        return (
            glued
            and before.is_content_word
            and (before.text.islower() or (opens and head.text.islower()))
            and before.stem not in self.frequency
            and not before.text.endswith(("ed", "ing", "'s"))
            and before.stem not in _PLAIN_MODIFIERS
        )

    def _stands_alone(self, index: int, hit: list[str], places: dict[str, list[int]], texts: dict[int, Token]) -> bool:
        """Whether one word of a longer name is enough: one that no other row has, and that opens the name without another capitalised word
        behind it, or is the only thing a noun phrase says."""
        for word in hit if self.kind == "rows" else ():
            token = texts.get(places[word][0])
            if token is None or self.frequency[word] > 1 or word[-1].isdigit() or len(word) < 3:
                continue
            if word not in self.capital:
                if self._is_lone_noun(token, index, texts):
                    return True
            elif token.text[:1].isupper():
                return not self._has_name_behind(token, texts)
        return False

    def _has_name_behind(self, token: Token, texts: dict[int, Token]) -> bool:
        behind = (t for t in texts.values() if t.start - token.end in (0, 1) and t.stem not in self.frequency)
        return any(_is_proper(t.text) for t in behind)

    def _is_lone_noun(self, token: Token, index: int, texts: dict[int, Token]) -> bool:
        """Whether no other noun stands beside a word."""
        beside = [t for t in texts.values() if t.end == token.start - 1 or t.start == token.end + 1]
        return not any(
            t.stem in self.frequency or (t.text[:1].islower() and not t.text.endswith(("s", "ed")))
            for t in beside
            if t.is_content_word and t.stem not in self.stems[index]
        )

    def _fits(self, index: int, texts: dict[int, Token]) -> bool:
        """For a fact known by a description: no other measure is said of it, and the proper names within it are said (“Height of Anna”;
        the capital of its beginning is none)."""
        if self.kind != "flat":
            return True
        stems = frozenset(token.stem for token in texts.values())
        said, known = _dimensions(stems), self.dimensions[index]
        if said and known and (not said & known or "slant" in said ^ known):
            return False
        return stems.issuperset(t.stem for t in tokens(self.names[index])[1:] if _is_proper(t.text))

    def _by_initials(self, said: Sequence[Token], found: Sequence[Mention]) -> list[Mention]:
        """“EMEA” for Europe, Middle East and Africa."""
        hits = []
        for token in said:
            place = self.initials.get(token.lower, -1) if token.text.isupper() and len(token.text) > 1 else -1
            at = token.start
            if place >= 0 and not any(at in m.tokens for m in found):
                hits.append(Mention(name=self.names[place], position=at, tokens=frozenset({at}), coverage=1.0))
        return hits

    def _by_dimension(self, said: Sequence[Token]) -> list[Mention]:
        """“The radius is 10 cm” where the figure has one radius: the measure alone says which fact is meant, unless it is said to be of
        something that is no word of its name."""
        wanted = {DIMENSIONS[t.stem]: t.start for t in said if t.stem in DIMENSIONS}
        names = [i for i, known in enumerate(self.dimensions) if known & set(wanted)]
        if not len(wanted) == len(names) == 1:
            return []
        others = {t.stem for t in said if t.is_content_word} - DIMENSIONS.keys() - _NOBODY - self.stems[names[0]]
        if others and not {"of", "for"}.isdisjoint(map(attrgetter("lower"), said[:-1])):
            return []
        place = next(iter(wanted.values()))
        return [Mention(name=self.names[names[0]], position=place, tokens=frozenset({place}), coverage=0.5)]

    def by_count(self, said: Sequence[Token], noun: str) -> tuple[Mention, ...]:
        """“Row 2, column B” of a table that names its rows and columns otherwise; the stub is column 1 or A."""
        names = self.names if noun == "row" else ("", *self.names)
        for token, following in itertools.pairwise(said):
            if token.lower != noun:
                continue
            single = len(following.text) == 1 and following.text.isupper()
            if not following.text.isdecimal() and not single:
                continue
            place = int(following.text) if following.text.isdecimal() else ord(following.text) - ord("A") + 1
            if 1 <= place <= len(names) and names[place - 1]:
                at = following.start
                return (Mention(name=names[place - 1], position=at, tokens=frozenset({at}), coverage=1.0),)
        return ()


_UNIT_WEIGHT = 0.25
"""A unit in brackets belongs to a name, but is rarely said with it."""


def _weights(words: frozenset[str], unit: frozenset[str], frequency: Mapping[str, int]) -> dict[str, float]:
    return {word: (_UNIT_WEIGHT if word in unit else 1.0) / frequency[word] for word in words}


def _initials(names: Sequence[Sequence[Token]]) -> dict[str, int]:
    """The names by the capitals of their words; -1 where several have the same."""
    found: dict[str, int] = {}
    for place, said in enumerate(names):
        letters = "".join(t.text[0] for t in said if t.is_content_word and t.text[0].isupper()).lower()
        if len(letters) >= 2:
            found[letters] = place if letters not in found else -1
    return found


def _dimensions(words: frozenset[str]) -> frozenset[str]:
    return frozenset(DIMENSIONS[word] for word in words & DIMENSIONS.keys())


def _bracketed_unit(name: Sequence[Token]) -> frozenset[str]:
    """The words of the “(mn)”, “(000 ecu)” or “(kg)” at the end of a name, where they are a unit or a scale."""
    bracket = [*itertools.dropwhile(lambda token: token.text != "(", name)]
    inside = [token for token in bracket[1:] if token.text != ")"]
    units = (t.lower in UNIT_OF or t.lower in SCALES or set(t.text) == {"0"} for t in inside)
    is_end = len(bracket) < len(name) and len(inside) <= 4
    return frozenset(token.stem for token in inside) if is_end and any(units) else frozenset()


_PLAIN_MODIFIERS = frozenset(
    "whole same total overall single other new average annual yearly monthly daily larger smaller bigger highest lowest largest smallest price sell cost".split()  # noqa: E501
)
_NOBODY = frozenset("figure diagram picture circle drawing it radius base".split())


def _says_of_another(
    words: Sequence[Token], hit: Sequence[str], places: Mapping[str, Sequence[int]], line: Sequence[Token]
) -> bool:
    """“Bag of buttons” for bag of feathers."""
    starts = [token.start for token in line]
    for left, middle, right in zip(words, words[1:], words[2:], strict=False):
        if middle.lower == "of" and left.stem in hit and right.is_content and right.stem not in places:
            following = line[starts.index(places[left.stem][0]) + 1 :]
            if len(following) > 1 and following[0].lower == "of" and following[1].is_content_word:
                return True
    return False


_GROUPING = frozenset("the these those all other".split())


def _counts_group(lead: str, token: Token) -> bool:
    return lead in _GROUPING and token.text.isalpha() and token.stem.isdecimal()


def _is_proper(word: str) -> bool:
    return word[:1].isupper() and word[1:].islower()


def _is_function(word: str) -> bool:
    """A one-letter name such as the f of “graph of f”."""
    return len(word) == 1 and word.isalpha() and word not in "axyAI"


def are_opposed(known: frozenset[str], said: frozenset[str]) -> bool:
    """Whether two sets of words stand on the two sides of an opposition, and neither on both."""
    for word in known & _OPPOSED.keys():
        for mine, other in _OPPOSED[word]:
            if said & other and not known & other and not said & mine:
                return True
    return False


_OPPOSED: dict[str, list[tuple[frozenset[str], frozenset[str]]]] = {}
for _left, _right in OPPOSITES:
    for _mine, _other in ((_left, _right), (_right, _left)):
        for _word in _mine:
            _OPPOSED.setdefault(_word, []).append((_mine, _other))


def _outermost(found: list[Mention]) -> list[Mention]:
    """The mentions without those inside others, or of the same words with less of the name; and without scattered ones."""
    kept = [one for one in found if not _is_scattered(one, found)]
    kept = [m for m in kept if not any(m.tokens < other.tokens for other in kept)]
    return [m for m in kept if not any(o.tokens == m.tokens and o.coverage > m.coverage for o in kept)]


def _is_scattered(one: Mention, found: Sequence[Mention]) -> bool:
    """Whether its words only stand far apart, inside other names: “soccer and tennis” in “only soccer than only tennis”."""
    if len(one.tokens) < 2 or one.width <= len(one.name) + 4:
        return False
    closer = (m.tokens for m in found if m.coverage >= 0.999 and m.width < one.width)
    return one.tokens <= frozenset().union(*closer)


def _told_apart(found: Sequence[Mention]) -> list[Mention]:
    """The mentions placed where each has a word of its own: “solar 2010” and “coal 2010” share the year, not the order."""
    placed = []
    for one in found:
        own = one.tokens.difference(*[other.tokens for other in found if other is not one])
        moved = own and min(own) != one.position
        placed.append(replace(one, position=min(own)) if moved else one)
    return placed
