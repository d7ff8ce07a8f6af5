"""“The highest”, “second to last”, “the most common value”."""

from __future__ import annotations

from dataclasses import replace

from evpv.language.clause_views import COPULA, showing
from evpv.language.clauses import Clause
from evpv.language.forms import (
    Extreme,
    Form,
    Phrase,
)
from evpv.language.lexicon import ORDINALS
from evpv.language.tokens import Cue

_CHEAP = frozenset("affordable inexpensive economical cheap budget".split())


def extreme_cue(clause: Clause) -> Cue | None:
    """The cue of an extreme that is said of something, not part of “at least” or “most of the”."""
    for cue in clause.cues:
        if cue.tag not in ("most", "least"):
            continue
        before = clause.word(cue.first - 1)
        after = clause.word(cue.last + 1)
        if (
            before == "at"
            and cue.words in ("most", "least", "best", "bottom", "top")
            and after not in (",", ".", "", "with")
        ):
            continue
        if cue.words == "most" and after == "of":
            continue
        if (
            cue.words in ("top", "bottom")
            and after in ("of", "right", "left", "row", "half", "two", "three", "five", "and")
            and before != "at"
        ):
            continue
        if after == "to" or (
            before == "to" and any(c.tag in ("most", "least") and c.last < cue.first for c in clause.cues)
        ):
            continue
        if cue.words in ("minimum", "maximum", "max", "min") and (
            before in ("a", "an", "same", "equal", "of") or (after == "of" and before not in ("its", "their", "the"))
        ):
            continue
        return cue
    if (rank := _rank_cue(clause)) is not None:
        return rank
    than = clause.has("than")
    if than is not None and than.last + 1 < len(clause.tokens):
        words = [t.lower for t in clause.tokens[than.last + 1 : than.last + 6]]
        words = words[words[0] in ("in", "on", "at", "for", "during") :]
        if any(t.lower in ("combined", "together") for t in clause.tokens[than.last :]):
            return None
        more = clause.has("more", "less")
        if (
            more is not None
            and words[:1]
            and (
                words[0] in ("any", "all", "every", "everyone")
                or words[:2] == ["the", "others"]
                or "others" in words[:3]
            )
            and ("other" in words or "else" in words or "others" in words or "rest" in words)
        ):
            return Cue("most" if more.tag == "more" else "least", more.words, than.first, than.last)
    return None


_RANKING = frozenset("is are was were takes took in".split())
_AFTER_RANK = frozenset(["", ".", ",", ";", "(", ")", "with", "at", "place", "in", "and", "overall", "by"])


def _rank_cue(clause: Clause) -> Cue | None:
    """“Rent is third at 10%”, “Ann comes second”, “second place goes to Ann”, “the runner-up”."""
    if ORDINALS.keys().isdisjoint(clause.words):
        return None
    for index, word in enumerate(clause.words):
        ordinal = word in ORDINALS and 1 < ORDINALS[word] < 10
        before, after = clause.word(index - 1), clause.word(index + 1)
        if ordinal and before in _RANKING and after in _AFTER_RANK and not (before == "in" and after != "place"):
            return Cue("most", word, index, index + (after == "place"))
        if ordinal and after == "place" and before in ("", "the", ","):
            return Cue("most", word, index, index + 1)
    return None


def extreme_forms(clause: Clause, cue: Cue) -> list[Form]:
    """The extreme that a cue says: whose, of what, which rank, with what value."""
    rank = 1
    for token in clause.tokens[max(0, cue.first - 3) : cue.last + 1]:
        rank = ORDINALS.get(token.lower, rank)
    after = [one for one in clause.amounts if one.first > cue.last and one.role != "times"]
    plain = [one for one in after if one.role not in ("in", "for", "on") or one.amount.quantity.unit]
    leading = [
        one
        for one in clause.amounts
        if one.last < cue.first
        and one.role in ("with", "at", "of", "has", "is", "had", "scored", "sold", "", ",", "percent", "hotel")
    ]
    said = [one for one in clause.amounts if one.role in COPULA and one.first > cue.last]
    stated = next(iter(said or plain or after or leading), None)
    clause = showing(clause, *([stated] if stated else []))
    followed = clause.has("followed")
    stop = followed.first if followed else None
    followers = _joined_things(clause, followed.last + 1) if followed else ()
    adjective = clause.tokens[cue.first].stem
    if cue.words in ("most", "least") and cue.last + 1 < len(clause.tokens):
        adjective = clause.tokens[cue.last + 1].stem
    names = _without_rank(clause, cue)
    return [
        Extreme(
            most=(cue.tag == "most") != (adjective in _CHEAP),
            rank=rank,
            subject=names.phrase(0, cue.first),
            group=names.phrase(cue.last + 1, stop),
            amount=stated.amount if stated else None,
            followers=followers,
            tied=clause.has("same") is not None or clause.has("both") is not None,
            adjective=adjective,
        )
    ]


def _without_rank(clause: Clause, cue: Cue) -> Clause:
    ranks = {i for i in range(max(0, cue.first - 3), cue.first) if clause.tokens[i].lower in ORDINALS}
    return replace(clause, hidden=clause.hidden | ranks)


def _joined_things(clause: Clause, first: int) -> tuple[Phrase, ...]:
    """The things that commas and “and” join from token `first` on."""
    found, start = [], first
    for index in range(first, len(clause.tokens) + 1):
        ends = index == len(clause.tokens) or clause.tokens[index].lower in (",", "and", "then", ".")
        if ends:
            phrase = clause.phrase(start, index)
            if any(token.is_content for token in phrase.tokens):
                found.append(phrase)
            start = index + 1
    return tuple(found)
