"""What commands show on a terminal (progress with time left, what was skipped), and the problems that they are given.

Given problems are held against what an earlier run has of them: nothing old is taken for new in silence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from evpv.errors import RecordError
from evpv.records import RunWriter, Skipped
from evpv.records.problems import Place, near_misses, problem_digest
from evpv.types import Problem

_Item = TypeVar("_Item")

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


def progress(items: Iterable[_Item], what: str, total: int | None = None) -> Iterator[_Item]:
    """The items, with a bar on standard error while they go by; silent where that is no terminal."""
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        yield from bar.track(items, description=what, total=total)


def first_items(items: Iterable[_Item], limit: int | None) -> Iterator[_Item]:
    """The first `limit` items, or all."""
    return islice(iter(items), limit)


def count_text(count: int, one: str, many: str) -> str:
    """A number with its noun.

    >>> count_text(1, "tie", "ties"), count_text(3, "tie", "ties")
    ('1 tie', '3 ties')
    """
    return f"{count} {one if count == 1 else many}"


def _tell_near_misses(problem: Problem, told: set[str]) -> None:
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


Placed = tuple[Place, Problem]


class GivenProblems:
    """The problems of a file against what a run folder has of them: what is left, what has changed, what is not here."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._ids: set[str] = set()
        self._changed: set[str] = set()

    def require_some(self, problems: Iterable[Placed], *, need_candidates: bool) -> Iterator[Placed]:
        """The problems, if there are any to work on: what is none is refused before anything is started or written."""
        read, seen = self._watch(problems), []
        for placed in read:
            seen.append(placed)
            if placed[1].candidates or not need_candidates:
                return chain(seen, read)
        said = "no problem has candidates to rank: run `evpv sample` first, which asks a policy for some"
        raise RecordError(said if seen else "0 problems: the file is empty", file=str(self._file))

    def _watch(self, problems: Iterable[Placed]) -> Iterator[Placed]:
        """The problems as they go by; mistyped fields are told."""
        told: set[str] = set()
        for place, problem in problems:
            _tell_near_misses(problem, told)
            self._ids.add(problem.id)
            yield place, problem

    def left(self, problems: Iterable[Placed], writer: RunWriter) -> Iterator[Placed]:
        """The problems without a trace, and those that are not what they were when theirs was made."""
        done = writer.done_digests()
        for place, problem in problems:
            known = done.get(problem.id, "")
            if problem.id in done and known in (None, problem_digest(problem)):
                continue
            if problem.id in done:
                self._changed.add(problem.id)
            yield place, problem

    def settle(self, writer: RunWriter, *, whole: bool) -> None:
        """Tell what the folder holds already, and take out what is to be done again."""
        done = writer.done_ids()
        if others := (done - self._ids if whole else frozenset()):
            begun = writer.manifest.get("problems")
            named = f" (it was begun with {begun})" if begun not in (None, self._file.name) else ""
            said = count_text(len(others), "trace is of a problem that is", "traces are of problems that are")
            errors.print(f"{writer.folder}: {said} not in {self._file.name}{named}; kept", markup=False, soft_wrap=True)
        if done:
            again = f", {len(self._changed)} changed: redoing {len(self._changed)}" if self._changed else ""
            errors.print(f"{len(done & self._ids)} done{again}", markup=False)
        writer.forget(self._changed)
