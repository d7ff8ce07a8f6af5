"""`evpv doctor` and `evpv cache`: what is installed and what recipes and their models can do; what is kept of answers and figures."""

from __future__ import annotations

import json
import platform
import re
import time
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

import evpv
from evpv.assembly import EXTRAS, Builder, build
from evpv.backends.store import AnswerStore, store_path
from evpv.cli.terminal import escape_markup, screen, settings
from evpv.config import Recipe, load_recipe, recipe_names
from evpv.errors import BackendError, ConfigError, EvpvError
from evpv.perception.cache import cache_folder
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


cache = typer.Typer(help="What is kept of models' answers and figures' constraints.", no_args_is_help=True)

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_BYTES = {"": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9}
_Store = Annotated[Path | None, typer.Option(help="The file of answers; without it, the one in the cache folder.")]


@cache.command()
def stats(
    store: _Store = None, constraints: Annotated[str, typer.Option(help="The constraints' folder.")] = "auto"
) -> None:
    """Show how many answers are kept, by model, how large and how old they are."""
    path = store_path(store)
    if path.exists():
        kept = AnswerStore(path)
        screen.print(_answers(kept))
        kept.close()
    else:
        screen.print(f"no answers are kept: there is no {path}", soft_wrap=True)
    screen.print(_constraints(cache_folder(constraints)), soft_wrap=True)


@cache.command()
def prune(
    store: _Store = None,
    model: Annotated[str | None, typer.Option(help="Only this model's answers.")] = None,
    older_than: Annotated[str | None, typer.Option(help="Only older ones: 12h, 30d, 8w.")] = None,
    keep: Annotated[str | None, typer.Option(help="Only the oldest, until so much is left: 500MB, 2GB.")] = None,
) -> None:
    """Remove kept answers: a model's, old ones, or the oldest until so much is left; what is given holds together."""
    if model is None and older_than is None and keep is None:
        raise ConfigError("say what to remove: --model, --older-than or --keep (--keep 0 removes everything).")
    age_s = None if older_than is None else _parse_amount(older_than, _SECONDS, "30d")
    most = None if keep is None else int(_parse_amount(keep, _BYTES, "500MB"))
    path = store_path(store)
    if not path.exists():
        raise ConfigError(f"no answers are kept: there is no {path}")
    kept = AnswerStore(path)
    removed = kept.prune(model=model, older_than_s=age_s, keep_bytes=most)
    kept.close()
    screen.print(f"{removed} answers removed, {_size(path.stat().st_size)} left in {path}", soft_wrap=True)


def _parse_amount(text: str, units: dict[str, int], example: str) -> float:
    """An amount with its unit, in seconds or bytes.

    >>> _parse_amount("30d", _SECONDS, "30d"), _parse_amount("1.5 GB", _BYTES, "500MB")
    (2592000.0, 1500000000.0)
    """
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*", text.lower())
    if found is None or found[2] not in units:
        raise ConfigError(f"{text!r} is not an amount such as {example} (units: {', '.join(filter(None, units))}).")
    return float(found[1]) * units[found[2]]


def _answers(kept: AnswerStore) -> Table:
    table = Table(title=f"answers in {kept.path} ({_size(kept.path.stat().st_size)})", title_justify="left")
    table.add_column("model")
    for column in ("answers", "size", "oldest", "newest"):
        table.add_column(column, justify="right")
    for shelf in kept.shelves():
        ages = (_age(time.time() - shelf.oldest), _age(time.time() - shelf.newest))
        table.add_row(escape_markup(shelf.model), str(shelf.answers), _size(shelf.bytes), *ages)
    return table


def _constraints(folder: Path) -> str:
    sizes = [path.stat().st_size for path in folder.glob("??/*.json")]
    return f"constraints of {len(sizes)} figures and questions in {folder} ({_size(sum(sizes))})"


def _size(count: int) -> str:
    """A number of bytes for reading.

    >>> _size(900), _size(1_250_000)
    ('900 B', '1.2 MB')
    """
    amount = float(count)
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} B" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


def _age(seconds: float) -> str:
    """A length of time in its largest whole unit.

    >>> _age(90), _age(200_000)
    ('1 min', '2 days')
    """
    for unit, length in (("days", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= length:
            return f"{int(seconds // length)} {unit}"
    return f"{max(int(seconds), 0)} s"
