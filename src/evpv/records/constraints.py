"""Constraints as JSON: the paper's Appendix A schema to the letter, plus optional fields of ours.

`confidence` may be absent and then is 1.0: a fact given without doubt. A number in quotes is an error here; repairing
a model's text is the business of what asked the model. Files hold cases for matching.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, reduce
from operator import or_
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Discriminator, Field, Tag, TypeAdapter

from evpv.errors import RecordError
from evpv.records.codec import Codec, Identifier, NonEmpty, Share, array_of, validate, within
from evpv.records.lines import JsonObject, OnError, Skipped, read_records
from evpv.types import Constraint, Extra, Numeric, Problem, Relation, Structure

_TextsOrNull = Annotated[list[str] | None, AfterValidator(lambda texts: tuple(texts or ()))]
_KINDS: dict[str, Codec[Any]] = {
    "numeric": Codec(
        kind=Numeric, constants={"category": "numeric"}, written=("unit", "confidence"),
        types={"confidence": (Share, 1.0), "error": (Annotated[float, Field(ge=0)] | None, None)},
    ),
    "relation": Codec(
        kind=Relation, constants={"category": "relation"}, written=("direction", "confidence"),
        types={"type": NonEmpty, "entities": array_of(str, least=1), "confidence": (Share, 1.0)},
    ),
    "structure": Codec(
        kind=Structure, constants={"category": "structure"}, written=("attachment", "adjacency", "confidence"),
        types={"type": NonEmpty, **dict.fromkeys(("attachment", "adjacency"), (_TextsOrNull, ())), "confidence": (Share, 1.0)},
    ),
}  # fmt: skip
_CODECS = {codec.kind: codec for codec in _KINDS.values()}


class _ConstraintCodec:
    """One of the three kinds, told by its `category`."""

    @cached_property
    def hint(self) -> Any:
        return Annotated[
            reduce(or_, (Annotated[codec.hint, Tag(f"<{name}>")] for name, codec in _KINDS.items())),
            Discriminator(
                _category,
                custom_error_type="form",
                custom_error_message="must be an object whose 'category' is 'numeric', 'relation' or 'structure'",
            ),
        ]

    @cached_property
    def adapter(self) -> TypeAdapter[Constraint]:
        return TypeAdapter(self.hint)

    def write(self, value: Constraint, /) -> JsonObject:
        return _CODECS[type(value)].write(value)


def _category(value: Any) -> str | None:
    category = value.get("category") if isinstance(value, dict) else None
    return f"<{category}>" if isinstance(category, str) and category in _KINDS else None


CONSTRAINT = _ConstraintCodec()


def constraint_from_json(value: Any) -> Constraint:
    """A constraint from its JSON object.

    >>> constraint_from_json({"category": "relation", "type": "parallel", "entities": ["AB", "CD"]}).confidence
    1.0
    """
    return validate(CONSTRAINT.adapter, value)


def constraints_from_json(values: Any) -> tuple[Constraint, ...]:
    """A JSON array of constraints; an error names the index."""
    if not isinstance(values, list):
        raise RecordError("must be an array of constraints")
    constraints = []
    for index, value in enumerate(values):
        with within(f"[{index}]"):
            constraints.append(constraint_from_json(value))
    return tuple(constraints)


def given_constraints(problem: Problem) -> tuple[Constraint, ...] | None:
    """The constraints that a problem's own record holds in its field `constraints`, which is others' until it is asked for."""
    given = problem.extra.get("constraints")
    return None if given is None else constraints_from_json(given)


def constraint_to_json(constraint: Constraint) -> JsonObject:
    """A constraint as its JSON object; fields of ours are written only where they say something."""
    return CONSTRAINT.write(constraint)


def constraints_to_json(constraints: Iterable[Constraint]) -> list[JsonObject]:
    return [CONSTRAINT.write(constraint) for constraint in constraints]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One claim and the constraints it is to be matched against."""

    id: str
    claim: str
    constraints: tuple[Constraint, ...]
    extra: Extra = field(default_factory=dict, hash=False)


_CASE = Codec(kind=Case, types={"id": Identifier}, nested={"constraints": CONSTRAINT})


def read_cases(path: str | Path, *, on_error: OnError = "stop", report: Skipped | None = None) -> Iterator[Case]:
    """The cases of a file of `{"id", "claim", "constraints"}` lines, one at a time."""
    return read_records(path, lambda record, _: _CASE.read(record), on_error=on_error, report=report)


def describe(constraint: Constraint) -> str:
    """A constraint in words.

    >>> describe(Numeric(entity="segment AB", attribute="length", value=5.0, unit="cm"))
    'segment AB: length 5 cm'
    """
    if isinstance(constraint, Numeric):
        return f"{constraint.entity}: {constraint.attribute} {_value_words(constraint)}"
    if isinstance(constraint, Relation):
        return f"{constraint.type}: {', '.join(constraint.entities)}"
    return f"{constraint.type} of {', '.join(constraint.parts) or 'unnamed parts'}"


def _value_words(fact: Numeric) -> str:
    """The value as a person would write it: as printed, or about so much, with the error that the reader believes.

    >>> _value_words(Numeric(entity="AB", attribute="length", value=5.0, unit="cm"))
    '5 cm'
    >>> _value_words(Numeric(entity="May", attribute="value", value=49.9153, reading="estimated"))
    'about 50'
    >>> _value_words(Numeric(entity="May", attribute="value", value=1234.7, reading="estimated", error=12.0))
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
