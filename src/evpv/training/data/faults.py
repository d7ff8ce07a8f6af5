"""Rows that cannot be learnt from: each kind has a name, is counted, and is refused or skipped as the recipe says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from evpv.errors import RecordError

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Why a row cannot be learnt from."""

    place: str
    kind: str
    message: str


@dataclass(slots=True)
class Faults:
    """Rows that could not be used, counted by kind, the first of each kept to be shown."""

    kinds: Counter[str] = field(default_factory=Counter)
    examples: list[Fault] = field(default_factory=list)

    def add(self, fault: Fault, on_bad: str) -> None:
        """Count a row that is left out, or stop there if the recipe says so."""
        if not self.kinds[fault.kind]:
            self.examples.append(fault)
        self.kinds[fault.kind] += 1
        if on_bad == "refuse":
            raise RecordError(f'{fault.message} ({fault.kind}); on_bad = "skip" leaves such rows out', file=fault.place)

    def told(self) -> str:
        """One line per kind: how often, and where first."""
        return "\n".join(
            f"{self.kinds[fault.kind]} × {fault.kind}, first {fault.place}: {fault.message}" for fault in self.examples
        )


def usable(
    rows: Iterable[tuple[str, Row]], check: Callable[[Row, str], Fault | None], on_bad: str, faults: Faults
) -> Iterator[Row]:
    """The rows with which nothing is wrong; each comes with its place in a file."""
    for place, row in rows:
        fault = check(row, place)
        if fault is None:
            yield row
        else:
            faults.add(fault, on_bad)
