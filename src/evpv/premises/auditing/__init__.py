"""The dependency auditor: which steps rest on the image (ν* of Appendix F), and what they say was seen there.

A policy may leave its checklist out, in part or as a whole. The auditor works on where things come from: a number or a
relation that neither the question gives nor earlier steps state or produce must have been seen.
"""

from evpv.premises.auditing.steps import (
    Audit,
    ChecklistCounts,
    ChecklistMetrics,
    Mode,
    audit,
    checklist_metrics,
    claimed_step,
    complete_claims,
)

__all__ = [
    "Audit",
    "ChecklistCounts",
    "ChecklistMetrics",
    "Mode",
    "audit",
    "checklist_metrics",
    "claimed_step",
    "complete_claims",
]
