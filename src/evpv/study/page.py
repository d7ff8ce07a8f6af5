"""The study as a page: tables that sort, curves that answer to the pointer, a picture of the graph, cells that lead to their runs.

The tables beyond the two headline ones are made here: curves of Exp-3, ablations, Appendices G and H, and significance.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from itertools import combinations
from pathlib import Path
from typing import Any

import evpv
from evpv.evaluation.fidelity import judged_fidelity
from evpv.evaluation.sheets import Sheet
from evpv.evaluation.tasks import TOOL_SHARE, measure_constraints
from evpv.experiments import results
from evpv.experiments.measuring import difference
from evpv.experiments.results import CurvePoints, ExperimentResult
from evpv.records import read_traces
from evpv.study import tables
from evpv.study.bill import ledger_sheet
from evpv.study.graph import STAGES, Graph, Node
from evpv.study.plan import Plan
from evpv.study.running import Standing, standings
from evpv.study.stages import Workshop
from evpv.study.tables import MeasuredCell, SheetRow, curve_data, measured_cells
from evpv.viewer.bundle import write_run_page

_COLUMN_PX, _ROW_PX, _BOX = 150, 12, (110, 8)
_FEW = 4


def write_study_page(workshop: Workshop) -> Path:
    """Write every table in every form, each run's page, and the page that leads to them."""
    written = _study_tables(workshop)
    folder = workshop.folder / "tables"
    for result in written:
        results.write_result(result, folder)
    for node in (*workshop.graph.of("extract"), *workshop.graph.of("assess")):
        place = workshop.place(node)
        if (place / "done.json").exists() and not (place / "report.html").exists():
            write_run_page([place], place / "report.html", title=f"{workshop.plan.name}: {node.cell}")
    ledger = ExperimentResult(name="ledger", title="Plan against ledger", sheets=(ledger_sheet(workshop),), metrics={})
    about = f"<p>{escape(workshop.plan.description)}</p><p class=facts>{_facts(workshop.plan)}</p>"
    path = workshop.folder / "index.html"
    shown = (*written, ledger)
    body = "".join(results.section_html(result, folder / result.name, workshop.folder) for result in shown)
    page = results.html_page(workshop.plan.name, about, shown, body + _graph_section(workshop))
    path.write_text(page, encoding="utf-8")
    return path


def _study_tables(workshop: Workshop) -> list[ExperimentResult]:
    """Every table that there is the data for, with what the paper published beside it."""
    cells = measured_cells(workshop)
    wanted = (
        tables.step_result(workshop, cells), tables.choice_result(workshop, cells), _curve_result(workshop), _ablation_result(workshop),
        tables.aggregation_result(workshop, cells), _fidelity_result(workshop), _cost_result(cells), _significance_result(workshop, cells),
    )  # fmt: skip
    return [table for table in wanted if table is not None]


def _facts(plan: Plan) -> str:
    """What was measured, in a line."""
    named: tuple[Iterable[str], ...] = (plan.benchmarks, plan.policies, plan.extractors, plan.judges)
    kinds = dict(zip(("benchmark", "policy", "extractor", "judge"), map(list, named), strict=True))
    parts = [f"{kind} {', '.join(names)}" for kind, names in kinds.items() if len(names) <= _FEW]
    parts += [f"{len(names)} × {kind}" for kind, names in kinds.items() if len(names) > _FEW]
    parts += [f"method {', '.join(plan.methods)}", f"k = {plan.k}", f"evpv {evpv.__version__}"]
    return escape(" · ".join(parts))


def _graph_section(workshop: Workshop) -> str:
    """The graph's picture, how many nodes stand how, and why some failed."""
    graph, stand = workshop.graph, standings(workshop)
    counts = sorted(Counter(one.state for one in stand.values()).items())
    states = " · ".join(f"{count} {state}" for state, count in counts)
    failed = [(graph.nodes[name], one.why) for name, one in stand.items() if one.state == "failed"]
    lost = {f"{node.stage} {node.cell}": why for node, why in failed}
    items = "".join(f"<li>{escape(name)}: {escape(why[-400:])}</li>" for name, why in lost.items())
    return (
        f"<section id=graph><h2>The graph</h2><p class=states>{states}</p>"
        f"<div class=graph>{_graph_svg(graph, stand)}</div>{f'<ul>{items}</ul>' if items else ''}</section>"
    )


def _graph_svg(graph: Graph, stand: Mapping[str, Standing]) -> str:
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


def _experiments(workshop: Workshop, name: str) -> Iterator[tuple[Node, dict[str, Any]]]:
    """What an experiment found in each cell that it was run for."""
    for node in workshop.graph.of("experiments"):
        file = workshop.place(node) / name / "metrics.json"
        if file.exists():
            yield node, json.loads(file.read_text(encoding="utf-8"))


def _curve_result(workshop: Workshop) -> ExperimentResult | None:
    """Exp-3: macro-F1 as constraints are corrupted, several judges in one figure."""
    rows: list[SheetRow] = []
    lines: dict[str, CurvePoints] = {}
    links: dict[str, dict[str, str]] = {}
    for node, found in _experiments(workshop, "corruption"):
        name = f"{node.cell.judge} ({node.cell.extractor})"
        for row in found["rows"]:
            kind, _, ratio = row["corruption, nominal ratio"].partition(" ")
            cells = (row["realised ratio"], row["macro-F1"], row["lowest"], row["highest"], row["BoN@N"])
            label = f"{node.cell.benchmark} · {node.cell.policy} · {name} · {kind} {ratio}"
            rows.append((label, *cells))
            links[label] = {"*": node.name}
            if kind == "flip":
                x, y, low, high = lines.setdefault(f"{node.cell.benchmark}: {name}", ([], [], [], []))
                for values, value in zip((x, y, low, high), (float(ratio), *cells[1:4]), strict=True):
                    values.append(value)  # type: ignore[attr-defined]
    if not rows:
        return None
    axes = ("share of fields flipped", "step macro-F1 (%)")
    title = "macro-F1 as constraints are flipped and dropped (%)"
    columns = ("judge and corruption", "realised ratio", "macro-F1", "lowest", "highest", "BoN@N")
    return ExperimentResult(
        name="exp-3", title="Exp-3: constraint quality against verification, all judges",
        sheets=(Sheet(title=title, columns=columns, rows=tuple(rows), digits=2),), figure=results.curves(lines, *axes),
        metrics={"rows": rows, "curves": curve_data(lines, *axes), "links": {title: links}},
        remarks=("The paper's own curve is a picture without numbers.",),
    )  # fmt: skip


def _ablation_result(workshop: Workshop) -> ExperimentResult | None:
    """Appendix I: all ablations with a column for each source, and the paper's Overall beside."""
    sheets, links = [], {}
    for node, found in _experiments(workshop, "ablations"):
        figures, rows = found["figures"], list[SheetRow]()
        full = next(iter(figures.values()))["macro_f1"]["value"]
        sources = list(dict.fromkeys(name for one in figures.values() for name in one["by_source"]))
        for theirs in results.published_tables()["ablations"]["rows"]:
            mine: SheetRow = (None,) * (len(sources) + 2)
            if (one := figures.get(theirs["variant"])) is not None:
                by_source = (100 * one["by_source"][s] if s in one["by_source"] else None for s in sources)
                mine = (*by_source, 100 * one["macro_f1"]["value"], 100 * (one["macro_f1"]["value"] - full))
            rows.append((f"{theirs['group']}: {theirs['variant']}", *mine, theirs["values"][-1], theirs["change"]))
        refused = sorted({str(reason) for reason in found["not_possible"].values()})
        title = f"ablations (%), {node.cell.benchmark} · {node.cell.policy} · {node.cell.judge} · {node.cell.extractor}"
        columns = ("ablation", *sources, "Overall: pooled", "Δ", "PUBLISHED Overall", "PUBLISHED Δ")
        note = f"A dash: {'; '.join(refused)}." if refused else ""
        sheets.append(Sheet(title=title, columns=columns, rows=tuple(rows), digits=2, note=note))
        links[title] = {"*": {"*": node.name}}
    if not sheets:
        return None
    title = "Exp-4: 27 ablations by source"
    return ExperimentResult(name="ablations", title=title, sheets=tuple(sheets), metrics={"links": links})


def _fidelity_result(workshop: Workshop) -> ExperimentResult | None:
    """Appendix G: how faithful each extractor's constraints are, against gold, or by the word of people."""
    sheets: dict[str, Sheet] = {}
    for node in workshop.graph.of("extract"):
        if not (workshop.place(node) / "done.json").exists():
            continue
        traces, gold = list(read_traces(workshop.place(node))), workshop.gold_constraints(node)
        title = f"{node.cell.benchmark} · {node.cell.extractor}"
        if gold and all(trace.problem_id in gold for trace in traces):
            sheet = measure_constraints(traces, gold, 0.005).sheets[0]
            sheets[node.name] = replace(sheet, title=f"{title}, against gold")
        if judgements := workshop.plan.benchmarks[node.cell.benchmark].judgements:
            rows = judged_fidelity(workshop.plan.path(judgements), traces)
            columns = results.published_sheet("fidelity").columns
            named = f"{title}, by people's judgements"
            sheets[f"{node.name}/"] = Sheet(title=named, columns=columns, rows=rows, digits=4)
    if not sheets:
        return None
    links = {sheet.title: {"*": {"*": name.rstrip("/")}} for name, sheet in sheets.items()}
    shown, title = (*sheets.values(), results.published_sheet("fidelity")), "Appendix G: fidelity of constraints"
    return ExperimentResult(name="appendix-g", title=title, sheets=shown, metrics={"links": links})


def _cost_result(cells: Sequence[MeasuredCell]) -> ExperimentResult | None:
    """Appendix H: calls and latency of a question by stage, beside the formulas of EVPV and TIM-PRM with these latencies."""
    rows: list[SheetRow] = []
    links: dict[str, dict[str, str]] = {}
    for one in (one for one in cells if not one.alone):
        label = f"{one.cell.benchmark} · {one.cell.policy} · {one.reranker}"
        links[label] = {"*": one.run}
        t, asked, questions = one.worth["questions_steps"], one.worth["asked"], one.worth["problems"]
        calls, seconds = [], []
        for stage in ("extract", "judge"):
            spent = asked.get(stage) or {"asked": {}, "seconds": 0.0}
            booked = spent["asked"].get(stage, {})
            calls.append((booked.get("calls", 0.0) + booked.get("hits", 0.0)) / questions)
            seconds.append(spent["seconds"] / questions)
        step = seconds[1] / t if t else None
        rows.append((label, t, *calls, *seconds, step, sum(seconds), 1 + t, t + TOOL_SHARE * t))
    if not rows:
        return None
    columns = (
        "cell", "steps T", "extractor calls", "judge calls", "Lat(E) s", "judging s", "Lat(J) s a step", "Lat(E) + T·Lat(J) s",
        "EVPV calls: 1 + T", "TIM-PRM calls: T + pT",
    )  # fmt: skip
    note = f"p = {TOOL_SHARE}. Seconds are of the wall, per question, as the stages took here; parts without a model make no call."
    sheet = Sheet(title="per question", columns=columns, rows=tuple(rows), digits=4, note=note)
    metrics = {"rows": rows, "links": {sheet.title: links}}
    return ExperimentResult(name="appendix-h", title="Appendix H: cost and latency", sheets=(sheet,), metrics=metrics)


def _significance_result(workshop: Workshop, cells: Sequence[MeasuredCell]) -> ExperimentResult | None:
    """Every two rerankers over the same candidates: the difference, its interval by paired bootstrap over problems, and p."""
    rows: list[SheetRow] = []
    for one, other in combinations(cells, 2):
        if one.place != other.place or (one.cell.judge != other.cell.judge and not (one.alone or other.alone)):
            continue
        for figure, gap in difference(other.worth, one.worth, workshop.plan.k).items():
            place = f"{one.cell.benchmark} · {one.cell.policy}"
            said = f"{place} · {figure}: {other.reranker} against {one.reranker}"
            rows.append((said, 100 * gap.value, 100 * gap.low, 100 * gap.high, gap.p_value, gap.problems))
    if not rows:
        return None
    columns = ("comparison", "difference (points)", "from", "to", "p", "problems")
    note = "Intervals: paired bootstrap over problems. p: approximate randomisation, two-sided; not corrected for their number."
    sheet = Sheet(title="paired over problems", columns=columns, rows=tuple(rows), digits=4, note=note)
    return ExperimentResult(
        name="significance", title="Significance between methods", sheets=(sheet,), metrics={"rows": rows}
    )
