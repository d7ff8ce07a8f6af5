"""`evpv train` and `evpv distill`: the parts of the method learnt, and the corpora that they learn from."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from evpv.assembly import Builder, missing_extra
from evpv.backends.ledger import usage_to_json
from evpv.cli.reports import cost_table, with_budget
from evpv.cli.terminal import screen, settings
from evpv.config import Recipe, load_recipe
from evpv.errors import BudgetError, ConfigError


def train(
    output: Annotated[Path, typer.Option("-o", "--output", help="The folder for checkpoints, log and card.")],
    kind: Annotated[
        Literal["extractor", "preferences", "verifier"] | None, typer.Argument(help="What to train.")
    ] = None,
    recipe: Annotated[str, typer.Option(help="A training recipe's name, or the path of your own.")] = "",
    change: Annotated[
        list[str] | None, typer.Option("--set", help="section.setting=value; repeat for several.")
    ] = None,
    launch: Annotated[
        Literal["ddp", "fsdp", "deepspeed"] | None,
        typer.Option(help="Several processes: print and run the command that starts them."),
    ] = None,
    gpus: Annotated[int, typer.Option(help="How many processes, one a GPU.")] = 1,
    plan: Annotated[
        bool, typer.Option("--plan", help="Only say what it would take: parameters, tokens, memory, hours.")
    ] = False,
    smoke: Annotated[
        bool, typer.Option("--smoke", help="All three at toy size: does everything fit together?")
    ] = False,
) -> None:
    """Train a part of the method. A folder that holds checkpoints is gone on from."""
    try:  # here and not above, so that commands that train nothing run without the train extra
        from evpv.training.recipes import load_training_recipe
        from evpv.training.runs import smoke as run_smoke
    except ModuleNotFoundError as error:
        raise missing_extra("evpv train", error) from error
    if smoke:
        _show_smoke(run_smoke(output))
        return
    if kind is None:
        raise ConfigError("say what to train: extractor, preferences or verifier; or --smoke.")
    named, changes = recipe or f"paper-{kind}", change or []
    chosen = load_training_recipe(named, _values(changes))
    if chosen.kind != kind:
        raise ConfigError(f"the recipe {chosen.name!r} trains a {chosen.kind}, not a {kind}.")
    if plan:
        _show_plan(chosen, gpus, launch)
    elif launch is not None:
        sets = chain.from_iterable(("--set", one) for one in changes)
        _start_processes(launch, gpus, chosen.model.start, [kind, "--recipe", named, "-o", str(output), *sets])
    else:
        _run(chosen, output)


def _show_smoke(reports: Mapping[str, Any]) -> None:
    for name, report in reports.items():
        screen.print(f"{name}: {report['held_out'] or report['log'][-1:]}", soft_wrap=True)


def _show_plan(recipe: Any, gpus: int, strategy: Any) -> None:
    from evpv.training.plan import plan_page

    screen.print(plan_page(recipe, gpus, strategy or "ddp"), soft_wrap=True, markup=False, highlight=False)


def _run(recipe: Any, output: Path) -> None:
    from evpv.training.launch import is_main
    from evpv.training.runs import train as run

    report = run(recipe, output)
    if is_main():
        found = report.get("held_out") or "nothing held out"
        left_out = f"; {report['faults']}" if report["faults"] else ""
        screen.print(f"{report['rows']} rows{left_out}, {report['hours']} hours; {found}", soft_wrap=True)
        screen.print(f"{output / 'README.md'}", soft_wrap=True)


def _start_processes(strategy: Any, gpus: int, model: str, arguments: list[str]) -> None:
    from evpv.training.launch import command_text, launch, launch_command

    command = launch_command(strategy, gpus, model, arguments)
    screen.print(command_text(command), soft_wrap=True, markup=False, highlight=False)
    if code := launch(command):
        raise typer.Exit(code)


def _values(changes: list[str]) -> dict[str, Any]:
    """Settings as TOML reads them; what is no TOML is a text."""
    values: dict[str, Any] = {}
    for key, text in settings(changes).items():
        try:
            values[key] = tomllib.loads(f"value = {text}")["value"]
        except tomllib.TOMLDecodeError:
            values[key] = text
    return values


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
