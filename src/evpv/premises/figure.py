"""The figure as a model: one place that builds tables, series and labelled diagrams from constraints, and finds in them what phrases name.

Readers say row, column and series of a value; for foreign extractors they are taken from the entity's text, by the headers
of the table structure. A figure is built once per constraint set.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from operator import attrgetter
from typing import TypeAlias, TypeVar

from evpv.language.expressions import Polynomial, polynomial
from evpv.language.forms import Phrase
from evpv.language.immutable import immutable
from evpv.language.labels import Key, entity_key
from evpv.language.lexicon import COLOURS, MEASURE_NOUNS, MONTHS, SCALES, WEEKDAYS
from evpv.language.quantities import UNIT_OF, canonical_unit
from evpv.language.questions import Told
from evpv.language.text import plain
from evpv.language.tokens import Token, holds_cue, stem, tokens
from evpv.premises.mentions import Axis, Mention, names_of, places_of
from evpv.premises.relation_names import canonical_relation
from evpv.types import LOOSE, Constraint, Numeric, Relation, Structure

_GENERIC_ATTRIBUTES = frozenset(
    {"value", "values", "number", "amount", "count", "quantity", "length", "angle", "measure", "size", ""}
)
_COUNTING = frozenset({"value", "values", "number", "amount", "count", "quantity"})


@immutable
class Cell:
    """One numeric constraint with what it is about: a geometry label (`key`), or a row and a column of words."""

    index: int
    constraint: Numeric
    key: Key | None
    row: str
    column: str
    attribute: str
    unit: str | None
    scale: float

    @property
    def value(self) -> float:
        return self.constraint.value

    @property
    def estimated(self) -> bool:
        return self.constraint.reading == "estimated"

    def with_value(self, value: float) -> Cell:
        """The same cell saying another value: what follows from it by computation."""
        return replace(self, constraint=replace(self.constraint, value=value))


@immutable
class Link:
    """A relation constraint with the labels and expressions of its entities, read once."""

    index: int
    relation: Relation
    keys: tuple[Key | None, ...]
    expressions: tuple[Polynomial | None, ...]

    @property
    def lines(self) -> frozenset[frozenset[str]]:
        return frozenset(frozenset(key[1]) for key in self.keys if key is not None and key[0] in ("segment", "line"))


@immutable
class Address:
    """The rows and columns that a phrase names, and the cells where they meet. `inherited`: an axis comes from what was said before,
    `far`: in another sentence."""

    rows: tuple[Mention, ...]
    columns: tuple[Mention, ...]
    cells: tuple[Cell, ...]
    inherited: bool = False
    far: bool = False
    absent: bool = False

    def ordered_cells(self) -> list[Cell]:
        """The named cells in the order that the sentence names them."""
        rows = {mention.name: mention.position for mention in self.rows}
        columns = {mention.name: mention.position for mention in self.columns}
        by_row = len(rows) > 1
        return sorted(self.cells, key=lambda c: (rows.get(c.row, 0) if by_row else 0, columns.get(c.column, 0)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Figure:
    """All constraints of a problem, indexed. `cells` are the facts known by words; in a table a cell has a row and a column, elsewhere
    its whole name, entity and attribute, is its row. `told` is what the question says
    of it. Equal to itself alone, so that what is worked out of one can be remembered."""

    numeric: tuple[Cell, ...]
    by_key: dict[Key, list[Cell]]
    cells: tuple[Cell, ...]
    links: dict[str, list[Link]]
    structures: tuple[tuple[int, Structure], ...]
    rows: Axis
    columns: Axis
    tabular: bool
    title: frozenset[str]
    loose: frozenset[float] = field(default=frozenset())
    leads: frozenset[str] = field(default=frozenset())
    cued_names: frozenset[str] = field(default=frozenset())
    told: Told = field(default=Told())

    @property
    def labelled(self) -> bool | None:
        """Whether capitals are points here; None where the figure cannot tell."""
        labels = bool(self.by_key) or any(any(link.keys) for group in self.links.values() for link in group)
        if labels:
            return True if not self.tabular else None
        return False if self.cells else None

    def column_cells(self, column: str) -> list[Cell]:
        return [cell for cell in self.cells if cell.column == column]

    def row_cells(self, row: str) -> list[Cell]:
        return [cell for cell in self.cells if cell.row == row]

    def cells_in(self, rows: Container[str] | None, columns: Container[str] | None) -> list[Cell]:
        """The cells where rows and columns meet; none of an axis leaves it open."""
        return [c for c in self.cells if (not rows or c.row in rows) and (not columns or c.column in columns)]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all rows and columns."""
        return (*self.rows.names, *self.columns.names)

    @property
    def vocabulary(self) -> frozenset[str]:
        """The words of all names and of the headers."""
        return self.title.union(self.rows.frequency, self.columns.frequency)

    def address(self, phrase: Phrase, context: Sequence[Phrase] = (), near: int = 0) -> Address:
        """What a phrase names; an axis that it leaves open is taken from what was said before, the nearest first."""
        rows, columns = self.named(phrase.tokens)
        if self.absent(phrase):
            return Address(rows=rows, columns=columns, cells=(), absent=True)
        inherited = far = False
        for place, earlier in enumerate(context):
            if self._is_placed(rows, columns):
                break
            more = self._taken_over(rows, columns, earlier)
            if any(more):
                inherited, far = True, far | (place >= near)
            if more[0] and _is_other_time(phrase):
                break
            rows, columns = rows or more[0], columns or more[1]
        return self._meeting(rows, columns, inherited=inherited, far=far)

    def _is_placed(self, rows: Sequence[Mention], columns: Sequence[Mention]) -> bool:
        """Whether each axis of several names has one that is meant."""
        return bool(rows or len(self.rows.names) < 2) and bool(columns or len(self.columns.names) < 2)

    def _taken_over(self, rows: Sequence[Mention], columns: Sequence[Mention], earlier: Phrase) -> Named:
        """What an earlier phrase names of the axes that are open."""
        more_rows, more_columns = self.named(earlier.tokens)
        is_open = not rows and (not columns or self.tabular)
        return more_rows if is_open else (), () if columns else more_columns

    def absent(self, phrase: Phrase) -> bool:
        """Whether a phrase names a time, or a colour, of which the figure has others but not this: Thursday where Monday to Wednesday were read."""
        content = [token for token in phrase.tokens if token.is_content]
        proper = [token.stem for token in content if token.text[:1].isupper() or token.is_number]
        if any(self._has_only_others(family, proper) for family in _FAMILIES):
            return True
        colours = phrase.stems & COLOURS
        return bool(colours and phrase.stems & _DRAWN) and not colours & {*self.rows.frequency, *self.columns.frequency}

    def _has_only_others(self, family: Callable[[str], bool], said: Iterable[str]) -> bool:
        """Whether words of a family are said, and the names have words of it, but others."""
        meant = {*filter(family, said)}
        known = {*filter(family, (*self.rows.frequency, *self.columns.frequency))} if meant else set()
        return bool(known) and not meant & known

    def knows(self, phrase: Phrase) -> bool:
        """Whether a phrase has any word in common with the figure's names."""
        vocabulary = self.vocabulary
        return any(token.stem in vocabulary and token.is_content for token in phrase.tokens)

    def named(self, said: tuple[Token, ...]) -> Named:
        """The rows and columns that tokens name."""
        return _named(self, said)

    def named_places(self, said: tuple[Token, ...]) -> frozenset[int]:
        """Where the words stand that belong to names."""
        return places_of(itertools.chain(*self.named(said)))

    def _meeting(
        self, rows: tuple[Mention, ...], columns: tuple[Mention, ...], *, inherited: bool, far: bool
    ) -> Address:
        row_names, column_names = names_of(rows), names_of(columns)
        if not rows and len(self.rows.names) == 1 and self.tabular:
            row_names = [*self.rows.names]
        is_open = not row_names or (not columns and len(self.columns.names) > 1)
        cells = () if is_open else tuple(self.cells_in(row_names, column_names))
        return Address(rows=rows, columns=columns, cells=cells, inherited=inherited, far=far)


Named: TypeAlias = tuple[tuple[Mention, ...], tuple[Mention, ...]]


@lru_cache(maxsize=1024)
def _named(model: Figure, said: tuple[Token, ...]) -> Named:
    """What `Figure.named` says, remembered: a comparison and its doubts ask for the same phrase."""
    if len(model.columns.names) < 2:
        return model.rows.mentions(said) or model.rows.by_count(said, "row"), ()
    columns = model.columns.mentions(said)
    numbered = _numbers_of_names(said, columns) if columns else frozenset()
    rows = model.rows.mentions([token for token in said if token.start not in numbered] if numbered else said)
    used = places_of(rows)
    columns = tuple([mention for mention in columns if not mention.tokens <= used])
    return rows or model.rows.by_count(said, "row"), columns or model.columns.by_count(said, "column")


_Kind = TypeVar("_Kind")


_Group = TypeVar("_Group")


def _indexed(constraints: Iterable[Constraint], kind: type[_Kind]) -> list[tuple[int, _Kind]]:
    """The constraints of one kind with their places."""
    return [(i, one) for i, one in enumerate(constraints) if isinstance(one, kind)]


def _grouped(pairs: Iterable[tuple[_Group, _Kind]]) -> dict[_Group, list[_Kind]]:
    groups: dict[_Group, list[_Kind]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def _headers(constraints: Sequence[Constraint], structures: Sequence[tuple[int, Structure]]) -> list[str]:
    """The headers of a table, the longest first; those of one without any are what its values are called by."""
    tables = [structure for _, structure in structures if structure.type == "table"]
    headers = {plain(part) for table in tables for part in table.parts if part.strip()}
    if tables and not headers:
        return _series_names([plain(c.entity) for _, c in _indexed(constraints, Numeric) if c.row is None])
    return sorted(headers, key=len, reverse=True)


def _is_in_words(cell: Cell) -> bool:
    """Whether a value is known by words, and not by a label of lines."""
    return cell.key is None or cell.key[0] in ("circle", "point")


def _is_tabular(structures: Iterable[tuple[int, Structure]], cells: Iterable[Cell]) -> bool:
    drawn = any(structure.type == "table" or "chart" in structure.type for _, structure in structures)
    return drawn or any(cell.constraint.row for cell in cells)


def columns_of(cells: Iterable[Cell]) -> set[str]:
    return {cell.column for cell in cells}


def rows_of(cells: Iterable[Cell]) -> set[str]:
    return {cell.row for cell in cells}


def _numbers_of_names(said: Sequence[Token], columns: Sequence[Mention]) -> frozenset[int]:
    """Where numbers stand that belong to a name said whole: the 1 of “trace 1” is no row 1."""
    whole = {place for name in columns if name.coverage >= 0.999 and len(name.tokens) > 1 for place in name.tokens}
    return frozenset(token.start for token in said if token.is_number and token.start in whole)


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isdecimal() and 1500 <= int(word) <= 2100


_FAMILIES = (frozenset(WEEKDAYS).__contains__, frozenset(MONTHS).__contains__, _is_year)
_DRAWN = frozenset("bar line slice sector curve segment column section".split())
_BESIDE = frozenset("later following next subsequent after earlier previous preceding prior before".split())


def _is_other_time(phrase: Phrase) -> bool:
    """Whether a phrase speaks of a time next to the one named before it: “one year later”."""
    words = phrase.words
    return bool(words & {"year", "month", "day", "week"} and words & _BESIDE)


@lru_cache(maxsize=256)
def figure(constraints: tuple[Constraint, ...]) -> Figure:
    """The model of a constraint set."""
    every = _indexed(constraints, Structure)
    structures = tuple((i, one) for i, one in every if one.type not in (LOOSE, "caption"))
    loose = itertools.chain.from_iterable(_numbers(one.parts) for _, one in every if one.type == LOOSE)
    headers = _headers(constraints, structures)
    numeric = tuple(_cell(i, one, headers) for i, one in _indexed(constraints, Numeric))
    cells = tuple(filter(_is_in_words, numeric))
    tabular = _is_tabular(structures, cells)
    rows, columns = (dict.fromkeys(map(attrgetter(axis), cells)) for axis in ("row", "column"))
    links = ((canonical_relation(one.type), _link(i, one)) for i, one in _indexed(constraints, Relation))
    return Figure(
        numeric=numeric,
        by_key=_grouped((cell.key, cell) for cell in numeric if cell.key is not None),
        cells=cells,
        links=_grouped(links),
        structures=structures,
        rows=Axis.of(rows, "rows" if tabular else "flat"),
        columns=Axis.of(columns, "columns"),
        tabular=tabular,
        title=Phrase(tokens=tuple(itertools.chain.from_iterable(map(tokens, headers)))).stems,
        loose=frozenset(loose),
        leads=_number_leads(rows, columns, headers),
        cued_names=frozenset(map(str.lower, filter(holds_cue, (*rows, *columns)))),
    )


def _number_leads(rows: Iterable[str], columns: Iterable[str], headers: Iterable[str]) -> frozenset[str]:
    """The words after which a number names a row: “lane” where rows are called Lane 3 and Lane 4, “minute” where they are numbers
    under that header."""
    named = [*map(tokens, rows)]
    pairs = itertools.chain.from_iterable(map(itertools.pairwise, named))
    found = {a.stem for a, b in pairs if a.is_content and b.is_number}
    found -= {"under", "over", "below", "above", "than", "least", "most"}
    if sum(map(_is_bare_number, named)) > 1:
        heads = map(tokens, {*headers} - {*columns})
        found |= {"x", *(words[0].stem for words in heads if len(words) == 1 and words[0].is_word)}
    return frozenset(found)


def _is_bare_number(words: Sequence[Token]) -> bool:
    """Whether a name is a number alone, and no year."""
    return len(words) == 1 and words[0].is_number and not _is_year(words[0].stem)


def _series_names(entities: Sequence[str]) -> list[str]:
    """The series of a chart without headers, where its values are called by place and series: “0 Blue Trace”, “1 Orange Trace”."""
    pairs = [entity.partition(" ")[::2] for entity in entities]
    rows, series = {row for row, _ in pairs}, {name for _, name in pairs}
    whole = len(rows) > 1 and len(series) > 1 and "" not in series and len(set(pairs)) >= 0.75 * len(rows) * len(series)
    return sorted(series, key=len, reverse=True) if whole else []


def _numbers(parts: Iterable[str]) -> Iterable[float]:
    for part in parts:
        for token in tokens(plain(part)):
            if token.is_number:
                try:
                    yield float(token.stem)
                except ValueError:
                    continue


def _link(index: int, relation: Relation) -> Link:
    keys = tuple(_relation_key(entity) for entity in relation.entities)
    expressions = tuple(
        polynomial(plain(e)) if key is None and len(e) < 60 else None
        for e, key in zip(relation.entities, keys, strict=True)
    )
    return Link(index=index, relation=relation, keys=keys, expressions=expressions)


def _relation_key(entity: str) -> Key | None:
    """The label of an entity; a capital at its end is a point."""
    last = entity.split()[-1:]
    point = entity[-1:].isupper() and [*map(len, last)] == [1]
    return entity_key(entity) or (("point", (last[0],)) if point else None)


def _cell(index: int, constraint: Numeric, headers: list[str]) -> Cell:
    entity = plain(constraint.entity)
    row, column = _coordinates(constraint, entity, headers)
    attribute = constraint.attribute.strip().lower()
    if attribute not in _GENERIC_ATTRIBUTES and attribute not in entity.lower():
        row, column = (
            (row, f"{column} {constraint.attribute}".strip()) if headers else (f"{row} {constraint.attribute}", column)
        )
    unit, scale = _unit(constraint)
    counted = attribute in _COUNTING and _is_bare_label(entity)
    placed = constraint.row is not None or constraint.series is not None
    return Cell(
        index=index,
        constraint=constraint,
        key=None if placed or counted else entity_key(entity),
        row=row,
        column=column,
        attribute=attribute,
        unit=unit or canonical_unit(column),
        scale=scale,
    )


def _is_bare_label(entity: str) -> bool:
    """Whether an entity is but capitals, which may be initials."""
    return entity.isupper() and entity.isalpha() and 2 <= len(entity) <= 6


def _coordinates(constraint: Numeric, entity: str, headers: list[str]) -> tuple[str, str]:
    """Row and column of a value; where the reader named none, the entity ends with a known header, or all of it is the row."""
    if constraint.row is not None:
        return plain(constraint.row), plain(constraint.column or constraint.series or "")
    if constraint.series is not None and constraint.column is not None:
        return plain(constraint.column), plain(constraint.series)
    for header in headers:
        if entity.endswith(header) and entity != header:
            row = entity[: -len(header)].strip()
            if row:
                return row, header
    return entity, ""


@lru_cache(maxsize=2048)
def _unit_in_words(entity: str) -> tuple[str | None, float]:
    """Unit and scale that a name says: “Revenue in billion U.S. dollars”, “Waiting time (minutes)”, “Share of posts”."""
    words = [token.lower for token in tokens(entity)]
    units = [UNIT_OF[word] for index, word in enumerate(words) if _is_unit(words, index)]
    scales = [SCALES[word] for index, word in enumerate(words) if _is_scale(words, index)]
    shares = {"percent", "percentage", "share", "proportion", "%"} & {*words}
    return [*(["percent"] if shares else [None]), *units][-1], [1.0, *scales][-1]


def _is_scale(words: Sequence[str], index: int) -> bool:
    """Whether a word of a name says in what it counts: “in thousands”, “(millions)”, a scale inside the name."""
    if words[index] not in SCALES or words[index] in ("k", "dozen", "hundred"):
        return False
    return 0 < index < len(words) - 1 or (index > 0 and words[index - 1] in ("in", ",", "(", "by"))


def _is_unit(words: Sequence[str], index: int) -> bool:
    """Whether a word of a name is its unit, which “in”, a bracket or a scale opens."""
    opening = {*words[max(index - 2, 0) : index]} & {"in", "(", *SCALES} or {*words[max(index - 1, 0) : index]} & {
        "us",
        "u.s.",
    }
    measures = index > 0 and words[index - 1][-1:].isdigit()
    if words[index] == "m":
        return words[index - 1] == "(" and words[index + 1 :] == [")"] and _IN_MILLIONS.isdisjoint(map(stem, words))
    return bool(opening) and words[index] in UNIT_OF and words[index] != "in" and not measures


_IN_MILLIONS = MEASURE_NOUNS - {"height", "length", "width", "depth", "distance"} | frozenset(
    "sale turnover person people user visitor passenger viewer customer subscriber visit download copy view".split()
)
"""What is counted in millions, so that an m after it is no meter."""


def _unit(constraint: Numeric) -> tuple[str | None, float]:
    """Unit and scale of a value, from its unit field or from its name."""
    unit, scale = _unit_in_words(plain(constraint.entity))
    if beside := " ".join(filter(None, (constraint.column, constraint.series))):
        unit_of_column, scale_of_column = _unit_in_words(plain(beside))
        unit, scale = unit or unit_of_column, scale if scale != 1.0 else scale_of_column
    if constraint.unit:
        said = constraint.unit.strip().lower().split()
        scale = next((SCALES[word] for word in said if word in SCALES), scale)
        unit = next((u for u in map(canonical_unit, said) if u), unit)
    return unit, scale
