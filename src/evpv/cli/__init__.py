"""The `evpv` command: a module for each command or for those that are read together, joined here."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

import evpv
from evpv.cli import doctor, evaluate, formats, rank, runs, search, serve, study, train
from evpv.cli.terminal import errors, escape_markup, naming_extras
from evpv.config import recipe_names
from evpv.errors import EvpvError

_RECIPES = f"""Recipes, for --recipe: {", ".join(recipe_names())}.
[bold]evpv doctor[/] says what each does and which run here; [bold]evpv doctor --recipe NAME[/] shows its settings, which --set NAME=VALUE changes."""

app = typer.Typer(
    name="evpv",
    help="Verify what a vision-language solution says it sees before trusting how it reasons.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    epilog=_RECIPES,
)
for command in (
    rank.demo, search.sample, rank.rank, search.search, search.revise, rank.extract, formats.match, runs.merge,
    runs.assess, evaluate.evaluate, evaluate.classify, evaluate.experiment, study.study, evaluate.fit, train.distill,
    train.train, runs.view, runs.edit, runs.upgrade, formats.export, serve.serve, serve.mcp, formats.figures,
    formats.schema, doctor.doctor,
):  # fmt: skip
    app.command()(naming_extras(command))
app.command("import")(naming_extras(formats.import_))
app.add_typer(doctor.cache, name="cache")


def _version(wanted: bool) -> None:
    if wanted:
        print(f"evpv {evpv.__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Verify what a vision-language solution says it sees before trusting how it reasons."""


def main() -> None:
    """Run a command; what went wrong on purpose is printed without a traceback, with exit code 1."""
    try:
        app()
    except BrokenPipeError:
        sys.exit(0)
    except (EvpvError, OSError) as error:  # or a full disk, a folder that may not be written, too few file descriptors
        said = system_message(error) if isinstance(error, OSError) else str(error)
        errors.print(f"[bold red]error:[/] {escape_markup(said)}", soft_wrap=True, highlight=False)
        sys.exit(1)


def system_message(error: OSError) -> str:
    """What the system refused, and where: a file in a folder's place is told as such, not as one that exists."""
    a_file_in_the_way = isinstance(error, FileExistsError | NotADirectoryError)
    said = "is a file, but a folder is needed here" if a_file_in_the_way else error.strerror or str(error)
    return f"{error.filename}: {said}" if error.filename else said
