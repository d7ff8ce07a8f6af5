"""Our matching function: four verdicts, each with the constraint that decided it and one sentence for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evpv.premises.claims import Claim, NumericClaim, RelationClaim, StructureClaim, Unclassifiable, claim_type
from evpv.premises.grammar import CAUSE, CLAUSE
from evpv.premises.matching import ClaimMatcher
from evpv.premises.matching.comparisons import extremes, table_relation
from evpv.premises.matching.facts import Facts, facts
from evpv.premises.matching.findings import Finding, missing
from evpv.premises.matching.geometric_relations import geometric_relation
from evpv.premises.matching.geometry import geometric_value
from evpv.premises.matching.readings import count_claim, table_value
from evpv.premises.matching.statements import stated_relation
from evpv.premises.matching.structures import structure_finding
from evpv.premises.parsing import parse
from evpv.types import Constraint, Match

MISSING_SUPPORT: Mapping[str, float] = {"numeric": 0.73, "relation": 0.51, "structure": 0.67}
"""How probable a claim of each type is when the extractor has nothing to say of it: fitted to the embedded extractor on
195 drawn problems of the training split (2026-11-15). A setting of the method, `missing`; `evpv fit` fits it anew."""
UNPARSED_SUPPORT = 0.5
FEWEST_CELLS = 3
"""A table or chart of which less was read was probably read badly."""
SHORTEST_COMPOUND = 60
"""Shorter sentences are taken as one claim even if they hold a "but"."""


def grounded_matcher(
    constraints: Sequence[Constraint], *, missing_support: Mapping[str, float] = MISSING_SUPPORT
) -> ClaimMatcher:
    """m(·, C) beyond the paper: *missing* and *contradicted* are different things.

    A contradicted claim has the support that is left if the constraint was misread: none when its confidence is 1.
    """
    index = facts(constraints)
    known: dict[str, Match] = {}

    def match(text: str) -> Match:
        if text not in known:
            claim = parse(text)
            known[text] = _match(claim, _without_reasons(claim, _whole_finding(claim, index)), missing_support)
        return known[text]

    return match


def _without_reasons(claim: Claim, finding: Finding) -> Finding:
    """A sentence that also says why is not supported by what the figure shows, though it may be refuted by it."""
    if finding.verdict == "supported" and CAUSE.search(claim.text):
        return missing("the claim gives a reason or an example that the figure does not show.")
    return finding


def _whole_finding(claim: Claim, index: Facts) -> Finding:
    """The finding on a sentence: clause by clause where it joins several ("…, while …"), else as one."""
    if isinstance(claim, Unclassifiable) or len(claim.text) < SHORTEST_COMPOUND:
        return _finding(claim, index)
    clauses = [parse(part) for part in CLAUSE.split(claim.text)]
    stated = [clause for clause in clauses if not isinstance(clause, Unclassifiable)]
    if len(clauses) < 2 or not stated:
        return _finding(claim, index)
    findings = [_finding(clause, index) for clause in stated]
    right = [finding for finding in findings if finding.verdict == "supported"]
    wrong = [finding for finding in findings if finding.verdict == "contradicted"]
    if wrong:
        return wrong[0]
    undecided = next((finding for finding in findings if finding.verdict == "missing"), None)
    return undecided or min(right, key=lambda finding: finding.confidence)


def _finding(claim: Claim, index: Facts) -> Finding:
    match claim:
        case NumericClaim():
            found = _numeric(claim, index)
        case RelationClaim():
            found = _relation(claim, index)
        case StructureClaim():
            found = structure_finding(claim, index)
        case Unclassifiable():
            found = missing(claim.reason)
    return found


def _relation(claim: RelationClaim, index: Facts) -> Finding:
    found = geometric_relation(claim, index)
    if found is not None and (found.verdict != "missing" or not index.cells):
        return found
    return stated_relation(claim, index) or table_relation(claim, index)


def _numeric(claim: NumericClaim, index: Facts) -> Finding:
    if (count := count_claim(claim, index)) is not None:
        return count
    found = geometric_value(claim, index)
    if found is not None and (found.verdict != "missing" or not index.cells):
        return found
    found = table_value(claim, index)
    if found.verdict == "supported" and claim.form == "value" and index.tabular:
        return next((finding for finding in extremes(claim.text, index) if finding.verdict == "contradicted"), found)
    if found.verdict == "contradicted" and index.tabular and len(index.cells) < FEWEST_CELLS:
        return missing("too little of the table or chart was read to refute anything.")
    return found


def _match(claim: Claim, finding: Finding, missing_support: Mapping[str, float]) -> Match:
    kind = claim_type(claim)
    if isinstance(claim, Unclassifiable):
        return Match(
            type=kind, verdict="unparsed", support=UNPARSED_SUPPORT, explanation=f"not checked: {claim.reason}."
        )
    unknown = missing_support[kind]
    support = {
        "supported": finding.confidence,
        "contradicted": (1.0 - finding.confidence) * unknown,
        "missing": unknown,
    }[finding.verdict]
    return Match(
        type=kind,
        verdict=finding.verdict,
        support=support,
        constraint=finding.constraint,
        explanation=finding.explanation,
    )
