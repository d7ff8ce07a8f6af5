"""`evpv study`: a plan of judges, policies and benchmarks, done in one resumable command and told as the paper tells it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.tree import Tree

from evpv.cli.evaluate import sheet_table
from evpv.cli.options import Engine, Workers
from evpv.cli.terminal import errors, escape_markup, interruptible, screen, tell
from evpv.errors import ConfigError, EvpvError

if TYPE_CHECKING:  # the study needs the eval extra, and the other commands must run without it
    from evpv.study.bill import Charge
    from evpv.study.graph import Node
    from evpv.study.running import Standing
    from evpv.study.stages import Workshop

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
