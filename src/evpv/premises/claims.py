"""A claim as Appendix B types it: a value, a relation, a structure, or nothing that can be checked; one claim, its fields.

Derived from the logical forms, so that the paper's matching and ours read a sentence once and alike. The fields are those
of the paper's schema: attributes "length", "angle", "count" and "value", entities such as "cylinder height".
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, TypeAlias

from evpv.language.assertions import assertions
from evpv.language.forms import (
    Aggregate,
    Amount,
    Assertion,
    Between,
    Comparison,
    Count,
    Extreme,
    KeySum,
    Layout,
    Listing,
    Measure,
    Open,
    Phrase,
    Position,
    Share,
    Stated,
    Trend,
    Value,
    Worked,
)
from evpv.language.immutable import immutable
from evpv.language.labels import labels, loose_points
from evpv.language.quantities import Quantity
from evpv.language.text import plain
from evpv.types import ClaimType

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


Claim: TypeAlias = NumericClaim | RelationClaim | StructureClaim | Unclassifiable

_LENGTHS = frozenset(
    "height radius width depth length side diameter base edge slant perimeter circumference distance altitude hypotenuse leg thickness".split()
)
_LENGTH_UNITS = frozenset("centimeter meter millimeter kilometer inch foot yard mile".split())
_OTHER_ATTRIBUTES = ("y-intercept", "x-intercept", "x-coordinate", "y-coordinate", "kink position", "area", "volume", "slope", "coordinate", "share", "maximum", "minimum", "median", "mean", "range", "mode")  # fmt: skip  # noqa: E501
_HOLDERS = frozenset("figure diagram picture box jar bag image drawing chart table".split())
_DRESS = frozenset(
    "the a an of in on at to there is are was were that we see figure diagram show shows given labeled labelled has have had measures measure equals equal costs cost it its picture image drawing total exactly "  # noqa: E501
    "made spent earned no recorded received took scored gives reaches reached and with from".split()
)
_KINKS = frozenset("kink corner cusp".split())


def claim_type(claim: Claim) -> ClaimType:
    """The name of a parsed claim's type, as traces hold it."""
    match claim:
        case NumericClaim():
            return "numeric"
        case RelationClaim():
            return "relation"
        case StructureClaim():
            return "structure"
        case Unclassifiable():
            return "unclassifiable"


@lru_cache(maxsize=4096)
def parse(claim: str) -> Claim:
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


def _typed_claim(text: str, said: Assertion, claim: str) -> Claim | None:
    form = said.form
    match form:
        case Value():
            return _numeric(text, form.about, _amounts(said, claim))
        case Aggregate() | Share() | Worked():
            kind: _NumericForm = "difference" if isinstance(form, Aggregate) and form.kind == "difference" else "value"
            return _numeric(text, form.about, (form.amount,), kind)
        case Listing():
            return NumericClaim(text=text, entity=_subject(form.about), attribute="value", values=form.values)
        case Position():
            return NumericClaim(text=text, entity=_subject(form.about), attribute="coordinate", values=(form.x, form.y))
        case Measure() | KeySum() | Between():
            return _diagram_claim(text, said, claim)
        case Comparison() | Extreme() | Trend() | Count():
            return _order_claim(text, said)
        case Layout():
            return StructureClaim(text=text, type=form.kind, parts=tuple(_part_text(part) for part in form.parts))
        case Stated():
            return RelationClaim(text=text, type=form.relation, entities=tuple(_bare(side) for side in form.sides))
        case Open():
            return RelationClaim(text=text, type="equal", entities=(_subject(form.about),))
    return None


def _amounts(said: Assertion, claim: str) -> tuple[Amount, ...]:
    """The amounts of the claim's values, the first that of the assertion that types it."""
    forms = [one.form for one in assertions(claim)]
    every = [form.amount for form in forms if isinstance(form, (Value, Measure)) and form.amount is not None]
    first = said.form.amount if isinstance(said.form, (Value, Measure)) else None
    return (*([first] if first else ()), *(amount for amount in every if amount is not first))


def _numeric(text: str, about: Phrase, amounts: tuple[Amount, ...], form: _NumericForm = "value") -> NumericClaim:
    """Entity e and attribute a of Appendix B's numeric claim."""
    entity, attribute = _fields(text, about, amounts[0])
    return NumericClaim(
        text=text, entity=entity, attribute=attribute, values=tuple(a.quantity for a in amounts), form=form
    )


def _fields(text: str, about: Phrase, amount: Amount) -> tuple[str, str]:
    unit, subject = amount.quantity.unit, _subject(about)
    stems = [token.stem for token in about.tokens]
    lower = [token.lower for token in about.tokens]
    circle = next((label for label in labels(text) if label.kind == "circle"), None)
    stated = next((name for name in _OTHER_ATTRIBUTES if name in text.lower()), None)
    if circle is not None and (
        measure := next((s for s in stems if s in ("radius", "diameter", "area", "circumference")), None)
    ):
        return f"circle {''.join(circle.points)}", measure
    if set(stems) & _KINKS:
        kept = " ".join(word for word in subject.split() if word not in _KINKS and word not in ("x", "sharp", "turn"))
        return kept or "graph", "kink position"
    if unit in ("degree", "radian"):
        return subject, "angle"
    if set(lower) & {"tall", "high"} and (unit in _LENGTH_UNITS or unit is None):
        return f"{' '.join(word for word in subject.split() if word not in ('tall', 'high'))} height", "length"
    if unit in _LENGTH_UNITS or (set(stems) & _LENGTHS and unit is None):
        return _named_length(subject), "length"
    if stated:
        return " ".join(word for word in subject.split() if word.lower() not in stated) or subject, stated
    if _counts(lower, amount):
        return _bare(amount.noun) or subject, "count"
    return subject, "value"


def _named_length(subject: str) -> str:
    """“height of the cylinder” and “cylinder height” are one entity of the schema."""
    return " ".join(word for word in subject.split() if word.lower() not in ("long", "wide", "deep", "length", "units"))


def _counts(lower: list[str], amount: Amount) -> bool:
    """Whether a number counts things: “there are 5 red balls”, “the box contains 5 balls”."""
    there = "there" in lower[:2]
    holds = bool(set(lower) & _HOLDERS) and bool(set(lower) & {"has", "have", "contains", "shows", "show", "holds"})
    return amount.quantity.unit is None and bool(amount.noun) and (there or holds)


def _subject(about: Phrase) -> str:
    """What is spoken of: the phrase without verbs, articles and signs."""
    kept = [
        token.text.removesuffix("'s")
        for token in about.tokens
        if (token.is_word or token.is_number) and token.lower not in _DRESS
    ]
    return " ".join(kept)


def _bare(phrase: Phrase) -> str:
    kept = [token.text for token in phrase.tokens if token.is_word or token.is_number]
    while kept and kept[0].lower() in ("the", "a", "an", "to", "is", "are", "with"):
        kept = kept[1:]
    while kept and kept[-1].lower() in ("is", "are", "be", "lies", "lie", "runs", "run", "to", "with"):
        kept = kept[:-1]
    return " ".join(kept)


def _part_text(part: Phrase) -> str:
    return (
        part.text.strip(" .,;:").lower() if len(part.tokens) == 1 and part.text.islower() else part.text.strip(" .,;:")
    )


def _diagram_claim(text: str, said: Assertion, claim: str) -> Claim:
    """Claims on labelled things."""
    form = said.form
    entities = _entities(said.text)
    if isinstance(form, Measure):
        name = f"{form.key[0]} {''.join(form.drawn or form.key[1])}".strip()
        if form.expression:
            return RelationClaim(
                text=text, type="equal", entities=(*(entities[:1] or (name,)), form.expression), form="expression"
            )
        assert form.amount is not None
        attribute = form.attribute or {"segment": "length", "arc": "angle"}.get(form.key[0], form.key[0])
        values = tuple(amount.quantity for amount in _amounts(said, claim))
        return NumericClaim(text=text, entity=name, attribute=attribute, values=values)
    if isinstance(form, KeySum):
        return NumericClaim(text=text, entity=" ".join(entities), attribute="length", values=(form.amount.quantity,))
    assert isinstance(form, Between)
    if form.by is not None or form.times is not None:
        amount = form.times or form.by
        assert amount is not None
        kind: _NumericForm = "ratio" if form.times else "difference"
        return NumericClaim(
            text=text, entity=" ".join(entities), attribute="length", values=(amount.quantity,), form=kind
        )
    if form.relation in ("greater", "less"):
        return RelationClaim(text=text, type=form.relation, entities=entities, form="comparison")
    if form.relation == "extreme":
        return RelationClaim(text=text, type="greater" if form.most else "less", entities=entities, form="extreme")
    if form.relation == "perpendicular" and (sides := _right_sides(said)):
        return RelationClaim(text=text, type="perpendicular", entities=sides)
    kind_of = {"isosceles": "equal", "equilateral": "equal", "bisects": "equal", "marked": "equal"}
    return RelationClaim(text=text, type=kind_of.get(form.relation, form.relation), entities=entities)


def _entities(text: str) -> tuple[str, ...]:
    named = labels(text)
    every = sorted([*named, *loose_points(text, named)], key=lambda label: label.start)
    return tuple(text[label.start : label.end].strip() for label in every)


def _right_sides(said: Assertion) -> tuple[str, ...]:
    """The two sides of a right angle that a vertex or an angle names: AB and BC of ∠ABC."""
    form = said.form
    assert isinstance(form, Between)
    named = labels(said.text)
    angle = next((label for label in named if label.kind == "angle" and len(label.points) == 3), None)
    if angle is not None:
        a, b, c = angle.points
        return (a + b, b + c)
    triangle = next((label for label in named if label.kind == "triangle"), None)
    if triangle is not None and form.vertex in triangle.points:
        a, c = (point for point in triangle.points if point != form.vertex)
        return (a + form.vertex, form.vertex + c)
    return ()


def _order_claim(text: str, said: Assertion) -> Claim:
    """Claims that are computed from numbers: comparisons, extremes, trends, counts."""
    form = said.form
    if isinstance(form, Comparison):
        if form.by is not None or form.times is not None:
            amount = form.times or form.by
            assert amount is not None
            kind: _NumericForm = "ratio" if form.times else "difference"
            return NumericClaim(
                text=text,
                entity=f"{_subject(form.left)} {_subject(form.right)}".strip(),
                attribute="value",
                values=(amount.quantity,),
                form=kind,
            )
        return RelationClaim(text=text, type=form.order, entities=_sides(form), form="comparison")
    if isinstance(form, Extreme):
        subject = _subject(form.subject) or _subject(form.group)
        if form.amount is not None:
            return NumericClaim(
                text=text,
                entity=f"{subject} {_subject(form.group)}".strip(),
                attribute="value",
                values=(form.amount.quantity,),
            )
        return RelationClaim(text=text, type="greater" if form.most else "less", entities=(subject,), form="extreme")
    if isinstance(form, Trend):
        amounts = [a for a in (form.by, form.last, form.first, form.times) if a is not None]
        if amounts:
            kind = "ratio" if form.times else "value"
            kind = "difference" if form.by else kind
            return NumericClaim(
                text=text,
                entity=_subject(form.about),
                attribute="value",
                values=tuple(a.quantity for a in amounts),
                form=kind,
            )
        return RelationClaim(text=text, type=form.order, entities=(text.rstrip("."),), form="trend")
    assert isinstance(form, Count)
    limit = (form.limit.quantity,) if form.limit else ()
    return NumericClaim(
        text=text,
        entity=_subject(form.about),
        attribute="count",
        values=limit or (Quantity(value=float(form.number or 0)),),
    )


def _sides(form: Comparison) -> tuple[str, ...]:
    if form.right:
        return tuple(
            " ".join(
                w
                for w in _bare(side).split()
                if w.lower() not in ("is", "are", "was", "were", "the", "equal", "same", "as", "on", "in", "of")
            )
            for side in (form.left, form.right)
        )
    words = [token.text for token in form.left.tokens if token.is_word or token.is_number]
    if "and" in words:
        at = words.index("and")
        left = [w for w in words[max(0, at - 2) : at] if w.lower() not in ("the", "a")]
        right = [w for w in words[at + 1 : at + 4] if w.lower() not in ("the", "a")]
        return (" ".join(left), " ".join(right[:2]))
    return (_subject(form.left),)


__all__ = ["Claim", "NumericClaim", "RelationClaim", "StructureClaim", "Unclassifiable", "claim_type", "parse"]
