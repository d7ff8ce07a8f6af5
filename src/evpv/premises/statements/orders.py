"""Names in the order of their values: those that follow an extreme, and lists that are said to be ordered."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from evpv.premises.matching.values import Finding, decide, equal, in_words, missing
from evpv.premises.statements.verdicts import decision
from evpv.premises.statements.views import UNCLEAR, View


def follower_finding(v: View, ladder: tuple[str, int]) -> Finding:
    """“… followed by Germany and Spain”: the next ranks."""
    tag, rank = ladder
    rows, column = v.own_rows, v.likely_columns[:1]
    cells = sorted(v.grid.cells(v.grid.rivals(v.grid.rows), column), key=lambda c: c.value, reverse=tag == "most")
    own = v.grid.cells(rows, column)
    spoken = {*v.context.near_rows} - {*rows}  # “A and B share the lead, followed by C”
    tied = itertools.takewhile(lambda cell: cell.row in spoken, cells[rank - 1 :])
    rank += sum(1 for _ in tied)
    places = cells[rank - 1 : rank - 1 + len(rows)]
    if not rows or not len(own) == len(places) == len(rows):
        return missing(UNCLEAR)
    v.context.ladder = (tag, rank + len(rows))
    pairs = zip(own, places, strict=True)
    found = [decide(equal(a.value, b.value), [a], f"{in_words(a)}, {in_words(b)}.") for a, b in pairs]
    return decision([next((one for one in found if one.verdict == "contradicted"), found[0])], v)


_IN_ORDER = frozenset("order ranking descending ascending sorted ranked then third".split())
_RISING = frozenset("ascending increasing smallest lowest lightest shortest cheapest".split())


def order_finding(v: View) -> Finding | None:
    """“In descending order: Oslo, Bern, Rome”: whether names are listed by their values; “third, after Oslo and Bern” comes after these. None
    where no order is spoken of."""
    if v.piece.numbers or len(v.own_rows) < 3 or not v.has_any(_IN_ORDER) or v.piece.has("rises", "falls"):
        return None
    leading = ((n.name, v.piece.words[: n.first - v.piece.first]) for n in v.piece.names)
    before = {name for name, words in leading if "after" in words and "before" not in words}
    rows = sorted(v.own_rows, key=lambda row: row not in before)
    return decision((_order_in_column(v, rows, name) for name in v.likely_columns), v, sure=len(v.likely_columns) == 1)


def _order_in_column(v: View, rows: Sequence[str], column: str) -> Finding | None:
    """An order goes upwards if its first word for that says so (“cheapest first”), else if the ends of the list do."""
    cells = v.grid.cells(rows, [column])
    if len(cells) != len(rows):
        return None
    first = next((word for word in v.piece.words if word in _RISING or word == "descending"), "")
    rising = first in _RISING if first else cells[0].value < cells[-1].value
    odd = next((pair for pair in itertools.pairwise(cells) if (pair[0].value > pair[1].value) == rising), None)
    if odd is None:
        return decide(True, cells, f"the {len(cells)} stand in this order.")
    return decide(False, odd, f"{in_words(odd[0])} and {in_words(odd[1])}.")
