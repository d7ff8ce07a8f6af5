"""`evpv experiment`: the paper's tables and figures from a stored run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

import evpv
from evpv.assembly import missing_extra
from evpv.cli.evaluate import gold_constraints, sheet_table, traces_of
from evpv.cli.terminal import limited, screen, settings
from evpv.config import load_recipe
from evpv.records import read_manifest
from evpv.types import Trace


def experiment(
    name: Annotated[
        str,
        typer.Argument(
            help="plug-in, best-of-n, perception, corruption, ablations, sensitivity, aggregations, gates, quality, or all."
        ),
    ],
    run: Annotated[Path, typer.Argument(help="A run folder: its problems and constraints are studied.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="A folder for tables, figures and the report.")],
    recipe: Annotated[str | None, typer.Option(help="The parts to ask; without it, the run's own.")] = None,
    change: Annotated[list[str] | None, typer.Option("--set", help="One setting, as in `evpv rank`.")] = None,
    gold: Annotated[
        Path | None, typer.Option(help="Problems with true `constraints`, for perception and quality.")
    ] = None,
    limit: Annotated[int | None, typer.Option(help="Only the first N problems.", min=1)] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be asked, and stop.")] = False,
) -> None:
    """Run an experiment of the paper: planned first, re-assessed where that is enough, re-asked only where it is not."""
    try:  # here and not above, so that the other commands run without the eval extra
        from evpv.experiments.catalogue import chosen, planned, run_experiments
        from evpv.experiments.study import Study
    except ModuleNotFoundError as error:
        raise missing_extra("evpv experiment", error) from error
    manifest = read_manifest(run)
    parts = load_recipe(recipe or str(manifest.get("recipe", "embedded")), settings(change or ()))
    traces = [_placed(trace, run) for trace in limited(traces_of(run), limit)]
    names = chosen(name, gold is not None)
    study = Study.from_run(traces, parts, judged=parts.settings()["judge"] == manifest.get("settings", {}).get("judge"))
    plan = planned(study, names)
    screen.print(
        f"{', '.join(names)}: {plan.variants} configurations over {len(traces)} problems; {plan.readings} new readings, "
        f"{plan.judgements} judgings, {plan.calls} model calls.",
        soft_wrap=True,
    )
    if dry_run:
        return
    truth = {key: tuple(value) for key, value in gold_constraints(gold).items()} if gold else {}
    facts = {
        "run": run.name,
        "recipe": parts.name,
        "problems": f"{len(traces)} of {manifest.get('problems', '?')}",
        "evpv": evpv.__version__,
    }
    results, page = run_experiments(study, names, output, truth, facts)
    for result in results:
        screen.rule(result.title)
        for sheet in result.sheets:
            screen.print(sheet_table(sheet))
    screen.print(f"report: {page}", soft_wrap=True)


def _placed(trace: Trace, run: Path) -> Trace:
    """The trace with its images named from here, not from the run's folder."""
    images = [i if "://" in i or i.startswith("data:") else str(run / i) for i in trace.extra.get("image", [])]
    return replace(trace, extra={**trace.extra, "image": images}) if images else trace
