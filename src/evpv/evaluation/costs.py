"""What a question cost, stage by stage, beside the paper's formula and TIM-PRM's (Appendix H)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from evpv.types import Trace

TOOL_SHARE = 0.21
"""The share of steps for which TIM-PRM calls its tool, as the paper quotes it."""


KINDS = {
    "calls": "calls", "images": "image encodes", "prompt_tokens": "prompt tokens", "completion_tokens": "decoded tokens",
    "hits": "cache hits", "retries": "retries", "seconds": "seconds", "money": "money",
}  # fmt: skip
"""What a ledger counts → what a table calls it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
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
    evpv: Expected
    tim_prm: Expected


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
        evpv=Expected(extractor=1.0, judge=mean, tool=0.0),
        tim_prm=Expected(extractor=0.0, judge=mean, tool=tool_share * mean),
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
