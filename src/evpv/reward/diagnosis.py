"""A bad premise or bad reasoning? What a trace says is wrong with a step."""

from __future__ import annotations

from typing import Literal

from evpv.types import StepTrace

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
