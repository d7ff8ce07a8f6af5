"""The study as a page: tables that sort, curves that answer to the pointer, a picture of the graph, cells that lead to their runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path

import evpv
from evpv.experiments.results import Result, html_page, section_html, write_result
from evpv.study.appendices import (
    ablation_result,
    cost_result,
    curve_result,
    fidelity_result,
    significance_result,
)
from evpv.study.bill import ledger_sheet
from evpv.study.graph import STAGES, Graph
from evpv.study.plan import Plan
from evpv.study.running import Standing, standings
from evpv.study.stages import Workshop
from evpv.study.tables import aggregation_result, choice_result, measured_cells, step_result
from evpv.viewer.bundle import write_run_page

_COLUMN_PX, _ROW_PX, _BOX = 150, 12, (110, 8)
_FEW = 4


def write_study_page(workshop: Workshop) -> Path:
    """Write every table in every form, each run's page, and the page that leads to them."""
    results = study_tables(workshop)
    folder = workshop.folder / "tables"
    for result in results:
        write_result(result, folder)
    for node in (*workshop.graph.of("extract"), *workshop.graph.of("assess")):
        place = workshop.place(node)
        if (place / "done.json").exists() and not (place / "report.html").exists():
            write_run_page([place], place / "report.html", title=f"{workshop.plan.name}: {node.cell}")
    ledger = Result(name="ledger", title="Plan against ledger", sheets=(ledger_sheet(workshop),), metrics={})
    about = f"<p>{escape(workshop.plan.description)}</p><p class=facts>{_facts(workshop.plan)}</p>"
    path = workshop.folder / "index.html"
    shown = (*results, ledger)
    body = "".join(section_html(result, folder / result.name, workshop.folder) for result in shown)
    page = html_page(workshop.plan.name, about, shown, body + _graph_section(workshop))
    path.write_text(page, encoding="utf-8")
    return path


def study_tables(workshop: Workshop) -> list[Result]:
    """Every table that there is the data for, with what the paper published beside it."""
    cells = measured_cells(workshop)
    wanted = (
        step_result(workshop, cells), choice_result(workshop, cells), curve_result(workshop), ablation_result(workshop),
        aggregation_result(workshop, cells), fidelity_result(workshop), cost_result(cells), significance_result(workshop, cells),
    )  # fmt: skip
    return [table for table in wanted if table is not None]


def _facts(plan: Plan) -> str:
    """What was measured, in a line."""
    tables: tuple[Iterable[str], ...] = (plan.benchmarks, plan.policies, plan.extractors, plan.judges)
    kinds = dict(zip(("benchmark", "policy", "extractor", "judge"), map(list, tables), strict=True))
    parts = [f"{kind} {', '.join(names)}" for kind, names in kinds.items() if len(names) <= _FEW]
    parts += [f"{len(names)} × {kind}" for kind, names in kinds.items() if len(names) > _FEW]
    parts += [f"method {', '.join(plan.methods)}", f"k = {plan.k}", f"evpv {evpv.__version__}"]
    return escape(" · ".join(parts))


def _graph_section(workshop: Workshop) -> str:
    stand = standings(workshop)
    picture = f"<div class=graph>{graph_svg(workshop.graph, stand)}</div>"
    return f"<section id=graph><h2>The graph</h2>{_states(stand)}{picture}{_failures(workshop.graph, stand)}</section>"


def graph_svg(graph: Graph, stand: Mapping[str, Standing]) -> str:
    """The graph as a picture: a column for each stage, a box for each node in the colour of how it stands."""
    columns = {stage: graph.of(stage) for stage in STAGES if graph.of(stage)}
    high = max(map(len, columns.values())) * _ROW_PX + 40
    places: dict[str, tuple[float, float]] = {}
    parts = []
    for number, (stage, nodes) in enumerate(columns.items()):
        step = (high - 40) / max(len(nodes), 1)
        parts.append(f'<text x="{number * _COLUMN_PX + 4}" y="14">{stage} {len(nodes)}</text>')
        for row, node in enumerate(nodes):
            places[node.name] = number * _COLUMN_PX + 4, 28 + step * (row + 0.5) - _BOX[1] / 2
    edges = []
    for node in graph.nodes.values():
        x, y = places[node.name]
        for need in node.needs:
            x0, y0 = places[need][0] + _BOX[0], places[need][1] + _BOX[1] / 2
            y1, half = y + _BOX[1] / 2, (x - x0) / 2
            edges.append(
                f'<path class="edge" d="M{x0:.0f} {y0:.1f}C{x0 + half:.0f} {y0:.1f} {x - half:.0f} {y1:.1f} {x:.0f} {y1:.1f}"/>'
            )
    for name, (x, y) in places.items():
        said = f"{graph.nodes[name].stage} {graph.nodes[name].cell}: {stand[name].state} {stand[name].why[:200]}"
        shape = f'x="{x:.0f}" y="{y:.1f}" width="{_BOX[0]}" height="{_BOX[1]}"'
        parts.append(f'<rect class="{stand[name].state}" {shape}><title>{escape(said)}</title></rect>')
    wide = len(columns) * _COLUMN_PX
    return f'<svg viewBox="0 0 {wide} {high}" role="img" aria-label="the stages of the study">{"".join(edges)}{"".join(parts)}</svg>'


def _states(stand: Mapping[str, Standing]) -> str:
    counts: dict[str, int] = {}
    for one in stand.values():
        counts[one.state] = counts.get(one.state, 0) + 1
    return f"<p class=states>{' · '.join(f'{count} {state}' for state, count in sorted(counts.items()))}</p>"


def _failures(graph: Graph, stand: Mapping[str, Standing]) -> str:
    rows = [(name, one) for name, one in stand.items() if one.state == "failed"]
    items = "".join(
        f"<li>{escape(f'{graph.nodes[name].stage} {graph.nodes[name].cell}')}: {escape(one.why[-400:])}</li>"
        for name, one in rows
    )
    return f"<ul>{items}</ul>" if items else ""
