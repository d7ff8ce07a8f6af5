"""Constraints as JSON: the paper's Appendix A schema to the letter, plus optional fields of ours.

`confidence` may be absent and then is 1.0: a fact given without doubt. A number in quotes is an error here; repairing
a model's text is the business of what asked the model.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, TypeAdapter

from evpv.errors import RecordError
from evpv.records.lines import JsonObject, with_extra
from evpv.records.validation import Form, NonEmpty, validate, within
from evpv.types import Box, Constraint, Numeric, Reading, Relation, Structure

Confidence = Annotated[float, Field(ge=0, le=1)]
BoxForm = Annotated[list[float], Field(min_length=4, max_length=4, description="x0, y0, x1, y1 in pixels")]
_CATEGORIES = ("numeric", "relation", "structure")
_PLACE_FIELDS = ("row", "column", "series", "error")


class NumericForm(Form):
    """A measurable fact."""

    category: Literal["numeric"]
    entity: str
    attribute: str
    value: float
    unit: str | None = None
    confidence: Confidence = 1.0
    box: BoxForm | None = None
    reading: Reading = "printed"
    row: str | None = None
    column: str | None = None
    series: str | None = None
    error: Annotated[float, Field(ge=0)] | None = None

    def to_constraint(self) -> Constraint:
        return Numeric(
            entity=self.entity,
            attribute=self.attribute,
            value=self.value,
            unit=self.unit,
            confidence=self.confidence,
            box=box_from_json(self.box),
            reading=self.reading,
            row=self.row,
            column=self.column,
            series=self.series,
            error=self.error,
            extra=self.extra,
        )


class RelationForm(Form):
    """A relation between entities, in order."""

    category: Literal["relation"]
    type: NonEmpty
    entities: Annotated[list[str], Field(min_length=1)]
    direction: str | None = None
    confidence: Confidence = 1.0
    box: BoxForm | None = None

    def to_constraint(self) -> Constraint:
        return Relation(
            type=self.type,
            entities=tuple(self.entities),
            direction=self.direction,
            confidence=self.confidence,
            box=box_from_json(self.box),
            extra=self.extra,
        )


class StructureForm(Form):
    """How a figure is put together."""

    category: Literal["structure"]
    type: NonEmpty
    parts: list[str]
    attachment: list[str] | None = None
    adjacency: list[str] | None = None
    confidence: Confidence = 1.0
    box: BoxForm | None = None

    def to_constraint(self) -> Constraint:
        return Structure(
            type=self.type,
            parts=tuple(self.parts),
            attachment=tuple(self.attachment or ()),
            adjacency=tuple(self.adjacency or ()),
            confidence=self.confidence,
            box=box_from_json(self.box),
            extra=self.extra,
        )


def _category(value: Any) -> str | None:
    category = value.get("category") if isinstance(value, dict) else None
    return f"<{category}>" if isinstance(category, str) and category in _CATEGORIES else None


ConstraintForm = Annotated[
    Annotated[NumericForm, Tag("<numeric>")]
    | Annotated[RelationForm, Tag("<relation>")]
    | Annotated[StructureForm, Tag("<structure>")],
    Discriminator(
        _category,
        custom_error_type="form",
        custom_error_message="must be an object whose 'category' is 'numeric', 'relation' or 'structure'",
    ),
]
CONSTRAINT: TypeAdapter[NumericForm | RelationForm | StructureForm] = TypeAdapter(ConstraintForm)


def constraint_from_json(value: Any) -> Constraint:
    """A constraint from its JSON object.

    >>> constraint_from_json({"category": "relation", "type": "parallel", "entities": ["AB", "CD"]}).confidence
    1.0
    """
    return validate(CONSTRAINT, value).to_constraint()


def constraints_from_json(values: Any) -> tuple[Constraint, ...]:
    """A JSON array of constraints; an error names the index."""
    if not isinstance(values, list):
        raise RecordError("must be an array of constraints")
    constraints = []
    for index, value in enumerate(values):
        try:
            constraints.append(constraint_from_json(value))
        except RecordError as error:
            raise within(f"[{index}]", error) from None
    return tuple(constraints)


def constraints_to_json(constraints: Iterable[Constraint]) -> list[JsonObject]:
    """A JSON array of constraints."""
    return [constraint_to_json(constraint) for constraint in constraints]


def constraint_to_json(constraint: Constraint) -> JsonObject:
    """A constraint as its JSON object; fields of ours are written only where they say something."""
    known: JsonObject
    match constraint:
        case Numeric():
            known = {
                "category": "numeric",
                "entity": constraint.entity,
                "attribute": constraint.attribute,
                "value": constraint.value,
                "unit": constraint.unit,
                "confidence": constraint.confidence,
            }
            if constraint.reading != "printed":
                known["reading"] = constraint.reading
            placed = {name: getattr(constraint, name) for name in _PLACE_FIELDS}
            known |= {name: value for name, value in placed.items() if value is not None}
        case Relation():
            known = {
                "category": "relation",
                "type": constraint.type,
                "entities": list(constraint.entities),
                "direction": constraint.direction,
                "confidence": constraint.confidence,
            }
        case Structure():
            known = {
                "category": "structure",
                "type": constraint.type,
                "parts": list(constraint.parts),
                "attachment": list(constraint.attachment),
                "adjacency": list(constraint.adjacency),
                "confidence": constraint.confidence,
            }
    if constraint.box is not None:
        known["box"] = list(constraint.box)
    reserved = ("box", "reading", *_PLACE_FIELDS) if isinstance(constraint, Numeric) else ("box",)
    return with_extra(known, constraint.extra, reserved=reserved)


def value_words(fact: Numeric) -> str:
    """The value as a person would write it: as printed, or about so much, with the error that the reader believes.

    >>> value_words(Numeric(entity="AB", attribute="length", value=5.0, unit="cm"))
    '5 cm'
    >>> value_words(Numeric(entity="May", attribute="value", value=49.9153, reading="estimated"))
    'about 50'
    >>> value_words(Numeric(entity="May", attribute="value", value=1234.7, reading="estimated", error=12.0))
    'about 1230 ± 10'
    """
    unit = f" {fact.unit}" if fact.unit else ""
    if fact.reading == "printed":
        return f"{fact.value:.10g}{unit}"
    if not fact.error:
        return f"about {float(_round_at(fact.value, _place(fact.value) - 1)):.10g}{unit}"
    place = _place(fact.error)
    return f"about {_round_at(fact.value, place)} ± {_round_at(fact.error, place)}{unit}"


def _place(value: float) -> int:
    """The decimal place of a number's first digit: 1 for 42, −2 for 0.05."""
    return math.floor(math.log10(abs(value))) if value else 0


def _round_at(value: float, place: int) -> str:
    return f"{round(value, -place):.{max(-place, 0)}f}"


def box_from_json(numbers: list[float] | None) -> Box | None:
    """Four numbers as a box."""
    if numbers is None:
        return None
    x0, y0, x1, y1 = numbers
    return (x0, y0, x1, y1)
