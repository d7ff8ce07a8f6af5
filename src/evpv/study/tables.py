"""Tables 1 and 2 and Appendix E as the paper has them, and what all tables of a study are made from: its measured cells.

Everything is computed from the evaluations that the nodes left, so it is done again in seconds whenever a cell is added.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from statistics import mean
from typing import Any

from evpv.evaluation.sheets import Sheet, SheetCell
from evpv.evaluation.step_metrics import groups_by
from evpv.experiments import results
from evpv.experiments.measuring import Evaluation, choice_overalls, choice_values, step_overalls, steps_f1
from evpv.experiments.results import CurvePoints, bars, curves
from evpv.reward.ranking import AGGREGATIONS
from evpv.study.graph import PlanCell
from evpv.study.plan import ALONE, Plan
from evpv.study.stages import EVALUATION, Workshop

SheetRow = tuple[SheetCell, ...]
_OVERALLS = tuple(f"Overall: {name}" for name in choice_overalls({}))
_STEPS, _CHOICES = "visualprocessbench", "best_of_8"


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredCell:
    """A cell of the study with what it is worth, and the node of its run."""

    cell: PlanCell
    run: str
    worth: Evaluation

    @property
    def alone(self) -> bool:
        return self.cell.method == ALONE

    @property
    def reranker(self) -> str:
        """The row's name: the judge alone, or with which extractor's facts under which method."""
        if self.alone:
            return self.cell.judge
        return f"{self.cell.judge} + {self.cell.method} ({self.cell.extractor})"

    @property
    def place(self) -> tuple[str, str, int]:
        """Whose candidates these are: what cells must share to be compared."""
        return self.cell.benchmark, self.cell.policy, self.cell.seed


def measured_cells(workshop: Workshop) -> list[MeasuredCell]:
    found = []
    for node in workshop.graph.of("evaluate"):
        file = workshop.file(node, EVALUATION)
        if file.exists():
            worth = json.loads(file.read_text(encoding="utf-8"))
            found.append(MeasuredCell(cell=node.cell, run=node.needs[0], worth=worth))
    return found


def step_result(workshop: Workshop, cells: Sequence[MeasuredCell]) -> results.ExperimentResult | None:
    """Table 1: each judge alone (✗), with the plug-in (✓), and Δ, by source; Overall by every definition."""
    places = groups_by([one for one in cells if one.worth["steps"]], lambda one: one.place)
    if not places:
        return None
    picture, links = {}, {}
    sheets = [_step_sheet(workshop.plan, here) for here in places.values()]
    for sheet, here in zip(sheets, places.values(), strict=True):
        links[sheet.title] = {_step_label(one): {"*": one.run} for one in here}
        where = f"{here[0].cell.benchmark}, {here[0].cell.policy}: " if len(places) > 1 else ""
        for one in here:
            if (interval := steps_f1(one.worth)) is not None:
                picture[f"{where}{one.reranker}"] = (interval.value, interval.low, interval.high)
    return results.ExperimentResult(
        name="table-1", title="Table 1: step macro-F1 with and without the plug-in",
        sheets=(*sheets, results.published_sheet(_STEPS)), figure=bars(picture, "step macro-F1, pooled (%)"),
        metrics={"links": links},
        remarks=("✗ is the judge alone; ✓ has the facts as evidence and the gate. Intervals are over problems.",),
    )  # fmt: skip


def _step_sheet(plan: Plan, here: Sequence[MeasuredCell]) -> Sheet:
    known = results.published_tables()[_STEPS]["columns"]
    names = dict.fromkeys(source for one in here for source in one.worth["steps"]["sources"])
    sources = sorted(names, key=lambda name: (known.index(name) if name in known else len(known), name))
    rows: list[SheetRow] = []
    theirs: list[Mapping[str, Any] | None] = []
    for judge, of_judge in groups_by(here, lambda one: one.cell.judge).items():
        before: SheetRow | None = None
        has_plug_in = any(not one.alone for one in of_judge)
        for one in sorted(of_judge, key=lambda one: not one.alone):
            columns_f1 = (steps_f1(one.worth, source) for source in sources)
            whole = steps_f1(one.worth)
            ends = (whole.low, whole.high) if whole else (None, None)
            cells = (*(f1.value if f1 else None for f1 in columns_f1), *step_overalls(one.worth).values(), *ends)
            rows.append((_step_label(one), *cells))
            theirs.append(_published_steps(plan, one, has_plug_in))
            if one.alone:
                before = cells
            elif before is not None:
                rows.append(("Δ", *map(_minus, cells[:-2], before[:-2]), None, None))
                theirs.append(_published_change(judge, theirs[-1]))
    columns = ("judge", *sources, "Overall: pooled", "Overall: mean of sources", "Overall: step-weighted", "from", "to")
    title = f"step macro-F1 (%), {here[0].cell.benchmark}, {here[0].cell.policy}, θ = 0"
    return _with_published(Sheet(title=title, columns=columns, rows=tuple(rows), digits=2), _STEPS, theirs)


def _step_label(one: MeasuredCell) -> str:
    return f"{one.cell.judge} ✗" if one.alone else f"{one.cell.judge} ✓ {one.cell.method} ({one.cell.extractor})"


def _published_steps(plan: Plan, one: MeasuredCell, has_plug_in: bool) -> Mapping[str, Any] | None:
    """The paper's row for a judge of the same name: its step models have one row, which is theirs with the plug-in if they have it."""
    if not _is_papers_method(plan, one):
        return None
    row = results.published_row(_STEPS, model=one.cell.judge, evpv=not one.alone)
    if row is None and one.alone is not has_plug_in:
        row = results.published_row(_STEPS, model=one.cell.judge, evpv=None)
    return row


def _published_change(judge: str, after: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    before = results.published_row(_STEPS, model=judge, evpv=False)
    if before is None or after is None:
        return None
    return {"change": round(after["values"][-1] - before["values"][-1], 2)}


def _is_papers_method(plan: Plan, one: MeasuredCell) -> bool:
    return one.alone or plan.methods[one.cell.method].get("preset") == "paper"


def _with_published(sheet: Sheet, table: str, theirs: Sequence[Mapping[str, Any] | None]) -> Sheet:
    """The sheet with the paper's Overall beside each row that it has one for, and which definition gives it."""
    if not any(theirs):
        return sheet
    beside: list[SheetRow] = []
    for row in theirs:
        if row is None:
            beside.append((None, None))
        elif "values" in row:
            beside.append((float(row["values"][-1]), results.overall_definition(table, row["values"])))
        else:
            beside.append((float(row["change"]), None))
    return Sheet(
        title=sheet.title, columns=(*sheet.columns, "PUBLISHED Overall", "which is"), digits=sheet.digits, note=sheet.note,
        rows=tuple((*row, *more) for row, more in zip(sheet.rows, beside, strict=True)),
    )  # fmt: skip


def _minus(one: SheetCell, other: SheetCell) -> float | None:
    return one - other if isinstance(one, float) and isinstance(other, float) else None


def choice_result(workshop: Workshop, cells: Sequence[MeasuredCell]) -> results.ExperimentResult | None:
    """Table 2: each policy alone, and after every reranker, by benchmark, with votes and the oracle; Overall by every definition."""
    answered = [one for one in cells if one.worth["choices"]]
    if not answered:
        return None
    k, columns = workshop.plan.k, _columns(workshop.plan, answered)
    rows: list[SheetRow] = []
    theirs: list[Mapping[str, Any] | None] = []
    links: dict[str, dict[str, str]] = {}
    for policy, of_policy in groups_by(answered, lambda one: one.cell.policy).items():
        first = [one for one in of_policy if one.alone and one.cell.judge == of_policy[0].cell.judge]
        base = _choice_cells(first, columns, "pass", 1)
        rows += [
            (f"{policy}: Pass@1", *base),
            (f"{policy}: majority vote of {k}", *_choice_cells(first, columns, "vote", k)),
        ]
        theirs += [results.published_row(_CHOICES, policy=policy, reranker=None), None]
        for name, same in groups_by(of_policy, lambda one: one.reranker).items():
            after = _choice_cells(same, columns, "best", k)
            best, weighted = f"{policy} + {name}: BoN@{k}", f"{policy} + {name}: weighted vote of {k}"
            rows += [
                (best, *after),
                ("Δ", *map(_minus, after, base)),
                (weighted, *_choice_cells(same, columns, "weighted", k)),
            ]
            theirs += [*_published_choices(workshop.plan, same[0]), None]
            links[best] = links[weighted] = {columns[one.cell.benchmark]: one.run for one in reversed(same)}
        rows.append((f"{policy}: Pass@{k} (oracle)", *_choice_cells(first, columns, "pass", k)))
        theirs.append(None)
    lines, axes = _by_k(answered, k), ("candidates k", "accuracy of the choice (%)")
    head = ("policy + reranker", *columns.values(), *_OVERALLS)
    sheet = Sheet(title="accuracy (%)", columns=head, rows=tuple(rows), digits=2, note=_vote_note(answered, columns))
    return results.ExperimentResult(
        name="table-2", title=f"Table 2: Best-of-{k} reranking",
        sheets=(_with_published(sheet, _CHOICES, theirs), results.published_sheet(_CHOICES)),
        figure=curves(lines, *axes), metrics={"links": {sheet.title: links}, "curves": curve_data(lines, *axes)},
        remarks=("Expectations over which candidates are drawn and over ties; several seeds are averaged, problem by problem.",),
    )  # fmt: skip


def _vote_note(answered: Sequence[MeasuredCell], columns: Mapping[str, str]) -> str:
    """Which benchmarks the rows of votes say nothing of, if there are such."""
    mute = dict.fromkeys(columns[one.cell.benchmark] for one in answered if not choice_values(one.worth, "vote", 1))
    said = f"No candidate gives an answer in {', '.join(mute)}: there is no vote, and a vote's Overall is without."
    return said if mute else ""


def _columns(plan: Plan, cells: Sequence[MeasuredCell]) -> dict[str, str]:
    """The benchmarks of these cells, by what the paper's tables call them."""
    return {name: plan.benchmarks[name].column or name for name in groups_by(cells, lambda one: one.cell.benchmark)}


def _published_choices(plan: Plan, one: MeasuredCell) -> tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]:
    """The paper's row for a policy and a reranker of the same names, and its change against the policy alone."""
    rerankers = {row.get("reranker", "") for row in results.published_tables()[_CHOICES]["rows"]} - {""}
    known = next((name for name in rerankers if one.cell.judge.startswith(name)), None)
    is_theirs = known is not None and _is_papers_method(plan, one) and one.alone == (known != "EVPV-PRM")
    row = results.published_row(_CHOICES, policy=one.cell.policy, reranker=known) if is_theirs else None
    return row, {"change": row["change"][-1]} if row else None


def _choice_cells(
    same: Sequence[MeasuredCell], columns: Mapping[str, str], kind: str, k: int | str
) -> tuple[float | None, ...]:
    """A row of Table 2: each benchmark's mean over its problems, seeds averaged, and Overall three ways.

    A benchmark that nobody measured leaves the row without Overall, for one of some benchmarks is compared with none of
    all; one that has no votes because it asks for no answers is left out of theirs, and the sheet says so.
    """
    by_benchmark = groups_by(same, lambda one: one.cell.benchmark)
    values: dict[str, list[float]] = {}
    for name, shown in columns.items():
        seeds = [choice_values(one.worth, kind, k) for one in by_benchmark.get(name, [])]
        values[shown] = list(map(mean, zip(*seeds, strict=False)))  # as far as all seeds go
    whole = values if len(by_benchmark) == len(columns) else {}
    return (*(100 * mean(one) if one else None for one in values.values()), *choice_overalls(whole).values())


def _by_k(answered: Sequence[MeasuredCell], k: int) -> dict[str, CurvePoints]:
    """Accuracy by how many candidates there are to choose from, all rerankers of the first benchmark and policy."""
    here = groups_by(answered, lambda one: one.place)[answered[0].place]
    ks = list(range(1, min(k, max(map(int, here[0].worth["choices"]["best"]))) + 1))
    wanted = [(one.reranker, one, "best") for one in here]
    wanted += [("majority vote", here[0], "vote"), ("Pass@k (oracle)", here[0], "pass")]
    lines: dict[str, CurvePoints] = {}
    for name, one, kind in wanted:
        if choice_values(one.worth, kind, 1):
            y = [100 * mean(choice_values(one.worth, kind, size)) for size in ks]
            lines[name] = (ks, y, y, y)
    return lines


def curve_data(lines: Mapping[str, CurvePoints], x: str, y: str) -> dict[str, Any]:
    return {"lines": {name: [list(values) for values in line] for name, line in lines.items()}, "x": x, "y": y}


def aggregation_result(workshop: Workshop, cells: Sequence[MeasuredCell]) -> results.ExperimentResult | None:
    """Appendix E: Pass@1, BoN@k and Δ of five aggregations by benchmark, a sheet for each policy."""
    answered = [one for one in cells if one.worth["choices"] and not one.alone]
    if not answered:
        return None
    sheets, links = [], {}
    for policy, of_policy in groups_by(answered, lambda one: one.cell.policy).items():
        columns, parts = _columns(workshop.plan, of_policy), ("P@1", f"B@{workshop.plan.k}", "Δ")
        names = (*columns.values(), *_OVERALLS) if len(columns) > 1 else tuple(columns.values())
        runs: dict[str, dict[str, str]] = {}
        rows: list[SheetRow] = []
        for reranker, same in groups_by(of_policy, lambda one: one.reranker).items():
            base = _choice_cells(same, columns, "pass", 1)
            here = {f"{columns[one.cell.benchmark]} {part}": one.run for one in same for part in parts}
            for aggregation in AGGREGATIONS:
                after = _choice_cells(same, columns, "aggregations", aggregation)
                values = chain.from_iterable(zip(base, after, map(_minus, after, base), strict=True))
                rows.append((f"{reranker}: {aggregation}", *islice(values, 3 * len(names))))
                runs[f"{reranker}: {aggregation}"] = here
        head = ("reranker: aggregation", *(f"{name} {part}" for name in names for part in parts))
        sheets.append(Sheet(title=f"five aggregations (%), {policy}", columns=head, rows=tuple(rows), digits=2))
        links[sheets[-1].title] = runs
    title, shown = "Appendix E: aggregations by benchmark and policy", (*sheets, results.published_aggregations())
    return results.ExperimentResult(name="appendix-e", title=title, sheets=shown, metrics={"links": links})
