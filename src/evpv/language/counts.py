"""Numbers of things that meet a bound, sums that are written out, and values of functions."""

from __future__ import annotations

from dataclasses import replace

from evpv.language.amounts import Stated
from evpv.language.clause_views import showing
from evpv.language.clauses import Clause
from evpv.language.forms import (
    Aggregate,
    Amount,
    Count,
    Extreme,
    Form,
    Open,
    Phrase,
    Value,
)
from evpv.language.quantities import Quantity, quantities
from evpv.language.tokens import Cue, Token, stem

_NONE = frozenset({"no", "none", "nobody", "nothing", "no one", "neither"})


def sum_forms(clause: Clause) -> list[Form]:
    """“10 + 81 + 9 = 100 graduates in total”: a sum whose terms may be a column."""
    for equation in clause.equations:
        sides = equation.sides
        total, terms = sides[-1], next((side for side in sides if side.kind == "calculation"), None)
        if terms is None or total.kind != "number" or total.quantity is None or set(terms.text) & set("-*/×÷·^√("):
            continue
        numbers = quantities(terms.text)
        noun = [t for t in clause.tokens if t.start >= equation.end and t.is_content and t.is_word]
        named = [t for t in clause.tokens if t.end <= equation.start and t.is_content and t.is_word]
        if len(numbers) >= 2 and (noun or clause.has("total") or named):
            amount = Amount(quantity=total.quantity, hedged=equation.about)
            return [Aggregate(kind="sum", about=clause.phrase(), amount=amount, terms=tuple(numbers))]
    return []


def reached_limit(clause: Clause) -> Stated | None:
    """“Only Joseph reached the 10-mile mark”."""
    if not any(t.lower in ("reached", "reaches", "hit", "hits", "attained", "topped") for t in clause.tokens):
        return None
    return next((replace(one, amount=replace(one.amount, bound=">=")) for one in reversed(clause.amounts)), None)


def exception_form(clause: Clause, bounded: Stated | None) -> Form | None:
    """“Every frequency is above 3 except for one”, “all but Ann scored more than 20”."""
    cue = next(
        (
            c
            for c in clause.cues
            if c.tag == "except"
            and (
                c.words != "but"
                or (c.first and clause.tokens[c.first - 1].lower in ("all", "every", "everyone", "each"))
            )
        ),
        None,
    )
    if cue is None or bounded is None or not clause.has("every"):
        return None
    shown = showing(clause, bounded)
    stop = next(
        (
            i
            for i in range(cue.last + 1, len(clause.tokens))
            if clause.tokens[i].lower in ("is", "are", "was", "were", "has", "have", "scored", ",")
        ),
        len(clause.tokens),
    )
    return Count(about=shown.phrase(), number=None, limit=bounded.amount, excepted=shown.phrase(cue.last + 1, stop))


def function_forms(clause: Clause) -> list[Form]:
    """“f(-3) = -4”: a value of a graph at a place."""
    found: list[Form] = []
    for equation in clause.equations:
        left, right = equation.sides[0], equation.sides[-1]
        name, _, rest = left.text.partition("(")
        if len(equation.sides) != 2 or right.quantity is None or len(name.strip()) != 1 or not rest.endswith(")"):
            continue
        inside = rest[:-1].strip()
        if inside.lstrip("-").replace(".", "", 1).isdigit():
            own = tuple(t for t in clause.tokens if left.start <= t.start < left.end and t.text not in "()")
            place = Token("x", "x", left.start, left.start, "x")
            signed = tuple(
                Token(inside, stem(inside), t.start, t.end, inside) if t.is_number else t for t in own if t.text != "-"
            )
            found.append(
                Value(about=Phrase(tokens=(*signed, place), text=left.text), amount=Amount(quantity=right.quantity))
            )
    return found


def only_form(clause: Clause, cue: Cue, limit: Stated) -> Form | None:
    """“Only A and B exceed 80”, “A is the only one above 80”, “in one year only”."""
    said = next((one for one in clause.amounts if one.first == cue.last + 1), None)
    number = said.amount.quantity if said is not None else None
    if number is not None and said is not limit and number.unit is None and number.value.is_integer():
        return Count(about=showing(clause, limit).phrase(), number=int(number.value), limit=limit.amount)
    if number is not None:
        return None
    clause = showing(clause, limit)
    if cue.first > limit.last and cue.last + 1 < len(clause.tokens) and clause.tokens[cue.last + 1].is_word:
        return Count(about=clause.phrase(), number=None, limit=limit.amount, names=clause.phrase(cue.last + 1))
    near = [t.lower for t in clause.tokens[max(0, cue.first - 2) : cue.last + 3]]
    following = clause.word(cue.last + 1)
    if following == "one" or ("one" in near and cue.first > 2 and "the" not in near[:2]):
        return Count(about=clause.phrase(), number=1, limit=limit.amount)
    names = clause.phrase(cue.last + 1, limit.first) if cue.first <= 1 else clause.phrase(0, cue.first)
    return Count(about=clause.phrase(), number=None, limit=limit.amount, names=names)


def nobody_form(clause: Clause) -> Form | None:
    """“Nobody ended up with a score of 2”: a zero, with the number naming where."""
    cue = next((c for c in clause.cues if c.tag == "not" and c.words in ("nobody", "no one", "none")), None)
    if (
        cue is None
        or cue.first > 6
        or not all(cue.first < one.first for one in clause.amounts)
        or len(clause.amounts) != 1
        or clause.amounts[0].amount.bound != "="
    ):
        return None
    at = clause.tokens[cue.first]
    zero = Quantity(value=0.0, start=at.start, end=at.end, spelled=True)
    return Value(about=showing(clause).phrase(), amount=Amount(quantity=zero))


_JUDGED = (
    "most",
    "least",
    "more",
    "less",
    "same",
    "differ",
    "rises",
    "falls",
    "steady",
    "beats",
    "trails",
    "composed",
    "over",
    "under",
)


def _number_of_the(clause: Clause) -> int | None:
    """The three of “three of the farmers”."""
    for index, token in enumerate(clause.tokens):
        words = [t.lower for t in clause.tokens[index + 1 : index + 3]]
        if token.stem.isdigit() and words[:1] == ["of"] and words[1:] and words[1] in ("the", "these", "those", "them"):
            return int(token.stem)
    return None


def count_form(clause: Clause, bounded: Stated | None) -> Form | None:
    """“Three of the five years are above 20”."""
    number = _number_of_the(clause)
    if number is not None and len(clause.amounts) == 1 and (clause.amounts[0].first > 3 or bounded):
        return Count(about=clause.phrase(), number=number, limit=clause.amounts[0].amount)
    if (limit := reached_limit(clause)) is not None and limit.first > 1 and clause.tokens[0].stem.isdecimal():
        return Count(about=clause.phrase(1), number=int(clause.tokens[0].stem), limit=limit.amount)
    if number is not None and number > 1 and not clause.amounts and not clause.has(*_JUDGED):
        return Open(about=clause.phrase(), reason="it counts some of a group by what was not read", kind="numeric")
    if bounded is None or len(clause.amounts) < 2 or clause.amounts[0] is bounded:
        return None
    first = clause.amounts[0]
    following = clause.word(first.last + 1)
    whole = first.amount.quantity
    if (
        (whole.unit is not None and whole.unit not in ("year", "day", "week"))
        or not whole.value.is_integer()
        or (following != "of" and not clause.has("all"))
    ):
        return None
    return Count(about=clause.phrase(), number=int(whole.value), limit=bounded.amount)


def none_form(clause: Clause, bounded: Stated | None) -> Form | None:
    """“No year had more than 50”, “no item is dearer than the coat”."""
    cue = next((c for c in clause.cues if c.tag == "not" and c.words in _NONE), None)
    if cue is None or cue.first > 3:
        return None
    if bounded is not None:
        return Count(about=showing(clause, bounded).phrase(cue.last + 1), number=0, limit=bounded.amount)
    than = clause.has("than")
    more = clause.has("more", "less")
    if than is not None and more is not None and more.first < than.first:
        return Extreme(
            most=more.tag == "more",
            rank=1,
            subject=clause.phrase(than.last + 1),
            group=clause.phrase(cue.last + 1, than.first),
            tied=True,
        )
    return None
