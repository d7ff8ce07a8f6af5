"""Two things, or two groups, held against each other: more, less, as much, by how much and how many times.

A comparison has two sides, each some rows and columns; what they leave open comes from what was said before. There are often several ways
to pair the cells of the two sides (each with each, all together, column by column), and it is right if it holds in one of them.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple, TypeAlias

from evpv.language.forms import Amount, Bound, Order, amount_text
from evpv.language.immutable import immutable
from evpv.language.lexicon import MOVED_BY_FACTOR, TIMES_WORDS
from evpv.language.number_words import clock_number
from evpv.language.quantities import Quantity, number_text
from evpv.language.tokens import Cue, name_stems
from evpv.premises.figure import Cell
from evpv.premises.matching.values import Finding, decide, equal, in_words, missing, together, too_close, unread
from evpv.premises.statements.extremes import compares_sizes, is_reversed, sum_cell
from evpv.premises.statements.names import Name
from evpv.premises.statements.numbers import StatedNumber
from evpv.premises.statements.strangers import names_absent
from evpv.premises.statements.verdicts import agrees, counts_rows, decision, is_part, pure
from evpv.premises.statements.views import NEAR, STRANGE, TIMES, View, name_beside, step_in_time

_OTHERS = frozenset("other others rest any anyone anybody else".split())
_SPOKEN = frozenset("it them this that".split())
_ROUGH = 0.12
"""How far from two “nearly double” may be."""
_Names: TypeAlias = tuple[str, ...]
_Pairs: TypeAlias = list[tuple[Cell, Cell]]
"""One way to pair the cells of two sides; every pair must stand as is said."""


class _Side(NamedTuple):
    """What one side of a comparison names."""

    rows: _Names
    columns: _Names

    @property
    def is_open(self) -> bool:
        return not self.rows and not self.columns


@immutable
class _Relation:
    """How the left side is said to stand to the right: greater, less or equal, by how much, how many times, whether only about so, and
    whether it is the `sizes` of values below zero that are compared (“a smaller loss”), and whether the number can only be how far they are
    `apart`."""

    order: Order
    cue: Cue
    by: Amount | None
    times: Amount | None
    hedged: bool
    sizes: bool = False
    apart: bool = False


def comparison_finding(v: View, cue: Cue) -> Finding | None:
    """Whether the left side stands to the right side as is said; None where no two sides are named."""
    if not v.is_named and names_absent(v.piece, v.grid):
        return unread(STRANGE)
    order, joint = _order(v, cue)
    left, right = _sides(v, joint, order)
    right = _right_side(v, left, right)
    pairs = list(filter(None, _pairs(v, left, right, joint)))
    if cue.tag == "overtakes":
        pairs = _crossings(v, pairs)
    if not pairs:
        return None
    relation = _relation(v, cue, order)
    if (scaled := _scaled_finding(v, cue, pairs[0])) is not None:
        return decision([scaled], v)
    if (counted := _row_count_finding(v, pairs, relation)) is not None:
        return decision([counted], v, leans=False)
    return decision([_pair_finding(v, pair, relation) for pair in pairs], v, leans=left.is_open or right.is_open)


def _right_side(v: View, left: _Side, right: _Side) -> _Side:
    """The right side as it is meant: all but those that are excepted."""
    if right.rows and v.piece.has("except") and v.piece.has("every"):
        apart = (*(left.rows or v.given_rows), *right.rows)
        right = right._replace(rows=_without(tuple(v.grid.rivals(v.grid.rows)), apart))
    return right


# The two sides.

_BEING = ("is", "are", "was", "were", "be")
_ORDERS: dict[str, Order] = {
    "beats": "greater",
    "overtakes": "greater",
    "more": "greater",
    "trails": "less",
    "less": "less",
}


def _order(v: View, cue: Cue) -> tuple[Order, int]:
    """Which side is said to be greater, and where the right side begins: that of “as many … as” or “twice that of” at the second word."""
    sentence, than = v.piece.sentence, v.piece.has("than")
    match cue.tag:
        case "more" | "less":
            return _ORDERS[cue.tag], than.last + 1 if than else v.piece.stop
        case "beats" | "overtakes" if sentence.after(cue) == "by" and sentence.before(cue) in _BEING:
            return "less", cue.last + 1
        case "beats" | "overtakes" | "trails":
            return _ORDERS[cue.tag], cue.last + 1
        case "as" | "twice" | "times":
            like = v.piece.has("as")
            opening, wanted = (like, ("as",)) if like else (cue, ("that", "those", "of", "the"))
            after = range(opening.last + 1, v.piece.stop)
            return "equal", next((i for i in after if sentence.words[i] in wanted), cue.last + 1)
    return "equal", v.piece.stop


def _sides(v: View, joint: int, order: Order) -> tuple[_Side, _Side]:
    """The names before and after the joint; those of a plain equality have none."""
    words, names = v.piece.words, v.piece.names
    if joint >= v.piece.stop and order == "equal":
        return _equal_sides(v)
    turned = words[0] in ("compared", "relative", "unlike") and "," in words
    if turned:
        joint = words.index(",") + v.piece.first
    before, after = _side(n for n in names if n.first < joint), _side(n for n in names if n.first >= joint)
    return (after, before) if turned else (before, after)


def _equal_sides(v: View) -> tuple[_Side, _Side]:
    """The first name against the others."""
    rows, columns = v.piece.names_of("row"), v.piece.names_of("column")
    if len(rows) > 1:
        return _Side(rows[:1], columns), _Side(rows[1:], columns)
    return _Side(rows, columns[:1]), _Side(rows if len(columns) > 1 else (), columns[1:])


def _side(names: Iterable[Name]) -> _Side:
    said = dict.fromkeys((name.axis, name.name) for name in names)
    rows, columns = (tuple(name for axis, name in said if axis == wanted) for wanted in ("row", "column"))
    return _Side(rows, columns)


def _differ(names: _Names, others: _Names) -> bool:
    return bool(names and others) and set(names) != set(others)


def _pairs(v: View, left: _Side, right: _Side, joint: int) -> Iterator[_Pairs]:
    """The ways to pair the cells of two sides."""
    if right.is_open:
        return _implied_pairs(v, left, joint)
    left = _completed_side(v, left, right)
    across = _differ(left.columns, right.columns)
    if not _differ(left.rows, right.rows):
        rows = left.rows or right.rows or _shared_rows(v)
        return _column_pairs(v, left.columns, right.columns, rows) if across else iter(())
    if across:  # “Ann's score in Art exceeds Ben's in Maths”
        return iter([list(itertools.product(v.grid.cells(*left), v.grid.cells(*right)))])
    return _row_pairs(v, left.rows, right.rows, _shared_columns(v, left.columns or right.columns))


def _completed_side(v: View, left: _Side, right: _Side) -> _Side:
    """The left side with what it does not name against the right one, but was said before."""
    if _differ(left.columns, right.columns) and not _differ(left.rows, right.rows):
        return left
    rows = left.rows or (_without(v.given_rows, right.rows) if right.rows else ())
    leans = not left.columns and not (rows and right.rows)
    return _Side(rows, _without(v.given_columns, right.columns) if leans else left.columns)


def _without(names: _Names, others: _Names) -> _Names:
    return tuple(name for name in names if name not in others)


def _shared_columns(v: View, named: _Names) -> _Names:
    """The columns that both sides have in common: those that are named, or were said before."""
    if named or len(v.grid.columns) == 1:
        return named or v.grid.columns
    return () if v.own_columns or _adds_up(v) else v.given_columns


def _adds_up(v: View) -> bool:
    """Whether all columns are compared at once: “more medals overall than Peru”."""
    return v.piece.has("total") is not None or v.has("overall")


def _shared_rows(v: View) -> _Names:
    if v.own_rows or v.piece.has("every"):
        return () if v.piece.names_of("row") else v.own_rows
    return v.given_rows


# The cells of two sides, in pairs.


def _row_pairs(v: View, rows: Sequence[str], others: Sequence[str], columns: Sequence[str]) -> Iterator[_Pairs]:
    """Rows against other rows in these columns, or in all that may be meant."""
    lines = [(v.grid.cells(rows, [c]), v.grid.cells(others, [c])) for c in columns or v.open_columns]
    yield from _line_pairs(
        v, (rows, others), lines, may_add=not columns and v.grid.uniform, alone=not (columns or _adds_up(v))
    )


def _column_pairs(v: View, columns: Sequence[str], others: Sequence[str], rows: Sequence[str]) -> Iterator[_Pairs]:
    """Columns against other columns in these rows, or in all."""
    lines = [(v.grid.cells([r], columns), v.grid.cells([r], others)) for r in rows or v.grid.rivals(v.grid.rows)]
    yield from _line_pairs(v, (columns, others), lines, may_add=not rows, alone=False)


_SideNames: TypeAlias = tuple[Sequence[str], Sequence[str]]
_Line: TypeAlias = tuple[list[Cell], list[Cell]]


def _line_pairs(v: View, sides: _SideNames, lines: Sequence[_Line], *, may_add: bool, alone: bool) -> Iterator[_Pairs]:
    """Two sides on the lines that they meet on: all lines added up, the names of each side added up, each line `alone`, or every line."""
    if not v.piece.has("every", "both"):
        if len(lines) == 1:
            yield from _group_pairs(v, sides, *lines[0])
        elif may_add and lines:
            yield _summed_pair(*(list(itertools.chain(*side)) for side in zip(*lines, strict=True)))
        if alone:
            yield from (_pairs_of_line(v, line) for line in lines)
    yield list(itertools.chain.from_iterable(_pairs_of_line(v, line) for line in lines))


def _pairs_of_line(v: View, line: _Line) -> _Pairs:
    return _summed_pair(*line) if v.piece.has("total") else list(itertools.product(*line))


def _group_pairs(v: View, sides: _SideNames, left: list[Cell], right: list[Cell]) -> Iterator[_Pairs]:
    """Several names on one line: they may be meant together."""
    names, others = sides
    if not left or not right:
        return
    if len(names) > 1 and v.own_rows[:1] != tuple(names[:1]):
        yield [(sum_cell(left), b) for b in right]
        yield from ([(a, right[0])] for a in left)
    if max(len(names), len(others)) > 1 and all(n.whole for n in v.piece.names):
        yield _summed_pair(left, right)


def _summed_pair(left: Sequence[Cell], right: Sequence[Cell]) -> _Pairs:
    return [(sum_cell(left), sum_cell(right))] if left and right else []


def _crossings(v: View, pairs: list[_Pairs]) -> list[_Pairs]:
    """“A overtook B between 2016 and 2019”: A is behind at the first of the times that are meant, and ahead at the last."""
    if not pairs or not v.is_timed:
        return pairs
    line = v.grid.line_rows if v.grid.timed_rows else v.grid.line_columns
    by_time = {a.row if v.grid.timed_rows else a.column: (a, b) for a, b in pairs[-1]}
    times = [by_time[time] for time in line if time in by_time]
    return [[times[0][::-1], times[-1]]] if 1 < len(times) == len(pairs[-1]) else pairs


# Right sides without a name.


def _implied_pairs(v: View, left: _Side, joint: int) -> Iterator[_Pairs]:
    """A right side without a name: the time before, all others, or what was spoken of."""
    said = v.piece.sentence.words[joint : v.piece.stop]
    after = frozenset(said)
    step = step_in_time(said)
    if left.rows and after & _SPOKEN and not (step and after & TIMES):
        return _pairs_with_spoken(v, left)
    if step and (v.grid.line_rows or v.is_timed):
        return _pairs_in_time(v, left, step)
    return _pairs_without_time(v, left, said)


def _pairs_without_time(v: View, left: _Side, said: _Names) -> Iterator[_Pairs]:
    rows = left.rows or v.rows
    if len(rows) == 1 and not left.columns and v.grid.uniform and v.piece.has("same", "differ"):
        cells = v.grid.cells(rows, v.grid.columns)  # “it stayed the same”: the values of one row
        return iter([list(itertools.pairwise(cells)), *([pair] for pair in itertools.combinations(cells, 2))])
    return _pairs_with_spoken(v, left) if _OTHERS.isdisjoint(said) else _pairs_with_others(v, left, said)


def _pairs_with_others(v: View, left: _Side, said: _Names) -> Iterator[_Pairs]:
    """“More than the others”, “than the other three”."""
    if left.is_open and v.row_from == NEAR:
        left = left._replace(rows=v.rows)
    if not left.rows:
        return _pairs_with_spoken(v, left)
    rest = [row for row in v.grid.rivals(v.grid.rows) if row not in left.rows]
    many = next(filter(None, map(clock_number, said)), len(rest))  # “the other three”: only where there are so many
    return _row_pairs(v, left.rows, rest, _shared_columns(v, left.columns)) if many == len(rest) else iter(())


def _pairs_in_time(v: View, left: _Side, step: int) -> Iterator[_Pairs]:
    """“Higher than the year before”."""
    grid = v.grid
    rows, columns = left.rows or v.rows, left.columns or v.columns
    if grid.line_rows and {*left.rows} == {*grid.line_rows}:
        line = grid.line_rows[::-step]
        return ([(b, a) for a, b in itertools.pairwise(grid.cells(line, [column]))] for column in columns)
    if grid.timed_rows:
        others = name_beside(rows, step, grid.line_rows)
        return _row_pairs(v, rows, others, columns) if others else iter(())
    others = name_beside(columns, step, grid.line_columns)
    return _column_pairs(v, columns, others, rows) if others else iter(())


def _pairs_with_spoken(v: View, left: _Side) -> Iterator[_Pairs]:
    """“… exceeds it”, “… was still behind”: the other of two that were spoken of."""
    context = v.context
    rest = _without(context.near_rows or context.far_group, left.rows)
    of_rows = not v.grid.timed_rows or (v.has("still", "even") and not left.columns)
    if left.rows and rest and of_rows:
        return _row_pairs(v, left.rows, rest, _shared_columns(v, left.columns))
    return _column_pairs_with_spoken(v, left)


def _column_pairs_with_spoken(v: View, left: _Side) -> Iterator[_Pairs]:
    context = v.context
    group = context.near_columns if len(context.near_columns) > 1 else context.far_column_group
    columns = left.columns or group[:1]
    rows = () if v.piece.has("every") else left.rows or v.rows
    return _column_pairs(v, columns, _without(group, columns), rows)


# What is said of them.


def _relation(v: View, cue: Cue, order: Order) -> _Relation:
    """What a cue says, with by how much (“12 more than”, “exceeds it by 5”) and how many times."""
    gaps = (n for n in reversed(v.piece.numbers) if n.role == "by" or 0 < cue.first - n.last <= 4)
    gap = next((n for n in gaps if n.role != "times"), None)
    hedged, apart = v.piece.has("hedge") is not None, gap is not None and _is_only_a_gap(v, gap, cue)
    by, times, sizes = gap.amount if gap else None, _times_said(v), compares_sizes(v)
    return _Relation(order=order, cue=cue, by=by, times=times, hedged=hedged, sizes=sizes, apart=apart)


def _is_only_a_gap(v: View, number: StatedNumber, cue: Cue) -> bool:
    """Whether a number cannot be the value of one side: “by 12”, “12 percentage points below”."""
    return number.role == "by" or "percentage" in v.piece.sentence.words[number.first : cue.first]


def _times_said(v: View) -> Amount | None:
    """How many times: “3 times as much”, “twice as many”."""
    sentence, twice = v.piece.sentence, v.piece.has("twice")
    times = (n.amount for n in v.piece.numbers if n.role == "times" or sentence.after(n) == "times")
    factor = TIMES_WORDS.get(twice.words.split()[0]) if twice else None
    return next(times, factor_amount(v, twice, factor) if twice and factor is not None else None)


def factor_amount(v: View, cue: Cue, factor: float) -> Amount:
    """A factor in words with its bound and hedge: “more than twice”, “nearly half”."""
    before = {*v.piece.sentence.words[max(0, cue.first - 3) : cue.first]}
    hedged = any(c.tag == "hedge" and c.words != "well" and 0 <= cue.first - c.last <= 2 for c in v.piece.cues)
    bound: Bound = ">" if before & {"more", "over"} else "="
    if bound == "=" and before & {"less", "under", "not"}:
        bound = "<"
    if factor < 1 and cue.words in MOVED_BY_FACTOR:
        bound = _TURNED[bound]
    return Amount(quantity=Quantity(value=factor, places=None), bound=bound, hedged=hedged)


_TURNED: dict[Bound, Bound] = {"=": "=", ">": "<", "<": ">"}


def _scaled_finding(v: View, cue: Cue, pair: _Pairs) -> Finding | None:
    """“Two umbrellas cost as much as one pair of gloves”: so many of the one and of the other."""
    if cue.tag != "as" or len(pair) != 1:
        return None
    words, firsts = v.piece.sentence.words, [name.first for name in v.piece.names if name.axis == "row"]
    before = (map(clock_number, reversed(words[max(0, first - 3) : first])) for first in firsts)
    numbers = [next(filter(None, near), 0) for near in before]
    if len(numbers) != 2 or not all(numbers):
        return None
    (a, b), (m, n) = pair[0], numbers
    return decide(equal(m * a.value, n * b.value), [a, b], _both(a, b))


def _both(a: Cell, b: Cell) -> str:
    return f"{in_words(a)} and {in_words(b)}."


def _row_count_finding(v: View, pairs: Sequence[_Pairs], relation: _Relation) -> Finding | None:
    """“Two countries import more than they export”: in how many rows it is so."""
    amount, part = _share_of_rows(v, relation.cue), len(pairs[-1])
    if amount is None:
        amount, part = _number_of_rows(v, relation.cue), 1
    if amount is None or len({a.row for a, _ in itertools.chain(*pairs)}) < 2:
        return None
    bare = replace(relation, by=None, times=None)
    holds = [a for a, b in pairs[-1] if _cells_finding(a, b, bare).verdict == "supported"]
    first = pairs[-1][0][0]
    right = agrees(amount, pure(first, len(holds) / part)) == "same"
    return decide(right, [*holds, first], f"it is so in {len(holds)} of {len(pairs[-1])} rows.")


def _share_of_rows(v: View, cue: Cue) -> Amount | None:
    """“Half of the departments” and “most of the countries” before a cue: such a part of all rows."""
    half = v.piece.has("twice")
    parts = [(n.last, n.amount) for n in v.piece.numbers if is_part(n.amount)]
    parts += [(half.first, factor_amount(v, half, 0.5))] if half and half.words == "half of" else []
    shares = (amount for at, amount in parts if at < cue.first and _is_of_rows(v, at))
    return None if v.own_rows else next(shares, None)


def _is_of_rows(v: View, at: int) -> bool:
    """Whether “of the” and what the rows are called follow."""
    following = v.piece.sentence.tokens[at + 1 : at + 5]
    return [t.lower for t in following[:2]] == ["of", "the"] and any(t.stem in _row_nouns(v) for t in following[2:])


def _row_nouns(v: View) -> frozenset[str]:
    """What rows are called."""
    return v.grid.heads | (TIMES if v.grid.timed_rows else frozenset())


def _number_of_rows(v: View, cue: Cue) -> Amount | None:
    """How many rows are said before a cue: no factor, and no limit; “one crop”, “one of the crops”, which are no numbers elsewhere."""
    if v.own_rows:
        return None
    tokens, words = v.piece.sentence.tokens, v.piece.sentence.words
    ones = (i for i in range(v.piece.first, cue.first) if words[i] == "one" and words[i - 1 : i] in ((), *_ALONE))
    if any(
        (tokens[i + 1].stem in v.grid.heads and not step_in_time(words[i + 2 : i + 3])) or _is_of_rows(v, i)
        for i in ones
    ):
        return Amount(quantity=Quantity(value=1.0, places=None, spelled=True))
    before = (n for n in v.piece.numbers if n.last < cue.first and n.role != "times")
    number = next((n for n in before if n.amount.bound == "="), None)
    return number.amount if number and counts_rows(v, number) else None


_ALONE = tuple((word,) for word in "only just exactly , and but".split())


def _pair_finding(v: View, pair: _Pairs, relation: _Relation) -> Finding:
    """Whether all pairs stand as is said, and have the values that are said beside it. “Nearly the same” is right within a tenth, and open
    beyond."""
    if relation.order == "equal" and relation.hedged and relation.times is None:
        a, b = max(pair, key=lambda two: abs(two[0].value - two[1].value))
        near = abs(a.value - b.value) <= 0.1 * max(abs(a.value), abs(b.value))
        return decide(True, [a, b], _both(a, b)) if near else missing(_both(a, b))
    found = [_cells_finding(a, b, relation) for a, b in pair]
    cells = [b for _, b in pair] + [a for a, _ in pair]
    for said in _values_said(v, relation):
        amount = replace(said, bound="=")
        right = any(agrees(amount, cell) == "same" for cell in cells)
        found.append(decide(right, cells[:1], f"{in_words(cells[0])}, the claim says {amount_text(amount)}."))
    return together(found)


def _values_said(v: View, relation: _Relation) -> list[Amount]:
    """The numbers of a comparison that say neither by how much nor how many times: “more than the 44 million of the year before”."""
    factors = {i for c in v.piece.cues if c.tag in ("twice", "times") for i in range(c.first - 1, c.last + 1)}
    others = [n for n in v.piece.numbers if n.role not in ("by", "times") and n.first not in factors]
    return [n.amount for n in others if n.amount not in (relation.by, relation.times) and not counts_rows(v, n)]


def _cells_finding(a: Cell, b: Cell, relation: _Relation) -> Finding:
    """Whether one cell stands to another as is said."""
    order, cue = relation.order, relation.cue
    if relation.times is not None:
        return _multiple_finding(a, b, relation.times)
    if too_close(a, b):
        return missing(f"{_both(a, b)[:-1]} are too close to be told apart.")
    if order == "equal":
        return decide(equal(a.value, b.value), [a, b], _both(a, b))
    less = (order == "less") != is_reversed(cue.words, a)
    left, right = (abs(a.value), abs(b.value)) if relation.sizes else (a.value, b.value)
    holds = not equal(left, right) and (left < right) == less
    if holds and relation.by:
        return _gap_finding(a, b, relation.by, apart=relation.apart)
    return decide(holds, [a, b], _both(a, b))


def _gap_finding(a: Cell, b: Cell, by: Amount, *, apart: bool = False) -> Finding:
    """Whether two cells are so far apart; or, unless the number only says how far `apart` they are, one of them has it."""
    gaps = [a.with_value(abs(a.value - b.value))]
    if by.quantity.unit == "percent" and b.value:
        gaps.append(pure(a, 100 * abs(a.value - b.value) / abs(b.value), "percent"))
    found = {agrees(by, gap) for gap in gaps}
    if "same" in found or (not (apart or by.quantity.spelled) and any(agrees(by, cell) == "same" for cell in (a, b))):
        return decide(True, [a, b], _both(a, b))
    if "unclear" in found:
        return missing(_both(a, b))
    far = number_text(round(gaps[0].value, 9))
    return decide(False, [a, b], f"{_both(a, b)[:-1]}, which are {far} apart; the claim says {amount_text(by)}.")


def _multiple_finding(a: Cell, b: Cell, times: Amount) -> Finding:
    """Whether one cell is so many times another."""
    if not b.value:
        return missing(_both(a, b))
    ratio, wanted = a.value / b.value, times.quantity.value
    rough = times.hedged and times.bound == "=" and abs(ratio - wanted) <= _ROUGH * wanted
    result = "same" if rough else agrees(times, pure(a, ratio))
    near = (a.estimated or b.estimated) and 0.8 < ratio / max(wanted, 1e-9) < 1.25
    if result == "unclear" or (result == "different" and near):
        return missing(_both(a, b))
    return decide(result == "same", [a, b], f"{_both(a, b)[:-1]}, {number_text(round(ratio, 3))} times as much.")


# Shortage and surplus.

_SHORTAGES = {"shortage": operator.gt, "deficit": operator.gt, "surplus": operator.lt}
"""How demand stands to supply."""


def _both_sides(v: View, nouns: tuple[str, str]) -> list[Cell]:
    columns = ([c for c in v.grid.columns if noun in name_stems(c)][:1] for noun in nouns)
    return v.grid.cells(v.rows, itertools.chain(*columns))


_NEEDS = (("demand", "supply"), ("import", "export"))
"""What is needed, and what there is of it."""


def shortage_finding(v: View) -> Finding | None:
    """“There is a shortage of 600 units”, “a trade surplus”: demand against supply, imports against exports."""
    said = next((word for word in v.piece.words if word in _SHORTAGES), None)
    if said is None or len(v.rows) != 1:
        return None
    cells = next((pair for pair in map(partial(_both_sides, v), _NEEDS) if len(pair) == 2), None)
    if cells is None:
        return None
    demand, supply = cells
    right = _SHORTAGES[said](demand.value, supply.value)
    gaps = (_gap_finding(demand, supply, amount) for amount in v.amounts)
    return decision([together([decide(right, cells, _both(demand, supply)), *gaps])], v)
