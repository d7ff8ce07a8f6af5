"""One set of problems under many settings: what was asked once is not asked again.

Constraints are read once per setting of the extractor, steps are judged once per setting of the judge and set of
constraints it is shown; everything after that is a pure function.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from evpv.assembly import build
from evpv.backends.ledger import usage_sum
from evpv.config import Part, Recipe
from evpv.errors import ConfigError
from evpv.experiments.variants import CallPlan, Constraints, Variant
from evpv.files import write_whole
from evpv.pipeline import Pipeline
from evpv.protocols import Description, Usage, description_of
from evpv.records.problems import problem_digest
from evpv.reward.assess import assess
from evpv.reward.method import Method, with_settings
from evpv.types import Problem, Trace

_UNREADABLE = "unreadable"
READ = Variant(name="as read")


class _Word(NamedTuple):
    """A judge's number for one step, and whether it stands in for an answer that could not be read."""

    reward: float | None
    stand_in: bool = False


_Judged: TypeAlias = list[list[list[_Word]]]
"""Problems, candidates, steps."""


@dataclass(slots=True)
class Trials:
    """Problems, a recipe, and everything that has been asked so far; `usage` is what the ledger booked, by stage.

    With `memory`, a folder, the judges' words are kept there too: trials that are broken off judge nothing twice.
    """

    problems: Sequence[Problem]
    recipe: Recipe
    seed: int = 0
    stored: Sequence[Trace] = ()
    gold: Mapping[str, Constraints] = field(default_factory=dict)
    memory: Path | None = None
    usage: dict[str, Usage] = field(default_factory=dict)
    judging_seconds: list[float] = field(default_factory=list)
    _constraints: dict[str, list[Constraints]] = field(default_factory=dict)
    _judgements: dict[str, _Judged] = field(default_factory=dict)
    _descriptions: dict[str, tuple[Description, Description]] = field(default_factory=dict)
    _last: tuple[Recipe, Pipeline] | None = None

    @classmethod
    def from_run(
        cls,
        traces: Iterable[Trace],
        recipe: Recipe,
        *,
        judged: bool = False,
        gold: Mapping[str, Constraints] | None = None,
    ) -> Trials:
        """Trials of a stored run: its problems, and the constraints that were read for it.

        `judged` says that the run's base rewards are those of the recipe's own judge, which is then not asked again.
        """
        kept = list(traces)
        if not kept:
            raise ConfigError("the run holds no traces: there is nothing to study.")
        trials = cls(problems=[trace.problem for trace in kept], recipe=recipe, stored=kept, gold=gold or {})
        if gold and (missing := {problem.id for problem in trials.problems} - gold.keys()):
            raise ConfigError(f"{len(missing)} problems of the run have no gold constraints ({min(missing)} …).")
        trials._constraints[trials._reading_key(READ)] = [trace.constraints for trace in kept]
        if judged:
            trials._judgements[trials._judging_key(READ)] = list(map(_stored_words, kept))
        return trials

    def plan(self, variants: Sequence[Variant]) -> CallPlan:
        """What running these would ask; what two of them share counts once."""
        readings = {self._reading_key(v): v for v in variants if not v.gold}
        judgements = {self._judging_key(v): v for v in variants}
        extractors = [self._descriptions_of(readings[key])[0] for key in readings.keys() - self._constraints.keys()]
        judges = [self._descriptions_of(judgements[key])[1] for key in judgements.keys() - self._judgements.keys()]
        return CallPlan(
            variants=len(variants), readings=len(extractors), judgements=len(judges),
            extract_calls=self._total(one.calls for one in extractors),
            judge_calls=self._total(one.calls for one in judges), passes=self._total(one.passes for one in judges),
        )  # fmt: skip

    def _total(self, counts: Iterable[Callable[[Problem], int]]) -> int:
        return sum(count(problem) for count in counts for problem in self.problems)

    def _descriptions_of(self, variant: Variant) -> tuple[Description, Description]:
        """What the variant's extractor and judge say of themselves; nothing is asked for that."""
        key = json.dumps([variant.extractor, variant.judge], sort_keys=True, default=str)
        if key not in self._descriptions:
            pipeline = build(self._recipe(variant))
            self._descriptions[key] = (description_of(pipeline.extractor), description_of(pipeline.judge))
            pipeline.close()
        return self._descriptions[key]

    def traces(self, variant: Variant) -> list[Trace]:
        """The problems assessed under a variant."""
        words, method = self._judgements_of(variant), self.method(variant)
        shown = self._shown_constraints(variant)
        rewards = [[[word.reward for word in steps] for steps in problem] for problem in words]
        return [
            replace(assess(problem, facts, base, method), extra=stored.extra)
            for problem, facts, base, stored in zip(self.problems, shown, rewards, self.stored, strict=True)
        ]

    def check(self, variant: Variant) -> None:
        """Raise a `ConfigError` if the recipe's parts do not have the variant's settings."""
        build(self._recipe(variant)).close()

    def method(self, variant: Variant) -> Method:
        return with_settings(self.recipe.method, variant.method)

    def constraints(self, variant: Variant) -> list[Constraints]:
        """What the extractor reads under the variant, or the truth, unspoilt."""
        if variant.gold:
            return [tuple(self.gold[problem.id]) for problem in self.problems]
        key = self._reading_key(variant)
        if key not in self._constraints:
            pipeline = self._pipeline(variant)
            try:
                self._constraints[key] = [one.constraints for one in pipeline.extractor.extract(self.problems)]
            finally:
                self._book_asked(pipeline)
        return self._constraints[key]

    def with_candidates(self, problems: Sequence[Problem]) -> Trials:
        """The same problems and constraints with other candidates, which no judge has seen; what is asked is booked here."""
        other = Trials(problems=problems, recipe=self.recipe, seed=self.seed, stored=self.stored, usage=self.usage)
        other._constraints = dict(self._constraints)
        return other

    def book(self, stages: Mapping[str, Usage]) -> None:
        """Add what was asked to the trials' account."""
        for stage, usage in stages.items():
            self.usage[stage] = usage_sum((self.usage.get(stage, Usage()), usage))

    def _judgements_of(self, variant: Variant) -> _Judged:
        """The judge's words under the variant. What stands in for unreadable answers is a setting that asks nothing."""
        key = self._judging_key(variant)
        if key not in self._judgements:
            file = self._memory_file(key)
            known = file is not None and file.exists()
            self._judgements[key] = _recalled_words(file) if file and known else self._ask_judge(variant)
            if file is not None and not known:
                write_whole(file, json.dumps(self._judgements[key]))
        rule = variant.judge.get(_UNREADABLE)
        return self._judgements[key] if rule is None else _fill_unreadable(self._judgements[key], str(rule))

    def _ask_judge(self, variant: Variant) -> _Judged:
        shown, pipeline = self._shown_constraints(variant), self._pipeline(variant)
        started = time.perf_counter()
        try:
            answers = pipeline.judge.judge(self.problems, shown)
        finally:
            self._book_asked(pipeline)
        self.judging_seconds.append(time.perf_counter() - started)
        return [
            [[_Word(said.reward, _UNREADABLE in said.marks) for said in steps] for steps in problem]
            for problem in answers
        ]

    def _memory_file(self, key: str) -> Path | None:
        known = json.dumps([key, self.recipe.judge.use, [problem_digest(problem) for problem in self.problems]])
        return None if self.memory is None else self.memory / f"{sha256(known.encode()).hexdigest()[:24]}.json"

    def _shown_constraints(self, variant: Variant) -> list[Constraints]:
        """The constraints that judge and matching are given."""
        read = self.constraints(variant)
        if variant.spoil is None:
            return read
        return [
            variant.spoil(facts, random.Random(f"{self.seed} {problem.id}"))
            for problem, facts in zip(self.problems, read, strict=True)
        ]

    def close(self) -> None:
        """End the parts that were asked last."""
        if self._last is not None:
            self._last[1].close()
            self._last = None

    def _pipeline(self, variant: Variant) -> Pipeline:
        """The variant's parts: those that were asked last if they are the same, with weights and processes still warm."""
        recipe = self._recipe(variant)
        if self._last is None or self._last[0] != recipe:
            self.close()
            self._last = recipe, build(recipe)
        return self._last[1]

    def _book_asked(self, pipeline: Pipeline) -> None:
        if pipeline.ledger is not None:
            for problem in self.problems:
                self.book(pipeline.ledger.take(problem.id))

    def _recipe(self, variant: Variant) -> Recipe:
        def with_changes(part: Part, changes: Mapping[str, Any]) -> Part:
            return replace(part, settings={**part.settings, **changes}) if changes else part

        judge = with_changes(self.recipe.judge, variant.judge)
        return replace(self.recipe, judge=judge, extractor=with_changes(self.recipe.extractor, variant.extractor))

    def _reading_key(self, variant: Variant) -> str:
        return json.dumps({**self.recipe.extractor.settings, **variant.extractor}, sort_keys=True, default=str)

    def _judging_key(self, variant: Variant) -> str:
        """Judges that are shown no constraints judge the same, whatever is done to them."""
        settings = {**self.recipe.judge.settings, **variant.judge}
        settings.pop(_UNREADABLE, None)
        sees = self._descriptions_of(variant)[1].reads_constraints
        shown = [variant.spoil_name, variant.gold, self._reading_key(variant)] if sees else []
        return json.dumps([settings, shown], sort_keys=True, default=str)


def _stored_words(trace: Trace) -> list[list[_Word]]:
    """What a run's judge said."""
    steps = [candidate.steps for candidate in trace.candidates]
    return [[_Word(one.base_reward, "taken_as" in one.judgement.facts) for one in some] for some in steps]


def _recalled_words(file: Path) -> _Judged:
    """The judge's words as an earlier, broken-off trial kept them."""
    kept = json.loads(file.read_text(encoding="utf-8"))
    return [[[_Word(reward, bool(mark)) for reward, mark in steps] for steps in one] for one in kept]


def _fill_unreadable(judged: _Judged, rule: str) -> _Judged:
    """The words with another number where an answer could not be read."""

    def stand_in(*place: int) -> float | None:
        fixed = {"minus-one": -1.0, "plus-one": 1.0, "abstain": None}
        if rule in fixed:
            return fixed[rule]
        return 1.0 if sha256(repr(place).encode()).digest()[0] % 2 else -1.0

    return [
        [
            [word._replace(reward=stand_in(p, c, s)) if word.stand_in else word for s, word in enumerate(steps)]
            for c, steps in enumerate(problem)
        ]
        for p, problem in enumerate(judged)
    ]
