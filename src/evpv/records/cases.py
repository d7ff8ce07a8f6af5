"""Files about constraint sets: cases for matching, and what an extraction wrote."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from evpv.records.constraints import ConstraintForm, constraints_to_json
from evpv.records.lines import JsonObject, OnError, Skipped, read_records, with_extra, write_records
from evpv.records.validation import Form, Identifier, validate
from evpv.types import Constraint, Extra


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One claim and the constraints it is to be matched against."""

    id: str
    claim: str
    constraints: tuple[Constraint, ...]
    extra: Extra = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstraintSet:
    """The constraints of one problem, by its id."""

    id: str
    constraints: tuple[Constraint, ...]
    extra: Extra = field(default_factory=dict, hash=False)


class CaseForm(Form):
    id: Identifier
    claim: str
    constraints: list[ConstraintForm]


class ConstraintSetForm(Form):
    id: Identifier
    constraints: list[ConstraintForm]


_CASE = TypeAdapter(CaseForm)
_CONSTRAINT_SET = TypeAdapter(ConstraintSetForm)


def read_cases(path: str | Path, *, on_error: OnError = "stop", report: Skipped | None = None) -> Iterator[Case]:
    """The cases of a file of `{"id", "claim", "constraints"}` lines, one at a time."""
    return read_records(path, lambda record, _: case_from_json(record), on_error=on_error, report=report)


def read_constraints(
    path: str | Path, *, on_error: OnError = "stop", report: Skipped | None = None
) -> Iterator[ConstraintSet]:
    """The constraint sets of a file of `{"id", "constraints"}` lines, one at a time."""
    return read_records(path, lambda record, _: constraint_set_from_json(record), on_error=on_error, report=report)


def write_constraints(path: str | Path, sets: Iterable[ConstraintSet]) -> int:
    """Write constraint sets as `{"id", "constraints"}` lines and return how many."""
    return write_records(path, (constraint_set_to_json(one) for one in sets))


def case_from_json(record: Any) -> Case:
    """A case from its JSON object."""
    form = validate(_CASE, record)
    constraints = tuple(constraint.to_constraint() for constraint in form.constraints)
    return Case(id=form.id, claim=form.claim, constraints=constraints, extra=form.extra)


def constraint_set_from_json(record: Any) -> ConstraintSet:
    """A constraint set from its JSON object."""
    form = validate(_CONSTRAINT_SET, record)
    constraints = tuple(constraint.to_constraint() for constraint in form.constraints)
    return ConstraintSet(id=form.id, constraints=constraints, extra=form.extra)


def constraint_set_to_json(one: ConstraintSet) -> JsonObject:
    """A constraint set as its JSON object."""
    return with_extra({"id": one.id, "constraints": constraints_to_json(one.constraints)}, one.extra)
