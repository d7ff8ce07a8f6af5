"""Relations between labelled things: right angles, parallels, halves, equal sides, incidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evpv.language.clauses import Clause, times_word
from evpv.language.forms import Amount, Between, Bound, Form, Measure, Open
from evpv.language.labelled import MEASURED, Found, angle_between_sides, kind_word
from evpv.language.labels import Key, Label
from evpv.language.lexicon import ORDINALS
from evpv.language.quantities import Quantity
from evpv.language.tokens import Cue

_THESE = frozenset("these those they both two either them".split())


def clause_relations(
    clause: Clause, points: tuple[Label, ...], seen: Sequence[Label], previous: Clause | None
) -> list[Found] | None:
    """The relation that a clause states between labelled things; None if it states none."""
    where: dict[str, Any] = {"start": clause.start, "end": clause.end}
    denied = _is_denied(clause)
    free = [label for label in clause.labels if not any(e.start <= label.start < e.end for e in clause.equations)]
    forms = _relation_forms(clause, free, points, seen, previous)
    if forms is None:
        return None
    return [Found(form=form, denied=denied, derived=clause.derived, **where) for form in forms]


def _is_denied(clause: Clause) -> bool:
    scalene = (cue := clause.has("isosceles")) is not None and cue.words == "scalene"
    parallel = clause.has("parallel")
    inner = range(parallel.first, parallel.last + 1) if parallel else ()
    denial = any(cue.tag == "not" and cue.first not in inner for cue in clause.cues)
    return denial != scalene or (clause.has("differ") is not None and clause.has("same") is None)


def _relation_forms(
    clause: Clause, free: list[Label], points: tuple[Label, ...], seen: Sequence[Label], previous: Clause | None
) -> list[Form] | None:
    segments = [label for label in free if label.kind == "segment"]
    if clause.has("bisects") or clause.has("midpoint"):
        halves = _halves(clause, free, points)
        return [halves] if halves else None
    if (cue := clause.has("perpendicular")) is not None and not (clause.has("same") and len(segments) >= 2):
        return _right_angles(clause, cue, free, points, seen)
    if (cue := clause.has("parallel")) is not None:
        pair = _beside(clause, cue, segments) or _recent(clause, seen, "segment")
        if len(pair) >= 2:
            return [Between(relation="parallel", keys=pair, drawn=())]
        return _open_relation(clause) if len(segments) == 1 else None
    if clause.has("isosceles") or clause.has("equilateral"):
        return _equal_sides(clause, free, points)
    if clause.has("on") and not clause.amounts and (circle := _circle(clause, free)) is not None:
        return [Between(relation="incident", keys=(point, circle)) for point in _singles(free, points)] or None
    if (part := _part_of(clause, free)) is not None:
        return [part]
    if free and clause.has("similar"):
        return [Between(relation="similar", keys=tuple(label.key for label in free))]
    if (bound := _acute(clause)) is not None:
        angle = next((label.key for label in free if label.kind == "angle"), None) or angle_between_sides(free)
        return [Measure(key=angle, amount=bound, drawn=angle[1])] if angle else None
    if (factor := times_word(clause)) is not None and len(free) >= 2:
        return _multiple_forms(clause, free, factor[0])
    if (clause.has("more", "less") and (clause.has("than") or clause.has("times"))) or clause.has("beats", "trails"):
        return _compared_lengths(clause, free, seen)
    if (cue := clause.has("most", "least")) is not None:
        group = tuple(label.key for label in free if label.kind in ("triangle", "polygon"))
        subject = next((label for label in free if label.kind in MEASURED), None)
        if subject is None and not free and clause.tokens[0].lower in ("is", "being", "making", "the"):
            subject = (
                next((label for label in reversed(seen) if label.kind in MEASURED), None)
                if previous is not None
                else None
            )
        rank = next(
            (ORDINALS[t.lower] for t in clause.tokens[max(0, cue.first - 3) : cue.first] if t.lower in ORDINALS),
            1,
        )
        return (
            [Between(relation="extreme", keys=(subject.key, *group), most=cue.tag == "most", rank=rank)]
            if subject
            else None
        )
    if (factor := times_word(clause)) is not None or any(one.role == "times" for one in clause.amounts):
        return _multiple_forms(clause, free, factor[0] if factor else None)
    if clause.has("same", "differ", "tick"):
        return _equals(clause, free, points, seen)
    if clause.has("on", "inside", "next"):
        return _incidence(clause, free, points)
    return None


def _circle(clause: Clause, free: list[Label]) -> Key | None:
    """The circle that points are said to lie on, named or not."""
    cue = clause.has("on")
    if cue is None or not cue.words.endswith(" on"):
        return None
    named = next((label.key for label in free if label.kind == "circle"), None)
    words = {token.lower for token in clause.tokens[cue.last :]}
    return named or (("circle", ()) if words & {"circle", "circumference"} and "of" not in words else None)


def _singles(free: list[Label], points: tuple[Label, ...]) -> list[Key]:
    named = sorted([*(label for label in free if label.kind == "point"), *points], key=lambda label: label.start)
    return list(dict.fromkeys(("point", label.points) for label in named))


def _acute(clause: Clause) -> Amount | None:
    """“∠AGF is acute”: less than a right angle."""
    words = set(clause.words)
    right = Quantity(value=90.0, unit="degree")
    if "acute" in words:
        return Amount(quantity=right, bound="<")
    return Amount(quantity=right, bound=">") if "obtuse" in words else None


def _part_of(clause: Clause, free: list[Label]) -> Form | None:
    """“CD is one third of AC”."""
    one = next(
        (a for a in clause.amounts if a.amount.quantity.places is None and 0 < a.amount.quantity.value < 1), None
    )
    sides = [label.key for label in free if label.kind in MEASURED]
    if (
        one is None
        or len(sides) != 2
        or one.last + 1 >= len(clause.tokens)
        or clause.tokens[one.last + 1].lower != "of"
    ):
        return None
    return Between(relation="equal", keys=tuple(sides), times=one.amount)


def _open_relation(clause: Clause) -> list[Form] | None:
    """A relation said of nothing that is named: it can only be open, where it asserts at all."""
    return (
        None
        if not any(token.is_content for token in clause.tokens)
        else [Open(about=clause.phrase(), reason="it names no two lines")]
    )


def _beside(clause: Clause, cue: Cue, segments: Sequence[Label]) -> tuple[Key, ...]:
    """The two lines that a relation word stands between or right after, where the clause names more."""
    at = clause.tokens[cue.first].start
    before = [label.key for label in segments if label.end <= at]
    after = [label.key for label in segments if label.start > at]
    if after and before:
        return (before[-1], after[0])
    if len(before) >= 2:
        return tuple(before[-2:])
    return tuple(after[:2]) if len(after) >= 2 else ()


def _recent(clause: Clause, seen: Sequence[Label], kind: str) -> tuple[Key, ...]:
    """“These two segments”: the last two of their kind named before."""
    words = set(clause.words)
    if not words & _THESE:
        return ()
    keys = list(dict.fromkeys(label.key for label in seen if label.kind == kind))
    return tuple(keys[-2:])


def _right_angles(
    clause: Clause, cue: Cue, free: list[Label], points: tuple[Label, ...], seen: Sequence[Label]
) -> list[Form] | None:
    """Perpendicular lines: two named, an angle, a vertex of a triangle, or pairs between which marks stand."""
    segments = [label for label in free if label.kind == "segment"]
    at = clause.tokens[cue.first].start
    if len(segments) >= 4 and any(t.lower == "between" for t in clause.tokens):
        return [
            Between(relation="perpendicular", keys=(a.key, b.key))
            for a, b in zip(segments[::2], segments[1::2], strict=False)
        ]
    pair = _beside(clause, cue, segments)
    if len(pair) >= 2:
        return [Between(relation="perpendicular", keys=pair)]
    angle = next((label for label in free if label.kind == "angle"), None)
    triangle = next((label for label in free if label.kind == "triangle"), None)
    corners = [*(label for label in free if label.kind == "point"), *(p for p in points if p.start >= at or not free)]
    if angle is not None:
        return [Between(relation="perpendicular", keys=(angle.key,))]
    if corners:
        vertices = dict.fromkeys(
            label.points[0] for label in corners if triangle is None or label.points[0] in triangle.points
        )
        group = (triangle.key,) if triangle else ()
        return [Between(relation="perpendicular", keys=group, vertex=vertex) for vertex in vertices] or None
    recent = _recent(clause, seen, "segment")
    if recent:
        return [Between(relation="perpendicular", keys=(key,), vertex="*") for key in recent]
    words = list(clause.words)
    states = (
        bool(set(words) & {"is", "has", "have", "dealing", "shows", "forms", "form", "makes", "contains", "marks"})
        and "triangles" not in words
    )
    return [Between(relation="perpendicular", keys=(), vertex="?")] if not free and states else None


def _halves(clause: Clause, free: list[Label], points: tuple[Label, ...]) -> Form | None:
    """What a bisector or a midpoint makes equal."""
    ray = next((label for label in free if label.kind == "segment"), None)
    angle = next((label for label in free if label.kind == "angle"), None)
    if ray is not None and angle is not None and len(angle.points) == 3 and angle.points[1] in ray.points:
        a, vertex, c = angle.points
        end = next(point for point in ray.points if point != vertex)
        halves = tuple(("angle", min((p, vertex, end), (end, vertex, p))) for p in (a, c))
        return Between(relation="equal", keys=halves)
    cue = clause.has("midpoint")
    at = clause.tokens[cue.last].end if cue else 0
    if cue is not None and not free and len(points) == 3:
        return _from_one(points)
    segment = next((label for label in free if label.kind == "segment" and label.start >= at), ray)
    singles = [*points, *(label for label in free if label.kind == "point")]
    middle = next((p.points[0] for p in singles if segment and p.points[0] not in segment.points), None)
    if segment is not None and middle is not None and (cue or middle == min(singles, key=lambda p: p.start).points[0]):
        keys = tuple(("segment", tuple(sorted((middle, end)))) for end in segment.points)
        return Between(relation="equal", keys=keys)
    return Between(relation="bisects", keys=tuple(label.key for label in free)) if free else None


def _equal_sides(clause: Clause, free: list[Label], points: tuple[Label, ...]) -> list[Form] | None:
    triangle = next((label for label in free if label.kind in ("triangle", "polygon")), None)
    sides = tuple(label.key for label in free if label.kind in ("segment", "angle"))
    found: list[Form] = []
    if triangle is None or len(sides) >= 2:
        return found or None
    relation = "equilateral" if clause.has("equilateral") else "isosceles"
    return [Between(relation=relation, keys=(triangle.key,), drawn=(triangle.points,))]


def _compared_lengths(clause: Clause, free: list[Label], seen: Sequence[Label]) -> list[Form] | None:
    """“AB is 3 units longer than BC”, “DH is shorter than either of these sides”."""
    keys = [label.key for label in free if label.kind in MEASURED]
    order = "greater" if clause.has("more", "beats") else "less"
    rivals = keys[1:2]
    if len(keys) == 1:
        rivals = [key for key in _recent(clause, seen, keys[0][0]) if key != keys[0]]
    if not keys or not rivals:
        return None
    amount = next((one.amount for one in clause.amounts if one.role != "times"), None)
    times = next((one.amount for one in clause.amounts if one.role == "times"), None)
    return [Between(relation=order, keys=(keys[0], rival), by=amount, times=times) for rival in rivals]


def _multiple_forms(clause: Clause, free: list[Label], factor: float | None) -> list[Form] | None:
    keys = tuple(label.key for label in free if label.kind in MEASURED)
    stated = next((one.amount for one in clause.amounts if one.role == "times"), None)
    if len(keys) < 2:
        return None
    bound: Bound = "="
    hedged = clause.has("hedge") is not None
    times = stated or Amount(quantity=Quantity(value=factor or 1.0, places=None), bound=bound, hedged=hedged)
    return [Between(relation="equal", keys=keys[:2], times=times)]


def _equals(clause: Clause, free: list[Label], points: tuple[Label, ...], seen: Sequence[Label]) -> list[Form] | None:
    """“FG and GH are congruent”, “CA and AD carry the same tick mark”, “the four sides of ABCD are equal”."""
    sides = [label for label in free if label.kind in MEASURED]
    if clause.amounts:
        return None
    if len(sides) >= 2:
        last = sides[-1].key
        return [Between(relation="equal", keys=(side.key, last)) for side in sides[:-1] if side.key[0] == last[0]]
    polygons = [label for label in free if label.kind in ("polygon", "triangle")]
    if len(polygons) > 1:
        return [Between(relation="equal", keys=tuple(label.key for label in polygons))]
    polygon = next(iter(polygons), None)
    if polygon is not None:
        return [Between(relation="equilateral", keys=(polygon.key,), drawn=(polygon.points,))]
    if not sides and len(points) == 2 and kind_word(clause) == "angle":
        return [Between(relation="equal", keys=tuple(("angle", point.points) for point in points))]
    if not sides and len(points) == 3 and clause.has("same"):
        return [_from_one(points)]
    recent = _recent(clause, seen, "segment")
    return [Between(relation="equal", keys=recent)] if len(recent) == 2 and not sides else None


def _from_one(points: Sequence[Label]) -> Form:
    """“E is equidistant from A and D”, “Q lies midway between P and R”: the first point is as far from the one as from the other."""
    first, *others = (point.points[0] for point in points)
    return Between(relation="equal", keys=tuple(("segment", tuple(sorted((first, other)))) for other in others))


def _incidence(clause: Clause, free: list[Label], points: tuple[Label, ...]) -> list[Form] | None:
    cue = clause.has("on", "inside", "next")
    assert cue is not None
    relation = {"on": "incident", "inside": "subset", "next": "adjacent"}[cue.tag]
    named = sorted([*free, *points], key=lambda label: label.start)
    keys = tuple(label.key for label in named)
    if cue.words in ("diameter", "center of", "centre of", "chord of", "chords of", "tangent") and (
        clause.amounts or not keys
    ):
        return None
    if not keys:
        return [Open(about=clause.phrase(), reason="it names no points")] if clause.has("inside") else None
    return [Between(relation=relation, keys=keys)]
