"""How far one set of constraints is from another, field by field: the paper's criterion for preference pairs."""

from __future__ import annotations

from collections.abc import Sequence

from evpv.types import Constraint, Numeric, Relation, Structure


def distance(constraints: Sequence[Constraint], teacher: Sequence[Constraint]) -> float:
    """0 for the same facts in any order, 1 for nothing in common: one minus a soft F1.

    Facts are paired greedily, most alike first; facts left over on either side count against. Confidence and boxes
    are no part of what is said.

    >>> fact = Numeric(entity="segment AB", attribute="length", value=5.0)
    >>> distance([fact], [fact]), distance([], [fact])
    (0.0, 1.0)
    """
    if not constraints and not teacher:
        return 0.0
    pairs = sorted(
        ((likeness(a, b), i, j) for i, a in enumerate(constraints) for j, b in enumerate(teacher)), reverse=True
    )
    left, right, total = set(range(len(constraints))), set(range(len(teacher))), 0.0
    for alike, i, j in pairs:
        if i in left and j in right:
            left.remove(i)
            right.remove(j)
            total += alike
    return 1 - 2 * total / (len(constraints) + len(teacher))


def likeness(first: Constraint, second: Constraint) -> float:
    """How much two facts agree, from 0 to 1; facts of different categories do not."""
    if isinstance(first, Numeric) and isinstance(second, Numeric):
        about = 0.4 * _shared(_words(first.entity), _words(second.entity)) + 0.1 * (first.attribute == second.attribute)
        return about + 0.4 * _closeness(first.value, second.value) + 0.1 * (first.unit == second.unit)
    if isinstance(first, Relation) and isinstance(second, Relation):
        between = _shared(_all_words(first.entities), _all_words(second.entities))
        return 0.5 * (first.type == second.type) + 0.5 * between
    if isinstance(first, Structure) and isinstance(second, Structure):
        parts = _shared(_all_words(first.parts), _all_words(second.parts))
        joints = _shared(_all_words(first.attachment), _all_words(second.attachment))
        return 0.2 * (first.type == second.type) + 0.6 * parts + 0.2 * joints
    return 0.0


def _closeness(first: float, second: float) -> float:
    """1 for equal values; a near value is at best half right, since a printed number is read or it is not."""
    if first == second:
        return 1.0
    return 0.5 * max(0.0, 1 - abs(first - second) / max(abs(second), 1.0))


def _words(text: str) -> frozenset[str]:
    return frozenset(text.lower().split())


def _all_words(texts: Sequence[str]) -> frozenset[str]:
    return frozenset(word for text in texts for word in text.lower().split())


def _shared(first: frozenset[str], second: frozenset[str]) -> float:
    """Jaccard similarity; two empty sets are the same."""
    return len(first & second) / len(first | second) if first | second else 1.0
