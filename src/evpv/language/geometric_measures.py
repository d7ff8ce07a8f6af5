"""Values and expressions said of segments, angles and points."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from evpv.language.clauses import Clause
from evpv.language.equations import Equation, Side
from evpv.language.expressions import has_variable
from evpv.language.forms import Amount, Between, Form, KeySum, Measure
from evpv.language.labelled import MEASURED, Found, angle_between_sides, kind_word, single_points
from evpv.language.labels import Key, Label
from evpv.language.quantities import Quantity
from evpv.language.sentences import Stated
from evpv.language.tokens import Token

_ATTRIBUTES = ("radius", "diameter", "circumference", "area", "perimeter", "volume")


_NAMES_AS = frozenset(
    "is are equals labeled labelled marked measures measure as = by with given written shown expressed denoted called length stands for represents represented expression unknown side the value an angle of has".split()  # noqa: E501
)


def equation_forms(clause: Clause, equation: Equation) -> Iterator[Found]:
    """Each label of a chain of equals signs with what it is set equal to."""
    derived = clause.derived or any(
        cue.tag == "so" and clause.tokens[cue.last].end <= equation.start for cue in clause.cues
    )
    where: dict[str, Any] = {"start": max(equation.start, clause.start), "end": min(equation.end, clause.end)}
    sides = equation.sides
    first = sides[0]
    rest = sides[1:]
    for side in sides:
        if side.kind != "label" or side.label is None or side.label.kind not in MEASURED | {"point"}:
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


def expression_forms(clause: Clause) -> Iterator[Found]:
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
        if near is None and after and _leads(clause, clause.tokens[last].end, after[0].start, strict=True):
            near = after[0]
        if near is not None:
            start, end = min(near.start, clause.tokens[first].start), max(near.end, clause.tokens[last].end)
            yield Found(
                start=start,
                end=end,
                form=Measure(key=near.key, expression=text, drawn=near.points),
                derived=clause.derived,
            )
        elif not labels and (kind := kind_word(clause)):
            vertex = next((p for p in single_points(clause) if p.points), None)
            key: Key = (kind, vertex.points if vertex and kind == "angle" else ())
            yield Found(
                start=clause.start, end=clause.end, form=Measure(key=key, expression=text), derived=clause.derived
            )


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


def _leads(clause: Clause, start: int, end: int, *, strict: bool = False) -> bool:
    """Whether only words that name stand between two places; a bracket ends what a name that follows is said of (`strict`),
    a comma always, and a name in brackets belongs to what stands before them: “2x (∠CAD), 3x − 20 (∠DAE)”."""
    between = [t.lower for t in clause.tokens if start <= t.start < end]
    if between == ["("] or (")" in between and "(" not in between):
        return ")" not in between
    return all(word in _NAMES_AS or (not strict and word in ("(", ")", ":")) for word in between)


def measure_forms(clause: Clause, points: tuple[Label, ...]) -> Iterator[Found]:
    """Amounts said of labels: the one right before, those a list joins to it, or the first after."""
    amounts = [one for one in clause.amounts if one.role != "times" and not _names_angle(clause, one)]
    kinds = MEASURED | {"polygon"} | ({"point"} if _coordinate(clause) else set())
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
    measured = [label for label in labels if label.kind != "point"] or labels
    if corner := _corner(clause, measured, amounts):
        yield Found(start=clause.start, end=clause.end, form=corner, derived=clause.derived)
        return
    if not measured:
        yield from _unlabelled_measures(clause, points, amounts)
        return
    attribute = _attribute(clause)
    leading = [label for label in measured if label.end <= _at(clause, amounts[0])]
    if len(leading) == len(amounts) > 1:
        pairs_of = list(zip([[label] for label in leading], amounts, strict=True))
    else:
        pairs_of = list(_pair_amounts(clause, measured, amounts))
    for group, one in pairs_of:
        for label in group:
            part = one.amount.quantity.places is None and 0 < one.amount.quantity.value < 1
            if (label.kind == "segment" and one.amount.quantity.unit == "degree") or part:
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
    key = angle_between_sides(measured)
    if key is None or len(amounts) != 1 or amounts[0].amount.quantity.unit != "degree":
        return None
    return Measure(key=key, amount=amounts[0].amount, drawn=key[1])


def _unlabelled_measures(clause: Clause, points: tuple[Label, ...], amounts: Sequence[Stated]) -> Iterator[Found]:
    """“The angles at A and B are 30° and 60°”, “both legs measure 9√2”: a kind of thing, at a point or anywhere."""
    kind = kind_word(clause) or ("angle" if amounts[0].amount.quantity.unit == "degree" else "")
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


def _pair_amounts(
    clause: Clause, labels: list[Label], amounts: Sequence[Stated]
) -> Iterator[tuple[list[Label], Stated]]:
    taken: set[int] = set()
    for one in amounts:
        before = [i for i, label in enumerate(labels) if label.end <= _at(clause, one) and i not in taken]
        group: list[Label] = []
        while before:
            last = before.pop()
            taken.add(last)
            group.append(labels[last])
            if not before or not _are_joined(clause, labels[before[-1]].end, labels[last].start):
                break
        if group:
            yield group[::-1], one
    between = clause.words[amounts[-1].last + 1 :] if amounts else ()
    if not taken and amounts and "(" not in between:
        yield [labels[0]], amounts[-1]


def _are_joined(clause: Clause, start: int, end: int) -> bool:
    between = [t.lower for t in clause.tokens if start <= t.start < end]
    return all(word in (",", "and", "&", "or", "=", "≅", "both", "angle", "∠") for word in between)


def _attribute(clause: Clause) -> str:
    words = {token.stem for token in clause.tokens}
    return next((name for name in _ATTRIBUTES if name in words), "")
