"""One set of problems under many settings: what was asked once is not asked again.

Constraints are read once per setting of the extractor, steps are judged once per setting of the judge and set of
constraints it is shown; everything after that is a pure function.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from evpv.assembly import build
from evpv.config import Part, Recipe
from evpv.errors import ConfigError
from evpv.experiments.corruption import Constraints
from evpv.reward.assess import assess, evidence
from evpv.reward.method import Method, with_settings
from evpv.types import Problem, Trace

Spoil: TypeAlias = Callable[[Constraints, random.Random], Constraints]
"""Constraints of one problem → what is used in their place."""

ALL_STAGES = ("extract", "judge")


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One configuration: which settings change, and what is done to the constraints before they are used.

    `spoil` is applied for judge and matching alike unless `judge_sees` gives the judge something else. The names of both
    tell equal ones from others, so that nothing is judged twice.
    """

    name: str
    group: str = ""
    judge: Mapping[str, Any] = field(default_factory=dict, hash=False)
    extractor: Mapping[str, Any] = field(default_factory=dict, hash=False)
    method: Mapping[str, Any] = field(default_factory=dict, hash=False)
    spoil: Spoil | None = None
    spoil_name: str = ""
    judge_sees: Spoil | None = None
    judge_sees_name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How many model calls a list of variants needs, before any is made. Parts without a model need none."""

    variants: int
    readings: int
    judgements: int
    extract_calls: int
    judge_calls: int

    @property
    def calls(self) -> int:
        return self.extract_calls + self.judge_calls


@dataclass(slots=True)
class Study:
    """Problems, a recipe, and everything that has been asked so far."""

    problems: Sequence[Problem]
    recipe: Recipe
    seed: int = 0
    known: Mapping[str, Constraints] = field(default_factory=dict)
    extras: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    _constraints: dict[str, list[Constraints]] = field(default_factory=dict)
    _rewards: dict[str, list[list[list[float | None]]]] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ALL_STAGES, 0))

    @classmethod
    def from_run(cls, traces: Iterable[Trace], recipe: Recipe, *, judged: bool = False, seed: int = 0) -> Study:
        """A study of a stored run: its problems, and the constraints that were read for it.

        `judged` says that the run's base rewards are those of the recipe's own judge, which is then not asked again.
        """
        kept = list(traces)
        if not kept:
            raise ConfigError("the run holds no traces: there is nothing to study.")
        study = cls(
            problems=[_problem(trace) for trace in kept],
            recipe=recipe,
            seed=seed,
            known={trace.problem_id: trace.constraints for trace in kept},
            extras={trace.problem_id: trace.extra for trace in kept},
        )
        if judged:
            study._rewards[study._judging_key(Variant(name=""))] = [evidence(trace)[1] for trace in kept]
        return study

    def plan(self, variants: Sequence[Variant]) -> Plan:
        """What running these would ask."""
        readings = {self._reading_key(v) for v in variants} - self._constraints.keys()
        if self.known:
            readings.discard(self._reading_key(Variant(name="")))
        judgements = {self._judging_key(v): v for v in variants if self._judging_key(v) not in self._rewards}
        return Plan(
            variants=len(variants),
            readings=len(readings),
            judgements=len(judgements),
            extract_calls=len(readings) * sum(bool(p.images) for p in self.problems)
            if _asks(self.recipe.extractor)
            else 0,
            judge_calls=sum(map(self._judge_calls, judgements.values())) if _asks(self.recipe.judge) else 0,
        )

    def traces(self, variant: Variant) -> list[Trace]:
        """The problems assessed under a variant."""
        matched = self._spoilt(variant, variant.spoil)
        rewards = self._judged(variant)
        method = self.method(variant)
        return [
            replace(assess(problem, facts, base, method), extra=self.extras.get(problem.id, {}))
            for problem, facts, base in zip(self.problems, matched, rewards, strict=True)
        ]

    def check(self, variant: Variant) -> None:
        """Raise a `ConfigError` if the recipe's parts do not have the variant's settings."""
        build(self._recipe(variant)).close()

    def method(self, variant: Variant) -> Method:
        return with_settings(self.recipe.method, variant.method)

    def constraints(self, variant: Variant) -> list[Constraints]:
        """What the extractor reads under the variant, unspoilt."""
        key = self._reading_key(variant)
        if key not in self._constraints:
            if self.known and not variant.extractor:
                self._constraints[key] = [self.known[problem.id] for problem in self.problems]
            else:
                self._constraints[key] = self._read(variant)
        return self._constraints[key]

    def _read(self, variant: Variant) -> list[Constraints]:
        pipeline = build(self._recipe(variant))
        try:
            found = [one.constraints for one in pipeline.extractor.extract(self.problems)]
        finally:
            pipeline.close()
        self.asked["extract"] += sum(bool(p.images) for p in self.problems) if _asks(self.recipe.extractor) else 0
        return found

    def _judged(self, variant: Variant) -> list[list[list[float | None]]]:
        key = self._judging_key(variant)
        if key not in self._rewards:
            pipeline = build(self._recipe(variant))
            try:
                shown = self._spoilt(variant, variant.judge_sees or variant.spoil)
                judged = pipeline.judge.judge(self.problems, shown)
            finally:
                pipeline.close()
            self._rewards[key] = [[[step.reward for step in steps] for steps in problem] for problem in judged]
            self.asked["judge"] += self._judge_calls(variant) if _asks(self.recipe.judge) else 0
        return self._rewards[key]

    def _spoilt(self, variant: Variant, spoil: Spoil | None) -> list[Constraints]:
        read = self.constraints(variant)
        if spoil is None:
            return read
        return [
            spoil(facts, random.Random(f"{self.seed} {problem.id}"))
            for problem, facts in zip(self.problems, read, strict=True)
        ]

    def _judge_calls(self, variant: Variant) -> int:
        settings = {**self.recipe.judge.settings, **variant.judge}
        together = int(settings.get("steps_per_call", 1))
        return sum(-(-len(candidate.steps) // together) for p in self.problems for candidate in p.candidates)

    def _recipe(self, variant: Variant) -> Recipe:
        return replace(
            self.recipe,
            judge=_changed(self.recipe.judge, variant.judge),
            extractor=_changed(self.recipe.extractor, variant.extractor),
        )

    def _reading_key(self, variant: Variant) -> str:
        return json.dumps(variant.extractor, sort_keys=True, default=str)

    def _judging_key(self, variant: Variant) -> str:
        """Judges that are shown no constraints judge the same, whatever is done to them."""
        settings = {**self.recipe.judge.settings, **variant.judge}
        shown = variant.judge_sees_name or variant.spoil_name if settings.get("evidence", True) else "nothing"
        reading = self._reading_key(variant) if settings.get("evidence", True) else ""
        return json.dumps([settings, shown, reading], sort_keys=True, default=str)


def _problem(trace: Trace) -> Problem:
    """The problem as it was asked, from its trace."""
    images, answer = tuple(trace.extra.get("image", ())), trace.extra.get("answer")
    return replace(evidence(trace)[0], images=images, answer=answer)


def _changed(part: Part, changes: Mapping[str, Any]) -> Part:
    return replace(part, settings={**part.settings, **changes}) if changes else part


def _asks(part: Part) -> bool:
    """Whether a part puts questions to a model: it names the backend that it asks."""
    return "backend" in part.settings
