"""A sentence with what it names and states: rows and columns of the figure, numbers that are no names, and the words of relation.

Everything later looks at these marks and never again at the text. Names are found first, because they take words that would otherwise be
numbers (the year 2019) or relations (“Max Bell”); numbers next, since some words relate only where none follows (“above Gallia”).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Protocol

from evpv.language.amounts import Sentence
from evpv.language.equations import calculated_spans, equations
from evpv.language.immutable import remembering
from evpv.language.lexicon import CUES, ORDINALS
from evpv.language.tokens import Cue, Token, cues, tokens
from evpv.premises.statements.grid import Grid, is_known
from evpv.premises.statements.names import AGE_GROUPS, Name, axis_names, names_in
from evpv.premises.statements.numbers import StatedNumber, counts_times, stated_numbers

_MAX_TOKENS = 300


class _Span(Protocol):
    @property
    def first(self) -> int: ...
    @property
    def last(self) -> int: ...


@remembering
class Marked:
    """A sentence, marked; `calculated` are the stretches of text that calculate, `absent` the numbers that would name a row but name none."""

    text: str
    tokens: tuple[Token, ...]
    words: tuple[str, ...]
    names: tuple[Name, ...]
    numbers: tuple[StatedNumber, ...]
    cues: tuple[Cue, ...]
    calculated: tuple[tuple[int, int], ...]
    absent: frozenset[int] = frozenset()

    def word(self, index: int) -> str:
        """The word at a place in lower case; "" beyond the ends."""
        return self.words[index] if 0 <= index < len(self.words) else ""

    def before(self, span: _Span) -> str:
        """The word right before a name, number or cue."""
        return self.word(span.first - 1)

    def after(self, span: _Span) -> str:
        """The word right after a name, number or cue."""
        return self.word(span.last + 1)

    @cached_property
    def name_places(self) -> frozenset[int]:
        """Where the names stand, with the words inside them."""
        return frozenset(i for name in self.names for i in range(name.first, name.last + 1))


def mark_sentence(text: str, grid: Grid) -> Marked:
    """The marks of one plain sentence."""
    found = tokens(text)[:_MAX_TOKENS]
    text = text[: found[-1].end] if found else ""
    words = tuple(token.lower for token in found)
    formulas = equations(text, found)
    blocked = calculated_spans(text, found, formulas)
    names, silent = _names_said(found, words, blocked, grid)
    said = tuple(cue for cue in cues(found) if not _is_in_name(cue, names, words))
    sentence = Sentence(text, found, said, (), formulas, [], set(), words)
    inside = ((found[i].start, found[i].end) for name in silent for i in name.places if found[i].is_number)
    numbers, absent = stated_numbers(sentence, names, [*blocked, *inside], grid)
    related = (*_own_cues(sentence.cues), *_more_cues(words, names), *_cues_beside_names(words, names, numbers))
    kept = tuple(_as_meant(cue, names) for cue in related if _relates(cue, names + silent, found, words, grid))
    return Marked(
        text=text,
        tokens=found,
        words=words,
        names=names,
        numbers=numbers,
        cues=kept,
        calculated=tuple(blocked),
        absent=absent,
    )


def _names_said(
    found: tuple[Token, ...], words: Sequence[str], blocked: Sequence[tuple[int, int]], grid: Grid
) -> tuple[tuple[Name, ...], tuple[Name, ...]]:
    """The names, none of which is an operand; and those of an only column, which say nothing that is not known and whose numbers are none:
    “the 25-34 age group”."""
    operands = {i for a, b in blocked for i, t in enumerate(found) if a <= t.start < b and t.is_number}
    names = tuple(name for name in names_in(found, words, grid) if name.first not in operands)
    return names, tuple(axis_names(grid.model.columns, "column", found, words)) if len(grid.columns) == 1 else ()


# Words of relation.


def _is_in_name(cue: Cue, names: Sequence[Name], words: Sequence[str]) -> bool:
    """Whether a cue is part of a name, or is one: “the oldest”, where a row is 65 and older."""
    span = set(range(cue.first, cue.last + 1))
    own = [name for name in names if span <= name.places]
    aged = cue.words in AGE_GROUPS and any(letter.isdecimal() for name in own for letter in name.name)
    return aged or any(all(words[i] in name.name.lower().replace("-", " ").split() for i in span) for name in own)


_DETERMINING = frozenset("the a an this its their despite of and , from by - including".split())
_SHAPES = frozenset(
    "trend pattern trajectory tendency phase curve line number share rate value level order age".split()
)


def _relates(cue: Cue, names: Sequence[Name], found: Sequence[Token], words: Sequence[str], grid: Grid) -> bool:
    """Whether a cue says something: it is no part of a name (“Max Bell”, “No change”) and no “eight times” that only counts."""
    if cue.tag in ("times", "twice") and counts_times(words, cue.last, [i for n in names for i in n.places]):
        return False
    if _is_in_name(cue, names, words):
        return False
    return cue.tag not in ("rises", "falls") or _is_movement_known(cue, names, found, grid)


def _is_movement_known(cue: Cue, names: Sequence[Name], found: Sequence[Token], grid: Grid) -> bool:
    """Whether a movement does not only describe what the figure does not have: “the growing popularity of streaming”, “the rise of new
    powers”."""
    places = _described_places(cue, found)
    content = [found[i] for i in places if found[i].is_content]
    if not content or any(places & name.places for name in names):
        return True
    return any(t.is_number or t.lower in _SHAPES or is_known(t.stem, grid) for t in content)


def _described_places(cue: Cue, found: Sequence[Token]) -> frozenset[int]:
    """Where stands what a movement describes; nowhere, if it is said of a subject."""
    before = found[cue.first - 1].lower if cue.first else ""
    after = range(cue.last + 1, min(cue.last + 4, len(found)))
    if before not in _DETERMINING or not after or cue.first != cue.last:
        return frozenset()
    if cue.words.endswith("ing"):
        return frozenset(i for i in after[:2] if found[i].is_word)
    return frozenset(after[1:] if before == "the" and found[after[0]].lower == "of" else ())


def _own_cues(found: Sequence[Cue]) -> list[Cue]:
    """Cues without movements that are only part of a sum: “adds up to”."""
    sums = {i for cue in found if cue.tag == "total" and cue.last > cue.first for i in range(cue.first, cue.last + 1)}
    return [cue for cue in found if cue.tag not in ("rises", "falls") or cue.first not in sums]


def _as_meant(cue: Cue, names: Sequence[Name]) -> Cue:
    """“Peru leads Chile” ranks nothing: it holds one against the other."""
    other = next((n for n in names if n.first - cue.last == 1), None) if cue.words in ("leads", "led") else None
    of_two = other and any(n.axis == other.axis and n.last < cue.first and n.name != other.name for n in names)
    return cue._replace(tag="beats") if of_two else cue


_BESIDE = {"above": "beats", "below": "trails", "over": "beats", "under": "trails"}
_HELD_AGAINST = frozenset("that those the it either both them its their his her".split())
_MEASURING = frozenset("is was well".split())
"""“Is above that” measures, and holds against nothing."""


def _cues_beside_names(words: Sequence[str], names: Sequence[Name], numbers: Sequence[StatedNumber]) -> Iterator[Cue]:
    """“Stands below Gallia”, “above the 2018 level”: held against what is named, where the pronoun or article after it did not make it a
    cue already."""
    for i, word in enumerate(words):
        name = next((n for n in names if 0 < n.first - i <= 2), None) if word in _BESIDE else None
        if name is None or any(i < n.first <= name.first for n in numbers):
            continue
        if _MEASURING.issuperset(words[max(0, i - 1) : i]) or words[i + 1] not in ("that", "those", "the", "it"):
            yield Cue(_BESIDE[word], word, i, i)


_MORE_CUES = {
    "lost": "falls", "loses": "falls", "ahead": "beats", "farthest": "most", "furthest": "most", "joint": "same", "shared": "same",
}  # fmt: skip
_PAIRS = {
    **{f"{how} {what}": "rises" for how in ("steady", "continuous", "constant") for what in ("growth", "increase", "rise", "climb")},
    **{f"{how} {what}": "falls" for how in ("steady", "continuous", "constant") for what in ("decline", "decrease", "fall", "drop")},
    **{f"{how} up": "rises" for how in "gone edged crept inched back ticked nudged bounced".split()},
    **{f"{how} down": "falls" for how in "gone edged crept inched back ticked nudged bounced".split()},
    **{f"{be} down": "falls" for be in ("is", "are", "was", "were")}, **{f"{be} up": "rises" for be in ("is", "are", "was", "were")},
    "between them": "total", "among them": "total",
}  # fmt: skip


_RELATING = ORDINALS.keys() | _MORE_CUES.keys() | _BESIDE.keys() | {pair.split()[0] for pair in _PAIRS}


def _more_cues(words: Sequence[str], names: Sequence[Name]) -> Iterator[Cue]:
    """Words of relation that are none where no figure is known: “lost riders”, “edged up”."""
    taken = {i for name in names for i in name.places}
    likely = {i for i, word in enumerate(words) if word in _RELATING or word.endswith("est")}
    for i in sorted(likely - taken):
        pair = " ".join(words[i : i + 2])
        if pair in _PAIRS and words[i + 2 : i + 3] != ("by",):
            yield Cue(_PAIRS[pair], pair, i, i + 1)
        elif tag := _more_tag(words, i):
            yield Cue(tag, words[i], i, i)


def _more_tag(words: Sequence[str], i: int) -> str:
    """The relation that one word says; "" if none."""
    word, following = words[i], words[i + 1] if i + 1 < len(words) else ""
    if _is_superlative(words, i) or _is_rank(words, i, following):
        return "most"
    if word in _BESIDE and i and words[i - 1] not in _MEASURING:
        return _BESIDE[word] if following in _HELD_AGAINST else ""
    return "" if (word, following) == ("ahead", "of") else _MORE_CUES.get(word, "")


_NO_SUPERLATIVES = frozenset(
    "forest interest harvest honest modest contest request suggest protest invest digest northwest southwest conquest manifest midwest budapest "
    "latest earliest nearest closest interests".split()
)
_KNOWN = frozenset(word for tag in ("most", "least") for phrase in CUES[tag].split("|") for word in phrase.split())
_BEFORE_SUPERLATIVE = frozenset("the its their his her - was is are were".split()) | ORDINALS.keys()
_BEFORE_RANK = frozenset(
    "is was are were comes came come ranks ranked rank takes took in finished placed lies sits stands a joint".split()
)
_AFTER_RANK = frozenset(
    ("", ",", ".", ";", ":", "with", "at", "and", "place", "overall", "(", "among", "behind", "but")
)
_NO_SUBJECT = frozenset("the a an and or of at on for to by from as than his her its their our this that it".split())


def _is_superlative(words: Sequence[str], i: int) -> bool:
    """“The leakiest”: a superlative that no list has."""
    word = words[i]
    if len(word) < 6 or not word.endswith("est") or word in _NO_SUPERLATIVES or word in _KNOWN:
        return False
    return i > 0 and words[i - 1] in _BEFORE_SUPERLATIVE


def _is_rank(words: Sequence[str], i: int, following: str) -> bool:
    """“Petrova is second with …”, “MapMate third”: a rank that is said of a subject."""
    if words[i] not in ORDINALS or following not in _AFTER_RANK or not i:
        return False
    before = words[i - 1]
    return before in _BEFORE_RANK or following == "place" or (before.isalpha() and before not in _NO_SUBJECT)
