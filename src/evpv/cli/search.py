"""`evpv sample`, `search` and `revise`: candidates from a policy, alone or under the verifier's guidance, or told what they misread."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.table import Table

from evpv.assembly import Builder, first_question, missing_extra
from evpv.backends.ledger import Ledger, usage_to_json
from evpv.cli.rank import check_failures, interruptible, manifest
from evpv.cli.reports import Purse, RunReport, cost_table, with_budget
from evpv.cli.terminal import GivenProblems, Placed, count_lines, first_items, progress, screen, settings, tell_skipped
from evpv.config import load_recipe
from evpv.errors import RecordError
from evpv.records import RunWriter, Skipped, problem_to_json, read_traces
from evpv.records.journal import Journal
from evpv.records.lines import JsonObject
from evpv.records.problems import placed_problems, problem_digest
from evpv.records.traces import TRACES_FILE
from evpv.types import Problem, Trace

if TYPE_CHECKING:
    from evpv.policy.chat import ChatPolicy, Sampled
    from evpv.search import BeamSearch, BestOfN

_BATCH = 8


@dataclass(slots=True)
class _Counts:
    problems: int = 0
    candidates: int = 0
    asked_again: int = 0
    missing: int = 0


def sample(
    problems: Annotated[Path, typer.Argument(help="Problems as JSON lines; their own candidates are left out.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The file of problems with the new candidates.")],
    count: Annotated[int, typer.Option("-n", help="Candidates for each problem.", min=1)] = 8,
    recipe: Annotated[
        str, typer.Option(help="Whose policy to ask: a recipe's name, or the path of your own.")
    ] = "vllm",
    change: Annotated[
        list[str] | None, typer.Option("--set", help="One setting, e.g. --set policy.temperature=0.7.")
    ] = None,
    budget: Annotated[float | None, typer.Option(help="The most that asking may cost.", min=0)] = None,
    limit: Annotated[int | None, typer.Option(help="Only the first N problems.", min=0)] = None,
    on_error: Annotated[Literal["stop", "skip"], typer.Option(help="What a bad line does.")] = "stop",
) -> None:
    """Ask a policy for solutions in steps, each step with what it sees; an unfinished file is taken up again."""
    loaded = with_budget(load_recipe(recipe, settings(change or ())), budget)
    skipped, purse, counts = Skipped(), Purse(), _Counts()
    placed = first_items(placed_problems(problems, on_error=on_error, report=skipped), limit)
    asked = GivenProblems(problems).require_some(placed, need_candidates=False)
    first_question(loaded, "policy")
    builder = Builder(loaded)
    policy: ChatPolicy = builder.policy()
    try:
        with Journal(output, _made_with(policy.version, count), keep="sampling") as file:
            left = (problem for _, problem in asked if not _is_sampled(problem, file))
            total = min(count_lines(problems) or 0, limit if limit is not None else 1 << 60) - len(file.done)
            for one in purse.until_spent(progress(_sample_batches(left, policy, count), "sampling", total)):
                cost = usage_to_json(builder.ledger.take(one.problem.id))
                problem = one.problem_with_report(policy.version, count, cost)
                file.append(problem_to_json(problem, folder=str(output.parent)))
                _count(counts, one)
    finally:
        builder.close()
    tell_skipped(skipped)
    _show(counts, output, builder.ledger)
    purse.check()


def _is_sampled(problem: Problem, file: Journal) -> bool:
    """Whether the file has it already; refused where it was another question or figure when it was sampled."""
    known = file.kept.get(problem.id, {}).get("digest")
    if known not in (None, problem_digest(replace(problem, candidates=()))):
        said = f"{problem.id!r} had another question or figure when it was sampled; choose another file"
        raise RecordError(said, file=str(file.path))
    return problem.id in file.done


def _sample_batches(problems: Iterable[Problem], policy: ChatPolicy, count: int) -> Iterator[Sampled]:
    waiting = iter(problems)
    while batch := list(islice(waiting, _BATCH)):
        yield from policy.sample(batch, count)


def _made_with(version: str, count: int) -> Any:
    """Refuses lines that another policy wrote, or for another number of candidates."""

    def check(record: JsonObject) -> None:
        note = record.get("sampling", {})
        if note.get("policy") != version or note.get("wanted") != count:
            raise RecordError("was sampled with other settings; choose another file", field="sampling")

    return check


def _count(counts: _Counts, sampled: Sampled) -> None:
    counts.problems += 1
    counts.candidates += len(sampled.problem.candidates)
    counts.asked_again += len(sampled.rejected) - len(sampled.missing)
    counts.missing += len(sampled.missing)


def _show(counts: _Counts, output: Path, ledger: Ledger) -> None:
    table = Table(title=f"{counts.problems} problems sampled into {output}", title_justify="left", show_header=False)
    table.add_row("candidates", str(counts.candidates))
    table.add_row("asked again, since the answer was no candidate", str(counts.asked_again))
    table.add_row("missing at the end", str(counts.missing))
    screen.print(table)
    if ledger.stages():
        screen.print(cost_table(usage_to_json(ledger.stages())))


_Kind = Literal["beam", "best-of-n"]


def search(
    problems: Annotated[Path, typer.Argument(help="Problems as JSON lines; their own candidates are left out.")],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="The run folder; an unfinished one is taken up again.")
    ],
    kind: Annotated[
        _Kind, typer.Option(help="Steps from a beam, or whole solutions until the choice is sure.")
    ] = "beam",
    samples: Annotated[
        int, typer.Option("-n", help="Proposals for each step; or the most whole solutions.", min=1)
    ] = 4,
    width: Annotated[int, typer.Option(help="Solutions followed at once; or asked for at once.", min=1)] = 4,
    max_steps: Annotated[int, typer.Option(help="The step by which a beam must have an answer.", min=1)] = 16,
    max_calls: Annotated[int, typer.Option(help="The most questions to the policy, for each problem.", min=1)] = 400,
    enough: Annotated[
        float | None, typer.Option(help="best-of-n: the value of the first in rank that ends the search.")
    ] = None,
    recipe: Annotated[str, typer.Option(help="Whose policy to ask and whose rewards to follow.")] = "vllm",
    change: Annotated[list[str] | None, typer.Option("--set", help="One setting, e.g. --set policy.seed=1.")] = None,
    limit: Annotated[int | None, typer.Option(help="Only the first N problems.", min=0)] = None,
) -> None:
    """Let a policy write solutions and gated rewards choose between its steps; write traces and a page that shows why."""
    plan = {"samples": samples, "width": width, "max_steps": max_steps, "max_calls": max_calls, "enough": enough}
    asked = _Asked(
        problems=problems, output=output, recipe=recipe, changes=change or (), limit=limit, from_candidates=False
    )

    def solver(builder: Builder) -> tuple[Any, Callable[[Problem], Trace]]:
        searcher = _searcher(builder, kind, plan)
        return searcher, searcher.search

    _write_solutions(asked, kind, plan, solver, _tell_endings)


def revise(
    problems: Annotated[Path, typer.Argument(help="Problems with candidates, as JSON lines.")],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="The run folder; an unfinished one is taken up again.")
    ],
    rounds: Annotated[int, typer.Option(help="How often a candidate is told at most.", min=1)] = 2,
    best: Annotated[
        int | None, typer.Option(help="Tell only so many candidates, the first in rank; without it, all.", min=1)
    ] = None,
    doubt: Annotated[
        float, typer.Option(help="Contradictions by facts less sure than this are not told.", min=0, max=1)
    ] = 0.5,
    max_calls: Annotated[int, typer.Option(help="The most questions to the policy, for each problem.", min=1)] = 400,
    recipe: Annotated[str, typer.Option(help="Whose policy to tell and whose eyes to trust.")] = "vllm",
    change: Annotated[list[str] | None, typer.Option("--set", help="One setting of the recipe, key=value.")] = None,
    limit: Annotated[int | None, typer.Option(help="Only the first N problems.", min=0)] = None,
) -> None:
    """Tell a policy which of its premises the figure denies, let it rewrite from there, and rank what comes of it."""
    plan = {"rounds": rounds, "best": best, "doubt": doubt, "max_calls": max_calls}
    asked = _Asked(
        problems=problems, output=output, recipe=recipe, changes=change or (), limit=limit, from_candidates=True
    )

    def solver(builder: Builder) -> tuple[Any, Callable[[Problem], Trace]]:
        policy, pipeline = builder.policy(), builder.pipeline()
        try:  # after the policy, whose absence has its own message
            from evpv.search import Reviser
        except ModuleNotFoundError as error:
            raise missing_extra("evpv revise", error) from None
        reviser = Reviser(policy=policy, pipeline=pipeline, rounds=rounds, best=best, doubt=doubt, max_calls=max_calls)
        return reviser, reviser.revise

    _write_solutions(asked, "revise", plan, solver, _tell_stances)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What both commands are given."""

    problems: Path
    output: Path
    recipe: str
    changes: Sequence[str]
    limit: int | None
    from_candidates: bool

    def read(self, given: GivenProblems, skipped: Skipped) -> Iterator[Placed]:
        """The problems, with their candidates only where those are what is worked on."""
        placed = first_items(placed_problems(self.problems, report=skipped), self.limit)
        if not self.from_candidates:
            placed = ((place, replace(problem, candidates=())) for place, problem in placed)
        return given.require_some(placed, need_candidates=self.from_candidates)


def _write_solutions(
    asked: _Asked,
    kind: str,
    plan: Mapping[str, Any],
    solver_of: Callable[[Builder], tuple[Any, Callable[[Problem], Trace]]],
    tell: Callable[[Path], None],
) -> None:
    """A run of the problems that have no trace yet, each solved as the solver does it; its page, its tables, and what there is to tell."""
    loaded = load_recipe(asked.recipe, settings(asked.changes))
    skipped, purse, given = Skipped(), Purse(), GivenProblems(asked.problems)
    whole = asked.read(given, skipped)
    first_question(loaded, "extractor", "judge", "policy")
    builder = Builder(loaded)
    try:
        with interruptible(asked.output):
            solver, solve = solver_of(builder)
            version = f"{solver.pipeline.version}; {solver.policy.version}; {kind} {json.dumps(plan)}"
            made = {**manifest(loaded, version, asked.problems), "search": {"kind": kind, **plan}}
            with RunWriter(asked.output, made) as writer:
                writer.earlier_failures()
                left = [problem for _, problem in given.left(whole, writer)]
                given.settle(writer, whole=asked.limit is None)
                solved = purse.until_spent(progress(map(solve, left), kind, len(left)))
                for problem, trace in zip(left, solved, strict=False):  # fewer, where the budget ends
                    _write(writer, problem, trace)
    finally:
        builder.close()
    tell_skipped(skipped)
    count = count_lines(asked.output / TRACES_FILE) or 0
    with RunReport(asked.output, made, f"evpv: {asked.problems.name}", count) as report:
        for trace in read_traces(asked.output):
            report.add(trace)
    report.show(writer.failed)
    tell(asked.output)
    purse.check()
    check_failures(writer)


def _write(writer: RunWriter, problem: Problem, trace: Trace) -> None:
    """The trace with the digest of what was given; one whose models never answered is a failure, to be done again."""
    if trace.failure is not None:
        writer.add_failure(problem.id, trace.failure)
    else:
        writer.append(replace(trace, digest=problem_digest(problem)))


def _searcher(builder: Builder, kind: _Kind, plan: dict[str, Any]) -> BeamSearch | BestOfN:
    policy, pipeline = builder.policy(), builder.pipeline()
    from evpv.search import BeamSearch, BestOfN, StepPolicy  # after the policy, whose absence has its own message

    if kind == "beam":
        settings = {name: plan[name] for name in ("samples", "width", "max_steps", "max_calls")}
        return BeamSearch(policy=StepPolicy.of(policy), pipeline=pipeline, **settings)
    return BestOfN(
        policy=policy,
        pipeline=pipeline,
        samples=plan["samples"],
        together=plan["width"],
        enough=plan["enough"],
        max_calls=plan["max_calls"],
    )


def _tell_endings(output: Path) -> None:
    """How the searches ended, in a line: a budget that cuts most of them off should be seen."""
    endings: dict[str, int] = {}
    calls = 0
    for trace in read_traces(output):
        story = trace.search
        endings[story.get("ended", "?")] = endings.get(story.get("ended", "?"), 0) + 1
        calls += story.get("calls", 0)
    told = ", ".join(f"{count} {ending}" for ending, count in sorted(endings.items()))
    screen.print(f"ended: {told}; {calls} questions to the policy", soft_wrap=True, markup=False, highlight=False)


def _tell_stances(output: Path) -> None:
    """How many were told, gave way or insisted, in a line."""
    told = corrected = insisted = unreadable = 0
    for trace in read_traces(output):
        told += trace.search.get("told", 0)
        unreadable += len(trace.search.get("unreadable", ()))
        for candidate in trace.candidates:
            stances = [revision.stance for revision in candidate.candidate.revisions]
            corrected += stances.count("corrected")
            insisted += stances.count("insisted")
    screen.print(
        f"told {told} · corrected {corrected} · insisted {insisted} · unreadable {unreadable}",
        soft_wrap=True,
        markup=False,
        highlight=False,
    )
