"""Views of a clause that several readers take: which amounts are shown, hedges and bounds before a word."""

from __future__ import annotations

from dataclasses import replace

from evpv.language.clauses import Clause
from evpv.language.forms import (
    Bound,
)
from evpv.language.sentences import Stated

PLACING = frozenset("at in for on after before under row column during per near until through since".split())


def showing(clause: Clause, *hidden: Stated) -> Clause:
    """The clause in which only the given amounts are hidden: the others name something (“at a price of $1,090”)."""
    spans = {i for one in clause.amounts if one not in hidden for i in range(one.first, one.last + 1)}
    return clause if clause.hidden.isdisjoint(spans) else replace(clause, hidden=clause.hidden - spans)


def is_hedged(clause: Clause, first: int) -> bool:
    return any(cue.tag == "hedge" and 0 <= first - cue.last <= 2 for cue in clause.cues)


def bound_before(clause: Clause, first: int) -> Bound:
    words = {t.lower for t in clause.tokens[max(0, first - 3) : first]}
    if words & {"over"} or {"more", "than"} <= words:
        return ">"
    return "<" if {"less", "than"} <= words or "under" in words else "="


COPULA = frozenset(
    "is are was were equals equal = : be reached totals totaled totalled stood stands measures | costs cost".split()
)
