"""The study as a page: tables that sort, curves that answer to the pointer, a picture of the graph, cells that lead to their runs."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

import evpv
from evpv.evaluation.sheets import Sheet
from evpv.experiments.results import Result, write_result
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
_RANKED = ("step macro-F1 (%)", "accuracy (%)", "five aggregations (%)")
"""How titles of tables begin whose rows compete."""


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
    path = workshop.folder / "index.html"
    path.write_text(_page(workshop, results), encoding="utf-8")
    return path


def study_tables(workshop: Workshop) -> list[Result]:
    """Every table that there is the data for, with what the paper published beside it."""
    cells = measured_cells(workshop)
    wanted = (
        step_result(workshop, cells), choice_result(workshop, cells), curve_result(workshop), ablation_result(workshop),
        aggregation_result(workshop, cells), fidelity_result(workshop), cost_result(cells), significance_result(workshop, cells),
    )  # fmt: skip
    return [table for table in wanted if table is not None]


def _page(workshop: Workshop, results: Sequence[Result]) -> str:
    stand = standings(workshop)
    style = "".join(_text(package, name) for package, name in (("experiments", "report.css"), ("study", "page.css")))
    script = _text("study", "page.js")
    allowed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; img-src data: 'self'; style-src 'unsafe-inline'; script-src 'sha256-{allowed}'"
    ledger = Result(name="ledger", title="Plan against ledger", sheets=(ledger_sheet(workshop),), metrics={})
    sections = "".join(_section(workshop, result) for result in (*results, ledger))
    contents = "".join(f'<li><a href="#{r.name}">{escape(r.title)}</a></li>' for r in (*results, ledger))
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<title>evpv study: {escape(workshop.plan.name)}</title><style>{style}</style></head><body><main>"
        f"<h1>{escape(workshop.plan.name)}</h1><p>{escape(workshop.plan.description)}</p><p class=facts>{_facts(workshop.plan)}</p>"
        f"<nav><ol>{contents}</ol></nav>"
        f"{sections}<section id=graph><h2>The graph</h2>{_states(stand)}<div class=graph>{graph_svg(workshop.graph, stand)}</div>"
        f"{_failures(workshop.graph, stand)}</section></main><script>{script}</script></body></html>\n"
    )


def _facts(plan: Plan) -> str:
    """What was measured, in a line."""
    tables: tuple[Iterable[str], ...] = (plan.benchmarks, plan.policies, plan.extractors, plan.judges)
    kinds = dict(zip(("benchmark", "policy", "extractor", "judge"), map(list, tables), strict=True))
    parts = [f"{kind} {', '.join(names)}" for kind, names in kinds.items() if len(names) <= _FEW]
    parts += [f"{len(names)} × {kind}" for kind, names in kinds.items() if len(names) > _FEW]
    parts += [f"method {', '.join(plan.methods)}", f"k = {plan.k}", f"evpv {evpv.__version__}"]
    return escape(" · ".join(parts))


def _text(package: str, name: str) -> str:
    return files(f"evpv.{package}").joinpath(name).read_text(encoding="utf-8")


def _section(workshop: Workshop, result: Result) -> str:
    remarks = "".join(f"<p>{escape(remark)}</p>" for remark in result.remarks)
    links = result.metrics.get("links", {})
    tables = "".join(_table(sheet, links.get(sheet.title, {})) for sheet in result.sheets)
    return (
        f'<section id="{result.name}"><h2>{escape(result.title)}</h2>{remarks}{_forms(workshop.folder, result.name)}'
        f"{_figure(workshop, result)}{tables}</section>"
    )


def _forms(folder: Path, name: str) -> str:
    """Links to the tables in the forms that papers and programs take."""
    found = sorted(one for one in (folder / "tables" / name).glob("*") if one.suffix in (".md", ".csv", ".tex", ".png"))
    links = "".join(f'<a href="{one.relative_to(folder)}">{one.name}</a> ' for one in found)
    return f"<p class=forms>{links}</p>" if links else ""


def _figure(workshop: Workshop, result: Result) -> str:
    """Curves as numbers that the page draws; other figures as the picture that the tables' folder holds."""
    if lines := result.metrics.get("curves"):
        data = json.dumps(lines).replace("<", "\\u003c")
        return f'<div class=curves><script type="application/json">{data}</script><ul class=legend></ul></div>'
    picture = workshop.folder / "tables" / result.name / "figure.svg"
    if result.figure is None or not picture.exists():
        return ""
    coded = base64.b64encode(picture.read_bytes()).decode()
    return f'<img alt="figure: {escape(result.title)}" src="data:image/svg+xml;base64,{coded}">'


def _table(sheet: Sheet, links: Mapping[str, Mapping[str, str]]) -> str:
    head = "".join(f"<th>{escape(column)}</th>" for column in sheet.columns)
    rows, last, best = [], "", _best_values(sheet)
    for values, shown in zip(sheet.rows, sheet.shown(), strict=True):
        belongs = shown[0] == "Δ"
        last = last if belongs else shown[0]
        cells = zip(sheet.columns, values, shown, strict=True)
        where = links.get(last) or links.get("*", {})
        text = "".join(_cell(where.get(name) or where.get("*"), best.get(name), *one) for name, *one in cells)
        rows.append(f"<tr{' data-with=1' if belongs else ''}>{text}</tr>")
    kind = "PUBLISHED" if sheet.title.startswith("PUBLISHED") else ""
    note = f"<p class=note>{escape(sheet.note)}</p>" if sheet.note else ""
    title = escape(sheet.title.removeprefix("PUBLISHED "))
    return (
        f'<div class="scroll {kind}"><table><caption>{title}</caption><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>{note}"
    )


def _best_values(sheet: Sheet) -> dict[str, float]:
    """The best of each column, where rows compete; what was published and ceilings do not take part."""
    if not sheet.title.startswith(_RANKED):
        return {}
    rows = [row for row in sheet.rows if row[0] != "Δ" and "(oracle)" not in str(row[0])]
    found = {}
    for place, name in enumerate(sheet.columns):
        values = [value for row in rows if isinstance(value := row[place], float)]
        if len(set(values)) > 1 and not name.startswith(("PUBLISHED", "from", "to")):
            found[name] = max(values)
    return found


def _cell(run: str | None, best: float | None, value: Any, shown: Any) -> str:
    number = f' data-v="{value}"' if isinstance(value, int | float) else ""
    kinds = ["best"] if value == best and best is not None else []
    kinds += ["up" if value > 0 else "down"] if isinstance(value, float) and value else []
    sign = f' class="{" ".join(kinds)}"' if kinds else ""
    text = escape(shown)
    return f'<td{number}{sign}>{f"""<a href="nodes/{escape(run)}/report.html">{text}</a>""" if run else text}</td>'


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
