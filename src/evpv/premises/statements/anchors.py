"""What of a sentence can be asserted: its numbers, its calculations, and its words of relation that are no part of another expression.

"At least 5", "most of them" and "exceeds 80" have the words of an extreme or a comparison and assert none.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import NamedTuple

from evpv.language.number_words import clock_number
from evpv.language.tokens import Cue
from evpv.premises.statements.marks import Marked


class Anchor(NamedTuple):
    """Where something is asserted, and what: a number, a calculation, or the tag of a word of relation."""

    first: int
    last: int
    kind: str


_ANCHORS = frozenset(
    "most least rises falls steady same differ beats trails overtakes twice followed mode median".split()
)


def sentence_anchors(sentence: Marked) -> list[Anchor]:
    """Everything that can be asserted, in order and without overlaps."""
    found = [*_value_anchors(sentence)]
    taken = {i for one in found for i in range(one.first, one.last + 1)}
    for cue in sentence.cues:
        places = range(cue.first, cue.last + 1)
        kind = _anchor_kind(sentence, cue) if taken.isdisjoint(places) else ""
        if kind:
            found.append(Anchor(cue.first, cue.last, kind))
            taken.update(places)
    return sorted(found)


def _value_anchors(sentence: Marked) -> Iterator[Anchor]:
    """Numbers, calculations and shortages."""
    yield from (Anchor(one.first, one.last, "number") for one in sentence.numbers)
    for start, end in sentence.calculated:
        inside = [i for i, token in enumerate(sentence.tokens) if start <= token.start < end]
        yield from [Anchor(inside[0], inside[-1], "calculation")] if inside else ()
    yield from (Anchor(i, i, "shortage") for i, word in enumerate(sentence.words) if word in ("shortage", "surplus"))


def _anchor_kind(sentence: Marked, cue: Cue) -> str:
    """What a cue asserts; "" if nothing by itself."""
    if cue.tag in ("more", "less"):
        return "compared" if _is_compared(sentence, cue) or is_predicate(sentence, cue) else ""
    return cue.tag if cue.tag in _ANCHORS and not is_no_relation(sentence, cue) else ""


def _is_compared(sentence: Marked, cue: Cue) -> bool:
    """“More … than”, where it does not only bound a number."""
    than = (other.first for other in sentence.cues if other.tag == "than" and 0 < other.first - cue.last <= 12)
    return any(not _bounds_number(sentence, cue, at) for at in than)


def _bounds_number(sentence: Marked, cue: Cue, than: int) -> bool:
    """Whether “more than” only bounds a number."""
    if than != cue.last + 1:
        return False
    return any(n.amount.bound != "=" and 0 < n.first - than <= 3 for n in sentence.numbers)


_PREDICATED = frozenset("is was are were be even still much far slightly somewhat considerably a".split())
_UNPREDICATED = frozenset("more less fewer better worse longer further farther".split())
_AFTER_PREDICATE = frozenset(("", ",", ".", ";", "in", "at", "on", "for", "and", "still", "there", "by"))


def is_predicate(sentence: Marked, cue: Cue) -> bool:
    """“The banana is richer in fibre”, “rail was still cheaper”: a comparison whose other side was said before."""
    if cue.tag not in ("more", "less"):
        return False
    if cue.words in _UNPREDICATED:
        return _is_even_more(sentence, cue)
    if sentence.before(cue) not in _PREDICATED or sentence.after(cue) not in _AFTER_PREDICATE:
        return False
    return not any(c.tag == "than" and c.first > cue.last for c in sentence.cues)


def _is_even_more(sentence: Marked, cue: Cue) -> bool:
    """“Even more never take the bus”."""
    if sentence.before(cue) != "even" or any(c.tag == "than" for c in sentence.cues if c.first > cue.last):
        return False
    return not any(0 < n.first - cue.last <= 2 or 0 < cue.first - n.last <= 2 for n in sentence.numbers)


# Cues that are only part of another expression: “at least”, “most of”, “exceeds 80”.


def is_no_relation(sentence: Marked, cue: Cue) -> bool:
    """Whether a cue is only part of another expression."""
    test = _NO_RELATION.get(cue.tag)
    return test is not None and test(sentence, cue)


_SAME_NOUNS = frozenset(
    "is two three period time day year month week quarter way reason token applies goes holds".split()
)
_BEFORE_SAME = frozenset("on over in at of by during from within".split())


def _is_no_likeness(sentence: Marked, cue: Cue) -> bool:
    """“The same year”, “at the same time”, “equals 5”."""
    if cue.words in ("equal", "equals"):
        defines = not {"minus", "plus", "divided"}.isdisjoint(sentence.words[cue.last :])
        return defines or any(0 < n.first - cue.last <= 3 for n in sentence.numbers)
    if cue.words != "same" or sentence.before(cue) != "the":
        return False
    return sentence.after(cue) in _SAME_NOUNS or sentence.word(cue.first - 2) in _BEFORE_SAME


def _is_no_movement(sentence: Marked, cue: Cue) -> bool:
    """“Go down the list”, “without any increases”, “a pattern of rises and falls”."""
    if cue.words in ("went down", "went up", "go down", "go up") and sentence.after(cue) == "the":
        return True
    return _lacks(sentence, cue) or _goes_both_ways(sentence, cue)


def _lacks(sentence: Marked, cue: Cue) -> bool:
    """“With no increases”, “without any significant rises or stable periods”."""
    near = range(max(0, cue.first - 3), cue.first)
    if any(sentence.words[i] in ("without", "no") and i not in sentence.name_places for i in near):
        return True
    return "without any" in " ".join(sentence.words[max(0, cue.first - 7) : cue.first])


def _goes_both_ways(sentence: Marked, cue: Cue) -> bool:
    """“Rises and falls”."""
    places = {(c.first, c.last) for c in sentence.cues if {c.tag, cue.tag} == {"rises", "falls"}}
    after = sentence.after(cue) == "and" and any(first == cue.last + 2 for first, _ in places)
    return after or (sentence.before(cue) == "and" and any(last == cue.first - 2 for _, last in places))


def _is_no_difference(sentence: Marked, cue: Cue) -> bool:
    return cue.words == "different" and sentence.after(cue) not in ("", "from", ".", ",", "in", "for")


_CURRENCIES = frozenset("$€£")


def _is_no_rival(sentence: Marked, cue: Cue) -> bool:
    """Whether “exceeds” or “above” only bounds a number, or “above” says by how much of none."""
    if sentence.word(cue.last + 1 + (sentence.after(cue) in _CURRENCIES))[:1].isdigit() and cue.words in "<>≤≥":
        return True
    if cue.words in ("above", "below", "over", "under"):
        return _has_no_rival_beside(sentence, cue)
    following = next((one for one in sentence.numbers if one.first > cue.last), None)
    return following is not None and following.amount.bound != "=" and following.first - cue.last <= 3


def _is_number(name: str) -> bool:
    return any(letter.isdecimal() for letter in name)


def _has_no_rival_beside(sentence: Marked, cue: Cue) -> bool:
    """Whether no row and no level follows “above”, and no amount leads it as in “5 points above average”."""
    if any(
        0 < name.first - cue.last <= 2 and (name.axis == "row" or not _is_number(name.name)) for name in sentence.names
    ):
        return False
    apart = any(0 < cue.first - one.last <= 2 and one.amount.bound == "=" for one in sentence.numbers)
    return not apart and not _is_held_against_level(sentence, cue)


_LEVELS = frozenset("level levels value values figure figures mark".split())


def _is_held_against_level(sentence: Marked, cue: Cue) -> bool:
    """“Back below its 2009 level”."""
    name = next((name for name in sentence.names if 0 < name.first - cue.last <= 2), None)
    return name is not None and sentence.after(name) in _LEVELS


_NO_EXTREME = {
    ("best", "to"), ("leading", "to"), ("leads", "to"), ("led", "to"), ("most", "recent"), ("most", "likely"), ("top", "row"), ("bottom", "row"),
    ("top", "of"), ("bottom", "of"), ("top", "left"), ("top", "right"), ("peak", "hours"), ("leading", "up"),
}  # fmt: skip
_BEFORE_MOST = frozenset("the second third fourth - has have had".split())
_QUANTIFIED = frozenset(("", "that", "for", "in", "of", "by", "to", ",", "while", "and"))


def _is_no_extreme(sentence: Marked, cue: Cue) -> bool:
    """“At least”, “most of”, “the top 10%”, “the latest year”, “5 min”, “most respondents”."""
    before, after = sentence.before(cue), sentence.after(cue)
    if (cue.words, after) in _NO_EXTREME or _is_ordering(sentence, cue) or _is_selection(sentence, cue):
        return True
    match cue.words:
        case "latest" | "earliest":
            return True
        case "top" | "bottom" | "min" | "record":
            return _is_beside_number(before, after) or "to" in (before, after)
        case "most" | "least" | "best" if before == "at":
            return True
        case "most" | "best" if before not in _BEFORE_MOST:
            return _is_quantifier(before, after)
    return False


def _is_beside_number(before: str, after: str) -> bool:
    return after[:1].isdigit() or clock_number(after) is not None or before[-1:].isdigit()


def _is_quantifier(before: str, after: str) -> bool:
    """Whether “most” stands for a majority, or for “very”: “most of them”, “most respondents”, “most rapidly”."""
    return after in ("of", "-") or after.endswith("ly" if before not in _QUANTIFIED else ("ly", "s"))


_VERBS = frozenset("is are was were has have had show shows with".split())


def _is_selection(sentence: Marked, cue: Cue) -> bool:
    """“Sales of the leading coffee exporters in 2018”: what a figure shows, if nobody is said to be among them."""
    if cue.words not in ("leading", "top", "best") or any(
        n.axis == "row" and n.last < cue.first for n in sentence.names
    ):
        return False
    following = itertools.takewhile(
        lambda t: t.is_word and t.lower not in _VERBS, sentence.tokens[cue.last + 1 : cue.last + 6]
    )
    return any(t.is_content and t.lower.endswith("s") and t.lower != t.stem for t in following)


_ORDERING = frozenset("ordering ordered sorting listing arranging ranking".split())


def _is_ordering(sentence: Marked, cue: Cue) -> bool:
    """“From smallest to largest”, “from the longest bar downwards”, “the shortest bars first”: an order, not an extreme."""
    before, after = sentence.words[max(0, cue.first - 4) : cue.first], sentence.words[cue.last + 1 : cue.last + 4]
    if "from" in before and not {"to", "down", "downwards", "up", "upwards"}.isdisjoint(after):
        return True
    if "to" in before and any(c.tag in ("most", "least") and 0 < cue.first - c.last <= 3 for c in sentence.cues):
        return True
    return "first" in after and sentence.words[0] in _ORDERING


_NO_RELATION: dict[str, Callable[[Marked, Cue], bool]] = {
    "most": _is_no_extreme,
    "least": _is_no_extreme,
    "beats": _is_no_rival,
    "trails": _is_no_rival,
    "same": _is_no_likeness,
    "rises": _is_no_movement,
    "falls": _is_no_movement,
    "steady": lambda sentence, cue: "without any" in " ".join(sentence.words[max(0, cue.first - 7) : cue.first]),
    "followed": lambda sentence, cue: not any(0 < n.first - cue.last <= 8 for n in sentence.names),
    "differ": _is_no_difference,
    "twice": lambda sentence, cue: sentence.before(cue) == "-" or sentence.after(cue) in ("digits", "figures", "digit"),
}
