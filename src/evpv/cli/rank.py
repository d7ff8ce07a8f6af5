"""`evpv rank`: the main job, from a file of problems to a run folder with a page."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.table import Table

import evpv
from evpv.assembly import Verifier, with_workers
from evpv.cli.costs import Purse, cost_table, run_sums, with_budget
from evpv.cli.terminal import count_lines, errors, limited, progress, screen, settings, tell_skipped
from evpv.config import Recipe, load_recipe
from evpv.records import RunWriter, Skipped, read_problems, read_traces
from evpv.types import Trace
from evpv.viewer import write_run_page
from evpv.viewer.words import first_bad_step

SHOWN = 12


def rank(
    problems: Annotated[Path, typer.Argument(help="Problems as JSON lines, in any form of docs/formats.md.")],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="The run folder; an unfinished one is taken up again.")
    ],
    recipe: Annotated[str, typer.Option(help="A shipped recipe's name, or the path of your own.")] = "embedded",
    change: Annotated[
        list[str] | None,
        typer.Option("--set", help="One setting, e.g. --set select=weighted-vote or --set judge.evidence=false."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help="Processes that read figures, for an extractor that uses them.", min=1)
    ] = None,
    budget: Annotated[float | None, typer.Option(help="The most that asking models may cost.", min=0)] = None,
    limit: Annotated[int | None, typer.Option(help="Only the first N problems.", min=0)] = None,
    on_error: Annotated[Literal["stop", "skip"], typer.Option(help="What a bad line does.")] = "stop",
) -> None:
    """Read figures, check steps, rank candidates; write traces and a page that shows why."""
    loaded = with_workers(
        with_budget(load_recipe(recipe, settings(change or ())), budget), workers, os.cpu_count() or 1
    )
    skipped, purse = Skipped(), Purse()
    with (
        Verifier.of(loaded) as verifier,
        RunWriter(output, manifest(loaded, verifier.pipeline.version, problems)) as writer,
    ):
        if writer.recovered:
            errors.print(writer.recovered, markup=False)
        done = writer.done_ids()
        asked = limited(read_problems(problems, on_error=on_error, report=skipped), limit)
        left = (problem for problem in asked if problem.id not in done)
        total = min(count_lines(problems) or 0, limit if limit is not None else 1 << 60) - len(done)
        for trace in purse.until_spent(progress(verifier.pipeline.stream(left), "ranking", total)):
            writer.append(with_relative_images(trace, output))
    tell_skipped(skipped)
    finish(output, problems.name)
    purse.check()


def manifest(recipe: Recipe, version: str, source: Path) -> dict[str, Any]:
    """What a run was made with. The number of workers decides nothing, so it is left out."""
    made = recipe.settings()
    made["extractor"].pop("workers", None)
    return {
        "recipe": recipe.name,
        "fingerprint": recipe.fingerprint(evpv.__version__, version),
        "settings": made,
        "method": made["method"],
        "versions": {"evpv": evpv.__version__, "parts": version},
        "problems": source.name,
    }


def with_relative_images(trace: Trace, folder: Path) -> Trace:
    """The trace with its images named from the run's folder, so that the folder can be moved together with them."""
    images = [
        i if "://" in i or i.startswith("data:") else os.path.relpath(i, folder) for i in trace.extra.get("image", [])
    ]
    return replace(trace, extra={**trace.extra, "image": images}) if images else trace


def finish(output: Path, name: str) -> None:
    """Print the ranking, and write `metrics.json` and `report.html`."""
    traces = list(limited(read_traces(output), SHOWN))
    write_run_page([output], output / "report.html", title=f"evpv: {name}")
    sums = run_sums(read_traces(output))
    count = sums["problems"]
    (output / "metrics.json").write_text(json.dumps(sums, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    for trace in traces:
        screen.print(ranking_table(trace))
    if count > SHOWN:
        screen.print(f"… and {count - SHOWN} more problems in {output / 'traces.jsonl'}")
    if sums.get("cost"):
        screen.print(cost_table(sums["cost"]))
    screen.print(f"page: {output / 'report.html'}", soft_wrap=True)


def ranking_table(trace: Trace) -> Table:
    """A problem's candidates in order: score, reliability, first bad step and why."""
    by_id = {candidate.id: candidate for candidate in trace.candidates}
    chosen = by_id[trace.ranking.order[0]].final_answer if trace.candidates else None
    table = Table(
        title=f"{trace.problem_id}: {chosen if chosen is not None else 'no answer'}",
        title_justify="left",
        title_style="bold",
    )
    for column, justify in (
        ("candidate", "left"),
        ("answer", "left"),
        (trace.ranking.select, "right"),
        ("reliability", "right"),
        ("first bad step", "left"),
    ):
        table.add_column(column, justify=justify)  # type: ignore[arg-type]
    for name in trace.ranking.order:
        candidate = by_id[name]
        bad = first_bad_step(candidate)
        why = f"{bad[0] + 1}: {bad[1]}" if bad else "–"
        style = "bold green" if name in trace.ranking.best else ""
        row = (
            name,
            candidate.final_answer or "–",
            f"{trace.ranking.values[name]:.3f}",
            f"{candidate.reliability:.2f}",
            why,
        )
        table.add_row(*(_plain(cell) for cell in row), style=style)
    return table


def _plain(cell: str) -> str:
    short = " ".join(cell.split())
    return (short if len(short) <= 100 else short[:97] + "…").replace("[", r"\[")
