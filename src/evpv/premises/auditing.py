"""The dependency auditor."""

from __future__ import annotations

from typing import Literal, TypeAlias

from evpv.types import Candidate

AuditMode: TypeAlias = Literal["off", "report", "fill"]


def completed(candidate: Candidate, question: str, mode: AuditMode) -> Candidate:
    return candidate
