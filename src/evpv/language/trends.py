"""Movements: “fell to 7 in 2010”, “rose from 26% to 30%”."""

from __future__ import annotations

from evpv.language.amounts import Stated
from evpv.language.clause_views import bound_before, is_hedged, showing
from evpv.language.clauses import Clause, times_word
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
    if clause.has("difference") and len(amounts) == 1:
        return [Aggregate(kind="difference", about=showing(clause, *amounts).phrase(), amount=amounts[0].amount)]
    roles: dict[str, Stated] = {}
    for one in amounts:
        role = {
            "by": "by",
            "of": "by",
            "from": "first",
            "to": "last",
            "at": "last",
            "reaching": "last",
            "reached": "last",
        }.get(one.role)
        noun = cue.first > 0 and clause.tokens[cue.first - 1].lower in (
            "the",
            "a",
            "an",
            "this",
            "its",
            "that",
            "biggest",
            "largest",
        )
        if role is None and noun and one.role in ("is", "was", "were", "amounted", "came"):
            role = "by"
        if (
            one.role == "of"
            and {"to", "low", "high"}
            <= {t.lower for t in clause.tokens[max(0, one.first - 5) : one.first]} | {"low", "high"}
            and "to" in [t.lower for t in clause.tokens[max(0, one.first - 5) : one.first]]
        ):
            role = "last"
        if role is None:
            role = "by" if one.first - cue.last in (1, 2, 3) or one.amount.hedged else "last"
        roles.setdefault(role, one)
    shown = showing(clause, *roles.values())
    start, end = _span(shown)
    factor = times_word(clause)
    times = (
        Amount(
            quantity=Quantity(value=factor[0], places=None),
            hedged=is_hedged(clause, factor[1].first),
            bound=bound_before(clause, factor[1].first),
        )
        if factor
        else None
    )
    orders: dict[str, Order] = {"rises": "greater", "falls": "less", "steady": "equal"}
    order = orders[cue.tag]
    if cue.words == "closed":
        order = "less" if amounts else "equal"
    return [
        Trend(
            order=order,
            about=shown.phrase(),
            start=start,
            end=end,
            steady=clause.has("every") is not None
            or any(t.lower in ("steady", "interruption", "continuous") for t in clause.tokens),
            by=roles["by"].amount if "by" in roles else None,
            first=roles["first"].amount if "first" in roles else None,
            last=roles["last"].amount if "last" in roles else None,
            times=times,
        )
    ]


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
    if factor is not None and factor[1].words in (
        "doubled",
        "tripled",
        "quadrupled",
        "halved",
        "doubling",
        "tripling",
        "doubles",
        "triples",
    ):
        start, end = _span(clause)
        times = Amount(
            quantity=Quantity(value=factor[0], places=None),
            hedged=is_hedged(clause, factor[1].first),
            bound=bound_before(clause, factor[1].first),
        )
        return [
            Trend(
                order="less" if factor[0] < 1 else "greater", about=clause.phrase(), start=start, end=end, times=times
            )
        ]
    if clause.has("overtakes"):
        return []
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
