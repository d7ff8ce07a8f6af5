"""`evpv train`: the extractor, its preferences, the verifier."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from evpv.assembly import missing_extra
from evpv.cli.terminal import screen, settings
from evpv.errors import ConfigError


def train(
    output: Annotated[Path, typer.Option("-o", "--output", help="The folder for checkpoints, log and card.")],
    kind: Annotated[
        Literal["extractor", "preferences", "verifier"] | None, typer.Argument(help="What to train.")
    ] = None,
    recipe: Annotated[str, typer.Option(help="A training recipe's name, or the path of your own.")] = "",
    change: Annotated[
        list[str] | None, typer.Option("--set", help="section.setting=value; repeat for several.")
    ] = None,
    smoke: Annotated[
        bool, typer.Option("--smoke", help="All three at toy size: does everything fit together?")
    ] = False,
) -> None:
    """Train a part of the method. A folder that holds checkpoints is gone on from."""
    try:  # here and not above, so that commands that train nothing run without the train extra
        from evpv.training.recipes import load_training_recipe
        from evpv.training.runs import train as run
        from evpv.training.smoke import smoke as run_smoke
    except ModuleNotFoundError as error:
        raise missing_extra("evpv train", error) from error
    if smoke:
        for name, report in run_smoke(output).items():
            screen.print(f"{name}: {report['held_out'] or report['log'][-1:]}", soft_wrap=True)
        return
    if kind is None:
        raise ConfigError("say what to train: extractor, preferences or verifier; or --smoke.")
    chosen = load_training_recipe(
        recipe or f"paper-{kind}", {key: _value(text) for key, text in settings(change or ()).items()}
    )
    if chosen.kind != kind:
        raise ConfigError(f"the recipe {chosen.name!r} trains a {chosen.kind}, not a {kind}.")
    report = run(chosen, output)
    screen.print(
        f"{report['rows']} rows, {report['hours']} hours; {report.get('held_out') or 'nothing held out'}",
        soft_wrap=True,
    )
    screen.print(f"{output / 'README.md'}", soft_wrap=True)


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
