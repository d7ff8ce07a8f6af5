"""Which rows and columns of a table or chart a sentence speaks of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from evpv.premises.matching.facts import Fact, Facts
from evpv.premises.normalize.words import STOP_WORDS, stem

NAMED = 0.6
"""A row is named when the sentence holds this share of its words, weighted by how much each tells it from other rows."""
COLUMN_NAMED = 0.5
FLAT_NAMED = 0.5
"""For facts outside a table, whose names are descriptions ("graph of f y-intercept") that sentences rarely repeat whole."""

COUSIN, COLUMN_COUSIN = 0.75, 0.5
"""Two words are of one family when they begin alike for this share of the longer one. Rows are often proper names, where
Austria is not Australia; columns are common words, where opposition is to oppose."""

_TOKEN = re.compile(
    r"(?:(?<=[\s(=])-)?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)|[^\W\d_]+(?:'[^\W\d_]+)?|[<>+%]", re.UNICODE
)
_ALIASES = (
    (re.compile(r"\bU\.\s?S\.?A?\.?(?=\W|$)|\bUnited States(?: of America)?\b|\bUSA\b"), "US"),
    (re.compile(r"\bU\.\s?K\.?(?=\W|$)|\bUnited Kingdom\b|\bBritain\b"), "UK"),
    (
        re.compile(r"\b(?:cross(?:es)?|intersects?|meets?|cuts?|hits?) the ([xy])[- ]axis\b", re.IGNORECASE),
        r"\1 intercept",
    ),
    (re.compile(r"\bheight of the (?:solid|whole|figure|object)\b", re.IGNORECASE), "total height"),
    (re.compile(r"\b(?:sharp )?(?:corner|cusp)\b|\bsharp turn\b", re.IGNORECASE), "kink"),
)
_SHORT = {
    "jan": "january", "feb": "february", "mar": "march", "apr": "april", "jun": "june", "jul": "july", "aug": "august",
    "sep": "september", "sept": "september", "oct": "october", "nov": "november", "dec": "december", "mon": "monday", "tue": "tuesday",
    "wed": "wednesday", "thu": "thursday", "fri": "friday", "sat": "saturday", "sun": "sunday", "female": "woman", "male": "man",
    "american": "us", "british": "uk", "high": "height", "tall": "height", "wide": "width", "deep": "depth", "win": "won", "cost": "price",
    "cheaper": "price", "cheapest": "price", "expensive": "price",
}  # fmt: skip
_ORDINALS = {"first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5", "sixth": "6"}
_RANKING = re.compile(
    r"\W+(?:high|larg|great|big|most|long|tall|low|small|least|few|short|cheap|popular|common|place)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A row or column that a sentence names, and where it names it."""

    name: str
    position: int
    tokens: frozenset[int]
    numbers: frozenset[int]
    coverage: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """The rows and columns that a sentence names; an axis of a table with one entry needs no naming."""

    rows: tuple[Mention, ...]
    columns: tuple[Mention, ...]
    cells: tuple[Fact, ...]

    def ordered_cells(self) -> list[Fact]:
        """The named cells in the order that the sentence names them."""
        rows = {mention.name: mention.position for mention in self.rows}
        columns = {mention.name: mention.position for mention in self.columns}
        by_row = len(rows) > 1
        return sorted(self.cells, key=lambda f: (rows.get(f.row, 0) if by_row else 0, columns.get(f.column, 0)))

    def number_positions(self) -> frozenset[int]:
        """Where in the text the names stand, so that the 2009 of a row is not taken for a value."""
        return frozenset(p for mention in self.rows + self.columns for p in mention.numbers)


@lru_cache(maxsize=1024)
def positioned(text: str) -> tuple[tuple[str, int], ...]:
    """The stems of a text with their places, aliases of names brought to one spelling."""
    for pattern, name in _ALIASES:
        text = pattern.sub(partial(_padded, name), text)
    found = []
    for match in _TOKEN.finditer(text):
        word = match[0] if match[0][0] == "-" or (len(match[0]) == 1 and match[0].isupper()) else stem(match[0])
        if word in _ORDINALS and not _RANKING.match(text, match.end()):
            word = _ORDINALS[word]
        found.append((_SHORT.get(word, word), match.start()))
    return tuple(found)


def _padded(name: str, match: re.Match[str]) -> str:
    """The alias at the same length, so that places in the text stay right."""
    return match.expand(name).ljust(len(match[0]))


@lru_cache(maxsize=1024)
def name_tokens(name: str) -> frozenset[str]:
    """The words by which a row or column is known; stop words only if it has no others."""
    every = frozenset(word for word, _ in positioned(name))
    return frozenset(w for w in every if w not in STOP_WORDS) or every


def mentions(text: str, names: Sequence[str], threshold: float, cousin: float = COUSIN) -> tuple[Mention, ...]:
    """The names that a sentence speaks of, in the order it does; a name inside a longer named one is not meant."""
    said: dict[str, list[int]] = {}
    for word, position in positioned(text):
        said.setdefault(word, []).append(position)
    _add_cousins(said, names, cousin)
    wanted = {name: name_tokens(name) for name in names}
    frequency: dict[str, int] = {}
    for tokens in wanted.values():
        for token in tokens:
            frequency[token] = frequency.get(token, 0) + 1
    found = [
        m
        for name, tokens in wanted.items()
        if (m := _mention(name, tokens, said, frequency)) and m.coverage >= threshold
    ]
    found = [m for m in found if not _made_of_others(m, found) and not _other_name(text, m.name)]
    found = [m for m in found if not any(m.tokens < other.tokens for other in found)]
    return tuple(sorted(_told_apart(_best_of_rivals(found)), key=lambda m: m.position))


def _add_cousins(said: dict[str, list[int]], names: Sequence[str], alike: float) -> None:
    """Words of one family stand for each other: “disapproval” names a column “Disapprove”."""
    by_start: dict[str, list[str]] = {}
    for word in said:
        if len(word) >= 5 and not word[0].isdigit():
            by_start.setdefault(word[:5], []).append(word)
    for token in {token for name in names for token in name_tokens(name) if len(token) >= 5 and token not in said}:
        family = [w for w in by_start.get(token[:5], ()) if _shared_start(w, token) >= alike * max(len(w), len(token))]
        if family:
            said[token] = said[family[0]]


def _shared_start(left: str, right: str) -> int:
    return next((i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))


def _mention(
    name: str, tokens: frozenset[str], said: dict[str, list[int]], frequency: dict[str, int]
) -> Mention | None:
    weights = {token: 1.0 / frequency[token] for token in tokens}
    hit = [token for token in tokens if token in said]
    if not hit or any(_is_number(token) and token not in said for token in tokens):
        return None
    if any(_is_function(token) and token not in said for token in tokens) and any(_is_function(word) for word in said):
        return None
    distinctive = min(tokens, key=lambda token: (frequency[token], token))
    if frequency[distinctive] < max(frequency[token] for token in hit) and all(
        frequency[t] > frequency[distinctive] for t in hit
    ):
        return None
    rarest = min(hit, key=lambda token: (frequency[token], len(said[token]), token))
    first = said[rarest][0]
    positions = frozenset(min(said[token], key=lambda place: abs(place - first)) for token in hit)
    numbers = frozenset(min(said[token], key=lambda place: abs(place - first)) for token in hit if _is_number(token))
    coverage = sum(weights[t] for t in hit) / sum(weights.values())
    return Mention(name=name, position=first, tokens=positions, numbers=numbers, coverage=coverage)


def _is_number(token: str) -> bool:
    return token[-1].isdigit()


def _is_function(token: str) -> bool:
    """A one-letter name such as the f of “graph of f”."""
    return len(token) == 1 and token.isalpha() and token not in "axyAI"


def _made_of_others(mention: Mention, found: list[Mention]) -> bool:
    """Whether a name's words only stand far apart, inside other names: “soccer and tennis” in “only soccer than only tennis”."""
    spread = max(mention.tokens) - min(mention.tokens)
    if len(mention.tokens) < 2 or spread <= len(mention.name) + 4:
        return False
    closer = [m for m in found if m is not mention and m.coverage == 1.0 and max(m.tokens) - min(m.tokens) < spread]
    return mention.tokens <= frozenset(place for m in closer for place in m.tokens)


def _told_apart(found: list[Mention]) -> list[Mention]:
    """The mentions placed where each has a word of its own: “solar 2010” and “coal 2010” share the year, not the order."""
    return [
        replace(m, position=min(own)) if (own := m.tokens.difference(*(o.tokens for o in found if o is not m))) else m
        for m in found
    ]


_NAME_WORD = re.compile(r"[A-Z][a-z]+")


def _other_name(text: str, name: str) -> bool:
    """Whether a sentence goes on to another proper name than this one: “Central Africa” is not Central America."""
    parts = _NAME_WORD.findall(name)
    if len(parts) < 2:
        return False
    following = re.search(rf"\b{parts[0]}\s([A-Z][a-z]+)", text)
    return following is not None and following[1] not in name and parts[1] not in text


def _best_of_rivals(found: list[Mention]) -> list[Mention]:
    """Of names seen in exactly the same words, the best covered."""
    return [m for m in found if not any(o.tokens == m.tokens and o.coverage > m.coverage for o in found)]


_DIMENSIONS = {
    "slant height": "slant height", "height": "height", "tall": "height", "high": "height", "radius": "radius", "diameter": "diameter",
    "width": "width", "wide": "width", "depth": "depth", "deep": "depth", "perimeter": "perimeter", "circumference": "circumference", "area": "area",
    "volume": "volume", "slope": "slope", "temperature": "temperature", "weight": "weight",
}  # fmt: skip
_DIMENSION = re.compile(r"\b(" + "|".join(_DIMENSIONS) + r")\b", re.IGNORECASE)


def _other_dimension(text: str, name: str) -> bool:
    """Whether a sentence speaks of one measure of a thing and the fact of another ("slant height" against "cone height")."""
    said, known = ({_DIMENSIONS[m.lower()] for m in _DIMENSION.findall(t)} for t in (text, name))
    return bool(said) and bool(known) and not said & known


_PROPER = re.compile(r"(?<=[\w-])[ -]([A-Z][a-z]+)")


def _unsaid_proper_noun(text: str, name: str) -> bool:
    """Whether a fact is about a named thing that the sentence leaves out: a road Birch-Cedar for “from Cedar to Dover”."""
    said = {word for word, _ in positioned(text)}
    return any(word not in said for noun in _PROPER.findall(name) for word in name_tokens(noun))


def _by_dimension(text: str, facts: Facts) -> tuple[Mention, ...]:
    """“The radius is 10 cm” where the figure has one radius: the measure alone says which fact is meant."""
    said = {_DIMENSIONS[word.lower()] for word in _DIMENSION.findall(text)}
    names = [name for name in facts.rows if said & {_DIMENSIONS[word.lower()] for word in _DIMENSION.findall(name)}]
    if len(said) != 1 or len(names) != 1 or _OWNER.search(text):
        return ()
    at = _DIMENSION.search(text)
    place = at.start() if at else 0
    return (Mention(name=names[0], position=place, tokens=frozenset({place}), numbers=frozenset(), coverage=0.5),)


_OWNER = re.compile(r"\b(?:of|for) (?:the |a )?(?!figure|diagram|picture|circle\b)\w+", re.IGNORECASE)


_ROW = re.compile(r"\brow (\d{1,2}|[A-Z])\b")
_COLUMN = re.compile(r"\bcolumn (\d{1,2}|[A-Z])\b")


def _counted(text: str, pattern: re.Pattern[str], names: Sequence[str]) -> tuple[Mention, ...]:
    """“Row 2, column B” of a table that names its rows and columns otherwise; the stub is column 1 or A."""
    match = pattern.search(text)
    if match is None:
        return ()
    place = int(match[1]) if match[1].isdigit() else ord(match[1]) - ord("A") + 1
    if not 1 <= place <= len(names) or not names[place - 1]:
        return ()
    at = frozenset({match.start(1)})
    return (Mention(name=names[place - 1], position=match.start(), tokens=at, numbers=at, coverage=1.0),)


def address(text: str, facts: Facts) -> Address:
    """Rows, columns and the cells where they meet."""
    rows = mentions(text, facts.rows, NAMED if facts.tabular else FLAT_NAMED)
    if not facts.tabular:
        rows = tuple(m for m in rows if not _other_dimension(text, m.name) and not _unsaid_proper_noun(text, m.name))
        rows = rows or _by_dimension(text, facts)
    columns = (
        mentions(text, [c for c in facts.columns if c], COLUMN_NAMED, COLUMN_COUSIN) if len(facts.columns) > 1 else ()
    )
    used = frozenset(p for m in rows for p in m.tokens)
    columns = tuple(m for m in columns if not m.tokens <= used) if rows else columns
    rows = rows or _counted(text, _ROW, facts.rows)
    columns = columns or _counted(text, _COLUMN, ("", *facts.columns)) if len(facts.columns) > 1 else columns
    row_names = {m.name for m in rows} if rows or len(facts.rows) > 1 or not facts.tabular else set(facts.rows)
    column_names = {m.name for m in columns} if len(facts.columns) > 1 else set(facts.columns)
    cells = tuple(f for f in facts.cells if f.row in row_names and f.column in column_names)
    return Address(rows=rows, columns=columns, cells=cells)
