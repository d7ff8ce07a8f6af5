"""`evpv extract`: what can be read from figures, without candidates."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice, starmap
from pathlib import Path
from typing import Annotated, Literal

import typer

from evpv.assembly import Builder, first_question
from evpv.cli.options import Budget, Changes, Limit, OnError, RecipeName, Workers, chosen_recipe, usual_workers
from evpv.cli.reports import SpendingLimit, show_cost
from evpv.cli.terminal import (
    PICTURES,
    GivenProblems,
    errors,
    escape_markup,
    progress,
    screen,
    table,
    tell,
    tell_skipped,
)
from evpv.engines.local import extractions
from evpv.errors import ConfigError, ImageError, RecordError
from evpv.protocols import close_part
from evpv.records import Skipped, constraints_to_json, write_records
from evpv.records.lines import count_lines
from evpv.records.problems import placed_problems
from evpv.types import Extraction, Problem
from evpv.viewer.summaries import describe

_BATCH = 16


def extract(
    source: Annotated[Path, typer.Argument(help="Problems as JSON lines, one image, or a folder of images.")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="A JSON lines file, not the screen.")] = None,
    overlay: Annotated[Path | None, typer.Option(help="Save pictures with what was read drawn in, here.")] = None,
    recipe: RecipeName = "embedded",
    change: Changes = None,
    workers: Workers = None,
    budget: Budget = None,
    limit: Limit = None,
    on_error: OnError = "stop",
) -> None:
    """Read constraints from figures: one line per problem, {"id", "constraints"}."""
    loaded = chosen_recipe(recipe, change, budget)
    if workers is not None and loaded.backends:
        raise ConfigError("this recipe asks models: one process asks them all at once; leave out --workers.")
    skipped, kinds, spending = Skipped(), Counter[str](), SpendingLimit()
    problems = islice(_problems(source, on_error, skipped), limit)
    total = count_lines(source) if source.suffix == ".jsonl" else None
    first_question(loaded, "extractor")
    processes = workers or (1 if source.suffix.lower() in PICTURES else usual_workers(loaded))
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
        files = sorted(path for path in source.rglob("*") if path.suffix.lower() in PICTURES)
        if not files:
            raise ConfigError(f"{source} holds no images ({', '.join(sorted(PICTURES))}).")
        return (Problem(id=str(path.relative_to(source)), question="", images=(str(path),)) for path in files)
    if not source.exists():
        raise RecordError("there is no such file", file=str(source))
    if source.suffix.lower() in PICTURES:
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
        sheet.save(folder / f"{name.stem if name.suffix.lower() in PICTURES else name.name}{suffix}.png")


def _record(problem: Problem, extraction: Extraction) -> dict[str, object]:
    facts = {"problem": extraction.problem, "reading": extraction.cost.get("reading")}
    return {
        "id": problem.id,
        "constraints": constraints_to_json(extraction.constraints),
        "kind": extraction.kind,
        **{name: value for name, value in facts.items() if value is not None},
    }


def _print(results: Iterable[tuple[Problem, Extraction]]) -> None:
    for problem, extraction in results:
        if not screen.is_terminal:
            print(json.dumps(_record(problem, extraction), ensure_ascii=False))
            continue
        title = escape_markup(f"{problem.id}: {extraction.kind or extraction.problem or 'no image'}")
        rows = [(escape_markup(describe(one)), f"{one.confidence:.2f}") for one in extraction.constraints]
        screen.print(table(title, ["fact", "confidence"], rows, right=["confidence"]))
