"""`evpv train` and `evpv distill`: the parts of the method learnt, and the corpora that they learn from."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from itertools import chain, repeat
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from evpv.assembly import Builder
from evpv.cli.options import Budget, Changes, RecipeName, chosen_recipe, settings
from evpv.cli.reports import show_cost
from evpv.cli.terminal import tell
from evpv.config import Recipe, toml_values
from evpv.errors import ConfigError

_Trained = Literal["extractor", "preferences", "verifier"]
_Launch = Literal["ddp", "fsdp", "deepspeed"]
_Pairs = Literal["teacher", "samples"]


def train(
    output: Annotated[Path, typer.Option("-o", "--output", help="The folder for checkpoints, log and model card.")],
    kind: Annotated[_Trained | None, typer.Argument(help="preferences: the extractor by DPO.")] = None,
    recipe: Annotated[str, typer.Option(help="A training recipe's name, or the path of your own.")] = "",
    change: Annotated[list[str] | None, typer.Option("--set", help="One setting: --set section.name=value.")] = None,
    launch: Annotated[_Launch | None, typer.Option(help="Several processes: print and run their launcher.")] = None,
    gpus: Annotated[int, typer.Option(help="Number of processes, one per GPU.")] = 1,
    plan: Annotated[bool, typer.Option("--plan", help="Print the tokens, memory and hours needed, and stop.")] = False,
    smoke: Annotated[bool, typer.Option("--smoke", help="Run all three trainers at toy size, as a test.")] = False,
) -> None:
    """Train the extractor or the verifier. Resumes from checkpoints in the output folder."""
    from evpv.training.launch import command_text, launch_command
    from evpv.training.launch import launch as start_processes
    from evpv.training.plan import plan_page
    from evpv.training.recipes import load_training_recipe
    from evpv.training.runs import smoke as run_smoke
    from evpv.training.runs import train as run

    if smoke:
        for name, report in run_smoke(output).items():
            tell(f"{name}: {report['held_out'] or report['log'][-1:]}")
        return
    if kind is None:
        raise ConfigError("say what to train: extractor, preferences or verifier; or --smoke.")
    named, changes = recipe or f"paper-{kind}", list(change or ())
    chosen = load_training_recipe(named, toml_values(settings(changes)))
    if chosen.kind != kind:
        raise ConfigError(f"the recipe {chosen.name!r} trains a {chosen.kind}, not a {kind}.")
    if plan:
        tell(plan_page(chosen, gpus, launch or "ddp"))
    elif launch is not None:
        sets = chain.from_iterable(zip(repeat("--set"), changes, strict=False))
        arguments = [kind, "--recipe", named, "-o", str(output), *sets]
        command = launch_command(launch, gpus, chosen.model.start, arguments)
        tell(command_text(command))
        raise typer.Exit(start_processes(command))
    else:
        _tell_report(run(chosen, output), output)


def _tell_report(report: Mapping[str, Any], output: Path) -> None:
    from evpv.training.launch import is_main

    if not is_main():
        return
    left_out = f"; {report['faults']}" if report["faults"] else ""
    found = report.get("held_out") or "nothing held out"
    tell(f"{report['rows']} rows{left_out}, {report['hours']} hours; {found}")
    tell(f"{output / 'README.md'}")


def distill(
    source: Annotated[Path, typer.Argument(help="Problems, or VisualPRM400K; with --pairs, an evpv corpus.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The corpus to write; an unfinished one is resumed.")],
    recipe: RecipeName = "vllm",
    change: Changes = None,
    pairs: Annotated[_Pairs | None, typer.Option(help="Preference pairs: teacher's errors or the model's own.")] = None,
    sample: Annotated[int, typer.Option(help="Draw this many problems at random; 0 takes all.", min=0)] = 0,
    seed: Annotated[int, typer.Option(help="Random seed of the draw.")] = 0,
    skip: Annotated[Path | None, typer.Option(help="Leave out the problems of this corpus.")] = None,
    budget: Budget = None,
) -> None:
    """Let a strong model write training data: constraints with reference steps, or preference pairs. Resumes."""
    from evpv.perception.chat import Teacher
    from evpv.training import distillation

    chosen = chosen_recipe(recipe, change, budget)
    with ExitStack() as stack:
        builder = stack.enter_context(Builder(chosen))
        stack.callback(show_cost, builder.ledger)
        backend = builder.backend(_backend_name(chosen))
        if pairs is None:
            used = distillation.ids_in(skip) if skip is not None else frozenset()
            problems = distillation.drawn_problems(source, sample=sample, seed=seed, skip=used)
            counts = distillation.write_corpus(output, problems, Teacher(backend=backend))
        else:
            writers = {"teacher": distillation.TeacherRewrites, "samples": distillation.OwnSamples}
            counts = distillation.write_pairs(output, source, writers[pairs](backend=backend))
        left_out = f"{counts.filtered} left out ({output.name}.filtered says why)"
        tell(f"{counts.written} written to {output}, {left_out}, {counts.already} were there")


def _backend_name(recipe: Recipe) -> str:
    """The backend that the recipe's extractor asks, or its only one."""
    named = recipe.extractor.settings.get("backend")
    if isinstance(named, str):
        return named
    if len(recipe.backends) == 1:
        return next(iter(recipe.backends))
    raise ConfigError(f"the recipe {recipe.name!r} has no model to ask: choose one with [backends], such as vllm.")
