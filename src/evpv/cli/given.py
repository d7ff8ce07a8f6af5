"""The problems that a command is given, against what an earlier run has of them: nothing old is taken for new in silence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from evpv.cli.terminal import count_text, errors, tell_near_misses
from evpv.errors import RecordError
from evpv.records import RunWriter
from evpv.records.problems import Place, problem_digest
from evpv.types import Problem

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
            tell_near_misses(problem, told)
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
