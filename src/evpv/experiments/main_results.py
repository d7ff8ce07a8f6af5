"""Exp-1 to 3: what the plug-in adds to a judge's steps and to its choice among candidates, and what the quality of the evidence does.

Exp-3A as the paper has it: the policy itself sees well, better, worse or not at all, and its answers are verified. Never run here
with a large policy: it needs a model that solves problems. The path is tested with a scripted one.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, replace
from itertools import pairwise
from statistics import mean
from typing import TYPE_CHECKING

from evpv.assembly import Builder
from evpv.backends.prompts import constraints_text
from evpv.errors import ConfigError
from evpv.evaluation.fidelity import against_gold, totals
from evpv.evaluation.selection import pools_of, rightness
from evpv.evaluation.sheets import Sheet, SheetCell, against_sheet
from evpv.evaluation.step_metrics import RIGHT, best_threshold, groups_by, labelled_rewards, step_metrics, step_outcomes
from evpv.evaluation.uncertainty import calibration, probability
from evpv.experiments import results
from evpv.experiments.measuring import Figures, Truth, percent
from evpv.experiments.results import CurvePoints, Experiment, ExperimentResult, bars, curves
from evpv.experiments.trials import READ, CallPlan, Constraints, Trials, Variant, drop_facts, flip_fields
from evpv.premises.auditing import complete_claims
from evpv.reward.method import preset, settings_of
from evpv.types import Problem, Trace

if TYPE_CHECKING:
    from evpv.policy.chat import ChatPolicy

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
    """Exp-1 (Table 1): step macro-F1 of a judge with and without the plug-in, by source, pooled, and against the first row."""
    found = {variant.name: truth.figures(trials.traces(variant)) for variant in _plug_in_variants()}
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
    title, columns = "step macro-F1 (%), measured here, θ = 0", ("variant", *sources, "pooled", "from", "to", "Δ")
    sheet = Sheet(title=title, columns=columns, rows=tuple(rows), digits=2)
    shown = {name: percent(one.macro_f1) or (0.0, 0.0, 0.0) for name, one in found.items()}
    return ExperimentResult(
        sheets=(sheet, results.published_sheet("visualprocessbench")), figure=bars(shown, "step macro-F1 (%)"),
        metrics={name: asdict(one) for name, one in found.items()},
        remarks=("The paper's gate never changes a sign, so under preset `paper` rows with and without the gate agree at θ = 0.",),
    )  # fmt: skip


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
    shares = {name: one.best_of_n.value for name, one in found.items() if one.best_of_n}
    pairs = [
        (f"{one} against {other}", shares[one], shares[other], truth.ahead(traces[one], traces[other]))
        for one, other in ((_PAPER, ALONE), (_GROUNDED, _PAPER), (_GROUNDED, ALONE))
    ]
    paired = against_sheet("BoN@N, paired over problems (shares)", pairs)
    return ExperimentResult(
        sheets=(_choice_sheet(found), paired, by_k, results.published_sheet("best_of_8")),
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
        sheets=(sheet, by_theta), figure=results.reliability_diagram({name: one.bins for name, one in stated.items()}),
        metrics={"rows": sheet.records(), "calibration": {name: asdict(one) for name, one in stated.items()}},
    )  # fmt: skip


_RATIOS = (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
_SEEDS = (0, 1, 2, 3, 4)
_NOISE = 0.5
_SPOILERS = {"flip": flip_fields, "drop": drop_facts}


def _corruption_variants(seeds: Sequence[int] = _SEEDS) -> list[tuple[str, float, Variant]]:
    """Every way of spoiling, ratio and seed; ratio 0 is one and the same."""
    return [
        (kind, ratio, _spoilt(kind, ratio, seed))
        for kind in _SPOILERS
        for ratio in _RATIOS
        for seed in (seeds if ratio else seeds[:1])
    ]


def _spoilt(kind: str, ratio: float, seed: int, *, gold: bool = False) -> Variant:
    def spoil(constraints: Constraints, rng: random.Random) -> Constraints:
        return _SPOILERS[kind](constraints, ratio, random.Random(f"{seed} {rng.random()}")).constraints

    name = f"{kind} {ratio} {seed}"
    return Variant(name=name, spoil=spoil, spoil_name=name if ratio else "", gold=gold)


def _corruption(trials: Trials, truth: Truth) -> ExperimentResult:
    """Exp-3B: macro-F1 and Best-of-N as constraints are flipped and dropped; bands are the range over seeds."""
    every = _corruption_variants()
    cells: list[tuple[SheetCell, ...]] = []
    lines: dict[str, CurvePoints] = {}
    for kind in _SPOILERS:
        band = []
        for ratio in _RATIOS:
            found = [truth.figures(trials.traces(one)) for *at, one in every if at == [kind, ratio]]
            scores = [100 * one.macro_f1.value for one in found if one.macro_f1]
            chosen = [100 * one.best_of_n.value for one in found if one.best_of_n]
            band.append((mean(scores), min(scores), max(scores)))
            spoilt = (
                _SPOILERS[kind](facts, ratio, random.Random(i)) for i, facts in enumerate(trials.constraints(READ))
            )
            share = mean(one.realised for one in spoilt)
            cells.append((f"{kind} {ratio:g}", share, *band[-1], mean(chosen) if chosen else None))
        values, lows, highs = zip(*band, strict=True)
        lines[kind] = _RATIOS, values, lows, highs
    columns = ("corruption, nominal ratio", "realised ratio", "macro-F1", "lowest", "highest", "BoN@N")
    sheet = Sheet(title=f"constraints spoilt, {len(_SEEDS)} seeds (%)", columns=columns, rows=tuple(cells), digits=2)
    return ExperimentResult(
        sheets=(sheet,), figure=curves(lines, "share of fields flipped, or of facts dropped", "step macro-F1 (%)"),
        metrics={"monotone_flip": _falls(lines["flip"]), "rows": sheet.records()},
        remarks=(_monotone(lines["flip"]), "Ratios are nested: what a small one spoils, a larger one spoils too. The paper prints no numbers."),
    )  # fmt: skip


def _falls(curve: CurvePoints) -> bool:
    """Whether the curve falls from point to point, within the bands."""
    _, values, lows, highs = curve
    return all(
        later <= earlier or low <= high
        for earlier, later, low, high in zip(values, values[1:], lows[1:], highs, strict=False)
    )


def _monotone(curve: CurvePoints) -> str:
    values = curve[1]
    if min(values) == max(values):
        return f"Flipping: macro-F1 stays at {values[0]:.2f} at every ratio: nothing was decided by the constraints."
    how = "within the bands" if _falls(curve) else "not monotonically"
    if all(later < earlier for earlier, later in pairwise(values)):
        how = "at every ratio"
    elif all(later <= earlier for earlier, later in pairwise(values)):
        how = "or stays"
    return f"Flipping: macro-F1 goes from {values[0]:.2f} to {values[-1]:.2f}; it falls {how}."


def _perception_variants() -> dict[str, Variant]:
    """The paper's four settings, applied to what the verifier sees."""
    return {
        "(I) normal: constraints as read": READ,
        "(II) oracle: the true constraints": Variant(name="oracle", gold=True),
        f"(III) noisy: the true ones, {_NOISE:.0%} of fields flipped": _spoilt("flip", _NOISE, 0, gold=True),
        "(IV) none: no constraints": replace(
            READ, name="blind", judge={"evidence": False}, spoil=lambda facts, rng: (), spoil_name="nothing"
        ),
    }


def _perception(trials: Trials, truth: Truth) -> ExperimentResult:
    """Exp-3A from the verifier's side: the same candidates, checked with four qualities of perception.

    The paper intervenes on the policy's prompt, which needs a policy to ask (the experiment `policy`); here candidates
    are given, so what is varied is the verifier's own perception: as read, the truth, the truth made noisy, and none.
    """
    found = {name: truth.figures(trials.traces(variant)) for name, variant in _perception_variants().items()}
    rows = [(name, *reversed(one.cells), one.mean_score) for name, one in found.items()]
    columns = ("perception", "BoN@N (%)", "macro-F1 (%)", "mean trajectory score")
    sheet = Sheet(title="four settings of perception", columns=columns, rows=tuple(rows), digits=3)
    return ExperimentResult(
        sheets=(sheet,), metrics={"rows": sheet.records()},
        remarks=("The paper's Exp-3A describes the figure to the policy (our experiment `policy`); its table is not in the text.",),
    )  # fmt: skip


def _quality(trials: Trials, truth: Truth) -> ExperimentResult:
    """Constraint quality against gain: for each source, the F1 of what was read and the points it brought."""
    before, after = truth.figures(trials.traces(method_variants()[0])), truth.figures(trials.traces(READ))
    read = dict(zip((p.id for p in trials.problems), trials.constraints(READ), strict=True))
    groups = groups_by(trials.problems, lambda problem: problem.data_source or "all")
    rows: list[tuple[SheetCell, ...]] = []
    places: dict[str, tuple[float, float]] = {}
    for name, members in sorted(groups.items()):
        f1 = totals(against_gold(read[one.id], trials.gold[one.id]) for one in members)["overall"].f1
        if f1 is not None and name in before.by_source and name in after.by_source:
            gain = 100 * (after.by_source[name] - before.by_source[name])
            places[name] = (f1, gain)
            rows.append((name, len(members), f1, 100 * before.by_source[name], 100 * after.by_source[name], gain))
    columns = ("source", "problems", "constraint F1", f"macro-F1 {ALONE}", "macro-F1 full", "gain")
    sheet = Sheet(title="constraint quality against gain", columns=columns, rows=tuple(rows), digits=2)
    return ExperimentResult(
        sheets=(sheet,), figure=results.points(places, "F1 of the constraints read", "gain in macro-F1 (points)"),
        metrics={"before": asdict(before), "after": asdict(after)},
    )  # fmt: skip


SETTINGS = ("(I) normal", "(II) oracle", "(III) noisy", "(IV) text-only")
_DESCRIBED = "{question}\n\nWhat the figure shows, as a list of facts:\n{facts}"


def policy_plan(trials: Trials, count: int) -> CallPlan:
    """One call for each candidate; how many steps there will be to judge nobody knows yet."""
    unknown = (
        "besides, each step that the policy writes is judged, and an answer that is no candidate is asked for again"
    )
    calls = len(SETTINGS) * len(trials.problems) * count
    return CallPlan(variants=len(SETTINGS), judgements=len(SETTINGS), sample_calls=calls, unknown=unknown)


def policy_perception(trials: Trials, count: int) -> ExperimentResult:
    """Answer accuracy and trajectory scores of one fixed policy under four settings of what it is shown."""
    if not trials.gold:
        raise ConfigError("the experiment 'policy' needs --gold: it describes the figure to the policy.")
    plan, builder = policy_plan(trials, count), Builder(trials.recipe)
    try:
        policy: ChatPolicy = builder.policy()
        found = {setting: _sampled_traces(trials, policy, setting, count) for setting in SETTINGS}
    finally:
        builder.close()
        trials.book(builder.ledger.stages())
    columns = ("policy sees", "candidates", "never came", "accuracy (%)", "BoN@N (%)", "mean trajectory score")
    rows = tuple((setting, *_row(one, count * len(trials.problems))) for setting, one in found.items())
    sheet = Sheet(title="four settings of the policy's perception", columns=columns, rows=rows, digits=3)
    return ExperimentResult(
        name="policy", title="Exp-3A: four settings of perception, from the policy's side", sheets=(sheet,), plan=plan,
        metrics={"rows": sheet.records(), "policy": policy.version},
        remarks=(
            "A candidate that never came right is a wrong answer. Verification reads the figure itself in all four settings.",
            "The paper finds (II) > (III) > (I) > (IV) for trajectory scores; its table is not in the text.",
        ),
    )  # fmt: skip


def _sampled_traces(trials: Trials, policy: ChatPolicy, setting: str, count: int) -> list[Trace]:
    answers = policy.sample([_shown_problem(one, setting, trials.gold[one.id]) for one in trials.problems], count)
    problems = [
        replace(problem, candidates=tuple(complete_claims(c, problem.question, trials.recipe.audit) for c in one.problem.candidates))
        for problem, one in zip(trials.problems, answers, strict=True)
    ]  # fmt: skip
    with closing(trials.with_candidates(problems)) as others:
        return others.traces(READ)


def _shown_problem(problem: Problem, setting: str, facts: Constraints) -> Problem:
    """The problem as the policy is asked it: with or without the picture, and with what description of it."""
    if setting == SETTINGS[0]:
        return problem
    if setting == SETTINGS[3]:
        return replace(problem, images=())
    if setting == SETTINGS[2]:
        facts = flip_fields(facts, _NOISE, random.Random(problem.id)).constraints
    return replace(problem, question=_DESCRIBED.format(question=problem.question, facts=constraints_text(facts)))


def _row(traces: Sequence[Trace], wanted: int) -> tuple[SheetCell, ...]:
    flags = rightness(traces)
    came, right = sum(map(len, flags)), sum(map(sum, flags))
    if not came:
        return 0, wanted, 0.0, 0.0, None
    chosen = sum(one.best for one in pools_of(traces, flags)) / len(traces)
    scores = [candidate.score for trace in traces for candidate in trace.candidates]
    return came, wanted - came, 100 * right / wanted, 100 * chosen, sum(scores) / len(scores)


EXPERIMENTS = {
    "plug-in": Experiment(
        "Exp-1: a judge with and without the plug-in", _plug_in, ("labels",), lambda trials: _plug_in_variants()
    ),
    "best-of-n": Experiment("Exp-2: Best-of-N reranking", _reranking, ("answers",), lambda trials: method_variants()),
    "verification": Experiment(
        "Step verification: all metrics, thresholds, calibration", _verification, ("labels",), lambda _: method_variants()
    ),
    "perception": Experiment(
        "Exp-3A: four settings of perception, from the verifier's side", _perception, ("gold", "labels or answers"),
        lambda trials: list(_perception_variants().values()),
    ),
    "corruption": Experiment(
        "Exp-3B: macro-F1 as constraints are corrupted", _corruption, ("labels",),
        lambda trials: [variant for *_, variant in _corruption_variants()],
    ),
    "quality": Experiment(
        "Constraint quality against gain", _quality, ("gold", "labels"), lambda trials: [method_variants()[0], READ]
    ),
}  # fmt: skip
