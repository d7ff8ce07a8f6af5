"""The library's front door: a recipe's pipeline, and a ranking that one can read and show."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any

from evpv.assembly.builder import Builder, build, build_part
from evpv.config import Part, Recipe, load_recipe
from evpv.pipeline import Pipeline
from evpv.protocols import StepJudge
from evpv.records import problem_from_json
from evpv.records.corrections import Change, mended_constraints
from evpv.records.problems import near_misses
from evpv.reward.assess import assess_evidence, reassess
from evpv.reward.method import Method
from evpv.types import CandidateTrace, Problem, Trace
from evpv.viewer import write_page
from evpv.viewer.summaries import choice_words, doubt_words, ranking_cells


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """One problem's candidates in order, with everything that led to it."""

    trace: Trace

    @property
    def tied(self) -> bool:
        """Whether the best do not give one answer: then `best` is only the first of them in order."""
        return self.trace.ranking.tied

    @property
    def best(self) -> CandidateTrace | None:
        """The first in order; where several tie, `trace.ranking.best` lists them. None if there were no candidates."""
        return self.order[0] if self.trace.candidates else None

    @property
    def order(self) -> tuple[CandidateTrace, ...]:
        by_id = {candidate.id: candidate for candidate in self.trace.candidates}
        return tuple(by_id[name] for name in self.trace.ranking.order)

    def __str__(self) -> str:
        """The candidates in order, as a short table."""
        rows = self._cells()
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
        return "\n".join((self._title(), *lines))

    def _repr_html_(self) -> str:
        """The same for a notebook; what the candidates say is escaped."""
        head, *rows = ([escape(cell) for cell in row] for row in self._cells())
        cells = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
        columns = "".join(f"<th>{name}</th>" for name in head)
        return f"<p><b>{escape(self._title())}</b></p><table><thead><tr>{columns}</tr></thead><tbody>{cells}</tbody></table>"

    def _title(self) -> str:
        doubt = doubt_words(self.trace) if self.trace.candidates else None
        return f"{self.trace.problem_id}: {choice_words(self.trace)}{f' ({doubt})' if doubt else ''}"

    def _cells(self) -> list[list[str]]:
        return [list(map(_cut, row, _WIDTHS)) for row in ranking_cells(self.trace)]

    def to_html(self, path: str | Path) -> None:
        """Write one page that shows why."""
        write_page(path, [self.trace], title=f"evpv: {self.trace.problem_id}")


_WIDTHS = (24, 24, 24, 24, 60)


def _cut(text: str, longest: int) -> str:
    short = " ".join(text.split())
    return short if len(short) <= longest else short[: longest - 1] + "…"


def _problem(given: Problem | Mapping[str, Any]) -> Problem:
    """A problem as it was given, or from its JSON object; a field that looks mistyped is warned of, because it is not read."""
    if isinstance(given, Problem):
        return given
    problem = problem_from_json(dict(given))
    for name, meant in near_misses(problem):
        warnings.warn(f"the field {name!r} is not known here; did you mean {meant!r}? It is not read.", stacklevel=3)
    return problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Verifier:
    """Ranks candidate solutions by what they see and how they reason."""

    recipe: Recipe
    pipeline: Pipeline

    @classmethod
    def from_recipe(cls, name: str = "embedded", changes: Mapping[str, str] | None = None) -> Verifier:
        """A verifier from a shipped recipe's name or the path of your own, with `{"judge.evidence": "false"}` changes."""
        return cls.of(load_recipe(name, changes))

    @classmethod
    def of(cls, recipe: Recipe) -> Verifier:
        """A verifier from a recipe that is loaded already."""
        return cls(recipe=recipe, pipeline=build(recipe))

    def __enter__(self) -> Verifier:
        return self

    def __exit__(self, *failure: object) -> None:
        self.pipeline.close()

    def rank(self, problem: Problem | Mapping[str, Any]) -> Ranked:
        """Rank the candidates of one problem, given as a `Problem` or as its JSON object."""
        return Ranked(trace=self.pipeline.traces([_problem(problem)])[0])

    def revise(self, problem: Problem | Mapping[str, Any], *, rounds: int = 2) -> Ranked:
        """Tell the recipe's policy what each candidate misread, let it rewrite from there, and rank what comes of it."""
        from evpv.search.revision import Reviser  # needs the chat extra, as the policy does

        with Builder(self.recipe) as builder:
            reviser = Reviser(policy=builder.policy(), pipeline=self.pipeline, rounds=rounds)
            return Ranked(trace=reviser.revise(_problem(problem)))

    def rank_all(self, problems: Iterable[Problem]) -> Iterator[Ranked]:
        """Rank many problems, in order, without holding them all."""
        return (Ranked(trace=trace) for trace in self.pipeline.stream(problems))


_RULES = "checks"


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrector:
    """Assesses traces with mended facts. `judge` judges again where it is made of rules; a model's word stays as it was."""

    method: Method
    judge: StepJudge | None = None

    @classmethod
    def of_run(cls, manifest: Mapping[str, Any], method: Method) -> Corrector:
        """The corrector for a run: its own judge where that asks no model."""
        part = dict(manifest.get("settings", {}).get("judge") or {})
        rules = part.pop("use", None) == _RULES
        return cls(method=method, judge=build_part("judge", Part(use=_RULES, settings=part)) if rules else None)

    def trace(self, trace: Trace, changes: Iterable[Change]) -> Trace:
        """The trace with these changes made to what was read; without any, the same evidence under the method."""
        made = tuple(changes)
        if not made:
            return reassess(trace, self.method)
        facts = mended_constraints(trace.constraints, made)
        mended = replace(trace, extraction=replace(trace.extraction, constraints=facts, problem=None))
        if self.judge is None:
            return reassess(mended, self.method)
        [judgements] = self.judge.judge([mended.problem], [facts])
        again = assess_evidence(mended.problem, mended.extraction, judgements, self.method)
        return replace(mended, candidates=again.candidates, ranking=again.ranking)
