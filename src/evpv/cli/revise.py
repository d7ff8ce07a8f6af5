"""`evpv revise`: candidates told what they misread, rewritten and verified again, as a run like any other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from evpv.assembly import Builder, first_question, missing_extra
from evpv.cli.costs import Purse
from evpv.cli.rank import manifest
from evpv.cli.reports import RunReport
from evpv.cli.terminal import count_lines, errors, limited, progress, screen, settings, tell_skipped
from evpv.config import load_recipe
from evpv.records import RunWriter, Skipped, read_problems, read_traces
from evpv.records.traces import TRACES_FILE


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
    loaded = load_recipe(recipe, settings(change or ()))
    first_question(loaded, "extractor", "judge", "policy")
    builder, skipped, purse = Builder(loaded), Skipped(), Purse()
    plan = {"rounds": rounds, "best": best, "doubt": doubt, "max_calls": max_calls}
    try:
        policy, pipeline = builder.policy(), builder.pipeline()
        try:  # after the policy, whose absence has its own message
            from evpv.search import Reviser
        except ModuleNotFoundError as error:
            raise missing_extra("evpv revise", error) from None
        reviser = Reviser(policy=policy, pipeline=pipeline, rounds=rounds, best=best, doubt=doubt, max_calls=max_calls)
        version = f"{pipeline.version}; {policy.version}; revise {json.dumps(plan)}"
        made = {**manifest(loaded, version, problems), "search": {"kind": "revise", **plan}}
        with RunWriter(output, made) as writer:
            done = writer.done_ids()
            asked = limited(read_problems(problems, report=skipped), limit)
            left = [problem for problem in asked if problem.id not in done]
            traces = (reviser.revise(problem) for problem in left)
            for trace in purse.until_spent(progress(traces, "revising", len(left))):
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
    _tell_stances(output)
    purse.check()


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
