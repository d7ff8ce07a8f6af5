"""Exp-1 and Exp-2: what the plug-in adds to a judge's steps, and to its choice among candidates."""

from __future__ import annotations

from dataclasses import asdict

from evpv.evaluation.sheets import Cell, Sheet
from evpv.experiments.drawing import bars
from evpv.experiments.measuring import Figures, Truth
from evpv.experiments.published import published
from evpv.experiments.results import Result
from evpv.experiments.study import Study, Variant
from evpv.reward.method import preset, settings_of

PERCENT = 100.0


def plug_in_variants() -> list[Variant]:
    """Evidence and gate apart, because the paper's gate alone cannot change the sign of a reward."""
    off = {"gate": "off"}
    return [
        Variant(name="judge alone", judge={"evidence": False}, method=off),
        Variant(name="+ evidence", judge={"evidence": True}, method=off),
        Variant(name="+ gate", judge={"evidence": False}),
        Variant(name="+ evidence and gate (EVPV)", judge={"evidence": True}),
    ]


def plug_in(study: Study, truth: Truth) -> Result:
    """Exp-1 (Table 1): step macro-F1 of a judge with and without the plug-in, by source."""
    variants = plug_in_variants()
    plan = study.plan(variants)
    found = {variant.name: truth.figures(study.traces(variant)) for variant in variants}
    ours = by_source_sheet("step macro-F1 (%), measured here", found)
    theirs = Sheet(
        title="PUBLISHED in the paper: VisualProcessBench macro-F1 (%), not measured here",
        columns=("model", *published()["visualprocessbench"]["columns"]),
        rows=tuple((_label(row), *map(float, row["values"])) for row in published()["visualprocessbench"]["rows"]),
        digits=2,
    )
    picture = bars({name: _interval(one) for name, one in found.items()}, "step macro-F1 (%)")
    return Result(
        name="plug-in", title="Exp-1: a judge with and without the plug-in", sheets=(ours, theirs), plan=plan,
        figure=picture, metrics={name: asdict(one) for name, one in found.items()},
        remarks=("The paper's gate never changes a sign, so under preset `paper` rows with and without the gate agree at θ = 0.",),
    )  # fmt: skip


def reranking(study: Study, truth: Truth) -> Result:
    """Exp-2 (Table 2): accuracy of the chosen candidate under judge alone, the paper's method and ours."""
    variants = [
        Variant(name="judge alone", judge={"evidence": False}, method={"gate": "off"}),
        Variant(name="paper", method=settings_of(preset("paper"))),
        Variant(name="grounded", method=settings_of(preset("grounded"))),
    ]
    plan = study.plan(variants)
    found = {variant.name: truth.figures(study.traces(variant)) for variant in variants}
    sources = sorted({name for one in found.values() for name in one.bon_by_source})
    rows: list[tuple[Cell, ...]] = []
    for name, one in found.items():
        if one.best_of_n is not None and one.pass_at_1 is not None:
            cells = [PERCENT * one.bon_by_source[source] for source in sources]
            gain = PERCENT * (one.best_of_n.value - one.pass_at_1)
            rows.append((name, *cells, *(PERCENT * x for x in (one.pass_at_1, *_triple(one.best_of_n))), gain))
    ours = Sheet(
        title="Best-of-N accuracy (%), measured here",
        columns=("reranker", *sources, "Pass@1", "BoN@N", "from", "to", "Δ_N"),
        rows=tuple(rows),
        digits=2,
    )
    theirs = Sheet(
        title="PUBLISHED in the paper: Best-of-8 accuracy (%), not measured here",
        columns=("policy + reranker", *published()["best_of_8"]["columns"]),
        rows=tuple((_label(row), *map(float, row["values"])) for row in published()["best_of_8"]["rows"]),
        digits=2,
    )
    shown = {name: _triple(one.best_of_n) for name, one in found.items() if one.best_of_n}
    picture = bars({n: (100 * v, 100 * a, 100 * b) for n, (v, a, b) in shown.items()}, "BoN@N (%)") if shown else None
    return Result(
        name="best-of-n", title="Exp-2: Best-of-N reranking", sheets=(ours, theirs), plan=plan, figure=picture,
        metrics={name: asdict(one) for name, one in found.items()},
    )  # fmt: skip


def by_source_sheet(title: str, found: dict[str, Figures]) -> Sheet:
    """Macro-F1 by source, pooled with its interval, and the change against the first row."""
    sources = sorted({name for one in found.values() for name in one.by_source})
    rows: list[tuple[Cell, ...]] = []
    base: float | None = None
    for name, one in found.items():
        cells = [PERCENT * one.by_source[s] if s in one.by_source else None for s in sources]
        if one.macro_f1 is None:
            rows.append((name, *cells, None, None, None, None))
            continue
        base = one.macro_f1.value if base is None else base
        triple = [PERCENT * value for value in _triple(one.macro_f1)]
        rows.append((name, *cells, *triple, PERCENT * (one.macro_f1.value - base)))
    return Sheet(title=title, columns=("variant", *sources, "pooled", "from", "to", "Δ"), rows=tuple(rows), digits=2)


def _triple(interval: object) -> tuple[float, float, float]:
    return interval.value, interval.low, interval.high  # type: ignore[attr-defined]


def _interval(one: Figures) -> tuple[float, float, float]:
    if one.macro_f1 is None:
        return 0.0, 0.0, 0.0
    value, low, high = _triple(one.macro_f1)
    return PERCENT * value, PERCENT * low, PERCENT * high


def _label(row: dict[str, object]) -> str:
    if "model" in row:
        return f"{row['model']}{' + EVPV' if row.get('evpv') else ''}"
    return f"{row['policy']}{' + ' + str(row['reranker']) if 'reranker' in row else ''}"
