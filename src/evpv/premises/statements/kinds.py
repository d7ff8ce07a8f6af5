"""What a piece says, by kind: a count, an extreme, a comparison, a movement, a sum, a value; the first kind that reads it decides."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeAlias

from evpv.language.forms import Bound
from evpv.language.lexicon import MOVED_BY_FACTOR
from evpv.language.tokens import Cue
from evpv.premises.matching.values import Finding, missing, opposite, unread
from evpv.premises.statements.comparisons import comparison_finding, shortage_finding
from evpv.premises.statements.extremes import extreme_finding, follower_finding, unsurpassed_finding
from evpv.premises.statements.grid import Grid
from evpv.premises.statements.movements import is_setting, movement_finding
from evpv.premises.statements.pieces import Piece, is_predicate
from evpv.premises.statements.strangers import is_other_attribute, names_absent, unknown_nouns
from evpv.premises.statements.totals import aggregate_finding, count_finding, quantified_finding
from evpv.premises.statements.values import calculation_finding, value_finding
from evpv.premises.statements.verdicts import is_part, settled
from evpv.premises.statements.views import OWN, STRANGE, Context, View, variants, view
from evpv.types import ClaimType

Understood: TypeAlias = tuple[Finding, str, ClaimType]
"""What was found of a piece, the kind of what it says in a word, and its type."""


_COMPARES = ("beats", "trails", "overtakes")


def statement(piece: Piece, context: Context, grid: Grid) -> tuple[Finding | None, str, ClaimType]:
    """What a piece says and what was found of it; no finding if it says nothing that a figure could confirm."""
    views = [view(variant, context, grid) for variant in variants(piece)]
    found = [one for v in views if (one := _understood(v))]
    context.ladder = next((v.context.ladder for v in views if v.context.ladder), None)
    if not found:
        return None, "nothing", "relation"
    best = (
        settled([one[0] for one in found], views[0], sure=len(found) == len(views)) if len(views) > 1 else found[0][0]
    )
    form, kind = found[0][1:]
    if best.verdict != "supported":
        for sign, v in _alternatives(piece, context, grid):
            other = _understood(v)
            if other is not None and other[0].verdict == "supported":
                signs = {
                    sign,
                    "alternative",
                    f"after {best.why_missing if best.verdict == 'missing' else best.verdict}",
                }
                wrong = best if best.verdict == "contradicted" or best.why_missing == "doubted" else None
                return replace(other[0], signs=other[0].signs | signs, otherwise=wrong), other[1], kind
    if views[0].row_from == OWN and not piece.named("row"):
        context.note(views[0].rows, ())
    return best, form, kind


def _alternatives(piece: Piece, context: Context, grid: Grid) -> Iterator[tuple[str, View]]:
    """Other ways to take what a piece is about: without names that are said in part, of another column, of what else was spoken of."""
    kept = tuple(name for name in piece.names if name.axis == "column" or name.whole)
    if len(kept) < len(piece.names):
        yield "without row in part", view(replace(piece, names=kept), context, grid)
    if not piece.named("column") and len(grid.columns) > 1 and context.far_columns and not context.near_columns:
        free = replace(context, near_columns=(), far_columns=())
        yield "any column", view(piece, free, grid)
    for words, place in ((_STARTING, 0), (_ENDING, -1)):
        if words & {*piece.words} and grid.timed_rows and not piece.named("row"):
            yield "end of the line", view(piece, replace(context, near_rows=(grid.line_rows[place],)), grid)
        if words & {*piece.words} and grid.timed_columns and not piece.named("column"):
            yield "end of the line", view(piece, replace(context, near_columns=(grid.line_columns[place],)), grid)
    if piece.named("row"):
        return
    earlier = [n.name for n in piece.sentence.names if n.axis == "row" and n.last < piece.first]
    later = [n.name for n in piece.sentence.names if n.axis == "row" and n.first >= piece.stop]
    others = _others(piece, context, grid)
    groups = [
        *others,
        tuple(earlier[-1:]),
        tuple(dict.fromkeys(earlier)),
        context.far_rows,
        context.far_group,
        tuple(later[:1]),
    ]
    for rows in dict.fromkeys(filter(None, groups)):
        if rows != context.near_rows:
            yield "other row", view(piece, replace(context, near_rows=rows), grid)


_STARTING = frozenset(
    "start starts started starting began begins beginning initial initially opened opening first originally outset".split()
)
_ENDING = frozenset(
    "end ends ended ending finish finished finishing closed closing last latest finally final eventually now".split()
)


def _others(piece: Piece, context: Context, grid: Grid) -> list[tuple[str, ...]]:
    """The rows that are left where “the other three”, “the rest” or “all remaining” are spoken of."""
    if {"other", "others", "rest", "remaining", "else"}.isdisjoint(piece.words):
        return []
    spoken = (context.near_rows, context.far_group, context.seen)
    return [tuple(row for row in grid.rivals(grid.rows) if row not in group) for group in spoken if group]


def _understood(v: View) -> Understood | None:
    """The finding of a piece by what kind of thing it says, the kind in words and its type."""
    if calculates(v.piece):
        found = calculation_finding(v)
        return (found, "calculation", "numeric") if found else None
    for read in (_count, _relation, _movement, _aggregate, _value):
        understood = read(v)
        if understood is not None:
            if understood[0].verdict == "supported" and v.own_rows and _is_only(v):
                understood = (_only(v, understood[0], read), *understood[1:])
            other = understood[0].verdict == "supported" and is_other_attribute(v)
            return (missing(STRANGE), *understood[1:]) if other else understood
    return None


def _is_only(v: View) -> bool:
    """Whether a piece says something of its rows alone: “only Ann and Ben …”, “the only country that …”."""
    if v.piece.has("only") is None or any(a.bound == "=" for a in v.amounts):
        return False
    first = min((n.first for n in v.piece.names if n.axis == "row"), default=0)
    words = v.piece.sentence.words
    return any(words[i] == "only" for i in range(max(0, first - 3), first)) or "the only" in " ".join(v.piece.words)


def _only(v: View, finding: Finding, read: Callable[[View], Understood | None]) -> Finding:
    """What is left of a right finding on some rows if it must hold of no others."""
    for row in v.grid.rivals(v.grid.rows):
        if row in v.own_rows:
            continue
        named = next(n for n in v.piece.names if n.axis == "row")
        names = (replace(named, name=row), *(n for n in v.piece.names if n.axis == "column"))
        other = read(replace(v, rows=(row,), piece=replace(v.piece, names=names)))
        if other is not None and other[0].verdict == "supported":
            return opposite(replace(other[0], signs=other[0].signs | {"only"}))
    return replace(finding, signs=finding.signs | {"only"})


def calculates(piece: Piece) -> bool:
    start, end = piece.tokens[0].start, piece.tokens[-1].end
    return any(a < end and b > start for a, b in piece.sentence.calculated)


def _denied(v: View, finding: Finding) -> Finding:
    """A finding on what is denied."""
    return opposite(finding) if v.piece.denial else finding


_FLIPPED: dict[Bound, Bound] = {">": "<=", ">=": "<", "<": ">=", "<=": ">", "=": "<"}
_REACHING = frozenset("reach reached reaches hit attain attained get got come came make made".split())


def _with_denied_bound(v: View) -> View:
    """The view with the bound that is left of a denied one: “did not exceed 20” is “at most 20”."""
    if v.piece.denial is None or len(v.piece.numbers) != 1:
        return v
    number = v.piece.numbers[0]
    amount = number.stated.amount
    if amount.bound == "=" and not _REACHING & {*v.piece.words}:
        return v
    amount = replace(amount, bound=_FLIPPED[amount.bound])
    number = replace(number, stated=replace(number.stated, amount=amount))
    cues = tuple(cue for cue in v.piece.cues if cue.tag != "not")
    return replace(v, piece=replace(v.piece, numbers=(number,), cues=cues))


_MAKING_UP = frozenset("make makes made account accounts together combined".split())


def _count(v: View) -> Understood | None:
    if not v.piece.numbers or _MAKING_UP & {*v.piece.words}:
        return None
    found = count_finding(v) or quantified_finding(v)
    return (found, "count", "numeric") if found else None


def _relation(v: View) -> Understood | None:
    piece = v.piece
    kind: ClaimType = "numeric" if piece.numbers else "relation"
    followed = piece.has("followed")
    if followed is not None and v.context.ladder:
        return follower_finding(v, v.context.ladder), "order", kind
    cue = piece.has("most", "least")
    if cue is not None:
        return _denied(v, extreme_finding(v, cue)), "extreme", kind
    short = shortage_finding(v)
    if short is not None:
        return short, "shortage", "relation"
    cue = _comparing(piece)
    if cue is None:
        return None
    unsurpassed = unsurpassed_finding(v, cue)
    if unsurpassed is not None:
        return unsurpassed, "extreme", kind
    found = comparison_finding(v, cue)
    if found is None:
        if piece.numbers or piece.has("rises", "falls", "steady"):
            return None
        if unknown_nouns(v) and _concerns(v):
            return unread(STRANGE), "comparison", kind
        return (missing("it is open what is compared."), "comparison", kind) if _concerns(v) else None
    if cue.tag == "differ":
        found = opposite(found)
    counts = all(amount.quantity.spelled and not amount.quantity.unit for amount in v.amounts)
    return _denied(v, found), "comparison", "relation" if cue.tag == "as" and counts else kind


def _than(piece: Piece) -> Cue | None:
    """“More … than”, where it does not only bound a number (“fewer than one in four”)."""
    cue, than = piece.has("more", "less"), piece.has("than")
    if cue is not None and than is None and is_predicate(piece.sentence, cue):
        return cue
    if cue is None or than is None:
        return None
    bounded = [n for n in piece.numbers if n.stated.amount.bound != "=" and 0 < n.first - than.last <= 3]
    only_bounds = cue.last + 1 == than.first and bounded and piece.sentence.word(bounded[0].first - 1) != "the"
    return None if only_bounds else cue


def _comparing(piece: Piece) -> Cue | None:
    """The cue of a comparison; a factor that moves (“doubled”) is none."""
    cue = piece.has(*_COMPARES) or _than(piece)
    cue = cue or piece.has("as", "times", "twice", "same", "differ")
    if cue is None or cue.tag in _COMPARES:
        return cue
    moves = piece.has("rises", "falls") is not None and piece.has("than") is None
    return None if moves or _factor(piece) else cue


def _concerns(v: View) -> bool:
    known = any(token.stem in v.grid.vocabulary and token.is_content and token.is_word for token in v.piece.tokens)
    return bool(known or v.own_rows or v.own_columns or names_absent(v.piece, v.grid))


def _factor(piece: Piece) -> Cue | None:
    """A factor that moves: “doubled”, “double from 2010 to 2020”."""
    factor = piece.has("twice")
    after = piece.words[factor.last + 1 - piece.first :] if factor else ()
    return factor if factor and (factor.words in MOVED_BY_FACTOR or ("from" in after and "to" in after)) else None


def _movement(v: View) -> Understood | None:
    cue = v.piece.has("rises", "falls") or v.piece.has("steady") or _factor(v.piece)
    if cue is not None and cue.tag == "steady" and any(amount.bound != "=" for amount in v.amounts):
        return None
    if cue is None or is_setting(v) or (v.piece.denial and any(amount.bound != "=" for amount in v.amounts)):
        return None
    found = movement_finding(v, cue)
    kind: ClaimType = "numeric" if v.piece.numbers else "relation"
    if found is None:
        speaks = not v.piece.numbers and _concerns(v)
        return (missing("nothing here runs in time."), "movement", kind) if speaks else None
    return _denied(v, found), "movement", kind


_AGGREGATES = ("mean", "median", "range", "mode", "difference", "ratio", "total")


def _aggregate(v: View) -> Understood | None:
    cue = v.piece.has(*_AGGREGATES)
    if cue is None or not v.piece.numbers:
        return None
    if cue.words == "in all" and v.piece.sentence.word(cue.last + 1) not in ("", ",", "."):
        return None
    return aggregate_finding(v, cue), "aggregate", "numeric"


def _value(v: View) -> Understood | None:
    if not v.piece.numbers:
        return None
    plain = _with_denied_bound(v)
    amount = plain.amounts[0]
    kind: ClaimType = "numeric" if amount.bound == "=" or is_part(amount) else "relation"
    found = _denied(plain, value_finding(plain))
    if plain.piece.denial and found.verdict == "contradicted":
        found = missing("it is open what the denial is said of.")
    return found, "value", kind
