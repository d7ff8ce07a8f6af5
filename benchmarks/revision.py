"""Choosing or correcting: what telling a solver of its misreadings is worth, beside as many further samples.

usage: revision.py [--problems 200] [--seed 31000] [--read FILE] [--figure FILE] [--corruption 0 0.1 0.3 0.5]

Drawn problems of the test split, eight candidates each, embedded recipe. The solver is a script: it ran the drawn
problem's own solution with faults, and when told that a step does not agree with the picture it heeds the remark with a
stated probability and writes the reading that agrees with it, else it insists. One solver believes whatever it is told
(`credulous`); one looks again and gives way seldom where it was right (`looking`). Constraints as read, and with a share
of their fields flipped at unchanged confidence. Each round costs calls; as many new samples of the same solver, with
Best-of-N and with weighted vote, are what the same calls buy otherwise. Figures are read once: `--read` keeps what
`evpv extract` wrote. Prints a table and, as its last line, one JSON object.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from rich.console import Console
from rich.progress import track
from rich.table import Table

from evpv.assembly import build
from evpv.backends.scripted import ScriptedBackend
from evpv.config import load_recipe
from evpv.evaluation.uncertainty import bootstrap, mean_of_first
from evpv.experiments.results import CurvePoints, curves
from evpv.experiments.trials import flip_fields
from evpv.figures import FigureProblem, make_problems
from evpv.figures.candidates import Draft, Exam, candidate_of_draft, run_draft, sit
from evpv.figures.writing import Mistakes, Wrong
from evpv.language.answers import answer_key
from evpv.pipeline import Pipeline
from evpv.policy.chat import ChatPolicy
from evpv.premises.matching import Match
from evpv.protocols import ChatRequest
from evpv.records import constraints_from_json
from evpv.reward.ranking import ranking
from evpv.search import Reviser
from evpv.search.strategies import KnownExtraction
from evpv.types import Candidate, CandidateTrace, Constraint, Extraction, Numeric, Problem, Trace

ROUNDS = 2
EXTRA = 16
REMARK = re.compile(r"^- Step (\d+): “.*?” does not agree with the picture", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Character:
    """How a solver takes a remark: the chance that it gives way where it was wrong, and where it was right."""

    name: str
    heeds: float
    gives_way: float


CHARACTERS = (
    Character(name="credulous", heeds=0.7, gives_way=0.7),
    Character(name="looking", heeds=0.7, gives_way=0.2),
)


class Solver:
    """The script behind the policy, for one problem: it knows its drafts by their steps, and rewrites them when told."""

    def __init__(self, exam: Exam, drafts: Mapping[str, Draft], constraints: Sequence[Constraint], kind: Character):
        self.exam, self.kind, self.constraints = exam, kind, constraints
        self.match: Any = None
        self.drafts = {steps_of(candidate_of_draft(exam, draft, name)): draft for name, draft in drafts.items()}

    def __call__(self, request: ChatRequest) -> str:
        mine = [steps for steps in self.drafts if all(step in request.prompt for step in steps)]
        steps = max(mine, key=lambda one: len("".join(one)))  # another draft may say no more than a part of this one
        draft, told = self.drafts[steps], [int(number) - 1 for number in REMARK.findall(request.prompt)]
        new = draft
        for key in [draft.sheet.lines[place].key for place in told if place < len(draft.sheet.lines)]:
            new = self.rewritten(new, key)
        written = candidate_of_draft(self.exam, new, "new")
        first = told[0]
        stance = "corrected" if new is not draft else "insisted"
        self.drafts.setdefault((*steps[:first], *steps_of(written)[first:]), new)
        ends = written.steps[first:] or written.steps[-1:]
        process = [{"steptext": step.text, "visualdependency": step.claim} for step in ends]
        return json.dumps(
            {
                "stance": stance,
                "reason": "I looked again.",
                "reasoningprocess": process,
                "finalanswer": written.final_answer,
            }
        )

    def rewritten(self, draft: Draft, key: str) -> Draft:
        """The draft with a reading at this line that agrees with what was told, if the solver heeds it."""
        said = {line.key: line.claim for line in draft.sheet.lines}
        right = said.get(key) == {line.key: line.claim for line in draft.twin.lines}.get(key)
        chance = self.kind.gives_way if right else self.kind.heeds
        if Random(f"{draft.seed}/{key}/{self.kind.name}").random() >= chance:
            return draft
        better = [self.rerun(draft, faults) for faults in self.alternatives(draft, key)]
        agreeing = [one for one in better if self.verdict(one, key) == "supported"]
        silent = [one for one in better if self.verdict(one, key) not in ("supported", "contradicted")]
        return next(iter([*agreeing, *silent]), draft)

    def alternatives(self, draft: Draft, key: str) -> Iterator[Mistakes]:
        """Without each of its faults, with the value that was told, with whatever else may be misread there."""
        faults = draft.wrong.instead
        for name in faults:
            yield replace(draft.wrong, instead={other: wrong for other, wrong in faults.items() if other != name})
        decision = next((one for one in draft.sheet.decisions if one.key == key), None)
        if decision is None or decision.calculated:
            return
        told = self.told_value(draft, key)
        if told is not None and isinstance(decision.truth, int | float) and not isinstance(decision.truth, bool):
            value = int(told) if float(told).is_integer() else told
            yield replace(draft.wrong, instead={**faults, key: Wrong(error="visual-value", value=value)})
        for wrong in decision.wrongs:
            yield replace(draft.wrong, instead={**faults, key: wrong})

    def told_value(self, draft: Draft, key: str) -> float | None:
        """The number in the fact that denied the line's claim."""
        found = self.found(draft, key)
        fact = None if found is None or found.constraint is None else self.constraints[found.constraint]
        return fact.value if isinstance(fact, Numeric) else None

    def rerun(self, draft: Draft, faults: Mistakes) -> Draft:
        errors = {key: wrong.error for key, wrong in faults.instead.items()}
        try:
            return run_draft(self.exam, draft.seed, faults, errors)
        except (ArithmeticError, ValueError, TypeError, IndexError, KeyError, StopIteration):
            return draft  # a value that was told can make a solution impossible: then it stays

    def found(self, draft: Draft, key: str) -> Match | None:
        line = next((line for line in draft.sheet.lines if line.key == key), None)
        return None if line is None or line.claim is None else self.match(line.claim)

    def verdict(self, draft: Draft, key: str) -> str:
        found = self.found(draft, key)
        return "gone" if found is None else found.verdict


def steps_of(candidate: Candidate) -> tuple[str, ...]:
    return tuple(step.text.strip() for step in candidate.steps)


class RememberingPipeline(Pipeline):
    """Assesses each solution of a problem once: what a solution is worth does not hang on those beside it, only its rank."""

    assessed: ClassVar[dict[Any, CandidateTrace]] = {}

    def traces(self, problems: Sequence[Problem]) -> list[Trace]:
        [problem] = problems
        keys = [(problem.id, *((step.text, step.claim) for step in one.steps)) for one in problem.candidates]
        new = {key: one for key, one in zip(keys, problem.candidates, strict=True) if key not in self.assessed}
        [trace] = Pipeline.traces(self, [replace(problem, candidates=tuple(new.values()))])
        self.assessed.update(zip(new, trace.candidates, strict=True))
        known = zip(problem.candidates, keys, strict=True)
        candidates = tuple(replace(self.assessed[key], candidate=one) for one, key in known)
        ranked = ranking(candidates, self.method.select, problem.options)
        return [replace(trace, problem=problem, candidates=candidates, ranking=ranked)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One solver at one corruption: shares of right answers, and the calls that each round took on average."""

    solver: str
    corruption: float
    single: list[float]
    best_of_n: list[float]
    weighted_vote: list[float]
    more_samples_best_of_n: list[float]
    more_samples_vote: list[float]
    calls: list[float]
    mended: int
    spoilt: int
    gains: dict[str, tuple[float, float, float]]


def right(candidate: CandidateTrace, problem: Problem) -> bool:
    return answer_key(candidate.final_answer, problem.options) == answer_key(problem.answer or "", problem.options)


def chosen(candidates: Sequence[CandidateTrace], select: str, problem: Problem) -> float:
    """How right the choice is; a tie is worth the share of right ones in it."""
    by_id = {one.id: one for one in candidates}
    best = ranking(candidates, select, problem.options).best
    return sum(right(by_id[name], problem) for name in best) / len(best)


def remembering_eyes(pipeline: Pipeline, constraints: Sequence[Constraint]) -> RememberingPipeline:
    """The pipeline for a picture that has been read."""
    known = KnownExtraction(extraction=Extraction(constraints=tuple(constraints), kind="figure"), version="stored")
    return RememberingPipeline(extractor=known, judge=pipeline.judge, audit=pipeline.audit, method=pipeline.method)


def outcome(
    problem: Problem,
    pool: Sequence[CandidateTrace],
    after: Sequence[Sequence[CandidateTrace]],
    calls: Sequence[int],
) -> dict[str, Any]:
    """How right one problem is before and after each round, and with the same calls spent on more of the pool."""
    count = len(after[0])
    with_more = [pool[: count + used] for used in calls]
    return {
        "single": [sum(right(one, problem) for one in last_versions(group)) / count for group in after],
        "best_of_n": [chosen(group, "score", problem) for group in after],
        "weighted_vote": [chosen(group, "weighted-vote", problem) for group in after],
        "more_samples_best_of_n": [chosen(group, "score", problem) for group in with_more],
        "more_samples_vote": [chosen(group, "weighted-vote", problem) for group in with_more],
        "calls": calls,
        "turned": turned(after[0], after[-1], problem),
    }


def measured(
    made: FigureProblem, constraints: Sequence[Constraint], pipeline: Pipeline, kinds: Sequence[Character]
) -> dict[str, Any]:
    """One problem under one reading of its picture: before, after each round, and with the same calls spent on samples."""
    exam, problem = made.sitting.exam, replace(made.problem, images=())
    eyes = remembering_eyes(pipeline, constraints)
    eyes.assessed.clear()
    more = sit(exam.solve, f"{exam.seed}/more", multiple_choice=False, count=EXTRA).drafts
    extra = tuple(candidate_of_draft(exam, draft, f"x{place:02}") for place, draft in enumerate(more))
    pool = eyes.traces([replace(problem, candidates=(*problem.candidates, *extra))])[0].candidates
    before = pool[: len(problem.candidates)]
    found: dict[str, Any] = {}
    for kind in kinds:
        drafts = {c.id: draft for c, draft in zip(problem.candidates, made.sitting.drafts, strict=True)}
        solver = Solver(exam, drafts, constraints, kind)
        solver.match = pipeline.method.matcher(tuple(constraints))
        after, calls = [before], [0]
        for rounds in range(1, ROUNDS + 1):
            policy = ChatPolicy(backend=ScriptedBackend(solver))
            trace = Reviser(policy=policy, pipeline=eyes, rounds=rounds).revise(problem)
            after.append(trace.candidates)
            calls.append(trace.search["calls"])
        found[kind.name] = outcome(problem, pool, after, calls)
    return found


def last_versions(candidates: Sequence[CandidateTrace]) -> list[CandidateTrace]:
    """What each solver stands by in the end: one that insists in other words is ranked beside what it first wrote."""
    last: dict[str, CandidateTrace] = {}
    for one in sorted(candidates, key=lambda candidate: len(candidate.candidate.revisions)):
        last[one.id.split("~")[0]] = one
    return list(last.values())


def turned(before: Sequence[CandidateTrace], after: Sequence[CandidateTrace], problem: Problem) -> tuple[int, int]:
    """How many solutions became right, and how many became wrong."""
    old = {one.id: right(one, problem) for one in before}
    pairs = [(old[one.id.split("~")[0]], right(one, problem)) for one in last_versions(after)]
    return pairs.count((False, True)), pairs.count((True, False))


def mean_row(kind: str, ratio: float, found: Sequence[Mapping[str, Any]]) -> Row:
    def mean(name: str) -> list[float]:
        return [sum(values) / len(found) for values in zip(*(one[name] for one in found), strict=True)]

    names = ("single", "best_of_n", "weighted_vote", "more_samples_best_of_n", "more_samples_vote", "calls")
    mended, spoilt = (sum(one["turned"][side] for one in found) for side in (0, 1))
    means = {name: mean(name) for name in names}
    return Row(solver=kind, corruption=ratio, mended=mended, spoilt=spoilt, gains=gains(found), **means)


def gains(found: Sequence[Mapping[str, Any]]) -> dict[str, tuple[float, float, float]]:
    """What the last round is ahead of, each with its 95 % interval, problems drawn whole."""
    compared = {
        "single over before": ("single", ROUNDS, "single", 0),
        "score over before": ("best_of_n", ROUNDS, "best_of_n", 0),
        "score over samples": ("best_of_n", ROUNDS, "more_samples_best_of_n", ROUNDS),
        "vote over before": ("weighted_vote", ROUNDS, "weighted_vote", 0),
        "vote over samples": ("weighted_vote", ROUNDS, "more_samples_vote", ROUNDS),
    }
    ahead = {}
    for name, (after, last, other, place) in compared.items():
        interval = bootstrap([(one[after][last] - one[other][place], 1.0) for one in found], mean_of_first)
        ahead[name] = (interval.value, interval.low, interval.high)
    return ahead


def gain_table(rows: Sequence[Row]) -> Table:
    shown = Table("solver", "flipped", *rows[0].gains)
    for row in rows:
        cells = [f"{100 * value:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}]" for value, low, high in row.gains.values()]
        shown.add_row(row.solver, f"{row.corruption:.0%}", *cells)
    return shown


def readings(path: Path | None, made: Sequence[FigureProblem]) -> dict[str, tuple[Constraint, ...]]:
    """What was read of each picture: stored, or the truth where no file is given."""
    if path is None:
        return {one.problem.id: one.constraints for one in made}
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {line["id"]: constraints_from_json(line["constraints"]) for line in lines}


def table(rows: Sequence[Row]) -> Table:
    shown = Table(
        "solver", "flipped", "single 0/1/2", "BoN 0/1/2", "vote 0/1/2", "samples BoN", "samples vote", "calls", "±"
    )
    for row in rows:
        parts = (row.single, row.best_of_n, row.weighted_vote, row.more_samples_best_of_n, row.more_samples_vote)
        cells = [" / ".join(f"{100 * value:.1f}" for value in part) for part in parts]
        calls = " / ".join(f"{value:.1f}" for value in row.calls)
        shown.add_row(row.solver, f"{row.corruption:.0%}", *cells, calls, f"+{row.mended} −{row.spoilt}")
    return shown


def draw(rows: Sequence[Row], path: Path) -> None:
    """Two figures over the share of flipped fields: single solutions, and the choice by weighted vote beside `path`."""
    first = sorted((row for row in rows if row.solver == rows[0].solver), key=lambda row: row.corruption)
    x = [100 * row.corruption for row in first]

    def line(values: Sequence[float]) -> CurvePoints:
        y = [100 * value for value in values]
        return x, y, y, y

    single = {"before": line([row.single[0] for row in first])}
    chosen = {
        "as sampled": line([row.weighted_vote[0] for row in first]),
        "more samples instead": line([row.more_samples_vote[ROUNDS] for row in first]),
    }
    for kind in dict.fromkeys(row.solver for row in rows):
        mine = sorted((row for row in rows if row.solver == kind), key=lambda row: row.corruption)
        single[f"revised, {kind}"] = line([row.single[ROUNDS] for row in mine])
        chosen[f"revised, {kind}"] = line([row.weighted_vote[ROUNDS] for row in mine])
    axis = "fields of the constraints flipped (%)"
    curves(single, axis, "single solutions right (%)").savefig(path, dpi=160)
    curves(chosen, axis, "chosen by weighted vote, right (%)").savefig(path.with_stem(f"{path.stem}_choice"), dpi=160)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--problems", type=int, default=200)
    arguments.add_argument("--seed", type=int, default=31000)
    arguments.add_argument(
        "--read", type=Path, help="what `evpv extract` wrote of these problems; without it, the truth"
    )
    arguments.add_argument("--corruption", type=float, nargs="+", default=[0.0, 0.1, 0.3, 0.5])
    arguments.add_argument("--figure", type=Path)
    options = arguments.parse_args()
    made = list(make_problems(count=options.problems, seed=options.seed, split="test"))
    read = readings(options.read, made)
    pipeline = replace(build(load_recipe("embedded")), ledger=None)
    rows: list[Row] = []
    for ratio in options.corruption:
        found = []
        for one in track(made, f"{ratio:.0%} flipped", console=Console(stderr=True)):
            spoilt = flip_fields(read[one.problem.id], ratio, Random(one.problem.id)).constraints
            found.append(measured(one, spoilt, pipeline, CHARACTERS))
        rows += [mean_row(kind.name, ratio, [each[kind.name] for each in found]) for kind in CHARACTERS]
    pipeline.close()
    Console(width=160).print(table(rows), gain_table(rows))
    if options.figure:
        draw(rows, options.figure)
    print(json.dumps({"problems": options.problems, "seed": options.seed, "rows": [asdict(row) for row in rows]}))


if __name__ == "__main__":
    main()
