"""The one name of a relation, by the paper's synonym groups."""

from __future__ import annotations

_SYNONYMS = {
    "orthogonal": "perpendicular", "normal": "perpendicular", "congruent": "equal", "equals": "equal", "same": "equal",
    "larger": "greater", "more": "greater", "smaller": "less", "fewer": "less", "contains": "subset", "inside": "subset",
    "contained": "subset", "containment": "subset", "on": "incident", "lies-on": "incident", "incidence": "incident",
    "intersect": "incident", "collinear": "incident", "tangent": "incident", "next-to": "adjacent", "neighbor": "adjacent",
    "⟂": "perpendicular", "⊥": "perpendicular", "∥": "parallel", "||": "parallel", "≅": "equal", "=": "equal", ">": "greater", "<": "less",
    "longer": "greater", "taller": "greater", "higher": "greater", "shorter": "less", "lower": "less", "longer-than": "greater",
    "taller-than": "greater", "greater-than": "greater", "shorter-than": "less", "less-than": "less", "⊂": "subset",
}  # fmt: skip


def canonical_relation(name: str) -> str:
    """The paper's name for a relation.

    >>> canonical_relation("Orthogonal"), canonical_relation("continuous_at")
    ('perpendicular', 'continuous_at')
    """
    name = name.strip().lower().replace(" ", "-")
    return _SYNONYMS.get(name, name)
