"""What a run shows when it is done: its page, its sums, a few tables, and one line that says what was not looked at."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from types import TracebackType
from typing import Any

import typer
from rich.table import Table

from evpv.cli.costs import RunSums, cost_table
from evpv.cli.terminal import count_text, escape_markup, screen
from evpv.files import write_whole
from evpv.records.trace_files import TraceLine, trace_of_line
from evpv.reward.method import Method, with_settings
from evpv.types import CandidateTrace, Trace
from evpv.viewer.bundle import MOST_INLINE_PROBLEMS, Page, run_names
from evpv.viewer.summaries import choice_words, doubt_words, why_unread
from evpv.viewer.words import first_bad_step

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
