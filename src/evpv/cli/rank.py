"""`evpv rank`: the main job, from a file of problems to a run folder with a page; `evpv demo`: the same on problems it draws itself."""

from __future__ import annotations

import os
import shutil
from collections import deque
from pathlib import Path
from typing import Annotated

import typer

import evpv
from evpv.assembly import Verifier, first_question
from evpv.cli import options
from evpv.cli.reports import RunReport, SpendingLimit, ranking_table
from evpv.cli.terminal import GivenProblems, errors, interruptible, progress, screen, table, tell, tell_skipped
from evpv.engines.local import extractions, start_engine
from evpv.engines.work import RunOrder, groups_of_one_image
from evpv.errors import EvpvError
from evpv.records import RunWriter, Skipped, read_problems
from evpv.records.problems import placed_problems
from evpv.records.runs import FAILURES_FILE
from evpv.records.trace_files import SHARDS, ShardForm


def rank(
    problems: Annotated[Path, typer.Argument(help="Problems with candidates, as JSON lines (docs/formats.md).")],
    output: options.NewRun,
    recipe: options.RecipeName = "embedded",
    change: options.Changes = None,
    engine: options.Engine = "local",
    workers: options.Workers = None,
    shards: Annotated[ShardForm | None, typer.Option(help="With ray: keep traces in shards, for evpv merge.")] = None,
    budget: options.Budget = None,
    limit: options.Limit = None,
    on_error: options.OnError = "stop",
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 on ties, unread figures, unchecked claims.")] = False,
) -> None:
    """Read the figures, check and judge each step, rank the candidates. Writes traces and an HTML page."""
    loaded = options.chosen_recipe(recipe, change, budget)
    skipped, spending, given = Skipped(), SpendingLimit(), GivenProblems(problems)
    read = placed_problems(problems, on_error=on_error, report=skipped)
    whole = given.require_some(read, limit, need_candidates=True)
    order = RunOrder(recipe=loaded, problems=str(problems), folder=str(output))
    first_question(loaded, "extractor", "judge", "language")
    with (
        interruptible(output),
        start_engine(engine, order, workers or options.usual_workers(loaded), shards) as running,
        RunWriter(output, loaded.manifest(problems, evpv=evpv.__version__, parts=running.version)) as writer,
    ):
        if writer.recovered:
            tell(writer.recovered, errors)
        suspects = writer.earlier_failures()
        groups = groups_of_one_image(given.left(whole, writer), lambda _: True, last=suspects)
        given.settle(writer, whole=limit is None)
        count = sum(map(len, groups))
        with RunReport(output, writer.manifest, f"evpv: {problems.name}", len(writer.done_ids()) + count) as report:
            if shards is None:
                writer.watch = report.add_line
                report.add_stored()
            receipts = progress(running.run(groups, writer.append_line, suspects), "ranking", count)
            for receipt in spending.until_spent(receipts):
                if receipt.failure is not None:
                    writer.add_failure(receipt.problem_id, receipt.failure)
            if shards is None:
                writer.take_shards()
    tell_skipped(skipped)
    if shards is None:
        report.show(writer.failed)
    else:
        tell(f"traces: {output / SHARDS}; evpv merge {output} puts them into one file")
    spending.check()
    check_failures(writer)
    if strict:
        report.check()


def check_failures(writer: RunWriter) -> None:
    """Fail where problems did, once all is written."""
    if writer.failed:
        said = f"{writer.failed} of the problems failed: {writer.folder / FAILURES_FILE} says why"
        raise EvpvError(f"{said}; the same command tries them again")


_SHOWN = 3
_CHOICES = {
    "chance": "chance",
    "judge_alone": "the judge alone (its score, no premise check)",
    "majority": "majority vote",
    "base_right": "votes weighted by the judge (no premise check)",
    "right": "[bold]evpv (claims checked against the figure)[/]",
}
"""Ways of choosing, as on the page, in the order of the demo's table."""


def demo(
    output: Annotated[Path, typer.Option("-o", "--output", help="The folder to write.")] = Path("out/demo"),
    count: Annotated[int, typer.Option("-n", help="How many problems.", min=1)] = 30,
    seed: Annotated[int, typer.Option(help="Random seed; other seeds give other problems.", min=0)] = 2026,
) -> None:
    """Try evpv on problems that it draws: eight candidates each, ranked, with an HTML page. Needs no model."""
    from evpv.figures import write_problems

    drawn, run = output / "problems", output / "run"
    for folder in (drawn, run):
        if folder.exists():
            shutil.rmtree(folder)
    write_problems(drawn, (), count, seed, split="test")
    problems = list(read_problems(drawn / "problems.jsonl"))
    with (
        Verifier.from_recipe("embedded") as verifier,
        RunWriter(
            run, verifier.recipe.manifest(drawn, evpv=evpv.__version__, parts=verifier.pipeline.version)
        ) as writer,
        RunReport(run, writer.manifest, "evpv demo", len(problems)) as report,
    ):
        # into the cache, where the pipeline finds it
        read = extractions(verifier.recipe, problems, os.cpu_count() or 1)
        deque(progress(read, "reading figures", len(problems)), maxlen=0)
        for trace in progress(verifier.pipeline.stream(problems), "checking steps", len(problems)):
            writer.append(trace)
            report.add(trace)
    for trace in report.first[:_SHOWN]:
        screen.print(ranking_table(trace))
    title = f"{len(problems)} problems, 8 candidates each: how often the chosen candidate is right"
    figures = report.figures()
    rows = [(words, f"{100 * (figures[name] or 0.0):.0f} %") for name, words in _CHOICES.items()]
    screen.print(table(title, ["chosen by", "right"], rows, right=["right"]))
    tell(report.last_line())
    screen.print(f"open [bold]{run / 'report.html'}[/] to see why", soft_wrap=True)
