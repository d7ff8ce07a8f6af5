"""Labelled figures: values and expressions, given or following at once from what is."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from operator import itemgetter
from typing import TypeGuard

from evpv.language.expressions import Polynomial, polynomial
from evpv.language.forms import Amount, Between, KeySum, Marks, Measure, amount_text
from evpv.language.labels import Key, canonical_points, label_text
from evpv.language.quantities import number_text
from evpv.premises.figure import Cell, Figure, Link
from evpv.premises.matching.values import Finding, Verdict, agreement, decide, doubted, equal, missing, opposite, read
from evpv.types import Numeric


def measure_finding(form: Measure, figure: Figure) -> Finding:
    """A labelled thing's value or expression."""
    if not form.key[1] and form.key not in _CIRCLE_SIZES:
        return marks_finding(Marks(kind=form.key[0], values=(form.amount or form.expression,)), figure)
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
    if outcome == "different" and figure.told.accounts_for(form.key, form.amount.quantity.absolute):
        return doubted(f"the figure seems to show {read(cell)} for {name}, but the question speaks of it.")
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
    rivals = {key: written for key in _rivals(form, figure) if (written := _written(key, figure))}
    free, astray = dict(rivals), 0
    for value in form.values:
        place = next((key for key, written in free.items() if any(_is_said(value, one) for one, _, _ in written)), None)
        astray += free.pop(place, None) is None if place else 1
    if astray and (astray > 1 or not len(rivals) == len(form.values) > 1):
        return missing(f"the claim does not say which {form.kind} it means.")
    _, index, sure = min((one for written in rivals.values() for one in written), key=itemgetter(2))
    shown = (
        f"the figure gives {'these' if not astray else 'others than these'} at {', '.join(map(label_text, rivals))}."
    )
    return decided(not astray, index, sure, shown)


def _rivals(form: Marks, figure: Figure) -> Iterable[Key]:
    """The things that values may belong to; the legs are the sides of the figure's only right angle."""
    corners = [angle_between(*one.lines) for one in figure.links.get("perpendicular", ()) if len(one.lines) == 2]
    inside = frozenset(form.inside)
    if form.keys or form.kind == "leg":
        square = [key for key, (cell, *_) in figure.by_key.items() if key[0] == "angle" and equal(cell.value, 90.0)]
        right = {one for _, one in (*corners, *square) if len(one) == 3 and (not inside or inside.issuperset(one))}
        legs = [("segment", canonical_points("segment", (end, one[1]))) for one in right for end in one[::2]]
        return form.keys or (legs if len(right) == 1 else [])
    written = (key for _, link in expressions_at(figure, lambda _: True) for key in link.keys if key)
    every = dict.fromkeys((*figure.by_key, *written, *corners))
    meant = [key for key in every if key[0] == form.kind and key[1] and (not inside or inside.issuperset(key[1]))]
    return [key for key in meant if not form.vertex or key[1][len(key[1]) // 2] == form.vertex]


def _written(key: Key, figure: Figure) -> list[tuple[Cell | Polynomial, int, float]]:
    """The value and the expressions of a labelled thing, each with its constraint and how sure that is."""
    cell = value_of(key, figure)
    values: list[tuple[Cell | Polynomial, int, float]] = (
        [(cell, cell.index, cell.constraint.confidence)] if cell else []
    )
    at_key = expressions_at(figure, key.__eq__)
    return [*values, *((one, link.index, link.relation.confidence) for one, link in at_key)]


def _is_said(value: Amount | str, one: Cell | Polynomial) -> bool:
    if isinstance(value, str) or not isinstance(one, Cell):
        return isinstance(value, str) and polynomial(value) == one
    return agreement(value, one) == "same"


@lru_cache(maxsize=256)
def _chains(figure: Figure) -> tuple[tuple[str, ...], ...]:
    """Points in the order in which they lie on one line: as drawn, and as a point is said to lie on a segment."""
    drawn = (
        one.split("-")
        for _, structure in figure.structures
        if structure.type == "drawing"
        for one in structure.adjacency
    )
    keys = (sorted(filter(None, link.keys)) for link in figure.links.get("incident", ()))
    on = (
        (two[1][0], point[1][0], two[1][1])
        for point, two in (one for one in keys if [k for k, _ in one] == ["point", "segment"])
    )
    return tuple(dict.fromkeys(chain for chain in (*map(tuple, drawn), *on) if len(set(chain)) == len(chain) > 2))


def line_of(points: Iterable[str], figure: Figure) -> frozenset[str]:
    """All points of the line on which these lie; themselves where no more is known of it."""
    own = frozenset(points)
    return next((frozenset(chain) for chain in _chains(figure) if own.issubset(chain)), own)


def link_of_lines(relation: str, lines: Iterable[frozenset[str]], figure: Figure) -> Link | None:
    """The relation that was read of two lines, whatever points of them it names."""
    wanted = {line_of(line, figure) for line in lines}
    links = figure.links.get(relation, ()) if len(wanted) == 2 else ()
    return next((link for link in links if wanted.issubset(line_of(line, figure) for line in link.lines)), None)


def _same_angles(key: Key, figure: Figure) -> Iterator[Key]:
    """The other names of an angle whose sides bear more points: ∠CAE is ∠CAB where E lies on AB."""
    a, vertex, c = key[1]
    rays = []
    for end in (a, c):
        chain = next((one for one in _chains(figure) if vertex in one and end in one), (vertex, end))
        at, beyond = chain.index(vertex), chain.index(end) > chain.index(vertex)
        rays.append(chain[at + 1 :] if beyond else chain[:at])
    for ends in itertools.product(*rays):
        yield ("angle", canonical_points("angle", (ends[0], vertex, ends[1])))


def full_key(key: Key, figure: Figure) -> Key:
    """An angle called by its vertex as its three points, where the figure knows but one angle there."""
    corners = corners_at(key[1][0], figure) if key[0] == "angle" and len(key[1]) == 1 else []
    return corners[0] if len(corners) == 1 and key not in figure.by_key else key


def _is_corner(key: Key | None, vertex: str) -> TypeGuard[Key]:
    """Whether a key is an angle named by three points, at this vertex."""
    return key is not None and key[0] == "angle" and len(key[1]) == 3 and key[1][1] == vertex


def corners_at(vertex: str, figure: Figure) -> list[Key]:
    """The angles of three points at a vertex of which the figure says something."""
    every = (*figure.by_key, *(one for link in figure.links.get("equal", ()) for one in link.keys))
    return list(dict.fromkeys(one for one in every if _is_corner(one, vertex)))


def value_of(key: Key, figure: Figure, attribute: str | None = None) -> Cell | None:
    """The most confident value of a labelled thing, directly or through what follows at once from the figure."""
    if key in _CIRCLE_SIZES:
        return _only_circle_size(key[0], figure)
    direct = [cell for cell in _same_thing(key, figure) if attribute is None or cell.attribute == attribute]
    if direct:
        return max(direct, key=lambda cell: cell.constraint.confidence)
    if key[0] == "circle":
        return _other_diameter(key, figure, attribute)
    if (right := _right_angle(key, figure)) is not None:
        return right
    tied = next((cell for other in equals_of(key, figure) for cell in figure.by_key.get(other, ())), None)
    circle = circle_of_radius(key, figure)
    return tied or (value_of(circle, figure, "radius") if circle else None)


_CIRCLE_SIZES = frozenset({("radius", ()), ("diameter", ())})


def _only_circle_size(size: str, figure: Figure) -> Cell | None:
    """The radius or the diameter of the figure's only circle, known by a letter or in words alone."""
    incident = (key for link in figure.links.get("incident", ()) for key in link.keys if key)
    circles = dict.fromkeys(key for key in (*figure.by_key, *incident) if key[0] == "circle")
    if circles:
        return value_of(next(iter(circles)), figure, size) if len(circles) == 1 else None
    worded = [cell for cell in figure.cells if size in cell.row.lower().split()]
    return worded[0] if len(worded) == 1 else None


def circle_of_radius(key: Key, figure: Figure) -> Key | None:
    """The circle from whose centre a segment leads to a point on it."""
    for centre, end in (key[1], key[1][::-1]) if key[0] == "segment" else ():
        ends = {("circle", (centre,)), ("point", (end,))}
        if any(ends <= set(link.keys) for link in figure.links.get("incident", ())):
            return ("circle", (centre,))
    return None


def _same_thing(key: Key, figure: Figure) -> list[Cell]:
    key = full_key(key, figure)
    if key[0] != "angle" or len(key[1]) != 3 or key in figure.by_key:
        return figure.by_key.get(key, [])
    named = next((one for one in _same_angles(key, figure) if one in figure.by_key), ("angle", key[1][1:2]))
    return figure.by_key.get(named, [])


def _other_diameter(key: Key, figure: Figure, attribute: str | None) -> Cell | None:
    """A radius from a diameter and the other way round."""
    factor = {"radius": ("diameter", 0.5), "diameter": ("radius", 2.0)}.get(attribute or "")
    if factor is None:
        return None
    source = next((cell for cell in figure.by_key.get(key, ()) if cell.attribute == factor[0]), None)
    if source is not None:
        return source.with_value(source.value * factor[1])
    drawn = next((cells[0] for one, cells in figure.by_key.items() if circle_of_radius(one, figure) == key), None)
    return drawn.with_value(drawn.value * (1.0 if attribute == "radius" else 2.0)) if drawn else None


def angle_between(first: frozenset[str], second: frozenset[str]) -> Key:
    """The angle of two lines that share a point; an angle without points for others."""
    if len(first & second) != 1 or len(first | second) != 3:
        return ("angle", ())
    (a,), (vertex,), (c,) = first - second, first & second, second - first
    return ("angle", canonical_points("angle", (a, vertex, c)))


def _right_angle(key: Key, figure: Figure) -> Cell | None:
    """90° where the two sides of an angle are perpendicular."""
    if key[0] != "angle" or len(key[1]) != 3:
        return None
    link = link_of_lines("perpendicular", (frozenset(key[1][:2]), frozenset(key[1][1:])), figure)
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


def decided(holds: bool, index: int, confidence: float, explanation: str) -> Finding:
    verdict: Verdict = "supported" if holds else "contradicted"
    return Finding(verdict=verdict, constraint=index, confidence=confidence, explanation=explanation)


def link_finding(holds: bool, link: Link, explanation: str) -> Finding:
    return decided(holds, link.index, link.relation.confidence, explanation)


def marked_text(lines: Iterable[frozenset[str]], sign: str) -> str:
    """Lines with the sign of a relation between them: AB ⟂ BC."""
    return sign.join("".join(sorted(line)) for line in lines)


_SOMEWHERE = ("?", "*")


def right_corner_finding(form: Between, figure: Figure) -> Finding:
    """A right angle at a vertex, of an angle, or anywhere in a triangle."""
    keys = {"triangle" if key[0] == "polygon" else key[0]: key for key in reversed(form.keys)}
    angle = keys.get("angle", ("angle", (form.vertex,)))
    if len(angle[1]) == 3:
        return _ninety_finding(angle, figure)
    vertex, inside = angle[1][0], frozenset(keys["triangle"][1]) if "triangle" in keys else None
    line = line_of(keys["segment"][1], figure) if "segment" in keys else None
    for corner, lines, finding in _right_corners(figure, inside):
        if vertex == corner or (vertex in _SOMEWHERE and (line is None or line in lines)):
            return finding
    return _corner_elsewhere(figure, vertex, inside) or missing("the figure marks no right angle there.")


def _right_corners(
    figure: Figure, inside: frozenset[str] | None
) -> Iterator[tuple[str, frozenset[frozenset[str]], Finding]]:
    """The right angles of the figure, inside these points: vertex, sides, and the finding on it, by a mark or by its value."""
    found: list[tuple[str, frozenset[frozenset[str]], Finding]] = []
    for link in figure.links.get("perpendicular", ()):
        if len(link.lines) == 2:
            sides = frozenset(line_of(line, figure) for line in link.lines)
            vertex = "".join(frozenset.intersection(*sides)) if len(sides) == 2 else ""
            shown = f"the figure marks {marked_text(sorted(link.lines, key=sorted), ' ⟂ ')}."
            found.append((vertex, sides, link_finding(True, link, shown)))
    for (kind, points), (cell, *_) in figure.by_key.items():
        if kind == "angle" and equal(cell.value, 90.0):
            sides = frozenset({frozenset(points[:2]), frozenset(points[1:])} if points[2:] else {frozenset(points)})
            shown = f"the figure shows 90° at {label_text((kind, points))}."
            found.append((points[len(points) // 2], sides, decide(True, [cell], shown)))
    for vertex, sides, finding in found:
        if inside is None or all(len(side & inside) >= min(len(side), 2) for side in sides):
            yield vertex, sides, finding


def _ninety_finding(angle: Key, figure: Figure) -> Finding:
    cell = value_of(angle, figure)
    if cell is not None:
        return decide(equal(cell.value, 90.0), [cell], f"{label_text(angle)} is {number_text(cell.value)}°.")
    elsewhere = _corner_elsewhere(figure, angle[1][1], frozenset(angle[1]))
    return elsewhere or missing(f"the figure does not say whether {label_text(angle)} is a right angle.")


def _corner_elsewhere(figure: Figure, vertex: str, inside: frozenset[str] | None) -> Finding | None:
    """What speaks against a right angle in a triangle, the one named or the only one of the figure: it has another."""
    if inside is None:
        links = itertools.chain.from_iterable(figure.links.values())
        keys = filter(None, (*figure.by_key, *(key for link in links for key in link.keys)))
        named = frozenset(
            point for kind, points in keys if kind in ("segment", "angle", "triangle") for point in points
        )
        inside = named.difference(*(chain[1:-1] for chain in _chains(figure)))
    corners = _right_corners(figure, inside) if len(inside) == 3 and vertex in inside else iter(())
    return next((opposite(finding) for corner, _, finding in corners if corner), None)
