"""The rows and columns of the figure that a sentence names, each as often as it does.

Most are found by the axis itself (`premises/mentions.py`: by the share of a name's words that are said). Here they are told apart where
several claim the same words, and those are added that an axis alone cannot know: by number, by quarter, by a word akin to theirs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Literal

from evpv.language.clock_times import said_times
from evpv.language.immutable import immutable
from evpv.language.lexicon import CUES, GENERAL_NOUNS, ORDINALS, SCALES, SYNONYMS
from evpv.language.quantities import UNIT_OF, quantities
from evpv.language.tokens import Token, name_stems, tokens
from evpv.premises.mentions import AxisNames, Mention
from evpv.premises.statements.grid import Grid, quarter_of

AxisName = Literal["row", "column"]
_GAP = 4
"""So many words on, two words of one name still belong together."""


@immutable
class Name:
    """A row or column that is named at these tokens; `whole` with all its words, `loose` by a word that is only akin to one of them."""

    axis: AxisName
    name: str
    first: int
    last: int
    places: frozenset[int]
    whole: bool
    loose: bool = False


def names_in(found: tuple[Token, ...], words: Sequence[str], grid: Grid) -> tuple[Name, ...]:
    """The names that a sentence says, each as often as it does; of two at the same words the more complete one."""
    kept = _best_names(found, words, grid)
    kept += _names_by_count(found, grid, {name.axis for name in kept})
    kept += _names_by_head(found, words, grid, _word_places(kept))
    kept += [*_numbered_names(found, words, grid, kept)]
    kept += _age_groups(words, grid)
    kept += [*_times_of_day(found, grid, kept)]
    kept += _quarters(words, grid, _word_places(name for name in kept if name.whole))
    loose = _loose_names(found, grid, set[int]().union(*(range(name.first, name.last + 1) for name in kept)))
    kept += [name for name in loose if not any(_yields_to(name, other, words) for other in kept)]
    return tuple(sorted((name for name in kept if not _names_nothing(name, words)), key=lambda name: name.first))


def _names_nothing(name: Name, words: Sequence[str]) -> bool:
    """Whether a country only says whose money is meant (“4,000 million US dollars”), a period a rate (“$20 an hour” is no Hours worked), “the
    other quarters” no Others, and “no more than” no 0."""
    first, said = name.first, words[name.first]
    before, after = "".join(words[first - 1 : first]), "".join(words[name.last + 1 : name.last + 2])
    if (said == "no" and after in ("more", "less", "fewer")) or _is_compared_otherwise(name, words):
        return True
    if name.axis == "column" and first == name.last and before in ("a", "an", "per"):
        return UNIT_OF.get(said, "") in _PERIODS and words[first - 2 : first - 1] != ("of",)
    if (said, name.name.lower()) == ("other", "others"):
        return before in ("the", "all", "every", "any", "no")
    return name.axis == "row" and after in ("dollar", "dollars", "pounds")


def _is_compared_otherwise(name: Name, words: Sequence[str]) -> bool:
    """Whether another comparative is said than the one by which a name begins: “more often” is not “Less often than usual”."""
    own = name.name.lower().split()
    said = _DEGREES.intersection(words[max(0, name.first - len(own)) : name.first])
    return bool(said) and not _DEGREES.isdisjoint(own[:1]) and said.isdisjoint(own[:1])


_DEGREES = frozenset("more less fewer most least".split())


_PERIODS = frozenset("hour day week year".split())


def _names_by_head(found: Sequence[Token], words: Sequence[str], grid: Grid, taken: set[int]) -> Iterator[Name]:
    """“Each term”, which names every term of a sequence; “one sibling”, where a row is 1: elsewhere “one” is more often a pronoun."""
    for i, word in enumerate(words[:-1]):
        head = found[i + 1].stem
        if word in ("each", "every") and head in grid.shared:
            for row in grid.line_rows:
                yield Name(axis="row", name=row, first=i + 1, last=i + 1, places=frozenset({i + 1}), whole=True)
        elif word == "one" and "1" in grid.rows and i not in taken and head in grid.heads:
            yield Name(axis="row", name="1", first=i, last=i, places=frozenset({i}), whole=True)


AGE_GROUPS = {"oldest": -1, "eldest": -1, "youngest": 0}
_BANDS = frozenset("- + to under over older above below and".split())


def _age_groups(words: Sequence[str], grid: Grid) -> Iterator[Name]:
    """“The oldest group” where rows, or columns, are ages from the youngest on: 18-29, 30-49, 50 and older."""
    said = [(i, AGE_GROUPS[word]) for i, word in enumerate(words) if word in AGE_GROUPS]
    for axis, names in _axes(grid) if said else ():
        if _are_bands(names):
            for i, place in said:
                yield Name(axis=axis, name=names[place], first=i, last=i, places=frozenset({i}), whole=True)


def _are_bands(names: Sequence[str]) -> bool:
    every = ({token.lower for token in tokens(name)} for name in names)
    return len(names) > 2 and all(_BANDS & one and any(map(str.isdecimal, one)) for one in every)


def _numbered_names(found: Sequence[Token], words: Sequence[str], grid: Grid, names: Sequence[Name]) -> Iterator[Name]:
    """“Lines 1, 4 and 6”, where rows are Line 1 (Red), Line 2 (Green) …: what the first number is said with, goes for the others too."""
    for name in names:
        head, number = found[name.first], name.first + 1
        if not (head.lower != head.stem and number in name.places and words[number].isdecimal()):
            continue
        line = grid.rows if name.axis == "row" else grid.columns
        alike = {said[1].text: one for one in line if (said := tokens(one))[0].stem == head.stem and len(said) > 1}
        for i in range(number + 1, len(words)):
            if words[i] in alike and words[i + 1 : i + 2] != ("%",):
                places = frozenset({name.first, i})
                yield Name(axis=name.axis, name=alike[words[i]], first=i, last=i, places=places, whole=True)
            elif words[i] not in (",", "and", "or", "&"):
                break


def _times_of_day(found: Sequence[Token], grid: Grid, names: Sequence[Name]) -> Iterator[Name]:
    """“At noon”, “at 6 p.m.”, “at nine in the evening”, where rows or columns are 12:00, 18:00 and 21:00."""
    known = {axis: times for axis, line in _axes(grid) if len(times := _line_of_times(line)) > 1}
    text = "".join(t.lower.rjust(t.end - before) for before, t in _after_each(found)) if known else ""
    taken = _word_places(name for name in names if name.whole)
    for start, end, time in said_times(text):
        places = frozenset(i for i, t in enumerate(found) if start <= t.start < end)
        for axis, times in known.items():
            if time in times and places and taken.isdisjoint(places):
                yield Name(axis=axis, name=times[time], first=min(places), last=max(places), places=places, whole=True)


def _after_each(found: Sequence[Token]) -> Iterator[tuple[int, Token]]:
    """The tokens, each with where the one before it ends."""
    return zip((0, *(token.end for token in found)), found, strict=False)


@lru_cache(maxsize=256)
def _line_of_times(names: tuple[str, ...]) -> dict[float, str]:
    """The names that are a time of day each, by their hours."""
    said = ((name, said_times(name.lower())) for name in names)
    return {found[0][2]: name for name, found in said if len(found) == 1 and len(quantities(name)) < 2}


def _word_places(names: Iterable[Name]) -> set[int]:
    """Where the words of names stand."""
    return {i for name in names for i in name.places}


def _names_by_count(found: tuple[Token, ...], grid: Grid, named: set[AxisName]) -> Iterator[Name]:
    """“Row 2”, “column B”, of an axis that is not named otherwise."""
    index = {token.start: i for i, token in enumerate(found)}
    for axis, names in _axes(grid) if any(token.lower in ("row", "column") for token in found) else ():
        known = grid.model.rows if axis == "row" else grid.model.columns
        for mention in known.by_count(found, axis) if names and axis not in named else ():
            yield _name(mention, axis, [index[at] for at in mention.tokens])


def _axes(grid: Grid) -> tuple[tuple[AxisName, tuple[str, ...]], ...]:
    """The rows, and the columns where there are several."""
    return ("row", grid.rows), ("column", grid.columns if len(grid.columns) > 1 else ())


def _best_names(found: tuple[Token, ...], words: Sequence[str], grid: Grid) -> list[Name]:
    """Names by their own words, without those that others claim with more right."""
    said = [*_exact_names(found, grid), *_last_numbered(found, grid), *axis_names(grid.model.rows, "row", found, words)]
    if len(grid.columns) > 1:
        said += axis_names(grid.model.columns, "column", found, words)
    kept: list[Name] = []
    for name in sorted(said, key=lambda n: (not n.whole, -len(n.places), n.axis == "column")):
        if not any(_yields_to(name, other, words) for other in kept):
            kept.append(name)
    whole = any(name.axis == "column" and name.whole for name in kept)
    return [name for name in kept if not whole or _has_first_word(name, found)]


def _yields_to(name: Name, other: Name, words: Sequence[str]) -> bool:
    """Whether a name stands at another's words, or is said in part only and goes on with one said whole: the “costs” of “energy costs” are no
    staff costs, and the North West of England is not the East of England."""
    after = other.last + (2 if words[other.last + 1 : other.last + 2] == ("of",) else 1)
    beside = name.first in (other.last + 1, after) or name.last == other.first - 1
    partly = not name.whole or len(name.places) < len(name_stems(name.name))
    return (beside and other.whole and partly and name.axis == other.axis) or name.places <= other.places


def _has_first_word(name: Name, found: Sequence[Token]) -> bool:
    """Whether a column said in part is said by what tells it apart: “child” of Child fare, not “books” of Children's books."""
    first = next((token.stem for token in tokens(name.name) if token.is_content), "")
    return name.axis == "row" or name.whole or any(found[i].stem == first for i in name.places)


# Names by their own words.


def axis_names(axis: AxisNames, kind: AxisName, found: Sequence[Token], words: Sequence[str]) -> Iterator[Name]:
    """Every mention of an axis' names, the repeated ones too; those of its words that stand together must still say the name."""
    left, index = found, {token.start: i for i, token in enumerate(found)}
    for _ in range(6):
        fresh: list[Name] = []
        for one in axis.mentions(left):
            places = _close_places(one, index, words)
            if len(places) == len(one.tokens) or one.name in axis.named([found[i] for i in places]):
                fresh.append(_name(one, kind, places))
        if not fresh:
            return
        yield from fresh
        used = _word_places(fresh)
        left = [token for token in left if index[token.start] not in used]


def _name(mention: Mention, axis: AxisName, places: Sequence[int]) -> Name:
    return Name(
        axis=axis,
        name=mention.name,
        first=min(places),
        last=max(places),
        places=frozenset(places),
        whole=mention.coverage >= 0.999 or _is_all_but_initials(mention.name, len(places)),
    )


@lru_cache(maxsize=4096)
def _is_all_but_initials(name: str, said: int) -> bool:
    """Whether so many words are a name without its initials: “Okafor” of D. Okafor."""
    words = [token for token in tokens(name) if token.is_word]
    full = sum(len(token.text) > 1 for token in words)
    return 0 < full == said < len(words) and all(token.text[:1].isupper() for token in words)


_APART = frozenset("than while but whereas ; ( ) has have had is are was were".split())


def _close_places(mention: Mention, index: dict[int, int], words: Sequence[str]) -> list[int]:
    """Those places of a mention that stand together with its first."""
    at = index[mention.position]
    group: list[int] = []
    for place in sorted(index[start] for start in mention.tokens):
        gap = 1 if mention.name.isalnum() else _GAP
        if group and (place - group[-1] > gap or not _APART.isdisjoint(words[group[-1] + 1 : place])):
            if at in group:
                return group
            group = []
        group.append(place)
    return group if at in group else [at]


def _exact_names(found: Sequence[Token], grid: Grid) -> Iterator[Name]:
    """Names of several words, up to their bracket, that are said word by word: “100 m” of 100 m (s), “eighth grade” of 8th grade."""
    cores = [(axis, name, core) for axis, names in _axes(grid) for name, core in _cores(names)]
    said = tuple(map(_plain_stem, found)) if cores else ()
    for axis, name, core in cores:
        many = len(core)
        for i in range(len(said) - many + 1) if core[0] in said else ():
            if said[i : i + many] == core:
                places = frozenset(range(i, i + many))
                yield Name(axis=axis, name=name, first=i, last=i + many - 1, places=places, whole=True)


def _last_numbered(found: Sequence[Token], grid: Grid) -> Iterator[Name]:
    """“The last lap” where names are Lap 1, Lap 2 and so on."""
    for i, token in enumerate(found[:-1]):
        for axis, names in _axes(grid) if token.lower in ("last", "final") else ():
            series = [
                name for name, core in _cores(names) if core == (found[i + 1].stem, core[-1]) and core[-1].isdecimal()
            ]
            if len(series) > 1 and len(series) == len(names):
                yield Name(axis=axis, name=series[-1], first=i, last=i + 1, places=frozenset({i, i + 1}), whole=True)


@lru_cache(maxsize=256)
def _cores(names: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The names that have several words before their bracket, with the stems of these."""
    cores = ((name, name[: name.find("(")] if name.find("(") > 0 else name) for name in names)
    stems = ((name, tuple(_plain_stem(t) for t in tokens(core))) for name, core in cores)
    return tuple((name, core) for name, core in stems if len(core) > 1)


def _plain_stem(token: Token) -> str:
    """A token's stem, ordinals as their number."""
    if token.lower in ORDINALS:
        return str(ORDINALS[token.lower])
    if token.lower[:-2].isdecimal() and token.lower[-2:] in ("st", "nd", "rd", "th"):
        return token.lower[:-2]
    return token.stem


# Names by other words.


def _quarters(words: Sequence[str], grid: Grid, taken: set[int]) -> Iterator[Name]:
    """“The third quarter of 2019” where a name is Q3 '19 or Q3 2019; without a year the only name of that quarter."""
    for i, said in said_quarters(words):
        if not said or i in taken:
            continue
        named = _named_quarters(said, grid)
        for axis, name, year in named:
            years = _places_of_year(words, i, year)
            if years or not year or (len(named) == 1 and not names_no_quarter(words, i, said, grid)):
                places = frozenset({i, i + 1, *years})
                yield Name(axis=axis, name=name, first=i, last=i + 1, places=places, whole=True)


def _named_quarters(said: int, grid: Grid) -> list[tuple[AxisName, str, str]]:
    """The names of a quarter, each with the last digits of its year."""
    known = ((axis, name, *quarter_of(name)) for axis, names in _axes(grid) for name in names)
    return [(axis, name, year) for axis, name, quarter, year in known if quarter == said]


def _places_of_year(words: Sequence[str], at: int, year: str) -> list[int]:
    """Where the year of a quarter stands, if it is this one: the next after it, else the last before it."""
    back = at if {"that", "same"} & {*words[at + 2 : at + 5]} else 6  # “the first quarter of that year”
    every = [k for k in range(max(0, at - back), min(len(words), at + 6)) if _is_year(words[k])]
    nearest = [k for k in every if k > at][:1] or every[-1:]
    return [k for k in nearest if year and words[k].endswith(year)]


def _is_year(word: str) -> bool:
    return word.isdecimal() and len(word) == 4


def said_quarters(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where quarters are said, and which: “third quarter”, “third-quarter”, “Q3”."""
    for i, word in enumerate(words[:-1]):
        after = words[i + 1 : i + 3]
        if "quarter" in (after[0], after[-1] if after[0] == "-" else "") or after[0] == "quarters":
            yield i, 4 if word == "last" else ORDINALS.get(word, 0)
        elif word == "q" and after[0] in ("1", "2", "3", "4"):
            yield i, int(after[0])


def names_no_quarter(words: Sequence[str], at: int, said: int, grid: Grid) -> bool:
    """Whether the figure has quarters, but not the one that is said, or not that of the year right after it: “Q3 2023”."""
    known = [quarter_of(name) for _, names in _axes(grid) for name in names]
    years = [year for quarter, year in known if quarter == said]
    after = next(filter(_is_year, words[at + 2 : at + 4]), "")
    return any(quarter for quarter, _ in known) and not any(after.endswith(year) or not after for year in years)


_NO_NAMES = frozenset(
    word
    for tag in ("more", "less", "most", "least", "rises", "falls")
    for phrase in CUES[tag].split("|")
    for word in phrase.split()
)


def _loose_names(found: Sequence[Token], grid: Grid, taken: set[int]) -> Iterator[Name]:
    """Words that are akin to one of only one name: “Hungarians” of Hungary, “wins” of Won, “rail” of Railways."""
    axes = _axes(grid)
    for i, token in enumerate(found):
        word = token.lower
        if i in taken or len(token.stem) < 3 or word in _NO_NAMES or not token.is_content_word:
            continue
        hits = _akin_names(token.stem, axes) if word not in SCALES and word not in UNIT_OF else ()
        if len(hits) == 1:
            axis, name = hits[0]
            yield Name(axis=axis, name=name, first=i, last=i, places=frozenset({i}), whole=False, loose=True)


@lru_cache(maxsize=8192)
def _akin_names(said: str, axes: tuple[tuple[AxisName, tuple[str, ...]], ...]) -> tuple[tuple[AxisName, str], ...]:
    """The names that have a word of their own akin to one that is said."""
    own = ((axis, name, words) for axis, names in axes for name, words in _own_words(names))
    return tuple((axis, name) for axis, name, words in own if any(_are_akin(said, word) for word in words))


@lru_cache(maxsize=256)
def _own_words(names: tuple[str, ...]) -> tuple[tuple[str, frozenset[str]], ...]:
    """The names with the words that no other has."""
    stems = [name_stems(name) for name in names]
    many = Counter(word for one in stems for word in one)
    return tuple(
        (name, frozenset(w for w in one if many[w] == 1 and len(w) > 2 and w.isalpha() and w not in GENERAL_NOUNS))
        for name, one in zip(names, stems, strict=True)
    )


def _are_akin(said: str, known: str) -> bool:
    """Whether two words are of one root, one is part of the other, or they mean the same."""
    if said in SYNONYMS and known in SYNONYMS and SYNONYMS[said] & SYNONYMS[known]:
        return True
    short, long = sorted((said, known), key=len)
    if len(short) < 4:
        return False
    shared = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    begin_alike = shared >= max(4, len(short) - 1) and len(long) - shared <= 5
    return begin_alike or (len(short) > 4 and long.endswith(short))
