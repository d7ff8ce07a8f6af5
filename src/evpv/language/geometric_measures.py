"""Values and expressions said of segments, angles and points, and what the readers of labelled figures share."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from evpv.language.amounts import Stated
from evpv.language.clauses import Clause
from evpv.language.equations import Equation, Side, substituted_numbers
from evpv.language.expressions import has_variable
from evpv.language.forms import Amount, Between, Form, KeySum, Marks, Measure
from evpv.language.immutable import immutable
from evpv.language.labels import Key, Label, canonical_points, loose_points
from evpv.language.quantities import Quantity, quantities
from evpv.language.tokens import Token

MEASURED = frozenset({"segment", "angle", "arc", "circle"})
_KIND_WORDS = {
    **dict.fromkeys(("angle", "angles"), "angle"),
    **dict.fromkeys("side sides leg legs segment segments hypotenuse base".split(), "segment"),
}


@immutable
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


def found_in(clause: Clause, form: Form, start: int | None = None, end: int | None = None) -> Found:
    """A form that a clause states, at the clause's own place unless another is given."""
    return Found(
        start=clause.start if start is None else start,
        end=clause.end if end is None else end,
        form=form,
        derived=clause.derived,
    )


def single_points(clause: Clause) -> tuple[Label, ...]:
    """Single capitals of the clause, at the sentence's places."""
    shift = clause.start
    named = tuple(replace(one, start=one.start - shift, end=one.end - shift) for one in clause.labels)
    found = loose_points(clause.text, named)
    return tuple(replace(one, start=one.start + shift, end=one.end + shift) for one in found)


def labels_outside_equations(clause: Clause) -> list[Label]:
    return [label for label in clause.labels if not in_equation(clause, label.start)]


def in_equation(clause: Clause, place: int) -> bool:
    return any(equation.start <= place < equation.end for equation in clause.equations)


def in_brackets(clause: Clause, one: Stated) -> bool:
    return clause.word(one.first - 1) == "("


def is_part(quantity: Quantity) -> bool:
    """Whether a number is a part of something: one third, 2/5."""
    return quantity.places is None and 0 < quantity.value < 1


def kind_word(clause: Clause) -> str:
    pairs = zip(clause.words, (*clause.words[1:], ""), strict=True)
    return next((_KIND_WORDS[a] for a, b in pairs if a in _KIND_WORDS and _KIND_WORDS.get(b) != "angle"), "")


def angle_between_sides(named: Sequence[Label]) -> Key | None:
    """The angle between the only two segments named, where they share a point."""
    sides = [label for label in named if label.kind == "segment"]
    shared = set(sides[0].points) & set(sides[1].points) if len(sides) == 2 else set()
    if len(shared) != 1:
        return None
    vertex = shared.pop()
    ends = [next(p for p in side.points if p != vertex) for side in sides]
    return ("angle", canonical_points("angle", (ends[0], vertex, ends[1])))


_ATTRIBUTES = ("radius", "diameter", "circumference", "area", "perimeter", "volume")
_COORDINATES = frozenset({"coordinate", "located", "plotted", "position"})
_NAMES_AS = frozenset(
    "is are equals labeled labelled marked measures measure as = by with given written shown expressed denoted called length stands for represents represented expression unknown side the value an angle of has".split()  # noqa: E501
)
_JOINS = frozenset(", and & or = ≅ both angle ∠".split())


def equation_forms(clause: Clause, equation: Equation) -> Iterator[Found]:
    """Each label of a chain of equals signs with what it is set equal to."""
    so = [clause.tokens[cue.last].end for cue in clause.cues if cue.tag == "so"]
    derived = clause.derived or any(end <= equation.start for end in so)
    start, end = max(equation.start, clause.start), min(equation.end, clause.end)
    for form in _set_equal(equation):
        yield Found(start=start, end=end, form=form, derived=derived, computed=isinstance(form, Marks))


def _set_equal(equation: Equation) -> Iterator[Form]:
    named = [side.label for side in equation.sides if side.kind == "label" and side.label is not None]
    yield from _set_values(equation, named)
    for left, right in itertools.pairwise(equation.sides):
        if len(numbers := substituted_numbers(left, right)) > 1:
            values = tuple(Amount(quantity=number, hedged=equation.about) for number in numbers)
            yield Marks(kind="size", values=values, keys=tuple(label.key for label in left.named))
    match equation.sides:
        case (Side(kind="labels") as left, Side(kind="number", quantity=Quantity() as total)) if _is_sum(left):
            keys = tuple(label.key for label in left.named)
            yield KeySum(keys=keys, amount=Amount(quantity=total, hedged=equation.about))
        case (Side(kind="label", label=Label() as whole), Side(kind="labels", named=(part,)) as right):
            if (factor := _factor(right)) is not None:
                times = Amount(quantity=Quantity(value=factor, places=None), hedged=equation.about)
                yield Between(relation="equal", keys=(whole.key, part.key), times=times)
    for one, other in itertools.pairwise(named):
        yield Between(relation="equal", keys=(one.key, other.key))


def _set_values(equation: Equation, named: Sequence[Label]) -> Iterator[Form]:
    """The first value or expression of a chain for each of its labels, unless it is what a calculation comes to."""
    value = next((side for side in equation.sides if side.kind in ("number", "unknown")), None)
    computed = any(side.kind in ("calculation", "labels") for side in equation.sides)
    if value is None or (computed and value is equation.sides[-1]):
        return
    for label in named:
        if label.kind in MEASURED | {"point"}:
            yield _measure(label, value, equation)


_GIVING = frozenset("with since because as from using given by if when".split())


def follows(form: Form, sentence: str, before: Sequence[float]) -> bool:
    """Whether a sentence that opens with what is given ends with a measure that its numbers make: “With PT = 12 and OT = 5, PO = 13”."""
    if not isinstance(form, Measure) or form.amount is None or sentence.lower().split()[0] not in _GIVING:
        return False
    value, at = form.amount.quantity.value, form.amount.quantity.start
    here = [q.value for q in quantities(sentence) if q.start < at]
    return any(abs(one - value) <= 0.005 * abs(value) for one in _geometric_outcomes([*before, *here][-8:]))


def _geometric_outcomes(numbers: Sequence[float]) -> Iterator[float]:
    """What angles leave of 90° and 180°, and the sides of right triangles, sums and differences that two lengths make."""
    yield from (whole - one for one in numbers for whole in (90.0, 180.0))
    for a, b in itertools.combinations(numbers, 2):
        yield from (a + b, abs(a - b), 180.0 - a - b, (a * a + b * b) ** 0.5, abs(a * a - b * b) ** 0.5)


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
    rest = list(side.text)
    for label in reversed(side.named):
        rest[label.start : label.end] = ""
    return "+" in rest and set("+ m()").issuperset(rest)


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
    if len(clause.labels) == 1 and any(equation.sides[0].kind == "label" for equation in clause.equations):
        return
    labels = [label for label in labels_outside_equations(clause) if label.kind in ("segment", "angle", "arc")]
    for start, end, text in _expression_runs(clause):
        near = _label_beside(clause, labels, start, end)
        if near is not None:
            form = Measure(key=near.key, expression=text, drawn=near.points)
            yield found_in(clause, form, min(near.start, start), max(near.end, end))
        elif not labels and (key := _kind_key(clause)):
            yield found_in(clause, Measure(key=key, expression=text))


def _kind_key(clause: Clause) -> Key | None:
    """The key of a thing named by its kind alone, an angle by its vertex where one is said."""
    kind = kind_word(clause)
    points = single_points(clause) if kind == "angle" else ()
    return (kind, points[0].points if points else ()) if kind else None


def _label_beside(clause: Clause, labels: Sequence[Label], start: int, end: int) -> Label | None:
    """The label that an expression is written at: the last before it, else the first after it, if words that name lead there."""
    before = [label for label in labels if label.end <= start]
    after = [label for label in labels if label.start >= end]
    if before and _leads(clause, before[-1].end, start):
        return before[-1]
    return after[0] if after and _leads(clause, end, after[0].start, strict=True) else None


def _expression_runs(clause: Clause) -> Iterator[tuple[int, int, str]]:
    """The places and texts of expressions with an unknown, outside equations; one with a unit is no expression."""
    index, found = 0, clause.tokens
    while index < len(found):
        if in_equation(clause, found[index].start) or not _opens_expression(found, index):
            index += 1
            continue
        start, end = found[index].start, found[last := _run_end(found, index)].end
        text = _bare(clause.text[start - clause.start : end - clause.start])
        bare = text if has_variable(text) else text.strip("()° ")
        in_units = any(one.first <= index <= one.last and one.amount.quantity.unit for one in clause.amounts)
        if not in_units and has_variable(bare) and clause.words[max(index - 2, 0) : index] != ("terms", "of"):
            yield start, end, bare
        index = last + 1


def _run_end(found: Sequence[Token], first: int) -> int:
    """The last token of the run of terms and signs from `first` on, signs that lead on to nothing left out."""
    last = first
    while last + 1 < len(found) and (_is_term(found[last + 1]) or found[last + 1].text in "+-*/^()°√"):
        last += 1
    while last > first and found[last].text in "+-*/^(":
        last -= 1
    return last


def _is_term(token: Token) -> bool:
    return token.is_number or (len(token.text) == 1 and token.text.islower() and token.text not in ("a", "s"))


def _opens_expression(found: Sequence[Token], index: int) -> bool:
    opens = found[index].text == "(" and index + 1 < len(found)
    return _is_term(found[index + 1] if opens else found[index])


def _words_between(clause: Clause, start: int, end: int) -> list[str]:
    return [token.lower for token in clause.tokens if start <= token.start < end]


def _leads(clause: Clause, start: int, end: int, *, strict: bool = False) -> bool:
    """Whether only words that name stand between two places; a bracket ends what a name that follows is said of (`strict`),
    a comma unless it closes what another opened (“the other, ∠QRS, is 3x”), and a name in brackets belongs to what stands before them: “2x (∠CAD), 3x − 20 (∠DAE)”."""
    between = _words_between(clause, start, end)
    if between == ["("] or (")" in between and "(" not in between):
        return ")" not in between
    if between[:1] == [","] and "," in clause.text[: start - clause.start]:
        between = between[1:]
    return all(word in _NAMES_AS or (not strict and word in ("(", ")", ":")) for word in between)


def listed_forms(clause: Clause, points: tuple[Label, ...]) -> list[Found]:
    """“AB and DC are labelled 3y − 1 and y + 9”, “the angles are x + 30, 2x and 120°, the last at A”: as many values as names, or values
    of a kind of thing; none where no list of values stands."""
    values = _value_list(clause)
    if len(values) < 2:
        return []
    before = [label for label in labels_outside_equations(clause) if label.end <= values[0][0]]
    named = _joined_end(clause, [label for label in before if label.kind in MEASURED])
    if named:
        pairs = zip((label.points for label in named), values, strict=False) if len(named) == len(values) else ()
        return [_listed(clause, named[0].kind, *pair) for pair in pairs]
    kind = _measured_kind(clause, *clause.amounts[:1])
    return _unnamed_list(clause, kind, values, points) if kind else []


_Said: TypeAlias = tuple[int, int, Amount | str]
"""Where a value or an expression stands, and what it is."""


def _value_list(clause: Clause) -> list[_Said]:
    """The values and expressions of a clause, if nothing but “,” and “and” stands between them."""
    values: list[_Said] = [*_expression_runs(clause)]
    values += [
        (_at(clause, one), clause.tokens[one.last].end, one.amount)
        for one in clause.amounts
        if one.role != "times" and not _names_angle(clause, one) and not is_part(one.amount.quantity)
    ]
    values.sort(key=lambda one: one[0])
    gaps = [_words_between(clause, a[1], b[0]) for a, b in itertools.pairwise(values)]
    return values if all(gap and _JOINS.issuperset(gap) for gap in gaps) else []


def _listed(clause: Clause, kind: str, points: tuple[str, ...], said: _Said) -> Found:
    key = (kind, canonical_points(kind, points))
    amount, expression = (None, said[2]) if isinstance(said[2], str) else (said[2], "")
    return found_in(clause, Measure(key=key, amount=amount, expression=expression, drawn=points), said[0], said[1])


def _unnamed_list(clause: Clause, kind: str, values: Sequence[_Said], points: Sequence[Label]) -> list[Found]:
    """A list of values of a kind: of points named before it, of a polygon, at a vertex; “the last” may have its place after it."""
    points = [*points, *(label for label in clause.labels if label.kind == "point")] if kind == "angle" else ()
    before = [point for point in points if point.end <= values[0][0]]
    if len(before) == len(values):
        return [_listed(clause, kind, point.points, one) for point, one in zip(before, values, strict=True)]
    inside = next((label.points for label in clause.labels if label.kind in ("polygon", "triangle")), ())
    vertex = before[0].points[0] if len(before) == 1 else ""
    kind = "leg" if "legs" in clause.words else kind
    found = [found_in(clause, Marks(kind=kind, values=tuple(one[2] for one in values), inside=inside, vertex=vertex))]
    after = [point for point in points if point.start >= values[-1][1]]
    if "last" in _words_between(clause, values[-1][1], clause.end) and len(after) == 1:
        found.append(_listed(clause, kind, after[0].points, values[-1]))
    return found


def measure_forms(clause: Clause, points: tuple[Label, ...]) -> Iterator[Found]:
    """Amounts said of labels: the one right before, those a list joins to it, or the first after."""
    amounts = [one for one in clause.amounts if one.role != "times" and not _names_angle(clause, one)]
    labels = _valued_labels(clause)
    if not amounts:
        return
    if (whole := _total(clause, labels, amounts) or _corner(labels, amounts)) is not None:
        yield found_in(clause, whole)
    elif labels:
        yield from _labelled_measures(clause, labels, amounts)
    else:
        yield from _unlabelled_measures(clause, points, amounts)


def _names_angle(clause: Clause, one: Stated) -> bool:
    """Whether an amount only says which angle is meant: “the side opposite the 60° angle”."""
    around = (clause.word(one.first - 1), clause.word(one.last + 1))
    return around == ("the", "angle") and not {"opposite", "facing", "by", "of"}.isdisjoint(clause.words[: one.first])


def _valued_labels(clause: Clause) -> list[Label]:
    """The labels that may have a value, points where coordinates are spoken of."""
    coordinates = not _COORDINATES.isdisjoint(token.stem for token in clause.tokens)
    kinds = MEASURED | {"polygon"} | ({"point"} if coordinates else set())
    return [label for label in labels_outside_equations(clause) if label.kind in kinds]


def _total(clause: Clause, labels: Sequence[Label], amounts: Sequence[Stated]) -> Form | None:
    if not clause.has("total") or len(labels) < 2 or len(amounts) != 1:
        return None
    return KeySum(keys=tuple(label.key for label in labels), amount=amounts[0].amount)


def _corner(labels: Sequence[Label], amounts: Sequence[Stated]) -> Form | None:
    """“The angle between AB and AF measures 32°”, “CB meets AB at 90°”: two segments that share a point, and degrees."""
    key = angle_between_sides(labels)
    if key is None or len(amounts) != 1 or amounts[0].amount.quantity.unit != "degree":
        return None
    return Measure(key=key, amount=amounts[0].amount, drawn=key[1])


def _labelled_measures(clause: Clause, labels: Sequence[Label], amounts: Sequence[Stated]) -> Iterator[Found]:
    stated = _attribute(clause)
    for label, one in _pairs(clause, [label for label in labels if label.kind != "point"] or labels, amounts):
        quantity = one.amount.quantity
        if (label.kind == "segment" and quantity.unit == "degree") or is_part(quantity):
            continue
        start = min(label.start, _at(clause, one))
        attribute = stated if label.kind in ("circle", "polygon", "triangle") else ""
        end = max(label.end, quantity.end, start + 1)
        for points in _side_points(label) if _speaks_of_sides(clause, label) else ():
            key = ("segment", canonical_points("segment", points))
            yield found_in(clause, Measure(key=key, amount=one.amount, drawn=points), start, end)
        if not _speaks_of_sides(clause, label):
            form = Measure(key=label.key, amount=one.amount, attribute=attribute, drawn=label.points)
            yield found_in(clause, form, start, end)


def _speaks_of_sides(clause: Clause, label: Label) -> bool:
    """Whether a value is said of every side of a polygon: “a rhombus ABCD whose sides all measure 5”, “square ABCD with side 5”."""
    return label.kind == "polygon" and not {"side", "sides"}.isdisjoint(clause.words) and not _attribute(clause)


def _side_points(label: Label) -> Iterator[tuple[str, ...]]:
    return zip(label.points, label.points[1:] + label.points[:1], strict=True)


def _pairs(clause: Clause, labels: Sequence[Label], amounts: Sequence[Stated]) -> Iterator[tuple[Label, Stated]]:
    """Each amount with the label right before it and those that a list joins to that; the last with the first label where none is before."""
    if all(bracketed := [_name_in_brackets(clause, one, labels) for one in amounts]):
        yield from ((label, one) for label, one in zip(bracketed, amounts, strict=True) if label)
        return
    leading = [label for label in labels if label.end <= _at(clause, amounts[0])]
    if len(leading) == len(amounts) > 1:
        yield from zip(leading, amounts, strict=True)
        return
    taken: set[Label] = set()
    for one in amounts:
        before = [label for label in labels if label.end <= _at(clause, one) and label not in taken]
        if len(before) > 1 and _only_leads(clause, before[-2], before[-1]):
            taken.add(before.pop())
        group = _joined_end(clause, before)
        taken.update(group)
        yield from itertools.product(group, (one,))
    if not taken and "(" not in clause.words[amounts[-1].last + 1 :]:
        yield labels[0], amounts[-1]


def _only_leads(clause: Clause, subject: Label, label: Label) -> bool:
    """Whether a label only says where the one before it leads: “the distance CE from the center to chord FG is 4”."""
    between = _words_between(clause, subject.end, label.start)
    return between[-1:] in (["to"], ["from"], ["on"]) and {",", "is", "and"}.isdisjoint(between)


def _name_in_brackets(clause: Clause, one: Stated, labels: Sequence[Label]) -> Label | None:
    """The name that stands in brackets, or after “for”, right behind an amount: “4 (AD) and 9 (DB)”, “6 for PS”."""
    end = clause.tokens[one.last].end
    near = next((label for label in labels if label.start >= end), None)
    return near if near and _words_between(clause, end, near.start) in (["("], ["for"], ["at"]) else None


def _joined_end(clause: Clause, labels: Sequence[Label]) -> Sequence[Label]:
    """The last label with those that “,” and “and” join to it."""
    first = max(len(labels) - 1, 0)
    while first and _JOINS.issuperset(_words_between(clause, labels[first - 1].end, labels[first].start)):
        first -= 1
    return labels[first:]


def _at(clause: Clause, one: Stated) -> int:
    return clause.tokens[one.first].start


def _attribute(clause: Clause) -> str:
    words = {token.stem for token in clause.tokens}
    return next((name for name in _ATTRIBUTES if name in words), "")


def _measured_kind(clause: Clause, first: Stated | None = None) -> str:
    """The kind of thing that amounts are said of, none where they compare, add up or measure more than a line or an angle."""
    if clause.has("most", "least", "more", "less", "total", "mean") or _attribute(clause):
        return ""
    return kind_word(clause) or ("angle" if first and first.amount.quantity.unit == "degree" else "")


def _unlabelled_measures(clause: Clause, points: tuple[Label, ...], amounts: Sequence[Stated]) -> Iterator[Found]:
    """“The angles at A and B are 30° and 60°”, “both legs measure 9√2”: a kind of thing, at a point or anywhere."""
    kind = _measured_kind(clause, amounts[0])
    points = (*points, *(label for label in clause.labels if label.kind == "point"))
    before = tuple(point for point in points if point.end <= _at(clause, amounts[0])) or points
    places = [point.points for point in before if kind == "angle"] or [()] * len(amounts)
    each = amounts if len(places) == len(amounts) else [amounts[0]] * len(places)
    for place, one in zip(places, each, strict=True) if kind else ():
        yield found_in(clause, Measure(key=(kind, place), amount=one.amount, drawn=place))
