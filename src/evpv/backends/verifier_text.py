"""The text that our own models write and read: the extractor's facts, and the question with them for the verifier.

Training and scoring must write this to the letter alike, with everything fixed that the picture does not decide. It does
not say whether a side is AB or BA, nor which of two facts comes first: a target that chooses at random teaches noise, and
a verifier that learnt from "AB" has not seen "BA". Nothing that matching can tell apart is lost.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from evpv.records import constraints_to_json
from evpv.types import Constraint, Numeric, Problem, Relation, Structure

_LINE = re.compile(r"[A-Z]{2}")
_ANGLE = re.compile(r"[A-Z]{3}")
_SYMMETRIC = ("parallel", "perpendicular", "equal", "adjacent")


def verifier_question(question: str, constraints: Sequence[Constraint] | None) -> str:
    """The question, and below it the facts as the extractor's own JSON; None leaves them out, an empty list is told."""
    if constraints is None:
        return question
    return f"{question}\n{facts_text(canonical(constraints))}"


def trained_with_facts(model: str) -> bool | None:
    """Whether a verifier learnt with facts below the question, by its `training.json` or its card; None if neither says."""
    folder = Path(str(files("evpv.backends") / "shipped" / model[5:])) if model.startswith("evpv:") else Path(model)
    for name in ("training.json", "README.md"):
        if (folder / name).is_file():
            text = (folder / name).read_text(encoding="utf-8")
            found = re.search(r'"verifier":\s*\{[^}]*?"constraints":\s*(true|false)', text)
            if found:
                return found[1] == "true"
    return None


def asked_text(problem: Problem) -> str:
    """The question with its options, which candidates name by letter.

    >>> asked_text(Problem(id="p", question="Which?", options=("3", "4")))
    'Which? (A) 3 (B) 4'
    """
    options = (f"({chr(ord('A') + number)}) {option}" for number, option in enumerate(problem.options))
    return " ".join([problem.question, *options]).strip()


def facts_text(constraints: Sequence[Constraint]) -> str:
    """The paper's JSON array without boxes, whole numbers without a point.

    >>> facts_text([Numeric(entity="segment AB", attribute="length", value=3.0, unit="cm")])
    '[{"category": "numeric", "entity": "segment AB", "attribute": "length", "value": 3, "unit": "cm", "confidence": 1.0}]'
    """
    values = constraints_to_json(replace(constraint, box=None) for constraint in constraints)
    for value in values:
        if isinstance(value.get("value"), float) and value["value"].is_integer():
            value["value"] = int(value["value"])
    return json.dumps(values, ensure_ascii=False)


def canonical(constraints: Iterable[Constraint]) -> tuple[Constraint, ...]:
    """The same facts with names and order that the picture decides.

    Segments and the arms of angles are named in alphabetical order, sides of symmetric relations are sorted, and facts
    about geometry come sorted: structures, relations, numbers. What stands in a table or chart keeps its reading order.
    """
    named = [_named(constraint) for constraint in constraints]
    if any(isinstance(constraint, Structure) and constraint.type == "table" for constraint in named):
        return tuple(named)
    return tuple(sorted(named, key=_order))


def _named(constraint: Constraint) -> Constraint:
    match constraint:
        case Numeric():
            return replace(constraint, entity=_sorted_name(constraint.entity))
        case Relation():
            names = [_sorted_name(entity) for entity in constraint.entities]
            return replace(constraint, entities=tuple(sorted(names) if constraint.type in _SYMMETRIC else names))
        case Structure():
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
