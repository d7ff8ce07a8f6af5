"""What an experiment varies, what asking for it will take, and constraints spoilt on purpose (Exp-3B, Exp-4).

What spoils takes a seeded generator and is nested: what a ratio spoils, every larger ratio spoils too, so that a curve shows the
ratio and not the luck of the draw.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeAlias

from evpv.types import RELATION_TYPES, STRUCTURE_TYPES, Constraint, Numeric, Relation, Structure

Constraints = tuple[Constraint, ...]

_FIELDS: Mapping[type[Constraint], tuple[str, str]] = {
    Numeric: ("entity", "value"), Relation: ("entities", "type"), Structure: ("parts", "type"),
}  # fmt: skip
"""What can be flipped of a fact: what it speaks of, and what it says of it."""


class _Corrupted(NamedTuple):
    """Spoilt constraints, and the share of fields (or facts) that really changed."""

    constraints: Constraints
    realised: float


def flip_fields(constraints: Sequence[Constraint], ratio: float, rng: random.Random) -> _Corrupted:
    """A share of all fields changed: values by a fifth to a half or to another fact's, types and names to others.

    A field can have nothing else to become (the only name in the figure): then it stays, and `realised` is less.
    """
    places = [(index, which) for index in range(len(constraints)) for which in range(2)]
    rng.shuffle(places)
    seeds = {place: rng.random() for place in places}
    spoilt = list(constraints)
    for index, which in places[: round(ratio * len(places))]:
        draw = random.Random(seeds[index, which])
        spoilt[index] = (_rename_subject if which == 0 else _change_statement)(spoilt[index], constraints, draw)
    changed = sum(
        getattr(old, field) != getattr(new, field)
        for old, new in zip(constraints, spoilt, strict=True)
        for field in _FIELDS[type(old)]
    )
    return _Corrupted(tuple(spoilt), changed / len(places) if places else 0.0)


def drop_facts(constraints: Sequence[Constraint], ratio: float, rng: random.Random) -> _Corrupted:
    """A share of the facts left out."""
    order = list(range(len(constraints)))
    rng.shuffle(order)
    gone = set(order[: round(ratio * len(order))])
    kept = tuple(constraint for index, constraint in enumerate(constraints) if index not in gone)
    return _Corrupted(kept, len(gone) / len(order) if order else 0.0)


def shuffle_values(constraints: Sequence[Constraint], rng: random.Random) -> _Corrupted:
    """All names kept and all values kept, but dealt to each other anew: no token is new, only the structure is wrong.

    The names of a kind are turned by a random amount, so that none keeps its own if there are two or more.
    """
    spoilt = list(constraints)
    for kind in (Numeric, Relation):
        order = [index for index, one in enumerate(constraints) if isinstance(one, kind)]
        if len(order) > 1:
            rng.shuffle(order)
        for index, other in zip(order, (*order[1:], *order[:1]), strict=True):
            subject = _FIELDS[kind][0]
            spoilt[index] = replace(constraints[index], **{subject: getattr(constraints[other], subject)})
    changed = sum(old != new for old, new in zip(constraints, spoilt, strict=True))
    return _Corrupted(tuple(spoilt), changed / len(constraints) if constraints else 0.0)


def _rename_subject(constraint: Constraint, everything: Sequence[Constraint], draw: random.Random) -> Constraint:
    """The same said of something else that the figure names; of a structure, of one part fewer."""
    if isinstance(constraint, Structure):
        return constraint if len(constraint.parts) < 2 else replace(constraint, parts=constraint.parts[:-1])
    subject = _FIELDS[type(constraint)][0]
    names = {getattr(one, subject) for one in everything if type(one) is type(constraint)}
    others = sorted(names - {getattr(constraint, subject)})
    return replace(constraint, **{subject: draw.choice(others)}) if others else constraint


def _change_statement(constraint: Constraint, everything: Sequence[Constraint], draw: random.Random) -> Constraint:
    """Something else said of the same thing."""
    if isinstance(constraint, Numeric):
        return replace(constraint, value=_other_value(constraint, everything, draw))
    known = RELATION_TYPES if isinstance(constraint, Relation) else STRUCTURE_TYPES
    return replace(constraint, type=draw.choice([name for name in known if name != constraint.type]))


def _other_value(constraint: Numeric, everything: Sequence[Constraint], draw: random.Random) -> float:
    """Another fact's value, or its own off by a fifth to a half; whole numbers stay whole."""
    others = sorted({one.value for one in everything if isinstance(one, Numeric)} - {constraint.value})
    if others and draw.random() < 0.5:
        return draw.choice(others)
    off = constraint.value * (1 + draw.choice((-1, 1)) * draw.uniform(0.2, 0.5)) if constraint.value else 1.0
    if not float(constraint.value).is_integer():
        return off
    return float(round(off)) if round(off) != constraint.value else constraint.value + 1.0


_Spoil: TypeAlias = Callable[[Constraints, random.Random], Constraints]
"""Constraints of one problem → what is used in their place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One configuration: which settings change, and what is done to the constraints before they are used.

    `gold` takes the true constraints in place of those read. `spoil` is applied for judge and matching alike. Its name
    tells equal ones from others, so that nothing is judged twice.
    """

    name: str
    group: str = ""
    judge: Mapping[str, Any] = field(default_factory=dict, hash=False)
    extractor: Mapping[str, Any] = field(default_factory=dict, hash=False)
    method: Mapping[str, Any] = field(default_factory=dict, hash=False)
    gold: bool = False
    spoil: _Spoil | None = None
    spoil_name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallPlan:
    """What a list of variants needs, before any of it is asked. Parts without a model need no call.

    `passes` are problems scored by a step model, which takes all candidates of a problem at once. `unknown` names what
    cannot be told beforehand.
    """

    variants: int
    readings: int = 0
    judgements: int = 0
    extract_calls: int = 0
    judge_calls: int = 0
    sample_calls: int = 0
    passes: int = 0
    unknown: str = ""

    @property
    def calls(self) -> int:
        return self.extract_calls + self.judge_calls + self.sample_calls

    def __str__(self) -> str:
        said = f"{self.variants} configurations, {self.readings} new readings, {self.judgements} judgings, {self.calls} model calls"
        passes = f", {self.passes} problems scored by a step model" if self.passes else ""
        return said + passes + (f"; {self.unknown}" if self.unknown else "")
