"""The experiments by name, what each needs, and how a set of them is run and written.

Tables of the appendices that need no variation are here: fidelity (G), checklists (F), error types (D.5), cost (H).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path

from evpv.errors import ConfigError, unknown_name
from evpv.evaluation.tasks import cost_sheet, measure_checklists, measure_constraints, measure_cost, measure_errors
from evpv.experiments import main_results, settings_tables
from evpv.experiments.main_results import policy_perception, policy_plan
from evpv.experiments.measuring import Truth
from evpv.experiments.results import Experiment, ExperimentResult, bars, published_sheet, stacked_bars, write_result
from evpv.experiments.trials import READ, CallPlan, Trials
from evpv.types import TAXONOMY

_TOLERANCE = 0.005


def _fidelity(trials: Trials, truth: Truth) -> ExperimentResult:
    """Appendix G: how faithful the constraints that were read are, by data set and category."""
    measured = measure_constraints(trials.stored, trials.gold, _TOLERANCE)
    ours = measured.sheets[0]
    last = {str(row[0]): float(row[-1] or 0.0) for row in ours.rows if not str(row[0]).startswith("total")}
    overall = {name.removesuffix(": overall"): (v, v, v) for name, v in last.items() if name.endswith(": overall")}
    return ExperimentResult(
        sheets=(ours, published_sheet("fidelity")), metrics=measured.metrics,
        figure=bars(overall, "F1 of the constraints read"),
        remarks=(f"Against gold, each fact found at most once; a value must be within {_TOLERANCE:.1%} of the printed one.",),
    )  # fmt: skip


def _checklist(trials: Trials, truth: Truth) -> ExperimentResult:
    """Appendix F: do candidates say when they look?"""
    measured = measure_checklists(trials.stored)
    return ExperimentResult(sheets=(*measured.sheets, published_sheet("checklist")), metrics=measured.metrics)


def _errors(trials: Trials, truth: Truth) -> ExperimentResult:
    """Why wrong steps are wrong, by the paper's taxonomy, and how our premise-or-reasoning diagnosis sees each type."""
    measured = measure_errors(trials.traces(READ), 0.0)
    parts = ("called premise", "called reasoning", "not found")
    rows = {}
    for (top, sub), row in zip(TAXONOMY.values(), measured.metrics["rows"], strict=True):
        if any(row[part] for part in parts):
            rows[f"{top.partition(' ')[0]}: {sub}" if sub else top] = [float(row[part] or 0) for part in parts]
    return ExperimentResult(
        sheets=measured.sheets, metrics=measured.metrics, figure=stacked_bars(rows, parts, "wrong steps"),
        remarks=("The paper's own distribution is a picture without numbers.",),
    )  # fmt: skip


def _cost(trials: Trials, truth: Truth) -> ExperimentResult:
    """Appendix H: what the stored run took per question, what these trials asked beyond it, and the formulas."""
    measured = measure_cost(trials.stored)
    asked = {stage: asdict(usage) for stage, usage in trials.usage.items()}
    if trials.judging_seconds:
        asked["one judging of all"] = {"seconds": sum(trials.judging_seconds) / len(trials.judging_seconds)}
    sheets = list(measured.sheets)
    if asked:
        title = f"asked or timed by these experiments, per question ({len(trials.judging_seconds)} judgings)"
        sheets.insert(1, cost_sheet(title, asked, len(trials.problems)))
    formulas = {"EVPV: 1 + T": measured.metrics["evpv"], "TIM-PRM: T + p·T": measured.metrics["tim_prm"]}
    parts, said = ("extractor", "judge", "tool"), "model calls per question, by formula"
    picture = stacked_bars({name: list(one.values()) for name, one in formulas.items()}, parts, said)
    return ExperimentResult(sheets=tuple(sheets), metrics={**measured.metrics, "asked": asked}, figure=picture)


_NEEDS: Mapping[str, tuple[Callable[[Trials, Truth], bool], str]] = {
    "labels": (lambda trials, truth: truth.labelled, "steps with `label` 1, 0 or -1"),
    "answers": (lambda trials, truth: truth.answered, "a gold `answer` for every problem, or `correct` on candidates"),
    "labels or answers": (lambda trials, truth: truth.labelled or truth.answered, "labelled steps or gold answers"),
    "gold": (lambda trials, truth: bool(trials.gold), "--gold: problems with their true `constraints`"),
    "checklists": (lambda trials, truth: truth.audited, "steps with `visual` true or false"),
    "error types": (lambda trials, truth: truth.typed, "wrong steps with `error` (`evpv figures`, `evpv classify`)"),
}
"""What an experiment can need → how to tell that it is there, and what to say where it is not."""


EXPERIMENTS: Mapping[str, Experiment] = {
    **main_results.EXPERIMENTS,
    **settings_tables.EXPERIMENTS,
    "fidelity": Experiment("Fidelity of constraints (Appendix G)", _fidelity, ("gold",), lambda trials: []),
    "checklist": Experiment("Checklist audit (Appendix F)", _checklist, ("checklists",), lambda trials: []),
    "errors": Experiment("Error attribution (Appendix D.5)", _errors, ("error types",)),
    "cost": Experiment("Cost (Appendix H)", _cost, (), lambda trials: []),
}
"""`cost` stands last, so that it sees what the others asked."""

_POLICY = "policy"
"""Asks a policy for new candidates, so it is never part of `all`."""


def choose_experiments(names: str, trials: Trials, truth: Truth) -> list[str]:
    """The experiments that are meant: one, several with commas between them, or all that there is the data for."""
    if names == "all":
        return possible_experiments(names, trials, truth)
    wanted, known = list(dict.fromkeys(name.strip() for name in names.split(","))), (*EXPERIMENTS, _POLICY)
    for name in wanted:
        if name not in known:
            raise unknown_name("experiment", name, (*known, "all"))
        if lacking := _lacking(name, trials, truth):
            raise ConfigError(f"the experiment {name!r} needs {lacking}.")
    return wanted


def possible_experiments(names: str, trials: Trials, truth: Truth) -> list[str]:
    """Of the experiments that are meant those that there is the data for, in the table's order."""
    wanted = EXPERIMENTS if names == "all" else {name.strip() for name in names.split(",")}
    return [name for name in EXPERIMENTS if name in wanted and not _lacking(name, trials, truth)]


def left_out(trials: Trials, truth: Truth) -> dict[str, str]:
    """What `all` does not run, and what it would need."""
    return {name: lacking for name in EXPERIMENTS if (lacking := _lacking(name, trials, truth))}


def _lacking(name: str, trials: Trials, truth: Truth) -> str:
    """What an experiment needs and has not, in words."""
    needs = EXPERIMENTS[name].needs if name in EXPERIMENTS else ("gold", "answers")
    return " and ".join(said for is_there, said in map(_NEEDS.__getitem__, needs) if not is_there(trials, truth))


def plan_experiments(trials: Trials, names: Sequence[str], count: int) -> CallPlan:
    """What running these experiments would ask, all together: nothing that two of them share is counted twice."""
    variants = [variant for name in names if name in EXPERIMENTS for variant in EXPERIMENTS[name].variants(trials)]
    plan = trials.plan(variants)
    if _POLICY not in names:
        return plan
    more = policy_plan(trials, count)
    return replace(
        plan, variants=plan.variants + more.variants, judgements=plan.judgements + more.judgements,
        sample_calls=more.sample_calls, unknown=more.unknown,
    )  # fmt: skip


def run_experiments(
    trials: Trials, truth: Truth, names: Sequence[str], folder: Path, count: int
) -> list[ExperimentResult]:
    """Run, and write each as soon as it is done; the parts that were asked are ended then."""
    results = []
    with closing(trials):
        for name in names:
            if name == _POLICY:
                result = policy_perception(trials, count)
            else:
                one = EXPERIMENTS[name]
                variants = one.variants(trials)
                plan = trials.plan(variants) if variants else None
                result = replace(one.run(trials, truth), name=name, title=one.title, plan=plan)
            write_result(result, folder)
            results.append(result)
    return results
