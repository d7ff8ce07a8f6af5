"""Exp-3: what the quality of the evidence does to verification.

Exp-3A as the paper has it: the policy itself sees well, better, worse or not at all, and its answers are verified. Never run here
with a large policy: it needs a model that solves problems. The path is tested with a scripted one.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
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
from evpv.evaluation.sheets import Sheet, SheetCell
from evpv.evaluation.step_metrics import groups_by
from evpv.experiments.drawing import CurvePoints, curves, points
from evpv.experiments.main_results import ALONE, method_variants
from evpv.experiments.measuring import Truth
from evpv.experiments.results import Experiment, ExperimentResult
from evpv.experiments.trials import READ, Trials
from evpv.experiments.variants import CallPlan, Constraints, Variant, drop_facts, flip_fields
from evpv.premises.auditing import complete_claims
from evpv.types import Problem, Trace

if TYPE_CHECKING:
    from evpv.policy.chat import ChatPolicy

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
    """Constraints flipped or dropped to a ratio."""

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
            share = _realised_share(trials, kind, ratio)
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


def _realised_share(trials: Trials, kind: str, ratio: float) -> float:
    """The share of fields that really changed, over the problems."""
    read = enumerate(trials.constraints(READ))
    return mean(_SPOILERS[kind](facts, ratio, random.Random(i)).realised for i, facts in read)


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
    steps = list(pairwise(values))
    how = "not monotonically"
    if all(later < earlier for earlier, later in steps):
        how = "at every ratio"
    elif all(later <= earlier for earlier, later in steps):
        how = "or stays"
    elif _falls(curve):
        how = "within the bands"
    return f"Flipping: macro-F1 goes from {values[0]:.2f} to {values[-1]:.2f}; it falls {how}."


def _perception_variants() -> dict[str, Variant]:
    """The paper's four settings, applied to what the verifier sees."""
    return {
        "(I) normal: constraints as read": READ,
        "(II) oracle: the true constraints": Variant(name="oracle", gold=True),
        f"(III) noisy: the true ones, {_NOISE:.0%} of fields flipped": _spoilt("flip", _NOISE, 0, gold=True),
        "(IV) none: no constraints": Variant(
            name="blind", judge={"evidence": False}, spoil=lambda facts, rng: (), spoil_name="nothing"
        ),
    }


def _perception(trials: Trials, truth: Truth) -> ExperimentResult:
    """Exp-3A from the verifier's side: the same candidates, checked with four qualities of perception.

    The paper intervenes on the policy's prompt, which needs a policy to ask (the experiment `policy`); here candidates
    are given, so what is varied is the verifier's own perception: as read, the truth, the truth made noisy, and none.
    """
    rows: list[tuple[SheetCell, ...]] = []
    for name, variant in _perception_variants().items():
        one = truth.figures(trials.traces(variant))
        f1, chosen = one.cells
        rows.append((name, chosen, f1, one.mean_score))
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
        sheets=(sheet,), figure=points(places, "F1 of the constraints read", "gain in macro-F1 (points)"),
        metrics={"before": asdict(before), "after": asdict(after)},
    )  # fmt: skip


SETTINGS = ("(I) normal", "(II) oracle", "(III) noisy", "(IV) text-only")
_DESCRIBED = "{question}\n\nWhat the figure shows, as a list of facts:\n{facts}"


def policy_plan(trials: Trials, count: int) -> CallPlan:
    """One call for each candidate; how many steps there will be to judge nobody knows yet."""
    return CallPlan(
        variants=len(SETTINGS),
        judgements=len(SETTINGS),
        sample_calls=len(SETTINGS) * len(trials.problems) * count,
        unknown="besides, each step that the policy writes is judged, and an answer that is no candidate is asked for again",
    )


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
    """What a policy wrote under one setting, assessed by the recipe."""
    asked = [_shown_problem(problem, setting, trials.gold[problem.id]) for problem in trials.problems]
    answers = policy.sample(asked, count)
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
