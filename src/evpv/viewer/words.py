"""What a trace says, in words: a constraint, what is wrong with a step, where a candidate first goes wrong.

The page says the same in page/words.js.
"""

from __future__ import annotations

from evpv.records.constraints import value_words
from evpv.types import CandidateTrace, Constraint, Numeric, Relation, StepTrace


def describe(constraint: Constraint) -> str:
    """A constraint in words.

    >>> describe(Numeric(entity="segment AB", attribute="length", value=5.0, unit="cm"))
    'segment AB: length 5 cm'
    """
    if isinstance(constraint, Numeric):
        return f"{constraint.entity}: {constraint.attribute} {value_words(constraint)}"
    if isinstance(constraint, Relation):
        return f"{constraint.type}: {', '.join(constraint.entities)}"
    return f"{constraint.type} of {', '.join(constraint.parts) or 'unnamed parts'}"


def first_bad_step(candidate: CandidateTrace, threshold: float = 0.0) -> tuple[int, str] | None:
    """The first step whose reward is below the threshold, and why: its premise if that is what failed, else the judge."""
    for index, step in enumerate(candidate.steps):
        if step.reward is not None and step.reward < threshold:
            return index, _reason(step)
    return None


def _reason(step: StepTrace) -> str:
    judge = step.judgement.explanation or "the judge finds it wrong"
    if step.base_reward is not None and step.base_reward < 0:
        return judge
    if step.match is not None and step.match.verdict == "contradicted":
        return f"misread: {step.match.explanation}"
    if step.uses:
        return f"builds on step {step.uses[0] + 1}"
    return f"not confirmed: {step.match.explanation}" if step.match is not None else judge
