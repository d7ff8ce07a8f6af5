"""Exp-1 and Exp-2: what the plug-in adds to a judge's steps, and to its choice among candidates; and all step metrics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from statistics import mean

from evpv.evaluation.sheets import Sheet, SheetCell, against_sheet
from evpv.evaluation.step_metrics import RIGHT, best_threshold, labelled_rewards, step_metrics, step_outcomes
from evpv.evaluation.uncertainty import calibration, probability
from evpv.experiments.drawing import bars, curves, reliability_diagram
from evpv.experiments.measuring import Figures, Truth, percent
from evpv.experiments.results import Experiment, ExperimentResult, published_sheet
from evpv.experiments.trials import Trials
from evpv.experiments.variants import Variant
from evpv.reward.method import preset, settings_of
from evpv.types import Trace

ALONE, _PAPER, _GROUNDED = "judge alone", "paper", "grounded"


def _plug_in_variants() -> list[Variant]:
    """Evidence and gate apart, because the paper's gate alone cannot change the sign of a reward."""
    off = {"gate": "off"}
    return [
        Variant(name=ALONE, judge={"evidence": False}, method=off),
        Variant(name="+ evidence", judge={"evidence": True}, method=off),
        Variant(name="+ gate", judge={"evidence": False}),
        Variant(name="+ evidence and gate (EVPV)", judge={"evidence": True}),
    ]


def method_variants() -> list[Variant]:
    """The judge alone, the paper's method to the letter, and ours; both with the evidence that the recipe's judge sees."""
    return [
        Variant(name=ALONE, judge={"evidence": False}, method={"gate": "off"}),
        Variant(name=_PAPER, method=settings_of(preset("paper"))),
        Variant(name=_GROUNDED, method={"matching": "grounded", "gate": "factor"}),
    ]


def _plug_in(trials: Trials, truth: Truth) -> ExperimentResult:
    """Exp-1 (Table 1): step macro-F1 of a judge with and without the plug-in, by source."""
    found = {variant.name: truth.figures(trials.traces(variant)) for variant in _plug_in_variants()}
    sheet = _by_source_sheet("step macro-F1 (%), measured here, θ = 0", found)
    shown = {name: percent(one.macro_f1) or (0.0, 0.0, 0.0) for name, one in found.items()}
    return ExperimentResult(
        sheets=(sheet, published_sheet("visualprocessbench")), figure=bars(shown, "step macro-F1 (%)"),
        metrics={name: asdict(one) for name, one in found.items()},
        remarks=("The paper's gate never changes a sign, so under preset `paper` rows with and without the gate agree at θ = 0.",),
    )  # fmt: skip


def _by_source_sheet(title: str, found: Mapping[str, Figures]) -> Sheet:
    """Macro-F1 by source, pooled with its interval, and the change against the first row."""
    sources = sorted({name for one in found.values() for name in one.by_source})
    rows: list[tuple[SheetCell, ...]] = []
    base: float | None = None
    for name, one in found.items():
        cells = [100 * one.by_source[s] if s in one.by_source else None for s in sources]
        triple = percent(one.macro_f1)
        if triple is None:
            rows.append((name, *cells, None, None, None, None))
            continue
        base = triple[0] if base is None else base
        rows.append((name, *cells, *triple, triple[0] - base))
    return Sheet(title=title, columns=("variant", *sources, "pooled", "from", "to", "Δ"), rows=tuple(rows), digits=2)


def _reranking(trials: Trials, truth: Truth) -> ExperimentResult:
    """Exp-2 (Table 2): accuracy of the chosen candidate under judge alone, the paper's method and ours."""
    traces = {variant.name: trials.traces(variant) for variant in method_variants()}
    found = {name: truth.figures(one) for name, one in traces.items()}
    shown = _accuracy_by_k(truth, traces)
    ks = list(range(1, len(shown[ALONE]) + 1))
    by_k = Sheet(
        title="accuracy of the choice among k candidates (%): expectation over subsets and ties",
        columns=("k", *shown), rows=tuple((f"{k}", *cells) for k, *cells in zip(ks, *shown.values(), strict=True)), digits=2,
    )  # fmt: skip
    return ExperimentResult(
        sheets=(_choice_sheet(found), _paired_sheet(truth, traces, found), by_k, published_sheet("best_of_8")),
        figure=curves({name: (ks, y, y, y) for name, y in shown.items()}, "candidates k", "accuracy of the choice (%)"),
        metrics={**{name: asdict(one) for name, one in found.items()}, "by_k": {n: [y / 100 for y in ys] for n, ys in shown.items()}},
    )  # fmt: skip


def _accuracy_by_k(truth: Truth, traces: Mapping[str, list[Trace]]) -> dict[str, list[float]]:
    """Accuracy of each way of choosing among 1, 2 … candidates, in per cent; vote and oracle hang on no reranker.

    There is no vote where no candidate gives an answer.
    """
    tables = {name: truth.by_k(one) for name, one in traces.items()}
    lines = {name: table["best"] for name, table in tables.items()}
    if truth.votable:
        lines["majority vote"] = tables[ALONE]["vote"]
    lines["Pass@k (oracle)"] = tables[ALONE]["pass"]
    return {name: [100 * mean(values) for values in line.values()] for name, line in lines.items()}


def _choice_sheet(found: Mapping[str, Figures]) -> Sheet:
    sources = sorted({name for one in found.values() for name in one.bon_by_source})
    rows: list[tuple[SheetCell, ...]] = []
    for name, one in found.items():
        triple = percent(one.best_of_n)
        if triple is not None and one.pass_at_1 is not None:
            cells = [100 * one.bon_by_source[source] for source in sources]
            rows.append((name, *cells, 100 * one.pass_at_1, *triple, triple[0] - 100 * one.pass_at_1))
    columns = ("reranker", *sources, "Pass@1", "BoN@N", "from", "to", "Δ_N")
    return Sheet(title="Best-of-N accuracy (%), measured here", columns=columns, rows=tuple(rows), digits=2)


def _paired_sheet(truth: Truth, traces: Mapping[str, list[Trace]], found: Mapping[str, Figures]) -> Sheet:
    shares = {name: one.best_of_n.value for name, one in found.items() if one.best_of_n}
    pairs = [
        (f"{one} against {other}", shares[one], shares[other], truth.ahead(traces[one], traces[other]))
        for one, other in ((_PAPER, ALONE), (_GROUNDED, _PAPER), (_GROUNDED, ALONE))
    ]
    return against_sheet("BoN@N, paired over problems (shares)", pairs)


def _verification(trials: Trials, truth: Truth) -> ExperimentResult:
    """All step metrics of the judge alone, the paper's method and ours; what θ does; and whether rewards mean what they say."""
    own = trials.recipe.method.decision
    rows, thetas, stated = [], [], {}
    for variant in method_variants():
        name, outcomes = variant.name, step_outcomes(trials.traces(variant))
        labels, rewards = labelled_rewards(outcomes)
        said = stated[name] = calibration([probability(reward) for reward in rewards], [one == RIGHT for one in labels])
        one, oracle = step_metrics(outcomes, 0.0), best_threshold(outcomes)
        figures = (one.macro_f1, one.f1_right, one.f1_wrong, one.accuracy, one.auroc, one.error_average_precision)
        rows.append((name, *figures, one.first_error_accuracy, said.brier, said.ece, one.steps, one.invalid))
        fitted = step_metrics(outcomes, own).macro_f1 if name == _GROUNDED else None
        thetas.append((name, one.macro_f1, fitted, step_metrics(outcomes, oracle).macro_f1, oracle))
    columns = (
        "method", "macro-F1", "F1 right", "F1 wrong", "accuracy", "AUROC", "AP for errors", "first error", "Brier", "ECE", "steps", "no reward",
    )  # fmt: skip
    sheet = Sheet(title="step verification at θ = 0", columns=columns, rows=tuple(rows))
    by_theta = Sheet(
        title="macro-F1 by where θ comes from",
        columns=("method", "fixed, θ = 0", f"the recipe's θ = {own:g}", "oracle", "oracle θ"), rows=tuple(thetas),
        note="The recipe's θ is fitted on development problems (`evpv fit`). Oracle is fitted on these very steps: an upper bound, not a result.",
    )  # fmt: skip
    return ExperimentResult(
        sheets=(sheet, by_theta), figure=reliability_diagram({name: one.bins for name, one in stated.items()}),
        metrics={"rows": sheet.records(), "calibration": {name: asdict(one) for name, one in stated.items()}},
    )  # fmt: skip


EXPERIMENTS = {
    "plug-in": Experiment(
        "Exp-1: a judge with and without the plug-in", _plug_in, ("labels",), lambda trials: _plug_in_variants()
    ),
    "best-of-n": Experiment("Exp-2: Best-of-N reranking", _reranking, ("answers",), lambda trials: method_variants()),
    "verification": Experiment(
        "Step verification: all metrics, thresholds, calibration", _verification, ("labels",), lambda _: method_variants()
    ),
}  # fmt: skip
