"""Claims about how a figure is put together: its parts, and where they are attached."""

from __future__ import annotations

import re

from evpv.premises.claims import StructureClaim
from evpv.premises.grammar import SOLIDS
from evpv.premises.matching.addressing import name_tokens
from evpv.premises.matching.facts import Facts
from evpv.premises.matching.findings import Finding, missing
from evpv.premises.normalize.words import stems
from evpv.types import Structure

PART_OVERLAP = 0.5
LONGEST_NAME = 3
"""A part of more words is a description, which no list of parts can refute."""
_PLACES = {
    "top": "top", "above": "top", "upper": "top", "over": "top", "bottom": "bottom", "below": "bottom", "under": "bottom", "beneath": "bottom",
    "underneath": "bottom", "base": "bottom", "left": "left", "right": "right", "inside": "inside", "within": "inside", "inscribed": "inside",
    "side": "side", "removed": "removed", "cut": "removed",
}  # fmt: skip
_COUNTED = re.compile(
    r"\b(two|three|four|five|six|seven|eight|nine|ten|\d{1,2})\s+(?:\w+\s)?(columns|rows|bars|slices|sectors|categories|lines|parts|figures|terms|stages|years|groups|branches)\b",
    re.IGNORECASE)  # fmt: skip
_COUNT_OF = {
    w: i for i, w in enumerate(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"])
}


def structure_finding(claim: StructureClaim, facts: Facts) -> Finding:
    """The claimed parts and attachments against the structures that were read."""
    rivals = [(i, s) for i, s in facts.structures if s.type == claim.type] or [
        (i, s) for i, s in facts.structures if claim.type == "composite" and s.type not in ("table", "graph")
    ]
    rivals = [(i, s) for i, s in rivals if s.parts]
    if not rivals:
        return missing("no such structure was read from the figure.")
    findings = [_against(claim, index, structure, facts) for index, structure in rivals]
    return next((f for f in findings if f.verdict == "supported"), findings[0])


_SHAPE = re.compile(rf"\b{SOLIDS}\b", re.IGNORECASE)


def _against(claim: StructureClaim, index: int, structure: Structure, facts: Facts) -> Finding:
    listed = ", ".join(structure.parts)
    if claim.type == "composite" and not any(_SHAPE.search(part) for part in structure.parts):
        return missing("no shapes were read from the figure, only its labels.")
    if claim.type == "composite" and (clash := _misplaced(claim, structure)):
        return Finding(
            verdict="contradicted",
            constraint=index,
            confidence=structure.confidence,
            explanation=f"the figure shows {clash}.",
        )
    count = _count(claim, structure, facts)
    if count is False:
        return Finding(
            verdict="contradicted",
            constraint=index,
            confidence=structure.confidence,
            explanation=f"the figure has the parts {listed}.",
        )
    names = [*structure.parts, *(facts.rows if claim.type == "table" else ())]
    parts = [part for part in claim.parts if not _COUNTED.match(part)]
    unknown = [part for part in parts if name_tokens(part) and not any(_covers(part, name) for name in names)]
    if not claim.parts and count is None:
        return missing("the claim names no part that could be compared.")
    describes = claim.type == "table" and not _NAMES_COLUMNS.search(claim.text)
    if unknown and (describes or any(len(name_tokens(part)) > LONGEST_NAME for part in unknown)):
        return missing("the claim describes the figure rather than naming its parts.")
    if not unknown:
        return Finding(
            verdict="supported",
            constraint=index,
            confidence=structure.confidence,
            explanation=f"the figure has the parts {listed}.",
        )
    return Finding(
        verdict="contradicted",
        constraint=index,
        confidence=structure.confidence,
        explanation=f"the figure has the parts {listed}; '{unknown[0]}' is not among them.",
    )


_UNIT = re.compile(r"\s?\([^()]{0,80}\)")


_NAMES_COLUMNS = re.compile(r"\b(?:table|columns?|rows?|headers?|headings?)\b", re.IGNORECASE)


def _covers(part: str, name: str) -> bool:
    wanted, have = (name_tokens(_UNIT.sub("", text) or text) for text in (part, name))
    return len(wanted & have) / max(min(len(wanted), len(have)), 1) >= PART_OVERLAP


def _count(claim: StructureClaim, structure: Structure, facts: Facts) -> bool | None:
    """Whether a stated number of columns, rows or parts is right; None if none is stated."""
    match = _COUNTED.search(claim.text)
    if match is None:
        return None
    stated = _COUNT_OF.get(match[1].lower())
    stated = int(match[1]) if stated is None else stated
    columns = len(structure.parts)
    if match[2].lower() in ("rows", "categories", "bars", "slices", "sectors"):
        return stated in (len(facts.rows), columns, columns - 1)
    right = stated in (columns, columns - 1)
    return right if right or match[2].lower() == "columns" else None


def _misplaced(claim: StructureClaim, structure: Structure) -> str | None:
    """An attachment of the same two parts in another place than claimed."""
    parts = frozenset(token for part in claim.parts for token in name_tokens(part))
    said = _placed(claim.text, parts)
    if said is None or len(parts) < 2:
        return None
    for attachment in (*structure.attachment, *structure.adjacency):
        seen = _placed(attachment, parts)
        if seen is None or len(parts & frozenset(stems(attachment))) < 2:
            continue
        place = seen[1] if seen[0] == said[0] else _TURNED.get(seen[1], seen[1])
        if place != said[1]:
            return attachment
    return None


_JOINERS = frozenset({"joined", "attached", "fixed", "glued", "fitted", "connected"})
_TURNED = {"top": "bottom", "bottom": "top", "left": "right", "right": "left"}


def _placed(text: str, parts: frozenset[str]) -> tuple[str, str] | None:
    """Which part is said to be where: the last part named before the place word, else the last one named at all."""
    tokens = stems(text)
    at = next((i for i, token in enumerate(tokens) if token in _PLACES), None)
    if at is None:
        return None
    before = [i for i, token in enumerate(tokens[:at]) if token in parts]
    if len(before) > 1 and any(token in _JOINERS for token in tokens[before[-2] : before[-1]]):
        before = before[:-1]  # “a cone is joined to a cylinder on top”: the cone is
    named = [tokens[i] for i in before] or [token for token in tokens if token in parts]
    return (named[-1], _PLACES[tokens[at]]) if named else None
