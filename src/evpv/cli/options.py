"""The options that several commands have, each said once, and the recipe that they choose."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import typer

from evpv.config import Recipe, load_recipe
from evpv.errors import RecordError

RunFolder = Annotated[Path, typer.Argument(help="A run folder with traces.")]
NewRun = Annotated[Path, typer.Option("-o", "--output", help="The run folder; an unfinished run in it is resumed.")]
RecipeName = Annotated[str, typer.Option(help="Extractor, judge and method: a recipe's name, or your own TOML file.")]
Changes = Annotated[list[str] | None, typer.Option("--set", help="A setting: --set judge.evidence=false; repeatable.")]
Budget = Annotated[float | None, typer.Option(help="Stop when model calls have cost this much; needs prices.", min=0)]
Limit = Annotated[int | None, typer.Option(help="Only the first N problems.", min=0)]
OnError = Annotated[Literal["stop", "skip"], typer.Option(help="At a bad line, stop or skip it.")]
Workers = Annotated[int | None, typer.Option(help="Worker processes. Default: one per core; with models, one.", min=1)]
Engine = Annotated[Literal["local", "ray"], typer.Option(help="Local processes, or Ray on the cluster at RAY_ADDRESS.")]


def chosen_recipe(name: str, changes: Sequence[str] | None, budget: float | None = None) -> Recipe:
    """The recipe that a command line names, with its settings and its budget."""
    recipe = load_recipe(name, settings(changes or ()))
    return recipe if budget is None else replace(recipe, budget=budget)


def usual_workers(recipe: Recipe) -> int:
    """As many as there are cores, where the work is done here; where models are asked, one process asks them all at once."""
    return 1 if recipe.backends else os.cpu_count() or 1


def settings(pairs: Iterable[str]) -> dict[str, str]:
    """`key=value` options as a mapping."""
    found: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise RecordError(f"--set takes key=value, not {pair!r}")
        found[key.strip()] = value.strip()
    return found
