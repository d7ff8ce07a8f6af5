"""The steps of one candidate: which premises each answers for, and its reward behind the gate."""

from __future__ import annotations

from collections.abc import Sequence

from evpv.premises.dependence import inherited_uses, uses
from evpv.premises.reliability import step_reliability
from evpv.reward.gating import Gated
from evpv.reward.method import Method
from evpv.types import Candidate, Match, StepJudgement, StepTrace


def step_traces(
    candidate: Candidate,
    question: str,
    matches: Sequence[Match | None],
    judgements: Sequence[StepJudgement],
    method: Method,
    trusted: float,
) -> tuple[StepTrace, ...]:
    """Gated rewards (Eq. 10): a step without a claim keeps its base reward, one with a claim passes the gate.

    Under a step-local gate, a step without a claim that builds on a claiming step passes it too, for that step's claim.
    """
    earlier = earlier_steps(candidate, question) if method.step_local else [()] * len(candidate.steps)
    gate = method.gate_function
    supports = [_checked_support(match) for match in matches]
    traces = []
    for index, (step, match, judgement) in enumerate(zip(candidate.steps, matches, judgements, strict=True)):
        used: tuple[int, ...] = ()
        premises = trusted if match is not None else None
        if method.step_local:
            used = tuple([i for i in earlier[index] if supports[i] is not None])
            premises = step_reliability(supports[index], [s for i in used if (s := supports[i]) is not None])
        base = judgement.reward
        gated = gate(base, premises) if base is not None and premises is not None else None
        traces.append(
            StepTrace(
                step=step,
                match=match,
                judgement=judgement,
                gate=_shown_gate(match, base, gated),
                reward=base if gated is None else gated.reward,
                reliability=premises,
                uses=used,
            )
        )
    return tuple(traces)


def earlier_steps(candidate: Candidate, question: str) -> list[tuple[int, ...]]:
    """For each step the earlier ones that it builds on, whatever they claim."""
    return inherited_uses(uses([f"{step.text} {step.claim or ''}" for step in candidate.steps], given=question))


def _shown_gate(match: Match | None, base: float | None, gated: Gated | None) -> float | None:
    """The gate that a step's trace shows: none without a claim or a reward, open where the claim could not be checked."""
    if match is None or base is None:
        return None
    return 1.0 if gated is None else gated.gate


def _checked_support(match: Match | None) -> float | None:
    """The support of a claim that could be checked; one that cannot be parsed says nothing against its step."""
    return None if match is None or match.verdict == "unparsed" else match.support
