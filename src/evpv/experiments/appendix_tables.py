"""Tables of the appendices that need no variation: calibration, fidelity (G), checklists (F), error types (D.5), cost (H)."""

from __future__ import annotations

from dataclasses import asdict

from evpv.evaluation.breakdowns import cost_report
from evpv.evaluation.outcomes import RIGHT, step_outcomes
from evpv.evaluation.step_metrics import Threshold, best_threshold, labelled_rewards, step_metrics
from evpv.evaluation.tasks import (
    Cell,
    Sheet,
    cost_sheet,
    measure_checklists,
    measure_constraints,
    measure_cost,
    measure_errors,
)
from evpv.evaluation.uncertainty import Calibration, calibration, probability
from evpv.experiments.drawing import bars, reliability_diagram, stacked_bars
from evpv.experiments.main_results import GROUNDED, method_variants
from evpv.experiments.measuring import Truth
from evpv.experiments.results import Result, published_sheet
from evpv.experiments.trials import READ, Trials
from evpv.types import TAXONOMY, Trace

_TOLERANCE = 0.005


def verification(trials: Trials, truth: Truth) -> Result:
    """All step metrics of the judge alone, the paper's method and ours; what θ does; and whether rewards mean what they say."""
    variants = method_variants()
    plan = trials.plan(variants)
    traces = {variant.name: trials.traces(variant) for variant in variants}
    stated = {name: _calibration(one) for name, one in traces.items()}
    rows = tuple(_metrics_row(name, one, stated[name]) for name, one in traces.items())
    columns = (
        "method", "macro-F1", "F1 right", "F1 wrong", "accuracy", "AUROC", "AP for errors", "first error", "Brier", "ECE", "steps", "no reward",
    )  # fmt: skip
    sheet = Sheet(title="step verification at θ = 0", columns=columns, rows=rows)
    return Result(
        name="verification", title="Step verification: all metrics, thresholds, calibration",
        sheets=(sheet, _thresholds(trials, traces)), plan=plan,
        figure=reliability_diagram({name: one.bins for name, one in stated.items()}),
        metrics={"rows": [dict(zip(columns, row, strict=True)) for row in rows], "calibration": {name: asdict(one) for name, one in stated.items()}},
    )  # fmt: skip


def _calibration(traces: list[Trace]) -> Calibration:
    labels, rewards = labelled_rewards(step_outcomes(traces))
    return calibration([probability(reward) for reward in rewards], [label == RIGHT for label in labels])


def _metrics_row(name: str, traces: list[Trace], stated: Calibration) -> tuple[Cell, ...]:
    one = step_metrics(step_outcomes(traces), 0.0)
    return (
        name, one.macro_f1, one.f1_right, one.f1_wrong, one.accuracy, one.auroc, one.error_average_precision,
        one.first_error_accuracy, stated.brier, stated.ece, one.steps, one.invalid,
    )  # fmt: skip


def _thresholds(trials: Trials, traces: dict[str, list[Trace]]) -> Sheet:
    """Macro-F1 at θ = 0, at the θ that the recipe was fitted with, and at the best θ of these very steps."""
    own = Threshold(value=trials.recipe.method.decision)
    rows: list[tuple[Cell, ...]] = []
    for name, one in traces.items():
        outcomes = step_outcomes(one)
        oracle = best_threshold(outcomes)
        fitted = step_metrics(outcomes, own.value).macro_f1 if name == GROUNDED else None
        at = [step_metrics(outcomes, theta).macro_f1 for theta in (0.0, oracle)]
        rows.append((name, at[0], fitted, at[1], oracle))
    return Sheet(
        title="macro-F1 by where θ comes from",
        columns=("method", "fixed, θ = 0", f"the recipe's θ = {own.value:g}", "oracle", "oracle θ"), rows=tuple(rows),
        note="The recipe's θ is fitted on development problems (`evpv fit`). Oracle is fitted on these very steps: an upper bound, not a result.",
    )  # fmt: skip


def fidelity(trials: Trials, truth: Truth) -> Result:
    """Appendix G: how faithful the constraints that were read are, by data set and category."""
    measured = measure_constraints(trials.stored, trials.gold, _TOLERANCE)
    ours = measured.sheets[0]
    last = {str(row[0]): float(row[-1] or 0.0) for row in ours.rows if not str(row[0]).startswith("total")}
    overall = {name.removesuffix(": overall"): (v, v, v) for name, v in last.items() if name.endswith(": overall")}
    return Result(
        name="fidelity", title="Fidelity of constraints (Appendix G)", sheets=(ours, published_sheet("fidelity")), metrics=measured.metrics,
        figure=bars(overall, "F1 of the constraints read"),
        remarks=(f"Against gold, each fact found at most once; a value must be within {_TOLERANCE:.1%} of the printed one.",),
    )  # fmt: skip


def checklist(trials: Trials, truth: Truth) -> Result:
    """Appendix F: do candidates say when they look?"""
    measured = measure_checklists(trials.stored)
    return Result(
        name="checklist",
        title="Checklist audit (Appendix F)",
        sheets=(*measured.sheets, published_sheet("checklist")),
        metrics=measured.metrics,
    )


def errors(trials: Trials, truth: Truth) -> Result:
    """Why wrong steps are wrong, by the paper's taxonomy, and how our premise-or-reasoning diagnosis sees each type."""
    measured = measure_errors(trials.traces(READ), 0.0)
    parts = ("called premise", "called reasoning", "not found")
    rows = {
        _type_name(name): [float(row[part] or 0) for part in parts]
        for name, row in zip(TAXONOMY, measured.metrics["rows"], strict=True)
    }
    return Result(
        name="errors", title="Error attribution (Appendix D.5)", sheets=measured.sheets, metrics=measured.metrics,
        figure=stacked_bars({name: row for name, row in rows.items() if sum(row)}, parts, "wrong steps"),
        remarks=("The paper's own distribution is a picture without numbers.",),
    )  # fmt: skip


def _type_name(name: str) -> str:
    top, sub = TAXONOMY[name]
    return f"{top.partition(' ')[0]}: {sub}" if sub else top


def cost(trials: Trials, truth: Truth) -> Result:
    """Appendix H: what the stored run took per question, what these trials asked beyond it, and the formulas."""
    measured = measure_cost(trials.stored)
    report = cost_report(trials.stored)
    count = len(trials.problems)
    asked = {stage: asdict(usage) for stage, usage in trials.usage.items()}
    if trials.judging_seconds:
        mean = sum(trials.judging_seconds) / len(trials.judging_seconds)
        asked["one judging of all"] = {"seconds": mean}
    sheets = list(measured.sheets)
    if asked:
        title = f"asked or timed by these experiments, per question ({len(trials.judging_seconds)} judgings)"
        sheets.insert(1, cost_sheet(title, asked, count))
    formulas = {"EVPV: 1 + T": report.evpv, "TIM-PRM: T + p·T": report.tim_prm}
    return Result(
        name="cost", title="Cost (Appendix H)", sheets=tuple(sheets), metrics={**measured.metrics, "asked": asked},
        figure=stacked_bars(
            {name: (one.extractor, one.judge, one.tool) for name, one in formulas.items()},
            ("extractor", "judge", "tool"), "model calls per question, by formula",
        ),
    )  # fmt: skip
