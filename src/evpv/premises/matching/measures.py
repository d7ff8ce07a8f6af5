"""Labelled figures: values and expressions, given or following at once from what is."""

from __future__ import annotations

from evpv.language.expressions import polynomial
from evpv.language.forms import Between, KeySum, Measure, amount_text
from evpv.language.labels import Key, canonical_points, label_text
from evpv.language.quantities import number_text
from evpv.premises.figure import Cell, Figure, Link
from evpv.premises.matching.findings import Finding, decide, missing, opposite, read
from evpv.premises.matching.values import agreement, equal
from evpv.types import Numeric


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
        corner = right_corner_finding(Between(relation="perpendicular", keys=(), vertex=form.key[1][0]), figure)
        if corner.verdict == "supported":
            return corner if form.amount.bound in ("=", ">=", "<=") else opposite(corner)
    if cell is None:
        total = _angle_sum(form.key, figure)
        if total is not None and agreement(form.amount, total) == "same":
            return decide(
                True, [total], f"{name} is {number_text(total.value)} as the sum of two angles in the figure."
            )
        return missing(f"the figure gives no value for {name}.")
    outcome = agreement(form.amount, cell)
    if outcome == "unclear":
        return missing(f"{name} was only estimated ({read(cell)}), too loosely to tell.")
    return decide(
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
            return decide(True, [cell], f"the figure shows {read(cell)} at {label_text(cell.key)}.")
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
        middle = q if p == a else p
        if a not in (p, q) or middle == c:
            continue
        other = at.get(("angle", canonical_points("angle", (middle, vertex, c))))
        if other is not None:
            return cell.with_value(cell.value + other.value)
    return None


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
    return decide(holds, terms, f"{' + '.join(map(label_text, form.keys))} is {number_text(total.value)}.")


def link_finding(holds: bool, link: Link, explanation: str) -> Finding:
    return Finding(
        verdict="supported" if holds else "contradicted",
        constraint=link.index,
        confidence=link.relation.confidence,
        explanation=explanation,
    )


def segment_text(segment: frozenset[str]) -> str:
    return "".join(sorted(segment))


def right_corner_finding(form: Between, figure: Figure) -> Finding:
    """A right angle at a vertex, of an angle, or anywhere in a triangle."""
    angle = next((key for key in form.keys if key[0] == "angle"), None)
    triangle = next((key for key in form.keys if key[0] in ("triangle", "polygon")), None)
    line = next((frozenset(key[1]) for key in form.keys if key[0] == "segment"), None)
    if angle is not None and len(angle[1]) == 3:
        cell = known(angle, figure)
        if cell is None:
            return missing(f"the figure does not say whether {label_text(angle)} is a right angle.")
        return decide(equal(cell.value, 90.0), [cell], f"{label_text(angle)} is {number_text(cell.value)}°.")
    vertex = angle[1][0] if angle is not None else form.vertex
    inside = frozenset(triangle[1]) if triangle is not None else None
    for link in figure.links.get("perpendicular", ()):
        lines = sorted(link.lines, key=sorted)
        if len(lines) < 2 or (inside is not None and not all(one <= inside for one in lines)):
            continue
        shared = lines[0] & lines[1]
        if (vertex in ("?", "*") and (line is None or line in lines)) or vertex in shared:
            return link_finding(True, link, f"the figure marks {segment_text(lines[0])} ⟂ {segment_text(lines[1])}.")
    at_vertex = [
        cells[0]
        for key, cells in figure.by_key.items()
        if key[0] == "angle" and key[1][len(key[1]) // 2] == vertex and (inside is None or set(key[1]) <= inside)
    ]
    right = next((cell for cell in at_vertex if equal(cell.value, 90.0)), None)
    if right is not None:
        return decide(True, [right], f"the figure shows 90° at {vertex}.")
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
    return link_finding(False, link, f"the right angle is between {segment_text(first)} and {segment_text(second)}.")
