"""The paper's matching function, exactly as Appendix B states it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter

from evpv.language.lexicon import canonical_relation
from evpv.premises.claims import NumericClaim, RelationClaim, StructureClaim, parse
from evpv.premises.matching import ClaimMatcher
from evpv.types import STRUCTURE_TYPES, ClaimType, Constraint, Match, Numeric, Relation, Structure

_ENTITY_SIMILARITY = 0.5
_TOLERANCE = 0.15
"""δ of Eq. 15. It accepts 45° for 50°; the `grounded` preset does not."""
_NEUTRAL_SUPPORT = 0.5


@lru_cache(maxsize=4096)
def paper_tokens(text: str) -> frozenset[str]:
    """Tok(x) of Appendix B: lower case, punctuation removed, split on white space.

    >>> sorted(paper_tokens("The Segment A-B, (of X)"))
    ['ab', 'of', 'segment', 'the', 'x']
    """
    return frozenset("".join(c for c in text.lower() if c.isalnum() or c.isspace()).split())


def jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    """|A ∩ B| / |A ∪ B|; two empty sets share nothing, so 0.

    >>> jaccard(frozenset({"a", "b"}), frozenset({"b", "c"}))
    0.3333333333333333
    """
    shared = len(left & right)
    return shared / (len(left) + len(right) - shared) if shared else 0.0


@dataclass(frozen=True, slots=True)
class _Tokenised:
    """The constraint set with its tokens, computed once."""

    numeric: dict[str, list[tuple[int, Numeric, frozenset[str]]]]
    relation: dict[str, list[tuple[int, Relation, frozenset[str]]]]
    structure: list[tuple[int, Structure, frozenset[str]]]


def paper_matcher(constraints: Sequence[Constraint], *, tolerance: float = _TOLERANCE) -> ClaimMatcher:
    """m(·, C): support p_j of a claim by the constraints (Eqs. 4, 15–17)."""
    tokenised = _tokenised(constraints)
    known: dict[str, Match] = {}

    def match(claim: str) -> Match:
        if claim not in known:
            known[claim] = _match(claim, tokenised, tolerance)
        return known[claim]

    return match


def _tokenised(constraints: Sequence[Constraint]) -> _Tokenised:
    result = _Tokenised({}, {}, [])
    for index, constraint in enumerate(constraints):
        if isinstance(constraint, Numeric):
            row = (index, constraint, paper_tokens(constraint.entity))
            result.numeric.setdefault(constraint.attribute.strip().lower(), []).append(row)
        elif isinstance(constraint, Relation):
            tokens = frozenset[str]().union(*map(paper_tokens, constraint.entities))
            result.relation.setdefault(canonical_relation(constraint.type), []).append((index, constraint, tokens))
        elif constraint.type != "caption":  # prose for a judge to read, not a fact to be matched
            result.structure.append((index, constraint, frozenset[str]().union(*map(paper_tokens, constraint.parts))))
    return result


def _match(text: str, constraints: _Tokenised, tolerance: float) -> Match:
    claim = parse(text)
    if isinstance(claim, NumericClaim):
        return _numeric(claim, constraints, tolerance)
    if isinstance(claim, RelationClaim):
        return _relation(claim, constraints)
    if isinstance(claim, StructureClaim):
        return _structure(claim, constraints)
    reason = f"not checked: {claim.reason}"
    return Match(type="unclassifiable", verdict="unparsed", support=_NEUTRAL_SUPPORT, explanation=reason)


def relative_error(claimed: float, read: float) -> float:
    """|x − v| / max(|x|, 1), the left side of Eq. 15's test.

    >>> relative_error(45, 50) < _TOLERANCE
    True
    """
    return abs(claimed - read) / max(abs(claimed), 1.0)


def _numeric(claim: NumericClaim, constraints: _Tokenised, tolerance: float) -> Match:
    """p_num, Eq. 15: among the constraints on the same entity and attribute, the most confident decides."""
    entity, rows = paper_tokens(claim.entity), constraints.numeric.get(claim.attribute, ())
    same = [(index, one) for index, one, tokens in rows if jaccard(entity, tokens) >= _ENTITY_SIMILARITY]
    if not same:
        shown = f"no constraint on the {claim.attribute} of '{claim.entity}'"
        return Match(type="numeric", verdict="missing", support=0.0, explanation=shown)
    index, best = max(same, key=lambda row: row[1].confidence)
    value = claim.values[0].absolute
    shown = f"claimed {value:g}, read {best.value:g} for '{best.entity}'"
    if relative_error(value, best.value) < tolerance:
        return Match(type="numeric", verdict="supported", support=best.confidence, constraint=index, explanation=shown)
    return Match(type="numeric", verdict="contradicted", support=0.0, constraint=index, explanation=shown)


def _relation(claim: RelationClaim, constraints: _Tokenised) -> Match:
    """p_rel, Eq. 16: best token overlap with a constraint of the same type, times its confidence."""
    entities = frozenset[str]().union(*map(paper_tokens, claim.entities))
    rows = constraints.relation.get(canonical_relation(claim.type), ())
    overlaps = [(jaccard(entities, tokens) * one.confidence, index) for index, one, tokens in rows]
    return _best("relation", overlaps, f"'{claim.type}' between {', '.join(claim.entities)}")


def _structure(claim: StructureClaim, constraints: _Tokenised) -> Match:
    """p_str, Eq. 17: best token overlap of the parts with a structure of compatible type, times its confidence. Types named by the schema
    must agree; a type outside it (the paper's own "quadrilateral") excludes nothing."""
    parts = frozenset[str]().union(*map(paper_tokens, claim.parts))
    overlaps = [
        (jaccard(parts, tokens) * one.confidence, index)
        for index, one, tokens in constraints.structure
        if claim.type == one.type or not {claim.type, one.type} <= {*STRUCTURE_TYPES}
    ]
    return _best("structure", overlaps, f"{claim.type} of {', '.join(claim.parts)}")


def _best(kind: ClaimType, overlaps: list[tuple[float, int]], what: str) -> Match:
    support, index = max(overlaps, key=itemgetter(0), default=(0.0, -1))
    if support == 0.0:
        return Match(type=kind, verdict="missing", support=0.0, explanation=f"no constraint says {what}")
    shown = f"{what}: overlap × confidence = {support:.2f}"
    return Match(type=kind, verdict="supported", support=support, constraint=index, explanation=shown)
