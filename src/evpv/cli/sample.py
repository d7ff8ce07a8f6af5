"""`evpv sample`: candidates with checklists from a policy, as a file of problems that `evpv rank` reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.table import Table

from evpv.assembly import Builder, first_question
from evpv.backends.ledger import Ledger, usage_to_json
from evpv.cli.reports import Purse, cost_table, with_budget
from evpv.cli.terminal import GivenProblems, count_lines, first_items, progress, screen, settings, tell_skipped
from evpv.config import load_recipe
from evpv.errors import RecordError
from evpv.records import Skipped, problem_to_json
from evpv.records.journal import Journal
from evpv.records.lines import JsonObject
from evpv.records.problems import placed_problems, problem_digest
from evpv.types import Problem

if TYPE_CHECKING:  # the policy needs the chat extra, and the other commands must run without it
    from evpv.policy.chat import ChatPolicy, Sampled

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
