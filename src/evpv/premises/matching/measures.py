"""Labelled figures: values and expressions, given or following at once from what is."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from operator import itemgetter
from typing import TypeAlias

from evpv.language.expressions import Polynomial, polynomial
from evpv.language.forms import Amount, Between, KeySum, Marks, Measure, amount_text
from evpv.language.labels import Key, key_of, label_text
from evpv.language.quantities import number_text
from evpv.premises.figure import Cell, Figure, Link
from evpv.premises.matching.values import Finding, Verdict, agreement, decide, doubted, equal, missing, opposite, read
from evpv.types import Numeric


def measure_finding(form: Measure, figure: Figure) -> Finding:
    """A labelled thing's value or expression, or 90° at a marked corner; what the question speaks of was misread where it differs."""
    if not form.key[1] and form.key not in _CIRCLE_SIZES:
        return marks_finding(Marks(kind=form.key[0], values=(form.amount or form.expression,)), figure)
    if (key := full_key(form.key, figure)) != form.key:
        form = replace(form, key=key)
    name = label_text((form.key[0], form.drawn or form.key[1]))
    if form.amount is None:
        return _expression_finding(form, name, figure)
    cell = value_of(form.key, figure, form.attribute or None)
    if cell is None:
        return _corner_finding(form.key, form.amount, figure) or missing(f"the figure gives no value for {name}.")
    return _value_finding(form.key, form.amount, cell, name, figure)


def _value_finding(key: Key, amount: Amount, cell: Cell, name: str, figure: Figure) -> Finding:
    outcome = agreement(amount, cell)
    if outcome == "unclear":
        return missing(f"{name} was only estimated ({read(cell)}), too loosely to tell.")
    if outcome == "different" and figure.told.accounts_for(key, amount.quantity.absolute):
        return doubted(f"the figure seems to show {read(cell)} for {name}, but the question speaks of it.")
    source = f" by {cell.constraint.entity}" if cell.key and cell.key[1] and cell.key != key else ""
    shown = f"claimed {amount_text(amount)} for {name}, the figure shows {read(cell)}{source}."
    return decide(outcome == "same", [cell], shown)


def _corner_finding(key: Key, amount: Amount, figure: Figure) -> Finding | None:
    """90° that no label gives, at a marked corner."""
    if key[0] != "angle" or len(key[1]) != 1 or not equal(amount.quantity.value, 90.0):
        return None
    corner = right_corner_finding(Between(relation="perpendicular", keys=(), vertex=key[1][0]), figure)
    if corner.verdict != "supported":
        return None
    return corner if amount.bound in ("=", ">=", "<=") else opposite(corner)


def expressions_at(figure: Figure, is_meant: Callable[[Key], bool]) -> list[tuple[Polynomial, Link]]:
    """The expressions that the figure writes at labelled things, with where it does."""
    links = figure.links.get("equal", ())
    meant = [link for link in links if any(key is not None and is_meant(key) for key in link.keys)]
    return [(one, link) for link in meant for one in link.expressions if one is not None]


def _expression_finding(form: Measure, name: str, figure: Figure) -> Finding:
    """“AB is labeled x + 2”."""
    wanted = polynomial(form.expression)
    if wanted is None:
        return missing(f"'{form.expression}' is no expression that could be compared.")
    written = expressions_at(figure, {form.key, *equals_of(form.key, figure)}.__contains__)
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
    rivals: dict[Key, list[_Inscription]] = {}
    for key in _rivals(form, figure):
        cell, written = value_of(key, figure), expressions_at(figure, key.__eq__)
        found: list[_Inscription] = [(cell, cell.index, cell.constraint.confidence)] if cell else []
        found += [(one, link.index, link.relation.confidence) for one, link in written]
        if found:
            rivals[key] = found
    astray = _astray(form.values, rivals)
    if astray and (astray > 1 or not len(rivals) == len(form.values) > 1):
        return missing(f"the claim does not say which {form.kind} it means.")
    _, index, sure = min(itertools.chain.from_iterable(rivals.values()), key=itemgetter(2))
    shown = f"the figure gives {'others than these' if astray else 'these'} at {', '.join(map(label_text, rivals))}."
    return certain_finding(not astray, index, sure, shown)


_Inscription: TypeAlias = tuple[Cell | Polynomial, int, float]
"""A value or an expression at a labelled thing, with its constraint and how sure that is."""


def _astray(values: Sequence[Amount | str], rivals: Mapping[Key, Sequence[_Inscription]]) -> int:
    """How many values are at none of the things that others have not taken."""
    free = dict(rivals)
    for value in values:
        taken = (key for key, found in free.items() if any(_is_said(value, one) for one, _, _ in found))
        free.pop(next(taken, ("", ())), None)
    return len(values) - (len(rivals) - len(free))


def _rivals(form: Marks, figure: Figure) -> Iterable[Key]:
    """The things that values may belong to, of their kind and where they are said to be."""
    if form.keys:
        return form.keys
    inside, corners = frozenset(form.inside), _marked_corners(figure)
    if form.kind == "leg":
        return _legs([*corners, *_square_angles(figure)], inside)
    inscribed = keys_of(link for _, link in expressions_at(figure, lambda _: True))
    alike = [one for one in dict.fromkeys((*figure.by_key, *inscribed, *corners)) if one[0] == form.kind and one[1]]
    return [one for one in alike if form.vertex in ("", one[1][len(one[1]) // 2]) and _lies_in(inside, one[1])]


def _legs(angles: Iterable[Key], inside: frozenset[str]) -> list[Key]:
    """The sides of the only right angle, if that lies inside points."""
    square = {points for _, points in angles if len(points) == 3 and _lies_in(inside, points)}
    return [key_of("segment", end, a[1]) for a in square for end in a[::2]] if len(square) == 1 else []


def _lies_in(inside: frozenset[str], points: Iterable[str]) -> bool:
    return not inside or inside.issuperset(points)


def _marked_corners(figure: Figure) -> list[Key]:
    """The angles between lines that the figure marks as perpendicular."""
    return [angle_between(*one.lines) for one in figure.links.get("perpendicular", ()) if len(one.lines) == 2]


def _square_angles(figure: Figure) -> list[Key]:
    """The angles that measure 90°."""
    return [key for key, cells in figure.by_key.items() if key[0] == "angle" and equal(cells[0].value, 90.0)]


def _is_said(value: Amount | str, one: Cell | Polynomial) -> bool:
    if isinstance(value, str) or not isinstance(one, Cell):
        return isinstance(value, str) and polynomial(value) == one
    return agreement(value, one) == "same"


@lru_cache(maxsize=8)
def _chains(figure: Figure) -> tuple[tuple[str, ...], ...]:
    """Points in the order in which they lie on one line: as drawn, and as a point is said to lie on a segment."""
    drawings = (structure.adjacency for _, structure in figure.structures if structure.type == "drawing")
    chains = [tuple(one.split("-")) for one in itertools.chain.from_iterable(drawings)]
    for link in figure.links.get("incident", ()):
        match sorted(filter(None, link.keys)):
            case [("point", (middle,)), ("segment", (start, end))]:
                chains.append((start, middle, end))
    return tuple(dict.fromkeys(chain for chain in chains if len(set(chain)) == len(chain) > 2))


def _line_of(points: Iterable[str], figure: Figure) -> frozenset[str]:
    """All points of the line on which these lie; themselves where no more is known of it."""
    own = frozenset(points)
    return next((frozenset(chain) for chain in _chains(figure) if own and own.issubset(chain)), own)


def link_of_lines(relation: str, lines: Iterable[frozenset[str]], figure: Figure) -> Link | None:
    """The relation that was read of two lines, whatever points of them it names."""
    wanted = {_line_of(line, figure) for line in lines}
    links = figure.links.get(relation, ()) if len(wanted) == 2 else ()
    return next((link for link in links if wanted.issubset(_line_of(line, figure) for line in link.lines)), None)


def _angles_between(first: Sequence[str], vertex: str, second: Sequence[str]) -> Iterator[Key]:
    return (key_of("angle", a, vertex, c) for a, c in itertools.product(first, second))


def _rays(end: str, vertex: str, figure: Figure) -> tuple[Sequence[str], Sequence[str]]:
    """The points of the line through a vertex on the side of an end, and those beyond the vertex."""
    chain = next((one for one in _chains(figure) if vertex in one and end in one), (vertex, end))
    at = chain.index(vertex)
    before, after = chain[:at], chain[at + 1 :]
    return (after, before) if chain.index(end) > at else (before, after)


def _angle_on_a_line(key: Key, figure: Figure) -> Cell | None:
    """An angle by the one beside it on a straight line, which makes 180° with it, or by the equal one across its vertex."""
    if key[0] != "angle" or len(key[1]) != 3:
        return None
    a, vertex, c = key[1]
    (first, first_beyond), (second, second_beyond) = _rays(a, vertex, figure), _rays(c, vertex, figure)
    across = _angles_between(first_beyond, vertex, second_beyond)
    beside = (*_angles_between(first_beyond, vertex, second), *_angles_between(first, vertex, second_beyond))
    found = next((cell for one in across for cell in figure.by_key.get(one, ())), None)
    known = next((cell for one in beside for cell in figure.by_key.get(one, ()) if cell.unit == "degree"), None)
    return found or (known.with_value(180.0 - known.value) if known else None)


def full_key(key: Key, figure: Figure) -> Key:
    """An angle called by its vertex as its three points, where the figure knows but one angle there."""
    corners = corners_at(key[1][0], figure) if key[0] == "angle" and len(key[1]) == 1 else []
    return corners[0] if len(corners) == 1 and key not in figure.by_key else key


def corners_at(vertex: str, figure: Figure) -> list[Key]:
    """The angles of three points at a vertex of which the figure says something."""
    every = (*figure.by_key, *keys_of(figure.links.get("equal", ())), *_marked_corners(figure))
    angles = dict.fromkeys(key for key in every if key[0] == "angle" and len(key[1]) == 3)
    return [key for key in angles if key[1][1] == vertex]


def value_of(key: Key, figure: Figure, attribute: str | None = None) -> Cell | None:
    """The most confident value of a labelled thing, directly or through what follows at once from the figure: from a right angle, an
    equal thing, the angle beside it, the circle of a radius, or the places of two points."""
    if key in _CIRCLE_SIZES:
        return _only_circle_size(key[0], figure)
    direct = [cell for cell in _same_thing(key, figure) if attribute is None or cell.attribute == attribute]
    if direct:
        return max(direct, key=lambda cell: cell.constraint.confidence)
    return _other_diameter(key, figure, attribute) if key[0] == "circle" else _following_value(key, figure)


def _following_value(key: Key, figure: Figure) -> Cell | None:
    if (right := _right_angle(key, figure)) is not None:
        return right
    tied = next((cell for other in equals_of(key, figure) for cell in figure.by_key.get(other, ())), None)
    if found := tied or _angle_on_a_line(key, figure):
        return found
    circle = circle_of_radius(key, figure)
    return value_of(circle, figure, "radius") if circle else _distance(key, figure)


def _distance(key: Key, figure: Figure) -> Cell | None:
    """How far two points are apart that have coordinates, on a line or in a plane."""
    ends = [figure.by_key.get(("point", (point,)), ()) for point in key[1]] if key[0] == "segment" else []
    places = [{cell.attribute: cell for cell in cells if "coordinate" in cell.attribute} for cells in ends]
    if len(places) != 2 or not places[0] or places[0].keys() != places[1].keys():
        return None
    apart = math.hypot(*(cell.value - places[1][axis].value for axis, cell in places[0].items()))
    return next(iter(places[0].values())).with_value(apart)


_CIRCLE_SIZES = frozenset({("radius", ()), ("diameter", ())})


def _only_circle_size(size: str, figure: Figure) -> Cell | None:
    """The radius or the diameter of the figure's only circle, known by a letter or in words alone."""
    every = (*figure.by_key, *keys_of(figure.links.get("incident", ())))
    circles = {key for key in every if key[0] == "circle"}
    if circles:
        return value_of(circles.pop(), figure, size) if len(circles) == 1 else None
    worded = [cell for cell in figure.cells if size in cell.row.lower().split()]
    return worded[0] if len(worded) == 1 else None


def keys_of(links: Iterable[Link]) -> Iterator[Key]:
    """The labels between which links hold."""
    return (key for link in links for key in link.keys if key)


def circle_of_radius(key: Key, figure: Figure) -> Key | None:
    """The circle from whose centre a segment leads to a point on it."""
    for centre, end in (key[1], key[1][::-1]) if key[0] == "segment" else ():
        ends = {("circle", (centre,)), ("point", (end,))}
        if any(ends <= set(link.keys) for link in figure.links.get("incident", ())):
            return ("circle", (centre,))
    return None


def _same_thing(key: Key, figure: Figure) -> list[Cell]:
    """The values of a thing, an angle's also by its other names: ∠CAE is ∠CAB where E lies on AB, or ∠A."""
    key = full_key(key, figure)
    if key[0] != "angle" or len(key[1]) != 3 or key in figure.by_key:
        return figure.by_key.get(key, [])
    a, vertex, c = key[1]
    names = _angles_between(_rays(a, vertex, figure)[0], vertex, _rays(c, vertex, figure)[0])
    return figure.by_key.get(next((one for one in names if one in figure.by_key), ("angle", (vertex,))), [])


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
    return key_of("angle", a, vertex, c)


def _right_angle(key: Key, figure: Figure) -> Cell | None:
    """90° where the two sides of an angle are perpendicular."""
    if key[0] != "angle" or len(key[1]) != 3:
        return None
    link = link_of_lines("perpendicular", (frozenset(key[1][:2]), frozenset(key[1][1:])), figure)
    if link is None:
        return None
    sure, name = link.relation.confidence, label_text(key)
    source = Numeric(entity=name, attribute="angle", value=90.0, unit="deg", confidence=sure)
    return Cell(
        index=link.index, constraint=source, value=90.0, key=key, row="", column="", attribute="angle", unit="degree", scale=1.0
    )  # fmt: skip


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


def certain_finding(holds: bool, index: int, confidence: float, explanation: str) -> Finding:
    verdict: Verdict = "supported" if holds else "contradicted"
    return Finding(verdict=verdict, constraint=index, confidence=confidence, explanation=explanation)


def link_finding(holds: bool, link: Link, explanation: str) -> Finding:
    return certain_finding(holds, link.index, link.relation.confidence, explanation)


def marked_text(lines: Iterable[frozenset[str]], sign: str) -> str:
    """Lines with the sign of a relation between them: AB ⟂ BC."""
    return sign.join("".join(sorted(line)) for line in lines)


def right_corner_finding(form: Between, figure: Figure) -> Finding:
    """A right angle at a vertex, of an angle, or anywhere in a triangle."""
    keys = {kind.replace("polygon", "triangle"): points for kind, points in reversed(form.keys)}
    vertex, *others = keys.get("angle", (form.vertex,))
    if others:
        return _ninety_finding(("angle", keys["angle"]), figure)
    inside = frozenset(keys["triangle"]) if "triangle" in keys else None
    line = _line_of(keys.get("segment", ()), figure)
    for corner in _right_corners(figure, inside):
        if _is_meant(corner, vertex, inside, line):
            return corner[2]
    if (only := _only_angle(vertex, figure)) is not None:
        return _ninety_finding(only, figure)
    return _corner_elsewhere(figure, vertex, inside) or missing("the figure marks no right angle there.")


_Corner: TypeAlias = tuple[str, frozenset[frozenset[str]], Finding]
"""The vertex and the sides of a right angle, and the finding on it."""


def _is_meant(corner: _Corner, vertex: str, inside: frozenset[str] | None, line: frozenset[str]) -> bool:
    """Whether a right angle is at a vertex or foot that is named, or any where none is, on a line if that is."""
    place, lines, _ = corner
    if vertex in ("?", "*") and (not line or line in lines):
        return True
    return place == vertex or (not place and inside is not None and any(vertex in side <= inside for side in lines))


def _only_angle(vertex: str, figure: Figure) -> Key | None:
    """The angle of three points at a vertex from which no other line goes."""
    only = full_key(("angle", (vertex,)), figure)
    sides = (side for _, points in _keys(figure) for side in itertools.pairwise(points) if vertex in side)
    return only if only[1][1:] and all(map(frozenset(only[1]).issuperset, sides)) else None


def _right_corners(figure: Figure, inside: frozenset[str] | None) -> list[_Corner]:
    """The right angles of the figure, inside these points, by a mark or by a value."""
    found: list[_Corner] = []
    for link in figure.links.get("perpendicular", ()):
        if len(link.lines) == 2:
            sides = frozenset(_line_of(line, figure) for line in link.lines)
            vertex = "".join(frozenset.intersection(*sides)) if len(sides) == 2 else ""
            shown = f"the figure marks {marked_text(sorted(link.lines, key=sorted), ' ⟂ ')}."
            found.append((vertex, sides, link_finding(True, link, shown)))
    for key in _square_angles(figure):
        points = key[1]
        sides = frozenset({frozenset(points[:2]), frozenset(points[1:])} if points[2:] else {frozenset(points)})
        measured = decide(True, figure.by_key[key][:1], f"the figure shows 90° at {label_text(key)}.")
        found.append((points[len(points) // 2], sides, measured))
    return [one for one in found if inside is None or _lies_inside(one, inside)]


def _lies_inside(corner: _Corner, inside: frozenset[str]) -> bool:
    """Whether both sides of a right angle lie inside points; one of lines whose crossing has no name, if the other only carries its foot."""
    vertex, sides, _ = corner
    if not vertex and any(map(inside.isdisjoint, sides)):
        return any(side <= inside for side in sides)
    return all(len(side & inside) >= min(len(side), 2) for side in sides)


def _ninety_finding(angle: Key, figure: Figure) -> Finding:
    cell = value_of(angle, figure)
    if cell is not None:
        return decide(equal(cell.value, 90.0), [cell], f"{label_text(angle)} is {number_text(cell.value)}°.")
    elsewhere = _corner_elsewhere(figure, angle[1][1], frozenset(angle[1]))
    return elsewhere or missing(f"the figure does not say whether {label_text(angle)} is a right angle.")


def _corner_elsewhere(figure: Figure, vertex: str, inside: frozenset[str] | None) -> Finding | None:
    """What speaks against a right angle in a triangle, which has another: the one named, or the only one of the figure, of the points
    that lie between no two others."""
    if inside is None:
        kinds = ("segment", "angle", "triangle")
        named = frozenset(point for kind, points in _keys(figure) if kind in kinds for point in points)
        inside = named.difference(*(chain[1:-1] for chain in _chains(figure)))
    corners = _right_corners(figure, inside) if len(inside) == 3 and vertex in inside else ()
    return next((opposite(finding) for corner, _, finding in corners if corner), None)


def _keys(figure: Figure) -> Iterator[Key]:
    """All labels of the figure, those with a value and those between which something holds."""
    return itertools.chain(figure.by_key, keys_of(itertools.chain.from_iterable(figure.links.values())))


def has_points(keys: Iterable[Key], figure: Figure) -> bool:
    """Whether the figure has all points of some labels."""
    drawn = itertools.chain.from_iterable(_chains(figure))
    known = {*drawn, *(point for _, points in _keys(figure) for point in points)}
    return all(known.issuperset(points) for _, points in keys)
