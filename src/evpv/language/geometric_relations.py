"""What sentences about labelled figures assert: right angles, parallels, halves, equal sides, incidence, and each clause's measures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TypeAlias

from evpv.language.amounts import StatedAmount
from evpv.language.clauses import Clause, bound_before, times_word
from evpv.language.forms import Amount, Between, Bound, Form, Measure, Open
from evpv.language.geometric_measures import (
    MEASURED,
    Found,
    angle_between_sides,
    equation_forms,
    found_in,
    in_brackets,
    kind_word,
    labels_outside_equations,
    measure_forms,
    single_points,
)
from evpv.language.labels import Key, Label, key_of
from evpv.language.lexicon import ORDINALS, SOLIDS
from evpv.language.quantities import Quantity
from evpv.language.tokens import Cue

_THESE = frozenset("these those they both two either them".split())
_STATES = frozenset("is has have dealing shows forms form makes contains marks".split())
_HALVES = frozenset({"halves", "equal", "congruent"})
_CORNER_WORDS = frozenset("at vertex vertices corner corners angles".split())
_INCIDENCES = {"on": "incident", "inside": "subset", "next": "adjacent"}
_PAIRED = frozenset("pair pairs opposite adjacent consecutive two".split())
_PARTS_OF_CIRCLES = frozenset({"diameter", "center of", "centre of", "chord of", "chords of", "tangent"})


@dataclass(frozen=True, slots=True)
class _Named:
    """What a clause names: its labels outside formulas (`free`), its single points, and the labels `seen` before it."""

    clause: Clause
    free: list[Label]
    points: tuple[Label, ...]
    seen: Sequence[Label]

    def labels(self, *kinds: str) -> list[Label]:
        return [label for label in self.free if label.kind in kinds]

    def keys(self, *kinds: str) -> tuple[Key, ...]:
        return tuple(label.key for label in self.labels(*kinds))

    def sizes(self) -> tuple[Key, ...]:
        """What has a length or a measure, “the radius” of the figure's only circle too."""
        places = {label.start for label in self.free}
        found = [token for token in self.clause.tokens if token.lower in ("radius", "diameter")]
        return (*self.keys(*MEASURED), *((token.lower, ()) for token in found if token.start not in places))

    def single_keys(self, but: Sequence[Label]) -> Iterable[Key]:
        """All points, in the order in which they are named, but for these."""
        points = sorted([*self.labels("point"), *self.points], key=attrgetter("start"))
        return dict.fromkeys(("point", label.points) for label in points if label not in but)

    def first(self, *kinds: str) -> Label | None:
        return next(iter(self.labels(*kinds)), None)

    def recent(self, kind: str) -> tuple[Key, ...]:
        """“These two segments”: the last two of their kind named before."""
        if _THESE.isdisjoint(self.clause.words) or self.clause.words[0].endswith("ing"):
            return ()
        return tuple(dict.fromkeys(label.key for label in self.seen if label.kind == kind))[-2:]


_Rule: TypeAlias = Callable[[_Named], list[Form] | None]
"""The forms of a clause in which a rule's words stand, none where they name nothing; None where its words do not stand."""


def _clause_relations(clause: Clause, points: tuple[Label, ...], seen: Sequence[Label]) -> list[Found]:
    """The relations that a clause states between labelled things, by the first rule whose words it has; denied by a “not” that is no part
    of “do not meet”, by “differ”, and scalene is what is not isosceles."""
    said = {*clause.words, *(cue.tag for cue in clause.cues), *(one.role for one in clause.amounts)}
    rules = [rule for words, rule in _RULES if not words.isdisjoint(said)]
    if not rules:
        return []
    named = _Named(clause, labels_outside_equations(clause), points, seen)
    forms = next((found for rule in rules if (found := rule(named)) is not None), [])
    denied = _is_denied(clause)
    return [replace(found_in(clause, form), denied=denied) for form in forms]


def _is_denied(clause: Clause) -> bool:
    isosceles, parallel = clause.has("isosceles"), clause.has("parallel")
    inner = range(parallel.first, parallel.last + 1) if parallel and not clause.has("perpendicular") else ()
    negated = any(cue.tag == "not" and cue.first not in inner for cue in clause.cues)
    scalene = isosceles is not None and isosceles.words == "scalene"
    return negated != scalene or (clause.has("differ") is not None and clause.has("same") is None)


def _equal_distances(points: Sequence[Label]) -> Form:
    """“E is equidistant from A and D”, “Q lies midway between P and R”: one point is as far from the one as from the other."""
    middle, *ends = (point.points[0] for point in points)
    return Between(relation="equal", keys=tuple(key_of("segment", middle, end) for end in ends))


def _halves(named: _Named) -> list[Form] | None:
    """What a bisector or a midpoint makes equal: the points, which are angles where only angles are spoken of, and the labels, those before
    its word first."""
    clause, segments = named.clause, named.keys("segment")
    if "into" in clause.words and len(segments) == 3 and not _HALVES.isdisjoint(clause.words):
        return [Between(relation="equal", keys=segments[1:])]
    cue = clause.has("bisects", "midpoint")
    if cue is None:
        return None
    if cue.tag == "midpoint" and not named.free and len(named.points) == 3:
        return [_equal_distances(named.points)]
    crossed = [Between(relation="perpendicular", keys=segments)] if len(segments) == 2 else []
    bisected = _bisections(named, clause.tokens[cue.first].start)
    return [*(crossed if clause.has("perpendicular") else []), *bisected]


def _bisections(named: _Named, at: int) -> list[Between]:
    kind = "angle" if kind_word(named.clause) == "angle" and not named.labels("angle") else "point"
    halved = sorted(named.free, key=lambda label: label.start >= at)
    keys = (*((kind, point.points) for point in named.points), *(label.key for label in halved))
    return [Between(relation="bisects", keys=keys)] if keys else []


def _right_angles(named: _Named) -> list[Form] | None:
    """Perpendicular lines: two named, an angle, a vertex of a triangle, or pairs between which marks stand; not two to the same."""
    cue, segments = named.clause.has("perpendicular"), named.labels("segment", "line")
    if cue is None or (named.clause.has("same") and len(segments) >= 2):
        return None
    if len(segments) >= 4 and "between" in named.clause.words:
        keys = named.keys("segment")
        pairs = [*zip(keys[::2], keys[1::2], strict=False)]
        return [Between(relation="perpendicular", keys=pair) for pair in pairs]
    lines = _lines_beside(named, cue) or named.keys("angle")[:1]
    return [Between(relation="perpendicular", keys=lines)] if lines else _right_corners(named, cue)


def _right_corners(named: _Named, cue: Cue) -> list[Form]:
    """Right angles that no two lines name: at points before the next amount, at “these” lines, or somewhere in the figure."""
    clause = named.clause
    if corners := _corner_points(named, clause.tokens[cue.first].start):
        return _corners_at(named, corners)
    if recent := named.recent("segment"):
        return [Between(relation="perpendicular", keys=(key,), vertex="*") for key in recent]
    if named.free or "triangles" in clause.words or _STATES.isdisjoint(clause.words):
        return []
    return [Between(relation="perpendicular", keys=(), vertex="?")]


def _corner_points(named: _Named, at: int) -> list[Label]:
    clause, first = named.clause, at if named.free else 0
    amounts = [clause.tokens[one.first].start for one in clause.amounts]
    apart = min((place for place in amounts if place > at), default=clause.end)
    return [*named.labels("point"), *(point for point in named.points if first <= point.start < apart)]


def _corners_at(named: _Named, corners: Sequence[Label]) -> list[Form]:
    """Right angles at points, those of the triangle if one is named; none at points that are only listed."""
    if corners[2:] and _CORNER_WORDS.isdisjoint(_words_before(named.clause, corners[0])):
        return []
    triangle = named.first("triangle")
    inside = triangle.points if triangle else tuple(corner.points[0] for corner in corners)
    keys = (triangle.key,) if triangle else ()
    vertices = dict.fromkeys(corner.points[0] for corner in corners if corner.points[0] in inside)
    return [Between(relation="perpendicular", keys=keys, vertex=vertex) for vertex in vertices]


def _lines_beside(named: _Named, cue: Cue) -> tuple[Key, ...]:
    """The two lines that a relation word stands between or right after, where the clause names more."""
    at = named.clause.tokens[cue.first].start
    before = tuple(label.key for label in named.labels("segment", "line") if label.end <= at)
    after = tuple(label.key for label in named.labels("segment", "line") if label.start > at)
    if after and before:
        return (before[-1], after[0])
    pair = before[-2:] or after[:2]
    return pair if len(pair) == 2 else ()


def _parallels(named: _Named) -> list[Form] | None:
    cue = named.clause.has("parallel")
    if cue is None:
        return None
    own, pair = named.keys("segment", "line"), _lines_beside(named, cue) or named.recent("segment")
    if len(pair) == 2:
        pairs = [(own[0], other) for other in pair if other != own[0]] if len(own) == 1 else [pair]
        return [Between(relation="parallel", keys=two) for two in pairs]
    return [Open(about=named.clause.phrase(), reason="it names no two lines")] if own else []


def _equal_sides(named: _Named) -> list[Form] | None:
    """“Triangle ABC is isosceles”, where no two sides are named that the word would be the reason for."""
    if not named.clause.has("isosceles", "equilateral"):
        return None
    triangle = named.first("triangle", "polygon")
    if triangle is None or len(named.labels("segment", "angle")) >= 2:
        return []
    relation = "equilateral" if named.clause.has("equilateral") else "isosceles"
    return [Between(relation=relation, keys=(triangle.key,), drawn=(triangle.points,))]


def _points_on_circle(named: _Named) -> list[Form] | None:
    """Points on a circle: a named one, an unnamed one, or “the circle with center O”, “centred at O”."""
    clause, cue = named.clause, named.clause.has("on")
    if cue is None or clause.amounts or not cue.words.endswith(" on"):
        return None
    centres = [point for point in named.points if not _CENTRES.isdisjoint(_words_before(clause, point))]
    circle = _circle_of(named, centres, clause.words[cue.last :])
    if circle is None:
        return None
    return [Between(relation="incident", keys=(key, circle)) for key in named.single_keys(centres)]


def _circle_of(named: _Named, centres: Sequence[Label], rest: Sequence[str]) -> Key | None:
    circles = [*named.keys("circle"), *(("circle", point.points) for point in centres)]
    if not circles and "of" not in rest and not {"circle", "circumference"}.isdisjoint(rest):
        return "circle", ()
    return circles[0] if circles else None


_CENTRES = frozenset("center centre centered centred".split())


def _words_before(clause: Clause, label: Label) -> list[str]:
    """The two words before a label."""
    return [token.lower for token in clause.tokens if token.end <= label.start][-2:]


def _ratio(named: _Named) -> list[Form] | None:
    """“The ratio of AB to DE is 3 : 2”."""
    sides, amounts = named.keys(*MEASURED), named.clause.amounts
    if not named.clause.has("ratio") or len(sides) != 2 or len(amounts) not in (1, 2):
        return None
    top, bottom = (*(one.amount.quantity.value for one in amounts), 1.0)[:2]
    times = Amount(quantity=Quantity(value=top / (bottom or 1.0), places=None))
    return [Between(relation="equal", keys=sides, times=times)]


def _role(named: _Named) -> list[Form] | None:
    """“CD is the altitude to AB”, “AM is a median”: what a segment is in its triangle."""
    words, keys = named.clause.words, named.keys("segment")[:2]
    role = next((i for i, word in enumerate(words) if word in ("altitude", "height", "median")), 0)
    if role < 2 or named.clause.amounts or words[role - 2] not in ("is", "as"):
        return None
    if not keys:
        return []
    if words[role] == "median":
        return [Between(relation="bisects", keys=keys)]
    return [Between(relation="perpendicular", keys=keys, vertex="" if keys[1:] else "*")]


def _similar(named: _Named) -> list[Form] | None:
    if not named.free or not named.clause.has("similar"):
        return None
    triangles = named.labels("triangle")[:2] or named.free
    drawn = tuple(label.points for label in triangles)
    return [Between(relation="similar", keys=tuple(label.key for label in triangles), drawn=drawn)]


def _acute_angle(named: _Named) -> list[Form] | None:
    """“∠AGF is acute”: less than a right angle."""
    if {"acute", "obtuse"}.isdisjoint(named.clause.words):
        return None
    angle = next(iter(named.keys("angle")), None) or angle_between_sides(named.free)
    bound: Bound = "<" if "acute" in named.clause.words else ">"
    amount = Amount(quantity=Quantity(value=90.0, unit="degree"), bound=bound)
    return [Measure(key=angle, amount=amount, drawn=angle[1])] if angle else []


def _multiple(named: _Named) -> list[Form] | None:
    """“AB is twice as long as CD”, “AB is 3 times CD”, “more than twice”: by the factor that a clause states, in figures or in a word."""
    clause, keys = named.clause, named.sizes()[:2]
    times = next((one.amount for one in clause.amounts if one.role == "times"), None)
    if times is None and (word := times_word(clause)) is not None:
        bound, hedged = bound_before(clause, word[1].first), clause.has("hedge") is not None
        times = Amount(quantity=Quantity(value=word[0], places=None), bound=bound, hedged=hedged)
    if len(keys) < 2 or times is None:
        return None
    if clause.has("more", "less") and _difference(clause):
        return []
    return [Between(relation="equal", keys=keys, times=times)]


def _compared_lengths(named: _Named) -> list[Form] | None:
    """“AB is 3 units longer than BC”, “DH is shorter than either of these sides”."""
    clause, keys = named.clause, named.sizes()
    if not clause.has("beats", "trails") and not (clause.has("more", "less") and clause.has("than", "times")):
        return None
    order, by = "greater" if clause.has("more", "beats") else "less", _difference(clause)
    if not keys or (by and "half" in clause.words):
        return []
    rivals = keys[1:2] or filter(keys[0].__ne__, named.recent(keys[0][0]))
    return [Between(relation=order, keys=(keys[0], rival), by=by) for rival in rivals]


def _difference(clause: Clause) -> Amount | None:
    """By how much a clause says that things differ, in figures or in words: “3 units longer”, “two more than AD”."""
    stated = (one.amount for one in clause.amounts if one.role != "times" and not in_brackets(clause, one))
    cue = clause.has("more", "less")
    spelled = [one.stem for one in clause.tokens[: cue.first][-1:] if one.stem.isdecimal()] if cue else []
    return next(stated, None) or next((Amount(quantity=Quantity(value=float(one))) for one in spelled), None)


def _extreme(named: _Named) -> list[Form] | None:
    """“AB is the longest side of △ABC”, “… making it the second smallest angle”."""
    cue = named.clause.has("most", "least")
    if cue is None:
        return None
    subject = named.first(*MEASURED)
    if subject is None:
        return []
    ranks = [ORDINALS[word] for word in named.clause.words[max(0, cue.first - 3) : cue.first] if word in ORDINALS]
    keys = (subject.key, *named.keys("triangle", "polygon"))
    return [Between(relation="extreme", keys=keys, most=cue.tag == "most", rank=(ranks or [1])[0])]


def _equals(named: _Named) -> list[Form] | None:
    """“FG and GH are congruent”, “CA and AD carry the same tick mark”, “the four sides of ABCD are equal”; what is equal in pairs, is
    not equal throughout."""
    clause, sides, polygons = named.clause, named.sizes(), named.labels("polygon", "triangle")
    if not clause.has("same", "differ", "tick", *(() if clause.has("times") else ("as",))):
        return None
    if clause.amounts:
        return []
    if polygons and not sides[1:]:
        return _equal_polygons(clause, polygons)
    if not sides:
        return _equals_by_points(named)
    alike = [one for one in sides[:-1] if sides[-1][0] in (one[0], "radius", "diameter")]
    return [Between(relation="equal", keys=(one, sides[-1])) for one in alike]


def _equal_polygons(clause: Clause, polygons: Sequence[Label]) -> list[Form]:
    if polygons[1:]:
        return [Between(relation="equal", keys=tuple(label.key for label in polygons))]
    whole, paired = polygons[0], not _PAIRED.isdisjoint(clause.words)
    return [] if paired else [Between(relation="equilateral", keys=(whole.key,), drawn=(whole.points,))]


def _equals_by_points(named: _Named) -> list[Form]:
    """“The angles at B and C are equal”, “E is equally far from A and D”, “these two segments are equal”."""
    if len(named.points) == 2 and kind_word(named.clause) == "angle":
        return [Between(relation="equal", keys=tuple(("angle", point.points) for point in named.points))]
    if len(named.points) == 3 and named.clause.has("same"):
        return [_equal_distances(named.points)]
    recent = named.recent("segment")
    return [Between(relation="equal", keys=recent)] if len(recent) == 2 else []


def _incidence(named: _Named) -> list[Form] | None:
    clause, cue = named.clause, named.clause.has(*_INCIDENCES)
    if cue is None or (cue.words in _PARTS_OF_CIRCLES and clause.amounts):
        return None
    if cue.words == "inscribed" and clause.word(cue.last + 1) in ("angle", "angles", "∠"):
        return []
    keys = tuple(label.key for label in sorted([*named.free, *named.points], key=attrgetter("start")))
    if len(keys) > (cue.tag == "next"):
        return [Between(relation=_INCIDENCES[cue.tag], keys=keys)]
    says = cue.words not in _PARTS_OF_CIRCLES and clause.has("inside")
    return [Open(about=clause.phrase(), reason="it names no points")] if says else []


def _drawn_shape(named: _Named) -> list[Form] | None:
    """“A square is drawn on side AE”, where nothing else is said."""
    words, reason = named.clause.words, "it speaks of a shape that was not read"
    if "drawn" not in words or not named.free or SOLIDS.isdisjoint(words):
        return None
    return [Open(about=named.clause.phrase(), reason=reason, kind="structure")]


_RULES: tuple[tuple[frozenset[str], _Rule], ...] = tuple(
    (frozenset(words.split()), rule)
    for words, rule in (
        ("into bisects midpoint", _halves),
        ("perpendicular", _right_angles),
        ("parallel", _parallels),
        ("isosceles equilateral", _equal_sides),
        ("on", _points_on_circle),
        ("ratio", _ratio),
        ("altitude height median", _role),
        ("similar", _similar),
        ("acute obtuse", _acute_angle),
        ("times twice", _multiple),
        ("beats trails more less", _compared_lengths),
        ("most least", _extreme),
        ("same differ tick as", _equals),
        (" ".join(_INCIDENCES), _incidence),
        ("drawn", _drawn_shape),
    )
)
"""The rules in the order in which they are tried, each with the words, cues and roles of which a clause must have one."""


def geometric_forms(text: str, parts: Sequence[Clause], earlier: Sequence[Label]) -> list[Found]:
    """All that a sentence asserts of labelled things; `earlier` are the labels named before it, for “these two segments”."""
    found: list[Found] = []
    seen = list(earlier)
    previous: Clause | None = None
    for clause in parts:
        clause = _with_circle(_with_subject(clause, previous), seen)
        points = single_points(clause)
        found += _of_both(clause, found) or _clause_forms(clause, points, seen)
        seen += [label for label in clause.labels if label.kind in MEASURED]
        previous = clause
    return found


_PREDICATES = frozenset("is are measures measure has have equals being it".split())
_PREPOSITIONS = frozenset("of to from on at between by in with through for into".split())


def _with_subject(clause: Clause, previous: Clause | None) -> Clause:
    """“… and measures 6.5”, “… and is parallel to AC”, “…, which is 9”: a clause that opens with its verb is said of the subject before
    it, unless “of” or “to” leads to that from another, or of what “which” follows."""
    if previous is None or not _lacks_subject(clause):
        return clause
    follows = clause.opener == "which"
    named = sorted([*labels_outside_equations(previous), *single_points(previous)], key=attrgetter("start"))
    subject = named[-1 if follows else 0] if named else None
    if subject is None or subject.kind not in MEASURED:
        return clause
    if not follows and _leading_word(previous, subject) in _PREPOSITIONS:
        return clause
    return replace(clause, labels=(replace(subject, start=clause.start, end=clause.start), *clause.labels))


def _leading_word(clause: Clause, label: Label) -> str:
    before = [token.lower for token in clause.tokens if token.start < label.start]
    return next((word for word in reversed(before) if word not in ("the", "both")), "")


_OTHER = frozenset("other larger smaller bigger outer inner second".split())


def _with_circle(clause: Clause, seen: Sequence[Label]) -> Clause:
    """“Circle Q is the smallest; its radius is 4.5”: a radius or diameter of no circle is that of the one named last."""
    circles = [label for label in seen if label.kind == "circle"]
    unnamed = not clause.labels and not {"radius", "diameter"}.isdisjoint(clause.words)
    if not circles or not unnamed or not _OTHER.isdisjoint(clause.words):
        return clause
    return replace(clause, labels=(replace(circles[-1], start=clause.start, end=clause.start),))


def _lacks_subject(clause: Clause) -> bool:
    """Whether a clause opens with its verb, or names nothing of which its measure or comparison could be said."""
    if clause.words[0] in _PREDICATES:
        return True
    if clause.labels:
        than = clause.has("than", "twice")
        return than is not None and all(label.start > clause.tokens[than.first].start for label in clause.labels)
    measures = "its" in clause.words[:2] or not {"long", "units"}.isdisjoint(clause.words[1:3])
    return measures or clause.has("most", "least") is not None


_AGAINST = frozenset("versus vs compared with to against and , ( ) .".split())


def _of_both(clause: Clause, found: Sequence[Found]) -> list[Found]:
    """“… because both are marked 87°”, “… (6 versus 4)”: the values of the things just compared, each its own or one of both, said as the
    reason."""
    last = found[-1].form if found else None
    if clause.labels or not clause.amounts or not isinstance(last, Between):
        return []
    values = _values_of_both(clause, last)
    pairs = zip(last.keys, values, strict=True) if len(values) == len(last.keys) else ()
    forms = [Measure(key=key, amount=one.amount, drawn=key[1]) for key, one in pairs if key[1]]
    return [Found(start=clause.start, end=clause.end, form=form, aside=True) for form in forms]


def _values_of_both(clause: Clause, last: Between) -> Sequence[StatedAmount]:
    words, values = {*clause.words}, clause.amounts
    if words & {"both", "each"} and words & {"because", "since"} and last.relation == "equal":
        return values * len(last.keys)
    places = {i for one in values for i in range(one.first, one.last + 1)}
    return values if _AGAINST.issuperset(word for i, word in enumerate(clause.words) if i not in places) else ()


def _clause_forms(clause: Clause, points: tuple[Label, ...], seen: Sequence[Label]) -> list[Found]:
    """Equations, relations and measures of a clause; the amounts of a difference or a factor are no measures, unless they stand in brackets."""
    found = [one for equation in clause.equations for one in equation_forms(clause, equation)]
    measures = measure_forms(clause, points)
    inscribed = any(isinstance(one.form, Measure) and one.form.expression for one in measures)
    if inscribed and not clause.has("parallel", "perpendicular", "isosceles", "bisects", "tick"):
        return [*found, *measures]
    relations = _clause_relations(clause, points, seen)
    if _tells_difference(clause, relations):
        bracketed = tuple(one for one in clause.amounts if in_brackets(clause, one))
        measures = measure_forms(replace(clause, amounts=bracketed), points)
    return [*found, *relations, *measures]


def _tells_difference(clause: Clause, relations: Sequence[Found]) -> bool:
    by_amount = any(isinstance(one.form, Between) and (one.form.by or one.form.times) for one in relations)
    return by_amount or (bool(relations) and clause.has("more", "less", "than") is not None)
