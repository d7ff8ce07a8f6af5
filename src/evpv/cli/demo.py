"""`evpv demo`: the main job on problems that evpv draws itself, so that the right answers are known."""

from __future__ import annotations

import os
import shutil
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from evpv.assembly import Verifier, missing_extra
from evpv.cli.rank import manifest
from evpv.cli.reports import RunReport, ranking_table
from evpv.cli.terminal import progress, screen
from evpv.engines.extraction import extractions
from evpv.records import RunWriter, read_problems
from evpv.types import Problem

_PROBLEMS = 30
_SEED = 2026
_SHOWN = 3


def demo(
    output: Annotated[
        Path, typer.Option("-o", "--output", help="The folder for problems, traces and the page.")
    ] = Path("out/demo"),
    count: Annotated[int, typer.Option("-n", help="How many problems.", min=1)] = _PROBLEMS,
    seed: Annotated[int, typer.Option(help="Other seeds give other problems.", min=0)] = _SEED,
) -> None:
    """Draw problems, read their figures, check and rank eight candidate solutions each, and write a page that shows why."""
    problems = _draw_problems(output / "problems", count, seed)
    run = output / "run"
    if run.exists():
        shutil.rmtree(run)
    with (
        Verifier.from_recipe("embedded") as verifier,
        RunWriter(run, manifest(verifier.recipe, verifier.pipeline.version, output / "problems")) as writer,
        RunReport(run, writer.manifest, "evpv demo", len(problems)) as report,
    ):
        read = extractions(
            verifier.recipe, problems, os.cpu_count() or 1
        )  # into the cache, where the pipeline finds it
        deque(progress(read, "reading figures", len(problems)), maxlen=0)
        for trace in progress(verifier.pipeline.stream(problems), "checking steps", len(problems)):
            writer.append(trace)
            report.add(trace)
    for trace in report.first[:_SHOWN]:
        screen.print(ranking_table(trace))
    screen.print(_summary(report.figures(), len(problems)))
    screen.print(report.last_line(), soft_wrap=True, highlight=False, markup=False)
    screen.print(f"open [bold]{run / 'report.html'}[/] to see why", soft_wrap=True)


def _draw_problems(folder: Path, count: int, seed: int) -> list[Problem]:
    try:  # here and not above, so that the commands that draw nothing run without the vision extra
        from evpv.figures import write_problems
    except ModuleNotFoundError as error:
        raise missing_extra("evpv demo", error) from error
    if folder.exists():
        shutil.rmtree(folder)
    write_problems(folder, (), count, seed, split="test")
    return list(read_problems(folder / "problems.jsonl"))


_ROWS = (
    ("chance", "chance"),
    ("judge_alone", "the judge alone (its score, no premise check)"),
    ("majority", "majority vote"),
    ("base_right", "votes weighted by the judge (no premise check)"),
    ("right", "evpv (claims checked against the figure)"),
)


def _summary(figures: Mapping[str, float | None], count: int) -> Table:
    """How often each way of choosing is right: the same figures as on the page."""
    table = Table(
        title=f"{count} problems, 8 candidates each: how often the chosen candidate is right", title_justify="left"
    )
    table.add_column("chosen by")
    table.add_column("right", justify="right")
    for name, words in _ROWS:
        table.add_row(words, f"{100 * (figures[name] or 0.0):.0f} %", style="bold" if name == "right" else "")
    return table
