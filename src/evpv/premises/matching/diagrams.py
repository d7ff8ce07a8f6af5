"""Labelled figures: relations of segments, angles and circles."""

from __future__ import annotations

from collections.abc import Sequence

from evpv.language.forms import Between, Stated
from evpv.language.labels import Key, canonical_points, label_text
from evpv.language.quantities import number_text
from evpv.language.tokens import name_stems
from evpv.premises.figure import Cell, Figure, Link
from evpv.premises.matching.findings import Finding, decide, missing, together
from evpv.premises.matching.measures import equals_of, known, link_finding, right_corner_finding, segment_text
from evpv.premises.matching.values import agreement, equal

_COVERED = 0.75


_REVERSE = {"greater": "less", "less": "greater"}


def between_finding(form: Between, figure: Figure) -> Finding:
    """A relation between labelled things."""
    if form.relation in ("parallel", "perpendicular"):
        return _directions(form, figure)
    if form.times is not None or form.by is not None:
        return _apart(form, figure)
    if form.relation == "extreme":
        return _extreme(form, figure)
    if form.relation in ("greater", "less"):
        return _order_finding(form, figure)
    if form.relation == "equal":
        return together([_same_size(form.keys[0], key, figure) for key in form.keys[1:]])
    if form.relation in ("isosceles", "equilateral"):
        return _equal_sides(form, figure)
    return _listing_finding(form, figure)


def _directions(form: Between, figure: Figure) -> Finding:
    """Perpendicular or parallel: stated by a relation or an angle, refuted by the other relation or a shared point."""
    segments = [frozenset(key[1]) for key in form.keys if key[0] == "segment"]
    if form.relation == "perpendicular" and (form.vertex or len(segments) < 2):
        return right_corner_finding(form, figure)
    if len(segments) < 2:
        return missing("the claim names no two lines.")
    first, second = segments[:2]
    sign = "⟂" if form.relation == "perpendicular" else "∥"
    shown = f"{segment_text(first)} {sign} {segment_text(second)}"
    other = "parallel" if form.relation == "perpendicular" else "perpendicular"
    for link in figure.links.get(form.relation, ()):
        if {first, second} <= link.lines:
            return link_finding(True, link, f"the figure marks {shown}.")
    for link in figure.links.get(other, ()):
        if {first, second} <= link.lines:
            return link_finding(False, link, f"the figure marks them {other}, not {shown}.")
    shared = first & second
    if len(shared) == 1:
        vertex = next(iter(shared))
        key = ("angle", canonical_points("angle", (next(iter(first - shared)), vertex, next(iter(second - shared)))))
        angle = next(iter(figure.by_key.get(key, ())), None)
        if angle is not None:
            return decide(equal(angle.value, 90.0), [angle], f"the angle between them is {number_text(angle.value)}°.")
    return missing(f"the figure does not say whether {shown}.")


def _apart(form: Between, figure: Figure) -> Finding:
    """“AB is 3 units longer than BC”, “AB is twice BC”."""
    left, right = _both(form.keys[0], form.keys[1], figure)
    if left is None or right is None:
        return missing(f"the figure does not give both {label_text(form.keys[0])} and {label_text(form.keys[1])}.")
    shown = f"{label_text(form.keys[0])} is {number_text(left.value)}, {label_text(form.keys[1])} is {number_text(right.value)}."
    if form.times is not None:
        wanted = form.times.quantity.absolute * right.value
        return decide(
            abs(left.value - wanted) <= (0.05 if form.times.hedged else 1e-6) * max(abs(wanted), 1e-9),
            [left, right],
            shown,
        )
    assert form.by is not None
    gap = left.value - right.value
    wanted_gap = {"less": -gap, "greater": gap}.get(form.relation, abs(gap))
    return decide(agreement(form.by, left.with_value(wanted_gap)) == "same", [left, right], shown)


def _both(left: Key, right: Key, figure: Figure) -> tuple[Cell | None, Cell | None]:
    """The values of two labelled things, measured alike: a radius is not held against a diameter."""
    attribute = _attribute(left, figure)
    return known(left, figure, attribute), known(right, figure, attribute)


def _same_size(left: Key, right: Key, figure: Figure) -> Finding:
    """Equal by a mark, by values or by expressions."""
    if left == right:
        return missing("the claim compares a thing with itself.")
    for link in figure.links.get("equal", ()):
        if left in link.keys and right in link.keys:
            return link_finding(True, link, f"the figure marks {label_text(left)} = {label_text(right)}.")
    a, b = _both(left, right, figure)
    if a is not None and b is not None:
        text = f"{label_text(left)} is {number_text(a.value)}, {label_text(right)} is {number_text(b.value)}."
        return decide(equal(a.value, b.value), [a, b], text)
    tied = equals_of(left, figure)
    first = _expressions_of(left, figure)
    shared = [
        link for expression, link in first if any(expression == other for other, _ in _expressions_of(right, figure))
    ]
    if right in tied or shared:
        link = shared[0] if shared else next(link for link in figure.links["equal"] if left in link.keys)
        return link_finding(True, link, f"the figure gives {label_text(left)} and {label_text(right)} the same size.")
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


def _order_finding(form: Between, figure: Figure) -> Finding:
    left, right = _both(form.keys[0], form.keys[1], figure)
    if left is None or right is None:
        return missing(f"the figure does not give both {label_text(form.keys[0])} and {label_text(form.keys[1])}.")
    holds = (left.value > right.value if form.relation == "greater" else left.value < right.value) and not equal(
        left.value, right.value
    )
    return decide(
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
    best = (max if form.most else min)(values.values(), key=lambda cell: cell.value)
    word = "largest" if form.most else "smallest"
    return decide(
        equal(mine.value, best.value),
        [mine, best],
        f"{label_text(subject)} is {number_text(mine.value)}; the {word} is {number_text(best.value)}.",
    )


def _attribute(key: Key, figure: Figure) -> str | None:
    cells = figure.by_key.get(key)
    return cells[0].attribute if cells and key[0] == "circle" else None


def _listing_finding(form: Between, figure: Figure) -> Finding:
    """Incidence, containment, adjacency: only what the figure lists."""
    if form.relation == "incident" and len(form.keys) == 2 and form.keys[1] == ("circle", ()):
        return _on_a_circle(form.keys[0], figure)
    wanted = {_bare(key) for key in form.keys}
    shown = ", ".join(map(label_text, form.keys))
    for link in figure.links.get(form.relation, ()):
        if len(wanted) > 1 and wanted <= {_bare(key) for key in link.keys if key}:
            return link_finding(True, link, f"the figure shows {', '.join(link.relation.entities)} as {form.relation}.")
    return missing(f"the figure does not list {shown} as {form.relation}.")


def _on_a_circle(point: Key, figure: Figure) -> Finding:
    """A point on “the circle”, which is the only one of the figure."""
    links = [one for one in figure.links.get("incident", ()) if any(key and key[0] == "circle" for key in one.keys)]
    circles = {key for one in links for key in one.keys if key and key[0] == "circle"}
    on = next((one for one in links if point[1] in {key[1] for key in one.keys if key and key[0] == "point"}), None)
    if on is None or len(circles) != 1:
        return missing(f"the figure does not say whether {label_text(point)} lies on a circle.")
    return link_finding(True, on, f"the figure shows {', '.join(on.relation.entities)} as incident.")


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
            return link_finding(
                holds, link, f"the figure states {link.relation.type}: {', '.join(link.relation.entities)}."
            )
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
