"""The study's tables beyond the two headline ones: curves of Exp-3, ablations, Appendices G and H, and significance."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from evpv.evaluation.breakdowns import TOOL_SHARE
from evpv.evaluation.tasks import Sheet, measure_constraints
from evpv.experiments.drawing import Curve, curves
from evpv.experiments.results import Result, published_sheet, published_tables
from evpv.records import read_traces
from evpv.study.evaluating import difference, judged_fidelity
from evpv.study.graph import Node
from evpv.study.stages import Workshop
from evpv.study.tables import Measured, Row, curve_data


def _experiments(workshop: Workshop, name: str) -> Iterator[tuple[Node, dict[str, Any]]]:
    """What an experiment found in each cell that it was run for."""
    for node in workshop.graph.of("experiments"):
        file = workshop.place(node) / name / "metrics.json"
        if file.exists():
            yield node, json.loads(file.read_text(encoding="utf-8"))


def curve_result(workshop: Workshop) -> Result | None:
    """Exp-3: macro-F1 as constraints are corrupted, several judges in one figure."""
    rows: list[Row] = []
    lines: dict[str, Curve] = {}
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
    axes, title = (
        ("share of fields flipped", "step macro-F1 (%)"),
        "macro-F1 as constraints are flipped and dropped (%)",
    )
    columns = ("judge and corruption", "realised ratio", "macro-F1", "lowest", "highest", "BoN@N")
    return Result(
        name="exp-3", title="Exp-3: constraint quality against verification, all judges",
        sheets=(Sheet(title=title, columns=columns, rows=tuple(rows), digits=2),), figure=curves(lines, *axes),
        metrics={"rows": rows, "curves": curve_data(lines, *axes), "links": {title: links}},
        remarks=("The paper's own curve is a picture without numbers.",),
    )  # fmt: skip


def ablation_result(workshop: Workshop) -> Result | None:
    """Appendix I: all ablations with a column for each source, and the paper's Overall beside."""
    sheets = {node.name: _ablation_sheet(node, found) for node, found in _experiments(workshop, "ablations")}
    if not sheets:
        return None
    return Result(
        name="ablations", title="Exp-4: 27 ablations by source", sheets=tuple(sheets.values()),
        metrics={"links": {sheet.title: {"*": {"*": name}} for name, sheet in sheets.items()}},
    )  # fmt: skip


def _ablation_sheet(node: Node, found: Mapping[str, Any]) -> Sheet:
    figures = found["figures"]
    full = next(iter(figures.values()))["macro_f1"]["value"]
    sources = list(dict.fromkeys(name for one in figures.values() for name in one["by_source"]))
    rows: list[Row] = []
    for theirs in published_tables()["ablations"]["rows"]:
        mine: Row = (None,) * (len(sources) + 2)
        if (one := figures.get(theirs["variant"])) is not None:
            by_source = (100 * one["by_source"][s] if s in one["by_source"] else None for s in sources)
            mine = (*by_source, 100 * one["macro_f1"]["value"], 100 * (one["macro_f1"]["value"] - full))
        rows.append((f"{theirs['group']}: {theirs['variant']}", *mine, theirs["values"][-1], theirs["change"]))
    refused = sorted({str(reason) for reason in found["not_possible"].values()})
    title = f"ablations (%), {node.cell.benchmark} · {node.cell.policy} · {node.cell.judge} · {node.cell.extractor}"
    columns = ("ablation", *sources, "Overall: pooled", "Δ", "PUBLISHED Overall", "PUBLISHED Δ")
    note = f"A dash: {'; '.join(refused)}." if refused else ""
    return Sheet(title=title, columns=columns, rows=tuple(rows), digits=2, note=note)


def fidelity_result(workshop: Workshop) -> Result | None:
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
            columns = published_sheet("fidelity").columns
            sheets[f"{node.name}/"] = Sheet(
                title=f"{title}, by people's judgements", columns=columns, rows=rows, digits=4
            )
    if not sheets:
        return None
    links = {sheet.title: {"*": {"*": name.rstrip("/")}} for name, sheet in sheets.items()}
    shown = (*sheets.values(), published_sheet("fidelity"))
    return Result(
        name="appendix-g", title="Appendix G: fidelity of constraints", sheets=shown, metrics={"links": links}
    )


def cost_result(cells: Sequence[Measured]) -> Result | None:
    """Appendix H: calls and latency of a question by stage, beside the formulas of EVPV and TIM-PRM with these latencies."""
    rows: list[Row] = []
    links: dict[str, dict[str, str]] = {}
    for one in (one for one in cells if not one.alone):
        label = f"{one.cell.benchmark} · {one.cell.policy} · {one.reranker}"
        links[label] = {"*": one.run}
        t, asked, questions = one.worth["questions_steps"], one.worth["asked"], one.worth["problems"]
        eyes, judge = (_latency(asked.get(stage), stage, questions) for stage in ("extract", "judge"))
        whole, tool = eyes["seconds"] + judge["seconds"], TOOL_SHARE * t
        rows.append(
            (
                label, t, eyes["calls"], judge["calls"], eyes["seconds"], judge["seconds"],
                judge["seconds"] / t if t else None, whole, 1 + t, t + tool,
            )
        )  # fmt: skip
    if not rows:
        return None
    columns = (
        "cell", "steps T", "extractor calls", "judge calls", "Lat(E) s", "judging s", "Lat(J) s a step", "Lat(E) + T·Lat(J) s",
        "EVPV calls: 1 + T", "TIM-PRM calls: T + pT",
    )  # fmt: skip
    note = f"p = {TOOL_SHARE}. Seconds are of the wall, per question, as the stages took here; parts without a model make no call."
    sheet = Sheet(title="per question", columns=columns, rows=tuple(rows), digits=4, note=note)
    metrics = {"rows": rows, "links": {sheet.title: links}}
    return Result(name="appendix-h", title="Appendix H: cost and latency", sheets=(sheet,), metrics=metrics)


def _latency(spent: Mapping[str, Any] | None, stage: str, questions: int) -> dict[str, float]:
    if spent is None:
        return {"calls": 0.0, "seconds": 0.0}
    calls = spent["asked"].get(stage, {}).get("calls", 0.0) + spent["asked"].get(stage, {}).get("hits", 0.0)
    return {"calls": calls / questions, "seconds": spent["seconds"] / questions}


def significance_result(workshop: Workshop, cells: Sequence[Measured]) -> Result | None:
    """Every two rerankers over the same candidates: the difference, its interval by paired bootstrap over problems, and p."""
    rows: list[Row] = []
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
    return Result(name="significance", title="Significance between methods", sheets=(sheet,), metrics={"rows": rows})
