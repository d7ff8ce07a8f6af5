"""A run taken apart: why wrong steps are wrong, whether candidates say when they look (Appendix F), what a question cost (Appendix H)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from evpv.errors import RecordError
from evpv.evaluation.outcomes import WRONG, policy_of
from evpv.premises.auditing import checklist_metrics
from evpv.premises.auditing.checklist import ChecklistMetrics
from evpv.reward.assess import Fault, fault
from evpv.types import TAXONOMY, CandidateTrace, StepTrace, Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribution:
    """Wrong steps by type, and how our premise-or-reasoning diagnosis sees each type; `missed` were called right."""

    types: Counter[str]
    diagnosed: Counter[tuple[str, Fault | None]]

    @property
    def steps(self) -> int:
        return self.types.total()

    def share(self, top_level: str) -> float:
        """The share of wrong steps whose type is of this top-level category."""
        named = sum(count for name, count in self.types.items() if TAXONOMY[name][0] == top_level)
        return named / self.steps if self.steps else 0.0

    def agreement(self) -> float | None:
        """Of the wrong steps that were found, how many are put down to the right side: premise or reasoning."""
        found = Counter({key: count for key, count in self.diagnosed.items() if key[1] is not None})
        agreed = sum(count for (name, said), count in found.items() if (said == "premise") == name.startswith("visual"))
        return agreed / found.total() if found else None


def attribution(traces: Iterable[Trace], threshold: float = 0.0) -> Attribution:
    """The error types of all wrong steps. Errors that a step inherits count as the type they came from."""
    types, diagnosed = Counter[str](), Counter[tuple[str, Fault | None]]()
    for trace in traces:
        for candidate in trace.candidates:
            for index, step in enumerate(candidate.steps):
                if step.step.label == WRONG and (name := _type(trace, candidate.id, index, step)):
                    types[name] += 1
                    diagnosed[name, fault(step, threshold)] += 1
    if not types:
        raise RecordError(
            "no wrong step of this run has an error type: they come with `evpv figures`, or from `evpv classify`."
        )
    return Attribution(types=types, diagnosed=diagnosed)


def _type(trace: Trace, candidate: str, index: int, step: StepTrace) -> str | None:
    name = step.step.error
    if name is None:
        return None
    if name not in TAXONOMY:
        raise RecordError(
            f"problem {trace.problem_id!r}, candidate {candidate!r}: step {index + 1} has the unknown error type {name!r}; "
            f"there are: {', '.join(TAXONOMY)}."
        )
    return name


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


TOOL_SHARE = 0.21
"""The share of steps for which TIM-PRM calls its tool, as the paper quotes it."""


KINDS = {
    "calls": "calls", "images": "image encodes", "prompt_tokens": "prompt tokens", "completion_tokens": "decoded tokens",
    "hits": "cache hits", "retries": "retries", "seconds": "seconds", "money": "money",
}  # fmt: skip
"""What a ledger counts → what a table calls it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Expected:
    """Calls per question by formula: extractor, judge, tool."""

    extractor: float
    judge: float
    tool: float

    @property
    def total(self) -> float:
        return self.extractor + self.judge + self.tool


@dataclass(frozen=True, slots=True, kw_only=True)
class CostReport:
    """Sums per stage over a run, and what the formulas expect for its steps."""

    problems: int
    steps: int
    stages: Mapping[str, Mapping[str, float]]
    evpv: _Expected
    tim_prm: _Expected


def cost_report(traces: Iterable[Trace], tool_share: float = TOOL_SHARE) -> CostReport:
    """1 extractor call and T judge calls a question for EVPV; T judge calls and p·T tool calls for TIM-PRM."""
    problems = steps = 0
    stages: dict[str, dict[str, float]] = {}
    for trace in traces:
        problems += 1
        steps += sum(len(candidate.steps) for candidate in trace.candidates)
        for stage, spent in _stages(trace.cost).items():
            row = stages.setdefault(stage, {})
            for name, amount in spent.items():
                row[name] = row.get(name, 0.0) + amount
    mean = steps / problems if problems else 0.0
    return CostReport(
        problems=problems,
        steps=steps,
        stages=stages,
        evpv=_Expected(extractor=1.0, judge=mean, tool=0.0),
        tim_prm=_Expected(extractor=0.0, judge=mean, tool=tool_share * mean),
    )


def _stages(cost: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """What each stage asked, as the ledger counted it; figures that belong to no stage are the extractor's own."""
    found = {
        str(name): {key: float(amount) for key, amount in spent.items() if _is_number(amount)}
        for name, spent in (cost.get("stages") or {}).items()
    }
    own = {key: float(amount) for key, amount in cost.items() if _is_number(amount)}
    return found | ({"reading": own} if own else {})


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
