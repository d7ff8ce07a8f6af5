"""What a run shows when it is done: its page, its sums and what asking cost, a few tables, and what was not looked at."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import typer
from rich.table import Table

from evpv.cli.terminal import count_text, escape_markup, screen
from evpv.config import Recipe
from evpv.errors import BudgetError
from evpv.files import write_whole
from evpv.records.trace_files import TraceLine, trace_of_line
from evpv.reward.method import Method, with_settings
from evpv.types import CandidateTrace, Trace
from evpv.viewer.bundle import MOST_INLINE_PROBLEMS, Page, run_names
from evpv.viewer.summaries import choice_words, doubt_words, first_bad_step, why_unread

_Item = TypeVar("_Item")

_COLUMNS = (
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

    def until_spent(self, items: Iterable[_Item]) -> Iterator[_Item]:
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
    columns = [(name, title) for name, title in _COLUMNS if any(row.get(name) for row in rows.values())]
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


_SHOWN = 12
_NOTES = (
    ("tied", "tie", "ties"),
    ("unread", "figure gave no facts", "figures gave no facts"),
    ("missing", "image missing", "images missing"),
    ("unchecked", "with nothing checked", "with nothing checked"),
    ("empty", "without candidates", "without candidates"),
    ("failed", "failed", "failed"),
)
_DOUBTS = ("tied", "unread", "missing", "unchecked", "empty", "failed")


class RunReport:
    """Grows a trace at a time while a run is made, so that nothing is read back; written when it is closed.

    `expected` is about how many problems there will be: a small run's pictures go inside its page.
    """

    def __init__(self, folder: Path, manifest: Mapping[str, Any], title: str, expected: int) -> None:
        self.folder = folder
        self.ranked = 0
        self.notes = Counter[str]()
        self.first: list[Trace] = []
        self._sums = RunSums()
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

    def __enter__(self) -> RunReport:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._page.__exit__(kind, error, trace)

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
            screen.print(cost_table(sums["cost"]))
        screen.print(self.last_line(), soft_wrap=True, highlight=False, markup=False)

    def figures(self) -> dict[str, float | None]:
        """How often each way of choosing is right, where answers are known."""
        return self._run.headline.figures()

    def last_line(self) -> str:
        """How many were ranked, what is not sure about them, and where the page is."""
        said = [count_text(self.notes[name], one, many) for name, one, many in _NOTES if self.notes[name]]
        return " · ".join((f"{self.ranked} ranked", *said, f"page: {self.folder / 'report.html'}"))

    def check(self) -> None:
        """With --strict: exit 1 where a ranking is not sure."""
        if any(self.notes[name] for name in _DOUBTS):
            raise typer.Exit(1)


def _doubts(trace: Trace) -> list[str]:
    """What keeps a ranking from being sure: each a word of the last line."""
    if not trace.candidates:
        return ["empty"]
    found = ["tied"] if trace.ranking.tied else []
    if _missing_image(trace):
        return [*found, "missing"]
    if why_unread(trace) is not None:
        return [*found, "unread"]
    if all(candidate.reliability is None for candidate in trace.candidates):
        found.append("unchecked")
    return found


def _missing_image(trace: Trace) -> bool:
    files = (image for image in trace.problem.images if "://" not in image and not image.startswith("data:"))
    return any(not os.path.exists(image) for image in files)


def ranking_table(trace: Trace) -> Table:
    """A problem's candidates in order: score, reliability, first bad step and why."""
    title, doubt = _plain(f"{trace.problem_id}: {choice_words(trace)}"), doubt_words(trace)
    table = Table(title=title, title_justify="left", title_style="bold", caption_justify="left")
    table.caption = None if doubt is None else _plain(doubt)
    for column, justify in (
        ("candidate", "left"),
        ("answer", "left"),
        (trace.ranking.select, "right"),
        ("reliability", "right"),
        ("first bad step", "left"),
    ):
        table.add_column(column, justify=justify)  # type: ignore[arg-type]
    by_id = {candidate.id: candidate for candidate in trace.candidates}
    for name in trace.ranking.order:
        style = "bold green" if name in trace.ranking.best and not trace.ranking.tied else ""
        cells = _cells(by_id[name], trace.ranking.values[name])
        table.add_row(*map(_plain, cells), style="yellow" if name in trace.ranking.best and not style else style)
    return table


def _cells(candidate: CandidateTrace, value: float) -> tuple[str, ...]:
    bad = first_bad_step(candidate)
    unknown = candidate.reliability is None
    return (
        candidate.id,
        candidate.final_answer or "–",
        f"{value:.3f}",
        "unknown" if unknown else f"{candidate.reliability:.2f}",
        f"{bad[0] + 1}: {bad[1]}" if bad else "–",
    )


def _plain(cell: str) -> str:
    short = " ".join(cell.split())
    return escape_markup(short if len(short) <= 100 else short[:97] + "…")
