"""What a run shows when it is done: its page, its sums and what asking cost, a few tables, and what was not looked at."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

import typer
from rich.table import Table

from evpv.backends.ledger import Ledger, usage_to_json
from evpv.cli.terminal import escape_markup, screen, table, tell
from evpv.errors import BudgetError
from evpv.files import write_whole
from evpv.records import read_traces
from evpv.records.trace_files import TraceLine, trace_of_line
from evpv.reward.method import Method, with_settings
from evpv.types import Trace
from evpv.viewer.bundle import MOST_INLINE_PROBLEMS, Page, run_names
from evpv.viewer.summaries import choice_words, doubt_words, ranking_cells, why_unread

_Item = TypeVar("_Item")

_COLUMNS = {
    "calls": "calls", "hits": "stored", "retries": "retries", "images": "images", "prompt_tokens": "tokens in",
    "completion_tokens": "tokens out", "seconds": "seconds", "money": "money",
}  # fmt: skip
_FORMATS = {"money": ".4f", "seconds": ",.1f"}
_LONGEST_CELL = 100


@dataclass(slots=True)
class SpendingLimit:
    """Lets items by until the budget is spent; `exceeded` is then the error that said so, to be raised when all is written."""

    exceeded: BudgetError | None = None

    def until_spent(self, items: Iterable[_Item]) -> Iterator[_Item]:
        """The items, ending early instead of failing where the budget does not allow more."""
        try:
            yield from items
        except BudgetError as error:
            self.exceeded = error

    def check(self) -> None:
        """Fail with what ended the items early, if anything did."""
        if self.exceeded is not None:
            raise self.exceeded


@dataclass(slots=True)
class _RunSums:
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
        facts = trace.cost.get("reading", {})
        self.reading["unread"] += trace.extraction.problem is not None
        self.reading["dropped"] += len(facts.get("dropped", ()))
        self.reading["repaired"] += bool(facts.get("repairs"))

    def to_json(self) -> dict[str, Any]:
        sums: dict[str, Any] = {"problems": self.problems}
        if self.cost:
            sums["cost"] = {
                stage: {name: round(value, 6) for name, value in usage.items()} for stage, usage in self.cost.items()
            }
        if self.judging:
            called = {"called_share": self.judging["called"] / self.judging["steps"]} if self.judging["called"] else {}
            sums["judging"] = {**self.judging, **called}
        if self.reading.total():
            sums["reading"] = dict(+self.reading)
        return sums


def _cost_table(cost: Mapping[str, Mapping[str, float]]) -> Table:
    """A row for each stage, and their sum where there are several; columns of noughts are left out."""
    rows = dict(cost)
    if len(rows) > 1:
        total = Counter[str]()
        for usage in cost.values():
            total.update(usage)
        rows["all"] = dict(total)
    columns = {name: title for name, title in _COLUMNS.items() if any(row.get(name) for row in rows.values())}
    cells = (
        [stage, *(format(row.get(name, 0), _FORMATS.get(name, ",.0f")) for name in columns)]
        for stage, row in rows.items()
    )
    return table("what asking cost", ["stage", *columns.values()], cells, right=list(columns.values()))


def show_cost(ledger: Ledger) -> None:
    """Print what asking cost, if anything was asked."""
    if stages := ledger.stages():
        screen.print(_cost_table(usage_to_json(stages)))


_SHOWN = 12
_NOTES = {
    "tied": ("tie", "ties"),
    "unread": ("figure gave no facts", "figures gave no facts"),
    "missing": ("image missing", "images missing"),
    "unchecked": ("with nothing checked", "with nothing checked"),
    "empty": ("without candidates", "without candidates"),
    "failed": ("failed", "failed"),
}


class RunReport(AbstractContextManager["RunReport"]):
    """Grows a trace at a time while a run is made, so that nothing is read back; written when it is closed.

    `expected` is about how many problems there will be: a small run's pictures go inside its page.
    """

    def __init__(self, folder: Path, manifest: Mapping[str, Any], title: str, expected: int) -> None:
        self.folder = folder
        self.ranked = 0
        self.notes = Counter[str]()
        self.first: list[Trace] = []
        self._sums = _RunSums()
        self._page = Page(folder / "report.html", title, embed=expected <= MOST_INLINE_PROBLEMS)
        method = with_settings(Method(), manifest["method"])
        told = {"date": date.today().isoformat(), **manifest}
        self._run = self._page.run(run_names([folder])[0], told, method)

    def add(self, trace: Trace, line: bytes | None = None) -> None:
        """Take in a trace, which may be at hand as its line too."""
        self._run.add(trace, line)
        self._sums.add(trace)
        self.ranked += 1
        self.notes.update(_doubts(trace))
        if len(self.first) < _SHOWN:
            self.first.append(trace)

    def add_line(self, line: TraceLine) -> None:
        """Take in a trace that is a line of this run."""
        self.add(trace_of_line(line, self.folder), line.line)

    def add_stored(self) -> None:
        """Take in the traces that the run's folder has already."""
        for trace in read_traces(self.folder):
            self.add(trace)

    def __exit__(self, kind: type[BaseException] | None, *failure: object) -> None:
        self._page.__exit__(kind, *failure)

    def show(self, failed: int = 0) -> None:
        """Print the first rankings, what asking cost, and the last line; write `metrics.json`."""
        self.notes["failed"] = failed
        sums = self._sums.to_json()
        write_whole(self.folder / "metrics.json", json.dumps(sums, ensure_ascii=False, indent=2) + "\n")
        for trace in self.first:
            screen.print(ranking_table(trace))
        if self.ranked > _SHOWN:
            screen.print(f"… and {self.ranked - _SHOWN} more problems in {self.folder / 'traces.jsonl'}")
        if sums.get("cost"):
            screen.print(_cost_table(sums["cost"]))
        tell(self.last_line())

    def figures(self) -> dict[str, float | None]:
        """How often each way of choosing is right, where answers are known."""
        return self._run.headline.figures()

    def last_line(self) -> str:
        """How many were ranked, what is not sure about them, and where the page is."""
        counts = ((self.notes[name], words) for name, words in _NOTES.items())
        said = [f"{count} {words[count != 1]}" for count, words in counts if count]
        return " · ".join((f"{self.ranked} ranked", *said, f"page: {self.folder / 'report.html'}"))

    def check(self) -> None:
        """With --strict: exit 1 where a ranking is not sure."""
        if any(self.notes[name] for name in _NOTES):
            raise typer.Exit(1)


def _doubts(trace: Trace) -> list[str]:
    """What keeps a ranking from being sure: each a word of the last line."""
    if not trace.candidates:
        return ["empty"]
    found = ["tied"] if trace.ranking.tied else []
    files = (image for image in trace.problem.images if "://" not in image and not image.startswith("data:"))
    if not all(map(os.path.exists, files)):
        return [*found, "missing"]
    if why_unread(trace) is not None:
        return [*found, "unread"]
    if all(candidate.reliability is None for candidate in trace.candidates):
        found.append("unchecked")
    return found


def ranking_table(trace: Trace) -> Table:
    """A problem's candidates in order: score, reliability, first bad step and why."""
    head, *rows = ranking_cells(trace)
    doubt = doubt_words(trace)
    made = table(_cell(f"{trace.problem_id}: {choice_words(trace)}"), head, (), right=head[2:4])
    made.title_style = "bold"
    made.caption = None if doubt is None else _cell(doubt)
    best = "yellow" if trace.ranking.tied else "bold green"
    for name, row in zip(trace.ranking.order, rows, strict=True):
        made.add_row(*map(_cell, row), style=best if name in trace.ranking.best else "")
    return made


def _cell(text: str) -> str:
    short = " ".join(text.split())
    return escape_markup(short if len(short) <= _LONGEST_CELL else short[: _LONGEST_CELL - 3] + "…")
