"""`evpv distill`: a teacher writes the constraints, or the preference pairs, that an extractor is trained on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from evpv.assembly import Builder, missing_extra
from evpv.backends.ledger import usage_to_json
from evpv.cli.costs import cost_table, with_budget
from evpv.cli.terminal import screen, settings
from evpv.config import Recipe, load_recipe
from evpv.errors import BudgetError, ConfigError


def distill(
    source: Annotated[Path, typer.Argument(help="Problems, VisualPRM400K's folder or files; with --pairs a corpus.")],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="The corpus, which grows; what is left out beside it.")
    ],
    recipe: Annotated[str, typer.Option(help="Whose extractor's backend is asked: a recipe's name or path.")] = "vllm",
    change: Annotated[
        list[str] | None, typer.Option("--set", help="One setting, e.g. --set backends.main.model=NAME.")
    ] = None,
    pairs: Annotated[
        Literal["teacher", "samples"] | None,
        typer.Option(help="Write preference pairs: wrong rewrites by the teacher, or the model's own mistakes."),
    ] = None,
    sample: Annotated[int, typer.Option(help="Draw that many problems; 0 takes all.", min=0)] = 0,
    seed: Annotated[int, typer.Option(help="Decides the draw.")] = 0,
    skip: Annotated[Path | None, typer.Option(help="A corpus whose problems are not drawn again.")] = None,
    budget: Annotated[float | None, typer.Option(help="The most that asking may cost.", min=0)] = None,
) -> None:
    """Let a strong model write constraints with reference steps, or preference pairs; a stopped file is gone on with."""
    try:  # the readers of training sets are the train extra's
        from evpv.perception.teacher import Teacher, write_corpus
        from evpv.training import distillation
    except ModuleNotFoundError as error:
        raise missing_extra("evpv distill", error) from error
    chosen = with_budget(load_recipe(recipe, settings(change or ())), budget)
    builder = Builder(chosen)
    spent: BudgetError | None = None
    counts: Any = None
    try:
        backend = builder.backend(_backend_name(chosen))
        if pairs is None:
            used = distillation.ids_in(skip) if skip is not None else frozenset()
            draw = distillation.Draw(sample=sample, seed=seed, skip=used)
            counts = write_corpus(output, distillation.drawn_problems(source, draw), Teacher(backend=backend))
        else:
            writers = {"teacher": distillation.TeacherRewrites, "samples": distillation.OwnSamples}
            counts = distillation.write_pairs(output, source, writers[pairs](backend=backend))
    except BudgetError as error:
        spent = error
    finally:
        builder.close()
    _show(counts, output, builder)
    if spent is not None:
        raise spent


def _show(counts: Any, output: Path, builder: Builder) -> None:
    if counts is not None:
        screen.print(
            f"{counts.written} written to {output}, {counts.filtered} left out ({output.name}.filtered says why),"
            f" {counts.already} were there",
            soft_wrap=True,
        )
    if builder.ledger.stages():
        screen.print(cost_table(usage_to_json(builder.ledger.stages())))


def _backend_name(recipe: Recipe) -> str:
    """The backend that the recipe's extractor asks, or its only one."""
    named = recipe.extractor.settings.get("backend")
    if isinstance(named, str):
        return named
    if len(recipe.backends) == 1:
        return next(iter(recipe.backends))
    raise ConfigError(f"the recipe {recipe.name!r} has no model to ask: choose one with [backends], such as vllm.")
