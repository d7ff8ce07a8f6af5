"""`evpv experiment`: the paper's tables and figures from a stored run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import evpv
from evpv.assembly import missing_extra
from evpv.cli.evaluate import gold_constraints, sheet_table, traces_of
from evpv.cli.terminal import first_items, screen, settings
from evpv.config import load_recipe
from evpv.records import read_manifest


def experiment(
    name: Annotated[
        str,
        typer.Argument(
            help="plug-in, best-of-n, perception, policy, corruption, ablations, verification, sensitivity, aggregations, "
            "gates, quality, fidelity, checklist, errors, cost; several with commas between; or all."
        ),
    ],
    run: Annotated[Path, typer.Argument(help="A run folder: its problems and constraints are studied.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="A folder for tables, figures and the report.")],
    recipe: Annotated[str | None, typer.Option(help="The parts to ask; without it, the run's own.")] = None,
    change: Annotated[list[str] | None, typer.Option("--set", help="One setting, as in `evpv rank`.")] = None,
    gold: Annotated[Path | None, typer.Option(help="Problems with their true `constraints`.")] = None,
    count: Annotated[int, typer.Option("-n", help="Candidates that `policy` asks for, per problem.", min=1)] = 8,
    limit: Annotated[int | None, typer.Option(help="Only the first N problems.", min=1)] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be asked, and stop.")] = False,
) -> None:
    """Run an experiment of the paper: planned first, re-assessed where that is enough, re-asked only where it is not."""
    try:  # here and not above, so that the other commands run without the eval extra
        from evpv.experiments.catalogue import choose_experiments, left_out, plan_experiments, run_experiments
        from evpv.experiments.measuring import Truth
        from evpv.experiments.results import write_report
        from evpv.experiments.trials import Trials
    except ModuleNotFoundError as error:
        raise missing_extra("evpv experiment", error) from error
    manifest, of_run = read_manifest(run), "/".join(run.parts[-2:])
    parts = load_recipe(recipe or str(manifest.get("recipe", "embedded")), settings(change or ()))
    traces = list(first_items(traces_of(run), limit))
    known = {key: tuple(value) for key, value in gold_constraints(gold).items()} if gold else {}
    same_judge = parts.settings()["judge"] == manifest.get("settings", {}).get("judge")
    trials, truth = Trials.from_run(traces, parts, judged=same_judge, gold=known), Truth(traces)
    names = choose_experiments(name, trials, truth)
    said = [f"{', '.join(names)}: {len(traces)} problems, {plan_experiments(trials, names, count)}."]
    lacking = left_out(trials, truth) if name == "all" else {}
    said += [f"left out: {one}, which needs {needs}." for one, needs in lacking.items()]
    screen.print("\n".join(said), soft_wrap=True)
    if dry_run:
        return
    facts = {
        "run": of_run,
        "recipe": parts.name,
        "problems": f"{len(traces)} of {manifest.get('problems', '?')}",
        "evpv": evpv.__version__,
        "parts": str(manifest.get("versions", {}).get("parts", "?")),
    }
    results = run_experiments(trials, truth, names, output, count)
    page = write_report(results, output, facts)
    for result in results:
        screen.rule(result.title)
        screen.print(*map(sheet_table, result.sheets), sep="\n")
    screen.print(f"report: {page}", soft_wrap=True)
