"""`evpv evaluate`: what a run is worth, from its stored traces."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.table import Table

from evpv.assembly import missing_extra
from evpv.cli.assess import method_of
from evpv.cli.terminal import screen
from evpv.errors import ConfigError
from evpv.records import constraint_from_json, read_manifest, read_problems, read_traces
from evpv.types import Constraint, Trace

Task = Literal["steps", "best-of-n", "constraints", "checklist", "errors", "cost"]


def evaluate(
    run: Annotated[Path, typer.Argument(help="A run folder with traces.")],
    task: Annotated[Task, typer.Option(help="What to measure.")] = "steps",
    against: Annotated[Path | None, typer.Option(help="Another run over the same problems: a paired test.")] = None,
    threshold: Annotated[
        str, typer.Option(help="θ: a number, `run` (its own), `oracle`, or a run folder that θ is fitted on.")
    ] = "run",
    gold: Annotated[Path | None, typer.Option(help="Problems with gold `constraints`, for --task constraints.")] = None,
    partial: Annotated[bool, typer.Option("--partial", help="Measure only the problems that --gold has.")] = False,
    tolerance: Annotated[float, typer.Option(help="How near a value must be, for --task constraints.", min=0)] = 0.005,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="A JSON file for the numbers.")] = None,
) -> None:
    """Measure step verification, Best-of-N, constraints, checklists, error types or cost. No model is asked."""
    try:  # here and not above, so that the other commands run without the eval extra
        from evpv.evaluation import selection, tasks
    except ModuleNotFoundError as error:
        raise missing_extra("evpv evaluate", error) from error
    traces = traces_of(run)
    theta = _threshold(threshold, run, traces) if task in ("steps", "errors") else None
    if against is not None:
        if task not in ("steps", "best-of-n"):
            raise ConfigError("--against compares steps or best-of-n.")
        others = traces_of(against)
        measured = tasks.compare_steps(traces, others, theta) if theta else selection.compare_choices(traces, others)
    elif task == "steps" and theta:
        measured = tasks.measure_steps(traces, theta)
    elif task == "best-of-n":
        measured = selection.measure_choices(traces, method_of(read_manifest(run)))
    elif task == "constraints":
        truth = gold_constraints(gold)
        measured = tasks.measure_constraints(_known(traces, truth) if partial else traces, truth, tolerance)
    elif task == "checklist":
        measured = tasks.measure_checklists(traces)
    elif task == "errors" and theta:
        measured = tasks.measure_errors(traces, theta.value)
    else:
        measured = tasks.measure_cost(traces)
    for sheet in measured.sheets:
        screen.print(sheet_table(sheet))
    if output is not None:
        text = json.dumps({"task": task, "run": run.name, **measured.metrics}, indent=2, default=str)
        output.write_text(text + "\n", encoding="utf-8")
        screen.print(f"numbers: {output}", soft_wrap=True)


def _known(traces: list[Trace], truth: Mapping[str, Any]) -> list[Trace]:
    """The traces whose problems have gold constraints: those that were mended, say."""
    if known := [trace for trace in traces if trace.problem_id in truth]:
        return known
    raise ConfigError("--gold has none of the run's problems: there is nothing to measure.")


def sheet_table(sheet: Any) -> Table:
    """A result's table as the terminal shows it."""
    table = Table(title=sheet.title, title_justify="left", caption=sheet.note or None, caption_justify="left")
    for index, column in enumerate(sheet.columns):
        table.add_column(column, justify="right" if index else "left")
    for row in sheet.shown():
        table.add_row(*(cell.replace("[", r"\[") for cell in row))
    return table


def traces_of(run: Path) -> list[Trace]:
    traces = list(read_traces(run))
    if not traces:
        raise ConfigError(f"{run} holds no traces: there is nothing to measure.")
    return traces


def _threshold(text: str, run: Path, traces: list[Trace]) -> Any:
    """θ with its provenance."""
    from evpv.evaluation.fitting import refuse_test_split
    from evpv.evaluation.outcomes import step_outcomes
    from evpv.evaluation.step_metrics import Threshold, best_threshold

    if text == "run":
        return _own_threshold(read_manifest(run))
    if text == "oracle":
        return Threshold(value=best_threshold(step_outcomes(traces)), provenance="oracle", source="these very steps")
    try:
        return Threshold(value=float(text))
    except ValueError:
        others = traces_of(Path(text))
    refuse_test_split(others)
    if shared := {trace.problem_id for trace in traces} & {trace.problem_id for trace in others}:
        raise ConfigError(
            f"θ must be fitted on other problems: {len(shared)} are in both runs. `--threshold oracle` says what it is."
        )
    return Threshold(value=best_threshold(step_outcomes(others)), provenance="fitted", source=Path(text).name)


def _own_threshold(manifest: dict[str, Any]) -> Any:
    """The θ that a run was made with, and what it was fitted on if it is still the fitted one."""
    from evpv.evaluation.step_metrics import Threshold

    theta, fit = method_of(manifest).decision, manifest.get("settings", {}).get("fitted") or {}
    if fit.get("method", {}).get("decision") != theta:
        return Threshold(value=theta, source="the run's own setting")
    where = f"{fit.get('problems', '?')} problems of split {fit.get('split', '?')}, {fit.get('date', '?')}"
    return Threshold(value=theta, provenance="fitted", source=f"fit {fit.get('name', '?')!r}: {where}")


def gold_constraints(path: Path | None) -> dict[str, list[Constraint]]:
    if path is None:
        raise ConfigError("--task constraints needs --gold: problems with their true `constraints`.")
    return {
        problem.id: [constraint_from_json(one) for one in problem.extra.get("constraints", ())]
        for problem in read_problems(path)
    }
