"""`evpv evaluate`, `classify`, `fit`, `experiment` and `study`: what a run is worth, and why its wrong steps are wrong (Appendix D.5).

Which settings its labels suggest, and the paper's tables from it; and a plan of judges, policies and benchmarks, done in one
resumable command and told as the paper tells it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.tree import Tree

import evpv
from evpv.assembly import Builder
from evpv.cli.options import Budget, Changes, Engine, Limit, RecipeName, RunFolder, Workers, chosen_recipe
from evpv.cli.reports import SpendingLimit
from evpv.cli.runs import method_of, refuse_own_folder
from evpv.cli.terminal import errors, escape_markup, interruptible, progress, screen, table, tell
from evpv.errors import ConfigError, EvpvError
from evpv.records import RunWriter, given_constraints, read_manifest, read_problems, read_traces
from evpv.records.lines import count_lines
from evpv.types import Constraint, Trace

if TYPE_CHECKING:  # the study needs the eval extra, and the other commands must run without it
    from evpv.study.bill import Charge
    from evpv.study.graph import Node
    from evpv.study.running import Standing
    from evpv.study.stages import Workshop

_Task = Literal["steps", "best-of-n", "constraints", "checklist", "errors", "cost"]


def evaluate(
    run: RunFolder,
    task: Annotated[_Task, typer.Option(help="What to measure.")] = "steps",
    against: Annotated[Path | None, typer.Option(help="Another run over the same problems: a paired test.")] = None,
    threshold: Annotated[
        str,
        typer.Option(
            help="Steps above it are right: a number, run (its own), oracle (best on these steps), or a run to fit it on."
        ),
    ] = "run",
    gold: Annotated[Path | None, typer.Option(help="--task constraints: problems with true constraints.")] = None,
    partial: Annotated[bool, typer.Option("--partial", help="--task constraints: only problems in --gold.")] = False,
    tolerance: Annotated[float, typer.Option(help="--task constraints: allowed relative error.", min=0)] = 0.005,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write the numbers as JSON, too.")] = None,
) -> None:
    """Measure step verification, Best-of-N, constraints, checklists, error types or cost. No model is asked."""
    from evpv.evaluation import selection, tasks

    traces = _traces_of(run)

    def theta() -> Any:
        return _fitted_threshold(threshold, run, traces)

    def constraints() -> Any:
        truth = _gold_constraints(gold)
        known = [trace for trace in traces if trace.problem_id in truth] if partial else traces
        if not known:
            raise ConfigError("--gold has none of the run's problems: there is nothing to measure.")
        return tasks.measure_constraints(known, truth, tolerance)

    measures: dict[_Task, Callable[[], Any]] = {
        "steps": lambda: tasks.measure_steps(traces, theta()),
        "best-of-n": lambda: selection.measure_choices(traces, method_of(read_manifest(run))),
        "constraints": constraints,
        "checklist": lambda: tasks.measure_checklists(traces),
        "errors": lambda: tasks.measure_errors(traces, theta().value),
        "cost": lambda: tasks.measure_cost(traces),
    }
    comparisons: dict[_Task, Callable[[list[Trace]], Any]] = {
        "steps": lambda others: tasks.compare_steps(traces, others, theta()),
        "best-of-n": lambda others: selection.compare_choices(traces, others),
    }
    if against is not None and task not in comparisons:
        raise ConfigError("--against compares steps or best-of-n.")
    measured = measures[task]() if against is None else comparisons[task](_traces_of(against))
    for sheet in measured.sheets:
        screen.print(sheet_table(sheet))
    if output is not None:
        text = json.dumps({"task": task, "run": run.name, **measured.metrics}, indent=2, default=str)
        output.write_text(text + "\n", encoding="utf-8")
        tell(f"numbers: {output}")


def sheet_table(sheet: Any) -> Table:
    """A result's table as the terminal shows it."""
    rows = (list(map(escape_markup, row)) for row in sheet.text_rows())
    made = table(sheet.title, sheet.columns, rows, right=sheet.columns[1:])
    made.caption = sheet.note or None
    return made


def _traces_of(run: Path) -> list[Trace]:
    traces = list(read_traces(run))
    if not traces:
        raise ConfigError(f"{run} holds no traces: there is nothing to measure.")
    return traces


def _fitted_threshold(text: str, run: Path, traces: list[Trace]) -> Any:
    """θ with its provenance: the run's own, the best for its own steps, a number, or fitted on another run."""
    from evpv.evaluation.fitting import refuse_test_split
    from evpv.evaluation.step_metrics import Threshold, best_threshold, step_outcomes

    if text == "run":
        manifest = read_manifest(run)
        theta, fit = method_of(manifest).decision, manifest.get("settings", {}).get("fitted") or {}
        if fit.get("method", {}).get("decision") != theta:
            return Threshold(value=theta, source="the run's own setting")
        where = f"{fit.get('problems', '?')} problems of split {fit.get('split', '?')}, {fit.get('date', '?')}"
        return Threshold(value=theta, provenance="fitted", source=f"fit {fit.get('name', '?')!r}: {where}")
    if text == "oracle":
        return Threshold(value=best_threshold(step_outcomes(traces)), provenance="oracle", source="these very steps")
    try:
        return Threshold(value=float(text))
    except ValueError:
        if not Path(text).is_dir():
            raise ConfigError(f"--threshold takes a number, run, oracle, or a run folder, not {text!r}.") from None
    others = _traces_of(Path(text))
    refuse_test_split(others)
    if shared := {trace.problem_id for trace in traces} & {trace.problem_id for trace in others}:
        raise ConfigError(
            f"θ must be fitted on other problems: {len(shared)} are in both runs. `--threshold oracle` says what it is."
        )
    return Threshold(value=best_threshold(step_outcomes(others)), provenance="fitted", source=Path(text).name)


def _gold_constraints(path: Path | None) -> dict[str, list[Constraint]]:
    if path is None:
        raise ConfigError("--task constraints needs --gold: problems with their true `constraints`.")
    return {problem.id: list(given_constraints(problem) or ()) for problem in read_problems(path)}


def fit(
    run: Annotated[Path, typer.Argument(help="A run over development problems with labelled steps.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The TOML file to write.")],
    split: Annotated[str | None, typer.Option(help="The split's name, if the problems do not state one.")] = None,
    data: Annotated[str, typer.Option(help="A description of the problems, kept in the file.")] = "",
    check: Annotated[Path | None, typer.Option(help="A run over other problems, to test the fitted values on.")] = None,
) -> None:
    """Fit the method's thresholds to a labelled run: support of missing claims, the gates' τ and β, θ. Refuses test splits."""
    from evpv.evaluation.fitting import fit_run

    if output.suffix != ".toml":
        raise ConfigError(f"-o is a .toml file that recipes can name, not {output.name!r}.")
    manifest, traces = read_manifest(run), _traces_of(run)
    command = f"evpv fit {'/'.join(run.parts[-2:])} -o {output.name}" + (f" --split {split}" if split else "")
    today = datetime.now(UTC).strftime("%Y-%m-%d")
    facts = {"data": data, "evpv": evpv.__version__, "date": today, "command": command}
    made = fit_run(traces, manifest, method_of(manifest), split, facts, _traces_of(check) if check else [])
    for sheet in made.sheets:
        screen.print(sheet_table(sheet))
    if not made.has_claims:
        screen.print("No wrong step names its kind of error, so the support of unread claims stays as it was.")
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(made.text, encoding="utf-8")
    tell(f"fit: {output}; a recipe reads it with fitted under its method section.")


def experiment(
    name: Annotated[
        str,
        typer.Argument(
            help="plug-in, best-of-n, perception, policy, corruption, ablations, verification, sensitivity, aggregations, "
            "gates, quality, fidelity, checklist, errors, cost; several with commas between; or all."
        ),
    ],
    run: Annotated[Path, typer.Argument(help="The run whose problems and constraints are used.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="A folder for tables, figures and the report.")],
    recipe: Annotated[str | None, typer.Option(help="The recipe for new questions. Default: the run's own.")] = None,
    change: Changes = None,
    gold: Annotated[Path | None, typer.Option(help="Problems with their true constraints.")] = None,
    count: Annotated[int, typer.Option("-n", help="For the experiment policy: candidates per problem.", min=1)] = 8,
    limit: Annotated[int | None, typer.Option(help="Only the first N problems.", min=1)] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the model calls it would take, and stop.")] = False,
) -> None:
    """Run one of the paper's experiments on a stored run. Models are asked only where stored answers do not suffice."""
    from evpv.experiments.catalogue import choose_experiments, left_out, plan_experiments, run_experiments
    from evpv.experiments.measuring import Truth
    from evpv.experiments.results import write_report
    from evpv.experiments.trials import Trials

    manifest, of_run = read_manifest(run), "/".join(run.parts[-2:])
    parts = chosen_recipe(recipe or str(manifest.get("recipe", "embedded")), change)
    traces = _traces_of(run)[:limit]
    known = {key: tuple(value) for key, value in _gold_constraints(gold).items()} if gold else {}
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
    tell(f"report: {page}")


def classify(
    run: Annotated[Path, typer.Argument(help="A run folder whose steps have labels.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The new run folder, with the errors' types.")],
    recipe: RecipeName = "vllm",
    change: Changes = None,
    budget: Budget = None,
    limit: Limit = None,
) -> None:
    """Ask the judge's model what kind of error each step labelled wrong makes. Resumes if interrupted."""
    from evpv.judges.error_types import ErrorClassifier

    manifest = refuse_own_folder(run, output)
    parts = chosen_recipe(recipe, change, budget)
    if not isinstance(name := parts.judge.settings.get("backend"), str):
        raise ConfigError(f"the judge of the recipe {parts.name!r} asks no model, so there is none to classify errors.")
    spending, counts = SpendingLimit(), Counter[bool]()
    with Builder(parts) as builder:
        classifier = ErrorClassifier(backend=builder.backend(name))
        with RunWriter(output, {**manifest, "error_types": classifier.version}) as writer:
            done = writer.done_ids()
            left = (trace for trace in islice(read_traces(run), limit) if trace.problem_id not in done)
            named = map(classifier.typed_trace, left)
            for trace, read in spending.until_spent(progress(named, "classifying", count_lines(run / "traces.jsonl"))):
                writer.append(trace)
                counts.update(read)
    tell(f"{counts[True]} wrong steps classified, {counts[False]} not readable: {output}")
    if counts[False]:
        tell("what was not readable is under `error_problem` in the step.", errors)
    spending.check()


_ACTIONS = ("run", "status", "page")
_EVER_S = 1e9
_MARKS = {
    "done": "[green]✓[/]", "running": "[cyan]▶[/]", "failed": "[red]✗[/]", "unfinished": "[yellow]…[/]",
    "blocked": "[red]–[/]", "waiting": "[dim]·[/]",
}  # fmt: skip


def study(
    words: Annotated[
        list[str],
        typer.Argument(metavar="[run|status|page] PLAN.toml", help="run (the default), status or page; then the plan."),
    ],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Its folder. Default: studies/NAME.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print what is left to ask, its cost, and stop.")] = False,
    engine: Engine = "local",
    workers: Workers = None,
    limit: Annotated[int | None, typer.Option(help="Only the first N problems of each benchmark.", min=1)] = None,
) -> None:
    """Run a whole study from one file, or resume it: from importing benchmarks to the paper's tables and a page."""
    from evpv.study.bill import bill_sheet
    from evpv.study.graph import study_graph
    from evpv.study.page import write_study_page
    from evpv.study.plan import load_plan
    from evpv.study.stages import Workshop

    action, file = (words[0], words[1:]) if words[0] in _ACTIONS else ("run", words)
    if len(file) != 1:
        raise ConfigError(f"evpv study takes one plan, as in `evpv study {action} plan.toml`.")
    plan = load_plan(Path(file[0]), limit)
    folder = output or Path("studies") / plan.name
    workshop = Workshop(graph=study_graph(plan), folder=folder.resolve(), engine=engine, workers=workers)
    if action == "status":
        _show_status(workshop)
    elif action == "page":
        tell(f"page: {write_study_page(workshop)}")
    elif dry_run:
        screen.print(sheet_table(bill_sheet(workshop, _bill(workshop))))
    else:
        with interruptible(folder):
            _run(workshop)


def _show_status(workshop: Workshop) -> None:
    from evpv.study.running import standings

    stand = standings(workshop)
    name, place = escape_markup(workshop.plan.name), escape_markup(str(workshop.folder))
    tree = Tree(f"[bold]{name}[/] {place}", guide_style="dim")
    for node in workshop.graph.of("import"):
        _branch(tree, workshop, node, stand, set())
    screen.print(tree)
    counts = {state: sum(one.state == state for one in stand.values()) for state in _MARKS}
    screen.print(", ".join(f"{count} {state}" for state, count in counts.items() if count))


def _branch(tree: Tree, workshop: Workshop, node: Node, stand: Mapping[str, Standing], drawn: set[str]) -> None:
    """A node under the last of what it needs; what hangs under several is drawn once."""
    one = stand[node.name]
    took = f" [dim]{one.seconds:.1f} s[/]" if one.state == "done" else ""
    why = f" [red]{escape_markup(one.why.strip().splitlines()[-1][:120])}[/]" if one.why else ""
    branch = tree.add(f"{_MARKS[one.state]} {node.stage} [bold]{escape_markup(str(node.cell))}[/]{took}{why}")
    for child in workshop.graph.nodes.values():
        if child.needs and child.needs[-1] == node.name and child.name not in drawn:
            drawn.add(child.name)
            _branch(branch, workshop, child, stand, drawn)


def _bill(workshop: Workshop) -> dict[str, Charge]:
    """What is left to pay for. Imports are done for it: they ask nobody, and without them there is little to count."""
    from evpv.study.bill import study_bill
    from evpv.study.rehearsal import Rehearsal
    from evpv.study.running import do_imports, standings

    for cell, why in do_imports(workshop).items():
        errors.print(f"[yellow]{escape_markup(cell)}: {escape_markup(why)}[/]", soft_wrap=True)
    return study_bill(workshop, Rehearsal(workshop).tallies(), standings(workshop))


def _run(workshop: Workshop) -> None:
    from evpv.study.bill import ledger_sheet, write_node_plan
    from evpv.study.page import write_study_page
    from evpv.study.rehearsal import Rehearsal
    from evpv.study.running import Runner

    rehearsal = Rehearsal(workshop, most=1 << 30)
    with _Bar(workshop, {name: one.seconds for name, one in _bill(workshop).items()}) as bar:
        planned = partial(write_node_plan, workshop, rehearsal)
        ended = Runner(workshop=workshop, tell=bar.tell, before=planned).run()
    page = write_study_page(workshop)
    screen.print(sheet_table(ledger_sheet(workshop)))
    states = [one.state for one in ended.values()]
    tell(f"{states.count('done')} of {len(states)} nodes done · page: {page}")
    if failed := states.count("failed") + states.count("blocked"):
        raise EvpvError(f"{failed} nodes failed or wait for one that did; the same command tries them again.")


class _Bar:
    """Progress on standard error: nodes as lines, and the time left by what the bill says and how true it has been so far."""

    def __init__(self, workshop: Workshop, seconds: Mapping[str, float]) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn(), TextColumn("left"))
        self._bar = Progress(
            *columns, console=errors, transient=True, disable=not errors.is_terminal, speed_estimate_period=_EVER_S
        )
        self._task = self._bar.add_task("study", total=max(sum(seconds.values()), 1e-9))
        self._seconds, self._current, self._done = dict(seconds), "", 0.0
        workshop.tick = self._tick

    def __enter__(self) -> _Bar:
        self._bar.start()
        return self

    def __exit__(self, *ended: object) -> None:
        self._bar.stop()

    def tell(self, node: Node, standing: Standing) -> None:
        """Say how a node went, in one line."""
        self._current = node.name
        if standing.state == "running":
            self._bar.update(self._task, description=f"{node.stage} {node.cell}")
            return
        self._done += self._seconds.pop(node.name, 0.0)
        why = f" [dim]{standing.seconds:.1f} s[/]"
        if standing.why:
            why = f": {escape_markup(standing.why.strip().splitlines()[-1])}"
        errors.print(f"{_MARKS[standing.state]} {node.stage} {escape_markup(str(node.cell))}{why}", soft_wrap=True)
        self._bar.update(self._task, completed=self._done)

    def _tick(self, done: int, count: int) -> None:
        here = self._seconds.get(self._current, 0.0) * done / max(count, 1)
        self._bar.update(self._task, completed=self._done + here)
