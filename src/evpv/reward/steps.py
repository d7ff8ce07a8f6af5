"""The steps of one candidate: which premises each answers for, and its reward behind the gate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from evpv.premises.dependence import inherited_uses, uses
from evpv.premises.reliability import step_reliability
from evpv.reward.gating import Gated
from evpv.reward.method import Method
from evpv.types import Candidate, Match, Step, StepJudgement, StepTrace


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
    if method.step_local:
        premises = _local_premises(earlier_steps(candidate, question), matches)
    else:
        premises = [_Premises(None if match is None else trusted) for match in matches]
    steps = zip(candidate.steps, matches, judgements, premises, strict=True)
    return tuple(_step_trace(*one, method) for one in steps)


class _Premises(NamedTuple):
    """How far the premises of a step can be trusted, None where it has none; and the earlier steps whose claims are among them."""

    trust: float | None
    uses: tuple[int, ...] = ()


def _local_premises(earlier: Sequence[tuple[int, ...]], matches: Sequence[Match | None]) -> list[_Premises]:
    """The premises of each step: its own claim, and the checked claims of the earlier steps that it builds on."""
    supports = [_checked_support(match) for match in matches]
    found = []
    for own, before in zip(supports, earlier, strict=True):
        used = {index: support for index in before if (support := supports[index]) is not None}
        found.append(_Premises(step_reliability(own, list(used.values())), tuple(used)))
    return found


def _step_trace(
    step: Step, match: Match | None, judgement: StepJudgement, premises: _Premises, method: Method
) -> StepTrace:
    """The step behind the gate, by how far its premises can be trusted."""
    base, trust = judgement.reward, premises.trust
    gated = None if base is None or trust is None else method.gate_function(base, trust)
    return StepTrace(
        step=step,
        match=match,
        judgement=judgement,
        gate=_shown_gate(match, base, gated),
        reward=base if gated is None else gated.reward,
        reliability=trust,
        uses=premises.uses,
    )


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


Fault = Literal["premise", "reasoning"]


def fault(step: StepTrace, threshold: float = 0.0) -> Fault | None:
    """What is wrong with a step, if anything: `faultOf` in viewer/page/scoring.js.

    A contradicted claim is a premise error, whatever the judge says. Else the judge's own number below the threshold θ is a
    reasoning error, and a reward that only the gate brought below θ a premise error, its own or one that it builds on.
    """
    if step.verdict == "contradicted":
        return "premise"
    if step.base_reward is not None and step.base_reward < threshold:
        return "reasoning"
    return "premise" if step.reward is not None and step.reward < threshold else None
