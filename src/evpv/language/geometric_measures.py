"""Values and expressions said of segments, angles and points, and what the readers of labelled figures share."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter, itemgetter
from typing import TypeAlias

from evpv.language.amounts import StatedAmount
from evpv.language.clauses import Clause
from evpv.language.equations import Equation, Side, substituted_numbers
from evpv.language.expressions import has_variable
from evpv.language.forms import Amount, Between, Form, KeySum, Marks, Measure
from evpv.language.immutable import immutable
from evpv.language.labels import Key, Label, key_of, loose_points
from evpv.language.lexicon import SOLIDS
from evpv.language.quantities import Quantity, quantities

MEASURED = frozenset({"segment", "angle", "arc", "circle"})
_KIND_WORDS = {
    **dict.fromkeys(("angle", "angles"), "angle"),
    **dict.fromkeys(
        "side sides leg legs segment segments hypotenuse base bases chord altitude height diagonal tangent".split(),
        "segment",
    ),
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


def found_in(clause: Clause, form: Form, start: int = 0, end: int = 0) -> Found:
    """A form that a clause states, at the clause's own place unless another is given."""
    return Found(start=start or clause.start, end=end or clause.end, form=form, derived=clause.derived)


def single_points(clause: Clause) -> tuple[Label, ...]:
    """Single capitals of the clause, at the sentence's places."""
    return loose_points(clause.text, clause.labels, clause.start)


def labels_outside_equations(clause: Clause) -> list[Label]:
    inside = [(equation.start, equation.end) for equation in clause.equations]
    return [label for label in clause.labels if not _is_within(label.start, inside)]


def in_brackets(clause: Clause, one: StatedAmount) -> bool:
    return clause.word(one.first - 1) == "("


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
    return key_of("angle", ends[0], vertex, ends[1])


_ATTRIBUTES = ("radius", "diameter", "circumference", "area", "perimeter", "volume")
_COORDINATES = frozenset({"coordinate", "located", "plotted", "position"})
_NAMES_AS = frozenset(
    "is are equals labeled labelled marked measures measure as = by with given written shown expressed denoted called length stands for represents represented expression unknown side the value an angle of has bears carries reads equal to".split()  # noqa: E501
)
_APART = frozenset("away from".split())
_JOINS = frozenset(", and & or = ≅ both angle ∠".split())


def equation_forms(clause: Clause, equation: Equation) -> Iterator[Found]:
    """Each label of a chain of equals signs with what it is set equal to."""
    so = [clause.tokens[cue.last].end for cue in clause.cues if cue.tag == "so"]
    derived = clause.derived or any(end <= equation.start for end in so)
    start, end = max(equation.start, clause.start), min(equation.end, clause.end)
    for form in _set_equal(equation):
        yield Found(start=start, end=end, form=form, derived=derived, computed=isinstance(form, Marks))


def _set_equal(equation: Equation) -> Iterator[Form]:
    """What a chain says of its labels: its first value or expression, unless a calculation comes to that; numbers put in for them; their
    sum; one as a multiple of another; and that they are equal."""
    sides = equation.sides
    named = [side.label for side in sides if side.label is not None]
    yield from _set_to_value(equation, named)
    for left, right in itertools.pairwise(sides):
        yield from _substitutions(left, right, equation)
    match sides:
        case (Side(kind="labels") as left, Side(kind="number", quantity=Quantity() as total)):
            if {"+"} <= {*_without_labels(left)} <= set("+ m()"):
                keys = tuple(label.key for label in left.named)
                yield KeySum(keys=keys, amount=Amount(quantity=total, hedged=equation.about))
        case (Side(kind="label", label=Label() as whole), Side(kind="labels", named=(part,)) as right):
            if (factor := _factor(_without_labels(right))) is not None:
                yield _multiple((whole.key, part.key), factor, equation)
    for one, other in itertools.pairwise(named):
        yield Between(relation="equal", keys=(one.key, other.key))


def _set_to_value(equation: Equation, named: Sequence[Label]) -> Iterator[Measure]:
    sides = equation.sides
    value = next((side for side in sides if side.kind in ("number", "unknown")), None)
    worked_out = value is sides[-1] and any(side.kind in ("calculation", "labels") for side in sides)
    if value is not None and not worked_out:
        said = Amount(quantity=value.quantity, hedged=equation.about) if value.quantity else _bare(value.text)
        yield from (_measure(one.kind, one.points, said) for one in named if one.kind in MEASURED | {"point"})


def _without_labels(side: Side) -> str:
    rest = side.text
    for label in reversed(side.named):
        rest = rest[: label.start] + rest[label.end :]
    return rest


def _multiple(keys: tuple[Key, ...], factor: float, equation: Equation) -> Between:
    """The first of two things as a multiple of the other."""
    times = Amount(quantity=Quantity(value=factor, places=None), hedged=equation.about)
    return Between(relation="equal", keys=keys, times=times)


def _substitutions(left: Side, right: Side, equation: Equation) -> Iterator[Form]:
    """The numbers that one side puts in for the labels of the other, and their ratio: “AB/DE = 9/6”."""
    numbers = substituted_numbers(left, right)
    if len(numbers) < 2:
        return
    keys = tuple(label.key for label in left.named)
    yield Marks(kind="size", values=tuple(Amount(quantity=one, hedged=equation.about) for one in numbers), keys=keys)
    if left.text[left.named[0].end : left.named[1].start].strip() in (":", "/") and numbers[1].value:
        yield _multiple(keys, numbers[0].value / numbers[1].value, equation)


_GIVING = ("with ", "since ", "because ", "as ", "from ", "using ", "given ", "by ")


def follows(form: Form, sentence: str, before: Sequence[float]) -> bool:
    """Whether a measure was worked out: an angle that one said before leaves of 90° or 180°, or, where a sentence opens with what is given
    (“With PT = 12 and OT = 5, PO = 13”), a side of a right triangle, a sum or difference of its numbers, or what angles leave."""
    if not isinstance(form, Measure) or form.amount is None:
        return False
    value, place = form.amount.quantity.value, form.amount.quantity.start
    if form.key[0] == "angle" and any(min(abs(90.0 - one - value), abs(180.0 - one - value)) < 1e-6 for one in before):
        return True
    if not sentence.lower().startswith(_GIVING):
        return False
    numbers = [*before, *(one.value for one in quantities(sentence) if one.start < place), 0.0, 90.0][-10:]
    return any(abs(abs(one) - value) <= 0.005 * value for one in _made_of(numbers))


def _made_of(numbers: Sequence[float]) -> Iterator[float]:
    for a, b in itertools.combinations(numbers, 2):
        yield from (a + b, a - b, 180.0 - a - b, math.hypot(a, b), abs(a * a - b * b) ** 0.5)


def _bare(text: str) -> str:
    """An expression without its degree sign and outer brackets."""
    bare = text.strip().rstrip("°").strip()
    inner = bare[1:-1] if bare.startswith("(") and bare.endswith(")") else bare
    return inner if has_variable(inner) else bare


def _factor(text: str) -> float | None:
    """The number in “2 × EF”, “2BC”, “1/2 AB”, the label left out."""
    top, _, bottom = text.strip(" ×·*()").partition("/")
    try:
        return float(top or 1) / float(bottom or 1)
    except (ValueError, ZeroDivisionError):
        return None


_Said: TypeAlias = tuple[int, int, Amount | str]
"""Where a value or an expression stands, and what it is."""
_Pair: TypeAlias = tuple[Label, _Said]
_LETTER = r"(?<![A-Za-z])(?:[b-rt-zα-ω](?![A-Za-z'])|[as](?= ?[-+*/^] ?\d))|(?<=\d)[as](?![A-Za-z'])"
_TERM = rf"(?:\d+(?:\.\d+)?|{_LETTER})"
_UNKNOWN = re.compile(_LETTER)
_EXPRESSION = re.compile(rf"\(?{_TERM}(?:[-+*/^()°√ ]*{_TERM})*[)°]*")


def _expression_runs(clause: Clause) -> Iterator[_Said]:
    """The expressions with an unknown, outside equations; one with a unit is no expression."""
    if not _UNKNOWN.search(clause.text):
        return
    taken = [_place(clause, one) for one in clause.amounts if one.amount.quantity.unit]
    taken += [(equation.start, equation.end) for equation in clause.equations]
    for match in _EXPRESSION.finditer(clause.text):
        start, text = clause.start + match.start(), _bare(match[0])
        bare = text if has_variable(text) else text.strip("()° ")
        named = clause.text[: match.start()].endswith("terms of ")
        if has_variable(bare) and not named and not _is_within(start, taken):
            yield start, clause.start + match.end(), bare


def _is_within(place: int, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)


def _place(clause: Clause, one: StatedAmount) -> tuple[int, int]:
    """Where an amount stands, as far as it is in the clause."""
    own = clause.tokens[one.first : one.last + 1]
    return own[0].start, own[-1].end


def _words_between(clause: Clause, start: int, end: int) -> list[str]:
    return [token.lower for token in clause.tokens if start <= token.start < end]


def _leads(clause: Clause, start: int, end: int, *, strict: bool = False) -> bool:
    """Whether only words that name stand between two places; a bracket ends what a name that follows is said of (`strict`),
    and so does a comma unless it closes what another opened: “the other, ∠QRS, is 3x”."""
    between = _words_between(clause, start, end)
    if between == ["("] or (")" in between and "(" not in between):
        return ")" not in between
    if between[:1] == [","] and "," in clause.text[: start - clause.start]:
        between = between[1:]
    return all(word in _NAMES_AS or (not strict and word in ("(", ")", ":")) for word in between)


def measure_forms(clause: Clause, points: tuple[Label, ...]) -> list[Found]:
    """What values and expressions are said of: labels, or a kind of thing, at a point or anywhere; a list of values is taken together."""
    if (distance := _distance(clause, points)) is not None:
        return [found_in(clause, distance)]
    values = _said_values(clause)
    if not values:
        return []
    labels = _valued_labels(clause)
    if (whole := _joint(clause, labels, values)) is not None:
        return [found_in(clause, whole)]
    runs = _runs(clause, values)
    if labels and not (labels[0].kind == "polygon" and len(values) > 1):
        pairs = _labels_with_values(clause, labels, runs)
        return [found for label, one in pairs for found in _labelled_measures(clause, label, one)]
    return _unlabelled_measures(clause, points, runs)


def _unlabelled_measures(clause: Clause, points: Sequence[Label], runs: Sequence[Sequence[_Said]]) -> list[Found]:
    corners = [*points, *(one for one in clause.labels if one.kind == "point")]
    stops = [*(run[0][0] for run in runs[1:]), clause.end]  # each list is said at the points before the next
    each = [([one for one in corners if one.end <= stop], run) for run, stop in zip(runs, stops, strict=True)]
    return [found for places, run in each for found in _unnamed_measures(clause, places, run)]


def _distance(clause: Clause, points: Sequence[Label]) -> Form | None:
    """“The distance from T to S is 12”, “O and P lie 23 units apart”: the length of the segment between two points."""
    ends = [*points, *(label for label in clause.labels if label.kind in ("point", "circle"))]
    if len(ends) != 2 or len(clause.amounts) != 1 or len(clause.labels) > 2 or _FAR.isdisjoint(clause.words):
        return None
    return _measure("segment", tuple(end.points[0] for end in ends), clause.amounts[0].amount)


_FAR = frozenset("distance apart".split())


def _labels_with_values(clause: Clause, labels: Sequence[Label], runs: Sequence[Sequence[_Said]]) -> list[_Pair]:
    """The labels with the values of lists, each label with those of one list; else the first label with the last value, where that stands
    before it: “a length of 5 for AB”."""
    pairs: list[_Pair] = []
    for run in runs:
        taken = [label for label, _ in pairs]
        pairs += _pairs(clause, [label for label in labels if label not in taken], run)
    last = runs[-1][-1]
    if not pairs and isinstance(last[2], Amount) and last[1] <= labels[0].start:
        return [] if "(" in _words_between(clause, last[1], clause.end) else [(labels[0], last)]
    return pairs


def _runs(clause: Clause, values: Sequence[_Said]) -> list[list[_Said]]:
    """The lists that values make: those between which nothing but “,” and “and” stands."""
    runs: list[list[_Said]] = []
    for one in values:
        gap = _words_between(clause, runs[-1][-1][1], one[0]) if runs else []
        if gap and _JOINS.issuperset(gap):
            runs[-1].append(one)
        else:
            runs.append([one])
    return runs


def _said_values(clause: Clause) -> list[_Said]:
    """The values and expressions of a clause, in order, without factors, differences, distances and what only says which angle is meant."""
    set_equal = len(clause.labels) == 1 and any(one.sides[0].kind == "label" for one in clause.equations)
    expressions = [*_expression_runs(clause)]
    values = [(*_place(clause, one), one.amount) for one in clause.amounts if not _only_relates(clause, one)]
    spans = [(start, end) for start, end, _ in expressions]
    apart = [one for one in values if not _is_within(one[0], spans)]
    return sorted([*apart, *([] if set_equal else expressions)], key=itemgetter(0))


def _only_relates(clause: Clause, one: StatedAmount) -> bool:
    """Whether an amount is no measure: a factor, a part (one third, 2/5), a difference, a distance, or the name of an angle (“the side
    opposite the 60° angle”)."""
    quantity, following = one.amount.quantity, clause.words[one.last + 1 : one.last + 3]
    if one.role == "times" or (quantity.places is None and 0 < quantity.value < 1):
        return True
    named = clause.word(one.first - 1) == "the" and following[:1] == ("angle",)
    if named and not {"opposite", "facing", "by", "of"}.isdisjoint(clause.words[: one.first]):
        return True
    compared = any(cue.tag in ("more", "less") and 0 < cue.first - one.last <= 2 for cue in clause.cues)
    return compared or not _APART.isdisjoint(following)


def _valued_labels(clause: Clause) -> list[Label]:
    """The labels that may have a value, points where coordinates are spoken of and nothing else has a label."""
    at = any(clause.word(one.first - 1) == "at" for one in clause.amounts)
    coordinates = at or not _COORDINATES.isdisjoint(token.stem for token in clause.tokens)
    outside = labels_outside_equations(clause)
    named = [label for label in outside if label.kind in MEASURED | {"polygon"}]
    return named or [label for label in outside if coordinates and label.kind == "point"]


def _joint(clause: Clause, labels: Sequence[Label], values: Sequence[_Said]) -> Form | None:
    """“AB and BC total 14”, “the angle between AB and AF measures 32°”, “CB meets AB at 90°”: one value of labels together."""
    if len(values) != 1 or isinstance(amount := values[0][2], str):
        return None
    keys = tuple(label.key for label in labels)
    if clause.has("total") and len(labels) >= 2:
        return KeySum(keys=keys, amount=amount)
    if amount.quantity.unit != "degree":
        return None
    if key := angle_between_sides(labels):
        return Measure(key=key, amount=amount, drawn=key[1])
    is_right = (amount.quantity.value, amount.bound) == (90.0, "=")
    crossed = is_right and [*map(attrgetter("kind"), labels)] == ["segment", "segment"]
    return Between(relation="perpendicular", keys=keys) if crossed else None


def _labelled_measures(clause: Clause, label: Label, said: _Said) -> Iterator[Found]:
    """What a value says of a label; of a polygon “whose sides all measure 5” it is said of every side."""
    if label.kind == "segment" and _is_turn(said):
        return
    attribute = _attribute(clause) if label.kind in ("circle", "polygon") else ""
    start, end = min(label.start, said[0]), max(label.end, said[1])
    if label.kind != "polygon" or attribute or {"side", "sides"}.isdisjoint(clause.words):
        yield found_in(clause, _measure(label.kind, label.points, said[2], attribute), start, end)
        return
    for points in zip(label.points, label.points[1:] + label.points[:1], strict=True):
        yield found_in(clause, _measure("segment", points, said[2]), start, end)


def _is_turn(said: _Said) -> bool:
    return isinstance(said[2], Amount) and said[2].quantity.unit == "degree"


def _measure(kind: str, points: tuple[str, ...], value: Amount | str, attribute: str = "") -> Measure:
    key = key_of(kind, *points)
    if isinstance(value, str):
        return Measure(key=key, expression=value, drawn=points)
    return Measure(key=key, amount=value, attribute=attribute, drawn=points)


def _pairs(clause: Clause, labels: Sequence[Label], run: Sequence[_Said]) -> Iterator[_Pair]:
    """Each value of a list with its label: that in brackets or after “for” right behind it (“4 (AD)”, “6 for PS”), one of as many right
    before, or for all the same."""
    group = _joined_end(clause, [label for label in labels if label.end <= run[0][0]])
    for place, one in enumerate(run):
        own = _label_behind(clause, labels, one[1])
        if not own:
            alike = group if len(run) in (1, len(group)) else ()
            own = alike[place : place + 1] if len(run) > 1 else alike
        if isinstance(one[2], str) and (not own or len(run) == 1):
            own = _labels_beside(clause, labels, one)
        yield from zip(own, itertools.repeat(one), strict=False)


def _label_behind(clause: Clause, labels: Sequence[Label], end: int) -> Sequence[Label]:
    near = _first_from(labels, end)
    return near if near and _words_between(clause, end, near[0].start) in (["("], ["for"], ["at"]) else ()


def _first_from(labels: Sequence[Label], place: int) -> Sequence[Label]:
    return [label for label in labels if label.start >= place][:1]


def _labels_beside(clause: Clause, labels: Sequence[Label], said: _Said) -> Sequence[Label]:
    """The label that an expression is written at: the last before it, else the first after it, if words that name lead there."""
    things = [label for label in labels if label.kind != "polygon"]
    before = [label for label in things if label.end <= said[0]]
    if before and _leads(clause, before[-1].end, said[0]):
        return before[-1:]
    return [label for label in _first_from(things, said[1]) if _leads(clause, said[1], label.start, strict=True)]


def _joined_end(clause: Clause, labels: Sequence[Label]) -> Sequence[Label]:
    """The last label with those that “,” and “and” join to it; not one that only says where the one before it leads: “the distance CE from
    the center to chord FG is 4”."""
    if len(labels) > 1:
        between = _words_between(clause, labels[-2].end, labels[-1].start)
        if between[-1:] in (["to"], ["from"], ["on"], ["of"]) and {",", "is", "and"}.isdisjoint(between):
            labels = labels[:-1]
    first = max(len(labels) - 1, 0)
    while first and _JOINS.issuperset(_words_between(clause, labels[first - 1].end, labels[first].start)):
        first -= 1
    return labels[first:]


def _attribute(clause: Clause) -> str:
    words = {token.stem for token in clause.tokens}
    return next((name for name in _ATTRIBUTES if name in words), "diameter" if "across" in words else "")


def _unnamed_measures(clause: Clause, points: Sequence[Label], values: Sequence[_Said]) -> list[Found]:
    """“The angles at A and B are 30° and 60°”, “the angles are x + 30, 2x and 120°, the last at P”: a kind of thing, at points, in any
    order, or anywhere; none where values compare, add up or measure more than a line or an angle. A radius is a circle's, where no other
    shape is named."""
    turns = [*map(_is_turn, values)]
    size, kind = _attribute(clause), kind_word(clause) or "angle" * any(turns)
    if size in ("radius", "diameter") and turns == [False]:
        shapes = SOLIDS.intersection(map(attrgetter("stem"), clause.tokens))
        return [found_in(clause, _measure(size, (), values[0][2]))] if shapes <= {"circle"} else []
    if size or not kind or "half" in clause.words or clause.has("most", "least", "more", "less", "total", "mean"):
        return []
    return _measures_at(clause, kind, points if kind == "angle" else (), values)


def _measures_at(clause: Clause, kind: str, points: Sequence[Label], values: Sequence[_Said]) -> list[Found]:
    """Values of a kind of thing, each at its point, one at all points, or a list in any order, of a polygon or at a vertex; “the last” may
    have its place behind it."""
    before = [point for point in points if point.end <= values[0][0]]
    if len(values) == 1 or len(before) == len(values):
        places = [point.points for point in before or points] or [()]
        each = values if len(places) == len(values) else [values[0]] * len(places)
        return [found_in(clause, _measure(kind, place, one[2])) for place, one in zip(places, each, strict=True)]
    return _marks_at(clause, kind, points, len(before), values)


def _marks_at(clause: Clause, kind: str, points: Sequence[Label], before: int, values: Sequence[_Said]) -> list[Found]:
    """Values in any order, said behind some of the points."""
    inside = next((label.points for label in clause.labels if label.kind in ("polygon", "triangle")), ())
    vertex = points[0].points[0] if before == 1 else ""
    said = tuple(value for _, _, value in values)
    marks = Marks(kind="leg" if "legs" in clause.words else kind, values=said, inside=inside, vertex=vertex)
    after = points[before:]
    last = after if len(after) == 1 and "last" in _words_between(clause, values[-1][1], clause.end) else ()
    return [found_in(clause, marks), *(found_in(clause, _measure(kind, one.points, values[-1][2])) for one in last)]
