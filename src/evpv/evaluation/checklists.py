"""Do candidates say when they look? Appendix F's audit, by policy and by data set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from evpv.errors import RecordError
from evpv.evaluation.outcomes import policy_of
from evpv.premises.auditing import checklist_metrics
from evpv.premises.auditing.checklist import ChecklistMetrics
from evpv.types import Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class ChecklistRow:
    """One row of the table: how many candidates it covers, and their figures."""

    name: str
    units: int
    metrics: ChecklistMetrics


def checklist_table(traces: Iterable[Trace]) -> list[ChecklistRow]:
    """All candidates, then by policy, then by data set. Steps need `visual` (ν*): whether they should look.

    The policy's own flags count (ν): claims that the auditor filled in are not the policy's.
    """
    audited = [one for trace in traces for one in _flags(trace)]
    if not audited:
        raise RecordError("no step of this run says whether it should look (`visual`): there is nothing to audit.")
    groups: dict[str, list[tuple[list[bool], list[bool]]]] = {"all": [pair for _, _, pair in audited]}
    for policy, source, pair in audited:
        for name in (f"policy {policy}" if policy else "", source):
            if name:
                groups.setdefault(name, []).append(pair)
    return [
        ChecklistRow(
            name=name,
            units=len(pairs),
            metrics=checklist_metrics(
                [flag for flags, _ in pairs for flag in flags], [need for _, needs in pairs for need in needs]
            ),
        )
        for name, pairs in groups.items()
    ]


def _flags(trace: Trace) -> Iterator[tuple[str, str, tuple[list[bool], list[bool]]]]:
    for candidate in trace.candidates:
        needs = [step.step.visual for step in candidate.steps]
        if all(need is None for need in needs):
            continue
        if not all(isinstance(need, bool) for need in needs):
            raise RecordError(
                f"problem {trace.problem_id!r}, candidate {candidate.id!r}: `visual` must be true or false for every step."
            )
        flags = [step.claim is not None and step.step.claim_from == "policy" for step in candidate.steps]
        yield (
            policy_of(trace, candidate),
            trace.problem.data_source or "",
            (flags, [bool(n) for n in needs]),
        )
