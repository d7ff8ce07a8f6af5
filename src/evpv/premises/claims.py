"""A claim as Appendix B types it: a value, a relation, a structure, or nothing that can be checked; one claim, its fields.

Derived from the logical forms, so that the paper's matching and ours read a sentence once and alike. The fields are those
of the paper's schema: attributes "length", "angle", "count" and "value", entities such as "cylinder height".
"""

from __future__ import annotations

from collections.abc import Container
from functools import lru_cache
from typing import Literal, TypeAlias

from evpv.language import forms
from evpv.language.assertions import assertions
from evpv.language.forms import Amount, Assertion, Between, Comparison, KeySum, Measure, Phrase
from evpv.language.immutable import immutable
from evpv.language.labels import labels, loose_points
from evpv.language.quantities import Quantity
from evpv.language.text import plain

MAX_LENGTH = 2000
"""A claim is one assertion; a longer text is refused."""

_NumericForm = Literal["value", "difference", "ratio"]
_RelationForm = Literal["stated", "expression", "comparison", "extreme", "trend"]


@immutable
class NumericClaim:
    """“`entity` has `attribute` equal to a quantity”; `values` holds all quantities that the sentence asserts."""

    text: str
    entity: str
    attribute: str
    values: tuple[Quantity, ...]
    form: _NumericForm = "value"


@immutable
class RelationClaim:
    """“`type` holds between `entities`”, stated outright or to be computed from numbers (`form`)."""

    text: str
    type: str
    entities: tuple[str, ...]
    form: _RelationForm = "stated"


@immutable
class StructureClaim:
    """“The figure is put together from `parts`”."""

    text: str
    type: str
    parts: tuple[str, ...]


@immutable
class Unclassifiable:
    """Nothing that could be checked against a figure."""

    text: str
    reason: str


_Claim: TypeAlias = NumericClaim | RelationClaim | StructureClaim | Unclassifiable

_LENGTHS = frozenset(
    "height radius width depth length side diameter base edge slant perimeter circumference distance altitude hypotenuse leg thickness".split()
)
_LENGTH_UNITS = frozenset("centimeter meter millimeter kilometer inch foot yard mile".split())
_OTHER_ATTRIBUTES = ("y-intercept", "x-intercept", "x-coordinate", "y-coordinate", "kink position", "area", "volume", "slope", "coordinate", "share", "maximum", "minimum", "median", "mean", "range", "mode")  # fmt: skip  # noqa: E501
_HOLDERS = frozenset("figure diagram picture box jar bag image drawing chart table".split())
_HOLDS = frozenset("has have contains shows show holds".split())
_DRESS = frozenset(
    "the a an of in on at to there is are was were that we see figure diagram show shows given labeled labelled has have had measures measure equals equal costs cost it its picture image drawing total exactly "  # noqa: E501
    "made spent earned no recorded received took scored gives reaches reached and with from".split()
)
_LEADS = frozenset("bar value entry column row line slice point for".split())
_SHOWN = frozenset("shown drawn visible pictured depicted".split())
_KINKS = frozenset("kink corner cusp".split())
_KINK_WORDS = _KINKS | {"x", "sharp", "turn"}
_UPRIGHT = frozenset({"tall", "high"})
_LENGTH_WORDS = frozenset({"long", "wide", "deep", "length", "units"})
_CIRCLE_MEASURES = frozenset({"radius", "diameter", "area", "circumference"})
_LINKS = frozenset("is are was were the equal same as on in of".split())
_EQUALITIES = dict.fromkeys(("isosceles", "equilateral", "bisects", "marked"), "equal")


@lru_cache(maxsize=4096)
def parse(claim: str) -> _Claim:
    """The claim's type and fields.

    >>> parse("AB is perpendicular to CD.").type
    'perpendicular'
    >>> parse("The cylinder height is 8.").entity
    'cylinder height'
    >>> parse("The picture is quite cluttered.").reason
    'it states nothing that a figure could confirm'
    """
    if len(claim) > MAX_LENGTH:
        return Unclassifiable(text=claim[:80], reason=f"it is longer than {MAX_LENGTH} characters")
    text = plain(claim)
    if not text:
        return Unclassifiable(text=text, reason="it is empty")
    for said in assertions(claim):
        found = _typed_claim(text, said, claim)
        if found is not None:
            return found
    return Unclassifiable(text=text, reason="it states nothing that a figure could confirm")


def _typed_claim(text: str, said: Assertion, claim: str) -> _Claim | None:
    match said.form:
        case forms.Value(kind="difference" | "ratio" as kind) as form:
            difference = (form.amount.quantity,)
            return NumericClaim(text=text, entity=_subject(form.about), attribute="value", values=difference, form=kind)
        case forms.Value() as form:
            amounts = _amounts(said, claim)
            entity, attribute = _numeric_fields(text, form.about, amounts[0])
            values = tuple(amount.quantity for amount in amounts)
            return NumericClaim(text=text, entity=entity, attribute=attribute, values=values)
        case forms.Position() as form:
            return NumericClaim(text=text, entity=_subject(form.about), attribute="coordinate", values=(form.x, form.y))
        case KeySum() as form:
            terms, total = " ".join(_entities(said.text)), (form.amount.quantity,)
            return NumericClaim(text=text, entity=terms, attribute="length", values=total)
        case forms.Open() as form:
            return RelationClaim(text=text, type="equal", entities=(_subject(form.about),))
        case Measure() as form:
            return _measure_claim(text, form, said, claim)
        case forms.Marks(values=(Amount() as first, *_)) as form:
            return _measure_claim(text, Measure(key=(form.kind, ()), amount=first), said, claim)
        case forms.Marks(values=(str(first), *_)) as form:
            return _measure_claim(text, Measure(key=(form.kind, ()), expression=first), said, claim)
    return _related_claim(text, said)


def _related_claim(text: str, said: Assertion) -> _Claim | None:
    """Claims on several things, labelled or in words."""
    match said.form:
        case Between() as form:
            return _diagram_claim(text, form, said)
        case Comparison() as form:
            return _comparison_claim(text, form)
        case forms.Layout() as form:
            charted = form.kind == "table" and any(word in text.lower() for word in ("chart", "plot", "graph"))
            kind = "chart" if charted else form.kind  # a table to one reader, a graph to another
            return StructureClaim(text=text, type=kind, parts=tuple(part.text.strip(" .,;:") for part in form.parts))
        case forms.Stated() as form:
            return RelationClaim(text=text, type=form.relation, entities=tuple(_bare(side) for side in form.sides))
    return None


def _amounts(said: Assertion, claim: str) -> tuple[Amount, ...]:
    """The amounts of the claim's values, the first that of the assertion that types it."""
    stated = (said, *assertions(claim))
    every = [*filter(None, (one.form.amount for one in stated if isinstance(one.form, (forms.Value, Measure))))]
    if not every and isinstance(said.form, forms.Marks):
        return tuple(one for one in said.form.values if isinstance(one, Amount))
    return (*every[:1], *(amount for amount in every if amount is not every[0]))


def _numeric_fields(text: str, about: Phrase, amount: Amount) -> tuple[str, str]:
    """Entity e and attribute a of Appendix B's numeric claim; “height of the cylinder” and “cylinder height” are one entity of the schema."""
    subject, unit = _subject(about), amount.quantity.unit
    if of_circle := _circle_fields(text, about):
        return of_circle
    if about.stems & _KINKS:
        return _without(subject, _KINK_WORDS) or "graph", "kink position"
    if unit in ("degree", "radian"):
        return subject, "angle"
    if unit is None or unit in _LENGTH_UNITS:
        if about.words & _UPRIGHT:
            return f"{_without(subject, _UPRIGHT)} height", "length"
        if unit or about.stems & _LENGTHS:
            return _without(subject, _LENGTH_WORDS), "length"
    return _worded_fields(text, subject, about, amount)


def _circle_fields(text: str, about: Phrase) -> tuple[str, str] | None:
    circle = next((label for label in labels(text) if label.kind == "circle"), None)
    measure = next((token.stem for token in about.tokens if token.stem in _CIRCLE_MEASURES), None)
    return (f"circle {''.join(circle.points)}", measure) if circle and measure else None


def _worded_fields(text: str, subject: str, about: Phrase, amount: Amount) -> tuple[str, str]:
    """The fields by their words."""
    stated = next((name for name in _OTHER_ATTRIBUTES if name in text.lower()), None)
    if stated:
        return _without(subject, stated) or subject, stated
    if _counts_things(about, amount):
        return _without(_bare(amount.noun), {"are", *_SHOWN}) or subject, "count"
    first, _, rest = subject.partition(" ")
    if first.lower() == "number" and rest.islower() and len(rest.split()) <= 2:
        return rest, "count"
    return subject.removeprefix("value "), "value"


def _counts_things(about: Phrase, amount: Amount) -> bool:
    """Whether a number counts things: “there are 5 red balls”, “the box contains 5 balls”."""
    lower = [token.lower for token in about.tokens]
    holds = not _HOLDERS.isdisjoint(lower) and not _HOLDS.isdisjoint(lower)
    counts = "there" in lower[:2] or holds or not _SHOWN.isdisjoint(lower[-3:])
    return counts and bool(amount.noun) and amount.quantity.unit is None


def _without(text: str, dropped: Container[str]) -> str:
    return " ".join(word for word in text.split() if word.lower() not in dropped)


def _words(phrase: Phrase) -> list[str]:
    return [token.text for token in phrase.tokens if token.is_word or token.is_number]


def _subject(about: Phrase) -> str:
    """What is spoken of: the phrase without verbs, articles and signs, and without “the bar for”."""
    words = [word.removesuffix("'s") for word in _words(about) if word.lower() not in _DRESS]
    leads = 1 + words.index("for") if "for" in words else 0
    return " ".join(words[leads if _LEADS.issuperset(map(str.lower, words[:leads])) else 0 :])


def _bare(phrase: Phrase) -> str:
    kept = _words(phrase)
    while kept and kept[0].lower() in ("the", "a", "an", "to", "is", "are", "with"):
        kept = kept[1:]
    while kept and kept[-1].lower() in ("is", "are", "be", "lies", "lie", "runs", "run", "to", "with"):
        kept = kept[:-1]
    return " ".join(kept)


def _measure_claim(text: str, form: Measure, said: Assertion, claim: str) -> _Claim:
    name = f"{form.key[0]} {''.join(form.drawn or form.key[1])}".strip()
    if form.expression:
        entity = next(iter(_entities(said.text)), name)
        return RelationClaim(text=text, type="equal", entities=(entity, form.expression), form="expression")
    attribute = form.attribute or {"segment": "length", "arc": "angle"}.get(form.key[0], form.key[0])
    values = tuple(amount.quantity for amount in _amounts(said, claim))
    return NumericClaim(text=text, entity=name, attribute=attribute, values=values)


def _diagram_claim(text: str, form: Between, said: Assertion) -> _Claim:
    """Claims on several labelled things; a factor or a difference that is said makes them numeric."""
    entities, amount = _entities(said.text), form.times or form.by
    if amount is not None:
        entity = " ".join(entities)
        kind: _NumericForm = "ratio" if form.times else "difference"
        return NumericClaim(text=text, entity=entity, attribute="length", values=(amount.quantity,), form=kind)
    match form.relation:
        case "greater" | "less":
            return RelationClaim(text=text, type=form.relation, entities=entities, form="comparison")
        case "extreme":
            return RelationClaim(text=text, type="greater" if form.most else "less", entities=entities, form="extreme")
        case "perpendicular":
            return RelationClaim(text=text, type="perpendicular", entities=_right_sides(form, said.text) or entities)
    return RelationClaim(text=text, type=_EQUALITIES.get(form.relation, form.relation), entities=entities)


def _entities(text: str) -> tuple[str, ...]:
    named = labels(text)
    every = sorted([*named, *loose_points(text, named)], key=lambda label: label.start)
    return tuple(text[label.start : label.end].strip() for label in every)


def _right_sides(form: Between, text: str) -> tuple[str, ...]:
    """The two sides of a right angle that an angle names, or a vertex of the first triangle named: AB and BC of ∠ABC."""
    named = labels(text)
    angle = next((label.points for label in named if label.kind == "angle" and len(label.points) == 3), None)
    if angle:
        return (angle[0] + angle[1], angle[1] + angle[2])
    triangle = next((label.points for label in named if label.kind == "triangle"), ())
    others = [point for point in triangle if point != form.vertex]
    return (others[0] + form.vertex, form.vertex + others[1]) if form.vertex in triangle else ()


def _comparison_claim(text: str, form: Comparison) -> _Claim:
    """A comparison, to be computed from numbers, of two sides or of the two things that one side names."""
    words = _words(form.left)
    if form.kind == "trend":
        entities: tuple[str, ...] = (text.rstrip("."),)
    elif form.kind != "extreme" and form.right:
        entities = tuple(_without(_bare(side), _LINKS) for side in (form.left, form.right))
    elif form.kind == "extreme" or "and" not in words:
        entities = (_subject(form.left),)
    else:
        at = words.index("and")
        left, right = " ".join(words[max(0, at - 2) : at]), " ".join(words[at + 1 : at + 4])
        entities = (_without(left, ("the", "a")), " ".join(_without(right, ("the", "a")).split()[:2]))
    return RelationClaim(text=text, type=form.order, entities=entities, form=form.kind)
