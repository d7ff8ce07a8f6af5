"""A constraint set prepared for questions: numeric facts by geometry label and by table coordinates, relations by type."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from evpv.premises.normalize.labels import entity_key
from evpv.premises.normalize.text import plain
from evpv.premises.normalize.units import SCALE_OF, UNIT_OF, canonical_unit
from evpv.premises.normalize.words import canonical_relation
from evpv.types import Constraint, Numeric, Relation, Structure

Key = tuple[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
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

    def with_value(self, value: float) -> Fact:
        """The same fact saying another value: what follows from it by computation."""
        return replace(self, constraint=replace(self.constraint, value=value))


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All constraints of a problem, indexed.

    `cells` are the facts known by words. In a table (`tabular`) a cell has a row and a column; elsewhere its whole
    name, entity and attribute, is its row.
    """

    numeric: tuple[Fact, ...]
    by_key: dict[Key, list[Fact]]
    cells: tuple[Fact, ...]
    relations: dict[str, list[tuple[int, Relation]]]
    structures: tuple[tuple[int, Structure], ...]
    rows: tuple[str, ...] = field(default=())
    columns: tuple[str, ...] = field(default=())
    tabular: bool = False


def facts(constraints: Sequence[Constraint]) -> Facts:
    """The index of a constraint set."""
    structures = tuple((i, c) for i, c in enumerate(constraints) if isinstance(c, Structure) and c.type != "caption")
    headers = sorted(
        {plain(part) for _, s in structures if s.type == "table" for part in s.parts if part.strip()},
        key=len,
        reverse=True,
    )
    numeric = tuple(_fact(i, c, headers) for i, c in enumerate(constraints) if isinstance(c, Numeric))
    by_key: dict[Key, list[Fact]] = {}
    for fact in numeric:
        if fact.key is not None:
            by_key.setdefault(fact.key, []).append(fact)
    relations: dict[str, list[tuple[int, Relation]]] = {}
    for index, constraint in enumerate(constraints):
        if isinstance(constraint, Relation):
            relations.setdefault(canonical_relation(constraint.type), []).append((index, constraint))
    cells = tuple(fact for fact in numeric if fact.key is None or fact.key[0] in ("circle", "point"))
    return Facts(
        numeric=numeric,
        by_key=by_key,
        cells=cells,
        relations=relations,
        structures=structures,
        rows=tuple(dict.fromkeys(fact.row for fact in cells)),
        columns=tuple(dict.fromkeys(fact.column for fact in cells)),
        tabular=any(structure.type == "table" for _, structure in structures),
    )


def _fact(index: int, constraint: Numeric, headers: list[str]) -> Fact:
    entity = plain(constraint.entity)
    row, column = _coordinates(entity, headers)
    attribute = constraint.attribute.strip().lower()
    if attribute not in GENERIC_ATTRIBUTES and attribute not in entity.lower():
        row, column = (
            (row, f"{column} {constraint.attribute}".strip()) if headers else (f"{row} {constraint.attribute}", column)
        )
    unit, scale = _unit(constraint)
    unit = unit or canonical_unit(column)
    return Fact(
        index=index,
        constraint=constraint,
        key=None if _is_acronym(entity, attribute) else entity_key(entity),
        row=row,
        column=column,
        attribute=attribute,
        unit=unit,
        scale=scale,
    )


GENERIC_ATTRIBUTES = frozenset(
    {"value", "values", "number", "amount", "count", "quantity", "length", "angle", "measure", "size", ""}
)


_BARE = re.compile(r"[A-Z]{2,6}")


def _is_acronym(entity: str, attribute: str) -> bool:
    """Whether bare capitals are a name ("USA") and not a label: what is counted there is no length or angle."""
    return attribute in ("value", "values", "number", "amount", "count", "quantity") and bool(_BARE.fullmatch(entity))


def _coordinates(entity: str, headers: list[str]) -> tuple[str, str]:
    """Row and column of a table fact named "row label column label"; without a known header, all of it is the row."""
    for header in headers:
        if entity.endswith(header) and entity != header:
            row = entity[: -len(header)].strip()
            if row:
                return row, header
    return entity, ""


_SCALE_IN = re.compile(r"\b(?:in|,|\()\s*(thousand|million|billion|trillion)s?\b", re.IGNORECASE)
_UNIT_IN = re.compile(
    r"\(\s*([a-z%°$€£¢]+)\s*\)|\bin (?:\w+ )?(?:\w\.\w\. |US |U\.S\. |\w+ )?([a-z$€£]+)\s*(?:per\b.*)?$", re.IGNORECASE
)


@lru_cache(maxsize=1024)
def _unit_in_words(entity: str) -> tuple[str | None, float]:
    scale = _SCALE_IN.search(entity)
    unit = None
    for match in _UNIT_IN.finditer(entity):
        unit = UNIT_OF.get((match[1] or match[2]).lower(), unit)
    if unit is None and re.search(r"(?i)\b(?:percent(?:age)?|share|proportion)\b|%", entity):
        unit = "percent"
    return unit, SCALE_OF[scale[1].lower()] if scale else 1.0


def _unit(constraint: Numeric) -> tuple[str | None, float]:
    """Unit and scale of a fact, from its unit field or from its name ("Revenue in billion U.S. dollars")."""
    unit, scale = _unit_in_words(constraint.entity)
    if constraint.unit:
        said = constraint.unit.strip().lower().split()
        scale = next((SCALE_OF[w] for w in said if w in SCALE_OF), scale)
        unit = next((u for u in map(canonical_unit, said) if u), unit)
    return unit, scale
