"""Amounts that are simply said of something, listed in a row, given in brackets or as coordinates, or written as a calculation."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from evpv.language.amounts import Stated
from evpv.language.clauses import COPULA, PLACING, Clause, showing
from evpv.language.equations import Equation
from evpv.language.forms import (
    Aggregate,
    Amount,
    Form,
    Listing,
    Phrase,
    Position,
    Share,
    Value,
    Worked,
)
from evpv.language.immutable import immutable
from evpv.language.quantities import Quantity, conversion, quantities
from evpv.language.tokens import Cue, Token, stem, tokens

_SORTED = frozenset("ascending descending sorted arranged ordered smallest increasing least".split())


_ZERO_BLOCK = frozenset(
    "one longer more matter change data information clear need significant other fewer less such state doubt".split()
)


_AGGREGATES: dict[str, Literal["sum", "mean", "median", "range", "mode", "difference"]] = {
    "total": "sum", "mean": "mean", "median": "median", "range": "range", "mode": "mode", "difference": "difference",
}  # fmt: skip


def value_forms(clause: Clause, before: Sequence[Clause]) -> list[Form]:
    """Amounts that are simply said of something."""
    amounts = [one for one in clause.amounts if one.role != "times"]
    if clause.opener == "then" and not _has_content(clause):
        return []
    if point := _position(clause, amounts) if amounts else _zero(clause):
        return [point]
    if not amounts or _is_conversion(amounts):
        return []
    listed = _listing(clause, amounts, before) or _any_of(clause, amounts)
    return [listed] if listed else _values(clause, amounts)


def _values(clause: Clause, amounts: list[Stated]) -> list[Form]:
    asserted = _asserted_amounts(clause, amounts)
    shown = showing(clause, *asserted)
    return [_value_form(shown, one, amounts) for one in asserted]


def _any_of(clause: Clause, amounts: Sequence[Stated]) -> Form | None:
    """Whichever of two or three bare numbers is the value, the others are names: “4 runs in 18 games”, “y equals 18 when x equals 14”."""
    if not 2 <= len(amounts) <= 3 or clause.has(*_AGGREGATES) or not all(map(_is_bare, amounts)):
        return None
    roles = [one.role for one in amounts]
    if sum(role in COPULA for role in roles) == 1 or "of" in roles:
        return None
    others = tuple(one.amount for one in amounts[1:])
    return Value(about=showing(clause).phrase(), amount=amounts[0].amount, others=others)


def _is_bare(one: Stated) -> bool:
    return one.amount.quantity.unit is None and one.amount.bound == "=" and not _is_fraction(one)


def _value_form(clause: Clause, one: Stated, amounts: Sequence[Stated]) -> Form:
    """An amount as a total or average, as a part, or as a value."""
    about = clause.phrase()
    kind = next((tag for tag in _AGGREGATES if (cue := clause.has(tag)) and not _is_whole(clause, cue)), None)
    if kind is not None:
        return Aggregate(kind=_AGGREGATES[kind], about=about, amount=one.amount)
    if _is_fraction(one):
        return Share(about=about, amount=one.amount, of=_after_of(clause, one))
    wholes = (a.amount.quantity for a in amounts if a.role == "of" and 0 < a.first - one.last <= 6)
    return Value(about=about, amount=_with_noun(clause, one), each=_says_each(clause), of_total=next(wholes, None))


_OVER_ALL = frozenset("at for over of above among across".split())


def _says_each(clause: Clause) -> bool:
    """Whether a value is said of each: “both”, “the same”, “every”, but not “for every”."""
    every = (cue for cue in clause.cues if cue.tag == "every")
    return clause.has("both", "same") is not None or any(clause.word(cue.first - 1) not in _OVER_ALL for cue in every)


def _is_conversion(amounts: Sequence[Stated]) -> bool:
    """“One liter equals 1,000 milliliters”: true of every figure."""
    if len(amounts) != 2:
        return False
    left, right = (one.amount.quantity for one in amounts)
    factor = conversion(left.unit, right.unit) if left.unit and right.unit and left.unit != right.unit else None
    return factor is not None and abs(left.absolute * factor - right.absolute) < 1e-6 * abs(right.absolute)


def _position(clause: Clause, amounts: list[Stated]) -> Form | None:
    """“The vertex lies at (3, -4)”."""
    for left, right in itertools.pairwise(amounts):
        between = [t.text for t in clause.tokens[left.last + 1 : right.first]]
        opened = left.first > 0 and clause.tokens[left.first - 1].text == "("
        if between == [","] and opened:
            return Position(
                about=showing(clause, left, right).phrase(), x=left.amount.quantity, y=right.amount.quantity
            )
    return None


def _with_noun(clause: Clause, one: Stated) -> Amount:
    """The amount with the noun that it counts: the 4 of “4 tennis courts” counts tennis courts."""
    if one.amount.quantity.unit or one.amount.quantity.scale != 1.0:
        return one.amount
    stop = one.last + 1
    while (
        stop < len(clause.tokens)
        and stop - one.last <= 4
        and clause.tokens[stop].is_word
        and clause.tokens[stop].lower not in _NOUN_ENDS
    ):
        stop += 1
    noun = clause.phrase(one.last + 1, stop)
    return replace(one.amount, noun=noun) if noun else one.amount


_NOUN_ENDS = frozenset(
    "in on at of for during to from by as per and that than with last this is was are were each when while who which were or have has had more less among between compared".split()  # noqa: E501
)


_OF_ENDS = frozenset(
    ", ; . ( ) is are was were goes went comes came go come has have spent picked chose live lives said say".split()
)


def _is_fraction(one: Stated) -> bool:
    quantity = one.amount.quantity
    return quantity.unit is None and quantity.scale == 1.0 and quantity.places is None and 0 < quantity.value < 1


def _after_of(clause: Clause, one: Stated) -> Phrase:
    first = one.last + 2
    return clause.phrase(first, clause.place_of(_OF_ENDS, first)) if clause.word(first - 1) == "of" else Phrase()


def _asserted_amounts(clause: Clause, amounts: list[Stated]) -> list[Stated]:
    """Which of several amounts the clause is about: not those that a preposition makes a place or a total."""
    copula = [one for one in amounts if one.role in COPULA]
    part_of = [one for one in amounts if _is_part_of(clause, one) and len(amounts) > 1]
    told = [one for one in amounts if one.role not in _NOT_TOLD]
    return (copula or part_of or told or amounts[-1:]) if len(amounts) > 1 else amounts


_NOT_TOLD = PLACING | {"of", "price", "than"}


def _is_part_of(clause: Clause, one: Stated) -> bool:
    """The 12 of “a share of 12”, but of nothing that says where to look, and of no whole."""
    if one.role != "of" or clause.word(one.first - 1) not in ("of", "the", "$") or _follows_amount(clause, one):
        return False
    return {"at", "when", "for"}.isdisjoint(clause.words[max(0, one.first - 5) : one.first - 1])


_LISTING = frozenset(", and & $ or € £ →".split())


def _is_whole(clause: Clause, cue: Cue) -> bool:
    """The total of “$650 out of a total of $2,040”, of which a part is told."""
    return cue.tag == "total" and clause.words[max(0, cue.first - 3) : cue.first] == ("out", "of", "a")


def _follows_amount(clause: Clause, one: Stated) -> bool:
    """Whether “of” right after another amount makes this one a whole: “950 of the 2,250 vehicles”."""
    return any(
        0 < one.first - other.last <= 3 or clause.words[other.last + 1 : other.last + 3] == ("out", "of")
        for other in clause.amounts
        if other is not one and other.last < one.first
    )


def _listing(clause: Clause, amounts: list[Stated], before: Sequence[Clause]) -> Form | None:
    """Values in a row: “are 41, 40, 47, 31 and 27 minutes, respectively”."""
    between = [{*clause.words[left.last + 1 : right.first]} for left, right in itertools.pairwise(amounts)]
    if not all(between) or not {*()}.union(*between) <= _LISTING or not between:
        return None
    words = {*clause.words}.union(*(part.words for part in before[-1:]))
    order: Literal["as read", "ascending", "descending"] = "as read"
    if words & _SORTED and len(amounts) > 2:
        order = "descending" if words & {"descending", "decreasing"} else "ascending"
    values = tuple(one.amount.quantity for one in amounts)
    return Listing(about=showing(clause, *amounts).phrase(), values=values, order=order)


def _zero(clause: Clause) -> Form | None:
    """“The chef made no pizzas on Tuesday”."""
    cue = next((c for c in clause.cues if c.tag == "not" and c.words == "no"), None)
    if (
        cue is None
        or cue.last + 1 >= len(clause.tokens)
        or clause.tokens[cue.last + 1].lower in _ZERO_BLOCK
        or not clause.tokens[cue.last + 1].is_word
    ):
        return None
    if clause.has("more", "less", "most", "least", "same", "differ") or set(clause.words) & {
        "needed",
        "necessary",
        "required",
        "reason",
    }:
        return None
    at = clause.tokens[cue.first]
    quantity = Quantity(value=0.0, start=at.start, end=at.end, spelled=True)
    return Value(about=clause.phrase(), amount=Amount(quantity=quantity), each=True)


_OPERATORS = "+-−*×·/÷:()"


def worked_forms(clause: Clause) -> list[Form]:
    """“Cara − Dev = 15 − 9 = 6”: a calculation whose operands may be what was read of the things named beside it."""
    told = clause.equations if _has_content(clause) or clause.has("total") is not None else ()
    return [form for equation in told if (form := _worked(clause, equation))]


def _worked(clause: Clause, equation: Equation) -> Form | None:
    written = next((side.text for side in equation.sides if side.kind == "calculation"), "")
    total, terms = equation.sides[-1].quantity, _terms(written)
    if total is None or len(terms) < 2:
        return None
    kind: Literal["sum", "product", "other"] = "sum"
    if set(written) & set("*×·/÷:"):
        kind = "product" if len(terms) == 2 and not set(written) & set("+-/÷:") else "other"
    amount = Amount(quantity=total, hedged=equation.about)
    return Worked(kind=kind, about=clause.phrase(), terms=terms, amount=amount)


def _has_content(clause: Clause) -> bool:
    return any(token.is_content_word for token in clause.phrase().tokens)


def _terms(text: str) -> tuple[Quantity, ...]:
    """The numbers of a calculation; none where it has anything else in it. The number of terms that a mean divides by is no term."""
    inner, _, divisor = text.rpartition(")")
    pieces = inner.split("(")[-1] if inner.startswith("(") and divisor.strip()[:1] in ("/", "÷") else text
    for sign in _OPERATORS:
        pieces = pieces.replace(sign, "|")
    found = [quantities(piece) for piece in pieces.split("|") if piece.strip()]
    return tuple(numbers[0] for numbers in found) if all(len(numbers) == 1 for numbers in found) else ()


def function_forms(clause: Clause) -> list[Form]:
    """“f(-3) = -4”: a value of a graph at a place."""
    return [form for equation in clause.equations if (form := _function_value(clause, equation))]


def _function_value(clause: Clause, equation: Equation) -> Form | None:
    left, right = equation.sides[0], equation.sides[-1]
    name, _, rest = left.text.partition("(")
    if len(equation.sides) != 2 or right.quantity is None or len(name.strip()) != 1 or not rest.endswith(")"):
        return None
    inside = rest[:-1].strip()
    if not inside.lstrip("-").replace(".", "", 1).isdigit():
        return None
    own = (t for t in clause.tokens if left.start <= t.start < left.end and t.text not in "()-")
    signed = [t._replace(text=inside, stem=stem(inside), lower=inside) if t.is_number else t for t in own]
    place = Token("x", "x", left.start, left.start, "x")
    return Value(about=Phrase(tokens=(*signed, place), text=left.text), amount=Amount(quantity=right.quantity))


_BOUNDARIES = frozenset(", ; : ( )".split())
_JOINTS = frozenset("and or than to from versus vs against while but with".split())
_CALCULATING = frozenset("+-*/×÷=^√<>≤≥")
_HEDGES = frozenset("about approximately around roughly nearly almost ≈ ~ circa".split())


@immutable
class Bracket:
    """A bracketed reading and its place in the sentence."""

    start: int
    end: int
    value: Value


def bracketed_values(text: str) -> tuple[Bracket, ...]:
    """The readings in brackets of a plain sentence.

    >>> [(b.value.about.text, b.value.amount.quantity.value) for b in bracketed_values("It rose from 2008 (12 million) to 2012 (15 million).")]
    [('2008', 12.0), ('2012', 15.0)]
    """
    if "(" not in text:
        return ()
    found, result, opened = tokens(text), [], -1
    for index, token in enumerate(found):
        if token.text == "(":
            opened = index
        elif token.text == ")" and opened >= 0:
            if (one := _bracket(text, found, opened, index)) is not None:
                result.append(one)
            opened = -1
    return tuple(result)


def without_brackets(text: str, brackets: Sequence[Bracket]) -> str:
    """The sentence with blanks where the bracketed readings stand, so that all places stay."""
    for one in brackets:
        text = text[: one.start] + " " * (one.end - one.start) + text[one.end :]
    return text


def _bracket(text: str, found: Sequence[Token], opened: int, closed: int) -> Bracket | None:
    inner = found[opened + 1 : closed]
    start, end = found[opened].start, found[closed].end
    stated = quantities(text[start + 1 : end - 1])
    about = _name_before(text, found, opened)
    if about is None or len(stated) != 1 or stated[0].is_year or stated[0].spelled:
        return None
    number = _shift_quantity(stated[0], start + 1)
    outside = Phrase(tokens=tuple(t for t in inner if t.is_word and not number.start <= t.start < number.end))
    whole = Phrase(tokens=tuple(inner)).words
    if _CALCULATING & whole or outside.words - _HEDGES:
        return None
    amount = Amount(quantity=number, hedged=bool(_HEDGES & whole))
    return Bracket(start=start, end=end, value=Value(about=about, amount=amount))


def _shift_quantity(quantity: Quantity, by: int) -> Quantity:
    return replace(quantity, start=quantity.start + by, end=quantity.end + by)


def _name_before(text: str, found: Sequence[Token], opened: int) -> Phrase | None:
    """What the brackets are said of: the words back to a comma or, where one follows them, to “and” or “than”."""
    first = max((i + 1 for i in range(opened) if found[i].text in _BOUNDARIES), default=0)
    joint = max((i + 1 for i in range(first, opened) if found[i].lower in _JOINTS), default=first)
    own = [*found[joint:opened]] if any(token.is_content for token in found[joint:opened]) else [*found[first:opened]]
    glued = opened > 0 and found[opened].start == found[opened - 1].end
    if glued or not any(token.is_content for token in own):
        return None
    return Phrase(tokens=tuple(own), text=text[own[0].start : own[-1].end])
