"""What people mended in what was read: a file beside the run, one line a change, appended by one writer at a time.

A line says who changed which fact of which problem when, from what to what. Nothing is overwritten: what was read stays
in the traces, and the mended facts are what is read with the corrections applied in their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from pydantic import Field

from evpv.errors import RecordError
from evpv.records.codec import Codec, Identifier, NonEmpty
from evpv.records.constraints import CONSTRAINT, constraint_to_json
from evpv.records.lines import read_records
from evpv.records.runs import Journal
from evpv.types import Constraint

CORRECTIONS_FILE = "corrections.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One fact of a problem mended: without `old` it was added, without `new` deleted."""

    problem_id: str
    old: Constraint | None
    new: Constraint | None

    def __post_init__(self) -> None:
        if self.old is None and self.new is None:
            raise ValueError("old and new are both null: nothing would change")


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A change with who made it and when, in UTC; `id` is its number in the file."""

    id: str
    who: str
    when: str
    change: Change


_CHANGE = Codec(kind=Change, types={"problem_id": Identifier}, nested={"old": CONSTRAINT, "new": CONSTRAINT})
_CORRECTION = Codec(
    kind=Correction,
    types={"id": Identifier, "who": NonEmpty, "when": Annotated[str, Field(min_length=10)]},
    parts={"change": _CHANGE},
)


def change_from_json(record: object) -> Change:
    """A change from its JSON object, as a page sends it; constraints are held to the schema."""
    return _CHANGE.read(record)


def read_corrections(path: str | Path) -> dict[str, list[Correction]]:
    """The corrections of a file by problem, each problem's in the order in which they were made."""
    found: dict[str, list[Correction]] = {}
    for one in read_records(path, lambda record, _: _CORRECTION.read(record)):
        found.setdefault(one.change.problem_id, []).append(one)
    return found


def mended_constraints(constraints: Sequence[Constraint], changes: Iterable[Change]) -> tuple[Constraint, ...]:
    """The facts with the changes made, in order; a mended fact keeps its place, a new one goes to the end.

    A fact that is to be changed and is not there is an error: the picture was read again since, and the person who
    mended it saw something else.
    """
    facts = list(constraints)
    for change in changes:
        if change.old is None:
            facts += [] if change.new is None else [change.new]
            continue
        if change.old not in facts:
            said = constraint_to_json(change.old)
            raise RecordError(f"{change.problem_id!r} has no fact {said}: it was read again, or mended by someone else")
        place = facts.index(change.old)
        facts[place : place + 1] = [] if change.new is None else [change.new]
    return tuple(facts)


class CorrectionFile:
    """The file while somebody mends: locked, so that two editors cannot undo each other, and appended a whole line at a time."""

    def __init__(self, path: Path, who: str) -> None:
        self._lines = Journal(path)
        self.who = who
        self.by_problem = read_corrections(path)

    def changes_of(self, problem_id: str) -> list[Change]:
        return [one.change for one in self.by_problem.get(problem_id, ())]

    def append(self, change: Change) -> Correction:
        when = datetime.now(UTC).isoformat(timespec="seconds")
        one = Correction(id=str(len(self._lines.done) + 1), who=self.who, when=when, change=change)
        self._lines.append(_CORRECTION.write(one))
        self.by_problem.setdefault(change.problem_id, []).append(one)
        return one

    def close(self) -> None:
        self._lines.close()
