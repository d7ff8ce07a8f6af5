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
    """Everything that can be asserted, in order and without overlaps: numbers, calculations and shortages before words of relation."""
    found = [Anchor(one.first, one.last, "number") for one in sentence.numbers]
    found += _calculations(sentence)
    found += [
        Anchor(i, i, "shortage") for i, word in enumerate(sentence.words) if word in ("shortage", "surplus", "deficit")
    ]
    taken = {i for one in found for i in range(one.first, one.last + 1)}
    for cue in sentence.cues:
        places = range(cue.first, cue.last + 1)
        kind = _anchor_kind(sentence, cue) if taken.isdisjoint(places) else ""
        if kind:
            found.append(Anchor(cue.first, cue.last, kind))
            taken.update(places)
    return sorted(found)


def _calculations(sentence: Marked) -> Iterator[Anchor]:
    for start, end in sentence.calculated:
        inside = [i for i, token in enumerate(sentence.tokens) if start <= token.start < end]
        if inside:
            yield Anchor(inside[0], inside[-1], "calculation")


def _anchor_kind(sentence: Marked, cue: Cue) -> str:
    """What a cue asserts; "" if nothing by itself."""
    if cue.tag in ("more", "less"):
        return "compared" if _is_before_than(sentence, cue) or is_predicate(sentence, cue) else ""
    return cue.tag if cue.tag in _ANCHORS and not is_no_relation(sentence, cue) else ""


def _is_before_than(sentence: Marked, cue: Cue) -> bool:
    """“More … than”, where it does not only bound a number."""
    for than in sentence.cues:
        if than.tag != "than" or not 0 < than.first - cue.last <= 12:
            continue
        bounded = (n for n in sentence.numbers if n.amount.bound != "=" and 0 < n.first - than.first <= 3)
        if than.first != cue.last + 1 or not any(bounded):
            return True
    return False


_PREDICATED = frozenset("is was are were be even still much far slightly somewhat considerably a".split())
_UNPREDICATED = frozenset("more less fewer better worse longer further farther".split())
_AFTER_PREDICATE = frozenset(("", ",", ".", ";", "in", "at", "on", "for", "and", "still", "there", "by"))


def is_predicate(sentence: Marked, cue: Cue) -> bool:
    """“The banana is richer in fibre”, “rail was still cheaper”, “even more never take the bus”: whether a “more” or “less” compares
    with what was said before."""
    if any(c.tag == "than" and c.first > cue.last for c in sentence.cues):
        return False
    before = sentence.before(cue)
    if cue.words not in _UNPREDICATED:
        return before in _PREDICATED and sentence.after(cue) in _AFTER_PREDICATE
    near = (n for n in sentence.numbers if 0 < n.first - cue.last <= 2 or 0 < cue.first - n.last <= 2)
    return before == "even" and not any(near)


# Cues that are only part of another expression: “at least”, “most of”, “exceeds 80”.


def is_no_relation(sentence: Marked, cue: Cue) -> bool:
    """Whether a cue is only part of another expression."""
    test = _NO_RELATION.get(cue.tag)
    return test is not None and test(sentence, cue)


_SAME_NOUNS = frozenset(
    "is two three period time day year month week quarter way reason token applies goes holds".split()
)
_DIFFERING = ("", "from", ".", ",", "in", "for")
_BEFORE_NOUN = frozenset("more fewer less most many the of all these those no their its".split())
_BEFORE_SAME = frozenset("on over in at of by during from within".split())


def _is_no_likeness(sentence: Marked, cue: Cue) -> bool:
    """“The same year”, “at the same time”, “equals 5”."""
    if cue.words in ("equal", "equals"):
        defines = not {"minus", "plus", "divided"}.isdisjoint(sentence.words[cue.last :])
        return defines or any(0 < n.first - cue.last <= 3 for n in sentence.numbers)
    if cue.words == "matches" and sentence.before(cue) in _BEFORE_NOUN:
        return True
    if cue.words != "same" or sentence.before(cue) != "the":
        return False
    return sentence.after(cue) in _SAME_NOUNS or sentence.word(cue.first - 2) in _BEFORE_SAME


def _is_no_movement(sentence: Marked, cue: Cue) -> bool:
    """“Go down the list”, “with no increases”, “without any significant rises or stable periods”, “a pattern of rises and falls”."""
    if cue.words in ("went down", "went up", "go down", "go up") and sentence.after(cue) == "the":
        return True
    near = range(max(0, cue.first - 3), cue.first)
    if any(sentence.words[i] in ("without", "no") and i not in sentence.name_places for i in near):
        return True
    return _is_both_ways(sentence, cue) or _is_without_any(sentence, cue)


def _is_both_ways(sentence: Marked, cue: Cue) -> bool:
    others = [c for c in sentence.cues if {c.tag, cue.tag} == {"rises", "falls"}]
    onward = sentence.after(cue) == "and" and cue.last + 2 in {c.first for c in others}
    return onward or (sentence.before(cue) == "and" and cue.first - 2 in {c.last for c in others})


def _is_without_any(sentence: Marked, cue: Cue) -> bool:
    return "without any" in " ".join(sentence.words[max(0, cue.first - 7) : cue.first])


_CURRENCIES = frozenset("$€£")


def _is_no_rival(sentence: Marked, cue: Cue) -> bool:
    """Whether “exceeds” or “above” only bounds a number, or “above” says by how much of none."""
    if sentence.word(cue.last + 1 + (sentence.after(cue) in _CURRENCIES))[:1].isdigit() and cue.words in "<>≤≥":
        return True
    if cue.words in ("above", "below", "over", "under"):
        return _has_no_rival_beside(sentence, cue)
    following = next((one for one in sentence.numbers if one.first > cue.last), None)
    return following is not None and following.amount.bound != "=" and following.first - cue.last <= 3


_LEVELS = frozenset("level levels value values figure figures mark".split())


def _has_no_rival_beside(sentence: Marked, cue: Cue) -> bool:
    """Whether no row and no level (“back below its 2009 level”) follows “above”, and no amount leads it as in “5 points above average”."""
    near = [name for name in sentence.names if 0 < name.first - cue.last <= 2]
    if any(name.axis == "row" or not any(letter.isdecimal() for letter in name.name) for name in near):
        return False
    if not _LEVELS.isdisjoint(map(sentence.after, near[:1])):
        return False
    return not any(0 < cue.first - one.last <= 2 and one.amount.bound == "=" for one in sentence.numbers)


_NO_EXTREME = {
    ("best", "to"), ("leading", "to"), ("leads", "to"), ("led", "to"), ("most", "recent"), ("most", "likely"), ("top", "row"), ("bottom", "row"),
    ("top", "of"), ("bottom", "of"), ("top", "left"), ("top", "right"), ("peak", "hours"), ("leading", "up"),
}  # fmt: skip
_BEFORE_MOST = frozenset("the second third fourth - has have had".split())
_QUANTIFIED = frozenset(("", "that", "for", "in", "of", "by", "to", ",", "while", "and"))


def _is_no_extreme(sentence: Marked, cue: Cue) -> bool:
    if (cue.words, sentence.after(cue)) in _NO_EXTREME or _is_ordering(sentence, cue):
        return True
    return _is_selection(sentence, cue) or _is_no_superlative(sentence, cue)


def _is_no_superlative(sentence: Marked, cue: Cue) -> bool:
    """“At least”, “the top 10%”, “the latest year”, “5 min”; “most” that is a majority, or “very”: “most of them”, “most rapidly”."""
    before, after = sentence.before(cue), sentence.after(cue)
    match cue.words:
        case "latest" | "earliest":
            return True
        case "top" | "bottom" | "min" | "record":
            numbered = after[:1].isdigit() or before[-1:].isdigit() or clock_number(after) is not None
            return numbered or "to" in (before, after)
        case "most" | "least" | "best" if before == "at":
            return True
        case "most" | "best" if before not in _BEFORE_MOST:
            return after in ("of", "-") or after.endswith("ly" if before not in _QUANTIFIED else ("ly", "s"))
    return False


_VERBS = frozenset("is are was were has have had show shows with".split())


def _is_selection(sentence: Marked, cue: Cue) -> bool:
    """“Sales of the leading coffee exporters in 2018”: what a figure shows, if nobody is said to be among them."""
    if cue.words not in ("leading", "top", "best"):
        return False
    if any(n.axis == "row" and n.last < cue.first for n in sentence.names):
        return False
    after = sentence.tokens[cue.last + 1 : cue.last + 6]
    following = itertools.takewhile(lambda t: t.is_word and t.lower not in _VERBS, after)
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
    "steady": _is_without_any,
    "followed": lambda sentence, cue: not any(0 < n.first - cue.last <= 8 for n in sentence.names),
    "differ": lambda sentence, cue: cue.words == "different" and sentence.after(cue) not in _DIFFERING,
    "twice": lambda sentence, cue: sentence.before(cue) == "-" or sentence.after(cue) in ("digits", "figures", "digit"),
}
