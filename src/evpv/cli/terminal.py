"""What commands show on a terminal (tables, progress with time left, what was skipped), and the problems that they are given.

Given problems are held against what an earlier run has of them: nothing old is taken for new in silence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from itertools import chain, islice
from pathlib import Path
from typing import ParamSpec, TypeVar

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from evpv.assembly import EXTRAS, missing_extra
from evpv.errors import RecordError
from evpv.records import RunWriter, Skipped
from evpv.records.problems import Place, near_misses, problem_digest
from evpv.types import Problem

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
_Arguments = ParamSpec("_Arguments")

PICTURES = {".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff"}
"""How the names of pictures end."""

screen = Console()
errors = Console(stderr=True)


def naming_extras(command: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """The command; an optional package that it imports and does not find is told as the extra that brings it.

    Commands import what needs an extra where they use it, so that the others run without.
    """

    @wraps(command)
    def run(*values: _Arguments.args, **named: _Arguments.kwargs) -> _Result:
        try:
            return command(*values, **named)
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] not in EXTRAS:
                raise
            raise missing_extra(f"evpv {command.__name__.rstrip('_')}", error) from error

    return run


@contextmanager
def interruptible(output: Path) -> Iterator[None]:
    """Ctrl-C ends the command with what is done, and says how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        tell(f"interrupted: what is done is in {output}; the same command goes on from there", errors)
        raise typer.Exit(130) from None


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


def tell(text: str, where: Console = screen) -> None:
    """A line as it is: no markup, no colours, and wrapped by the terminal alone."""
    where.print(harmless(text), soft_wrap=True, markup=False, highlight=False)


def table(
    title: str | None, columns: Sequence[str], rows: Iterable[Sequence[str]], right: Collection[str] = ()
) -> Table:
    """A table with its title at the left; `right` are the columns of numbers. Without columns it has no head."""
    made = Table(title=title, title_justify="left", caption_justify="left", show_header=bool(columns))
    for column in columns:
        made.add_column(column, justify="right" if column in right else "left", overflow="fold")
    for row in rows:
        made.add_row(*row)
    return made


def progress(items: Iterable[_Item], what: str, total: int | None = None) -> Iterator[_Item]:
    """The items, with a bar on standard error while they go by; silent where that is no terminal."""
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        yield from bar.track(items, description=what, total=total)


def tell_skipped(skipped: Skipped) -> None:
    """Say on standard error what was skipped."""
    if skipped.count:
        errors.print(f"[yellow]skipped {skipped.count} bad line{'s' if skipped.count > 1 else ''}:[/]")
        for message in skipped.messages:
            errors.print(f"  {harmless(message)}", markup=False, highlight=False)


_Placed = tuple[Place, Problem]


class GivenProblems:
    """The problems of a file against what a run folder has of them: what is left, what has changed, what is not here."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._ids: set[str] = set()
        self._changed: set[str] = set()

    def require_some(
        self, problems: Iterable[_Placed], limit: int | None = None, *, need_candidates: bool
    ) -> Iterator[_Placed]:
        """The problems, if there are any to work on: what is none is refused before anything is started or written."""
        if self._file.suffix.lower() in PICTURES:
            raise RecordError("is a picture, not a file of problems: `evpv extract` reads it", file=str(self._file))
        read, seen = self._watch(islice(iter(problems), limit)), []
        for placed in read:
            seen.append(placed)
            if placed[1].candidates or not need_candidates:
                return chain(seen, read)
        said = "no problem has candidates to rank: run `evpv sample` first, which asks a policy for some"
        raise RecordError(said if seen else "0 problems: the file is empty", file=str(self._file))

    def _watch(self, problems: Iterable[_Placed]) -> Iterator[_Placed]:
        """The problems as they go by; a field that looks like a mistyped one is told on standard error, each name once."""
        told: set[str] = set()
        for place, problem in problems:
            for name, meant in near_misses(problem):
                if name not in told:
                    told.add(name)
                    said = f"the field {name!r} is not known here; did you mean {meant!r}? It is kept, and not read."
                    errors.print(harmless(f"{problem.id}: {said}"), style="yellow", markup=False, soft_wrap=True)
            self._ids.add(problem.id)
            yield place, problem

    def left(self, problems: Iterable[_Placed], writer: RunWriter) -> Iterator[_Placed]:
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
            said = "trace is of a problem that is" if len(others) == 1 else "traces are of problems that are"
            tell(f"{writer.folder}: {len(others)} {said} not in {self._file.name}{named}; kept", errors)
        if done:
            again = f", {len(self._changed)} changed: redoing {len(self._changed)}" if self._changed else ""
            tell(f"{len(done & self._ids)} done{again}", errors)
        writer.forget(self._changed)
