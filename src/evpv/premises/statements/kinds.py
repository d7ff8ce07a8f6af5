"""What a piece says, by kind: a count, an extreme, a comparison, a movement, a sum, a value; the first kind that reads it decides.

Where that finds nothing right, the piece is read once more in the other ways in which it may be meant; what one of them confirms is
confirmed, and the signs tell that it was not the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from evpv.language.forms import Amount, Bound
from evpv.language.lexicon import MOVED_BY_FACTOR
from evpv.language.tokens import Cue
from evpv.premises.matching.values import Finding, missing, opposite, unread
from evpv.premises.statements.anchors import is_predicate
from evpv.premises.statements.comparisons import comparison_finding, shortage_finding
from evpv.premises.statements.dimensions import is_foreign
from evpv.premises.statements.extremes import extreme_finding, unsurpassed_finding
from evpv.premises.statements.grid import Grid
from evpv.premises.statements.movements import is_setting, movement_finding
from evpv.premises.statements.numbers import StatedNumber
from evpv.premises.statements.orders import follower_finding, order_finding
from evpv.premises.statements.pieces import Piece
from evpv.premises.statements.programs import program_finding
from evpv.premises.statements.strangers import has_strange_place, is_other_attribute, names_absent, unknown_nouns
from evpv.premises.statements.terms import calculation_finding
from evpv.premises.statements.totals import aggregate_finding, count_finding, quantified_finding
from evpv.premises.statements.trust import finding_state
from evpv.premises.statements.values import value_finding
from evpv.premises.statements.verdicts import decision
from evpv.premises.statements.views import OWN, STRANGE, TIMES, Context, View, ends_given, variants, view
from evpv.types import ClaimType


class _Understood(NamedTuple):
    """What was found of a piece, and the kind of what it says in a word."""

    finding: Finding
    form: str


def _understood(finding: Finding | None, form: str) -> _Understood | None:
    return _Understood(finding, form) if finding else None


def read_piece(v: View, context: Context) -> tuple[Finding | None, str, ClaimType]:
    """What a piece says and what was found of it; no finding if it says nothing that a figure could confirm."""
    views = [v if variant is v.piece else view(variant, context, v.grid) for variant in variants(v.piece)]
    known = [(one, each.piece) for each in views if (one := _understanding(each))]
    context.ladder = next(filter(None, (each.context.ladder for each in views)), None)
    if not known:
        return None, "nothing", _piece_type(v.piece, "nothing")
    first, meant = known[0]
    kind = _piece_type(meant, first.form)
    if len(views) > 1:
        findings = [one.finding for one, _ in known]
        first = first._replace(finding=decision(findings, views[0], sure=len(known) == len(views)))
    return *_understanding_of(first, views[0], v.piece, context), kind


def _understanding_of(first: _Understood, v: View, piece: Piece, context: Context) -> _Understood:
    """How a piece is understood at first, or else in another way in which it is right."""
    other = _other_understanding(first.finding, piece, context, v.grid)
    if other is None and v.row_from == OWN and not piece.names_of("row"):
        context.note(v.rows, ())
    return other or first


# Other ways to take a piece.


def _other_understanding(best: Finding, piece: Piece, context: Context, grid: Grid) -> _Understood | None:
    """The first other way to take a piece in which it is right, with the signs of that; None if it was right in the first."""
    for sign, other in _other_understandings(piece, context, grid) if best.verdict != "supported" else ():
        if other is not None and other.finding.verdict == "supported":
            state = finding_state(best)
            signs = other.finding.signs | {sign, "alternative", f"after {state}"}
            wrong = best if state in ("contradicted", "doubted") else None
            return other._replace(finding=replace(other.finding, signs=signs, otherwise=wrong))
    return None


def _other_understandings(piece: Piece, context: Context, grid: Grid) -> Iterator[tuple[str, _Understood | None]]:
    """What a piece says without the names that are said in part, if it is about something else, or if its number was worked out."""
    whole = replace(piece, names=tuple(name for name in piece.names if name.axis == "column" or name.whole))
    if len(whole.names) < len(piece.names) and not _only_ranks(piece):
        yield "without row in part", _understanding(view(whole, context, grid))
    measured = _with_unit_before(piece)
    if measured is not None:
        yield "unit before", _understanding(view(measured, context, grid))
    for sign, other in _other_contexts(piece, context, grid):
        yield sign, _understanding(view(piece, other, grid))
    yield "worked", _understood(program_finding(view(piece, context, grid)), "worked")


def _with_unit_before(piece: Piece) -> Piece | None:
    """A piece whose only number has the unit of the one before it: “An owl weighs 400 grams and a falcon 900”."""
    earlier = (n.amount.quantity for n in reversed(piece.sentence.numbers) if n.last < piece.first)
    unit = next((quantity for quantity in earlier if quantity.unit not in (None, "percent", *TIMES)), None)
    if unit is None or len(piece.numbers) != 1 or not _ends_bare(piece):
        return None
    number = piece.numbers[0]
    quantity = replace(number.amount.quantity, unit=unit.unit, scale=unit.scale)
    amount = replace(number.amount, quantity=quantity)
    return replace(piece, numbers=(replace(number, stated=replace(number.stated, amount=amount)),))


def _ends_bare(piece: Piece) -> bool:
    """Whether a piece ends with a number in digits that has neither unit nor scale."""
    number = piece.numbers[-1]
    quantity = number.amount.quantity
    bare = quantity.unit is None and quantity.scale == 1.0 and not quantity.spelled
    return bare and number.last + 1 >= piece.stop


def _only_ranks(piece: Piece) -> bool:
    return not piece.numbers and piece.has("most", "least") is not None


def _other_contexts(piece: Piece, context: Context, grid: Grid) -> Iterator[tuple[str, Context]]:
    """Other names that a piece may lean on; what is the most is so in the column of which an earlier sentence spoke."""
    columns = context.near_columns or piece.names_of("column")
    if context.far_columns and not columns and not _only_ranks(piece):
        yield "any column", replace(context, far_columns=())
    yield from (("end of the line", other) for other in _contexts_at_ends(piece, context, grid))
    free = _may_be_of_other_row(piece) and not ends_given(piece, context, grid)
    for rows in dict.fromkeys(_other_rows(piece, context, grid)) if free else ():
        if rows not in ((), context.near_rows):
            yield "other row", replace(context, near_rows=rows)


_STARTING = frozenset(
    "start starts started starting began begins beginning initial initially opened opening first originally outset".split()
)
_ENDING = frozenset(
    "end ends ended ending finish finished finishing closed closing last latest finally final eventually now".split()
)


def _contexts_at_ends(piece: Piece, context: Context, grid: Grid) -> Iterator[Context]:
    """“It started at 40”: of the first or the last time."""
    for words, place in ((_STARTING, 0), (_ENDING, -1)):
        if words.isdisjoint(piece.words) and not (place and _ends_since(piece)):
            continue
        if grid.timed_rows and not piece.names_of("row"):
            yield replace(context, near_rows=(grid.line_rows[place],))
        if grid.timed_columns and (not piece.names_of("column") or piece.has("than", "beats", "trails")):
            yield replace(context, near_columns=(grid.line_columns[place],))


def _ends_since(piece: Piece) -> bool:
    """“… has been falling since, to 40”."""
    role = piece.numbers[0].role if len(piece.numbers) == 1 else ""
    return role == "to" and "since" in piece.sentence.words[max(0, piece.first - 3) : piece.first]


def _may_be_of_other_row(piece: Piece) -> bool:
    """Whether a piece says no row that it is about. What its number is held against is none: “5 more than Ann”."""
    than = piece.has("than") if piece.numbers else None
    own = any(than is None or n.first < than.first for n in piece.names if n.axis == "row")
    return not own and (bool(piece.numbers) or not piece.has("every"))


_REMAINING = frozenset("other others rest remaining else".split())


def _other_rows(piece: Piece, context: Context, grid: Grid) -> list[tuple[str, ...]]:
    """The rows that a piece without one may be about: those that are left, those named before and after it, those of earlier sentences."""
    names = [n for n in piece.sentence.names if n.axis == "row"]
    earlier = tuple(n.name for n in names if n.last < piece.first)
    later = tuple(n.name for n in names if n.first >= piece.stop)
    left = [] if _REMAINING.isdisjoint(piece.words) else _rows_left(context, grid)
    before = (earlier[-1:], earlier[:1], tuple(dict.fromkeys(earlier)))
    return [*left, *before, context.far_rows, context.far_group, later[:1]]


def _rows_left(context: Context, grid: Grid) -> list[tuple[str, ...]]:
    """“The other three”, “the rest”: all but those that were spoken of."""
    spoken = filter(None, (context.near_rows, context.far_group, context.seen))
    return [tuple(row for row in grid.rivals(grid.rows) if row not in group) for group in spoken]


# The kinds, in the order in which they are tried.


def _understanding(v: View) -> _Understood | None:
    """The finding of a piece by what kind of thing it says, and the kind in words."""
    if v.piece.calculation:
        return _understood(calculation_finding(v), "calculation")
    for read in (_count, _relation, _movement, _aggregate, _value):
        understood = read(v)
        if understood is not None:
            return _with_restrictions(v, understood, read) if understood.finding.verdict == "supported" else understood
    return None


_Read = Callable[[View], _Understood | None]


def _with_restrictions(v: View, understood: _Understood, read: _Read) -> _Understood:
    """What is left of a right finding if it must hold of its rows alone, or if the figure measures something else."""
    if v.own_rows and _is_only(v):
        understood = understood._replace(finding=_finding_of_only(v, understood.finding, read))
    if understood.finding.verdict != "supported":
        return understood
    elsewhere = understood.form == "value" and has_strange_place(v)
    if not elsewhere and not is_other_attribute(v):
        return understood
    foreign = is_foreign(v.piece, v.grid, v.likely_columns)
    return understood._replace(finding=unread(STRANGE) if foreign else missing(STRANGE))


def _is_only(v: View) -> bool:
    """Whether a piece says something of its rows alone: “only Ann and Ben …”, “the only country that …”."""
    if v.piece.has("only") is None or any(a.bound == "=" for a in v.amounts):
        return False
    first = min((n.first for n in v.piece.names if n.axis == "row"), default=0)
    return "only" in v.piece.sentence.words[max(0, first - 3) : first] or "the only" in " ".join(v.piece.words)


def _finding_of_only(v: View, finding: Finding, read: _Read) -> Finding:
    """What is left of a right finding on some rows if it must hold of no others: each is put in the place of the first that is named."""
    named = [name for name in v.piece.names if name.axis == "row"][:1]
    columns = [name for name in v.piece.names if name.axis == "column"]
    for row in v.grid.rivals(v.grid.rows):
        if row in v.own_rows:
            continue
        names = (*(replace(name, name=row) for name in named), *columns)
        other = read(replace(v, rows=(row,), piece=replace(v.piece, names=names)))
        if other is not None and other.finding.verdict == "supported":
            return opposite(replace(other.finding, signs=other.finding.signs | {"only"}))
    return replace(finding, signs=finding.signs | {"only"})


def _with_denial(v: View, finding: Finding) -> Finding:
    """A finding on what may be denied."""
    return opposite(finding) if v.piece.denial else finding


def _piece_type(piece: Piece, form: str) -> ClaimType:
    """Numeric, where a number is stated: one that is no name, no “nobody … than”, no bounded factor (“more than twice as many”); else a
    relation."""
    stated = [number.amount for number in piece.numbers if _is_stated(piece, number)]
    factor = piece.has("times", "twice") if form == "comparison" else None
    if factor is None:
        return _type_of_amounts(piece, form, stated)
    exact = factor.tag == "twice" and piece.sentence.before(factor) not in _BOUNDING
    exact = exact or any(amount.bound == "=" and not amount.hedged for amount in stated)
    return "numeric" if exact else "relation"


def _type_of_amounts(piece: Piece, form: str, stated: list[Amount]) -> ClaimType:
    """Numeric by an amount that is not the word of “as many as one …” and no bound that some alone meet (“only Ann has over 5”)."""
    if form == "comparison" and piece.has("as"):
        stated = [amount for amount in stated if not amount.quantity.spelled]
    alone = piece.has("only") and piece.names_of("row")
    return "numeric" if any(amount.bound == "=" or not alone for amount in stated) else "relation"


def _is_stated(piece: Piece, number: StatedNumber) -> bool:
    """Not the name of what is absent; beside “than” neither “nobody” nor what may be a name, but the “one” of “one more than Ann”."""
    absent = number.first in piece.sentence.absent
    if absent or piece.has("than") is None:
        return not absent
    further = any(cue.tag in ("more", "less") and cue.first - 1 == number.last for cue in piece.cues)
    return number.amount.quantity.value != 0 and (further or not number.may_name)


_BOUNDING = frozenset("than almost nearly about roughly over approximately around least".split())
_MAKING_UP = frozenset("make makes made account accounts together combined".split())


def _count(v: View) -> _Understood | None:
    if not v.piece.numbers or v.has_any(_MAKING_UP):
        return None
    return _understood(count_finding(v) or quantified_finding(v), "count")


def _relation(v: View) -> _Understood | None:
    if (listed := order_finding(v)) is not None:
        return _Understood(listed, "order")
    if v.context.ladder and v.piece.has("followed"):
        return _Understood(follower_finding(v, v.context.ladder), "order")
    extreme = v.piece.has("most", "least")
    if extreme is not None:
        return _Understood(_with_denial(v, extreme_finding(v, extreme)), "extreme")
    short = shortage_finding(v)
    if short is not None:
        return _Understood(short, "shortage")
    cue = _comparing_cue(v.piece)
    unsurpassed = unsurpassed_finding(v, cue) if cue else None
    if unsurpassed is not None:
        return _Understood(unsurpassed, "extreme")
    return _comparison(v, cue) if cue else None


def _comparison(v: View, cue: Cue) -> _Understood | None:
    """Whether a comparison holds."""
    found = comparison_finding(v, cue)
    if found is not None:
        found = opposite(found) if cue.tag == "differ" else found
        return _Understood(_with_denial(v, found), "comparison")
    return _open_comparison(v)


def _open_comparison(v: View) -> _Understood | None:
    """A comparison of which no two sides were found is open, if it concerns the figure."""
    if v.piece.numbers or v.piece.has("rises", "falls", "steady"):
        return None
    known = any(token.stem in v.grid.vocabulary and token.is_content_word for token in v.piece.tokens)
    if not (known or v.is_named or names_absent(v.piece, v.grid)):
        return None
    strange = unknown_nouns(v.piece, v.grid)
    return _Understood(unread(STRANGE) if strange else missing("it is open what is compared."), "comparison")


_RIVALLING = ("beats", "trails", "overtakes")


def _comparing_cue(piece: Piece) -> Cue | None:
    """The cue of a comparison; a factor that moves (“doubled”) is none."""
    cue = piece.has(*_RIVALLING)
    if cue is not None:
        return cue
    moves = piece.has("than") is None and piece.has("rises", "falls") is not None
    if moves or _moving_factor(piece):
        return None
    return _cue_of_than(piece) or piece.has("as", "times", "twice", "same", "differ")


def _cue_of_than(piece: Piece) -> Cue | None:
    """“More … than”, where it does not only bound a number (“fewer than one in four”)."""
    cue, than = piece.has("more", "less"), piece.has("than")
    if cue is None:
        return None
    if than is None:
        return cue if is_predicate(piece.sentence, cue) else None
    bounded = (n for n in piece.numbers if n.amount.bound != "=" and 0 < n.first - than.last <= 3)
    number = next(bounded, None) if cue.last + 1 == than.first else None
    return cue if number is None or piece.sentence.before(number) == "the" else None


def _moving_factor(piece: Piece) -> Cue | None:
    """A factor that moves: “doubled”, “double from 2010 to 2020”."""
    factor = piece.has("twice")
    if factor is None or factor.words in MOVED_BY_FACTOR:
        return factor
    after = piece.words[factor.last + 1 - piece.first :]
    return factor if "from" in after and "to" in after else None


_STANDING = frozenset("in ahead behind below above under over within on at first last".split())
"""What remains “in front” or “below freezing” need not stay the same."""


def _moves_nothing(v: View, cue: Cue) -> bool:
    """Whether it is the rows that move; or “lost 8 million” gives the size of one value that is below zero."""
    return is_setting(v) or (
        cue.words in ("lost", "loses", "lose") and len(v.amounts) == len(v.cells) == 1 and v.cells[0].value < 0
    )


def _movement(v: View) -> _Understood | None:
    """Whether something moves so; “stayed above 5”, “never rose over 10” and “remains in front” only say where something stands."""
    cue = v.piece.has("rises", "falls") or v.piece.has("steady") or _moving_factor(v.piece)
    if cue is None or _moves_nothing(v, cue):
        return None
    steady = cue.tag == "steady"
    if (steady and v.piece.sentence.after(cue) in _STANDING) or (v.has_bound and (steady or v.piece.denial)):
        return None
    return _understood(movement_finding(v, cue), "movement")


def _aggregate(v: View) -> _Understood | None:
    cue = v.piece.has("mean", "median", "range", "mode", "difference", "ratio", "total")
    if cue is None or not v.piece.numbers:
        return None
    if cue.words == "in all" and v.piece.sentence.after(cue) not in ("", ",", "."):
        return None
    if cue.tag == "mean" and v.own_rows and v.own_columns and len(v.cells) == 1:
        return None
    return _Understood(aggregate_finding(v, cue), "aggregate")


_FLIPPED: dict[Bound, Bound] = {">": "<=", ">=": "<", "<": ">=", "<=": ">", "=": "<"}
_REACHING = frozenset("reach reached reaches hit attain attained get got come came make made".split())


def _value(v: View) -> _Understood | None:
    """Whether something has a value; of a denied bound with what is left of it: “did not exceed 20” is “at most 20”."""
    if not v.piece.numbers:
        return None
    number = v.piece.numbers[0]
    bounded = len(v.piece.numbers) == 1 and (number.amount.bound != "=" or v.has_any(_REACHING))
    if bounded and v.piece.denial:
        amount = replace(number.amount, bound=_FLIPPED[number.amount.bound])
        number = replace(number, stated=replace(number.stated, amount=amount))
        cues = tuple(cue for cue in v.piece.cues if cue.tag != "not")
        v = replace(v, piece=replace(v.piece, numbers=(number,), cues=cues))
    found = value_finding(v)
    if v.piece.denial:
        found = opposite(found) if found.verdict != "supported" else missing("it is open what the denial is said of.")
    return _Understood(found, "value")
