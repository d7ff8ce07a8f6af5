"""What asking models cost, summed over a run and shown as a table; and the budget that a command is given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from rich.table import Table

from evpv.config import Recipe
from evpv.errors import BudgetError
from evpv.types import Trace

Item = TypeVar("Item")

COLUMNS = (
    ("calls", "calls"), ("hits", "stored"), ("retries", "retries"), ("images", "images"), ("prompt_tokens", "tokens in"),
    ("completion_tokens", "tokens out"), ("seconds", "seconds"), ("money", "money"),
)  # fmt: skip


def with_budget(recipe: Recipe, budget: float | None) -> Recipe:
    """The recipe with the budget of the command line, where one is given."""
    return recipe if budget is None else replace(recipe, budget=budget)


@dataclass(slots=True)
class Purse:
    """Lets items by until the budget is spent; `empty` is then the error that said so, to be raised when all is written."""

    empty: BudgetError | None = None

    def until_spent(self, items: Iterable[Item]) -> Iterator[Item]:
        """The items, ending early instead of failing where the budget does not allow more."""
        try:
            yield from items
        except BudgetError as error:
            self.empty = error

    def check(self) -> None:
        """Fail with what ended the items early, if anything did."""
        if self.empty is not None:
            raise self.empty


@dataclass(slots=True)
class RunSums:
    """A run's sums, grown a trace at a time: what each stage cost, how judgements were got, what was not read."""

    problems: int = 0
    cost: dict[str, Counter[str]] = field(default_factory=dict)
    judging: Counter[str] = field(default_factory=Counter)
    reading: Counter[str] = field(default_factory=Counter)

    def add(self, trace: Trace) -> None:
        self.problems += 1
        for stage, usage in trace.cost.get("stages", {}).items():
            self.cost.setdefault(stage, Counter()).update(usage)
        self.judging.update({k: v for k, v in trace.judging.items() if isinstance(v, int)})
        self.reading.update(_readings(trace))

    def to_json(self) -> dict[str, Any]:
        sums: dict[str, Any] = {"problems": self.problems}
        if self.cost:
            sums["cost"] = {stage: _round_all(usage) for stage, usage in self.cost.items()}
        if self.judging:
            called = {"called_share": self.judging["called"] / self.judging["steps"]} if self.judging["called"] else {}
            sums["judging"] = {**self.judging, **called}
        if self.reading:
            sums["reading"] = dict(self.reading)
        return sums


def cost_table(cost: Mapping[str, Mapping[str, float]]) -> Table:
    """A row for each stage, and their sum where there are several; columns of noughts are left out."""
    rows = dict(cost)
    if len(rows) > 1:
        total = Counter[str]()
        for usage in cost.values():
            total.update(usage)
        rows["all"] = dict(total)
    columns = [(name, title) for name, title in COLUMNS if any(row.get(name) for row in rows.values())]
    table = Table(title="what asking cost", title_justify="left")
    table.add_column("stage")
    for _, title in columns:
        table.add_column(title, justify="right")
    for stage, row in rows.items():
        table.add_row(stage, *(_cell(name, row.get(name, 0)) for name, _ in columns))
    return table


def _readings(trace: Trace) -> dict[str, int]:
    facts = trace.cost.get("reading", {})
    found = {
        "unread": int(trace.extraction.problem is not None),
        "dropped": len(facts.get("dropped", ())),
        "repaired": int(bool(facts.get("repairs"))),
    }
    return {name: count for name, count in found.items() if count}


def _round_all(usage: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 6) for name, value in usage.items()}


def _cell(name: str, value: float) -> str:
    if name == "money":
        return f"{value:.4f}"
    return f"{value:,.1f}" if name == "seconds" else f"{value:,.0f}"
