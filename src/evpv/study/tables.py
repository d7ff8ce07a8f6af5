"""The study as the paper tells it: Tables 1 and 2, the curves of Exp-3, ablations, Appendices E, G and H, and significance.

Everything is computed from the evaluations that the nodes left, so it is done again in seconds whenever a cell is added.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import mean
from typing import Any

from evpv.evaluation.costs import TOOL_SHARE
from evpv.evaluation.sheets import Cell as SheetCell
from evpv.evaluation.sheets import Sheet
from evpv.evaluation.tasks import measure_constraints
from evpv.experiments.drawing import Curve, bars, curves
from evpv.experiments.main_results import published_choices, published_steps
from evpv.experiments.published import published_overall, published_tables
from evpv.experiments.results import Result
from evpv.records import read_traces
from evpv.reward.aggregation import AGGREGATIONS
from evpv.study.evaluating import (
    Evaluation,
    choice_overalls,
    choice_values,
    difference,
    judged_fidelity,
    step_overalls,
    steps_f1,
)
from evpv.study.graph import Cell, Node
from evpv.study.plan import ALONE
from evpv.study.stages import EVALUATION, Workshop

_Row = tuple[SheetCell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Measured:
    """A cell of the study with what it is worth, and the node of its run."""

    cell: Cell
    run: str
    worth: Evaluation

    @property
    def reranker(self) -> str:
        """The row's name: the judge alone, or with which extractor's facts under which method."""
        if self.cell.method == ALONE:
            return self.cell.judge
        return f"{self.cell.judge} + {self.cell.method} ({self.cell.extractor})"


def _measured_cells(workshop: Workshop) -> list[_Measured]:
    """The cells whose evaluation is there, in the plan's order."""
    found = []
    for node in workshop.graph.of("evaluate"):
        file = workshop.file(node, EVALUATION)
        if file.exists():
            worth = json.loads(file.read_text(encoding="utf-8"))
            found.append(_Measured(cell=node.cell, run=node.needs[0], worth=worth))
    return found


def study_tables(workshop: Workshop) -> list[Result]:
    """Every table that there is the data for, with what the paper published beside it."""
    cells = _measured_cells(workshop)
    wanted = (
        _step_result(cells), _choice_result(workshop, cells), _curve_result(workshop), _ablation_result(workshop),
        _aggregation_result(workshop, cells), _fidelity_result(workshop), _cost_result(cells), _significance_result(workshop, cells),
    )  # fmt: skip
    return [table for table in wanted if table is not None]


def _step_result(cells: Sequence[_Measured]) -> Result | None:
    """Table 1: each judge alone (✗), with the plug-in (✓), and Δ, by source; Overall by every definition."""
    labelled = [one for one in cells if one.worth["steps"]]
    if not labelled:
        return None
    sheets, picture, links = [], {}, {}
    for place in dict.fromkeys((one.cell.benchmark, one.cell.policy, one.cell.seed) for one in labelled):
        here = [one for one in labelled if (one.cell.benchmark, one.cell.policy, one.cell.seed) == place]
        sheets.append(_step_sheet(place[0], place[1], here))
        links[sheets[-1].title] = {_step_label(one): {"*": one.run} for one in here}
        for one in here:
            if (interval := steps_f1(one.worth)) is not None:
                picture[f"{one.cell.benchmark}: {one.reranker}"] = (interval.value, interval.low, interval.high)
    return Result(
        name="table-1", title="Table 1: step macro-F1 with and without the plug-in", sheets=(*sheets, published_steps()),
        figure=bars(picture, "step macro-F1, pooled (%)"), metrics={"links": links},
        remarks=("✗ is the judge alone; ✓ has the facts as evidence and the gate. Intervals are over problems.",),
    )  # fmt: skip


def _step_sheet(benchmark: str, policy: str, here: Sequence[_Measured]) -> Sheet:
    known = published_tables()["visualprocessbench"]["columns"][:-1]
    names = dict.fromkeys(source for one in here for source in one.worth["steps"]["sources"])
    sources = sorted(names, key=lambda name: (known.index(name) if name in known else len(known), name))
    rows: list[_Row] = []
    for judge in dict.fromkeys(one.cell.judge for one in here):
        alone = next((one for one in here if one.cell.judge == judge and one.cell.method == ALONE), None)
        before = _step_cells(alone, sources) if alone else None
        if before:
            rows.append((f"{judge} ✗", *before))
        for one in here:
            if one.cell.judge == judge and one.cell.method != ALONE:
                after = _step_cells(one, sources)
                rows.append((_step_label(one), *after))
                if before:
                    rows.append(("Δ", *map(_minus, after[:-2], before[:-2]), None, None))
    columns = ("judge", *sources, "Overall: pooled", "Overall: mean of sources", "Overall: step-weighted", "from", "to")
    return Sheet(title=f"step macro-F1 (%), {benchmark}, {policy}, θ = 0", columns=columns, rows=tuple(rows), digits=2)


def _step_label(one: _Measured) -> str:
    alone = one.cell.method == ALONE
    return f"{one.cell.judge} ✗" if alone else f"{one.cell.judge} ✓ {one.cell.method} ({one.cell.extractor})"


def _step_cells(one: _Measured, sources: Sequence[str]) -> tuple[float | None, ...]:
    by_source = [steps_f1(one.worth, source) for source in sources]
    whole = steps_f1(one.worth)
    ends = (whole.low, whole.high) if whole else (None, None)
    return (*(part.value if part else None for part in by_source), *step_overalls(one.worth).values(), *ends)


def _minus(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def _choice_result(workshop: Workshop, cells: Sequence[_Measured]) -> Result | None:
    """Table 2: each policy alone, and after every reranker, by benchmark, with votes and the oracle; Overall by every definition."""
    answered = [one for one in cells if one.worth["choices"]]
    if not answered:
        return None
    k, plan = workshop.plan.k, workshop.plan
    names = list(dict.fromkeys(one.cell.benchmark for one in answered))
    columns = {name: plan.benchmarks[name].column or name for name in names}
    rows: list[_Row] = []
    for policy in dict.fromkeys(one.cell.policy for one in answered):
        of_policy = [one for one in answered if one.cell.policy == policy]
        first = [one for one in of_policy if one.cell.method == ALONE and one.cell.judge == of_policy[0].cell.judge]
        base = _choice_cells(first, columns, "pass", 1)
        rows.append((f"{policy}: Pass@1", *base))
        rows.append((f"{policy}: majority vote of {k}", *_choice_cells(first, columns, "vote", k)))
        for name in dict.fromkeys(one.reranker for one in of_policy):
            same = [one for one in of_policy if one.reranker == name]
            after = _choice_cells(same, columns, "best", k)
            rows += [(f"{policy} + {name}: BoN@{k}", *after), ("Δ", *map(_minus, after, base))]
            rows.append((f"{policy} + {name}: weighted vote of {k}", *_choice_cells(same, columns, "weighted", k)))
        rows.append((f"{policy}: Pass@{k} (oracle)", *_choice_cells(first, columns, "pass", k)))
    lines, axes = _by_k(answered, k), ("candidates k", "accuracy of the choice (%)")
    links: dict[str, dict[str, str]] = {}
    for one in answered:
        row = links.setdefault(f"{one.cell.policy} + {one.reranker}: BoN@{k}", {})
        row.setdefault(columns[one.cell.benchmark], one.run)
    overalls = tuple(f"Overall: {name}" for name in choice_overalls({"": [0.0]}))
    sheet = Sheet(
        title="accuracy (%)", columns=("policy + reranker", *columns.values(), *overalls), rows=tuple(rows), digits=2
    )
    return Result(
        name="table-2", title=f"Table 2: Best-of-{k} reranking", sheets=(sheet, published_choices()),
        figure=curves(lines, *axes), metrics={"links": {sheet.title: links}, "curves": _curve_data(lines, *axes)},
        remarks=("Expectations over which candidates are drawn and over ties; several seeds are averaged, problem by problem.",),
    )  # fmt: skip


def _choice_cells(
    same: Sequence[_Measured], columns: Mapping[str, str], kind: str, k: int | str
) -> tuple[float | None, ...]:
    """A row of Table 2: each benchmark's mean over its problems, seeds averaged, and Overall three ways."""
    held = {
        shown: _over_seeds([one for one in same if one.cell.benchmark == name], kind, k)
        for name, shown in columns.items()
    }
    shares = [100 * mean(values) if values else None for values in held.values()]
    return (*shares, *choice_overalls(held).values())


def _over_seeds(same: Sequence[_Measured], kind: str, k: int | str) -> list[float]:
    tables = [choice_values(one.worth, kind, k) for one in same]
    shortest = min(map(len, tables), default=0)
    return [mean(values) for values in zip(*(table[:shortest] for table in tables), strict=True)] if tables else []


def _by_k(answered: Sequence[_Measured], k: int) -> dict[str, Curve]:
    """Accuracy by how many candidates there are to choose from, all rerankers of the first benchmark and policy."""
    first = answered[0].cell
    here = [
        one
        for one in answered
        if (one.cell.benchmark, one.cell.policy, one.cell.seed) == (first.benchmark, first.policy, first.seed)
    ]
    most = min(k, max(map(int, here[0].worth["choices"]["best"])))
    ks = list(range(1, most + 1))
    lines: dict[str, Curve] = {}
    for one in here:
        y = [100 * mean(choice_values(one.worth, "best", size)) for size in ks]
        lines[one.reranker] = (ks, y, y, y)
    for name, kind in (("majority vote", "vote"), ("Pass@k (oracle)", "pass")):
        y = [100 * mean(choice_values(here[0].worth, kind, size)) for size in ks]
        lines[name] = (ks, y, y, y)
    return lines


def _curve_data(lines: Mapping[str, Curve], x: str, y: str) -> dict[str, Any]:
    """Curves as the page draws them."""
    return {"lines": {name: [list(values) for values in line] for name, line in lines.items()}, "x": x, "y": y}


def _experiments(workshop: Workshop, name: str) -> Iterator[tuple[Node, dict[str, Any]]]:
    """What an experiment found in each cell that it was run for."""
    for node in workshop.graph.of("experiments"):
        file = workshop.place(node) / name / "metrics.json"
        if file.exists():
            yield node, json.loads(file.read_text(encoding="utf-8"))


def _curve_result(workshop: Workshop) -> Result | None:
    """Exp-3: macro-F1 as constraints are corrupted, several judges in one figure."""
    rows: list[_Row] = []
    lines: dict[str, Curve] = {}
    for node, found in _experiments(workshop, "corruption"):
        name = f"{node.cell.judge} ({node.cell.extractor})"
        for row in found["rows"]:
            kind, _, ratio = row["corruption, nominal ratio"].partition(" ")
            cells = (row["realised ratio"], row["macro-F1"], row["lowest"], row["highest"], row["BoN@N"])
            rows.append((f"{node.cell.benchmark} · {node.cell.policy} · {name} · {kind} {ratio}", *cells))
            if kind == "flip":
                x, y, low, high = lines.setdefault(f"{node.cell.benchmark}: {name}", ([], [], [], []))
                for values, value in zip((x, y, low, high), (float(ratio), *cells[1:4]), strict=True):
                    values.append(value)  # type: ignore[attr-defined]
    if not rows:
        return None
    axes = ("share of fields flipped", "step macro-F1 (%)")
    columns = ("judge and corruption", "realised ratio", "macro-F1", "lowest", "highest", "BoN@N")
    return Result(
        name="exp-3", title="Exp-3: constraint quality against verification, all judges",
        sheets=(Sheet(title="macro-F1 as constraints are flipped and dropped (%)", columns=columns, rows=tuple(rows), digits=2),),
        figure=curves(lines, *axes), metrics={"rows": rows, "curves": _curve_data(lines, *axes)},
        remarks=("The paper's own curve is a picture without numbers.",),
    )  # fmt: skip


def _ablation_result(workshop: Workshop) -> Result | None:
    """Appendix I: all ablations with a column for each source, and the paper's Overall beside."""
    sheets = []
    for node, found in _experiments(workshop, "ablations"):
        figures = found["figures"]
        full = next(iter(figures.values()))["macro_f1"]["value"]
        sources = list(dict.fromkeys(name for one in figures.values() for name in one["by_source"]))
        rows: list[_Row] = []
        for row in published_tables()["ablations"]["rows"]:
            one = figures.get(row["variant"])
            mine: _Row = (None,) * (len(sources) + 2)
            if one is not None:
                by_source = (100 * one["by_source"][s] if s in one["by_source"] else None for s in sources)
                mine = (*by_source, 100 * one["macro_f1"]["value"], 100 * (one["macro_f1"]["value"] - full))
            paper = published_overall("ablations", variant=row["variant"])
            rows.append((f"{row['group']}: {row['variant']}", *mine, paper, row["change"]))
        refused = sorted({str(reason) for reason in found["not_possible"].values()})
        columns = ("ablation", *sources, "Overall: pooled", "Δ", "PUBLISHED Overall", "PUBLISHED Δ")
        title = f"ablations (%), {node.cell.benchmark} · {node.cell.policy} · {node.cell.judge} · {node.cell.extractor}"
        note = f"A dash: {'; '.join(refused)}." if refused else ""
        sheets.append(Sheet(title=title, columns=columns, rows=tuple(rows), digits=2, note=note))
    if not sheets:
        return None
    return Result(name="ablations", title="Exp-4: 27 ablations by source", sheets=tuple(sheets), metrics={})


def _aggregation_result(workshop: Workshop, cells: Sequence[_Measured]) -> Result | None:
    """Appendix E: Pass@1, BoN@k and Δ of five aggregations by benchmark, a sheet for each policy."""
    answered = [one for one in cells if one.worth["choices"] and one.cell.method != ALONE]
    if not answered:
        return None
    k, plan, sheets = workshop.plan.k, workshop.plan, []
    for policy in dict.fromkeys(one.cell.policy for one in answered):
        of_policy = [one for one in answered if one.cell.policy == policy]
        columns = {n: plan.benchmarks[n].column or n for n in dict.fromkeys(one.cell.benchmark for one in of_policy)}
        rows: list[_Row] = []
        for name in dict.fromkeys(one.reranker for one in of_policy):
            same = [one for one in of_policy if one.reranker == name]
            base = _choice_cells(same, columns, "pass", 1)
            for aggregation in AGGREGATIONS:
                after = _choice_cells(same, columns, "aggregations", aggregation)
                triples = zip(base, after, map(_minus, after, base), strict=True)
                rows.append((f"{name}: {aggregation}", *(value for triple in triples for value in triple)))
        heads = (*columns.values(), *(f"Overall: {one}" for one in choice_overalls({"": [0.0]})))
        shown = tuple(f"{head} {part}" for head in heads for part in ("P@1", f"B@{k}", "Δ"))
        sheets.append(
            Sheet(
                title=f"five aggregations (%), {policy}",
                columns=("reranker: aggregation", *shown),
                rows=tuple(rows),
                digits=2,
            )
        )
    return Result(
        name="appendix-e", title="Appendix E: aggregations by benchmark and policy", sheets=tuple(sheets), metrics={}
    )


def _fidelity_result(workshop: Workshop) -> Result | None:
    """Appendix G: how faithful each extractor's constraints are, against gold, or by the word of people."""
    sheets = []
    for node in workshop.graph.of("extract"):
        benchmark = workshop.plan.benchmarks[node.cell.benchmark]
        if not (workshop.place(node) / "done.json").exists():
            continue
        traces, gold = list(read_traces(workshop.place(node))), workshop.gold(node)
        title = f"{node.cell.benchmark} · {node.cell.extractor}"
        if gold and all(trace.problem_id in gold for trace in traces):
            sheet = measure_constraints(traces, gold, 0.005).sheets[0]
            sheets.append(Sheet(title=f"{title}, against gold", columns=sheet.columns, rows=sheet.rows, digits=4))
        if benchmark.judgements:
            rows = judged_fidelity(workshop.plan.path(benchmark.judgements), traces)
            columns = ("data set: type", "TP", "FP", "FN", "precision", "recall", "F1")
            sheets.append(Sheet(title=f"{title}, by people's judgements", columns=columns, rows=rows, digits=4))
    if not sheets:
        return None
    table = published_tables()["fidelity"]
    theirs = Sheet(
        title="PUBLISHED in the paper, not measured here", columns=("data set: type", *table["columns"]),
        rows=tuple((f"{row['data']}: {row['type']}", *row["values"]) for row in table["rows"]), digits=4,
    )  # fmt: skip
    return Result(name="appendix-g", title="Appendix G: fidelity of constraints", sheets=(*sheets, theirs), metrics={})


def _cost_result(cells: Sequence[_Measured]) -> Result | None:
    """Appendix H: calls and latency of a question by stage, beside the formulas of EVPV and TIM-PRM with these latencies."""
    rows: list[_Row] = []
    for one in cells:
        if one.cell.method == ALONE:
            continue
        t, asked, questions = one.worth["questions_steps"], one.worth["asked"], one.worth["problems"]
        eyes, judge = (_latency(asked.get(stage), stage, questions) for stage in ("extract", "judge"))
        whole, tool = eyes["seconds"] + judge["seconds"], TOOL_SHARE * t
        rows.append(
            (
                f"{one.cell.benchmark} · {one.cell.policy} · {one.reranker}", t, eyes["calls"], judge["calls"], eyes["seconds"],
                judge["seconds"], judge["seconds"] / t if t else None, whole, 1 + t, t + tool,
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
    return Result(name="appendix-h", title="Appendix H: cost and latency", sheets=(sheet,), metrics={"rows": rows})


def _latency(spent: Mapping[str, Any] | None, stage: str, questions: int) -> dict[str, float]:
    if spent is None:
        return {"calls": 0.0, "seconds": 0.0}
    calls = spent["asked"].get(stage, {}).get("calls", 0.0) + spent["asked"].get(stage, {}).get("hits", 0.0)
    return {"calls": calls / questions, "seconds": spent["seconds"] / questions}


def _significance_result(workshop: Workshop, cells: Sequence[_Measured]) -> Result | None:
    """Every two rerankers over the same candidates: the difference, its interval by paired bootstrap over problems, and p."""
    rows: list[_Row] = []
    for one, other in combinations(cells, 2):
        places = {(side.cell.benchmark, side.cell.policy, side.cell.seed) for side in (one, other)}
        if len(places) > 1 or (
            one.cell.judge != other.cell.judge and ALONE not in (one.cell.method, other.cell.method)
        ):
            continue
        for figure, gap in difference(other.worth, one.worth, workshop.plan.k).items():
            place = f"{one.cell.benchmark} · {one.cell.policy}"
            said = f"{place} · {figure}: {other.reranker} against {one.reranker}"
            rows.append((said, 100 * gap.value, 100 * gap.low, 100 * gap.high, gap.p_value, gap.problems))
    if not rows:
        return None
    columns = ("comparison", "difference (points)", "from", "to", "p", "problems")
    note = "Intervals: paired bootstrap over problems. p: approximate randomisation, two-sided; not corrected for their number."
    sheet = Sheet(title="paired over problems", columns=columns, rows=tuple(rows), digits=3, note=note)
    return Result(name="significance", title="Significance between methods", sheets=(sheet,), metrics={"rows": rows})
