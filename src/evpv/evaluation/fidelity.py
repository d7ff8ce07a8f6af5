"""How faithful constraints are to the picture: precision, recall and F1 by category and data set (Appendix G's table).

Against gold constraints, or from the judgements of people. Stricter than matching a claim: a value must be the printed one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from evpv.evaluation.sheets import SheetCell
from evpv.evaluation.step_metrics import f1
from evpv.language.labels import entity_key
from evpv.language.text import plain
from evpv.language.tokens import content_stems as content
from evpv.records.lines import read_records
from evpv.types import Constraint, Numeric, Relation, Trace

_Category = Literal["numeric", "relation", "structure"]
_CATEGORIES: tuple[_Category, ...] = ("numeric", "relation", "structure")
_SAME_NAME = 0.5
"""Entities that are no geometry labels are the same if they share this much of their words (Jaccard), as in Appendix B."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fidelity:
    """Counts of one cell of the table."""

    right: int = 0
    invented: int = 0
    missed: int = 0

    @property
    def precision(self) -> float | None:
        return self.right / (self.right + self.invented) if self.right + self.invented else None

    @property
    def recall(self) -> float | None:
        return self.right / (self.right + self.missed) if self.right + self.missed else None

    @property
    def f1(self) -> float | None:
        """None where there was nothing to find and nothing was said."""
        known = self.right + self.invented + self.missed
        return f1(self.right, self.invented, self.missed) if known else None

    @property
    def cells(self) -> tuple[int | float | None, ...]:
        return self.right, self.invented, self.missed, self.precision, self.recall, self.f1

    def __add__(self, other: Fidelity) -> Fidelity:
        return Fidelity(
            right=self.right + other.right, invented=self.invented + other.invented, missed=self.missed + other.missed
        )


def _category(constraint: Constraint) -> _Category:
    if isinstance(constraint, Numeric):
        return "numeric"
    return "relation" if isinstance(constraint, Relation) else "structure"


def against_gold(
    read: Sequence[Constraint], gold: Sequence[Constraint], tolerance: float = 0.005
) -> dict[_Category, Fidelity]:
    """Each gold fact is found at most once; a reading that is no gold fact is invented. Structures count where gold has any.

    >>> one = Numeric(entity="AB", attribute="length", value=5.0)
    >>> against_gold([one], [Numeric(entity="segment BA", attribute="length", value=5.0)])["numeric"].right
    1
    """
    found = {}
    for name in _CATEGORIES:
        truth = [constraint for constraint in gold if _category(constraint) == name]
        mine = [constraint for constraint in read if _category(constraint) == name]
        if name == "structure" and not truth:
            mine = []
        right = _count_matches(mine, truth, tolerance)
        found[name] = Fidelity(right=right, invented=len(mine) - right, missed=len(truth) - right)
    return found


def _count_matches(read: Sequence[Constraint], gold: Sequence[Constraint], tolerance: float) -> int:
    """How many can be paired: gold facts are taken by the reading whose name is nearest, then by the others."""
    pairs = sorted(
        (-_likeness(mine, truth), i, j)
        for i, mine in enumerate(read)
        for j, truth in enumerate(gold)
        if _same(mine, truth, tolerance)
    )
    taken_read, taken_gold = set[int](), set[int]()
    for _, i, j in pairs:
        if i not in taken_read and j not in taken_gold:
            taken_read.add(i)
            taken_gold.add(j)
    return len(taken_gold)


def _same(read: Constraint, gold: Constraint, tolerance: float) -> bool:
    if isinstance(read, Numeric) and isinstance(gold, Numeric):
        near = abs(read.value - gold.value) <= tolerance * max(abs(gold.value), 1e-9)
        return near and _likeness(read, gold) >= _SAME_NAME
    if isinstance(read, Relation) and isinstance(gold, Relation):
        if read.type != gold.type or len(read.entities) != len(gold.entities):
            return False
        return all(any(_alike(a, b) >= _SAME_NAME for b in gold.entities) for a in read.entities)
    return not isinstance(read, Numeric | Relation) and read.type == gold.type and _likeness(read, gold) >= _SAME_NAME  # type: ignore[union-attr]


def _likeness(read: Constraint, gold: Constraint) -> float:
    """How much of their names two facts share, from 0 to 1."""
    if isinstance(read, Numeric) and isinstance(gold, Numeric):
        return _alike(read.entity, gold.entity)
    if isinstance(read, Relation) and isinstance(gold, Relation):
        return 1.0
    if isinstance(read, Numeric | Relation) or isinstance(gold, Numeric | Relation):
        return 0.0
    wanted = set[str]().union(*(content(plain(part)) for part in gold.parts))
    named = set[str]().union(*(content(plain(part)) for part in read.parts))
    return len(wanted & named) / len(wanted) if wanted else 1.0


def _alike(one: str, other: str) -> float:
    keys = entity_key(plain(one)), entity_key(plain(other))
    if any(keys):
        return float(keys[0] == keys[1])
    left, right = set(content(plain(one))), set(content(plain(other)))
    return len(left & right) / len(left | right) if left | right else float(one == other)


def totals(rows: Iterable[dict[_Category, Fidelity]]) -> dict[str, Fidelity]:
    """The table's rows of one data set: each category, and all of them together."""
    listed = list(rows)
    found: dict[str, Fidelity] = {name: sum((row[name] for row in listed), Fidelity()) for name in _CATEGORIES}
    return {**found, "overall": sum(found.values(), Fidelity())}


def judged_fidelity(file: Path, traces: Sequence[Trace]) -> tuple[tuple[SheetCell, ...], ...]:
    """Counts from a judgement file: {"id", "supported": [true, …] by constraint, "missing": ["numeric", …]} a line."""
    words = {row["id"]: row for row in read_records(file, lambda record, line: record)}
    groups: dict[str, list[Any]] = {}
    for trace in traces:
        if (said := words.get(trace.problem_id)) is None:
            continue
        flags = zip(trace.constraints, said["supported"], strict=True)  # which of them the picture supports
        told = Counter((_category(one), bool(flag)) for one, flag in flags)
        lacking: Counter[_Category] = Counter(said.get("missing", ()))
        counts = {
            name: Fidelity(right=told[name, True], invented=told[name, False], missed=lacking[name])
            for name in _CATEGORIES
        }
        for name in (trace.problem.data_source or "all", "TOTAL"):
            groups.setdefault(name, []).append(counts)
    return tuple((f"{name}: {kind}", *one.cells) for name, rows in groups.items() for kind, one in totals(rows).items())
