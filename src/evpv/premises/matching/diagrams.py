"""Labelled figures: relations of segments, angles and circles; and how a figure is put together."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from evpv.language.forms import Amount, Between, Layout, Phrase, Stated
from evpv.language.labels import Key, key_of, label_text
from evpv.language.layouts import opposite_place, part_and_place
from evpv.language.lexicon import SOLIDS
from evpv.language.quantities import number_text
from evpv.language.tokens import content_stems, name_stems, tokens
from evpv.premises.figure import Cell, Figure, Link
from evpv.premises.matching.measures import (
    angle_between,
    certain_finding,
    circle_of_radius,
    corners_at,
    equals_of,
    expressions_at,
    full_key,
    keys_of,
    link_finding,
    link_of_lines,
    marked_text,
    right_corner_finding,
    value_of,
)
from evpv.premises.matching.values import Finding, agreement, decide, equal, first_of, missing, together
from evpv.types import Structure

_COVERED = 0.75
_REVERSE = {"greater": "less", "less": "greater"}
_SIGNS = {"perpendicular": " ⟂ ", "parallel": " ∥ "}
_OTHER_DIRECTION = {"perpendicular": "parallel", "parallel": "perpendicular"}


def between_finding(form: Between, figure: Figure) -> Finding:
    """A relation between labelled things."""
    compares = form.relation in _REVERSE or form.times is not None or form.by is not None
    if compares and form.relation not in _SIGNS:
        return _compared_finding(form, figure)
    if form.relation == "similar" and len(form.drawn) != 2:
        return _listing_finding(form, figure)
    return _FINDINGS.get(form.relation, _listing_finding)(form, figure)


def _directions(form: Between, figure: Figure) -> Finding:
    """Perpendicular or parallel: stated by a relation or an angle, refuted by the other relation or a shared point."""
    segments = [frozenset(key[1]) for key in form.keys if key[0] in ("segment", "line")][:2]
    if form.relation == "perpendicular" and (form.vertex or len(segments) < 2):
        return right_corner_finding(form, figure)
    if len(segments) < 2:
        return missing("the claim names no two lines.")
    shown, other = marked_text(segments, _SIGNS[form.relation]), _OTHER_DIRECTION[form.relation]
    if (link := link_of_lines(form.relation, segments, figure)) is not None:
        return link_finding(True, link, f"the figure marks {shown}.")
    if (link := link_of_lines(other, segments, figure)) is not None:
        return link_finding(False, link, f"the figure marks them {other}, not {shown}.")
    angle = next(iter(figure.by_key.get(angle_between(*segments), ())), None)
    if angle is None:
        return missing(f"the figure does not say whether {shown}.")
    return decide(equal(angle.value, 90.0), [angle], f"the angle between them is {number_text(angle.value)}°.")


def _compared_finding(form: Between, figure: Figure) -> Finding:
    """“AB is longer than BC”, “AB is 3 units longer than BC”, “AB is twice BC”: whether two values are as far apart as a form says."""
    one, other = form.keys[:2]
    marked = None if form.by or form.times else _equal_link((one, other), figure)
    if marked is not None:
        return link_finding(False, marked, f"the figure marks {label_text(one)} = {label_text(other)}.")
    values = _both(one, other, figure)
    if values is None:
        return missing(f"the figure does not give both {label_text(one)} and {label_text(other)}.")
    left, right = values
    gap = left.value - right.value
    if form.times is not None:
        holds = _are_times(form.times, left, right)
    elif form.by is not None:
        said = {"less": -gap, "greater": gap}.get(form.relation, abs(gap))
        holds = agreement(form.by, left.with_value(said)) == "same"
    else:
        holds = (gap > 0) == (form.relation == "greater") and not equal(left.value, right.value)
    return decide(holds, [left, right], _values_text(one, left, other, right))


def _are_times(times: Amount, left: Cell, right: Cell) -> bool:
    """Whether one value is so many times another, at least or at most where the factor is a bound."""
    if times.bound != "=":
        return bool(right.value) and agreement(times, left.with_value(left.value / right.value)) == "same"
    wanted = times.quantity.absolute * right.value
    return abs(left.value - wanted) <= (0.1 if times.hedged else 1e-6) * max(abs(wanted), 1e-9)


def _values_text(one: Key, left: Cell, other: Key, right: Cell) -> str:
    return f"{label_text(one)} is {number_text(left.value)}, {label_text(other)} is {number_text(right.value)}."


def _both(left: Key, right: Key, figure: Figure) -> tuple[Cell, Cell] | None:
    """The values of two labelled things, measured alike: a radius is not held against a diameter."""
    attribute = _attribute(left, figure)
    one, other = value_of(left, figure, attribute), value_of(right, figure, attribute)
    return None if one is None or other is None else (one, other)


def _same_size(left: Key, right: Key, figure: Figure) -> Finding:
    """Equal by a mark, by values or by expressions."""
    left, right = full_key(left, figure), full_key(right, figure)
    if left == right:
        return missing("the claim compares a thing with itself.")
    marked = _equal_link((left, right), figure)
    if marked is not None:
        return link_finding(True, marked, f"the figure marks {label_text(left)} = {label_text(right)}.")
    if (values := _both(left, right, figure)) is not None:
        a, b = values
        return decide(equal(a.value, b.value), [a, b], _values_text(left, a, right, b))
    written = [one for one, _ in expressions_at(figure, lambda key: key == right)]
    link = next((link for one, link in expressions_at(figure, lambda key: key == left) if one in written), None)
    if link is None and right in equals_of(left, figure):
        link = _equal_link((left,), figure)
    if link is None:
        return missing(f"the figure does not say whether {label_text(left)} = {label_text(right)}.")
    return link_finding(True, link, f"the figure gives {label_text(left)} and {label_text(right)} the same size.")


def _equal_link(keys: Sequence[Key], figure: Figure) -> Link | None:
    return next((link for link in figure.links.get("equal", ()) if set(keys) <= set(link.keys)), None)


def _equal_sides(form: Between, figure: Figure) -> Finding:
    """Isosceles: two sides (or base angles) of the triangle are equal; equilateral: all sides of the polygon."""
    points = form.drawn[0] if form.drawn else form.keys[0][1]
    sides = _sides(points)
    if form.relation == "equilateral":
        return together([_same_size(sides[0], side, figure) for side in sides[1:]])
    of_sides, of_corners = (
        [_same_size(one, other, figure) for one, other in itertools.combinations(keys, 2)]
        for keys in (sides, _corners(points))
    )
    right = first_of((*of_sides, *of_corners), "supported")
    if right is None and all(one.verdict == "contradicted" for one in of_sides):
        return of_sides[0]
    return right or missing("the figure does not give two equal sides.")


def _sides(points: tuple[str, ...]) -> list[Key]:
    return [key_of("segment", *pair) for pair in zip(points, points[1:] + points[:1], strict=True)]


def _corners(points: tuple[str, ...]) -> list[Key]:
    """The angles of a triangle; those of larger polygons say nothing of its sides."""
    around = zip(points[-1:] + points, points, points[1:] + points[:1], strict=False)
    return [key_of("angle", *corner) for corner in around if len(points) == 3]


def _extreme(form: Between, figure: Figure) -> Finding:
    """“AB is the longest side of triangle ABC”, “∠B is the largest angle”: of all that it is held against."""
    subject, name = form.keys[0], label_text(form.keys[0])
    rivals = _rivals(form, figure)
    values = {key: cell for key in rivals if (cell := value_of(key, figure, _attribute(subject, figure)))}
    if subject not in values:
        return missing(f"the figure gives no value for {name}.")
    mine = values[subject]
    best = (max if form.most else min)(values.values(), key=lambda cell: cell.value)
    is_best = equal(mine.value, best.value)
    if is_best and len(values) < max(len(rivals), 2):
        return missing(f"the figure does not give everything that {name} is compared with.")
    word = "largest" if form.most else "smallest"
    shown = f"{name} is {number_text(mine.value)}; the {word} is {number_text(best.value)}."
    return decide(is_best, [mine, best], shown)


def _rivals(form: Between, figure: Figure) -> list[Key]:
    """What an extreme is held against: the sides of its triangle, else all of its kind."""
    kind, points = form.keys[0]
    triangle = next((key[1] for key in form.keys[1:] if key[0] == "triangle"), None)
    if triangle and kind == "segment":
        return _sides(triangle[:3])
    return [key for key in figure.by_key if key[0] == kind and len(key[1]) == len(points)]


def _attribute(key: Key, figure: Figure) -> str | None:
    cells = figure.by_key.get(key)
    return cells[0].attribute if cells and key[0] == "circle" else None


def _similar_finding(form: Between, figure: Figure) -> Finding:
    """Similar as listed, by two pairs of equal angles, or by a shared corner with parallel sides across from it."""
    first, second = form.drawn
    alike = [_same_size(one, other, figure) for one, other in zip(_corners(first), _corners(second), strict=True)]
    by_angles = [one for one in alike if one.verdict == "supported"]
    apart = [frozenset(one) - set(other) for one, other in (form.drawn, form.drawn[::-1])]
    shared = any(a == b for a, b in zip(first, second, strict=True))
    link = link_of_lines("parallel", apart, figure) if shared and len(apart[0]) == 2 else None
    if link is not None:
        return link_finding(True, link, f"the figure marks {marked_text(apart, _SIGNS['parallel'])}.")
    return by_angles[0] if len(by_angles) >= 2 else _listing_finding(form, figure)


def _bisector_finding(form: Between, figure: Figure) -> Finding:
    """“AD bisects the angle at A”, “M is the midpoint of AB”, “AM is a median”: what lies on both sides of it is equal."""
    lines, angles = _points_of(form, "segment"), _points_of(form, "angle")
    points = list(itertools.chain.from_iterable(_points_of(form, "point")))
    if lines and angles and angles[0][len(angles[0]) // 2] in lines[0]:
        pairs = [_half_angles(angles[0], lines[0], figure)]
    elif points:
        whole = [line for line in lines if not {*line} & {*points}]
        pairs = [*map(_parts_at, points, whole[-len(points) :])]
    else:
        pairs = _parts_at_ends(lines, figure)
    findings = [_same_size(pair[0], pair[1], figure) for pair in pairs if len(pair) == 2]
    return together(findings) if findings else _listing_finding(form, figure)


def _half_angles(angle: tuple[str, ...], line: tuple[str, ...], figure: Figure) -> list[Key]:
    vertex = angle[len(angle) // 2]
    end = next(point for point in line if point != vertex)
    if len(angle) == 1:  # it is known by its vertex alone
        return [key for key in corners_at(vertex, figure) if end in key[1]]
    return [key_of("angle", side, vertex, end) for side in angle[::2]]


def _parts_at_ends(lines: Sequence[tuple[str, ...]], figure: Figure) -> list[list[Key]]:
    """The first two equal segments that meet at an end of a line and lead to the ends of another, or of what the figure marks equal."""
    pairs = (link.lines for link in figure.links.get("equal", ()) if len(link.lines) == 2)
    wholes = lines[1:] or [tuple(frozenset.__xor__(*pair)) for pair in pairs]
    for end, whole in itertools.product(lines[0], wholes) if lines else ():
        parts = _parts_at(end, whole)
        if len(whole) == 2 and end not in whole and _same_size(parts[0], parts[1], figure).verdict == "supported":
            return [parts]
    return []


def _parts_at(middle: str, ends: Sequence[str]) -> list[Key]:
    """The two segments from a point to the ends of another segment."""
    return [key_of("segment", middle, end) for end in ends]


def _tangency(form: Between, figure: Figure) -> Finding | None:
    """A line that is perpendicular to the radius at a point of the circle."""
    lines = [*map(frozenset, _points_of(form, "segment"))]
    for link in figure.links.get("perpendicular", ()) if len(lines) == 1 else ():
        for other in link.lines - {lines[0]} if lines[0] in link.lines else ():
            circle = circle_of_radius(("segment", tuple(other)), figure)
            if circle is not None and not lines[0].issuperset(circle[1]):
                return link_finding(True, link, f"the figure marks {marked_text([*lines, other], ' ⟂ ')}, a radius.")
    return None


def _crossing(form: Between, figure: Figure) -> Finding | None:
    """Lines that meet at a point, where the figure labels what lies on both sides of it."""
    points, lines = _points_of(form, "point"), _points_of(form, "segment")
    if len(points) != 1 or len(lines) != 2 or points[0][0] in (*lines[0], *lines[1]):
        return None
    parts = sorted({part for line in lines for part in _parts_at(points[0][0], line)})
    cells = [figure.by_key[part][0] for part in parts if part in figure.by_key]
    if not cells or not {*parts} <= {*figure.by_key, *keys_of(itertools.chain.from_iterable(figure.links.values()))}:
        return None
    return decide(True, cells, f"the figure labels {', '.join(map(label_text, parts))}.")


def _points_of(form: Between, kind: str) -> list[tuple[str, ...]]:
    """The points of the things of one kind that a form names."""
    return [key[1] for key in form.keys if key[0] == kind]


def _listing_finding(form: Between, figure: Figure) -> Finding:
    """Incidence, containment, adjacency: only what the figure lists; A, O and B are collinear where O lies on AB."""
    if form.relation == "incident" and (met := _incidence_finding(form, figure)) is not None:
        return met
    wanted = {_bare(key) for key in form.keys}
    for link in figure.links.get(form.relation, ()) if len(wanted) > 1 else ():
        known = {_bare(key) for key in link.keys if key}
        if wanted <= known or {*itertools.chain(*wanted)} == {*itertools.chain(*known)}:
            return link_finding(True, link, f"the figure shows {', '.join(link.relation.entities)} as {form.relation}.")
    return missing(f"the figure does not list {', '.join(map(label_text, form.keys))} as {form.relation}.")


def _incidence_finding(form: Between, figure: Figure) -> Finding | None:
    """Points on a circle or on two lines, lines that meet, touch or never do."""
    kinds = [key[0] for key in form.keys]
    if form.keys[1:] == (("circle", ()),):
        return _on_a_circle(form.keys[0], figure)
    if (met := _crossing(form, figure) or _tangency(form, figure)) is not None:
        return met
    if kinds == ["segment", "segment"]:
        lines = [*map(frozenset, _points_of(form, "segment"))]
        link = link_of_lines("parallel", lines, figure)
        shown = f"the figure marks {marked_text(lines, _SIGNS['parallel'])}."
        return None if link is None else link_finding(False, link, shown)
    if sorted(kinds) == ["point", "segment", "segment"]:
        point, *through = sorted(form.keys)
        return together([_listing_finding(replace(form, keys=(point, line)), figure) for line in through])
    return None


def _on_a_circle(point: Key, figure: Figure) -> Finding:
    """A point on “the circle”, which is the only one of the figure."""
    links = [one for one in figure.links.get("incident", ()) if _points_in(one, "circle")]
    circles = set().union(*(_points_in(one, "circle") for one in links))
    on = next((one for one in links if point[1] in _points_in(one, "point")), None)
    if on is None or len(circles) != 1:
        return missing(f"the figure does not say whether {label_text(point)} lies on a circle.")
    return link_finding(True, on, f"the figure shows {', '.join(on.relation.entities)} as incident.")


def _points_in(link: Link, kind: str) -> set[tuple[str, ...]]:
    """The points of a link's labels of one kind."""
    return {key[1] for key in link.keys if key and key[0] == kind}


def _bare(key: Key) -> tuple[str, ...]:
    return key[1] if key[0] != "circle" else ("circle", *key[1])


def stated_finding(form: Stated, figure: Figure) -> Finding | None:
    """A relation that the extractor states in words: “cone base radius equals cylinder base radius”. Of lines without a name (“The legs
    are perpendicular as well”) it is right where the figure marks such lines."""
    said = {token.stem: token.start for side in reversed(form.sides) for token in reversed(side.tokens)}
    for kind in (form.relation, _REVERSE.get(form.relation, ""), _OTHER_DIRECTION.get(form.relation, "")):
        for link in figure.links.get(kind, ()):
            in_order = _is_in_order(link.relation.entities, said)
            if in_order is None:
                continue
            holds = kind == form.relation if kind not in _REVERSE else in_order == (kind == form.relation)
            shown = f"the figure states {link.relation.type}: {', '.join(link.relation.entities)}."
            return link_finding(holds, link, shown)
    marked = figure.links.get(form.relation) if figure.labelled and form.relation in _SIGNS else None
    return link_finding(True, marked[0], f"the figure marks lines that are {form.relation}.") if marked else None


def _is_in_order(entities: Sequence[str], said: dict[str, int]) -> bool | None:
    """Whether a sentence names things in their order; None where it does not name them all."""
    places = [place for entity in entities if (place := _place(entity, said)) is not None]
    return None if len(places) < max(2, len(entities)) else places == sorted(set(places))


def _place(entity: str, said: dict[str, int]) -> int | None:
    """Where a sentence names an entity, by its own words, which come first in “cone base radius”."""
    wanted = name_stems(entity)
    words = [token.stem for token in tokens(entity) if token.stem in wanted]
    hit = [word for word in words if word in said]
    return said[hit[0]] if words and len(hit) / len(words) >= _COVERED else None


_FINDINGS: Mapping[str, Callable[[Between, Figure], Finding]] = {
    "parallel": _directions, "perpendicular": _directions, "extreme": _extreme,
    "equal": lambda form, figure: together([_same_size(form.keys[0], key, figure) for key in form.keys[1:]]),
    "isosceles": _equal_sides, "equilateral": _equal_sides, "similar": _similar_finding, "bisects": _bisector_finding,
}  # fmt: skip
_PART_OVERLAP = 0.5
_LONGEST_NAME = 3
"""A part of more words is a description, which no list of parts can refute."""


DESCRIBES = "the claim describes the figure rather than naming its parts."


def layout_finding(form: Layout, figure: Figure) -> Finding:
    """Where parts stand, their names or their number, against the structures that were read of the claimed kind; a composite is held
    against others too, where none was read."""
    rivals = [pair for pair in figure.structures if pair[1].type == form.kind]
    if not rivals and form.kind == "composite":
        rivals = [pair for pair in figure.structures if pair[1].type not in ("table", "graph")]
    findings = []
    for index, structure in rivals:
        if structure.parts:
            place = _place_finding(form, index, structure)
            findings.append(place or _parts_finding(form, index, structure, figure))
    nothing = missing("no such structure was read from the figure.")
    return min(findings, key=lambda finding: finding.verdict != "supported", default=nothing)


def _parts_finding(form: Layout, index: int, structure: Structure, figure: Figure) -> Finding:
    """The parts named, which share enough words with those read (one without words asks for nothing), and their number."""
    is_number_right = _is_number_right(form, structure)
    if is_number_right is None and not form.parts:
        return missing("the claim names no part that could be compared.")
    names = structure.parts + (figure.names if form.kind == "table" else ())
    unknown = [] if is_number_right is False else _unknown_parts(form.parts, names)
    if _describes(form, unknown, names):
        return missing(DESCRIBES)
    beside = f"; '{unknown[0].text}' is not among them" if unknown else ""
    shown = f"the figure has the parts {', '.join(structure.parts)}{beside}."
    return certain_finding(is_number_right is not False and not unknown, index, structure.confidence, shown)


def _is_number_right(form: Layout, structure: Structure) -> bool | None:
    """None where there is no number, or it may count something else."""
    others = len(structure.parts) - (form.kind == "table")
    if form.number in (others, len(structure.parts) if form.noun in _HEADED else others):
        return True
    return False if form.number is not None and form.noun == "column" else None


def _unknown_parts(parts: Iterable[Phrase], names: Iterable[str]) -> list[Phrase]:
    known = [content_stems(name.split("(")[0]) or name_stems(name) for name in names]
    unknown = []
    for part in parts:
        wanted = _words(part)
        shares = (len(wanted & have) / max(min(len(wanted), len(have)), 1) for have in known)
        if wanted and not any(share >= _PART_OVERLAP for share in shares):
            unknown.append(part)
    return unknown


def _place_finding(form: Layout, index: int, structure: Structure) -> Finding | None:
    """Shapes said to be put together otherwise than was read, or of which labels tell nothing; None where their names may decide."""
    if form.kind != "composite":
        return None
    has_shapes = any(name_stems(part) & SOLIDS for part in structure.parts)
    if form.place is None:
        return None if has_shapes else missing("no shapes were read from the figure, only its labels.")
    parts = frozenset[str]().union(*(part.stems for part in form.parts))
    meetings = _meetings(structure, parts)
    for attachment in meetings:
        if _is_elsewhere(form.place, attachment, parts):
            return certain_finding(False, index, structure.confidence, f"the figure shows {attachment}.")
    return None if has_shapes or meetings else missing("the figure does not say where these parts stand.")


def _meetings(structure: Structure, parts: frozenset[str]) -> list[str]:
    every = (*structure.attachment, *structure.adjacency)
    return [one for one in every if len(parts & {token.stem for token in tokens(one)}) > 1]


def _is_elsewhere(place: tuple[str, str], attachment: str, parts: frozenset[str]) -> bool:
    seen = part_and_place(attachment, parts)
    return seen is not None and place[1] != (seen[1] if seen[0] == place[0] else opposite_place(seen[1]))


def _describes(form: Layout, unknown: Sequence[Phrase], names: Sequence[str]) -> bool:
    """Whether parts that no name covers describe: not where years are named beside years, and not the short names of columns."""
    are_years = all(token.is_number for part in unknown for token in part.tokens[-1:])
    if are_years and any(name.strip().isdigit() for name in names):
        return False
    is_loose = form.kind == "table" and not form.names_columns
    return bool(unknown) and (is_loose or any(len(_words(part)) > _LONGEST_NAME for part in unknown))


def _words(part: Phrase) -> frozenset[str]:
    kept = frozenset(token.stem for token in part.tokens if token.is_content)
    return kept or frozenset(token.stem for token in part.tokens if token.is_word)


_HEADED = frozenset("column heading header part label".split())
