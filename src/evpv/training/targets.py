"""What an extractor learns to write: the paper's JSON array, with everything that the picture does not decide fixed.

A triangle does not say whether a side is AB or BA, nor which of two facts comes first. A target that chooses at random
teaches noise, so names and order are made canonical; nothing that matching can tell apart is lost.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from evpv.records import constraints_to_json
from evpv.types import Constraint, Numeric, Relation, Structure

_LINE = re.compile(r"[A-Z]{2}")
_ANGLE = re.compile(r"[A-Z]{3}")
_SYMMETRIC = ("parallel", "perpendicular", "equal", "adjacent")
_UNITS = ("null", '"cm"', '"m"', '"ft"', '"deg"', '"%"')
_ATTRIBUTES = ("length", "angle", "value")


def canonical(constraints: Iterable[Constraint]) -> tuple[Constraint, ...]:
    """The same facts with names and order that the picture decides.

    Segments and the arms of angles are named in alphabetical order, sides of symmetric relations are sorted, and facts
    about geometry come sorted: structures, relations, numbers. What stands in a table or chart keeps its reading order.
    """
    named = [_named(constraint) for constraint in constraints]
    if any(isinstance(c, Structure) and c.type == "table" for c in named):
        return tuple(named)
    return tuple(sorted(named, key=_order))


def target_text(constraints: Sequence[Constraint]) -> str:
    """The JSON array that is learnt: the paper's fields, no boxes, whole numbers without a point.

    >>> target_text([Numeric(entity="segment BA", attribute="length", value=3.0, unit="cm")])
    '[{"category": "numeric", "entity": "segment BA", "attribute": "length", "value": 3, "unit": "cm", "confidence": 1.0}]'
    """
    values = constraints_to_json(replace(constraint, box=None) for constraint in constraints)
    for value in values:
        if isinstance(value.get("value"), float) and value["value"].is_integer():
            value["value"] = int(value["value"])
    return json.dumps(values, ensure_ascii=False)


def json_runs(measures: Sequence[str] = ()) -> tuple[str, ...]:
    """Stretches of that JSON which never vary, to be one token each: an answer then has tens of tokens, not hundreds.

    `measures` are column heads that follow a row's name in an entity.
    """
    opening = '{"category": '
    heads = [f'{opening}"numeric", "entity": "{kind}' for kind in ("segment ", "angle ", "")]
    heads += [f'{opening}"relation", "type": "{kind}", "entities": ["' for kind in (*_SYMMETRIC, "incident")]
    heads.append(f'{opening}"structure", "type": "table", "parts": ["')
    middles = [f'", "attribute": "{name}", "value": ' for name in _ATTRIBUTES]
    tails = [f', "unit": {unit}, "confidence": 1.0}}' for unit in _UNITS]
    tails.append('"], "direction": null, "confidence": 1.0}')
    tails.append('"], "attachment": [], "adjacency": [], "confidence": 1.0}')
    return ("[", *heads, *middles, '", "', *(tail + end for tail in tails for end in (", ", "]")), *measures)


def _named(constraint: Constraint) -> Constraint:
    if isinstance(constraint, Numeric):
        return replace(constraint, entity=_sorted_name(constraint.entity))
    if isinstance(constraint, Relation):
        names = [_sorted_name(entity) for entity in constraint.entities]
        symmetric = constraint.type in _SYMMETRIC
        return replace(constraint, entities=tuple(sorted(names) if symmetric else names))
    return constraint


def _sorted_name(entity: str) -> str:
    """A segment's ends, or the arms of an angle, in alphabetical order; other names are left alone."""
    kind, space, label = entity.rpartition(" ")
    if kind in ("", "segment") and _LINE.fullmatch(label):
        return kind + space + "".join(sorted(label))
    if kind == "angle" and _ANGLE.fullmatch(label):
        first, vertex, last = tuple(label)
        return kind + space + min(first, last) + vertex + max(first, last)
    return entity


def _order(constraint: Constraint) -> tuple[int, str]:
    match constraint:
        case Structure():
            return 0, constraint.type
        case Relation():
            return 1, f"{constraint.type} {' '.join(constraint.entities)}"
        case Numeric():
            return 2, f"{constraint.attribute} {constraint.entity} {constraint.value} {constraint.unit}"
