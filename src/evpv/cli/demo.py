"""`evpv demo`: the main job on problems that evpv draws itself, so that the right answers are known."""

from __future__ import annotations

import os
import shutil
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from evpv.assembly import Verifier, missing_extra
from evpv.cli.rank import manifest, ranking_table
from evpv.cli.terminal import progress, screen
from evpv.engines.extraction import extractions
from evpv.engines.work import with_relative_images
from evpv.records import RunWriter, read_problems
from evpv.types import Problem, Trace
from evpv.viewer import write_run_page

PROBLEMS = 30
SEED = 2026
SHOWN = 3


def demo(
    output: Annotated[
        Path, typer.Option("-o", "--output", help="The folder for problems, traces and the page.")
    ] = Path("out/demo"),
    count: Annotated[int, typer.Option("-n", help="How many problems.", min=1)] = PROBLEMS,
    seed: Annotated[int, typer.Option(help="Other seeds give other problems.", min=0)] = SEED,
) -> None:
    """Draw problems, read their figures, check and rank eight candidate solutions each, and write a page that shows why."""
    problems = _drawn(output / "problems", count, seed)
    run = output / "run"
    if run.exists():
        shutil.rmtree(run)
    traces: list[Trace] = []
    with (
        Verifier.from_recipe("embedded") as verifier,
        RunWriter(run, manifest(verifier.recipe, verifier.pipeline.extractor.version, output / "problems")) as writer,
    ):
        read = extractions(
            verifier.recipe, problems, os.cpu_count() or 1
        )  # into the cache, where the pipeline finds it
        deque(progress(read, "reading figures", len(problems)), maxlen=0)
        for trace in progress(verifier.pipeline.stream(problems), "checking steps", len(problems)):
            placed = with_relative_images(trace, run)
            writer.append(placed)
            traces.append(placed)
    with Verifier.from_recipe("judge-alone") as judge:
        alone = list(judge.pipeline.stream(problems))
    for trace in traces[:SHOWN]:
        screen.print(ranking_table(trace))
    screen.print(_summary(problems, traces, alone))
    page = run / "report.html"
    write_run_page([run], page, title="evpv demo")
    screen.print(f"open [bold]{page}[/] to see why", soft_wrap=True)


def _drawn(folder: Path, count: int, seed: int) -> list[Problem]:
    try:  # here and not above, so that the commands that draw nothing run without the vision extra
        from evpv.figures import write_problems
    except ModuleNotFoundError as error:
        raise missing_extra("evpv demo", error) from error
    if folder.exists():
        shutil.rmtree(folder)
    write_problems(folder, (), count, seed, split="test")
    return list(read_problems(folder / "problems.jsonl"))


def _summary(problems: Sequence[Problem], traces: Sequence[Trace], alone: Sequence[Trace]) -> Table:
    count = len(problems)
    mean = sum(sum(right.values()) / len(right) for right in map(_right, problems)) / count
    table = Table(
        title=f"{count} problems, 8 candidates each: how often the chosen candidate is right", title_justify="left"
    )
    table.add_column("chosen by")
    table.add_column("right", justify="right")
    table.add_row("chance", f"{100 * mean:.0f} %")
    table.add_row("the judge alone (no premise check)", f"{100 * _accuracy(problems, alone):.0f} %")
    table.add_row(
        "evpv (claims checked against the figure)", f"{100 * _accuracy(problems, traces):.0f} %", style="bold"
    )
    return table


def _accuracy(problems: Sequence[Problem], traces: Sequence[Trace]) -> float:
    """The expected share of right choices: a tie is worth the share of right candidates in it."""
    total = 0.0
    for problem, trace in zip(problems, traces, strict=True):
        right = _right(problem)
        total += sum(right[name] for name in trace.ranking.best) / len(trace.ranking.best)
    return total / len(problems)


def _right(problem: Problem) -> dict[str, bool]:
    return {candidate.id: bool(candidate.extra["correct"]) for candidate in problem.candidates}
