"""Two things compared (“more than”, “as many as”, “twice”, “exceeds”), and movements (“fell to 7 in 2010”, “rose from 26% to 30%”)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from evpv.language.amounts import Stated
from evpv.language.clauses import (
    FINITE,
    PLACING,
    Clause,
    bound_before,
    is_hedged,
    is_moved_by_factor,
    showing,
    times_word,
)
from evpv.language.forms import (
    Aggregate,
    Amount,
    Comparison,
    Form,
    Order,
    Phrase,
    Trend,
    Value,
)
from evpv.language.quantities import Quantity
from evpv.language.tokens import Cue


def comparison_forms(clause: Clause) -> list[Form]:
    """Two things compared: “more … than”, “exceeds”, “the same”, “as many as”, “twice”, “1.5 times as many”."""
    if multiples := _bought_alike(clause):
        return [multiples]
    times = next((one for one in clause.amounts if one.role == "times"), None)
    if times is None and not clause.cues:
        return []
    beats = clause.has("beats", "trails", "overtakes")
    if beats is not None and not _is_bound(clause, beats.last):
        return _beating_forms(clause, beats)
    if apart := _apart_cue(clause) or _level_cue(clause):
        return _comparison_forms(clause, "greater" if apart.tag == "over" else "less", apart.first, apart.last + 1)
    return _than_forms(clause, times) or _multiple_forms(clause, times)


def _order(clause: Clause) -> Order:
    more = clause.has("more", "less")
    return "greater" if more is not None and more.tag == "more" else "less"


def _than_forms(clause: Clause, times: Stated | None) -> list[Form]:
    """“More than”: with the other side's reading where it is said."""
    than, more, factor = _than(clause), clause.has("more", "less"), times_word(clause)
    if than is None:
        return []
    if (reading := _reading_after(clause, than.last)) is not None:
        right = showing(clause, reading).phrase(reading.last + 1)
        value = Value(about=right, amount=replace(reading.amount, bound="=", hedged=False))
        return [Comparison(order=_order(clause), left=clause.phrase(0, than.first), right=right), value]
    doubled = factor is not None and factor[1].first == than.last + 1
    if more is None or more.first >= than.first or doubled or _is_bound(clause, than.last):
        return []
    return _comparison_forms(clause, _order(clause), than.first, than.last + 1, times)


def _multiple_forms(clause: Clause, times: Stated | None) -> list[Form]:
    """A factor, a difference without its other side, or an equality."""
    factor, more = times_word(clause), clause.has("more", "less")
    moved = clause.has("rises", "falls") is not None or is_moved_by_factor(clause)
    if times is not None or (factor is not None and not moved):
        return _multiple(clause, times, factor)
    by = next((one for one in clause.amounts if more is not None and 0 < more.first - one.last <= 3), None)
    if by is not None and _than(clause) is None:
        return [Comparison(order=_order(clause), left=clause.phrase(), right=Phrase(), by=by.amount)]
    return _equality(clause)


def _beating_forms(clause: Clause, beats: Cue) -> list[Form]:
    """“A exceeds B”, “A is outsold by B”."""
    beside = clause.tokens[max(0, beats.first - 1) : beats.first] + clause.tokens[beats.last + 1 : beats.last + 2]
    if beats.words in ("<", ">") and all(token.is_number or token.text in "$€£" for token in beside):
        return []
    by = "by" in clause.words[beats.last + 1 : beats.last + 3] and beats.words.endswith("ed")
    passive = by and not any(one.first <= beats.last + 4 for one in clause.amounts if one.role == "by")
    order: Order = "less" if (beats.tag == "trails") != passive else "greater"
    return _comparison_forms(clause, order, beats.first, beats.last + 1)


def _equality(clause: Clause) -> list[Form]:
    """“As many as”, “the same as”, “A and B are equal”."""
    if (cue := clause.has("as")) is not None and "as" in clause.words[cue.last + 1 :]:
        second = clause.words.index("as", cue.last + 1)
        return [Comparison(order="equal", left=clause.phrase(0, second), right=clause.phrase(second + 1))]
    cue = clause.has("same", "differ")
    if cue is None or clause.amounts:
        return []
    joined = cue.words in ("same", "identical") and clause.word(cue.last + 1) in ("as", "to")
    right = cue.last + 2 if joined else cue.last + 1
    if (joined or cue.words in _MATCHES) and clause.word(right):
        return [Comparison(order="equal", left=clause.phrase(0, cue.first), right=clause.phrase(right))]
    return [Comparison(order="equal", left=clause.phrase(), right=Phrase())]


_MATCHES = frozenset({"equals", "matches", "matched", "match", "even with", "level with", "equal"})
_BUYING = frozenset("cost costs weigh weighs".split())


_COUNTED = {word: number for number, word in enumerate("one two three four five six seven eight nine ten".split(), 1)}


def _bought_alike(clause: Clause) -> Form | None:
    """“Two umbrellas cost as much as one pair of gloves”: so many of one thing against so many of another."""
    words, verb = clause.words, clause.place_of(_BUYING)
    if words[verb + 1 : verb + 4] not in (("as", "much", "as"), ("the", "same", "as")):
        return None
    sides = (map(_number_said, part) for part in (words[:2], words[verb + 4 : verb + 6]))
    left, right = (next(filter(None, numbers), 1) for numbers in sides)
    if (left, right) == (1, 1):
        return None
    shown = replace(clause, hidden=clause.hidden | {i for i, word in enumerate(words) if _number_said(word)})
    return Comparison(order="equal", left=shown.phrase(0, verb), right=shown.phrase(verb + 4), multiples=(left, right))


def _number_said(word: str) -> int:
    return _COUNTED.get(word) or (int(word) if word.isdecimal() and len(word) < 3 else 0)


def _apart_cue(clause: Clause) -> Cue | None:
    """“0.7 points below the male rate”: a difference without “than”."""
    for cue in clause.cues:
        if cue.tag in ("over", "under") and cue.words in ("above", "below", "over", "under"):
            before = next((one for one in clause.amounts if _is_apart(clause, one, cue)), None)
            if (
                before is not None
                and cue.last + 2 < len(clause.tokens)
                and not any(one.first > cue.last for one in clause.amounts)
            ):
                return cue
    return None


def _is_apart(clause: Clause, one: Stated, cue: Cue) -> bool:
    """Whether an amount and a unit alone lead up to a cue: “1.0 t/ha above”."""
    between = clause.words[one.last + 1 : cue.first]
    return 0 < cue.first - one.last <= 4 and not {",", ")", *FINITE} & {*between}


_LIES = frozenset(
    "is was are were lies lie lay sits stands stood stays stayed remained remains ranks ranked finished still well far just".split()
)


def _level_cue(clause: Clause) -> Cue | None:
    """“The blue line lies above the red one”: a comparison without a number."""
    for cue in clause.cues:
        said = cue.words in ("above", "below") and cue.first > 1 and clause.tokens[cue.first - 1].lower in _LIES
        if said and cue.last + 1 < len(clause.tokens) and not any(one.first > cue.last for one in clause.amounts):
            return cue
    return None


def _than(clause: Clause) -> Cue | None:
    """The word that a comparison turns on; “compared with 2011, …” opens a trend instead."""
    return next((c for c in clause.cues if c.tag == "than" and (c.words == "than" or c.first > 0)), None)


def _is_bound(clause: Clause, last: int) -> bool:
    """Whether a comparison is with a number: “more than 170 pumpkins”."""
    following = next((one for one in clause.amounts if one.first > last), None)
    if following is None or following.first - last > 4:
        return False
    return following.amount.bound != "=" and not any(t.is_content for t in clause.tokens[last + 1 : following.first])


def _reading_after(clause: Clause, last: int) -> Stated | None:
    """The number of “less than the 41.7 billion of the year before”, which is what the other side has."""
    one = next((one for one in clause.amounts if one.first > last), None)
    if one is None or clause.words[last + 1 : one.first] not in (("the",), ("the", "$"), ("the", "€"), ("the", "£")):
        return None
    return one if clause.word(one.last + 1) in ("of", "in", "for", "from", "recorded", "seen") else None


def _comparison_forms(clause: Clause, order: Order, middle: int, right: int, times: Stated | None = None) -> list[Form]:
    amounts = [one for one in clause.amounts if one.role != "times"]
    by = _difference(clause, amounts, middle)
    rest = [one for one in amounts if one is not by and one.first >= right and one.role not in PLACING]
    shown = showing(clause, *rest, *filter(None, (by, times)))
    form = Comparison(
        order=order,
        left=shown.phrase(0, middle),
        right=shown.phrase(right),
        by=by.amount if by else None,
        times=times.amount if times else None,
    )
    sides = zip((form.left, form.right), rest, strict=True) if len(rest) == 2 else ()
    return [form, *(Value(about=side, amount=one.amount) for side, one in sides)]


def _difference(clause: Clause, amounts: Sequence[Stated], middle: int) -> Stated | None:
    """How far two things are apart: “by 3”, else what stands right before “more” or “than”."""
    more = clause.has("more", "less", "trails", "beats")
    said = (one for one in amounts if one.role == "by")
    near = (
        one for one in amounts if (more is not None and 0 < more.first - one.last <= 4) or 0 < middle - one.last <= 3
    )
    return next(said, None) or next(near, None)


def _multiple(clause: Clause, times: Stated | None, factor: tuple[float, Cue] | None) -> list[Form]:
    """“Roughly 1.5 times as many videos as carousels”, “twice that of 2007”, “half of the budget” is a share instead."""
    if times is not None:
        return [_as_many_times(clause, times.amount, times.first, times.last + 1)]
    amount, cue = _factor(clause), factor[1] if factor else None
    if amount is None or cue is None:
        return []
    if cue.words in ("half of", "half the") and not clause.labels and not _names_after(clause, cue.last):
        return []
    return [_as_many_times(clause, amount, cue.first, cue.last)]


def _as_many_times(clause: Clause, amount: Amount, start: int, end: int) -> Form:
    """So many times as many as what follows “as” or “than”, else as what follows."""
    first = clause.place_of(("as",), end)
    second = clause.place_of(("as",), first + 1) if first < len(clause.words) else clause.place_of(("than",), end + 1)
    if second < len(clause.words):
        both = (*clause.phrase(0, start).tokens, *clause.phrase(end, second).tokens)
        left = Phrase(tokens=both, text=clause.text[:60])
        return Comparison(order="equal", left=left, right=clause.phrase(second + 1), times=amount)
    right = clause.phrase(end)
    if {"previous", "preceding", "before", "next", "last"} & {*clause.words[end:]}:
        right = Phrase(tokens=right.tokens, text="the previous one")
    return Comparison(order="equal", left=clause.phrase(0, start), right=right, times=amount)


_ORDERS: dict[str, Order] = {"rises": "greater", "falls": "less", "steady": "equal"}


def _names_after(clause: Clause, last: int) -> bool:
    """Whether a proper name follows: “half of Bob's score” compares, “half of the budget” is a share."""
    return any(t.text.endswith("'s") or t.lower in ("that", "what") for t in clause.tokens[last + 1 : last + 4])


_UNMOVED = frozenset("same unchanged constant stable flat steady level equal identical change".split())


def trend_forms(clause: Clause) -> list[Form]:
    """A movement: “fell to 7 in 2010”, “rose from 26% to 30%”, “went down between 2015 and 2019”, “stayed at 15”."""
    cue = clause.has("rises", "falls") or clause.has("steady")
    if cue is None:
        return _from_to(clause)
    amounts = [one for one in clause.amounts if one.role != "times"]
    if cue.tag == "steady" and not amounts and _UNMOVED.isdisjoint(clause.words):
        return []
    if told := _told_forms(clause, cue, amounts):
        return told
    roles: dict[str, Stated] = {}
    for one in amounts:
        roles.setdefault(_role(clause, cue, one), one)
    shown = showing(clause, *roles.values())
    start, end = _span(shown)
    said = {role: one.amount for role, one in roles.items()}
    steady = clause.has("every") is not None or not _WITHOUT_BREAK.isdisjoint(clause.words)
    about, order = shown.phrase(), _ORDERS[cue.tag]
    return [Trend(order=order, about=about, start=start, end=end, steady=steady, times=_factor(clause), **said)]


def _told_forms(clause: Clause, cue: Cue, amounts: Sequence[Stated]) -> list[Form]:
    """What is said in the words of a movement, but is none: “stayed at 15”, “fell below 20”, a difference."""
    about = showing(clause, *amounts).phrase()
    if cue.tag == "steady":
        return [Value(about=about, amount=one.amount, each=True) for one in amounts]
    if len(amounts) != 1:
        return []
    if _is_crossed(clause, cue, amounts[0]):
        return [Value(about=about, amount=amounts[0].amount)]
    kind: Literal["difference"] = "difference"
    return [Aggregate(kind=kind, about=about, amount=amounts[0].amount)] if clause.has(kind) else []


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
    if roles.keys() == {"from", "to"} and len(clause.amounts) == 2:
        return _ends_said(showing(clause, *clause.amounts), roles["from"].amount, roles["to"])
    factor = times_word(clause)
    if factor is not None and is_moved_by_factor(clause):
        start, end = _span(clause)
        order: Order = "less" if factor[0] < 1 else "greater"
        return [Trend(order=order, about=clause.phrase(), start=start, end=end, times=_factor(clause))]
    return []


def _ends_said(clause: Clause, first: Amount, to: Stated) -> list[Form]:
    """The two values of a movement, as such where its times are said, else each of what stands before it."""
    start, end = _span(clause)
    if start and end:
        order: Order = "greater" if to.amount.quantity.absolute > first.quantity.absolute else "less"
        return [Trend(order=order, about=clause.phrase(), start=start, end=end, first=first, last=to.amount)]
    before, after = clause.phrase(0, to.first), clause.phrase(to.first)
    return [Value(about=before, amount=first), Value(about=after, amount=to.amount)]


_SPAN_LEADS = frozenset("from between since after".split())


_SPAN_JOINTS = frozenset("to and until through till , by -".split())


_SPAN_ENDS = frozenset(", ; ( ) . while with".split())


def _span(clause: Clause) -> tuple[Phrase, Phrase]:
    """The two points that a movement runs between: “from 2015 to 2019”, “since 2012”, “compared with 2011”."""
    for index, word in enumerate(clause.words):
        if word not in _SPAN_LEADS and (word != "compared" or index + 1 >= len(clause.words)):
            continue
        first = index + (2 if word == "compared" else 1)
        stop = clause.place_of(_SPAN_JOINTS, first)
        start = clause.phrase(first, stop)
        if any(t.is_content for t in start.tokens) and clause.word(first) not in ("each", "every", "one"):
            last = clause.place_of(_SPAN_ENDS, stop + 1)
            return start, Phrase() if clause.word(stop) in ("", ",") else clause.phrase(stop + 1, last)
    return Phrase(), Phrase()
