"""Relations that the extractor states in words: “cone base radius equals cylinder base radius”."""

from __future__ import annotations

from evpv.premises.claims import RelationClaim
from evpv.premises.matching.addressing import name_tokens, positioned
from evpv.premises.matching.facts import Facts
from evpv.premises.matching.findings import Finding
from evpv.types import Relation

COVERED = 0.75
_REVERSE = {"greater": "less", "less": "greater"}


def stated_relation(claim: RelationClaim, facts: Facts) -> Finding | None:
    """A constraint that states the claim's relation, or refutes it by stating it the other way round; None if none does."""
    said = dict(reversed(positioned(claim.text)))
    for kind in (claim.type, _REVERSE.get(claim.type, "")):
        for index, relation in facts.relations.get(kind, ()):
            places = [_place(entity, said) for entity in relation.entities]
            if len(places) < 2 or None in places:
                continue
            holds = _in_order(relation, places) == (kind == claim.type) if kind in _REVERSE else True
            text = f"the figure states {relation.type}: {', '.join(relation.entities)}."
            return Finding(
                verdict="supported" if holds else "contradicted",
                constraint=index,
                confidence=relation.confidence,
                explanation=text,
            )
    return None


def _place(entity: str, said: dict[str, int]) -> int | None:
    """Where a sentence names an entity, by its rarest words: those of its own come first in “cone base radius”."""
    tokens = [word for word, _ in positioned(entity) if word in name_tokens(entity)]
    hit = [word for word in tokens if word in said]
    return said[hit[0]] if tokens and len(hit) / len(tokens) >= COVERED else None


def _in_order(relation: Relation, places: list[int | None]) -> bool:
    known = [place for place in places if place is not None]
    return known == sorted(known) and len(set(known)) == len(known)
