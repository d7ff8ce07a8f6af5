"""Two things, or two groups, held against each other: more, less, as much, by how much and how many times."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from evpv.language.forms import Amount, Bound, Order, amount_text
from evpv.language.lexicon import MOVED_BY_FACTOR, TIMES_WORDS
from evpv.language.number_words import clock_number
from evpv.language.quantities import Quantity, number_text
from evpv.language.tokens import Cue, name_stems
from evpv.premises.figure import Cell
from evpv.premises.matching.values import Finding, decide, equal, in_words, missing, together, too_close, unread
from evpv.premises.statements.extremes import added, is_reversed
from evpv.premises.statements.names import Name
from evpv.premises.statements.strangers import names_absent
from evpv.premises.statements.verdicts import agrees, counts_rows, pure, settled
from evpv.premises.statements.views import STRANGE, View, beside

_BACK = frozenset("before previous earlier preceding prior".split())
_ON = frozenset("later following next after followed".split())
_OTHERS = frozenset("other others rest any anyone".split())
_ROUGH = 0.12
"""How far from two “nearly double” may be."""
_Side = tuple[tuple[str, ...], tuple[str, ...]]
_Pairs = list[tuple[Cell, Cell]]


def comparison_finding(v: View, cue: Cue) -> Finding | None:
    """Whether the left side stands to the right side as is said; None where no two sides are named."""
    if not (v.own_rows or v.own_columns) and names_absent(v.piece, v.grid):
        return unread(STRANGE)
    order, joint = _order(v, cue)
    left, right = _sides(v, cue, joint, order)
    pairs = [pair for pair in _pairs(v, left, right, joint) if pair]
    if not pairs:
        return None
    if cue.tag == "as" and (scaled := _scaled(v, pairs[0])) is not None:
        return settled([scaled], v)
    counted = _holding(v, pairs, order, cue)
    if counted is not None:
        return settled([counted], v, leans=False)
    by, times = _by(v, cue), _times(v)
    factors = {i for c in v.piece.cues if c.tag in ("twice", "times") for i in range(c.first - 1, c.last + 1)}
    given = [
        n.stated.amount
        for n in v.piece.numbers
        if n.stated.amount not in (by, times) and n.stated.role not in ("by", "times") and n.first not in factors
    ]
    found = [
        together([_compared(a, b, order, by, times, cue) for a, b in pair] + _valued(pair, given)) for pair in pairs
    ]
    if order == "equal" and times is None and any(c.tag == "hedge" for c in v.piece.cues):
        found = [_nearly(pair) for pair in pairs]
    leans = not (left[0] or left[1]) or not (right[0] or right[1])
    return settled(found, v, leans=leans)


def _scaled(v: View, pair: _Pairs) -> Finding | None:
    """“Two umbrellas cost as much as one pair of gloves”: so many of the one and of the other."""
    words = v.piece.sentence.words
    if len(pair) != 1:
        return None
    numbers = [n for name in v.piece.names if name.axis == "row" for n in [_factor_before(words, name.first)]]
    if len(numbers) != 2 or None in numbers:
        return None
    (a, b), (m, n) = pair[0], numbers
    return decide(equal((m or 1) * a.value, (n or 1) * b.value), [a, b], f"{in_words(a)} and {in_words(b)}.")


def _factor_before(words: Sequence[str], first: int) -> int | None:
    """The number right before a name, or one word before it (“one pair of gloves”)."""
    return next(
        (number for i in (first - 1, first - 2, first - 3) if i >= 0 and (number := clock_number(words[i]))), None
    )


def _nearly(pair: _Pairs) -> Finding:
    """“Nearly the same”: right within a tenth, and open beyond."""
    a, b = max(pair, key=lambda two: abs(two[0].value - two[1].value))
    words = f"{in_words(a)} and {in_words(b)}."
    near = abs(a.value - b.value) <= 0.1 * max(abs(a.value), abs(b.value))
    return decide(True, [a, b], words) if near else missing(words)


def _holding(v: View, pairs: Sequence[_Pairs], order: Order, cue: Cue) -> Finding | None:
    """“Two countries import more than they export”: in how many rows it is so."""
    before = (n for n in v.piece.numbers if n.last < cue.first and n.stated.role != "times")
    number = next((n for n in before if n.stated.amount.bound == "="), None)
    rows = {cell.row for pair in pairs for cell, _ in pair}
    if number is None or len(rows) < 2 or v.own_rows or not counts_rows(v, number):
        return None
    holds = [a for a, b in pairs[-1] if _compared(a, b, order, None, None, cue).verdict == "supported"]
    right = agrees(number.stated.amount, pure(pairs[-1][0][0], float(len(holds)))) == "same"
    return decide(right, holds or [pairs[-1][0][0]], f"it is so in {len(holds)} of {len(pairs[-1])} rows.")


def _order(v: View, cue: Cue) -> tuple[Order, int]:
    """Which side is said to be greater, and where the right side begins."""
    than = v.piece.has("than")
    passive = v.piece.sentence.word(cue.last + 1) == "by" and v.piece.sentence.word(cue.first - 1) in (
        "is",
        "are",
        "was",
        "were",
        "be",
    )
    if cue.tag in ("beats", "overtakes"):
        return ("less" if passive else "greater"), cue.last + 1
    if cue.tag == "trails":
        return "less", cue.last + 1
    if cue.tag in ("more", "less"):
        return ("greater" if cue.tag == "more" else "less"), (than.last + 1 if than else v.piece.stop)
    if cue.tag not in ("as", "twice", "times"):
        return "equal", v.piece.stop
    words = v.piece.sentence.words
    like = v.piece.has("as")
    wanted = ("as",) if like else ("that", "those", "of", "the")
    after = range((like or cue).last + 1, v.piece.stop)
    return "equal", next((i for i in after if words[i] in wanted), cue.last + 1)


def _sides(v: View, cue: Cue, joint: int, order: Order) -> tuple[_Side, _Side]:
    """The names before and after the joint; of a plain equality the first against the others."""
    names = v.piece.names
    if joint >= v.piece.stop and order == "equal":
        rows, columns = v.piece.named("row"), v.piece.named("column")
        if len(rows) > 1:
            return (rows[:1], columns), (rows[1:], columns)
        return (rows, columns[:1]), (rows if len(columns) > 1 else (), columns[1:])
    before = [name for name in names if name.first < joint]
    after = [name for name in names if name.first >= joint]
    if not before and v.piece.words[0] in ("compared", "relative", "unlike") and "," in v.piece.words:
        half = v.piece.sentence.words.index(",", v.piece.first)
        before, after = [n for n in names if n.first > half], [n for n in names if n.first < half]
    return _side(before), _side(after)


def _side(names: Sequence[Name]) -> _Side:
    rows = tuple(dict.fromkeys(n.name for n in names if n.axis == "row"))
    return rows, tuple(dict.fromkeys(n.name for n in names if n.axis == "column"))


def _pairs(v: View, left: _Side, right: _Side, joint: int) -> Iterator[_Pairs]:
    """The ways to pair the cells of two sides; every pair must stand as is said."""
    (rows, columns), (others, other_columns) = left, right
    if not others and not other_columns:
        yield from _implied(v, left, joint)
        return
    if (
        columns
        and other_columns
        and set(columns) != set(other_columns)
        and not (rows and others and set(rows) != set(others))
    ):
        yield from _across(v, columns, other_columns, rows or others or _shared(v, "row"), "column")
        return
    if others and not rows:
        rows = tuple(name for name in v.given_rows if name not in others)
    if other_columns and not columns and not (rows and others):
        columns = tuple(name for name in v.given_columns if name not in other_columns)
    if others and rows and set(rows) != set(others):
        if columns and other_columns and set(columns) != set(other_columns):
            yield [(a, b) for a in v.grid.cells(rows, columns) for b in v.grid.cells(others, other_columns)]
            return
        yield from _across(v, rows, others, columns or other_columns or _shared(v, "column"), "row")
    elif other_columns and columns and set(columns) != set(other_columns):
        yield from _across(v, columns, other_columns, rows or others or _shared(v, "row"), "column")


def _shared(v: View, axis: str) -> tuple[str, ...]:
    """What both sides have in common, where it was said before."""
    if axis == "column":
        only = v.grid.columns if len(v.grid.columns) == 1 else ()
        return only or (() if v.own_columns else v.given_columns)
    if v.piece.has("every"):
        return ()
    return v.given_rows if not v.own_rows else ()


def _across(v: View, names: Sequence[str], others: Sequence[str], shared: Sequence[str], axis: str) -> Iterator[_Pairs]:
    """Names of one axis against others of it, in what they share: each for itself, or all of it added up."""
    lines = list(shared) or (v.open_columns() if axis == "row" else v.grid.rivals(v.grid.rows))
    every = v.piece.has("every", "both") is not None and not v.has("over", "across")
    combined = v.piece.has("total") is not None

    def cells(of: Sequence[str], line: str) -> list[Cell]:
        return v.grid.cells(of, [line]) if axis == "row" else v.grid.cells([line], of)

    if not shared and len(lines) > 1 and (v.grid.uniform or axis == "column") and not every:
        left, right = ([cell for line in lines for cell in cells(of, line)] for of in (names, others))
        if left and right:
            yield [(added(left), added(right))]
    if len(names) > 1 and v.own_rows[:1] != tuple(names[:1]) and len(lines) == 1 and not every:
        yield [(added(left), b) for b in cells(others, lines[0]) if (left := cells(names, lines[0]))]
        yield from ([(a, b)] for b in cells(others, lines[0])[:1] for a in cells(names, lines[0]))
    if len(lines) == 1 and max(len(names), len(others)) > 1 and not every and all(n.whole for n in v.piece.names):
        left, right = cells(names, lines[0]), cells(others, lines[0])
        if left and right:
            yield [(added(left), added(right))]
    each: _Pairs = []
    for line in lines:
        left, right = cells(names, line), cells(others, line)
        if combined and left and right:
            left, right = [added(left)], [added(right)]
        pair = [(a, b) for a in left for b in right]
        if not shared and not every and axis == "row":
            yield pair
        each += pair
    yield each


def _implied(v: View, left: _Side, joint: int) -> Iterator[_Pairs]:
    """A right side without a name: the time before, all others, or what was spoken of."""
    after = {*v.piece.sentence.words[joint : v.piece.stop]}
    step = -1 if after & _BACK else int(bool(after & _ON))
    grid = v.grid
    rows, columns = left[0] or v.rows, left[1] or v.columns
    if after & {"it", "them", "this", "that"} and left[0]:
        yield from _spoken_of(v, left)
    elif step and grid.line_rows and {*left[0]} == {*grid.line_rows}:
        steps = ([*itertools.pairwise(grid.cells(grid.line_rows[::-step], [column]))] for column in columns)
        yield from ([(b, a) for a, b in pairs] for pairs in steps)
    elif step and grid.timed_rows:
        others = beside(rows, step, grid.line_rows)
        yield from _across(v, rows, others, columns, "row") if others else ()
    elif step and grid.timed_columns:
        others = beside(columns, step, grid.line_columns)
        yield from _across(v, columns, others, rows, "column") if others else ()
    elif v.piece.has("same", "differ") and len(rows) == 1 and not left[1] and grid.uniform:
        cells = grid.cells(rows, grid.columns)
        yield list(itertools.pairwise(cells))
        yield from ([pair] for pair in itertools.combinations(cells, 2))
    elif after & _OTHERS and left[0]:
        rest = [row for row in grid.rivals(grid.rows) if row not in left[0]]
        many = next((clock_number(w) for w in after if clock_number(w)), None)
        if many is not None and many != len(rest):
            return
        yield from _across(v, left[0], rest, left[1] or _shared(v, "column"), "row")
    else:
        yield from _spoken_of(v, left)


def _spoken_of(v: View, left: _Side) -> Iterator[_Pairs]:
    """“… exceeds it”, “… was still behind”: the other of two that were spoken of."""
    context = v.context
    rest = tuple(name for name in context.near_rows or context.far_group if name not in left[0])
    if left[0] and rest and not v.grid.timed_rows:
        yield from _across(v, left[0], rest, left[1] or _shared(v, "column"), "row")
        return
    group = context.near_columns if len(context.near_columns) > 1 else context.far_column_group
    columns = left[1] or group[:1]
    others = tuple(name for name in group if name not in columns)
    if columns and others:
        rows = () if v.piece.has("every") else left[0] or v.rows
        yield from _across(v, columns, others, rows, "column")


def _by(v: View, cue: Cue) -> Amount | None:
    """By how much: “12 more than”, “exceeds it by 5”."""
    for number in reversed(v.piece.numbers):
        if (
            counts_rows(v, number)
            and number.stated.amount.quantity.spelled
            and number.stated.role != "by"
            and not v.own_rows
        ):
            continue
        if number.stated.role == "by" or (0 < cue.first - number.last <= 4 and number.stated.role != "times"):
            return number.stated.amount
    return None


def _times(v: View) -> Amount | None:
    """How many times: “twice as many”, “3 times as much”."""
    for number in v.piece.numbers:
        if number.stated.role == "times" or v.piece.sentence.word(number.last + 1) == "times":
            return number.stated.amount
    cue = v.piece.has("twice")
    factor = TIMES_WORDS.get(cue.words.split()[0]) if cue else None
    if cue is None or factor is None:
        return None
    return factor_amount(v, cue, factor)


def factor_amount(v: View, cue: Cue, factor: float) -> Amount:
    """A factor in words with its bound and hedge: “more than twice”, “nearly half”."""
    before = v.piece.sentence.words[max(0, cue.first - 3) : cue.first]
    hedged = any(c.tag == "hedge" and c.words != "well" and 0 <= cue.first - c.last <= 2 for c in v.piece.cues)
    bound: Bound = "="
    if "more" in before or "over" in before:
        bound = ">"
    elif "less" in before or "under" in before or "not" in before:
        bound = "<"
    if factor < 1 and cue.words in MOVED_BY_FACTOR and bound != "=":
        bound = "<" if bound == ">" else ">"
    return Amount(quantity=Quantity(value=factor, places=None), bound=bound, hedged=hedged)


def _valued(pair: _Pairs, amounts: Sequence[Amount]) -> list[Finding]:
    """Numbers that the right side is given: “more than the 44 million of the year before”."""
    found = []
    for amount in (replace(one, bound="=") for one in amounts):
        cells = [b for _, b in pair] + [a for a, _ in pair]
        found.append(
            decide(
                any(agrees(amount, cell) == "same" for cell in cells),
                cells[:1],
                f"{in_words(cells[0])}, the claim says {amount_text(amount)}.",
            )
        )
    return found


def _compared(a: Cell, b: Cell, order: Order, by: Amount | None, times: Amount | None, cue: Cue) -> Finding:
    """Whether one cell stands to another as is said."""
    words = f"{in_words(a)} and {in_words(b)}."
    if times is not None:
        return _multiple(a, b, times, words, more=order == "greater" and cue.tag == "more")
    if too_close(a, b):
        return missing(f"{words[:-1]} are too close to be told apart.")
    if order == "equal":
        return decide(equal(a.value, b.value), [a, b], words)
    less = (order == "less") != is_reversed(cue.words, a)
    holds = not equal(a.value, b.value) and (a.value < b.value) == less
    return _gap(a, b, by, words) if holds and by is not None else decide(holds, [a, b], words)


def _gap(a: Cell, b: Cell, by: Amount, words: str) -> Finding:
    gaps = [a.with_value(abs(a.value - b.value))]
    if by.quantity.unit == "percent" and b.value:
        gaps.append(pure(a, 100 * abs(a.value - b.value) / abs(b.value), "percent"))
    found = [agrees(by, gap) for gap in gaps]
    if "same" in found or (any(agrees(by, cell) == "same" for cell in (a, b)) and not by.quantity.spelled):
        return decide(True, [a, b], words)
    if "unclear" in found:
        return missing(words)
    apart = number_text(round(gaps[0].value, 9))
    return decide(False, [a, b], f"{words[:-1]}, which are {apart} apart; the claim says {amount_text(by)}.")


def _multiple(a: Cell, b: Cell, times: Amount, words: str, *, more: bool) -> Finding:
    if not b.value:
        return missing(words)
    ratio = a.value / b.value
    result = agrees(times, pure(a, ratio))
    if times.hedged and times.bound == "=" and abs(ratio - times.quantity.value) <= _ROUGH * times.quantity.value:
        result = "same"
    if more and agrees(times, pure(a, ratio - 1)) == "same":
        result = "same"
    near = 0.8 < ratio / max(times.quantity.value, 1e-9) < 1.25
    if result == "unclear" or (result == "different" and (a.estimated or b.estimated) and near):
        return missing(words)
    return decide(result == "same", [a, b], f"{words[:-1]}, {number_text(round(ratio, 3))} times as much.")


# Shortage and surplus.


def shortage_finding(v: View) -> Finding | None:
    """“There is a shortage of 600 units”: demand against supply."""
    word = next((w for w in v.piece.words if w in ("shortage", "surplus")), None)
    demand, supply = (next((n for n in v.grid.columns if stem in name_stems(n)), None) for stem in ("demand", "supply"))
    if word is None or demand is None or supply is None or len(v.rows) != 1:
        return None
    cells = v.grid.cells(v.rows, (demand, supply))
    if len(cells) != 2:
        return None
    gap = cells[0].value - cells[1].value
    found = [
        decide(gap > 0 if word == "shortage" else gap < 0, cells, f"{in_words(cells[0])} and {in_words(cells[1])}.")
    ]
    found += [
        _gap(cells[0], cells[1], amount, f"{in_words(cells[0])} and {in_words(cells[1])}.") for amount in v.amounts
    ]
    return settled([together(found)], v)
