"""`evpv extract`: what can be read from figures, without candidates."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice, starmap
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.table import Table

from evpv.assembly import Builder, first_question
from evpv.backends.ledger import Ledger, usage_to_json
from evpv.cli.reports import Purse, cost_table, with_budget
from evpv.cli.terminal import (
    GivenProblems,
    count_lines,
    errors,
    escape_markup,
    first_items,
    progress,
    screen,
    settings,
    tell_skipped,
)
from evpv.config import Recipe, load_recipe
from evpv.engines.extraction import extractions
from evpv.errors import ConfigError, ImageError, RecordError
from evpv.protocols import close_part
from evpv.records import Skipped, constraints_to_json, write_records
from evpv.records.problems import placed_problems
from evpv.types import Extraction, Problem
from evpv.viewer.summaries import describe

_IMAGES = {".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff"}
_BATCH = 16


def extract(
    source: Annotated[Path, typer.Argument(help="Problems as JSON lines, one image, or a folder of images.")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Where the constraints go, as JSON lines; without it they are printed."),
    ] = None,
    overlay: Annotated[
        Path | None, typer.Option(help="A folder for pictures with what was read drawn on them.")
    ] = None,
    recipe: Annotated[str, typer.Option(help="Whose extractor to use.")] = "embedded",
    change: Annotated[
        list[str] | None, typer.Option("--set", help="One setting, e.g. --set extractor.cache=~/.cache/evpv.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help="Processes that read figures; without it, one a core.", min=1)
    ] = None,
    budget: Annotated[float | None, typer.Option(help="The most that asking models may cost.", min=0)] = None,
    limit: Annotated[int | None, typer.Option(help="Only the first N.", min=0)] = None,
    on_error: Annotated[Literal["stop", "skip"], typer.Option(help="What a bad line does.")] = "stop",
) -> None:
    """Read constraints from figures: one line per problem, {"id", "constraints"}."""
    loaded = with_budget(load_recipe(recipe, settings(change or ())), budget)
    if workers is not None and loaded.backends:
        raise ConfigError("this recipe asks models: one process asks them all at once; leave out --workers.")
    skipped, kinds, purse = Skipped(), Counter[str](), Purse()
    problems = first_items(_problems(source, on_error, skipped), limit)
    total = count_lines(source) if source.suffix == ".jsonl" else None
    first_question(loaded, "extractor")
    builder = Builder(loaded)
    processes = workers or _usual_workers(source, loaded)
    read = extractions(loaded, problems, processes) if processes > 1 else _in_batches(problems, builder)
    try:
        results = purse.until_spent(progress(_draw_overlays(read, overlay, kinds), "reading", total))
        if output is None:
            _print(results)
        else:
            write_records(output, starmap(_record, results))
            _show(kinds, output, builder.ledger)
    finally:
        builder.close()
    tell_skipped(skipped)
    purse.check()


def _usual_workers(source: Path, recipe: Recipe) -> int:
    """One for a single image, and where models are asked: one process asks them all at once."""
    alone = source.suffix.lower() in _IMAGES or recipe.backends
    return 1 if alone else os.cpu_count() or 1


def _show(kinds: Counter[str], output: Path, ledger: Ledger) -> None:
    table = Table(title=f"{kinds.total()} figures read into {output}", title_justify="left")
    table.add_column("taken for")
    table.add_column("figures", justify="right")
    for kind, number in kinds.most_common():
        table.add_row(kind, str(number))
    screen.print(table)
    if ledger.stages():
        screen.print(cost_table(usage_to_json(ledger.stages())))


def _problems(source: Path, on_error: Literal["stop", "skip"], skipped: Skipped) -> Iterator[Problem]:
    if source.is_dir():
        files = sorted(path for path in source.rglob("*") if path.suffix.lower() in _IMAGES)
        if not files:
            raise ConfigError(f"{source} holds no images ({', '.join(sorted(_IMAGES))}).")
        return (Problem(id=str(path.relative_to(source)), question="", images=(str(path),)) for path in files)
    if not source.exists():
        raise RecordError("there is no such file", file=str(source))
    if source.suffix.lower() in _IMAGES:
        return iter([Problem(id=source.name, question="", images=(str(source),))])
    placed = placed_problems(source, on_error=on_error, report=skipped)
    return (problem for _, problem in GivenProblems(source).require_some(placed, need_candidates=False))


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
    # Here and not above, so that the commands that draw nothing run without the vision extra.
    from evpv.perception.images import load_pixels
    from evpv.perception.overlay import draw_overlay

    folder.mkdir(parents=True, exist_ok=True)
    for number, image in enumerate(problem.images):
        suffix = f"-{number}" if len(problem.images) > 1 else ""
        try:
            sheet = draw_overlay(load_pixels(image), extraction, title=problem.id)
        except ImageError as error:
            errors.print(str(error), markup=False)
            continue
        name = Path(problem.id)
        sheet.save(folder / f"{name.stem if name.suffix.lower() in _IMAGES else name.name}{suffix}.png")


def _record(problem: Problem, extraction: Extraction) -> dict[str, object]:
    record: dict[str, object] = {
        "id": problem.id,
        "constraints": constraints_to_json(extraction.constraints),
        "kind": extraction.kind,
    }
    if extraction.problem:
        record["problem"] = extraction.problem
    return {**record, "reading": extraction.cost["reading"]} if "reading" in extraction.cost else record


def _print(results: Iterable[tuple[Problem, Extraction]]) -> None:
    for problem, extraction in results:
        if not screen.is_terminal:
            print(json.dumps(_record(problem, extraction), ensure_ascii=False))
            continue
        table = Table(
            title=escape_markup(f"{problem.id}: {extraction.kind or extraction.problem or 'no image'}"),
            title_justify="left",
        )
        table.add_column("fact")
        table.add_column("confidence", justify="right")
        for constraint in extraction.constraints:
            table.add_row(escape_markup(describe(constraint)), f"{constraint.confidence:.2f}")
        screen.print(table)
