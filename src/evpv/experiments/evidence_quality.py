"""Exp-3: what the quality of the evidence does to verification.

Exp-3A as the paper has it: the policy itself sees well, better, worse or not at all, and its answers are verified. Never run here
with a large policy: it needs a model that solves problems. The path is tested with a scripted one.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import pairwise, product
from statistics import mean
from typing import TYPE_CHECKING, TypeAlias

from evpv.assembly import Builder
from evpv.backends.prompts import constraints_text
from evpv.errors import ConfigError
from evpv.evaluation.fidelity import against_gold, totals
from evpv.evaluation.outcomes import choices_of
from evpv.evaluation.selection import best_of_k, rightness
from evpv.evaluation.tasks import Cell, Sheet
from evpv.experiments.drawing import Curve, curves, points
from evpv.experiments.main_results import ALONE, method_variants
from evpv.experiments.measuring import Truth
from evpv.experiments.results import Result
from evpv.experiments.trials import READ, Trials
from evpv.experiments.variants import Constraints, Plan, Variant, drop_facts, flip_fields
from evpv.premises.auditing import complete_claims
from evpv.types import Problem, Trace

if TYPE_CHECKING:
    from evpv.policy.chat import ChatPolicy

_RATIOS = (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
_SEEDS = (0, 1, 2, 3, 4)
_NOISE = 0.5
_SPOILERS = {"flip": flip_fields, "drop": drop_facts}

_Corrupted: TypeAlias = tuple[float, float, float, float | None]
"""Mean, lowest and highest macro-F1, mean Best-of-N."""


def corruption_variants(seeds: Sequence[int] = _SEEDS) -> list[tuple[str, float, Variant]]:
    """Every way of spoiling, ratio and seed; ratio 0 is one and the same."""
    return [
        (kind, ratio, _spoilt(kind, ratio, seed))
        for kind in _SPOILERS
        for ratio in _RATIOS
        for seed in (seeds if ratio else seeds[:1])
    ]


def _spoilt(kind: str, ratio: float, seed: int, *, gold: bool = False) -> Variant:
    """Constraints flipped or dropped to a ratio."""
    name = f"{kind} {ratio} {seed}"
    return Variant(name=name, spoil=partial(_spoil, kind, ratio, seed), spoil_name=name if ratio else "", gold=gold)


def _spoil(kind: str, ratio: float, seed: int, constraints: Constraints, rng: random.Random) -> Constraints:
    return _SPOILERS[kind](constraints, ratio, random.Random(f"{seed} {rng.random()}")).constraints


def corruption(trials: Trials, truth: Truth) -> Result:
    """Exp-3B: macro-F1 and Best-of-N as constraints are flipped and dropped; bands are the range over seeds."""
    every = corruption_variants()
    plan = trials.plan([variant for *_, variant in every])
    spoilt = {place: [one for *at, one in every if at == list(place)] for place in product(_SPOILERS, _RATIOS)}
    rows = {place: _corrupted_cells(trials, truth, variants) for place, variants in spoilt.items()}
    lines = {kind: _band([rows[kind, ratio] for ratio in _RATIOS]) for kind in _SPOILERS}
    columns = ("corruption, nominal ratio", "realised ratio", "macro-F1", "lowest", "highest", "BoN@N")
    cells = [(f"{kind} {ratio:g}", _realised_share(trials, kind, ratio), *row) for (kind, ratio), row in rows.items()]
    sheet = Sheet(title=f"constraints spoilt, {len(_SEEDS)} seeds (%)", columns=columns, rows=tuple(cells), digits=2)
    return Result(
        name="corruption", title="Exp-3B: macro-F1 as constraints are corrupted", sheets=(sheet,), plan=plan,
        figure=curves(lines, "share of fields flipped, or of facts dropped", "step macro-F1 (%)"),
        metrics={"monotone_flip": _falls(lines["flip"]), "rows": [dict(zip(columns, row, strict=True)) for row in cells]},
        remarks=(_monotone(lines["flip"]), "Ratios are nested: what a small one spoils, a larger one spoils too. The paper prints no numbers."),
    )  # fmt: skip


def _corrupted_cells(trials: Trials, truth: Truth, variants: Sequence[Variant]) -> _Corrupted:
    """One ratio over its seeds: mean, lowest and highest macro-F1, mean Best-of-N where there is a choice."""
    found = [truth.figures(trials.traces(one)) for one in variants]
    scores = [100 * one.macro_f1.value for one in found if one.macro_f1]
    picks = [100 * one.best_of_n.value for one in found if one.best_of_n]
    return mean(scores), min(scores), max(scores), mean(picks) if picks else None


def _band(rows: Sequence[_Corrupted]) -> Curve:
    """A curve over the ratios, with the range over seeds."""
    return _RATIOS, [row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows]


def _realised_share(trials: Trials, kind: str, ratio: float) -> float:
    """The share of fields that really changed, over the problems."""
    return mean(
        _SPOILERS[kind](facts, ratio, random.Random(i)).realised for i, facts in enumerate(trials.constraints(READ))
    )


def _falls(curve: Curve) -> bool:
    """Whether the curve falls from point to point, within the bands."""
    _, values, lows, highs = curve
    return all(
        later <= earlier or low <= high
        for earlier, later, low, high in zip(values, values[1:], lows[1:], highs, strict=False)
    )


def _monotone(curve: Curve) -> str:
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


def perception_variants() -> dict[str, Variant]:
    """The paper's four settings, applied to what the verifier sees."""
    return {
        "(I) normal: constraints as read": READ,
        "(II) oracle: the true constraints": Variant(name="oracle", gold=True),
        f"(III) noisy: the true ones, {_NOISE:.0%} of fields flipped": _spoilt("flip", _NOISE, 0, gold=True),
        "(IV) none: no constraints": Variant(
            name="blind", judge={"evidence": False}, spoil=lambda facts, rng: (), spoil_name="nothing"
        ),
    }


def perception(trials: Trials, truth: Truth) -> Result:
    """Exp-3A from the verifier's side: the same candidates, checked with four qualities of perception.

    The paper intervenes on the policy's prompt, which needs a policy to ask (the experiment `policy`); here candidates
    are given, so what is varied is the verifier's own perception: as read, the truth, the truth made noisy, and none.
    """
    settings = perception_variants()
    plan = trials.plan(list(settings.values()))
    rows: list[tuple[Cell, ...]] = []
    for name, variant in settings.items():
        one = truth.figures(trials.traces(variant))
        picked = 100 * one.best_of_n.value if one.best_of_n else None
        rows.append((name, picked, 100 * one.macro_f1.value if one.macro_f1 else None, one.mean_score))
    columns = ("perception", "BoN@N (%)", "macro-F1 (%)", "mean trajectory score")
    sheet = Sheet(title="four settings of perception", columns=columns, rows=tuple(rows), digits=3)
    return Result(
        name="perception", title="Exp-3A: four settings of perception, from the verifier's side", sheets=(sheet,), plan=plan,
        metrics={"rows": [dict(zip(columns, row, strict=True)) for row in rows]},
        remarks=("The paper's Exp-3A describes the figure to the policy (our experiment `policy`); its table is not in the text.",),
    )  # fmt: skip


def quality(trials: Trials, truth: Truth) -> Result:
    """Constraint quality against gain: for each source, the F1 of what was read and the points it brought."""
    before, after = truth.figures(trials.traces(method_variants()[0])), truth.figures(trials.traces(READ))
    read = dict(zip((p.id for p in trials.problems), trials.constraints(READ), strict=True))
    groups: dict[str, list[str]] = {}
    for trace in trials.stored:
        name = trace.problem.data_source or "all"
        groups.setdefault(name, []).append(trace.problem_id)
    rows: list[tuple[Cell, ...]] = []
    places: dict[str, tuple[float, float]] = {}
    for name, members in sorted(groups.items()):
        f1 = totals(against_gold(read[i], trials.gold[i]) for i in members)["overall"].f1
        if f1 is not None and name in before.by_source and name in after.by_source:
            gain = 100 * (after.by_source[name] - before.by_source[name])
            places[name] = (f1, gain)
            rows.append((name, len(members), f1, 100 * before.by_source[name], 100 * after.by_source[name], gain))
    columns = ("source", "problems", "constraint F1", f"macro-F1 {ALONE}", "macro-F1 full", "gain")
    sheet = Sheet(title="constraint quality against gain", columns=columns, rows=tuple(rows), digits=2)
    return Result(
        name="quality", title="Constraint quality against gain", sheets=(sheet,),
        figure=points(places, "F1 of the constraints read", "gain in macro-F1 (points)"),
        metrics={"before": asdict(before), "after": asdict(after)},
    )  # fmt: skip


SETTINGS = ("(I) normal", "(II) oracle", "(III) noisy", "(IV) text-only")
_DESCRIBED = "{question}\n\nWhat the figure shows, as a list of facts:\n{facts}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sampled:
    """What a policy wrote under one setting, assessed by the recipe, and how many candidates were wanted."""

    traces: tuple[Trace, ...]
    wanted: int


def policy_plan(trials: Trials, count: int) -> Plan:
    """One call for each candidate; how many steps there will be to judge nobody knows yet."""
    return Plan(
        variants=len(SETTINGS),
        judgements=len(SETTINGS),
        sample_calls=len(SETTINGS) * len(trials.problems) * count,
        unknown="besides, each step that the policy writes is judged, and an answer that is no candidate is asked for again",
    )


def policy_perception(trials: Trials, count: int) -> Result:
    """Answer accuracy and trajectory scores of one fixed policy under four settings of what it is shown."""
    if not trials.gold:
        raise ConfigError("the experiment 'policy' needs --gold: it describes the figure to the policy.")
    plan = policy_plan(trials, count)
    builder = Builder(trials.recipe)
    try:
        policy: ChatPolicy = builder.policy()
        found = {setting: _sample_candidates(trials, policy, setting, count) for setting in SETTINGS}
    finally:
        builder.close()
        trials.book(builder.ledger.stages())
    columns = ("policy sees", "candidates", "never came", "accuracy (%)", "BoN@N (%)", "mean trajectory score")
    rows = tuple((setting, *_row(one)) for setting, one in found.items())
    sheet = Sheet(title="four settings of the policy's perception", columns=columns, rows=rows, digits=3)
    return Result(
        name="policy", title="Exp-3A: four settings of perception, from the policy's side", sheets=(sheet,), plan=plan,
        metrics={"rows": [dict(zip(columns, row, strict=True)) for row in rows], "policy": policy.version},
        remarks=(
            "A candidate that never came right is a wrong answer. Verification reads the figure itself in all four settings.",
            "The paper finds (II) > (III) > (I) > (IV) for trajectory scores; its table is not in the text.",
        ),
    )  # fmt: skip


def _sample_candidates(trials: Trials, policy: ChatPolicy, setting: str, count: int) -> _Sampled:
    asked = [shown_problem(problem, setting, trials.gold[problem.id]) for problem in trials.problems]
    answers = policy.sample(asked, count)
    problems = [
        replace(problem, candidates=tuple(complete_claims(c, problem.question, trials.recipe.audit) for c in one.problem.candidates))
        for problem, one in zip(trials.problems, answers, strict=True)
    ]  # fmt: skip
    with closing(trials.with_candidates(problems)) as others:
        return _Sampled(traces=tuple(others.traces(READ)), wanted=count * len(problems))


def shown_problem(problem: Problem, setting: str, facts: Constraints) -> Problem:
    """The problem as the policy is asked it: with or without the picture, and with what description of it."""
    if setting == SETTINGS[0]:
        return problem
    if setting == SETTINGS[3]:
        return replace(problem, images=())
    if setting == SETTINGS[2]:
        facts = flip_fields(facts, _NOISE, random.Random(problem.id)).constraints
    return replace(problem, question=_DESCRIBED.format(question=problem.question, facts=constraints_text(facts)))


def _row(one: _Sampled) -> tuple[Cell, ...]:
    flags = rightness(one.traces)
    came = sum(map(len, flags))
    if not came:
        return 0, one.wanted, 0.0, 0.0, None
    picks = [best_of_k(p.choices, len(p.choices)) for p in choices_of(one.traces, flags)]
    right, scores = sum(map(sum, flags)), _scores(one.traces)
    return (
        came, one.wanted - came, 100 * right / one.wanted, 100 * sum(picks) / len(one.traces), sum(scores) / len(scores),
    )  # fmt: skip


def _scores(traces: Sequence[Trace]) -> list[float]:
    return [candidate.score for trace in traces for candidate in trace.candidates]
