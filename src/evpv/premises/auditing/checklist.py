"""A candidate's checklist completed, and how complete a checklist is (Appendix F)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from evpv.premises.auditing.steps import Audit, audit
from evpv.types import Candidate, Step

Mode = Literal["off", "report", "fill"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChecklistCounts:
    """The sums of Appendix F: steps, those that should look (ν* = 1), those flagged (ν = 1), and where the two differ."""

    steps: int
    should: int
    flagged: int
    omitted: int
    false_positives: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChecklistMetrics:
    """OmissionRate, FalsePosRate and Completeness of Appendix F; None where there is nothing to divide by."""

    omission_rate: float | None
    false_positive_rate: float | None
    completeness: float | None
    counts: ChecklistCounts


def complete_claims(candidate: Candidate, question: str, mode: Mode) -> Candidate:
    """The candidate with what the auditor found: noted as its `audit` ("report"), or also as claims ("fill").

    A policy's own claim is never replaced. "off" gives the candidate back as it is.
    """
    if mode == "off":
        return candidate
    found = audit(candidate, question)
    steps = tuple(_with_audit(step, one, mode) for step, one in zip(candidate.steps, found, strict=True))
    return replace(candidate, steps=steps)


def _with_audit(step: Step, found: Audit, mode: Mode) -> Step:
    note = {"visual": found.visual, "claim": found.claim, "says": found.says, "reason": found.reason}
    noted = replace(step, audit=note)
    if mode == "fill" and step.claim is None and (found.claim is not None or found.says is not None):
        return replace(noted, claim=found.claim, claim_from="auditor")
    return noted


def claimed_step(step: Step, matching: str) -> Step:
    """The step with what is to be checked of it: under `grounded` all that the auditor found it to say, under `paper` one claim.

    A policy's own claim is what it is under both, and so is a claim of the auditor's that was stored without the rest.
    """
    if step.claim_from != "auditor" or step.audit is None or "says" not in step.audit:
        return step
    claim = step.audit["says" if matching == "grounded" else "claim"]
    return step if claim == step.claim else replace(step, claim=claim)


def checklist_metrics(flags: Sequence[bool], truth: Sequence[bool]) -> ChecklistMetrics:
    """Appendix F over the steps of any number of candidates: `flags` are ν, `truth` is ν*.

    Omissions are counted against the steps that should look, false positives against the steps that are flagged.

    >>> checklist_metrics([True, True, False], [True, False, True]).omission_rate
    0.5
    """
    pairs = Counter(zip(flags, truth, strict=True))
    seen, omitted, false_positives = pairs[True, True], pairs[False, True], pairs[True, False]
    should, flagged = seen + omitted, seen + false_positives
    omission = omitted / should if should else None
    return ChecklistMetrics(
        omission_rate=omission,
        false_positive_rate=false_positives / flagged if flagged else None,
        completeness=None if omission is None else 1.0 - omission,
        counts=ChecklistCounts(
            steps=pairs.total(), should=should, flagged=flagged, omitted=omitted, false_positives=false_positives
        ),
    )
