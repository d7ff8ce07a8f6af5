"""What a clause without labels says: a number of something, a point of a plane, or that one thing is more than another.

Sentences about tables, charts and lists are read with the figure known (`evpv.premises.statements`); here is what remains without one:
descriptions of solids, curves and clocks, and the paper's one claim a step.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

from evpv.language.amounts import StatedAmount
from evpv.language.clauses import FINITE, Clause, bound_before, is_hedged, showing, times_word
from evpv.language.equations import Equation
from evpv.language.forms import Amount, Comparison, Form, Order, OrderKind, Phrase, Position, Value, ValueKind
from evpv.language.quantities import Quantity, quantities
from evpv.language.tokens import Cue, Token, stem


def plain_forms(clause: Clause) -> list[Form]:
    """The forms of one clause: values of a function; a point, an order, or without an amount the 0 of “no squares”, which is then all that
    it says; or its values. None where it writes out a calculation: what that comes to is the judge's concern."""
    if functions := [form for equation in clause.equations if (form := _function_value(clause, equation))]:
        return functions
    if any(side.kind == "calculation" for equation in clause.equations for side in equation.sides):
        return []
    return _worded_forms(clause)


def _worded_forms(clause: Clause) -> list[Form]:
    amounts = [one for one in clause.amounts if one.role != "times"]
    cue = _order_cue(clause)
    if (cue is None or cue.tag in _ENDS) and (point := _position(clause, amounts)):
        return [point]
    if cue is not None and (told := _order_form(clause, cue, amounts)):
        return [told]
    return _values(clause, amounts) if amounts else _zero(clause)


# More, most, and how both move.

_ENDS = ("most", "least")
_COMPARED = ("beats", "trails", "overtakes")
_MOVED = ("rises", "falls", "steady")
_ORDERS: dict[str, Order] = {
    **dict.fromkeys(("more", "most", "beats", "overtakes", "rises", "over"), "greater"),
    **dict.fromkeys(("less", "least", "trails", "falls", "under"), "less"),
}
_KINDS: dict[str, OrderKind] = {**dict.fromkeys(_ENDS, "extreme"), **dict.fromkeys(_MOVED, "trend")}


def _order_cue(clause: Clause) -> Cue | None:
    """The cue that orders things: an extreme, a comparison, “more … than”, a movement, an equality; a bound of a number is none."""
    ends = (cue for cue in clause.cues if cue.tag in _ENDS and not _is_other_expression(clause, cue))
    compared = (cue for cue in clause.cues if cue.tag in _COMPARED and not _is_bound(clause, cue.last))
    if (found := next(ends, None) or next(compared, None)) is not None:
        return found
    return _loose_order_cue(clause)


def _loose_order_cue(clause: Clause) -> Cue | None:
    more, than = clause.has("more", "less"), clause.has("than")
    if more and than and more.first <= than.first and not _is_bound(clause, than.last):
        return more
    if times_word(clause) or any(one.role == "times" for one in clause.amounts):
        return Cue("times", "times", 0, 0)
    return clause.has("rises", "falls") or clause.has("steady") or clause.has("as", "same", "differ")


def _is_other_expression(clause: Clause, cue: Cue) -> bool:
    """Whether the word of an extreme belongs to “at most”, “most of”, “the top row”."""
    before, after = clause.word(cue.first - 1), clause.word(cue.last + 1)
    return before == "at" or after in ("of", "to") or (cue.words in ("top", "bottom") and after in _NO_TOPS)


_NO_TOPS = frozenset("right left row half two three five and".split())


def _is_bound(clause: Clause, last: int) -> bool:
    """Whether a comparison is with a number: “more than 170 pumpkins”."""
    following = next((one for one in clause.amounts if 0 < one.first - last <= 4), None)
    if following is None or following.amount.bound == "=":
        return False
    return not any(token.is_content for token in clause.tokens[last + 1 : following.first])


def _order_form(clause: Clause, cue: Cue, amounts: Sequence[StatedAmount]) -> Form | None:
    """What is ordered, or by how much: with a factor a ratio, with an amount of a comparison or a movement a difference."""
    factor = _factor(clause)
    if cue.tag == "times" or (factor is not None and cue.tag not in _ENDS):
        return Value(about=_phrase_without_order(clause), amount=factor, kind="ratio") if factor else None
    if amounts:
        return _ordering_amount(clause, cue, amounts)
    if cue.tag == "steady" and _UNMOVED.isdisjoint(clause.words):
        return None
    order, kind = _ORDERS.get(cue.tag, "equal"), _KINDS.get(cue.tag, "comparison")
    whole = len(clause.words)
    left, right = _sides(clause, cue) if kind == "comparison" else (whole, whole)
    return Comparison(order=order, left=clause.phrase(0, left), right=clause.phrase(right), kind=kind)


def _ordering_amount(clause: Clause, cue: Cue, amounts: Sequence[StatedAmount]) -> Value | None:
    if cue.tag in ("same", "as", "differ", "steady"):
        return None
    by = next((one for one in amounts if one.role == "by"), amounts[0])
    apart = cue.tag not in (*_ENDS, *_MOVED) or (cue.tag in ("rises", "falls") and by.role == "by")
    about = _phrase_without_order(clause) if apart else showing(clause, by).phrase()
    return Value(about=about, amount=by.amount, kind="difference" if apart else "value")


_UNMOVED = frozenset("same unchanged constant stable flat steady level equal identical change".split())
_MATCHES = frozenset({"equals", "matches", "matched", "match", "even with", "level with", "equal"})


def _sides(clause: Clause, cue: Cue) -> tuple[int, int]:
    """Where the left side ends and the right side begins; both are all of the clause where one phrase names them."""
    than = clause.has("than")
    whole = len(clause.words)
    match cue.tag:
        case "more" | "less" if than is not None:
            return than.first, than.last + 1
        case "beats" | "trails" | "overtakes":
            return cue.first, cue.last + 1
        case "as":
            second = clause.place_of(("as",), cue.last + 1)
            return second, second + 1
    joined = clause.word(cue.last + 1) in ("as", "to")
    if (joined or cue.words in _MATCHES) and clause.word(cue.last + 1 + joined):
        return cue.first, cue.last + 1 + joined
    return whole, whole


def _phrase_without_order(clause: Clause) -> Phrase:
    """The words of a clause that are no cue of order."""
    cued = {i for cue in clause.cues if cue.tag in _ORDER_TAGS for i in range(cue.first, cue.last + 1)}
    return replace(clause, hidden=clause.hidden | cued).phrase()


_ORDER_TAGS = frozenset((*_ORDERS, "than", "as", "twice", "times", "steady"))


def _factor(clause: Clause) -> Amount | None:
    """How many times, with the hedge or bound before it: “three times as many”, “more than twice”."""
    times = next((one.amount for one in clause.amounts if one.role == "times"), None)
    word = times_word(clause)
    if times is not None or word is None:
        return times
    value, cue = word
    hedged, bound = is_hedged(clause, cue.first), bound_before(clause, cue.first)
    return Amount(quantity=Quantity(value=value, places=None), hedged=hedged, bound=bound)


# Numbers that are simply said of something.


def _values(clause: Clause, amounts: Sequence[StatedAmount]) -> list[Form]:
    """The amounts that a clause is about: of several not those that a preposition makes a place or a whole."""
    if len(amounts) > 1:
        copula = [one for one in amounts if one.role in _COPULA]
        amounts = copula or [one for one in amounts if one.role not in _NOT_TOLD] or amounts[-1:]
    about = showing(clause, *amounts).phrase()
    return [Value(about=about, amount=_with_noun(clause, one), kind=_value_kind(clause, one)) for one in amounts]


def _value_kind(clause: Clause, one: StatedAmount) -> ValueKind:
    quantity = one.amount.quantity
    if clause.has("difference"):
        return "difference"
    if clause.has(*_WORKED_OUT):
        return "total"
    return "part" if not quantity.unit and quantity.places is None and 0 < quantity.value < 1 else "value"


_WORKED_OUT = ("total", "mean", "median", "range", "mode", "ratio")
_COPULA = frozenset(
    "is are was were equals equal = : be reached totals totaled totalled stood stands measures | costs cost".split()
)
_PLACING = frozenset("at in for on after before under row column during per near until through since".split())
_NOT_TOLD = _PLACING | {"of", "price", "than"}


def _position(clause: Clause, amounts: Sequence[StatedAmount]) -> Form | None:
    """“The vertex lies at (3, -4)”, “the graph is at y = 1 for x = 2”."""
    for left, right in itertools.pairwise(amounts):
        bracketed = clause.words[left.last + 1 : right.first] == (",",) and clause.word(left.first - 1) == "("
        axes = [clause.word(one.first - 2) for one in (left, right) if clause.word(one.first - 1) == "="]
        if bracketed or sorted(axes) == ["x", "y"]:
            x, y = (right, left) if axes == ["y", "x"] else (left, right)
            return Position(about=showing(clause, left, right).phrase(), x=x.amount.quantity, y=y.amount.quantity)
    return None


def _with_noun(clause: Clause, one: StatedAmount) -> Amount:
    """The amount with the noun that it counts: the 4 of “4 tennis courts” counts tennis courts."""
    if one.amount.quantity.unit or one.amount.quantity.scale != 1.0:
        return one.amount
    following = clause.tokens[one.last + 1 : one.last + 5]
    words = [*itertools.takewhile(lambda token: token.is_word and token.lower not in _NOUN_ENDS, following)]
    return replace(one.amount, noun=clause.phrase(one.last + 1, one.last + 1 + len(words)))


_NOUN_ENDS = FINITE | frozenset(
    "in on at of for during to from by as per and that than with last this each when while who which or more less among between compared".split()
)
_ZERO_BLOCK = frozenset(
    "one longer more matter change data information clear need significant other fewer less such state doubt".split()
)


def _zero(clause: Clause) -> list[Form]:
    """“The chef made no pizzas on Tuesday”."""
    cue = next((c for c in clause.cues if c.tag == "not" and c.words == "no"), None)
    noun = clause.tokens[cue.last + 1 : cue.last + 2] if cue else ()
    if cue is None or not noun or not noun[0].is_word or noun[0].lower in _ZERO_BLOCK:
        return []
    at = clause.tokens[cue.first]
    quantity = Quantity(value=0.0, start=at.start, end=at.end, spelled=True)
    return [Value(about=clause.phrase(), amount=Amount(quantity=quantity))]


def _function_value(clause: Clause, equation: Equation) -> Form | None:
    """“f(-3) = -4”: a value of a graph at a place."""
    left, right = equation.sides[0], equation.sides[-1]
    name, _, rest = left.text.partition("(")
    inside = rest[:-1].strip()
    called = rest.endswith(")") and len(name.strip()) == 1 and inside.lstrip("-").replace(".", "", 1).isdigit()
    if not called or len(equation.sides) != 2 or right.quantity is None:
        return None
    signed = [
        t._replace(text=inside, stem=stem(inside), lower=inside) if t.is_number else t
        for t in clause.tokens
        if left.start <= t.start < left.end and t.text not in "()-"
    ]
    place = Token("x", "x", "x", left.start, left.start)
    return Value(about=Phrase(tokens=(*signed, place), text=left.text), amount=Amount(quantity=right.quantity))


# What is not asserted, or not of what it seems to be.


def denies(clause: Clause) -> bool:
    """Whether a clause says that its form does not hold: by a “not” that denies more than a word and is no part of another cue (“did not
    change”)."""
    told = [
        cue
        for cue in clause.cues
        if cue.tag == "not"
        and cue.words not in _NOT_DENYING
        and clause.word(cue.last + 1) not in _NOT_DENIED
        and not any(one.tag != "not" and one.first <= cue.first <= one.last for one in clause.cues)
    ]
    differs = clause.has("differ") is not None and clause.has("same") is None
    return bool(told) != differs


_NOT_DENYING = frozenset({"no", "none", "without", "nobody", "nothing", "no one"})
_NOT_DENIED = frozenset("only just necessarily less more fewer".split())
_MODAL = frozenset(
    "might may could should if unless supposed expected projected forecast predicted planned hoped perhaps "
    "presumably assuming suppose imagine hypothetically".split()
)


def clause_doubt(clause: Clause) -> str:
    """Why what a clause says refutes nothing; "" if it may."""
    may_be = not _MODAL.isdisjoint([token.text for token in clause.tokens])
    return "it says what may be rather than what is." if may_be else ""


_RECENT = 12
"""So many numbers back a calculation may reach."""
_LARGEST = 1e150
"""Beyond this a product has no number."""


def is_computed(form: Form, before: Sequence[float], sentence: str) -> bool:
    """Whether a value is what one operation makes of numbers said before it, to the places that it is stated with: then it was worked out,
    not read."""
    if not isinstance(form, Value) or form.amount.bound != "=":
        return False
    quantity = form.amount.quantity
    here = [q.absolute for q in quantities(sentence) if q.start < quantity.start and not q.is_year]
    stated, places = quantity.absolute, quantity.places
    slack = 0.5 * 10.0**-places * quantity.scale if places else 1e-6 * abs(stated)
    slack = max(slack, 0.02 * abs(stated)) if form.amount.hedged else slack
    return any(abs(value - stated) <= slack for value in outcomes([*before, *here][-_RECENT:]))


def outcomes(numbers: Sequence[float]) -> list[float]:
    """What sums, differences, products, quotients and percentages of these numbers come to."""
    numbers = [number for number in numbers if abs(number) < _LARGEST]
    if len(numbers) < 2:
        return []
    found = [math.fsum(numbers) / len(numbers), *(math.fsum(numbers[-many:]) for many in range(2, len(numbers) + 1))]
    for left, right in itertools.combinations(dict.fromkeys(numbers), 2):
        found += [left + right, abs(left - right), left * right]
        for a, b in ((left, right), (right, left)):
            found += [a / b, 100 * a / b, 100 * (a - b) / b] if b else []
    return found
