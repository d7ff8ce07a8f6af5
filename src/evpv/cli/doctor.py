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
from rich.filesize import decimal

import evpv
from evpv.assembly import EXTRAS, Builder, build
from evpv.backends.store import AnswerStore, store_path
from evpv.cli.options import Changes, chosen_recipe
from evpv.cli.terminal import escape_markup, screen, table, tell
from evpv.config import load_recipe, recipe_names
from evpv.errors import BackendError, ConfigError, EvpvError
from evpv.perception.cache import cache_folder
from evpv.protocols import ChatBackend, ChatRequest, Sampling, close_part, description_of
from evpv.settings import dotted_pairs

_QUESTION = ChatRequest(prompt="Say hello.", sampling=Sampling(max_tokens=16), stage="doctor")
_ABILITIES = ("images", "json_schema", "logprobs", "n", "prompt_logprobs")
_UNTOLD = "not asked"
_WORDS: dict[Any, str] = {True: "[green]yes[/]", False: "[yellow]no[/]", None: "could not be told"}


def doctor(
    recipe: Annotated[str | None, typer.Option(help="Show this recipe's settings, and test its models.")] = None,
    change: Changes = None,
) -> None:
    """Show what is installed, which recipes run here and what the others need; or what a recipe's models can do."""
    if recipe is not None:
        loaded = chosen_recipe(recipe, change)
        # By the names that --set takes: from a wheel there is no folder of recipes to look into.
        made = loaded.settings()
        if fit := made.pop("fitted", None):
            made["method"] = {**made["method"], "fitted": fit["name"]}
        cells = [(n, escape_markup(json.dumps(v, ensure_ascii=False, default=str))) for n, v in dotted_pairs(made)]
        title = f"the settings of {escape_markup(loaded.name)!r}: --set NAME=VALUE"
        screen.print(table(title, ["name", "value"], cells))
        _ask_backends(Builder(loaded))
        return
    screen.print(f"evpv {evpv.__version__}, Python {platform.python_version()}, {platform.machine()}")
    homes = packages_distributions()
    extras = sorted(EXTRAS.items(), key=lambda item: (item[1], item[0]))
    rows = [(extra, module, _install_state(module, homes.get(module, [module])[0])) for module, extra in extras]
    screen.print(table("optional packages", ["extra", "package", "installed"], rows))
    screen.print(table("recipes", ["recipe", "what it does", "here"], map(_recipe_cells, recipe_names())))


def _ask_backends(builder: Builder) -> None:
    """A table of what each backend can do; an error if one does not answer at all."""
    names = sorted(builder.recipe.backends)
    if not names:
        screen.print(f"the recipe {builder.recipe.name!r} asks no model: it needs no endpoint")
        return
    found = {name: _abilities(builder.bare_backend(name)) for name in names}
    answers = found.values()
    rows = [["model", *(escape_markup(one["model"]) for one in answers)]]
    rows.append(["answers", *(_WORDS[one.get("problem") is None] for one in answers)])
    for ability in _ABILITIES:
        rows.append([ability, *(_WORDS.get(one.get(ability, _UNTOLD), "–") for one in answers)])
    screen.print(table(f"the models of {builder.recipe.name!r}", ["", *names], rows))
    for name, answer in found.items():
        if (problem := answer.get("problem")) is not None:
            raise BackendError(f"backend {name!r} does not answer: {problem}")


def _abilities(backend: ChatBackend) -> dict[str, Any]:
    """What a backend can do, as far as it can tell; at least whether it answers."""
    try:
        abilities = description_of(backend).abilities
        if abilities is not None:
            return {**abilities(), "model": backend.name}
        return {"model": backend.name, "problem": backend.ask([_QUESTION])[0].problem}
    finally:
        close_part(backend)


def _install_state(module: str, distribution: str) -> str:
    if find_spec(module) is None:
        return "[yellow]no[/]"
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "yes"


def _recipe_cells(name: str) -> tuple[str, str, str]:
    """A recipe, what it does, and whether it can be built here."""
    recipe = load_recipe(name)
    try:
        build(recipe).close()
        state = "[green]ready[/]" + (f"; ask its models: evpv doctor --recipe {name}" if recipe.backends else "")
    except EvpvError as error:
        state = f"[yellow]{escape_markup(str(error))}[/]"
    return name, recipe.description, state


cache = typer.Typer(
    help="Show or clear the cache of model answers and of constraints read from figures.", no_args_is_help=True
)

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_BYTES = {"": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9}
_Store = Annotated[Path | None, typer.Option(help="The SQLite file of answers. Default: the one in the cache folder.")]


@cache.command()
def stats(
    store: _Store = None, constraints: Annotated[str, typer.Option(help="The folder of cached constraints.")] = "auto"
) -> None:
    """Show how many answers are cached per model, their size and their age."""
    path, folder = store_path(store), cache_folder(constraints)
    if path.exists():
        kept, now = AnswerStore(path), time.time()
        rows = []
        for one in kept.by_model():
            ages = _age(now - one.oldest), _age(now - one.newest)
            rows.append((escape_markup(one.model), str(one.answers), decimal(one.bytes), *ages))
        numbers = ["answers", "size", "oldest", "newest"]
        title = f"answers in {path} ({decimal(path.stat().st_size)})"
        screen.print(table(title, ["model", *numbers], rows, right=numbers))
        kept.close()
    else:
        tell(f"no answers are kept: there is no {path}")
    sizes = [file.stat().st_size for file in folder.glob("??/*.json")]
    tell(f"constraints of {len(sizes)} figures and questions in {folder} ({decimal(sum(sizes))})")


@cache.command()
def prune(
    store: _Store = None,
    model: Annotated[str | None, typer.Option(help="Remove only this model's answers.")] = None,
    older_than: Annotated[str | None, typer.Option(help="Remove only answers older than this: 12h, 30d, 8w.")] = None,
    keep: Annotated[str | None, typer.Option(help="Remove the oldest until this much is left: 500MB, 2GB.")] = None,
) -> None:
    """Remove cached answers by model, age or total size. Several options all apply."""
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
    tell(f"{removed} answers removed, {decimal(path.stat().st_size)} left in {path}")


def _parse_amount(text: str, units: dict[str, int], example: str) -> float:
    """An amount with its unit, in seconds or bytes.

    >>> _parse_amount("30d", _SECONDS, "30d"), _parse_amount("1.5 GB", _BYTES, "500MB")
    (2592000.0, 1500000000.0)
    """
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*", text.lower())
    if found is None or found[2] not in units:
        raise ConfigError(f"{text!r} is not an amount such as {example} (units: {', '.join(filter(None, units))}).")
    return float(found[1]) * units[found[2]]


def _age(seconds: float) -> str:
    """A length of time in its largest whole unit.

    >>> _age(90), _age(200_000)
    ('1 min', '2 days')
    """
    for unit, length in (("days", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= length:
            return f"{int(seconds // length)} {unit}"
    return f"{max(int(seconds), 0)} s"
