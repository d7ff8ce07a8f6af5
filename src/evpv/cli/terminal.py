"""What commands show on a terminal: progress with time left, tables, and what was skipped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from evpv.errors import RecordError
from evpv.records import Skipped
from evpv.records.problems import near_misses
from evpv.types import Problem

Item = TypeVar("Item")

screen = Console()
errors = Console(stderr=True)


_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def harmless(text: str) -> str:
    """Text of others as a terminal may show it: what moves the cursor, hides or turns text around stands as an escape.

    >>> harmless("a\\x1b[2Jb")
    'a\\\\x1b[2Jb'
    """
    return _CONTROL.sub(lambda found: ascii(found[0])[1:-1], text)


def escape_markup(text: str) -> str:
    """Text of others inside rich's markup: harmless, and with no markup of its own."""
    return harmless(text).replace("[", r"\[")


def progress(items: Iterable[Item], what: str, total: int | None = None) -> Iterator[Item]:
    """The items, with a bar on standard error while they go by; silent where that is no terminal."""
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        yield from bar.track(items, description=what, total=total)


def first_items(items: Iterable[Item], limit: int | None) -> Iterator[Item]:
    """The first `limit` items, or all."""
    return islice(iter(items), limit)


def count_text(count: int, one: str, many: str) -> str:
    """A number with its noun.

    >>> count_text(1, "tie", "ties"), count_text(3, "tie", "ties")
    ('1 tie', '3 ties')
    """
    return f"{count} {one if count == 1 else many}"


def tell_near_misses(problem: Problem, told: set[str]) -> None:
    """A field that looks like a mistyped one is told on standard error, once for each name: `told` are those that were."""
    for name, meant in near_misses(problem):
        if name not in told:
            told.add(name)
            said = (
                f"{problem.id}: the field {name!r} is not known here; did you mean {meant!r}? It is kept, and not read."
            )
            errors.print(harmless(said), style="yellow", markup=False, soft_wrap=True)


def count_lines(path: Path) -> int | None:
    """How many records a file has, for the progress bar; None if it cannot be counted."""
    try:
        with path.open("rb") as handle:
            return sum(1 for line in handle if line.strip())
    except OSError:
        return None


def tell_skipped(skipped: Skipped) -> None:
    """Say on standard error what was skipped."""
    if skipped.count:
        errors.print(f"[yellow]skipped {skipped.count} bad line{'s' if skipped.count > 1 else ''}:[/]")
        for message in skipped.messages:
            errors.print(f"  {harmless(message)}", markup=False, highlight=False)


def settings(pairs: Iterable[str]) -> dict[str, str]:
    """`key=value` options as a mapping."""
    found: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise RecordError(f"--set takes key=value, not {pair!r}")
        found[key.strip()] = value.strip()
    return found
