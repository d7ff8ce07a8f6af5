"""Do candidates say when they look? Appendix F's audit, by policy and by data set."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from evpv.errors import RecordError
from evpv.evaluation.outcomes import policy_of
from evpv.premises.auditing import checklist_metrics
from evpv.premises.auditing.checklist import ChecklistMetrics
from evpv.types import CandidateTrace, Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class ChecklistRow:
    """One row of the table: how many candidates it covers, and their figures."""

    name: str
    units: int
    metrics: ChecklistMetrics


@dataclass(frozen=True, slots=True, kw_only=True)
class _Flags:
    """One candidate: the groups it counts in, where its policy says that it looks (ν), and where it should (ν*)."""

    groups: tuple[str, ...]
    looks: list[bool]
    needs: list[bool]


def checklist_table(traces: Iterable[Trace]) -> list[ChecklistRow]:
    """All candidates, then by policy, then by data set. Steps need `visual` (ν*): whether they should look.

    The policy's own flags count (ν): claims that the auditor filled in are not the policy's.
    """
    flags = [found for trace in traces for one in trace.candidates if (found := _flags(trace, one)) is not None]
    if not flags:
        raise RecordError("no step of this run says whether it should look (`visual`): there is nothing to audit.")
    groups = {"all": flags}
    for one in flags:
        for name in one.groups:
            groups.setdefault(name, []).append(one)
    return [ChecklistRow(name=name, units=len(them), metrics=_metrics(them)) for name, them in groups.items()]


def _metrics(flags: list[_Flags]) -> ChecklistMetrics:
    return checklist_metrics(
        [look for one in flags for look in one.looks], [need for one in flags for need in one.needs]
    )


def _flags(trace: Trace, candidate: CandidateTrace) -> _Flags | None:
    """The flags of a candidate, or None where none of its steps says whether it should look."""
    known = [step.step.visual for step in candidate.steps if step.step.visual is not None]
    if known and len(known) < len(candidate.steps):
        raise RecordError(
            f"problem {trace.problem_id!r}, candidate {candidate.id!r}: `visual` must be true or false for every step."
        )
    policy = policy_of(trace, candidate)
    groups = (f"policy {policy}" if policy else "", trace.problem.data_source or "")
    looks = [step.claim is not None and step.step.claim_from == "policy" for step in candidate.steps]
    return _Flags(groups=tuple(filter(None, groups)), looks=looks, needs=known) if known else None
