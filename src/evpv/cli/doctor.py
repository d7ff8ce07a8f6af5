"""`evpv doctor`: what is installed, what each recipe needs, and how to get what is missing."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from importlib.util import find_spec

from rich.table import Table

import evpv
from evpv.assembly import EXTRAS, build
from evpv.cli.terminal import screen
from evpv.config import load_recipe, recipe_names
from evpv.errors import EvpvError


def doctor() -> None:
    """Show what is installed, which recipes can run here, and what to install for the others."""
    screen.print(f"evpv {evpv.__version__}, Python {platform.python_version()}, {platform.machine()}")
    screen.print(_packages())
    screen.print(_recipes())


def _packages() -> Table:
    table = Table(title="optional packages", title_justify="left")
    for column in ("extra", "package", "installed"):
        table.add_column(column)
    homes = packages_distributions()
    for module, extra in sorted(EXTRAS.items(), key=lambda item: (item[1], item[0])):
        table.add_row(extra, module, _installed(module, homes.get(module, [module])[0]))
    return table


def _installed(module: str, distribution: str) -> str:
    if find_spec(module) is None:
        return "[yellow]no[/]"
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "yes"


def _recipes() -> Table:
    table = Table(title="recipes", title_justify="left")
    for column in ("recipe", "what it does", "here"):
        table.add_column(column)
    for name in recipe_names():
        recipe = load_recipe(name)
        try:
            build(recipe)
            state = "[green]ready[/]"
        except EvpvError as error:
            state = f"[yellow]{str(error).replace('[', chr(92) + '[')}[/]"
        table.add_row(name, recipe.description, state)
    return table
