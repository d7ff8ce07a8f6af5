"""Exp-3: what the quality of the evidence does to verification."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from statistics import mean

from evpv.evaluation.fidelity import against_gold, totals
from evpv.evaluation.sheets import Cell, Sheet
from evpv.experiments.corruption import Constraints, dropped, flipped
from evpv.experiments.drawing import Curve, curves, points
from evpv.experiments.measuring import Truth
from evpv.experiments.results import Result
from evpv.experiments.study import Study, Variant

RATIOS = (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
SEEDS = (0, 1, 2, 3, 4)
NOISE = 0.5
_SPOILERS = {"flip": flipped, "drop": dropped}


def corruption_variants(seeds: Sequence[int] = SEEDS) -> list[tuple[str, float, int, Variant]]:
    """Every way of spoiling, ratio and seed; ratio 0 is one and the same."""
    return [
        (kind, ratio, seed, _variant(kind, ratio, seed)) for kind in _SPOILERS for ratio in RATIOS for seed in seeds
    ]


def _variant(kind: str, ratio: float, seed: int) -> Variant:
    name = f"{kind} {ratio} {seed}"
    return Variant(name=name, spoil=partial(_spoilt, kind, ratio, seed), spoil_name=name if ratio else "")


def _spoilt(kind: str, ratio: float, seed: int, constraints: Constraints, rng: random.Random) -> Constraints:
    return _SPOILERS[kind](constraints, ratio, random.Random(f"{seed} {rng.random()}")).constraints


def corruption(study: Study, truth: Truth) -> Result:
    """Exp-3B: macro-F1 and Best-of-N as constraints are flipped and dropped; bands are the range over seeds."""
    every = corruption_variants()
    plan = study.plan([variant for *_, variant in every])
    rows: list[tuple[Cell, ...]] = []
    lines: dict[str, Curve] = {}
    for kind, spoil in _SPOILERS.items():
        steps: list[list[float]] = []
        for ratio in RATIOS:
            chosen = [variant for k, r, _, variant in every if k == kind and r == ratio]
            figures = [truth.figures(study.traces(variant)) for variant in (chosen if ratio else chosen[:1])]
            scores = [100 * one.macro_f1.value for one in figures if one.macro_f1]
            picks = [100 * one.best_of_n.value for one in figures if one.best_of_n]
            real = mean(
                spoil(facts, ratio, random.Random(i)).realised
                for i, facts in enumerate(study.constraints(Variant(name="")))
            )
            steps.append(scores)
            rows.append(
                (f"{kind} {ratio:g}", real, mean(scores), min(scores), max(scores), mean(picks) if picks else None)
            )
        lines[kind] = (RATIOS, [mean(s) for s in steps], [min(s) for s in steps], [max(s) for s in steps])
    columns = ("corruption, nominal ratio", "realised ratio", "macro-F1", "lowest", "highest", "BoN@N")
    sheet = Sheet(title=f"constraints spoilt, {len(SEEDS)} seeds (%)", columns=columns, rows=tuple(rows), digits=2)
    return Result(
        name="corruption", title="Exp-3B: macro-F1 as constraints are corrupted", sheets=(sheet,), plan=plan,
        figure=curves(lines, "share of fields flipped, or of facts dropped", "step macro-F1 (%)"),
        metrics={"monotone_flip": _falls(lines["flip"]), "rows": [dict(zip(columns, row, strict=True)) for row in rows]},
        remarks=("Ratios are nested: what a small one spoils, a larger one spoils too. The paper shows this as a figure without numbers.",),
    )  # fmt: skip


def _falls(curve: Curve) -> bool:
    """Whether the curve falls from point to point, within the bands."""
    _, values, lows, highs = curve
    return all(
        later <= earlier or low <= high
        for earlier, later, low, high in zip(values, values[1:], lows[1:], highs, strict=False)
    )


def perception(study: Study, truth: Truth, gold: dict[str, Constraints]) -> Result:
    """Exp-3A from the verifier's side: the same candidates, checked with four qualities of perception.

    The paper intervenes on the policy's prompt, which needs a policy to ask; here candidates are given, so what is varied
    is the verifier's own perception: as read, the truth, the truth made noisy, and none.
    """
    oracle = Study(
        problems=study.problems, recipe=study.recipe, seed=study.seed, extras=study.extras,
        known={problem.id: gold.get(problem.id, ()) for problem in study.problems},
    )  # fmt: skip
    noisy = Variant(name="noisy", spoil=partial(_spoilt, "flip", NOISE, 0), spoil_name=f"flip {NOISE} 0")
    blind = Variant(name="blind", judge={"evidence": False}, spoil=lambda facts, rng: (), spoil_name="nothing")
    settings = {
        "(I) normal: constraints as read": (study, Variant(name="")),
        "(II) oracle: the true constraints": (oracle, Variant(name="")),
        f"(III) noisy: the true ones, {NOISE:.0%} of fields flipped": (oracle, noisy),
        "(IV) none: no constraints": (study, blind),
    }
    rows: list[tuple[Cell, ...]] = []
    for name, (side, variant) in settings.items():
        one = truth.figures(side.traces(variant))
        picked = 100 * one.best_of_n.value if one.best_of_n else None
        rows.append((name, picked, 100 * one.macro_f1.value if one.macro_f1 else None, one.mean_score))
    columns = ("perception", "BoN@N (%)", "macro-F1 (%)", "mean trajectory score")
    sheet = Sheet(title="four settings of perception", columns=columns, rows=tuple(rows), digits=3)
    return Result(
        name="perception", title="Exp-3A: four settings of perception, from the verifier's side", sheets=(sheet,),
        metrics={"rows": [dict(zip(columns, row, strict=True)) for row in rows]},
        remarks=("The paper's Exp-3A describes the figure to the policy; its table is not in the text.",),
    )  # fmt: skip


def quality(study: Study, truth: Truth, gold: dict[str, Constraints]) -> Result:
    """Constraint quality against gain: for each source, the F1 of what was read and the points it brought."""
    alone = study.traces(Variant(name="alone", judge={"evidence": False}, method={"gate": "off"}))
    full = study.traces(Variant(name="full"))
    before, after = truth.figures(alone), truth.figures(full)
    read = dict(zip((p.id for p in study.problems), study.constraints(Variant(name="")), strict=True))
    groups: dict[str, list[str]] = {}
    for trace in full:
        name = str(trace.extra.get("data_source") or trace.extra.get("family") or "all")
        groups.setdefault(name, []).append(trace.problem_id)
    rows: list[tuple[Cell, ...]] = []
    places: dict[str, tuple[float, float]] = {}
    for name, members in sorted(groups.items()):
        f1 = totals(against_gold(read[i], gold.get(i, ())) for i in members)["overall"].f1
        if name in before.by_source and name in after.by_source:
            gain = 100 * (after.by_source[name] - before.by_source[name])
            places[name] = (f1, gain)
            rows.append((name, len(members), f1, 100 * before.by_source[name], 100 * after.by_source[name], gain))
    columns = ("source", "problems", "constraint F1", "macro-F1 alone", "macro-F1 full", "gain")
    sheet = Sheet(title="constraint quality against gain", columns=columns, rows=tuple(rows), digits=2)
    return Result(
        name="quality", title="Constraint quality against gain", sheets=(sheet,),
        figure=points(places, "F1 of the constraints read", "gain in macro-F1 (points)"),
        metrics={"before": asdict(before), "after": asdict(after)},
    )  # fmt: skip
