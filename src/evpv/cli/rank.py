"""`evpv rank`: the main job, from a file of problems to a run folder with a page."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.table import Table

import evpv
from evpv.cli.costs import Purse, cost_table, run_sums, with_budget
from evpv.cli.terminal import errors, limited, marked, progress, screen, settings, tell_skipped
from evpv.config import Recipe, load_recipe
from evpv.engines.planning import groups_of_one_image
from evpv.engines.starting import started
from evpv.engines.work import Order
from evpv.errors import EvpvError
from evpv.records import RunWriter, Skipped, read_traces
from evpv.records.problems import placed_problems
from evpv.records.runs import FAILURES_FILE
from evpv.records.trace_files import SHARDS
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
    engine: Annotated[
        Literal["local", "ray"], typer.Option(help="Worker processes here, or Ray Data on the cluster of RAY_ADDRESS.")
    ] = "local",
    workers: Annotated[int | None, typer.Option(help="Processes that share the problems.", min=1)] = None,
    shards: Annotated[
        Literal["jsonl", "parquet"] | None,
        typer.Option(help="With ray: leave the traces in shards, to be merged later."),
    ] = None,
    budget: Annotated[float | None, typer.Option(help="The most that asking models may cost.", min=0)] = None,
    limit: Annotated[int | None, typer.Option(help="Only the first N problems.", min=0)] = None,
    on_error: Annotated[Literal["stop", "skip"], typer.Option(help="What a bad line does.")] = "stop",
) -> None:
    """Read figures, check steps, rank candidates; write traces and a page that shows why."""
    loaded = with_budget(load_recipe(recipe, settings(change or ())), budget)
    skipped, purse = Skipped(), Purse()
    whole = limited(placed_problems(problems, on_error=on_error, report=skipped), limit)
    order = Order(recipe=loaded, problems=str(problems), folder=str(output))
    with (
        interruptible(output),
        started(engine, order, workers or usual_workers(loaded), shards) as running,
        RunWriter(output, manifest(loaded, running.version, problems)) as writer,
    ):
        if writer.recovered:
            errors.print(writer.recovered, markup=False)
        suspects, done = writer.earlier_failures(), writer.done_ids()
        groups = groups_of_one_image(whole, lambda name: name not in done, last=suspects)
        receipts = progress(running.run(groups, writer.append_line, suspects), "ranking", sum(map(len, groups)))
        for receipt in purse.until_spent(receipts):
            if receipt.failure is not None:
                writer.add_failure(receipt.problem_id, receipt.failure)
        if shards is None:
            writer.take_shards()
    tell_skipped(skipped)
    if shards is None:
        finish(output, problems.name)
    else:
        screen.print(f"traces: {output / SHARDS}; evpv merge {output} puts them into one file", soft_wrap=True)
    purse.check()
    check_failures(writer)


def check_failures(writer: RunWriter) -> None:
    """Fail where problems did, once all is written."""
    if writer.failed:
        said = f"{writer.failed} of the problems failed: {writer.folder / FAILURES_FILE} says why"
        raise EvpvError(f"{said}; the same command tries them again")


def usual_workers(recipe: Recipe) -> int:
    """As many as there are cores, where the work is done here; where models are asked, one process asks them all at once."""
    return 1 if recipe.backends else os.cpu_count() or 1


@contextmanager
def interruptible(output: Path) -> Iterator[None]:
    """Ctrl-C ends the command with what is done, and says how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        errors.print(f"interrupted: what is done is in {output}; the same command goes on from there", soft_wrap=True)
        raise typer.Exit(130) from None


def manifest(recipe: Recipe, version: str, source: Path) -> dict[str, Any]:
    """What a run was made with. The number of workers decides nothing, so it is left out."""
    made = recipe.settings()
    return {
        "recipe": recipe.name,
        "fingerprint": recipe.fingerprint(evpv.__version__, version),
        "settings": made,
        "method": made["method"],
        "versions": {"evpv": evpv.__version__, "parts": version},
        "problems": source.name,
    }


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
        title=f"{_plain(trace.problem_id)}: {_plain(chosen) if chosen is not None else 'no answer'}",
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
    return marked(short if len(short) <= 100 else short[:97] + "…")
