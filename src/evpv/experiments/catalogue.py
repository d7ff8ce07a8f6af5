"""The experiments by name, and how a set of them is run and written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from evpv.errors import ConfigError, unknown_name
from evpv.experiments.configurations import ablations
from evpv.experiments.corruption import Constraints
from evpv.experiments.evidence_quality import corruption, corruption_variants, perception, quality
from evpv.experiments.main_results import plug_in, plug_in_variants, reranking
from evpv.experiments.measuring import Truth
from evpv.experiments.results import Result, write_report, write_result
from evpv.experiments.settings_tables import ablation, aggregation, gates, sensitivity
from evpv.experiments.study import Plan, Study, Variant

Experiment: TypeAlias = Callable[[Study, Truth], Result]
GoldExperiment: TypeAlias = Callable[[Study, Truth, dict[str, Constraints]], Result]

EXPERIMENTS: Mapping[str, Experiment] = {
    "plug-in": plug_in,
    "best-of-n": reranking,
    "corruption": corruption,
    "ablations": ablation,
    "sensitivity": sensitivity,
    "aggregations": aggregation,
    "gates": gates,
}
WITH_GOLD: Mapping[str, GoldExperiment] = {"perception": perception, "quality": quality}
"""Experiments that need the true constraints."""

NAMES = (*EXPERIMENTS, *WITH_GOLD)


def chosen(names: str, gold: bool) -> list[str]:
    """The experiments that are meant: one, several with commas between them, or all that can be run."""
    if names == "all":
        return [one for one in NAMES if gold or one not in WITH_GOLD]
    wanted = [name.strip() for name in names.split(",")]
    for name in wanted:
        if name not in NAMES:
            raise unknown_name("experiment", name, (*NAMES, "all"))
        if name in WITH_GOLD and not gold:
            raise ConfigError(f"the experiment {name!r} needs --gold: problems with their true `constraints`.")
    return wanted


def planned(study: Study, names: Sequence[str]) -> Plan:
    """What running these experiments would ask, all together: nothing that two of them share is counted twice."""
    variants: list[Variant] = []
    for name in names:
        if name in ("plug-in", "best-of-n", "quality", "perception"):
            variants += plug_in_variants()
        elif name == "corruption":
            variants += [variant for *_, variant in corruption_variants()]
        elif name == "ablations":
            variants += ablations(chat_extractor="backend" in study.recipe.extractor.settings)
        else:
            variants.append(Variant(name="full"))
    return study.plan(variants)


def run_experiments(
    study: Study, names: Sequence[str], folder: Path, gold: dict[str, Constraints], facts: Mapping[str, str]
) -> tuple[list[Result], Path]:
    """Run, write each as soon as it is done, then the page of all."""
    truth = Truth(study.traces(Variant(name="full")))
    results = []
    for name in names:
        result = EXPERIMENTS[name](study, truth) if name in EXPERIMENTS else WITH_GOLD[name](study, truth, gold)
        write_result(result, folder)
        results.append(result)
    return results, write_report(results, folder, facts)
