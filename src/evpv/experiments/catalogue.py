"""The experiments by name, what each needs, and how a set of them is run and written.

Tables of the appendices that need no variation are here: calibration, fidelity (G), checklists (F), error types (D.5), cost (H).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

from evpv.errors import ConfigError, unknown_name
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
from evpv.experiments.evidence_quality import (
    corruption,
    corruption_variants,
    perception,
    perception_variants,
    policy_perception,
    policy_plan,
    quality,
)
from evpv.experiments.main_results import GROUNDED, method_variants, plug_in, plug_in_variants, reranking
from evpv.experiments.measuring import Truth
from evpv.experiments.results import Result, published_sheet, write_result
from evpv.experiments.settings_tables import (
    ablation,
    ablation_variants,
    aggregation,
    gate_variants,
    gates,
    sensitivity,
    sensitivity_variants,
)
from evpv.experiments.trials import READ, Trials
from evpv.experiments.variants import Plan, Variant
from evpv.types import TAXONOMY, Trace

_TOLERANCE = 0.005


def _verification(trials: Trials, truth: Truth) -> Result:
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


def _fidelity(trials: Trials, truth: Truth) -> Result:
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


def _checklist(trials: Trials, truth: Truth) -> Result:
    """Appendix F: do candidates say when they look?"""
    measured = measure_checklists(trials.stored)
    return Result(
        name="checklist",
        title="Checklist audit (Appendix F)",
        sheets=(*measured.sheets, published_sheet("checklist")),
        metrics=measured.metrics,
    )


def _errors(trials: Trials, truth: Truth) -> Result:
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


def _cost(trials: Trials, truth: Truth) -> Result:
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


_NEEDS: Mapping[str, tuple[Callable[[Trials, Truth], bool], str]] = {
    "labels": (lambda trials, truth: truth.labelled, "steps with `label` 1, 0 or -1"),
    "answers": (lambda trials, truth: truth.answered, "a gold `answer` for every problem, or `correct` on candidates"),
    "labels or answers": (lambda trials, truth: truth.labelled or truth.answered, "labelled steps or gold answers"),
    "gold": (lambda trials, truth: bool(trials.gold), "--gold: problems with their true `constraints`"),
    "checklists": (lambda trials, truth: truth.audited, "steps with `visual` true or false"),
    "error types": (lambda trials, truth: truth.typed, "wrong steps with `error` (`evpv figures`, `evpv classify`)"),
}
"""What an experiment can need → how to tell that it is there, and what to say where it is not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Experiment:
    """How an experiment is run, which variants it asks for, and what it cannot do without."""

    run: Callable[[Trials, Truth], Result]
    needs: tuple[str, ...]
    variants: Callable[[Trials], Sequence[Variant]] = lambda trials: [READ]


EXPERIMENTS: Mapping[str, _Experiment] = {
    "plug-in": _Experiment(run=plug_in, needs=("labels",), variants=lambda trials: plug_in_variants()),
    "best-of-n": _Experiment(run=reranking, needs=("answers",), variants=lambda trials: method_variants()),
    "perception": _Experiment(
        run=perception,
        needs=("gold", "labels or answers"),
        variants=lambda trials: list(perception_variants().values()),
    ),
    "corruption": _Experiment(
        run=corruption, needs=("labels",), variants=lambda trials: [variant for *_, variant in corruption_variants()]
    ),
    "ablations": _Experiment(run=ablation, needs=("labels",), variants=ablation_variants),
    "verification": _Experiment(run=_verification, needs=("labels",), variants=lambda trials: method_variants()),
    "sensitivity": _Experiment(
        run=sensitivity, needs=("answers",), variants=lambda trials: list(sensitivity_variants().values())
    ),
    "aggregations": _Experiment(run=aggregation, needs=("answers",)),
    "gates": _Experiment(run=gates, needs=("labels or answers",), variants=lambda trials: gate_variants()),
    "quality": _Experiment(run=quality, needs=("gold", "labels"), variants=lambda trials: [method_variants()[0], READ]),
    "fidelity": _Experiment(run=_fidelity, needs=("gold",), variants=lambda trials: []),
    "checklist": _Experiment(run=_checklist, needs=("checklists",), variants=lambda trials: []),
    "errors": _Experiment(run=_errors, needs=("error types",)),
    "cost": _Experiment(run=_cost, needs=(), variants=lambda trials: []),
}
"""`cost` stands last, so that it sees what the others asked."""

_POLICY = "policy"
"""Asks a policy for new candidates, so it is never part of `all`."""

_NAMES = (*EXPERIMENTS, _POLICY)


def choose_experiments(names: str, trials: Trials, truth: Truth) -> list[str]:
    """The experiments that are meant: one, several with commas between them, or all that there is the data for."""
    if names == "all":
        return possible_experiments(names, trials, truth)
    wanted = list(dict.fromkeys(name.strip() for name in names.split(",")))
    for name in wanted:
        if name not in _NAMES:
            raise unknown_name("experiment", name, (*_NAMES, "all"))
        if lacking := _lacking(name, trials, truth):
            raise ConfigError(f"the experiment {name!r} needs {' and '.join(_NEEDS[need][1] for need in lacking)}.")
    return wanted


def possible_experiments(names: str, trials: Trials, truth: Truth) -> list[str]:
    """Of the experiments that are meant those that there is the data for, in the table's order."""
    wanted = EXPERIMENTS if names == "all" else {name.strip() for name in names.split(",")}
    return [name for name in EXPERIMENTS if name in wanted and not _lacking(name, trials, truth)]


def left_out(trials: Trials, truth: Truth) -> dict[str, str]:
    """What `all` does not run, and what it would need."""
    return {
        name: " and ".join(_NEEDS[need][1] for need in lacking)
        for name in EXPERIMENTS
        if (lacking := _lacking(name, trials, truth))
    }


def _lacking(name: str, trials: Trials, truth: Truth) -> list[str]:
    needs = EXPERIMENTS[name].needs if name in EXPERIMENTS else ("gold", "answers")
    return [need for need in needs if not _NEEDS[need][0](trials, truth)]


def plan_experiments(trials: Trials, names: Sequence[str], count: int) -> Plan:
    """What running these experiments would ask, all together: nothing that two of them share is counted twice."""
    variants = [variant for name in names if name in EXPERIMENTS for variant in EXPERIMENTS[name].variants(trials)]
    plan = trials.plan(variants)
    if _POLICY not in names:
        return plan
    sampling = policy_plan(trials, count)
    return Plan(
        variants=plan.variants + sampling.variants,
        readings=plan.readings,
        judgements=plan.judgements + sampling.judgements,
        extract_calls=plan.extract_calls,
        judge_calls=plan.judge_calls,
        sample_calls=sampling.sample_calls,
        passes=plan.passes,
        unknown=sampling.unknown,
    )


def run_experiments(trials: Trials, truth: Truth, names: Sequence[str], folder: Path, count: int) -> list[Result]:
    """Run, and write each as soon as it is done; the parts that were asked are ended then."""
    results = []
    with closing(trials):
        for name in names:
            result = EXPERIMENTS[name].run(trials, truth) if name in EXPERIMENTS else policy_perception(trials, count)
            write_result(result, folder)
            results.append(result)
    return results
