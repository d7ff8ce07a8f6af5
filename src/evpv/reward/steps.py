"""The steps of one candidate: which premises each answers for, and its reward behind the gate."""

from __future__ import annotations

from collections.abc import Sequence

from evpv.premises.dependence import inherited, uses
from evpv.premises.reliability import step_reliability
from evpv.reward.method import Method
from evpv.types import Candidate, Match, StepTrace


def step_traces(
    candidate: Candidate,
    question: str,
    matches: Sequence[Match | None],
    base: Sequence[float | None],
    method: Method,
    trusted: float,
) -> tuple[StepTrace, ...]:
    """Gated rewards (Eq. 10): a step without a claim keeps its base reward, one with a claim passes the gate.

    Under a step-local gate, a step without a claim that builds on a claiming step passes it too, for that step's claim.
    """
    count = len(candidate.steps)
    earlier = _earlier(candidate, question) if method.step_local else [()] * count
    gate = method.gate_function
    traces = []
    for index, (step, match, reward) in enumerate(zip(candidate.steps, matches, base, strict=True)):
        if method.step_local:
            used = tuple(i for i in earlier[index] if _checked(matches[i]) is not None)
            premises = step_reliability(_checked(match), [s for i in used if (s := _checked(matches[i])) is not None])
        else:
            used, premises = (), trusted if match is not None else None
        gated = gate(reward, premises) if reward is not None and premises is not None else None
        traces.append(
            StepTrace(
                text=step.text,
                claim=step.claim,
                claim_from=step.claim_from,
                match=match,
                base_reward=reward,
                gate=None if match is None else gated.gate if gated else None if reward is None else 1.0,
                reward=gated.reward if gated else reward,
                reliability=premises,
                uses=used,
                extra=step.extra,
            )
        )
    return tuple(traces)


def _earlier(candidate: Candidate, question: str) -> list[tuple[int, ...]]:
    return inherited(uses([f"{step.text} {step.claim or ''}" for step in candidate.steps], given=question))


def _checked(match: Match | None) -> float | None:
    """The support of a claim that could be checked; one that cannot be parsed says nothing against its step."""
    return None if match is None or match.verdict == "unparsed" else match.support
