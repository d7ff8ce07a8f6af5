"""What `evpv evaluate` can measure: each task takes a run's traces and gives sheets and the numbers behind them.

A sheet is a table of results in the forms that it is written in: Markdown, CSV and LaTeX; the terminal's form is the command's.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, TypeAlias

import numpy as np

from evpv.errors import ConfigError, RecordError
from evpv.evaluation.breakdowns import KINDS, TOOL_SHARE, attribution, checklist_table, cost_report
from evpv.evaluation.fidelity import against_gold, totals
from evpv.evaluation.outcomes import RIGHT, CandidateOutcome, step_outcomes
from evpv.evaluation.step_metrics import (
    StepMetrics,
    Threshold,
    counts_of,
    f1_pair,
    labelled_rewards,
    macro_f1,
    step_report,
)
from evpv.evaluation.uncertainty import Difference, bootstrap, calibration, paired_difference, probability
from evpv.types import TAXONOMY, Constraint, Trace

Cell: TypeAlias = str | int | float | None

_LATEX = str.maketrans(
    {"&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}",
     "^": r"\textasciicircum{}", "\\": r"\textbackslash{}", "<": r"\textless{}", ">": r"\textgreater{}"}
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """Rows under named columns; the first column names the row. `digits` are the decimals that numbers are shown with."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    digits: int = 3
    note: str = ""

    def text_rows(self) -> list[list[str]]:
        """The rows as text: unknown is a dash, never a zero."""
        return [[self._text(cell) for cell in row] for row in self.rows]

    def _text(self, cell: Cell) -> str:
        if cell is None:
            return "–"
        return f"{cell:.{self.digits}f}" if isinstance(cell, float) else str(cell)

    def markdown(self) -> str:
        """
        >>> print(Sheet(title="T", columns=("a", "b"), rows=(("x|y", 0.5), ("z", None))).markdown())
        **T**
        <BLANKLINE>
        | a | b |
        | :-- | --: |
        | x\\|y | 0.500 |
        | z | – |
        """
        lines = [f"**{self.title}**", "", _row(self.columns), _row([":--", *["--:"] * (len(self.columns) - 1)])]
        lines += [_row([cell.replace("|", "\\|") for cell in row]) for row in self.text_rows()]
        return "\n".join([*lines, *(["", self.note] if self.note else [])])

    def csv(self) -> str:
        """All digits, so that others can compute with it; unknown is empty."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(["" if cell is None else cell for cell in row] for row in self.rows)
        return text.getvalue()

    def latex(self) -> str:
        """A booktabs table that a paper can input as it is."""
        body = [" & ".join(cell.translate(_LATEX) for cell in row) + r" \\" for row in self.text_rows()]
        head = " & ".join(rf"\textbf{{{column.translate(_LATEX)}}}" for column in self.columns) + r" \\"
        caption = f"{self.title}. {self.note}".strip().rstrip(".").translate(_LATEX)
        return "\n".join(
            [
                r"\begin{table}[t]", r"\centering", rf"\caption{{{caption}.}}",
                rf"\begin{{tabular}}{{l{'r' * (len(self.columns) - 1)}}}", r"\toprule", head, r"\midrule", *body,
                r"\bottomrule", r"\end{tabular}", r"\end{table}", "",
            ]
        )  # fmt: skip


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The tables of a task, and its numbers for machines."""

    sheets: tuple[Sheet, ...]
    metrics: Mapping[str, Any] = field(hash=False)


def measure_steps(traces: Sequence[Trace], threshold: Threshold) -> Measured:
    """Step verification with intervals over problems."""
    outcomes = step_outcomes(traces)
    report = step_report(outcomes, threshold)
    interval = bootstrap(step_table(outcomes, threshold.value), macro_f1)
    labels, rewards = labelled_rewards(outcomes)
    stated = calibration([probability(reward) for reward in rewards], [label == RIGHT for label in labels])
    overall: tuple[tuple[Cell, ...], ...] = (
        ("macro-F1, pooled (the VisualPRM convention)", report.pooled.macro_f1),
        ("  95 % interval, from", interval.low),
        ("  95 % interval, to", interval.high),
        ("macro-F1, mean over sources", report.mean_over_sources),
        ("macro-F1, sources weighted by steps", report.step_weighted),
        ("F1 right", report.pooled.f1_right),
        ("F1 wrong", report.pooled.f1_wrong),
        ("accuracy", report.pooled.accuracy),
        ("AUROC", report.pooled.auroc),
        ("average precision for errors", report.pooled.error_average_precision),
        ("first error named exactly", report.pooled.first_error_accuracy),
        ("Brier score", stated.brier),
        ("expected calibration error", stated.ece),
        ("steps", report.pooled.steps),
        ("neutral steps dropped", report.neutral_dropped),
        ("steps without a reward (wrong for both classes)", report.pooled.invalid),
    )
    sheets = [
        Sheet(title="step verification", columns=("figure", "value"), rows=overall, note=f"threshold θ = {threshold}")
    ]
    sheets += [
        _metrics_sheet(f"by {name}", groups)
        for name, groups in (("source", report.by_source), ("policy", report.by_policy))
        if len(groups) > 1
    ]
    metrics = {**asdict(report), "interval": asdict(interval), "calibration": asdict(stated)}
    return Measured(sheets=tuple(sheets), metrics=metrics)


def step_table(outcomes: Sequence[CandidateOutcome], threshold: float) -> Any:
    """A row of counts per problem, in order of first appearance."""
    problems: dict[str, list[CandidateOutcome]] = {}
    for outcome in outcomes:
        problems.setdefault(outcome.problem_id, []).append(outcome)
    return np.array([counts_of(group, threshold) for group in problems.values()])


def _metrics_sheet(title: str, groups: Mapping[str, StepMetrics]) -> Sheet:
    rows = tuple(
        (name, one.steps, one.f1_right, one.f1_wrong, one.macro_f1, one.accuracy, one.auroc, one.invalid)
        for name, one in groups.items()
    )
    columns = (title.removeprefix("by "), "steps", "F1 right", "F1 wrong", "macro-F1", "accuracy", "AUROC", "no reward")
    return Sheet(title=title, columns=columns, rows=rows)


def compare_steps(traces: Sequence[Trace], others: Sequence[Trace], threshold: Threshold) -> Measured:
    """How far this run is ahead of another on the same problems."""
    first, second = (step_table(step_outcomes(side), threshold.value) for side in align_runs(traces, others))
    rows, metrics = [], {}
    for name, statistic in (
        ("macro-F1", macro_f1),
        ("F1 right", lambda sums: f1_pair(sums)[0]),
        ("F1 wrong", lambda sums: f1_pair(sums)[1]),
    ):
        found = paired_difference(first, second, statistic)
        rows.append((name, statistic(first.sum(axis=0)), statistic(second.sum(axis=0)), *difference_cells(found)))
        metrics[name] = asdict(found)
    return Measured(sheets=(against_sheet("step verification, paired", rows),), metrics=metrics)


def difference_cells(found: Difference) -> tuple[float, float, float, float]:
    return found.value, found.low, found.high, found.p_value


def against_sheet(title: str, rows: Sequence[tuple[Cell, ...]]) -> Sheet:
    columns = ("figure", "this run", "the other", "difference", "from", "to", "p")
    note = "Intervals: paired bootstrap over problems. p: approximate randomisation, two-sided."
    return Sheet(title=title, columns=columns, rows=tuple(rows), digits=4, note=note)


def align_runs(traces: Sequence[Trace], others: Sequence[Trace]) -> tuple[list[Trace], list[Trace]]:
    """Both runs over the problems they share, in one order. Problems that only one has are an error, not a silent loss."""
    by_id = {trace.problem_id: trace for trace in others}
    mine = {trace.problem_id for trace in traces}
    if missing := sorted(mine ^ by_id.keys()):
        raise ConfigError(
            f"the runs do not have the same problems: {len(missing)} are in only one of them ({', '.join(missing[:3])} …)."
        )
    return list(traces), [by_id[trace.problem_id] for trace in traces]


def measure_constraints(
    traces: Sequence[Trace], gold: Mapping[str, Sequence[Constraint]], tolerance: float
) -> Measured:
    """Fidelity by data set and category (Appendix G)."""
    missing = [trace.problem_id for trace in traces if trace.problem_id not in gold]
    if missing:
        raise RecordError(f"{len(missing)} problems of the run have no gold constraints ({', '.join(missing[:3])} …).")
    groups: dict[str, list[Trace]] = {}
    for trace in traces:
        name = trace.problem.data_source or trace.extraction.kind or "all"
        groups.setdefault(str(name), []).append(trace)
    rows: list[tuple[Cell, ...]] = []
    for name, members in [*sorted(groups.items()), ("total", list(traces))]:
        table = totals(against_gold(t.constraints, gold[t.problem_id], tolerance) for t in members)
        rows += [(f"{name}: {kind}", *one.cells) for kind, one in table.items()]
    columns = ("data set: type", "TP", "FP", "FN", "precision", "recall", "F1")
    sheet = Sheet(title="fidelity of constraints", columns=columns, rows=tuple(rows), digits=4)
    return Measured(sheets=(sheet,), metrics={"rows": records(sheet)})


def measure_checklists(traces: Sequence[Trace]) -> Measured:
    """Omissions and false positives of the policy's own flags (Appendix F)."""
    rows = tuple(
        (
            row.name, row.units, row.metrics.counts.steps, row.metrics.counts.should, row.metrics.counts.flagged,
            row.metrics.counts.omitted, row.metrics.omission_rate, row.metrics.completeness, row.metrics.false_positive_rate,
        )
        for row in checklist_table(traces)
    )  # fmt: skip
    columns = (
        "split",
        "units",
        "steps",
        "should look",
        "say they look",
        "omitted",
        "omission",
        "completeness",
        "false positives",
    )
    sheet = Sheet(title="checklist audit", columns=columns, rows=rows, digits=4)
    return Measured(sheets=(sheet,), metrics={"rows": records(sheet)})


def measure_errors(traces: Sequence[Trace], threshold: float = 0.0) -> Measured:
    """Wrong steps by the paper's taxonomy, and how our diagnosis sees them."""
    found = attribution(traces, threshold)
    rows = tuple(
        (
            top, sub, found.types[name], found.types[name] / found.steps, found.diagnosed[name, "premise"],
            found.diagnosed[name, "reasoning"], found.diagnosed[name, None],
        )
        for name, (top, sub) in TAXONOMY.items()
    )  # fmt: skip
    columns = ("top level", "sub-type", "steps", "share", "called premise", "called reasoning", "not found")
    note = (
        f"Put down to the right side, of those found: {found.agreement():.3f}." if found.agreement() is not None else ""
    )
    sheet = Sheet(title="error attribution", columns=columns, rows=rows, note=note)
    return Measured(sheets=(sheet,), metrics={"rows": records(sheet), "agreement": found.agreement()})


def measure_cost(traces: Sequence[Trace]) -> Measured:
    """What the run cost per question, beside the formulas (Appendix H)."""
    report = cost_report(traces)
    measured = cost_sheet(f"measured, per question over {report.problems} questions", report.stages, report.problems)
    expected = Sheet(
        title="calls per question, by formula",
        columns=("method", "extractor", "judge", "tool", "all"),
        rows=tuple(
            (name, one.extractor, one.judge, one.tool, one.total)
            for name, one in (("EVPV: 1 + T", report.evpv), ("TIM-PRM: T + p·T", report.tim_prm))
        ),
        digits=2,
        note=f"T is the mean number of steps over all candidates of a question, {report.evpv.judge:.2f} here; p = {TOOL_SHARE}.",
    )
    return Measured(sheets=(measured, expected), metrics=asdict(report))


def cost_sheet(title: str, stages: Mapping[str, Mapping[str, float]], questions: int) -> Sheet:
    """What each stage took per question; what a stage does not count is unknown, not nought."""
    others = sorted({kind for spent in stages.values() for kind in spent} - KINDS.keys())
    rows = [
        (stage, *((spent[kind] / questions) if kind in spent else _nought(spent) for kind in (*KINDS, *others)))
        for stage, spent in stages.items()
    ]
    columns = ("stage", *KINDS.values(), *(kind.replace("_", " ") for kind in others))
    return Sheet(title=title, columns=columns, rows=tuple(rows), digits=4)


def _nought(spent: Mapping[str, float]) -> float | None:
    """A ledger leaves out what is nought; a stage that no ledger counts says nothing of calls and money."""
    return 0.0 if "calls" in spent or "hits" in spent else None


def records(sheet: Sheet) -> list[dict[str, Cell]]:
    return [dict(zip(sheet.columns, row, strict=True)) for row in sheet.rows]
