"""Constraints in what a model answered: the form that is asked for (Appendix A), and how each one is read and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evpv.backends.replies import read_json
from evpv.backends.schemas import Misfit, fit_to_schema
from evpv.errors import RecordError
from evpv.records import constraint_from_json
from evpv.types import RELATION_TYPES, STRUCTURE_TYPES, Constraint

_MAX_CONSTRAINTS = 64
_MAX_NAME_CHARS = 200
_MAX_PARTS = 32

_NAME = {"type": "string", "maxLength": _MAX_NAME_CHARS}
_NAME_OR_NULL = {"type": ["string", "null"], "maxLength": _MAX_NAME_CHARS}
_NAMES = {"type": "array", "items": _NAME, "maxItems": _MAX_PARTS}
_CONFIDENCE = {"type": "number", "minimum": 0, "maximum": 1}


def _form(category: str, **fields: Any) -> dict[str, Any]:
    properties = {"category": {"type": "string", "enum": [category]}, **fields, "confidence": _CONFIDENCE}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


_FORMS: dict[str, dict[str, Any]] = {
    "numeric": _form("numeric", entity=_NAME, attribute=_NAME, value={"type": "number"}, unit=_NAME_OR_NULL),
    "relation": _form(
        "relation",
        type={"type": "string", "enum": list(RELATION_TYPES)},
        entities={**_NAMES, "minItems": 2},
        direction=_NAME_OR_NULL,
    ),
    "structure": _form(
        "structure",
        type={"type": "string", "enum": list(STRUCTURE_TYPES)},
        parts=_NAMES,
        attachment=_NAMES,
        adjacency=_NAMES,
    ),
}
CONSTRAINTS_SCHEMA: dict[str, Any] = {
    "type": "array",
    "items": {"anyOf": list(_FORMS.values())},
    "maxItems": _MAX_CONSTRAINTS,
}
"""What a model is held to where its server can: Appendix A to the letter. Everything is bounded, so that it ends."""

_TELLING_FIELD = {"value": "numeric", "entities": "relation", "parts": "structure"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """A constraint that was left out: its place in the answer, counted from 0, and why."""

    place: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstraintsAnswer:
    """What could be read of an answer; `problem` says why nothing could."""

    constraints: tuple[Constraint, ...] = ()
    repairs: tuple[str, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    problem: str | None = None


def read_constraints_answer(text: str | None, *, to_the_letter: bool = False) -> ConstraintsAnswer:
    """Every constraint in the answer that is one; bad ones are left out with the reason, and do not cost the others.

    Words outside the paper's lists of types are kept, as in any record; `to_the_letter` leaves them out too.
    """
    reading = read_json(text, {"type": "array"})
    if reading.problem is not None:
        return ConstraintsAnswer(repairs=reading.repairs, problem=reading.problem)
    found: dict[Constraint, None] = {}
    repairs, dropped = list(reading.repairs), list[Dropped]()
    for place, item in enumerate(reading.value):
        one = _read_one(item, to_the_letter)
        if isinstance(one, str):
            dropped.append(Dropped(place=place, reason=one))
        elif one.constraint in found:
            dropped.append(Dropped(place=place, reason="it was said before"))
        else:
            found[one.constraint] = None
            repairs += one.repairs
    return ConstraintsAnswer(
        constraints=tuple(found), repairs=tuple(dict.fromkeys(repairs)), dropped=tuple(dropped), problem=None
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _One:
    constraint: Constraint
    repairs: tuple[str, ...]


def _read_one(item: Any, to_the_letter: bool) -> _One | str:
    """One constraint and what was mended in it, or the reason why it is none."""
    if not isinstance(item, dict):
        return "it is no object"
    record, repairs = _with_category(item)
    category = str(record.get("category")).strip().lower()
    if category not in _FORMS:
        return "its 'category' is not 'numeric', 'relation' or 'structure'"
    result = fit_to_schema(record, _FORMS[category] if to_the_letter else _open_form(category))
    if isinstance(result, Misfit):
        return str(result)
    try:
        constraint = constraint_from_json(result.value)
    except RecordError as error:
        return str(error)
    return _One(constraint=constraint, repairs=(*repairs, *result.repairs))


def _with_category(item: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The constraint with its category, which its other fields tell where the model left it out."""
    if "category" not in item:
        for name, category in _TELLING_FIELD.items():
            if name in item:
                return {"category": category, **item}, ("category-from-fields",)
    return dict(item), ()


def _open_form(category: str) -> dict[str, Any]:
    """The form with any word as `type`, and with nothing required that a record does not require."""
    form = _FORMS[category]
    properties = dict(form["properties"])
    if "type" in properties:
        properties["type"] = _NAME
    if "entities" in properties:
        properties["entities"] = _NAMES
    return {"type": "object", "properties": properties}
