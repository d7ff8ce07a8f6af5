"""What a claim can be: a value, a relation, a structure, or nothing that can be checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from evpv.premises.normalize.numbers import Quantity
from evpv.types import ClaimType

NumericForm = Literal["value", "difference", "ratio"]
RelationForm = Literal["stated", "expression", "comparison", "extreme", "trend"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NumericClaim:
    """“`entity` has `attribute` equal to a quantity”; `values` holds all quantities that the sentence asserts."""

    text: str
    entity: str
    attribute: str
    values: tuple[Quantity, ...]
    form: NumericForm = "value"


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationClaim:
    """“`type` holds between `entities`”, stated outright or to be computed from numbers (`form`)."""

    text: str
    type: str
    entities: tuple[str, ...]
    form: RelationForm = "stated"


@dataclass(frozen=True, slots=True, kw_only=True)
class StructureClaim:
    """“The figure is put together from `parts`”."""

    text: str
    type: str
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unclassifiable:
    """Nothing that could be checked against a figure."""

    text: str
    reason: str


Claim: TypeAlias = NumericClaim | RelationClaim | StructureClaim | Unclassifiable


def claim_type(claim: Claim) -> ClaimType:
    """The name of a parsed claim's type, as traces hold it."""
    match claim:
        case NumericClaim():
            return "numeric"
        case RelationClaim():
            return "relation"
        case StructureClaim():
            return "structure"
        case Unclassifiable():
            return "unclassifiable"
