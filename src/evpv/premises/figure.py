"""The figure as a model: one place that builds tables, series and labelled diagrams from constraints, and finds in them what phrases name.

Readers say row, column and series of a value; for foreign extractors they are taken from the entity's text, by the headers
of the table structure. A figure is built once per constraint set.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import attrgetter
from typing import TypeVar

from evpv.language.expressions import Polynomial, polynomial
from evpv.language.forms import Phrase
from evpv.language.immutable import immutable
from evpv.language.labels import Key, entity_key
from evpv.language.lexicon import COLOURS, DIMENSIONS, MEASURE_NOUNS, MONTHS, SCALES, WEEKDAYS, canonical_relation
from evpv.language.quantities import UNIT_OF, canonical_unit
from evpv.language.questions import Told
from evpv.language.text import plain
from evpv.language.tokens import Token, name_stems, stem, tokens
from evpv.premises.mentions import AxisNames
from evpv.types import LOOSE, Constraint, Numeric, Relation, Structure

_GENERIC_ATTRIBUTES = frozenset(
    {"value", "values", "number", "amount", "count", "quantity", "length", "angle", "measure", "size", ""}
)
_COUNTING = frozenset({"value", "values", "number", "amount", "count", "quantity"})


@immutable
class Cell:
    """One numeric constraint with what it is about: a geometry label (`key`), or a row and a column of words. Its `value` is the
    constraint's, or what was computed from it."""

    index: int
    constraint: Numeric
    value: float
    key: Key | None
    row: str
    column: str
    attribute: str
    unit: str | None
    scale: float

    @property
    def estimated(self) -> bool:
        return self.constraint.reading == "estimated"

    def with_value(self, value: float) -> Cell:
        """The same cell saying another value: what follows from it by computation."""
        return Cell(
            index=self.index, constraint=self.constraint, value=value, key=self.key, row=self.row, column=self.column,
            attribute=self.attribute, unit=self.unit, scale=self.scale,
        )  # fmt: skip


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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Figure:
    """All constraints of a problem, indexed. `cells` are the facts known by words; in a table a cell has a row and a column, elsewhere
    its whole name, entity and attribute, is its row. `labelled` is whether capitals are points here, None where it cannot tell; `leaves`
    is one cell for each number of a stem-and-leaf plot, none of other figures; `told` is what the question says of it. Equal to itself
    alone, so that what is worked out of one can be remembered."""

    numeric: tuple[Cell, ...]
    by_key: dict[Key, list[Cell]]
    cells: tuple[Cell, ...]
    links: dict[str, list[Link]]
    structures: tuple[tuple[int, Structure], ...]
    rows: AxisNames
    columns: AxisNames
    labelled: bool | None
    leaves: tuple[Cell, ...]
    tabular: bool
    title: frozenset[str]
    loose: frozenset[float] = field(default=frozenset())
    leads: frozenset[str] = field(default=frozenset())
    told: Told = field(default=Told())

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all rows and columns."""
        return (*self.rows.names, *self.columns.names)

    @property
    def vocabulary(self) -> frozenset[str]:
        """The words of all names and of the headers."""
        return self.title.union(self.rows.frequency, self.columns.frequency)

    def absent(self, phrase: Phrase) -> bool:
        """Whether a phrase names a time of which the figure has others but not this (Thursday where Monday to Wednesday were read), or
        something drawn in a colour that no name has (“the red bar”)."""
        # No year is 1,970.
        names = (token for token in phrase.tokens if token.text[:1].isupper() or token.text.isdecimal())
        proper = [token.stem for token in names if token.is_content]
        if any(self._has_only_others({*filter(family, proper)}, family) for family in _FAMILIES):
            return True
        colours = phrase.stems & COLOURS
        return bool(colours and phrase.stems & _DRAWN) and not colours & {*self.rows.frequency, *self.columns.frequency}

    def _has_only_others(self, said: set[str], family: Callable[[str], bool]) -> bool:
        """Whether the names have words of a family, but none of those said."""
        known = {*filter(family, (*self.rows.frequency, *self.columns.frequency))} if said else set()
        return bool(known) and not said & known

    def knows(self, phrase: Phrase) -> bool:
        """Whether a phrase has any word in common with the figure's names."""
        vocabulary = self.vocabulary
        return any(token.stem in vocabulary and token.is_content for token in phrase.tokens)


_Kind = TypeVar("_Kind")


_Group = TypeVar("_Group")


def _of_kind(constraints: Iterable[Constraint], kind: type[_Kind]) -> list[tuple[int, _Kind]]:
    """The constraints of one kind with their places."""
    return [(i, one) for i, one in enumerate(constraints) if isinstance(one, kind)]


def _groups(pairs: Iterable[tuple[_Group, _Kind]]) -> dict[_Group, list[_Kind]]:
    groups: dict[_Group, list[_Kind]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def _is_list(constraints: Sequence[Constraint]) -> bool:
    """Whether a figure without a table gives the same measures of each of several named things, which is a table. Solids, curves and
    clocks are described by dimensions of their own, and labels have keys."""
    named = [one for one in constraints if isinstance(one, Numeric) and not _is_placed(one)]
    others = (one for one in constraints if not isinstance(one, Numeric) or _is_placed(one))
    beside = {one.type if isinstance(one, Structure) else "" for one in others}
    return beside <= _BESIDE_LISTS and _are_alike(named)


_BESIDE_LISTS = frozenset({"sequence", "caption", LOOSE})


def _are_alike(named: Sequence[Numeric]) -> bool:
    """Whether the same measures are given of each of several things, by names that are no descriptions."""
    called = [(plain(one.entity), one.attribute.strip().lower()) for one in named]
    entities, measures = {entity for entity, _ in called}, {measure for _, measure in called}
    if len(entities) < 2 or not len(named) == len({*called}) == len(entities) * len(measures):
        return False
    own_dimensions = len(measures) > 1 and not measures.isdisjoint(DIMENSIONS.keys() | _GENERIC_ATTRIBUTES)
    return not own_dimensions and not any(map(_is_described, named))


def _is_described(one: Numeric) -> bool:
    """Whether a name is a label, or says what is measured of a thing and not which thing."""
    entity = plain(one.entity)
    measured = not name_stems(entity).isdisjoint(DIMENSIONS) or "graph at " in entity
    return measured or (entity_key(entity) is not None and not _is_counted(one, entity))


def _is_counted(one: Numeric, entity: str) -> bool:
    """Whether capitals are initials of what is counted, and no label: the UK, at 40."""
    may_be_initials = entity.isupper() and entity.isalpha() and 2 <= len(entity) <= 6
    return may_be_initials and one.attribute.strip().lower() in _COUNTING


def _headers(
    constraints: Sequence[Constraint], structures: Sequence[tuple[int, Structure]], *, listed: bool
) -> list[str]:
    """The headers of a table, the longest first; those of a chart without any its series."""
    if listed:
        return _list_headers([plain(c.entity) for _, c in _of_kind(constraints, Numeric)])
    tables = _tables(structures)
    headers = {plain(part) for table in tables for part in filter(str.strip, table.parts)}
    if tables and not headers:
        headers = _series([plain(c.entity) for _, c in _of_kind(constraints, Numeric) if c.row is None])
    return sorted(headers, key=len, reverse=True)


def _series(entities: Sequence[str]) -> set[str]:
    """The series of values that are called by place and series: “0 Blue Trace”, “1 Orange Trace”."""
    pairs = {entity.partition(" ")[::2] for entity in entities}
    rows, series = {row for row, _ in pairs}, {name for _, name in pairs}
    named = len(rows) > 1 and len(series) > 1 and "" not in series
    return series if named and len(pairs) >= 0.75 * len(rows) * len(series) else set()


def _list_headers(entities: Sequence[str]) -> list[str]:
    """The headers of a list: of series the years that end its names (“Coal 2010”), each read in every one; of a sequence what is counted."""
    pairs = [entity.rpartition(" ")[::2] for entity in entities]
    series, years = {name for name, _ in pairs}, {year for _, year in pairs}
    whole = len(series) > 1 and "" not in series and len(pairs) == len(series) * len(years) > len(series)
    if whole and all(map(_is_year, years)):
        return sorted(years)
    return _counted_things(entities)


def _counted_things(entities: Sequence[str]) -> list[str]:
    """What follows the number in all names: “figure 2 matchsticks”."""
    places = [max((i for i, word in enumerate(entity.split()) if word.isdecimal()), default=-1) for entity in entities]
    things = {" ".join(entity.split()[place + 1 :]) for entity, place in zip(entities, places, strict=True)}
    return [*things] if len(things) == 1 and "" not in things and min(places) > 0 else []


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isdecimal() and 1500 <= int(word) <= 2100


_FAMILIES = (frozenset(WEEKDAYS).__contains__, frozenset(MONTHS).__contains__, _is_year)
_DRAWN = frozenset("bar line slice sector curve segment column section".split())


@lru_cache(maxsize=16)
def figure(constraints: tuple[Constraint, ...]) -> Figure:
    """The model of a constraint set."""
    every = _of_kind(constraints, Structure)
    structures = tuple((i, one) for i, one in every if one.type not in (LOOSE, "caption"))
    listed = _is_list(constraints)
    headers = _headers(constraints, structures, listed=listed)
    numbers = _of_kind(constraints, Numeric)
    only = _only_header(structures, numbers)
    numeric = tuple(_cell(i, one, headers, only, listed=listed) for i, one in numbers)
    cells = tuple(filter(_is_worded, numeric))
    tabular = listed or _is_tabular(structures, cells)
    rows, columns = (dict.fromkeys(map(attrgetter(axis), cells)) for axis in ("row", "column"))
    by_key, links, labelled = _labelled_things(constraints, numeric, tabular=tabular)
    title = itertools.chain.from_iterable(map(tokens, headers))
    return Figure(
        numeric=numeric, by_key=by_key, cells=cells, links=links, structures=structures, labelled=labelled,
        rows=AxisNames.of(rows, "rows" if tabular else "flat"), columns=AxisNames.of(columns, "columns"),
        leaves=_leaves(cells), tabular=tabular, title=frozenset(token.stem for token in title),
        loose=frozenset(_loose_numbers(every)), leads=_number_leads(rows, columns, headers),
    )  # fmt: skip


def _is_worded(cell: Cell) -> bool:
    """Whether a value is known by words: it has no label, or that of a circle or a point."""
    return cell.key is None or cell.key[0] in ("circle", "point")


def _is_tabular(structures: Sequence[tuple[int, Structure]], cells: Sequence[Cell]) -> bool:
    drawn = any(structure.type == "table" or "chart" in structure.type for _, structure in structures)
    return drawn or any(cell.constraint.row for cell in cells)


def _labelled_things(
    constraints: Sequence[Constraint], numeric: Sequence[Cell], *, tabular: bool
) -> tuple[dict[Key, list[Cell]], dict[str, list[Link]], bool | None]:
    """The values and the relations of what has a label, and whether capitals are points."""
    by_key = _groups((cell.key, cell) for cell in numeric if cell.key is not None)
    links = _groups((canonical_relation(one.type), _link(i, one)) for i, one in _of_kind(constraints, Relation))
    if by_key or any(any(link.keys) for link in itertools.chain.from_iterable(links.values())):
        return by_key, links, None if tabular else True
    return by_key, links, False if numeric else None


def _leaves(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """One cell for each number of a stem-and-leaf plot, by the numbers whose digits are its leaves."""
    if not all(
        cell.column.lower().strip() in ("leaf", "leaves") and _is_stem(cell.row) and cell.value >= 0 for cell in cells
    ):
        return ()
    return tuple(c.with_value(10.0 * int(c.row) + int(leaf)) for c in cells for leaf in f"{c.value:.0f}")


def _is_stem(row: str) -> bool:
    return row.isdecimal() and len(row) < 10


def _number_leads(rows: Iterable[str], columns: Iterable[str], headers: Iterable[str]) -> frozenset[str]:
    """The words after which a number names a row: “lane” where rows are called Lane 3 and Lane 4, “minute” where they are numbers, and
    no years, under that header."""
    named = [*map(tokens, rows)]
    pairs = itertools.chain.from_iterable(map(itertools.pairwise, named))
    found = {a.stem for a, b in pairs if a.is_content and b.is_number}
    found -= {"under", "over", "below", "above", "than", "least", "most"}
    if sum(word.is_number and not _is_year(word.stem) for word in _lone_words(named)) > 1:
        heads = _lone_words(map(tokens, {*headers} - {*columns}))
        found |= {"x", *(word.stem for word in heads if word.is_word)}
    return frozenset(found)


def _lone_words(names: Iterable[Sequence[Token]]) -> list[Token]:
    return [words[0] for words in names if len(words) == 1]


def _tables(structures: Sequence[tuple[int, Structure]]) -> list[Structure]:
    return [structure for _, structure in structures if structure.type == "table"]


def _loose_numbers(structures: Sequence[tuple[int, Structure]]) -> Iterable[float]:
    """The numbers that were read somewhere, of nothing."""
    for part in itertools.chain.from_iterable(one.parts for _, one in structures if one.type == LOOSE):
        for token in tokens(plain(part)):
            if token.is_number:
                try:
                    yield float(token.stem)
                except ValueError:
                    continue


def _link(index: int, relation: Relation) -> Link:
    """A relation with the labels of its entities, where a capital at the end is a point, and the expressions of the others."""
    keys: list[Key | None] = []
    for entity in relation.entities:
        last = entity.split()[-1:]
        point = entity[-1:].isupper() and [*map(len, last)] == [1]
        keys.append(entity_key(entity) or (("point", (last[0],)) if point else None))
    expressions = (
        polynomial(plain(entity)) if key is None and len(entity) < 60 else None
        for entity, key in zip(relation.entities, keys, strict=True)
    )
    return Link(index=index, relation=relation, keys=tuple(keys), expressions=tuple(expressions))


def _only_header(structures: Sequence[tuple[int, Structure]], values: Sequence[tuple[int, Numeric]]) -> str:
    """The header of the one column of values, where they are called by their rows alone."""
    tables = _tables(structures)
    if len(tables) != 1 or len(tables[0].parts) != 2:
        return ""
    stub, header = map(plain, tables[0].parts)
    named = any(plain(one.entity).endswith((stub, header)) or one.row or one.series for _, one in values)
    return "" if named else header


def _is_placed(constraint: Numeric) -> bool:
    """Whether the extractor says in which row or series a value stands."""
    return constraint.row is not None or constraint.series is not None


def _cell(index: int, constraint: Numeric, headers: list[str], only: str, *, listed: bool) -> Cell:
    entity = plain(constraint.entity)
    row, column = _coordinates(constraint, entity, headers)
    column = column or only
    attribute = constraint.attribute.strip().lower()
    if attribute not in _GENERIC_ATTRIBUTES and attribute not in entity.lower():
        if headers or listed:
            column = f"{column} {constraint.attribute}".strip()
        else:
            row = f"{row} {constraint.attribute}"
    key = None if _is_placed(constraint) or _is_counted(constraint, entity) else entity_key(entity)
    unit, scale = _unit(constraint, "" if key else entity, only)
    return Cell(
        index=index, constraint=constraint, value=constraint.value, key=key, row=row, column=column,
        attribute=attribute, unit=unit or canonical_unit(column), scale=scale,
    )  # fmt: skip


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
    """Unit and scale that a name says: “Revenue in billion U.S. dollars”, “Waiting time (minutes)”, “Share of posts”; a scale inside the
    name, or behind what opens it: “in thousands”, “(millions)”."""
    words = [token.lower for token in tokens(entity)]
    shares = {"percent", "percentage", "share", "proportion", "%"} & {*words}
    unit, scale = "percent" if shares else None, 1.0
    for i, word in enumerate(words):
        if _is_unit(words, i):
            unit = UNIT_OF[word]
        if i and word in SCALES and word not in ("k", "dozen", "hundred"):
            opened = words[i - 1] in ("in", ",", "(", "by")
            scale = SCALES[word] if opened or i < len(words) - 1 else scale
    return unit, scale


def _is_unit(words: Sequence[str], index: int) -> bool:
    """Whether a word of a name is its unit, which “in”, a bracket or a scale opens, or “per” follows."""
    if words[index] not in UNIT_OF or words[index] == "in":
        return False
    measures = index > 0 and words[index - 1][-1:].isdigit()
    if words[index + 1 : index + 2] == ["per"]:
        return not measures
    if words[index] == "m":
        return words[index - 1] == "(" and words[index + 1 :] == [")"] and _IN_MILLIONS.isdisjoint(map(stem, words))
    near, last = words[max(index - 2, 0) : index], words[max(index - 1, 0) : index]
    opens = {*near} & {"in", "(", *SCALES} or {*last} & {"us", "u.s."}
    return bool(opens) and not measures


_IN_MILLIONS = MEASURE_NOUNS - {"height", "length", "width", "depth", "distance"} | frozenset(
    "sale turnover person people user visitor passenger viewer customer subscriber visit download copy view".split()
)
"""What is counted in millions, so that an m after it is no meter."""


def _unit(constraint: Numeric, name: str, header: str) -> tuple[str | None, float]:
    """Unit and scale of a value, from its unit field or from its name; a label says none."""
    unit, scale = _unit_in_words(name)
    if beside := " ".join(filter(None, (constraint.column, constraint.series, header))):
        unit_of_column, scale_of_column = _unit_in_words(plain(beside))
        unit, scale = unit or unit_of_column, scale if scale != 1.0 else scale_of_column
    if constraint.unit:
        said = constraint.unit.strip().lower().split()
        scale = next((SCALES[word] for word in said if word in SCALES), scale)
        unit = next((u for u in map(canonical_unit, said) if u), unit)
    return unit, scale
