"""What an experiment varies, and one set of problems under many settings: what was asked once is not asked again.

Constraints are read once per setting of the extractor, steps are judged once per setting of the judge and set of
constraints it is shown; everything after that is a pure function. Constraints spoilt on purpose (Exp-3B, Exp-4) are spoilt
by a seeded generator, nested: what a ratio spoils, every larger ratio spoils too, so that a curve shows the ratio and not
the luck of the draw.
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
from evpv.files import write_whole
from evpv.pipeline import Pipeline
from evpv.protocols import Description, Usage, description_of
from evpv.records.problems import problem_digest
from evpv.reward.assess import assess
from evpv.reward.method import Method, with_settings
from evpv.types import RELATION_TYPES, STRUCTURE_TYPES, Constraint, Numeric, Problem, Relation, Structure, Trace

Constraints = tuple[Constraint, ...]

_FIELDS: Mapping[type[Constraint], tuple[str, str]] = {
    Numeric: ("entity", "value"), Relation: ("entities", "type"), Structure: ("parts", "type"),
}  # fmt: skip
"""What can be flipped of a fact: what it speaks of, and what it says of it."""


class _Corrupted(NamedTuple):
    """Spoilt constraints, and the share of fields (or facts) that really changed."""

    constraints: Constraints
    realised: float


def flip_fields(constraints: Sequence[Constraint], ratio: float, rng: random.Random) -> _Corrupted:
    """A share of all fields changed: values by a fifth to a half or to another fact's, types and names to others.

    A field can have nothing else to become (the only name in the figure): then it stays, and `realised` is less.
    """
    places = [(index, which) for index in range(len(constraints)) for which in range(2)]
    rng.shuffle(places)
    seeds = {place: rng.random() for place in places}
    spoilt = list(constraints)
    for index, which in places[: round(ratio * len(places))]:
        draw = random.Random(seeds[index, which])
        spoilt[index] = (_rename_subject if which == 0 else _change_statement)(spoilt[index], constraints, draw)
    changed = sum(
        getattr(old, field) != getattr(new, field)
        for old, new in zip(constraints, spoilt, strict=True)
        for field in _FIELDS[type(old)]
    )
    return _Corrupted(tuple(spoilt), changed / len(places) if places else 0.0)


def drop_facts(constraints: Sequence[Constraint], ratio: float, rng: random.Random) -> _Corrupted:
    """A share of the facts left out."""
    order = list(range(len(constraints)))
    rng.shuffle(order)
    gone = set(order[: round(ratio * len(order))])
    kept = tuple(constraint for index, constraint in enumerate(constraints) if index not in gone)
    return _Corrupted(kept, len(gone) / len(order) if order else 0.0)


def shuffle_values(constraints: Sequence[Constraint], rng: random.Random) -> _Corrupted:
    """All names kept and all values kept, but dealt to each other anew: no token is new, only the structure is wrong.

    The names of a kind are turned by a random amount, so that none keeps its own if there are two or more.
    """
    spoilt = list(constraints)
    for kind in (Numeric, Relation):
        order = [index for index, one in enumerate(constraints) if isinstance(one, kind)]
        if len(order) > 1:
            rng.shuffle(order)
        for index, other in zip(order, (*order[1:], *order[:1]), strict=True):
            subject = _FIELDS[kind][0]
            spoilt[index] = replace(constraints[index], **{subject: getattr(constraints[other], subject)})
    changed = sum(old != new for old, new in zip(constraints, spoilt, strict=True))
    return _Corrupted(tuple(spoilt), changed / len(constraints) if constraints else 0.0)


def _rename_subject(constraint: Constraint, everything: Sequence[Constraint], draw: random.Random) -> Constraint:
    """The same said of something else that the figure names; of a structure, of one part fewer."""
    if isinstance(constraint, Structure):
        return constraint if len(constraint.parts) < 2 else replace(constraint, parts=constraint.parts[:-1])
    subject = _FIELDS[type(constraint)][0]
    names = {getattr(one, subject) for one in everything if type(one) is type(constraint)}
    others = sorted(names - {getattr(constraint, subject)})
    return replace(constraint, **{subject: draw.choice(others)}) if others else constraint


def _change_statement(constraint: Constraint, everything: Sequence[Constraint], draw: random.Random) -> Constraint:
    """Something else said of the same thing."""
    if not isinstance(constraint, Numeric):
        known = RELATION_TYPES if isinstance(constraint, Relation) else STRUCTURE_TYPES
        return replace(constraint, type=draw.choice([name for name in known if name != constraint.type]))
    # another fact's value, or its own off by a fifth to a half; whole numbers stay whole
    value = constraint.value
    others = sorted({one.value for one in everything if isinstance(one, Numeric)} - {value})
    if others and draw.random() < 0.5:
        return replace(constraint, value=draw.choice(others))
    off = value * (1 + draw.choice((-1, 1)) * draw.uniform(0.2, 0.5)) if value else 1.0
    if float(value).is_integer():
        off = float(round(off)) if round(off) != value else value + 1.0
    return replace(constraint, value=off)


_Spoil: TypeAlias = Callable[[Constraints, random.Random], Constraints]
"""Constraints of one problem → what is used in their place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One configuration: which settings change, and what is done to the constraints before they are used.

    `gold` takes the true constraints in place of those read. `spoil` is applied for judge and matching alike. Its name
    tells equal ones from others, so that nothing is judged twice.
    """

    name: str
    group: str = ""
    judge: Mapping[str, Any] = field(default_factory=dict, hash=False)
    extractor: Mapping[str, Any] = field(default_factory=dict, hash=False)
    method: Mapping[str, Any] = field(default_factory=dict, hash=False)
    gold: bool = False
    spoil: _Spoil | None = None
    spoil_name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallPlan:
    """What a list of variants needs, before any of it is asked. Parts without a model need no call.

    `passes` are problems scored by a step model, which takes all candidates of a problem at once. `unknown` names what
    cannot be told beforehand.
    """

    variants: int
    readings: int = 0
    judgements: int = 0
    extract_calls: int = 0
    judge_calls: int = 0
    sample_calls: int = 0
    passes: int = 0
    unknown: str = ""

    @property
    def calls(self) -> int:
        return self.extract_calls + self.judge_calls + self.sample_calls

    def __str__(self) -> str:
        said = f"{self.variants} configurations, {self.readings} new readings, {self.judgements} judgings, {self.calls} model calls"
        passes = f", {self.passes} problems scored by a step model" if self.passes else ""
        return said + passes + (f"; {self.unknown}" if self.unknown else "")


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
            trials._judgements[trials._judging_key(READ)] = [
                [
                    [_Word(one.base_reward, "taken_as" in one.judgement.facts) for one in c.steps]
                    for c in trace.candidates
                ]
                for trace in kept
            ]
        return trials

    def plan(self, variants: Sequence[Variant]) -> CallPlan:
        """What running these would ask; what two of them share counts once."""

        def total(counts: Iterable[Callable[[Problem], int]]) -> int:
            return sum(count(problem) for count in counts for problem in self.problems)

        readings = {self._reading_key(v): v for v in variants if not v.gold}
        judgements = {self._judging_key(v): v for v in variants}
        extractors = [self._descriptions_of(readings[key])[0] for key in readings.keys() - self._constraints.keys()]
        judges = [self._descriptions_of(judgements[key])[1] for key in judgements.keys() - self._judgements.keys()]
        return CallPlan(
            variants=len(variants), readings=len(extractors), judgements=len(judges),
            extract_calls=total(one.calls for one in extractors), judge_calls=total(one.calls for one in judges),
            passes=total(one.passes for one in judges),
        )  # fmt: skip

    def _descriptions_of(self, variant: Variant) -> tuple[Description, Description]:
        """What the variant's extractor and judge say of themselves; nothing is asked for that."""
        key = json.dumps([variant.extractor, variant.judge], sort_keys=True, default=str)
        if key not in self._descriptions:
            pipeline = build(self._recipe(variant))
            self._descriptions[key] = (description_of(pipeline.extractor), description_of(pipeline.judge))
            pipeline.close()
        return self._descriptions[key]

    def traces(self, variant: Variant) -> list[Trace]:
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
        for stage, usage in stages.items():
            self.usage[stage] = usage_sum((self.usage.get(stage, Usage()), usage))

    def _judgements_of(self, variant: Variant) -> _Judged:
        """The judge's words under the variant. What stands in for unreadable answers is a setting that asks nothing."""
        key = self._judging_key(variant)
        if key not in self._judgements:
            file = None
            if self.memory is not None:
                told = json.dumps([key, self.recipe.judge.use, [problem_digest(problem) for problem in self.problems]])
                file = self.memory / f"{sha256(told.encode()).hexdigest()[:24]}.json"
            if file and file.exists():
                kept = json.loads(file.read_text(encoding="utf-8"))
                words = [[[_Word(reward, bool(mark)) for reward, mark in steps] for steps in one] for one in kept]
            else:
                words = self._ask_judge(variant)
                if file:
                    write_whole(file, json.dumps(words))
            self._judgements[key] = words
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

    def _shown_constraints(self, variant: Variant) -> list[Constraints]:
        read = self.constraints(variant)
        if variant.spoil is None:
            return read
        return [
            variant.spoil(facts, random.Random(f"{self.seed} {problem.id}"))
            for problem, facts in zip(self.problems, read, strict=True)
        ]

    def close(self) -> None:
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
