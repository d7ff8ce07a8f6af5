"""Movements: “fell to 7 in 2010”, “rose from 26% to 30%”."""

from __future__ import annotations

from evpv.language.clause_views import bound_before, is_hedged, showing
from evpv.language.clauses import Clause, is_moved_by_factor, times_word
from evpv.language.forms import (
    Aggregate,
    Amount,
    Form,
    Order,
    Phrase,
    Trend,
    Value,
)
from evpv.language.quantities import Quantity
from evpv.language.sentences import Stated
from evpv.language.tokens import Cue

_UNMOVED = frozenset("same unchanged constant stable flat steady level equal identical change".split())


def trend_forms(clause: Clause) -> list[Form]:
    """A movement: “fell to 7 in 2010”, “rose from 26% to 30%”, “went down between 2015 and 2019”, “stayed at 15”."""
    cue = clause.has("rises", "falls") or clause.has("steady")
    if cue is None:
        return _from_to(clause)
    amounts = [one for one in clause.amounts if one.role != "times"]
    if cue.tag == "steady" and amounts:
        shown = showing(clause, *amounts)
        return [Value(about=shown.phrase(), amount=one.amount, each=True) for one in amounts]
    if cue.tag == "steady" and not set(clause.words) & _UNMOVED:
        return []
    if len(amounts) == 1 and _is_crossed(clause, cue, amounts[0]):
        return [Value(about=showing(clause, *amounts).phrase(), amount=amounts[0].amount)]
    if clause.has("difference") and len(amounts) == 1:
        return [Aggregate(kind="difference", about=showing(clause, *amounts).phrase(), amount=amounts[0].amount)]
    roles: dict[str, Stated] = {}
    for one in amounts:
        roles.setdefault(_role(clause, cue, one), one)
    shown = showing(clause, *roles.values())
    start, end = _span(shown)
    said = {role: one.amount for role, one in roles.items()}
    orders: dict[str, Order] = {"rises": "greater", "falls": "less", "steady": "equal"}
    order = orders[cue.tag]
    steady = clause.has("every") is not None or bool(_WITHOUT_BREAK & set(clause.words))
    return [
        Trend(order=order, about=shown.phrase(), start=start, end=end, steady=steady, times=_factor(clause), **said)
    ]


def _is_crossed(clause: Clause, cue: Cue, one: Stated) -> bool:
    """Whether an amount is a mark that is passed (“fell below 20”), not how far a movement goes (“fell by more than 20”)."""
    return one.amount.bound != "=" and one.role == clause.word(cue.last)


_WITHOUT_BREAK = frozenset("steady interruption continuous".split())
_ROLES = {"by": "by", "of": "by", "from": "first", "to": "last", "at": "last", "reaching": "last", "reached": "last"}


def _role(clause: Clause, cue: Cue, one: Stated) -> str:
    """What an amount is in a movement: its size (“by”), or the value at its first or last point."""
    if one.role == "of" and "to" in clause.words[max(0, one.first - 5) : one.first]:
        return "last"
    if one.role in _ROLES:
        return _ROLES[one.role]
    return "by" if one.first - cue.last in (1, 2, 3) or one.amount.hedged else "last"


def _factor(clause: Clause) -> Amount | None:
    """The factor of “doubled”, with the hedge or bound before it."""
    if (factor := times_word(clause)) is None:
        return None
    value, cue = factor
    hedged, bound = is_hedged(clause, cue.first), bound_before(clause, cue.first)
    return Amount(quantity=Quantity(value=value, places=None), hedged=hedged, bound=bound)


def _from_to(clause: Clause) -> list[Form]:
    """“Going from 55.3 in 2009 down to 30.9 in 2019”, “doubled from 2019 to 2020”."""
    roles = {one.role: one for one in clause.amounts}
    factor = times_word(clause)
    if "from" in roles and "to" in roles and len(clause.amounts) == 2:
        shown = showing(clause, *clause.amounts)
        middle = roles["to"].first
        start, end = _span(shown)
        first, last = roles["from"].amount, roles["to"].amount
        if start and end:
            order: Order = "greater" if last.quantity.absolute > first.quantity.absolute else "less"
            return [Trend(order=order, about=shown.phrase(), start=start, end=end, first=first, last=last)]
        return [
            Value(about=shown.phrase(0, middle), amount=roles["from"].amount),
            Value(about=shown.phrase(middle), amount=roles["to"].amount),
        ]
    if factor is not None and is_moved_by_factor(clause):
        start, end = _span(clause)
        order = "less" if factor[0] < 1 else "greater"
        return [Trend(order=order, about=clause.phrase(), start=start, end=end, times=_factor(clause))]
    return []


def _span(clause: Clause) -> tuple[Phrase, Phrase]:
    """The two points that a movement runs between: “from 2015 to 2019”, “since 2012”, “compared with 2011”."""
    found = clause.tokens
    for index, token in enumerate(found):
        word = token.lower
        if word in ("from", "between", "since", "after") or (word == "compared" and index + 1 < len(found)):
            first = index + (2 if word == "compared" else 1)
            stop = next(
                (
                    i
                    for i in range(first, len(found))
                    if found[i].lower in ("to", "and", "until", "through", "till", ",", "by", "-")
                ),
                len(found),
            )
            joins = stop < len(found) and found[stop].lower not in (",",)
            last = next(
                (
                    i
                    for i in range(stop + 1, len(found))
                    if found[i].text in ",;()." or found[i].lower in ("while", "with")
                ),
                len(found),
            )
            start = clause.phrase(first, stop)
            end = clause.phrase(stop + 1, last) if joins else Phrase()
            if any(t.is_content for t in start.tokens) and found[first].lower not in ("each", "every", "one"):
                return start, end
    return Phrase(), Phrase()
