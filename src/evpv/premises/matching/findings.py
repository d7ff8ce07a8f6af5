"""What a check of one form found, before it becomes a `Match` with a support."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from evpv.language.quantities import canonical_unit, number_text, with_unit
from evpv.premises.figure import Cell

NOTHING_READ = "nothing was read of what the claim speaks of."
Verdict = Literal["supported", "contradicted", "missing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A verdict, the constraint that decided it, how sure that constraint is, and one sentence for people. What is missing was not
    understood (`open`), is nothing that the figure has (`unread`), or was found wrong and is doubted."""

    verdict: Verdict
    constraint: int | None = None
    confidence: float = 1.0
    explanation: str = ""
    used: tuple[Cell, ...] = ()
    why_missing: Literal["open", "unread", "doubted"] = "open"

    @property
    def is_certain(self) -> bool:
        """Whether its support does not depend on how probable the claim is by itself."""
        return self.verdict == "supported" or (self.verdict == "contradicted" and self.confidence == 1.0)


def missing(explanation: str) -> Finding:
    return Finding(verdict="missing", explanation=explanation)


def unread(explanation: str) -> Finding:
    """Missing because the figure does not have it, and not because the claim was not understood."""
    return Finding(verdict="missing", explanation=explanation, why_missing="unread")


def doubted(explanation: str) -> Finding:
    """Missing because what was found wrong may be a misunderstanding."""
    return Finding(verdict="missing", explanation=explanation, why_missing="doubted")


def decide(holds: bool, used: Sequence[Cell], explanation: str) -> Finding:
    """A verdict computed from cells; it is as sure as the least sure of them, which is the one it names."""
    weakest = min(used, key=lambda cell: cell.constraint.confidence)
    return Finding(
        verdict="supported" if holds else "contradicted",
        constraint=weakest.index,
        confidence=weakest.constraint.confidence,
        explanation=explanation,
        used=tuple(used),
    )


def opposite(finding: Finding) -> Finding:
    """The finding on the negated claim."""
    if finding.verdict == "missing":
        return finding
    return replace(finding, verdict="contradicted" if finding.verdict == "supported" else "supported")


def together(findings: Sequence[Finding]) -> Finding:
    """The finding on a claim of several parts: wrong if any part is, right if all are, else open."""
    for verdict in ("contradicted", "missing"):
        for finding in findings:
            if finding.verdict == verdict:
                return finding
    return min(findings, key=lambda finding: finding.confidence)


def read(cell: Cell) -> str:
    """A cell's value with the unit that the extractor gave it; one measured against an axis has no more than three digits."""
    unit = canonical_unit(cell.constraint.unit)
    if cell.estimated:
        return f"about {with_unit(number_text(float(f'{cell.value:.3g}')), unit)}"
    return with_unit(number_text(cell.value), unit)


def in_words(cell: Cell) -> str:
    """A cell in words, for explanations."""
    return f"'{cell.constraint.entity}' is {read(cell)}"
