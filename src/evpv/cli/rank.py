"""`evpv rank`: the main job, from a file of problems to a run folder with a page; `evpv demo`: the same on problems it draws itself."""

from __future__ import annotations

import os
import shutil
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.table import Table

import evpv
from evpv.assembly import Verifier, first_question, missing_extra
from evpv.cli.reports import Purse, RunReport, ranking_table, with_budget
from evpv.cli.terminal import GivenProblems, errors, first_items, progress, screen, settings, tell_skipped
from evpv.config import Recipe, load_recipe
from evpv.engines.extraction import extractions
from evpv.engines.local import start_engine
from evpv.engines.work import Order, groups_of_one_image
from evpv.errors import EvpvError
from evpv.records import RunWriter, Skipped, read_problems, read_traces
from evpv.records.problems import placed_problems
from evpv.records.runs import FAILURES_FILE
from evpv.records.trace_files import SHARDS
from evpv.types import Problem


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
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 if anything was tied, unread or unchecked.")] = False,
) -> None:
    """Read figures, check steps, rank candidates; write traces and a page that shows why."""
    loaded = with_budget(load_recipe(recipe, settings(change or ())), budget)
    skipped, purse = Skipped(), Purse()
    given = GivenProblems(problems)
    read = first_items(placed_problems(problems, on_error=on_error, report=skipped), limit)
    whole = given.require_some(read, need_candidates=True)
    order = Order(recipe=loaded, problems=str(problems), folder=str(output))
    first_question(loaded, "extractor", "judge", "language")
    with (
        interruptible(output),
        start_engine(engine, order, workers or _usual_workers(loaded), shards) as running,
        RunWriter(output, manifest(loaded, running.version, problems)) as writer,
    ):
        if writer.recovered:
            errors.print(writer.recovered, markup=False)
        suspects = writer.earlier_failures()
        groups = groups_of_one_image(given.left(whole, writer), lambda _: True, last=suspects)
        given.settle(writer, whole=limit is None)
        count = sum(map(len, groups))
        with RunReport(output, writer.manifest, f"evpv: {problems.name}", len(writer.done_ids()) + count) as report:
            if shards is None:
                _follow(writer, report)
            receipts = progress(running.run(groups, writer.append_line, suspects), "ranking", count)
            for receipt in purse.until_spent(receipts):
                if receipt.failure is not None:
                    writer.add_failure(receipt.problem_id, receipt.failure)
            if shards is None:
                writer.take_shards()
    tell_skipped(skipped)
    if shards is None:
        report.show(writer.failed)
    else:
        screen.print(f"traces: {output / SHARDS}; evpv merge {output} puts them into one file", soft_wrap=True)
    purse.check()
    check_failures(writer)
    if strict:
        report.check()


def _follow(writer: RunWriter, report: RunReport) -> None:
    """Have the report take in what the run has already, and then every line that is appended."""
    writer.watch = report.add_line
    for trace in read_traces(writer.folder) if writer.done_ids() else ():
        report.add(trace)


def check_failures(writer: RunWriter) -> None:
    """Fail where problems did, once all is written."""
    if writer.failed:
        said = f"{writer.failed} of the problems failed: {writer.folder / FAILURES_FILE} says why"
        raise EvpvError(f"{said}; the same command tries them again")


def _usual_workers(recipe: Recipe) -> int:
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
