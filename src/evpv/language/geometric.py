"""What sentences about labelled figures assert: measures, expressions and relations of segments, angles and points."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from evpv.language.clauses import Clause, Stated, times_word
from evpv.language.equations import Equation, Side
from evpv.language.expressions import has_variable
from evpv.language.forms import Amount, Between, Bound, Form, KeySum, Measure, Open
from evpv.language.labels import Key, Label, loose_points
from evpv.language.lexicon import ORDINALS
from evpv.language.quantities import Quantity
from evpv.language.tokens import Cue, Token

_ATTRIBUTES = ("radius", "diameter", "circumference", "area", "perimeter", "volume")
_MEASURED = frozenset({"segment", "angle", "arc", "circle"})
_NAMES_AS = frozenset(
    "is are equals labeled labelled marked measures measure as = by with given written shown expressed denoted called length stands for represents represented expression unknown side the value an angle of has".split()  # noqa: E501
)
_THESE = frozenset("these those they both two either them".split())
_KIND_WORDS = {
    "angle": "angle",
    "angles": "angle",
    "side": "segment",
    "sides": "segment",
    "leg": "segment",
    "legs": "segment",
    "segment": "segment",
    "segments": "segment",
    "hypotenuse": "segment",
    "base": "segment",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A form with its place in the sentence."""

    start: int
    end: int
    form: Form
    denied: bool = False
    derived: bool = False
    aside: bool = False
    computed: bool = False
    spare: tuple[Quantity, ...] = ()


def geometric_forms(text: str, parts: Sequence[Clause], earlier: Sequence[Label]) -> list[Found]:
    """All that a sentence asserts of labelled things; `earlier` are the labels named before it, for “these two segments”."""
    found: list[Found] = []
    seen = list(earlier)
    previous: Clause | None = None
    for clause in parts:
        points = _points(clause)
        own = _of_both(clause, found) or _clause_forms(clause, points, seen, previous)
        found += own
        seen += [label for label in clause.labels if label.kind in _MEASURED]
        previous = clause
    return found


def _of_both(clause: Clause, found: Sequence[Found]) -> list[Found]:
    """“… because both are marked 87°”: the value of each of the things just called equal, said as the reason."""
    words = set(clause.words)
    equal = found[-1].form if found else None
    if clause.labels or len(clause.amounts) != 1 or not words & {"both", "each"} or not words & {"because", "since"}:
        return []
    if not isinstance(equal, Between) or equal.relation != "equal" or equal.by or equal.times:
        return []
    amount = clause.amounts[0].amount
    return [
        Found(start=clause.start, end=clause.end, form=Measure(key=key, amount=amount, drawn=key[1]), aside=True)
        for key in equal.keys
    ]


def _points(clause: Clause) -> tuple[Label, ...]:
    """Single capitals of the clause, at the sentence's places."""
    shift = clause.start
    named = tuple(Label(kind=x.kind, points=x.points, start=x.start - shift, end=x.end - shift) for x in clause.labels)
    return tuple(
        Label(kind=x.kind, points=x.points, start=x.start + shift, end=x.end + shift)
        for x in loose_points(clause.text, named)
    )


def _clause_forms(
    clause: Clause, points: tuple[Label, ...], seen: Sequence[Label], previous: Clause | None
) -> list[Found]:
    found = [one for equation in clause.equations for one in _equation_forms(clause, equation)]
    expressions = list(_named_expressions(clause))
    found += expressions
    named_only = expressions and not clause.has("parallel", "perpendicular", "isosceles", "bisects", "tick")
    relation = None if named_only else _relation(clause, points, seen, previous)
    if relation is not None:
        found += relation
        if any(isinstance(one.form, Between) and (one.form.by or one.form.times) for one in relation):
            return found
    if not (relation and clause.has("more", "less", "than")):
        found += _measures(clause, points)
    return found


def _equation_forms(clause: Clause, equation: Equation) -> Iterator[Found]:
    """Each label of a chain of equals signs with what it is set equal to."""
    derived = clause.derived or any(
        cue.tag == "so" and clause.tokens[cue.last].end <= equation.start for cue in clause.cues
    )
    where: dict[str, Any] = {"start": max(equation.start, clause.start), "end": min(equation.end, clause.end)}
    sides = equation.sides
    first = sides[0]
    rest = sides[1:]
    for side in sides:
        if side.kind != "label" or side.label is None or side.label.kind not in _MEASURED | {"point"}:
            continue
        value = next((other for other in sides if other is not side and other.kind in ("number", "unknown")), None)
        computed = any(other.kind in ("calculation", "labels") for other in sides)
        if value is not None and not (computed and value is sides[-1]):
            yield Found(form=_measure(side.label, value, equation), derived=derived, **where)
    if len(sides) == 2 and first.kind == "labels" and rest[0].kind == "number" and _is_sum(first) and rest[0].quantity:
        keys = tuple(label.key for label in first.named)
        yield Found(
            form=KeySum(keys=keys, amount=Amount(quantity=rest[0].quantity, hedged=equation.about)),
            derived=derived,
            **where,
        )
    labelled = [side.label for side in sides if side.kind == "label" and side.label is not None]
    if len(labelled) >= 2:
        for left, right in itertools.pairwise(labelled):
            yield Found(form=Between(relation="equal", keys=(left.key, right.key)), derived=derived, **where)
    if (
        len(sides) == 2
        and first.kind == "label"
        and first.label
        and rest[0].kind == "labels"
        and len(rest[0].named) == 1
    ):
        factor = _factor(rest[0])
        if factor is not None:
            times = Amount(quantity=Quantity(value=factor, places=None), hedged=equation.about)
            yield Found(
                form=Between(relation="equal", keys=(first.label.key, rest[0].named[0].key), times=times),
                derived=derived,
                **where,
            )


def _measure(label: Label, side: Side, equation: Equation) -> Measure:
    if side.kind == "number" and side.quantity is not None:
        return Measure(key=label.key, amount=Amount(quantity=side.quantity, hedged=equation.about), drawn=label.points)
    return Measure(key=label.key, expression=_bare(side.text), drawn=label.points)


def _bare(text: str) -> str:
    """An expression without its degree sign and outer brackets."""
    bare = text.strip().rstrip("°").strip()
    inner = bare[1:-1] if bare.startswith("(") and bare.endswith(")") else bare
    return inner if has_variable(inner) else bare


def _is_sum(side: Side) -> bool:
    signs = set(side.text) & set("+-*/×÷·^√")
    return signs == {"+"} and not any(c.isdigit() for c in side.text)


def _factor(side: Side) -> float | None:
    """The number in “2 × EF”, “2BC”, “1/2 AB”."""
    rest = (side.text[: side.named[0].start] + side.text[side.named[0].end :]).strip(" ×·*()")
    top, _, bottom = rest.partition("/")
    try:
        return float(top or 1) / float(bottom or 1)
    except (ValueError, ZeroDivisionError):
        return None


def _named_expressions(clause: Clause) -> Iterator[Found]:
    """“AB is labeled h”, “PO is x and PQ is y”, “z stands for the length of AD”, “the unknown x is the hypotenuse SU”."""
    if any(e.sides[0].kind == "label" and len(clause.labels) == 1 for e in clause.equations):
        return
    letters = _expression_runs(clause)
    labels = [label for label in clause.labels if label.kind in ("segment", "angle", "arc")]
    labels = [label for label in labels if not any(e.start <= label.start < e.end for e in clause.equations)]
    for first, last, text in letters:
        before = [label for label in labels if label.end <= clause.tokens[first].start]
        after = [label for label in labels if label.start >= clause.tokens[last].end]
        near = before[-1] if before and _leads(clause, before[-1].end, clause.tokens[first].start) else None
        if near is None and after and _leads(clause, clause.tokens[last].end, after[0].start):
            near = after[0]
        if near is not None:
            start, end = min(near.start, clause.tokens[first].start), max(near.end, clause.tokens[last].end)
            yield Found(
                start=start,
                end=end,
                form=Measure(key=near.key, expression=text, drawn=near.points),
                derived=clause.derived,
            )
        elif not labels and (kind := _kind_word(clause)):
            vertex = next((p for p in _points(clause) if p.points), None)
            key: Key = (kind, vertex.points if vertex and kind == "angle" else ())
            yield Found(
                start=clause.start, end=clause.end, form=Measure(key=key, expression=text), derived=clause.derived
            )


def _kind_word(clause: Clause) -> str:
    words = list(clause.words)
    if "one" in words or "ones" in words:
        return "angle" if any(word in ("vertex", "at") for word in words) else ""
    return next((_KIND_WORDS[word] for word in words if word in _KIND_WORDS), "")


def _expression_runs(clause: Clause) -> Iterator[tuple[int, int, str]]:
    """Runs of tokens that are one expression with an unknown, outside equations."""
    index = 0
    found = clause.tokens
    while index < len(found):
        if any(e.start <= found[index].start < e.end for e in clause.equations) or not _opens_expression(found, index):
            index += 1
            continue
        last = index
        while last + 1 < len(found) and (_is_term(found[last + 1]) or found[last + 1].text in "+-*/^()°√"):
            last += 1
        while last > index and found[last].text in "+-*/^(":
            last -= 1
        text = _bare(clause.text[found[index].start - clause.start : found[last].end - clause.start])
        if any(one.first <= index <= one.last and one.amount.quantity.unit for one in clause.amounts):
            index = last + 1
            continue
        if has_variable(text) or has_variable(text.strip("()° ")):
            yield index, last, text if has_variable(text) else text.strip("()° ")
        index = last + 1


def _is_term(token: Token) -> bool:
    return token.is_number or (len(token.text) == 1 and token.text.islower() and token.text not in ("a", "s"))


def _opens_expression(found: Sequence[Token], index: int) -> bool:
    token = found[index]
    if token.text == "(" and index + 1 < len(found):
        return _is_term(found[index + 1])
    return _is_term(token)


def _leads(clause: Clause, start: int, end: int) -> bool:
    """Whether only words that name stand between two places."""
    between = [t.lower for t in clause.tokens if start <= t.start < end]
    return all(word in _NAMES_AS or word in (",", "(", ")", ":") for word in between)


def _measures(clause: Clause, points: tuple[Label, ...]) -> Iterator[Found]:
    """Amounts said of labels: the one right before, those a list joins to it, or the first after."""
    amounts = [one for one in clause.amounts if one.role != "times" and not _names_angle(clause, one)]
    kinds = _MEASURED | {"polygon"} | ({"point"} if _coordinate(clause) else set())
    labels = [label for label in clause.labels if label.kind in kinds]
    labels = [label for label in labels if not any(e.start <= label.start < e.end for e in clause.equations)]
    if not amounts:
        return
    if clause.has("total") and len(labels) > 1 and len(amounts) == 1:
        keys = tuple(label.key for label in labels)
        yield Found(
            start=clause.start, end=clause.end, form=KeySum(keys=keys, amount=amounts[0].amount), derived=clause.derived
        )
        return
    corners = tuple(label for label in clause.labels if label.kind == "point")
    if _distance(clause) and (points or corners) and (pairs := _distances(clause, labels, (*points, *corners))):
        for key in dict.fromkeys(pairs):
            yield Found(
                start=clause.start,
                end=clause.end,
                form=Measure(key=key, amount=amounts[0].amount),
                derived=clause.derived,
            )
        return
    measured = [label for label in labels if label.kind != "point"] or labels
    if corner := _corner(clause, measured, amounts):
        yield Found(start=clause.start, end=clause.end, form=corner, derived=clause.derived)
        return
    if not measured:
        yield from _unlabelled(clause, points, amounts)
        return
    attribute = _attribute(clause)
    leading = [label for label in measured if label.end <= _at(clause, amounts[0])]
    if len(leading) == len(amounts) > 1:
        pairs_of = list(zip([[label] for label in leading], amounts, strict=True))
    else:
        pairs_of = list(_paired(clause, measured, amounts))
    for group, one in pairs_of:
        for label in group:
            if label.kind == "segment" and one.amount.quantity.unit == "degree":
                continue
            start, end = min(label.start, _at(clause, one)), max(label.end, one.amount.quantity.end)
            form = Measure(
                key=label.key,
                amount=one.amount,
                attribute=attribute if label.kind in ("circle", "polygon", "triangle") else "",
                drawn=label.points,
            )
            yield Found(start=start, end=max(end, start + 1), form=form, derived=clause.derived)


def _names_angle(clause: Clause, one: Stated) -> bool:
    """Whether an amount only says which angle is meant: “the side opposite the 60° angle”."""
    words = [
        token.lower
        for token in (*clause.tokens[max(0, one.first - 1) : one.first], *clause.tokens[one.last + 1 : one.last + 2])
    ]
    return words == ["the", "angle"] and any(
        token.lower in ("opposite", "facing", "by", "of") for token in clause.tokens[: one.first]
    )


def _coordinate(clause: Clause) -> bool:
    return bool({t.stem for t in clause.tokens} & {"coordinate", "located", "plotted", "position"})


def _corner(clause: Clause, measured: Sequence[Label], amounts: Sequence[Stated]) -> Form | None:
    """“The angle between AB and AF measures 32°”, “CB meets AB at 90°”: two segments that share a point, and degrees."""
    key = _between_sides(measured)
    if key is None or len(amounts) != 1 or amounts[0].amount.quantity.unit != "degree":
        return None
    return Measure(key=key, amount=amounts[0].amount, drawn=key[1])


def _between_sides(named: Sequence[Label]) -> Key | None:
    """The angle between the only two segments named, where they share a point."""
    sides = [label for label in named if label.kind == "segment"]
    shared = set(sides[0].points) & set(sides[1].points) if len(sides) == 2 else set()
    if len(shared) != 1:
        return None
    vertex = shared.pop()
    ends = [next(p for p in side.points if p != vertex) for side in sides]
    points = (ends[0], vertex, ends[1])
    return ("angle", min(points, points[::-1]))


def _unlabelled(clause: Clause, points: tuple[Label, ...], amounts: Sequence[Stated]) -> Iterator[Found]:
    """“The angles at A and B are 30° and 60°”, “both legs measure 9√2”: a kind of thing, at a point or anywhere."""
    kind = _kind_word(clause) or ("angle" if amounts[0].amount.quantity.unit == "degree" else "")
    where: dict[str, Any] = {"start": clause.start, "end": clause.end, "derived": clause.derived}
    if not kind or clause.has("most", "least", "more", "less", "total", "mean") or _attribute(clause):
        return
    corners = [p for p in points if p.end <= _at(clause, amounts[0])] or list(points)
    if kind == "angle" and corners:
        pairs = (
            zip(corners, amounts, strict=False) if len(corners) == len(amounts) else ((p, amounts[0]) for p in corners)
        )
        for point, one in pairs:
            yield Found(form=Measure(key=("angle", point.points), amount=one.amount, drawn=point.points), **where)
        return
    for one in amounts:
        yield Found(form=Measure(key=(kind, ()), amount=one.amount), **where)


def _at(clause: Clause, one: Stated) -> int:
    return clause.tokens[one.first].start


def _paired(clause: Clause, labels: list[Label], amounts: Sequence[Stated]) -> Iterator[tuple[list[Label], Stated]]:
    taken: set[int] = set()
    for one in amounts:
        before = [i for i, label in enumerate(labels) if label.end <= _at(clause, one) and i not in taken]
        group: list[Label] = []
        while before:
            last = before.pop()
            taken.add(last)
            group.append(labels[last])
            if not before or not _joined(clause, labels[before[-1]].end, labels[last].start):
                break
        if group:
            yield group[::-1], one
    if not taken and amounts:
        yield [labels[0]], amounts[-1]


def _joined(clause: Clause, start: int, end: int) -> bool:
    between = [t.lower for t in clause.tokens if start <= t.start < end]
    return all(word in (",", "and", "&", "or", "=", "≅", "both", "angle", "∠") for word in between)


def _attribute(clause: Clause) -> str:
    words = {token.stem for token in clause.tokens}
    return next((name for name in _ATTRIBUTES if name in words), "")


def _distance(clause: Clause) -> bool:
    words = set(clause.words)
    return bool(words & {"away", "distance", "from", "apart"}) and not clause.equations


def _distances(clause: Clause, labels: Sequence[Label], points: tuple[Label, ...]) -> list[Key]:
    """“M is 4.5 away from both C and D”: the segments from the first point to each other."""
    named = sorted([*points, *(label for label in labels if label.kind == "point")], key=lambda label: label.start)
    if len(named) < 2 or any(label.kind != "point" for label in labels):
        return []
    first = named[0].points[0]
    return [("segment", tuple(sorted((first, other.points[0])))) for other in named[1:] if other.points[0] != first]


def _relation(
    clause: Clause, points: tuple[Label, ...], seen: Sequence[Label], previous: Clause | None
) -> list[Found] | None:
    """The relation that a clause states between labelled things; None if it states none."""
    where: dict[str, Any] = {"start": clause.start, "end": clause.end}
    denied = _denied(clause)
    free = [label for label in clause.labels if not any(e.start <= label.start < e.end for e in clause.equations)]
    forms = _relation_forms(clause, free, points, seen, previous)
    if forms is None:
        return None
    return [Found(form=form, denied=denied, derived=clause.derived, **where) for form in forms]


def _denied(clause: Clause) -> bool:
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
        return (
            [Between(relation="parallel", keys=pair, drawn=())]
            if len(pair) >= 2
            else _unnamed(clause)
            if len(segments) == 1
            else None
        )
    if clause.has("isosceles") or clause.has("equilateral"):
        return _equal_sides(clause, free, points)
    if clause.has("on") and not clause.amounts and (circle := _circle(clause, free)) is not None:
        return [Between(relation="incident", keys=(point, circle)) for point in _singles(free, points)] or None
    if (part := _part_of(clause, free)) is not None:
        return [part]
    if free and clause.has("similar"):
        return [Between(relation="similar", keys=tuple(label.key for label in free))]
    if (bound := _acute(clause)) is not None:
        angle = next((label.key for label in free if label.kind == "angle"), None) or _between_sides(free)
        if angle is None and len(points) == 1 and _kind_word(clause) == "angle":
            angle = ("angle", points[0].points)
        return [Measure(key=angle, amount=bound, drawn=angle[1])] if angle else None
    if (factor := times_word(clause)) is not None and len(free) >= 2:
        return _factored(clause, free, factor[0])
    if (clause.has("more", "less") and (clause.has("than") or clause.has("times"))) or clause.has("beats", "trails"):
        return _compared(clause, free, seen)
    if (cue := clause.has("most", "least")) is not None:
        group = tuple(label.key for label in free if label.kind in ("triangle", "polygon"))
        subject = next((label for label in free if label.kind in _MEASURED), None)
        if subject is None and not free and clause.tokens[0].lower in ("is", "being", "making", "the"):
            subject = (
                next((label for label in reversed(seen) if label.kind in _MEASURED), None)
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
        return _factored(clause, free, factor[0] if factor else None)
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
    sides = [label.key for label in free if label.kind in _MEASURED]
    if (
        one is None
        or len(sides) != 2
        or one.last + 1 >= len(clause.tokens)
        or clause.tokens[one.last + 1].lower != "of"
    ):
        return None
    return Between(relation="equal", keys=tuple(sides), times=one.amount)


def _unnamed(clause: Clause) -> list[Form] | None:
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
    if triangle is not None:
        return [Between(relation="perpendicular", keys=(triangle.key,), vertex="?")]
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
    if ray is not None and angle is not None and len(angle.points) == 1 and angle.points[0] in ray.points:
        return Between(relation="bisects", keys=(ray.key, angle.key))
    cue = clause.has("midpoint")
    at = clause.tokens[cue.last].end if cue else 0
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
    if len(sides) >= 2:
        found.append(Between(relation="equal", keys=sides))
    if triangle is None or len(sides) >= 2:
        return found or None
    relation = "equilateral" if clause.has("equilateral") else "isosceles"
    return [Between(relation=relation, keys=(triangle.key,), drawn=(triangle.points,))]


def _compared(clause: Clause, free: list[Label], seen: Sequence[Label]) -> list[Form] | None:
    """“AB is 3 units longer than BC”, “DH is shorter than either of these sides”."""
    keys = [label.key for label in free if label.kind in _MEASURED]
    order = "greater" if clause.has("more", "beats") else "less"
    rivals = keys[1:2]
    if len(keys) == 1:
        rivals = [key for key in _recent(clause, seen, keys[0][0]) if key != keys[0]]
    if not keys or not rivals:
        return None
    amount = next((one.amount for one in clause.amounts if one.role != "times"), None)
    times = next((one.amount for one in clause.amounts if one.role == "times"), None)
    return [Between(relation=order, keys=(keys[0], rival), by=amount, times=times) for rival in rivals]


def _factored(clause: Clause, free: list[Label], factor: float | None) -> list[Form] | None:
    keys = tuple(label.key for label in free if label.kind in _MEASURED)
    stated = next((one.amount for one in clause.amounts if one.role == "times"), None)
    if len(keys) < 2:
        return None
    words = list(clause.words)
    bound: Bound = ">" if "more" in words and "than" in words else "<" if "less" in words and "than" in words else "="
    hedged = clause.has("hedge") is not None
    times = stated or Amount(quantity=Quantity(value=factor or 1.0, places=None), bound=bound, hedged=hedged)
    return [Between(relation="equal", keys=keys[:2], times=times)]


def _equals(clause: Clause, free: list[Label], points: tuple[Label, ...], seen: Sequence[Label]) -> list[Form] | None:
    """“FG and GH are congruent”, “CA and AD carry the same tick mark”, “the four sides of ABCD are equal”."""
    sides = [label for label in free if label.kind in _MEASURED]
    if clause.amounts:
        return None
    if len(sides) >= 2:
        last = sides[-1].key
        return [Between(relation="equal", keys=(side.key, last)) for side in sides[:-1] if side.key[0] == last[0]]
    if len(sides) == 1 and clause.has("tick"):
        return [Between(relation="marked", keys=(sides[0].key,))]
    polygons = [label for label in free if label.kind in ("polygon", "triangle")]
    if len(polygons) > 1:
        return [Between(relation="equal", keys=tuple(label.key for label in polygons))]
    polygon = next(iter(polygons), None)
    if polygon is not None:
        return [Between(relation="equilateral", keys=(polygon.key,), drawn=(polygon.points,))]
    if not sides and len(points) == 2 and _kind_word(clause) == "angle":
        return [Between(relation="equal", keys=tuple(("angle", point.points) for point in points))]
    recent = _recent(clause, seen, "segment")
    return [Between(relation="equal", keys=recent)] if len(recent) == 2 and not sides else None


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


def has_labels(text: str, named: Sequence[Label]) -> bool:
    """Whether capitals in a text are points of a figure rather than abbreviations."""
    if not named:
        return False
    if any(sign in text for sign in "∠△⊙∥⟂≅°"):
        return True
    words = {word.lower().strip(".,:;()") for word in text.split()}
    if words & _GEOMETRY_WORDS:
        return True
    return any(len(label.points) == 2 and "".join(label.points) not in _ACRONYMS for label in named) and not any(
        len(label.points) > 3 for label in named
    )


_GEOMETRY_WORDS = frozenset(
    "angle angles triangle triangles segment segments parallel perpendicular congruent bisector bisects midpoint radius diameter chord tangent isosceles equilateral "  # noqa: E501
    "hypotenuse leg legs side sides circle vertex quadrilateral trapezoid parallelogram rectangle rhombus arc".split()
)
_ACRONYMS = frozenset(
    "US UK EU UN TV PC IT AI GB NY LA DC HR PR VR AR ID OS UV MW GW AM PM BC AD CO NO QB FC AC SS".split()
) - {"AC", "BC", "AD"}
