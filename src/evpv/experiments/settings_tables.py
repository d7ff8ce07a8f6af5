"""Exp-4 and the appendix tables: ablations, τ and β, aggregations, gates."""

from __future__ import annotations

from dataclasses import asdict

from evpv.errors import ConfigError
from evpv.evaluation.sheets import Cell, Sheet
from evpv.experiments.configurations import ablations
from evpv.experiments.drawing import bars, curves
from evpv.experiments.measuring import Figures, Truth
from evpv.experiments.published import published, published_overall
from evpv.experiments.results import Result
from evpv.experiments.study import Study, Variant
from evpv.reward.aggregation import AGGREGATIONS
from evpv.reward.method import preset, settings_of

TAUS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
BETAS = (1.0, 2.0, 5.0, 10.0, 20.0)
GRID = [(tau, beta) for tau in (0.3, 0.4, 0.5, 0.6, 0.7) for beta in BETAS]


def ablation(study: Study, truth: Truth) -> Result:
    """Exp-4 (Appendix I): 27 configurations against the full method."""
    variants = ablations(chat_extractor="backend" in study.recipe.extractor.settings)
    possible, refused = _possible(study, variants)
    plan = study.plan(possible)
    found: dict[str, Figures] = {variant.name: truth.figures(study.traces(variant)) for variant in possible}
    full = next(iter(found.values()))
    rows = [_ablation_row(variant, found.get(variant.name), full) for variant in variants]
    columns = ("group: variant", "macro-F1", "from", "to", "Δ", "BoN@N", "PUBLISHED macro-F1", "PUBLISHED Δ")
    sheet = Sheet(
        title="ablations (%): measured here, and published by the paper on VisualProcessBench", columns=columns,
        rows=tuple(rows), digits=2, note="A dash: " + "; ".join(sorted(set(refused.values()))) if refused else "",
    )  # fmt: skip
    shown = {v.name: found[v.name].macro_f1 for v in possible}
    picture = {name: (100 * i.value, 100 * i.low, 100 * i.high) for name, i in shown.items() if i is not None}
    return Result(
        name="ablations", title="Exp-4: 27 ablations", sheets=(sheet,), plan=plan, figure=bars(picture, "step macro-F1 (%)"),
        metrics={"figures": {name: asdict(one) for name, one in found.items()}, "not_possible": refused},
    )  # fmt: skip


def _possible(study: Study, variants: list[Variant]) -> tuple[list[Variant], dict[str, str]]:
    """The variants that this recipe's parts have the settings for, and why the others mean nothing here."""
    possible, refused = [], {}
    for variant in variants:
        try:
            study.check(variant)
        except ConfigError as error:
            refused[variant.name] = str(error).partition(";")[0]
        else:
            possible.append(variant)
    return possible, refused


def _ablation_row(variant: Variant, found: Figures | None, full: Figures) -> tuple[Cell, ...]:
    paper = published_overall("ablations", variant=variant.name)
    change = next((row["change"] for row in published()["ablations"]["rows"] if row["variant"] == variant.name), None)
    name = f"{variant.group}: {variant.name}"
    if found is None or found.macro_f1 is None or full.macro_f1 is None:
        return name, None, None, None, None, None, paper, change
    f1, picked = found.macro_f1, found.best_of_n
    cells = (100 * f1.value, 100 * f1.low, 100 * f1.high, 100 * (f1.value - full.macro_f1.value))
    return name, *cells, 100 * picked.value if picked else None, paper, change


def sensitivity(study: Study, truth: Truth) -> Result:
    """Appendix C's table: τ with β = 10, then β, for the paper's gate and its step-local form; and a grid of both."""
    rows: list[tuple[Cell, ...]] = []
    lines = {}
    variants = {
        (gate, tau, beta): Variant(
            name=f"{gate} {tau} {beta}", method={"gate": gate, "threshold": tau, "sharpness": beta}
        )
        for gate in ("sigmoid", "local")
        for tau, beta in [*((tau, 10.0) for tau in TAUS), *GRID]
    }
    plan = study.plan(list(variants.values()))
    found = {key: truth.figures(study.traces(variant)) for key, variant in variants.items()}
    for gate in ("sigmoid", "local"):
        picks = []
        for tau in TAUS:
            one = found[gate, tau, 10.0]
            theirs = dict(zip(published()["threshold"]["tau"], published()["threshold"]["macro_f1"], strict=True)).get(
                tau
            )
            f1 = 100 * one.macro_f1.value if one.macro_f1 else None
            picked = one.best_of_n
            rows.append(
                (
                    f"{gate}, τ = {tau:g}",
                    f1,
                    100 * picked.value if picked else None,
                    theirs if gate == "sigmoid" else None,
                )
            )
            picks.append(
                [100 * value for value in (picked.value, picked.low, picked.high)] if picked else [0.0, 0.0, 0.0]
            )
        lines[gate] = (TAUS, [p[0] for p in picks], [p[1] for p in picks], [p[2] for p in picks])
    first = Sheet(
        title="τ, with β = 10 (%)", columns=("gate and τ", "macro-F1", "BoN@N", "PUBLISHED macro-F1"), rows=tuple(rows),
        digits=2, note="The paper's gate is positive, so at θ = 0 macro-F1 cannot move with τ; rankings can.",
    )  # fmt: skip
    grid = Sheet(
        title="BoN@N (%) by τ and β, the paper's gate",
        columns=("τ", *(f"β = {beta:g}" for beta in BETAS)),
        rows=tuple(
            (
                f"{tau:g}",
                *(100 * picked.value if (picked := found["sigmoid", tau, beta].best_of_n) else None for beta in BETAS),
            )
            for tau in (0.3, 0.4, 0.5, 0.6, 0.7)
        ),
        digits=2,
    )
    return Result(
        name="sensitivity", title="Sensitivity to τ and β", sheets=(first, grid), plan=plan,
        figure=curves(lines, "τ", "BoN@N (%)"), metrics={str(key): asdict(one) for key, one in found.items()},
    )  # fmt: skip


def aggregation(study: Study, truth: Truth) -> Result:
    """Appendix E: five aggregations, under the paper's method and ours."""
    rows: list[tuple[Cell, ...]] = []
    for method in ("paper", "grounded"):
        for name in AGGREGATIONS:
            settings = {**settings_of(preset(method)), "aggregation": name, "select": "score"}
            one = truth.figures(study.traces(Variant(name=name, method=settings)))
            if one.best_of_n is not None and one.pass_at_1 is not None:
                gain = 100 * (one.best_of_n.value - one.pass_at_1)
                rows.append((f"{method}: {name}", 100 * one.pass_at_1, 100 * one.best_of_n.value, gain))
    ours = Sheet(
        title="aggregations (%), measured here",
        columns=("method: aggregation", "Pass@1", "BoN@N", "Δ_N"),
        rows=tuple(rows),
        digits=2,
    )
    theirs = Sheet(
        title="PUBLISHED in the paper: overall Best-of-8 (%), not measured here",
        columns=("policy: aggregation", "Pass@1", "BoN@8", "Δ_8"),
        rows=tuple(
            (
                f"{row['policy']}: {row['aggregation']}",
                float(row["pass_at_1"][-1]),
                float(row["best_of_8"][-1]),
                float(row["change"][-1]),
            )
            for row in published()["aggregations"]["rows"]
        ),
        digits=2,
    )
    return Result(name="aggregations", title="Five aggregations", sheets=(ours, theirs), metrics={"rows": ours.rows})


def gates(study: Study, truth: Truth) -> Result:
    """Off, the paper's gate, its step-local form, and the factor gate; matching as the paper's and as ours."""
    rows: list[tuple[Cell, ...]] = []
    for matching in ("paper", "grounded"):
        for gate in ("off", "sigmoid", "local", "factor"):
            one = truth.figures(study.traces(Variant(name=gate, method={"matching": matching, "gate": gate})))
            f1, picked = one.macro_f1, one.best_of_n
            rows.append(
                (
                    f"{matching} matching, gate {gate}",
                    100 * f1.value if f1 else None,
                    100 * picked.value if picked else None,
                )
            )
    sheet = Sheet(title="gates (%)", columns=("matching and gate", "macro-F1", "BoN@N"), rows=tuple(rows), digits=2)
    return Result(name="gates", title="Gates compared", sheets=(sheet,), metrics={"rows": sheet.rows})
