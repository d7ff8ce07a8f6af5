"""The rows and columns of the figure that a sentence names, each as often as it does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

from evpv.language.immutable import immutable
from evpv.language.lexicon import CUES, GENERAL_NOUNS, ORDINALS, SYNONYMS
from evpv.language.tokens import Token, name_stems, tokens
from evpv.premises.mentions import Axis, Mention
from evpv.premises.statements.grid import Grid

_AxisName = Literal["row", "column"]
_GAP = 4
"""So many words on, two words of one name still belong together."""


@immutable
class Name:
    """A row or column that is named at these tokens."""

    axis: _AxisName
    name: str
    first: int
    last: int
    places: frozenset[int]
    whole: bool
    loose: bool = False


def names_said(found: tuple[Token, ...], words: Sequence[str], grid: Grid) -> tuple[Name, ...]:
    """The names that a sentence says, each as often as it does; of two at the same words the more complete one."""
    index = {token.start: i for i, token in enumerate(found)}
    said = [*_exact_names(found, grid), *said_names(grid.model.rows, "row", found, index, words)]
    if len(grid.columns) > 1:
        said += said_names(grid.model.columns, "column", found, index, words)
    kept: list[Name] = []
    for name in sorted(said, key=lambda n: (not n.whole, -len(n.places), n.axis == "column")):
        if not any(name.places <= other.places or _leans_on(name, other) for other in kept):
            kept.append(name)
    if any(name.axis == "column" and name.whole for name in kept):
        kept = [name for name in kept if name.axis == "row" or name.whole or _has_first_word(name, found)]
    if not any(name.axis == "row" for name in kept):
        kept += _counted(grid.model.rows.by_count(found, "row"), "row", index)
    if not any(name.axis == "column" for name in kept) and len(grid.columns) > 1:
        kept += _counted(grid.model.columns.by_count(found, "column"), "column", index)
    kept += _ones(found, words, grid, {i for name in kept for i in name.places})
    kept += _every(found, words, grid)
    kept += _quarters(words, grid, {i for name in kept for i in name.places if name.whole})
    kept += _loose_names(found, grid, {i for name in kept for i in range(name.first, name.last + 1)})
    return tuple(sorted(kept, key=lambda name: name.first))


def _has_first_word(name: Name, found: Sequence[Token]) -> bool:
    """Whether a name said in part is said by what tells it apart: “child” of Child fare, not “books” of Children's books."""
    first = next((token.stem for token in tokens(name.name) if token.is_content), "")
    return any(found[i].stem == first for i in name.places)


def _ones(found: Sequence[Token], words: Sequence[str], grid: Grid, taken: set[int]) -> Iterator[Name]:
    """“One sibling”, where a row is 1: elsewhere “one” is more often a pronoun."""
    if "1" not in grid.rows:
        return
    for i, word in enumerate(words[:-1]):
        if word == "one" and i not in taken and found[i + 1].stem in grid.heads:
            yield Name(axis="row", name="1", first=i, last=i, places=frozenset({i}), whole=True)


def _every(found: Sequence[Token], words: Sequence[str], grid: Grid) -> Iterator[Name]:
    """“Each term”, which names every term of a sequence."""
    for i, word in enumerate(words[:-1]):
        if word in ("each", "every") and found[i + 1].stem in grid.shared:
            places = frozenset({i + 1})
            for row in grid.line_rows:
                yield Name(axis="row", name=row, first=i + 1, last=i + 1, places=places, whole=True)


def _axes(grid: Grid) -> tuple[tuple[_AxisName, tuple[str, ...]], ...]:
    """The rows, and the columns where there are several."""
    return ("row", grid.rows), ("column", grid.columns if len(grid.columns) > 1 else ())


def _exact_names(found: Sequence[Token], grid: Grid) -> Iterator[Name]:
    """Names of several words, up to their bracket, that are said word by word: “100 m” of 100 m (s), “eighth grade” of 8th grade."""
    said = [_plain_stem(token) for token in found]
    for axis, names in _axes(grid):
        for name in names:
            core = [_plain_stem(t) for t in tokens(name[: name.find("(")] if name.find("(") > 0 else name)]
            if len(core) < 2:
                continue
            for i in range(len(said) - len(core) + 1):
                if said[i] == core[0] and said[i : i + len(core)] == core:
                    last = i + len(core) - 1
                    yield Name(
                        axis=axis, name=name, first=i, last=last, places=frozenset(range(i, last + 1)), whole=True
                    )


def _plain_stem(token: Token) -> str:
    """A token's stem, ordinals as their number."""
    if token.lower in ORDINALS:
        return str(ORDINALS[token.lower])
    if token.lower[:-2].isdecimal() and token.lower[-2:] in ("st", "nd", "rd", "th"):
        return token.lower[:-2]
    return token.stem


def _quarters(words: Sequence[str], grid: Grid, taken: set[int]) -> Iterator[Name]:
    """“The third quarter of 2019” where a name is Q3 '19 or Q3 2019."""
    for axis, names in _axes(grid):
        for name, (quarter, year) in ((name, _quarter(name)) for name in names):
            if not quarter:
                continue
            for i, word in enumerate(words[:-1]):
                if ORDINALS.get(word) != quarter or words[i + 1] not in ("quarter", "quarters") or i in taken:
                    continue
                years = [
                    k
                    for k in range(max(0, i - 6), min(len(words), i + 6))
                    if words[k].isdecimal() and len(words[k]) == 4
                ]
                if year and not any(words[k].endswith(year) for k in years):
                    continue
                places = frozenset({i, i + 1, *(k for k in years if year and words[k].endswith(year))})
                yield Name(axis=axis, name=name, first=i, last=i + 1, places=places, whole=True)


def _quarter(name: str) -> tuple[int, str]:
    """The quarter of a name such as Q3 '19, and the last digits of its year."""
    words = name.lower().replace("'", " ").replace("\u2019", " ").split()
    quarter = next((int(w[1]) for w in words if len(w) == 2 and w[0] == "q" and w[1].isdigit()), 0)
    return quarter, next((w for w in words if w.isdecimal() and len(w) in (2, 4)), "")


def _loose_names(found: Sequence[Token], grid: Grid, taken: set[int]) -> Iterator[Name]:
    """Words that are akin to one of only one name: “Hungarians” of Hungary, “wins” of Won, “rail” of Railways."""
    for i, token in enumerate(found):
        if i in taken or not token.is_content_word or len(token.stem) < 3 or token.lower in _NO_NAMES:
            continue
        hits = [
            (axis, name)
            for axis, names in _axes(grid)
            for name, own in own_words(names)
            if any(are_akin(token.stem, word) for word in own)
        ]
        if len(hits) == 1:
            (axis, name) = hits[0]
            places = frozenset({i})
            yield Name(axis=axis, name=name, first=i, last=i, places=places, whole=False, loose=True)


_NO_NAMES = frozenset(
    word
    for tag in ("more", "less", "most", "least", "rises", "falls")
    for word in CUES[tag].split("|")
    for word in word.split()
)


@lru_cache(maxsize=256)
def own_words(names: tuple[str, ...]) -> tuple[tuple[str, frozenset[str]], ...]:
    """The names with the words that no other has."""
    stems = [name_stems(name) for name in names]
    many = Counter(word for one in stems for word in one)
    return tuple(
        (name, frozenset(w for w in one if many[w] == 1 and len(w) > 2 and w.isalpha() and w not in GENERAL_NOUNS))
        for name, one in zip(names, stems, strict=True)
    )


@lru_cache(maxsize=8192)
def are_akin(said: str, known: str) -> bool:
    """Whether two words are of one root, one is part of the other, or they mean the same."""
    if said in SYNONYMS and known in SYNONYMS and SYNONYMS[said] & SYNONYMS[known]:
        return True
    short, long = sorted((said, known), key=len)
    if len(short) < 4:
        return False
    shared = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if shared >= max(4, len(short) - 1) and len(long) - shared <= 5:
        return True
    return len(short) > 4 and long.endswith(short)


def _leans_on(name: Name, other: Name) -> bool:
    """Whether a name that is said in part only goes on with one said whole: the “costs” of “energy costs” are no staff costs."""
    beside = name.first == other.last + 1 or name.last == other.first - 1
    return beside and other.whole and not name.whole and name.axis == other.axis


def _counted(mentions: Sequence[Mention], axis: _AxisName, index: dict[int, int]) -> list[Name]:
    return [_name(mention, axis, [index[start] for start in mention.tokens]) for mention in mentions]


def _name(mention: Mention, axis: _AxisName, places: Sequence[int]) -> Name:
    return Name(
        axis=axis,
        name=mention.name,
        first=min(places),
        last=max(places),
        places=frozenset(places),
        whole=mention.coverage >= 0.999,
    )


def said_names(
    axis: Axis, kind: _AxisName, found: Sequence[Token], index: dict[int, int], words: Sequence[str]
) -> Iterator[Name]:
    """Every mention of an axis' names, the repeated ones too."""
    left = list(found)
    for _ in range(6):
        fresh: list[Name] = []
        for mention in axis.mentions(left):
            places = sorted(index[start] for start in mention.tokens)
            close = _cluster(places, index[mention.position], words)
            if len(close) < len(places):
                inner = axis.mentions([found[i] for i in close])
                if not any(one.name == mention.name for one in inner):
                    continue
            fresh.append(_name(mention, kind, close))
        if not fresh:
            return
        yield from fresh
        used = {place for name in fresh for place in name.places}
        left = [token for token in left if index[token.start] not in used]


_APART = frozenset("than while but whereas ; ( ) has have had is are was were".split())


def _cluster(places: Sequence[int], at: int, words: Sequence[str]) -> list[int]:
    """Those of some places that stand together with one of them."""
    group: list[int] = []
    for place in places:
        if group and (place - group[-1] > _GAP or _APART & {*words[group[-1] + 1 : place]}):
            if at in group:
                return group
            group = []
        group.append(place)
    return group if at in group else [at]
