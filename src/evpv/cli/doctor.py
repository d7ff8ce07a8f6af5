"""`evpv doctor`: what is installed, what each recipe needs, and what the models of one recipe can do."""

from __future__ import annotations

import json
import platform
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from importlib.util import find_spec
from typing import Annotated, Any

import typer
from rich.table import Table

import evpv
from evpv.assembly import EXTRAS, Builder, build
from evpv.cli.terminal import escape_markup, screen, settings
from evpv.config import Recipe, load_recipe, recipe_names
from evpv.errors import BackendError, EvpvError
from evpv.protocols import ChatBackend, ChatRequest, Sampling, close_part, description_of
from evpv.settings import dotted_pairs

_QUESTION = ChatRequest(prompt="Say hello.", sampling=Sampling(max_tokens=16), stage="doctor")
_ABILITIES = ("images", "json_schema", "logprobs", "n", "prompt_logprobs")
_WORDS = {True: "[green]yes[/]", False: "[yellow]no[/]", None: "could not be told"}


def doctor(
    recipe: Annotated[
        str | None, typer.Option(help="Show its settings, and ask each of its models one tiny question.")
    ] = None,
    change: Annotated[
        list[str] | None, typer.Option("--set", help="One setting, e.g. --set backends.main.base_url=http://….")
    ] = None,
) -> None:
    """Show what is installed, which recipes can run here, and what to install for the others; or what a recipe's models can do."""
    if recipe is not None:
        loaded = load_recipe(recipe, settings(change or ()))
        screen.print(_settings_table(loaded))
        _ask_backends(Builder(loaded))
        return
    screen.print(f"evpv {evpv.__version__}, Python {platform.python_version()}, {platform.machine()}")
    screen.print(_packages())
    screen.print(_recipes())


def _settings_table(recipe: Recipe) -> Table:
    """A recipe's settings by the names that --set takes: from a wheel there is no folder of recipes to look into."""
    made = recipe.settings()
    if fit := made.pop("fitted", None):
        made["method"] = {**made["method"], "fitted": fit["name"]}
    table = Table(title=f"the settings of {escape_markup(recipe.name)!r}: --set NAME=VALUE", title_justify="left")
    table.add_column("name")
    table.add_column("value")
    for name, value in dotted_pairs(made):
        table.add_row(name, escape_markup(json.dumps(value, ensure_ascii=False, default=str)))
    return table


def _ask_backends(builder: Builder) -> None:
    """A table of what each backend can do; an error if one does not answer at all."""
    names = sorted(builder.recipe.backends)
    if not names:
        screen.print(f"the recipe {builder.recipe.name!r} asks no model: it needs no endpoint")
        return
    found = {name: _ask_abilities(builder.bare_backend(name)) for name in names}
    table = Table(title=f"the models of {builder.recipe.name!r}", title_justify="left")
    for column in ("", *names):
        table.add_column(column)
    table.add_row("model", *(escape_markup(answer["model"]) for answer in found.values()))
    table.add_row("answers", *(_WORDS[answer.get("problem") is None] for answer in found.values()))
    for ability in _ABILITIES:
        table.add_row(ability, *(_word(answer, ability) for answer in found.values()))
    screen.print(table)
    for name, answer in found.items():
        if answer.get("problem") is not None:
            raise BackendError(f"backend {name!r} does not answer: {answer['problem']}")


def _ask_abilities(backend: ChatBackend) -> dict[str, Any]:
    """What a backend can do, as far as it can tell; at least whether it answers."""
    try:
        abilities = description_of(backend).abilities
        if abilities is not None:
            return {**abilities(), "model": backend.name}
        return {"model": backend.name, "problem": backend.ask([_QUESTION])[0].problem}
    finally:
        close_part(backend)


def _word(answer: dict[str, Any], ability: str) -> str:
    return _WORDS[answer[ability]] if ability in answer and answer.get("problem") is None else "–"


def _packages() -> Table:
    table = Table(title="optional packages", title_justify="left")
    for column in ("extra", "package", "installed"):
        table.add_column(column)
    homes = packages_distributions()
    for module, extra in sorted(EXTRAS.items(), key=lambda item: (item[1], item[0])):
        table.add_row(extra, module, _install_state(module, homes.get(module, [module])[0]))
    return table


def _install_state(module: str, distribution: str) -> str:
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
            build(recipe).close()
            state = "[green]ready[/]" + (f"; ask its models: evpv doctor --recipe {name}" if recipe.backends else "")
        except EvpvError as error:
            state = f"[yellow]{escape_markup(str(error))}[/]"
        table.add_row(name, recipe.description, state)
    return table
