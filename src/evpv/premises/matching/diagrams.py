"""Labelled figures: values, expressions and relations of segments, angles and circles, given or following at once from what is."""

from __future__ import annotations

from collections.abc import Sequence

from evpv.language.expressions import polynomial
from evpv.language.forms import Amount, Between, KeySum, Measure, Stated, amount_text
from evpv.language.labels import Key, canonical_points, label_text
from evpv.language.quantities import number_text
from evpv.language.tokens import name_stems
from evpv.premises.figure import Cell, Figure, Link
from evpv.premises.matching.findings import Finding, decided, missing, opposite, read, together
from evpv.premises.matching.values import agreement, equal
from evpv.types import Numeric

_COVERED = 0.75
_REVERSE = {"greater": "less", "less": "greater"}


def measure_finding(form: Measure, figure: Figure) -> Finding:
    """A labelled thing's value or expression."""
    if not form.key[1]:
        return _anywhere(form, figure)
    if form.expression:
        return _labelled_with(form, figure)
    assert form.amount is not None
    name = label_text((form.key[0], form.drawn or form.key[1]))
    cell = known(form.key, figure, form.attribute or None)
    if cell is None and form.key[0] == "angle" and len(form.key[1]) == 1 and equal(form.amount.quantity.value, 90.0):
        corner = _right_corner(Between(relation="perpendicular", keys=(), vertex=form.key[1][0]), figure)
        if corner.verdict == "supported":
            return corner if form.amount.bound in ("=", ">=", "<=") else opposite(corner)
    if cell is None:
        total = _angle_sum(form.key, figure)
        if total is not None and agreement(form.amount, total) == "same":
            return decided(
                True, [total], f"{name} is {number_text(total.value)} as the sum of two angles in the figure."
            )
        if form.key[0] == "polygon" and form.attribute == "perimeter" and (around := _perimeter(form, figure)):
            return around
        return missing(f"the figure gives no value for {name}.")
    outcome = agreement(form.amount, cell)
    if outcome == "unclear":
        return missing(f"{name} was only estimated ({read(cell)}), too loosely to tell.")
    return decided(
        outcome == "same", [cell], f"claimed {amount_text(form.amount)} for {name}, the figure shows {read(cell)}."
    )


def _anywhere(form: Measure, figure: Figure) -> Finding:
    """“The three angles are given as 3x, 4x and 5x”: some angle has it."""
    kind = form.key[0]
    if form.expression:
        wanted = polynomial(form.expression)
        for link in figure.links.get("equal", ()):
            if wanted is not None and wanted in link.expressions and any(key and key[0] == kind for key in link.keys):
                return Finding(
                    verdict="supported",
                    constraint=link.index,
                    confidence=link.relation.confidence,
                    explanation=f"the figure writes {form.expression} at {label_text(next(k for k in link.keys if k))}.",
                )
    for cell in figure.numeric:
        if form.amount is not None and cell.key and cell.key[0] == kind and agreement(form.amount, cell) == "same":
            return decided(True, [cell], f"the figure shows {read(cell)} at {label_text(cell.key)}.")
    return missing(f"the claim does not say which {kind} it means.")


def _labelled_with(form: Measure, figure: Figure) -> Finding:
    """“AB is labeled x + 2”."""
    wanted, name = polynomial(form.expression), label_text((form.key[0], form.drawn or form.key[1]))
    if wanted is None:
        return missing(f"'{form.expression}' is no expression that could be compared.")
    keys = _same_keys(form.key, figure) | set(equals_of(form.key, figure))
    written = [
        (link, e)
        for link in figure.links.get("equal", ())
        if any(k in keys for k in link.keys)
        for e in link.expressions
        if e is not None
    ]
    for link, expression in written:
        if expression == wanted:
            return Finding(
                verdict="supported",
                constraint=link.index,
                confidence=link.relation.confidence,
                explanation=f"the figure writes {form.expression} at {name}.",
            )
    if written:
        link = written[0][0]
        return Finding(
            verdict="contradicted",
            constraint=link.index,
            confidence=link.relation.confidence,
            explanation=f"the figure writes {link.relation.entities[-1]} at {name}, not {form.expression}.",
        )
    if direct := figure.by_key.get(form.key):
        if len(form.expression) == 1:
            return missing(
                f"the figure writes {number_text(direct[0].value)} at {name}, which {form.expression} may stand for."
            )
        return decided(
            False, direct[:1], f"the figure writes {number_text(direct[0].value)} at {name}, not {form.expression}."
        )
    return missing(f"the figure writes nothing at {name}.")


def _same_keys(key: Key, figure: Figure) -> set[Key]:
    """The key and other names of the same thing: “angle B” is the only angle at B."""
    if key[0] != "angle" or len(key[1]) != 1:
        return {key}
    every = {k for link in figure.links.get("equal", ()) for k in link.keys if k and k[0] == "angle" and len(k[1]) == 3}
    every |= {k for k in figure.by_key if k[0] == "angle" and len(k[1]) == 3}
    at_vertex = {k for k in every if k[1][1] == key[1][0]}
    return {key, *at_vertex} if len(at_vertex) == 1 else {key}


def known(key: Key, figure: Figure, attribute: str | None = None) -> Cell | None:
    """The most confident value of a labelled thing, directly or through what follows at once from the figure."""
    direct = [cell for cell in _same_thing(key, figure) if attribute is None or cell.attribute == attribute]
    if direct:
        return max(direct, key=lambda cell: cell.constraint.confidence)
    if key[0] == "circle":
        return _other_diameter(key, figure, attribute)
    if key[0] == "angle" and (right := _right_angle(key, figure)) is not None:
        return right
    tied = next((cell for other in equals_of(key, figure) for cell in figure.by_key.get(other, ())), None)
    return tied or _radius_drawn(key, figure)


def _radius_drawn(key: Key, figure: Figure) -> Cell | None:
    """The radius of a circle, for a segment from its centre to a point on it."""
    for centre, end in (key[1], key[1][::-1]) if key[0] == "segment" else ():
        circle = ("circle", (centre,))
        on = any(circle in link.keys and ("point", (end,)) in link.keys for link in figure.links.get("incident", ()))
        if on:
            return known(circle, figure, "radius")
    return None


def _same_thing(key: Key, figure: Figure) -> list[Cell]:
    if key in figure.by_key:
        return figure.by_key[key]
    if key[0] != "angle":
        return []
    if len(key[1]) == 1:
        others = [k for k in _same_keys(key, figure) if k in figure.by_key]
        return figure.by_key[others[0]] if others else []
    return figure.by_key.get(("angle", (key[1][1],)), []) if len(key[1]) == 3 else []


def _other_diameter(key: Key, figure: Figure, attribute: str | None) -> Cell | None:
    """A radius from a diameter and the other way round."""
    factor = {"radius": ("diameter", 0.5), "diameter": ("radius", 2.0)}.get(attribute or "")
    if factor is None:
        return None
    source = next((cell for cell in figure.by_key.get(key, ()) if cell.attribute == factor[0]), None)
    return source.with_value(source.value * factor[1]) if source else None


def _right_angle(key: Key, figure: Figure) -> Cell | None:
    """90° where the two sides of an angle are perpendicular."""
    if len(key[1]) != 3:
        return None
    a, b, c = key[1]
    for link in figure.links.get("perpendicular", ()):
        if link.lines == {frozenset((a, b)), frozenset((b, c))}:
            source = Numeric(
                entity=label_text(key), attribute="angle", value=90.0, unit="deg", confidence=link.relation.confidence
            )
            return Cell(
                index=link.index,
                constraint=source,
                key=key,
                row="",
                column="",
                attribute="angle",
                unit="degree",
                scale=1.0,
            )
    return None


def _angle_sum(key: Key, figure: Figure) -> Cell | None:
    """∠ABC as ∠ABD + ∠DBC, where both are given."""
    if key[0] != "angle" or len(key[1]) != 3:
        return None
    a, vertex, c = key[1]
    at = {k: cells[0] for k, cells in figure.by_key.items() if k[0] == "angle" and len(k[1]) == 3 and k[1][1] == vertex}
    for (_, (p, _, q)), cell in at.items():
        middle = q if p == a else p if q == a else None
        if middle is None or middle == c:
            continue
        other = at.get(("angle", canonical_points("angle", (middle, vertex, c))))
        if other is not None:
            return cell.with_value(cell.value + other.value)
    return None


def _perimeter(form: Measure, figure: Figure) -> Finding | None:
    """The sides of a polygon added up, where all are known."""
    points = form.drawn
    sides = [
        known(("segment", tuple(sorted(pair))), figure) for pair in zip(points, points[1:] + points[:1], strict=True)
    ]
    given = [side for side in sides if side is not None]
    if len(given) < len(points) or form.amount is None:
        return None
    total = given[0].with_value(sum(side.value for side in given))
    return decided(agreement(form.amount, total) == "same", given, f"the sides add up to {number_text(total.value)}.")


def equals_of(key: Key, figure: Figure) -> list[Key]:
    """All labels that the figure's equalities tie to this one."""
    reached, queue = [key], [key]
    while queue:
        current = queue.pop()
        for link in figure.links.get("equal", ()):
            if current in link.keys:
                fresh = [k for k in link.keys if k is not None and k not in reached]
                reached += fresh
                queue += fresh
    return reached[1:]


def sum_finding(form: KeySum, figure: Figure) -> Finding:
    """“AB + AC = 14”."""
    terms = [cell for key in form.keys if (cell := known(key, figure)) is not None]
    if len(terms) < len(form.keys):
        return missing(f"the figure does not give all of {', '.join(map(label_text, form.keys))}.")
    total = terms[0].with_value(sum(cell.value for cell in terms))
    holds = agreement(form.amount, total) == "same"
    return decided(holds, terms, f"{' + '.join(map(label_text, form.keys))} is {number_text(total.value)}.")


def between_finding(form: Between, figure: Figure) -> Finding:
    """A relation between labelled things."""
    if form.relation in ("parallel", "perpendicular"):
        return _directions(form, figure)
    if form.times is not None or form.by is not None:
        return _apart(form, figure)
    if form.relation == "extreme":
        return _extreme(form, figure)
    if form.relation in ("greater", "less"):
        return _ordered(form, figure)
    if form.relation == "equal":
        return together([_same_size(form.keys[0], key, figure) for key in form.keys[1:]])
    if form.relation == "marked":
        link = next(
            (
                one
                for one in figure.links.get("equal", ())
                if form.keys[0] in one.keys and sum(k is not None for k in one.keys) > 1
            ),
            None,
        )
        return (
            _found(True, link, f"the figure marks {label_text(form.keys[0])} as equal to another.")
            if link
            else missing(f"the figure marks {label_text(form.keys[0])} as equal to nothing.")
        )
    if form.relation in ("isosceles", "equilateral"):
        return _equal_sides(form, figure)
    return _listed(form, figure)


def _found(holds: bool, link: Link, explanation: str) -> Finding:
    return Finding(
        verdict="supported" if holds else "contradicted",
        constraint=link.index,
        confidence=link.relation.confidence,
        explanation=explanation,
    )


def _directions(form: Between, figure: Figure) -> Finding:
    """Perpendicular or parallel: stated by a relation or an angle, refuted by the other relation or a shared point."""
    segments = [frozenset(key[1]) for key in form.keys if key[0] == "segment"]
    if form.relation == "perpendicular" and (form.vertex or len(segments) < 2):
        return _right_corner(form, figure)
    if len(segments) < 2:
        return missing("the claim names no two lines.")
    first, second = segments[:2]
    sign = "⟂" if form.relation == "perpendicular" else "∥"
    shown = f"{_text(first)} {sign} {_text(second)}"
    other = "parallel" if form.relation == "perpendicular" else "perpendicular"
    for link in figure.links.get(form.relation, ()):
        if {first, second} <= link.lines:
            return _found(True, link, f"the figure marks {shown}.")
    for link in figure.links.get(other, ()):
        if {first, second} <= link.lines:
            return _found(False, link, f"the figure marks them {other}, not {shown}.")
    shared = first & second
    if len(shared) == 1 and form.relation == "parallel":
        meeting = next(iter(shared))
        return Finding(
            verdict="contradicted",
            explanation=f"{_text(first)} and {_text(second)} meet at {meeting}, so they are not parallel.",
        )
    if len(shared) == 1:
        vertex = next(iter(shared))
        key = ("angle", canonical_points("angle", (next(iter(first - shared)), vertex, next(iter(second - shared)))))
        angle = next(iter(figure.by_key.get(key, ())), None)
        if angle is not None:
            return decided(equal(angle.value, 90.0), [angle], f"the angle between them is {number_text(angle.value)}°.")
    return missing(f"the figure does not say whether {shown}.")


def _text(segment: frozenset[str]) -> str:
    return "".join(sorted(segment))


def _right_corner(form: Between, figure: Figure) -> Finding:
    """A right angle at a vertex, of an angle, or anywhere in a triangle."""
    angle = next((key for key in form.keys if key[0] == "angle"), None)
    triangle = next((key for key in form.keys if key[0] in ("triangle", "polygon")), None)
    line = next((frozenset(key[1]) for key in form.keys if key[0] == "segment"), None)
    if angle is not None and len(angle[1]) == 3:
        cell = known(angle, figure)
        if cell is None:
            return missing(f"the figure does not say whether {label_text(angle)} is a right angle.")
        return decided(equal(cell.value, 90.0), [cell], f"{label_text(angle)} is {number_text(cell.value)}°.")
    vertex = angle[1][0] if angle is not None else form.vertex
    inside = frozenset(triangle[1]) if triangle is not None else None
    for link in figure.links.get("perpendicular", ()):
        lines = sorted(link.lines, key=sorted)
        if len(lines) < 2 or (inside is not None and not all(one <= inside for one in lines)):
            continue
        shared = lines[0] & lines[1]
        if (vertex in ("?", "*") and (line is None or line in lines)) or vertex in shared:
            return _found(True, link, f"the figure marks {_text(lines[0])} ⟂ {_text(lines[1])}.")
    at_vertex = [
        cells[0]
        for key, cells in figure.by_key.items()
        if key[0] == "angle" and key[1][len(key[1]) // 2] == vertex and (inside is None or set(key[1]) <= inside)
    ]
    right = next((cell for cell in at_vertex if equal(cell.value, 90.0)), None)
    if right is not None:
        return decided(True, [right], f"the figure shows 90° at {vertex}.")
    if len(at_vertex) == 1 and inside is not None:
        return decided(False, at_vertex, f"the angle at {vertex} is {number_text(at_vertex[0].value)}°.")
    if (elsewhere := _only_corner(figure)) is not None and vertex not in ("?", "*"):
        return elsewhere
    return missing("the figure marks no right angle there.")


def _only_corner(figure: Figure) -> Finding | None:
    """Where the one triangle of a figure has its right angle: it has no second one."""
    keys = [*figure.by_key, *(key for group in figure.links.values() for link in group for key in link.keys if key)]
    points = {point for key in keys if key[0] in ("segment", "angle", "triangle") for point in key[1]}
    link = next((one for one in figure.links.get("perpendicular", ()) if len(one.lines) == 2), None)
    if link is None or len(points) != 3:
        return None
    first, second = sorted(link.lines, key=sorted)
    return _found(False, link, f"the right angle is between {_text(first)} and {_text(second)}.")


def _apart(form: Between, figure: Figure) -> Finding:
    """“AB is 3 units longer than BC”, “AB is twice BC”."""
    left, right = (known(key, figure) for key in form.keys[:2])
    if left is None or right is None:
        return missing(f"the figure does not give both {label_text(form.keys[0])} and {label_text(form.keys[1])}.")
    shown = f"{label_text(form.keys[0])} is {number_text(left.value)}, {label_text(form.keys[1])} is {number_text(right.value)}."
    if form.times is not None:
        wanted = form.times.quantity.absolute * right.value
        if form.times.bound != "=":
            return decided(
                left.value > wanted if form.times.bound[0] == ">" else left.value < wanted, [left, right], shown
            )
        return decided(
            abs(left.value - wanted) <= (0.05 if form.times.hedged else 1e-6) * max(abs(wanted), 1e-9),
            [left, right],
            shown,
        )
    assert form.by is not None
    gap = left.value - right.value
    wanted_gap = -gap if form.relation == "less" else gap if form.relation == "greater" else abs(gap)
    return decided(agreement(form.by, left.with_value(wanted_gap)) == "same", [left, right], shown)


def _same_size(left: Key, right: Key, figure: Figure) -> Finding:
    """Equal by a mark, by values or by expressions."""
    if left == right:
        return missing("the claim compares a thing with itself.")
    for link in figure.links.get("equal", ()):
        if left in link.keys and right in link.keys:
            return _found(True, link, f"the figure marks {label_text(left)} = {label_text(right)}.")
    a, b = known(left, figure), known(right, figure)
    if a is not None and b is not None:
        text = f"{label_text(left)} is {number_text(a.value)}, {label_text(right)} is {number_text(b.value)}."
        return decided(equal(a.value, b.value), [a, b], text)
    tied = equals_of(left, figure)
    first = _expressions_of(left, figure)
    shared = [
        link for expression, link in first if any(expression == other for other, _ in _expressions_of(right, figure))
    ]
    if right in tied or shared:
        link = shared[0] if shared else next(link for link in figure.links["equal"] if left in link.keys)
        return _found(True, link, f"the figure gives {label_text(left)} and {label_text(right)} the same size.")
    return missing(f"the figure does not say whether {label_text(left)} = {label_text(right)}.")


def _expressions_of(key: Key, figure: Figure) -> list[tuple[object, Link]]:
    return [
        (e, link)
        for link in figure.links.get("equal", ())
        if key in link.keys
        for e in link.expressions
        if e is not None
    ]


def _equal_sides(form: Between, figure: Figure) -> Finding:
    """Isosceles: two sides (or base angles) of the triangle are equal; equilateral: all sides of the polygon."""
    points = form.drawn[0] if form.drawn else form.keys[0][1]
    pairs = list(zip(points, points[1:] + points[:1], strict=True))
    sides: list[Key] = [("segment", tuple(sorted(pair))) for pair in pairs]
    if form.relation == "equilateral":
        return together([_same_size(sides[0], side, figure) for side in sides[1:]])
    findings = [_same_size(a, b, figure) for i, a in enumerate(sides) for b in sides[i + 1 :]]
    if len(points) == 3:
        corners: list[Key] = [
            ("angle", canonical_points("angle", (points[i - 1], points[i], points[(i + 1) % 3]))) for i in range(3)
        ]
        findings += [
            f
            for i, a in enumerate(corners)
            for b in corners[i + 1 :]
            if (f := _same_size(a, b, figure)).verdict == "supported"
        ]
    right = next((f for f in findings if f.verdict == "supported"), None)
    return right or (
        findings[0]
        if all(f.verdict == "contradicted" for f in findings)
        else missing("the figure does not give two equal sides.")
    )


def _ordered(form: Between, figure: Figure) -> Finding:
    left, right = (known(key, figure) for key in form.keys[:2])
    if left is None or right is None:
        return missing(f"the figure does not give both {label_text(form.keys[0])} and {label_text(form.keys[1])}.")
    holds = (left.value > right.value if form.relation == "greater" else left.value < right.value) and not equal(
        left.value, right.value
    )
    return decided(
        holds,
        [left, right],
        f"{label_text(form.keys[0])} is {number_text(left.value)}, {label_text(form.keys[1])} is {number_text(right.value)}.",
    )


def _extreme(form: Between, figure: Figure) -> Finding:
    """“AB is the longest side of triangle ABC”, “∠B is the largest angle”."""
    subject = form.keys[0]
    triangle = next((key for key in form.keys[1:] if key[0] == "triangle"), None)
    if triangle and subject[0] == "segment":
        a, b, c = triangle[1][:3]
        rivals: list[Key] = [("segment", canonical_points("segment", pair)) for pair in ((a, b), (b, c), (a, c))]
    else:
        rivals = [key for key in figure.by_key if key[0] == subject[0] and len(key[1]) == len(subject[1])]
    values = {key: cell for key in rivals if (cell := known(key, figure, _attribute(subject, figure)))}
    if subject not in values:
        return missing(f"the figure gives no value for {label_text(subject)}.")
    mine = values[subject]
    beyond = [
        cell for cell in values.values() if (cell.value > mine.value) == form.most and not equal(cell.value, mine.value)
    ]
    if (len(values) < len(rivals) or len(values) < 2) and not beyond:
        return missing(f"the figure does not give everything that {label_text(subject)} is compared with.")
    if form.rank > 1:
        order = 1 + len(beyond)
        return decided(
            order == form.rank,
            [mine],
            f"{label_text(subject)} is {number_text(mine.value)}, number {order} of those given.",
        )
    best = (max if form.most else min)(values.values(), key=lambda cell: cell.value)
    word = "largest" if form.most else "smallest"
    return decided(
        equal(mine.value, best.value),
        [mine, best],
        f"{label_text(subject)} is {number_text(mine.value)}; the {word} is {number_text(best.value)}.",
    )


def _attribute(key: Key, figure: Figure) -> str | None:
    cells = figure.by_key.get(key)
    return cells[0].attribute if cells and key[0] == "circle" else None


def _listed(form: Between, figure: Figure) -> Finding:
    """Incidence, containment, adjacency: only what the figure lists."""
    if form.relation == "incident" and len(form.keys) == 2 and form.keys[1] == ("circle", ()):
        return _on_a_circle(form.keys[0], figure)
    wanted = {_bare(key) for key in form.keys}
    shown = ", ".join(map(label_text, form.keys))
    for link in figure.links.get(form.relation, ()):
        if len(wanted) > 1 and wanted <= {_bare(key) for key in link.keys if key}:
            return _found(True, link, f"the figure shows {', '.join(link.relation.entities)} as {form.relation}.")
    return missing(f"the figure does not list {shown} as {form.relation}.")


def _on_a_circle(point: Key, figure: Figure) -> Finding:
    """A point on “the circle”, which is the only one of the figure."""
    links = [one for one in figure.links.get("incident", ()) if any(key and key[0] == "circle" for key in one.keys)]
    circles = {key for one in links for key in one.keys if key and key[0] == "circle"}
    on = next((one for one in links if point[1] in {key[1] for key in one.keys if key and key[0] == "point"}), None)
    if on is None or len(circles) != 1:
        return missing(f"the figure does not say whether {label_text(point)} lies on a circle.")
    return _found(True, on, f"the figure shows {', '.join(on.relation.entities)} as incident.")


def _bare(key: Key) -> tuple[str, ...]:
    return key[1] if key[0] != "circle" else ("circle", *key[1])


def stated_finding(form: Stated, figure: Figure) -> Finding | None:
    """A relation that the extractor states in words: “cone base radius equals cylinder base radius”."""
    said: dict[str, int] = {}
    for side in form.sides:
        for token in side.tokens:
            said.setdefault(token.stem, token.start)
    for kind in (form.relation, _REVERSE.get(form.relation, "")):
        for link in figure.links.get(kind, ()):
            places = [_place(entity, said) for entity in link.relation.entities]
            if len(places) < 2 or None in places:
                continue
            known_places = [place for place in places if place is not None]
            in_order = known_places == sorted(known_places) and len(set(known_places)) == len(known_places)
            holds = in_order == (kind == form.relation) if kind in _REVERSE else True
            return _found(holds, link, f"the figure states {link.relation.type}: {', '.join(link.relation.entities)}.")
    return None


def _place(entity: str, said: dict[str, int]) -> int | None:
    """Where a sentence names an entity, by its own words, which come first in “cone base radius”."""
    words = list(_ordered_stems(entity))
    hit = [word for word in words if word in said]
    return said[hit[0]] if words and len(hit) / len(words) >= _COVERED else None


def _ordered_stems(entity: str) -> Sequence[str]:
    from evpv.language.tokens import tokens

    wanted = name_stems(entity)
    return [token.stem for token in tokens(entity) if token.stem in wanted]


__all__ = ["Amount", "between_finding", "equals_of", "known", "measure_finding", "stated_finding", "sum_finding"]
