"""Labelled figures: values and expressions, given or following at once from what is."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeGuard

from evpv.language.expressions import Polynomial, polynomial
from evpv.language.forms import Amount, Between, KeySum, Marks, Measure, amount_text
from evpv.language.labels import Key, canonical_points, label_text
from evpv.language.quantities import number_text
from evpv.premises.figure import Cell, Figure, Link
from evpv.premises.matching.values import Finding, agreement, decide, equal, missing, opposite, read
from evpv.types import Numeric


def measure_finding(form: Measure, figure: Figure) -> Finding:
    """A labelled thing's value or expression."""
    if not form.key[1]:
        return _anywhere(form, figure)
    form = replace(form, key=full_key(form.key, figure))
    name = label_text((form.key[0], form.drawn or form.key[1]))
    if form.expression:
        return _labelled_with(form, name, figure)
    assert form.amount is not None
    cell = value_of(form.key, figure, form.attribute or None)
    if cell is None:
        return _unread_finding(form.key, form.amount, name, figure)
    outcome = agreement(form.amount, cell)
    if outcome == "unclear":
        return missing(f"{name} was only estimated ({read(cell)}), too loosely to tell.")
    shown = f"claimed {amount_text(form.amount)} for {name}, the figure shows {read(cell)}."
    return decide(outcome == "same", [cell], shown)


def _unread_finding(key: Key, amount: Amount, name: str, figure: Figure) -> Finding:
    """A value that no label gives: 90° at a marked corner, or an angle as the sum of two."""
    if key[0] == "angle" and len(key[1]) == 1 and equal(amount.quantity.value, 90.0):
        corner = right_corner_finding(Between(relation="perpendicular", keys=(), vertex=key[1][0]), figure)
        if corner.verdict == "supported":
            return corner if amount.bound in ("=", ">=", "<=") else opposite(corner)
    total = _angle_sum(key, figure)
    if total is None or agreement(amount, total) != "same":
        return missing(f"the figure gives no value for {name}.")
    return decide(True, [total], f"{name} is {number_text(total.value)} as the sum of two angles in the figure.")


def _anywhere(form: Measure, figure: Figure) -> Finding:
    """“The three angles are given as 3x, 4x and 5x”: some angle has it."""
    kind, wanted = form.key[0], polynomial(form.expression) if form.expression else None
    links = (link for one, link in expressions_at(figure, lambda key: key[0] == kind) if one == wanted)
    if (link := next(links, None)) is not None:
        at = label_text(next(key for key in link.keys if key))
        return link_finding(True, link, f"the figure writes {form.expression} at {at}.")
    cell = _value_of_kind(kind, form.amount, figure) if form.amount else None
    if cell is None or cell.key is None:
        return missing(f"the claim does not say which {kind} it means.")
    return decide(True, [cell], f"the figure shows {read(cell)} at {label_text(cell.key)}.")


def _value_of_kind(kind: str, amount: Amount, figure: Figure) -> Cell | None:
    cells = (cell for cell in figure.numeric if cell.key and cell.key[0] == kind)
    return next((cell for cell in cells if agreement(amount, cell) == "same"), None)


def expressions_at(figure: Figure, is_meant: Callable[[Key], bool]) -> list[tuple[Polynomial, Link]]:
    """The expressions that the figure writes at labelled things, with where it does."""
    meant = [
        link for link in figure.links.get("equal", ()) if any(key is not None and is_meant(key) for key in link.keys)
    ]
    return [(one, link) for link in meant for one in link.expressions if one is not None]


def _labelled_with(form: Measure, name: str, figure: Figure) -> Finding:
    """“AB is labeled x + 2”."""
    wanted = polynomial(form.expression)
    if wanted is None:
        return missing(f"'{form.expression}' is no expression that could be compared.")
    keys = {form.key, *equals_of(form.key, figure)}
    written = expressions_at(figure, keys.__contains__)
    if not written:
        return missing(f"the figure writes nothing at {name}.")
    same = next((link for one, link in written if one == wanted), None)
    if same is not None:
        return link_finding(True, same, f"the figure writes {form.expression} at {name}.")
    other = written[0][1]
    shown = f"the figure writes {other.relation.entities[-1]} at {name}, not {form.expression}."
    return link_finding(False, other, shown)


def marks_finding(form: Marks, figure: Figure) -> Finding:
    """“The three angles are x + 30, 2x and 120°”: each value at a thing of its own; wrong if the figure has just as many and one differs."""
    rivals = _rivals(form, figure)
    free, open_values = list(rivals), 0
    for value in form.values:
        place = next((key for key in free if _carries(key, value, figure)), None)
        free = [key for key in free if key != place]
        open_values += place is None
    shown = ", ".join(label_text(key) for key in rivals)
    if not open_values:
        return Finding(verdict="supported", explanation=f"the figure gives these at {shown}.")
    if open_values == 1 and len(rivals) == len(form.values):
        return Finding(verdict="contradicted", explanation=f"one of them is not what the figure gives at {shown}.")
    return missing(f"the claim does not say which {form.kind} it means.")


def _rivals(form: Marks, figure: Figure) -> list[Key]:
    """The things that values may belong to; the legs are the sides of the figure's only right angle."""
    if form.keys:
        return [key for key in form.keys if value_of(key, figure)]
    if form.kind == "leg":
        corners = figure.links.get("perpendicular", ())
        return [key for key in corners[0].keys if key] if len(corners) == 1 else []
    points, sized = frozenset(form.inside), [key for key in _sized_keys(figure) if key[0] == form.kind]
    inside = [key for key in sized if not points or points.issuperset(key[1])]
    return [key for key in inside if not form.vertex or key[1][len(key[1]) // 2] == form.vertex]


def _sized_keys(figure: Figure) -> Iterable[Key]:
    """The labelled things at which the figure writes a value or an expression, each once."""
    written = (key for _, link in expressions_at(figure, lambda _: True) for key in link.keys if key)
    return dict.fromkeys((*figure.by_key, *written))


def _carries(key: Key, value: Amount | str, figure: Figure) -> bool:
    if isinstance(value, str):
        wanted = polynomial(value)
        return any(one == wanted for one, _ in expressions_at(figure, lambda one: one == key))
    cell = value_of(key, figure)
    return cell is not None and agreement(value, cell) == "same"


def full_key(key: Key, figure: Figure) -> Key:
    """An angle called by its vertex as its three points, where the figure knows but one angle there."""
    others = _same_keys(key, figure) - {key}
    return next(iter(others)) if others and key not in figure.by_key else key


def _is_corner(key: Key | None, vertex: str) -> TypeGuard[Key]:
    """Whether a key is an angle named by three points, at this vertex."""
    return key is not None and key[0] == "angle" and len(key[1]) == 3 and key[1][1] == vertex


def _same_keys(key: Key, figure: Figure) -> set[Key]:
    """The key and other names of the same thing: “angle B” is the only angle at B."""
    if key[0] != "angle" or len(key[1]) != 1:
        return {key}
    at_vertex = corners_at(key[1][0], figure)
    return {key, *at_vertex} if len(at_vertex) == 1 else {key}


def corners_at(vertex: str, figure: Figure) -> list[Key]:
    """The angles of three points at a vertex of which the figure says something."""
    every = (*figure.by_key, *(one for link in figure.links.get("equal", ()) for one in link.keys))
    return list(dict.fromkeys(one for one in every if _is_corner(one, vertex)))


def value_of(key: Key, figure: Figure, attribute: str | None = None) -> Cell | None:
    """The most confident value of a labelled thing, directly or through what follows at once from the figure."""
    if key in (("radius", ()), ("diameter", ())):
        circles = [one for one in figure.by_key if one[0] == "circle"]
        return value_of(circles[0], figure, key[0]) if len(circles) == 1 else None
    direct = [cell for cell in _same_thing(key, figure) if attribute is None or cell.attribute == attribute]
    if direct:
        return max(direct, key=lambda cell: cell.constraint.confidence)
    if key[0] == "circle":
        return _other_diameter(key, figure, attribute)
    if (right := _right_angle(key, figure)) is not None:
        return right
    tied = next((cell for other in equals_of(key, figure) for cell in figure.by_key.get(other, ())), None)
    return tied or _radius_drawn(key, figure)


def _radius_drawn(key: Key, figure: Figure) -> Cell | None:
    """The radius of a circle, for a segment from its centre to a point on it."""
    circle = circle_of_radius(key, figure)
    return value_of(circle, figure, "radius") if circle else None


def circle_of_radius(key: Key, figure: Figure) -> Key | None:
    """The circle from whose centre a segment leads to a point on it."""
    for centre, end in (key[1], key[1][::-1]) if key[0] == "segment" else ():
        ends = {("circle", (centre,)), ("point", (end,))}
        if any(ends <= set(link.keys) for link in figure.links.get("incident", ())):
            return ("circle", (centre,))
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
    if key[0] != "angle" or len(key[1]) != 3:
        return None
    a, b, c = key[1]
    sides = {frozenset((a, b)), frozenset((b, c))}
    link = next((link for link in figure.links.get("perpendicular", ()) if link.lines == sides), None)
    if link is None:
        return None
    sure = link.relation.confidence
    source = Numeric(entity=label_text(key), attribute="angle", value=90.0, unit="deg", confidence=sure)
    return Cell(index=link.index, constraint=source, key=key, row="", column="", attribute="angle", unit="degree", scale=1.0)  # fmt: skip


def _angle_sum(key: Key, figure: Figure) -> Cell | None:
    """∠ABC as ∠ABD + ∠DBC, where both are given."""
    if key[0] != "angle" or len(key[1]) != 3:
        return None
    a, vertex, c = key[1]
    at = {one: cells[0] for one, cells in figure.by_key.items() if _is_corner(one, vertex)}
    for (_, ends), cell in at.items():
        middle = ends[2] if ends[0] == a else ends[0]
        other = at.get(("angle", canonical_points("angle", (middle, vertex, c))))
        if a in ends and middle != c and other is not None:
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
    terms = [cell for key in form.keys if (cell := value_of(key, figure)) is not None]
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


def marked_text(lines: Iterable[frozenset[str]], sign: str) -> str:
    """Lines with the sign of a relation between them: AB ⟂ BC."""
    return sign.join("".join(sorted(line)) for line in lines)


def right_corner_finding(form: Between, figure: Figure) -> Finding:
    """A right angle at a vertex, of an angle, or anywhere in a triangle."""
    keys = {"triangle" if key[0] == "polygon" else key[0]: key for key in reversed(form.keys)}
    angle = keys.get("angle", ("angle", (form.vertex,)))
    if len(angle[1]) == 3:
        return _only_corner_of(angle, figure) or _ninety_finding(angle, figure)
    vertex, inside = angle[1][0], frozenset(keys["triangle"][1]) if "triangle" in keys else None
    line = frozenset(keys["segment"][1]) if "segment" in keys else None
    if (link := _marked_corner(figure, vertex, line, inside)) is not None:
        return link_finding(True, link, f"the figure marks {marked_text(sorted(link.lines, key=sorted)[:2], ' ⟂ ')}.")
    right = _ninety_at(vertex, inside, figure)
    if right is not None:
        return decide(True, [right], f"the figure shows 90° at {vertex}.")
    elsewhere = _only_corner(figure, vertex, inside) if vertex not in _SOMEWHERE else None
    return elsewhere or missing("the figure marks no right angle there.")


_SOMEWHERE = ("?", "*")


def _only_corner_of(angle: Key, figure: Figure) -> Finding | None:
    """What speaks against a right angle of three points: another corner of theirs is right."""
    return None if value_of(angle, figure) else _only_corner(figure, angle[1][1], frozenset(angle[1]))


def _ninety_finding(angle: Key, figure: Figure) -> Finding:
    cell = value_of(angle, figure)
    if cell is None:
        return missing(f"the figure does not say whether {label_text(angle)} is a right angle.")
    return decide(equal(cell.value, 90.0), [cell], f"{label_text(angle)} is {number_text(cell.value)}°.")


def _marked_corner(
    figure: Figure, vertex: str, line: frozenset[str] | None, inside: frozenset[str] | None
) -> Link | None:
    """The mark of a right angle at a vertex, or at a line or anywhere where no vertex is said; `inside` these points."""
    for link in figure.links.get("perpendicular", ()):
        lines = sorted(link.lines, key=sorted)
        if len(lines) < 2 or (inside is not None and not inside.issuperset(frozenset[str]().union(*lines))):
            continue
        at_line = vertex in _SOMEWHERE and (line is None or line in lines)
        if at_line or vertex in lines[0] & lines[1]:
            return link
    return None


def _ninety_at(vertex: str, inside: frozenset[str] | None, figure: Figure) -> Cell | None:
    """The value of 90° of an angle at a vertex, inside these points."""
    for (kind, points), cells in figure.by_key.items():
        here = kind == "angle" and points[len(points) // 2] == vertex
        if here and (inside is None or inside.issuperset(points)) and equal(cells[0].value, 90.0):
            return cells[0]
    return None


def _only_corner(figure: Figure, vertex: str, inside: frozenset[str] | None) -> Finding | None:
    """Where a triangle, the one named or the only one of the figure, has its right angle: it has no second one."""
    if inside is not None and len(inside) == 3 and vertex in inside:
        link = _marked_corner(figure, "*", None, inside)
        return link and link_finding(False, link, f"the right angle is between {_lines_text(link)}.")
    links = itertools.chain.from_iterable(figure.links.values())
    keys = filter(None, (*figure.by_key, *(key for link in links for key in link.keys)))
    points = {point for kind, named in keys if kind in ("segment", "angle", "triangle") for point in named}
    link = next((one for one in figure.links.get("perpendicular", ()) if len(one.lines) == 2), None)
    if link is None or len(points) != 3:
        return None
    return link_finding(False, link, f"the right angle is between {_lines_text(link)}.")


def _lines_text(link: Link) -> str:
    return marked_text(sorted(link.lines, key=sorted), " and ")
