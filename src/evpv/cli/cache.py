"""`evpv cache`: what is kept of models' answers and of figures' constraints, and how to be rid of it."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from evpv.backends.store import AnswerStore, store_path
from evpv.cli.terminal import escape_markup, screen
from evpv.errors import ConfigError
from evpv.perception.cache import cache_folder

app = typer.Typer(help="What is kept of models' answers and figures' constraints.", no_args_is_help=True)

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_BYTES = {"": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9}
_Store = Annotated[Path | None, typer.Option(help="The file of answers; without it, the one in the cache folder.")]


@app.command()
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


@app.command()
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
