"""`evpv search`: solutions written under the verifier's guidance, as a run like any other."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from evpv.assembly import Builder, first_question
from evpv.cli.costs import Purse
from evpv.cli.rank import manifest
from evpv.cli.reports import RunReport
from evpv.cli.terminal import count_lines, errors, limited, progress, screen, settings, tell_skipped
from evpv.config import load_recipe
from evpv.records import RunWriter, Skipped, read_problems, read_traces
from evpv.records.traces import TRACES_FILE
from evpv.types import Problem, Trace

if TYPE_CHECKING:  # searching needs the chat extra, and the other commands must run without it
    from evpv.search import BeamSearch, BestOfN

Kind = Literal["beam", "best-of-n"]


def search(
    problems: Annotated[Path, typer.Argument(help="Problems as JSON lines; their own candidates are left out.")],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="The run folder; an unfinished one is taken up again.")
    ],
    kind: Annotated[
        Kind, typer.Option(help="Steps from a beam, or whole solutions until the choice is sure.")
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
    loaded = load_recipe(recipe, settings(change or ()))
    first_question(loaded, "extractor", "judge", "policy")
    builder, skipped, purse = Builder(loaded), Skipped(), Purse()
    plan = {"samples": samples, "width": width, "max_steps": max_steps, "max_calls": max_calls, "enough": enough}
    try:
        searcher = _searcher(builder, kind, plan)
        version = f"{searcher.pipeline.version}; {searcher.policy.version}; {kind} {json.dumps(plan)}"
        made = {**manifest(loaded, version, problems), "search": {"kind": kind, **plan}}
        with RunWriter(output, made) as writer:
            done = writer.done_ids()
            asked = limited(read_problems(problems, report=skipped), limit)
            left = [problem for problem in asked if problem.id not in done]
            for trace in purse.until_spent(progress(_searched(searcher, left), "searching", len(left))):
                writer.append(trace)
    except KeyboardInterrupt:
        errors.print(f"interrupted; the same command goes on from what is done in {output}", markup=False)
        raise typer.Exit(130) from None
    finally:
        builder.close()
    tell_skipped(skipped)
    with RunReport(output, made, f"evpv: {problems.name}", count_lines(output / TRACES_FILE) or 0) as report:
        for trace in read_traces(output):
            report.add(trace)
    report.show()
    _tell(output)
    purse.check()


def _searcher(builder: Builder, kind: Kind, plan: dict[str, Any]) -> BeamSearch | BestOfN:
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


def _searched(searcher: BeamSearch | BestOfN, problems: Iterable[Problem]) -> Iterator[Trace]:
    return (searcher.search(problem) for problem in problems)


def _tell(output: Path) -> None:
    """How the searches ended, in a line: a budget that cuts most of them off should be seen."""
    endings: dict[str, int] = {}
    calls = 0
    for trace in read_traces(output):
        story = trace.search
        endings[story.get("ended", "?")] = endings.get(story.get("ended", "?"), 0) + 1
        calls += story.get("calls", 0)
    told = ", ".join(f"{count} {ending}" for ending, count in sorted(endings.items()))
    screen.print(f"ended: {told}; {calls} questions to the policy", soft_wrap=True, markup=False, highlight=False)
