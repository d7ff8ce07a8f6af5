"""Exp-3A as the paper has it: the policy itself sees well, better, worse or not at all, and its answers are verified.

Never run here with a large policy: it needs a model that solves problems. The path is tested with a scripted one.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from evpv.assembly import Builder
from evpv.backends.prompts import constraints_text
from evpv.errors import ConfigError
from evpv.evaluation.outcomes import choices_of
from evpv.evaluation.selection import best_of_k, rightness
from evpv.evaluation.tasks import Cell, Sheet
from evpv.experiments.corruption import Constraints, flip_fields
from evpv.experiments.results import Result
from evpv.experiments.trials import READ, Trials
from evpv.experiments.variants import Plan
from evpv.premises.auditing import complete_claims
from evpv.types import Problem, Trace

if TYPE_CHECKING:  # the policy needs the chat extra, and the other experiments must run without it
    from evpv.policy.chat import ChatPolicy

_NOISE = 0.5
SETTINGS = ("(I) normal", "(II) oracle", "(III) noisy", "(IV) text-only")
_DESCRIBED = "{question}\n\nWhat the figure shows, as a list of facts:\n{facts}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampled:
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


def _sample_candidates(trials: Trials, policy: ChatPolicy, setting: str, count: int) -> Sampled:
    asked = [shown_problem(problem, setting, trials.gold[problem.id]) for problem in trials.problems]
    answers = policy.sample(asked, count)
    problems = [
        replace(problem, candidates=tuple(complete_claims(c, problem.question, trials.recipe.audit) for c in one.problem.candidates))
        for problem, one in zip(trials.problems, answers, strict=True)
    ]  # fmt: skip
    with closing(trials.with_candidates(problems)) as others:
        return Sampled(traces=tuple(others.traces(READ)), wanted=count * len(problems))


def shown_problem(problem: Problem, setting: str, facts: Constraints) -> Problem:
    """The problem as the policy is asked it: with or without the picture, and with what description of it."""
    if setting == SETTINGS[0]:
        return problem
    if setting == SETTINGS[3]:
        return replace(problem, images=())
    if setting == SETTINGS[2]:
        facts = flip_fields(facts, _NOISE, random.Random(problem.id)).constraints
    return replace(problem, question=_DESCRIBED.format(question=problem.question, facts=constraints_text(facts)))


def _row(one: Sampled) -> tuple[Cell, ...]:
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
