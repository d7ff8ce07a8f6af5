"""`evpv sample`, `search` and `revise`: candidates from a policy, alone or under the verifier's guidance, or told what they misread."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

import evpv
from evpv.assembly import Builder, first_question
from evpv.backends.ledger import usage_to_json
from evpv.cli.options import Budget, Changes, Limit, NewRun, OnError, RecipeName, chosen_recipe
from evpv.cli.rank import check_failures
from evpv.cli.reports import RunReport, SpendingLimit, show_cost
from evpv.cli.terminal import GivenProblems, interruptible, progress, screen, table, tell, tell_skipped
from evpv.config import Recipe
from evpv.errors import RecordError
from evpv.records import RunWriter, Skipped, problem_to_json, read_traces
from evpv.records.lines import JsonObject, count_lines
from evpv.records.problems import placed_problems, problem_digest
from evpv.records.runs import Journal
from evpv.records.traces import TRACES_FILE
from evpv.types import Problem, Trace

if TYPE_CHECKING:
    from evpv.policy.chat import ChatPolicy

_MaxCalls = Annotated[int, typer.Option(help="At most this many calls to the policy per problem.", min=1)]


def sample(
    problems: Annotated[Path, typer.Argument(help="Problems as JSON lines; any candidates in them are ignored.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The file to write: problems with new candidates.")],
    count: Annotated[int, typer.Option("-n", help="Candidates for each problem.", min=1)] = 8,
    recipe: RecipeName = "vllm",
    change: Changes = None,
    budget: Budget = None,
    limit: Limit = None,
    on_error: OnError = "stop",
) -> None:
    """Ask a model for solutions in steps, each with the visual claim it rests on. Resumes if interrupted."""
    loaded = chosen_recipe(recipe, change, budget)
    skipped, spending, counts = Skipped(), SpendingLimit(), Counter[str]()
    placed = placed_problems(problems, on_error=on_error, report=skipped)
    asked = GivenProblems(problems).require_some(placed, limit, need_candidates=False)
    first_question(loaded, "policy")
    with Builder(loaded) as builder:
        policy: ChatPolicy = builder.policy()
        with Journal(output, _made_with(policy.version, count), keep="sampling") as file:
            left = (problem for _, problem in asked if not _is_sampled(problem, file))
            total = min(count_lines(problems) or 0, limit if limit is not None else 1 << 60) - len(file.done)
            for one in spending.until_spent(progress(policy.stream(left, count), "sampling", total)):
                cost = usage_to_json(builder.ledger.take(one.problem.id))
                problem = one.problem_with_report(policy.version, count, cost)
                file.append(problem_to_json(problem, folder=str(output.parent)))
                again, missing = len(one.rejected) - len(one.missing), len(one.missing)
                counts.update(problems=1, candidates=len(problem.candidates), again=again, missing=missing)
    tell_skipped(skipped)
    rows = [
        ("candidates", str(counts["candidates"])),
        ("asked again, since the answer was no candidate", str(counts["again"])),
        ("missing at the end", str(counts["missing"])),
    ]
    screen.print(table(f"{counts['problems']} problems sampled into {output}", (), rows))
    show_cost(builder.ledger)
    spending.check()


def _is_sampled(problem: Problem, file: Journal) -> bool:
    """Whether the file has it already; refused where it was another question or figure when it was sampled."""
    known = file.kept.get(problem.id, {}).get("digest")
    if known not in (None, problem_digest(replace(problem, candidates=()))):
        said = f"{problem.id!r} had another question or figure when it was sampled; choose another file"
        raise RecordError(said, file=str(file.path))
    return problem.id in file.done


def _made_with(version: str, count: int) -> Any:
    """Refuses lines that another policy wrote, or for another number of candidates."""

    def check(record: JsonObject) -> None:
        note = record.get("sampling", {})
        if note.get("policy") != version or note.get("wanted") != count:
            raise RecordError("was sampled with other settings; choose another file", field="sampling")

    return check


_Kind = Literal["beam", "best-of-n"]
_Solver = tuple[Any, Callable[[Problem], Trace]]
"""What holds a policy and a pipeline, and what it makes of a problem."""


def search(
    problems: Annotated[Path, typer.Argument(help="Problems as JSON lines; any candidates in them are ignored.")],
    output: NewRun,
    kind: Annotated[_Kind, typer.Option(help="Search by steps, or whole solutions until one surely wins.")] = "beam",
    samples: Annotated[int, typer.Option("-n", help="Proposals per step; or solutions at most.", min=1)] = 4,
    width: Annotated[int, typer.Option(help="Solutions kept per step; or asked for at a time.", min=1)] = 4,
    max_steps: Annotated[int, typer.Option(help="beam: at most this many steps per solution.", min=1)] = 16,
    max_calls: _MaxCalls = 400,
    enough: Annotated[float | None, typer.Option(help="best-of-n: stop once the leader's score reaches this.")] = None,
    recipe: RecipeName = "vllm",
    change: Changes = None,
    limit: Limit = None,
) -> None:
    """Let a model write solutions while gated rewards choose its steps. Writes traces and an HTML page."""

    def searcher(builder: Builder) -> _Solver:
        policy, pipeline = builder.policy(), builder.pipeline()
        from evpv.search import BeamSearch, BestOfN, StepPolicy  # after the policy, whose absence has its own message

        bounds: dict[str, Any] = {"pipeline": pipeline, "samples": samples, "max_calls": max_calls}
        if kind == "beam":
            beam = BeamSearch(policy=StepPolicy.of(policy), width=width, max_steps=max_steps, **bounds)
            return beam, beam.search
        best = BestOfN(policy=policy, together=width, enough=enough, **bounds)
        return best, best.search

    plan = {"samples": samples, "width": width, "max_steps": max_steps, "max_calls": max_calls, "enough": enough}
    made = _SolvedRun(problems, output, chosen_recipe(recipe, change), limit)
    made.write(kind, plan, searcher, from_candidates=False)
    endings, calls = Counter[str](), 0
    for trace in read_traces(output):  # a budget that cuts most of them off should be seen
        endings[trace.search.get("ended", "?")] += 1
        calls += trace.search.get("calls", 0)
    told = ", ".join(f"{count} {ending}" for ending, count in sorted(endings.items()))
    tell(f"ended: {told}; {calls} questions to the policy")
    made.check()


def revise(
    problems: Annotated[Path, typer.Argument(help="Problems with candidates, as JSON lines.")],
    output: NewRun,
    rounds: Annotated[int, typer.Option(help="At most this many rewrites per candidate.", min=1)] = 2,
    best: Annotated[int | None, typer.Option(help="Revise only the N highest-ranked candidates.", min=1)] = None,
    doubt: Annotated[float, typer.Option(help="Report only contradictions by facts this sure.", min=0, max=1)] = 0.5,
    max_calls: _MaxCalls = 400,
    recipe: RecipeName = "vllm",
    change: Changes = None,
    limit: Limit = None,
) -> None:
    """Tell a model what it misread, let it rewrite its solution from there, and rank the results."""
    plan: dict[str, Any] = {"rounds": rounds, "best": best, "doubt": doubt, "max_calls": max_calls}

    def reviser(builder: Builder) -> _Solver:
        policy, pipeline = builder.policy(), builder.pipeline()
        from evpv.search import Reviser  # after the policy, whose absence has its own message

        made = Reviser(policy=policy, pipeline=pipeline, **plan)
        return made, made.revise

    made = _SolvedRun(problems, output, chosen_recipe(recipe, change), limit)
    made.write("revise", plan, reviser, from_candidates=True)
    counts = Counter[str]()
    for trace in read_traces(output):
        counts.update(told=trace.search.get("told", 0), unreadable=len(trace.search.get("unreadable", ())))
        counts.update(one.stance for candidate in trace.candidates for one in candidate.candidate.revisions)
    tell(" · ".join(f"{name} {counts[name]}" for name in ("told", "corrected", "insisted", "unreadable")))
    made.check()


class _SolvedRun:
    """A run of problems that are solved one by one: what `search` and `revise` write, and where it goes."""

    def __init__(self, problems: Path, output: Path, recipe: Recipe, limit: int | None) -> None:
        self._problems, self._output, self._recipe, self._limit = problems, output, recipe, limit
        self._spending = SpendingLimit()
        self._writer: RunWriter

    def write(
        self, kind: str, plan: Mapping[str, Any], solver_of: Callable[[Builder], _Solver], *, from_candidates: bool
    ) -> None:
        """Traces of the problems that have none yet; then the page and the tables."""
        skipped, given = Skipped(), GivenProblems(self._problems)
        placed = placed_problems(self._problems, report=skipped)
        if not from_candidates:
            placed = ((place, replace(problem, candidates=())) for place, problem in placed)
        whole = given.require_some(placed, self._limit, need_candidates=from_candidates)
        first_question(self._recipe, "extractor", "judge", "policy")
        with Builder(self._recipe) as builder, interruptible(self._output):
            solver, solve = solver_of(builder)
            version = f"{solver.pipeline.version}; {solver.policy.version}; {kind} {json.dumps(plan)}"
            made = {
                **self._recipe.manifest(self._problems, evpv=evpv.__version__, parts=version),
                "search": {"kind": kind, **plan},
            }
            with RunWriter(self._output, made) as self._writer:
                self._writer.earlier_failures()
                left = [problem for _, problem in given.left(whole, self._writer)]
                given.settle(self._writer, whole=self._limit is None)
                solved = self._spending.until_spent(progress(map(solve, left), kind, len(left)))
                for problem, trace in zip(left, solved, strict=False):  # fewer, where the budget ends
                    if trace.failure is not None:  # its models never answered: to be done again
                        self._writer.add_failure(problem.id, trace.failure)
                    else:
                        self._writer.append(replace(trace, digest=problem_digest(problem)))
        tell_skipped(skipped)
        count = count_lines(self._output / TRACES_FILE) or 0
        with RunReport(self._output, made, f"evpv: {self._problems.name}", count) as report:
            report.add_stored()
        report.show(self._writer.failed)

    def check(self) -> None:
        """Fail where the budget ended the run, or problems failed, once all is told."""
        self._spending.check()
        check_failures(self._writer)
