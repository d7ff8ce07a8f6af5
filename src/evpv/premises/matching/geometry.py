"""Values in labelled figures: of segments, angles and circles, given or following at once from what is."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from evpv.premises.claims import NumericClaim
from evpv.premises.matching.facts import Fact, Facts, Key
from evpv.premises.matching.findings import Finding, decided, missing, number, read, said, together
from evpv.premises.matching.values import agreement, equal
from evpv.premises.normalize import words
from evpv.premises.normalize.labels import Label, canonical_points, entity_key, labels
from evpv.premises.normalize.text import plain
from evpv.types import Numeric, Relation


def geometric_value(claim: NumericClaim, facts: Facts) -> Finding | None:
    """A claim that gives labelled things a value; None if it names none or the figure has no such labels."""
    named = [label for label in labels(claim.text) if label.kind in ("segment", "angle", "arc", "circle")]
    if not named:
        return None
    if claim.form != "value":
        return _compared(claim, [label.key for label in named], facts)
    if len(named) > 1 and len(claim.values) == 1 and _adds(claim, named):
        return _summed(claim, [label.key for label in named], facts)
    if _COMPUTES.search(claim.text):
        return missing("the claim computes with what the figure shows rather than reading it.")
    findings = [_value(label, quantity_of, claim, facts) for label, quantity_of in _paired(named, claim)]
    return together(findings) if findings else None


_COMPUTES = re.compile(
    r"[A-Z]{2,3}\s*(?:[\^+*/×÷·]|-\s*[∠A-Z\d])|[\^+*/×÷·√]\s*\(?[∠]?[A-Z]{2,3}\b|\b(?:sin|cos|tan)\b"
)
_SUM = re.compile(r"\b(?:sum of|add up to|adds up to|total of)\b", re.IGNORECASE)


def _adds(claim: NumericClaim, named: list[Label]) -> bool:
    """“AB + AC = 14”, “the sum of AB and AC is 14”."""
    if any(label.end > claim.values[0].start for label in named):
        return False
    between = [claim.text[a.end : b.start].strip() for a, b in itertools.pairwise(named)]
    return _SUM.search(claim.text) is not None or all(gap in ("+", "+ m") for gap in between)


def _summed(claim: NumericClaim, keys: list[Key], facts: Facts) -> Finding:
    terms = [fact for key in keys if (fact := known(key, facts)) is not None]
    if len(terms) < len(keys):
        return missing(f"the figure does not give all of {', '.join(map(label_text, keys))}.")
    total = terms[0].with_value(sum(fact.value for fact in terms))
    holds = agreement(claim.values[0], total, claim.text) == "same"
    return decided(holds, terms, f"{' + '.join(map(label_text, keys))} is {number(total.value)}.")


def _compared(claim: NumericClaim, keys: list[Key], facts: Facts) -> Finding | None:
    """“AB is 3 units longer than BC”, “AB is twice BC”."""
    if len(keys) != 2:
        return None
    left, right = (known(key, facts) for key in keys)
    if left is None or right is None:
        return missing(f"the figure does not give both {label_text(keys[0])} and {label_text(keys[1])}.")
    gap = left.value - right.value
    wanted = -gap if words.LESS.search(claim.text) else gap if words.GREATER.search(claim.text) else abs(gap)
    stated = claim.values[0]
    holds = (
        equal(stated.value * right.value, left.value)
        if claim.form == "ratio"
        else agreement(stated, left.with_value(wanted), claim.text) == "same"
    )
    return decided(
        holds,
        [left, right],
        f"{label_text(keys[0])} is {number(left.value)}, {label_text(keys[1])} is {number(right.value)}.",
    )


_CIRCLE_MEASURE = re.compile(r"\b(radius|diameter|circumference|area)\b", re.IGNORECASE)


def _measure(text: str) -> str | None:
    match = _CIRCLE_MEASURE.search(text)
    return match[1].lower() if match else None


_JOINED = re.compile(r"\s*(?:,|and|&|or|=|≅|both|,\s*and)?\s*", re.IGNORECASE)


def _paired(named: list[Label], claim: NumericClaim) -> Iterator[tuple[Label, int]]:
    """Each value with the label said right before it, and the labels that a list joins to that one.

    Where all labels follow the values ("13 is the length of AD"), the first of them is meant.
    """
    taken: set[int] = set()
    for which, value in enumerate(claim.values):
        before = [i for i, label in enumerate(named) if label.end <= value.start]
        while before and before[-1] not in taken:
            last = before.pop()
            taken.add(last)
            yield named[last], which
            if not before or not _JOINED.fullmatch(claim.text, named[before[-1]].end, named[last].start):
                break
    if not taken:
        yield named[0], len(claim.values) - 1


def _value(label: Label, which: int, claim: NumericClaim, facts: Facts) -> Finding:
    quantity, name = claim.values[which], label_text((label.kind, label.points))
    fact = known(label.key, facts, _measure(claim.text) if label.kind == "circle" else None)
    if fact is None:
        total = _angle_sum(label.key, facts)
        if total is not None and agreement(quantity, total, claim.text) == "same":
            return decided(True, [total], f"{name} is {number(total.value)} as the sum of two angles in the figure.")
        return missing(f"the figure gives no value for {name}.")
    outcome = agreement(quantity, fact, claim.text)
    if outcome == "unclear":
        return missing(f"{name} was only estimated ({read(fact)}), too loosely to tell.")
    return decided(
        outcome == "same",
        [fact],
        f"claimed {said(quantity)} for {name}, the figure shows {read(fact)}.",
    )


def label_text(key: Key) -> str:
    kind, points = key
    return {"angle": "∠", "triangle": "△"}.get(kind, "" if kind == "segment" else kind + " ") + "".join(points)


def known(key: Key, facts: Facts, attribute: str | None = None) -> Fact | None:
    """The most confident fact on a labelled thing, directly or through what follows at once from the figure."""
    direct = [fact for fact in _same_thing(key, facts) if attribute is None or fact.attribute == attribute]
    if direct:
        return max(direct, key=lambda fact: fact.constraint.confidence)
    if key[0] == "circle":
        return _other_diameter(key, facts, attribute)
    if key[0] == "angle" and (right := _right_angle(key, facts)) is not None:
        return right
    return next((fact for other in equals_of(key, facts) for fact in facts.by_key.get(other, ())), None)


def _same_thing(key: Key, facts: Facts) -> list[Fact]:
    """Facts on the same label; “angle B” is the only angle at B."""
    if key in facts.by_key:
        return facts.by_key[key]
    if key[0] != "angle":
        return []
    if len(key[1]) == 1:
        at_vertex = [k for k in facts.by_key if k[0] == "angle" and len(k[1]) == 3 and k[1][1] == key[1][0]]
        return facts.by_key[at_vertex[0]] if len(at_vertex) == 1 else []
    return facts.by_key.get(("angle", (key[1][1],)), []) if len(key[1]) == 3 else []


def _other_diameter(key: Key, facts: Facts, attribute: str | None) -> Fact | None:
    """A radius from a diameter and the other way round."""
    factor = {"radius": ("diameter", 0.5), "diameter": ("radius", 2.0)}.get(attribute or "")
    if factor is None:
        return None
    source = next((fact for fact in facts.by_key.get(key, ()) if fact.attribute == factor[0]), None)
    return source.with_value(source.value * factor[1]) if source else None


def _right_angle(key: Key, facts: Facts) -> Fact | None:
    """90° where the two sides of an angle are perpendicular."""
    if len(key[1]) != 3:
        return None
    a, b, c = key[1]
    for index, relation in facts.relations.get("perpendicular", ()):
        if lines_of(relation) == {frozenset((a, b)), frozenset((b, c))}:
            source = Numeric(
                entity=label_text(key), attribute="angle", value=90.0, unit="deg", confidence=relation.confidence
            )
            return Fact(
                index=index, constraint=source, key=key, row="", column="", attribute="angle", unit="degree", scale=1.0
            )
    return None


def _angle_sum(key: Key, facts: Facts) -> Fact | None:
    """∠ABC as ∠ABD + ∠DBC, where both are given."""
    if key[0] != "angle" or len(key[1]) != 3:
        return None
    a, vertex, c = key[1]
    at = {k: f[0] for k, f in facts.by_key.items() if k[0] == "angle" and len(k[1]) == 3 and k[1][1] == vertex}
    for (_, (p, _, q)), fact in at.items():
        middle = q if p == a else p if q == a else None
        other = (
            at.get(("angle", canonical_points("angle", (middle, vertex, c))))
            if middle not in (None, c) and middle
            else None
        )
        if other is not None:
            return fact.with_value(fact.value + other.value)
    return None


def lines_of(relation: Relation) -> set[frozenset[str]]:
    keys = [entity_key(plain(entity)) for entity in relation.entities]
    return {frozenset(key[1]) for key in keys if key and key[0] == "segment"}


def equals_of(key: Key, facts: Facts) -> list[Key]:
    """All labels that the figure's equalities tie to this one."""
    reached, queue = [key], [key]
    while queue:
        current = queue.pop()
        for _, relation in facts.relations.get("equal", ()):
            keys = [k for k in (entity_key(plain(entity)) for entity in relation.entities) if k]
            if current in keys:
                fresh = [k for k in keys if k not in reached]
                reached += fresh
                queue += fresh
    return reached[1:]
