"""What sentences about labelled figures assert: right angles, parallels, halves, equal sides, incidence, and each clause's measures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TypeAlias

from evpv.language.clauses import Clause, bound_before, times_word
from evpv.language.forms import Amount, Between, Bound, Form, Measure, Open
from evpv.language.geometric_measures import (
    MEASURED,
    Found,
    angle_between_sides,
    equation_forms,
    found_in,
    in_brackets,
    is_part,
    kind_word,
    labels_outside_equations,
    measure_forms,
    single_points,
)
from evpv.language.labels import Key, Label, canonical_points
from evpv.language.lexicon import ORDINALS, SOLIDS
from evpv.language.quantities import Quantity
from evpv.language.tokens import Cue

_THESE = frozenset("these those they both two either them".split())
_STATES = frozenset("is has have dealing shows forms form makes contains marks".split())
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

    def first(self, *kinds: str) -> Label | None:
        return next(iter(self.labels(*kinds)), None)

    def recent(self, kind: str) -> tuple[Key, ...]:
        """“These two segments”: the last two of their kind named before."""
        if _THESE.isdisjoint(self.clause.words) or self.clause.words[0].endswith("ing"):
            return ()
        return tuple(dict.fromkeys(label.key for label in self.seen if label.kind == kind))[-2:]


_Rule: TypeAlias = Callable[[_Named], list[Form] | None]
"""The forms of a clause in which a rule's words stand, none where they name nothing; None where its words do not stand."""


def clause_relations(clause: Clause, points: tuple[Label, ...], seen: Sequence[Label]) -> list[Found]:
    """The relations that a clause states between labelled things, by the first rule whose words it has."""
    named = _Named(clause, labels_outside_equations(clause), points, seen)
    forms = next((found for rule in _RULES if (found := rule(named)) is not None), [])
    denied = _is_denied(clause)
    return [replace(found_in(clause, form), denied=denied) for form in forms]


def _is_denied(clause: Clause) -> bool:
    scalene = (cue := clause.has("isosceles")) is not None and cue.words == "scalene"
    parallel = clause.has("parallel")
    inner = range(parallel.first, parallel.last + 1) if parallel and not clause.has("perpendicular") else ()
    denial = any(cue.tag == "not" and cue.first not in inner for cue in clause.cues)
    return denial != scalene or (clause.has("differ") is not None and clause.has("same") is None)


def _equal_distances(middle: str, *ends: str) -> Form:
    """“E is equidistant from A and D”, “Q lies midway between P and R”: one point is as far from the one as from the other."""
    keys = tuple(("segment", canonical_points("segment", (middle, end))) for end in ends)
    return Between(relation="equal", keys=keys)


def _halves(named: _Named) -> list[Form] | None:
    """What a bisector or a midpoint makes equal."""
    clause, segments = named.clause, named.keys("segment")
    if "into" in clause.words and len(segments) == 3 and not {"halves", "equal", "congruent"}.isdisjoint(clause.words):
        return [Between(relation="equal", keys=segments[1:])]
    cue = clause.has("bisects", "midpoint")
    if cue is None:
        return None
    if cue.tag == "midpoint" and not named.free and len(named.points) == 3:
        return [_equal_distances(*(point.points[0] for point in named.points))]
    kind = "angle" if kind_word(clause) == "angle" and not named.labels("angle") else "point"
    halved = sorted(named.free, key=lambda label: label.start >= clause.tokens[cue.first].start)
    keys = (*((kind, point.points) for point in named.points), *(label.key for label in halved))
    crossed = (
        [Between(relation="perpendicular", keys=segments)] if clause.has("perpendicular") and len(segments) == 2 else []
    )
    return [*crossed, Between(relation="bisects", keys=keys)] if keys else []


def _right_angles(named: _Named) -> list[Form] | None:
    """Perpendicular lines: two named, an angle, a vertex of a triangle, or pairs between which marks stand."""
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
    """Right angles that no two lines name: at points, at “these” lines, or somewhere in the figure."""
    clause, at = named.clause, named.clause.tokens[cue.first].start
    corners = [*named.labels("point"), *(p for p in named.points if p.start >= at or not named.free)]
    if corners[2:] and _CORNER_WORDS.isdisjoint(_words_before(clause, corners[0])):
        return []
    if corners:
        keys, own = named.keys("triangle")[:1], named.labels("triangle")[:1]
        vertices = dict.fromkeys(corner.points[0] for corner in corners)
        inside = [vertex for vertex in vertices if not own or vertex in own[0].points]
        return [Between(relation="perpendicular", keys=keys, vertex=vertex) for vertex in inside]
    if recent := named.recent("segment"):
        return [Between(relation="perpendicular", keys=(key,), vertex="*") for key in recent]
    if named.free or "triangles" in clause.words or _STATES.isdisjoint(clause.words):
        return []
    return [Between(relation="perpendicular", keys=(), vertex="?")]


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
    """Points on a circle, named, unnamed or known by its centre."""
    cue = named.clause.has("on")
    if cue is None or named.clause.amounts or not cue.words.endswith(" on"):
        return None
    words = set(named.clause.words[cue.last :])
    centres = [point for point in named.points if _is_centre(named.clause, point)]
    circles = [*named.keys("circle"), *(("circle", point.points) for point in centres)]
    if words & {"circle", "circumference"} and "of" not in words:
        circles.append(("circle", ()))
    points = sorted([*named.labels("point"), *named.points], key=attrgetter("start"))
    keys = dict.fromkeys(("point", label.points) for label in points if label not in centres)
    return [Between(relation="incident", keys=(key, circles[0])) for key in keys] if circles else None


def _is_centre(clause: Clause, point: Label) -> bool:
    """“The circle with center O”, “centred at O”."""
    return not {"center", "centre", "centered", "centred"}.isdisjoint(_words_before(clause, point))


def _words_before(clause: Clause, label: Label) -> list[str]:
    """The two words before a label."""
    return [token.lower for token in clause.tokens if token.end <= label.start][-2:]


def _part(named: _Named) -> list[Form] | None:
    """“CD is one third of AC”, “the ratio of AB to DE is 3 : 2”."""
    clause, sides = named.clause, named.keys(*MEASURED)
    if clause.has("ratio") and len(sides) == 2 and len(clause.amounts) in (1, 2):
        top, bottom = (*(one.amount.quantity.value for one in clause.amounts), 1.0)[:2]
        times = Amount(quantity=Quantity(value=top / (bottom or 1.0), places=None))
        return [Between(relation="equal", keys=sides, times=times)]
    one = next((one for one in clause.amounts if is_part(one.amount.quantity)), None)
    if one is None or len(sides) != 2 or clause.word(one.last + 1) != "of":
        return None
    plain = not (clause.has("more", "less") and clause.amounts[1:])
    return [Between(relation="equal", keys=sides, times=one.amount)] if plain else []


def _role(named: _Named) -> list[Form] | None:
    """“CD is the altitude to AB”, “AM is a median”: what a segment is in its triangle."""
    role = next((i for i, word in enumerate(named.clause.words) if word in ("altitude", "height", "median")), None)
    if role is None or role < 2 or named.clause.amounts or named.clause.words[role - 2] not in ("is", "as"):
        return None
    keys = named.keys("segment")[:2]
    if named.clause.words[role] == "median":
        return [Between(relation="bisects", keys=keys)] if keys else []
    return [Between(relation="perpendicular", keys=keys, vertex="" if keys[1:] else "*")] if keys else []


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
    """“AB is twice as long as CD”, “AB is 3 times CD”."""
    factor, keys = times_word(named.clause), named.sizes()[:2]
    stated = next((one.amount for one in named.clause.amounts if one.role == "times"), None)
    if len(keys) < 2 or (factor is None and stated is None):
        return None
    if named.clause.has("more", "less") and _difference(named.clause):
        return []
    value, cue = factor or (1.0, None)
    bound: Bound = bound_before(named.clause, cue.first) if cue else "="
    hedged = named.clause.has("hedge") is not None
    times = stated or Amount(quantity=Quantity(value=value, places=None), bound=bound, hedged=hedged)
    return [Between(relation="equal", keys=keys, times=times)]


def _compared_lengths(named: _Named) -> list[Form] | None:
    """“AB is 3 units longer than BC”, “DH is shorter than either of these sides”."""
    clause = named.clause
    compares = clause.has("more", "less") and clause.has("than", "times")
    if not compares and not clause.has("beats", "trails"):
        return None
    keys = named.sizes()
    rivals = keys[1:2]
    if len(keys) == 1:
        rivals = tuple(key for key in named.recent(keys[0][0]) if key != keys[0])
    order = "greater" if clause.has("more", "beats") else "less"
    by = _difference(clause)
    return [
        Between(relation=order, keys=(keys[0], rival), by=by) for rival in rivals if not (by and "half" in clause.words)
    ]


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
    """“FG and GH are congruent”, “CA and AD carry the same tick mark”, “the four sides of ABCD are equal”."""
    if not named.clause.has("same", "differ", "tick") and (not named.clause.has("as") or named.clause.has("times")):
        return None
    if named.clause.amounts:
        return []
    sides, polygons = named.sizes(), named.labels("polygon", "triangle")
    if len(sides) >= 2:
        alike = [key for key in sides[:-1] if sides[-1][0] in (key[0], "radius", "diameter")]
        return [Between(relation="equal", keys=(key, sides[-1])) for key in alike]
    if len(polygons) == 1:
        if not _PAIRED.isdisjoint(named.clause.words):
            return []
        return [Between(relation="equilateral", keys=(polygons[0].key,), drawn=(polygons[0].points,))]
    if polygons:
        return [Between(relation="equal", keys=tuple(label.key for label in polygons))]
    return [] if sides else _equals_by_points(named)


def _equals_by_points(named: _Named) -> list[Form]:
    """“The angles at B and C are equal”, “E is equally far from A and D”, “these two segments are equal”."""
    if len(named.points) == 2 and kind_word(named.clause) == "angle":
        return [Between(relation="equal", keys=tuple(("angle", point.points) for point in named.points))]
    if len(named.points) == 3 and named.clause.has("same"):
        return [_equal_distances(*(point.points[0] for point in named.points))]
    recent = named.recent("segment")
    return [Between(relation="equal", keys=recent)] if len(recent) == 2 else []


def _incidence(named: _Named) -> list[Form] | None:
    cue = named.clause.has(*_INCIDENCES)
    if cue is None and "drawn" in named.clause.words and named.free and not SOLIDS.isdisjoint(named.clause.words):
        return [Open(about=named.clause.phrase(), reason="it speaks of a shape that was not read", kind="structure")]
    if cue is None or (cue.words in _PARTS_OF_CIRCLES and named.clause.amounts):
        return None
    keys = tuple(label.key for label in sorted([*named.free, *named.points], key=attrgetter("start")))
    if cue.words == "inscribed" and named.clause.word(cue.last + 1) in ("angle", "angles", "∠"):
        return []
    if keys and (keys[1:] or cue.tag != "next"):
        return [Between(relation=_INCIDENCES[cue.tag], keys=keys)]
    says = cue.words not in _PARTS_OF_CIRCLES and named.clause.has("inside")
    return [Open(about=named.clause.phrase(), reason="it names no points")] if says else []


_RULES: tuple[_Rule, ...] = (
    _halves, _right_angles, _parallels, _equal_sides, _points_on_circle, _part, _role, _similar, _acute_angle,
    _multiple, _compared_lengths, _extreme, _equals, _incidence,
)  # fmt: skip


def geometric_forms(text: str, parts: Sequence[Clause], earlier: Sequence[Label]) -> list[Found]:
    """All that a sentence asserts of labelled things; `earlier` are the labels named before it, for “these two segments”."""
    found: list[Found] = []
    seen = list(earlier)
    previous: Clause | None = None
    for clause in parts:
        clause = _with_subject(clause, previous)
        points = single_points(clause)
        found += _of_both(clause, found) or _clause_forms(clause, points, seen)
        seen += [label for label in clause.labels if label.kind in MEASURED]
        previous = clause
    return found


_PREDICATES = frozenset("is are measures measure has have equals being it".split())
_PREPOSITIONS = frozenset("of to from on at between by in with through for into".split())


def _with_subject(clause: Clause, previous: Clause | None) -> Clause:
    """“… and measures 6.5”, “… and is parallel to AC”, “…, which is 9”: a clause that opens with its verb is said of the subject before
    it, or of what “which” follows."""
    follows = clause.opener == "which"
    first, than = clause.words[0], clause.has("than", "twice")
    bare = first == "its" or clause.has("most", "least") or not {"long", "units"}.isdisjoint(clause.words[1:3])
    compared = than is not None and all(label.start > clause.tokens[than.first].start for label in clause.labels)
    opens = first in _PREDICATES or (bare and not clause.labels) or (compared and clause.labels)
    if previous is None or not opens:
        return clause
    named = sorted([*labels_outside_equations(previous), *single_points(previous)], key=attrgetter("start"))
    subject = named[-1 if follows else 0] if named else None
    if subject is None or subject.kind not in MEASURED or not (follows or _is_subject(subject, previous)):
        return clause
    return replace(clause, labels=(replace(subject, start=clause.start, end=clause.start), *clause.labels))


def _is_subject(label: Label, clause: Clause) -> bool:
    """Whether a name stands for itself, and not for what “of” or “to” leads to it from."""
    before = [
        token.lower for token in clause.tokens if token.start < label.start and token.lower not in ("the", "both")
    ]
    return _PREPOSITIONS.isdisjoint(before[-1:])


_AGAINST = frozenset("versus vs compared with to against and , ( ) .".split())


def _of_both(clause: Clause, found: Sequence[Found]) -> list[Found]:
    """“… because both are marked 87°”, “… (6 versus 4)”: the values of the things just compared, said as the reason."""
    words, said, last = {*clause.words}, clause.amounts, found[-1].form if found else None
    if clause.labels or not said or not isinstance(last, Between):
        return []
    rest = {word for i, word in enumerate(clause.words) if not any(one.first <= i <= one.last for one in said)}
    if words & {"both", "each"} and words & {"because", "since"} and last.relation == "equal":
        said = said * len(last.keys)
    elif not _AGAINST.issuperset(rest):
        return []
    pairs = zip(last.keys, said, strict=True) if len(said) == len(last.keys) else ()
    forms = [Measure(key=key, amount=one.amount, drawn=key[1]) for key, one in pairs if key[1]]
    return [Found(start=clause.start, end=clause.end, form=form, aside=True) for form in forms]


def _clause_forms(clause: Clause, points: tuple[Label, ...], seen: Sequence[Label]) -> list[Found]:
    found = [one for equation in clause.equations for one in equation_forms(clause, equation)]
    measures = measure_forms(clause, points)
    written = any(isinstance(one.form, Measure) and one.form.expression for one in measures)
    named_only = written and not clause.has("parallel", "perpendicular", "isosceles", "bisects", "tick")
    relations = [] if named_only else clause_relations(clause, points, seen)
    held = any(getattr(one.form, "by", None) or getattr(one.form, "times", None) for one in relations)
    if held or (relations and clause.has("more", "less", "than")):
        bracketed = tuple(one for one in clause.amounts if in_brackets(clause, one))
        measures = measure_forms(replace(clause, amounts=bracketed), points)
    return [*found, *relations, *measures]
