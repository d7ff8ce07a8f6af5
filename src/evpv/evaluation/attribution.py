"""Why wrong steps are wrong: the paper's two-level taxonomy where it is known, and our own diagnosis from the trace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from evpv.errors import RecordError
from evpv.evaluation.outcomes import WRONG
from evpv.reward.steps import Fault, fault
from evpv.types import StepTrace, Trace

TAXONOMY = {
    "visual-structural": ("Visual Misinterpretation", "Structural Misunderstanding"),
    "visual-value": ("Visual Misinterpretation", "Value Misreading"),
    "visual-object": ("Visual Misinterpretation", "Object Misidentification"),
    "logical": ("Logical Error", None),
    "calculation": ("Calculation Error", None),
    "knowledge": ("Knowledge Error", None),
    "incompleteness": ("Incompleteness", None),
}
"""Our names of error types → the paper's top level and, for visual ones, its sub-type (Appendix D.5)."""


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
