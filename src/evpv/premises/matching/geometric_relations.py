"""Relations in labelled figures: stated by a mark, or following from values and expressions."""

from __future__ import annotations

import re

from evpv.language.expressions import polynomial
from evpv.premises.claims import RelationClaim
from evpv.premises.matching.facts import Facts, Key
from evpv.premises.matching.findings import Finding, decided, missing, number, opposite, together
from evpv.premises.matching.geometry import equals_of, known, label_text, lines_of
from evpv.premises.matching.values import equal
from evpv.premises.normalize import words
from evpv.premises.normalize.labels import canonical_points, entity_key, labels
from evpv.premises.normalize.text import plain


def geometric_relation(claim: RelationClaim, facts: Facts) -> Finding | None:
    """A relation between labelled things; None if the claim names fewer than it needs."""
    if claim.form == "expression":
        return _labelled_with(claim, facts)
    keys = [label.key for label in labels(claim.text)]
    named = [key for key in (entity_key(entity) for entity in claim.entities) if key]
    finding = _of_type(claim, keys if len(keys) >= len(named) else named, facts)
    return opposite(finding) if finding and denies(claim) else finding


def denies(claim: RelationClaim) -> bool:
    """Whether a claim says that its relation does not hold."""
    if claim.type == "equal" and words.UNEQUAL.search(claim.text):
        return True
    said = next((pattern.search(claim.text) for name, pattern in words.RELATIONS if name == claim.type), None)
    said = said or words.GREATER.search(claim.text) or words.LESS.search(claim.text) or words.HIGHEST.search(claim.text)
    return said is not None and words.negated(claim.text, said.start())


def _of_type(claim: RelationClaim, keys: list[Key], facts: Facts) -> Finding | None:
    segments = [frozenset(key[1]) for key in keys if key[0] == "segment"]
    if claim.type in ("perpendicular", "parallel"):
        segments = _beside(claim, segments)
        return _directions(claim.type, segments, facts) if len(segments) >= 2 else None
    if claim.form == "extreme":
        return _extreme(claim, keys, facts)
    if claim.type in ("greater", "less") and len(keys) >= 2:
        return _ordered(claim, keys, facts)
    if claim.type == "equal":
        return _equality(claim, keys, facts)
    if claim.type in ("incident", "subset", "adjacent"):
        return _listed(claim, facts)
    return None


def _beside(claim: RelationClaim, segments: list[frozenset[str]]) -> list[frozenset[str]]:
    """The two lines that the relation word stands between or right after, where the sentence names more."""
    word = next(
        (found for name, cue in words.RELATIONS if name == claim.type and (found := cue.search(claim.text))), None
    )
    named = [label for label in labels(claim.text) if label.kind == "segment"]
    if word is None or len(named) != len(segments) or not named:
        return segments
    before = [frozenset(label.points) for label in named if label.end <= word.start()]
    after = [frozenset(label.points) for label in named if label.end > word.start()]
    if after and (before or len(after) < 2):
        return [*before[-1:], after[0]]
    return before[-2:] if before else after[:2]


def _directions(kind: str, segments: list[frozenset[str]], facts: Facts) -> Finding:
    """Perpendicular or parallel: stated by a relation or an angle, refuted by the other relation or a shared point."""
    first, second = segments[0], segments[1]
    pair, shown = {first, second}, f"{_text(first)} {'⟂' if kind == 'perpendicular' else '∥'} {_text(second)}"
    other = "parallel" if kind == "perpendicular" else "perpendicular"
    for name, verdict in ((kind, "supported"), (other, "contradicted")):
        for index, relation in facts.relations.get(name, ()):
            if pair <= lines_of(relation):
                said = "the figure marks" if verdict == "supported" else f"the figure marks them {other}, not"
                return Finding(verdict="supported" if verdict == "supported" else "contradicted", constraint=index,
                               confidence=relation.confidence, explanation=f"{said} {shown}.")  # fmt: skip
    shared = first & second
    if len(shared) == 1 and kind == "parallel":
        return Finding(
            verdict="contradicted",
            explanation=f"{_text(first)} and {_text(second)} meet at {next(iter(shared))}, so they are not parallel.",
        )
    if len(shared) == 1:
        vertex = next(iter(shared))
        key = ("angle", canonical_points("angle", (next(iter(first - shared)), vertex, next(iter(second - shared)))))
        angle = next(iter(facts.by_key.get(key, ())), None)
        if angle is not None:
            return decided(equal(angle.value, 90.0), [angle], f"the angle between them is {number(angle.value)}°.")
    return missing(f"the figure does not say whether {shown}.")


def _text(segment: frozenset[str]) -> str:
    return "".join(sorted(segment))


_BISECTS_ANGLE = re.compile(r"\bbisect", re.IGNORECASE)


def _equality(claim: RelationClaim, keys: list[Key], facts: Facts) -> Finding | None:
    if _BISECTS_ANGLE.search(claim.text) or re.search(r"\bmidpoint\b", claim.text, re.IGNORECASE):
        keys = _halves(claim, keys) or keys
    triangle = next((key for key in keys if key[0] == "triangle"), None)
    sides = [key for key in keys if key[0] in ("segment", "angle", "arc", "circle")]
    if triangle and len(sides) < 2:
        return _equal_sides(claim, triangle, facts)
    polygon = next((label for label in labels(claim.text) if label.kind == "polygon"), None)
    if (
        polygon
        and not sides
        and re.search(r"\b(?:all|four|five|six)\b.{0,20}\bsides\b|\brhombus\b", claim.text, re.IGNORECASE)
    ):
        corners = zip(polygon.points, polygon.points[1:] + polygon.points[:1], strict=True)
        sides = [("segment", canonical_points("segment", pair)) for pair in corners]
    if len(sides) < 2:
        return None
    return together([_same_size(sides[0], side, facts) for side in sides[1:]])


def _halves(claim: RelationClaim, keys: list[Key]) -> list[Key]:
    """What a bisector or a midpoint makes equal."""
    ray = next((key for key in keys if key[0] == "segment"), None)
    angle = next((key for key in keys if key[0] == "angle" and len(key[1]) == 3), None)
    if ray and angle and angle[1][1] in ray[1]:
        a, vertex, c = angle[1]
        end = next(point for point in ray[1] if point != vertex)
        return [
            ("angle", canonical_points("angle", (a, vertex, end))),
            ("angle", canonical_points("angle", (end, vertex, c))),
        ]
    middle = re.search(
        r"\b([A-Z])\b(?=[^A-Z]{1,24}\bmidpoint)|\bmidpoint\b[^A-Z]{1,12}[A-Z]{2} is (?:point )?([A-Z])\b", claim.text
    )
    if middle and ray:
        point = middle[1] or middle[2]
        return [("segment", canonical_points("segment", (point, end))) for end in ray[1]]
    return []


def _equal_sides(claim: RelationClaim, triangle: Key, facts: Facts) -> Finding | None:
    """“Triangle ABC is isosceles”, “equilateral”, with no sides named."""
    a, b, c = triangle[1][:3]
    sides: list[Key] = [("segment", canonical_points("segment", pair)) for pair in ((a, b), (b, c), (a, c))]
    findings = [_same_size(sides[i], sides[j], facts) for i, j in ((0, 1), (1, 2), (0, 2))]
    if re.search(r"\bequilateral\b", claim.text, re.IGNORECASE):
        return together(findings)
    if re.search(r"\bisosceles\b", claim.text, re.IGNORECASE):
        supported = [finding for finding in findings if finding.verdict == "supported"]
        if supported or all(finding.verdict == "contradicted" for finding in findings):
            return (supported or findings)[0]
        return missing(f"the figure does not say which sides of {label_text(triangle)} are equal.")
    return None


def _same_size(left: Key, right: Key, facts: Facts) -> Finding:
    shown = f"{label_text(left)} = {label_text(right)}"
    for index, relation in facts.relations.get("equal", ()):
        keys = [entity_key(plain(entity)) for entity in relation.entities]
        if left in keys and right in keys:
            return Finding(
                verdict="supported",
                constraint=index,
                confidence=relation.confidence,
                explanation=f"the figure marks {shown}.",
            )
    a, b = known(left, facts), known(right, facts)
    if a and b:
        return decided(
            equal(a.value, b.value),
            [a, b],
            f"{label_text(left)} is {number(a.value)} and {label_text(right)} is {number(b.value)}.",
        )
    if right in equals_of(left, facts):
        return Finding(verdict="supported", explanation=f"{shown} follows from the equalities marked in the figure.")
    forms = [_expressions_of(key, facts) for key in (left, right)]
    same = forms[0].keys() & forms[1].keys()
    if same:
        index = forms[0][next(iter(same))]
        return Finding(
            verdict="supported",
            constraint=index,
            explanation=f"{label_text(left)} and {label_text(right)} carry the same expression.",
        )
    return missing(f"the figure does not say whether {shown}.")


def _expressions_of(key: Key, facts: Facts) -> dict[object, int]:
    """Canonical forms of the expressions that the figure writes at a label, with the constraint's index."""
    found: dict[object, int] = {}
    for index, relation in facts.relations.get("equal", ()):
        keys = [entity_key(plain(entity)) for entity in relation.entities]
        if key in keys:
            forms = (polynomial(plain(e)) for e, k in zip(relation.entities, keys, strict=True) if k is None)
            found.update((form, index) for form in forms if form is not None)
    return found


def _labelled_with(claim: RelationClaim, facts: Facts) -> Finding | None:
    """“AB is labeled x + 2”."""
    key, form = entity_key(claim.entities[0]), polynomial(claim.entities[1])
    if key is None or form is None:
        return None
    written = _expressions_of(key, facts)
    if form in written:
        return Finding(
            verdict="supported",
            constraint=written[form],
            explanation=f"the figure writes {claim.entities[1]} at {label_text(key)}.",
        )
    if written:
        index = next(iter(written.values()))
        relation = next(r for i, r in facts.relations["equal"] if i == index)
        return Finding(verdict="contradicted", constraint=index, confidence=relation.confidence,
                       explanation=f"the figure writes {relation.entities[-1]} at {label_text(key)}, not {claim.entities[1]}.")  # fmt: skip
    if direct := facts.by_key.get(key):
        return decided(
            False,
            direct[:1],
            f"the figure writes {number(direct[0].value)} at {label_text(key)}, not {claim.entities[1]}.",
        )
    return missing(f"the figure writes nothing at {label_text(key)}.")


def _ordered(claim: RelationClaim, keys: list[Key], facts: Facts) -> Finding:
    left, right = (known(key, facts) for key in keys[:2])
    if left is None or right is None:
        return missing(f"the figure does not give both {label_text(keys[0])} and {label_text(keys[1])}.")
    holds = left.value > right.value if claim.type == "greater" else left.value < right.value
    holds = holds and not equal(left.value, right.value)
    return decided(
        holds,
        [left, right],
        f"{label_text(keys[0])} is {number(left.value)}, {label_text(keys[1])} is {number(right.value)}.",
    )


def _extreme(claim: RelationClaim, keys: list[Key], facts: Facts) -> Finding | None:
    """“AB is the longest side of triangle ABC”, “∠B is the largest angle”."""
    triangle = next((key for key in keys if key[0] == "triangle"), None)
    subject = next((key for key in keys if key[0] in ("segment", "angle", "circle")), None)
    if subject is None:
        return None
    if triangle and subject[0] == "segment":
        a, b, c = triangle[1][:3]
        rivals: list[Key] = [("segment", canonical_points("segment", pair)) for pair in ((a, b), (b, c), (a, c))]
    else:
        rivals = [key for key in facts.by_key if key[0] == subject[0] and len(key[1]) == len(subject[1])]
    values = {key: fact for key in rivals if (fact := known(key, facts))}
    if subject not in values:
        return missing(f"the figure gives no value for {label_text(subject)}.")
    if len(values) < len(rivals) or len(values) < 2:
        larger = [
            k
            for k, f in values.items()
            if (f.value > values[subject].value) == (claim.type == "greater")
            and not equal(f.value, values[subject].value)
        ]
        if not larger:
            return missing(f"the figure does not give everything that {label_text(subject)} is compared with.")
    best = (max if claim.type == "greater" else min)(values.values(), key=lambda fact: fact.value)
    mine = values[subject]
    return decided(
        equal(mine.value, best.value),
        [mine, best],
        f"{label_text(subject)} is {number(mine.value)}; the {'largest' if claim.type == 'greater' else 'smallest'} is {number(best.value)}.",
    )


def _listed(claim: RelationClaim, facts: Facts) -> Finding | None:
    """Incidence, containment and adjacency: only what the figure lists."""
    wanted = {_entity_form(entity) for entity in claim.entities}
    if len(wanted) < 2:
        return None
    for index, relation in facts.relations.get(claim.type, ()):
        if wanted <= {_entity_form(entity) for entity in relation.entities}:
            return Finding(
                verdict="supported",
                constraint=index,
                confidence=relation.confidence,
                explanation=f"the figure shows {', '.join(relation.entities)} as {claim.type}.",
            )
    return missing(f"the figure does not list {', '.join(claim.entities)} as {claim.type}.")


def _entity_form(entity: str) -> object:
    text = plain(entity)
    return entity_key(text) or (
        ("point", (text.split()[-1],)) if text and len(text.split()[-1]) == 1 else words.content(text)
    )
