"""The experiments by name, what each needs, and how a set of them is run and written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from evpv.errors import ConfigError, unknown_name
from evpv.experiments.appendix_tables import checklist, cost, errors, fidelity, verification
from evpv.experiments.evidence_quality import (
    corruption,
    corruption_variants,
    perception,
    perception_variants,
    policy_perception,
    policy_plan,
    quality,
)
from evpv.experiments.main_results import method_variants, plug_in, plug_in_variants, reranking
from evpv.experiments.measuring import Truth
from evpv.experiments.results import Result, write_result
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
    "verification": _Experiment(run=verification, needs=("labels",), variants=lambda trials: method_variants()),
    "sensitivity": _Experiment(
        run=sensitivity, needs=("answers",), variants=lambda trials: list(sensitivity_variants().values())
    ),
    "aggregations": _Experiment(run=aggregation, needs=("answers",)),
    "gates": _Experiment(run=gates, needs=("labels or answers",), variants=lambda trials: gate_variants()),
    "quality": _Experiment(run=quality, needs=("gold", "labels"), variants=lambda trials: [method_variants()[0], READ]),
    "fidelity": _Experiment(run=fidelity, needs=("gold",), variants=lambda trials: []),
    "checklist": _Experiment(run=checklist, needs=("checklists",), variants=lambda trials: []),
    "errors": _Experiment(run=errors, needs=("error types",)),
    "cost": _Experiment(run=cost, needs=(), variants=lambda trials: []),
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
