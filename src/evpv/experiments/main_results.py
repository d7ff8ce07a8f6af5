"""Exp-1 and Exp-2: what the plug-in adds to a judge's steps, and to its choice among candidates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from statistics import mean

from evpv.evaluation.tasks import Cell, Sheet, against_sheet
from evpv.experiments.drawing import bars, curves
from evpv.experiments.measuring import Figures, Truth, percent
from evpv.experiments.results import Result, published_sheet
from evpv.experiments.trials import Trials
from evpv.experiments.variants import Variant
from evpv.reward.method import preset, settings_of
from evpv.types import Trace

ALONE, PAPER, GROUNDED = "judge alone", "paper", "grounded"


def plug_in_variants() -> list[Variant]:
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
        Variant(name=PAPER, method=settings_of(preset("paper"))),
        Variant(name=GROUNDED, method={"matching": "grounded", "gate": "factor"}),
    ]


def plug_in(trials: Trials, truth: Truth) -> Result:
    """Exp-1 (Table 1): step macro-F1 of a judge with and without the plug-in, by source."""
    variants = plug_in_variants()
    plan = trials.plan(variants)
    found = {variant.name: truth.figures(trials.traces(variant)) for variant in variants}
    picture = bars({name: percent(one.macro_f1) or (0.0, 0.0, 0.0) for name, one in found.items()}, "step macro-F1 (%)")
    return Result(
        name="plug-in", title="Exp-1: a judge with and without the plug-in", plan=plan, figure=picture,
        sheets=(_by_source_sheet("step macro-F1 (%), measured here, θ = 0", found), published_sheet("visualprocessbench")),
        metrics={name: asdict(one) for name, one in found.items()},
        remarks=("The paper's gate never changes a sign, so under preset `paper` rows with and without the gate agree at θ = 0.",),
    )  # fmt: skip


def reranking(trials: Trials, truth: Truth) -> Result:
    """Exp-2 (Table 2): accuracy of the chosen candidate under judge alone, the paper's method and ours."""
    variants = method_variants()
    plan = trials.plan(variants)
    traces = {variant.name: trials.traces(variant) for variant in variants}
    found = {name: truth.figures(one) for name, one in traces.items()}
    shown = _accuracy_by_k(truth, traces)
    ks = list(range(1, len(shown[ALONE]) + 1))
    by_k = Sheet(
        title="accuracy of the choice among k candidates (%): expectation over subsets and ties",
        columns=("k", *shown), rows=tuple((f"{k}", *cells) for k, *cells in zip(ks, *shown.values(), strict=True)), digits=2,
    )  # fmt: skip
    return Result(
        name="best-of-n", title="Exp-2: Best-of-N reranking", plan=plan,
        sheets=(_choice_sheet(found), _differences(truth, traces, found), by_k, published_sheet("best_of_8")),
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


def _choice_sheet(found: dict[str, Figures]) -> Sheet:
    sources = sorted({name for one in found.values() for name in one.bon_by_source})
    rows: list[tuple[Cell, ...]] = []
    for name, one in found.items():
        triple = percent(one.best_of_n)
        if triple is not None and one.pass_at_1 is not None:
            cells = [100 * one.bon_by_source[source] for source in sources]
            rows.append((name, *cells, 100 * one.pass_at_1, *triple, triple[0] - 100 * one.pass_at_1))
    columns = ("reranker", *sources, "Pass@1", "BoN@N", "from", "to", "Δ_N")
    return Sheet(title="Best-of-N accuracy (%), measured here", columns=columns, rows=tuple(rows), digits=2)


def _differences(truth: Truth, traces: dict[str, list[Trace]], found: dict[str, Figures]) -> Sheet:
    rows: list[tuple[Cell, ...]] = []
    shares = {name: one.best_of_n.value for name, one in found.items() if one.best_of_n is not None}
    for one, other in ((PAPER, ALONE), (GROUNDED, PAPER), (GROUNDED, ALONE)):
        gap, first, second = truth.ahead(traces[one], traces[other]), shares[one], shares[other]
        rows.append((f"{one} against {other}", first, second, gap.value, gap.low, gap.high, gap.p_value))
    return against_sheet("BoN@N, paired over problems (shares)", rows)


def _by_source_sheet(title: str, found: dict[str, Figures]) -> Sheet:
    """Macro-F1 by source, pooled with its interval, and the change against the first row."""
    sources = sorted({name for one in found.values() for name in one.by_source})
    rows: list[tuple[Cell, ...]] = []
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
