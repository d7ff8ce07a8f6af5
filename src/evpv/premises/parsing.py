"""What kind of claim a sentence makes, and its fields (Appendix B, "Claim Parsing").

A grammar takes what is regular: a value, a relation, a comparison, a structure. What it does not recognise goes to the
linear classifier of `claim_types`; sentences that are vague or say nothing visual are unclassifiable.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from evpv.language.expressions import has_variable
from evpv.premises import claim_types, grammar
from evpv.premises.assertions import asserted, is_year
from evpv.premises.claims import Claim, NumericClaim, NumericForm, RelationClaim, StructureClaim, Unclassifiable
from evpv.premises.normalize import words
from evpv.premises.normalize.cues import Cue
from evpv.premises.normalize.labels import Label, labels
from evpv.premises.normalize.numbers import Quantity
from evpv.premises.normalize.text import plain

MAX_LENGTH = 2000
"""A claim is one assertion; a longer text is refused, which also bounds the time that any input can take."""


_Rule: TypeAlias = Callable[[str, tuple[Label, ...], tuple[Quantity, ...]], Claim | None]


@lru_cache(maxsize=1024)
def parse(claim: str) -> Claim:
    """The claim's type and fields.

    >>> parse("AB is perpendicular to CD.").type
    'perpendicular'
    >>> parse("The radius of circle C is 5.5.").attribute
    'radius'
    >>> parse("The picture is quite cluttered.").reason
    'it states nothing that a figure could confirm'
    """
    if len(claim) > MAX_LENGTH:
        return Unclassifiable(text=claim[:80], reason=f"it is longer than {MAX_LENGTH} characters")
    text = plain(grammar.NEXT_ITEM.sub("", claim))
    if not text:
        return Unclassifiable(text=text, reason="it is empty")
    if grammar.PROCEDURE.search(text):
        return Unclassifiable(text=text, reason="it says what to do, not what is seen")
    named = labels(text)
    values = asserted(text, named)
    rules: tuple[_Rule, ...] = (
        (_expression, _layout, _label_relation, _composite) if named else (_layout, _composite, _label_relation)
    )
    for rule in (*rules, _number, _comparison):
        found = rule(text, named, values)
        if found is not None:
            return found
    return _classified(text, named, values)


def _expression(text: str, named: tuple[Label, ...], values: tuple[Quantity, ...]) -> Claim | None:
    """“AB is labeled x + 2”: equality of a labelled thing with an expression in an unknown."""
    match = grammar.EXPRESSION_AFTER.search(text) if named else None
    if match is None or not has_variable(match["expression"]):
        return None
    if any(v.unit and v.start <= match.start("expression") and v.end >= match.end("expression") for v in values):
        return None  # “21 m” is a length, not twenty-one times m
    subject = [label for label in named if label.end <= match.start() + 1]
    if not subject:
        return None
    entity = text[subject[-1].start : subject[-1].end].strip()
    return RelationClaim(text=text, type="equal", entities=(entity, match["expression"].strip()), form="expression")


def _layout(text: str, named: tuple[Label, ...], values: tuple[Quantity, ...]) -> Claim | None:
    """“The table lists the month and the waiting time”: how a table, chart or sequence is laid out."""
    laid_out = grammar.LAYOUT.search(text) or grammar.COUNTED_PARTS.search(text)
    if not laid_out or not grammar.LAYOUT_NOUN.search(text) or "=" in text or named:
        return None
    counts = all(
        text[v.start].isalpha()
        or (v.unit is None and v.scale == 1.0 and (is_year(v) or grammar.LAYOUT_NOUN.match(text, v.end + 1)))
        for v in values
    )
    extreme = words.HIGHEST.search(text) or words.LOWEST.search(text) or words.THAN.search(text)
    trend = words.RISES.search(text) or words.FALLS.search(text)
    if not counts or extreme or trend or re.search(r"\bin (?:row|column)\b|\bentry\b", text):
        return None
    return StructureClaim(text=text, type=_layout_type(text), parts=_listed_parts(text))


def _layout_type(text: str) -> str:
    if re.search(r"\b(?:sequence|pattern|stages?|frames?|terms)\b", text, re.IGNORECASE):
        return "sequence"
    if re.search(r"\b(?:branch(?:es)?|curves?)\b", text, re.IGNORECASE):
        return "graph"
    return "table"


def _listed_parts(text: str) -> tuple[str, ...]:
    """The names that a sentence lists: quoted ones if any, else what stands between commas and “and” after the verb."""
    quoted = tuple(grammar.QUOTED.findall(text))
    if quoted:
        return quoted
    body = grammar.FOR_EACH.sub("", text.rstrip(".! "))
    while (lead := grammar.LIST_LEAD.match(body)) and lead.end() < len(body):
        body = body[lead.end() :]
    parts = (
        re.sub(
            r"^(?:the (?:second|third|other|last)(?: \w+)? (?:is|shows|lists|gives)|the|an?|both|one for)\s+",
            "",
            part.strip(),
            flags=re.IGNORECASE,
        )
        for part in re.split(r",|\band\b|\bversus\b|\bvs\b", body)
    )
    return tuple(part for part in parts if part)


def _label_relation(text: str, named: tuple[Label, ...], values: tuple[Quantity, ...]) -> Claim | None:
    """“AB ⟂ CD”, “AB = CD”, “AD is the bisector of angle BAC”: a relation between labelled things."""
    if grammar.RATIO.search(text):
        return None
    if named and re.search(r"\b(?:isosceles|equilateral)\b", text, re.IGNORECASE):
        return RelationClaim(text=text, type="equal", entities=tuple(text[n.start : n.end].strip() for n in named))
    for name, pattern in words.RELATIONS:
        if not pattern.search(text):
            continue
        entities = tuple(text[label.start : label.end].strip() for label in named)
        if name in ("incident", "subset") or not entities:
            entities = _loose_points(text, named) or entities
        if name in ("perpendicular", "parallel") and not values:
            return RelationClaim(text=text, type=name, entities=entities or _noun_entities(text, pattern))
        if len(entities) >= 2 and not values:
            return RelationClaim(text=text, type=name, entities=entities)
        if (
            not entities
            and not values
            and name in ("adjacent", "subset", "incident")
            and not claim_types.is_opinion(text)
        ):
            return RelationClaim(text=text, type=name, entities=_noun_entities(text, pattern))
    if len(named) >= 2 and not values and re.search(r"=", text):
        return RelationClaim(
            text=text, type="equal", entities=tuple(text[label.start : label.end].strip() for label in named)
        )
    if len(named) >= 1 and not values and (right := _right_angle(text, named)):
        return right
    return None


def _right_angle(text: str, named: tuple[Label, ...]) -> Claim | None:
    """“Triangle ABC has a right angle at B”, “∠ABC is a right angle”."""
    if not re.search(r"\bright[- ](?:angled?|triangle)\b", text, re.IGNORECASE):
        return None
    label = named[0]
    at = re.search(r"\b(?:at|vertex|angle)\s(?:point |vertex )?([A-Z])\b", text)
    if label.kind == "angle" and len(label.points) == 3:
        a, b, c = label.points
    elif label.kind == "triangle" and at and at[1] in label.points:
        b = at[1]
        a, c = (point for point in label.points if point != b)
    else:
        return None
    return RelationClaim(text=text, type="perpendicular", entities=(a + b, b + c))


def _loose_points(text: str, named: tuple[Label, ...]) -> tuple[str, ...]:
    """Single capitals that an incidence sentence names besides the labels: “D lies on AC”."""
    found = [
        (m.start(), m[1])
        for m in grammar.LOOSE_POINT.finditer(text)
        if not any(x.start <= m.start() < x.end for x in named)
    ]
    found += [(label.start, text[label.start : label.end].strip()) for label in named]
    return tuple(name for _, name in sorted(found))


def _noun_entities(text: str, pattern: Cue) -> tuple[str, ...]:
    """The things left and right of a relation word, for relations between unlabelled things."""
    match = pattern.search(text)
    if match is None:
        return ()
    left, right = text[: match.start()], text[match.end() :]
    sides = [
        re.sub(
            r"^(?:the|an?|to|is|are|with)\s+|\s+(?:is|are|be|lies?|runs?)\s*$", "", s.strip(" .,;"), flags=re.IGNORECASE
        )
        for s in (left, right)
    ]
    return tuple(side for side in sides if side)


def _composite(text: str, named: tuple[Label, ...], values: tuple[Quantity, ...]) -> Claim | None:
    """“A cone is placed on top of a cylinder”: a figure made of parts."""
    counts = any(text[v.start].isdigit() for v in values)
    if not grammar.COMPOSITE.search(text) or any(v.unit for v in values) or counts or "=" in text:
        return None
    parts = tuple(
        dict.fromkeys(
            m.lower()
            for m in re.findall(
                rf"\b(?:quarter |half |right |isosceles |equilateral )?{grammar.SOLIDS}\b", text, re.IGNORECASE
            )
        )
    )
    return StructureClaim(text=text, type="composite", parts=parts)


_MULTIPLE = re.compile(r"\s?[×·*]?\s?[A-Z]{2}(?![A-Za-z])")
"""What makes a number a factor: “AB = 2BC”."""


def _number(text: str, named: tuple[Label, ...], values: tuple[Quantity, ...]) -> Claim | None:
    """“Segment AD has a length of 13”, “Isaiah took 32 more strokes than Edward”, “three times the previous one”."""
    ratio = grammar.RATIO.search(text)
    if ratio and not values:
        spoken = next(
            (grammar.TIMES_WORDS[w] for w in re.findall(r"[a-z]+", ratio[0].lower()) if w in grammar.TIMES_WORDS), None
        )
        values = (Quantity(value=spoken, start=ratio.start(), end=ratio.end()),) if spoken else ()
    if not values or _vague(text) or _only_setting(text, values) or (not ratio and _only_counts(text, values)):
        return None
    ratio = ratio or (_MULTIPLE.match(text, values[0].end) if named else None)
    form: NumericForm = (
        "ratio" if ratio else "difference" if len(values) == 1 and _compares(text, values[0]) else "value"
    )
    entity, attribute = _numeric_fields(text, named, values)
    return NumericClaim(text=text, entity=entity, attribute=attribute, values=values, form=form)


def _compares(text: str, value: Quantity) -> bool:
    """Whether a number is a difference between two things ("32 more than", "by 20") rather than the value of one."""
    if not (grammar.DIFFERENCE.search(text) or grammar.APART.search(text)):
        return False
    after, before = grammar.BY_HOW_MUCH.match(text, value.end), text[max(0, value.start - 90) : value.start]
    return after is not None or grammar.DIFFERS_BY.search(before) is not None


def _only_setting(text: str, values: tuple[Quantity, ...]) -> bool:
    """Whether all numbers stand in an opening clause and a comparison follows: “At a price of $130, demand exceeds supply.”"""
    clause = grammar.OPENING.match(text)
    compares = words.THAN.search(text) or words.HIGHEST.search(text) or words.LOWEST.search(text)
    return clause is not None and compares is not None and all(value.end <= clause.end() for value in values)


def _only_counts(text: str, values: tuple[Quantity, ...]) -> bool:
    """Whether the only numbers are words inside a name and the sentence is about a trend: “sales of two wheelers fell”."""
    spelled = all(text[value.start].isalpha() and value.unit is None and value.value <= 10 for value in values)
    return (
        spelled
        and (words.RISES.search(text) or words.FALLS.search(text)) is not None
        and grammar.SINCE.search(text) is not None
    )


def _vague(text: str) -> bool:
    """A sentence with a number that still is about the working, not the figure ("the sum of angles is always 180°")."""
    return (
        re.search(
            r"\b(?:always|must be|should be|sum of (?:the|all) (?:interior |exterior )?angles|theorem|property|formula|step \d)\b",
            text,
            re.IGNORECASE,
        )
        is not None
    )


def _numeric_fields(text: str, named: tuple[Label, ...], values: tuple[Quantity, ...]) -> tuple[str, str]:
    """Entity e and attribute a of Appendix B's numeric claim."""
    unit = values[0].unit
    subject = _subject(text, values[0])
    stated = grammar.ATTRIBUTE.search(subject) or grammar.ATTRIBUTE.search(text)
    if named and named[0].kind in ("segment", "angle", "arc"):
        kind = named[0].kind
        return f"{kind} {''.join(named[0].points)}", "length" if kind == "segment" else "angle"
    if grammar.KINK.search(text):
        return _without(subject, grammar.KINK.pattern) or "graph", "kink position"
    if unit in ("centimeter", "meter", "millimeter", "kilometer", "inch", "foot", "yard", "mile"):
        tall = re.search(r"\b(?:tall|high)\b", text)
        return (f"{subject} height" if tall else subject), "length"
    if unit in ("degree", "radian"):
        return subject, "angle"
    if stated:
        return _without(subject, grammar.ATTRIBUTE) or subject, stated[1].lower()
    return subject, "value"


def _subject(text: str, value: Quantity) -> str:
    """What the value is said of: the words around it without the verb, articles and the number itself."""
    copula = grammar.COPULA.search(text)
    if copula and 0 < copula.start() < value.start:
        side = text[: copula.start()]
    else:
        side = text[: value.start] + " " + text[value.end :]
    side = re.sub(
        r"(?i)\b(?:the|an?|of|in|on|at|to|there|is|are|was|were|that|we|see|figure|diagram|shows?|given|labell?ed)\b|[.,;:=≈]",
        " ",
        side,
    )
    return " ".join(side.split())


def _without(text: str, pattern: re.Pattern[str]) -> str:
    return " ".join(pattern.sub(" ", text).split())


def _comparison(text: str, named: tuple[Label, ...], values: tuple[Quantity, ...]) -> Claim | None:
    """“Harry got the highest score”, “SU is longer than YW”, “sales fell from 2008 to 2009”: to be computed from numbers."""
    if claim_types.is_opinion(text):
        return None
    entities = tuple(text[label.start : label.end].strip() for label in named)
    if words.THAN.search(text) and (more := words.GREATER.search(text) or words.LESS.search(text)):
        kind = "greater" if words.GREATER.search(text) else "less"
        return RelationClaim(text=text, type=kind, entities=entities or _sides(text, more), form="comparison")
    if words.UNEQUAL.search(text) or words.RELATIONS[-1][1].search(text):
        return RelationClaim(text=text, type="equal", entities=entities or _equal_sides(text), form="comparison")
    if words.HIGHEST.search(text) or words.LOWEST.search(text):
        kind = "less" if words.LOWEST.search(text) and not words.HIGHEST.search(text) else "greater"
        return RelationClaim(
            text=text,
            type=kind,
            entities=entities or (_subject(text, Quantity(value=0.0, start=len(text), end=len(text))),),
            form="extreme",
        )
    if words.RISES.search(text) or words.FALLS.search(text) or words.STEADY.search(text):
        kind = "greater" if words.RISES.search(text) else "less" if words.FALLS.search(text) else "equal"
        return RelationClaim(text=text, type=kind, entities=entities or (text.rstrip("."),), form="trend")
    return None


def _sides(text: str, more: re.Match[str]) -> tuple[str, ...]:
    than = words.THAN.search(text)
    left = text[: more.start()]
    right = text[than.end() :] if than else text[more.end() :]
    return tuple(
        " ".join(re.sub(r"(?i)\b(?:the|an?|is|are|was|were|on|in|of)\b|[.,]", " ", side).split())
        for side in (left, right)
    )


_EQUALS = re.compile(r"(?:the )?(.{1,80}?) (?:equals|is equal to|is the same as) (?:the )?(.{1,80}?)\.?", re.IGNORECASE)


def _equal_sides(text: str) -> tuple[str, ...]:
    match = _EQUALS.fullmatch(text) or re.search(r"(?:the )?(\S+(?: \S+)?) and (?:the )?(\S+(?: \S+)?)", text)
    return (match[1], match[2].rstrip(".")) if match else (text.rstrip("."),)


def _classified(text: str, named: tuple[Label, ...], values: tuple[Quantity, ...]) -> Claim:
    """What no rule takes, by the classifier; a type without usable fields is still a type (nothing will match it)."""
    kind = claim_types.classify(text)
    if kind == "structure":
        return StructureClaim(text=text, type=_layout_type(text), parts=())
    if kind == "relation":
        return RelationClaim(
            text=text, type="equal", entities=tuple(text[n.start : n.end].strip() for n in named) or (text.rstrip("."),)
        )
    if kind == "numeric" and values:
        entity, attribute = _numeric_fields(text, named, values)
        return NumericClaim(text=text, entity=entity, attribute=attribute, values=values)
    return Unclassifiable(text=text, reason="it states nothing that a figure could confirm")
