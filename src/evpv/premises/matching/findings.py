"""What a check of one claim found, before it becomes a `Match` with a support."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from evpv.premises.matching.facts import Fact
from evpv.premises.normalize.numbers import Quantity
from evpv.premises.normalize.units import canonical_unit, with_unit

NOTHING_READ = "nothing was read of what the claim speaks of."
Verdict = Literal["supported", "contradicted", "missing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A verdict, the constraint that decided it, how sure that constraint is, and one sentence for people."""

    verdict: Verdict
    constraint: int | None = None
    confidence: float = 1.0
    explanation: str = ""


def missing(explanation: str) -> Finding:
    return Finding(verdict="missing", explanation=explanation)


def decided(holds: bool, used: Sequence[Fact], explanation: str) -> Finding:
    """A verdict computed from facts; it is as sure as the least sure of them, which is the one it names."""
    weakest = min(used, key=lambda fact: fact.constraint.confidence)
    return Finding(
        verdict="supported" if holds else "contradicted",
        constraint=weakest.index,
        confidence=weakest.constraint.confidence,
        explanation=explanation,
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


def number(value: float) -> str:
    """A value as a person would write it.

    >>> number(12.0), number(7.071068), number(15400.0)
    ('12', '7.07107', '15,400')
    """
    return f"{value:,.0f}" if abs(value) < 1e15 and value == int(value) else f"{value:.6g}"


def said(quantity: Quantity) -> str:
    """A quantity as the claim put it: "90 mm", "$2.77 trillion" with its scale written out."""
    return with_unit(number(quantity.absolute), quantity.unit)


def read(fact: Fact) -> str:
    """A fact's value with the unit that the extractor gave it; one measured against an axis has no more than three digits."""
    unit = canonical_unit(fact.constraint.unit)
    if fact.constraint.reading == "estimated":
        return f"about {with_unit(number(float(f'{fact.value:.3g}')), unit)}"
    return with_unit(number(fact.value), unit)


def in_words(fact: Fact) -> str:
    """A fact in words, for explanations."""
    return f"'{fact.constraint.entity}' is {read(fact)}"
