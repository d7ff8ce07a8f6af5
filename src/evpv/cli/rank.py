"""`evpv rank`: the main job, from a file of problems to a run folder with a page; `evpv demo`: the same on problems it draws itself.

`evpv extract`: only what can be read from figures, without candidates.
"""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from itertools import islice, starmap
from pathlib import Path
from typing import Annotated, Literal

import typer

import evpv
from evpv.assembly import Builder, Verifier, first_question
from evpv.cli import options, terminal
from evpv.cli.reports import RunReport, SpendingLimit, ranking_table, show_cost
from evpv.cli.terminal import errors, progress, screen, table, tell, tell_skipped
from evpv.engines.local import extractions, start_engine
from evpv.engines.work import RunOrder, groups_of_one_image
from evpv.errors import ConfigError, EvpvError, ImageError, RecordError
from evpv.protocols import close_part
from evpv.records import RunWriter, Skipped, constraints_to_json, read_problems, write_records
from evpv.records.constraints import describe
from evpv.records.lines import count_lines
from evpv.records.problems import placed_problems
from evpv.records.runs import FAILURES_FILE
from evpv.records.trace_files import SHARDS, ShardForm
from evpv.types import Extraction, Problem


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
    skipped, spending, given = Skipped(), SpendingLimit(), terminal.GivenProblems(problems)
    read = placed_problems(problems, on_error=on_error, report=skipped)
    whole = given.require_some(read, limit, need_candidates=True)
    order = RunOrder(recipe=loaded, problems=str(problems), folder=str(output))
    first_question(loaded, "extractor", "judge", "language")
    with (
        terminal.interruptible(output),
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


_BATCH = 16


def extract(
    source: Annotated[Path, typer.Argument(help="Problems as JSON lines, one image, or a folder of images.")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="A JSON lines file, not the screen.")] = None,
    overlay: Annotated[Path | None, typer.Option(help="Save pictures with what was read drawn in, here.")] = None,
    recipe: options.RecipeName = "embedded",
    change: options.Changes = None,
    workers: options.Workers = None,
    budget: options.Budget = None,
    limit: options.Limit = None,
    on_error: options.OnError = "stop",
) -> None:
    """Read constraints from figures: one line per problem, {"id", "constraints"}."""
    loaded = options.chosen_recipe(recipe, change, budget)
    if workers is not None and loaded.backends:
        raise ConfigError("this recipe asks models: one process asks them all at once; leave out --workers.")
    skipped, kinds, spending = Skipped(), Counter[str](), SpendingLimit()
    problems = islice(_problems(source, on_error, skipped), limit)
    total = count_lines(source) if source.suffix == ".jsonl" else None
    first_question(loaded, "extractor")
    processes = workers or (1 if source.suffix.lower() in terminal.PICTURES else options.usual_workers(loaded))
    with Builder(loaded) as builder:
        read = extractions(loaded, problems, processes) if processes > 1 else _in_batches(problems, builder)
        results = spending.until_spent(progress(_draw_overlays(read, overlay, kinds), "reading", total))
        if output is None:
            _print(results)
        else:
            write_records(output, starmap(_record, results))
            counts = [(kind, str(number)) for kind, number in kinds.most_common()]
            title = f"{kinds.total()} figures read into {output}"
            screen.print(table(title, ["taken for", "figures"], counts, right=["figures"]))
            show_cost(builder.ledger)
    tell_skipped(skipped)
    spending.check()


def _problems(source: Path, on_error: Literal["stop", "skip"], skipped: Skipped) -> Iterator[Problem]:
    if source.is_dir():
        files = sorted(path for path in source.rglob("*") if path.suffix.lower() in terminal.PICTURES)
        if not files:
            raise ConfigError(f"{source} holds no images ({', '.join(sorted(terminal.PICTURES))}).")
        return (Problem(id=str(path.relative_to(source)), question="", images=(str(path),)) for path in files)
    if not source.exists():
        raise RecordError("there is no such file", file=str(source))
    if source.suffix.lower() in terminal.PICTURES:
        return iter([Problem(id=source.name, question="", images=(str(source),))])
    placed = placed_problems(source, on_error=on_error, report=skipped)
    return (problem for _, problem in terminal.GivenProblems(source).require_some(placed, need_candidates=False))


def _in_batches(problems: Iterable[Problem], builder: Builder) -> Iterator[tuple[Problem, Extraction]]:
    """Read in this process: models are asked a batch of questions at once."""
    extractor, waiting = builder.extractor(), iter(problems)
    try:
        while batch := list(islice(waiting, _BATCH)):
            yield from zip(batch, extractor.extract(batch), strict=True)
    finally:
        close_part(extractor)


def _draw_overlays(
    results: Iterable[tuple[Problem, Extraction]], overlay: Path | None, kinds: Counter[str]
) -> Iterator[tuple[Problem, Extraction]]:
    """The results, counted by kind and drawn as they go by."""
    for problem, extraction in results:
        kinds[extraction.kind or ("unreadable" if extraction.problem else "no image")] += 1
        if overlay is not None:
            _draw(problem, extraction, overlay)
        yield problem, extraction


def _draw(problem: Problem, extraction: Extraction, folder: Path) -> None:
    from evpv.perception.images import load_pixels
    from evpv.perception.overlay import draw_overlay

    folder.mkdir(parents=True, exist_ok=True)
    name = Path(problem.id)
    for number, image in enumerate(problem.images):
        suffix = f"-{number}" if len(problem.images) > 1 else ""
        try:
            sheet = draw_overlay(load_pixels(image), extraction, title=problem.id)
        except ImageError as error:
            tell(str(error), errors)
            continue
        sheet.save(folder / f"{name.stem if name.suffix.lower() in terminal.PICTURES else name.name}{suffix}.png")


def _record(problem: Problem, extraction: Extraction) -> dict[str, object]:
    facts = {"problem": extraction.problem, "reading": extraction.cost.get("reading")}
    known = {"id": problem.id, "constraints": constraints_to_json(extraction.constraints), "kind": extraction.kind}
    return {**known, **{name: value for name, value in facts.items() if value is not None}}


def _print(results: Iterable[tuple[Problem, Extraction]]) -> None:
    for problem, extraction in results:
        if not screen.is_terminal:
            print(json.dumps(_record(problem, extraction), ensure_ascii=False))
            continue
        title = terminal.escape_markup(f"{problem.id}: {extraction.kind or extraction.problem or 'no image'}")
        rows = [(terminal.escape_markup(describe(one)), f"{one.confidence:.2f}") for one in extraction.constraints]
        screen.print(table(title, ["fact", "confidence"], rows, right=["confidence"]))
